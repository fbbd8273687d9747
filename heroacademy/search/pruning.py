"""Fewer actions to choose from: at the root, and in nodes that were seldom visited.

Breadth-First Tree Initialization evaluates the state after every action of the root at once,
without a rollout, before the search proper; the turn's end is applied if no points are left. Each
evaluation is backed up as one iteration. This happens at every root: a new one, one of a reused
tree, whose actions may have been visited already, and the next one of bridge burning. The paper
repeats it M times against chance; here an action has one result, so M is 1. With random draws this
holds only because a state holds their generator: a search reads the true one, and so sees which
cards are going to be drawn. Safety prepruning then leaves out actions that lose at once, unless
all do. All of the root's actions are open afterwards; with progressive unpruning, only those of
other nodes are held back.

Sequential halving (Karnin, Koren and Somekh, 2013) shares the budget among as many rounds as the
root's actions can be halved. In a round all that are left are visited equally often; after it the
half with the worse means is dropped, but marked actions, which are not visited, before all
others: those that lose, then those that are not novel. Below the root all is as usual.

Progressive unpruning (Chaslot et al., 2008) lets a node try its best-rated actions first, and
another one whenever its visits reach FIRST_WIDENING, and then WIDENING_FACTOR times as many again.
"""

from heroacademy.engine.jit import helper
from heroacademy.search.extras import SEEN
from heroacademy.search.jit import kernel
from heroacademy.search.tree import DROPPED, NOT_LAID_OUT, ROOT, highest_mark

FIRST_WIDENING = 50.0
WIDENING_FACTOR = 1.3


@helper
def has_unseen(tree, extras):
    """Whether breadth-first initialization has yet to see an action of the root."""
    root = tree.size[ROOT]
    is_new = tree.node_edges[root] == NOT_LAID_OUT
    return is_new or extras.numbers[SEEN] < tree.node_actions[root]


@helper
def next_unseen(tree, extras):
    """The edge of the root's next unseen action, which is seen now."""
    edge = tree.node_edges[tree.size[ROOT]] + extras.numbers[SEEN]
    extras.numbers[SEEN] += 1
    return edge


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


@helper
def _is_worse(tree, edge, other):
    if tree.edge_mark[edge] != tree.edge_mark[other]:
        return tree.edge_mark[edge] > tree.edge_mark[other]
    return tree.edge_mean[edge] <= tree.edge_mean[other]


@kernel
def drop_half(tree):
    """Drop the worse half of the root's actions that are left, and all that were never tried.

    A marked action is worse than one with a lower mark or none, whatever its mean.
    """
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
            if worst < 0 or _is_worse(tree, edge, worst):
                worst = edge
        tree.edge_mark[worst] |= DROPPED
