"""Depth-first search over whole turns, best-rated actions first.

states    int64 [depth + 1, STATE_SIZE]   the state at every ply of the current line
lists     int64 [depth + 1, MAX_ACTIONS]  its actions, best-rated first
cursor    int64 [depth + 1, 2]            how many it has, which is next
line      int64 [depth + 1]               actions of the current line
best      int64 [depth + 1]               the best complete turn so far
seen      uint64                          hashes of states that were visited
outcomes  uint64                          hashes of states after turns, empty if not counted
progress  int64                           PLY, BEST_VALUE, BEST_LENGTH, SEEN
"""

from typing import NamedTuple

import numpy as np

from heroacademy.engine.copying import copy_state
from heroacademy.engine.evaluation import WIN_VALUE
from heroacademy.engine.hashing import hash_state
from heroacademy.engine.jit import part
from heroacademy.engine.layout import AP, END_ACTION, MAX_ACTIONS, STATE_SIZE
from heroacademy.engine.legal import legal_actions
from heroacademy.search.common import (
    FM_CALLS,
    STEPS,
    count_outcome,
    finish,
    has_turn,
    play,
    sort_by_rating,
)
from heroacademy.search.hashset import add
from heroacademy.search.jit import kernel

PLY, BEST_VALUE, BEST_LENGTH, SEEN = range(4)
EXHAUSTED = -1  # the ply of a search that has tried everything


class DepthFirst(NamedTuple):
    states: np.ndarray
    lists: np.ndarray
    cursor: np.ndarray
    line: np.ndarray
    best: np.ndarray
    seen: np.ndarray
    outcomes: np.ndarray
    progress: np.ndarray
    ratings: np.ndarray  # int64 [MAX_ACTIONS], scratch


def new_search(game, words, depth, places, count_outcomes) -> DepthFirst:
    """A search from a state, of turns of at most `depth` actions (the end of turn included)."""
    search = DepthFirst(
        states=np.zeros((depth + 1, STATE_SIZE), np.int64),
        lists=np.zeros((depth + 1, MAX_ACTIONS), np.int64),
        cursor=np.zeros((depth + 1, 2), np.int64),
        line=np.zeros(depth + 1, np.int64),
        best=np.zeros(depth + 1, np.int64),
        seen=np.zeros(places, np.uint64),
        outcomes=np.zeros(places if count_outcomes else 0, np.uint64),
        progress=np.array([0, -2 * WIN_VALUE, 0, 0]),
        ratings=np.zeros(MAX_ACTIONS, np.int64),
    )
    search.states[0] = words
    _open(game, search, 0)
    return search


@kernel
def _open(game, search, ply):
    """List the actions of the state at a ply."""
    n = legal_actions(game, search.states[ply], True, search.lists[ply], search.ratings)
    sort_by_rating(search.lists[ply], search.ratings, n)
    search.cursor[ply, 0] = n
    search.cursor[ply, 1] = 0


@part
def _keep_if_best(search, length, value):
    if value > search.progress[BEST_VALUE]:
        search.progress[BEST_VALUE] = value
        search.progress[BEST_LENGTH] = length
        for i in range(length):
            search.best[i] = search.line[i]


@kernel
def advance(game, search, player, weights, steps, call_limit, counts):
    """Go on until so many actions are tried, calls are made, or everything is tried."""
    last = counts[STEPS] + steps
    progress = search.progress
    while counts[STEPS] < last and counts[FM_CALLS] < call_limit and progress[PLY] != EXHAUSTED:
        ply = progress[PLY]
        if search.cursor[ply, 1] == search.cursor[ply, 0]:
            progress[PLY] = ply - 1
            continue
        action = search.lists[ply, search.cursor[ply, 1]]
        search.cursor[ply, 1] += 1
        search.line[ply] = action
        after = search.states[ply + 1]
        copy_state(search.states[ply], after)
        play(game, after, action, counts)
        counts[STEPS] += 1
        if 4 * progress[SEEN] < 3 * len(search.seen):
            if not add(search.seen, hash_state(after)):
                continue
            progress[SEEN] += 1
        if has_turn(after, player) and after[AP] > 0:
            _open(game, search, ply + 1)
            progress[PLY] = ply + 1
            continue
        length = ply + 1
        if has_turn(after, player):
            search.line[length] = END_ACTION
            length += 1
        _keep_if_best(search, length, finish(game, after, player, weights, counts))
        count_outcome(search.outcomes, after, counts)
