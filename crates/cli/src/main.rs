//! Starts [`footpath_cli`] with the real world: the process's output, its terminal, its signals.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use footpath_cli::terminal_escapes::Visible;
use footpath_cli::{Exit, Terminal, World, exit};
use footpath_parallel::on_deep_stack;

/// A second interrupt is one that comes so long after the first.
const SECOND: Duration = Duration::from_millis(300);

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    if args.next().is_some_and(|first| first == footpath_jail::ARGUMENT) {
        return footpath_jail::launcher(args);
    }
    exit::install_panic_hook();
    let stop = Arc::new(AtomicBool::new(false));
    let signalled = Arc::clone(&stop);
    // The first interrupt asks for an end with partial results, the second one ends at once. Without a
    // handler, an interrupt still ends the process: a failure here needs no words.
    let first = OnceLock::new();
    let _ = ctrlc::set_handler(move || {
        signalled.store(true, Ordering::SeqCst);
        // Who signals a process and its group, as `timeout` does, sends two at once and means one.
        if first.get_or_init(Instant::now).elapsed() > SECOND {
            std::process::exit(i32::from(Exit::Interrupted.code()));
        }
    });
    // Readers limit nesting themselves; the deep stack is for what they overlook.
    let done = on_deep_stack(|| {
        let args: Vec<_> = std::env::args_os().collect();
        let mut out = Visible::new(std::io::stdout().lock());
        let mut err = Visible::new(std::io::stderr());
        let world = World { out: &mut out, err: &mut err, terminal: terminal(), stop: &stop };
        let exit = footpath_cli::run(&args, &mut { world });
        let _ = err.flush();
        let _ = out.flush();
        exit
    });
    // A panic has ended the process in the hook.
    done.unwrap_or(Exit::Internal).into()
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
