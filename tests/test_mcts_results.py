"""What the enhancements of MCTS do to results: knowledge and mixmax."""

import numpy as np
import pytest
from drawn import position
from small_trees import ONE_POINT, searched, settings, two_edges
from turns import POSITIONS, turn_end, with_points

import heroacademy as ha
from heroacademy.agents.mcts import MCTS, _Search
from heroacademy.engine import tables
from heroacademy.engine.evaluation import WIN_VALUE, weights_array
from heroacademy.engine.layout import WINNER
from heroacademy.search import determinism, extras, knowledge, mcts, tree

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
CROWDED = position(
    """
    1K .  .  2A .  .  2N .
    .  1c .  .  .  2k .  .
    .  .  .  .  .  .  2W .
    .  .  .  .  .  .  .  .
    .  1A .  .  .  .  .  2C""",
    ap=3,
)
KINDS = (
    "KNIGHT", "ARCHER", "CLERIC", "WIZARD", "NINJA", "CRYSTAL", "enemy body", "own body", "S", "P",
    "A",
)  # fmt: skip


def objects(state, player):
    """Kind and square of all objects, by the definition."""
    for unit in state.units:
        enemy = unit.owner != player
        if unit.hp == 0:
            yield ("enemy body" if enemy else "own body"), unit.x, unit.y
        elif enemy:
            yield unit.name, unit.x, unit.y
    for y, row in enumerate(tables.MAPS[state.config.map]):
        yield from ((letter, x, y) for x, letter in enumerate(row) if letter in "SPA")


def distances(state, player):
    """Each kind's least distance to a standing unit; a crystal is none."""
    standing = [u for u in state.units if u.owner == player and u.hp > 0 and u.name != "CRYSTAL"]
    found = dict.fromkeys(KINDS, knowledge.ABSENT)
    for kind, x, y in objects(state, player):
        away = min(abs(u.x - x) + abs(u.y - y) for u in standing)
        found[kind] = away if found[kind] == knowledge.ABSENT else min(found[kind], away)
    return [found[kind] for kind in KINDS]


@pytest.mark.parametrize(
    ("state", "move", "absent"),
    [(DRAWN, "M 0 0 2 0", 5), (CROWDED, "M 0 0 2 0", 1), (CROWDED, "M 1 4 3 4", 1)],
)
def test_distances_and_nearness(state, move, absent):
    known, game = knowledge.first_knowledge(), state.config.game
    knowledge.measure_start(game, state.array, 1, known)
    start = distances(state, 1)
    assert known[extras.START_DISTANCES].tolist() == start
    assert start.count(knowledge.ABSENT) == absent
    nearer = state.apply(move)
    now = distances(nearer, 1)
    knowledge.measure(game, nearer.array, 1, known, extras.DISTANCES)
    assert known[extras.DISTANCES].tolist() == now != start
    weights = [0.1] * 5 + [1.0] + [0.25] * 2 + [1.0] * 3
    assert known[extras.WEIGHTS].tolist() == weights
    weights = (np.arange(11) - 3.5) / 7  # all different
    known[extras.WEIGHTS] = weights
    total = sum(w * (a - b) for w, a, b in zip(weights, start, now, strict=True))
    assert knowledge.nearness(game, nearer.array, 1, known) == pytest.approx(total)
    known[extras.WEIGHTS] *= -1
    assert knowledge.nearness(game, nearer.array, 1, known) == pytest.approx(-total)


def test_the_bonus_lies_between_the_bounds_of_the_search():
    known, game = knowledge.first_knowledge(), DRAWN.config.game
    knowledge.measure_start(game, DRAWN.array, 1, known)
    assert knowledge.bonus(3.0, known, 50.0) == 25.0  # nothing to compare with
    ends = [DRAWN.apply(move) for move in ("M 0 0 2 0", "M 0 0 1 0")]
    near = [knowledge.nearness(game, end.array, 1, known) for end in ends]
    assert near[0] != near[1]
    for end in ends:
        ended(end, known)
    low, high = sorted(near)
    for nearer, share in [(low, 0), (high, 1), ((3 * low + high) / 4, 0.25), (low - 1, 0)]:
        assert knowledge.bonus(nearer, known, 50.0) == pytest.approx(50 * share)
    ended(over_as_is(DRAWN), known)
    assert known[extras.BOUNDS, :2].tolist() == [low, high]
    knowledge.measure_start(game, DRAWN.array, 1, known)
    assert knowledge.bonus(high, known, 50.0) == 25.0


def ended(state, known, is_end=True):
    """The value of a state that ended an iteration."""
    weights = weights_array("aicademy")
    return knowledge.known_value(state.config.game, state.array, 1, weights, known, 50.0, is_end)


def over_as_is(state):
    """The state as if the game were over: its nearness counts no longer."""
    words = state.array.copy()
    words[WINNER] = 1
    return ha.State(state.config, words)


def test_the_bonus_tells_ends_of_turns_apart():
    """Squeezed to its ends it would only say whether a turn comes nearer at all."""
    for position_ in POSITIONS[:4]:
        search = searched(position_, 20_000, knowledge=50.0)
        known, game = search.extras.knowledge, position_.config.game
        spread = []
        for seed in range(60):
            end = turn_end(
                position_,
                ha.make_agent("random").plan(position_, ha.Budget(fm_calls=1), seed).actions,
            )
            nearer = knowledge.nearness(game, end.array, position_.player, known)
            spread.append(knowledge.bonus(nearer, known, 1.0))
        low, high = np.quantile(spread, [0.25, 0.75])
        assert high - low > 0.1
        assert 0.1 < np.median(spread) < 0.9


def test_the_distances_of_a_drawn_position():
    start = distances(DRAWN, 1)
    assert start[1] == 3  # the archer
    assert start[0] == knowledge.ABSENT  # no enemy knight stands
    assert start[extras.ENEMY_BODY] == 6
    assert start[extras.ENEMY_CRYSTAL] == 7 + 3
    assert start[extras.DEFENSE_SQUARE] == 4


def test_kinds_that_either_state_lacks_are_left_out():
    known, game = knowledge.first_knowledge(), DRAWN.config.game
    knowledge.measure_start(game, DRAWN.array, 1, known)
    known[extras.WEIGHTS] = 0.0
    known[extras.WEIGHTS, [0, 2, 3, 4, extras.OWN_BODY]] = 5.0  # absent at the root
    assert knowledge.nearness(game, CROWDED.array, 1, known) == 0.0


def bits(kinds):
    return sum(1 << KINDS.index(kind) for kind in set(kinds))


def test_moves_touch_what_they_step_on_and_inferno_what_it_burns():
    state = position(
        """
        .  .  .  1K .  2A .  .
        .  1K .  .  2k .  2W .
        .  1k .  .  .  .  .  2X""",
        ap=3,
        hand={1: ["INFERNO"]},
    )
    touched = {"move": set(), "play card": set()}
    for action in state.legal_actions():
        if action.kind not in touched:
            continue
        x, y = action.target
        if action.kind == "move":
            expected = bits(k for k, i, j in objects(state, 1) if (i, j) == (x, y))
        else:
            near = [k for k, i, j in objects(state, 1) if abs(i - x) <= 1 and abs(j - y) <= 1]
            expected = bits(set(near) - {"S", "P", "A", "own body"})  # it burns enemies alone
        got = knowledge.touched_kinds(state.config.game, state.array, 1, action.code)
        assert got == expected, action
        touched[action.kind].add(got)
    stepped_on = [[], ["S"], ["P"], ["enemy body"], ["own body"]]
    assert {bits(kinds) for kinds in stepped_on} == touched["move"]
    assert bits(["ARCHER", "WIZARD", "enemy body"]) in touched["play card"]


def test_only_the_searching_player_learns():
    state = position("1K 2A . .", ap=2)
    attack = next(a for a in state.legal_actions() if str(a).startswith("A"))
    kept, weights = extras.new_extras(), weights_array("aicademy")
    for player, kinds in ((1, 1 << 1), (2, 0)):
        on = settings(player=player, knowledge=50.0)
        mcts.look_before(state.config.game, state.array, attack.code, on, kept, weights)
        assert kept.numbers[extras.EVENT_KINDS] == kinds
    assert kept.numbers[extras.VALUE_BEFORE] == ha.evaluate(state, 1)


def test_a_search_learns_that_attacks_are_worth_it_and_adds_the_bonus():
    near = position("1K 2A . .", ap=2)
    search = searched(near, 2_000, knowledge=50.0)
    known = search.extras.knowledge
    assert known[extras.EVENTS, 1] > 20
    assert known[extras.WEIGHTS, 1] > 1  # a hit takes more than 100 points
    assert known[extras.START_DISTANCES].tolist() == distances(near, 1)
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
        determinism.raise_best(t, 0, 1, result)
        determinism.raise_best(t, 0, 1, 0.1)  # no better
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
    """Of all results that were backed up through an edge, for the player who moves there."""
    state = ha.State.from_dict(POSITIONS[0].to_dict() | {"ap": 1}, ONE_POINT)
    agent = MCTS(mixmax=0.25, exploration=0.0)
    search = _Search(agent, state, ha.Budget(fm_calls=20_000), 1)
    t, best = search.tree, {}
    visits, values = t.edge_visits[:50_000].copy(), t.edge_value[:50_000].copy()
    for _ in range(1_500):
        search.advance(1, 20_000)
        for edge in np.flatnonzero(t.edge_visits[:50_000] != visits):
            result = t.edge_value[edge] - values[edge]
            best[edge] = max(best.get(edge, -1.0), result)
            visits[edge], values[edge] = t.edge_visits[edge], t.edge_value[edge]
    assert t.size[tree.EDGES] < 50_000
    assert len(best) > 500
    assert [t.edge_best[e] for e in best] == pytest.approx(list(best.values()), abs=1e-9)
    assert sum(t.edge_best[e] > t.edge_mean[e] + 1e-6 for e in best) > 100
    others = [e for e in best if t.edge_best[e] < 0]
    assert sum(t.edge_best[e] > t.edge_mean[e] + 1e-6 for e in others) > 20


def test_sequences_are_as_many_as_in_the_paper():
    assert (determinism.SEQUENCES, determinism.REPETITIONS) == (5, 3)


@pytest.mark.parametrize("draws", ["deterministic", "random"])
def test_games_with_random_draws_are_detected(draws):
    config = ha.GameConfig(draws=draws)
    search = searched(ha.new_game(config, seed=3), 1_000, mixmax=0.25)
    assert search.extras.numbers[extras.SEQUENCES_LEFT] == 0
    assert determinism.is_deterministic(search.extras) == (draws == "deterministic")
    assert search.clock.fm_calls >= 1_000
    plain = searched(ha.new_game(config, seed=3), 1_000)
    assert search.result(True).stats["iterations"] < plain.result(True).stats["iterations"]


def test_the_verdict_is_kept_for_the_game():
    start = ha.new_game(ha.GameConfig(draws="random"), seed=3)
    empty = dict.fromkeys(("deck1", "deck2"), [0] * tables.N_CARDS)
    late = ha.State.from_dict(start.to_dict() | empty, start.config)
    budget, player = ha.Budget(fm_calls=500), MCTS(mixmax=0.25).for_game()
    first = player.plan(start, budget, seed=1)
    second = player.plan(late, budget, seed=1)
    assert [first.stats["deterministic"], second.stats["deterministic"]] == [0, 0]
    assert MCTS(mixmax=0.25).plan(late, budget, seed=1).stats["deterministic"] == 1


def test_old_results_do_not_decay_in_deterministic_games():
    state = ha.State.from_dict(POSITIONS[0].to_dict() | {"ap": 1}, ONE_POINT)
    search = searched(state, 5_000, tree_reuse=0.5, mixmax=0.25)
    again = _Search(search.agent, with_points(state, 1), ha.Budget(fm_calls=9), 1, search)
    assert again.tree.node_visits[0] == search.tree.node_visits[0]
    decayed = _Search(MCTS(tree_reuse=0.5), state, ha.Budget(fm_calls=9), 1, search)
    assert decayed.tree.node_visits[0] == pytest.approx(search.tree.node_visits[0] / 2, abs=1)
