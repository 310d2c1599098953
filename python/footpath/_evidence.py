"""The report of `footpath test --format json` as dataclasses.

What has a field here is what most readers want; all the rest is in `Evidence.report`, as JSON has it. The format is described by
`schema/test.schema.json`, against which the fields below are checked by a test.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache
from typing import Any, Optional, TypeVar, Union, get_args, get_origin, get_type_hints

SCHEMA = "footpath-suite-1"
LIST_SCHEMA = "footpath-functions-1"

T = TypeVar("T")


@dataclass(frozen=True)
class Span:
    """A range of a source; lines and columns count from 1, and the end is that of the first character behind the range."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True)
class Objective:
    """Something to be covered: a block, a way of a branch, or the failure of a check."""

    id: str
    """A name, unique in the function and stable as long as the source is."""
    kind: str
    """`block`, `branch_true`, `branch_false`, or the kind of a check, such as `null` or `bounds`."""
    class_: str = field(metadata={"json": "class"})
    """Whose it is: `user`, `compiler`, `defensive`, `macro` or `portability`."""
    span: Span
    verdict: str
    """`covered`, `doomed`, `unreachable`, `unreachable_within_bound` or `unknown`."""
    settled_by: Optional[str]
    """The method that found that out; none where nothing is claimed."""
    reason: Optional[str]
    """Why it is unknown, or which bound the verdict has."""
    reason_code: Optional[str]
    """The code of that reason."""
    assumes: tuple[str, ...]
    """What a proof rests on."""
    tests: tuple[int, ...]
    """The numbers of the tests that cover it."""
    failure_class: Optional[str]
    """For a check that fails: `manifest` if callers cannot avoid it, `latent` if they can."""
    caused_by: Optional[str]
    """The function that calls this one so that it fails."""
    in_baseline: bool


@dataclass(frozen=True)
class Outcome:
    """How a test ends."""

    kind: str
    """`returned`, `exited`, `failed` or `other`."""
    check: Optional[str] = None
    """The kind of the check that fails."""
    span: Optional[Span] = None
    """Where it fails."""
    crash: Optional[str] = None
    """How the process ended, if it did not just go on."""


@dataclass(frozen=True)
class Test:
    """A test of a function."""

    __test__ = False  # It is none of pytest's.

    number: int
    """Its number among those of its function, from 1."""
    inputs: str
    """Its text in the test file."""
    outcome: Outcome
    returned: Optional[str]
    covers: tuple[str, ...]
    """The ids of the objectives that it covers."""
    divergence: Optional[str]
    """The first objective that it promised and did not pass when it ran; none for a test that kept its promise."""


@dataclass(frozen=True)
class Statistics:
    """What a function cost."""

    queries: int
    """Questions to the solver."""
    solver_seconds: float
    runs: int
    """Runs of the program form."""
    total_seconds: float
    recalled: bool
    """Whether the result was taken from the store, which cost nothing."""


@dataclass(frozen=True)
class Function:
    """What was found out about one function."""

    name: str
    file: str
    span: Span
    status: str
    """`analysed` or `skipped`."""
    reason: Optional[str]
    """Why it was skipped."""
    objectives: tuple[Objective, ...]
    tests: tuple[Test, ...]
    test_file: Optional[str]
    """The C file with the tests, in the folder of the tests."""
    bounded: bool
    """Whether there are inputs beyond those that tests use."""
    notes: tuple[str, ...]
    statistics: Statistics


@dataclass(frozen=True)
class Totals:
    """Sums over all functions."""

    blocks: int
    blocks_covered: int
    branches: int
    branches_covered: int
    failing: int
    """Checks that a test makes fail, without those that callers can avoid."""
    preconditions: int
    """Checks that a test makes fail because of what callers pass."""
    hold: int
    hold_within_bound: int
    infeasible: int
    defensive: int
    expansions: int
    portability: int
    in_baseline: int
    unknown: int
    tests: int
    divergences: int


@dataclass(frozen=True)
class ListedFunction:
    """A function that a run would test."""

    file: str
    name: str
    line: int
    blocks: int
    """How many blocks it has: a guess of what it costs."""


@dataclass(frozen=True)
class Evidence:
    """What was found out about functions."""

    version: str
    command: tuple[str, ...]
    interrupted: bool
    """Whether somebody ended the run early."""
    notes: tuple[str, ...]
    functions: tuple[Function, ...]
    """In the order of the files."""
    totals: Totals
    files_left_out: int
    """How many files could not be compiled."""
    elapsed_seconds: float
    report: Mapping[str, Any] = field(repr=False, compare=False)
    """All of it, as JSON."""

    @staticmethod
    def from_json(text: Union[str, bytes]) -> Evidence:
        """Reads a report.

        Raises `ValueError` for a text that is none, or is in a format that this version does not know.
        """
        report = json.loads(text)
        if not isinstance(report, dict) or report.get("schema") != SCHEMA:
            raise ValueError(f"this is no report in the format `{SCHEMA}`")
        try:
            return decode(Evidence, {**report, "report": report})
        except (KeyError, TypeError) as why:
            raise ValueError(f"this report lacks a member: {why}") from why

    def to_json(self) -> str:
        """The report, as `footpath merge` and `--balance-by` read it."""
        return json.dumps(self.report, indent=2, ensure_ascii=False) + "\n"

    def function(self, name: str, file: Optional[str] = None) -> Function:
        """The function of this name, in this file if one is named; `KeyError` if there is none."""
        for function in self.functions:
            if function.name == name and file in (None, function.file):
                return function
        raise KeyError(name)


def listed(text: Union[str, bytes]) -> tuple[ListedFunction, ...]:
    """Reads what `footpath test --list --format json` prints."""
    value = json.loads(text)
    if not isinstance(value, dict) or value.get("schema") != LIST_SCHEMA:
        raise ValueError(f"this is no list in the format `{LIST_SCHEMA}`")
    return tuple(decode(ListedFunction, f) for f in value["functions"])


@cache
def _members(cls: Any) -> tuple[tuple[str, str, Any, bool], ...]:
    """For each field of a dataclass its name, its name in JSON, its type, and whether it may be absent."""
    hints = get_type_hints(cls)
    return tuple(
        (f.name, f.metadata.get("json", f.name), hints[f.name], f.default is None) for f in fields(cls)
    )


def decode(cls: type[T], value: Mapping[str, Any]) -> T:
    """A dataclass from a JSON object; members that have no field are left out."""
    members: dict[str, Any] = {}
    kind: Any = cls
    for name, key, hint, may_lack in _members(kind):
        members[name] = _decode(hint, value.get(key) if may_lack else value[key])
    return cls(**members)


def _decode(hint: Any, value: Any) -> Any:
    origin, args = get_origin(hint), get_args(hint)
    if origin is Union:
        return None if value is None else _decode(args[0], value)
    if origin is tuple:
        return tuple(_decode(args[0], item) for item in value)
    if isinstance(hint, type) and is_dataclass(hint):
        return decode(hint, value)
    return value
