"""Compiled code never outlives its sources, and what has to be hashed is hashed."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import heroacademy
from heroacademy import kernel_cache

DEPLOY = """
import heroacademy as ha
state = ha.new_game(seed=1)
deploy = next(a for a in state.legal_actions() if a.card in ("ARCHER", "CLERIC", "WIZARD"))
print(state.apply(deploy).units[0].hp, end="")
"""


def run(folder: Path) -> str:
    """What a new process prints that imports the copy of the package in `folder`."""
    result = subprocess.run(
        [sys.executable, "-c", DEPLOY],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder), "NUMBA_CACHE_DIR": ""},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_a_change_in_a_callee_is_noticed(tmp_path):
    """`apply` calls `put` in units.py: a change there alone has to change what `apply` does."""
    package = tmp_path / "heroacademy"
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(heroacademy.__file__).parent, package, ignore=ignore)
    assert run(tmp_path) == "800"
    caches = list((package / "__pycache__").glob("kernels-*"))
    assert len(caches) == 1
    compiled = sorted(caches[0].rglob("*.nbc"))
    assert compiled
    times = [path.stat().st_mtime_ns for path in compiled]

    assert run(tmp_path) == "800"
    assert sorted(caches[0].rglob("*.nbc")) == compiled  # the second run compiled nothing
    assert [path.stat().st_mtime_ns for path in compiled] == times

    callee = package / "engine" / "units.py"
    text = callee.read_text()
    assert text.count("    state[square] = word\n") == 1
    callee.write_text(text.replace("    state[square] = word\n", "    state[square] = word - 1\n"))
    assert run(tmp_path) == "799"


def test_compile_flags_are_part_of_the_fingerprint(monkeypatch):
    plain = kernel_cache.fingerprint()
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    assert kernel_cache.fingerprint() != plain
    monkeypatch.delenv("NUMBA_BOUNDSCHECK")
    monkeypatch.setenv("NUMBA_CACHE_DIR", "elsewhere")
    assert kernel_cache.fingerprint() == plain


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
