"""What Ray costs: two nodes of a core each against one process with two threads, the same work, in turns.

    python bench/ray_overhead.py [--rounds 3] [--share 0.15]

Prints a line for each round and for each kind of work its median ratio; exit code 1 where a median is above
1 + share. The cluster is there, and its workers have worked before: what a first lot costs is printed apart.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import ray
from ray.cluster_utils import Cluster

import batt
import batt.ray


def many(times: int) -> batt.Tasks:
    """Give the embedded tasks many times over."""
    return batt.Tasks(
        [batt.Task(f"{task.id}_{n}", task.demos, task.tests) for n in range(times) for task in batt.tasks()]
    )


def works() -> dict[str, tuple[Callable[[], Any], Callable[[], Any]]]:
    """Give each kind of work: in one process, and over the cluster."""
    tasks, copies, more = batt.tasks(), many(150), many(1000)
    battery = batt.Battery(None, differs="builtin")
    cross: dict[str, Any] = {"cross": True, "differs": "builtin", "diff": "always"}

    def evolve(over_ray: bool) -> None:
        asked: dict[str, Any] = {"generations": 15, "seed": 3}
        with tempfile.TemporaryDirectory() as folder:
            archive = os.path.join(folder, "batt.db")
            if over_ray:
                batt.ray.evolve(tasks, archive=archive, **asked)
            else:
                batt.evolve(tasks, archive=archive, threads=2, **asked)

    return {
        "run, report": (
            lambda: batt.run(None, more, threads=2, device="cpu", progress=False, **cross),
            lambda: batt.ray.run(None, more, progress=False, **cross),
        ),
        "run, battery": (
            lambda: battery.run(copies, threads=2, device="cpu", progress=False),
            lambda: batt.ray.run(battery, copies, progress=False),
        ),
        "solve": (
            lambda: batt.solve(many(3), threads=2, progress=False),
            lambda: batt.ray.solve(many(3), progress=False),
        ),
        "evolve": (lambda: evolve(False), lambda: evolve(True)),
    }


def timed(work: Callable[[], Any]) -> float:
    """Say how long some work takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def main() -> int:
    """Measure."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--rounds", type=int, default=3)
    asked.add_argument("--share", type=float, default=0.15)
    asked.add_argument("--only", help="one kind of work")
    options = asked.parse_args()
    cores = os.cpu_count()
    print(
        f"batt {batt.__version__}, Ray {ray.__version__}, Python {platform.python_version()}, {cores} cores"
    )
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, log_to_driver=False)
    print(
        f"first lots (workers start): {timed(lambda: batt.ray.run(None, batt.tasks(), progress=False)):.2f} s"
    )
    failed = False
    for name, (alone, over_ray) in works().items():
        if options.only not in (None, name):
            continue
        over_ray()
        ratios = []
        for number in range(options.rounds):
            # In turns, so that whatever else the machine does meets both.
            one, two = timed(alone), timed(over_ray)
            ratios.append(two / one)
            times = f"one process {one:.2f} s, two nodes {two:.2f} s, ratio {two / one:.3f}"
            print(f"{name}: round {number + 1}: {times}", flush=True)
        median = statistics.median(ratios)
        failed |= median > 1 + options.share
        print(f"{name}: median ratio {median:.3f}")
    ray.shutdown()
    cluster.shutdown()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
