"""Experiments whose later games depend on the results of earlier ones.

Such an experiment is a function of a size and of `play`, which turns games into a table of
their results. It is run with `playing`, and looked at without playing with `games_to_come`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd

from heroacademy.experiments.profiles import Size
from heroacademy.experiments.runner import frame, missing_of, obtain
from heroacademy.experiments.specs import GameSpec
from heroacademy.experiments.store import Store

Play = Callable[[list[GameSpec]], pd.DataFrame]
Experiment = Callable[[Size, Play], Any]


def playing(folder: str | Path, **how: Any) -> Play:
    """Games are asked of `obtain(games, folder, **how)`."""
    return lambda games: obtain(games, folder, **how)


def games_to_come(experiment: Experiment, size: Size, store: Store) -> list[GameSpec]:
    """What an experiment would ask for, stored games included, if nothing is played.

    As long as results are missing, later games are a guess.
    """
    asked: list[GameSpec] = []

    def look_up(games: list[GameSpec]) -> pd.DataFrame:
        asked.extend(games)
        missing = set(missing_of(games, store))
        return frame([store.get(game.key) for game in games if game not in missing])

    experiment(size, look_up)
    return list(dict.fromkeys(asked))
