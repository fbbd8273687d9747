"""Ratings by the Bradley-Terry model, against values worked out independently."""

import math

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit

from heroacademy.experiments.results import points_by_start
from heroacademy.statistics import bradley_terry


def test_two_players_have_a_closed_form():
    # odds 3 to 1; variance of their log 1/75 + 1/25; each is half the difference from the mean
    ratings = bradley_terry([[0, 75], [25, 0]], prior=1e-9)
    assert_allclose(ratings.value, [200 * math.log10(3), -200 * math.log10(3)])
    error = 200 / math.log(10) * math.sqrt(1 / 75 + 1 / 25)
    assert_allclose(ratings.high - ratings.value, 1.959964 * error, rtol=1e-6)
    assert ratings.games.tolist() == [100, 100]


def test_three_players_with_exact_points_get_their_ratings_back():
    strength = np.log([4, 2, 1])  # points as strengths 4 : 2 : 1 expect them
    ratings = bradley_terry(90 * expit(strength[:, None] - strength), prior=1e-9)
    assert_allclose(ratings.value, 400 * math.log10(2) * np.array([1, 0, -1]), atol=1e-6)


def test_three_players_by_zermelos_iteration():
    wins = np.array([[0, 7, 9.5], [3, 0, 4], [0.5, 6, 0]])
    total, weights = wins.sum(axis=1), np.ones(3)
    for _ in range(5000):
        met = (wins + wins.T) / (weights[:, None] + weights)
        weights = total / met.sum(axis=1)
    known = 400 * np.log10(weights)
    assert_allclose(bradley_terry(wins, prior=1e-9).value, known - known.mean(), atol=1e-5)


def test_a_virtual_draw_is_a_draw_against_a_player_of_rating_zero():
    # by symmetry two players are at +r and -r: 10 (1 - s(2r)) - 0 = s(r) - 1/2
    ratings = bradley_terry([[0, 10], [0, 0]])
    r = ratings.value[0] * math.log(10) / 400
    assert 10 * (1 - expit(2 * r)) == pytest.approx(expit(r) - 0.5)
    assert ratings.value.sum() == pytest.approx(0)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("size", [1, 100, 100_000])
def test_who_wins_all_or_nothing_stays_finite_with_a_wide_interval(size):
    wins = np.triu(np.full((4, 4), size), 1)
    ratings = bradley_terry(wins)
    assert np.all(np.isfinite([ratings.value, ratings.low, ratings.high]))
    assert np.all(np.diff(ratings.value) < 0)
    even = bradley_terry((wins + wins.T) / 2)
    assert np.all(ratings.high - ratings.low > 1.2 * (even.high - even.low))


def test_the_default_prior_hardly_moves_ratings_of_many_games():
    wins = np.array([[0, 60, 90], [40, 0, 70], [10, 30, 0]])
    change = bradley_terry(wins).value - bradley_terry(wins, prior=1e-9).value
    assert np.all(np.abs(change) < 5)


def test_order_and_own_games_do_not_matter():
    wins = np.random.default_rng(5).integers(0, 30, (6, 6)).astype(float)
    order = [3, 1, 5, 0, 4, 2]
    plain, shuffled = bradley_terry(wins), bradley_terry(wins[np.ix_(order, order)])
    assert_allclose(plain.value[order], shuffled.value, atol=1e-6)
    assert_allclose(plain.low[order], shuffled.low, atol=1e-6)
    turned = bradley_terry(wins.T)  # who won now lost
    assert_allclose(plain.value, -turned.value, atol=1e-6)
    assert_allclose(bradley_terry(wins + 9 * np.eye(6)).value, plain.value)


def test_groups_that_never_met_are_each_around_zero():
    apart = np.zeros((4, 4))
    apart[:2, :2] = apart[2:, 2:] = [[0, 75], [25, 0]]
    ratings, one = bradley_terry(apart), bradley_terry([[0, 75], [25, 0]])
    assert_allclose(ratings.value, [*one.value, *one.value], atol=1e-6)
    # the unknown difference between the groups shows in the interval
    assert np.all(ratings.high - ratings.low > 2 * (one.high[0] - one.low[0]))


def test_players_without_games():
    ratings = bradley_terry(np.zeros((3, 3)))
    assert ratings.value.tolist() == ratings.games.tolist() == [0, 0, 0]
    assert np.all(ratings.high > 400)


def test_intervals_of_ratings_cover_the_truth():
    rng = np.random.default_rng(2)
    strength = np.log([3, 2, 1, 0.5])
    truth = 400 / math.log(10) * (strength - strength.mean())
    covered = np.zeros(4)
    for _ in range(1500):
        above = np.triu(rng.binomial(50, expit(strength[:, None] - strength)), 1)
        below = np.triu(50 - above, 1).T
        ratings = bradley_terry(above + below)
        covered += (ratings.low <= truth) & (truth <= ratings.high)
    # the standard error of a coverage is 0.6 %: fewer repetitions tell nothing
    assert_allclose(covered / 1500, 0.95, atol=0.02)


@pytest.mark.parametrize("wins", [[[0, 1]], [0, 1], [[0, -1], [1, 0]], [[0, math.nan], [1, 0]], []])
def test_what_is_not_a_table_of_wins_is_refused(wins):
    with pytest.raises(ValueError, match="square matrix"):
        bradley_terry(wins)


def test_a_prior_of_nothing_is_refused():
    with pytest.raises(ValueError, match="prior is 0"):
        bradley_terry([[0, 1], [1, 0]], prior=0)


def test_leads_are_differences_of_ratings():
    ratings = bradley_terry([[0, 60, 70], [40, 0, 55], [30, 45, 0]])
    lead = ratings.lead(0, 2)
    assert lead.value == pytest.approx(ratings.value[0] - ratings.value[2])
    assert ratings.lead(2, 0).low == pytest.approx(-lead.high)
    # of two players, each is half the lead away from the mean
    two = bradley_terry([[0, 60], [40, 0]])
    half = (two.high - two.low)[0]
    assert two.lead(0, 1).high - two.lead(0, 1).low == pytest.approx(2 * half)


# --- games that share a start -----------------------------------------------------------------


def both_games(results):
    """[starts, 2, 2] points of two players who meet twice from each start."""
    points = np.zeros((len(results), 2, 2))
    points[:, 0, 1], points[:, 1, 0] = results, 2 - np.asarray(results)
    return points


def test_starts_that_decide_both_games_count_as_one_game_each():
    # 30 of 40 starts won twice, the others lost twice: as 30 of 40 games, not as 60 of 80
    decided = bradley_terry(both_games([2] * 30 + [0] * 10), prior=1e-9)
    halves = 200 / math.log(10) * math.sqrt((1 / 30 + 1 / 10) * 40 / 39)
    assert_allclose(decided.value, [200 * math.log10(3), -200 * math.log10(3)])
    assert_allclose(decided.high - decided.value, 2.022691 * halves, rtol=1e-5)  # t with 39
    assert decided.lead(0, 1).high == pytest.approx(2 * decided.high[0])


def test_starts_that_agree_with_each_other_make_no_interval_narrower():
    wins = both_games([1] * 40)
    apart, together = bradley_terry(wins), bradley_terry(wins.sum(axis=0))
    assert_allclose(apart.value, together.value, atol=1e-9)
    assert_allclose(apart.high, together.high * 2.022691 / 1.959964, rtol=1e-5)


def test_one_start_and_none_are_as_games_without_starts():
    wins = [[0, 60, 70], [40, 0, 55], [30, 45, 0]]
    assert_allclose(bradley_terry([wins]).high, bradley_terry(wins).high)
    nothing = bradley_terry(np.zeros((5, 3, 3)))
    assert nothing.value.tolist() == [0, 0, 0]


def test_intervals_over_starts_cover_the_truth():
    """Each start favours a player, whatever side it plays."""
    rng = np.random.default_rng(3)
    covered, too_narrow = 0, 0
    for _ in range(600):
        favours = rng.normal(0, 2, (40, 1, 1)) * np.array([[1.0], [-1.0]])
        favours = np.concatenate([favours, np.zeros((40, 1, 1))], axis=1)  # of three players
        points = np.triu(rng.binomial(2, expit(favours - favours.swapaxes(1, 2))), 1)
        points = points + np.triu(2 - points, 1).swapaxes(1, 2)
        over_starts, games = bradley_terry(points), bradley_terry(points.sum(axis=0))
        covered += over_starts.low[0] <= 0 <= over_starts.high[0]
        too_narrow += not games.low[0] <= 0 <= games.high[0]
    assert covered / 600 > 0.93  # the truth is 0 by symmetry
    assert too_narrow / 600 > 0.08


def test_points_of_games_by_start():
    games = pd.DataFrame(
        {
            "agent1": ["a", "b", "b"],
            "agent2": ["b", "a", "c"],
            "start": [7, 7, 9],
            "winner": [1, 0, 2],
        }
    )
    points = points_by_start(games, ["a", "b", "c"])
    assert points.shape == (2, 3, 3)
    assert points[0].tolist() == [[0, 1.5, 0], [0.5, 0, 0], [0, 0, 0]]
    assert points[1].tolist() == [[0, 0, 0], [0, 0, 0], [0, 1, 0]]
    assert points_by_start(games[:0], ["a", "b"]).tolist() == [[[0, 0], [0, 0]]]
