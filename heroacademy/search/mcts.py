"""Monte-Carlo tree search over single actions: select, expand, roll out, back up.

The parts are small functions, assembled in `simulate`; their numbers are a `Settings`.
"""

from typing import NamedTuple

import numpy as np

from heroacademy.engine.bits import random_bits
from heroacademy.engine.copying import copy_state
from heroacademy.engine.evaluation import evaluate
from heroacademy.engine.jit import part
from heroacademy.engine.layout import MAX_ACTIONS, PLAYER, TURN
from heroacademy.search.common import (
    EVALUATED,
    FM_CALLS,
    STEPS,
    best_rated,
    has_turn,
    logarithm,
    normalised,
    play,
    random_action,
)
from heroacademy.search.jit import kernel
from heroacademy.search.tree import (
    EDGES,
    MAX_DEPTH,
    NO_EDGE,
    NODES,
    NOT_LAID_OUT,
    ROOT,
    TERMINAL,
    TURN_ENDS,
    best_edge,
    count_result,
    lay_out,
    node_of,
)


class Settings(NamedTuple):
    """Numbers of a search that stay the same."""

    player: int
    exploration: float  # C of the selection
    greedy_share: float  # share of best-rated actions in rollouts, the papers' epsilon
    by_visits: bool  # the best child is the most visited one, not the one with the best mean


@kernel
def plant(tree, scratch, player):
    """Make the root node."""
    tree.size[ROOT] = node_of(tree, scratch.start, player, 0)


# --- selection ------------------------------------------------------------------------------


@part
def select_edge(tree, node, settings):
    """The edge with the best upper confidence bound, mean + 2 C sqrt(2 ln n / n_edge)."""
    first = tree.node_edges[node]
    scale = 0.0
    if settings.exploration > 0.0:
        visits = max(tree.node_visits[node], 1)
        scale = 2.0 * settings.exploration * np.sqrt(2.0 * logarithm(visits))
    best, best_bound = first, -np.inf
    for edge in range(first, first + tree.node_actions[node]):
        bound = tree.edge_mean[edge] + scale * tree.edge_spread[edge]
        if bound > best_bound:
            best, best_bound = edge, bound
    return best


@part
def descend(game, tree, settings, scratch, counts):
    """Walk from the root to a node with an untried action, try it; returns the path's length.

    Afterwards `scratch.state` is the state at the end of the path.
    """
    state, node, depth = scratch.state, tree.size[ROOT], 0
    copy_state(scratch.start, state)
    while tree.node_own[node] != TERMINAL and depth < MAX_DEPTH:
        if tree.node_edges[node] == NOT_LAID_OUT:
            lay_out(game, tree, node, state, scratch.actions, scratch.ratings)
        new = tree.node_tried[node] < tree.node_actions[node]
        if new:
            edge = tree.node_edges[node] + tree.node_tried[node]
        else:
            edge = select_edge(tree, node, settings)
        tree.path_edges[depth] = edge
        tree.path_nodes[depth] = node
        depth += 1
        play(game, state, np.int64(tree.edge_action[edge]), counts)
        if new:
            tree.node_tried[node] += 1
            child_depth = tree.node_depth[node] + 1
            tree.edge_child[edge] = node_of(tree, state, settings.player, child_depth)
            return depth
        node = tree.edge_child[edge]
    return depth


# --- rollout --------------------------------------------------------------------------------


@part
def rollout(game, settings, scratch, counts):
    """Play to the end of the current turn: best-rated actions and random ones, mixed."""
    state = scratch.state
    player = state[PLAYER]
    share = np.uint64(settings.greedy_share * 4294967296.0)
    while has_turn(state, player):
        if random_bits(scratch.rng) >> np.uint64(32) < share:
            action = best_rated(game, state, scratch.actions, scratch.ratings)
        else:
            action = random_action(game, state, scratch.rng, scratch.actions)
        play(game, state, action, counts)


# --- backup ---------------------------------------------------------------------------------


@part
def back_up(tree, depth, result):
    """MultiNegamax: a result for the searching player counts against the other's edges."""
    tree.node_visits[tree.size[ROOT]] += 1
    for i in range(depth):
        edge = tree.path_edges[i]
        tree.node_visits[tree.edge_child[edge]] += 1
        count_result(tree, edge, result if tree.node_own[tree.path_nodes[i]] == 1 else -result)


# --- the loop -------------------------------------------------------------------------------


@part
def simulate(game, tree, settings, scratch, weights, counts):
    """One iteration."""
    nodes = tree.size[NODES]
    depth = descend(game, tree, settings, scratch, counts)
    if tree.size[NODES] > nodes and _ends_own_turn(tree, settings, scratch, depth):
        tree.size[TURN_ENDS] += 1
    rollout(game, settings, scratch, counts)
    counts[EVALUATED] += 1
    result = normalised(evaluate(game, scratch.state, settings.player, weights))
    back_up(tree, depth, result)


@part
def _ends_own_turn(tree, settings, scratch, depth):
    """Whether the path's last action ended the turn that is planned, or the game in it."""
    state = scratch.state
    in_time = state[TURN] <= scratch.start[TURN] + 1
    own_action = tree.node_own[tree.path_nodes[depth - 1]] == 1
    return in_time and own_action and not has_turn(state, settings.player)


@kernel
def advance(game, tree, settings, scratch, weights, steps, call_limit, counts):
    """Go on until so many iterations or calls are done, or the tree's arrays are full.

    Returns whether there was room for all.
    """
    last = counts[STEPS] + steps
    while counts[STEPS] < last and counts[FM_CALLS] < call_limit:
        out_of_nodes = tree.size[NODES] + 1 >= len(tree.node_visits)
        if out_of_nodes or tree.size[EDGES] + MAX_ACTIONS >= len(tree.edge_visits):
            return False
        simulate(game, tree, settings, scratch, weights, counts)
        counts[STEPS] += 1
    return True


@kernel
def burn_bridges(game, tree, settings, scratch, counts):
    """Make the best child of the root the new root; returns the action, or NO_EDGE.

    `scratch.start` is always the state of the root.
    """
    edge = best_edge(tree, tree.size[ROOT], settings.by_visits)
    if edge == NO_EDGE:
        return NO_EDGE
    action = np.int64(tree.edge_action[edge])
    play(game, scratch.start, action, counts)
    tree.size[ROOT] = tree.edge_child[edge]
    return action


@kernel
def best_line(tree, settings, plan):
    """Write the best line from the root to the end of the turn, as far as the tree knows it.

    Returns its length.
    """
    node, n = tree.size[ROOT], 0
    while tree.node_own[node] == 1:
        edge = best_edge(tree, node, settings.by_visits)
        if edge == NO_EDGE:
            break
        plan[n] = tree.edge_action[edge]
        n += 1
        node = tree.edge_child[edge]
    return n
