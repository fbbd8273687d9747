"""Budgets, odd positions, options and repeatability of the agents."""

import os
import pickle
import re
import signal
import subprocess
import sys
import time

import pytest
from turns import POSITIONS, SEARCHERS, WIN_IN_ONE, options, turn_end, with_points

import heroacademy as ha
from heroacademy.agents import clock

# --- budgets --------------------------------------------------------------------------------

# One inner step: an iteration's applied actions, or a genome's with all its repairs.
ONE_STEP = {
    "greedy-oep": 600, "oep": 20, "emcts": 600, "fh-emcts": 600, "greedy-action": 120,
    "fh-oep": 200, "co-oep": 300, "ntboe": 120,
}  # fmt: skip


@pytest.mark.parametrize("name", SEARCHERS)
@pytest.mark.parametrize("calls", [0, 1, 7, 100, 5_000, 50_000])
def test_calls_are_obeyed_and_any_budget_gives_a_legal_turn(name, calls):
    state = POSITIONS[3]
    plan = ha.make_agent(name).plan(state, ha.Budget(fm_calls=calls), seed=1)
    after = turn_end(state, plan.actions)
    assert after.player != state.player or after.is_terminal
    assert plan.stats["fm_calls"] <= calls + ONE_STEP.get(name, 40)
    if calls >= 5_000 and name not in ("greedy-action",):
        assert plan.stats["fm_calls"] >= calls or plan.stats["stopped_by"]


@pytest.mark.parametrize("name", SEARCHERS)
def test_seconds_are_obeyed(name):
    """Far from a benchmark: nothing runs on for long after its time."""
    state = POSITIONS[3]
    agent = ha.make_agent(name)
    agent.plan(state, ha.Budget(fm_calls=1000))
    start = time.perf_counter()
    plan = agent.plan(state, ha.Budget(seconds=0.1), seed=1)
    assert time.perf_counter() - start < 0.6
    assert turn_end(state, plan.actions).player != state.player
    if name not in ("greedy-action", "greedy-turn"):
        assert plan.stats["seconds"] >= 0.1


def test_a_budget_is_checked():
    with pytest.raises(ValueError, match="needs fm_calls or seconds"):
        ha.Budget()
    with pytest.raises(ValueError, match="fm_calls is -1"):
        ha.Budget(fm_calls=-1)
    with pytest.raises(ValueError, match="seconds is 'long': use a number from 0 on"):
        ha.Budget(seconds="long")


@pytest.mark.parametrize("name", ["vanilla-mcts", "emcts"])
def test_a_memory_limit_is_said(name):
    agent = ha.make_agent(name, max_nodes=1 << 14)
    with pytest.warns(UserWarning, match="stopped early: max_nodes=16384"):
        plan = agent.plan(POSITIONS[0], ha.Budget(fm_calls=3_000_000), seed=1)
    assert plan.stats["stopped_by"] == "max_nodes=16384"
    assert plan.stats["nodes"] <= 1 << 14


@pytest.mark.parametrize(
    "name", ["vanilla-mcts", "nonexploring-mcts", "emcts", "greedy-turn", "ntboe"]
)
def test_three_million_calls_stay_under_a_gigabyte(name):
    code = (
        "import resource, heroacademy as ha; from heroacademy import bench;"
        f"ha.make_agent({name!r}).plan(bench.positions()[0], ha.Budget(fm_calls=3_000_000));"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    used = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(used.stdout) < 1_000_000  # kilobytes


def test_ctrl_c_returns_at_once(tmp_path):
    """A real interrupt of a real search, which then goes on as if nothing had happened."""
    script = tmp_path / "search.py"
    script.write_text(
        "import signal\n"
        "import heroacademy as ha\n"
        "from heroacademy import bench\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in background jobs\n"
        "state, agent = bench.positions()[0], ha.make_agent('vanilla-mcts')\n"
        "before = agent.plan(state, ha.Budget(fm_calls=5000), seed=1).actions\n"
        "print('ready', flush=True)\n"
        "try:\n"
        "    agent.plan(state, ha.Budget(fm_calls=10**9))\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', flush=True)\n"
        "assert agent.plan(state, ha.Budget(fm_calls=5000), seed=1).actions == before\n"
        "print('fine', flush=True)\n"
    )
    process = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    start = time.perf_counter()
    assert process.stdout.readline() == "interrupted\n"
    assert time.perf_counter() - start < 1
    assert process.stdout.readline() == "fine\n"
    assert process.wait() == 0


# --- odd positions --------------------------------------------------------------------------

STUCK = (  # only the end of the turn is legal, now or after the knight's last move
    "heroacademy/1 map=a deck=standard ap=5 limit=200 draws=deterministic "
    "player=1 turn=15 left={left} winner=- "
    "units=1X4500@13,1X3200@21,1K0@44,2X600@61,2A800@62,2K1000@71,2C800@80 "
    "hand1={hand} deck1=10000000000 seed1=4711 "
    "hand2=11110101000 deck2=11010102021 seed2=815"
)


@pytest.mark.parametrize("name", ha.agent_names())
@pytest.mark.parametrize(("left", "hand"), [(5, "0" * 11), (5, "00000000100"), (0, "0" * 11)])
def test_a_turn_that_ends_early(name, left, hand):
    state = ha.State.from_text(STUCK.format(left=left, hand=hand))
    plan = ha.make_agent(name).plan(state, ha.Budget(fm_calls=2_000), seed=1)
    assert str(plan.actions[-1]) == "E"
    assert turn_end(state, plan.actions).player == 2


@pytest.mark.parametrize("name", ha.agent_names())
@pytest.mark.parametrize("points", [1, 25])
def test_short_and_long_turns(name, points):
    config = ha.GameConfig(action_points=points)
    state = ha.State.from_dict(POSITIONS[1].to_dict() | {"ap": points}, config)
    plan = ha.make_agent(name).plan(state, ha.Budget(fm_calls=5_000), seed=1)
    after = turn_end(state, plan.actions)
    assert after.is_terminal or after.player != state.player


@pytest.mark.parametrize("name", ha.agent_names())
def test_there_is_nothing_to_plan_when_the_game_is_over(name):
    over = WIN_IN_ONE.apply("A 1 0 3 1")
    assert over.is_terminal
    with pytest.raises(ValueError, match="the game is over"):
        ha.make_agent(name).plan(over, ha.Budget(fm_calls=100))


@pytest.mark.parametrize("name", SEARCHERS)
def test_how_the_work_is_cut_into_chunks_changes_nothing(name, monkeypatch):
    agent, budget = ha.make_agent(name), ha.Budget(fm_calls=20_000)
    plans = []
    for points, chunk in ((1, 1 << 14), (8, 3), (64, 1)):
        monkeypatch.setattr(clock, "CURVE_POINTS_A_DECADE", points)
        monkeypatch.setattr(clock, "MAX_CHUNK", chunk)
        plans.append(agent.plan(POSITIONS[0], budget, seed=1))
    assert len({tuple(map(str, plan.actions)) for plan in plans}) == 1
    assert len({plan.stats["fm_calls"] for plan in plans}) == 1


def test_the_smallest_population():
    few = ha.make_agent("oep", population=2, survival=0.9)
    assert few.plan(POSITIONS[0], ha.Budget(fm_calls=500)).stats["fm_calls"] >= 500


@pytest.mark.parametrize(
    ("name", "option", "says"),
    [
        ("greedy-turn", {"table_size": 5000}, "table_size is 5000: use a power of two from 1024"),
        ("greedy-action", {"best_of": -1}, "best_of is -1: use a whole number from 0 to"),
        ("greedy-action", {"best_of": True}, "best_of is True: use a whole number"),
        ("oep", {"population": 1}, "population is 1: use a whole number from 2 to 1000000"),
        ("oep", {"population": "many"}, "population is 'many': use a whole number"),
        ("oep", {"survival": 1.0}, "survival is 1.0: use a number between 0 and 1, both left out"),
        ("oep", {"mutation": float("nan")}, "mutation is nan: use a number from 0 to 1"),
        ("oep", {"repair": "none"}, "repair is 'none': use 'random' or 'greedy'"),
        ("oep", {"rollouts": 1}, "rollouts is 1: use False or True"),
        ("oep", {"preset": "papr"}, "preset is 'papr': use 'aicademy' or 'paper'"),
        ("bb-mcts", {"exploration": -0.1}, "exploration is -0.1: use a number from 0 on"),
        ("bb-mcts", {"epsilon": None}, "epsilon is None: use a number from 0 to 1"),
        ("bb-mcts", {"max_nodes": 10}, "max_nodes is 10: use a whole number from 4096"),
        ("emcts", {"horizon": "long"}, "horizon is 'long': use None or 'paper' or a whole number"),
        ("emcts", {"phases": 0}, "phases is 0: use a whole number from 1"),
    ],
)
def test_options_are_checked(name, option, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        ha.make_agent(name, **option)


@pytest.mark.parametrize("name", ha.agent_names())
def test_every_option_refuses_what_it_cannot_be(name):
    for option in options(name):
        with pytest.raises(ValueError, match=f"{option} is "):
            ha.make_agent(name, **{option: [1]})


@pytest.mark.parametrize(
    "name",
    ["greedy-turn", "oep", "emcts", "fh-emcts", "vanilla-mcts", "fh-oep", "co-oep", "ntboe"],
)
def test_unique_outcomes_are_states_after_the_turn(name):
    """With one point every complete turn can be listed."""
    state = with_points(POSITIONS[0], 1)
    turns = [state.apply(action) for action in state.legal_actions(pruned=True)]
    outcomes = {(t if t.player != state.player else t.apply("E")).key for t in turns}
    counting = {} if name == "vanilla-mcts" else {"count_outcomes": True}
    plan = ha.make_agent(name, **counting).plan(state, ha.Budget(fm_calls=20_000), seed=1)
    assert plan.stats["unique_outcomes"] == len(outcomes)


# --- repeatability --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ha.agent_names())
def test_plans_repeat(name):
    agent, budget = ha.make_agent(name), ha.Budget(fm_calls=20_000)
    plan = agent.plan(POSITIONS[5], budget, seed=4)
    for copy in (agent, pickle.loads(pickle.dumps(agent)), ha.make_agent(name)):
        again = copy.plan(POSITIONS[5], budget, seed=4)
        assert again.actions == plan.actions
        assert again.value == plan.value
        timeless = [{k: v for k, v in p.stats.items() if k != "seconds"} for p in (again, plan)]
        assert timeless[0] == timeless[1]


def test_plans_repeat_across_processes():
    code = (
        "import heroacademy as ha; from heroacademy import bench\n"
        "for name in ha.agent_names():\n"
        "    agent, budget = ha.make_agent(name), ha.Budget(fm_calls=20_000)\n"
        "    plan = agent.plan(bench.positions()[5], budget, seed=4)\n"
        "    print(name, *plan.actions, sep=',')\n"
    )
    environment = os.environ | {"PYTHONHASHSEED": "17"}
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    for line in shown.stdout.splitlines():
        name, *actions = line.split(",")
        plan = ha.make_agent(name).plan(POSITIONS[5], ha.Budget(fm_calls=20_000), seed=4)
        assert [str(action) for action in plan.actions] == actions
    assert len(shown.stdout.splitlines()) == len(ha.agent_names())


@pytest.mark.parametrize(
    "name", ["vanilla-mcts", "oep", "emcts", "fh-emcts", "fh-oep", "co-oep", "ntboe"]
)
def test_seeds_matter(name):
    agent, budget = ha.make_agent(name), ha.Budget(fm_calls=3_000)
    plans = {tuple(map(str, agent.plan(POSITIONS[0], budget, seed).actions)) for seed in range(8)}
    assert len(plans) > 1
