"""Command line: `python -m heroacademy`."""

from __future__ import annotations

import argparse
import sys
import time

from heroacademy import bench
from heroacademy.config import DRAWS, GameConfig
from heroacademy.engine import tables
from heroacademy.engine.playout import perft
from heroacademy.errors import in_range
from heroacademy.state import State, new_game
from heroacademy.warmup import warm_up


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m heroacademy", description="Hero Academy as a testbed for planning."
    )
    commands = parser.add_subparsers(required=True, metavar="command")

    show = commands.add_parser("show", help="draw a position from its text form, or a new game")
    show.add_argument("text", nargs="?", help="text form of a state; - reads it from stdin")
    show.add_argument("--picture", metavar="FILE", help="write a picture (.png, .svg, .pdf)")
    _add_game_options(show)
    show.set_defaults(run=_show)

    counts = commands.add_parser("perft", help="count the action sequences to a depth")
    counts.add_argument("depth", type=int)
    counts.add_argument("text", nargs="?", help="text form of a state; - reads it from stdin")
    _add_game_options(counts)
    counts.set_defaults(run=_perft)

    speed = commands.add_parser("bench", help="measure the engine's speed")
    speed.add_argument(
        "--rounds", type=_at_least_1, default=30, help="runs of each row (default 30)"
    )
    speed.add_argument(
        "--no-start", dest="start", action="store_false", help="leave out the start of a process"
    )
    speed.set_defaults(run=lambda options: bench.run(options.rounds, options.start))

    warm = commands.add_parser("warm-up", help="compile everything ahead of its first use")
    warm.set_defaults(run=lambda options: warm_up())
    return parser


def _at_least_1(text: str) -> int:
    return in_range("number", int(text), 1, 10**6)


def _add_game_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, default=0, help="seed of a new game (default 0)")
    parser.add_argument("--map", choices=tables.MAPS, default="a")
    parser.add_argument("--deck", choices=tables.DECKS, default="standard")
    parser.add_argument("--ap", type=int, default=5, help="action points of a turn (default 5)")
    parser.add_argument("--draws", choices=DRAWS, default="deterministic")


def _state(options: argparse.Namespace) -> State:
    if options.text is not None:
        return State.from_text(sys.stdin.read() if options.text == "-" else options.text)
    config = GameConfig(
        map=options.map, deck=options.deck, action_points=options.ap, draws=options.draws
    )
    return new_game(config, options.seed)


def _show(options: argparse.Namespace) -> None:
    state = _state(options)
    print(state)
    print(state.to_text())
    if options.picture:
        from heroacademy.drawing import plot_state

        plot_state(state).figure.savefig(options.picture, dpi=150, bbox_inches="tight")


def _perft(options: argparse.Namespace) -> None:
    if options.depth < 0:
        raise ValueError(f"depth is {options.depth}: use 0 or more")
    state = _state(options)
    print("depth  sequences  seconds")
    for depth in range(options.depth + 1):
        start = time.perf_counter()
        sequences = perft(state.config.game, state.array, depth)
        print(f"{depth:5}  {sequences:9}  {time.perf_counter() - start:.2f}", flush=True)


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0
