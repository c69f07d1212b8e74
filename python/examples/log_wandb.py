"""Log a run of `batt.evolve` to Weights & Biases: a step for each generation, a note for each solved task."""

import sys

import wandb

import batt

if __name__ == "__main__":
    quick = "--quick" in sys.argv
    with wandb.init(project="batt", config={"population": 64, "seed": 1}) as run:

        def log(line: dict) -> None:
            numbers = {name: value for name, value in line.items() if isinstance(value, (int, float))}
            run.log(numbers, step=line["generation"])

        evolved = batt.evolve(
            batt.tasks(), generations=3 if quick else 200, population=64, seed=1, on_generation=log
        )
        run.summary["solved"] = len(evolved.solved)
