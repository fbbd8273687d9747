"""The pictures of the experiments: each function draws one table on given axes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.patheffects import withStroke

# Colours that people with the common kinds of colour blindness can tell apart (Okabe and Ito).
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")
MARKERS = "osD^vP*X"
LINES = ("-", "--")
EVEN = 50  # percent: neither agent is better
POINTS_LABEL = "action points a turn"
WIDEST_DODGE = 0.016  # between lines, as a part of the axis
PANELS_A_ROW = 4
WHITE_RIM = [withStroke(linewidth=3.6, foreground="white")]  # seen on dark cells too
FRAME = {"fill": False, "lw": 1.7, "path_effects": WHITE_RIM}
DOT = {"marker": "o", "ls": "", "color": COLOURS[2], "ms": 6.5, "mec": "white", "mew": 0.8}
LIGHT = 0.18  # luminance from which on black is read more easily than white


def new_axes(width: float = 7, height: float = 4.2) -> Axes:
    _, axes = plt.subplots(figsize=(width, height), layout="constrained")
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def counted(counts: Iterable[int], of_what: str) -> str:
    """How many, as a range where numbers differ.

    >>> counted([100, 100], "games a point"), counted([10, 100, 30], "games a point")
    ('100 games a point', '10 to 100 games a point')
    """
    least, most = min(counts), max(counts)
    number = f"{most:,}" if least == most else f"{least:,} to {most:,}"
    return f"{number} {of_what}"


def _title(axes: Axes, *parts: str) -> None:
    axes.set_title(", ".join(filter(None, parts)), loc="left", size=10)


def _legend_below(axes: Axes, handles: Sequence[Artist] | None = None, columns: int = 2) -> None:
    """A legend under the axes, where it hides nothing; of their labelled lines by default."""
    handles = handles or axes.get_legend_handles_labels()[0]
    axes.figure.legend(
        handles=handles, loc="outside lower center", ncols=columns, frameon=False, fontsize=9
    )


def _text_colour(image: AxesImage, value: float) -> str:
    """Black or white, whichever has the greater contrast (WCAG) to the cell of a value."""
    rgb = np.array(image.cmap(image.norm(value))[:3])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return "black" if linear @ (0.2126, 0.7152, 0.0722) > LIGHT else "white"


def _win_colourbar(image: AxesImage, label: str) -> None:
    axes = image.axes
    axes.figure.colorbar(image, ax=axes, label=label, shrink=0.8, fraction=0.04, pad=0.02)


def heat_map(
    values: pd.DataFrame,
    below: pd.DataFrame | None = None,
    marked: pd.DataFrame | None = None,
    title: str = "",
    axes: Axes | None = None,
) -> Axes:
    """Win percentages of the row against the column, with other texts below each number.

    Cells for which `marked` is true get a frame.
    """
    axes = axes or new_axes(1.15 * values.shape[1] + 1.7, 0.75 * values.shape[0] + 1.2)
    image = axes.imshow(values.to_numpy(float), cmap="PuOr", vmin=0, vmax=100, aspect="auto")
    for (i, j), value in np.ndenumerate(values.to_numpy(float)):
        if np.isnan(value):
            continue
        colour = _text_colour(image, value)
        lower = below.iloc[i, j] if below is not None else ""
        shift = -0.22 if lower else 0
        axes.text(j, i + shift, f"{value:.0f}", ha="center", va="center", color=colour, size=12)
        axes.text(j, i + 0.19, lower, ha="center", va="center", color=colour, size=9)
        if marked is not None and marked.iloc[i, j]:
            axes.add_patch(Rectangle((j - 0.47, i - 0.46), 0.94, 0.92, **FRAME))
    axes.set_xticks(range(values.shape[1]), values.columns, rotation=30, ha="right")
    axes.set_yticks(range(values.shape[0]), values.index)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    _title(axes, title)
    _win_colourbar(image, "win % of the row")
    return axes


def scores(
    table: pd.DataFrame, column: str, label: str, who: str, budget: str = "",
    axes: Axes | None = None,
) -> Axes:  # fmt: skip
    """Win percentages of pairs against a column, with their intervals; `who` is it that wins."""
    axes = axes or new_axes(7, 4.6)
    table = table[table["games"] > 0]
    names = list(dict.fromkeys(table["pair"]))
    dodge = _dodge(table[column].unique(), len(names))
    for k, name in enumerate(names):
        part = table[table["pair"] == name].sort_values(column)
        x = part[column] * dodge ** (k - (len(names) - 1) / 2)
        _with_bars(axes, x, part, "win %", k, name)
    _played_axis(axes, table[column], label)
    _win_axis(axes, who)
    _title(axes, counted(table["games"], "games a point"), budget)
    _legend_below(axes)
    return axes


def level(axes: Axes, value: float, start: float, label: str) -> None:
    """A dotted line at a win percentage, from a value of the x axis on, with a label at its end.

    There is none if the axis ends before it.
    """
    left, right = axes.get_xlim()
    if start > right:
        return
    axes.hlines(value, start, right, color="grey", lw=1.2, ls=":", zorder=0)
    axes.set_xlim(left, right)
    axes.annotate(
        label, (1.01, value), xycoords=axes.get_yaxis_transform(), va="center", size=9, color="0.35"
    )


def _dodge(values: np.ndarray, lines: int) -> float:
    """By which factor lines stand apart, so that error bars at one value do not hide each other.

    All of them stay nearer to their value than to the next.
    """
    logs = np.sort(np.log(values.astype(float)))
    if len(logs) < 2:
        return 1.02
    return float(np.exp(min(WIDEST_DODGE * np.ptp(logs), np.diff(logs).min() / (1.5 * lines))))


def _played_axis(axes: Axes, values: pd.Series, label: str) -> None:
    """A logarithmic axis with ticks at the values that were played."""
    ticks = sorted(values.unique())
    axes.set_xscale("log")
    axes.set_xticks(ticks, [f"{value:,}" for value in ticks])
    axes.minorticks_off()
    axes.set_xlabel(label)


def _win_axis(axes: Axes, who: str) -> None:
    axes.axhline(EVEN, color="grey", lw=0.8, ls="--", zorder=0)
    axes.set_ylim(-3, 103)
    axes.set_ylabel(f"win % of {who}\ndraws half; bars are 95 % intervals")


def _with_bars(axes: Axes, x: np.ndarray, part: pd.DataFrame, y: str, k: int, label: str) -> None:
    values = part[y].to_numpy(float)
    bars = np.clip([values - part["low"], part["high"] - values], 0, None)
    axes.errorbar(
        x, values, bars, label=label, color=COLOURS[k % len(COLOURS)],
        marker=MARKERS[k % len(MARKERS)], ms=5, lw=1.4, capsize=2, elinewidth=0.9,
    )  # fmt: skip


def ratings(
    table: pd.DataFrame, group: str | None = None, new: Sequence[str] = (), budget: str = "",
    axes: Axes | None = None,
) -> Axes:  # fmt: skip
    """Elo ratings of agents with their intervals, best mean on top, a colour for each group.

    The axis ends with the intervals of the agents in the mean. Those that lost (or won) all games
    are usually far beyond, with wide intervals: they are numbers at its edge, beside an arrow.
    Names of `new` agents, which the papers do not have, are bold.
    """
    order = table.groupby("agent")["Elo"].mean().sort_values(ascending=False)
    inside = table[table["in mean"] == "yes"]
    beyond = ~table["Elo"].between(inside["low"].min(), inside["high"].max())
    axes = axes or new_axes(7.2, (0.5 if group else 0.36) * len(order) + 1.4)
    axes = _rows(table, "Elo", "agent", list(order.index), group, axes, beyond)
    for name in axes.get_yticklabels():
        name.set_fontweight("bold" if name.get_text() in new else "normal")
    all_in = len(inside) == len(table)
    those = "all agents" if all_in else "the agents that won some games and lost some"
    bold = "; bold: planners that are not in the papers" if new else ""
    axes.set_xlabel(f"Elo, 0 is the mean of {those}\nbars are 95 % intervals{bold}")
    axes.grid(axis="x", alpha=0.3)
    _title(axes, counted(table["games"], "games a point" if group else "games an agent"), budget)
    if group:
        axes.legend(frameon=False, fontsize=9, loc="lower right", title=group.replace("_", " "))
    return axes


def forest(
    table: pd.DataFrame, row: str, group: str, budget: str = "", axes: Axes | None = None
) -> Axes:
    """Win percentages with their intervals, a line for each row and a colour for each group."""
    table = table[table["games"] > 0]
    axes = _rows(table, "win %", row, list(dict.fromkeys(table[row])), group, axes)
    axes.axvline(EVEN, color="grey", lw=0.8, ls="--", zorder=0)
    axes.set_xlim(-3, 103)
    axes.set_xlabel("win % against the plain variant, draws half; bars are 95 % intervals")
    _title(axes, counted(table["games"], "games a point"), budget)
    _legend_below(axes, columns=3)
    return axes


def _rows(
    table: pd.DataFrame, value: str, row: str, rows: Sequence[str], group: str | None,
    axes: Axes | None, beyond: pd.Series | bool = False,
) -> Axes:  # fmt: skip
    """Values with their intervals from left to right, a line for each row, one below the other.

    Values `beyond` the axis are written at its edge.
    """
    axes = axes or new_axes(7.2, 0.42 * len(rows) + 1.4)
    table = table.assign(y=-table[row].map(rows.index), beyond=beyond)
    parts = table.groupby(group, sort=False) if group else [(None, table)]
    for k, (name, part) in enumerate(parts):
        part = part.assign(y=part["y"] - 0.24 * (k - (len(parts) - 1) / 2))
        within = part[~part["beyond"]]
        bars = [within[value] - within["low"], within["high"] - within[value]]
        axes.errorbar(
            within[value], within["y"], xerr=np.clip(bars, 0, None), fmt=MARKERS[k],
            color=COLOURS[k], ms=5, capsize=2, elinewidth=0.9, label=str(name),
        )  # fmt: skip
        for one in part[part["beyond"]].to_dict("records"):
            _at_edge(axes, one[value], one["low"], one["high"], one["y"], COLOURS[k])
    axes.set_yticks(-np.arange(len(rows)), rows)
    axes.set_ylim(0.6 - len(rows), 0.6)  # what is written at the edge does not move it
    return axes


def _at_edge(axes: Axes, value: float, low: float, high: float, y: float, colour: str) -> None:
    """An arrow that points out of the axes, and the value with its interval beside it."""
    edge, inside, side = (0, 0.05, "left") if value < 0 else (1, 0.95, "right")
    place = axes.get_yaxis_transform()  # x from 0 to 1 across the axes
    axes.annotate(
        f"{value:,.0f} [{low:,.0f}, {high:,.0f}]", (edge, y), (inside, y), place, place,
        arrowprops={"arrowstyle": "-|>", "color": colour, "shrinkA": 0, "shrinkB": 0},
        ha=side, va="center", fontsize=8, color=colour,
    )  # fmt: skip


def first_player(table: pd.DataFrame, budget: str = "", axes: Axes | None = None) -> Axes:
    """How often player 1 wins, over action points."""
    axes = axes or new_axes()
    table = table[table["games"] > 0]
    _with_bars(axes, table["action_points"], table, "win %", 0, "player 1")
    _played_axis(axes, table["action_points"], POINTS_LABEL)
    _win_axis(axes, "player 1")
    _title(axes, counted(table["games"], "games a point"), budget)
    return axes


def landscape(
    table: pd.DataFrame, best: Mapping[int, int], paper: Mapping[int, int], budget: str = "",
    axes: Axes | None = None,
) -> Axes:  # fmt: skip
    """Win rates over action points and horizons: a frame marks our best, a dot the paper's."""
    wide = table.pivot(index="beyond", columns="action_points", values="win %").sort_index()
    games = table.pivot(index="beyond", columns="action_points", values="games").sort_index()
    axes = axes or new_axes(1.0 * wide.shape[1] + 2.2, 0.36 * wide.shape[0] + 1.8)
    image = axes.imshow(wide, cmap="PuOr", vmin=0, vmax=100, aspect="auto", origin="lower")
    for (i, j), value in np.ndenumerate(wide.to_numpy(float)):
        if not np.isnan(value):
            text = f"{value:.0f} ({games.iloc[i, j]:.0f})"
            colour = _text_colour(image, value)
            axes.text(j, i, text, ha="center", va="center", size=9, color=colour)
    for j, i in _places(wide, paper):
        axes.plot(j + 0.4, i, **DOT)
    for j, i in _places(wide, best):
        axes.add_patch(Rectangle((j - 0.48, i - 0.47), 0.96, 0.94, **FRAME))
    axes.set_xticks(range(wide.shape[1]), wide.columns)
    axes.set_yticks(range(wide.shape[0]), wide.index)
    axes.set_xlabel(POINTS_LABEL)
    axes.set_ylabel("x, actions beyond the turn: horizon h = action points + x")
    axes.tick_params(length=0)
    _win_colourbar(image, "win % of FH-EMCTS against EMCTS")
    _title(axes, "win % (games)", budget)
    frame = Rectangle((0, 0), 1, 1, label="best in our tuning", **FRAME)
    _legend_below(axes, [frame, Line2D([], [], label="the paper's best", **DOT)])
    return axes


def _places(wide: pd.DataFrame, horizons: Mapping[int, int]) -> list[tuple[int, int]]:
    """Column and row of the horizon of each number of action points, where it was tried."""
    return [
        (j, wide.index.get_loc(horizons[points] - points))
        for j, points in enumerate(wide.columns)
        if points in horizons and horizons[points] - points in wide.index
    ]


def anytime(table: pd.DataFrame) -> Figure:
    """Loss to the best value that any agent found, against calls: a panel for each agent.

    Agents with a single number of calls have no panel but a line in all.
    """
    searches = table["agent"].duplicated(keep=False)
    curves = dict(list(table[searches].groupby("agent", sort=False)))
    rows = -(-len(curves) // PANELS_A_ROW)
    figure, grid = plt.subplots(
        rows, PANELS_A_ROW, figsize=(9, 2.3 * rows + 0.6), sharex=True, sharey=True,
        layout="constrained", squeeze=False,
    )  # fmt: skip
    for axes in grid.flat[len(curves) :]:
        axes.set_visible(False)
    for axes, name in zip(grid.flat, curves, strict=False):
        _curve(axes, curves, name)
        for row, style in zip(table[~searches].to_dict("records"), (":", "--"), strict=False):
            label = f"{row['agent']}, {row['calls']:,.0f} calls"
            axes.axhline(row["loss"], color="0.35", lw=1, ls=style, label=label, zorder=0)
    grid[0, 0].set_xscale("log")
    grid[0, 0].set_ylim(bottom=0)
    _legend_below(grid[0, 0])
    for axes in grid[-1]:
        axes.set_xlabel("forward-model calls")
    figure.supylabel("points of the evaluation short of\nthe best that any agent found", size=10)
    figure.suptitle(
        f"{counted(table['positions'], 'positions')}; bars are 95 % intervals, "
        "grey lines the other agents", size=10,
    )  # fmt: skip
    return figure


def _curve(axes: Axes, curves: Mapping[str, pd.DataFrame], name: str) -> None:
    """One agent's curve with its intervals, before those of all agents."""
    for curve in curves.values():
        axes.plot(curve["calls"], curve["loss"], color="0.8", lw=0.9, zorder=0)
    own = curves[name]
    axes.errorbar(
        own["calls"], own["loss"], own["±"], color=COLOURS[0], marker="o", ms=3.5, lw=1.6,
        elinewidth=0.9, capsize=2,
    )  # fmt: skip
    axes.set_title(name, size=10)
    axes.spines[["top", "right"]].set_visible(False)


def convergence(table: pd.DataFrame, axes: Axes | None = None) -> Axes:
    """Distinct values in OEP's population over its generations."""
    axes = axes or new_axes(6.5, 3.6)
    axes.errorbar(
        table["generations"], table["distinct values"], table["±"], color=COLOURS[0], marker="o",
        ms=4, elinewidth=0.9, capsize=2,
    )  # fmt: skip
    axes.set_xscale("symlog", linthresh=1, linscale=0.5)  # which has a place for generation 0
    axes.set_xlim(left=-0.1)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("generations")
    axes.set_ylabel("distinct values among the genomes\nbars are 95 % intervals")
    calls = f"up to {table['calls'].max():,.0f} calls"
    _title(axes, counted(table["positions"], "positions a point"), calls)
    return axes


def branching(table: pd.DataFrame, budget: str = "", axes: Axes | None = None) -> Axes:
    """Choices an action over the course of games: median and middle half, by turn."""
    axes = axes or new_axes(7, 3.8)
    for k, (label, part) in enumerate(table.groupby("choices", sort=False)):
        axes.plot(part["turn"], part["median"], LINES[k], color=COLOURS[k], label=label)
        axes.fill_between(
            part["turn"], part["low"], part["high"], color=COLOURS[k], alpha=0.15, lw=0
        )
    axes.set_ylim(bottom=0)
    axes.set_xlabel("turn (both players' turns counted)")
    axes.set_ylabel("choices an action")
    end = "median and middle half, as long as at least half of the games run"
    _title(axes, counted(table["games"], "games in a turn"), f"{budget}\n{end}")
    axes.legend(frameon=False)
    return axes
