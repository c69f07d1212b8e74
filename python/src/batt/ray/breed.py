"""Evolution over a cluster: the driver has the archive and the whole state, workers breed units.

A worker is an actor that remembers the units that it bred. It can die at any time: its units are sent to
others as they were when the generation began, and what it bred of the generation is bred again, alike.
"""

from __future__ import annotations

import json
import logging
import os
import tempfile
import time
from collections.abc import Callable
from typing import Any

from batt import _batt as _native
from batt import convert
from batt._batt import Archive, Program
from batt.errors import BattError, OptionError
from batt.ray.cluster import Cluster, check_version, exceptions, now, plain_errors, ray
from batt.ray.schedule import Event, Homes, Pace, Worker, measured
from batt.types import Path
from batt.work import Evolved

log = logging.getLogger("batt")
_batt: Any = _native

#: So many workers may die one after the other without having bred anything.
PATIENCE = 10


class Breeder:
    """A worker: it breeds units that it is sent, and remembers them for the next generation."""

    def __init__(self, reference: list[Any]) -> None:
        """Note where what all workers share is."""
        self.reference = reference
        self.breeder: Any = None
        self.generation = -1

    def ready(self) -> int:
        """Make ready, and give the process."""
        if self.breeder is None:
            shared = ray.get(self.reference[0])
            check_version(shared["version"])
            breeder = _batt.Breeder(
                _batt.unship(shared["programs"]), _batt.unship_tasks(shared["tasks"]), asked=shared["asked"],
                device=shared["device"], threads=shared["threads"],
            )  # fmt: skip
            if breeder.configuration != shared["configuration"]:
                raise OptionError(
                    "this worker would breed otherwise than the driver",
                    hint="the same wheel must be on all machines, or given to them with wheel=",
                )
            self.breeder = breeder
        return os.getpid()

    def step(
        self, generation: int, outline: bytes, lot: list[tuple[int, bytes | None]]
    ) -> tuple[bytes, list[int]]:
        """Breed a generation of some units; gives what came of it, and the units that it has not got."""
        self.ready()
        if generation != self.generation:
            self.breeder.listen(outline)
            self.generation = generation
        given, missing, _ = self.breeder.step(lot)
        return given, missing


class Actors:
    """The workers of a run, as the schedule sees them."""

    def __init__(self, breeding: Any, shared: dict[str, Any], cluster: Cluster, pace: Pace) -> None:
        """Begin without any."""
        self.breeding, self.cluster, self.pace = breeding, cluster, pace
        self.reference = ray.put(shared)
        self.kind = ray.remote(Breeder)
        self.actors: dict[int, Any] = {}
        #: Those that are on their way, by what they will say.
        self.coming: dict[Any, int] = {}
        #: Lots that are out, by what will come of them.
        self.out: dict[Any, tuple[int, list[int]]] = {}
        self.number = 0
        self.failed = 0
        self.looked = 0.0
        self.outline: Any = None
        self.next = 0
        self.since = measured(now)
        self.begun = time.monotonic()

    def begin(self) -> None:
        """Begin a generation."""
        self.next = self.breeding.next
        self.outline = ray.put(self.breeding.outline())
        self.grow()

    def grow(self) -> None:
        """Have as many workers as there is room for, and no more than units."""
        if self.looked and time.monotonic() - self.looked < 2:
            return
        self.looked = time.monotonic()
        wanted = min(max(1, self.cluster.room()), len(self.breeding))
        while len(self.actors) + len(self.coming) < wanted:
            self.number += 1
            # Nothing restarts them but this: a worker that comes back has forgotten its units.
            actor = self.kind.options(
                name=f"batt evolve {self.breeding.run}: worker {self.number} of process {os.getpid()}",
                max_restarts=0, max_task_retries=0, **self.cluster.options,
            ).remote([self.reference])  # fmt: skip
            self.actors[self.number] = actor
            self.coming[actor.ready.options(name="batt evolve: a worker makes ready").remote()] = self.number

    def ready(self) -> list[Worker]:
        """Give the workers that are there."""
        coming = set(self.coming.values())
        return [number for number in self.actors if number not in coming]

    def send(self, worker: Worker, lot: list[int], known: bool) -> None:
        """Give a worker units to breed."""
        assert isinstance(worker, int)
        units = [(unit, None if known else self.breeding.unit(unit)) for unit in lot]
        step = self.actors[worker].step.options(name=f"batt evolve: generation {self.next}")
        self.out[step.remote(self.next, self.outline, units)] = (worker, lot)

    def wait(self) -> list[Event]:
        """Wait until something happens; half a second at most, so that Ctrl-C is seen."""
        self.grow()
        every = [*self.out, *self.coming]
        first, _ = ray.wait(every, timeout=0.5)
        ready, _ = ray.wait(every, num_returns=len(every), timeout=0) if first else ([], [])
        events: list[Event] = []
        lots = 0
        for one in ready:
            if one in self.coming:
                events += self._came(one)
            elif one in self.out:
                events += self._gave(one)
                lots += 1
        self.pace.saw(lots, self.since())
        if not self.ready() and time.monotonic() - self.begun > 30:
            self.begun = time.monotonic()
            log.warning("no worker is there; the cluster has room for %d", self.cluster.room())
        return events

    def _came(self, one: Any) -> list[Event]:
        number = self.coming.pop(one)
        try:
            with plain_errors():
                ray.get(one)
        except exceptions.RayActorError as error:
            return self._lost(number, error)
        return [Event(number, [], [])]

    def _gave(self, one: Any) -> list[Event]:
        number, lot = self.out.pop(one)
        try:
            with plain_errors():
                given, missing = ray.get(one)
        except exceptions.RayActorError as error:
            return self._lost(number, error)
        except exceptions.ObjectLostError as error:
            return self._lost(number, error)
        self.failed = 0
        self.breeding.take(given)
        return [Event(number, lot, missing)]

    def _lost(self, number: int, error: Exception) -> list[Event]:
        self.failed += 1
        log.warning("worker %d is gone; what it had goes to others", number)
        if self.failed > PATIENCE + len(self.actors):
            raise BattError(
                f"{self.failed} workers died one after the other: {str(error).splitlines()[0]}",
                hint="often there is too little memory: fewer workers on a machine, by num_cpus=2 or more",
            ) from error
        actor = self.actors.pop(number, None)
        if actor is None:
            return []
        # It may be alive and only out of reach: then it must not go on.
        ray.kill(actor, no_restart=True)
        self.out = {one: (owner, lot) for one, (owner, lot) in self.out.items() if owner != number}
        self.coming = {one: owner for one, owner in self.coming.items() if owner != number}
        self.looked = 0.0
        return [Event(number, [], [], lost=True)]

    def end(self) -> None:
        """Let all workers go: Ray ends those that nobody knows any more, once they have done what is out."""
        self.actors.clear()
        self.coming.clear()
        self.out.clear()


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
    on_generation: Callable[[dict[str, Any]], object] | None = None,
    on_solved: Callable[[str, Program], object] | None = None,
    address: str | None = None,
    workers: int | None = None,
    num_cpus: int = 1,
    num_gpus: int | None = None,
    wheel: Path | None = None,
) -> Evolved:
    """Breed programs over a cluster, as `batt.evolve` does: the archive is the same, byte for byte.

    The archive is opened by this process alone, and may be a file here or a PostgreSQL server. After an
    interruption `resume=True` goes on, here or anywhere, on a cluster or without one.
    """
    if generations is None and minutes is None and not until_solved:
        raise OptionError(
            "it is not said when to stop", hint="generations=100, minutes=10 or until_solved=True"
        )
    cluster = Cluster(address, workers, num_cpus, num_gpus, wheel)
    data, read, folder = convert.tasks(tasks), convert.programs(programs), None
    if archive is None:
        folder = tempfile.TemporaryDirectory(prefix="batt-")
        archive = os.path.join(folder.name, "batt.db")
    asked = {
        "seed": seed, "population": population, "islands": islands, "random": random, "keep": keep
    }  # fmt: skip
    cluster.connect()
    cluster.checked()
    breeding = _batt.Breeding(
        read, data, archive=archive, resume=resume, asked=asked, device=cluster.device, threads=None
    )
    shared = {
        "version": _batt.__version__,
        "programs": _batt.ship(read),
        "tasks": [task for task, _, _ in _batt.ship_tasks([data[at] for at in range(len(data))])],
        "asked": asked,
        "device": cluster.device,
        "threads": num_cpus,
        "configuration": breeding.configuration,
    }
    until = None if minutes is None else time.monotonic() + 60 * minutes
    pace = Pace()
    actors, homes = Actors(breeding, shared, cluster, pace), Homes(pace)
    try:
        while not breeding.is_done(generations, until_solved):
            actors.begin()
            if not homes.generation(
                breeding.took, actors, lambda: until is not None and time.monotonic() > until
            ):
                break
            found, line = breeding.finish()
            for task, text in found if on_solved is not None else ():
                assert on_solved is not None
                on_solved(task, Program(text))
            if on_generation is not None:
                on_generation(json.loads(line))
    finally:
        actors.end()
        breeding.commit()
    last, metrics = breeding.last()
    solved: dict[str, Program] = {}
    with Archive(archive) as opened:
        for task in data.ids:
            for best in opened.best(task, 1):
                if best["exact"] == best["demos"]:
                    solved[task] = best["program"]
    key = breeding.run
    log.info("run %s: %d of %d tasks solved after %d generations", key, len(solved), len(data), last)
    return Evolved(key, last, archive, data, solved, json.loads(metrics), folder)
