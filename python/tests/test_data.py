"""Tasks and programs from whatever people have."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

import batt

PAIR = ([[1, 2], [3, 4]], [[0]])
JSON = {"train": [{"input": PAIR[0], "output": PAIR[1]}], "test": [{"input": PAIR[0]}]}


def test_every_form_of_a_task_is_the_same_task(tmp_path):
    (tmp_path / "a1.json").write_text(json.dumps(JSON))
    array = (np.array(PAIR[0]), np.array(PAIR[1], dtype=np.int8))
    arckit = SimpleNamespace(id="a1", train=[array], test=[(array[0], None)])
    forms = [
        batt.Task("a1", [PAIR], [(PAIR[0], None)]),
        [batt.Task("a1", [array], [(tuple(map(tuple, PAIR[0])), None)])],
        {"a1": JSON},
        {"a1": ([PAIR], [(PAIR[0], None)])},
        [("a1", JSON)],
        {**JSON, "id": "a1"},
        arckit,
        [arckit],
        SimpleNamespace(tasks=[arckit]),
        str(tmp_path / "a1.json"),
        tmp_path,
    ]
    read = [batt.tasks(form) for form in forms]
    assert {tasks.hash for tasks in read} == {read[0].hash}
    assert read[0]["a1"].tests[0].output is None
    assert read[0][0].demos[0].input.dtype == np.uint8


@pytest.mark.parametrize(
    ("grid", "why"),
    [
        ([[1, 2], [3]], "not equally long"),
        ([[1, 10]], "no colour"),
        ([[-1]], "no colour"),
        ([], "0x0"),
        ([[0] * 31], "1x31"),
        (np.zeros((2, 2, 2), int), "3 dimensions"),
        (np.zeros((2, 2)), "float64"),
        ("grid", "NumPy array, or a list"),
        ([[0, 2**40]], "list or tuple of rows of ints"),
    ],
)
def test_what_is_no_grid_says_where_and_why(grid, why):
    with pytest.raises(ValueError, match=why) as caught:
        batt.Task("a1", [(PAIR[0], grid)])
    assert "a1, demo0" in str(caught.value)


def test_tasks_are_found_by_id_place_and_split(tasks):
    assert len(tasks) == len(tasks.ids) == len(list(tasks))
    assert tasks["tent"].id == "tent"
    assert tasks[-1].id == tasks.ids[-1]
    assert tasks["train0"].id == tasks[0].id
    assert "tent" in tasks
    assert "tant" not in tasks
    with pytest.raises(KeyError, match="tent"):
        tasks["tant"]
    with pytest.raises(IndexError):
        tasks[1000]
    assert tasks.select("tent,zigzag_row").ids == ["tent", "zigzag_row"]


def test_wrong_data_is_an_error_with_a_hint(tmp_path):
    with pytest.raises(batt.DataError, match="hint"):
        batt.tasks("arc7:train")
    with pytest.raises(batt.DataError):
        batt.tasks(tmp_path)
    with pytest.raises(batt.DataError, match="not tasks"):
        batt.tasks(7)
    with pytest.raises(batt.DataError, match="train"):
        batt.tasks({"a1": {"test": []}})
    with pytest.raises(ValueError, match="two tasks"):
        batt.tasks([batt.Task("a", [PAIR]), batt.Task("a", [PAIR])])
    with pytest.raises(ValueError, match="must be known"):
        batt.Task("a", [(PAIR[0], None)])
    with pytest.raises(ValueError, match="pair"):
        batt.Task("a", [PAIR[0][0]])


def test_programs_from_text_files_and_functions(tmp_path):
    text = "def solve_a1(I):\n    return hmirror(I)\n\ndef solve_b2(I):\n    return vmirror(I)\n"
    (tmp_path / "some.py").write_text(text)
    assert [p.task for p in batt.programs(text)] == ["a1", "b2"]
    assert batt.programs(tmp_path / "some.py") == batt.programs(tmp_path) == batt.programs(text)
    assert batt.programs([text, batt.programs(text)[0]])[2].task == "a1"

    def solve_c3(I):
        return rot90(I)

    assert batt.programs(solve_c3)[0].task == "c3"


def test_a_text_that_is_no_program_has_file_line_and_caret():
    with pytest.raises(batt.ProgramError) as caught:
        batt.Program("def solve(I):\n    return hmiror(I)\n", filename="mine.py")
    error = caught.value
    assert isinstance(error, SyntaxError)
    assert (error.filename, error.lineno, error.offset) == ("mine.py", 2, 12)
    assert "hmirror" in error.hint
    assert str(error).endswith("return hmiror(I)\n             ^")
    with pytest.raises(batt.ProgramError, match="only functions"):
        batt.Program("x = 1\n")
    with pytest.raises(batt.ProgramError, match="one function"):
        batt.Program("def solve_a(I): return I\n\ndef solve_b(I): return I\n")
    with pytest.raises(batt.ProgramError, match="hmiror"):
        batt.programs("def solve(I):\n    return hmiror(I)\n")


def test_lenient_reading_keeps_what_can_be_read(caplog):
    text = "def solve_a(I):\n    return hmiror(I)\n\ndef solve_b(I):\n    return I\n"
    assert [p.task for p in batt.programs(text, strict=False)] == ["b"]
    assert "hmiror" in caplog.text


def test_a_program_runs_and_is_traced(tent):
    program = batt.Program("def solve(I):\n    x1 = hmirror(I)\n    O = vconcat(I, x1)\n    return O\n")
    assert program.run([[1, 2]]).tolist() == [[1, 2], [1, 2]]
    assert program.run(np.array([[1], [2]])).tolist() == [[1], [2], [2], [1]]
    trace = program.trace([[1], [2]])
    assert trace["x1"].tolist() == [[2], [1]]
    assert [step[0] for step in trace.steps] == ["x1", "O"]
    assert "vconcat(I, x1)" in repr(trace)
    with pytest.raises(KeyError):
        trace["x9"]
    reads = batt.Program("def solve(S, I):\n    return size(S)\n")
    assert reads.run([[1]], tent) == 3
    assert reads.run([[1]]) == 0
    differ = batt.differs()[0]
    assert isinstance(differ.run(tent.demos[0].output, compare=tent.demos[0].output), tuple)


def test_a_program_that_fails_says_where():
    program = batt.Program("def solve(I):\n    x1 = ofcolor(I, TWO)\n    return first(x1)\n")
    with pytest.raises(batt.EvaluationError) as caught:
        program.run([[1]])
    assert (caught.value.kind, caught.value.line) == ("StopIteration", 3)
    trace = program.trace([[1]])
    assert trace.steps[-1][4] is not None
    assert batt.Program("def solve(I):\n    return first(ofcolor(I, TWO))\n").run([[2]]) == (0, 0)
    with pytest.raises(batt.OptionError, match="strict or safe"):
        program.run([[1]], on_error="never")


def test_equal_graphs_have_equal_hashes():
    one = batt.Program("def solve(I):\n    x = rot90(I)\n    O = hconcat(I, x)\n    return O\n")
    other = batt.Program("def solve(I):\n    return hconcat(I, rot90(I))\n")
    assert one.hash == other.hash
    assert one == other
    assert len({one, other}) == 1
    assert one.kinds.startswith("I -> ")
