"""Pictures and tables on disk, with an index of what made them.

The same content gives the same bytes, and an entry of the index keeps its date as long as its
content is the same: making all figures again changes no file.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import math
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import matplotlib as mpl
import pandas as pd
from matplotlib.figure import Figure

PROJECT = Path(__file__).parents[1]
INDEX = "index.json"
FIRST_PAGE = "claims.md"  # which sums up the others
PACKAGES = ("numpy", "numba", "pandas", "scipy", "matplotlib")


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


@dataclass(frozen=True)
class Gallery:
    """Where a notebook's pictures and tables go, and what is said about them.

    size: how large the experiment was, such as "100 games a pair, 1,000,000 calls a turn"
    """

    folder: str | Path
    notebook: str
    profile: str
    size: str = ""

    def figure(self, figure: Figure, name: str, caption: str) -> None:
        self._enter(caption, save_figure(figure, name, self.folder))

    def table(self, table: pd.DataFrame, name: str, caption: str, latex: bool = False) -> None:
        self._enter(caption, save_table(table, name, self.folder, latex))

    def page(self, text: str, table: pd.DataFrame, name: str, caption: str) -> None:
        """A page of Markdown, and the table behind it as CSV."""
        paths = save_table(table, name, self.folder)
        paths[1].write_text(text)
        self._enter(caption, paths[::-1])

    def _enter(self, caption: str, paths: list[Path]) -> None:
        """Note in the index what was made, unless the same content is there already."""
        entry = {
            "caption": caption,
            "notebook": self.notebook,
            "profile": self.profile,
            "size": self.size,
            "files": [p.name for p in paths],
            "digest": hashlib.sha256(b"".join(p.read_bytes() for p in paths)).hexdigest()[:16],
        }
        key = paths[0].name  # a picture and a table may share a name
        with _index(PROJECT / self.folder) as index:
            old = index.get(key, {})
            if any(old.get(field) != value for field, value in entry.items()):
                index[key] = entry | {
                    "date": datetime.now(UTC).date().isoformat(),
                    "versions": {"python": platform.python_version()}
                    | {package: version(package) for package in PACKAGES},
                }


@contextmanager
def _index(folder: Path) -> Iterator[dict[str, dict]]:
    """The index of a folder, to be changed; it and its page are then written, each as a whole.

    Notebooks may run at the same time, so it is locked. What has no files any more is left out.
    """
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        path = folder / INDEX
        index = json.loads(path.read_text()) if path.exists() else {}
        for key, entry in list(index.items()):
            if not all((folder / file).exists() for file in entry["files"]):
                del index[key]
        yield index
        _replace(path, json.dumps(index, indent=1, sort_keys=True) + "\n")
        _replace(folder / "README.md", _index_page(index))


def _replace(path: Path, text: str) -> None:
    """Write a file in one step: nobody ever sees a part of it."""
    new = path.with_name(f".new-{path.name}")
    new.write_text(text)
    new.replace(path)


def _index_page(index: dict[str, dict]) -> str:
    """The page that shows everything in a gallery, notebook by notebook."""
    lines = ["# Figures and tables", "", "Generated by `make figures`; do not edit.", ""]
    if FIRST_PAGE in index:
        lines += [f"What the papers claim and what was measured: [{FIRST_PAGE}]({FIRST_PAGE})", ""]
    notebooks = sorted({entry["notebook"] for entry in index.values()})
    for notebook in notebooks:
        lines += [f"## {notebook}", ""]
        for _, entry in sorted(index.items()):
            if entry["notebook"] == notebook:
                lines += _index_entry(entry)
    return "\n".join(lines)


def _index_entry(entry: dict) -> list[str]:
    name = Path(entry["files"][0]).stem
    links = ", ".join(f"[{file}]({file})" for file in entry["files"])
    versions = ", ".join(f"{name} {number}" for name, number in sorted(entry["versions"].items()))
    command = f"make figures PROFILE={entry['profile']}"
    size = f" {entry['size']}." if entry["size"] else ""
    picture = [f"![{name}]({name}.png)", ""] if f"{name}.png" in entry["files"] else []
    return [
        f"### {name}", "", entry["caption"] + size, "", *picture, f"{links}  ",
        f"`{command}`, notebook `{entry['notebook']}`, {entry['date']}; {versions}", "",
    ]  # fmt: skip
