//! Random programs as in section 7 of RVC (Christ, Hoenicke, Schäf: Towards Bounded Infeasible Code
//! Detection, 2012).
//!
//! A program is a sequence of *diamonds*. A diamond is an if-then-else whose arms are if-then-elses again: 7
//! blocks and a join, 4 paths. A block has 3 statements, assignments of linear expressions to unbounded
//! integers; the condition of a branch compares linear expressions. There are 10 to 20 variables.
//!
//! The paper does not say how expressions are drawn. Here an expression is a variable or a sum of two, with
//! coefficients from −2 to 2 and a constant from −8 to 8, and four of ten assignments assign a constant; so values
//! are correlated, many combinations of branches exclude each other, and a part of the blocks is infeasible.
//! What was matched is the number of paths, which is what the programs' difficulty hangs on: the paper needs
//! 69 777 questions to find all paths of its 80 programs; ours of seed 0 have 59 812 paths, from 7 to 6 394 each. The
//! share of constants decides: without it there are several times as many.

use std::sync::Arc;

use fastrand::Rng;
use footpath_ir::source::{FileId, SourceFile, SourceMap, Span};
use footpath_ir::{
    Block, BlockId, Body, Global, Origin, Place, ProcId, Procedure, Program, Statement, StatementKind,
    Terminator, TerminatorKind, Variable,
};
use footpath_term::{Op, SortId, SymbolId, TermId, Terms};

/// A program of so many diamonds, the same for the same seed. Its one procedure is called `main`.
pub fn diamonds(count: u32, seed: u64) -> Program {
    Generator::new(seed ^ u64::from(count) << 32).program(count)
}

/// A source map with the one, empty file that the spans of generated programs refer to.
pub fn sources() -> SourceMap {
    let mut sources = SourceMap::new();
    sources.add(SourceFile::new("generated", ""));
    sources
}

const SPAN: Span = Span { file: FileId(0), start: 0, end: 0 };
/// Assignments in a block.
const STATEMENTS: u32 = 3;
/// Of a hundred assignments, how many assign a constant.
const CONSTANTS: u32 = 40;

struct Generator {
    rng: Rng,
    terms: Terms,
    variables: Vec<SymbolId>,
    blocks: Vec<Block>,
}

impl Generator {
    fn new(seed: u64) -> Generator {
        Generator {
            rng: Rng::with_seed(seed),
            terms: Terms::new(),
            variables: Vec::new(),
            blocks: Vec::new(),
        }
    }

    fn program(mut self, count: u32) -> Program {
        let variables = self.rng.u32(10..=20);
        self.variables =
            (0..variables).map(|i| self.terms.fresh_symbol(format!("x{i}"), SortId::INT)).collect();
        let globals: Vec<Global> = self
            .variables
            .iter()
            .map(|&v| Global {
                variable: Variable::new(v, SPAN),
                old: self.terms.fresh_symbol(Arc::clone(&self.terms.symbol(v).name), SortId::INT),
            })
            .collect();
        for i in 0..count {
            self.diamond(i, i + 1 == count);
        }
        let body = Body {
            params: Vec::new(),
            results: Vec::new(),
            locals: Vec::new(),
            blocks: self.blocks,
            span: SPAN,
            attributes: Vec::new(),
        };
        let procedure = Procedure {
            name: "main".into(),
            type_params: Vec::new(),
            params: Vec::new(),
            results: Vec::new(),
            requires: Vec::new(),
            ensures: Vec::new(),
            modifies: self.variables,
            bodies: vec![body],
            span: SPAN,
            attributes: Vec::new(),
        };
        let mut program = Program::new(self.terms);
        program.globals = globals;
        program.procedures.push(procedure);
        program
    }

    /// Blocks 0 to 6 of diamond `i` are the head, the two inner heads, the four leaves; block 7 is its join and
    /// the head of the next one, or returns.
    fn diamond(&mut self, i: u32, last: bool) {
        let first = BlockId(self.blocks.len() as u32);
        let at = |k: u32| BlockId(first.0 + k);
        for (k, (then_to, else_to)) in [(1, 2), (3, 4), (5, 6)].into_iter().enumerate() {
            let condition = self.condition();
            let kind = TerminatorKind::Branch { condition, then_to: at(then_to), else_to: at(else_to) };
            self.block(&format!("d{i}_{k}"), kind);
        }
        for k in 3..7 {
            self.block(&format!("d{i}_{k}"), TerminatorKind::Goto(vec![at(7)]));
        }
        if last {
            self.block(&format!("d{}_0", i + 1), TerminatorKind::Return);
        }
    }

    fn block(&mut self, name: &str, kind: TerminatorKind) {
        let id = BlockId(self.blocks.len() as u32);
        let statements = (0..STATEMENTS)
            .map(|_| {
                let target = self.variables[self.rng.usize(..self.variables.len())];
                let value = if self.rng.u32(..100) < CONSTANTS { self.constant() } else { self.expression() };
                Statement::new(StatementKind::Assign(vec![(target, value)]), SPAN)
            })
            .collect();
        let origin = Origin { procedure: ProcId(0), body: 0, place: Place::Segment { block: id, first: 0 } };
        let terminator = Terminator { kind, span: SPAN };
        self.blocks.push(Block { name: name.into(), statements, terminator, span: SPAN, origin });
    }

    fn variable(&mut self) -> TermId {
        let symbol = self.variables[self.rng.usize(..self.variables.len())];
        self.terms.var(symbol)
    }

    fn expression(&mut self) -> TermId {
        let mut sum = self.product();
        if self.rng.bool() {
            let more = self.product();
            sum = self.terms.raw(Op::Add, [sum, more]);
        }
        let constant = self.rng.i64(-8..=8);
        if constant != 0 {
            let constant = self.terms.int(constant);
            sum = self.terms.raw(Op::Add, [sum, constant]);
        }
        sum
    }

    fn constant(&mut self) -> TermId {
        let value = self.rng.i64(-8..=8);
        self.terms.int(value)
    }

    fn product(&mut self) -> TermId {
        let variable = self.variable();
        match self.rng.i64(-2..=2) {
            0 | 1 => variable,
            factor => {
                let factor = self.terms.int(factor);
                self.terms.raw(Op::Mul, [factor, variable])
            }
        }
    }

    fn condition(&mut self) -> TermId {
        let (a, b) = (self.expression(), self.expression());
        let op = [Op::Lt, Op::Le, Op::Gt, Op::Ge, Op::Eq][self.rng.usize(..5)].clone();
        self.terms.raw(op, [a, b])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes of the paper.
    fn samples() -> impl Iterator<Item = (u32, u64)> {
        (2..=9).flat_map(|count| (0..10).map(move |seed| (count, seed)))
    }

    #[test]
    fn the_same_seed_gives_the_same_text_and_another_seed_another() {
        let text = |count, seed| footpath_ir::print(&diamonds(count, seed));
        assert_eq!(text(5, 3), text(5, 3));
        assert_ne!(text(5, 3), text(5, 4));
        assert_ne!(text(5, 3), text(6, 3));
    }

    #[test]
    fn programs_have_the_sizes_of_the_paper() {
        for (count, seed) in samples() {
            let program = diamonds(count, seed);
            let text = crate::rvc::program_text(count, seed);
            let lines = text.lines().filter(|l| !l.trim().is_empty()).count();
            assert!((90..=350).contains(&lines), "{count} diamonds, seed {seed}: {lines} lines");
            let variables = program.globals.len();
            assert!((10..=20).contains(&variables), "{count} diamonds, seed {seed}: {variables} variables");
            let body = &program.procedures[0].bodies[0];
            assert_eq!(body.blocks.len(), 7 * count as usize + 1);
            assert!(body.blocks.iter().all(|b| b.statements.len() == 3));
        }
    }

    #[test]
    fn programs_obey_the_rules_of_the_form() {
        for (count, seed) in [(1, 0), (2, 1), (9, 2), (40, 3)] {
            assert_eq!(footpath_ir::validate(&diamonds(count, seed)), []);
        }
    }
}
