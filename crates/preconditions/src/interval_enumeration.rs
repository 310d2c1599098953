//! Interval enumeration: runs whose branches only depend on ranges of inputs are followed to their ends, without a
//! solver.
//!
//! **Idea.** In `for (i = 0; i < n; i++) s += i;` everything except n has a known value in each iteration, and the
//! loop condition is a range of n. Such runs need neither a solver nor a closed form: a run is followed with a set of
//! values for each input, and is split where a condition splits the set (`piecewise_linear.rs`). One part usually
//! ends soon, so tens of thousands of iterations take as many steps. If all runs are followed to their ends, the sets
//! with which they fail are the answer, and it is exact.
//!
//! Example: with `assert(s < 1000)` after that loop, n is split at 1, 2, 3, … into the part that leaves the loop and
//! the part that stays; the first part that fails is n = 46, where s is 1035.
//!
//! Recursion is followed to a limited depth; what is left over is the set O of values with which it goes deeper. If
//! the sets F with which a procedure was seen to fail and O together are a set H of one of its parameters, O is
//! proved to fail by induction: followed from O, every run fails or calls the procedure with a value of H that is
//! nearer to the end of O, by a constant. It fails in the end, as O has values in one direction for finitely many
//! steps only.
//!
//! **Direction of error.** None: if a condition is about something else, or the limit on steps is exceeded, there is
//! no answer. Stack overflow is left out.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use footpath_ir::{
    Block, BlockId, Body, Origin, Place, ProcId, Program, Statement, StatementKind, Terminator,
    TerminatorKind,
};
use footpath_simplify::{Bound, Dnf, Form, Relation};
use footpath_term::{SymbolId, TermId, Terms};
use footpath_transform::Standins;
use footpath_transform::inline::Standin;
use footpath_transform::prepare::Role;
use footpath_transform::state::State;

use crate::Classes;
use crate::options::Options;
use crate::partition::{Goal, cut};
use crate::piecewise_linear::{Interval, Lines, Set, both, union, without};
use crate::result::Error;
use crate::tools::Tools;

/// How deep calls are followed.
const DEPTH: u32 = 32;
/// How many blocks are entered, in all.
const STEPS: u64 = 4_000_000;
/// Between so many of them it is looked at the clock.
const PAUSE: u64 = 1_024;
/// How many combinations of intervals the answer has.
const MAX_CUBES: usize = 24;

/// The values of inputs with which runs fail: combinations of one set for each input, which together are all failing
/// inputs.
pub(crate) struct Cases {
    inputs: Vec<SymbolId>,
    fails: Vec<Vec<Set>>,
    /// How many paths were followed, and how many of these failed.
    pub(crate) paths: u64,
    pub(crate) failing: u64,
}

/// The values of the inputs for which `root` fails, if all its runs can be followed in the time and the answer is
/// short.
pub(crate) fn cases(
    program: &Program,
    root: (ProcId, u32),
    options: &Options,
    classes: Classes<'_>,
    time: Option<Duration>,
    stop: &AtomicBool,
) -> Result<Option<Cases>, Error> {
    let options = Options { recursion: DEPTH, time, ..options.clone() };
    let tools = Tools::new(program, &options, stop)?;
    let mut search = Search { tools, classes, steps: STEPS };
    Ok(search.settle(program, root).filter(|cases| cases.size() <= MAX_CUBES))
}

impl Cases {
    /// The number of combinations of intervals.
    fn size(&self) -> usize {
        let combinations = |sets: &Vec<Set>| sets.iter().map(Vec::len).fold(1, usize::saturating_mul);
        self.fails.iter().map(combinations).fold(0, usize::saturating_add)
    }

    /// As a condition over the inputs.
    pub(crate) fn condition(&self, terms: &mut Terms) -> Dnf {
        let mut found = Dnf::never();
        for sets in &self.fails {
            let mut cubes = vec![Vec::new()];
            for (&input, set) in self.inputs.iter().zip(sets) {
                let alternatives = bounds(terms, input, set);
                let with = |cube: &Vec<TermId>| {
                    let cube = cube.clone();
                    alternatives.iter().map(move |more| [cube.clone(), more.clone()].concat())
                };
                cubes = cubes.iter().flat_map(with).collect();
            }
            found.cubes.extend(cubes);
        }
        found
    }
}

/// The conditions that an input is in an interval of a set, one for each interval. The input is read as unsigned if
/// there are fewer intervals then.
fn bounds(terms: &mut Terms, input: SymbolId, set: &Set) -> Vec<Vec<TermId>> {
    let x = terms.var(input);
    let width = terms.width(terms.sort(x)).expect("inputs are machine integers");
    let half = 1i128 << (width - 1);
    let negative = both(set, &vec![(-half, -1)]);
    let shifted = negative.into_iter().map(|(low, high)| (low + 2 * half, high + 2 * half)).collect();
    let unsigned = union(both(set, &vec![(0, half - 1)]), shifted);
    let (form, set, (least, most)) = if unsigned.len() < set.len() {
        (Form::Unsigned(x), &unsigned, (0, 2 * half - 1))
    } else {
        (Form::Signed(x), set, (-half, half - 1))
    };
    let mut bound =
        |relation, value: i128| Bound { form: form.clone(), relation, value: value.into() }.build(terms);
    let mut literals = |&(low, high): &Interval| match (low == least, high == most) {
        _ if low == high => vec![bound(Relation::Equal, low)],
        (true, true) => Vec::new(),
        (true, false) => vec![bound(Relation::AtMost, high)],
        (false, true) => vec![bound(Relation::AtLeast, low)],
        (false, false) => vec![bound(Relation::AtLeast, low), bound(Relation::AtMost, high)],
    };
    set.iter().map(&mut literals).collect()
}

/// A run that is being followed, which stands for all values in its sets.
#[derive(Clone)]
struct Run {
    block: BlockId,
    state: State,
    /// The set of values of each input.
    sets: Vec<Set>,
}

/// The results of following all runs of a body.
struct Followed {
    inputs: Vec<SymbolId>,
    fails: Vec<Vec<Set>>,
    /// Runs that go deeper than calls are followed.
    deeper: Vec<Run>,
    /// How many runs neither fail nor go deeper.
    passes: u64,
}

/// A recursive call: its replacement records the arguments that are numbers.
struct Again {
    procedure: ProcId,
    /// Its parameters, each with the variable that records it.
    arguments: Vec<(SymbolId, SymbolId)>,
}

struct Search<'a, 'c> {
    tools: Tools<'a>,
    classes: Classes<'c>,
    /// How many blocks may still be entered.
    steps: u64,
}

impl Search<'_, '_> {
    fn settle(&mut self, program: &Program, root: (ProcId, u32)) -> Option<Cases> {
        let mut whole = self.follow(root, Role::Root, None, None)?;
        let failing = whole.fails.len() as u64;
        let paths = failing + whole.passes;
        let deeper = std::mem::take(&mut whole.deeper);
        if !deeper.is_empty() {
            let open = joined(deeper.into_iter().map(|run| run.sets).collect());
            self.fails_deeper(program, root, &open)?;
            whole.fails.extend(open);
        }
        Some(Cases { inputs: whole.inputs, fails: joined(whole.fails), paths, failing })
    }

    /// Whether runs from the sets `open`, which make more calls than are followed, fail.
    fn fails_deeper(&mut self, program: &Program, root: (ProcId, u32), open: &[Vec<Set>]) -> Option<()> {
        let &[procedure] = recursive_below(program, root.0).as_slice() else { return None };
        if program[procedure].bodies.len() != 1 {
            return None;
        }
        let own = self.follow((procedure, 0), Role::Callee, None, None)?;
        let deeper = joined(own.deeper.into_iter().map(|run| run.sets).collect());
        let [deep] = deeper.as_slice() else { return None };
        // The one parameter on which it depends, and all for which it fails.
        let full: Vec<Set> = own.inputs.iter().map(|&s| vec![all(&self.tools.terms, s)]).collect();
        let at = (0..full.len()).find(|&i| deep[i] != full[i])?;
        let mut failing: Set = deep[at].clone();
        let only = |sets: &Vec<Set>| (0..full.len()).all(|i| i == at || sets[i] == full[i]);
        for sets in own.fails.iter().chain([deep]) {
            if !only(sets) {
                return None;
            }
            failing = union(failing, sets[at].clone());
        }
        let &[range] = deep[at].as_slice() else { return None };
        self.all_fail((procedure, 0), Role::Callee, deep, procedure, (at, &failing), Some((at, range)))?;
        if root.0 == procedure {
            return Some(());
        }
        open.iter()
            .try_for_each(|sets| self.all_fail(root, Role::Root, sets, procedure, (at, &failing), None))
    }

    /// Whether every run of a body from the given values fails at once or in a call of `procedure` whose argument
    /// number `at` has a failing value. For a recursive call, that value must be nearer to the end of its range.
    fn all_fail(
        &mut self,
        body: (ProcId, u32),
        role: Role,
        from: &[Set],
        procedure: ProcId,
        (at, failing): (usize, &Set),
        within: Option<(usize, Interval)>,
    ) -> Option<()> {
        let again = Again::of(&mut self.tools, procedure);
        let followed = self.follow(body, role, Some(from), Some(&again))?;
        if followed.passes > 0 {
            return None;
        }
        for run in followed.deeper {
            let terms = &mut self.tools.terms;
            let argument = run.state.get(terms, again.arguments[at].1);
            let free = terms.free_symbols(&[argument]);
            let input = match free.as_slice() {
                &[input] => followed.inputs.iter().position(|s| *s == input)?,
                _ => return None,
            };
            let lines = Lines { terms, input: free[0] };
            for &over in &run.sets[input] {
                for piece in lines.value(argument, over)? {
                    let ends = [piece.over.0, piece.over.1].map(|x| piece.a * x + piece.b);
                    let image = (ends[0].min(ends[1]), ends[0].max(ends[1]));
                    let fails = failing.iter().any(|f| f.0 <= image.0 && image.1 <= f.1);
                    let nearer = within.is_none_or(|(own, (low, high))| {
                        let (least, most) = all(terms, free[0]);
                        let leaves = (piece.b < 0 && high == most && low > least)
                            || (piece.b > 0 && low == least && high < most);
                        input == own && piece.a == 1 && leaves
                    });
                    if !(fails && nearer) {
                        return None;
                    }
                }
            }
        }
        Some(())
    }

    /// Follows all runs of a body, from all or some values of its inputs. Calls of one procedure may be replaced
    /// instead of followed.
    fn follow(
        &mut self,
        root: (ProcId, u32),
        role: Role,
        from: Option<&[Set]>,
        again: Option<&Again>,
    ) -> Option<Followed> {
        let mut standins = Standins::default();
        if let Some(again) = again {
            let body = again.standin(&mut self.tools);
            standins.0.insert(again.procedure, Standin { body, recursive: true, open_calls: Vec::new() });
        }
        let body = cut(&mut self.tools, root, role, Goal::Fails, self.classes, &standins).body;
        let inputs: Vec<SymbolId> = self.tools.program[root.0].bodies[root.1 as usize]
            .params
            .iter()
            .map(|v| v.symbol)
            .filter(|s| is_number(&self.tools.terms, *s))
            .collect();
        let sets = match from {
            Some(from) => from.to_vec(),
            None => inputs.iter().map(|&s| vec![all(&self.tools.terms, s)]).collect(),
        };
        let mut followed = Followed { inputs, fails: Vec::new(), deeper: Vec::new(), passes: 0 };
        let mut open = vec![Run { block: Body::ENTRY, state: State::default(), sets }];
        while let Some(run) = open.pop() {
            self.steps = self.steps.checked_sub(1)?;
            if self.steps.is_multiple_of(PAUSE) && self.tools.is_late() {
                return None;
            }
            self.step(&body, run, &mut followed, &mut open)?;
        }
        Some(followed)
    }

    /// Executes a block.
    fn step(&mut self, body: &Body, mut run: Run, to: &mut Followed, open: &mut Vec<Run>) -> Option<()> {
        let block = &body[run.block];
        for statement in &block.statements {
            if let Some(condition) = run.state.execute(&mut self.tools.terms, statement, &mut Vec::new()) {
                let [holds, _] = self.divided(&to.inputs, run, condition)?;
                match holds {
                    Some(on) => run = on,
                    None => {
                        // It blocks, which is no failure.
                        to.passes += 1;
                        return Some(());
                    }
                }
            }
        }
        match &block.terminator.kind {
            TerminatorKind::Fail => to.fails.push(run.sets),
            TerminatorKind::Return => to.passes += 1,
            TerminatorKind::Cut => to.deeper.push(run),
            TerminatorKind::Goto(targets) => {
                to.passes += u64::from(targets.is_empty());
                open.extend(targets.iter().map(|&block| Run { block, ..run.clone() }));
            }
            TerminatorKind::Branch { condition, then_to, else_to } => {
                let condition = run.state.eval(&mut self.tools.terms, *condition);
                let mut parts: Vec<Run> = Vec::new();
                for (part, to) in
                    self.divided(&to.inputs, run, condition)?.into_iter().zip([then_to, else_to])
                {
                    parts.extend(part.map(|part| Run { block: *to, ..part }));
                }
                // That with fewer values first: it is the one that mostly ends soon, and few wait then.
                parts.sort_by_cached_key(|part| std::cmp::Reverse(part.size()));
                open.extend(parts);
            }
        }
        Some(())
    }

    /// The values for which a condition holds, and those for which it does not. `None` if that is not known.
    fn divided(&mut self, inputs: &[SymbolId], run: Run, condition: TermId) -> Option<[Option<Run>; 2]> {
        let terms = &self.tools.terms;
        match terms.as_bool(condition) {
            Some(true) => return Some([Some(run), None]),
            Some(false) => return Some([None, Some(run)]),
            None => {}
        }
        let &[input] = terms.free_symbols(&[condition]).as_slice() else { return None };
        let at = inputs.iter().position(|s| *s == input)?;
        let lines = Lines { terms, input };
        let (mut yes, mut no) = (Set::new(), Set::new());
        for &over in &run.sets[at] {
            let holds = lines.holds(condition, over)?;
            no.extend(without(over, &holds));
            yes.extend(holds);
        }
        let part = |set: Set| {
            (!set.is_empty()).then(|| {
                let mut run = run.clone();
                run.sets[at] = set;
                run
            })
        };
        Some([part(yes), part(no)])
    }
}

impl Run {
    /// How many values the inputs have, roughly.
    fn size(&self) -> i128 {
        self.sets.iter().flatten().map(|(low, high)| high - low).fold(0, i128::saturating_add)
    }
}

impl Again {
    fn of(tools: &mut Tools<'_>, procedure: ProcId) -> Again {
        let terms = &mut tools.terms;
        let params = tools.program[procedure].params.iter().map(|v| v.symbol);
        let numbers: Vec<SymbolId> = params.filter(|s| is_number(terms, *s)).collect();
        let keep = |s: SymbolId| (s, terms.fresh_symbol("argument", terms.symbol(s).sort));
        Again { procedure, arguments: numbers.into_iter().map(keep).collect() }
    }

    /// The body that records the arguments and blocks.
    fn standin(&self, tools: &mut Tools<'_>) -> Body {
        let procedure = &tools.program[self.procedure];
        let kept = self.arguments.iter().map(|&(formal, copy)| (copy, tools.terms.var(formal))).collect();
        let span = procedure.span;
        let block = |node, statements: Vec<StatementKind>, kind| Block {
            name: format!("again{node}").into(),
            statements: statements.into_iter().map(|kind| Statement::new(kind, span)).collect(),
            terminator: Terminator { kind, span },
            span,
            origin: Origin { procedure: self.procedure, body: 0, place: Place::Summary { node } },
        };
        let blocks = vec![
            block(0, vec![StatementKind::Assign(kept)], TerminatorKind::Cut),
            // A body has a block that returns; nothing leads here.
            block(1, Vec::new(), TerminatorKind::Return),
        ];
        let (params, results) = (procedure.params.clone(), procedure.results.clone());
        Body { params, results, locals: Vec::new(), blocks, span, attributes: Vec::new() }
    }
}

/// The recursive procedures that a run from `start` may call.
fn recursive_below(program: &Program, start: ProcId) -> Vec<ProcId> {
    program.recursive_below(&[start]).into_iter().collect()
}

fn is_number(terms: &Terms, symbol: SymbolId) -> bool {
    terms.width(terms.symbol(symbol).sort).is_some_and(|w| (1..=64).contains(&w))
}

/// All values of an input, read with their sign.
fn all(terms: &Terms, input: SymbolId) -> Interval {
    let width = terms.width(terms.symbol(input).sort).expect("inputs are machine integers");
    let half = 1i128 << (width - 1);
    (-half, half - 1)
}

/// The same values in fewer combinations: those that differ in one set only are one.
fn joined(mut combinations: Vec<Vec<Set>>) -> Vec<Vec<Set>> {
    let count = combinations.first().map_or(0, Vec::len);
    for at in 0..count {
        let mut result: Vec<Vec<Set>> = Vec::new();
        for sets in combinations {
            let same = |other: &&mut Vec<Set>| (0..count).all(|i| i == at || other[i] == sets[i]);
            match result.iter_mut().find(same) {
                Some(other) => other[at] = union(std::mem::take(&mut other[at]), sets[at].clone()),
                None => result.push(sets),
            }
        }
        combinations = result;
    }
    combinations
}
