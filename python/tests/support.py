"""What tests of the package share: sources, reports that can be compared, and somebody who kills workers."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import tempfile
import threading
import unittest
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Callable, ClassVar
from unittest import mock

import footpath
from footpath.schedule import Executor, Schedule, Unit

ROOT = Path(__file__).resolve().parents[2]
# Programs of which everything is decided long before any limit.
SOURCES = ("door.c", "records.c", "ring.c")
# The time for each function, which none of them needs.
TIMEOUT = 600.0


def timeless(evidence: footpath.Evidence) -> Any:
    """A report without what work cost, and without the command line, which names other folders.

    Apart from these, the same input gives the same report.
    """

    def clear(value: Any) -> Any:
        if isinstance(value, dict):
            kept = (k for k in value if k not in ("statistics", "command") and not k.endswith("seconds"))
            return {key: clear(value[key]) for key in kept}
        return [clear(item) for item in value] if isinstance(value, list) else value

    return clear(json.loads(evidence.to_json()))


def differences(one: Any, other: Any, place: str = "") -> list[str]:
    """Where two reports differ, as a person can read it."""
    if isinstance(one, dict) and isinstance(other, dict):
        keys = sorted(one.keys() | other.keys())
        return [line for key in keys for line in differences(one.get(key), other.get(key), f"{place}.{key}")]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other))
        return [line for i, (a, b) in pairs for line in differences(a, b, f"{place}[{i}]")]
    return [] if one == other else [f"{place}: {str(one)[:200]} and {str(other)[:200]}"]


class Programs(unittest.TestCase):
    """A test in a folder of its own with some programs."""

    _whole: ClassVar[list[footpath.Evidence]] = []

    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="footpath-python-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        # A worker that is killed leaves its folder, which is removed with this one.
        scratch = self.folder / "tmp"
        scratch.mkdir()
        environment = mock.patch.dict(os.environ, TMPDIR=str(scratch))
        for patch in (environment, mock.patch.object(tempfile, "tempdir", None)):
            patch.start()
            self.addCleanup(patch.stop)
        for name in SOURCES:
            shutil.copy(ROOT / "examples/c" / name, self.folder)

    def whole(self) -> footpath.Evidence:
        """What one process finds, which is the same in all folders."""
        if not Programs._whole:
            flags = ["--no-store", "--timeout", str(TIMEOUT)]
            Programs._whole.append(footpath.analyse(SOURCES, flags=flags, cwd=self.folder))
        return Programs._whole[0]

    def in_units(self, executor: Executor, **plan: Any) -> footpath.Evidence:
        """What the processes of an executor find."""
        schedule = Schedule(timeout=TIMEOUT, **plan)
        return footpath.analyse(
            SOURCES, flags=["--no-store"], cwd=self.folder, executor=executor, plan=schedule
        )

    def check_loses_nothing(
        self, executor: Executor, workers: Callable[[Path], Iterable[int]], kills: int
    ) -> list[Unit]:
        """Kills workers while units run, and demands the report of one run. The units that were lost."""
        whole = self.whole()
        lost: list[Unit] = []

        def on_event(what: str, unit: Unit) -> None:
            if what == "lost":
                lost.append(unit)

        with Killer(lambda: workers(self.folder), kills) as killer:
            found = self.in_units(executor, losses=kills + 1, on_event=on_event)
        self.assertEqual(differences(timeless(found), timeless(whole)), [])
        self.assertGreater(killer.killed, 0, "nothing was killed while units ran")
        return lost


class Killer:
    """Kills processes at random, as a machine that goes away does, some times in all."""

    def __init__(self, workers: Callable[[], Iterable[int]], most: int) -> None:
        self.workers, self.most, self.killed = workers, most, 0
        self._random = random.Random(most)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Killer:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while self.killed < self.most and not self._stop.wait(self._random.uniform(0.1, 0.5)):
            found = sorted(self.workers())
            if found:
                try:
                    os.kill(self._random.choice(found), signal.SIGKILL)
                    self.killed += 1
                except ProcessLookupError:
                    pass  # It ended by itself.


def units_in(folder: Path) -> dict[int, int]:
    """The processes that analyse a unit in a folder, each with its parent."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
                words = (entry / "cmdline").read_bytes().decode("utf-8", "replace").split("\0")
                place = (entry / "cwd").resolve()
            except OSError:
                continue  # It has just ended.
            is_program = Path(words[0]).name.startswith("footpath")
            if is_program and "--unit" in words and place == folder.resolve():
                found[int(entry.name)] = int(stat.rsplit(")", 1)[1].split()[1])
    return found


def workers_in(folder: Path) -> set[int]:
    """The processes that have started the analysis of a unit in a folder.

    What a worker that was killed leaves behind has a new parent for a while, the first process of the machine or the daemon of a
    cluster, which is no worker. Workers run Python, and this process is none of them.
    """
    units = units_in(folder)
    parents = {parent for parent in units.values() if parent not in units}
    return {parent for parent in parents if parent not in (1, os.getpid()) and is_python(parent)}


def is_python(process: int) -> bool:
    """Whether a process, which may have ended, runs Python."""
    try:
        return Path(f"/proc/{process}/exe").readlink().name.startswith("python")
    except OSError:
        return False
