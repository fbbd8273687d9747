"""All experiments by the names that they have in `profiles.toml`."""

from __future__ import annotations

from collections.abc import Callable

from heroacademy.experiments import designs, enhancements, league
from heroacademy.experiments.adaptive import Experiment
from heroacademy.experiments.horizons import tune_horizons
from heroacademy.experiments.profiles import Size
from heroacademy.experiments.specs import GameSpec, SearchSpec

# whose games are known beforehand
EXPERIMENTS: dict[str, Callable[[Size], list[GameSpec] | list[SearchSpec]]] = {
    "table2": designs.table2,
    "figure5": designs.figure5,
    "figure5_value": designs.figure5_value,
    "full_first_turn": designs.full_first_turn,
    "budgets": designs.budgets,
    "characteristics": designs.searches,
    "anytime": designs.anytime,
    "tenth_budget": designs.tenth_budget,
    "fh_emcts": designs.fh_emcts,
    "emcts": designs.emcts,
    "variations": designs.variations,
    "variations_table2": designs.variations_table2,
    "complexity": designs.complexity,
    "enhancements": enhancements.enhancements,
    "tree_reuse": enhancements.tree_reuse,
    "league": league.league,
    "fh_oep": league.fh_oep,
    "equal_time": league.equal_time,
}

# whose later games depend on the results of the earlier ones
ADAPTIVE: dict[str, Experiment] = {
    "horizon": tune_horizons,
    "best_enhancements": enhancements.choose,
    "contenders": league.find_champion,
}
