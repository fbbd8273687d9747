"""Statistics of games: numbers with their intervals, from arrays of results.

A result is 1 for a win, 0.5 for a draw and 0 for a loss, all for the same agent. Win rates are
shares from 0 to 1. Nothing here knows where results come from or how they are drawn.
"""

from heroacademy.statistics.ratings import Ratings, bradley_terry
from heroacademy.statistics.shares import (
    Estimate,
    Interval,
    difference,
    mean_interval,
    mean_share,
    trend,
    wilson,
    win_rate,
)
from heroacademy.statistics.significance import (
    agreement,
    binomial_test,
    detectable,
    holm,
    pair_differences,
    signed_rank_test,
)
from heroacademy.statistics.verdicts import (
    AGREES,
    DISAGREES,
    LEVEL,
    TOLERANCE,
    UNDECIDED,
    Verdict,
    confidence,
    joint_verdict,
    verdict,
)

__all__ = [
    "AGREES",
    "DISAGREES",
    "LEVEL",
    "TOLERANCE",
    "UNDECIDED",
    "Estimate",
    "Interval",
    "Ratings",
    "Verdict",
    "agreement",
    "binomial_test",
    "bradley_terry",
    "confidence",
    "detectable",
    "difference",
    "holm",
    "joint_verdict",
    "mean_interval",
    "mean_share",
    "pair_differences",
    "signed_rank_test",
    "trend",
    "verdict",
    "wilson",
    "win_rate",
]
