"""Matches: many games between two agents, and the score with its interval."""

from __future__ import annotations

import pickle
import sys
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing import get_context

from tqdm.auto import tqdm

from heroacademy.agents.base import Agent, Budget
from heroacademy.agents.games import describe, play, turn_seed
from heroacademy.agents.records import GameRecord
from heroacademy.config import GameConfig
from heroacademy.errors import in_range


@dataclass(frozen=True)
class Score:
    """Result of a match, for the first of two agents.

    results: 1 for each game won, 0.5 drawn, 0 lost; two by two they are from the same start
    records: the games in the same order
    """

    results: tuple[float, ...]
    records: tuple[GameRecord, ...] = field(default=(), repr=False, compare=False)

    @property
    def games(self) -> int:
        return len(self.results)

    @property
    def share(self) -> float:
        """Share of wins, draws counted half."""
        return sum(self.results) / self.games

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Interval of the share; games from one start count for less, see `win_rate`.

        >>> low, high = Score((1, 0, 1, 0, 1, 0, 1, 0, 1, 0)).interval()
        >>> round(low, 3), round(high, 3)
        (0.17, 0.83)
        """
        from heroacademy.statistics import win_rate  # SciPy takes as long to import as all else

        starts = [i // 2 for i in range(self.games)]
        estimate = win_rate(self.results, starts, confidence)
        return estimate.low, estimate.high

    def __str__(self) -> str:
        low, high = self.interval()
        won, drawn, lost = (self.results.count(result) for result in (1, 0.5, 0))
        return (
            f"{100 * self.share:.1f} % [{100 * low:.1f}, {100 * high:.1f}] "
            f"({won} won, {drawn} drawn, {lost} lost)"
        )


def match(
    config: GameConfig,
    first: Agent,
    second: Agent,
    budget: Budget,
    games: int,
    seed: int = 0,
    processes: int | None = None,
    progress: bool = True,
) -> Score:
    """Play pairs of games from the same starts, each agent once as player 1, in parallel.

    processes: how many play; None is one for each core, 1 is this process alone
    Agents whose class is defined in a notebook play one game after the other.
    """
    in_range("games", games, 1, 10**9)
    if processes is not None:
        in_range("processes", processes, 1, 10**6)
    tasks = [
        (config, {1: first, 2: second} if i % 2 == 0 else {1: second, 2: first}, budget,
         turn_seed(seed, i // 2))
        for i in range(games)
    ]  # fmt: skip
    bar = tqdm(_play_all(tasks, processes), total=games, unit="game", disable=not progress)
    by_number = dict(bar)
    records = tuple(by_number[i] for i in range(games))
    results = tuple(_result(record, 1 + i % 2) for i, record in enumerate(records))
    return Score(results, records)


def _result(record: GameRecord, player: int) -> float:
    return 0.5 if record.winner == 0 else float(record.winner == player)


def _play_all(tasks: list[tuple], processes: int | None) -> Iterator[tuple[int, GameRecord]]:
    """Play games, in processes if the agents can be sent there; their numbers and records."""
    if processes == 1 or not all(map(_can_be_sent, tasks[0][1].values())):
        yield from ((i, play(*task)) for i, task in enumerate(tasks))
        return
    pool = ProcessPoolExecutor(processes, mp_context=get_context("spawn"))
    try:
        futures = {pool.submit(play, *task): i for i, task in enumerate(tasks)}
        for future in as_completed(futures):
            yield futures[future], future.result()
    except BrokenProcessPool as error:
        raise RuntimeError(
            "a process that played games has died; in a script, call match below "
            '`if __name__ == "__main__":`, as processes read the script too, or use processes=1'
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


def _can_be_sent(agent: Agent) -> bool:
    """Whether a new process would know the agent's class; says so if not."""
    in_notebook = not hasattr(sys.modules["__main__"], "__file__")
    try:
        known = not (b"__main__" in pickle.dumps(agent) and in_notebook)
    except (pickle.PicklingError, AttributeError, TypeError):
        known = False
    if not known:
        warnings.warn(
            f"{describe(agent)['name']} is not defined in a module, so other processes cannot "
            "play it: the games are played one after the other in this one",
            stacklevel=5,
        )
    return known
