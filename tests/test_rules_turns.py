"""Moves, heals, cards, ends of turns and of games, on small drawn positions."""

import pytest
from drawn import hp_at, listed, position, unit_at

import heroacademy as ha

# --- moves ----------------------------------------------------------------------------------


def test_moves_ignore_what_stands_between_and_respect_speed():
    state = position("1X 1K 2A .\n. 2A")
    moves = listed(state, "M 1 0")
    assert "M 1 0 3 0" in moves
    assert "M 1 0 0 1" in moves
    assert "M 1 0 4 0" not in moves
    assert "M 1 0 2 0" not in moves


def test_a_ninja_moves_three_squares():
    assert "M 1 0 4 0" in listed(position(". 1N"))


def test_no_unit_moves_onto_the_other_players_deploy_square():
    state = position(". . . . . . . 1K .")
    assert "M 7 0 8 0" not in listed(state)
    assert "M 1 0 0 0" in listed(position(". 1K"))


@pytest.mark.parametrize("body", ["1a", "2a"])
def test_stomp_removes_a_body_of_either_side(body):
    after = position(f". . 1K {body}").apply("M 2 0 3 0")
    assert unit_at(after, 3, 0).name == "KNIGHT"
    assert len(after.units) == 3


def test_a_cleric_revives_own_bodies_and_stomps_the_enemys():
    state = position(". 2k 1C 1k")
    assert "H 2 0 3 0" in listed(state)
    assert "M 2 0 3 0" not in listed(state)
    assert "M 2 0 1 0" in listed(state)
    rating = {str(action): rating for action, rating, _ in state.rated_actions()}
    assert rating["M 2 0 1 0"] == 1400  # as the reference program rates it


def test_a_ninja_swaps_with_standing_own_units_at_any_distance():
    state = position("1X 1N . . . . . 1K\n1a . 2A")
    assert listed(state, "W") == {"W 1 0 7 0"}
    after = state.apply("W 1 0 7 0")
    assert unit_at(after, 7, 0).name == "NINJA"
    assert unit_at(after, 1, 0).name == "KNIGHT"


# --- heals, potions, items ------------------------------------------------------------------


def test_heal_three_times_power_up_to_the_maximum():
    state = position(". 1C . 1K 1K", at={(3, 0): {"hp": 100}, (4, 0): {"hp": 100}})
    assert listed(state, "H") == {"H 1 0 3 0"}  # the other is out of range
    once = state.apply("H 1 0 3 0")
    assert hp_at(once, 3, 0) == 700
    assert hp_at(once.apply("H 1 0 3 0"), 3, 0) == 1000


def test_revive_twice_power():
    state = position(". 1C 1k", at={(2, 0): {"items": "DS"}})
    after = state.apply("H 1 0 2 0")
    assert unit_at(after, 2, 0) == (2, 0, 1, "KNIGHT", 400, 1100, "DS")


def test_potion():
    state = position(". 1A 1w 1X", at={(1, 0): {"hp": 10}}, hand={1: ["REVIVE_POTION"]})
    assert listed(state, "D") == {"D REVIVE_POTION 1 0", "D REVIVE_POTION 2 0"}
    assert hp_at(state.apply("D REVIVE_POTION 1 0"), 1, 0) == 800
    assert hp_at(state.apply("D REVIVE_POTION 2 0"), 2, 0) == 100


@pytest.mark.parametrize(
    ("hp", "items", "card", "after"),
    [
        (800, "", "DRAGONSCALE", (880, 880, "D")),
        (405, "", "DRAGONSCALE", (445, 880, "D")),
        (880, "D", "SHINING_HELM", (960, 960, "DH")),  # 880 + 88 is more than the maximum
        (500, "", "RUNEMETAL", (500, 800, "R")),
        (500, "", "SCROLL", (500, 800, "S")),
    ],
)
def test_equip(hp, items, card, after):
    state = position(". 1A", at={(1, 0): {"hp": hp, "items": items}}, hand={1: [card]})
    assert unit_at(state.apply(f"D {card} 1 0"), 1, 0)[4:] == after


def test_no_item_twice_and_none_for_bodies_crystals_and_enemies():
    state = position("1A 1A 1a 1X 2A", at={(0, 0): {"items": "R"}}, hand={1: ["RUNEMETAL"]})
    assert listed(state, "D") == {"D RUNEMETAL 1 0"}


# --- cards ----------------------------------------------------------------------------------


def test_deploy_on_own_deploy_squares_that_are_empty_or_hold_a_body():
    state = position("2a\n.\n.\n.\n1K", hand={1: ["NINJA"]})
    assert listed(state, "D") == {"D NINJA 0 0"}
    after = state.apply("D NINJA 0 0")
    assert unit_at(after, 0, 0) == (0, 0, 1, "NINJA", 800, 800, "")
    assert after.hand(1) == []


def test_swap_card():
    state = position(". 1K", hand={1: ["SCROLL", "SCROLL"]}, deck={1: ["KNIGHT"]})
    after = state.apply("C SCROLL")
    assert after.hand(1) == ["SCROLL"]
    assert after.deck(1) == ["KNIGHT", "SCROLL"]
    assert after.action_points == 4
    empty = position(". 1K", hand={1: ["SCROLL"]}, deck={1: []})
    assert listed(empty, "C") == set()


# --- turns ----------------------------------------------------------------------------------


def test_a_turn_ends_only_when_the_points_are_spent_or_nothing_can_be_done():
    state = position(". 1K . 2K", ap=1)
    assert not state.is_legal("E")
    assert listed(state.apply("M 1 0 2 0")) == {"E"}
    stuck = position("1k", deck={1: ["KNIGHT"]})
    assert listed(stuck) == {"E"}
    assert stuck.is_legal("E")


def test_the_end_of_a_turn():
    state = position("1k 1A 2a", ap=0, hand={1: ["SCROLL"]}, deck={1: ["KNIGHT"] * 8})
    after = state.apply("E")
    assert unit_at(after, 0, 0) is None  # own bodies go, the enemy's stay
    assert hp_at(after, 2, 0) == 0
    assert (after.player, after.turn, after.action_points) == (2, 11, 5)
    assert len(after.hand(1)) == 6
    assert len(after.deck(1)) == 3
    assert after.hand(2) == ["KNIGHT"]  # the other player draws, too


def test_drawing_follows_the_seed():
    deck = ["KNIGHT", "ARCHER", "ARCHER", "SCROLL"]
    state = position("1K . 2K", ap=0, hand={1: ["INFERNO"] * 5}, deck={1: deck})
    after = state.apply("E")  # the seed 0 becomes 0 * 13 // 10 + 7 = 7, and 7 mod 4 is 3
    assert after.hand(1) == ["INFERNO"] * 5 + ["SCROLL"]


@pytest.mark.parametrize(("points", "first"), [(1, 1), (2, 2), (3, 3), (5, 3), (25, 3)])
def test_the_first_turn_has_three_points_or_fewer(points, first):
    state = ha.new_game(ha.GameConfig(action_points=points), seed=3)
    assert state.action_points == first
    while state.turn == 1:
        state = state.apply(state.legal_actions()[0])
    assert state.action_points == points


@pytest.mark.parametrize("deck", ["standard", "small", "tiny"])
@pytest.mark.parametrize("draws", ["deterministic", "random"])
def test_a_dealt_hand_holds_six_cards_with_three_units(deck, draws):
    units = {"KNIGHT", "ARCHER", "CLERIC", "WIZARD", "NINJA"}
    for seed in range(200):
        state = ha.new_game(ha.GameConfig(deck=deck, draws=draws), seed)
        for player in (1, 2):
            assert len(state.hand(player)) == 6
            assert sum(card in units for card in state.hand(player)) == 3


# --- ends of the game -----------------------------------------------------------------------


def last_crystal(**options):
    return position(". 1A . 2X\n. 1X", at={(3, 0): {"hp": 100}}, crystals=False, **options)


def test_the_last_crystal_ends_the_game_at_once():
    after = last_crystal().apply("A 1 0 3 0")
    assert after.winner == 1
    assert after.is_terminal
    assert (after.player, after.turn, after.action_points) == (1, 10, 4)
    assert after.legal_actions() == []
    with pytest.raises(ha.IllegalAction, match="the game is over"):
        after.apply("E")


def test_a_crystal_that_is_not_the_last_does_not_end_the_game():
    state = position(". 1A . 2X", at={(3, 0): {"hp": 100}})
    assert state.apply("A 1 0 3 0").winner is None


def test_a_win_by_inferno():
    assert last_crystal(hand={1: ["INFERNO"]}).apply("D INFERNO 4 1").winner == 1


def test_the_last_unit_counts_at_the_end_of_the_turn():
    state = position(". 1A . 2W", at={(3, 0): {"hp": 100}}, ap=3, deck={2: []})
    knocked_down = state.apply("A 1 0 3 0")
    assert knocked_down.is_alive(2)  # a body is a unit
    stomped = knocked_down.apply("M 1 0 3 0")
    assert stomped.winner is None
    assert not stomped.is_alive(2)
    assert stomped.apply("M 3 0 2 0").apply("E").winner == 1


@pytest.mark.parametrize("where", ["hand", "deck"])
def test_units_in_hand_or_deck_keep_a_player_in_the_game(where):
    others = {"hand": {}, "deck": {2: []}}
    others[where] = {2: ["NINJA"]}
    state = position(". 1A", ap=0, **others)
    assert state.apply("E").winner is None


def test_burning_the_last_body():
    state = position(". 1A . 2w", hand={1: ["INFERNO"]}, deck={2: []}, ap=1)
    burnt = state.apply("D INFERNO 3 0")
    assert unit_at(burnt, 3, 0) is None
    assert burnt.winner is None
    assert burnt.apply("E").winner == 1


def test_own_last_body_loses_at_the_end_of_the_turn():
    state = position("1k . 2K", ap=0, deck={1: []})
    assert state.apply("E").winner == 2


def test_both_lose_their_last_unit_at_once():
    state = position("1k", ap=0, deck={1: [], 2: []})
    assert state.apply("E").winner == 0


def test_the_last_crystal_falls_to_a_player_without_units():
    """The caster's last unit is gone, the other's last crystal falls: both lose, a draw."""
    state = position(
        "2X 1X", at={(0, 0): {"hp": 1}}, crystals=False, hand={1: ["INFERNO"]}, deck={1: []}
    )
    assert state.apply("D INFERNO 0 0").winner == 0


def test_the_turn_limit_is_a_draw():
    state = position(". 1K . 2K", ap=0, turn=200)
    after = state.apply("E")
    assert after.winner == 0
    assert (after.player, after.turn, after.action_points) == (1, 200, 0)
    assert position(". 1K . 2K", ap=0, turn=199).apply("E").winner is None


def test_a_win_in_the_last_turn_is_a_win():
    assert last_crystal(turn=200).apply("A 1 0 3 0").winner == 1
    assert position(". 1A", ap=0, turn=200, deck={2: []}).apply("E").winner == 1
