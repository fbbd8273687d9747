"""The notebooks run with papermill, make what they say and follow their parameters."""

import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pandas as pd
import pytest
from test_project import NOTEBOOKS, ROOT

from heroacademy import paper
from heroacademy.experiments.runner import PROCESSES_VARIABLE
from heroacademy.figures import COMMAND_VARIABLE

# What each notebook makes; a picture is an SVG and a PNG, a table a CSV and Markdown.
PICTURES = {
    "00_tour": ["board", "plan"],
    "01_table2": ["table2", "ratings", "budgets"],
    "02_figure5": ["figure5", "figure5_value", "first_player"],
    "03_horizon_tuning": ["horizon_landscape"],
    "04_search_characteristics": ["anytime", "oep_convergence"],
    "05_fh_emcts": ["figure6", "figure7", "figure7_emcts"],
    "06_complexity": ["branching"],
    "07_mcts_enhancements": ["enhancements"],
    "08_league": ["league", "league_time"],
    "09_claims": [],
}
TABLES = {
    "00_tour": [],
    "01_table2": ["table2", "table2_pairs", "ratings", "budgets", "variations"],
    "02_figure5": ["figure5", "figure5_value", "first_player", "first_player_full", "figure5_full"],
    "03_horizon_tuning": ["horizons", "horizon_landscape"],
    "04_search_characteristics": [
        "search_characteristics",
        "search_characteristics_paper",
        "anytime",
        "oep_convergence",
        "tenth_budget",
    ],
    "05_fh_emcts": ["figure6", "figure7", "figure7_emcts"],
    "06_complexity": ["complexity", "complexity_paper", "branching_agents"],
    "07_mcts_enhancements": [
        "enhancements",
        "enhancements_together",
        "enhancements_reuse",
        "enhancements_tuning",
        "enhancements_best",
    ],
    "08_league": [
        "league",
        "league_speed",
        "league_ours",
        "league_time",
        "league_time_speed",
        "fh_oep",
        "contenders",
        "champion",
    ],
    "09_claims": [],
}
# What some pictures have to say: whose numbers these are, of how many games, at which budget.
SHOWN = {
    "table2": ["win % of the row", "2 games a pair, 300 calls a turn", "paper 51.5"],
    "budgets": ["win % of the first of each pair", "2 games a point", "oep against bb-mcts"],
    "figure5": ["win % of OEP", "2 games a point, 300 calls a turn", "OEP against bb-mcts"],
    "figure5_value": ["win % of OEP", "2 games a point, 300 calls a turn"],
    "first_player": ["win % of player 1", "6 games a point, 300 calls a turn"],
    "horizon_landscape": [
        "win % (games), 300 calls a turn",
        "best in our tuning",
        "the paper's best",
    ],
    "anytime": ["2 positions; bars are 95 % intervals, grey lines the other agents", "fh-emcts"],
    "oep_convergence": ["generations", "2 positions a point, up to 3,001 calls"],
    "figure6": ["win % of FH-EMCTS", "both, against EMCTS", "2 games a point, 300 calls a turn"],
    "figure7": ["win % of FH-EMCTS", "against emcts", "2 games a point, 300 calls a turn"],
    "figure7_emcts": ["win % of EMCTS", "against greedy-oep"],
    "branching": ["legal", "after pruning", "choices an action"],
    "enhancements": ["2 games a point, 200 calls a turn", "tree reuse", "bb-mcts"],
}
LAST = "09_claims"  # it reads what the others have stored


MAKE = {COMMAND_VARIABLE: "make figures PROFILE=smoke"}


def execute(name, folder, variables=MAKE, **parameters):
    """Run a notebook as make does, with the smallest sizes; returns the path of the result."""
    output = folder / f"{name}.ipynb"
    dirs = {"data_dir": folder / "data", "figures_dir": folder / "figures"}
    if name == "00_tour":
        del dirs["data_dir"]
    arguments = []
    for key, value in ({"profile": "smoke"} | dirs | parameters).items():
        arguments += ["-y", f"{key}: {value}"]
    subprocess.run(
        [sys.executable, "-m", "papermill", "--cwd", str(ROOT), "--kernel", "python3",
         "--no-progress-bar", str(ROOT / "notebooks" / f"{name}.ipynb"), str(output), *arguments],
        check=True, capture_output=True, text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT), PROCESSES_VARIABLE: "1"} | variables,
    )  # fmt: skip
    return output


def printed(path):
    """Texts that the cells of an executed notebook print or show."""
    cells = json.loads(path.read_text())["cells"]
    outputs = [o for cell in cells for o in cell.get("outputs", [])]
    texts = [o.get("text", o.get("data", {}).get("text/plain", "")) for o in outputs]
    texts += [o.get("data", {}).get("text/markdown", "") for o in outputs]
    return "\n".join("".join(text) for text in texts)


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    """All notebooks, executed two at a time, and the folder with what they made."""
    folder = tmp_path_factory.mktemp("smoke")
    names = [path.stem for path in NOTEBOOKS if path.stem != LAST]
    with ThreadPoolExecutor(2) as pool:
        paths = dict(zip(names, pool.map(lambda name: execute(name, folder), names), strict=True))
    return folder, paths | {LAST: execute(LAST, folder)}


def test_every_notebook_is_listed():
    assert [path.stem for path in NOTEBOOKS] == list(PICTURES) == list(TABLES)


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_appear(name, executed):
    for picture in PICTURES[name]:
        for ending in ("svg", "png"):
            assert (executed[0] / "figures" / f"{picture}.{ending}").stat().st_size > 8_000
        svg = (executed[0] / "figures" / f"{picture}.svg").read_text()
        assert set(SHOWN.get(picture, [])) <= set(re.findall("<!-- (.*?) -->", svg))  # its texts


@pytest.mark.parametrize("name", TABLES)
def test_tables_appear_and_are_not_empty(name, executed):
    for table in TABLES[name]:
        path = executed[0] / "figures" / table
        frame = pd.read_csv(path.with_suffix(".csv"))
        assert len(frame) > 0
        assert not frame.get("win %", pd.Series([0])).isna().any()
        assert len(path.with_suffix(".md").read_text().splitlines()) == len(frame) + 2


def test_the_table_for_a_paper_is_written(executed):
    text = (executed[0] / "figures" / "table2.tex").read_text()
    assert "nonexploring-mcts & 100.0 [" in text


def test_the_index_shows_everything(executed):
    page = (executed[0] / "figures" / "README.md").read_text()
    for name in PICTURES:
        for picture in PICTURES[name]:
            assert re.search(rf"!\[[^]]+\]\({picture}\.png\)", page)
        for table in TABLES[name]:
            assert (executed[0] / "figures" / f"{table}.md").read_text() in page
    assert "make figures PROFILE=smoke" in page
    assert "run by hand" not in page
    headings = re.findall(r"^##+ (.*)$", page, re.M)
    assert len(headings) == len(set(headings))  # or links would lead to the first of equals


def test_captions_count_what_was_played(executed):
    """Where that is not the number of games of the profile."""
    page = (executed[0] / "figures" / "README.md").read_text()
    sizes = dict(re.findall(r"^### (\w+)\n\n.*\. (.*)\.$", page, re.M))
    assert sizes["first_player"] == "6 games a row, 300 calls a turn"
    assert sizes["horizon_landscape"] == "2 to 4 games a row, 300 calls a turn"
    assert sizes["contenders"] == "4 to 8 games a row, 200 calls a turn"
    assert sizes["champion"] == "4 games a row, 200 calls a turn"
    assert sizes["oep_convergence"] == "2 positions a row, 3,000 calls a turn and parts of it"
    assert "calls that stand for 0.0003 s a turn." in page
    assert "0.0003 s a turn, in calls by" in (executed[0] / "figures" / "claims.md").read_text()


@pytest.mark.parametrize("name", [name for name in TABLES if TABLES[name]])
def test_findings_stand_on_the_page(name, executed):
    """As the notebook shows them in its last cell."""
    page = (executed[0] / "figures" / "README.md").read_text()
    found = re.search(rf"^## {name}\n\n\*\*Findings\*\*\n\n(.*?)\n\n### ", page, re.S | re.M)[1]
    assert found.startswith("- ")
    last = json.loads(executed[1][name].read_text())["cells"][-1]
    (output,) = last["outputs"]
    assert "".join(output["data"]["text/markdown"]) == found


def test_findings_follow_from_the_data(executed):
    text = printed(executed[1]["01_table2"])
    assert "of 21 differ from the printed numbers" in text


def test_the_claims_read_what_the_others_stored(executed, tmp_path):
    """Nothing is played for them, all stored games are found, and the page is the same again."""
    folder = executed[0]
    before = {p: p.read_bytes() for p in (folder / "data").rglob("*.csv")}
    execute(LAST, folder, figures_dir=tmp_path)
    assert {p: p.read_bytes() for p in (folder / "data").rglob("*.csv")} == before
    for name in ("claims.md", "claims.csv"):
        assert (tmp_path / name).read_bytes() == (folder / "figures" / name).read_bytes()
    text = (tmp_path / "claims.md").read_text()
    rows = re.findall(r"^\| [^|]+ \| .* calls a turn \| (\d+) \| (\d+) \|$", text, re.M)
    assert len(rows) > 8
    assert all(stored == asked for stored, asked in rows)
    assert "(claims.md), [claims.csv]" in (folder / "figures" / "README.md").read_text()
    assert f"Of {len(paper.claims())} claims" in printed(executed[1][LAST])


def test_asked_again_with_other_parameters(executed, tmp_path):
    """Only the games that are missing are played, and the table follows."""
    folder = executed[0]
    before = {p: p.read_bytes() for p in (folder / "data" / "games").iterdir()}
    execute("02_figure5", folder, action_points=[5], figures_dir=tmp_path)
    assert {p: p.read_bytes() for p in (folder / "data" / "games").iterdir()} == before
    assert pd.read_csv(tmp_path / "figure5.csv")["action_points"].unique() == [5]
    execute("02_figure5", folder, action_points=[5], games=4, figures_dir=tmp_path)
    assert (pd.read_csv(tmp_path / "figure5.csv")["games"] == 4).all()
    after = {p: p.read_bytes() for p in (folder / "data" / "games").iterdir()}
    assert all(after[p].startswith(old) for p, old in before.items())


# Parameters that differ from the smoke profile's sizes, for notebooks that are then run by hand.
CHANGED = {
    "01_table2": {"fm_calls": 250, "budgets": [200, 400], "options": {"oep": {"population": 20}}},
    "03_horizon_tuning": {
        "fm_calls": 200, "games": 2, "first_games": 2, "action_points": [3], "longest": 1,
    },
    "04_search_characteristics": {"fm_calls": 2000, "positions": 1, "games": 4},
}  # fmt: skip


@pytest.fixture(scope="module")
def changed(tmp_path_factory):
    """The folder of tables that those notebooks made, and all games that they played."""
    folder = tmp_path_factory.mktemp("changed")
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda name: execute(name, folder, {}, **CHANGED[name]), CHANGED))
    games = [pd.read_csv(path) for path in (folder / "data" / "games").glob("*.csv")]
    return folder / "figures", pd.concat(games, ignore_index=True)


def test_budgets_and_options_of_agents_are_followed(changed):
    figures, games = changed
    budgets = pd.read_csv(figures / "budgets.csv")
    assert sorted(budgets["calls a turn"].unique()) == [200, 400]
    assert set(pd.read_csv(figures / "variations.csv")["calls a turn"]) == {250}
    table2 = games[games["agent1"] != games["agent2"]]  # 04 has OEP against itself
    seen = set()
    for i in (1, 2):
        options = table2[table2[f"agent{i}"] == "oep"][f"options{i}"]
        seen |= {json.loads(text)["population"] for text in options}
    assert seen == {20}
    page = (figures / "README.md").read_text()
    assert "250 calls a turn; oep with population=20." in page
    assert "notebooks/01_table2.ipynb, profile smoke, run by hand" in page
    assert "make figures PROFILE" not in page


def test_sizes_of_the_tuning_are_followed(changed):
    figures, games = changed
    tuned = pd.read_csv(figures / "horizon_landscape.csv")
    assert sorted(tuned["horizon"]) == [3, 4]
    assert set(tuned["action_points"]) == {3}
    assert set(tuned["games"]) == {2}
    assert list(pd.read_csv(figures / "horizons.csv")["games"]) == [2]
    assert set(games[games["action_points"] == 3]["fm_calls1"]) == {200}


def test_sizes_of_searches_are_followed(changed):
    figures, _ = changed
    assert set(pd.read_csv(figures / "search_characteristics.csv")["positions"]) == {1}
    assert list(pd.read_csv(figures / "tenth_budget.csv")["games"]) == [4]
    searches = pd.read_csv(figures.parent / "data" / "searches" / "oep.csv")
    assert searches["fm_calls"].max() == 2000
    assert set(searches["position"]) == {0}


def test_the_tour_follows_its_parameters(tmp_path):
    text = printed(execute("00_tour", tmp_path, seed=3, action_points=2))
    assert "player=1 turn=1 left=2 " in text
