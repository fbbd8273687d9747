"""Claims of the FH-EMCTS paper: horizons, parts of the agent, baselines."""

from __future__ import annotations

import pandas as pd

from heroacademy import paper
from heroacademy.analysis.claims.findings import (
    LEVEL,
    Finding,
    as_printed,
    every,
    judges,
    pooled,
    share_of,
    slopes,
)
from heroacademy.analysis.claims.results import HORIZON, NotMeasured, Results
from heroacademy.analysis.horizons import beside_the_paper, best_horizons
from heroacademy.experiments.designs import (
    BOTH,
    FASTER,
    FH_OPPONENTS,
    LONGER,
    figure6_pairs,
    horizon_agent,
)
from heroacademy.paper import Claim
from heroacademy.statistics import (
    AGREES,
    DISAGREES,
    UNDECIDED,
    Estimate,
    agreement,
    holm,
    joint_verdict,
)

FH, EMCTS, NONEXPLORING = "fh_emcts", "emcts", "nonexploring-mcts"
VERY_FEW, FEW, MOST = 3, 5, 13  # action points


def _part(results: Results, part: str, points: int) -> pd.DataFrame:
    """Games of a part of Fig. 6 at a number of action points."""
    return results.match(FH, *figure6_pairs(points)[part], points)


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
    """Our best horizon beside another: the paper's, or the turn itself.

    Where they differ, both have played EMCTS from the same fresh starts; the other horizon is
    refuted if it won significantly less. A best horizon has no interval of its own.
    """
    only_turn = claim.id == "horizon-only-turn"
    winners = _winners(results, MOST if only_turn else 0)
    tuned = {n: share_of(match) for n, match in winners.items()}
    others = {n: n if only_turn else int(paper.horizons()["horizon"][n]) for n in tuned}
    part = FASTER if only_turn else BOTH
    p = holm([_beaten(results, n, tuned[n], part) for n in tuned])
    verdicts = [
        AGREES if results.best[n] == others[n] else DISAGREES if p_value < LEVEL else UNDECIDED
        for n, p_value in zip(tuned, p, strict=True)
    ]
    text = "; ".join(
        f"{n} AP: h = {results.best[n]}" + ("" if h == results.best[n] else f", claimed {h}")
        for n, h in others.items()
    )
    rule = "the same horizon; at odds if the claimed one wins significantly less (Fisher, Holm)"
    games = sum(share.games for share in tuned.values())
    return Finding(rule, f"{text} ({games} games)", joint_verdict(verdicts), games)


def _beaten(results: Results, points: int, tuned: Estimate, part: str) -> float:
    """P value of a horizon of Fig. 6 winning as much against EMCTS as the tuned one."""
    if not results.has(FH):
        return 1.0
    other = share_of(_part(results, part, points))
    if other.games == 0 or other.value >= tuned.value:
        return 1.0
    return agreement(tuned, [other.value], other.games)


@judges("horizon-beyond-turn")
def beyond_turn(results: Results, claim: Claim) -> Finding:
    """The paper's horizon, beyond the turn, directly against the turn itself."""
    points = results.points(FH, most=FEW)
    parts = {f"{n} AP": _part(results, LONGER, n) for n in points}
    found = every(parts, "above", 0.5)
    best = ", ".join(f"{results.best[n]} at {n} AP" for n in points if n in results.best)
    text = f"the longer horizon against h = AP: {found.measured}"
    text += f"; best in the tuning: h = {best}" if best else ""
    return Finding(found.rule, text, found.verdict, found.games)


# --- Fig. 6 and Fig. 7 ----------------------------------------------------------------------


@judges("figure6-models", "figure6-horizon")
def part_over_points(results: Results, claim: Claim) -> Finding:
    part = FASTER if claim.id == "figure6-models" else LONGER
    return slopes({part: {n: _part(results, part, n) for n in results.points(FH)}}, claim.relation)


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
    points = results.points(EMCTS)
    return pooled(
        {f"{n} AP": results.match(EMCTS, EMCTS, "greedy-oep", n) for n in points}, *claim.limit
    )
