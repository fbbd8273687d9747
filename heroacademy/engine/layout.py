"""Where everything stands: squares, the state array, the unit word, the action code.

Squares are numbered `y * 9 + x` on every map, so square and action codes mean the same
everywhere; smaller maps leave squares unused.

The state is `STATE_SIZE` int64 words:

    offset            words  meaning
    0                 45     unit word of each square, 0 where the square is empty
    PLAYER            1      player to move, 1 or 2
    TURN              1      turn counter, both players' turns, from 1
    AP                1      action points left
    WINNER            1      UNDECIDED, DRAW, 1 or 2
    HAND + player     2      hand of player 1, of player 2 (a card multiset)
    DECK + player     2      decks (card multisets)
    DRAW_SEED + player 2     draw seeds of the decks
    RNG               1      generator of random draws; 0 in games with deterministic draws
    UNITS + player    2      squares of the player's units, crystals and bodies included
    BODIES            1      squares of knocked-down units of either side
    CRYSTALS          1      squares of crystals of either side

The last four follow from the unit words and are kept up to date, because legal actions,
evaluation and hash then visit a dozen occupied squares instead of 45.

A unit word is `owner << 20 | items << 16 | class << 13 | hp`; a card multiset holds the
count of card `c` in bits `5c` to `5c + 4`.

An action is `kind << 12 | source << 6 | target`, below 2**15. Source and target are squares;
for cards the source is the card, and unused parts are 0.
"""

from heroacademy.engine.jit import bare_kernel, helper

WIDTH, HEIGHT = 9, 5
N_SQUARES = WIDTH * HEIGHT

# --- the state ------------------------------------------------------------------------------

PLAYER = 45
TURN = 46
AP = 47
WINNER = 48
HAND = 48  # + player
DECK = 50  # + player
DRAW_SEED = 52  # + player
RNG = 55
UNITS = 55  # + player
BODIES = 58
CRYSTALS = 59
STATE_SIZE = 60

UNDECIDED = -1
DRAW = 0

# --- unit words -----------------------------------------------------------------------------

EMPTY = 0
HP_MASK = (1 << 13) - 1
CLASS_SHIFT = 13
ITEMS_SHIFT = 16
OWNER_SHIFT = 20
KIT_MASK = 127  # of `word >> CLASS_SHIFT`: class and items together, the index of kit tables
N_KITS = KIT_MASK + 1


@bare_kernel
def unit_word(owner, unit_class, items, hp):
    return owner << OWNER_SHIFT | items << ITEMS_SHIFT | unit_class << CLASS_SHIFT | hp


@bare_kernel
def unit_hp(word):
    return word & HP_MASK


@bare_kernel
def unit_class(word):
    return (word >> CLASS_SHIFT) & 7


@bare_kernel
def unit_items(word):
    return (word >> ITEMS_SHIFT) & 15


@bare_kernel
def unit_owner(word):
    return word >> OWNER_SHIFT


@helper
def unit_kit(word):
    """Class and items as one index below N_KITS."""
    return (word >> CLASS_SHIFT) & KIT_MASK


# --- card multisets -------------------------------------------------------------------------

CARD_BITS = 5
CARD_FIELD = (1 << CARD_BITS) - 1
MAX_COUNT = 15  # of one card in a hand or deck: the sum of two still fits the field
LOWEST_OF_FIELDS = sum(1 << CARD_BITS * card for card in range(11))
UNIT_CARDS = (1 << 5 * CARD_BITS) - 1  # the fields of the five unit cards


@helper
def card_count(cards, card):
    return (cards >> (CARD_BITS * card)) & CARD_FIELD


@helper
def held_cards(cards):
    """The lowest bit of the field of every card that is held."""
    return (cards | cards >> 1 | cards >> 2 | cards >> 3) & LOWEST_OF_FIELDS


@helper
def one_card(card):
    return 1 << (CARD_BITS * card)


# --- action codes ---------------------------------------------------------------------------

END_TURN, MOVE, ATTACK, HEAL, SWAP_UNITS, PLAY_CARD, SWAP_CARD = range(7)
KIND_SHIFT = 12
SOURCE_SHIFT = 6
PART_MASK = 63
N_ACTION_CODES = 1 << 15
END_ACTION = 0

# No position has more: one action for each pair of squares, 45 targets for each of six cards,
# six swaps of cards. The generator may write one place past the end.
MAX_ACTIONS = N_SQUARES * N_SQUARES + 6 * N_SQUARES + 6 + 1


@bare_kernel
def action_code(kind, source, target):
    return kind << KIND_SHIFT | source << SOURCE_SHIFT | target
