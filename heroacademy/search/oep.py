"""Online evolutionary planning: a population of turns, improved by crossover and mutation.

    genomes    int64 [size, length]      actions of a turn, NO_ACTION after its end
    values     int64 [size]              fitness, for the searching player
    order      int64 [size]              genomes from best to worst
    ends       int64 [size, STATE_SIZE]  state after each turn, kept only for rollouts
    outcomes   uint64                    hashes of the states after turns, empty if not counted
    progress   int64                     FILLED: genomes of the first population made so far,
                                         RANK: where the current generation goes on

The end of the turn is no gene; it is applied before the evaluation.
"""

from typing import NamedTuple

import numpy as np

from heroacademy.engine.bits import random_below, random_bits
from heroacademy.engine.copying import copy_state
from heroacademy.engine.evaluation import evaluate
from heroacademy.engine.jit import part
from heroacademy.engine.layout import AP, STATE_SIZE
from heroacademy.engine.legal import is_legal
from heroacademy.search.common import (
    EVALUATED,
    FM_CALLS,
    NO_ACTION,
    STEPS,
    count_outcome,
    finish,
    greedy_action,
    has_turn,
    other_action,
    play,
    random_action,
)
from heroacademy.search.jit import kernel

FILLED, RANK = range(2)


class Settings(NamedTuple):
    """Numbers of a search that stay the same."""

    player: int
    survivors: int  # how many genomes live on to the next generation
    mutation: float  # share of the offspring that is mutated
    greedy_starts: int  # how many of the first population are Greedy Action's turn
    greedy_repair: bool  # repair by Greedy Action instead of at random
    best_of: int  # Greedy Action's limit to best-rated actions
    rollouts: bool  # fitness by a rollout of the opponent's turn, the lowest so far counts


class Population(NamedTuple):
    genomes: np.ndarray
    values: np.ndarray
    order: np.ndarray
    ends: np.ndarray
    outcomes: np.ndarray
    progress: np.ndarray


def new_population(size: int, length: int, rollouts: bool, outcomes: int) -> Population:
    return Population(
        genomes=np.full((size, length), NO_ACTION, np.int64),
        values=np.zeros(size, np.int64),
        order=np.arange(size),
        ends=np.zeros((size if rollouts else 0, STATE_SIZE), np.int64),
        outcomes=np.zeros(outcomes, np.uint64),
        progress=np.zeros(2, np.int64),
    )


@part
def in_turn(state, player):
    """Whether the player has actions left to plan."""
    return has_turn(state, player) and state[AP] > 0


@part
def invent(game, settings, scratch, weights, greedy, counts):
    """An action where none is given, or the given one is illegal: Greedy Action's or a random."""
    if greedy:
        return greedy_action(game, scratch.state, weights, settings.best_of, scratch, counts)
    return random_action(game, scratch.state, scratch.rng, scratch.actions)


@part
def append(game, genome, i, action, scratch, counts):
    """Play an action as a genome's at place `i`; returns the next place."""
    play(game, scratch.state, action, counts)
    genome[i] = action
    return i + 1


@part
def end(genome, i):
    """Mark the end of a genome of `i` actions."""
    while i < len(genome):
        genome[i] = NO_ACTION
        i += 1


# --- fitness --------------------------------------------------------------------------------


@part
def roll_out_reply(game, settings, scratch, weights, counts):
    """Value after a random turn of the opponent."""
    state = scratch.state
    opponent = 3 - settings.player
    while has_turn(state, opponent):
        play(game, state, random_action(game, state, scratch.rng, scratch.actions), counts)
    return evaluate(game, state, settings.player, weights)


@part
def judge(game, population, settings, scratch, weights, g, counts):
    """Give genome `g` its first value; `scratch.state` is the state after its actions."""
    value = finish(game, scratch.state, settings.player, weights, counts)
    count_outcome(population.outcomes, scratch.state, counts)
    if settings.rollouts:
        copy_state(scratch.state, population.ends[g])
        value = roll_out_reply(game, settings, scratch, weights, counts)
    population.values[g] = value


@part
def judge_again(game, population, settings, scratch, weights, g, counts):
    """Another rollout from the end of a genome that survived; the lowest value counts."""
    copy_state(population.ends[g], scratch.state)
    counts[EVALUATED] += 1
    value = roll_out_reply(game, settings, scratch, weights, counts)
    population.values[g] = min(population.values[g], value)


# --- making genomes -------------------------------------------------------------------------


@part
def make(game, genome, settings, scratch, weights, greedy, counts):
    """Fill a genome with Greedy Action's turn or a random one; `scratch.state` follows."""
    i = 0
    while in_turn(scratch.state, settings.player):
        action = invent(game, settings, scratch, weights, greedy, counts)
        i = append(game, genome, i, action, scratch, counts)
    end(genome, i)


@part
def is_playable(game, state, action):
    return action > NO_ACTION and is_legal(game, state, action)


@part
def inherit(game, state, first, second, i):
    """An action for place `i` from one parent or the other, NO_ACTION if none is legal.

    The first parent's, else the second's, else the first parent's next one.
    """
    if is_playable(game, state, first[i]):
        return first[i]
    if is_playable(game, state, second[i]):
        return second[i]
    if i + 1 < len(first) and is_playable(game, state, first[i + 1]):
        return first[i + 1]
    return NO_ACTION


@part
def cross(game, child, mother, father, settings, scratch, weights, counts):
    """Uniform crossover that only gives legal turns; `scratch.state` follows."""
    state = scratch.state
    coins = random_bits(scratch.rng)
    i = 0
    while in_turn(state, settings.player):
        if coins >> np.uint64(i & 63) & np.uint64(1):
            action = inherit(game, state, mother, father, i)
        else:
            action = inherit(game, state, father, mother, i)
        if action == NO_ACTION:
            action = invent(game, settings, scratch, weights, settings.greedy_repair, counts)
        i = append(game, child, i, action, scratch, counts)
    end(child, i)


@part
def mutate(game, genome, settings, scratch, weights, counts):
    """Change one action at random, and later ones that it makes illegal; the state follows."""
    state = scratch.state
    copy_state(scratch.start, state)
    used = 0
    while used < len(genome) and genome[used] != NO_ACTION:
        used += 1
    place = random_below(scratch.rng, used) if used else 0
    i = 0
    while in_turn(state, settings.player):
        action = genome[i]
        if i == place:
            action = other_action(game, state, scratch.rng, scratch.actions, genome[i])
        elif not is_playable(game, state, action):
            action = invent(game, settings, scratch, weights, settings.greedy_repair, counts)
        i = append(game, genome, i, action, scratch, counts)
    end(genome, i)


# --- generations ----------------------------------------------------------------------------


@part
def sort(population):
    """Order the genomes made so far from best to worst; equal ones keep their order."""
    order, values = population.order, population.values
    for i in range(1, population.progress[FILLED]):
        genome = order[i]
        j = i
        while j > 0 and values[order[j - 1]] < values[genome]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = genome


@part
def start_one(game, population, settings, scratch, weights, counts):
    """Make the next genome of the first population."""
    g = population.progress[FILLED]
    population.progress[FILLED] += 1
    copy_state(scratch.start, scratch.state)
    greedy = g < settings.greedy_starts
    make(game, population.genomes[g], settings, scratch, weights, greedy, counts)
    judge(game, population, settings, scratch, weights, g, counts)


@part
def breed_one(game, population, settings, scratch, weights, rank, counts):
    """Replace the genome at a rank below the survivors by a child of two survivors."""
    order, genomes = population.order, population.genomes
    mother = (rank - settings.survivors) % settings.survivors
    father = mother
    if settings.survivors > 1:  # a different one
        father = (mother + 1 + random_below(scratch.rng, settings.survivors - 1)) % (
            settings.survivors
        )
    g = order[rank]
    child = genomes[g]
    copy_state(scratch.start, scratch.state)
    cross(
        game, child, genomes[order[mother]], genomes[order[father]], settings, scratch, weights,
        counts,
    )  # fmt: skip
    if random_bits(scratch.rng) >> np.uint64(32) < np.uint64(settings.mutation * 4294967296.0):
        mutate(game, child, settings, scratch, weights, counts)
    judge(game, population, settings, scratch, weights, g, counts)


@kernel
def advance(game, population, settings, scratch, weights, steps, call_limit, counts):
    """Go on until so many generations or calls are done, from where the last call stopped."""
    last = counts[STEPS] + steps
    size = len(population.values)
    progress = population.progress
    while progress[FILLED] < size and counts[FM_CALLS] < call_limit:
        start_one(game, population, settings, scratch, weights, counts)
        sort(population)
    while counts[STEPS] < last and counts[FM_CALLS] < call_limit:
        rank = progress[RANK]
        progress[RANK] += 1
        if rank >= settings.survivors:
            breed_one(game, population, settings, scratch, weights, rank, counts)
        elif settings.rollouts:
            judge_again(
                game, population, settings, scratch, weights, population.order[rank], counts
            )
        if progress[RANK] == size:
            progress[RANK] = 0
            sort(population)
            counts[STEPS] += 1
