"""One action of a turn, as a value with a short text form."""

from __future__ import annotations

from functools import cache

from heroacademy.engine.layout import (
    ATTACK,
    END_TURN,
    HEAL,
    HEIGHT,
    KIND_SHIFT,
    MOVE,
    PART_MASK,
    PLAY_CARD,
    SOURCE_SHIFT,
    SWAP_CARD,
    SWAP_UNITS,
    WIDTH,
    action_code,
)
from heroacademy.engine.tables import CARD_NAMES
from heroacademy.errors import one_of

KIND_NAMES = {
    END_TURN: "end turn",
    MOVE: "move",
    ATTACK: "attack",
    HEAL: "heal",
    SWAP_UNITS: "swap places",
    PLAY_CARD: "play card",
    SWAP_CARD: "swap card",
}
LETTERS = {
    END_TURN: "E",
    MOVE: "M",
    ATTACK: "A",
    HEAL: "H",
    SWAP_UNITS: "W",
    PLAY_CARD: "D",
    SWAP_CARD: "C",
}
_KIND_OF_LETTER = {letter: kind for kind, letter in LETTERS.items()}
_FORMS = "E | M x y X Y | A x y X Y | H x y X Y | W x y X Y | D CARD X Y | C CARD"


class Action:
    """An action: what is done, from where (or with which card), to where.

    >>> action = Action.parse("M 0 4 2 4")
    >>> action.kind, action.source, action.target
    ('move', (0, 4), (2, 4))
    >>> Action.parse("D INFERNO 6 1").card
    'INFERNO'
    >>> str(action)
    'M 0 4 2 4'
    """

    __slots__ = ("_code",)

    def __init__(self, code: int):
        """Wrap an action code (see `heroacademy.engine.layout`), which is checked."""
        if not isinstance(code, int):
            raise TypeError(f"{code!r} is no action code; Action.parse reads text")
        kind = code >> KIND_SHIFT
        source, target = code >> SOURCE_SHIFT & PART_MASK, code & PART_MASK
        squares = WIDTH * HEIGHT
        well_formed = {
            END_TURN: code == 0,
            PLAY_CARD: source < len(CARD_NAMES) and target < squares,
            SWAP_CARD: source < len(CARD_NAMES) and target == 0,
        }.get(kind, kind in KIND_NAMES and source < squares and target < squares)
        if not well_formed:
            raise ValueError(f"{code} is no action code")
        object.__setattr__(self, "_code", int(code))

    @classmethod
    def of_code(cls, code: int) -> Action:
        """Wrap a code that is known to be an action's."""
        action = cls.__new__(cls)
        object.__setattr__(action, "_code", code)
        return action

    def __setattr__(self, name, value):
        raise AttributeError("an Action cannot be changed; make a new one")

    @property
    def code(self) -> int:
        """The integer that compiled code uses; see `heroacademy.engine.layout`."""
        return self._code

    @property
    def kind(self) -> str:
        """'move', 'attack', 'heal', 'swap places', 'play card', 'swap card' or 'end turn'."""
        return KIND_NAMES[self._kind]

    @property
    def source(self) -> tuple[int, int] | None:
        """Square of the acting unit, None for cards and the end of a turn."""
        return _square(self._source) if self._kind in (MOVE, ATTACK, HEAL, SWAP_UNITS) else None

    @property
    def target(self) -> tuple[int, int] | None:
        """Square that is acted on, None for swapped cards and the end of a turn."""
        return None if self._kind in (END_TURN, SWAP_CARD) else _square(self._code & PART_MASK)

    @property
    def card(self) -> str | None:
        """Name of the card that is played or swapped, None for units and the end of a turn."""
        return CARD_NAMES[self._source] if self._kind in (PLAY_CARD, SWAP_CARD) else None

    @property
    def _kind(self) -> int:
        return self._code >> KIND_SHIFT

    @property
    def _source(self) -> int:
        return self._code >> SOURCE_SHIFT & PART_MASK

    @classmethod
    def parse(cls, text: str) -> Action:
        """Read the text form; a malformed one raises a ValueError that shows the forms."""
        words = text.split() if isinstance(text, str) else []
        kind = _KIND_OF_LETTER.get(words[0]) if words else None
        expected = {END_TURN: 1, SWAP_CARD: 2, PLAY_CARD: 4, None: -1}.get(kind, 5)
        if len(words) != expected:
            raise ValueError(f"cannot read action {text!r}: the forms are {_FORMS}")
        if kind == END_TURN:
            return cls(0)
        if kind in (PLAY_CARD, SWAP_CARD):
            source, rest = CARD_NAMES.index(one_of("card", words[1], CARD_NAMES)), words[2:]
        else:
            source, rest = _parse_square(words[1:3], text), words[3:]
        return cls(action_code(kind, source, _parse_square(rest, text) if rest else 0))

    @cache  # noqa: B019 - there are fewer than 9,000 actions in all
    def __str__(self) -> str:
        parts = [LETTERS[self._kind]]
        for part in (self.card, self.source, self.target):
            if isinstance(part, str):
                parts.append(part)
            elif part is not None:
                parts += map(str, part)
        return " ".join(parts)

    def __repr__(self) -> str:
        return f"Action.parse({str(self)!r})"

    def __eq__(self, other) -> bool:
        return isinstance(other, Action) and self._code == other._code

    def __hash__(self) -> int:
        return hash((Action, self._code))

    def __reduce__(self):
        return Action, (self._code,)


def _square(code: int) -> tuple[int, int]:
    return code % WIDTH, code // WIDTH


def _parse_square(words: list[str], text: str) -> int:
    x, y = (int(word) if word.isdecimal() else -1 for word in words)
    if not (0 <= x < WIDTH and 0 <= y < HEIGHT):
        raise ValueError(
            f"action {text!r}: {' '.join(words)} is no square, x is 0 to {WIDTH - 1} and "
            f"y is 0 to {HEIGHT - 1}"
        )
    return y * WIDTH + x
