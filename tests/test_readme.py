"""The README's Python runs, and links lead somewhere."""

import re

import pandas as pd
import pytest
from test_project import ROOT


def test_the_examples_run(monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "agg")
    text = (ROOT / "README.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    assert len(blocks) == 3
    smaller = {"500_000": "2_000", "50_000": "500", "GameConfig(action_points=5)": SHORT_GAME}
    names = {}
    for block in blocks:
        for old, new in smaller.items():
            block = block.replace(old, new)
        exec(block, names)
    assert names["record"].winner in (0, 1, 2)
    assert len(blocks[2].splitlines()) < 20


SHORT_GAME = "GameConfig(action_points=5, turn_limit=12)"


@pytest.mark.parametrize("page", ["README.md", "figures/README.md", "figures/claims.md"])
def test_links_lead_somewhere(page):
    path = ROOT / page
    links = re.findall(r"\]\(([^)#]+)", path.read_text())
    assert links
    for link in links:
        assert (path.parent / link).exists(), link
    anchors = {
        re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
        for heading in re.findall(r"^#+ (.*)$", path.read_text(), re.M)
    }
    assert set(re.findall(r"\]\(#([^)]+)\)", path.read_text())) <= anchors


def published_scores():
    """Every score in the figures' tables, with its interval, in whole percent, for either side."""
    scores = set()
    for path in (ROOT / "figures").glob("*.csv"):
        table = pd.read_csv(path)
        if {"win %", "low", "high"} <= set(table):
            for win, low, high in table[["win %", "low", "high"]].dropna().to_numpy():
                scores |= {(f"{win:.0f}", f"{low:.0f}", f"{high:.0f}")}
                scores |= {(f"{100 - win:.0f}", f"{100 - high:.0f}", f"{100 - low:.0f}")}
    return scores


def test_scores_in_the_readme_are_those_of_the_tables():
    text = " ".join((ROOT / "README.md").read_text().split())
    quoted = re.findall(r"(\d+) % \[(\d+), (\d+)\]", text)
    assert len(quoted) > 3
    assert set(quoted) <= published_scores()
