//! What of a program its inputs do not determine: functions and operators whose values a solver may choose.

use footpath_ir::Program;
use footpath_term::{FuncId, FuncKind, Op, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::concolic::lower::is_open;

/// The functions whose definitions mention nothing that is an input.
pub(super) fn closed_functions(
    program: &Program,
    definitions: &FxHashMap<FuncId, usize>,
) -> FxHashSet<FuncId> {
    let terms: &Terms = &program.terms;
    let mut closed: FxHashSet<FuncId> = definitions.keys().copied().collect();
    loop {
        let before = closed.len();
        let list: Vec<FuncId> = closed.iter().copied().collect();
        for f in list {
            let function = &program.functions[definitions[&f]];
            let Some(body) = function.body else { continue };
            let open = terms.free_symbols(&[body]).iter().any(|s| !function.params.contains(s))
                || terms.post_order(&[body]).into_iter().any(|t| match terms.term(t).op {
                    Op::Apply(g) => match terms.function(g).kind {
                        FuncKind::Uninterpreted => !closed.contains(&g),
                        FuncKind::Builtin(_) | FuncKind::Selector { .. } => true,
                        _ => false,
                    },
                    _ => is_open(terms, t),
                });
            if open {
                closed.remove(&f);
            }
        }
        if closed.len() == before {
            return closed;
        }
    }
}

/// The applications of operators that their arguments may leave open. Those of `native` functions are not, nor is
/// floating-point arithmetic: what it leaves open (the bits of a NaN, integers out of range) programs rarely ask for. If one
/// does, a run on the solver's model goes another way and its arm is lost, which is counted.
pub(super) fn open_operators(terms: &Terms, roots: &[TermId], native: &FxHashSet<FuncId>) -> Vec<TermId> {
    let is_given = |t: TermId| match terms.term(t).op {
        Op::Apply(f) => native.contains(&f) || is_arithmetic(&terms.function(f).kind),
        _ => false,
    };
    terms.post_order(roots).into_iter().filter(|&t| is_open(terms, t) && !is_given(t)).collect()
}

/// Whether a function is one of floating-point arithmetic, but for those that may give either zero.
fn is_arithmetic(kind: &FuncKind) -> bool {
    let FuncKind::Builtin(text) = kind else { return false };
    let text = text.trim_start_matches("(_ ");
    let is_loose = ["fp.min", "fp.max", "fp.rem"].iter().any(|loose| text.starts_with(loose));
    (text.starts_with("fp.") || text.starts_with("to_fp")) && !is_loose
}

/// Whether nothing but functions of the solver's theories (floating point) is left open. What such a run decides on does not
/// depend on what a source says of functions.
pub(super) fn all_are_builtin(terms: &Terms, open: &[TermId]) -> bool {
    open.iter().all(|&t| match terms.term(t).op {
        Op::Apply(f) => matches!(terms.function(f).kind, FuncKind::Builtin(_)),
        _ => false,
    })
}
