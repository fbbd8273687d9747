"""Every step of the games recorded from the reference program."""

import os
import subprocess
import sys

import pytest
import recorded

STEPS = {
    "a-ap1": 600, "a-ap10": 1234, "a-ap15": 1143, "a-ap25": 942, "a-ap3": 1189,
    "a-greedy": 8974, "a-oe": 1633, "a-random": 17940, "a-small": 997, "a-tiny": 540,
}  # fmt: skip


@pytest.mark.parametrize("name", STEPS)
def test_replays_exactly(name):
    path = recorded.DATA / f"public-{name}.jsonl.gz"
    assert sum(map(recorded.replay, recorded.games(path))) == STEPS[name]


def test_replays_with_bounds_checks(tmp_path):
    """Numba does not check indices unless told to; this run of the kernels is told."""
    files = [str(recorded.DATA / f"public-{n}.jsonl.gz") for n in ("a-oe", "a-small", "a-tiny")]
    environment = os.environ | {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    outside = (
        "import numpy as np; from heroacademy.engine.hashing import hash_state;"
        "hash_state(np.zeros(3, np.int64))"
    )
    checked = subprocess.run(
        [sys.executable, "-c", f"import heroacademy; {outside}"],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert "IndexError" in checked.stderr  # the checks are on
    result = subprocess.run(
        [sys.executable, recorded.__file__, *files],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout == f"{STEPS['a-oe'] + STEPS['a-small'] + STEPS['a-tiny']} steps\n"
