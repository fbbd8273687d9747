"""Loss Avoidance: look for a better alternative before a lost result is backed up.

When the first visit of a node ends with the game lost, one state is generated for every action
that could have been played instead of the last one, and the best of their evaluations is backed
up. A forced end of turn is no choice: the action before it is replaced then, and the turn's end
follows if no points are left. The alternatives are not added to the tree, as rollouts never are.

The paper knows one player and warns of adversarial games, where a loss is rather the other's
merit. So there are two readings of whose loss is to be avoided:

    IN_OWN_TURN   of the player whose turn it was, either one: who loses by its own action, by
                  leaving only bodies on the board, may choose again
    ANY           of the searching player, as in the paper's text, although it is mostly the other
                  one's attack that is then replaced

The first hardly ever has anything to do; the second is what is tried beside the other
enhancements.
"""

from heroacademy.engine.copying import copy_state
from heroacademy.engine.evaluation import WIN_VALUE, evaluate
from heroacademy.engine.jit import helper
from heroacademy.engine.layout import AP, END_ACTION, UNDECIDED, WINNER
from heroacademy.engine.legal import legal_actions
from heroacademy.search.common import play
from heroacademy.search.extras import HAS_BEFORE, LINE_LENGTH, LINE_SHIFT

NEVER, IN_OWN_TURN, ANY = range(3)


@helper
def loser_to_help(state, kind, player, extras):
    """The player whose loss is to be avoided, 0 if there is none."""
    winner = state[WINNER]
    if kind == NEVER or winner <= 0 or not extras.numbers[HAS_BEFORE]:
        return 0
    loser = 3 - winner
    mover = extras.line[extras.numbers[LINE_LENGTH] - 1] >> LINE_SHIFT
    return loser if loser == (mover if kind == IN_OWN_TURN else player) else 0


@helper
def best_alternative(game, loser, scratch, extras, weights, counts):
    """The best evaluation, for the loser, after any action instead of the last one."""
    best = -WIN_VALUE
    for i in range(legal_actions(game, extras.before, True, scratch.actions, None)):
        copy_state(extras.before, scratch.after)
        play(game, scratch.after, scratch.actions[i], counts)
        if scratch.after[WINNER] == UNDECIDED and scratch.after[AP] == 0:
            play(game, scratch.after, END_ACTION, counts)
        best = max(best, evaluate(game, scratch.after, loser, weights))
    return best
