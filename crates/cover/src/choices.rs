//! A record of the nondeterministic choices of a run, for reports, and the names of the sorts of their values.

use std::collections::BTreeMap;
use std::sync::Arc;

use footpath_ir::interp::{Ask, Listener};
use footpath_ir::{BlockId, Origin, Place, Program};
use footpath_term::{Sort, SortId, Terms, Value};

use super::report::{Choice, Test};

/// The record of an arbitrary value.
pub(super) fn value(program: &Program, ask: &Ask<'_>, value: &Value) -> Choice {
    let variable = program.terms.symbol(ask.symbol).name.to_string();
    Choice::Value { variable, reason: ask.reason, value: value.clone() }
}

/// The record of the target that a free choice took; `None` where the source has no statement that chooses.
pub(super) fn way(program: &Program, at: Origin, targets: &[BlockId], number: usize) -> Option<Choice> {
    let Place::Segment { block, .. } = at.place else { return None };
    let body = &program[at.procedure].bodies[at.body as usize];
    let target = body[*targets.get(number)?].name.to_string();
    Some(Choice::Way { span: body[block].terminator.span, target, number })
}

/// A recorder of the choices of an oracle.
pub(super) struct Choices<'p> {
    program: &'p Program,
    /// The choices so far.
    pub(super) list: Vec<Choice>,
}

impl<'p> Choices<'p> {
    /// A recorder without choices.
    pub(super) fn new(program: &'p Program) -> Choices<'p> {
        Choices { program, list: Vec::new() }
    }
}

impl Listener for Choices<'_> {
    fn havoc(&mut self, ask: &Ask<'_>, chosen: &Value) -> Option<Value> {
        self.list.push(value(self.program, ask, chosen));
        None
    }

    fn choose(&mut self, at: Origin, targets: &[BlockId], number: usize) {
        self.list.extend(way(self.program, at, targets, number));
    }
}

/// The names of the sorts that occur in `tests` and that `terms` has, but `program` has not.
pub(super) fn foreign_sorts(program: &Program, terms: &Terms, tests: &[Test]) -> BTreeMap<SortId, String> {
    let chosen = |c: &'_ Choice| match c {
        Choice::Value { value, .. } => Some(value.clone()),
        Choice::Way { .. } => None,
    };
    let mut values: Vec<Value> = tests.iter().flat_map(|t| t.inputs.values().cloned()).collect();
    values.extend(tests.iter().flat_map(|t| t.choices.iter().filter_map(chosen)));
    // A new sort in a fresh layer gets the first free number, which tells the known from the unknown.
    let unused = Sort::Bound { depth: u32::MAX, index: u32::MAX };
    let known = Terms::layer(Arc::clone(&program.terms)).mk_sort(unused);
    let mut found = BTreeMap::new();
    let mut note = |sort: SortId| {
        if sort >= known {
            found.entry(sort).or_insert_with(|| terms.display_sort(sort).to_string());
        }
    };
    while let Some(value) = values.pop() {
        match value {
            Value::Element { sort, .. } => note(sort),
            Value::Datatype(_, args) => values.extend(args.iter().cloned()),
            Value::Map(map) => {
                values.push(map.default.clone());
                for (index, element) in &map.entries {
                    values.extend(index.iter().cloned());
                    values.push(element.clone());
                }
                for (sorts, element) in &map.instances {
                    sorts.iter().copied().for_each(&mut note);
                    values.push(element.clone());
                }
            }
            _ => {}
        }
    }
    found
}
