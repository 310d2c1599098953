//! Flags of all commands that read C: the compiler, the checks, and how large the inputs are that a harness makes.

use std::collections::BTreeSet;

use footpath_frontend::c;
use footpath_ir::AssertKind;

/// Flags about C.
#[derive(Clone, Debug, clap::Args)]
pub struct CArgs {
    /// For C: how many elements an array behind a pointer has at most, in tests
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub array_length: u32,

    /// For C: how many pointers are followed from a parameter or variable, in tests
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub depth: u32,

    /// For C: make no test in which a pointer that the function gets is null
    #[arg(long)]
    pub no_null: bool,

    /// For C: make no test in which two parameters or links of the function lead into one object
    #[arg(long)]
    pub no_sharing: bool,

    /// For C: what is checked: a list, all or none; the kinds are null, bounds, use_after_free, free,
    /// constant, overlap, vla_length, division, overflow, shift, builtin, unreachable, uninitialised, assert and abort; without this flag all but uninitialised
    #[arg(long, value_name = "LIST", value_parser = checks)]
    pub check: Option<Checks>,

    /// For C: the compiler; without this flag the newest clang there is
    #[arg(long, value_name = "PROGRAM")]
    pub clang: Option<String>,
}

impl CArgs {
    /// How C is lowered.
    pub fn lowering(&self) -> c::Options {
        let mut lowering = c::Options::default();
        if let Some(Checks(chosen)) = &self.check {
            lowering.checks.clone_from(chosen);
        }
        lowering.harness.array_length = self.array_length;
        lowering.harness.depth = self.depth;
        lowering.harness.nullable = !self.no_null;
        lowering.harness.sharing = !self.no_sharing;
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
    AssertKind::UseAfterFree,
    AssertKind::Free,
    AssertKind::Constant,
    AssertKind::Overlap,
    AssertKind::VlaLength,
    AssertKind::Division,
    AssertKind::Overflow,
    AssertKind::Shift,
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
