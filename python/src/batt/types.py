"""Small types that several modules share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

#: A grid as batt gives it.
Grid: TypeAlias = NDArray[np.uint8]
#: A grid as batt takes it: an array, or rows in lists or tuples.
GridLike: TypeAlias = NDArray[Any] | Sequence[Sequence[int]]
#: A path.
Path: TypeAlias = str | PathLike[str]
#: What a value of the DSL is in Python: an int, a bool, None, a tuple or a frozenset.
Value: TypeAlias = Any
#: Is told `progress(label, done, total)`.
Progress: TypeAlias = Callable[[str, int, int], None]


class Example(NamedTuple):
    """An input and its output; a test's output may be unknown."""

    input: Grid
    output: Grid | None


class HasArrow(Protocol):
    """What gives a table through the Arrow C stream interface."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Give the table as a capsule."""
        ...
