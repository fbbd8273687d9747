"""What the enhancements of MCTS do to the tree, where it is known."""

import numpy as np
import pytest
from small_trees import (
    GAME,
    LAST_CHANCE,
    ONE_POINT,
    SAVES,
    root_edges,
    searched,
    settings,
    two_edges,
    value_after,
)
from turns import POSITIONS, with_points

import heroacademy as ha
from heroacademy.agents import mcts as agents_mcts
from heroacademy.agents.mcts import MCTS, _Search
from heroacademy.search import extras, history, mcts, pruning, reuse, tree
from heroacademy.state import generator

# --- progressive history and n-grams --------------------------------------------------------


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


# --- tree reuse -----------------------------------------------------------------------------

SHORT = ha.GameConfig(action_points=1, turn_limit=16)


def keyed(t):
    """hash -> node."""
    used = t.keys != 0
    return dict(zip(t.keys[used].tolist(), t.places[used].tolist(), strict=True))


@pytest.mark.parametrize("factor", [0.6, 1.0])
def test_the_tree_of_what_was_played_is_kept_and_decayed(factor):
    state = ha.State.from_dict(POSITIONS[0].to_dict() | {"ap": 1}, ONE_POINT)
    search = searched(state, 20_000, tree_reuse=factor, exploration=0.0)
    old = search.tree
    node, here = 0, state
    for _ in range(4):  # own action, end of turn, the reply, its end
        edge = max(
            range(old.node_edges[node], old.node_edges[node] + old.node_tried[node]),
            key=lambda e: old.edge_visits[e],
        )
        here, node = here.apply(ha.Action(int(old.edge_action[edge]))), int(old.edge_child[edge])
    agent = MCTS(tree_reuse=factor)
    new = _Search(agent, here, ha.Budget(fm_calls=100), 1, search).tree

    reached, todo = {node}, [node]
    while todo:
        at = todo.pop()
        first = old.node_edges[at]
        block = range(first, first + old.node_tried[at]) if first != tree.NOT_LAID_OUT else ()
        for child in {int(old.edge_child[e]) for e in block} - reached:
            reached.add(child)
            todo.append(child)
    old_keys, new_keys = {n: k for k, n in keyed(old).items()}, keyed(new)
    assert 10 < len(reached) < old.size[tree.NODES]
    assert set(new_keys) == {old_keys[n] for n in reached}
    assert new.size[tree.NODES] == len(reached)

    for at in reached:
        n = new_keys[old_keys[at]]
        assert new.node_visits[n] == max(1, int(factor * old.node_visits[at] + 0.5))
        assert new.node_depth[n] == old.node_depth[at] - old.node_depth[node]
        assert new.node_own[n] == old.node_own[at]
        if old.node_edges[at] == tree.NOT_LAID_OUT:
            continue
        for i in range(old.node_actions[at]):
            a, b = old.node_edges[at] + i, new.node_edges[n] + i
            visits = old.edge_visits[a]
            expected = max(1, int(factor * visits + 0.5)) if visits else 0
            assert new.edge_visits[b] == expected
            assert new.edge_mean[b] == pytest.approx(old.edge_mean[a])
            assert new.edge_value[b] == pytest.approx(new.edge_mean[b] * expected)
            if factor == 1.0:
                assert new.edge_value[b] == old.edge_value[a]
            if visits:
                assert new_keys[old_keys[int(old.edge_child[a])]] == new.edge_child[b]


def marks_by_state(t):
    """hash of a state -> the marks of its actions."""
    found = {}
    for key, node in keyed(t).items():
        first = t.node_edges[node]
        if first != tree.NOT_LAID_OUT:
            found[key] = t.edge_mark[first : first + t.node_actions[node]].tolist()
    return found


@pytest.mark.parametrize("is_certain", [False, True])
def test_novelty_is_kept_below_the_root_of_a_reused_tree(is_certain):
    """At the root only if chance had no part in it."""
    options = {"novelty": True, "tree_reuse": 0.6, "sequential_halving": True}
    if is_certain:
        options["mixmax"] = 0.25
    state = with_points(POSITIONS[0], 2)
    search = searched(state, 20_000, **options)
    assert search.is_certain() == is_certain
    again = _Search(search.agent, state, ha.Budget(fm_calls=9), 1, search)
    old, new = marks_by_state(search.tree), marks_by_state(again.tree)
    root = next(key for key, node in keyed(again.tree).items() if node == 0)
    assert tree.NOT_NOVEL in old[root] or tree.NOT_NOVEL | tree.DROPPED in old[root]
    assert search.tree.node_tested[0] > 0
    assert (again.tree.node_tested[0] > 0) == is_certain
    below = 0
    for key, marks in new.items():
        kept = [mark & tree.NOT_NOVEL for mark in old[key]]
        if key == root and not is_certain:
            kept = [0] * len(kept)
        assert marks == kept
        below += sum(marks) if key != root else 0
    assert below > 20


def test_a_tree_without_the_state_is_not_kept():
    search = searched(POSITIONS[0], 2_000, tree_reuse=0.6)
    assert reuse.node_with(search.tree, POSITIONS[7].array) == tree.NO_NODE
    assert _Search(search.agent, POSITIONS[7], ha.Budget(fm_calls=9), 1, search).reused == 0


def test_a_game_with_reused_trees_replays_and_differs_from_one_without():
    budget = ha.Budget(fm_calls=3_000)
    records = []
    for factor in (0.6, 0.6, 0.0):
        agent = ha.make_agent("nonexploring-mcts", tree_reuse=factor)
        records.append(ha.play(SHORT, {1: agent, 2: agent}, budget, seed=2))
    assert records[0].actions == records[1].actions
    assert sum(stats["reused_nodes"] > 0 for stats in records[0].stats) > 3
    assert [s["nodes"] for s in records[0].stats] != [s["nodes"] for s in records[2].stats]
    agent = ha.make_agent("nonexploring-mcts", tree_reuse=0.6)
    first, second = (agent.plan(POSITIONS[0], budget, seed=1) for _ in range(2))
    assert first.actions == second.actions
    assert second.stats["reused_nodes"] == 0  # `plan` alone remembers nothing
    assert MCTS().for_game() == MCTS()


# --- the root -------------------------------------------------------------------------------


def test_every_action_of_the_root_is_evaluated_once_before_the_search():
    state = POSITIONS[0]
    n = len(state.legal_actions(pruned=True))
    search = searched(state, n, breadth_first=True)  # one call for each
    edges = root_edges(search)
    assert len(edges) == n == search.result(True).stats["iterations"]
    for action, edge in edges.items():
        assert search.tree.edge_visits[edge] == 1
        assert search.tree.edge_value[edge] == value_after(state, action)


def check_initialization(search, here):
    """The next calls see each of the root's actions once, on top of what they had."""
    t, root = search.tree, int(search.tree.size[tree.ROOT])
    codes = here.legal_actions(pruned=True)
    had = {}
    if t.node_edges[root] != tree.NOT_LAID_OUT:
        for edge in range(t.node_edges[root], t.node_edges[root] + t.node_tried[root]):
            had[int(t.edge_action[edge])] = int(t.edge_visits[edge]), float(t.edge_value[edge])
    visits = int(t.node_visits[root])
    search.advance(1 << 20, search.clock.fm_calls + len(codes))
    assert t.node_tried[root] == len(codes) == search.extras.numbers[extras.SEEN]
    assert t.node_visits[root] == visits + len(codes)
    for edge in range(t.node_edges[root], t.node_edges[root] + t.node_tried[root]):
        action = ha.Action(int(t.edge_action[edge]))
        old_visits, old_value = had.get(action.code, (0, 0.0))
        assert t.edge_visits[edge] == old_visits + 1
        assert t.edge_value[edge] - old_value == pytest.approx(value_after(here, action))
    return [visits for visits, _ in had.values()]


def test_the_root_of_a_reused_tree_is_initialized():
    search = searched(POSITIONS[0], 3_000, breadth_first=True, tree_reuse=0.6)
    again = _Search(search.agent, POSITIONS[0], ha.Budget(fm_calls=500), 2, search)
    assert again.reused > 0
    assert len(check_initialization(again, POSITIONS[0])) > 10  # all were tried before


def test_every_root_of_bridge_burning_is_initialized():
    agent = MCTS(breadth_first=True, bridge_burning=True, unpruning=3)
    search, here = _Search(agent, POSITIONS[0], ha.Budget(fm_calls=4_000), 1), POSITIONS[0]
    for phase in (1, 2, 3):
        known = check_initialization(search, here)
        assert (len(known) > 0) == (phase > 1)
        search.run_phase(phase, 5)
        search.burn()
        here = here.apply(ha.Action(search.played[-1]))


def test_initialization_does_not_wait_for_unpruning():
    agent = MCTS(breadth_first=True, unpruning=2)
    search = _Search(agent, POSITIONS[0], ha.Budget(fm_calls=500), 1)
    assert check_initialization(search, POSITIONS[0]) == []
    search.run()
    t = search.tree
    widths = t.node_tried[1 : t.size[tree.NODES]]
    assert 0 < widths.max() < 8  # below the root it does


def losing_actions(search):
    t, root = search.tree, int(search.tree.size[tree.ROOT])
    first = int(t.node_edges[root])
    edges = range(first, first + int(t.node_tried[root]))
    return {str(ha.Action(int(t.edge_action[e]))) for e in edges if t.edge_mark[e] & tree.LOSES}


def test_losing_actions_are_pruned_at_every_root():
    """Of a reused tree, after bridge burning, and where unpruning would hold them back."""
    losing = {str(a) for a in LAST_CHANCE.legal_actions(pruned=True)} - {SAVES}
    last = searched(LAST_CHANCE, 300, tree_reuse=0.6, breadth_first=True)
    again = _Search(last.agent, LAST_CHANCE, ha.Budget(fm_calls=300), 1, last)
    assert again.reused > 0
    assert losing_actions(again) == set()  # not yet
    again.run()
    assert losing_actions(again) == losing
    assert losing_actions(searched(LAST_CHANCE, 300, breadth_first=True, unpruning=1)) == losing
    early = with_points(LAST_CHANCE, 2)
    search = _Search(MCTS(bridge_burning=True, breadth_first=True), early, ha.Budget(2_000), 1)
    search.run_phase(1, 2)
    assert losing_actions(search) == set()
    search.burn()
    here = early.apply(ha.Action(search.played[0]))
    search.run_phase(2, 2)
    last = {str(a) for a in here.legal_actions(pruned=True)}
    assert losing_actions(search) == {a for a in last if here.apply(a).apply("E").winner == 2}


def test_an_action_that_loses_at_once_is_pruned():
    search = searched(LAST_CHANCE, 2_000, breadth_first=True)
    t = search.tree
    for action, edge in root_edges(search).items():
        loses = LAST_CHANCE.apply(action).apply("E").winner == 2
        assert loses == (action != SAVES) == bool(t.edge_mark[edge] & tree.LOSES)
        assert (t.edge_visits[edge] == 1) == loses
    assert len(root_edges(search)) > 1
    assert str(search.result(True).actions[0]) == SAVES


def test_losing_actions_are_kept_if_there_is_no_other():
    t = two_edges()
    t.edge_mark[:2] = tree.LOSES
    assert mcts.select_edge(t, 0, settings(breadth_first=True), extras.new_extras()) == 0
    assert tree.best_edge(t, 0, True) == 0
    t.edge_mark[0] |= tree.DROPPED
    assert tree.best_edge(t, 0, True) == 1


def test_marked_actions_are_dropped_before_all_others():
    t = tree.new_tree(8, 8)
    t.node_own[0], t.node_actions[0], t.node_tried[0] = 1, 5, 5
    for edge, mean in enumerate((0.9, 0.5, 0.4, 0.8, 0.6)):
        tree.count_result(t, edge, mean)
    t.edge_mark[[0, 3]] = tree.NOT_NOVEL, tree.LOSES  # one visit each, with luck
    left = []
    for _ in range(3):
        pruning.drop_half(t)
        left.append(np.flatnonzero(~t.edge_mark[:5] & tree.DROPPED).tolist())
    assert left == [[1, 2, 4], [1, 4], [4]]


@pytest.mark.parametrize("index", range(0, 60, 10))
def test_what_halving_leaves_is_novel(index):
    search = searched(POSITIONS[index], 6_000, sequential_halving=True, novelty=True)
    t = search.tree
    marks = t.edge_mark[: t.node_tried[0]]
    (left,) = marks[marks & tree.DROPPED == 0]
    assert (marks & tree.NOT_NOVEL).any()
    assert left & tree.NOT_NOVEL == 0 or (marks & tree.NOT_NOVEL).all()


def test_sequential_halving(monkeypatch):
    state, rounds = POSITIONS[0], []
    search = _Search(MCTS(sequential_halving=True), state, ha.Budget(fm_calls=40_000), 1)
    before = {}

    def watched_drop(t):
        left = {a: e for a, e in root_edges(search).items() if not t.edge_mark[e] & tree.DROPPED}
        pruning.drop_half(t)
        kept = {a for a, e in left.items() if not t.edge_mark[e] & tree.DROPPED}
        visits = {a: int(t.edge_visits[e]) for a, e in left.items()}
        new = [visits[a] - before.get(a, 0) for a in left]
        assert max(new) - min(new) <= 1  # equally often
        means = {a: t.edge_mean[e] for a, e in left.items()}
        worst_kept = min(means[a] for a in kept)
        assert all(means[a] <= worst_kept for a in set(left) - kept)
        before.update(visits)
        rounds.append((len(left), len(kept), search.clock.fm_calls))

    monkeypatch.setattr(agents_mcts, "drop_half", watched_drop)
    plan = search.run()
    n = len(state.legal_actions(pruned=True))
    expected = [n]
    while expected[-1] > 1:
        expected.append((expected[-1] + 1) // 2)
    assert [r[0] for r in rounds] == expected[:-1]
    assert [r[1] for r in rounds] == expected[1:]
    for i, (_, _, calls) in enumerate(rounds, 1):
        assert 0 <= calls - 40_000 * i / len(rounds) < 40
    left = [a for a, e in root_edges(search).items() if not search.tree.edge_mark[e]]
    assert [str(plan.actions[0])] == left


@pytest.mark.parametrize(
    ("visits", "width"), [(0, 5), (49, 5), (50, 6), (64, 6), (65, 7), (84, 7), (85, 8), (10**6, 20)]
)
def test_unpruning_widens_at_these_visits(visits, width):
    assert pruning.allowed_actions(visits, 5, 20) == width
    assert pruning.allowed_actions(visits, 5, 3) == 3


def test_a_node_tries_no_more_than_is_unpruned():
    t = searched(POSITIONS[0], 30_000, unpruning=5).tree
    for node in range(t.size[tree.NODES]):
        if t.node_edges[node] != tree.NOT_LAID_OUT and t.node_visits[node] > 0:
            # a new edge is tried before the visit is counted
            most = pruning.allowed_actions(int(t.node_visits[node]), 5, int(t.node_actions[node]))
            assert t.node_tried[node] <= most
    root = int(t.node_visits[0]) - 1
    assert t.node_tried[0] == pruning.allowed_actions(root, 5, int(t.node_actions[0])) > 5
