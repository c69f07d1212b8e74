"""Tune the sizes of `batt.evolve` with Optuna: which population and islands solve most.

pip install batt-arc optuna
python study_optuna.py [--quick]
"""

import sys

import optuna

import batt

TRIALS = 20
QUICK = "--quick" in sys.argv
TASKS = batt.tasks().select("four_corners,swap_extremes,tent,drop_down")
START = batt.programs()[:8]


def objective(trial: optuna.Trial) -> float:
    """Breed with the trial's sizes and give the mean quality of the best programs."""
    population = trial.suggest_int("population", 16, 64 if QUICK else 256, log=True)
    islands = trial.suggest_int("islands", 1, 3)
    points: list[float] = []

    def watch(line: dict) -> None:
        trial.report(line["solved"], line["generation"])
        if trial.should_prune():
            raise optuna.TrialPruned

    evolved = batt.evolve(
        TASKS,
        START,
        generations=3 if QUICK else 30,
        population=population,
        islands=islands,
        seed=7,
        on_generation=watch,
    )
    for task in TASKS:
        for best in evolved.best(task.id):
            points.append(best["score"] / (1000 * best["demos"]))
    return sum(points) / len(TASKS)


if __name__ == "__main__":
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=1))
    study.optimize(objective, n_trials=TRIALS)
    print(f"{len(study.trials)} trials, best quality {study.best_value:.3f} with {study.best_params}")
