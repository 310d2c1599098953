//! All engines over the corpora: each command is asked about a program as users ask it, and judged by the truths.
//!
//! | command | decides | for |
//! |---|---|---|
//! | `test` | what no truth marks as hard | C |
//! | `explore`, `verify`, `verify --sound` | as much as it likes | C and Boogie |
//! | `reach`, at each line with a truth about code | as much as it likes | C and Boogie |
//! | `failures`; its conditions are compiled, too, or read again | as much as it likes | C and Boogie |
//!
//! A command is not asked about a program that has no truths of the kind that it answers.
//!
//! A program that needs other flags asks itself, in lines such as
//!
//! ```text
//! //@ ask: test --entry main --timeout 20
//! ```
//!
//! Then these are the only commands, and together they have to find out what no truth marks as hard.
//!
//! Limits of time are about effort: on a machine whose cores have three jobs each, a command gets three times as long.
//!
//! **Direction of error.** Small time-outs keep the corpus quick; an engine that gives up passes. Only `test`, and what a
//! program asks itself, has to succeed, so a slow machine can make a test of those fail, never make a wrong answer pass.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use footpath_cli::{Terminal, World};
use serde_json::Value;

use crate::answers::{Said, about, answers};
use crate::conditions::check_conditions;
use crate::job_slots::load_per_core;
use crate::preconditions::check_preconditions;
use crate::truth::{Answer, Claim, Judgement, Truth, truths};

const ASK: &str = "//@ ask: ";

/// A command that is asked, by the name of its test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    /// `footpath test`.
    Test,
    /// `footpath explore`.
    Explore,
    /// `footpath verify`, with everything assumed that may be.
    Verify,
    /// `footpath verify --sound`.
    VerifySound,
    /// `footpath reach`.
    Reach,
    /// `footpath failures`; its conditions are compiled as C, or read again as Boogie.
    Failures,
}

impl Engine {
    /// The command, with limits that keep the corpus quick.
    pub(crate) fn command(self) -> &'static str {
        match self {
            Engine::Test => "test --timeout 10 --jobs 1",
            Engine::Explore => "explore --timeout 2 --random-runs 50",
            Engine::Verify => "verify --solver-seconds 1",
            Engine::VerifySound => "verify --sound --solver-seconds 1",
            Engine::Reach => "reach --timeout 2",
            Engine::Failures => "failures --timeout 3 --query-timeout 0.5",
        }
    }

    /// Whether it ever says anything of what the truth is about.
    fn answers(self, truth: &Truth) -> bool {
        match self {
            Engine::Test | Engine::Explore => true,
            Engine::Verify | Engine::VerifySound | Engine::Failures => truth.claim.is_about_a_check(),
            Engine::Reach => truth.claim.is_about_code(),
        }
    }
}

/// What a command printed.
pub(crate) struct Output {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// Runs a command on a file in this process. Files that it writes go to `scratch`; what stands behind `--` is for the
/// compiler.
pub(crate) fn run(command: &str, path: &Path, scratch: &Path, more: &[String]) -> Output {
    let words: Vec<&str> = command.split_whitespace().collect();
    let own = words.iter().position(|w| *w == "--").unwrap_or(words.len());
    let mut args: Vec<OsString> = vec!["footpath".into()];
    args.extend(words[..own].iter().map(OsString::from));
    args.extend(more.iter().map(OsString::from));
    let is_c = path.extension().is_some_and(|e| e == "c");
    let names_folder = words[..own].iter().any(|w| matches!(*w, "-o" | "--output"));
    if is_c && !names_folder && matches!(words.first(), Some(&("test" | "explore" | "reach"))) {
        args.extend(["-o".into(), scratch.join("out").into()]);
    }
    // Programs are judged by what is found now, and their folder stays as it is.
    if is_c && words.first() == Some(&"test") && !words.contains(&"--store") {
        args.push("--no-store".into());
    }
    args.push(path.into());
    args.extend(words[own..].iter().map(OsString::from));
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let stop = AtomicBool::new(false);
    let mut world = World { out: &mut out, err: &mut err, terminal: Terminal::NONE, stop: &stop };
    let code = footpath_cli::run(&args, &mut world).code();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Output { code: i32::from(code), out: text(&out), err: text(&err) }
}

/// The truths of a program and the commands that it asks itself.
fn read(path: &Path) -> Result<(Vec<Truth>, Vec<String>), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let found = truths(&text)?;
    if path.extension().is_some_and(|e| e == "c") {
        let about_any = |t: &&Truth| matches!(t.claim, Claim::Fails | Claim::Holds) && t.kind.is_empty();
        if let Some(truth) = found.iter().find(about_any) {
            return Err(format!("line {}: in C, a kind stands behind `fails` and `holds`", truth.line));
        }
    }
    Ok((found, text.lines().filter_map(|l| l.strip_prefix(ASK)).map(|c| c.trim().to_owned()).collect()))
}

/// A command whose limits of time are longer by this factor.
pub(crate) fn with_longer_limits(command: &str, factor: f64) -> String {
    const LIMITS: [&str; 3] = ["--timeout", "--solver-seconds", "--query-timeout"];
    let mut words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
    for i in 1..words.len() {
        if let (true, Ok(limit)) = (LIMITS.contains(&words[i - 1].as_str()), words[i].parse::<f64>()) {
            words[i] = (limit * factor).to_string();
        }
    }
    words.join(" ")
}

/// The report of a command, and what it says.
pub(crate) fn ask(
    command: &str,
    path: &Path,
    scratch: &Path,
    more: &[String],
) -> Result<(Value, Vec<Said>), String> {
    ask_within(&with_longer_limits(command, load_per_core()), path, scratch, more)
}

/// As [`ask`], with the command's limits of time as they are: where an answer may be missing.
pub(crate) fn ask_within(
    command: &str,
    path: &Path,
    scratch: &Path,
    more: &[String],
) -> Result<(Value, Vec<Said>), String> {
    let _ = std::fs::remove_dir_all(scratch);
    std::fs::create_dir_all(scratch).map_err(|e| e.to_string())?;
    let more = [&["--format".to_owned(), "json".to_owned()], more].concat();
    let output = run(command, path, scratch, &more);
    if !matches!(output.code, 0 | 1) {
        return Err(format!("  {command} ends with code {}: {}\n", output.code, output.err));
    }
    let report: Value =
        serde_json::from_str(&output.out).map_err(|e| format!("  {command} prints no JSON: {e}\n"))?;
    let said = answers(&report, path).map_err(|why| format!("  {command}\n{why}"))?;
    Ok((report, said))
}

/// The targets of `reach`: each line with a truth about code.
pub(crate) fn targets(truths: &[Truth], path: &Path) -> Vec<String> {
    let mut lines: Vec<u32> = truths.iter().filter(|t| t.claim.is_about_code()).map(|t| t.line).collect();
    lines.dedup();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    lines.iter().flat_map(|line| ["--target".to_owned(), format!("{name}:{line}")]).collect()
}

/// What a command says of the truths that is wrong; those that it finds out are marked.
pub(crate) fn judge(command: &str, truths: &[Truth], said: &[Said], found_out: &mut [bool]) -> String {
    let mut complaints = String::new();
    for (truth, found) in truths.iter().zip(found_out) {
        let about = about(truth, said);
        let worth = |said: &Said| match truth.judge(&said.answer) {
            // Code is reached, and fails or blocks before it comes to this line.
            Judgement::Wrong
                if truth.claim == Claim::Unreachable
                    && said.first < truth.line
                    && matches!(said.answer, Answer::Doomed | Answer::Runs | Answer::Reached) =>
            {
                Judgement::Less
            }
            // Only `test` looks for inputs that alias; what others say is about the harness that they have.
            Judgement::Wrong if said.answer == Answer::NeverWithinSizes && !command.starts_with("test") => {
                Judgement::Less
            }
            judgement => judgement,
        };
        let judged: Vec<(&Said, Judgement)> = about.iter().map(|s| (*s, worth(s))).collect();
        let is = |wanted: Judgement| move |(_, j): &(&Said, Judgement)| *j == wanted;
        // Of several checks of a kind on a line, one that can fail is enough.
        let one_suffices = matches!(truth.claim, Claim::Fails | Claim::MayFail);
        let wrong: Vec<&(&Said, Judgement)> = if one_suffices && !judged.iter().all(is(Judgement::Wrong)) {
            Vec::new()
        } else {
            judged.iter().filter(|j| is(Judgement::Wrong)(j)).collect()
        };
        for (said, _) in wrong {
            let (line, claim, name, answer) = (truth.line, truth.claim, &said.name, &said.answer);
            let _ = writeln!(complaints, "  {command}\n    line {line}: {claim:?}, but {name} is {answer:?}");
        }
        // A check that always holds may have been left out, and so may code that the compiler sees is dead.
        let may_be_left_out = matches!(truth.claim, Claim::Unreachable | Claim::Holds);
        let all = judged.iter().all(is(Judgement::True)) && (!judged.is_empty() || may_be_left_out);
        *found |= all || one_suffices && judged.iter().any(is(Judgement::True));
    }
    complaints
}

/// Asks an engine about a program; how many truths it found out, and how many there are. A program that asks itself is asked
/// so by [`Engine::Test`] and not at all by others.
///
/// # Errors
/// All contradictions, one on a line.
pub fn check_engine(engine: Engine, path: &Path, scratch: &Path) -> Result<(usize, usize), String> {
    let (truths, own) = read(path)?;
    let is_left_to_test = !own.is_empty() && engine != Engine::Test;
    if truths.is_empty() || is_left_to_test || own.is_empty() && !truths.iter().any(|t| engine.answers(t)) {
        return Ok((0, 0));
    }
    let scratch = scratch.join(path.file_stem().unwrap_or_default());
    let is_c = path.extension().is_some_and(|e| e == "c");
    let mut complaints = String::new();
    let mut found_out = vec![false; truths.len()];
    let mut all_said = Vec::new();
    let is_decisive = engine == Engine::Test;
    let is_default = own.is_empty();
    let asked = match (is_default, engine) {
        (false, _) => own,
        (true, Engine::Test) if !is_c => return Ok((0, 0)),
        _ => vec![engine.command().to_owned()],
    };
    for command in &asked {
        let mut more = Vec::new();
        if command.starts_with("reach") {
            more = targets(&truths, path);
            if more.is_empty() {
                continue;
            }
        } else if command.starts_with("failures") && is_c {
            // Conditions are compiled, and tests have to be kept for that.
            more.extend(["-o".to_owned(), scratch.join("kept").display().to_string()]);
        }
        let (report, said) = ask(command, path, &scratch, &more)?;
        complaints.push_str(&judge(command, &truths, &said, &mut found_out));
        all_said.extend(said);
        if command.starts_with("failures") && is_c {
            let mut complaint = check_conditions(&report, &scratch);
            // A folder that somebody has cleaned up meanwhile is made again, once.
            if complaint.is_about_machine {
                let (again, _) = ask(command, path, &scratch, &more)?;
                complaint = check_conditions(&again, &scratch);
            }
            complaints.push_str(&complaint.text);
        } else if command.starts_with("failures") {
            complaints.push_str(&check_preconditions(command, &report, path, &scratch));
        }
    }
    let open = truths.iter().zip(&found_out).filter(|(t, found)| is_decisive && !t.hard && !**found);
    for (truth, _) in open {
        let (line, claim, kind) = (truth.line, truth.claim, &truth.kind);
        let said: Vec<&Answer> = about(truth, &all_said).iter().map(|s| &s.answer).collect();
        let _ =
            writeln!(complaints, "  line {line}: {claim:?} {kind}, but {} said {said:?}", asked.join(", "));
    }
    let count = found_out.iter().filter(|found| **found).count();
    if complaints.is_empty() { Ok((count, truths.len())) } else { Err(complaints) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_of_time_grow_with_the_load() {
        let command = "failures --timeout 3 --query-timeout 0.5 --rounds 3 -- -DN=3";
        let longer = "failures --timeout 6 --query-timeout 1 --rounds 3 -- -DN=3";
        assert_eq!(with_longer_limits(command, 2.0), longer);
        assert_eq!(with_longer_limits(command, 1.0), command);
    }
}
