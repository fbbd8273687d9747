"""The board as plain text, for a terminal."""

from __future__ import annotations

from heroacademy.engine import tables
from heroacademy.state import PLAYERS, State, Unit

CLASS_SYMBOLS = dict(zip(tables.CLASS_NAMES, "KACWN*", strict=True))
_SQUARE_SYMBOLS = {"d": "<1", "D": "2>", "S": "def", "P": "pow", "A": "asl"}
_CELL = 8


def board_text(state: State) -> str:
    """Board, hands and decks, two lines a square.

    A unit is its owner, its class letter (* for a crystal) and its items; below stands its HP,
    `down` if it is knocked down.
    """
    rows = tables.MAPS[state.config.map]
    units = {(unit.x, unit.y): unit for unit in state.units}
    line = "   +" + ("-" * _CELL + "+") * len(rows[0])
    lines = [headline(state), "    " + " ".join(f"{x:^{_CELL}}" for x in range(len(rows[0])))]
    for y, row in enumerate(rows):
        cells = [_cell(units.get((x, y)), letter) for x, letter in enumerate(row)]
        lines += [
            line,
            f" {y} |" + "|".join(f"{top:^{_CELL}}" for top, _ in cells) + "|",
            "   |" + "|".join(f"{bottom:^{_CELL}}" for _, bottom in cells) + "|",
        ]
    lines.append(line)
    lines += [_cards_line(state, player) for player in PLAYERS]
    return "\n".join(lines)


def headline(state: State) -> str:
    if state.winner is None:
        return (
            f"turn {state.turn}: player {state.player} to move, "
            f"{state.action_points} action points left"
        )
    ending = f"player {state.winner} has won" if state.winner else "a draw"
    return f"turn {state.turn}: {ending}"


def _cell(unit: Unit | None, letter: str) -> tuple[str, str]:
    square = _SQUARE_SYMBOLS.get(letter, "")
    if unit is None:
        return "", square
    items = f"+{unit.items}" if unit.items else ""
    hp = str(unit.hp) if unit.hp else "down"
    return f"{unit.owner}{CLASS_SYMBOLS[unit.name]}{items}", f"{hp} {square}".strip()


def _cards_line(state: State, player: int) -> str:
    cards = state.hand(player)
    counted = [f"{cards.count(card)} {card.lower()}" for card in dict.fromkeys(cards)]
    hand = ", ".join(counted) or "no cards"
    return f"player {player}: {hand}; {len(state.deck(player))} in the deck"
