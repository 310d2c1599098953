//! Flags of commands that make tests of C: the checks, and how large the inputs are that a harness makes.

use std::collections::BTreeSet;

use footpath_frontend::c;
use footpath_ir::AssertKind;

use super::heading;

/// Flags about C.
#[derive(Clone, Debug, clap::Args)]
pub struct CArgs {
    /// The most elements that an array behind a pointer has, in tests
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=4096), help_heading = heading::FOR_C)]
    pub array_length: u32,

    /// The most pointers that are followed one after the other from a parameter or global variable, in tests
    #[arg(long, value_name = "N", default_value_t = 3, alias = "depth", help_heading = heading::FOR_C)]
    pub pointer_depth: u32,

    /// Make no test in which a parameter is a null pointer
    #[arg(long, help_heading = heading::FOR_C)]
    pub no_null: bool,

    /// Make no test in which two pointers lead into the same object (aliasing)
    #[arg(long, alias = "no-sharing", help_heading = heading::FOR_C)]
    pub no_aliasing: bool,

    /// Which undefined behaviour and failures are looked for: `all`, `none`, or a list of null, bounds, subobject,
    /// alignment, use_after_free, closed_stream, free, constant, overlap, nonnull, vla_length, call_type, division, overflow, float_cast, shift,
    /// bool, builtin, unreachable, uninitialised, assert and abort; by default all but bool and uninitialised
    #[arg(long, value_name = "LIST", value_parser = checks, help_heading = heading::FOR_C)]
    pub check: Option<Checks>,
}

impl CArgs {
    /// How C is lowered.
    pub fn lowering(&self) -> c::Options {
        let mut lowering = c::Options::default();
        if let Some(Checks(chosen)) = &self.check {
            lowering.checks.clone_from(chosen);
        }
        lowering.harness.array_length = self.array_length;
        lowering.harness.depth = self.pointer_depth;
        lowering.harness.nullable = !self.no_null;
        lowering.harness.sharing = !self.no_aliasing;
        lowering
    }
}

/// What is checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checks(pub BTreeSet<AssertKind>);

/// The kinds of checks that can be chosen.
const CHOICES: &[AssertKind] = &[
    AssertKind::Null,
    AssertKind::Bounds,
    AssertKind::Subobject,
    AssertKind::Alignment,
    AssertKind::UseAfterFree,
    AssertKind::ClosedStream,
    AssertKind::Free,
    AssertKind::Constant,
    AssertKind::Overlap,
    AssertKind::Nonnull,
    AssertKind::VlaLength,
    AssertKind::CallType,
    AssertKind::Division,
    AssertKind::Overflow,
    AssertKind::FloatCast,
    AssertKind::Shift,
    AssertKind::Bool,
    AssertKind::Builtin,
    AssertKind::Unreachable,
    AssertKind::Uninitialised,
    AssertKind::Assert,
    AssertKind::Abort,
];

pub(super) fn checks(text: &str) -> Result<Checks, String> {
    // That a program ends by `exit` is no fault, but has to be known.
    let mut chosen = BTreeSet::from([AssertKind::Exit]);
    for word in text.split(',').map(str::trim).filter(|w| !w.is_empty()) {
        let name = word.replace('-', "_");
        match (name.as_str(), CHOICES.iter().find(|k| k.name() == name)) {
            ("all", _) => chosen.extend(CHOICES),
            ("none", _) => {}
            (_, Some(&kind)) => {
                chosen.insert(kind);
            }
            (_, None) => {
                let names: Vec<&str> = CHOICES.iter().map(|k| k.name()).collect();
                return Err(format!("`{word}` is not one of all, none, {}", names.join(", ")));
            }
        }
    }
    Ok(Checks(chosen))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_a_list_and_misspelt_ones_are_told_the_legal_ones() {
        let of = |text: &str| checks(text).expect("legal").0;
        assert_eq!(of("none"), BTreeSet::from([AssertKind::Exit]));
        assert!(of("null,use-after-free").contains(&AssertKind::UseAfterFree));
        assert!(of("all").contains(&AssertKind::Uninitialised));
        assert!(checks("nul").expect_err("not a kind").contains("null, bounds"));
    }
}
