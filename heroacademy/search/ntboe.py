"""N-Tuple Bandit Online Evolution: a model of turns chooses which neighbour to evaluate.

current    int64 [length]  plan whose neighbours are looked at; see genomes
best       int64 [length]  plan with the best value so far
trial      int64 [length]  plan that is evaluated
neighbour  int64 [length]  plan that the model is asked about
values     int64           CURRENT and BEST: values of these plans
model                      see tuples
memory                     values of all outcomes so far; see outlook
outcomes   uint64          hashes of the states after turns, empty if not counted
"""

from typing import NamedTuple

import numpy as np

from heroacademy.engine.bits import happens, random_below
from heroacademy.engine.copying import copy_state
from heroacademy.engine.hashing import hash_state
from heroacademy.engine.jit import part
from heroacademy.engine.layout import PLAYER
from heroacademy.engine.legal import legal_actions
from heroacademy.search.common import (
    FM_CALLS,
    NO_ACTION,
    STEPS,
    count_outcome,
    finish,
    normalised,
    play,
)
from heroacademy.search.genomes import (
    NO_PLACE,
    append,
    copy_genome,
    end,
    in_turn,
    is_playable,
    make,
    replace,
)
from heroacademy.search.jit import kernel
from heroacademy.search.outlook import LOWEST, Memory, look_ahead, new_memory, recall, remember
from heroacademy.search.tuples import Model, know, learn, new_model, upper_bound

CURRENT, BEST = range(2)


class Settings(NamedTuple):
    """Numbers of a search that stay the same."""

    player: int
    starts: int  # turns made without the model at first
    greedy_starts: int  # how many of them are Greedy Action's turn
    neighbours: int  # that the model is asked about
    mutation: float  # chance of each action of a neighbour to be changed, beside the one that is
    exploration: float
    always_move: bool  # to the evaluated neighbour, instead of only to one that is no worse
    greedy_repair: bool
    rated_repair: bool
    best_of: int  # Greedy Action's limit to best-rated actions
    beyond: int  # places of a plan beyond its turn
    later: int = 0  # no own ones
    cut: bool = False


class Search(NamedTuple):
    current: np.ndarray
    best: np.ndarray
    trial: np.ndarray
    neighbour: np.ndarray
    values: np.ndarray
    model: Model
    memory: Memory
    outcomes: np.ndarray


def new_search(turn: int, length: int, tuples: int, memory: int, outcomes: int) -> Search:
    """Room for plans of a length, so many of its actions the turn, for tuples and outcomes."""
    return Search(
        **{
            name: np.full(length, NO_ACTION, np.int64)
            for name in ("current", "best", "trial", "neighbour")
        },
        values=np.full(2, LOWEST),
        model=new_model(turn, tuples),
        memory=new_memory(memory),
        outcomes=np.zeros(outcomes, np.uint64),
    )


@part
def length_of(plan, settings):
    """Number of actions of a plan's turn."""
    n = 0
    while n < len(plan) - settings.beyond and plan[n] != NO_ACTION:
        n += 1
    return n


# --- neighbours -----------------------------------------------------------------------------


@part
def vary(search, settings, n, rng):
    """Make a neighbour: the current turn with one action or more changed to known ones."""
    model, neighbour = search.model, search.neighbour
    copy_genome(search.current, neighbour)
    surely = random_below(rng, n)
    for i in range(n):
        if i == surely or happens(rng, settings.mutation):
            neighbour[i] = model.pools[i, random_below(rng, model.sizes[i])]


@kernel
def choose(search, settings, rng):
    """Make the neighbour with the best upper confidence bound the trial."""
    n = length_of(search.current, settings)
    copy_genome(search.current, search.trial)
    best = -np.inf
    for _ in range(settings.neighbours if n else 0):
        vary(search, settings, n, rng)
        bound = upper_bound(search.model, search.neighbour, n, settings.exploration)
        if bound > best:
            best = bound
            copy_genome(search.neighbour, search.trial)


# --- evaluation -----------------------------------------------------------------------------


@part
def play_trial(game, search, settings, scratch, weights, counts):
    """Play the trial's turn; illegal actions are replaced."""
    trial, state = search.trial, scratch.state
    copy_state(scratch.start, state)
    i = 0
    while in_turn(state, settings.player):
        action = trial[i]
        if not is_playable(game, state, action):
            action = replace(game, settings, scratch, weights, counts)
        i = append(game, trial, i, action, scratch, counts)
    end(trial, i, len(trial))


@part
def judge(game, search, settings, scratch, weights, counts):
    """Value of the trial, whose turn has been played; an outcome is looked ahead from once."""
    state = scratch.state
    value = finish(game, state, settings.player, weights, counts)
    count_outcome(search.outcomes, state, counts)
    if settings.beyond > 0:
        outcome = hash_state(state)
        value = recall(search.memory, outcome)
        if value == LOWEST:
            value = look_ahead(
                game, search.trial, settings, scratch, weights, NO_PLACE, LOWEST, counts
            )
            remember(search.memory, outcome, value)
    return value


@kernel
def explore(game, search, scratch, counts):
    """Make all actions along the current turn known at their places."""
    state, neighbour = scratch.state, search.neighbour
    player = scratch.start[PLAYER]
    copy_state(scratch.start, state)
    i = 0
    while in_turn(state, player):
        n = legal_actions(game, state, True, scratch.actions, None)
        for k in range(n):
            neighbour[i] = scratch.actions[k]
            know(search.model, neighbour, i)
        play(game, state, search.current[i], counts)
        i += 1


@kernel
def evaluate_trial(game, search, settings, scratch, weights, counts):
    """Evaluate the trial, teach the model, and go on from it if it is good enough."""
    values = search.values
    value = judge(game, search, settings, scratch, weights, counts)
    learn(search.model, search.trial, length_of(search.trial, settings), normalised(value))
    improves = value > values[CURRENT]
    if improves or value == values[CURRENT] or settings.always_move:
        copy_genome(search.trial, search.current)
        values[CURRENT] = value
    if value > values[BEST]:
        copy_genome(search.trial, search.best)
        values[BEST] = value
    if improves:
        explore(game, search, scratch, counts)


@kernel
def advance(game, search, settings, scratch, weights, steps, call_limit, counts):
    """Go on until so many turns are evaluated or calls done."""
    last = counts[STEPS] + steps
    while counts[STEPS] < last and counts[FM_CALLS] < call_limit:
        if counts[STEPS] < settings.starts:
            greedy = counts[STEPS] < settings.greedy_starts
            copy_state(scratch.start, scratch.state)
            make(game, search.trial, settings, scratch, weights, greedy, counts)
        else:
            choose(search, settings, scratch.rng)
            play_trial(game, search, settings, scratch, weights, counts)
        evaluate_trial(game, search, settings, scratch, weights, counts)
        counts[STEPS] += 1
