//! Waiting for a process with a limit on its time.

use std::io;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

/// Waits for a process that leads a group; one that takes too long is killed, and so is what is left
/// of its group.
pub fn wait(child: &mut Child, limit: Duration) -> Option<ExitStatus> {
    wait_or_stop(child, limit, &AtomicBool::new(false))
}

/// As [`wait`]; the process is also killed when `stop` is set.
pub fn wait_or_stop(child: &mut Child, limit: Duration, stop: &AtomicBool) -> Option<ExitStatus> {
    let started = Instant::now();
    let mut pause = Duration::from_micros(200);
    let ended = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if started.elapsed() < limit && !stop.load(Ordering::Relaxed) => {
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(20));
            }
            _ => break None,
        }
    };
    kill_group(child.id());
    if ended.is_none() {
        let _ = child.wait();
    }
    ended
}

/// Runs a process that leads a group; returns its output, or nothing if it took too long and was killed.
///
/// # Errors
/// If it cannot be started.
pub fn output(command: &mut Command, limit: Duration) -> io::Result<Option<Output>> {
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let group = child.id();
    let (ended, end) = channel::<()>();
    // It waits in a thread of its own, as reading the output cannot be limited.
    let watch = move || {
        let is_over = end.recv_timeout(limit) == Err(RecvTimeoutError::Timeout);
        if is_over {
            kill_group(group);
        }
        is_over
    };
    let watch = std::thread::Builder::new().name("time limit".to_owned()).spawn(watch);
    let output = child.wait_with_output();
    drop(ended);
    // Without a thread only the system's limit on processor time holds.
    let is_over = watch.is_ok_and(|watch| watch.join().unwrap_or(false));
    output.map(|output| (!is_over).then_some(output))
}

fn kill_group(leader: u32) {
    if let Ok(group) = i32::try_from(leader) {
        // It may have ended already.
        let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
    }
}
