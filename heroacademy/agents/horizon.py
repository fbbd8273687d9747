"""How far a plan looks: the turn, or a number of actions that goes on beyond it."""

from __future__ import annotations

from typing import Any

from heroacademy.agents.options import Choice, Whole, option
from heroacademy.state import State

# Table 1 of the FH-EMCTS paper: the best genome length for each number of action points.
PAPER_HORIZONS = {
    2: 15, 3: 7, 4: 8, 5: 10, 6: 8, 7: 9, 8: 9, 9: 11, 10: 12, 11: 13, 12: 14, 13: 13, 14: 14,
    15: 15,
}  # fmt: skip

REPLY = "reply"


def horizon_option(*names: str) -> Any:
    """None is the turn; `names` are those of other horizons that the agent allows."""
    text = "actions in a plan; None is the turn, 'paper' the best of the paper's Table 1"
    if REPLY in names:
        text += ", 'reply' the turn and the opponent's reply"
    return option(None, Choice((None, "paper", *names), Whole(1, 1000)), text)


def length_of_turn(state: State) -> int:
    """Actions in what is left of the turn; one if no points are left."""
    return max(state.action_points, 1)


def length_of_plan(horizon: int | str | None, state: State) -> int:
    """Actions in a plan from a state: at least what is left of the turn."""
    points, left = state.config.action_points, length_of_turn(state)
    if horizon is None:
        return left
    if horizon == REPLY:
        return left + points
    if horizon == "paper":
        horizon = PAPER_HORIZONS.get(points, points)
    return max(left, horizon - (points - state.action_points))


def own_places_beyond(length: int, state: State) -> int:
    """How many actions of a plan are own ones after the turn, if all turns are full.

    >>> from heroacademy import GameConfig, new_game
    >>> state = new_game(GameConfig(first_turn_points=5), seed=0)
    >>> [own_places_beyond(length, state) for length in (5, 10, 12, 18, 22)]
    [0, 0, 2, 5, 7]
    """
    points = state.config.action_points
    rounds, rest = divmod(length - length_of_turn(state), 2 * points)
    return rounds * points + max(0, rest - points)
