"""Games and matches between agents, and their records."""

import itertools
import subprocess
import sys

import numpy as np
import pytest
from turns import options

import heroacademy as ha
from heroacademy.agents.games import turn_seed
from heroacademy.agents.matches import Score, match
from heroacademy.agents.registry import AGENTS


def test_a_game_is_recorded_and_replays(tmp_path):
    config = ha.GameConfig(map="a-tiny", deck="tiny", action_points=3, turn_limit=60)
    agents = {1: ha.make_agent("oep", population=20), 2: ha.make_agent("greedy-action")}
    budget = {1: ha.Budget(fm_calls=2_000), 2: ha.Budget(fm_calls=500)}
    record = ha.play(config, agents, budget, seed=3)
    states = list(record.states())
    assert states[0] == ha.new_game(config, seed=3)
    assert states[-1].winner == record.winner
    assert states[-1].turn == record.turns
    assert len(states) == len(record.actions) + 1
    assert [s["player"] for s in record.stats][:4] == [1, 2, 1, 2]
    assert record.agents[1] == {
        "name": "oep",
        "options": {"population": 20}
        | {k: v for k, v in options("oep").items() if k != "population"},
    }
    again = ha.play(config, agents, budget, seed=3)
    assert again.actions == record.actions

    path = tmp_path / "games.jsonl"
    ha.save_records([record], path)
    ha.save_records([again], path)
    assert ha.load_records(path) == [record, again]
    assert len(path.read_text().splitlines()) == 2


def test_an_agent_of_ones_own_plays():
    class First:
        def plan(self, state, budget, seed):
            actions = []
            while not state.is_terminal and (not actions or str(actions[-1]) != "E"):
                actions.append(state.legal_actions()[0])
                state = state.apply(actions[-1])
            return actions

    config = ha.GameConfig(turn_limit=6)
    record = ha.play(config, {1: First(), 2: ha.make_agent("random")}, ha.Budget(fm_calls=10))
    assert record.turns == 6
    assert record.agents[1]["name"] == "First"
    assert record.stats[0]["value"] is None  # JSON has no NaN


@pytest.mark.parametrize(
    ("actions", "says"),
    [
        ([], "does not end it"),
        (["E"], "action 1 that Bad plans: E is illegal here"),
        (None, "after the end"),
    ],
)
def test_a_bad_plan_is_named(actions, says):
    class Bad:
        def plan(self, state, budget, seed):
            if actions is not None:
                return [ha.Action.parse(text) for text in actions]
            return [
                *ha.make_agent("random").plan(state, budget, seed).actions,
                ha.Action.parse("E"),
            ]

    with pytest.raises(ha.IllegalAction, match=says):
        ha.play(ha.GameConfig(), {1: Bad(), 2: Bad()}, ha.Budget(fm_calls=10))


def test_a_match_plays_every_start_from_both_sides():
    config = ha.GameConfig(map="a-tiny", deck="tiny", action_points=2, turn_limit=30)
    budget = ha.Budget(fm_calls=300)
    first, second = ha.make_agent("greedy-action"), ha.make_agent("random")
    score = match(config, first, second, budget, games=6, seed=5, processes=2, progress=False)
    expected = []
    for i, (one, two) in itertools.product(range(3), [(1, 2), (2, 1)]):
        winner = ha.play(config, {one: first, two: second}, budget, turn_seed(5, i)).winner
        expected.append({0: 0.5, one: 1.0, two: 0.0}[winner])
    assert score == Score(tuple(expected))
    assert len(set(expected)) > 1
    alone = match(config, first, second, budget, games=6, seed=5, processes=1, progress=False)
    assert alone == score
    assert [record.seed for record in score.records] == [turn_seed(5, i // 2) for i in range(6)]
    assert [record.agents[1]["name"] for record in score.records[:2]] == [first.name, second.name]


def test_a_class_that_other_processes_do_not_know_plays_in_this_one():
    class Local:
        def plan(self, state, budget, seed):
            return ha.make_agent("random").plan(state, budget, seed)

    config = ha.GameConfig(turn_limit=6)
    with pytest.warns(UserWarning, match="Local is not defined in a module"):
        score = match(
            config, Local(), ha.make_agent("random"), ha.Budget(fm_calls=10), 2, progress=False
        )
    assert score.games == len(score.records) == 2


def test_a_class_of_a_notebook_plays():
    """Such a class is in no file, as in code from the command line."""
    code = (
        "import heroacademy as ha; from heroacademy.agents.matches import match\n"
        "class Mine:\n"
        "    def plan(self, *task): return ha.make_agent('random').plan(*task)\n"
        "config = ha.GameConfig(turn_limit=6)\n"
        "print(match(config, Mine(), Mine(), ha.Budget(fm_calls=10), 2, progress=False).games)\n"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "2\n"
    assert "Mine is not defined in a module" in shown.stderr


def test_the_interval_of_a_score():
    """Wilson's, by hand for 8 of 10, where starts are worth their two games."""
    low, high = Score((1, 1, 0, 1, 1, 1, 0, 1, 1, 1)).interval()
    t = 2.776445  # Student's quantile of 5 starts
    centre = (0.8 + t * t / 20) / (1 + t * t / 10)
    half = t / (1 + t * t / 10) * np.sqrt(0.8 * 0.2 / 10 + t * t / 400)
    assert low == pytest.approx(centre - half)
    assert high == pytest.approx(centre + half)


def test_games_from_one_start_count_for_less():
    alike, spread = Score((1, 1, 0, 0) * 5), Score((1, 0, 1, 0) * 5)
    assert alike.share == spread.share == 0.5
    assert np.diff(alike.interval()) > 1.2 * np.diff(spread.interval())
    assert str(Score((1.0, 0.5))).endswith("(1 won, 1 drawn, 0 lost)")


RANDOM = ha.make_agent("random")
FEW = ha.Budget(fm_calls=10)


@pytest.mark.parametrize(
    ("agents", "budget", "says"),
    [
        ({1: RANDOM}, FEW, "agents are {1: .*: give one to each player"),
        ([RANDOM, RANDOM], FEW, "give one to each player"),
        ({1: RANDOM, 2: "oep"}, FEW, "player 2 is 'oep', which is no agent: use make_agent"),
        ({1: RANDOM, 2: type(RANDOM)}, FEW, "player 2 is <class .*, which is no agent"),
        ({1: RANDOM, 2: RANDOM}, 10, "budget of player 1 is 10: use a Budget"),
        ({1: RANDOM, 2: RANDOM}, {1: FEW}, "budgets are .*: give one to each player"),
    ],
)
def test_players_and_budgets_are_checked(agents, budget, says):
    with pytest.raises(ValueError, match=says):
        ha.play(ha.GameConfig(), agents, budget)


def test_a_plan_that_is_none_is_named():
    class Forgetful:
        def plan(self, state, budget, seed):
            pass

    with pytest.raises(ValueError, match=r"Forgetful\.plan returned None: return a Plan"):
        ha.play(ha.GameConfig(), {1: Forgetful(), 2: RANDOM}, FEW)


def test_a_line_that_is_no_record_is_named(tmp_path):
    path = tmp_path / "games.jsonl"
    ha.save_records([ha.play(ha.GameConfig(turn_limit=2), {1: RANDOM, 2: RANDOM}, FEW)], path)
    with path.open("a") as file:
        file.write('{"winner": 1}\n')
    with pytest.raises(ValueError, match=r"games.jsonl, line 2 is no record of a game"):
        ha.load_records(path)


def test_a_record_is_short_to_look_at():
    record = ha.play(ha.GameConfig(turn_limit=2), {1: RANDOM, 2: RANDOM}, FEW, seed=4)
    assert str(record) == "random against random, seed 4: draw in turn 2"
    assert len(repr(record)) < 600


def test_descriptions_name_every_option():
    for name in ha.agent_names():
        text, changed = ha.describe_agent(name), AGENTS[name].settings
        for option in options(name):
            assert f"  {'*' if option in changed else ' '} {option}=" in text
    with pytest.raises(ValueError, match="unknown agent 'alphazero': use one of random"):
        ha.make_agent("alphazero")
