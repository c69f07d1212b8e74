"""`@batt.jit`: a solver function, read from its source and run on the fast engine over many grids."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

from batt import convert
from batt._batt import Program, Task
from batt.battery import Battery
from batt.results import Results
from batt.types import Grid, GridLike, Value


class Jitted:
    """A solver function that also runs over many grids at once: `f(grid)`, `f.map(grids)`."""

    #: The program that was read.
    program: Program
    _battery: Battery | None = None

    def __init__(self, function: Callable[..., Any]) -> None:
        """Read a function's source; what cannot be taken is a `batt.ProgramError` with a caret."""
        functools.update_wrapper(self, function)
        self.program = convert.program_of_function(function)

    @staticmethod
    def of(program: Program) -> Jitted:
        """Make one of a program that is there."""
        made = Jitted.__new__(Jitted)
        made.program = program
        return made

    @property
    def battery(self) -> Battery:
        """The battery of this one program."""
        if self._battery is None:
            self._battery = Battery([self.program])
        return self._battery

    def __call__(self, grid: GridLike, task: Task | None = None) -> Grid | Value:
        """Run it on one grid."""
        return self.program.run(grid, task)

    def map(
        self, grids: Iterable[GridLike], *, device: str = "auto", threads: int | None = None
    ) -> list[Grid | Value]:
        """Run it on every grid; where it fails, the result is None. `results` says how."""
        given = grids if isinstance(grids, list) else list(grids)
        return self.battery.map_raw(given, device, threads)

    def results(
        self, grids: Iterable[GridLike], *, device: str = "auto", threads: int | None = None
    ) -> Results:
        """Run it on every grid and give the arrays."""
        given = list(grids)
        task = Task("grids", [], [(grid, None) for grid in given])
        samples = [(task, at) for at in range(len(given))]
        return self.battery.run(samples, device=device, threads=threads, progress=False)

    def __repr__(self) -> str:
        """Name the function."""
        return f"<batt.jit {self.program.name}: {self.program.kinds}>"


def jit(function: Callable[..., Any]) -> Jitted:
    """Read a solver function's source and run it on the fast engine.

    ```
    @batt.jit
    def solve(I):
        return fill(I, ONE, ofcolor(I, TWO))

    solve.map(grids)
    ```
    """
    return Jitted(function)
