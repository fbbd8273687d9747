"""What intervals say about a claim."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal

from heroacademy.errors import one_of
from heroacademy.statistics.shares import Interval

Verdict = Literal["agrees", "disagrees", "undecided at this size"]
AGREES: Verdict = "agrees"
DISAGREES: Verdict = "disagrees"
UNDECIDED: Verdict = "undecided at this size"


def verdict(ours: Interval, relation: str, value: float = 0.5, tolerance: float = 0.1) -> Verdict:
    """What an interval says about a claim that a number is "above", "below" or "about" a value.

    A claim agrees if the whole interval fulfils it and disagrees if no part of it does. "About"
    means no further from the value than the tolerance. An interval that only touches the limit
    leaves a claim undecided.

    >>> from heroacademy.statistics import Estimate
    >>> clear, close = Estimate(0.7, 0.6, 0.78, 100), Estimate(0.55, 0.46, 0.64, 100)
    >>> verdict(clear, "above"), verdict(clear, "below"), verdict(close, "above")
    ('agrees', 'disagrees', 'undecided at this size')
    >>> verdict(clear, "about", 0.3), verdict(close, "about", 0.55)
    ('disagrees', 'agrees')
    """
    one_of("relation", relation, ("above", "below", "about"))
    least = {"above": value, "below": -math.inf, "about": value - tolerance}[relation]
    most = {"above": math.inf, "below": value, "about": value + tolerance}[relation]
    inside = ours.low > least and ours.high < most
    outside = ours.high < least or ours.low > most
    return AGREES if inside else DISAGREES if outside else UNDECIDED


def joint_verdict(verdicts: Iterable[Verdict], widened: Iterable[Verdict] | None = None) -> Verdict:
    """Verdict on a claim of several parts, which has to hold in every one of them.

    Among many parts chance alone makes one disagree: for them give also the verdicts by `widened`
    intervals, of confidence 1 - 0.05 / parts (Bonferroni), one of which has to disagree. For
    agreement the plain intervals do: where the claim is wrong, the part that is wrong would have
    to agree, and it does so by chance in less than 5 % of cases, however many others there are.

    >>> joint_verdict(["agrees", "undecided at this size"])
    'undecided at this size'
    >>> joint_verdict(["agrees", "disagrees"], widened=["agrees", "undecided at this size"])
    'undecided at this size'
    """
    found = set(verdicts)
    if DISAGREES in (found if widened is None else set(widened)):
        return DISAGREES
    return AGREES if found == {AGREES} else UNDECIDED
