"""Command line: `python -m heroacademy`."""

from __future__ import annotations

import argparse
import sys
import time

from heroacademy import bench, strength
from heroacademy.agents.base import Budget
from heroacademy.agents.games import play_turns
from heroacademy.agents.matches import match
from heroacademy.agents.records import save_records
from heroacademy.agents.registry import agent_names, describe_agent, make_agent, summary_of
from heroacademy.config import DRAWS, GameConfig
from heroacademy.engine import tables
from heroacademy.engine.playout import perft
from heroacademy.errors import in_range
from heroacademy.experiments.profiles import profile_names
from heroacademy.state import State, new_game
from heroacademy.warmup import warm_up


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m heroacademy", description="Hero Academy as a testbed for planning."
    )
    commands = parser.add_subparsers(required=True, metavar="command")
    _add_positions(commands)
    _add_games(commands)
    _add_experiments(commands)
    _add_machine(commands)
    return parser


def _add_positions(commands: argparse._SubParsersAction) -> None:
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


def _add_games(commands: argparse._SubParsersAction) -> None:
    agents = commands.add_parser("agents", help="list the agents, or describe some")
    agents.add_argument("names", nargs="*")
    agents.set_defaults(run=_agents)

    game = commands.add_parser("play", help="show a game between two agents, turn by turn")
    _add_match_options(game)
    game.set_defaults(run=_play)

    series = commands.add_parser("match", help="play many games and print the score")
    _add_match_options(series)
    series.add_argument("--games", type=_at_least_1, default=20, help="default 20")
    series.add_argument(
        "--processes", type=_at_least_1, help="how many play (default: one for each core)"
    )
    series.set_defaults(run=_match)

    strong = commands.add_parser("strength", help="a round robin of the OEP paper's agents")
    strong.add_argument("names", nargs="*", default=strength.PAPER_AGENTS, help="agents to play")
    strong.add_argument("--fm-calls", type=_at_least_1, default=100_000, help="default 100,000")
    strong.add_argument("--games", type=_at_least_1, default=20, help="a pair (default 20)")
    strong.set_defaults(run=lambda o: strength.run(o.names, o.fm_calls, o.games))


def _add_machine(commands: argparse._SubParsersAction) -> None:
    speed = commands.add_parser("bench", help="measure the engine's speed")
    speed.add_argument(
        "--rounds", type=_at_least_1, default=30, help="runs of each row (default 30)"
    )
    speed.add_argument(
        "--no-start", dest="start", action="store_false", help="leave out the start of a process"
    )
    speed.set_defaults(run=lambda options: bench.run(options.rounds, options.start))

    warm = commands.add_parser("warm-up", help="compile everything ahead of its first use")
    warm.set_defaults(run=lambda options: warm_up(agents=True))


def _add_experiments(commands: argparse._SubParsersAction) -> None:
    games = commands.add_parser("games", help="play what experiments need and is not stored yet")
    replay = commands.add_parser("replay", help="play stored games again and compare")
    estimate = commands.add_parser(
        "estimate", help="how many games are missing, how long they take"
    )
    for parser in (games, replay, estimate):
        parser.add_argument("--profile", choices=profile_names(), default="standard")
        parser.add_argument("--folder", help="of the results (default data/PROFILE)")
    for parser in (games, estimate):
        parser.add_argument("experiments", nargs="*", help="default: all of the profile")
    replay.add_argument("--games", type=_at_least_1, default=20, help="default 20")
    replay.add_argument("--seed", type=int, help="of the sample (default: another every time)")
    replay.add_argument("--max-calls", type=int, help="leave out games with more calls in all")
    games.set_defaults(run=_games)
    replay.set_defaults(run=_replay)
    estimate.set_defaults(run=_estimate)


def _at_least_1(text: str) -> int:
    number = int(text) if text.isdecimal() else text
    try:
        return in_range("it", number, 1, 10**6)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _add_game_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=int, default=0, help="seed of a new game (default 0)")
    parser.add_argument("--map", choices=tables.MAPS, default="a")
    parser.add_argument("--deck", choices=tables.DECKS, default="standard")
    parser.add_argument("--ap", type=int, default=5, help="action points of a turn (default 5)")
    parser.add_argument("--draws", choices=DRAWS, default="deterministic")


def _add_match_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("first", help="player 1: a name that `agents` lists")
    parser.add_argument("second", help="player 2")
    parser.add_argument("--fm-calls", type=int, help="forward-model calls a turn")
    parser.add_argument("--seconds", type=float, help="seconds a turn")
    parser.add_argument("--save", metavar="FILE", help="append the records as JSON lines")
    _add_game_options(parser)


def _config(options: argparse.Namespace) -> GameConfig:
    return GameConfig(
        map=options.map, deck=options.deck, action_points=options.ap, draws=options.draws
    )


def _budget(options: argparse.Namespace) -> Budget:
    if options.fm_calls is None and options.seconds is None:
        raise ValueError("agents need a budget: add --fm-calls 50000 or --seconds 1")
    return Budget(options.fm_calls, options.seconds)


def _state(options: argparse.Namespace) -> State:
    if options.text is not None:
        return State.from_text(sys.stdin.read() if options.text == "-" else options.text)
    return new_game(_config(options), options.seed)


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


def _play(options: argparse.Namespace) -> None:
    agents = {1: make_agent(options.first), 2: make_agent(options.second)}
    budget = _budget(options)
    warm_up(agents=[options.first, options.second])
    record = None
    for plan, state, record in play_turns(  # noqa: B007 - the last one is saved
        _config(options), agents, budget, options.seed
    ):
        print(" | ".join(map(str, plan.actions)))
        print(f"value {plan.value:.0f}, {plan.stats.get('fm_calls')} calls\n")
        print(state, end="\n\n", flush=True)
    if options.save:
        save_records([record], options.save)


def _match(options: argparse.Namespace) -> None:
    first, second = make_agent(options.first), make_agent(options.second)
    budget = _budget(options)
    warm_up(agents=[options.first, options.second])
    score = match(
        _config(options), first, second, budget, options.games, options.seed, options.processes
    )
    print(f"{options.first} against {options.second}: {score}")
    if options.save:
        save_records(score.records, options.save)


def _agents(options: argparse.Namespace) -> None:
    if options.names:
        print("\n\n".join(map(describe_agent, options.names)))
    else:
        print("\n".join(f"{name}: {summary_of(name)}" for name in agent_names()))


def _games(options: argparse.Namespace) -> None:
    from heroacademy.experiments import commands

    commands.play_games(options.profile, options.experiments, options.folder)


def _replay(options: argparse.Namespace) -> int:
    from heroacademy.experiments import commands

    return commands.play_again(
        options.profile, options.games, options.seed, options.max_calls, options.folder
    )


def _estimate(options: argparse.Namespace) -> None:
    from heroacademy.experiments import commands

    commands.print_estimate(options.profile, options.experiments, options.folder)


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        return options.run(options) or 0
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
