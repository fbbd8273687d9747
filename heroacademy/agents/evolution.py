"""What the evolutionary agents share: options, and the turn that a population has found."""

from __future__ import annotations

from typing import Any

import numpy as np

from heroacademy.agents.base import Plan, completed_plan
from heroacademy.agents.horizon import length_of_turn
from heroacademy.agents.options import SHARE, Choice, Number, option
from heroacademy.search.common import NO_ACTION
from heroacademy.search.oep import FILLED, Population
from heroacademy.state import State


def survival_option() -> Any:
    text = "share of genomes that live on to the next generation"
    return option(0.5, Number(0, 1, is_open=True), text)


def mutation_option() -> Any:
    return option(0.1, SHARE, "share of the offspring that is mutated")


def greedy_starts_option() -> Any:
    return option(0.0, SHARE, "share of the first own turns that is Greedy Action's turn")


def repair_option() -> Any:
    text = "how illegal places are filled: 'random', 'greedy', 'rated'"
    return option("random", Choice(("random", "greedy", "rated")), text)


def survivors_of(population: int, survival: float) -> int:
    """How many of a population live on: at least one, and not all."""
    return min(max(1, round(population * survival)), population - 1)


def best_value(population: Population) -> int | None:
    """Fitness of the best turn so far, None if there is none yet.

    A generation that the budget cut short may hold a child better than all survivors, so this is
    not always the first in the population's order.
    """
    filled = population.progress[FILLED]
    return int(population.values[:filled].max()) if filled else None


def best_genome(population: Population) -> np.ndarray:
    """The best turn so far; an empty one if there is none yet."""
    filled = population.progress[FILLED]
    return population.genomes[population.values[:filled].argmax() if filled else 0]


def genome_plan(state: State, genome: np.ndarray, preset: str, stats: dict[str, Any]) -> Plan:
    """The plan of a genome, whose places beyond the turn are left out."""
    turn = genome[: length_of_turn(state)]
    return completed_plan(state, turn, int((turn != NO_ACTION).sum()), preset, stats)
