"""`batt ray run|solve|evolve`: the commands of these names over a Ray cluster.

It is not in `batt.ray`, which needs Ray: its help does not.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any

EXIT = "Exit codes: 0 if all tasks are solved, 1 if not, 2 on an error; 130 if Ctrl-C ended it."
EXAMPLES = """\
Examples:
  batt ray run solvers.py --tasks arc1:train --address auto
  batt ray solve --tasks arc1:eval --num-gpus 1 -o submission.json
  batt ray evolve solvers.py --tasks arc1:train --archive a.db --generations 200
  srun ... ray symmetric-run --address $HEAD:6379 -- \
    batt ray solve --address auto --tasks arc1 -o submission.json

Results are those of the command without `ray`, whatever becomes of workers and machines.
"""
BY = argparse.RawDescriptionHelpFormatter


def parser() -> argparse.ArgumentParser:
    """Give what reads the arguments."""
    top = argparse.ArgumentParser(
        prog="batt ray",
        description="Run, solve and evolve over a Ray cluster.",
        epilog=f"{EXAMPLES}\n{EXIT}",
        formatter_class=BY,
    )
    words = top.add_subparsers(dest="word", required=True, metavar="run|solve|evolve")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument(
        "--tasks", metavar="WHAT", help="a data set (arc1:train), a file or a folder; the built-in tasks"
    )
    cluster = common.add_argument_group("cluster")
    cluster.add_argument(
        "--address",
        metavar="ADDRESS",
        help="auto, or ray://HOST:10001; else RAY_ADDRESS, or this machine alone",
    )
    cluster.add_argument(
        "--workers",
        type=_count,
        metavar="N",
        help="how many workers; as many as there is room for if not given",
    )
    cluster.add_argument(
        "--num-cpus", type=_count, default=1, metavar="N", help="how many cores a worker has (1)"
    )
    cluster.add_argument(
        "--num-gpus", type=_number, metavar="N", help="how many GPUs a worker has: whole ones, 1 or more"
    )
    cluster.add_argument(
        "--wheel", metavar="FILE.whl", help="the wheel of batt, for machines that do not have it"
    )
    common.add_argument("--json", action="store_true", help="print JSON")

    def add(name: str, what: str) -> argparse.ArgumentParser:
        return words.add_parser(
            name, help=what, description=what + ".", parents=[common], epilog=EXIT, formatter_class=BY
        )

    run = add("run", "Run programs on the tasks that they name, or on all, and report")
    run.add_argument(
        "programs", nargs="*", metavar="FILE.py", help="files or folders; the built-in programs if none"
    )
    run.add_argument("--cross", action="store_true", help="run every program on every task")
    run.add_argument(
        "--differs", metavar="FILE.py", help="score outputs with these differs; builtin has ours"
    )
    run.add_argument(
        "--diff", choices=["matched", "always"], default="matched", help="which outputs are scored (matched)"
    )
    run.add_argument(
        "--on-error", choices=["strict", "safe"], default="strict", help="what an error does (strict)"
    )

    solve = add("solve", "Answer tasks that nobody wrote a program for")
    solve.add_argument("-o", "--output", metavar="FILE", help="the submission to write")
    solve.add_argument("--programs", metavar="FILE.py", help="write the programs that make the attempts")
    solve.add_argument(
        "--attempts", type=int, choices=[1, 2, 3], default=2, help="attempts for each test (2)"
    )
    solve.add_argument(
        "--parts",
        type=lambda text: text.split(","),
        metavar="PART,…",
        help="cells, objects, enumeration; all if not given",
    )
    solve.add_argument("--budget", type=_count, metavar="ROWS", help="row evaluations that a task may take")
    solve.add_argument(
        "--seed",
        type=int,
        default=0,
        metavar="SEED",
        help="what decides between attempts that are worth the same (0)",
    )
    solve.add_argument(
        "--costs", metavar="FILE", help="what operations cost: a table of batt solve --learn-costs"
    )
    solve.add_argument(
        "--max-seconds", type=float, metavar="SECONDS", help="send no more tasks after so many seconds"
    )

    evolve = add("evolve", "Breed programs for tasks, and keep the best in an archive")
    evolve.add_argument(
        "programs", nargs="*", metavar="FILE.py", help="programs to start from; none is possible"
    )
    evolve.add_argument(
        "--archive", default="batt.db", metavar="URL", help="a file, or postgres://… (batt.db)"
    )
    evolve.add_argument("--generations", type=int, metavar="N", help="stop after this generation")
    evolve.add_argument("--minutes", type=float, metavar="MINUTES", help="stop after so long")
    evolve.add_argument("--until-solved", action="store_true", help="stop once every task is solved")
    evolve.add_argument("--resume", action="store_true", help="go on with a run that was begun")
    for name, value, what in (
        ("seed", 0, "what all chance follows from"),
        ("population", 128, "programs that stay, for each task and island"),
        ("islands", 2, "islands of each task"),
        ("random", 32, "random programs to start from"),
        ("keep", 16, "programs that the archive keeps for each task"),
    ):
        evolve.add_argument(f"--{name}", type=int, default=value, metavar="N", help=f"{what} ({value})")
    return top


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return number


def _number(text: str) -> float:
    number = float(text)
    return int(number) if number.is_integer() else number


def main(arguments: Sequence[str]) -> int:
    """Run the command and give its exit code."""
    try:
        asked = parser().parse_args(arguments)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 2
    from batt.errors import BattError

    try:
        return {"run": _run, "solve": _solve, "evolve": _evolve}[asked.word](asked)
    except KeyboardInterrupt:
        return 130
    except (BattError, ImportError, ValueError, OSError, RuntimeError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _cluster(asked: argparse.Namespace) -> dict[str, Any]:
    names = ("address", "workers", "num_cpus", "num_gpus", "wheel")
    return {name: getattr(asked, name) for name in names}


def _run(asked: argparse.Namespace) -> int:
    import batt.ray

    report = batt.ray.run(
        asked.programs or None, asked.tasks, cross=asked.cross, differs=asked.differs, diff=asked.diff,
        on_error=asked.on_error, **_cluster(asked),
    )  # fmt: skip
    assert isinstance(report, batt.Report)
    totals = report.totals
    if asked.json:
        print(json.dumps(report.to_dict()))
    else:
        for row in report.rows:
            print(_line(row))
        print(
            f"{totals['tasks_solved']} of {totals['tasks']} tasks solved, "
            f"{totals['samples_solved']} of {totals['samples']} samples, {totals['errors']} errors"
        )
    done = (
        totals["tasks_solved"] == totals["tasks"]
        if asked.cross
        else all(row["solved"] for row in report.rows)
    )
    return 0 if done else 1


def _line(row: dict[str, Any]) -> str:
    """Give a program's row as a line."""
    counts = "  ".join(f"{row[part]['solved']}/{row[part]['total']}" for part in ("demos", "tests"))
    verdict = "solved" if row["solved"] else "      "
    error = f"  {row['error']['kind']}: {row['error']['what']}" if row["error"] else ""
    return f"{verdict}  {row['task'] or '-'}  {row['id']}  {counts}{error}"


def _solve(asked: argparse.Namespace) -> int:
    import batt.ray

    solved = batt.ray.solve(
        asked.tasks, attempts=asked.attempts, parts=asked.parts, budget=asked.budget, seed=asked.seed,
        costs=asked.costs, max_seconds=asked.max_seconds, **_cluster(asked),
    )  # fmt: skip
    if asked.output is not None:
        solved.submission().write(asked.output)
    if asked.programs is not None:
        with open(asked.programs, "w", encoding="utf-8") as file:
            file.write("\n".join(program.source for program in solved.programs))
    counts = {task: len(attempts) for task, attempts in solved.items()}
    if asked.json:
        known = {task: solved.right(task) for task in solved}
        print(json.dumps({"schema": 1, "attempts": counts, "right": known}))
    else:
        print(repr(solved).removeprefix("<batt.Solved: ").removesuffix(">"))
    return 0 if len(counts) == len(solved.tasks) and all(counts.values()) else 1


def _evolve(asked: argparse.Namespace) -> int:
    import batt.ray

    def told(metrics: dict[str, Any]) -> None:
        if asked.json:
            print(json.dumps(metrics), flush=True)
        elif sys.stderr.isatty():
            text = (
                f"generation {metrics['generation']}: {metrics['solved']} of {metrics['tasks']} tasks solved"
            )
            print(f"\r{text:<78}", end="", file=sys.stderr, flush=True)

    evolved = batt.ray.evolve(
        asked.tasks, asked.programs, archive=asked.archive, generations=asked.generations,
        minutes=asked.minutes, until_solved=asked.until_solved, seed=asked.seed, population=asked.population,
        islands=asked.islands, random=asked.random, keep=asked.keep, resume=asked.resume, on_generation=told,
        **_cluster(asked),
    )  # fmt: skip
    if not asked.json:
        print(
            ("\r" if sys.stderr.isatty() else "")
            + repr(evolved).removeprefix("<batt.Evolved: ").removesuffix(">")
        )
    return 0 if len(evolved.solved) == len(evolved.tasks) else 1
