"""What one game, or one search of a position, is: everything that its result depends on.

A spec is written to and read from a row of text columns. Its key is a hash of them; options at
their class's default are left out of it, so that an agent's new option, off by default, keeps
the keys of old games. Equal keys mean equal results, if budgets count calls: what is stored is
never computed again, and whatever changes play must change the spec. Agents carry a version for
that, the rules too.
"""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from heroacademy.agents.base import Agent, Budget
from heroacademy.agents.games import describe, play, turn_seed
from heroacademy.agents.records import GameRecord
from heroacademy.agents.registry import AGENTS, make_agent
from heroacademy.bench import positions
from heroacademy.config import GameConfig
from heroacademy.errors import one_of
from heroacademy.experiments import moves

RULES_VERSION = 1  # raised when a change of the engine alters games
KEY_DIGITS = 16
# the columns of a game that follow its spec
RESULTS = (
    "winner", "turns", "actions", "moves",
    "calls1", "took1", "stats1", "calls2", "took2", "stats2",
)  # fmt: skip
NOT_AVERAGED = ("turn", "player", "fm_calls", "seconds")

Row = dict[str, str]


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _number(text: str, kind: type) -> Any:
    return kind(text) if text else None


def _alike(value: Any, example: Any) -> Any:
    """A number as an int or a float, as the example is: 1 and 1.0 should be one spec."""
    numbers = type(value) in (int, float) and type(example) in (int, float)
    return type(example)(value) if numbers and float(value).is_integer() else value


def _defaults(agent: str) -> dict[str, Any]:
    """The options of an agent's class with their defaults."""
    return {f.name: f.default for f in fields(AGENTS[agent].kind)}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def start_seed(starts: str, start: int) -> int:
    """Seed of a start: the same for all agents, settings and numbers of games.

    >>> start_seed("report", 0) == start_seed("report", 0) != start_seed("tune", 0)
    True
    """
    return int(_digest(f"{starts}/{start}")[:8], 16)


@dataclass(frozen=True)
class Player:
    """An agent with all its options, the version of its code, and its budget."""

    agent: str
    options: str  # JSON, sorted
    version: int
    budget: Budget

    @staticmethod
    def of(agent: Agent | str, budget: Budget) -> Player:
        agent = make_agent(agent) if isinstance(agent, str) else agent
        spec = describe(agent)
        defaults = _defaults(one_of("agent that can be stored", spec["name"], AGENTS))
        options = {k: _alike(v, defaults[k]) for k, v in spec["options"].items()}
        return Player(spec["name"], json.dumps(options, sort_keys=True), agent.version, budget)

    def make(self) -> Agent:
        """The agent; its code has to be of the same version, or the result would be mislabelled."""
        agent = self._agent()
        if agent.version != self.version:
            raise ValueError(
                f"{self.agent} is asked for in version {self.version}, this code has version "
                f"{agent.version}: use the same code everywhere, or games of this version"
            )
        return agent

    def _agent(self) -> Agent:
        return make_agent(self.agent, **json.loads(self.options))

    @property
    def is_current(self) -> bool:
        """Whether this code has the agent, and with these options in the same version."""
        return self.agent in AGENTS and self._agent().version == self.version

    @property
    def changed_options(self) -> str:
        """The options that are not at their class's default, as JSON."""
        defaults = _defaults(self.agent)
        changed = {k: v for k, v in json.loads(self.options).items() if defaults[k] != v}
        return json.dumps(changed, sort_keys=True)

    def columns(self, suffix: str = "") -> Row:
        values = {
            "agent": self.agent,
            "options": self.options,
            "version": self.version,
            "fm_calls": _alike(self.budget.fm_calls, 0),
            "seconds": _alike(self.budget.seconds, 0.0),
        }
        return {name + suffix: _text(value) for name, value in values.items()}

    @staticmethod
    def from_columns(row: Mapping[str, str], suffix: str = "") -> Player:
        budget = Budget(
            _number(row["fm_calls" + suffix], int), _number(row["seconds" + suffix], float)
        )
        return Player(
            row["agent" + suffix], row["options" + suffix], int(row["version" + suffix]), budget
        )


class Spec(ABC):
    """What game and search specs have in common."""

    @abstractmethod
    def columns(self) -> Row:
        """All that the result depends on, as text."""

    @abstractmethod
    def options(self) -> Row:
        """The columns of options, those at their defaults left out."""

    @property
    @abstractmethod
    def parties(self) -> dict[str, Player]:
        """Who takes part, by the suffix of their columns."""

    def check(self, row: Row) -> None:
        """Raise a ValueError if a stored row of the same key had other options.

        Options at their defaults are not part of the key, so another default would go unnoticed.
        """
        for suffix, player in self.parties.items():
            today = json.loads(player.options)
            for name, value in json.loads(row["options" + suffix]).items():
                if today.get(name, value) != value:
                    raise ValueError(
                        f"{player.agent} has {name}={today[name]!r} by default now, the stored "
                        f"result {row['key']} has {value!r}: raise the agent's version"
                    )

    @cached_property
    def key(self) -> str:
        identity = json.dumps(self.columns() | self.options(), sort_keys=True)
        return _digest(identity)[:KEY_DIGITS]


@dataclass(frozen=True)
class GameSpec(Spec):
    """A game: settings, both players, and from which start of which set of starts."""

    config: GameConfig
    players: tuple[Player, Player]
    starts: str  # REPORT, TUNE or CONFIRM of `designs`
    start: int

    @property
    def seed(self) -> int:
        return start_seed(self.starts, self.start)

    @property
    def file(self) -> str:
        """Name of the file that holds such games."""
        names = sorted(player.agent for player in self.players)
        return f"games/ap{self.config.action_points:02}-{'-vs-'.join(names)}.csv"

    def columns(self) -> Row:
        config = {name: _text(value) for name, value in vars(self.config).items()}
        first, second = (p.columns(str(i)) for i, p in enumerate(self.players, 1))
        start = {"starts": self.starts, "start": str(self.start)}
        return {"rules": str(RULES_VERSION)} | config | first | second | start

    @property
    def parties(self) -> dict[str, Player]:
        return {str(i): player for i, player in enumerate(self.players, 1)}

    def options(self) -> Row:
        return {f"options{i}": player.changed_options for i, player in self.parties.items()}

    @staticmethod
    def from_row(row: Mapping[str, str]) -> GameSpec:
        config = GameConfig(
            map=row["map"],
            deck=row["deck"],
            action_points=int(row["action_points"]),
            turn_limit=int(row["turn_limit"]),
            first_turn_points=_number(row["first_turn_points"], int),
            draws=row["draws"],
        )
        players = (Player.from_columns(row, "1"), Player.from_columns(row, "2"))
        return GameSpec(config, players, row["starts"], int(row["start"]))

    def run(self) -> Row:
        """Play the game; returns its row."""
        agents = {i: player.make() for i, player in enumerate(self.players, 1)}
        budgets = {i: player.budget for i, player in enumerate(self.players, 1)}
        record = play(self.config, agents, budgets, self.seed)
        result = {
            "winner": record.winner,
            "turns": record.turns,
            "actions": len(record.actions),
            "moves": moves.encode(record.actions),
        }
        for player in (1, 2):
            result |= _side(record, player)
        row = {name: _text(value) for name, value in result.items()}
        return {"key": self.key} | self.columns() | row


def _side(record: GameRecord, player: int) -> dict[str, Any]:
    """One side's calls and seconds in all, and its statistics averaged over its turns."""
    turns = [stats for stats in record.stats if stats["player"] == player]
    numbers = {
        name: [stats[name] for stats in turns]
        for name in (turns[0] if turns else {})
        if name not in NOT_AVERAGED and isinstance(turns[0][name], int | float)
    }
    means = {name: float(f"{np.mean(values):.6g}") for name, values in numbers.items()}
    return {
        f"calls{player}": sum(stats["fm_calls"] for stats in turns),
        f"took{player}": f"{sum(stats['seconds'] for stats in turns):.3f}",
        f"stats{player}": json.dumps(means),
    }


@dataclass(frozen=True)
class SearchSpec(Spec):
    """A search of one of the benchmark's mid-game positions."""

    position: int
    player: Player

    @property
    def file(self) -> str:
        return f"searches/{self.player.agent}.csv"

    def columns(self) -> Row:
        own = {"rules": str(RULES_VERSION), "position": str(self.position)}
        return own | self.player.columns()

    @property
    def parties(self) -> dict[str, Player]:
        return {"": self.player}

    def options(self) -> Row:
        return {"options": self.player.changed_options}

    @staticmethod
    def from_row(row: Mapping[str, str]) -> SearchSpec:
        return SearchSpec(int(row["position"]), Player.from_columns(row))

    def run(self) -> Row:
        """Search; returns the row: what the search reported, its curve and its plan."""
        state = positions()[self.position]
        plan = self.player.make().plan(state, self.player.budget, turn_seed(self.position, 1))
        stats = dict(plan.stats)
        curve = stats.pop("curve", [])
        result = {
            "value": plan.value,
            "took": f"{stats.pop('seconds'):.3f}",
            "stats": json.dumps(stats),
            "curve": json.dumps(curve),
            "moves": moves.encode(plan.actions),
        }
        row = {name: _text(value) for name, value in result.items()}
        return {"key": self.key} | self.columns() | row
