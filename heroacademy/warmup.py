"""Compile every kernel ahead of its first use, with a progress bar."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from tqdm.auto import tqdm

from heroacademy.agents.base import Budget
from heroacademy.agents.mcts import ENHANCEMENTS
from heroacademy.agents.registry import agent_names, make_agent
from heroacademy.config import GameConfig
from heroacademy.engine import layout, playout
from heroacademy.state import State, evaluate, new_game


def _steps(state: State) -> dict[str, Callable[[], object]]:
    """What to call on a state, by the name shown while it compiles."""
    game, rng = state.config.game, np.zeros(1, np.int64)
    codes = np.empty(layout.MAX_ACTIONS, np.int64)
    return {
        "legal actions": state.legal_actions,
        "ratings": state.rated_actions,
        "actions": lambda: state.apply(state.legal_actions()[0]),
        "evaluation": lambda: evaluate(state, 1),
        "hash": lambda: state.key,
        "redetermination": lambda: state.redetermine(1, seed=0),
        "text forms": lambda: State.from_text(state.to_text()),
        "playouts": lambda: playout.play_randomly(game, state.array, rng, 1, codes),
        "perft": lambda: playout.perft(game, state.array, 1),
    }


def _plan_with(name: str, state: State) -> Callable[[], object]:
    return lambda: make_agent(name).plan(state, Budget(fm_calls=1000))


def _play_enhanced() -> None:
    """Plan two turns of a game, with all enhancements of MCTS and with reused trees alone.

    The second turn begins where the first did, so that the tree knows the state; draws are
    random, because what novelty tests found is forgotten then.
    """
    state = new_game(GameConfig(draws="random"), seed=0)
    together = {k: v for options in ENHANCEMENTS.values() for k, v in options.items()}
    for options in (together, ENHANCEMENTS["tree reuse"]):
        player = make_agent("vanilla-mcts", **options).for_game()
        for _ in range(2):
            player.plan(state, Budget(fm_calls=1000))


def warm_up(agents: bool | Sequence[str] = False, progress: bool = True) -> None:
    """Compile the engine, and searches if asked to, or load them if they are compiled.

    `agents` are the names of those whose searches are wanted; True is all of them, and MCTS with
    its enhancements. The first call on a machine takes about 20 seconds for the engine and some
    more for each kind of search, and shows a progress bar; later ones, in any process, are
    quick, because compiled code is kept on disk until the sources change.
    """
    with tqdm(desc="compiling", postfix="dealing", disable=not progress, leave=False) as bar:
        state = new_game(GameConfig(), seed=0)
        steps = _steps(state)
        names = (agent_names() if agents else ()) if isinstance(agents, bool) else agents
        steps |= {name: _plan_with(name, state) for name in names}
        if agents is True:
            steps["enhanced MCTS"] = _play_enhanced
        bar.reset(total=len(steps) + 1)
        bar.update()
        for name, step in steps.items():
            bar.set_postfix_str(name)
            step()
            bar.update()
