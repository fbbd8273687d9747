"""Tables of ratings, and their pictures: agents that lost, or won, every game are set apart."""

import itertools
import math

import matplotlib.pyplot as plt
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from heroacademy import plots
from heroacademy.agents.registry import agent_names
from heroacademy.analysis.ratings import ratings
from heroacademy.experiments.designs import NEW_AGENTS, PAPER_AGENTS

BEST, GOOD, FAIR, WORST = NAMES = ["won all", "good", "fair", "lost all"]


def winner(agents, start):
    """The best wins all, the worst loses all; good wins two of three games against fair."""
    if set(agents) == {GOOD, FAIR}:
        return FAIR if start % 3 == 0 else GOOD
    return min(agents, key=NAMES.index)


def round_robin(names=NAMES):
    """Games of all pairs, both ways from each of 30 starts."""
    rows = [
        (*pair, start, pair.index(winner(pair, start)) + 1)
        for start in range(30)
        for pair in itertools.permutations(names, 2)
    ]
    return pd.DataFrame(rows, columns=["agent1", "agent2", "start", "winner"])


def numbers(row):
    return [row["Elo"], row["low"], row["high"]]


def test_zero_is_the_mean_of_agents_that_won_some_and_lost_some():
    table = ratings(round_robin(), NAMES)
    assert list(table["agent"]) == NAMES
    assert list(table["in mean"]) == ["no", "yes", "yes", "no"]
    assert table["Elo"][1] == pytest.approx(-table["Elo"][2])
    assert table["Elo"][1] == pytest.approx(200 * math.log10(2), abs=2)  # two of three games
    alone = ratings(round_robin([GOOD, FAIR]), [GOOD, FAIR])
    assert_allclose(numbers(table.loc[1]), numbers(alone.loc[0]), atol=2.5)


def test_a_draw_is_enough_to_be_in_the_mean():
    games = round_robin()
    games.loc[(games["agent1"] == WORST) & (games["agent2"] == FAIR), "winner"] = 0
    assert list(ratings(games, NAMES)["in mean"]) == ["no", "yes", "yes", "yes"]


def test_all_are_in_the_mean_where_nobody_both_won_and_lost():
    table = ratings(round_robin([BEST, GOOD]), [BEST, GOOD])
    assert list(table["in mean"]) == ["yes", "yes"]
    assert table["Elo"].sum() == pytest.approx(0)


def test_who_won_or_lost_all_is_a_number_at_the_edge_of_the_picture():
    table = ratings(round_robin(), NAMES)
    axes = plots.ratings(table)
    low, high = table["low"][2], table["high"][1]  # of fair and of good
    left, right = axes.get_xlim()
    margin = 0.1 * (high - low)
    assert low - margin < left < low < high < right < high + margin
    edges = {(text.xy[1], text.xy[0]): text.get_text() for text in axes.texts}
    assert edges == {
        place: "{:,.0f} [{:,.0f}, {:,.0f}]".format(*numbers(table.loc[i]))
        for i, place in {0: (0, 1), 3: (-3, 0)}.items()
    }
    assert "mean of the agents that won some games and lost some" in axes.get_xlabel()
    plt.close("all")


def test_who_lost_all_but_is_not_far_away_is_drawn_as_the_others():
    table = ratings(round_robin(), NAMES)
    table.loc[3, "Elo"] = table["low"][2] + 1
    axes = plots.ratings(table)
    assert [text.xy[1] for text in axes.texts] == [0]  # only who won all
    assert axes.get_xlim()[0] < table["low"][3]
    assert "lost some" in axes.get_xlabel()
    plt.close("all")


def test_nothing_is_at_the_edge_if_all_are_in_the_mean():
    axes = plots.ratings(ratings(round_robin([GOOD, FAIR]), [GOOD, FAIR]))
    assert not axes.texts
    assert "mean of all agents" in axes.get_xlabel()
    assert axes.get_legend() is None
    plt.close("all")


def test_each_group_has_its_own_edge():
    tables = {2: ratings(round_robin([GOOD, FAIR]), [GOOD, FAIR]), 5: ratings(round_robin(), NAMES)}
    table = pd.concat([part.assign(points=points) for points, part in tables.items()])
    axes = plots.ratings(table, "points")
    assert [label.get_text() for label in axes.get_legend().get_texts()] == ["2", "5"]
    assert [text.get_color() for text in axes.texts] == [plots.COLOURS[1]] * 2
    assert [label.get_text() for label in axes.get_yticklabels()] == NAMES
    plt.close("all")


def test_names_of_new_agents_are_bold():
    axes = plots.ratings(ratings(round_robin(), NAMES), new=[FAIR])
    weights = {name.get_text(): name.get_fontweight() for name in axes.get_yticklabels()}
    assert weights == dict.fromkeys(NAMES, "normal") | {FAIR: "bold"}
    assert "bold" in axes.get_xlabel()
    plt.close("all")


def test_every_agent_is_of_the_papers_or_new():
    assert sorted(PAPER_AGENTS + NEW_AGENTS) == sorted(agent_names())
