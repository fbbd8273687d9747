"""Ratings of all agents, at equal calls and at equal time."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from heroacademy.analysis.action_points import sides
from heroacademy.analysis.matches import estimate_of, scores_over, summarise, with_holm
from heroacademy.analysis.ratings import ratings
from heroacademy.experiments.designs import NEW_AGENTS
from heroacademy.experiments.league import (
    CONTENDERS,
    PANEL,
    PRELIMINARY,
    champion_rivals,
    contender,
    fh_oep_pairs,
    plan_length,
)
from heroacademy.experiments.results import head_to_head, points_by_start
from heroacademy.experiments.tuning import Round
from heroacademy.statistics import bradley_terry

SIGNIFICANT = 0.05


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
    """Milliseconds a turn and calls a second of each agent, over all its games."""
    sides = pd.concat(
        [
            pd.DataFrame(
                {"action_points": games["action_points"], "agent": games[f"agent{i}"],
                 "calls": games[f"calls{i}"], "took": games[f"took{i}"],
                 "turns": games["turns"] / 2, "games": 1}
            )
            for i in (1, 2)
        ]
    )  # fmt: skip
    sums = sides.groupby(["action_points", "agent"], sort=False).sum()
    return pd.DataFrame(
        {"ms a turn": 1000 * sums["took"] / sums["turns"],
         "calls a second": sums["calls"] / sums["took"].clip(lower=1e-9), "games": sums["games"]}
    ).reset_index()  # fmt: skip


def ours_against(games: pd.DataFrame, rival: str = PANEL[0]) -> pd.DataFrame:
    """The planners that the papers only suggest against the papers' latest, in the league."""
    return scores_over(
        games,
        "action_points",
        sorted(games["action_points"].unique()),
        lambda points: {f"{name} against {rival}": (name, rival) for name in NEW_AGENTS},
    )


def fh_oep(games: pd.DataFrame) -> pd.DataFrame:
    """FH-OEP with the paper's horizons and with the reply, over action points.

    `h first` and `h second` are the actions in both plans, in a full turn.
    """
    points = sorted(games["action_points"].unique())
    table = scores_over(games, "action_points", points, fh_oep_pairs)
    lengths = [
        [plan_length(agent, n) for agent in fh_oep_pairs(n)[pair]]
        for n, pair in zip(table["action_points"], table["pair"], strict=True)
    ]
    first, second = zip(*lengths, strict=True)
    return table.assign(**{"h first": first, "h second": second})


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
    """The winner of the tuning against its rivals, on fresh starts."""
    rows = [
        {"first": label, "second": name} | summarise(head_to_head(games, contender(label), rival))
        for name, rival in champion_rivals(label).items()
    ]
    return with_holm(pd.DataFrame(rows))


def leader(games: pd.DataFrame) -> str:
    """Who has the highest rating, and who is not significantly behind."""
    names = players(games)
    rating = bradley_terry(points_by_start(games, names))
    best = int(rating.value.argmax())
    others = [i for i in range(len(names)) if i != best]
    close = [
        f"{names[i]} ({lead.value:.0f} Elo behind [{lead.low:.0f}, {lead.high:.0f}])"
        for i in sorted(others, key=lambda i: -rating.value[i])
        if (lead := rating.lead(best, i, 1 - SIGNIFICANT / len(others))).low <= 0
    ]
    return f"{names[best]} leads; not shown to be behind: {', '.join(close) or 'nobody'}"


def findings(
    calls: pd.DataFrame, time: pd.DataFrame, flexible: pd.DataFrame, rounds: Sequence[Round],
    champion: pd.DataFrame,
) -> str:  # fmt: skip
    """Who is the strongest per call and per second, and whether one of ours beats FH-EMCTS.

    calls, time: games of the leagues at equal calls and at equal time
    flexible, champion: the tables of FH-OEP and of the champion
    """
    lines = [
        f"At {points} action points and equal calls {leader(part)}."
        for points, part in calls.groupby("action_points")
    ]
    lines.append(f"At equal time (5 action points) {leader(time)}.")
    scores = "; ".join(
        f"against {row['second']} {estimate_of(row)}, p = {row['p Holm']:.2g}"
        for row in champion.to_dict("records")
    )
    lines += [
        f"{champion['first'].iloc[0]}, the best of {len(CONTENDERS)} configurations on starts of "
        f"their own, on fresh starts: {scores} (signed-rank, Holm-corrected).",
        f"About {PRELIMINARY} more configurations had been looked at, on the tuning's starts or on "
        f"positions, when the planners were made; the search took {len(rounds)} rounds.",
        f"OEP with a flexible horizon: {sides(flexible)}",
    ]
    return "\n".join(f"- {line}" for line in lines)
