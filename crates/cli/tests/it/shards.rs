//! Runs that are cut into shards, and their reports merged. They need a clang.

use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;

use super::testing::{check, check_command, folder, write};

const PARSE_H: &str = "\
static inline int twice(int n)
{
    if (n > 1000 || n < -1000)
        return -1;
    return 2 * n;
}

int digit(int c);
int is_far(const char *text, int length);
";

const PARSE: &str = "\
#include \"parse.h\"

int digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c > 100 && c < 50)
        return 7;
    return -1;
}

/* Tests of it have shorter arrays. */
int is_far(const char *text, int length)
{
    if (length == 64 && text[63] == 'x')
        return 1;
    return 0;
}

int far(int a)
{
    char text[64] = { 0 };
    text[63] = 'x';
    return is_far(text, 64) + twice(a);
}
";

const LIST: &str = "\
#include <limits.h>
#include <stddef.h>
#include \"parse.h\"

struct node {
    int value;
    struct node *next;
};

int first(const struct node *list)
{
    return list->value;
}

int caller(int k)
{
    struct node node = { k, NULL };
    if (k == 5)
        return first(NULL);
    return first(&node) + twice(digit(k));
}

int guard(int x)
{
    if (x > INT_MAX)
        return -1;
    return 100 / x;
}
";

/// The time that each function has, which none of them needs.
const TIME: &str = "600";

/// A project of two files that include a third one, with a compilation database.
fn project(name: &str) -> PathBuf {
    let folder = folder(name);
    for part in ["src", "include"] {
        std::fs::create_dir(folder.join(part)).expect("a folder can be made");
    }
    write(&folder, "include/parse.h", PARSE_H);
    write(&folder, "src/parse.c", PARSE);
    write(&folder, "src/list.c", LIST);
    let entry = |file: &str| {
        let arguments = ["cc", "-Iinclude", "-c", file];
        serde_json::json!({ "directory": folder, "file": file, "arguments": arguments })
    };
    let database = Value::from(vec![entry("src/parse.c"), entry("src/list.c")]);
    write(&folder, "compile_commands.json", &database.to_string());
    folder
}

/// Runs all shards of a project, each into a folder of its own; the names of their reports.
fn shards(folder: &Path, of: usize, more: &[&str]) -> Vec<String> {
    let run = |k: usize| {
        let (shard, out) = (format!("{k}/{of}"), format!("out-{k}"));
        let args =
            ["--compile-commands", ".", "--timeout", TIME, "--shard", &shard, "--emit", "json", "-o", &out];
        check(folder, &[&args, more].concat(), 0, &[]);
        format!("{out}/report.json")
    };
    (1..=of).map(run).collect()
}

/// Runs `footpath merge` in a folder, and demands the exit code and that each of `words` is said.
fn merge(folder: &Path, reports: &[String], args: &[&str], code: i32, words: &[&str]) -> Output {
    let all: Vec<&str> = reports.iter().map(String::as_str).chain(args.iter().copied()).collect();
    check_command("merge", folder, &all, code, words)
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// A report without times and without the command line, whose folder differs.
fn timeless(text: &str) -> String {
    fn clear(value: &mut Value) {
        match value {
            Value::Object(members) => {
                for time in ["elapsed_seconds", "solver_seconds", "total_seconds", "seconds", "command"] {
                    members.remove(time);
                }
                members.values_mut().for_each(clear);
            }
            Value::Array(items) => {
                // Tests of several functions are built as one program, or not, by which functions a run has.
                items.retain(|item| item["strategy"] != "build");
                items.iter_mut().for_each(clear);
            }
            _ => {}
        }
    }
    let mut report: Value = serde_json::from_str(text).expect("a report");
    clear(&mut report);
    serde_json::to_string_pretty(&report).expect("JSON")
}

/// Changes the first object of a report for which `change` says that it did.
fn change(folder: &Path, name: &str, change: &mut dyn FnMut(&mut Value) -> bool) {
    fn walk(value: &mut Value, change: &mut dyn FnMut(&mut Value) -> bool) -> bool {
        change(value)
            || match value {
                Value::Object(members) => members.values_mut().any(|value| walk(value, change)),
                Value::Array(items) => items.iter_mut().any(|value| walk(value, change)),
                _ => false,
            }
    }
    let mut report: Value = serde_json::from_str(&read(folder, name)).expect("a report");
    assert!(walk(&mut report, change), "nothing in {name} is to be changed");
    write(folder, name, &report.to_string());
}

#[test]
fn three_shards_merged_are_byte_for_byte_one_run() {
    let folder = project("one_run");
    let formats = "json,html,sarif,lcov";
    let args = ["--compile-commands", ".", "--no-store", "--timeout", TIME, "--emit", formats, "-o", "whole"];
    check(&folder, &args, 0, &[]);
    let reports = shards(&folder, 3, &[]);
    // Each function is in one of them, and more than one of them has some.
    let functions = |name: &str| -> Vec<String> {
        let report: Value = serde_json::from_str(&read(&folder, name)).expect("a report");
        let all = report["functions"].as_array().expect("functions").iter();
        all.map(|f| f["name"].as_str().expect("a name").to_owned()).collect()
    };
    let mut all: Vec<String> = reports.iter().flat_map(|name| functions(name)).collect();
    assert!(reports.iter().filter(|name| !functions(name).is_empty()).count() > 1, "{all:?}");
    let mut whole = functions("whole/report.json");
    all.sort();
    whole.sort();
    assert_eq!(all, whole);
    let mixed: Vec<String> = [1, 2, 0].map(|i| reports[i].clone()).to_vec();
    merge(&folder, &mixed, &["--emit", formats, "-o", "merged"], 0, &["never executed"]);
    let (merged, whole) = (read(&folder, "merged/report.json"), read(&folder, "whole/report.json"));
    assert_eq!(timeless(&merged), timeless(&whole));
    for format in ["report.sarif", "report.info"] {
        let [merged, whole] = ["merged", "whole"].map(|part| read(&folder, &format!("{part}/{format}")));
        assert_eq!(merged, whole, "{format}");
    }
    // The page has the tests with their texts, and the reports say what shards show of each other.
    assert!(read(&folder, "merged/report.html").contains("digit("));
    for said in ["\"caused_by\": \"caller\"", "\"other_test\""] {
        assert!(whole.contains(said), "{said} is not said");
        assert!(reports.iter().all(|name| !read(&folder, name).contains(said)), "a shard says {said}");
    }
    // Verdicts are denied as in one run.
    merge(&folder, &reports, &["--format", "json", "--deny", "infeasible"], 1, &["denied"]);
    // Baselines are made of merged reports, and used on them.
    merge(&folder, &reports, &["--write-baseline", "known"], 0, &[]);
    merge(
        &folder,
        &reports,
        &["--baseline", "known", "--deny", "infeasible,failing"],
        0,
        &["in the baseline"],
    );
}

#[test]
fn the_same_report_balances_shards_which_then_have_the_same_work() {
    let folder = project("balance");
    let reports = shards(&folder, 2, &[]);
    merge(&folder, &reports, &["--emit", "json", "-o", "last"], 0, &[]);
    // A function that cost more than all others together is alone.
    change(&folder, "last/report.json", &mut |value| {
        let is_it = value["name"] == "guard";
        if is_it {
            value["statistics"]["total_seconds"] = 1000.into();
        }
        is_it
    });
    let balanced = shards(&folder, 2, &["--balance-by", "last/report.json"]);
    let alone = |name: &String| {
        let report: Value = serde_json::from_str(&read(&folder, name)).expect("a report");
        let functions = report["functions"].as_array().expect("functions");
        functions.len() == 1 && functions[0]["name"] == "guard"
    };
    assert_eq!(balanced.iter().filter(|name| alone(name)).count(), 1);
    merge(&folder, &balanced, &[], 0, &["guard"]);
    // Shards that were balanced in another way are told apart.
    check(
        &folder,
        &["--compile-commands", ".", "--timeout", TIME, "--shard", "2/2", "--emit", "json", "-o", "out-2"],
        0,
        &[],
    );
    merge(&folder, &balanced, &[], 2, &["out-2/report.json", "split in another way", "--balance-by"]);
    write(&folder, "none.json", "{}");
    let args = ["src/list.c", "--shard", "1/2", "--balance-by", "none.json", "--", "-Iinclude"];
    check(&folder, &args, 2, &["none.json:1:", "this is no report of `footpath test --format json`"]);
}

#[test]
fn reports_that_do_not_belong_together_are_refused_with_the_place() {
    let folder = project("misfits");
    let reports = shards(&folder, 3, &[]);
    let some = |which: &[usize]| -> Vec<String> { which.iter().map(|&i| reports[i].clone()).collect() };
    let said = "out-1/report.json: this is one of 3 shards, of which shard 2/3 is missing";
    merge(&folder, &some(&[0, 2]), &[], 2, &[said]);
    merge(&folder, &some(&[1]), &[], 2, &["of which shards 1/3, 3/3 are missing"]);
    let said = "out-2/report.json: this is shard 2/3, and so is out-2/report.json";
    merge(&folder, &some(&[0, 1, 1]), &[], 2, &[said]);
    // Copies of a report, each with something else that does not fit.
    let with = |name: &str, key: &str, value: Value| {
        write(&folder, name, &read(&folder, &reports[1]));
        change(&folder, name, &mut |report| {
            let has = report.get(key).is_some();
            if has {
                report[key] = value.clone();
            }
            has
        });
        vec![reports[0].clone(), name.to_owned(), reports[2].clone()]
    };
    for (key, value, said) in [
        ("version", "0.0.1".into(), "this report is by footpath 0.0.1, and this is footpath "),
        ("schema", "other-1".into(), "this is a report in the format `other-1`, not in `footpath-suite-1`"),
        ("shard", Value::Null, "this is the report of a whole run, not of a shard"),
        ("of", 4.into(), "this is shard 2/4, but out-1/report.json is one of 3 shards"),
        (
            "verdict",
            "maybe".into(),
            "this is no report of `footpath test --format json`: unknown variant `maybe`",
        ),
        ("kind", "maybe".into(), "`maybe` is no kind of check"),
        ("sources", Vec::<Value>::new().into(), "this shard is of other sources than out-1/report.json"),
    ] {
        let changed = with("changed.json", key, value);
        merge(&folder, &changed, &[], 2, &["changed.json:", said]);
    }
    let command: Vec<&str> =
        vec!["footpath", "test", "--compile-commands", ".", "--timeout", "7", "--shard", "2/3"];
    let said = "different values of --timeout: `7` and `600`";
    merge(&folder, &with("changed.json", "command", command.into()), &[], 2, &["changed.json: ", said]);
    write(&folder, "text.json", "this is none");
    merge(&folder, &["text.json".to_owned()], &[], 2, &["text.json:1:", "this is no report of"]);
    // Sources that are other ones by now.
    write(&folder, "src/list.c", &LIST.replace("100 / x", "200 / x"));
    merge(&folder, &reports, &[], 2, &["src/list.c has changed since this report was made"]);
    std::fs::remove_file(folder.join("src/list.c")).expect("the file is removed");
    merge(&folder, &reports, &[], 2, &["src/list.c cannot be read"]);
}

#[test]
fn a_test_of_one_shard_against_a_proof_of_another_one_is_an_internal_error() {
    let folder = project("contradiction");
    let reports = shards(&folder, 3, &[]);
    let is_of_other = |report: &Value, position: &Value| {
        !report["shard"]["positions"].as_array().expect("positions").contains(position)
    };
    // A block that a test of another shard passes, and nothing fails on the way.
    let loaded: Vec<Value> =
        reports.iter().map(|name| serde_json::from_str(&read(&folder, name)).expect("a report")).collect();
    let passed = loaded.iter().find_map(|report| {
        let passed = report["shard"]["passed"].as_array().expect("what was passed").iter();
        let clean = |p: &&Value| !p["clean"].as_array().expect("objectives").is_empty();
        let found = passed.filter(clean).find(|p| is_of_other(report, &p["function"]))?;
        Some((found["function"].clone(), found["clean"][0].as_u64().expect("a position") as usize))
    });
    let (function, objective) = passed.expect("shards that call each other's functions");
    let owner = loaded.iter().position(|report| !is_of_other(report, &function)).expect("its shard");
    let mut report = loaded[owner].clone();
    let positions = report["shard"]["positions"].as_array().expect("positions");
    let at = positions.iter().position(|p| *p == function).expect("the function");
    let objective = &mut report["functions"][at]["objectives"][objective];
    objective["verdict"] = "unreachable".into();
    objective["settled_by"] = "cover".into();
    for (key, value) in [("reason", Value::Null), ("reason_code", Value::Null)] {
        objective[key] = value;
    }
    objective["tests"] = Vec::<Value>::new().into();
    write(&folder, &reports[owner], &report.to_string());
    let said = ["internal error", "was proved unreachable (cover), but a run reaches it (other_test)"];
    merge(&folder, &reports, &["-o", "merged"], 3, &said);
    assert!(read(&folder, "merged/contradiction.txt").contains("was proved unreachable"));
}

#[test]
fn shards_take_from_a_store_what_a_run_in_other_shards_left_there() {
    let folder = project("store");
    let more = ["--function", "guard", "--function", "digit", "--function", "far", "--store", "kept"];
    shards(&folder, 2, &more);
    let reports = shards(&folder, 3, &more);
    let said = "note: the results of 3 of 3 functions are taken from the store";
    merge(&folder, &reports, &["--verbose"], 0, &[said]);
}

/// A compiler that writes down how often it is asked for LLVM's text of a file.
fn counting_clang(folder: &Path) -> String {
    let script = "#!/bin/sh\ncase \" $* \" in *\" -femit-all-decls \"*) echo \"$*\" >> texts.log ;; esac\nexec clang \"$@\"\n";
    let program = folder.join("clang.sh");
    write(folder, "clang.sh", script);
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&program, executable).expect("it is made executable");
    program.display().to_string()
}

#[test]
fn shards_take_the_texts_of_files_from_a_store_instead_of_compiling_them_again() {
    let folder = project("stored_texts");
    let clang = counting_clang(&folder);
    let without = shards(&folder, 2, &["--no-store", "--clang", &clang]);
    let without: Vec<String> = without.iter().map(|report| timeless(&read(&folder, report))).collect();
    let asked = |before: usize| read(&folder, "texts.log").lines().count() - before;
    assert_eq!(asked(0), 2 * 4, "each shard compiles two files, with checks and without");
    let store = ["--store", "kept", "--clang", &clang];
    let with: Vec<String> =
        shards(&folder, 2, &store).iter().map(|report| timeless(&read(&folder, report))).collect();
    assert_eq!(asked(8), 4, "the second shard has all from the store");
    for (with, without) in with.iter().zip(&without) {
        assert_eq!(with, without, "a text from the store is as good as a new one");
    }
    // The preprocessor's output is the same, and the column of what follows is another one.
    write(&folder, "src/parse.c", &PARSE.replace("return c -", "return  c -"));
    shards(&folder, 2, &store);
    assert_eq!(asked(12), 2, "the file that changed is compiled once");
}

#[test]
fn only_what_can_be_cut_is_cut() {
    let folder = project("refused");
    for shard in ["0/3", "4/3", "1/0", "3"] {
        check(&folder, &["src/list.c", "--shard", shard], 2, &["--shard <K/N>"]);
    }
    check(&folder, &["src/list.c", "--shard", "1/2", "--entry", "caller"], 2, &["cannot be used with"]);
    // More shards than functions: some have none, and all the same they are merged.
    let more = ["--function", "guard", "--function", "digit"];
    let reports = shards(&folder, 4, &more);
    merge(&folder, &reports, &[], 0, &["guard", "digit", "total"]);
}

#[test]
fn what_became_of_missed_lines_is_said_of_all_shards_together() {
    let folder = project("missed");
    let lines = |range: std::ops::Range<u32>| range.map(|line| format!("DA:{line},0\n")).collect::<String>();
    let report =
        ["list", "parse"].map(|name| format!("SF:/build/src/{name}.c\n{}end_of_record\n", lines(1..50)));
    write(&folder, "missed.info", &report.concat());
    let formats = "json,lcov,exclusions";
    let more = ["--coverage-from", "missed.info"];
    let args = ["--compile-commands", ".", "--no-store", "--timeout", TIME, "--emit", formats, "-o", "whole"];
    let whole = check(&folder, &[&args, &more[..]].concat(), 0, &["lines missed:"]);
    let reports = shards(&folder, 2, &more);
    let merged = merge(&folder, &reports, &["--emit", formats, "-o", "merged"], 0, &["lines missed:"]);
    let sentence = |output: &Output| {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.lines().filter(|line| line.contains("missed")).map(str::to_owned).collect::<Vec<String>>()
    };
    assert_eq!(sentence(&merged), sentence(&whole));
    for name in ["report.info", "exclusions.txt"] {
        let [merged, whole] = ["merged", "whole"].map(|part| read(&folder, &format!("{part}/{name}")));
        assert_eq!(merged, whole, "{name}");
    }
    let [merged, whole] =
        ["merged", "whole"].map(|part| timeless(&read(&folder, &format!("{part}/report.json"))));
    assert_eq!(merged, whole);
    merge(&folder, &shards(&folder, 1, &[]), &["--emit", "exclusions"], 2, &["--emit exclusions needs"]);
}

/// The functions of the project, as `--list` prints them.
fn listed(folder: &Path) -> Vec<Value> {
    let args = ["--compile-commands", ".", "--list", "--format", "json"];
    let list: Value = serde_json::from_slice(&check(folder, &args, 0, &[]).stdout).expect("a list");
    assert_eq!(list["schema"], "footpath-functions-1");
    list["functions"].as_array().expect("functions").clone()
}

/// Runs a work unit; the name of its report.
fn unit(folder: &Path, name: &str, functions: &[Value], more: &[&str]) -> String {
    let list = serde_json::json!({ "schema": "footpath-functions-1", "functions": functions });
    let (list_name, out) = (format!("{name}.json"), format!("out-{name}"));
    write(folder, &list_name, &list.to_string());
    let args = ["--compile-commands", ".", "--no-store", "--unit", &list_name, "--emit", "json", "-o", &out];
    check(folder, &[&args, more].concat(), 0, &[]);
    format!("{out}/report.json")
}

#[test]
fn work_units_that_overlap_are_one_run_merged() {
    let folder = project("units");
    let limit = ["--timeout", TIME];
    let args = ["--compile-commands", ".", "--no-store", "--emit", "json", "-o", "whole"];
    check(&folder, &[&args, &limit[..]].concat(), 0, &[]);
    let functions = listed(&folder);
    assert_eq!(functions.iter().filter(|f| f["name"] == "caller" && f["file"] == "src/list.c").count(), 1);
    let half = functions.len() / 2;
    let reports = [
        unit(&folder, "one", &functions[half..], &limit),
        // It has more time, and does one function again.
        unit(&folder, "two", &functions[..=half], &["--timeout", "700"]),
    ];
    merge(&folder, &reports, &["--emit", "json", "-o", "merged"], 0, &["never executed"]);
    let (merged, whole) = (read(&folder, "merged/report.json"), read(&folder, "whole/report.json"));
    assert_eq!(timeless(&merged), timeless(&whole));
    // Nothing is left out in silence.
    // A function of a header is one, however many files have it.
    let identity = |f: &Value| (f["file"].to_string(), f["name"].to_string());
    let given: Vec<_> = functions[half..].iter().map(identity).collect();
    let missing = functions.iter().filter(|f| !given.contains(&identity(f))).count();
    let said = format!("a run over {} functions, of which {missing} are in no report", functions.len());
    merge(&folder, &reports[..1], &[], 2, &["out-one/report.json: ", &said]);
    let more = [&shards(&folder, 1, &[])[..], &reports[..]].concat();
    merge(&folder, &more, &[], 2, &["this is a work unit, but out-1/report.json is one of 1 shards"]);
    // A proof of one unit against a run of another one.
    change(&folder, &reports[1], &mut |value| {
        let is_it = value["verdict"] == "covered" && value["kind"] == "block";
        if is_it {
            for (key, to) in [("verdict", "unreachable"), ("settled_by", "cover")] {
                value[key] = to.into();
            }
            value["tests"] = Vec::<Value>::new().into();
        }
        is_it
    });
    merge(&folder, &reports, &["-o", "merged"], 3, &["internal error", "proved unreachable"]);
}

#[test]
fn what_a_work_unit_found_too_late_takes_the_place_of_what_another_one_left_open() {
    let folder = project("later");
    let functions = listed(&folder);
    let limit = ["--timeout", TIME];
    let reports = ["one", "two"].map(|name| unit(&folder, name, &functions, &limit));
    let whole = merge(&folder, &reports[..1], &["--format", "json"], 0, &[]);
    // In the first one two proofs, and in the second one another proof, are not found.
    let open = |name: &str, count: usize| {
        for _ in 0..count {
            change(&folder, name, &mut |value| {
                let is_it = value["verdict"] == "unreachable" && value["kind"] != "block";
                if is_it {
                    value["verdict"] = "unknown".into();
                    value["reason"] = "it was not reached within 1.0 s; --timeout raises the limit".into();
                    value["reason_code"] = "time-limit".into();
                    value["settled_by"] = Value::Null;
                }
                is_it
            });
        }
    };
    open(&reports[0], 2);
    open(&reports[1], 1);
    for order in [[0, 1], [1, 0]] {
        let both = order.map(|i| reports[i].clone());
        let merged = merge(&folder, &both, &["--format", "json"], 0, &[]);
        let verdicts = |output: &Output| super::testing::verdicts(output);
        let open = |output: &Output| verdicts(output).iter().filter(|v| v.contains("unknown")).count();
        // The first proof is in neither.
        assert_eq!(open(&merged), open(&whole) + 1);
        assert_eq!(verdicts(&merged).len(), verdicts(&whole).len());
    }
}

#[test]
fn lists_that_are_none_and_functions_that_are_not_there_are_said() {
    let folder = project("lists");
    check(&folder, &["--compile-commands", ".", "--list"], 0, &["src/list.c:", ": caller (", " blocks)"]);
    write(&folder, "none.json", "{\"schema\": \"footpath-functions-1\"}");
    let args = |list: &'static str| ["--compile-commands", ".", "--unit", list];
    check(&folder, &args("none.json"), 2, &["none.json:1:", "this is no list of `footpath test --list`"]);
    write(&folder, "other.json", "{\"schema\": \"other-1\", \"functions\": []}");
    check(&folder, &args("other.json"), 2, &["this is a list in the format `other-1`"]);
    let list =
        r#"{"schema": "footpath-functions-1", "functions": [{"file": "src/list.c", "name": "calle"}]}"#;
    write(&folder, "unknown.json", list);
    check(&folder, &args("unknown.json"), 2, &["there is no function `calle` with a body; there is caller"]);
    check(&folder, &["src/list.c", "--unit", "none.json", "--shard", "1/2"], 2, &["cannot be used with"]);
}
