"""The program `footpath`: where it is, how it is run, and what its exit codes become."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Optional, Union

from footpath._evidence import Evidence

Pathlike = Union[str, "os.PathLike[str]"]


class FootpathError(Exception):
    """The program ended with an exit code that says that something is wrong."""

    code: Optional[int]
    """The exit code; negative for a signal; none if the program was not started."""
    message: str
    """What it said."""
    evidence: Optional[Evidence]
    """What was found all the same, such as when one of several files does not compile."""

    def __init__(self, code: Optional[int], message: str, evidence: Optional[Evidence] = None) -> None:
        super().__init__(code, message, evidence)
        self.code, self.message, self.evidence = code, message, evidence

    def __str__(self) -> str:
        return self.message if self.code is None else f"{self.message} (exit code {self.code})"


class InputError(FootpathError):
    """Bad usage, or input that could not be used as a whole or in parts (exit code 2)."""


class InternalError(FootpathError):
    """An invariant of Footpath broke (exit code 3)."""


class InterruptedRun(FootpathError):
    """Somebody ended the run early (exit code 130)."""


class KilledError(FootpathError):
    """A signal ended the program."""


@dataclass(frozen=True)
class Ended:
    """How a run of the program ended."""

    code: int
    """The exit code; negative for a signal."""
    out: str
    err: str

    def error(self) -> Optional[FootpathError]:
        """What is wrong, if something is. Exit code 1 is not: a verdict was found that `--deny` names."""
        if self.code in (0, 1):
            return None
        kinds: dict[int, type[FootpathError]] = {2: InputError, 3: InternalError, 130: InterruptedRun}
        kind = KilledError if self.code < 0 else kinds.get(self.code, FootpathError)
        return kind(self.code, self.err.strip() or "footpath failed", self.evidence())

    def evidence(self) -> Optional[Evidence]:
        """The report that was printed, if one was."""
        try:
            return Evidence.from_json(self.out)
        except ValueError:
            return None


def find_program() -> str:
    """The path of the program: where `FOOTPATH` points, that of this package's installation, or the first one on `PATH`.

    Raises `FootpathError` if there is none.
    """
    named = os.environ.get("FOOTPATH")
    if named:
        if os.access(named, os.X_OK) and Path(named).is_file():
            return named
        raise FootpathError(None, f"FOOTPATH is {named}, which is no program")
    for folder in _script_folders():
        program = folder / "footpath"
        if program.is_file() and os.access(program, os.X_OK):
            return str(program)
    found = shutil.which("footpath")
    if found is None:
        raise FootpathError(None, "the program `footpath` is neither installed with this package nor on PATH")
    return found


def _script_folders() -> Iterator[Path]:
    """Where wheels have their programs: in this environment, for this user, and with `pip install --target`."""
    yield Path(sysconfig.get_path("scripts"))
    yield Path(sysconfig.get_path("scripts", scheme="posix_user"))
    yield Path(__file__).parent.parent / "bin"


def run(program: str, args: Sequence[str], cwd: Optional[Pathlike] = None) -> Ended:
    """Runs the program to its end."""
    try:
        done = subprocess.run(
            [program, *args], cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
    except OSError as why:
        raise FootpathError(None, f"{program} cannot be started: {why}") from why
    return Ended(
        done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
    )
