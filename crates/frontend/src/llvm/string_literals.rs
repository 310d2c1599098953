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

use super::ast::{ConstId, ConstKind, Linkage, Module, Name, Symbol, TypeId};

/// The flag that makes clang write a global for each mention of a string literal.
pub const KEPT_APART: &str = "-fwritable-strings";

/// The type of a literal, and its text: bytes, or constants for wide characters.
type Key<'a> = (TypeId, &'a [u8], &'a [ConstId]);

/// Makes constants of the string literals of a module that are kept apart, and one of equal ones.
pub fn join_string_literals(module: &mut Module) {
    let Module { globals, constants, .. } = module;
    // Texts are looked up, not compared with all others: files have tens of thousands. Those of one key are nearly always equal.
    let mut first: FxHashMap<Key<'_>, Vec<usize>> = FxHashMap::default();
    let mut joined: FxHashMap<Name, Name> = FxHashMap::default();
    for i in 0..globals.len() {
        let global = &mut globals[i];
        // Everything else that has no address of its own is a constant.
        if global.linkage != Linkage::Private || global.is_constant || !global.unnamed_addr {
            continue;
        }
        let Some(init) = global.init else { continue };
        global.is_constant = true;
        let (name, ty, align) = (global.name, global.ty, global.align);
        let kind = &constants.get(init).kind;
        let key = match kind {
            ConstKind::Bytes(text) => (ty, &**text, &[][..]),
            ConstKind::Aggregate(parts) => (ty, &[][..], &**parts),
            _ => (ty, &[][..], &[][..]),
        };
        let of_the_key = first.entry(key).or_default();
        let is_equal = |&&j: &&usize| globals[j].init.is_some_and(|other| constants.get(other).kind == *kind);
        match of_the_key.iter().find(is_equal) {
            Some(&j) => {
                joined.insert(name, globals[j].name);
                globals[j].align = globals[j].align.max(align);
            }
            None => of_the_key.push(i),
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

#[cfg(test)]
mod tests {
    use footpath_ir::source::FileId;

    use super::*;

    #[test]
    fn literals_with_the_same_text_and_type_become_one() {
        let text = "@a = private unnamed_addr global [2 x i8] c\"x\\00\", align 1\n\
            @b = private unnamed_addr global [2 x i8] c\"x\\00\", align 4\n\
            @c = private unnamed_addr global [3 x i8] c\"x\\00\\00\", align 1\n\
            @d = private unnamed_addr global [2 x i32] [i32 120, i32 0], align 4\n\
            @e = private unnamed_addr global [2 x i32] [i32 120, i32 0], align 4\n\
            @f = private unnamed_addr global [2 x i32] [i32 121, i32 0], align 4\n\
            @g = private unnamed_addr global [2 x i8] zeroinitializer, align 1\n\
            @h = private unnamed_addr global [2 x i8] zeroinitializer, align 1\n\
            @i = private unnamed_addr global [3 x i8] zeroinitializer, align 1\n\
            @j = global [2 x i8] c\"x\\00\", align 1\n\
            @k = global i8* getelementptr inbounds ([2 x i8], [2 x i8]* @b, i64 0, i64 0)\n";
        let (mut module, problems) = crate::llvm::parse::parse(FileId(0), text);
        assert!(problems.is_empty(), "{problems:?}");
        join_string_literals(&mut module);
        let left: Vec<&str> = module.globals.iter().map(|global| module.text(global.name)).collect();
        assert_eq!(left, ["a", "c", "d", "f", "g", "i", "j", "k"]);
        assert_eq!(module.globals[0].align, 4, "the strictest of both");
        assert!(module.globals[0].is_constant && !module.globals[6].is_constant);
    }
}
