"""The project's own files agree with each other."""

import json
import os
import re
import stat
import subprocess
import tomllib
from pathlib import Path

import pandas as pd
import pytest
import yaml
from matplotlib.figure import Figure
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from heroacademy.figures import Gallery

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
CONDA_NAMES = {"matplotlib-base": "matplotlib"}  # conda's package without a Qt of its own


def declared() -> dict[str, SpecifierSet]:
    """pyproject.toml: name -> allowed versions, the extras included."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"].values()
    texts = [*project["dependencies"], *(text for extra in extras for text in extra)]
    return {r.name: r.specifier for r in map(Requirement, texts)}


def locked() -> dict[str, set[Version]]:
    """requirements.lock: name -> exact versions (several if they depend on the platform)."""
    found: dict[str, set[Version]] = {}
    for line in (ROOT / "requirements.lock").read_text().splitlines():
        if line and not line.lstrip().startswith("#"):
            requirement = Requirement(line)
            (exact,) = requirement.specifier
            assert exact.operator == "==", f"{line} is not an exact version"
            versions = found.setdefault(canonicalize_name(requirement.name), set())
            versions.add(Version(exact.version))
    return found


def conda() -> dict[str, str]:
    """environment.yml: name -> version prefix, without python and pip."""
    entries = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    pairs = [e.split("=", 1) for e in entries if isinstance(e, str) and ">" not in e and "=" in e]
    return {CONDA_NAMES.get(name, name): version for name, version in pairs}


def test_conda_installs_the_project_with_its_own_pip():
    entries = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    # conda hands these lines to pip as a requirements file, which takes no other options
    assert [e for e in entries if isinstance(e, dict)] == [{"pip": ["--editable ."]}]
    assert "pip" in entries


def test_the_three_lists_name_the_same_packages():
    assert set(conda()) == set(declared())
    assert set(declared()) <= set(locked())


@pytest.mark.parametrize("name", sorted(declared()))
def test_versions_are_compatible(name):
    for version in locked()[name]:
        assert version in declared()[name]
        assert version in SpecifierSet(f"=={conda()[name]}.*")


def test_python_versions_agree():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    assert f"python{project['requires-python']}" in environment["dependencies"]


def test_the_lock_names_no_place():
    assert not re.search(
        r"https?:|file:|--(extra-)?index|find-links", (ROOT / "requirements.lock").read_text()
    )


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_notebooks_are_clean(path):
    notebook = json.loads(path.read_text())
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    assert all(not cell["outputs"] and cell["execution_count"] is None for cell in code)
    tagged = [c for c in code if "parameters" in c["metadata"].get("tags", [])]
    assert len(tagged) == 1


def make(*arguments: str, **environment: str) -> str:
    """What make would do, without doing it."""
    clean = {k: v for k, v in os.environ.items() if k not in ("PYTHON", "MAKEFLAGS", "MAKELEVEL")}
    clean = {k: v for k, v in clean.items() if not k.startswith("CONDA")} | environment
    result = subprocess.run(
        ["make", "--always-make", *arguments], cwd=ROOT, env=clean, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_make_alone_lists_the_targets():
    listed = re.findall(r"make ([a-z]+) +\S", make())
    assert {"figures", "test", "lab", "bench", "lint", "lock", "clean"} <= set(listed)
    assert {"games", "replay", "estimate"} <= set(listed)


def test_make_passes_on_the_profile_and_the_cluster():
    assert "estimate --profile standard" in make("--dry-run", "estimate")
    assert "games --profile quick table2" in make(
        "--dry-run", "games", "PROFILE=quick", "EXPERIMENTS=table2"
    )
    shown = make("--print-data-base", "--dry-run", "DASK=tcp://there:8786", "replay")
    assert "HEROACADEMY_DASK := tcp://there:8786" in shown


def test_the_claims_come_after_the_notebooks_that_they_read():
    shown = make("--dry-run", "figures", "PROFILE=quick", "PYTHON=/some/python")
    executed = re.findall(r"unfinished-(\w+).ipynb build", shown.replace("\\\n", " "))
    assert sorted(executed) == [path.stem for path in NOTEBOOKS]
    assert executed[-1] == "09_claims"
    assert "notebooks/09_claims.ipynb build/quick/notebooks/unfinished-09_claims.ipynb" in shown


def test_missing_games_are_played_before_the_notebooks():
    """Where their progress is seen; playing alone executes no notebook again."""
    shown = make("--dry-run", "figures", "PROFILE=quick", "PYTHON=/some/python")
    assert shown.count("heroacademy games --profile quick\n") == 1
    assert shown.index("heroacademy games") < shown.index("papermill")
    rules = make_database()
    (played,) = [rule for rule in rules if rule.startswith("build/standard/played:")]
    assert " heroacademy/experiments/profiles.toml " in f"{played} "
    assert " data/standard/games/" in played
    (table2,) = [rule for rule in rules if rule.startswith("build/standard/notebooks/01_table2.ip")]
    assert table2.endswith("| build/standard/played")


def test_make_uses_its_own_environment_unless_given_one():
    assert "-m venv .venv" in make("--dry-run", "test")
    given = make("--dry-run", "test", "PYTHON=/some/python")
    assert "venv" not in given
    assert "/some/python -m pytest" in given
    active = make("--dry-run", "test", CONDA_DEFAULT_ENV="heroacademy")
    assert "venv" not in active
    assert "python -m pytest" in active
    assert "-m venv .venv" in make("--dry-run", "test", CONDA_DEFAULT_ENV="base")


def test_ci_runs_make_test():
    script = ROOT / ".ci" / "run"
    assert script.stat().st_mode & stat.S_IXUSR
    assert script.read_text().split("\n")[1:] == ["exec make test", ""]


def make_database(*arguments):
    """All that make knows, without doing anything."""
    run = subprocess.run(
        ["make", "-pn", "PYTHON=python", *arguments, "figures"], cwd=ROOT, capture_output=True,
        text=True, check=True,
    )  # fmt: skip
    return run.stdout.splitlines()


def test_notebooks_are_executed_again_when_what_they_need_changes():
    rules = make_database()
    (table2,) = [rule for rule in rules if rule.startswith("build/standard/notebooks/01_table2.ip")]
    for needed in ("notebooks/01_table2.ipynb", "heroacademy/experiments/profiles.toml",
                   "heroacademy/paper_numbers.json", "heroacademy/search/oep.py"):  # fmt: skip
        assert f" {needed} " in f"{table2} "
    (claims,) = [rule for rule in rules if rule.startswith("build/standard/notebooks/09_claims.ip")]
    assert "build/standard/notebooks/08_league.ipynb" in claims


def test_deleted_and_changed_pictures_are_made_again(tmp_path):
    def lost():
        rules = make_database(f"FIGURES={tmp_path}")
        (names,) = [rule[len("LOST :=") :].split() for rule in rules if rule.startswith("LOST :=")]
        (tour,) = [rule for rule in rules if rule.startswith("build/standard/notebooks/00_tour.ip")]
        assert (" always " in f"{tour} ") == bool(names)
        return names

    assert lost() == ["index.json"]
    gallery = Gallery(tmp_path, "01_test", "smoke")
    gallery.figure(Figure(), "curve", "A curve.", pd.DataFrame({"games": [20]}), latex=True)
    gallery.findings("- It is a curve.")
    assert lost() == []
    (tmp_path / "curve.png").unlink()
    for name in ("curve.tex", "README.md"):
        (tmp_path / name).write_text("something else")
    assert sorted(lost()) == ["README.md", "curve.png", "curve.tex"]
    gallery.figure(Figure(), "curve", "A curve.", pd.DataFrame({"games": [20]}), latex=True)
    assert lost() == []


def test_committed_figures_are_those_of_the_index():
    """Neither changed nor left behind."""
    rules = make_database()
    assert [rule for rule in rules if rule.startswith("LOST :=")] == ["LOST := "]
    index = json.loads((ROOT / "figures" / "index.json").read_text())
    known = {name for entry in index["entries"].values() for name in entry["files"]}
    there = {path.name for path in (ROOT / "figures").iterdir() if path.name != ".lock"}
    assert there == known | {"index.json", "README.md"}


def test_make_hands_on_where_games_are_played():
    known = make_database("DASK=tcp://host:8786", "PROCESSES=3")
    assert "HEROACADEMY_DASK := tcp://host:8786" in known
    assert "HEROACADEMY_PROCESSES := 3" in known
