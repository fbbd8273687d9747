"""How large the game is, counted in recorded games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from heroacademy import complexity, paper
from heroacademy.analysis.characteristics import mean_and_half_width
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
    """The paper's estimates, its formulas evaluated, and what was counted."""
    ours = table.set_index("measure")["mean"]
    numbers = paper.numbers("complexity")
    choices, rounds = ours["choices an action"], ours["rounds a game"]
    turn = complexity.turn_size(numbers["branching"], PAPER_POINTS)
    tree = complexity.game_tree_size(numbers["branching"], PAPER_POINTS, numbers["rounds"])
    same_formula = complexity.game_tree_size(choices, PAPER_POINTS, rounds)
    rows = [
        ("choices an action", f"{numbers['branching']}", "", f"{choices:.1f}", "choices an action"),
        ("rounds a game", f"{numbers['rounds']}", "", f"{rounds:.1f}", "rounds a game"),
        (
            "sequences of a turn", numbers["turn_size"], complexity.scientific(turn),
            complexity.scientific(ours[TURN_SIZE]), TURN_SIZE,
        ),
        (
            "game tree", numbers["game_tree_size"], complexity.scientific(tree),
            complexity.scientific(ours[TREE_SIZE]), TREE_SIZE,
        ),
        ("game tree, formula with our means", "", "", complexity.scientific(same_formula), ""),
        (
            "states, equation (1) as printed", numbers["state_space"],
            complexity.scientific(complexity.state_space_as_printed()), "", "",
        ),
        (
            "states, equation (1) with a sum", numbers["state_space"],
            complexity.scientific(complexity.state_space_as_sum()), "", "",
        ),
    ]  # fmt: skip
    columns = ["size", "paper", "its formula evaluated", "counted here", "±"]
    compared = pd.DataFrame(rows, columns=columns)
    return compared.assign(**{"±": [_error(table, measure) for measure in compared["±"]]})


def _error(table: pd.DataFrame, measure: str) -> str:
    """Half of a measure's 95 % interval and the games behind it."""
    if not measure:
        return ""
    row = table.set_index("measure").loc[measure]
    of_what = " in the exponent" if measure.startswith("log10") else ""
    return f"{row['±']:.2g}{of_what} ({row['games']:.0f} games)"


def findings(table: pd.DataFrame, compared: pd.DataFrame) -> str:
    """What was counted, in a few sentences."""
    rows = table.set_index("measure")
    games = int(table["games"].iloc[0])
    sizes_ = compared.set_index("size")

    def mean(measure: str) -> str:
        half = rows.loc[measure, "±"]
        return f"{rows.loc[measure, 'mean']:.1f}" + ("" if pd.isna(half) else f" ± {half:.1f}")

    return (
        f"- Over {games} games there are {mean('choices an action')} choices an action, "
        f"{mean('choices an action, pruned')} after pruning; the paper says "
        f"{sizes_.loc['choices an action', 'paper']}.\n"
        f"- A game lasts {mean('rounds a game')} rounds; the paper says "
        f"{sizes_.loc['rounds a game', 'paper']}. Counted along the games, the tree has "
        f"{sizes_.loc['game tree', 'counted here']} leaves instead of "
        f"{sizes_.loc['game tree', 'paper']}.\n"
        f"- Equation (1) evaluates to "
        f"{sizes_.loc['states, equation (1) as printed', 'its formula evaluated']} as printed and "
        f"to {sizes_.loc['states, equation (1) with a sum', 'its formula evaluated']} with a sum, "
        f"neither of which is the printed {sizes_.loc['states, equation (1) as printed', 'paper']}."
    )
