"""The papers' numbers are complete, as consistent as the papers, and name their source."""

from __future__ import annotations

import re
from itertools import permutations

import numpy as np
import pytest

from heroacademy import paper
from heroacademy.agents.registry import agent_names
from heroacademy.complexity import game_tree_size, scientific, turn_size
from heroacademy.statistics import agreement, win_rate

BLOCKS = (
    "table2", "search_characteristics", "complexity", "branching", "figure5", "table3",
    "horizons", "figure6", "figure7", "settings", "gvgp", "budgets",
)  # fmt: skip
NOTEBOOKS = (
    "01_table2", "02_figure5", "03_horizon_tuning", "04_search_characteristics", "05_fh_emcts",
    "06_complexity", "07_mcts_enhancements", "09_claims",
)  # fmt: skip
ODD_PAIRS = {frozenset(("greedy-turn", "vanilla-mcts")), frozenset(("greedy-action", "oep"))}


@pytest.mark.parametrize("block", BLOCKS)
def test_every_block_names_its_source(block):
    assert re.search(r"paper", paper.numbers(block)["source"])


def test_unknown_blocks_are_named():
    with pytest.raises(ValueError, match="unknown block 'table9'"):
        paper.numbers("table9")


def test_table2_is_about_our_agents():
    table = paper.table2()
    assert list(table.index) == list(table.columns) == agent_names()[:7]
    assert table.loc["random"].isna().all()
    assert np.isnan(np.diag(table)).all()
    assert table.notna().sum().sum() == 36
    assert table.loc["nonexploring-mcts", "bb-mcts"] == 0.8


@pytest.mark.parametrize("pair", list(permutations(agent_names()[1:7], 2)))
def test_pairs_add_up_but_for_the_two_known_ones(pair):
    agent, opponent = pair
    table = paper.table2()
    total = table.loc[agent, opponent] + table.loc[opponent, agent]
    odd = frozenset(pair) in ODD_PAIRS
    assert (round(total, 6) != 1) == odd
    readings = paper.table2_readings(agent, opponent)
    assert readings[0] == table.loc[agent, opponent]
    assert len(readings) == 1 + odd


def test_the_odd_pairs_are_listed_in_the_file():
    assert {frozenset(pair) for pair in paper.numbers("table2")["inconsistent"]} == ODD_PAIRS


def test_readings_of_the_odd_pairs():
    assert paper.table2_readings("vanilla-mcts", "greedy-turn") == (0.22, 0.12)
    assert paper.table2_readings("oep", "greedy-action") == (0.9, 0.98)
    assert paper.table2_readings("greedy-action", "oep") == (0.02, 0.1)
    assert paper.table2_readings("oep", "random") == (1.0,)


@pytest.mark.parametrize("pair", [("oep", "oep"), ("oep", "emcts"), ("emcts", "oep")])
def test_pairs_that_the_table_does_not_have(pair):
    with pytest.raises(ValueError, match="use one of"):
        paper.table2_readings(*pair)


def test_readings_fit_the_test_of_agreement():
    ours = win_rate([1] * 80 + [0] * 20)
    assert agreement(ours, paper.table2_readings("greedy-turn", "vanilla-mcts"), 100) > 0.5


def test_horizons():
    table = paper.horizons()
    assert list(table.index) == list(range(2, 16))
    assert (table.horizon >= table.index).all()
    assert (table.horizon <= table.index + paper.numbers("horizons")["most_beyond_turn"]).all()
    assert table.win_rate.between(0.57, 0.85).all()


def test_people_by_skill_add_up_to_all():
    table = paper.table3()
    assert (table.drop("all").sum() == table.loc["all"]).all()
    printed = paper.numbers("table3")["misprinted_percent"]["all finished"]
    assert round(100 * table.wins_finished["all"] / table.games_finished["all"]) == 75 != printed


def test_complexity_follows_from_branching_and_rounds():
    block = paper.numbers("complexity")
    assert scientific(turn_size(block["branching"], 5)) == block["turn_size"]
    size = game_tree_size(block["branching"], 5, block["rounds"])
    assert scientific(size) == block["game_tree_size"]


def test_enhancements():
    table = paper.gvgp()
    assert table.loc["MCTS", ["win_rate", "plus_minus"]].tolist() == pytest.approx([0.31, 0.012])
    assert table.loc["all", ["win_rate", "plus_minus"]].tolist() == pytest.approx([0.484, 0.015])


@pytest.mark.parametrize("block", ["figure5", "figure7", "horizons"])
def test_figures_are_about_our_agents(block):
    figure = paper.numbers(block)
    opponents = figure.get("opponents", [figure.get("opponent")])
    assert {figure["agent"], *opponents} <= set(agent_names())


def test_claims_are_complete():
    claims = paper.claims()
    assert len({claim.id for claim in claims}) == len(claims)
    assert {claim.paper for claim in claims} == set(paper.numbers("papers"))
    assert {claim.notebook for claim in claims} == set(NOTEBOOKS)
    for claim in claims:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", claim.id)
        assert claim.text.endswith(".")
        assert claim.where
        relations = "above|below|about|apart|largest|rising|falling"
        assert re.fullmatch(rf"[a-z_]+\(.+\) ({relations}) \S+", claim.measure), claim.measure


def test_claims_of_a_notebook():
    assert sum(len(paper.claims(name)) for name in NOTEBOOKS) == len(paper.claims())
    with pytest.raises(ValueError, match="unknown notebook"):
        paper.claims("99_nothing")
