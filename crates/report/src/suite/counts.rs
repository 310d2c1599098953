//! Counting verdicts, the same way for every format and for `--deny`.

use std::ops::AddAssign;

use footpath_driver::{Class, FunctionResult, Objective, ObjectiveKind, Verdict};

/// How many objectives ended how. What the compiler made does not count; what is there to catch the impossible counts
/// only if it is possible.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Blocks that a test executes.
    pub blocks_covered: usize,
    /// Blocks.
    pub blocks: usize,
    /// Ways of branches that a test takes.
    pub branches_covered: usize,
    /// Ways of branches.
    pub branches: usize,
    /// Checks that a test makes fail.
    pub failing: usize,
    /// Checks that fail only because of what a caller passes: preconditions.
    pub preconditions: usize,
    /// Checks that no input makes fail.
    pub hold: usize,
    /// Checks that no input within bounds makes fail.
    pub hold_within: usize,
    /// Blocks and branches that no input reaches, within bounds or at all.
    pub infeasible: usize,
    /// Defensive code that no input reaches.
    pub defensive: usize,
    /// Code of macros that no input reaches where they are used.
    pub expansions: usize,
    /// Portability guards that no input reaches in this build.
    pub portability: usize,
    /// Findings that the user knows; they count nowhere else.
    pub in_baseline: usize,
    /// Objectives of which nothing is known.
    pub unknown: usize,
    /// Those of them that are checks.
    pub checks_unknown: usize,
    /// Tests.
    pub tests: usize,
    /// Tests that did not do what they promised.
    pub divergences: usize,
}

/// Whether an objective is one of those that are infeasible and a finding: no input whatsoever gets there. What only
/// the inputs that were tried for cannot reach is no finding about the code.
pub(crate) fn is_infeasible(objective: &Objective) -> bool {
    is_ruled_out_for_good(objective) && !objective.in_baseline
}

fn is_ruled_out_for_good(objective: &Objective) -> bool {
    objective.class == Class::User && is_ruled_out(objective) && objective.verdict == Verdict::Unreachable
}

/// Whether an objective is a finding, known or not: infeasible or failing.
pub fn is_finding(objective: &Objective) -> bool {
    is_ruled_out_for_good(objective) || fails(objective) && !is_demand(objective)
}

/// Whether an objective is defensive code, or a macro's, that is never needed.
pub(crate) fn is_spare(objective: &Objective) -> bool {
    matches!(objective.class, Class::Defensive | Class::Macro | Class::Portability) && is_ruled_out(objective)
}

fn is_ruled_out(objective: &Objective) -> bool {
    !matches!(objective.kind, ObjectiveKind::Check(_))
        && matches!(objective.verdict, Verdict::Unreachable | Verdict::UnreachableWithin(_))
}

/// Whether an objective is a check that fails although callers keep to what the function demands.
pub(crate) fn is_failing(objective: &Objective) -> bool {
    fails(objective) && objective.precondition().is_none() && !objective.in_baseline
}

/// Whether an objective is a check that fails because of what a caller passes.
pub(crate) fn is_demand(objective: &Objective) -> bool {
    fails(objective) && objective.precondition().is_some()
}

fn fails(objective: &Objective) -> bool {
    matches!(objective.kind, ObjectiveKind::Check(_)) && objective.verdict == Verdict::Covered
}

/// Whether an objective counts as unknown: nothing is said of it, or only within bounds.
pub(crate) fn is_unknown(objective: &Objective) -> bool {
    let within =
        objective.class == Class::User && is_ruled_out(objective) && !is_ruled_out_for_good(objective);
    objective.class != Class::Compiler && (within || matches!(objective.verdict, Verdict::Unknown(_)))
}

impl Counts {
    /// The counts of one function.
    pub fn of(function: &FunctionResult) -> Counts {
        let divergences = function.tests.iter().filter(|t| t.divergence.is_some()).count();
        let mut counts = Counts { tests: function.tests.len(), divergences, ..Counts::default() };
        for objective in &function.objectives {
            counts.add(objective);
        }
        counts
    }

    /// The counts of many.
    pub fn of_all(functions: &[FunctionResult]) -> Counts {
        let mut sum = Counts::default();
        for function in functions {
            sum += Counts::of(function);
        }
        sum
    }

    fn add(&mut self, objective: &Objective) {
        if objective.class == Class::Compiler {
            return;
        }
        self.unknown += usize::from(is_unknown(objective));
        if objective.in_baseline {
            self.in_baseline += 1;
            if fails(objective) {
                return;
            }
        }
        if is_spare(objective) {
            let sum = match objective.class {
                Class::Macro => &mut self.expansions,
                Class::Portability => &mut self.portability,
                Class::User | Class::Compiler | Class::Defensive => &mut self.defensive,
            };
            *sum += usize::from(objective.kind == ObjectiveKind::Block);
            return;
        }
        self.infeasible += usize::from(is_infeasible(objective));
        let covered = usize::from(objective.verdict == Verdict::Covered);
        match (objective.kind, &objective.verdict) {
            (ObjectiveKind::Block, _) => {
                self.blocks += 1;
                self.blocks_covered += covered;
            }
            (ObjectiveKind::Branch(_), _) => {
                self.branches += 1;
                self.branches_covered += covered;
            }
            // They are told with their decisions.
            (ObjectiveKind::Evaluation(..) | ObjectiveKind::Outcome(_) | ObjectiveKind::Independence, _) => {}
            (ObjectiveKind::Check(_), Verdict::Covered) if is_demand(objective) => self.preconditions += 1,
            (ObjectiveKind::Check(_), Verdict::Covered) => self.failing += 1,
            (ObjectiveKind::Check(_), Verdict::Doomed | Verdict::Unreachable) => self.hold += 1,
            (ObjectiveKind::Check(_), Verdict::UnreachableWithin(_)) => self.hold_within += 1,
            (ObjectiveKind::Check(_), Verdict::Unknown(_)) => self.checks_unknown += 1,
        }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.blocks_covered += other.blocks_covered;
        self.blocks += other.blocks;
        self.branches_covered += other.branches_covered;
        self.branches += other.branches;
        self.failing += other.failing;
        self.preconditions += other.preconditions;
        self.hold += other.hold;
        self.hold_within += other.hold_within;
        self.infeasible += other.infeasible;
        self.defensive += other.defensive;
        self.expansions += other.expansions;
        self.portability += other.portability;
        self.in_baseline += other.in_baseline;
        self.unknown += other.unknown;
        self.checks_unknown += other.checks_unknown;
        self.tests += other.tests;
        self.divergences += other.divergences;
    }
}
