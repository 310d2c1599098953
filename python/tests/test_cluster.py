"""The executors for Ray and Dask, each on a cluster of four processes of this machine that are killed at random.

Run by `cargo xtask cluster`, which installs both.
"""

from __future__ import annotations

import logging
import unittest

import dask
import distributed
import ray
from footpath.dask import DaskExecutor
from footpath.ray import RayExecutor
from support import Programs, workers_in


class Clusters(Programs):
    """Workers of clusters are killed.

    How many units are lost with them is not fixed: a worker may be killed when its unit has just ended, and Dask repeats some itself.
    """

    def test_ray_loses_nothing(self) -> None:
        ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
        self.addCleanup(ray.shutdown)
        executor = RayExecutor()
        self.assertEqual(executor.workers, 4)
        self.check_loses_nothing(executor, workers_in, kills=6)

    def test_dask_loses_nothing(self) -> None:
        settings = {
            "distributed.scheduler.allowed-failures": 0,
            "distributed.logging.distributed": "critical",
        }
        with (
            dask.config.set(settings),
            distributed.LocalCluster(n_workers=4, threads_per_worker=1, dashboard_address=None) as cluster,
            distributed.Client(cluster) as client,
        ):
            executor = DaskExecutor(client)
            self.assertEqual(executor.workers, 4)
            self.check_loses_nothing(executor, workers_in, kills=6)


if __name__ == "__main__":
    unittest.main()
