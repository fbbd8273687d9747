"""Fewer actions to choose from: at the root, and in nodes that were seldom visited.

Breadth-First Tree Initialization evaluates the state after every action of the root at once,
without a rollout, before the search proper; the turn's end is applied if no points are left. The
paper repeats this M times against chance; here an action has one result, so M is 1. Safety
prepruning then leaves out actions that lose at once, unless all do.

Sequential halving (Karnin, Koren and Somekh, 2013) shares the budget among as many rounds as the
root's actions can be halved. In a round all that are left are visited equally often; after it the
half with the worse means is dropped. Below the root all is as usual.

Progressive unpruning (Chaslot et al., 2008) lets a node try its best-rated actions first, and
another one whenever its visits reach FIRST_WIDENING, and then WIDENING_FACTOR times as many again.
"""

from heroacademy.engine.jit import helper
from heroacademy.search.jit import kernel
from heroacademy.search.tree import DROPPED, ROOT, highest_mark

FIRST_WIDENING = 50.0
WIDENING_FACTOR = 1.3


@helper
def allowed_actions(visits, first, actions):
    """How many of a node's actions are open after so many visits, `first` at the beginning."""
    allowed, needed = min(first, actions), FIRST_WIDENING
    while allowed < actions and visits >= needed:
        allowed += 1
        needed *= WIDENING_FACTOR
    return allowed


def halving_rounds(actions: int) -> int:
    """Rounds of sequential halving that leave one of so many actions.

    >>> [halving_rounds(n) for n in (1, 2, 3, 4, 5, 64)]
    [1, 1, 2, 2, 3, 6]
    """
    return max(1, (actions - 1).bit_length())


@helper
def least_visited(tree, node):
    """The first of the least visited edges that are not left out."""
    first = tree.node_edges[node]
    limit = highest_mark(tree, node)
    best, fewest = first, -1
    for edge in range(first, first + tree.node_tried[node]):
        if tree.edge_mark[edge] > limit:
            continue
        if fewest < 0 or tree.edge_visits[edge] < fewest:
            best, fewest = edge, tree.edge_visits[edge]
    return best


@kernel
def drop_half(tree):
    """Drop the worse half of the root's actions that are left, and all that were never tried."""
    node = tree.size[ROOT]
    first, tried = tree.node_edges[node], tree.node_tried[node]
    if tried == 0:
        return
    tree.node_actions[node] = tried
    left = 0
    for edge in range(first, first + tried):
        left += not tree.edge_mark[edge] & DROPPED
    for _ in range(left // 2):
        worst = -1
        for edge in range(first, first + tried):
            if tree.edge_mark[edge] & DROPPED:
                continue
            if worst < 0 or tree.edge_mean[edge] <= tree.edge_mean[worst]:
                worst = edge
        tree.edge_mark[worst] |= DROPPED
