"""The tree of MCTS: a directed acyclic graph, its statistics on the edges.

A node is a state, an edge an action. States reached in several ways are one node (the
transposition table maps a state's hash to it), so values and visits are kept on edges. The
children of a node are a block of edges in the order of their ratings; the block is laid out
when the node is expanded for the first time, and its first `node_tried` edges lead somewhere.

    node_visits    int32 [nodes]   times the node was passed or reached
    node_edges     int32 [nodes]   first edge of its block, NOT_LAID_OUT before
    node_actions   int16 [nodes]   edges in the block
    node_tried     int16 [nodes]   edges that were expanded
    node_own       int8  [nodes]   1 if the searching player is to move, 0 if the other,
                                   TERMINAL if the game is over
    node_depth     int16 [nodes]   actions from the first root
    node_tested    int32 [nodes]   1 + row of its features in the novelty tests, 0 untested
    edge_action    int16 [edges]
    edge_child     int32 [edges]   node at the end of an expanded edge
    edge_visits    int32 [edges]
    edge_value     float64 [edges] sum of results, for the player who moves
    edge_mean      float64 [edges] edge_value / edge_visits, kept for the selection's loop
    edge_spread    float64 [edges] 1 / sqrt(edge_visits), likewise
    edge_best      float64 [edges] best result for the player who moves; kept for mixmax only
    edge_mark      int8 [edges]    why the edge is left out: NOT_NOVEL, LOSES, DROPPED, as bits
                                   (with node_tested, these two are UNUSED long in a plain tree)
    keys, places   uint64, int32   transposition table: hash -> node
    path_edges     int64 [MAX_DEPTH]  the last descent: its edges
    path_nodes     int64 [MAX_DEPTH]  and the nodes they start from
    size           int64           NODES, EDGES, ROOT, TURN_ENDS (nodes after an own turn)
"""

from typing import NamedTuple

import numpy as np

from heroacademy.engine.hashing import hash_state
from heroacademy.engine.jit import part
from heroacademy.engine.layout import PLAYER, UNDECIDED, WINNER
from heroacademy.engine.legal import legal_actions
from heroacademy.search.common import sort_by_rating
from heroacademy.search.hashset import FREE, as_key, find, places_for
from heroacademy.search.jit import kernel

NODES, EDGES, ROOT, TURN_ENDS = range(4)
NOT_LAID_OUT = -1
TERMINAL = -1
NO_NODE = -1
NO_EDGE = -1
NOT_NOVEL, LOSES, DROPPED = 1, 2, 4  # the higher one weighs more
IN_DANGER = 0.5  # below this mean, 0 lost to 1 won, actions that are not novel count as well
MAX_DEPTH = 4096  # a path is as long as the game at most; longer ones are cut by a rollout


class Tree(NamedTuple):
    node_visits: np.ndarray
    node_edges: np.ndarray
    node_actions: np.ndarray
    node_tried: np.ndarray
    node_own: np.ndarray
    node_depth: np.ndarray
    node_tested: np.ndarray
    edge_action: np.ndarray
    edge_child: np.ndarray
    edge_visits: np.ndarray
    edge_value: np.ndarray
    edge_mean: np.ndarray
    edge_spread: np.ndarray
    edge_best: np.ndarray
    edge_mark: np.ndarray
    keys: np.ndarray
    places: np.ndarray
    path_edges: np.ndarray
    path_nodes: np.ndarray
    size: np.ndarray


NODE_TYPES = {
    "node_visits": np.int32,
    "node_edges": np.int32,
    "node_actions": np.int16,
    "node_tried": np.int16,
    "node_own": np.int8,
    "node_depth": np.int16,
    "node_tested": np.int32,
}
EDGE_TYPES = {
    "edge_action": np.int16,
    "edge_child": np.int32,
    "edge_visits": np.int32,
    "edge_value": np.float64,
    "edge_mean": np.float64,
    "edge_spread": np.float64,
    "edge_best": np.float64,
    "edge_mark": np.int8,
}


FOR_ENHANCEMENTS = ("node_tested", "edge_best", "edge_mark")
UNUSED = 1  # length of their arrays in a plain tree


def new_tree(nodes: int, edges: int, plain: bool = False) -> Tree:
    """An empty tree with room for so many nodes and edges; a plain one for no enhancements.

    The arrays never grow, because moving a large tree would make a search late. They cost
    nothing where nothing is written; only the transposition table is written all over.
    """
    places = places_for(nodes)
    sizes = dict.fromkeys(NODE_TYPES, nodes) | dict.fromkeys(EDGE_TYPES, edges)
    if plain:
        sizes |= dict.fromkeys(FOR_ENHANCEMENTS, UNUSED)
    return Tree(
        **{name: np.zeros(sizes[name], kind) for name, kind in (NODE_TYPES | EDGE_TYPES).items()},
        keys=np.zeros(places, np.uint64),
        places=np.zeros(places, np.int32),
        path_edges=np.zeros(MAX_DEPTH, np.int64),
        path_nodes=np.zeros(MAX_DEPTH, np.int64),
        size=np.zeros(4, np.int64),
    )


def leaf_depths(tree: Tree) -> np.ndarray:
    """Depths of the nodes that were never expanded."""
    nodes = tree.size[NODES]
    return tree.node_depth[:nodes][tree.node_edges[:nodes] == NOT_LAID_OUT]


@part
def node_of(tree, state, player, depth):
    """The node of a state; a new one, at a depth, if the state was never met.

    All ways to a state are equally long, because every action costs one point.
    """
    key = as_key(hash_state(state))
    place = find(tree.keys, key)
    if tree.keys[place] != FREE:
        return tree.places[place]
    node = tree.size[NODES]
    tree.size[NODES] += 1
    tree.keys[place] = key
    tree.places[place] = node
    tree.node_edges[node] = NOT_LAID_OUT
    tree.node_depth[node] = depth
    tree.node_own[node] = state[PLAYER] == player
    if state[WINNER] != UNDECIDED:
        tree.node_own[node] = TERMINAL
    return node


@part
def lay_out(game, tree, node, state, actions, ratings):
    """Give a node its block of edges, best-rated first; all else in it is still zero."""
    n = legal_actions(game, state, True, actions, ratings)
    sort_by_rating(actions, ratings, n)
    first = tree.size[EDGES]
    tree.size[EDGES] += n
    tree.node_edges[node] = first
    tree.node_actions[node] = n
    for i in range(n):
        edge = first + i
        tree.edge_action[edge] = actions[i]
        tree.edge_child[edge] = NO_NODE


@part
def count_result(tree, edge, result):
    """Add a result to an edge."""
    tree.edge_visits[edge] += 1
    tree.edge_value[edge] += result
    tree.edge_mean[edge] = tree.edge_value[edge] / tree.edge_visits[edge]
    tree.edge_spread[edge] = 1.0 / np.sqrt(tree.edge_visits[edge])


@part
def highest_mark(tree, node):
    """The highest mark that an edge of the node may have to be considered; some edge has none.

    Marks are given up one kind after the other: first that an edge is not novel, then that it
    loses, then that it was dropped.
    """
    lowest_mark = 2 * DROPPED
    for edge in range(tree.node_edges[node], tree.node_edges[node] + tree.node_tried[node]):
        lowest_mark = min(lowest_mark, tree.edge_mark[edge])
    limit = 0
    while limit < lowest_mark:
        limit = 2 * limit + 1
    return limit


@kernel
def best_edge(tree, node, by_visits):
    """The expanded edge with the best mean, or the most visits; NO_EDGE if the node has none.

    The searching player is to move. Marked edges are left out; those that are not novel come
    back if the best of the others is in danger.
    """
    has_marks = len(tree.edge_mark) > UNUSED
    limit = highest_mark(tree, node) if has_marks else 0
    best, best_score = NO_EDGE, 0.0
    while True:
        for edge in range(tree.node_edges[node], tree.node_edges[node] + tree.node_tried[node]):
            if has_marks and tree.edge_mark[edge] > limit:
                continue
            score = float(tree.edge_visits[edge]) if by_visits else tree.edge_mean[edge]
            if best == NO_EDGE or score > best_score:
                best, best_score = edge, score
        is_safe = best == NO_EDGE or tree.edge_mean[best] >= IN_DANGER
        if is_safe or limit > 0 or not has_marks:
            return best
        limit = NOT_NOVEL
