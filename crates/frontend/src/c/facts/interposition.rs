//! Symbol interposition: weak definitions, which the linker may replace by others that the analysis does not see.
//!
//! `__attribute__((weak)) int hook(int n) { return n; }` is what runs only if no other file of the program defines `hook`. So
//! in a program for proofs every reference to `hook`, calls included, is one to an external function of that name, while the
//! definition stays as a function of its own, about which something can be proved. A weak variable has an arbitrary initial
//! value, and is no constant. So it is with a weak alias: what it is an alias of is not replaced, only the name is.
//!
//! A name that is weak and defined nowhere, such as `extern int plugin(void) __attribute__((weak));`, has the address null
//! unless another file defines it: its address is null or not, by a constant of the program form
//! (`lower/link_time.rs`). Tests are linked with a definition of it.
//!
//! **Direction of error.** Towards behaviour that the program does not have, where no other file defines the name. Of a whole
//! program the files are known, so its weak definitions are taken for what they are.

use crate::llvm::ast::{Body, Function, Global, Linkage, Module, Symbol};

use super::link::{FnRef, Linked, Target, alias_target};
use super::references::Mentions;

/// Puts external names in the place of weak definitions, in a program for proofs. What they refer to stands in modules of their
/// own behind the others, so that functions keep their numbers.
pub fn interpose(modules: &mut Vec<Module>) {
    let mut external = Vec::new();
    for module in modules.iter_mut() {
        let mut declared: Vec<Function> = Vec::new();
        for function in &mut module.functions {
            if function.linkage.is_interposable() && matches!(function.body, Body::Defined(_)) {
                let body = std::mem::replace(&mut function.body, Body::Declared);
                declared.push(Function { linkage: Linkage::External, dbg: None, ..function.clone() });
                function.body = body;
                function.linkage = Linkage::Interposed;
            }
        }
        let mut variables: Vec<Global> = Vec::new();
        for alias in module.aliases.iter().filter(|a| a.linkage.is_interposable() && !a.is_ifunc) {
            match alias_target(module, alias.target, 0).and_then(|of| module.symbol(of)) {
                Some(Symbol::Function(index)) => declared.push(Function {
                    name: alias.name,
                    linkage: Linkage::External,
                    dbg: None,
                    body: Body::Declared,
                    ..module.functions[index].clone()
                }),
                Some(Symbol::Global(index)) => variables.push(Global {
                    name: alias.name,
                    linkage: Linkage::External,
                    init: None,
                    is_constant: false,
                    ..module.globals[index].clone()
                }),
                Some(Symbol::Alias(_)) | None => {}
            }
        }
        for global in module.globals.iter_mut().filter(|g| is_replaced(g) && g.init.is_some()) {
            (global.init, global.is_constant, global.linkage) = (None, false, Linkage::External);
        }
        if !declared.is_empty() || !variables.is_empty() {
            external.push(Module {
                functions: declared,
                globals: variables,
                aliases: Vec::new(),
                ..module.clone()
            });
        }
    }
    for mut module in external {
        let functions = module.functions.iter().enumerate().map(|(i, f)| (f.name, Symbol::Function(i)));
        let variables = module.globals.iter().enumerate().map(|(i, g)| (g.name, Symbol::Global(i)));
        module.symbols = functions.chain(variables).collect();
        modules.push(module);
    }
}

/// Whether the definition of a variable may be replaced by another file's. For clang, constants that are weak are the same in all
/// files (`weak_odr`), which C does not say, and other compilers do not assume.
fn is_replaced(global: &Global) -> bool {
    global.linkage.is_interposable() || global.linkage == Linkage::WeakOdr
}

/// Whether a name is weak and no module defines it, so that its address may be null.
pub(crate) fn may_be_null(linked: &Linked<'_>, target: Target) -> bool {
    match target {
        Target::Function(f) => {
            let function = linked.function(f);
            function.linkage == Linkage::ExternWeak && matches!(function.body, Body::Declared)
        }
        Target::Global(g) => {
            let global = linked.global(g);
            global.linkage == Linkage::ExternWeak && global.init.is_none()
        }
    }
}

/// Whether a function mentions something that the linker may replace or leave undefined.
pub(crate) fn mentions_weak(linked: &Linked<'_>, mentions: &Mentions) -> bool {
    let weak = |f: &FnRef| linked.function(*f).linkage.is_interposable();
    mentions.weak_aliases
        || mentions.functions.iter().any(weak)
        || mentions.globals.iter().any(|g| {
            let global = linked.global(*g);
            is_replaced(global) && global.linkage != Linkage::Common
        })
}
