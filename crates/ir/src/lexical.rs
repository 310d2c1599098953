//! Reserved words and identifiers of Boogie, shared by the parser and the printer.

/// The reserved words of Boogie 2.4, sorted. Words that only newer Boogie reserves (`datatype`, `is`, `pure` …) are not
/// here: they are identifiers, which the parser recognises where nothing else can stand.
pub const RESERVED_WORDS: &[&str] = &[
    "RNA",
    "RNE",
    "RTN",
    "RTP",
    "RTZ",
    "assert",
    "assume",
    "async",
    "axiom",
    "bool",
    "break",
    "call",
    "complete",
    "const",
    "div",
    "else",
    "ensures",
    "exists",
    "extends",
    "false",
    "forall",
    "free",
    "function",
    "goto",
    "havoc",
    "if",
    "implementation",
    "int",
    "invariant",
    "lambda",
    "mod",
    "modifies",
    "old",
    "par",
    "procedure",
    "real",
    "requires",
    "return",
    "returns",
    "roundNearestTiesToAway",
    "roundNearestTiesToEven",
    "roundTowardNegative",
    "roundTowardPositive",
    "roundTowardZero",
    "then",
    "true",
    "type",
    "unique",
    "var",
    "where",
    "while",
    "yield",
];

/// Whether an identifier may have this character; digits may not come first.
pub fn is_identifier_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || "'~#$^_.?`".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_words_are_sorted_identifiers() {
        assert!(RESERVED_WORDS.is_sorted());
        assert!(RESERVED_WORDS.iter().all(|word| word.chars().all(is_identifier_char)));
    }
}
