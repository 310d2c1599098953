//! The printer of a program between two passes.
//!
//! After a pass each body has its own layer of terms, so no [`Program`] holds all of them. The text is still one
//! program: the program's declarations once, and each body as an implementation of its procedure.

use std::fmt::Write;
use std::sync::Arc;

use footpath_term::Terms;
use rustc_hash::FxHashMap;

use super::builtins::{self, Known};
use super::expr::Printer;
use super::names::Names;
use super::{body_roots, program_names, program_roots};
use crate::program::{Body, ProcId, Program};

/// A body after some pass, with the layer of its terms.
pub struct StageBody<'a> {
    /// The procedure it belongs to.
    pub procedure: ProcId,
    /// A layer over the program's terms.
    pub terms: &'a Terms,
    /// The body.
    pub body: &'a Body,
}

/// The program as Boogie text, with these bodies instead of its own.
pub fn print_stage(program: &Program, bodies: &[StageBody<'_>]) -> String {
    let (names, own) = program_names(program, &program.terms, &program_roots(program));
    let mut further = Further { names: names.clone(), known: FxHashMap::default(), text: String::new() };
    let names_of_bodies: Vec<Names> = bodies.iter().map(|b| further.names_for(program, &names, b)).collect();
    let further = further.text;

    let mut printer = Printer::new(&program.terms, names);
    printer.declarations(program, &own, &further);
    let mut bodies: Vec<_> = bodies.iter().zip(names_of_bodies).collect();
    bodies.sort_by_key(|(b, _)| b.procedure);
    let mut bodies = bodies.into_iter().peekable();
    for id in program.ids() {
        printer.gap();
        printer.procedure(program, id, &[]);
        while let Some((b, names)) = bodies.next_if(|(b, _)| b.procedure == id) {
            printer.gap();
            let mut inner = Printer::new(b.terms, names);
            inner.implementation(program, id, b.body);
            printer.out.push_str(&inner.out);
        }
    }
    printer.out
}

/// The functions for operators that passes introduced. They are declared once, though each body has its own ids for
/// their sorts.
struct Further {
    names: Names,
    /// The declared name, by the rest of the declaration.
    known: FxHashMap<String, Arc<str>>,
    text: String,
}

impl Further {
    /// The names for a body: those of the program, and of its further operators.
    fn names_for(&mut self, program: &Program, names: &Names, body: &StageBody<'_>) -> Names {
        let mut roots = Vec::new();
        body_roots(body.body, &mut roots);
        let declared = builtins::declared(program, body.terms);
        let mut printer = Printer::new(body.terms, names.clone());
        for builtin in builtins::used(body.terms, &roots) {
            if printer.names.builtins.contains_key(&builtin) {
                continue;
            }
            let known = match builtins::find(body.terms, &declared, &builtin) {
                Some(function) => Known {
                    name: names.functions[&function].clone(),
                    leaves_sort_open: builtins::leaves_sort_open(
                        body.terms,
                        function,
                        builtin.1.iter().copied(),
                    ),
                },
                None => {
                    let (attribute, signature) = printer.builtin_declaration(&builtin);
                    let name = self.known.entry(format!("{attribute}{signature}")).or_insert_with(|| {
                        let name = self.names.claim_callable(&builtins::predicted_name(body.terms, &builtin));
                        let _ = writeln!(self.text, "function {attribute} {name}{signature};");
                        name
                    });
                    Known { name: name.clone(), leaves_sort_open: false }
                }
            };
            printer.names.builtins.insert(builtin, known);
        }
        printer.names
    }
}
