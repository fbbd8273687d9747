"""The board as a picture, and a plan as numbered arrows on it."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable
from textwrap import fill

import matplotlib.pyplot as plt
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.legend_handler import HandlerBase
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, FancyArrowPatch, Patch, Polygon, Rectangle
from matplotlib.text import Text

from heroacademy.action import Action
from heroacademy.engine import tables
from heroacademy.state import PLAYERS, State, Unit
from heroacademy.terminal import CLASS_SYMBOLS, headline

TEAM_COLOURS = {1: "#c8442d", 2: "#2f6db3"}
SQUARE_COLOURS = {
    "0": "#efe8d8",
    "c": "#efe8d8",
    "C": "#efe8d8",
    "d": "#f3c9bf",
    "D": "#bfd4ec",
    "S": "#b9dcb5",
    "P": "#dcc2e6",
    "A": "#f5d67b",
}
SQUARE_LEGEND = {
    "d": "deploy, player 1",
    "D": "deploy, player 2",
    "S": "defense",
    "P": "power",
    "A": "assault",
}
SQUARE_MARKS = {"d": "▶", "D": "◀", "S": "DEF", "P": "PWR", "A": "ASL"}
ITEM_NAMES = {"D": "dragonscale", "R": "runemetal", "H": "shining helm", "S": "scroll"}
ITEM_COLOURS = {"D": "#3a7d44", "R": "#7a4fa3", "H": "#3c78a8", "S": "#b8860b"}
ARROW_COLOURS = {
    "move": "#1a1a1a",
    "attack": "#d00000",
    "heal": "#118833",
    "swap places": "#7a4fa3",
    "play card": "#1a1a1a",
    "swap card": "#1a1a1a",
}
LEGEND_COLOUR = "#555555"  # of units, which belong to neither player there
LINE = 0.2  # height of a line of text, in squares
HP_COLOURS = ((0.5, "#3aa655"), (0.25, "#e0a400"), (0.0, "#d03030"))  # from this share on


def plot_state(
    state: State, plan: Iterable[Action | str] = (), ax: Axes | None = None, legend: bool = True
) -> Axes:
    """Draw a position, and a plan of actions as numbered arrows.

    Actions without a square, such as swapped cards, are listed under the board. The legend, which
    one of several boards is enough for, explains letters and colours. Returns the axes that were
    drawn on; without `ax`, those of a new pyplot figure.
    """
    plan = [Action.parse(action) if isinstance(action, str) else action for action in plan]
    if ax is None:
        _, ax = plt.subplots(figsize=_figure_size(state), layout="tight")
    rows = tables.MAPS[state.config.map]
    ax.set_xlim(-0.62, len(rows[0]) - 0.38)
    _draw_squares(ax, rows)
    for unit in state.units:
        _draw_unit(ax, unit)
    bottom = _draw_cards(ax, state, len(rows[0]), len(rows))
    _draw_plan(ax, plan, (len(rows[0]) - 1) / 2, len(rows))
    if legend:
        bottom = _draw_legend(ax, rows, bottom + 0.15)
    ax.set_title(headline(state), fontsize=11, pad=6)
    ax.set_ylim(bottom, -0.62)
    ax.set_aspect("equal")
    ax.axis("off")
    return ax


def state_png(state: State) -> bytes:
    """A picture of a position as PNG, for notebooks."""
    figure = Figure(figsize=_figure_size(state), layout="tight")  # unknown to pyplot: not shown
    plot_state(state, ax=figure.add_subplot())
    FigureCanvasAgg(figure)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=90, bbox_inches="tight")
    return buffer.getvalue()


def _figure_size(state: State) -> tuple[float, float]:
    rows = tables.MAPS[state.config.map]
    return len(rows[0]) * 0.95 + 0.3, len(rows) * 0.95 + 2.3


def _draw_squares(ax: Axes, rows: tuple[str, ...]) -> None:
    for y, row in enumerate(rows):
        ax.text(-0.56, y, y, ha="center", va="center", fontsize=8, color="#888888")
        for x, letter in enumerate(row):
            ax.add_patch(
                Rectangle((x - 0.5, y - 0.5), 1, 1, fc=SQUARE_COLOURS[letter], ec="white", lw=1.5)
            )
            if letter in SQUARE_MARKS:
                ax.text(
                    x, y, SQUARE_MARKS[letter], ha="center", va="center",
                    fontsize=9, color="#00000055", weight="bold",
                )  # fmt: skip
    for x in range(len(rows[0])):
        ax.text(x, -0.56, x, ha="center", va="center", fontsize=8, color="#888888")


def _draw_unit(ax: Axes, unit: Unit) -> None:
    down = unit.hp == 0
    x, y = unit.x, unit.y - 0.09
    colour = TEAM_COLOURS[unit.owner]
    face = "#ffffff" if down else colour
    if unit.name == "CRYSTAL":
        corners = [(x, y - 0.36), (x + 0.27, y), (x, y + 0.36), (x - 0.27, y)]
        token = Polygon(corners, fc=face, ec="white", lw=1, zorder=3)
    else:
        token = Circle((x, y), 0.31, fc=face, ec=colour, lw=1.4, zorder=3)
        token.set_linestyle("--" if down else "-")
        ax.text(
            x, y + 0.01, CLASS_SYMBOLS[unit.name], ha="center", va="center", fontsize=13,
            weight="bold", color=colour if down else "white", rotation=90 if down else 0, zorder=4,
        )  # fmt: skip
    ax.add_patch(token)
    if down:
        ax.text(
            x, y + 0.44, "down", ha="center", va="center", fontsize=9, style="italic",
            color=colour, zorder=4,
        )  # fmt: skip
    else:
        _draw_hp(ax, unit, x, y)
    for i, item in enumerate(unit.items):
        ax.text(
            x + 0.38, y - 0.3 + 0.22 * i, item, ha="center", va="center", fontsize=8,
            weight="bold", color="white", zorder=5,
            bbox={"boxstyle": "round,pad=0.15", "fc": ITEM_COLOURS[item], "ec": "none"},
        )  # fmt: skip


def _draw_hp(ax: Axes, unit: Unit, x: float, y: float) -> None:
    share = unit.hp / unit.max_hp
    colour = next(c for least, c in HP_COLOURS if share >= least)
    ax.add_patch(Rectangle((x - 0.4, y + 0.34), 0.8, 0.075, fc="#00000040", ec="none", zorder=4))
    ax.add_patch(Rectangle((x - 0.4, y + 0.34), 0.8 * share, 0.075, fc=colour, zorder=5))
    ax.text(x, y + 0.51, unit.hp, ha="center", va="center", fontsize=9, color="#222222", zorder=5)


def _draw_cards(ax: Axes, state: State, width: int, height: int) -> float:
    """Hands and decks; returns where the longer hand ends."""
    lines = 1
    for player in PLAYERS:
        hand = [
            card.replace("_", " ").lower() + (f" x{n}" if n > 1 else "")
            for card, n in Counter(state.hand(player)).items()
        ]
        left = player == 1
        x = -0.5 if left else width - 0.5
        align = "left" if left else "right"
        active = state.player == player and not state.is_terminal
        highlight = {"boxstyle": "round,pad=0.2", "fc": "#fff3c4", "ec": "none"}
        ax.text(
            x, height - 0.26, f"Player {player}   deck {len(state.deck(player))}",
            ha=align, va="center", fontsize=9.5, weight="bold", color=TEAM_COLOURS[player],
            bbox=highlight if active else None,
        )  # fmt: skip
        text = fill("hand: " + (", ".join(hand) or "empty"), width * 6)
        ax.text(x, height - 0.08, text, ha=align, va="top", fontsize=8.5, color="#333333")
        lines = max(lines, 1 + text.count("\n"))
    return height - 0.08 + LINE * lines


def _draw_legend(ax: Axes, rows: tuple[str, ...], top: float) -> float:
    """A line each for units, items and squares of the map; returns where it ends."""
    squares = {
        SQUARE_LEGEND[letter]: Patch(fc=SQUARE_COLOURS[letter], ec="#999999")
        for letter in SQUARE_LEGEND
        if any(letter in row for row in rows)
    }
    units = {
        name.lower(): ("o", 12, LEGEND_COLOUR, symbol)
        for name, symbol in CLASS_SYMBOLS.items()
        if name != "CRYSTAL"
    }
    units["crystal"] = ("d", 11, LEGEND_COLOUR, "")
    items = {ITEM_NAMES[i]: ("s", 9, colour, i) for i, colour in ITEM_COLOURS.items()}
    for handles in (units, items, squares):
        ax.add_artist(_legend_line(ax, handles, top))
        top += LINE * 1.2
    return top


class _Signs(HandlerBase):
    """Draws (marker, size, colour, letter) as a sign of a legend."""

    def create_artists(
        self, legend, orig_handle, xdescent, ydescent, width, height, fontsize, trans
    ) -> list[Artist]:
        marker, size, colour, letter = orig_handle
        x, y = width / 2 - xdescent, height / 2 - ydescent
        shape = Line2D([x], [y], marker=marker, ms=size, color=colour, transform=trans)
        text = Text(
            x, y - 0.3, letter, ha="center", va="center_baseline", fontsize=0.8 * fontsize,
            weight="bold", color="white", transform=trans,
        )  # fmt: skip
        return [shape, text]


def _legend_line(ax: Axes, handles: dict[str, Artist | tuple], top: float) -> Legend:
    return Legend(
        ax, handles.values(), handles.keys(), loc="upper center", ncols=len(handles),
        bbox_to_anchor=((ax.get_xlim()[0] + ax.get_xlim()[1]) / 2, top),
        bbox_transform=ax.transData, handler_map={tuple: _Signs()}, fontsize=8.5,
        frameon=False, borderpad=0, borderaxespad=0, handlelength=1.3, handletextpad=0.4,
        columnspacing=1,
    )  # fmt: skip


def _draw_plan(ax: Axes, plan: list[Action], middle: float, height: int) -> None:
    drawn: dict[tuple, int] = {}
    aimless = [f"{i} {a}" for i, a in enumerate(plan, 1) if a.target is None]
    ax.text(middle, height - 0.28, ", ".join(aimless), ha="center", va="center", fontsize=8)
    for number, action in enumerate(plan, 1):
        if action.target is None:
            continue
        key = (action.source, action.target)
        repeat = drawn[key] = drawn.get(key, -1) + 1
        colour = ARROW_COLOURS[action.kind]
        if action.source is None:
            _draw_number(
                ax, number, action.target[0] - 0.34 + 0.2 * repeat, action.target[1] - 0.34, colour
            )
            continue
        bend = (0.16, -0.2, 0.45)[repeat % 3]  # repeated actions side by side
        ax.add_patch(
            FancyArrowPatch(
                action.source, action.target, connectionstyle=f"arc3,rad={bend}",
                arrowstyle="-|>,head_length=5,head_width=3", shrinkA=9, shrinkB=9, lw=2,
                color=colour, zorder=7,
            )
        )  # fmt: skip
        (x, y), (u, v) = action.source, action.target
        # The middle of the arc that matplotlib draws in display space, where y points up.
        _draw_number(
            ax, number, (x + u) / 2 - bend / 2 * (v - y), (y + v) / 2 + bend / 2 * (u - x), colour
        )


def _draw_number(ax: Axes, number: int, x: float, y: float, colour: str) -> None:
    ax.add_patch(Circle((x, y), 0.13, fc="white", ec=colour, lw=1.4, zorder=8))
    ax.text(
        x, y + 0.01, number, ha="center", va="center", fontsize=8, weight="bold", color=colour,
        zorder=9,
    )  # fmt: skip
