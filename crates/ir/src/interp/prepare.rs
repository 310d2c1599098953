//! What the interpreter works out once for a program and uses in every run.

use std::collections::BTreeSet;

use footpath_term::{FuncId, Op, Sort, SortId, SymbolId, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::machine::Machine;
use super::{Limits, Oracle, Run};
use crate::print::{body_roots, program_roots};
use crate::program::{ProcId, Program};

/// Terms with more nodes than this (shared ones counted each time) are evaluated with a memory.
const MAX_QUICK_SIZE: u32 = 2_000;
/// Terms that nest deeper than this are not evaluated by recursion.
const MAX_QUICK_DEPTH: u32 = 200;

/// The instances of polymorphic maps that a program uses: by map sort, the sorts for the map's type
/// parameters, and the sort of the elements.
pub(super) type Instances = FxHashMap<SortId, BTreeSet<(Vec<SortId>, SortId)>>;

/// A program, prepared for many runs.
pub struct Interpreter<'p> {
    pub(super) program: &'p Program,
    pub(super) terms: &'p Terms,
    /// Constants and globals.
    pub(super) globals: FxHashSet<SymbolId>,
    /// Positions of functions with bodies.
    pub(super) functions: FxHashMap<FuncId, usize>,
    /// Where-clauses, by variable.
    pub(super) wheres: FxHashMap<SymbolId, TermId>,
    /// Terms that are not evaluated by recursion.
    pub(super) large: FxHashSet<TermId>,
    pub(super) instances: Instances,
    /// For each body, from the procedure's symbols to its own.
    pub(super) aliases: FxHashMap<(ProcId, u32), FxHashMap<SymbolId, SymbolId>>,
    /// For each procedure, the old symbols in its postconditions and bodies, with their globals.
    pub(super) olds: Vec<Vec<(SymbolId, SymbolId)>>,
}

impl<'p> Interpreter<'p> {
    /// Prepares a program.
    pub fn new(program: &'p Program) -> Interpreter<'p> {
        let terms: &Terms = &program.terms;
        let constants = program.constants.iter().map(|c| c.symbol);
        let globals = constants.chain(program.globals.iter().map(|g| g.variable.symbol)).collect();
        let with_body = program.functions.iter().enumerate().filter(|(_, f)| f.body.is_some());
        let mut interpreter = Interpreter {
            program,
            terms,
            globals,
            functions: with_body.map(|(i, f)| (f.id, i)).collect(),
            wheres: FxHashMap::default(),
            large: FxHashSet::default(),
            instances: Instances::default(),
            aliases: FxHashMap::default(),
            olds: Vec::new(),
        };
        interpreter.variables();
        interpreter.measure();
        interpreter
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Runs body number `body` of procedure `procedure`.
    ///
    /// # Panics
    /// If there is no such body.
    pub fn run(&self, procedure: ProcId, body: u32, oracle: &mut dyn Oracle, limits: &Limits) -> Run {
        let axioms: Vec<usize> = (0..self.program.axioms.len()).collect();
        self.run_under(procedure, body, oracle, limits, &axioms)
    }

    /// Runs a body under some of the axioms, by position. The others must have nothing to do with it: they may not
    /// mention functions or constants that it depends on.
    ///
    /// # Panics
    /// If there is no such body or axiom.
    pub fn run_under(
        &self,
        procedure: ProcId,
        body: u32,
        oracle: &mut dyn Oracle,
        limits: &Limits,
        axioms: &[usize],
    ) -> Run {
        assert!((body as usize) < self.program[procedure].bodies.len(), "a body to run");
        Machine::new(self, oracle, limits).run(procedure, body, axioms)
    }

    fn variables(&mut self) {
        let program = self.program;
        for g in &program.globals {
            self.wheres.extend(g.variable.where_clause.map(|w| (g.variable.symbol, w)));
        }
        let old_symbols = program.old_symbols();
        for (i, p) in program.procedures.iter().enumerate() {
            for v in p.params.iter().chain(&p.results) {
                self.wheres.extend(v.where_clause.map(|w| (v.symbol, w)));
            }
            let mut roots: Vec<TermId> = p.ensures.iter().map(|c| c.condition).collect();
            for (b, body) in p.bodies.iter().enumerate() {
                body_roots(body, &mut roots);
                for v in body.params.iter().chain(&body.results).chain(&body.locals) {
                    self.wheres.extend(v.where_clause.map(|w| (v.symbol, w)));
                }
                let declared = p.params.iter().chain(&p.results);
                let mut aliases = FxHashMap::default();
                for (theirs, own) in declared.zip(body.params.iter().chain(&body.results)) {
                    if theirs.symbol != own.symbol {
                        aliases.insert(theirs.symbol, own.symbol);
                        if let Some(w) = theirs.where_clause {
                            self.wheres.entry(own.symbol).or_insert(w);
                        }
                    }
                }
                self.aliases.insert((ProcId(i as u32), b as u32), aliases);
            }
            let used =
                self.terms.post_order(&roots).into_iter().filter_map(|t| match self.terms.term(t).op {
                    Op::Var(s) => old_symbols.get(&s).map(|&g| (s, g)),
                    _ => None,
                });
            self.olds.push(used.collect());
        }
    }

    /// Finds large terms and the instances of polymorphic maps.
    fn measure(&mut self) {
        let terms = self.terms;
        let mut sizes: FxHashMap<TermId, (u32, u32)> = FxHashMap::default();
        for t in terms.post_order(&program_roots(self.program)) {
            let term = terms.term(t);
            let (mut size, mut depth) = (1u32, 1u32);
            for a in &term.args {
                let (s, d) = sizes[a];
                size = size.saturating_add(s);
                depth = depth.max(d + 1);
            }
            // A binder is evaluated as a whole, wherever it stands.
            if matches!(term.op, Op::Bind(_)) {
                (size, depth) = (1, 1);
            }
            if size > MAX_QUICK_SIZE || depth > MAX_QUICK_DEPTH {
                self.large.insert(t);
            }
            sizes.insert(t, (size, depth));
            if matches!(term.op, Op::Select | Op::Store) {
                let map = terms.sort(term.args[0]);
                let Sort::Map { params: 1.., domain, .. } = terms.sort_of(map) else { continue };
                let indices = &term.args[1..=domain.len()];
                let sorts: Vec<SortId> = indices.iter().map(|&i| terms.sort(i)).collect();
                let element = match term.op {
                    Op::Select => term.sort,
                    _ => terms.sort(*term.args.last().expect("a store has a value")),
                };
                if let Some(instance) = terms.map_instance(map, &sorts) {
                    self.instances.entry(map).or_default().insert((instance, element));
                }
            }
        }
    }
}
