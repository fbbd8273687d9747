"""The MCTS enhancements: which of them help, and how strong are the best combinations?

On top of each plain variant, every enhancement alone and the combinations of the GVGP paper are
played against that variant on the published starts. The best combination is chosen on other
starts, by successive halving, and then measured on the published ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from heroacademy.agents.base import Agent
from heroacademy.agents.mcts import ENHANCEMENTS
from heroacademy.agents.registry import make_agent
from heroacademy.config import GameConfig
from heroacademy.experiments.adaptive import Play
from heroacademy.experiments.designs import (
    MCTS_AGENTS,
    REPORT,
    TUNE,
    Pair,
    by_start,
    paired_games,
)
from heroacademy.experiments.profiles import Size
from heroacademy.experiments.results import head_to_head
from heroacademy.experiments.specs import GameSpec
from heroacademy.experiments.tuning import Round, best_arm, successive_halving

BEYOND_THE_PAPER = ("sequential halving", "progressive unpruning")
EIGHT = tuple(name for name in ENHANCEMENTS if name not in BEYOND_THE_PAPER)
HISTORY, NGRAMS = "progressive history", "n-gram selection"
DETECTION, INITIALIZATION = "deterministic game detection", "breadth-first initialization"
ALL, NO_DETECTION, NO_INITIALIZATION = "all eight", "all but detection", "all but initialization"
HELPFUL = "all that help alone"
RIVALS = ("oep", "fh-emcts")

Names = tuple[str, ...]

# What is played against the plain variant: each alone, and what the GVGP paper combines.
COMBINATIONS: dict[str, Names] = {name: (name,) for name in ENHANCEMENTS} | {
    "history and n-grams": (HISTORY, NGRAMS),
    NO_DETECTION: tuple(name for name in EIGHT if name != DETECTION),
    NO_INITIALIZATION: tuple(name for name in EIGHT if name != INITIALIZATION),
    ALL: EIGHT,
}


def enhanced(base: str, names: Iterable[str]) -> Agent:
    """A plain variant with some enhancements switched on."""
    options: dict[str, Any] = {}
    for name in names:
        options |= ENHANCEMENTS[name]
    return make_agent(base, **options)


def pairs(base: str, combinations: Mapping[str, Names] = COMBINATIONS) -> dict[str, Pair]:
    """Combinations on top of a plain variant, each against the variant itself."""
    plain = make_agent(base)
    return {label: (enhanced(base, names), plain) for label, names in combinations.items()}


def enhancements(size: Size) -> list[GameSpec]:
    """All combinations on top of all plain variants, on the published starts."""
    every = [pair for base in MCTS_AGENTS for pair in pairs(base).values()]
    every += [detection_pair(base) for base in MCTS_AGENTS]
    return paired_games(GameConfig(), every, size.budget, size.games)


def detection_pair(base: str) -> Pair:
    """All eight against all but the last: what detection adds to the others."""
    return enhanced(base, COMBINATIONS[ALL]), enhanced(base, COMBINATIONS[NO_DETECTION])


# --- the best combination -------------------------------------------------------------------


class Choice(NamedTuple):
    """The tuning of one plain variant.

    combinations: what was tried
    rounds: the rounds of successive halving
    """

    combinations: dict[str, Names]
    rounds: list[Round]

    @property
    def label(self) -> str:
        return best_arm(self.rounds)

    @property
    def names(self) -> Names:
        return self.combinations[self.label]


def choose(size: Size, play: Play) -> dict[str, Choice]:
    """The best combination on top of each plain variant, tuned on starts that are not published.

    First each enhancement is played alone; those that win more than half their games together
    are one more combination. Then all combinations are halved.
    """
    chosen = {base: _choose(size, base, play) for base in MCTS_AGENTS}
    play(best_games(size, chosen))
    return chosen


def _choose(size: Size, base: str, play: Play) -> Choice:
    combinations = dict(COMBINATIONS)

    def rates(labels: Sequence[str], games: int) -> dict[str, float]:
        asked = pairs(base, {label: combinations[label] for label in labels})
        specs = paired_games(GameConfig(), asked.values(), size.budget, games, TUNE)
        table = play(specs)
        return {k: head_to_head(table, *pair)["result"].sum() / games for k, pair in asked.items()}

    alone = rates(list(ENHANCEMENTS), size.first_games)
    helpful = tuple(name for name, rate in alone.items() if rate > 0.5)
    if len(helpful) > 1 and helpful not in combinations.values():
        combinations[HELPFUL] = helpful
    rounds = successive_halving(list(combinations), size.first_games, size.games, rates)
    return Choice(combinations, rounds)


def best_pairs(chosen: Mapping[str, Choice]) -> dict[str, Pair]:
    """The best combinations against the plain variants, the papers' best planners, each other."""
    best = {base: enhanced(base, choice.names) for base, choice in chosen.items()}
    found = {
        f"{base}+ against {rival}": (agent, make_agent(rival))
        for base, agent in best.items()
        for rival in (base, *RIVALS)
    }
    first, second = "nonexploring-mcts", "vanilla-mcts"
    return found | {f"{first}+ against {second}+": (best[first], best[second])}


def best_games(size: Size, chosen: Mapping[str, Choice]) -> list[GameSpec]:
    """Games of the best combinations on the published starts."""
    every = best_pairs(chosen).values()
    return by_start(
        dict.fromkeys(paired_games(GameConfig(), every, size.budget, size.games, REPORT))
    )
