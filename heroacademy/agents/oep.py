"""Online Evolutionary Planning, and its greedy variant."""

from __future__ import annotations

from dataclasses import dataclass

from heroacademy.agents.base import (
    Budget,
    Plan,
    best_of_option,
    completed_plan,
    count_outcomes_option,
    preset_option,
)
from heroacademy.agents.clock import Clock
from heroacademy.agents.options import FLAG, SHARE, Checked, Choice, Number, Whole, option
from heroacademy.engine.evaluation import weights_array
from heroacademy.search import oep
from heroacademy.search.common import NO_ACTION, OUTCOMES, new_scratch
from heroacademy.search.hashset import MOST_OUTCOMES, places_for
from heroacademy.state import SEARCH_SALT, State, generator


@dataclass(frozen=True)
class OEP(Checked):
    """Evolves the actions of one turn, Algorithm 1 of the OEP paper.

    Every survivor, in the order of fitness, has one child with another survivor. Place by
    place the child takes a random parent's action if it is legal there, else the other
    parent's, else the first parent's next action, else a random one. A mutated child gets a
    random action at a random place; later actions that are illegal then are repaired. Turns
    are evaluated after their end, when own knocked-down units are gone, and only once.
    """

    population: int = option(100, Whole(2, 10**6), "genomes in the population")
    survival: float = option(
        0.5, Number(0, 1, is_open=True), "share of genomes that live on to the next generation"
    )
    mutation: float = option(0.1, SHARE, "share of the offspring that is mutated")
    greedy_starts: float = option(
        0.0, SHARE, "share of the first population that is Greedy Action's turn"
    )
    repair: str = option(
        "random", Choice(("random", "greedy")), "how illegal places are filled: 'random', 'greedy'"
    )
    best_of: int = best_of_option()
    rollouts: bool = option(
        False, FLAG, "fitness by a random reply, the lowest over repeats counts"
    )
    count_outcomes: bool = count_outcomes_option()
    preset: str = preset_option()
    name = "oep"
    version = 1

    def plan(self, state: State, budget: Budget, seed: int = 0) -> Plan:
        game, weights = state.config.game, weights_array(self.preset)
        clock = Clock(budget, state)
        settings = oep.Settings(
            player=state.player,
            survivors=min(max(1, round(self.population * self.survival)), self.population - 1),
            mutation=float(self.mutation),
            greedy_starts=round(self.population * self.greedy_starts),
            greedy_repair=self.repair == "greedy",
            best_of=self.best_of,
            rollouts=bool(self.rollouts),
        )
        places = places_for(clock.room(MOST_OUTCOMES)) if self.count_outcomes else 0
        length = max(state.action_points, 1)
        population = oep.new_population(self.population, length, self.rollouts, places)
        scratch = new_scratch(state.array, generator(seed, SEARCH_SALT))

        def advance(steps: int, call_limit: int) -> bool:
            oep.advance(
                game, population, settings, scratch, weights, steps, call_limit, clock.counts
            )
            return True

        def best_value() -> float | None:
            filled = population.progress[oep.FILLED]
            return int(population.values[:filled].max()) if filled else None

        clock.run(advance, best_value)
        stats = clock.stats("generations")
        filled = int(population.progress[oep.FILLED])
        if self.count_outcomes:
            stats["unique_outcomes"] = int(clock.counts[OUTCOMES])
            stats["distinct_values"] = len(set(population.values[:filled].tolist()))
        # A generation that the budget cut short may hold a child better than all survivors.
        best = population.genomes[population.values[:filled].argmax() if filled else 0]
        n = int((best != NO_ACTION).sum()) if filled else 0
        return completed_plan(state, best, n, self.preset, stats)
