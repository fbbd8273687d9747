"""Specs, the store and what is asked of them: what is stored is not played again."""

import json
import warnings
from dataclasses import dataclass, replace

import pandas as pd
import pytest
from experiment_run import tiny_games

from heroacademy.agents import registry
from heroacademy.agents.base import Budget
from heroacademy.agents.options import FLAG, option
from heroacademy.agents.registry import Registered, make_agent
from heroacademy.agents.simple import GreedyAction
from heroacademy.config import GameConfig
from heroacademy.experiments import designs, moves, profiles, runner, specs, store
from heroacademy.experiments.results import head_to_head
from heroacademy.experiments.runner import frame, game_columns, missing_of, obtain
from heroacademy.experiments.specs import GameSpec, Player, SearchSpec
from heroacademy.experiments.store import DamagedLine, Store
from heroacademy.statistics import pair_differences

CALLS = Budget(fm_calls=100)


class Here:
    """Plays in this process, and counts."""

    def __init__(self):
        self.played = []

    def __call__(self, specs):
        for spec in specs:
            self.played.append(spec)
            yield spec, spec.run()


def nobody(specs):
    raise AssertionError(f"{len(specs)} games are played though all are stored")
    yield


def ask(specs, folder, results=None):
    """The table of some games, and those that were played for it."""
    here = results or Here()
    return obtain(specs, folder, here, progress=False), getattr(here, "played", None)


def test_what_is_stored_is_not_played_again(tmp_path):
    games = tiny_games()
    first, played = ask(games, tmp_path)
    assert played == games
    again, _ = ask(games, tmp_path, nobody)
    pd.testing.assert_frame_equal(first, again)
    assert list(again["key"]) == [spec.key for spec in games]
    assert list(ask(games[::-1], tmp_path, nobody)[0]["key"]) == [s.key for s in games[::-1]]


def test_only_games_of_a_changed_agent_are_played(tmp_path):
    agents = {name: make_agent(name) for name in ("greedy-action", "random", "greedy-turn")}

    def asked():
        pairs = [("greedy-action", "random"), ("greedy-turn", "random")]
        pairs = [(agents[a], agents[b]) for a, b in pairs]
        return designs.paired_games(GameConfig(turn_limit=4), pairs, CALLS, 4)

    ask(asked(), tmp_path)
    agents["greedy-action"] = make_agent("greedy-action", best_of=3)
    table, played = ask(asked(), tmp_path)
    assert len(played) == 4
    assert all("greedy-action" in [player.agent for player in spec.players] for spec in played)
    assert len(table) == 8
    _, more = ask(tiny_games(6, turns=4), tmp_path)
    assert [spec.start for spec in more] == [2, 2]  # the old agent's other games are still there


def test_an_asked_game_is_played_once_however_often_it_is_listed(tmp_path):
    games = tiny_games(2)
    table, played = ask(games + games, tmp_path)
    assert len(table) == len(played) == 2


def test_no_games_are_a_table_without_rows(tmp_path):
    table, _ = ask([], tmp_path, nobody)
    assert len(table) == 0
    assert list(table) == game_columns() == list(ask(tiny_games(2), tmp_path)[0])
    assert len(head_to_head(table, "oep", "random")) == 0


def test_the_number_of_processes_can_be_set(tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "_pool_results", lambda *_: pytest.fail("started workers"))
    monkeypatch.setenv(runner.PROCESSES_VARIABLE, "1")
    assert len(obtain(tiny_games(2), tmp_path, progress=False)) == 2
    monkeypatch.setenv(runner.PROCESSES_VARIABLE, "all")
    with pytest.raises(ValueError, match="HEROACADEMY_PROCESSES is 'all': use a whole number"):
        obtain(tiny_games(4), tmp_path, progress=False)


def test_searches_are_stored_too(tmp_path, capsys):
    asked = [
        SearchSpec(position, Player.of(name, CALLS))
        for name in ("oep", "random")
        for position in (0, 5)
    ]
    obtain(asked, tmp_path, Here())
    assert "search" in capsys.readouterr().err
    table, _ = ask(asked, tmp_path, nobody)
    assert list(table["position"]) == [0, 5, 0, 5]
    assert table["value"].dtype.kind in "if"
    assert json.loads(table["stats"][0])["fm_calls"] >= 100


def test_progress_shows_games_done_rate_and_time_left(tmp_path, capsys):
    obtain(tiny_games(2), tmp_path, Here())
    assert "2/2 [00:0" in (shown := capsys.readouterr().err)
    assert "game/s" in shown or "s/game" in shown


# --- seeds and keys -------------------------------------------------------------------------


def test_more_games_and_agents_leave_the_others_as_they_are():
    few, many = designs.table2(profiles.size("smoke", "table2")), None
    more = profiles.size("smoke", "table2", games=20)
    many = {spec.key: spec.seed for spec in designs.table2(more)}
    assert all(many[spec.key] == spec.seed for spec in few)
    without = designs.table2(more, names=("random", "oep"))
    assert all(many[spec.key] == spec.seed for spec in without)


def test_both_sides_play_the_same_starts():
    games = designs.table2(profiles.size("smoke", "table2", games=6))
    for a, b in {tuple(p.agent for p in spec.players) for spec in games}:
        as_first = [s.seed for s in games if [p.agent for p in s.players] == [a, b]]
        as_second = [s.seed for s in games if [p.agent for p in s.players] == [b, a]]
        assert as_first == as_second
        assert len(set(as_first)) == 3


def test_the_starts_of_settings_chosen_and_of_results_differ():
    seeds = {specs.start_seed(starts, i) for starts in ("report", "tune") for i in range(2000)}
    assert len(seeds) == 4000


def test_every_start_is_played_twice():
    with pytest.raises(ValueError, match="games is 3: use an even number"):
        tiny_games(3)


EXAMPLE = GameSpec(
    GameConfig(action_points=3, first_turn_points=2),
    (
        Player("oep", '{"mutation": 0.1, "population": 50}', 1, Budget(fm_calls=1000)),
        Player("bb-mcts", '{"bridge_burning": true}', 1, Budget(seconds=2.0)),
    ),
    "report",
    7,
)


def test_a_key_stays_what_it_was():
    """If this fails, games stored by earlier versions of the program are not found any more."""
    assert EXAMPLE.key == "b3eb9c2eb3da44ab"
    assert EXAMPLE.seed == 3724418780


def test_specs_survive_a_row():
    row = EXAMPLE.columns()
    assert GameSpec.from_row(row) == EXAMPLE
    assert GameSpec.from_row(row).key == EXAMPLE.key
    search = SearchSpec(3, Player.of("fh-emcts", Budget(fm_calls=5)))
    assert SearchSpec.from_row(search.columns()) == search


def test_equal_numbers_are_one_spec():
    for one, other in [(1, 1.0), (0, 0.0)]:
        first = Player.of(make_agent("bb-mcts", epsilon=one), Budget(seconds=one + 1))
        second = Player.of(make_agent("bb-mcts", epsilon=other), Budget(seconds=other + 1))
        assert first == second
        assert first.columns() == second.columns()


@dataclass(frozen=True)
class _Later(GreedyAction):
    """Greedy Action with an option that it may get one day."""

    haste: bool = option(False, FLAG, "not there yet")


def test_a_new_option_at_its_default_keeps_the_keys(monkeypatch):
    before = tiny_games(2)
    monkeypatch.setitem(registry.AGENTS, "greedy-action", Registered("later", _Later))
    after = tiny_games(2)
    assert "haste" in after[0].players[0].options
    assert [spec.key for spec in after] == [spec.key for spec in before]
    hasty = tiny_games(2, agents=(make_agent("greedy-action", haste=True), "random"))
    assert not {spec.key for spec in hasty} & {spec.key for spec in before}


@dataclass(frozen=True)
class _Hasty(_Later):
    """The same with another default."""

    haste: bool = option(True, FLAG, "there")


def test_another_default_needs_another_version(monkeypatch, tmp_path):
    monkeypatch.setitem(registry.AGENTS, "greedy-action", Registered("later", _Later))
    ask(tiny_games(2), tmp_path)
    monkeypatch.setitem(registry.AGENTS, "greedy-action", Registered("hasty", _Hasty))
    with pytest.raises(ValueError, match=r"haste=True by default now, .* has False: raise the"):
        ask(tiny_games(2), tmp_path, nobody)


@pytest.mark.parametrize(
    "change",
    [{"config": GameConfig(turn_limit=7)}, {"starts": "tune"}, {"start": 8}]
    + [{"players": (p, EXAMPLE.players[1])} for p in (Player.of("oep", CALLS), EXAMPLE.players[1])],
)
def test_whatever_changes_the_game_changes_the_key(change):
    assert replace(EXAMPLE, **change).key != EXAMPLE.key


def test_new_rules_are_new_games(monkeypatch):
    old = replace(EXAMPLE).key
    monkeypatch.setattr(specs, "RULES_VERSION", specs.RULES_VERSION + 1)
    assert replace(EXAMPLE).key != old


def test_code_of_another_version_does_not_play():
    player = replace(Player.of("random", CALLS), version=99)
    with pytest.raises(
        ValueError, match="random is asked for in version 99, this code has version"
    ):
        player.make()


def test_versions_of_mcts_depend_on_options():
    """Games of unchanged options keep their keys."""
    assert Player.of("vanilla-mcts", CALLS).version == 1
    for options, version in [
        ({"novelty": True}, 1),
        ({"unpruning": 5, "mixmax": 0.25}, 1),
        ({"knowledge": 50.0}, 3),
        ({"novelty": True, "unpruning": 5}, 2),
        ({"loss_avoidance": "turn"}, 2),
    ]:
        player = Player.of(make_agent("bb-mcts", **options), CALLS)
        assert player.version == version
        assert player.is_current
        assert not replace(player, version=version + 1).is_current


# --- files ----------------------------------------------------------------------------------


def files(folder):
    return sorted(folder.glob("**/*.csv"))


def test_files_are_read_by_pandas(tmp_path):
    table, _ = ask(tiny_games(), tmp_path)
    (path,) = files(tmp_path)
    read = pd.read_csv(path)
    assert list(read)[:-1] == list(table)
    for column in ("key", "winner", "turns", "moves", "calls1", "options2"):
        assert list(read[column]) == list(table[column])
    assert read["first_turn_points"].isna().all()


def test_a_row_says_all_about_its_game(tmp_path):
    games = tiny_games(2)
    rows, _ = ask(games, tmp_path)
    for spec, row in zip(games, rows.to_dict("records"), strict=True):
        assert len(moves.decode(row["moves"])) == row["actions"]
        assert row["turns"] <= 6
        assert row["calls1"] > 0
        assert "value" in json.loads(row["stats1"])
        assert (row["agent1"], row["version1"]) == (spec.players[0].agent, 1)
    results = head_to_head(rows, "greedy-action", "random")
    assert list(results["as_player"]) == [1, 2]
    assert len(pair_differences(results["result"], results["start"])) == 1


def test_files_only_grow(tmp_path):
    ask(tiny_games(2), tmp_path)
    (path,) = files(tmp_path)
    before = path.read_bytes()
    ask(tiny_games(4), tmp_path)
    after = path.read_bytes()
    assert after.startswith(before)
    assert after.count(b"\n") == before.count(b"\n") + 2


def test_a_result_is_stored_once(tmp_path):
    """Two runs at the same time may both have played a game."""
    (spec, _) = tiny_games(2)
    row = spec.run()
    for _ in range(2):
        Store(tmp_path).add(spec.file, row)
    assert len(Store(tmp_path).load_all()) == 1
    assert (tmp_path / spec.file).read_bytes().count(b"\n") == 2


@pytest.mark.parametrize("left", [1, 9, 300])
def test_a_damaged_last_line_is_reported_dropped_and_played_again(tmp_path, left):
    games = tiny_games(4)
    table, _ = ask(games, tmp_path)
    (path,) = files(tmp_path)
    whole = path.read_bytes()
    last = whole.rstrip(b"\n").rfind(b"\n") + 1
    path.write_bytes(whole[: last + left])
    with pytest.warns(DamagedLine, match=r"random\.csv, line 5 is damaged and left out"):
        again, played = ask(games, tmp_path)
    assert played == games[-1:]
    assert list(again["moves"]) == list(table["moves"])
    assert path.read_bytes()[:last] == whole[:last]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ask(games, tmp_path, nobody)


def test_a_line_that_only_lacks_its_end_is_damaged_too(tmp_path):
    ask(tiny_games(2), tmp_path)
    (path,) = files(tmp_path)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.warns(DamagedLine):
        assert len(Store(tmp_path).load_all()) == 1


def test_a_damaged_line_in_the_middle_is_reported_and_left_out(tmp_path):
    games = tiny_games(4)
    ask(games, tmp_path)
    (path,) = files(tmp_path)
    lines = path.read_bytes().split(b"\n")
    lines[2] = lines[2].replace(b",a,standard,", b",b,standard,")
    path.write_bytes(b"\n".join(lines))
    with pytest.warns(DamagedLine, match="line 3 is damaged .* delete it"):
        _, played = ask(games, tmp_path)
    assert played == [games[1]]
    with pytest.warns(DamagedLine):
        ask(games, tmp_path, nobody)


def test_a_file_cut_in_its_header_is_begun_again(tmp_path):
    games = tiny_games(2)
    ask(games, tmp_path)
    (path,) = files(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole[:50])
    with pytest.warns(DamagedLine):
        ask(games, tmp_path)
    assert path.read_bytes().startswith(whole[: whole.find(b"\n") + 1])
    path.write_bytes(b"x" + whole)
    with pytest.raises(ValueError, match="starts with 'xkey', a results file with 'key': restore"):
        ask(games, tmp_path)


def test_other_columns_are_refused(tmp_path):
    store.append_row(tmp_path / "a.csv", {"key": "1", "a": "2"})
    with pytest.raises(ValueError, match=r"a\.csv has other columns than key, b: use another"):
        store.append_row(tmp_path / "a.csv", {"key": "1", "b": "2"})


def test_missing_games_are_counted_without_playing(tmp_path):
    ask(tiny_games(2), tmp_path)
    assert len(missing_of(tiny_games(6), Store(tmp_path))) == 4


def test_numbers_are_numbers():
    table = frame([{"key": "1", "seconds1": "", "calls1": "3"}, {"key": "2", "seconds1": "2.5"}])
    assert table["seconds1"].isna().tolist() == [True, False]
    assert table["seconds1"][1] == 2.5
    assert table["key"].tolist() == ["1", "2"]
