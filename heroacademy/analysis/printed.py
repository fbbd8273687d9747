"""Shares of wins beside those that a paper prints: one rule for the notebooks and the claims.

A share *disagrees* with a printed one if both of these find them different:

- Fisher's exact test at 0.05, which knows how many games the paper had, after Holm's correction
  for the number of shares that are compared;
- its interval, widened for that number, which knows that games from the same start depend on
  each other, and holds no reading of the printed one.

It *agrees* if its whole 95 % interval lies within 10 points of the printed one. Else more games
are needed.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from heroacademy.analysis.matches import estimate_of, share_of
from heroacademy.statistics import (
    AGREES,
    DISAGREES,
    LEVEL,
    TOLERANCE,
    UNDECIDED,
    Estimate,
    Verdict,
    agreement,
    confidence,
    holm,
    verdict,
)

RULE = (
    "each surely within 10 points; disagrees if one is at odds by Fisher's exact test (Holm) and "
    "by its interval (Bonferroni)"
)
UNCORRECTED, CORRECTED = "p paper (uncorrected)", "p paper (Holm)"

Readings = Sequence[float]  # shares that a printed number may mean, see `paper.table2_readings`


def beside_printed(
    matches: Sequence[pd.DataFrame], readings: Sequence[Readings], games: int
) -> pd.DataFrame:
    """For each match what is printed, how likely both are the same, and the verdict.

    games: how many are behind each printed number
    """
    shares = [share_of(match) for match in matches]
    widened = [share_of(match, confidence(len(matches))) for match in matches]
    p = [agreement(share, some, games) for share, some in zip(shares, readings, strict=True)]
    corrected = holm(p)
    return pd.DataFrame(
        {
            "paper %": [percent(some) for some in readings],
            UNCORRECTED: p,
            CORRECTED: corrected,
            "verdict": list(map(_verdict, shares, widened, readings, corrected)),
        }
    )


def _verdict(share: Estimate, widened: Estimate, readings: Readings, p: float) -> Verdict:
    if p < LEVEL and not any(widened.low <= reading <= widened.high for reading in readings):
        return DISAGREES
    near = any(verdict(share, "about", reading, TOLERANCE) == AGREES for reading in readings)
    return AGREES if near else UNDECIDED


def percent(readings: Readings) -> str:
    """
    >>> percent((0.02, 0.1))
    '2 or 10'
    """
    return " or ".join(f"{100 * reading:g}" for reading in readings)


def summary(table: pd.DataFrame, labels: Sequence[str]) -> str:
    """How many rows of scores beside printed ones are at odds with them, and which."""
    odd = [
        f"{label} {estimate_of(row)}, printed {row['paper %']} %"
        for label, row in zip(labels, table.to_dict("records"), strict=True)
        if row["verdict"] == DISAGREES
    ]
    near, unknown = ((table["verdict"] == found).sum() for found in (AGREES, UNDECIDED))
    return (
        f"{len(odd)} of {len(table)} are at odds with the printed numbers"
        + (f" ({'; '.join(odd)})" if odd else "")
        + f", {near} surely within 10 points, {unknown} open"
    )
