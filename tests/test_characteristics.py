"""What is made of stored searches: characteristics, anytime curves, convergence."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from heroacademy.agents.base import Budget
from heroacademy.analysis import characteristics
from heroacademy.bench import positions
from heroacademy.experiments import designs, moves
from heroacademy.experiments.profiles import profile_names, size
from heroacademy.state import evaluate
from heroacademy.statistics import win_rate

MUTATIONS = "deepest leaf, in mutations"


def searched(rows):
    """Searches as if they had been done: agent, budget, position, value, statistics."""
    columns = ("agent", "fm_calls", "position", "value", "stats")
    made = [dict(zip(columns, row, strict=True)) | {"seconds": float("nan")} for row in rows]
    return pd.DataFrame(made).assign(stats=lambda t: t["stats"].map(json.dumps))


# --- which searches -------------------------------------------------------------------------


def test_every_agent_that_searches_has_parts_of_the_budget():
    of_size = size("standard", "anytime", positions=2)
    specs = designs.anytime(of_size)
    budgets = {name: set() for name in designs.PAPER_AGENTS}
    for spec in specs:
        budgets[spec.player.agent].add(spec.player.budget.fm_calls)
    whole = of_size.budget.fm_calls
    parts = {int(whole * part) for part in designs.FRACTIONS}
    for name, found in budgets.items():
        assert found == ({whole} if name in designs.ONE_PLAN else parts)
    assert len(set(specs)) == len(specs)
    assert {spec.position for spec in specs} == {0, 1}


def test_a_part_of_few_calls_is_one_call():
    assert designs.part_of(Budget(fm_calls=3_000), 0.0003).fm_calls == 1


@pytest.mark.parametrize("profile", profile_names())
def test_whole_budgets_are_searched_once_for_both_experiments(profile):
    anytime = designs.anytime(size(profile, "anytime"))
    assert set(designs.searches(size(profile, "characteristics"))) <= set(anytime)


# --- anytime curves -------------------------------------------------------------------------


def test_losses_are_to_the_best_plan_of_the_position():
    table = characteristics.anytime(
        searched(
            [
                ("random", 900, 0, 10, {"fm_calls": 6}),
                ("random", 900, 1, -50, {"fm_calls": 6}),
                ("oep", 900, 0, 110, {"fm_calls": 900}),
                ("oep", 900, 1, 40, {"fm_calls": 904}),
                ("oep", 90, 0, 100, {"fm_calls": 90}),
                ("oep", 90, 1, 50, {"fm_calls": 90}),
            ]
        )
    )
    assert list(table["agent"]) == ["random", "oep", "oep"]
    assert list(table["calls"]) == [6, 90, 902]  # what was used, from few to many
    assert list(table["loss"]) == [100, 5, 5]
    assert table["±"][0] == 0
    assert table["±"][1] == pytest.approx(5 * 12.706, rel=1e-3)
    assert (table["positions"] == 2).all()


def test_positions_in_which_a_win_was_found_do_not_decide_the_mean():
    rows = [
        ("oep", 900, 0, 60_000, {"fm_calls": 900}),
        ("oep", 900, 1, 40, {"fm_calls": 900}),
        ("oep", 90, 0, 100, {"fm_calls": 90}),
        ("oep", 90, 1, 30, {"fm_calls": 90}),
        ("random", 900, 0, -10, {"fm_calls": 6}),
        ("random", 900, 1, 10, {"fm_calls": 6}),
    ]
    table = characteristics.anytime(searched(rows)).set_index(["agent", "calls"])
    assert table["loss"].to_dict() == {("oep", 90): 10, ("oep", 900): 0, ("random", 6): 30}
    assert (table["positions"] == 1).all()
    assert (table["winnable"] == 1).all()
    assert table["wins found"].to_dict() == {("oep", 90): 0, ("oep", 900): 1, ("random", 6): 0}
    alone = characteristics.anytime(searched(rows[:1]))
    assert alone["loss"].isna().all()
    assert list(alone["positions"]) == [0]


def test_the_value_of_a_plan_is_that_at_the_end_of_the_turn_for_all_agents():
    """Also for those that look beyond it."""
    of_size = size("smoke", "anytime", fm_calls=400, positions=1)
    for spec in designs.searches(of_size):
        row, state = spec.run(), positions()[spec.position]
        player = state.player
        for action in moves.decode(row["moves"]):
            state = state.apply(action)
        assert state.player != player
        assert float(row["value"]) == evaluate(state, player)


# --- tables ---------------------------------------------------------------------------------


def test_only_oep_converges():
    rows = [
        (
            agent,
            calls,
            position,
            0,
            {"fm_calls": calls, "generations": g, "distinct_values": d + position},
        )
        for agent in ("oep", "greedy-oep")
        for position in (0, 1)
        for calls, g, d in ((900, 0, 50), (9_000, 25, 6))
    ]
    table = characteristics.convergence(searched(rows))
    assert list(table["generations"]) == [0, 25]
    assert list(table["distinct values"]) == [50.5, 6.5]
    assert list(table["positions"]) == [2, 2]


def report(depth, outcomes):
    return {"fm_calls": 100, "max_leaf_depth": depth, "unique_outcomes": outcomes}


ROWS = [
    ("vanilla-mcts", 100, 0, 0, report(7, 0)),
    ("vanilla-mcts", 100, 1, 0, report(8, 1_000)),
    ("vanilla-mcts", 100, 2, 0, report(7, 11_000)),
    ("emcts", 100, 0, 0, report(4, 10)),
    ("emcts", 100, 1, 0, report(5, 20)),
]


def test_every_number_has_its_interval_its_median_and_its_positions():
    table = characteristics.characteristics(searched(ROWS))
    rows = table.set_index(["agent", "measure"])
    outcomes = rows.loc[("vanilla-mcts", "unique outcomes")]
    assert (outcomes["mean"], outcomes["median"], outcomes["positions"]) == (4_000, 1_000, 3)
    assert outcomes["±"] > 0
    wide = characteristics.wide(table)
    assert wide.loc["vanilla-mcts", "unique outcomes"].startswith("4,000 ± 15,1")
    assert list(wide["positions"]) == [3, 2]


def test_depths_in_mutations_are_not_taken_for_actions():
    table = characteristics.characteristics(searched(ROWS))
    wide = characteristics.wide(table)
    assert wide.loc["emcts", "deepest leaf"] == wide.loc["vanilla-mcts", MUTATIONS] == ""
    assert wide.loc["emcts", MUTATIONS].startswith("4.5 ±")
    compared = characteristics.compare_with_paper(table)
    assert "deepest leaf" in list(compared["measure"])
    assert set(compared["agent"]) == {"vanilla-mcts"}


def test_findings_have_intervals_medians_and_positions():
    converged = pd.DataFrame(
        {"generations": [0.0, 9_228.0], "distinct values": [46.7, 6.9], "±": [5.9, 1.1],
         "positions": [20, 20]}
    )  # fmt: skip
    compared = characteristics.compare_with_paper(characteristics.characteristics(searched(ROWS)))
    text = characteristics.findings(compared, converged, win_rate([1, 0]))
    assert text.startswith("- Here, over 3 positions, and in the paper: unique outcomes of vanilla")
    assert "(median 1,000) and 201; deepest leaf of vanilla-mcts 7.3 ± " in text
    assert len(text.splitlines()) == 3
    assert "46.7 ± 5.9 distinct values after 0 generations and 6.9 ± 1.1 after 9,228" in text
