"""Table II beside the paper, over budgets and under other choices, from made-up games."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from made_up import DRAW, found, games, printed_table2, side, wins
from scipy.stats import fisher_exact, norm

from heroacademy.analysis import table2
from heroacademy.analysis.budgets import budget_findings, over_budgets
from heroacademy.analysis.printed import (
    CORRECTED,
    DIFFERS,
    NO_DIFFERENCE,
    OPEN,
    UNCORRECTED,
    beside_printed,
)
from heroacademy.analysis.variations import variation_findings, variation_table
from heroacademy.experiments import designs, profiles
from heroacademy.experiments.profiles import size
from heroacademy.experiments.results import differences_by_start
from heroacademy.figures import save_table
from heroacademy.statistics import DISAGREES, detectable, mean_interval, win_rate

NAMES = list(designs.OEP_AGENTS)
OFF = ("bb-mcts", "greedy-turn")
UNIT = "calls a turn"


def match(results, starts):
    """A match as `head_to_head` gives it, from results as player 1 and 2 in turn."""
    sides = np.arange(len(results)) % 2 + 1
    return pd.DataFrame({"start": starts, "as_player": sides, "result": results})


def won(share, starts_decide):
    """A hundred games; both games from a start may end alike, or starts play no part."""
    results = [1.0] * share + [0.0] * (100 - share)
    return match(results, np.arange(100) // (2 if starts_decide else 1))


# --- the rule -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "printed", "of_the_paper", "expected"),
    [
        (won(62, starts_decide=False), 0.735, 10_000, DIFFERS),
        (won(62, starts_decide=True), 0.735, 10_000, OPEN),  # its interval holds 73.5 %
        (won(62, starts_decide=False), 0.735, 20, OPEN),  # the paper's games are few
        (won(100, starts_decide=False), 1.0, 100, NO_DIFFERENCE),
        (won(50, starts_decide=False), 0.5, 100, NO_DIFFERENCE),
        (won(60, starts_decide=False), 0.5, 100, NO_DIFFERENCE),
        (won(61, starts_decide=False), 0.5, 100, OPEN),  # neither found nor near
        (won(40, starts_decide=False), 0.5, 10_000_000, NO_DIFFERENCE),  # 50 % is in its interval
        (won(39, starts_decide=False), 0.5, 10_000_000, DIFFERS),
    ],
)
def test_the_rule_needs_both_fishers_test_and_the_interval(one, printed, of_the_paper, expected):
    row = beside_printed([one], [(printed,)], of_the_paper).iloc[0]
    assert row["verdict"] == expected
    assert row["paper %"] == f"{100 * printed:g}"


def test_the_rule_is_corrected_for_the_number_of_shares():
    one, same = won(57, starts_decide=False), won(73, starts_decide=False)
    alone = beside_printed([one], [(0.73,)], 100)
    among = beside_printed([one] + [same] * 20, [(0.73,)] * 21, 100)
    assert alone["verdict"][0] == DIFFERS
    assert among["verdict"][0] == OPEN
    expected = fisher_exact([[57, 43], [73, 27]]).pvalue
    assert alone[UNCORRECTED][0] == among[UNCORRECTED][0] == pytest.approx(expected)
    assert among[CORRECTED][0] == pytest.approx(21 * expected)


def test_any_reading_of_a_printed_number_counts():
    one = won(50, starts_decide=False)
    assert beside_printed([one], [(0.9,)], 100)["verdict"][0] == DIFFERS
    either = beside_printed([one], [(0.9, 0.5)], 100).iloc[0]
    assert (either["verdict"], either["paper %"]) == (NO_DIFFERENCE, "90 or 50")


def test_a_share_without_games_is_open():
    assert beside_printed([match([], [])], [(0.5,)], 100)["verdict"][0] == OPEN


def test_a_true_copy_of_a_printed_number_mostly_shows_no_difference():
    """Both of 100 games of the same chance: the rule before needed certainty and never had it."""
    rng = np.random.default_rng(2)
    found = []
    for _ in range(100):
        ours, theirs = (rng.random((2, 100)) < 0.7).sum(axis=1)
        one = won(ours, starts_decide=False)
        found.append(beside_printed([one], [(theirs / 100,)], 100)["verdict"][0])
    assert found.count(NO_DIFFERENCE) > 75
    assert found.count(DIFFERS) < 10


def test_the_difference_that_is_found_by_simulation():
    """Four of five pairs of samples that far apart around one half differ by a normal test."""
    rng = np.random.default_rng(3)
    for ours, theirs, level in ((100, 100, 0.05), (100, 400, 0.01)):
        apart = detectable(ours, theirs, level)
        one = rng.binomial(ours, 0.5 - apart / 2, 4000) / ours
        other = rng.binomial(theirs, 0.5 + apart / 2, 4000) / theirs
        error = np.sqrt(0.25 / ours + 0.25 / theirs)
        share = (np.abs(one - other) / error > norm.ppf(1 - level / 2)).mean()
        assert share == pytest.approx(0.8, abs=0.04)


# --- the table ------------------------------------------------------------------------------


def almost_as_printed(spec):
    """The paper's proportions, but Greedy Turn never loses to BB-MCTS."""
    return side(spec, OFF[1]) if all(side(spec, name) for name in OFF) else printed_table2(spec)


@pytest.fixture(scope="module")
def played():
    return games(designs.table2(size("paper", "table2")), almost_as_printed)


@pytest.fixture(scope="module")
def table(played):
    return table2.compare_with_paper(played, NAMES)


def test_every_pair_stands_beside_the_paper(table):
    rows = table.set_index(["first", "second"])
    assert len(rows) == 21
    assert rows.loc[("oep", "bb-mcts"), ["win %", "games", "paper %"]].tolist() == [52, 100, "52"]
    assert rows.loc[("oep", "greedy-action"), "paper %"] == "90 or 98"
    assert rows.index[rows["verdict"] == DIFFERS].tolist() == [OFF]
    assert rows.loc[OFF, "win %"] == 0
    assert rows.loc[OFF, UNCORRECTED] == pytest.approx(fisher_exact([[0, 100], [73, 27]]).pvalue)
    assert (rows.drop(OFF)[UNCORRECTED] > 0.05).all()


def test_the_square_has_both_directions(table):
    values = table2.square(table, NAMES, "win %")
    assert values.loc["oep", "bb-mcts"] == 52
    assert values.loc["bb-mcts", "oep"] == 48
    assert values.isna().to_numpy().tolist() == np.eye(7, dtype=bool).tolist()


def test_frames_mark_what_differs(table):
    texts, differs = table2.cell_texts(table, NAMES)
    assert {(a, b) for a in NAMES for b in NAMES if differs.loc[a, b]} == {OFF, OFF[::-1]}
    assert texts.loc["oep", "bb-mcts"] == "[38, 66]\npaper 52"
    assert texts.loc["bb-mcts", "oep"] == "[34, 62]\npaper 48"
    assert texts.loc["vanilla-mcts", "greedy-turn"].endswith("paper 22 or 12")
    assert texts.loc["oep", "oep"] == ""


def test_notebook_and_claims_give_one_answer(played, table):
    rating = pd.DataFrame({"agent": ["nonexploring-mcts", "oep"]})
    text = table2.findings(table, rating, ["of budgets."], ["of choices."])
    claim = found("table2-pairs", table2=played)
    assert claim.verdict == DISAGREES
    assert claim.measured.startswith("1 of 21 differ from the printed numbers (bb-mcts")
    assert "bb-mcts against greedy-turn 0.0 % [0.0, 3.9] (100 games), printed 73.5 %" in text
    first, order, decided, *others = text.splitlines()
    assert first == f"- Of the pairs, {claim.measured}."
    assert first.endswith(
        "100 against 100 games mostly (80 %) find differences from 27 points on near 50 %."
    )
    assert ", for 20 no difference is found, 0 open" in first
    assert order == "- The order by rating is nonexploring-mcts, oep."
    assert decided.startswith(f"- {(table['p Holm'] < 0.05).sum()} pairs differ from 50 %")
    assert others == ["- of budgets.", "- of choices."]


def test_the_printable_table_is_written_as_latex(table, tmp_path):
    shown = table2.printable(table, NAMES)
    assert list(shown.columns) == ["agent", *NAMES]
    assert shown["agent"].tolist() == NAMES[1:]
    rows = shown.set_index("agent")
    known = win_rate([1] * 52 + [0] * 48, starts=np.arange(100) // 2)  # as they are made up
    assert rows.loc["oep", "bb-mcts"] == f"52.0 [{100 * known.low:.1f}, {100 * known.high:.1f}]"
    assert rows.loc["bb-mcts", "oep"] == "48.0 [34.4, 61.9]"
    assert rows.loc["oep", "oep"] == "-"
    save_table(shown, "table2", tmp_path, latex=True)
    lines = (tmp_path / "table2.tex").read_text().splitlines()
    assert lines[0] == r"\begin{tabular}{llllllll}"
    assert sum(line.endswith(r"\\") for line in lines) == 1 + 6
    assert any(line.startswith("oep & 100.0 [") and "52.0 [38.1, 65.6]" in line for line in lines)


# --- over budgets ---------------------------------------------------------------------------


def strong_above(calls):
    """OEP beats BB-MCTS from so many calls on and loses below; all others draw."""

    def winner(spec):
        if not (side(spec, "oep") and side(spec, "bb-mcts")):
            return DRAW
        many = spec.players[0].budget.fm_calls >= calls
        return side(spec, "oep" if many else "bb-mcts")

    return winner


@pytest.fixture(scope="module")
def moved():
    specs = designs.budgets(size("paper", "budgets", games=20))
    return over_budgets(games(specs, strong_above(300_000)), designs.VARIED_PAIRS, UNIT)


def test_scores_of_every_pair_at_every_budget(moved):
    budgets = [30_000, 100_000, 300_000, 1_000_000, 3_000_000]
    assert sorted(moved[UNIT].unique()) == budgets
    assert (moved["games"] == 20).all()
    assert moved["pair"].nunique() == 5
    assert "bb-mcts against greedy-turn" in set(moved["pair"])
    shares = moved[moved["pair"] == "oep against bb-mcts"].set_index(UNIT)["win %"]
    assert shares.to_dict() == dict(zip(budgets, [0, 0, 100, 100, 100], strict=True))
    others = moved[moved["pair"] != "oep against bb-mcts"]
    assert (others["win %"] == 50).all()


def trends(moved):
    """What the findings say of each pair's trend, and what they say first."""
    (line,) = budget_findings(moved, UNIT)
    first, pairs = line.removesuffix(".").split(": ")
    names = dict.fromkeys(moved["pair"])
    return first, dict(zip(names, pairs.split("; "), strict=True))


def test_findings_tell_a_trend_from_none(moved):
    first, said = trends(moved)
    assert first.endswith("30,000 to 3,000,000 calls a turn, tests corrected for 5 pairs")
    slope = np.polyfit(np.log10([3e4, 1e5, 3e5, 1e6, 3e6]), [0, 0, 100, 100, 100], 1)[0]
    rising, level = said["oep against bb-mcts"], said["bb-mcts against greedy-turn"]
    assert rising.startswith(f"oep against bb-mcts {slope:+.1f} [")
    assert rising.endswith("] (significant)")
    assert level.startswith("bb-mcts against greedy-turn +0.0 [")
    assert level.endswith("] (no trend shown)")


def test_a_trend_is_corrected_for_the_number_of_pairs(moved):
    """A slope whose 95 % interval is above 0 by little counts alone, but not among four."""
    one = moved[moved["pair"] == "oep against bb-mcts"].iloc[[0, -1]].assign(games=100)
    one = one.assign(**{"win %": [50, 64.5], "low": [40, 54.5], "high": [60, 74.5]})
    many = pd.concat([one.assign(pair=f"pair {i}") for i in range(4)])
    assert all(text.endswith("(significant)") for text in trends(one)[1].values())
    assert all(text.endswith("(no trend shown)") for text in trends(many)[1].values())


def test_one_budget_has_no_trend(moved):
    said = trends(moved[moved[UNIT] == 30_000])[1]
    assert all(text.endswith("unknown from one budget") for text in said.values())


# --- other choices --------------------------------------------------------------------------

BY_MEAN, FEWER_TURNS = "best child by mean value", "half as many turns"


def varied(winners, games_a_pair=20, smaller=100_000):
    """Games of every choice; `winners` has what decides those of some, all others are draws."""
    sizes = (
        size("paper", "variations", fm_calls=smaller, games=games_a_pair),
        size("paper", "variations_table2", games=games_a_pair),
    )
    return {
        choice: games(specs, winners.get(choice, wins()))
        for choice, specs in designs.by_choice(*sizes).items()
    }


def choices(winners, **sizes):
    return variation_table(varied(winners, **sizes), designs.VARIED_PAIRS, UNIT)


def of_choice(table, choice, first="bb-mcts", second="greedy-turn", calls=3_000_000):
    at = (table["first"] == first) & (table["second"] == second) & (table[UNIT] == calls)
    (row,) = table[at & (table["choice"] == choice)].to_dict("records")
    return row


def test_a_choice_is_compared_start_by_start():
    """Two starts more are won: the difference knows that the others ended alike."""
    table = choices(
        {
            designs.AS_IN_THE_TABLE: lambda spec: wins(OFF[spec.start > 4])(spec),
            BY_MEAN: lambda spec: wins(OFF[spec.start > 6])(spec),
        }
    )
    row, usual = of_choice(table, BY_MEAN), of_choice(table, designs.AS_IN_THE_TABLE)
    assert (usual["win %"], row["win %"], row["paper %"], row["starts"]) == (50, 70, "73.5", 10)
    expected = mean_interval([0] * 8 + [100, 100])
    assert row["difference"] == pytest.approx(20)
    assert row["±"] == pytest.approx(expected.high - 20)
    assert row["p signed-rank"] == 0.5
    assert np.isnan([usual["difference"], usual["p signed-rank"], usual["p Holm"]]).all()


def test_only_games_that_both_have_are_compared():
    base = match([1, 1, 0, 0], [0, 0, 1, 1])
    other = match([0, 1, 1, 1], [0, 0, 1, 1])
    assert differences_by_start(base, other).tolist() == [0.5, -1]
    assert differences_by_start(base.iloc[1:], other).tolist() == [0, -1]
    assert differences_by_start(base.iloc[2:], other).tolist() == [-1]


def test_the_table_has_a_row_for_each_pair_budget_and_choice():
    table = choices({}, games_a_pair=2)
    assert len(table) == (5 + 3) * 5
    assert table["p Holm"].count() == (5 + 3) * 4
    once = choices({}, games_a_pair=2, smaller=3_000_000)
    assert len(once) == 5 * 5
    assert (once["games"] == 2).all()


def test_findings_follow_the_corrected_differences():
    """BB-MCTS loses all as in the table and wins all by the mean: nearer to 73.5, not to 20."""
    losing = dict.fromkeys(designs.VARIATIONS, wins("oep", "nonexploring-mcts", "greedy-turn"))
    table = choices(losing | {BY_MEAN: wins("bb-mcts", "oep")}, games_a_pair=40)
    assert (table[table["choice"] == FEWER_TURNS]["difference"] == 0).all()
    first, *lines = variation_findings(table, UNIT)
    assert first.startswith("Other choices: 4 of 32 differences")
    said = {line.split(",")[0]: line for line in lines}
    assert len(said) == 4
    closer = said["bb-mcts against greedy-turn at 3"]
    assert closer.startswith("bb-mcts against greedy-turn at 3,000,000 calls a turn, 0.0 % [0.0, ")
    assert "and 73.5 % in the paper: significantly moved by best child by mean value" in closer
    assert "by +100.0 ± 0.0 points to 100.0 %" in closer
    assert "closer to the paper's number" in closer
    assert "further from the paper's number" in said["bb-mcts against nonexploring-mcts at 100"]
    # all its differences are 0: nothing is shown, and that is not said to be equality
    unmoved = first.split(" is shown to move ")[1].removesuffix(".").split(", oep")
    assert [text.split(" at ")[0] for text in unmoved] == [
        "oep against nonexploring-mcts", " against nonexploring-mcts",
        " against greedy-turn", " against greedy-turn",
    ]  # fmt: skip
    assert all(text.endswith("calls a turn (±0 points)") for text in unmoved)


def test_a_difference_that_is_significant_only_by_itself_is_not_reported():
    """Eight starts, all won instead of lost: p is 0.008 alone, and 0.25 among 32."""
    losing = wins("greedy-turn", "oep", "nonexploring-mcts")

    def winner(spec):
        both = side(spec, "bb-mcts") and side(spec, "greedy-turn")
        return side(spec, "bb-mcts") if both else losing(spec)

    winners = dict.fromkeys(designs.VARIATIONS, losing) | {BY_MEAN: winner}
    table = choices(winners, games_a_pair=16)
    row = of_choice(table, BY_MEAN)
    assert row["p signed-rank"] == pytest.approx(2 / 2**8)
    assert row["p Holm"] == pytest.approx(32 * 2 / 2**8)
    (line,) = variation_findings(table, UNIT)
    assert line.startswith("Other choices: 0 of 32")
    assert line.count(" calls a turn (±") == 8


# --- what is played -------------------------------------------------------------------------


@pytest.mark.parametrize("profile", profiles.profile_names())
def test_what_differs_from_the_paper_is_varied_at_the_tables_own_budget(profile):
    of_table, varied_too = (size(profile, name) for name in ("table2", "variations_table2"))
    assert varied_too.budget == of_table.budget
    usual = designs.under_choice(designs.AS_IN_THE_TABLE, varied_too, designs.VARIED_AT_TABLE2)
    assert set(usual) <= set(designs.table2(of_table))
    assert set(usual) < set(designs.variations_table2(varied_too))
    pairs = {frozenset(player.agent for player in spec.players) for spec in usual}
    assert pairs == set(map(frozenset, designs.VARIED_AT_TABLE2))
    assert frozenset(OFF) in pairs


def test_a_choice_sets_options_or_the_game():
    small = size("smoke", "variations")
    by_mean, fewer = (designs.under_choice(name, small, [OFF]) for name in (BY_MEAN, FEWER_TURNS))
    options = {p.agent: json.loads(p.options) for spec in by_mean for p in spec.players}
    assert options["bb-mcts"]["final"] == "value"
    assert "final" not in options["greedy-turn"]
    assert {spec.config.turn_limit for spec in fewer} == {designs.ROUNDS}
