"""The commands for games, replays and estimates; the tuning of horizons."""

import re

import pytest
from experiment_run import tiny_games
from test_project import ROOT

from heroacademy import cli
from heroacademy.agents.base import Budget
from heroacademy.agents.registry import agent_names, make_agent
from heroacademy.agents.simple import GreedyAction
from heroacademy.experiments import designs, estimates, horizons, replays, runner
from heroacademy.experiments.adaptive import games_to_come, playing
from heroacademy.experiments.catalogue import ADAPTIVE, EXPERIMENTS
from heroacademy.experiments.estimates import Pace
from heroacademy.experiments.profiles import experiment_names, profile_names, size
from heroacademy.experiments.runner import frame, obtain
from heroacademy.experiments.specs import GameSpec, Player, SearchSpec
from heroacademy.experiments.store import Store, append_row
from heroacademy.experiments.tuning import best_arm, next_round, successive_halving

QUICK_CALLS = 3_000_000  # in a game: a second or two


def here(specs, *_):
    """Plays in this process: there is no time to start others."""
    return ((spec, spec.run()) for spec in specs)


@pytest.fixture(autouse=True)
def _no_workers(monkeypatch):
    monkeypatch.setattr(runner, "local_results", here)
    monkeypatch.delenv(runner.DASK_VARIABLE, raising=False)


def command(capsys, *arguments):
    """Exit status, and what is printed."""
    status = cli.main([str(argument) for argument in arguments])
    shown = capsys.readouterr()
    return status, shown.out, shown.err


# --- games ----------------------------------------------------------------------------------


def test_every_experiment_of_every_profile_has_its_games():
    for profile in profile_names():
        assert {*EXPERIMENTS, *ADAPTIVE} == set(experiment_names(profile))
    for name, design in EXPERIMENTS.items():
        specs = design(size("quick", name))
        assert len(specs) == len(set(specs)) == len({spec.key for spec in specs})


def test_games_are_played_ahead_once(tmp_path, capsys, monkeypatch):
    ask = ("games", "--profile", "smoke", "--folder", tmp_path, "complexity", "characteristics")
    status, shown, progress = command(capsys, *ask)
    assert status == 0
    assert shown.startswith("complexity, smoke:\ncharacteristics, smoke:\nall results are in")
    assert "6/6" in progress
    searches = 2 * len(designs.PAPER_AGENTS)
    assert f"{searches}/{searches}" in progress
    monkeypatch.setattr(runner, "local_results", lambda *_: pytest.fail("played again"))
    status, again, progress = command(capsys, *ask)
    assert (status, again, progress) == (0, shown, "")


def test_unknown_experiments_are_named(tmp_path, capsys):
    status, _, error = command(capsys, "games", "--folder", tmp_path, "table3")
    assert status == 2
    assert error.startswith("error: unknown experiment 'table3': use one of table2, figure5")


# --- horizons -------------------------------------------------------------------------------


def test_halving_asks_for_what_may_still_win():
    assert next_round([], range(5), 3, 100) == ([0, 1, 2, 3, 4], 4)
    rounds = successive_halving(range(9), 10, 30, lambda arms, games: {a: a % 4 for a in arms})
    assert [(r.arms, r.games) for r in rounds] == [
        (tuple(range(9)), 10),
        ((1, 2, 3, 6, 7), 20),
        ((2, 3, 7), 30),
    ]
    assert best_arm(rounds) == 3  # the first of equals
    assert len(successive_halving([7], 10, 30, lambda arms, games: {7: 0.5})) == 1


def test_horizons_are_tuned_and_their_winners_played(tmp_path):
    small = size("smoke", "horizon")
    expected = games_to_come(horizons.tune_horizons, small, Store(tmp_path))
    play = playing(tmp_path, results=here, progress=False)
    rounds = horizons.tune_horizons(small, play)
    assert {points: rounds[points][0].arms for points in rounds} == {
        2: (2, 3, 4, 5),
        3: (3, 4, 5, 6),
    }
    assert [[r.games for r in of_points] for of_points in rounds.values()] == [[2, 4], [2, 4]]
    played = Store(tmp_path).load_all()
    assert len(played) == len(expected)  # the count is known beforehand, the games are not
    assert {row["starts"] for row in played} == {"report", "tune"}
    nobody = {"results": lambda specs: pytest.fail("played again"), "progress": False}
    assert horizons.tune_horizons(small, playing(tmp_path, **nobody)) == rounds
    winners = obtain(horizons.winners_games(small, rounds), tmp_path, **nobody)
    assert len(winners) == 2 * small.games
    known = games_to_come(horizons.tune_horizons, small, Store(tmp_path))
    assert {game.key for game in known} == {row["key"] for row in played}
    for points, of_points in rounds.items():
        games = winners[winners["action_points"] == points]
        options = set(games[games["agent1"] == "fh-emcts"]["options1"])
        assert [f'"horizon": {best_arm(of_points)}' in text for text in options] == [True]


def test_all_results_of_the_committed_profile_are_stored():
    """So `make figures` in a fresh clone plays nothing."""
    store = Store(ROOT / "data" / "standard")
    for name in experiment_names("standard"):
        of_profile = size("standard", name)
        specs = (
            games_to_come(ADAPTIVE[name], of_profile, store)
            if name in ADAPTIVE
            else EXPERIMENTS[name](of_profile)
        )
        assert runner.missing_of(specs, store) == [], name


# --- replays --------------------------------------------------------------------------------


def small_store(folder):
    for spec in [*tiny_games(4), *tiny_games(2, 200, ("oep", "random"))]:
        append_row(folder / spec.file, spec.run())


def test_games_replay_the_same(tmp_path, capsys):
    small_store(tmp_path)
    status, shown, _ = command(capsys, "replay", "--folder", tmp_path, "--games", 20, "--seed", 1)
    assert status == 0
    assert shown.count("the same |") == 6
    assert "6 of 6 games are the same (seed 1)" in shown


def test_committed_games_replay_the_same(capsys):
    """A few short ones; which ones differs from run to run."""
    limits = ("--games", 4, "--max-calls", QUICK_CALLS)
    status, shown, _ = command(capsys, "replay", *limits)
    assert status == 0, shown


def test_a_committed_game_of_every_agent_replays_the_same():
    """The one with the fewest calls."""
    rows = [
        row
        for row in Store(ROOT / "data" / "standard").load_all("games/*.csv")
        if replays.is_repeatable(row)
    ]
    rows.sort(key=replays.calls_of)
    shortest = {}
    for name in agent_names():
        row = next(row for row in rows if name in (row["agent1"], row["agent2"]))
        shortest[row["key"]] = row
    again = replays.replay(list(shortest.values()), here, progress=False)
    assert [replay.difference() for replay in again] == [""] * len(again)


def test_an_agent_that_plays_otherwise_is_caught(tmp_path, capsys, monkeypatch):
    small_store(tmp_path)
    other = make_agent("random")
    monkeypatch.setattr(
        GreedyAction, "plan", lambda self, state, budget, seed=0: other.plan(state, budget, seed)
    )
    status, shown, _ = command(capsys, "replay", "--folder", tmp_path, "--games", 20)
    assert status == 1
    assert re.search(r"differs from action \d+ of \d+ on: stored is \w.*, played now \w", shown)
    assert "2 of 6 games are the same" in shown
    assert "raise the version" in shown


def test_a_change_of_calls_alone_is_caught():
    row = tiny_games(2)[0].run()
    assert replays.Replay(row, row).difference() == ""
    other = row | {"calls2": "9"}
    assert replays.Replay(row, other).difference().startswith("calls2 is stored as")
    longer = row | {"moves": row["moves"] + "AAA"}
    assert "played now E" in replays.Replay(row, longer).difference()
    assert "stored is the end" in replays.Replay(row, longer).difference()


@pytest.mark.parametrize(
    "change", [{"rules": "0"}, {"version1": "0"}, {"agent2": "gone"}, {"seconds2": "1.0"}]
)
def test_games_of_other_versions_or_of_seconds_are_not_repeatable(change):
    row = tiny_games(2)[0].run()
    assert replays.is_repeatable(row)
    assert not replays.is_repeatable(row | change)


def test_committed_games_are_of_todays_versions():
    """Those of earlier ones would never be asked for, nor can they be repeated."""
    rows = Store(ROOT / "data" / "standard").load_all("games/*.csv")
    old = [
        row["key"] for row in rows if not all(p.is_current for p in GameSpec.from_row(row).players)
    ]
    assert old == []


def test_a_sample_depends_on_its_seed_and_limit_alone(tmp_path):
    small_store(tmp_path)
    picked = replays.sample(tmp_path, 3, 1)
    assert picked == replays.sample(tmp_path, 3, 1) != replays.sample(tmp_path, 3, 2)
    fewest = min(map(replays.calls_of, Store(tmp_path).load_all()))
    assert {replays.calls_of(r) for r in replays.sample(tmp_path, 9, 1, fewest)} == {fewest}
    with pytest.raises(ValueError, match="holds no games that can be repeated"):
        replays.sample(tmp_path / "empty", 3, 1)


# --- estimates ------------------------------------------------------------------------------


def counts(shown, name):
    return [int(n) for n in re.search(rf"\| {name} \| (\d+) \| (\d+) \| (\d+) \|", shown).groups()]


def test_an_estimate_counts_what_is_stored_and_missing(tmp_path, capsys):
    status, shown, _ = command(capsys, "estimate", "--profile", "smoke", "--folder", tmp_path)
    assert status == 0
    assert counts(shown, "complexity") == [6, 0, 6]
    assert counts(shown, "horizon") == [32, 0, 32]
    command(capsys, "games", "--profile", "smoke", "--folder", tmp_path, "complexity")
    _, shown, _ = command(capsys, "estimate", "--profile", "smoke", "--folder", tmp_path)
    assert counts(shown, "complexity") == [6, 6, 0]
    assert counts(shown, "budgets") == [20, 6, 14]  # which has some games in common
    assert sum(counts(shown, "all, shared ones once")[1:]) == counts(shown, "all.*once")[0]
    assert "| complexity | 6 | 6 | 0 | 0 s |" in shown


def game(agents, calls, took, turns, budget=1000, points=5):
    """A row as if it had been played."""
    (spec, _) = tiny_games(2, budget, agents, turns=200)
    row = dict.fromkeys(runner.game_columns(), "") | spec.columns()
    row |= {"turns": str(turns), "action_points": str(points)}
    for i in (1, 2):
        row |= {f"calls{i}": str(calls[i - 1]), f"took{i}": str(took[i - 1])}
    return row


def test_times_follow_from_stored_games():
    # 20 turns of each: oep takes 1 ms a call and all its calls, random 1 s a call and 5 calls
    pace = Pace([game(("oep", "random"), (20_000, 100), (20, 100), 40)])
    for calls, expected in [(1000, 20 * (1 + 5)), (3000, 20 * (3 + 5)), (2, 20 * (0.002 + 0.01))]:
        (spec, _) = tiny_games(2, calls, ("random", "oep"), turns=200)
        assert pace.seconds(spec) == pytest.approx(expected)
    (short, _) = tiny_games(2, 1000, ("random", "oep"), turns=10)
    assert pace.seconds(short) == pytest.approx(5 * 6)
    search = SearchSpec(0, Player.of("oep", Budget(seconds=7)))
    assert pace.seconds(search) == 7
    assert pace.seconds(SearchSpec(0, Player.of("random", Budget(seconds=7)))) == pytest.approx(5)


def test_times_follow_from_the_games_that_are_most_alike():
    both = ("oep", "oep")
    pace = Pace(
        [
            game(both, (10_000, 10_000), (10, 10), 20, budget=1000, points=5),
            game(both, (30_000, 30_000), (60, 60), 20, budget=3000, points=5),
            game(both, (30_000, 30_000), (120, 120), 20, budget=3000, points=1),
        ]
    )
    for points, budget, milliseconds in [(5, 1000, 1), (5, 3000, 2), (1, 1000, 4), (1, 3000, 4)]:
        (spec, _) = tiny_games(2, budget, both, turns=200, points=points)
        assert pace.seconds(spec) == pytest.approx(20 * budget * milliseconds / 1000)


def test_times_are_those_of_this_machine(monkeypatch):
    """Stored games took 1 ms a call for one agent and 4 for the other; here both take 2."""
    monkeypatch.setattr(estimates, "_measured", lambda agent: (0.002, 1000, 1.0))
    calls = estimates.MEASURED_CALLS
    rows = [
        game((name, name), (10 * calls,) * 2, (10 * calls * seconds,) * 2, 20, budget=calls)
        for name, seconds in [("oep", 0.001), ("emcts", 0.004), ("bb-mcts", 0.001)]
    ]
    pace = Pace(rows)
    (spec, _) = tiny_games(2, calls, ("oep", "oep"), turns=200)
    stored = pace.seconds(spec)
    pace.measure(["oep", "emcts", "bb-mcts", "ntboe"])
    assert pace.ratio == pytest.approx(2)
    assert pace.seconds(spec) == pytest.approx(2 * stored)
    (unknown, _) = tiny_games(2, calls, ("ntboe", "ntboe"), turns=200)
    assert pace.seconds(unknown) == pytest.approx(20 * calls * 0.002)  # not scaled twice


def test_without_stored_games_speed_is_measured(monkeypatch):
    monkeypatch.setattr(estimates, "MEASURED_CALLS", 1000)
    pace = Pace([])
    (spec, _) = tiny_games(2, 10_000, ("oep", "greedy-action"), turns=200)
    assert 0 < pace.seconds(spec) < 60
    assert len(frame([])) == len(pace.games) == 0
