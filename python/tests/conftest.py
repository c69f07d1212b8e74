"""What several tests need."""

import numpy as np
import pytest

import batt


@pytest.fixture(scope="session")
def tasks():
    return batt.tasks()


@pytest.fixture(scope="session")
def programs():
    return batt.programs()


@pytest.fixture
def tent(tasks):
    return tasks["tent"]


@pytest.fixture(scope="session")
def grids(tasks):
    return [example.input for task in tasks for example in task.demos]


def same(a, b):
    """Compare what programs give: arrays by value, anything else as it is."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and np.array_equal(a, b)
    return a == b
