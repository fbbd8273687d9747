"""The MCTS enhancements: which of them help, and how strong are the best combinations?

On top of each plain variant, every enhancement alone and the combinations of the GVGP paper are
played against that variant on the published starts. The best combination is chosen on other
starts, by successive halving, and then measured on the published ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
    over_points,
    paired_games,
)
from heroacademy.experiments.profiles import Size
from heroacademy.experiments.results import head_to_head
from heroacademy.experiments.specs import GameSpec
from heroacademy.experiments.tuning import Asked, Round, best_arm, halve_together

BEYOND_THE_PAPER = ("sequential halving", "progressive unpruning")
EIGHT = tuple(name for name in ENHANCEMENTS if name not in BEYOND_THE_PAPER)
HISTORY, NGRAMS = "progressive history", "n-gram selection"
DETECTION, INITIALIZATION = "deterministic game detection", "breadth-first initialization"
ALL, NO_DETECTION, NO_INITIALIZATION = "all eight", "all but detection", "all but initialization"
BOTH_HISTORIES, HELPFUL = "history and n-grams", "all that help alone"
RIVALS = ("oep", "fh-emcts")

Names = tuple[str, ...]

# What is played against the plain variant: each alone, and what the GVGP paper combines.
COMBINATIONS: dict[str, Names] = {name: (name,) for name in ENHANCEMENTS} | {
    BOTH_HISTORIES: (HISTORY, NGRAMS),
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


# Without exploration and with it, both with all eight: does it still have to be constrained?
CONSTRAINED_PAIR: Pair = (
    enhanced("nonexploring-mcts", COMBINATIONS[ALL]),
    enhanced("vanilla-mcts", COMBINATIONS[ALL]),
)


def pairs(base: str, combinations: Mapping[str, Names] = COMBINATIONS) -> dict[str, Pair]:
    """Combinations on top of a plain variant, each against the variant itself."""
    plain = make_agent(base)
    return {label: (enhanced(base, names), plain) for label, names in combinations.items()}


def enhancements(size: Size) -> list[GameSpec]:
    """All combinations on top of all plain variants, on the published starts."""
    every = [pair for base in MCTS_AGENTS for pair in pairs(base).values()]
    every += [detection_pair(base) for base in MCTS_AGENTS] + [CONSTRAINED_PAIR]
    return paired_games(GameConfig(), every, size.budget, size.games)


def detection_pair(base: str) -> Pair:
    """All eight against all but the last: what detection adds to the others."""
    return enhanced(base, COMBINATIONS[ALL]), enhanced(base, COMBINATIONS[NO_DETECTION])


# --- tree reuse where turns are short -------------------------------------------------------

REUSE_FACTORS = (0.4, 0.6, 1.0)  # those that the GVGP paper finds to help


def reuse_pair(base: str, factor: float) -> Pair:
    """A plain variant that keeps its tree, with some factor of old results, against itself."""
    return make_agent(base, tree_reuse=factor), make_agent(base)


def tree_reuse(size: Size) -> list[GameSpec]:
    """Tree Reuse needs a tree that reaches the own next turn, which only short turns allow."""
    pairs = [reuse_pair(base, factor) for base in MCTS_AGENTS for factor in REUSE_FACTORS]
    return over_points(size, lambda points: pairs)


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
    alone = {base: (list(ENHANCEMENTS), size.first_games) for base in MCTS_AGENTS}
    of_base = dict.fromkeys(MCTS_AGENTS, COMBINATIONS)
    first = _rates(size, of_base, alone, play)
    of_base = {base: _with_helpful(first[base]) for base in MCTS_AGENTS}
    rounds = halve_together(
        {base: list(tried) for base, tried in of_base.items()},
        size.first_games,
        size.games,
        lambda asked: _rates(size, of_base, asked, play),
    )
    chosen = {base: Choice(of_base[base], rounds[base]) for base in MCTS_AGENTS}
    play(best_games(size, chosen))
    return chosen


def _with_helpful(alone: Mapping[str, float]) -> dict[str, Names]:
    """The combinations, and the one of all that won more than half their games alone."""
    helpful = tuple(name for name, rate in alone.items() if rate > 0.5)
    new = len(helpful) > 1 and helpful not in COMBINATIONS.values()
    return COMBINATIONS | ({HELPFUL: helpful} if new else {})


def _rates(
    size: Size,
    of_base: Mapping[str, Mapping[str, Names]],
    asked: Mapping[str, Asked],
    play: Play,
) -> dict[str, dict[str, float]]:
    """Win rates of combinations against their plain variant, on the tuning's starts."""
    tried = {
        base: pairs(base, {label: of_base[base][label] for label in labels})
        for base, (labels, _) in asked.items()
    }
    table = play(
        by_start(
            game
            for base, (_, games) in asked.items()
            for game in paired_games(GameConfig(), tried[base].values(), size.budget, games, TUNE)
        )
    )
    return {
        base: {
            label: head_to_head(table, *pair)["result"].sum() / asked[base][1]
            for label, pair in of_pairs.items()
        }
        for base, of_pairs in tried.items()
    }


def best_pairs(chosen: Mapping[str, Choice]) -> dict[str, Pair]:
    """The best combinations against the plain variants, OEP and FH-EMCTS."""
    return {
        f"{base}+ against {rival}": (enhanced(base, choice.names), make_agent(rival))
        for base, choice in chosen.items()
        for rival in (base, *RIVALS)
    }


def best_games(size: Size, chosen: Mapping[str, Choice]) -> list[GameSpec]:
    """Games of the best combinations on the published starts."""
    every = best_pairs(chosen).values()
    return by_start(
        dict.fromkeys(paired_games(GameConfig(), every, size.budget, size.report_games, REPORT))
    )
