"""The enhancements of MCTS in searches: novelty against its definition, and any combination."""

import pickle

import pytest
from drawn import position
from small_trees import LAST_CHANCE, ONE_POINT, searched, settings, two_edges
from turns import POSITIONS, turn_end, with_points

import heroacademy as ha
from heroacademy.agents import clock
from heroacademy.agents.mcts import ENHANCEMENTS, MCTS, _Search
from heroacademy.search import extras, mcts, novelty, tree

ALL = {option: value for options in ENHANCEMENTS.values() for option, value in options.items()}
CASES = ENHANCEMENTS | {"loss in one's turn": {"loss_avoidance": "turn"}, "all": ALL}


# --- novelty --------------------------------------------------------------------------------


def features(state):
    """The features by their definition."""
    found = {("unit", u.x, u.y, u.owner, u.name, u.hp > 0) for u in state.units}
    found |= {("item", u.x, u.y, item) for u in state.units for item in u.items}
    for player in (1, 2):
        hand = state.hand(player)
        found |= {("card", player, c, k) for c in hand for k in range(hand.count(c))}
    return found


def expected_marks(parent, actions, neighbourhood):
    """Which successors are not novel, and all features that were seen."""
    seen, marks = neighbourhood | features(parent), []
    for action in actions:
        child = parent.apply(action)
        is_better = ha.evaluate(child, parent.player) > ha.evaluate(parent, parent.player)
        marks.append(len(actions) > 1 and features(child) <= seen and not is_better)
        seen |= features(child)
    return marks, seen


def block(t, node):
    return range(t.node_edges[node], t.node_edges[node] + t.node_tried[node])


SWAPS = position(
    """
    1K . . . . 2A . .""",
    ap=2,
    hand={1: ["SCROLL", "SCROLL", "SCROLL"]},
    deck={1: ["KNIGHT", "ARCHER"]},
)


@pytest.mark.parametrize(
    "state", [SWAPS, with_points(POSITIONS[0], 2), with_points(POSITIONS[40], 3)]
)
def test_novelty_follows_its_definition(state):
    search = _Search(MCTS(novelty=True), state, ha.Budget(fm_calls=30_000), 1)
    search.run()
    t = search.tree
    codes = [ha.Action(int(t.edge_action[e])) for e in block(t, 0)]
    marks, seen = expected_marks(state, codes, set())
    tested = 0
    for edge, action, mark in zip(block(t, 0), codes, marks, strict=True):
        node = int(t.edge_child[edge])
        if t.node_tested[node] > 0 and state.apply(action).player == state.player:
            below = [ha.Action(int(t.edge_action[e])) for e in block(t, node)]
            child_marks, _ = expected_marks(state.apply(action), below, seen)
            found = [bool(t.edge_mark[e] & tree.NOT_NOVEL) for e in block(t, node)]
            # an edge may be marked later, because all below it is marked
            assert all(f >= c for f, c in zip(found, child_marks, strict=True))
            for e, f, c in zip(block(t, node), found, child_marks, strict=True):
                under = block(t, int(t.edge_child[e]))
                if f and not c:
                    assert all(t.edge_mark[u] & tree.NOT_NOVEL for u in under)
            mark = mark or all(found)
            tested += 1
        assert bool(t.edge_mark[edge] & tree.NOT_NOVEL) == mark
    assert tested > 3
    if state is SWAPS:  # a hand with one card less is nothing new
        swaps = [action.kind == "swap card" for action in codes]
        assert any(swaps)
        assert all(mark for mark, swap in zip(marks, swaps, strict=True) if swap)


@pytest.mark.parametrize(("mean", "chosen"), [(0.6, 1), (0.4, 0)])
def test_what_is_not_novel_is_not_played_unless_in_danger(mean, chosen):
    t = two_edges(((1, mean + 0.05), (1, mean)))
    t.edge_mark[0] = tree.NOT_NOVEL
    assert tree.best_edge(t, 0, False) == chosen


@pytest.mark.parametrize(
    ("own", "mean", "in_danger"),
    [
        (1, 0.4, True),
        (1, 0.6, False),
        (0, -0.4, False),
        (0, -0.6, True),
    ],
)
def test_danger_is_that_of_the_player_who_moves(own, mean, in_danger):
    """The other player's results are from -1, lost, to 0."""
    t = two_edges(((10, mean + 0.05), (10, mean)), own=own)
    t.edge_mark[0] = tree.NOT_NOVEL
    assert novelty.is_in_danger(t, 0) == in_danger
    chosen = mcts.select_edge(t, 0, settings(novelty=True), extras.new_extras())
    assert chosen == (0 if in_danger else 1)


def test_novelty_of_the_other_players_actions():
    """Near the states on the way there; better is what is better for the one who moves."""
    state = ha.State.from_dict(POSITIONS[0].to_dict() | {"ap": 1}, ONE_POINT)
    search = searched(state, 60_000, novelty=True, exploration=0.1)
    t, tested, by_mover = search.tree, 0, 0
    codes = [ha.Action(int(t.edge_action[e])) for e in block(t, 0)]
    _, near_root = expected_marks(state, codes, set())
    parents = [int(t.edge_child[e]) for e in block(t, 0)]
    for action, spent in zip(codes, parents, strict=True):
        if t.node_tested[spent] == 0 or parents.count(spent) > 1:
            continue
        node = int(t.edge_child[t.node_edges[spent]])
        if t.node_tested[node] == 0:
            continue
        here = state.apply(action).apply("E")
        replies = [ha.Action(int(t.edge_action[e])) for e in block(t, node)]
        near = near_root | features(state.apply(action))
        marks, _ = expected_marks(here, replies, near)
        for edge, reply, mark in zip(block(t, node), replies, marks, strict=True):
            found = bool(t.edge_mark[edge] & tree.NOT_NOVEL)
            below = block(t, int(t.edge_child[edge]))  # may have marked it later
            assert found == mark or (found and all(t.edge_mark[e] for e in below))
            gain = ha.evaluate(here.apply(reply), here.player) > ha.evaluate(here, here.player)
            by_mover += gain and features(here.apply(reply)) <= near | features(here)
            tested += mark
    assert tested > 3
    assert by_mover > 0  # novel for its value alone


def test_a_marked_node_marks_the_way_to_it():
    t = tree.new_tree(8, 8)
    t.node_edges[:3], t.node_tried[:3], t.node_actions[:3] = [0, 2, 3], [2, 1, 2], [2, 1, 3]
    t.path_nodes[:2], t.path_edges[:2] = [0, 1], [1, 2]
    t.edge_mark[3] = tree.NOT_NOVEL
    novelty.mark_path(t, 2, 2)
    assert not t.edge_mark[:3].any()
    t.edge_mark[4] = tree.NOT_NOVEL
    novelty.mark_path(t, 2, 2)
    assert not t.edge_mark[:3].any()  # an action is still to be tried
    t.node_actions[2] = 2
    novelty.mark_path(t, 2, 2)
    assert t.edge_mark[:5].tolist() == [0, 1, 1, 1, 1]


def test_unpruning_puts_the_test_off_until_all_actions_are_tried():
    state = with_points(POSITIONS[0], 2)
    search = _Search(MCTS(novelty=True, unpruning=5), state, ha.Budget(fm_calls=10**6), 1)
    t, actions = search.tree, len(state.legal_actions(pruned=True))
    while t.node_tried[0] < actions:
        assert t.node_tested[0] == 0
        search.advance(1, 10**6)
    search.advance(1, 10**6)
    assert t.node_tested[0] > 0
    assert any(t.edge_mark[e] & tree.NOT_NOVEL for e in block(t, 0)[5:])
    nodes = range(1, t.size[tree.NODES])
    for node in nodes:
        assert t.node_tested[node] == 0 or t.node_tried[node] == t.node_actions[node]
        if t.node_tried[node] < t.node_actions[node]:
            assert not any(t.edge_mark[e] for e in block(t, node))
    assert any(t.node_visits[n] > 9 and t.node_tried[n] < t.node_actions[n] for n in nodes)


# --- all of them ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", CASES)
def test_plans_are_legal_repeat_and_do_not_depend_on_chunks(name, monkeypatch):
    for base, index in (("nonexploring-mcts", 0), ("bb-mcts", 21), ("vanilla-mcts", 50)):
        agent, state = ha.make_agent(base, **CASES[name]), POSITIONS[index]
        plans = []
        for points, chunk in ((1, 1 << 14), (8, 3), (64, 1)):
            monkeypatch.setattr(clock, "CURVE_POINTS_A_DECADE", points)
            monkeypatch.setattr(clock, "MAX_CHUNK", chunk)
            agent = pickle.loads(pickle.dumps(agent))
            plans.append(agent.plan(state, ha.Budget(fm_calls=3_000), seed=2))
        after = turn_end(state, plans[0].actions)
        assert after.is_terminal or after.player != state.player
        assert len({tuple(map(str, plan.actions)) for plan in plans}) == 1
        assert len({plan.stats["iterations"] for plan in plans}) == 1
        assert len({plan.stats["fm_calls"] for plan in plans}) == 1


@pytest.mark.parametrize("calls", [0, 1, 7, 100])
@pytest.mark.parametrize("name", CASES)
def test_small_budgets_are_obeyed(name, calls):
    """One iteration over at most: here a turn, and a test of all successors or alternatives."""
    plan = MCTS(**CASES[name]).plan(POSITIONS[3], ha.Budget(fm_calls=calls), seed=1)
    assert plan.stats["fm_calls"] <= calls + 200
    after = turn_end(POSITIONS[3], plan.actions)
    assert after.is_terminal or after.player != POSITIONS[3].player


def test_games_with_everything_on_repeat():
    for draws in ("deterministic", "random"):
        config = ha.GameConfig(
            map="a-tiny", deck="tiny", action_points=2, turn_limit=20, draws=draws
        )
        agents = {1: MCTS(**ALL), 2: MCTS(bridge_burning=True, **ALL)}
        first, second = (ha.play(config, agents, ha.Budget(fm_calls=800), seed=4) for _ in range(2))
        assert first.actions == second.actions
        assert first.agents[1]["options"]["tree_reuse"] == ALL["tree_reuse"]


def test_what_the_enhancements_did_is_told():
    budget, state = ha.Budget(fm_calls=5_000), POSITIONS[0]
    counted = {
        "reused_nodes": "tree_reuse",
        "unsafe": "breadth_first",
        "losses_avoided": "loss_avoidance",
        "not_novel": "novelty",
        "deterministic": "mixmax",
    }
    assert not counted.keys() & MCTS().plan(state, budget).stats.keys()
    for name, option in counted.items():
        stats = MCTS(**{option: ALL[option]}).plan(state, budget).stats
        assert counted.keys() & stats.keys() == {name}
        assert type(stats[name]) is int
    search = _Search(MCTS(**ALL), LAST_CHANCE, budget, 1)
    stats = search.run().stats
    t = search.tree
    marks = t.edge_mark[: t.size[tree.EDGES]].tolist()
    assert stats["not_novel"] == sum(mark & tree.NOT_NOVEL > 0 for mark in marks)
    assert stats["unsafe"] == len(LAST_CHANCE.legal_actions(pruned=True)) - 1 > 0
    assert stats["losses_avoided"] > 0


def test_every_enhancement_changes_the_search():
    """But for loss avoidance and reuse, which need a loss or a game."""
    budget, state = ha.Budget(fm_calls=5_000), POSITIONS[0]

    def shape(**options):
        search = _Search(MCTS(exploration=0.0, **options), state, budget, 1)
        search.run()
        t = search.tree
        return t.edge_visits[: t.size[tree.EDGES]].tolist(), t.edge_value.sum()

    plain = shape()
    for name, options in ENHANCEMENTS.items():
        assert (shape(**options) == plain) == (name in ("loss avoidance", "tree reuse"))
