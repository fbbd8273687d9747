"""A round robin of the OEP paper's agents: does the order of its Table II show?"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from heroacademy.agents.base import Budget
from heroacademy.agents.matches import match
from heroacademy.agents.registry import make_agent
from heroacademy.config import GameConfig
from heroacademy.warmup import warm_up

PAPER_AGENTS = (
    "random", "greedy-action", "greedy-turn", "vanilla-mcts", "nonexploring-mcts", "bb-mcts", "oep",
)  # fmt: skip


def run(names: Sequence[str], fm_calls: int, games: int) -> None:
    """Print the score of every pair with its 95 % interval, a line as soon as it is known."""
    warm_up(agents=names)
    budget = Budget(fm_calls=fm_calls)
    print(f"{games} games a pair, {fm_calls:,} calls a turn; share of the first, draws half\n")
    print("| first | second | score [95 %] |\n|---|---|---|")
    for second, first in combinations(names, 2):
        score = match(GameConfig(), make_agent(first), make_agent(second), budget, games)
        print(f"| {first} | {second} | {score} |", flush=True)
