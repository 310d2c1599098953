"""Work units on this machine, each in a process of its own.

>>> from footpath.local import LocalExecutor
>>> with LocalExecutor(workers=4) as executor:
...     evidence = footpath.analyse(["list.c"], executor=executor)
"""

from __future__ import annotations

import os
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Optional

from footpath.schedule import Job, Part, Unit, run_unit


class LocalExecutor:
    """A thread for each process that runs at the same time."""

    uneven = False
    lost: tuple[type[BaseException], ...] = ()  # A process that is killed is an exit code.

    def __init__(self, workers: Optional[int] = None) -> None:
        """By default there are as many processes as cores that this one may use."""
        self.workers = workers or len(os.sched_getaffinity(0))
        self._threads = ThreadPoolExecutor(self.workers, "footpath")

    def submit(self, job: Job, unit: Unit) -> Future[Part]:
        """Runs a unit when a process ends."""
        return self._threads.submit(run_unit, job, unit)

    def __enter__(self) -> LocalExecutor:
        return self

    def __exit__(self, *error: object) -> None:
        self._threads.shutdown(wait=True, cancel_futures=True)
