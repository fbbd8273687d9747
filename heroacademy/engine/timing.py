"""Loops that repeat one kernel over many positions, for benchmarks.

`states` is int64 [positions, STATE_SIZE]; `moves` is int64 [positions], a legal action of
each. Every loop returns a sum that depends on all its calls, so that none is optimised away.
"""

import numpy as np

from heroacademy.engine.actions import apply, copy_state
from heroacademy.engine.evaluation import evaluate
from heroacademy.engine.hashing import hash_state
from heroacademy.engine.jit import kernel
from heroacademy.engine.layout import AP, MAX_ACTIONS, N_ACTION_CODES, PLAYER, STATE_SIZE
from heroacademy.engine.legal import is_legal, legal_actions
from heroacademy.engine.playout import play_randomly


@kernel
def repeat_playout(game, states, moves, weights, repeats):
    rng = np.zeros(1, np.int64)
    scratch = np.empty(STATE_SIZE, np.int64)
    actions = np.empty(MAX_ACTIONS, np.int64)
    total = 0
    for _ in range(repeats):
        for i in range(len(states)):
            copy_state(states[i], scratch)
            total += play_randomly(game, scratch, rng, 1000, actions)
    return total


@kernel
def repeat_list(game, states, moves, weights, repeats):
    actions = np.empty(MAX_ACTIONS, np.int64)
    total = 0
    for _ in range(repeats):
        for i in range(len(states)):
            total += legal_actions(game, states[i], False, actions, None)
    return total


@kernel
def repeat_rated_list(game, states, moves, weights, repeats):
    actions = np.empty(MAX_ACTIONS, np.int64)
    ratings = np.empty(MAX_ACTIONS, np.int64)
    total = 0
    for _ in range(repeats):
        for i in range(len(states)):
            total += legal_actions(game, states[i], True, actions, ratings)
    return total


@kernel
def repeat_legality(game, states, moves, weights, repeats):
    total = 0
    for r in range(repeats):
        for i in range(len(states)):
            code = moves[i] if r & 1 else (moves[i] * 31 + r) % N_ACTION_CODES
            total += is_legal(game, states[i], code)
    return total


@kernel
def repeat_apply(game, states, moves, weights, repeats):
    """A copy and an `apply` each."""
    scratch = np.empty(STATE_SIZE, np.int64)
    total = 0
    for _ in range(repeats):
        for i in range(len(states)):
            copy_state(states[i], scratch)
            apply(game, scratch, moves[i])
            total += scratch[AP]
    return total


@kernel
def repeat_copy(game, states, moves, weights, repeats):
    scratch = np.empty(STATE_SIZE, np.int64)
    total = 0
    for r in range(repeats):
        for i in range(len(states)):
            copy_state(states[i], scratch)
            total += scratch[i & 31]
    return total


@kernel
def repeat_evaluate(game, states, moves, weights, repeats):
    total = 0
    for _ in range(repeats):
        for i in range(len(states)):
            total += evaluate(game, states[i], states[i][PLAYER], weights)
    return total


@kernel
def repeat_hash(game, states, moves, weights, repeats):
    total = np.uint64(0)
    for _ in range(repeats):
        for i in range(len(states)):
            total += hash_state(states[i])
    return total
