"""What an agent is, what it is given and what it gives back.

An agent is anything with a method `plan(state, budget, seed)` that returns a `Plan`, or simply
the actions of a turn. The agents of this package are frozen dataclasses whose fields are their
options.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Protocol

import numpy as np

from heroacademy.action import Action
from heroacademy.engine import evaluation
from heroacademy.engine.layout import MAX_ACTIONS
from heroacademy.errors import one_of
from heroacademy.search.common import complete_turn
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
            if value is not None and not value >= 0:
                raise ValueError(f"{name} is {value!r}: use 0 or more")


@dataclass(frozen=True)
class Plan:
    """A whole turn, the end of turn included, with its value and how it was found."""

    actions: list[Action]
    value: float
    stats: dict[str, Any] = field(default_factory=dict)


class Agent(Protocol):
    def plan(self, state: State, budget: Budget, seed: int = 0) -> Plan: ...


def option(default: Any, text: str) -> Any:
    """A dataclass field that is an agent's option, with its documentation."""
    return field(default=default, metadata={"text": text})


def options_of(agent: Any) -> dict[str, Any]:
    """All options of an agent with their values."""
    return {f.name: getattr(agent, f.name) for f in fields(agent)}


def weights_of(preset: str) -> np.ndarray:
    return evaluation.weights_array(one_of("evaluation preset", preset, evaluation.PRESETS))


def completed_plan(
    state: State, codes: np.ndarray, n: int, preset: str, stats: dict[str, Any]
) -> Plan:
    """The plan whose first `n` actions are given, completed to the end of the turn."""
    buffer = np.zeros(max(MAX_ACTIONS, n), np.int64)
    buffer[:n] = codes[:n]
    words = state.array
    length = complete_turn(state.config.game, words, buffer, n)
    value = evaluate(State(state.config, words), state.player, preset)
    return Plan([Action.of_code(code) for code in buffer[:length].tolist()], value, stats)
