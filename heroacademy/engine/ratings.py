"""How promising an action looks before it is tried: the order in which searches try actions."""

from heroacademy.engine import game as g
from heroacademy.engine import tables as t
from heroacademy.engine.bits import count, lowest
from heroacademy.engine.jit import helper
from heroacademy.engine.layout import BODIES, PLAYER, UNITS, unit_class, unit_hp, unit_items
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


@helper
def fill(ratings, n, rating, targets):
    """Give all `targets`, written from index `n` on, the same rating; two at a time."""
    end = n + count(targets)
    while n < end:
        for i in range(2):
            ratings[n + i] = rating
        n += 2


@helper
def rate_moves(game, state, mover, moves, ratings, first):
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


@helper
def rate_heals(state, heals, ratings, first):
    """Rate healing each of `heals`, written from index `first` on."""
    i = first
    while heals:
        word = state[lowest(heals)]
        heals &= heals - 1
        ratings[i] = REVIVE_RATING if unit_hp(word) == 0 else max_hp(word) - unit_hp(word)
        i += 1


@helper
def _potion_rating(state, target):
    word = state[target]
    if unit_hp(word) == 0:
        return max_hp(word) + POTION_ITEM_RATING * count(unit_items(word))
    return max_hp(word) - unit_hp(word) + POTION_STANDING_RATING


@helper
def _inferno_rating(game, state, target):
    hits = game[g.AROUND + target] & state[UNITS + 3 - state[PLAYER]]
    rating = INFERNO_RATING + INFERNO_HIT_RATING * count(hits & ~state[BODIES])
    bodies = hits & state[BODIES]
    while bodies:
        rating += 2 * max_hp(state[lowest(bodies)])
        bodies &= bodies - 1
    return rating


@helper
def rate_card(game, state, card, targets, ratings, first):
    """Rate playing a card on each of `targets`, written from index `first` on."""
    if card < t.N_UNIT_CLASSES:
        fill(ratings, first, DEPLOY_RATING, targets)
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
