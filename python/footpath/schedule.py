"""Work units: one run of Footpath over functions, cut up, done by many processes and put together again.

**Idea.** The functions of a run are listed, and *work units* made of them: a dear function alone, cheap ones of the same file together,
as each unit compiles the files first. Units are given out longest first (Graham: Bounds on Multiprocessing Timing Anomalies, SIAM
Journal on Applied Mathematics, 1969), so that no long one begins when all others are done. Each unit is a run of
`footpath test --unit`, whose report says what its tests show of *all* functions. `footpath merge` puts the reports into one ledger.

* A unit whose worker is *lost* is given out again, the second time in halves, so that a function that kills its workers is found; after
  `Schedule.losses` times such a function alone is an error that names it.
* Where workers differ in speed, *backup tasks* (Dean, Ghemawat: MapReduce, OSDI 2004, Section 3.6): idle workers are given the units that
  others still have, each once more, and the first result counts. Without them the slowest machine says when a run ends.
* A function *starves* if its time ended before all of it was decided, or it was not begun at all. It goes into a unit of its own with
  `Schedule.growth` times the time, behind all units that wait, up to `Schedule.rounds` times. The first result counts, too: of the two the
  merge takes what leaves less open, and adds the claims of the other one.

Example: of `f` (8 s), `g` and `h` (1 s each) and two workers, `f` is one unit, `g` and `h` are another one. If the worker with `f` dies,
`f` goes to a worker again; if `f` has an open objective after 10 s, it has 40 s once more.

What runs units is an `Executor`, of which this module knows no more than that it takes a unit and gives a future.

**Direction of error.** None of its own: verdicts are made by `footpath merge`, which refuses reports in which a function is missing.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Callable, Optional, Protocol

from footpath import _program
from footpath._evidence import LIST_SCHEMA, Evidence, ListedFunction, Objective
from footpath._evidence import listed as read_list
from footpath._program import Ended, FootpathError

Identity = tuple[str, str]
"""Which function it is: its file and its name."""

STARVING = frozenset(
    "behind-undefined diverged interrupted loop-form no-inputs no-run-found no-time-for-test not-analysed not-reached "
    "not-settable procedure-time query-time run-ended solver-interrupted target-time test-not-built time-limit total-time".split()
)
"""The codes of reasons that more time may take away: of limits, and of tests that did not show what another one might."""


@dataclass(frozen=True)
class Job:
    """What all units of a run have in common. It is sent to workers."""

    program: str
    """The path of `footpath`, on the workers."""
    files: tuple[str, ...]
    functions: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    cflags: tuple[str, ...] = ()
    cwd: str = "."
    """The folder that it is run in, on the workers, too."""
    has_tests: bool = False
    """Whether the tests are wanted as C."""

    def args(self, output: str, more: Sequence[str] = ()) -> list[str]:
        """The command line of a run that writes into the folder `output` and prints JSON."""
        wanted = [word for name in self.functions for word in ("--function", name)]
        emit = ["--format", "json", "--emit", "c,json" if self.has_tests else "json", "--output", output]
        cflags = ["--", *self.cflags] if self.cflags else []
        return ["test", *self.files, *wanted, *self.flags, *emit, *more, *cflags]


@dataclass(frozen=True)
class Unit:
    """Functions that one process analyses."""

    number: int
    """Units are numbered in the order in which they are made, from 1."""
    functions: tuple[Identity, ...]
    timeout: float
    """Seconds for each function."""
    round: int = 1
    """1, and more for functions that starved."""
    losses: int = 0
    """How often a worker was lost with it."""


@dataclass(frozen=True)
class Part:
    """What a unit gave. It comes from workers."""

    ended: Ended
    """Its standard output is the report."""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """What it wrote, by paths in its output folder."""


class Executor(Protocol):
    """What runs units: threads, a cluster."""

    @property
    def workers(self) -> int:
        """How many units it runs at the same time."""

    @property
    def uneven(self) -> bool:
        """Whether some workers may be slower than others, so that backup tasks help."""

    @property
    def lost(self) -> tuple[type[BaseException], ...]:
        """The exceptions of futures that say that a worker was lost."""

    def submit(self, job: Job, unit: Unit) -> Future[Part]:
        """Runs `run_unit(job, unit)` on a worker, of waiting units the first one first."""


@dataclass(frozen=True)
class Schedule:
    """How a run is cut up."""

    costs: Mapping[Identity, float] = field(default_factory=dict)
    """Seconds that functions took in an earlier run (`costs_of`); others are guessed by their size."""
    units_per_worker: int = 4
    """How many units there are for each worker, if there are so many functions: more of them balance better, and compile more often.

    There are fewer where `costs` are known and a unit would take less than twice as long as compiling."""
    timeout: float = 10.0
    """Seconds for each function, in the first round."""
    rounds: int = 2
    """How often a function is analysed at most, each time with more time; 1 for once."""
    growth: float = 4.0
    """How many times the time it has in the next round."""
    losses: int = 5
    """How often a worker may be lost with a function alone."""
    on_event: Optional[Callable[[str, Unit], None]] = field(default=None, compare=False)
    """Is told `done`, `lost`, `starving` and `backup` of units as it happens."""


class LostError(FootpathError):
    """Each worker that analysed a function was lost."""


def costs_of(report: Evidence) -> dict[Identity, float]:
    """Seconds that functions took, for `Schedule.costs`. Results from a store cost nothing, which says nothing."""
    costs: dict[Identity, float] = {}
    for function in report.functions:
        if not function.statistics.recalled:
            identity = (function.file, function.name)
            costs[identity] = costs.get(identity, 0.0) + function.statistics.total_seconds
    return costs


def run(executor: Executor, job: Job, plan: Schedule, output: Optional[str] = None) -> Evidence:
    """Runs a job on an executor; what it wrote goes into a folder `unit-N` for each unit in `output`, and the merged report beside them.

    Raises `FootpathError` if a unit fails, `LostError` if one cannot be finished.
    """
    if any(flag.split("=")[0] in ("--timeout", "--unit", "--shard") for flag in job.flags):
        raise ValueError("with an executor the schedule gives units and their time: use `Schedule.timeout`")
    if output is not None:
        Path(output).mkdir(parents=True, exist_ok=True)
        if any(Path(output).iterdir()):
            raise ValueError(f"{output} has files; name a new or an empty folder")
    start = time.monotonic()
    functions = listed(job)
    cut = cut_up(functions, plan, executor.workers, time.monotonic() - start)
    with tempfile.TemporaryDirectory(prefix="footpath-run-") as folder:
        return _Run(executor, job, plan, Path(folder), output, made=len(cut)).to_end(cut)


def listed(job: Job) -> tuple[ListedFunction, ...]:
    """The functions of a job."""
    args = job.args(os.devnull, ["--list"])
    ended = _program.run(job.program, args, job.cwd)
    error = ended.error()
    # Files that do not compile are told of by the units.
    try:
        return read_list(ended.out)
    except ValueError as why:
        raise (error or FootpathError(ended.code, str(why))) from why


def cut_up(
    functions: Sequence[ListedFunction], plan: Schedule, workers: int, compiling: float = 0.0
) -> list[Unit]:
    """Units of the first round, the dearest one first. Each of them compiles for so many seconds."""
    # Functions of the same file and name, as in headers, are one.
    sizes: dict[Identity, int] = {}
    for f in functions:
        sizes[f.file, f.name] = sizes.get((f.file, f.name), 0) + f.blocks + 1
    known = {identity: plan.costs[identity] for identity in sizes if identity in plan.costs}
    rate = sum(known.values()) / max(1, sum(sizes[identity] for identity in known)) if known else 1.0
    costs = {identity: known.get(identity, rate * size) for identity, size in sizes.items()}
    part = sum(costs.values()) / max(1, workers)
    units = float(plan.units_per_worker)
    if known and compiling > 0.0:
        units = min(units, max(1.0, part / (2.0 * compiling)))
    most = part / units
    groups: list[tuple[float, list[Identity]]] = []
    for file in dict.fromkeys(file for file, _ in costs):
        load, group = 0.0, list[Identity]()
        dearest = sorted((i for i in costs if i[0] == file), key=lambda i: -costs[i])
        for identity in dearest:
            if group and load + costs[identity] > most:
                groups.append((load, group))
                load, group = 0.0, []
            load += costs[identity]
            group.append(identity)
        groups.append((load, group))
    groups.sort(key=lambda group: -group[0])
    return [Unit(number, tuple(group), plan.timeout) for number, (_, group) in enumerate(groups, 1)]


def run_unit(job: Job, unit: Unit) -> Part:
    """Does a unit, on the worker that calls it. The analysis ends with the worker."""
    with tempfile.TemporaryDirectory(prefix="footpath-unit-") as temporary:
        names = Path(temporary, "unit.json")
        functions = [{"file": file, "name": name} for file, name in unit.functions]
        names.write_text(json.dumps({"schema": LIST_SCHEMA, "functions": functions}), encoding="utf-8")
        output = Path(temporary, "out")
        args = job.args(str(output), ["--unit", str(names), "--timeout", repr(unit.timeout)])
        command = [sys.executable, "-I", "-S", "-c", _WITH_PARENT, str(os.getpid()), job.program, *args]
        done = subprocess.run(
            command, cwd=job.cwd, stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
        files = {}
        if job.has_tests:
            written = (path for path in sorted(output.rglob("*")) if path.is_file())
            files = {str(path.relative_to(output)): path.read_bytes() for path in written}
        out, err = (text.decode("utf-8", "replace") for text in (done.stdout, done.stderr))
        return Part(Ended(done.returncode, out, err), files)


# A worker that is killed cannot end what it started, so the system is asked to (PR_SET_PDEATHSIG). `preexec_fn` would do without this
# program, but is not safe in a process with threads, which workers have.
_WITH_PARENT = """
import ctypes, os, sys
parent, *command = sys.argv[1:]
try:
    ctypes.CDLL(None).prctl(1, 9, 0, 0, 0)
except (AttributeError, OSError):
    pass
if os.getppid() == int(parent):
    os.execv(command[0], command)
"""


class _Run:
    """A run that is under way."""

    def __init__(
        self, executor: Executor, job: Job, plan: Schedule, folder: Path, output: Optional[str], made: int
    ) -> None:
        self.executor, self.job, self.plan, self.folder, self.output = executor, job, plan, folder, output
        self.made = made
        self.waiting: dict[Future[Part], Unit] = {}
        self.done: list[Unit] = []
        self.finished: set[int] = set()
        self.backed_up: set[int] = set()

    def to_end(self, units: Iterable[Unit]) -> Evidence:
        try:
            for unit in units:
                self.submit(unit)
            # What waits besides are backups of what is done.
            while any(unit.number not in self.finished for unit in self.waiting.values()):
                done, _ = wait(self.waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    unit = self.waiting.pop(future)
                    if unit.number not in self.finished:
                        self.take(unit, future)
                if self.executor.uneven:
                    self.back_up()
        finally:
            for future in self.waiting:
                future.cancel()
        return self.merged()

    def submit(self, unit: Unit) -> None:
        self.waiting[self.executor.submit(self.job, unit)] = unit

    def back_up(self) -> None:
        """Gives idle workers what others have had for the longest time."""
        idle = self.executor.workers - len(self.waiting)
        late = (unit for unit in list(self.waiting.values()) if unit.number not in self.finished)
        for unit in [unit for unit in late if unit.number not in self.backed_up][: max(0, idle)]:
            self.backed_up.add(unit.number)
            self.submit(unit)
            self.tell("backup", unit)

    def submit_new(self, functions: Sequence[Identity], unit: Unit) -> None:
        """Submits functions of a unit as another one."""
        self.made += 1
        self.submit(replace(unit, number=self.made, functions=tuple(functions)))

    def tell(self, what: str, unit: Unit) -> None:
        if self.plan.on_event is not None:
            self.plan.on_event(what, unit)

    def take(self, unit: Unit, future: Future[Part]) -> None:
        try:
            part = future.result()
        except self.executor.lost as why:
            return self.again(unit, f"{type(why).__name__}: {why}")
        if is_killed(part.ended):
            return self.again(unit, part.ended.err.strip() or f"signal {-part.ended.code}")
        evidence = part.ended.evidence()
        error = part.ended.error()
        # With a report, what is wrong is in the merged one, too.
        if error is not None and (evidence is None or part.ended.code != 2):
            raise error
        if evidence is None:
            raise FootpathError(part.ended.code, "the report of a work unit is none")
        self.report(unit).write_text(part.ended.out, encoding="utf-8")
        self.done.append(unit)
        self.finished.add(unit.number)
        self.write(unit, part)
        self.tell("done", unit)
        if unit.round < self.plan.rounds:
            for identity in starving(unit, evidence):
                later = replace(unit, timeout=unit.timeout * self.plan.growth, round=unit.round + 1, losses=0)
                self.submit_new([identity], later)
                self.tell("starving", later)
        return None

    def again(self, unit: Unit, why: str) -> None:
        """Gives out a unit again whose worker was lost."""
        self.tell("lost", unit)
        if any(other.number == unit.number for other in self.waiting.values()):
            return
        unit = replace(unit, losses=unit.losses + 1)
        if len(unit.functions) > 1 and unit.losses > 1:
            middle = len(unit.functions) // 2
            for half in (unit.functions[:middle], unit.functions[middle:]):
                self.submit_new(half, replace(unit, losses=0))
        elif unit.losses >= self.plan.losses:
            file, name = unit.functions[0]
            raise LostError(
                None,
                f"{name} in {file}: {unit.losses} workers were lost that analysed it; the last one: {why}",
            )
        else:
            self.submit(unit)

    def write(self, unit: Unit, part: Part) -> None:
        if self.output is not None:
            for name, content in part.files.items():
                path = Path(self.output, f"unit-{unit.number}", name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)

    def merged(self) -> Evidence:
        """One report of those of all units."""
        if not self.done:
            raise FootpathError(None, "there is no function to test")
        # Those with the least time first, so that it does not matter which one was done first.
        self.done.sort(key=lambda unit: (unit.round, unit.number))
        paths = [str(self.report(unit)) for unit in self.done]
        ended = _program.run(self.job.program, ["merge", *paths, "--format", "json"], self.job.cwd)
        if self.output is not None and ended.evidence() is not None:
            Path(self.output, "report.json").write_text(ended.out, encoding="utf-8")
        return evidence(ended)

    def report(self, unit: Unit) -> Path:
        """Where the report of a unit is kept until all are there."""
        return self.folder / f"unit-{unit.number}.json"


def starving(unit: Unit, found: Evidence) -> list[Identity]:
    """The functions of a unit that more time may help, in its order."""
    hungry = {
        (function.file, function.name)
        for function in found.functions
        if any(is_open(o, 2 * function.statistics.total_seconds >= unit.timeout) for o in function.objectives)
    }
    begun = {(function.file, function.name) for function in found.functions}
    return [identity for identity in unit.functions if identity in hungry or identity not in begun]


def is_open(objective: Objective, is_late: bool) -> bool:
    """Whether more time may find out more of an objective, of a function that has used up its time or has not."""
    if objective.verdict == "unknown":
        return objective.reason_code in STARVING
    # A proof without a bound takes longer.
    return is_late and objective.verdict == "unreachable_within_bound"


def is_killed(ended: Ended) -> bool:
    """Whether something outside ended the analysis, so that it says nothing about the input."""
    if ended.code < 0:
        return True
    # The program itself runs as two processes, and says so if a signal ends the inner one.
    says = ("the analysis was ended by SIG", "the analysis was killed (SIGKILL)")
    return ended.code == 2 and not ended.out and any(words in ended.err for words in says)


def evidence(ended: Ended) -> Evidence:
    """What a run printed; its error if it had one."""
    error = ended.error()
    if error is not None:
        raise error
    found = ended.evidence()
    if found is None:
        raise FootpathError(ended.code, "footpath printed no report")
    return found


__all__ = [
    "Executor",
    "Job",
    "LostError",
    "Part",
    "Schedule",
    "Unit",
    "costs_of",
    "cut_up",
    "listed",
    "run",
    "run_unit",
    "starving",
]
