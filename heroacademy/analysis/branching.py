"""How large the game is, counted in recorded games."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from heroacademy import complexity, paper
from heroacademy.analysis.characteristics import mean_and_half_width, with_error
from heroacademy.config import GameConfig
from heroacademy.experiments import moves
from heroacademy.experiments.specs import start_seed
from heroacademy.state import new_game
from heroacademy.statistics import Interval, mean_interval

PLAYERS_A_ROUND = 2
END_KIND = "end turn"
PAPER_POINTS = 5
TURN_SIZE, TREE_SIZE = "log10 of a turn's sequences", "log10 of the game tree"
SAMPLED_STARTS = 10


def decisions(games: pd.DataFrame) -> pd.DataFrame:
    """One row for every decision of the games: game, turn, agent, choices, choices after pruning.

    Ends of turns are no decisions: nothing else is legal then.
    """
    rows = []
    for game, row in enumerate(games.to_dict("records")):
        state = new_game(_config(row), start_seed(row["starts"], int(row["start"])))
        for action in moves.decode(row["moves"]):
            if action.kind != END_KIND:
                choices = (state.count_actions(), state.count_actions(pruned=True))
                rows.append((game, state.turn, row[f"agent{state.player}"], *choices))
            state = state.apply(action)
    return pd.DataFrame(rows, columns=["game", "turn", "agent", "choices", "pruned"])


def _config(row: Mapping[str, Any]) -> GameConfig:
    points = row["first_turn_points"]
    return GameConfig(
        map=row["map"],
        deck=row["deck"],
        action_points=int(row["action_points"]),
        turn_limit=int(row["turn_limit"]),
        first_turn_points=None if pd.isna(points) else int(points),
        draws=row["draws"],
    )


def sample(games: pd.DataFrame) -> pd.DataFrame:
    """The games of the first starts, for numbers that do not need more."""
    return games[games["start"] < SAMPLED_STARTS]


def without_random(games: pd.DataFrame) -> pd.DataFrame:
    """Games between agents that choose their actions."""
    return games[(games["agent1"] != "random") & (games["agent2"] != "random")]


def own_choices(games: pd.DataFrame) -> pd.DataFrame:
    """For each game and agent: the start, and its mean number of choices in its own turns."""
    every = decisions(games)
    means = every.groupby(["agent", "game"], sort=False)["choices"].mean().reset_index()
    return means.assign(start=games["start"].to_numpy()[means["game"]])


def mean_by_agent(own: pd.DataFrame, confidence: float = 0.95) -> dict[str, Interval]:
    """The mean of `own_choices` for each agent; games from the same start count as one."""
    return {
        agent: mean_interval(part["choices"], part["start"], confidence)
        for agent, part in own.groupby("agent", sort=False)
    }


def agents_table(games: pd.DataFrame) -> pd.DataFrame:
    """The choices of each agent in its own turns as a table."""
    own = own_choices(games)
    rows = []
    for agent, part in own.groupby("agent", sort=False):
        mean, half = mean_and_half_width(part["choices"], part["start"])
        rows.append({"agent": agent, "choices an action": mean, "±": half, "games": len(part)})
    return pd.DataFrame(rows)


def by_turn(every: pd.DataFrame) -> pd.DataFrame:
    """Median and middle half of the numbers of choices in each turn that half of the games have."""
    games = every.groupby("turn")["game"].nunique()
    common = games[games >= games.max() / 2]
    parts = []
    for column, label in {"choices": "legal", "pruned": "after pruning"}.items():
        quartiles = every.groupby("turn")[column].quantile([0.25, 0.5, 0.75]).unstack()
        quartiles.columns = ["low", "median", "high"]
        parts.append(quartiles.loc[common.index].assign(choices=label, games=common).reset_index())
    return pd.concat(parts, ignore_index=True)


def tree_logs(every: pd.DataFrame) -> pd.DataFrame:
    """For each game, as powers of ten: sequences of a turn (its mean) and of the whole game."""
    logs = np.log10(every["choices"])
    turns = logs.groupby([every["game"], every["turn"]]).sum()
    return pd.DataFrame(
        {"turn": turns.groupby("game").mean(), "game": logs.groupby(every["game"]).sum()}
    )


def sizes(games: pd.DataFrame, every: pd.DataFrame) -> pd.DataFrame:
    """Branching factors, lengths and the size of the game tree, each a mean over games.

    The tree's size is counted along each game: the product of the numbers of choices at all its
    decisions, as a power of ten. Intervals take games from the same start as one.
    """
    logs = tree_logs(every)
    measures = {
        "choices an action": every.groupby("game")["choices"].mean(),
        "choices an action, pruned": every.groupby("game")["pruned"].mean(),
        TURN_SIZE: logs["turn"],
        "rounds a game": games["turns"].reset_index(drop=True) / PLAYERS_A_ROUND,
        TREE_SIZE: logs["game"],
    }
    rows = []
    for label, values in measures.items():
        mean, half = mean_and_half_width(values, games["start"])
        rows.append({"measure": label, "mean": mean, "±": half, "games": len(values)})
    return pd.DataFrame(rows)


def compare_with_paper(table: pd.DataFrame) -> pd.DataFrame:
    """The paper's estimates, its formulas evaluated, and what was counted, with 95 % intervals."""
    rows = table.set_index("measure")
    numbers = paper.numbers("complexity")
    turn = complexity.turn_size(numbers["branching"], PAPER_POINTS)
    tree = complexity.game_tree_size(numbers["branching"], PAPER_POINTS, numbers["rounds"])
    choices, rounds = rows.loc["choices an action"], rows.loc["rounds a game"]
    same_formula = complexity.game_tree_size(choices["mean"], PAPER_POINTS, rounds["mean"])
    printed, summed = complexity.state_space_as_printed(), complexity.state_space_as_sum()
    exact, states = complexity.scientific, numbers["state_space"]
    compared = [
        ("choices an action", f"{numbers['branching']}", "", *_counted(choices)),
        ("rounds a game", f"{numbers['rounds']}", "", *_counted(rounds)),
        ("sequences of a turn", numbers["turn_size"], exact(turn), *_power(rows.loc[TURN_SIZE])),
        ("game tree", numbers["game_tree_size"], exact(tree), *_power(rows.loc[TREE_SIZE])),
        ("game tree, arithmetic with our means", "", f"10^{same_formula:.0f}", "", ""),
        ("states, equation (1) as printed", states, exact(printed), "", ""),
        ("states, equation (1) with a sum", states, exact(summed), "", ""),
    ]
    columns = ["size", "paper", "its formula evaluated", "counted here", "games"]
    return pd.DataFrame(compared, columns=columns)


def _counted(row: pd.Series) -> tuple[str, str]:
    """A mean with its interval, and the games behind it."""
    return with_error(row["mean"], row["±"]), f"{row['games']:.0f}"


def _power(row: pd.Series) -> tuple[str, str]:
    """A power of ten with the interval of its exponent, and the games behind it.

    The interval is as wide as factors of ten, so there is no mantissa to tell.

    >>> _power(pd.Series({"mean": 385.4, "±": 28.8, "games": 60}))
    ('10^385 [357, 414]', '60')
    >>> _power(pd.Series({"mean": 7.964, "±": 0.088, "games": 60}))
    ('10^7.96 [7.88, 8.05]', '60')
    """
    mean, half, games = row["mean"], row["±"], f"{row['games']:.0f}"
    if math.isnan(half):
        return f"10^{mean:.0f}, no interval", games
    digits = max(0, -math.floor(math.log10(half))) if half else 2
    return f"10^{mean:.{digits}f} [{mean - half:.{digits}f}, {mean + half:.{digits}f}]", games


def findings(table: pd.DataFrame, compared: pd.DataFrame) -> str:
    """What was counted, in a few sentences."""
    rows = table.set_index("measure")
    games = int(table["games"].iloc[0])
    sizes_ = compared.set_index("size")

    def mean(measure: str) -> str:
        return with_error(*rows.loc[measure, ["mean", "±"]])

    return (
        f"- Over {games} games there are {mean('choices an action')} choices an action, "
        f"{mean('choices an action, pruned')} after pruning; the paper says "
        f"{sizes_.loc['choices an action', 'paper']}.\n"
        f"- A game lasts {mean('rounds a game')} rounds; the paper says "
        f"{sizes_.loc['rounds a game', 'paper']}. The size of the tree, counted along "
        f"the games, is {sizes_.loc['game tree', 'counted here']} instead of "
        f"{sizes_.loc['game tree', 'paper']}.\n"
        f"- Equation (1) evaluates to "
        f"{sizes_.loc['states, equation (1) as printed', 'its formula evaluated']} as printed and "
        f"to {sizes_.loc['states, equation (1) with a sum', 'its formula evaluated']} with a sum, "
        f"neither of which is the printed {sizes_.loc['states, equation (1) as printed', 'paper']}."
    )
