"""Sizes of the game against exact integers and the OEP paper's numbers."""

from __future__ import annotations

import math

import pytest

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
