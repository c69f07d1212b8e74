"""Progress of long work: a bar in a terminal or a notebook, nothing in a pipe."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from batt.types import Progress

#: Work that ends before this many seconds shows nothing.
PATIENCE = 1.0


class Bar:
    """A line on standard error that is drawn over itself, or tqdm's bar where tqdm is in a notebook."""

    def __init__(self) -> None:
        """Begin; nothing is shown yet."""
        self.began = time.monotonic()
        self.label = ""
        self.shown = False
        self.last = 0.0
        self.notebook = _notebook_bar()

    def __call__(self, label: str, done: int, total: int) -> None:
        """Show how far a part is."""
        now = time.monotonic()
        if label != self.label:
            self.label, self.began = label, now
        spent = now - self.began
        if total == 0 or spent < PATIENCE or now - self.last < 0.1:
            return
        self.last = now
        if self.notebook is not None:
            self.notebook.draw(label, done, total)
            return
        left = spent / done * (total - done) if done else float("inf")
        filled = 24 * done // total
        when = f"{left:.0f} s left" if left < 1e6 else ""
        text = f"{label} [{'#' * filled}{'.' * (24 - filled)}] {done:,} of {total:,}  {when}"
        print(f"\r{text[:100]:<80}", end="", file=sys.stderr, flush=True)
        self.shown = True

    def end(self) -> None:
        """Wipe the line."""
        if self.notebook is not None:
            self.notebook.close()
        if self.shown:
            print("\r" + " " * 100 + "\r", end="", file=sys.stderr, flush=True)


class _NotebookBar:
    def __init__(self, tqdm: Any) -> None:
        self.tqdm, self.label = tqdm, ""
        self.bar: Any = None

    def draw(self, label: str, done: int, total: int) -> None:
        if self.bar is None or label != self.label:
            self.close()
            self.bar, self.label = self.tqdm(total=total, desc=label), label
        self.bar.n = done
        self.bar.refresh()

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
            self.bar = None


def _in_notebook() -> bool:
    """Say whether a kernel runs this, not only whether somebody imported one."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel")


def _notebook_bar() -> _NotebookBar | None:
    if not _in_notebook():
        return None
    try:
        from tqdm import notebook
    except ImportError:
        return None
    # Without ipywidgets it can be imported, and fails when it is to be drawn.
    return None if getattr(notebook, "IProgress", None) is None else _NotebookBar(notebook.tqdm)


@contextmanager
def watched(progress: Progress | bool | None) -> Iterator[Progress | None]:
    """Give what is told of progress: what the caller gave, a bar, or nothing.

    None means a bar where somebody can see it; True a bar; False none.
    """
    if progress is None:
        progress = sys.stderr is not None and (sys.stderr.isatty() or _in_notebook())
    if progress is True:
        bar = Bar()
        try:
            yield bar
        finally:
            bar.end()
    elif progress is False:
        yield None
    else:
        yield progress
