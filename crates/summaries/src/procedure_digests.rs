//! Merkle hashing of procedures: a digest of each procedure and of all that it may call, for keys of caches.
//!
//! **Idea.** The digest of a strongly connected component of the call graph is that of its members' canonical forms and of the digests
//! of the components that it calls. So a changed procedure has another digest, and so has every procedure that calls it, and no other.
//! Digests are computed when they are asked for, and kept: a part of a run asks for those of its own functions.
//!
//! Example: if `f` calls `g`, and nobody calls `h`, then the digest of `f` is made of the forms of `f` and `g`, and `h` is not looked at.
//!
//! **Paper.** Merkle: A Digital Signature Based on a Conventional Encryption Function, CRYPTO 1987; here of a graph, through its components.
//!
//! **Direction of error.** That of `canonical_form.rs`: two different programs must not have the same text. In which order digests are asked
//! for changes none of them.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use footpath_ir::{ProcId, Program};

use crate::build_identity::own_build;
use crate::call_graph::callees;
use crate::canonical_form::{Known, NormalForm};
use crate::store::sha256;

/// The digests of a program's procedures, none of them computed yet.
pub struct Digests<'p> {
    program: &'p Program,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    graph: Option<Components>,
    known: Known,
    /// The digests of components, as far as they are computed.
    below: Vec<Option<String>>,
    /// See [`Digests::forms`].
    forms: usize,
    declarations: Option<String>,
}

/// The strongly connected components of a call graph.
struct Components {
    /// For each procedure, its component.
    of: Vec<usize>,
    /// The members of each, callees first.
    members: Vec<Vec<ProcId>>,
}

impl Components {
    fn of(program: &Program) -> Components {
        let members = program.components();
        let mut of = vec![0; program.procedures.len()];
        for (number, group) in members.iter().enumerate() {
            group.iter().for_each(|p| of[p.index()] = number);
        }
        Components { of, members }
    }

    /// The components that a component calls, without itself.
    fn called(&self, program: &Program, number: usize) -> BTreeSet<usize> {
        let all = self.members[number].iter().flat_map(|&p| callees(&program[p].bodies));
        all.map(|callee| self.of[callee.index()]).filter(|&below| below != number).collect()
    }
}

impl<'p> Digests<'p> {
    /// Those of a program.
    pub fn of(program: &'p Program) -> Digests<'p> {
        Digests { program, state: Mutex::default() }
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// How many procedures had to be read so far: their canonical forms were written.
    pub fn forms(&self) -> usize {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).forms
    }

    /// A digest of the form of a procedure and of that of all that it may call, without places in the source.
    fn below(&self, procedure: ProcId) -> String {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let State { graph, known, below, forms, .. } = &mut *state;
        let graph = graph.get_or_insert_with(|| Components::of(self.program));
        below.resize(graph.members.len(), None);
        let root = graph.of[procedure.index()];
        let (mut missing, mut queue) = (BTreeSet::new(), vec![root]);
        while let Some(number) = queue.pop() {
            if below[number].is_none() && missing.insert(number) {
                queue.extend(graph.called(self.program, number));
            }
        }
        let mut form = NormalForm::new(self.program, known);
        // Callees have lower numbers.
        for number in missing {
            let members = &graph.members[number];
            let mut parts: Vec<String> = members.iter().map(|&p| sha256(&form.procedure(p))).collect();
            parts.extend(graph.called(self.program, number).into_iter().filter_map(|n| below[n].clone()));
            parts.sort_unstable();
            parts.dedup();
            below[number] = Some(sha256(&parts.join("\n")));
            *forms += members.len();
        }
        below[root].clone().unwrap_or_default()
    }

    /// The declarations of the program other than procedures.
    fn declarations(&self) -> String {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let State { known, declarations, .. } = &mut *state;
        declarations.get_or_insert_with(|| NormalForm::new(self.program, known).declarations()).clone()
    }
}

/// Keys of what depends on a program's procedures and on some options.
pub struct Keys<'p> {
    digests: Arc<Digests<'p>>,
    common: String,
}

impl<'p> Keys<'p> {
    /// Keys under some options.
    pub fn new(digests: &Arc<Digests<'p>>, options: &str) -> Keys<'p> {
        let common = format!("{options}\n{}\n{}", own_build().unwrap_or_default(), digests.declarations());
        Keys { digests: Arc::clone(digests), common: sha256(&common) }
    }

    /// The program.
    pub(crate) fn program(&self) -> &'p Program {
        self.digests.program
    }

    /// The key of a text about a body of a procedure.
    pub fn of_body(&self, procedure: ProcId, body: u32) -> String {
        let (digest, name) = (self.digests.below(procedure), &self.digests.program[procedure].name);
        sha256(&format!("{}\n{digest}\n{name}\n{body}", self.common))
    }

    /// What the keys of all texts about a procedure begin with, before they are digested.
    pub(crate) fn of_procedure(&self, procedure: ProcId) -> String {
        format!("{}\n{}\n", self.common, self.digests.below(procedure))
    }
}
