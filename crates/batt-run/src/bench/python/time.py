"""Times every solver of a folder on the examples of its task; run by `batt bench python`.

Arguments: the folder, and a JSON file of {"programs": [{"name", "examples": [[input, output]]}]}.
Prints {"version", "programs": [{"name", "nanos", "wrong", "errors"}]}.
"""

import json
import sys
import time


def grid(rows):
    return None if rows is None else tuple(tuple(row) for row in rows)


def main(folder, file):
    sys.path.insert(0, folder)
    import solvers

    with open(file, encoding="utf-8") as asked:
        programs = json.load(asked)["programs"]
    rows = []
    for program in programs:
        solver = getattr(solvers, program["name"])
        nanos = wrong = errors = 0
        for given, expected in program["examples"]:
            given, expected = grid(given), grid(expected)
            found = None
            started = time.process_time_ns()
            try:
                found = solver(given)
            except Exception:
                errors += 1
            nanos += time.process_time_ns() - started
            wrong += expected is not None and found != expected
        rows.append({"name": program["name"], "nanos": nanos, "wrong": wrong, "errors": errors})
    json.dump({"version": sys.version.split()[0], "programs": rows}, sys.stdout)


main(sys.argv[1], sys.argv[2])
