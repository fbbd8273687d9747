"""Pictures, tables and findings on disk, with an index of what made them and a page of all.

The same content gives the same bytes, and an entry of the index keeps its date as long as its
content is the same: making all figures again changes no file.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import math
import os
import platform
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import matplotlib as mpl
import pandas as pd
from IPython.display import Markdown
from matplotlib.figure import Figure

PROJECT = Path(__file__).parents[1]
INDEX, PAGE = "index.json", "README.md"
ENTRIES, FINDINGS = "entries", "findings"  # of the index: by name, by notebook
COMMAND_VARIABLE = "HEROACADEMY_COMMAND"  # set by `make figures`, to itself
FIRST_PAGE = "claims"  # which sums up the others
PACKAGES = ("numpy", "numba", "pandas", "scipy", "matplotlib")
COUNTED = ("games", "positions")  # columns that say what is behind a row
LONG = 25  # rows; longer tables are folded


def save_figure(figure: Figure, name: str, folder: str | Path) -> list[Path]:
    """Write a figure as SVG and PNG to a folder, without dates, so that reruns change nothing.

    A relative folder is one of the project, wherever the notebook runs.
    """
    folder = PROJECT / folder
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.svg", folder / f"{name}.png"]
    with mpl.rc_context({"svg.hashsalt": name, "svg.fonttype": "path"}):
        figure.savefig(paths[0], bbox_inches="tight", metadata={"Date": None, "Creator": None})
    figure.savefig(paths[1], bbox_inches="tight", dpi=150, metadata={"Software": None})
    return paths


def cell(value: object) -> str:
    """A value as a cell of a table for people: few digits, nothing for nothing.

    >>> cell(0.00001234), cell(1234567.8), cell(12.345), cell(float("nan")), cell(3)
    ('1.2e-05', '1,234,568', '12.3', '', '3')
    """
    if isinstance(value, float):
        if math.isnan(value):
            return ""
        if value and abs(value) < 0.1:
            return f"{value:.2g}"
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.1f}"
    return str(value)


def markdown(table: pd.DataFrame) -> str:
    """
    >>> print(markdown(pd.DataFrame({"agent": ["oep"], "win %": [52.04]})))
    | agent | win % |
    |---|---|
    | oep | 52.0 |
    """
    rows = [[cell(value) for value in row] for row in table.itertuples(index=False)]
    header, *lines = ["| " + " | ".join(row) + " |" for row in [table.columns, *rows]]
    return "\n".join([header, "|" + "---|" * len(table.columns), *lines])


def save_table(
    table: pd.DataFrame, name: str, folder: str | Path, latex: bool = False
) -> list[Path]:
    """Write a table as CSV (all digits) and Markdown, if asked also as LaTeX."""
    folder = PROJECT / folder
    folder.mkdir(parents=True, exist_ok=True)
    texts = {"csv": table.to_csv(index=False), "md": markdown(table) + "\n"}
    if latex:
        texts["tex"] = table.map(cell).to_latex(index=False, escape=True)
    paths = []
    for ending, text in texts.items():
        paths.append(folder / f"{name}.{ending}")
        paths[-1].write_text(text)
    return paths


def counts(table: pd.DataFrame) -> str:
    """How much is behind each row of a table, by its own columns; rows of arithmetic have none.

    >>> counts(pd.DataFrame({"games": [1000, 20]})), counts(pd.DataFrame({"positions": [6, 6]}))
    ('20 to 1,000 games a row', '6 positions a row')
    """
    ranges = []
    for column in COUNTED:
        if column in table:
            numbers = pd.to_numeric(table[column].replace("", None)).dropna().astype(int)
            ends = sorted({numbers.min(), numbers.max()})
            ranges.append(f"{' to '.join(f'{end:,}' for end in ends)} {column} a row")
    return ", ".join(ranges)


@dataclass(frozen=True)
class Gallery:
    """Where a notebook's pictures, tables and findings go, and what is said about them.

    folder: from the project's folder; None is the build folder of the profile, so that a notebook
        run by hand leaves alone what `make figures` has published
    budget: what agents may spend, such as "1,000,000 calls a turn"; games are counted in tables
    made: names so far, whose order is that of the page; galleries `at` other budgets share them
    """

    folder: str | Path | None
    notebook: str
    profile: str
    budget: str = ""
    made: list[str] = field(default_factory=list, compare=False)

    @property
    def place(self) -> Path:
        return PROJECT / (self.folder or f"build/{self.profile}/figures")

    @property
    def command(self) -> str:
        """What makes it again, as far as that is a command without changed parameters."""
        by_hand = f"notebooks/{self.notebook}.ipynb, profile {self.profile}, run by hand"
        return os.environ.get(COMMAND_VARIABLE, by_hand)

    def at(self, budget: str) -> Gallery:
        """The same for results of another budget."""
        return replace(self, budget=budget)

    def figure(
        self,
        figure: Figure,
        name: str,
        caption: str,
        table: pd.DataFrame | None = None,
        latex: bool = False,
    ) -> None:
        """A picture, and the table that it shows."""
        paths = save_figure(figure, name, self.place)
        if table is not None:
            paths += save_table(table, name, self.place, latex)
        self._enter(name, caption, paths, table)

    def table(self, table: pd.DataFrame, name: str, caption: str) -> None:
        self._enter(name, caption, save_table(table, name, self.place), table)

    def page(self, text: str, table: pd.DataFrame, name: str, caption: str) -> None:
        """A page of Markdown, and the table behind it as CSV."""
        paths = save_table(table, name, self.place)
        paths[1].write_text(text)
        self._enter(name, caption, paths[::-1])

    def findings(self, *lists: str) -> Markdown:
        """What follows from the results, as lists in Markdown, for the page and the notebook."""
        text = "\n".join(lists)
        with _index(self.place) as index:
            index[FINDINGS][self.notebook] = text
        return Markdown(text)

    def _enter(
        self, name: str, caption: str, paths: list[Path], table: pd.DataFrame | None = None
    ) -> None:
        """Note in the index what was made, unless the same content is there already."""
        if name not in self.made:
            self.made.append(name)
        counted = "" if table is None else counts(table)
        entry = {
            "caption": caption,
            "notebook": self.notebook,
            "command": self.command,
            "size": ", ".join(filter(None, (counted, self.budget))),
            "rows": None if table is None else len(table),
            "files": [p.name for p in paths],
            "digests": [_digest(path.name, path.read_bytes()) for path in paths],
        }
        with _index(self.place) as index:
            known = index[ENTRIES].get(name, {})
            if any(known.get(key) != value for key, value in entry.items()):
                known = entry | _origin()
            index[ENTRIES][name] = known | {"order": self.made.index(name)}


def _origin() -> dict[str, object]:
    """When something is made, and with what."""
    packages = {package: version(package) for package in PACKAGES}
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "versions": {"python": platform.python_version()} | packages,
    }


def _digest(name: str, content: bytes) -> str:
    """A line that `sha256sum --check` reads; with it make finds files that someone has changed."""
    return f"{hashlib.sha256(content).hexdigest()}  {name}"


@contextmanager
def _index(folder: Path) -> Iterator[dict[str, dict]]:
    """The index of a folder, to be changed; it and its page are then written, each as a whole.

    Notebooks may run at the same time, so it is locked. What has no files any more is left out, as
    is what an older version has entered.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        path = folder / INDEX
        known = json.loads(path.read_text()) if path.exists() else {}
        index = {part: known.get(part, {}) for part in (ENTRIES, FINDINGS)}
        for name, entry in list(index[ENTRIES].items()):
            is_old = "command" not in entry or "digests" not in entry
            if is_old or not all((folder / file).exists() for file in entry["files"]):
                del index[ENTRIES][name]
        yield index
        page = _index_page(index, folder)
        index["page"] = _digest(PAGE, page.encode())
        _replace(path, json.dumps(index, indent=1, sort_keys=True) + "\n")
        _replace(folder / PAGE, page)


def _replace(path: Path, text: str) -> None:
    """Write a file in one step: nobody ever sees a part of it."""
    new = path.with_name(f".new-{path.name}")
    new.write_text(text)
    new.replace(path)


# --- the page -------------------------------------------------------------------------------


def _index_page(index: dict[str, dict], folder: Path) -> str:
    """The page that shows everything in a gallery, notebook by notebook."""
    findings = index[FINDINGS]
    notebooks: dict[str, dict[str, dict]] = {notebook: {} for notebook in sorted(findings)}
    orders = {name: (entry.get("order", 0), name) for name, entry in index[ENTRIES].items()}
    for name in sorted(orders, key=orders.get):
        entry = index[ENTRIES][name]
        notebooks.setdefault(entry["notebook"], {})[name] = entry
    same_versions = len(set(map(_versions, index[ENTRIES].values()))) == 1
    lines = ["# Figures and tables", "", "Generated by `make figures`; do not edit.", ""]
    if FIRST_PAGE in index[ENTRIES]:
        link = f"[{FIRST_PAGE}.md]({FIRST_PAGE}.md)"
        lines += [f"What the papers claim and what was measured: {link}", ""]
    for notebook, entries in sorted(notebooks.items()):
        links = ", ".join(f"[{name}](#{name})" for name in entries)
        lines += [f"- [{notebook}](#{notebook}): {links}"]
    lines += ["", *(_made_with(index[ENTRIES]) if same_versions else [])]
    for notebook, entries in sorted(notebooks.items()):
        lines += [f"## {notebook}", ""]
        lines += ["**Findings**", "", findings[notebook], ""] if notebook in findings else []
        lines += [] if same_versions else _made_with(entries)
        for name, entry in entries.items():
            lines += _index_entry(name, entry, folder)
    return "\n".join(lines)


def _versions(entry: dict) -> str:
    return ", ".join(f"{package} {number}" for package, number in sorted(entry["versions"].items()))


def _made_with(entries: dict[str, dict]) -> list[str]:
    """The versions behind entries; if they differ, which are behind which."""
    names: dict[str, list[str]] = {}
    for name, entry in sorted(entries.items()):
        names.setdefault(_versions(entry), []).append(name)
    if len(names) == 1:
        return [f"Made with {versions}." for versions in names] + [""]
    return [f"- {', '.join(made)}: made with {versions}" for versions, made in names.items()] + [""]


def _index_entry(name: str, entry: dict, folder: Path) -> list[str]:
    """A heading, what is said about it, the picture, the table, the files and their origin."""
    size = f" {entry['size']}." if entry["size"] else ""
    lines = [f"### {name}", "", entry["caption"] + size, ""]
    if f"{name}.png" in entry["files"]:
        lines += [f"![{_first_sentence(entry['caption'])}]({name}.png)", ""]
    if entry["rows"] is not None:
        lines += _folded((folder / f"{name}.md").read_text(), entry["rows"])
    links = ", ".join(f"[{file}]({file})" for file in entry["files"])
    return [*lines, f"{links}; `{entry['command']}`, {entry['date']}", ""]


def _first_sentence(caption: str) -> str:
    """
    >>> _first_sentence("Fig. 5: win % of OEP. Bars are intervals."), _first_sentence("A board.")
    ('Fig. 5: win % of OEP', 'A board')
    """
    return re.split(r"\. (?=[A-Z])", caption)[0].removesuffix(".")


def _folded(table: str, rows: int) -> list[str]:
    """A table in Markdown, which a reader opens if it is long."""
    if rows <= LONG:
        return [table]
    return ["<details>", f"<summary>{rows} rows</summary>", "", table, "</details>", ""]
