"""Pictures for notebooks and terminals: grids as SVG, tasks, programs step by step, results.

Colours of text come from the page around, so that pages may be light or dark.
"""

from __future__ import annotations

import shutil
import sys
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from batt import _batt
from batt.types import GridLike

if TYPE_CHECKING:
    from batt._batt import Program, Task, Tasks

#: How many rows or tasks a picture shows before it says how many there are more.
MOST = 40


def svg(*grids: GridLike | tuple[str, GridLike], title: str = "", alone: bool = True) -> str:
    """Draw grids side by side as SVG; a grid may come with a label. `alone` is for files of their own."""
    return _batt.grids_svg([_labelled(grid) for grid in grids], title=title, alone=alone)


def text(
    *grids: GridLike | tuple[str, GridLike], color: bool | None = None, columns: int | None = None
) -> str:
    """Draw grids side by side for a terminal; without colour they are digits."""
    import os

    if color is None:
        color = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    columns = columns or shutil.get_terminal_size((100, 24)).columns
    return _batt.text_of_grids([_labelled(grid) for grid in grids], columns=columns, color=color)


def _labelled(grid: Any) -> tuple[str, Any, None]:
    if isinstance(grid, tuple) and len(grid) == 2 and isinstance(grid[0], str):
        return (grid[0], grid[1], None)
    return ("", grid, None)


def _panels(panels: list[tuple[str, Any, Any]], title: str = "") -> str:
    return f'<div style="overflow-x:auto">{_batt.grids_svg(panels, title=title, alone=False)}</div>'


def _pairs(task: Task) -> list[tuple[str, list[tuple[str, Any, Any]]]]:
    rows = []
    for kind, examples in (("demo", task.demos), ("test", task.tests)):
        for at, example in enumerate(examples):
            panels = [(f"{kind}{at} input", example.input, None)]
            if example.output is not None:
                panels.append(("output", example.output, None))
            rows.append((f"{kind}{at}", panels))
    return rows


def task_html(task: Task) -> str:
    """Draw a task: its demos, then its tests."""
    drawn = "".join(_panels(panels, f"{task.id} {name}") for name, panels in _pairs(task))
    return f"<div><b>task {escape(task.id)}</b>{drawn}</div>"


def task_text(task: Task) -> str:
    """Draw a task for a terminal."""
    drawn = [text(*((label, grid) for label, grid, _ in panels)) for _, panels in _pairs(task)]
    return f"task {task.id}\n\n" + "\n".join(drawn)


def task_plot(task: Task) -> Any:
    """Draw a task as a matplotlib figure."""
    try:
        import matplotlib.pyplot as plt
        from matplotlib.colors import BoundaryNorm, ListedColormap
    except ImportError as error:
        raise ImportError("Task.plot() needs matplotlib: pip install 'batt-arc[plot]'") from error
    colors = [
        "#000000",
        "#1e78dc",
        "#f03c32",
        "#32c846",
        "#fadc1e",
        "#969696",
        "#e628be",
        "#fa8728",
        "#82d7fa",
    ]
    colors.append("#820f28")
    look = {"cmap": ListedColormap(colors), "norm": BoundaryNorm(np.arange(11) - 0.5, 10)}
    rows = _pairs(task)
    figure, axes = plt.subplots(2, max(1, len(rows)), figsize=(2.2 * max(1, len(rows)), 4.6), squeeze=False)
    for column, (name, panels) in enumerate(rows):
        for row in range(2):
            axis = axes[row][column]
            if row >= len(panels):
                axis.set_axis_off()
                continue
            grid = panels[row][1]
            axis.pcolormesh(grid, edgecolors="#777777", linewidth=0.4, **look)
            axis.set(xticks=[], yticks=[], aspect="equal", title=name if row == 0 else "output")
            axis.invert_yaxis()
    figure.suptitle(f"task {task.id}")
    figure.tight_layout()
    return figure


def program_html(program: Program) -> str:
    """Show a program's text."""
    kinds = escape(program.kinds)
    return (
        f"<div><b>{escape(program.name)}</b> <small>{kinds}</small><pre>{escape(program.source)}</pre></div>"
    )


class Trace:
    """Every named step of a program on one grid, with its value."""

    def __init__(self, program: Program, steps: list[tuple[str, int, str, Any, str | None]]) -> None:
        """Hold the steps: name, line, expression, value, error."""
        self.program = program
        self.steps = steps

    def __len__(self) -> int:
        """Give the number of steps."""
        return len(self.steps)

    def __getitem__(self, name: str) -> Any:
        """Give a step's value by its name."""
        for step, _, _, value, error in self.steps:
            if step == name:
                if error is not None:
                    raise RuntimeError(error)
                return value
        raise KeyError(name)

    def __repr__(self) -> str:
        """Draw the steps for a terminal."""
        drawn = []
        for name, line, expression, value, error in self.steps:
            drawn.append(f"{line:>4}  {name} = {expression}")
            shown = f"error: {error}" if error is not None else _value_text(value)
            drawn.extend(f"      {row}" for row in shown.rstrip().splitlines())
        return "\n".join(drawn)

    def _repr_html_(self) -> str:
        rows = []
        for name, line, expression, value, error in self.steps:
            shown = f"<b>error: {escape(error)}</b>" if error is not None else _value_html(value)
            rows.append(
                f'<tr><td style="text-align:right">{line}</td>'
                f'<td style="text-align:left"><code>{escape(name)} = {escape(expression)}</code></td>'
                f'<td style="text-align:left">{shown}</td></tr>'
            )
        head = "<tr><th>line</th><th>step</th><th>value</th></tr>"
        return f"<table>{head}{''.join(rows)}</table>"


def _objects(value: Any) -> list[list[Any]] | None:
    """Give the cells (colour, (row, column)) of an object or of a set of objects."""

    def is_cell(item: Any) -> bool:
        return (
            isinstance(item, tuple)
            and len(item) == 2
            and isinstance(item[0], int)
            and isinstance(item[1], tuple)
        )

    def is_object(item: Any) -> bool:
        return isinstance(item, frozenset) and bool(item) and all(is_cell(cell) for cell in item)

    if is_object(value):
        return [sorted(value)]
    if isinstance(value, (frozenset, tuple)) and value and all(is_object(item) for item in value):
        ordered = value if isinstance(value, tuple) else sorted(value, key=sorted)
        return [sorted(item) for item in ordered]
    return None


def _drawn_object(cells: list[Any]) -> Any:
    top, left = min(i for _, (i, _) in cells), min(j for _, (_, j) in cells)
    height = max(i for _, (i, _) in cells) - top + 1
    width = max(j for _, (_, j) in cells) - left + 1
    if height * width > 4096:
        return None
    grid = np.zeros((height, width), dtype=np.int32)
    for color, (i, j) in cells:
        grid[i - top, j - left] = color
    return grid


def _value_panels(value: Any) -> list[tuple[str, Any, Any]] | None:
    if isinstance(value, np.ndarray):
        return [(f"{value.shape[0]}x{value.shape[1]}", value, None)]
    objects = _objects(value)
    if objects is None:
        return None
    panels = []
    for cells in objects[:12]:
        grid = _drawn_object(cells)
        if grid is None:
            return None
        i, j = min(cell[1][0] for cell in cells), min(cell[1][1] for cell in cells)
        panels.append((f"at {i},{j}", grid, None))
    return panels


def _short(value: Any) -> str:
    written = repr(value)
    return written if len(written) <= 200 else written[:199] + "…"


def _value_text(value: Any) -> str:
    panels = _value_panels(value)
    if panels is None:
        return _short(value)
    return text(*((label, grid) for label, grid, _ in panels))


def _value_html(value: Any) -> str:
    panels = _value_panels(value)
    return f"<code>{escape(_short(value))}</code>" if panels is None else _panels(panels)


def tasks_html(tasks: Tasks) -> str:
    """Draw the first demo of every task."""
    drawn = []
    for at in range(min(len(tasks), MOST)):
        task = tasks[at]
        demo = task.demos[0] if task.demos else None
        panels = [] if demo is None else [("input", demo.input, None), ("output", demo.output, None)]
        drawn.append(f"<div><b>{escape(task.id)}</b>{_panels(panels, task.id)}</div>")
    more = f"<p>and {len(tasks) - MOST} more</p>" if len(tasks) > MOST else ""
    head = f"<p><b>{escape(tasks.name)}</b>: {len(tasks)} tasks</p>"
    return f'{head}<div style="display:flex;flex-wrap:wrap;gap:1em">{"".join(drawn)}</div>{more}'


def solved_html(tasks: Tasks, programs: dict[str, Program], title: str) -> str:
    """Draw what programs make of the first test of their tasks."""
    drawn = []
    for key, program in list(programs.items())[:MOST]:
        task = tasks[key]
        example = (task.tests or task.demos)[0]
        panels: list[tuple[str, Any, Any]] = [("input", example.input, None)]
        try:
            output = program.run(example.input, task)
        except RuntimeError:
            output = None
        if isinstance(output, np.ndarray):
            panels.append(("output", output, example.output))
        code = f"<details><summary>program</summary><pre>{escape(program.source)}</pre></details>"
        drawn.append(f"<div><b>{escape(key)}</b>{_panels(panels, key)}{code}</div>")
    more = f"<p>and {len(programs) - MOST} more</p>" if len(programs) > MOST else ""
    return (
        f'<p>{escape(title)}</p><div style="display:flex;flex-wrap:wrap;gap:1em">{"".join(drawn)}</div>{more}'
    )


def report_html(report: Any) -> str:
    """Show a run's rows."""
    rows = []
    for row in report.rows[:MOST]:
        error = (row["error"] or {}).get("what") or ""
        cells = [
            row["id"],
            row["task"] or "",
            f"{row['demos']['solved']}/{row['demos']['total']}",
            f"{row['tests']['solved']}/{row['tests']['total']}",
            "solved" if row["solved"] else "",
            error,
        ]
        rows.append("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in cells) + "</tr>")
    head = "".join(f"<th>{name}</th>" for name in ("program", "task", "demos", "tests", "", "first error"))
    more = f"<p>and {len(report.rows) - MOST} more</p>" if len(report.rows) > MOST else ""
    return f"<p>{escape(repr(report))}</p><table><tr>{head}</tr>{''.join(rows)}</table>{more}"


def results_html(results: Any) -> str:
    """Show how many samples each program has right."""
    rows = []
    for at, name in enumerate(results.programs[:MOST]):
        right, known = int((results.right[at] == 1).sum()), int((results.right[at] >= 0).sum())
        errors = int(((results.error[at] > 0) & (results.error[at] < 255)).sum())
        share = 100 * right // max(1, known)
        bar = f'<meter min="0" max="100" value="{share}" aria-label="{share} %"></meter>'
        rows.append(
            f"<tr><td>{escape(name)}</td><td>{right} of {known}</td><td>{bar}</td><td>{errors}</td></tr>"
        )
    head = "<tr><th>program</th><th>right</th><th></th><th>errors</th></tr>"
    more = f"<p>and {len(results.programs) - MOST} more</p>" if len(results.programs) > MOST else ""
    return f"<p>{escape(repr(results))}</p><table>{head}{''.join(rows)}</table>{more}"


def battery_html(battery: Any) -> str:
    """Show what a battery merges, and draw it where it is small."""
    drawn = battery.svg if battery.sizes[1] <= 150 else ""
    return f'<p>{escape(repr(battery))}</p><div style="overflow:auto">{drawn}</div>'
