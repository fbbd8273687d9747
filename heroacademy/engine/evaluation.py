"""Static evaluation: one formula, its weights as data.

A unit is worth its HP plus three terms, each with a factor of its own for standing and for
knocked-down units: the class's base maximum HP, a bonus for each item, a bonus for the square.
A crystal has no bonuses. Cards not yet played count by kind. The value of a state is the
difference between the two players' sums, in whole numbers.

Compiled code reads the weights as one flat array:

    offset                                    meaning
    (kit * 8 + kind of square) * 2 + standing  worth of a unit besides its HP
    CARD_WORTH + card                          worth of a card in hand or deck, unit cards
                                               and Inferno
"""

from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

import numpy as np

from heroacademy.engine import game as g
from heroacademy.engine import tables as t
from heroacademy.engine.bits import lowest
from heroacademy.engine.jit import bare_kernel, helper
from heroacademy.engine.layout import (
    CLASS_SHIFT,
    DECK,
    HAND,
    ITEMS_SHIFT,
    N_KITS,
    UNDECIDED,
    UNITS,
    WINNER,
    card_count,
    unit_hp,
    unit_kit,
)

WIN_VALUE = 60_000
VALUE_OF_WINNER = t.frozen([0, WIN_VALUE, -WIN_VALUE])  # for player 1; a draw is 0

N_VALUED_CARDS = t.INFERNO + 1  # the unit cards and Inferno
CARD_WORTH = N_KITS * 8 * 2
WEIGHTS_SIZE = CARD_WORTH + N_VALUED_CARDS


@dataclass(frozen=True)
class EvaluationWeights:
    """Weights of the evaluation; bonuses are by class: Knight, Archer, Cleric, Wizard, Ninja."""

    dragonscale: tuple[int, ...]
    runemetal: tuple[int, ...]
    shining_helm: tuple[int, ...]
    scroll: tuple[int, ...]
    # Factors of maximum HP, item bonuses and square bonus.
    standing_factors: tuple[int, int, int]
    down_factors: tuple[int, int, int]
    deploy: tuple[int, ...] = (-75, -75, -75, -75, -75)
    defense: tuple[int, ...] = (30, 80, 20, 70, 60)
    power: tuple[int, ...] = (30, 120, 40, 100, 70)
    assault: tuple[int, ...] = (120, 40, 10, 40, 50)
    unit_card_percent: int = 175  # of the class's maximum HP
    inferno_card: int = 750

    def to_array(self) -> np.ndarray:
        """The flat array that compiled code reads."""
        weights = np.zeros(WEIGHTS_SIZE, np.int64)
        for kit in range(N_KITS):
            for kind in range(len(t.SQUARE_NAMES)):
                for standing in (0, 1):
                    index = (kit * 8 + kind) * 2 + standing
                    weights[index] = self._unit_worth(kit, kind, standing)
        for card in range(t.N_UNIT_CLASSES):
            weights[CARD_WORTH + card] = int(t.BASE_HP[card]) * self.unit_card_percent // 100
        weights[CARD_WORTH + t.INFERNO] = self.inferno_card
        return weights

    def _unit_worth(self, kit: int, square_kind: int, standing: int) -> int:
        unit = kit & 7
        if unit > t.CRYSTAL:
            return 0
        for_hp, for_items, for_square = self.standing_factors if standing else self.down_factors
        worth = for_hp * int(t.BASE_HP[unit])
        if unit == t.CRYSTAL:
            return worth
        items = kit >> (ITEMS_SHIFT - CLASS_SHIFT)
        item_bonuses = (self.dragonscale, self.runemetal, self.shining_helm, self.scroll)
        carried = sum(b[unit] for i, b in enumerate(item_bonuses) if items >> i & 1)
        squares = (None, self.deploy, self.defense, self.power, self.assault)
        square = squares[square_kind][unit] if square_kind != t.PLAIN else 0
        return worth + for_items * carried + for_square * square


PRESETS = MappingProxyType(
    {
        # What the reference program computes.
        "aicademy": EvaluationWeights(
            dragonscale=(60, 60, 30, 50, 30),
            runemetal=(-30, 60, 20, 60, 20),
            shining_helm=(20, 40, 20, 40, 30),
            scroll=(-10, 80, 30, 80, 70),
            standing_factors=(2, 2, 1),
            down_factors=(1, 1, 0),
        ),
        # Equations 2 and 3 and Table I of the OEP paper.
        "paper": EvaluationWeights(
            dragonscale=(30, 30, 30, 20, 30),
            runemetal=(-50, 40, 20, 40, 20),
            shining_helm=(20, 20, 20, 20, 10),
            scroll=(-40, 50, 30, 50, 40),
            standing_factors=(2, 2, 1),
            down_factors=(0, 0, -1),
        ),
    }
)


@cache
def weights_array(weights: str | EvaluationWeights) -> np.ndarray:
    """Weights, or the preset of a name, as compiled code reads them; cached, not to be written."""
    array = (weights if isinstance(weights, EvaluationWeights) else PRESETS[weights]).to_array()
    array.flags.writeable = False
    return array


@helper
def _units_balance(game, state, weights):
    """Worth of player 1's units on the board less that of player 2's."""
    total = 0
    own = state[UNITS + 1]
    squares = own | state[UNITS + 2]
    while squares:
        square = lowest(squares)
        squares &= squares - 1
        word = state[square]
        hp = unit_hp(word)
        kind = game[g.SQUARE_KIND + square] & 7
        worth = hp + weights[unit_kit(word) << 4 | kind << 1 | (hp > 0)]
        total += worth if own >> square & 1 else -worth
    return total


@helper
def _cards_balance(state, weights):
    """Worth of player 1's cards not yet played less that of player 2's."""
    cards_1 = state[HAND + 1] + state[DECK + 1]
    cards_2 = state[HAND + 2] + state[DECK + 2]
    total = 0
    for card in range(N_VALUED_CARDS):
        difference = card_count(cards_1, card) - card_count(cards_2, card)
        total += difference * weights[CARD_WORTH + card]
    return total


@bare_kernel
def evaluate(game, state, player, weights):
    """Value of a state for a player, between -WIN_VALUE and WIN_VALUE."""
    winner = state[WINNER]
    if winner == UNDECIDED:
        value = _units_balance(game, state, weights) + _cards_balance(state, weights)
    else:
        value = VALUE_OF_WINNER[winner]
    return value if player == 1 else -value
