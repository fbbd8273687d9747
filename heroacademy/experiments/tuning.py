"""Successive halving: games go to the choices (arms) that still may be the best."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

Arm = Hashable  # such as a horizon, or the name of a configuration
Problem = Hashable  # such as a number of action points
Asked = tuple[list[Arm], int]  # arms to play, and how many games each should have then


@dataclass(frozen=True)
class Round:
    """One round: which arms played, how many games each has by now, and their win rates."""

    arms: tuple[Arm, ...]
    games: int
    rates: dict[Arm, float]


def even(number: float) -> int:
    """The next even number, since every start is played twice."""
    return 2 * math.ceil(number / 2)


def next_round(
    rounds: Sequence[Round], arms: Sequence[Arm], first_games: int, games: int
) -> Asked | None:
    """Which arms to play next and how many games each should have then; None at the end.

    After each round the worse half is dropped and the games double. Of equal arms the first
    stays. The last round has at least two arms, if there are two.
    """
    if not rounds:
        return list(arms), even(first_games)
    last = rounds[-1]
    if len(last.arms) <= 2 or last.games >= games:
        return None
    keep = max(2, math.ceil(len(last.arms) / 2))
    left = set(sorted(last.arms, key=lambda arm: -last.rates[arm])[:keep])
    return [arm for arm in last.arms if arm in left], min(even(2 * last.games), even(games))


def successive_halving(
    arms: Sequence[Arm],
    first_games: int,
    games: int,
    play: Callable[[Sequence[Arm], int], dict[Arm, float]],
) -> list[Round]:
    """Play all arms, drop the worse half, double the games, until two are left or have `games`.

    `play(arms, games)` gives the win rate of each arm over so many games; they include those of
    earlier rounds.

    >>> rates = {2: 0.4, 3: 0.7, 4: 0.6, 5: 0.5}
    >>> play = lambda arms, games: {arm: rates[arm] for arm in arms}
    >>> rounds = successive_halving(list(rates), 10, 40, play)
    >>> [(r.arms, r.games) for r in rounds]
    [((2, 3, 4, 5), 10), ((3, 4), 20)]
    """
    alone = {None: arms}
    return halve_together(alone, first_games, games, lambda asked: {None: play(*asked[None])})[None]


def halve_together(
    arms: Mapping[Problem, Sequence[Arm]],
    first_games: int,
    games: int,
    play: Callable[[dict[Problem, Asked]], dict[Problem, dict[Arm, float]]],
) -> dict[Problem, list[Round]]:
    """Successive halving of several problems at once, so that all cores have work.

    `play` gets the arms to play and their games for each problem that is not done, and gives
    the win rates for each.
    """
    rounds: dict[Problem, list[Round]] = {problem: [] for problem in arms}
    while asked := _next_rounds(rounds, arms, first_games, games):
        rates = play(asked)
        for problem, (left, now) in asked.items():
            rounds[problem].append(Round(tuple(left), now, rates[problem]))
    return rounds


def _next_rounds(
    rounds: Mapping[Problem, Sequence[Round]],
    arms: Mapping[Problem, Sequence[Arm]],
    first_games: int,
    games: int,
) -> dict[Problem, Asked]:
    """The next round of each problem that is not done."""
    asked = {
        problem: next_round(done, arms[problem], first_games, games)
        for problem, done in rounds.items()
    }
    return {problem: round_ for problem, round_ in asked.items() if round_}


def best_arm(rounds: Sequence[Round]) -> Arm:
    """The winner of the last round, the first of equals."""
    last = rounds[-1]
    return max(last.arms, key=lambda arm: last.rates[arm])
