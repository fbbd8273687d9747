"""Compiled code never outlives its sources, and what has to be hashed is hashed."""

import ast
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import heroacademy
from heroacademy import kernel_cache

HASH = """
import numpy as np
import heroacademy
from heroacademy.engine.hashing import hash_state
print(hash_state(np.zeros(60, np.int64)))
"""


def run(folder: Path) -> str:
    """What a new process prints that imports the copy of the package in `folder`."""
    result = subprocess.run(
        [sys.executable, "-c", HASH],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder), "NUMBA_CACHE_DIR": ""},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_a_change_in_a_callee_is_noticed(tmp_path):
    """`hash_state` calls `mix` in bits.py: a change there alone has to change the hash."""
    package = tmp_path / "heroacademy"
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(heroacademy.__file__).parent, package, ignore=ignore)
    before = run(tmp_path)
    caches = list((package / "__pycache__").glob("kernels-*"))
    assert len(caches) == 1
    compiled = sorted(caches[0].rglob("*.nbc"))
    assert compiled
    times = [path.stat().st_mtime_ns for path in compiled]

    assert run(tmp_path) == before
    assert sorted(caches[0].rglob("*.nbc")) == compiled  # the second run compiled nothing
    assert [path.stat().st_mtime_ns for path in compiled] == times

    callee = package / "engine" / "bits.py"
    text = callee.read_text()
    assert text.count("np.uint64(31)") == 1
    callee.write_text(text.replace("np.uint64(31)", "np.uint64(30)"))
    changed = run(tmp_path)
    assert changed != before
    callee.write_text(text)
    assert run(tmp_path) == before


def test_compile_flags_are_part_of_the_fingerprint(monkeypatch):
    plain = kernel_cache.fingerprint()
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    assert kernel_cache.fingerprint() != plain
    monkeypatch.delenv("NUMBA_BOUNDSCHECK")
    monkeypatch.setenv("NUMBA_CACHE_DIR", "elsewhere")
    assert kernel_cache.fingerprint() == plain


def test_folders_that_were_not_used_for_long_are_removed(tmp_path, monkeypatch):
    monkeypatch.setattr("numba.config.CACHE_DIR", "")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    for name, days in (("kernels-old", 31), ("kernels-new", 1), ("others", 400)):
        (tmp_path / name).mkdir()
        used = time.time() - days * 24 * 3600
        os.utime(tmp_path / name, (used, used))
    current = kernel_cache.use()
    assert {path.name for path in tmp_path.iterdir()} == {current.name, "kernels-new", "others"}
    os.utime(current, (0, 0))
    assert kernel_cache.use().is_dir()  # the one in use is marked first


def test_compiled_functions_are_all_in_hashed_folders_and_use_nothing_else():
    hashed = set(kernel_cache.kernel_sources())
    for path in kernel_cache.PACKAGE.rglob("*.py"):
        imported = imports(path)
        if path in hashed:
            inside = tuple(f"heroacademy.{folder}" for folder in kernel_cache.KERNEL_FOLDERS)
            foreign = {
                n for n in imported if n.startswith("heroacademy") and not n.startswith(inside)
            }
            assert not foreign, f"{path.name} is compiled but uses {foreign}"
        else:
            compiling = {
                n for n in imported if n.startswith(("numba.njit", "heroacademy.engine.jit"))
            }
            assert not compiling, f"{path.name} compiles outside of the hash"


def imports(path: Path) -> set[str]:
    """Full names of the modules and objects that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found
