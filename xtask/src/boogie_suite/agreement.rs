//! Compares verdicts: what Footpath covers, Boogie must not be able to exclude, and the other way round.
//!
//! Boogie is asked in two ways. *As it is*: an assertion that Footpath says holds gives no error, one that it
//! says can fail does. *With probes*: `assert false` is put before a statement, in one place at a time; where
//! Footpath says that no execution gets, it verifies; where Footpath has a test, it does not.
//!
//! Boogie proves with contracts and invariants where Footpath unwinds and inlines. So it may fail to prove
//! what Footpath proves in procedures with loops or calls; there loops are unrolled for it, and what it does
//! not prove in files with `call` is only counted. What it *does* prove of something that Footpath has
//! executed is always somebody's mistake.

use super::{Path, PathBuf, read, verdict};
use std::fmt;
use std::process::Command;

/// Seconds that Footpath gets for a procedure.
const LIMIT: &str = "5";
/// Larger files take too long for the little they add.
const LARGEST: usize = 200_000;

/// What Footpath says of a place.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Claim {
    procedure: String,
    line: usize,
    column: usize,
    is_assertion: bool,
    can_happen: bool,
}

/// How many places were compared, and how it went.
#[derive(Debug, Default)]
pub struct Agreement {
    agreed: usize,
    unproved: usize,
    skipped: usize,
    disagreements: Vec<String>,
}

impl Agreement {
    pub fn is_perfect(&self) -> bool {
        self.disagreements.is_empty()
    }

    fn count(&mut self, text: &str, claim: &Claim, is_error: bool, what: &str, file: &Path) {
        if claim.can_happen == is_error {
            self.agreed += 1;
        } else if is_error && text.contains("call ") {
            self.unproved += 1;
        } else {
            let (we, boogie) = if is_error { ("excludes", "does not") } else { ("executes", "excludes it") };
            self.disagreements.push(format!(
                "{}({},{}): {what} in {}: Footpath {we} it, Boogie {boogie}",
                file.display(),
                claim.line,
                claim.column,
                claim.procedure
            ));
        }
    }
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for disagreement in &self.disagreements {
            writeln!(f, "{disagreement}")?;
        }
        write!(
            f,
            "{} verdicts agree, {} disagree; {} that Boogie does not prove with contracts, {} not comparable",
            self.agreed,
            self.disagreements.len(),
            self.unproved,
            self.skipped
        )
    }
}

/// Compares the verdicts on well-formed programs, with at most `probes` probes of each kind in each.
pub fn compare(root: &Path, tool: &Path, programs: &[PathBuf], probes: usize) -> Result<Agreement, String> {
    let mut agreement = Agreement::default();
    let prover = root.join(".deps/z3/bin/z3");
    let work = std::env::temp_dir().join(format!("footpath-probe-{}.bpl", std::process::id()));
    for program in programs {
        let text = String::from_utf8_lossy(&read(program)?).into_owned();
        if text.len() > LARGEST {
            continue;
        }
        println!("{}", program.display());
        let mut claims = claims(&report(tool, program)?);
        let all = claims.len();
        claims.retain(|claim| !is_inlined(&text, &claim.procedure));
        agreement.skipped += all - claims.len();
        let (assertions, places): (Vec<Claim>, Vec<Claim>) = claims.into_iter().partition(|c| c.is_assertion);
        for can_happen in [true, false] {
            let claims: Vec<&Claim> = assertions.iter().filter(|c| c.can_happen == can_happen).collect();
            if claims.is_empty() {
                continue;
            }
            // Claims of "cannot happen" hold for any number of rounds, those of "can" also without invariants.
            let errors = errors(&prover, program, !can_happen, None);
            for claim in claims {
                match &errors {
                    Some(lines) if is_alone(&text, claim) => {
                        agreement.count(&text, claim, lines.contains(&claim.line), "the assertion", program);
                    }
                    _ => agreement.skipped += 1,
                }
            }
        }
        for can_happen in [true, false] {
            let fitting = places.iter().filter(|c| c.can_happen == can_happen && is_place(&text, c));
            for claim in fitting.take(probes) {
                std::fs::write(&work, with_probe(&text, claim)).map_err(|e| e.to_string())?;
                match errors(&prover, &work, !can_happen, Some(&claim.procedure)) {
                    Some(lines) => {
                        agreement.count(&text, claim, lines.contains(&claim.line), "the place", program);
                    }
                    None => agreement.skipped += 1,
                }
            }
        }
    }
    _ = std::fs::remove_file(&work);
    Ok(agreement)
}

/// Whether Boogie puts a procedure into its callers; then it verifies it nowhere else.
fn is_inlined(text: &str, procedure: &str) -> bool {
    let mut heads = text.split("procedure").skip(1).filter_map(|head| head.split('(').next());
    heads.any(|head| head.contains("{:inline") && head.split_whitespace().last() == Some(procedure))
}

/// Footpath's report on a program.
fn report(tool: &Path, program: &Path) -> Result<String, String> {
    let mut command = Command::new(tool);
    command.args(["cover", "--format", "json", "--timeout", LIMIT]).arg(program);
    let output = command.output().map_err(|error| format!("cannot run {}: {error}", tool.display()))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What the report claims without a bound. The report has one field on a line, which is all that is needed here.
fn claims(report: &str) -> Vec<Claim> {
    let mut claims = Vec::new();
    let (mut procedure, mut kind, mut assertion) = (String::new(), String::new(), String::new());
    let (mut line, mut column) = (0, 0);
    for field in report.lines() {
        let Some((key, value)) = field.trim().trim_end_matches(',').split_once(": ") else { continue };
        let value = value.trim_matches('"');
        match key {
            "\"name\"" => value.clone_into(&mut procedure),
            "\"kind\"" => value.clone_into(&mut kind),
            "\"assertion\"" => value.clone_into(&mut assertion),
            "\"line\"" => line = value.parse().unwrap_or(0),
            "\"column\"" => column = value.parse().unwrap_or(0),
            "\"verdict\"" if kind == "statement" || assertion == "assert" => {
                let can_happen = value == "covered";
                if can_happen || value == "unreachable" {
                    let is_assertion = kind == "failure";
                    claims.push(Claim {
                        procedure: procedure.clone(),
                        line,
                        column,
                        is_assertion,
                        can_happen,
                    });
                }
            }
            _ => {}
        }
    }
    claims
}

/// Whether the assertion is the only thing on its line.
fn is_alone(text: &str, claim: &Claim) -> bool {
    let line = text.lines().nth(claim.line - 1).unwrap_or_default();
    line.matches("assert").count() == 1
}

/// Whether a statement can be put there that is reached exactly if what follows is. An assumption is not passed by
/// all that get to it.
fn is_place(text: &str, claim: &Claim) -> bool {
    let line = text.lines().nth(claim.line - 1).unwrap_or_default();
    let indented = line.len() - line.trim_start().len() + 1 == claim.column;
    let statement = line.trim_start();
    let starts = |word: &str| statement.starts_with(word);
    indented && !starts("assume") && !starts("while") && !starts("invariant") && !starts("procedure")
}

/// The text with `assert false` in the claim's line, and what was there in the next one.
fn with_probe(text: &str, claim: &Claim) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.insert(claim.line - 1, "assert false;");
    lines.join("\n")
}

/// The lines in which Boogie finds assertions that may fail; none if it came to no end or understood nothing.
fn errors(prover: &Path, program: &Path, unroll: bool, procedure: Option<&str>) -> Option<Vec<usize>> {
    let mut command = verdict::verifying_boogie();
    command.arg(format!("/proverOpt:PROVER_PATH={}", prover.display())).arg("/errorLimit:1000");
    if unroll {
        command.arg("/loopUnroll:5");
    }
    command.args(procedure.map(|p| format!("/proc:{p}")));
    let output = command.arg(program).output().ok()?;
    let said = String::from_utf8_lossy(&output.stdout);
    let finished = said.lines().find(|line| line.contains("program verifier finished"))?;
    if ["time out", "inconclusive", "out of memory", "out of resource"].iter().any(|w| finished.contains(w)) {
        return None;
    }
    let mut lines = Vec::new();
    for error in said.lines().filter(|line| line.contains("This assertion might not hold")) {
        let (_, place) = error.split_once(".bpl(")?;
        lines.push(place.split(',').next()?.parse().ok()?);
    }
    Some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(line: usize, column: usize, is_assertion: bool, can_happen: bool) -> Claim {
        Claim { procedure: "P".to_owned(), line, column, is_assertion, can_happen }
    }

    #[test]
    fn claims_are_read_from_reports_and_weaker_verdicts_are_none() {
        let objective = |kind: &str, assertion: &str, verdict: &str| {
            format!(
                "\"kind\": \"{kind}\",\n\"assertion\": {assertion},\n\"span\": {{\n\"line\": 3,\n\"column\": 5,\n\
                 \"end_line\": 4\n}},\n\"verdict\": \"{verdict}\",\n"
            )
        };
        let report = format!(
            "\"name\": \"P\",\n{}{}{}{}",
            objective("statement", "null", "covered"),
            objective("failure", "\"assert\"", "unreachable"),
            objective("failure", "\"ensures\"", "unreachable"),
            objective("statement", "null", "unreachable_within_bound"),
        );
        assert_eq!(claims(&report), [claim(3, 5, false, true), claim(3, 5, true, false)]);
    }

    #[test]
    fn probes_stand_before_whole_statements_only() {
        let text = "procedure P() {\n  x := 1;\n  if (y) { x := 2; }\n  assume z;\n}";
        assert!(is_place(text, &claim(2, 3, false, true)));
        assert!(!is_place(text, &claim(3, 7, false, true)));
        assert!(!is_place(text, &claim(4, 3, false, true)));
        assert!(with_probe(text, &claim(2, 3, false, true)).contains("{\nassert false;\n  x := 1;"));
    }
}
