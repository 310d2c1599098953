//! Starts [`footpath_cli`] with the real world: the process's output, its terminal, its signals.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use footpath_cli::terminal_escapes::Visible;
use footpath_cli::{Exit, Terminal, World, exit, solver_process, supervision};
use footpath_parallel::on_deep_stack;

/// A second interrupt is one that comes so long after the first.
const SECOND: Duration = Duration::from_millis(300);

/// Set when the run is to end with what was found.
static STOP: AtomicBool = AtomicBool::new(false);

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    let first = args.next();
    if first.as_ref().is_some_and(|first| first == footpath_jail::ARGUMENT) {
        return footpath_jail::launcher(args);
    }
    if first.as_ref().is_some_and(|first| first == solver_process::SOLVER) {
        return solver_process::run(args.next().and_then(|limit| limit.to_str()?.parse().ok()));
    }
    if first.is_some_and(|first| first == supervision::WORKER) { work() } else { supervise() }
}

/// Waits for the worker and passes signals on to it.
fn supervise() -> ExitCode {
    // Without a handler, an interrupt ends both: a failure here needs no words.
    let _ = ctrlc::set_handler(supervision::interrupt);
    match supervision::supervise() {
        Ok(code) => code.into(),
        Err(why) => {
            let mut err = Visible::new(std::io::stderr(), "standard error");
            // Its reader may be gone.
            let _ = writeln!(err, "error: the system starts no process for the analysis: {why}");
            let _ = err.flush();
            Exit::BadInput.into()
        }
    }
}

fn work() -> ExitCode {
    let args = supervision::prepare_worker(std::env::args_os().collect());
    exit::install_panic_hook();
    // The first interrupt asks for an end with partial results, the second one ends at once.
    let first = OnceLock::new();
    let _ = ctrlc::set_handler(move || {
        STOP.store(true, Ordering::SeqCst);
        // Who signals a process and its group, as `timeout` does, sends two at once and means one.
        if first.get_or_init(Instant::now).elapsed() > SECOND {
            std::process::exit(i32::from(Exit::Interrupted.code()));
        }
    });
    supervision::watch_memory(&STOP);
    // Readers limit nesting themselves; the deep stack is for what they overlook.
    let done = on_deep_stack(|| {
        let out = supervision::Noted::new(std::io::stdout().lock());
        let mut out = Visible::new(out, "standard output");
        let mut err = Visible::new(std::io::stderr(), "standard error");
        let world = World { out: &mut out, err: &mut err, terminal: terminal(), stop: &STOP };
        let mut exit = footpath_cli::run(&args, &mut { world });
        if let Some(shortage) = supervision::shortage().filter(|_| exit == Exit::Interrupted) {
            // Its reader may be gone.
            let _ = writeln!(err, "error: {shortage}, so the run was ended early");
            exit = Exit::BadInput;
        }
        match out.flush() {
            Err(why) if why.kind() != std::io::ErrorKind::BrokenPipe => {
                let _ = writeln!(err, "error: {why}");
                exit = exit.max(Exit::BadInput);
            }
            _ => {}
        }
        let _ = err.flush();
        exit
    });
    // A panic has ended the process in the hook.
    let exit = done.unwrap_or_else(|why| {
        let mut err = Visible::new(std::io::stderr(), "standard error");
        let _ = writeln!(err, "error: the system starts no further thread: {why}");
        let _ = err.flush();
        Exit::BadInput
    });
    exit.into()
}

fn terminal() -> Terminal {
    let (out, err) = (std::io::stdout(), std::io::stderr());
    let plain = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty())
        || std::env::var_os("TERM").is_some_and(|v| v == "dumb");
    let columns = if out.is_terminal() { terminal_size::terminal_size_of(&out) } else { None };
    Terminal {
        out_color: out.is_terminal() && !plain,
        err_color: err.is_terminal() && !plain,
        err_is_terminal: err.is_terminal(),
        width: columns.map_or(Terminal::NONE.width, |(w, _)| usize::from(w.0).clamp(60, 240)),
    }
}
