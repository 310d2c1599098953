//! What is said of code behind accesses beyond an object, compared with what compiled programs do there.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// A folder of its own for each test.
fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("out_of_bounds").join(test);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder can be made");
    path
}

/// The lines of blocks that are called unreachable: those of which that rests on accesses, and the others.
fn unreachable(folder: &Path, source: &str, args: &[&str]) -> (BTreeSet<u64>, BTreeSet<u64>) {
    std::fs::write(folder.join("program.c"), source).expect("a file can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_footpath"))
        .args(["test", "program.c", "-o", "out", "--format", "json"])
        .args(args)
        .current_dir(folder)
        .output()
        .expect("footpath starts");
    let said = String::from_utf8_lossy(&output.stderr);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {said}"));
    let functions = report["functions"].as_array().expect("functions");
    let (mut resting, mut others) = (BTreeSet::new(), BTreeSet::new());
    for objective in functions.iter().flat_map(|f| f["objectives"].as_array().expect("objectives")) {
        if objective["kind"] == "block" && objective["verdict"] == "unreachable" {
            let line = objective["span"]["line"].as_u64().expect("a line");
            let assumes = objective["assumes"].as_array().expect("a list");
            if assumes.is_empty() {
                others.insert(line)
            } else {
                resting.insert(line)
            };
        }
    }
    (resting, others)
}

/// Random numbers, the same ones each time (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

/// A function that computes with variables and an array, and what it notes where it comes by: the line of each mark.
fn function(random: &mut Random, number: u32, text: &mut String) {
    let _ = writeln!(text, "int f{number}(int x, int i) {{\n    int y = 0, z = x;");
    for _ in 0..5 {
        let index = ["i", "y", "x & 3", "(i & 3) + 1"][random.below(4) as usize];
        let operand = ["x", "y", "z", "a[0]", "before", "behind"][random.below(6) as usize];
        let constant = random.below(5);
        let _ = match random.below(5) {
            0 => writeln!(text, "    y = a[{index}];"),
            1 => writeln!(text, "    a[{index}] = {operand};"),
            2 => writeln!(text, "    z = ({operand} & 3) + {constant};"),
            3 => writeln!(text, "    if ({operand} != {constant}) return y;"),
            _ => writeln!(text, "    before = {constant};"),
        };
        let relation = ["==", "<", ">"][random.below(3) as usize];
        let operand = ["x", "y", "z", "a[0]", "before", "behind"][random.below(6) as usize];
        let constant = random.below(5);
        let line = text.lines().count() + 2;
        let _ = writeln!(text, "    if ({operand} {relation} {constant})\n        mark({line});");
    }
    let _ = writeln!(text, "    return y + z;\n}}");
}

/// Functions of random statements, whose accesses go a little beyond their array, are run for many inputs: what is dead for
/// good is never executed.
#[test]
fn dead_code_of_random_functions_is_not_executed() {
    const FUNCTIONS: u32 = 24;
    let folder = folder("random");
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut text = "void mark(int line);
int pad1[64] = {1}, before = 1, a[4] = {1}, behind = 1, pad2[64] = {1};
"
    .to_owned();
    for number in 0..FUNCTIONS {
        function(&mut random, number, &mut text);
    }
    let (resting, others) = unreachable(&folder, &text, &["--timeout", "4", "--check", "bounds"]);
    let calls: String = (0..FUNCTIONS).fold(String::new(), |mut text, f| {
        let _ = writeln!(text, "        reset(i); f{f}(x, i);");
        text
    });
    let driver = format!(
        "#include <stdio.h>
#include \"program.c\"
static char marked[100000];
void mark(int line) {{ marked[line] = 1; }}
static void reset(int seed) {{
    for (int k = 0; k < 64; k++) pad1[k] = seed, pad2[k] = 0;
    for (int k = 0; k < 4; k++) a[k] = seed & 1 ? k : seed;
    before = seed; behind = seed + 1;
}}
int main(void) {{
    for (int x = -3; x < 9; x++) for (int i = -4; i < 9; i++) {{
{calls}    }}
    for (int line = 0; line < 100000; line++) if (marked[line]) printf(\"%d\\n\", line);
}}
"
    );
    std::fs::write(folder.join("driver.c"), driver).expect("a file can be written");
    let built =
        Command::new("clang").args(["-w", "-O0", "driver.c", "-o", "driver"]).current_dir(&folder).status();
    assert!(built.is_ok_and(|s| s.success()), "the driver builds");
    let output =
        Command::new("timeout").args(["10", "./driver"]).current_dir(&folder).output().expect("it runs");
    assert!(output.status.success(), "the driver ends by itself");
    let said = String::from_utf8_lossy(&output.stdout);
    let executed: BTreeSet<u64> = said.lines().filter_map(|l| l.parse().ok()).collect();
    assert!(executed.len() > 40, "much is executed: {}", executed.len());
    let wrong: Vec<&u64> = others.intersection(&executed).collect();
    assert!(wrong.is_empty(), "called dead for good, but executed: {wrong:?} in {}", folder.display());
    assert!(!others.is_empty() && !resting.is_empty(), "{others:?} {resting:?}");
}
