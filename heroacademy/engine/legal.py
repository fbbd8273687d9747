"""Legal actions, with ratings and pruning in the same pass, and the test of a single action.

`ratings` may be None: Numba then compiles the generator without them.
"""

import numpy as np
from numba import njit

from heroacademy.engine import game as g
from heroacademy.engine import tables as t
from heroacademy.engine.bits import count, lowest
from heroacademy.engine.layout import (
    AP,
    ATTACK,
    BODIES,
    CARD_BITS,
    CRYSTALS,
    DECK,
    END_ACTION,
    END_TURN,
    HAND,
    HEAL,
    KIND_SHIFT,
    MAX_ACTIONS,
    MOVE,
    N_SQUARES,
    PART_MASK,
    PLAY_CARD,
    PLAYER,
    SOURCE_SHIFT,
    SWAP_CARD,
    SWAP_UNITS,
    UNDECIDED,
    UNITS,
    WIDTH,
    WINNER,
    action_code,
    card_count,
    held_cards,
    unit_class,
    unit_hp,
    unit_items,
)
from heroacademy.engine.units import is_hurt, max_hp, power

# Ratings: how promising an action looks before it is tried.
END_RATING = 10_000
DEPLOY_RATING = 200
REVIVE_RATING = 1400  # also a healer's step on an enemy's body, as in the reference program
SPECIAL_SQUARE_RATING = 30
WIZARD_RATING = 200
INFERNO_RATING = -500
INFERNO_HIT_RATING = 300
POTION_ITEM_RATING = 200
POTION_STANDING_RATING = -300


@njit(cache=True)
def within(game, distance, square):
    return game[g.WITHIN + N_SQUARES * distance + square]


@njit(cache=True)
def in_sight(game, source, targets, blockers):
    """Those of `targets` that the line of sight from `source` reaches."""
    seen = targets
    while targets:
        target = lowest(targets)
        targets &= targets - 1
        if game[g.BETWEEN + N_SQUARES * source + target] & blockers:
            seen ^= 1 << target
    return seen


@njit(cache=True)
def hurt_units(state, squares):
    """Those of `squares` whose unit is not at full health."""
    found = 0
    while squares:
        square = lowest(squares)
        squares &= squares - 1
        found |= np.int64(is_hurt(state[square])) << square
    return found


@njit(cache=True)
def units_without(state, squares, item):
    """Those of `squares` whose unit does not carry an item."""
    found = squares
    while squares:
        square = lowest(squares)
        squares &= squares - 1
        found ^= np.int64(unit_items(state[square]) & item != 0) << square
    return found


# --- writing lists ---------------------------------------------------------------------------


@njit(cache=True)
def _write(actions, n, prefix, targets):
    """Append `prefix` with each target square; returns the new number of actions.

    Two at a time, one past the end too: a loop whose length the processor can guess is worth
    more than the stores it wastes.
    """
    end = n + count(targets)
    while targets:
        for i in range(2):
            actions[n + i] = prefix | lowest(targets)
            targets &= targets - 1
        n += 2
    return end


@njit(cache=True)
def _fill(ratings, n, rating, targets):
    """Give all `targets`, written from index `n` on, the same rating; two at a time."""
    end = n + count(targets)
    while n < end:
        for i in range(2):
            ratings[n + i] = rating
        n += 2


# --- ratings --------------------------------------------------------------------------------


@njit(cache=True)
def _rate_moves(game, state, mover, moves, ratings, first):
    """Rate the moves of one unit, written from index `first` on."""
    special = game[g.SPECIAL_SQUARES]
    i = first
    rest = moves
    while rest:
        ratings[i] = SPECIAL_SQUARE_RATING * (special >> lowest(rest) & 1)
        rest &= rest - 1
        i += 1
    own = state[UNITS + state[PLAYER]]
    stomps = moves & state[BODIES]
    while stomps:
        target = lowest(stomps)
        stomps &= stomps - 1
        rating = 2 * max_hp(state[target])
        if unit_class(mover) == t.CLERIC and not own >> target & 1:
            rating = REVIVE_RATING
        ratings[first + count(moves & ((1 << target) - 1))] = rating


@njit(cache=True)
def _heal_rating(state, target):
    word = state[target]
    return REVIVE_RATING if unit_hp(word) == 0 else max_hp(word) - unit_hp(word)


@njit(cache=True)
def _potion_rating(state, target):
    word = state[target]
    if unit_hp(word) == 0:
        return max_hp(word) + POTION_ITEM_RATING * count(unit_items(word))
    return max_hp(word) - unit_hp(word) + POTION_STANDING_RATING


@njit(cache=True)
def _inferno_rating(game, state, target):
    hits = game[g.AROUND + target] & state[UNITS + 3 - state[PLAYER]]
    rating = INFERNO_RATING + INFERNO_HIT_RATING * count(hits & ~state[BODIES])
    bodies = hits & state[BODIES]
    while bodies:
        rating += 2 * max_hp(state[lowest(bodies)])
        bodies &= bodies - 1
    return rating


@njit(cache=True)
def _rate_card(game, state, card, targets, ratings, first):
    """Rate playing a card on each of `targets`, written from index `first` on."""
    if card < t.N_UNIT_CLASSES:
        _fill(ratings, first, DEPLOY_RATING, targets)
        return
    i = first
    while targets:
        target = lowest(targets)
        targets &= targets - 1
        if card == t.INFERNO:
            ratings[i] = _inferno_rating(game, state, target)
        elif card == t.REVIVE_POTION:
            ratings[i] = _potion_rating(state, target)
        else:
            word = state[target]
            ratings[i] = 0 if is_hurt(word) else power(game, target, word)
        i += 1


# --- the list -------------------------------------------------------------------------------


@njit(cache=True)
def _lost_lines(before, middle, after):
    """Squares that lose no enemy when a 3 x 3 moves by -2, -1, 0, 1, 2 along one axis.

    The arguments are the squares that have an enemy on the first, second and third line of
    their 3 x 3. Moving on loses the first lines, moving back the last.
    """
    return ~(middle | after), ~after, ~0, ~before, ~(before | middle)


@njit(cache=True)
def best_casts(game, enemies):
    """Squares worth an Inferno: those that hit someone and that no other square outdoes.

    All squares are compared at once with those at one offset. Two casts of which one hits all
    that the other hits are at most two squares apart on each axis; of equal casts the first
    stays.
    """
    left_edge, right_edge = game[g.LEFT_EDGE], game[g.LEFT_EDGE] << (WIDTH - 1)
    columns = enemies | enemies << WIDTH | enemies >> WIDTH
    rows = enemies | (enemies & ~right_edge) << 1 | (enemies & ~left_edge) >> 1
    from_left, from_right = (columns & ~right_edge) << 1, (columns & ~left_edge) >> 1
    along = _lost_lines(from_left, columns, from_right)
    down = _lost_lines(rows << WIDTH, rows, rows >> WIDTH)
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


@njit(cache=True)
def _list_heals(game, state, source, healable, n, actions, ratings):
    while healable:
        target = lowest(healable)
        healable &= healable - 1
        actions[n] = action_code(HEAL, source, target)
        if ratings is not None:
            ratings[n] = _heal_rating(state, target)
        n += 1
    return n


@njit(cache=True)
def _list_units(game, state, actors, actions, ratings):
    """Actions of the units on the board; returns their number."""
    player = state[PLAYER]
    enemy = 3 - player
    bodies = state[BODIES]
    own, theirs = state[UNITS + player], state[UNITS + enemy]
    standing_enemies = theirs & ~bodies
    steppable = game[g.BOARD] & ~((own | theirs) & ~bodies) & ~game[g.DEPLOY_OF + enemy]
    revivable = own & bodies & steppable

    n = 0
    units = actors
    while units:
        source = lowest(units)
        units &= units - 1
        word = state[source]
        kind = unit_class(word)
        others = actors & ~(1 << source)
        moves = within(game, t.SPEED[kind], source) & steppable
        if kind == t.CLERIC:
            near = within(game, t.HEAL_RANGE, source)
            healable = near & revivable | hurt_units(state, near & others)
            moves &= ~healable
            n = _list_heals(game, state, source, healable, n, actions, ratings)
        elif kind == t.NINJA:
            if ratings is not None:
                _fill(ratings, n, 0, others)
            n = _write(actions, n, action_code(SWAP_UNITS, source, 0), others)

        attacks = within(game, t.ATTACK_RANGE[kind], source) & standing_enemies
        if attacks:
            attacks = in_sight(game, source, attacks, standing_enemies)
            if ratings is not None:
                extra = WIZARD_RATING if kind == t.WIZARD else 0
                _fill(ratings, n, power(game, source, word) + extra, attacks)
            n = _write(actions, n, action_code(ATTACK, source, 0), attacks)

        if ratings is not None:
            _rate_moves(game, state, word, moves, ratings, n)
        n = _write(actions, n, action_code(MOVE, source, 0), moves)
    return n


@njit(cache=True)
def _card_targets(game, state, card, actors, pruned):
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
        return hurt_units(state, actors) | (state[UNITS + player] & state[BODIES])
    return units_without(state, actors, t.ITEM_OF_CARD[card])


@njit(cache=True)
def _list_cards(game, state, actors, pruned, n, actions, ratings):
    """Append the actions of the cards in hand to `n` others; returns the new number."""
    player = state[PLAYER]
    hand = state[HAND + player]
    fields = held_cards(hand)
    while fields:
        card = lowest(fields) // CARD_BITS
        fields &= fields - 1
        targets = _card_targets(game, state, card, actors, pruned)
        if ratings is not None:
            _rate_card(game, state, card, targets, ratings, n)
        n = _write(actions, n, action_code(PLAY_CARD, card, 0), targets)
        if state[DECK + player] and not (pruned and card_count(hand, card) == 1):
            actions[n] = action_code(SWAP_CARD, card, 0)
            if ratings is not None:
                ratings[n] = 0
            n += 1
    return n


@njit(cache=True)
def legal_actions(game, state, pruned, actions, ratings):
    """Write the legal actions to `actions`, which has MAX_ACTIONS places; returns their number.

    With `pruned`, leave out casts of Inferno that another outdoes and swaps of single cards,
    unless nothing would be left. The list is empty only when the game is over.
    """
    if state[WINNER] != UNDECIDED:
        return 0
    n = 0
    if state[AP] > 0:
        actors = state[UNITS + state[PLAYER]] & ~state[BODIES] & ~state[CRYSTALS]
        n = _list_units(game, state, actors, actions, ratings)
        n = _list_cards(game, state, actors, pruned, n, actions, ratings)
        if n == 0 and pruned:
            n = _list_cards(game, state, actors, False, 0, actions, ratings)
    if n == 0:
        actions[0] = END_ACTION
        if ratings is not None:
            ratings[0] = END_RATING
        n = 1
    return n


# --- one action -----------------------------------------------------------------------------


@njit(cache=True)
def _is_legal_for_unit(game, state, kind, source, target):
    player = state[PLAYER]
    enemy = 3 - player
    bodies, crystals = state[BODIES], state[CRYSTALS]
    own, theirs = state[UNITS + player], state[UNITS + enemy]
    actors = own & ~bodies & ~crystals
    if not actors >> source & 1 or source == target:
        return False
    bit = 1 << target
    unit = unit_class(state[source])
    if kind == MOVE:
        steppable = game[g.BOARD] & ~((own | theirs) & ~bodies) & ~game[g.DEPLOY_OF + enemy]
        if unit == t.CLERIC:
            steppable &= ~(own & bodies & within(game, t.HEAL_RANGE, source))
        return (within(game, t.SPEED[unit], source) & steppable & bit) != 0
    if kind == ATTACK:
        standing = theirs & ~bodies
        if not within(game, t.ATTACK_RANGE[unit], source) & standing & bit:
            return False
        return (game[g.BETWEEN + N_SQUARES * source + target] & standing) == 0
    if kind == HEAL:
        if unit != t.CLERIC or not within(game, t.HEAL_RANGE, source) & own & ~crystals & bit:
            return False
        if bodies & bit:
            return (game[g.DEPLOY_OF + enemy] & bit) == 0
        return is_hurt(state[target])
    return unit == t.NINJA and (actors & bit) != 0


@njit(cache=True)
def _is_legal_card(game, state, card, target):
    player = state[PLAYER]
    bit = 1 << target
    own = state[UNITS + player] & ~state[CRYSTALS]
    if not game[g.BOARD] & bit or card_count(state[HAND + player], card) == 0:
        return False
    if card < t.N_UNIT_CLASSES:
        standing = (state[UNITS + 1] | state[UNITS + 2]) & ~state[BODIES]
        return (game[g.DEPLOY_OF + player] & ~standing & bit) != 0
    if card == t.INFERNO:
        return True
    if not own & bit:
        return False
    if card == t.REVIVE_POTION:
        return is_hurt(state[target])
    return not state[BODIES] & bit and not unit_items(state[target]) & t.ITEM_OF_CARD[card]


@njit(cache=True)
def is_legal(game, state, action):
    """Whether an action code, any integer below N_ACTION_CODES, is legal in the state."""
    if state[WINNER] != UNDECIDED:
        return False
    kind = action >> KIND_SHIFT
    source = action >> SOURCE_SHIFT & PART_MASK
    target = action & PART_MASK
    if action == END_ACTION:
        if state[AP] == 0:
            return True
        scratch = np.empty(MAX_ACTIONS, np.int64)
        legal_actions(game, state, False, scratch, None)
        return scratch[0] == END_ACTION
    if state[AP] == 0 or kind == END_TURN or kind > SWAP_CARD or target >= N_SQUARES:
        return False
    if kind == PLAY_CARD:
        return source < t.N_CARDS and _is_legal_card(game, state, source, target)
    if kind == SWAP_CARD:
        if source >= t.N_CARDS or target != 0 or state[DECK + state[PLAYER]] == 0:
            return False
        return card_count(state[HAND + state[PLAYER]], source) > 0
    return source < N_SQUARES and _is_legal_for_unit(game, state, kind, source, target)
