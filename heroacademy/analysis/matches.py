"""Scores of pairs of agents, each with its interval, its games and its tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pandas as pd

from heroacademy.agents.base import Agent
from heroacademy.experiments.results import head_to_head, points_of, smaller_budget
from heroacademy.statistics import (
    Estimate,
    Interval,
    binomial_test,
    holm,
    pair_differences,
    signed_rank_test,
    win_rate,
)

Pairs = Mapping[str, tuple[Agent | str, Agent | str]]
SCORE_COLUMNS = ("win %", "low", "high", "games")


def score_columns(estimate: Estimate) -> dict[str, float]:
    """An estimate as columns of a table, in percent."""
    values = (100 * estimate.value, 100 * estimate.low, 100 * estimate.high, estimate.games)
    return dict(zip(SCORE_COLUMNS, values, strict=True))


def estimate_of(row: Mapping[str, Any]) -> Estimate:
    """The estimate in the columns of a table."""
    return Estimate(row["win %"] / 100, row["low"] / 100, row["high"] / 100, int(row["games"]))


def share_of(match: pd.DataFrame, confidence: float = 0.95) -> Estimate:
    """Share of wins of the first agent of a match, as `head_to_head` gives it."""
    return win_rate(match["result"].to_numpy(), match["start"].to_numpy(), confidence)


def show_points(difference: Interval) -> str:
    """A difference of shares, or a slope, in points.

    >>> show_points(Interval(0.054, -0.01, 0.118))
    '+5.4 [-1.0, +11.8]'
    """
    value, low, high = (
        f"{round(100 * x, 1) + 0.0:+.1f}"  # never -0.0
        for x in (difference.value, difference.low, difference.high)
    )
    return f"{value} [{low}, {high}]"


def summarise(match: pd.DataFrame) -> dict[str, float]:
    """Score of the first agent of a match, and how likely it is between equals.

    `p signed-rank` compares starts, `p binomial` games, as if those from one start were
    independent.
    """
    results, starts = match["result"].to_numpy(), match["start"].to_numpy()
    return score_columns(share_of(match)) | {
        "p signed-rank": signed_rank_test(pair_differences(results, starts)),
        "p binomial": binomial_test(results),
    }


def with_holm(table: pd.DataFrame) -> pd.DataFrame:
    """A table of scores with its signed-rank p values corrected for their number.

    Rows without a p value, which nothing is compared with, do not count.
    """
    known = table["p signed-rank"].dropna()
    return table.assign(**{"p Holm": pd.Series(holm(known), known.index)})


def pair_table(games: pd.DataFrame, pairs: Iterable[tuple[str, str]]) -> pd.DataFrame:
    """One row for each pair of agents by name."""
    rows = [
        {"first": first, "second": second} | summarise(head_to_head(games, first, second))
        for first, second in pairs
    ]
    return with_holm(pd.DataFrame(rows))


def scores_over(
    games: pd.DataFrame, column: str, values: Iterable, pairs_of: Callable[[Any], Pairs]
) -> pd.DataFrame:
    """Scores of labelled pairs for each value of a column, one row for each."""
    rows = [
        {column: value, "pair": label}
        | summarise(head_to_head(games[games[column] == value], first, second))
        for value in values
        for label, (first, second) in pairs_of(value).items()
    ]
    return with_holm(pd.DataFrame(rows))


def tenth_table(games: pd.DataFrame) -> pd.DataFrame:
    """Score of the side with the smaller budget."""
    return pd.DataFrame([{"agent": "smaller budget"} | summarise(smaller_budget(games))])


def first_player_advantage(games: pd.DataFrame, column: str = "action_points") -> pd.DataFrame:
    """How often player 1 wins, and how long games last, for each value of a column."""
    rows = []
    for value, part in games.groupby(column):
        results = points_of(part, 1)
        estimate = win_rate(results, part["start"].to_numpy())
        row = {column: value} | score_columns(estimate)
        rows.append(row | {"draws %": 100 * (results == 0.5).mean(), "turns": part["turns"].mean()})
    return pd.DataFrame(rows)
