"""Sizes of the game against exact integers and the OEP paper's numbers."""

from __future__ import annotations

import math

import pandas as pd
import pytest

from heroacademy.analysis import branching
from heroacademy.complexity import (
    game_tree_size,
    scientific,
    state_space_as_printed,
    state_space_as_sum,
    turn_size,
)


def test_sizes_of_turns_and_games_are_the_papers():
    assert 10 ** turn_size(60, 5) == pytest.approx(60**5)
    assert scientific(turn_size(60, 5)) == "7.78e8"
    assert game_tree_size(60, 5, 40) == pytest.approx(math.log10(((60**5) ** 2) ** 40))
    assert scientific(game_tree_size(60, 5, 40)) == "1.82e711"


def test_equation_1_as_printed_by_exact_integers():
    product = 1
    for n in range(27):
        for i in range(1, n + 1):
            product *= (39 - i + 1) * 800
    assert state_space_as_printed() == pytest.approx(math.log10(product), abs=1e-9)
    # the mantissa of the paper's 1.57e199, but not its exponent
    assert scientific(state_space_as_printed()) == "1.57e1537"


def test_equation_1_with_a_sum():
    assert scientific(state_space_as_sum()) == "9.90e111"
    # two units on three squares with two values of health: 1 + 6 + 6 x 4
    assert 10 ** state_space_as_sum(units=2, squares=3, health=2) == pytest.approx(31)
    assert 10 ** state_space_as_printed(units=2, squares=3, health=2) == pytest.approx(6 * 24)


@pytest.mark.parametrize(
    ("log10", "text"),
    [(0, "1.00e0"), (math.log10(0.025), "2.50e-2"), (math.log10(999.9), "1.00e3")],
)
def test_scientific_notation(log10, text):
    assert scientific(log10) == text


# --- counted in games -----------------------------------------------------------------------


def decisions(turns_of_games):
    """Games with so many turns, each of four decisions with 10, 20, 30 and 40 choices."""
    rows = [
        (game, turn, "oep", 10 * k, 5 * k)
        for game, turns in enumerate(turns_of_games)
        for turn in range(1, turns + 1)
        for k in (1, 2, 3, 4)
    ]
    return pd.DataFrame(rows, columns=["game", "turn", "agent", "choices", "pruned"])


def test_turns_that_few_games_reach_are_cut_off():
    table = branching.by_turn(decisions([2, 3, 3, 9]))
    legal, pruned = (part for _, part in table.groupby("choices", sort=False))
    assert list(legal["turn"]) == list(pruned["turn"]) == [1, 2, 3]
    assert list(legal["games"]) == [4, 4, 3]
    assert legal.iloc[0][["low", "median", "high"]].tolist() == [17.5, 25, 32.5]
    assert pruned.iloc[0]["median"] == 12.5
    assert branching.by_turn(decisions([2, 4]))["turn"].max() == 4  # half is enough


def sizes(half=28.8):
    means = {
        "choices an action": 44.9, branching.TURN_SIZE: 7.964, "rounds a game": 24.3,
        branching.TREE_SIZE: 385.4, "choices an action, pruned": 39.5,
    }  # fmt: skip
    rows = [{"measure": name, "mean": mean, "±": half, "games": 60} for name, mean in means.items()]
    return pd.DataFrame(rows)


def test_what_was_counted_has_its_interval_and_games():
    table = branching.compare_with_paper(sizes()).set_index("size")
    assert table.loc["game tree", "counted here"] == "10^385 [357, 414]"
    assert table.loc["rounds a game", "counted here"] == "24.3 ± 28.8"
    counted = table["counted here"] != ""
    assert (table["games"][counted] == "60").all()
    assert (table["games"][~counted] == "").all()
    with_means = table.loc["game tree, arithmetic with our means"]
    assert with_means["its formula evaluated"] == "10^401"
    assert "10^385 [357, 414] instead of" in branching.findings(sizes(), table.reset_index())


def test_games_from_one_start_have_no_interval():
    table = branching.compare_with_paper(sizes(math.nan)).set_index("size")
    assert table.loc["game tree", "counted here"] == "10^385, no interval"
    assert table.loc["rounds a game", "counted here"] == "24.3, no interval"
