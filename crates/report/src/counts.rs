//! Counting verdicts, the same way for every format and for `--deny`.

use std::collections::BTreeSet;
use std::ops::AddAssign;

use footpath_cover::{Objective, ObjectiveKind, ProcedureCover, Verdict};

/// How many objectives ended how. Assertions are counted apart: for them, infeasible is good news.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Statements and branches that a test covers.
    pub covered: usize,
    /// Statements and branches that no execution reaches; those within the bound are among them.
    pub infeasible: usize,
    /// Those of `infeasible` for which only executions within the bound were looked at.
    pub within_bound: usize,
    /// Statements and branches after which every execution fails or blocks.
    pub doomed: usize,
    /// Statements and branches of which nothing is known.
    pub unknown: usize,
    /// Assertions that a test violates.
    pub can_fail: usize,
    /// Assertions that no execution (within the bound) violates.
    pub hold: usize,
    /// Those of `hold` for which only executions within the bound were looked at.
    pub hold_within_bound: usize,
    /// Assertions of which nothing is known.
    pub assertions_unknown: usize,
    /// Tests.
    pub tests: usize,
}

impl Counts {
    /// The counts of one procedure.
    pub fn of(cover: &ProcedureCover) -> Counts {
        let mut counts = Counts { tests: cover.tests.len(), ..Counts::default() };
        for objective in &cover.objectives {
            counts.add(objective);
        }
        counts
    }

    /// The counts of many.
    pub fn of_all(covers: &[ProcedureCover]) -> Counts {
        let mut sum = Counts::default();
        for cover in covers {
            sum += Counts::of(cover);
        }
        sum
    }

    fn add(&mut self, objective: &Objective) {
        if let ObjectiveKind::Failure(_) = objective.kind {
            match objective.verdict {
                Verdict::Covered => self.can_fail += 1,
                Verdict::Unknown(_) => self.assertions_unknown += 1,
                Verdict::Doomed | Verdict::Unreachable => self.hold += 1,
                Verdict::UnreachableWithin(_) => {
                    self.hold += 1;
                    self.hold_within_bound += 1;
                }
            }
            return;
        }
        match objective.verdict {
            Verdict::Covered => self.covered += 1,
            Verdict::Doomed => self.doomed += 1,
            Verdict::Unreachable => self.infeasible += 1,
            Verdict::UnreachableWithin(_) => {
                self.infeasible += 1;
                self.within_bound += 1;
            }
            Verdict::Unknown(_) => self.unknown += 1,
        }
    }

    /// Statements and branches in all.
    pub fn code(&self) -> usize {
        self.covered + self.infeasible + self.doomed + self.unknown
    }

    /// Assertions in all.
    pub fn assertions(&self) -> usize {
        self.can_fail + self.hold + self.assertions_unknown
    }

    /// Whether all code is covered and all assertions hold.
    pub fn is_all_good(&self) -> bool {
        self.covered == self.code() && self.hold == self.assertions()
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.covered += other.covered;
        self.infeasible += other.infeasible;
        self.within_bound += other.within_bound;
        self.doomed += other.doomed;
        self.unknown += other.unknown;
        self.can_fail += other.can_fail;
        self.hold += other.hold;
        self.hold_within_bound += other.hold_within_bound;
        self.assertions_unknown += other.assertions_unknown;
        self.tests += other.tests;
    }
}

/// How many procedures the covers are of; one may have several implementations.
pub(crate) fn procedures(covers: &[ProcedureCover]) -> usize {
    covers.iter().map(|c| c.procedure).collect::<BTreeSet<_>>().len()
}

/// A number and a noun that fits it.
pub(crate) fn plural(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}
