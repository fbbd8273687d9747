"""How the scores of pairs move with the budget."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from heroacademy.analysis.matches import estimate_of, scores_over, show_points
from heroacademy.experiments.results import budgets_of
from heroacademy.statistics import LEVEL, confidence, trend


def over_budgets(games: pd.DataFrame, pairs: Iterable[tuple[str, str]], unit: str) -> pd.DataFrame:
    """Scores of pairs at each budget, which is a column named by its unit."""
    games = games.assign(**{unit: budgets_of(games)})
    labelled = {f"{first} against {second}": (first, second) for first, second in pairs}
    return scores_over(games, unit, sorted(games[unit].unique()), lambda budget: labelled)


def budget_findings(moved: pd.DataFrame, unit: str) -> list[str]:
    """For each pair the scores at the smallest and the largest budget, and the trend between."""
    pairs = moved.sort_values(unit).groupby("pair", sort=False)
    lines = []
    for pair, part in pairs:
        first, last = part.iloc[0], part.iloc[-1]
        lines.append(
            f"{pair}: {estimate_of(first)} at {first[unit]:,}, {estimate_of(last)} at "
            f"{last[unit]:,} {unit}; {_trend(part, unit, len(pairs))}."
        )
    return lines


def _trend(part: pd.DataFrame, unit: str, pairs: int) -> str:
    """How much a score rises or falls with the budget; an interval widened for pairs decides."""
    shares = [estimate_of(row) for row in part.to_dict("records")]
    plain, wide = (
        trend(np.log10(part[unit]), shares, level) for level in (1 - LEVEL, confidence(pairs))
    )
    if plain is None:
        return "one budget shows no trend"
    found = "significant" if wide.low > 0 or wide.high < 0 else "not significant"
    return (
        f"{show_points(plain)} points for each tenfold budget, {found} after correction for "
        f"{pairs} pairs"
    )
