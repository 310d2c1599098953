"""The package without a cluster. Run with `python3 -m unittest`, with the program in `FOOTPATH`."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import subprocess
import sys
import time
import typing
import unittest
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Union
from unittest import mock

import footpath
from footpath import _evidence
from footpath.local import LocalExecutor
from footpath.schedule import (
    STARVING,
    Job,
    LostError,
    Part,
    Schedule,
    Unit,
    costs_of,
    cut_up,
    run_unit,
    starving,
)
from support import ROOT, SOURCES, Programs, timeless, units_in


class Formats(unittest.TestCase):
    """The dataclasses against the schemas that the program's own types make."""

    def check_fields(self, cls: Any, schema: Any, definitions: Any) -> None:
        for branch in schema.get("oneOf", [schema]):
            required = set(branch["required"])
            for field in dataclasses.fields(cls):
                key = field.metadata.get("json", field.name)
                if cls is footpath.Evidence and key == "report":
                    continue
                if key in branch["properties"]:
                    is_optional = typing.get_origin(typing.get_type_hints(cls)[field.name]) is Union
                    is_written = "default" in branch["properties"][key]
                    self.assertTrue(key in required or is_optional or is_written, f"{cls.__name__}.{key}")
                    self.check_type(cls, field.name, branch["properties"][key], definitions)
                else:
                    self.assertIsNone(field.default, f"{cls.__name__}.{key} is not in the schema")

    def check_type(self, cls: type, name: str, schema: Any, definitions: Any) -> None:
        hint = typing.get_type_hints(cls)[name]
        types = schema.get("type", [])
        types = [types] if isinstance(types, str) else types
        if typing.get_origin(hint) is Union:
            hint = typing.get_args(hint)[0]
        elif cls is not footpath.Outcome:
            self.assertNotIn("null", types, f"{cls.__name__}.{name} may be null")
        if typing.get_origin(hint) is tuple:
            self.assertIn("array", types, f"{cls.__name__}.{name}")
            hint, schema = typing.get_args(hint)[0], schema["items"]
            types = [schema.get("type")]
        if dataclasses.is_dataclass(hint):
            reference = schema.get("$ref") or schema["anyOf"][0]["$ref"]
            self.check_fields(hint, definitions[reference.rsplit("/", 1)[1]], definitions)
        elif types and types != [None]:
            names = {str: "string", int: "integer", float: "number", bool: "boolean"}
            self.assertIn(names[hint], types, f"{cls.__name__}.{name}")

    def test_fields_are_those_of_the_schemas(self) -> None:
        for cls, file in (
            (footpath.Evidence, "test.schema.json"),
            (None, "functions.schema.json"),
        ):
            schema = json.loads((ROOT / "schema" / file).read_text())
            definitions = schema["$defs"]
            if cls is None:
                self.check_fields(footpath.ListedFunction, definitions["Function"], definitions)
            else:
                self.check_fields(cls, schema, definitions)

    def test_other_texts_are_refused(self) -> None:
        for text in ("", "{}", "[]", '{"schema": "other-1"}', '{"schema": "footpath-suite-1"}'):
            with self.assertRaises(ValueError):
                footpath.Evidence.from_json(text)
            with self.assertRaises(ValueError):
                _evidence.listed(text)


def listed(file: str, **blocks: int) -> list[footpath.ListedFunction]:
    return [footpath.ListedFunction(file, name, 1, size) for name, size in blocks.items()]


class Units(unittest.TestCase):
    """How functions become units."""

    def test_units_have_each_function_once_of_one_file_and_the_dearest_first(self) -> None:
        functions = listed("a.c", f=99, g=9, h=9) + listed("b.c", **{f"b{i}": 9 for i in range(20)})
        units = cut_up(functions, Schedule(), workers=2)
        self.assertEqual(units[0].functions, (("a.c", "f"),))
        self.assertEqual(
            sorted(f for u in units for f in u.functions), sorted((f.file, f.name) for f in functions)
        )
        for unit in units:
            self.assertEqual(len({file for file, _ in unit.functions}), 1)
        self.assertEqual([u.number for u in units], list(range(1, len(units) + 1)))
        self.assertGreater(max(len(u.functions) for u in units), 2)

    def test_costs_of_an_earlier_run_count_more_than_sizes(self) -> None:
        functions = listed("a.c", f=99, g=9, h=9, new=9)
        costs = {("a.c", "f"): 1.0, ("a.c", "g"): 1.0, ("a.c", "h"): 50.0}
        units = cut_up(functions, Schedule(costs=costs, units_per_worker=1), workers=2)
        self.assertEqual(units[0].functions, (("a.c", "h"),))
        self.assertEqual(len(units), 2)

    def test_units_are_larger_where_compiling_is_dear(self) -> None:
        functions = listed("a.c", **{f"f{i}": 9 for i in range(40)})
        plan = Schedule(costs={(f.file, f.name): 1.0 for f in functions})
        counts = [len(cut_up(functions, plan, 2, compiling)) for compiling in (0.0, 1.0, 5.0, 100.0)]
        self.assertEqual(counts, [8, 8, 4, 2])
        # Sizes are no seconds.
        self.assertEqual(len(cut_up(functions, Schedule(), 2, 100.0)), 8)

    def test_copies_in_headers_are_one_function(self) -> None:
        self.assertEqual(len(cut_up(listed("a.h", f=1) + listed("a.h", f=1), Schedule(), workers=1)), 1)
        self.assertEqual(cut_up([], Schedule(), workers=4), [])


class Whole(Programs):
    """One process."""

    def test_evidence_says_what_is_known_of_functions(self) -> None:
        found = footpath.analyse(
            ["ring.c"], flags=["--no-store"], cwd=self.folder, output=self.folder / "out"
        )
        self.assertEqual({f.file for f in found.functions}, {"ring.c"})
        self.assertTrue(all(f.tests and f.objectives for f in found.functions))
        self.assertEqual(found.totals.tests, sum(len(f.tests) for f in found.functions))
        self.assertTrue((self.folder / "out/Makefile").is_file())
        self.assertEqual(footpath.Evidence.from_json(found.to_json()), found)
        name = found.functions[0].name
        self.assertEqual(found.function(name, "ring.c").name, name)
        with self.assertRaises(KeyError):
            found.function(name, "other.c")

    def test_errors_have_the_exit_code_and_the_message(self) -> None:
        with self.assertRaises(footpath.InputError) as raised:
            footpath.analyse(["none.c"], cwd=self.folder)
        self.assertEqual(raised.exception.code, 2)
        self.assertIn("none.c", raised.exception.message)
        self.assertIsNone(raised.exception.evidence)
        (self.folder / "bad.c").write_text("int f(\n")
        with self.assertRaises(footpath.InputError) as raised:
            footpath.analyse(["door.c", "bad.c"], flags=["--no-store"], cwd=self.folder)
        evidence = raised.exception.evidence
        assert evidence is not None
        self.assertEqual(evidence.files_left_out, 1)
        self.assertTrue(evidence.functions)
        with self.assertRaises(footpath.FootpathError) as missing:
            footpath.analyse(["door.c"], program="/no/such/program")
        self.assertIsNone(missing.exception.code)

    def test_the_program_is_found(self) -> None:
        self.assertEqual(footpath.find_program(), os.environ["FOOTPATH"])
        with mock.patch.dict(os.environ, {"FOOTPATH": "/no/such/program"}):
            with self.assertRaises(footpath.FootpathError):
                footpath.find_program()
        (self.folder / "footpath").symlink_to(os.environ["FOOTPATH"])
        with mock.patch.dict(os.environ, {"FOOTPATH": "", "PATH": str(self.folder)}):
            with mock.patch("footpath._program._script_folders", return_value=iter(())):
                self.assertEqual(footpath.find_program(), str(self.folder / "footpath"))

    def test_shards_are_merged(self) -> None:
        flags = ["--no-store", "--timeout", "600"]
        parts = [
            footpath.analyse(SOURCES, flags=[*flags, "--shard", f"{k}/2"], cwd=self.folder) for k in (1, 2)
        ]
        whole = self.whole()
        self.assertEqual(timeless(footpath.merge(parts, cwd=self.folder)), timeless(whole))
        with self.assertRaises(footpath.InputError) as raised:
            footpath.merge(parts[:1], cwd=self.folder)
        self.assertIn("shard 2/2 is missing", raised.exception.message)
        listed = footpath.functions(SOURCES, cwd=self.folder)
        self.assertEqual([f.name for f in listed], [f.name for f in whole.functions])
        self.assertEqual(set(costs_of(whole)), {(f.file, f.name) for f in listed})


class Stub:
    """An executor that runs units at once, and loses those that it is told to."""

    workers = 2
    uneven = False
    lost = (ConnectionError,)

    def __init__(self, loses: typing.Callable[[Unit], bool]) -> None:
        self.loses, self.units = loses, list[Unit]()

    def submit(self, job: Job, unit: Unit) -> Future[Part]:
        self.units.append(unit)
        future = Future[Part]()
        if self.loses(unit):
            future.set_exception(ConnectionError("the worker is gone"))
        else:
            future.set_result(run_unit(job, unit))
        return future


class Stuck(Stub):
    """One whose first unit is never done."""

    uneven = True

    def submit(self, job: Job, unit: Unit) -> Future[Part]:
        if self.units:
            return super().submit(job, unit)
        self.units.append(unit)
        return Future[Part]()


class Scheduled(Programs):
    """Many processes."""

    def test_workers_that_are_killed_lose_nothing(self) -> None:
        with LocalExecutor(4) as executor:
            self.assertTrue(self.check_loses_nothing(executor, units_in, kills=4))

    def test_lost_units_are_given_out_again_and_cut_in_halves(self) -> None:
        stub = Stub(lambda unit: len(unit.functions) > 1)
        found = self.in_units(stub, units_per_worker=1)
        self.assertEqual(timeless(found), timeless(self.whole()))
        self.assertTrue(any(len(unit.functions) > 1 for unit in stub.units))

    def test_a_function_that_kills_its_workers_is_named(self) -> None:
        victim = ("ring.c", footpath.functions(["ring.c"], cwd=self.folder)[0].name)
        stub = Stub(lambda unit: victim in unit.functions)
        with self.assertRaises(LostError) as raised:
            self.in_units(stub, losses=3, units_per_worker=1)
        self.assertIn(f"{victim[1]} in ring.c: 3 workers were lost", raised.exception.message)

    def test_a_worker_that_is_stuck_is_not_waited_for(self) -> None:
        stub = Stuck(lambda unit: False)
        found = self.in_units(stub, units_per_worker=1)
        self.assertEqual(timeless(found), timeless(self.whole()))
        self.assertEqual([u.number for u in stub.units].count(stub.units[0].number), 2)

    def test_functions_that_starve_get_more_time(self) -> None:
        starved: list[Unit] = []

        def on_event(what: str, unit: Unit) -> None:
            if what == "starving":
                starved.append(unit)

        plan = Schedule(timeout=0.02, growth=30000.0, on_event=on_event)
        with LocalExecutor(2) as executor:
            found = footpath.analyse(
                SOURCES, flags=["--no-store"], cwd=self.folder, executor=executor, plan=plan
            )
        self.assertTrue(starved)
        self.assertEqual({(len(u.functions), u.round, u.timeout) for u in starved}, {(1, 2, 600.0)})
        # How it was found out may differ, as what was found in the first round counts, too.
        whole = self.whole()
        open_still = [(f.name, o) for f in found.functions for o in f.objectives if o.verdict == "unknown"]
        self.assertEqual(found.totals.unknown, whole.totals.unknown, open_still)
        verdicts = [
            [(f.name, o.id, o.verdict) for f in e.functions for o in f.objectives] for e in (found, whole)
        ]
        self.assertEqual(verdicts[0], verdicts[1])

    def test_reasons_that_time_takes_away_are_those_of_the_book(self) -> None:
        rows = re.findall(r"^\| `([a-z-]+)` .*\| (.*) \|$", (ROOT / "docs/book/reasons.md").read_text(), re.M)
        of_time = re.compile(r"`--(total-|query-)?timeout`|Run it again")
        timed = {code for code, advice in rows if of_time.search(advice)}
        self.assertTrue(timed)
        self.assertLessEqual(timed, STARVING)
        self.assertLessEqual(STARVING, {code for code, _ in rows})

    def test_functions_without_a_result_starve(self) -> None:
        whole = self.whole()
        self.assertEqual(starving(Unit(1, (("ring.c", "none"),), 1.0), whole), [("ring.c", "none")])

    def test_tests_of_units_come_back_and_can_be_run(self) -> None:
        out = self.folder / "out"
        with LocalExecutor(2) as executor:
            plan = Schedule(units_per_worker=1)
            found = footpath.analyse(
                ["ring.c"], flags=["--no-store"], cwd=self.folder, output=out, executor=executor, plan=plan
            )
        self.assertEqual(footpath.Evidence.from_json((out / "report.json").read_text()), found)
        self.assertTrue(list(out.glob("unit-*/Makefile")))

    def test_errors_of_units_end_the_run(self) -> None:
        with LocalExecutor(2) as executor:
            with self.assertRaises(footpath.InputError) as raised:
                footpath.analyse(["ring.c"], flags=["--no-such-flag"], cwd=self.folder, executor=executor)
            self.assertIn("--no-such-flag", raised.exception.message)
            with self.assertRaises(ValueError):
                footpath.analyse(["ring.c"], flags=["--timeout=3"], cwd=self.folder, executor=executor)
            (self.folder / "bad.c").write_text("int f(\n")
            with self.assertRaises(footpath.InputError) as raised:
                footpath.analyse(
                    ["door.c", "bad.c"], flags=["--no-store"], cwd=self.folder, executor=executor
                )
            self.assertEqual(raised.exception.evidence and raised.exception.evidence.files_left_out, 1)

    def test_the_analysis_ends_with_its_worker(self) -> None:
        (self.folder / "hard.c").write_text(HARD)
        command = [sys.executable, "-c", WORKER, repr(sys.path), os.environ["FOOTPATH"]]
        worker = subprocess.Popen(command, cwd=self.folder)
        while not (units := units_in(self.folder)):
            self.assertIsNone(worker.poll(), "the worker ended by itself")
            time.sleep(0.01)
        worker.kill()
        worker.wait()
        deadline = time.monotonic() + 60
        while any(Path("/proc", str(unit)).exists() for unit in units):
            self.assertLess(time.monotonic(), deadline, "the analysis goes on")
            time.sleep(0.05)


# No input is found that makes it return 1.
HARD = """
int hard(unsigned long long a, unsigned long long b)
{
    for (int i = 0; i < 40; i++)
        a = (a ^ (a >> 29)) * (b | 1) + (b ^= a >> 7);
    return a == 0x123456789abcdef && b == 0xfedcba987654321;
}
"""
# A process that has ten minutes for it.
WORKER = """
import sys
sys.path[:0] = eval(sys.argv[1])
from footpath.schedule import Job, Unit, run_unit
job = Job(sys.argv[2], ("hard.c",), flags=("--no-store", "--fuzz-runs", "1000000000"))
run_unit(job, Unit(1, (("hard.c", "hard"),), 600.0))
"""

if __name__ == "__main__":
    unittest.main()
