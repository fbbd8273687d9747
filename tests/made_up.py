"""Results as if they had been played, for tests of what is made of them."""

from __future__ import annotations

from functools import cache

from heroacademy import paper
from heroacademy.analysis.claims import page
from heroacademy.analysis.claims.results import Results
from heroacademy.experiments import runner
from heroacademy.experiments.catalogue import EXPERIMENTS
from heroacademy.experiments.designs import OEP_AGENTS
from heroacademy.experiments.profiles import size
from heroacademy.experiments.runner import frame

NAMES = (*EXPERIMENTS, "horizon")
CLAIMS = {claim.id: claim for claim in paper.claims()}
FIRST, SECOND, DRAW = 1, 2, 0


def games(specs, winner, turns=40):
    """Games as if they had been played: `winner` gives a spec's winner."""
    empty = dict.fromkeys(runner.game_columns(), "") | {"stats1": "{}", "stats2": "{}"}
    return frame(
        [
            empty
            | spec.columns()
            | {"winner": str(winner(spec)), "turns": str(turns), "moves": str(number)}
            for number, spec in enumerate(specs)
        ]
    )


def results(best=None, **tables):
    """Results of the profile `paper` with the given tables and nothing else."""
    sizes = {name: size("paper", name) for name in NAMES}
    empty = dict.fromkeys(NAMES, frame([]))
    return Results(sizes, empty | tables, dict.fromkeys(NAMES, 0), best or {})


def side(spec, agent):
    """Which player an agent is, 0 if none."""
    names = [player.agent for player in spec.players]
    return names.index(agent) + 1 if agent in names else 0


def wins(*agents):
    """The first of the agents that plays wins; games of others are draws."""
    return lambda spec: next((side(spec, a) for a in agents if side(spec, a)), DRAW)


readings = cache(paper.table2_readings)


def printed_table2(spec):
    """Winners of Table II in the proportions that the paper prints, in 100 games a pair."""
    first, second = (player.agent for player in spec.players)
    stronger, weaker = sorted((first, second), key=OEP_AGENTS.index, reverse=True)
    share = readings(stronger, weaker)[0]
    place = 2 * spec.start + (first != stronger)  # 0 to 99
    return side(spec, stronger if place < 100 * share else weaker)


def found(claim, **tables):
    return page.judge(CLAIMS[claim], results(**tables))
