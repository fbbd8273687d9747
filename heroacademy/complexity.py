"""How large the game is, by the OEP paper's formulas; all sizes as logarithms to base 10."""

from __future__ import annotations

import math
from itertools import accumulate
from operator import mul

# what equation (1) is about: squares for a unit on the 9 x 5 board, values of a unit's health,
# most units on the board
SQUARES, HEALTH_VALUES, MOST_UNITS = 39, 800, 26


def turn_size(branching: float, action_points: int) -> float:
    """Sequences of actions in a turn, branching ** action_points.

    >>> scientific(turn_size(60, 5))
    '7.78e8'
    """
    return action_points * math.log10(branching)


def game_tree_size(branching: float, action_points: int, rounds: float) -> float:
    """Games of a number of rounds, in each of which both players have a turn.

    >>> scientific(game_tree_size(60, 5, 40))
    '1.82e711'
    """
    return 2 * rounds * turn_size(branching, action_points)


def state_space_as_printed(
    units: int = MOST_UNITS, squares: int = SQUARES, health: int = HEALTH_VALUES
) -> float:
    """Equation (1) of the OEP paper: a product over n of the placements of n units.

    The paper gives its value as 1.57e199: the mantissa is right, the exponent is not.

    >>> scientific(state_space_as_printed())
    '1.57e1537'
    """
    return math.log10(math.prod(_placements(units, squares, health)))


def state_space_as_sum(
    units: int = MOST_UNITS, squares: int = SQUARES, health: int = HEALTH_VALUES
) -> float:
    """Equation (1) with a sum over n: boards with no unit, or one, or two, and so on.

    >>> scientific(state_space_as_sum())
    '9.90e111'
    """
    return math.log10(sum(_placements(units, squares, health)))


def scientific(log10: float, digits: int = 2) -> str:
    """A size far beyond floating point in scientific notation.

    >>> scientific(2.9999999)
    '1.00e3'
    """
    exponent = math.floor(log10)
    mantissa = f"{10 ** (log10 - exponent):.{digits}f}"
    if mantissa.startswith("10"):
        mantissa, exponent = f"{1:.{digits}f}", exponent + 1
    return f"{mantissa}e{exponent}"


def _placements(units: int, squares: int, health: int) -> list[int]:
    """Ways to place 0, 1, ... units, one after the other, each with a value of health."""
    factors = [(squares - i + 1) * health for i in range(1, units + 1)]
    return list(accumulate(factors, mul, initial=1))
