"""The best horizon of FH-EMCTS for each number of action points, found by successive halving.

Horizons are chosen on one set of starts and the chosen one is then measured on another, so that
its win rate is not flattered by having been the best of many.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from heroacademy.experiments.adaptive import Play
from heroacademy.experiments.designs import REPORT, by_start, horizon_agent, horizon_games
from heroacademy.experiments.profiles import Size
from heroacademy.experiments.results import head_to_head
from heroacademy.experiments.runner import frame, stored
from heroacademy.experiments.specs import GameSpec
from heroacademy.experiments.tuning import Asked, Round, best_arm, halve_together


def horizons_of(size: Size, points: int) -> range:
    """The horizons that are tried: from the turn itself to `size.longest` actions beyond it."""
    return range(points, points + size.longest + 1)


def tune_horizons(size: Size, play: Play) -> dict[int, list[Round]]:
    """The rounds of successive halving for each number of action points.

    At the end also `winners_games` are played.
    """
    rounds = _tune(size, play)
    play(winners_games(size, rounds))
    return rounds


def best_horizons(rounds: Mapping[int, Sequence[Round]]) -> dict[int, int]:
    """The winner of the tuning for each number of action points."""
    return {points: best_arm(of_points) for points, of_points in rounds.items()}


def tuning_games(size: Size, rounds: Mapping[int, Sequence[Round]]) -> list[GameSpec]:
    """All games of the rounds; a later round's include those of the earlier ones."""
    return by_start(
        dict.fromkeys(
            game
            for points, of_points in rounds.items()
            for one in of_points
            for game in horizon_games(size, points, one.arms, one.games)
        )
    )


def winners_games(size: Size, rounds: Mapping[int, Sequence[Round]]) -> list[GameSpec]:
    """Games of the best horizon for each number of action points, on the published starts."""
    return by_start(
        game
        for points, horizon in best_horizons(rounds).items()
        for game in horizon_games(size, points, [horizon], size.games, REPORT)
    )


def stored_winners(
    size: Size, folder: str | Path
) -> tuple[dict[int, int], pd.DataFrame, pd.DataFrame]:
    """Best horizons, their stored games on the published starts, those of the tuning.

    Nothing is played. Unless every game of the tuning is stored there is no best horizon.
    """
    complete = True

    def look_up(games: list[GameSpec]) -> pd.DataFrame:
        nonlocal complete
        table = stored(games, folder)
        complete = complete and len(table) == len(games)
        return table

    rounds = _tune(size, look_up)
    if not complete:
        return {}, frame([]), frame([])
    winners, tuned = (
        stored(games(size, rounds), folder) for games in (winners_games, tuning_games)
    )
    return best_horizons(rounds), winners, tuned


def _tune(size: Size, play: Play) -> dict[int, list[Round]]:
    """Successive halving for all numbers of action points at once."""

    def rates(asked: Mapping[int, Asked]) -> dict[int, dict[int, float]]:
        table = play(
            by_start(
                game
                for points, (horizons, games) in asked.items()
                for game in horizon_games(size, points, horizons, games)
            )
        )
        return {
            points: {h: _points(table, points, h) / games for h in horizons}
            for points, (horizons, games) in asked.items()
        }

    arms = {points: horizons_of(size, points) for points in size.action_points}
    return halve_together(arms, size.first_games, size.games, rates)


def _points(table: pd.DataFrame, points: int, horizon: int) -> float:
    own = table[table["action_points"] == points]
    return head_to_head(own, horizon_agent(horizon), "emcts")["result"].sum()
