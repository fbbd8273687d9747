"""All agents of the repository against each other, and the search for the strongest of ours.

The strongest configuration is chosen on starts of its own, by successive halving against a panel
of the papers' best agents, and measured on the published starts.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from heroacademy.agents.base import Agent, Budget
from heroacademy.agents.registry import agent_names, make_agent
from heroacademy.config import GameConfig
from heroacademy.experiments.adaptive import Play
from heroacademy.experiments.designs import (
    REPORT,
    TUNE,
    both_ways,
    over_points,
    paired_games,
)
from heroacademy.experiments.profiles import Size, speeds
from heroacademy.experiments.results import head_to_head
from heroacademy.experiments.specs import GameSpec, Player
from heroacademy.experiments.tuning import Round, best_arm, successive_halving

# Trials that led to the new planners' defaults and are not stored: 9 configurations in about 500
# games from the tuning's starts, 45 by the value of the plans that they found in positions.
PRELIMINARY = 54
PANEL = ("fh-emcts", "nonexploring-mcts")  # the papers' strongest agents

# What is tried as champion: agents and the options in which they differ from the registered ones.
CONTENDERS: dict[str, tuple[str, dict[str, Any]]] = {
    "ntboe": ("ntboe", {}),
    "ntboe, model of 5": ("ntboe", {"best_of": 5}),
    "ntboe, mutation 0.1": ("ntboe", {"mutation": 0.1}),
    "ntboe, 30 neighbours": ("ntboe", {"neighbours": 30}),
    "ntboe, exploration 0.03": ("ntboe", {"exploration": 0.03}),
    "ntboe, always moving": ("ntboe", {"always_move": True}),
    "ntboe, without the reply": ("ntboe", {"horizon": None}),
    "fh-oep": ("fh-oep", {}),
    "fh-oep, model of 5": ("fh-oep", {"best_of": 5}),
    "fh-oep, niches": ("fh-oep", {"diversity": "niches"}),
    "co-oep": ("co-oep", {}),
    "oep, tabu": ("oep", {"diversity": "tabu"}),
    "oep, population 1000": ("oep", {"population": 1000}),
    "nonexploring-mcts, mixmax": ("nonexploring-mcts", {"mixmax": 0.25}),
    "nonexploring-mcts, tree reuse": ("nonexploring-mcts", {"tree_reuse": 0.6}),
    "nonexploring-mcts, unpruning": ("nonexploring-mcts", {"unpruning": 5}),
}


def contender(label: str) -> Agent:
    name, options = CONTENDERS[label]
    return make_agent(name, **options)


# --- the champion ---------------------------------------------------------------------------


def find_champion(size: Size, play: Play) -> list[Round]:
    """The rounds of successive halving over the contenders; at the end also `champion_games`."""

    def rates(labels: Sequence[str], games: int) -> dict[str, float]:
        pairs = [(contender(label), make_agent(rival)) for label in labels for rival in PANEL]
        table = play(paired_games(GameConfig(), pairs, size.budget, games, TUNE))
        return {label: _points(table, label) / (games * len(PANEL)) for label in labels}

    rounds = successive_halving(list(CONTENDERS), size.first_games, size.games, rates)
    play(champion_games(size, best_arm(rounds)))
    return rounds


def _points(table, label: str) -> float:
    """Points of a contender against all of the panel."""
    return sum(head_to_head(table, contender(label), rival)["result"].sum() for rival in PANEL)


def champion_games(size: Size, label: str) -> list[GameSpec]:
    """The champion against the panel on the published starts."""
    pairs = [(contender(label), make_agent(rival)) for rival in PANEL]
    return paired_games(GameConfig(), pairs, size.budget, size.report_games, REPORT)


# --- the league -----------------------------------------------------------------------------


def league(size: Size) -> list[GameSpec]:
    """Every pair of registered agents at equal calls, for each number of action points."""
    pairs = list(combinations(map(make_agent, agent_names()), 2))
    return over_points(size, lambda points: pairs)


def equal_time(size: Size) -> list[GameSpec]:
    """The agents that search as long as they may, with calls for the same time each.

    Seconds would make games that nobody can repeat, so a time stands for the calls that an
    agent makes in it by the speeds in `speeds.toml`.
    """
    players = [
        Player.of(name, Budget(fm_calls=round(rate * size.budget.seconds)))
        for name, rate in speeds().items()
    ]
    return both_ways(GameConfig(), list(combinations(players, 2)), size.games)
