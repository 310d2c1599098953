//! Inline definitions of C99 that another declaration makes external ones, which clang loses where it is told to keep everything.
//!
//! **Idea.** `inline int twice(int x) { return 2 * x; }` alone gives the compiler a body that it may use, and another file has the
//! function. A further declaration without `inline`, or with `extern`, makes it an ordinary definition of this file (C11, 6.7.4). With
//! `-femit-all-decls` clang has printed the function before it comes to that declaration, as one without a body:
//!
//! ```c
//! inline int twice(int x) { return 2 * x; }
//! extern int twice(int x);                    // twice is defined here, and `declare i32 @twice(i32)` is what clang prints
//! ```
//!
//! Such a file is compiled without that flag. What it then lacks are `static` functions that nothing calls.
//!
//! **Direction of error.** Towards the flag: of a file whose declarations do not begin their lines, or come from a macro, nothing is seen, and
//! the function is an external one.

use std::collections::BTreeSet;

/// Whether the source may define a function of which LLVM's text for it has only a declaration.
pub(crate) fn may_be_lost(source: &str, text: &str) -> bool {
    let declared = functions(text, "declare ");
    !declared.is_empty() && source.lines().any(|line| declares(line, &declared))
}

/// Whether one text for a source defines a function that another one declares.
pub(crate) fn are_lost(text: &str, without: &str) -> bool {
    let declared = functions(text, "declare ");
    functions(without, "define ").iter().any(|name| declared.contains(name))
}

/// The functions of LLVM's text in lines that begin with a word, without LLVM's own.
fn functions<'t>(text: &'t str, word: &str) -> BTreeSet<&'t str> {
    let name = |line: &'t str| {
        let (_, behind) = line.strip_prefix(word)?.split_once('@')?;
        let name = behind.split_once('(')?.0;
        (!name.starts_with("llvm.")).then_some(name)
    };
    text.lines().filter_map(name).collect()
}

/// Whether a line of C declares one of some functions at its beginning.
fn declares(line: &str, functions: &BTreeSet<&str>) -> bool {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let Some((before, _)) = line.split_once('(') else { return false };
    let before = before.trim_end();
    let name = &before[before.rfind(|c| !is_of_name(c)).map_or(0, |end| end + 1)..];
    line.starts_with(|c| is_of_name(c) || c == '*') && functions.contains(name)
}

#[cfg(test)]
mod tests {
    use super::{are_lost, may_be_lost};

    #[test]
    fn a_declaration_at_the_beginning_of_a_line_may_make_an_external_definition() {
        let text = "declare i32 @twice(i32 noundef) #0\ndeclare void @llvm.trap()\ndefine i32 @f() {\n";
        assert!(may_be_lost("inline int twice(int x) { return 2 * x; }\nextern int twice(int x);", text));
        assert!(may_be_lost("extern int\n*twice (int x);", text));
        for source in ["int f(void) { return twice(1); }", "    twice(3);\n", "twice;", "int llvm.trap();"] {
            assert!(!may_be_lost(source, text), "{source}");
        }
        assert!(are_lost(text, "define dso_local i32 @twice(i32 noundef %0) #0 {"));
        assert!(!are_lost(text, "define dso_local i32 @f() #0 {\ndeclare i32 @twice(i32)"));
    }
}
