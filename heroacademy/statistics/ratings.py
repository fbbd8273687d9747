"""One rating for every player, from games of any pairs: the Bradley-Terry model."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize
from scipy.special import expit
from scipy.stats import t

from heroacademy.statistics.shares import Interval

ELO = 400 / math.log(10)  # Elo points in one unit of log odds


@dataclass(frozen=True)
class Ratings:
    """Ratings on the Elo scale, the mean of the reference 0.

    value, low, high: [n] rating and its interval
    games: [n] games of each player
    covariances: [1 or 2, n, n] of the ratings, with games taken as independent and, where it is
        known which games share a start, from the differences between starts
    freedom: degrees of freedom, one less than the starts
    """

    value: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    games: NDArray[np.float64]
    covariances: NDArray[np.float64]
    freedom: float

    def lead(self, player: int, other: int, confidence: float = 0.95) -> Interval:
        """How far a player is ahead of another.

        >>> lead = bradley_terry([[0, 75], [25, 0]]).lead(0, 1)
        >>> round(lead.value), round(lead.low), round(lead.high)
        (190, 111, 268)
        """
        value = float(self.value[player] - self.value[other])
        both = self.covariances[:, [[player], [other]], [player, other]]
        variance = both[:, 0, 0] + both[:, 1, 1] - 2 * both[:, 0, 1]
        half = float(_half_width(variance, self.freedom, confidence))
        return Interval(value, value - half, value + half)


def bradley_terry(
    wins: ArrayLike,
    prior: float = 1.0,
    confidence: float = 0.95,
    reference: ArrayLike | None = None,
) -> Ratings:
    """Ratings by the Bradley-Terry model: odds of 10 to the power of (difference / 400).

    wins: [n, n] points of the row against the column, a draw half a point to each; or
        [starts, n, n] the same for every start
    prior: number of virtual draws of each player, all against the same virtual opponent
    reference: indices of the players whose mean rating is 0; all, if None

    The virtual draws keep ratings finite and tie together groups that never met: their
    difference is then pulled to 0. With 100 games they move the rating of a player that won some
    and lost some by a few points. How far away a player is that won or lost every game is up to
    them alone; its interval is wide, and it is better left out of the reference, or its rating
    and its interval are a part of everyone's.

    Intervals are for the difference to the mean of the reference, from the observed Fisher
    information (virtual draws included), which takes games as independent and a draw as half a
    win and half a loss: many draws make it too wide, never too narrow. Games from the same start
    are not independent. Given the points of every start, the variance between starts (the
    "sandwich" of robust regression) is taken where it is larger, and Student's quantile, as in
    `win_rate`.

    >>> ratings = bradley_terry([[0, 75], [25, 0]])
    >>> ratings.value.round(), ratings.low.round(), ratings.high.round()
    (array([ 95., -95.]), array([  56., -134.]), array([134., -56.]))
    """
    of_starts = _checked(wins)
    if not prior > 0:
        raise ValueError(f"prior is {prior!r}: use a number above 0")
    wins = of_starts.sum(axis=0)
    strength = _most_likely(wins, prior)
    centred = ELO * (np.eye(len(wins)) - _weights(reference, len(wins)))  # log odds to ratings
    spread = np.linalg.solve(_information(strength, wins, prior), centred.T)
    covariances = [centred @ spread]
    if len(of_starts) > 1:
        covariances.append(spread.T @ _between_starts(strength, of_starts) @ spread)
    freedom = len(of_starts) - 1 if len(of_starts) > 1 else math.inf
    value = centred @ strength
    half = _half_width(np.diagonal(covariances, axis1=1, axis2=2), freedom, confidence)
    games = (wins + wins.T).sum(axis=1)
    return Ratings(value, value - half, value + half, games, np.array(covariances), freedom)


def _checked(wins: ArrayLike) -> NDArray[np.float64]:
    """[starts, n, n] points; a player's games against itself say nothing and are left out."""
    wins = np.asarray(wins, float)
    wins = wins[None] if wins.ndim == 2 else wins
    is_square = wins.ndim == 3 and wins.shape[0] > 0 and wins.shape[1] == wins.shape[2] > 0
    if not is_square or not np.all(wins >= 0):
        raise ValueError(
            "wins have to be a square matrix of numbers that are not negative, or one for each "
            f"start; their shape is {wins.shape}"
        )
    return wins * (1 - np.eye(wins.shape[1]))


def _weights(reference: ArrayLike | None, n: int) -> NDArray[np.float64]:
    """[n] weight of each player's rating in the mean that is 0."""
    weights = np.zeros(n)
    weights[slice(None) if reference is None else np.asarray(reference, int)] = 1
    if not weights.any():
        raise ValueError("reference has no players: give the index of at least one")
    return weights / weights.sum()


def _half_width(variances: NDArray[np.float64], freedom: float, confidence: float) -> np.ndarray:
    """Half an interval, by the larger of the variances."""
    return float(t.ppf((1 + confidence) / 2, freedom)) * np.sqrt(variances.max(axis=0))


def _between_starts(
    strength: NDArray[np.float64], of_starts: NDArray[np.float64]
) -> NDArray[np.float64]:
    """[n, n] covariance of the points beyond what is expected, by how they differ among starts."""
    expected = (of_starts + of_starts.swapaxes(1, 2)) * expit(strength[:, None] - strength)
    surplus = (of_starts - expected).sum(axis=2)
    surplus -= surplus.mean(axis=0)
    n = len(of_starts)
    return n / (n - 1) * surplus.T @ surplus


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
