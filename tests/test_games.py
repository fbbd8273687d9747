"""Games and matches between agents, and their records."""

import itertools
import subprocess
import sys

import numpy as np
import pytest
from turns import options

import heroacademy as ha
from heroacademy.agents.games import Score, match, turn_seed


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


@pytest.mark.parametrize(
    ("actions", "says"), [([], "does not end it"), (["E"], "illegal here"), (None, "after the end")]
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
    expected = [0, 0, 0]
    for i, (one, two) in itertools.product(range(3), [(1, 2), (2, 1)]):
        winner = ha.play(config, {one: first, two: second}, budget, turn_seed(5, i)).winner
        expected[1 if winner == 0 else 0 if winner == one else 2] += 1
    assert score == Score(*expected)
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
        "import heroacademy as ha; from heroacademy.agents.games import match\n"
        "class Mine:\n"
        "    def plan(self, *task): return ha.make_agent('random').plan(*task)\n"
        "config = ha.GameConfig(turn_limit=6)\n"
        "print(match(config, Mine(), Mine(), ha.Budget(fm_calls=10), 2, progress=False).games)\n"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "2\n"
    assert "Mine is not defined in a module" in shown.stderr


def test_the_interval_of_a_score():
    """Wilson's interval, worked out by hand for 8 of 10 with z = 1.96."""
    low, high = Score(wins=7, draws=2, losses=1).interval()
    z = 1.959964
    centre = (0.8 + z * z / 20) / (1 + z * z / 10)
    half = z / (1 + z * z / 10) * np.sqrt(0.8 * 0.2 / 10 + z * z / 400)
    assert low == pytest.approx(centre - half)
    assert high == pytest.approx(centre + half)


def test_descriptions_name_every_option():
    for name in ha.agent_names():
        text = ha.describe_agent(name)
        assert all(f"    {option}=" in text for option in options(name))
    with pytest.raises(ValueError, match="unknown agent 'alphazero': use one of random"):
        ha.make_agent("alphazero")
