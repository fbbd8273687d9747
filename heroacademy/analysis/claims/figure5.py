"""Claims about Fig. 5 of the OEP paper: OEP against MCTS over action points."""

from __future__ import annotations

import numpy as np
import pandas as pd

from heroacademy.analysis.claims.findings import (
    LEVEL,
    TOLERANCE,
    Finding,
    confidence,
    estimates,
    every,
    games_each,
    judges,
    pooled,
    share_of,
    show_number,
    show_share,
    slopes,
    total,
)
from heroacademy.analysis.claims.results import NOTHING, NotMeasured, Results
from heroacademy.analysis.matches import show_points
from heroacademy.experiments.designs import MCTS_AGENTS
from heroacademy.experiments.results import points_of
from heroacademy.paper import Claim
from heroacademy.statistics import (
    AGREES,
    DISAGREES,
    UNDECIDED,
    Estimate,
    difference,
    joint_verdict,
    mean_interval,
    verdict,
    win_rate,
)

FIGURE5, OEP, VANILLA = "figure5", "oep", "vanilla-mcts"
CONSTRAINED = ("nonexploring-mcts", "bb-mcts")
FEW, MANY, MOST = 5, 10, 20  # action points: low numbers, from which OEP leads, of fast games
FAST = 10  # turns of both players together, of a game won in few turns
SLIGHTLY = 0.1  # how far below one half is still "slightly" worse


@judges("figure5-few-points", "figure5-advantage-grows")
def rising(results: Results, claim: Claim) -> Finding:
    """The trend of OEP's wins; the second claim leaves out vanilla MCTS, which is weak anyway."""
    opponents = MCTS_AGENTS if claim.id == "figure5-few-points" else CONSTRAINED
    points = results.points(FIGURE5)
    lines = {
        f"against {name}": {n: results.match(FIGURE5, OEP, name, n) for n in points}
        for name in opponents
    }
    return slopes(lines, claim.relation)


@judges("figure5-nonexploring-few")
def few_points(results: Results, claim: Claim) -> Finding:
    points = results.points(FIGURE5, most=FEW)
    parts = {f"{n} AP": results.match(FIGURE5, OEP, "nonexploring-mcts", n) for n in points}
    return pooled(parts, "about", 0.5 - SLIGHTLY / 2, SLIGHTLY / 2)


@judges("figure5-many-points")
def many_points(results: Results, claim: Claim) -> Finding:
    points = results.points(FIGURE5, least=MANY)
    return every(results.matches(FIGURE5, OEP, MCTS_AGENTS, points), *claim.limit)


@judges("figure5-most-settings")
def most_settings(results: Results, claim: Claim) -> Finding:
    """In how many numbers of action points OEP beats all three."""
    points = results.points(FIGURE5)
    parts = results.matches(FIGURE5, OEP, MCTS_AGENTS, points)
    shares = estimates(parts, confidence(len(parts)))
    better = [
        joint_verdict(verdict(shares[f"{name}, {n} AP"], "above") for name in MCTS_AGENTS)
        for n in points
    ]
    yes, no = better.count(AGREES), better.count(DISAGREES)
    half = len(points) / 2
    found = AGREES if yes > half else DISAGREES if no >= half else UNDECIDED
    counts = games_each([share.games for share in shares.values()], "point")
    text = (
        f"surely better than all at {yes} of {len(points)} numbers of action points, surely not "
        f"at {no} ({counts})"
    )
    rule = "above 50 % against all at most numbers of action points"
    return Finding(rule, text, found, total(shares))


def _fast_games(results: Results, opponents: tuple[str, ...]) -> pd.DataFrame:
    """Games of OEP against some opponents with so many points that they can be short."""
    results.points(FIGURE5, least=MOST)
    games = results.table(FIGURE5)
    ours = games["agent1"].isin(opponents) | games["agent2"].isin(opponents)
    games = games[ours & (games["action_points"] >= MOST)]
    if len(games) == 0:
        raise NotMeasured(NOTHING)
    return games


@judges("figure5-fast-games")
def turns(results: Results, claim: Claim) -> Finding:
    games = _fast_games(results, CONSTRAINED)
    mean = mean_interval(games["turns"], games["start"])
    text = (
        f"{show_number(mean.value)} turns of both players together "
        f"[{show_number(mean.low)}, {show_number(mean.high)}] ({len(games)} games)"
    )
    rule = f"{claim.relation} {claim.value:g} turns on average"
    return Finding(rule, text, verdict(mean, claim.relation, claim.value), len(games))


@judges("figure5-starting-player")
def starting_player(results: Results, claim: Claim) -> Finding:
    """Whether either player has an advantage: the claim does not say which."""
    games = _fast_games(results, CONSTRAINED)
    match = pd.DataFrame({"start": games["start"], "result": points_of(games, 1)})
    share = share_of(match)
    opposite = {AGREES: DISAGREES, DISAGREES: AGREES, UNDECIDED: UNDECIDED}
    found = opposite[verdict(share, "about", claim.value, TOLERANCE)]
    rule = "player 1 surely below 40 or above 60 %"
    ahead = f"player {1 if share.value > 0.5 else 2} has the advantage: " if found == AGREES else ""
    text = f"{ahead}player 1 wins {share}, those of {VANILLA} left out"
    return Finding(rule, text, found, share.games)


@judges("figure5-vanilla-slow")
def fast_wins(results: Results, claim: Claim) -> Finding:
    """Whether a smaller share of vanilla MCTS's games against OEP is won fast than of others'."""
    plain, wide = (
        {name: _won_fast(results, name, level) for name in (VANILLA, *CONSTRAINED)}
        for level in (1 - LEVEL, confidence(len(CONSTRAINED)))
    )
    behind, surely = (
        {name: difference(shares[VANILLA], shares[name]) for name in CONSTRAINED}
        for shares in (plain, wide)
    )
    found = joint_verdict(
        *([verdict(x, *claim.limit) for x in some.values()] for some in (behind, surely))
    )
    each = "; ".join(f"{name} {show_share(share)}" for name, share in plain.items())
    gaps = "; ".join(f"{show_points(x)} against {name}" for name, x in behind.items())
    counts = games_each([share.games for share in plain.values()], "variant")
    text = f"wins within {FAST} turns over OEP: {each} ({counts}); points of {VANILLA}: {gaps}"
    rule = f"fewer of its games won within {FAST} turns than of each other variant's"
    return Finding(rule, text, found, total(plain))


def _won_fast(results: Results, name: str, level: float) -> Estimate:
    """The share of an agent's games against OEP that it wins within few turns of both."""
    games = _fast_games(results, (name,))
    won = np.where(games["agent1"] == name, points_of(games, 1), points_of(games, 2)) == 1
    return win_rate(won & (games["turns"] <= FAST), games["start"], level)
