//! C through LLVM: modules of LLVM's language to one program of the program form.
//!
//! | idea | file |
//! |---|---|
//! | several modules as one program | `link.rs` |
//! | which memory may be the same | `points_to.rs` |
//! | types as scalars at offsets | `scalars.rs` |
//! | pointers, memory, constants | `context.rs`, `constants.rs` |
//! | functions, blocks, registers, checks | `function.rs` |
//! | which locals are variables | `slots.rs` |
//! | control flow | `control_flow.rs` |
//! | instructions | `instruction.rs`, `arith.rs`, `float.rs`, `long_double.rs`, `addresses.rs` |
//! | calls, library functions, LLVM's own functions | `calls.rs`, `allocation.rs`, `char_table.rs`, `intrinsics.rs` |
//! | what functions that nobody has can change | `escape.rs`, `out_params.rs` |
//! | what a function takes pointers for | `pointer_use.rs`, `c_strings.rs` |
//! | functions that are run to see what they give | `sampled_functions.rs` |
//! | copying and filling memory | `memcpy.rs` |
//! | accesses, and what comes behind those beyond an object | `access_checks.rs`, `lifetimes.rs` |
//! | variable arguments, inline assembly, vectors | `varargs.rs`, `assembly.rs`, `vectors.rs` |
//! | ranges in the source | `debug_info.rs` |
//! | types of the source | `c_types.rs` |
//! | how a function is called, with which inputs | `harness.rs`, `opaque_types.rs` |
//! | the C library, as C | `library_models.rs` |
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
use std::sync::Arc;

use footpath_ir::diagnostic::Diagnostic;
use footpath_ir::source::{SourceMap, Span};
use footpath_ir::{
    AssertKind, Attribute, AttributeArg, Function as IrFunction, Global, ProcId, Procedure, Program, Variable,
};
use footpath_term::{SymbolId, TermId, Terms};

use rustc_hash::FxHashMap;

use crate::llvm::ast::{Body, ConstId, ConstKind, InstKind, Module, Operand, Value};

pub use facts::pointer_use::PointerUse;
pub use facts::sampled_functions::{Number, Numbers, SampledFunction};
pub use harness::{Harness, HarnessOptions, InputArguments, InputObject, InputParam, Setting, SettingValue};
pub use lower::context::PointerShape;
pub use lower::function::{Arm, BlockRole};

use facts::aliasing;
use facts::aliasing::Same;
use facts::link;
use facts::link::{FnRef, GlobalRef, Linked};
use facts::opaque_types;
use facts::out_params::{OutParam, Unknown};
use facts::points_to::Regions;
use facts::references::Known;
use facts::sampled_functions;
use lower::access_checks;
use lower::context;
use lower::context::Context;
use lower::function;
use lower::scalars;
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
    /// Bytes of the largest object that allocation gives; beyond it gives null.
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
            allocation_limit: 1 << 26,
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
    /// Whether there is assembly that is taken to do less for tests than for proofs.
    pub opaque: bool,
    /// The procedures of which tests assume something: that addresses which they compare or subtract are of one
    /// object, or that nobody else changes what they read as volatile or atomic.
    pub test_assumptions: BTreeSet<ProcId>,
    /// The procedures that free what they need not have made.
    pub freeing: BTreeSet<ProcId>,
    /// Of a whole program the functions that somebody else may call while it runs, or at its end: destructors and, where the program
    /// names handlers or starts threads, all whose address it takes.
    pub async_entry_points: BTreeSet<ProcId>,
    /// Whether memory from outside may be the same that the program form keeps apart, but with [`Options::conservative_externals`].
    pub may_alias: bool,
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

/// A function without a body.
#[derive(Clone, Debug)]
pub struct Stub {
    /// Its procedure.
    pub procedure: ProcId,
    /// Its name.
    pub name: String,
    /// Whether it is said not to return.
    pub never_returns: bool,
    /// What it returns; of a structure the first scalar.
    pub ret: StubType,
    /// All scalars of a structure that it returns in registers, if none of them is a pointer; else nothing.
    pub parts: Vec<StubType>,
    /// Where an object that it returns lies: the map, and how many bytes a cell has.
    pub memory: Option<(SymbolId, u64)>,
    /// The size of such an object in bytes.
    pub bytes: u32,
    /// Its parameters, as far as something is written through them.
    pub params: Vec<StubType>,
    /// What it writes.
    pub writes: Vec<StubWrite>,
    /// What it takes and gives, if that is nothing but numbers.
    pub numbers: Option<Numbers>,
}

/// What a function without a body writes through a parameter, or into `errno`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StubWrite {
    /// The position of the parameter; none for `errno`.
    pub param: Option<usize>,
    /// The procedure without a body whose result is written, if the bit above its lowest `bytes` is set.
    pub procedure: ProcId,
    /// Bytes of the object.
    pub bytes: u32,
    /// The pieces of it that are written: where each begins and ends.
    pub pieces: Vec<(u32, u32)>,
}

/// What a function without a body returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StubType {
    /// Nothing.
    Void,
    /// An integer of so many bits.
    Int(u32),
    /// A floating-point number of so many bits.
    Float(u32),
    /// A pointer.
    Pointer,
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
    let linked = Linked::new(modules, &mut diagnostics);
    let mut regions = Regions::of(&linked);
    let mut all = regions.clone();
    let mut mentions = Known::default();
    let may_alias = aliasing::unify(&linked, &mut all, Same::All, options, wanted, &mut mentions);
    if options.conservative_externals {
        regions = all;
    } else {
        aliasing::unify(&linked, &mut regions, Same::OfOneType, options, wanted, &mut mentions);
    }
    let mut cx = Context::new(&linked, &regions, options);
    cx.shared.mentions = mentions;
    let mut debug = DebugInfo::new(sources);
    let mut types = CTypes::default();
    let mut procedures: Vec<Procedure> = Vec::new();
    let mut symbols: Vec<(FnRef, Vec<Vec<SymbolId>>, Vec<SymbolId>)> = Vec::new();

    let allocation_fails = cx.declare_allocation_fails(&mut procedures);
    // Every function has its procedure before any is lowered, so that calls can name it.
    for (f, function) in linked.functions() {
        let module = &modules[f.module as usize];
        let name = linked.function_name(f);
        if name.starts_with("llvm.") {
            continue;
        }
        let span = debug.function_span(f.module, module, function);
        let params: Vec<Vec<SymbolId>> = function
            .params
            .iter()
            .enumerate()
            .map(|(i, p)| {
                let name = parameter_name(module, function, i);
                cx.leaves(f.module, p.ty).map(|l| cx.fresh_components(&name, &l)).unwrap_or_default()
            })
            .collect();
        let mut params = params;
        if cx.takes_list.contains(&f) {
            let sort = cx.terms.bit_vec_sort(cx.shape.object);
            params.push(vec![cx.terms.fresh_symbol("arguments", sort)]);
        }
        let results =
            cx.leaves(f.module, function.ret).map(|l| cx.fresh_components("return", &l)).unwrap_or_default();
        let variable = |&s: &SymbolId| Variable::new(s, span);
        cx.procs.insert(f, ProcId(procedures.len() as u32));
        procedures.push(Procedure {
            name: cx.unique_name(name),
            type_params: Vec::new(),
            params: params.iter().flatten().map(variable).collect(),
            results: results.iter().map(variable).collect(),
            requires: Vec::new(),
            ensures: Vec::new(),
            modifies: Vec::new(),
            bodies: Vec::new(),
            span,
            attributes: Vec::new(),
        });
        symbols.push((f, params, results));
    }

    cx.first_callback = procedures.len() as u32;
    let mut functions = Vec::new();
    for (f, params, results) in symbols {
        let function = linked.function(f);
        let procedure = cx.procs[&f];
        let name = linked.function_name(f).to_owned();
        let module = &modules[f.module as usize];
        let span = debug.function_span(f.module, module, function);
        let mut entry = LoweredFunction {
            function: f,
            name,
            procedure,
            roles: Vec::new(),
            arms: Vec::new(),
            loaded: BTreeMap::new(),
            passed: BTreeMap::new(),
            degraded: None,
            address_taken: cx.regions.address_taken.contains(&f),
            span,
            harness: Err("it is not wanted".to_owned()),
        };
        match &function.body {
            Body::Declared => continue,
            Body::Unreadable(why) => entry.degraded = Some(why.message.clone()),
            Body::Defined(_) => match function::lower(&mut cx, &mut debug, f, procedure, &params, results) {
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
            },
        }
        functions.push(entry);
    }
    for (at, note) in std::mem::take(&mut cx.notes) {
        diagnostics.push(Diagnostic::warning("arbitrary-c", at, note));
    }
    access_checks::forget_memory(&mut cx, &mut procedures);
    procedures.append(&mut cx.callback_procedures);
    let hidden = opaque_types::Hidden::of(&linked);
    for entry in &mut functions {
        let is_model = entry.function.module as usize >= options.user_modules;
        if entry.degraded.is_none() && !is_model && wanted(&entry.name) {
            entry.harness = harness::build(&mut cx, &hidden, &mut debug, &mut types, entry, &mut procedures);
        }
    }
    let mut stubs = stubs(&mut cx);
    stubs.extend(callback_stubs(&mut cx));
    let missing = missing_variables(&cx);
    let (opaque, test_assumptions) = (cx.opaque, std::mem::take(&mut cx.test_assumptions));
    let freeing = std::mem::take(&mut cx.freeing);
    let sampled = cx.sampled.values().cloned().collect();
    let endings = std::mem::take(&mut cx.endings);
    let async_entry_points = async_entry_points(&cx, options);
    let in_memory = cx.objects.iter().filter_map(|(&target, &number)| match target {
        link::Target::Global(g) => Some((number, linked.global_name(g).to_owned())),
        link::Target::Function(_) => None,
    });
    let variables = in_memory.collect();
    let program = assemble(cx, procedures);
    (
        Lowered {
            program,
            functions,
            stubs,
            sampled,
            endings,
            missing,
            opaque,
            test_assumptions,
            freeing,
            async_entry_points,
            may_alias,
            variables,
            allocation_fails,
            types,
            shape: shape_of(modules),
            little_endian: true,
        },
        debug.into_sources(),
        diagnostics,
    )
}

fn missing_variables(cx: &Context) -> Vec<(String, u64)> {
    let foreign = cx.linked.globals().filter(|(g, global)| {
        let name = cx.linked.global_name(*g);
        global.init.is_none()
            && !name.starts_with("llvm.")
            && !cx.options.library.contains(name)
            && cx.linked.resolve(g.module, global.name) == Some(link::Target::Global(*g))
    });
    foreign.map(|(g, _)| (cx.linked.global_name(g).to_owned(), cx.global_size(g))).collect()
}

/// The functions without bodies, and where what they return lies.
fn stubs(cx: &mut Context) -> Vec<Stub> {
    let linked = cx.linked;
    let mut stubs = Vec::new();
    for (f, function) in linked.functions() {
        let module = cx.module(f.module);
        let defined_elsewhere = linked.resolve(f.module, function.name) != Some(link::Target::Function(f));
        let is_sampled = cx.sampled.contains_key(linked.function_name(f));
        if !matches!(function.body, Body::Declared)
            || defined_elsewhere
            || is_sampled
            || !cx.procs.contains_key(&f)
        {
            continue;
        }
        let ret = stub_type(module, function.ret);
        let writes = writes(cx, &Unknown::Function(f));
        let params = function.params.iter().map(|p| stub_type(module, p.ty)).collect();
        let region = if ret == StubType::Pointer { cx.regions.result(f) } else { None };
        let memory = region.map(|r| cx.memory_of(r)).map(|m| (m.symbol, m.grain));
        stubs.push(Stub {
            procedure: cx.procs[&f],
            name: linked.function_name(f).to_owned(),
            never_returns: module.attr(function.attrs, "noreturn").is_some(),
            ret,
            parts: stub_parts(module, function.ret),
            memory,
            bytes: cx.options.stub_bytes,
            params,
            writes,
            numbers: sampled_functions::signature(cx, f),
        });
    }
    stubs
}

fn stub_type(module: &Module, ty: crate::llvm::ast::TypeId) -> StubType {
    let scalars = scalars::leaves(module, ty).unwrap_or_default();
    scalars.first().map_or(StubType::Void, |l| stub_scalar(l.scalar))
}

fn stub_scalar(scalar: scalars::Scalar) -> StubType {
    match scalar {
        scalars::Scalar::Bool => StubType::Int(1),
        scalars::Scalar::Int(bits) => StubType::Int(bits),
        scalars::Scalar::Float(bits) => StubType::Float(bits),
        scalars::Scalar::Pointer => StubType::Pointer,
    }
}

/// The scalars of a structure in registers.
fn stub_parts(module: &Module, ty: crate::llvm::ast::TypeId) -> Vec<StubType> {
    let scalars = scalars::leaves(module, ty).unwrap_or_default();
    let fits = |l: &scalars::Leaf| match l.scalar {
        scalars::Scalar::Int(bits) => matches!(bits, 8 | 16 | 32 | 64),
        scalars::Scalar::Float(_) => true,
        _ => false,
    };
    let all = scalars.len() > 1 && scalars.iter().all(fits);
    if all { scalars.iter().map(|l| stub_scalar(l.scalar)).collect() } else { Vec::new() }
}

fn writes(cx: &Context, callee: &Unknown) -> Vec<StubWrite> {
    let write = |p: &OutParam| {
        let procedure = p.procedure?;
        let pieces = p.extent.pieces.clone();
        Some(StubWrite { param: p.index, procedure, bytes: p.extent.bytes, pieces })
    };
    cx.written.get(callee).iter().filter_map(write).collect()
}

/// The functions that stand for those that callers give.
fn callback_stubs(cx: &mut Context) -> Vec<Stub> {
    let region = cx.regions.unknown_result();
    let memory = region.map(|r| cx.memory_of(r)).map(|m| (m.symbol, m.grain));
    let sort =
        |sorts: &[footpath_term::SortId]| match (sorts.len(), sorts.first().map(|&s| cx.terms.width(s))) {
            (2.., _) => StubType::Pointer,
            (_, None) => StubType::Void,
            (_, Some(bits)) => StubType::Int(bits.unwrap_or(1)),
        };
    let describe = |(i, (signature, callback)): (usize, (&context::Signature, &context::Callback))| Stub {
        procedure: callback.procedure,
        name: harness::callback_name(i),
        never_returns: false,
        ret: sort(&signature.1),
        parts: Vec::new(),
        memory,
        bytes: cx.options.stub_bytes,
        params: signature.0.iter().map(|s| sort(s)).collect(),
        writes: writes(cx, &Unknown::Callback(signature.clone())),
        numbers: None,
    };
    cx.callbacks.iter().enumerate().map(describe).collect()
}

fn shape_of(modules: &[Module]) -> PointerShape {
    PointerShape::of(modules.first().map_or(64, |m| m.data_layout.pointer_bits()))
}

/// The name of a parameter in the source, or else its number.
fn parameter_name(module: &Module, function: &crate::llvm::ast::Function, index: usize) -> String {
    let named = function.dbg.and_then(|subprogram| {
        let list = module.node(subprogram).with(&module.names).node("retainedNodes")?;
        module.node(list).fields.iter().find_map(|f| {
            let variable = module.node(f.value.as_node()?).with(&module.names);
            (variable.u64("arg")? == index as u64 + 1).then(|| variable.string("name").map(str::to_owned))?
        })
    });
    let declared = || {
        function.body.code()?.insts.iter().find_map(|inst| match &inst.kind {
            InstKind::Debug(record) => {
                let variable = module.node(record.variable?).with(&module.names);
                (variable.u64("arg")? == index as u64 + 1)
                    .then(|| variable.string("name").map(str::to_owned))?
            }
            _ => None,
        })
    };
    named.or_else(declared).unwrap_or_else(|| format!("arg{index}"))
}

/// For variables that only this program can change and that it sets to constants only: that they have one of these
/// values, or the initial one. So a state machine is never in a state that nobody puts it into.
fn possible_values(cx: &mut Context) -> FxHashMap<SymbolId, TermId> {
    let candidates: Vec<(GlobalRef, SymbolId)> = cx
        .scalars
        .iter()
        .filter(|(g, symbols)| symbols.len() == 1 && cx.linked.global(**g).linkage.is_local())
        .map(|(g, symbols)| (*g, symbols[0]))
        .collect();
    let mut stored = stored_constants(cx);
    let mut possible = FxHashMap::default();
    for (g, symbol) in candidates {
        let (Some(first), Some(mut values)) =
            (cx.linked.global(g).init, stored.remove(&g).unwrap_or_else(|| Some(Vec::new())))
        else {
            continue;
        };
        values.insert(0, first);
        let variable = cx.terms.var(symbol);
        let mut choices = Vec::new();
        for c in values {
            match cx.constant(g.module, c) {
                Ok(value) if value.len() == 1 => {
                    choices.push(cx.app(footpath_term::Op::Eq, &[variable, value[0]]));
                }
                _ => {
                    choices.clear();
                    break;
                }
            }
        }
        if !choices.is_empty() && choices.len() <= 64 {
            possible.insert(symbol, cx.app(footpath_term::Op::Or, &choices));
        }
    }
    possible
}

/// The constants that variables are set to; `None` for those that are set to anything else.
fn stored_constants(cx: &Context) -> FxHashMap<GlobalRef, Option<Vec<ConstId>>> {
    let mut stored: FxHashMap<GlobalRef, Option<Vec<ConstId>>> = FxHashMap::default();
    for (f, function) in cx.linked.functions() {
        let module = cx.module(f.module);
        for inst in function.body.code().map_or(&[][..], |code| &code.insts) {
            let InstKind::Store(store) = &inst.kind else { continue };
            let Value::Const(pointer) = store.pointer.value else { continue };
            let ConstKind::Global(name) = module.constant(pointer).kind else { continue };
            let Some(link::Target::Global(g)) = cx.linked.resolve(f.module, name) else { continue };
            let values = stored.entry(g).or_insert_with(|| Some(Vec::new()));
            match (store.value.value, &mut *values) {
                (Value::Const(c), Some(values)) => values.push(c),
                _ => *values = None,
            }
        }
    }
    stored
}

/// Puts the program together: what the lowering used is declared.
fn assemble(mut cx: Context, mut procedures: Vec<Procedure>) -> Program {
    let span = Span { file: footpath_ir::source::FileId(0), start: 0, end: 0 };
    let possible = possible_values(&mut cx);
    let mut globals = Vec::new();
    let mut all: Vec<SymbolId> = vec![cx.size, cx.alive, cx.next];
    all.extend(cx.ended);
    all.extend(cx.memory.values().map(|m| m.symbol));
    all.extend(cx.scalars.values().flatten());
    all.extend(cx.assumptions.values());
    for &symbol in &all {
        let (name, sort) = (cx.terms.symbol(symbol).name.clone(), cx.terms.symbol(symbol).sort);
        let old = cx.terms.fresh_symbol(format!("old({name})"), sort);
        let mut variable = Variable::new(symbol, span);
        variable.where_clause = possible.get(&symbol).copied();
        if symbol == cx.size || symbol == cx.alive || Some(symbol) == cx.ended {
            // Whoever executes this decides first which object is meant.
            variable.attributes.push(Attribute { name: "by_object".into(), args: Vec::new() });
        }
        if cx.assumptions.values().any(|&a| a == symbol) {
            variable.attributes.push(Attribute { name: "assumption".into(), args: Vec::new() });
        }
        globals.push(Global { variable, old });
    }
    for procedure in &mut procedures {
        if !procedure.bodies.is_empty() {
            procedure.modifies.clone_from(&all);
        }
    }
    let builtins: Vec<_> = cx.builtins.iter().map(|((text, ..), &id)| (text.clone(), id)).collect();
    let mut functions = Vec::new();
    for (text, id) in builtins {
        let sorts = cx.terms.function(id).params.clone();
        let params = sorts.into_iter().map(|sort| cx.terms.fresh_symbol("x", sort)).collect();
        let attribute = Attribute { name: "builtin".into(), args: vec![AttributeArg::Text(text.into())] };
        functions.push(IrFunction { id, params, body: None, span, attributes: vec![attribute] });
    }
    functions.extend(sampled_functions::declarations(&mut cx, span));
    let mut program = Program::new(Terms::new());
    program.terms = Arc::new(cx.terms);
    program.functions = functions;
    program.globals = globals;
    program.procedures = procedures;
    program
}

/// Functions of the library that keep what they are given, to call it later or at the same time.
const KEEPERS: [&str; 12] = [
    "atexit",
    "at_quick_exit",
    "on_exit",
    "__cxa_atexit",
    "pthread_create",
    "pthread_atfork",
    "thrd_create",
    "signal",
    "bsd_signal",
    "sigaction",
    "timer_create",
    "makecontext",
];

/// See [`Lowered::beside`].
fn async_entry_points(cx: &Context, options: &Options) -> BTreeSet<ProcId> {
    if !options.harness.whole_program {
        return BTreeSet::new();
    }
    let linked = cx.linked;
    let keeps = linked.functions().any(|(f, _)| {
        (f.module as usize) < options.user_modules && KEEPERS.contains(&linked.function_name(f))
    });
    let taken = cx.regions.address_taken.iter().copied().filter(|_| keeps);
    let called = linked.run_around("llvm.global_dtors").into_iter().chain(taken);
    called.filter_map(|f| cx.procs.get(&f).copied()).collect()
}

/// The operands of an instruction, the sources of phis left out.
pub(crate) fn operands(kind: &InstKind) -> Vec<Operand> {
    let mut found = Vec::new();
    if !matches!(kind, InstKind::Phi { .. } | InstKind::Debug(_)) {
        kind.for_each_operand(|operand| found.push(operand));
    }
    found
}
