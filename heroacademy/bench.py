"""How fast the engine is here, beside what others measured.

Timings on a shared machine are noisy: every row is the best of many short runs, and all rows
are interleaved, so that a slow moment hits them alike.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from importlib import resources

import numpy as np
from tqdm.auto import tqdm

from heroacademy.config import GameConfig
from heroacademy.engine import evaluation, timing
from heroacademy.state import State

# What the reference program (Java 17, same kind of machine) reaches, calls a second.
REFERENCE = {
    "random playouts, actions": 0.41e6,
    "legal actions, lists": 0.56e6,
    "evaluations": 2.4e6,
    "copies": 1.6e6,
}


def positions() -> list[State]:
    """60 mid-game positions at the start of a turn, 30 for each player."""
    text = resources.files("heroacademy").joinpath("positions.json").read_text()
    return [State.from_dict(data, GameConfig()) for data in json.loads(text)]


CALLS = {
    "random playouts, actions": timing.playout,
    "legal actions, lists": timing.plain_list,
    "legal actions pruned and rated, lists": timing.rated_list,
    "legality tests": timing.legality,
    "apply, with a copy": timing.apply_to_copy,
    "copies": timing.copy,
    "evaluations": timing.evaluation,
    "hashes": timing.hashing,
}
PLAYOUTS = "random playouts, actions"  # the one call that counts for many


def _measure(states: list[State], rounds: int) -> dict[str, float]:
    """Best seconds per call of each row."""
    rng = np.random.default_rng(0)
    legal = [[action.code for action in state.legal_actions()] for state in states]
    arguments = (
        states[0].config.game,
        np.array([state.array for state in states]),
        np.array([[rng.choice(codes) for codes in legal] for _ in range(8)]),
        evaluation.weights_array("aicademy"),
        timing.new_buffers(),
    )
    loops = {name: timing.repeating(call) for name, call in CALLS.items()}
    for loop in tqdm(loops.values(), desc="compiling", leave=False):
        loop(*arguments, 1)
    best = dict.fromkeys(loops, np.inf)
    for _ in tqdm(range(rounds), desc="measuring", leave=False):
        for name, loop in loops.items():
            repeats = 3 if name == PLAYOUTS else 300
            start = time.perf_counter()
            total = loop(*arguments, repeats)
            seconds = time.perf_counter() - start
            calls = total if name == PLAYOUTS else repeats * len(states)
            best[name] = min(best[name], seconds / calls)
    return best


def _start_seconds(cache: str) -> float:
    """Seconds that a new process takes to be ready, with a given cache of compiled code."""
    code = "import heroacademy; heroacademy.warm_up(progress=False)"
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", code], check=True, env=os.environ | {"NUMBA_CACHE_DIR": cache}
    )
    return time.perf_counter() - start


def run(rounds: int = 30, start: bool = True) -> None:
    """Print the table; with `start`, also how long a process takes to be ready."""
    states = positions()
    actions = np.mean([len(state.legal_actions()) for state in states])
    print(f"{len(states)} mid-game positions, {actions:.0f} legal actions on average, one thread\n")
    print(f"| {'':38}| ns a call | calls a second | reference program (Java) | times faster |")
    print("|---|---|---|---|---|")
    for name, seconds in _measure(states, rounds).items():
        rate = 1 / seconds
        reference = REFERENCE.get(name)
        beside = f"{reference / 1e6:.2f} M | {rate / reference:.0f}" if reference else " | "
        print(f"| {name:38}| {seconds * 1e9:.1f} | {rate / 1e6:.2f} M | {beside} |")
    if not start:
        return
    with tempfile.TemporaryDirectory() as cache:
        cold = _start_seconds(cache)
        warm = min(_start_seconds(cache) for _ in range(3))
    print(f"\na process that compiles everything: {cold:.1f} s; from the cache: {warm:.2f} s")
