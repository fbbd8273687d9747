"""What holds in every position that random play reaches."""

import pickle
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import heroacademy as ha
from heroacademy.engine import layout, legal, tables
from heroacademy.engine.bits import random_below
from heroacademy.engine.game import BOARD, build_game
from heroacademy.engine.hashing import hash_state
from heroacademy.engine.playout import perft
from heroacademy.engine.targets import best_casts
from heroacademy.explain import rule_broken

CONFIGS = st.builds(
    ha.GameConfig,
    map=st.sampled_from(list(tables.MAPS)),
    deck=st.sampled_from(list(tables.DECKS)),
    action_points=st.integers(1, 25),
    turn_limit=st.integers(5, 60),
    first_turn_points=st.none() | st.integers(1, 7),
    draws=st.sampled_from(["deterministic", "random"]),
)
SEEDS = st.integers(0, 2**63 - 1)


@st.composite
def games(draw, steps=300):
    """A list of states and actions of a random game: s0, a0, s1, a1, ..., sn."""
    state = ha.new_game(draw(CONFIGS), draw(SEEDS))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    line = [state]
    for _ in range(draw(st.integers(0, steps))):
        actions = state.legal_actions()
        if not actions:
            break
        action = actions[rng.integers(len(actions))]
        state = state.apply(action)
        line += [action, state]
    return line


def card_classes(state, player):
    """Unit classes a player holds anywhere: board, hand, deck."""
    cards = Counter(state.hand(player)) + Counter(state.deck(player))
    cards += Counter(u.name for u in state.units if u.owner == player and u.name != "CRYSTAL")
    return cards


@given(games())
@settings(max_examples=60, deadline=None)
def test_every_step_keeps_the_books(line):
    states, actions = line[::2], line[1::2]
    for before, action, after in zip(states, actions, states[1:], strict=False):
        assert_bounds(after)
        assert_masks(after)
        if action.kind == "end turn":
            assert before.action_points == 0 or before.legal_actions() == [action]
        else:
            assert after.action_points == before.action_points - 1
        for player in (1, 2):
            assert_conserved(before, action, after, player)


def assert_bounds(state):
    for unit in state.units:
        assert (1 if unit.name == "CRYSTAL" else 0) <= unit.hp <= unit.max_hp
    for player in (1, 2):
        assert len(state.hand(player)) <= 6
    config = state.config
    most = config.first_points if state.turn == 1 else config.action_points
    assert 0 <= state.action_points <= most
    assert 1 <= state.turn <= config.turn_limit


def assert_masks(state):
    """The bit masks of a state say what its unit words say."""
    words = state.array
    units = {u.y * 9 + u.x: u for u in state.units}
    assert set(units) == {s for s in range(45) if words[s]}
    expected = {
        layout.UNITS + 1: [s for s, u in units.items() if u.owner == 1],
        layout.UNITS + 2: [s for s, u in units.items() if u.owner == 2],
        layout.BODIES: [s for s, u in units.items() if u.hp == 0],
        layout.CRYSTALS: [s for s, u in units.items() if u.name == "CRYSTAL"],
    }
    for offset, squares in expected.items():
        assert words[offset] == sum(1 << s for s in squares)


def assert_conserved(before, action, after, player):
    """Nothing appears from nowhere, and what goes has a reason."""
    had, has = card_classes(before, player), card_classes(after, player)
    assert not has - had
    gone = had - has
    own = before.player == player
    spent = Counter()
    if own and action.kind == "play card" and action.card not in tables.CLASS_NAMES:
        spent[action.card] = 1
    units_gone = gone - spent
    assert spent - gone == Counter()
    bodies = Counter(u.name for u in before.units if u.owner == player and u.hp == 0)
    killers = {"move", "attack", "play card", "end turn"}  # stomp, push, burn or deploy, decay
    assert not units_gone - bodies
    assert not units_gone or action.kind in killers


@given(games(steps=120))
@settings(max_examples=25, deadline=None)
def test_list_test_and_explanation_agree_on_every_action_code(line):
    state = line[-1]
    game, words = state.config.game, state.array
    listed = {action.code for action in state.legal_actions()}
    tested = {c for c in range(layout.N_ACTION_CODES) if legal.is_legal(game, words, c)}
    assert listed == tested
    for code in range(len(listed) % 7, layout.N_ACTION_CODES, 7):
        try:
            action = ha.Action(code)
        except ValueError:
            continue
        assert (rule_broken(state, action) is None) == (code in listed)
    for code in listed:
        assert rule_broken(state, ha.Action(code)) is None


@given(games())
@settings(max_examples=60, deadline=None)
def test_the_pruned_list_has_the_same_ratings(line):
    state = line[-1]
    codes, ratings = np.zeros(layout.MAX_ACTIONS, np.int64), np.zeros(layout.MAX_ACTIONS, np.int64)
    n = legal.legal_actions(state.config.game, state.array, True, codes, ratings)
    rated = state.rated_actions()
    expected = {a.code: r for a, r, pruned in rated if not pruned} or {
        a.code: r for a, r, _ in rated
    }
    assert dict(zip(codes[:n].tolist(), ratings[:n].tolist(), strict=True)) == expected


@given(games(), st.booleans(), SEEDS)
@settings(max_examples=60, deadline=None)
def test_a_random_action_is_that_of_the_list(line, pruned, seed):
    for state in line[::2]:
        if state.is_terminal:
            continue
        codes, groups = (np.zeros(layout.MAX_ACTIONS, np.int64) for _ in range(2))
        n = legal.legal_actions(state.config.game, state.array, pruned, codes, None)
        one, other = np.array([seed]), np.array([seed])
        expected = codes[random_below(one, n)]
        found = legal.random_legal_action(state.config.game, state.array, pruned, other, groups)
        assert found == expected
        assert one[0] == other[0]


@given(st.sampled_from(list(tables.MAPS)), st.integers(0, 2**45 - 1), st.integers(0, 2**45 - 1))
@settings(max_examples=500, deadline=None)
def test_best_casts_are_those_that_no_other_outdoes(map_name, one, other):
    game = build_game(map_name, 5, 200, False)
    board = {s for s in range(45) if game[BOARD] >> s & 1}
    enemies = {s for s in board if one & other >> s & 1}  # a quarter of the squares

    def hits(square):
        return {e for e in enemies if max(abs(e % 9 - square % 9), abs(e // 9 - square // 9)) <= 1}

    casts = {s: hits(s) for s in sorted(board) if hits(s)}
    expected = [
        s
        for s, hit in casts.items()
        if not any(hit < rival or (hit == rival and t < s) for t, rival in casts.items())
    ]
    kept = int(best_casts(game, np.int64(sum(1 << e for e in enemies))))
    assert [s for s in range(64) if kept >> s & 1] == expected


@given(games())
@settings(max_examples=60, deadline=None)
def test_forms_round_trip(line):
    state = line[-1]
    config = state.config
    assert ha.State.from_dict(state.to_dict(), config) == state
    assert ha.State.from_text(state.to_text()) == state
    assert "\n" not in state.to_text()
    assert pickle.loads(pickle.dumps(state)) == state
    copy = ha.State.from_text(state.to_text())
    assert copy.key == state.key
    assert hash(copy) == hash(state)
    for action in state.legal_actions():
        assert ha.Action.parse(str(action)) == action
        assert pickle.loads(pickle.dumps(action)) == action


@given(games(steps=60))
@settings(max_examples=40, deadline=None)
def test_nothing_changes_a_state(line):
    state = line[-1]
    before, text = state.array, state.to_text()
    for action in state.legal_actions():
        state.apply(action)
    state.rated_actions()
    state.redetermine(1, seed=3)
    ha.evaluate(state, 2)
    with pytest.raises(ha.IllegalAction):
        state.apply(ha.Action.parse("H 0 0 0 0"))
    assert np.array_equal(state.array, before)
    assert state.to_text() == text


@given(games(steps=100))
@settings(max_examples=30, deadline=None)
def test_hashes_tell_successors_apart(line):
    state = line[-1]
    after = {
        state.apply(action).to_text(): state.apply(action).key for action in state.legal_actions()
    }
    assert len(set(after.values())) == len(after)


def test_hashes_of_shuffled_boards_differ():
    """The same units on other squares, 300,000 times: 32 bits would collide ten times."""
    words = ha.new_game(seed=1).array
    squares = np.flatnonzero(np.arange(45) % 3 == 0)[:12]
    pieces = [layout.unit_word(1 + i % 2, i % 5, i % 16, 800) for i in range(12)]
    words[layout.UNITS + 1] = sum(1 << int(s) for s in squares)
    words[layout.UNITS + 2] = 0
    rng = np.random.default_rng(0)
    boards, keys = set(), set()
    for _ in range(300_000):
        words[squares] = rng.permutation(pieces)
        boards.add(words[squares].tobytes())
        keys.add(int(hash_state(words)))
    assert len(keys) == len(boards) > 299_000


@given(CONFIGS, SEEDS)
@settings(max_examples=40, deadline=None)
def test_games_repeat_from_their_seed(config, seed):
    def play():
        state = ha.new_game(config, seed)
        texts = [state.to_text()]
        rng = np.random.default_rng(seed)
        for _ in range(80):
            actions = state.legal_actions()
            if not actions:
                break
            state = state.apply(actions[rng.integers(len(actions))])
            texts.append(state.to_text())
        return texts

    assert play() == play()


@given(games(steps=40))
@settings(max_examples=15, deadline=None)
def test_perft_counts_what_the_lists_give(line):
    state = line[-1]

    def count(state, depth):
        if depth == 0:
            return 1
        return sum(count(state.apply(a), depth - 1) for a in state.legal_actions())

    for depth in range(3):
        assert perft(state.config.game, state.array, depth) == count(state, depth)


@given(games(), st.sampled_from([1, 2]), SEEDS)
@settings(max_examples=60, deadline=None)
def test_redetermine_changes_only_what_the_player_cannot_see(line, player, seed):
    state = line[-1]
    other = 3 - player
    drawn = state.redetermine(player, seed)
    assert drawn == state.redetermine(player, seed)
    assert drawn.hand(player) == state.hand(player)
    assert drawn.deck(player) == state.deck(player)
    assert len(drawn.hand(other)) == len(state.hand(other))
    assert sorted(drawn.hand(other) + drawn.deck(other)) == sorted(
        state.hand(other) + state.deck(other)
    )
    assert drawn.units == state.units
    assert (drawn.player, drawn.turn, drawn.action_points) == (
        state.player,
        state.turn,
        state.action_points,
    )


def test_redetermine_really_draws_anew():
    state = ha.new_game(seed=1)
    hands = {tuple(state.redetermine(1, seed).hand(2)) for seed in range(50)}
    assert len(hands) > 20
    seeds = {state.redetermine(1, seed).to_dict()["drawseed1"] for seed in range(50)}
    assert len(seeds) > 20


def test_random_draws_differ_from_seed_to_seed_and_from_deterministic_ones():
    def second_hands(draws):
        found = []
        for seed in range(20):
            state = ha.new_game(ha.GameConfig(draws=draws, action_points=1), seed)
            found.append(tuple(state.apply(state.legal_actions()[0]).apply("E").hand(1)))
        return found

    assert len(set(second_hands("random"))) > 10
    assert second_hands("random") != second_hands("deterministic")
