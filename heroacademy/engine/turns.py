"""Dealing, drawing, the end of a turn and the end of the game."""

from heroacademy.engine import game as g
from heroacademy.engine.bits import lowest, random_below
from heroacademy.engine.jit import bare_kernel, helper
from heroacademy.engine.layout import (
    AP,
    BODIES,
    CARD_BITS,
    CRYSTALS,
    DECK,
    DRAW,
    DRAW_SEED,
    HAND,
    PLAYER,
    RNG,
    TURN,
    UNIT_CARDS,
    UNITS,
    WINNER,
    card_count,
    one_card,
)
from heroacademy.engine.tables import HAND_SIZE, STARTING_UNITS
from heroacademy.engine.units import remove

INITIAL_SEEDS = 1000  # draw seeds of a new game are below this


@helper
def cards_held(cards):
    """Number of cards in a multiset."""
    total = 0
    while cards:
        total += card_count(cards, 0)
        cards >>= CARD_BITS
    return total


@helper
def card_at(cards, index):
    """Card at a position when a multiset is listed in card order."""
    card = 0
    while index >= card_count(cards, card):
        index -= card_count(cards, card)
        card += 1
    return card


@bare_kernel
def next_draw_seed(seed):
    return seed // 10 if seed > 100_000 else seed * 13 // 10 + 7


@bare_kernel
def draw_cards(game, state, player):
    """Fill a player's hand from the deck."""
    missing = HAND_SIZE - cards_held(state[HAND + player])
    size = cards_held(state[DECK + player])
    while missing > 0 and size > 0:
        if game[g.RANDOM_DRAWS]:
            index = random_below(state[RNG : RNG + 1], size)
        else:
            state[DRAW_SEED + player] = next_draw_seed(state[DRAW_SEED + player])
            index = state[DRAW_SEED + player] % size
        card = one_card(card_at(state[DECK + player], index))
        state[DECK + player] -= card
        state[HAND + player] += card
        missing -= 1
        size -= 1


@bare_kernel
def deal(game, state):
    """Deal both players' hands, again and again until each holds the right number of units."""
    for player in (1, 2):
        while True:
            state[DECK + player] += state[HAND + player]
            state[HAND + player] = 0
            draw_cards(game, state, player)
            if cards_held(state[HAND + player] & UNIT_CARDS) == STARTING_UNITS:
                break


@bare_kernel
def is_alive(state, player):
    """Has a crystal, and a unit on the board (bodies count), in hand or in deck."""
    own = state[UNITS + player]
    cards = (state[HAND + player] | state[DECK + player]) & UNIT_CARDS
    return (own & state[CRYSTALS]) != 0 and ((own & ~state[CRYSTALS]) | cards) != 0


@bare_kernel
def decide(state):
    """End the game: whoever is still alive has won, a draw if both or neither are."""
    alive_1, alive_2 = is_alive(state, 1), is_alive(state, 2)
    if alive_1 == alive_2:
        state[WINNER] = DRAW
    else:
        state[WINNER] = 1 if alive_1 else 2


@helper
def end_turn(game, state):
    player = state[PLAYER]
    other = 3 - player
    bodies = state[UNITS + player] & state[BODIES]
    while bodies:
        remove(state, lowest(bodies))
        bodies &= bodies - 1

    out_of_turns = state[TURN] >= game[g.TURN_LIMIT]
    if out_of_turns or not (is_alive(state, 1) and is_alive(state, 2)):
        decide(state)
        return

    draw_cards(game, state, player)
    draw_cards(game, state, other)
    state[PLAYER] = other
    state[AP] = game[g.ACTION_POINTS]
    state[TURN] += 1


@bare_kernel
def redetermine(game, state, viewer, rng):
    """Draw anew what `viewer` cannot see: the other player's hand and the order of both decks.

    The other player's hand keeps its size; its cards are drawn from hand and deck together.
    """
    other = 3 - viewer
    size = cards_held(state[HAND + other])
    unseen = state[HAND + other] + state[DECK + other]
    left = cards_held(unseen)
    hand = 0
    for _ in range(size):
        card = one_card(card_at(unseen, random_below(rng, left)))
        unseen -= card
        hand += card
        left -= 1
    state[HAND + other] = hand
    state[DECK + other] = unseen
    for player in (1, 2):
        state[DRAW_SEED + player] = random_below(rng, INITIAL_SEEDS)
    if game[g.RANDOM_DRAWS]:
        state[RNG] = rng[0]
