"""Keeps a search within its budget, in short chunks, so that it can be interrupted."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import numpy as np

from heroacademy.agents.base import Budget
from heroacademy.search.common import EVALUATED, FM_CALLS, N_COUNTS, STEPS
from heroacademy.state import State

NO_LIMIT = 1 << 62
CHUNK_SECONDS = 0.001  # a chunk is meant to take about as long
MAX_CHUNK = 1 << 14
CURVE_POINTS_A_DECADE = 8
STEPS_A_SECOND = 5_000_000  # more than any search does
LEAST_ROOM = 1 << 12  # for the step over the budget, and the chunk over the time


class Clock:
    """Counts a search's calls and time, and records how its best value grows.

    `advance(steps, call_limit)` does a chunk of a search; how the work is cut into chunks never
    changes its result.
    """

    def __init__(self, budget: Budget, state: State):
        if state.is_terminal:
            raise ValueError("the game is over, there is no turn to plan")
        self.budget = budget
        self.counts = np.zeros(N_COUNTS, np.int64)
        self.start = time.perf_counter()
        self.curve: list[tuple[int, float]] = []
        self._next_point = 0
        self._chunk = 16

    @property
    def fm_calls(self) -> int:
        return int(self.counts[FM_CALLS])

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.start

    def is_up(self, share: float = 1.0) -> bool:
        """Whether a share of the budget is used up."""
        calls, seconds = self.budget.fm_calls, self.budget.seconds
        if calls is not None and self.fm_calls >= math.ceil(calls * share):
            return True
        return seconds is not None and self.seconds >= seconds * share

    def room(self, most: int) -> int:
        """How many steps to have room for: as many as the budget may allow, `most` at most."""
        calls, seconds = self.budget.fm_calls, self.budget.seconds
        by_calls = most if calls is None else math.ceil(calls)
        by_seconds = most if seconds is None else math.ceil(seconds * STEPS_A_SECOND)
        return min(most, LEAST_ROOM + min(by_calls, by_seconds))

    def run(
        self,
        advance: Callable[[int, int], bool],
        best_value: Callable[[], float | None],
        share: float = 1.0,
    ) -> bool:
        """Search until a share of the budget is used up.

        `advance` returns whether it can go on; the result is False if it could not.
        """
        total = self.budget.fm_calls
        limit = NO_LIMIT if total is None else math.ceil(total * share)
        while not self.is_up(share):
            while self.fm_calls >= self._point():
                self._next_point += 1
            before, calls = time.perf_counter(), self.fm_calls
            can_go_on = advance(self._chunk, min(limit, self._point()))
            if not can_go_on:
                break
            if self.fm_calls == calls:
                raise RuntimeError(f"a search of {calls} calls makes no progress")
            self._fit_chunk(time.perf_counter() - before)
            if self.fm_calls >= self._point():
                self._add_point(best_value())
        else:
            can_go_on = True
        self._add_point(best_value())
        return can_go_on

    def _add_point(self, value: float | None) -> None:
        """Add to the curve, unless there is no plan yet or nothing was done since."""
        if value is not None and (not self.curve or self.curve[-1][0] < self.fm_calls):
            self.curve.append((self.fm_calls, value))

    def _point(self) -> int:
        """The number of calls at which the curve gets its next point."""
        return math.ceil(10 ** (self._next_point / CURVE_POINTS_A_DECADE))

    def _fit_chunk(self, seconds: float) -> None:
        if seconds < CHUNK_SECONDS / 2 and self._chunk < MAX_CHUNK:
            self._chunk *= 2
        elif seconds > CHUNK_SECONDS and self._chunk > 1:
            self._chunk //= 2

    def stats(self, steps_name: str) -> dict:
        """What was counted, with the search's own name for its steps."""
        return {
            "fm_calls": self.fm_calls,
            "seconds": self.seconds,
            steps_name: int(self.counts[STEPS]),
            "evaluated": int(self.counts[EVALUATED]),
            "curve": self.curve,
            "stopped_by": None,
        }
