"""Claims about Table II and Table III of the OEP paper."""

from __future__ import annotations

from heroacademy import paper
from heroacademy.analysis import table2
from heroacademy.analysis.claims.findings import (
    LEVEL,
    Finding,
    as_printed,
    confidence,
    every,
    judges,
)
from heroacademy.analysis.claims.results import NotMeasured, NotTestable, Results
from heroacademy.experiments.designs import OEP_AGENTS
from heroacademy.experiments.results import points_by_start
from heroacademy.paper import Claim
from heroacademy.statistics import (
    AGREES,
    DISAGREES,
    bradley_terry,
    joint_verdict,
    signed_rank_test,
    verdict,
)

TABLE2 = "table2"
BEST = "nonexploring-mcts"
# claim -> the pairs that it is about
PAIRS = {
    "table2-random": [(name, "random") for name in OEP_AGENTS[1:]],
    "table2-nonexploring-oep": [(BEST, "oep")],
    "table2-nonexploring-bb": [(BEST, "bb-mcts")],
    "table2-oep-bb": [("oep", "bb-mcts")],
    "table2-vanilla-greedy-action": [("vanilla-mcts", "greedy-action")],
    "table2-constrained-vanilla": [(BEST, "vanilla-mcts"), ("bb-mcts", "vanilla-mcts")],
    "table2-oep-vanilla": [("oep", "vanilla-mcts")],
    "table2-strong-greedy-turn": [(name, "greedy-turn") for name in ("oep", BEST, "bb-mcts")],
}


@judges(*PAIRS)
def shares(results: Results, claim: Claim) -> Finding:
    """The share of wins of one or several pairs."""
    pairs = PAIRS[claim.id]
    return every(
        {first: results.match(TABLE2, first, second) for first, second in pairs}, *claim.limit
    )


@judges("table2-pairs")
def printed_pairs(results: Results, claim: Claim) -> Finding:
    """All pairs beside the printed numbers, of which either reading counts."""
    table = table2.compare_with_paper(results.table(TABLE2), OEP_AGENTS)
    return as_printed(table, table2.labels(table), paper.numbers("table2")["games"])


@judges("table2-nonexploring-best")
def best_rating(results: Results, claim: Claim) -> Finding:
    """The lead in Elo over every other agent."""
    games = results.table(TABLE2)
    names = list(OEP_AGENTS)
    ratings = bradley_terry(points_by_start(games, names))
    others = [i for i, name in enumerate(names) if name != BEST]
    if not all(ratings.games):
        raise NotMeasured("games of some agents are not stored")
    own = names.index(BEST)
    plain, wide = (
        {names[i]: ratings.lead(own, i, level) for i in others}
        for level in (1 - LEVEL, confidence(len(others)))
    )
    closest = min(plain, key=lambda name: plain[name].value)
    lead = plain[closest]
    found = joint_verdict(
        *([verdict(x, "above", 0) for x in some.values()] for some in (plain, wide))
    )
    text = (
        f"{lead.value:+.0f} [{lead.low:+.0f}, {lead.high:+.0f}] Elo against the strongest other, "
        f"{closest} ({len(games)} games of all pairs)"
    )
    return Finding("its rating above that of each other agent", text, found, len(games))


@judges("table2-significance")
def significance(results: Results, claim: Claim) -> Finding:
    """What the test needs in 100 games, between unrelated games and starts that decide all."""
    starts = paper.numbers("table2")["games"] // 2
    fewest, most = least_significant(starts // 2, starts), least_significant(starts, starts)
    text = (
        f"arithmetic, no games: {100 * fewest:.0f} % where half of the starts are won with both "
        f"sides, as between unrelated games, up to {100 * most:.0f} % where all are"
    )
    found = AGREES if fewest <= claim.value <= most else DISAGREES
    return Finding(f"{100 * claim.value:.0f} % within what the test needs", text, found)


def least_significant(decided: int, starts: int) -> float:
    """Least share of wins that is significant if so many starts are won or lost with both sides.

    >>> least_significant(25, 50), least_significant(50, 50)
    (0.61, 0.66)
    """
    for won in range(decided // 2, decided + 1):
        lost = decided - won
        if won > lost and signed_rank_test([2] * won + [-2] * lost) < LEVEL:
            return round(0.5 + (won - lost) / (2 * starts), 6)
    raise ValueError(f"decided is {decided}: use 6 or more, fewer are never significant")


@judges("table3-people")
def against_people(results: Results, claim: Claim) -> Finding:
    raise NotTestable("people would have to play")


@judges("table3-percentage")
def people(results: Results, claim: Claim) -> Finding:
    """The percentage that the printed counts give."""
    row = paper.table3().loc["all"]
    share = row["wins_finished"] / row["games_finished"]
    text = (
        f"arithmetic, no games: {row['wins_finished']} / {row['games_finished']} "
        f"is {100 * share:.1f} %"
    )
    same = round(100 * share) == round(100 * claim.value)
    rule = "the printed counts give the printed percentage"
    return Finding(rule, text, AGREES if same else DISAGREES)
