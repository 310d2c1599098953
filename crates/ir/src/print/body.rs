//! The printer of bodies: locals, blocks and statements.

use std::fmt::Write;
use std::sync::Arc;

use footpath_term::{Op, SymbolId, TermId};
use rustc_hash::FxHashMap;

use super::expr::Printer;
use super::names::unique;
use crate::program::{
    AssertKind, Attribute, AttributeArg, Block, Body, Program, Statement, StatementKind, TerminatorKind,
};

/// The variables that stand for `*` in calls: by block, statement, and position among arguments, then
/// results.
type Stars = FxHashMap<(usize, usize, usize), Arc<str>>;

impl Printer<'_> {
    /// Everything between the braces of a body, and the braces. Parameters and results are declared.
    pub(super) fn code(&mut self, program: &Program, body: &Body) {
        let terms = self.terms;
        self.out.push_str("{\n");
        for v in &body.locals {
            self.names.declare(v.symbol, &terms.symbol(v.symbol).name);
        }
        for v in &body.locals {
            self.out.push_str("  var ");
            self.attributes(&v.attributes);
            self.variable(v, true);
            self.out.push_str(";\n");
        }
        let stars = self.stars(program, body);
        let labels = unique(body.blocks.iter().map(|b| &*b.name));
        for (i, block) in body.blocks.iter().enumerate() {
            if i > 0 || self.out.ends_with(";\n") {
                self.out.push('\n');
            }
            let _ = writeln!(self.out, "  {}:", labels[i]);
            for (j, statement) in block.statements.iter().enumerate() {
                self.statement(program, statement, (i, j), &stars);
            }
            self.terminator(block, &labels);
        }
        self.out.push_str("}\n");
    }

    /// Declares a variable for each `*`.
    fn stars(&mut self, program: &Program, body: &Body) -> Stars {
        let mut stars = Stars::default();
        for (i, block) in body.blocks.iter().enumerate() {
            for (j, statement) in block.statements.iter().enumerate() {
                let StatementKind::Call { callee, args, results } = &statement.kind else { continue };
                let callee = &program[*callee];
                let missing = args.iter().map(Option::is_none).chain(results.iter().map(Option::is_none));
                let formals = callee.params.iter().chain(&callee.results);
                for (k, (_, formal)) in missing.zip(formals).enumerate().filter(|(_, (missing, _))| *missing)
                {
                    let name = self.names.claim_variable("star");
                    let sort = self.sort_text(formal.sort(self.terms));
                    let _ = writeln!(self.out, "  var {{:star}} {name}: {sort};");
                    stars.insert((i, j, k), name);
                }
            }
        }
        stars
    }

    fn statement(&mut self, program: &Program, s: &Statement, at: (usize, usize), stars: &Stars) {
        self.out.push_str("    ");
        match &s.kind {
            StatementKind::Assign(pairs) => self.assignment(s, pairs),
            StatementKind::Havoc(symbols) => {
                let names: Vec<_> = symbols.iter().map(|&x| self.symbol_name(x)).collect();
                let _ = write!(self.out, "havoc {}", names.join(", "));
            }
            StatementKind::Assume(condition) => {
                self.out.push_str("assume ");
                self.attributes(&s.attributes);
                self.expr(*condition);
            }
            StatementKind::TryFirst(condition) => {
                self.out.push_str("assume ");
                self.term_attribute("tryfirst", *condition);
                self.attributes(&s.attributes);
                self.out.push_str("true");
            }
            StatementKind::Assert { condition, kind, premise } => {
                self.out.push_str("assert ");
                if *kind != AssertKind::Assert {
                    let _ = write!(self.out, "{{:kind \"{kind}\"}} ");
                }
                if let Some(premise) = premise {
                    self.term_attribute("verified", *premise);
                }
                for attribute in &s.attributes {
                    let says_kind = &*attribute.name == "kind"
                        && matches!(&attribute.args[..], [AttributeArg::Text(t)] if &**t == kind.name());
                    if !says_kind || *kind == AssertKind::Assert {
                        self.attributes(std::slice::from_ref(attribute));
                    }
                }
                self.expr(*condition);
            }
            StatementKind::Call { callee, args, results } => {
                let star = |k: usize| stars.get(&(at.0, at.1, k)).cloned().unwrap_or_else(|| "_".into());
                for k in (0..args.len()).filter(|&k| args[k].is_none()) {
                    let _ = write!(self.out, "havoc {};\n    ", star(k));
                }
                self.out.push_str("call ");
                self.attributes(&s.attributes);
                for (k, result) in results.iter().enumerate() {
                    let name = match result {
                        Some(symbol) => self.symbol_name(*symbol),
                        None => star(args.len() + k),
                    };
                    let _ = write!(self.out, "{}{name}", if k > 0 { ", " } else { "" });
                }
                self.out.push_str(if results.is_empty() { "" } else { " := " });
                let callee = match self.names.procedures.get(callee.index()) {
                    Some(name) => name.clone(),
                    None => program[*callee].name.clone(),
                };
                let _ = write!(self.out, "{callee}(");
                for (k, arg) in args.iter().enumerate() {
                    self.out.push_str(if k > 0 { ", " } else { "" });
                    match arg {
                        Some(term) => self.expr(*term),
                        None => self.out.push_str(&star(k)),
                    }
                }
                self.out.push(')');
            }
        }
        self.out.push_str(";\n");
    }

    fn term_attribute(&mut self, name: &str, term: TermId) {
        let args = vec![AttributeArg::Term(term)];
        self.attributes(&[Attribute { name: name.into(), args }]);
    }

    fn assignment(&mut self, s: &Statement, pairs: &[(SymbolId, TermId)]) {
        let mut values = Vec::new();
        for (i, &(symbol, value)) in pairs.iter().enumerate() {
            self.out.push_str(if i > 0 { ", " } else { "" });
            let name = self.symbol_name(symbol);
            self.out.push_str(&name);
            values.push(self.target(symbol, value));
        }
        self.out.push_str(" := ");
        self.attributes(&s.attributes);
        for (i, value) in values.into_iter().enumerate() {
            self.out.push_str(if i > 0 { ", " } else { "" });
            self.expr(value);
        }
    }

    /// Writes `[i][j]` for as far as the value is an update of the variable in place, and gives the
    /// element's value: `m := m[i := m[i][j := v]]` is printed `m[i][j] := v`.
    fn target(&mut self, symbol: SymbolId, mut value: TermId) -> TermId {
        let terms = self.terms;
        // The indices so far; the base of the next update must select just these from the variable.
        let mut path: Vec<&[TermId]> = Vec::new();
        loop {
            let t = terms.term(value);
            if t.op != Op::Store {
                return value;
            }
            let mut base = t.args[0];
            for &indices in path.iter().rev() {
                let b = terms.term(base);
                if b.op != Op::Select || b.args[1..] != *indices {
                    return value;
                }
                base = b.args[0];
            }
            if terms.term(base).op != Op::Var(symbol) {
                return value;
            }
            let (element, indices) = t.args[1..].split_last().expect("a store has a value");
            self.out.push('[');
            for (i, &index) in indices.iter().enumerate() {
                self.out.push_str(if i > 0 { ", " } else { "" });
                self.expr(index);
            }
            self.out.push(']');
            path.push(indices);
            value = *element;
        }
    }

    fn terminator(&mut self, block: &Block, labels: &[Arc<str>]) {
        self.out.push_str("    ");
        let label = |b: crate::BlockId| labels.get(b.index()).map_or("_", |l| &**l);
        match &block.terminator.kind {
            TerminatorKind::Goto(targets) if targets.is_empty() => {
                self.out.push_str("assume {:stop} false;\n    return;");
            }
            TerminatorKind::Goto(targets) => {
                let names: Vec<&str> = targets.iter().map(|&b| label(b)).collect();
                let _ = write!(self.out, "goto {};", names.join(", "));
            }
            TerminatorKind::Branch { condition, then_to, else_to } => {
                self.out.push_str("if (");
                self.expr(*condition);
                let (yes, no) = (label(*then_to), label(*else_to));
                let _ = write!(self.out, ") {{ goto {yes}; }} else {{ goto {no}; }}");
            }
            TerminatorKind::Return => self.out.push_str("return;"),
            TerminatorKind::Fail => self.out.push_str("assert {:fail} false;\n    return;"),
            TerminatorKind::Cut => self.out.push_str("assume {:cut} false;\n    return;"),
        }
        self.out.push('\n');
    }
}
