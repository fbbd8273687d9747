"""Turns as genomes: made, crossed and mutated so that they stay legal, sorted by value.

    genome     int64 [length]  actions of a turn, NO_ACTION after its end; the last
                               `settings.beyond` places are for what comes after the turn

The end of the turn is no gene; it is played before the evaluation.

Settings are any tuple with `player`, `greedy_repair`, `rated_repair`, `best_of`, `beyond` and
`later`, as those of OEP. The functions leave `scratch.state` at the state after the turn.
"""

import numpy as np

from heroacademy.engine.bits import random_below, random_bits
from heroacademy.engine.copying import copy_state
from heroacademy.engine.jit import part
from heroacademy.engine.layout import AP
from heroacademy.engine.legal import is_legal
from heroacademy.search.common import (
    NO_ACTION,
    best_rated,
    greedy_action,
    has_turn,
    other_action,
    play,
    random_action,
)
from heroacademy.search.jit import kernel

NO_PLACE = -1


@part
def in_turn(state, player):
    """Whether the player has actions left to plan."""
    return has_turn(state, player) and state[AP] > 0


@part
def invent(game, settings, scratch, weights, greedy, counts):
    """An action where none is given: Greedy Action's or a random one."""
    if greedy:
        return greedy_action(game, scratch.state, weights, settings.best_of, scratch, counts)
    return random_action(game, scratch.state, scratch.rng, scratch.actions)


@kernel
def replace(game, settings, scratch, weights, counts):
    """An action where the given one is illegal."""
    if settings.rated_repair:
        return best_rated(game, scratch.state, scratch.actions, scratch.ratings)
    return invent(game, settings, scratch, weights, settings.greedy_repair, counts)


@part
def append(game, genome, i, action, scratch, counts):
    """Play an action as a genome's at place `i`; returns the next place."""
    play(game, scratch.state, action, counts)
    genome[i] = action
    return i + 1


@part
def end(genome, i, length):
    """Mark the end of a genome of `i` actions, up to a length."""
    while i < length:
        genome[i] = NO_ACTION
        i += 1


@part
def copy_genome(source, target):
    for i in range(len(source)):
        target[i] = source[i]


@part
def make(game, genome, settings, scratch, weights, greedy, counts):
    """Fill a genome with Greedy Action's turn or a random one."""
    i = 0
    while in_turn(scratch.state, settings.player):
        action = invent(game, settings, scratch, weights, greedy, counts)
        i = append(game, genome, i, action, scratch, counts)
    end(genome, i, len(genome))


@part
def is_playable(game, state, action):
    return action > NO_ACTION and is_legal(game, state, action)


@part
def inherit(game, state, first, second, i, length):
    """An action for place `i` from one parent or the other, NO_ACTION if none is legal.

    The first parent's, else the second's, else the first parent's next one.
    """
    if is_playable(game, state, first[i]):
        return first[i]
    if is_playable(game, state, second[i]):
        return second[i]
    if i + 1 < length and is_playable(game, state, first[i + 1]):
        return first[i + 1]
    return NO_ACTION


@part
def heads(coins, i):
    """The coin of a place, of 64 that were thrown."""
    return coins >> np.uint64(i & 63) & np.uint64(1)


@part
def cross(game, child, mother, father, settings, scratch, weights, counts):
    """Uniform crossover that only gives legal turns; places beyond the turn are as they come."""
    state = scratch.state
    coins = random_bits(scratch.rng)
    length = len(child) - settings.beyond
    i = 0
    while in_turn(state, settings.player):
        if heads(coins, i):
            action = inherit(game, state, mother, father, i, length)
        else:
            action = inherit(game, state, father, mother, i, length)
        if action == NO_ACTION:
            action = replace(game, settings, scratch, weights, counts)
        i = append(game, child, i, action, scratch, counts)
    end(child, i, length)
    for i in range(length, len(child)):
        child[i] = mother[i] if heads(coins, i) else father[i]


@part
def mutate(game, genome, settings, scratch, weights, counts):
    """Change one own action at random, and later ones of the turn that it makes illegal.

    Returns which own action beyond the turn is to be changed instead, or NO_PLACE.
    """
    state = scratch.state
    length = len(genome) - settings.beyond
    used = 0
    while used < length and genome[used] != NO_ACTION:
        used += 1
    choices = used + settings.later
    place = random_below(scratch.rng, choices) if choices else 0
    if settings.later and place >= used:
        return place - used
    copy_state(scratch.start, state)
    i = 0
    while in_turn(state, settings.player):
        action = genome[i]
        if i == place:
            action = other_action(game, state, scratch.rng, scratch.actions, genome[i])
        elif not is_playable(game, state, action):
            action = replace(game, settings, scratch, weights, counts)
        i = append(game, genome, i, action, scratch, counts)
    end(genome, i, length)
    return NO_PLACE


@part
def sort(order, values, n):
    """Order the first `n` genomes from best to worst; equal ones keep their order."""
    for i in range(1, n):
        genome = order[i]
        j = i
        while j > 0 and values[order[j - 1]] < values[genome]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = genome
