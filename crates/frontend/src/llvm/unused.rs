//! Dead-code elimination of header functions: what headers define and a file does not use is left out.
//!
//! A compiler that is told to keeps everything, both `static` functions of the file that are never called and those
//! that each of its headers defines. The former may be unfinished work of the user, and are tested like others. The
//! latter are the same in every file, and are removed unless something that is kept uses them.
//!
//! Example: of a header's `static inline int min(int, int)` nothing is left in a file that never mentions `min`.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use super::ast::{Body, Callee, ConstId, ConstKind, Function, Linkage, Module, Name, NodeId, Symbol, Value};

/// Removes functions from other files than the one that was compiled, if they are not used.
pub fn leave_out_unused(module: &mut Module) {
    let Some(main) = main_file(module) else { return };
    let mut used = Used { module, seen: FxHashSet::default(), todo: Vec::new() };
    for (i, function) in module.functions.iter().enumerate() {
        let goes = match function.linkage {
            // Its callers have it from another module.
            Linkage::AvailableExternally => true,
            _ if matches!(function.body, Body::Declared) => true,
            Linkage::Private | Linkage::Internal | Linkage::Linkonce | Linkage::LinkonceOdr => {
                file(module, function).is_some_and(|file| file != main)
            }
            _ => false,
        };
        if !goes {
            used.function(i);
        }
    }
    for constant in
        module.globals.iter().filter_map(|g| g.init).chain(module.aliases.iter().map(|a| a.target))
    {
        used.constant(constant);
    }
    used.follow();
    let seen = used.seen;
    let mut index = 0..;
    module.functions.retain(|_| index.next().is_some_and(|i| seen.contains(&i)));
    module.symbols.retain(|_, symbol| !matches!(symbol, Symbol::Function(_)));
    for (i, function) in module.functions.iter().enumerate() {
        module.symbols.insert(function.name, Symbol::Function(i));
    }
}

/// The name of the file that was compiled.
pub(crate) fn main_file(module: &Module) -> Option<PathBuf> {
    let is_unit = |id: &NodeId| module.node(*id).with(&module.names).kind() == "DICompileUnit";
    file_name(module, module.metadata.nodes().map(|(id, _)| id).find(is_unit)?)
}

/// The name of the file that contains a function.
fn file(module: &Module, function: &Function) -> Option<PathBuf> {
    file_name(module, function.dbg?)
}

/// The same file may be named with its folder or apart from it.
fn file_name(module: &Module, node: NodeId) -> Option<PathBuf> {
    let file = module.node(module.node(node).with(&module.names).node("file")?).with(&module.names);
    Some(Path::new(file.string("directory").unwrap_or("")).join(file.string("filename")?))
}

/// Functions that are used, by position.
struct Used<'m> {
    module: &'m Module,
    seen: FxHashSet<usize>,
    todo: Vec<usize>,
}

impl Used<'_> {
    fn function(&mut self, index: usize) {
        if self.seen.insert(index) {
            self.todo.push(index);
        }
    }

    fn name(&mut self, name: Name) {
        if let Some(Symbol::Function(index)) = self.module.symbol(name) {
            self.function(index);
        }
    }

    fn constant(&mut self, constant: ConstId) {
        let mut todo = vec![constant];
        while let Some(constant) = todo.pop() {
            match &self.module.constant(constant).kind {
                ConstKind::Global(name)
                | ConstKind::Equivalent(name)
                | ConstKind::BlockAddress { function: name, .. } => self.name(*name),
                ConstKind::Aggregate(parts) | ConstKind::PtrAuth(parts) => todo.extend(parts.iter()),
                ConstKind::Splat(part) => todo.push(*part),
                ConstKind::Expr(inst) => inst.for_each_operand(|operand| match operand.value {
                    Value::Const(part) => todo.push(part),
                    Value::Local(_) => {}
                }),
                _ => {}
            }
        }
    }

    /// Follows uses transitively.
    fn follow(&mut self) {
        while let Some(index) = self.todo.pop() {
            for inst in self.module.functions[index].body.code().into_iter().flat_map(|code| &code.insts) {
                inst.kind.for_each_operand(|operand| match operand.value {
                    Value::Const(constant) => self.constant(constant),
                    Value::Local(_) => {}
                });
                if let Some(Callee::Named(name)) = inst.kind.as_call().map(|call| call.callee) {
                    self.name(name);
                }
            }
        }
    }
}
