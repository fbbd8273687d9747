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
    """The trend of each pair's score between the smallest and the largest budget."""
    pairs = moved.sort_values(unit).groupby("pair", sort=False)
    trends = [f"{pair} {_trend(part, unit, len(pairs))}" for pair, part in pairs]
    least, most = moved[unit].min(), moved[unit].max()
    return [
        f"Points that scores move for each tenfold budget, {least:,} to {most:,} {unit}, tests "
        f"corrected for {len(pairs)} pairs: {'; '.join(trends)}."
    ]


def _trend(part: pd.DataFrame, unit: str, pairs: int) -> str:
    """How much a score rises or falls with the budget; an interval widened for pairs decides."""
    shares = [estimate_of(row) for row in part.to_dict("records")]
    plain, wide = (
        trend(np.log10(part[unit]), shares, level) for level in (1 - LEVEL, confidence(pairs))
    )
    if plain is None:
        return "unknown from one budget"
    found = "significant" if wide.low > 0 or wide.high < 0 else "no trend shown"
    return f"{show_points(plain)} ({found})"
