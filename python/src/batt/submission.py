"""Submissions: attempts at every test of every task, and what they are worth."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from batt import _batt, convert
from batt._batt import Archive
from batt.types import Grid, GridLike, Path


@dataclass(frozen=True)
class Scored:
    """What a submission is worth: right and total, by the first one, two and three attempts."""

    #: By output, as ARC Prize counts: `outputs["top2"]`.
    outputs: dict[str, dict[str, int]]
    #: By task: all its outputs must be right.
    tasks: dict[str, dict[str, int]]
    #: Outputs that have no attempt; they count as wrong.
    missing: int
    #: Outputs whose solution is not known; they do not count.
    unknown: int
    #: By task and output, which attempt is the first right one, counted from 1; None where none is.
    by_task: dict[str, list[int | None]]

    def __repr__(self) -> str:
        """Say how many outputs and tasks are right with two attempts."""
        outputs, tasks = self.outputs["top2"], self.tasks["top2"]
        return (
            f"<batt.Scored: {outputs['right']} of {outputs['total']} outputs, "
            f"{tasks['right']} of {tasks['total']} tasks right with two attempts>"
        )


class Submission(Mapping[str, "list[list[Grid]]"]):
    """Attempts by task and test, the best first."""

    def __init__(self, attempts: Mapping[str, Sequence[Sequence[GridLike]]]) -> None:
        """Hold attempts: for every task, for every test, up to three grids."""
        self._attempts: dict[str, list[list[Grid]]] = {
            task: [[np.asarray(grid, dtype=np.uint8) for grid in grids] for grids in tests]
            for task, tests in attempts.items()
        }

    @staticmethod
    def read(path: Path) -> Submission:
        """Read ARC Prize's `submission.json` or the older CSV."""
        with open(path, encoding="utf-8") as file:
            return Submission(_batt.read_submission(file.read()))

    @staticmethod
    def from_programs(
        programs: Any, tasks: Any = None, *, attempts: int = 2, device: str = "auto"
    ) -> Submission:
        """Make the attempts of programs, each on the task that it names, the first of each task first."""
        by_task: dict[str, list[Any]] = {}
        for program in convert.programs(programs):
            if program.task is not None:
                by_task.setdefault(program.task, []).append(program)
        made = _batt.submission_of(
            convert.tasks(tasks), programs=by_task, grids={}, attempts=attempts, device=device
        )
        return Submission(made)

    @staticmethod
    def from_archive(
        archive: str | Archive, tasks: Any = None, *, attempts: int = 2, best: int = 32, device: str = "auto"
    ) -> Submission:
        """Make the attempts of an archive's best programs."""
        data = convert.tasks(tasks)
        opened = Archive(archive) if isinstance(archive, str) else archive
        known = set(opened.tasks)
        programs = {
            task: [one["program"] for one in opened.best(task, best)] for task in data.ids if task in known
        }
        if isinstance(archive, str):
            opened.close()
        return Submission(
            _batt.submission_of(data, programs=programs, grids={}, attempts=attempts, device=device)
        )

    def write(self, path: Path = "submission.json") -> None:
        """Write it as ARC Prize takes it; a file that is there is replaced whole."""
        text, path = _batt.write_submission(self._attempts), os.fspath(path)
        with open(path + ".part", "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(path + ".part", path)

    def score(self, tasks: Any) -> Scored:
        """Say what it is worth on tasks whose outputs are known."""
        scored = json.loads(_batt.score(self._attempts, convert.tasks(tasks)))
        by_task = {row["task"]: row["outputs"] for row in scored["by_task"]}
        return Scored(scored["outputs"], scored["tasks"], scored["missing"], scored["unknown"], by_task)

    def __getitem__(self, task: str) -> list[list[Grid]]:
        """Give a task's attempts by test."""
        return self._attempts[task]

    def __iter__(self) -> Iterator[str]:
        """Go through the tasks' ids."""
        return iter(self._attempts)

    def __len__(self) -> int:
        """Give the number of tasks."""
        return len(self._attempts)

    def __eq__(self, other: object) -> bool:
        """Compare all attempts."""
        if not isinstance(other, Submission) or self._attempts.keys() != other._attempts.keys():
            return False
        return _batt.write_submission(self._attempts) == _batt.write_submission(other._attempts)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Say how large it is."""
        attempts = sum(len(grids) for tests in self._attempts.values() for grids in tests)
        return f"<batt.Submission: {attempts} attempts at {len(self)} tasks>"


def score(submission: Submission | Path | Mapping[str, Sequence[Sequence[GridLike]]], tasks: Any) -> Scored:
    """Say what a submission, or its file, is worth on tasks whose outputs are known."""
    if isinstance(submission, (str, os.PathLike)):
        submission = Submission.read(submission)
    elif not isinstance(submission, Submission):
        submission = Submission(submission)
    return submission.score(tasks)
