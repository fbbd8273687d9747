"""The settings of a game."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from heroacademy.engine import tables
from heroacademy.engine.game import build_game
from heroacademy.errors import in_range, one_of

MAX_ACTION_POINTS = 25
MAX_TURN_LIMIT = 1_000_000
DRAWS = ("deterministic", "random")


@dataclass(frozen=True)
class GameConfig:
    """Settings of a game; the defaults are those of the papers.

    map: "a" (9 x 5, the papers' map), "a-small" or "a-tiny"
    deck: "standard" (28 cards), "small" or "tiny"
    action_points: actions in a turn, 1 to 25
    turn_limit: the game is a draw after this many turns, both players' counted
    first_turn_points: action points of the very first turn; None is the rule of the game,
        3 or `action_points` if that is fewer
    draws: "deterministic" (cards follow from the deck's draw seed) or "random"

    >>> GameConfig(action_points=1).first_points
    1
    >>> GameConfig(map="b")
    Traceback (most recent call last):
    ValueError: unknown map 'b': use one of a, a-small, a-tiny
    """

    map: str = "a"
    deck: str = "standard"
    action_points: int = 5
    turn_limit: int = 200
    first_turn_points: int | None = None
    draws: str = "deterministic"

    def __post_init__(self):
        one_of("map", self.map, tables.MAPS)
        one_of("deck", self.deck, tables.DECKS)
        one_of("kind of draws", self.draws, DRAWS)
        limits = {
            "action_points": MAX_ACTION_POINTS,
            "turn_limit": MAX_TURN_LIMIT,
            "first_turn_points": MAX_ACTION_POINTS,
        }
        for name, most in limits.items():
            if (value := getattr(self, name)) is not None or name != "first_turn_points":
                object.__setattr__(self, name, in_range(name, value, 1, most))

    @property
    def first_points(self) -> int:
        """Action points of the game's first turn."""
        if self.first_turn_points is None:
            return min(3, self.action_points)
        return self.first_turn_points

    @property
    def game(self) -> np.ndarray:
        """The array that compiled code reads; see `heroacademy.engine.game`."""
        return _game_array(self)


@cache
def _game_array(config: GameConfig) -> np.ndarray:
    return build_game(
        config.map,
        config.action_points,
        config.turn_limit,
        config.draws == "random",
    )
