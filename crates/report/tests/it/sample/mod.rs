//! A program and made-up results for it: every verdict, every kind of value, one report.

// Each test file is a crate of its own and uses a part of this.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use footpath_cover::{
    CoverStatistics, Objective, ObjectiveKind, Outcome, PathStep, ProcedureCover, Test, Verdict,
};
use footpath_ir::diagnostic::Diagnostic;
use footpath_ir::source::{FileId, SourceFile, SourceMap, Span};
use footpath_ir::{AssertKind, BlockId, Origin, Place, ProcId, Procedure, Program};
use footpath_report::CoverRun;
use footpath_term::{MapValue, Sort, SortId, Terms, Value};
use footpath_verdict::{Bound, Code};

const SOURCE: &str = "\
type ref;
const unique null: ref;

procedure Find(a: [int]int, n: int, key: int, r: ref) returns (i: int)
  requires n >= 0;
  ensures i <= n;
{
  i := 0;
  if (n < 0) {
    i := -1;
    return;
  }
  while (i < n) {
    if (a[i] == key) { goto Found; }
    i := i + 1;
  }
  if (r == null) {
    assume r != null;
    i := 0;
  }
  assert i != 7;
Found:
  assert a[i] == key;
}

procedure Trivial() { }
";

pub struct Sample {
    pub sources: SourceMap,
    pub program: Program,
    pub diagnostics: Vec<Diagnostic>,
    pub covers: Vec<ProcedureCover>,
    pub command: Vec<String>,
}

impl Sample {
    pub fn run(&self) -> CoverRun<'_> {
        CoverRun {
            command: &self.command,
            sources: &self.sources,
            program: Some(&self.program),
            diagnostics: &self.diagnostics,
            covers: &self.covers,
            elapsed: Duration::from_millis(1234),
            interrupted: false,
        }
    }
}

/// The range of `text` in the sample.
pub fn at(text: &str) -> Span {
    let start = SOURCE.find(text).expect("the text occurs in the sample");
    Span::new(FileId(0), start, start + text.len())
}

fn procedure(name: &str) -> Procedure {
    Procedure {
        name: name.into(),
        type_params: vec![],
        params: vec![],
        results: vec![],
        requires: vec![],
        ensures: vec![],
        modifies: vec![],
        bodies: vec![],
        span: at("type ref"),
        attributes: vec![],
    }
}

fn objective(name: &str, kind: ObjectiveKind, text: &str, verdict: Verdict) -> Objective {
    let place = Place::Segment { block: BlockId(0), first: 0 };
    Objective {
        name: name.to_owned(),
        kind,
        origin: Origin { procedure: ProcId(0), body: 0, place },
        span: at(text),
        verdict,
        tests: vec![],
        explanation: vec![],
    }
}

pub fn sample() -> Sample {
    let mut sources = SourceMap::new();
    sources.add(SourceFile::new("find.bpl", SOURCE));
    let mut terms = Terms::new();
    let reference = terms.declare_ctor("ref", 0);
    let reference = terms.mk_sort(Sort::Ctor(reference, vec![]));
    let array = terms.map_sort(vec![SortId::INT], SortId::INT);
    let mut program = Program::new(terms);
    program.procedures = vec![procedure("Find"), procedure("Trivial")];

    let map = |entries: &[(i64, i64)]| {
        let mut map = MapValue::constant(array, Value::int(0));
        for &(i, v) in entries {
            map.set(vec![Value::int(i)], Value::int(v));
        }
        Value::Map(Arc::new(map))
    };
    let inputs = |a: Value, n: i64, key: i64, r: u32| {
        BTreeMap::from([
            ("a".to_owned(), a),
            ("n".to_owned(), Value::int(n)),
            ("key".to_owned(), Value::int(key)),
            ("r".to_owned(), Value::Element { sort: reference, number: r }),
        ])
    };
    let step =
        |block: &str, text: &str| PathStep { procedure: ProcId(0), block: block.to_owned(), span: at(text) };
    let path = vec![step("entry", "i := 0;"), step("Found", "assert a[i] == key;")];
    let tests = vec![
        Test {
            inputs: inputs(map(&[(0, 5)]), 1, 5, 1),
            choices: vec![],
            path: path.clone(),
            outcome: Outcome::Returned,
            covers: vec![0, 2],
            script: None,
        },
        Test {
            inputs: inputs(map(&(0..30).map(|i| (i, i + 100)).collect::<Vec<_>>()), 7, -1, 1),
            choices: vec![],
            path,
            outcome: Outcome::Failed(AssertKind::Assert, at("assert i != 7;")),
            covers: vec![4],
            script: None,
        },
    ];

    let statement = ObjectiveKind::Statement;
    let failure = ObjectiveKind::Failure;
    let gave_up = || Verdict::Unknown(Code::SolverMemory.into());
    let objectives = vec![
        Objective { tests: vec![0], ..objective("entry", statement, "i := 0;", Verdict::Covered) },
        Objective {
            explanation: vec![at("n >= 0;"), at("n < 0")],
            ..objective("then", statement, "i := -1;\n    return;", Verdict::Unreachable)
        },
        Objective { tests: vec![0], ..objective("body", statement, "i := i + 1;", Verdict::Covered) },
        Objective {
            explanation: vec![at("r == null"), at("assume r != null;")],
            ..objective("null", statement, "assume r != null;\n    i := 0;", Verdict::Doomed)
        },
        Objective {
            tests: vec![1],
            ..objective("assert7", failure(AssertKind::Assert), "assert i != 7;", Verdict::Covered)
        },
        objective("found", failure(AssertKind::Assert), "assert a[i] == key;", gave_up()),
        objective(
            "post",
            failure(AssertKind::Ensures),
            "ensures i <= n;",
            Verdict::UnreachableWithin(Bound::Iterations(4)),
        ),
        objective(
            "goto",
            ObjectiveKind::Branch,
            "goto Found;",
            Verdict::UnreachableWithin(Bound::Iterations(4)),
        ),
        objective("join", statement, "assert i != 7;", gave_up()),
    ];
    let statistics = CoverStatistics {
        queries: 17,
        sat: 9,
        unsat: 6,
        unknown: 2,
        solver_time: Duration::from_millis(1000),
        total_time: Duration::from_millis(1200),
        runs: 200,
        blocks: 33,
        unwind: 4,
        exhaustive: false,
        summaries: None,
        recalled: false,
    };
    let find = ProcedureCover {
        procedure: ProcId(0),
        body: 0,
        sorts: BTreeMap::new(),
        exploration: None,
        objectives,
        tests,
        statistics,
        notes: vec!["the quantifier at 3:1 was instantiated only".to_owned()],
    };
    let returns = Test {
        inputs: BTreeMap::new(),
        choices: vec![],
        path: vec![],
        outcome: Outcome::Returned,
        covers: vec![0],
        script: None,
    };
    let trivial = ProcedureCover {
        procedure: ProcId(1),
        body: 0,
        sorts: BTreeMap::new(),
        exploration: None,
        objectives: vec![Objective {
            tests: vec![0],
            ..objective("entry", statement, "{ }", Verdict::Covered)
        }],
        tests: vec![returns],
        statistics: CoverStatistics::default(),
        notes: vec![],
    };
    Sample {
        sources,
        program,
        diagnostics: vec![
            Diagnostic::error("boogie::undeclared", at("null;"), "`null` is declared twice")
                .with_label(at("type ref"), "first declared here")
                .with_help("rename one of them"),
        ],
        covers: vec![find, trivial],
        command: vec!["footpath".to_owned(), "cover".to_owned(), "find.bpl".to_owned()],
    }
}
