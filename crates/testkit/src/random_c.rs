//! Random testing of all claims about C: whatever a command says of a random function is compared with what its compiled
//! runs do.
//!
//! A program of a few functions is written (`generator.rs`) and run natively on thousands of random inputs in a view that
//! observes itself (`oracle.h`, `inputs.h`): which lines a run passes, and which operation on which line is undefined, as clang's
//! undefined-behaviour sanitizer sees it. What was observed becomes truths at the ends of the lines, and then the program
//! is one of the corpus, and every command is asked about it:
//!
//! ```text
//!     x = a / b;                     //@ fails? division, covered?
//! ```
//!
//! Conditions of failure are compiled into the observing view and evaluated where each run begins, for what is said to be
//! exact: a run that fails and a condition that says no, one that returns and a condition that says yes, and a condition
//! that is undefined itself are each a contradiction. (McKeeman, Differential Testing for Software, 1998; programs in the
//! manner of Csmith: Yang, Chen, Eide, Regehr, PLDI 2011, but with undefined behaviour, as that is what is claimed about.)
//!
//! **Direction of error.** Runs see only some inputs, so nothing is concluded from what they do not do: a claim that
//! something can happen is left to the replay that every command does itself. A wrong claim about rare inputs passes.

mod generator;

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::answers::{list, text};
use crate::engines::{ask_within, judge, targets};
use crate::job_slots::in_slot;
use crate::truth::truths;
use generator::Program;

/// What is asked. Proofs are found early or late, and what is found early is enough of it: limits are short, and not longer on a
/// busy machine, so that many functions can be compared.
const COMMANDS: [&str; 6] = [
    "test --timeout 3 --fuzz-runs 2000 --jobs 1",
    "explore --timeout 1 --random-runs 50",
    "verify --solver-timeout 0.5",
    "verify --sound --solver-timeout 0.5",
    "reach --timeout 0.5",
    FAILURES,
];

/// The command that says more than answers.
const FAILURES: &str = "failures --timeout 2 --query-timeout 0.5";

/// How much was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Functions that were asked about.
    pub functions: usize,
    /// What runs showed: a line that is passed, a check that fails.
    pub truths: usize,
    /// Of these, how many answers of a command tell.
    pub found_out: usize,
    /// Conditions of failure that were evaluated on all inputs.
    pub conditions: usize,
}

impl Compared {
    /// Adds what was compared of another program.
    pub fn add(&mut self, other: Compared) {
        self.functions += other.functions;
        self.truths += other.truths;
        self.found_out += other.found_out;
        self.conditions += other.conditions;
    }
}

impl fmt::Display for Compared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Compared { functions, truths, found_out, conditions } = self;
        write!(
            f,
            "{functions} functions, {truths} truths, found out {found_out} times, {conditions} conditions"
        )
    }
}

/// Compares all commands with the runs of the random program of this seed, in a folder of its own.
///
/// # Errors
/// All contradictions, one on a line, and where the program is.
pub fn check_random_c(seed: u64, folder: &Path) -> Result<Compared, String> {
    in_slot("random C", &seed.to_string(), || compare(seed, folder))
}

fn compare(seed: u64, folder: &Path) -> Result<Compared, String> {
    let program = Program::new(seed);
    let optimised = if seed.is_multiple_of(2) { "-O0" } else { "-O2" };
    let failed = |what: &str, error: std::io::Error| format!("  {what}: {error}\n");
    std::fs::create_dir_all(folder).map_err(|e| failed("no folder can be made", e))?;
    let path = folder.join("program.c");
    let observed = observe(&program, &BTreeMap::new(), optimised, folder)?;
    let source = with_truths(&program.plain(), &observed);
    std::fs::write(&path, &source).map_err(|e| failed("the program cannot be written", e))?;
    let truths = truths(&source)?;
    let functions = program.functions().count();
    let mut compared = Compared { functions, truths: truths.len(), ..Compared::default() };
    let mut complaints = String::new();
    let (work, targets) = (folder.join("work"), targets(&truths, &path));
    for command in COMMANDS {
        let more = if command.starts_with("reach") { &targets[..] } else { &[] };
        if command.starts_with("reach") && targets.is_empty() {
            continue;
        }
        let (report, said) = match ask_within(command, &path, &work, more) {
            Ok(answer) => answer,
            Err(why) => {
                complaints.push_str(&why);
                continue;
            }
        };
        let mut found_out = vec![false; truths.len()];
        complaints.push_str(&judge(command, &truths, &said, &mut found_out));
        compared.found_out += found_out.into_iter().filter(|found| *found).count();
        if command == FAILURES {
            let conditions = conditions(&report);
            compared.conditions = conditions.len();
            complaints.push_str(&judge_conditions(&program, &conditions, optimised, folder)?);
        }
    }
    if complaints.is_empty() { Ok(compared) } else { Err(format!("{}\n{complaints}", path.display())) }
}

/// A condition that is claimed of all inputs.
struct Condition {
    text: String,
    /// Whether it also says that nothing else fails.
    is_exact: bool,
}

/// What the runs of a program showed, a line each.
fn observe(
    program: &Program,
    conditions: &BTreeMap<String, Condition>,
    optimised: &str,
    folder: &Path,
) -> Result<Vec<String>, String> {
    let mut header =
        String::from("#define length(x) LENGTH_##x\n#ifndef NULL\n#define NULL ((void *)0)\n#endif\n");
    for name in program.functions() {
        let condition = conditions.get(name).map_or("2", |c| c.text.as_str());
        let said = if condition == "2" { "2".to_owned() } else { format!("(({condition}) ? 1 : 0)") };
        let _ = writeln!(header, "#define COND_{name} {said}");
    }
    let write = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text).map_err(|e| format!("  {name} cannot be written: {e}\n"))
    };
    write("oracle.h", include_str!("random_c/oracle.h"))?;
    write("inputs.h", include_str!("random_c/inputs.h"))?;
    write("conditions.h", &header)?;
    write("observed.c", &program.observed())?;
    let mut clang = Command::new("clang");
    clang.current_dir(folder).args([
        "-w",
        "-std=gnu11",
        optimised,
        "-fno-builtin",
        "-fsanitize=undefined,float-cast-overflow",
    ]);
    clang.args([
        "-fno-sanitize=object-size,function",
        "-fno-sanitize-recover=all",
        "-c",
        "observed.c",
        "-o",
        "observed.o",
    ]);
    let mut link = Command::new("clang");
    link.current_dir(folder).args(["observed.o", "-o", "observed", "-lm"]);
    for step in [&mut clang, &mut link] {
        let output = step.output().map_err(|e| format!("  clang does not run: {e}\n"))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(format!("  the observing view does not compile: {said}\n"));
        }
    }
    let output = Command::new(folder.join("observed")).output();
    let output = output.map_err(|e| format!("  the observing view does not run: {e}\n"))?;
    if !output.status.success() {
        return Err(format!("  the observing view ends with {}\n", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

/// The program with what was observed at the ends of its lines.
fn with_truths(source: &str, observed: &[String]) -> String {
    let mut truths: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for seen in observed {
        let words: Vec<&str> = seen.split(' ').collect();
        let truth = match words[..] {
            ["covered", line, rounds] => (line, format!("covered? {rounds}")),
            ["passed", line, rounds] => (line, format!("may run {rounds}")),
            ["fails", line, rounds, kind] if kind != "other" => (line, format!("fails? {kind} {rounds}")),
            _ => continue,
        };
        truths.entry(truth.0.parse().unwrap_or_default()).or_default().push(truth.1);
    }
    let mut text = String::new();
    for (i, line) in source.lines().enumerate() {
        match truths.get(&(i + 1)) {
            Some(found) => _ = writeln!(text, "{line} //@ {}", found.join(", ")),
            None => _ = writeln!(text, "{line}"),
        }
    }
    text
}

/// The conditions that `footpath failures` says hold for all inputs, by function.
fn conditions(report: &Value) -> BTreeMap<String, Condition> {
    let claimed = |f: &&Value| f["premise"].is_null() && f["only_when"].is_null() && f["skipped"].is_null();
    let condition = |f: &Value| {
        let is_exact = match text(f, "exactness") {
            "exact" => true,
            "necessary" => false,
            _ => return None,
        };
        Some((text(f, "name").to_owned(), Condition { text: f["constraint"].as_str()?.to_owned(), is_exact }))
    };
    list(&report["functions"]).iter().filter(claimed).filter_map(condition).collect()
}

/// What runs show to be wrong of conditions.
fn judge_conditions(
    program: &Program,
    conditions: &BTreeMap<String, Condition>,
    optimised: &str,
    folder: &Path,
) -> Result<String, String> {
    let mut complaints = String::new();
    let names: Vec<&str> = program.functions().collect();
    let observed = match observe(program, conditions, optimised, folder) {
        Ok(observed) => observed,
        Err(why) => return Ok(format!("  with conditions of failure,{why}")),
    };
    for seen in observed {
        let words: Vec<&str> = seen.split(' ').collect();
        let ["condition", function, returned, failed, itself] = words[..] else { continue };
        let name = names[function.parse::<usize>().unwrap_or_default()];
        let Some(condition) = conditions.get(name) else { continue };
        let mut complain = |count: &str, what: &str| {
            if count != "0" {
                let _ = writeln!(complaints, "  {name} fails when `{}`: {count} runs {what}", condition.text);
            }
        };
        complain(failed, "fail without");
        complain(itself, "fail in the condition itself");
        if condition.is_exact {
            complain(returned, "return although");
        }
    }
    Ok(complaints)
}
