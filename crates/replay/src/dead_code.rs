//! Dead-code elimination in LLVM's text: what a program that starts at `main` cannot reach is removed.
//!
//! **Idea.** A test file includes the whole source of the function that it tests, and compiling a large source costs
//! many times what the tests need. The definitions of the text form a graph (a definition mentions others by
//! `@name`); what is not reachable from `main`, from constructors and from what other objects need is dropped before
//! the compiler continues.
//!
//! Example: with `main` calling `@test_1`, which calls `@f`, the definition of an `@g` that neither mentions is
//! dropped.
//!
//! **Direction of error.** None for the test: a name that is mentioned anywhere in a definition that is kept is kept,
//! called or not.

use std::collections::BTreeSet;
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

/// A text without dead code.
#[derive(Clone, Debug)]
pub(crate) struct Pruned {
    /// The text.
    pub text: String,
    /// The functions that were removed.
    pub dropped: BTreeSet<String>,
}

/// Definitions that the linker or the loader needs although nothing mentions them.
const KEPT: [&str; 4] = ["llvm.global_ctors", "llvm.global_dtors", "llvm.used", "llvm.compiler.used"];

/// A variable, an alias or a function with its body.
struct Definition<'t> {
    name: &'t str,
    range: Range<usize>,
    is_function: bool,
}

/// Removes the definitions that neither `main` nor a definition that `is_root` names mentions, directly or through
/// others.
pub(crate) fn prune(text: &str, is_root: &dyn Fn(&str) -> bool) -> Pruned {
    let mentions = Mentions::of(text);
    // Those with numbers for names must be numbered without a gap.
    let is_number = |name: &str| !name.is_empty() && name.bytes().all(|b| b.is_ascii_digit());
    let starts = |name: &str| name == "main" || KEPT.contains(&name) || is_number(name) || is_root(name);
    let kept = mentions.reached(&starts);
    let Mentions { definitions, .. } = mentions;
    let mut pruned = Pruned { text: String::with_capacity(text.len()), dropped: BTreeSet::new() };
    let mut done = 0;
    for (i, definition) in definitions.iter().enumerate() {
        if kept.contains(&i) {
            continue;
        }
        pruned.text.push_str(&text[done..definition.range.start]);
        done = definition.range.end;
        if definition.is_function {
            pruned.dropped.insert(definition.name.to_owned());
        }
    }
    pruned.text.push_str(&text[done..]);
    pruned
}

/// Which definitions of a text mention which.
pub(crate) struct Mentions<'t> {
    definitions: Vec<Definition<'t>>,
    /// For each the numbers of those that it mentions.
    mentioned: Vec<Vec<usize>>,
}

impl<'t> Mentions<'t> {
    /// Those of a text.
    pub(crate) fn of(text: &'t str) -> Mentions<'t> {
        let definitions = definitions(text);
        let numbers: FxHashMap<&str, usize> =
            definitions.iter().enumerate().map(|(i, definition)| (definition.name, i)).collect();
        let of = |definition: &Definition| {
            let names = mentioned(&text[definition.range.clone()]);
            let mut others: Vec<usize> = names.filter_map(|name| numbers.get(name).copied()).collect();
            others.sort_unstable();
            others.dedup();
            others
        };
        let mentioned = definitions.iter().map(of).collect();
        Mentions { definitions, mentioned }
    }

    /// The numbers of the definitions that `is_root` names, and of those that they mention, directly or through others.
    fn reached(&self, is_root: &dyn Fn(&str) -> bool) -> FxHashSet<usize> {
        let is_root = |i: &usize| is_root(self.definitions[*i].name);
        let mut todo: Vec<usize> = (0..self.definitions.len()).filter(is_root).collect();
        let mut reached: FxHashSet<usize> = todo.iter().copied().collect();
        while let Some(i) = todo.pop() {
            todo.extend(self.mentioned[i].iter().copied().filter(|&other| reached.insert(other)));
        }
        reached
    }

    /// The names of these.
    pub(crate) fn names(&self, is_root: &dyn Fn(&str) -> bool) -> FxHashSet<&'t str> {
        self.reached(is_root).into_iter().map(|i| self.definitions[i].name).collect()
    }
}

/// The definitions of a text, in order. LLVM prints a variable on a line of its own, and a function from a line that
/// begins with `define` to one that is `}`.
fn definitions(text: &str) -> Vec<Definition<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut lines = text.split_inclusive('\n');
    while let Some(line) = lines.next() {
        let start = at;
        at += line.len();
        let is_function = line.starts_with("define ");
        if is_function {
            for inner in lines.by_ref() {
                at += inner.len();
                if inner.trim_end() == "}" {
                    break;
                }
            }
        }
        if (is_function || line.starts_with('@'))
            && let Some(name) = mentioned(line).next()
        {
            found.push(Definition { name, range: start..at, is_function });
        }
    }
    found
}

/// The names after `@` in a text, without quotation marks. What looks like a name in a string constant counts as one.
fn mentioned(text: &str) -> impl Iterator<Item = &str> {
    text.split('@').skip(1).map(|rest| match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next().unwrap_or(""),
        None => {
            let is_end = |c: char| !(c.is_ascii_alphanumeric() || "$._-".contains(c));
            &rest[..rest.find(is_end).unwrap_or(rest.len())]
        }
    })
}

/// The words of a text in C.
pub(crate) fn mentioned_in_c(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
target triple = \"x\"
@table = constant [1 x ptr] [ptr @by_table]
@lost = global ptr @by_lost
@alias = alias void (), ptr @aliased
@0 = private unnamed_addr constant i32 1
@1 = private unnamed_addr constant i32 2

define void @main() {
  call void @alias()
  %x = load ptr, ptr @table
  %y = load i32, ptr @1
  ret void
}
define internal void @by_table() {
  call void @\"with space\"()
  ret void
}
define void @\"with space\"() {
  ret void
}
define void @aliased() {
  ret void
}
define void @by_lost() {
  call void @only_from_lost()
  ret void
}
define void @only_from_lost() {
  ret void
}
define void @asked_for() {
  ret void
}
declare void @other()
";

    #[test]
    fn what_main_reaches_and_what_others_ask_for_stays() {
        let pruned = prune(TEXT, &|name| name == "asked_for");
        assert_eq!(pruned.dropped, BTreeSet::from(["by_lost".to_owned(), "only_from_lost".to_owned()]));
        for kept in [
            "@table =",
            "@alias =",
            "@0 =",
            "@by_table()",
            "@\"with space\"() {",
            "@aliased() {",
            "@asked_for()",
        ] {
            assert!(pruned.text.contains(kept), "{kept} is missing in {}", pruned.text);
        }
        assert!(!pruned.text.contains("lost"), "{}", pruned.text);
        assert!(pruned.text.ends_with("declare void @other()\n"));
    }
}
