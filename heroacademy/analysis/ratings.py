"""One rating for all agents that played each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from heroacademy.experiments.results import points_by_start
from heroacademy.statistics import bradley_terry


def ratings(games: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Elo ratings by the Bradley-Terry model, best first; 0 is the mean of those "in mean".

    These are the agents that won some games and lost some (draws are a bit of both). How far away
    an agent is that lost, or won, every game nobody can know: the model has only its prior to
    tell, and in the mean that agent would move all others and widen their intervals. If there is
    no other kind, all are in the mean.
    """
    points = points_by_start(games, names)
    won, lost = (points.sum(axis=(0, axis)) for axis in (2, 1))
    in_mean = (won > 0) & (lost > 0)
    in_mean |= not in_mean.any()
    found = bradley_terry(points, reference=np.flatnonzero(in_mean))
    table = pd.DataFrame(
        {"agent": names, "Elo": found.value, "low": found.low, "high": found.high,
         "games": found.games.astype(int), "in mean": np.where(in_mean, "yes", "no")}
    )  # fmt: skip
    return table.sort_values("Elo", ascending=False, ignore_index=True)
