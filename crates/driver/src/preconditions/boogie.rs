//! Precondition inference for procedures of Boogie.

use std::sync::atomic::AtomicBool;

use footpath_ir::print::print_expr_in;
use footpath_ir::{ProcId, Program};
use footpath_preconditions::{Classes, Error, Options, Test, analyse};
use footpath_simplify::{Dialect, Printed, order};
use footpath_term::{Op, Sort, TermId, Terms, Value};

use super::{AsPrinted, FunctionFailures, arrange};

/// Under which inputs body number `body` of a procedure fails.
///
/// # Errors
/// If the solver cannot be used, or if one of our own invariants broke.
pub fn procedure(
    program: &Program,
    id: ProcId,
    body: u32,
    options: &Options,
    stop: &AtomicBool,
) -> Result<FunctionFailures, Error> {
    let mut found = analyse(program, id, body, options, Classes::PLAIN, stop)?;
    let dialect = Boogie { program };
    let order = order(&found.terms, &found.condition, &dialect);
    arrange(&mut found, &order);
    let source = &program[id].bodies[body as usize];
    let literals: Vec<TermId> = found.condition.cubes.iter().flatten().copied().collect();
    let mentioned = found.terms.free_symbols(&literals);
    let inputs = |test: &Test| {
        let globals = program.globals.iter().map(|g| g.variable.symbol);
        let constants = program.constants.iter().map(|c| c.symbol);
        // Of what is not a parameter, only what the condition speaks of says something.
        let others = globals.chain(constants).filter(|s| mentioned.contains(s));
        let all = source.params.iter().map(|v| v.symbol).chain(others);
        let value = |symbol| {
            let value: &Value = test.script.entries.get(&(0, symbol))?;
            Some((program.terms.symbol(symbol).name.to_string(), value.to_string()))
        };
        all.filter_map(value).collect()
    };
    Ok(FunctionFailures::of(&program[id].name, source.span, program, &found, &AsPrinted(&dialect), &inputs))
}

/// Boogie's notation.
struct Boogie<'a> {
    program: &'a Program,
}

impl Dialect for Boogie<'_> {
    fn term(&self, terms: &Terms, t: TermId, inner: &dyn Fn(TermId) -> Printed) -> Option<Printed> {
        let term = terms.term(t);
        match &term.op {
            Op::Bind(_) | Op::Store | Op::ConstMap | Op::Concat | Op::Extract(..) | Op::Subtype => {
                Some(Printed::new(print_expr_in(self.program, terms, t), 1))
            }
            Op::ToReal | Op::ToInt => Some(Printed::atom(print_expr_in(self.program, terms, t))),
            Op::Ite => {
                let [c, a, b] = [0, 1, 2].map(|i| inner(term.args[i]).text);
                Some(Printed::new(format!("if {c} then {a} else {b}"), 0))
            }
            _ => None,
        }
    }

    /// For bit-vectors, which are numbers of no sign, floats and texts Boogie has functions that programs declare.
    fn whole(&self, terms: &Terms, literal: TermId) -> Option<Printed> {
        use Sort::{BitVec, Float, RegEx, RoundingMode, String};
        let has_functions = |t: &TermId| {
            let sort = terms.sort_of(terms.sort(*t));
            matches!(sort, BitVec(_) | Float { .. } | RoundingMode | String | RegEx)
        };
        if !terms.post_order(&[literal]).iter().any(has_functions) {
            return None;
        }
        let text = print_expr_in(self.program, terms, literal);
        let is_joined = matches!(terms.term(literal).op, Op::And | Op::Or | Op::Implies | Op::Ite);
        Some(Printed::new(text, if is_joined { 0 } else { 4 }))
    }

    fn remainder(&self) -> &'static str {
        "mod"
    }

    fn quotient(&self) -> &'static str {
        "div"
    }
}
