"""Table II of the OEP paper: all pairs of its agents, and the paper's numbers beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations

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


def printable(table: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Win percentages with their intervals as the paper lists them, a row for each agent."""
    win, low, high = (square(table, names, column) for column in ("win %", "low", "high"))
    low, high = np.minimum(low, high), np.maximum(low, high)  # the other way round, limits swap
    texts = pd.DataFrame("-", list(names), list(names))
    for a, b in permutations(names, 2):
        texts.loc[a, b] = f"{win.loc[a, b]:.1f} [{low.loc[a, b]:.1f}, {high.loc[a, b]:.1f}]"
    return texts.iloc[1:].rename_axis("agent").reset_index()


def budget_findings(moved: pd.DataFrame, column: str) -> list[str]:
    """How the scores of pairs move from the smallest budget to the largest."""
    lines = []
    for pair, part in moved.sort_values(column).groupby("pair", sort=False):
        first, last = part.iloc[0], part.iloc[-1]
        lines.append(
            f"{pair}: {estimate_of(first)} at {first[column]:,}, {estimate_of(last)} at "
            f"{last[column]:,} a turn."
        )
    return lines


def variation_findings(choices: pd.DataFrame, usual: str) -> list[str]:
    """Which of the other choices put a pair's score elsewhere: the intervals do not overlap."""
    lines = []
    for (first, second), part in choices.groupby(["first", "second"], sort=False):
        rows = part.set_index("choice")
        base = estimate_of(rows.loc[usual])
        moved = [
            f"{label} ({estimate_of(row)})"
            for label, row in rows.drop(index=usual).iterrows()
            if row["low"] / 100 > base.high or row["high"] / 100 < base.low
        ]
        lines.append(
            f"{first} against {second}, {base}: clearly elsewhere with "
            f"{', '.join(moved) or 'none of the other choices'}."
        )
    return lines


def findings(
    table: pd.DataFrame, rating: pd.DataFrame, budgets: Sequence[str], variations: Sequence[str]
) -> str:
    """What the comparison shows, in a few sentences; budgets and variations have their own."""
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
    return "\n".join(f"- {line}" for line in [*lines, *budgets, *variations])
