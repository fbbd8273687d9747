"""Tree Reuse: begin a search with what an earlier one knew of the state.

The state is looked up by its hash in the old tree, so its own turn and the other player's reply
may lie between. The nodes that can be reached from it move to the new tree, with all visits and
sums of results multiplied by a factor. Visits stay whole numbers, at least 1 for an edge that was
tried; a sum falls as its visits do, so that the mean stays what it was.

A factor of 0 keeps the nodes without any results in the paper. Here it switches reuse off: a tried
edge always has a visit and a mean, and nodes without results would save nothing, as states are
generated on every way through the tree.
"""

import numpy as np

from heroacademy.engine.hashing import hash_state
from heroacademy.engine.jit import helper
from heroacademy.search.extras import FEATURE_WORDS, TESTED
from heroacademy.search.hashset import FREE, as_key, find
from heroacademy.search.jit import kernel
from heroacademy.search.tree import (
    EDGES,
    NO_NODE,
    NODES,
    NOT_LAID_OUT,
    NOT_NOVEL,
    ROOT,
    TURN_ENDS,
)


@kernel
def node_with(tree, state):
    """The node of a state, NO_NODE if it has none."""
    place = find(tree.keys, as_key(hash_state(state)))
    return np.int64(tree.places[place]) if tree.keys[place] != FREE else np.int64(NO_NODE)


@kernel
def reachable(tree, root, order, new_node):
    """List the nodes that can be reached from the root, it first; returns nodes and edges.

    order: int32 [nodes], the nodes in the order in which they are found
    new_node: int32 [nodes], NO_NODE, gets the place of each node in that list
    """
    order[0], new_node[root] = root, 0
    nodes, edges, i = 1, 0, 0
    while i < nodes:
        node = order[i]
        i += 1
        if tree.node_edges[node] == NOT_LAID_OUT:
            continue
        edges += tree.node_actions[node]
        first = tree.node_edges[node]
        for edge in range(first, first + tree.node_tried[node]):
            child = tree.edge_child[edge]
            if new_node[child] == NO_NODE:
                new_node[child] = nodes
                order[nodes] = child
                nodes += 1
    return nodes, edges


@helper
def decayed(visits, factor):
    """Visits times a factor, rounded; none stay none, and some are at least one."""
    return 0 if visits == 0 else max(1, int(factor * visits + 0.5))


@helper
def _move_edge(old, new, source, target, new_node, factor):
    visits = decayed(old.edge_visits[source], factor)
    new.edge_action[target] = old.edge_action[source]
    child = old.edge_child[source]
    new.edge_child[target] = NO_NODE if child == NO_NODE else new_node[child]
    new.edge_visits[target] = visits
    new.edge_mark[target] = old.edge_mark[source] & NOT_NOVEL
    new.edge_best[target] = old.edge_best[source]
    if visits > 0:
        share = visits / old.edge_visits[source]
        new.edge_value[target] = old.edge_value[source] * share
        new.edge_mean[target] = new.edge_value[target] / visits
        new.edge_spread[target] = 1.0 / np.sqrt(visits)


@helper
def _move_features(old, new, source, node, old_extras, new_extras):
    tested, row = old.node_tested[source], new_extras.numbers[TESTED]
    if tested > 0 and row < len(new_extras.features):
        for word in range(FEATURE_WORDS):
            new_extras.features[row, word] = old_extras.features[tested - 1, word]
        new_extras.numbers[TESTED] += 1
        new.node_tested[node] = row + 1


@helper
def _count_turn_ends(tree, node, points):
    """Count the nodes after the turn that begins at the root, once for each."""
    if tree.node_own[node] == 1 and tree.node_depth[node] <= points:
        first = tree.node_edges[node]
        for edge in range(first, first + tree.node_tried[node]):
            child = tree.edge_child[edge]
            if tree.node_own[child] != 1 and tree.node_visits[child] > 0:
                tree.node_visits[child] = -tree.node_visits[child]  # counted
                tree.size[TURN_ENDS] += 1


@kernel
def transplant(old, new, order, new_node, nodes, factor, points, old_extras, new_extras):
    """Fill an empty tree with the nodes of an old one that are listed in `order`.

    points: action points of the root's turn
    """
    shallowest = old.node_depth[order[0]]
    for node in range(nodes):
        source = order[node]
        new.node_visits[node] = decayed(old.node_visits[source], factor)
        new.node_actions[node] = old.node_actions[source]
        new.node_tried[node] = old.node_tried[source]
        new.node_own[node] = old.node_own[source]
        new.node_depth[node] = old.node_depth[source] - shallowest
        new.node_edges[node] = NOT_LAID_OUT
        if new_extras is not None:
            _move_features(old, new, source, node, old_extras, new_extras)
        if old.node_edges[source] != NOT_LAID_OUT:
            first = new.size[EDGES]
            new.node_edges[node] = first
            new.size[EDGES] += old.node_actions[source]
            for i in range(old.node_actions[source]):
                _move_edge(old, new, old.node_edges[source] + i, first + i, new_node, factor)
    new.size[NODES], new.size[ROOT] = nodes, 0
    for place in range(len(old.keys)):
        node = NO_NODE
        if old.keys[place] != FREE:
            node = new_node[old.places[place]]
        if node != NO_NODE:
            at = find(new.keys, old.keys[place])
            new.keys[at] = old.keys[place]
            new.places[at] = node
    for node in range(nodes):
        _count_turn_ends(new, node, points)
    for node in range(nodes):
        new.node_visits[node] = abs(new.node_visits[node])


@kernel
def forget_novelty(tree):
    """Forget what the novelty tests found of the root's actions: chance may have had a part."""
    node = tree.size[ROOT]
    tree.node_tested[node] = 0
    if tree.node_edges[node] != NOT_LAID_OUT:
        for i in range(tree.node_actions[node]):
            tree.edge_mark[tree.node_edges[node] + i] = 0
