"""The actions of a game as a short text: three characters for each.

The characters are base 64 digits, most significant first, of the action's code, which is below
2**15 (see `heroacademy.engine.layout`).
"""

from __future__ import annotations

from collections.abc import Iterable

from heroacademy.action import Action

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
VALUES = {digit: value for value, digit in enumerate(DIGITS)}


def encode(actions: Iterable[Action]) -> str:
    """
    >>> encode([Action.parse("M 0 4 2 4"), Action.parse("E")])
    'BkmAAA'
    """
    codes = [action.code for action in actions]
    return "".join(DIGITS[c >> 12] + DIGITS[c >> 6 & 63] + DIGITS[c & 63] for c in codes)


def decode(text: str) -> list[Action]:
    """
    >>> [str(action) for action in decode("BkmAAA")]
    ['M 0 4 2 4', 'E']
    """
    if len(text) % 3 or not set(text) <= set(VALUES):
        raise ValueError(f"{text[:30]!r} is no list of moves: use three of {DIGITS} for each")
    values = [VALUES[digit] for digit in text]
    return [
        Action.of_code(high << 12 | middle << 6 | low)
        for high, middle, low in zip(values[::3], values[1::3], values[2::3], strict=True)
    ]
