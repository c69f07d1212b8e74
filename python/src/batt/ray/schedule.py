"""Which work goes out together, and to whom. Nothing here knows of Ray, so that it can be simulated.

A lot is long enough that the driver, which deals with one lot after the other, is busy for no more than a
small share of the time; and short enough that no worker is left alone with the last one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from heapq import heapify, heapreplace
from typing import Protocol

#: The share of its time that the driver may deal with lots while all workers are busy; what it does for
#: units comes on top, and both should be less than 5 %.
SHARE = 0.03
#: No lot is meant to be shorter than this, in seconds.
LEAST = 0.05
#: Units move where a worker would be busy for longer than the others by this.
FAIR = 1.05
#: Towards the end lots become shorter, but by no more than this.
SMALLEST = 4
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
        self.left = self.total = sum(self.weights)
        self.seconds = 0.0
        self.weight = 0.0

    def __len__(self) -> int:
        """Give the number of things that were not dealt yet."""
        return len(self.waiting)

    def take(self, workers: int) -> list[int]:
        """Take the next lot for one of so many workers."""
        workers = max(1, workers)
        if self.weight:
            # Several lots each, smaller towards the end: what takes long there is then among few.
            wanted = self.pace.lot_seconds(workers) * self.weight / max(self.seconds, 1e-9)
            most = min(wanted, max(self.left / (2 * workers), wanted / SMALLEST))
        else:
            # What things take is found out by small lots.
            most = self.total / (16 * workers)
        # What does not fit stays out by half: lots are as long as they should be on the whole.
        lot: list[int] = []
        taken = 0.0
        while self.waiting and (not lot or taken + self.weights[self.waiting[0]] / 2 <= most):
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
        #: Units that nobody has; they go to whoever is free first.
        self.homeless: deque[int] = deque()
        #: Workers that may have room for another lot.
        self.hungry: set[Worker] = set()
        self.can_steal = True
        for worker in crew.ready():
            self._join(worker)
        self._begin()

    def _begin(self) -> None:
        """Queue every unit where it was, those of whoever would be busy for too long elsewhere."""
        # Whatever took longest comes first: nobody waits long for what began last.
        order = sorted(range(len(self.took)), key=lambda unit: -self.took[unit])
        if not self.queues:
            self.homeless.extend(order)
            return
        fair = sum(self.took) / len(self.queues) * FAIR
        moved = []
        for unit in order:
            home = self.homes.home.get(unit)
            if home in self.queues and self.waits[home] + self.took[unit] <= fair:
                self._queue(home, unit)
            else:
                moved.append(unit)
        free = [(seconds, at, worker) for at, (worker, seconds) in enumerate(self.waits.items())]
        heapify(free)
        for unit in moved:
            seconds, at, worker = free[0]
            self._queue(worker, unit)
            heapreplace(free, (seconds + self.took[unit], at, worker))

    def _join(self, worker: Worker) -> None:
        self.queues.setdefault(worker, deque())
        self.waits.setdefault(worker, 0.0)
        self.out.setdefault(worker, [])
        self.hungry.add(worker)

    def _queue(self, worker: Worker, unit: int, first: bool = False) -> None:
        if first:
            self.queues[worker].appendleft(unit)
        else:
            self.queues[worker].append(unit)
        self.waits[worker] += self.took[unit]

    def send(self) -> None:
        """Give every worker that has room its next lots: all of them the first before any the second."""
        hungry, self.hungry = self.hungry, set()
        for depth in range(DEPTH):
            for worker in hungry:
                if worker in self.queues and len(self.out[worker]) == depth:
                    self._send(worker)

    def _send(self, worker: Worker) -> None:
        lot = self._take(worker)
        # Those that it has and those that it is sent go apart.
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
        if self.queues[worker]:
            lot = self._lot(self.queues[worker], self.waits[worker])
            self.waits[worker] -= sum(self.took[unit] for unit in lot)
            return lot
        if self.homeless:
            return self._lot(self.homeless, sum(self.took[unit] for unit in self.homeless) / workers)
        if not self.can_steal or self.out[worker]:
            return []
        other = max(self.queues, key=lambda one: self.waits[one])
        # Nothing is taken that is done sooner than the driver has dealt with everybody.
        if not self.queues[other] or self.waits[other] < self.homes.pace.cost * workers:
            self.can_steal = False
            return []
        # The shortest are last, and soonest done.
        backwards = deque(reversed(self.queues[other]))
        lot = self._lot(backwards, self.waits[other])
        for _ in lot:
            self.queues[other].pop()
        self.waits[other] -= sum(self.took[unit] for unit in lot)
        return lot

    def _lot(self, queue: deque[int], left: float) -> list[int]:
        """Take a lot of a queue that takes so long: half of it, or as much as a lot should be."""
        wanted = self.homes.pace.lot_seconds(len(self.queues))
        most = min(wanted, max(left / 2, wanted / SMALLEST))
        lot: list[int] = []
        taken = 0.0
        while queue and (not lot or taken + self.took[queue[0]] / 2 <= most):
            unit = queue.popleft()
            lot.append(unit)
            taken += self.took[unit]
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
            self.hungry |= set(self.queues)
            return
        if worker not in self.queues:
            self._join(worker)
        self.hungry.add(worker)
        if event.lot not in self.out[worker]:
            return
        self.out[worker].remove(event.lot)
        missing = set(event.missing)
        for unit in event.lot:
            if unit in missing:
                self.homes.home.pop(unit, None)
                self._queue(worker, unit, first=True)
                self.can_steal = True
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
