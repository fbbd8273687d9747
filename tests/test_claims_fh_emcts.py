"""The claims about horizons and FH-EMCTS follow the data."""

from __future__ import annotations

import json

import pytest
from made_up import CLAIMS, DRAW, games, results, wins

from heroacademy import paper
from heroacademy.analysis.claims import page
from heroacademy.analysis.claims.results import Results
from heroacademy.experiments import designs, horizons
from heroacademy.experiments.profiles import size
from heroacademy.statistics import AGREES, DISAGREES, UNDECIDED

POINTS = [2, 3, 5, 10, 15]


def fh(winner):
    return games(
        designs.fh_emcts(size("paper", "fh_emcts", games=100, action_points=POINTS)), winner
    )


def fh_finding(claim, winner, **others):
    of_size = size("paper", "fh_emcts", action_points=POINTS)
    some = results(**others) if winner is None else results(fh_emcts=fh(winner), **others)
    sizes = {**some.sizes, "fh_emcts": of_size, "emcts": of_size, "horizon": of_size}
    return page.judge(CLAIMS[claim], Results(sizes, some.tables, some.asked, some.best))


def of_horizon(spec):
    """The horizon of each player: "paper", a number or none."""
    return [json.loads(player.options).get("horizon") for player in spec.players]


def longer_up_to(points):
    """The paper's horizon beats the turn up to a number of action points, then loses."""

    def winner(spec):
        if "paper" not in of_horizon(spec) or None in of_horizon(spec):
            return DRAW
        paper_is = 1 + of_horizon(spec).index("paper")
        return paper_is if spec.config.action_points <= points else 3 - paper_is

    return winner


@pytest.mark.parametrize(
    ("claim", "winner", "expected"),
    [
        ("figure7-all", wins("fh-emcts"), AGREES),
        ("figure7-all", wins("bb-mcts", "fh-emcts"), DISAGREES),
        ("figure7-all", wins(), UNDECIDED),
        ("figure7-greedy-action", wins("fh-emcts"), AGREES),
        ("figure7-greedy-action", wins("greedy-action"), DISAGREES),
        ("figure7-weakness-gone", wins("fh-emcts"), AGREES),
        ("figure7-weakness-gone", wins("nonexploring-mcts"), DISAGREES),
        ("figure6-horizon", longer_up_to(5), AGREES),
        ("figure6-horizon", wins(), UNDECIDED),
        ("horizon-beyond-turn", longer_up_to(5), AGREES),
        ("horizon-beyond-turn", longer_up_to(3), DISAGREES),
    ],
)
def test_fh_emcts(claim, winner, expected):
    assert fh_finding(claim, winner).verdict == expected


@pytest.mark.parametrize(
    ("claim", "winner", "expected"),
    [
        ("emcts-oep", wins("emcts"), AGREES),
        ("emcts-oep", wins("greedy-oep"), DISAGREES),
        ("figure7-emcts-weakness", wins("nonexploring-mcts"), AGREES),
        ("figure7-emcts-weakness", wins("emcts"), DISAGREES),
    ],
)
def test_emcts(claim, winner, expected):
    specs = designs.emcts(size("paper", "emcts", games=40, action_points=POINTS))
    assert fh_finding(claim, None, emcts=games(specs, winner)).verdict == expected


def winners(best, winner):
    """Games of the best horizons."""
    of_size = size("paper", "horizon", action_points=POINTS, games=100)
    specs = [
        spec
        for points, horizon in best.items()
        for spec in designs.horizon_games(of_size, points, [horizon], 100, designs.REPORT)
    ]
    return games(specs, winner)


@pytest.mark.parametrize(
    ("claim", "beyond", "winner", "expected"),
    [
        ("horizon-always-better", 0, wins("fh-emcts"), AGREES),
        ("horizon-always-better", 0, wins("emcts"), DISAGREES),
        ("horizon-only-turn", 0, wins("fh-emcts"), AGREES),
        ("horizon-only-turn", 3, wins("fh-emcts"), DISAGREES),  # the turn itself always draws
        ("horizon-only-turn", 3, wins(), UNDECIDED),
        ("horizon-win-rates", 0, wins("emcts"), DISAGREES),
        ("horizon-best", 0, wins(), UNDECIDED),
    ],
)
def test_tuned_horizons(claim, beyond, winner, expected):
    best = {points: points + beyond for points in POINTS}
    finding = fh_finding(claim, wins(), best=best, horizon=winners(best, winner))
    assert finding.verdict == expected


def test_the_papers_horizons_agree_with_themselves():
    best = {points: int(paper.horizons()["horizon"][points]) for points in POINTS}
    table = winners(best, wins("fh-emcts"))
    assert fh_finding("horizon-best", wins(), best=best, horizon=table).verdict == AGREES


def test_tuning_that_is_not_finished_has_no_best_horizon(tmp_path):
    small = size("smoke", "horizon", fm_calls=20)
    assert horizons.stored_winners(small, tmp_path)[0] == {}
    finding = fh_finding("horizon-best", wins())
    assert "tuning of horizons is not finished" in finding.measured
