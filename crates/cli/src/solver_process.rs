//! Z3 in a process of its own: standard input is SMT-LIB 2, standard output is the answers.
//!
//! This is what a worker starts whose predecessor crashed in Z3 (`supervision.rs`): a crash is then the end of one question.
//!
//! The end of the input ends the process at once, also in the middle of a check, as whoever asked is gone. A request for an end by a
//! terminal (`SIGINT`) reaches the worker, too, and it is the worker who decides.

use std::io::{Read, Write};
use std::process::ExitCode;
use std::sync::mpsc;

use footpath_smt::Interpreter;
use nix::sys::signal::{SigSet, Signal};

use crate::Exit;

/// The first argument of such a process; a limit of its memory in megabytes follows, or nothing.
pub const SOLVER: &str = "__solve";

/// Carries out what standard input says.
pub fn run(megabytes: Option<u32>) -> ExitCode {
    // All threads inherit it.
    let _ = SigSet::from(Signal::SIGINT).thread_block();
    let done = footpath_parallel::on_deep_stack(|| answer(megabytes));
    match done.map_err(|e| e.to_string()).and_then(|done| done) {
        Ok(()) => Exit::Done.into(),
        Err(why) => {
            // Its reader may be gone.
            let _ = writeln!(std::io::stderr(), "{why}");
            Exit::BadInput.into()
        }
    }
}

fn answer(megabytes: Option<u32>) -> Result<(), String> {
    let mut z3 = Interpreter::new(megabytes)?;
    let (pieces, commands) = mpsc::channel::<Vec<u8>>();
    let read = move || {
        let mut buffer = vec![0; 1 << 16];
        while let Ok(length @ 1..) = std::io::stdin().lock().read(&mut buffer) {
            if pieces.send(buffer[..length].to_vec()).is_err() {
                return;
            }
        }
        std::process::exit(i32::from(Exit::Done.code()));
    };
    std::thread::Builder::new().spawn(read).map_err(|e| e.to_string())?;
    let mut out = std::io::stdout().lock();
    for piece in commands {
        let said = z3.feed(&piece);
        // Without a reader nobody asks.
        if out.write_all(said.as_bytes()).and_then(|()| out.flush()).is_err() {
            break;
        }
    }
    Ok(())
}
