"""Lots of work as Ray tasks: sent as workers have room, sent again where a worker died, and put in order."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from batt.ray.cluster import RETRIES, Cluster, now, plain_errors, ray
from batt.ray.schedule import DEPTH, Items, Pace, measured

#: No lot is meant to be shorter than this: a lot also costs its worker a few hundredths of a second.
LEAST = 0.5

#: What a worker gives: what came of the lot, and how many seconds it took.
Given = tuple[Any, float]


def each(
    function: Callable[..., Given],
    shared: Any,
    weights: Sequence[float],
    payload: Callable[[list[int]], Any],
    cluster: Cluster,
    name: str,
    *,
    until: float | None = None,
    told: Callable[[int, int], None] | None = None,
    heard: Callable[[list[int], Any], None] | None = None,
) -> list[tuple[list[int], Any]]:
    """Have a function do all items of some weights, in lots; gives each lot with what came of it.

    `function([reference to what is shared], payload(lot))` runs on the workers, again where a worker died,
    and counts once. After `until` no lot is begun. Where something goes wrong, what is out is forgotten: it
    ends by itself soon. (Ray can be told to cancel it, but in 2.60 that can end the driver's process.)
    """
    cluster.checked()
    reference = ray.put(shared)
    remote = ray.remote(function).options(
        name=name, max_retries=RETRIES, retry_exceptions=False, **cluster.options
    )
    pace = Pace(least=LEAST)
    items = Items(weights, pace)
    out: dict[Any, list[int]] = {}
    done: list[tuple[list[int], Any]] = []
    since, count, looked = measured(now), 0, 0.0
    workers = 1
    while len(items) or out:
        if time.monotonic() - looked > 2:
            # A cluster may grow and shrink meanwhile.
            workers, looked = max(1, cluster.room()), time.monotonic()
        # One more lot than workers are busy with, each.
        most = workers if cluster.workers is not None else DEPTH * workers
        while len(items) and len(out) < most and (until is None or time.monotonic() < until):
            lot = items.take(workers)
            out[remote.remote([reference], payload(lot))] = lot
        if not out:
            break
        # Ctrl-C is seen between these.
        first, _ = ray.wait(list(out), timeout=0.5)
        ready, _ = ray.wait(list(out), num_returns=len(out), timeout=0) if first else ([], [])
        for one in ready:
            with plain_errors():
                given, seconds = ray.get(one)
            lot = out.pop(one)
            done.append((lot, given))
            items.done(lot, seconds)
            count += len(lot)
            if heard is not None:
                heard(lot, given)
        pace.saw(len(ready), since())
        if told is not None:
            told(count, len(weights))
    done.sort(key=lambda one: one[0])
    return done
