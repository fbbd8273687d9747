"""Scores over a column, of the starting player and of a smaller budget, from made-up games."""

from __future__ import annotations

import json

import pytest
from made_up import DRAW, FIRST, SECOND, games, side, wins

from heroacademy.analysis import horizons
from heroacademy.analysis.matches import first_player_advantage, scores_over, tenth_table
from heroacademy.analysis.printed import DIFFERS, NO_DIFFERENCE
from heroacademy.experiments import designs
from heroacademy.experiments.profiles import size
from heroacademy.statistics import win_rate

POINTS = [1, 5, 10]


def figure5(winner, turns=40):
    return games(designs.figure5(size("paper", "figure5", action_points=POINTS)), winner, turns)


def oep_wins_from_five(spec):
    return side(spec, "oep") if spec.config.action_points >= 5 else 3 - side(spec, "oep")


def test_scores_over_a_column():
    pairs = {"against bb": ("oep", "bb-mcts"), "bb against": ("bb-mcts", "oep")}
    table = scores_over(figure5(oep_wins_from_five), "action_points", POINTS, lambda n: pairs)
    assert list(table["action_points"]) == [1, 1, 5, 5, 10, 10]
    assert list(table["pair"]) == ["against bb", "bb against"] * 3
    assert list(table["win %"]) == [0, 100, 100, 0, 100, 0]
    assert (table["games"] == 100).all()
    assert (table["p Holm"] >= table["p signed-rank"]).all()
    assert (table["p Holm"] < 1e-6).all()


def test_each_value_may_have_pairs_of_its_own():
    pairs = {1: {"bb": ("oep", "bb-mcts")}, 5: {"vanilla": ("oep", "vanilla-mcts")}}
    table = scores_over(figure5(wins()), "action_points", [1, 5], pairs.get)
    assert list(zip(table["action_points"], table["pair"], strict=True)) == [
        (1, "bb"),
        (5, "vanilla"),
    ]


def test_the_starting_players_advantage():
    by_points = {1: FIRST, 5: DRAW, 10: SECOND}
    played = figure5(lambda spec: by_points[spec.config.action_points], turns=12)
    table = first_player_advantage(played).set_index("action_points")
    assert table["win %"].to_dict() == {1: 100, 5: 50, 10: 0}
    assert table["draws %"].to_dict() == {1: 0, 5: 100, 10: 0}
    assert (table["turns"] == 12).all()
    assert (table["games"] == 300).all()
    own = played[played["action_points"] == 1]
    expected = win_rate([1] * 300, own["start"].to_numpy())
    assert table.loc[1, "low"] == pytest.approx(100 * expected.low)


@pytest.mark.parametrize(("smaller_wins", "expected"), [(True, 100), (False, 0)])
def test_the_smaller_budget(smaller_wins, expected):
    def winner(spec):
        calls = [player.budget.fm_calls for player in spec.players]
        return 1 + calls.index((min if smaller_wins else max)(calls))

    table = tenth_table(games(designs.tenth_budget(size("paper", "tenth_budget")), winner))
    (row,) = table.to_dict("records")
    assert (row["agent"], row["win %"], row["games"]) == ("smaller budget", expected, 100)


# --- horizons beside the paper --------------------------------------------------------------


def best_horizons(best, winner):
    of_size = size("paper", "horizon", action_points=list(best), games=100)
    specs = [
        spec
        for points, horizon in best.items()
        for spec in designs.horizon_games(of_size, points, [horizon], 100, designs.REPORT)
    ]
    return horizons.best_horizons(games(specs, winner), best)


def test_horizons_stand_beside_the_paper_by_the_rule_of_table2():
    """62 % are printed at 5 action points: all games lost disagree, also after correction."""

    def winner(spec):
        return side(spec, "emcts") if spec.config.action_points == 5 else FIRST

    table = best_horizons({1: 3, 5: 10, 7: 7}, winner).set_index("action_points")
    assert table.loc[5, ["paper h", "paper %", "verdict"]].tolist() == [10, "62", DIFFERS]
    assert table.loc[7, "verdict"] == NO_DIFFERENCE  # 50 % of 100 games, printed 57
    assert table.loc[1, ["paper h", "paper %", "verdict"]].isna().all()
    close = {1: [1, 2, 3], 5: [7, 9, 10], 7: [7]}
    text = horizons.findings(table.reset_index(), close)
    assert "than the best horizon) at 1 of 3 numbers of action points" in text
    assert "h = 1 to 3 at 1 AP, 7, 9 to 10 at 5 AP, 7 at 7 AP." in text
    shown = horizons.with_range(table.reset_index(), close)
    assert list(shown.columns[:3]) == ["action_points", "best h", "not shown worse"]
    assert list(shown["not shown worse"]) == ["1 to 3", "7, 9 to 10", "7"]
    assert "h = 10 at 5 AP 0.0 % [0.0, " in text
    assert "h = 3 at 1 AP 50.0 %" in text
    assert "Of these win rates, 1 of 2 differ from the printed numbers (5 AP 0.0 %" in text
    assert "for 1 no difference is found, 0 open; 100 against 400 games" in text
    assert "each the best of 16 horizons', and so flattered" in text


def test_action_points_that_the_paper_does_not_have():
    table = best_horizons({1: 3}, wins("fh-emcts"))
    assert table["verdict"].isna().all()
    assert "printed" not in horizons.findings(table, {1: [3]})


def test_horizons_are_compared_with_the_best_start_by_start():
    """Of 40 games each: 4 wins all, 3 loses to it in 5 starts, 2 in 6, and Holm counts both."""
    of_size = size("paper", "horizon", action_points=[2], longest=2)
    lost_starts = {2: 12, 3: 5, 4: 0}

    def winner(spec):
        fh = side(spec, "fh-emcts")
        horizon = json.loads(spec.players[fh - 1].options)["horizon"]
        return 3 - fh if spec.start < lost_starts[horizon] else fh

    tuned = games(designs.horizon_games(of_size, 2, [2, 3, 4], 40), winner)
    assert horizons.not_worse(tuned, of_size, {2: 4}) == {2: [3, 4]}  # p of 3 is 2 / 2^5
    assert horizons.not_worse(tuned, of_size, {2: 4}, level=0.1) == {2: [4]}
    assert horizons.not_worse(tuned, of_size, {2: 2}, level=0.1) == {2: [2, 3, 4]}  # better ones
    few = tuned[tuned["start"] < 5]
    assert horizons.not_worse(few, of_size, {2: 4}) == {2: [2, 3, 4]}
