"""Plays what is asked for and not stored yet: on all cores, or on a Dask cluster.

The main process alone writes, one line for each result as it arrives; so an interrupt, a killed
worker or a killed run loses only what was being played.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from pathlib import Path

import pandas as pd
from tqdm.auto import tqdm

from heroacademy.agents.base import Budget
from heroacademy.config import GameConfig
from heroacademy.experiments.specs import RESULTS, GameSpec, Player, Row, SearchSpec
from heroacademy.experiments.store import KEY, Store

PROJECT = Path(__file__).parents[2]
DASK_VARIABLE = "HEROACADEMY_DASK"  # the address of a scheduler, set by `make figures DASK=...`
PROCESSES_VARIABLE = "HEROACADEMY_PROCESSES"  # how many play here, `make figures PROCESSES=1`
MAX_BREAKS = 3  # times in a row that workers may die without any result in between
TEXT_COLUMNS = {
    "agent", "options", "map", "deck", "draws", "starts", "key", "moves", "stats", "curve",
}  # fmt: skip

AnySpec = GameSpec | SearchSpec
Results = Generator[tuple[AnySpec, Row], None, None]


def obtain(
    specs: Iterable[AnySpec],
    folder: str | Path,
    results: Callable[[Sequence[AnySpec]], Results] | None = None,
    progress: bool = True,
) -> pd.DataFrame:
    """The results of specs, in their order: read if stored in the folder, else computed.

    `results` computes specs and yields each with its row, in any order; by default it is the
    cluster named by HEROACADEMY_DASK, or all cores of this machine. A relative folder is one of
    the project.
    """
    specs = list(dict.fromkeys(specs))
    store = Store(PROJECT / folder)
    missing = missing_of(specs, store)
    if missing:
        unit = "search" if isinstance(missing[0], SearchSpec) else "game"
        bar = tqdm(total=len(missing), unit=unit, disable=not progress, smoothing=0.05)
        with bar, closing((results or default_results())(missing)) as rows:
            for spec, row in rows:
                store.add(spec.file, row)
                bar.update()
    return frame([store.get(spec.key) for spec in specs])


def stored(specs: Iterable[AnySpec], folder: str | Path) -> pd.DataFrame:
    """Those results of specs that are stored in the folder, in their order; nothing is computed."""
    specs = list(dict.fromkeys(specs))
    store = Store(PROJECT / folder)
    missing = set(missing_of(specs, store))
    return frame([store.get(spec.key) for spec in specs if spec not in missing])


def missing_of(specs: Iterable[AnySpec], store: Store) -> list[AnySpec]:
    """Specs that have no stored result."""
    missing = []
    for spec in specs:
        store.load(spec.file)
        row = store.get(spec.key)
        if row is None:
            missing.append(spec)
        else:
            spec.check(row)
    return missing


def frame(rows: Sequence[Row]) -> pd.DataFrame:
    """Rows as a table, with numbers where columns hold numbers; without rows, one of games."""
    table = pd.DataFrame(rows) if rows else pd.DataFrame(columns=game_columns())
    for name in table.columns:
        if name.rstrip("12") not in TEXT_COLUMNS:
            table[name] = pd.to_numeric(table[name].replace("", None))
    return table


def game_columns() -> list[str]:
    """The names of the columns of a stored game."""
    anyone = Player.of("random", Budget(0))
    return [KEY, *GameSpec(GameConfig(), (anyone, anyone), "", 0).columns(), *RESULTS]


# --- where results come from ----------------------------------------------------------------


def default_results() -> Callable[[Sequence[AnySpec]], Results]:
    if address := os.environ.get(DASK_VARIABLE):
        return lambda specs: dask_results(specs, address)
    return lambda specs: local_results(specs, processes_here())


def processes_here() -> int | None:
    """How many processes play on this machine; None is one for each core."""
    text = os.environ.get(PROCESSES_VARIABLE)
    if not text:
        return None
    if not text.isdecimal() or int(text) < 1:
        raise ValueError(f"{PROCESSES_VARIABLE} is {text!r}: use a whole number from 1 on")
    return int(text)


def local_results(specs: Sequence[AnySpec], processes: int | None = None) -> Results:
    """Compute specs on this machine; workers that die are replaced and their work done again.

    One process is this one: it starts no worker.
    """
    if processes == 1:
        yield from ((spec, _run(spec)) for spec in specs)
        return
    left = dict.fromkeys(specs)
    breaks = 0
    while left:
        before = len(left)
        try:
            for spec, row in _pool_results(list(left), processes):
                del left[spec]
                yield spec, row
        except BrokenProcessPool as error:
            breaks = breaks + 1 if len(left) == before else 1
            if breaks > MAX_BREAKS:
                raise RuntimeError(
                    f"worker processes died {breaks} times in a row before any of {len(left)} "
                    f"results was there: out of memory? Set {PROCESSES_VARIABLE} to fewer"
                ) from error


def _pool_results(specs: Sequence[AnySpec], processes: int | None) -> Results:
    others = set(multiprocessing.active_children())
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, context, initializer=_prepare_worker) as pool:
        try:
            futures = {pool.submit(_run, spec): spec for spec in specs}
            for future in as_completed(futures):
                yield futures.pop(future), future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in set(multiprocessing.active_children()) - others:
                worker.kill()  # a game may take minutes, the prompt should not
            raise


def _run(spec: AnySpec) -> Row:
    try:
        return spec.run()
    except Exception as error:
        error.add_note(f"in {spec}")
        raise


def _prepare_worker() -> None:
    """Leave Ctrl-C to the main process, and end with it, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def dask_results(specs: Sequence[AnySpec], address: str) -> Results:
    """Compute specs on a Dask cluster; the scheduler gives the work of lost workers to others."""
    try:
        from distributed import Client
        from distributed import as_completed as as_computed
    except ImportError as error:
        raise ImportError("a Dask cluster needs the extra: pip install .[cluster]") from error
    with Client(address) as client:
        futures = client.map(_run, specs, pure=False)
        of_key = {future.key: spec for future, spec in zip(futures, specs, strict=True)}
        for future, row in as_computed(futures, with_results=True):
            yield of_key[future.key], row
