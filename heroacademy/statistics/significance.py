"""Tests: is the difference more than chance?"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import binomtest, fisher_exact, norm, rankdata

from heroacademy.statistics.shares import Estimate, checked_results, sums_of


def pair_differences(results: ArrayLike, starts: ArrayLike) -> NDArray[np.float64]:
    """For each start an agent's points minus its opponent's, in the order of the labels.

    >>> pair_differences([1, 1, 0, 1, 0.5, 0], starts=[7, 7, 8, 8, 9, 9])
    array([ 2.,  0., -1.])
    """
    return sums_of(2 * checked_results(results) - 1, starts)


def signed_rank_test(differences: ArrayLike) -> float:
    """Exact two-sided p value of Wilcoxon's signed-rank test, one difference for each start.

    Zeros are left out, as Wilcoxon did; if nothing is left the p value is 1. Differences of the
    same size share the mean of their ranks. Most are +-2, so ties are the rule, and there the
    normal approximation finds too much: 17 pluses and 7 minuses get 0.041 from it.

    >>> signed_rank_test([2, 2, 2, 2, 2, 0])
    0.0625
    >>> round(signed_rank_test([2] * 17 + [-2] * 7), 3)
    0.064
    """
    differences = np.asarray(differences, float)
    differences = differences[differences != 0]
    ranks = (2 * rankdata(np.abs(differences))).astype(int)  # doubled: a mean may be a half
    ranks //= np.gcd.reduce(ranks)  # all are 1 where all differences are of one size
    plus, minus = ranks[differences > 0].sum(), ranks[differences < 0].sum()
    return min(1.0, 2 * _chance_up_to(min(plus, minus), ranks))


def _chance_up_to(limit: int, ranks: NDArray[np.int64]) -> float:
    """Chance that ranks, each taken or not as a coin falls, have a sum of at most the limit."""
    chances = np.zeros(limit + 1)  # of each sum so far; larger ones never come back
    chances[0] = 1
    for rank, most in zip(ranks, np.cumsum(ranks), strict=True):
        reached = chances[: most + 1]
        reached *= 0.5
        reached[rank:] += reached[:-rank]
    return float(chances.sum())


def binomial_test(results: ArrayLike) -> float:
    """Exact two-sided p value of the wins against one half.

    It takes games as independent, which games from the same start are not: `signed_rank_test` has
    starts instead of games. Draws are left out, as ties are in a sign test: they say nothing about
    who is better. If all games are draws, or there are none, the p value is 1.

    >>> binomial_test([1, 1, 1, 1, 1, 0.5])
    0.0625
    """
    results = checked_results(results)
    wins, losses = int(np.sum(results == 1)), int(np.sum(results == 0))
    return float(binomtest(wins, wins + losses).pvalue) if wins + losses else 1.0


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """P values corrected for their number by Holm's step-down method, in the given order.

    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    p_values = np.asarray(p_values, float)
    if p_values.ndim != 1 or not np.all((p_values >= 0) & (p_values <= 1)):
        raise ValueError("p values have to be a list of numbers from 0 to 1")
    order = np.argsort(p_values, kind="stable")
    factors = np.arange(p_values.size, 0, -1)
    corrected = np.empty_like(p_values)
    corrected[order] = np.minimum(np.maximum.accumulate(factors * p_values[order]), 1)
    return corrected


def agreement(ours: Estimate, readings: Sequence[float], games: int) -> float:
    """P value of our share of wins being that of a paper with its own number of games.

    Fisher's exact test of two proportions: sound for few games and near 0 and 100 %, where many
    pairs are, at the price of finding a difference a little too rarely. It needs whole numbers
    of wins; what draws leave over is rounded towards the other side, again the careful way, as is
    taking draws for halves of wins and losses, which vary more.
    It takes games as independent, ours and the paper's, though games from the same start are not:
    where starts decide, the p value is too small. If a paper's number can be read in several ways,
    the reading closest to ours counts: the largest p value. Without games of ours the p value is 1.

    >>> from heroacademy.statistics import win_rate
    >>> round(agreement(win_rate([1] * 60 + [0] * 40), [0.8], games=100), 4)
    0.0032
    >>> round(agreement(win_rate([1] * 60 + [0] * 40), [0.8, 0.62], games=100), 4)
    0.8848
    """
    if not readings or not all(0 <= reading <= 1 for reading in readings):
        raise ValueError(f"readings are {readings!r}: use one or more shares from 0 to 1")
    return max(_same_share(ours, reading, games) for reading in readings)


def detectable(games: int, others: int, level: float = 0.05, power: float = 0.8) -> float:
    """Smallest difference of two shares near one half that a test at a level mostly finds.

    Normal approximation for independent games without draws, so many for each share. Near 0 and
    100 % smaller differences are found.

    >>> round(detectable(100, 100), 3), round(detectable(100, 100, level=0.05 / 21), 3)
    (0.198, 0.274)
    """
    quantiles = norm.ppf(1 - level / 2) + norm.ppf(power)
    return float(quantiles * math.sqrt(0.25 / games + 0.25 / others))


def _same_share(ours: Estimate, theirs: float, games: int) -> float:
    if ours.games == 0 or ours.value == theirs:
        return 1.0
    towards = (math.floor, math.ceil) if ours.value > theirs else (math.ceil, math.floor)
    # rounded first: 0.07 * 100 is 7.000000000000001
    mine = towards[0](round(ours.value * ours.games, 6))
    other = towards[1](round(theirs * games, 6))
    return float(fisher_exact([[mine, ours.games - mine], [other, games - other]]).pvalue)
