"""A bandit model of turns: statistics of single actions and pairs of actions at their places.

    keys       uint64 [places]     tuples by their hash; see hashset
    visits     int64 [places]      how many evaluated turns had the tuple
    totals     float64 [places]    sum of their normalised values
    pools      int64 [turn, most]  actions known for each place of a turn
    sizes      int64 [turn]        how many they are
    counts     int64               ENTRIES: tuples in the table, TURNS: evaluated turns
    sum        float64 [1]         of all their normalised values

A tuple is two places and their actions, twice the same for a single action. Once the table is
full, new tuples are not kept: they stay unseen.
"""

from typing import NamedTuple

import numpy as np

from heroacademy.engine.bits import mix
from heroacademy.engine.jit import part
from heroacademy.search.common import NO_ACTION, logarithm
from heroacademy.search.hashset import FREE, as_key, find
from heroacademy.search.jit import kernel

ENTRIES, TURNS = range(2)
ACTION_BITS, PLACE_BITS = 15, 10
LONGEST_TURN = 1 << PLACE_BITS
MOST_TUPLES = 1 << 20
MOST_ACTIONS = 1 << 10  # at one place
HALF = 0.5  # a visit more for every tuple, so that unseen ones have a bound


class Model(NamedTuple):
    keys: np.ndarray
    visits: np.ndarray
    totals: np.ndarray
    pools: np.ndarray
    sizes: np.ndarray
    counts: np.ndarray
    sum: np.ndarray


def new_model(turn: int, places: int) -> Model:
    return Model(
        keys=np.zeros(places, np.uint64),
        visits=np.zeros(places, np.int64),
        totals=np.zeros(places, np.float64),
        pools=np.full((turn, MOST_ACTIONS), NO_ACTION, np.int64),
        sizes=np.zeros(turn, np.int64),
        counts=np.zeros(2, np.int64),
        sum=np.zeros(1, np.float64),
    )


@part
def tuple_key(turn, i, j):
    """Key of a turn's tuple at two places; different tuples have different keys."""
    code = (i << PLACE_BITS | j) << 2 * ACTION_BITS | turn[i] << ACTION_BITS | turn[j]
    return as_key(mix(np.uint64(code)))


@part
def place_of(model, key):
    """Place of a tuple in the table, where it is added if there is room.

    Without room it is the free place where it would be; the table always has one.
    """
    place = find(model.keys, key)
    if model.keys[place] == FREE and 4 * model.counts[ENTRIES] < 3 * len(model.keys):
        model.keys[place] = key
        model.counts[ENTRIES] += 1
    return place


@part
def know(model, turn, i):
    """Add the action at a place of a turn to the place's pool, if it is new and there is room."""
    key = tuple_key(turn, i, i)
    n = model.sizes[i]
    is_new = model.keys[find(model.keys, key)] == FREE
    if is_new and n < MOST_ACTIONS and model.keys[place_of(model, key)] == key:
        model.pools[i, n] = turn[i]
        model.sizes[i] += 1


@kernel
def learn(model, turn, n, value):
    """Count the normalised value of a turn of `n` actions at all its tuples."""
    for i in range(n):
        know(model, turn, i)
        for j in range(i, n):
            key = tuple_key(turn, i, j)
            place = place_of(model, key)
            if model.keys[place] == key:
                model.visits[place] += 1
                model.totals[place] += value
    model.counts[TURNS] += 1
    model.sum[0] += value


@kernel
def upper_bound(model, turn, n, exploration):
    """Mean upper confidence bound of a turn's tuples.

    A tuple's is its mean value plus exploration * sqrt(ln N / (visits + 1/2)), where N is the
    number of evaluated turns; the mean of an unseen tuple is taken to be that of all turns.
    """
    turns = model.counts[TURNS]
    average = model.sum[0] / turns
    scale = exploration * np.sqrt(logarithm(turns))
    total = 0.0
    for i in range(n):
        for j in range(i, n):
            place = find(model.keys, tuple_key(turn, i, j))
            visits = model.visits[place]
            mean = model.totals[place] / visits if visits else average
            total += mean + scale / np.sqrt(visits + HALF)
    return total / max(1, n * (n + 1) // 2)
