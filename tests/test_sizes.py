"""What people change: sizes of experiments, and options of agents in them."""

import json

import pytest

from heroacademy import bench
from heroacademy.experiments import designs, profiles


@pytest.mark.parametrize(
    ("experiment", "changes", "says"),
    [
        ("figure5", {"games": 3}, "games is 3: use an even whole number"),
        ("figure5", {"games": "4"}, "games is '4': use an even"),
        ("figure5", {"action_points": 5}, "action_points is 5: use a list of whole numbers"),
        ("figure5", {"action_points": "[2, 5]"}, "for papermill as in -y"),
        ("figure5", {"action_points": [0]}, r"action_points is \[0\]"),
        ("figure5", {"fm_calls": "many"}, "fm_calls is 'many': use a number"),
        ("horizon", {"first_games": 5}, "first_games is 5"),
        ("horizon", {"longest": -1}, "longest is -1: use a whole number"),
        ("anytime", {"positions": 61}, "positions is 61: use a whole number from 1 to 60"),
        ("anytime", {"starts": 3}, "unknown size of anytime 'starts'"),
    ],
)
def test_changed_sizes_are_checked(experiment, changes, says):
    with pytest.raises(ValueError, match=says):
        profiles.size("smoke", experiment, **changes)


def test_there_are_as_many_positions_as_a_size_allows():
    assert profiles.WHOLE["positions"].high == len(bench.positions())


def test_changed_options_reach_the_games_of_their_agent_alone():
    small = profiles.size("smoke", "table2")
    changed = {"oep": {"population": 200}}
    before, after = (designs.table2(small, options=some) for some in ({}, changed))
    new = set(after) - set(before)
    assert {spec for spec in after if "oep" in {p.agent for p in spec.players}} == new
    for spec in new:
        options = {p.agent: json.loads(p.options) for p in spec.players}
        assert options["oep"]["population"] == 200
    with pytest.raises(ValueError, match="unknown agent that plays here 'emcts': use one of"):
        designs.changes_text({"emcts": {"phases": 2}}, designs.OEP_AGENTS)


@pytest.mark.parametrize("design", ["figure5", "figure5_value", "full_first_turn", "budgets"])
def test_designs_take_changed_options(design):
    of_size = profiles.size("smoke", design)
    make = getattr(designs, design)
    usual, changed = make(of_size), make(of_size, {"bb-mcts": {"epsilon": 0.25}})
    same = set(usual) & set(changed)
    assert all("bb-mcts" not in {p.agent for p in spec.players} for spec in same)
    assert len(usual) == len(changed) > len(same) > 0
