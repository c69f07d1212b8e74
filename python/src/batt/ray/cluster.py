"""The cluster: how batt gets to it, what a worker is, and what becomes of errors there."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import ray as _ray
import ray.exceptions as _exceptions

from batt import __version__
from batt.errors import BattError, DeviceError, OptionError
from batt.types import Path

log = logging.getLogger("batt")
ray: Any = _ray
exceptions: Any = _exceptions

#: How often a piece of work is begun again where its worker died.
RETRIES = 8


@dataclass(frozen=True)
class Cluster:
    """Where to work, and what a worker has."""

    #: Ray's address: `"auto"`, `"ray://head:10001"`; without one, Ray's own rules, or this machine alone.
    address: str | None = None
    #: How many workers at most; as many as there is room for if None.
    workers: int | None = None
    #: How many cores a worker has.
    num_cpus: int = 1
    #: How many GPUs a worker has; a GPU has one worker.
    num_gpus: int | None = None
    #: A wheel of batt for machines that do not have it.
    wheel: Path | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot work."""
        if not _is_whole(self.num_cpus):
            raise OptionError(f"num_cpus is {self.num_cpus}", hint="a worker has whole cores, 1 or more")
        if self.num_gpus is not None and self.num_gpus != 0 and not _is_whole(self.num_gpus):
            raise OptionError(
                f"num_gpus is {self.num_gpus}",
                hint="several workers on a GPU would share its memory and its time; "
                "a worker has whole GPUs, 1 or more",
            )
        if self.workers is not None and not _is_whole(self.workers):
            raise OptionError(f"workers is {self.workers}", hint="a number of 1 or more, or None")

    @property
    def device(self) -> str:
        """The device of a worker; Ray shows it no other GPUs than its own."""
        if not self.num_gpus:
            return "cpu"
        return "cuda" if self.num_gpus == 1 else "cuda:all"

    @property
    def options(self) -> dict[str, Any]:
        """What Ray must know of a worker."""
        return {"num_cpus": self.num_cpus, "num_gpus": self.num_gpus or 0}

    def connect(self) -> None:
        """Connect to the cluster, unless this process is connected already."""
        if ray.is_initialized():
            return
        # Workers import what this process imports; a wheel is for machines that cannot.
        env = {"py_modules": [os.fspath(self.wheel)]} if self.wheel is not None else None
        ray.init(address=self.address, runtime_env=env, logging_level=logging.WARNING)

    def room(self) -> int:
        """Say for how many workers there is room now; 0 is possible where a cluster is growing."""
        there = ray.cluster_resources()
        count = int(there.get("CPU", 0) // self.num_cpus)
        if self.num_gpus:
            count = min(count, int(there.get("GPU", 0) // self.num_gpus))
        return count if self.workers is None else self.workers

    def checked(self) -> int:
        """Give the number of workers to begin with; an error where there will be none."""
        room = self.room()
        if self.num_gpus and self.workers is None and room == 0:
            raise DeviceError(
                f"the cluster has no {self.num_gpus} GPUs for a worker",
                hint="without num_gpus cores do the work; workers=N waits for a cluster that grows",
            )
        return max(1, room)


def _is_whole(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number >= 1


def check_version(theirs: str) -> None:
    """Refuse to work for another version of batt."""
    if theirs != __version__:
        raise OptionError(
            f"this worker has batt {__version__}, and the driver has {theirs}",
            hint="the same wheel must be on all machines, or given to them with wheel=",
        )


@contextmanager
def plain_errors() -> Iterator[None]:
    """Raise errors of workers as they would have been raised here."""
    try:
        yield
    except exceptions.RayTaskError as error:
        cause = getattr(error, "cause", None)
        if isinstance(cause, (BattError, ValueError, TypeError, KeyError)):
            raise cause from None
        raise
    except (exceptions.WorkerCrashedError, exceptions.ObjectLostError, exceptions.OutOfMemoryError) as error:
        raise BattError(
            f"workers died {RETRIES + 1} times over the same work: {str(error).splitlines()[0]}",
            hint="often there is too little memory: fewer workers on a machine, by num_cpus=2 or more",
        ) from error


class Store:
    """What all lots of some work share, in a worker's process: it is fetched and made ready once."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.key: Any = None
        self.value: Any = None

    def get(self, ref: list[Any], make: Callable[[Any], Any]) -> Any:
        """Give what was made of a shared object; it comes in a list so that Ray leaves it alone."""
        key = (ref[0].hex(), make)
        if self.key != key:
            self.key, self.value = None, None
            self.value = make(ray.get(ref[0]))
            self.key = key
        return self.value


STORE = Store()


def now() -> float:
    """Give the driver's own time: what it has worked, not what it has waited."""
    return time.process_time()
