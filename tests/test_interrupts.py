"""Runs that are interrupted, killed or out of space: done to them, not imagined."""

import errno
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from experiment_run import slow_games, tiny_games
from test_project import ROOT

from heroacademy.experiments import runner
from heroacademy.experiments.runner import local_results, missing_of, obtain
from heroacademy.experiments.store import DamagedLine, Store, append_row, read_rows

SCRIPT = Path(__file__).with_name("experiment_run.py")
GAMES, CALLS = 6, 100_000  # a game takes some tenths of a second: time to be interrupted
PATIENCE = 90

pytestmark = pytest.mark.filterwarnings(f"error::{DamagedLine.__module__}.DamagedLine")


def stored(folder: Path) -> list[dict]:
    """What is stored by now; a run may be writing."""
    return [row for path in folder.glob("**/*.csv") for row in read_rows(path)]


def wait_until(condition) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.02)


@contextmanager
def run(folder, games=GAMES, calls=CALLS):
    """A run in a process group of its own, as in a terminal."""
    process = subprocess.Popen(
        [sys.executable, SCRIPT, folder, str(games), str(calls)],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def still_there(processes: list[psutil.Process]) -> list[psutil.Process]:
    def is_alive(process):
        try:
            return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return False

    return [process for process in processes if is_alive(process)]


def workers_of(pid: int) -> list[psutil.Process]:
    children = psutil.Process(pid).children(recursive=True)
    return [child for child in children if "spawn_main" in " ".join(child.cmdline())]


def same_games(folder, games):
    """All games are stored, whole, and as if nothing had happened."""
    table = obtain(games, folder, lambda specs: pytest.fail("a game is missing"), progress=False)
    for i in (0, len(games) - 1):
        fresh = games[i].run()
        assert [str(table[name][i]) for name in ("moves", "calls1")] == [
            fresh["moves"],
            fresh["calls1"],
        ]
    return table


@pytest.mark.parametrize("how", ["Ctrl-C", "kill -9"])
def test_an_interrupted_run_is_gone_and_the_next_goes_on(tmp_path, how):
    with run(tmp_path) as process:
        wait_until(lambda: len(stored(tmp_path)) >= 2)
        everyone = psutil.Process(process.pid).children(recursive=True)
        assert len(workers_of(process.pid)) >= min(2, os.cpu_count())
        if how == "Ctrl-C":
            os.killpg(process.pid, signal.SIGINT)
        else:
            process.kill()
        _, shown = process.communicate(timeout=PATIENCE)
    wait_until(lambda: not still_there(everyone))
    assert process.returncode == (-signal.SIGINT if how == "Ctrl-C" else -signal.SIGKILL)
    assert shown.count("Traceback") == (1 if how == "Ctrl-C" else 0), shown
    before = stored(tmp_path)
    assert 2 <= len(before) < GAMES

    games = slow_games(GAMES, CALLS)
    left = missing_of(games, Store(tmp_path))
    assert len(left) == GAMES - len(before)
    played = []
    obtain(
        games, tmp_path, lambda specs: ((played.append(s), (s, s.run()))[1] for s in specs), False
    )
    assert played == left
    assert stored(tmp_path)[: len(before)] == before
    same_games(tmp_path, games)


def test_a_killed_worker_is_replaced_and_its_game_played_again(tmp_path):
    killed = []

    def with_an_accident(specs):
        for number, result in enumerate(local_results(specs, processes=2)):
            yield result
            if number == 0:
                victim = workers_of(os.getpid())[0]
                victim.kill()
                killed.append(victim.pid)

    games = slow_games(GAMES, CALLS)
    assert len(obtain(games, tmp_path, with_an_accident, progress=False)) == GAMES
    assert killed
    assert len(stored(tmp_path)) == GAMES
    same_games(tmp_path, games)
    wait_until(lambda: not still_there(workers_of(os.getpid())))


def _die(spec):
    os._exit(1)


def test_workers_that_always_die_are_no_endless_loop(monkeypatch):
    monkeypatch.setattr(runner, "_run", _die)
    monkeypatch.setattr(runner, "MAX_BREAKS", 1)
    with pytest.raises(RuntimeError, match=r"died 2 times .* Set HEROACADEMY_PROCESSES to fewer"):
        list(local_results(tiny_games(2), processes=2))


@contextmanager
def room_for(size: int):
    """No file may grow beyond a size: a write fails in its middle, as on a full disk."""
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, old[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)


@pytest.mark.parametrize("room", [10, 1500, 2500])  # a part of the header, of a row, of the next
def test_a_full_disk_leaves_the_file_as_it_was(tmp_path, room):
    games = tiny_games(6)
    rows = [(spec, spec.run()) for spec in games]
    closed = []

    def results(specs):
        try:
            yield from rows
        finally:
            closed.append(True)

    with room_for(room), pytest.raises(OSError, match="make room and run again") as failure:
        obtain(games, tmp_path, results, progress=False)
    assert failure.value.errno == errno.EFBIG
    assert "games/ap05-greedy-action-vs-random.csv" in str(failure.value)
    assert closed  # workers are told to stop
    kept = stored(tmp_path)  # a warning of a damaged line would be an error here
    assert len(kept) < len(games)
    (path,) = tmp_path.glob("**/*.csv")
    assert path.stat().st_size <= room
    obtain(games, tmp_path, lambda specs: (pair for pair in rows if pair[0] in specs), False)
    assert stored(tmp_path)[: len(kept)] == kept
    assert len(stored(tmp_path)) == 6


def test_two_runs_at_the_same_time_share_a_folder(tmp_path):
    games = slow_games(GAMES, CALLS)
    with run(tmp_path) as other:
        wait_until(lambda: stored(tmp_path))
        here = ((spec, spec.run()) for spec in reversed(games))
        obtain(games, tmp_path, lambda specs: here, progress=False)
        _, shown = other.communicate(timeout=PATIENCE)
    assert (other.returncode, shown) == (0, "")
    assert len(stored(tmp_path)) == GAMES
    same_games(tmp_path, games)


def test_lines_of_many_writers_do_not_mix(tmp_path):
    path = tmp_path / "a.csv"  # locks are of open files, so threads are kept apart by them too

    def write(name):
        for i in range(100):
            append_row(path, {"key": f"{name}-{i}", "text": "x" * 500})

    with ThreadPoolExecutor() as pool:
        writers = [pool.submit(write, name) for name in "abc"]
        while not all(writer.done() for writer in writers):
            if path.exists() and path.stat().st_size:
                read_rows(path)  # nor does one who reads see half a line
    assert [writer.result() for writer in writers] == [None] * 3
    assert len({row["key"] for row in read_rows(path)}) == 300


def test_a_dask_cluster_plays_the_same_games_though_a_worker_is_killed(tmp_path, monkeypatch):
    from distributed import LocalCluster

    games = slow_games(GAMES, CALLS)
    killed = []

    def kill_one(cluster):
        wait_until(lambda: stored(tmp_path))
        victim = next(iter(cluster.workers.values())).process.pid
        os.kill(victim, signal.SIGKILL)
        killed.append((victim, len(stored(tmp_path))))

    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True}
    with LocalCluster(dashboard_address=None, silence_logs="CRITICAL", **options) as cluster:
        monkeypatch.setenv(runner.DASK_VARIABLE, cluster.scheduler_address)
        monkeypatch.setattr(runner, "local_results", None)
        killer = threading.Thread(target=kill_one, args=(cluster,))
        killer.start()
        table = obtain(games, tmp_path, progress=False)
        killer.join()
    assert len(table) == GAMES
    assert killed[0][1] < GAMES
    same_games(tmp_path, games)
