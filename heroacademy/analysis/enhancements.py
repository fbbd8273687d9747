"""What the MCTS enhancements do: scores against the plain variants, and the best combinations."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping

import numpy as np
import pandas as pd

from heroacademy import paper
from heroacademy.analysis.matches import estimate_of, summarise, with_holm
from heroacademy.experiments import enhancements as design
from heroacademy.experiments.designs import MCTS_AGENTS
from heroacademy.experiments.results import between, head_to_head

SIGNIFICANT = 0.05
MOSTLY = 50  # percent
# What a search reports of how often an enhancement acted, of those that can tell.
ACTS = {
    "tree reuse": "reused_nodes",
    "breadth-first initialization": "unsafe",
    "loss avoidance": "losses_avoided",
    "novelty-based pruning": "not_novel",
}


def scores(games: pd.DataFrame) -> pd.DataFrame:
    """Each combination on top of each plain variant, against that variant; Holm over a variant.

    "same games %" tells how often both games from a start are the same, move by move: an option
    that never acts makes two equal players, and no number of games would tell them apart.
    "acted a turn" counts, where a search reports it, nodes kept of the last tree, root actions
    pruned as unsafe, losses replaced, and actions found not to be novel.
    """
    tables = []
    for base in MCTS_AGENTS:
        rows = [
            {"base": base, "enhancement": label}
            | summarise(head_to_head(games, *pair))
            | {
                "same games %": 100 * same_games(between(games, *pair)),
                "acted a turn": mean_of(between(games, *pair), ACTS.get(label, "")),
            }
            for label, pair in design.pairs(base).items()
        ]
        tables.append(with_holm(pd.DataFrame(rows)))
    return pd.concat(tables, ignore_index=True)


def same_games(games: pd.DataFrame) -> float:
    """The share of starts from which both games went the same way."""
    return float((games.groupby("start")["moves"].nunique() == 1).mean())


def together(games: pd.DataFrame) -> pd.DataFrame:
    """All eight against others: what detection adds to them, and what constraint does."""
    rows = [
        {"first": f"{base}, all eight", "second": f"{base}, all but detection"}
        | summarise(head_to_head(games, *design.detection_pair(base)))
        for base in MCTS_AGENTS
    ]
    rows.append(
        {"first": "nonexploring-mcts, all eight", "second": "vanilla-mcts, all eight"}
        | summarise(head_to_head(games, *design.CONSTRAINED_PAIR))
    )
    return with_holm(pd.DataFrame(rows))


def reuse(games: pd.DataFrame) -> pd.DataFrame:
    """Tree Reuse with several factors against the plain variants, and how much was kept."""
    rows = []
    for points, part in games.groupby("action_points"):
        for base in MCTS_AGENTS:
            for factor in design.REUSE_FACTORS:
                pair = design.reuse_pair(base, factor)
                own = between(part, *pair)
                rows.append(
                    {"action_points": points, "base": base, "factor": factor}
                    | summarise(head_to_head(part, *pair))
                    | {
                        "nodes kept a turn": mean_of(own, ACTS["tree reuse"]),
                        "same games %": 100 * same_games(own),
                    }
                )
    return with_holm(pd.DataFrame(rows))


def mean_of(games: pd.DataFrame, name: str) -> float:
    """What the sides that report it report a turn, on average over games; NaN if none does."""
    sides = [json.loads(text) for stats in ("stats1", "stats2") for text in games[stats]]
    found = [stats[name] for stats in sides if name in stats]
    return float(np.mean(found)) if found else math.nan


def tuning(chosen: Mapping[str, design.Choice]) -> pd.DataFrame:
    """Every round of the choice of the best combinations."""
    return pd.DataFrame(
        [
            {"base": base, "round": number, "combination": label, "games": one.games,
             "win %": 100 * one.rates[label]}
            for base, choice in chosen.items()
            for number, one in enumerate(choice.rounds, 1)
            for label in one.arms
        ]
    )  # fmt: skip


def best(games: pd.DataFrame, chosen: Mapping[str, design.Choice]) -> pd.DataFrame:
    """The best combinations against the plain variants, OEP and FH-EMCTS, on fresh starts."""
    rows = [
        {"pair": label} | summarise(head_to_head(games, *pair))
        for label, pair in design.best_pairs(chosen).items()
    ]
    return with_holm(pd.DataFrame(rows))


def in_the_paper() -> pd.DataFrame:
    """What the GVGP paper reports in its own games, in percent."""
    table = paper.gvgp().reset_index()
    return table.assign(**{"win %": 100 * table["win_rate"], "±": 100 * table["plus_minus"]})[
        ["agent", "table", "win %", "±"]
    ]


def findings(table: pd.DataFrame, chosen: Mapping[str, design.Choice], report: pd.DataFrame) -> str:
    """What helps on top of what, and how far it goes, in a few sentences."""
    lines = [_reach(report, rival) for rival in design.RIVALS]
    lines += [_on_top_of(base, part) for base, part in table.groupby("base", sort=False)]
    best_ones = [f"{_in_full(choice)} on {base}" for base, choice in chosen.items()]
    of = max(len(choice.combinations) for choice in chosen.values())
    lines.append(f"Best of {of} combinations on the tuning's starts: {'; '.join(best_ones)}.")
    return "\n".join(f"- {line}" for line in lines)


def _in_full(choice: design.Choice) -> str:
    """A combination by its name, and what is in it if only the tuning's games tell."""
    if choice.label != design.HELPFUL:
        return choice.label
    return f"{choice.label} ({', '.join(choice.names)})"


def _on_top_of(base: str, part: pd.DataFrame) -> str:
    """What makes a plain variant significantly stronger or weaker, and what does nothing."""
    decided = part[part["p Holm"] < SIGNIFICANT]
    named = {
        "significantly stronger with": decided[decided["win %"] > 50]["enhancement"],
        "significantly weaker with": decided[decided["win %"] < 50]["enhancement"],
        "hardly ever acting, in most games two equal players:": part[part["same games %"] > MOSTLY][
            "enhancement"
        ],
    }
    texts = [f"{text} {', '.join(labels)}" for text, labels in named.items() if len(labels)]
    if len(decided) == 0:
        texts.insert(0, "no enhancement is shown to make a difference")
    correction = f"signed-rank test, Holm over {len(part)} rows of {part['games'].max()} games"
    return f"On top of {base}: {'; '.join(texts)} ({correction})."


def _reach(report: pd.DataFrame, rival: str) -> str:
    """How the best combinations fare against one of the papers' planners."""
    rows = report[report["pair"].str.endswith(f" against {rival}")].to_dict("records")
    texts = [
        f"{row['pair'].split(' against ')[0]} {estimate_of(row)}, {_standing(row)} "
        f"(p = {row['p Holm']:.2g})"
        for row in rows
    ]
    return f"Against {rival} the best enhanced variants: {'; '.join(texts)}."


def _standing(row: Mapping[str, float]) -> str:
    """
    >>> _standing({"win %": 70, "p Holm": 0.01}), _standing({"win %": 70, "p Holm": 0.2})
    ('significantly stronger', 'no significant difference shown')
    """
    if row["p Holm"] >= SIGNIFICANT:
        return "no significant difference shown"
    return "significantly stronger" if row["win %"] > 50 else "significantly weaker"
