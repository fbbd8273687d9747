"""Stored results of all experiments of a profile; nothing is played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from heroacademy.agents.base import Agent
from heroacademy.experiments.catalogue import EXPERIMENTS
from heroacademy.experiments.horizons import stored_winners
from heroacademy.experiments.profiles import Size, size
from heroacademy.experiments.results import head_to_head
from heroacademy.experiments.runner import stored

HORIZON = "horizon"  # whose games depend on each other; stored are those of the tuning's winners
TUNING = "horizon_tuning"  # the games by which horizons were chosen

NOTHING = "none of its games or searches is stored"


class NotMeasured(Exception):
    """Why a claim cannot be judged by what is stored."""


class NotTestable(Exception):
    """Why no number of games would judge a claim."""


@dataclass(frozen=True)
class Results:
    """What is stored of a profile, or what a notebook has at hand.

    sizes: how large each experiment is meant to be
    tables: its stored games or searches
    asked: how many there should be
    best: the tuned horizon for each number of action points, empty if tuning is not finished
    """

    sizes: Mapping[str, Size]
    tables: Mapping[str, pd.DataFrame]
    asked: Mapping[str, int]
    best: Mapping[int, int]

    @classmethod
    def of(
        cls, best: Mapping[int, int] | None = None, **experiments: tuple[Size, pd.DataFrame]
    ) -> Results:
        """Results of some experiments: the size of each and its games or searches."""
        sizes = {name: size for name, (size, _) in experiments.items()}
        tables = {name: table for name, (_, table) in experiments.items()}
        return cls(sizes, tables, {name: len(table) for name, table in tables.items()}, best or {})

    def has(self, experiment: str) -> bool:
        return len(self.tables.get(experiment, ())) > 0

    def table(self, experiment: str) -> pd.DataFrame:
        if not self.has(experiment):
            raise NotMeasured(NOTHING)
        return self.tables[experiment]

    def size(self, experiment: str) -> Size:
        if experiment not in self.sizes:
            raise NotMeasured(NOTHING)
        return self.sizes[experiment]

    def points(self, experiment: str, least: int = 0, most: int = 99) -> list[int]:
        """Numbers of action points of an experiment within a range."""
        found = [n for n in self.size(experiment).action_points if least <= n <= most]
        if not found:
            raise NotMeasured("this profile has no such numbers of action points")
        return found

    def match(
        self, experiment: str, first: Agent | str, second: Agent | str, points: int | None = None
    ) -> pd.DataFrame:
        """Games of two agents for the first of them, at one number of action points or all."""
        games = self.table(experiment)
        if points is not None:
            games = games[games["action_points"] == points]
        return head_to_head(games, first, second)

    def matches(
        self,
        experiment: str,
        first: Agent | str,
        seconds: Iterable[Agent | str],
        points: Iterable[int],
    ) -> dict[str, pd.DataFrame]:
        """Games of an agent against others over action points, labelled by both."""
        return {
            f"{second}, {n} AP": self.match(experiment, first, second, n)
            for second in seconds
            for n in points
        }


def stored_results(profile: str, folder: str | Path | None = None) -> Results:
    """All that is stored of a profile; a relative folder is one of the project."""
    folder = folder or f"data/{profile}"
    sizes = {name: size(profile, name) for name in (*EXPERIMENTS, HORIZON)}
    specs = {name: design(sizes[name]) for name, design in EXPERIMENTS.items()}
    asked = {name: len(set(of_experiment)) for name, of_experiment in specs.items()}
    tables = {name: stored(of_experiment, folder) for name, of_experiment in specs.items()}
    best, winners, tuned = stored_winners(sizes[HORIZON], folder)
    asked[HORIZON] = sizes[HORIZON].games * len(sizes[HORIZON].action_points)
    return Results(sizes, tables | {HORIZON: winners, TUNING: tuned}, asked, best)
