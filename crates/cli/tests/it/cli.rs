//! The program as its users run it: usage errors, exit codes, broken inputs.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const GOOD: &str = "\
procedure Abs(x: int) returns (y: int)
{
  if (x < 0) {
    y := -x;
  } else {
    y := x;
  }
}
";

const INFEASIBLE: &str = "\
procedure P(x: int) returns (y: int)
  requires x > 0;
{
  y := 0;
  if (x < 0) {
    y := 1;
  }
}
";

/// A folder of its own for each test.
fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder can be made");
    path
}

fn file(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("a file can be written");
    path.display().to_string()
}

fn footpath(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_footpath")).args(args).output().expect("footpath starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Runs footpath, demands the exit code and that each of `words` stands in the messages.
fn check(args: &[&str], code: i32, words: &[&str]) -> Output {
    let output = footpath(args);
    let (out, err) = (stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(code), "{args:?}\n{out}\n{err}");
    for word in words {
        assert!(err.contains(word), "`{word}` is not said: {args:?}\n{err}");
    }
    assert!(!err.contains("panicked"), "{err}");
    output
}

#[test]
fn usage_errors_exit_with_2_and_say_what_is_legal() {
    check(&[], 2, &["Usage"]);
    check(&["frobnicate"], 2, &["frobnicate"]);
    check(&["cover"], 2, &["FILE"]);
    check(&["cover", "a.bpl", "--unwind", "many"], 2, &["--unwind"]);
    check(&["cover", "a.bpl", "--algorithm", "magic"], 2, &["worst-case", "query-optimal"]);
    check(&["cover", "a.bpl", "--deny", "bogus"], 2, &["infeasible, doomed, unknown"]);
    check(&["cover", "a.bpl", "--solver", "yices"], 2, &["cmd:"]);
    check(&["cover", "a.bpl", "--jobs", "0"], 2, &["--jobs"]);
    check(&["cover", "a.bpl", "--criterion", "path", "--algorithm", "worst-case"], 2, &["--criterion path"]);
}

#[test]
fn help_and_version_exit_with_0() {
    let version = stdout(&check(&["--version"], 0, &[]));
    assert!(version.contains(concat!("footpath ", env!("CARGO_PKG_VERSION"))), "{version}");
    assert!(version.contains("Z3 "), "{version}");
    assert!(stdout(&check(&["cover", "--help"], 0, &[])).contains("--query-timeout"));
}

#[test]
fn files_that_cannot_be_read_are_input_errors() {
    let folder = folder("unreadable");
    check(&["cover", "no-such-file.bpl"], 2, &["no-such-file.bpl", "no such file"]);
    let directory = folder.join("d.bpl");
    std::fs::create_dir(&directory).expect("a folder can be made");
    check(&["cover", &directory.display().to_string()], 2, &["is a directory"]);
    check(&["cover", &file(&folder, "empty.bpl", "")], 2, &["empty.bpl", "is empty"]);
    check(&["cover", &file(&folder, "blank.bpl", "\n \n")], 2, &["is empty"]);
    check(&["check", &file(&folder, "nul.bpl", b"var x: int;\n\x7fELF\0\0")], 2, &["nul.bpl:2:5", "NUL"]);
    check(&["check", &file(&folder, "latin.bpl", b"// \xe9\n")], 2, &["latin.bpl:1:4", "0xe9"]);
    check(&["check", &file(&folder, "cut.bpl", b"// caf\xc3")], 2, &["cut.bpl:1:7", "end of the file"]);
}

#[test]
fn an_absurdly_large_file_is_refused_before_it_is_read() {
    let folder = folder("large");
    let path = folder.join("large.bpl");
    let file = std::fs::File::create(&path).expect("a file can be made");
    file.set_len(1 << 40).expect("a sparse file can be made");
    check(&["cover", &path.display().to_string()], 2, &["larger than 64 MiB"]);
    // Whoever copies or packs the folder would write all its zeros.
    std::fs::remove_file(&path).expect("the file can be removed");
}

#[test]
fn other_languages_are_told_apart_from_broken_files() {
    let folder = folder("languages");
    check(&["check", &file(&folder, "a.rs", "fn main() {}")], 2, &["a.rs", "neither a C source", "`.bpl`"]);
    check(&["cover", &file(&folder, "a.txt", "hello")], 2, &["a.txt", "neither a C source", "`.bpl`"]);
}

#[test]
fn truncated_and_nonsensical_programs_are_located_errors() {
    let folder = folder("truncated");
    for cut in [20, 45, 60, GOOD.len() - 3] {
        let path = file(&folder, &format!("cut{cut}.bpl"), &GOOD[..cut]);
        check(&["check", &path], 2, &["error", &format!("cut{cut}.bpl:")]);
    }
    let path = file(&folder, "prose.bpl", "This is not a program.\n");
    check(&["cover", &path], 2, &["prose.bpl:1:1"]);
}

#[test]
fn absurd_nesting_is_an_error_and_no_stack_overflow() {
    let folder = folder("nesting");
    let n = 100_000;
    let cases = [
        ("parens", format!("procedure P() {{ assert {}true{}; }}", "(".repeat(n), ")".repeat(n))),
        ("open", format!("procedure P() {{ assert {}", "(".repeat(n))),
        ("not", format!("procedure P() {{ assert {}true; }}", "!".repeat(n))),
        ("minus", format!("procedure P() {{ assert {}1 == 1; }}", "- ".repeat(n))),
        ("and", format!("procedure P() {{ assert {}true; }}", "true && ".repeat(n))),
        ("implies", format!("procedure P() {{ assert {}true; }}", "true ==> ".repeat(n))),
        ("ifs", format!("procedure P() {{ {} {} }}", "if (*) {".repeat(n), "}".repeat(n))),
        ("else", format!("procedure P() {{ {} {{ }} }}", "if (*) { } else ".repeat(n))),
        ("maps", format!("var m: {}int;", "[int]".repeat(n))),
        (
            "select",
            format!("var m: [int]int; procedure P() {{ assert {}0{} == 0; }}", "m[".repeat(n), "]".repeat(n)),
        ),
        ("quantifiers", format!("axiom {}true{};", "(forall x: int :: ".repeat(n), ")".repeat(n))),
        ("comment", format!("procedure P() {{ }} {}", "/*".repeat(n))),
        ("ite", format!("axiom {}true{};", "(if true then true else ".repeat(n), ")".repeat(n))),
    ];
    for (name, text) in cases {
        let path = file(&folder, &format!("{name}.bpl"), text);
        let output = footpath(&["check", &path]);
        let code = output.status.code();
        assert!(matches!(code, Some(0 | 2)), "{name}: {:?}\n{:.2000}", output.status, stderr(&output));
        assert!(stderr(&output).len() < 10_000, "{name}: a wall of text");
    }
}

#[test]
fn a_broken_procedure_does_not_stop_the_others_and_exits_with_2() {
    let folder = folder("partial");
    let text = format!("procedure Broken() {{ undeclared := 1; }}\n{GOOD}");
    let output = check(&["cover", &file(&folder, "p.bpl", text)], 2, &["undeclared", "p.bpl:1:22"]);
    assert!(stdout(&output).contains("Abs"), "{}", stdout(&output));
}

#[test]
fn a_cover_exits_with_0_and_a_denied_verdict_with_1() {
    let folder = folder("deny");
    let path = file(&folder, "i.bpl", INFEASIBLE);
    let output = check(&["cover", &path], 0, &[]);
    assert!(stdout(&output).contains("1 infeasible"), "{}", stdout(&output));
    check(&["cover", &path, "--deny", "doomed,unknown"], 0, &[]);
    check(&["cover", &path, "--deny", "infeasible"], 1, &["denied: 1 infeasible"]);
}

#[test]
fn procedures_are_selected_by_name() {
    let folder = folder("select");
    let path = file(&folder, "two.bpl", format!("{GOOD}{INFEASIBLE}procedure Nobody();\n"));
    let text = stdout(&check(&["cover", &path, "--procedure", "Abs"], 0, &[]));
    assert!(text.contains("1 procedure") && !text.contains("infeasible"), "{text}");
    check(&["cover", &path, "--procedure", "abs"], 2, &["no procedure `abs`", "there is Abs"]);
    check(&["cover", &path, "--procedure", "Asb"], 2, &["there is Abs"]);
    check(&["cover", &path, "--procedure", "xyz"], 2, &["there is Abs, P, Nobody"]);
    check(&["cover", &path, "--procedure", "Nobody"], 2, &["has no body"]);
}

#[test]
fn json_goes_to_the_standard_output_even_for_broken_input() {
    let folder = folder("json");
    let output = check(&["cover", "--format", "json", &file(&folder, "a.bpl", GOOD)], 0, &[]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["procedures"][0]["name"], "Abs");
    assert_eq!(report["totals"]["infeasible"], 0);
    let output = check(&["cover", "--format", "json", &file(&folder, "b.bpl", "nonsense")], 2, &[]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["diagnostics"][0]["severity"], "error");
}

#[test]
fn an_output_folder_gets_reports_and_tests_and_loses_stale_tests_only() {
    let folder = folder("output");
    let path = file(&folder, "a.bpl", GOOD);
    let out = folder.join("out");
    let tests = out.join("tests");
    let dir = out.display().to_string();
    check(&["cover", &path, "-o", &dir], 0, &[]);
    assert!(out.join("report.txt").exists() && tests.join("Abs.1.json").exists());
    let report = std::fs::read(out.join("report.json")).expect("a report");
    let report: serde_json::Value = serde_json::from_slice(&report).expect("JSON");
    let count = report["procedures"][0]["tests"].as_array().expect("tests").len();
    std::fs::copy(tests.join("Abs.1.json"), tests.join("Old.7.json")).expect("a copy");
    file(&tests, "mine.json", "{}");
    check(&["cover", &path, "-o", &dir], 0, &[]);
    let left = std::fs::read_dir(&tests).expect("the folder").count();
    assert_eq!(left, count + 1, "the tests of this run and the user's file");
    check(&["cover", &path, "-o", &path], 2, &["cannot be made"]);
}

#[test]
fn a_folder_that_cannot_be_written_is_found_out_before_the_analysis() {
    let folder = folder("unwritable");
    let path = file(&folder, "a.bpl", GOOD);
    let out = folder.join("out");
    file(&folder, "out", "a file");
    let output = check(&["cover", &path, "-o", &out.display().to_string()], 2, &["out cannot be made"]);
    assert_eq!(stdout(&output), "");
}

#[test]
fn tests_of_a_second_implementation_have_files_of_their_own() {
    let folder = folder("implementations");
    let text = "procedure P(x: int) returns (y: int);\n\
        implementation P(x: int) returns (y: int) { y := 1; }\n\
        implementation P(x: int) returns (y: int) { y := 2; }\n";
    let out = folder.join("out");
    let path = file(&folder, "two.bpl", text);
    let output = check(&["cover", &path, "-o", &out.display().to_string()], 0, &[]);
    let said = stdout(&output);
    assert!(said.contains("P (implementation 1)") && said.contains("P (implementation 2)"), "{said}");
    assert!(said.contains("total, 1 procedure "), "{said}");
    for (name, implementation) in [("P.1.json", 1), ("P@2.1.json", 2)] {
        let test = std::fs::read(out.join("tests").join(name)).expect(name);
        let test: serde_json::Value = serde_json::from_slice(&test).expect("JSON");
        assert_eq!(test["implementation"], implementation);
    }
}

#[test]
fn every_stage_can_be_dumped_and_covered_again() {
    let folder = folder("stages");
    let text = format!("{GOOD}procedure Q(n: int) {{ var i: int; while (i < n) {{ call i := Abs(i); }} }}\n");
    let path = file(&folder, "a.bpl", text);
    for stage in ["parsed", "prepared", "inlined", "split", "unwound", "sliced"] {
        let shown = stdout(&check(&["cover", &path, "--dump-stage", stage, "--unwind", "1"], 0, &[]));
        let dump = folder.join(format!("{stage}.bpl")).display().to_string();
        let to_file = format!("{stage}={dump}");
        let output = check(&["cover", &path, "--dump-stage", &to_file, "--unwind", "1"], 0, &[]);
        assert_eq!(stdout(&output), "", "{stage}: it went to the file");
        assert_eq!(std::fs::read_to_string(&dump).expect("a dump"), shown, "{stage}");
        assert_eq!(shown.matches("{:cut}").count() > 0, matches!(stage, "unwound" | "sliced"), "{shown}");
        assert_eq!(shown.contains("call i := Abs"), matches!(stage, "parsed" | "prepared"), "{shown}");
        check(&["cover", &dump], 0, &[]);
    }
    check(&["cover", &path, "--dump-stage", "sliced=/no/such/folder/a.bpl"], 2, &["cannot be written"]);
}

#[test]
fn modifies_clauses_are_completed_on_request() {
    let folder = folder("modifies");
    let path = file(&folder, "m.bpl", "var g: int;\nprocedure P() { g := 1; }\n");
    check(&["check", &path], 2, &["not in the modifies clause"]);
    check(&["check", &path, "--infer-modifies"], 0, &[]);
    let text = stdout(&check(&["check", &path, "--infer-modifies", "--print"], 0, &[]));
    assert!(text.contains("modifies g;"), "{text}");
    check(&["cover", &path], 2, &["not in the modifies clause"]);
    let text = stdout(&check(&["cover", &path, "--infer-modifies"], 0, &[]));
    assert!(text.contains("P  1 covered"), "{text}");
}

#[test]
fn limits_on_blocks_and_tests_are_kept_and_said() {
    let folder = folder("limits");
    let text = "procedure P(a: int, b: int) returns (r: int) {\n\
        if (a > 0) { r := 1; }\n  if (b > 0) { r := r + 1; }\n  while (r > 0) { r := r - 1; }\n}\n";
    let path = file(&folder, "l.bpl", text);
    let few = ["cover", &path, "--criterion", "path", "--max-tests", "2"];
    let said = stdout(&check(&few, 0, &[]));
    assert!(said.contains("2 tests") && said.contains("the limit of 2 tests was reached"), "{said}");
    let small = stdout(&check(&["cover", &path, "--unwind", "50", "--max-blocks", "20"], 0, &[]));
    assert!(small.contains("note: ") && small.contains("20 blocks"), "{small}");
    check(&["cover", &path, "--max-blocks", "0"], 2, &["at least 1"]);
}

#[test]
fn check_prints_the_program_back() {
    let folder = folder("print");
    let text = stdout(&check(&["check", "--print", &file(&folder, "a.bpl", GOOD)], 0, &[]));
    let again = stdout(&check(&["check", "--print", &file(&folder, "b.bpl", &text)], 0, &[]));
    assert_eq!(text, again, "printing is stable");
}

#[test]
fn nothing_is_coloured_and_no_progress_is_shown_in_a_pipe() {
    let folder = folder("pipe");
    let path = file(&folder, "i.bpl", INFEASIBLE);
    let output = check(&["cover", &path], 0, &[]);
    assert!(!stdout(&output).contains('\x1b'));
    assert_eq!(stderr(&output), "");
    let coloured = check(&["cover", &path, "--color", "always"], 0, &[]);
    assert!(stdout(&coloured).contains('\x1b'));
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = folder("broken-pipe");
    let path = file(&folder, "a.bpl", GOOD);
    let mut child = Command::new(env!("CARGO_BIN_EXE_footpath"))
        .args(["cover", &path])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("footpath starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("footpath ends");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_run_with_partial_results() {
    let folder = folder("interrupt");
    // The search for the two factors lasts until somebody ends it.
    let text = "procedure P(a: int, b: int) returns (r: int)\n\
        { assume a > 1 && b > a; if (a * b == 1000000016000000063) { r := 1; } }\n";
    let path = file(&folder, "long.bpl", text);
    let child = Command::new(env!("CARGO_BIN_EXE_footpath"))
        .args(["cover", &path, "--timeout", "30", "--query-timeout", "30"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("footpath starts");
    std::thread::sleep(std::time::Duration::from_millis(700));
    // The shell's own: a plain machine has no such program.
    let kill = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status();
    assert!(kill.is_ok_and(|s| s.success()), "the run is still going on");
    let output = child.wait_with_output().expect("footpath ends");
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(stdout(&output).contains("interrupted"), "{}", stdout(&output));
}

/// A solver that says the same to every question, and writes down what it is told.
#[cfg(unix)]
fn stubborn(folder: &Path, answer: &str) -> (String, PathBuf) {
    let log = folder.join("told.log");
    let script = format!(
        "while read -r line; do\n  echo \"$line\" >> '{}'\n  case \"$line\" in\n    \
         *'(check-sat'*) echo {answer};;\n    *'(echo '*) echo \"$line\" | sed 's/.*(echo \"\\(.*\\)\").*/\\1/';;\n    \
         *'(get-info :name'*) echo '(:name \"stubborn\")';;\n  esac\ndone\n",
        log.display()
    );
    (format!("cmd:sh {}", file(folder, "stubborn.sh", script)), log)
}

#[cfg(unix)]
#[test]
fn another_solver_is_asked_and_believed() {
    let folder = folder("solver");
    let path = file(&folder, "a.bpl", GOOD);
    let (spec, log) = stubborn(&folder, "unsat");
    let said = stdout(&check(&["cover", &path, "--solver", &spec, "--random-runs", "0"], 0, &[]));
    assert!(said.contains("4 infeasible"), "{said}");
    let told = std::fs::read_to_string(log).expect("it was told something");
    assert!(told.contains("(check-sat"), "{told}");
}

#[cfg(unix)]
#[test]
fn a_second_solver_is_asked_and_a_disagreement_is_said() {
    let folder = folder("cross-check");
    let path = file(&folder, "a.bpl", GOOD);
    let (spec, log) = stubborn(&folder, "unsat");
    let args = ["cover", &path, "--cross-check", &spec, "--random-runs", "0", "--deny", "unknown"];
    let said = stdout(&check(&args, 1, &["denied: 4 unknown"]));
    assert!(said.contains("solvers disagree"), "{said}");
    let told = std::fs::read_to_string(log).expect("it was told something");
    assert!(told.contains("(check-sat"), "{told}");
}

#[cfg(unix)]
#[test]
fn a_solver_that_cannot_be_used_is_bad_input_and_says_why() {
    let folder = folder("no-solver");
    let path = file(&folder, "a.bpl", GOOD);
    for (spec, why) in [
        ("cmd:/no/such/solver", "cannot start /no/such/solver"),
        ("cmd:false", "it ended"),
        ("cmd:cat", "and then nothing"),
    ] {
        for flag in ["--solver", "--cross-check"] {
            let words = ["the solver could not be used", why];
            let output = check(&["cover", &path, "--random-runs", "0", flag, spec], 2, &words);
            assert_eq!(stdout(&output), "", "{spec}");
        }
    }
}
