"""The landscape of horizons, and the best ones beside those of the FH-EMCTS paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from heroacademy import paper
from heroacademy.analysis.matches import estimate_of, summarise, with_holm
from heroacademy.analysis.printed import beside_printed, summary
from heroacademy.experiments.designs import horizon_agent
from heroacademy.experiments.horizons import horizons_of
from heroacademy.experiments.profiles import Size
from heroacademy.experiments.results import differences_by_start, head_to_head
from heroacademy.statistics import LEVEL, holm, signed_rank_test


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


def not_worse(
    tuned: pd.DataFrame, size: Size, best: Mapping[int, int], level: float = LEVEL
) -> dict[int, list[int]]:
    """For each number of action points the horizons not shown to be worse than the best one.

    Horizons are compared with the best start by start, on the games of the tuning that both have
    played, by signed-rank tests with Holm's correction for the horizons of one number of action
    points. The best was chosen by these games, which flatters it: one horizon too many may be
    found worse, and those that were dropped early had few games to be found so.
    """
    return {
        points: _close(tuned[tuned["action_points"] == points], horizons_of(size, points), h, level)
        for points, h in best.items()
    }


def _close(tuned: pd.DataFrame, tried: Sequence[int], best: int, level: float) -> list[int]:
    matches = {h: head_to_head(tuned, horizon_agent(h), "emcts") for h in tried}
    leads = {h: differences_by_start(matches[best], matches[h]) for h in tried if h != best}
    p = dict(zip(leads, holm([signed_rank_test(lead) for lead in leads.values()]), strict=True))
    return [h for h in tried if h == best or p[h] >= level or leads[h].mean() < 0]


def with_range(table: pd.DataFrame, close: Mapping[int, Sequence[int]]) -> pd.DataFrame:
    """A table of best horizons with those that are not shown to be worse."""
    table = table.copy()
    texts = [ranges(close[points]) for points in table["action_points"]]
    table.insert(table.columns.get_loc("best h") + 1, "not shown worse", texts)
    return table


def ranges(numbers: Sequence[int]) -> str:
    """
    >>> ranges([5, 6, 7, 9]), ranges([5])
    ('5 to 7, 9', '5')
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def show_ranges(close: Mapping[int, Sequence[int]]) -> str:
    """
    >>> show_ranges({2: [4, 5], 5: [7]})
    'h = 4 to 5 at 2 AP, 7 at 5 AP'
    """
    return "h = " + ", ".join(f"{ranges(some)} at {points} AP" for points, some in close.items())


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


def findings(table: pd.DataFrame, close: Mapping[int, Sequence[int]]) -> str:
    """The best horizons in a few sentences; `close` has those not shown to be worse."""
    scores = "; ".join(
        f"h = {row['best h']} at {row['action_points']} AP {estimate_of(row)}"
        for row in table.to_dict("records")
    )
    lines = [f"Against EMCTS on fresh starts the best horizons of the tuning win: {scores}."]
    beyond = [points for points, some in close.items() if points not in some]
    lines.append(
        "A plan beyond the turn is shown to be better than the turn itself (h = AP is worse than "
        f"the best horizon) at {len(beyond)} of {len(close)} numbers of action points. Not shown "
        f"to be worse than the best: {show_ranges(close)}."
    )
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
