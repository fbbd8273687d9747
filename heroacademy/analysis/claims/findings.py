"""From numbers to findings: what was measured, in words, and what it says about a claim.

A claim of several parts has to hold in every one of them. It agrees if the 95 % interval of each
does, and disagrees if the interval of one does that is widened for their number: `joint_verdict`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from heroacademy.analysis import printed
from heroacademy.analysis.claims.results import NOTHING, NotMeasured, Results
from heroacademy.analysis.matches import share_of, show_points
from heroacademy.paper import Claim
from heroacademy.statistics import (
    AGREES,
    DISAGREES,
    LEVEL,
    TOLERANCE,
    UNDECIDED,
    Estimate,
    Interval,
    confidence,
    joint_verdict,
    mean_share,
    trend,
    verdict,
)

FEW = 4  # parts that are listed one by one

# what a number beside a printed one says about the claim that they are the same, if it could tell
SAID_OF_CLAIM = {
    printed.DIFFERS: DISAGREES,
    printed.NO_DIFFERENCE: AGREES,
    printed.OPEN: UNDECIDED,
}

Parts = Mapping[str, pd.DataFrame]  # games of each part, as `head_to_head` gives them


@dataclass(frozen=True)
class Finding:
    """What was measured for a claim.

    rule: what counts as agreement
    games: games, or searched positions, behind it
    """

    rule: str
    measured: str
    verdict: str
    games: int = 0


Judge = Callable[[Results, Claim], Finding]
JUDGES: dict[str, Judge] = {}


def judges(*ids: str) -> Callable[[Judge], Judge]:
    """Register a function as the judge of claims."""

    def register(judge: Judge) -> Judge:
        JUDGES.update(dict.fromkeys(ids, judge))
        return judge

    return register


# --- shares of wins -------------------------------------------------------------------------


def every(parts: Parts, relation: str, value: float) -> Finding:
    """A share of wins in each part, against a limit."""
    shares = estimates(parts)
    plain, wide = (
        {label: verdict(share, relation, value, TOLERANCE) for label, share in some.items()}
        for some in (shares, estimates(parts, confidence(len(parts))))
    )
    rule = ("each " if len(parts) > 1 else "") + share_rule(relation, value)
    text = _list_shares(shares) if len(parts) <= FEW else _count_shares(shares, plain, wide)
    found = joint_verdict(plain.values(), wide.values())
    return Finding(rule, text, found, total(shares))


def pooled(parts: Parts, relation: str, value: float, tolerance: float = TOLERANCE) -> Finding:
    """The mean share of wins over all parts, each of the same weight, against a limit."""
    shares = estimates(parts)
    together = mean_share([share for share in shares.values() if share.games])
    text = str(together)
    if len(parts) > 1:
        each = ", ".join(f"{label} {_value(share)}" for label, share in shares.items())
        text += f": {each}"
    found = verdict(together, relation, value, tolerance)
    rule = share_rule(relation, value, tolerance)
    rule += ", their mean" if len(parts) > 1 else ""
    return Finding(rule, text, found, together.games)


def as_printed(compared: pd.DataFrame, labels: Sequence[str], of_paper: int) -> Finding:
    """Shares of wins beside those that a paper prints, of so many games, from a table with both."""
    games = int(compared["games"].sum())
    if games == 0:
        raise NotMeasured(NOTHING)
    text = printed.summary(compared, labels, of_paper)
    found = joint_verdict(SAID_OF_CLAIM[one] for one in compared["verdict"])
    if found == AGREES and printed.least_found(compared["games"], of_paper) > printed.TELLING:
        found = UNDECIDED
    return Finding(printed.RULE, text, found, games)


def slopes(lines: Mapping[str, Mapping[int, pd.DataFrame]], direction: str) -> Finding:
    """Whether shares of wins rise (or fall) with action points, for each of several lines."""
    one_share = {
        label: {n: share_of(match) for n, match in line.items()} for label, line in lines.items()
    }
    plain, wide = (
        {label: _slope(line, level) for label, line in one_share.items()}
        for level in (1 - LEVEL, confidence(len(lines)))
    )
    if not all(plain.values()):
        raise NotMeasured("games of at least two numbers of action points are needed")
    relation = {"rising": "above", "falling": "below"}[direction]
    found = joint_verdict(
        *([verdict(s, relation, 0) for s in some.values()] for some in (plain, wide))
    )
    text = "; ".join(f"{label} {show_points(slope)}" for label, slope in plain.items())
    counts = [share.games for line in one_share.values() for share in line.values()]
    rule = f"{'each ' if len(lines) > 1 else ''}{direction} by the slope of a straight line"
    measured = f"points for each doubling of AP: {text} ({games_each(counts, 'point')})"
    return Finding(rule, measured, found, sum(counts))


def _slope(line: Mapping[int, Estimate], level: float) -> Interval | None:
    return trend([math.log2(points) for points in line], list(line.values()), level)


def estimates(parts: Parts, level: float = 0.95) -> dict[str, Estimate]:
    """The share of wins of each part."""
    shares = {label: share_of(match, level) for label, match in parts.items()}
    if not any(share.games for share in shares.values()):
        raise NotMeasured(NOTHING)
    return shares


def total(shares: Mapping[str, Estimate]) -> int:
    return sum(share.games for share in shares.values())


# --- words ----------------------------------------------------------------------------------


def share_rule(relation: str, value: float, tolerance: float = TOLERANCE) -> str:
    """
    >>> share_rule("above", 0.62), share_rule("about", 0.5)
    ('above 62 %', 'between 40 and 60 %')
    """
    if relation == "about":
        return f"between {100 * (value - tolerance):g} and {100 * (value + tolerance):g} %"
    return f"{relation} {100 * value:g} %"


def show_share(share: Estimate) -> str:
    """
    >>> from heroacademy.statistics import win_rate
    >>> show_share(win_rate([1, 0] * 50)), show_share(win_rate([]))
    ('50.0 % [40.4, 59.6]', 'no games')
    """
    return str(share).rsplit(" (")[0] if share.games else "no games"


def _value(share: Estimate) -> str:
    return f"{100 * share.value:.0f} %" if share.games else "no games"


def games_each(counts: Sequence[int], part: str = "part") -> str:
    """
    >>> games_each([100]), games_each([46, 48]), games_each([100, 100], "point")
    ('100 games', '46 to 48 games a part', '100 games a point')
    """
    if len(counts) == 1:
        return f"{counts[0]} games"
    least, most = min(counts), max(counts)
    return f"{least if least == most else f'{least} to {most}'} games a {part}"


def _list_shares(shares: Mapping[str, Estimate]) -> str:
    if len(shares) == 1:
        return str(next(iter(shares.values())))
    text = "; ".join(f"{label} {show_share(share)}" for label, share in shares.items())
    return f"{text} ({games_each([share.games for share in shares.values()])})"


def _count_shares(
    shares: Mapping[str, Estimate], plain: Mapping[str, str], wide: Mapping[str, str]
) -> str:
    """In how many parts a claim holds, in which it fails, and the extremes."""
    holds = sum(found == AGREES for found in plain.values())
    fails = [label for label, found in wide.items() if found == DISAGREES]
    fails = sorted(fails, key=lambda label: abs(shares[label].value - 0.5), reverse=True)
    shown = "; ".join(f"{label} {show_share(shares[label])}" for label in fails[:FEW])
    more = f"; {len(fails) - FEW} more" if len(fails) > FEW else ""
    texts = [f"holds in {holds} of {len(shares)} parts"]
    texts += [f"fails in {len(fails)} ({shown}{more})"] if fails else []
    texts += [f"{_extremes(shares)} ({games_each([share.games for share in shares.values()])})"]
    return "; ".join(texts)


def _extremes(shares: Mapping[str, Estimate]) -> str:
    played = {label: share for label, share in shares.items() if share.games}
    low, high = (f(played, key=lambda label: played[label].value) for f in (min, max))
    if played[low].value == played[high].value:
        return f"all {_value(played[low])}"
    return " to ".join(f"{show_share(played[label])} ({label})" for label in (low, high))


# --- other numbers --------------------------------------------------------------------------


def about_number(ours: Interval, printed: float, count: int, unit: str) -> Finding:
    """A mean against a printed number, 10 % of which is the tolerance."""
    found = verdict(ours, "about", printed, TOLERANCE * printed)
    rule = f"within 10 % of {show_number(printed)}"
    return Finding(rule, f"{show_interval(ours)} ({count} {unit})", found, count)


def show_number(value: float) -> str:
    """
    >>> show_number(579912), show_number(4.86), show_number(60), show_number(41.27)
    ('579,912', '4.86', '60', '41.3')
    """
    if float(value).is_integer() or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.2f}" if abs(value) < 10 else f"{value:.1f}"


def show_interval(ours: Interval) -> str:
    """
    >>> show_interval(Interval(5.1234, 4.9, 5.3)), show_interval(Interval(5.5, -math.inf, math.inf))
    ('5.12 [4.90, 5.30]', '5.50, no interval')
    """
    if math.isinf(ours.low):
        return f"{show_number(ours.value)}, no interval"
    low, high = show_number(ours.low), show_number(ours.high)
    return f"{show_number(ours.value)} [{low}, {high}]"
