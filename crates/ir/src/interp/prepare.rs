//! Tables that the interpreter computes once for a program and uses in every run.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use footpath_term::{FuncId, Op, Sort, SortId, SymbolId, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::machine::Machine;
use super::random::Literals;
use super::{Limits, Oracle, Run};
use crate::print::{body_roots, program_roots};
use crate::program::{ProcId, Procedure, Program};

/// The instances of polymorphic maps that a program uses: by map sort, the sorts for the map's type
/// parameters, and the sort of the elements.
pub(super) type Instances = FxHashMap<SortId, BTreeSet<(Vec<SortId>, SortId)>>;

/// A program with precomputed tables, for many runs.
pub struct Interpreter<'p> {
    pub(super) program: &'p Program,
    pub(super) terms: &'p Terms,
    /// Constants and globals.
    pub(super) globals: FxHashSet<SymbolId>,
    /// Positions of functions with bodies.
    pub(super) functions: FxHashMap<FuncId, usize>,
    /// Where-clauses, by variable.
    pub(super) wheres: FxHashMap<SymbolId, TermId>,
    instances: OnceLock<Instances>,
    literals: OnceLock<Arc<Literals>>,
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
            instances: OnceLock::new(),
            literals: OnceLock::new(),
            aliases: FxHashMap::default(),
            olds: Vec::new(),
        };
        interpreter.variables();
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

    /// Runs a body under some of the axioms, by position. The other axioms must be unrelated to it: they may not
    /// mention functions or constants that it depends on.
    ///
    /// # Panics If there is no such body or axiom.
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
        let mut old_symbols = program.old_symbols();
        // Large programs have many variables whose old values nobody asks for.
        old_symbols.retain(|&old, _| self.terms.find_var(old).is_some());
        for (i, p) in program.procedures.iter().enumerate() {
            for v in p.params.iter().chain(&p.results) {
                self.wheres.extend(v.where_clause.map(|w| (v.symbol, w)));
            }
            for (b, body) in p.bodies.iter().enumerate() {
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
            self.olds.push(if old_symbols.is_empty() { Vec::new() } else { self.olds_in(p, &old_symbols) });
        }
    }

    /// The old symbols in a procedure's postconditions and bodies, with their globals.
    fn olds_in(&self, p: &Procedure, all: &FxHashMap<SymbolId, SymbolId>) -> Vec<(SymbolId, SymbolId)> {
        let mut roots: Vec<TermId> = p.ensures.iter().map(|c| c.condition).collect();
        p.bodies.iter().for_each(|body| body_roots(body, &mut roots));
        let used = self.terms.post_order(&roots).into_iter().filter_map(|t| match self.terms.term(t).op {
            Op::Var(s) => all.get(&s).map(|&g| (s, g)),
            _ => None,
        });
        used.collect()
    }

    /// The literals of the program, near which random values are drawn.
    pub(super) fn literals(&self) -> Arc<Literals> {
        Arc::clone(self.literals.get_or_init(|| Arc::new(Literals::of(self.program))))
    }

    /// The instances of polymorphic maps in the program.
    pub(super) fn instances(&self) -> &Instances {
        self.instances.get_or_init(|| {
            let terms = self.terms;
            let mut instances = Instances::default();
            for t in terms.post_order(&program_roots(self.program)) {
                let term = terms.term(t);
                if !matches!(term.op, Op::Select | Op::Store) {
                    continue;
                }
                let map = terms.sort(term.args[0]);
                let Sort::Map { params: 1.., domain, .. } = terms.sort_of(map) else { continue };
                let indices = &term.args[1..=domain.len()];
                let sorts: Vec<SortId> = indices.iter().map(|&i| terms.sort(i)).collect();
                let element = match term.op {
                    Op::Select => term.sort,
                    _ => terms.sort(*term.args.last().expect("a store has a value")),
                };
                if let Some(instance) = terms.map_instance(map, &sorts) {
                    instances.entry(map).or_default().insert((instance, element));
                }
            }
            instances
        })
    }
}
