"""Knowledge-Based Evaluations: prefer states nearer to what proved worthwhile.

Kinds of objects are enemy units by class, enemy crystals, bodies of either side, and the squares
for defense, power and assault. The avatar of the paper is here the nearest of the searching
player's standing units; the board has no walls, so the way to an object is as long as the
distance in rows and columns. A final state has, with the weight w and the distances d of each
kind at the root and now, the nearness

    v = sum of w * (d at the root - d now)

where kinds that either state lacks are left out. The paper scales it to the range of the bonus
without saying how; here its bounds are the least and the most that ended an iteration of the search
so far, and the bonus goes from 0 to the limit between them. The paper adds it only where a
result equals the evaluation of the root, because its scores hardly ever change. Here they always
do, so every final state gets it unless the game is over.

Weights begin as in the paper: NPCs are enemy units, movables are bodies, resources and portals
are special squares and crystals. They are learnt whenever an action of the searching player, in
the tree or in a rollout, touches an object: attacks and heals it, steps on it, or casts on it.
The change in score is that of the evaluation, in units of POINTS_OF_AN_EVENT.
"""

import numpy as np

from heroacademy.engine import game as g
from heroacademy.engine import tables as t
from heroacademy.engine.bits import lowest
from heroacademy.engine.evaluation import evaluate
from heroacademy.engine.jit import helper
from heroacademy.engine.layout import (
    BODIES,
    CRYSTALS,
    KIND_SHIFT,
    MOVE,
    PART_MASK,
    PLAY_CARD,
    SOURCE_SHIFT,
    SWAP_CARD,
    SWAP_UNITS,
    UNDECIDED,
    UNITS,
    WIDTH,
    WINNER,
    unit_class,
)
from heroacademy.search.extras import (
    ASSAULT_SQUARE,
    BOUNDS,
    CHANGES,
    DEFENSE_SQUARE,
    DISTANCES,
    ENEMY_BODY,
    EVENTS,
    HIGHEST,
    KNOWLEDGE_ROWS,
    LOWEST,
    N_KINDS,
    OWN_BODY,
    POWER_SQUARE,
    RATES,
    START_DISTANCES,
    WEIGHTS,
)
from heroacademy.search.jit import kernel

POINTS_OF_AN_EVENT = 100.0  # of the evaluation: about the least that a hit changes
FIRST_RATE, LEAST_RATE, RATE_FACTOR = 0.8, 0.1, 0.75
NPC_WEIGHT, MOVABLE_WEIGHT, RESOURCE_WEIGHT = 0.1, 0.25, 1.0
WEIGHT_A_TURN = 1e-4  # what all weights gain each turn of a game, against giving up on a kind
IGNORED_WEIGHT = 1e-4
ABSENT = -1.0  # the distance to a kind of which there is none
_FAR = 99


def first_knowledge() -> np.ndarray:
    """What is known at the start of a game."""
    knowledge = np.zeros((KNOWLEDGE_ROWS, N_KINDS))
    knowledge[WEIGHTS] = RESOURCE_WEIGHT
    knowledge[WEIGHTS, : t.N_UNIT_CLASSES] = NPC_WEIGHT
    knowledge[WEIGHTS, [ENEMY_BODY, OWN_BODY]] = MOVABLE_WEIGHT
    knowledge[RATES] = FIRST_RATE
    return knowledge


# --- objects --------------------------------------------------------------------------------


@helper
def unit_kind(state, player, square):
    """The kind of the unit on a square for a player, as a bit; 0 if it is none."""
    bit = 1 << square
    enemies = state[UNITS + 3 - player]
    if state[BODIES] & bit:
        return 1 << (ENEMY_BODY if enemies & bit else OWN_BODY)
    if enemies & bit:
        return 1 << unit_class(state[square])  # crystals are the class after the units
    return 0


@helper
def square_kind(game, square):
    """The kind of a special square, as a bit; 0 if it is none."""
    kind = game[g.SQUARE_KIND + square]
    if kind == t.DEFENSE:
        return 1 << DEFENSE_SQUARE
    if kind == t.POWER_SQUARE:
        return 1 << POWER_SQUARE
    return 1 << ASSAULT_SQUARE if kind == t.ASSAULT else 0


@helper
def _nearest(units, square):
    """Distance of the nearest of some units to a square."""
    best = _FAR
    while units:
        unit = lowest(units)
        units &= units - 1
        across, down = unit % WIDTH - square % WIDTH, unit // WIDTH - square // WIDTH
        best = min(best, abs(across) + abs(down))
    return best


@helper
def measure(game, state, player, knowledge, row):
    """Write the distances from a player's standing units to the nearest object of each kind."""
    for kind in range(N_KINDS):
        knowledge[row, kind] = ABSENT
    own = state[UNITS + player] & ~state[BODIES] & ~state[CRYSTALS]
    if own == 0:
        return
    squares = state[UNITS + 3 - player] | state[BODIES] | game[g.SPECIAL_SQUARES]
    while squares:
        square = lowest(squares)
        squares &= squares - 1
        kinds = unit_kind(state, player, square) | square_kind(game, square)
        if kinds == 0:
            continue
        distance = _nearest(own, square)
        while kinds:
            kind = lowest(kinds)
            kinds &= kinds - 1
            nearest = knowledge[row, kind]
            if nearest == ABSENT or distance < nearest:
                knowledge[row, kind] = distance


@kernel
def measure_start(game, state, player, knowledge):
    """Write the distances at the root; the bounds of the bonus are open again."""
    measure(game, state, player, knowledge, START_DISTANCES)
    knowledge[BOUNDS, LOWEST], knowledge[BOUNDS, HIGHEST] = np.inf, -np.inf


@helper
def nearness(game, state, player, knowledge):
    """How much nearer to objects the player's units are than at the root, in weighted steps."""
    measure(game, state, player, knowledge, DISTANCES)
    total = 0.0
    for kind in range(N_KINDS):
        weight = knowledge[WEIGHTS, kind]
        then, now = knowledge[START_DISTANCES, kind], knowledge[DISTANCES, kind]
        if abs(weight) >= IGNORED_WEIGHT and then != ABSENT and now != ABSENT:
            total += weight * (then - now)
    return total


@helper
def bonus(nearer, knowledge, limit):
    """What a final state gets besides its evaluation, 0 to `limit`, from its nearness."""
    lowest, highest = knowledge[BOUNDS, LOWEST], knowledge[BOUNDS, HIGHEST]
    if lowest >= highest:
        return 0.5 * limit
    return limit * min(max((nearer - lowest) / (highest - lowest), 0.0), 1.0)


@helper
def known_value(game, state, player, weights, knowledge, limit, is_end):
    """The evaluation of a final state, with the bonus unless the game is over or `limit` is 0.

    If it is the one that ends an iteration, the bounds are widened to hold its nearness.
    """
    value = float(evaluate(game, state, player, weights))
    if limit > 0.0 and state[WINNER] == UNDECIDED:
        nearer = nearness(game, state, player, knowledge)
        if is_end:
            knowledge[BOUNDS, LOWEST] = min(knowledge[BOUNDS, LOWEST], nearer)
            knowledge[BOUNDS, HIGHEST] = max(knowledge[BOUNDS, HIGHEST], nearer)
        value += bonus(nearer, knowledge, limit)
    return value


# --- learning -------------------------------------------------------------------------------


@helper
def touched_kinds(game, state, player, action):
    """The kinds of objects that an action of the player touches, as bits."""
    kind = action >> KIND_SHIFT
    target = action & PART_MASK
    if kind < MOVE or kind == SWAP_CARD:
        return 0
    if kind == PLAY_CARD and action >> SOURCE_SHIFT & PART_MASK == t.INFERNO:
        kinds = 0
        squares = game[g.AROUND + target] & state[UNITS + 3 - player]
        while squares:
            kinds |= unit_kind(state, player, lowest(squares))
            squares &= squares - 1
        return kinds
    kinds = unit_kind(state, player, target)
    if kind in (MOVE, SWAP_UNITS):
        kinds |= square_kind(game, target)
    return kinds


@helper
def learn(knowledge, kinds, change):
    """Learn from a change of the evaluation after objects were touched."""
    while kinds:
        kind = lowest(kinds)
        kinds &= kinds - 1
        knowledge[CHANGES, kind] += change / POINTS_OF_AN_EVENT
        knowledge[EVENTS, kind] += 1.0
        mean = knowledge[CHANGES, kind] / knowledge[EVENTS, kind]
        knowledge[WEIGHTS, kind] += (mean - knowledge[WEIGHTS, kind]) * knowledge[RATES, kind]
        knowledge[RATES, kind] = max(LEAST_RATE, RATE_FACTOR * knowledge[RATES, kind])
