"""The evaluation's two presets, worked out by hand."""

import pytest
from drawn import position

import heroacademy as ha

# Crystals and the knight in each deck are the same on both sides and cancel out.


@pytest.mark.parametrize(
    ("drawing", "at", "preset", "value"),
    [
        # a standing unit: hp + 2 * base maximum
        (". 1K", {(1, 0): {"hp": 400}}, "aicademy", 400 + 2000),
        (". 1K", {(1, 0): {"hp": 400}}, "paper", 400 + 2000),
        # items count twice while standing; the maximum stays the class's
        (". 1A", {(1, 0): {"items": "DR", "hp": 500}}, "aicademy", 500 + 1600 + 2 * (60 + 60)),
        (". 1A", {(1, 0): {"items": "DR", "hp": 500}}, "paper", 500 + 1600 + 2 * (30 + 40)),
        (". 1N", {(1, 0): {"items": "HS"}}, "aicademy", 880 + 1600 + 2 * (30 + 70)),
        (". 1N", {(1, 0): {"items": "HS"}}, "paper", 880 + 1600 + 2 * (10 + 40)),
        # a body: half of that in the program, nothing in the paper
        (". 1a", {(1, 0): {"items": "R"}}, "aicademy", 800 + 60),
        (". 1a", {(1, 0): {"items": "R"}}, "paper", 0),
        # squares: deploy, defense, power, assault
        ("1W", {}, "aicademy", 800 + 1600 - 75),
        (". . . . 1W", {}, "paper", 800 + 1600 + 70),
        (".\n.\n. . 1A", {}, "aicademy", 800 + 1600 + 120),
        (".\n.\n.\n.\n. . . . 1K", {}, "aicademy", 1000 + 2000 + 120),
        # the square of a body: nothing in the program, a malus in the paper
        (".\n.\n. . 1a", {}, "aicademy", 800),
        (".\n.\n. . 1a", {}, "paper", -120),
        # the other side's units count against
        (". 2C", {}, "aicademy", -2400),
        # a crystal more
        (". 1X", {(1, 0): {"hp": 100}}, "paper", 100 + 9000),
    ],
)
def test_units(drawing, at, preset, value):
    state = position(drawing, at=at)
    assert ha.evaluate(state, player=1, preset=preset) == value
    assert ha.evaluate(state, player=2, preset=preset) == -value


@pytest.mark.parametrize("preset", ["aicademy", "paper"])
def test_cards_in_hand_and_deck(preset):
    state = position(
        ".", hand={1: ["NINJA", "INFERNO", "SCROLL"]}, deck={1: ["KNIGHT", "ARCHER", "INFERNO"]}
    )
    assert ha.evaluate(state, 1, preset) == 1400 + 750 + 1400 + 750
    assert ha.evaluate(state, 2, preset) == -(1400 + 750 + 1400 + 750)


@pytest.mark.parametrize(("winner", "value"), [(1, 60_000), (2, -60_000), (0, 0)])
def test_finished_games(winner, value):
    units = {1: "1K", 2: "2K", 0: "."}[winner]
    state = position(units, ap=0, deck={1: [], 2: []}).apply("E")
    assert state.winner == winner
    assert ha.evaluate(state, player=1) == value
    assert ha.evaluate(state, player=2) == -value
