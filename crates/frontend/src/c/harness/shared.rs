//! A cache of what the harnesses of all functions share: programs have thousands of functions, and most of them reach
//! most of the program through function pointers.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use footpath_ir::StatementKind;
use footpath_term::{SymbolId, TermId};

use super::super::facts::escape::Changes;
use super::super::facts::link::{FnRef, GlobalRef, Linked};
use super::super::facts::opaque_types::Hidden;
use super::super::facts::points_to::Region;
use super::super::facts::references::Known;
use super::super::lower::context::{Pointer, Signature};
use super::super::source::c_types::CTypeId;
use crate::llvm::ast::{Module, NodeId};

/// The pointer in a map at an address, another place that it may lead to, objects to whose starts it may lead, and numbers that it
/// may be.
type Link = (SymbolId, Pointer, Option<Pointer>, Box<[u32]>, Box<[u64]>);

/// See the module.
#[derive(Default)]
pub(in crate::c) struct Shared {
    /// The direct references of functions.
    pub(in super::super) mentions: Known,
    /// The statement that gives a variable its initial value, if that is known; with whether it leaves zeros out.
    pub(super) initial: FxHashMap<(GlobalRef, bool), Option<StatementKind>>,
    /// What may change while the program runs.
    pub(in super::super) changes: Option<Rc<Changes>>,
    /// Whether the library may keep addresses that the program gave it.
    pub(in super::super) has_kept: Option<bool>,
    /// What results of library functions without a model point to.
    pub(in super::super) library_results: Option<Rc<[Region]>>,
    /// The initial values of `$size` and `$alive` for all variables.
    pub(super) variables: Option<(TermId, TermId)>,
    /// The user's functions whose addresses the program takes, by their types.
    pub(super) callable: Option<FxHashMap<Signature, Vec<FnRef>>>,
    /// That a pointer is null or leads somewhere else.
    pub(super) leads_to: FxHashMap<Link, TermId>,
    /// The pointers in maps at addresses, as they are there.
    pub(super) packed: FxHashMap<(SymbolId, Pointer), TermId>,
    /// That such a pointer leads to the start of an object of a number.
    pub(super) is_start_of: FxHashMap<(TermId, u32), TermId>,
    /// The numbers of the functions that a pointer to a type of function can point to, as tests in a module can name
    /// them.
    pub(super) functions: FxHashMap<(CTypeId, u32), Rc<[u32]>>,
    /// The names that tests in a module can use, by the numbers of objects.
    pub(super) names: FxHashMap<u32, Arc<BTreeMap<u32, String>>>,
    /// How pointers from places are used.
    hidden: Option<Rc<Hidden>>,
    /// The nodes that describe complete structure types of a name, the first of each module.
    records: Option<FxHashMap<String, Vec<(u32, NodeId)>>>,
}

impl Shared {
    /// How pointers from places are used.
    pub(in super::super) fn hidden(&mut self, linked: &Linked) -> Rc<Hidden> {
        Rc::clone(self.hidden.get_or_insert_with(|| Rc::new(Hidden::of(linked))))
    }

    /// The node that describes the structure type of a name, in module number `own` if that has one.
    pub(super) fn record(&mut self, modules: &[Module], own: u32, name: &str) -> Option<(u32, NodeId)> {
        let all = self.records.get_or_insert_with(|| records(modules)).get(name)?;
        all.iter().find(|(m, _)| *m == own).or(all.first()).copied()
    }
}

fn records(modules: &[Module]) -> FxHashMap<String, Vec<(u32, NodeId)>> {
    let mut found: FxHashMap<String, Vec<(u32, NodeId)>> = FxHashMap::default();
    for (m, module) in modules.iter().enumerate() {
        for (id, _) in module.metadata.nodes() {
            let view = module.node(id).with(&module.names);
            let is_complete = |id: NodeId| {
                let view = module.node(id).with(&module.names);
                view.kind() != "DICompositeType" || view.u64("size").is_some_and(|bits| bits > 0)
            };
            let is_record = match view.kind() {
                "DICompositeType" => is_complete(id),
                "DIDerivedType" => {
                    view.word("tag") == Some("DW_TAG_typedef")
                        && view.node("baseType").is_none_or(is_complete)
                }
                _ => false,
            };
            if let (true, Some(name)) = (is_record, view.string("name")) {
                let of_it = found.entry(name.to_owned()).or_default();
                if of_it.last().is_none_or(|(last, _)| *last != m as u32) {
                    of_it.push((m as u32, id));
                }
            }
        }
    }
    found
}
