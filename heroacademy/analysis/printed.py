"""Shares of wins beside those that a paper prints: one rule for the notebooks and the claims.

A share *differs* from a printed one if both of these find them different:

- Fisher's exact test at 0.05, which knows how many games the paper had, after Holm's correction
  for the number of shares that are compared;
- its interval, widened for that number, which knows that games from the same start depend on
  each other, and holds no reading of the printed one.

Else, if it is within 10 points of the printed one, there is *no difference found*, which is not
to say that there is none: `detectable` tells how large one would have to be. A share further off
that still may be the printed one is *open*.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from heroacademy.analysis.matches import estimate_of, share_of
from heroacademy.statistics import (
    LEVEL,
    TOLERANCE,
    Estimate,
    agreement,
    confidence,
    detectable,
    holm,
)

DIFFERS, NO_DIFFERENCE, OPEN = "differs", "no difference found", "open"
TELLING = 0.3  # a comparison that mostly misses larger differences near 50 % confirms nothing
RULE = (
    "for each no difference found and a share within 10 points, by so many games that one of "
    f"{100 * TELLING:.0f} points would mostly be found; disagrees if one differs by Fisher's exact "
    "test (Holm) and by its interval (Bonferroni)"
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
            "verdict": list(map(_verdict, widened, readings, corrected)),
        }
    )


def _verdict(share: Estimate, readings: Readings, p: float) -> str:
    """The interval of the share is the widened one."""
    if p < LEVEL and not any(share.low <= reading <= share.high for reading in readings):
        return DIFFERS
    off = round(min(abs(share.value - reading) for reading in readings), 9)  # 0.45, not 0.4499...
    return NO_DIFFERENCE if off <= TOLERANCE else OPEN  # without games the share is NaN: open


def percent(readings: Readings) -> str:
    """
    >>> percent((0.02, 0.1))
    '2 or 10'
    """
    return " or ".join(f"{100 * reading:g}" for reading in readings)


def summary(table: pd.DataFrame, labels: Sequence[str], games: int) -> str:
    """How many rows of scores differ from printed ones of so many games each, and which."""
    odd = [
        f"{label} {estimate_of(row)}, printed {row['paper %']} %"
        for label, row in zip(labels, table.to_dict("records"), strict=True)
        if row["verdict"] == DIFFERS
    ]
    same, unknown = ((table["verdict"] == found).sum() for found in (NO_DIFFERENCE, OPEN))
    return (
        f"{len(odd)} of {len(table)} differ from the printed numbers"
        + (f" ({'; '.join(odd)})" if odd else "")
        + f", for {same} no difference is found, {unknown} open"
        + _power(table["games"], games)
    )


def least_found(ours: pd.Series, theirs: int) -> float:
    """The smallest difference that the comparison of these numbers of games mostly finds."""
    return detectable(max(1, round(ours.median())), theirs, LEVEL / len(ours))


def _power(ours: pd.Series, theirs: int) -> str:
    """How large a difference the comparison finds, after correction for their number.

    >>> _power(pd.Series([100] * 21), 100)
    '; 100 against 100 games mostly (80 %) find differences from 27 points on near 50 %'
    >>> _power(pd.Series([2] * 21), 100)
    '; 2 against 100 games are too few to find any difference'
    """
    if not ours.sum():
        return ""
    games, least = round(ours.median()), least_found(ours, theirs)
    if least >= 1:
        return f"; {games} against {theirs} games are too few to find any difference"
    return (
        f"; {games} against {theirs} games mostly (80 %) find differences from {100 * least:.0f} "
        "points on near 50 %"
    )
