//! Where runs start: in each function by itself, where a program starts, or at the entries of a library.
//!
//! Example: `--entry main` is a program, `--entry parse,render` the two ways into a library, and `--entry public` all ways.
//!
//! **Direction of error.** None: verdicts are about the starts that the user names.

use std::collections::BTreeSet;

use footpath_frontend::llvm::ast::{Body, Function, Linkage, Module};

use crate::CompileError;

/// The word for all functions that other files can call.
const PUBLIC: &str = "public";
/// Where the system starts a program.
const MAIN: &str = "main";

/// Where runs start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Starts {
    /// In each function by itself.
    Functions,
    /// In the function of this name, which is called as the system calls `main`.
    Program(String),
    /// In the functions of these names, with inputs as functions have them that are called by themselves.
    Library(BTreeSet<String>),
}

impl Starts {
    /// What the user's names mean in the modules of the user's files. A single one is where a program starts if it is `main` or takes
    /// nothing. Without names runs start in each function, or in `main` if there is one and that is preferred.
    ///
    /// # Errors
    /// If one of several is no function with a body.
    pub(crate) fn of(
        names: &[String],
        prefers_main: bool,
        modules: &[Module],
    ) -> Result<Starts, CompileError> {
        let functions = || modules.iter().flat_map(|m| m.functions.iter().map(move |f| (m, f)));
        let has_body = |f: &Function| !matches!(f.body, Body::Declared);
        let named = |name: &str| functions().find(|(m, f)| has_body(f) && m.text(f.name) == name);
        let takes_nothing = |name: &str| named(name).is_none_or(|(_, f)| f.params.is_empty());
        match names {
            [] if prefers_main && named(MAIN).is_some() => return Ok(Starts::Program(MAIN.to_owned())),
            [] => return Ok(Starts::Functions),
            [name] if name == MAIN || name != PUBLIC && takes_nothing(name) => {
                return Ok(Starts::Program(name.clone()));
            }
            _ => {}
        }
        let mut entries = BTreeSet::new();
        for name in names {
            if name == PUBLIC && named(name).is_none() {
                let is_public =
                    |f: &Function| has_body(f) && !matches!(f.linkage, Linkage::Internal | Linkage::Private);
                let public = functions().filter(|(_, f)| is_public(f)).map(|(m, f)| m.text(f.name));
                entries.extend(public.filter(|name| *name != MAIN).map(str::to_owned));
            } else if named(name).is_some() {
                entries.insert(name.clone());
            } else {
                return Err(CompileError::NoEntry(name.clone()));
            }
        }
        Ok(Starts::Library(entries))
    }

    /// Whether a whole program is tested.
    pub(crate) fn is_program(&self) -> bool {
        matches!(self, Starts::Program(_))
    }

    /// Whether runs start in a function of this name, if not in each.
    pub(crate) fn has(&self, name: &str) -> bool {
        match self {
            Starts::Functions => false,
            Starts::Program(entry) => entry == name,
            Starts::Library(entries) => entries.contains(name),
        }
    }
}
