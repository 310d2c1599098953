//! A safe wrapper of Z3's C interface: the only place with `unsafe`.
//!
//! A [`Context`] owns a Z3 context, one solver and the model of its last check. Everything else is identified by an
//! index into a table that the context keeps ([`Ast`], [`Sort`], [`Decl`]): handles are plain numbers, can be copied
//! and sent, and a stale one finds another node or panics but never reaches freed memory. The table holds one
//! reference on each node; [`Context::mark`] and [`Context::release`] give temporary ones back.
//!
//! `ffi/build.rs` makes expressions, `ffi/inspect.rs` reads models, `ffi/smtlib.rs` interprets SMT-LIB 2.
//!
//! **Invariants that the `unsafe` blocks rely on:** `raw`, `solver` and `model` are alive as long as the context is;
//! so is every node of the table, which is tagged with its kind. Only the owner of the context calls into it, except
//! for `Z3_solver_interrupt`, which is made for other threads ([`Stopper`]).
//!
//! **Traps.** An installed libz3 of another version links silently: [`Context::new`] checks the version. The default
//! error handler exits the process: ours does nothing, and every result is checked. Kinds of nodes are C enumerations
//! that differ between versions, so they are read as numbers here.

mod build;
mod inspect;
mod smtlib;

use std::ffi::{CStr, CString, c_uint};
use std::ptr::NonNull;

use footpath_term::Op;
use rustc_hash::FxHashMap;
use z3_sys::*;

use crate::open::Profile;
pub(super) use smtlib::SmtLib;

/// The version of Z3 that this crate was written for.
const VERSION: (u32, u32) = (5, 4);

/// An expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Ast(u32);
/// A sort; equal sorts have equal handles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Sort(u32);
/// A function declaration; equal declarations have equal handles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Decl(u32);

/// An error message of Z3.
#[derive(Debug)]
pub(super) struct Error(pub String);
pub(super) type Result<T> = std::result::Result<T, Error>;

#[derive(Clone, Copy)]
enum Node {
    Ast(Z3_ast),
    Sort(Z3_sort),
    Decl(Z3_func_decl),
}

/// The structure of an expression.
pub(super) enum View {
    /// A function applied, or a number; `kind` is one of [`kind`].
    App { decl: Decl, kind: u32, args: Vec<Ast> },
    /// A bound variable, counted from the innermost.
    Bound(u32),
    /// A lambda over so many variables.
    Lambda { vars: u32, body: Ast },
    /// A quantifier.
    Quantifier,
}

/// Kinds of applications, as in `z3_api.h`.
pub(super) mod kind {
    pub(in crate::z3) const TRUE: u32 = 0x100;
    pub(in crate::z3) const FALSE: u32 = 0x101;
    pub(in crate::z3) const EQ: u32 = 0x102;
    pub(in crate::z3) const ITE: u32 = 0x104;
    pub(in crate::z3) const AND: u32 = 0x105;
    pub(in crate::z3) const OR: u32 = 0x106;
    pub(in crate::z3) const NOT: u32 = 0x109;
    pub(in crate::z3) const STORE: u32 = 0x300;
    pub(in crate::z3) const CONST_ARRAY: u32 = 0x302;
    pub(in crate::z3) const AS_ARRAY: u32 = 0x30a;
    pub(in crate::z3) const DT_CONSTRUCTOR: u32 = 0x800;
    pub(in crate::z3) const RNE: u32 = 0xb000;
    pub(in crate::z3) const RTZ: u32 = 0xb004;
}

/// Kinds of sorts, as in `z3_api.h`.
pub(super) mod sort_kind {
    pub(in crate::z3) const UNINTERPRETED: u32 = 0;
    pub(in crate::z3) const BOOL: u32 = 1;
    pub(in crate::z3) const INT: u32 = 2;
    pub(in crate::z3) const REAL: u32 = 3;
    pub(in crate::z3) const BV: u32 = 4;
    pub(in crate::z3) const ARRAY: u32 = 5;
    pub(in crate::z3) const DATATYPE: u32 = 6;
    pub(in crate::z3) const FLOAT: u32 = 9;
    pub(in crate::z3) const ROUNDING_MODE: u32 = 10;
    pub(in crate::z3) const SEQ: u32 = 11;
}

#[allow(clashing_extern_declarations)]
unsafe extern "C" {
    #[link_name = "Z3_get_decl_kind"]
    fn decl_kind_number(c: Z3_context, d: Z3_func_decl) -> c_uint;
    #[link_name = "Z3_get_sort_kind"]
    fn sort_kind_number(c: Z3_context, s: Z3_sort) -> c_uint;
    #[link_name = "Z3_get_ast_kind"]
    fn ast_kind_number(c: Z3_context, a: Z3_ast) -> c_uint;
}

/// Z3's answer to a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Check {
    Sat,
    Unsat,
    Unknown,
}

/// One constructor of a datatype to be declared.
#[derive(Clone)]
pub(super) struct ConstructorSpec {
    pub(super) name: String,
    pub(super) fields: Vec<(String, Sort)>,
}

/// A declared constructor.
pub(super) struct Constructor {
    pub(super) make: Decl,
    pub(super) test: Decl,
    pub(super) fields: Vec<Decl>,
}

/// The entries of a function in a model, and its value elsewhere.
pub(super) struct Interpretation {
    pub(super) entries: Vec<(Vec<Ast>, Ast)>,
    pub(super) otherwise: Option<Ast>,
}

pub(super) struct Context {
    raw: Z3_context,
    solver: Z3_solver,
    model: Option<Z3_model>,
    nodes: Vec<Node>,
    /// Handles of sorts and declarations, which are few and compared.
    interned: FxHashMap<NonNull<_Z3_ast>, u32>,
}

// SAFETY: a Z3 context has no thread of its own and no thread-local state; it may be used from any one thread
// at a time, and `&mut` sees to that.
unsafe impl Send for Context {}

/// Stops a running check from another thread.
#[derive(Clone, Copy)]
pub(super) struct Stopper {
    context: Z3_context,
    solver: Z3_solver,
}

// SAFETY: the only use is `Z3_solver_interrupt`, which takes a lock and is made for other threads. Whoever
// holds a stopper must let it go before the context is dropped; `watchdog.rs` joins its thread for that.
unsafe impl Send for Stopper {}

impl Stopper {
    /// Stops the running check; does nothing if none is running.
    pub(super) fn stop(self) {
        // SAFETY: context and solver are alive, see `unsafe impl Send for Stopper`.
        unsafe { Z3_solver_interrupt(self.context, self.solver) }
    }
}

/// Errors are read from the results of calls. The default handler would end the process.
unsafe extern "C" fn ignore_error(_: Z3_context, _: Z3_error_code) {}

fn c_string(text: &str) -> CString {
    let bytes = text.bytes().filter(|&b| b != 0).collect::<Vec<u8>>();
    CString::new(bytes).expect("no zero bytes are left")
}

/// The linked version, all four numbers.
pub(super) fn version() -> [u32; 4] {
    let mut v: [c_uint; 4] = [0; 4];
    let [a, b, c, d] = &mut v;
    // SAFETY: four valid places for numbers.
    unsafe { Z3_get_version(a, b, c, d) };
    v
}

/// Sets a global parameter of the process.
pub(super) fn set_global(name: &str, value: &str) {
    let (name, value) = (c_string(name), c_string(value));
    // SAFETY: two C strings that outlive the call.
    unsafe { Z3_global_param_set(name.as_ptr(), value.as_ptr()) };
}

/// Checks that the library is the one that this crate was written for, and silences it.
fn check_version() -> Result<()> {
    let v = version();
    if (v[0], v[1]) != VERSION {
        return Err(Error(format!(
            "this is Z3 {}.{}.{}, and {}.{} is needed: is another libz3 found first?",
            v[0], v[1], v[2], VERSION.0, VERSION.1
        )));
    }
    // SAFETY: sets a flag. Z3 would write to the process's error output what it thinks of other people's triggers.
    unsafe { Z3_toggle_warning_messages(false) };
    Ok(())
}

/// Z3's value of the phase parameter for trying false first.
const ALWAYS_FALSE: u32 = 0;

impl Context {
    pub(super) fn new(seed: Option<u32>, profile: Profile) -> Result<Context> {
        check_version()?;
        // SAFETY: the documented sequence to make a context. The configuration is deleted once, after use, and
        // the solver is kept alive by the reference counted here.
        unsafe {
            let config = Z3_mk_config().ok_or_else(|| Error("Z3 made no configuration".to_owned()))?;
            let raw = Z3_mk_context_rc(config);
            Z3_del_config(config);
            let raw = raw.ok_or_else(|| Error("Z3 made no context, as it does without memory".to_owned()))?;
            Z3_set_error_handler(raw, Some(ignore_error));
            let solver = match profile {
                Profile::Bits => Z3_mk_string_symbol(raw, c"QF_BV".as_ptr())
                    .and_then(|logic| Z3_mk_solver_for_logic(raw, logic)),
                Profile::Decide | Profile::Refute | Profile::Hard => Z3_mk_simple_solver(raw),
            };
            let Some(solver) = solver else {
                Z3_del_context(raw);
                return Err(Error("Z3 made no solver".to_owned()));
            };
            Z3_solver_inc_ref(raw, solver);
            let mut context =
                Context { raw, solver, model: None, nodes: Vec::new(), interned: FxHashMap::default() };
            context.configure(seed, profile)?;
            Ok(context)
        }
    }

    /// Sets the solver's parameters; a seed perturbs its search. Signals are left to the process: by default Z3
    /// handles Ctrl-C itself while it works.
    ///
    /// For refuting only, models of quantified formulas must not be searched for. That takes two parameters: unless
    /// Z3's automatic configuration by the form of the formula is disabled, it enables the search again.
    fn configure(&mut self, seed: Option<u32>, profile: Profile) -> Result<()> {
        let (ctrl_c, random_seed) = (self.symbol("ctrl_c")?, self.symbol("random_seed")?);
        let phase_selection = self.symbol("phase_selection")?;
        let (auto_config, mbqi) = (self.symbol("auto_config")?, self.symbol("mbqi")?);
        // SAFETY: the parameter set lives from `inc_ref` to `dec_ref`.
        unsafe {
            let params = Z3_mk_params(self.raw).ok_or_else(|| Error("Z3 made no parameters".to_owned()))?;
            Z3_params_inc_ref(self.raw, params);
            Z3_params_set_bool(self.raw, params, ctrl_c, false);
            if let Some(seed) = seed {
                Z3_params_set_uint(self.raw, params, random_seed, seed);
            }
            if profile == Profile::Refute {
                Z3_params_set_bool(self.raw, params, auto_config, false);
                Z3_params_set_bool(self.raw, params, mbqi, false);
            }
            if profile == Profile::Hard {
                Z3_params_set_uint(self.raw, params, phase_selection, ALWAYS_FALSE);
            }
            Z3_solver_set_params(self.raw, self.solver, params);
            Z3_params_dec_ref(self.raw, params);
        }
        self.done()
    }

    /// Limits each check to so many of Z3's resource units, which count steps of its algorithms.
    pub(super) fn set_resource_limit(&mut self, limit: Option<u32>) -> Result<()> {
        let rlimit = self.symbol("rlimit")?;
        // SAFETY: the parameter set lives from `inc_ref` to `dec_ref`.
        unsafe {
            let params = Z3_mk_params(self.raw).ok_or_else(|| Error("Z3 made no parameters".to_owned()))?;
            Z3_params_inc_ref(self.raw, params);
            // Its own way to say that there is none.
            Z3_params_set_uint(self.raw, params, rlimit, limit.unwrap_or(0));
            Z3_solver_set_params(self.raw, self.solver, params);
            Z3_params_dec_ref(self.raw, params);
        }
        self.done()
    }

    /// The error of the last call.
    fn error(&self) -> Error {
        // SAFETY: the context is alive, and so is the message until the next call.
        unsafe {
            let code = Z3_get_error_code(self.raw);
            let message = Z3_get_error_msg(self.raw, code);
            Error(if message.is_null() {
                format!("{code:?}")
            } else {
                CStr::from_ptr(message).to_string_lossy().into_owned()
            })
        }
    }

    /// The outcome of a call without result.
    fn done(&self) -> Result<()> {
        // SAFETY: the context is alive.
        match unsafe { Z3_get_error_code(self.raw) } {
            ErrorCode::Ok => Ok(()),
            _ => Err(self.error()),
        }
    }

    pub(super) fn stopper(&self) -> Stopper {
        Stopper { context: self.raw, solver: self.solver }
    }

    pub(super) fn raw_parts(&self) -> (Z3_context, Z3_solver) {
        (self.raw, self.solver)
    }

    // ---- the table ----

    fn keep(&mut self, ast: Option<Z3_ast>) -> Result<Ast> {
        let Some(ast) = ast else { return Err(self.error()) };
        // SAFETY: `ast` was just returned by the context; the reference is given back in `release` or `drop`.
        unsafe { Z3_inc_ref(self.raw, ast) };
        self.nodes.push(Node::Ast(ast));
        Ok(Ast(self.nodes.len() as u32 - 1))
    }

    fn keep_sort(&mut self, sort: Option<Z3_sort>) -> Result<Sort> {
        let Some(sort) = sort else { return Err(self.error()) };
        // SAFETY: `sort` was just returned by the context.
        let Some(ast) = (unsafe { Z3_sort_to_ast(self.raw, sort) }) else { return Err(self.error()) };
        if let Some(&i) = self.interned.get(&ast) {
            return Ok(Sort(i));
        }
        // SAFETY: as above; the reference is given back in `drop`.
        unsafe { Z3_inc_ref(self.raw, ast) };
        self.nodes.push(Node::Sort(sort));
        let i = self.nodes.len() as u32 - 1;
        self.interned.insert(ast, i);
        Ok(Sort(i))
    }

    fn keep_decl(&mut self, decl: Option<Z3_func_decl>) -> Result<Decl> {
        let Some(decl) = decl else { return Err(self.error()) };
        // SAFETY: `decl` was just returned by the context.
        let Some(ast) = (unsafe { Z3_func_decl_to_ast(self.raw, decl) }) else { return Err(self.error()) };
        if let Some(&i) = self.interned.get(&ast) {
            return Ok(Decl(i));
        }
        // SAFETY: as above; the reference is given back in `drop`.
        unsafe { Z3_inc_ref(self.raw, ast) };
        self.nodes.push(Node::Decl(decl));
        let i = self.nodes.len() as u32 - 1;
        self.interned.insert(ast, i);
        Ok(Decl(i))
    }

    pub(super) fn ast(&self, a: Ast) -> Z3_ast {
        match self.nodes[a.0 as usize] {
            Node::Ast(raw) => raw,
            _ => panic!("a handle of an expression names one"),
        }
    }

    fn sort(&self, s: Sort) -> Z3_sort {
        match self.nodes[s.0 as usize] {
            Node::Sort(raw) => raw,
            _ => panic!("a handle of a sort names one"),
        }
    }

    fn decl(&self, d: Decl) -> Z3_func_decl {
        match self.nodes[d.0 as usize] {
            Node::Decl(raw) => raw,
            _ => panic!("a handle of a declaration names one"),
        }
    }

    fn asts(&self, list: &[Ast]) -> Vec<Z3_ast> {
        list.iter().map(|&a| self.ast(a)).collect()
    }

    /// A position for [`Context::release`].
    pub(super) fn mark(&self) -> usize {
        self.nodes.len()
    }

    /// Forgets all expressions made since `mark`. Sorts and declarations among them stay.
    pub(super) fn release(&mut self, mark: usize) {
        let mut first = self.nodes.len();
        while first > mark && matches!(self.nodes[first - 1], Node::Ast(_)) {
            first -= 1;
        }
        // What lies below a sort or declaration stays as well: rare, and it keeps handles valid.
        for node in self.nodes.drain(first..) {
            if let Node::Ast(a) = node {
                // SAFETY: the table held this reference and the node is gone from it.
                unsafe { Z3_dec_ref(self.raw, a) };
            }
        }
    }

    /// A number that identifies equal expressions, as long as they are alive.
    pub(super) fn key(&self, a: Ast) -> usize {
        self.ast(a).as_ptr() as usize
    }

    // ---- the solver ----

    pub(super) fn solver_assert(&mut self, a: Ast) -> Result<()> {
        // SAFETY: a live solver and expression.
        unsafe { Z3_solver_assert(self.raw, self.solver, self.ast(a)) };
        self.done()
    }

    pub(super) fn solver_push(&mut self) -> Result<()> {
        self.drop_model();
        // SAFETY: a live solver.
        unsafe { Z3_solver_push(self.raw, self.solver) };
        self.done()
    }

    pub(super) fn solver_pop(&mut self, levels: u32) -> Result<()> {
        self.drop_model();
        // SAFETY: a live solver; Z3 checks the number of levels.
        unsafe { Z3_solver_pop(self.raw, self.solver, levels) };
        self.done()
    }

    pub(super) fn solver_check(&mut self, assumptions: &[Ast]) -> Result<Check> {
        self.drop_model();
        let raw = self.asts(assumptions);
        // SAFETY: `raw` holds `raw.len()` live expressions.
        let answer =
            unsafe { Z3_solver_check_assumptions(self.raw, self.solver, raw.len() as c_uint, raw.as_ptr()) };
        self.done()?;
        Ok(match answer {
            Z3_L_TRUE => Check::Sat,
            Z3_L_FALSE => Check::Unsat,
            _ => Check::Unknown,
        })
    }

    pub(super) fn reason_unknown(&self) -> String {
        // SAFETY: the text is alive until the next call, and copied before.
        unsafe {
            let text = Z3_solver_get_reason_unknown(self.raw, self.solver);
            if text.is_null() { String::new() } else { CStr::from_ptr(text).to_string_lossy().into_owned() }
        }
    }

    /// The assumptions of an unsatisfiable core, by [`Context::key`].
    pub(super) fn core(&mut self) -> Result<Vec<usize>> {
        let mark = self.mark();
        // SAFETY: a live solver.
        let vector = unsafe { Z3_solver_get_unsat_core(self.raw, self.solver) };
        let Some(vector) = vector else { return Err(self.error()) };
        let keys = self.vector(vector)?.into_iter().map(|a| self.key(a)).collect();
        self.release(mark);
        Ok(keys)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        self.drop_model();
        // SAFETY: every reference is given back once, then the context goes; nobody else uses it, as `Stopper`
        // and the propagator are gone by then (fields of the owner are dropped in this order).
        unsafe {
            for node in self.nodes.drain(..) {
                let ast = match node {
                    Node::Ast(a) => Some(a),
                    Node::Sort(s) => Z3_sort_to_ast(self.raw, s),
                    Node::Decl(d) => Z3_func_decl_to_ast(self.raw, d),
                };
                if let Some(a) = ast {
                    Z3_dec_ref(self.raw, a);
                }
            }
            Z3_solver_dec_ref(self.raw, self.solver);
            Z3_del_context(self.raw);
        }
    }
}
