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
    /// What callers have to provide so that it does not happen; empty if it is in nobody's hands.
    pub demand: &'static str,
    /// What to do about it.
    pub advice: &'static str,
    /// The numbers in the Common Weakness Enumeration.
    pub cwe: &'static [u32],
}

const fn kind(
    rule: &'static str,
    words: &'static str,
    (demand, advice): (&'static str, &'static str),
    cwe: &'static [u32],
) -> Kind {
    Kind { rule, words, demand, advice, cwe }
}

/// Code that no input executes.
pub const DEAD: Kind = kind(
    "dead-code",
    "no input executes this",
    ("", "remove the code, or mend the condition that rules it out"),
    &[561],
);
/// A function that the program never calls.
pub const UNCALLED: Kind = kind(
    "uncalled",
    "the program never calls this function",
    ("", "remove the function, or call it"),
    &[561],
);
/// A condition that is never true.
pub const ALWAYS_FALSE: Kind = kind(
    "always-false",
    "this condition is never true",
    ("", "mend the condition, or remove what depends on it"),
    &[570],
);
/// A condition that is never false.
pub const ALWAYS_TRUE: Kind =
    kind("always-true", "this condition is never false", ("", "mend the condition, or remove it"), &[571]);

const CHECKS: &[(AssertKind, Kind)] = &[
    (
        AssertKind::Assert,
        kind(
            "assert",
            "the assertion fails",
            ("inputs for which the assertion holds", "make the assertion hold, or take it back"),
            &[617],
        ),
    ),
    (
        AssertKind::Null,
        kind(
            "null",
            "a null pointer is dereferenced",
            ("a pointer that is not null", "compare the pointer with null before it is used"),
            &[476],
        ),
    ),
    (
        AssertKind::Bounds,
        kind(
            "bounds",
            "the access is out of bounds",
            ("an object that is large enough", "check the index or length against the size of the object"),
            &[125, 787],
        ),
    ),
    (
        AssertKind::Subobject,
        kind(
            "subobject",
            "the index is beyond a member or row of the object",
            ("an index within the member or row", "check the index against the size of the member"),
            &[125, 787],
        ),
    ),
    (
        AssertKind::Alignment,
        kind(
            "alignment",
            "the address is no multiple of the alignment of its type",
            (
                "an address that is aligned for its type",
                "copy the bytes by memcpy instead of casting the pointer",
            ),
            &[704],
        ),
    ),
    (
        AssertKind::UseAfterFree,
        kind(
            "use-after-free",
            "freed memory is used",
            ("memory that is not freed", "free the memory later, or clear the pointer"),
            &[416],
        ),
    ),
    (
        AssertKind::ClosedStream,
        kind(
            "closed-stream",
            "a closed stream is used",
            ("a stream that is not closed", "close the stream later, or once"),
            &[910],
        ),
    ),
    (
        AssertKind::Free,
        kind(
            "free",
            "an invalid pointer is freed",
            ("a pointer that may be freed", "free only what an allocation returned, once"),
            &[415],
        ),
    ),
    (
        AssertKind::Constant,
        kind("constant", "a constant is written", ("memory that may be written", "write to a copy"), &[758]),
    ),
    (
        AssertKind::Overlap,
        kind(
            "overlap",
            "memory is copied between overlapping ranges",
            ("ranges that do not overlap", "use memmove"),
            &[475],
        ),
    ),
    (
        AssertKind::Nonnull,
        kind(
            "nonnull",
            "a null pointer is passed that an attribute forbids",
            ("a pointer that is not null", "compare the pointer with null before it is passed"),
            &[476],
        ),
    ),
    (
        AssertKind::VlaLength,
        kind(
            "vla-length",
            "the length of the array is not positive",
            ("a positive length", "check the length first"),
            &[789],
        ),
    ),
    (
        AssertKind::CallType,
        kind(
            "call-type",
            "a function of another type is called",
            ("a function of the type that is called", "call the function by its own type"),
            &[686],
        ),
    ),
    (
        AssertKind::Division,
        kind(
            "division",
            "the division is by zero",
            ("a divisor that is not zero", "compare the divisor with zero first"),
            &[369],
        ),
    ),
    (
        AssertKind::Overflow,
        kind(
            "overflow",
            "the signed result overflows",
            (
                "numbers whose result is representable",
                "check the range first, or compute in a wider or an unsigned type",
            ),
            &[190],
        ),
    ),
    (
        AssertKind::FloatCast,
        kind(
            "float-cast",
            "the number does not fit the integer that it is converted to",
            ("a number that fits the integer", "compare the number with the limits of the integer first"),
            &[681],
        ),
    ),
    (
        AssertKind::Shift,
        kind(
            "shift",
            "the shift is undefined, as its amount, base or result is out of range",
            ("an amount, base and result in range", "check the amount, or shift an unsigned number"),
            &[1335],
        ),
    ),
    (
        AssertKind::Bool,
        kind(
            "bool",
            "the value of `_Bool` is neither 0 nor 1",
            ("a `_Bool` that is 0 or 1", "initialise the variable"),
            &[704],
        ),
    ),
    (
        AssertKind::Builtin,
        kind(
            "builtin",
            "the argument of a count of leading or trailing zeros is zero",
            ("an argument that is not zero", "compare the argument with zero first"),
            &[758],
        ),
    ),
    (
        AssertKind::Unreachable,
        kind(
            "unreachable",
            "code that is declared unreachable is reached",
            ("inputs that do not lead there", "handle the case"),
            &[758],
        ),
    ),
    (
        AssertKind::Uninitialised,
        kind(
            "uninitialised",
            "uninitialised memory is read",
            ("memory that is initialised", "initialise the memory"),
            &[457],
        ),
    ),
    (
        AssertKind::Abort,
        kind(
            "abort",
            "the program aborts",
            ("inputs that do not lead to the abort", "handle the case"),
            &[617],
        ),
    ),
];

const OTHER: Kind =
    kind("check", "the check fails", ("inputs for which the check holds", "see the test"), &[]);

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
