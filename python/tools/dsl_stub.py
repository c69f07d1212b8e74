"""Write `batt/dsl.pyi`: every primitive and constant, with kinds and docs, for editors and checkers."""

from __future__ import annotations

import keyword
import sys
from pathlib import Path

from batt import _batt, dsl

#: What a kind is in Python.
KINDS = {"Bool": "bool", "Int": "int", "Color": "int", "Null": "None"}
HEAD = """# Written by tools/dsl_stub.py; a test compares.
from collections.abc import Callable, Container
from typing import Any, FrozenSet, Tuple

"""


def stub() -> str:
    """Give the text."""
    lines = [HEAD]
    lines.append("TYPES: tuple[str, ...]\n")
    lines.append("__all__: list[str]\n")
    for name in dsl.TYPES:
        lines.append(f"{name} = Any\n")
    lines.append("\n")
    for name, value in sorted(_batt.constants()):
        kind = "tuple[int, int]" if isinstance(value, tuple) else type(value).__name__
        lines.append(f"{name}: {kind}\n")
    lines.append("\n")
    for name, params, result, _, doc in _batt.primitives():
        args = ", ".join(f"{arg if not keyword.iskeyword(arg) else arg + '_'}: Any" for arg, _ in params)
        kinds = ", ".join(kind for _, kind in params)
        lines.append(
            f"def {name}({args}) -> {KINDS.get(result, 'Any')}:\n"
            f'    """{doc}\n\n    ({kinds}) -> {result}\n    """\n\n'
        )
    return "".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    target = Path(
        sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent / "src" / "batt" / "dsl.pyi"
    )
    target.write_text(stub(), encoding="utf-8")
