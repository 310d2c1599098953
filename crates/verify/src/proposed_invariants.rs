//! Invariants of correctness witnesses: loop invariants that other tools propose, proved before they are used.
//!
//! **Idea.** A correctness witness says that a condition holds whenever the head of a loop is reached. Here that is a
//! proposal: the condition is read in the variables of the body, asserted at the head, and proved by induction by the
//! solver, with calls and loops as in any proof of ours (`solver_proofs.rs`). What cannot be proved is dropped, and
//! the rest is tried again (`houdini.rs`). What remains holds in every run, whoever proposed it, and is assumed at
//! the head from then on.
//!
//! Example: a witness says `i <= n` for the loop in line 7; the variables `i` and `n` of the body are looked up, and
//! the candidates are the signed and the unsigned comparison.
//!
//! **Paper.** C. Flanagan, K. R. M. Leino, "Houdini, an annotation assistant for ESC/Java" (FME 2001).
//!
//! **Deviations.** A witness is about runs from `main`; a proposal is proved for every call of the function, so some
//! of what a witness says is lost. Conditions are read over mathematical integers, once with all variables signed,
//! once with all unsigned, since the program form has no C types; both are proposals.
//!
//! **Direction of error.** That of the solver. How a condition is read does not matter for soundness.

use std::sync::Arc;

use footpath_ir::analysis::wto::Wto;
use footpath_ir::source::{SourceMap, Span};
use footpath_ir::{BlockId, Body, ProcId, Program, Variable};
use footpath_term::{Op, SortId, SymbolId, TermId, Terms};

/// An invariant that a tool proposes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proposed {
    /// The tool.
    pub by: Arc<str>,
    /// The function, if it is named.
    pub function: Option<Arc<str>>,
    /// The lines in one of which the loop begins.
    pub lines: Vec<u32>,
    /// The condition, as C writes it.
    pub text: Arc<str>,
}

/// A proposal at a head of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proposal {
    /// The procedure.
    pub procedure: ProcId,
    /// Which of its bodies.
    pub body: u32,
    /// The head.
    pub head: BlockId,
    /// The tool that proposes it.
    pub by: Arc<str>,
    /// The condition, as C writes it.
    pub text: Arc<str>,
}

/// More readings of a proposal than this are not tried.
const MAX_READINGS: usize = 8;

/// The loops of some procedures to which proposals belong, and how many proposals belong to none.
pub fn proposals(
    program: &Program,
    procedures: &[ProcId],
    sources: &SourceMap,
    proposed: &[Proposed],
) -> (Vec<Proposal>, usize) {
    let line = |span: Span| sources.range(span).0.line;
    let mut found = Vec::new();
    let mut used = vec![false; proposed.len()];
    for &procedure in procedures {
        for (index, body) in program[procedure].bodies.iter().enumerate() {
            for component in Wto::of(body).components {
                let head = component.head;
                let first = body[head].statements.first().map(|s| s.span);
                let spans = [Some(body[head].span), first, Some(body[head].terminator.span)];
                let lines: Vec<u32> = spans.into_iter().flatten().map(line).collect();
                for (p, used) in proposed.iter().zip(&mut used) {
                    let other = p.function.as_deref().is_some_and(|f| *f != *program[procedure].name);
                    if other || !p.lines.iter().any(|l| lines.contains(l)) {
                        continue;
                    }
                    *used = true;
                    let (by, text) = (p.by.clone(), p.text.clone());
                    found.push(Proposal { procedure, body: index as u32, head, by, text });
                }
            }
        }
    }
    (found, used.iter().filter(|used| !**used).count())
}

/// The readings of a condition in a body; empty if it cannot be read.
pub(crate) fn readings(terms: &mut Terms, program: &Program, body: &Body, text: &str) -> Vec<TermId> {
    let Some(tree) = parse(text) else { return Vec::new() };
    let mut names = Vec::new();
    tree.names(&mut names);
    let mut choices: Vec<Vec<(String, SymbolId)>> = vec![Vec::new()];
    for name in names {
        let variables = variables(terms, program, body, &name);
        let mut more = Vec::new();
        for chosen in &choices {
            for &v in &variables {
                let mut chosen = chosen.clone();
                chosen.push((name.clone(), v));
                more.push(chosen);
            }
        }
        more.truncate(MAX_READINGS / 2);
        choices = more;
    }
    let mut found: Vec<TermId> = Vec::new();
    for chosen in choices {
        for signed in [true, false] {
            let mut reader = Reader::new(terms, &chosen, signed);
            let value = reader.value(&tree);
            if let Some(condition) = value.map(|v| reader.truth(v))
                && reader.terms.as_bool(condition).is_none()
                && !found.contains(&condition)
            {
                found.push(condition);
            }
        }
    }
    found
}

/// The variables with a name that a body sees.
fn variables(terms: &Terms, program: &Program, body: &Body, name: &str) -> Vec<SymbolId> {
    let globals = program.globals.iter().map(|g| &g.variable);
    let all = body.params.iter().chain(&body.results).chain(&body.locals).chain(globals);
    let is_it = |v: &&Variable| *terms.symbol(v.symbol).name == *name;
    all.filter(is_it).map(|v| v.symbol).collect()
}

/// A C expression.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Tree {
    Number(u64),
    Name(String),
    Not(Box<Tree>),
    Minus(Box<Tree>),
    Binary(&'static str, Box<Tree>, Box<Tree>),
}

impl Tree {
    fn names(&self, into: &mut Vec<String>) {
        match self {
            Tree::Number(_) => {}
            Tree::Name(name) if into.contains(name) => {}
            Tree::Name(name) => into.push(name.clone()),
            Tree::Not(a) | Tree::Minus(a) => a.names(into),
            Tree::Binary(_, a, b) => {
                a.names(into);
                b.names(into);
            }
        }
    }
}

/// Operators with their precedence; longer ones first, so that they are found first.
const OPERATORS: &[(&str, u8)] = &[
    ("||", 1),
    ("&&", 2),
    ("==", 3),
    ("!=", 3),
    ("<=", 4),
    (">=", 4),
    ("<", 4),
    (">", 4),
    ("+", 5),
    ("-", 5),
    ("*", 6),
    ("/", 6),
    ("%", 6),
];
/// The words of C's integer types.
const TYPE_WORDS: &[&str] =
    &["int", "long", "unsigned", "signed", "short", "char", "_Bool", "const", "__int128"];
/// How deep expressions are read.
const MAX_DEPTH: u32 = 200;

/// Reads an expression over integers; `None` if it is anything else.
fn parse(text: &str) -> Option<Tree> {
    let mut parser = Parser { rest: text.trim(), depth: 0 };
    let tree = parser.binary(0)?;
    parser.rest.is_empty().then_some(tree)
}

struct Parser<'a> {
    rest: &'a str,
    depth: u32,
}

impl<'a> Parser<'a> {
    fn eat(&mut self, token: &str) -> bool {
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn binary(&mut self, least: u8) -> Option<Tree> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let mut left = self.unary()?;
        while let Some(&(op, level)) = OPERATORS.iter().find(|(op, _)| self.rest.starts_with(op)) {
            if level <= least {
                break;
            }
            self.eat(op);
            let right = self.binary(level)?;
            left = Tree::Binary(op, Box::new(left), Box::new(right));
        }
        self.depth -= 1;
        Some(left)
    }

    fn unary(&mut self) -> Option<Tree> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let tree = if !self.rest.starts_with("!=") && self.eat("!") {
            Tree::Not(Box::new(self.unary()?))
        } else if self.eat("-") {
            Tree::Minus(Box::new(self.unary()?))
        } else if self.eat("+") {
            self.unary()?
        } else if self.eat("(") {
            if self.cast() {
                self.unary()?
            } else {
                let inner = self.binary(0)?;
                self.eat(")").then_some(inner)?
            }
        } else {
            self.atom()?
        };
        self.depth -= 1;
        Some(tree)
    }

    /// Skips the rest of a cast to an integer type, if that is what stands here.
    fn cast(&mut self) -> bool {
        let Some((inside, behind)) = self.rest.split_once(')') else { return false };
        let mut words = inside.split_whitespace().peekable();
        if words.peek().is_none() || !words.all(|w| TYPE_WORDS.contains(&w)) {
            return false;
        }
        self.rest = behind.trim_start();
        true
    }

    fn atom(&mut self) -> Option<Tree> {
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        let word: &'a str = &self.rest[..end];
        let first = word.chars().next()?;
        self.rest = self.rest[end..].trim_start();
        if !first.is_ascii_digit() {
            // What is called, indexed or followed is no variable.
            let is_plain = !self.rest.starts_with(['(', '[', '.']) && !self.rest.starts_with("->");
            return is_plain.then(|| Tree::Name(word.to_owned()));
        }
        let lower = word.to_ascii_lowercase();
        let number = lower.trim_end_matches(['u', 'l']);
        let value = match number.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16),
            None if number.len() > 1 && number.starts_with('0') => u64::from_str_radix(&number[1..], 8),
            None => number.parse(),
        };
        value.ok().map(Tree::Number)
    }
}

/// What an expression is.
#[derive(Clone, Copy)]
enum Value {
    Truth(TermId),
    Number(TermId),
}

/// Makes terms of an expression: over integers where variables are, else over bit-vectors wide enough for sums and
/// one product.
struct Reader<'t> {
    terms: &'t mut Terms,
    chosen: &'t [(String, SymbolId)],
    signed: bool,
    /// The width; none for integers.
    width: Option<u32>,
}

impl<'t> Reader<'t> {
    fn new(terms: &'t mut Terms, chosen: &'t [(String, SymbolId)], signed: bool) -> Reader<'t> {
        let widths = chosen.iter().filter_map(|(_, s)| terms.width(terms.symbol(*s).sort)).max();
        let is_int = chosen.iter().any(|(_, s)| terms.symbol(*s).sort == SortId::INT);
        let width = if is_int { None } else { widths.map(|w| 2 * w.max(32) + 2) };
        Reader { terms, chosen, signed, width }
    }

    fn literal(&mut self, n: u64) -> TermId {
        match self.width {
            Some(w) => self.terms.bit_vec(w, n),
            None => self.terms.int(i128::from(n)),
        }
    }

    fn value(&mut self, tree: &Tree) -> Option<Value> {
        Some(match tree {
            Tree::Number(n) => Value::Number(self.literal(*n)),
            Tree::Name(name) => {
                let symbol = self.chosen.iter().find(|(n, _)| n == name)?.1;
                let (variable, sort) = (self.terms.var(symbol), self.terms.symbol(symbol).sort);
                match (self.terms.width(sort), self.width) {
                    _ if sort == SortId::BOOL => Value::Truth(variable),
                    (None, None) if sort == SortId::INT => Value::Number(variable),
                    (Some(narrow), Some(wide)) => {
                        let by = wide - narrow;
                        let op = if self.signed { Op::SignExtend(by) } else { Op::ZeroExtend(by) };
                        Value::Number(self.terms.app(op, [variable]))
                    }
                    _ => return None,
                }
            }
            Tree::Not(a) => {
                let a = self.value(a)?;
                let a = self.truth(a);
                Value::Truth(self.terms.app(Op::Not, [a]))
            }
            Tree::Minus(a) => {
                let a = self.value(a)?;
                let (zero, a) = (self.literal(0), self.number(a));
                let op = self.either(Op::BvSub, Op::Sub);
                Value::Number(self.terms.app(op, [zero, a]))
            }
            Tree::Binary(op, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                self.binary(op, a, b)?
            }
        })
    }

    fn either(&self, bits: Op, ints: Op) -> Op {
        if self.width.is_some() { bits } else { ints }
    }

    fn binary(&mut self, op: &str, a: Value, b: Value) -> Option<Value> {
        if let "&&" | "||" = op {
            let args = [self.truth(a), self.truth(b)];
            return Some(Value::Truth(self.terms.app(if op == "&&" { Op::And } else { Op::Or }, args)));
        }
        let (a, b) = (self.number(a), self.number(b));
        let number = match op {
            "+" => Some(self.either(Op::BvAdd, Op::Add)),
            "-" => Some(self.either(Op::BvSub, Op::Sub)),
            "*" => Some(self.either(Op::BvMul, Op::Mul)),
            // Integer division rounds differently in the program form.
            "/" => Some(self.width.map(|_| Op::BvSdiv)?),
            "%" => Some(self.width.map(|_| Op::BvSrem)?),
            _ => None,
        };
        if let Some(op) = number {
            return Some(Value::Number(self.terms.app(op, [a, b])));
        }
        let (less, at_most) = (self.either(Op::BvSlt, Op::Lt), self.either(Op::BvSle, Op::Le));
        let truth = match op {
            "<" => self.terms.app(less, [a, b]),
            ">" => self.terms.app(less, [b, a]),
            "<=" => self.terms.app(at_most, [a, b]),
            ">=" => self.terms.app(at_most, [b, a]),
            "==" => self.terms.app(Op::Eq, [a, b]),
            _ => {
                let equal = self.terms.app(Op::Eq, [a, b]);
                self.terms.app(Op::Not, [equal])
            }
        };
        Some(Value::Truth(truth))
    }

    fn number(&mut self, value: Value) -> TermId {
        match value {
            Value::Number(n) => n,
            Value::Truth(t) => {
                let (one, zero) = (self.literal(1), self.literal(0));
                self.terms.app(Op::Ite, [t, one, zero])
            }
        }
    }

    fn truth(&mut self, value: Value) -> TermId {
        match value {
            Value::Truth(t) => t,
            Value::Number(n) => {
                let zero = self.literal(0);
                let equal = self.terms.app(Op::Eq, [n, zero]);
                self.terms.app(Op::Not, [equal])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(tree: &Tree) -> String {
        match tree {
            Tree::Number(n) => n.to_string(),
            Tree::Name(name) => name.clone(),
            Tree::Not(a) => format!("!{}", shown(a)),
            Tree::Minus(a) => format!("-{}", shown(a)),
            Tree::Binary(op, a, b) => format!("({}{op}{})", shown(a), shown(b)),
        }
    }

    #[test]
    fn expressions_are_read_as_c_reads_them() {
        let read = |text: &str| parse(text).map(|t| shown(&t));
        assert_eq!(read("0 <= i && i < n + 1 * 2"), Some("((0<=i)&&(i<(n+(1*2))))".to_owned()));
        assert_eq!(read("a - b - c == 0x1fUL"), Some("(((a-b)-c)==31)".to_owned()));
        assert_eq!(read("!(x != -1) || ((long long)x) >= 010"), Some("(!(x!=-1)||(x>=8))".to_owned()));
        for strange in ["a[0] == 1", "f(x)", "p->n > 0", "a ? b : c", "x = 1", "", "(x", "x &&", "1.5 < x"] {
            assert_eq!(read(strange), None, "{strange}");
        }
        assert_eq!(read(&"(".repeat(100_000)), None);
    }
}
