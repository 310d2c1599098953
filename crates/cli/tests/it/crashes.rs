//! What a crash of the solver costs. Crashes are real signals, as no input is known that makes this version of Z3 crash at will.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use super::testing::{folder, seconds, write};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// A question that takes a solver hours, as there are no such factors of a prime number, between two that it answers at once.
const BOOGIE: &str = "\
function {:bvbuiltin \"bvmul\"} mul(bv64, bv64): bv64;
procedure Before(x: int) returns (r: int) { if (x > 7) { r := 1; } else { r := 0; } assert r >= 0; }
procedure Hard(x: bv32, y: bv32) {
  if (x != 0bv32 && x != 1bv32) { assert mul(0bv32 ++ x, 0bv32 ++ y) != 9223372036854775783bv64; }
}
procedure Later(x: int) { if (x == 3) { assert x < 3; } }
";

/// A process, as the system tells.
struct Found {
    number: i32,
    parent: i32,
    command: String,
    /// Processor time in hundredths of a second.
    time: u64,
}

fn processes() -> Vec<Found> {
    let entries = std::fs::read_dir("/proc").expect("the processes").flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let read = |number: i32| {
        let stat = std::fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
        let command = std::fs::read(format!("/proc/{number}/cmdline")).ok()?;
        // The name before it may have blanks in it.
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let number_of = |field: usize| fields.get(field)?.parse::<u64>().ok();
        Some(Found {
            number,
            parent: fields.get(1)?.parse().ok()?,
            command: String::from_utf8_lossy(&command).replace('\0', " "),
            time: number_of(11)? + number_of(12)?,
        })
    };
    numbers.filter_map(read).collect()
}

fn start(folder: &Path, args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_footpath"));
    command.args(args).current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("footpath starts")
}

/// Makes processes below `above` crash for which `is_it`, until it ends or `enough` of them have crashed; how many have.
fn crash(above: &mut Child, enough: usize, is_it: &dyn Fn(&Found) -> bool) -> usize {
    let own = i32::try_from(above.id()).expect("a process");
    let mut crashed: Vec<i32> = Vec::new();
    while above.try_wait().expect("it can be waited for").is_none() {
        let all = processes();
        let is_below = |p: &Found| {
            p.parent == own || all.iter().any(|middle| middle.number == p.parent && middle.parent == own)
        };
        // A child has the command of its parent until it starts its own program.
        let is_child = |p: &Found| all.iter().any(|parent| parent.number == p.parent && is_it(parent));
        let known = crashed.len();
        for found in all.iter().filter(|p| is_below(p) && is_it(p) && !is_child(p)) {
            if !crashed.contains(&found.number) {
                if known == enough {
                    return known;
                }
                crashed.push(found.number);
            }
            // It may have ended. The first signal of this kind that another process sends is ignored by the standard library.
            let _ = kill(Pid::from_raw(found.number), Signal::SIGSEGV);
        }
        if known == enough && !all.iter().any(|p| crashed.contains(&p.number)) {
            return known;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    crashed.len()
}

fn end(running: Child) -> (Output, String, String) {
    let output = running.wait_with_output().expect("footpath ends");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    (output, out, err)
}

#[test]
fn a_crash_of_the_solver_costs_one_question_and_not_the_run() {
    let folder = folder("crash-of-the-solver");
    write(&folder, "a.bpl", BOOGIE);
    let mut running = start(&folder, &["cover", "a.bpl", "--timeout", &seconds(15.0)]);
    assert_eq!(crash(&mut running, 1, &|p| p.command.contains("__work")), 1);
    // The second run asks in processes of their own. Those that work long have the hard question.
    let crashed = crash(&mut running, usize::MAX, &|p| p.command.contains("__solve") && p.time > 100);
    let (output, out, err) = end(running);
    assert_eq!(output.status.code(), Some(0), "{out}{err}");
    assert!(crashed > 0, "no solver was asked for long: {out}{err}");
    assert!(err.contains("SIGSEGV, perhaps by a crash of the solver; it is run again"), "{err}");
    let words = |name: &str| -> String {
        let line = out.lines().find(|line| line.starts_with(name)).unwrap_or_default();
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(words("Before "), "Before 4 covered; assertions: 1 holds; 2 tests", "{out}");
    assert!(words("Hard ").contains("assertions: 1 unknown"), "{out}");
    let later = "Later 3 covered, 1 infeasible, 1 doomed; assertions: 1 can fail; 2 tests";
    assert_eq!(words("Later "), later, "{out}");
}

#[test]
fn a_crash_that_is_not_the_solvers_is_told_after_a_second_run() {
    let folder = folder("crash-of-the-run");
    write(&folder, "a.bpl", BOOGIE);
    let mut running = start(&folder, &["cover", "a.bpl", "--timeout", &seconds(60.0)]);
    assert_eq!(crash(&mut running, 2, &|p| p.command.contains("__work")), 2);
    let (output, out, err) = end(running);
    assert_eq!(output.status.code(), Some(2), "{out}{err}");
    assert!(err.contains("it is run again"), "{err}");
    assert!(err.contains("error: the analysis was ended by SIGSEGV"), "{err}");
}
