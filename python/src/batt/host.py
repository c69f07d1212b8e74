"""Python functions as arguments of primitives: what runs or makes functions, written in Python.

A primitive that is given only functions of the DSL runs in the engine. One that is given a Python function
runs here, with the same meaning: sets are gone through in canonical order, which is the engine's.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from itertools import islice
from typing import Any

from batt import _batt

Call = Callable[..., Any]


def is_foreign(value: Any) -> bool:
    """Say whether a value is a Python function and not one of the DSL."""
    return callable(value) and not isinstance(value, (_batt.Function, type))


def items(container: Any) -> list[Any]:
    """Give a container's items, those of a set in canonical order."""
    if isinstance(container, (set, frozenset)):
        return list(_batt.primitive("totuple")(container))
    return list(container)


def _like(container: Any, values: list[Any]) -> Any:
    return frozenset(values) if isinstance(container, (set, frozenset)) else tuple(values)


def _merged(containers: list[Any], model: Any) -> Any:
    return _like(model, [value for one in containers for value in items(one)])


def _apply(function: Call, container: Any) -> Any:
    return _like(container, [function(value) for value in items(container)])


def _rapply(functions: Any, value: Any) -> Any:
    return _like(functions, [function(value) for function in items(functions)])


def _mapply(function: Call, container: Any) -> Any:
    return _batt.primitive("merge")(_apply(function, container))


def _papply(function: Call, a: Any, b: Any) -> Any:
    return tuple(function(i, j) for i, j in zip(items(a), items(b), strict=False))


def _mpapply(function: Call, a: Any, b: Any) -> Any:
    return _batt.primitive("merge")(_papply(function, a, b))


def _prapply(function: Call, a: Any, b: Any) -> Any:
    return frozenset(function(i, j) for j in items(b) for i in items(a))


def _sfilter(container: Any, condition: Call) -> Any:
    return _like(container, [value for value in items(container) if condition(value)])


def _mfilter(container: Any, function: Call) -> Any:
    return _batt.primitive("merge")(_sfilter(container, function))


def _extract(container: Any, condition: Call) -> Any:
    return next(value for value in items(container) if condition(value))


def _best(choose: Call) -> Call:
    def best(container: Any, function: Call) -> Any:
        return choose(items(container), key=function)

    return best


def _most(choose: Call) -> Call:
    def most(container: Any, function: Call) -> Any:
        return choose((function(value) for value in items(container)), default=0)

    return most


def _order(container: Any, function: Call) -> Any:
    return tuple(sorted(items(container), key=function))


def _compose(outer: Call, inner: Call) -> Call:
    return lambda value: outer(inner(value))


def _chain(h: Call, g: Call, f: Call) -> Call:
    return lambda value: h(g(f(value)))


def _matcher(function: Call, target: Any) -> Call:
    return lambda value: function(value) == target


def _rbind(function: Call, fixed: Any) -> Call:
    return lambda *values: function(*values, fixed)


def _lbind(function: Call, fixed: Any) -> Call:
    return lambda *values: function(fixed, *values)


def _power(function: Call, n: int) -> Call:
    def many(value: Any) -> Any:
        for _ in range(n):
            value = function(value)
        return value

    if n < 1:
        raise RecursionError("power needs a count of one or more")
    return many


def _fork(outer: Call, a: Call, b: Call) -> Call:
    return lambda value: outer(a(value), b(value))


#: What runs or makes functions, by name.
HOSTED: dict[str, Call] = {
    "apply": _apply,
    "rapply": _rapply,
    "mapply": _mapply,
    "papply": _papply,
    "mpapply": _mpapply,
    "prapply": _prapply,
    "sfilter": _sfilter,
    "mfilter": _mfilter,
    "extract": _extract,
    "argmax": _best(max),
    "argmin": _best(min),
    "valmax": _most(max),
    "valmin": _most(min),
    "order": _order,
    "compose": _compose,
    "chain": _chain,
    "matcher": _matcher,
    "rbind": _rbind,
    "lbind": _lbind,
    "power": _power,
    "fork": _fork,
}


def with_functions(name: str, function: _batt.Function) -> Any:
    """Give a primitive that may also be given Python functions, where it has a form for them."""
    plain = name.removesuffix("_t").removesuffix("_f").removesuffix("_i").removesuffix("_o")
    hosted = HOSTED.get(plain)
    if hosted is None:
        return function
    return Hosted(name, function, hosted)


class Hosted(_batt.Function):
    """A primitive that runs in the engine, or in Python where it is given a Python function."""

    def __new__(cls, name: str, function: _batt.Function, hosted: Call) -> Hosted:
        """Make it of both forms."""
        made = super().__new__(cls, name)
        made._hosted = hosted
        functools.update_wrapper(made, function, assigned=("__doc__",), updated=())
        return made

    _hosted: Call

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by name."""
        return (_named, (self.__name__,))

    def __call__(self, *values: Any, **named: Any) -> Any:
        """Run it where it can run."""
        if any(map(_holds_foreign, values)):
            return self._hosted(*values, **named)
        return super().__call__(*values, **named)


def _named(name: str) -> Any:
    from batt import dsl

    return getattr(dsl, name)


def _holds_foreign(value: Any) -> bool:
    if isinstance(value, (tuple, frozenset)):
        # Containers of functions are short, and hold nothing else.
        return any(is_foreign(item) for item in islice(value, 16))
    return is_foreign(value)
