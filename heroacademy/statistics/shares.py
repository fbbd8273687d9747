"""Shares of wins, means and slopes, each with its interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import norm, t


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

    Wilson's formula takes results as independent and as won or lost. What differs from that is
    put into the number of games: it is divided by the variance of the share relative to that of
    independent games without draws.

    Draws vary less: their part of that variance goes. One won and one lost game are added for
    this, else results that are all drawn would seem certain.

    Games from the same start are not independent: where the start decides for an agent whichever
    side it plays, its two games tell little more than one. With `starts` (a label for each game)
    the variance between starts counts where it is the larger one. It never narrows the interval,
    as swapping sides would, and it is known from so many starts only, so Student's quantile takes
    the place of the normal one. Where nearly all games are drawn, and both games of a start go to
    the same agent if they do not, an interval of 95 % covers only 87 to 95 %.

    Without games the value is NaN and the interval is everything, 0 to 1.

    >>> print(win_rate([1, 1, 0, 0, 1, 0, 1, 0]), win_rate([1, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0]))
    50.0 % [21.5, 78.5] (8 games) 50.0 % [29.9, 70.1] (8 games)
    >>> print(win_rate([1, 1, 0, 0, 1, 1, 0, 0], starts=[1, 1, 2, 2, 3, 3, 4, 4]))
    50.0 % [6.1, 93.9] (8 games)
    """
    results = checked_results(results)
    if results.size == 0:
        return Estimate(math.nan, 0.0, 1.0, 0)
    share = float(results.mean())
    effect, freedom = _effect_of_draws(results), math.inf
    if starts is not None:
        effect = max(effect, _effect_of_starts(results, starts))
        freedom = max(1, np.unique(starts).size - 1)
    low, high = wilson(share, results.size / effect, confidence, freedom)
    return Estimate(share, low, high, results.size)


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
        values = sums_of(values[known], groups) / sums_of(np.ones(known.sum()), groups)
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
    errors = [(share.high - share.low) / 2 / normal_quantile(0.95) for _, share in pairs]
    value = float(factors @ [share.value for _, share in pairs])
    half = normal_quantile(confidence) * float(np.sqrt(np.sum((factors * errors) ** 2)))
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


def difference(share: Estimate, other: Estimate) -> Interval:
    """How far a share is above an independent one, with the interval that follows from theirs.

    Distances to limits are added in squares, as in `mean_share` (Newcombe's method 10). Shares
    that have something in common, as the same starts, differ by less chance than this says.

    >>> lead = difference(win_rate([1] * 56 + [0] * 14), win_rate([1] * 48 + [0] * 32))
    >>> round(lead.value, 4), round(lead.low, 4), round(lead.high, 4)
    (0.2, 0.0524, 0.3339)
    """
    value = share.value - other.value
    below = math.hypot(share.value - share.low, other.high - other.value)
    above = math.hypot(share.high - share.value, other.value - other.low)
    return Interval(value, value - below, value + above)


def checked_results(results: ArrayLike) -> NDArray[np.float64]:
    results = np.asarray(results, float)
    if results.ndim != 1 or not np.all(np.isin(results, (0, 0.5, 1))):
        raise ValueError("results have to be a list of 1 (won), 0.5 (drawn) and 0 (lost)")
    return results


def sums_of(values: NDArray[np.float64], labels: ArrayLike) -> NDArray[np.float64]:
    """Sum of the values under each label."""
    labels = np.asarray(labels)
    if labels.shape != values.shape:
        raise ValueError(f"{values.size} results but {labels.size} starts")
    return np.bincount(np.unique(labels, return_inverse=True)[1], weights=values)


def _effect_of_draws(results: NDArray[np.float64]) -> float:
    """Variance of independent games, some drawn, over that of as many without draws."""
    share = (results.sum() + 1) / (results.size + 2)
    drawn = np.sum(results == 0.5) / (results.size + 2)
    # a half instead of a win or a loss takes a quarter from the mean square
    return float(1 - drawn / 4 / (share * (1 - share)))


def _effect_of_starts(results: NDArray[np.float64], starts: ArrayLike) -> float:
    """Variance of the mean estimated between starts, over that of games without draws."""
    sums = sums_of(results - results.mean(), starts)
    without_draws = results.mean() * (1 - results.mean()) * results.size
    if sums.size < 2 or without_draws == 0:
        return 0.0
    return float(sums.size / (sums.size - 1) * np.sum(sums**2) / without_draws)


def normal_quantile(confidence: float) -> float:
    return float(norm.ppf((1 + confidence) / 2))
