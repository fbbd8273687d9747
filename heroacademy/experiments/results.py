"""From games to scores: arrays of results per game and per start, for the statistics."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from heroacademy.agents.base import Agent
from heroacademy.agents.games import describe
from heroacademy.experiments.specs import Player

WIN, HALF, LOSS = 1.0, 0.5, 0.0


def points_of(games: pd.DataFrame, player: int) -> np.ndarray:
    """Result of each game for player 1 or 2: 1, 0.5 or 0."""
    winner = games["winner"].to_numpy()
    return np.where(winner == 0, HALF, np.where(winner == player, WIN, LOSS))


def _plays(games: pd.DataFrame, agent: Agent | str, player: int) -> np.ndarray:
    """Where an agent, by name or with exactly its options, is a player."""
    if isinstance(agent, str):
        return (games[f"agent{player}"] == agent).to_numpy()
    spec = describe(agent)
    options = {o: _changed(spec["name"], o) for o in games[f"options{player}"].unique()}
    wanted = _changed(spec["name"], json.dumps(spec["options"]))
    same_name = games[f"agent{player}"] == spec["name"]
    return (same_name & (games[f"options{player}"].map(options) == wanted)).to_numpy()


def _changed(name: str, options: str) -> str | None:
    try:
        return Player(name, options, 0, None).changed_options
    except KeyError:  # options of another agent
        return None


def between(games: pd.DataFrame, first: Agent | str, second: Agent | str) -> pd.DataFrame:
    """The games that two agents played, whoever was player 1."""
    masks = [_plays(games, first, i) & _plays(games, second, 3 - i) for i in (1, 2)]
    return games[masks[0] | masks[1]]


def head_to_head(games: pd.DataFrame, first: Agent | str, second: Agent | str) -> pd.DataFrame:
    """Games between two agents: `start`, `as_player` and `result` for the first of them."""
    return _as_match(
        {
            player: games[_plays(games, first, player) & _plays(games, second, 3 - player)]
            for player in (1, 2)
        }
    )


def smaller_budget(games: pd.DataFrame) -> pd.DataFrame:
    """Games as `head_to_head` for the side with the smaller budget; equal sides are left out."""
    first, second = (games[f"fm_calls{i}"].fillna(games[f"seconds{i}"]) for i in (1, 2))
    return _as_match({1: games[first < second], 2: games[second < first]})


def _as_match(games_as: Mapping[int, pd.DataFrame]) -> pd.DataFrame:
    """The games that an agent played as player 1 and as player 2 in one table."""
    parts = [
        pd.DataFrame(
            {
                "start": own["start"].to_numpy(),
                "as_player": player,
                "result": points_of(own, player),
            }
        )
        for player, own in games_as.items()
    ]
    return pd.concat(parts, ignore_index=True).sort_values(["start", "as_player"], kind="stable")


def points_by_start(games: pd.DataFrame, names: Sequence[str]) -> np.ndarray:
    """[starts, n, n] points of the row's agent against the column's, draws half."""
    start, place = games["start"].factorize()[0], {name: i for i, name in enumerate(names)}
    first, second = (games[f"agent{player}"].map(place).to_numpy(int) for player in (1, 2))
    points = np.zeros((max(1, games["start"].nunique()), len(names), len(names)))
    np.add.at(points, (start, first, second), points_of(games, 1))
    np.add.at(points, (start, second, first), points_of(games, 2))
    return points
