"""Notebooks and examples run from the first cell to the last."""

import os
import runpy
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1]
NOTEBOOKS = sorted((FOLDER / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(notebook, tmp_path, monkeypatch):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    monkeypatch.setenv("BATT_LIMIT", "70")
    monkeypatch.chdir(tmp_path)
    read = nbformat.read(notebook, as_version=4)
    assert all(not cell.get("outputs") for cell in read.cells), "notebooks are kept without outputs"
    client = nbclient.NotebookClient(read, timeout=300, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    shown = [out for cell in read.cells for out in cell.get("outputs", [])]
    assert any("text/html" in out.get("data", {}) for out in shown)
    assert not any(out["output_type"] == "error" for out in shown)


def test_the_readme_runs(tmp_path, monkeypatch):
    readme = FOLDER / "README.md"
    if not readme.exists():
        pytest.skip("the README is in the repository only")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "solvers.py").write_text("def solve_tent(I):\n    return I\n")
    blocks = readme.read_text(encoding="utf-8").split("```python\n")[1:]
    assert blocks
    space: dict = {}
    for block in blocks:
        exec(block.split("```")[0], space)
    assert (tmp_path / "submission.json").exists()
    assert space["results"].programs == ["solve_tent"]


@pytest.mark.parametrize("example", sorted((FOLDER / "examples").glob("*.py")), ids=lambda path: path.stem)
def test_an_example_runs(example, tmp_path, monkeypatch):
    needs = {
        "study_optuna": "optuna",
        "log_wandb": "wandb",
        "log_mlflow": "mlflow",
        "log_tensorboard": "tensorboardX",
    }
    if example.stem in needs:
        pytest.importorskip(needs[example.stem])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(example), "--quick"])
    monkeypatch.setitem(os.environ, "WANDB_MODE", "offline")
    runpy.run_path(str(example), run_name="__main__")
