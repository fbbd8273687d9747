"""Statistics against textbooks, scipy, hand calculation and simulation."""

from __future__ import annotations

import itertools
import math
import time

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import binom, binomtest, fisher_exact, linregress, norm, ttest_1samp, wilcoxon

from heroacademy.statistics import (
    Estimate,
    agreement,
    binomial_test,
    difference,
    holm,
    joint_verdict,
    mean_interval,
    pair_differences,
    signed_rank_test,
    trend,
    verdict,
    win_rate,
)

Z = 1.9599639845  # the normal quantile of a 95 % interval


def games(won: int, drawn: int, lost: int) -> list[float]:
    return [1.0] * won + [0.5] * drawn + [0.0] * lost


@pytest.mark.parametrize(("won", "lost"), [(81, 182), (15, 133), (0, 20), (1, 28), (7, 0), (1, 1)])
@pytest.mark.parametrize("confidence", [0.9, 0.95])
def test_interval_is_wilsons(won, lost, confidence):
    estimate = win_rate(games(won, 0, lost), confidence=confidence)
    known = binomtest(won, won + lost).proportion_ci(confidence, method="wilson")
    assert_allclose((estimate.low, estimate.high), known, atol=1e-12)
    assert (estimate.value, estimate.games) == (won / (won + lost), won + lost)


def test_interval_of_newcombes_paper():
    # Newcombe (1998), Statistics in Medicine 17, Table I, method 3: 81/263 and 0/20
    estimate = win_rate(games(81, 0, 182))
    assert (round(estimate.low, 4), round(estimate.high, 4)) == (0.2553, 0.3662)
    estimate = win_rate(games(0, 0, 20))
    assert (round(estimate.low, 4), round(estimate.high, 4)) == (0.0, 0.1611)


def test_draws_count_half_and_vary_less():
    drawn, decided = win_rate(games(40, 20, 40)), win_rate(games(50, 0, 50))
    assert (drawn.value, drawn.games) == (decided.value, decided.games)
    # with a won and a lost game: 82 squares of a quarter among 102, instead of 102
    assert_allclose((drawn.low, drawn.high), _wilson_by_roots(0.5, 100 * 102 / 82, Z))
    # 30 won, 60 drawn, 10 lost: with two more 61 / 102, and 60 quarters less
    some = win_rate(games(30, 60, 10))
    games_worth = 100 * (61 * 41 / 102**2) / (61 * 41 / 102**2 - 15 / 102)
    assert_allclose((some.low, some.high), _wilson_by_roots(0.6, games_worth, Z))


def test_draws_alone_are_not_certain():
    # two squares of a quarter among 102: a hundred games are worth 5,100
    for starts in (None, np.arange(100)):
        drawn = win_rate(games(0, 100, 0), starts)
        quantile = Z if starts is None else 1.9842169516
        assert_allclose((drawn.low, drawn.high), _wilson_by_roots(0.5, 5100, quantile))


@pytest.mark.parametrize("number", [20, 40, 100])
@pytest.mark.parametrize(("won", "lost"), [(0.3, 0.05), (0.15, 0.05), (0.2, 0.2)])
def test_interval_of_mostly_drawn_games_covers_the_truth(won, lost, number):
    rng = np.random.default_rng(5)
    truth, covered = won + (1 - won - lost) / 2, 0
    for _ in range(1000):
        chance = rng.random(number)
        estimate = win_rate(np.select([chance < won, chance < won + lost], [1, 0], 0.5))
        covered += estimate.low <= truth <= estimate.high
    assert 0.93 < covered / 1000 < 0.99


def test_starts_that_decide_drawn_games_widen_the_interval():
    # of 20 starts 2 are won and 2 lost with both sides, all else drawn: sums of +-1
    pairs = np.repeat(games(2, 16, 2), 2)
    estimate = win_rate(pairs, np.repeat(range(20), 2))
    games_worth = 40 * 0.25 / (20 / 19 * 4 / 40)
    known = _wilson_by_roots(0.5, games_worth, 2.0930240544)
    assert_allclose((estimate.low, estimate.high), known)


def test_no_games_say_nothing():
    for starts in (None, []):
        estimate = win_rate([], starts)
        assert math.isnan(estimate.value)
        assert (estimate.low, estimate.high, estimate.games) == (0, 1, 0)


@pytest.mark.parametrize("results", [[2, 0], [-1, 1], [math.nan], [[0, 1], [1, 0]]])
def test_what_is_not_a_result_is_refused(results):
    with pytest.raises(ValueError, match="results have to be"):
        win_rate(results)


def test_swapped_sides_do_not_narrow_the_interval():
    # the first player always wins: no variance between starts
    estimate = win_rate([1, 0] * 10, np.repeat(range(10), 2))
    assert_allclose((estimate.low, estimate.high), _wilson_by_roots(0.5, 20, 2.2621571628))
    single = win_rate([1, 0] * 10)
    assert estimate.low < single.low < single.high < estimate.high


def test_starts_that_decide_both_games_count_about_once():
    # 20 pairs won or lost together: effect 20/19 x 2, so 40 games are worth 19
    pairs = np.repeat([1, 0] * 10, 2)
    estimate, single = win_rate(pairs, np.repeat(range(20), 2)), win_rate([1, 0] * 10)
    known = _wilson_by_roots(0.5, 19, 2.0930240544)
    assert_allclose((estimate.low, estimate.high), known, atol=1e-9)
    assert estimate.games == 40
    assert abs(estimate.low - single.low) < 0.02


def _wilson_by_roots(share: float, size: float, z: float) -> tuple[float, float]:
    """Shares p for which (share - p)^2 = z^2 p (1 - p) / size: Wilson's interval by definition.

    z is a quantile from a printed table, of Student's distribution: 2.262 for 10 starts.
    """
    return tuple(sorted(np.roots([1 + z * z / size, -2 * share - z * z / size, share**2])))


def test_labels_may_come_in_any_order_and_kind():
    results = np.array(games(7, 1, 4))
    starts = np.array(list("abcabcddeeff"))
    order = np.random.default_rng(3).permutation(12)
    assert win_rate(results, starts) == win_rate(results[order], starts[order])
    with pytest.raises(ValueError, match="12 results but 2 starts"):
        win_rate(results, [1, 2])


@pytest.mark.parametrize("number", [5, 50])
@pytest.mark.parametrize("kind", ["independent", "start decides", "first player's advantage"])
def test_interval_covers_the_truth(kind, number):
    rng = np.random.default_rng(1)
    starts = np.repeat(np.arange(number), 2)
    covered = 0
    for _ in range(1500):
        chance = np.full((number, 2), 0.6)
        if kind == "start decides":
            chance = np.repeat(rng.random((number, 1)) < 0.6, 2, axis=1)
        elif kind == "first player's advantage":
            chance = chance + np.array([0.3, -0.3])
        estimate = win_rate((rng.random((number, 2)) < chance).ravel(), starts)
        covered += estimate.low <= 0.6 <= estimate.high
    assert covered / 1500 > 0.93  # three standard errors below 95 %


def test_differences_of_pairs():
    results, starts = [1, 0.5, 0, 0, 1, 1], ["b", "a", "a", "c", "c", "b"]
    assert pair_differences(results, starts).tolist() == [-1, 2, 0]


def test_signed_rank_of_darwins_maize():
    # as in the manual of scipy: 15 differences, T = 24, exact p 0.0413
    heights = [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75]
    assert round(signed_rank_test(heights), 4) == 0.0413


@pytest.mark.parametrize("size", [1, 2, 5, 9])
def test_signed_rank_with_ties_by_all_signs(size):
    rng = np.random.default_rng(size)
    for _ in range(5):
        differences = rng.choice([-2, -1, 1, 2], size)
        # ranks of ties are their mean: the ones share 1..n1, the twos the rest
        ones = np.sum(np.abs(differences) == 1)
        ranks = np.where(np.abs(differences) == 1, (ones + 1) / 2, (ones + 1 + size) / 2)
        seen = abs(np.sum(ranks * np.sign(differences)))
        all_sums = [abs(np.dot(ranks, s)) for s in itertools.product((-1, 1), repeat=size)]
        known = np.mean(np.array(all_sums) >= seen - 1e-9)
        assert signed_rank_test(differences) == pytest.approx(known)


@pytest.mark.parametrize(("plus", "minus"), [(11, 3), (17, 7), (32, 18), (40, 20), (300, 240)])
def test_signed_rank_of_differences_of_one_size_is_a_sign_test(plus, minus):
    known = binomtest(plus, plus + minus).pvalue
    for size in (1, 2):
        found = signed_rank_test([size] * plus + [-size] * minus)
        assert found == pytest.approx(known, rel=1e-9)
    assert signed_rank_test([2] * minus + [-2] * plus) == pytest.approx(known, rel=1e-9)


@pytest.mark.parametrize("size", [5, 14, 51, 120])
def test_signed_rank_without_ties_is_scipys(size):
    rng = np.random.default_rng(size)
    differences = np.arange(1, size + 1) * rng.choice([-1, 1], size, p=[0.4, 0.6])
    known = wilcoxon(differences, method="exact").pvalue
    assert signed_rank_test(differences / 7) == pytest.approx(known, rel=1e-9)


def test_signed_rank_of_many_ties_of_two_sizes_by_all_outcomes():
    # 30 differences of one point and 30 of two: doubled ranks 31 and 91, all 31 x 31 outcomes
    differences = [1] * 19 + [-1] * 11 + [2] * 18 + [-2] * 12
    ones, twos = np.meshgrid(np.arange(31), np.arange(31))
    chances = binom.pmf(ones, 30, 0.5) * binom.pmf(twos, 30, 0.5)
    known = 2 * chances[31 * ones + 91 * twos <= 31 * 11 + 91 * 12].sum()
    assert signed_rank_test(differences) == pytest.approx(known, rel=1e-9)


@pytest.mark.parametrize("sizes", [[2], [1, 2], range(1, 1001)])
def test_signed_rank_of_a_thousand_differences_is_fast(sizes):
    rng = np.random.default_rng(4)
    differences = np.resize(sizes, 1000) * rng.choice([-1, 1], 1000)
    taken = []
    for _ in range(3):  # other programs may be in the way of one of them
        began = time.process_time()
        found = signed_rank_test(differences)
        taken.append(time.process_time() - began)
    assert min(taken) < 1
    assert found == pytest.approx(wilcoxon(differences, method="asymptotic").pvalue, abs=0.03)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("differences", [[], [0], [0] * 60, [1], [-2, 0], [1, -1] * 30])
def test_signed_rank_of_little_or_nothing(differences):
    assert signed_rank_test(differences) == 1


def test_signed_rank_leaves_zeros_out():
    assert signed_rank_test([2, 2, 1, -1, 2, 2] + [0] * 70) == signed_rank_test([2, 2, 1, -1, 2, 2])


def test_binomial_by_hand():
    # 8 of 10: 2 (1 + 10 + 45) / 1024
    assert binomial_test(games(8, 0, 2)) == pytest.approx(112 / 1024)
    assert binomial_test(games(2, 5, 8)) == pytest.approx(112 / 1024)
    assert binomial_test(games(0, 4, 0)) == binomial_test([]) == 1
    assert binomial_test(games(61, 0, 39)) < 0.05 < binomial_test(games(60, 0, 40))


def test_holm_by_hand():
    # 4 x 0.005, 3 x 0.01, 2 x 0.03, and 1 x 0.04 raised to the one before
    assert_allclose(holm([0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02])
    assert_allclose(holm([0.5, 0.6, 0.7]), [1, 1, 1])
    assert_allclose(holm([0.02, 0.02]), [0.04, 0.04])
    assert holm([]).size == 0
    assert holm([0.03]) == [0.03]


@pytest.mark.parametrize("p_values", [[1.5], [-0.1], [math.nan, 0.1], 0.1])
def test_holm_refuses_what_is_not_a_p_value(p_values):
    with pytest.raises(ValueError, match="p values"):
        holm(p_values)


def test_agreement_is_fishers():
    # the lady tasting tea: 3 of 4 against 1 of 4, (1 + 16 + 16 + 1) / 70
    assert agreement(win_rate(games(3, 0, 1)), [0.25], games=4) == pytest.approx(34 / 70)
    known = fisher_exact([[90, 10], [7, 93]]).pvalue
    assert agreement(win_rate(games(90, 0, 10)), [0.07], games=100) == pytest.approx(known)


def test_agreement_rounds_halves_towards_each_other():
    ours = win_rate(games(59, 1, 40))  # 59.5
    assert agreement(ours, [0.485], 100) == agreement(win_rate(games(59, 0, 41)), [0.49], 100)
    assert agreement(ours, [0.705], 100) == agreement(win_rate(games(60, 0, 40)), [0.7], 100)


def test_agreement_takes_the_closest_reading():
    ours = win_rate(games(80, 0, 20))
    assert agreement(ours, [0.88, 0.78], 100) == agreement(ours, [0.78], 100)
    assert agreement(ours, [0.8], 100) == agreement(win_rate([]), [0.8], 100) == 1


@pytest.mark.parametrize("readings", [[88], [], [0.5, -0.1], [math.nan]])
def test_agreement_wants_shares(readings):
    with pytest.raises(ValueError, match="shares from 0 to 1"):
        agreement(win_rate([1, 0]), readings, 100)


@pytest.mark.parametrize(
    ("low", "high", "above", "below", "about"),
    [
        (0.51, 0.58, "agrees", "disagrees", "agrees"),
        (0.42, 0.49, "disagrees", "agrees", "agrees"),
        (0.65, 0.75, "agrees", "disagrees", "disagrees"),
        (0.45, 0.65, "undecided", "undecided", "undecided"),
        (0.50, 0.58, "undecided", "undecided", "agrees"),
        (0.00, 1.00, "undecided", "undecided", "undecided"),
    ],
)
def test_verdicts_around_one_half(low, high, above, below, about):
    ours = Estimate((low + high) / 2, low, high, 100)
    found = [verdict(ours, relation).split()[0] for relation in ("above", "below", "about")]
    assert found == [above, below, about]


def test_verdicts_around_other_values():
    ours = win_rate(games(62, 0, 38))  # about 52 to 71
    assert verdict(ours, "above", 0.55) == "undecided at this size"
    assert verdict(ours, "below", 0.75) == "agrees"
    assert verdict(ours, "about", 0.62, tolerance=0.05) == "undecided at this size"
    assert verdict(win_rate([]), "above") == "undecided at this size"
    with pytest.raises(ValueError, match="use one of above, below, about"):
        verdict(ours, "near")


def test_a_claim_of_several_parts_has_to_hold_in_all():
    yes, no, open_ = "agrees", "disagrees", "undecided at this size"
    assert joint_verdict([yes, yes]) == yes
    assert joint_verdict([yes, open_, no]) == no
    assert joint_verdict([yes, open_]) == joint_verdict([]) == open_


# --- means, trends, leads -------------------------------------------------------------------


@pytest.mark.parametrize("confidence", [0.9, 0.95])
def test_means_have_students_interval(confidence):
    values = [3.0, 5.0, 4.5, 9.0, 7.25]
    mean = mean_interval(values, confidence=confidence)
    known = ttest_1samp(values, 0).confidence_interval(confidence)
    assert_allclose((mean.value, mean.low, mean.high), (np.mean(values), *known))
    assert mean_interval([*values, math.nan], confidence=confidence) == mean


def test_values_of_a_group_count_as_one():
    groups = [1, 1, 2, 2, 3, 3]
    assert mean_interval([1, 3, 5, 5, 6, 8], groups) == mean_interval([2, 5, 7])
    one = mean_interval([1, 3], groups=[1, 1])
    assert (one.value, one.low, one.high) == (2, -math.inf, math.inf)
    assert math.isnan(mean_interval([]).value)


def test_trend_is_the_least_squares_slope():
    places = [0, 1, 2, 4]
    shares = [win_rate(games(won, 0, 100 - won)) for won in (20, 45, 40, 75)]
    slope = trend(places, shares)
    assert slope.value == pytest.approx(linregress(places, [s.value for s in shares]).slope)
    assert (slope.value - slope.low) == pytest.approx(slope.high - slope.value)


def test_interval_of_a_trend_by_hand():
    # the slope between two places is the difference of the shares, of independent errors
    shares = [win_rate(games(30, 0, 70)), win_rate(games(60, 0, 40))]
    halves = [(share.high - share.low) / 2 for share in shares]
    slope = trend([3, 4], shares)
    assert (slope.value, slope.high - slope.value) == pytest.approx((0.3, math.hypot(*halves)))
    wider = trend([3, 4], shares, confidence=0.99)
    factor = norm.ppf(0.995) / norm.ppf(0.975)
    assert wider.high - wider.value == pytest.approx(factor * math.hypot(*halves))


def test_trend_of_shares_without_any_variance_is_not_certain():
    slope = trend([0, 1], [win_rate(games(0, 0, 4)), win_rate(games(4, 0, 0))])
    assert slope.high - slope.low > 0.5


def test_difference_of_newcombes_paper():
    # Newcombe (1998), Statistics in Medicine 17, 873, Table II, method 10: 9/10 - 3/10 and
    # 10/10 - 0/20
    lead = difference(win_rate(games(9, 0, 1)), win_rate(games(3, 0, 7)))
    assert (round(lead.low, 4), round(lead.high, 4)) == (0.1705, 0.8090)
    lead = difference(win_rate(games(10, 0, 0)), win_rate(games(0, 0, 20)))
    assert (lead.value, round(lead.low, 4), round(lead.high, 4)) == (1, 0.6791, 1)


def test_trend_needs_games_at_two_places():
    played, none = win_rate(games(1, 0, 1)), win_rate([])
    assert trend([1, 2], [played, none]) is None
    assert trend([1, 1], [played, played]) is None
    assert trend([1, 2, 3], [played, none, played]) == trend([1, 3], [played, played])


def test_trends_of_equal_agents_are_rarely_found():
    rng = np.random.default_rng(1)
    off = 0
    for _ in range(400):
        shares = [win_rate(rng.integers(0, 2, 40)) for _ in range(5)]
        slope = trend(range(5), shares)
        off += not slope.low <= 0 <= slope.high
    assert 4 <= off <= 36  # 20 expected, a little fewer with Wilson's intervals


def test_disagreement_of_many_parts_needs_widened_intervals():
    agrees, disagrees, open_ = "agrees", "disagrees", "undecided at this size"
    assert joint_verdict([agrees, disagrees], [agrees, open_]) == open_
    assert joint_verdict([agrees, disagrees], [agrees, disagrees]) == disagrees
    assert joint_verdict([agrees, agrees], [agrees, open_]) == agrees
