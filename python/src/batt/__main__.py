"""The `batt` command: `python -m batt`, and the script that the wheel installs."""

import os
import sys


def main() -> int:
    """Run the command and give its exit code."""
    # The driver looks at it when it starts; every stream wants a queue of its own.
    os.environ.setdefault("CUDA_DEVICE_MAX_CONNECTIONS", "32")
    from batt._batt import command

    return command(["batt", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
