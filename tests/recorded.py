"""Replays games recorded from the reference program; run as a program, the files it is given."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import heroacademy as ha
from heroacademy.state import deal_game

DATA = Path(__file__).parent / "data"
CHECKED = ("a-oe", "a-small", "a-tiny")  # recordings that are replayed with bounds checks too


def path_of(name: str) -> Path:
    return DATA / f"public-{name}.jsonl.gz"


def games(path: Path) -> Iterator[dict]:
    with gzip.open(path, "rt") as lines:
        yield from map(json.loads, lines)


def config_of(game: dict) -> ha.GameConfig:
    return ha.GameConfig(
        map=game["map"],
        deck=game["deck"],
        action_points=game["ap"],
        first_turn_points=game["first_ap"],
        turn_limit=game["turn_limit"],
    )


def replay(game: dict) -> int:
    """Check every step of a game; returns the number of steps."""
    config = config_of(game)
    state = ha.State.from_dict(game["start"], config)
    assert deal_game(config, (game["seed1"], game["seed2"]), rng=0) == state
    for number, step in enumerate(game["steps"]):
        assert_same_actions(state, step["legal"])
        state = state.apply(step["action"])
        assert state.to_dict() == step["next"], number
        assert ha.evaluate(state, player=1) == step["eval1"], number
        assert ha.evaluate(state, player=2) == -step["eval1"], number
    return len(game["steps"])


def assert_same_actions(state: ha.State, recorded: list) -> None:
    found = state.rated_actions()
    if not recorded:  # the reference lists nothing when the turn has to end
        assert [str(action) for action, _, _ in found] == ["E"]
        return
    assert {str(a): rating for a, rating, _ in found} == {a: rating for a, rating, _ in recorded}
    ours = [str(a) for a, _, pruned in found if not pruned]
    theirs = [a for a, _, pruned in recorded if not pruned]
    assert _with_hits(state, ours) == _with_hits(state, theirs)
    kept = state.legal_actions(pruned=True)
    assert sorted(map(str, kept)) == sorted(ours or (str(a) for a, _, _ in found))


def _with_hits(state: ha.State, actions: list[str]) -> list:
    """Which of equal casts stays is arbitrary: compare what they hit, not where they are aimed."""
    enemies = [(u.x, u.y) for u in state.units if u.owner != state.player]

    def key(text: str):
        if not text.startswith("D INFERNO"):
            return text
        x, y = ha.Action.parse(text).target
        return f"INFERNO on {[e for e in enemies if max(abs(e[0] - x), abs(e[1] - y)) <= 1]}"

    return sorted(map(key, actions))


def run_with_bounds_checks(*command: str) -> subprocess.CompletedProcess:
    """Run Python with kernels that check indices, which Numba does only when it is told."""
    return subprocess.run(
        [sys.executable, *command],
        env=os.environ | {"NUMBA_BOUNDSCHECK": "1"},
        capture_output=True,
        text=True,
    )


if __name__ == "__main__":
    print(sum(replay(game) for name in sys.argv[1:] for game in games(Path(name))), "steps")
