"""The DSL as Python functions: `from batt.dsl import *` in place of `from dsl import *`.

Every primitive and constant of arc-dsl, and batt's extensions, on plain tuples, frozensets, lists and NumPy
arrays. Sets are gone through in batt's canonical order, so results do not depend on Python's hashing. Python
functions of your own may be given where a primitive takes a function; they run in Python.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Any, FrozenSet, Tuple  # noqa: UP035

from batt import _batt
from batt.host import with_functions

#: The names of arc-dsl's types, for annotations in programs that are read with it.
TYPES = (
    "Boolean", "Integer", "IntegerTuple", "Numerical", "IntegerSet", "Grid", "Cell", "Object", "Objects",
    "Indices", "IndicesSet", "Patch", "Element", "Piece", "TupleTuple", "ContainerContainer",
)  # fmt: skip

__all__ = ["Any", "Callable", "Container", "FrozenSet", "Tuple"]


def _fill() -> None:
    space = globals()
    for name in TYPES:
        space[name] = Any
    for name, _, _, runs, _ in _batt.primitives():
        function = _batt.primitive(name)
        function.__doc__ = function.doc
        space[name] = with_functions(name, function) if runs or name in _MAKERS else function
        __all__.append(name)
    for name, value in _batt.constants():
        space[name] = value
        __all__.append(name)
    __all__.extend(TYPES)


#: What makes functions of functions.
_MAKERS = frozenset({"compose", "chain", "matcher", "rbind", "lbind", "power", "fork"})

_fill()
