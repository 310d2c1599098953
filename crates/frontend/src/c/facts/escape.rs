//! Escape analysis: which memory and variables external functions can read, change or free, because their addresses
//! have escaped from the program.
//!
//! **Idea.** Code outside the program may keep every address that it was ever given, and may call every function that
//! it can name. So any call of it may change
//!
//! * variables with external linkage; static variables that some function of the program changes, as external code
//!   may call that function; and what the pointers among them point to;
//! * what the parameters and results of functions that it may call point to, and what was passed to external code;
//! * everything that is reachable from there through pointers.
//!
//! Locals, allocated memory and tables keep their values as long as their addresses do not escape.
//!
//! Example: in `int n = 0, m = 0; g(&m); h();` with external functions `g` and `h`, the address of `m` escapes to
//! `g`, so for proofs `m` is arbitrary after either call; the address of `n` does not, so `n == 0` still holds.
//!
//! Most functions of the C library are more restricted: they keep no addresses and call back only functions that they are
//! passed. Such a function changes what its arguments point to, `errno`, its own variables, and what results of the library
//! point to, as `getpwuid` writes to the same structure each time. Where a library function waits, for a lock, an event or some
//! time, other threads and signal handlers run: after the call, everything that external code can change may have changed.
//! The same holds in a program that has the library keep an address (`setvbuf`, `open_memstream`, `fopencookie`; see `keeps`), for
//! calls of all functions that may use it.
//!
//! What external code can reach it may also free (`lifetimes.rs`).
//!
//! **Direction of error.** Threads that run without ever being waited for are not accounted for. Which memory may be
//! the same is decided by `points_to.rs` and `aliasing.rs`, and an error there is one here. The library is taken to keep nothing that
//! it is given by functions that are not listed here.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use footpath_term::SymbolId;

use crate::llvm::ast::{Body, Call, ConstKind, Function, InstKind, LocalId, Value};

use super::super::harness::STREAMS;
use super::super::lower::context::Context;
use super::super::source::library_models::{self, ERRNO};
use super::link::{FnRef, GlobalRef, Linked, Target};
use super::points_to::{Region, Regions, callee};

/// The kind of a callee.
enum Whom {
    /// A function with a body, or one that changes no memory.
    Known,
    /// A function that copies to, or fills, what its first argument points to.
    Fills,
    /// A library function that has no model.
    Library,
    /// An external function.
    Outside,
}

/// Whether a library function waits, or lets a signal handler run.
pub(crate) fn waits(name: &str) -> bool {
    const WAITS: [&str; 43] = [
        "clock_nanosleep",
        "cnd_timedwait",
        "cnd_wait",
        "epoll_wait",
        "kill",
        "mtx_lock",
        "mtx_timedlock",
        "mtx_trylock",
        "nanosleep",
        "pause",
        "poll",
        "ppoll",
        "pselect",
        "pthread_barrier_wait",
        "pthread_cond_timedwait",
        "pthread_cond_wait",
        "pthread_join",
        "pthread_kill",
        "pthread_mutex_lock",
        "pthread_mutex_timedlock",
        "pthread_mutex_trylock",
        "pthread_rwlock_rdlock",
        "pthread_rwlock_tryrdlock",
        "pthread_rwlock_trywrlock",
        "pthread_rwlock_wrlock",
        "pthread_sigmask",
        "pthread_spin_lock",
        "pthread_spin_trylock",
        "raise",
        "sched_yield",
        "select",
        "sem_timedwait",
        "sem_trywait",
        "sem_wait",
        "sigprocmask",
        "sigsuspend",
        "sigwait",
        "sleep",
        "thrd_join",
        "thrd_sleep",
        "thrd_yield",
        "usleep",
        "waitpid",
    ];
    WAITS.contains(&name)
}

/// Whether a library function keeps an address that it is given, for later calls, or finds variables and functions of the program
/// by their names. A stream without a buffer keeps nothing.
fn keeps(linked: &Linked<'_>, module: u32, call: &Call, name: &str) -> bool {
    match name {
        "setbuf" | "setbuffer" | "setvbuf" => call.args.get(1).is_some_and(|(buffer, _)| {
            !matches!(buffer.value, Value::Const(c) if linked.modules[module as usize].constant(c).kind == ConstKind::Null)
        }),
        "dlsym" | "dlvsym" | "epoll_ctl" | "fmemopen" | "fopencookie" | "initstate" | "open_memstream"
        | "open_wmemstream" | "putenv" => true,
        _ => false,
    }
}

/// Whether the library may keep addresses that the program gave it.
pub(crate) fn has_kept(cx: &mut Context) -> bool {
    if let Some(known) = cx.shared.has_kept {
        return known;
    }
    let linked = cx.linked;
    let own = linked.functions().filter(|(f, _)| (f.module as usize) < cx.options.user_modules);
    let is_keeping = |(f, function): (FnRef, &Function)| {
        let insts = function.body.code().map_or(&[][..], |code| &code.insts);
        insts.iter().filter_map(|inst| inst.kind.as_call()).any(|call| is_kept_by(cx, f.module, call))
    };
    let found = own.into_iter().any(is_keeping);
    cx.shared.has_kept = Some(found);
    found
}

/// Whether a call has the library keep an address.
fn is_kept_by(cx: &Context, module: u32, call: &Call) -> bool {
    callee(cx.linked, module, call).is_some_and(|callee| {
        let name = cx.linked.function_name(callee);
        cx.options.library.contains(name) && keeps(cx.linked, module, call, name)
    })
}

/// Whether a library function with a model may use what the library keeps for the program.
pub(crate) fn uses_kept(cx: &mut Context, name: &str) -> bool {
    has_kept(cx) && library_models::uses_kept(name)
}

/// Whether the program asks the library which time zone it is.
pub(crate) fn knows_zone(cx: &Context) -> bool {
    let is_zone = |g: GlobalRef| library_models::ZONE.contains(&cx.linked.global_name(g));
    cx.linked.globals().any(|(g, global)| global.init.is_none() && is_zone(g))
}

/// Collects what escapes to external code, and what is written at all.
struct Walk<'a, 'm> {
    linked: &'a Linked<'m>,
    regions: &'a Regions,
    reached: Vec<Region>,
    written: FxHashSet<Region>,
    named: FxHashSet<GlobalRef>,
    /// The regions of the arguments of library functions that may free them.
    given_to_end: Vec<Region>,
}

impl Walk<'_, '_> {
    fn operand(&self, f: FnRef, value: Value) -> Option<Region> {
        self.regions.operand(self.linked, f, value)
    }

    fn write(&mut self, f: FnRef, to: Value) {
        self.written.extend(self.operand(f, to));
        if let Value::Const(c) = to
            && let Some(Target::Global(g)) = self.linked.named_by(f.module, c)
        {
            self.named.insert(g);
        }
    }

    /// Collects what the instructions of a function write and pass to others.
    fn function(&mut self, cx: &Context, f: FnRef) {
        let Body::Defined(code) = &self.linked.function(f).body else { return };
        for inst in &code.insts {
            match &inst.kind {
                InstKind::Store(store) => self.write(f, store.pointer.value),
                InstKind::CmpXchg { pointer, .. } | InstKind::AtomicRmw { pointer, .. } => {
                    self.write(f, pointer.value);
                }
                kind => {
                    let Some(call) = kind.as_call() else { continue };
                    let given: Vec<Region> =
                        call.args.iter().filter_map(|(arg, _)| self.operand(f, arg.value)).collect();
                    match whom(cx, f, call) {
                        Whom::Known => {}
                        Whom::Fills => {
                            if let Some((to, _)) = call.args.first() {
                                self.write(f, to.value);
                            }
                        }
                        Whom::Library => {
                            if ends_lives(self.linked, f.module, call) {
                                self.given_to_end.extend(given.iter().copied());
                            }
                            self.written.extend(closure(self.regions, given));
                        }
                        Whom::Outside => {
                            self.reached.extend(given);
                            let result = inst.result.and_then(|r| self.regions.local(f, r));
                            self.reached.extend(result);
                        }
                    }
                }
            }
        }
    }
}

fn whom(cx: &Context, f: FnRef, call: &Call) -> Whom {
    let Some(callee) = callee(cx.linked, f.module, call) else { return Whom::Outside };
    let name = cx.linked.function_name(callee);
    let has_body = cx.linked.function(callee).body.code().is_some();
    if name.starts_with("llvm.") {
        Whom::Fills
    } else if is_kept_by(cx, f.module, call) {
        Whom::Outside
    } else if has_body || library_models::gives_input(name) {
        Whom::Known
    } else if cx.options.library.contains(name) {
        Whom::Library
    } else {
        Whom::Outside
    }
}

/// Whether a call is one of a library function that may free its arguments.
pub(crate) fn ends_lives(linked: &Linked<'_>, module: u32, call: &Call) -> bool {
    callee(linked, module, call)
        .is_some_and(|f| super::super::lower::lifetimes::ends(linked.function_name(f)))
}

/// Regions, and all that can be reached from them.
pub(crate) fn closure(regions: &Regions, from: Vec<Region>) -> FxHashSet<Region> {
    let mut reached = FxHashSet::default();
    let mut todo = from;
    while let Some(region) = todo.pop() {
        let region = regions.find(region);
        if reached.insert(region) {
            todo.extend(regions.content(region));
        }
    }
    reached
}

/// What may change while a program runs.
pub(crate) struct Changes {
    /// The regions that instructions or library functions write to.
    written: FxHashSet<Region>,
    /// The variables that instructions write to by name.
    named: FxHashSet<GlobalRef>,
    /// The regions that have escaped to external code.
    reached: FxHashSet<Region>,
    /// The regions that can be reached by library functions that may free their arguments.
    given_to_end: FxHashSet<Region>,
}

impl Changes {
    /// Computes the changes once per program.
    pub(crate) fn of(cx: &mut Context) -> Rc<Changes> {
        if let Some(known) = &cx.shared.changes {
            return Rc::clone(known);
        }
        let found = Rc::new(changes(cx));
        cx.shared.changes = Some(Rc::clone(&found));
        found
    }

    /// Whether external code may free objects in a region.
    pub(crate) fn may_end(&self, region: Region) -> bool {
        self.reached.contains(&region) || self.given_to_end.contains(&region)
    }

    /// Whether a variable may have another value than its initial one.
    pub(crate) fn contains(&self, cx: &Context, g: GlobalRef) -> bool {
        let global = cx.linked.global(g);
        if global.is_constant {
            return false;
        }
        let region = cx.regions.global(g).map(|region| cx.regions.find(region));
        !global.linkage.is_local()
            || self.named.contains(&g)
            || cx.linker_symbols.reached.contains(&g)
            || !cx.scalars.contains_key(&g)
                && region.is_some_and(|r| self.written.contains(&r) || self.reached.contains(&r))
    }
}

fn changes(cx: &Context) -> Changes {
    let (linked, regions) = (cx.linked, cx.regions);
    let mut walk = Walk {
        linked,
        regions,
        reached: Vec::new(),
        written: FxHashSet::default(),
        named: FxHashSet::default(),
        given_to_end: Vec::new(),
    };
    for (f, function) in linked.functions() {
        walk.function(cx, f);
        let is_own = (f.module as usize) < cx.options.user_modules;
        let can_be_called = !function.linkage.is_local() || regions.address_taken.contains(&f);
        if is_own && can_be_called && function.body.code().is_some() {
            let params = (0..function.params.len()).map(|i| regions.local(f, LocalId(i as u32)));
            let more = [regions.result(f), regions.list(f), regions.passed(f)];
            walk.reached.extend(params.chain(more).flatten());
        }
    }
    for &target in cx.objects.keys() {
        if let Target::Global(g) = target
            && !linked.global(g).is_constant
            && let Some(region) = regions.global(g)
            && (!linked.global(g).linkage.is_local() || walk.written.contains(&regions.find(region)))
        {
            walk.reached.push(region);
        }
    }
    // What variables hold that have no address.
    for &g in cx.scalars.keys() {
        let is_open = !linked.global(g).linkage.is_local() || walk.named.contains(&g);
        if is_open && !linked.global(g).is_constant {
            walk.reached.extend(regions.global(g).and_then(|region| regions.content(region)));
        }
    }
    let given_to_end = closure(regions, walk.given_to_end);
    Changes {
        written: walk.written,
        named: walk.named,
        reached: closure(regions, walk.reached),
        given_to_end,
    }
}

/// The program variables that external code may change.
pub(crate) fn outside(cx: &mut Context) -> Rc<[SymbolId]> {
    if let Some(known) = &cx.outside {
        return Rc::clone(known);
    }
    let changes = Changes::of(cx);
    let changed = cx.scalars.iter().filter(|(g, _)| changes.contains(cx, **g));
    let mut found: Vec<SymbolId> = changed.flat_map(|(_, symbols)| symbols.iter().copied()).collect();
    found.extend(memories(cx, changes.reached.clone()));
    let found: Rc<[SymbolId]> = found.into();
    cx.outside = Some(Rc::clone(&found));
    found
}

/// The program variables that a library function may change whose arguments point into the given regions.
pub(crate) fn library(cx: &mut Context, given: Vec<Region>) -> Vec<SymbolId> {
    let (linked, regions) = (cx.linked, cx.regions);
    let mut from = given;
    for &target in cx.objects.keys() {
        if let Target::Global(g) = target {
            let name = linked.global_name(g);
            let of_library = linked.global(g).init.is_none() && cx.options.library.contains(name);
            if name == ERRNO || of_library && !STREAMS.contains(&name) {
                from.extend(regions.global(g));
            }
        }
    }
    from.extend(library_results(cx).iter());
    let reached = closure(regions, from);
    memories(cx, reached)
}

/// What results of library functions without a model point to.
fn library_results(cx: &mut Context) -> Rc<[Region]> {
    if let Some(known) = &cx.shared.library_results {
        return Rc::clone(known);
    }
    let (linked, regions) = (cx.linked, cx.regions);
    let of_library = linked.functions().filter(|(f, function)| {
        function.body.code().is_none() && cx.options.library.contains(linked.function_name(*f))
    });
    let found: Rc<[Region]> = of_library.filter_map(|(f, _)| regions.result(f)).collect();
    cx.shared.library_results = Some(Rc::clone(&found));
    found
}

/// The memory of the objects that external code may free; `None` if lives are not looked at, as the program itself frees
/// nothing.
pub(crate) fn ended(cx: &mut Context) -> Option<Vec<SymbolId>> {
    let changes = cx.objects_die.then(|| Changes::of(cx))?;
    Some(memories(cx, changes.reached.union(&changes.given_to_end).copied().collect()))
}

fn memories(cx: &mut Context, regions: FxHashSet<Region>) -> Vec<SymbolId> {
    let mut regions: Vec<Region> = regions.into_iter().collect();
    regions.sort_unstable();
    let maps = regions.into_iter().flat_map(|region| {
        let symbol = cx.memory_of(region).symbol;
        [Some(symbol), cx.shadows.written.get(&symbol).copied()]
    });
    maps.flatten().collect()
}
