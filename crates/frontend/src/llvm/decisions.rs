//! Decision recovery: the Boolean expressions of the source, from the short-circuit code that the compiler makes of them.
//!
//! **Idea.** A *decision* is a Boolean expression of `&&`, `||` and `!` over *conditions*, which have no such operator outside of
//! calls, indices and the like. C evaluates it condition by condition, and stops when the outcome is known; without optimisation
//! clang makes a branch of each condition, and names the block where evaluation goes on after the operator: `land.lhs.true` and
//! `land.rhs` behind `&&`, `lor.lhs.false` and `lor.rhs` behind `||`. Where the outcome is a value, `land.end` and `lor.end` have
//! a phi of it, and the last condition is no branch but what that phi is given. So the names say what belongs together; without them
//! `if (a && b)` could not be told from `if (a) if (b)`. Example: `return (a || b) && !c` is
//!
//! ```text
//! entry:          br a, label %land.rhs, label %lor.lhs.false
//! lor.lhs.false:  br b, label %land.rhs, label %land.end
//! land.rhs:       %lnot = xor c, true                              br label %land.end
//! land.end:       phi [ false, %lor.lhs.false ], [ %lnot, %land.rhs ]
//! ```
//!
//! and becomes a decision of three conditions, each of which leads to another one or to an outcome. An *evaluation* is a way
//! through this graph, here one of five: `a` and `!c`; `a` and not `!c`; and so on. They are numbered as Ball and Larus number
//! paths (*Efficient Path Profiling*, MICRO 1996): each arm has a weight, and the sum of the weights on a way is its number.
//!
//! What is between the operator and the branch of the next condition may have control flow of its own (`a && f(b && c)`). It is passed
//! over, as all of it comes together before the decision goes on.
//!
//! An operand that is a constant is no condition: nothing that a test does changes it. Evaluation goes on behind it as it says, so
//! `p && "message"`, as in assertions, is a decision of `p` alone.
//!
//! A comparison or negation whose value is used as a number, as in `return x > 1`, is a decision of one condition, which has no
//! branch at all.
//!
//! **Direction of error.** Towards fewer decisions: what has another form, such as `?:` as a condition of `&&`, has no evaluations,
//! nor has a decision with more than [`MOST_EVALUATIONS`].

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::ast::{BinaryOp, BlockIx, CastOp, Code, ConstKind, InstKind, LocalId, LocalName, Module, Value};

/// The most evaluations of a decision that are looked at.
pub const MOST_EVALUATIONS: usize = 64;

/// Where the value of a condition is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Place {
    /// At the branch that ends a block.
    Branch(BlockIx),
    /// At the jump that ends a block, to a phi of the outcome.
    Jump(BlockIx),
    /// Behind the instruction of this number.
    Behind(u32),
}

/// What follows when a condition has a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// The condition with this position is evaluated.
    Condition(usize),
    /// The outcome of the decision.
    Outcome(bool),
}

/// A condition of a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Condition {
    /// Where its value is known.
    pub place: Place,
    /// Its value, of type `i1`. The compiler removes a `!` before a branch and exchanges the arms.
    pub value: Value,
    /// What follows when the value is false, and when it is true.
    pub next: [Next; 2],
}

/// A Boolean expression of the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// Its conditions, in the order of the text; the first one is always evaluated.
    pub conditions: Vec<Condition>,
    /// All ways in which it can be evaluated, by number; none if there are too many, or if its form is not known.
    pub evaluations: Vec<Evaluation>,
    /// For each condition, what is added to the number of the evaluation when its value is true.
    pub weights: Vec<u32>,
}

/// A way in which a decision can be evaluated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evaluation {
    /// The value of each condition; `None` where it is not evaluated.
    pub values: Vec<Option<bool>>,
    /// The outcome.
    pub outcome: bool,
    /// The condition that is evaluated last.
    pub last: usize,
}

impl Decision {
    fn new(conditions: Vec<Condition>) -> Decision {
        let mut ways = vec![0_usize; conditions.len()];
        for (i, condition) in conditions.iter().enumerate().rev() {
            let of = |next: Next| match next {
                Next::Condition(j) => ways[j],
                Next::Outcome(_) => 1,
            };
            ways[i] = of(condition.next[0]).saturating_add(of(condition.next[1]));
        }
        let weight = |condition: &Condition| match condition.next[0] {
            Next::Condition(j) => ways[j] as u32,
            Next::Outcome(_) => 1,
        };
        let weights = conditions.iter().map(weight).collect();
        let mut evaluations = Vec::new();
        if ways[0] <= MOST_EVALUATIONS {
            enumerate(&conditions, 0, &mut vec![None; conditions.len()], &mut evaluations);
        }
        Decision { conditions, evaluations, weights }
    }

    /// The numbers of the evaluations that end with a value of a condition.
    pub fn ending(&self, condition: usize, value: bool) -> Vec<usize> {
        let ends = |e: &Evaluation| e.last == condition && e.values[condition] == Some(value);
        (0..self.evaluations.len()).filter(|&k| ends(&self.evaluations[k])).collect()
    }

    /// Whether the last condition alone does not tell which evaluation it was.
    pub fn has_joins(&self) -> bool {
        (0..self.conditions.len()).any(|i| [false, true].iter().any(|&v| self.ending(i, v).len() > 1))
    }

    /// The outcome if the conditions have these values.
    pub fn outcome(&self, value: &dyn Fn(usize) -> bool) -> bool {
        let mut at = 0;
        loop {
            match self.conditions[at].next[usize::from(value(at))] {
                Next::Condition(next) => at = next,
                Next::Outcome(outcome) => return outcome,
            }
        }
    }
}

/// All evaluations that go on at a condition, in the order of their numbers.
fn enumerate(
    conditions: &[Condition],
    at: usize,
    values: &mut Vec<Option<bool>>,
    found: &mut Vec<Evaluation>,
) {
    for value in [false, true] {
        values[at] = Some(value);
        match conditions[at].next[usize::from(value)] {
            Next::Condition(next) => enumerate(conditions, next, values, found),
            Next::Outcome(outcome) => found.push(Evaluation { values: values.clone(), outcome, last: at }),
        }
    }
    values[at] = None;
}

/// The decisions of a function, in the order of the text. There are none if the compiler did not keep the names of blocks.
pub fn decisions(module: &Module, code: &Code) -> Vec<Decision> {
    if !matches!(code.blocks.first().map(|block| block.name), Some(LocalName::Named(_))) {
        return Vec::new();
    }
    let finder = Finder::new(module, code);
    let mut found = finder.branching();
    found.extend(finder.values());
    let first = |decision: &Decision| match decision.conditions[0].place {
        Place::Branch(block) | Place::Jump(block) => code.blocks[block.index()].end - 1,
        Place::Behind(number) => number,
    };
    found.sort_by_key(first);
    found
}

/// What comes after a condition, before it is known which decision it is in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Step {
    /// The condition at the end of a block.
    To(BlockIx),
    /// The phi of a block has the outcome.
    Value(BlockIx, bool),
    /// A block is entered for this outcome.
    Exit(BlockIx),
}

/// Where the value of a phi goes without being used otherwise; the flag says whether it is negated.
enum Onward {
    End(BlockIx, bool),
    Branch(bool),
}

/// Where the value of a condition is known, the value, and what follows when it is false and when it is true.
type Found = (Place, Value, [Step; 2]);
/// The conditions at the ends of blocks, as far as their form is known.
type Conditions = BTreeMap<BlockIx, Option<Found>>;

struct Finder<'m> {
    module: &'m Module,
    code: &'m Code,
    /// The phis of outcomes, and their blocks.
    phis: FxHashMap<LocalId, BlockIx>,
}

impl<'m> Finder<'m> {
    fn new(module: &'m Module, code: &'m Code) -> Finder<'m> {
        let mut finder = Finder { module, code, phis: FxHashMap::default() };
        let phis = code.block_ids().filter_map(|block| Some((finder.phi(block)?.0, block)));
        finder.phis = phis.collect();
        finder
    }

    /// Whether a block is called by one of these names, with or without a number.
    fn is_called(&self, block: BlockIx, names: &[&str]) -> bool {
        let LocalName::Named(name) = self.code.blocks[block.index()].name else { return false };
        names.contains(&self.module.text(name).trim_end_matches(|c: char| c.is_ascii_digit()))
    }

    /// Whether evaluation goes on in a block behind an operator.
    fn goes_on(&self, block: BlockIx) -> bool {
        self.is_called(block, &["land.lhs.true", "lor.lhs.false", "land.rhs", "lor.rhs"])
    }

    /// Whether a block has the outcome as a value.
    fn is_end(&self, block: BlockIx) -> bool {
        self.is_called(block, &["land.end", "lor.end"])
    }

    /// The phi of the outcome in a block.
    fn phi(&self, block: BlockIx) -> Option<(LocalId, &'m [(Value, BlockIx)])> {
        let first = self.code.insts_of(block).first().filter(|_| self.is_end(block))?;
        match &first.kind {
            InstKind::Phi { incoming, .. } => Some((first.result?, incoming)),
            _ => None,
        }
    }

    fn incoming(&self, to: BlockIx, from: BlockIx) -> Option<Value> {
        self.phi(to)?.1.iter().find(|(_, block)| *block == from).map(|(value, _)| *value)
    }

    fn constant(&self, value: Value) -> Option<bool> {
        match value {
            Value::Const(id) => match self.module.constant(id).kind {
                ConstKind::Int(number) => Some(number != 0),
                _ => None,
            },
            Value::Local(_) => None,
        }
    }

    /// A value without the negations of it, and whether they are odd.
    fn strip(&self, value: Value) -> (Value, bool) {
        match self.code.definition(value).map(|inst| &inst.kind) {
            Some(&InstKind::Binary { op: BinaryOp::Xor, left, right, .. })
                if self.constant(right) == Some(true) =>
            {
                let (value, negated) = self.strip(left.value);
                (value, !negated)
            }
            _ => (value, false),
        }
    }

    /// The block of the phi that a value is, and whether it is negated.
    fn outcome_of(&self, value: Value) -> Option<(BlockIx, bool)> {
        match self.strip(value) {
            (Value::Local(local), negated) => Some((*self.phis.get(&local)?, negated)),
            (Value::Const(_), _) => None,
        }
    }

    /// Where the outcome in a block goes, if it is part of a larger expression.
    fn onward(&self, end: BlockIx) -> Option<Onward> {
        let of_this = |value| self.outcome_of(value).filter(|(block, _)| *block == end).map(|(_, n)| n);
        match &self.code.terminator(end).kind {
            InstKind::Br(to) => Some(Onward::End(*to, of_this(self.incoming(*to, end)?)?)),
            InstKind::CondBr { condition, then, otherwise } => {
                let is_part = self.goes_on(*then) || self.goes_on(*otherwise);
                of_this(condition.value).filter(|_| is_part).map(Onward::Branch)
            }
            _ => None,
        }
    }

    /// What follows a jump from one block to another; `value` is that of the condition, if the other one's phi is given it.
    fn step(&self, from: BlockIx, to: BlockIx, value: Option<bool>) -> Option<Step> {
        if self.goes_on(to) {
            return self.first(to);
        }
        match self.incoming(to, from) {
            Some(incoming) => self.end(to, self.constant(incoming).or(value)?),
            None => Some(Step::Exit(to)),
        }
    }

    /// What follows when the outcome in a block is known.
    fn end(&self, end: BlockIx, value: bool) -> Option<Step> {
        match (self.onward(end), &self.code.terminator(end).kind) {
            (Some(Onward::End(to, negated)), _) => self.end(to, value != negated),
            (Some(Onward::Branch(negated)), InstKind::CondBr { then, otherwise, .. }) => {
                self.step(end, if value != negated { *then } else { *otherwise }, None)
            }
            _ => Some(Step::Value(end, value)),
        }
    }

    /// The first condition that is evaluated behind an operator; what is computed for it is passed over.
    fn first(&self, begin: BlockIx) -> Option<Step> {
        let limit = self.limit(begin)?;
        let mut at = begin;
        for _ in 0..self.code.blocks.len() {
            if at < begin || at >= limit {
                return None;
            }
            match &self.code.terminator(at).kind {
                InstKind::Br(to) => match self.incoming(*to, at) {
                    Some(value) => {
                        let known = self.constant(value);
                        return known.map_or(Some(Step::To(at)), |value| self.end(*to, value));
                    }
                    None => at = *to,
                },
                kind => match self.joined(at, begin, limit) {
                    Some(join) if self.onward(join).is_none() => at = join,
                    _ => match kind {
                        InstKind::CondBr { condition, then, otherwise } => {
                            return match self.constant(condition.value) {
                                Some(value) => self.step(at, if value { *then } else { *otherwise }, None),
                                None => Some(Step::To(at)),
                            };
                        }
                        _ => return None,
                    },
                },
            }
        }
        None
    }

    /// The first block behind all that is evaluated from a block on until the decision goes on elsewhere.
    fn limit(&self, begin: BlockIx) -> Option<BlockIx> {
        let others = self.code.block_ids().filter_map(|block| match self.code.terminator(block).kind {
            InstKind::CondBr { then, otherwise, .. } if then == begin => Some(otherwise),
            InstKind::CondBr { then, otherwise, .. } if otherwise == begin => Some(then),
            _ => None,
        });
        others.filter(|other| *other > begin).min()
    }

    /// The block in which all comes together that follows a block, if that is before the limit.
    fn joined(&self, block: BlockIx, begin: BlockIx, limit: BlockIx) -> Option<BlockIx> {
        let mut open = self.code.terminator(block).kind.successors();
        let mut seen = BTreeSet::from([block]);
        let mut join = open.iter().copied().max()?;
        let mut waiting = Vec::new();
        while let Some(at) = open.pop() {
            if at >= limit || at < begin {
                return None;
            }
            if at >= join {
                waiting.push(at);
                continue;
            }
            if !seen.insert(at) {
                continue;
            }
            let kind = &self.code.terminator(at).kind;
            if matches!(kind, InstKind::Ret(_)) {
                return None;
            }
            for to in kind.successors() {
                if to > join {
                    join = to;
                    open.append(&mut waiting);
                }
                open.push(to);
            }
        }
        Some(join)
    }

    /// The condition at the end of a block, and what follows when it is false and when it is true.
    fn condition(&self, block: BlockIx) -> Option<Found> {
        match self.code.terminator(block).kind {
            InstKind::CondBr { condition, then, otherwise } => {
                let steps = [self.step(block, otherwise, None)?, self.step(block, then, None)?];
                Some((Place::Branch(block), condition.value, steps))
            }
            InstKind::Br(to) => {
                let value = self.incoming(to, block)?;
                let steps = [self.step(block, to, Some(false))?, self.step(block, to, Some(true))?];
                Some((Place::Jump(block), value, steps))
            }
            _ => None,
        }
    }

    /// The decisions that are made of branches.
    fn branching(&self) -> Vec<Decision> {
        let mut all = Conditions::new();
        let mut inner: BTreeSet<BlockIx> = BTreeSet::new();
        let mut open: Vec<BlockIx> = self
            .code
            .block_ids()
            .filter(|&block| match self.code.terminator(block).kind {
                InstKind::CondBr { condition, .. } => {
                    self.outcome_of(condition.value).is_none() && self.constant(condition.value).is_none()
                }
                _ => false,
            })
            .collect();
        while let Some(block) = open.pop() {
            if all.contains_key(&block) {
                continue;
            }
            let found = self.condition(block);
            for step in found.iter().flat_map(|(_, _, steps)| steps) {
                if let Step::To(next) = step {
                    inner.insert(*next);
                    open.push(*next);
                }
            }
            all.insert(block, found);
        }
        let starts: Vec<BlockIx> = all.keys().copied().filter(|block| !inner.contains(block)).collect();
        let groups: Vec<BTreeSet<BlockIx>> = starts.iter().map(|&start| group(&all, start)).collect();
        let mut members: BTreeMap<BlockIx, usize> = BTreeMap::new();
        groups.iter().flatten().for_each(|block| *members.entry(*block).or_default() += 1);
        let is_apart = |blocks: &BTreeSet<BlockIx>| blocks.iter().all(|block| members[block] == 1);
        // What leads to the same block is of the same decision: the arms of `?:` in a condition are branches to its outcomes.
        let exits = |blocks: &BTreeSet<BlockIx>| -> BTreeSet<BlockIx> {
            let steps =
                blocks.iter().filter_map(|block| all.get(block)?.as_ref()).flat_map(|(_, _, steps)| steps);
            steps.filter_map(|step| if let Step::Exit(to) = step { Some(*to) } else { None }).collect()
        };
        let mut leading: BTreeMap<BlockIx, usize> = BTreeMap::new();
        groups.iter().flat_map(exits).for_each(|exit| *leading.entry(exit).or_default() += 1);
        let is_shared = |blocks: &BTreeSet<BlockIx>| exits(blocks).iter().any(|exit| leading[exit] > 1);
        let mut found = Vec::new();
        let mut left_out = BTreeSet::new();
        for blocks in &groups {
            match self.decision(&all, blocks).filter(|_| is_apart(blocks) && !is_shared(blocks)) {
                Some(decision) => found.push(decision),
                None if blocks.len() > 1
                    || is_shared(blocks)
                    || blocks.iter().any(|block| self.is_operand(*block)) =>
                {
                    found.extend(self.left_out(blocks, &mut left_out));
                }
                None => {}
            }
        }
        found
    }

    /// Whether a branch is on the left side of an operator.
    fn is_operand(&self, block: BlockIx) -> bool {
        self.code.terminator(block).kind.successors().into_iter().any(|to| self.goes_on(to))
    }

    /// A decision that is not looked at, so that its conditions are told.
    fn left_out(&self, blocks: &BTreeSet<BlockIx>, told: &mut BTreeSet<BlockIx>) -> Option<Decision> {
        let next = [Next::Outcome(false), Next::Outcome(true)];
        let conditions: Vec<Condition> = blocks
            .iter()
            .filter_map(|&block| match self.code.terminator(block).kind {
                InstKind::CondBr { condition, .. } if told.insert(block) => {
                    Some(Condition { place: Place::Branch(block), value: condition.value, next })
                }
                _ => None,
            })
            .collect();
        let weights = vec![0; conditions.len()];
        (!conditions.is_empty()).then_some(Decision { conditions, evaluations: Vec::new(), weights })
    }

    /// The decision of some conditions, if they lead to two outcomes.
    fn decision(&self, all: &Conditions, blocks: &BTreeSet<BlockIx>) -> Option<Decision> {
        let order: Vec<BlockIx> = blocks.iter().copied().collect();
        let found: Option<Vec<_>> = order.iter().map(|block| all.get(block)?.as_ref()).collect();
        let found = found?;
        let steps = || found.iter().flat_map(|(_, _, steps)| steps.iter().copied());
        let exits: BTreeSet<BlockIx> =
            steps().filter_map(|s| if let Step::Exit(to) = s { Some(to) } else { None }).collect();
        let ends: BTreeSet<BlockIx> =
            steps().filter_map(|s| if let Step::Value(end, _) = s { Some(end) } else { None }).collect();
        let exits: Vec<BlockIx> = exits.into_iter().collect();
        let holds = match (&exits[..], ends.len()) {
            ([], 1) => None,
            (&[a, b], 0) => Some(self.holding(order.len() == 1, (a, b), found.last()?.2)?),
            _ => return None,
        };
        let next = |at: usize, step: Step| match step {
            Step::To(to) => {
                let position = order.iter().position(|block| *block == to)?;
                (position > at).then_some(Next::Condition(position))
            }
            Step::Value(_, value) => Some(Next::Outcome(value)),
            Step::Exit(to) => Some(Next::Outcome(Some(to) == holds)),
        };
        let conditions: Option<Vec<Condition>> = found
            .iter()
            .enumerate()
            .map(|(at, &&(place, value, [no, yes]))| {
                Some(Condition { place, value, next: [next(at, no)?, next(at, yes)?] })
            })
            .collect();
        conditions.map(Decision::new)
    }

    /// Which of two blocks is entered if a decision holds. Branches that the compiler adds for its own purposes lead elsewhere.
    fn holding(&self, is_single: bool, (a, b): (BlockIx, BlockIx), last: [Step; 2]) -> Option<BlockIx> {
        const HOLDS: [&str; 5] = ["if.then", "cond.true", "for.body", "while.body", "do.body"];
        const FAILS: [&str; 8] = [
            "if.else",
            "if.end",
            "cond.false",
            "cond.end",
            "for.end",
            "for.cond.cleanup",
            "while.end",
            "do.end",
        ];
        let is_known = |yes, no| self.is_called(yes, &HOLDS) && self.is_called(no, &FAILS);
        match last[1] {
            _ if is_known(a, b) => Some(a),
            _ if is_known(b, a) => Some(b),
            Step::Exit(to) if !is_single => Some(to),
            _ => None,
        }
    }

    /// The comparisons and negations whose values are used as numbers.
    fn values(&self) -> Vec<Decision> {
        let mut users: FxHashMap<LocalId, Vec<u32>> = FxHashMap::default();
        for (number, inst) in self.code.insts.iter().enumerate() {
            if matches!(inst.kind, InstKind::Debug(_)) {
                continue;
            }
            inst.kind.for_each_operand(|operand| {
                if let Value::Local(local) = operand.value {
                    users.entry(local).or_default().push(number as u32);
                }
            });
        }
        // A phi or a branch means that it is a condition of a larger decision.
        let is_number = |&user: &u32| {
            let kind = &self.code.insts[user as usize].kind;
            matches!(kind, InstKind::Cast { op: CastOp::ZExt, .. } | InstKind::Ret(_) | InstKind::Call(_))
        };
        let mut found = Vec::new();
        for (number, inst) in self.code.insts.iter().enumerate() {
            let Some(result) = inst.result else { continue };
            let value = Value::Local(result);
            let (base, negated) = self.strip(value);
            let definition = self.code.definition(base).map(|inst| &inst.kind);
            let is_compared = matches!(definition, Some(InstKind::Compare { .. }));
            let LocalName::Named(name) = self.code.local(result).name else { continue };
            let is_written = is_compared && (negated || self.module.text(name).starts_with("cmp"));
            let used = users.get(&result).map_or(&[][..], Vec::as_slice);
            if is_written && !used.is_empty() && used.iter().all(is_number) {
                let place = Place::Behind(number as u32);
                let next = [Next::Outcome(false), Next::Outcome(true)];
                found.push(Decision::new(vec![Condition { place, value, next }]));
            }
        }
        found
    }
}

/// The conditions that can be evaluated after one, with it.
fn group(all: &Conditions, start: BlockIx) -> BTreeSet<BlockIx> {
    let mut blocks = BTreeSet::new();
    let mut open = vec![start];
    while let Some(block) = open.pop() {
        if blocks.insert(block) {
            let steps = all.get(&block).into_iter().flatten().flat_map(|(_, _, steps)| steps);
            open.extend(steps.filter_map(|s| if let Step::To(next) = s { Some(*next) } else { None }));
        }
    }
    blocks
}
