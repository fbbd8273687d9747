"""What searches do within their budget: outcomes, iterations, depths, and how values grow."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from heroacademy import paper
from heroacademy.statistics import Estimate, mean_interval

# column of the statistics -> what it is called in the table
MEASURES = {
    "unique_outcomes": "unique outcomes",
    "iterations": "iterations",
    "generations": "generations",
    "mean_leaf_depth": "mean leaf depth",
    "max_leaf_depth": "deepest leaf",
    "nodes": "nodes",
    "fm_calls": "calls",
}
PAPER_NAMES = {"max_leaf_depth": "deepest_leaf"}  # where the paper's numbers are named otherwise
DEEPER_VALUE = ("fh-emcts",)  # their curves value a state beyond the turn, not comparable


def with_statistics(searches: pd.DataFrame) -> pd.DataFrame:
    """Searches with a column for each reported number, and `budget`, in calls or seconds.

    What was used, `fm_calls`, takes the place of what was allowed.
    """
    stats = pd.DataFrame([json.loads(text) for text in searches["stats"]], index=searches.index)
    budget = searches["fm_calls"].fillna(searches["seconds"])
    kept = searches.drop(columns=[name for name in searches if name in stats])
    return pd.concat([kept.assign(budget=budget), stats], axis=1)


def mean_and_half_width(values: ArrayLike, groups: ArrayLike | None = None) -> tuple[float, float]:
    """Mean and half of its 95 % interval, see `mean_interval`; one value has no interval.

    >>> mean, half = mean_and_half_width(pd.Series([1.0, 2.0, 3.0]))
    >>> float(mean), round(float(half), 3)
    (2.0, 2.484)
    """
    mean = mean_interval(values, groups)
    half = mean.high - mean.value
    return mean.value, half if math.isfinite(half) else math.nan


def characteristics(searches: pd.DataFrame) -> pd.DataFrame:
    """For each agent and measure: mean, half width of its 95 % interval, positions."""
    wide = with_statistics(searches)
    rows = []
    for agent, part in wide.groupby("agent", sort=False):
        for column, label in MEASURES.items():
            if column in part and part[column].notna().any():
                mean, half = mean_and_half_width(part[column])
                rows.append(
                    {"agent": agent, "measure": label, "mean": mean, "±": half,
                     "positions": part[column].notna().sum()}
                )  # fmt: skip
    return pd.DataFrame(rows)


def anytime(searches: pd.DataFrame, points: int = 60) -> pd.DataFrame:
    """Best value found so far against calls, as the loss to the best value any agent found.

    One row for each agent and number of calls: mean over positions and half width of its 95 %
    interval; calls at which some position has no value yet are left out.
    """
    searches = searches[~searches["agent"].isin(DEEPER_VALUE)]
    best = searches.groupby("position")["value"].max()
    limit = max(json.loads(text)[-1][0] for text in searches["curve"] if text != "[]")
    grid = np.unique(np.geomspace(10, limit, points).astype(int))
    rows = []
    for agent, part in searches.groupby("agent", sort=False):
        losses = np.array(
            [
                best[position] - _at(json.loads(curve), grid)
                for position, curve in zip(part["position"], part["curve"], strict=True)
                if curve != "[]"
            ]
        )
        if not len(losses):
            continue
        for calls, column in zip(grid, losses.T, strict=True):
            if not np.isnan(column).any():
                mean, half = mean_and_half_width(pd.Series(column))
                rows.append({"agent": agent, "calls": calls, "loss": mean, "±": half})
    return pd.DataFrame(rows)


def _at(curve: Sequence[Sequence[float]], grid: np.ndarray) -> np.ndarray:
    """The value of a curve at numbers of calls, NaN before its first point."""
    calls, values = np.array(curve).T
    place = np.searchsorted(calls, grid, side="right") - 1
    return np.where(place < 0, np.nan, values[place])


def convergence(searches: pd.DataFrame) -> pd.DataFrame:
    """How many distinct values OEP's population holds after numbers of generations."""
    wide = with_statistics(searches)
    rows = []
    for _, part in wide.groupby("budget"):
        distinct, half = mean_and_half_width(part["distinct_values"])
        rows.append(
            {"calls": part["fm_calls"].mean(), "generations": part["generations"].mean(),
             "distinct values": distinct, "±": half, "positions": len(part)}
        )  # fmt: skip
    return pd.DataFrame(rows)


def wide(table: pd.DataFrame) -> pd.DataFrame:
    """The characteristics with a row for each agent and a column for each measure."""
    return table.pivot(index="agent", columns="measure", values="mean").reindex(
        index=list(dict.fromkeys(table["agent"])), columns=list(dict.fromkeys(table["measure"]))
    )


def compare_with_paper(table: pd.DataFrame) -> pd.DataFrame:
    """The characteristics for which the paper prints a number."""
    numbers = paper.numbers("search_characteristics")
    rows = []
    for column, label in MEASURES.items():
        for agent, printed in numbers.get(PAPER_NAMES.get(column, column), {}).items():
            own = table[(table["agent"] == agent) & (table["measure"] == label)]
            rows += [row | {"paper": printed} for row in own.to_dict("records")]
    return pd.DataFrame(rows)


def findings(compared: pd.DataFrame, converged: pd.DataFrame, tenth: Estimate) -> str:
    """What the searches did, beside the paper's numbers, in a few sentences."""
    lines = [
        f"- {row['agent']}, {row['measure']}: {row['mean']:,.1f} ± {row['±']:,.1f} here, "
        f"{row['paper']:,g} in the paper."
        for row in compared.to_dict("records")
    ]
    first, last = converged.iloc[0], converged.iloc[-1]
    lines.append(
        f"- OEP's population holds {first['distinct values']:.0f} distinct values after "
        f"{first['generations']:.0f} generations and {last['distinct values']:.0f} after "
        f"{last['generations']:,.0f}."
    )
    lines.append(f"- OEP with a tenth of the budget wins {tenth} against OEP with all of it.")
    return "\n".join(lines)
