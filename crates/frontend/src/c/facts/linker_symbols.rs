//! Linker symbols: names that the linker or the assembler gives an address, so that two names may be of one place.
//!
//! **Idea.** The assembler's directive `.set a, b` makes `a` another name of `b`, which is taken for what it is
//! ([`assembler_aliases`]). What else a file says in assembly of its own is not read. A variable that it names, and that no file
//! defines, may lie anywhere among all variables that it names. The bounds `__start_x` and `__stop_x` of a section `x`, which
//! the linker defines, lie in the same way among the variables that are put into that section.
//!
//! In a program for proofs the address of such a name is therefore an unknown constant (`lower/link_time.rs`), and what lies
//! there is one region. Tests are run, and the program form is not made to know what they do.
//!
//! Example: a loop from `__start_mods` to `__stop_mods` may change each variable with the attribute `section("mods")`.
//!
//! **Direction of error.** Towards addresses that no linker gives. What a script of the linker defines is not seen, except for
//! the ends of segments that all scripts have.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use crate::llvm::ast::Module;

use super::link::{GlobalRef, Linked, Target};
use super::points_to::Regions;
use super::references::Mentions;

/// Names of the ends of segments, which lie beside variables.
const ENDS: [&str; 7] =
    ["_end", "_edata", "_etext", "__bss_start", "__data_start", "__executable_start", "__dso_handle"];

/// See the module.
#[derive(Clone, Default, Debug)]
pub(crate) struct LinkerSymbols {
    /// The variables whose address only the linker knows.
    pub(crate) placed: FxHashSet<GlobalRef>,
    /// The variables that assembly or the bounds of their section may reach.
    pub(crate) reached: FxHashSet<GlobalRef>,
    /// Variables that may be one another.
    groups: Vec<Vec<GlobalRef>>,
}

impl LinkerSymbols {
    /// Finds the names of a program.
    pub(crate) fn of(linked: &Linked<'_>) -> LinkerSymbols {
        let mut found = LinkerSymbols::default();
        let mut in_assembly: Vec<GlobalRef> = Vec::new();
        for (m, module) in linked.modules.iter().enumerate() {
            let words: BTreeSet<&str> =
                module.asm.iter().flat_map(|&line| words(module.text(line))).collect();
            let known: BTreeSet<String> =
                assembler_aliases(module).into_iter().map(|(name, _)| name).collect();
            let named = |g: &GlobalRef| {
                let name = linked.global_name(*g);
                g.module as usize == m && words.contains(name) && !known.contains(name)
            };
            in_assembly.extend(linked.globals().map(|(g, _)| g).filter(named));
        }
        let mut sections: BTreeSet<&str> = BTreeSet::new();
        let bound = |name: &'_ str| -> Option<usize> {
            ["__start_", "__stop_"].iter().find(|start| name.starts_with(**start)).map(|start| start.len())
        };
        for (g, global) in linked.globals().filter(|(_, global)| global.init.is_none()) {
            let name = linked.global_name(g);
            if let Some(length) = bound(name) {
                sections.insert(&name[length..]);
                found.placed.insert(g);
            }
            if ENDS.contains(&name) {
                found.placed.insert(g);
            }
            if in_assembly.contains(&g) && !global.linkage.is_local() {
                found.placed.insert(g);
            }
        }
        for section in sections {
            let is_in = |g: &GlobalRef| {
                let global = linked.global(*g);
                let name = linked.global_name(*g);
                let is_bound = global.init.is_none() && bound(name).is_some_and(|n| &name[n..] == section);
                let module = &linked.modules[g.module as usize];
                is_bound || global.section.is_some_and(|s| module.text(s) == section)
            };
            found.groups.push(linked.globals().map(|(g, _)| g).filter(is_in).collect());
        }
        found.groups.push(in_assembly);
        found.reached.extend(found.groups.iter().flatten());
        found
    }

    /// Unifies the regions of names that may be of one place, for proofs.
    pub(crate) fn unify(&self, regions: &mut Regions) {
        for group in &self.groups {
            let places: Vec<_> = group.iter().filter_map(|&g| regions.global(g)).collect();
            for pair in places.windows(2) {
                regions.unite(pair[0], pair[1]);
            }
            regions.shared.extend(group.iter().copied());
        }
    }

    /// Whether a function mentions a name whose address only the linker knows.
    pub(crate) fn are_mentioned(&self, mentions: &Mentions) -> bool {
        mentions.globals.iter().any(|g| self.placed.contains(g))
    }
}

/// The names that a module's assembly defines as other names of the same place, with these.
pub(crate) fn assembler_aliases(module: &Module) -> Vec<(String, String)> {
    let lines = module.asm.iter().map(|&line| module.text(line).replace("\\0A", "\n").replace("\\09", " "));
    let text: Vec<String> = lines.collect();
    let statements = text.iter().flat_map(|line| line.split(['\n', ';'])).map(str::trim);
    let is_name = |name: &str| words(name).eq([name]);
    let alias = |statement: &str| {
        let rest = [".set", ".equ", ".equiv"].iter().find_map(|d| statement.strip_prefix(d));
        let (name, of) = match rest.filter(|rest| rest.starts_with([' ', '\t'])) {
            Some(rest) => rest.split_once(',')?,
            None => statement.split_once('=')?,
        };
        let (name, of) = (name.trim(), of.trim());
        (is_name(name) && is_name(of)).then(|| (name.to_owned(), of.to_owned()))
    };
    statements.filter_map(alias).collect()
}

/// The words of a line of assembly that may be names.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$');
    line.split(move |c: char| !of_name(c)).filter(|word| word.starts_with(|c: char| !c.is_ascii_digit()))
}

/// What a name stands for in a module, if the module has it.
pub(crate) fn named(module: &Module, number: u32, name: &str) -> Option<Target> {
    use super::link::FnRef;
    let functions = module.functions.iter().position(|f| module.text(f.name) == name);
    let function = functions.map(|i| Target::Function(FnRef { module: number, index: i as u32 }));
    let global = || module.globals.iter().position(|g| module.text(g.name) == name);
    function.or_else(|| global().map(|i| Target::Global(GlobalRef { module: number, index: i as u32 })))
}
