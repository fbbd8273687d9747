"""What an agent is, what it is given and what it gives back.

An agent is anything with a method `plan(state, budget, seed)` that returns a `Plan`, or simply
the actions of a turn. The agents of this package are frozen dataclasses whose fields are their
options; their `version` is raised whenever a change alters what they play with these options.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from heroacademy.action import Action
from heroacademy.agents.options import FLAG, Choice, Number, Whole, check, option
from heroacademy.engine.evaluation import PRESETS
from heroacademy.engine.layout import MAX_ACTIONS
from heroacademy.search.common import ALL_RATED, complete_turn, new_scratch
from heroacademy.state import State, evaluate


@dataclass(frozen=True)
class Budget:
    """How much an agent may search for one turn.

    fm_calls: forward-model calls, that is actions applied to a state anywhere in the search;
        the same state, agent, budget and seed give the same plan on every machine
    seconds: the papers' way; results then depend on the machine
    Given both, whichever is used up first ends the search.
    """

    fm_calls: int | None = None
    seconds: float | None = None

    def __post_init__(self):
        if self.fm_calls is None and self.seconds is None:
            raise ValueError("a budget needs fm_calls or seconds, as in Budget(fm_calls=50_000)")
        for name in ("fm_calls", "seconds"):
            value = getattr(self, name)
            if value is not None:
                check(name, value, Number(0))


@dataclass(frozen=True)
class Plan:
    """A whole turn, the end of turn included, with its value and how it was found."""

    actions: list[Action]
    value: float
    stats: dict[str, Any] = field(default_factory=dict)


class Agent(Protocol):
    def plan(self, state: State, budget: Budget, seed: int = 0) -> Plan: ...


# --- options that several agents have -------------------------------------------------------


def preset_option() -> Any:
    return option("aicademy", Choice(tuple(PRESETS)), "evaluation, 'aicademy' or 'paper'")


def best_of_option() -> Any:
    text = "best-rated actions that Greedy Action looks at; 0 is all"
    return option(ALL_RATED, Whole(ALL_RATED, MAX_ACTIONS), text)


def count_outcomes_option() -> Any:
    text = "count the distinct states after the turn; costs time, so only for statistics"
    return option(False, FLAG, text)


# --- the end of a search --------------------------------------------------------------------


def stopped_early(agent: Any, stats: dict[str, Any], limit: str) -> None:
    """Say that a limit has ended a search before its budget did."""
    stats["stopped_by"] = f"{limit}={getattr(agent, limit)}"
    warnings.warn(f"{agent.name} stopped early: {stats['stopped_by']}", stacklevel=5)


def completed_plan(
    state: State, codes: np.ndarray, n: int, preset: str, stats: dict[str, Any]
) -> Plan:
    """The plan whose first `n` actions are given, completed to the end of the turn."""
    buffer = np.zeros(max(MAX_ACTIONS, n), np.int64)
    buffer[:n] = codes[:n]
    words = state.array
    scratch = new_scratch(words, np.zeros(1, np.int64))
    length = complete_turn(state.config.game, words, buffer, n, scratch)
    value = evaluate(State(state.config, words), state.player, preset)
    return Plan([Action.of_code(code) for code in buffer[:length].tolist()], value, stats)
