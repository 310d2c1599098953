//! Inline assembly: its instructions are not interpreted; whatever it writes is arbitrary afterwards.
//!
//! Two forms are modelled exactly. A template without instructions, such as a compiler barrier, leaves the operands
//! that it lists as written with the values that they had. A template of alignment and pause instructions only has no
//! other effect.
//!
//! Example: after `asm("rdtsc" : "=a"(low), "=d"(high))` the variables `low` and `high` are arbitrary.
//!
//! **Direction of error.** Memory that is only declared as clobbered keeps its contents, unless
//! [`Options::conservative_externals`](super::super::Options::conservative_externals) is set. Jumps out of assembly
//! (`asm goto`) are not supported.

use footpath_ir::AssertKind;
use footpath_term::TermId;

use crate::llvm::ast::{AttrValue, Call, InlineAsm, Inst, TypeKind};

use super::super::Unsupported;
use super::function::Lowering;

/// Instructions and directives without an effect that a program could see.
const IDLE: &[&str] = &["nop", "pause", ".p2align", ".align", ".balign"];

/// What a constraint says about its operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operand {
    /// A result of the assembly.
    Result,
    /// What the argument points to is written.
    Written,
    /// An argument; it stands in the same place as the operand of this number, if there is one.
    Argument(Option<usize>),
    /// Something else is overwritten.
    Clobber,
}

fn operands(constraints: &str) -> Vec<Operand> {
    let one = |constraint: &str| match constraint.as_bytes() {
        [b'~', ..] => Operand::Clobber,
        [b'=' | b'+', rest @ ..] if rest.contains(&b'*') => Operand::Written,
        [b'=' | b'+', ..] => Operand::Result,
        _ => Operand::Argument(constraint.parse().ok()),
    };
    constraints.split(',').filter(|c| !c.is_empty()).map(one).collect()
}

/// Whether a template has no instruction with an effect.
fn is_idle(template: &str) -> bool {
    let idle = |line: &str| {
        let first = line.split_whitespace().next().unwrap_or("");
        line.is_empty() || line.starts_with('#') || IDLE.contains(&first)
    };
    // LLVM writes line ends as `\0A`.
    template.replace("\\0A", "\n").replace("\\09", " ").split(['\n', ';']).map(str::trim).all(idle)
}

impl Lowering<'_, '_, '_> {
    pub(crate) fn assembly(&mut self, inst: &Inst, call: &Call, asm: InlineAsm) -> Result<(), Unsupported> {
        let operands = operands(self.module.text(asm.constraints));
        if is_idle(self.module.text(asm.template)) {
            return self.unchanged(inst, call, &operands);
        }
        let mut arguments = call.args.iter();
        for operand in &operands {
            let argument = match operand {
                Operand::Written | Operand::Argument(_) => arguments.next(),
                _ => None,
            };
            let (Operand::Written, Some(&(to, attrs))) = (operand, argument) else { continue };
            let ty = match self.module.attr(attrs, "elementtype") {
                Some(AttrValue::Type(ty)) => *ty,
                _ => match self.module.types.kind(to.ty) {
                    TypeKind::Ptr { pointee: Some(ty), .. } => *ty,
                    _ => {
                        return Err(Unsupported::new(
                            "inline assembly that writes to memory of unknown size",
                        ));
                    }
                },
            };
            let sorts = self.cx.sorts(self.f.module, ty)?;
            let value = self.arbitrary(&sorts);
            self.store(to.value, ty, &value)?;
        }
        if operands.contains(&Operand::Clobber) {
            self.conservative_externals(call, false, None);
        }
        self.cx.opaque.insert(self.proc);
        self.cx.with_assembly.insert(self.proc);
        self.cx.notes.push((self.span, "what inline assembly writes is assumed to be arbitrary".to_owned()));
        if super::calls::is_noreturn(self.module, call) {
            let no = self.cx.terms.bool(false);
            self.statement(footpath_ir::StatementKind::assert(no, AssertKind::Exit));
        }
        if inst.result.is_some() {
            let sorts = self.cx.sorts(self.f.module, call.ret)?;
            let value = self.arbitrary(&sorts);
            self.define(inst, value);
        }
        Ok(())
    }

    /// Assembly without instructions: a result that stands in the place of an argument has its value.
    fn unchanged(&mut self, inst: &Inst, call: &Call, operands: &[Operand]) -> Result<(), Unsupported> {
        if inst.result.is_none() {
            return Ok(());
        }
        let wanted = self.cx.sorts(self.f.module, call.ret)?;
        let mut value: Vec<TermId> = Vec::new();
        for (number, _) in operands.iter().enumerate().filter(|(_, o)| **o == Operand::Result) {
            let takes = |o: &&Operand| matches!(o, Operand::Written | Operand::Argument(_));
            let tied = operands.iter().filter(takes).position(|o| *o == Operand::Argument(Some(number)));
            match tied.and_then(|i| call.args.get(i)) {
                Some((argument, _)) => value.extend(self.value(*argument)?),
                // A register that was never written.
                None => {
                    let rest: Vec<_> = wanted.get(value.len()..).unwrap_or_default().to_vec();
                    let any = self.arbitrary(&rest);
                    value.extend(any.first());
                }
            }
        }
        let fits = value.len() == wanted.len()
            && value.iter().zip(&wanted).all(|(&v, &s)| self.cx.terms.sort(v) == s);
        let value = if fits { value } else { self.arbitrary(&wanted) };
        self.define(inst, value);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_say_what_is_read_and_written() {
        use Operand::{Argument, Clobber, Result, Written};
        assert_eq!(operands("=r,0,~{memory}"), [Result, Argument(Some(0)), Clobber]);
        assert_eq!(operands("=*m,r,=&{ax}"), [Written, Argument(None), Result]);
        assert_eq!(operands(""), []);
    }

    #[test]
    fn only_templates_without_instructions_are_idle() {
        assert!(is_idle("") && is_idle(".p2align 6") && is_idle("nop\\0A\\09pause"));
        assert!(!is_idle("cpuid") && !is_idle("nop; int3") && !is_idle("nopl"));
    }
}
