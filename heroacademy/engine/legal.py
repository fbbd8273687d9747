"""The list of legal actions, and the test of a single one.

`ratings` and `grouped` may be None: Numba then compiles the generator without them.
"""

from heroacademy.engine import tables as t
from heroacademy.engine.bits import count, lowest, random_below
from heroacademy.engine.jit import bare_kernel, helper
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
    WINNER,
    action_code,
    card_count,
    held_cards,
    unit_class,
)
from heroacademy.engine.ratings import (
    END_RATING,
    WIZARD_RATING,
    fill,
    rate_card,
    rate_heals,
    rate_moves,
)
from heroacademy.engine.targets import (
    ALL_SQUARES,
    attack_targets,
    card_targets,
    heal_targets,
    look,
    move_targets,
    swap_targets,
)
from heroacademy.engine.units import power

# A group is the actions that differ in the target alone, as one word: code << GROUP_SHIFT |
# targets. The code of an action without a target ends in zeros, so the two do not overlap.
GROUP_SHIFT = N_SQUARES - SOURCE_SHIFT
_NO_TARGET = 1  # the set of square 0, which stands for none


@helper
def _write(actions, n, code, targets):
    """Append `code` with each target square; returns the new number of actions.

    Two at a time, one past the end too: a loop whose length the processor can guess is worth
    more than the stores it wastes.
    """
    end = n + count(targets)
    while targets:
        for i in range(2):
            actions[n + i] = code | lowest(targets)
            targets &= targets - 1
        n += 2
    return end


@helper
def _append(actions, n, code, targets, grouped):
    """Append actions, or as one word if they are to be `grouped`; returns the new number."""
    if grouped is None:
        return _write(actions, n, code, targets)
    actions[n] = code << GROUP_SHIFT | targets
    return n + (targets != 0)


# --- the list -------------------------------------------------------------------------------


@helper
def _list_units(game, state, actions, ratings, grouped):
    """Write the actions of the units on the board; returns their number."""
    actors, steppable, revivable, enemies = look(game, state)
    n = 0
    units = actors
    while units:
        source = lowest(units)
        units &= units - 1
        word = state[source]
        unit = unit_class(word)

        heals = heal_targets(game, state, unit, source, actors, revivable, ALL_SQUARES)
        if ratings is not None:
            rate_heals(state, heals, ratings, n)
        n = _append(actions, n, action_code(HEAL, source, 0), heals, grouped)

        swaps = swap_targets(unit, source, actors)
        if ratings is not None:
            fill(ratings, n, 0, swaps)
        n = _append(actions, n, action_code(SWAP_UNITS, source, 0), swaps, grouped)

        attacks = attack_targets(game, unit, source, enemies, ALL_SQUARES)
        if ratings is not None:
            extra = WIZARD_RATING if unit == t.WIZARD else 0
            fill(ratings, n, power(game, source, word) + extra, attacks)
        n = _append(actions, n, action_code(ATTACK, source, 0), attacks, grouped)

        moves = move_targets(game, unit, source, steppable, revivable)
        if ratings is not None:
            rate_moves(game, state, word, moves, ratings, n)
        n = _append(actions, n, action_code(MOVE, source, 0), moves, grouped)
    return n


@helper
def _list_cards(game, state, pruned, n, actions, ratings, grouped):
    """Append the actions of the cards in hand to `n` others; returns the new number."""
    player = state[PLAYER]
    actors = state[UNITS + player] & ~state[BODIES] & ~state[CRYSTALS]
    hand = state[HAND + player]
    fields = held_cards(hand)
    while fields:
        card = lowest(fields) // CARD_BITS
        fields &= fields - 1
        targets = card_targets(game, state, card, actors, pruned, ALL_SQUARES)
        if ratings is not None:
            rate_card(game, state, card, targets, ratings, n)
        n = _append(actions, n, action_code(PLAY_CARD, card, 0), targets, grouped)
        if state[DECK + player] and not (pruned and card_count(hand, card) == 1):
            if ratings is not None:
                ratings[n] = 0
            n = _append(actions, n, action_code(SWAP_CARD, card, 0), _NO_TARGET, grouped)
    return n


@helper
def _list(game, state, pruned, actions, ratings, grouped):
    if state[WINNER] != UNDECIDED:
        return 0
    n = 0
    if state[AP] > 0:
        n = _list_units(game, state, actions, ratings, grouped)
        n = _list_cards(game, state, pruned, n, actions, ratings, grouped)
        if n == 0 and pruned:
            n = _list_cards(game, state, False, 0, actions, ratings, grouped)
    if n == 0:
        n = _append(actions, n, END_ACTION, _NO_TARGET, grouped)
        if ratings is not None:
            ratings[0] = END_RATING
    return n


@bare_kernel
def legal_actions(game, state, pruned, actions, ratings):
    """Write the legal actions to `actions`, which has MAX_ACTIONS places; returns their number.

    With `pruned`, leave out casts of Inferno that another outdoes and swaps of single cards,
    unless nothing would be left. The list is empty only when the game is over.
    """
    return _list(game, state, pruned, actions, ratings, None)


# --- a random action, without writing the list ----------------------------------------------


@helper
def _action_at(groups, index):
    """Action number `index` of those in groups."""
    i = 0
    while index >= count(groups[i] & ALL_SQUARES):
        index -= count(groups[i] & ALL_SQUARES)
        i += 1
    targets = groups[i] & ALL_SQUARES
    for _ in range(index):
        targets &= targets - 1
    return groups[i] >> N_SQUARES << SOURCE_SHIFT | lowest(targets)


@bare_kernel
def random_legal_action(game, state, pruned, rng, groups):
    """`actions[random_below(rng, n)]` of the list; the game must not be over.

    Playouts are a fifth faster with it than with a list. `groups` has as many places as a
    list of actions; what is written there is of no use afterwards.
    """
    n = _list(game, state, pruned, groups, None, True)
    actions = 0
    for i in range(n):
        actions += count(groups[i] & ALL_SQUARES)
    return _action_at(groups, random_below(rng, actions))


# --- one action -----------------------------------------------------------------------------


@helper
def _unit_aims(game, state, kind, source, among):
    """Squares that the unit on `source` may aim an action of one kind at."""
    actors, steppable, revivable, enemies = look(game, state)
    if not actors >> source & 1:
        return 0
    unit = unit_class(state[source])
    if kind == MOVE:
        return move_targets(game, unit, source, steppable, revivable)
    if kind == ATTACK:
        return attack_targets(game, unit, source, enemies, among)
    if kind == HEAL:
        return heal_targets(game, state, unit, source, actors, revivable, among)
    return swap_targets(unit, source, actors)


@helper
def _card_aims(game, state, card, among):
    """Squares on which a card may be played, none if it is not in hand."""
    player = state[PLAYER]
    if card_count(state[HAND + player], card) == 0:
        return 0
    actors = state[UNITS + player] & ~state[BODIES] & ~state[CRYSTALS]
    return card_targets(game, state, card, actors, False, among)


@helper
def _can_do_anything(game, state):
    """Whether there is any action but the end of the turn."""
    player = state[PLAYER]
    if state[HAND + player] and state[DECK + player]:
        return True
    for card in range(t.N_CARDS):
        if _card_aims(game, state, card, ALL_SQUARES):
            return True
    units = state[UNITS + player]
    while units:
        source = lowest(units)
        units &= units - 1
        for kind in range(MOVE, SWAP_UNITS + 1):
            if _unit_aims(game, state, kind, source, ALL_SQUARES):
                return True
    return False


@bare_kernel
def is_legal(game, state, action):
    """Whether an action code, any integer below N_ACTION_CODES, is legal in the state."""
    if state[WINNER] != UNDECIDED:
        return False
    if action == END_ACTION:
        return state[AP] == 0 or not _can_do_anything(game, state)
    kind = action >> KIND_SHIFT
    source = action >> SOURCE_SHIFT & PART_MASK
    target = action & PART_MASK
    if state[AP] == 0 or kind == END_TURN or kind > SWAP_CARD or target >= N_SQUARES:
        return False
    if kind == SWAP_CARD:
        player = state[PLAYER]
        held = source < t.N_CARDS and card_count(state[HAND + player], source) > 0
        return held and target == 0 and state[DECK + player] != 0
    bit = 1 << target
    if kind == PLAY_CARD:
        return source < t.N_CARDS and (_card_aims(game, state, source, bit) & bit) != 0
    return source < N_SQUARES and (_unit_aims(game, state, kind, source, bit) & bit) != 0
