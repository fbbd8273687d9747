"""MCTS over single actions: vanilla, non-exploring and bridge-burning."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from heroacademy.agents.base import Budget, Plan, completed_plan, preset_option, stopped_early
from heroacademy.agents.clock import Clock
from heroacademy.agents.options import FLAG, SHARE, Checked, Choice, Number, Whole, option
from heroacademy.engine.evaluation import weights_array
from heroacademy.engine.layout import MAX_ACTIONS
from heroacademy.search import mcts
from heroacademy.search.common import new_scratch
from heroacademy.search.tree import NO_EDGE, NODES, ROOT, TURN_ENDS, leaf_depths, new_tree
from heroacademy.state import SEARCH_SALT, State, generator

EDGES_A_NODE = 2  # how much room there is, with max_nodes; it bounds the memory


@dataclass(frozen=True)
class MCTS(Checked):
    """UCT with one action a ply, a transposition table and statistics on edges.

    All children of a node are tried once, best-rated first, before any is chosen by its upper
    confidence bound mean + 2 C sqrt(2 ln n / n_edge). Rollouts go to the end of the current
    turn; its end is applied before the evaluation, which is scaled to 0 (lost) .. 1 (won).
    After the search the line of best children is played; where it leaves the tree, best-rated
    actions complete the turn. The papers do not say what makes a child the best, so `final`
    is an option; the most visited child comes closest to Table II of the OEP paper.
    """

    exploration: float = option(1 / math.sqrt(2), Number(0), "C of the upper confidence bound")
    epsilon: float = option(
        0.5, SHARE, "share of best-rated actions in rollouts; the others are random"
    )
    bridge_burning: bool = option(
        False, FLAG, "cut the root to its best child, once for every action"
    )
    final: str = option(
        "visits", Choice(("visits", "value")), "the best child: by most 'visits', or mean 'value'"
    )
    max_nodes: int = option(
        1 << 22, Whole(1 << 12, 1 << 29), "the search stops beyond, and beyond twice as many edges"
    )
    preset: str = preset_option()
    name = "vanilla-mcts"
    version = 1

    def plan(self, state: State, budget: Budget, seed: int = 0) -> Plan:
        return _Search(self, state, budget, seed).run()


class _Search:
    """One search for one turn."""

    def __init__(self, agent: MCTS, state: State, budget: Budget, seed: int):
        self.agent, self.state = agent, state
        self.game, self.weights = state.config.game, weights_array(agent.preset)
        self.clock = Clock(budget, state)
        self.settings = mcts.Settings(
            state.player, float(agent.exploration), float(agent.epsilon), agent.final == "visits"
        )
        self.scratch = new_scratch(state.array, generator(seed, SEARCH_SALT))
        self.tree = new_tree(self.clock.room(agent.max_nodes), EDGES_A_NODE * agent.max_nodes)
        self.played: list[int] = []  # actions that bridge burning has settled
        mcts.plant(self.tree, self.scratch, state.player)

    def run(self) -> Plan:
        phases = self.state.action_points if self.agent.bridge_burning else 1
        has_room = True
        for phase in range(1, max(phases, 1) + 1):
            has_room = self.clock.run(self.advance, self.value, share=phase / max(phases, 1))
            if self.agent.bridge_burning:
                self.burn()
            if not has_room or self.tree.node_own[self.tree.size[ROOT]] != 1:
                break  # out of memory, or the turn is over
        return self.result(has_room)

    def advance(self, steps: int, call_limit: int) -> bool:
        return mcts.advance(
            self.game, self.tree, self.settings, self.scratch, self.weights, steps, call_limit,
            self.clock.counts,
        )  # fmt: skip

    def burn(self) -> None:
        action = mcts.burn_bridges(
            self.game, self.tree, self.settings, self.scratch, self.clock.counts
        )
        if action != NO_EDGE:
            self.played.append(int(action))

    def plan_codes(self) -> np.ndarray:
        line = np.zeros(MAX_ACTIONS, np.int64)
        n = mcts.best_line(self.tree, self.settings, line)
        return np.concatenate([np.array(self.played, np.int64), line[:n]])

    def value(self) -> float:
        codes = self.plan_codes()
        return completed_plan(self.state, codes, len(codes), self.agent.preset, {}).value

    def result(self, has_room: bool) -> Plan:
        leaves = leaf_depths(self.tree)
        stats = self.clock.stats("iterations") | {
            "nodes": int(self.tree.size[NODES]),
            "turn_end_nodes": int(self.tree.size[TURN_ENDS]),
            "unique_outcomes": int(self.tree.size[TURN_ENDS]),
            "mean_leaf_depth": float(leaves.mean()),
            "max_leaf_depth": int(leaves.max()),
        }
        if not has_room:
            stopped_early(self.agent, stats, "max_nodes")
        codes = self.plan_codes()
        return completed_plan(self.state, codes, len(codes), self.agent.preset, stats)
