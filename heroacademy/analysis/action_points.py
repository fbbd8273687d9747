"""What the experiments over numbers of action points show, in sentences."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pandas as pd

from heroacademy.experiments.designs import BOTH
from heroacademy.statistics import LEVEL


def sides(table: pd.DataFrame, left_out: Collection[str] = ()) -> str:
    """Where the scores of each pair differ from 50 % after Holm's correction, in one sentence.

    Pairs that are left out count for the correction all the same.

    >>> scores = {"pair": ["a against b", "a against b", "a against c"], "win %": [70, 20, 55]}
    >>> sides(pd.DataFrame(scores | {"action_points": [5, 10, 5], "p Holm": [0.01, 0.01, 1]}))
    'a against b significantly above 50 % at 5 AP and below 50 % at 10 AP (Holm over 3 scores); no \
significant difference shown: a against c.'
    """
    correction = f"Holm over {len(table)} scores"
    table = table[~table["pair"].isin(left_out)]
    decided = table[table["p Holm"] < LEVEL]
    texts = [
        f"{pair} significantly {_where(decided[decided['pair'] == pair])}"
        for pair in decided["pair"].unique()
    ]
    others = [pair for pair in table["pair"].unique() if pair not in set(decided["pair"])]
    if not texts:
        return f"no significant difference from 50 % shown ({correction})."
    rest = f"; no significant difference shown: {'; '.join(others)}" if others else ""
    return f"{'; '.join(texts)} ({correction}){rest}."


def _where(decided: pd.DataFrame) -> str:
    """At which numbers of action points significant scores are above and below one half."""
    points = {
        "above": decided[decided["win %"] > 50]["action_points"],
        "below": decided[decided["win %"] < 50]["action_points"],
    }
    return " and ".join(
        f"{side} 50 % at {_list(list(numbers))} AP"
        for side, numbers in points.items()
        if len(numbers)
    )


def _list(numbers: Sequence[int]) -> str:
    """
    >>> _list([2]), _list([2, 3, 5])
    ('2', '2, 3 and 5')
    """
    *most, last = map(str, numbers)
    return f"{', '.join(most)} and {last}" if most else last


def _starting(advantage: pd.DataFrame) -> str:
    """How often player 1 wins at each number of action points."""
    scores = [
        f"{row['win %']:.0f} % [{row['low']:.0f}, {row['high']:.0f}] at {row['action_points']:g}"
        for row in advantage.to_dict("records")
    ]
    return f"player 1 wins {', '.join(scores)} AP (all agents' games)"


def findings(
    table: pd.DataFrame,
    by_value: pd.DataFrame,
    full: pd.DataFrame,
    advantage: pd.DataFrame,
    full_advantage: pd.DataFrame,
) -> str:
    """Fig. 5, the same with other choices, and the starting player.

    by_value: what MCTS plays; full: a first turn of all points
    """
    return (
        f"- Fig. 5: {sides(table)}\n"
        f"- With the best mean value played: {sides(by_value)}\n"
        f"- With all points in the first turn: {sides(full)}\n"
        f"- With three points or fewer in the first turn, the rule, {_starting(advantage)}.\n"
        f"- With all points in the first turn {_starting(full_advantage)}."
    )


def fh_findings(parts: pd.DataFrame, baselines: pd.DataFrame, emcts: pd.DataFrame) -> str:
    """Fig. 6, Fig. 7 and EMCTS without a flexible horizon.

    Both parts together against EMCTS are a baseline of Fig. 7, too, and told once.
    """
    return (
        f"- Parts of FH-EMCTS: {sides(parts, left_out=[BOTH])}\n"
        f"- FH-EMCTS: {sides(baselines)}\n"
        f"- EMCTS: {sides(emcts)}"
    )
