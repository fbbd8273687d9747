"""Every claim has a judge, judges follow the data, and the page says what they found."""

from __future__ import annotations

import json

import pandas as pd
import pytest
from experiment_run import tiny_games
from made_up import (
    CLAIMS,
    DRAW,
    NAMES,
    found,
    games,
    printed_table2,
    results,
    side,
    wins,
)

from heroacademy.agents.base import Budget
from heroacademy.agents.registry import make_agent
from heroacademy.analysis import branching
from heroacademy.analysis.claims import page
from heroacademy.analysis.claims.findings import JUDGES
from heroacademy.analysis.claims.results import Results, stored_results
from heroacademy.config import GameConfig
from heroacademy.experiments import designs, enhancements, runner
from heroacademy.experiments.profiles import size
from heroacademy.experiments.runner import frame, obtain, stored
from heroacademy.state import new_game
from heroacademy.statistics import AGREES, DISAGREES, UNDECIDED

ARITHMETIC = {
    "table2-significance": AGREES,
    "table3-percentage": DISAGREES,
    "complexity-state-space": DISAGREES,
}


# --- all of them ----------------------------------------------------------------------------


def test_every_claim_has_a_judge():
    assert set(JUDGES) == set(CLAIMS)
    assert found("table3-people").verdict == page.NOT_TESTABLE


def test_without_results_nothing_is_measured_and_nothing_is_played(tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "default_results", lambda: pytest.fail("played"))
    table = page.claims_table(stored_results("smoke", tmp_path)).set_index("id")
    measured = table[~table["verdict"].isin([page.NOT_MEASURED, page.NOT_TESTABLE])]
    assert measured["verdict"].to_dict() == ARITHMETIC
    assert (table["measured"] != "").all()
    assert list(tmp_path.iterdir()) == []


def test_what_is_stored_is_used_even_if_it_is_a_part(tmp_path):
    asked = tiny_games(4)
    obtain(asked[1:3], tmp_path, lambda specs: ((s, s.run()) for s in specs), progress=False)
    assert list(stored(asked, tmp_path)["key"]) == [spec.key for spec in asked[1:3]]


# --- Table II and Table III -----------------------------------------------------------------


def table2(winner, games_a_pair=100):
    return games(designs.table2(size("paper", "table2", games=games_a_pair)), winner)


def by_strength(spec):
    """The stronger agent by the paper wins."""
    strong = ("nonexploring-mcts", "oep", "bb-mcts", "greedy-turn", "greedy-action", "vanilla-mcts")
    return wins(*strong)(spec)


@pytest.mark.parametrize(
    ("claim", "winner", "expected"),
    [
        ("table2-random", by_strength, AGREES),
        ("table2-random", wins("random"), DISAGREES),
        ("table2-random", wins("oep", "random"), DISAGREES),
        ("table2-nonexploring-best", by_strength, AGREES),
        ("table2-nonexploring-best", wins("oep"), DISAGREES),
        ("table2-nonexploring-best", wins(), UNDECIDED),
        ("table2-nonexploring-oep", wins(), AGREES),
        ("table2-nonexploring-oep", by_strength, DISAGREES),
        ("table2-nonexploring-oep", wins("oep"), AGREES),
        ("table2-nonexploring-bb", wins(), AGREES),
        ("table2-oep-bb", by_strength, DISAGREES),
        ("table2-vanilla-greedy-action", wins(), AGREES),
        ("table2-constrained-vanilla", by_strength, AGREES),
        ("table2-constrained-vanilla", wins("bb-mcts"), DISAGREES),
        ("table2-oep-vanilla", by_strength, AGREES),
        ("table2-strong-greedy-turn", by_strength, AGREES),
        ("table2-strong-greedy-turn", wins("greedy-turn"), DISAGREES),
        ("table2-pairs", by_strength, DISAGREES),
    ],
)
def test_table2(claim, winner, expected):
    assert found(claim, table2=table2(winner)).verdict == expected


def test_few_games_leave_claims_undecided():
    few = table2(wins(), games_a_pair=10)
    assert found("table2-oep-bb", table2=few).verdict == UNDECIDED
    assert "(10 games)" in found("table2-oep-bb", table2=few).measured


def test_a_part_without_games_leaves_a_claim_open():
    played = table2(by_strength)
    without = played[(played["agent1"] != "bb-mcts") & (played["agent2"] != "bb-mcts")]
    finding = found("table2-constrained-vanilla", table2=without)
    assert finding.verdict == UNDECIDED
    assert "bb-mcts no games" in finding.measured
    assert found("table2-oep-bb", table2=without).verdict == page.NOT_MEASURED


def test_the_papers_own_numbers_agree():
    finding = found("table2-pairs", table2=table2(printed_table2))
    assert finding.verdict == AGREES
    assert "0 of 21 differ" in finding.measured
    assert "for 21 no difference is found, 0 open" in finding.measured


def test_one_open_pair_leaves_the_printed_numbers_open():
    """OEP, printed 52 % against BB-MCTS, wins 66 % of the games."""

    def winner(spec):
        if side(spec, "oep") and side(spec, "bb-mcts"):
            return side(spec, "bb-mcts" if spec.start % 3 == 0 else "oep")
        return printed_table2(spec)

    finding = found("table2-pairs", table2=table2(winner))
    assert finding.verdict == UNDECIDED
    assert "for 20 no difference is found, 1 open" in finding.measured


# --- searches -------------------------------------------------------------------------------


def searches(outcomes, positions=20):
    """Searches with numbers of unique outcomes by agent; OEP is done after a fifth."""
    specs = designs.searches(size("paper", "characteristics", positions=positions), list(outcomes))
    curve = json.dumps([(10, 1.0), (20, 2.0), (100, 2.0)])
    rows = []
    for spec in specs:
        stats = {"unique_outcomes": outcomes[spec.player.agent] + spec.position}
        rows.append(spec.columns() | {"stats": json.dumps(stats), "curve": curve})
    return frame(rows)


@pytest.mark.parametrize(("outcomes", "expected"), [(9300, AGREES), (20_000, DISAGREES)])
def test_numbers_of_searches(outcomes, expected):
    finding = found("search-outcomes-oep", characteristics=searches({"oep": outcomes}))
    assert finding.verdict == expected
    assert finding.games == 20


def test_one_position_has_no_interval():
    one = searches({"oep": 9344}, positions=1)
    assert found("search-outcomes-oep", characteristics=one).verdict == UNDECIDED
    assert found("search-oep-converges", characteristics=one).verdict == UNDECIDED


def test_numbers_of_another_budget_are_not_compared():
    some = results(characteristics=searches({"oep": 9344}))
    smaller = size("quick", "characteristics")
    some = Results({**some.sizes, "characteristics": smaller}, some.tables, some.asked, {})
    finding = page.judge(CLAIMS["search-outcomes-oep"], some)
    assert finding.verdict == page.NOT_MEASURED
    assert "3,000,000 calls a turn; this profile has 300,000" in finding.measured


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ((500_000, 9000, 200), AGREES),
        ((500_000, 200, 9000), DISAGREES),
        ((900, 800, 10), DISAGREES),
    ],
)
def test_order_of_outcomes(outcomes, expected):
    named = dict(zip(("greedy-turn", "oep", "vanilla-mcts"), outcomes, strict=True))
    assert found("search-outcomes-order", characteristics=searches(named)).verdict == expected


@pytest.mark.parametrize(("last", "expected"), [(20, AGREES), (90, DISAGREES)])
def test_convergence(last, expected):
    """OEP finds its best plan after 10 of 100 calls in half of the positions, later in others."""
    searched = searches({"oep": 10})
    curves = [json.dumps([(10, 1.0), (late, 2.0), (100, 2.0)]) for late in (last, last + 1)]
    finding = found("search-oep-converges", characteristics=searched.assign(curve=curves * 10))
    assert finding.verdict == expected
    assert f"within {last} % [{last}, {last + 1}] of the budget (20 positions)" in finding.measured


@pytest.mark.parametrize(("count", "expected"), [(3_700, AGREES), (9_000, DISAGREES)])
def test_numbers_that_only_tell_of_the_conversion_say_so(count, expected):
    searched = searches({"oep": 9344})
    stats = [json.dumps({"generations": count + i, "unique_outcomes": 9344 + i}) for i in range(20)]
    table = searched.assign(stats=stats)
    finding = found("search-generations", characteristics=table)
    assert finding.verdict == expected
    assert finding.measured.endswith("; only tells how 500,000 calls stand for a second")
    assert "calls" not in found("search-outcomes-oep", characteristics=table).measured


@pytest.mark.parametrize(
    ("winner", "expected"), [("draw", AGREES), ("small", DISAGREES), ("large", DISAGREES)]
)
def test_a_tenth_of_the_budget(winner, expected):
    def winner_of(spec):
        calls = [player.budget.fm_calls for player in spec.players]
        places = {"draw": DRAW, "small": 1 + calls.index(300_000)}
        return places.get(winner, 1 + calls.index(3_000_000))

    played = games(designs.tenth_budget(size("paper", "tenth_budget")), winner_of)
    finding = found("search-oep-budget", tenth_budget=played)
    assert finding.verdict == expected
    assert finding.measured.startswith({"draw": "50", "small": "100", "large": "0"}[winner])


# --- the size of the game -------------------------------------------------------------------


@pytest.fixture
def choices(monkeypatch):
    """Sets how many choices every decision has."""

    def each(number):
        def decisions(some):
            rows = [
                (game, turn, row[f"agent{1 + turn % 2}"], number + game % 2)
                for game, row in enumerate(some.to_dict("records"))
                for turn in range(80)
                for _ in range(5)
            ]
            return pd.DataFrame(rows, columns=["game", "turn", "agent", "choices"])

        monkeypatch.setattr(branching, "decisions", decisions)

    return each


@pytest.mark.parametrize(
    ("number", "claim", "expected"),
    [
        (60, "complexity-branching", AGREES),
        (40, "complexity-branching", DISAGREES),
        (60, "complexity-turn", AGREES),
        (10, "complexity-turn", DISAGREES),
        (60, "complexity-game-tree", AGREES),
        (10, "complexity-game-tree", DISAGREES),
        (35, "complexity-branching-range", AGREES),
        (20, "complexity-branching-range", DISAGREES),
        (35, "complexity-branching-mcts", AGREES),
        (50, "complexity-branching-mcts", DISAGREES),
    ],
)
def test_sizes(choices, number, claim, expected):
    choices(number)
    table = {
        "table2": table2(wins(), games_a_pair=6),
        "complexity": games(designs.complexity(size("paper", "complexity", games=6)), wins()),
    }
    assert found(claim, **table).verdict == expected


@pytest.mark.parametrize(("turns", "expected"), [(80, AGREES), (50, DISAGREES)])
def test_rounds(turns, expected):
    played = games(designs.complexity(size("paper", "complexity", games=6)), wins(), turns)
    assert found("complexity-rounds", complexity=played).verdict == expected


def test_choices_are_counted_in_the_game_as_it_was_played():
    config = GameConfig(turn_limit=4, first_turn_points=5)
    pair = (make_agent("greedy-action"), make_agent("random"))
    (spec, _) = designs.paired_games(config, [pair], Budget(fm_calls=50), 2)
    played = frame([spec.run()])
    every = branching.decisions(played)
    assert every.groupby("turn").size().to_dict() == dict.fromkeys((1, 2, 3, 4), 5)
    assert list(every["agent"].unique()) == ["greedy-action", "random"]
    state = new_game(config, spec.seed)
    assert every["choices"][0] == len(state.legal_actions())
    assert every["pruned"][0] == len(state.legal_actions(pruned=True))
    table = branching.agents_table(played)
    assert list(table["games"]) == [1, 1]


# --- the page -------------------------------------------------------------------------------


def test_the_page_is_the_same_for_the_same_data(choices):
    choices(40)
    some = results(table2=table2(by_strength, games_a_pair=4))
    table = page.claims_table(some)
    text = page.page(table, some, "paper")
    assert text == page.page(page.claims_table(some), some, "paper")
    assert f"**Of {len(CLAIMS)} claims {page.tally(table)}.**" in text
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert len(rows) == len(CLAIMS) + 3 + len(NAMES) + 1  # and the tables' headers
    assert {line.count("|") for line in rows} == {7, 5}
    assert "[01_table2](README.md#01_table2)" in text


@pytest.mark.parametrize(
    ("winner", "random", "oep"),
    [
        (by_strength, "**agrees**", "**disagrees**"),
        (wins("random"), "**disagrees**", "**agrees**"),  # all other games are draws
    ],
)
def test_the_page_shows_what_was_found(choices, winner, random, oep):
    choices(40)
    some = results(table2=table2(winner, games_a_pair=40))
    rows = page.page(page.claims_table(some), some, "paper").splitlines()
    cells = {row.split(" | ")[0].removeprefix("| "): row.split(" | ") for row in rows}
    beaten, level = (cells[CLAIMS[name].text] for name in ("table2-random", "table2-oep-bb"))
    assert (beaten[2], level[2]) == (random, oep)
    measured = found("table2-oep-bb", table2=some.tables["table2"])
    assert level[3:5] == [measured.measured, measured.rule]


@pytest.mark.parametrize(
    ("winner", "said"), [(wins("oep"), "Disagrees"), (by_strength, "Agrees"), (wins(), None)]
)
def test_findings_name_what_is_decided(choices, winner, said):
    choices(40)
    table = page.claims_table(results(table2=table2(winner, games_a_pair=40)))
    lines = page.findings(table).splitlines()
    assert lines[0] == f"- Of {len(CLAIMS)} claims {page.tally(table)}."
    best = CLAIMS["table2-nonexploring-best"].text
    told = [line.split(":")[0] for line in lines if best in line]
    assert told == ([f"- {said}"] if said else [])
    decided = table["verdict"].isin((AGREES, DISAGREES)).sum()
    assert f"<summary>What is decided ({decided}), in brief</summary>" in lines


def test_what_never_acts_is_not_testable_by_any_number_of_games():
    played = games(enhancements.tree_reuse(size("paper", "tree_reuse", games=4)), wins())
    claim = "enhancements-tree-reuse"
    assert found(claim, tree_reuse=played).verdict == UNDECIDED
    equal = played.assign(moves=played["start"].astype(str))
    reuse = found(claim, tree_reuse=equal)
    assert reuse.verdict == page.NOT_TESTABLE
    assert reuse.measured.startswith(
        "factor 0.4, 2 and 3 and 5 AP, nonexploring-mcts: never acted in 12 games"
    )
    few = played.assign(stats1='{"reused_nodes": 3, "nodes": 400}')
    hardly = found(claim, tree_reuse=few)
    assert hardly.verdict == page.NOT_TESTABLE
    assert hardly.measured.endswith("3 of 400 nodes are kept a turn")
    some = played.assign(stats1='{"reused_nodes": 5, "nodes": 400}')
    assert found(claim, tree_reuse=some).verdict == UNDECIDED


def test_a_notebook_judges_its_own_claims_by_what_it_has_at_hand(choices):
    choices(40)
    at_hand = size("paper", "table2", games=40)
    text = page.about("01_table2", Results.of(table2=(at_hand, table2(wins("oep"), 40))))
    own = [claim for claim in CLAIMS.values() if claim.notebook == "01_table2"]
    first, *lines = text.splitlines()
    assert first.startswith(f"- Of {len(own)} claims of the papers ")
    told = [line for line in lines if line.startswith("- ")]
    decided = {claim.text: found(claim.id, table2=table2(wins("oep"), 40)) for claim in own}
    expected = [text for text, one in decided.items() if one.verdict in (AGREES, DISAGREES)]
    assert sorted(line.split(": ", 1)[1].split(". ")[0] + "." for line in told) == sorted(expected)
    assert [line.split(":")[0] for line in told] == sorted(
        (line.split(":")[0] for line in told), reverse=True
    )  # what disagrees comes first
    assert "- Disagrees: Non-exploring MCTS is the best of the seven agents. -" in text  # Elo
    longest = max(len(claim.text) for claim in own)
    assert max(map(len, told)) <= len("- Disagrees:  ") + longest + page.BRIEF
    assert lines[:2] == ["", "<details>"]
    assert lines[-1] == "</details>"
    assert text.endswith("\n")  # what follows is a list again
    nothing = page.about("05_fh_emcts", Results.of())
    assert nothing == "- None of the papers' claims can be judged by these results."
