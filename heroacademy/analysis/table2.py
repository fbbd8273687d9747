"""Table II of the OEP paper: all pairs of its agents, and the paper's numbers beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from heroacademy import paper
from heroacademy.analysis.matches import estimate_of, pair_table
from heroacademy.statistics import agreement

SIGNIFICANT = 0.05


def compare_with_paper(games: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """All pairs, stronger row agent first as the paper lists them, with the paper's numbers.

    `p paper` is how likely a difference as large as ours is if both measured the same; the
    paper's two pairs that do not add up to 100 may be read either way.
    """
    table = pair_table(games, [(b, a) for a, b in combinations(names, 2)])
    readings = [
        paper.table2_readings(first, second)
        for first, second in zip(table["first"], table["second"], strict=True)
    ]
    p_paper = [
        agreement(estimate_of(row), reading, paper.numbers("table2")["games"])
        for (_, row), reading in zip(table.iterrows(), readings, strict=True)
    ]
    texts = list(map(_percent, readings))
    agrees = np.where(np.array(p_paper) > SIGNIFICANT, "yes", "no")
    return table.assign(**{"paper %": texts, "p paper": p_paper, "agrees": agrees})


def _percent(readings: Sequence[float]) -> str:
    """
    >>> _percent((0.02, 0.1))
    '2 or 10'
    """
    return " or ".join(f"{100 * reading:g}" for reading in readings)


def square(table: pd.DataFrame, names: Sequence[str], column: str) -> pd.DataFrame:
    """A column of the comparison as a square: the row's agent against the column's."""
    values = pd.DataFrame(np.nan, list(names), list(names))
    for _, row in table.iterrows():
        values.loc[row["first"], row["second"]] = row[column]
        values.loc[row["second"], row["first"]] = 100 - row[column]
    return values


def cell_texts(table: pd.DataFrame, names: Sequence[str]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """For each cell of the square: interval and paper's number as text, and whether they differ."""
    texts = pd.DataFrame("", list(names), list(names))
    differs = pd.DataFrame(False, list(names), list(names))
    for _, row in table.iterrows():
        first, second = row["first"], row["second"]
        low, high = row["low"], row["high"]
        for a, b, ends in ((first, second, (low, high)), (second, first, (100 - high, 100 - low))):
            printed = _percent(paper.table2_readings(a, b))
            texts.loc[a, b] = f"[{ends[0]:.0f}, {ends[1]:.0f}]\npaper {printed}"
            differs.loc[a, b] = row["agrees"] == "no"
    return texts, differs


def printable(values: pd.DataFrame) -> pd.DataFrame:
    """The square with the row's agent as a column of its own; no agent plays itself."""
    return values.iloc[1:].rename_axis("agent").reset_index()


def findings(table: pd.DataFrame, rating: pd.DataFrame) -> str:
    """What the comparison shows, in a few sentences."""
    off = table[table["agrees"] == "no"]
    lines = [
        f"{len(table) - len(off)} of {len(table)} pairs are compatible with the paper's numbers "
        f"(Fisher's exact test at {SIGNIFICANT} each: one in twenty would be off by "
        f"chance); the order by rating is {', '.join(rating['agent'])}."
    ]
    for _, row in off.iterrows():
        lines.append(
            f"{row['first']} against {row['second']}: {estimate_of(row)} here, "
            f"{row['paper %']} % in the paper."
        )
    decided = (table["p Holm"] < SIGNIFICANT).sum()
    lines.append(
        f"{decided} pairs differ from 50 % significantly (signed-rank test, Holm-corrected)."
    )
    return "\n- ".join(["", *lines]).strip()
