"""Monte-Carlo tree search over single actions: select, expand, roll out, back up.

The parts are small functions, assembled in `simulate`; their numbers are a `Settings`. The
enhancements are plugged into them, each behind a setting that switches it on; what they do is
told in `history`, `determinism`, `pruning`, `novelty`, `knowledge`, `avoidance` and `reuse`.

`extras`, what the enhancements keep, is None if all are off: Numba then leaves them out of the
loop, so that the plain search compiles as fast as without and pays nothing for them. They are
helpers, not parts, as a part is written into the loop before it is left out.
"""

from typing import NamedTuple

import numpy as np

from heroacademy.engine.bits import happens
from heroacademy.engine.copying import copy_state
from heroacademy.engine.evaluation import evaluate
from heroacademy.engine.jit import helper, part
from heroacademy.engine.layout import AP, MAX_ACTIONS, PLAYER, TURN, WINNER
from heroacademy.search.avoidance import NEVER, best_alternative, is_new_choice, loser_to_help
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
from heroacademy.search.determinism import is_deterministic, raise_best, try_sequence
from heroacademy.search.extras import (
    AVOIDED,
    CHOICE,
    EVENT_KINDS,
    LINE_LENGTH,
    NO_CHOICE,
    SEQUENCES_LEFT,
    VALUE_BEFORE,
)
from heroacademy.search.history import (
    count_line,
    entry_of,
    history_bias,
    ngram_action,
    note_action,
)
from heroacademy.search.jit import kernel
from heroacademy.search.knowledge import known_value, learn, touched_kinds
from heroacademy.search.novelty import is_in_danger, is_testable, test_novelty
from heroacademy.search.pruning import allowed_actions, has_unseen, least_visited, next_unseen
from heroacademy.search.tree import (
    EDGES,
    LOSES,
    MAX_DEPTH,
    NO_EDGE,
    NODES,
    NOT_LAID_OUT,
    NOT_NOVEL,
    ROOT,
    TERMINAL,
    TURN_ENDS,
    best_edge,
    count_result,
    highest_mark,
    lay_out,
    node_of,
)


class Settings(NamedTuple):
    """Numbers of a search that stay the same."""

    player: int
    exploration: float  # C of the selection
    greedy_share: float  # share of best-rated actions in rollouts, the papers' epsilon
    by_visits: bool  # the best child is the most visited one, not the one with the best mean
    # the enhancements; 0 and False switch them off
    history: float = 0.0  # W of Progressive History
    ngrams: float = 0.0  # share of actions in rollouts that n-grams choose
    breadth_first: bool = False
    loss_avoidance: int = NEVER
    novelty: bool = False
    knowledge: float = 0.0  # the most that it adds to an evaluation
    mixmax: float = 0.0  # share of the best result in the selection
    halving: bool = False
    unpruning: int = 0  # actions of a node that are open from the beginning


PLAIN_FIELDS = ("player", "exploration", "greedy_share", "by_visits")


def is_plain(settings: Settings) -> bool:
    """Whether no enhancement is on that these settings know; reused trees are not theirs."""
    return not any(v for name, v in settings._asdict().items() if name not in PLAIN_FIELDS)


@kernel
def plant(tree, scratch, player):
    """Make the root node."""
    tree.size[ROOT] = node_of(tree, scratch.start, player, 0)


# --- selection ------------------------------------------------------------------------------


@part
def select_edge(tree, node, settings, extras):
    """The edge with the best upper confidence bound, mean + 2 C sqrt(2 ln n / n_edge)."""
    first = tree.node_edges[node]
    scale = 0.0
    if settings.exploration > 0.0:
        visits = max(tree.node_visits[node], 1)
        scale = 2.0 * settings.exploration * np.sqrt(2.0 * logarithm(visits))
    limit = 0
    if extras is not None:
        if settings.halving and node == tree.size[ROOT]:
            return least_visited(tree, node)
        limit = allowed_mark(tree, node, settings)
    best, best_bound = first, -np.inf
    for edge in range(first, first + tree.node_tried[node]):
        bound = tree.edge_mean[edge]
        if scale > 0.0:
            bound += scale * tree.edge_spread[edge]
        if extras is not None:
            if tree.edge_mark[edge] > limit:
                continue
            bound += bias(tree, node, edge, settings, extras)
        if bound > best_bound:
            best, best_bound = edge, bound
    return best


@helper
def allowed_mark(tree, node, settings):
    """The highest mark of an edge that may be selected."""
    limit = highest_mark(tree, node)
    if settings.novelty and limit == 0 and is_in_danger(tree, node):
        limit = NOT_NOVEL
    return limit


@helper
def bias(tree, node, edge, settings, extras):
    """What Progressive History and mixmax add to the bound of an edge."""
    added = 0.0
    is_own = tree.node_own[node] == 1
    if settings.history > 0.0:
        entry = entry_of(settings.player if is_own else 3 - settings.player, tree.edge_action[edge])
        visits, mean = tree.edge_visits[edge], tree.edge_mean[edge]
        if not is_own:
            mean += 1.0  # the other player's results are from -1 to 0
        added += history_bias(extras, entry, settings.player, settings.history, visits, mean)
    if settings.mixmax > 0.0 and is_deterministic(extras):
        added += settings.mixmax * (tree.edge_best[edge] - tree.edge_mean[edge])
    return added


@part
def choose_edge(game, tree, node, depth, settings, scratch, extras, weights, initial, counts):
    """The edge to go on with, and whether it is tried for the first time.

    It is the next untried one as long as there are any, then the one with the best bound. The
    initialization takes the next one that is unseen, tried in a reused tree or not.
    """
    untried = tree.node_edges[node] + tree.node_tried[node]
    if extras is not None and initial:
        edge = next_unseen(tree, extras)
        return edge, edge == untried
    width = tree.node_actions[node]
    if extras is not None and settings.unpruning > 0:
        width = allowed_actions(tree.node_visits[node], settings.unpruning, width)
    if tree.node_tried[node] < width:
        return untried, True
    if extras is not None and settings.novelty and is_testable(tree, node):
        test_novelty(game, tree, node, depth, scratch, extras, weights, counts)
    return select_edge(tree, node, settings, extras), False


@part
def descend(game, tree, settings, scratch, extras, weights, initial, counts):
    """Walk from the root to a node with an untried action, try it; returns the path's length.

    In the initialization it goes no further than one action, the next one that is unseen.
    Afterwards `scratch.state` is the state at the end of the path.
    """
    state, node, depth = scratch.state, tree.size[ROOT], 0
    copy_state(scratch.start, state)
    while tree.node_own[node] != TERMINAL and depth < MAX_DEPTH:
        if tree.node_edges[node] == NOT_LAID_OUT:
            lay_out(game, tree, node, state, scratch.actions, scratch.ratings)
        edge, new = choose_edge(
            game, tree, node, depth, settings, scratch, extras, weights, initial, counts
        )
        tree.path_edges[depth] = edge
        tree.path_nodes[depth] = node
        depth += 1
        act(game, state, np.int64(tree.edge_action[edge]), settings, extras, weights, counts)
        if new:
            tree.node_tried[node] += 1
            child_depth = tree.node_depth[node] + 1
            tree.edge_child[edge] = node_of(tree, state, settings.player, child_depth)
            return depth
        if extras is not None and initial:
            return depth
        node = tree.edge_child[edge]
    return depth


# --- an action ------------------------------------------------------------------------------


@part
def act(game, state, action, settings, extras, weights, counts):
    """Play an action of the iteration, watched by the enhancements that learn from it."""
    if extras is not None:
        look_before(game, state, action, settings, extras, weights)
    play(game, state, action, counts)
    if extras is not None and extras.numbers[EVENT_KINDS]:
        change = evaluate(game, state, settings.player, weights) - extras.numbers[VALUE_BEFORE]
        learn(extras.knowledge, extras.numbers[EVENT_KINDS], change)


@helper
def look_before(game, state, action, settings, extras, weights):
    """Note an action, the state before it if there is a choice, and what it is going to touch."""
    player = state[PLAYER]
    note_action(extras, player, action)
    if settings.loss_avoidance != NEVER and state[AP] > 0:
        copy_state(state, extras.before)
        extras.numbers[CHOICE] = extras.numbers[LINE_LENGTH] - 1
    if settings.knowledge > 0.0 and player == settings.player:
        extras.numbers[EVENT_KINDS] = touched_kinds(game, state, player, action)
        if extras.numbers[EVENT_KINDS]:
            extras.numbers[VALUE_BEFORE] = evaluate(game, state, player, weights)
    else:
        extras.numbers[EVENT_KINDS] = 0


# --- rollout --------------------------------------------------------------------------------


@part
def rollout(game, settings, scratch, extras, weights, counts):
    """Play to the end of the current turn: best-rated actions and random ones, mixed.

    With n-grams, a share of the actions is chosen by them, the others as without.
    """
    state = scratch.state
    player = state[PLAYER]
    while has_turn(state, player):
        by_ngrams = False
        if extras is not None and settings.ngrams > 0.0:
            by_ngrams = happens(scratch.rng, settings.ngrams)
        if extras is not None and by_ngrams:
            action = ngram_action(game, state, scratch.rng, scratch.actions, extras)
        elif happens(scratch.rng, settings.greedy_share):
            action = best_rated(game, state, scratch.actions, scratch.ratings)
        else:
            action = random_action(game, state, scratch.rng, scratch.actions)
        act(game, state, action, settings, extras, weights, counts)


# --- backup ---------------------------------------------------------------------------------


@part
def back_up(tree, first, end, result):
    """MultiNegamax: a result for the searching player counts against the other's edges.

    The edges are those of a part of the path; a visit is counted for the nodes they lead to.
    """
    for i in range(first, end):
        edge = tree.path_edges[i]
        tree.node_visits[tree.edge_child[edge]] += 1
        count_result(tree, edge, result if tree.node_own[tree.path_nodes[i]] == 1 else -result)


@helper
def credit(tree, settings, extras, first, end, depth, result):
    """Back up a result through a part of the line; only its beginning is in the tree."""
    back_up(tree, first, min(end, depth), result)
    if settings.mixmax > 0.0:
        raise_best(tree, first, min(end, depth), result)
    if settings.history > 0.0 or settings.ngrams > 0.0:
        count_line(extras, settings.player, first, end, result, settings.ngrams > 0.0)


@helper
def conclude(game, tree, settings, scratch, extras, weights, depth, counts):
    """Back up the final state's value, or that of a better alternative to what led to a loss."""
    value = known_value(
        game, scratch.state, settings.player, weights, extras.knowledge, settings.knowledge, True
    )
    better, replaced, end = value, extras.numbers[LINE_LENGTH], extras.numbers[LINE_LENGTH]
    loser = loser_to_help(scratch.state, settings.loss_avoidance, settings.player, extras)
    if loser != 0 and is_new_choice(tree, depth, extras):
        better = best_alternative(game, loser, settings, scratch, extras, weights, counts)
        replaced = extras.numbers[CHOICE]
        extras.numbers[AVOIDED] += better != value
    credit(tree, settings, extras, 0, replaced, depth, normalised(better))
    credit(tree, settings, extras, replaced, end, depth, normalised(value))


# --- the loop -------------------------------------------------------------------------------


@part
def simulate(game, tree, settings, scratch, extras, weights, counts):
    """One iteration."""
    nodes = tree.size[NODES]
    initial = False  # whether the iteration is one of breadth-first initialization
    if extras is not None:
        extras.numbers[LINE_LENGTH] = 0
        extras.numbers[CHOICE] = NO_CHOICE
        initial = settings.breadth_first and has_unseen(tree, extras)
    depth = descend(game, tree, settings, scratch, extras, weights, initial, counts)
    if tree.size[NODES] > nodes and _ends_own_turn(tree, settings, scratch, depth):
        tree.size[TURN_ENDS] += 1
    ends_here = False
    if extras is not None:
        is_turn_over = has_turn(scratch.state, settings.player) and scratch.state[AP] == 0
        ends_here = initial and not is_turn_over  # the end of one's turn is still applied
    if not ends_here:
        rollout(game, settings, scratch, extras, weights, counts)
    counts[EVALUATED] += 1
    tree.node_visits[tree.size[ROOT]] += 1
    if extras is None:
        value = float(evaluate(game, scratch.state, settings.player, weights))
        back_up(tree, 0, depth, normalised(value))
    else:
        if initial and scratch.state[WINNER] == 3 - settings.player:
            tree.edge_mark[tree.path_edges[0]] |= LOSES
        conclude(game, tree, settings, scratch, extras, weights, depth, counts)


@part
def _ends_own_turn(tree, settings, scratch, depth):
    """Whether the path's last action ended the turn that is planned, or the game in it."""
    state = scratch.state
    in_time = state[TURN] <= scratch.start[TURN] + 1
    own_action = tree.node_own[tree.path_nodes[depth - 1]] == 1
    return in_time and own_action and not has_turn(state, settings.player)


@kernel
def advance(game, tree, settings, scratch, extras, weights, steps, call_limit, counts):
    """Go on until so many iterations or calls are done, or the tree's arrays are full.

    Returns whether there was room for all.
    """
    last = counts[STEPS] + steps
    while counts[STEPS] < last and counts[FM_CALLS] < call_limit:
        out_of_nodes = tree.size[NODES] + 1 >= len(tree.node_visits)
        if out_of_nodes or tree.size[EDGES] + MAX_ACTIONS >= len(tree.edge_visits):
            return False
        if extras is not None and settings.mixmax > 0.0 and extras.numbers[SEQUENCES_LEFT] > 0:
            try_sequence(game, scratch, extras, counts)
            continue
        simulate(game, tree, settings, scratch, extras, weights, counts)
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
