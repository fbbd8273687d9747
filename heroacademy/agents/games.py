"""Games between two agents."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import is_dataclass, replace
from typing import Any

import numpy as np

from heroacademy.action import Action
from heroacademy.agents.base import Agent, Budget, Plan
from heroacademy.agents.options import options_of
from heroacademy.agents.records import GameRecord
from heroacademy.config import GameConfig
from heroacademy.engine.bits import mix
from heroacademy.errors import IllegalAction
from heroacademy.state import PLAYERS, State, new_game


def describe(agent: Any) -> dict[str, Any]:
    """Name and options of an agent, its class's name for agents of one's own."""
    name = getattr(agent, "name", type(agent).__name__)
    return {"name": name, "options": options_of(agent) if is_dataclass(agent) else {}}


def turn_seed(seed: int, turn: int) -> int:
    """Seed of the search in one turn of a game."""
    return int(mix(np.int64(seed ^ (turn << 32)))) >> 1


def play(
    config: GameConfig,
    agents: dict[int, Agent],
    budget: Budget | dict[int, Budget],
    seed: int = 0,
) -> GameRecord:
    """Play a game to its end; the same arguments give the same game, if budgets count calls."""
    record = None
    for _, _, record in play_turns(config, agents, budget, seed):  # noqa: B007
        pass
    return record


def play_turns(
    config: GameConfig,
    agents: dict[int, Agent],
    budget: Budget | dict[int, Budget],
    seed: int = 0,
) -> Iterator[tuple[Plan, State, GameRecord | None]]:
    """Play a game turn by turn: each turn's plan, the state after it, at the end the record.

    An agent with a method `for_game` is asked for an object that plays this one game.
    """
    budgets = budget if isinstance(budget, Mapping) else dict.fromkeys(PLAYERS, budget)
    _check_sides(agents, budgets)
    players = {p: a.for_game() if hasattr(a, "for_game") else a for p, a in agents.items()}
    names = {p: describe(a)["name"] for p, a in agents.items()}
    state = new_game(config, seed)
    actions: list[Action] = []
    stats: list[dict[str, Any]] = []
    while not state.is_terminal:
        player, turn = state.player, state.turn
        answer = players[player].plan(state, budgets[player], turn_seed(seed, turn))
        plan = _as_plan(answer, names[player])
        state = _apply_turn(state, plan, names[player])
        actions += plan.actions
        value = None if math.isnan(plan.value) else plan.value  # JSON knows no NaN
        kept = {key: number for key, number in plan.stats.items() if key != "curve"}
        stats.append({"turn": turn, "player": player, "value": value} | kept)
        record = None
        if state.is_terminal:
            specs = {p: describe(agents[p]) for p in PLAYERS}
            record = GameRecord(
                config, specs, dict(budgets), seed, state.winner, state.turn, actions, stats
            )
        yield plan, state, record


def _check_sides(agents: Any, budgets: Mapping[int, Any]) -> None:
    """Raise a ValueError unless both players have an agent and a budget."""
    for what, sides in (("agents", agents), ("budgets", budgets)):
        if not isinstance(sides, Mapping) or set(sides) != set(PLAYERS):
            raise ValueError(
                f"{what} are {sides!r}: give one to each player, as in {{1: .., 2: ..}}"
            )
    for player in PLAYERS:
        agent = agents[player]
        if isinstance(agent, type) or not callable(getattr(agent, "plan", None)):
            raise ValueError(
                f"player {player} is {agent!r}, which is no agent: use make_agent or an object "
                "with plan(state, budget, seed)"
            )
        if not isinstance(budgets[player], Budget):
            raise ValueError(
                f"the budget of player {player} is {budgets[player]!r}: "
                "use a Budget, as in Budget(fm_calls=50_000)"
            )


def _as_plan(answer: Plan | Iterable[Action], name: str) -> Plan:
    """Agents of one's own may return just the actions."""
    if isinstance(answer, Plan):
        return answer if answer.value is not None else replace(answer, value=math.nan)
    if not isinstance(answer, Iterable) or isinstance(answer, str):
        raise ValueError(f"{name}.plan returned {answer!r}: return a Plan or the turn's actions")
    return Plan(list(answer), math.nan)


def _apply_turn(state: State, plan: Plan, name: str) -> State:
    player = state.player
    for i, action in enumerate(plan.actions, 1):
        if state.is_terminal or state.player != player:
            raise IllegalAction(f"{name} plans {action} as action {i}, after the end of its turn")
        try:
            state = state.apply(action)
        except IllegalAction as error:
            raise IllegalAction(f"action {i} that {name} plans: {error}") from error
    if not state.is_terminal and state.player == player:
        raise IllegalAction(
            f"{name} plans a turn of {len(plan.actions)} actions that does not end it: the last "
            f"action has to be E, and {state.action_points} action points are left"
        )
    return state
