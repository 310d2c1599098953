//! String literals as the source has them: one global for each mention, which are joined again.
//!
//! A compiler makes one object of equal literals, and computes comparisons of their addresses itself: of `"a" == "a"` LLVM's text has
//! only `true`. That they are one object is unspecified, though (C11 6.4.5, paragraph 7), so nobody may rely on it. Told that literals
//! are variables ([`KEPT_APART`]), clang writes one for each mention, and leaves the comparison:
//!
//! ```text
//! @.str = private unnamed_addr global [2 x i8] c"a\00"      @.str.1 = private unnamed_addr global [2 x i8] c"a\00"
//! br i1 icmp eq ([2 x i8]* @.str, [2 x i8]* @.str.1), label %2, label %3
//! ```
//!
//! Here they become the constants that they are, and equal ones become one, as in programs that run. That they are compared stays to
//! be seen (`c/facts/merged_literals.rs`).
//!
//! **Direction of error.** A text that was made without the flag stays as it is: its comparisons are what the compiler made of them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::ast::{Linkage, Module, Name, Symbol};

/// The flag that makes clang write a global for each mention of a string literal.
pub const KEPT_APART: &str = "-fwritable-strings";

/// Makes constants of the string literals of a module that are kept apart, and one of equal ones.
pub fn join_string_literals(module: &mut Module) {
    let mut first: Vec<usize> = Vec::new();
    let mut joined: FxHashMap<Name, Name> = FxHashMap::default();
    for i in 0..module.globals.len() {
        let global = &mut module.globals[i];
        // Everything else that has no address of its own is a constant.
        if global.linkage != Linkage::Private || global.is_constant || !global.unnamed_addr {
            continue;
        }
        let Some(init) = global.init else { continue };
        global.is_constant = true;
        let (name, ty, align) = (global.name, global.ty, global.align);
        let is_equal = |&&j: &&usize| {
            let other = &module.globals[j];
            let kind = |id| &module.constants.get(id).kind;
            other.ty == ty && other.init.is_some_and(|other| kind(other) == kind(init))
        };
        match first.iter().find(is_equal) {
            Some(&j) => {
                joined.insert(name, module.globals[j].name);
                module.globals[j].align = module.globals[j].align.max(align);
            }
            None => first.push(i),
        }
    }
    if joined.is_empty() {
        return;
    }
    module.constants.rename_globals(&joined);
    let gone: FxHashSet<Name> = joined.into_keys().collect();
    module.globals.retain(|global| !gone.contains(&global.name));
    module.symbols.retain(|_, symbol| !matches!(symbol, Symbol::Global(_)));
    for (i, global) in module.globals.iter().enumerate() {
        module.symbols.insert(global.name, Symbol::Global(i));
    }
}
