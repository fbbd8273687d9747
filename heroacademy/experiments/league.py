"""All agents of the repository against each other, and the search for the strongest of ours.

The strongest configuration is chosen on starts of its own, by successive halving against a panel
of the papers' best agents, and measured on starts that nothing else has used.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from heroacademy.agents.base import Agent, Budget
from heroacademy.agents.horizon import length_of_plan
from heroacademy.agents.mcts import ENHANCEMENTS
from heroacademy.agents.registry import agent_names, make_agent
from heroacademy.config import GameConfig
from heroacademy.experiments.adaptive import Play
from heroacademy.experiments.designs import (
    CONFIRM,
    NONE_CHANGED,
    TUNE,
    Options,
    Pair,
    agent_of,
    both_ways,
    horizon_agent,
    over_points,
    paired_games,
)
from heroacademy.experiments.enhancements import EIGHT
from heroacademy.experiments.profiles import Size, speeds
from heroacademy.experiments.results import head_to_head
from heroacademy.experiments.specs import GameSpec, Player
from heroacademy.experiments.tuning import Round, best_arm, successive_halving
from heroacademy.state import new_game

# Trials that led to the new planners' defaults and are not stored: 9 configurations in about 500
# games from the tuning's starts, 45 by the value of the plans that they found in positions.
PRELIMINARY = 54
PANEL = ("fh-emcts", "nonexploring-mcts")  # the papers' strongest agents in the league

# The horizon of FH-EMCTS that was best with 5 action points in notebook 03; the paper's is 10.
TUNED_HORIZON = 7

# FH-OEP without what it has beside the look at the reply, and so with the horizons of FH-EMCTS.
# With 5 action points both plans are 10 actions long.
BARE = {"cut": False, "diversity": "none"}
PAPERS_HORIZON = BARE | {"horizon": "paper"}
HALVING = ENHANCEMENTS["sequential halving"]
ALL_EIGHT = {key: value for name in EIGHT for key, value in ENHANCEMENTS[name].items()}

# What is tried as champion: agents and the options in which they differ from the registered ones.
CONTENDERS: dict[str, tuple[str, dict[str, Any]]] = {
    "ntboe": ("ntboe", {}),
    "ntboe, model of 5": ("ntboe", {"best_of": 5}),
    "ntboe, mutation 0.1": ("ntboe", {"mutation": 0.1}),
    "ntboe, 30 neighbours": ("ntboe", {"neighbours": 30}),
    "ntboe, exploration 0.03": ("ntboe", {"exploration": 0.03}),
    "ntboe, always moving": ("ntboe", {"always_move": True}),
    "ntboe, without the reply": ("ntboe", {"horizon": None}),
    "ntboe, without the model": ("ntboe", {"neighbours": 1}),
    "fh-oep": ("fh-oep", {}),
    "fh-oep, model of 5": ("fh-oep", {"best_of": 5}),
    "fh-oep, niches": ("fh-oep", {"diversity": "niches"}),
    "fh-oep, without cut and tabu": ("fh-oep", PAPERS_HORIZON),
    "co-oep": ("co-oep", {}),
    "oep, tabu": ("oep", {"diversity": "tabu"}),
    "oep, population 1000": ("oep", {"population": 1000}),
    "nonexploring-mcts, mixmax": ("nonexploring-mcts", {"mixmax": 0.25}),
    "nonexploring-mcts, tree reuse": ("nonexploring-mcts", {"tree_reuse": 0.6}),
    "nonexploring-mcts, unpruning": ("nonexploring-mcts", {"unpruning": 5}),
    "nonexploring-mcts, sequential halving": ("nonexploring-mcts", HALVING),
    "nonexploring-mcts, all eight": ("nonexploring-mcts", ALL_EIGHT),
    "bb-mcts, sequential halving": ("bb-mcts", HALVING),
}

# What switches an agent's ideas off, one at a time: which of them make it strong?
WITHOUT: dict[str, dict[str, dict[str, Any]]] = {
    "ntboe": {"the model": {"neighbours": 1}, "the reply": {"horizon": None}},
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


def champion_rivals(label: str) -> dict[str, Agent]:
    """Whom the champion meets: the panel, FH-EMCTS tuned here, itself without one of its ideas."""
    name, options = CONTENDERS[label]
    rivals = {rival: make_agent(rival) for rival in PANEL}
    rivals[f"fh-emcts, h = {TUNED_HORIZON}"] = horizon_agent(TUNED_HORIZON)
    return rivals | {
        f"itself without {idea}": make_agent(name, **options | change)
        for idea, change in WITHOUT.get(name, {}).items()
    }


def champion_games(size: Size, label: str) -> list[GameSpec]:
    """The champion against its rivals on starts that nothing else has used."""
    pairs = [(contender(label), rival) for rival in champion_rivals(label).values()]
    return paired_games(GameConfig(), pairs, size.budget, size.report_games, CONFIRM)


# --- the flexible horizon for OEP -----------------------------------------------------------


def fh_oep_pairs(points: int) -> dict[str, Pair]:
    """Is OEP with a flexible horizon still weaker than EMCTS with one, and which horizon is best?

    The paper's horizon meets the reply with all else equal, unless their plans are equally long.
    """
    flexible, rival = make_agent("fh-oep", **PAPERS_HORIZON), make_agent("fh-emcts")
    pairs = {
        "fh-oep, paper's horizon, against fh-emcts": (flexible, rival),
        "fh-oep against fh-emcts": (make_agent("fh-oep"), rival),
    }
    reply = make_agent("fh-oep", **BARE)
    if plan_length(flexible, points) != plan_length(reply, points):
        pairs["fh-oep, paper's horizon, against the reply, both without cut and tabu"] = (
            flexible,
            reply,
        )
    return pairs


def plan_length(agent: Agent, points: int) -> int:
    """Actions in a plan of an agent with a horizon, in a full turn."""
    state = new_game(GameConfig(action_points=points, first_turn_points=points))
    return length_of_plan(agent.horizon, state)


def fh_oep(size: Size) -> list[GameSpec]:
    return over_points(size, lambda points: fh_oep_pairs(points).values())


# --- the league -----------------------------------------------------------------------------


def league(size: Size, options: Options = NONE_CHANGED) -> list[GameSpec]:
    """Every pair of registered agents at equal calls, for each number of action points."""
    pairs = list(combinations([agent_of(name, options) for name in agent_names()], 2))
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
