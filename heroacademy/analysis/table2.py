"""Table II of the OEP paper: all pairs of its agents, and the paper's numbers beside ours."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations

import numpy as np
import pandas as pd

from heroacademy import paper
from heroacademy.analysis.matches import pair_table
from heroacademy.analysis.printed import DIFFERS, beside_printed, percent, summary
from heroacademy.experiments.results import head_to_head
from heroacademy.statistics import LEVEL


def compare_with_paper(games: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """All pairs, stronger row agent first as the paper lists them, with the paper's numbers.

    The paper's two pairs that do not add up to 100 may be read either way.
    """
    pairs = [(b, a) for a, b in combinations(names, 2)]
    compared = beside_printed(
        [head_to_head(games, *pair) for pair in pairs],
        [paper.table2_readings(*pair) for pair in pairs],
        paper.numbers("table2")["games"],
    )
    return pair_table(games, pairs).join(compared)


def labels(table: pd.DataFrame) -> list[str]:
    """The pairs of a table in words."""
    return [f"{a} against {b}" for a, b in zip(table["first"], table["second"], strict=True)]


def square(table: pd.DataFrame, names: Sequence[str], column: str) -> pd.DataFrame:
    """A column of the comparison as a square: the row's agent against the column's."""
    values = pd.DataFrame(np.nan, list(names), list(names))
    for _, row in table.iterrows():
        values.loc[row["first"], row["second"]] = row[column]
        values.loc[row["second"], row["first"]] = 100 - row[column]
    return values


def cell_texts(table: pd.DataFrame, names: Sequence[str]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """For each cell of the square: interval and paper's number, and if they differ."""
    texts = pd.DataFrame("", list(names), list(names))
    differs = pd.DataFrame(False, list(names), list(names))
    for _, row in table.iterrows():
        first, second = row["first"], row["second"]
        low, high = row["low"], row["high"]
        for a, b, ends in ((first, second, (low, high)), (second, first, (100 - high, 100 - low))):
            printed = percent(paper.table2_readings(a, b))
            texts.loc[a, b] = f"[{ends[0]:.0f}, {ends[1]:.0f}]\npaper {printed}"
            differs.loc[a, b] = row["verdict"] == DIFFERS
    return texts, differs


def printable(table: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Win percentages with their intervals as the paper lists them, a row for each agent."""
    win, low, high = (square(table, names, column) for column in ("win %", "low", "high"))
    low, high = np.minimum(low, high), np.maximum(low, high)  # the other way round, limits swap
    texts = pd.DataFrame("-", list(names), list(names))
    for a, b in permutations(names, 2):
        texts.loc[a, b] = f"{win.loc[a, b]:.1f} [{low.loc[a, b]:.1f}, {high.loc[a, b]:.1f}]"
    return texts.iloc[1:].rename_axis("agent").reset_index()


def findings(
    table: pd.DataFrame, rating: pd.DataFrame, budgets: Sequence[str], variations: Sequence[str]
) -> str:
    """What the comparison shows, in a few sentences; budgets and variations have their own."""
    decided = (table["p Holm"] < LEVEL).sum()
    games = paper.numbers("table2")["games"]
    lines = [
        f"Of the pairs, {summary(table, labels(table), games)}.",
        f"The order by rating is {', '.join(rating['agent'])}.",
        f"{decided} pairs differ from 50 % significantly (signed-rank test, Holm-corrected).",
    ]
    return "\n".join(f"- {line}" for line in [*lines, *budgets, *variations])
