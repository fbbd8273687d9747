"""Searches, trees and positions that several tests of MCTS use."""

from drawn import position
from turns import POSITIONS

import heroacademy as ha
from heroacademy.agents.mcts import MCTS, _Search
from heroacademy.engine.evaluation import WIN_VALUE
from heroacademy.search import mcts, tree

GAME = POSITIONS[0].config.game


def searched(state, calls, last=None, **options):
    search = _Search(MCTS(**options), state, ha.Budget(fm_calls=calls), 1, last)
    search.run()
    return search


def two_edges(means=((10, 0.6), (10, 0.6)), own=1):
    """A root with two tried actions, 3 and 4; visits and means as given."""
    t = tree.new_tree(8, 8)
    t.node_own[0], t.node_actions[0], t.node_tried[0] = own, 2, 2
    t.edge_action[:2] = 3, 4
    for edge, (visits, mean) in enumerate(means):
        for _ in range(visits):
            tree.count_result(t, edge, mean)
            t.node_visits[0] += 1
    return t


def settings(player=1, exploration=0.0, **enhancements):
    return mcts.Settings(player, exploration, 0.5, True, **enhancements)


def root_edges(search):
    """The root's tried edges: action -> edge."""
    t, root = search.tree, 0
    first = int(t.node_edges[root])
    edges = range(first, first + int(t.node_tried[root]))
    return {str(ha.Action(int(t.edge_action[e]))): e for e in edges}


def value_after(state, *actions):
    player = state.player
    for action in actions:
        state = state.apply(action)
    return (ha.evaluate(state, player) + WIN_VALUE) / (2 * WIN_VALUE)


ONE_POINT = ha.GameConfig(action_points=1)

# Whoever ends the turn with nothing but a body has lost: only the potion saves player 1.
LAST_CHANCE = position(
    """
    1k . . . . 2A . .""",
    ap=1,
    hand={1: ["REVIVE_POTION", "INFERNO"]},
    deck={1: []},
)
SAVES = next(str(a) for a in LAST_CHANCE.legal_actions() if a.card == "REVIVE_POTION")
