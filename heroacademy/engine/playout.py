"""Random games and perft counts."""

import numpy as np

from heroacademy.engine.actions import apply
from heroacademy.engine.copying import copy_state
from heroacademy.engine.jit import bare_kernel, kernel
from heroacademy.engine.layout import MAX_ACTIONS, STATE_SIZE, UNDECIDED, WINNER
from heroacademy.engine.legal import legal_actions, random_legal_action


@bare_kernel
def play_randomly(game, state, rng, steps, actions):
    """Play uniformly random legal actions on `state`, at most `steps`; returns their number."""
    for step in range(steps):
        if state[WINNER] != UNDECIDED:
            return step
        apply(game, state, random_legal_action(game, state, False, rng, actions))
    return steps


@kernel
def perft(game, state, depth):
    """Number of action sequences of length `depth`; ends of turn count, finished games stop."""
    if depth == 0:
        return 1
    actions = np.empty(MAX_ACTIONS, np.int64)
    n = legal_actions(game, state, False, actions, None)
    if depth == 1 or state[WINNER] != UNDECIDED:
        return n
    total = 0
    child = np.empty(STATE_SIZE, np.int64)
    for i in range(n):
        copy_state(state, child)
        apply(game, child, actions[i])
        total += perft(game, child, depth - 1)
    return total
