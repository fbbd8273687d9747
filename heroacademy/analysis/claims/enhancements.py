"""Claims about the MCTS enhancements, here on top of vanilla MCTS, which is closest to theirs.

Tree Reuse is judged on top of non-exploring MCTS, the one whose trees reach the own next turn.
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from heroacademy.analysis.claims.findings import (
    LEVEL,
    Finding,
    confidence,
    estimates,
    every,
    games_each,
    judges,
    total,
)
from heroacademy.analysis.claims.results import NOTHING, NotMeasured, NotTestable, Results
from heroacademy.analysis.enhancements import ACTS, mean_of, same_games
from heroacademy.experiments import enhancements as design
from heroacademy.experiments.designs import Pair
from heroacademy.experiments.results import between, head_to_head
from heroacademy.paper import Claim
from heroacademy.statistics import (
    AGREES,
    DISAGREES,
    UNDECIDED,
    Interval,
    joint_verdict,
    mean_interval,
    verdict,
)

ENHANCEMENTS, REUSE, BASE = "enhancements", "tree_reuse", "vanilla-mcts"
REUSE_BASE = "nonexploring-mcts"
HARDLY = 0.01  # of a tree's nodes: who keeps fewer hardly reuses trees
KNOWLEDGE, LOSSES, NOVELTY = (
    "knowledge-based evaluations", "loss avoidance", "novelty-based pruning",
)  # fmt: skip
# claim -> the combinations that it is about
COMBINATIONS = {
    "enhancements-all": (design.ALL,),
    "enhancements-la": (LOSSES,),
    "enhancements-nbp": (NOVELTY,),
    "enhancements-ph-nst": (design.BOTH_HISTORIES,),
    "enhancements-ph-nst-alone": (design.HISTORY, design.NGRAMS),
    "enhancements-bfti": (design.INITIALIZATION,),
}


def _match(results: Results, label: str) -> pd.DataFrame:
    """Games of a combination against the plain variant."""
    return head_to_head(results.table(ENHANCEMENTS), *design.pairs(BASE)[label])


@judges(*COMBINATIONS)
def against_plain(results: Results, claim: Claim) -> Finding:
    games, pairs = results.table(ENHANCEMENTS), design.pairs(BASE)
    return _compared(games, {label: pairs[label] for label in COMBINATIONS[claim.id]}, claim)


@judges("enhancements-tree-reuse")
def reuse(results: Results, claim: Claim) -> Finding:
    """Each factor that the paper names, where turns are short, if trees are kept at all."""
    games = results.table(REUSE)
    points = " and ".join(map(str, sorted(games["action_points"].unique())))
    pairs = {
        f"factor {factor}, {points} AP, {REUSE_BASE}": design.reuse_pair(REUSE_BASE, factor)
        for factor in design.REUSE_FACTORS
    }
    for label, pair in pairs.items():
        own = between(games, *pair)
        kept, nodes = (mean_of(own, name) for name in (ACTS["tree reuse"], "nodes"))
        if kept < HARDLY * nodes:
            raise NotTestable(f"{label}: {kept:.2g} of {nodes:,.0f} nodes are kept a turn")
    return _compared(games, pairs, claim)


def _compared(games: pd.DataFrame, pairs: Mapping[str, Pair], claim: Claim) -> Finding:
    """Agents with something against those without it, as long as it ever acts.

    What never acts makes two equal players, whom no number of games tells apart.
    """
    for label, pair in pairs.items():
        own = between(games, *pair)
        if len(own) and same_games(own) == 1:
            raise NotTestable(f"{label}: never acted in {len(own)} games, both players are equal")
    return every({label: head_to_head(games, *pair) for label, pair in pairs.items()}, *claim.limit)


@judges("enhancements-dgd")
def detection(results: Results, claim: Claim) -> Finding:
    match = head_to_head(results.table(ENHANCEMENTS), *design.detection_pair(BASE))
    return every({"all eight": match}, *claim.limit)


@judges("enhancements-constrained")
def constrained(results: Results, claim: Claim) -> Finding:
    match = head_to_head(results.table(ENHANCEMENTS), *design.CONSTRAINED_PAIR)
    return every({"all eight": match}, *claim.limit)


@judges("enhancements-most")
def most(results: Results, claim: Claim) -> Finding:
    """Whether more than half of the eight, each alone, clearly help."""
    shares = estimates({label: _match(results, label) for label in design.EIGHT})
    verdicts = [verdict(share, "above", 0.5) for share in shares.values()]
    help_, harm = verdicts.count(AGREES), verdicts.count(DISAGREES)
    half = len(verdicts) / 2
    found = AGREES if help_ > half else DISAGREES if harm >= half else UNDECIDED
    text = (
        f"{help_} of {len(verdicts)} clearly help, {harm} clearly harm "
        f"({games_each([share.games for share in shares.values()])})"
    )
    return Finding(f"more than {half:g} of {len(verdicts)} above 50 %", text, found, total(shares))


@judges("enhancements-kbe-largest")
def largest(results: Results, claim: Claim) -> Finding:
    """Knowledge-Based Evaluations against two others: points a game, start by start."""
    first = _by_start(_match(results, KNOWLEDGE))
    leads = {}
    for label in (LOSSES, NOVELTY):
        shared = (first - _by_start(_match(results, label))).dropna()
        if len(shared) == 0:
            raise NotMeasured(NOTHING)
        leads[label] = shared
    plain, wide = (
        {label: mean_interval(lead, confidence=level) for label, lead in leads.items()}
        for level in (1 - LEVEL, confidence(len(leads)))
    )
    found = joint_verdict(
        *([verdict(lead, "above", 0) for lead in some.values()] for some in (plain, wide))
    )
    text = "; ".join(f"ahead of {label} by {_points(lead)}" for label, lead in plain.items())
    starts = max(map(len, leads.values()))
    return Finding("ahead of both", f"{text} points ({starts} starts)", found, 2 * starts)


def _by_start(match: pd.DataFrame) -> pd.Series:
    return match.groupby("start")["result"].mean()


def _points(lead: Interval) -> str:
    """
    >>> _points(Interval(0.05, -0.01, 0.11))
    '+5.0 [-1.0, +11.0]'
    """
    value, low, high = (f"{100 * x:+.1f}" for x in (lead.value, lead.low, lead.high))
    return f"{value} [{low}, {high}]"
