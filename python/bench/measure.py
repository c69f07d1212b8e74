"""Measure what the Python package promises: `python measure.py [ARC_DSL_FOLDER]`.

ARC_DSL_FOLDER has arc-dsl's dsl.py, constants.py, arc_types.py and solvers.py; without it the lines that need
the original are left out. ARC-AGI-1 must have been fetched: `batt data get`.
"""

from __future__ import annotations

import sys
import time
import types
from pathlib import Path

import batt
from batt.jit import Jitted

#: Takes minutes alone in the original.
SLOWEST = "a64e4611"


def timed(work, times=3):
    """Give the least of several times, and what the last one gave."""
    spent, result = [], None
    for _ in range(times):
        started = time.perf_counter()
        result = work()
        spent.append(time.perf_counter() - started)
    return min(spent), result


def overhead(programs, tasks):
    """Compare a run of 100,000 pairs from Python with the time that the engine itself takes."""
    count = 100_000 // len(tasks.samples()) + 1
    battery = batt.Battery(programs[:count])
    samples = tasks.samples()
    whole, results = timed(lambda: battery.run(tasks, threads=1, progress=False, outputs=False), 5)
    engine, _ = timed(lambda: battery.run_raw(samples, "cpu", 1, False, None), 5)
    print(
        f"{len(results):,} pairs: {whole:.4f} s from Python, {engine:.4f} s in Rust,"
        f" {whole / engine - 1:+.1%}"
    )
    report, _ = timed(lambda: batt.run(programs[:count], tasks, cross=True, threads=1, progress=False), 5)
    print(f"batt.run of them, with its report: {report:.3f} s")


def tables(programs, tasks):
    """Make a polars table of a million pairs."""
    import polars

    samples = tasks.samples()
    results = batt.Battery(programs).run(samples, progress=False)
    times = -(-1_000_000 // len(results))
    if times > 1:
        results = batt.Results.joined([results] * times)
    spent, frame = timed(lambda: polars.DataFrame(results), 5)
    print(f"{frame.height:,} pairs as a polars table: {1000 * spent:.1f} ms")


def rows(grid):
    """Give a grid as tuples."""
    return tuple(map(tuple, grid.tolist()))


def drop_in(folder, tasks):
    """Run arc-dsl's solvers with one import line changed, and as they are."""
    sys.path.insert(0, str(folder))
    text = (folder / "solvers.py").read_text()
    modules = {}
    for name, source in {
        "original": text,
        "batt.dsl": text.replace("from dsl import", "from batt.dsl import"),
    }.items():
        modules[name] = types.ModuleType(name)
        exec(compile(source, name, "exec"), modules[name].__dict__)
    spent = {}
    for name, module in modules.items():
        right, total = 0, 0.0
        for task in tasks:
            solve = getattr(module, f"solve_{task.id}")
            pairs = [(rows(pair.input), rows(pair.output)) for pair in task.demos + task.tests]
            if name == "original" and task.id == SLOWEST:
                continue
            started = time.process_time()
            right += all(solve(given) == wanted for given, wanted in pairs)
            if task.id != SLOWEST:
                total += time.process_time() - started
        spent[name] = total
        print(f"{name}: {right} tasks right, {total:.2f} s of one core without {SLOWEST}")
    print(f"batt.dsl is {spent['original'] / spent['batt.dsl']:.2f} times as fast as the original")
    return modules["original"]


def jitted(original, programs, tasks, count):
    """Compare @batt.jit over many grids with the original, conversions included."""
    theirs = ours = 0.0
    for program in programs:
        if program.task == SLOWEST:
            continue
        task = tasks[program.task]
        grids = [pair.input for pair in task.demos + task.tests]
        given = [rows(grid) for grid in grids]
        solve = getattr(original, program.name)
        started = time.process_time()
        for grid in given:
            solve(grid)
        theirs += (time.process_time() - started) / len(grids)
        function = Jitted.of(program)
        many = (grids * (count // len(grids) + 1))[:count]
        function.map(many[:1], device="cpu", threads=1)
        started = time.process_time()
        function.map(many, device="cpu", threads=1)
        ours += (time.process_time() - started) / count
    mean = len(programs) - 1
    print(
        f"jit over {count:,} grids: {1e6 * ours / mean:.2f} µs a grid,"
        f" the original {1e6 * theirs / mean:.1f} µs, {theirs / ours:.0f} times as long"
    )


def main():
    """Measure everything."""
    tasks = batt.tasks("arc1:train")
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    programs = batt.programs(folder / "solvers.py") if folder else batt.programs()
    few = [program for program in programs if program.task != SLOWEST]
    overhead(few, tasks)
    tables(few, tasks)
    if folder:
        original = drop_in(folder, tasks)
        for count in (100, 1000, 5000):
            jitted(original, programs, tasks, count)


if __name__ == "__main__":
    main()
