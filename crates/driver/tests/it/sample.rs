//! Functions from a library without a source: tests call them, and what they do is seen by running them. It needs a
//! clang.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use footpath_driver::{FunctionResult, ObjectiveKind, Options, Run, Verdict, Wanted, run};

const LIBRARY: &str = r#"
#include <fcntl.h>
#include <unistd.h>
int is_prime(int n)
{
    if (n < 2)
        return 0;
    for (int i = 2; (long)i * i <= n; i++)
        if (n % i == 0)
            return 0;
    return 1;
}
double scaled(double x, float y) { return 3 * x + y; }
short narrow(signed char c, unsigned short s, _Bool b) { return b ? c : (short)(s + 1); }
unsigned long long mixed(unsigned long long x) { return (x ^ x >> 31) * 0x9e3779b97f4a7c15ULL; }
static int calls;
int counts(int n) { return n + calls++; }
int writes(int n) { return open("footpath-was-here", O_CREAT | O_WRONLY, 0600) + n; }
int divides(int n) { return 100 / (n - 40); }
int endless(int n) { while (n >= 0) n = n; return n; }
int allocates(int n) { int *volatile p = __builtin_malloc(1 << 24); p[99] = n; n = p[99]; __builtin_free(p); return n; }
"#;

const SOURCE: &str = r#"
int is_prime(int);
double scaled(double, float);
short narrow(signed char, unsigned short, _Bool);
unsigned long long mixed(unsigned long long);
int counts(int);
int writes(int);
int divides(int);
int allocates(int);
int nowhere(int);

int prime(int x)
{
    if (is_prime(x)) {
        if (x > 1000)
            return 2;
        return 1;
    }
    return 0;
}

int progression(int x, int y)
{
    int sum = 0;
    if (x < 0 || x > 1000 || y < 5 || y > 1000)
        return -1;
    for (int i = 0; i < 3; i++)
        sum += is_prime(x + i * y);
    if (sum == 3)
        return 1;
    return 0;
}

int real(double x)
{
    if (scaled(x, 0.5f) > 100)
        return 1;
    return 0;
}

int widths(signed char c, unsigned short s, _Bool b)
{
    short r = narrow(c, s, b);
    if (r == -2)
        return 1;
    if (r == -32768)
        return 2;
    return 0;
}

int inverted(unsigned long long x)
{
    if (mixed(x) == 0x123456789abcdefULL)
        return 1;
    return 0;
}

int never(int x)
{
    if (is_prime(x) == 2)
        return 1;
    return 0;
}

int beside(int x)
{
    if (is_prime(x) > 0 && x % 2 == 0 && x == 7)
        return 1;
    return 0;
}

int others(int x)
{
    int r = 0;
    if (counts(x) == 3)
        r++;
    if (writes(x) == 3)
        r++;
    if (nowhere(x) == 3)
        r++;
    return r;
}

int crashing(int x)
{
    if (divides(x) == 20)
        return 1;
    return allocates(x) == 77;
}
"#;

struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let folder = std::env::temp_dir().join(format!("footpath-sample-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Scratch(folder)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("a file");
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn compile(args: &[&str], source: &Path, out: &Path) {
    let clang = footpath_driver::find_clang().expect("a clang");
    let status = Command::new(clang).args(args).arg(source).arg("-o").arg(out).status().expect("it starts");
    assert!(status.success());
}

fn analyse(scratch: &Scratch, library: &Path, functions: &[&str], sample: Option<Wanted>) -> Run {
    let options = Options {
        files: vec![scratch.file("user.c", SOURCE)],
        flags: vec![library.display().to_string()],
        functions: functions.iter().map(|&f| f.to_owned()).collect(),
        timeout: Duration::from_secs(20),
        out: scratch.0.join("out"),
        sample,
        ..Options::default()
    };
    run(&options, &AtomicBool::new(false), &|_| {}).expect("it compiles")
}

fn function<'r>(run: &'r Run, name: &str) -> &'r FunctionResult {
    run.functions.iter().find(|f| f.name == name).expect("the function")
}

/// How many blocks and branches of a function have no test.
fn uncovered(run: &Run, name: &str) -> usize {
    let places = function(run, name).objectives.iter();
    let places = places.filter(|o| !matches!(o.kind, ObjectiveKind::Check(_)));
    places.filter(|o| o.verdict != Verdict::Covered).count()
}

fn no_test_diverges(run: &Run) {
    for f in &run.functions {
        for test in &f.tests {
            assert_eq!(test.divergence, None, "{}: {}", f.name, test.inputs);
        }
    }
}

#[test]
fn what_depends_on_a_library_is_reached_by_tests_that_call_it() {
    let scratch = Scratch::new("reached");
    let library = scratch.0.join("libtried.so");
    compile(&["-shared", "-fPIC", "-O1"], &scratch.file("tried.c", LIBRARY), &library);
    let names = ["prime", "progression", "real", "widths", "inverted", "never", "beside"];
    let run = analyse(&scratch, &library, &names, Some(Wanted::All));
    no_test_diverges(&run);
    for name in ["prime", "progression", "real", "widths"] {
        assert_eq!(uncovered(&run, name), 0, "{name}: {:?}", function(&run, name).notes);
    }
    // A hash is not inverted, and nothing is claimed of that; nor of what no sample shows.
    for (name, open) in [("inverted", 2), ("never", 2)] {
        assert_eq!(uncovered(&run, name), open, "{name}");
    }
    for f in run.functions.iter().filter(|f| f.name != "beside") {
        let claimed = f.objectives.iter().filter(|o| !matches!(o.kind, ObjectiveKind::Check(_)));
        let claimed = claimed.filter(|o| !matches!(o.verdict, Verdict::Covered | Verdict::Unknown(_)));
        assert_eq!(claimed.count(), 0, "{} claims something of what the library does", f.name);
    }
    // What contradicts itself is unreachable whatever the library does.
    let dead = function(&run, "beside").objectives.iter().filter(|o| o.verdict == Verdict::Unreachable);
    assert!(dead.count() > 0);
    let prime = function(&run, "prime");
    let seen = prime.tests.iter().flat_map(|t| &t.sampled);
    assert!(seen.clone().any(|c| c.function == "is_prime" && c.result == "1"));
    let sampled: Vec<&str> = run.sampled.iter().map(|s| s.function.as_str()).collect();
    for name in ["is_prime", "scaled", "narrow", "mixed"] {
        assert!(sampled.contains(&name), "{sampled:?}");
    }
    let stubs = scratch.0.join("out").join("test_user_stubs.c");
    let stubs = std::fs::read_to_string(stubs).unwrap_or_default();
    assert!(!stubs.contains("is_prime"), "the test has the real function");
}

#[test]
fn functions_that_cannot_be_relied_on_are_stubs_as_before() {
    let scratch = Scratch::new("unreliable");
    let library = scratch.0.join("libtried.a");
    let object = scratch.0.join("tried.o");
    compile(&["-c", "-O1"], &scratch.file("tried.c", LIBRARY), &object);
    let archived = Command::new("ar").arg("rcs").arg(&library).arg(&object).status();
    assert!(archived.expect("ar starts").success());
    let run = analyse(&scratch, &library, &["others", "crashing"], Some(Wanted::All));
    no_test_diverges(&run);
    let said = |name: &str, why: &str| {
        let line = format!("`{name}` is not sampled: ");
        assert!(run.notes.iter().any(|n| n.starts_with(&line) && n.contains(why)), "{name}: {:?}", run.notes);
    };
    said("counts", "another result when it is called again");
    said("writes", "system calls other than for memory");
    said("nowhere", "no library");
    assert!(!Path::new("footpath-was-here").exists() && !scratch.0.join("footpath-was-here").exists());
    // One that crashes for some arguments and one that allocates memory are sampled.
    assert_eq!(uncovered(&run, "others") + uncovered(&run, "crashing"), 0);
    let sampled: Vec<&str> = run.sampled.iter().map(|s| s.function.as_str()).collect();
    assert!(sampled.contains(&"divides") && sampled.contains(&"allocates") && !sampled.contains(&"writes"));
}

#[test]
fn only_functions_that_are_named_are_sampled_and_none_by_default() {
    let scratch = Scratch::new("named");
    let library = scratch.0.join("libtried.so");
    compile(&["-shared", "-fPIC", "-O1"], &scratch.file("tried.c", LIBRARY), &library);
    let named = |names: &[&str]| Wanted::Named(names.iter().map(|&n| n.to_owned()).collect::<BTreeSet<_>>());
    let names = ["prime", "real"];
    let run = analyse(&scratch, &library, &names, Some(named(&["is_prime", "endless"])));
    let sampled: Vec<&str> = run.sampled.iter().map(|s| s.function.as_str()).collect();
    assert_eq!(sampled, ["is_prime"]);
    assert!(run.notes.iter().any(|n| n.starts_with("`endless` is not sampled")));
    let run = analyse(&scratch, &library, &names, None);
    assert!(run.sampled.is_empty());
    assert!(run.functions.iter().flat_map(|f| &f.tests).all(|t| t.sampled.is_empty()));
}
