"""Records of games: one line of JSON each, from which every state can be replayed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from heroacademy.action import Action
from heroacademy.agents.base import Budget
from heroacademy.config import GameConfig
from heroacademy.state import PLAYERS, State, new_game


@dataclass(frozen=True)
class GameRecord:
    """A game from its start to its end.

    agents: for each player its name and all options
    turns: the turn counter at the end
    actions: every action, ends of turns included
    stats: for each turn what the search reported, and whose it was
    """

    config: GameConfig
    agents: dict[int, dict[str, Any]]
    budgets: dict[int, Budget]
    seed: int
    winner: int
    turns: int
    actions: list[Action] = field(repr=False)
    stats: list[dict[str, Any]] = field(default_factory=list, repr=False)

    def __str__(self) -> str:
        """The game in a line; `repr` has all of its settings."""
        names = " against ".join(self.agents[player]["name"] for player in PLAYERS)
        result = f"player {self.winner} wins" if self.winner else "draw"
        return f"{names}, seed {self.seed}: {result} in turn {self.turns}"

    def states(self) -> Iterator[State]:
        """All states of the game, from the first to the last, replayed."""
        state = new_game(self.config, self.seed)
        yield state
        for action in self.actions:
            state = state.apply(action)
            yield state

    def to_json(self) -> str:
        """One line of JSON."""
        data = {
            "config": asdict(self.config),
            "agents": self.agents,
            "budgets": {player: asdict(budget) for player, budget in self.budgets.items()},
            "seed": self.seed,
            "winner": self.winner,
            "turns": self.turns,
            "actions": [str(action) for action in self.actions],
            "stats": self.stats,
        }
        return json.dumps(data)

    @staticmethod
    def from_json(line: str) -> GameRecord:
        data = json.loads(line)
        return GameRecord(
            config=GameConfig(**data["config"]),
            agents={int(player): spec for player, spec in data["agents"].items()},
            budgets={int(player): Budget(**spec) for player, spec in data["budgets"].items()},
            seed=data["seed"],
            winner=data["winner"],
            turns=data["turns"],
            actions=[Action.parse(text) for text in data["actions"]],
            stats=data["stats"],
        )


def save_records(records: Iterable[GameRecord], path: str | Path) -> None:
    """Append records to a file of JSON lines."""
    with Path(path).open("a") as file:
        for record in records:
            file.write(record.to_json() + "\n")


def load_records(path: str | Path) -> list[GameRecord]:
    """The records of a file; a line that is none raises a ValueError that names it."""
    records = []
    with Path(path).open() as file:
        for number, line in enumerate(file, 1):
            try:
                records.append(GameRecord.from_json(line))
            except (ValueError, KeyError, TypeError) as error:
                raise ValueError(
                    f"{path}, line {number} is no record of a game ({error!r}): "
                    "use a file that save_records wrote"
                ) from error
    return records
