"""Agents by name: the papers' players as classes and their settings."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, NamedTuple

from heroacademy.agents.base import Agent
from heroacademy.agents.co_oep import CoOEP
from heroacademy.agents.emcts import EMCTS
from heroacademy.agents.mcts import MCTS
from heroacademy.agents.ntboe import NTBOE
from heroacademy.agents.oep import OEP
from heroacademy.agents.simple import GreedyAction, GreedyTurn, RandomAgent
from heroacademy.errors import one_of


class Registered(NamedTuple):
    """An agent by name: what it is, its class, and where it differs from the class's defaults."""

    summary: str
    kind: type
    settings: dict[str, Any] = {}  # noqa: RUF012 - never changed


AGENTS: dict[str, Registered] = {
    "random": Registered("random legal actions", RandomAgent),
    "greedy-action": Registered(
        "one action after the other, each with the best evaluation right after it", GreedyAction
    ),
    "greedy-turn": Registered("all turns, depth first, best-rated actions first", GreedyTurn),
    "vanilla-mcts": Registered("Monte-Carlo tree search, one action a ply", MCTS),
    "nonexploring-mcts": Registered(
        "MCTS without an exploration term, with greedy rollouts",
        MCTS,
        {"exploration": 0.0, "epsilon": 1.0},
    ),
    "bb-mcts": Registered(
        "MCTS with bridge burning: one action after the other is settled",
        MCTS,
        {"bridge_burning": True},
    ),
    "oep": Registered("Online Evolutionary Planning: a population of turns evolves", OEP),
    "greedy-oep": Registered(
        "OEP with Greedy Action in the first population and in repairs",
        OEP,
        {"greedy_starts": 0.2, "repair": "greedy"},
    ),
    "emcts": Registered("Evolutionary MCTS: a tree over changes of a whole turn", EMCTS),
    "fh-emcts": Registered(
        "Evolutionary MCTS with a flexible horizon and faster models",
        EMCTS,
        {"horizon": "paper", "best_of": 10, "lazy": True},
    ),
    "fh-oep": Registered(
        "OEP that values a turn after the opponent's reply",
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
    "co-oep": Registered(
        "OEP whose turns and the opponent's replies evolve against each other",
        CoOEP,
        {
            "model": "greedy",
            "mutation": 1.0,
            "greedy_starts": 0.01,
            "repair": "greedy",
            "best_of": 10,
        },
    ),
    "ntboe": Registered(
        "N-Tuple Bandit Online Evolution, with a look at the opponent's reply",
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


def summary_of(name: str) -> str:
    """What an agent is, in a line.

    >>> summary_of("random")
    'random legal actions'
    """
    return AGENTS[one_of("agent", name, AGENTS)].summary


def make_agent(name: str, **options: Any) -> Agent:
    """An agent by name, with options that differ from its own.

    >>> make_agent("oep", population=200).population
    200
    >>> make_agent("oep", size=200)
    Traceback (most recent call last):
    ValueError: unknown option of oep 'size': use one of population, survival, mutation, \
greedy_starts, repair, best_of, rollouts, horizon, cut, diversity, count_outcomes, preset
    """
    _, kind, settings = AGENTS[one_of("agent", name, AGENTS)]
    for option in options:
        one_of(f"option of {name}", option, [f.name for f in fields(kind)])
    agent = kind(**settings | options)
    object.__setattr__(agent, "name", name)  # frozen dataclasses are otherwise unchanged
    return agent


def describe_agent(name: str) -> str:
    """What an agent is, and its options with their values; * marks those that make it this agent.

    >>> print(describe_agent("bb-mcts").splitlines()[0])
    bb-mcts: MCTS with bridge burning: one action after the other is settled
    """
    summary, kind, settings = AGENTS[one_of("agent", name, AGENTS)]
    agent = make_agent(name)
    lines = [f"{name}: {summary}", "", kind.__doc__.strip(), ""]
    own_first = sorted(fields(kind), key=lambda f: f.name not in settings)
    lines += [
        f"  {'*' if f.name in settings else ' '} {f.name}={getattr(agent, f.name)!r}: "
        f"{f.metadata['text']}"
        for f in own_first
    ]
    if settings:
        lines += ["", "  * differs from the default of its class"]
    return "\n".join(lines)
