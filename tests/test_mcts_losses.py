"""Loss avoidance: the action that lost keeps its loss, what led to it gets the alternative."""

from typing import NamedTuple

import pytest
from drawn import position
from small_trees import LAST_CHANCE, SAVES, root_edges, searched, value_after
from turns import with_points

import heroacademy as ha
from heroacademy.agents.mcts import MCTS, _Search
from heroacademy.engine.evaluation import WIN_VALUE
from heroacademy.search import extras, history, knowledge, tree
from heroacademy.state import State

EDGES = 20_000  # of a tree that are looked at
ON = ["turn", "any"]

# Player 2 can shoot the last crystal of player 1.
SHOT = position(
    """
    1K . .  . . . . . 2X
    .  . .  . . . . . .
    1X . 2A . . . . . .""",
    at={(0, 2): {"hp": 100}},
    crystals=False,
    ap=1,
    action_points=1,
)
# Player 2 loses unless it drinks its potion.
OTHERS_LAST_CHANCE = position(
    """
    1K . . . . 2a . .""",
    ap=1,
    action_points=1,
    hand={2: ["REVIVE_POTION", "INFERNO"]},
    deck={2: []},
)
# Player 1 loses unless it drinks its potion with one of its points.
CHANCES = position(
    """
    1k . . . . 2A . .""",
    ap=2,
    hand={1: ["REVIVE_POTION", "INFERNO", "INFERNO", "INFERNO"]},
    deck={1: []},
)


class Iteration(NamedTuple):
    """results: of the path's edges, for the searching player; states: before each action."""

    edges: list[int]
    results: list[float]
    was_new: bool
    actions: list[ha.Action]
    states: list[ha.State]
    final: ha.State
    avoided: bool

    @property
    def choice(self):
        """The last action of free choice."""
        return max((i for i, s in enumerate(self.states) if s.action_points > 0), default=-1)


def iterations(search, count):
    t, numbers = search.tree, search.extras.numbers
    for _ in range(count):
        visits, values = t.edge_visits[:EDGES].copy(), t.edge_value[:EDGES].copy()
        avoided = int(numbers[extras.AVOIDED])
        search.advance(1, 1 << 40)
        assert t.size[tree.EDGES] < EDGES
        depth = int((t.edge_visits[:EDGES] != visits).sum())
        edges = t.path_edges[:depth].tolist()
        own = [t.node_own[node] == 1 for node in t.path_nodes[:depth]]
        results = [
            (t.edge_value[e] - values[e]) * (1 if o else -1)
            for e, o in zip(edges, own, strict=True)
        ]
        line = search.extras.line[: numbers[extras.LINE_LENGTH]] & extras.LINE_ACTION
        actions = [ha.Action(int(code)) for code in line]
        states = [State(search.state.config, search.scratch.start)]
        for action in actions:
            states.append(states[-1].apply(action))
        new = visits[edges[-1]] == 0
        is_avoided = numbers[extras.AVOIDED] > avoided
        yield Iteration(edges, results, new, actions, states[:-1], states[-1], is_avoided)


def result_of(search, state):
    """A final state's value for the searching player, from 0 to 1."""
    player, value = search.state.player, ha.evaluate(state, search.state.player)
    if search.agent.knowledge > 0 and not state.is_terminal:
        known, limit = search.extras.knowledge, search.agent.knowledge
        nearer = knowledge.nearness(state.config.game, state.array, player, known)
        value += knowledge.bonus(nearer, known, limit)
    return (value + WIN_VALUE) / (2 * WIN_VALUE)


def ended(state):
    return state.apply("E") if not state.is_terminal and state.action_points == 0 else state


def alternatives(search, it):
    """The results of all that could have been played instead of the last free choice."""
    before, played = it.states[it.choice], it.actions[it.choice]
    others = [a for a in before.legal_actions(pruned=True) if a != played]
    return [result_of(search, ended(before.apply(a))) for a in others]


def expected_results(search, it):
    """By the definition."""
    real, depth = result_of(search, it.final), len(it.edges)
    player, kind = search.state.player, search.agent.loss_avoidance
    loser = {1: 2, 2: 1}.get(it.final.winner)
    helped = it.states[-1].player if kind == "turn" else player
    if loser is None or loser != helped or not it.was_new or it.choice < max(depth - 1, 0):
        return [real] * depth
    best = (max if loser == player else min)(alternatives(search, it), default=real)
    return [best if i < it.choice else real for i in range(depth)]


def check_iterations(search, count):
    """Compare all results with the definition; returns the iterations that avoided a loss."""
    avoiding = []
    for it in iterations(search, count):
        assert it.results == pytest.approx(expected_results(search, it), abs=1e-9)
        avoiding += [it] if it.avoided else []
    return avoiding


@pytest.mark.parametrize("options", [{}, {"knowledge": 1000.0}, {"unpruning": 2}])
@pytest.mark.parametrize("kind", ON)
@pytest.mark.parametrize("state", [LAST_CHANCE, CHANCES, SHOT, OTHERS_LAST_CHANCE])
def test_every_result_follows_the_definition(state, kind, options):
    agent = MCTS(epsilon=0.0, loss_avoidance=kind, **options)
    search = _Search(agent, state, ha.Budget(fm_calls=10**5), 1)
    avoiding = check_iterations(search, 300)
    has_losses = {"turn": state is not SHOT, "any": state is not OTHERS_LAST_CHANCE}
    assert (len(avoiding) > 1) == has_losses[kind]
    assert search.result(True).stats["losses_avoided"] == len(avoiding)


def test_the_definition_after_bridge_burning():
    """Places in the path and in the line are counted from the new root."""
    state = with_points(CHANCES, 3)
    agent = MCTS(epsilon=0.0, bridge_burning=True, loss_avoidance="turn")
    search = _Search(agent, state, ha.Budget(fm_calls=10**5), 1)
    check_iterations(search, 3)
    wasted = next(edge for action, edge in root_edges(search).items() if action != SAVES)
    search.tree.edge_visits[wasted] += 100  # so that it is the best child
    search.burn()
    avoiding = check_iterations(search, 100)
    assert {it.choice for it in avoiding} == {1}
    assert {len(it.edges) for it in avoiding} == {1, 2}


@pytest.mark.parametrize("kind", ["off", *ON])
def test_a_losing_action_keeps_its_loss(kind):
    search = searched(LAST_CHANCE, 3, loss_avoidance=kind)
    t, edges = search.tree, root_edges(search)
    losing = [edge for action, edge in edges.items() if action != SAVES]
    assert losing
    for edge in losing:
        assert (t.edge_visits[edge], t.edge_value[edge]) == (1, 0.0)


@pytest.mark.parametrize("kind", ["off", *ON])
def test_what_led_to_a_loss_gets_the_best_sibling(kind):
    """In the rollout after its first visit, then below it in the tree."""
    search = _Search(
        MCTS(epsilon=0.0, loss_avoidance=kind, unpruning=5), CHANCES, ha.Budget(fm_calls=10**5), 1
    )
    found = set()
    for it in iterations(search, 40):
        depth = len(it.edges)
        if it.final.winner == 2 and it.was_new and it.choice == 1 >= depth - 1:
            better = value_after(CHANCES, it.actions[0], SAVES, "E")
            assert better > 0.2
            assert it.results == pytest.approx([0.0 if kind == "off" else better, 0.0][:depth])
            found.add(depth)
    assert found == {1, 2}


@pytest.mark.parametrize(
    ("state", "kind", "real", "best"),
    [(SHOT, "any", 0.0, max), (OTHERS_LAST_CHANCE, "turn", 1.0, min)],
)
def test_an_action_of_the_other_player_keeps_its_result(state, kind, real, best):
    """A shot that wins stays one; what led there gets the best for whoever is helped."""
    search = _Search(MCTS(loss_avoidance=kind), state, ha.Budget(fm_calls=10**5), 1)
    found = [it for it in iterations(search, 100) if it.avoided and it.choice < len(it.edges)]
    for it in found:
        assert [s.player for s in it.states[:3]] == [1, 1, 2]
        better = best(alternatives(search, it))
        assert abs(better - real) > 0.2
        assert it.results == pytest.approx([better, better, real])
    assert len(found) > 3


def test_a_losing_action_never_seems_better():
    """Nor has it a good history, or a best result for mixmax."""
    options = {"progressive_history": 1.0, "ngrams": 0.5, "mixmax": 0.25}
    search = _Search(
        MCTS(loss_avoidance="any", **options), LAST_CHANCE, ha.Budget(fm_calls=10**5), 1
    )
    search.extras.numbers[extras.SEQUENCES_LEFT] = 0  # the game is taken to be deterministic
    t, kept = search.tree, search.extras
    for _ in iterations(search, 60):
        for action, edge in root_edges(search).items():
            place = history.history_place(history.entry_of(1, int(t.edge_action[edge])))
            of_action = kept.history_sum[place] / kept.history_count[place]
            for value in (t.edge_mean[edge], t.edge_best[edge], of_action):
                assert value > 0.2 if action == SAVES else value == 0.0
    assert len(root_edges(search)) == 3
