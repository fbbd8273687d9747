"""Small drawn positions for tests.

A drawing has one cell for each square, rows from the top. `.` is an empty square, `1K` player
1's knight at full health, `2a` player 2's knocked-down archer (lower case), `1X` a crystal.
What a letter leaves open is given by square: `at={(3, 2): dict(hp=500, items="S")}`.

The left-over rows and columns of the map are empty, so that a drawing only shows what matters.
A crystal for each player, and a unit in each deck, are added unless told otherwise, so that
the game goes on.
"""

from __future__ import annotations

import heroacademy as ha
from heroacademy.engine import layout, tables, units
from heroacademy.forms import CLASS_LETTERS

CRYSTAL_CORNERS = {1: (1, 3), 2: (7, 3)}  # where map `a` has them; far from most drawings


def position(
    drawing: str,
    *,
    at: dict | None = None,
    player: int = 1,
    ap: int = 5,
    turn: int = 10,
    hand: dict[int, list[str]] | None = None,
    deck: dict[int, list[str]] | None = None,
    crystals: bool = True,
    **settings,
) -> ha.State:
    config = ha.GameConfig(**settings)
    found = []
    for y, row in enumerate(line.split() for line in drawing.strip().splitlines()):
        for x, cell in enumerate(row):
            if cell != ".":
                found.append(_unit(x, y, cell, (at or {}).get((x, y), {})))
    if crystals:
        for owner, (x, y) in CRYSTAL_CORNERS.items():
            found.append(_unit(x, y, f"{owner}X", {}))
    hand = hand or {}
    deck = {1: ["KNIGHT"], 2: ["KNIGHT"]} | (deck or {})
    data = {"player": player, "turn": turn, "ap": ap, "units": found}
    for p in (1, 2):
        data[f"hand{p}"] = _counts(hand.get(p, []))
        data[f"deck{p}"] = _counts(deck[p])
        data[f"drawseed{p}"] = 0
    return ha.State.from_dict(data, config)


def _unit(x: int, y: int, cell: str, details: dict) -> list:
    name = CLASS_LETTERS[cell[1].upper()]
    items = details.get("items", "")
    bits = sum(1 << tables.ITEM_LETTERS.index(item) for item in items)
    word = layout.unit_word(1, tables.CLASS_NAMES.index(name), bits, 0)
    most = int(units.max_hp(word))
    hp = 0 if cell[1].islower() else details.get("hp", most)
    return [x, y, int(cell[0]), name, hp, most, items]


def _counts(cards: list[str]) -> list[int]:
    return [cards.count(name) for name in tables.CARD_NAMES]


def unit_at(state: ha.State, x: int, y: int) -> ha.Unit | None:
    return next((unit for unit in state.units if (unit.x, unit.y) == (x, y)), None)


def hp_at(state: ha.State, x: int, y: int) -> int | None:
    """HP of the unit on a square, None if there is none."""
    unit = unit_at(state, x, y)
    return None if unit is None else unit.hp


def listed(state: ha.State, kind: str = "") -> set[str]:
    """Text forms of the legal actions, of one kind (its first letter) or all."""
    return {str(a) for a in state.legal_actions() if str(a).startswith(kind)}
