"""What the experiments over numbers of action points show, in sentences."""

from __future__ import annotations

import pandas as pd

from heroacademy.analysis.matches import estimate_of
from heroacademy.statistics import AGREES, verdict

OEP_CLAIM = 0.55  # what the paper claims for OEP against each MCTS variant from 10 points on
MANY_POINTS = 10


def _list(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers)) or "none"


def _where(table: pd.DataFrame, relation: str, value: float = 0.5) -> list[int]:
    """Numbers of action points at which an interval lies wholly above or below a value."""
    return [
        row["action_points"]
        for row in table.to_dict("records")
        if verdict(estimate_of(row), relation, value) == AGREES
    ]


def sides(table: pd.DataFrame) -> list[str]:
    """For each pair, at which numbers of action points it is clearly above and below 50 %."""
    return [
        f"{pair}: clearly above 50 % at {_list(_where(part, 'above'))}, clearly below at "
        f"{_list(_where(part, 'below'))} (numbers of action points)."
        for pair, part in table.groupby("pair", sort=False)
    ]


def oep_claim(table: pd.DataFrame) -> list[str]:
    """How the claim for OEP at many action points fares; nothing if none are in the table."""
    many = table[table["action_points"] >= MANY_POINTS]
    if not len(many):
        return []
    above, below = (len(_where(many, side, OEP_CLAIM)) for side in ("above", "below"))
    return [
        f"From {MANY_POINTS} action points on OEP is to win {100 * OEP_CLAIM:.0f} % or more: it "
        f"clearly does at {above} of {len(many)} points of the figure, clearly does not at "
        f"{below}, and the intervals of the others leave it open."
    ]


def findings(table: pd.DataFrame, advantage: pd.DataFrame, by_value: pd.DataFrame) -> str:
    """Fig. 5, the same with the other choice of what MCTS plays, the starting player."""
    lines = sides(table) + oep_claim(table)
    lines += [f"With the best mean value played, {line}" for line in sides(by_value)]
    lines += [f"With the best mean value played: {line}" for line in oep_claim(by_value)]
    starts = [
        f"{row['win %']:.0f} % [{row['low']:.0f}, {row['high']:.0f}] at {row['action_points']:g}"
        for row in advantage.to_dict("records")
    ]
    lines.append(f"Player 1 wins {', '.join(starts)} action points.")
    return "\n".join(f"- {line}" for line in lines)


def fh_findings(parts: pd.DataFrame, baselines: pd.DataFrame, emcts: pd.DataFrame) -> str:
    """Fig. 6, Fig. 7 and EMCTS without a flexible horizon."""
    lines = [f"FH-EMCTS with {line}" for line in sides(parts)]
    lines += [f"FH-EMCTS {line}" for line in sides(baselines)]
    above, below = (len(_where(baselines, side)) for side in ("above", "below"))
    lines.append(
        f"It clearly wins more than half at {above} of {len(baselines)} points of Fig. 7 and "
        f"clearly less at {below}; the intervals of the others contain 50 %."
    )
    lines += [f"EMCTS {line}" for line in sides(emcts)]
    return "\n".join(f"- {line}" for line in lines)
