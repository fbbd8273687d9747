"""How long games will take here, from games that were played and their times.

A side's turn takes its calls times its agent's seconds for a call, which are those in stored
games of the same number of action points and of the same budget, as far as there are any; a game
has as many turns as stored games of the same agents, or else of the same number of action points,
had on average. Stored games may be from another machine, so a few searches tell how much slower or
faster this one is.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from functools import cache

import numpy as np
import pandas as pd

from heroacademy.agents.base import Budget
from heroacademy.agents.registry import make_agent
from heroacademy.bench import positions
from heroacademy.experiments.runner import AnySpec, frame
from heroacademy.experiments.specs import Player, Row, SearchSpec

POINTS = 5  # action points of the benchmark's positions
ACTIONS = 240  # of a game, where none is stored; strong agents with 5 action points play so many
MEASURED_CALLS = 100_000  # a search
MEASURED_POSITIONS = 4
LIKE_MEASURED = (MEASURED_CALLS / 2, MEASURED_CALLS * 2)  # budgets of games to compare with
MOSTLY = 0.5  # an agent that uses less of its budget does not use more of a larger one


class Pace:
    """How fast agents are and how long games last.

    ratio: how long a call takes here, as a multiple of what it took in the stored games; None as
        long as nothing has been measured
    """

    def __init__(self, rows: Iterable[Row]):
        self.games = frame(list(rows))
        self.ratio: float | None = None
        self.sides = pd.concat([_sides(self.games, player) for player in (1, 2)])
        names = [set(pair) for pair in zip(self.games["agent1"], self.games["agent2"], strict=True)]
        self._agents = pd.Series([" ".join(sorted(pair)) for pair in names], dtype=object)
        self._turns = cache(self._turns_of)
        self._turn = cache(self._turn_of)

    def measure(self, agents: Iterable[str]) -> None:
        """Find the ratio, the median over those agents that have similar games stored."""
        ratios = []
        for agent in agents:
            own = self.sides[self.sides["agent"] == agent]
            own = own[own["budget"].between(*LIKE_MEASURED) & (own["action_points"] == POINTS)]
            if len(own):
                ratios.append(_measured(agent)[0] * own["calls"].sum() / own["took"].sum())
        self.ratio = float(np.median(ratios)) if ratios else None

    def seconds(self, spec: AnySpec) -> float:
        """How long a game or a search takes, on one core."""
        if isinstance(spec, SearchSpec):
            return self._turn_seconds(spec.player, None)
        names = " ".join(sorted({player.agent for player in spec.players}))
        points = spec.config.action_points
        turns = min(self._turns(points, names), spec.config.turn_limit)
        return sum(turns / 2 * self._turn_seconds(player, points) for player in spec.players)

    def _turns_of(self, points: int, agents: str) -> float:
        same_points = self.games["action_points"].to_numpy() == points
        same_agents = same_points & (self._agents.to_numpy() == agents)
        for same in (same_agents, same_points):
            if same.any():
                return float(self.games["turns"].to_numpy()[same].mean())
        return ACTIONS / points

    def _turn_seconds(self, player: Player, points: int | None) -> float:
        per_call, calls, share = self._turn(player.agent, points, player.budget.fm_calls)
        per_call *= self.ratio or 1
        limits = [calls * per_call] if share < MOSTLY else []
        if player.budget.seconds is not None:
            limits.append(player.budget.seconds)
        if player.budget.fm_calls is not None:
            limits.append(player.budget.fm_calls * min(share, 1) * per_call)
        return min(limits)

    def _turn_of(
        self, agent: str, points: int | None, budget: int | None
    ) -> tuple[float, float, float]:
        """Seconds a call, calls a turn, and which share of its budget that is."""
        own = self.sides[self.sides["agent"] == agent]
        for column, value in (("action_points", points), ("budget", budget)):
            same = own[own[column] == value]
            own = same if len(same) else own
        own = own[own["calls"] >= own["calls"].median()]  # a start weighs heavily on small games
        if len(own) == 0:
            per_call, calls, share = _measured(agent)
            return per_call / (self.ratio or 1), calls, share
        used = own["calls"].sum() / own["turns"].sum()
        budget = (own["budget"] * own["turns"]).sum() / own["turns"].sum()
        share = used / budget if budget > 0 else 1.0
        return own["took"].sum() / own["calls"].sum(), used, share


def _sides(games: pd.DataFrame, player: int) -> pd.DataFrame:
    """One side of all games that were limited in calls."""
    columns = {
        "agent": games[f"agent{player}"],
        "action_points": games["action_points"],
        "budget": games[f"fm_calls{player}"],
        "calls": games[f"calls{player}"],
        "took": games[f"took{player}"],
        "turns": games["turns"] / 2,
    }
    return pd.DataFrame(columns).dropna().query("calls > 0")


def _measured(agent: str) -> tuple[float, float, float]:
    """The same from a few short searches."""
    player, states = make_agent(agent), positions()[:MEASURED_POSITIONS]
    player.plan(states[0], Budget(fm_calls=100))  # compiles it, or loads it
    start = time.perf_counter()
    plans = [player.plan(state, Budget(fm_calls=MEASURED_CALLS), seed=1) for state in states]
    seconds = time.perf_counter() - start
    calls = float(np.mean([plan.stats["fm_calls"] for plan in plans]))
    return seconds / (calls * len(plans)), calls, calls / MEASURED_CALLS


def duration(seconds: float) -> str:
    """
    >>> [duration(s) for s in (0, 7.2, 150, 5000, 200_000)]
    ['0 s', '8 s', '3 min', '1 h 24 min', '2 d 7 h']
    """
    seconds = int(-(-seconds // 1))
    if seconds < 100:
        return f"{seconds} s"
    minutes = -(-seconds // 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours < 48 else f"{hours // 24} d {hours % 24} h"
