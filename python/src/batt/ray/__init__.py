"""batt on many machines: run, solve and evolve over a Ray cluster, with the results of one process.

>>> import batt.ray
>>> batt.ray.run(None, batt.tasks(), address="auto")     # as batt.run, on all machines of the cluster
>>> batt.ray.solve(batt.tasks("arc1:train"))             # without an address: Ray's, or one on this machine
>>> batt.ray.evolve(batt.tasks("arc1:train"), archive="batt.db", generations=100, num_gpus=1)

`num_cpus` is how many cores a worker has, `num_gpus` how many GPUs; workers are as many as the cluster has
room for, or as `workers` says. Whatever becomes of workers and machines, the results are the same.
"""

try:
    import ray as _ray  # noqa: F401
except ImportError as error:
    raise ImportError("batt.ray needs Ray: pip install 'batt-arc[ray]'") from error

from batt.ray.breed import evolve
from batt.ray.cluster import Cluster
from batt.ray.work import run, solve

__all__ = ["Cluster", "evolve", "run", "solve"]
