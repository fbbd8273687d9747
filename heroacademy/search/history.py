"""What actions were worth in earlier iterations: Progressive History and n-grams.

Both keep the mean result of every action, for each player, over all iterations in which it was
played, in the tree or in the rollout. The paper adds the avatar's position to an action; here an
action holds the square of its unit, or the card, and the target.

Progressive History (Nijssen and Winands, 2010) adds to the upper confidence bound of an edge

    W * h / (n - s + 1)

with the edge's visits n and the sum s of its results for the player who moves, each from 0 to
1: a bias that falls with the visits, and slower for edges that win. There, h is the mean of the
action, from 0 to 1 as well, and in the GVGP paper all scores are scaled to what was observed. Our
results are scaled to lost and won, so those of undecided games are all near one half: h would be
too, for all actions, and the bias a mere bonus for few visits. So both are scaled here to the range
of the results of the search so far, decided games left out, since a single win would stretch it
to many times its length; what lies outside counts as its end. And h is centred: the mean of the
action less that of all actions of its player. Equal histories thus change nothing, nor does an
action without one, and an action that did worse than the average gets a malus.

In the GVGP paper the means that the bias is added to are scaled to the observed range too. Here
they are not: they are on the scale of the plain search, as its exploration term is. Ranges observed
with 5 action points were a fortieth to a sixth of that scale, so W = 1 weighs as much against the
exploration term as there, but 6 to 40 times as much against the means.

The N-Gram Selection Technique (Tak, Winands and Bjornsson, 2012) chooses actions in rollouts. It
also keeps the means of pairs and triples of successive actions of a turn; they end with it,
because what the other player does comes between. The score of an action is the mean over the
lengths 1 to 3 of those n-grams that end with it, as far as the longer ones were met LEAST_MET
times; an action that was never played has the best score there is. Equal ones are drawn. Scores
are only compared with each other, so their range does not matter. The n-grams of an iteration
begin at the root; after bridge burning, at the new one.
"""

from heroacademy.engine.bits import mix, random_below
from heroacademy.engine.jit import helper
from heroacademy.engine.layout import PLAYER
from heroacademy.engine.legal import legal_actions
from heroacademy.search.extras import (
    GRAMS,
    HIGHEST_RESULT,
    LINE_LENGTH,
    LINE_SHIFT,
    LOWEST_RESULT,
    NUMBER_OF_ALL,
    SUM_OF_ALL,
)
from heroacademy.search.hashset import FREE, as_key, find

LEAST_MET = 7  # pairs and triples that were met less often say nothing
UNPLAYED_SCORE = 1.0
NO_ENTRY = 0
_ENTRY_BITS = LINE_SHIFT + 2


@helper
def entry_of(player, action):
    """An action and its player in one number."""
    return player << LINE_SHIFT | action


@helper
def history_place(entry):
    return entry - (1 << LINE_SHIFT)


@helper
def history_bias(extras, entry, player, weight, visits, mean):
    """Progressive History's bias of an edge, from its action, its visits and its mean.

    The mean is that of the player who moves, 0 lost to 1 won; `player` is the searching one.
    """
    place, mover, results = history_place(entry), entry >> LINE_SHIFT, extras.results
    span = results[HIGHEST_RESULT] - results[LOWEST_RESULT]
    if extras.history_count[place] == 0 or span <= 0.0:
        return 0.0
    average = results[SUM_OF_ALL + mover] / results[NUMBER_OF_ALL + mover]
    better = (extras.history_sum[place] / extras.history_count[place] - average) / span
    lowest = results[LOWEST_RESULT] if mover == player else 1.0 - results[HIGHEST_RESULT]
    won = min(max((mean - lowest) / span, 0.0), 1.0)
    return weight * min(max(better, -1.0), 1.0) / (visits * (1.0 - won) + 1.0)


# --- n-grams --------------------------------------------------------------------------------


@helper
def gram_key(before, previous, entry):
    """Hash of a pair, or of a triple if there is an action before; different for all of them."""
    return as_key(mix((before << _ENTRY_BITS | previous) << _ENTRY_BITS | entry))


@helper
def count_gram(extras, key, score):
    """Count a result of a pair or triple, as long as the table has room for new ones."""
    place = find(extras.gram_keys, key)
    if extras.gram_keys[place] == FREE:
        if 4 * (extras.numbers[GRAMS] + 1) > 3 * len(extras.gram_keys):
            return
        extras.gram_keys[place] = key
        extras.numbers[GRAMS] += 1
    extras.gram_sum[place] += score
    extras.gram_count[place] += 1


@helper
def gram_score(extras, before, previous, entry):
    """The mean of an action's n-grams of length 1 to 3.

    A triple is met no more often than its last pair, nor that than its last action.
    """
    place = history_place(entry)
    met = extras.history_count[place]
    if met == 0:
        return UNPLAYED_SCORE
    total, lengths = extras.history_sum[place] / met, 1
    for first in (NO_ENTRY, before):
        if met < LEAST_MET or previous == NO_ENTRY or (lengths == 2 and first == NO_ENTRY):
            break
        gram = find(extras.gram_keys, gram_key(first, previous, entry))
        met = extras.gram_count[gram]
        if met >= LEAST_MET:
            total += extras.gram_sum[gram] / met
            lengths += 1
    return total / lengths


@helper
def previous_entry(extras, player, back):
    """The entry so many actions back in the line, if it is of the same turn."""
    place = extras.numbers[LINE_LENGTH] - back
    if place < 0 or extras.line[place] >> LINE_SHIFT != player:
        return NO_ENTRY
    return extras.line[place]


@helper
def ngram_action(game, state, rng, actions, extras):
    """The action with the best score of its n-grams, pruned ones left out."""
    n = legal_actions(game, state, True, actions, None)
    player = state[PLAYER]
    previous = previous_entry(extras, player, 1)
    before = NO_ENTRY if previous == NO_ENTRY else previous_entry(extras, player, 2)
    i = random_below(rng, n)
    best, best_score = actions[i], -1.0
    for _ in range(n):
        score = gram_score(extras, before, previous, entry_of(player, actions[i]))
        if score > best_score:
            best, best_score = actions[i], score
        i = i + 1 if i + 1 < n else 0
    return best


# --- after an iteration ---------------------------------------------------------------------


@helper
def count_line(extras, player, first, end, result, ngrams):
    """Count a result, for `player`, for a part of the iteration's line and the n-grams there."""
    line, results = extras.line, extras.results
    if 0.0 < result < 1.0:
        results[LOWEST_RESULT] = min(results[LOWEST_RESULT], result)
        results[HIGHEST_RESULT] = max(results[HIGHEST_RESULT], result)
    for i in range(first, end):
        entry = line[i]
        mover = entry >> LINE_SHIFT
        score = result if mover == player else 1.0 - result
        extras.history_sum[history_place(entry)] += score
        extras.history_count[history_place(entry)] += 1
        results[SUM_OF_ALL + mover] += score
        results[NUMBER_OF_ALL + mover] += 1.0
        if ngrams and i > 0 and line[i - 1] >> LINE_SHIFT == mover:
            count_gram(extras, gram_key(NO_ENTRY, line[i - 1], entry), score)
            if i > 1 and line[i - 2] >> LINE_SHIFT == mover:
                count_gram(extras, gram_key(line[i - 2], line[i - 1], entry), score)


@helper
def note_action(extras, player, action):
    """Append an action to the line."""
    extras.line[extras.numbers[LINE_LENGTH]] = entry_of(player, action)
    extras.numbers[LINE_LENGTH] += 1
