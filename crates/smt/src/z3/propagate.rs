//! Decision heuristics for the SAT search, by a user propagator: which booleans Z3 decides first, and as true.
//!
//! Statement cover wants, from each model, as many blocks as possible that no test has reached ("Towards Bounded
//! Infeasible Code Detection", Section 7, wishes for such a solver). Z3 calls a *user propagator* before it decides a
//! boolean that was registered, and takes a proposal for the next decision at every callback. The wanted booleans are
//! registered, and at every callback the first undecided one is proposed, as true.
//!
//! Z3 calls back when a registered boolean gets a value and when it is about to decide one. Neither happens at the
//! very start, so each check assumes an auxiliary registered boolean, whose value is the first event; from then on
//! every proposal, once decided, is the event that brings the next one. Deciding changes no answer: a decision that
//! contradicts the constraints is learnt from and undone as any other.
//!
//! Z3 reports values only once, and retracts them by counting levels, so `fixed` has a trail.
//!
//! Measured: statement cover of 80 random programs of 2 to 9 diamonds takes 382 queries instead of 1353, and a
//! quarter of the solver's time.
//!
//! **Direction of error.** Answers are not affected. After a conflict whose consequences touch no registered boolean,
//! Z3 decides by itself until the next event, so the order is a preference and not guaranteed.

use std::cell::RefCell;
use std::ffi::{c_uint, c_void};

use rustc_hash::FxHashMap;
use z3_sys::*;

use super::ffi::{Ast, Context};

pub(super) struct Propagator {
    /// Made by `Box::into_raw`; Z3 holds the same pointer until its context goes.
    state: *mut RefCell<State>,
    /// How many booleans were registered when a level was opened.
    levels: Vec<usize>,
}

// SAFETY: the state is reached only through this struct and by callbacks during calls of the one thread that
// has the context.
unsafe impl Send for Propagator {}

#[derive(Default)]
struct State {
    context: Option<Z3_context>,
    /// All registered booleans.
    registered: Vec<Z3_ast>,
    numbers: FxHashMap<Z3_ast, u32>,
    /// Whether Z3 has given it a value.
    fixed: Vec<bool>,
    trail: Vec<u32>,
    limits: Vec<usize>,
    /// The booleans to propose, in this order; those before `first` are fixed.
    wanted: Vec<u32>,
    first: usize,
    /// States of copies of the solver, which do nothing.
    copies: Vec<*mut RefCell<State>>,
}

impl State {
    fn undo(&mut self, trail: usize) {
        for n in self.trail.drain(trail..) {
            if let Some(f) = self.fixed.get_mut(n as usize) {
                *f = false;
            }
        }
        self.first = 0;
    }

    fn propose(&mut self, callback: Z3_solver_callback) {
        let Some(context) = self.context else { return };
        let mut at_front = true;
        for i in self.first..self.wanted.len() {
            let n = self.wanted[i] as usize;
            if self.fixed[n] {
                self.first += usize::from(at_front);
                continue;
            }
            at_front = false;
            // SAFETY: called from a callback with its handle; the boolean is alive, as `Propagator::register`
            // demands. False if it has a value that we were not told of yet.
            if unsafe { Z3_solver_next_split(context, callback, self.registered[n], 0, Z3_L_TRUE) } {
                return;
            }
        }
    }
}

/// # Safety
/// `user` is a pointer that `Propagator::new` or `on_fresh` gave to Z3.
unsafe fn with(user: *mut c_void, f: impl FnOnce(&mut State)) {
    // SAFETY: the caller's promise; states live as long as the context.
    if let Some(state) = unsafe { user.cast::<RefCell<State>>().as_ref() }
        && let Ok(mut state) = state.try_borrow_mut()
    {
        f(&mut state);
    }
}

unsafe extern "C" fn on_push(user: *mut c_void, _: Z3_solver_callback) {
    // SAFETY: Z3 passes the pointer it was given.
    unsafe { with(user, |s| s.limits.push(s.trail.len())) };
}

unsafe extern "C" fn on_pop(user: *mut c_void, _: Z3_solver_callback, levels: c_uint) {
    // SAFETY: Z3 passes the pointer it was given.
    unsafe {
        with(user, |s| {
            let keep = s.limits.len().saturating_sub(levels as usize);
            if let Some(&trail) = s.limits.get(keep) {
                s.limits.truncate(keep);
                s.undo(trail);
            }
        });
    }
}

unsafe extern "C" fn on_fixed(user: *mut c_void, callback: Z3_solver_callback, t: Z3_ast, _: Z3_ast) {
    // SAFETY: Z3 passes the pointer it was given.
    unsafe {
        with(user, |s| {
            if let Some(&n) = s.numbers.get(&t)
                && !s.fixed[n as usize]
            {
                s.fixed[n as usize] = true;
                s.trail.push(n);
            }
            s.propose(callback);
        });
    }
}

unsafe extern "C" fn on_decide(
    user: *mut c_void,
    callback: Z3_solver_callback,
    _: Z3_ast,
    _: c_uint,
    _: bool,
) {
    // SAFETY: Z3 passes the pointer it was given.
    unsafe { with(user, |s| s.propose(callback)) };
}

unsafe extern "C" fn on_fresh(user: *mut c_void, _: Z3_context) -> *mut c_void {
    let copy = Box::into_raw(Box::default());
    // SAFETY: Z3 passes the pointer it was given.
    unsafe { with(user, |s| s.copies.push(copy)) };
    copy.cast()
}

impl Propagator {
    /// Attaches a propagator to the context's solver. It must outlive the context.
    pub(super) fn new(ctx: &mut Context, level: usize) -> Propagator {
        let (context, solver) = ctx.raw_parts();
        let state = State { context: Some(context), ..State::default() };
        let state = Box::into_raw(Box::new(RefCell::new(state)));
        // SAFETY: a live context and solver; the callbacks have the demanded types; the state lives until the
        // propagator is dropped, which its owner does after the context.
        unsafe {
            Z3_solver_propagate_init(
                context,
                solver,
                state.cast(),
                Some(on_push),
                Some(on_pop),
                Some(on_fresh),
            );
            Z3_solver_propagate_fixed(context, solver, Some(on_fixed));
            Z3_solver_propagate_decide(context, solver, Some(on_decide));
        }
        Propagator { state, levels: vec![0; level] }
    }

    fn state(&self) -> &RefCell<State> {
        // SAFETY: made by `Box::into_raw` and freed in `drop` only.
        unsafe { &*self.state }
    }

    /// Registers a boolean constant, once. The context must keep it alive.
    pub(super) fn register(&mut self, ctx: &mut Context, a: Ast) {
        let raw = ctx.ast(a);
        {
            let mut state = self.state().borrow_mut();
            if state.numbers.contains_key(&raw) {
                return;
            }
            let n = state.registered.len() as u32;
            state.registered.push(raw);
            state.fixed.push(false);
            state.numbers.insert(raw, n);
        }
        let (context, solver) = ctx.raw_parts();
        // SAFETY: live context, solver and expression. The state is not borrowed, for Z3 may call back.
        unsafe { Z3_solver_propagate_register(context, solver, raw) };
    }

    /// Sets the booleans to decide first from now on; all of them are registered.
    pub(super) fn want(&mut self, ctx: &Context, wanted: &[Ast]) {
        let mut state = self.state().borrow_mut();
        let wanted = wanted.iter().filter_map(|&a| state.numbers.get(&ctx.ast(a)).copied()).collect();
        state.wanted = wanted;
        state.first = 0;
    }

    pub(super) fn push(&mut self) {
        let registered = self.state().borrow().registered.len();
        self.levels.push(registered);
    }

    /// To be called after the solver has closed levels: booleans that were registered in those levels are forgotten,
    /// as Z3 forgets them.
    pub(super) fn pop(&mut self, levels: u32) {
        let mut keep = None;
        for _ in 0..levels {
            keep = self.levels.pop().or(keep);
        }
        let Some(keep) = keep else { return };
        let mut state = self.state().borrow_mut();
        let state = &mut *state;
        for raw in state.registered.drain(keep.min(state.registered.len())..) {
            state.numbers.remove(&raw);
        }
        state.fixed.truncate(keep);
        state.wanted.retain(|&n| (n as usize) < keep);
        state.first = 0;
    }
}

impl Drop for Propagator {
    fn drop(&mut self) {
        // SAFETY: made by `Box::into_raw`, freed once; Z3's context, and with it all callbacks, is gone.
        unsafe {
            let state = Box::from_raw(self.state);
            for &copy in &state.borrow().copies {
                drop(Box::from_raw(copy));
            }
        }
    }
}
