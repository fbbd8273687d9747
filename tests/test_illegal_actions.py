"""An illegal action says which rule it breaks."""

import pytest
from drawn import position

import heroacademy as ha

BOARD = """
    .  1K 1C 2A . . . 1N .
    1w . 2W 1A . . . . .
    2K . . 1X"""
AT = {(1, 0): {"items": "R", "hp": 900}}
HAND = {1: ["KNIGHT", "INFERNO", "REVIVE_POTION", "RUNEMETAL"]}


@pytest.mark.parametrize(
    ("action", "says"),
    [
        ("M 5 2 5 3", "no such unit: (5, 2) is empty"),
        ("M 3 0 4 0", "not your unit: player 2's archer at (3, 0)"),
        ("M 0 1 1 1", "player 1's wizard at (0, 1) is knocked down"),
        ("M 3 2 3 3", "a crystal never acts"),
        ("M 1 0 1 0", "own square"),
        ("M 1 0 2 0", "square (2, 0) is occupied by player 1's cleric"),
        ("M 1 0 4 0", "out of range: distance 3, the speed of player 1's knight at (1, 0) is 2"),
        ("M 7 0 8 0", "(8, 0) is a deploy square of the other player"),
        ("A 1 0 3 0", "out of range: distance 2, the attack range"),
        ("A 1 0 5 0", "no such unit"),
        ("A 1 0 2 0", "is your own"),
        ("A 3 1 0 2", "out of range: distance 4"),
        ("H 1 0 2 0", "only clerics can"),
        ("H 2 0 3 0", "not your unit"),
        ("H 2 0 3 1", "player 1's archer at (3, 1) is at full health"),
        ("H 2 0 7 0", "out of range: distance 5, the range of a heal is 2"),
        ("W 1 0 2 0", "only ninjas can"),
        ("W 7 0 0 1", "is knocked down"),
        ("W 7 0 3 2", "a crystal cannot be moved"),
        ("D KNIGHT 1 2", "(1, 2) is no deploy square of player 1"),
        ("D WIZARD 0 0", "player 1 has no WIZARD in hand"),
        ("D RUNEMETAL 1 0", "carries RUNEMETAL already"),
        ("D RUNEMETAL 0 1", "knocked down and cannot be equipped"),
        ("D RUNEMETAL 3 2", "a crystal takes no items"),
        ("D RUNEMETAL 5 2", "no such unit"),
        ("D REVIVE_POTION 3 0", "not your unit"),
        ("D REVIVE_POTION 3 1", "is at full health"),
        ("C SCROLL", "player 1 has no SCROLL in hand"),
        ("E", "5 action points are left"),
    ],
)
def test_says_which_rule_is_broken(action, says):
    state = position(BOARD, at=AT, hand=HAND)
    with pytest.raises(ha.IllegalAction) as error:
        state.apply(action)
    assert says in str(error.value)
    assert str(error.value).startswith(f"{action} is illegal here")


def test_names_what_blocks_the_sight():
    state = position(". 1A 2K 2W")
    with pytest.raises(
        ha.IllegalAction, match=r"line of sight blocked by player 2's knight at \(2, 0\)"
    ):
        state.apply("A 1 0 3 0")


def test_other_cases():
    with pytest.raises(ha.IllegalAction, match="no action points are left"):
        position(". 1K", ap=0).apply("M 1 0 2 0")
    with pytest.raises(ha.IllegalAction, match="the deck is empty"):
        position(". 1K", hand={1: ["SCROLL"]}, deck={1: []}).apply("C SCROLL")
    with pytest.raises(ha.IllegalAction, match="is not on map 'a-tiny'"):
        ha.new_game(ha.GameConfig(map="a-tiny", deck="tiny"), seed=0).apply("D INFERNO 8 4")
    with pytest.raises(ha.IllegalAction, match="which it can revive"):
        position(". 1C 1k").apply("M 1 0 2 0")
    with pytest.raises(ha.IllegalAction, match="knocked down already"):
        position(". 1A . 2k").apply("A 1 0 3 0")
