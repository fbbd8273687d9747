"""What values an option of an agent may have, and the message when it has another."""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass, field, fields
from typing import Any


@dataclass(frozen=True)
class Whole:
    """Whole numbers in a range."""

    low: int
    high: int
    power_of_two: bool = False

    def __contains__(self, value: object) -> bool:
        try:
            number = operator.index(value)
        except TypeError:
            return False
        if isinstance(value, bool) or not self.low <= number <= self.high:
            return False
        return not self.power_of_two or number & (number - 1) == 0

    def __str__(self) -> str:
        kind = "power of two" if self.power_of_two else "whole number"
        return f"a {kind} from {self.low} to {self.high}"


@dataclass(frozen=True)
class Number:
    """Finite numbers in a range, its ends included unless it is open."""

    low: float
    high: float = math.inf
    is_open: bool = False

    def __contains__(self, value: object) -> bool:
        if isinstance(value, bool):
            return False
        try:
            inside = math.isfinite(value) and self.low <= value <= self.high
        except TypeError:
            return False
        return inside and not (self.is_open and value in (self.low, self.high))

    def __str__(self) -> str:
        if self.high == math.inf:
            return f"a number from {self.low} on"
        return f"a number {'between' if self.is_open else 'from'} {self.low} " + (
            f"and {self.high}, both left out" if self.is_open else f"to {self.high}"
        )


@dataclass(frozen=True)
class Choice:
    """Some values, or whatever `other` allows."""

    values: tuple
    other: Whole | Number | None = None

    def __contains__(self, value: object) -> bool:
        if any(type(one) is type(value) and one == value for one in self.values):
            return True
        return self.other is not None and value in self.other

    def __str__(self) -> str:
        names = [repr(value) for value in self.values]
        return " or ".join(names if self.other is None else [*names, str(self.other)])


FLAG = Choice((False, True))
SHARE = Number(0, 1)

Allowed = Whole | Number | Choice


def check(name: str, value: object, allowed: Allowed) -> None:
    """Raise a ValueError that names the value and what to use instead, if it is not allowed.

    >>> check("mutation", 1.5, SHARE)
    Traceback (most recent call last):
    ValueError: mutation is 1.5: use a number from 0 to 1
    """
    if value not in allowed:
        raise ValueError(f"{name} is {value!r}: use {allowed}")


def option(default: Any, allowed: Allowed, text: str) -> Any:
    """A dataclass field that is an agent's option: its values and its documentation."""
    return field(default=default, metadata={"allowed": allowed, "text": text})


def options_of(agent: Any) -> dict[str, Any]:
    """All options of an agent with their values."""
    return {f.name: getattr(agent, f.name) for f in fields(agent)}


class Checked:
    """Base of agents whose options are checked when they are made."""

    def __post_init__(self):
        for f in fields(self):
            check(f.name, getattr(self, f.name), f.metadata["allowed"])
