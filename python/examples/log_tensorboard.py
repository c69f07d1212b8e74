"""Log a run of `batt.evolve` for TensorBoard: `tensorboard --logdir runs` shows it."""

import sys

from tensorboardX import SummaryWriter

import batt

if __name__ == "__main__":
    quick = "--quick" in sys.argv
    with SummaryWriter("runs/batt") as writer:

        def log(line: dict) -> None:
            for name, value in line.items():
                if isinstance(value, (int, float)):
                    writer.add_scalar(f"evolve/{name}", value, line["generation"])

        batt.evolve(
            batt.tasks(),
            generations=3 if quick else 200,
            population=64,
            seed=1,
            on_generation=log,
            on_solved=lambda task, program: writer.add_text(f"solved/{task}", program.source),
        )
