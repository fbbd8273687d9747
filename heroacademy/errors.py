"""What goes wrong, by name."""

import operator
from collections.abc import Iterable
from typing import Any


class IllegalAction(ValueError):
    """An action that the rules do not allow; the message says which rule it breaks."""


def one_of(kind: str, value: object, allowed: Iterable) -> Any:
    """Return the allowed value that `value` equals, else raise a ValueError that names all."""
    allowed = tuple(allowed)
    for choice in allowed:
        if type(choice) is type(value) and choice == value:
            return choice
    raise ValueError(f"unknown {kind} {value!r}: use one of {', '.join(map(str, allowed))}")


def in_range(kind: str, value: object, low: int, high: int) -> int:
    """Return `value` as an int if it is a whole number in a range, else raise a ValueError."""
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, bool) or not low <= number <= high:
        raise ValueError(f"{kind} is {value!r}: use a whole number from {low} to {high}")
    return number
