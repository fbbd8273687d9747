"""What searches do within their budget: outcomes, iterations, depths, and what it is worth."""

from __future__ import annotations

import json
import math

import pandas as pd
from numpy.typing import ArrayLike

from heroacademy import paper
from heroacademy.engine.evaluation import WIN_VALUE
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
# where an agent's number is another thing: a node of these trees is a plan, its children mutate it
OTHER_LABELS = {
    (agent, "max_leaf_depth"): "deepest leaf, in mutations" for agent in ("emcts", "fh-emcts")
}


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
    """For each agent and measure: mean, half width of its 95 % interval, median, positions."""
    wide = with_statistics(searches)
    rows = []
    for agent, part in wide.groupby("agent", sort=False):
        for column, label in MEASURES.items():
            if column in part and part[column].notna().any():
                mean, half = mean_and_half_width(part[column])
                rows.append(
                    {"agent": agent, "measure": OTHER_LABELS.get((agent, column), label),
                     "mean": mean, "±": half, "median": part[column].median(),
                     "positions": part[column].notna().sum()}
                )  # fmt: skip
    return pd.DataFrame(rows)


def anytime(searches: pd.DataFrame) -> pd.DataFrame:
    """How far plans fall short of the best that any agent found, for each agent and budget.

    What a plan is worth is the evaluation at the end of the own turn, whatever the agent itself
    looks at. Mean over positions and half width of its 95 % interval.

    A win is worth many times what a turn gains: the few positions in which some agent found one
    would decide every mean. They are left out of it, and the wins found in them are counted.
    """
    table = with_statistics(searches)
    best = table.groupby("position")["value"].transform("max")
    table["winnable"] = best >= WIN_VALUE
    table["loss"] = (best - table["value"]).mask(table["winnable"])
    rows = []
    for agent, own in table.groupby("agent", sort=False):
        for _, part in own.groupby("budget"):
            loss, half = mean_and_half_width(part["loss"])
            rows.append(
                {"agent": agent, "calls": part["fm_calls"].mean(), "loss": loss, "±": half,
                 "positions": part["loss"].notna().sum(), "winnable": part["winnable"].sum(),
                 "wins found": (part["value"] >= WIN_VALUE).sum()}
            )  # fmt: skip
    return pd.DataFrame(rows)


def convergence(searches: pd.DataFrame) -> pd.DataFrame:
    """How many distinct values OEP's population holds after numbers of generations."""
    own = with_statistics(searches[searches["agent"] == "oep"])
    rows = []
    for _, part in own.groupby("budget"):
        distinct, half = mean_and_half_width(part["distinct_values"])
        rows.append(
            {"calls": part["fm_calls"].mean(), "generations": part["generations"].mean(),
             "distinct values": distinct, "±": half, "positions": len(part)}
        )  # fmt: skip
    return pd.DataFrame(rows)


def wide(table: pd.DataFrame) -> pd.DataFrame:
    """The characteristics with a row for each agent and a column for each measure."""
    texts = table.assign(text=list(map(with_error, table["mean"], table["±"])))
    square = texts.pivot(index="agent", columns="measure", values="text").reindex(
        index=list(dict.fromkeys(table["agent"])), columns=list(dict.fromkeys(table["measure"]))
    )
    return square.fillna("").assign(positions=table.groupby("agent")["positions"].max())


def with_error(mean: float, half: float) -> str:
    """
    >>> with_error(528_768.2, 67_661.9), with_error(4.61, 0.3), with_error(6.0, math.nan)
    ('528,768 ± 67,662', '4.6 ± 0.3', '6.0, no interval')
    """
    error = ", no interval" if math.isnan(half) else f" ± {half:,.{_digits(mean)}f}"
    return f"{mean:,.{_digits(mean)}f}{error}"


def _digits(value: float) -> int:
    """Digits after the point that are worth printing."""
    return 0 if abs(value) >= 1000 else 1


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
    numbers = [
        f"{row['measure']} of {row['agent']} {with_error(row['mean'], row['±'])} (median "
        f"{row['median']:,.{_digits(row['median'])}f}) and {row['paper']:,g}"
        for row in compared.to_dict("records")
    ]
    positions = compared["positions"].max()
    lines = [f"- Here, over {positions} positions, and in the paper: {'; '.join(numbers)}."]
    first, last = converged.iloc[0], converged.iloc[-1]
    lines.append(
        f"- OEP's population holds {with_error(first['distinct values'], first['±'])} distinct "
        f"values after {first['generations']:.0f} generations and "
        f"{with_error(last['distinct values'], last['±'])} after {last['generations']:,.0f}, over "
        f"{last['positions']:.0f} positions."
    )
    lines.append(f"- OEP with a tenth of the budget wins {tenth} against OEP with all of it.")
    return "\n".join(lines)
