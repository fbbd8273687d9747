"""What units and cards may be aimed at.

Every rule of legality stands here once, as a function that returns a set of squares. `among`
limits the squares that are looked at: all of them for the list of actions, one for the test
of a single action.
"""

import numpy as np

from heroacademy.engine import game as g
from heroacademy.engine import tables as t
from heroacademy.engine.bits import lowest
from heroacademy.engine.jit import bare_kernel, helper
from heroacademy.engine.layout import BODIES, CRYSTALS, N_SQUARES, PLAYER, UNITS, WIDTH, unit_items
from heroacademy.engine.units import is_hurt

ALL_SQUARES = (1 << N_SQUARES) - 1


# --- what a unit may aim at -----------------------------------------------------------------


@helper
def within(game, distance, square):
    return game[g.WITHIN + N_SQUARES * distance + square]


@helper
def hurt_units(state, squares):
    """Those of `squares` whose unit is not at full health."""
    found = 0
    while squares:
        square = lowest(squares)
        squares &= squares - 1
        found |= np.int64(is_hurt(state[square])) << square
    return found


@helper
def units_without(state, squares, item):
    """Those of `squares` whose unit does not carry an item."""
    found = squares
    while squares:
        square = lowest(squares)
        squares &= squares - 1
        found ^= np.int64(unit_items(state[square]) & item != 0) << square
    return found


@helper
def in_sight(game, source, targets, blockers):
    """Those of `targets` that the line of sight from `source` reaches."""
    seen = targets
    while targets:
        target = lowest(targets)
        targets &= targets - 1
        if game[g.BETWEEN + N_SQUARES * source + target] & blockers:
            seen ^= 1 << target
    return seen


@helper
def look(game, state):
    """The squares that matter to the player to move.

    own units that may act; squares to step on, bodies included; own bodies that a cleric may
    revive; standing enemies, crystals included.
    """
    player = state[PLAYER]
    enemy = 3 - player
    bodies = state[BODIES]
    own, theirs = state[UNITS + player], state[UNITS + enemy]
    steppable = game[g.BOARD] & ~((own | theirs) & ~bodies) & ~game[g.DEPLOY_OF + enemy]
    return own & ~bodies & ~state[CRYSTALS], steppable, own & bodies & steppable, theirs & ~bodies


@helper
def move_targets(game, unit, source, steppable, revivable):
    targets = within(game, t.SPEED[unit], source) & steppable
    if unit == t.CLERIC:  # it revives own bodies in its range instead
        targets &= ~(within(game, t.HEAL_RANGE, source) & revivable)
    return targets


@helper
def attack_targets(game, unit, source, enemies, among):
    targets = within(game, t.ATTACK_RANGE[unit], source) & enemies & among
    if targets:
        targets = in_sight(game, source, targets, enemies)
    return targets


@helper
def heal_targets(game, state, unit, source, actors, revivable, among):
    if unit != t.CLERIC:
        return 0
    near = within(game, t.HEAL_RANGE, source) & ~(1 << source)
    return near & revivable | hurt_units(state, near & actors & among)


@helper
def swap_targets(unit, source, actors):
    return actors & ~(1 << source) if unit == t.NINJA else 0


# --- what a card may aim at -----------------------------------------------------------------


@helper
def _losing_nobody(before, middle, after):
    """Squares that lose no enemy when a 3 x 3 moves by -2, -1, 0, 1, 2 along one axis.

    The arguments are the squares that have an enemy on the first, second and third line of
    their 3 x 3. Moving on loses the first lines, moving back the last.
    """
    return ~(middle | after), ~after, ~0, ~before, ~(before | middle)


@bare_kernel
def best_casts(game, enemies):
    """Squares worth an Inferno: those that hit someone and that no other square outdoes.

    All squares are compared at once with those at one offset. Two casts of which one hits all
    that the other hits are at most two squares apart on each axis; of equal casts the first
    stays.
    """
    left_edge, right_edge = g.LEFT_EDGE, g.LEFT_EDGE << (WIDTH - 1)
    columns = (enemies | enemies << WIDTH | enemies >> WIDTH) & game[g.BOARD]
    rows = enemies | (enemies & ~right_edge) << 1 | (enemies & ~left_edge) >> 1
    from_left, from_right = (columns & ~right_edge) << 1, (columns & ~left_edge) >> 1
    along = _losing_nobody(from_left, columns, from_right)
    down = _losing_nobody(rows << WIDTH, rows, rows >> WIDTH)
    dropped = 0
    for dy in range(3):
        for dx in range(-2 if dy else 1, 3):
            shift = dy * WIDTH + dx
            here = game[g.SHIFTABLE + 5 * dy + dx + 2]
            no_better = along[2 + dx] & down[2 + dy] & here
            no_worse = (along[2 - dx] & down[2 - dy] & (here << shift)) >> shift
            dropped |= no_better & ~no_worse | no_worse << shift
    hitting = columns | from_left | from_right
    return game[g.BOARD] & hitting & ~dropped


@helper
def card_targets(game, state, card, actors, pruned, among):
    """Squares on which the player to move may play a card."""
    player = state[PLAYER]
    if card < t.N_UNIT_CLASSES:
        standing = (state[UNITS + 1] | state[UNITS + 2]) & ~state[BODIES]
        return game[g.DEPLOY_OF + player] & ~standing
    if card == t.INFERNO:
        if pruned:
            return best_casts(game, state[UNITS + 3 - player])
        return game[g.BOARD]
    if card == t.REVIVE_POTION:
        return hurt_units(state, actors & among) | (state[UNITS + player] & state[BODIES])
    return units_without(state, actors & among, t.ITEM_OF_CARD[card])
