"""What the findings say of scores over numbers of action points."""

from __future__ import annotations

import pandas as pd
from made_up import games, side, wins

from heroacademy.analysis import action_points, matches
from heroacademy.experiments import designs
from heroacademy.experiments.profiles import size

POINTS = [5, 10]


def scores(winner, games_a_pair):
    of_size = size("paper", "figure5", games=games_a_pair, action_points=POINTS)
    pairs = {f"OEP against {name}": ("oep", name) for name in designs.MCTS_AGENTS}
    played = games(designs.figure5(of_size), winner)
    return matches.scores_over(played, "action_points", POINTS, lambda _: pairs)


def oep_from_ten(spec):
    """OEP loses to BB-MCTS at 5 action points, beats it at 10, and draws all else."""
    own, other = (side(spec, name) for name in ("oep", "bb-mcts"))
    return (own if spec.config.action_points == 10 else other) if other else 0


def test_sides_are_told_by_the_corrected_test():
    said = action_points.sides(scores(oep_from_ten, 40))
    assert said.startswith(
        "OEP against bb-mcts significantly above 50 % at 10 AP and below 50 % at 5 AP (Holm over "
        "6 scores); no significant difference shown: "
    )
    assert "OEP against vanilla-mcts" in said.split("shown: ")[1]


def test_an_interval_above_one_half_is_not_enough():
    """Six starts, all won: the interval is far from 50 %, the test knows how few they are."""
    few = scores(oep_from_ten, 12)
    won = few[few["win %"] == 100].iloc[0]
    assert won["low"] > 60
    assert won["p signed-rank"] < 0.05 < won["p Holm"]
    assert action_points.sides(few) == (
        "no significant difference from 50 % shown (Holm over 6 scores)."
    )


def test_findings_tell_scores_and_starts_under_each_choice():
    table, draws = scores(wins("oep"), 40), scores(wins(), 40)
    advantage = pd.DataFrame({"action_points": POINTS, "win %": [50, 20], "low": 10, "high": 60})
    full = advantage.assign(**{"win %": [60, 75]})
    lines = action_points.findings(table, draws, table, advantage, full).splitlines()
    assert len(lines) == 5
    assert lines[0].startswith("- Fig. 5: OEP against ")
    assert "no significant difference from 50 % shown" in lines[1]
    assert "OEP against bb-mcts significantly above 50 %" in lines[2]
    assert "20 % [10, 60] at 10 AP" in lines[3]
    assert "75 % [10, 60] at 10 AP" in lines[4]


def test_both_parts_against_emcts_are_told_once():
    parts = pd.DataFrame(
        {"action_points": 5, "pair": [designs.FASTER, designs.BOTH], "win %": 90, "p Holm": 0.001}
    )
    baselines = parts.assign(pair=["against emcts", "against oep"])
    text = action_points.fh_findings(parts, baselines, baselines)
    assert designs.FASTER in text
    assert designs.BOTH not in text
    assert text.count("\n") == 2
    assert text.splitlines()[0].endswith("(Holm over 2 scores).")
