"""How fast the engine is here, beside what others measured.

Timings on a shared machine are noisy: they are of the processor time that this thread got, every
row is the best of many short runs, and all rows are interleaved, so that a slow moment hits them
alike.
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

from heroacademy.agents.base import Budget
from heroacademy.agents.games import play_turns
from heroacademy.agents.mcts import ENHANCEMENTS
from heroacademy.agents.registry import make_agent
from heroacademy.config import GameConfig
from heroacademy.engine import evaluation, timing
from heroacademy.state import State, new_game
from heroacademy.warmup import warm_up

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
REPEATS = 1500  # of all positions a run: Python's share of a run is then nothing
PLAYOUT_REPEATS = 5
AGENT_ROUNDS = 5


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
            repeats = PLAYOUT_REPEATS if name == PLAYOUTS else REPEATS
            start = time.thread_time()
            total = loop(*arguments, repeats)
            seconds = time.thread_time() - start
            calls = total if name == PLAYOUTS else repeats * len(states)
            best[name] = min(best[name], seconds / calls)
    best["apply, without the copy"] = best["apply, with a copy"] - best["copies"]
    return best


# What the reference program reaches with the agents, a second.
AGENT_REFERENCE = {
    "oep, generations": 1.2e3,
    "oep, generations, niches": None,
    "oep, generations, tabu": None,
    "greedy-oep, generations": None,
    "vanilla-mcts, iterations": 0.07e6,
    "vanilla-mcts, iterations, 250,000 of them": None,
    "nonexploring-mcts, iterations": 0.044e6,
    "bb-mcts, iterations": 0.060e6,
    "greedy-turn, unique outcomes": 0.15e6,
    "emcts, evaluated plans": None,
    "fh-emcts, evaluated plans": None,
    "fh-oep, evaluated plans": None,
    "co-oep, evaluated plans": None,
    "ntboe, iterations": None,
}
_CALLS = {"vanilla-mcts, iterations, 250,000 of them": 1_600_000}
_OPTIONS = {
    "greedy-turn, unique outcomes": {"count_outcomes": True},
    "oep, generations, niches": {"diversity": "niches"},
    "oep, generations, tabu": {"diversity": "tabu"},
}
_COUNTED = {
    "generations": "generations",
    "iterations": "iterations",
    "unique outcomes": "unique_outcomes",
    "evaluated plans": "evaluated",
}


def _measure_agents(states: list[State]) -> dict[str, tuple[float, float]]:
    """Best rates of each agent over some positions: what it counts, and calls, a second."""
    best = dict.fromkeys(AGENT_REFERENCE, (0.0, 0.0))
    for _ in tqdm(range(AGENT_ROUNDS), desc="measuring agents", leave=False):
        for row in best:
            name, counted, *_ = row.split(", ")
            budget = Budget(fm_calls=_CALLS.get(row, 130_000))
            agent = make_agent(name, **_OPTIONS.get(row, {}))
            start = time.thread_time()
            plans = [agent.plan(s, budget, seed=1).stats for s in states[::12]]
            seconds = time.thread_time() - start
            rates = (sum(stats[key] for stats in plans) / seconds
                     for key in (_COUNTED[counted], "fm_calls"))  # fmt: skip
            best[row] = max(best[row], tuple(rates))
    return best


def _print_agents(states: list[State]) -> None:
    print("\n| agents, 130,000 calls a search | a second | calls | reference | times faster |")
    print("|---|---|---|---|---|")
    for name, (rate, calls) in _measure_agents(states).items():
        reference = AGENT_REFERENCE[name]
        beside = f"{reference:,.0f} | {rate / reference:.0f}" if reference else " | "
        print(f"| {name} | {rate:,.0f} | {calls / 1e6:.1f} M | {beside} |")


# Tree reuse needs a game, and finds its states again if turns are short.
SUCCESSIVE = {"tree reuse"}
FEW_POINTS = GameConfig(action_points=1)
SUCCESSIVE_TURNS = 6


def successive_turns(calls: int) -> list[State]:
    """The states before each of player 1's first turns in a game of short turns."""
    agent, turns = make_agent("vanilla-mcts"), [new_game(FEW_POINTS)]
    for _, state, _ in play_turns(FEW_POINTS, {1: agent, 2: agent}, Budget(fm_calls=calls)):
        if state.player == turns[0].player:
            turns.append(state)
        if len(turns) == SUCCESSIVE_TURNS:
            return turns
    raise ValueError(f"a game of fewer than {SUCCESSIVE_TURNS} turns a player: use more calls")


def _iteration_cost(options: dict, games: list[list[State]], calls: int) -> float:
    """Nanoseconds an iteration of MCTS in searches of the turns of games."""
    iterations, start = 0, time.thread_time()
    for turns in games:
        player = make_agent("vanilla-mcts", **options).for_game()
        for state in turns:
            iterations += player.plan(state, Budget(fm_calls=calls), seed=1).stats["iterations"]
    return 1e9 * (time.thread_time() - start) / iterations


def enhancement_costs(
    states: list[State], calls: int = 50_000, rounds: int = 3
) -> dict[str, tuple[float, float]]:
    """Best nanoseconds an iteration of MCTS with each enhancement, and without on the same turns.

    The turns are the positions, one by one, or successive ones where the enhancement needs them.
    """
    together = {k: v for options in ENHANCEMENTS.values() for k, v in options.items()}
    single, successive = [[state] for state in states], [successive_turns(calls)]
    best: dict[str, tuple[float, float]] = {}
    for _ in tqdm(range(rounds), desc="measuring enhancements", leave=False):
        for name, options in (ENHANCEMENTS | {"all": together}).items():
            games = successive if name in SUCCESSIVE else single
            costs = tuple(_iteration_cost(tried, games, calls) for tried in (options, {}))
            best[name] = tuple(map(min, best.get(name, costs), costs))
    return best


def _print_enhancements(states: list[State]) -> None:
    print("\n| vanilla-mcts with | ns an iteration | without | ratio |")
    print("|---|---|---|---|")
    for name, (cost, plain) in enhancement_costs(states[::12]).items():
        print(f"| {name} | {cost:,.0f} | {plain:,.0f} | {cost / plain:.2f} |")
    print(
        f"\nSearches of single turns; of {', '.join(SUCCESSIVE)}: {SUCCESSIVE_TURNS} successive "
        "turns of a game with 1 action point."
    )


def _start_seconds(cache: str) -> float:
    """Seconds that a new process takes to be ready, with a given cache of compiled code."""
    code = "import heroacademy; heroacademy.warm_up(agents=True, progress=False)"
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", code], check=True, env=os.environ | {"NUMBA_CACHE_DIR": cache}
    )
    return time.perf_counter() - start


def run(rounds: int = 30, start: bool = True) -> None:
    """Print the table; with `start`, also how long a process takes to be ready."""
    states = positions()
    actions = np.mean([len(state.legal_actions()) for state in states])
    print(f"{len(states)} mid-game positions, {actions:.0f} legal actions on average")
    print("one thread, processor time\n")
    print(f"| {'':38}| ns a call | calls a second | reference program (Java) | times faster |")
    print("|---|---|---|---|---|")
    for name, seconds in _measure(states, rounds).items():
        rate = 1 / seconds
        reference = REFERENCE.get(name)
        beside = f"{reference / 1e6:.2f} M | {rate / reference:.0f}" if reference else " | "
        print(f"| {name:38}| {seconds * 1e9:.1f} | {rate / 1e6:.2f} M | {beside} |")
    warm_up(agents=True)
    _print_agents(states)
    _print_enhancements(states)
    if not start:
        return
    with tempfile.TemporaryDirectory() as cache:
        cold = _start_seconds(cache)
        warm = min(_start_seconds(cache) for _ in range(3))
    print(f"\na process that compiles everything: {cold:.1f} s; from the cache: {warm:.2f} s")
