"""States as dictionaries and as single lines of text.

The dictionary is the STATE object of the recorded games:

    player, turn, ap          player to move, turn counter, action points left
    terminal, alive1, alive2  whether the game is over, and who still has units and crystals
    units                     [[x, y, owner, class, hp, max_hp, items], ...] by x, then y
    hand1, deck1, drawseed1   counts of the 11 cards, counts, the deck's draw seed; same for 2
    rng                       generator of random draws, only with draws="random"

The text holds the settings too, as `name=value` pairs on one line:

    heroacademy/1 map=a deck=standard ap=5 limit=200 draws=deterministic player=1 turn=1 left=3
    winner=- units=1X4500@13,2X4500@73 hand1=11100021000 deck1=... seed1=5 hand2=... ...

A unit is owner, class letter, HP, items, `@`, x, y; card counts are hexadecimal digits.
"""

from __future__ import annotations

import re
from dataclasses import fields

import numpy as np

from heroacademy.config import GameConfig
from heroacademy.engine import layout, tables, turns, units
from heroacademy.engine.game import map_squares, square_of
from heroacademy.errors import in_range, one_of
from heroacademy.state import MAX_SEED, PLAYERS, State, pack_cards, unpack_cards

FORMAT = "heroacademy/1"
MAX_DRAW_SEED = 10**9
CLASS_LETTERS = dict(zip("KACWNX", tables.CLASS_NAMES, strict=True))
_LETTER_OF_CLASS = {name: letter for letter, name in CLASS_LETTERS.items()}
_UNIT_TEXT = re.compile(r"([12])([KACWNX])(\d+)([DRHS]*)@(\d)(\d)")
_CONFIG_KEYS = {
    "map": "map",
    "deck": "deck",
    "ap": "action_points",
    "first": "first_turn_points",
    "limit": "turn_limit",
    "draws": "draws",
}


# --- dictionaries ---------------------------------------------------------------------------


def to_dict(state: State) -> dict:
    words = state.array
    data = {
        "player": state.player,
        "turn": state.turn,
        "ap": state.action_points,
        "terminal": state.is_terminal,
        "alive1": state.is_alive(1),
        "alive2": state.is_alive(2),
        "units": [list(unit) for unit in state.units],
    }
    for player in PLAYERS:
        data[f"hand{player}"] = unpack_cards(words[layout.HAND + player])
        data[f"deck{player}"] = unpack_cards(words[layout.DECK + player])
        data[f"drawseed{player}"] = int(words[layout.DRAW_SEED + player])
    if state.config.draws == "random":
        data["rng"] = int(words[layout.RNG])
    return data


def from_dict(data: dict, config: GameConfig) -> State:
    """Read a state; a malformed one raises a ValueError that names what is wrong.

    `terminal`, `alive1` and `alive2` may be left out: they default to a game that goes on.
    """
    expected = {"player", "turn", "ap", "units"}
    expected |= {f"{field}{player}" for field in ("hand", "deck", "drawseed") for player in PLAYERS}
    if config.draws == "random":
        expected.add("rng")
    if not isinstance(data, dict):
        raise ValueError(f"a state is a dictionary, not {data!r}")
    _check_keys(set(data), expected, {"terminal", "alive1", "alive2"})

    words = np.zeros(layout.STATE_SIZE, np.int64)
    words[layout.PLAYER] = one_of("player", data["player"], PLAYERS)
    words[layout.TURN] = in_range("turn", data["turn"], 1, config.turn_limit)
    most = max(config.action_points, config.first_points)
    words[layout.AP] = in_range("ap", data["ap"], 0, most)
    words[layout.WINNER] = layout.UNDECIDED
    if not isinstance(data["units"], (list, tuple)):
        raise ValueError(f"units is {data['units']!r}: use a list of units")
    for unit in data["units"]:
        _put_unit(words, unit, config)
    for player in PLAYERS:
        hand = _cards(f"hand{player}", data[f"hand{player}"])
        in_range(f"number of cards in hand{player}", sum(hand), 0, tables.HAND_SIZE)
        words[layout.HAND + player] = pack_cards(hand)
        words[layout.DECK + player] = pack_cards(_cards(f"deck{player}", data[f"deck{player}"]))
        seed = in_range(f"drawseed{player}", data[f"drawseed{player}"], 0, MAX_DRAW_SEED)
        words[layout.DRAW_SEED + player] = seed
    if config.draws == "random":
        words[layout.RNG] = in_range("rng", data["rng"], -MAX_SEED - 1, MAX_SEED)

    for player in PLAYERS:
        said, found = data.get(f"alive{player}"), bool(turns.is_alive(words, player))
        if said is not None and said != found:
            raise ValueError(
                f"alive{player} is {said!r}, but player {player} has "
                f"{'both a crystal and a unit' if found else 'no crystal or no unit'} left"
            )
    if one_of("value of terminal", data.get("terminal", False), (True, False)):
        turns.decide(words)
    _check_ending(State(config, words))
    return State(config, words)


def _check_ending(state: State) -> None:
    """A game is over exactly when someone has lost or the turns are spent.

    Who has no unit left has lost only at the end of a turn, who has no crystal left at once.
    """
    both_alive = state.is_alive(1) and state.is_alive(2)
    if state.is_terminal and both_alive and state.turn < state.config.turn_limit:
        raise ValueError(
            f"terminal is True, but both players are alive and turn {state.turn} is not the "
            f"last, {state.config.turn_limit}"
        )
    for player in PLAYERS:
        crystals = [u for u in state.units if u.owner == player and u.name == "CRYSTAL"]
        if not state.is_terminal and not crystals:
            raise ValueError(f"player {player} has no crystal, but terminal is False")


def _check_keys(found: set[str], expected: set[str], optional: set[str]) -> None:
    if missing := expected - found:
        raise ValueError(f"a state needs {', '.join(sorted(missing))}, too")
    if unknown := found - expected - optional:
        allowed = ", ".join(sorted(expected | optional))
        raise ValueError(
            f"unknown {', '.join(sorted(map(str, unknown)))} in a state: use {allowed}"
        )


def _put_unit(words: np.ndarray, unit, config: GameConfig) -> None:
    try:
        x, y, owner, name, hp, max_hp, items = unit
    except (TypeError, ValueError):
        raise ValueError(
            f"unit {unit!r} is not of the form [x, y, owner, class, hp, max_hp, items]"
        ) from None
    in_range(f"x of unit {unit!r}", x, 0, layout.WIDTH - 1)
    in_range(f"y of unit {unit!r}", y, 0, layout.HEIGHT - 1)
    square = square_of(x, y)
    if square not in map_squares(tables.MAPS[config.map]):
        raise ValueError(f"unit {unit!r} is not on the board: map {config.map!r} is smaller")
    if words[square] != layout.EMPTY:
        raise ValueError(f"unit {unit!r}: another unit stands on ({x}, {y}) already")
    one_of("owner", owner, PLAYERS)
    unit_class = tables.CLASS_NAMES.index(one_of("unit class", name, tables.CLASS_NAMES))
    kit = _items(items, unit)
    if name == "CRYSTAL" and kit:
        raise ValueError(f"unit {unit!r}: a crystal carries no items")
    word = layout.unit_word(owner, unit_class, kit, 0)
    most = int(units.max_hp(word))
    in_range(f"hp of unit {unit!r}", hp, 1 if name == "CRYSTAL" else 0, most)
    if max_hp != most:
        raise ValueError(f"unit {unit!r}: its max_hp is {most} with these items, not {max_hp!r}")
    units.put(words, square, word | hp)


def _items(letters: str, unit) -> int:
    bits = 0
    for letter in letters if isinstance(letters, str) else [letters]:
        bit = 1 << tables.ITEM_LETTERS.index(one_of("item", letter, tuple(tables.ITEM_LETTERS)))
        if bits & bit:
            raise ValueError(f"unit {unit!r} carries {letter} twice: once is the most")
        bits |= bit
    return bits


def _cards(field: str, counts) -> list[int]:
    if not isinstance(counts, (list, tuple)) or len(counts) != tables.N_CARDS:
        raise ValueError(f"{field} is {counts!r}: use {tables.N_CARDS} counts, in card order")
    return [
        in_range(f"{name} in {field}", n, 0, layout.MAX_COUNT)
        for name, n in zip(tables.CARD_NAMES, counts, strict=True)
    ]


# --- text -----------------------------------------------------------------------------------


def to_text(state: State) -> str:
    config = {key: getattr(state.config, name) for key, name in _CONFIG_KEYS.items()}
    words = state.array
    pairs = {key: value for key, value in config.items() if value is not None}
    pairs |= {
        "player": state.player,
        "turn": state.turn,
        "left": state.action_points,
        "winner": "-" if state.winner is None else state.winner,
        "units": ",".join(
            f"{u.owner}{_LETTER_OF_CLASS[u.name]}{u.hp}{u.items}@{u.x}{u.y}" for u in state.units
        ),
    }
    for player in PLAYERS:
        for field, offset in (("hand", layout.HAND), ("deck", layout.DECK)):
            counts = unpack_cards(words[offset + player])
            pairs[f"{field}{player}"] = "".join(f"{n:x}" for n in counts)
        pairs[f"seed{player}"] = int(words[layout.DRAW_SEED + player])
    if state.config.draws == "random":
        pairs["rng"] = int(words[layout.RNG])
    return " ".join([FORMAT, *(f"{key}={value}" for key, value in pairs.items())])


def from_text(text: str) -> State:
    head, *pairs = text.split() or [""] if isinstance(text, str) else [text]
    if head != FORMAT:
        raise ValueError(f"a state's text starts with {FORMAT!r}, this one with {head!r}")
    values = dict(pair.partition("=")[::2] for pair in pairs)
    if len(values) < len(pairs):
        raise ValueError("a state's text names something twice")
    needed = {"player", "turn", "left", "winner", "units"} | set(_CONFIG_KEYS) - {"first"}
    needed |= {f"{field}{player}" for field in ("hand", "deck", "seed") for player in PLAYERS}
    if values.get("draws") == "random":
        needed.add("rng")
    _check_keys(set(values), needed, {"first"})

    config = _config_from_text(values)
    winner = one_of("winner", values["winner"], ("-", "0", "1", "2"))
    data = {
        "player": _integer("player", values),
        "turn": _integer("turn", values),
        "ap": _integer("left", values),
        "terminal": winner != "-",
        "units": [_unit_from_text(unit) for unit in values["units"].split(",") if unit],
    }
    for player in PLAYERS:
        data[f"drawseed{player}"] = _integer(f"seed{player}", values)
        for field in (f"hand{player}", f"deck{player}"):
            data[field] = _counts_from_text(field, values[field])
    if config.draws == "random":
        data["rng"] = _integer("rng", values)
    state = from_dict(data, config)
    if state.is_terminal and str(state.winner) != winner:
        raise ValueError(f"winner is {winner}, but on this board it is {state.winner}")
    return state


def _config_from_text(values: dict[str, str]) -> GameConfig:
    whole = {field.name for field in fields(GameConfig) if "int" in str(field.type)}
    settings = {}
    for key, name in _CONFIG_KEYS.items():
        if key in values:
            settings[name] = _integer(key, values) if name in whole else values[key]
    return GameConfig(**settings)


def _integer(key: str, values: dict[str, str]) -> int:
    if not re.fullmatch(r"-?\d+", values[key]):
        raise ValueError(f"{key} is {values[key]!r}: use a whole number")
    return int(values[key])


def _unit_from_text(text: str) -> list:
    match = _UNIT_TEXT.fullmatch(text)
    if not match:
        raise ValueError(
            f"cannot read unit {text!r}: the form is owner, class letter (K A C W N, X for a "
            "crystal), HP, items (letters of DRHS), @, x, y, as in 1K1000D@42"
        )
    owner, letter, hp, items, x, y = match.groups()
    unit_class = tables.CLASS_NAMES.index(CLASS_LETTERS[letter])
    kit = _items(items, text)
    most = int(units.max_hp(layout.unit_word(int(owner), unit_class, kit, 0)))
    return [int(x), int(y), int(owner), CLASS_LETTERS[letter], int(hp), most, items]


def _counts_from_text(field: str, text: str) -> list[int]:
    if not re.fullmatch(r"[0-9a-f]+", text):
        raise ValueError(f"{field} is {text!r}: use one hexadecimal digit for each card")
    return [int(digit, 16) for digit in text]
