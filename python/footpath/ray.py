"""Work units on a Ray cluster; needs the package `ray` (`pip install footpath[ray]`).

>>> import ray
>>> ray.init(address="auto")
>>> evidence = footpath.analyse(["list.c"], executor=footpath.ray.RayExecutor())

Each node has this package, and the sources where this process has them, as on a shared folder.
"""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any, Optional

import ray

from footpath.schedule import Job, Part, Unit, run_unit


class RayExecutor:
    """Units as tasks of the cluster that `ray.init` connected to. It does not repeat them: the schedule does."""

    uneven = True
    lost: tuple[type[BaseException], ...] = (
        ray.exceptions.RaySystemError,
        ray.exceptions.WorkerCrashedError,
        ray.exceptions.NodeDiedError,
        ray.exceptions.LocalRayletDiedError,
        ray.exceptions.OutOfMemoryError,
        ray.exceptions.ObjectLostError,
    )

    def __init__(self, workers: Optional[int] = None, **options: Any) -> None:
        """`options` are those of a Ray task, such as `memory` in bytes or `runtime_env`; a unit takes one processor by default.

        `workers` is what the schedule reckons with; by default the processors that the cluster has now.
        """
        self.workers = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
        settings = {"num_cpus": 1, **options, "max_retries": 0}
        self._task = ray.remote(**settings)(run_unit)

    def submit(self, job: Job, unit: Unit) -> Future[Part]:
        """Runs a unit when a processor is free."""
        future: Future[Part] = self._task.remote(job, unit).future()
        return future
