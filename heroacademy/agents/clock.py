"""Keeps a search within its budget, in short chunks, so that it can be interrupted."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import numpy as np

from heroacademy.agents.base import Budget
from heroacademy.search.common import EVALUATED, FM_CALLS, N_COUNTS, STEPS

NO_LIMIT = 1 << 62
CHUNK_SECONDS = 0.001  # a chunk is meant to take about as long
MAX_CHUNK = 1 << 14
CURVE_POINTS_A_DECADE = 8


class Clock:
    """Counts a search's calls and time, and records how its best value grows.

    `advance(steps, call_limit)` does a chunk of a search; how the work is cut into chunks never
    changes its result.
    """

    def __init__(self, budget: Budget):
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

    def run(
        self,
        advance: Callable[[int, int], bool],
        best_value: Callable[[], float],
        share: float = 1.0,
    ) -> bool:
        """Search until a share of the budget is used up.

        `advance` returns whether it can go on; the result is False if it could not.
        """
        calls = self.budget.fm_calls
        limit = NO_LIMIT if calls is None else math.ceil(calls * share)
        while not self.is_up(share):
            before = time.perf_counter()
            if not advance(self._chunk, min(limit, self._point())):
                return False
            self._fit_chunk(time.perf_counter() - before)
            if self.fm_calls >= self._point():
                self.curve.append((self.fm_calls, best_value()))
                self._next_point = 1 + int(math.log10(self.fm_calls) * CURVE_POINTS_A_DECADE)
        return True

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
