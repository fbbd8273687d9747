"""What each experiment asks for: lists of games and searches.

Games are listed by start, so that a run cut short has as many games of one pair as of another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from heroacademy.agents.base import Agent, Budget
from heroacademy.agents.horizon import PAPER_HORIZONS
from heroacademy.agents.registry import make_agent
from heroacademy.config import GameConfig
from heroacademy.errors import one_of
from heroacademy.experiments.profiles import Size
from heroacademy.experiments.specs import GameSpec, Player, SearchSpec

# Sets of starts: for what is published, for choosing settings, for testing what was chosen after
# its results on the published ones had been seen.
REPORT, TUNE, CONFIRM = "report", "tune", "confirm"

OEP_AGENTS = (
    "random", "greedy-action", "greedy-turn", "vanilla-mcts", "nonexploring-mcts", "bb-mcts", "oep",
)  # fmt: skip
PAPER_AGENTS = (*OEP_AGENTS, "greedy-oep", "emcts", "fh-emcts")
NEW_AGENTS = ("fh-oep", "co-oep", "ntboe")  # planners of this repository, beyond the papers
ONE_PLAN = ("random", "greedy-action")  # more calls would not change what they play
MCTS_AGENTS = ("vanilla-mcts", "nonexploring-mcts", "bb-mcts")
STRONG_AGENTS = ("nonexploring-mcts", "bb-mcts", "oep")
FH_OPPONENTS = ("emcts", "greedy-oep", "bb-mcts", "nonexploring-mcts", "greedy-action")
EMCTS_OPPONENTS = ("greedy-oep", "nonexploring-mcts")
ROUNDS = 100  # of the papers' games with 5 action points; a round is a turn of each player
PAPER_POINTS = 5
FRACTIONS = (0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)  # of a budget, for anytime curves
TENTH = 0.1  # what stands for OEP's "much lower budget"

Pair = tuple[Agent, Agent]
NamedPairs = Sequence[tuple[str, str]]
Options = Mapping[str, Mapping[str, Any]]  # of agents, by name: those that someone has changed
NONE_CHANGED: Options = {}


def agent_of(name: str, options: Options = NONE_CHANGED) -> Agent:
    """An agent by name, with its changed options."""
    return make_agent(name, **options.get(name, {}))


def changes_text(options: Options, names: Iterable[str]) -> str:
    """What follows a budget where options of agents that play, by these names, were changed.

    >>> changes_text({"oep": {"population": 200, "mutation": 0.2}}, ["oep", "random"])
    '; oep with population=200, mutation=0.2'
    >>> changes_text({"oep": 200}, ["oep"])
    Traceback (most recent call last):
    ValueError: options are {'oep': 200}: use options of agents by name, as in {"oep": \
{"population": 200}}
    """
    if not isinstance(options, Mapping) or not all(
        isinstance(changed, Mapping) and changed for changed in options.values()
    ):
        raise ValueError(
            f"options are {options!r}: use options of agents by name, as in "
            '{"oep": {"population": 200}}'
        )
    for name in options:
        one_of("agent that plays here", name, names)
    texts = [
        f"; {name} with {', '.join(f'{key}={value!r}' for key, value in changed.items())}"
        for name, changed in options.items()
    ]
    return "".join(texts)


def paired_games(
    config: GameConfig,
    pairs: Iterable[Pair],
    budget: Budget,
    games: int,
    starts: str = REPORT,
) -> list[GameSpec]:
    """Games of pairs of agents; from each start one with either agent as player 1."""
    players = [tuple(Player.of(agent, budget) for agent in pair) for pair in pairs]
    return both_ways(config, players, games, starts)


def both_ways(
    config: GameConfig, pairs: Sequence[tuple[Player, Player]], games: int, starts: str = REPORT
) -> list[GameSpec]:
    """Games of pairs of players; from each start one with either as player 1."""
    if games < 2 or games % 2:
        raise ValueError(f"games is {games}: use an even number, each start is played twice")
    return [
        GameSpec(config, order, starts, start)
        for start in range(games // 2)
        for pair in pairs
        for order in (pair, pair[::-1])
    ]


def part_of(budget: Budget, part: float) -> Budget:
    """A part of a budget, at least one call.

    >>> part_of(Budget(fm_calls=3000), 0.1), part_of(Budget(seconds=6), 0.5)
    (Budget(fm_calls=300, seconds=None), Budget(fm_calls=None, seconds=3.0))
    """
    if budget.fm_calls is None:
        return Budget(seconds=budget.seconds * part)
    return Budget(fm_calls=max(1, int(budget.fm_calls * part)))


def by_start(specs: Iterable[GameSpec]) -> list[GameSpec]:
    """Games sorted by start, otherwise in their order."""
    return sorted(specs, key=lambda spec: spec.start)


def _pairs(names: Sequence[str], options: Options = NONE_CHANGED) -> list[Pair]:
    agents = [agent_of(name, options) for name in names]
    return [(b, a) for a, b in combinations(agents, 2)]


def fewer_rounds(action_points: int) -> GameConfig:
    """The OEP paper's game for a number of action points: 5 / AP x 100 rounds."""
    rounds = -(-ROUNDS * PAPER_POINTS // action_points)
    return GameConfig(action_points=action_points, turn_limit=2 * rounds)


def standard_game(action_points: int) -> GameConfig:
    """The FH-EMCTS paper's game, with the same number of turns for all action points."""
    return GameConfig(action_points=action_points)


def over_points(
    size: Size,
    pairs_of: Callable[[int], Iterable[Pair]],
    config_of: Callable[[int], GameConfig] = standard_game,
) -> list[GameSpec]:
    """Games of pairs for each number of action points."""
    return by_start(
        spec
        for n in size.action_points
        for spec in paired_games(config_of(n), pairs_of(n), size.budget, size.games)
    )


def table2(
    size: Size, names: Sequence[str] = OEP_AGENTS, options: Options = NONE_CHANGED, **settings
) -> list[GameSpec]:
    """All pairs of agents; `settings` are the game's."""
    pairs = _pairs(names, options)
    return paired_games(GameConfig(**settings), pairs, size.budget, size.games)


def figure5(
    size: Size,
    options: Options = NONE_CHANGED,
    config_of: Callable[[int], GameConfig] = fewer_rounds,
) -> list[GameSpec]:
    """OEP against the MCTS variants over numbers of action points."""
    pairs = [(agent_of("oep", options), agent_of(name, options)) for name in MCTS_AGENTS]
    return over_points(size, lambda points: pairs, config_of)


BY_VALUE = {"final": "value"}  # MCTS plays the children with the best mean, not the most visits


def figure5_value(size: Size, options: Options = NONE_CHANGED) -> list[GameSpec]:
    """Fig. 5 with the other choice of what MCTS plays, on which the paper is silent."""
    by_value = {name: dict(options.get(name, {})) | BY_VALUE for name in MCTS_AGENTS}
    return figure5(size, dict(options) | by_value)


def full_first_turn(size: Size, options: Options = NONE_CHANGED) -> list[GameSpec]:
    """Fig. 5 with as many points in the first turn of the game as in all others."""
    return figure5(size, options, lambda n: replace(fewer_rounds(n), first_turn_points=n))


# Pairs of Table II that also play with other budgets and under other choices: the strong agents
# among themselves, and two of them against a search that tries all turns it has the calls for.
VARIED_PAIRS = (
    ("oep", "nonexploring-mcts"),
    ("oep", "bb-mcts"),
    ("bb-mcts", "nonexploring-mcts"),
    ("bb-mcts", "greedy-turn"),
    ("oep", "greedy-turn"),
)
# Those that differ from the paper: under other choices at Table II's own budget too.
VARIED_AT_TABLE2 = (VARIED_PAIRS[0], *VARIED_PAIRS[3:])


def budgets(size: Size, options: Options = NONE_CHANGED) -> list[GameSpec]:
    """Pairs over budgets."""
    agents = [(agent_of(a, options), agent_of(b, options)) for a, b in VARIED_PAIRS]
    return by_start(
        spec
        for budget in size.budgets
        for spec in paired_games(GameConfig(), agents, budget, size.games)
    )


AS_IN_THE_TABLE = "as in the table"
# Choices that may explain a difference from the paper: settings of the game, options of agents.
VARIATIONS: dict[str, tuple[dict, dict]] = {
    AS_IN_THE_TABLE: ({}, {}),
    "evaluation of the paper's Table I": ({}, {"preset": "paper"}),
    "best child by mean value": ({}, BY_VALUE),
    "five points in the first turn": ({"first_turn_points": 5}, {}),
    "half as many turns": ({"turn_limit": ROUNDS}, {}),
}


def varied_agent(name: str, choice: Mapping[str, Any], options: Options) -> Agent:
    """An agent with those of a choice's options that it has."""
    known = vars(make_agent(name))
    varied = {key: value for key, value in choice.items() if key in known}
    return agent_of(name, dict(options) | {name: dict(options.get(name, {})) | varied})


def under_choice(
    choice: str, size: Size, pairs: NamedPairs, options: Options = NONE_CHANGED
) -> list[GameSpec]:
    """Pairs under one of the other choices."""
    settings, changed = VARIATIONS[choice]
    agents = [tuple(varied_agent(name, changed, options) for name in pair) for pair in pairs]
    return paired_games(GameConfig(**settings), agents, size.budget, size.games)


def variations(size: Size, pairs: NamedPairs = VARIED_PAIRS) -> list[GameSpec]:
    """Pairs under all of the choices."""
    games = (spec for choice in VARIATIONS for spec in under_choice(choice, size, pairs))
    return by_start(dict.fromkeys(games))


def variations_table2(size: Size) -> list[GameSpec]:
    """What is varied at Table II's own budget, under all of the choices."""
    return variations(size, VARIED_AT_TABLE2)


def by_choice(
    smaller: Size, table2: Size, options: Options = NONE_CHANGED
) -> dict[str, list[GameSpec]]:
    """The games of both experiments by the choice's name; the same budget has its games once."""
    return {
        choice: list(
            dict.fromkeys(
                under_choice(choice, smaller, VARIED_PAIRS, options)
                + under_choice(choice, table2, VARIED_AT_TABLE2, options)
            )
        )
        for choice in VARIATIONS
    }


def horizon_agent(horizon: int | str) -> Agent:
    return make_agent("fh-emcts", horizon=horizon)


def horizon_games(
    size: Size, points: int, horizons: Iterable[int], games: int, starts: str = TUNE
) -> list[GameSpec]:
    """FH-EMCTS with some horizons against EMCTS, for one number of action points."""
    pairs = [(horizon_agent(h), make_agent("emcts")) for h in horizons]
    config = GameConfig(action_points=points)
    return paired_games(config, pairs, size.budget, games, starts)


FASTER = "faster models, against EMCTS"
LONGER = "longer horizon, against faster models only"
BOTH = "both, against EMCTS"


def figure6_pairs(points: int) -> dict[str, Pair]:
    """Which part of FH-EMCTS helps: the faster models, the longer horizon, both.

    Where the paper's horizon is the turn itself, both are the faster models alone, and the longer
    horizon would be an agent against itself: then there is but one pair.
    """
    paper, emcts = horizon_agent("paper"), make_agent("emcts")
    if PAPER_HORIZONS.get(points, points) == points:
        return {BOTH: (paper, emcts)}
    turn = horizon_agent(points)
    return {FASTER: (turn, emcts), LONGER: (paper, turn), BOTH: (paper, emcts)}


def figure6(size: Size) -> list[GameSpec]:
    return over_points(size, lambda points: figure6_pairs(points).values())


def figure7(size: Size, opponents: Sequence[str] = FH_OPPONENTS) -> list[GameSpec]:
    """FH-EMCTS with the paper's horizons against the baselines."""
    pairs = [(horizon_agent("paper"), make_agent(name)) for name in opponents]
    return over_points(size, lambda points: pairs)


def emcts(size: Size, opponents: Sequence[str] = EMCTS_OPPONENTS) -> list[GameSpec]:
    """EMCTS, without the flexible horizon, over numbers of action points."""
    pairs = [(make_agent("emcts"), make_agent(name)) for name in opponents]
    return over_points(size, lambda points: pairs)


def complexity(size: Size) -> list[GameSpec]:
    """Games between strong agents, to measure branching factors and lengths on."""
    return paired_games(GameConfig(), _pairs(STRONG_AGENTS), size.budget, size.games)


def searches(size: Size, names: Sequence[str] | None = None) -> list[SearchSpec]:
    """One search of each position by each agent of the papers, outcomes counted."""
    return [
        SearchSpec(position, Player.of(_counting(name), size.budget))
        for name in names or PAPER_AGENTS
        for position in range(size.positions)
    ]


def anytime(size: Size, fractions: Sequence[float] = FRACTIONS) -> list[SearchSpec]:
    """Searches of each position with parts of the budget; of agents with one plan, only one."""
    searching = [name for name in PAPER_AGENTS if name not in ONE_PLAN]
    parts = [replace(size, budgets=(part_of(size.budget, part),)) for part in fractions]
    by_part = [spec for part in parts for spec in searches(part, searching)]
    return [*searches(size, ONE_PLAN), *by_part]


def tenth_budget(size: Size) -> list[GameSpec]:
    """OEP with a tenth of the budget against OEP with all of it."""
    pair = tuple(Player.of("oep", part_of(size.budget, part)) for part in (TENTH, 1))
    return both_ways(GameConfig(), [pair], size.games)


def _counting(name: str) -> Agent:
    """An agent that counts distinct outcomes, if it needs to be told."""
    agent = make_agent(name)
    return make_agent(name, count_outcomes=True) if hasattr(agent, "count_outcomes") else agent


def fh_emcts(size: Size) -> list[GameSpec]:
    """The games of both figures of the FH-EMCTS paper, which share some."""
    return by_start(dict.fromkeys(figure6(size) + figure7(size)))
