"""Attacks, pushes, chains, sight and Inferno, one rule at a time on small drawn positions."""

from itertools import product

import pytest
from drawn import hp_at, listed, position, unit_at

from heroacademy.engine.game import CHAIN_ORDER, DIRECTIONS

# --- damage ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("drawing", "at", "action", "left"),
    [
        # archer at range 2, next to its target, on a power square, with runemetal on it
        (". . . 1A . 2W", {}, "A 3 0 5 0", 800 - 300),
        (". . . . 1A 2W", {}, "A 4 0 5 0", 800 - 150),
        ("\n\n. . 1A . 2W".replace("\n", ".\n"), {}, "A 2 2 4 2", 800 - 400),
        ("\n\n. . 1A . 2W".replace("\n", ".\n"), {(2, 2): {"items": "R"}}, "A 2 2 4 2", 800 - 550),
        # ninja next to its target and at range 2
        (". . . . . 1N 2W", {}, "A 5 0 6 0", 800 - 400),
        (". . . . . 1N . 2W", {}, "A 5 0 7 0", 800 - 200),
        # physical resistance: knight 20, dragonscale 20, defense square 20
        (". 1A . 2K", {}, "A 1 0 3 0", 1000 - 240),
        (". 1A . 2K", {(3, 0): {"items": "D"}}, "A 1 0 3 0", 1100 - 180),
        (". . 1A . 2K", {(4, 0): {"items": "D"}}, "A 2 0 4 0", 1100 - 120),
        # magical resistance: wizard 10, helm 20, and neither dragonscale nor defense square
        (". 1C . 2W", {}, "A 1 0 3 0", 800 - 180),
        (". 1C . 2W", {(3, 0): {"items": "H"}}, "A 1 0 3 0", 880 - 140),
        (". . 1C . 2K", {(4, 0): {"items": "D"}}, "A 2 0 4 0", 1100 - 200),
    ],
)
def test_damage(drawing, at, action, left):
    after = position(drawing, at=at).apply(action)
    target = tuple(map(int, action.split()[3:]))
    assert hp_at(after, *target) == left


def test_a_unit_at_0_is_knocked_down_and_keeps_its_items():
    after = position(". 1A . 2W", at={(3, 0): {"hp": 300, "items": "RS"}}).apply("A 1 0 3 0")
    assert unit_at(after, 3, 0) == (3, 0, 2, "WIZARD", 0, 800, "RS")


def test_scroll_triples_and_is_used_up_by_an_attack():
    state = position(". 1A . 2K", at={(1, 0): {"items": "RS"}})
    after = state.apply("A 1 0 3 0")
    assert hp_at(after, 3, 0) == 0  # (300 + 150) * 3 * 0.8 = 1080
    assert unit_at(after, 1, 0).items == "R"


def test_scroll_is_used_up_by_a_heal():
    state = position(". 1C 1K", at={(1, 0): {"items": "S"}, (2, 0): {"hp": 1}})
    after = state.apply("H 1 0 2 0")
    assert hp_at(after, 2, 0) == 1000
    assert unit_at(after, 1, 0).items == ""


# --- crystals -------------------------------------------------------------------------------


@pytest.mark.parametrize(("assault", "damage"), [(".", 300), ("1K", 600), ("1k", 300), ("2K", 300)])
def test_assault_bonus_for_standing_own_units_on_the_square(assault, damage):
    drawing = f"""
        . . . . .  . . . .
        . . . 1A . 2X
        .
        .
        . . . . {assault}"""
    assert hp_at(position(drawing).apply("A 3 1 5 1"), 5, 1) == 4500 - damage


def test_the_attacker_itself_counts_on_the_assault_square():
    drawing = ".\n.\n.\n.\n. . . . 1A . 2X"
    assert hp_at(position(drawing).apply("A 4 4 6 4"), 6, 4) == 4500 - 600


def test_a_crystal_vanishes_and_is_not_pushed():
    state = position(". . 1K 2X . 2K", at={(3, 0): {"hp": 250}})
    once = state.apply("A 2 0 3 0")
    assert hp_at(once, 3, 0) == 50
    assert hp_at(once.apply("A 2 0 3 0"), 3, 0) is None


# --- push -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("drawing", "action", "ends_at"),
    [
        (". . 1K 2A . .", "A 2 0 3 0", (4, 0)),
        (".\n. . . 2A 1K .", "A 4 1 3 1", (2, 1)),
        # not off the board
        (".\n. . . . . . . 1K 2A", "A 7 1 8 1", (8, 1)),
        (". . . 2A\n. . . 1K", "A 3 1 3 0", (3, 0)),
        # not onto a standing unit of either side, nor onto a crystal
        (". . 1K 2A 2A", "A 2 0 3 0", (3, 0)),
        (". . 1K 2A 1A", "A 2 0 3 0", (3, 0)),
        (". . 1K 2A 2X", "A 2 0 3 0", (3, 0)),
        # not onto a deploy square of the pushed unit's opponent, but onto its own
        (". 2A 1K", "A 2 0 1 0", (1, 0)),
        (". . . . . . 1K 2A .", "A 6 0 7 0", (8, 0)),
    ],
)
def test_push(drawing, action, ends_at):
    after = position(drawing).apply(action)
    assert [(u.x, u.y) for u in after.units if u.name == "ARCHER" and u.hp == 600] == [ends_at]


@pytest.mark.parametrize("body", ["1a", "2c"])
def test_push_onto_a_body_removes_it(body):
    after = position(f". . 1K 2A {body}").apply("A 2 0 3 0")
    assert unit_at(after, 4, 0).name == "ARCHER"
    assert unit_at(after, 4, 0).hp == 600
    assert unit_at(after, 3, 0) is None
    assert len(after.units) == 4  # the two crystals, knight and archer


def test_a_unit_knocked_down_by_the_blow_is_pushed_too():
    after = position(". . 1K 2A", at={(3, 0): {"hp": 200}}).apply("A 2 0 3 0")
    assert unit_at(after, 3, 0) is None
    assert hp_at(after, 4, 0) == 0


def test_a_body_on_its_deploy_square_can_only_be_burnt_or_crushed():
    state = position(". . . . . . 1K 2A 2w", hand={1: ["INFERNO"]})
    far = position(". . . . . . . 1N 2w", hand={1: ["INFERNO"]})
    assert "M 7 0 8 0" not in listed(far)
    assert unit_at(far.apply("D INFERNO 8 0"), 8, 0) is None
    crushed = state.apply("A 6 0 7 0")
    assert unit_at(crushed, 8, 0).name == "ARCHER"


# --- chain lightning ------------------------------------------------------------------------


def test_chain_over_three_targets():
    after = position(".\n.\n. 1W . 2A 2A 2A 2A").apply("A 1 2 3 2")
    assert [hp_at(after, x, 2) for x in (3, 4, 5, 6)] == [600, 650, 688, 800]


def test_chain_into_a_crystal_with_assault_bonus():
    drawing = """
        .
        . . . . .  . 2X
        . . . 1W 2A 2A
        .
        . . . . 1K"""
    after = position(drawing).apply("A 3 2 4 2")
    assert [hp_at(after, 4, 2), hp_at(after, 5, 2), hp_at(after, 6, 1)] == [
        600,
        650,
        4500 - 112 - 300,
    ]


def test_chain_goes_on_from_a_fallen_target_and_a_scroll_triples_all_of_it():
    state = position(".\n. . . 1W 2A 2A 2A", at={(3, 1): {"items": "S"}, (4, 1): {"hp": 10}})
    after = state.apply("A 3 1 4 1")
    assert [hp_at(after, x, 1) for x in (4, 5, 6)] == [0, 800 - 450, 800 - 336]


def test_chain_goes_on_from_a_vanished_crystal_and_past_a_won_game():
    state = position(".\n. . . 1W 2X 2A\n.\n. 1X", at={(4, 1): {"hp": 10}}, crystals=False)
    after = state.apply("A 3 1 4 1")
    assert after.winner == 1
    assert hp_at(after, 5, 1) == 650


def test_chain_never_goes_straight_back():
    after = position(".\n. . . 1W 2A 2A").apply("A 3 1 4 1")
    assert [hp_at(after, 4, 1), hp_at(after, 5, 1)] == [600, 650]


def test_chain_turns_where_straight_on_is_nobody():
    after = position(".\n. . . 1W 2A\n. . . . 2A 2A").apply("A 3 1 4 1")
    # South (4, 2) beats south-east (5, 2), which the second jump then reaches by going east.
    assert [hp_at(after, 4, 1), hp_at(after, 4, 2), hp_at(after, 5, 2)] == [600, 650, 688]


def test_chain_does_not_touch_own_units_and_bodies():
    after = position(".\n. . . 1W 2A 1A\n. . . . 2a").apply("A 3 1 4 1")
    assert [hp_at(after, 4, 1), hp_at(after, 5, 1), hp_at(after, 4, 2)] == [600, 800, 0]


@pytest.mark.parametrize("heading", range(8))
def test_chain_prefers_by_value(heading):
    """10 straight on, else 1 + 4 orthogonal + 2 north + 1 east; west before south on a tie."""
    hx, hy = DIRECTIONS[heading]

    def value(direction):
        dx, dy = direction
        if direction == (hx, hy):
            return 10
        return 1 + 4 * (dx == 0 or dy == 0) + 2 * (dy == -1) + (dx == 1)

    expected = [d for d in DIRECTIONS if d != (-hx, -hy)]
    expected.sort(key=lambda d: (-value(d), d[0]))
    assert [DIRECTIONS[d] for d in CHAIN_ORDER[heading]] == expected


# --- line of sight --------------------------------------------------------------------------

BLOCKERS = {(2, 0): {(1, 0)}, (3, 0): {(1, 0), (2, 0)}, (2, 1): {(1, 0), (1, 1)}}


def expected_blockers(dx, dy):
    """The three cases above, mirrored and turned to any direction."""
    flip = abs(dx) < abs(dy)
    key = (abs(dy), abs(dx)) if flip else (abs(dx), abs(dy))
    sx, sy = (-1 if dx < 0 else 1), (-1 if dy < 0 else 1)
    steps = BLOCKERS.get(key, set())
    return {(sx * (b if flip else a), sy * (a if flip else b)) for a, b in steps}


OFFSETS = [(dx, dy) for dx, dy in product(range(-3, 4), repeat=2) if 1 <= abs(dx) + abs(dy) <= 3]


def sight_board(cells):
    """A board with the given cells, and the crystals that a game needs in its corners."""
    rows = [["."] * 9 for _ in range(5)]
    for (x, y), cell in ({(0, 2): "1X", (8, 2): "2X"} | cells).items():
        rows[y][x] = cell
    return position("\n".join(map(" ".join, rows)), crystals=False)


@pytest.mark.parametrize("offset", OFFSETS)
def test_line_of_sight(offset):
    """Every offset with each square around as the only possible blocker."""
    dx, dy = offset
    row = {3: 0, -3: 4}.get(dy, 2)
    archer, target = (4, row), (4 + dx, row + dy)
    action = f"A 4 {row} {target[0]} {target[1]}"
    blockers = expected_blockers(dx, dy)

    def is_seen(blocker, cell):
        return action in listed(sight_board({archer: "1A", target: "2K", blocker: cell}))

    for bx, by in product(range(-3, 4), repeat=2):
        blocker = (4 + bx, row + by)
        if blocker in {archer, target} or not 0 <= blocker[1] <= 4:
            continue
        for cell in ("2K", "2X"):
            assert is_seen(blocker, cell) == ((bx, by) not in blockers), (offset, (bx, by), cell)
    for bx, by in blockers:
        for cell in ("1K", "1X", "2k", "1k"):
            assert is_seen((4 + bx, row + by), cell)


# --- Inferno --------------------------------------------------------------------------------


def test_inferno():
    drawing = """
        .
        . . . 2A 2k 2X
        . . . 1A 2C
        . . . . . . 2A"""
    state = position(
        drawing,
        at={(4, 2): {"items": "H"}},
        hand={1: ["INFERNO"]},
    )
    after = state.apply("D INFERNO 4 1")
    assert hp_at(after, 3, 1) == 800 - 350
    assert unit_at(after, 4, 1) is None  # a body burns
    assert hp_at(after, 5, 1) == 4500 - 350
    assert hp_at(after, 4, 2) == 880 - 280  # magical resistance 20
    assert hp_at(after, 3, 2) == 800  # own units are safe
    assert hp_at(after, 6, 3) == 800  # out of the 3 x 3
    assert after.hand(1) == []


def test_inferno_with_an_assault_unit_burns_crystals_more():
    state = position(".\n. . . . . 2X\n.\n.\n. . . . 1K", hand={1: ["INFERNO"]})
    assert hp_at(state.apply("D INFERNO 5 1"), 5, 1) == 4500 - 650


def test_inferno_may_be_cast_on_any_square():
    state = position(". 1K", hand={1: ["INFERNO"]})
    assert len(listed(state, "D INFERNO")) == 45
