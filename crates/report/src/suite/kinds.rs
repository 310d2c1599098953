//! The kinds of findings, in one table: what each is called, its rule in code scanning, its weakness numbers.

use footpath_driver::{Objective, ObjectiveKind, Verdict};
use footpath_ir::AssertKind;

/// A kind of finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kind {
    /// The stable name of the rule.
    pub rule: &'static str,
    /// What is wrong, for a sentence that goes on with where.
    pub words: &'static str,
    /// The numbers in the Common Weakness Enumeration.
    pub cwe: &'static [u32],
}

const fn kind(rule: &'static str, words: &'static str, cwe: &'static [u32]) -> Kind {
    Kind { rule, words, cwe }
}

/// Code that no input executes.
pub const DEAD: Kind = kind("dead-code", "no input executes this", &[561]);
/// A function that the program never calls.
pub const UNCALLED: Kind = kind("uncalled", "the program never calls this function", &[561]);
/// A condition that is never true.
pub const ALWAYS_FALSE: Kind = kind("always-false", "this condition is never true", &[570]);
/// A condition that is never false.
pub const ALWAYS_TRUE: Kind = kind("always-true", "this condition is never false", &[571]);

const CHECKS: &[(AssertKind, Kind)] = &[
    (AssertKind::Assert, kind("assert", "the assertion fails", &[617])),
    (AssertKind::Null, kind("null", "a null pointer is dereferenced", &[476])),
    (AssertKind::Bounds, kind("bounds", "the access is out of bounds", &[125, 787])),
    (
        AssertKind::Subobject,
        kind("subobject", "the index is beyond a member or row of the object", &[125, 787]),
    ),
    (AssertKind::UseAfterFree, kind("use-after-free", "freed memory is used", &[416])),
    (AssertKind::Free, kind("free", "an invalid pointer is freed", &[415])),
    (AssertKind::Constant, kind("constant", "a constant is written", &[758])),
    (AssertKind::Overlap, kind("overlap", "memory is copied between overlapping ranges", &[475])),
    (AssertKind::Nonnull, kind("nonnull", "a null pointer is passed that an attribute forbids", &[476])),
    (AssertKind::VlaLength, kind("vla-length", "the length of the array is not positive", &[789])),
    (AssertKind::CallType, kind("call-type", "a function of another type is called", &[686])),
    (AssertKind::Division, kind("division", "the division is by zero", &[369])),
    (AssertKind::Overflow, kind("overflow", "the signed result overflows", &[190])),
    (
        AssertKind::FloatCast,
        kind("float-cast", "the number does not fit the integer that it is converted to", &[681]),
    ),
    (
        AssertKind::Shift,
        kind("shift", "the shift is undefined, as its amount, base or result is out of range", &[1335]),
    ),
    (AssertKind::Bool, kind("bool", "the value of `_Bool` is neither 0 nor 1", &[704])),
    (
        AssertKind::Builtin,
        kind("builtin", "the argument of a count of leading or trailing zeros is zero", &[758]),
    ),
    (AssertKind::Unreachable, kind("unreachable", "code that is declared unreachable is reached", &[758])),
    (AssertKind::Uninitialised, kind("uninitialised", "uninitialised memory is read", &[457])),
    (AssertKind::Abort, kind("abort", "the program aborts", &[617])),
];

const OTHER: Kind = kind("check", "the check fails", &[]);

/// What it is if a check of this kind fails.
pub fn of_check(check: AssertKind) -> Kind {
    CHECKS.iter().find(|(k, _)| *k == check).map_or(OTHER, |(_, kind)| *kind)
}

/// What kind of finding an objective is with its verdict; `None` if there is nothing to find fault with.
pub fn of(objective: &Objective) -> Option<Kind> {
    match (objective.kind, &objective.verdict) {
        (ObjectiveKind::Check(check), Verdict::Covered) => Some(of_check(check)),
        (ObjectiveKind::Check(_), _) => None,
        (kind, Verdict::Unreachable) => Some(match kind {
            ObjectiveKind::Branch(true) => ALWAYS_FALSE,
            ObjectiveKind::Branch(false) => ALWAYS_TRUE,
            _ => DEAD,
        }),
        _ => None,
    }
}

/// Every kind.
pub fn all() -> impl Iterator<Item = Kind> {
    [DEAD, UNCALLED, ALWAYS_FALSE, ALWAYS_TRUE]
        .into_iter()
        .chain(CHECKS.iter().map(|(_, kind)| *kind))
        .chain([OTHER])
}
