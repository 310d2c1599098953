"""Footpath from Python: tests for what can be executed, proofs for what cannot.

>>> import footpath
>>> evidence = footpath.analyse(["list.c"], functions=["insert"])
>>> [o.id for o in evidence.functions[0].objectives if o.verdict == "unreachable"]

The work is done by the program `footpath`, which is searched where `FOOTPATH` points, then where this package is installed, then on
`PATH`. With an executor (`footpath.local`, `footpath.ray`, `footpath.dask`) functions are analysed by many processes at once, on one
machine or on a cluster; `footpath.schedule` says how.
"""

from __future__ import annotations

from footpath._api import analyse, functions, merge
from footpath._evidence import (
    Evidence,
    Function,
    ListedFunction,
    Objective,
    Outcome,
    Span,
    Statistics,
    Test,
    Totals,
)
from footpath._program import (
    FootpathError,
    InputError,
    InternalError,
    InterruptedRun,
    KilledError,
    find_program,
)

__all__ = [
    "Evidence",
    "FootpathError",
    "Function",
    "InputError",
    "InternalError",
    "InterruptedRun",
    "KilledError",
    "ListedFunction",
    "Objective",
    "Outcome",
    "Span",
    "Statistics",
    "Test",
    "Totals",
    "analyse",
    "find_program",
    "functions",
    "merge",
]
