"""Drawn boards, and the command line."""

import re
import subprocess
import sys
from itertools import pairwise

import matplotlib.pyplot as plt
import pytest
from drawn import position
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.patches import FancyArrowPatch

import heroacademy as ha
from heroacademy import bench, drawing

BOARD = """
    1K 1A 2X
    .  1w . 2N"""


def texts(ax):
    return [text.get_text() for text in ax.texts]


def test_a_board_shows_units_hands_and_decks():
    state = position(BOARD, at={(0, 0): {"items": "DH"}}, hand={1: ["SCROLL", "SCROLL"]})
    ax = ha.plot_state(state)
    shown = texts(ax)
    assert {"K", "A", "W", "N", "D", "H", "down", "1200"} <= set(shown)
    assert any("scroll x2" in text for text in shown)
    assert any("deck 1" in text for text in shown)
    assert "player 1 to move" in ax.get_title()


def legends(ax):
    found = [child for child in ax.get_children() if isinstance(child, Legend)]
    return [[text.get_text() for text in legend.get_texts()] for legend in found]


def test_a_legend_explains_letters_badges_and_squares():
    ax = ha.plot_state(position(BOARD), ax=Figure().add_subplot())
    assert legends(ax) == [
        ["knight", "archer", "cleric", "wizard", "ninja", "crystal"],
        ["dragonscale", "runemetal", "shining helm", "scroll"],
        ["deploy, player 1", "deploy, player 2", "defense", "power", "assault"],
    ]
    assert legends(ha.plot_state(position(BOARD), ax=Figure().add_subplot(), legend=False)) == []


@pytest.mark.parametrize("config", [{}, {"map": "a-small"}, {"map": "a-tiny"}])
def test_nothing_is_drawn_over_another_or_cut_off(config):
    """Hands, which may have several lines, end above the legend, and all of it is inside."""
    figure = Figure(figsize=drawing._figure_size(ha.new_game(ha.GameConfig(**config))))
    ax = ha.plot_state(ha.new_game(ha.GameConfig(**config)), ax=figure.add_axes((0, 0, 1, 0.95)))
    draw = FigureCanvasAgg(figure).get_renderer()
    lines = [
        child.get_window_extent(draw) for child in ax.get_children() if isinstance(child, Legend)
    ]
    hands = [text.get_window_extent(draw) for text in ax.texts if "hand:" in text.get_text()]
    assert min(hand.y0 for hand in hands) > lines[0].y1
    assert not hands[0].overlaps(hands[1])
    assert all(above.y0 >= below.y1 for above, below in pairwise(lines))
    assert all(line.x0 >= 0 and line.x1 <= figure.bbox.x1 and line.y0 >= 0 for line in lines)


def test_a_plan_is_drawn_with_numbered_arrows():
    state = position(BOARD, hand={1: ["SCROLL"]})
    ax = Figure().add_subplot()
    plan = ["M 0 0 0 1", ha.Action.parse("A 1 0 2 0"), "A 1 0 2 0", "D SCROLL 1 0"]
    assert ha.plot_state(state, plan=plan, ax=ax) is ax
    arrows = [patch for patch in ax.patches if isinstance(patch, FancyArrowPatch)]
    assert len(arrows) == 3
    numbers = [text.get_text() for text in ax.texts if text.get_zorder() == 9]
    assert numbers == ["1", "2", "3", "4"]


def test_a_plan_is_drawn_as_it_is_given():
    state = ha.new_game(seed=7)
    actions = state.legal_actions()
    ax = ha.plot_state(state, plan=actions)
    assert plt.get_fignums()  # without axes of its own, pyplot knows and shows the figure
    plt.close("all")
    swaps = [f"{i} {action}" for i, action in enumerate(actions, 1) if action.kind == "swap card"]
    assert ", ".join(swaps) in texts(ax)


def test_notebooks_get_a_picture():
    assert ha.new_game(seed=1)._repr_png_().startswith(b"\x89PNG")


def command(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "heroacademy", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
    )


def test_show(tmp_path):
    text = position(BOARD).to_text()
    picture = tmp_path / "board.svg"
    shown = command("show", text, "--picture", str(picture))
    assert shown.returncode == 0, shown.stderr
    assert text in shown.stdout
    assert "down" in shown.stdout
    assert picture.read_text().startswith("<?xml")
    assert command("show", "-", stdin=text).stdout == shown.stdout


def test_show_says_what_is_wrong():
    shown = command("show", "nonsense")
    assert shown.returncode == 2
    assert (
        shown.stderr
        == "error: a state's text starts with 'heroacademy/1', this one with 'nonsense'\n"
    )


def test_perft():
    counted = command("perft", "3", "--seed", "7")
    assert counted.returncode == 0, counted.stderr
    assert [line.split()[:2] for line in counted.stdout.splitlines()[1:]] == [
        ["0", "1"],
        ["1", "57"],
        ["2", "1131"],
        ["3", "17826"],
    ]


TINY = ("--map", "a-tiny", "--deck", "tiny", "--ap", "2", "--fm-calls", "300")


def test_play_shows_a_game_and_saves_it(tmp_path):
    path = tmp_path / "games.jsonl"
    played = command("play", "oep", "greedy-action", *TINY, "--seed", "3", "--save", str(path))
    assert played.returncode == 0, played.stderr
    (record,) = ha.load_records(path)
    endings = {0: "a draw", 1: "player 1 has won", 2: "player 2 has won"}
    assert endings[record.winner] in played.stdout
    assert played.stdout.count("turn ") >= record.turns


def test_match_prints_a_score_with_its_interval_and_saves_its_games(tmp_path):
    file = tmp_path / "games.jsonl"
    options = ("--games", "4", "--save", str(file))
    played = command("match", "greedy-action", "random", *TINY, *options)
    assert played.returncode == 0, played.stderr
    assert re.search(r"greedy-action against random: [\d.]+ % \[[\d.]+, [\d.]+\]", played.stdout)
    assert "4/4" in played.stderr
    assert len(ha.load_records(file)) == 4


def test_strength_prints_a_table():
    played = command("strength", "random", "greedy-action", "--fm-calls", "60", "--games", "2")
    assert played.returncode == 0, played.stderr
    assert "| greedy-action | random | " in played.stdout


def test_agents_are_listed_and_described():
    assert len(command("agents").stdout.splitlines()) == len(ha.agent_names())
    assert "population=100: genomes in the population" in command("agents", "oep").stdout
    assert command("agents", "nobody").returncode == 2


def test_warm_up_shows_its_progress():
    warmed = command("warm-up")
    assert warmed.returncode == 0
    assert "compiling" in warmed.stderr


def test_bench_prints_a_table(monkeypatch, capsys):
    """With a few of its rows, which are quick to compile."""
    name = "greedy-turn, unique outcomes"
    calls = {row: bench.CALLS[row] for row in ("copies", "apply, with a copy")}
    monkeypatch.setattr(bench, "CALLS", calls)
    monkeypatch.setattr(bench, "AGENT_REFERENCE", {name: bench.AGENT_REFERENCE[name]})
    bench.run(rounds=1, start=False)
    shown = capsys.readouterr().out
    assert re.search(r"\| copies +\| [\d.]+ \| [\d.]+ M \| 1.60 M \| \d+ \|", shown)
    row = r"\| greedy-turn, unique outcomes \| [\d,]+ \| [\d.]+ M \| 150,000 \| \d+ \|"
    assert re.search(row, shown)
