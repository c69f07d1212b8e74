"""What came of running a battery: arrays by program and sample, grids, and a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from batt import _batt, pictures
from batt.types import Grid, Value

#: The number of a pair that was not run.
MISSING = 255


class Results:
    """What every program gave on every sample.

    `right`, `error`, `height` and `width` have a row for each program and a column for each sample; `scores`
    has the differs as a third dimension. `cells` holds all grids one after the other, and `offset` where each
    begins. The arrays are the engine's own memory: nothing is copied, neither here nor into a table.
    """

    def __init__(
        self,
        programs: Sequence[str],
        samples: Sequence[tuple[str, str]],
        differs: Sequence[str],
        raw: dict[str, Any],
    ) -> None:
        """Hold what an engine gave."""
        shape = (len(programs), len(samples))
        #: The programs' names.
        self.programs = list(programs)
        #: The samples: task and `demo0`, `test0` and so on.
        self.samples = list(samples)
        #: The differs' names.
        self.differs = list(differs)
        #: 1 where an output is what is expected, 0 where it is not, -1 where that is not known.
        self.right: NDArray[np.int8] = raw["right"].reshape(shape)
        #: 0, or the number of an error in `errors` plus one, or 255 where a stop came before.
        self.error: NDArray[np.uint8] = raw["error"].reshape(shape)
        #: The names of errors.
        self.errors: tuple[str, ...] = raw["errors"]
        #: The height of the grid that a program gave; 0 where it gave none.
        self.height: NDArray[np.uint8] = raw["height"].reshape(shape)
        #: Its width.
        self.width: NDArray[np.uint8] = raw["width"].reshape(shape)
        #: Where its cells begin; one more than there are pairs.
        self.offset: NDArray[np.int64] = raw["offset"]
        #: The cells of all grids.
        self.cells: NDArray[np.uint8] = raw["cells"]
        #: 0 to 1000, more is better; -1 where a differ gave no score.
        self.scores: NDArray[np.int32] = raw["scores"].reshape((*shape, len(differs)))
        self._others: dict[int, Value] = raw["others"]

    def __len__(self) -> int:
        """Give the number of pairs of a program and a sample."""
        return int(self.right.size)

    def output(self, program: int | str, sample: int | tuple[str, str]) -> Grid | Value:
        """Give what a program gave: a view of a grid, another value, or None where it gave none."""
        row, column = self._place(program, sample)
        at = row * len(self.samples) + column
        height, width = int(self.height[row, column]), int(self.width[row, column])
        if height:
            return self.cells[self.offset[at] : self.offset[at + 1]].reshape(height, width)
        return self._others.get(at)

    def error_of(self, program: int | str, sample: int | tuple[str, str]) -> str | None:
        """Give the name of the error that a program ended in, if it did."""
        code = int(self.error[self._place(program, sample)])
        return self.errors[code - 1] if 0 < code < MISSING else None

    def _place(self, program: int | str, sample: int | tuple[str, str]) -> tuple[int, int]:
        row = self.programs.index(program) if isinstance(program, str) else program
        column = self.samples.index(sample) if isinstance(sample, tuple) else sample
        return row, column

    def solved(self) -> NDArray[np.bool_]:
        """Say by program and task whether all known samples are right; tasks are in order of appearance."""
        tasks = list(dict.fromkeys(task for task, _ in self.samples))
        of = np.array([tasks.index(task) for task, _ in self.samples])
        return np.stack([(self.right[:, of == at] != 0).all(axis=1) for at in range(len(tasks))], axis=1)

    def columns(self) -> dict[str, tuple[str, tuple[Any, ...]]]:
        """Give the table's columns: kind and parts by name."""
        programs, samples = self.right.shape
        tasks = list(dict.fromkeys(task for task, _ in self.samples))
        names = list(dict.fromkeys(name for _, name in self.samples))
        task_codes = {task: at for at, task in enumerate(tasks)}
        name_codes = {name: at for at, name in enumerate(names)}
        task = np.array([task_codes[task] for task, _ in self.samples], dtype=np.uint32)
        name = np.array([name_codes[name] for _, name in self.samples], dtype=np.uint32)
        # A code of no word is none: the error 0 comes before the words.
        kinds = (self.error.reshape(-1).astype(np.uint32)) - np.uint32(1)
        columns: dict[str, tuple[str, tuple[Any, ...]]] = {
            "program": ("words", (np.repeat(np.arange(programs, dtype=np.uint32), samples), self.programs)),
            "task": ("words", (np.tile(task, programs), tasks)),
            "sample": ("words", (np.tile(name, programs), names)),
            "correct": ("truth", (self.right.reshape(-1),)),
            "error": ("words", (kinds, list(self.errors))),
            "height": ("uint8", (self.height.reshape(-1),)),
            "width": ("uint8", (self.width.reshape(-1),)),
            "cells": ("bytes", (self.offset, self.cells)),
        }
        for at, differ in enumerate(self.differs):
            columns[differ] = ("score", (np.ascontiguousarray(self.scores[:, :, at]).reshape(-1),))
        return columns

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Give a table with a row for each pair: polars, pandas, DuckDB and pyarrow read it."""
        return _batt.stream([(name, kind, parts) for name, (kind, parts) in self.columns().items()])

    def __iter__(self) -> Iterator[tuple[str, tuple[str, str], Grid | Value]]:
        """Go through all pairs: program, sample and output."""
        for row, program in enumerate(self.programs):
            for column, sample in enumerate(self.samples):
                yield program, sample, self.output(row, column)

    @staticmethod
    def joined(parts: Sequence[Results]) -> Results:
        """Put the results of one battery on several lots of samples side by side."""
        if len(parts) == 1:
            return parts[0]
        first = parts[0]
        samples = [sample for part in parts for sample in part.samples]
        lengths = [np.diff(part.offset).reshape(part.right.shape) for part in parts]
        offset = np.concatenate([[0], np.cumsum(np.concatenate(lengths, axis=1).reshape(-1))]).astype(
            np.int64
        )
        pieces: list[NDArray[np.uint8]] = []
        others: dict[int, Value] = {}
        for row in range(len(first.programs)):
            for part in parts:
                wide = len(part.samples)
                pieces.append(part.cells[part.offset[row * wide] : part.offset[(row + 1) * wide]])
        before = 0
        for part in parts:
            for at, value in part._others.items():
                row, column = divmod(at, len(part.samples))
                others[row * len(samples) + before + column] = value
            before += len(part.samples)
        raw: dict[str, Any] = {
            name: np.concatenate([getattr(part, name) for part in parts], axis=1)
            for name in ("right", "error", "height", "width", "scores")
        }
        cells = np.concatenate(pieces) if pieces else np.zeros(0, np.uint8)
        raw |= {"errors": first.errors, "offset": offset, "cells": cells, "others": others}
        return Results(first.programs, samples, first.differs, raw)

    def __eq__(self, other: object) -> bool:
        """Compare everything."""
        if not isinstance(other, Results):
            return NotImplemented
        arrays = ("right", "error", "height", "width", "offset", "cells", "scores")
        names = (
            self.programs == other.programs
            and self.samples == other.samples
            and self.differs == other.differs
        )
        same = all(np.array_equal(getattr(self, name), getattr(other, name)) for name in arrays)
        return names and same and self._others == other._others

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Say how many outputs are right."""
        right, known = int((self.right == 1).sum()), int((self.right >= 0).sum())
        failed = int(((self.error > 0) & (self.error < MISSING)).sum())
        return (
            f"<batt.Results of {len(self.programs)} programs on {len(self.samples)} samples: "
            f"{right} of {known} right, {failed} errors>"
        )

    def _repr_html_(self) -> str:
        return pictures.results_html(self)
