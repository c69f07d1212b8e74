"""Which work goes out together, and to whom. Nothing here knows of Ray, so that it can be simulated.

A lot is long enough that the driver, which deals with one lot after the other, is busy for no more than a
small share of the time; and short enough that no worker is left alone with the last one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

#: The share of its time that the driver may deal with lots, while all workers are busy.
SHARE = 0.05
#: No lot is meant to be shorter than this, in seconds.
LEAST = 0.05
#: How many lots a worker has at a time: one that it works on, and one that waits for it.
DEPTH = 2

Worker = Hashable


class Pace:
    """What lots cost the driver and the workers, as far as is known by now."""

    def __init__(self, cost: float = 0.002, least: float = LEAST) -> None:
        """Begin with a guess of what a lot costs the driver, in seconds."""
        self.cost, self.least = cost, least

    def saw(self, lots: int, seconds: float) -> None:
        """Learn what lots took of the driver's time."""
        if lots:
            self.cost += min(0.2, lots / 50) * (seconds / lots - self.cost)

    def lot_seconds(self, workers: int) -> float:
        """Say how long a lot should be so that the driver can deal with all workers."""
        return max(self.least, self.cost * workers / SHARE)


class Items:
    """Things to do in any order, dealt in lots of what takes long enough."""

    def __init__(self, weights: Sequence[float], pace: Pace) -> None:
        """Hold things, each by how long it takes against the others."""
        self.weights = list(weights)
        self.pace = pace
        self.waiting = deque(range(len(self.weights)))
        self.left = sum(self.weights)
        self.seconds = 0.0
        self.weight = 0.0

    def __len__(self) -> int:
        """Give the number of things that were not dealt yet."""
        return len(self.waiting)

    def take(self, workers: int) -> list[int]:
        """Take the next lot for one of so many workers."""
        workers = max(1, workers)
        # Several lots each, ever smaller towards the end: what takes long there is then among few.
        most = self.left / (2 * workers)
        if self.weight:
            most = min(most, self.pace.lot_seconds(workers) * self.weight / max(self.seconds, 1e-9))
        else:
            # What things take is found out by small lots.
            most = min(most, sum(self.weights) / (16 * workers))
        lot: list[int] = []
        taken = 0.0
        while self.waiting and (not lot or taken + self.weights[self.waiting[0]] <= most):
            at = self.waiting.popleft()
            lot.append(at)
            taken += self.weights[at]
        self.left -= taken
        return lot

    def done(self, lot: Iterable[int], seconds: float) -> None:
        """Learn how long a lot took its worker."""
        self.seconds += seconds
        self.weight += sum(self.weights[at] for at in lot)


class Crew(Protocol):
    """Workers that come and go, and what they give."""

    def ready(self) -> list[Worker]:
        """Give the workers that are there."""
        ...

    def send(self, worker: Worker, lot: list[int], known: bool) -> None:
        """Give a worker units to breed; `known` says that it bred them in the generation before."""
        ...

    def wait(self) -> list[Event]:
        """Wait until something happens."""
        ...


@dataclass
class Event:
    """What happened: a worker gave something, came, or is gone."""

    worker: Worker
    #: The lot that it is about; empty where a worker came or is gone.
    lot: list[int]
    #: The units of the lot that it did not have, and did not breed.
    missing: list[int]
    #: Whether it is gone, with all that it had.
    lost: bool = False


class Homes:
    """Where units are bred: where they were before, unless somebody else is free for them.

    A worker remembers its units; whoever has not got one must be sent it, which costs a little.
    """

    def __init__(self, pace: Pace) -> None:
        """Begin with units that are nowhere."""
        self.pace = pace
        self.home: dict[int, Worker] = {}

    def forget(self, worker: Worker) -> None:
        """Note that a worker is gone."""
        self.home = {unit: home for unit, home in self.home.items() if home != worker}

    def generation(self, took: Sequence[float], crew: Crew, stop: Callable[[], bool]) -> bool:
        """Have one generation of all units bred, whose last took so long; False if it was stopped."""
        deal = _Deal(self, took, crew)
        while deal.left:
            if stop():
                return False
            deal.send()
            for event in crew.wait():
                deal.saw(event)
        return True


class _Deal:
    """A generation that is under way."""

    def __init__(self, homes: Homes, took: Sequence[float], crew: Crew) -> None:
        self.homes, self.crew = homes, crew
        # What is solved rests, and takes a moment; what is new takes who knows how long.
        least = max(1e-4, sum(took) / max(1, len(took)) / 20)
        self.took = [max(seconds, least) for seconds in took]
        self.left = len(took)
        self.done = [False] * len(took)
        self.queues: dict[Worker, deque[int]] = {}
        self.waits: dict[Worker, float] = {}
        self.out: dict[Worker, list[list[int]]] = {}
        self.homeless: deque[int] = deque()
        ready = crew.ready()
        for worker in ready:
            self._join(worker)
        # Whatever took longest comes first: nobody waits long for what began last.
        order = sorted(range(len(took)), key=lambda unit: -self.took[unit])
        for unit in order:
            home = homes.home.get(unit)
            if home in self.queues:
                self._queue(home, unit)
            else:
                self.homeless.append(unit)

    def _join(self, worker: Worker) -> None:
        self.queues.setdefault(worker, deque())
        self.waits.setdefault(worker, 0.0)
        self.out.setdefault(worker, [])

    def _queue(self, worker: Worker, unit: int, first: bool = False) -> None:
        if first:
            self.queues[worker].appendleft(unit)
        else:
            self.queues[worker].append(unit)
        self.waits[worker] += self.took[unit]

    def send(self) -> None:
        """Give every worker that has room its next lots."""
        for depth in range(DEPTH):
            for worker in self.queues:
                if len(self.out[worker]) == depth:
                    self._send(worker)

    def _send(self, worker: Worker) -> None:
        lot = self._take(worker)
        # A worker keeps units of one lot apart: those it has, and those that it is sent.
        known = [unit for unit in lot if self.homes.home.get(unit) == worker]
        moved = [unit for unit in lot if self.homes.home.get(unit) != worker]
        for units, is_known in ((known, True), (moved, False)):
            if units:
                for unit in units:
                    self.homes.home[unit] = worker
                self.out[worker].append(units)
                self.crew.send(worker, units, is_known)

    def _take(self, worker: Worker) -> list[int]:
        """Take units of its own, then such as are nowhere, then of whoever has most left to do."""
        workers = len(self.queues)
        queue, mine = self.queues[worker], True
        if not queue and self.homeless:
            queue, mine = self.homeless, False
            left = sum(self.took[unit] for unit in queue) / workers
        elif not queue:
            other = max(self.queues, key=lambda one: self.waits[one])
            # One whose last units are all that is left keeps them, unless it has other things to do.
            if not self.queues[other]:
                return []
            return self._steal(other)
        else:
            left = self.waits[worker]
        most = min(self.homes.pace.lot_seconds(workers), left / 2)
        lot: list[int] = []
        taken = 0.0
        while queue and (not lot or taken + self.took[queue[0]] <= most):
            unit = queue.popleft()
            lot.append(unit)
            taken += self.took[unit]
        if mine:
            self.waits[worker] -= taken
        return lot

    def _steal(self, other: Worker) -> list[int]:
        queue = self.queues[other]
        most = min(self.homes.pace.lot_seconds(len(self.queues)), self.waits[other] / 2)
        lot: list[int] = []
        taken = 0.0
        # The shortest are last, and soonest done.
        while queue and (not lot or taken + self.took[queue[-1]] <= most):
            unit = queue.pop()
            lot.append(unit)
            taken += self.took[unit]
        self.waits[other] -= taken
        return lot

    def saw(self, event: Event) -> None:
        """Take into account what happened."""
        worker = event.worker
        if event.lost:
            self.homes.forget(worker)
            for lot in self.out.pop(worker, []):
                self.homeless.extendleft(unit for unit in lot if not self.done[unit])
            self.homeless.extend(self.queues.pop(worker, ()))
            self.waits.pop(worker, None)
            return
        if worker not in self.queues:
            self._join(worker)
        if event.lot not in self.out[worker]:
            return
        self.out[worker].remove(event.lot)
        missing = set(event.missing)
        for unit in event.lot:
            if unit in missing:
                self.homes.home.pop(unit, None)
                self._queue(worker, unit, first=True)
            elif not self.done[unit]:
                self.done[unit] = True
                self.left -= 1


def measured(clock: Callable[[], float]) -> Callable[[], float]:
    """Give a function that says how much of a clock passed since it was last asked."""
    last = [clock()]

    def since() -> float:
        now = clock()
        spent, last[0] = now - last[0], now
        return spent

    return since
