"""Pairs of Table II under other choices: do they explain differences from the paper?

Every choice plays the same starts, so scores are compared start by start with those under the
choices of the table.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pandas as pd

from heroacademy import paper
from heroacademy.analysis.characteristics import mean_and_half_width
from heroacademy.analysis.matches import estimate_of, score_columns, share_of, with_holm
from heroacademy.analysis.printed import percent
from heroacademy.experiments.designs import AS_IN_THE_TABLE
from heroacademy.experiments.results import (
    between,
    budgets_of,
    differences_by_start,
    head_to_head,
)
from heroacademy.statistics import LEVEL, signed_rank_test


def variation_table(
    games: Mapping[str, pd.DataFrame], pairs: Iterable[tuple[str, str]], unit: str
) -> pd.DataFrame:
    """Scores of pairs at each of their budgets under each choice, given the choices' games.

    `difference` is what a choice adds to the score under the choices of the table, in points,
    with half its 95 % interval; Holm's correction is over all differences.
    """
    rows = [
        {"first": first, "second": second, unit: budget} | row
        for first, second in pairs
        for budget, matches in _by_budget(games, first, second)
        for row in _rows(matches, percent(paper.table2_readings(first, second)))
    ]
    return with_holm(pd.DataFrame(rows))


def _by_budget(
    games: Mapping[str, pd.DataFrame], first: str, second: str
) -> Iterator[tuple[float, dict[str, pd.DataFrame]]]:
    """For each budget of a pair its match under each choice."""
    own = {choice: between(part, first, second) for choice, part in games.items()}
    for budget in sorted(budgets_of(own[AS_IN_THE_TABLE]).unique()):
        yield (
            budget,
            {
                choice: head_to_head(part[budgets_of(part) == budget], first, second)
                for choice, part in own.items()
            },
        )


def _rows(matches: Mapping[str, pd.DataFrame], printed: str) -> Iterator[dict[str, Any]]:
    """The match under each choice beside the one under the choices of the table."""
    for choice, match in matches.items():
        differences = 100 * differences_by_start(match, matches[AS_IN_THE_TABLE])
        row = {"choice": choice} | score_columns(share_of(match))
        row |= {"paper %": printed, "starts": len(differences)}
        if choice != AS_IN_THE_TABLE:
            mean, half = mean_and_half_width(differences)
            row |= {"difference": mean, "±": half, "p signed-rank": signed_rank_test(differences)}
        yield row


def variation_findings(table: pd.DataFrame, unit: str) -> list[str]:
    """Which choices move a pair's score significantly, and whether closer to the paper's."""
    moved = (table["p Holm"] < LEVEL).sum()
    lines, others = [], []
    for (first, second, budget), part in table.groupby(["first", "second", unit], sort=False):
        usual = part[part["choice"] == AS_IN_THE_TABLE].iloc[0]
        pair = f"{first} against {second} at {budget:,} {unit}"
        shown = [_moved(row, usual) for row in part[part["p Holm"] < LEVEL].to_dict("records")]
        if shown:
            lines.append(
                f"{pair}, {estimate_of(usual)} as in the table and {usual['paper %']} % in the "
                f"paper: significantly moved by {'; '.join(shown)}."
            )
        else:
            width = part["±"].max()
            known = "no interval" if math.isnan(width) else f"±{width:.0f} points"
            others.append(f"{pair} ({known})")
    first = (
        f"Other choices: {moved} of {table['p Holm'].count()} differences from the scores "
        "as in the table are significant (signed-rank test over starts, Holm-corrected)"
    )
    if others:
        first += f"; no choice is shown to move {', '.join(others)}"
    return [f"{first}.", *lines]


def _moved(row: Mapping[str, Any], usual: Mapping[str, Any]) -> str:
    before, after = (_distance(some) for some in (usual, row))
    where = "closer to" if after < before else "further from" if after > before else "as far from"
    return (
        f"{row['choice']}, by {row['difference']:+.1f} ± {row['±']:.1f} points to "
        f"{estimate_of(row)}, {where} the paper's number (p = {row['p Holm']:.2g})"
    )


def _distance(row: Mapping[str, Any]) -> float:
    """From a score to the nearest reading of the paper's number, in points."""
    readings = paper.table2_readings(row["first"], row["second"])
    return min(abs(row["win %"] - 100 * reading) for reading in readings)
