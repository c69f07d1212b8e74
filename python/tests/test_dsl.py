"""The DSL's functions, against the conformance records and as a drop-in."""

import gzip
import json
import random
from pathlib import Path

import numpy as np
import pytest

import batt
from batt import _batt, dsl
from batt.dsl import *

PLACES = (folder / "conformance" / "synthetic.jsonl.gz" for folder in Path(__file__).parents[1:3])
RECORDS = next((place for place in PLACES if place.exists()), Path("none"))


def decode(json_value):
    if not isinstance(json_value, dict):
        return json_value
    ((key, value), *more) = json_value.items()
    if more:
        name, args = json_value["call"], json_value["args"]
        return getattr(dsl, name)(*map(decode, args))
    if key == "t":
        return tuple(map(decode, value))
    if key == "f":
        return frozenset(map(decode, value))
    if key == "c":
        return getattr(dsl, value[0])(*map(decode, value[1:]))
    # A call of a function that is itself an argument.
    return getattr(dsl, value) if value != "invoke" else lambda function, *args: function(*args)


@pytest.mark.skipif(not RECORDS.exists(), reason="the records are in the repository only")
def test_every_record_of_a_primitive_holds():
    checked, names = 0, set()
    with gzip.open(RECORDS, "rt") as records:
        for line in records:
            record = json.loads(line)
            if "loose" in record:
                # Where the original accepts by accident, no answer is promised.
                continue
            names.add(record["op"])
            try:
                function, *args = map(decode, [{"fn": record["op"]}, *record["args"]])
                got = function(*args)
            except (batt.EvaluationError, TypeError):
                assert "out" not in record, line
            else:
                wanted = record.get("canon", record.get("out"))
                assert "out" in record, (line, got)
                assert got == decode(wanted), (line, got)
            checked += 1
    assert checked > 1000
    assert len(names) > 150


def test_values_go_in_and_come_back():
    for value in [
        0,
        True,
        None,
        (1, 2),
        (3, (4, 5)),
        ((1,), (2,)),
        frozenset({(1, 2), (0, 3)}),
        (),
        frozenset(),
    ]:
        assert identity(value) == value
    assert identity(np.array([[1, 2], [3, 4]])) == ((1, 2), (3, 4))
    assert identity([[1, 2], [3]]) == ((1, 2), (3,))
    assert identity({1, 2}) == frozenset({1, 2})
    assert add(np.int64(2), np.uint8(3)) == 5
    assert identity(np.bool_(True)) is True


def test_what_is_no_value_is_refused():
    for wrong in ["text", 1.5, {1: 2}, object()]:
        with pytest.raises(TypeError, match="no value of the DSL"):
            identity(wrong)
    with pytest.raises(ValueError, match="32 bits"):
        identity(2**31)
    deep = ()
    for _ in range(300):
        deep = (deep,)
    with pytest.raises(ValueError, match="deeper"):
        identity(deep)
    with pytest.raises(TypeError, match="takes 1 arguments"):
        identity(1, 2)
    with pytest.raises(batt.EvaluationError, match="StopIteration"):
        first(())


def test_functions_are_values():
    mirrored = fork(vconcat, identity, hmirror)
    assert mirrored(((1, 2),)) == ((1, 2), (1, 2))
    assert repr(compose(size, first)) == "compose(size, first)"
    assert compose(size, first) == compose(size, first)
    assert size.__name__ == "size"
    assert "Example" in size.__doc__
    assert fill(value=3, grid=((1,),), patch=frozenset({(0, 0)})) == ((3,),)
    with pytest.raises(TypeError, match="no argument called"):
        size(containers=())


def test_python_functions_run_where_primitives_take_functions():
    numbers = frozenset({5, 3, 9})
    assert apply(lambda n: n + 1, numbers) == frozenset({6, 4, 10})
    assert apply(lambda n: n + 1, (1, 2)) == (2, 3)
    assert sfilter(numbers, lambda n: n > 4) == frozenset({5, 9})
    assert argmax(numbers, lambda n: -n) == 3
    assert order(numbers, lambda n: -n) == (9, 5, 3)
    assert compose(lambda n: n * 2, increment)(3) == 8
    assert chain(double, lambda n: n + 1, double)(1) == 6
    assert rbind(lambda a, b: a - b, 1)(5) == 4
    assert lbind(lambda a, b: a - b, 1)(5) == -4
    assert matcher(lambda n: n % 2, 1)(3) is True
    assert power(lambda n: n * 2, 3)(1) == 8
    assert fork(add, lambda n: n, double)(2) == 6
    assert rapply((double, lambda n: -n), 4) == (8, -4)
    assert mapply(lambda n: frozenset({n, -n}), (1, 2)) == (-1, 1, -2, 2)
    assert papply(lambda a, b: a * b, (2, 3), (4, 5)) == (8, 15)
    assert extract((1, 2, 3), lambda n: n > 1) == 2
    assert valmax((1, 2, 3), lambda n: -n) == -1


def test_python_functions_agree_with_the_engine():
    """What runs here with a Python function gives what the engine gives with its own."""
    dice = random.Random(5)
    for _ in range(200):
        items = [dice.randrange(-4, 9) for _ in range(dice.randrange(1, 6))]
        container = dice.choice([tuple, frozenset])(items)
        one, other = double, lambda n: n * 2
        for name in ["apply", "argmax", "argmin", "valmax", "valmin", "order", "extract", "sfilter"]:
            function = getattr(dsl, name)
            if name == "apply":
                assert function(one, container) == function(other, container)
            elif name in ("extract", "sfilter"):
                mine, theirs = matcher(one, 2 * items[0]), (lambda n, at=items[0]: n * 2 == 2 * at)
                assert function(container, mine) == function(container, theirs)
            else:
                assert function(container, one) == function(container, other), (name, container)


def test_the_stub_is_what_the_table_says():
    folder = Path(__file__).parents[1]
    if not (folder / "tools").exists():
        pytest.skip("the tools are in the repository only")
    import importlib.util

    spec = importlib.util.spec_from_file_location("dsl_stub", folder / "tools" / "dsl_stub.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert (folder / "src" / "batt" / "dsl.pyi").read_text(encoding="utf-8") == module.stub()


def test_all_names_are_there():
    names = {name for name, *_ in _batt.primitives()} | {name for name, _ in _batt.constants()}
    assert names <= set(dsl.__all__)
    assert all(hasattr(dsl, name) for name in dsl.__all__)


@batt.jit
def mirrored(I):
    """Put a grid on top of its mirror image."""
    x1 = hmirror(I)
    O = vconcat(I, x1)
    return O


def test_a_function_runs_over_many_grids(grids):
    assert mirrored.__doc__ == "Put a grid on top of its mirror image."
    for grid, got in zip(grids, mirrored.map(grids), strict=True):
        assert np.array_equal(got, np.vstack([grid, grid[::-1]]))
        assert np.array_equal(mirrored(grid), got)
    assert mirrored.results(grids).error.max() == 0


def test_what_a_function_cannot_be_is_shown_with_a_caret():
    with pytest.raises(batt.ProgramError) as caught:

        @batt.jit
        def solve(I):
            return [cell for row in I for cell in row]

    assert caught.value.filename.endswith("test_dsl.py")
    assert caught.value.lineno == caught.value.__traceback__.tb_lineno + 2 or "^" in str(caught.value)
    assert "^" in str(caught.value)
    with pytest.raises(batt.ProgramError, match="cannot be found"):
        batt.jit(eval("lambda I: I"))
