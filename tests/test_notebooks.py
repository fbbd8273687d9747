"""The notebooks run with papermill, make their pictures and follow their parameters."""

import json

import papermill
import pytest
from test_project import NOTEBOOKS, ROOT

PICTURES = {"00_tour": ["board.svg", "board.png", "plan.svg", "plan.png"]}


def execute(path, tmp_path, **parameters):
    """Texts that the cells of an executed notebook print or show."""
    output = tmp_path / path.name
    papermill.execute_notebook(
        str(path),
        str(output),
        parameters={"figures_dir": str(tmp_path / "figures")} | parameters,
        kernel_name="python3",
        cwd=str(ROOT),
        progress_bar=False,
    )
    cells = json.loads(output.read_text())["cells"]
    outputs = [o for cell in cells for o in cell.get("outputs", [])]
    texts = [o.get("text", o.get("data", {}).get("text/plain", "")) for o in outputs]
    return "\n".join("".join(text) for text in texts), outputs


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_makes_its_pictures(path, tmp_path):
    _, outputs = execute(path, tmp_path)
    assert any("image/png" in output.get("data", {}) for output in outputs)
    made = {p.name: p.stat().st_size for p in (tmp_path / "figures").iterdir()}
    assert sorted(made) == sorted(PICTURES[path.stem])
    assert min(made.values()) > 10_000


def test_the_tour_follows_its_parameters(tmp_path):
    tour = NOTEBOOKS[0]
    text, _ = execute(tour, tmp_path, seed=3, action_points=2)
    assert "player 1 to move, 2 action points left" in text
