//! C through LLVM: modules of LLVM's language to one program of the program form.
//!
//! | room | what is in it |
//! |---|---|
//! | `facts/` | static analyses of the modules: linking, points-to, aliasing, escape, pointer uses |
//! | `lower/` | from LLVM's functions to procedures of the program form |
//! | `harness/` | how a function is called when there is no harness for it, and with which inputs |
//! | `source/` | the source behind LLVM: types, lines, the C library as C |
//!
//! [`lower()`] is the list of passes.
//!
//! What cannot be lowered costs the function it stands in: it becomes a function without a body, whose results
//! are arbitrary, and a diagnostic says so.
//!
//! **Direction of error.** A function without a body is taken to change no memory, unless
//! [`Options::conservative_externals`] asks otherwise. Files of the essays above say more.

pub mod facts;
mod harness;
mod lower;
pub mod source;

use std::collections::{BTreeMap, BTreeSet};

use footpath_ir::diagnostic::Diagnostic;
use footpath_ir::source::{SourceMap, Span};
use footpath_ir::{AssertKind, ProcId, Procedure, Program};
use footpath_term::{SymbolId, TermId};

use crate::llvm::ast::{Body, InstKind, Module, Operand};

pub use facts::pointer_use::PointerUse;
pub use facts::sampled_functions::{Number, Numbers, SampledFunction};
pub use harness::{Harness, HarnessOptions, InputArguments, InputObject, InputParam, Setting, SettingValue};
pub use lower::context::PointerShape;
pub use lower::function::{Arm, BlockRole};
pub use lower::stubs::{Stub, StubType, StubWrite};

use facts::aliasing::{self, Same};
use facts::async_entry_points::async_entry_points;
use facts::link::{self, FnRef, Linked};
use facts::opaque_types;
use facts::points_to::Regions;
use facts::references::Known;
use lower::access_checks;
use lower::context::Context;
use lower::function;
use lower::{assemble, declare, exceptional_returns, stubs};
use source::c_types::CTypes;
use source::debug_info::DebugInfo;

/// Options of the lowering.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which checks are asked for. Those that stop a program or lead into undefined behaviour are assertions in any
    /// case; others, such as overflow, only if they are asked for.
    pub checks: BTreeSet<AssertKind>,
    /// Bytes of an object that an unknown function returns the address of.
    pub stub_bytes: u32,
    /// Bytes of the largest object that allocation gives in tests; they leave out larger ones.
    pub allocation_limit: u32,
    /// Whether allocation may fail, as an input says.
    pub allocation_fails: bool,
    /// Whether a function that nobody has may change what its arguments lead to, and variables that others see, and what
    /// comes from outside may be the same. So it is for proofs; for tests, whose definitions of such functions change
    /// nothing and which make all that comes from outside, it is not.
    pub conservative_externals: bool,
    /// Whether runs go on behind an access beyond an object or its life, where else they end: what is read there is anything,
    /// and where something is written all memory is anything from then on. What is proved of such a program rests on no
    /// check of accesses.
    pub continue_out_of_bounds: bool,
    /// Names that libraries define: their functions change no variables of the program.
    pub library: BTreeSet<String>,
    /// Functions without a body whose calls are applications of a function that somebody else evaluates. Not for proofs.
    pub sampled: BTreeSet<String>,
    /// For each module the macros that its source defines anywhere, headers included.
    pub macros: Vec<BTreeSet<String>>,
    /// The same with all words there, where there are several files: a test can name no variable whose name is none of them.
    /// Without them it can name what has a linker's name.
    pub words: Vec<BTreeSet<String>>,
    /// How many of the modules are the user's; those behind them are models of libraries.
    pub user_modules: usize,
    /// How functions are called.
    pub harness: HarnessOptions,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            checks: AssertKind::ALL.iter().copied().filter(|&k| k != AssertKind::Uninitialised).collect(),
            stub_bytes: 64,
            allocation_limit: 1 << 30,
            allocation_fails: true,
            conservative_externals: false,
            continue_out_of_bounds: false,
            library: BTreeSet::new(),
            sampled: BTreeSet::new(),
            macros: Vec::new(),
            words: Vec::new(),
            user_modules: usize::MAX,
            harness: HarnessOptions::default(),
        }
    }
}

/// Why something could not be lowered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Unsupported(String);

impl Unsupported {
    pub(crate) fn new(what: impl Into<String>) -> Unsupported {
        Unsupported(what.into())
    }
}

/// A lowered program.
pub struct Lowered {
    /// The program: a procedure for each function, and one for each harness.
    pub program: Program,
    /// The functions with bodies, in the order of the modules.
    pub functions: Vec<LoweredFunction>,
    /// The functions that have no body anywhere.
    pub stubs: Vec<Stub>,
    /// The functions that have no body anywhere either, but are evaluated; they are no stubs.
    pub sampled: Vec<SampledFunction>,
    /// The calls of functions that end the program, which are failures in place: which function is called, in which
    /// procedure, and where.
    pub endings: Vec<(String, ProcId, Span)>,
    /// The variables that no module and no library defines: names and sizes in bytes.
    pub missing: Vec<(String, u64)>,
    /// Whether there is assembly, or an allocation of the library's, that is taken to do less for tests than for proofs.
    pub opaque: bool,
    /// The procedures of which tests assume something: that addresses which they compare or subtract are of one
    /// object, that nobody else changes what they read as volatile or atomic, that they allocate no object that is larger than
    /// [`Options::allocation_limit`], or that the compiler knows no more than without optimisation.
    pub test_assumptions: BTreeSet<ProcId>,
    /// The procedures that free what they need not have made.
    pub freeing: BTreeSet<ProcId>,
    /// Of a whole program the functions that somebody else may call while it runs, or at its end: destructors and, where the program
    /// names handlers or starts threads, all whose address it takes.
    pub async_entry_points: BTreeSet<ProcId>,
    /// Whether memory from outside may be the same that the program form keeps apart, but with [`Options::conservative_externals`].
    pub may_alias: bool,
    /// The map that says which objects are the storage of locals, if anything could try to free them.
    pub automatic: Option<SymbolId>,
    /// The variables that lie in memory, by the numbers that they have as objects.
    pub variables: BTreeMap<u32, String>,
    /// The procedure without a body that says of each allocation whether it fails.
    pub allocation_fails: ProcId,
    /// The types of the source.
    pub types: CTypes,
    /// How pointers are represented.
    pub shape: PointerShape,
    /// Whether numbers lie in memory with the lowest byte first; always, so far.
    pub little_endian: bool,
}

/// What became of a function.
#[derive(Clone, Debug)]
pub struct LoweredFunction {
    /// Which one.
    pub function: FnRef,
    /// Its name.
    pub name: String,
    /// Its procedure.
    pub procedure: ProcId,
    /// What each block of its body is.
    pub roles: Vec<BlockRole>,
    /// The arms of LLVM's conditional branches.
    pub arms: Vec<Arm>,
    /// The pointers that it reads from memory, by the objects that they lead to, with what it takes them for.
    pub loaded: BTreeMap<TermId, PointerUse>,
    /// The pointers that it is passed, likewise.
    pub passed: BTreeMap<TermId, PointerUse>,
    /// Why it has no body, if it has none.
    pub degraded: Option<String>,
    /// Whether it may be called through a pointer.
    pub address_taken: bool,
    /// Where its name stands.
    pub span: Span,
    /// How it is called.
    pub harness: Result<Harness, String>,
}

/// Lowers modules to a program. `wanted` says for which of the user's functions there is a harness.
///
/// Source files that the debug information names are read and added to `sources`.
pub fn lower(
    modules: &[Module],
    sources: SourceMap,
    options: &Options,
    wanted: &dyn Fn(&str) -> bool,
) -> (Lowered, SourceMap, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let mut debug = DebugInfo::new(sources);
    let mut types = CTypes::default();
    let mut procedures: Vec<Procedure> = Vec::new();

    // 1. Linking: which name is which function or variable. All that follows asks by name.
    let linked = Linked::new(modules, &mut diagnostics);
    // 2. Points-to and alias analysis: which memory may be the same. First, as a region is one map of the program form, and
    //    the context below declares the maps.
    let aliases = may_alias(&linked, options, wanted);
    let mut cx = Context::new(&linked, &aliases.regions, options);
    cx.shared.mentions = aliases.references;
    let allocation_fails = cx.declare_allocation_fails(&mut procedures);
    // 3. Declarations: every function has its procedure before any body is lowered, so that calls can name it.
    let declared = declare::procedures(&mut cx, &mut debug, &mut procedures);
    cx.first_callback = procedures.len() as u32;
    // 4. Bodies, one function at a time. One that cannot be lowered costs itself only.
    let mut functions: Vec<LoweredFunction> = declared
        .iter()
        .filter_map(|d| lower_body(&mut cx, &mut debug, d, &mut procedures, &mut diagnostics))
        .collect();
    for (at, note) in std::mem::take(&mut cx.notes) {
        diagnostics.push(Diagnostic::warning("arbitrary-c", at, note));
    }
    // 5. Behind writes out of bounds all memory is arbitrary. Only now is all memory known that bodies use.
    access_checks::forget_memory(&mut cx, &mut procedures);
    procedures.append(&mut cx.callback_procedures);
    // 6. Exceptional returns: a check in a model of the library becomes one at the call that the user wrote.
    exceptional_returns::raise_checks_of_models(&mut cx, &mut procedures, &mut functions);
    // 7. Harnesses: how functions are called. Behind the bodies, which say what pointers are used as.
    let hidden = opaque_types::Hidden::of(&linked);
    for entry in &mut functions {
        let is_model = entry.function.module as usize >= options.user_modules;
        if entry.degraded.is_none() && !is_model && wanted(&entry.name) {
            entry.harness = harness::build(&mut cx, &hidden, &mut debug, &mut types, entry, &mut procedures);
        }
    }
    // 8. Stubs: what external functions return and write, and the functions that harnesses pass.
    let mut stubs = stubs::of_functions(&mut cx);
    stubs.extend(stubs::of_callbacks(&mut cx));
    // 9. Assembly: all that was used is declared.
    let lowered = Lowered {
        functions,
        stubs,
        sampled: cx.sampled.values().cloned().collect(),
        endings: std::mem::take(&mut cx.endings),
        missing: assemble::missing_variables(&cx),
        opaque: cx.opaque,
        test_assumptions: std::mem::take(&mut cx.test_assumptions),
        freeing: std::mem::take(&mut cx.freeing),
        async_entry_points: async_entry_points(&cx, options),
        may_alias: aliases.may_alias,
        automatic: cx.automatic,
        variables: variables_in_memory(&cx),
        allocation_fails,
        types,
        shape: PointerShape::of(modules.first().map_or(64, |m| m.data_layout.pointer_bits())),
        little_endian: true,
        program: assemble::assemble(cx, procedures),
    };
    (lowered, debug.into_sources(), diagnostics)
}

/// What alias analysis found out.
struct Aliases {
    /// The regions that the program form keeps apart.
    regions: Regions,
    /// What functions mention.
    references: Known,
    /// See [`Lowered::may_alias`].
    may_alias: bool,
}

/// Points-to analysis, and on top of it what the options ask for: for proofs, all memory from outside that may be the same is
/// one region; for tests, only memory of one type is.
fn may_alias(linked: &Linked<'_>, options: &Options, wanted: &dyn Fn(&str) -> bool) -> Aliases {
    let mut regions = Regions::of(linked);
    let mut all = regions.clone();
    let mut references = Known::default();
    let may_alias = aliasing::unify(linked, &mut all, Same::All, options, wanted, &mut references);
    if options.conservative_externals {
        regions = all;
    } else {
        aliasing::unify(linked, &mut regions, Same::OfOneType, options, wanted, &mut references);
    }
    Aliases { regions, references, may_alias }
}

/// Lowers the body of a function; nothing if it has none.
fn lower_body(
    cx: &mut Context<'_, '_>,
    debug: &mut DebugInfo,
    declared: &declare::Declared,
    procedures: &mut [Procedure],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<LoweredFunction> {
    let f = declared.function;
    let (linked, procedure) = (cx.linked, cx.procs[&f]);
    let function = linked.function(f);
    let mut entry = LoweredFunction {
        function: f,
        name: linked.function_name(f).to_owned(),
        procedure,
        roles: Vec::new(),
        arms: Vec::new(),
        loaded: BTreeMap::new(),
        passed: BTreeMap::new(),
        degraded: None,
        address_taken: cx.regions.address_taken.contains(&f),
        span: debug.function_span(f.module, cx.module(f.module), function),
        harness: Err("it is not wanted".to_owned()),
    };
    match &function.body {
        Body::Declared => return None,
        Body::Unreadable(why) => entry.degraded = Some(why.message.clone()),
        Body::Defined(_) => {
            match function::lower(cx, debug, f, procedure, &declared.params, declared.results.clone()) {
                Ok(lowered) => {
                    procedures[procedure.index()].bodies.push(lowered.body);
                    entry.roles = lowered.roles;
                    entry.arms = lowered.arms;
                    (entry.loaded, entry.passed) = (lowered.loaded, lowered.passed);
                }
                Err((unsupported, at)) => {
                    let message = format!(
                        "`{}` is not analysed: {} is not supported; calls of it return anything",
                        entry.name, unsupported.0
                    );
                    diagnostics.push(Diagnostic::warning("unsupported-c", at, message));
                    entry.degraded = Some(unsupported.0);
                }
            }
        }
    }
    Some(entry)
}

/// See [`Lowered::variables`].
fn variables_in_memory(cx: &Context<'_, '_>) -> BTreeMap<u32, String> {
    let named = cx.objects.iter().filter_map(|(&target, &number)| match target {
        link::Target::Global(g) => Some((number, cx.linked.global_name(g).to_owned())),
        link::Target::Function(_) => None,
    });
    named.collect()
}

/// The operands of an instruction, the sources of phis left out.
pub(crate) fn operands(kind: &InstKind) -> Vec<Operand> {
    let mut found = Vec::new();
    if !matches!(kind, InstKind::Phi { .. } | InstKind::Debug(_)) {
        kind.for_each_operand(|operand| found.push(operand));
    }
    found
}
