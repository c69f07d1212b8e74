"""Batteries as Python over all samples at once: they give what the battery gives."""

import subprocess
import sys

import numpy as np
import pytest

import batt
from batt import batch


def written(tmp_path, *args):
    target = tmp_path / "batch.py"
    command = [sys.executable, "-m", "batt", "card", *args, "--to", "python", "-o", str(target)]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return target.read_text()


def as_value(output):
    """Give an output as the DSL's functions do."""
    return tuple(map(tuple, output.tolist())) if isinstance(output, np.ndarray) else output


@pytest.mark.parametrize("some", [["tent", "dot_in_box", "sort_bars"], None])
def test_it_gives_what_the_battery_gives(tmp_path, tasks, programs, some):
    text = written(tmp_path, *(["--task", *some] if some else []), "--differs", "builtin")
    assert "def batt_batch(task_ids, Ss, Is, Cs, log_paths):" in text
    space = {}
    exec(compile(text, "batch.py", "exec"), space)
    chosen = [program for program in programs if some is None or program.task in some]
    data = tasks.select("tent,dot_in_box,sort_bars,turn_like_demos")
    samples = [(task, at) for task in data for at in range(len(task.demos))]
    ids = [task.id for task, _ in samples]
    pairs = [tuple((as_value(d.input), as_value(d.output)) for d in task.demos) for task, _ in samples]
    inputs = [task.demos[at].input for task, at in samples]
    outputs = [task.demos[at].output for task, at in samples]
    o, s = space["batt_batch"](ids, pairs, inputs, outputs, None)
    results = batt.Battery(chosen, "builtin").run(samples)
    assert [name for _, _, name, _ in o] == [program.name for program in chosen]
    for row, (_, mutated, _, column) in enumerate(o):
        assert not mutated
        assert len(column) == len(samples)
        for at, value in enumerate(column):
            assert value == as_value(results.output(row, at)), (row, at)
    scored = 0
    for _, name, differ, column in s:
        if name == "None":
            continue
        row = [program.name for program in chosen].index(name)
        for at, score in enumerate(column):
            wanted = results.scores[row, at, results.differs.index(differ)]
            assert (score is None and wanted == -1) or score[0] == wanted
            scored += 1
    assert scored == len(chosen) * 5 * len(samples)


def test_columns():
    grids, other = batch.columns([((1, 2),), ((3, 4),)], batch.Column([1, None]))
    assert batch.batch_hmirror(grids)[1] == ((3, 4),)
    assert list(batch.batch_vmirror(grids)) == [((2, 1),), ((4, 3),)]
    assert list(batch.batch_add(other, 2)) == [3, None]
    assert list(batch.batch_add(other, other)) == [2, None]
    assert batch.batch_add(1, 2) == 3
    # A set is no constant of a program.
    assert list(batch.batch_fill(grids, 0, frozenset({(0, 0)}))) == [((0, 2),), ((0, 4),)]
    functions = batch.batch_lbind(batch.add, other)
    assert list(batch.batch_call(functions, 5)) == [6, None]
    assert list(batch.batch_call(batch.compose(batch.double, batch.increment), other)) == [4, None]
    assert list(batch.spread(7, grids)) == [7, 7]
    # A call that fails has no value; nor has what depends on it.
    assert list(batch.batch_size(batch.batch_first(batch.Column([(), ((1,),)])))) == [None, 1]
    with pytest.raises(ValueError, match="equally long"):
        batch.batch_add(other, batch.Column([1, 2, 3]))
    with pytest.raises(IndexError):
        other[2]
