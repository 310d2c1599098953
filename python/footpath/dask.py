"""Work units on a Dask cluster; needs the package `distributed` (`pip install footpath[dask]`).

>>> from distributed import Client
>>> evidence = footpath.analyse(["list.c"], executor=footpath.dask.DaskExecutor(Client("scheduler:8786")))

Each worker has this package, and the sources where this process has them, as on a shared folder.
"""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any, Optional, cast

import distributed
from distributed.scheduler import KilledWorker

from footpath.schedule import Job, Part, Unit, run_unit


class DaskExecutor:
    """Units as tasks of a client. Dask repeats those of a lost worker a few times by itself (`distributed.scheduler.allowed-failures`)."""

    uneven = True
    lost: tuple[type[BaseException], ...] = (KilledWorker,)

    def __init__(self, client: distributed.Client, workers: Optional[int] = None, **options: Any) -> None:
        """`options` are those of `Client.submit`, such as `resources`. `workers` is what the schedule reckons with; by default the
        threads that the cluster has now.
        """
        self.workers = workers or max(1, sum(client.nthreads().values()))
        self._executor = client.get_executor(pure=False, **options)

    def submit(self, job: Job, unit: Unit) -> Future[Part]:
        """Runs a unit when a thread is free."""
        return cast("Future[Part]", self._executor.submit(run_unit, job, unit))
