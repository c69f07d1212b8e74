"""The work itself: run, evolve, solve, score; each as the command of its name does it."""

from __future__ import annotations

import json
import logging
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from batt import _batt, convert, pictures
from batt._batt import Archive, Program, Tasks
from batt.progress import watched
from batt.submission import Scored, Submission
from batt.types import Grid, Path, Progress

log = logging.getLogger("batt")


class Report:
    """What came of a run, field by field as `batt run --json` writes it."""

    def __init__(self, data: dict[str, Any]) -> None:
        """Hold a report."""
        self._data = data

    def __getitem__(self, key: str) -> Any:
        """Give a field."""
        return self._data[key]

    def to_dict(self) -> dict[str, Any]:
        """Give all fields, as `batt run --json` writes them."""
        return self._data

    def __eq__(self, other: object) -> bool:
        """Compare all fields."""
        return isinstance(other, Report) and self._data == other._data

    __hash__ = None  # type: ignore[assignment]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A row for each program; of a cross run, for each pair that solves a sample."""
        rows: list[dict[str, Any]] = self._data["programs"]
        return rows

    @property
    def totals(self) -> dict[str, Any]:
        """The sums."""
        totals: dict[str, Any] = self._data["totals"]
        return totals

    @property
    def solved(self) -> list[str]:
        """The ids of tasks of which a program solved all demos and all known tests."""
        return sorted({row["task"] for row in self.rows if row["solved"]})

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Give the rows as a table."""
        rows = self.rows

        def words(values: list[str | None]) -> tuple[str, tuple[Any, ...]]:
            known = list(dict.fromkeys(value for value in values if value is not None))
            codes = {value: at for at, value in enumerate(known)}
            none = np.iinfo(np.uint32).max
            return "words", (np.array([codes.get(v, none) for v in values], dtype=np.uint32), known)  # type: ignore[arg-type]

        def counts(part: str, which: str) -> tuple[str, tuple[Any, ...]]:
            return "int64", (np.array([row[part][which] for row in rows], dtype=np.int64),)

        errors = [row["error"] or {} for row in rows]
        columns = [
            ("program", *words([row["id"] for row in rows])),
            ("task", *words([row["task"] for row in rows])),
            ("solved", "truth", (np.array([row["solved"] for row in rows], dtype=np.int8),)),
            ("demos_solved", *counts("demos", "solved")),
            ("demos", *counts("demos", "total")),
            ("tests_solved", *counts("tests", "solved")),
            ("tests", *counts("tests", "total")),
            ("error", *words([error.get("kind") for error in errors])),
            ("error_sample", *words([error.get("sample") for error in errors])),
        ]
        return _batt.stream(columns)

    def __repr__(self) -> str:
        """Say what was solved."""
        totals = self.totals
        return (
            f"<batt.Report: {totals['tasks_solved']} of {totals['tasks']} tasks solved, "
            f"{totals['samples_solved']} of {totals['samples']} samples, {totals['errors']} errors>"
        )

    def _repr_html_(self) -> str:
        return pictures.report_html(self)


def run(
    programs: Any = None,
    tasks: Any = None,
    *,
    cross: bool = False,
    differs: Any = None,
    diff: str = "matched",
    fuse: bool = True,
    on_error: str = "strict",
    device: str = "auto",
    threads: int | None = None,
    max_seconds: float | None = None,
    progress: Progress | bool | None = None,
) -> Report:
    """Run programs on the tasks that they name, or with `cross` on all, and report.

    The same as `batt run`: demos decide, tests are reported.
    """
    read, data = convert.programs(programs), convert.tasks(tasks)
    scored = [] if differs is None else convert.differs(differs)
    with watched(progress) as told:
        text = _batt.run(
            read, data, cross=cross, differs=scored, diff=diff, fuse=fuse, on_error=on_error, device=device,
            threads=threads, max_seconds=max_seconds, progress=told,
        )  # fmt: skip
    return Report(json.loads(text))


@dataclass
class Evolved:
    """What came of breeding; the programs are in the archive."""

    #: The run's key.
    run: str
    #: The last generation.
    generation: int
    #: Where the programs are.
    archive: str
    #: The tasks.
    tasks: Tasks
    #: By task, a program that solves its demos.
    solved: dict[str, Program]
    #: The last generation in numbers, as `batt evolve --metrics` writes it.
    metrics: dict[str, Any]
    _folder: Any = field(default=None, repr=False)

    def best(self, task: str, limit: int = 1) -> list[dict[str, Any]]:
        """Give the best programs of a task and what they are worth."""
        with Archive(self.archive) as archive:
            return archive.best(task, limit)

    def submission(self, *, attempts: int = 2, best: int = 32) -> Submission:
        """Give attempts at every test from the best programs."""
        return Submission.from_archive(self.archive, self.tasks, attempts=attempts, best=best)

    def __repr__(self) -> str:
        """Say what is solved."""
        return (
            f"<batt.Evolved: {len(self.solved)} of {len(self.tasks)} tasks solved after "
            f"{self.generation} generations, in {self.archive}>"
        )

    def _repr_html_(self) -> str:
        return pictures.solved_html(self.tasks, self.solved, repr(self))


def evolve(
    tasks: Any = None,
    programs: Any = (),
    *,
    archive: str | None = None,
    generations: int | None = None,
    minutes: float | None = None,
    until_solved: bool = False,
    seed: int = 0,
    population: int = 128,
    islands: int = 2,
    random: int = 32,
    keep: int = 16,
    resume: bool = False,
    device: str = "auto",
    threads: int | None = None,
    on_generation: Callable[[dict[str, Any]], object] | None = None,
    on_solved: Callable[[str, Program], object] | None = None,
    progress: Progress | bool | None = None,
) -> Evolved:
    """Breed programs for tasks and keep the best in an archive, from programs that are there or from none.

    `on_generation` is given each generation's numbers, `on_solved` each task that is solved and the program
    that solves it; an exception of theirs ends the run and keeps what was committed. Without an archive, one
    in a temporary folder lives as long as the result.
    """
    if generations is None and minutes is None and not until_solved:
        from batt.errors import OptionError

        raise OptionError(
            "it is not said when to stop", hint="generations=100, minutes=10 or until_solved=True"
        )
    data, folder = convert.tasks(tasks), None
    if archive is None:
        folder = tempfile.TemporaryDirectory(prefix="batt-")
        archive = os.path.join(folder.name, "batt.db")

    def heard(kind: str, what: Any) -> None:
        if kind == "solved":
            if on_solved is not None:
                on_solved(what[0], Program(what[1]))
            return
        line = json.loads(what)
        if told is not None:
            # Of a run that ends by the clock or once all is solved, what is solved is what there is to see.
            if generations is not None:
                told("evolve", line["generation"], generations)
            else:
                told("evolve, tasks solved", line["solved"], line["tasks"])
        if on_generation is not None:
            on_generation(line)

    with watched(progress) as told:
        listens = told is not None or on_generation is not None or on_solved is not None
        key, last, _, _, metrics = _batt.evolve(
            convert.programs(programs), data, archive=archive, generations=generations, minutes=minutes,
            until_solved=until_solved, seed=seed, population=population, islands=islands, random=random,
            keep=keep, resume=resume, device=device, threads=threads, heard=heard if listens else None,
        )  # fmt: skip
    solved: dict[str, Program] = {}
    with Archive(archive) as opened:
        for task in data.ids:
            for best in opened.best(task, 1):
                if best["exact"] == best["demos"]:
                    solved[task] = best["program"]
    log.info("run %s: %d of %d tasks solved after %d generations", key, len(solved), len(data), last)
    return Evolved(key, last, archive, data, solved, json.loads(metrics), folder)


@dataclass(frozen=True)
class Attempt:
    """A program that is right on all demos, and what it makes of the tests."""

    #: The program.
    program: Program
    #: By test, what it gives.
    outputs: tuple[Grid, ...]
    #: The part that found it: cells, objects or enumeration.
    part: str
    #: How it was found.
    how: str
    #: The share of demos on which its like was right without having seen them.
    trust: float

    def __eq__(self, other: object) -> bool:
        """Compare programs, outputs and how they were found."""
        if not isinstance(other, Attempt):
            return NotImplemented
        same = len(self.outputs) == len(other.outputs) and all(
            np.array_equal(a, b) for a, b in zip(self.outputs, other.outputs, strict=True)
        )
        mine, theirs = (self.program, self.part, self.how), (other.program, other.part, other.how)
        return same and mine == theirs and self.trust == other.trust

    __hash__ = None  # type: ignore[assignment]


class Solved(Mapping[str, "tuple[Attempt, ...]"]):
    """Attempts by task, the best first; a task without any has an empty tuple."""

    def __init__(self, tasks: Tasks, answers: list[dict[str, Any]], attempts: int) -> None:
        """Hold the answers of a search."""
        self.tasks = tasks
        self._attempts = attempts
        self._answers = {
            answer["task"]: tuple(
                Attempt(one["program"], tuple(one["outputs"]), one["part"], one["how"], one["trust"])
                for one in answer["attempts"]
            )
            for answer in answers
        }

    def __getitem__(self, task: str) -> tuple[Attempt, ...]:
        """Give a task's attempts."""
        return self._answers[task]

    def __iter__(self) -> Iterator[str]:
        """Go through the ids of the tasks that were begun."""
        return iter(self._answers)

    def __len__(self) -> int:
        """Give the number of tasks that were begun."""
        return len(self._answers)

    @property
    def programs(self) -> list[Program]:
        """The best program of every task that has one."""
        return [attempts[0].program for attempts in self._answers.values() if attempts]

    def right(self, task: str) -> bool | None:
        """Say whether every test has a right attempt; None where an output is not known."""
        tests = self.tasks[task].tests
        if any(test.output is None for test in tests):
            return None
        attempts = self._answers[task]
        return all(
            any(np.array_equal(attempt.outputs[at], test.output) for attempt in attempts)  # type: ignore[arg-type]
            for at, test in enumerate(tests)
        )

    def submission(self) -> Submission:
        """Give the attempts as a submission; what is missing is filled up with the input."""
        grids = {
            task: [[one.outputs[at] for one in attempts] for at in range(len(self.tasks[task].tests))]
            for task, attempts in self._answers.items()
        }
        made = _batt.submission_of(
            self.tasks, programs={}, grids=grids, attempts=self._attempts, device="cpu"
        )
        return Submission(made)

    def score(self) -> Scored:
        """Say what the attempts are worth where the outputs are known."""
        return self.submission().score(self.tasks)

    def __eq__(self, other: object) -> bool:
        """Compare all attempts."""
        return isinstance(other, Solved) and self._answers == other._answers

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Say how many tasks have an attempt, and how many are right."""
        found = sum(1 for attempts in self._answers.values() if attempts)
        judged = [self.right(task) for task in self._answers]
        right = f", {judged.count(True)} right" if None not in judged else ""
        return f"<batt.Solved: {found} of {len(self)} tasks have an attempt{right}>"

    def _repr_html_(self) -> str:
        programs = {task: attempts[0].program for task, attempts in self._answers.items() if attempts}
        return pictures.solved_html(self.tasks, programs, repr(self))


def solve(
    tasks: Any = None,
    *,
    attempts: int = 2,
    parts: list[str] | None = None,
    budget: int | None = None,
    seed: int = 0,
    costs: Path | None = None,
    device: str = "cpu",
    threads: int | None = None,
    max_seconds: float | None = None,
    progress: Progress | bool | None = None,
    on_task: Callable[[str, int], object] | None = None,
) -> Solved:
    """Answer tasks that nobody wrote a program for.

    The same tasks, parts, budget and seed give the same attempts on any machine and number of threads. With
    `max_seconds` no task is begun after that time. `on_task` is given each task that is done and its number
    of attempts.
    """
    data, text = convert.tasks(tasks), None
    if costs is not None:
        with open(costs, encoding="utf-8") as file:
            text = file.read()
    with watched(progress) as told:
        answers = _batt.solve(
            data, attempts=attempts, parts=parts, budget=budget, seed=seed, costs=text, device=device,
            threads=threads, max_seconds=max_seconds, progress=told, heard=on_task,
        )  # fmt: skip
    return Solved(data, answers, attempts)
