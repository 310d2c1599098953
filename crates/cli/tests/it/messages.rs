//! Messages that say what a person needs to go on: which file, what is wrong with it, and what to write instead.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use super::testing::{folder, write};

const ABS: &str = "int absolute(int n)\n{\n    return n < 0 ? -n : n;\n}\n";

const TWO: &str = "\
procedure First(x: int) returns (y: int)
{
  y := x;
  if (x < 0) { y := 0; }
}

procedure Second(x: int) returns (y: int)
{
  y := x + 1;
}
";

/// Runs footpath in a folder; what it said on both sides.
fn said(folder: &Path, line: &str) -> (Option<i32>, String) {
    let words: Vec<&str> = line.split(' ').collect();
    let output = Command::new(env!("CARGO_BIN_EXE_footpath")).args(&words).current_dir(folder).output();
    both(&output.expect("footpath starts"))
}

fn both(output: &Output) -> (Option<i32>, String) {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.code(), format!("{out}{err}"))
}

/// Runs footpath, and demands the exit code and that each of `words` is said.
fn check(folder: &Path, line: &str, code: i32, words: &[&str]) -> String {
    let (ended, text) = said(folder, line);
    assert_eq!(ended, Some(code), "{line}\n{text}");
    for word in words {
        assert!(text.contains(word), "`{word}` is not said: {line}\n{text}");
    }
    text
}

#[test]
fn files_that_are_no_c_are_refused_with_the_reason() {
    let folder = folder("no-c");
    write(&folder, "ok.cpp", "int g(int);\nint f(int n) { return g(n); }\n");
    write(&folder, "UPPER.C", "int f(int n) { return n; }\n");
    write(&folder, "ok.c", ABS);
    write(&folder, "first.bpl", TWO);
    for command in ["test", "verify", "explore", "failures", "check", "cover", "reach --target f"] {
        check(&folder, &format!("{command} ok.cpp"), 2, &["ok.cpp: ", "C++, which is not supported"]);
    }
    check(&folder, "test UPPER.C", 2, &["UPPER.C: ", "C++, which is not supported"]);
    check(&folder, "test first.bpl", 2, &["first.bpl: ", "Boogie program", "footpath cover"]);
    check(&folder, "test .", 2, &["this is a folder", "--compile-commands"]);
    check(&folder, "cover .", 2, &["this is a folder"]);
    check(&folder, "cover ok.c first.bpl", 2, &["C files and Boogie programs cannot be analysed together"]);
    let text = check(&folder, "test ok.c ok.cpp gone.c", 2, &["ok.cpp: ", "gone.c: there is no such file"]);
    assert!(text.contains("absolute"), "the other file is tested: {text}");
}

#[test]
fn a_file_that_is_named_twice_is_read_once() {
    let folder = folder("twice");
    write(&folder, "ok.c", ABS);
    write(&folder, "two.bpl", TWO);
    let text = check(&folder, "test ok.c ./ok.c", 0, &["./ok.c is named more than once"]);
    assert!(!text.contains(".ll"), "{text}");
    check(&folder, "cover two.bpl two.bpl", 0, &["two.bpl: is named more than once", "Second"]);
}

#[test]
fn what_can_be_read_is_covered_and_the_rest_is_an_error() {
    let folder = folder("rest");
    write(&folder, "two.bpl", TWO);
    write(&folder, "user.bpl", "procedure User() { var y: int; call y := First(1); }\n");
    let text = check(&folder, "cover two.bpl missing.bpl", 2, &["missing.bpl", "read without it"]);
    assert!(text.contains("First") && text.contains("Second"), "{text}");
    let text = check(&folder, "cover user.bpl missing.bpl", 2, &["missing.bpl", "not a program without it"]);
    assert!(!text.contains("`First`"), "what the file declares is not said to be missing: {text}");
}

#[test]
fn a_compiler_that_fails_silently_is_named() {
    let folder = folder("silent");
    write(&folder, "ok.c", ABS);
    check(&folder, "test ok.c --clang /bin/false", 2, &["`/bin/false` ended with exit status: 1"]);
}

#[test]
fn flags_that_miss_something_say_what() {
    let folder = folder("flags");
    write(&folder, "ok.c", ABS);
    write(&folder, "two.bpl", TWO);
    check(&folder, "test ok.c --emit testcomp", 2, &["--emit testcomp needs --entry"]);
    check(&folder, "test ok.c --fails-when 3", 2, &["--fails-when=3"]);
    check(&folder, "test ok.c --run-externals sqrt", 2, &["--run-externals=sqrt"]);
    for command in ["cover two.bpl", "test ok.c", "explore two.bpl"] {
        check(&folder, &format!("{command} --jobs 0"), 2, &["--jobs", "at least 1"]);
    }
    check(&folder, "cover ok.c --dump-smt out", 2, &["--dump-smt is for Boogie programs only"]);
    let has = &["`--runs` is a flag of `failures`", "`explore` has `--random-runs`, `--max-runs`"];
    check(&folder, "explore ok.c --runs 3", 2, has);
    check(&folder, "verify ok.c --no-store", 2, &["`--no-store` is a flag of `test`"]);
    check(&folder, "cover --help", 0, &["For Boogie programs only:", "For C files:", "Examples:"]);
}

#[test]
fn c_files_are_checked_and_printed() {
    let folder = folder("check");
    write(&folder, "ok.c", ABS);
    write(&folder, "broken.c", "int f(void) { return LIMIT; }\n");
    check(&folder, "check ok.c", 0, &["ok: functions 1"]);
    check(&folder, "check ok.c --print", 0, &["procedure", "absolute"]);
    check(&folder, "check broken.c", 2, &["broken.c:1", "LIMIT"]);
    check(&folder, "check broken.c -- -DLIMIT=1", 0, &["ok: functions 1"]);
    check(&folder, "check ok.c broken.c", 2, &["broken.c does not compile", "with errors: functions 1"]);
}

#[test]
fn a_target_may_have_a_column() {
    let folder = folder("column");
    write(&folder, "two.bpl", TWO);
    // Line 4 has the condition and, behind column 16, the assignment.
    check(&folder, "reach two.bpl --target two.bpl:4:16", 0, &["two.bpl:4:16", "reached"]);
    check(&folder, "reach two.bpl --target two.bpl:4", 0, &["reached"]);
    check(&folder, "reach two.bpl --target two.bpl:3:1", 2, &["no statement starts on line 3", "column 1"]);
    check(
        &folder,
        "reach two.bpl --target nowhere",
        2,
        &["neither a label nor a procedure", "FILE:LINE:COLUMN"],
    );
    write(&folder, "dead.c", "int f(int n)\n{\n    if (n > 5) { if (n < 3) n = 1; }\n    return n;\n}\n");
    check(&folder, "reach dead.c --target dead.c:3:29", 0, &["unreachable"]);
    check(&folder, "reach dead.c --target dead.c:3:18", 0, &["reached"]);
}

#[test]
fn compile_commands_may_be_a_folder_and_flags_stand_in_files() {
    let folder = folder("commands");
    write(&folder, "limit.c", "int f(int n)\n{\n    return n > LIMIT;\n}\n");
    write(&folder, "limit.rsp", "-DLIMIT='(1 + 2)' -O2");
    std::fs::create_dir(folder.join("build")).expect("a folder can be made");
    let entry = r#"[{ "directory": "..", "file": "limit.c", "command": "cc @limit.rsp -c limit.c" }]"#;
    write(&folder, "build/compile_commands.json", entry);
    check(&folder, "test --compile-commands build", 0, &["f"]);
    check(&folder, "test --compile-commands .", 2, &["compile_commands.json cannot be read"]);
    check(&folder, "check --compile-commands build", 0, &["ok: functions 1"]);
    check(&folder, "verify --compile-commands build", 0, &["f"]);
    check(&folder, "failures --compile-commands build limit.c", 0, &["never fails"]);
    check(&folder, "cover --compile-commands build", 0, &["1/1"]);
    check(&folder, "explore --compile-commands build", 0, &["f"]);
    // The file is that of the target.
    check(&folder, "reach --compile-commands build --target limit.c:3", 0, &["reached"]);
    check(&folder, "reach --compile-commands build --target f", 0, &["reached"]);
    check(&folder, "verify", 2, &["<FILE>"]);
    check(&folder, "check limit.c -- @limit.rsp", 0, &["ok: functions 1"]);
    check(&folder, "check limit.c -- -Wp,-DLIMIT=3", 0, &["ok: functions 1"]);
    check(&folder, "test --compile-commands build other.c", 2, &["other.c is not in build"]);
    std::fs::remove_file(folder.join("limit.c")).expect("it is there");
    check(&folder, "test --compile-commands build limit.c", 2, &["limit.c: there is no such file"]);
}

#[test]
fn sessions_that_are_not_there_are_missed() {
    let folder = folder("sessions");
    write(&folder, "two.bpl", TWO);
    write(&folder, "none.bpl", "procedure Declared(x: int);\n");
    check(&folder, "explore two.bpl --resume nodir", 2, &["no exploration is kept in nodir", "--save"]);
    assert!(!folder.join("nodir").exists(), "nothing is made of a folder that was misspelt");
    check(&folder, "explore none.bpl --save kept", 0, &["nothing is kept in kept"]);
    check(&folder, "explore two.bpl --save kept", 0, &["First"]);
    check(&folder, "explore two.bpl --resume kept", 0, &["First"]);
}

#[test]
fn an_interrupt_is_not_called_a_time_limit() {
    let folder = folder("interrupted");
    let loops = |name: &str| {
        format!(
            "int {name}(unsigned n, unsigned k)\n{{\n    unsigned h = 5;\n    for (unsigned i = 0; i < n; i++)\n        \
             h = h * 33 + (h ^ k) * i;\n    return h * h == 1234567u ? 1 : 0;\n}}\n"
        )
    };
    // Apart, so that their tests are not built together.
    let files = ["one", "two", "three"].map(|name| {
        write(&folder, &format!("{name}.c"), &loops(name));
        format!("{name}.c")
    });
    let child = Command::new(env!("CARGO_BIN_EXE_footpath"))
        .arg("test")
        .args(files)
        .args(["--timeout", "120", "--jobs", "1"])
        .current_dir(&folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("footpath starts");
    std::thread::sleep(Duration::from_secs(4));
    let kill = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status();
    assert!(kill.is_ok_and(|s| s.success()), "the run is still going on");
    let (code, text) = both(&child.wait_with_output().expect("footpath ends"));
    assert_eq!(code, Some(130), "{text}");
    assert!(text.contains("the run was interrupted: ") && !text.contains("time was up"), "{text}");
}

#[test]
fn json_names_the_schema_of_its_command_and_fits_its_name() {
    let folder = folder("schemas");
    write(&folder, "ok.c", ABS);
    write(&folder, "two.bpl", TWO);
    for (line, schema) in [
        ("cover two.bpl", "footpath-cover-1"),
        ("cover ok.c", "footpath-suite-1"),
        ("test ok.c", "footpath-suite-1"),
        ("explore two.bpl", "footpath-cover-1"),
        ("explore ok.c", "footpath-suite-1"),
        ("verify two.bpl", "footpath-verify-1"),
        ("verify ok.c", "footpath-verify-1"),
        ("reach two.bpl --target First", "footpath-reach-1"),
        ("failures two.bpl", "footpath-failures-1"),
        ("failures ok.c", "footpath-failures-1"),
    ] {
        let words = line.split(' ').chain(["--format", "json"]);
        let output = Command::new(env!("CARGO_BIN_EXE_footpath")).args(words).current_dir(&folder).output();
        let output = output.expect("footpath starts");
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(report["schema"], schema, "{line}");
        let command = line.split(' ').next().unwrap_or_default();
        let (_, help) = said(&folder, &format!("{command} --help"));
        let file = match schema.split('-').nth(1) {
            Some("suite") => "test".to_owned(),
            name => name.unwrap_or_default().to_owned(),
        };
        let help: String = help.split_whitespace().collect::<Vec<&str>>().join(" ");
        assert!(help.contains(&format!("schema/{file}.schema.json")), "{command}: {help}");
    }
}
