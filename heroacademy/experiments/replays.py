"""Stored games played again, and compared action by action.

The same spec gives the same game on every machine if both budgets count calls. So a difference
means that a change of the rules or of an agent alters games but did not raise their version.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from tqdm.auto import tqdm

from heroacademy.experiments import moves
from heroacademy.experiments.runner import PROJECT, Results, default_results
from heroacademy.experiments.specs import RULES_VERSION, GameSpec, Row
from heroacademy.experiments.store import Store

COMPARED = ("moves", "winner", "turns", "actions", "calls1", "calls2")


@dataclass(frozen=True)
class Replay:
    """A stored game and the same one played again."""

    stored: Row
    again: Row

    def difference(self) -> str:
        """Where they differ first, or nothing."""
        old, new = (moves.decode(row["moves"]) for row in (self.stored, self.again))
        for number, (before, now) in enumerate(zip_longest(old, new), 1):
            if before != now:
                return (
                    f"differs from action {number} of {len(old)} on: stored is "
                    f"{before or 'the end'}, played now {now or 'the end'}"
                )
        for name in COMPARED:
            if self.stored[name] != self.again[name]:
                return f"{name} is stored as {self.stored[name]}, now it is {self.again[name]}"
        return ""


def is_repeatable(row: Row) -> bool:
    """Whether a game has to come out the same: budgets of calls, rules and agents of today."""
    return row["rules"] == str(RULES_VERSION) and all(
        player.budget.fm_calls is not None and player.budget.seconds is None and player.is_current
        for player in GameSpec.from_row(row).players
    )


def calls_of(row: Row) -> int:
    """Forward-model calls of both sides in a whole game."""
    return int(row["calls1"]) + int(row["calls2"])


def sample(folder: str | Path, games: int, seed: int, max_calls: int | None = None) -> list[Row]:
    """Random stored games that can be repeated, none with more calls in all than `max_calls`."""
    rows = Store(PROJECT / folder).load_all("games/*.csv")
    if max_calls is not None:
        rows = [row for row in rows if calls_of(row) <= max_calls]
    rows = sorted((row for row in rows if is_repeatable(row)), key=lambda row: row["key"])
    if not rows:
        raise ValueError(
            f"{folder} holds no games that can be repeated: budgets have to count calls, and rules "
            "and agents to be of today's version; play some first, or allow more calls"
        )
    return random.Random(seed).sample(rows, min(games, len(rows)))


def replay(
    rows: Sequence[Row],
    results: Callable[[Sequence[GameSpec]], Results] | None = None,
    progress: bool = True,
) -> list[Replay]:
    """Play stored games again, in parallel."""
    stored = {GameSpec.from_row(row): row for row in rows}
    again: dict[GameSpec, Row] = {}
    bar = tqdm(total=len(stored), unit="game", disable=not progress)
    with bar, closing((results or default_results())(list(stored))) as played:
        for spec, row in played:
            again[spec] = row
            bar.update()
    return [Replay(row, again[spec]) for spec, row in stored.items()]
