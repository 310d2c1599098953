//! Files for callees: which other files of a project define what the files that are analysed call.
//!
//! **Idea.** A function without a body may return anything, so a finding in its caller may rest on a result that it never
//! returns. Where the files come from a compilation database, the others of the database are compiled, those in the nearest folders
//! first, and those are analysed along that define what is declared and not defined, until nothing is missing. Their
//! functions are code that runs, in tests and in proofs, but nothing in them is looked for.
//!
//! Example: of the 29 files of a library only `query.c` is to be tested, which calls `escape`. The file `escape.c` defines it, and
//! calls nothing; so these two are compiled, and the tests call the true `escape`.
//!
//! **Direction of error.** None: what is not found stays a function without a body, about which nothing is assumed. If two files
//! define a function, as those of two programs in one database may, that of the nearer one is taken.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use footpath_replay::Compiler;

use crate::Options;
use crate::compile::each;

/// So many files at most are looked at.
const MOST: usize = 64;

/// What a module has, by the names that others see.
#[derive(Default)]
struct Symbols {
    defined: BTreeSet<String>,
    declared: BTreeSet<String>,
}

impl Symbols {
    /// Reads them off LLVM's text, in which each function has a line of its own.
    fn of(text: &str) -> Symbols {
        let mut symbols = Symbols::default();
        for line in text.lines() {
            let (rest, is_definition) = match (line.strip_prefix("define "), line.strip_prefix("declare ")) {
                (Some(rest), _) => (rest, true),
                (_, Some(rest)) => (rest, false),
                _ => continue,
            };
            let Some((before, after)) = rest.split_once('@') else { continue };
            let is_local = before.split(' ').any(|word| matches!(word, "internal" | "private"));
            let name = match after.strip_prefix('"') {
                Some(quoted) => quoted.split('"').next(),
                None => after.split('(').next(),
            };
            if let Some(name) = name.filter(|name| !is_local && !name.starts_with("llvm.")) {
                let all = if is_definition { &mut symbols.defined } else { &mut symbols.declared };
                all.insert(name.to_owned());
            }
        }
        symbols
    }
}

/// Those of the other files that define what the files call, directly or not; and how many others were not looked at.
pub(crate) fn needed(options: &Options, compiler: &Compiler, work: &Path) -> (Vec<PathBuf>, usize) {
    if options.callee_files.is_empty() {
        return (Vec::new(), 0);
    }
    let here = &compiler.folder;
    let mut others: Vec<&PathBuf> = options.callee_files.iter().collect();
    others.sort_by_cached_key(|file| distance(file, &options.files));
    let unseen = others.len().saturating_sub(MOST);
    let files: Vec<&PathBuf> = options.files.iter().chain(others.into_iter().take(MOST)).collect();
    let symbols = |number: usize| {
        let file = files[number];
        let compiler = Compiler { flags: options.flags_of(file), ..compiler.clone() };
        let text = compiler.to_llvm(&here.join(file), &work.join(format!("callees_{number}.ll")), true);
        // What does not compile defines nothing; of the files that are analysed it is said later.
        text.map(|text| Symbols::of(&text)).unwrap_or_default()
    };
    let found = each(files.len(), options.jobs, &symbols);
    let chosen = closure(&found, options.files.len());
    (chosen.into_iter().map(|number| files[number].clone()).collect(), unseen)
}

/// The numbers of the modules behind the first `own` ones that define what those, or modules so chosen, declare only.
fn closure(modules: &[Symbols], own: usize) -> Vec<usize> {
    let own = own.min(modules.len());
    let mut defined: BTreeSet<&String> = modules[..own].iter().flat_map(|m| &m.defined).collect();
    let mut open: Vec<&String> = modules[..own].iter().flat_map(|m| &m.declared).collect();
    let mut chosen = BTreeSet::new();
    while let Some(name) = open.pop() {
        if defined.contains(name) {
            continue;
        }
        let definer = (own..modules.len()).find(|&number| modules[number].defined.contains(name));
        if let Some(number) = definer.filter(|number| chosen.insert(*number)) {
            defined.extend(&modules[number].defined);
            open.extend(&modules[number].declared);
        }
    }
    chosen.into_iter().collect()
}

/// How far a file is from the nearest of others: the folders that the paths do not share.
fn distance(file: &Path, from: &[PathBuf]) -> usize {
    let parts = |path: &Path| path.parent().map_or(0, |folder| folder.components().count());
    let shared = |other: &PathBuf| {
        let pairs = file.parent().into_iter().flat_map(Path::components);
        let others = other.parent().into_iter().flat_map(Path::components);
        pairs.zip(others).take_while(|(a, b)| a == b).count()
    };
    from.iter().map(|other| parts(file) + parts(other) - 2 * shared(other)).min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_read_off_the_text_and_local_ones_left_out() {
        let text = "define dso_local i32 @f(i32 %0) #0 {\n  %1 = call i32 @g(i32 %0)\n}\n\
            define internal void @own() {\ndeclare i32 @g(i32 noundef) #1\ndeclare void @\"a b\"(i8*)\n\
            declare void @llvm.memcpy.p0i8.p0i8.i64(i8*, i8*, i64, i1)\n@x = global i32 0\n";
        let symbols = Symbols::of(text);
        let names = |of: &BTreeSet<String>| of.iter().cloned().collect::<Vec<_>>();
        assert_eq!(
            (names(&symbols.defined), names(&symbols.declared)),
            (vec!["f".to_owned()], vec!["a b".to_owned(), "g".to_owned()])
        );
    }

    #[test]
    fn what_is_called_is_followed_and_the_nearest_definition_taken() {
        let module = |defined: &[&str], declared: &[&str]| {
            let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
            Symbols { defined: set(defined), declared: set(declared) }
        };
        let modules = [
            module(&["f"], &["g", "memcpy"]),
            module(&["main"], &["f"]),
            module(&["g"], &["h"]),
            module(&["g", "h"], &[]),
            module(&["h"], &["k"]),
            module(&["k"], &[]),
        ];
        assert_eq!(closure(&modules, 1), [2, 3]);
        assert_eq!(closure(&modules, 3), [3]);
        assert_eq!(closure(&modules[..1], 1), [0; 0]);
        let from = [PathBuf::from("a/b/x.c")];
        let distances =
            ["a/b/y.c", "a/z.c", "a/b/c/z.c", "d/z.c", "z.c"].map(|p| distance(Path::new(p), &from));
        assert_eq!(distances, [0, 1, 1, 3, 2]);
    }
}
