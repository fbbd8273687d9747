"""Competitive co-evolution: a population of own turns and one of the opponent's replies.

    own        population of own turns, with their ends; values are the lowest of all duels
    replies    population of replies, legal after the champion's turn; values are the negative
               values of the champion after them
    blank      int64 [reply]  a reply without actions: answered by the opponent's model alone
    trial      int64 [reply]  a reply as it was played after another turn than the champion's
    arena      int64          CHAMPION: own genome that the replies are for, or NO_GENOME,
                              CHANGED: whether its outcome is another one than before

A duel is a turn and a reply to it. A new turn meets the opponent's model and the best replies;
then it is worth the lowest value of these. Replies are bred after the turn of the champion, the
best of the own population, whose value falls with every reply that is worse for it.
"""

from typing import NamedTuple

import numpy as np

from heroacademy.engine.copying import copy_state
from heroacademy.engine.hashing import hash_state
from heroacademy.engine.jit import part
from heroacademy.search import oep
from heroacademy.search.common import (
    FM_CALLS,
    NO_ACTION,
    STEPS,
    count_outcome,
    finish,
)
from heroacademy.search.genomes import append, end, in_turn, is_playable, make, replace, sort
from heroacademy.search.jit import kernel
from heroacademy.search.oep import FILLED, RANK, Population, breed, is_discarded
from heroacademy.search.outlook import LOWEST

CHAMPION, CHANGED = range(2)
NO_GENOME = -1


class Settings(NamedTuple):
    """Numbers of a search that stay the same."""

    own: oep.Settings
    reply: oep.Settings  # the opponent's; how it repairs is the model of the opponent
    rivals: int  # replies that a new turn meets, beside the model's


class Duels(NamedTuple):
    own: Population
    replies: Population
    blank: np.ndarray
    trial: np.ndarray
    arena: np.ndarray


def new_duels(own: Population, replies: Population) -> Duels:
    length = replies.genomes.shape[1]
    return Duels(
        own=own,
        replies=replies,
        blank=np.full(length, NO_ACTION, np.int64),
        trial=np.full(length, NO_ACTION, np.int64),
        arena=np.array([NO_GENOME, 0]),
    )


# --- the two populations' common steps ------------------------------------------------------


@kernel
def begin(game, population, settings, scratch, weights, counts):
    """Make the next genome of the first population."""
    g = population.progress[FILLED]
    copy_state(scratch.start, scratch.state)
    make(
        game, population.genomes[g], settings, scratch, weights, g < settings.greedy_starts, counts
    )


@kernel
def bear(game, population, settings, scratch, weights, rank, counts):
    """Replace the genome at a rank by a child of two survivors."""
    breed(game, population, settings, scratch, weights, rank, counts)


@kernel
def answer(game, reply, played, settings, scratch, weights, counts):
    """Play a reply from `scratch.state`; returns the state's value for the opponent after it.

    Where its action is illegal the model's is played.
    """
    state = scratch.state
    i = 0
    while in_turn(state, settings.player):
        action = reply[i]
        if not is_playable(game, state, action):
            action = replace(game, settings, scratch, weights, counts)
        i = append(game, played, i, action, scratch, counts)
    end(played, i, len(played))
    return finish(game, state, settings.player, weights, counts)


# --- own turns ------------------------------------------------------------------------------


@part
def duel(game, duels, settings, scratch, weights, g, reply, counts):
    """Let a reply meet the turn of own genome `g`, whose value may fall."""
    values = duels.own.values
    copy_state(duels.own.ends[g], scratch.state)
    value = -answer(game, reply, duels.trial, settings.reply, scratch, weights, counts)
    values[g] = min(values[g], value)


@kernel
def judge_turn(game, duels, settings, scratch, weights, rank, counts):
    """Give the own genome at a rank its value; `scratch.state` is the state after its turn.

    It meets the model first, then the best replies, as long as it may survive.
    """
    own, replies = duels.own, duels.replies
    g = own.order[rank]
    finish(game, scratch.state, settings.own.player, weights, counts)
    count_outcome(own.outcomes, scratch.state, counts)
    if is_discarded(own, settings.own, scratch.state, g, rank):
        own.values[g] = LOWEST
        return
    floor = LOWEST
    if own.progress[FILLED] == len(own.values):
        floor = own.values[own.order[settings.own.survivors - 1]]
    copy_state(scratch.state, own.ends[g])
    own.values[g] = -LOWEST
    duel(game, duels, settings, scratch, weights, g, duels.blank, counts)
    i = 0
    while i < min(settings.rivals, replies.progress[FILLED]) and own.values[g] >= floor:
        reply = replies.genomes[replies.order[i]]
        duel(game, duels, settings, scratch, weights, g, reply, counts)
        i += 1


@part
def crown(duels, reply_scratch):
    """Make the best own turn the champion; replies start after it."""
    champion = duels.own.order[0]
    end_of_turn = duels.own.ends[champion]
    changed = hash_state(end_of_turn) != hash_state(reply_scratch.start)
    copy_state(end_of_turn, reply_scratch.start)
    duels.arena[CHAMPION] = champion
    duels.arena[CHANGED] = changed


# --- replies --------------------------------------------------------------------------------


@part
def count_reply(duels, g, value):
    """Give reply `g` its value, which the champion's may not exceed."""
    champion = duels.arena[CHAMPION]
    duels.replies.values[g] = value
    duels.own.values[champion] = min(duels.own.values[champion], -value)


@part
def adapt(game, duels, settings, scratch, weights, g, counts):
    """Play a reply that survived after the new champion's turn, and keep what was played."""
    copy_state(scratch.start, scratch.state)
    reply = duels.replies.genomes[g]
    count_reply(duels, g, answer(game, reply, reply, settings.reply, scratch, weights, counts))


# --- the loop -------------------------------------------------------------------------------


@part
def start(game, duels, settings, scratch, reply_scratch, weights, call_limit, counts):
    """Make the first populations, as far as calls allow."""
    own, replies = duels.own, duels.replies
    while own.progress[FILLED] < len(own.values) and counts[FM_CALLS] < call_limit:
        begin(game, own, settings.own, scratch, weights, counts)
        judge_turn(game, duels, settings, scratch, weights, own.progress[FILLED], counts)
        own.progress[FILLED] += 1
        sort(own.order, own.values, own.progress[FILLED])
    while replies.progress[FILLED] < len(replies.values) and counts[FM_CALLS] < call_limit:
        if replies.progress[FILLED] == 0:
            crown(duels, reply_scratch)
        g = replies.progress[FILLED]
        begin(game, replies, settings.reply, reply_scratch, weights, counts)
        value = finish(game, reply_scratch.state, settings.reply.player, weights, counts)
        count_reply(duels, g, value)
        replies.progress[FILLED] += 1
        sort(replies.order, replies.values, replies.progress[FILLED])


@part
def breed_turn(game, duels, settings, scratch, reply_scratch, weights, counts):
    """One rank of the own generation; after the last the best turn is the champion."""
    own = duels.own
    rank = own.progress[RANK]
    bear(game, own, settings.own, scratch, weights, rank, counts)
    judge_turn(game, duels, settings, scratch, weights, rank, counts)
    own.progress[RANK] += 1
    if own.progress[RANK] == len(own.values):
        sort(own.order, own.values, len(own.values))
        crown(duels, reply_scratch)


@part
def breed_reply(game, duels, settings, scratch, weights, counts):
    """One rank of the replies' generation; after the last both populations are sorted."""
    own, replies = duels.own, duels.replies
    rank = replies.progress[RANK]
    g = replies.order[rank]
    if rank >= settings.reply.survivors:
        bear(game, replies, settings.reply, scratch, weights, rank, counts)
        value = finish(game, scratch.state, settings.reply.player, weights, counts)
        count_reply(duels, g, value)
    elif duels.arena[CHANGED]:
        adapt(game, duels, settings, scratch, weights, g, counts)
    replies.progress[RANK] += 1
    if replies.progress[RANK] == len(replies.values):
        sort(replies.order, replies.values, len(replies.values))
        sort(own.order, own.values, len(own.values))
        own.progress[RANK] = settings.own.survivors
        replies.progress[RANK] = 0
        counts[STEPS] += 1


@kernel
def advance(
    game, duels, settings, scratch, reply_scratch, weights, steps, call_limit, counts
):  # fmt: skip
    """Go on until so many generations of both or calls are done, from where the last stopped."""
    last = counts[STEPS] + steps
    own = duels.own
    start(game, duels, settings, scratch, reply_scratch, weights, call_limit, counts)
    own.progress[RANK] = max(own.progress[RANK], settings.own.survivors)
    while counts[STEPS] < last and counts[FM_CALLS] < call_limit:
        if own.progress[RANK] < len(own.values):
            breed_turn(game, duels, settings, scratch, reply_scratch, weights, counts)
        else:
            breed_reply(game, duels, settings, reply_scratch, weights, counts)
