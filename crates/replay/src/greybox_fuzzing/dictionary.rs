//! The dictionary of a fuzz target: the texts among the constants that a function can reach. Mutation puts them into text.
//!
//! **Idea.** A program that looks for words compares them letter by letter, or steps over them, in loops of its own. Then no
//! comparison has a whole word as its operand, and a random change gets one letter right at a time, if that shows at all. The words stand
//! in the program, though: as string constants, which the fuzzer is given.
//!
//! Example: `contains(text, "Microsoft!")`, where `contains` has two loops over `text` and its other argument, is true for one text in
//! 256¹⁰; with the dictionary, for one change in some hundred.
//!
//! **Source.** A. Fioraldi et al., "AFL++: combining incremental steps of fuzzing research" (WOOT 2020): its "autodictionary" is made by the
//! compiler from operands of comparisons. Here all constants count that the function mentions, directly or through what it calls, as
//! operands of comparisons are copied anyway.
//!
//! **Direction of error.** None: a word is a proposal.

use std::collections::BTreeMap;
use std::fmt::Write;

use footpath_frontend::llvm::ast::{ConstId, ConstKind, Module};
use rustc_hash::FxHashSet;

/// The longest word, as in `fuzzer/state.h` (`TEXT`); longer texts are messages.
const LONGEST: usize = 32;
/// The largest number of words of a function; the others of the fuzzer's room for words (`KNOWN`) are what it learns.
const MOST: usize = 128;

/// The definitions of the words of each target, in LLVM's text. A target is given by the names of what it reaches.
pub(super) fn definitions(module: &Module, targets: &[FxHashSet<&str>]) -> String {
    let texts: Vec<(&str, Vec<&[u8]>)> = module
        .globals
        .iter()
        .filter(|global| global.is_constant)
        .filter_map(|global| Some((module.text(global.name), words(module, global.init?))))
        .filter(|(_, words)| !words.is_empty())
        .collect();
    let mut numbers: BTreeMap<&[u8], usize> = BTreeMap::new();
    let (mut rows, mut of_targets, mut firsts) = (Vec::new(), Vec::new(), vec!["i32 0".to_owned()]);
    for reached in targets {
        let here = texts.iter().filter(|(name, _)| reached.contains(name));
        let mut words: Vec<&[u8]> = here.flat_map(|(_, words)| words.iter().copied()).collect();
        words.sort_unstable_by_key(|word| (word.len(), *word));
        words.dedup();
        for word in words.into_iter().take(MOST) {
            let number = *numbers.entry(word).or_insert_with(|| {
                rows.push(row(word));
                rows.len() - 1
            });
            of_targets.push(format!("i32 {number}"));
        }
        firsts.push(format!("i32 {}", of_targets.len()));
    }
    let table = |name: &str, ty: &str, rows: &[String]| {
        format!("@footpath_fuzz_{name} = constant [{} x {ty}] [{}]\n", rows.len(), rows.join(", "))
    };
    table("words", &format!("{{ i32, [{LONGEST} x i8] }}"), &rows)
        + &table("words_of_targets", "i32", &of_targets)
        + &table("first_words_of_targets", "i32", &firsts)
}

/// The texts in a constant: up to their first zero, and of at least two bytes.
fn words(module: &Module, constant: ConstId) -> Vec<&[u8]> {
    let (mut found, mut todo) = (Vec::new(), vec![constant]);
    while let Some(id) = todo.pop() {
        match &module.constant(id).kind {
            ConstKind::Bytes(bytes) => {
                let word = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
                found.extend(Some(word).filter(|word| (2..=LONGEST).contains(&word.len())));
            }
            ConstKind::Aggregate(elements) => todo.extend(elements.iter().copied()),
            _ => {}
        }
    }
    found
}

/// A word with its size.
fn row(word: &[u8]) -> String {
    let mut text = String::new();
    for at in 0..LONGEST {
        let _ = write!(text, "\\{:02X}", word.get(at).unwrap_or(&0));
    }
    format!("{{ i32, [{LONGEST} x i8] }} {{ i32 {}, [{LONGEST} x i8] c\"{text}\" }}", word.len())
}
