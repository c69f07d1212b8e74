"""Batteries: programs merged so that no expression is computed twice, run on any samples."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from batt import _batt, convert
from batt._batt import Task, Tasks
from batt.progress import watched
from batt.results import Results
from batt.types import Progress

#: A sample: a task, and a number that counts its demos first, or `demo0`, `test1`.
Sample = tuple[Task, int | str]


class Battery(_batt.Battery):
    """Programs and the differs that score them, merged.

    ```
    battery = batt.Battery("solvers.py", differs="builtin")
    results = battery.run(batt.tasks("arc1:train"))
    results.right          # an array: programs by samples
    polars.DataFrame(results)
    ```
    """

    def __new__(
        cls, programs: Any = None, differs: Any = None, *, fuse: bool = True, on_error: str = "strict"
    ) -> Battery:
        """Merge programs and differs; both may be whatever `batt.programs` and `batt.differs` read."""
        read = convert.programs(programs)
        scored = [] if differs is None else convert.differs(differs)
        made = super().__new__(cls, read, scored, fuse, on_error)
        made._options = (fuse, on_error)
        made._names = ([program.name for program in read], [differ.name for differ in scored])
        return made

    _options: tuple[bool, str]
    _names: tuple[list[str], list[str]]

    def __init__(self, *_args: Any, **_named: Any) -> None:
        """Do nothing more: everything is merged by now."""

    def run(
        self,
        samples: Any = None,
        *,
        device: str = "auto",
        threads: int | None = None,
        outputs: bool = True,
        progress: Progress | bool | None = None,
    ) -> Results:
        """Run every program on every sample, and every differ on what it gives where the output is known.

        `samples` may be tasks, as `batt.tasks` reads them (all their demos and tests), pairs of a task and
        `"demo0"`, or grids (a list of arrays), which are tests of a task without demos. With `outputs=False`
        it is only found out what is right, which is faster.
        """
        given = _samples(samples)
        with watched(progress) as told:
            raw = self.run_raw(given, device, threads, outputs, told)
        return Results(self._names[0], raw["samples"], self._names[1], raw)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by programs and differs, which are merged again."""
        fuse, on_error = self._options
        return (_merged, (type(self), self.programs, self.differs, fuse, on_error))

    def _repr_html_(self) -> str:
        from batt import pictures

        return pictures.battery_html(self)


def _merged(
    kind: type[Battery], programs: list[Any], differs: list[Any], fuse: bool, on_error: str
) -> Battery:
    return kind(programs, differs, fuse=fuse, on_error=on_error)


def _samples(given: Any) -> list[tuple[Task, int]]:
    if isinstance(given, Iterable) and not isinstance(given, (str, Tasks)) and not hasattr(given, "keys"):
        items = list(given)
        if items and all(_is_sample(item) for item in items):
            return [(task, _number(task, at)) for task, at in items]
        if items and all(_is_grid(item) for item in items):
            task = Task("grids", [], [(grid, None) for grid in items])
            return [(task, at) for at in range(len(items))]
        given = items
    return convert.tasks(given).samples()


def _is_sample(item: Any) -> bool:
    return isinstance(item, tuple) and len(item) == 2 and isinstance(item[0], Task)


def _is_grid(item: Any) -> bool:
    if getattr(item, "ndim", None) == 2:
        return True
    return (
        isinstance(item, (list, tuple))
        and bool(item)
        and isinstance(item[0], (list, tuple))
        and not _is_pair(item)
    )


def _is_pair(item: Any) -> bool:
    """Tell an example (input, output) from a grid of two rows: its rows would be grids."""
    first = item[0]
    return bool(first) and isinstance(first[0], (list, tuple))


def _number(task: Task, at: int | str) -> int:
    if isinstance(at, int):
        return at
    kind, number = at[:4], at[4:]
    if kind not in ("demo", "test") or not number.isdigit():
        raise ValueError(f"{at!r} is no sample; samples are called demo0, demo1, … and test0, …")
    return int(number) + (task.counts[0] if kind == "test" else 0)
