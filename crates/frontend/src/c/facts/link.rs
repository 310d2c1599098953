//! Linking: several LLVM modules become one program, in which every name is resolved to one function or variable.
//!
//! The rules are those of a linker: a name with `internal` linkage is visible in its module only, every other name is
//! visible everywhere, and a definition takes precedence over declarations. Two definitions of one external name are
//! reported as a diagnostic, and the first one is used.
//!
//! Example: `a.ll` calls `@f`, which it only declares, and `b.ll` defines `@f`: the call is one of that definition. A
//! `static` function `f` in `c.ll` is a different one.

use rustc_hash::FxHashMap;

use footpath_ir::diagnostic::Diagnostic;

use super::linker_symbols;
use crate::llvm::ast::{
    Body, ConstId, ConstKind, Function, Global, InstKind, Linkage, Module, Name, NodeId, Symbol, Value,
};

/// A function of one of the modules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FnRef {
    /// Which module.
    pub module: u32,
    /// The position in its functions.
    pub index: u32,
}

/// A global variable of one of the modules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct GlobalRef {
    /// Which module.
    pub module: u32,
    /// The position in its globals.
    pub index: u32,
}

/// What a name stands for after linking.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// A function, defined or only declared.
    Function(FnRef),
    /// A global variable, defined or only declared.
    Global(GlobalRef),
}

/// The modules and their external names.
pub struct Linked<'m> {
    /// The modules.
    pub modules: &'m [Module],
    external: FxHashMap<String, Target>,
}

impl<'m> Linked<'m> {
    /// Links modules; what is defined twice is reported.
    pub fn new(modules: &'m [Module], diagnostics: &mut Vec<Diagnostic>) -> Linked<'m> {
        let mut external: FxHashMap<String, (Target, bool)> = FxHashMap::default();
        for (m, module) in modules.iter().enumerate() {
            let mut add = |name: Name, target, defined: bool, weak: bool, span| {
                let text = module.text(name).to_owned();
                match external.get_mut(&text) {
                    Some((_, true)) if defined && !weak => diagnostics.push(Diagnostic::warning(
                        "defined-twice",
                        span,
                        format!("`{text}` is defined in several files; the first definition is used"),
                    )),
                    Some(known) if defined && !known.1 => *known = (target, true),
                    Some(_) => {}
                    None => {
                        external.insert(text, (target, defined));
                    }
                }
            };
            for (i, f) in module.functions.iter().enumerate() {
                if !f.linkage.is_local() && f.linkage != Linkage::Interposed {
                    let target = Target::Function(FnRef { module: m as u32, index: i as u32 });
                    let defined = !matches!(f.body, Body::Declared);
                    add(f.name, target, defined, f.linkage.is_interposable(), f.span);
                }
            }
            for (i, g) in module.globals.iter().enumerate() {
                if !g.linkage.is_local() {
                    let target = Target::Global(GlobalRef { module: m as u32, index: i as u32 });
                    add(g.name, target, g.init.is_some(), g.linkage.is_interposable(), g.span);
                }
            }
        }
        let external = external.into_iter().map(|(name, (target, _))| (name, target)).collect();
        let mut linked = Linked { modules, external };
        linked.add_aliases();
        linked
    }

    /// Adds the other names of what modules define, which take precedence over declarations.
    fn add_aliases(&mut self) {
        for (m, module) in self.modules.iter().enumerate() {
            let m = m as u32;
            let mut found: Vec<(String, Option<Target>)> = Vec::new();
            for alias in module
                .aliases
                .iter()
                .filter(|alias| !alias.linkage.is_local() && !alias.linkage.is_interposable())
            {
                found.push((module.text(alias.name).to_owned(), self.resolve(m, alias.name)));
            }
            for (name, of) in linker_symbols::assembler_aliases(module) {
                found.push((name, linker_symbols::named(module, m, &of)));
            }
            for (name, target) in found {
                let is_defined = self.external.get(&name).is_some_and(|&known| self.is_defined(known));
                if let (Some(target), false) = (target, is_defined) {
                    self.external.insert(name, target);
                }
            }
        }
    }

    fn is_defined(&self, target: Target) -> bool {
        match target {
            Target::Function(f) => !matches!(self.function(f).body, Body::Declared),
            Target::Global(g) => self.global(g).init.is_some(),
        }
    }

    /// What `name` stands for in a module.
    pub fn resolve(&self, module: u32, name: Name) -> Option<Target> {
        let here = &self.modules[module as usize];
        match here.symbol(name)? {
            Symbol::Function(index) => {
                let own = Target::Function(FnRef { module, index: index as u32 });
                let local = here.functions[index].linkage.is_local();
                Some(if local { own } else { self.external.get(here.text(name)).copied().unwrap_or(own) })
            }
            Symbol::Global(index) => {
                let own = Target::Global(GlobalRef { module, index: index as u32 });
                let local = here.globals[index].linkage.is_local();
                Some(if local { own } else { self.external.get(here.text(name)).copied().unwrap_or(own) })
            }
            // What a resolver returns when the program is loaded, nobody knows.
            Symbol::Alias(index) if here.aliases[index].is_ifunc => None,
            Symbol::Alias(index) => match self.external.get(here.text(name)) {
                Some(&other) if here.aliases[index].linkage.is_interposable() => Some(other),
                _ => self.resolve(module, alias_target(here, here.aliases[index].target, 0)?),
            },
        }
    }

    /// Whether a name of a module is another one for something, unless another file defines it.
    pub fn is_weak_alias(&self, module: u32, name: Name) -> bool {
        let here = &self.modules[module as usize];
        matches!(here.symbol(name), Some(Symbol::Alias(index)) if here.aliases[index].linkage.is_interposable())
    }

    /// The target that a constant of a module names.
    pub fn named_by(&self, module: u32, c: ConstId) -> Option<Target> {
        match self.modules[module as usize].constant(c).kind {
            ConstKind::Global(name) => self.resolve(module, name),
            _ => None,
        }
    }

    /// The node of the debug information that describes a variable.
    pub fn variable(&self, g: GlobalRef) -> Option<NodeId> {
        let module = &self.modules[g.module as usize];
        let expression = self.global(g).attachments.iter().find(|(n, _)| module.text(*n) == "dbg")?.1;
        module.node(expression).with(&module.names).node("var")
    }

    /// The target of an external name.
    pub fn external_named(&self, name: &str) -> Option<Target> {
        self.external.get(name).copied()
    }

    /// The function called `name`, if one of the modules defines it for others, or only one has it.
    pub fn function_named(&self, name: &str) -> Option<FnRef> {
        if let Some(Target::Function(f)) = self.external.get(name) {
            return Some(*f);
        }
        self.functions().map(|(r, _)| r).find(|r| {
            let module = &self.modules[r.module as usize];
            module.text(module.functions[r.index as usize].name) == name
        })
    }

    /// The functions that run before `main` (the list `llvm.global_ctors`), or after it (`llvm.global_dtors`), the
    /// lowest priority first.
    pub fn run_around(&self, list: &str) -> Vec<FnRef> {
        let lists = self.globals().filter(|(g, _)| self.global_name(*g) == list);
        let mut found = Vec::new();
        for (g, global) in lists {
            let module = &self.modules[g.module as usize];
            let parts = |c: ConstId| match &module.constant(c).kind {
                ConstKind::Aggregate(parts) => parts.to_vec(),
                _ => Vec::new(),
            };
            for entry in global.init.map(parts).unwrap_or_default() {
                let [priority, function, ..] = parts(entry)[..] else { continue };
                let ConstKind::Int(priority) = module.constant(priority).kind else { continue };
                if let Some(Target::Function(f)) = self.named_by(g.module, function) {
                    found.push((priority, f));
                }
            }
        }
        found.sort_by_key(|&(priority, _)| priority);
        found.into_iter().map(|(_, f)| f).collect()
    }

    /// A function.
    pub fn function(&self, f: FnRef) -> &'m Function {
        &self.modules[f.module as usize].functions[f.index as usize]
    }

    /// A global variable.
    pub fn global(&self, g: GlobalRef) -> &'m Global {
        &self.modules[g.module as usize].globals[g.index as usize]
    }

    /// A function's name.
    pub fn function_name(&self, f: FnRef) -> &'m str {
        self.modules[f.module as usize].text(self.function(f).name)
    }

    /// A global's name.
    pub fn global_name(&self, g: GlobalRef) -> &'m str {
        self.modules[g.module as usize].text(self.global(g).name)
    }

    /// All functions of all modules.
    pub fn functions(&self) -> impl Iterator<Item = (FnRef, &'m Function)> {
        self.modules.iter().enumerate().flat_map(|(m, module)| {
            let number = move |i| FnRef { module: m as u32, index: i as u32 };
            module.functions.iter().enumerate().map(move |(i, f)| (number(i), f))
        })
    }

    /// All global variables of all modules.
    pub fn globals(&self) -> impl Iterator<Item = (GlobalRef, &'m Global)> {
        self.modules.iter().enumerate().flat_map(|(m, module)| {
            let number = move |i| GlobalRef { module: m as u32, index: i as u32 };
            module.globals.iter().enumerate().map(move |(i, g)| (number(i), g))
        })
    }
}

/// The name behind an alias, looking through casts.
pub(super) fn alias_target(module: &Module, target: ConstId, depth: u32) -> Option<Name> {
    match &module.constant(target).kind {
        ConstKind::Global(name) | ConstKind::Equivalent(name) => Some(*name),
        ConstKind::Expr(inst) if depth < 16 => match &**inst {
            InstKind::Cast { value, .. } => match value.value {
                Value::Const(inner) => alias_target(module, inner, depth + 1),
                Value::Local(_) => None,
            },
            _ => None,
        },
        _ => None,
    }
}
