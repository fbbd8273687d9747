"""Ratings of all agents, at equal calls and at equal time."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from heroacademy.analysis.matches import estimate_of, summarise, with_holm
from heroacademy.analysis.ratings import ratings
from heroacademy.experiments.league import CONTENDERS, PANEL, PRELIMINARY, contender
from heroacademy.experiments.results import head_to_head
from heroacademy.experiments.tuning import Round


def players(games: pd.DataFrame) -> list[str]:
    """The agents that play in games, by their names, in the order of their appearance."""
    return list(dict.fromkeys([*games["agent1"], *games["agent2"]]))


def ratings_over(games: pd.DataFrame, column: str = "action_points") -> pd.DataFrame:
    """Ratings for each value of a column."""
    parts = [
        ratings(part, players(part)).assign(**{column: value})
        for value, part in games.groupby(column)
    ]
    table = pd.concat(parts, ignore_index=True)
    return table[[column, *(name for name in table if name != column)]]


def speeds(games: pd.DataFrame) -> pd.DataFrame:
    """Seconds a turn that each agent took, and its calls a second, over all its games."""
    sides = pd.concat(
        [
            pd.DataFrame(
                {"agent": games[f"agent{i}"], "calls": games[f"calls{i}"],
                 "took": games[f"took{i}"], "turns": games["turns"] / 2, "games": 1}
            )
            for i in (1, 2)
        ]
    )  # fmt: skip
    sums = sides.groupby("agent", sort=False).sum()
    return pd.DataFrame(
        {"ms a turn": 1000 * sums["took"] / sums["turns"],
         "calls a second": sums["calls"] / sums["took"].clip(lower=1e-9),
         "games": sums["games"]}
    ).reset_index()  # fmt: skip


def tuning(rounds: Sequence[Round]) -> pd.DataFrame:
    """Every round of the search for the strongest configuration."""
    return pd.DataFrame(
        [
            {"round": number, "contender": label, "games": one.games * len(PANEL),
             "win %": 100 * one.rates[label]}
            for number, one in enumerate(rounds, 1)
            for label in sorted(one.arms, key=lambda arm, one=one: -one.rates[arm])
        ]
    )  # fmt: skip


def champion_table(games: pd.DataFrame, label: str) -> pd.DataFrame:
    """The winner of the tuning against the panel, on the published starts."""
    rows = [
        {"first": label, "second": rival} | summarise(head_to_head(games, contender(label), rival))
        for rival in PANEL
    ]
    return with_holm(pd.DataFrame(rows))


def findings(
    calls: pd.DataFrame, time: pd.DataFrame, rounds: Sequence[Round], champion: pd.DataFrame
) -> str:
    """Who is the strongest per call, per second, and whether one of ours beats FH-EMCTS."""
    lines = [
        f"At {points} action points and equal calls the order is {_order(part)}."
        for points, part in calls.groupby("action_points")
    ]
    lines.append(f"At equal time (5 action points) the order is {_order(time)}.")
    lines.append(
        f"{len(CONTENDERS)} configurations were tried on starts of their own, "
        f"{sum(len(one.arms) for one in rounds)} times in {len(rounds)} rounds; about "
        f"{PRELIMINARY} more, on the same starts or on positions, when the planners were made."
    )
    lines += [
        f"The best of them, {row['first']}, against {row['second']} on the published starts: "
        f"{estimate_of(row)}, p = {row['p Holm']:.2g} (signed-rank, Holm-corrected)."
        for row in champion.to_dict("records")
    ]
    return "\n".join(f"- {line}" for line in lines)


def _order(table: pd.DataFrame) -> str:
    """
    >>> table = {"agent": ["a", "b"], "Elo": [9.7, -10.2], "low": [-30, -50], "high": [50, 30]}
    >>> _order(pd.DataFrame(table))
    'a (+10 [-30, +50]), b (-10 [-50, +30])'
    """
    ranked = table.sort_values("Elo", ascending=False).to_dict("records")
    return ", ".join(
        f"{row['agent']} ({row['Elo']:+.0f} [{row['low']:+.0f}, {row['high']:+.0f}])"
        for row in ranked
    )
