"""What the pictures show of the tables that they are given."""

from __future__ import annotations

import math

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from matplotlib.container import ErrorbarContainer
from matplotlib.patches import Rectangle

from heroacademy import plots

BUDGET = "100 calls a turn"
NO_SCORE = {"win %": math.nan, "low": 0.0, "high": 100.0, "games": 0}


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def score(value, games=100):
    return {"win %": value, "low": value - 10.0, "high": value + 10.0, "games": games}


def score_table(values=(1, 5, 25), pairs=("a against b", "c against d")):
    return pd.DataFrame([{"ap": x, "pair": pair} | score(40 + x) for x in values for pair in pairs])


def bars(axes):
    """For each drawn line: the ends of its error bars, [points, 2 ends, x and y]."""
    return [np.array(c[2][0].get_segments()) for c in axes.containers if is_bars(c)]


def is_bars(container):
    return isinstance(container, ErrorbarContainer)


def points(axes):
    """For each line with error bars: its points, [points, x and y]."""
    return [c[0].get_xydata() for c in axes.containers if is_bars(c)]


def legend(figure):
    (only,) = figure.legends
    return [text.get_text() for text in only.get_texts()]


def ticks(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def title(axes):
    return axes.get_title(loc="left")


# --- scores over a setting ------------------------------------------------------------------


def test_scores_are_lines_with_intervals_on_a_logarithmic_axis():
    axes = plots.scores(score_table(), "ap", "points", "OEP", BUDGET)
    assert axes.get_xscale() == "log"
    assert ticks(axes.xaxis) == ["1", "5", "25"]
    assert len(axes.get_xticks(minor=True)) == 0
    assert [len(line) for line in points(axes)] == [3, 3]
    assert [list(line[:, 1]) for line in points(axes)] == [[41, 45, 65]] * 2
    assert [list(line[0, :, 1]) for line in bars(axes)] == [[31, 51]] * 2
    assert axes.get_xlabel() == "points"
    assert axes.get_ylabel().startswith("win % of OEP\n")
    assert "95 % intervals" in axes.get_ylabel()
    assert title(axes) == "100 games a point, 100 calls a turn"
    assert legend(axes.figure) == ["a against b", "c against d"]


@pytest.mark.parametrize("values", [(1, 3, 25), range(2, 16), (5,)])
def test_scores_at_one_value_stand_apart_but_near_it(values):
    pairs = ("a", "b", "c", "d", "e")
    axes = plots.scores(score_table(values, pairs), "ap", "points", "OEP")
    logs = np.log([line[:, 0] for line in points(axes)])  # [pairs, values]
    assert (np.diff(logs, axis=0) > 0).all()
    nearest = np.abs(logs[..., None] - np.log(list(values))).argmin(axis=2)
    assert (nearest == np.arange(len(values))).all()


def test_scores_without_games_are_not_drawn():
    table = score_table()
    table.loc[table["ap"] == 5, list(NO_SCORE)] = list(NO_SCORE.values())
    table.loc[5, "games"] = 30
    axes = plots.scores(table, "ap", "points", "OEP")
    assert [len(line) for line in points(axes)] == [2, 2]
    assert ticks(axes.xaxis) == ["1", "25"]
    assert title(axes) == "30 to 100 games a point"


def test_budgets_as_ticks():
    axes = plots.scores(score_table((30_000, 1_000_000)), "ap", "calls", "OEP")
    assert ticks(axes.xaxis) == ["30,000", "1,000,000"]


def test_a_level_has_a_label_beside_the_axes():
    axes = plots.scores(score_table(), "ap", "points", "OEP")
    before = axes.get_xlim()
    plots.level(axes, 55, start=50, label="beyond the axis")
    assert list(axes.texts) == []
    plots.level(axes, 55, start=5, label="paper")
    assert axes.get_xlim() == before
    ends = axes.collections[-1].get_segments()[0].tolist()
    assert ends == [[5, 55], [before[1], 55]]
    assert legend(axes.figure) == ["a against b", "c against d"]
    (text,) = axes.texts
    axes.figure.draw_without_rendering()
    assert text.get_window_extent().x0 > axes.bbox.x1
    assert text.get_window_extent().x1 <= axes.figure.bbox.x1


def test_first_player():
    rows = [{"action_points": n} | score(60 - n, 10 * n) for n in (1, 5, 25)]
    table = pd.DataFrame([*rows, {"action_points": 30} | NO_SCORE])
    axes = plots.first_player(table, BUDGET)
    (line,) = points(axes)
    assert line.tolist() == [[1, 59], [5, 55], [25, 35]]
    assert len(bars(axes)[0]) == 3
    assert ticks(axes.xaxis) == ["1", "5", "25"]
    assert axes.get_ylabel() == "win % of player 1\ndraws half; bars are 95 % intervals"
    assert title(axes) == "10 to 250 games a point, 100 calls a turn"


# --- maps -----------------------------------------------------------------------------------


def shown(axes):
    return [text.get_text() for text in axes.texts if text.get_text()]


def frames(axes):
    """Middles of the frames, as column and row."""
    boxes = [p for p in axes.patches if isinstance(p, Rectangle)]
    return [(round(b.get_x() + b.get_width() / 2), round(b.get_y() + 0.47)) for b in boxes]


def test_heat_map():
    values = pd.DataFrame([[math.nan, 20.0], [80.0, math.nan]], ["x", "y"], ["x", "y"])
    below = pd.DataFrame([["", "[10, 30]"], ["[70, 90]", ""]])
    marked = pd.DataFrame([[True, False], [True, False]])
    axes = plots.heat_map(values, below, marked, "12 games a pair")
    assert shown(axes) == ["20", "[10, 30]", "80", "[70, 90]"]
    assert frames(axes) == [(0, 1)]  # an empty cell has none
    assert ticks(axes.xaxis) == ticks(axes.yaxis) == ["x", "y"]
    assert title(axes) == "12 games a pair"
    assert axes.images[0].get_clim() == (0, 100)


def test_numbers_are_white_on_dark_cells_only():
    values = pd.DataFrame([[0, 20, 50, 75, 100]], ["x"], list("abcde"))
    axes = plots.heat_map(values)
    colours = [text.get_color() for text in axes.texts if text.get_text()]
    assert colours == ["white", "black", "black", "black", "white"]


def test_landscape():
    table = pd.DataFrame(
        [
            {"action_points": n, "beyond": beyond} | score(50 + n + beyond, 10 * (beyond + 1))
            for n in (2, 5)
            for beyond in (0, 1, 2)
        ]
    )
    table = table.drop(index=5)  # 2 beyond 5 was not tried
    axes = plots.landscape(table, {2: 4, 5: 5}, {2: 3, 5: 99}, BUDGET)
    assert sorted(shown(axes)) == ["52 (10)", "53 (20)", "54 (30)", "55 (10)", "56 (20)"]
    assert frames(axes) == [(0, 2), (1, 0)]
    (dot,) = axes.lines  # 99 is not on the map
    assert [round(float(x)) for x in dot.get_xydata()[0]] == [0, 1]
    assert legend(axes.figure) == ["best in our tuning", "the paper's best"]
    assert ticks(axes.xaxis) == ["2", "5"]
    assert title(axes) == "win % (games), 100 calls a turn"
    assert "horizon h = action points + x" in axes.get_ylabel()


# --- rows -----------------------------------------------------------------------------------


def test_forest():
    table = pd.DataFrame(
        [
            {"what": "halving", "base": "bb-mcts"} | score(70),
            {"what": "halving", "base": "vanilla-mcts"} | score(40, 20),
            {"what": "reuse", "base": "bb-mcts"} | score(60),
            {"what": "reuse", "base": "vanilla-mcts"} | NO_SCORE,
        ]
    )
    axes = plots.forest(table, "what", "base", BUDGET)
    assert ticks(axes.yaxis) == ["halving", "reuse"]
    first, second = points(axes)
    assert list(first[:, 0]) == [70, 60]
    assert list(second[:, 0]) == [40]  # without games there is no point
    assert second[0, 1] < first[0, 1] < 0.5  # apart, in the same row
    assert legend(axes.figure) == ["bb-mcts", "vanilla-mcts"]
    assert title(axes) == "20 to 100 games a point, 100 calls a turn"
    assert axes.get_xlabel().startswith("win % against the plain variant")


def elo(agent, value, **columns):
    return {"agent": agent, "Elo": value, "low": value - 20.0, "high": value + 30.0,
            "games": 60, "in mean": "yes"} | columns  # fmt: skip


def test_ratings_are_listed_from_the_top():
    table = pd.DataFrame([elo("strong", 100.0), elo("weak", -100.0)])
    axes = plots.ratings(table, budget=BUDGET)
    assert title(axes) == "60 games an agent, 100 calls a turn"
    heights = dict(zip(ticks(axes.yaxis), axes.get_yticks(), strict=True))
    assert heights["strong"] > heights["weak"]
    ((low, high), _) = bars(axes)[0][:, :, 0].tolist()
    assert (low, high) == (80, 130)


def test_ratings_have_a_colour_for_each_group():
    rows = [elo("a", -50.0, ap=2), elo("b", 50.0, ap=2), elo("a", -40.0, ap=5)]
    axes = plots.ratings(pd.DataFrame(rows), "ap")
    assert title(axes) == "60 games a point"
    heights = dict(zip(ticks(axes.yaxis), axes.get_yticks(), strict=True))
    assert heights["b"] > heights["a"]
    assert len(points(axes)) == 2
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["2", "5"]


# --- searches and games ---------------------------------------------------------------------


def test_anytime_has_a_panel_for_each_agent_that_searches():
    rows = [
        {"agent": agent, "calls": calls, "loss": 100.0 / k, "±": 5.0, "positions": 20}
        for agent in ("one", "two", "three", "four", "five")
        for k, calls in enumerate((1_000, 30_000, 1_000_000), 1)
    ]
    lone = {"agent": "random", "calls": 6.0, "loss": 300.0, "±": 9.0, "positions": 20}
    figure = plots.anytime(pd.DataFrame([lone, *rows]))
    panels = [axes for axes in figure.axes if axes.get_visible()]
    assert [axes.get_title() for axes in panels] == ["one", "two", "three", "four", "five"]
    for axes in panels:
        assert axes.get_xscale() == "log"
        assert len(bars(axes)) == 1  # its own; the others are grey, and one line is horizontal
        assert len(bars(axes)[0]) == 3
        grey = [line for line in axes.lines if to_hex(line.get_color()) == to_hex("0.8")]
        assert len(grey) == 5
        assert [line.get_ydata()[0] for line in axes.lines if line.get_label()[0] != "_"] == [300]
    assert legend(figure) == ["random, 6 calls"]
    assert figure.get_suptitle().startswith("20 positions;")
    assert "short of\nthe best that any agent found" in figure.get_supylabel()


def test_convergence_has_a_place_for_generation_0():
    table = pd.DataFrame(
        {"calls": [9.0, 1e6], "generations": [0.0, 5_000.0], "distinct values": [50.0, 7.0],
         "±": [5.0, 1.0], "positions": [20, 20]}
    )  # fmt: skip
    axes = plots.convergence(table)
    axes.figure.canvas.draw()
    assert axes.get_xscale() == "symlog"
    assert points(axes)[0].tolist() == [[0, 50], [5_000, 7]]
    assert 0 in axes.get_xticks()
    assert axes.get_xlim()[0] > -1
    assert title(axes) == "20 positions a point, up to 1,000,000 calls"
    assert len(bars(axes)[0]) == 2


def test_branching():
    rows = [
        {"choices": label, "turn": turn, "low": 10.0, "median": 20.0 + turn, "high": 40.0,
         "games": 60 - 10 * turn}
        for label in ("legal", "after pruning")
        for turn in (1, 2, 3)
    ]  # fmt: skip
    axes = plots.branching(pd.DataFrame(rows), BUDGET)
    assert [list(line.get_ydata()) for line in axes.lines] == [[21, 22, 23]] * 2
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["legal", "after pruning"]
    assert len({line.get_linestyle() for line in axes.lines}) == 2
    assert len(axes.collections) == 2  # the middle halves
    first, second = title(axes).split("\n")
    assert first == "30 to 50 games in a turn, 100 calls a turn"
    assert "at least half of the games" in second


def test_a_picture_goes_where_it_is_wanted():
    figure, mine = plt.subplots()
    assert plots.scores(score_table(), "ap", "points", "OEP", axes=mine) is mine
    assert mine.figure is figure
