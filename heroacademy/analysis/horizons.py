"""The landscape of horizons, and the best ones beside those of the FH-EMCTS paper."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from heroacademy import paper
from heroacademy.analysis.matches import estimate_of, summarise, with_holm
from heroacademy.experiments.designs import horizon_agent
from heroacademy.experiments.horizons import horizons_of
from heroacademy.experiments.profiles import Size
from heroacademy.experiments.results import head_to_head
from heroacademy.statistics import agreement


def landscape(tuned: pd.DataFrame, size: Size) -> pd.DataFrame:
    """Win rate against EMCTS for each number of action points and each horizon tried."""
    rows = []
    for points in size.action_points:
        games = tuned[tuned["action_points"] == points]
        for horizon in horizons_of(size, points):
            match = head_to_head(games, horizon_agent(horizon), "emcts")
            row = {"action_points": points, "horizon": horizon, "beyond": horizon - points}
            rows.append(row | summarise(match))
    return pd.DataFrame(rows)


def best_horizons(report: pd.DataFrame, best: Mapping[int, int]) -> pd.DataFrame:
    """The best horizon of each number of action points, on fresh starts, and the paper's."""
    printed = paper.horizons()
    rows = []
    for points, horizon in best.items():
        games = report[report["action_points"] == points]
        match = head_to_head(games, horizon_agent(horizon), "emcts")
        row = {"action_points": points, "best h": horizon} | summarise(match)
        if points in printed.index:
            theirs = printed.loc[points]
            p = agreement(
                estimate_of(row), [theirs["win_rate"]], paper.numbers("horizons")["games"]
            )
            row |= {
                "paper h": int(theirs["horizon"]),
                "paper %": 100 * theirs["win_rate"],
                "p paper": p,
            }
        rows.append(row)
    return with_holm(pd.DataFrame(rows))


def paper_best() -> dict[int, int]:
    """The paper's best horizon by number of action points."""
    return paper.horizons()["horizon"].astype(int).to_dict()


def findings(table: pd.DataFrame) -> str:
    """The best horizons in a few sentences."""
    lines = []
    for row in table.to_dict("records"):
        beside = ""
        if "paper h" in row and not pd.isna(row["paper h"]):
            beside = f"; the paper has h = {row['paper h']:.0f} and {row['paper %']:.0f} %"
        lines.append(
            f"- {row['action_points']} action points: h = {row['best h']} was best in the tuning "
            f"and wins {estimate_of(row)} on fresh starts{beside}."
        )
    longer = table[table["best h"] > table["action_points"]]
    lines.append(
        f"- A horizon beyond the turn was best at {len(longer)} of {len(table)} numbers of action "
        "points."
    )
    return "\n".join(lines)
