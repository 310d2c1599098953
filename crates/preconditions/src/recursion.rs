//! Summaries of recursive procedures: least fixpoints over what calls lead to.
//!
//! **Idea.** A call of a recursive procedure leads to one of a few *outcomes*: it fails, or it returns, and where its
//! result is read and can only be one of a few constants, it returns one of them. For each outcome there is a condition
//! over the parameters. All begin with `false`; the next conditions are found with the last ones at the calls, until
//! nothing is added. What never adds up in this way is generalised to a closed form, which is proved by induction
//! (`closed_forms.rs`). First the conditions of returning are found, and then, with these, the condition of failing.
//!
//! Example: `int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }` and `int odd(unsigned n) { return n == 0 ? 0 :
//! even(n - 1); }` have the outcomes 0 and 1 each. `even` returns 1 if `n == 0`, then if `n == 0 || n == 2`, and so on;
//! the closed form is `n % 2 == 0`. So `assert(even(n))` fails if `n % 2 != 0`.
//!
//! Which constants a result may be is guessed without regard to the order of statements: the constants that are assigned
//! to a variable, those of variables that are assigned to it, and what expressions make of them, up to a limit. In the
//! end it is proved that no other value is returned.
//!
//! **Paper.** "Dynamic Program Analysis with Partial Execution and Summary" (Feng, CHESS, UC Berkeley, 2007) has no
//! calls. Outcomes with values are the summaries of "Precise interprocedural dataflow analysis via graph
//! reachability" (Reps, Horwitz, Sagiv, POPL 1995) with a condition on each edge.
//!
//! **Direction of error.** None: the conditions count only if all explorations are complete and the fixpoint is
//! proved. Procedures that change globals that are read, or whose results depend on arbitrary values or are not a few
//! constants, have no such summary.

use footpath_ir::{
    Block, BlockId, Body, Origin, Place, ProcId, Program, StatementKind, Terminator, TerminatorKind, Variable,
};
use footpath_simplify::Dnf;
use footpath_term::{Op, Substitution, SymbolId, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::callees::{Frame, Work};
use crate::closed_forms::{self, Steps};
use crate::int_questions;
use crate::partition::Goal;
use crate::result::Error;
use crate::tools::Tools;

/// The most constants that are tried for a result.
const MOST_VALUES: usize = 4;

/// One way in which a call of a procedure ends, and the condition of it.
#[derive(Clone)]
struct Outcome {
    procedure: ProcId,
    goal: Goal,
    condition: Dnf,
}

impl Work<'_> {
    /// Summarises procedures that call each other, if that is possible.
    pub(crate) fn recursion(&mut self, group: &[ProcId]) -> Result<bool, Error> {
        let found = self.recursive(group);
        if !matches!(found, Ok(true)) {
            for p in group {
                self.standins.0.remove(p);
            }
        }
        found
    }

    fn recursive(&mut self, group: &[ProcId]) -> Result<bool, Error> {
        let none = |goal| move |&procedure: &ProcId| Outcome { procedure, goal, condition: Dnf::never() };
        let never: Vec<Outcome> = group.iter().map(none(Goal::Returns)).collect();
        // What comes after a call counts, too.
        let always = vec![Dnf::always(); never.len()];
        self.assume(group, &[], &with_conditions(&never, &always));
        let program = self.tools().program;
        let globals = program.globals.iter().map(|g| g.variable.symbol);
        let globals: FxHashSet<SymbolId> = globals.filter(|s| self.graph.reads(*s)).collect();
        let mut is_effectless = true;
        for &p in group {
            let body = self.cut(p, Goal::Fails);
            if body.bounded.is_some() || !self.effect_on(&body, &globals).is_empty() {
                return Ok(false);
            }
            is_effectless &= self.effect(p, &body).is_empty();
        }
        let returns = if is_effectless {
            never
        } else {
            let Some(values) = self.values(group) else { return Ok(false) };
            values
        };
        let Some(returns) = self.fixpoint(group, returns, &[])? else { return Ok(false) };
        if !is_effectless && !self.only_returns_values(group, &returns)? {
            return Ok(false);
        }
        let fails = group.iter().map(none(Goal::Fails)).collect();
        let Some(fails) = self.fixpoint(group, fails, &returns)? else { return Ok(false) };
        self.assume(group, &fails, &returns);
        Ok(true)
    }

    /// The outcomes of returning with each value that a result may be; `None` if these are no constants.
    fn values(&mut self, group: &[ProcId]) -> Option<Vec<Outcome>> {
        let Tools { program, terms, .. } = self.tools();
        let constants = Constants::of(program, terms, group)?;
        let mut outcomes = Vec::new();
        for &procedure in group {
            let result = result(program, procedure)?;
            for &value in constants.values.get(&result).into_iter().flatten() {
                let goal = Goal::ReturnsWith(result, value);
                outcomes.push(Outcome { procedure, goal, condition: Dnf::never() });
            }
        }
        Some(outcomes)
    }

    /// Whether the results of procedures depend on nothing arbitrary, and are no other values.
    fn only_returns_values(&mut self, group: &[ProcId], returns: &[Outcome]) -> Result<bool, Error> {
        self.assume(group, &[], returns);
        for &p in group {
            let program = self.tools().program;
            let body = self.cut(p, Goal::Fails);
            let results: FxHashSet<SymbolId> =
                program[p].bodies[0].results.iter().map(|v| v.symbol).collect();
            if self.effect_on(&body, &results).arbitrary {
                return Ok(false);
            }
            // A run with these inputs returns one value. If it returns another one, none of the conditions holds.
            let body = self.cut(p, Goal::Returns);
            let (any, exact) = self.solve(p, body, None)?;
            let terms = &mut self.tools().terms;
            let known: Vec<TermId> =
                returns.iter().filter(|o| o.procedure == p).map(|o| o.condition.term(terms)).collect();
            let (any, known) = (any.term(terms), terms.app(Op::Or, known));
            if !exact || !int_questions::implies(self.tools(), &[any], known) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Uses these conditions for calls within a group.
    fn assume(&mut self, group: &[ProcId], fails: &[Outcome], returns: &[Outcome]) {
        for &p in group {
            let body = self.tools().program[p].bodies[0].clone();
            let of = |all: &[Outcome]| -> Vec<Outcome> {
                all.iter().filter(|o| o.procedure == p).cloned().collect()
            };
            let fails = of(fails).pop().map_or_else(Dnf::never, |o| o.condition);
            let returns =
                of(returns).into_iter().map(|o| (o.condition, returning(p, &body, o.goal))).collect();
            let frame = Frame { olds: Vec::new(), body };
            let standin = self.standin(p, &frame, &fails, returns, true);
            self.standins.0.insert(p, standin);
        }
    }

    /// The least fixpoint of the conditions of outcomes, where the same conditions are used at calls; `None` if it is not
    /// found. `returns` is needed for [`Goal::Fails`].
    fn fixpoint(
        &mut self,
        group: &[ProcId],
        outcomes: Vec<Outcome>,
        returns: &[Outcome],
    ) -> Result<Option<Vec<Outcome>>, Error> {
        let mut now = outcomes;
        let mut sequence: Vec<Vec<Dnf>> = Vec::new();
        for round in 1..=self.tools().options.rounds {
            let Some(after) = self.round(group, &now, returns, None)? else { return Ok(None) };
            let mut same = true;
            for (before, after) in now.iter().zip(&after) {
                let terms = &mut self.tools().terms;
                let (a, b) = (before.condition.term(terms), after.condition.term(terms));
                same = same && int_questions::equivalent(self.tools(), a, b);
            }
            if same {
                return Ok(Some(now));
            }
            sequence.push(after.iter().map(|o| o.condition.clone()).collect());
            now = after;
            if self.tools().options.closed_forms && closed_forms::worth_trying(round) {
                let mut step = Recursion { work: self, group, outcomes: &now, returns };
                if let Some(limit) = closed_forms::closed_form(&mut step, &sequence)? {
                    return Ok(Some(with_conditions(&now, &limit.conditions)));
                }
            }
        }
        Ok(None)
    }

    /// One step of the fixpoint, for one more level of calls; `None` if something was left open.
    fn round(
        &mut self,
        group: &[ProcId],
        now: &[Outcome],
        returns: &[Outcome],
        extra: Option<SymbolId>,
    ) -> Result<Option<Vec<Outcome>>, Error> {
        match now.first() {
            Some(Outcome { goal: Goal::Fails, .. }) => self.assume(group, now, returns),
            _ => self.assume(group, &[], now),
        }
        let mut after = Vec::new();
        for outcome in now {
            let mut body = self.cut(outcome.procedure, outcome.goal);
            let span = body.body.span;
            body.body.locals.extend(extra.map(|s| Variable::new(s, span)));
            let (condition, exact) = self.solve(outcome.procedure, body, extra)?;
            if !exact {
                return Ok(None);
            }
            after.push(Outcome { condition, ..outcome.clone() });
        }
        Ok(Some(after))
    }
}

fn with_conditions(outcomes: &[Outcome], conditions: &[Dnf]) -> Vec<Outcome> {
    let both = outcomes.iter().zip(conditions);
    both.map(|(o, condition)| Outcome { condition: condition.clone(), ..o.clone() }).collect()
}

/// Blocks that do what an outcome says of the result, and return.
fn returning(procedure: ProcId, body: &Body, goal: Goal) -> Vec<Block> {
    let block = |kind, name: &str| Block {
        name: name.into(),
        statements: Vec::new(),
        terminator: Terminator { kind, span: body.span },
        span: body.span,
        origin: Origin { procedure, body: 0, place: Place::Exit },
    };
    let mut entry = block(TerminatorKind::Goto(vec![BlockId(1)]), "entry");
    if let Goal::ReturnsWith(result, value) = goal {
        let assigned = StatementKind::Assign(vec![(result, value)]);
        entry.statements.push(footpath_ir::Statement::new(assigned, body.span));
    }
    vec![entry, block(TerminatorKind::Return, "exit")]
}

/// The only result of a procedure.
fn result(program: &Program, procedure: ProcId) -> Option<SymbolId> {
    match program[procedure].bodies[0].results.as_slice() {
        [one] => Some(one.symbol),
        _ => None,
    }
}

/// Constants that variables of procedures may be.
struct Constants {
    values: FxHashMap<SymbolId, Vec<TermId>>,
}

impl Constants {
    /// `None` if a result depends on something else.
    fn of(program: &Program, terms: &mut Terms, group: &[ProcId]) -> Option<Constants> {
        let mut found = Constants { values: FxHashMap::default() };
        let mut wanted: Vec<SymbolId> = Vec::new();
        for &p in group {
            wanted.push(result(program, p)?);
        }
        let assigned = Assigned::of(program, terms, group);
        // The variables that results depend on.
        let mut at = 0;
        while let Some(&variable) = wanted.get(at) {
            at += 1;
            for &value in assigned.values.get(&variable)? {
                for s in terms.free_symbols(&[value]) {
                    if !wanted.contains(&s) {
                        wanted.push(s);
                    }
                }
            }
        }
        if wanted.iter().any(|s| assigned.arbitrary.contains(s)) {
            return None;
        }
        loop {
            let mut changed = false;
            for &variable in &wanted {
                for &value in &assigned.values[&variable] {
                    changed |= found.add(terms, variable, value)?;
                }
            }
            if !changed {
                return Some(found);
            }
        }
    }

    /// Adds what an expression can be to a variable; returns whether that was new. `None` if it is no constant.
    fn add(&mut self, terms: &mut Terms, variable: SymbolId, value: TermId) -> Option<bool> {
        let mut instances = vec![value];
        for s in terms.free_symbols(&[value]) {
            let constants = self.values.get(&s).cloned().unwrap_or_default();
            let mut next = Vec::new();
            for &instance in &instances {
                for &constant in &constants {
                    next.push(terms.substitute(instance, &Substitution::from_iter([(s, constant)])));
                }
            }
            next.truncate(MOST_VALUES * MOST_VALUES);
            instances = next;
        }
        let mut is_new = false;
        for instance in instances {
            let constant = terms.simplify(instance);
            terms.literal(constant)?;
            let known = self.values.entry(variable).or_default();
            if known.len() < MOST_VALUES && !known.contains(&constant) {
                known.push(constant);
                is_new = true;
            }
        }
        Some(is_new)
    }
}

/// What is assigned to the variables of procedures that call each other.
struct Assigned {
    values: FxHashMap<SymbolId, Vec<TermId>>,
    /// The variables that are something else, too.
    arbitrary: FxHashSet<SymbolId>,
}

impl Assigned {
    fn of(program: &Program, terms: &mut Terms, group: &[ProcId]) -> Assigned {
        let mut found = Assigned { values: FxHashMap::default(), arbitrary: FxHashSet::default() };
        for &p in group {
            let body = &program[p].bodies[0];
            found.arbitrary.extend(body.params.iter().map(|v| v.symbol));
            for statement in body.blocks.iter().flat_map(|b| &b.statements) {
                match &statement.kind {
                    StatementKind::Assign(pairs) => {
                        pairs.iter().for_each(|&(s, value)| found.add(terms, s, value));
                    }
                    StatementKind::Call { callee, results, .. } if group.contains(callee) => {
                        for (variable, from) in results.iter().zip(&program[*callee].bodies[0].results) {
                            let value = terms.var(from.symbol);
                            variable.iter().for_each(|&s| found.add(terms, s, value));
                        }
                    }
                    other => found.arbitrary.extend(other.sets()),
                }
            }
        }
        found
    }

    /// Each arm of a choice is a value of its own.
    fn add(&mut self, terms: &Terms, variable: SymbolId, value: TermId) {
        let term = terms.term(value);
        if term.op == Op::Ite {
            self.add(terms, variable, term.args[1]);
            self.add(terms, variable, term.args[2]);
        } else {
            self.values.entry(variable).or_default().push(value);
        }
    }
}

/// Procedures that call each other as a sequence of conditions.
struct Recursion<'w, 'a> {
    work: &'w mut Work<'a>,
    group: &'w [ProcId],
    outcomes: &'w [Outcome],
    returns: &'w [Outcome],
}

impl<'a> Steps<'a> for Recursion<'_, 'a> {
    fn tools(&mut self) -> &mut Tools<'a> {
        self.work.tools()
    }

    fn step(&mut self, behind: &[Dnf], round: SymbolId) -> Result<Option<Vec<Dnf>>, Error> {
        let now = with_conditions(self.outcomes, behind);
        let after = self.work.round(self.group, &now, self.returns, Some(round))?;
        Ok(after.map(|after| after.into_iter().map(|o| o.condition).collect()))
    }

    fn keeps_rounds(&self) -> bool {
        false
    }
}
