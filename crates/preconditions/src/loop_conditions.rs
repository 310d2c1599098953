//! Necessary conditions of failures by loop summaries and predicate abstraction.
//!
//! **Idea.** If segments leave something open, loop summaries still state for all runs, however often loops iterate,
//! what holds if one of them fails: a formula φ over the inputs and over numbers of iterations. Three queries are
//! asked:
//!
//! 1. Has φ no model? Then nothing fails.
//! 2. Does φ imply the condition that was found? Then nothing else fails, and that condition is exact.
//! 3. Which comparisons of inputs does φ imply? The candidates are those that occur in φ and in the condition that
//!    was found, and comparisons of inputs with each other and with the constants that they are compared with; first
//!    each one by itself, then which combinations of the others have a model (predicate abstraction). The result has
//!    neither quantifiers nor numbers of iterations, so it can be printed.
//!
//! Example: if φ is `n > 0 ∧ κ = n ∧ 4·κ > size`, the candidates `n > 0` and, if it occurs, `4·n > size` are implied,
//! and the answer is their conjunction.
//!
//! **Papers.** "Abstracting Path Conditions" (Strejček, Trtík, ISSTA 2012) for φ; "Construction of abstract state
//! graphs with PVS" (Graf, Saïdi, CAV 1997) for the abstraction.
//!
//! **Direction of error.** In one direction: it may hold where nothing fails. That all failures satisfy it rests on
//! the summaries, and on the solver's proof for each comparison that is kept; what is not proved is not stated.

use std::time::Duration;

use footpath_ir::{Body, Origin, ProcId, TerminatorKind};
use footpath_loop_summaries::ReachError;
use footpath_simplify::{Cube, Dnf};
use footpath_term::{Op, SortId, Substitution, SymbolId, TermId, Terms, Value};
use footpath_virtual_time::Deadline;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::backward::Hoist;
use crate::result::Error;
use crate::segment;

/// The numbers of iterations of each loop that are explicit, one attempt after the other.
const ROUNDS: [u64; 2] = [2, 8];
/// How many comparisons are asked for, and how many of them in combinations.
const COMPARISONS: usize = 40;
const COMBINED: usize = 8;
/// How many combinations there may be.
const COMBINATIONS: usize = 24;
/// Comparisons with more parts are no candidates, as they would not be readable.
const LARGEST: usize = 24;
/// With how many constants each input is compared.
const CONSTANTS: usize = 4;
/// Time in all, where there is no limit.
const TIME: Duration = Duration::from_secs(20);

/// The answer of loop summaries about failures.
pub(crate) enum Summarised {
    /// Nothing new.
    Nothing,
    /// All failures satisfy the condition that was found.
    Same,
    /// All failures satisfy this condition.
    Must(Dnf),
}

impl Hoist<'_> {
    /// Asks the loop summaries, for the condition at the entry that was found so far.
    pub(crate) fn summarised(
        &mut self,
        found: &Dnf,
        inputs: &FxHashSet<SymbolId>,
    ) -> Result<Summarised, Error> {
        let mut best = Summarised::Nothing;
        for rounds in ROUNDS {
            if self.tools.is_late() {
                break;
            }
            let Some(all) = self.all_failures(rounds)? else { break };
            let tools = &mut self.tools;
            let condition = found.term(&mut tools.terms);
            let other = tools.terms.app(Op::Not, [condition]);
            if tools.simplifier.contradict(&tools.terms, &[all, other]) == Some(true) {
                return Ok(Summarised::Same);
            }
            let asked = self.asked(all, found, inputs);
            if let Some(must) = self.implied(all, &asked) {
                best = Summarised::Must(must);
            }
        }
        Ok(best)
    }

    /// φ, over inputs, globals and symbols of its own. `None` if it cannot be built.
    fn all_failures(&mut self, rounds: u64) -> Result<Option<TermId>, Error> {
        let tools = &mut self.tools;
        let shared = tools.terms.shared();
        let (body, none) = (&self.cut.body, FxHashMap::default());
        let program = segment::program(tools.program, &tools.terms, body, Body::ENTRY, &[], &none);
        let fails = |kind: &TerminatorKind| matches!(kind, TerminatorKind::Fail | TerminatorKind::Cut);
        let blocks = program.procedures[0].bodies[0].blocks.iter();
        let places: Vec<Origin> = blocks.filter(|b| fails(&b.terminator.kind)).map(|b| b.origin).collect();
        let left = tools.deadline.map_or(TIME, Deadline::left);
        let options = footpath_loop_summaries::Options {
            timeout: Some(left / 2),
            solver: tools.options.solver.clone(),
            max_blocks: tools.options.max_blocks,
            tests: false,
            invariants: true,
            ..footpath_loop_summaries::Options::default()
        };
        let said = footpath_loop_summaries::necessary(
            &program,
            ProcId(0),
            0,
            &places,
            rounds,
            &options,
            tools.stop(),
        );
        let said = said.map_err(|e| match e {
            ReachError::Invalid(text) => Error::Invalid(text),
            ReachError::Solver(text) => Error::Solver(text),
            ReachError::Internal(text) => Error::Internal(text),
        })?;
        let Some(said) = said else { return Ok(None) };
        let roots = [said.condition];
        let copied = tools.terms.adopt(&said.terms, shared, &roots, &mut FxHashMap::default());
        let Some(all) = copied[0] else { return Ok(None) };
        let olds: Substitution =
            self.cut.olds.iter().map(|&(old, global)| (old, tools.terms.var(global))).collect();
        Ok(Some(tools.terms.substitute(all, &olds)))
    }

    /// The candidate comparisons, those of the given conditions first.
    fn asked(&mut self, all: TermId, found: &Dnf, inputs: &FxHashSet<SymbolId>) -> Vec<TermId> {
        let terms = &self.tools.terms;
        let mut roots: Vec<TermId> = found.cubes.iter().flatten().copied().collect();
        roots.push(all);
        // For each term its size, and whether it has symbols; none if it speaks of more than inputs.
        let mut sizes: FxHashMap<TermId, (usize, bool)> = FxHashMap::default();
        let mut asked: Vec<(usize, TermId)> = Vec::new();
        let mut numbers: Vec<TermId> = Vec::new();
        let mut constants: Vec<TermId> = Vec::new();
        for t in terms.post_order(&roots) {
            let term = terms.term(t);
            let (size, speaks) = match term.op {
                Op::Var(s) if inputs.contains(&s) || self.is_global(s) => (1, true),
                Op::Var(_) | Op::Bind(_) => continue,
                _ => {
                    let parts: Option<Vec<(usize, bool)>> =
                        term.args.iter().map(|a| sizes.get(a).copied()).collect();
                    let Some(parts) = parts else { continue };
                    let size = parts.iter().fold(1usize, |sum, (n, _)| sum.saturating_add(*n));
                    (size, parts.iter().any(|(_, speaks)| *speaks))
                }
            };
            sizes.insert(t, (size, speaks));
            match term.op {
                Op::Literal(_) if is_number(terms, t) => constants.push(t),
                Op::Var(_) if is_number(terms, t) => numbers.push(t),
                _ if speaks && size <= LARGEST && is_atom(terms, t) => asked.push((size, t)),
                _ => {}
            }
        }
        asked.sort_by_key(|(size, _)| *size);
        let mut asked: Vec<TermId> = asked.into_iter().map(|(_, t)| t).take(COMPARISONS / 2).collect();
        for made in self.made(&numbers, &constants) {
            if asked.len() < COMPARISONS && !asked.contains(&made) {
                asked.push(made);
            }
        }
        asked
    }

    /// Comparisons of numbers with constants and with each other.
    fn made(&mut self, numbers: &[TermId], constants: &[TermId]) -> Vec<TermId> {
        let terms = &mut self.tools.terms;
        let mut made = Vec::new();
        for (i, &x) in numbers.iter().enumerate() {
            let sort = terms.sort(x);
            let zero = match terms.width(sort) {
                Some(width) => terms.bit_vec(width, 0),
                None => terms.int(0),
            };
            let same: Vec<TermId> =
                constants.iter().copied().filter(|&c| c != zero && terms.sort(c) == sort).collect();
            let others = numbers[i + 1..].iter().copied().filter(|&y| terms.sort(y) == sort);
            let with: Vec<TermId> =
                [zero].into_iter().chain(others).chain(same.into_iter().take(CONSTANTS)).collect();
            let less = if sort == SortId::INT { Op::Lt } else { Op::BvSlt };
            for y in with {
                made.push(terms.app(less.clone(), [x, y]));
                made.push(terms.app(Op::Eq, [x, y]));
            }
        }
        made.retain(|&t| terms.as_bool(t).is_none());
        made
    }

    /// The strongest condition over these comparisons that `all` implies; `None` if that is `true`, or not known.
    fn implied(&mut self, all: TermId, asked: &[TermId]) -> Option<Dnf> {
        self.tools.simplifier.begin();
        let first = self.truths(&[all], asked)?;
        // What is the same in all models so far, with its value.
        let mut fixed: Vec<(TermId, bool)> =
            asked.iter().copied().zip(first).filter_map(|(t, v)| Some((t, v?))).collect();
        let mut open: Vec<TermId> = Vec::new();
        while !fixed.is_empty() {
            let literals = self.literals(&fixed);
            let terms = &mut self.tools.terms;
            let together = terms.app(Op::And, literals.iter().copied());
            let differs = terms.app(Op::Not, [together]);
            let (tools, of) = (&mut self.tools, fixed.iter().map(|(t, _)| *t).collect::<Vec<_>>());
            if tools.simplifier.contradict(&tools.terms, &[all, differs]) == Some(true) {
                break;
            }
            let now = self.truths(&[all, differs], &of)?;
            let before = fixed.len();
            let values: FxHashMap<TermId, Option<bool>> = of.into_iter().zip(now).collect();
            fixed.retain(|(t, v)| {
                let same = values[t] == Some(*v);
                if !same {
                    open.push(*t);
                }
                same
            });
            if fixed.len() == before {
                return None;
            }
        }
        let literals = self.literals(&fixed);
        open.sort_by_key(|t| asked.iter().position(|a| a == t));
        open.truncate(COMBINED);
        let mut must = self.combinations(all, &open).unwrap_or_else(Dnf::always);
        must.cubes.iter_mut().for_each(|cube| cube.extend(&literals));
        let must = self.tools.simplifier.simplify(&mut self.tools.terms, &must);
        (!must.is_always()).then_some(must)
    }

    /// The combinations of truth values for which `all` has a model; `None` if they are too many, or not known.
    fn combinations(&mut self, all: TermId, of: &[TermId]) -> Option<Dnf> {
        let mut found = Dnf::never();
        for _ in 0..COMBINATIONS {
            let terms = &mut self.tools.terms;
            let known = found.term(terms);
            let other = terms.app(Op::Not, [known]);
            match self.tools.simplifier.contradict(&self.tools.terms, &[all, other])? {
                true => return Some(found),
                false => {
                    let values = self.truths(&[all, other], of)?;
                    let pairs: Option<Vec<(TermId, bool)>> =
                        of.iter().zip(values).map(|(t, v)| Some((*t, v?))).collect();
                    let cube: Cube = self.literals(&pairs?);
                    found.cubes.push(cube);
                }
            }
        }
        None
    }

    /// The truth values of conditions in a model.
    fn truths(&mut self, together: &[TermId], of: &[TermId]) -> Option<Vec<Option<bool>>> {
        let tools = &mut self.tools;
        let values = tools.simplifier.model(&tools.terms, together, of)?;
        let truth = |v: Option<Value>| match v {
            Some(Value::Bool(b)) => Some(b),
            _ => None,
        };
        Some(values.into_iter().map(truth).collect())
    }

    fn literals(&mut self, values: &[(TermId, bool)]) -> Vec<TermId> {
        let terms = &mut self.tools.terms;
        values.iter().map(|&(t, v)| if v { t } else { terms.app(Op::Not, [t]) }).collect()
    }
}

fn is_number(terms: &Terms, t: TermId) -> bool {
    let sort = terms.sort(t);
    sort == SortId::INT || terms.width(sort).is_some()
}

/// Whether a term is an atomic condition.
fn is_atom(terms: &Terms, t: TermId) -> bool {
    let term = terms.term(t);
    let connects =
        matches!(term.op, Op::And | Op::Or | Op::Not | Op::Implies | Op::Ite | Op::Bind(_) | Op::Literal(_));
    let booleans = term.op == Op::Eq && term.args.iter().any(|&a| terms.sort(a) == SortId::BOOL);
    term.sort == SortId::BOOL && !connects && !booleans
}
