"""Deterministic Game Detection, and the mixmax that it switches on.

As in the paper, SEQUENCES random sequences of actions are played REPETITIONS times each, and if
the repetitions of one end in different states, the game is not deterministic. Two things differ
here. A sequence goes on to the end of the turn, since cards are drawn only there. And a state
holds the generator of random draws, so that a plain repetition would always end alike: each one
gets a generator of its own, which the comparison leaves out. As in the paper this is done once, in
the first search of a game, and the verdict is kept: a game with random draws stays one that is not
deterministic when its decks are empty. A search on its own tests the state that it is given.

The paper also calls every game nondeterministic in which there are NPCs, since what they do is no
choice of its tree. The opponent is not counted as one: its actions are edges, with results of
their own, so that the same path always leads to the same state. Whether the opponent will choose
the reply of a best result is another question, which mixmax does not ask.

In deterministic games the mean of an edge is replaced, when edges are selected, by

    (1 - share) * mean + share * best result of the edge

of all that were backed up through it; a better one that came to a shared state below by another
path is not among them. The share is one quarter in the paper. Nor are old results of a reused
tree decayed then.
"""

from heroacademy.engine.bits import random_bits
from heroacademy.engine.copying import copy_state
from heroacademy.engine.hashing import hash_state
from heroacademy.engine.jit import helper
from heroacademy.engine.layout import PLAYER, RNG
from heroacademy.search.common import has_turn, play, random_action
from heroacademy.search.extras import DIFFERED, SEQUENCES_LEFT

SEQUENCES = 5
REPETITIONS = 3


@helper
def is_deterministic(extras):
    """Whether all sequences were tried and ended alike."""
    return extras.numbers[SEQUENCES_LEFT] == 0 and extras.numbers[DIFFERED] == 0


@helper
def try_sequence(game, scratch, extras, counts):
    """Play one random turn several times and compare; the line is used to remember it."""
    state, player = scratch.state, scratch.start[PLAYER]
    first = hash_state(scratch.start)
    for repetition in range(REPETITIONS):
        copy_state(scratch.start, state)
        state[RNG] = random_bits(scratch.rng)
        step = 0
        while has_turn(state, player):
            if repetition == 0:
                extras.line[step] = random_action(game, state, scratch.rng, scratch.actions)
            play(game, state, extras.line[step], counts)
            step += 1
        state[RNG] = 0
        after = hash_state(state)
        if repetition == 0:
            first = after
        elif after != first:
            extras.numbers[DIFFERED] += 1
            break
    extras.numbers[SEQUENCES_LEFT] -= 1


@helper
def raise_best(tree, first, end, result):
    """Keep the best result of each edge of a part of the path, for the player who moves there."""
    for i in range(first, end):
        edge = tree.path_edges[i]
        own = result if tree.node_own[tree.path_nodes[i]] == 1 else -result
        if tree.edge_visits[edge] == 1 or own > tree.edge_best[edge]:
            tree.edge_best[edge] = own
