"""The folder of figures: its index, and the page that shows everything in it."""

import json
import re
from concurrent.futures import ThreadPoolExecutor

import pandas as pd
import pytest
from matplotlib.figure import Figure

from heroacademy import figures
from heroacademy.figures import LONG, Gallery


@pytest.fixture
def gallery(tmp_path, monkeypatch):
    monkeypatch.setenv(figures.COMMAND_VARIABLE, "make figures PROFILE=smoke")
    return Gallery(tmp_path, "01_test", "smoke", "300 calls a turn")


def page_of(gallery):
    return (gallery.folder / "README.md").read_text()


def part(page, heading):
    """What stands under a heading, up to the next one of its level."""
    level = heading.split()[0]
    (found,) = re.findall(rf"^{heading}\n(.*?)(?=^{level} |\Z)", page, re.S | re.M)
    return found


def scores(rows=2):
    return pd.DataFrame({"pair": range(rows), "games": [20] * (rows - 1) + [100]})


def test_the_index_stays_the_same_and_whole(tmp_path):
    """Made again, in any order or at the same time, the same content gives the same pages."""
    tables = {name: pd.DataFrame({name: [1, 2]}) for name in "abcdef"}

    def make(name):
        gallery = Gallery(tmp_path, f"0{ord(name) % 3}_test", "smoke")
        gallery.table(tables[name], name, f"Table {name}.")
        gallery.findings(f"- From {gallery.notebook}.")

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(make, tables))
    pages = {path: path.read_bytes() for path in (tmp_path / "README.md", tmp_path / "index.json")}
    assert all(f"Table {name}." in (tmp_path / "README.md").read_text() for name in tables)
    for name in reversed(tables):
        make(name)
    assert {path: path.read_bytes() for path in pages} == pages
    (tmp_path / "a.csv").unlink()
    make("b")
    assert "Table a." not in (tmp_path / "README.md").read_text()


def test_what_was_not_made_by_make_says_so(gallery, monkeypatch):
    monkeypatch.delenv(figures.COMMAND_VARIABLE)
    gallery.table(scores(), "some", "Some scores.")
    assert "`notebooks/01_test.ipynb, profile smoke, run by hand`, 20" in page_of(gallery)
    assert Gallery(None, "01_test", "smoke").place.parts[-3:] == ("build", "smoke", "figures")


def test_entries_of_an_older_version_are_left_out(gallery):
    gallery.table(scores(), "old", "An old table.")
    path = gallery.folder / "index.json"
    index = json.loads(path.read_text())
    del index["entries"]["old"]["command"]
    path.write_text(json.dumps(index))
    gallery.table(scores(), "new", "A new table.")
    assert list(json.loads(path.read_text())["entries"]) == ["new"]


def test_a_picture_and_its_table_are_one_entry(gallery):
    gallery.figure(Figure(), "curve", "A curve.", scores(), latex=True)
    entry = part(page_of(gallery), "### curve")
    assert entry.startswith("\nA curve. 20 to 100 games a row, 300 calls a turn.\n")
    assert entry.count("A curve.") == 1
    assert "![A curve](curve.png)" in entry
    assert (gallery.folder / "curve.md").read_text() in entry
    for ending in ("svg", "png", "csv", "md", "tex"):
        assert f"[curve.{ending}](curve.{ending})" in entry
        assert (gallery.folder / f"curve.{ending}").exists()
    assert re.search(r"`make figures PROFILE=smoke`, \d{4}-\d\d-\d\d$", entry, re.M)


def test_long_tables_are_folded(gallery):
    gallery.table(scores(LONG), "short", "Short.")
    gallery.table(scores(LONG + 1), "long", "Long.")
    page = page_of(gallery)
    assert "<details>" not in part(page, "### short")
    # without the empty line the table would be taken for text
    text = (gallery.folder / "long.md").read_text()
    assert f"<summary>{LONG + 1} rows</summary>\n\n{text}\n</details>" in part(page, "### long")


def test_sizes_come_from_the_table(gallery):
    gallery.table(scores().assign(games=400), "match", "A match.")
    gallery.at("20 s a turn").table(pd.DataFrame({"positions": [6]}), "search", "A search.")
    gallery.figure(Figure(), "board", "A board.")
    page = page_of(gallery)
    assert "A match. 400 games a row, 300 calls a turn.\n" in page
    assert "A search. 6 positions a row, 20 s a turn.\n" in page
    assert "A board. 300 calls a turn.\n" in page


def test_findings_come_first_and_are_shown_in_the_notebook(gallery):
    gallery.table(scores(), "match", "A match.")
    shown = gallery.findings("- The first wins.")
    assert shown._repr_markdown_() == "- The first wins."
    section = part(page_of(gallery), "## 01_test")
    assert 0 < section.index("- The first wins.") < section.index("### match")
    gallery.findings("- The second wins.")
    assert "first wins" not in page_of(gallery)


def test_other_notebooks_keep_their_part(gallery):
    gallery.table(scores(), "match", "A match.")
    gallery.findings("- The first wins.")
    before = part(page_of(gallery), "## 01_test")
    other = Gallery(gallery.folder, "00_other", "quick")
    other.table(scores(), "others", "Others.")
    other.findings("- Nobody wins.")
    assert part(page_of(gallery), "## 01_test") == before


def test_contents_lead_to_headings(gallery):
    gallery.table(scores(), "match", "A match.")
    gallery.figure(Figure(), "board", "A board.")
    Gallery(gallery.folder, "02_only_findings", "smoke").findings("- None.")
    page = page_of(gallery)
    links = re.findall(r"\(#(\w+)\)", page)
    assert links == ["01_test", "match", "board", "02_only_findings"]
    assert sorted(links) == sorted(re.findall(r"^##+ (\w+)$", page, re.M))


def test_entries_keep_the_order_of_their_notebook(tmp_path):
    """Run again, in part or with more in it; only what has changed gets a new date."""

    def run(*names):
        gallery = Gallery(tmp_path, "01_test", "smoke")
        for k, name in enumerate(names):
            gallery.at(f"{k} calls").table(scores(), name, "A match.")
        contents = re.search(r"^- \[01_test\].*$", page_of(gallery), re.M)[0]
        return re.findall(r"\(#(\w+)\)", contents)[1:]

    assert run("main", "details", "appendix") == ["main", "details", "appendix"]
    assert run("main", "details") == ["main", "details", "appendix"]
    assert run("main", "zoom", "details", "appendix") == ["main", "zoom", "details", "appendix"]


def test_a_new_order_is_no_new_content(gallery, monkeypatch):
    gallery.table(scores(), "match", "A match.")
    entry = part(page_of(gallery), "### match")
    monkeypatch.setattr(figures, "version", lambda package: "99.0")
    again = Gallery(gallery.folder, gallery.notebook, gallery.profile, gallery.budget)
    again.table(scores(3), "first", "First.")
    again.table(scores(), "match", "A match.")
    assert part(page_of(gallery), "### match") == entry


def test_a_page_is_linked_and_not_shown(gallery):
    gallery.page("# Claims", scores(), "claims", "All claims.")
    page = page_of(gallery)
    assert page.count("[claims.md](claims.md)") == 2
    assert "# Claims" not in page


def test_dates_and_versions_are_those_of_the_content(gallery, monkeypatch):
    """What is the same keeps them; versions stand once, or with the entries that they made."""
    gallery.table(scores(), "old", "Old.")
    gallery.table(scores(), "new", "New.")
    page, made_with = page_of(gallery), r"made with .*numpy (\S+),"
    assert len(re.findall(made_with, page, re.I)) == 1
    monkeypatch.setattr(figures, "version", lambda package: "99.0")
    gallery.table(scores(), "old", "Old.")
    assert page_of(gallery) == page
    gallery.table(scores(3), "new", "New.")
    lines = re.findall(r"^- (\w+): made with .*numpy (\S+),", page_of(gallery), re.M)
    assert dict(lines)["new"] == "99.0"
    assert dict(lines)["old"] != "99.0"
    index = json.loads((gallery.folder / "index.json").read_text())
    assert index["entries"]["new"]["versions"]["numpy"] == "99.0"
