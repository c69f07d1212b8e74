"""Runs and searches over a cluster: tasks and samples in lots, and the results put together again."""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from batt import _batt as _native
from batt import battery as batteries
from batt import convert
from batt._batt import Task, Tasks
from batt.battery import Battery
from batt.errors import OptionError
from batt.progress import watched
from batt.ray.cluster import STORE, Cluster, check_version
from batt.ray.lots import Given, each
from batt.results import Results
from batt.types import Path, Progress
from batt.work import Report, Solved

_batt: Any = _native


def _listed(tasks: Tasks) -> list[Task]:
    return [tasks[at] for at in range(len(tasks))]


def _shared(**parts: Any) -> dict[str, Any]:
    return {"version": _batt.__version__, **parts}


# ---- on a worker -------------------------------------------------------------------------------------------


def _ready(shared: dict[str, Any]) -> dict[str, Any]:
    """Make what was sent to a worker ready for all lots that come."""
    check_version(shared["version"])
    for name in ("programs", "differs"):
        if name in shared:
            shared[name] = _batt.unship(shared[name])
    if "battery" in shared:
        shared["battery"] = Battery(shared["programs"], shared["differs"], **shared["battery"])
    return shared


def run_lot(reference: list[Any], lot: tuple[list[bytes], list[int] | None]) -> Given:
    """Run some programs, or all, on some tasks, and give the report."""
    began = time.perf_counter()
    shared = STORE.get(reference, _ready)
    shipped, places = lot
    programs = shared["programs"]
    if places is not None:
        programs = [programs[at] for at in places]
    data = Tasks(_batt.unship_tasks(shipped))
    report = _batt.run(
        programs, data, differs=shared["differs"], max_seconds=None, progress=None, **shared["options"]
    )
    return report, time.perf_counter() - began


def battery_lot(reference: list[Any], lot: tuple[list[bytes], list[tuple[int, int]]]) -> Given:
    """Run a battery on some samples: tasks, and of each sample its task's place and its own."""
    began = time.perf_counter()
    shared = STORE.get(reference, _ready)
    shipped, places = lot
    tasks = _batt.unship_tasks(shipped)
    samples = [(tasks[task], at) for task, at in places]
    raw = shared["battery"].run_raw(samples, *shared["options"], None)
    return raw, time.perf_counter() - began


def solve_lot(reference: list[Any], lot: list[bytes]) -> Given:
    """Answer some tasks."""
    began = time.perf_counter()
    shared = STORE.get(reference, _ready)
    data = Tasks(_batt.unship_tasks(lot))
    answers = _batt.solve(data, max_seconds=None, progress=None, heard=None, **shared["options"])
    return answers, time.perf_counter() - began


# ---- on the driver -----------------------------------------------------------------------------------------


def run(
    programs: Any = None,
    tasks: Any = None,
    *,
    cross: bool = False,
    differs: Any = None,
    diff: str = "matched",
    fuse: bool = True,
    on_error: str = "strict",
    outputs: bool = True,
    progress: Progress | bool | None = None,
    address: str | None = None,
    workers: int | None = None,
    num_cpus: int = 1,
    num_gpus: int | None = None,
    wheel: Path | None = None,
) -> Report | Results:
    """Run programs on tasks over a cluster, and report as `batt.run` does; a Battery gives its Results.

    With a `batt.Battery` as the first argument, `tasks` are the samples that `Battery.run` takes, and only
    `outputs` and `progress` are of use; its differs are its own.
    """
    cluster = Cluster(address, workers, num_cpus, num_gpus, wheel)
    if isinstance(programs, Battery):
        return _run_battery(programs, tasks, outputs, progress, cluster)
    read, data = convert.programs(programs), convert.tasks(tasks)
    scored = [] if differs is None else convert.differs(differs)
    options = {"cross": cross, "diff": diff, "fuse": fuse, "on_error": on_error}
    ids = {task: at for at, task in enumerate(data.ids)}
    named: dict[int, list[int]] = defaultdict(list)
    for at, program in enumerate(read):
        if not cross and program.task in ids:
            named[ids[program.task]].append(at)
    # What nobody runs is reported by the driver, and so is what every report begins with.
    stray = [at for at, program in enumerate(read) if not cross and program.task not in ids]
    began = time.monotonic()
    rest = _batt.run(
        [read[at] for at in stray], Tasks([], name="none"), differs=scored, device="cpu", threads=1,
        max_seconds=None, progress=None, **options,
    )  # fmt: skip
    report = json.loads(rest)
    items = [at for at in range(len(data)) if cross or at in named]
    items = items if read else []
    # By place and not by name: two programs may have the same.
    shipped = [(text, str(at), task, lines) for at, (text, _, task, lines) in enumerate(_batt.ship(read))]
    rows = [((at, 0), row) for at, row in zip(stray, report["programs"], strict=True)]
    parts: list[dict[str, Any]] = []
    if items:
        cluster.connect()
        shared = _shared(
            programs=shipped, differs=_batt.ship(scored),
            options={**options, "device": cluster.device, "threads": num_cpus},
        )  # fmt: skip
        tasks_there = _batt.ship_tasks([data[at] for at in items])
        weights = [
            (demos + tests) * (1 if cross else len(named[at]))
            for at, (_, demos, tests) in zip(items, tasks_there, strict=True)
        ]

        def payload(lot: list[int]) -> tuple[list[bytes], list[int] | None]:
            its = None if cross else sorted(program for at in lot for program in named[items[at]])
            return [tasks_there[at][0] for at in lot], its

        name = f"batt run: {len(read)} programs on {data.name}"
        with watched(progress) as told:
            told_of = None if told is None else _labelled(told, "run")
            done = each(run_lot, shared, weights, payload, cluster, name, told=told_of)
        parts = [json.loads(part) for _, part in done]
        rows += [((int(row["id"]), ids[row["task"]]), row) for part in parts for row in part["programs"]]
    for (at, _), row in rows:
        row["id"] = read[at].name
    report["programs"] = [row for _, row in sorted(rows, key=lambda row: row[0])]
    version, digest = data.version, data.hash
    report["data"] = {"name": data.name, "version": version, "hash": digest, "tasks": len(data)}
    _add(report, parts)
    report["totals"]["programs"] = len(read)
    report["seconds"] = time.monotonic() - began
    return Report(report)


def _labelled(told: Progress, label: str) -> Callable[[int, int], None]:
    return lambda done, total: told(label, done, total)


def _add(report: dict[str, Any], parts: list[dict[str, Any]]) -> None:
    """Add up what parts of a run counted."""

    def add(mine: dict[str, Any], theirs: dict[str, Any], largest: tuple[str, ...] = ()) -> None:
        for name, value in theirs.items():
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                before = mine.get(name, 0)
                mine[name] = max(before, value) if name in largest else before + value

    for part in parts:
        add(report["totals"], part["totals"])
        add(report["timing"], part["timing"])
        add(report["work"], part["work"], largest=("worker_bytes",))
        if "scoring" in report:
            add(report["scoring"], part["scoring"])
        report["engine"] = part["engine"]


def _run_battery(
    battery: Battery, given: Any, outputs: bool, progress: Progress | bool | None, cluster: Cluster
) -> Results:
    samples = batteries._samples(given)
    if not samples:
        return battery.run([], device="cpu")
    cluster.connect()
    tasks = list({id(task): task for task, _ in samples}.values())
    places = {id(task): at for at, task in enumerate(tasks)}
    shipped = _batt.ship_tasks(tasks)
    known = [(places[id(task)], at) for task, at in samples]
    fuse, on_error = battery._options
    shared = _shared(
        programs=_batt.ship(battery.programs), differs=_batt.ship(battery.differs),
        battery={"fuse": fuse, "on_error": on_error}, options=(cluster.device, cluster.num_cpus, outputs),
    )  # fmt: skip

    def payload(lot: list[int]) -> tuple[list[bytes], list[tuple[int, int]]]:
        its = {task: at for at, task in enumerate(dict.fromkeys(known[one][0] for one in lot))}
        return [shipped[task][0] for task in its], [(its[known[one][0]], known[one][1]) for one in lot]

    def named(one: int) -> tuple[str, str]:
        task, at = known[one]
        demos = shipped[task][1]
        return tasks[task].id, f"demo{at}" if at < demos else f"test{at - demos}"

    name = f"batt run: battery of {len(battery)} programs on {len(samples)} samples"
    with watched(progress) as told:
        told_of = None if told is None else _labelled(told, "run")
        done = each(battery_lot, shared, [1.0] * len(samples), payload, cluster, name, told=told_of)
    programs, differs = [p.name for p in battery.programs], [d.name for d in battery.differs]
    return Results.joined([Results(programs, [named(one) for one in lot], differs, raw) for lot, raw in done])


def solve(
    tasks: Any = None,
    *,
    attempts: int = 2,
    parts: list[str] | None = None,
    budget: int | None = None,
    seed: int = 0,
    costs: Path | None = None,
    max_seconds: float | None = None,
    progress: Progress | bool | None = None,
    on_task: Callable[[str, int], object] | None = None,
    address: str | None = None,
    workers: int | None = None,
    num_cpus: int = 1,
    num_gpus: int | None = None,
    wheel: Path | None = None,
) -> Solved:
    """Answer tasks over a cluster, as `batt.solve` does.

    With `max_seconds` no task goes out after that time; what went out is waited for.
    """
    cluster = Cluster(address, workers, num_cpus, num_gpus, wheel)
    data, text = convert.tasks(tasks), None
    if costs is not None:
        with open(costs, encoding="utf-8") as file:
            text = file.read()
    listed = [task for task in _listed(data) if task.tests]
    if not listed:
        raise OptionError("there are no tasks with tests", hint="demos alone ask nothing")
    cluster.connect()
    shipped = [task for task, _, _ in _batt.ship_tasks(listed)]
    shared = _shared(
        options={
            "attempts": attempts, "parts": parts, "budget": budget, "seed": seed, "costs": text,
            "device": cluster.device, "threads": num_cpus,
        },
    )  # fmt: skip

    def heard(_: list[int], answers: Any) -> None:
        if on_task is not None:
            for answer in answers:
                on_task(answer["task"], len(answer["attempts"]))

    until = None if max_seconds is None else time.monotonic() + max_seconds
    with watched(progress) as told:
        told_of = None if told is None else _labelled(told, "solve")
        done = each(
            solve_lot, shared, [1.0] * len(listed), lambda lot: [shipped[at] for at in lot], cluster,
            f"batt solve: {data.name}", until=until, told=told_of, heard=heard,
        )  # fmt: skip
    return Solved(data, [answer for _, answers in done for answer in answers], attempts)
