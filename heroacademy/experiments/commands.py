"""The commands `games`, `replay` and `estimate` of `python -m heroacademy`."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterable, Sequence

from heroacademy.errors import one_of
from heroacademy.experiments.adaptive import games_to_come, playing
from heroacademy.experiments.catalogue import ADAPTIVE, EXPERIMENTS
from heroacademy.experiments.designs import ONE_PLAN
from heroacademy.experiments.estimates import Pace, duration
from heroacademy.experiments.profiles import experiment_names, size
from heroacademy.experiments.replays import replay, sample
from heroacademy.experiments.runner import PROJECT, AnySpec, missing_of, obtain, processes_here
from heroacademy.experiments.specs import Row
from heroacademy.experiments.store import Store
from heroacademy.warmup import warm_up


def data_folder(profile: str, folder: str | None = None) -> str:
    return folder or f"data/{profile}"


def _chosen(profile: str, names: Sequence[str]) -> list[str]:
    known = experiment_names(profile)
    return [one_of("experiment", name, known) for name in names] or known


def play_games(profile: str, names: Sequence[str] = (), folder: str | None = None) -> None:
    """Play what experiments will ask for and is not stored."""
    folder = data_folder(profile, folder)
    for name in _chosen(profile, names):
        print(f"{name}, {profile}:", flush=True)
        if name in ADAPTIVE:
            ADAPTIVE[name](size(profile, name), playing(folder))
        else:
            obtain(EXPERIMENTS[name](size(profile, name)), folder)
    print(f"all results are in {folder}")


def play_again(
    profile: str,
    games: int,
    seed: int | None = None,
    max_calls: int | None = None,
    folder: str | None = None,
) -> int:
    """Repeat some stored games and print how they compare; returns the exit status."""
    seed = random.randrange(10**6) if seed is None else seed
    folder = data_folder(profile, folder)
    replays = replay(sample(folder, games, seed, max_calls))
    print("| game | player 1 | player 2 | AP | start | turns | winner | played again |")
    print("|---|---|---|---|---|---|---|---|")
    for again in replays:
        row, result = again.stored, again.difference() or "the same"
        players = " | ".join(_player(row, i) for i in "12")
        start = f"{row['starts']} {row['start']}"
        place = f"{row['action_points']} | {start} | {row['turns']} | {row['winner']}"
        print(f"| {row['key']} | {players} | {place} | {result} |")
    different = [again.stored["key"] for again in replays if again.difference()]
    print(f"\n{len(replays) - len(different)} of {len(replays)} games are the same (seed {seed})")
    if different:
        print(
            f"different: {', '.join(different)}; if that is meant, raise the version of the agent"
        )
    return 1 if different else 0


def _player(row: Row, i: str) -> str:
    horizon = json.loads(row[f"options{i}"]).get("horizon")
    return f"{row[f'agent{i}']}{f' h={horizon}' if horizon else ''}, {int(row[f'fm_calls{i}']):,}"


def print_estimate(profile: str, names: Sequence[str] = (), folder: str | None = None) -> None:
    """Print how many results are missing and how long they will take here."""
    store = Store(PROJECT / data_folder(profile, folder))
    pace = Pace(_all_games(store))
    cores = processes_here() or os.cpu_count()
    asked = {name: _asked(profile, name, store) for name in _chosen(profile, names)}
    everything = list(dict.fromkeys(spec for specs in asked.values() for spec in specs))
    pace.measure(_searching(missing_of(everything, store)))
    print("| experiment | results | stored | missing | time here |\n|---|---|---|---|---|")
    for name, specs in asked.items():
        _print_line(name, specs, store, pace, cores)
    _print_line("all, shared ones once", everything, store, pace, cores)
    print(f"\ntimes are for {cores} processes, from {len(pace.games)} stored games", end="")
    if pace.ratio is None:
        print()
    else:
        print(f"; a call takes {pace.ratio:.2f} times as long here as in those, measured just now")


def _searching(specs: Iterable[AnySpec]) -> list[str]:
    """The agents of games and searches that use what budget they are given, compiled."""
    players = (player for spec in specs for player in spec.parties.values())
    names = [name for name in dict.fromkeys(p.agent for p in players) if name not in ONE_PLAN]
    warm_up(agents=names)
    return names


def _print_line(name: str, specs: Sequence[AnySpec], store: Store, pace: Pace, cores: int) -> None:
    missing = missing_of(specs, store)
    time = duration(sum(map(pace.seconds, missing)) / cores)
    print(f"| {name} | {len(specs)} | {len(specs) - len(missing)} | {len(missing)} | {time} |")


def _asked(profile: str, name: str, store: Store) -> list[AnySpec]:
    of_profile = size(profile, name)
    if name in ADAPTIVE:
        return games_to_come(ADAPTIVE[name], of_profile, store)
    return list(dict.fromkeys(EXPERIMENTS[name](of_profile)))


def _all_games(store: Store) -> list[Row]:
    """The stored games of every profile, and of this store."""
    folders = {*(PROJECT / "data").glob("*/"), store.folder}
    return [row for folder in sorted(folders) for row in Store(folder).load_all("games/*.csv")]
