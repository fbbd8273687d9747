"""Games between two agents, recorded so that they can be replayed."""

from __future__ import annotations

import json
import math
import pickle
import sys
import warnings
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field, is_dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from tqdm.auto import tqdm

from heroacademy.action import Action
from heroacademy.agents.base import Agent, Budget, Plan
from heroacademy.agents.options import options_of
from heroacademy.config import GameConfig
from heroacademy.engine.bits import mix
from heroacademy.errors import IllegalAction, in_range
from heroacademy.state import PLAYERS, State, new_game


@dataclass(frozen=True)
class GameRecord:
    """A game from its start to its end.

    agents: for each player its name and all options
    turns: the turn counter at the end
    actions: every action, ends of turns included
    stats: for each turn what the search reported, and whose it was
    """

    config: GameConfig
    agents: dict[int, dict[str, Any]]
    budgets: dict[int, Budget]
    seed: int
    winner: int
    turns: int
    actions: list[Action]
    stats: list[dict[str, Any]] = field(default_factory=list)

    def states(self) -> Iterator[State]:
        """All states of the game, from the first to the last, replayed."""
        state = new_game(self.config, self.seed)
        yield state
        for action in self.actions:
            state = state.apply(action)
            yield state

    def to_json(self) -> str:
        """One line of JSON."""
        data = {
            "config": asdict(self.config),
            "agents": self.agents,
            "budgets": {player: asdict(budget) for player, budget in self.budgets.items()},
            "seed": self.seed,
            "winner": self.winner,
            "turns": self.turns,
            "actions": [str(action) for action in self.actions],
            "stats": self.stats,
        }
        return json.dumps(data)

    @staticmethod
    def from_json(line: str) -> GameRecord:
        data = json.loads(line)
        return GameRecord(
            config=GameConfig(**data["config"]),
            agents={int(player): spec for player, spec in data["agents"].items()},
            budgets={int(player): Budget(**spec) for player, spec in data["budgets"].items()},
            seed=data["seed"],
            winner=data["winner"],
            turns=data["turns"],
            actions=[Action.parse(text) for text in data["actions"]],
            stats=data["stats"],
        )


def save_records(records: Iterable[GameRecord], path: str | Path) -> None:
    """Append records to a file of JSON lines."""
    with Path(path).open("a") as file:
        for record in records:
            file.write(record.to_json() + "\n")


def load_records(path: str | Path) -> list[GameRecord]:
    with Path(path).open() as file:
        return [GameRecord.from_json(line) for line in file]


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
    players = {p: a.for_game() if hasattr(a, "for_game") else a for p, a in agents.items()}
    budgets = budget if isinstance(budget, dict) else dict.fromkeys(PLAYERS, budget)
    state = new_game(config, seed)
    actions: list[Action] = []
    stats: list[dict[str, Any]] = []
    while not state.is_terminal:
        player, turn = state.player, state.turn
        plan = _as_plan(players[player].plan(state, budgets[player], turn_seed(seed, turn)))
        state = _apply_turn(state, plan, describe(agents[player])["name"])
        actions += plan.actions
        kept = {name: value for name, value in plan.stats.items() if name != "curve"}
        stats.append({"turn": turn, "player": player, "value": plan.value} | kept)
        record = None
        if state.is_terminal:
            specs = {p: describe(agents[p]) for p in PLAYERS}
            record = GameRecord(
                config, specs, budgets, seed, state.winner, state.turn, actions, stats
            )
        yield plan, state, record


def _as_plan(plan: Plan | Iterable[Action]) -> Plan:
    """Agents of one's own may return just the actions."""
    return plan if isinstance(plan, Plan) else Plan(list(plan), math.nan)


def _apply_turn(state: State, plan: Plan, name: str) -> State:
    player = state.player
    for i, action in enumerate(plan.actions, 1):
        if state.is_terminal or state.player != player:
            raise IllegalAction(f"{name} plans {action} as action {i}, after the end of its turn")
        state = state.apply(action)
    if not state.is_terminal and state.player == player:
        raise IllegalAction(
            f"{name} plans a turn of {len(plan.actions)} actions that does not end it: the last "
            f"action has to be E, and {state.action_points} action points are left"
        )
    return state


@dataclass(frozen=True)
class Score:
    """Result of a match, for the first of two agents; draws count half.

    records: the games in the order of their starts, each start twice
    """

    wins: int
    draws: int
    losses: int
    records: tuple[GameRecord, ...] = field(default=(), repr=False, compare=False)

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float:
        return (self.wins + self.draws / 2) / self.games

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Wilson's interval of the share of wins, draws counted as half a win.

        >>> low, high = Score(wins=5, draws=0, losses=5).interval()
        >>> round(low, 3), round(high, 3)
        (0.237, 0.763)
        """
        from heroacademy.statistics import wilson  # SciPy takes as long to import as all else

        return wilson(self.share, self.games, confidence)

    def __str__(self) -> str:
        low, high = self.interval()
        return (
            f"{100 * self.share:.1f} % [{100 * low:.1f}, {100 * high:.1f}] "
            f"({self.wins} won, {self.draws} drawn, {self.losses} lost)"
        )


def match(
    config: GameConfig,
    first: Agent,
    second: Agent,
    budget: Budget,
    games: int,
    seed: int = 0,
    processes: int | None = None,
    progress: bool = True,
) -> Score:
    """Play pairs of games from the same starts, each agent once as player 1, in parallel.

    Agents whose class is defined in a notebook play one game after the other.
    """
    in_range("games", games, 1, 10**9)
    tasks = [
        (config, {1: first, 2: second} if i % 2 == 0 else {1: second, 2: first}, budget,
         turn_seed(seed, i // 2))
        for i in range(games)
    ]  # fmt: skip
    bar = tqdm(_play_all(tasks, processes), total=games, unit="game", disable=not progress)
    records = dict(bar)
    results = [0, 0, 0]
    for i, record in records.items():
        first_as = 1 if i % 2 == 0 else 2
        results[1 if record.winner == 0 else 0 if record.winner == first_as else 2] += 1
    return Score(*results, records=tuple(records[i] for i in range(games)))


def _play_all(tasks: list[tuple], processes: int | None) -> Iterator[tuple[int, GameRecord]]:
    """Play games, in processes if the agents can be sent there; their numbers and records."""
    if not all(map(_can_be_sent, tasks[0][1].values())):
        yield from ((i, play(*task)) for i, task in enumerate(tasks))
        return
    pool = ProcessPoolExecutor(processes, mp_context=get_context("spawn"))
    try:
        futures = {pool.submit(play, *task): i for i, task in enumerate(tasks)}
        for future in as_completed(futures):
            yield futures[future], future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _can_be_sent(agent: Agent) -> bool:
    """Whether a new process would know the agent's class; says so if not."""
    in_notebook = not hasattr(sys.modules["__main__"], "__file__")
    try:
        known = not (b"__main__" in pickle.dumps(agent) and in_notebook)
    except (pickle.PicklingError, AttributeError, TypeError):
        known = False
    if not known:
        warnings.warn(
            f"{describe(agent)['name']} is not defined in a module, so other processes cannot "
            "play it: the games are played one after the other in this one",
            stacklevel=5,
        )
    return known
