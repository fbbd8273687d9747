"""Sizes of the experiments, from `profiles.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from functools import cache
from importlib import resources
from typing import Any

from heroacademy.agents.base import Budget
from heroacademy.agents.options import Whole, check
from heroacademy.errors import one_of

EVEN = ("games", "first_games", "report_games")
WHOLE = {"positions": Whole(1, 60), "longest": Whole(0, 100)}  # the benchmark has 60 positions
POINTS = Whole(1, 25)


@dataclass(frozen=True)
class Size:
    """How large one experiment is; what an experiment does not use is None."""

    budgets: tuple[Budget, ...]
    games: int | None = None
    action_points: tuple[int, ...] = ()
    first_games: int | None = None
    longest: int | None = None
    positions: int | None = None
    report_games: int | None = None

    def __str__(self) -> str:
        """
        >>> print(size("paper", "table2"))
        100 games, 3,000,000 calls a turn
        """
        what = f"{self.games} games" if self.games else f"{self.positions} positions"
        return f"{what}, {self.budget_text}"

    @property
    def budget_text(self) -> str:
        """
        >>> size("paper", "table2").budget_text, size("paper-time", "figure5").budget_text
        ('3,000,000 calls a turn', '2 s a turn')
        """
        calls = ", ".join(f"{b.fm_calls:,}" for b in self.budgets if b.fm_calls is not None)
        seconds = ", ".join(f"{b.seconds:g}" for b in self.budgets if b.seconds is not None)
        return f"{calls + ' calls' if calls else seconds + ' s'} a turn"

    @property
    def unit(self) -> str:
        """What the budgets are counted in; tables name a column of budgets so."""
        return "seconds a turn" if self.budgets[0].fm_calls is None else "calls a turn"

    @property
    def budget(self) -> Budget:
        (budget,) = self.budgets
        return budget


def _values(value: Any) -> list:
    return value if isinstance(value, list) else [value]


@cache
def _read(file: str) -> dict[str, Any]:
    return tomllib.loads(resources.files("heroacademy.experiments").joinpath(file).read_text())


def _profiles() -> dict[str, dict[str, dict[str, Any]]]:
    return _read("profiles.toml")


def speeds() -> dict[str, int]:
    """Calls a second of agents, from `speeds.toml`."""
    return dict(_read("speeds.toml"))


def profile_names() -> list[str]:
    return list(_profiles())


def experiment_names(profile: str) -> list[str]:
    return list(_profiles()[one_of("profile", profile, _profiles())])


def _check(name: str, value: Any) -> None:
    """Raise a ValueError that says what to use, if a size is none: people change them."""
    if name in EVEN and (value not in Whole(2, 10**6) or value % 2):
        raise ValueError(
            f"{name} is {value!r}: use an even whole number, each start is played from both sides"
        )
    if name in WHOLE:
        check(name, value, WHOLE[name])
    if name == "action_points" and not (
        isinstance(value, list | tuple) and value and all(n in POINTS for n in value)
    ):
        raise ValueError(
            f"action_points is {value!r}: use a list of whole numbers from {POINTS.low} to "
            f"{POINTS.high}, for papermill as in -y 'action_points: [2, 5]'"
        )


def size(profile: str, experiment: str, **changes: Any) -> Size:
    """The size of an experiment in a profile; `changes` that are not None replace its values.

    >>> size("paper", "table2").budget, size("paper", "table2", games=10).games
    (Budget(fm_calls=3000000, seconds=None), 10)
    """
    experiments = _profiles()[one_of("profile", profile, _profiles())]
    values = dict(experiments[one_of("experiment", experiment, experiments)])
    values |= {name: value for name, value in changes.items() if value is not None}
    for unit, other in (("fm_calls", "seconds"), ("seconds", "fm_calls")):
        if changes.get(unit) is not None:
            values.pop(other, None)
    unit = "seconds" if "seconds" in values else "fm_calls"
    budgets = tuple(Budget(**{unit: value}) for value in _values(values.pop(unit)))
    for name, value in values.items():
        one_of(f"size of {experiment}", name, [f.name for f in fields(Size)[1:]])
        _check(name, value)
    values = {k: tuple(v) if isinstance(v, list | tuple) else v for k, v in values.items()}
    return Size(budgets, **values)
