//! `footpath verify` as its users run it. The test of C needs a clang.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::testing::corpus;

const SUM: &str = "\
procedure Fill(n: int) requires n >= 0; {
  var i: int;
  i := 0;
  while (i != n) {
    assert 0 <= i && i < n;
    i := i + 1;
  }
  assert i == n;
  assert n > 0;
}
";

fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verify").join(test);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder can be made");
    path
}

/// Runs `footpath verify --format json` on a file; the exit code and the document.
fn verify(folder: &Path, file: &str, text: &str, args: &[&str]) -> (Option<i32>, Value) {
    std::fs::write(folder.join(file), text).expect("a file can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_footpath"))
        .args(["verify", "--format", "json", file])
        .args(args)
        .current_dir(folder)
        .output()
        .expect("footpath starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let document = serde_json::from_str(&said)
        .unwrap_or_else(|e| panic!("{e}: {said}{}", String::from_utf8_lossy(&output.stderr)));
    (output.status.code(), document)
}

/// Kinds and verdicts of the checks of a function.
fn verdicts<'a>(document: &'a Value, function: &str) -> Vec<(&'a str, &'a str)> {
    let checks = document["checks"].as_array().expect("a list");
    let own = checks.iter().filter(|c| c["function"] == function);
    own.map(|c| (c["kind"].as_str().expect("a kind"), c["verdict"].as_str().expect("a verdict"))).collect()
}

#[test]
fn a_boogie_program_is_verified_annotated_and_denied() {
    let folder = folder("boogie");
    let (code, document) =
        verify(&folder, "sum.bpl", SUM, &["--sound", "-o", "out.bpl", "--deny", "unverified"]);
    assert_eq!(code, Some(1));
    assert_eq!(
        verdicts(&document, "Fill"),
        [("assert", "verified"), ("assert", "verified"), ("assert", "unverified")]
    );
    let annotated = std::fs::read_to_string(folder.join("out.bpl")).expect("the annotated program");
    assert!(annotated.contains("assert {:verified true} i == n;"), "{annotated}");
    assert!(annotated.contains("assert n > 0;"), "{annotated}");
}

#[test]
fn verified_executions_are_not_explored_with_guidance() {
    let folder = folder("guide");
    let text = "procedure P(x: int) {\n  var y: int;\n  if (x > 10) { y := x; assert y > 3; } else { y := x; assert y > 3; }\n}\n";
    std::fs::write(folder.join("p.bpl"), text).expect("a file can be written");
    let tests = |guide: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_footpath"))
            .args(["explore", "--format", "json", "--guide", guide, "p.bpl"])
            .current_dir(&folder)
            .output()
            .expect("footpath starts");
        let said = String::from_utf8_lossy(&output.stdout);
        let document: Value = serde_json::from_str(&said)
            .unwrap_or_else(|e| panic!("{e}: {said}{}", String::from_utf8_lossy(&output.stderr)));
        let tests = document["procedures"][0]["tests"].as_array().expect("a list").clone();
        let failing = tests.iter().filter(|t| t["outcome"].to_string().contains("fail")).count();
        (tests.len(), failing)
    };
    let (all, failing) = tests("none");
    assert!(failing >= 1 && all > failing, "{all} {failing}");
    let (fewer, still) = tests("may-must");
    assert!(still >= 1, "the check that can fail is still found");
    assert!(fewer < all, "{fewer} tests instead of {all}");
}

/// Explores the guided functions of the corpus; the document.
fn explore(folder: &Path, args: &[&str]) -> Value {
    corpus(folder, "guided_functions.c");
    let output = Command::new(env!("CARGO_BIN_EXE_footpath"))
        .args(["explore", "--format", "json", "--random-runs", "0", "guided_functions.c"])
        .args(args)
        .current_dir(folder)
        .output()
        .expect("footpath starts");
    let said = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&said)
        .unwrap_or_else(|e| panic!("{e}: {said}{}", String::from_utf8_lossy(&output.stderr)))
}

/// How many runs of a function are of a class.
fn runs(document: &Value, function: &str, class: &str) -> u64 {
    let functions = document["functions"].as_array().expect("a list");
    let found = functions.iter().find(|f| f["name"] == function).expect("the function");
    found["exploration"]["tests"][class].as_u64().expect("a number")
}

/// The verdicts of objectives of a function, with the lines they begin in.
fn objectives(document: &Value, function: &str) -> Vec<(u64, String, String)> {
    let functions = document["functions"].as_array().expect("a list");
    let found = functions.iter().find(|f| f["name"] == function).expect("the function");
    let objectives = found["objectives"].as_array().expect("a list");
    let text = |v: &Value| v.as_str().unwrap_or_default().to_owned();
    objectives
        .iter()
        .map(|o| (o["span"]["line"].as_u64().unwrap_or(0), text(&o["kind"]), text(&o["verdict"])))
        .collect()
}

#[test]
fn guided_tests_of_c_functions_keep_every_failure_and_claim_nothing_of_what_they_leave_out() {
    let folder = folder("guided-c");
    let plain = explore(&folder, &["--guide", "none"]);
    let annotated = explore(&folder, &["--guide", "annotations"]);
    let guided = explore(&folder, &["--guide", "may-must"]);
    // `sign` is verified, and no run is worth making.
    assert_eq!((runs(&plain, "sign", "successful"), runs(&plain, "sign", "redundant")), (3, 0));
    assert_eq!((runs(&annotated, "sign", "successful"), runs(&annotated, "sign", "redundant")), (0, 3));
    assert_eq!((runs(&guided, "sign", "redundant"), runs(&guided, "sign", "successful")), (0, 0));
    // Null and overflow fail with and without guidance; the ways that return early are given up.
    for kept in [&plain, &annotated, &guided] {
        assert_eq!(runs(kept, "deposit", "failing"), 2, "{kept:#}");
    }
    assert_eq!(runs(&annotated, "deposit", "redundant"), 2);
    assert_eq!(runs(&guided, "deposit", "redundant"), 0);
    assert!(runs(&guided, "deposit", "aborted") >= 1);
    for function in ["sign", "deposit", "reviewed"] {
        for (line, kind, verdict) in objectives(&guided, function) {
            assert!(
                matches!(verdict.as_str(), "covered" | "unknown"),
                "{function}:{line} {kind} is {verdict}, which a guided search cannot know"
            );
        }
    }
}

#[test]
fn what_a_program_says_is_verified_guides_by_itself_and_can_be_forgotten() {
    let folder = folder("guided-by-itself");
    let itself = explore(&folder, &["--function", "reviewed"]);
    let forgotten = explore(&folder, &["--function", "reviewed", "--guide", "none"]);
    assert!(runs(&itself, "reviewed", "aborted") >= 1, "{itself:#}");
    assert_eq!(runs(&itself, "reviewed", "redundant"), 0);
    assert_eq!(runs(&itself, "reviewed", "failing"), 1);
    assert_eq!(runs(&forgotten, "reviewed", "aborted"), 0);
    assert_eq!(runs(&forgotten, "reviewed", "failing"), 1);
    // A guided search looks into callees, which is said where that was not asked for.
    let notes = |function: &str| {
        let found = explore(&folder, &["--function", function, "--calls", "conditions"]);
        found["functions"][0]["notes"].to_string()
    };
    let said = "not their failure conditions, because the program is annotated or guided";
    assert!(notes("reviewed").contains(said), "{}", notes("reviewed"));
    assert!(!notes("sign").contains(said), "{}", notes("sign"));
    let unguided = explore(&folder, &["--function", "sign"]);
    assert_eq!(runs(&unguided, "sign", "aborted"), 0);
}

#[test]
fn verdicts_are_told_to_code_scanning_and_to_browsers() {
    let folder = folder("reports");
    let text = "int next(int *p)\n{\n    return *p;\n}\nint first(unsigned k)\n{\n    int t[2] = { 1, 2 };\n    return t[k & 1];\n}\n";
    let (code, document) = verify(&folder, "n.c", text, &["--sarif", "out.sarif", "--html", "out.html"]);
    assert_eq!(code, Some(0), "{document:#}");
    assert_eq!(
        document["assumptions"][0]["meaning"],
        "`p` points to the start of a live object of at least 4 bytes"
    );
    let log: Value = serde_json::from_str(&std::fs::read_to_string(folder.join("out.sarif")).expect("a log"))
        .expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("a list").clone();
    let kinds: Vec<&str> = results.iter().map(|r| r["kind"].as_str().unwrap_or("")).collect();
    assert!(kinds.contains(&"review") && kinds.contains(&"pass"), "{kinds:?}");
    let review = results.iter().find(|r| r["kind"] == "review").expect("a result");
    assert_eq!(review["level"], "none");
    assert!(
        review["relatedLocations"][0]["message"]["text"].as_str().is_some_and(|t| t.contains("`p` points"))
    );
    assert_eq!(review["properties"]["verifiedUnder"], serde_json::json!(["valid-parameters"]));
    // Read back, it says the same, under the same assumption.
    let (code, again) = verify(&folder, "n.c", text, &["--sound", "--results", "out.sarif"]);
    assert_eq!(code, Some(0), "{again:#}");
    let checks = again["checks"].as_array().expect("a list");
    let null = checks.iter().find(|c| c["function"] == "next" && c["kind"] == "null").expect("a check");
    assert_eq!(null["verdict"], "unverified", "{null:#}");
    assert_eq!(null["claims"][0]["by"], "footpath", "{null:#}");
    assert_eq!(null["claims"][0]["premise"].as_array().map(Vec::len), Some(1), "{null:#}");
    let page = std::fs::read_to_string(folder.join("out.html")).expect("a page");
    assert!(
        page.contains("assumed as a1") && page.contains("verified assuming <a href=\"#a1\">a1</a>"),
        "{page}"
    );
}

#[test]
fn an_array_is_taken_to_be_as_long_as_its_length_says_where_that_is_allowed() {
    let folder = folder("lengths");
    let text = "int sum(const int *a, int n)\n{\n    int s = 0;\n    for (int i = 0; i < n; i++)\n        s ^= a[i];\n    return s;\n}\n";
    let args = ["--assume", "parameter-lengths", "-o", "out.bpl", "--html", "out.html"];
    let (code, document) = verify(&folder, "sum.c", text, &args);
    assert_eq!(code, Some(0), "{document:#}");
    let found = verdicts(&document, "sum");
    assert!(
        found.contains(&("bounds", "verified_under")) && found.contains(&("null", "unverified")),
        "{found:?}"
    );
    let assumptions = document["assumptions"].as_array().expect("a list");
    assert_eq!(assumptions.len(), 1, "{assumptions:?}");
    let meaning = "`a` points to the start of an object of at least `n` elements";
    assert_eq!(assumptions[0]["kind"], "parameter-lengths");
    assert_eq!(assumptions[0]["meaning"], meaning);
    let annotated = std::fs::read_to_string(folder.join("out.bpl")).expect("the annotated program");
    assert!(annotated.contains("a1 := a1 && a.offset == 0bv64 && "), "{annotated}");
    assert!(annotated.contains("assert {:kind \"bounds\"} {:verified a1}"), "{annotated}");
    let page = std::fs::read_to_string(folder.join("out.html")).expect("a page");
    assert!(page.contains("points to the start of an object of at least"), "{page}");
    let others = "few-rounds,no-overflow,allocation-succeeds,valid-parameters,valid-pointers,terminated-strings,distinct-parameters,callees-keep";
    let (_, without) = verify(&folder, "sum.c", text, &["--assume", others]);
    assert!(verdicts(&without, "sum").contains(&("bounds", "unverified")), "{without:#}");
}

/// A result of another tool: the rule, whether it passes, the line, what is assumed.
type ToolResult = (&'static str, bool, u32, &'static [&'static str]);

/// A SARIF log of one tool.
fn sarif(tool: &str, results: &[ToolResult]) -> String {
    let result = |&(rule, passes, line, assumes): &ToolResult| {
        let region = serde_json::json!({ "startLine": line });
        serde_json::json!({
            "ruleId": rule,
            "kind": if passes { "pass" } else { "fail" },
            "properties": { "assumptions": assumes },
            "locations": [{ "physicalLocation": { "artifactLocation": { "uri": "others.c" }, "region": region } }],
        })
    };
    let results: Vec<Value> = results.iter().map(result).collect();
    let tool = serde_json::json!({ "driver": { "name": tool } });
    serde_json::json!({ "version": "2.1.0", "runs": [{ "tool": tool, "results": results }] }).to_string()
}

const OTHERS: &str = "\
int at(const int *table, int i)
{
    return table[i];
}
int sum(int a, int b)
{
    return a + b;
}
int ratio(int a, int b)
{
    return (a / b) + (b / a);
}
";

#[test]
fn what_other_tools_prove_stands_beside_our_verdicts_under_their_names() {
    let folder = folder("results");
    let one = sarif(
        "prover",
        &[
            ("index_bound", true, 3, &[]),
            ("overflow", true, 7, &["the world is flat"]),
            // Two checks of the kind in the line; one that is not there; both proved and not.
            ("division_by_zero", true, 11, &[]),
            ("null", true, 7, &[]),
            ("null", true, 3, &[]),
            ("null", false, 3, &[]),
        ],
    );
    let two = sarif("checker", &[("bounds", true, 3, &["valid-parameters"]), ("bounds", true, 4, &[])]);
    std::fs::write(folder.join("one.sarif"), one).expect("a file can be written");
    std::fs::write(folder.join("two.sarif"), two).expect("a file can be written");
    let args = ["--results", "one.sarif", "--results", "two.sarif", "-o", "out.bpl"];
    let (code, document) = verify(&folder, "others.c", OTHERS, &args);
    assert_eq!(code, Some(0));
    let checks = document["checks"].as_array().expect("a list");
    let claims = |function: &str, kind: &str| -> Vec<(String, String, bool)> {
        let own = checks.iter().filter(|c| c["function"] == function && c["kind"] == kind);
        let all = own.flat_map(|c| c["claims"].as_array().expect("a list"));
        all.map(|c| {
            (c["by"].as_str().expect("a name").to_owned(), c["premise"].to_string(), c["guides"] == true)
        })
        .collect()
    };
    let bounds = claims("at", "bounds");
    assert_eq!(bounds.len(), 2, "{bounds:?}");
    assert!(bounds.contains(&("prover".to_owned(), "[]".to_owned(), true)), "{bounds:?}");
    let checker = bounds.iter().find(|c| c.0 == "checker").expect("a claim of the other tool");
    assert!(checker.1.starts_with("[\"a") && checker.2, "{checker:?}");
    // Assumptions that cannot be evaluated guide nothing.
    assert_eq!(
        claims("sum", "overflow"),
        [("prover".to_owned(), "[\"the world is flat\"]".to_owned(), false)]
    );
    for (function, kind) in [("ratio", "division"), ("at", "null"), ("sum", "null")] {
        assert_eq!(claims(function, kind), [], "{function} {kind}");
    }
    // Our own figures are as without.
    let (_, alone) = verify(&folder, "others.c", OTHERS, &[]);
    for name in ["verified", "verified_under", "unverified", "failing"] {
        assert_eq!(document["totals"][name], alone["totals"][name], "{name}");
    }
    assert_eq!(
        (document["totals"]["claimed"].as_u64(), alone["totals"]["claimed"].as_u64()),
        (Some(2), Some(0))
    );
    let annotated = std::fs::read_to_string(folder.join("out.bpl")).expect("the annotated program");
    assert!(annotated.contains("var {:assumption} by.prover: bool;"), "{annotated}");
    assert!(
        annotated.lines().any(|l| l.contains("{:verified (a1 && by.checker) || by.prover}")),
        "{annotated}"
    );
}

#[test]
fn annotations_are_told_apart_from_what_was_found_out() {
    let folder = folder("by-hand");
    let text = "procedure P(x: int) {\n  var {:assumption} reviewed: bool;\n  assert {:verified reviewed} x != 7;\n  assert {:verified true} x != 8;\n}\n";
    let (_, document) = verify(&folder, "p.bpl", text, &[]);
    let claims: Vec<String> =
        document["checks"].as_array().expect("a list").iter().map(|c| c["claims"].to_string()).collect();
    assert!(claims[0].contains("annotation") && claims[0].contains("reviewed"), "{claims:?}");
    assert!(claims[1].contains("annotation") && claims[1].contains("[]"), "{claims:?}");
    assert_eq!(verdicts(&document, "P"), [("assert", "unverified"), ("assert", "unverified")]);
    assert_eq!(document["totals"]["claimed"], 2);
}

const WITNESSED: &str = "\
extern int input(void);
int main(void)
{
    int x = 0, y = 50, n = input(), t[101];
    while (x < 100) {
        if (x >= 50)
            y = y + 1;
        x = x + 1;
    }
    return t[y];
}
";

/// A witness in YAML about the text above, with these invariants of its loop.
fn witness(invariants: &[&str]) -> String {
    use sha2::{Digest, Sha256};
    let hash: String = Sha256::digest(WITNESSED.as_bytes()).iter().map(|b| format!("{b:02x}")).collect();
    let one = |value: &&str| {
        serde_json::json!({ "invariant": {
            "type": "loop_invariant", "format": "c_expression", "value": value,
            "location": { "file_name": "w.c", "line": 5, "column": 5, "function": "main" },
        }})
    };
    let metadata = serde_json::json!({
        "format_version": "2.0",
        "producer": { "name": "prover", "version": "1" },
        "task": {
            "input_files": ["w.c"],
            "input_file_hashes": { "w.c": hash },
            "specification": "CHECK( init(main()), LTL(G valid-deref) )",
        },
    });
    let content: Vec<Value> = invariants.iter().map(one).collect();
    // What is JSON is YAML.
    let entry =
        serde_json::json!({ "entry_type": "invariant_set", "metadata": metadata, "content": content })
            .to_string();
    format!("- {entry}\n").replace("\"entry_type\":", "entry_type: ")
}

#[test]
fn invariants_of_a_witness_are_used_once_they_are_proved() {
    let folder = folder("witness");
    let bounds = |document: &Value| -> Vec<String> {
        let found = verdicts(document, "main").into_iter().filter(|(kind, _)| *kind == "bounds");
        found.map(|(_, verdict)| verdict.to_owned()).collect()
    };
    let proved = |document: &Value| -> Vec<bool> {
        let all = document["invariants"].as_array().expect("a list");
        all.iter().map(|i| i["proved"] == true).collect()
    };
    let (_, alone) = verify(&folder, "w.c", WITNESSED, &["--sound"]);
    assert!(bounds(&alone).contains(&"unverified".to_owned()), "the analyser does without: {alone:#}");
    let right = "( x <= 100 ) && ( ( x <= 50 && y == 50 ) || ( x >= 50 && y == x ) )";
    std::fs::write(folder.join("right.yml"), witness(&[right])).expect("a file can be written");
    let (_, document) = verify(&folder, "w.c", WITNESSED, &["--sound", "--results", "right.yml"]);
    assert_eq!(proved(&document), [true], "{document:#}");
    assert!(bounds(&document).iter().all(|v| v == "verified"), "{document:#}");
    // What is wrong, or cannot be read, is neither used nor believed.
    std::fs::write(folder.join("wrong.yml"), witness(&["y == 50", "y <= 7 || x", "t[0] == 0"]))
        .expect("written");
    let (_, document) = verify(&folder, "w.c", WITNESSED, &["--sound", "--results", "wrong.yml"]);
    assert_eq!(proved(&document), [false; 3], "{document:#}");
    assert_eq!(bounds(&document), bounds(&alone));
    // That it is correct stands for runs from `main`, and guides nothing.
    let check = document["checks"].as_array().expect("a list").iter().find(|c| c["kind"] == "bounds");
    let claim = &check.expect("a check")["claims"][0];
    assert_eq!((claim["by"].as_str(), claim["guides"].as_bool()), (Some("prover"), Some(false)));
    assert!(claim["premise"].to_string().contains("main"), "{claim}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_was_verified() {
    let folder = folder("interrupt");
    // Each product makes the solver think, and there are many.
    let procedure = |n: u32| {
        format!(
            "procedure P{n}(a: int, b: int) {{ assume a > 1 && b > a; assert a * b != 1000000016000000063 + {n}; }}\n"
        )
    };
    let text: String = (0..200).map(procedure).collect();
    std::fs::write(folder.join("many.bpl"), text).expect("a file can be written");
    let child = Command::new(env!("CARGO_BIN_EXE_footpath"))
        .args(["verify", "--format", "json", "many.bpl"])
        .current_dir(&folder)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("footpath starts");
    std::thread::sleep(std::time::Duration::from_secs(5));
    let kill = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status();
    assert!(kill.is_ok_and(|s| s.success()), "the run is still going on");
    let output = child.wait_with_output().expect("footpath ends");
    assert_eq!(output.status.code(), Some(130));
    let document: Value = serde_json::from_slice(&output.stdout).expect("a whole document");
    assert_eq!(document["interrupted"], true);
    let checks = document["checks"].as_array().expect("a list").len();
    assert!((1..200).contains(&checks), "{checks} checks");
}

#[test]
fn a_verification_that_is_longer_than_a_screen_says_what_matters() {
    let folder = folder("screen");
    let text: String = (0..60)
        .map(|n| format!("int f{n}(const int *p, int b)\n{{\n    return *p % {} / b;\n}}\n", n + 2))
        .chain(["int g(void)\n{\n    int zero = 0;\n    return 1 / zero;\n}\n".to_owned()])
        .collect();
    std::fs::write(folder.join("many.c"), text).expect("a file can be written");
    let run = |more: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_footpath"))
            .args(["verify", "many.c", "--solver-timeout", "1"])
            .args(more)
            .current_dir(&folder)
            .output()
            .expect("footpath starts");
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let short = run(&[]);
    assert!(short.lines().count() <= 40, "{short}");
    for words in [
        "checks in 61 functions",
        "1 check fails whenever it is reached\n  many.c:244:14 in g: division\n",
        "unverified, in 60 functions",
        "functions more\n",
        "rest on assumptions\n  valid-parameters: ",
        "--verbose prints the rest",
    ] {
        assert!(short.contains(words), "`{words}` is not said: {short}");
    }
    let long = run(&["--verbose"]);
    assert!(long.lines().count() > 200 && long.contains("fails whenever it is reached"), "{long}");
}
