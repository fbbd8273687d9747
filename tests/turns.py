"""Positions and turns that several tests of agents use."""

from drawn import position

import heroacademy as ha
from heroacademy import bench

SEARCHERS = [name for name in ha.agent_names() if name != "random"]
POSITIONS = bench.positions()


def with_points(state: ha.State, points: int) -> ha.State:
    """The same position with so many action points left."""
    return ha.State.from_dict(state.to_dict() | {"ap": points}, state.config)


def turn_end(state: ha.State, actions) -> ha.State:
    for action in actions:
        state = state.apply(action)
    return state


def options(name: str) -> dict:
    agent = ha.make_agent(name)
    return {field: getattr(agent, field) for field in agent.__dataclass_fields__}


WIN_IN_ONE = position(
    """
    .  1A . . . . . .
    1X . . 2X""",
    at={(3, 1): {"hp": 250}},
    crystals=False,
)
