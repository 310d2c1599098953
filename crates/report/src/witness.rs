//! Correctness witnesses as the verifiers of SV-COMP write them: YAML 2.0 (`invariant_set`) and GraphML 1.0.
//!
//! A witness says two things. That the program is correct with respect to a property, in all runs that start in `main`:
//! a claim about the checks of the property ([`Witness::kinds`]), which stands for those runs only. And that conditions hold at
//! places: proposals, which have to be proved before they are used (Beyer, Dangl, Dietsch, Heizmann, Lemberger, Tautschnig,
//! "Verification witnesses", TOSEM 2022).
//!
//! A witness that is about other text than the file that is verified, by its hash, is not read.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use footpath_ir::AssertKind;
use footpath_verify::Proposed;
use serde::Deserialize;
use sha2::{Digest, Sha256};

/// What a witness says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// The tool that wrote it.
    pub tool: Arc<str>,
    /// The checks that it says never fail in runs from `main`.
    pub kinds: Vec<AssertKind>,
    /// What it says holds at loops.
    pub invariants: Vec<Proposed>,
}

/// Whether a text is a witness, by how it begins.
pub fn is_witness(text: &str) -> bool {
    let start = text.trim_start();
    start.starts_with("<?xml") || start.starts_with("<graphml") || text.contains("entry_type:")
}

/// The witnesses in a file. `texts` are the files that are verified. Remarks say what is left out.
///
/// # Errors
/// If the file is no witness.
pub fn parse(text: &str, texts: &[&str]) -> Result<(Vec<Witness>, Vec<String>), String> {
    let known: Vec<String> = texts.iter().map(|t| hash(t)).collect();
    if text.trim_start().starts_with('<') { graph(text, &known) } else { yaml(text, &known) }
}

fn hash(text: &str) -> String {
    let mut shown = String::new();
    for byte in Sha256::digest(text.as_bytes()) {
        let _ = write!(shown, "{byte:02x}");
    }
    shown
}

/// The checks that a property of SV-COMP is about.
fn kinds(specification: &str) -> Vec<AssertKind> {
    let says = |words: &[&str]| words.iter().any(|w| specification.contains(w));
    let mut kinds = Vec::new();
    if says(&["reach_error", "__VERIFIER_error"]) {
        kinds.push(AssertKind::Assert);
    }
    if says(&["overflow"]) {
        kinds.push(AssertKind::Overflow);
    }
    if says(&["valid-free"]) {
        kinds.push(AssertKind::Free);
    }
    if says(&["valid-deref"]) {
        kinds.extend([AssertKind::Null, AssertKind::Bounds, AssertKind::UseAfterFree]);
    }
    kinds
}

// ---- YAML

#[derive(Deserialize)]
struct Entry {
    entry_type: String,
    metadata: Metadata,
    #[serde(default)]
    content: Vec<Content>,
}

#[derive(Deserialize)]
struct Metadata {
    producer: Producer,
    task: Task,
}

#[derive(Deserialize)]
struct Producer {
    name: String,
}

#[derive(Deserialize)]
struct Task {
    #[serde(default)]
    input_file_hashes: BTreeMap<String, String>,
    #[serde(default)]
    specification: String,
}

#[derive(Deserialize)]
struct Content {
    invariant: Option<Invariant>,
}

#[derive(Deserialize)]
struct Invariant {
    location: Location,
    value: String,
    #[serde(default)]
    format: String,
}

#[derive(Deserialize)]
struct Location {
    line: u32,
    function: Option<String>,
}

fn yaml(text: &str, known: &[String]) -> Result<(Vec<Witness>, Vec<String>), String> {
    let entries: Vec<Entry> =
        serde_norway::from_str(text).map_err(|e| format!("it is not a witness in YAML 2.0: {e}"))?;
    let (mut witnesses, mut remarks) = (Vec::new(), Vec::new());
    for entry in entries {
        let tool: Arc<str> = entry.metadata.producer.name.as_str().into();
        if entry.entry_type != "invariant_set" {
            remarks.push(format!("{tool}: an entry `{}` proves nothing; it is ignored", entry.entry_type));
            continue;
        }
        let hashes = &entry.metadata.task.input_file_hashes;
        if let Some(why) = is_about_others(hashes.values(), known) {
            remarks.push(format!("{tool}: {why}; it is ignored"));
            continue;
        }
        let all = entry.content.into_iter().filter_map(|c| c.invariant);
        let readable = all.filter(|i| i.format.is_empty() || i.format.eq_ignore_ascii_case("c_expression"));
        let invariants = readable.map(|i| Proposed {
            by: tool.clone(),
            function: i.location.function.map(Into::into),
            lines: vec![i.location.line],
            text: i.value.into(),
        });
        let kinds = kinds(&entry.metadata.task.specification);
        witnesses.push(Witness { kinds, invariants: invariants.collect(), tool });
    }
    Ok((witnesses, remarks))
}

fn is_about_others<'a>(hashes: impl Iterator<Item = &'a String>, known: &[String]) -> Option<&'static str> {
    let mut hashes = hashes.peekable();
    if hashes.peek().is_none() {
        return Some("it has no hash of the program that it is about");
    }
    let is_known = hashes.all(|h| known.iter().any(|k| k.eq_ignore_ascii_case(h)));
    (!is_known).then_some("its hash is not that of a file that is verified")
}

// ---- GraphML

fn graph(text: &str, known: &[String]) -> Result<(Vec<Witness>, Vec<String>), String> {
    let document =
        roxmltree::Document::parse(text).map_err(|e| format!("it is not a witness in GraphML: {e}"))?;
    let graph = document.descendants().find(|n| n.tag_name().name() == "graph");
    let Some(graph) = graph else { return Err("it has no graph".to_owned()) };
    let tool: Arc<str> = data(graph, "producer").unwrap_or("a verifier").into();
    let refused = |why: &str| Ok((Vec::new(), vec![format!("{tool}: {why}; it is ignored")]));
    if data(graph, "witness-type") != Some("correctness_witness") {
        return refused("it is not a correctness witness and proves nothing");
    }
    let hashes: Vec<String> = data(graph, "programhash").map(str::to_owned).into_iter().collect();
    if let Some(why) = is_about_others(hashes.iter(), known) {
        return refused(why);
    }
    let of = |name: &'static str| graph.children().filter(move |n| n.tag_name().name() == name);
    let mut invariants = Vec::new();
    for node in of("node") {
        let (Some(value), Some(id)) = (data(node, "invariant"), node.attribute("id")) else { continue };
        // The loop's own line is on the edges out of its head, or on the one that says that it leads there.
        let near =
            of("edge").filter(|e| e.attribute("source") == Some(id) || e.attribute("target") == Some(id));
        let mut lines: Vec<u32> = near.filter_map(|e| data(e, "startline")?.trim().parse().ok()).collect();
        lines.sort_unstable();
        lines.dedup();
        invariants.push(Proposed {
            by: tool.clone(),
            function: data(node, "invariant.scope").map(Into::into),
            lines,
            text: value.into(),
        });
    }
    let kinds = kinds(data(graph, "specification").unwrap_or_default());
    Ok((vec![Witness { kinds, invariants, tool }], Vec::new()))
}

/// The text of a node's `<data key="…">`.
fn data<'a>(node: roxmltree::Node<'a, 'a>, key: &str) -> Option<&'a str> {
    let found = node.children().find(|n| n.tag_name().name() == "data" && n.attribute("key") == Some(key))?;
    found.text().map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "int main(void) { return 0; }\n";

    fn in_yaml(hash: &str, kind: &str) -> String {
        format!(
            "- entry_type: \"{kind}\"\n  metadata:\n    format_version: \"2.0\"\n    producer: {{ name: \"prover\", version: \"1\" }}\n\
             \x20   task:\n      input_files: [\"a.c\"]\n      input_file_hashes:\n        \"a.c\": \"{hash}\"\n\
             \x20     specification: \"CHECK( init(main()), LTL(G ! overflow) )\"\n      language: \"C\"\n\
             \x20 content:\n  - invariant:\n      type: \"loop_invariant\"\n      location: {{ file_name: \"a.c\", line: 7, column: 3, function: \"main\" }}\n\
             \x20     value: \"0 <= i && i <= n\"\n      format: \"c_expression\"\n"
        )
    }

    fn in_xml(kind: &str, hash: &str) -> String {
        format!(
            "<?xml version=\"1.0\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n<graph edgedefault=\"directed\">\n\
             <data key=\"witness-type\">{kind}</data><data key=\"producer\">old prover</data>\n\
             <data key=\"specification\">CHECK( init(main()), LTL(G ! call(reach_error())) )</data>\n\
             <data key=\"programhash\">{hash}</data>\n\
             <node id=\"A\"><data key=\"entry\">true</data></node>\n\
             <node id=\"B\"><data key=\"invariant\">( i &lt;= n )</data><data key=\"invariant.scope\">main</data></node>\n\
             <edge source=\"A\" target=\"B\"><data key=\"enterLoopHead\">true</data><data key=\"startline\">6</data></edge>\n\
             <edge source=\"B\" target=\"A\"><data key=\"startline\">7</data></edge>\n</graph></graphml>\n"
        )
    }

    #[test]
    fn invariants_are_proposals_and_the_property_is_a_claim() {
        let (found, remarks) =
            parse(&in_yaml(&hash(PROGRAM), "invariant_set"), &[PROGRAM]).expect("a witness");
        assert!(remarks.is_empty() && found[0].kinds == [AssertKind::Overflow], "{found:?} {remarks:?}");
        let [i] = &found[0].invariants[..] else { panic!("{found:?}") };
        assert_eq!(
            (i.lines.as_slice(), i.function.as_deref(), &*i.text),
            (&[7][..], Some("main"), "0 <= i && i <= n")
        );
        let (found, _) =
            parse(&in_xml("correctness_witness", &hash(PROGRAM)), &[PROGRAM]).expect("a witness");
        assert_eq!((&*found[0].tool, &found[0].kinds[..]), ("old prover", &[AssertKind::Assert][..]));
        let [i] = &found[0].invariants[..] else { panic!("{found:?}") };
        assert_eq!((i.lines.as_slice(), &*i.text), (&[6, 7][..], "( i <= n )"));
    }

    #[test]
    fn what_is_about_another_text_or_proves_nothing_is_ignored() {
        let files = [
            in_yaml(&hash("other"), "invariant_set"),
            in_yaml(&hash(PROGRAM), "violation_sequence"),
            in_xml("violation_witness", &hash(PROGRAM)),
            in_xml("correctness_witness", "00"),
        ];
        for file in files {
            let (found, remarks) = parse(&file, &[PROGRAM]).expect("a witness");
            assert!(
                found.is_empty() && remarks.len() == 1 && remarks[0].contains("ignored"),
                "{found:?} {remarks:?}"
            );
        }
        assert!(parse("- 1", &[]).is_err() && parse("<a", &[]).is_err() && parse("<a/>", &[]).is_err());
    }
}
