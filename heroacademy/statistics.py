"""Statistics of games: numbers with their intervals, from arrays of results.

A result is 1 for a win, 0.5 for a draw and 0 for a loss, all for the same agent. Win rates are
shares from 0 to 1. Nothing here knows where results come from or how they are drawn.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize
from scipy.special import expit
from scipy.stats import binomtest, fisher_exact, norm, t, wilcoxon

from heroacademy.errors import one_of

Verdict = Literal["agrees", "disagrees", "undecided at this size"]
AGREES: Verdict = "agrees"
DISAGREES: Verdict = "disagrees"
UNDECIDED: Verdict = "undecided at this size"

ELO = 400 / math.log(10)  # Elo points in one unit of log odds


@dataclass(frozen=True)
class Interval:
    """A number and the interval around it."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Estimate(Interval):
    """A share of wins, its interval and the number of games behind it.

    >>> print(Estimate(value=0.625, low=0.527, high=0.714, games=100))
    62.5 % [52.7, 71.4] (100 games)
    """

    games: int

    def __str__(self) -> str:
        value, low, high = (f"{100 * x:.1f}" for x in (self.value, self.low, self.high))
        return f"{value} % [{low}, {high}] ({self.games} games)"


def win_rate(
    results: ArrayLike, starts: ArrayLike | None = None, confidence: float = 0.95
) -> Estimate:
    """Share of wins, draws counted half, with Wilson's interval.

    Wilson's formula takes games as independent. Games from the same start are not: where the
    start decides for an agent whichever side it plays, its two games tell little more than one.
    With `starts` (a label for each game) the number of games in the formula is divided by the
    design effect, the variance between starts relative to that of independent games. An effect
    below 1, as from swapping sides, is taken as 1, and so is that of 0 and 100 %, where the data
    show no variance at all: the interval is never narrower than Wilson's. The effect is known
    from so many starts only, so Student's quantile takes the place of the normal one.

    Without games the value is NaN and the interval is everything, 0 to 1.

    >>> print(win_rate([1, 1, 0, 0.5, 1, 0, 1, 0, 0.5, 0]))
    50.0 % [23.7, 76.3] (10 games)
    >>> print(win_rate([1, 1, 0, 0, 1, 1, 0, 0], starts=[1, 1, 2, 2, 3, 3, 4, 4]))
    50.0 % [6.1, 93.9] (8 games)
    """
    results = _checked(results)
    if results.size == 0:
        return Estimate(math.nan, 0.0, 1.0, 0)
    share = float(results.mean())
    effect, freedom = 1.0, math.inf
    if starts is not None:
        effect = max(1.0, _design_effect(results, starts))
        freedom = max(1, np.unique(starts).size - 1)
    low, high = wilson(share, results.size / effect, confidence, freedom)
    return Estimate(share, low, high, results.size)


def mean_interval(
    values: ArrayLike, groups: ArrayLike | None = None, confidence: float = 0.95
) -> Interval:
    """Mean with Student's interval; values of one group, such as games from one start, as one.

    The groups' means are then averaged. NaN values are left out. One value, or one group, has an
    endless interval; without any the mean is NaN.

    >>> mean = mean_interval([1, 2, 3])
    >>> mean.value, round(mean.low, 3), round(mean.high, 3)
    (2.0, -0.484, 4.484)
    >>> mean_interval([1, 1, 2, 2, 3, 3], groups=[7, 7, 8, 8, 9, 9]) == mean
    True
    """
    values = np.asarray(values, float)
    known = ~np.isnan(values)
    if groups is not None:
        groups = np.asarray(groups)[known]
        values = _sums(values[known], groups) / _sums(np.ones(known.sum()), groups)
    else:
        values = values[known]
    if values.size < 2:
        return Interval(float(values[0]) if values.size else math.nan, -math.inf, math.inf)
    quantile = float(t.ppf((1 + confidence) / 2, values.size - 1))
    half = quantile * float(values.std(ddof=1)) / math.sqrt(values.size)
    return Interval(float(values.mean()), float(values.mean()) - half, float(values.mean()) + half)


def trend(
    places: ArrayLike, shares: Sequence[Estimate], confidence: float = 0.95
) -> Interval | None:
    """Slope of the straight line through shares of wins at places, such as logs of a setting.

    Least squares without weights: weights from the shares themselves would favour those near 0
    and 100 %. The slope is a sum of the shares with fixed factors, so its variance follows from
    theirs, which are taken from their intervals (95 % ones, as `win_rate` gives them) and so are
    never 0. Shares are taken as independent; what they have in common, as the same starts, rather
    cancels in a slope. Places without games are left out; with fewer than two there is no slope.

    >>> halves, wins = win_rate([1, 0] * 50), win_rate([1] * 75 + [0] * 25)
    >>> slope = trend([1, 2], [halves, wins])
    >>> slope.value, round(slope.low, 3), round(slope.high, 3)
    (0.25, 0.122, 0.378)
    """
    pairs = [(x, share) for x, share in zip(places, shares, strict=True) if share.games]
    x = np.array([place for place, _ in pairs], float)
    if np.unique(x).size < 2:
        return None
    factors = (x - x.mean()) / np.sum((x - x.mean()) ** 2)
    errors = [(share.high - share.low) / 2 / _quantile(0.95) for _, share in pairs]
    value = float(factors @ [share.value for _, share in pairs])
    half = _quantile(confidence) * float(np.sqrt(np.sum((factors * errors) ** 2)))
    return Interval(value, value - half, value + half)


def mean_share(estimates: Sequence[Estimate]) -> Estimate:
    """The mean of independent shares, each of the same weight however many its games.

    Its interval comes from theirs: the distances from a share to its limits are added as errors
    are, in squares (Zou and Donner's MOVER).

    >>> print(mean_share([win_rate([1, 0] * 50), win_rate([1] * 8 + [0] * 2)]))
    65.0 % [48.8, 73.6] (110 games)
    """
    if not estimates:
        raise ValueError("no shares to take the mean of")
    n = len(estimates)
    value = sum(e.value for e in estimates) / n
    below = math.sqrt(sum((e.value - e.low) ** 2 for e in estimates)) / n
    above = math.sqrt(sum((e.high - e.value) ** 2 for e in estimates)) / n
    return Estimate(value, value - below, value + above, sum(e.games for e in estimates))


def pair_differences(results: ArrayLike, starts: ArrayLike) -> NDArray[np.float64]:
    """For each start an agent's points minus its opponent's, in the order of the labels.

    >>> pair_differences([1, 1, 0, 1, 0.5, 0], starts=[7, 7, 8, 8, 9, 9])
    array([ 2.,  0., -1.])
    """
    return _sums(2 * _checked(results) - 1, starts)


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
    results = _checked(results)
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


@dataclass(frozen=True)
class Ratings:
    """Ratings on the Elo scale, their mean 0.

    value, low, high: [n] rating and its interval
    games: [n] games of each player
    covariance: [n, n] of the ratings
    """

    value: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    games: NDArray[np.float64]
    covariance: NDArray[np.float64]

    def lead(self, player: int, other: int, confidence: float = 0.95) -> Interval:
        """How far a player is ahead of another.

        >>> lead = bradley_terry([[0, 75], [25, 0]]).lead(0, 1)
        >>> round(lead.value), round(lead.low), round(lead.high)
        (190, 111, 268)
        """
        value = float(self.value[player] - self.value[other])
        both = self.covariance[np.ix_((player, other), (player, other))]
        half = _quantile(confidence) * math.sqrt(both[0, 0] + both[1, 1] - 2 * both[0, 1])
        return Interval(value, value - half, value + half)


def bradley_terry(wins: ArrayLike, prior: float = 1.0, confidence: float = 0.95) -> Ratings:
    """Ratings by the Bradley-Terry model: odds of 10 to the power of (difference / 400).

    wins: [n, n] points of the row against the column, a draw half a point to each
    prior: number of virtual draws of each player against an opponent of rating 0

    The virtual draws keep the rating finite, and its interval wide, for a player that won or
    lost every game, and tie together groups that never met: their difference is then pulled to 0.
    With 100 games a player they move a rating by a few points. Intervals are normal ones from
    the observed Fisher information (virtual draws included), for the difference to the mean of
    all players, and take games as independent.

    >>> ratings = bradley_terry([[0, 75], [25, 0]])
    >>> ratings.value.round(), ratings.low.round(), ratings.high.round()
    (array([ 95., -95.]), array([  56., -134.]), array([134., -56.]))
    """
    wins = np.asarray(wins, float)
    square = wins.ndim == 2 and wins.shape[0] == wins.shape[1] > 0
    if not square or not np.all(wins >= 0):
        raise ValueError("wins have to be a square matrix of numbers that are not negative")
    if not prior > 0:
        raise ValueError(f"prior is {prior!r}: use a number above 0")
    wins = wins - np.diag(np.diag(wins))  # a player's games against itself say nothing
    strength = _most_likely(wins, prior)
    centre = np.eye(len(wins)) - 1 / len(wins)
    covariance = ELO**2 * centre @ np.linalg.inv(_information(strength, wins, prior)) @ centre
    value = ELO * centre @ strength
    half = _quantile(confidence) * np.sqrt(np.diag(covariance))
    games = (wins + wins.T).sum(axis=1)
    return Ratings(value, value - half, value + half, games, covariance)


def agreement(ours: Estimate, readings: Sequence[float], games: int) -> float:
    """P value of our share of wins being that of a paper with its own number of games.

    Fisher's exact test of two proportions: sound for few games and near 0 and 100 %, where many
    pairs are, at the price of finding a difference a little too rarely. It needs whole numbers
    of wins; what draws leave over is rounded towards the other side, again the careful way.
    If a paper's number can be read in several ways, the reading closest to ours counts: the
    largest p value. Without games of ours the p value is 1.

    >>> round(agreement(win_rate([1] * 60 + [0] * 40), [0.8], games=100), 4)
    0.0032
    >>> round(agreement(win_rate([1] * 60 + [0] * 40), [0.8, 0.62], games=100), 4)
    0.8848
    """
    if not readings or not all(0 <= reading <= 1 for reading in readings):
        raise ValueError(f"readings are {readings!r}: use one or more shares from 0 to 1")
    return max(_same_share(ours, reading, games) for reading in readings)


def verdict(ours: Interval, relation: str, value: float = 0.5, tolerance: float = 0.1) -> Verdict:
    """What an interval says about a claim that a number is "above", "below" or "about" a value.

    A claim agrees if the whole interval fulfils it and disagrees if no part of it does. "About"
    means no further from the value than the tolerance. An interval that only touches the limit
    leaves a claim undecided.

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


def _checked(results: ArrayLike) -> NDArray[np.float64]:
    results = np.asarray(results, float)
    if results.ndim != 1 or not np.all(np.isin(results, (0, 0.5, 1))):
        raise ValueError("results have to be a list of 1 (won), 0.5 (drawn) and 0 (lost)")
    return results


def _sums(values: NDArray[np.float64], labels: ArrayLike) -> NDArray[np.float64]:
    """Sum of the values under each label."""
    labels = np.asarray(labels)
    if labels.shape != values.shape:
        raise ValueError(f"{values.size} results but {labels.size} starts")
    return np.bincount(np.unique(labels, return_inverse=True)[1], weights=values)


def _design_effect(results: NDArray[np.float64], starts: ArrayLike) -> float:
    """Variance of the mean estimated between starts, over that of independent games."""
    sums = _sums(results - results.mean(), starts)
    independent = results.mean() * (1 - results.mean()) * results.size
    if sums.size < 2 or independent == 0:
        return 1.0
    return float(sums.size / (sums.size - 1) * np.sum(sums**2) / independent)


def _quantile(confidence: float) -> float:
    return float(norm.ppf((1 + confidence) / 2))


def wilson(
    share: float, games: float, confidence: float, freedom: float = math.inf
) -> tuple[float, float]:
    """Wilson's interval of a share of wins among so many games.

    With few degrees of freedom it has Student's quantile instead of the normal one.
    """
    weight = float(t.ppf((1 + confidence) / 2, freedom)) ** 2 / games
    middle = (share + weight / 2) / (1 + weight)
    half = math.sqrt(weight * (share * (1 - share) + weight / 4)) / (1 + weight)
    return max(0.0, middle - half), min(1.0, middle + half)


def _most_likely(wins: NDArray[np.float64], prior: float) -> NDArray[np.float64]:
    """Log odds of each player that make the points, virtual draws included, most likely."""

    def loss(strength):
        against_all = np.sum(wins * np.logaddexp(0, strength - strength[:, None]))
        draws = np.logaddexp(0, strength) + np.logaddexp(0, -strength)
        return against_all + prior / 2 * np.sum(draws)

    def slope(strength):
        expected = (wins + wins.T) * expit(strength[:, None] - strength)
        return (expected - wins).sum(axis=1) + prior * (expit(strength) - 0.5)

    def curvature(strength):
        return _information(strength, wins, prior)

    found = minimize(
        loss, np.zeros(len(wins)), jac=slope, hess=curvature, method="trust-exact",
        options={"gtol": 1e-8},
    )  # fmt: skip
    # a last Newton step: the optimiser compares losses, whose rounding errors stop it early
    return found.x - np.linalg.solve(curvature(found.x), slope(found.x))


def _information(
    strength: NDArray[np.float64], wins: NDArray[np.float64], prior: float
) -> NDArray[np.float64]:
    """[n, n] observed Fisher information of the log odds."""
    chance = expit(strength[:, None] - strength)
    pairs = (wins + wins.T) * chance * (1 - chance)
    alone = prior * expit(strength) * expit(-strength)
    return np.diag(pairs.sum(axis=1) + alone) - pairs


def _same_share(ours: Estimate, theirs: float, games: int) -> float:
    if ours.games == 0 or ours.value == theirs:
        return 1.0
    towards = (math.floor, math.ceil) if ours.value > theirs else (math.ceil, math.floor)
    # rounded first: 0.07 * 100 is 7.000000000000001
    mine = towards[0](round(ours.value * ours.games, 6))
    other = towards[1](round(theirs * games, 6))
    return float(fisher_exact([[mine, ours.games - mine], [other, games - other]]).pvalue)
