"""The claims about Fig. 5 follow the data."""

from __future__ import annotations

import pytest
from made_up import CLAIMS, DRAW, FIRST, SECOND, found, games, results, side, wins

from heroacademy.analysis.claims import page
from heroacademy.analysis.claims.results import Results
from heroacademy.experiments import designs
from heroacademy.experiments.profiles import size
from heroacademy.statistics import AGREES, DISAGREES, UNDECIDED


def figure5(winner, turns=40):
    return games(designs.figure5(size("paper", "figure5")), winner, turns)


def oep_wins_from(spec, points):
    return side(spec, "oep") if spec.config.action_points >= points else 3 - side(spec, "oep")


def slightly_worse(spec):
    """OEP loses one start of ten with both sides and draws the others."""
    return 3 - side(spec, "oep") if spec.start % 10 == 0 else DRAW


@pytest.mark.parametrize(
    ("claim", "winner", "expected"),
    [
        ("figure5-few-points", lambda spec: oep_wins_from(spec, 10), AGREES),
        ("figure5-few-points", lambda spec: 3 - oep_wins_from(spec, 10), DISAGREES),
        ("figure5-advantage-grows", lambda spec: oep_wins_from(spec, 10), AGREES),
        ("figure5-advantage-grows", wins("oep"), UNDECIDED),  # a hundred per cent cannot rise
        ("figure5-nonexploring-few", lambda spec: oep_wins_from(spec, 10), DISAGREES),  # by far
        ("figure5-nonexploring-few", slightly_worse, AGREES),
        ("figure5-nonexploring-few", wins("oep"), DISAGREES),
        ("figure5-nonexploring-few", wins(), UNDECIDED),  # 50 % is at the edge
        ("figure5-many-points", lambda spec: oep_wins_from(spec, 10), AGREES),
        ("figure5-many-points", lambda spec: oep_wins_from(spec, 15), DISAGREES),
        ("figure5-most-settings", lambda spec: oep_wins_from(spec, 10), AGREES),
        ("figure5-most-settings", lambda spec: oep_wins_from(spec, 20), DISAGREES),
        ("figure5-most-settings", wins("bb-mcts", "oep"), DISAGREES),
        ("figure5-starting-player", lambda spec: FIRST, AGREES),
        ("figure5-starting-player", lambda spec: SECOND, AGREES),
        ("figure5-starting-player", wins(), DISAGREES),
    ],
)
def test_figure5(claim, winner, expected):
    assert found(claim, figure5=figure5(winner)).verdict == expected


@pytest.mark.parametrize(
    ("winner", "turns", "expected"),
    [
        (wins("nonexploring-mcts", "bb-mcts", "oep"), 5, AGREES),
        (wins("nonexploring-mcts", "bb-mcts", "oep"), 40, UNDECIDED),  # nobody wins fast
        (wins("nonexploring-mcts", "oep"), 5, UNDECIDED),  # BB-MCTS does as little
        (wins("vanilla-mcts", "oep"), 5, DISAGREES),
        (lambda spec: FIRST, 5, UNDECIDED),  # all win fast as player 1, vanilla MCTS as often
        (wins("oep"), 5, UNDECIDED),
    ],
)
def test_vanillas_fast_wins_are_set_beside_those_of_the_other_variants(winner, turns, expected):
    finding = found("figure5-vanilla-slow", figure5=figure5(winner, turns))
    assert finding.verdict == expected
    assert finding.games == 600  # of three variants at 20 and 25 AP, as both players


def test_vanillas_fast_wins_are_counted_by_who_won_and_how_fast():
    played = figure5(wins("vanilla-mcts", "oep"), turns=5)
    slow = played["start"] < 25
    played["turns"] = played["turns"].where(~slow, 40)
    measured = found("figure5-vanilla-slow", figure5=played).measured
    assert "vanilla-mcts 50.0 % [" in measured
    assert "bb-mcts 0.0 % [" in measured
    assert "points of vanilla-mcts: +50.0 [" in measured


@pytest.mark.parametrize(
    ("winner", "expected"),
    [
        (lambda spec: FIRST, "player 1 has the advantage: player 1 wins 100.0 % "),
        (lambda spec: SECOND, "player 2 has the advantage: player 1 wins 0.0 % "),
        (wins(), "player 1 wins 50.0 % "),
    ],
)
def test_who_has_the_advantage_is_said_and_whose_games_count(winner, expected):
    measured = found("figure5-starting-player", figure5=figure5(winner)).measured
    assert measured.startswith(expected)
    assert measured.endswith("(400 games), those of vanilla-mcts left out")


@pytest.mark.parametrize(("turns", "expected"), [(5, AGREES), (20, DISAGREES)])
def test_turns_of_fast_games(turns, expected):
    assert found("figure5-fast-games", figure5=figure5(wins(), turns)).verdict == expected


def test_points_that_a_profile_does_not_have():
    few = size("paper", "figure5", action_points=[1, 3])
    some = results(figure5=games(designs.figure5(few), wins("oep")))
    some = Results({**some.sizes, "figure5": few}, some.tables, some.asked, some.best)
    finding = page.judge(CLAIMS["figure5-many-points"], some)
    assert finding.verdict == page.NOT_MEASURED
    assert "no such numbers of action points" in finding.measured
