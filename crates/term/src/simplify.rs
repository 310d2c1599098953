//! Term rewriting: the simplifier, a set of rules that is applied whenever a term is built.
//!
//! **Idea.** It is a smart constructor: [`Terms::app`] builds `op(args)` from arguments that are simplified already
//! and applies the rules of the operator's family until none matches. Terms made this way are in a normal form that
//! handles what real programs produce in large numbers (constant branches, repeated conditions, pointer arithmetic
//! with constants, reads of what was just written) and leaves the rest to the solver. Every rule looks at most a few
//! levels down, so that building is cheap in the hot path of symbolic execution.
//!
//! **Example.** `ite(x < x, 1, 2) + y - 2` is built bottom-up: `x < x` becomes `false`, the `ite` becomes 2, and the
//! sum becomes `y`.
//!
//! **Rules** are described at the head of the file of each family:
//!
//! | family | file |
//! |---|---|
//! | connectives, `ite` | `bool.rs` |
//! | equality, `distinct` | `equality.rs` |
//! | sums, products, comparison, division | `arith.rs`, on the linear forms of `linear.rs` |
//! | bit-vectors | `bitvec.rs`, `slices.rs` |
//! | maps, datatypes, binders | `map.rs` |
//!
//! **Direction of error.** None: each rule is an equivalence under every interpretation, whatever the model makes of
//! division by zero or of a selector at the wrong constructor. Effort limits (how many summands are merged, how many
//! stores a read looks through, how deep rules may call each other) only decide how much is simplified.
//! [`Terms::simplify`] of a simplified term is the same term unless such a limit was reached.

mod arith;
mod bitvec;
mod bool;
mod equality;
pub(crate) mod linear;
mod map;
mod slices;

use rustc_hash::FxHashMap;

use crate::eval::evaluate_op;
use crate::{Args, Op, Sort, SortId, TermId, Terms, Value};

/// How deep rules may call each other before a term is built as it is. This bounds the stack.
const MAX_DEPTH: u32 = 40;

impl Terms {
    /// The term `op(args)`, simplified; the arguments must be simplified already.
    pub fn app(&mut self, op: Op, args: impl IntoIterator<Item = TermId>) -> TermId {
        let args: Args = args.into_iter().collect();
        Rewrite { t: self, depth: 0 }.app(op, args)
    }

    /// The term `op(args)` of sort `sort`, simplified.
    pub fn app_sorted(&mut self, op: Op, args: Args, sort: SortId) -> TermId {
        Rewrite { t: self, depth: 0 }.app_sorted(op, args, sort)
    }

    /// The term, simplified from its leaves up.
    pub fn simplify(&mut self, root: TermId) -> TermId {
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        for t in self.post_order(&[root]) {
            let term = self.term(t);
            if term.args.is_empty() && matches!(term.op, Op::Literal(_) | Op::Var(_)) {
                done.insert(t, t);
                continue;
            }
            let (op, sort) = (term.op.clone(), term.sort);
            let args: Args = term.args.iter().map(|a| done[a]).collect();
            let new = self.app_sorted(op, args, sort);
            done.insert(t, new);
        }
        done[&root]
    }
}

/// One application of the rules.
struct Rewrite<'t> {
    t: &'t mut Terms,
    depth: u32,
}

impl Rewrite<'_> {
    fn app(&mut self, op: Op, args: Args) -> TermId {
        let sort = self.sort_of_app(&op, &args);
        self.app_sorted(op, args, sort)
    }

    fn app1(&mut self, op: Op, a: TermId) -> TermId {
        self.app(op, Args::from_slice(&[a]))
    }

    fn app2(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        self.app(op, Args::from_slice(&[a, b]))
    }

    fn app_sorted(&mut self, op: Op, args: Args, sort: SortId) -> TermId {
        if self.depth >= MAX_DEPTH {
            return self.t.mk(op, args, sort);
        }
        self.depth += 1;
        let result = self.rewrite(op, args, sort);
        self.depth -= 1;
        result
    }

    /// [`Terms::result_sort`], without copying the sort of an ordinary map.
    fn sort_of_app(&mut self, op: &Op, args: &[TermId]) -> SortId {
        if let Op::Select = op
            && let Sort::Map { params: 0, range, .. } = self.t.sort_of(self.t.sort(args[0]))
        {
            return *range;
        }
        self.t.result_sort(op, args)
    }

    fn rewrite(&mut self, op: Op, args: Args, sort: SortId) -> TermId {
        match op {
            Op::Literal(_) | Op::Var(_) | Op::Subtype => self.t.mk(op, args, sort),
            Op::Not => self.not(args[0]),
            Op::And => self.and_or(&args, true),
            Op::Or => self.and_or(&args, false),
            Op::Implies => self.implies(args),
            Op::Ite => self.ite(args[0], args[1], args[2]),
            Op::Eq => self.equal(args),
            Op::Distinct => self.distinct(args),
            Op::Select | Op::Store | Op::ConstMap => self.map_op(op, args, sort),
            Op::Apply(f) => self.apply(f, args, sort),
            Op::Bind(b) => self.binder(b, args, sort),
            Op::Neg
            | Op::Add
            | Op::Sub
            | Op::Mul
            | Op::IntDiv
            | Op::Mod
            | Op::RealDiv
            | Op::Pow
            | Op::Le
            | Op::Lt
            | Op::Ge
            | Op::Gt
            | Op::ToReal
            | Op::ToInt => match self.fold(&op, &args, sort) {
                Some(literal) => literal,
                None => self.arith(op, args, sort),
            },
            _ => match self.fold(&op, &args, sort) {
                Some(literal) => literal,
                None => self.bit_vec_op(op, args, sort),
            },
        }
    }

    /// The value of an operator on literals, where they determine it.
    fn fold(&mut self, op: &Op, args: &[TermId], sort: SortId) -> Option<TermId> {
        if !args.iter().all(|&a| self.is_literal(a)) {
            return None;
        }
        let values: smallvec::SmallVec<[Value; 3]> =
            args.iter().filter_map(|&a| self.t.literal(a).cloned()).collect();
        let value = evaluate_op(self.t, op, &values, sort)?;
        Some(self.t.value(&value))
    }

    /// A binary operator on an `ite` between literals and a literal becomes an `ite` between literals, which
    /// on booleans is the condition or its negation: `ite(c, 1, 0) = 0` is `¬c`.
    fn lift_literal_ite(&mut self, op: &Op, args: &[TermId], sort: SortId) -> Option<TermId> {
        let position = match args {
            [_] => 0,
            [_, b] if self.is_literal(*b) => 0,
            [a, _] if self.is_literal(*a) => 1,
            _ => return None,
        };
        let [c, yes, no] = self.as_ite(args[position])?;
        if !self.is_literal(yes) || !self.is_literal(no) {
            return None;
        }
        let mut with = Args::from_slice(args);
        with[position] = yes;
        let yes = self.fold(op, &with, sort)?;
        with[position] = no;
        let no = self.fold(op, &with, sort)?;
        Some(self.app_sorted(Op::Ite, Args::from_slice(&[c, yes, no]), sort))
    }

    // ---- looking at terms ----

    fn op(&self, t: TermId) -> &Op {
        &self.t.term(t).op
    }

    fn is_literal(&self, t: TermId) -> bool {
        matches!(self.op(t), Op::Literal(_))
    }

    fn as_ite(&self, t: TermId) -> Option<[TermId; 3]> {
        let term = self.t.term(t);
        match term.op {
            Op::Ite => Some([term.args[0], term.args[1], term.args[2]]),
            _ => None,
        }
    }

    /// The arguments of a term with two arguments and the given head.
    fn as_binary(&self, t: TermId, op: &Op) -> Option<[TermId; 2]> {
        let term = self.t.term(t);
        (term.op == *op && term.args.len() == 2).then(|| [term.args[0], term.args[1]])
    }

    fn as_not(&self, t: TermId) -> Option<TermId> {
        let term = self.t.term(t);
        matches!(term.op, Op::Not).then(|| term.args[0])
    }
}
