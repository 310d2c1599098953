//! Which crate may use which.
//!
//! The arrows are the architecture's invariants: an engine that cannot name a front end cannot come to
//! depend on where its program came from. Dev-dependencies are free, as a test of an engine may well
//! want to write its program as text.

use super::{File, Finding};
use std::collections::BTreeSet;

/// A crate with the crates of ours that it may name. What those may use, it may use too.
const ARROWS: &[(&str, &[&str])] = &[
    ("atomic-write", &[]),
    ("parallel", &[]),
    ("remote-store", &[]),
    ("virtual-time", &[]),
    ("jail", &[]),
    ("term", &[]),
    ("smt", &["atomic-write", "term", "virtual-time"]),
    ("ir", &["term"]),
    ("verdict", &["ir", "smt"]),
    ("frontend", &["ir", "parallel"]),
    ("transform", &["ir"]),
    ("absint", &["ir", "transform", "virtual-time"]),
    ("verify", &["absint", "concolic", "cover", "frontend", "loop-summaries"]),
    ("simplify", &["smt"]),
    ("preconditions", &["absint", "concolic", "cover", "loop-summaries", "simplify"]),
    ("c-syntax", &["frontend", "ir", "loop-summaries", "simplify"]),
    (
        "driver",
        &[
            "c-syntax",
            "concolic",
            "cover",
            "preconditions",
            "loop-summaries",
            "frontend",
            "replay",
            "summaries",
            "verify",
        ],
    ),
    ("report", &["ir", "concolic", "cover", "loop-summaries", "driver", "preconditions", "verify"]),
    ("summaries", &["concolic", "cover", "remote-store", "transform", "smt"]),
    ("replay", &["atomic-write", "ir", "frontend", "jail", "virtual-time"]),
    ("concolic", &["ir", "transform", "smt", "parallel"]),
    ("cover", &["absint", "concolic", "ir", "transform", "smt", "parallel", "verdict"]),
    ("loop-summaries", &["ir", "transform", "smt", "parallel", "verdict"]),
    ("bench", &["concolic", "cover", "loop-summaries", "preconditions", "verify"]),
    (
        "cli",
        &[
            "concolic",
            "cover",
            "loop-summaries",
            "preconditions",
            "summaries",
            "frontend",
            "absint",
            "verify",
            "report",
            "replay",
            "jail",
            "driver",
            "bench",
        ],
    ),
    ("testkit", &["cli"]),
];

/// Foreign crates that only one of ours may use, lest their types spread.
const GUARDED: &[(&str, &str)] = &[("z3-sys", "smt"), ("anyhow", "cli"), ("serde", "report")];

/// Every crate uses only what its arrows allow.
pub fn only_allowed_crates_are_used(files: &[File]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files {
        let Some(name) = file.path.strip_prefix("crates/").and_then(|path| path.strip_suffix("/Cargo.toml"))
        else {
            continue;
        };
        let Some(allowed) = reachable(name) else {
            findings.push(file.finding(0, "a new crate: give it its arrows in xtask/src/tidy/arrows.rs"));
            continue;
        };
        match dependencies(&file.text) {
            Err(error) => findings.push(file.finding(0, error)),
            Ok(used) => findings.extend(
                used.iter()
                    .filter_map(|used| objection(name, used, &allowed))
                    .map(|message| file.finding(0, message)),
            ),
        }
    }
    findings
}

/// Why the crate must not use the package, if it must not.
fn objection(name: &str, package: &str, allowed: &BTreeSet<&str>) -> Option<String> {
    if let Some(ours) = package.strip_prefix("footpath-") {
        let list: Vec<&str> = allowed.iter().copied().collect();
        return (!allowed.contains(ours)).then(|| {
            format!(
                "{name} must not use {ours}; it may use: {}",
                if list.is_empty() { "none of ours".to_owned() } else { list.join(", ") }
            )
        });
    }
    let &(_, owner) = GUARDED.iter().find(|(foreign, _)| *foreign == package)?;
    (owner != name).then(|| format!("{name} must not use {package}; only {owner} does"))
}

/// The crates that a crate may use, directly or not; `None` for one that has no arrows.
fn reachable(name: &str) -> Option<BTreeSet<&'static str>> {
    let direct = |name: &str| ARROWS.iter().find(|(from, _)| *from == name).map(|(_, to)| *to);
    let mut todo = direct(name)?.to_vec();
    let mut seen = BTreeSet::new();
    while let Some(next) = todo.pop() {
        if seen.insert(next) {
            todo.extend(direct(next).unwrap_or_default());
        }
    }
    Some(seen)
}

/// The packages that a manifest depends on, for the program or its build script.
fn dependencies(manifest: &str) -> Result<Vec<String>, String> {
    let manifest: toml::Table = manifest.parse().map_err(|error| format!("cannot be read: {error}"))?;
    let for_targets =
        manifest.get("target").and_then(toml::Value::as_table).into_iter().flat_map(toml::Table::values);
    let sections = for_targets.filter_map(toml::Value::as_table).chain([&manifest]);
    Ok(sections
        .flat_map(|section| [section.get("dependencies"), section.get("build-dependencies")])
        .flatten()
        .filter_map(toml::Value::as_table)
        .flatten()
        .map(|(key, value)| value.get("package").and_then(toml::Value::as_str).unwrap_or(key).to_owned())
        .collect())
}

#[cfg(test)]
mod tests {
    use super::super::{file, findings};
    use super::*;

    /// What is said about a crate with the given sections in its manifest.
    fn check(name: &str, manifest: &str) -> Vec<String> {
        findings(only_allowed_crates_are_used, &[file(&format!("crates/{name}/Cargo.toml"), manifest)])
    }

    #[test]
    fn allowed_arrows_pass_directly_and_through_others() {
        let manifest = "[dependencies]\nfootpath-smt.workspace = true\nfootpath-term = { path = '../term' }\nitoa = '1'\n";
        assert!(check("cover", manifest).is_empty());
        assert!(check("cli", "[dependencies]\nfootpath-term.workspace = true\n").is_empty());
    }

    #[test]
    fn a_forbidden_arrow_is_named_with_what_is_allowed() {
        let found = check("smt", "[dependencies]\nfootpath-ir.workspace = true\n");
        assert_eq!(
            found,
            ["crates/smt/Cargo.toml: smt must not use ir; it may use: atomic-write, term, virtual-time"]
        );
        let found = check("term", "[build-dependencies]\nfootpath-ir.workspace = true\n");
        assert_eq!(found, ["crates/term/Cargo.toml: term must not use ir; it may use: none of ours"]);
    }

    #[test]
    fn renaming_or_a_target_section_hides_no_arrow() {
        assert_eq!(check("ir", "[dependencies]\nx = { package = 'footpath-cover', path = '' }\n").len(), 1);
        assert_eq!(
            check("ir", "[target.'cfg(unix)'.dependencies]\nfootpath-cover.workspace = true\n").len(),
            1
        );
    }

    #[test]
    fn dev_dependencies_are_free() {
        assert!(check("cover", "[dev-dependencies]\nfootpath-frontend.workspace = true\n").is_empty());
    }

    #[test]
    fn guarded_foreign_crates_stay_with_their_owner() {
        let found = check("cover", "[dependencies]\nz3-sys.workspace = true\n");
        assert_eq!(found, ["crates/cover/Cargo.toml: cover must not use z3-sys; only smt does"]);
        assert!(check("smt", "[dependencies]\nz3-sys.workspace = true\n").is_empty());
    }

    #[test]
    fn a_crate_without_arrows_and_a_broken_manifest_are_findings() {
        assert_eq!(check("novel", "").len(), 1);
        assert_eq!(check("ir", "[dependencies").len(), 1);
    }

    #[test]
    fn the_arrows_have_no_cycle() {
        for (name, _) in ARROWS {
            assert!(!reachable(name).unwrap().contains(name), "{name} reaches itself");
        }
    }
}
