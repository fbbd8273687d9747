"""What has to hold inside the searches' trees and populations."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import heroacademy as ha
from heroacademy import bench
from heroacademy.agents.emcts import EMCTS
from heroacademy.agents.emcts import _Search as EmctsSearch
from heroacademy.agents.mcts import MCTS
from heroacademy.agents.mcts import _Search as MctsSearch
from heroacademy.engine.evaluation import weights_array
from heroacademy.search import emcts, mcts, oep, tree
from heroacademy.search.common import NO_ACTION, greedy_action, logarithm, new_scratch
from heroacademy.state import generator

POSITIONS = bench.positions()
WEIGHTS = weights_array("aicademy")


def grown_tree(state, calls=20_000, **options):
    search = MctsSearch(MCTS(**options), state, ha.Budget(fm_calls=calls), seed=1)
    search.run()
    return search


# --- MCTS -----------------------------------------------------------------------------------


@pytest.mark.parametrize("index", [0, 30])
@pytest.mark.parametrize("exploration", [0.0, 0.7])
def test_visits_add_up(index, exploration):
    search = grown_tree(POSITIONS[index], exploration=exploration)
    t = search.tree
    nodes, edges = int(t.size[tree.NODES]), int(t.size[tree.EDGES])
    root = int(t.size[tree.ROOT])
    iterations = search.result(True).stats["iterations"]
    assert t.node_visits[root] == iterations

    first = t.node_edges[root]
    assert t.edge_visits[first : first + t.node_actions[root]].sum() == iterations

    # Every visit of another node came by an edge to it; it was then left by one of its own
    # edges, but for the one time that it was new, or that an edge to it was.
    arrived = np.zeros(nodes, np.int64)
    expanded = np.flatnonzero(t.edge_child[:edges] != tree.NO_NODE)
    np.add.at(arrived, t.edge_child[expanded], t.edge_visits[expanded])
    arrived[root] += iterations
    assert (arrived == t.node_visits[:nodes]).all()
    new_arrivals = np.bincount(t.edge_child[expanded], minlength=nodes)
    for node in range(nodes):
        if t.node_edges[node] != tree.NOT_LAID_OUT and t.node_own[node] != tree.TERMINAL:
            block = slice(t.node_edges[node], t.node_edges[node] + t.node_actions[node])
            left = t.edge_visits[block].sum()
            assert left == t.node_visits[node] - new_arrivals[node]
            tried = t.edge_child[block] != tree.NO_NODE
            assert tried.sum() == t.node_tried[node]
            assert (t.edge_visits[block] > 0).sum() == t.node_tried[node]


def test_children_are_tried_best_rated_first():
    search = grown_tree(POSITIONS[0], calls=60)
    t, state = search.tree, POSITIONS[0]
    rating = {action.code: r for action, r, _ in state.rated_actions()}
    root = t.size[tree.ROOT]
    block = t.edge_action[t.node_edges[root] : t.node_edges[root] + t.node_actions[root]]
    ratings = [rating[int(code)] for code in block]
    assert ratings == sorted(ratings, reverse=True)
    assert 0 < t.node_tried[root] < t.node_actions[root]


def test_multi_negamax_signs_on_a_hand_made_tree():
    """Root and its child are the searcher's, the grandchild the other player's."""
    t = tree.new_tree(8, 8)
    t.node_own[:3] = [1, 1, 0]
    t.edge_child[:3] = [1, 2, 3]
    t.path_edges[:3] = [0, 1, 2]
    t.path_nodes[:3] = [0, 1, 2]
    for result, depth in ((0.75, 3), (0.5, 2), (0.25, 3)):
        mcts.back_up(t, 0, depth, result)
    assert t.edge_value[:3].tolist() == [1.5, 1.5, -1.0]
    assert t.edge_visits[:3].tolist() == [3, 3, 2]
    assert t.node_visits[1:4].tolist() == [3, 3, 2]
    mcts.back_up(t, 2, 3, 0.125)  # a part of the path
    assert t.edge_value[:3].tolist() == [1.5, 1.5, -1.125]
    assert t.node_visits[1:4].tolist() == [3, 3, 3]


def test_exploration_prefers_the_less_visited_and_none_the_better():
    t = tree.new_tree(8, 8)
    t.node_actions[0], t.node_tried[0], t.node_visits[0] = 2, 2, 110
    for edge, visits, mean in ((0, 100, 0.6), (1, 10, 0.59)):
        for _ in range(visits):
            tree.count_result(t, edge, mean)
    assert mcts.select_edge(t, 0, mcts.Settings(1, 0.0, 0.5, False), None) == 0
    assert mcts.select_edge(t, 0, mcts.Settings(1, 0.7, 0.5, False), None) == 1


def test_the_best_child_by_value_or_by_visits():
    t = tree.new_tree(8, 8)
    t.node_tried[0] = 2
    for edge, visits, mean in ((0, 3, 0.9), (1, 10, 0.5)):
        for _ in range(visits):
            tree.count_result(t, edge, mean)
    assert tree.best_edge(t, 0, False) == 0
    assert tree.best_edge(t, 0, True) == 1


@pytest.mark.parametrize("n", [1, 2, 3, 7, 1000, 3_000_000])
def test_the_logarithm(n):
    assert logarithm(n) == pytest.approx(np.log(n), abs=1e-8)


def test_bridge_burning_keeps_one_child_a_phase():
    state = POSITIONS[0]
    search = MctsSearch(MCTS(bridge_burning=True), state, ha.Budget(fm_calls=20_000), seed=1)
    burnt = []
    burn = search.burn

    def watched_burn():
        t = search.tree
        root = int(t.size[tree.ROOT])
        edge = tree.best_edge(t, root, search.settings.by_visits)
        burn()
        burnt.append((root, int(t.edge_action[edge])))
        assert t.size[tree.ROOT] == t.edge_child[edge]

    search.burn = watched_burn
    plan = search.run()
    assert len(burnt) == state.action_points
    assert len({root for root, _ in burnt}) == state.action_points
    assert [a.code for a in plan.actions[:-1]] == [action for _, action in burnt]
    assert str(plan.actions[-1]) == "E"


# --- OEP ------------------------------------------------------------------------------------


@given(st.integers(0, 59), st.integers(1, 8), st.booleans(), st.booleans(), st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_crossover_and_mutation_give_legal_turns(index, points, greedy, rollouts, seed):
    config = ha.GameConfig(action_points=points)
    data = POSITIONS[index].to_dict() | {"ap": points}
    state = ha.State.from_dict(data, config)
    population = oep.new_population(20, points, rollouts, 0)
    numbers = oep.Settings(
        player=state.player, survivors=10, mutation=0.5, greedy_starts=2, greedy_repair=greedy,
        best_of=0, rollouts=rollouts,
    )  # fmt: skip
    scratch = new_scratch(state.array, generator(seed, 0))
    counts = np.zeros(4, np.int64)
    oep.advance(config.game, population, numbers, scratch, WEIGHTS, 15, 10**7, counts)
    assert counts[1] == 15
    for genome, value in zip(population.genomes, population.values, strict=True):
        after = state
        for code in genome[genome != NO_ACTION]:
            after = after.apply(ha.Action(int(code)))  # raises if it is illegal
        if not after.is_terminal and after.player == state.player:
            after = after.apply("E")
        if not rollouts:
            assert ha.evaluate(after, state.player) == value
    assert sorted(population.order) == list(range(20))
    in_order = population.values[population.order]
    assert (np.diff(in_order) <= 0).all()


def test_the_lowest_rollout_counts():
    """A survivor's value only ever falls while it is rolled out again."""
    state = POSITIONS[0]
    population = oep.new_population(20, 5, True, 0)
    numbers = oep.Settings(state.player, 10, 0.1, 0, False, 0, True)
    scratch = new_scratch(state.array, generator(1, 0))
    counts = np.zeros(4, np.int64)
    fell = 0
    for _ in range(30):
        survivors = population.order[:10].copy()
        before = population.values[survivors]
        oep.advance(state.config.game, population, numbers, scratch, WEIGHTS, 1, 10**7, counts)
        if counts[1] > 1:
            assert (population.values[survivors] <= before).all()
            fell += (population.values[survivors] < before).any()
    assert fell


# --- EMCTS ----------------------------------------------------------------------------------


def greedy_choice(state, best_of):
    scratch, counts = new_scratch(state.array, generator(0, 0)), np.zeros(4, np.int64)
    return greedy_action(state.config.game, state.array, WEIGHTS, best_of, scratch, counts)


def emcts_search(state, calls=8_000, **options):
    search = EmctsSearch(EMCTS(**options), state, ha.Budget(fm_calls=calls), seed=1)
    search.run()
    return search


def test_the_root_is_greedy_actions_turn():
    state = POSITIONS[0]
    greedy = ha.make_agent("greedy-action").plan(state, ha.Budget(fm_calls=10**6))
    plans = emcts_search(state, calls=1).plans
    assert [int(code) for code in plans.plans[0]] == [a.code for a in greedy.actions[:-1]]


@pytest.mark.parametrize("lazy", [False, True])
def test_a_child_differs_by_one_mutation_and_repairs(lazy):
    state = POSITIONS[0]
    plans = emcts_search(state, lazy=lazy).plans
    siblings = set()
    for node in range(1, int(plans.size[emcts.NODES])):
        parent, place = int(plans.parents[node]), int(plans.places[node])
        child, model = plans.plans[node], plans.plans[parent]
        assert (child[:place] == model[:place]).all()
        assert child[place] != model[place]
        key = (parent, place, int(child[place]))
        assert key not in siblings  # no mutation is tried twice
        siblings.add(key)
        here = state
        for i, code in enumerate(child):
            if i > place and code != model[i]:  # repaired, because the parent's was illegal
                assert not here.is_legal(ha.Action(int(model[i])))
                assert code == greedy_choice(here, best_of=0)
            here = here.apply(ha.Action(int(code)))


def test_the_opponents_part_of_a_plan_is_what_greedy_action_plays():
    state = POSITIONS[0]
    plans = emcts_search(state, horizon=14, best_of=10, lazy=True).plans
    for node in range(min(60, int(plans.size[emcts.NODES]))):
        here = state
        owners = []
        for code in plans.plans[node][plans.plans[node] != NO_ACTION]:
            owners.append(here.player == state.player)
            if here.player != state.player:
                assert code == greedy_choice(here, best_of=10)
            here = here.apply(ha.Action(int(code)))
            if not here.is_terminal and here.action_points == 0:
                here = here.apply("E")
        assert plans.own[node][: len(owners)].tolist() == owners
        assert plans.values[node] == ha.evaluate(here, state.player)
    assert owners == [True] * 5 + [False] * 5 + [True] * 4


def test_means_are_those_of_all_plans_below():
    plans = emcts_search(POSITIONS[0], phases=4).plans
    nodes = int(plans.size[emcts.NODES])
    below = [[] for _ in range(nodes)]
    for node in range(nodes):
        above = node
        while above != emcts.NO_NODE:
            below[above].append((int(plans.values[node]) + 60_000) / 120_000)
            above = int(plans.parents[above])
    for node in range(nodes):
        assert plans.visits[node] == len(below[node])
        assert plans.totals[node] == pytest.approx(sum(below[node]))


@pytest.mark.parametrize(("points", "left", "expected"), [(5, 5, 10), (5, 3, 8), (2, 2, 15)])
def test_horizons(points, left, expected):
    config = ha.GameConfig(action_points=points)
    state = ha.State.from_dict(POSITIONS[0].to_dict() | {"ap": left}, config)
    assert ha.make_agent("fh-emcts").horizon_of(state) == expected
    assert ha.make_agent("fh-emcts", horizon=points).horizon_of(state) == left
    assert ha.make_agent("emcts").horizon_of(state) == left
