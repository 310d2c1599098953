//! The supply chain: where dependencies come from, under which licences, and which are there twice.
//!
//! Three questions that need no network. `Cargo.lock` says from where each package is taken, and that must be one registry for
//! all, whose packages have a checksum there. `cargo tree` says under which licence each is, an SPDX expression, which must leave a choice
//! that is permitted here. A package of which there are two versions is double the code to trust, so these are listed below.
//! For example, `(MIT OR Apache-2.0) AND Unicode-3.0` is permitted, and `MIT AND GPL-3.0` is not.
//!
//! Known vulnerabilities are not asked about: their list is on the network, and `cargo deny check advisories` reads it.
//!
//! **Direction of error.** What cannot be read is not permitted.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use crate::Outcome;

/// Licences of what may be linked into a program that is under MIT or Apache-2.0.
const PERMITTED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];
/// How sources begin that are a registry; folders of code and repositories are none.
const REGISTRY: &str = "registry+";
/// Packages of which there are several versions, as others need them.
const SEVERAL: &[&str] = &["cpufeatures", "getrandom", "syn", "toml_datetime", "windows-sys", "winnow"];

/// Checks the dependencies of the workspace.
pub fn run(root: &Path) -> Outcome {
    let lock = std::fs::read_to_string(root.join("Cargo.lock"))
        .map_err(|e| format!("Cargo.lock cannot be read: {e}"))?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut tree = Command::new(cargo);
    tree.args(["tree", "--workspace", "--locked", "--offline", "--prefix", "none", "--format", "{p}|{l}"]);
    let tree = tree.current_dir(root).output().map_err(|e| format!("cargo cannot be run: {e}"))?;
    if !tree.status.success() {
        return Err(String::from_utf8_lossy(&tree.stderr).into_owned());
    }
    let mut findings = of_lock(&lock)?;
    findings.extend(of_tree(&String::from_utf8_lossy(&tree.stdout)));
    for finding in &findings {
        println!("{finding}");
    }
    Ok(findings.is_empty())
}

/// What is wrong with the packages that a lock file names.
fn of_lock(text: &str) -> Result<Vec<String>, String> {
    let lock: toml::Table = text.parse().map_err(|e| format!("Cargo.lock: {e}"))?;
    let packages = lock.get("package").and_then(toml::Value::as_array).ok_or("Cargo.lock has no packages")?;
    let mut findings = Vec::new();
    let mut versions: BTreeMap<&str, usize> = BTreeMap::new();
    let mut registry = None;
    for package in packages {
        let of = |key: &str| package.get(key).and_then(toml::Value::as_str);
        let name = of("name").ok_or("a package has no name")?;
        *versions.entry(name).or_default() += 1;
        match of("source") {
            // One of the workspace.
            None if name == "xtask" || name.starts_with("footpath-") => {}
            Some(source)
                if source.starts_with(REGISTRY)
                    && of("checksum").is_some()
                    && *registry.get_or_insert(source) == source => {}
            other => findings
                .push(format!("{name} comes from {}, not from the registry", other.unwrap_or("a folder"))),
        }
    }
    for (name, count) in versions {
        let finding = match (count > 1, SEVERAL.contains(&name)) {
            (true, false) => {
                format!("there are {count} versions of {name}: use one, or list it in xtask/src/licences.rs")
            }
            (false, true) => format!("there is one version of {name}, which xtask/src/licences.rs lists"),
            _ => continue,
        };
        findings.push(finding);
    }
    Ok(findings)
}

/// Which of the packages that `cargo tree` lists are under licences that are not permitted.
fn of_tree(tree: &str) -> Vec<String> {
    let packages: BTreeSet<(&str, &str)> =
        tree.lines().filter_map(|line| line.trim_end_matches(" (*)").split_once('|')).collect();
    let refused = packages.iter().filter(|(_, licence)| !is_permitted(licence));
    refused.map(|(name, licence)| format!("{name} is under `{licence}`, which is not permitted")).collect()
}

/// Whether an SPDX expression leaves a choice that is permitted. A slash, as old packages have it, means OR.
fn is_permitted(expression: &str) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = &words[..];
    any_of(&mut rest) == Some(true) && rest.is_empty()
}

fn any_of(rest: &mut &[&str]) -> Option<bool> {
    let mut found = all_of(rest)?;
    while let ["OR", more @ ..] = *rest {
        *rest = more;
        found |= all_of(rest)?;
    }
    Some(found)
}

fn all_of(rest: &mut &[&str]) -> Option<bool> {
    let mut found = one(rest)?;
    while let ["AND", more @ ..] = *rest {
        *rest = more;
        found &= one(rest)?;
    }
    Some(found)
}

fn one(rest: &mut &[&str]) -> Option<bool> {
    match *rest {
        ["(", more @ ..] => {
            *rest = more;
            let found = any_of(rest)?;
            let [")", more @ ..] = *rest else { return None };
            *rest = more;
            Some(found)
        }
        [licence, "WITH", exception, more @ ..] => {
            *rest = more;
            Some(PERMITTED.contains(&format!("{licence} WITH {exception}").as_str()))
        }
        [licence, more @ ..] => {
            *rest = more;
            Some(PERMITTED.contains(licence))
        }
        [] => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_is_permitted_if_a_choice_is() {
        for good in [
            "MIT",
            "MIT/Apache-2.0",
            "GPL-3.0 OR MIT",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT",
        ] {
            assert!(is_permitted(good), "{good}");
        }
        for bad in [
            "",
            "GPL-3.0",
            "MIT AND GPL-3.0",
            "(MIT OR GPL-3.0) AND GPL-2.0",
            "MIT OR",
            "(MIT",
            "MIT MIT",
            "GPL-2.0 WITH MIT",
        ] {
            assert!(!is_permitted(bad), "{bad}");
        }
    }

    #[test]
    fn packages_from_elsewhere_and_in_several_versions_are_told() {
        let package =
            |name: &str, more: &str| format!("[[package]]\nname = \"{name}\"\nversion = \"1.0.0\"\n{more}\n");
        let good = format!("source = \"{REGISTRY}one\"\nchecksum = \"00\"\n");
        let several: String = SEVERAL.iter().map(|name| package(name, &good).repeat(2)).collect();
        assert_eq!(of_lock(&(package("footpath-ir", "") + &package("a", &good) + &several)), Ok(Vec::new()));
        let elsewhere = several.clone()
            + &package("a", "source = \"git+elsewhere\"\n")
            + &package("b", "")
            + &package("c", "source = \"registry+another\"\nchecksum = \"00\"\n");
        assert_eq!(of_lock(&elsewhere).map(|found| found.len()), Ok(3));
        let twice = package("a", &good).repeat(2) + &several;
        assert_eq!(of_lock(&twice).map(|found| found.len()), Ok(1));
        assert_eq!(of_tree("a v1.0.0|MIT\nb v1.0.0|GPL-3.0 (*)\nb v1.0.0|GPL-3.0\nc v1.0.0|\n").len(), 2);
    }
}
