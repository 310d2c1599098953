//! The C front end, through LLVM: modules of LLVM's language become one program of the program form.
//!
//! | folder | contents |
//! |---|---|
//! | `facts/` | static analyses of the modules: linking, points-to, alias and escape analysis, pointer uses |
//! | `lower/` | from LLVM's functions to procedures of the program form |
//! | `harness/` | test harnesses: how a function is called, and with which inputs |
//! | `source/` | the source behind LLVM: types, lines, models of the C library |
//!
//! [`lower()`] is the list of passes.
//!
//! If something in a function cannot be lowered, that function becomes one without a body, whose results are
//! arbitrary, and a diagnostic says so; the rest of the program is lowered all the same.
//!
//! **Direction of error.** A function without a body is taken to change no memory, unless
//! [`Options::conservative_externals`] asks for it. The files named above state their own directions of error.

pub mod facts;
mod harness;
mod lower;
pub mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use footpath_ir::diagnostic::Diagnostic;
use footpath_ir::source::{FileId, SourceMap, Span};
use footpath_ir::{AssertKind, ProcId, Procedure, Program};
use footpath_term::{SymbolId, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::llvm::ast::{BlockIx, Body, ConstKind, InstKind, Module, Operand};

pub use facts::external_effects::{ExternalEffect, ExternalEffects};
pub use facts::interposition::interpose;
pub use facts::pointer_use::PointerUse;
pub use facts::sampled_functions::{Number, Numbers, SampledFunction};
pub use harness::{
    Harness, HarnessOptions, InputArguments, InputLink, InputObject, InputParam, InputSharing, LONGER,
    LONGEST, LinkInto, OWN_TAG, Setting, SettingValue,
};
pub use lower::context::PointerShape;
pub use lower::evaluations::LoweredDecision;
pub use lower::function::{Arm, BlockRole};
pub use lower::stubs::{Stub, StubType, StubWrite};
pub use source::line_table::LineTable;

use facts::aliasing::{self, Same};
use facts::async_entry_points::async_entry_points;
use facts::link::{self, FnRef, Linked};
use facts::linker_symbols::LinkerSymbols;
use facts::points_to::Regions;
use facts::references::Known;
use facts::{interposition, references};
use lower::access_checks;
use lower::context::Context;
use lower::function;
use lower::{assemble, declare, exceptional_returns, stubs, unlowered};
use source::c_types::CTypes;
use source::debug_info::DebugInfo;
use source::line_table::line_table;
use source::source_access::SourceAccess;

/// Options of the lowering.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which checks are asked for. Those that stop a program or lead into undefined behaviour are assertions in any
    /// case; others, such as overflow, only if they are asked for.
    pub checks: BTreeSet<AssertKind>,
    /// The size in bytes of the object whose address an external function returns.
    pub stub_bytes: u32,
    /// The size in bytes of the largest object that is allocated in tests, which leave out larger ones.
    pub allocation_limit: u32,
    /// Whether allocations may fail; an input then says of each whether it does.
    pub allocation_fails: bool,
    /// Whether an external function may change everything whose address has escaped to it, and pointers from outside
    /// may alias. True for proofs; false for tests, which define the external functions so that they change nothing,
    /// and which make all objects from outside themselves.
    pub conservative_externals: bool,
    /// Whether runs go on after an access that is out of bounds or to an object that is no longer alive, instead of
    /// ending there: what such an access reads is arbitrary, and after one that writes all memory is arbitrary. What
    /// is proved of such a program does not assume memory safety.
    pub continue_out_of_bounds: bool,
    /// Whether the decisions of the user's functions are found, and each of their evaluations has a block of its own.
    pub decisions: bool,
    /// Whether objects are accessed as what they are, by C's rule. False where the compiler is told otherwise, or types say
    /// that their objects may be accessed as any other (`may_alias`).
    pub strict_aliasing: bool,
    /// Names that libraries define; library functions do not change variables of the program.
    pub library: BTreeSet<String>,
    /// External functions whose calls become applications of an uninterpreted function, which is evaluated by running
    /// the real one. Not for proofs.
    pub sampled: BTreeSet<String>,
    /// For each module, the names of the macros that its source defines anywhere, headers included.
    pub macros: Vec<BTreeSet<String>>,
    /// For each module, all identifiers in its source, if there are several files: a test in that file can only name
    /// a variable whose name is among them. If empty, a test can name every variable with external linkage.
    pub words: Vec<BTreeSet<String>>,
    /// The files, lines and columns where code begins that the compiler leaves out, as no execution reaches it: what stands
    /// behind a `return`, for example.
    pub unreached: Vec<(PathBuf, u32, u32)>,
    /// How many of the modules are the user's; the modules after them are models of libraries.
    pub user_modules: usize,
    /// The bounds of harnesses.
    pub harness: HarnessOptions,
    /// Which source files may be read, if they are named in debug information.
    pub access: SourceAccess,
}

/// The kinds of checks that are made only if they are asked for.
const ON_REQUEST: [AssertKind; 2] = [AssertKind::Uninitialised, AssertKind::Bool];

impl Default for Options {
    fn default() -> Options {
        Options {
            checks: AssertKind::ALL.iter().copied().filter(|k| !ON_REQUEST.contains(k)).collect(),
            stub_bytes: 64,
            allocation_limit: 1 << 30,
            allocation_fails: true,
            conservative_externals: false,
            continue_out_of_bounds: false,
            decisions: false,
            strict_aliasing: true,
            library: BTreeSet::new(),
            sampled: BTreeSet::new(),
            macros: Vec::new(),
            words: Vec::new(),
            unreached: Vec::new(),
            user_modules: usize::MAX,
            harness: HarnessOptions::default(),
            access: SourceAccess::trusted(),
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

/// What tests assume of a procedure and proofs do not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TestAssumption {
    /// Addresses that it compares or subtracts are of one object, and near it.
    OneObject,
    /// Nobody else changes what it reads as volatile or atomic.
    Unshared,
    /// It allocates no object that is larger than [`Options::allocation_limit`].
    SmallAllocations,
    /// Results are rounded to nearest, whatever mode the program has set.
    NearestRounding,
    /// The weak names that it mentions are defined, by the definitions that are there.
    WeakDefinitions,
    /// No object begins where another one ends, and no two constants share their memory.
    Apart,
    /// No two names are of one place, by the linker or in assembly.
    DistinctNames,
    /// What attributes promise of its parameters is kept by those who call it.
    KeptPromises,
    /// Objects lie where accesses to them are aligned.
    AlignedObjects,
    /// Texts that it prints, and whose lengths it looks at, have at most 4095 characters.
    ShortTexts,
    /// The bits of addresses that it looks at, as for alignment or for a hash, are those of the program form.
    AddressBits,
    /// The compiler knows no more of values and sizes of objects than it does without optimisation.
    NoOptimisation,
    /// Nothing is accessed at addresses that are numbers.
    InObjects,
    /// What it computes as `long double` is any number.
    LongDoubles,
    /// The library writes to nothing that it was given earlier, and no numbers of characters (`%n`).
    NothingKept,
}

/// A lowered program.
pub struct Lowered {
    /// The program: a procedure for each function, and one for each harness.
    pub program: Program,
    /// The functions with bodies, in the order of the modules.
    pub functions: Vec<LoweredFunction>,
    /// The functions that have no body anywhere.
    pub stubs: Vec<Stub>,
    /// The external functions that are evaluated by calling them; they are not among the stubs.
    pub sampled: Vec<SampledFunction>,
    /// The calls of functions that end the program, such as `abort`, which are failures at their place: which
    /// function is called, in which procedure, and where.
    pub endings: Vec<(String, ProcId, Span)>,
    /// The variables that no module and no library defines: names and sizes in bytes.
    pub missing: Vec<(String, u64)>,
    /// The procedures with inline assembly, or an allocation by the library, that does less for tests than for proofs.
    pub opaque: BTreeSet<ProcId>,
    /// The procedures with inline assembly, which may call any function.
    pub with_assembly: BTreeSet<ProcId>,
    /// The procedures of which tests assume something, with what they assume.
    pub test_assumptions: BTreeSet<(ProcId, TestAssumption)>,
    /// What external functions may do that tests leave out.
    pub external_effects: ExternalEffects,
    /// The procedures that free what they need not have made.
    pub freeing: BTreeSet<ProcId>,
    /// Of a whole program, the functions that may be called asynchronously or at its end: destructors and, if the
    /// program installs handlers or starts threads, all functions whose address is taken.
    pub async_entry_points: BTreeSet<ProcId>,
    /// The procedures in which pointers from outside may alias although the program form keeps their memory apart; none
    /// with [`Options::conservative_externals`].
    pub may_alias: BTreeSet<ProcId>,
    /// The map that says which objects are the storage of locals, if anything could try to free them.
    pub automatic: Option<SymbolId>,
    /// The map from objects to their sizes in bytes.
    pub sizes: SymbolId,
    /// The variables that live in memory, by their object numbers.
    pub variables: BTreeMap<u32, String>,
    /// The bytes of constant texts, by their object numbers.
    pub texts: BTreeMap<u32, Vec<u8>>,
    /// The procedure without a body whose result says of each allocation whether it fails.
    pub allocation_fails: ProcId,
    /// The types of the source.
    pub types: CTypes,
    /// The names of types, members, functions and variables that a macro has, too: where it is defined, they mean something else.
    pub macro_names: BTreeSet<String>,
    /// How pointers are represented.
    pub shape: PointerShape,
    /// Whether the machine is little-endian; always true so far.
    pub little_endian: bool,
}

/// A function after lowering.
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
    /// The blocks that only the `default` of a switch leads to, or the end of one without a `default`.
    pub defaults: Vec<BlockIx>,
    /// Its decisions, with the blocks of their evaluations, if they were asked for.
    pub decisions: Vec<LoweredDecision>,
    /// The pointers that it reads from memory, by the terms of the objects that they point to, with how it uses them.
    pub loaded: BTreeMap<TermId, PointerUse>,
    /// The pointers that it is passed, in the same form.
    pub passed: BTreeMap<TermId, PointerUse>,
    /// Why it has no body, if it has none.
    pub degraded: Option<String>,
    /// Whether it may be called through a pointer.
    pub address_taken: bool,
    /// Whether only its own file can call it by name: it is `static`.
    pub is_local: bool,
    /// The range of its name in the source.
    pub span: Span,
    /// The lines on which its blocks have code; also of one that has no body in the program form, as far as it can be read.
    pub lines: LineTable,
    /// Its harness, or the reason why there is none.
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
    lower_part(modules, sources, options, wanted, &|functions, _| vec![true; functions.len()])
}

/// As [`lower()`], with the harnesses of a part of the functions only: `part` says of each function whether it is in it, once their
/// bodies are lowered. All that stays has the names and numbers that it has in the whole program.
pub fn lower_part(
    modules: &[Module],
    sources: SourceMap,
    options: &Options,
    wanted: &dyn Fn(&str) -> bool,
    part: &dyn Fn(&[LoweredFunction], &SourceMap) -> Vec<bool>,
) -> (Lowered, SourceMap, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let mut debug = DebugInfo::new(sources, options.access.clone());
    let mut types = CTypes::default();
    let mut procedures: Vec<Procedure> = Vec::new();

    // 1. Linking: which name is which function or variable. All that follows asks by name.
    let linked = Linked::new(modules, &mut diagnostics);
    // 2. Points-to and alias analysis: which memory may be the same. First, as a region is one map of the program
    //    form, and the context below declares the maps.
    let aliases = may_alias(&linked, options, wanted);
    let mut cx = Context::new(&linked, &aliases.regions, options);
    cx.linker_symbols = aliases.linker_symbols;
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
    if !lower::float::rounding_changes(&linked) {
        cx.test_assumptions.retain(|(_, assumption)| *assumption != TestAssumption::NearestRounding);
    }
    if !options.harness.whole_program {
        for function in &functions {
            let mentions = references::of(&linked, &mut cx.shared.mentions, function.function);
            if interposition::mentions_weak(&linked, &mentions) {
                cx.test_assumptions.insert((function.procedure, TestAssumption::WeakDefinitions));
            }
        }
    }
    cx.lowering = None;
    for function in &functions {
        let mentions = references::of(&linked, &mut cx.shared.mentions, function.function);
        if cx.linker_symbols.are_mentioned(&mentions) {
            cx.test_assumptions.insert((function.procedure, TestAssumption::DistinctNames));
        }
    }
    diagnostics.extend(left_out_code(&options.unreached, &mut debug, &functions, &procedures));
    for (at, note) in std::mem::take(&mut cx.notes) {
        diagnostics.push(Diagnostic::warning("arbitrary-c", at, note));
    }
    // 5. Behind writes out of bounds, and behind calls of functions that could not be lowered, all memory is arbitrary. Only now
    //    is all memory known that bodies use.
    unlowered::give_up_unread(&cx, &mut functions, &mut procedures);
    unlowered::arbitrary_bodies(&mut cx, &functions, &mut procedures);
    access_checks::forget_memory(&mut cx, &mut procedures);
    procedures.append(&mut cx.callback_procedures);
    // 6. Exceptional returns: a check in a model of the library becomes one at the call that the user wrote.
    exceptional_returns::raise_checks_of_models(&mut cx, &mut procedures, &mut functions);
    // 7. Harnesses: how functions are called. Behind the bodies, which say what pointers are used as.
    let in_part = part(&functions, debug.sources());
    let (has_harnesses, is_whole) = (in_part.contains(&true), !in_part.contains(&false));
    let mut seen = FxHashSet::default();
    for (entry, in_part) in functions.iter_mut().zip(in_part) {
        let is_model = entry.function.module as usize >= options.user_modules;
        if entry.degraded.is_none() && !is_model && has_harnesses && wanted(&entry.name) {
            let before = procedures.len();
            entry.harness = harness::build(&mut cx, &mut debug, &mut types, entry, &mut procedures);
            // It is built all the same, as terms and maps have their order from what is built before.
            if !in_part {
                entry.harness = Err("it is in another part of the run".to_owned());
            }
            if !is_whole {
                keep_new_terms(&mut procedures[before..], &mut seen, in_part);
            }
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
        opaque: std::mem::take(&mut cx.opaque),
        with_assembly: std::mem::take(&mut cx.with_assembly),
        test_assumptions: std::mem::take(&mut cx.test_assumptions),
        external_effects: std::mem::take(&mut cx.external_effects),
        freeing: std::mem::take(&mut cx.freeing),
        async_entry_points: async_entry_points(&cx, options),
        may_alias: aliases.may_alias.iter().filter_map(|f| cx.procs.get(f).copied()).collect(),
        automatic: cx.automatic,
        sizes: cx.size,
        variables: variables_in_memory(&cx),
        texts: constant_texts(&cx),
        allocation_fails,
        macro_names: macro_names(&types, modules, options),
        types,
        shape: PointerShape::of(modules.first().map_or(64, |m| m.data_layout.pointer_bits())),
        little_endian: true,
        program: assemble::assemble(cx, procedures),
    };
    (lowered, debug.into_sources(), diagnostics)
}

/// The names of [`Lowered::macro_names`].
fn macro_names(types: &CTypes, modules: &[Module], options: &Options) -> BTreeSet<String> {
    let is_macro = |name: &&str| options.macros.iter().any(|macros| macros.contains(*name));
    let linked = modules.iter().flat_map(|module| {
        let names = module.functions.iter().map(|f| f.name).chain(module.globals.iter().map(|g| g.name));
        names.map(|name| module.text(name))
    });
    types.names().chain(linked).filter(is_macro).map(str::to_owned).collect()
}

/// Leaves out of harnesses of another part the statements all of whose terms occur in harnesses before: nobody runs them, and they are
/// most of what harnesses take, as each gives the program's variables their values. What is left keeps the terms of the program as
/// they are, near whose literals random inputs are drawn.
fn keep_new_terms(procedures: &mut [Procedure], seen: &mut FxHashSet<TermId>, in_part: bool) {
    let blocks = procedures.iter_mut().flat_map(|p| &mut p.bodies).flat_map(|body| &mut body.blocks);
    for block in blocks {
        block.statements.retain(|statement| {
            let before = seen.len();
            seen.extend(statement.kind.terms());
            in_part || seen.len() > before
        });
        block.statements.shrink_to_fit();
    }
}

/// The results of alias analysis.
struct Aliases {
    /// The regions of memory, each of which becomes a map of its own.
    regions: Regions,
    /// The references of functions.
    references: Known,
    /// The functions of [`Lowered::may_alias`].
    may_alias: BTreeSet<FnRef>,
    /// The names whose address only the linker knows.
    linker_symbols: LinkerSymbols,
}

/// Points-to analysis, refined as the options ask: for proofs, memory from outside that may alias becomes one region;
/// for tests, only memory of one type does.
fn may_alias(linked: &Linked<'_>, options: &Options, wanted: &dyn Fn(&str) -> bool) -> Aliases {
    let mut regions = Regions::of(linked);
    let mut all = regions.clone();
    let mut references = Known::default();
    let mut may_alias = aliasing::unify(linked, &mut all, Same::All, options, wanted, &mut references);
    let linker_symbols = LinkerSymbols::of(linked);
    if options.conservative_externals {
        regions = all;
        linker_symbols.unify(&mut regions);
        may_alias.clear();
    } else {
        aliasing::unify(linked, &mut regions, Same::OfOneType, options, wanted, &mut references);
    }
    Aliases { regions, references, may_alias, linker_symbols }
}

/// Warnings of code that the compiler leaves out; where there is a block, the analysis says it.
fn left_out_code(
    places: &[(PathBuf, u32, u32)],
    debug: &mut DebugInfo,
    functions: &[LoweredFunction],
    procedures: &[Procedure],
) -> Vec<Diagnostic> {
    let bodies = functions.iter().flat_map(|f| &procedures[f.procedure.index()].bodies);
    // The compiler says where a statement begins; what it does first may stand behind that.
    let mut last: FxHashMap<(FileId, u32), u32> = FxHashMap::default();
    for block in bodies.flat_map(|body| &body.blocks).filter(|block| block.span.start < block.span.end) {
        let start = last.entry((block.span.file, debug.line(block.span))).or_default();
        *start = block.span.start.max(*start);
    }
    let what = "no execution reaches this, and the compiler leaves it out";
    let spans: Vec<Span> =
        places.iter().filter_map(|(file, line, column)| debug.place(file, *line, *column)).collect();
    let is_said = |at: &Span| last.get(&(at.file, debug.line(*at))).is_some_and(|start| *start >= at.start);
    let left_out = spans.into_iter().filter(|at| !is_said(at));
    left_out.map(|at| Diagnostic::warning("dead-code", at, what)).collect()
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
        defaults: Vec::new(),
        decisions: Vec::new(),
        loaded: BTreeMap::new(),
        passed: BTreeMap::new(),
        degraded: None,
        address_taken: cx.regions.address_taken.contains(&f),
        is_local: function.linkage.is_local(),
        span: debug.function_span(f.module, cx.module(f.module), function),
        lines: LineTable::new(),
        harness: Err("it was not selected".to_owned()),
    };
    if let Body::Defined(code) = &function.body {
        entry.lines = line_table(debug, (f.module, cx.module(f.module)), code, entry.span);
    }
    cx.rounds = false;
    match &function.body {
        Body::Declared => return None,
        Body::Unreadable(why) => {
            entry.degraded = Some(format!("LLVM code that cannot be read ({})", why.message));
        }
        Body::Defined(_) => {
            match function::lower(cx, debug, f, procedure, &declared.params, declared.results.clone()) {
                Ok(lowered) => {
                    procedures[procedure.index()].bodies.push(lowered.body);
                    entry.roles = lowered.roles;
                    (entry.arms, entry.defaults, entry.decisions) =
                        (lowered.arms, lowered.defaults, lowered.decisions);
                    (entry.loaded, entry.passed) = (lowered.loaded, lowered.passed);
                }
                Err((unsupported, at)) => {
                    let message = format!(
                        "`{}` is not analysed: {} is not supported; calls of it may return anything",
                        entry.name, unsupported.0
                    );
                    diagnostics.push(Diagnostic::warning("unsupported-c", at, message));
                    entry.degraded = Some(unsupported.0);
                    // What was made of it until then is no part of any body.
                    cx.out_of_bounds_blocks.retain(|(of, _)| *of != procedure);
                }
            }
        }
    }
    if cx.rounds {
        cx.test_assumptions.insert((procedure, TestAssumption::NearestRounding));
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

/// See [`Lowered::texts`].
fn constant_texts(cx: &Context<'_, '_>) -> BTreeMap<u32, Vec<u8>> {
    let texts = cx.objects.iter().filter_map(|(&target, &number)| {
        let link::Target::Global(g) = target else { return None };
        let global = cx.linked.global(g);
        match &cx.module(g.module).constant(global.init.filter(|_| global.is_constant)?).kind {
            ConstKind::Bytes(text) => Some((number, text.to_vec())),
            _ => None,
        }
    });
    texts.collect()
}

/// The operands of an instruction, the sources of phis left out.
pub(crate) fn operands(kind: &InstKind) -> Vec<Operand> {
    let mut found = Vec::new();
    if !matches!(kind, InstKind::Phi { .. } | InstKind::Debug(_)) {
        kind.for_each_operand(|operand| found.push(operand));
    }
    found
}
