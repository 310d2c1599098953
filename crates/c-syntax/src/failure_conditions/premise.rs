//! Premises: what is assumed of the inputs that a condition of failure speaks of, in words.
//!
//! Example: behind "given" stands "pointers are null or point to different objects, arrays have 1 to 8 elements" for a harness that
//! makes an array.

use footpath_frontend::c::source::c_types::CType;
use footpath_frontend::c::{HarnessOptions, InputObject};

use super::CSyntax;

impl CSyntax<'_> {
    /// What the harness assumes.
    pub fn premise(&self, options: &HarnessOptions) -> String {
        let mut parts = vec!["pointers are null or point to different objects".to_owned()];
        if self.harness.links.iter().any(|link| !link.sentinels.is_empty()) {
            parts.push("or are numbers that they are compared with".to_owned());
        }
        if self.harness.is_cut {
            parts.push(format!("{} pointers are followed at most, so lists are no longer", options.depth));
        }
        if self.harness.is_acyclic {
            parts.push("lists do not lead back".to_owned());
        }
        if self.harness.objects.iter().any(|o| o.count.is_some()) {
            parts.push(format!("arrays have 1 to {} elements", options.array_length));
        }
        let is_char = |ty| matches!(self.lowered.types.resolved(ty), CType::Int { is_char: true, .. });
        let is_text = |o: &InputObject| {
            o.count.is_some() && o.memory.is_some_and(|(_, grain)| grain == 1) && is_char(o.element)
        };
        if self.harness.objects.iter().any(is_text) {
            parts.push("those of char end with a zero byte".to_owned());
        }
        if let Some(arguments) = &self.harness.arguments {
            let (whole, others) = (arguments.general.len(), arguments.numbers.len());
            parts.push(match others {
                0 => format!("no more than {whole} variable arguments are read"),
                _ => format!(
                    "no more than {whole} integers or pointers and {others} floating-point numbers are read as variable arguments"
                ),
            });
        }
        parts.join(", ")
    }
}
