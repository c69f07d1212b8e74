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
        examples = [(grid(given), grid(expected)) for given, expected in program["examples"]]
        results = []
        errors = 0
        # To read the clock takes time as well, so it is read once for all examples.
        started = time.process_time_ns()
        for given, _ in examples:
            try:
                results.append(solver(given))
            except Exception:
                results.append(None)
                errors += 1
        nanos = time.process_time_ns() - started
        pairs = zip(examples, results)
        wrong = sum(want is not None and found != want for (_, want), found in pairs)
        rows.append({"name": program["name"], "nanos": nanos, "wrong": wrong, "errors": errors})
    json.dump({"version": sys.version.split()[0], "programs": rows}, sys.stdout)


main(sys.argv[1], sys.argv[2])
