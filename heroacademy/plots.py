"""The pictures of the experiments: each function draws one table on given axes."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes

# Colours that people with the common kinds of colour blindness can tell apart (Okabe and Ito).
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")
MARKERS = "osD^vP*X"
EVEN = 50  # percent: neither agent is better


def new_axes(width: float = 7, height: float = 4.2) -> Axes:
    _, axes = plt.subplots(figsize=(width, height), layout="constrained")
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def heat_map(
    values: pd.DataFrame,
    below: pd.DataFrame | None = None,
    marked: pd.DataFrame | None = None,
    axes: Axes | None = None,
) -> Axes:
    """Win percentages of the row against the column, with other texts below each number.

    Cells for which `marked` is true get a frame.
    """
    axes = axes or new_axes(1.3 * values.shape[1] + 1.5, 0.75 * values.shape[0] + 1.2)
    image = axes.imshow(values.to_numpy(float), cmap="PuOr", vmin=0, vmax=100, aspect="auto")
    for (i, j), value in np.ndenumerate(values.to_numpy(float)):
        if np.isnan(value):
            continue
        colour = "white" if abs(value - EVEN) > 28 else "black"
        lower = below.iloc[i, j] if below is not None else ""
        shift = -0.14 if lower else 0
        axes.text(j, i + shift, f"{value:.0f}", ha="center", va="center", color=colour, size=11)
        axes.text(j, i + 0.24, lower, ha="center", va="center", color=colour, size=7)
        if marked is not None and marked.iloc[i, j]:
            frame = plt.Rectangle((j - 0.47, i - 0.46), 0.94, 0.92, fill=False, lw=1.6, ec="black")
            axes.add_patch(frame)
    axes.set_xticks(range(values.shape[1]), values.columns, rotation=30, ha="right")
    axes.set_yticks(range(values.shape[0]), values.index)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    axes.figure.colorbar(image, ax=axes, label="win % of the row", shrink=0.8)
    return axes


def scores(
    table: pd.DataFrame, column: str, label: str, pairs: Sequence[str] | None = None,
    axes: Axes | None = None,
) -> Axes:  # fmt: skip
    """Win percentages of pairs against a column, with their intervals."""
    axes = axes or new_axes()
    places = {value: i for i, value in enumerate(sorted(table[column].unique()))}
    names = pairs or list(dict.fromkeys(table["pair"]))
    for k, name in enumerate(names):
        part = table[table["pair"] == name]
        x = np.array([places[value] for value in part[column]]) + 0.08 * (k - (len(names) - 1) / 2)
        _with_bars(axes, x, part, "win %", k, name)
    axes.axhline(EVEN, color="grey", lw=0.8, ls="--", zorder=0)
    axes.set_xticks(list(places.values()), [f"{value:,}" for value in places])
    axes.set_ylim(-3, 103)
    axes.set_xlabel(label)
    axes.set_ylabel("win %, draws half; bars are 95 % intervals")
    axes.legend(frameon=False, fontsize=9, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2)
    return axes


def _with_bars(axes: Axes, x: np.ndarray, part: pd.DataFrame, y: str, k: int, label: str) -> None:
    values = part[y].to_numpy(float)
    bars = np.clip([values - part["low"], part["high"] - values], 0, None)
    axes.errorbar(
        x, values, bars, label=label, color=COLOURS[k % len(COLOURS)],
        marker=MARKERS[k % len(MARKERS)], ms=5, lw=1.4, capsize=2, elinewidth=0.9,
    )  # fmt: skip


def ratings(
    table: pd.DataFrame, group: str | None = None, new: Sequence[str] = (),
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
    if group:
        axes.legend(frameon=False, fontsize=9, loc="lower right", title=group.replace("_", " "))
    return axes


def forest(table: pd.DataFrame, row: str, group: str, axes: Axes | None = None) -> Axes:
    """Win percentages with their intervals, a line for each row and a colour for each group."""
    axes = _rows(table, "win %", row, list(dict.fromkeys(table[row])), group, axes)
    axes.axvline(EVEN, color="grey", lw=0.8, ls="--", zorder=0)
    axes.set_xlim(-3, 103)
    axes.set_xlabel("win % against the plain variant, draws half; bars are 95 % intervals")
    axes.legend(frameon=False, fontsize=9, loc="lower center", bbox_to_anchor=(0.4, 1), ncols=3)
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
        ha=side, va="center", fontsize=7, color=colour,
    )  # fmt: skip


def first_player(table: pd.DataFrame, axes: Axes | None = None) -> Axes:
    """How often player 1 wins, over action points."""
    axes = axes or new_axes()
    x = np.arange(len(table))
    _with_bars(axes, x, table, "win %", 0, "player 1")
    axes.axhline(EVEN, color="grey", lw=0.8, ls="--", zorder=0)
    axes.set_xticks(x, table["action_points"])
    axes.set_ylim(-3, 103)
    axes.set_xlabel("action points a turn")
    axes.set_ylabel("win % of player 1, draws half")
    return axes


def landscape(
    table: pd.DataFrame, best: dict[int, int], paper: dict[int, int], axes: Axes | None = None
) -> Axes:
    """Win rates over action points and horizons: our best marked by a frame, the paper's by o."""
    wide = table.pivot(index="beyond", columns="action_points", values="win %").sort_index()
    games = table.pivot(index="beyond", columns="action_points", values="games").sort_index()
    axes = axes or new_axes(1.0 * wide.shape[1] + 2.2, 0.36 * wide.shape[0] + 1.4)
    image = axes.imshow(wide, cmap="PuOr", vmin=0, vmax=100, aspect="auto", origin="lower")
    for (i, j), value in np.ndenumerate(wide.to_numpy(float)):
        if not np.isnan(value):
            text = f"{value:.0f} ({games.iloc[i, j]:.0f})"
            colour = "white" if abs(value - EVEN) > 35 else "black"
            axes.text(j, i, text, ha="center", va="center", size=7, color=colour)
    for j, points in enumerate(wide.columns):
        for marks, horizon in ((False, paper.get(points)), (True, best.get(points))):
            if horizon is None or horizon - points not in wide.index:
                continue
            i = wide.index.get_loc(horizon - points)
            if marks:
                frame = plt.Rectangle((j - 0.48, i - 0.47), 0.96, 0.94, fill=False, lw=1.8)
                axes.add_patch(frame)
            else:
                axes.plot(j + 0.4, i, "o", color="#009E73", ms=5)
    axes.set_xticks(range(wide.shape[1]), wide.columns)
    axes.set_yticks(range(wide.shape[0]), wide.index)
    axes.set_xlabel("action points a turn")
    axes.set_ylabel("horizon beyond the turn, in actions")
    axes.tick_params(length=0)
    axes.figure.colorbar(image, ax=axes, label="win % against EMCTS (games)", shrink=0.8)
    return axes


def anytime(table: pd.DataFrame, axes: Axes | None = None) -> Axes:
    """Loss to the best value found by anyone, against calls; some points show their interval."""
    axes = axes or new_axes(7.5, 4.8)
    for k, (agent, part) in enumerate(table.groupby("agent", sort=False)):
        style = "-" if k < len(COLOURS) else "--"
        colour = COLOURS[k % len(COLOURS)]
        axes.errorbar(
            part["calls"], part["loss"], part["±"], fmt=style, color=colour, label=agent, lw=1.5,
            elinewidth=0.8, capsize=2, errorevery=(2 * k % 14, 14),
        )  # fmt: skip
    axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("forward-model calls")
    axes.set_ylabel("value short of the best found by anyone")
    axes.legend(frameon=False, fontsize=8, ncols=2)
    return axes


def convergence(table: pd.DataFrame, axes: Axes | None = None) -> Axes:
    """Distinct values in OEP's population over its generations."""
    axes = axes or new_axes(6.5, 3.6)
    axes.errorbar(
        table["generations"].clip(lower=0.5), table["distinct values"], table["±"],
        color=COLOURS[0], marker="o", ms=4, capsize=2,
    )  # fmt: skip
    axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("generations")
    axes.set_ylabel("distinct values among the genomes")
    return axes


def branching(every: pd.DataFrame, axes: Axes | None = None) -> Axes:
    """Choices an action over the course of games: median and middle half, by turn."""
    axes = axes or new_axes(7, 3.8)
    for k, (column, label) in enumerate({"choices": "legal", "pruned": "after pruning"}.items()):
        by_turn = every.groupby("turn")[column]
        quartiles = by_turn.quantile([0.25, 0.5, 0.75]).unstack()
        axes.plot(quartiles.index, quartiles[0.5], color=COLOURS[k], label=label)
        axes.fill_between(
            quartiles.index, quartiles[0.25], quartiles[0.75], color=COLOURS[k], alpha=0.15, lw=0
        )
    axes.set_ylim(bottom=0)
    axes.set_xlabel("turn (both players' turns counted)")
    axes.set_ylabel("choices an action")
    axes.legend(frameon=False)
    return axes
