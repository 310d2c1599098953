//! Programs broken in one place, to ask Boogie and ourselves about.
//!
//! Mostly a name, number or operator is replaced by another of the file, as this alone leads past the
//! grammar to errors of names and types; now and then a token is dropped or doubled. A few mutants are
//! well-formed, which is worth asking about as well. The choice is by a fixed pseudo-random sequence, so that
//! a finding can be had again.

use std::ops::Range;
use std::path::{Path, PathBuf};

/// Larger files take Boogie too long for the little they add.
const LARGEST: usize = 200_000;

/// Writes `count` mutants of the programs to the folder.
pub fn write(programs: &[PathBuf], folder: &Path, count: usize) -> Result<(), String> {
    let mut texts = Vec::new();
    for program in programs {
        let text = String::from_utf8_lossy(&super::read(program)?).into_owned();
        if text.len() <= LARGEST && !tokens(&text).is_empty() {
            texts.push((program, text));
        }
    }
    // Every program in turn, until there are enough.
    for (index, (program, text)) in texts.iter().cycle().take(count).enumerate() {
        let stem = program.file_stem().unwrap_or_default().to_string_lossy();
        let path = folder.join(format!("{stem}-{index}.bpl"));
        std::fs::write(&path, mutant(text, index as u64))
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(())
}

/// The text, changed in one token.
fn mutant(text: &str, seed: u64) -> String {
    let tokens = tokens(text);
    let mut random = Random(seed);
    let token = &tokens[random.below(tokens.len())];
    let own = &text[token.range.clone()];
    let alike: Vec<&str> = tokens
        .iter()
        .filter(|other| other.kind == token.kind)
        .map(|other| &text[other.range.clone()])
        .filter(|other| *other != own)
        .collect();
    let new = match random.below(10) {
        0 => String::new(),
        1 => format!("{own} {own}"),
        _ if alike.is_empty() => String::new(),
        _ => alike[random.below(alike.len())].to_owned(),
    };
    format!("{}{new}{}", &text[..token.range.start], &text[token.range.end..])
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Name,
    Number,
    Operator,
}

/// A token that may be changed.
#[derive(Debug)]
struct Token {
    kind: Kind,
    range: Range<usize>,
}

/// The longer ones first, as they begin with shorter ones.
const OPERATORS: &[&str] =
    &["<==>", "==>", "<==", "==", "!=", "<=", ">=", "&&", "||", "++", ":=", "<", ">", "+", "-", "*", "/"];

/// Words to leave alone, and not to put anywhere: else most mutants would be no programs at all.
const KEYWORDS: &[&str] = &[
    "assert",
    "assume",
    "axiom",
    "break",
    "call",
    "const",
    "else",
    "ensures",
    "exists",
    "finite",
    "forall",
    "free",
    "function",
    "goto",
    "havoc",
    "if",
    "implementation",
    "invariant",
    "lambda",
    "modifies",
    "procedure",
    "requires",
    "return",
    "returns",
    "then",
    "type",
    "unique",
    "var",
    "where",
    "while",
];

/// The names, numbers and operators of a program.
fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let is_word = |c: char| c.is_alphanumeric() || "_.$#'`~^\\?".contains(c);
    while let Some(first) = rest.chars().next() {
        let (kind, length) = if rest.starts_with("//") {
            (None, rest.find('\n').unwrap_or(rest.len()))
        } else if rest.starts_with("/*") {
            (None, rest.find("*/").map_or(rest.len(), |end| end + 2))
        } else if let Some(operator) = OPERATORS.iter().find(|operator| rest.starts_with(**operator)) {
            (Some(Kind::Operator), operator.len())
        } else if is_word(first) {
            let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            let is_keyword = KEYWORDS.contains(&&rest[..length]);
            let kind = if first.is_ascii_digit() { Kind::Number } else { Kind::Name };
            ((!is_keyword).then_some(kind), length)
        } else {
            (None, first.len_utf8())
        };
        let start = text.len() - rest.len();
        tokens.extend(kind.map(|kind| Token { kind, range: start..start + length }));
        rest = &rest[length..];
    }
    tokens
}

/// A linear congruential generator with the constants of Knuth's MMIX: all that is asked of it is to be the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_names_numbers_and_operators_without_comments_and_keywords() {
        let text = "var x: int; // y\n/* z */ a'b := 1 <==> 2;";
        let found: Vec<(Kind, &str)> =
            tokens(text).into_iter().map(|token| (token.kind, &text[token.range])).collect();
        use Kind::{Name, Number, Operator};
        let names = [(Name, "x"), (Name, "int"), (Name, "a'b")];
        assert_eq!(found[..3], names);
        assert_eq!(found[3..], [(Operator, ":="), (Number, "1"), (Operator, "<==>"), (Number, "2")]);
    }

    #[test]
    fn a_mutant_is_the_same_every_time_and_differs_from_the_program() {
        let text = "procedure p(y: int) { var x: int; x := 1 + y; }";
        assert!((0..50).all(|seed| mutant(text, seed) != text));
        assert_eq!(mutant(text, 7), mutant(text, 7));
        let different: std::collections::BTreeSet<String> = (0..50).map(|seed| mutant(text, seed)).collect();
        assert!(different.len() > 20, "only {}", different.len());
    }
}
