"""Online evolution of a turn against evolving replies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heroacademy.agents.base import (
    Budget,
    Plan,
    best_of_option,
    count_outcomes_option,
    preset_option,
)
from heroacademy.agents.clock import Clock
from heroacademy.agents.evolution import (
    best_genome,
    best_value,
    genome_plan,
    greedy_starts_option,
    mutation_option,
    repair_option,
    survival_option,
    survivors_of,
)
from heroacademy.agents.horizon import length_of_turn
from heroacademy.agents.options import Checked, Choice, Whole, option
from heroacademy.engine.evaluation import weights_array
from heroacademy.search import co_oep, oep
from heroacademy.search.common import OUTCOMES, new_scratch
from heroacademy.search.hashset import MOST_OUTCOMES, places_for
from heroacademy.state import SEARCH_SALT, State, generator


@dataclass(frozen=True)
class CoOEP(Checked):
    """Evolves the actions of a turn against the opponent's replies, which evolve as well.

    The OEP paper suggests competitive co-evolution without saying how, and warns that a reply
    depends on the turn that it was evolved for. Chosen here is a minimax scheme: a turn is
    worth the lowest value of all replies that it has met. A new turn meets the reply of a model
    of the opponent, then the best `rivals` replies, unless it is worse than all survivors by
    then. Replies evolve after the turn of the champion, the best of the own population, and
    every one of them may lower the champion's value, until another turn is the champion; those
    that survive are then repaired to fit it. Where a reply is illegal the model's action is
    played: the best-rated one, or with `model="greedy"` Greedy Action's.

    Turns are made, crossed and mutated as OEP's; one whose outcome any earlier one had is
    discarded, since its value cannot be better. The first of the replies is Greedy Action's.
    """

    population: int = option(100, Whole(2, 10**6), "own turns in the population")
    replies: int = option(20, Whole(2, 10**6), "replies in their population")
    rivals: int = option(2, Whole(0, 10**6), "best replies that a new turn meets")
    model: str = option(
        "rated",
        Choice(("rated", "greedy")),
        "the opponent's model: 'rated' best-rated actions, 'greedy' Greedy Action",
    )
    survival: float = survival_option()
    mutation: float = mutation_option()
    greedy_starts: float = greedy_starts_option()
    repair: str = repair_option()
    best_of: int = best_of_option()
    count_outcomes: bool = count_outcomes_option()
    preset: str = preset_option()
    name = "co-oep"
    version = 1

    def plan(self, state: State, budget: Budget, seed: int = 0) -> Plan:
        return _Search(self, state, budget, seed).run()


class _Search:
    """One search for one turn."""

    def __init__(self, agent: CoOEP, state: State, budget: Budget, seed: int):
        self.agent, self.state = agent, state
        self.game, self.weights = state.config.game, weights_array(agent.preset)
        self.clock = Clock(budget, state)
        starts = round(agent.population * agent.greedy_starts)
        self.settings = co_oep.Settings(
            own=self._numbers(state.player, agent.population, starts, agent.repair, tabu=True),
            reply=self._numbers(3 - state.player, agent.replies, 1, agent.model),
            rivals=agent.rivals,
        )
        places = places_for(self.clock.room(MOST_OUTCOMES))
        self.own = oep.new_population(
            agent.population,
            length_of_turn(state),
            True,
            places if agent.count_outcomes else 0,
            places,
        )
        length = state.config.action_points
        self.duels = co_oep.new_duels(self.own, oep.new_population(agent.replies, length, False, 0))
        rng = generator(seed, SEARCH_SALT)
        self.scratch = new_scratch(state.array, rng)
        self.reply_scratch = new_scratch(np.zeros_like(state.array), rng)

    def _numbers(
        self, player: int, size: int, greedy_starts: int, repair: str, tabu: bool = False
    ) -> oep.Settings:
        return oep.Settings(
            player=player,
            survivors=survivors_of(size, self.agent.survival),
            mutation=float(self.agent.mutation),
            greedy_starts=greedy_starts,
            greedy_repair=repair == "greedy",
            rated_repair=repair == "rated",
            best_of=self.agent.best_of,
            rollouts=False,
            tabu=tabu,
        )

    def run(self) -> Plan:
        self.clock.run(self.advance, lambda: best_value(self.own))
        stats = self.clock.stats("generations")
        if self.agent.count_outcomes:
            stats["unique_outcomes"] = int(self.clock.counts[OUTCOMES])
        return genome_plan(self.state, best_genome(self.own), self.agent.preset, stats)

    def advance(self, steps: int, call_limit: int) -> bool:
        co_oep.advance(
            self.game, self.duels, self.settings, self.scratch, self.reply_scratch, self.weights,
            steps, call_limit, self.clock.counts,
        )  # fmt: skip
        return True
