"""Every step of the games recorded from the reference program."""

import pytest
import recorded

STEPS = {
    "a-ap1": 600, "a-ap10": 1234, "a-ap15": 1143, "a-ap25": 942, "a-ap3": 1189,
    "a-greedy": 8974, "a-oe": 1633, "a-random": 17940, "a-small": 997, "a-tiny": 540,
}  # fmt: skip


@pytest.mark.parametrize("name", STEPS)
def test_replays_exactly(name):
    assert sum(map(recorded.replay, recorded.games(recorded.path_of(name)))) == STEPS[name]


def test_bounds_checks_are_on_when_asked_for():
    outside = (
        "import heroacademy, numpy as np; from heroacademy.engine.hashing import hash_state;"
        "hash_state(np.zeros(3, np.int64))"
    )
    assert "IndexError" in recorded.run_with_bounds_checks("-c", outside).stderr


def test_replays_with_bounds_checks(checked_replay):
    assert checked_replay.returncode == 0, checked_replay.stderr
    steps = sum(STEPS[name] for name in recorded.CHECKED)
    assert checked_replay.stdout == f"{steps} steps\n"
