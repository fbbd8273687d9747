"""Tests: is the difference more than chance?"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import binomtest, fisher_exact, wilcoxon

from heroacademy.statistics.shares import Estimate, checked_results, sums_of


def pair_differences(results: ArrayLike, starts: ArrayLike) -> NDArray[np.float64]:
    """For each start an agent's points minus its opponent's, in the order of the labels.

    >>> pair_differences([1, 1, 0, 1, 0.5, 0], starts=[7, 7, 8, 8, 9, 9])
    array([ 2.,  0., -1.])
    """
    return sums_of(2 * checked_results(results) - 1, starts)


def signed_rank_test(differences: ArrayLike) -> float:
    """Two-sided p value of Wilcoxon's signed-rank test, one difference for each start.

    Zeros are left out, as Wilcoxon did; if nothing is left the p value is 1. Without ties up to
    50 differences and with ties up to 13 the p value is exact, else from the normal distribution
    with the variance corrected for ties.

    >>> signed_rank_test([2, 2, 2, 2, 2, 0])
    0.0625
    """
    differences = np.asarray(differences, float)
    differences = differences[differences != 0]
    return float(wilcoxon(differences).pvalue) if differences.size else 1.0


def binomial_test(results: ArrayLike) -> float:
    """Exact two-sided p value of the wins against one half.

    Draws are left out, as ties are in a sign test: they say nothing about who is better. If all
    games are draws, or there are none, the p value is 1.

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
    of wins; what draws leave over is rounded towards the other side, again the careful way.
    If a paper's number can be read in several ways, the reading closest to ours counts: the
    largest p value. Without games of ours the p value is 1.

    >>> from heroacademy.statistics import win_rate
    >>> round(agreement(win_rate([1] * 60 + [0] * 40), [0.8], games=100), 4)
    0.0032
    >>> round(agreement(win_rate([1] * 60 + [0] * 40), [0.8, 0.62], games=100), 4)
    0.8848
    """
    if not readings or not all(0 <= reading <= 1 for reading in readings):
        raise ValueError(f"readings are {readings!r}: use one or more shares from 0 to 1")
    return max(_same_share(ours, reading, games) for reading in readings)


def _same_share(ours: Estimate, theirs: float, games: int) -> float:
    if ours.games == 0 or ours.value == theirs:
        return 1.0
    towards = (math.floor, math.ceil) if ours.value > theirs else (math.ceil, math.floor)
    # rounded first: 0.07 * 100 is 7.000000000000001
    mine = towards[0](round(ours.value * ours.games, 6))
    other = towards[1](round(theirs * games, 6))
    return float(fisher_exact([[mine, ours.games - mine], [other, games - other]]).pvalue)
