"""Primitives over whole columns: what `batt card --to python` writes runs on this.

Every primitive is there as `batch_<name>`: `t2s = batch_fill(Is, ONE, t1s)` is one call of the fast engine
over the values of all samples. An argument is a column or one value for all. Where a call fails, its row is
None, and so is every row that depends on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Any

from batt import _batt, dsl
from batt._batt import Column
from batt.types import Value

__all__ = ["Column", "batch_call", "columns", "spread"]

#: Where lines run; `auto` takes a GPU where there is one and enough to do.
device = "cpu"


def columns(*given: Sequence[Value] | Column) -> list[Column]:
    """Make columns of lists of values; what is a column already stays."""
    return [values if isinstance(values, Column) else Column(values) for values in given]


def spread(value: Value, like: Column) -> Column:
    """Make a column of one value, as long as another."""
    return value if isinstance(value, Column) else Column([value] * len(like))


@lru_cache(maxsize=4096)
def _battery(lines: str) -> _batt.Battery:
    return _batt.Battery([_batt.Program(f"def solve(I):\n{lines}")])


def _over(callee: Any, given: tuple[Any, ...]) -> Column | None:
    """Call something over columns; None where nothing is a column."""
    parts = (callee, *given)
    wide = [value for value in parts if isinstance(value, Column)]
    if not wide:
        return None
    places = {id(value): at for at, value in enumerate(wide)}
    names = []
    for value in parts:
        if not isinstance(value, Column) and _is_written(value):
            names.append(value if value is callee and isinstance(value, str) else repr(value))
            continue
        if not isinstance(value, Column):
            # What no program can write is a column like the others.
            value = spread(value, wide[0])
            places[id(value)] = len(wide)
            wide.append(value)
        names.append(f"get_nth_t(I, {places[id(value)]})")
    function, *args = names
    lines = f"    f = {function}\n    return f({', '.join(args)})\n"
    return _battery(lines).map_columns(wide, device, None)


def _is_written(value: Value) -> bool:
    """Say whether a program can hold a value: a set, and what is made of one, it cannot."""
    return isinstance(value, str) or not any(sign in repr(value) for sign in ("{", "frozenset"))


def _batch(name: str, *given: Any) -> Any:
    """Call a primitive over columns, or once where no argument is one."""
    made = _over(name, given)
    return getattr(dsl, name)(*given) if made is None else made


def batch_call(function: Any, *given: Any) -> Any:
    """Call a function, or a column of functions, over columns."""
    made = _over(function, given)
    return function(*given) if made is None else made


def _fill() -> None:
    space = globals()
    for name in dsl.__all__:
        space[name] = getattr(dsl, name)
        __all__.append(name)
    for name, *_ in _batt.primitives():
        space[f"batch_{name}"] = partial(_batch, name)
        __all__.append(f"batch_{name}")


_fill()
