"""What the enhancements of MCTS do to results: losses, knowledge, mixmax."""

import numpy as np
import pytest
from drawn import position
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
from heroacademy.agents.mcts import MCTS, _Search
from heroacademy.engine.evaluation import WIN_VALUE
from heroacademy.search import determinism, extras, knowledge, mcts, tree

# --- loss avoidance -------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["off", "turn", "any"])
def test_a_loss_is_replaced_by_the_better_sibling(kind):
    search = searched(LAST_CHANCE, 3, loss_avoidance=kind)
    t, edges = search.tree, root_edges(search)
    losing = [edge for action, edge in edges.items() if action != SAVES]
    better = value_after(LAST_CHANCE, SAVES, "E")
    assert losing
    assert better > 0.2
    for edge in losing:
        assert t.edge_visits[edge] == 1
        assert t.edge_value[edge] == (0.0 if kind == "off" else better)


def test_the_others_attack_is_no_loss_in_ones_own_turn():
    """Player 2 shoots the last crystal in its turn; only 'any' looks for what else it might do."""
    state = position(
        """
        1K . .  . . . . . 2X
        .  . .  . . . . . .
        1X . 2A . . . . . .""",
        at={(0, 2): {"hp": 100}},
        crystals=False,
        ap=1,
        action_points=1,
    )
    calls = {}
    for kind in ("off", "turn", "any"):
        search = searched(state, 2_000, loss_avoidance=kind)
        calls[kind] = search.clock.fm_calls / search.result(True).stats["iterations"]
    assert calls["off"] == calls["turn"] < calls["any"]


# --- knowledge ------------------------------------------------------------------------------


def test_weights_are_learnt_as_in_the_paper():
    known = knowledge.first_knowledge()
    archers, assault = 1, extras.ASSAULT_SQUARE
    knowledge.learn(known, 1 << archers | 1 << assault, 300)
    assert known[extras.WEIGHTS, archers] == pytest.approx(0.1 + (3.0 - 0.1) * 0.8)
    assert known[extras.WEIGHTS, assault] == pytest.approx(1.0 + (3.0 - 1.0) * 0.8)
    assert known[extras.RATES, archers] == pytest.approx(0.6)
    before = known[extras.WEIGHTS, archers]
    knowledge.learn(known, 1 << archers, -500)  # the mean is now -1
    assert known[extras.WEIGHTS, archers] == pytest.approx(before + (-1.0 - before) * 0.6)
    assert known[extras.WEIGHTS, 0] == knowledge.NPC_WEIGHT
    for _ in range(20):
        knowledge.learn(known, 1 << archers, -500)
    assert known[extras.WEIGHTS, archers] < 0
    assert known[extras.RATES, archers] == knowledge.LEAST_RATE


DRAWN = position(
    """
    1K . . 2A . . . .
    .  . . . . 2k . .""",
    ap=3,
)


def test_distances_and_their_bonus():
    known = knowledge.first_knowledge()
    game = DRAWN.config.game
    knowledge.measure_start(game, DRAWN.array, 1, known)
    start = known[extras.START_DISTANCES]
    assert start[1] == 3  # the archer
    assert start[0] == knowledge.ABSENT  # no enemy knight stands
    assert start[extras.ENEMY_BODY] == 6
    assert start[extras.ENEMY_CRYSTAL] == 7 + 3
    assert start[extras.DEFENSE_SQUARE] == 4
    nearer = DRAWN.apply("M 0 0 2 0")
    gains = {1: 2, extras.ENEMY_BODY: 2, extras.ENEMY_CRYSTAL: 2}
    knowledge.measure(game, nearer.array, 1, known, extras.DISTANCES)
    for kind in range(extras.N_KINDS):
        gain = start[kind] - known[extras.DISTANCES, kind]
        assert gain == gains.get(kind, gain)
    total = (known[extras.WEIGHTS] * (start - known[extras.DISTANCES])).sum()
    got = knowledge.bonus(game, nearer.array, 1, known, 50.0)
    assert got == pytest.approx(25 * (1 + total / (1 + abs(total))))
    assert 25 < got < 50
    known[extras.WEIGHTS] *= -1
    assert knowledge.bonus(game, nearer.array, 1, known, 50.0) == pytest.approx(50 - got)


def test_a_search_learns_that_attacks_are_worth_it_and_adds_the_bonus():
    near = position("1K 2A . .", ap=2)
    search = searched(near, 2_000, knowledge=50.0)
    known = search.extras.knowledge
    assert known[extras.EVENTS, 1] > 20
    assert known[extras.WEIGHTS, 1] > 1  # a hit takes more than 100 points
    plain, more = (searched(near, 10, knowledge=k, epsilon=1.0) for k in (0.0, 1000.0))
    ratio = 2 * WIN_VALUE * (more.tree.edge_mean[0] - plain.tree.edge_mean[0])
    assert 0 < ratio <= 1000


def test_a_game_remembers_its_knowledge():
    player = MCTS(knowledge=50.0).for_game()
    player.plan(DRAWN, ha.Budget(fm_calls=500), seed=1)
    learnt = player.last.extras.knowledge[extras.WEIGHTS].copy()
    fresh = _Search(player.agent, DRAWN, ha.Budget(fm_calls=1), 1, player.last)
    assert fresh.extras.knowledge[extras.WEIGHTS] == pytest.approx(learnt + 1e-4)


# --- deterministic game detection -----------------------------------------------------------


def test_mixmax_mixes_mean_and_best():
    t, kept = two_edges(((4, 0.5), (4, 0.5))), extras.new_extras()
    for edge, result in ((0, 0.9), (1, 0.6)):
        t.path_nodes[0], t.path_edges[0] = 0, edge
        tree.count_result(t, edge, result)
        determinism.raise_best(t, 1, result)
        determinism.raise_best(t, 1, 0.1)  # no better
    on = settings(mixmax=0.25)
    for edge, best in ((0, 0.9), (1, 0.6)):
        mean = t.edge_mean[edge]
        mixed = mean + mcts.bias(t, 0, edge, on, kept)
        assert mixed == pytest.approx(0.75 * mean + 0.25 * best)
    kept.numbers[extras.DIFFERED] = 1
    assert mcts.bias(t, 0, 0, on, kept) == 0.0
    kept.numbers[extras.DIFFERED], kept.numbers[extras.SEQUENCES_LEFT] = 0, 1
    assert mcts.bias(t, 0, 0, on, kept) == 0.0  # not known yet


def test_the_best_result_is_that_of_the_subtree():
    t = searched(POSITIONS[0], 3_000, mixmax=0.25).tree
    for edge in np.flatnonzero(t.edge_visits[: t.size[tree.EDGES]]):
        assert t.edge_best[edge] >= t.edge_mean[edge] - 1e-12
    assert (t.edge_best > t.edge_mean + 1e-6).any()


@pytest.mark.parametrize("draws", ["deterministic", "random"])
def test_games_with_random_draws_are_detected(draws):
    config = ha.GameConfig(draws=draws)
    search = searched(ha.new_game(config, seed=3), 1_000, mixmax=0.25)
    assert search.extras.numbers[extras.SEQUENCES_LEFT] == 0
    assert determinism.is_deterministic(search.extras) == (draws == "deterministic")
    assert search.clock.fm_calls >= 1_000
    plain = searched(ha.new_game(config, seed=3), 1_000)
    assert search.result(True).stats["iterations"] < plain.result(True).stats["iterations"]


def test_old_results_do_not_decay_in_deterministic_games():
    state = ha.State.from_dict(POSITIONS[0].to_dict() | {"ap": 1}, ONE_POINT)
    search = searched(state, 5_000, tree_reuse=0.5, mixmax=0.25)
    again = _Search(search.agent, with_points(state, 1), ha.Budget(fm_calls=9), 1, search)
    assert again.tree.node_visits[0] == search.tree.node_visits[0]
    decayed = _Search(MCTS(tree_reuse=0.5), state, ha.Budget(fm_calls=9), 1, search)
    assert decayed.tree.node_visits[0] == pytest.approx(search.tree.node_visits[0] / 2, abs=1)
