//! What the program for tests leaves out: the runs about which its searches say nothing.
//!
//! A program is lowered twice, and tests may assume what proofs may not (`TestAssumption` of the front end). Whoever
//! claims something about all inputs because a search for tests has ended must say what was assumed. Example: a
//! function that compares the addresses of two objects is tested with pointers into one, so 'never fails' is said only
//! of runs in which they are.
//!
//! Conditions of failure are found by searches alone, so they also depend on what external functions do. Verdicts about
//! code do not: they are proved in the program for proofs.
//!
//! **Direction of error.** Towards omissions that do not matter: what is assumed of a procedure counts wherever it is
//! called, reachable or not.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use footpath_frontend::c::{ExternalEffect, Lowered, TestAssumption};
use footpath_ir::ProcId;

use crate::compile::Compiled;

/// What is assumed of which procedures, collected once.
#[derive(Debug)]
pub(crate) struct Omissions {
    /// The functions of the user's files.
    of_the_user: BTreeSet<ProcId>,
    /// The functions that could not be lowered.
    unread: BTreeSet<ProcId>,
    /// The procedures in which it matters what external functions do. Only conditions of failure ask for them, and finding them looks at
    /// all statements of the program.
    external: OnceLock<BTreeMap<ProcId, BTreeSet<ExternalEffect>>>,
}

impl Omissions {
    fn of(lowered: &Lowered, user_modules: usize) -> Omissions {
        let of_the_user =
            |f: &&footpath_frontend::c::LoweredFunction| (f.function.module as usize) < user_modules;
        let functions = &lowered.functions;
        Omissions {
            of_the_user: functions.iter().filter(of_the_user).map(|f| f.procedure).collect(),
            unread: functions.iter().filter(|f| f.degraded.is_some()).map(|f| f.procedure).collect(),
            external: OnceLock::new(),
        }
    }
}

impl Compiled {
    fn omissions(&self) -> &Omissions {
        self.omissions.get_or_init(|| Omissions::of(&self.lowered, self.files.len()))
    }

    /// Whether the program for tests makes assumptions somewhere in these procedures or their callees, such as that
    /// two addresses belong to one object, so that nothing is known of runs for which they do not hold. Models of
    /// libraries are exempt, as they only compare addresses within one object.
    pub(crate) fn leaves_out(&self, from: &[ProcId]) -> bool {
        !self.left_out(from).is_empty()
    }

    /// What happens in the runs that tests leave out, as they assume that it does not. Models of libraries walk through one
    /// object at a time, so comparing addresses there leaves nothing out.
    pub(crate) fn left_out(&self, from: &[ProcId]) -> Vec<&'static str> {
        let mut found = Vec::new();
        if !self.lowered.async_entry_points.is_empty() {
            found.push("functions are called asynchronously (by a thread, a signal or at exit)");
        }
        let (assumed, omissions) = (&self.lowered.test_assumptions, self.omissions());
        if assumed.is_empty() && omissions.unread.is_empty() {
            return found;
        }
        let program = &self.lowered.program;
        let behind = program.reachable(from);
        let unread = &omissions.unread;
        if !unread.is_empty() && behind.iter().any(|p| program.calls(*p).any(|q| unread.contains(&q))) {
            found.push("a function that could not be analysed changes memory");
        }
        let what = [
            (
                TestAssumption::OneObject,
                "pointers into different objects, or far from one, are compared or subtracted",
            ),
            (TestAssumption::Unshared, "others change volatile or atomic memory"),
            (TestAssumption::SmallAllocations, "objects are allocated that are larger than those of tests"),
            (TestAssumption::NearestRounding, "floating-point results are not rounded to nearest"),
            (TestAssumption::WeakDefinitions, "weak names are not defined, or defined by other files"),
            (
                TestAssumption::Apart,
                "an object begins where another one ends, or constants share their memory, and their addresses are compared",
            ),
            (TestAssumption::DistinctNames, "the linker or assembly gives two names to one place"),
            (TestAssumption::KeptPromises, "callers break what attributes promise of parameters"),
            (
                TestAssumption::AlignedObjects,
                "objects lie at addresses at which they are misaligned for another type that they are accessed as",
            ),
            (TestAssumption::AddressBits, "objects lie at other addresses, the bits of which are looked at"),
            (TestAssumption::ShortTexts, "texts of more than 4095 characters are printed"),
            (TestAssumption::LongDoubles, "a `long double` is computed, whose value is not followed"),
            (TestAssumption::InObjects, "something is accessed at an address that is a number"),
            (
                TestAssumption::NothingKept,
                "the library writes to memory that it was given earlier, or numbers of characters (%n)",
            ),
            (TestAssumption::NoOptimisation, "the compiler knows more of values and sizes, as it optimises"),
        ];
        for (assumption, words) in what {
            let is_about_addresses = matches!(
                assumption,
                TestAssumption::OneObject | TestAssumption::Apart | TestAssumption::AddressBits
            );
            let matters = |p: &ProcId| !is_about_addresses || omissions.of_the_user.contains(p);
            if behind.iter().any(|p| assumed.contains(&(*p, assumption)) && matters(p)) {
                found.push(words);
            }
        }
        found
    }

    /// What external functions do in the runs that tests leave out.
    pub(crate) fn external_effects_left_out(&self, from: &[ProcId]) -> Vec<&'static str> {
        let lowered = &self.lowered;
        let find = || lowered.external_effects.that_matter(&lowered.program);
        let external = self.omissions().external.get_or_init(find);
        let behind = lowered.program.reachable(from);
        let met: BTreeSet<ExternalEffect> =
            behind.iter().filter_map(|p| external.get(p)).flatten().copied().collect();
        let words = |effect: ExternalEffect| match effect {
            ExternalEffect::Changes => {
                "external functions change memory other than what tests have them write"
            }
            ExternalEffect::Frees => "external functions free objects",
            ExternalEffect::Returns => {
                "external functions return pointers into other objects than those of tests"
            }
        };
        met.into_iter().map(words).collect()
    }
}
