"""MCTS over single actions: vanilla, non-exploring and bridge-burning, and its enhancements."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from heroacademy.agents.base import Budget, Plan, completed_plan, preset_option, stopped_early
from heroacademy.agents.clock import Clock
from heroacademy.agents.options import FLAG, SHARE, Checked, Choice, Number, Whole, option
from heroacademy.engine.evaluation import weights_array
from heroacademy.engine.layout import MAX_ACTIONS
from heroacademy.search import mcts, reuse
from heroacademy.search.avoidance import ANY, IN_OWN_TURN, NEVER
from heroacademy.search.common import new_scratch
from heroacademy.search.determinism import SEQUENCES
from heroacademy.search.extras import (
    AVOIDED,
    DIFFERED,
    SEEN,
    SEQUENCES_LEFT,
    WEIGHTS,
    Extras,
    new_extras,
)
from heroacademy.search.knowledge import WEIGHT_A_TURN, first_knowledge, measure_start
from heroacademy.search.pruning import drop_half, halving_rounds
from heroacademy.search.tree import (
    EDGES,
    LOSES,
    NO_EDGE,
    NO_NODE,
    NODES,
    NOT_NOVEL,
    ROOT,
    TURN_ENDS,
    leaf_depths,
    new_tree,
)
from heroacademy.state import SEARCH_SALT, State, generator

EDGES_A_NODE = 2  # how much room there is, with max_nodes; it bounds the memory
LOSS_AVOIDANCE = {"off": NEVER, "turn": IN_OWN_TURN, "any": ANY}

# The paper's enhancements and two more, and what switches each on. None of the numbers was tuned
# for this game. The paper leaves W and the share of n-grams open; they are those of its authors'
# program, MaastCTS2. Half a point of the paper's scores, which is less than any event changes,
# corresponds to 50 of the evaluation's. The 5 actions that unpruning begins with are our choice.
ENHANCEMENTS: dict[str, dict] = {
    "progressive history": {"progressive_history": 1.0},
    "n-gram selection": {"ngrams": 0.5},
    "tree reuse": {"tree_reuse": 0.6},
    "breadth-first initialization": {"breadth_first": True},
    "loss avoidance": {"loss_avoidance": "any"},
    "novelty-based pruning": {"novelty": True},
    "knowledge-based evaluations": {"knowledge": 50.0},
    "deterministic game detection": {"mixmax": 0.25},
    "sequential halving": {"sequential_halving": True},
    "progressive unpruning": {"unpruning": 5},
}


@dataclass(frozen=True)
class MCTS(Checked):
    """UCT with one action a ply, a transposition table and statistics on edges.

    All children of a node are tried once, best-rated first, before any is chosen by its upper
    confidence bound mean + 2 C sqrt(2 ln n / n_edge). Rollouts go to the end of the current
    turn; its end is applied before the evaluation, which is scaled to 0 (lost) .. 1 (won).
    After the search the line of best children is played; where it leaves the tree, best-rated
    actions complete the turn. The papers do not say what makes a child the best, so `final`
    is an option; notebooks 01 and 02 compare its values with the OEP paper.

    Ten enhancements can be switched on, in any combination: the eight of Soemers et al. (2016),
    sequential halving and progressive unpruning. `ENHANCEMENTS` has their usual settings; the
    modules of `heroacademy.search` that are named after them tell how they read the papers in a
    game of two players with several actions a turn. Three of them remember a game's earlier turns:
    `plan` alone starts afresh, the object that `for_game` makes remembers.
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
    progressive_history: float = option(
        0.0, Number(0), "weight W of an action's earlier results in the selection; 0 is off"
    )
    ngrams: float = option(
        0.0, SHARE, "share of actions in rollouts that n-grams choose, before epsilon; 0 is off"
    )
    tree_reuse: float = option(
        0.0, SHARE, "factor of old results when a game's last tree is kept; 0 keeps no tree"
    )
    breadth_first: bool = option(
        False, FLAG, "evaluate the root's actions once without rollouts, prune what loses at once"
    )
    loss_avoidance: str = option(
        "off",
        Choice(tuple(LOSS_AVOIDANCE)),
        "replace a loss at a node's first visit by the best alternative to the last action: a "
        "loss in one's own 'turn', or 'any' of the searching player",
    )
    novelty: bool = option(False, FLAG, "leave out actions that lead to nothing new")
    knowledge: float = option(
        0.0, Number(0, 1000), "the most that distances to objects add to an evaluation; 0 is off"
    )
    mixmax: float = option(
        0.0, SHARE, "share of the best result in means, if the game seems deterministic; 0 is off"
    )
    sequential_halving: bool = option(
        False, FLAG, "visit the root's actions equally, drop the worse half again and again"
    )
    unpruning: int = option(
        0, Whole(0, MAX_ACTIONS), "best-rated actions to begin with, more with visits; 0 is off"
    )
    name = "vanilla-mcts"

    @property
    def version(self) -> int:
        """Of what it plays with these options: a change of one enhancement is no change of others.

        Versions are part of the keys of stored games, so those of all other options stay valid.
        Knowledge is at its third version; loss avoidance, and novelty with unpruning, are at
        their second.
        """
        if self.knowledge > 0:
            return 3
        changed = self.loss_avoidance != "off" or (self.novelty and self.unpruning > 0)
        return 2 if changed else 1

    def plan(self, state: State, budget: Budget, seed: int = 0) -> Plan:
        return _Search(self, state, budget, seed).run()

    def for_game(self) -> MCTS | _Remembering:
        """What plays one game, turn by turn: the agent itself unless it has to remember."""
        remembers = self.tree_reuse > 0 or self.knowledge > 0 or self.mixmax > 0
        return _Remembering(self) if remembers else self


class _Remembering:
    """Plays one side of one game and remembers its last search."""

    def __init__(self, agent: MCTS):
        self.agent, self.last = agent, None

    def plan(self, state: State, budget: Budget, seed: int = 0) -> Plan:
        search = _Search(self.agent, state, budget, seed, self.last)
        plan = search.run()
        self.last = search
        search.last = None  # or all trees of the game would be kept
        return plan


class _Search:
    """One search for one turn, with what is worth keeping of an earlier one."""

    def __init__(
        self, agent: MCTS, state: State, budget: Budget, seed: int, last: _Search | None = None
    ):
        self.agent, self.state = agent, state
        self.game, self.weights = state.config.game, weights_array(agent.preset)
        self.clock = Clock(budget, state)
        self.settings = mcts.Settings(
            state.player,
            float(agent.exploration),
            float(agent.epsilon),
            agent.final == "visits",
            history=float(agent.progressive_history),
            ngrams=float(agent.ngrams),
            breadth_first=agent.breadth_first,
            loss_avoidance=LOSS_AVOIDANCE[agent.loss_avoidance],
            novelty=agent.novelty,
            knowledge=float(agent.knowledge),
            mixmax=float(agent.mixmax),
            halving=agent.sequential_halving,
            unpruning=int(agent.unpruning),
        )
        self.scratch = new_scratch(state.array, generator(seed, SEARCH_SALT))
        self.last = last if last is not None and last.state.player == state.player else None
        room = self.clock.room(agent.max_nodes)
        self.extras = self.new_extras(room)
        self.played: list[int] = []  # actions that bridge burning has settled
        self.reused = 0  # nodes
        if self.last is None or agent.tree_reuse == 0 or not self.replant(room):
            is_plain = self.extras is None and agent.tree_reuse == 0
            self.tree = new_tree(room, EDGES_A_NODE * agent.max_nodes, is_plain)
            mcts.plant(self.tree, self.scratch, state.player)

    def new_extras(self, room: int) -> Extras | None:
        """What the enhancements keep; None if all are off, or the one that is needs nothing."""
        agent = self.agent
        if mcts.is_plain(self.settings):
            return None
        extras = new_extras(
            room, agent.progressive_history > 0, agent.ngrams > 0, bool(agent.novelty)
        )
        if agent.mixmax > 0:
            extras.numbers[SEQUENCES_LEFT] = SEQUENCES
            if self.last is not None:
                for number in (SEQUENCES_LEFT, DIFFERED):  # one verdict for the game
                    extras.numbers[number] = self.last.extras.numbers[number]
        if agent.knowledge > 0:
            extras.knowledge[:] = first_knowledge()
            if self.last is not None:
                extras.knowledge[:] = self.last.extras.knowledge
                extras.knowledge[WEIGHTS] += WEIGHT_A_TURN
            measure_start(self.game, self.scratch.start, self.state.player, extras.knowledge)
        return extras

    def replant(self, room: int) -> bool:
        """Begin with what the last tree knows of the state, if it knows it and it fits."""
        old = self.last.tree
        root = reuse.node_with(old, self.scratch.start)
        if root == NO_NODE:
            return False
        order = np.empty(old.size[NODES], np.int32)
        new_node = np.full(old.size[NODES], NO_NODE, np.int32)
        nodes, edges = reuse.reachable(old, root, order, new_node)
        most = self.agent.max_nodes // 2  # half of the memory is for the new search
        if nodes > most or edges > EDGES_A_NODE * most:
            return False
        self.reused = nodes
        is_certain = self.is_certain()
        self.tree = new_tree(
            min(self.agent.max_nodes, room + nodes), EDGES_A_NODE * self.agent.max_nodes
        )
        reuse.transplant(
            old, self.tree, order, new_node, nodes, 1.0 if is_certain else self.agent.tree_reuse,
            self.state.action_points, self.last.extras, self.extras,
        )  # fmt: skip
        if not is_certain:
            reuse.forget_novelty(self.tree)
        return True

    def run(self) -> Plan:
        phases = max(self.state.action_points, 1) if self.agent.bridge_burning else 1
        has_room = True
        for phase in range(1, phases + 1):
            has_room = self.run_phase(phase, phases)
            if self.agent.bridge_burning:
                self.burn()
            if not has_room or self.tree.node_own[self.tree.size[ROOT]] != 1:
                break  # out of memory, or the turn is over
        return self.result(has_room)

    def run_phase(self, phase: int, phases: int) -> bool:
        """Search for one share of the budget, in rounds if the root's actions are halved."""
        rounds = 1
        if self.agent.sequential_halving:
            here = State(self.state.config, self.scratch.start)
            rounds = halving_rounds(len(here.legal_actions(pruned=True)))
        for halving in range(1, rounds + 1):
            share = phase / phases if halving == rounds else (phase - 1 + halving / rounds) / phases
            has_room = self.clock.run(self.advance, self.value, share)
            if self.agent.sequential_halving:
                drop_half(self.tree)
            if not has_room:
                break
        return has_room

    def advance(self, steps: int, call_limit: int) -> bool:
        return mcts.advance(
            self.game, self.tree, self.settings, self.scratch, self.extras, self.weights, steps,
            call_limit, self.clock.counts,
        )  # fmt: skip

    def burn(self) -> None:
        action = mcts.burn_bridges(
            self.game, self.tree, self.settings, self.scratch, self.clock.counts
        )
        if action != NO_EDGE:
            self.played.append(int(action))
            if self.extras is not None:
                self.extras.numbers[SEEN] = 0  # of the new root

    def plan_codes(self) -> np.ndarray:
        line = np.zeros(MAX_ACTIONS, np.int64)
        n = mcts.best_line(self.tree, self.settings, line)
        return np.concatenate([np.array(self.played, np.int64), line[:n]])

    def value(self) -> float:
        codes = self.plan_codes()
        return completed_plan(self.state, codes, len(codes), self.agent.preset, {}).value

    def is_certain(self) -> bool:
        """Whether the game was found to be deterministic."""
        if self.agent.mixmax == 0:
            return False
        numbers = self.extras.numbers
        return bool(numbers[SEQUENCES_LEFT] == 0 and numbers[DIFFERED] == 0)

    def effects(self) -> dict[str, int]:
        """What the enhancements that are on did, as far as it can be counted."""
        agent, stats = self.agent, {}
        if agent.tree_reuse > 0:
            stats["reused_nodes"] = self.reused
        marks = self.tree.edge_mark[: self.tree.size[EDGES]]
        if agent.breadth_first:
            stats["unsafe"] = int(np.count_nonzero(marks & LOSES))
        if agent.loss_avoidance != "off":
            stats["losses_avoided"] = int(self.extras.numbers[AVOIDED])
        if agent.novelty:
            stats["not_novel"] = int(np.count_nonzero(marks & NOT_NOVEL))
        if agent.mixmax > 0:
            stats["deterministic"] = int(self.is_certain())
        return stats

    def result(self, has_room: bool) -> Plan:
        leaves = leaf_depths(self.tree)
        stats = self.clock.stats("iterations") | {
            "nodes": int(self.tree.size[NODES]),
            "turn_end_nodes": int(self.tree.size[TURN_ENDS]),
            "unique_outcomes": int(self.tree.size[TURN_ENDS]),
            "mean_leaf_depth": float(leaves.mean()),
            "max_leaf_depth": int(leaves.max()),
        }
        stats |= self.effects()
        if not has_room:
            stopped_early(self.agent, stats, "max_nodes")
        codes = self.plan_codes()
        return completed_plan(self.state, codes, len(codes), self.agent.preset, stats)
