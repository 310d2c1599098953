//! A budget for bit-blasting floating-point arithmetic.
//!
//! Z3 decides floating-point arithmetic by translating it to circuits (bit-blasting), while levels are opened and in
//! the middle of checks, and it ignores limits and interrupts meanwhile. One division of doubles takes 280 MB, and a
//! remainder of doubles may not finish. So the operations that a solver holds are limited by the time that checks
//! have, and by [`BUDGET`]; each further operation is replaced by an unconstrained constant.
//!
//! **Example.** If the budget allows ten divisions, then in a formula with eleven `x / y` the result of the eleventh
//! is a fresh constant.
//!
//! **Direction of error.** What is asserted is weaker than what was meant: `Unsat` is right, and a model is only a
//! candidate ([`Circuits::is_exact`]). The costs are rough; operations on literals, which are cheaper, are recognised
//! only if an operand is a literal itself.

use std::time::Duration;

use footpath_term::{FuncKind, Op, Sort, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::ffi::{self, Ast, Context};

/// The limit on the cost of all operations that a solver holds, in kilobytes of Z3's memory.
const BUDGET: u64 = 512 << 10;
/// The cost that is allowed for each second of a check's limit: Z3 builds circuits at a half of this to twice as much
/// per second.
const PER_SECOND: u64 = 300 << 10;
/// Operations that cost less than this are never replaced.
const CHEAP: u64 = 1 << 10;

/// The operations that a solver holds.
pub(super) struct Circuits {
    budget: u64,
    used: u64,
    /// Terms that are asserted at some level, with all their subterms.
    seen: FxHashSet<TermId>,
    /// For each level above the lowest, the terms that were new there, and whether any operation was replaced.
    levels: Vec<Level>,
    lowest: Level,
    /// Assumptions in which operations were replaced.
    weak: FxHashSet<TermId>,
    constants: FxHashMap<TermId, Ast>,
}

#[derive(Default)]
struct Level {
    seen: Vec<TermId>,
    used: u64,
    weakened: bool,
}

impl Default for Circuits {
    fn default() -> Circuits {
        Circuits {
            budget: BUDGET,
            used: 0,
            seen: FxHashSet::default(),
            levels: Vec::new(),
            lowest: Level::default(),
            weak: FxHashSet::default(),
            constants: FxHashMap::default(),
        }
    }
}

impl Circuits {
    /// Sets the budget to what fits in the time limit of checks.
    pub(super) fn set_limit(&mut self, limit: Option<Duration>) {
        let fits = limit.map_or(u128::MAX, |l| l.as_millis() * u128::from(PER_SECOND) / 1000);
        self.budget = fits.min(u128::from(BUDGET)) as u64;
    }

    pub(super) fn push(&mut self) {
        self.levels.push(Level::default());
    }

    pub(super) fn pop(&mut self, levels: u32) {
        for _ in 0..levels {
            let Some(level) = self.levels.pop() else { return };
            self.used -= level.used;
            for t in level.seen {
                self.seen.remove(&t);
            }
        }
    }

    /// Whether no operation was replaced in assertions and in these assumptions.
    pub(super) fn is_exact(&self, assumptions: &[TermId]) -> bool {
        !self.lowest.weakened
            && self.levels.iter().all(|l| !l.weakened)
            && assumptions.iter().all(|t| !self.weak.contains(t))
    }

    /// The expression to assert for `t` at the current level; `ast` is its translation, and `translated` has those of
    /// all its subterms.
    pub(super) fn assertion(
        &mut self,
        ctx: &mut Context,
        terms: &Terms,
        t: TermId,
        ast: Ast,
        translated: impl Fn(TermId) -> Option<Ast>,
    ) -> ffi::Result<Ast> {
        let mut level = self.levels.pop();
        let into = level.as_mut().unwrap_or(&mut self.lowest);
        let mut into = std::mem::take(into);
        let admitted = self.admit(ctx, terms, t, ast, &translated, &mut into);
        match level {
            Some(_) => self.levels.push(into),
            None => self.lowest = into,
        }
        admitted
    }

    /// The expression that defines `t` as an assumption. It is kept whatever the levels are.
    pub(super) fn assumption(
        &mut self,
        ctx: &mut Context,
        terms: &Terms,
        t: TermId,
        ast: Ast,
        translated: impl Fn(TermId) -> Option<Ast>,
    ) -> ffi::Result<Ast> {
        // What a level has seen goes with it, so it cannot be relied on here.
        let above = std::mem::take(&mut self.seen);
        self.seen.extend(&self.lowest.seen);
        let mut into = std::mem::take(&mut self.lowest);
        let weakened = std::mem::replace(&mut into.weakened, false);
        let admitted = self.admit(ctx, terms, t, ast, &translated, &mut into);
        if into.weakened {
            self.weak.insert(t);
        }
        into.weakened = weakened;
        self.lowest = into;
        self.seen.extend(above);
        admitted
    }

    fn admit(
        &mut self,
        ctx: &mut Context,
        terms: &Terms,
        root: TermId,
        ast: Ast,
        translated: &dyn Fn(TermId) -> Option<Ast>,
        level: &mut Level,
    ) -> ffi::Result<Ast> {
        let (mut from, mut to) = (Vec::new(), Vec::new());
        // What is replaced, and what that is in: to be looked at again wherever it is asserted again.
        let mut weakened: FxHashSet<TermId> = FxHashSet::default();
        let mut stack = vec![(root, false)];
        while let Some((t, expanded)) = stack.pop() {
            let term = terms.term(t);
            if !expanded {
                // A constant cannot stand for what depends on a bound variable.
                let opaque = matches!(term.op, Op::Bind(_)) || weakened.contains(&t);
                if !opaque && self.seen.insert(t) {
                    stack.push((t, true));
                    stack.extend(term.args.iter().map(|&a| (a, false)));
                }
                continue;
            }
            let cost = cost(terms, t);
            let within = cost <= CHEAP || self.used + cost <= self.budget;
            if within && term.args.iter().all(|a| !weakened.contains(a)) {
                self.used += cost;
                level.used += cost;
                level.seen.push(t);
                continue;
            }
            self.seen.remove(&t);
            weakened.insert(t);
            if !within && let Some(whole) = translated(t) {
                from.push(whole);
                to.push(self.constant(ctx, t, whole)?);
            }
        }
        if from.is_empty() {
            return Ok(ast);
        }
        level.weakened = true;
        ctx.substitute(ast, &from, &to)
    }

    fn constant(&mut self, ctx: &mut Context, t: TermId, whole: Ast) -> ffi::Result<Ast> {
        if let Some(&known) = self.constants.get(&t) {
            return Ok(known);
        }
        let sort = ctx.sort_of(whole)?;
        let constant = ctx.constant(&format!("result!{}", t.index()), sort)?;
        self.constants.insert(t, constant);
        Ok(constant)
    }
}

/// The cost of the circuit of one operation, in kilobytes; measured with Z3 5.4.
fn cost(terms: &Terms, t: TermId) -> u64 {
    let term = terms.term(t);
    let Op::Apply(f) = &term.op else { return 0 };
    let FuncKind::Builtin(text) = &terms.function(*f).kind else { return 0 };
    let format = |t: TermId| match terms.sort_of(terms.sort(t)) {
        Sort::Float { exponent, significand } => Some((u64::from(*exponent), u64::from(*significand))),
        _ => None,
    };
    let Some((exponent, bits)) = term.args.iter().chain([&t]).filter_map(|&a| format(a)).max() else {
        return 0;
    };
    let constant =
        term.args.iter().any(|&a| matches!(terms.term(a).op, Op::Literal(_)) && format(a).is_some());
    let name = text.trim_start_matches("(_ ").split([' ', ')']).next().unwrap_or_default();
    match name {
        "fp.mul" if constant => 6 * bits * bits,
        "fp.mul" => 20 * bits * bits,
        "fp.fma" => 30 * bits * bits,
        "fp.div" if constant => 25 * bits * bits,
        "fp.div" => 100 * bits * bits,
        "fp.sqrt" => 140 * bits * bits,
        // Its circuit has a step for each difference of exponents.
        "fp.rem" => (bits * bits) << exponent.min(32),
        "fp.add" | "fp.sub" => 200 * bits,
        // Without a rounding mode, bits are only taken for a number or the other way round.
        name if name.starts_with("to_fp") && text.contains(") R") => 200 * bits,
        "fp.to_sbv" | "fp.to_ubv" => 200 * bits,
        _ => 20 * bits,
    }
}
