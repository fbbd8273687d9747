"""What the enhancements of MCTS do to the tree, where it is known."""

import numpy as np
import pytest
from small_trees import (
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
from heroacademy import bench
from heroacademy.agents import mcts as agents_mcts
from heroacademy.agents.mcts import MCTS, _Search
from heroacademy.search import extras, mcts, pruning, reuse, tree

# --- tree reuse -----------------------------------------------------------------------------

SHORT = ha.GameConfig(action_points=1, turn_limit=16)


def keyed(t):
    """hash -> node."""
    used = t.keys != 0
    return dict(zip(t.keys[used].tolist(), t.places[used].tolist(), strict=True))


@pytest.mark.parametrize("factor", [0.6, 1.0])
def test_the_tree_of_what_was_played_is_kept_and_decayed(factor):
    state = ha.State.from_dict(POSITIONS[0].to_dict() | {"ap": 1}, ONE_POINT)
    # mixmax is on for its best results alone: the search that goes on does without
    search = searched(state, 20_000, tree_reuse=factor, exploration=0.0, mixmax=0.25)
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
    assert len(np.unique(old.edge_best[: old.size[tree.EDGES]])) > 3
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
            assert new.edge_spread[b] == pytest.approx(1 / np.sqrt(expected) if visits else 0)
            assert new.edge_best[b] == old.edge_best[a]
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
        tested, before = (one.tree.node_tested[keyed(one.tree)[key]] for one in (again, search))
        if tested > 0:
            row = again.extras.features[tested - 1]
            assert row.any()
            assert (row == search.extras.features[before - 1]).all()
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


def test_the_benchmark_of_tree_reuse_reuses_trees():
    player, calls = MCTS(tree_reuse=0.6).for_game(), 5_000
    turns = bench.successive_turns(calls)
    plans = [player.plan(state, ha.Budget(fm_calls=calls), seed=1) for state in turns]
    reused = [plan.stats["reused_nodes"] for plan in plans]
    assert reused[0] == 0
    assert sum(nodes > 0 for nodes in reused) >= 3
    costs = bench.enhancement_costs(POSITIONS[:1], calls=500, rounds=1)
    assert costs.keys() == {*agents_mcts.ENHANCEMENTS, "all"}
    assert all(cost > 0 for pair in costs.values() for cost in pair)


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


def test_sequential_halving_of_every_root_of_bridge_burning(monkeypatch):
    """Each phase halves the actions of its own root down to the one that is played."""
    agent, calls, points = MCTS(sequential_halving=True, bridge_burning=True), 20_000, 3
    state = with_points(POSITIONS[0], points)
    search, left = _Search(agent, state, ha.Budget(fm_calls=calls), 1), []

    def edges_left(t):
        root = int(t.size[tree.ROOT])
        block = range(t.node_edges[root], t.node_edges[root] + t.node_tried[root])
        return [e for e in block if not t.edge_mark[e] & tree.DROPPED]

    def watched_drop(t):
        before = len(edges_left(t))
        pruning.drop_half(t)
        left.append((before, len(edges_left(t))))

    monkeypatch.setattr(agents_mcts, "drop_half", watched_drop)
    here = state
    for phase in range(1, points + 1):
        left.clear()
        search.run_phase(phase, points)
        n = len(here.legal_actions(pruned=True))
        assert len(left) == pruning.halving_rounds(n)
        assert left[0][0] == n
        assert [kept for _, kept in left] == [(before + 1) // 2 for before, _ in left]
        assert 0 <= search.clock.fm_calls - calls * phase / points < 40
        (last,) = edges_left(search.tree)
        search.burn()
        assert search.played[-1] == search.tree.edge_action[last]
        here = here.apply(ha.Action(search.played[-1]))


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
