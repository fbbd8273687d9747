"""What all searches share: counters, the greedy choice, the end of a turn, sorted lists."""

from typing import NamedTuple

import numpy as np

from heroacademy.engine.actions import apply
from heroacademy.engine.bits import random_below
from heroacademy.engine.copying import copy_state
from heroacademy.engine.evaluation import WIN_VALUE, evaluate
from heroacademy.engine.hashing import hash_state
from heroacademy.engine.jit import helper, part
from heroacademy.engine.layout import (
    AP,
    END_ACTION,
    MAX_ACTIONS,
    PLAYER,
    STATE_SIZE,
    UNDECIDED,
    WINNER,
)
from heroacademy.engine.legal import legal_actions
from heroacademy.search.hashset import add
from heroacademy.search.jit import kernel

FM_CALLS, STEPS, EVALUATED, OUTCOMES = range(4)
N_COUNTS = 4

NO_ACTION = -1  # fills a plan that ends before its last place
ALL_RATED = 0  # as a number of best-rated actions: no limit


class Scratch(NamedTuple):
    """What a search works with; `start` is the state to plan from."""

    start: np.ndarray  # int64 [STATE_SIZE]
    state: np.ndarray  # int64 [STATE_SIZE]
    after: np.ndarray  # int64 [STATE_SIZE], Greedy Action's look ahead
    actions: np.ndarray  # int64 [MAX_ACTIONS]
    ratings: np.ndarray  # int64 [MAX_ACTIONS]
    rng: np.ndarray  # int64 [1]


def new_scratch(words: np.ndarray, rng: np.ndarray) -> Scratch:
    return Scratch(
        start=words.copy(),
        state=np.zeros(STATE_SIZE, np.int64),
        after=np.zeros(STATE_SIZE, np.int64),
        actions=np.zeros(MAX_ACTIONS, np.int64),
        ratings=np.zeros(MAX_ACTIONS, np.int64),
        rng=rng,
    )


@part
def play(game, state, action, counts):
    """Apply an action and count the call."""
    apply(game, state, action)
    counts[FM_CALLS] += 1


@part
def play_on(game, state, action, counts):
    """Apply an action, and the end of the turn when the points are spent."""
    play(game, state, action, counts)
    if state[AP] == 0 and state[WINNER] == UNDECIDED:
        play(game, state, END_ACTION, counts)


@part
def has_turn(state, player):
    """Whether the game goes on and it is the player's turn."""
    return state[WINNER] == UNDECIDED and state[PLAYER] == player


@part
def normalised(value):
    """A value between 0 (lost) and 1 (won)."""
    return (value + WIN_VALUE) / (2.0 * WIN_VALUE)


def _logarithm(n):
    x, doublings = float(n), 0
    while x >= 2.0:
        x *= 0.5
        doublings += 1
    s = (x - 1.0) / (x + 1.0)
    term, total = s, 0.0
    for k in range(1, 18, 2):
        total += term / k
        term *= s * s
    return doublings * 0.6931471805599453 + 2.0 * total


# of numbers up to the visits that most nodes have
_LOGARITHMS = np.array([0.0, *(_logarithm(n) for n in range(1, 1 << 12))])
_large_logarithm = helper(_logarithm)


@helper
def logarithm(n):
    """Natural logarithm of a whole number from 1 on, to nine digits.

    Made of basic arithmetic, which is the same on every machine; a library's logarithm may
    differ in its last digit, and with it a plan.
    """
    return _LOGARITHMS[n] if n < len(_LOGARITHMS) else _large_logarithm(n)


@part
def best_rated(game, state, actions, ratings):
    """The first of the best-rated actions, pruned ones left out."""
    n = legal_actions(game, state, True, actions, ratings)
    best = 0
    for i in range(1, n):
        if ratings[i] > ratings[best]:
            best = i
    return actions[best]


@part
def random_action(game, state, rng, actions):
    """A random action, pruned ones left out."""
    return actions[random_below(rng, legal_actions(game, state, True, actions, None))]


@part
def other_action(game, state, rng, actions, current):
    """A random action that is not the current one, if there is any; pruned ones left out."""
    n = legal_actions(game, state, True, actions, None)
    choice = actions[random_below(rng, n)]
    while choice == current and n > 1:
        choice = actions[random_below(rng, n)]
    return choice


@part
def sort_by_rating(actions, ratings, n):
    """Sort the first `n` actions, best-rated first; equal ones keep their order."""
    for i in range(1, n):
        action, rating = actions[i], ratings[i]
        j = i
        while j > 0 and ratings[j - 1] < rating:
            actions[j], ratings[j] = actions[j - 1], ratings[j - 1]
            j -= 1
        actions[j], ratings[j] = action, rating


@kernel
def greedy_action(game, state, weights, best_of, scratch, counts):
    """The action with the best evaluation right after it, the first of equals.

    `best_of` limits the choice to that many best-rated actions; ALL_RATED tries every one.
    """
    actions, ratings, after = scratch.actions, scratch.ratings, scratch.after
    if best_of == ALL_RATED:
        n = legal_actions(game, state, True, actions, None)
    else:
        n = legal_actions(game, state, True, actions, ratings)
        if n > best_of:
            _best_to_front(actions, ratings, n, best_of)
            n = best_of
    if n == 1:
        return actions[0]
    player = state[PLAYER]
    best, best_value = actions[0], -2 * WIN_VALUE
    for i in range(n):
        copy_state(state, after)
        play(game, after, actions[i], counts)
        value = evaluate(game, after, player, weights)
        if value > best_value:
            best, best_value = actions[i], value
    return best


@part
def _best_to_front(actions, ratings, n, wanted):
    """Bring the `wanted` best-rated actions to the front, best first."""
    for i in range(wanted):
        best = i
        for j in range(i + 1, n):
            if ratings[j] > ratings[best]:
                best = j
        action, rating = actions[best], ratings[best]
        for j in range(best, i, -1):  # equal ones keep their order
            actions[j], ratings[j] = actions[j - 1], ratings[j - 1]
        actions[i], ratings[i] = action, rating


@kernel
def complete_turn(game, state, plan, n, scratch):
    """Fill a plan whose first `n` actions are chosen with best-rated ones, to the turn's end.

    `plan` has a place for every action point and one for the end of the turn; `state` is moved
    on to the end. Returns the number of actions. The answer has to be given even when a budget
    is used up, so this is not counted as search.
    """
    player = state[PLAYER]
    for i in range(n):
        apply(game, state, plan[i])
    while has_turn(state, player):
        action = best_rated(game, state, scratch.actions, scratch.ratings)
        apply(game, state, action)
        plan[n] = action
        n += 1
    return n


@part
def finish(game, state, player, weights, counts):
    """Value for the player after the end of the turn, which is applied if it is due.

    The end of a turn removes the player's own bodies, so it comes before the evaluation.
    """
    if has_turn(state, player):
        play(game, state, END_ACTION, counts)
    counts[EVALUATED] += 1
    return evaluate(game, state, player, weights)


@part
def count_outcome(outcomes, state, counts):
    """Count the state after a turn if it is a new one, as long as the table has room."""
    if 4 * counts[OUTCOMES] < 3 * len(outcomes):
        counts[OUTCOMES] += add(outcomes, hash_state(state))
