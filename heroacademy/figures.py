"""Pictures on disk, the same bytes for the same picture."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

PROJECT = Path(__file__).parents[1]


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
