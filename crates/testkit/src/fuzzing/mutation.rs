//! Mutants of texts: a few changes at random places, the same for the same numbers everywhere.
//!
//! **Direction of error.** None: any text is a fair question to a reader.

use fastrand::Rng;

/// Bytes of the longest mutant.
const LONGEST: usize = 64 << 10;
/// How often a piece is repeated at most; deep nesting comes from it.
const REPETITIONS: usize = 3000;

/// Words that have been trouble to readers of any format.
const WORDS: &[&str] = &[
    "",
    "\0",
    "é",
    "\u{202e}",
    "\u{feff}",
    "\u{10ffff}",
    "\r",
    "\r\n",
    "\n",
    "\t",
    " ",
    "\"",
    "'",
    "\\",
    "\\u0000",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "%",
    "@",
    "#",
    "!",
    "/*",
    "*/",
    "//",
    "--",
    "&",
    ";",
    ":",
    ",",
    ".",
    "..",
    "-",
    "+",
];
/// Numbers at the ends of machine types, and others that are hardly any.
const NUMBERS: &[&str] = &[
    "0",
    "-1",
    "1",
    "00",
    "127",
    "128",
    "255",
    "256",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "99999999999999999999999999999999999999999",
    "1e308",
    "1e999",
    "-0.0",
    "0x",
    "0xFFFFFFFFFFFFFFFFFF",
    "1.5",
];

/// Mutant number `number` of a corpus.
pub(super) fn mutant(corpus: &[String], words: &[&str], seed: u64, number: u64) -> String {
    let mut rng = Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(number));
    let pick = |rng: &mut Rng| corpus[rng.usize(..corpus.len())].as_bytes();
    let mut text = pick(&mut rng).to_vec();
    // Mostly few: a text that is wrong everywhere is refused at its beginning.
    let changes = 1 + rng.usize(..4) * rng.usize(..3);
    for _ in 0..changes {
        let span = piece(&text, &mut rng);
        let new: Vec<u8> = match rng.u8(..10) {
            0 => Vec::new(),
            1 => text[span.clone()].repeat(2),
            2 => text[span.clone()].repeat(1 + rng.usize(..REPETITIONS)),
            3 => vec![rng.u8(..)],
            4 => WORDS[rng.usize(..WORDS.len())].into(),
            5 | 6 => NUMBERS[rng.usize(..NUMBERS.len())].into(),
            7 if !words.is_empty() => words[rng.usize(..words.len())].into(),
            // What is elsewhere, in this text or another one.
            8 => text[piece(&text, &mut rng)].to_vec(),
            _ => {
                let other = pick(&mut rng);
                other[piece(other, &mut rng)].to_vec()
            }
        };
        text.splice(span, new);
        text.truncate(LONGEST);
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// A word, a line, or any piece of a text.
fn piece(text: &[u8], rng: &mut Rng) -> std::ops::Range<usize> {
    let at = rng.usize(..=text.len());
    let around = |is_inside: fn(u8) -> bool| {
        let before = text[..at].iter().rev().take_while(|byte| is_inside(**byte)).count();
        let behind = text[at..].iter().take_while(|byte| is_inside(**byte)).count();
        at - before..at + behind
    };
    match rng.u8(..8) {
        0..=3 => around(|byte| byte.is_ascii_alphanumeric() || byte == b'_'),
        4 => around(|byte| byte != b'\n'),
        5 => at..(at + 1).min(text.len()),
        6 => at..(at + rng.usize(..20)).min(text.len()),
        _ => at..(at + rng.usize(..400)).min(text.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mutant_is_the_same_every_time_and_mutants_differ() {
        let corpus = ["var x: int;\nprocedure p() { x := 1; }\n".to_owned(), "type t;".to_owned()];
        let all: Vec<String> = (0..200).map(|number| mutant(&corpus, &["axiom"], 7, number)).collect();
        assert!(all.iter().enumerate().all(|(n, text)| mutant(&corpus, &["axiom"], 7, n as u64) == *text));
        assert!(all.iter().collect::<std::collections::BTreeSet<_>>().len() > 150);
        assert!(all.iter().any(|text| text.contains("axiom")) && all.iter().all(|t| t.len() <= 3 * LONGEST));
        assert_ne!(mutant(&corpus, &[], 8, 3), mutant(&corpus, &[], 7, 3));
    }
}
