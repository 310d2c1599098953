//! Annotations in the source: the calls of `footpath.h`, and those of other tools that mean the same, with which a
//! program states assumptions and what was verified.
//!
//! An *assumption* is a name. Whether everything held that was assumed under it is a boolean variable of the program,
//! true at the start, which `footpath_assumed(P, a)` updates by `a := a && P`. The call `footpath_verified(P, "a &&
//! b")` is an assertion of `P` with the premise `a && b`.
//!
//! **Paper.** PV (Christakis, Müller, Wüstholz, ICSE 2016), Section 3, has assumption variables and premises.
//!
//! **Direction of error.** What an annotation claims to be verified is taken as claimed.

use footpath_ir::{AssertKind, StatementKind};
use footpath_term::{Op, SortId, SymbolId, TermId};

use crate::llvm::ast::{Call, ConstId, ConstKind, InstKind, Value};

use super::super::Unsupported;
use super::super::facts::link::Target;
use super::function::Lowering;

impl Lowering<'_, '_, '_> {
    /// Lowers a call in place, if it is an annotation.
    pub(crate) fn annotation(&mut self, name: &str, call: &Call) -> Result<bool, Unsupported> {
        match name {
            "__VERIFIER_assume" | "footpath_assume" | "klee_assume" => {
                let holds = self.argument_is_true(call, 0)?;
                self.statement(StatementKind::Assume(holds));
            }
            "footpath_assert" => {
                let holds = self.argument_is_true(call, 0)?;
                self.check(AssertKind::Assert, holds);
            }
            "footpath_fails_if" => {
                let fails = self.argument_is_true(call, 0)?;
                let holds = self.cx.not(fails);
                self.check(AssertKind::Assert, holds);
            }
            "footpath_assumed" => {
                let holds = self.argument_is_true(call, 0)?;
                let name = self.text_argument(call, 1)?;
                let variable = self.assumption(&name);
                let so_far = self.cx.terms.var(variable);
                let now = self.cx.app(Op::And, &[so_far, holds]);
                self.assign(vec![(variable, now)]);
            }
            "footpath_verified" => {
                let condition = self.argument_is_true(call, 0)?;
                let text = self.text_argument(call, 1)?;
                let premise = Some(self.premise(&text)?);
                self.statement(StatementKind::Assert { condition, kind: AssertKind::Assert, premise });
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The variable of an assumption.
    fn assumption(&mut self, name: &str) -> SymbolId {
        if let Some(&known) = self.cx.assumptions.get(name) {
            return known;
        }
        let symbol = self.cx.terms.fresh_symbol(name, SortId::BOOL);
        self.cx.assumptions.insert(name.to_owned(), symbol);
        symbol
    }

    /// A premise: names of assumptions with `&&`, `||` and parentheses, as in C.
    fn premise(&mut self, text: &str) -> Result<TermId, Unsupported> {
        let unreadable = || Unsupported::new(format!("the premise \"{text}\""));
        let words = words(text).ok_or_else(unreadable)?;
        let mut rest = words.as_slice();
        let premise = self.alternatives(&mut rest).filter(|_| rest.is_empty());
        premise.ok_or_else(unreadable)
    }

    fn alternatives(&mut self, rest: &mut &[&str]) -> Option<TermId> {
        self.joined(rest, ("||", Op::Or), Self::conjunction)
    }

    fn conjunction(&mut self, rest: &mut &[&str]) -> Option<TermId> {
        self.joined(rest, ("&&", Op::And), Self::operand)
    }

    /// One or more parts with an operator between them.
    fn joined(
        &mut self,
        rest: &mut &[&str],
        (word, op): (&str, Op),
        part: fn(&mut Self, &mut &[&str]) -> Option<TermId>,
    ) -> Option<TermId> {
        let mut whole = part(self, rest)?;
        while let Some((&first, behind)) = rest.split_first()
            && first == word
        {
            *rest = behind;
            let next = part(self, rest)?;
            whole = self.cx.app(op.clone(), &[whole, next]);
        }
        Some(whole)
    }

    fn operand(&mut self, rest: &mut &[&str]) -> Option<TermId> {
        let (&word, behind) = rest.split_first()?;
        *rest = behind;
        match word {
            "(" => {
                let inner = self.alternatives(rest)?;
                let (&close, behind) = rest.split_first()?;
                *rest = behind;
                (close == ")").then_some(inner)
            }
            "true" => Some(self.cx.terms.bool(true)),
            "false" => Some(self.cx.terms.bool(false)),
            name if is_name(name) => {
                let variable = self.assumption(name);
                Some(self.cx.terms.var(variable))
            }
            _ => None,
        }
    }

    /// The text of a string literal that is passed.
    fn text_argument(&self, call: &Call, i: usize) -> Result<String, Unsupported> {
        let bytes = match call.args.get(i).map(|(operand, _)| operand.value) {
            Some(Value::Const(c)) => self.literal_bytes(c),
            _ => None,
        };
        let bytes =
            bytes.ok_or_else(|| Unsupported::new("an annotation whose text is not a string literal"))?;
        let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
        Ok(String::from_utf8_lossy(&bytes[..end]).into_owned())
    }

    /// The bytes that a constant points to the first of.
    pub(crate) fn literal_bytes(&self, c: ConstId) -> Option<&[u8]> {
        match &self.module.constant(c).kind {
            ConstKind::Global(name) => match self.cx.linked.resolve(self.f.module, *name)? {
                Target::Global(g) => {
                    match &self.cx.module(g.module).constant(self.cx.linked.global(g).init?).kind {
                        ConstKind::Bytes(bytes) => Some(bytes),
                        ConstKind::Zero => Some(&[]),
                        _ => None,
                    }
                }
                Target::Function(_) => None,
            },
            ConstKind::Expr(inst) => match &**inst {
                InstKind::Gep(gep) => match gep.base.value {
                    Value::Const(inner) => self.literal_bytes(inner),
                    Value::Local(_) => None,
                },
                InstKind::Cast { value, .. } => match value.value {
                    Value::Const(inner) => self.literal_bytes(inner),
                    Value::Local(_) => None,
                },
                _ => None,
            },
            _ => None,
        }
    }
}

/// Names, operators and parentheses.
fn words(text: &str) -> Option<Vec<&str>> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let in_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = match rest.as_bytes()[0] {
            b'(' | b')' => 1,
            b'&' | b'|' if rest.as_bytes().get(1) == Some(&rest.as_bytes()[0]) => 2,
            _ => rest.find(|c| !in_name(c)).unwrap_or(rest.len()),
        };
        if length == 0 {
            return None;
        }
        let (word, behind) = rest.split_at(length);
        words.push(word);
        rest = behind.trim_start();
    }
    Some(words)
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn premises_are_taken_apart() {
        assert_eq!(words(" a&&(b_1 || c)"), Some(vec!["a", "&&", "(", "b_1", "||", "c", ")"]));
        assert_eq!(words(""), Some(Vec::new()));
        assert_eq!(words("a & b"), None);
        assert_eq!(words("ä"), None);
    }
}
