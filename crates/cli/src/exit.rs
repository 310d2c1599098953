//! Exit codes, and what the user sees when an invariant of ours breaks.
//!
//! `docs/book/exit-codes.md` explains the codes to users.

use std::io::Write;
use std::process::ExitCode;

use footpath_parallel::Shortage;

/// How a run ends. Where several apply, the one further down in this list wins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Exit {
    /// 0: the work was done.
    Done,
    /// 1: the work was done, and a verdict that `--deny` names was found.
    Denied,
    /// 2: bad usage, or input that could not be used as a whole or in parts.
    BadInput,
    /// 130: the user interrupted the run; what was found by then was printed.
    Interrupted,
    /// 3: an invariant of ours broke.
    Internal,
}

impl Exit {
    /// The code, as the shell sees it.
    pub fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Denied => 1,
            Exit::BadInput => 2,
            Exit::Interrupted => 130,
            Exit::Internal => 3,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

/// What to do about an internal error.
pub const REPORT_HINT: &str =
    "This is a bug in footpath, not in your program. Please report it with the input and the command line.\n";

/// Makes a panic on any thread end the process with [`Exit::Internal`] and a message that fits a bug report, and one
/// with a [`Shortage`] with [`Exit::BadInput`] and the reason.
///
/// Ending the process from the hook, rather than unwinding, keeps a panic on one thread from being taken for
/// that procedure's result.
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(|info| {
        let mut err = std::io::stderr().lock();
        let payload = info.payload();
        if let Some(Shortage(why)) = payload.downcast_ref() {
            let _ = writeln!(err, "error: {why}");
            crate::supervision::end(Exit::BadInput);
        }
        let text = payload
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("no message");
        let place = info.location().map(|l| format!(" at {}:{}", l.file(), l.line())).unwrap_or_default();
        let version = env!("CARGO_PKG_VERSION");
        let _ = writeln!(err, "\nfootpath {version}: internal error{place}: {text}");
        let _ = write!(err, "{REPORT_HINT}");
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|v| v != "0") {
            let _ = writeln!(err, "{}", std::backtrace::Backtrace::force_capture());
        }
        crate::supervision::end(Exit::Internal);
    }));
}
