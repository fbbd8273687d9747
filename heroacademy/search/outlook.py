"""What comes after a planned turn: the opponent's reply by Greedy Action, own later turns.

A plan beyond its turn holds actions of both players from place `turn` on, ends of turns left
out, NO_ACTION after its end. Outcomes, the states after turns, are remembered by their hash:

    keys       uint64 [places]  hashes of outcomes; see hashset
    values     int64 [places]   value of each
    size       int64 [1]        number of outcomes
"""

from typing import NamedTuple

import numpy as np

from heroacademy.engine.evaluation import WIN_VALUE, evaluate
from heroacademy.engine.jit import part
from heroacademy.engine.layout import PLAYER, UNDECIDED, WINNER
from heroacademy.search.common import greedy_action, other_action, play_on
from heroacademy.search.genomes import end, is_playable, replace
from heroacademy.search.hashset import as_key, find
from heroacademy.search.jit import kernel

LOWEST = -2 * WIN_VALUE  # below all values


class Memory(NamedTuple):
    keys: np.ndarray
    values: np.ndarray
    size: np.ndarray


def new_memory(places: int) -> Memory:
    return Memory(np.zeros(places, np.uint64), np.zeros(places, np.int64), np.zeros(1, np.int64))


@part
def recall(memory, outcome):
    """The value of an outcome, LOWEST if it is not remembered."""
    key = as_key(outcome)
    place = find(memory.keys, key)
    return memory.values[place] if memory.keys[place] == key else LOWEST


@part
def remember(memory, outcome, value):
    """Keep the value of an outcome, as long as there is room."""
    key = as_key(outcome)
    place = find(memory.keys, key)
    if memory.keys[place] != key:
        if 4 * memory.size[0] >= 3 * len(memory.keys):
            return
        memory.keys[place] = key
        memory.size[0] += 1
    memory.values[place] = value


@kernel
def look_ahead(game, plan, settings, scratch, weights, changed, floor, counts):
    """Fill a plan beyond its turn and value its end; `scratch.state` is the state after the turn.

    The opponent's actions are Greedy Action's; own ones stay as they are while they are legal,
    but for number `changed`, which becomes another one. With `settings.cut` a reply that brings
    the value below a floor is not played on: whatever follows, the plan is of no use.
    """
    state = scratch.state
    own = 0
    for i in range(len(plan) - settings.beyond, len(plan)):
        if state[WINNER] != UNDECIDED:
            end(plan, i, len(plan))
            break
        if state[PLAYER] != settings.player:
            action = greedy_action(game, state, weights, settings.best_of, scratch, counts)
        else:
            action = plan[i]
            if own == changed:
                action = other_action(game, state, scratch.rng, scratch.actions, action)
            elif not is_playable(game, state, action):
                action = replace(game, settings, scratch, weights, counts)
            own += 1
        play_on(game, state, action, counts)
        plan[i] = action
        if settings.cut and evaluate(game, state, settings.player, weights) < floor:
            end(plan, i + 1, len(plan))
            break
    return evaluate(game, state, settings.player, weights)
