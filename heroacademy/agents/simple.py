"""The baselines: Random, Greedy Action and Greedy Turn."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from heroacademy.agents.base import Budget, Plan, completed_plan, option, weights_of
from heroacademy.agents.clock import Clock
from heroacademy.engine.actions import apply
from heroacademy.engine.layout import MAX_ACTIONS
from heroacademy.search import greedy_turn
from heroacademy.search.common import FM_CALLS, OUTCOMES, STEPS, greedy_action
from heroacademy.state import State, evaluate

PRESET = "preset of the evaluation, 'aicademy' or 'paper'"


@dataclass(frozen=True)
class RandomAgent:
    """Uniform over the legal actions, nothing pruned."""

    name = "random"

    def plan(self, state: State, budget: Budget, seed: int = 0) -> Plan:
        rng = random.Random(seed)
        clock = Clock(budget, state)
        actions, after = [], state
        while not after.is_terminal and after.player == state.player:
            action = rng.choice(after.legal_actions())
            actions.append(action)
            after = after.apply(action)
            clock.counts[FM_CALLS] += 1
        return Plan(actions, evaluate(after, state.player), clock.stats("iterations"))


@dataclass(frozen=True)
class GreedyAction:
    """One action after the other, each with the best evaluation right after it.

    The first of equally good actions is taken. When the budget ends, the best-rated actions
    complete the turn.
    """

    best_of: int = option(0, "look only at so many best-rated actions; 0 looks at all")
    preset: str = option("aicademy", PRESET)
    name = "greedy-action"

    def plan(self, state: State, budget: Budget, seed: int = 0) -> Plan:
        game, words, weights = state.config.game, state.array, weights_of(self.preset)
        clock = Clock(budget, state)
        plan, n = np.zeros(MAX_ACTIONS, np.int64), 0
        while not clock.is_up():
            now = State(state.config, words)
            if now.is_terminal or now.player != state.player:
                break
            plan[n] = greedy_action(game, words, weights, self.best_of, clock.counts)
            apply(game, words, plan[n])
            clock.counts[FM_CALLS] += 1
            clock.counts[STEPS] += 1
            n += 1
        return completed_plan(state, plan, n, self.preset, clock.stats("iterations"))


@dataclass(frozen=True)
class GreedyTurn:
    """Depth-first over whole turns, best-rated actions first; the best complete turn counts.

    A transposition table keeps states from being visited again. Turns are evaluated after
    their end, when own knocked-down units are gone.
    """

    table_size: int = option(1 << 22, "places of the transposition table, a power of two")
    preset: str = option("aicademy", PRESET)
    name = "greedy-turn"

    def __post_init__(self):
        if self.table_size < 1024 or self.table_size & (self.table_size - 1):
            raise ValueError(f"table_size is {self.table_size}: use a power of two from 1024 on")

    def plan(self, state: State, budget: Budget, seed: int = 0) -> Plan:
        game, weights = state.config.game, weights_of(self.preset)
        clock = Clock(budget, state)
        search = greedy_turn.new_search(game, state.array, state.action_points + 1, self.table_size)

        def advance(steps: int, call_limit: int) -> bool:
            greedy_turn.advance(
                game, search, state.player, weights, steps, call_limit, clock.counts
            )
            return search.progress[greedy_turn.PLY] != greedy_turn.EXHAUSTED

        def best_value() -> float | None:
            found = search.progress[greedy_turn.BEST_LENGTH] > 0
            return int(search.progress[greedy_turn.BEST_VALUE]) if found else None

        finished = not clock.run(advance, best_value)
        stats = clock.stats("iterations") | {"unique_outcomes": int(clock.counts[OUTCOMES])}
        if finished:
            stats["stopped_by"] = "every turn was tried"
        n = int(search.progress[greedy_turn.BEST_LENGTH])
        return completed_plan(state, search.best, n, self.preset, stats)
