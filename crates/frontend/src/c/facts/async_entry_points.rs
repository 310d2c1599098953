//! Asynchronous entry points: functions of a whole program that are called while it runs or when it ends, although no
//! call instruction names them.
//!
//! These are destructors and, where the program mentions a library function that keeps a callback (`signal`,
//! `atexit`, `pthread_create`), every function whose address is taken. Example: after `signal(SIGINT, stop)` the
//! function `stop` may run at any time, so it must not be reported as never called.
//!
//! **Direction of error.** Towards too many: taking the address of a function does not mean that it reaches such a
//! call.

use std::collections::BTreeSet;

use crate::c::Options;
use crate::c::lower::context::Context;

use footpath_ir::ProcId;

/// Functions of the library that keep a function that they are passed, to call it later or at the same time.
const KEEP_CALLBACKS: [&str; 12] = [
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

/// See [`Lowered::async_entry_points`](crate::c::Lowered::async_entry_points).
pub(crate) fn async_entry_points(cx: &Context, options: &Options) -> BTreeSet<ProcId> {
    if !options.harness.whole_program {
        return BTreeSet::new();
    }
    let linked = cx.linked;
    let keeps = linked.functions().any(|(f, _)| {
        (f.module as usize) < options.user_modules && KEEP_CALLBACKS.contains(&linked.function_name(f))
    });
    let taken = cx.regions.address_taken.iter().copied().filter(|_| keeps);
    let called = linked.run_around("llvm.global_dtors").into_iter().chain(taken);
    called.filter_map(|f| cx.procs.get(&f).copied()).collect()
}
