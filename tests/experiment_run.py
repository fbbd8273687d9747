"""A small experiment, to be run in a process of its own and interrupted: folder, games, calls."""

import signal
import sys

from heroacademy.agents.base import Budget
from heroacademy.agents.registry import make_agent
from heroacademy.config import GameConfig
from heroacademy.experiments.designs import paired_games
from heroacademy.experiments.runner import obtain
from heroacademy.experiments.specs import GameSpec

TURNS = 6


def tiny_games(games=4, calls=100, agents=("greedy-action", "random"), turns=TURNS, points=5):
    """Games of one pair of agents, by name or as they are, that take a few turns."""
    pair = tuple(make_agent(agent) if isinstance(agent, str) else agent for agent in agents)
    config = GameConfig(action_points=points, turn_limit=turns)
    return paired_games(config, [pair], Budget(fm_calls=calls), games)


def slow_games(games: int, calls: int) -> list[GameSpec]:
    return tiny_games(games, calls, ("oep", "greedy-oep"))


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores Ctrl-C
    obtain(slow_games(int(sys.argv[2]), int(sys.argv[3])), sys.argv[1], progress=False)
