"""Novelty-Based Pruning: leave out actions that lead to nothing new.

When the selection reaches a node whose actions have all been tried (with progressive unpruning,
once all are open), each successor is tested: it is novel if one of its features is true in no
state of its neighbourhood, that is in none of its left siblings, its parent, the parent's
siblings, and the neighbourhood of the parent. The neighbourhood is put together from the bit sets
of the nodes on the path from the root, one for a node and all its successors. Features are the
class, owner and square of a unit and whether it stands, its items, and the cards in both hands,
one feature for each copy of a card. Hit points are none: as in the paper, a state with a better
evaluation than its parent, for the player who moves, always passes the test. If all successors of
a node are marked, so is the edge that led to it, even one that has passed.

The selection leaves marked edges out, unless the node's mean is below one half: unless the player
who moves is behind in the evaluation, that is.

Readings of our own: marks are on edges, since states are shared, and the neighbourhood is that
of the path on which a node was tested; a forced action, such as the end of a turn, is not
tested, as it has no alternative. The successors are generated again for the test, at the cost
of one call each.
"""

from heroacademy.engine import tables as t
from heroacademy.engine.bits import lowest
from heroacademy.engine.copying import copy_state
from heroacademy.engine.evaluation import evaluate
from heroacademy.engine.jit import helper
from heroacademy.engine.layout import (
    CARD_BITS,
    HAND,
    PLAYER,
    UNITS,
    card_count,
    held_cards,
    unit_class,
    unit_hp,
    unit_items,
    unit_owner,
)
from heroacademy.search.common import play
from heroacademy.search.extras import FEATURE_WORDS, ITEM_FEATURES, TESTED, UNIT_FEATURES
from heroacademy.search.tree import IN_DANGER, NOT_NOVEL

_CLASSES = len(t.CLASS_NAMES)
_ITEMS = len(t.ITEM_LETTERS)


@helper
def _add(features, row, seen, feature):
    """Add a feature to both sets; returns whether it was not yet among the seen ones."""
    word, bit = feature >> 6, 1 << (feature & 63)
    features[row, word] |= bit
    is_new = not seen[word] & bit
    seen[word] |= bit
    return is_new


@helper
def add_features(state, features, row, seen):
    """Add the features of a state; returns whether there is a new one."""
    found = False
    squares = state[UNITS + 1] | state[UNITS + 2]
    while squares:
        square = lowest(squares)
        squares &= squares - 1
        word = state[square]
        place = (square * 2 + unit_owner(word) - 1) * _CLASSES + unit_class(word)
        found |= _add(features, row, seen, place * 2 + (unit_hp(word) > 0))
        items = unit_items(word)
        while items:
            item = UNIT_FEATURES + square * _ITEMS + lowest(items)
            found |= _add(features, row, seen, item)
            items &= items - 1
    for player in (1, 2):
        fields = held_cards(state[HAND + player])
        while fields:
            card = lowest(fields) // CARD_BITS
            fields &= fields - 1
            first = UNIT_FEATURES + ITEM_FEATURES
            first += ((player - 1) * t.N_CARDS + card) * t.HAND_SIZE
            copies = min(card_count(state[HAND + player], card), t.HAND_SIZE)
            for copy in range(copies):
                found |= _add(features, row, seen, first + copy)
    return found


@helper
def gather(tree, extras, depth):
    """Put the sets of the path's nodes together: what was seen near its end."""
    for word in range(FEATURE_WORDS):
        extras.seen[word] = 0
    for i in range(depth):
        tested = tree.node_tested[tree.path_nodes[i]]
        if tested > 0:
            for word in range(FEATURE_WORDS):
                extras.seen[word] |= extras.features[tested - 1, word]


@helper
def mark_path(tree, node, depth):
    """Mark the edge to a node whose edges are all tried and marked, and so on upwards."""
    while depth > 0 and tree.node_tried[node] == tree.node_actions[node]:
        first = tree.node_edges[node]
        for edge in range(first, first + tree.node_tried[node]):
            if not tree.edge_mark[edge] & NOT_NOVEL:
                return
        depth -= 1
        tree.edge_mark[tree.path_edges[depth]] |= NOT_NOVEL
        node = tree.path_nodes[depth]


@helper
def is_testable(tree, node):
    """Whether a node is yet to be tested, and all of its actions have been tried."""
    return tree.node_tested[node] == 0 and tree.node_tried[node] == tree.node_actions[node]


@helper
def test_novelty(game, tree, node, depth, scratch, extras, weights, counts):
    """Test the successors of a node, whose state is `scratch.state`, and mark the edges."""
    state, row = scratch.state, extras.numbers[TESTED]
    if row < len(extras.features):
        extras.numbers[TESTED] += 1
        tree.node_tested[node] = row + 1
        gather(tree, extras, depth)
        add_features(state, extras.features, row, extras.seen)
        mover = state[PLAYER]
        value = evaluate(game, state, mover, weights)
        first, n = tree.node_edges[node], tree.node_tried[node]
        for edge in range(first, first + n):
            copy_state(state, scratch.after)
            play(game, scratch.after, tree.edge_action[edge], counts)
            is_new = add_features(scratch.after, extras.features, row, extras.seen)
            is_better = evaluate(game, scratch.after, mover, weights) > value
            if n > 1 and not is_new and not is_better:
                tree.edge_mark[edge] |= NOT_NOVEL
        mark_path(tree, node, depth)


@helper
def is_in_danger(tree, node):
    """Whether the player who moves is worse off than not: then all actions are considered."""
    total, visits = 0.0, 0
    for edge in range(tree.node_edges[node], tree.node_edges[node] + tree.node_tried[node]):
        total += tree.edge_value[edge]
        visits += tree.edge_visits[edge]
    if tree.node_own[node] != 1:
        total += visits  # the other player's results are from -1 to 0
    return total < IN_DANGER * visits
