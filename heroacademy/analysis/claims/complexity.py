"""Claims about the size of the game."""

from __future__ import annotations

import math

import pandas as pd

from heroacademy import complexity, paper
from heroacademy.analysis import branching
from heroacademy.analysis.claims.findings import (
    LEVEL,
    TOLERANCE,
    Finding,
    about_number,
    confidence,
    games_each,
    judges,
    show_interval,
)
from heroacademy.analysis.claims.results import NOTHING, NotMeasured, Results
from heroacademy.experiments.designs import MCTS_AGENTS
from heroacademy.paper import Claim
from heroacademy.statistics import (
    AGREES,
    DISAGREES,
    Interval,
    joint_verdict,
    mean_interval,
    verdict,
)

GAMES, TABLE2 = "complexity", "table2"


def _range(ours: Interval, low: float, high: float) -> str:
    return verdict(ours, "about", (low + high) / 2, (high - low) / 2)


@judges("complexity-branching")
def choices(results: Results, claim: Claim) -> Finding:
    games = results.table(GAMES)
    means = branching.decisions(games).groupby("game")["choices"].mean()
    mean = mean_interval(means, games["start"])
    return about_number(mean, claim.value, len(games), "games of strong agents")


@judges("complexity-branching-range")
def choices_of_agents(results: Results, claim: Claim) -> Finding:
    """The choices of each agent in its own turns; the paper has no random player."""
    sample = branching.sample(branching.without_random(results.table(TABLE2)))
    if len(sample) == 0:
        raise NotMeasured(NOTHING)
    low, high = paper.numbers("branching")["per_action"]
    own = branching.own_choices(sample)
    levels = (1 - LEVEL, confidence(own["agent"].nunique()))
    plain, wide = (branching.mean_by_agent(own, level) for level in levels)
    found = joint_verdict(
        *([_range(x, low, high) for x in some.values()] for some in (plain, wide))
    )
    text = "; ".join(f"{agent} {show_interval(mean)}" for agent, mean in plain.items())
    rule = f"each between {low} and {high}"
    return Finding(rule, f"{text} ({len(sample)} games of all pairs)", found, len(sample))


@judges("complexity-branching-mcts")
def choices_of_mcts(results: Results, claim: Claim) -> Finding:
    games = results.table(TABLE2)
    both = games["agent1"].isin(MCTS_AGENTS) & games["agent2"].isin(MCTS_AGENTS)
    sample = branching.sample(games[both])
    if len(sample) == 0:
        raise NotMeasured(NOTHING)
    low, high = paper.numbers("branching")["between_mcts_agents"]
    means = branching.decisions(sample).groupby("game")["choices"].mean()
    mean = mean_interval(means, sample["start"])
    text = f"{show_interval(mean)} ({games_each([len(sample)])})"
    return Finding(f"between {low} and {high}", text, _range(mean, low, high), len(sample))


@judges("complexity-rounds")
def rounds(results: Results, claim: Claim) -> Finding:
    games = results.table(GAMES)
    mean = mean_interval(games["turns"] / branching.PLAYERS_A_ROUND, games["start"])
    return about_number(mean, claim.value, len(games), "games of strong agents")


@judges("complexity-turn", "complexity-game-tree")
def tree(results: Results, claim: Claim) -> Finding:
    """Powers of ten counted along the games; the game tree is also set beside that of chess."""
    games = results.table(GAMES)
    logs = _logs(games, "turn" if claim.id == "complexity-turn" else "game")
    mean = mean_interval(logs, games["start"])
    mantissa, exponent = claim.measure.split()[-1].split("e")
    printed = math.log10(float(mantissa)) + int(exponent)
    verdicts = [verdict(mean, "about", printed, TOLERANCE * printed)]
    rule = f"the power of ten within 10 % of {printed:.3g}"
    if claim.id == "complexity-game-tree":
        chess = math.log10(float(paper.numbers("complexity")["chess_game_tree_size"]))
        verdicts.append(verdict(mean, "above", chess))
        rule += f" and above {chess:g}, that of chess"
    text = f"10 to the power of {show_interval(mean)} ({len(games)} games of strong agents)"
    return Finding(rule, text, joint_verdict(verdicts), len(games))


def _logs(games: pd.DataFrame, of: str) -> pd.Series:
    """For each game the power of ten of its own tree, or the mean one of its turns."""
    return branching.tree_logs(branching.decisions(games))[of]


@judges("complexity-state-space")
def state_space(results: Results, claim: Claim) -> Finding:
    """The formula as printed, and with a sum instead of a product."""
    printed = paper.numbers("complexity")["state_space"]
    values = [complexity.state_space_as_printed(), complexity.state_space_as_sum()]
    as_printed, as_sum = map(complexity.scientific, values)
    text = f"arithmetic, no games: {as_printed} as printed, {as_sum} with a sum"
    found = AGREES if printed in (as_printed, as_sum) else DISAGREES
    return Finding(f"the formula gives {printed}", text, found)
