"""Claims about what searches do within their budget."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas as pd

from heroacademy import paper
from heroacademy.analysis.characteristics import with_statistics
from heroacademy.analysis.claims.findings import (
    LEVEL,
    Finding,
    about_number,
    confidence,
    every,
    judges,
    show_number,
)
from heroacademy.analysis.claims.results import NOTHING, NotMeasured, Results
from heroacademy.experiments.results import smaller_budget
from heroacademy.paper import Claim
from heroacademy.statistics import Interval, joint_verdict, mean_interval, verdict

SEARCHES = "characteristics"
VANILLA = "vanilla-mcts"
FAR_MORE = 2  # times as many, at least
ORDER = ("greedy-turn", "oep", VANILLA)  # from many outcomes to few
# claim -> agent and column of its statistics
NUMBERS = {
    "search-outcomes-greedy-turn": ("greedy-turn", "unique_outcomes"),
    "search-outcomes-oep": ("oep", "unique_outcomes"),
    "search-outcomes-mcts": (VANILLA, "unique_outcomes"),
    "search-depth": (VANILLA, "mean_leaf_depth"),
    "search-deepest": (VANILLA, "max_leaf_depth"),
    "search-iterations": (VANILLA, "iterations"),
    "search-generations": ("oep", "generations"),
}
# these count what the calls of the budget allow: another number of calls for each of the paper's
# seconds would change them as much
OF_CONVERSION = ("search-iterations", "search-generations")


def _of_agent(results: Results, agent: str) -> pd.DataFrame:
    """The stored searches of an agent, by position."""
    searches = results.table(SEARCHES)
    own = searches[searches["agent"] == agent]
    if len(own) == 0:
        raise NotMeasured(NOTHING)
    return with_statistics(own).set_index("position")


def _need_papers_budget(results: Results) -> None:
    """What a search reaches depends on its budget: only the paper's can be compared."""
    calls = results.size(SEARCHES).budget.fm_calls
    seconds = paper.numbers("search_characteristics")["seconds"]
    printed = seconds * paper.numbers("budgets")["calls_a_second"]
    if calls not in (None, printed):
        raise NotMeasured(
            f"needs the paper's budget, {printed:,} calls a turn; this profile has {calls:,}"
        )


@judges(*NUMBERS)
def number(results: Results, claim: Claim) -> Finding:
    """A mean over positions."""
    _need_papers_budget(results)
    agent, column = NUMBERS[claim.id]
    values = _of_agent(results, agent)[column]
    found = about_number(mean_interval(values), claim.value, len(values), "positions")
    if claim.id in OF_CONVERSION:
        calls = paper.numbers("budgets")["calls_a_second"]
        told = f"{found.measured}; only tells how {calls:,} calls stand for a second"
        return replace(found, measured=told)
    return found


@judges("search-outcomes-order")
def order(results: Results, claim: Claim) -> Finding:
    """How many times as many outcomes one agent sees as the next, position by position."""
    outcomes = {
        name: np.log2(_of_agent(results, name)["unique_outcomes"].clip(lower=1)) for name in ORDER
    }
    steps = list(pairwise(ORDER))
    plain, wide = (
        {
            f"{more} / {fewer}": mean_interval(outcomes[more] - outcomes[fewer], confidence=level)
            for more, fewer in steps
        }
        for level in (1 - LEVEL, confidence(len(steps)))
    )
    limit = float(np.log2(FAR_MORE))
    found = joint_verdict(
        *([verdict(x, "above", limit) for x in some.values()] for some in (plain, wide))
    )
    text = "; ".join(f"{label} {_times(factor)}" for label, factor in plain.items())
    positions = max(map(len, outcomes.values()))
    rule = f"each at least {FAR_MORE} times the next, geometric mean"
    return Finding(rule, f"{text} ({positions} positions)", found, positions)


def _times(log2: Interval) -> str:
    value, low, high = (show_number(float(2**x)) for x in (log2.value, log2.low, log2.high))
    return f"{value} [{low}, {high}]" if np.isfinite(log2.low) else f"{value}, no interval"


@judges("search-oep-converges")
def converges(results: Results, claim: Claim) -> Finding:
    """After which part of its calls, as many a generation, OEP has found its best plan."""
    _need_papers_budget(results)
    own = results.table(SEARCHES)
    own = own[(own["agent"] == "oep") & (own["curve"] != "[]")]
    if len(own) == 0:
        raise NotMeasured(NOTHING)
    shares = mean_interval([share_to_best(json.loads(curve)) for curve in own["curve"]])
    found = verdict(shares, claim.relation, claim.value)
    interval = f" [{100 * shares.low:.0f}, {100 * shares.high:.0f}]" if len(own) > 1 else ""
    text = (
        f"the best plan is found within {100 * shares.value:.0f} %{interval} of the budget "
        f"({len(own)} positions)"
    )
    return Finding(f"{claim.relation} {100 * claim.value:g} %", text, found, len(own))


def share_to_best(curve: list[tuple[int, float]]) -> float:
    """Calls until the best value was there, as a share of all; at most a third too late.

    >>> share_to_best([(10, 1.0), (50, 2.0), (75, 2.0), (100, 2.0)])
    0.5
    """
    best = max(value for _, value in curve)
    return next(calls for calls, value in curve if value == best) / curve[-1][0]


@judges("search-oep-budget")
def tenth_budget(results: Results, claim: Claim) -> Finding:
    return every({"oep": smaller_budget(results.table("tenth_budget"))}, *claim.limit)
