"""Agents by name: the papers' players as classes and their settings."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from heroacademy.agents.base import Agent
from heroacademy.agents.co_oep import CoOEP
from heroacademy.agents.emcts import EMCTS
from heroacademy.agents.mcts import MCTS
from heroacademy.agents.ntboe import NTBOE
from heroacademy.agents.oep import OEP
from heroacademy.agents.simple import GreedyAction, GreedyTurn, RandomAgent
from heroacademy.errors import one_of

# name -> class, and the settings in which the named agent differs from the class's defaults
AGENTS: dict[str, tuple[type, dict[str, Any]]] = {
    "random": (RandomAgent, {}),
    "greedy-action": (GreedyAction, {}),
    "greedy-turn": (GreedyTurn, {}),
    "vanilla-mcts": (MCTS, {}),
    "nonexploring-mcts": (MCTS, {"exploration": 0.0, "epsilon": 1.0}),
    "bb-mcts": (MCTS, {"bridge_burning": True}),
    "oep": (OEP, {}),
    "greedy-oep": (OEP, {"greedy_starts": 0.2, "repair": "greedy"}),
    "emcts": (EMCTS, {}),
    "fh-emcts": (EMCTS, {"horizon": "paper", "best_of": 10, "lazy": True}),
    "fh-oep": (
        OEP,
        {
            "population": 50,
            "mutation": 1.0,
            "greedy_starts": 0.02,
            "repair": "greedy",
            "best_of": 10,
            "horizon": "reply",
            "cut": True,
            "diversity": "tabu",
        },
    ),
    "co-oep": (
        CoOEP,
        {
            "model": "greedy",
            "mutation": 1.0,
            "greedy_starts": 0.01,
            "repair": "greedy",
            "best_of": 10,
        },
    ),
    "ntboe": (
        NTBOE,
        {
            "greedy_starts": 0.02,
            "mutation": 0.3,
            "repair": "greedy",
            "best_of": 10,
            "horizon": "reply",
        },
    ),
}


def agent_names() -> list[str]:
    """Names that `make_agent` knows.

    >>> agent_names()[:3]
    ['random', 'greedy-action', 'greedy-turn']
    """
    return list(AGENTS)


def make_agent(name: str, **options: Any) -> Agent:
    """An agent by name, with options that differ from its own.

    >>> make_agent("oep", population=200).population
    200
    >>> make_agent("oep", size=200)
    Traceback (most recent call last):
    ValueError: unknown option of oep 'size': use one of population, survival, mutation, \
greedy_starts, repair, best_of, rollouts, horizon, cut, diversity, count_outcomes, preset
    """
    kind, settings = AGENTS[one_of("agent", name, AGENTS)]
    for option in options:
        one_of(f"option of {name}", option, [f.name for f in fields(kind)])
    agent = kind(**settings | options)
    object.__setattr__(agent, "name", name)  # frozen dataclasses are otherwise unchanged
    return agent


def describe_agent(name: str) -> str:
    """What an agent is, and its options with their values.

    >>> print(describe_agent("greedy-action").splitlines()[0])
    greedy-action: One action after the other, each with the best evaluation right after it.
    """
    kind, _ = AGENTS[one_of("agent", name, AGENTS)]
    agent = make_agent(name)
    lines = [f"{name}: {kind.__doc__.strip()}", ""]
    lines += [
        f"    {f.name}={getattr(agent, f.name)!r}: {f.metadata['text']}" for f in fields(kind)
    ]
    return "\n".join(lines)
