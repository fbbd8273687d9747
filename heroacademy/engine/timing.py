"""What the benchmark times: small calls, and one loop that repeats any of them.

A call gets a position (`state`), a legal action of it (`move`) and buffers. It returns
something that depends on what it did, so that nothing is optimised away. The loop counts no
references and contains the call's code: with either, it would cost as much as what it times.
"""

from typing import NamedTuple

import numpy as np

from heroacademy.engine.actions import apply
from heroacademy.engine.copying import copy_state
from heroacademy.engine.evaluation import evaluate
from heroacademy.engine.hashing import hash_state
from heroacademy.engine.jit import helper, part
from heroacademy.engine.layout import AP, MAX_ACTIONS, PLAYER, STATE_SIZE
from heroacademy.engine.legal import is_legal, legal_actions
from heroacademy.engine.playout import play_randomly


class Buffers(NamedTuple):
    state: np.ndarray  # int64 [STATE_SIZE]
    actions: np.ndarray  # int64 [MAX_ACTIONS]
    ratings: np.ndarray  # int64 [MAX_ACTIONS]
    rng: np.ndarray  # int64 [1]


def new_buffers() -> Buffers:
    sizes = Buffers(STATE_SIZE, MAX_ACTIONS, MAX_ACTIONS, 1)
    return Buffers(*(np.zeros(size, np.int64) for size in sizes))


def repeating(call):
    """Compile a loop of `call` over all positions, `repeats` times; it returns the sum.

    `states` is int64 [positions, STATE_SIZE]; `moves` is int64 [rounds, positions], legal
    actions of each position, one a round in turn.
    """

    @helper
    def loop(game, states, moves, weights, buffers, repeats):
        total = 0
        for r in range(repeats):
            for i in range(len(states)):
                total += call(game, states[i], moves[r % len(moves), i], weights, buffers)
        return total

    return loop


@part
def playout(game, state, move, weights, buffers):
    """A random game of at most 1000 actions; returns their number."""
    copy_state(state, buffers.state)
    return play_randomly(game, buffers.state, buffers.rng, 1000, buffers.actions)


@part
def plain_list(game, state, move, weights, buffers):
    return legal_actions(game, state, False, buffers.actions, None)


@part
def rated_list(game, state, move, weights, buffers):
    return legal_actions(game, state, True, buffers.actions, buffers.ratings)


@part
def legality(game, state, move, weights, buffers):
    return np.int64(is_legal(game, state, move))


@part
def apply_to_copy(game, state, move, weights, buffers):
    copy_state(state, buffers.state)
    apply(game, buffers.state, move)
    return buffers.state[AP]


@part
def copy(game, state, move, weights, buffers):
    copy_state(state, buffers.state)
    return buffers.state[PLAYER]


@part
def evaluation(game, state, move, weights, buffers):
    return evaluate(game, state, state[PLAYER], weights)


@part
def hashing(game, state, move, weights, buffers):
    return np.int64(hash_state(state) & np.uint64(1))
