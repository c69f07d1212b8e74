"""Log a run of `batt.evolve` to MLflow: metrics by generation, the solving programs as an artifact."""

import sys

import mlflow

import batt

if __name__ == "__main__":
    quick = "--quick" in sys.argv
    with mlflow.start_run(run_name="batt evolve"):
        mlflow.log_params({"population": 64, "seed": 1})

        def log(line: dict) -> None:
            numbers = {name: float(value) for name, value in line.items() if isinstance(value, (int, float))}
            mlflow.log_metrics(numbers, step=line["generation"])

        evolved = batt.evolve(
            batt.tasks(), generations=3 if quick else 200, population=64, seed=1, on_generation=log
        )
        mlflow.log_text("\n".join(program.source for program in evolved.solved.values()), "solved.py")
