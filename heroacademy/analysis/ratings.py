"""One rating for all agents that played each other."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from heroacademy.experiments.results import points_by_start
from heroacademy.statistics import bradley_terry


def ratings(games: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Elo ratings by the Bradley-Terry model, best first."""
    found = bradley_terry(points_by_start(games, names))
    table = pd.DataFrame(
        {"agent": names, "Elo": found.value, "low": found.low, "high": found.high,
         "games": found.games.astype(int)}
    )  # fmt: skip
    return table.sort_values("Elo", ascending=False, ignore_index=True)
