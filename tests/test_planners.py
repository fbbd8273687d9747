"""The planners that the papers only suggest: what each of them does that others do not."""

import numpy as np
import pytest
from drawn import position
from test_known_answers import exhaustive, value_of
from turns import POSITIONS, turn_end, with_points

import heroacademy as ha
from heroacademy.agents.co_oep import CoOEP
from heroacademy.agents.co_oep import _Search as CoSearch
from heroacademy.agents.horizon import own_places_beyond
from heroacademy.engine.evaluation import weights_array
from heroacademy.search import co_oep, ntboe, oep, outlook, tuples
from heroacademy.search.common import FM_CALLS, NO_ACTION, greedy_action, logarithm, new_scratch
from heroacademy.state import generator

WEIGHTS = weights_array("aicademy")


def played_turn(state: ha.State, codes) -> ha.State:
    """The state after a turn of a genome, its end included; raises if an action is illegal."""
    player = state.player
    for code in codes[codes != NO_ACTION]:
        state = state.apply(ha.Action(int(code)))
    return state if state.is_terminal or state.player != player else state.apply("E")


def turn_ends(state: ha.State) -> list[ha.State]:
    """All states after a turn."""
    player, found, seen, stack = state.player, [], set(), [state]
    while stack:
        here = stack.pop()
        if here.is_terminal or here.player != player:
            found.append(here)
            continue
        for action in here.legal_actions(pruned=True):
            after = here.apply(action)
            if after.key not in seen:
                seen.add(after.key)
                stack.append(after)
    return found


def worst_reply(state: ha.State, player: int) -> int:
    """Value after the opponent's best turn, by brute force."""
    return min(ha.evaluate(end, player) for end in turn_ends(state))


def evolved(state: ha.State, length: int, generations: int = 15, size: int = 20, **numbers):
    """A population after some generations, and the calls that they took."""
    population = oep.new_population(size, length, False, 0, 1 << 14)
    standard = {
        "player": state.player, "survivors": size // 2, "mutation": 0.5, "greedy_starts": 1,
        "greedy_repair": True, "best_of": 10, "rollouts": False,
    }  # fmt: skip
    settings = oep.Settings(**standard | numbers)
    scratch = new_scratch(state.array, generator(1, 0))
    counts = np.zeros(4, np.int64)
    oep.advance(
        state.config.game, population, settings, scratch, WEIGHTS, generations, 10**7, counts
    )
    return population, int(counts[FM_CALLS])


# --- FH-OEP ---------------------------------------------------------------------------------


def greedy_choice(state: ha.State) -> int:
    """What Greedy Action over the 10 best-rated actions plays."""
    scratch, counts = new_scratch(state.array, generator(0, 0)), np.zeros(4, np.int64)
    return greedy_action(state.config.game, state.array, WEIGHTS, 10, scratch, counts)


def played_on(state: ha.State, code: int) -> ha.State:
    """The state after an action, and after the end of the turn if the points are spent."""
    state = state.apply(ha.Action(int(code)))
    return state.apply("E") if not state.is_terminal and state.action_points == 0 else state


def followed(state: ha.State, genome, turn: int) -> tuple[ha.State, int]:
    """Play a plan to its end, comparing the opponent's part; returns the end, and own actions."""
    player, own = state.player, 0
    here = played_turn(state, genome[:turn])
    for code in genome[turn:][genome[turn:] != NO_ACTION]:
        if here.player != player:
            assert code == greedy_choice(here)
        own += here.player == player
        here = played_on(here, code)
    return here, own


@pytest.mark.parametrize("length", [7, 10, 13, 18])
def test_plans_beyond_the_turn_are_legal_and_greedy_for_the_opponent(length):
    state = POSITIONS[0]
    later = own_places_beyond(length, state)
    population, _ = evolved(state, length, beyond=length - 5, later=later)
    for genome, value in zip(population.genomes, population.values, strict=True):
        end, own = followed(state, genome, turn=5)
        assert value == ha.evaluate(end, state.player)
        assert own == later
    assert len({tuple(genome[:5]) for genome in population.genomes}) > 1


def test_own_later_actions_are_crossed_and_mutated():
    """Plans with the same turn, and so the same reply, differ in what comes after."""
    population, _ = evolved(POSITIONS[0], 15, beyond=10, later=5, generations=40)
    later = {}
    for genome in population.genomes:
        later.setdefault(tuple(genome[:10]), set()).add(tuple(genome[10:]))
    assert max(map(len, later.values())) > 1


@pytest.mark.parametrize("index", [0, 30])
def test_with_the_turn_as_horizon_fh_oep_is_oep(index):
    same = {"population": 30, "repair": "greedy", "mutation": 0.5, "best_of": 10}
    one = ha.make_agent("oep", **same)
    other = ha.make_agent("oep", **same, horizon=5)
    plans = [a.plan(POSITIONS[index], ha.Budget(fm_calls=20_000), seed=3) for a in (one, other)]
    assert plans[0].actions == plans[1].actions
    assert plans[0].stats["curve"] == plans[1].stats["curve"]


def test_a_reply_that_is_cut_changes_no_survivor_and_saves_calls():
    state = POSITIONS[0]
    whole, more = evolved(state, 10, beyond=5, generations=10)
    cut, less = evolved(state, 10, beyond=5, generations=10, cut=True)
    best = whole.order[:10]
    assert (whole.values[best] == cut.values[cut.order[:10]]).all()
    assert (whole.genomes[best] == cut.genomes[cut.order[:10]]).all()
    assert less < 0.9 * more


@pytest.mark.parametrize(
    ("length", "own"), [(5, 0), (10, 0), (11, 1), (15, 5), (20, 5), (21, 6), (25, 10)]
)
def test_own_places(length, own):
    assert own_places_beyond(length, POSITIONS[0]) == own


# Two archers: the weak one may shoot twice and be shot down, or shoot once and step back.
SHOOT_AND_RUN = position(
    """
    .  .  .  .  .  .
    .  1A .  .  2A .
    .  .  .  .  .  .""",
    at={(1, 1): {"hp": 100}},
    ap=2,
    action_points=2,
)


@pytest.mark.parametrize("name", ["fh-oep", "co-oep"])
@pytest.mark.parametrize("seed", range(3))
def test_looking_past_the_turn_avoids_a_killing_reply(name, seed):
    state, budget = SHOOT_AND_RUN, ha.Budget(fm_calls=20_000)
    safest = max(worst_reply(end, 1) for end in turn_ends(state))
    short = turn_end(state, ha.make_agent("oep").plan(state, budget, seed).actions)
    long = turn_end(state, ha.make_agent(name).plan(state, budget, seed).actions)
    assert worst_reply(short, 1) < safest - 500  # OEP walks into it
    assert ha.evaluate(long, 1) < ha.evaluate(short, 1)
    assert worst_reply(long, 1) == safest


# --- Co-OEP ---------------------------------------------------------------------------------


def co_search(state: ha.State, calls: int = 20_000, **options) -> CoSearch:
    search = CoSearch(CoOEP(**options), state, ha.Budget(fm_calls=calls), seed=1)
    search.run()
    return search


def are_adapted(duels) -> bool:
    """Whether all replies have been played after the present champion's turn."""
    return duels.replies.progress[oep.RANK] == 0 or not duels.arena[co_oep.CHANGED]


def adapted_search(state: ha.State, **options) -> CoSearch:
    """A search that ends, a little earlier or later, when its replies are adapted."""
    searches = (co_search(state, calls, **options) for calls in range(20_000, 30_000, 1_000))
    return next(search for search in searches if are_adapted(search.duels))


def test_a_new_turn_meets_as_many_replies_as_it_has_rivals():
    """Judged anew, the champion has the model's value alone, or the worst of its best replies."""
    search = adapted_search(POSITIONS[0], population=20, replies=10)
    duels, settings = search.duels, search.settings
    own, replies, champion = duels.own, duels.replies, int(duels.arena[co_oep.CHAMPION])
    rank = own.order.tolist().index(champion)
    by_rivals = []
    for rivals in (0, 1, 10):
        search.scratch.state[:] = own.ends[champion]
        own.memory.keys[:] = 0  # else its outcome, which is known, would be tabu
        co_oep.judge_turn(
            search.game, duels, settings._replace(rivals=rivals), search.scratch, search.weights,
            rank, search.clock.counts,
        )  # fmt: skip
        by_rivals.append(int(own.values[champion]))
    best_reply = -int(replies.values[replies.order[0]])
    model = by_rivals[0]
    assert best_reply < model
    assert by_rivals == [model, best_reply, best_reply]


@pytest.mark.parametrize("options", [{}, {"model": "greedy", "best_of": 10, "repair": "greedy"}])
def test_both_populations_are_legal_and_fight_for_the_champion(options):
    state = POSITIONS[0]
    duels = adapted_search(state, population=20, replies=10, **options).duels
    own, replies = duels.own, duels.replies
    ends = {}
    for g, genome in enumerate(own.genomes):
        after = played_turn(state, genome)
        if own.values[g] != outlook.LOWEST:
            assert (after.array == own.ends[g]).all()
            ends[g] = after
    assert ends
    champion = int(duels.arena[co_oep.CHAMPION])
    here = ends[champion]
    values = [ha.evaluate(played_turn(here, reply), state.player) for reply in replies.genomes]
    assert values == [-value for value in replies.values]
    assert own.values[champion] <= min(values)


def test_co_oep_finds_the_best_turn_against_any_reply():
    """With one point all turns and replies can be listed. OEP, blind for replies, finds fewer."""
    config, found = ha.GameConfig(action_points=1), {"co-oep": 0, "oep": 0}
    for index in range(6, 60, 12):
        state = ha.State.from_dict(POSITIONS[index].to_dict() | {"ap": 1}, config)
        best = max(worst_reply(end, state.player) for end in turn_ends(state))
        for name in found:
            plan = ha.make_agent(name).plan(state, ha.Budget(fm_calls=20_000), seed=1)
            found[name] += worst_reply(turn_end(state, plan.actions), state.player) == best
    assert found["co-oep"] == 5 > found["oep"]


# --- diversity ------------------------------------------------------------------------------


def outcomes_of(state: ha.State, population: oep.Population) -> list[int]:
    """Outcomes of the genomes that are not discarded."""
    kept = population.values != outlook.LOWEST
    return [played_turn(state, genome[:5]).key for genome in population.genomes[kept]]


@pytest.mark.parametrize("index", [0, 30])
@pytest.mark.parametrize("diversity", ["niches", "tabu"])
def test_diversity_keeps_outcomes_distinct(index, diversity):
    state = POSITIONS[index]
    alike, _ = evolved(state, 5, generations=40)
    several, _ = evolved(state, 5, generations=40, **{diversity: True})
    without, kept = outcomes_of(state, alike), outcomes_of(state, several)
    assert len(set(without)) < len(without) == 20
    assert len(set(kept)) == len(kept) > len(set(without))


def test_tabu_evaluates_no_outcome_twice():
    state = with_points(POSITIONS[0], 1)
    population, _ = evolved(state, 1, size=100, generations=60, tabu=True, greedy_repair=False)
    outcomes = {end.key for end in turn_ends(state)}
    assert population.memory.size[0] == len(outcomes)
    assert (population.values == outlook.LOWEST).sum() >= 50


# --- NTBOE ----------------------------------------------------------------------------------


def test_the_upper_bound_of_hand_made_statistics():
    model = tuples.new_model(2, 64)
    for first, second, value in ((7, 8, 0.5), (7, 9, 0.75), (6, 8, 0.25)):
        tuples.learn(model, np.array([first, second]), 2, value)
    assert model.sizes.tolist() == [2, 2]
    assert sorted(model.pools[0, :2]) == [6, 7]

    def width(visits):
        return 0.3 * (logarithm(3) / (visits + 0.5)) ** 0.5

    cases = {
        # single actions' means and visits, then the pair's; an unseen one has the mean of all
        (7, 8): ((0.625, 2), (0.375, 2), (0.5, 1)),
        (7, 9): ((0.625, 2), (0.75, 1), (0.75, 1)),
        (6, 9): ((0.25, 1), (0.75, 1), (0.5, 0)),
        (5, 5): ((0.5, 0), (0.5, 0), (0.5, 0)),
    }
    for turn, parts in cases.items():
        expected = sum(mean + width(visits) for mean, visits in parts) / 3
        assert tuples.upper_bound(model, np.array(turn), 2, 0.3) == pytest.approx(expected)


def test_the_model_chooses_the_best_neighbour():
    """Of all neighbours the one whose last action was best, or with exploration an unseen one."""
    settings = ntboe.Settings(
        player=1, starts=0, greedy_starts=0, neighbours=200, mutation=0.0, exploration=0.0,
        always_move=False, greedy_repair=False, rated_repair=False, best_of=0, beyond=0,
    )  # fmt: skip
    search = ntboe.new_search(2, 2, 64, 1, 0)
    for first, second, value in ((1, 1, 0.5), (1, 2, 0.9), (2, 1, 0.4), (1, 3, 0.1)):
        tuples.learn(search.model, np.array([first, second]), 2, value)
    search.current[:] = 1
    ntboe.choose(search, settings, generator(1, 0))
    assert search.trial.tolist() == [1, 2]
    search.current[:] = [2, 1]
    ntboe.choose(search, settings._replace(exploration=10.0), generator(1, 0))
    assert search.trial.tolist() in ([2, 2], [2, 3])


@pytest.mark.parametrize(("exploration", "chosen"), [(0.0, 1), (0.05, 1), (0.5, 2)])
def test_exploration_prefers_what_was_seldom_tried(exploration, chosen):
    """0.6 of ten turns against 0.5 of one: their widths are 0.48 and 1.26 times C."""
    agent = ha.make_agent("ntboe", horizon=None, neighbours=50, exploration=exploration)
    search = ntboe.new_search(1, 1, 64, 1, 0)
    for action, value in [(1, 0.6)] * 10 + [(2, 0.5)]:
        tuples.learn(search.model, np.array([action]), 1, value)
    search.current[:] = 3 - chosen
    ntboe.choose(search, agent._settings(POSITIONS[0]), generator(1, 0))
    assert search.trial.tolist() == [chosen]


@pytest.mark.parametrize("always_move", [False, True])
def test_the_search_goes_on_from_a_worse_turn_only_if_told_so(always_move):
    state = with_points(POSITIONS[0], 1)
    agent = ha.make_agent("ntboe", horizon=None, always_move=always_move)
    settings, scratch = agent._settings(state), new_scratch(state.array, generator(1, 0))
    search, counts = ntboe.new_search(2, 2, 256, 1, 0), np.zeros(4, np.int64)

    def value_after(action):
        return ha.evaluate(state.apply(action).apply("E"), state.player)

    actions = sorted((a for a in state.legal_actions(pruned=True) if a.code), key=value_after)
    worse, better = actions[0], actions[-1]
    assert value_after(worse) < value_after(better)
    for action in (better, worse):
        search.trial[:] = [action.code, NO_ACTION]
        ntboe.play_trial(state.config.game, search, settings, scratch, WEIGHTS, counts)
        ntboe.evaluate_trial(state.config.game, search, settings, scratch, WEIGHTS, counts)
    now = worse if always_move else better
    assert (search.current[0], search.best[0]) == (now.code, better.code)
    assert search.values.tolist() == [value_after(now), value_after(better)]


def test_a_full_table_keeps_no_more_tuples():
    model = tuples.new_model(3, 16)
    for k in range(50):
        tuples.learn(model, np.array([k, k, k]), 3, 0.5)
    assert model.counts[tuples.ENTRIES] == (model.keys != 0).sum() == 12
    assert 0.5 < tuples.upper_bound(model, np.array([49, 49, 49]), 3, 0.1) < 1.5


@pytest.mark.parametrize(("points", "calls", "least"), [(1, 5_000, 10), (2, 20_000, 10)])
def test_ntboe_finds_the_best_turn_in_most_positions(points, calls, least):
    found = 0
    for index in range(0, 60, 6):
        state = with_points(POSITIONS[index], points)
        plan = ha.make_agent("ntboe", horizon=None).plan(state, ha.Budget(fm_calls=calls), seed=1)
        found += value_of(plan, state) == exhaustive(index, points)
    assert found >= least


def test_ntboe_values_the_state_after_the_reply():
    state = POSITIONS[0]
    agent = ha.make_agent("ntboe")
    plan = agent.plan(state, ha.Budget(fm_calls=20_000), seed=1)
    here = turn_end(state, plan.actions)
    opponent = here.player
    while not here.is_terminal and here.player == opponent:
        here = played_on(here, greedy_choice(here))
    assert plan.stats["curve"][-1][1] == ha.evaluate(here, state.player)


def test_ntboe_looks_ahead_from_an_outcome_once():
    state = with_points(POSITIONS[0], 1)
    plan = ha.make_agent("ntboe").plan(state, ha.Budget(fm_calls=20_000), seed=1)
    assert plan.stats["evaluated"] > 20_000 / 20  # a reply alone takes some 50 calls
