//! Runs that start from a coverage report, or from what changed. They need a clang.

use std::path::Path;
use std::process::Command;

use super::testing::{check, folder, make, write};

const PARSE: &str = "\
#include <stddef.h>

static int digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return -1;
}

int value(int c, int base)
{
    int d = digit(c);
    if (d < 0)
        return c == 'x' ? -2 : -1;
    if (d > 9)
        d = 9;
    while (base > 100)
        base /= 2;
    return d < base ? d : -3;
}

unsigned twice(unsigned n)
{
    return 2 * n;
}

int kind(const char *text)
{
    if (text == NULL)
        return 0;
    return text[0] == 'a' ? 1 : 2;
}
";

/// What a run of `value` and `twice` leaves, as lcov has it.
const REPORT: &str = "\
TN:
SF:/build/src/parse.c
FN:3,digit
FN:10,value
FN:27,kind
FNDA:1,digit
FNDA:1,value
FNDA:0,kind
DA:3,1
DA:5,1
DA:6,1
DA:7,0
DA:10,1
DA:12,1
DA:13,1
DA:14,0
DA:15,1
DA:16,0
DA:17,1
DA:18,0
DA:19,1
DA:22,1
DA:24,1
DA:26,0
DA:27,0
DA:29,0
DA:30,0
DA:31,0
end_of_record
SF:/build/src/other.c
DA:1,0
end_of_record
";

fn json(folder: &Path, args: &[&str]) -> serde_json::Value {
    let args = [args, &["--format", "json"]].concat();
    serde_json::from_slice(&check(folder, &args, 0, &[]).stdout).expect("a report")
}

fn outcomes(report: &serde_json::Value) -> Vec<(u64, String)> {
    let lines = report["missed_lines"]["lines"].as_array().expect("lines");
    let outcome = |l: &serde_json::Value| {
        (l["line"].as_u64().expect("a number"), l["outcome"].as_str().expect("a word").to_owned())
    };
    lines.iter().map(outcome).collect()
}

fn names(report: &serde_json::Value) -> Vec<&str> {
    report["functions"].as_array().expect("functions").iter().filter_map(|f| f["name"].as_str()).collect()
}

#[test]
fn only_missed_lines_are_looked_for_and_the_end_says_what_became_of_them() {
    let folder = folder("missed");
    write(&folder, "parse.c", PARSE);
    write(&folder, "report.info", REPORT);
    let report = json(&folder, &["parse.c", "--coverage-from", "report.info"]);
    assert_eq!(names(&report), ["digit", "value", "kind"], "nothing in `twice` is missed");
    let covered = |line: u64| (line, "covered".to_owned());
    let impossible = (16, "impossible".to_owned());
    let expected = [
        covered(7),
        covered(14),
        impossible,
        covered(18),
        covered(27),
        covered(29),
        covered(30),
        covered(31),
    ];
    assert_eq!(outcomes(&report), expected);
    let missed = &report["missed_lines"];
    assert_eq!(
        (&missed["missed"], &missed["covered"], &missed["without_code"]),
        (&8.into(), &7.into(), &1.into())
    );
    // Of `value` only what stands on missed lines is an objective.
    let objectives = report["functions"][1]["objectives"].as_array().expect("objectives");
    let lines: Vec<u64> = objectives.iter().filter_map(|o| o["span"]["line"].as_u64()).collect();
    assert!(lines.iter().all(|line| [14, 16, 17, 18].contains(line)), "{lines:?}");
}

#[test]
fn the_sentence_the_merged_report_and_the_exclusions_agree() {
    let folder = folder("merged");
    write(&folder, "parse.c", PARSE);
    write(&folder, "report.info", REPORT);
    let args = ["parse.c", "--coverage-from", "report.info", "-o", "out", "--emit", "c,lcov,exclusions"];
    let words = [
        "8 lines missed: 7 by ",
        "1 impossible, 0 open",
        "1 more line that report.info calls missed has no code",
    ];
    check(&folder, &args, 0, &words);
    let merged = std::fs::read_to_string(folder.join("out/report.info")).expect("a merged report");
    for record in [
        "SF:/build/src/parse.c",
        "SF:/build/src/other.c",
        "DA:1,0",
        "DA:16,0",
        "DA:26,0",
        "DA:3,1",
        "FNDA:1,value",
    ] {
        let is_there = merged.lines().any(|line| line == record);
        assert_eq!(is_there, record != "FNDA:1,value", "{record}: {merged}");
    }
    for line in [7, 14, 18, 27, 29, 30, 31] {
        assert!(!merged.contains(&format!("DA:{line},0\n")), "{line}: {merged}");
    }
    let exclusions = std::fs::read_to_string(folder.join("out/exclusions.txt")).expect("exclusions");
    let lines: Vec<&str> = exclusions.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines.len(), 1, "{exclusions}");
    assert!(
        lines[0].starts_with("parse.c:16\tvalue\t")
            && lines[0].contains("\tLCOV_EXCL_LINE GCOVR_EXCL_LINE\t")
    );
    assert!(lines[0].ends_with("\tno bound"), "{exclusions}");
    // From the merged report there is nothing left but what no input executes.
    let again = ["parse.c", "--coverage-from", "out/report.info", "-o", "again"];
    check(&folder, &again, 0, &["1 line missed: 0 by 0 new tests, 1 impossible, 0 open"]);
    make(&folder);
}

#[test]
fn what_gcov_counts_of_the_new_tests_is_what_was_promised() {
    let has = |tool: &str| Command::new(tool).arg("--version").output().is_ok_and(|o| o.status.success());
    if !has("gcc") || !has("gcov") {
        // The tests above have reports of their own.
        return;
    }
    let folder = folder("gcov");
    write(&folder, "parse.c", PARSE);
    write(&folder, "main.c", "int value(int, int);\nint main(void) { return value('3', 10) != 3; }\n");
    let gcov = |files: &[&str], program: &str| -> serde_json::Value {
        let run = |command: &mut Command| {
            let output = command.current_dir(&folder).output().expect("it starts");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            output.stdout
        };
        run(Command::new("gcc").args(["--coverage", "-O0", "-o", program]).args(files));
        run(&mut Command::new(folder.join(program)));
        let data = format!("{program}-parse.gcda");
        let text = run(Command::new("gcov").args(["--json-format", "--stdout", &data]));
        write(&folder, &format!("{program}.json"), &String::from_utf8_lossy(&text));
        serde_json::from_slice(&text).expect("JSON")
    };
    gcov(&["parse.c", "main.c"], "before");
    let report =
        json(&folder, &["parse.c", "--coverage-from", "before.json", "-o", "out", "--timeout", "20"]);
    let outcomes = outcomes(&report);
    let covered: Vec<u64> = outcomes.iter().filter(|(_, o)| o == "covered").map(|(line, _)| *line).collect();
    assert!(covered.len() >= 7, "{outcomes:?}");
    assert!(outcomes.contains(&(16, "impossible".to_owned())), "{outcomes:?}");
    // The same calls by hand, counted by gcov: what was called impossible is still missed, the rest is not.
    let calls = "int value(int, int); int kind(const char *); unsigned twice(unsigned);\n\
                 int main(void) { value('3', 10); value('x', 10); value('y', 1); value('7', 1000); kind(0); kind(\"a\"); kind(\"b\"); twice(2);\n\
                 return 0; }\n";
    write(&folder, "calls.c", calls);
    let after = gcov(&["parse.c", "calls.c"], "after");
    let lines = after["files"][0]["lines"].as_array().expect("lines").iter();
    let still: Vec<u64> =
        lines.filter(|l| l["count"] == 0).filter_map(|l| l["line_number"].as_u64()).collect();
    let executed = |line: &u64| !still.contains(line);
    assert!(covered.iter().all(executed) && still.contains(&16), "{covered:?} {still:?}");
}

#[test]
fn reports_that_are_none_or_about_other_files_are_errors() {
    let folder = folder("no_report");
    write(&folder, "parse.c", PARSE);
    write(&folder, "text.txt", "SF:parse.c\nDA:1,0\nDA:?,0\n");
    write(&folder, "other.info", "SF:/build/other.c\nDA:1,0\nend_of_record\n");
    write(
        &folder,
        "twice.info",
        "SF:/a/parse.c\nDA:1,0\nend_of_record\nSF:/b/parse.c\nDA:2,0\nend_of_record\n",
    );
    write(&folder, "none.info", "SF:parse.c\nDA:3,1\nend_of_record\n");
    let from = |report: &str, code, words: &[&str]| {
        check(&folder, &["parse.c", "--coverage-from", report], code, words);
    };
    from("gone.info", 2, &["gone.info cannot be read"]);
    from("text.txt", 2, &["text.txt:3:4: `?` is no number of a line"]);
    from("parse.c", 2, &["parse.c:3:1: this is no coverage report"]);
    from(
        "other.info",
        2,
        &["other.info: none of the files in this report (/build/other.c …) is among the sources"],
    );
    from("twice.info", 2, &["parse.c may be more than one of the files in twice.info"]);
    from("none.info", 0, &["0 lines missed: 0 by 0 new tests", "4 of 4 functions are not analysed"]);
    check(&folder, &["parse.c", "--emit", "exclusions"], 2, &["--emit exclusions needs --coverage-from"]);
}

#[test]
fn only_functions_that_changed_and_their_callers_are_analysed() {
    let folder = folder("since");
    let git = |args: &[&str]| {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
        let output =
            Command::new("git").args(identity).args(args).current_dir(&folder).output().expect("git starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    git(&["init", "-q"]);
    write(&folder, ".gitignore", "footpath-out/\n");
    write(&folder, "parse.c", PARSE);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "first"]);
    let empty = json(&folder, &["parse.c", "--since", "HEAD"]);
    assert!(names(&empty).is_empty(), "{:?}", names(&empty));
    write(&folder, "parse.c", &PARSE.replace("return c - '0';", "return c - 48;"));
    let changed = json(&folder, &["parse.c", "--since", "HEAD"]);
    assert_eq!(names(&changed), ["digit", "value"], "`value` calls `digit`");
    // A diff that was written down says the same, and so does one from another folder.
    let diff = git(&["diff", "HEAD"]);
    write(&folder, "change.diff", &diff);
    write(&folder, "moved.diff", &diff.replace("/parse.c", "/there/parse.c"));
    for file in ["change.diff", "moved.diff"] {
        assert_eq!(names(&json(&folder, &["parse.c", "--diff", file])), ["digit", "value"]);
    }
    // A new file has changed as a whole; what changed outside of functions is counted.
    write(&folder, "parse.c", &PARSE.replace("#include <stddef.h>", "#include <stddef.h>\n#define N 3"));
    write(&folder, "new.c", "int one(int n) { return n > 3; }\n");
    let args = ["parse.c", "new.c", "--since", "HEAD"];
    check(
        &folder,
        &args,
        0,
        &["1 changed line is outside of functions", "4 of 5 functions are not analysed"],
    );
    assert_eq!(names(&json(&folder, &args)), ["one"]);
    // Both selections together.
    write(&folder, "parse.c", &PARSE.replace("return 2 * n;", "return n + n;"));
    write(&folder, "report.info", REPORT);
    let both = ["parse.c", "--since", "HEAD", "--coverage-from", "report.info"];
    check(
        &folder,
        &both,
        0,
        &["0 lines missed", "4 of 4 functions are not analysed: nothing in them is selected"],
    );
    check(
        &folder,
        &["parse.c", "--since", "nothing"],
        2,
        &["--since: `nothing` is no commit of this repository"],
    );
    check(&folder, &["parse.c", "--since=--output=x"], 2, &["is no commit of this repository"]);
    write(&folder, "bad.diff", "+++ b/parse.c\n@@ nonsense\n");
    check(
        &folder,
        &["parse.c", "--diff", "bad.diff"],
        2,
        &["bad.diff:2: this line does not say which lines follow"],
    );
}

#[test]
fn without_git_a_commit_is_an_error() {
    let folder = folder("no_git");
    write(&folder, "parse.c", PARSE);
    let output = Command::new(env!("CARGO_BIN_EXE_footpath"))
        .args(["test", "parse.c", "--since", "HEAD"])
        .env("PATH", &folder)
        .current_dir(&folder)
        .output()
        .expect("footpath starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("git cannot be started"));
}
