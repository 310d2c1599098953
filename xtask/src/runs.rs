//! Compares runs of `footpath test` with each other: a test of any of them refutes what another calls unreachable.

use footpath_report::suite::compare::compare;

use crate::Outcome;

const USAGE: &str = "\
usage: cargo xtask runs REPORT…

Compares reports that `footpath test --format json` printed for the same sources, with other limits, bounds, seeds or
files at a time. What a test of one run passes, no other run may call unreachable.

Exit code 1 if anything is contradictory.
";

/// Reads the reports, and prints what is contradictory.
pub fn run(args: &[&str]) -> Outcome {
    if args.iter().any(|arg| matches!(*arg, "--help" | "-h")) {
        print!("{USAGE}");
        return Ok(true);
    }
    if args.is_empty() {
        return Err(USAGE.to_owned());
    }
    let read = |path: &&str| std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"));
    let reports = args.iter().map(read).collect::<Result<Vec<String>, String>>()?;
    let found = compare(&reports).map_err(|(number, error)| format!("{}: {error}", args[number]))?;
    for c in &found.contradictions {
        let (file, function, objective) = &c.objective;
        let (unreachable, covered) = (args[c.unreachable_in], args[c.covered_in]);
        println!(
            "{file}: {function}: {} {objective} is unreachable in {unreachable} and covered in {covered}",
            c.kind
        );
    }
    println!(
        "{} reports, {} objectives covered, {} unreachable, {} contradictions, {} diverging tests",
        reports.len(),
        found.covered,
        found.unreachable,
        found.contradictions.len(),
        found.divergences
    );
    Ok(found.contradictions.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_must_be_named_and_there() {
        assert!(run(&[]).unwrap_err().starts_with("usage"));
        assert!(run(&["/no/such/report.json"]).unwrap_err().starts_with("/no/such/report.json: "));
    }
}
