"""The baselines: Random, Greedy Action and Greedy Turn."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np

from heroacademy.agents.base import (
    Budget,
    Plan,
    best_of_option,
    completed_plan,
    count_outcomes_option,
    preset_option,
)
from heroacademy.agents.clock import Clock
from heroacademy.agents.options import Checked, Whole, option
from heroacademy.engine.actions import apply
from heroacademy.engine.evaluation import weights_array
from heroacademy.engine.layout import MAX_ACTIONS
from heroacademy.search import greedy_turn
from heroacademy.search.common import FM_CALLS, OUTCOMES, STEPS, greedy_action, new_scratch
from heroacademy.search.hashset import places_for
from heroacademy.state import SEARCH_SALT, State, evaluate, generator


@dataclass(frozen=True)
class RandomAgent:
    """Uniform over the legal actions, nothing pruned."""

    name = "random"
    version = 1

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
class GreedyAction(Checked):
    """One action after the other, each with the best evaluation right after it.

    The first of equally good actions is taken. When the budget ends, the best-rated actions
    complete the turn.
    """

    best_of: int = best_of_option()
    preset: str = preset_option()
    name = "greedy-action"
    version = 1

    def plan(self, state: State, budget: Budget, seed: int = 0) -> Plan:
        game, words, weights = state.config.game, state.array, weights_array(self.preset)
        scratch = new_scratch(words, generator(seed, SEARCH_SALT))
        clock = Clock(budget, state)
        plan, n = np.zeros(MAX_ACTIONS, np.int64), 0
        while not clock.is_up():
            now = State(state.config, words)
            if now.is_terminal or now.player != state.player:
                break
            plan[n] = greedy_action(game, words, weights, self.best_of, scratch, clock.counts)
            apply(game, words, plan[n])
            clock.counts[FM_CALLS] += 1
            clock.counts[STEPS] += 1
            n += 1
        return completed_plan(state, plan, n, self.preset, clock.stats("iterations"))


@dataclass(frozen=True)
class GreedyTurn(Checked):
    """Depth-first over whole turns, best-rated actions first; the best complete turn counts.

    A transposition table keeps states from being visited again. Turns are evaluated after
    their end, when own knocked-down units are gone.
    """

    table_size: int = option(
        1 << 22,
        Whole(1 << 10, 1 << 28, power_of_two=True),
        "most places of the transposition table",
    )
    count_outcomes: bool = count_outcomes_option()
    preset: str = preset_option()
    name = "greedy-turn"
    version = 1

    def plan(self, state: State, budget: Budget, seed: int = 0) -> Plan:
        game, weights = state.config.game, weights_array(self.preset)
        clock = Clock(budget, state)
        places = min(self.table_size, places_for(clock.room(self.table_size)))
        search = greedy_turn.new_search(
            game, state.array, state.action_points + 1, places, self.count_outcomes
        )

        def advance(steps: int, call_limit: int) -> bool:
            greedy_turn.advance(
                game, search, state.player, weights, steps, call_limit, clock.counts
            )
            return search.progress[greedy_turn.PLY] != greedy_turn.EXHAUSTED

        def best_value() -> float | None:
            found = search.progress[greedy_turn.BEST_LENGTH] > 0
            return int(search.progress[greedy_turn.BEST_VALUE]) if found else None

        finished = not clock.run(advance, best_value)
        stats = clock.stats("iterations")
        if self.count_outcomes:
            stats["unique_outcomes"] = int(clock.counts[OUTCOMES])
        if finished:
            stats["stopped_by"] = "every turn was tried"
        n = int(search.progress[greedy_turn.BEST_LENGTH])
        return completed_plan(state, search.best, n, self.preset, stats)
