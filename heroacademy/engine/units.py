"""What a unit is worth in a fight, and units put on and taken off the board."""

import numpy as np

from heroacademy.engine import game as g
from heroacademy.engine import tables as t
from heroacademy.engine.bits import count
from heroacademy.engine.jit import bare_kernel, helper
from heroacademy.engine.layout import (
    BODIES,
    CLASS_SHIFT,
    CRYSTALS,
    EMPTY,
    HP_MASK,
    ITEMS_SHIFT,
    N_KITS,
    UNITS,
    unit_class,
    unit_hp,
    unit_items,
    unit_kit,
    unit_owner,
)


def _for_each_kit(number) -> np.ndarray:
    """Table of `number(class, items)` by kit; kits of no class get 0."""
    kits = [(kit & 7, kit >> (ITEMS_SHIFT - CLASS_SHIFT)) for kit in range(N_KITS)]
    return t.frozen([number(c, items) if c < len(t.CLASS_NAMES) else 0 for c, items in kits])


def _max_hp(unit: int, items: int) -> int:
    """Base maximum, and 10 % of it for each of dragonscale and helm."""
    base = int(t.BASE_HP[unit])
    return base + base // 10 * (bool(items & t.DRAGONSCALE) + bool(items & t.SHINING_HELM))


def _power(unit: int, items: int, square_bonus: int) -> int:
    """Base power; half more with runemetal, then the square, then three times with a scroll."""
    base = int(t.POWER[unit])
    more = base // 2 if items & t.RUNEMETAL else 0
    return (base + more + square_bonus) * (3 if items & t.SCROLL else 1)


# By kit, that is by class and items together.
MAX_HP = _for_each_kit(_max_hp)
POWER_ON_PLAIN = _for_each_kit(lambda unit, items: _power(unit, items, 0))
POWER_ON_POWER = _for_each_kit(lambda unit, items: _power(unit, items, t.POWER_SQUARE_BONUS))


@bare_kernel
def max_hp(word):
    return MAX_HP[unit_kit(word)]


@helper
def is_hurt(word):
    """Not at full health, knocked-down included."""
    return unit_hp(word) < max_hp(word)


@helper
def power(game, square, word):
    """Power of a unit on a square, items included."""
    kit = unit_kit(word)
    if game[g.SQUARE_KIND + square] == t.POWER_SQUARE:
        return POWER_ON_POWER[kit]
    return POWER_ON_PLAIN[kit]


@helper
def resistance(game, square, word, magical):
    """Percentage by which a unit on a square lessens damage."""
    items = unit_items(word)
    if magical:
        value = t.MAGICAL_RESISTANCE[unit_class(word)]
        if items & t.SHINING_HELM:
            value += t.ITEM_RESISTANCE
        return value
    value = t.PHYSICAL_RESISTANCE[unit_class(word)]
    if items & t.DRAGONSCALE:
        value += t.ITEM_RESISTANCE
    if game[g.SQUARE_KIND + square] == t.DEFENSE:
        value += t.DEFENSE_SQUARE_RESISTANCE
    return value


@helper
def assault_bonus(game, state, player):
    """Extra damage of a player's every hit on a crystal."""
    standing = state[UNITS + player] & ~state[BODIES] & ~state[CRYSTALS]
    return t.ASSAULT_BONUS * count(standing & game[g.ASSAULT_SQUARES])


@bare_kernel
def put(state, square, word):
    """Put a unit on an empty square."""
    bit = 1 << square
    state[square] = word
    state[UNITS + unit_owner(word)] |= bit
    if unit_hp(word) == 0:
        state[BODIES] |= bit
    if unit_class(word) == t.CRYSTAL:
        state[CRYSTALS] |= bit


@helper
def remove(state, square):
    """Empty an occupied square."""
    keep = ~(1 << square)
    state[UNITS + unit_owner(state[square])] &= keep
    state[BODIES] &= keep
    state[CRYSTALS] &= keep
    state[square] = EMPTY


@helper
def relocate(state, source, target):
    """Move a unit; a body on the target square is gone."""
    word = state[source]
    remove(state, source)
    if state[target] != EMPTY:
        remove(state, target)
    put(state, target, word)


@helper
def set_hp(state, square, hp):
    """Give the unit on a square `hp` points, at most its maximum; a body stands up."""
    word = state[square]
    state[square] = (word & ~HP_MASK) | min(hp, max_hp(word))
    state[BODIES] &= ~(1 << square)


@helper
def hurt(state, square, damage):
    """Take HP from a standing unit: a unit is knocked down, a crystal vanishes, at 0 or below."""
    word = state[square]
    hp = unit_hp(word) - damage
    if hp > 0:
        state[square] = (word & ~HP_MASK) | hp
    elif unit_class(word) == t.CRYSTAL:
        remove(state, square)
    else:
        state[square] = word & ~HP_MASK
        state[BODIES] |= 1 << square
