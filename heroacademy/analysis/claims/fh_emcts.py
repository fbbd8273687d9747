"""Claims of the FH-EMCTS paper: horizons, parts of the agent, baselines."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

import pandas as pd

from heroacademy import paper
from heroacademy.analysis.claims.findings import (
    LEVEL,
    Finding,
    as_printed,
    every,
    judges,
    pooled,
    slopes,
)
from heroacademy.analysis.claims.results import HORIZON, TUNING, NotMeasured, Results
from heroacademy.analysis.horizons import (
    beside_the_paper,
    best_horizons,
    not_worse,
    ranges,
    show_ranges,
)
from heroacademy.experiments.designs import (
    BOTH,
    FASTER,
    FH_OPPONENTS,
    LONGER,
    figure6_pairs,
    horizon_agent,
)
from heroacademy.experiments.horizons import horizons_of
from heroacademy.paper import Claim
from heroacademy.statistics import (
    AGREES,
    DISAGREES,
    UNDECIDED,
    Verdict,
    joint_verdict,
)

FH, EMCTS, NONEXPLORING = "fh_emcts", "emcts", "nonexploring-mcts"
VERY_FEW, FEW, MOST = 3, 5, 13  # action points


def _part(results: Results, part: str, points: Iterable[int]) -> dict[int, pd.DataFrame]:
    """Games of a part of Fig. 6 at those numbers of action points that have it."""
    pairs = {n: figure6_pairs(n) for n in points}
    same = {FASTER: BOTH, BOTH: BOTH}.get(part, part)  # where the paper's horizon is the turn
    return {
        n: results.match(FH, *own[part if part in own else same], n)
        for n, own in pairs.items()
        if same in own
    }


# --- Table 1 --------------------------------------------------------------------------------


def _winners(results: Results, least: int = 0) -> dict[int, pd.DataFrame]:
    """Games of the tuned horizon against EMCTS, on fresh starts, by action points."""
    points = results.points(HORIZON, least)
    if not results.best:
        raise NotMeasured("the tuning of horizons is not finished")
    return {n: results.match(HORIZON, horizon_agent(results.best[n]), EMCTS, n) for n in points}


@judges("horizon-win-rates")
def printed_rates(results: Results, claim: Claim) -> Finding:
    best = {points: results.best[points] for points in _winners(results)}
    compared = beside_the_paper(best_horizons(results.table(HORIZON), best))
    labels = [f"{points} AP" for points in compared["action_points"]]
    return as_printed(compared, labels, paper.numbers("horizons")["games"])


@judges("horizon-always-better")
def always_better(results: Results, claim: Claim) -> Finding:
    parts = {f"{n} AP": match for n, match in _winners(results).items()}
    return every(parts, *claim.limit)


@judges("horizon-best", "horizon-only-turn")
def best_horizon(results: Results, claim: Claim) -> Finding:
    """Whether the claimed horizons, the paper's or the turn itself, still may be the best.

    That they may is worth little where most others may be, too. A horizon that was not tried says
    nothing.
    """
    only_turn = claim.id == "horizon-only-turn"
    printed = paper.horizons()["horizon"]
    tuned = results.points(HORIZON, MOST if only_turn else 0)
    points = [n for n in tuned if only_turn or n in printed.index]
    if not points:
        raise NotMeasured("the paper has no horizons for these numbers of action points")
    claimed = {n: n if only_turn else int(printed[n]) for n in points}
    plain, wide = (_not_worse(results, points, x) for x in (LEVEL, LEVEL / len(points)))
    tried = {n: horizons_of(results.size(HORIZON), n) for n in points}
    verdicts = [
        [_standing(claimed[n], some[n], tried[n]) for n in points] for some in (plain, wide)
    ]
    text = "; ".join(
        f"{n} AP: h = {results.best[n]}, not shown worse {ranges(plain[n])}, claimed {claimed[n]}"
        for n in points
    )
    games = len(results.table(TUNING)[results.table(TUNING)["action_points"].isin(points)])
    rule = (
        "each claimed horizon not shown to be worse than our best (signed-rank test, Holm) while "
        "at least half of those tried are; disagrees if one is shown to be worse"
    )
    return Finding(rule, f"{text} ({games} games of the tuning)", joint_verdict(*verdicts), games)


def _not_worse(
    results: Results, points: Iterable[int], level: float = LEVEL
) -> dict[int, list[int]]:
    """The horizons that the tuning does not show to be worse than the best."""
    if not results.best:
        raise NotMeasured("the tuning of horizons is not finished")
    best = {n: results.best[n] for n in points if n in results.best}
    return not_worse(results.table(TUNING), results.size(HORIZON), best, level)


def _standing(claimed: int, close: Collection[int], tried: Collection[int]) -> Verdict:
    """
    >>> _standing(7, [6, 7], range(5, 10)), _standing(9, [6, 7], range(5, 10))
    ('agrees', 'disagrees')
    >>> _standing(7, [6, 7, 8], range(5, 10)), _standing(99, [6, 7], range(5, 10))
    ('undecided at this size', 'undecided at this size')
    """
    if claimed in tried and claimed not in close:
        return DISAGREES
    return AGREES if claimed in close and 2 * len(close) <= len(tried) else UNDECIDED


@judges("horizon-beyond-turn")
def beyond_turn(results: Results, claim: Claim) -> Finding:
    """The paper's horizon, beyond the turn, directly against the turn itself."""
    points = results.points(FH, most=FEW)
    parts = {f"{n} AP": match for n, match in _part(results, LONGER, points).items()}
    found = every(parts, "above", 0.5)
    text = f"the longer horizon against h = AP: {found.measured}"
    if results.best and results.has(TUNING):
        close = show_ranges(_not_worse(results, points))
        text += f"; in the tuning not shown to be worse than the best: {close}"
    return Finding(found.rule, text, found.verdict, found.games)


# --- Fig. 6 and Fig. 7 ----------------------------------------------------------------------


@judges("figure6-models", "figure6-horizon")
def part_over_points(results: Results, claim: Claim) -> Finding:
    part = FASTER if claim.id == "figure6-models" else LONGER
    return slopes({part: _part(results, part, results.points(FH))}, claim.relation)


@judges("figure7-all")
def all_baselines(results: Results, claim: Claim) -> Finding:
    fh = horizon_agent("paper")
    return every(results.matches(FH, fh, FH_OPPONENTS, results.points(FH)), *claim.limit)


@judges("figure7-greedy-action")
def greedy_action(results: Results, claim: Claim) -> Finding:
    fh = horizon_agent("paper")
    points = results.points(FH)
    return every(
        {f"{n} AP": results.match(FH, "greedy-action", fh, n) for n in points}, *claim.limit
    )


@judges("figure7-emcts-weakness")
def weakness(results: Results, claim: Claim) -> Finding:
    points = results.points(EMCTS, most=VERY_FEW)
    parts = {f"{n} AP": results.match(EMCTS, EMCTS, NONEXPLORING, n) for n in points}
    return pooled(parts, *claim.limit)


@judges("figure7-weakness-gone")
def weakness_gone(results: Results, claim: Claim) -> Finding:
    fh = horizon_agent("paper")
    points = results.points(FH, most=VERY_FEW)
    return pooled({f"{n} AP": results.match(FH, fh, NONEXPLORING, n) for n in points}, *claim.limit)


@judges("emcts-oep")
def emcts_oep(results: Results, claim: Claim) -> Finding:
    """OEP is the greedy one, which that paper has as its baseline."""
    points = results.points(EMCTS)
    parts = {f"{n} AP": results.match(EMCTS, EMCTS, "greedy-oep", n) for n in points}
    found = pooled(parts, *claim.limit)
    return replace(found, measured=f"against greedy-oep {found.measured}")
