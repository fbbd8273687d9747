"""Loss Avoidance: look for a better alternative before a lost result is backed up.

When an action that is tried for the first time, or the rollout after it, ends with the game lost,
one state is generated for every action that could have been played instead of the last one. The
best of their evaluations is backed up to all that led to the choice; the action that was replaced
keeps its loss. So if it is the new edge itself, that edge counts a loss and only the edges above it
the alternative; if it lies in the rollout, the whole path counts the alternative. Histories and
n-grams count likewise. The second visit of a losing edge is a loss for the whole path, as always.

Readings of our own:

- A forced end of turn is no choice: the action before it is replaced then, and the turn's end
  follows an alternative that leaves no points. In the paper's trees, which keep whole rollouts,
  that end would be there from the first visit on; here its edge comes with the second visit and is
  not taken for another first one. So an action that loses when its turn ends is forgiven once,
  like one that loses at once.
- The alternatives are not added to the tree, as rollouts never are: the paper adds both. Those
  beside a new edge get their own visits anyway, as all actions of a node are tried.
- The state before the choice is kept, so that nothing is played again to get there. The paper's
  rule for games with chance, where the repeated line may end early, has nothing to do.

The paper knows one player and warns of adversarial games, where a loss is rather the other's
merit. So there are two readings of whose loss is to be avoided:

    IN_OWN_TURN   of the player whose turn it was, either one: who loses by its own action, by
                  leaving only bodies on the board, may choose again
    ANY           of the searching player, as in the paper's text: if it is the other one's attack
                  that wins, the attack is replaced by what is best for the searching player

The second is the one that is played beside the other enhancements.
"""

from heroacademy.engine.copying import copy_state
from heroacademy.engine.evaluation import WIN_VALUE
from heroacademy.engine.jit import helper
from heroacademy.engine.layout import WINNER
from heroacademy.engine.legal import legal_actions
from heroacademy.search.common import play_on
from heroacademy.search.extras import CHOICE, LINE_ACTION, LINE_LENGTH, LINE_SHIFT, NO_CHOICE
from heroacademy.search.knowledge import known_value

NEVER, IN_OWN_TURN, ANY = range(3)


@helper
def is_new_choice(tree, depth, extras):
    """Whether the line's last free choice is the path's last edge, new, or in the rollout then."""
    choice = extras.numbers[CHOICE]
    is_new = tree.edge_visits[tree.path_edges[depth - 1]] == 0
    return is_new and choice != NO_CHOICE and choice >= depth - 1


@helper
def loser_to_help(state, kind, player, extras):
    """The player whose loss is to be avoided, 0 if there is none."""
    winner = state[WINNER]
    if kind == NEVER or winner <= 0:
        return 0
    loser = 3 - winner
    mover = extras.line[extras.numbers[LINE_LENGTH] - 1] >> LINE_SHIFT
    return loser if loser == (mover if kind == IN_OWN_TURN else player) else 0


@helper
def best_alternative(game, loser, settings, scratch, extras, weights, counts):
    """What is best for the loser after any other action than the chosen one.

    As a value for the searching player, a loss if there is nothing better.
    """
    sign = 1.0 if loser == settings.player else -1.0
    chosen = extras.line[extras.numbers[CHOICE]] & LINE_ACTION
    best = -float(WIN_VALUE)
    for i in range(legal_actions(game, extras.before, True, scratch.actions, None)):
        if scratch.actions[i] == chosen:
            continue
        copy_state(extras.before, scratch.after)
        play_on(game, scratch.after, scratch.actions[i], counts)
        value = known_value(
            game, scratch.after, settings.player, weights, extras.knowledge, settings.knowledge,
            False,
        )  # fmt: skip
        best = max(best, sign * value)
    return sign * best
