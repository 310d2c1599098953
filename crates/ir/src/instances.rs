//! Monomorphic instances of procedures: the sorts that type parameters stand for at calls.
//!
//! **Idea.** A callee with type parameters runs with sorts in their place that its own text does not contain, such as
//! `[int]int` for `[T]T`. The interpreter cannot add sorts to a program, and values may come from arenas (layers over
//! the program's) that have more sorts. So the sorts of all instances are added to a program in advance
//! ([`Program::add_instances`]), as far as there are finitely many.
//!
//! **Example.** For the call `x := first(m)` of `procedure first<T>(a: [int]T) returns (r: T)` with `m: [int]bool`
//! the parameter `T` stands for `bool`, and the sort `[int]bool` is needed in the callee.
//!
//! **Direction of error.** An instance may be missing, if recursion makes infinitely many. The interpreter then
//! stops, and invents no value.

use footpath_term::{Sort, SortId, TermId, Terms, TypeSubstitution};
use rustc_hash::FxHashSet;

use crate::print::body_roots;
use crate::{ProcId, Procedure, Program, StatementKind};

/// The limit on instances of procedures for which sorts are created; recursion may need infinitely many.
const MOST_INSTANCES: usize = 2_000;
/// The limit on the parts of a sort that is used as a type argument.
const MOST_PARTS: u32 = 500;

impl Program {
    /// The type arguments of `callee` at a call, given the sorts of the arguments and of the variables that take the
    /// results, as far as these are known.
    pub fn type_arguments(
        &self,
        terms: &Terms,
        callee: ProcId,
        args: &[Option<SortId>],
        targets: &[Option<SortId>],
    ) -> TypeSubstitution {
        let procedure = &self[callee];
        let mut types = TypeSubstitution::default();
        if procedure.type_params.is_empty() {
            return types;
        }
        let params = std::iter::once(&procedure.params).chain(procedure.bodies.iter().map(|b| &b.params));
        let results = std::iter::once(&procedure.results).chain(procedure.bodies.iter().map(|b| &b.results));
        let given = params.map(|list| (list, args)).chain(results.map(|list| (list, targets)));
        for (variable, sort) in given.flat_map(|(list, sorts)| list.iter().zip(sorts)) {
            if let Some(sort) = *sort {
                terms.match_sort(variable.sort(terms), sort, &mut types);
            }
        }
        types
    }

    /// Creates the sorts that occur in instances of procedures with type parameters. `terms` is the arena that the
    /// program will have.
    pub fn add_instances(&self, terms: &mut Terms) {
        if self.procedures.iter().all(|p| p.type_params.is_empty()) {
            return;
        }
        let calls: Vec<Vec<Call>> = self.procedures.iter().map(|p| self.generic_calls(terms, p)).collect();
        let sorts: Vec<Vec<SortId>> = self.procedures.iter().map(|p| generic_sorts(terms, p)).collect();
        let mut work: Vec<(usize, TypeSubstitution)> =
            (0..calls.len()).map(|p| (p, TypeSubstitution::default())).collect();
        let mut seen: FxHashSet<(ProcId, Vec<SortId>)> = FxHashSet::default();
        while let Some((caller, own)) = work.pop() {
            for call in &calls[caller] {
                let mut instances = |sorts: &[Option<SortId>]| -> Vec<Option<SortId>> {
                    sorts.iter().map(|s| s.map(|s| terms.substitute_sort(s, &own))).collect()
                };
                let (args, targets) = (instances(&call.args), instances(&call.targets));
                let types = self.type_arguments(terms, call.callee, &args, &targets);
                let params = &self[call.callee].type_params;
                let key: Vec<SortId> = params.iter().filter_map(|p| types.get(p).copied()).collect();
                let mut parts = MOST_PARTS;
                let is_small = key.iter().all(|&sort| has_at_most(terms, sort, &mut parts));
                if is_small && seen.len() < MOST_INSTANCES && seen.insert((call.callee, key)) {
                    for &sort in &sorts[call.callee.index()] {
                        terms.substitute_sort(sort, &types);
                    }
                    work.push((call.callee.index(), types));
                }
            }
        }
    }

    /// The calls of procedures with type parameters in a procedure's bodies.
    fn generic_calls(&self, terms: &Terms, procedure: &Procedure) -> Vec<Call> {
        let statements = procedure.bodies.iter().flat_map(|b| &b.blocks).flat_map(|b| &b.statements);
        let calls = statements.filter_map(|s| match &s.kind {
            StatementKind::Call { callee, args, results } if !self[*callee].type_params.is_empty() => {
                Some(Call {
                    callee: *callee,
                    args: args.iter().map(|a| a.map(|a| terms.sort(a))).collect(),
                    targets: results.iter().map(|r| r.map(|r| terms.symbol(r).sort)).collect(),
                })
            }
            _ => None,
        });
        calls.collect()
    }
}

/// A call of a procedure with type parameters, with the sorts of its arguments and of the variables that take its
/// results.
struct Call {
    callee: ProcId,
    args: Vec<Option<SortId>>,
    targets: Vec<Option<SortId>>,
}

/// The sorts in a procedure that mention its type parameters, once each.
fn generic_sorts(terms: &Terms, procedure: &Procedure) -> Vec<SortId> {
    if procedure.type_params.is_empty() {
        return Vec::new();
    }
    let conditions = procedure.requires.iter().chain(&procedure.ensures).map(|c| c.condition);
    let mut roots: Vec<TermId> = conditions.collect();
    let mut variables = procedure.params.iter().chain(&procedure.results).collect::<Vec<_>>();
    for body in &procedure.bodies {
        body_roots(body, &mut roots);
        variables.extend(body.params.iter().chain(&body.results).chain(&body.locals));
    }
    let of_terms = terms.post_order(&roots).into_iter().map(|t| terms.sort(t));
    let all = variables.into_iter().map(|v| v.sort(terms)).chain(of_terms);
    let mut seen = FxHashSet::default();
    all.filter(|&s| terms.has_type_vars(s) && seen.insert(s)).collect()
}

/// Whether a sort, written out, has at most `parts` parts; subtracts them.
fn has_at_most(terms: &Terms, sort: SortId, parts: &mut u32) -> bool {
    *parts = parts.saturating_sub(1);
    *parts > 0
        && match terms.sort_of(sort) {
            Sort::Ctor(_, args) => args.iter().all(|&a| has_at_most(terms, a, parts)),
            Sort::Map { domain, range, .. } => {
                domain.iter().chain([range]).all(|&s| has_at_most(terms, s, parts))
            }
            _ => true,
        }
}
