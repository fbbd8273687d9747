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
    tuned = size("paper", "horizon", action_points=POINTS)
    sizes = {**some.sizes, "fh_emcts": of_size, "emcts": of_size, "horizon": tuned}
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
    finding = fh_finding(claim, None, emcts=games(specs, winner))
    assert finding.verdict == expected
    assert finding.measured.startswith("against greedy-oep ") == (claim == "emcts-oep")


def winners(best, winner):
    """Games of the best horizons."""
    of_size = size("paper", "horizon", action_points=POINTS, games=100)
    specs = [
        spec
        for points, horizon in best.items()
        for spec in designs.horizon_games(of_size, points, [horizon], 100, designs.REPORT)
    ]
    return games(specs, winner)


def tuning(favourite, games_each=40):
    """Games of the tuning: at each number of action points only horizons of `favourite` win."""
    of_size = size("paper", "horizon", action_points=POINTS, games=games_each)

    def winner(spec):
        (fh,) = (n for n, h in enumerate(of_horizon(spec), 1) if h is not None)
        points = spec.config.action_points
        return fh if of_horizon(spec)[fh - 1] in favourite(points) else 3 - fh

    return games(
        [
            spec
            for points in POINTS
            for spec in designs.horizon_games(
                of_size, points, horizons.horizons_of(of_size, points), games_each
            )
        ],
        winner,
    )


@pytest.mark.parametrize(
    ("claim", "beyond", "winner", "expected"),
    [
        ("horizon-always-better", 0, wins("fh-emcts"), AGREES),
        ("horizon-always-better", 0, wins("emcts"), DISAGREES),
        ("horizon-win-rates", 0, wins("emcts"), DISAGREES),
    ],
)
def test_tuned_horizons(claim, beyond, winner, expected):
    best = {points: points + beyond for points in POINTS}
    finding = fh_finding(claim, wins(), best=best, horizon=winners(best, winner))
    assert finding.verdict == expected


PAPERS = paper.horizons()["horizon"].astype(int).to_dict()


@pytest.mark.parametrize(
    ("claim", "favourite", "expected"),
    [
        ("horizon-best", lambda n: {PAPERS[n]}, AGREES),
        ("horizon-best", lambda n: {PAPERS[n], n + 1}, AGREES),  # n + 1 is not told from it
        ("horizon-best", lambda n: {n + 1}, DISAGREES),
        ("horizon-best", lambda n: range(n, n + 16), UNDECIDED),  # all win: none is shown worse
        ("horizon-only-turn", lambda n: {n}, AGREES),
        ("horizon-only-turn", lambda n: {n, n + 3}, AGREES),
        ("horizon-only-turn", lambda n: {n + 3}, DISAGREES),
        ("horizon-only-turn", lambda n: range(n, n + 9), UNDECIDED),  # one more than half
    ],
)
def test_claimed_horizons_are_judged_by_those_not_shown_to_be_worse(claim, favourite, expected):
    best = {points: max(favourite(points)) for points in POINTS}
    table = winners(best, wins("fh-emcts"))
    finding = fh_finding(claim, None, best=best, horizon=table, horizon_tuning=tuning(favourite))
    assert finding.verdict == expected
    claimed = 15 if claim == "horizon-only-turn" else PAPERS[15]
    assert f"15 AP: h = {best[15]}, not shown worse " in finding.measured
    assert f", claimed {claimed} (" in finding.measured


def test_few_games_of_the_tuning_do_not_refute_a_horizon():
    """Four starts, all won by one horizon and lost by all others: p is 0.125 at best."""
    best = {points: points + 1 for points in POINTS}
    few = tuning(lambda n: {n + 1}, games_each=8)
    finding = fh_finding("horizon-best", None, best=best, horizon=few, horizon_tuning=few)
    assert finding.verdict == UNDECIDED
    assert "5 AP: h = 6, not shown worse 5 to 20, claimed 10" in finding.measured


def test_tuning_that_is_not_finished_has_no_best_horizon(tmp_path):
    small = size("smoke", "horizon", fm_calls=20)
    assert horizons.stored_winners(small, tmp_path)[0] == {}
    finding = fh_finding("horizon-best", wins())
    assert "tuning of horizons is not finished" in finding.measured
