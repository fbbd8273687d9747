"""The landscape of horizons, and the best ones beside those of the FH-EMCTS paper."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from heroacademy import paper
from heroacademy.analysis.matches import estimate_of, summarise, with_holm
from heroacademy.analysis.printed import beside_printed, summary
from heroacademy.experiments.designs import horizon_agent
from heroacademy.experiments.horizons import horizons_of
from heroacademy.experiments.profiles import Size
from heroacademy.experiments.results import head_to_head


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
    matches = {
        points: head_to_head(
            report[report["action_points"] == points], horizon_agent(horizon), "emcts"
        )
        for points, horizon in best.items()
    }
    rows = [
        {"action_points": points, "best h": best[points]} | summarise(match)
        for points, match in matches.items()
    ]
    return with_holm(pd.DataFrame(rows)).join(_printed(matches), on="action_points")


def _printed(matches: Mapping[int, pd.DataFrame]) -> pd.DataFrame:
    """What the paper prints beside our scores, by those action points that it has."""
    printed = paper.horizons()
    printed = printed.loc[[points for points in matches if points in printed.index]]
    compared = beside_printed(
        [matches[points] for points in printed.index],
        [(rate,) for rate in printed["win_rate"]],
        paper.numbers("horizons")["games"],
    )
    compared.insert(0, "paper h", printed["horizon"].to_numpy())
    return compared.set_index(printed.index)


def beside_the_paper(table: pd.DataFrame) -> pd.DataFrame:
    """The rows for whose action points the paper prints a number."""
    return table.dropna(subset="verdict")


def paper_best() -> dict[int, int]:
    """The paper's best horizon by number of action points."""
    return paper.horizons()["horizon"].astype(int).to_dict()


def findings(table: pd.DataFrame) -> str:
    """The best horizons in a few sentences."""
    scores = "; ".join(
        f"h = {row['best h']} at {row['action_points']} AP {estimate_of(row)}"
        for row in table.to_dict("records")
    )
    lines = [f"Against EMCTS on fresh starts the best horizons of the tuning win: {scores}."]
    compared = beside_the_paper(table)
    if len(compared):
        labels = [f"{points} AP" for points in compared["action_points"]]
        printed = paper.numbers("horizons")
        lines.append(
            f"Of these win rates, {summary(compared, labels, printed['games'])}. The printed ones "
            f"are each the best of {printed['most_beyond_turn'] + 1} horizons', and so flattered "
            "by the choice; ours are from starts that played no part in it."
        )
    return "\n".join(f"- {line}" for line in lines)
