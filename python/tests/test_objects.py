"""Pickling, copying, forking, threads and pictures of every object."""

import copy
import multiprocessing
import os
import pickle
import threading
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import batt
from batt import dsl, pictures


@pytest.fixture(scope="module")
def everything(tasks, programs, tmp_path_factory):
    archive = str(tmp_path_factory.mktemp("archive") / "a.db")
    evolved = batt.evolve(
        tasks.select("tent,dot_in_box"), programs[:4], archive=archive, generations=1, population=16
    )
    battery = batt.Battery(programs[:6], "builtin", on_error="safe")
    solved = batt.solve(tasks.select("tent"))
    return {
        "task": tasks["tent"],
        "tasks": tasks,
        "program": programs[0],
        "battery": battery,
        "results": battery.run(tasks.select("tent")),
        "report": batt.run(programs[:6], tasks),
        "solved": solved,
        "submission": solved.submission(),
        "scored": solved.score(),
        "function": dsl.compose(dsl.size, dsl.rbind(dsl.ofcolor, 3)),
        "primitive": dsl.mapply,
        "constant": dsl.ORIGIN,
        "evolved": evolved,
        "archive": batt.Archive(archive),
        "error": batt.ProgramError("wrong", hint="mend it", filename="a.py", lineno=1, offset=2, text="x"),
    }


NAMES = [
    "task", "tasks", "program", "battery", "results", "report", "solved", "submission", "scored", "function",
    "primitive", "constant", "evolved", "archive", "error",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("again", [lambda x: pickle.loads(pickle.dumps(x)), copy.copy, copy.deepcopy])
def test_copies_are_what_they_are_copies_of(everything, name, again):
    one = everything[name]
    other = again(one)
    assert type(other) is type(one)
    if name == "battery":
        assert other.source == one.source
    elif name == "archive":
        assert other.best("tent") == one.best("tent")
    elif name == "tasks":
        assert (other.hash, other.name) == (one.hash, one.name)
    elif name == "evolved":
        assert (other.run, other.solved) == (one.run, one.solved)
    elif name == "error":
        assert (str(other), other.hint, other.lineno) == (str(one), one.hint, one.lineno)
    else:
        assert other == one
    assert repr(other)


def test_fields_are_not_written():
    for what in (batt.tasks()["tent"], batt.Program("def solve(I): return I")):
        with pytest.raises(AttributeError):
            what.name = "other"


def in_a_fork(work):
    """Run work in a forked process and give what it says."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()

    def run():
        try:
            theirs.send(("done", work()))
        except Exception as error:
            theirs.send(("failed", f"{type(error).__name__}: {error}"))

    process = context.Process(target=run)
    process.start()
    assert ours.poll(60), "a forked process hangs"
    said = ours.recv()
    process.join(10)
    return said


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_forks_go_on_and_open_their_own_archives(everything, tasks):
    battery, expected = everything["battery"], everything["results"]
    ran = in_a_fork(lambda: np.array_equal(battery.run(tasks.select("tent")).right, expected.right))
    assert ran == ("done", True)
    archive = everything["archive"]
    assert archive.tasks
    said = in_a_fork(lambda: archive.tasks)
    assert said[0] == "failed"
    assert "another process" in said[1]
    assert archive.tasks


def test_threads_share_one_object(everything, tasks):
    battery, expected, archive = everything["battery"], everything["results"], everything["archive"]
    some, wrong = tasks.select("tent"), []

    def work():
        for _ in range(5):
            if battery.run(some, threads=1) != expected or archive.tasks != ["dot_in_box", "tent"]:
                wrong.append(threading.get_ident())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize(
    "name", ["task", "tasks", "program", "battery", "results", "report", "solved", "evolved"]
)
def test_everything_shows_itself_in_notebooks(everything, name):
    html = everything[name]._repr_html_()
    assert html.startswith("<")
    # Every picture is well-formed, has words, and takes the page's colour of text.
    for part in html.split("<svg")[1:]:
        svg = ElementTree.fromstring("<svg" + part.split("</svg>")[0] + "</svg>")
        if name != "battery":
            space = "{http://www.w3.org/2000/svg}"
            assert svg.find(f"{space}title") is not None
            assert "currentColor" in part


def test_text_in_pictures_is_escaped():
    task = batt.Task("<b>&", [([[1]], [[2]])])
    assert "<b>&" not in task._repr_html_().replace("<b>task", "")
    assert "&lt;b&gt;&amp;" in task._repr_html_()


def test_pictures_in_terminals_and_files(tent):
    text = str(tent)
    assert text.startswith("task tent")
    assert "0 0 1 0 0 0" in text
    assert pictures.text([[1, 2]], color=False).strip() == "1 2"
    assert "\x1b[" in pictures.text([[1, 2]], color=True)
    alone = pictures.svg(("before", [[1]]), ("after", [[2]]), title="two")
    assert "prefers-color-scheme" in alone
    assert "<title>two</title>" in alone


def test_a_trace_draws_objects(tent):
    program = batt.Program("def solve(I):\n    x1 = objects(I, T, F, T)\n    O = first(x1)\n    return O\n")
    trace = program.trace(tent.demos[0].input)
    assert "<svg" in trace._repr_html_()
    assert "at 4,2" in repr(trace)


def test_a_task_is_a_matplotlib_figure(tent):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    figure = tent.plot()
    assert len(figure.axes) == 2 * 4
