"""The `batt` command: `python -m batt`, and the script that the wheel installs."""

import os
import sys


def main() -> int:
    """Run the command and give its exit code."""
    # The driver looks at it when it starts; every stream wants a queue of its own.
    os.environ.setdefault("CUDA_DEVICE_MAX_CONNECTIONS", "32")
    if sys.argv[1:2] == ["ray"]:
        from batt.ray_command import main as over_ray

        return over_ray(sys.argv[2:])
    from batt._batt import command

    return command(["batt", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
