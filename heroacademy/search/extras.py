"""What the enhancements of MCTS keep besides the tree; the arrays of those that are off are tiny.

history_sum    float64 [HISTORY_PLACES]  sum of the results of an action, for its player, each
                                 from 0 (lost) to 1 (won); place (player - 1) << 15 | action
history_count  int64 [HISTORY_PLACES]    how many they are
gram_keys      uint64 [power of two]     pairs and triples of actions: a table of hashes
gram_sum       float64 [same]    sum of their results, for their player
gram_count     int64 [same]      how many they are
results        float64 [N_RESULTS]       range of the results, and those of all actions together
line           int64 [MAX_DEPTH + LONGEST_ROLLOUT]  the iteration's actions, from the root to
                                 the rollout's end, as player << LINE_SHIFT | action
before         int64 [STATE_SIZE]  the state before the line's last action of free choice
features       int64 [rows, FEATURE_WORDS]  a bit set for each node whose novelty was tested:
                                 features of the node and of its successors
seen           int64 [FEATURE_WORDS]     bit set of the neighbourhood during a test
knowledge      float64 [KNOWLEDGE_ROWS, N_KINDS]  what is known of each kind of object
numbers        int64 [N_NUMBERS] see the names below
"""

from typing import NamedTuple

import numpy as np

from heroacademy.engine import tables as t
from heroacademy.engine.layout import N_ACTION_CODES, N_SQUARES, STATE_SIZE
from heroacademy.search.hashset import places_for
from heroacademy.search.tree import MAX_DEPTH

HISTORY_PLACES = 2 * N_ACTION_CODES
LINE_SHIFT = 15
LINE_ACTION = (1 << LINE_SHIFT) - 1
LONGEST_ROLLOUT = 64  # more than the actions of a turn
MOST_GRAMS = 1 << 19  # no more are kept; the first ones met are
MOST_TESTED = 1 << 16  # nodes; later ones are not tested for novelty

# features of a state: units, their items, cards in hand (one feature for each copy)
UNIT_FEATURES = N_SQUARES * 2 * len(t.CLASS_NAMES) * 2
ITEM_FEATURES = N_SQUARES * len(t.ITEM_LETTERS)
N_FEATURES = UNIT_FEATURES + ITEM_FEATURES + 2 * t.N_CARDS * t.HAND_SIZE
FEATURE_WORDS = (N_FEATURES + 63) // 64

# kinds of objects: five classes of enemy units, then these
ENEMY_CRYSTAL, ENEMY_BODY, OWN_BODY, DEFENSE_SQUARE, POWER_SQUARE, ASSAULT_SQUARE = range(5, 11)
N_KINDS = 11
WEIGHTS, RATES, CHANGES, EVENTS, START_DISTANCES, DISTANCES, BOUNDS = range(7)
KNOWLEDGE_ROWS = 7
LOWEST, HIGHEST = 0, 1  # places in BOUNDS: of what the search's final states had

(
    LINE_LENGTH,  # actions in `line`
    CHOICE,  # place in `line` of the last action of free choice, NO_CHOICE if there is none
    GRAMS,  # entries of the table of pairs and triples
    TESTED,  # rows used in `features`
    SEQUENCES_LEFT,  # to be tried before the game is taken to be deterministic
    DIFFERED,  # sequences whose repetitions differed
    EVENT_KINDS,  # kinds of objects that the action touches, as bits
    VALUE_BEFORE,  # the evaluation before the action
    SEEN,  # actions of the root that breadth-first initialization has seen
    AVOIDED,  # losses that were replaced by something better
) = range(10)
N_NUMBERS = 10
NO_CHOICE = -1

# `results`: the worst and the best result of an undecided game so far, for the searching player;
# then, at the place plus the player, sum and number of the results of a player's actions
LOWEST_RESULT, HIGHEST_RESULT, SUM_OF_ALL, NUMBER_OF_ALL = 0, 1, 1, 3
N_RESULTS = 6


class Extras(NamedTuple):
    history_sum: np.ndarray
    history_count: np.ndarray
    gram_keys: np.ndarray
    gram_sum: np.ndarray
    gram_count: np.ndarray
    results: np.ndarray
    line: np.ndarray
    before: np.ndarray
    features: np.ndarray
    seen: np.ndarray
    knowledge: np.ndarray
    numbers: np.ndarray


def new_extras(room: int = 0, history=False, ngrams=False, novelty=False) -> Extras:
    """Empty arrays, with room for a search of so many iterations."""
    actions = HISTORY_PLACES if history or ngrams else 1
    grams = places_for(min(MOST_GRAMS, 4 * room)) if ngrams else 1
    return Extras(
        history_sum=np.zeros(actions),
        history_count=np.zeros(actions, np.int64),
        gram_keys=np.zeros(grams, np.uint64),
        gram_sum=np.zeros(grams),
        gram_count=np.zeros(grams, np.int64),
        results=np.array([np.inf, -np.inf, 0.0, 0.0, 0.0, 0.0]),
        line=np.zeros(MAX_DEPTH + LONGEST_ROLLOUT, np.int64),
        before=np.zeros(STATE_SIZE, np.int64),
        features=np.zeros((min(MOST_TESTED, room) if novelty else 1, FEATURE_WORDS), np.int64),
        seen=np.zeros(FEATURE_WORDS, np.int64),
        knowledge=np.zeros((KNOWLEDGE_ROWS, N_KINDS)),
        numbers=np.zeros(N_NUMBERS, np.int64),
    )
