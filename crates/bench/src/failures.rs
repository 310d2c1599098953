//! The counts of "Dynamic Program Analysis with Partial Execution and Summary" (Feng, CHESS, UC Berkeley, 2007).
//!
//! Example 1 (Table 1) with any number of independent branches: whole paths (2ⁿ⁺¹), segments (4n), and segments without a
//! simplifier (2ⁿ⁺² − 4, Section 4). Example 2 (Table 3), a loop: 10 paths. Figure 1: 128 paths against 32.
//!
//! **Deviation.** The paper's Figure 1 has no listing; it is taken to be example 1 with six branches, whose whole paths are
//! 8 · 8 · 2, cut into two segments of three.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use footpath_failure::{Analysis, Classes, Error, Exactness, Options, Partition, analyse};
use footpath_ir::source::{FileId, Span};
use footpath_ir::{
    AssertKind, Block, BlockId, Body, Origin, Place, ProcId, Procedure, Program, Statement, StatementKind,
    Terminator, TerminatorKind, Variable,
};
use footpath_simplify::{Effort, Plain, print};
use footpath_term::{Op, SortId, SymbolId, TermId, Terms};

use crate::csv;
use crate::output::write_atomically;
use crate::svg::{Plot, Point, Series};

/// Branches up to which whole paths are run.
const WHOLE: u32 = 10;
/// Branches up to which segments are run without a simplifier.
const UNSIMPLIFIED: u32 = 5;
/// Sizes of example 1.
const SIZES: [u32; 14] = [1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 25, 30, 35, 40];
/// Generated programs have no text.
const SPAN: Span = Span { file: FileId(0), start: 0, end: 0 };

/// A line of the table.
#[derive(Clone, Debug)]
pub struct Line {
    /// The program.
    pub program: String,
    /// Its branches.
    pub branches: u32,
    /// How it was analysed.
    pub method: &'static str,
    /// The paths the paper counts.
    pub paper: u64,
    /// The paths that were run.
    pub paths: u64,
    /// The condition.
    pub condition: String,
    /// Whether it is exact.
    pub exact: bool,
    /// Time.
    pub time: Duration,
}

/// Runs everything; ends early, with what there is, when `stop` is set.
///
/// # Errors
/// If the solver cannot be used, or if one of our own invariants broke.
pub fn run(stop: &AtomicBool, each: &mut dyn FnMut(&Line)) -> Result<Vec<Line>, Error> {
    let mut lines = Vec::new();
    let segments = Options { time: None, ..Options::default() };
    let whole = Options { partition: Partition::None, ..segments.clone() };
    let plain = Options { effort: Effort::None, ..segments.clone() };
    let halves = Options { partition: Partition::Branches(3), ..segments.clone() };
    let mut add = |name: &str, program: &Program, branches, method, paper, options: &Options| {
        if stop.load(Ordering::Relaxed) {
            return Ok(());
        }
        let found = analyse(program, ProcId(0), 0, options, Classes::PLAIN, stop)?;
        let line = line(name, branches, method, paper, &found);
        each(&line);
        lines.push(line);
        Ok::<(), Error>(())
    };
    for n in SIZES {
        let program = operations(n);
        add("example 1", &program, n, "segments", u64::from(4 * n), &segments)?;
        if n <= WHOLE {
            add("example 1", &program, n, "whole paths", 1 << (n + 1), &whole)?;
        }
        if n <= UNSIMPLIFIED {
            add("example 1", &program, n, "segments, not simplified", (1 << (n + 2)) - 4, &plain)?;
        }
    }
    add("example 2", &looping(), 2, "segments", 10, &segments)?;
    let figure = operations(6);
    add("figure 1", &figure, 6, "whole paths", 128, &whole)?;
    add("figure 1", &figure, 6, "two segments", 32, &halves)?;
    Ok(lines)
}

fn line(name: &str, branches: u32, method: &'static str, paper: u64, found: &Analysis) -> Line {
    Line {
        program: name.to_owned(),
        branches,
        method,
        paper,
        paths: found.paths(),
        condition: print(&found.terms, &found.condition, &Plain),
        exact: found.exactness == Exactness::Exact,
        time: found.time,
    }
}

/// The lines as a table of Markdown.
pub fn markdown(lines: &[Line]) -> String {
    let mut out = String::from("| program | branches | method | paths | paper | condition | s |\n");
    out.push_str("| --- | ---: | --- | ---: | ---: | --- | ---: |\n");
    for l in lines {
        let exact = if l.exact { "" } else { " (not exact)" };
        let seconds = l.time.as_secs_f64();
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | `{}`{exact} | {seconds:.2} |",
            l.program, l.branches, l.method, l.paths, l.paper, l.condition
        );
    }
    out
}

fn table(lines: &[Line]) -> String {
    let head = ["program", "branches", "method", "paths", "paper", "condition", "exact", "seconds"];
    let rows = lines.iter().map(|l| {
        vec![
            l.program.clone(),
            l.branches.to_string(),
            l.method.to_owned(),
            l.paths.to_string(),
            l.paper.to_string(),
            l.condition.clone(),
            l.exact.to_string(),
            format!("{:.3}", l.time.as_secs_f64()),
        ]
    });
    csv::write(std::iter::once(head.map(str::to_owned).to_vec()).chain(rows))
}

/// The growth of example 1.
fn plot(lines: &[Line]) -> Plot {
    let series = |method: &str| Series {
        name: method.to_owned(),
        points: lines
            .iter()
            .filter(|l| l.program == "example 1" && l.method == method)
            .map(|l| Point { x: f64::from(l.branches), y: l.paths as f64, at_least: false })
            .collect(),
    };
    Plot {
        title: "Paths of example 1".to_owned(),
        x: "independent branches".to_owned(),
        y: "paths".to_owned(),
        log: true,
        series: ["segments", "whole paths", "segments, not simplified"].map(series).to_vec(),
    }
}

/// Writes the table, as Markdown and CSV, and the plot into a folder.
///
/// # Errors
/// If a file cannot be written.
pub fn write(lines: &[Line], folder: &Path) -> io::Result<Vec<PathBuf>> {
    let files = [
        ("failures.md", markdown(lines)),
        ("failures.csv", table(lines)),
        ("failures.svg", plot(lines).render()),
    ];
    let mut written = Vec::new();
    for (name, text) in files {
        let path = folder.join(name);
        write_atomically(&path, &text)?;
        written.push(path);
    }
    Ok(written)
}

/// Blocks while they are added.
struct Builder {
    terms: Terms,
    blocks: Vec<Block>,
}

impl Builder {
    fn block(&mut self, statements: Vec<StatementKind>, kind: TerminatorKind) {
        let id = BlockId(self.blocks.len() as u32);
        let origin = Origin { procedure: ProcId(0), body: 0, place: Place::Segment { block: id, first: 0 } };
        self.blocks.push(Block {
            name: format!("b{}", id.0).into(),
            statements: statements.into_iter().map(|s| Statement::new(s, SPAN)).collect(),
            terminator: Terminator { kind, span: SPAN },
            span: SPAN,
            origin,
        });
    }

    fn symbol(&mut self, name: &str, sort: SortId) -> (SymbolId, TermId) {
        let symbol = self.terms.fresh_symbol(name, sort);
        (symbol, self.terms.var(symbol))
    }

    fn finish(self, params: &[SymbolId], locals: &[SymbolId]) -> Program {
        let list = |symbols: &[SymbolId]| symbols.iter().map(|&s| Variable::new(s, SPAN)).collect::<Vec<_>>();
        let params = list(params);
        let body = Body {
            params: params.clone(),
            results: Vec::new(),
            locals: list(locals),
            blocks: self.blocks,
            span: SPAN,
            attributes: Vec::new(),
        };
        let procedure = Procedure {
            name: "f".into(),
            type_params: Vec::new(),
            params,
            results: Vec::new(),
            requires: Vec::new(),
            ensures: Vec::new(),
            modifies: Vec::new(),
            bodies: vec![body],
            span: SPAN,
            attributes: Vec::new(),
        };
        let mut program = Program::new(self.terms);
        program.procedures.push(procedure);
        program
    }
}

fn fails_unless(condition: TermId) -> StatementKind {
    StatementKind::Assert { condition, kind: AssertKind::Assert, premise: None }
}

/// Example 1 with so many operations.
fn operations(count: u32) -> Program {
    let mut b = Builder { terms: Terms::new(), blocks: Vec::new() };
    let mut params = Vec::new();
    let (local, _) = b.symbol("n", SortId::INT);
    for i in 0..count {
        let (op, condition) = b.symbol(&format!("op{}", i + 1), SortId::BOOL);
        params.push(op);
        let (then_to, else_to) = (BlockId(2 * i + 1), BlockId(2 * i + 2));
        b.block(Vec::new(), TerminatorKind::Branch { condition, then_to, else_to });
        let value = b.terms.int(i + 1);
        b.block(vec![StatementKind::Assign(vec![(local, value)])], TerminatorKind::Goto(vec![else_to]));
    }
    let (failure, condition) = b.symbol("failure", SortId::BOOL);
    params.push(failure);
    let fine = b.terms.app(Op::Not, [condition]);
    b.block(vec![fails_unless(fine)], TerminatorKind::Return);
    b.finish(&params, &[local])
}

/// Example 2.
fn looping() -> Program {
    let mut b = Builder { terms: Terms::new(), blocks: Vec::new() };
    let ((i, i_term), (j, j_term)) = (b.symbol("i", SortId::INT), b.symbol("j", SortId::INT));
    let (k, k_term) = b.symbol("k", SortId::INT);
    let (zero, one, never) = (b.terms.int(0), b.terms.int(1), b.terms.bool(false));
    b.block(vec![StatementKind::Assign(vec![(k, zero)])], TerminatorKind::Goto(vec![BlockId(1)]));
    let again = b.terms.app(Op::Lt, [k_term, i_term]);
    let branch = |condition, then_to, else_to| TerminatorKind::Branch {
        condition,
        then_to: BlockId(then_to),
        else_to: BlockId(else_to),
    };
    b.block(Vec::new(), branch(again, 2, 5));
    let same = b.terms.app(Op::Eq, [i_term, j_term]);
    b.block(Vec::new(), branch(same, 3, 4));
    b.block(vec![fails_unless(never)], TerminatorKind::Goto(vec![BlockId(4)]));
    let next = b.terms.app(Op::Add, [k_term, one]);
    b.block(vec![StatementKind::Assign(vec![(k, next)])], TerminatorKind::Goto(vec![BlockId(1)]));
    b.block(Vec::new(), TerminatorKind::Return);
    b.finish(&[i, j], &[k])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_cost_the_paths_that_the_paper_counts() {
        let none = AtomicBool::new(false);
        let options = Options::default();
        for (program, paths, condition) in [
            (operations(3), 12, "failure"),
            (operations(12), 48, "failure"),
            (looping(), 10, "i >= 1 && i == j"),
        ] {
            let found =
                analyse(&program, ProcId(0), 0, &options, Classes::PLAIN, &none).expect("a condition");
            let found = line("", 0, "", 0, &found);
            assert_eq!((found.paths, found.condition.as_str(), found.exact), (paths, condition, true));
        }
    }
}
