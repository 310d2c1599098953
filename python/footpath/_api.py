"""The functions that make up the interface."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Optional, Union

from footpath import _program, schedule
from footpath._evidence import Evidence, ListedFunction
from footpath._program import Pathlike, find_program
from footpath.schedule import Executor, Job, Schedule


def _job(
    files: Sequence[Pathlike],
    functions: Sequence[str],
    flags: Sequence[str],
    cflags: Sequence[str],
    cwd: Optional[Pathlike],
    program: Optional[str],
    *,
    has_tests: bool,
) -> Job:
    """The job that the arguments of the functions below describe."""
    return Job(
        program=program or find_program(),
        files=tuple(os.fspath(file) for file in files),
        functions=tuple(functions),
        flags=tuple(flags),
        cflags=tuple(cflags),
        cwd=os.path.abspath(cwd or os.curdir),
        has_tests=has_tests,
    )


def analyse(
    files: Sequence[Pathlike],
    functions: Sequence[str] = (),
    flags: Sequence[str] = (),
    cflags: Sequence[str] = (),
    *,
    cwd: Optional[Pathlike] = None,
    output: Optional[Pathlike] = None,
    program: Optional[str] = None,
    executor: Optional[Executor] = None,
    plan: Schedule = Schedule(),
) -> Evidence:
    """Tests functions of C files, and proves what no test can reach.

    `functions` are names, of all functions with a body if there are none. `flags` are those of `footpath test`, for example
    `["--timeout", "60"]`, and `cflags` those of the C compiler. The tests and `report.json` are written into the folder `output`, if one
    is named; with an executor it is a new or an empty one, in which each work unit has a folder of its own.

    Without an executor this is one process. With one, functions are analysed by as many as it has, by `plan`; the sources have to
    be at the same place for all of them.

    Raises `FootpathError` with the exit code and the message of the program.
    """
    job = _job(files, functions, flags, cflags, cwd, program, has_tests=output is not None)
    folder = None if output is None else os.path.abspath(output)
    if executor is not None:
        return schedule.run(executor, job, plan, folder)
    with tempfile.TemporaryDirectory(prefix="footpath-") as temporary:
        return evidence(_program.run(job.program, job.args(folder or temporary), job.cwd))


def functions(
    files: Sequence[Pathlike],
    functions: Sequence[str] = (),
    flags: Sequence[str] = (),
    cflags: Sequence[str] = (),
    *,
    cwd: Optional[Pathlike] = None,
    program: Optional[str] = None,
) -> tuple[ListedFunction, ...]:
    """The functions that `analyse` would test. Nothing is tested."""
    job = _job(files, functions, flags, cflags, cwd, program, has_tests=False)
    return schedule.listed(job)


def merge(
    reports: Iterable[Union[Pathlike, Evidence]],
    flags: Sequence[str] = (),
    *,
    cwd: Optional[Pathlike] = None,
    program: Optional[str] = None,
) -> Evidence:
    """One report of those of all parts of a run: of all shards, or of work units that have each function.

    It is run in the folder `cwd`, which has the sources under the names that they had. `flags` are those of `footpath merge`.
    """
    with tempfile.TemporaryDirectory(prefix="footpath-") as temporary:
        paths = []
        for number, report in enumerate(reports):
            if isinstance(report, Evidence):
                path = Path(temporary, f"{number}.json")
                path.write_text(report.to_json(), encoding="utf-8")
            else:
                path = Path(report).absolute()
            paths.append(str(path))
        args = ["merge", *paths, "--format", "json", *flags]
        return evidence(_program.run(program or find_program(), args, cwd))


def evidence(ended: _program.Ended) -> Evidence:
    """What a run printed; its error if it had one."""
    return schedule.evidence(ended)
