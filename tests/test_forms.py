"""Text forms, dictionaries and what is said when they are wrong."""

import re
from dataclasses import replace

import numpy as np
import pytest

import heroacademy as ha
from heroacademy.engine.evaluation import PRESETS

CONFIG = ha.GameConfig()


@pytest.mark.parametrize(
    "text",
    ["E", "M 0 4 2 4", "A 4 0 6 1", "H 2 4 4 4", "W 1 1 8 4", "D INFERNO 8 4", "C SHINING_HELM"],
)
def test_action_text(text):
    assert str(ha.Action.parse(text)) == text
    assert eval(repr(ha.Action.parse(text)), {"Action": ha.Action}) == ha.Action.parse(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the forms are"),
        ("X 1 2", "'X 1 2'"),
        ("M 1 2 3", "M x y X Y"),
        ("M 1 2 9 0", "9 0 is no square"),
        ("M 1 2 -1 0", "-1 0 is no square"),
        ("D FIREBALL 1 1", "unknown card 'FIREBALL'"),
        ("C", "C CARD"),
    ],
)
def test_malformed_actions(text, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        ha.Action.parse(text)


def test_an_action_code_is_checked():
    with pytest.raises(ValueError, match="no action code"):
        ha.Action(7 << 12)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"map": "b"}, "unknown map 'b': use one of a, a-small, a-tiny"),
        ({"deck": "huge"}, "unknown deck 'huge'"),
        ({"action_points": 0}, "action_points is 0: use a whole number from 1 to 25"),
        ({"action_points": 26}, "action_points is 26"),
        ({"turn_limit": 0}, "turn_limit is 0"),
        ({"first_turn_points": 0}, "first_turn_points is 0"),
        ({"draws": "shuffled"}, "unknown kind of draws 'shuffled'"),
    ],
)
def test_bad_settings(settings, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        ha.GameConfig(**settings)


def changed(**fields):
    return ha.new_game(CONFIG, seed=1).to_dict() | fields


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"player": 3}, "unknown player 3: use one of 1, 2"),
        ({"ap": 9}, "ap is 9: use a whole number from 0 to 5"),
        ({"turn": 0}, "turn is 0"),
        ({"hand1": [1] * 10}, "use 11 counts"),
        ({"hand1": [7] + [0] * 10}, "number of cards in hand1 is 7"),
        ({"deck1": [99] + [0] * 10}, "KNIGHT in deck1 is 99"),
        ({"units": [[9, 0, 1, "KNIGHT", 1, 1000, ""]]}, "x of unit"),
        ({"units": [[0, 0, 1, "DRAGON", 1, 1000, ""]]}, "unknown unit class 'DRAGON'"),
        ({"units": [[0, 0, 1, "KNIGHT", 1001, 1000, ""]]}, "from 0 to 1000"),
        ({"units": [[0, 0, 1, "KNIGHT", 1, 1000, "D"]]}, "its max_hp is 1100"),
        ({"units": [[0, 0, 1, "KNIGHT", 1, 1000, "Q"]]}, "unknown item 'Q'"),
        ({"units": [[0, 0, 1, "KNIGHT", 1, 1000, "RR"]]}, "carries R twice"),
        ({"units": [[0, 0, 1, "CRYSTAL", 0, 4500, ""]]}, "from 1 to 4500"),
        ({"units": [[0, 0, 1]]}, "[x, y, owner, class, hp, max_hp, items]"),
        ({"units": [[0, 0, 1, "KNIGHT", 1, 1000, ""]] * 2}, "already"),
        ({"alive1": False}, "alive1 is False, but player 1 has both"),
        ({"colour": "red"}, "unknown colour"),
        ({"units": None}, "units is None"),
        ({"units": []}, "player 1 has no crystal"),
        ({"terminal": True}, "both players are alive and turn 1 is not the last"),
        ({"terminal": "no"}, "unknown value of terminal 'no'"),
    ],
)
def test_malformed_dictionaries(fields, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        ha.State.from_dict(changed(**fields), CONFIG)


def test_a_missing_field_is_named():
    data = changed()
    del data["drawseed2"]
    with pytest.raises(ValueError, match="drawseed2"):
        ha.State.from_dict(data, CONFIG)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("heroacademy/1", "heroacademy/9", "starts with 'heroacademy/1'"),
        ("map=a ", "map=z ", "unknown map 'z'"),
        ("turn=1 ", "turn=one ", "turn is 'one': use a whole number"),
        ("winner=-", "winner=5", "unknown winner '5'"),
        ("1X4500@13", "1Q4500@13", "cannot read unit '1Q4500@13'"),
        (" seed1=", " sead1=", "seed1"),
        ("hand1=", "hand1=zz", "hexadecimal"),
        ("map=a ", "", "map"),
        ("map=a ", "map=a map=a ", "twice"),
        ("ap=5 ", "ap=1_0 ", "ap is '1_0'"),
    ],
)
def test_malformed_text(old, new, says):
    text = ha.new_game(CONFIG, seed=1).to_text()
    assert old in text
    with pytest.raises(ValueError, match=re.escape(says)):
        ha.State.from_text(text.replace(old, new))


def test_explicit_first_turn_points_survive_the_text():
    config = ha.GameConfig(first_turn_points=4)
    assert ha.State.from_text(ha.new_game(config, seed=1).to_text()).config == config


def test_a_state_cannot_be_changed():
    state = ha.new_game(seed=1)
    with pytest.raises(AttributeError, match="cannot be changed"):
        state.player = 2
    state.array[:] = 0
    assert state.player == 1
    with pytest.raises(AttributeError, match="cannot be changed"):
        state.legal_actions()[0].code2 = 1


def test_seeds_and_players_are_checked():
    with pytest.raises(ValueError, match="seed is -1"):
        ha.new_game(CONFIG, seed=-1)
    with pytest.raises(ValueError, match="unknown player 3"):
        ha.evaluate(ha.new_game(), player=3)
    with pytest.raises(ValueError, match="unknown evaluation preset 'best'"):
        ha.evaluate(ha.new_game(), player=1, preset="best")
    with pytest.raises(ValueError, match=r"unknown player 1\.0"):
        ha.new_game().hand(1.0)
    with pytest.raises(TypeError, match="17 is no action"):
        ha.new_game().apply(17)
    with pytest.raises(TypeError, match="7 is no GameConfig"):
        ha.new_game(7)
    with pytest.raises(ValueError, match="a state is a dictionary, not None"):
        ha.State.from_dict(None, CONFIG)
    with pytest.raises(ValueError, match="starts with"):
        ha.State.from_text(None)
    assert ha.new_game(CONFIG, seed=np.int64(3)) == ha.new_game(CONFIG, seed=3)


def test_evaluation_weights_of_ones_own():
    weights = replace(PRESETS["paper"], inferno_card=0, unit_card_percent=0)
    state = ha.new_game(seed=1)
    deploy = next(a for a in state.legal_actions() if a.card == state.hand(1)[0])
    value = ha.evaluate(state.apply(deploy), player=1, preset=weights)
    unit = next(u for u in state.apply(deploy).units if u.name != "CRYSTAL")
    assert value == 3 * unit.max_hp - 75


def test_settings_of_the_engine_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        CONFIG.game[0] = 17


def test_terminal_text_shows_the_position():
    state = ha.new_game(seed=7)
    assert eval(repr([state]), {"State": ha.State}) == [state]
    text = str(state)
    assert "player 1 to move, 3 action points left" in text
    assert text.count("1*") == 2
    assert text.count("2*") == 2
    assert "22 in the deck" in text
