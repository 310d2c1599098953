//! Checkouts of one project in several folders, which share a store. They need a clang.

use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;

use super::store::{are_all, recalled, said, tests};
use super::testing::{check, folder, make, verdicts, write};

const LIST_H: &str = "\
#define LIMIT 9
int shared(int n);
";

const LIST: &str = "\
#include \"list.h\"
#include <assert.h>
static int low(int *p, int n)
{
    if (!p)
        return -1;
    *p = n > 4 ? n : 4;
    return *p;
}
int middle(int n)
{
    int v;
    int r = low(&v, n);
    if (r < 4)
        return 1;
    return r == LIMIT ? shared(r) : r;
}
int asserted(int n)
{
    assert(n != 5);
    return n > 7;
}
";

const OTHER: &str = "\
#include \"list.h\"
static int low(int n) { return n > 3; }
int shared(int n) { return low(n) ? LIMIT : 2; }
int ratio(const int *values, unsigned n)
{
    int all = 0;
    for (unsigned i = 0; i < n; i++)
        all += values[i];
    return all / (all - 7);
}
int dead(int *p, unsigned i)
{
    int a[4] = {0};
    a[i] = *p;
    if (i > 3)
        return a[0];
    return 2;
}
";

/// The project in a folder, with a database that names one file by an absolute path, as CMake does, and one by a relative path.
fn checkout(folder: &Path) {
    for part in ["src", "include"] {
        std::fs::create_dir_all(folder.join(part)).expect("a folder can be made");
    }
    write(folder, "include/list.h", LIST_H);
    write(folder, "src/list.c", LIST);
    write(folder, "src/other.c", OTHER);
    let (list, include) = (folder.join("src/list.c"), format!("-I{}", folder.join("include").display()));
    let database = serde_json::json!([
        { "directory": folder, "file": list, "arguments": ["cc", include, "-c", list] },
        { "directory": folder, "file": "src/other.c", "arguments": ["cc", "-Iinclude", "-c", "src/other.c"] },
    ]);
    write(folder, "compile_commands.json", &database.to_string());
}

/// Runs the project in a folder with the store that is beside it.
fn run(folder: &Path) -> Output {
    let args =
        ["--compile-commands", ".", "--store", "../kept", "--timeout", "4", "-o", "out", "--format", "json"];
    check(folder, &args, 0, &[])
}

#[test]
fn results_of_one_checkout_are_found_in_another() {
    let all = folder("checkouts");
    let (one, two) = (all.join("one"), all.join("deeper/another"));
    checkout(&one);
    let first = run(&one);
    assert!(are_all(&recalled(&first), false), "{:?}", recalled(&first));
    std::fs::create_dir_all(all.join("deeper")).expect("a folder can be made");
    std::fs::rename(all.join("kept"), all.join("deeper/kept")).expect("the store can be moved");
    checkout(&two);
    let second = run(&two);
    assert!(are_all(&recalled(&second), true), "{:?}", recalled(&second));
    let (first, second) = (said(&first), said(&second));
    assert_eq!(
        first.replace(&one.display().to_string(), "."),
        second.replace(&two.display().to_string(), ".")
    );
    assert!(!second.contains(&one.display().to_string()), "the other folder is named: {second}");
    assert_eq!(tests(&one), tests(&two));
    // The first folder is not needed for them.
    std::fs::remove_dir_all(&one).expect("a folder can be removed");
    make(&two);
}

/// What a run says of a file in folders that differ in their last letter only, the second of which uses the store of the first.
fn in_two_folders(test: &str, text: &str, flags: &dyn Fn(&Path) -> Vec<String>) -> [Output; 2] {
    let all = folder(test);
    ["one", "onf"].map(|name| {
        let folder: PathBuf = all.join(name);
        std::fs::create_dir(&folder).expect("a folder can be made");
        write(&folder, "path.c", text);
        let flags = flags(&folder);
        let args = ["path.c", "--store", "../kept", "--timeout", "4", "-o", "out", "--format", "json", "--"];
        let args: Vec<&str> = args.into_iter().chain(flags.iter().map(String::as_str)).collect();
        check(&folder, &args, 0, &[])
    })
}

/// A function that asks for the last letter of its folder, in `WHERE`, and one that does not.
const PATH: &str = "\
int is_one(int n)
{
    static const char where[] = WHERE;
    if (n > 3 && where[sizeof where - 9] == 'e')
        return 1;
    return 0;
}
int plain(int n) { return n > 3; }
";

#[test]
fn what_a_program_sees_of_its_folder_is_not_taken_from_another_folder() {
    let of_macro = |folder: &Path| vec![format!("-DWHERE=\"{}/path.c\"", folder.display())];
    let of_file = |_: &Path| vec!["-DWHERE=__FILE__".to_owned()];
    for (test, flags) in [("path-file", &of_file as &dyn Fn(&Path) -> Vec<String>), ("path-macro", &of_macro)]
    {
        let [one, other] = in_two_folders(test, PATH, flags);
        assert!(!recalled(&other)["is_one"], "{test}");
        assert_ne!(verdicts(&one), verdicts(&other), "{test}");
    }
    // Only the function that asks is searched again.
    let [_, other] = in_two_folders("path-only", PATH, &of_file);
    assert!(recalled(&other)["plain"]);
    let renamed = |folder: &Path| {
        vec!["-DWHERE=__FILE__".to_owned(), format!("-fmacro-prefix-map={}=/src", folder.display())]
    };
    let [one, other] = in_two_folders("path-renamed", PATH, &renamed);
    assert!(are_all(&recalled(&other), true), "{:?}", recalled(&other));
    assert_eq!(verdicts(&one), verdicts(&other));
}

#[test]
fn a_folder_that_only_the_compiler_writes_into_a_program_is_seen_as_well() {
    let text = "\
int is_one(int n)
{
    const char *where = __builtin_FILE();
    unsigned length = 0;
    while (where[length])
        length++;
    if (n > 3 && where[length - 8] == 'e')
        return 1;
    return 0;
}
";
    let [_, other] = in_two_folders("path-builtin", text, &|_| Vec::new());
    assert!(are_all(&recalled(&other), false), "{:?}", recalled(&other));
    // Here a false `assert` calls a function of the program, which gets the name of the file.
    let text = "\
#include <assert.h>
void __assert_fail(const char *text, const char *file, unsigned line, const char *function)
{
    if (file && file[0] == 'e')
        __builtin_trap();
    for (;;)
        ;
}
int asserted(int n)
{
    assert(n != 5);
    return n > 7;
}
";
    let [_, other] = in_two_folders("path-own-assert", text, &|_| Vec::new());
    assert!(!recalled(&other)["asserted"], "{:?}", recalled(&other));
}

/// A report names the folder where it was made, which is not the one where its results were found.
#[test]
fn failures_are_told_of_in_the_folder_where_they_were_found_again() {
    let text = "#include <assert.h>\nint half(int n)\n{\n    assert(n != 4);\n    return 100 / n;\n}\n";
    let [one, other] = in_two_folders("path-failures", text, &|_| Vec::new());
    assert!(are_all(&recalled(&other), true), "{:?}", recalled(&other));
    assert_eq!(verdicts(&one), verdicts(&other));
    let report: Value = serde_json::from_slice(&other.stdout).expect("a report");
    assert!(!report.to_string().contains("/one/"), "{report}");
}
