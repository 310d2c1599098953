//! Evidence: what one method claims of one goal.

use footpath_ir::source::Span;

use crate::{Bound, Reason};

/// What a method found out about a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evidence {
    /// The method.
    pub by: Method,
    /// What it claims.
    pub claim: Claim,
    /// What the claim rests on; empty if it holds outright.
    pub rests_on: Vec<Premise>,
    /// Of a goal that is not reached: a minimal set of statements that contradict each other, if the method has one.
    pub explanation: Vec<Span>,
}

/// What is claimed of a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// A run reaches it.
    Reached {
        /// The number of the test that the run became, from 1, if it is one of this function's.
        test: Option<usize>,
        /// Of a failing check: whether the end of the test or a sanitizer confirmed it, if that was asked.
        confirmed: Option<bool>,
    },
    /// No run reaches it.
    NotReached,
    /// Nothing, for this reason.
    Open(Reason),
}

/// What a claim may rest on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Premise {
    /// Executions beyond the bound were not looked at.
    Bound(Bound),
    /// Of a proof: no access before the goal is out of bounds or after the object's lifetime, where runs of the program
    /// form end. Of a run: it went on behind such an access, so that it is none of the program form.
    MemorySafety,
    /// A person or another tool is right to say that the check here is verified.
    Claim(Span),
}

/// A method that settles goals.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Method {
    /// A run of the concolic engine, which became the test.
    Run,
    /// A test of another function of the files, which also passed it.
    OtherTest,
    /// The concolic engine, which ran or refuted every path.
    Exhaustion,
    /// The cover engine, by a proof with loops unwound, which is unbounded if the loops cannot iterate more often.
    Cover,
    /// A loop summary, by a proof for any number of loop iterations.
    LoopSummary,
    /// Abstract interpretation: invariants of the function, or of the whole program, exclude it.
    Invariants,
    /// The call graph: nothing that the program's entry calls leads there.
    CallGraph,
}

impl Method {
    /// All of them.
    pub const ALL: [Method; 7] = [
        Method::Run,
        Method::OtherTest,
        Method::Exhaustion,
        Method::Cover,
        Method::LoopSummary,
        Method::Invariants,
        Method::CallGraph,
    ];

    /// The stable name, as it stands in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Method::Run => "run",
            Method::OtherTest => "other_test",
            Method::Exhaustion => "exhaustion",
            Method::Cover => "cover",
            Method::LoopSummary => "loop_summary",
            Method::Invariants => "invariants",
            Method::CallGraph => "call_graph",
        }
    }
}

impl Evidence {
    /// A proof that no run reaches the goal.
    pub fn not_reached(by: Method, rests_on: Vec<Premise>) -> Evidence {
        Evidence { by, claim: Claim::NotReached, rests_on, explanation: Vec::new() }
    }

    /// The same within a bound.
    pub fn not_reached_within(by: Method, bound: Bound) -> Evidence {
        Evidence::not_reached(by, vec![Premise::Bound(bound)])
    }

    /// A run that reaches the goal.
    pub fn reached(by: Method, test: Option<usize>, rests_on: Vec<Premise>) -> Evidence {
        let claim = Claim::Reached { test, confirmed: None };
        Evidence { by, claim, rests_on, explanation: Vec::new() }
    }

    /// Why a method claims nothing.
    pub fn open(by: Method, reason: impl Into<Reason>) -> Evidence {
        Evidence { by, claim: Claim::Open(reason.into()), rests_on: Vec::new(), explanation: Vec::new() }
    }

    /// The bound that it rests on.
    pub fn bound(&self) -> Option<Bound> {
        self.rests_on.iter().find_map(|premise| match premise {
            Premise::Bound(bound) => Some(*bound),
            Premise::MemorySafety | Premise::Claim(_) => None,
        })
    }

    /// The claims that it rests on.
    pub fn claims(&self) -> impl Iterator<Item = Span> + '_ {
        self.rests_on.iter().filter_map(|premise| match premise {
            Premise::Claim(span) => Some(*span),
            Premise::Bound(_) | Premise::MemorySafety => None,
        })
    }

    /// Whether it rests on memory safety.
    pub fn assumes_memory_safety(&self) -> bool {
        self.rests_on.contains(&Premise::MemorySafety)
    }

    /// The same without the premise of memory safety, which was found not to be needed.
    pub fn without_memory_safety(&self) -> Evidence {
        let rests_on = self.rests_on.iter().copied().filter(|p| *p != Premise::MemorySafety).collect();
        Evidence { rests_on, ..self.clone() }
    }

    /// How much a proof says: more the less it rests on.
    pub(crate) fn strength(&self) -> u8 {
        match (self.bound(), self.assumes_memory_safety()) {
            _ if self.claims().next().is_some() => 0,
            (Some(_), _) => 1,
            (None, true) => 2,
            (None, false) => 3,
        }
    }
}
