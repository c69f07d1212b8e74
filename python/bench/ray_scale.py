"""Where a cluster stops scaling: what lots cost the driver here, and simulations of larger clusters with it.

    python bench/ray_scale.py costs [--tasks arc1:train] > costs.json      measures, a few minutes
    python bench/ray_scale.py simulate costs.json                          simulates, a minute or two

The simulation runs the scheduler that `batt.ray` runs, on a clock of its own: workers are timers that take as
long for units as units took here, and the driver is busy for as long as it was here, with one thing after the
other. Networks are left out but for a latency.
"""

from __future__ import annotations

import argparse
import heapq
import json
import os
import platform
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from typing import Any

from batt.ray import schedule

#: What a message takes on its way, in seconds.
LATENCY = 0.001


def generation_costs(what: str, units: int, generations: int) -> dict[str, Any]:
    """Say what the driver does for each unit of a generation, in seconds of a core."""
    import batt
    from batt import _batt

    everything = batt.tasks(what)
    tasks = batt.Tasks([everything[at] for at in range(min(len(everything), units // 2))])
    asked = {"seed": 1, "population": 128, "islands": 2, "random": 32, "keep": 16}
    costs: dict[str, Any] = {"tasks": len(tasks), "generations": generations}
    with tempfile.TemporaryDirectory() as folder:
        breeding = _batt.Breeding(
            [], tasks, archive=f"{folder}/a.db", resume=False, asked=asked, device="cpu", threads=1
        )
        listed = [tasks[at] for at in range(len(tasks))]
        breeder = _batt.Breeder([], listed, asked=asked, device="cpu", threads=1)
        count = len(breeding)
        spent: dict[str, list[float]] = {}
        commits: list[float] = []
        sizes = dict.fromkeys(("outline", "given", "unit"), 0)
        for generation in range(generations + 1):
            began, archive = time.process_time(), breeding.archive_seconds
            outline = breeding.outline()
            cost = {"outline": time.process_time() - began}
            began = time.process_time()
            breeder.listen(outline)
            cost["listen"] = time.process_time() - began
            given = []
            for unit in range(count):
                part, missing, _ = breeder.step([(unit, None if generation else breeding.unit(unit))])
                assert not missing
                given.append(part)
            began = time.process_time()
            for part in given:
                breeding.take(part)
            cost["take"] = time.process_time() - began
            began = time.process_time()
            breeding.finish()
            cost["finish"] = time.process_time() - began
            if breeding.archive_seconds > archive:
                commits.append(cost.pop("finish") / count)
            began = time.process_time()
            states = [breeding.unit(unit) for unit in range(count)]
            cost["unit"] = time.process_time() - began
            if generation:
                for name, seconds in cost.items():
                    spent.setdefault(name, []).append(seconds / count)
                sizes["outline"] += len(outline) // generations
                sizes["given"] += sum(map(len, given)) // generations // count
                sizes["unit"] = sum(map(len, states)) // count
        costs["took"] = [round(seconds, 6) for seconds in breeding.took]
        costs["seconds_by_unit"] = {name: sum(all_of) / len(all_of) for name, all_of in spent.items()}
        costs["bytes"] = sizes
        costs["finish_and_commit_by_unit"] = sum(commits) / max(1, len(commits))
        costs["archive_seconds"], costs["commits"] = breeding.archive_seconds, len(commits)
    return costs


def measure(what: str, units: int, generations: int) -> dict[str, Any]:
    """Say what a generation costs the driver by unit, and what a lot costs it by Ray."""
    import ray

    # Generations of few units are short: most end without a commit, which is measured apart.
    few = generation_costs(what, 24, 16)
    costs = generation_costs(what, units, generations)
    costs["seconds_by_unit"]["finish"] = few["seconds_by_unit"]["finish"]

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")

    @ray.remote
    class Empty:
        def step(self, reply: int, *_: Any) -> bytes:
            return bytes(reply)

    @ray.remote
    def nothing(reference: Any, lot: bytes) -> bytes:
        return bytes(8000)

    actors = [Empty.remote() for _ in range(2)]
    ray.get([actor.step.remote(0) for actor in actors])
    reference = ray.put(b"x" * 100_000)

    def drive(send: Any, many: int) -> float:
        began, out, sent = time.process_time(), [], 0
        while out or sent < many:
            while sent < many and len(out) < 8:
                out.append(send(sent))
                sent += 1
            ray.wait(out, timeout=0.5)
            ready, out = ray.wait(out, num_returns=len(out), timeout=0)
            ray.get(ready)
        return (time.process_time() - began) / many

    costs["lot"] = {}
    for reply in (8_000, 80_000, 800_000):
        many = 2000 if reply < 500_000 else 400
        one = drive(lambda at, reply=reply: actors[at % 2].step.remote(reply, reference), many)
        costs["lot"][f"actor, {reply // 1000} kB back"] = one
    costs["lot"]["task, 8 kB back"] = drive(lambda at: nothing.remote([reference], bytes(1000)), 2000)
    ray.shutdown()
    costs["machine"] = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    costs["date"] = time.strftime("%Y-%m-%d")
    return costs


class Timers:
    """A crew of timers, and the driver's clock."""

    def __init__(
        self, workers: int, took: Sequence[float], costs: dict[str, Any], pace: schedule.Pace
    ) -> None:
        """Begin at no time, with nothing sent."""
        self.took, self.pace = took, pace
        by_unit, lot = costs["seconds_by_unit"], costs["lot"]
        #: What a reply and a request take of the driver, without and for each unit.
        self.by_lot, self.by_unit = lot["actor, 8 kB back"], by_unit["take"]
        self.by_moved = by_unit["unit"]
        self.now = self.busy = 0.0
        self.free = [0.0] * workers
        self.out: list[tuple[float, int, int, list[int]]] = []
        self.lots = self.moved = 0
        self.real = schedule.measured(time.process_time)

    def work(self, seconds: float) -> None:
        """Let the driver be busy; what the scheduler took of a real clock is part of it."""
        seconds += self.real()
        self.now += seconds
        self.busy += seconds

    def ready(self) -> list[schedule.Worker]:
        """Give all workers."""
        return list(range(len(self.free)))

    def send(self, worker: schedule.Worker, lot: list[int], known: bool) -> None:
        """Let a timer run."""
        assert isinstance(worker, int)
        self.work(self.by_lot + (0 if known else self.by_moved * len(lot)))
        self.lots += 1
        self.moved += 0 if known else len(lot)
        begins = max(self.free[worker], self.now + LATENCY)
        self.free[worker] = begins + sum(self.took[unit] for unit in lot)
        heapq.heappush(self.out, (self.free[worker] + LATENCY, self.lots, worker, lot))

    def wait(self) -> list[schedule.Event]:
        """Give what timers have run out, once there is one."""
        self.work(0.0)
        self.now = max(self.now, self.out[0][0])
        events = []
        while self.out and self.out[0][0] <= self.now:
            _, _, worker, lot = heapq.heappop(self.out)
            self.work(self.by_unit * len(lot))
            events.append(schedule.Event(worker, lot, []))
        self.pace.saw(len(events), self.by_lot * len(events))
        return events


def breeding(
    workers: int, units: int, costs: dict[str, Any], faster: float, threads: int
) -> dict[str, float]:
    """Simulate generations; the last ones count, in which units have their homes."""
    chance = random.Random(1)
    pool = [seconds / faster for seconds in costs["took"]]
    by_unit = costs["seconds_by_unit"]
    pace = schedule.Pace(costs["lot"]["actor, 8 kB back"])
    homes = schedule.Homes(pace)
    base = [chance.choice(pool) for _ in range(units)]
    said = list(base)
    sums = dict.fromkeys(("wall", "work", "busy", "lots", "moved"), 0.0)
    for generation in range(6):
        # From one generation to the next a unit takes about as long again.
        took = [seconds * chance.uniform(0.8, 1.25) for seconds in base]
        crew = Timers(workers, took, costs, pace)
        crew.work(by_unit["outline"] * units)
        assert homes.generation(said, crew, lambda: False)
        crew.work(by_unit["finish"] * units / threads)
        said = took
        if generation >= 2:
            sums["wall"] += crew.now / 4
            sums["work"] += sum(took) / 4
            sums["busy"] += crew.busy / 4
            sums["lots"] += crew.lots / 4
            sums["moved"] += crew.moved / 4
    return sums


def items(workers: int, count: int, seconds: float, cost: float) -> tuple[float, float, float, int]:
    """Simulate a run or a search: wall time, its share of the ideal, the driver's share, and lots."""
    chance = random.Random(2)
    took = [seconds * chance.lognormvariate(0, 0.8) / 1.377 for _ in range(count)]
    pace = schedule.Pace(cost, least=0.5)
    things = schedule.Items([1.0] * count, pace)
    now = busy = 0.0
    free = [0.0] * workers
    idle = list(range(workers)) * schedule.DEPTH
    out: list[tuple[float, int, int, list[int]]] = []
    lots = 0
    real = schedule.measured(time.process_time)
    while len(things) or out:
        while len(things) and idle:
            lot, worker = things.take(workers), idle.pop(0)
            spent = real() + cost
            now, busy, lots = now + spent, busy + spent, lots + 1
            free[worker] = max(free[worker], now + LATENCY) + sum(took[at] for at in lot)
            heapq.heappush(out, (free[worker] + LATENCY, lots, worker, lot))
        now = max(now, out[0][0])
        _, _, worker, lot = heapq.heappop(out)
        things.done(lot, sum(took[at] for at in lot))
        idle.append(worker)
    return now, sum(took) / workers / now, busy / now, lots


def simulate(costs: dict[str, Any]) -> None:
    """Print tables of what clusters would do."""
    head = "| workers | generation | of the ideal | driver busy | lots | units moved |"
    for title, units, faster, sizes in (
        ("800 units (400 tasks on 2 islands), one core each", 800, 1.0, (1, 2, 8, 32, 100, 300, 1000)),
        ("8,000 units (1,000 tasks on 8 islands), one core each", 8000, 1.0, (8, 32, 100, 300, 1000)),
        ("800 units, workers with a GPU that is 10 times a core", 800, 10.0, (1, 4, 16, 50, 100)),
        ("8,000 units, workers with a GPU that is 10 times a core", 8000, 10.0, (1, 4, 16, 50, 100)),
    ):
        print(f"\n{title}\n\n{head}\n| ---: | ---: | ---: | ---: | ---: | ---: |")
        for workers in sizes:
            got = breeding(workers, units, costs, faster, threads=16)
            ideal = got["work"] / workers / got["wall"]
            busy = got["busy"] / got["wall"]
            numbers = f"{got['lots']:.0f} | {got['moved']:.0f} |"
            print(f"| {workers} | {got['wall']:.3f} s | {ideal:.0%} | {busy:.1%} | {numbers}", flush=True)
    cost = costs["lot"]["task, 8 kB back"]
    for title, count, seconds in (
        ("solve: 1,000 tasks of 5 s", 1000, 5.0),
        ("solve: 100,000 tasks of 5 s", 100_000, 5.0),
        ("run: 1,000,000 samples of 20 ms", 1_000_000, 0.02),
    ):
        print(f"\n{title}\n\n| workers | wall | of the ideal | driver busy | lots |")
        print("| ---: | ---: | ---: | ---: | ---: |")
        for workers in (1, 10, 100, 1000):
            wall, ideal, busy, lots = items(workers, count, seconds, cost)
            print(f"| {workers} | {wall:.1f} s | {ideal:.0%} | {busy:.1%} | {lots} |", flush=True)


def main() -> int:
    """Measure or simulate."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("what", choices=["costs", "simulate"])
    asked.add_argument("costs", nargs="?")
    asked.add_argument("--tasks", default="arc1:train")
    asked.add_argument("--units", type=int, default=240)
    asked.add_argument("--generations", type=int, default=6)
    options = asked.parse_args()
    if options.what == "costs":
        json.dump(measure(options.tasks, options.units, options.generations), sys.stdout, indent=1)
        return 0
    with open(options.costs, encoding="utf-8") as file:
        costs = json.load(file)
    print({name: value for name, value in costs.items() if name != "took"})
    simulate(costs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
