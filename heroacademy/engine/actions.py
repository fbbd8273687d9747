"""`apply`: the effect of every action."""

from heroacademy.engine import game as g
from heroacademy.engine import tables as t
from heroacademy.engine.bits import lowest
from heroacademy.engine.jit import bare_kernel, helper
from heroacademy.engine.layout import (
    AP,
    ATTACK,
    BODIES,
    CRYSTALS,
    DECK,
    EMPTY,
    END_TURN,
    HAND,
    HEAL,
    ITEMS_SHIFT,
    KIND_SHIFT,
    MOVE,
    N_SQUARES,
    PART_MASK,
    PLAY_CARD,
    PLAYER,
    SOURCE_SHIFT,
    SWAP_UNITS,
    UNITS,
    WIDTH,
    one_card,
    unit_class,
    unit_hp,
    unit_owner,
    unit_word,
)
from heroacademy.engine.turns import decide, end_turn
from heroacademy.engine.units import (
    assault_bonus,
    hurt,
    power,
    put,
    relocate,
    remove,
    resistance,
    set_hp,
)

FULL = 100  # percent


@helper
def _sign(x):
    return (x > 0) - (x < 0)


@helper
def direction(source, target):
    """Index into DIRECTIONS of the clamped step from one square towards another."""
    dx = _sign(target % WIDTH - source % WIDTH)
    dy = _sign(target // WIDTH - source // WIDTH)
    return g.DIRECTION_OF_SIGNS[dy + 1, dx + 1]


@helper
def _strike(game, state, attacker, strength, target, percent):
    """One hit on a standing enemy: `strength` before resistance, `percent` of the rest."""
    word = state[target]
    magical = t.IS_MAGICAL[unit_class(attacker)]
    damage = strength * (100 - resistance(game, target, word, magical)) // 100
    if percent != FULL:
        damage = damage * percent // 100
    if unit_class(word) == t.CRYSTAL:
        damage += assault_bonus(game, state, unit_owner(attacker))
    hurt(state, target, damage)


@helper
def _push(game, state, source, target):
    """A knight's blow pushes its defender one square away, if it can go there."""
    word = state[target]
    if word == EMPTY or unit_class(word) == t.CRYSTAL:
        return
    beyond = game[g.NEXT + 8 * target + direction(source, target)]
    if beyond == g.OFF_BOARD:
        return
    bit = 1 << beyond
    standing = (state[UNITS + 1] | state[UNITS + 2]) & ~state[BODIES]
    if (standing | game[g.DEPLOY_OF + 3 - unit_owner(word)]) & bit:
        return
    relocate(state, target, beyond)


@helper
def _chain(game, state, attacker, strength, source, first):
    """Chain lightning jumps on from the first target, up to twice."""
    enemy = 3 - unit_owner(attacker)
    square, heading = first, direction(source, first)
    for percent in t.CHAIN_PERCENT:
        standing = state[UNITS + enemy] & ~state[BODIES]
        if not standing & game[g.AROUND + square]:
            return
        jumped = False
        for i in range(g.CHAIN_ORDER.shape[1]):
            following = g.CHAIN_ORDER[heading, i]
            target = game[g.NEXT + 8 * square + following]
            if target != g.OFF_BOARD and standing >> target & 1:
                _strike(game, state, attacker, strength, target, percent)
                square, heading = target, following
                jumped = True
                break
        if not jumped:
            return


@helper
def _use_scroll(state, square):
    state[square] &= ~(t.SCROLL << ITEMS_SHIFT)


@helper
def _win_if_no_crystal(state, loser):
    if not state[UNITS + loser] & state[CRYSTALS]:
        decide(state)


@helper
def _attack(game, state, source, target):
    attacker = state[source]
    kind = unit_class(attacker)
    strength = power(game, source, attacker)
    if game[g.WITHIN + N_SQUARES + source] >> target & 1:
        strength = strength * t.MELEE_PERCENT[kind] // 100
    _strike(game, state, attacker, strength, target, FULL)
    if kind == t.KNIGHT:
        _push(game, state, source, target)
    elif kind == t.WIZARD:
        _chain(game, state, attacker, strength, source, target)
    _use_scroll(state, source)
    _win_if_no_crystal(state, 3 - unit_owner(attacker))


@helper
def _heal(game, state, source, target):
    hp = unit_hp(state[target])
    factor = t.HEAL_FACTOR if hp > 0 else t.REVIVE_FACTOR
    set_hp(state, target, hp + factor * power(game, source, state[source]))
    _use_scroll(state, source)


@helper
def _inferno(game, state, player, target):
    enemy = 3 - player
    squares = game[g.AROUND + target] & state[UNITS + enemy]
    while squares:
        square = lowest(squares)
        squares &= squares - 1
        word = state[square]
        if unit_hp(word) == 0:
            remove(state, square)
            continue
        damage = t.INFERNO_DAMAGE
        if unit_class(word) == t.CRYSTAL:
            damage += assault_bonus(game, state, player)
        hurt(state, square, damage * (100 - resistance(game, square, word, True)) // 100)
    _win_if_no_crystal(state, enemy)


@helper
def _equip(state, square, item):
    state[square] |= item << ITEMS_SHIFT
    if item & (t.DRAGONSCALE | t.SHINING_HELM):
        hp = unit_hp(state[square])
        set_hp(state, square, hp + hp // 10)


@helper
def _play_card(game, state, card, target):
    player = state[PLAYER]
    state[HAND + player] -= one_card(card)
    if card < t.N_UNIT_CLASSES:
        if state[target] != EMPTY:
            remove(state, target)
        put(state, target, unit_word(player, card, 0, t.BASE_HP[card]))
    elif card == t.INFERNO:
        _inferno(game, state, player, target)
    elif card == t.REVIVE_POTION:
        hp = unit_hp(state[target])
        set_hp(state, target, hp + (t.POTION_HEAL if hp > 0 else t.POTION_REVIVE))
    else:
        _equip(state, target, t.ITEM_OF_CARD[card])


@bare_kernel
def apply(game, state, action):
    """Change `state` by one legal action."""
    kind = action >> KIND_SHIFT
    source = action >> SOURCE_SHIFT & PART_MASK
    target = action & PART_MASK
    if kind == END_TURN:
        end_turn(game, state)
        return
    state[AP] -= 1
    if kind == MOVE:
        relocate(state, source, target)
    elif kind == ATTACK:
        _attack(game, state, source, target)
    elif kind == HEAL:
        _heal(game, state, source, target)
    elif kind == SWAP_UNITS:  # both stand and are the player's own: only the words change
        state[source], state[target] = state[target], state[source]
    elif kind == PLAY_CARD:
        _play_card(game, state, source, target)
    else:
        player = state[PLAYER]
        state[HAND + player] -= one_card(source)
        state[DECK + player] += one_card(source)
