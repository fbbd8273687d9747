"""The experiments beyond the papers: enhancements of MCTS, the league, and their claims."""

import pytest
from made_up import FIRST, SECOND, found, games, wins

from heroacademy.agents.horizon import PAPER_HORIZONS
from heroacademy.agents.registry import agent_names, make_agent
from heroacademy.analysis import enhancements as enhancement_tables
from heroacademy.analysis import league as league_tables
from heroacademy.experiments import enhancements, league
from heroacademy.experiments.adaptive import games_to_come
from heroacademy.experiments.designs import NEW_AGENTS
from heroacademy.experiments.profiles import size, speeds
from heroacademy.experiments.store import Store
from heroacademy.experiments.tuning import best_arm
from heroacademy.statistics import AGREES, DISAGREES, UNDECIDED


def stronger(*options):
    """Whoever has one of the options on wins; the other way round if both or none have."""

    def winner(spec):
        has = [any(f'"{o}"' in p.changed_options for o in options) for p in spec.players]
        if has[0] == has[1]:
            return FIRST if spec.start % 2 else SECOND
        return FIRST if has[0] else SECOND

    return winner


def mixed(first, spec):
    """A player wins every other start, whichever side it plays."""
    return first if spec.start % 2 else 3 - first


# --- enhancements ---------------------------------------------------------------------------


def test_each_enhancement_is_played_alone_and_all_eight_together():
    alone = {names[0] for names in enhancements.COMBINATIONS.values() if len(names) == 1}
    assert alone == set(enhancements.ENHANCEMENTS)
    assert len(enhancements.COMBINATIONS[enhancements.ALL]) == 8
    for base in enhancements.MCTS_AGENTS:
        plain = vars(make_agent(base))
        for label, (agent, other) in enhancements.pairs(base).items():
            changed = {key for key, value in vars(agent).items() if plain[key] != value}
            wanted = [enhancements.ENHANCEMENTS[n] for n in enhancements.COMBINATIONS[label]]
            assert changed == {key for options in wanted for key in options}
            assert vars(other) == plain


def test_every_combination_has_its_row():
    small = size("smoke", "enhancements", games=4)
    table = enhancement_tables.scores(games(enhancements.enhancements(small), stronger("novelty")))
    assert (table["games"] == 4).all()
    rows = table.set_index(["base", "enhancement"])["win %"]
    assert len(rows) == 3 * len(enhancements.COMBINATIONS)
    for base in enhancements.MCTS_AGENTS:
        assert rows[base, "novelty-based pruning"] == rows[base, enhancements.ALL] == 100
        assert rows[base, "loss avoidance"] == 50


def test_the_best_combination_is_what_wins_on_the_tunings_starts():
    asked = []

    def play(specs):
        asked.extend(specs)
        return games(specs, stronger("mixmax", "ngrams"))

    tuned = size("smoke", "best_enhancements", first_games=4, games=8, report_games=8)
    chosen = enhancements.choose(tuned, play)
    for choice in chosen.values():
        assert choice.combinations[enhancements.HELPFUL] == (
            "n-gram selection",
            "deterministic game detection",
        )
        assert {"n-gram selection", "deterministic game detection"} & set(choice.names)
        assert [one.games for one in choice.rounds] == [4, 8]
    assert {spec.starts for spec in asked} == {"tune", "report"}
    published = [spec for spec in asked if spec.starts == "report"]
    assert set(published) == set(enhancements.best_games(tuned, chosen))
    report = enhancement_tables.best(games(published, stronger("mixmax", "ngrams")), chosen)
    assert list(report["win %"]) == [100] * 9
    text = enhancement_tables.findings(
        enhancement_tables.scores(games(enhancements.enhancements(tuned), stronger())),
        chosen,
        report,
    )
    lines = text.splitlines()
    assert len(lines) == len(enhancements.RIVALS) + len(chosen) + 1
    assert lines[0].count("(8 games), no significant difference shown (p = ") == len(chosen)
    assert all("no enhancement is shown to make a difference" in line for line in lines[2:5])
    assert lines[-1].startswith("- Best of 15 combinations")


def test_games_to_come_are_known_without_playing(tmp_path):
    tuned = size("smoke", "best_enhancements")
    expected = games_to_come(enhancements.choose, tuned, Store(tmp_path))
    assert len(expected) > 100
    assert list(tmp_path.iterdir()) == []


ENHANCED = "enhancements"


@pytest.mark.parametrize(
    ("claim", "options", "expected"),
    [
        ("enhancements-all", ["tree_reuse"], AGREES),
        ("enhancements-all", [], DISAGREES),
        ("enhancements-la", ["loss_avoidance"], AGREES),
        ("enhancements-nbp", ["loss_avoidance"], UNDECIDED),
        ("enhancements-ph-nst", ["ngrams"], AGREES),
        ("enhancements-ph-nst-alone", ["ngrams"], DISAGREES),
        ("enhancements-ph-nst-alone", ["mixmax"], AGREES),
        ("enhancements-bfti", ["breadth_first"], DISAGREES),
        ("enhancements-dgd", ["mixmax"], AGREES),
        ("enhancements-most", ["novelty", "knowledge", "mixmax", "ngrams", "tree_reuse"], AGREES),
        ("enhancements-most", ["novelty"], UNDECIDED),
        ("enhancements-kbe-largest", ["knowledge"], AGREES),
        ("enhancements-kbe-largest", ["novelty"], DISAGREES),
    ],
)
def test_claims_about_enhancements(claim, options, expected):
    def winner(spec):
        if not options:  # whoever has nothing on
            return SECOND if "novelty" in spec.players[0].changed_options else FIRST
        return stronger(*options)(spec)

    played = games(enhancements.enhancements(size("paper", ENHANCED)), winner)
    assert found(claim, enhancements=played).verdict == expected


def test_tree_reuse_is_judged_where_turns_are_short():
    specs = enhancements.tree_reuse(size("paper", "tree_reuse"))
    assert {spec.config.action_points for spec in specs} == {2, 3, 5}
    played = games(specs, stronger("tree_reuse")).assign(stats1="{}", stats2='{"reused_nodes": 7}')
    assert found("enhancements-tree-reuse", tree_reuse=played).verdict == AGREES
    table = enhancement_tables.reuse(played)
    assert len(table) == 3 * 3 * 3
    assert (table["win %"] == 100).all()
    assert (table["nodes kept a turn"] == 7).all()


def test_how_often_enhancements_acted_is_told_where_it_can_be():
    played = games(enhancements.enhancements(size("paper", ENHANCED)), wins("bb-mcts"))
    stats = '{"losses_avoided": 2, "not_novel": 3}'
    table = enhancement_tables.scores(played.assign(stats1=stats)).set_index("enhancement")
    acted = table["acted a turn"].groupby(level=0).first()
    assert acted["loss avoidance"] == 2
    assert acted["novelty-based pruning"] == 3
    assert table.loc["tree reuse", "acted a turn"].isna().all()
    assert table.loc["all eight", "acted a turn"].isna().all()


def test_what_constraint_and_detection_do_with_all_eight():
    played = games(enhancements.enhancements(size("paper", ENHANCED)), stronger("mixmax"))
    table = enhancement_tables.together(played)
    assert list(table["win %"]) == [100, 100, 100, 50]
    assert set(table["games"]) == {100}


# --- the league -----------------------------------------------------------------------------


def test_everyone_meets_everyone():
    small = size("smoke", "league")
    played = games(league.league(small), lambda spec: FIRST)
    table = league_tables.ratings_over(played)
    assert set(table["agent"]) == set(agent_names())
    others = len(agent_names()) - 1
    assert (table["games"] == small.games * others).all()
    assert set(table["action_points"]) == set(small.action_points)
    assert table["Elo"].abs().max() < 1e-6  # all are first as often as second


def test_equal_time_is_calls_by_speed():
    for spec in league.equal_time(size("smoke", "equal_time")):
        for player in spec.players:
            seconds = size("smoke", "equal_time").budget.seconds
            assert player.budget.fm_calls == round(speeds()[player.agent] * seconds)
    idle = {"random", "greedy-action"}  # never use up a budget
    assert set(speeds()) == set(agent_names()) - idle


def test_the_champion_is_found_on_one_set_of_starts_and_measured_on_another():
    best = list(league.CONTENDERS)[1]
    asked = []

    def play(specs):
        asked.extend(specs)
        return games(specs, winner)

    def winner(spec):
        wanted = league.Player.of(league.contender(best), spec.players[0].budget)
        return spec.players.index(wanted) + 1 if wanted in spec.players else mixed(FIRST, spec)

    small = size("smoke", "contenders")
    rounds = league.find_champion(small, play)
    assert best_arm(rounds) == best
    assert {spec.starts for spec in asked} == {"tune", "confirm"}
    report = league_tables.champion_table(games(league.champion_games(small, best), winner), best)
    itself = ["itself without the model", "itself without the reply"]
    assert list(report["second"]) == [*league.PANEL, "fh-emcts, h = 7", *itself]
    assert list(report["win %"]) == [100] * 5
    assert set(league_tables.tuning(rounds)["contender"]) == set(league.CONTENDERS)
    of_all = games(league.league(size("smoke", "league")), lambda spec: FIRST)
    flexible = league_tables.fh_oep(games(league.fh_oep(size("smoke", "fh_oep")), wins()))
    text = league_tables.findings(of_all, of_all, flexible, rounds, report)
    assert f"- {best}, the best of {len(league.CONTENDERS)} configurations" in text
    assert f"against {league.PANEL[0]} 100.0 %" in text
    assert "flexible horizon: no significant difference from 50 % shown" in text
    assert len(text.splitlines()) == of_all["action_points"].nunique() + 4


def test_the_champion_without_an_idea_is_otherwise_the_same():
    name, options = league.CONTENDERS["ntboe, exploration 0.03"]
    rivals = league.champion_rivals("ntboe, exploration 0.03")
    champion = vars(make_agent(name, **options))
    assert vars(rivals["itself without the model"]) == champion | {"neighbours": 1}
    assert vars(rivals["itself without the reply"]) == champion | {"horizon": None}
    assert rivals["fh-emcts, h = 7"] == make_agent("fh-emcts", horizon=7)
    assert list(league.champion_rivals("co-oep")) == [*league.PANEL, "fh-emcts, h = 7"]


def test_a_leader_and_who_is_close():
    def winner(spec):
        names = [player.agent for player in spec.players]
        for name in ("ntboe", "fh-oep"):  # who wins all, and who loses only to it half the time
            if name in names and set(names) != {"ntboe", "fh-oep"}:
                return names.index(name) + 1
        return mixed(FIRST, spec)

    played = games(league.league(size("smoke", "league", games=20, action_points=[5])), winner)
    text = league_tables.leader(played)
    assert "not shown to be behind: " in text
    assert text.split(";")[0] in ("ntboe leads", "fh-oep leads")
    assert text.count("Elo behind") == 1
    table = league_tables.ours_against(played)
    assert list(table["pair"]) == [f"{name} against fh-emcts" for name in NEW_AGENTS]
    assert list(table["win %"]) == [100, 50, 100]


def test_speeds_are_those_of_all_games():
    played = games(league.league(size("smoke", "league", games=2, action_points=[5])), wins())
    played = played.assign(calls1=300, took1=0.1, calls2=100, took2=0.1)
    table = league_tables.speeds(played)
    assert (table["games"] == 2 * (len(agent_names()) - 1)).all()
    assert table["ms a turn"].to_numpy() == pytest.approx(1000 * 0.1 / 20)
    assert table["calls a second"].to_numpy() == pytest.approx(2000)


def test_fh_oep_has_the_horizons_of_fh_emcts():
    """And meets the reply with all else equal, where that is another horizon."""
    for points, reply in [(2, 4), (5, 10), (10, 20)]:
        pairs = league.fh_oep_pairs(points)
        flexible, rival = pairs.pop("fh-oep, paper's horizon, against fh-emcts")
        paper = PAPER_HORIZONS[points]
        assert [league.plan_length(a, points) for a in (flexible, rival)] == [paper, paper]
        ours, _ = pairs.pop("fh-oep against fh-emcts")
        assert league.plan_length(ours, points) == reply
        assert len(pairs) == (paper != reply)
        for one, other in pairs.values():
            assert vars(one) | {"horizon": "reply"} == vars(other)


def test_fh_oep_over_action_points():
    played = games(league.fh_oep(size("smoke", "fh_oep")), wins("fh-oep"))
    table = league_tables.fh_oep(played)
    assert list(table["action_points"]) == [2, 2, 2, 5, 5]
    assert list(table["h first"]) == [15, 4, 15, 10, 10]
    assert list(table["h second"]) == [15, 15, 4, 10, 10]
    assert list(table["win %"][:2]) == [100, 100]
