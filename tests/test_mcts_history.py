"""What MCTS remembers of actions: progressive history and n-grams."""

import numpy as np
import pytest
from small_trees import GAME, searched, settings, two_edges
from turns import POSITIONS

from heroacademy.search import extras, history, mcts
from heroacademy.state import generator

# --- progressive history --------------------------------------------------------------------


def count_all(kept, player, result, ngrams):
    """Count a result for the whole line."""
    history.count_line(kept, player, 0, kept.numbers[extras.LINE_LENGTH], result, ngrams)


def history_of(*played, player=1):
    """What is kept after iterations of one action each: player, action and result."""
    kept = extras.new_extras(10, history=True)
    for mover, action, result in played:
        line_of(kept, history.entry_of(mover, action))
        count_all(kept, player, result, False)
    return kept


def test_the_bias_of_progressive_history():
    """Results from 0.50 to 0.52, on average 0.508: scaled, action 4 is 0.35 better than that."""
    played = [(1, 5, 0.50), (1, 5, 0.50), (1, 4, 0.52), (1, 4, 0.51), (1, 5, 0.51)]
    kept = history_of(*played)
    t, on = two_edges(((10, 0.506), (10, 0.506))), settings(history=2.0)
    assert mcts.bias(t, 0, 0, on, kept) == 0.0  # action 3 was never played
    bias = 2.0 * 0.35 / (10 * (1 - 0.3) + 1)
    assert mcts.bias(t, 0, 1, on, kept) == pytest.approx(bias)
    assert mcts.select_edge(t, 0, settings(), kept) == 0
    assert mcts.select_edge(t, 0, on, kept) == 1
    t.edge_action[1] = 5
    malus = mcts.bias(t, 0, 1, on, kept)
    assert malus == pytest.approx(-bias * (0.508 - 1.51 / 3) / 0.007)
    # a decided game neither stretches the range nor counts more than its end
    won = history_of(*played, (1, 4, 1.0), (1, 4, 1.0))
    assert (won.results[:2] == kept.results[:2]).all()
    t.edge_action[1] = 4
    assert mcts.bias(t, 0, 1, on, won) == pytest.approx(2.0 / (10 * (1 - 0.3) + 1))


def test_progressive_history_is_kept_by_player():
    played = [(2, 4, 0.40), (2, 4, 0.41), (2, 5, 0.42), (1, 4, 0.42)]
    kept = history_of(*played)
    t = two_edges(((10, -0.405), (10, -0.405)), own=0)  # the other player's, so -1 to 0
    better = (0.595 - (0.60 + 0.59 + 0.58) / 3) / 0.02
    bias = better / (10 * (1 - 0.75) + 1)
    assert mcts.bias(t, 0, 1, settings(history=1.0), kept) == pytest.approx(bias)
    assert mcts.bias(t, 0, 1, settings(player=2, history=1.0), kept) == 0.0  # its only action


@pytest.mark.parametrize("exploration", [0.0, 0.7])
def test_equal_histories_leave_the_selection_as_it_is(exploration):
    equal = [(1, action, result) for action in (3, 4) for result in (0.50, 0.515, 0.52)]
    kept = history_of(*equal, (1, 3, 1.535 / 3), (1, 4, 1.535 / 3))
    for visits in (1, 2, 5, 40):
        t = two_edges(((50, 0.512), (visits, 0.511)))
        plain, on = (settings(exploration=exploration, history=w) for w in (0.0, 1.0))
        assert mcts.select_edge(t, 0, on, kept) == mcts.select_edge(t, 0, plain, kept)
        assert abs(mcts.bias(t, 0, 1, on, kept)) < 1e-9


def test_every_action_of_an_iteration_is_counted():
    search = searched(POSITIONS[0], 3_000, progressive_history=1.0)
    kept, points = search.extras, POSITIONS[0].action_points
    iterations = search.result(True).stats["iterations"]
    own = kept.history_count[: extras.HISTORY_PLACES // 2].sum()
    other = kept.history_count.sum() - own
    assert {1: own, 2: other}[POSITIONS[0].player] >= iterations * (points + 1)
    assert 0 < kept.history_sum.sum() < kept.history_count.sum()


def line_of(kept, *entries):
    kept.line[: len(entries)] = entries
    kept.numbers[extras.LINE_LENGTH] = len(entries)


def test_ngrams_are_pairs_and_triples_of_one_turn():
    kept = extras.new_extras(100, ngrams=True)
    a, b, c = (history.entry_of(1, action) for action in (11, 12, 13))
    reply = history.entry_of(2, 12)
    line_of(kept, a, b, c, reply)
    for result in [0.25] * 6:
        count_all(kept, 1, result, True)
    assert kept.numbers[extras.GRAMS] == 3  # ab, bc, abc: no pair goes over the turn's end
    assert history.gram_score(kept, 0, 0, reply) == 0.75  # for the player who moved
    line_of(kept, c)
    for _ in range(6):
        count_all(kept, 1, 1.0, True)
    # c alone was met 12 times; the pair and the triple 6 times, once too few
    assert history.gram_score(kept, a, b, c) == pytest.approx((6 * 0.25 + 6) / 12)
    line_of(kept, b, c)
    count_all(kept, 1, 0.25, True)
    single, pair = (7 * 0.25 + 6) / 13, 0.25
    assert history.gram_score(kept, a, b, c) == pytest.approx((single + pair) / 2)
    line_of(kept, a, b, c)
    count_all(kept, 1, 0.25, True)
    single = (8 * 0.25 + 6) / 14
    assert history.gram_score(kept, a, b, c) == pytest.approx((single + pair + 0.25) / 3)
    assert history.gram_score(kept, 0, b, c) == pytest.approx((single + pair) / 2)
    assert history.gram_score(kept, a, b, history.entry_of(1, 99)) == 1.0  # never played


def test_ngrams_choose_the_action_that_did_best():
    state = POSITIONS[0]
    legal = [action.code for action in state.legal_actions(pruned=True)]
    kept, codes = extras.new_extras(100, ngrams=True), np.zeros(3000, np.int64)
    for code in legal:
        place = history.history_place(history.entry_of(state.player, code))
        kept.history_sum[place], kept.history_count[place] = 2.0, 5
    best = legal[len(legal) // 2]
    kept.history_sum[history.history_place(history.entry_of(state.player, best))] = 3.0
    rng = generator(1, 0)
    chosen = {history.ngram_action(GAME, state.array, rng, codes, kept) for _ in range(20)}
    assert chosen == {best}
    other = legal[0]
    kept.history_count[history.history_place(history.entry_of(state.player, other))] = 0
    assert history.ngram_action(GAME, state.array, rng, codes, kept) == other  # never played


def visits_with(ngrams, epsilon):
    tree = searched(POSITIONS[0], 3_000, ngrams=ngrams, epsilon=epsilon).tree
    return tree.edge_visits[:60].tolist()


def test_the_share_of_ngrams_leaves_the_rest_to_epsilon():
    """With n-grams alone epsilon never has a say, and almost without them it always does."""
    assert visits_with(1.0, epsilon=0.0) == visits_with(1.0, epsilon=1.0)
    assert visits_with(1e-6, epsilon=0.0) != visits_with(1e-6, epsilon=1.0)


STATE = POSITIONS[0]
LEGAL = [action.code for action in STATE.legal_actions(pruned=True)]
FIRST, SECOND = (history.entry_of(STATE.player, code) for code in (11, 12))
OTHERS = history.entry_of(3 - STATE.player, 12)
AVERAGE, GOOD = 0.5, 0.9


def equal_singles():
    """All legal actions were played equally often, with the same result."""
    kept = extras.new_extras(1000, ngrams=True)
    for code in LEGAL:
        place = history.history_place(history.entry_of(STATE.player, code))
        kept.history_sum[place], kept.history_count[place] = 10 * AVERAGE, 10
    return kept


def count_grams(kept, before, previous, code, score):
    key = np.uint64(history.gram_key(before, previous, history.entry_of(STATE.player, code)))
    for _ in range(history.LEAST_MET):
        history.count_gram(kept, key, score)


def chosen_after(kept, *line):
    """The actions that n-grams choose after a line, in some tries."""
    line_of(kept, *line)
    rng, codes = generator(1, 0), np.zeros(3000, np.int64)
    return {history.ngram_action(GAME, STATE.array, rng, codes, kept) for _ in range(30)}


def test_a_good_pair_is_chosen_after_its_first_action_alone():
    kept, best = equal_singles(), LEGAL[3]
    count_grams(kept, history.NO_ENTRY, SECOND, best, GOOD)
    count_grams(kept, history.NO_ENTRY, OTHERS, best, GOOD)
    assert chosen_after(kept, SECOND) == chosen_after(kept, FIRST, SECOND) == {best}
    for line in ((), (FIRST,), (SECOND, FIRST), (FIRST, OTHERS), (SECOND, OTHERS)):
        assert len(chosen_after(kept, *line)) > 3  # all are equal: pairs end with the turn


def test_a_good_triple_is_chosen_after_both_of_its_actions_alone():
    kept, best, other = equal_singles(), LEGAL[3], LEGAL[5]
    for code in (best, other):
        count_grams(kept, history.NO_ENTRY, SECOND, code, GOOD)
    count_grams(kept, FIRST, SECOND, best, GOOD)
    count_grams(kept, FIRST, SECOND, other, AVERAGE)
    assert chosen_after(kept, FIRST, SECOND) == {best}
    for line in ((SECOND,), (SECOND, SECOND), (OTHERS, SECOND)):
        assert chosen_after(kept, *line) == {best, other}
