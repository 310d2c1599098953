//! Vacuity of a program: axioms, definitions and constants that no state satisfies.
//!
//! Each axiom, each function that is defined through itself, and what is said of constants stands behind a literal of its
//! own; a solver that only refutes is asked whether all together contradict each other, and the unsatisfiable core is made
//! smaller by leaving out one after the other, as deletion-based extraction of minimal unsatisfiable subsets does.
//! Of `function f(x: int): int { f(x) + 1 }` it is the definition of `f` alone.
//!
//! Triggers alone find nothing where no term is there to begin with: `f(x) = f(x) + 1` has the trigger `f(x)`. So each
//! quantified formula is also instantiated with a constant of its own for each variable, and with zero for integers.
//!
//! **Direction of error.** A solver that cannot tell within a second is not pressed, so a contradiction may be missed.
//! What it cannot express is left out, which cannot make a contradiction.

use std::time::Duration;

use footpath_ir::Program;
use footpath_ir::source::Span;
use footpath_smt::{Answer, DEFAULT_INSTANCES, Options, Profile, Solver, SolverSpec, is_polymorphic, weaken};
use footpath_term::{BinderKind, Op, SortId, Substitution, TermId, Terms};
use footpath_transform::theory::Theory;

use super::CoverError;

/// Time to find a contradiction.
const LIMIT: Duration = Duration::from_secs(1);
/// Time to ask whether one of its parts is needed.
const PART_LIMIT: Duration = Duration::from_millis(200);

/// The parts of a program that contradict each other, in source order, if some are found to: axioms, and functions that are
/// defined through themselves. It is empty if what is said of constants contradicts itself.
///
/// # Errors
/// If the solver cannot be used.
pub fn contradiction(program: &Program, solver: &str) -> Result<Option<Vec<Span>>, CoverError> {
    let theory = Theory::new(program);
    let mut open = |_: &str| {
        let failed = |e: footpath_smt::OpenError| CoverError::Solver(e.to_string());
        let spec = SolverSpec::parse(solver).map_err(failed)?;
        let options = Options { profile: Profile::Refute, timeout: Some(LIMIT), ..Options::default() };
        footpath_smt::open(&spec, &options).map_err(failed)
    };
    find(program, &theory, &mut open)
}

/// Who opens a solver under a name.
type Open<'a> = dyn FnMut(&str) -> Result<Box<dyn Solver>, CoverError> + 'a;

/// The same with a solver that somebody opens.
pub(super) fn find(
    program: &Program,
    theory: &Theory,
    open: &mut Open<'_>,
) -> Result<Option<Vec<Span>>, CoverError> {
    if theory.says_nothing() {
        return Ok(None);
    }
    let mut terms = Terms::layer(program.terms.clone());
    let mut parts: Vec<(Option<Span>, TermId)> = Vec::new();
    let axioms = theory.all_axioms(&mut terms);
    parts.extend(program.axioms.iter().map(|a| Some(a.span)).zip(axioms.iter().copied()));
    for (function, definition) in theory.recursive_definitions(&mut terms) {
        let span = program.functions.iter().find(|f| f.id == function).map(|f| f.span);
        parts.push((span, definition));
    }
    let constants = theory.order_axioms(&mut terms, &axioms);
    parts.extend(constants.into_iter().map(|formula| (None, formula)));
    let mut solver = open("axioms")?;
    solver.set_timeout(Some(LIMIT));
    let mut literals: Vec<(Option<Span>, TermId)> = Vec::new();
    for (span, formula) in parts {
        let literal = terms.fresh_var("part", SortId::BOOL);
        for formula in expressed(&mut terms, formula) {
            let mut told = vec![formula];
            told.extend(instance(&mut terms, formula, false));
            told.extend(instance(&mut terms, formula, true));
            for formula in told {
                let guarded = terms.app(Op::Implies, [literal, formula]);
                // What the solver cannot express is left out, which cannot make a contradiction.
                let _ = solver.assert(&terms, guarded);
            }
        }
        literals.push((span, literal));
    }
    let all: Vec<TermId> = literals.iter().map(|&(_, l)| l).collect();
    if !solver.check(&terms, &all).is_unsat() {
        return Ok(None);
    }
    let core = minimal(&terms, &mut *solver);
    let needed = literals.iter().filter(|(_, l)| core.contains(l));
    let mut spans: Vec<Span> = needed.filter_map(|&(span, _)| span).collect();
    spans.sort_unstable();
    spans.dedup();
    Ok(Some(spans))
}

/// A formula as a solver takes it: one with type variables becomes instances, which say less.
fn expressed(terms: &mut Terms, formula: TermId) -> Vec<TermId> {
    if !is_polymorphic(terms, &[formula]) {
        return vec![formula];
    }
    weaken(terms, &[formula], DEFAULT_INSTANCES).map(|made| made.roots).unwrap_or_default()
}

/// A universally quantified formula for one value of each variable: any, or zero of integers, which bounds exclude.
fn instance(terms: &mut Terms, formula: TermId, zero: bool) -> Option<TermId> {
    let term = terms.term(formula);
    let Op::Bind(binder) = &term.op else { return None };
    if binder.kind != BinderKind::Forall || !binder.type_vars.is_empty() {
        return None;
    }
    let (vars, body) = (binder.vars.clone(), term.args[0]);
    let mut values = Substitution::default();
    for v in vars {
        let declared = terms.symbol(v).clone();
        let value = match declared.sort {
            SortId::INT if zero => terms.int(0),
            sort => terms.fresh_var(declared.name, sort),
        };
        values.insert(v, value);
    }
    Some(terms.substitute(body, &values))
}

/// The core of the contradiction that was just found, less what it does not need.
fn minimal(terms: &Terms, solver: &mut dyn Solver) -> Vec<TermId> {
    let mut core = solver.core();
    solver.set_timeout(Some(PART_LIMIT));
    let mut k = 0;
    while k < core.len() {
        let mut fewer = core.clone();
        fewer.remove(k);
        match solver.check(terms, &fewer) {
            Answer::Unsat => {
                let needed = solver.core();
                core = fewer.into_iter().filter(|l| needed.contains(l)).collect();
            }
            _ => k += 1,
        }
    }
    core
}
