"""What the papers print, from `paper_numbers.json`; win rates as shares from 0 to 1.

The file has everything as printed, in percent and with its source; `numbers` gives any block of
it. The other functions turn the blocks that results are compared with into tables.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources
from typing import Any

import pandas as pd

from heroacademy.errors import one_of


@dataclass(frozen=True)
class Claim:
    """A statement of a paper that experiments can judge.

    id: short name
    paper: "oep", "fh-emcts" or "gvgp"
    where: table, figure or section
    notebook: the notebook that judges it
    text: the claim in our words
    measure: what is compared, as "quantity(of what) relation value"
    """

    id: str
    paper: str
    where: str
    notebook: str
    text: str
    measure: str

    @property
    def relation(self) -> str:
        return self.measure.split()[-2]

    @property
    def value(self) -> float:
        """The number in the measure, if it has one."""
        return float(self.measure.split()[-1])

    @property
    def limit(self) -> tuple[str, float]:
        """
        >>> claims("01_table2")[1].limit
        ('above', 0.62)
        """
        return self.relation, self.value


def numbers(block: str) -> Any:
    """A block of the file, as printed.

    >>> numbers("search_characteristics")["generations"]
    {'oep': 3693}
    """
    text = resources.files("heroacademy").joinpath("paper_numbers.json").read_text("utf-8")
    blocks = json.loads(text)
    return blocks[one_of("block", block, blocks)]


def table2() -> pd.DataFrame:
    """OEP paper, Table II: share of wins of the row against the column, NaN if not printed.

    >>> float(table2().loc["oep", "bb-mcts"])
    0.52
    """
    block = numbers("table2")
    printed = pd.DataFrame.from_dict(
        block["win_percent"], orient="index", columns=block["agents"], dtype=float
    )
    return printed.reindex(block["agents"]) / 100


def table2_readings(agent: str, opponent: str) -> tuple[float, ...]:
    """Shares of wins of a pair that Table II allows, what is printed in the agent's row first.

    Two pairs are printed with percentages that do not add up to 100: either may be meant.

    >>> table2_readings("greedy-turn", "vanilla-mcts")
    (0.88, 0.78)
    >>> table2_readings("random", "oep")
    (0.0,)
    """
    table = table2()
    one_of("agent", agent, table.index)
    one_of("opponent of " + agent, opponent, table.index.drop(agent))
    both = (table.loc[agent, opponent], 1 - table.loc[opponent, agent])
    # 1 - 0.485 is not quite 0.515
    rounded = (round(float(share), 6) for share in both if pd.notna(share))
    return tuple(dict.fromkeys(rounded))


def horizons() -> pd.DataFrame:
    """FH-EMCTS paper, Table 1: best horizon and share of wins by action points.

    >>> horizons().loc[5].to_dict()
    {'horizon': 10.0, 'win_rate': 0.62}
    """
    block = numbers("horizons")
    index = pd.Index(block["action_points"], name="action_points")
    rates = [percent / 100 for percent in block["win_percent"]]
    return pd.DataFrame({"horizon": block["horizon"], "win_rate": rates}, index=index)


def table3() -> pd.DataFrame:
    """OEP paper, Table III: wins and games of people against OEP, by skill.

    Finished games, and those together with unfinished games judged by the evaluation.
    """
    block = numbers("table3")
    return pd.DataFrame(block["rows"], columns=block["columns"]).set_index("skill")


def gvgp() -> pd.DataFrame:
    """GVGP paper, Tables I to V: share of wins over all its games and half its 95 % interval."""
    block = numbers("gvgp")
    table = pd.DataFrame(block["rows"], columns=block["columns"]).set_index("agent")
    table["win_percent"] /= 100
    table["plus_minus"] /= 100
    return table.rename(columns={"win_percent": "win_rate"})


def claims(notebook: str | None = None) -> list[Claim]:
    """All claims, or those that a notebook judges.

    >>> claims("03_horizon_tuning")[0].id
    'horizon-best'
    """
    found = [Claim(**claim) for claim in numbers("claims")]
    if notebook is not None:
        one_of("notebook", notebook, dict.fromkeys(claim.notebook for claim in found))
    return [claim for claim in found if notebook in (None, claim.notebook)]
