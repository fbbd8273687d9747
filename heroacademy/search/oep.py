"""Online evolutionary planning: a population of turns, improved by crossover and mutation.

genomes    int64 [size, length]      turns, see genomes; with a horizon beyond the turn also
                                     what comes after it, see outlook
values     int64 [size]              fitness, for the searching player
order      int64 [size]              genomes from best to worst
hashes     uint64 [size]             of the state after each turn, kept only for niches
ends       int64 [size, STATE_SIZE]  state after each turn, kept only for rollouts
outcomes   uint64                    hashes of the states after turns, empty if not counted
memory                               all outcomes so far, empty if they are not tabu
progress   int64                     FILLED: genomes of the first population made so far,
                                     RANK: where the current generation goes on
"""

from typing import NamedTuple

import numpy as np

from heroacademy.engine.bits import happens, random_below
from heroacademy.engine.copying import copy_state
from heroacademy.engine.evaluation import evaluate
from heroacademy.engine.hashing import hash_state
from heroacademy.engine.jit import part
from heroacademy.engine.layout import STATE_SIZE
from heroacademy.search.common import (
    EVALUATED,
    FM_CALLS,
    NO_ACTION,
    STEPS,
    count_outcome,
    finish,
    has_turn,
    play,
    random_action,
)
from heroacademy.search.genomes import NO_PLACE, cross, make, mutate, sort
from heroacademy.search.jit import kernel
from heroacademy.search.outlook import LOWEST, Memory, look_ahead, new_memory, recall, remember

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
    rated_repair: bool = False  # repair by the best-rated action, which takes no calls
    beyond: int = 0  # places of a plan beyond its turn
    later: int = 0  # how many of them are own ones
    cut: bool = False  # end a reply that makes a plan worse than all survivors
    niches: bool = False  # discard a turn whose outcome another one in the population has
    tabu: bool = False  # discard a turn whose outcome any earlier one had


class Population(NamedTuple):
    genomes: np.ndarray
    values: np.ndarray
    order: np.ndarray
    hashes: np.ndarray
    ends: np.ndarray
    outcomes: np.ndarray
    memory: Memory
    progress: np.ndarray


def new_population(
    size: int, length: int, rollouts: bool, outcomes: int, memory: int = 1
) -> Population:
    """Room for so many genomes, distinct outcomes and tabu outcomes."""
    return Population(
        genomes=np.full((size, length), NO_ACTION, np.int64),
        values=np.zeros(size, np.int64),
        order=np.arange(size),
        hashes=np.zeros(size, np.uint64),
        ends=np.zeros((size if rollouts else 0, STATE_SIZE), np.int64),
        outcomes=np.zeros(outcomes, np.uint64),
        memory=new_memory(memory),
        progress=np.zeros(2, np.int64),
    )


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
def is_in_niche(population, outcome, rank):
    """Whether a genome before a rank has an outcome."""
    for i in range(rank):
        if population.hashes[population.order[i]] == outcome:
            return True
    return False


@kernel
def is_discarded(population, settings, state, g, rank):
    """Whether the outcome of genome `g` is taken: by one before its rank, or by any so far."""
    outcome = hash_state(state)
    population.hashes[g] = outcome
    if settings.niches:
        return is_in_niche(population, outcome, rank)
    known = recall(population.memory, outcome) != LOWEST
    remember(population.memory, outcome, 0)
    return known


@part
def judge(game, population, settings, scratch, weights, rank, changed, counts):
    """Give the genome at a rank its first value; `scratch.state` is the state after its turn.

    Own action number `changed` beyond the turn is mutated.
    """
    g = population.order[rank]
    state = scratch.state
    value = finish(game, state, settings.player, weights, counts)
    count_outcome(population.outcomes, state, counts)
    if (settings.niches or settings.tabu) and is_discarded(population, settings, state, g, rank):
        value = LOWEST
    elif settings.rollouts:
        copy_state(state, population.ends[g])
        value = roll_out_reply(game, settings, scratch, weights, counts)
    elif settings.beyond > 0:
        floor = LOWEST
        if rank >= settings.survivors and population.progress[FILLED] == len(population.values):
            floor = population.values[population.order[settings.survivors - 1]]
        value = look_ahead(
            game, population.genomes[g], settings, scratch, weights, changed, floor, counts
        )
    population.values[g] = value


@part
def judge_again(game, population, settings, scratch, weights, g, counts):
    """Another rollout from the end of a genome that survived; the lowest value counts."""
    copy_state(population.ends[g], scratch.state)
    counts[EVALUATED] += 1
    value = roll_out_reply(game, settings, scratch, weights, counts)
    population.values[g] = min(population.values[g], value)


# --- generations ----------------------------------------------------------------------------


@part
def start_one(game, population, settings, scratch, weights, counts):
    """Make the next genome of the first population."""
    g = population.progress[FILLED]
    copy_state(scratch.start, scratch.state)
    greedy = g < settings.greedy_starts
    make(game, population.genomes[g], settings, scratch, weights, greedy, counts)
    nowhere = np.int64(NO_PLACE)  # a constant would be another type, compiled once more
    judge(game, population, settings, scratch, weights, g, nowhere, counts)
    population.progress[FILLED] += 1
    sort(population.order, population.values, population.progress[FILLED])


@part
def breed(game, population, settings, scratch, weights, rank, counts):
    """Replace the genome at a rank below the survivors by a child of two survivors.

    Returns which own action beyond the turn is to be mutated, or NO_PLACE.
    """
    order, genomes = population.order, population.genomes
    mother = (rank - settings.survivors) % settings.survivors
    father = mother
    if settings.survivors > 1:  # a different one
        father = (mother + 1 + random_below(scratch.rng, settings.survivors - 1)) % (
            settings.survivors
        )
    child = genomes[order[rank]]
    copy_state(scratch.start, scratch.state)
    cross(
        game, child, genomes[order[mother]], genomes[order[father]], settings, scratch, weights,
        counts,
    )  # fmt: skip
    if happens(scratch.rng, settings.mutation):
        return mutate(game, child, settings, scratch, weights, counts)
    return NO_PLACE


@kernel
def advance(game, population, settings, scratch, weights, steps, call_limit, counts):
    """Go on until so many generations or calls are done, from where the last call stopped."""
    last = counts[STEPS] + steps
    size = len(population.values)
    progress = population.progress
    while progress[FILLED] < size and counts[FM_CALLS] < call_limit:
        start_one(game, population, settings, scratch, weights, counts)
    while counts[STEPS] < last and counts[FM_CALLS] < call_limit:
        rank = progress[RANK]
        progress[RANK] += 1
        if rank >= settings.survivors:
            changed = breed(game, population, settings, scratch, weights, rank, counts)
            judge(game, population, settings, scratch, weights, rank, changed, counts)
        elif settings.rollouts:
            judge_again(
                game, population, settings, scratch, weights, population.order[rank], counts
            )
        if progress[RANK] == size:
            progress[RANK] = 0
            sort(population.order, population.values, size)
            counts[STEPS] += 1
