//! Mutation testing of emitted tests: functions are broken in small ways, and the tests should notice.
//!
//! **Idea.** Footpath writes tests for a C file. Then one token of the file is changed, the tests are built with the changed
//! file and run: a mutant is *killed* if one of them fails that passed before. What is changed are operators (`+` and `-`, `<` and `<=`, `&&` and `||` …), whole numbers (`n` and `n + 1`), and statements, which are
//! left out.
//!
//! A test can only notice what its inputs lead to. So mutants are counted out of those that *any* test with the same inputs
//! could kill: all that could be seen of a test is observed (`mutants/observer.c`): the bytes of the result, of each object
//! on the heap, of all variables of the program, the arguments of calls of external functions, and how it ends. If that is
//! the same in all tests, the mutant is *equivalent here*.
//!
//! **Paper.** R. DeMillo, R. Lipton, F. Sayward (IEEE Computer 1978), *Hints on test data selection*.
//!
//! **Direction of error.** Towards a lower score: padding, what a function left of uninitialised memory, and addresses count
//! as seen, although no test may expect them.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;

const USAGE: &str = "\
usage: cargo xtask mutants [OPTION]… [FILE]…

Writes tests for C files, breaks the files in small ways, and counts how many of the changes the tests notice, out of
those that tests with the same inputs can notice. Without a FILE: all of examples/c.

  --count N        how many mutants of each file at most (default: 12)
  --footpath FILE  the program that writes the tests (default: target/debug/footpath)
  --least N        exit code 1 if less than N per cent are killed (default: 0)
  --verbose        names the mutants that survive

Needs clang and make.
";

const OBSERVER: &str = include_str!("mutants/observer.c");

/// What an operator is replaced by.
const OPERATORS: &[(&str, &str)] = &[
    ("+", "-"),
    ("-", "+"),
    ("*", "/"),
    ("/", "*"),
    ("%", "*"),
    ("<", "<="),
    ("<=", "<"),
    (">", ">="),
    (">=", ">"),
    ("==", "!="),
    ("!=", "=="),
    ("&&", "||"),
    ("||", "&&"),
    ("&", "|"),
    ("|", "&"),
    ("<<", ">>"),
    (">>", "<<"),
    ("++", "--"),
    ("--", "++"),
    ("+=", "-="),
    ("-=", "+="),
];

struct Options {
    count: usize,
    footpath: PathBuf,
    least: f64,
    verbose: bool,
    files: Vec<PathBuf>,
}

/// A change of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Mutant {
    /// The bytes that are replaced.
    from: usize,
    end: usize,
    /// What they are replaced by.
    by: String,
}

#[derive(Default)]
struct Score {
    killed: usize,
    survived: usize,
    equivalent: usize,
    /// Those that do not compile.
    left_out: usize,
}

/// Breaks files, and prints how much of it is noticed.
pub fn run(root: &Path, args: &[&str]) -> Outcome {
    if args.iter().any(|arg| matches!(*arg, "--help" | "-h")) {
        print!("{USAGE}");
        return Ok(true);
    }
    let options = parse(root, args)?;
    let mut all = Score::default();
    for file in &options.files {
        let score = of_file(root, &options, file)?;
        println!("{}: {}", file.display(), describe(&score));
        all.killed += score.killed;
        all.survived += score.survived;
        all.equivalent += score.equivalent;
        all.left_out += score.left_out;
    }
    println!("total: {}", describe(&all));
    Ok(percent(&all) >= options.least)
}

fn parse(root: &Path, args: &[&str]) -> Result<Options, String> {
    let mut options = Options {
        count: 12,
        footpath: root.join("target/debug/footpath"),
        least: 0.0,
        verbose: false,
        files: Vec::new(),
    };
    let mut args = args.iter();
    while let Some(&arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg} wants a value\n\n{USAGE}"));
        let wrong = |_| format!("{arg} wants a number\n\n{USAGE}");
        match arg {
            "--count" => options.count = value()?.parse().map_err(wrong)?,
            "--least" => options.least = f64::from(value()?.parse::<u32>().map_err(wrong)?),
            "--footpath" => options.footpath = PathBuf::from(value()?),
            "--verbose" => options.verbose = true,
            _ if arg.starts_with('-') => return Err(format!("unknown option: {arg}\n\n{USAGE}")),
            _ => options.files.push(PathBuf::from(arg)),
        }
    }
    if options.files.is_empty() {
        let listed = std::fs::read_dir(root.join("examples/c")).map_err(|e| format!("examples/c: {e}"))?;
        let paths = listed.filter_map(|entry| Some(entry.ok()?.path()));
        options.files = paths.filter(|path| path.extension().is_some_and(|e| e == "c")).collect();
        options.files.sort();
    }
    Ok(options)
}

fn percent(score: &Score) -> f64 {
    let possible = score.killed + score.survived;
    if possible == 0 { 100.0 } else { 100.0 * score.killed as f64 / possible as f64 }
}

fn describe(score: &Score) -> String {
    let possible = score.killed + score.survived;
    format!(
        "{} of {possible} killed ({:.0} %), {} equivalent on these inputs, {} not built",
        score.killed,
        percent(score),
        score.equivalent,
        score.left_out
    )
}

fn of_file(root: &Path, options: &Options, file: &Path) -> Result<Score, String> {
    let explain = |error: std::io::Error| format!("{}: {error}", file.display());
    let text = std::fs::read_to_string(file).map_err(explain)?;
    let source = std::fs::canonicalize(file).map_err(explain)?;
    let folder = root.join("target/tmp/mutants").join(file.file_stem().unwrap_or_default());
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let made = Command::new(&options.footpath)
        .args(["test", "--no-store", "-o"])
        .args([&folder, &source])
        .output()
        .map_err(|e| format!("{} cannot be started: {e}", options.footpath.display()))?;
    if !made.status.success() {
        let said = String::from_utf8_lossy(&made.stderr);
        return Err(format!("{}: no tests are written: {}", file.display(), said.trim()));
    }
    let suite = Suite { folder, source, name: file_stem(file) };
    suite.prepare()?;
    let mutants = chosen(mutants(&text), options.count);
    let mut score = Score::default();
    let before = suite.observe(&text)?;
    for mutant in &mutants {
        let mutated = [&text[..mutant.from], &mutant.by, &text[mutant.end..]].concat();
        let after = suite.observe(&mutated)?;
        let (Some(before), Some(after)) = (&before, after) else {
            score.left_out += 1;
            continue;
        };
        // What did not pass before cannot tell.
        let told = || before.iter().zip(&after).filter(|(before, _)| before.starts_with("passed"));
        if told().any(|(_, after)| after.starts_with("failed")) {
            score.killed += 1;
        } else if told().any(|(before, after)| before != after) {
            score.survived += 1;
            if options.verbose {
                let line = text[..mutant.from].matches('\n').count() + 1;
                let from = text[mutant.from..mutant.end].trim();
                println!("  survives: {}:{line}: `{from}` becomes `{}`", file.display(), mutant.by);
            }
        } else {
            score.equivalent += 1;
        }
    }
    Ok(score)
}

fn file_stem(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The tests of a file.
struct Suite {
    folder: PathBuf,
    source: PathBuf,
    name: String,
}

impl Suite {
    /// Compiles what all tests share.
    fn prepare(&self) -> Result<(), String> {
        let path = self.folder.join("observer.c");
        std::fs::write(&path, OBSERVER).map_err(|e| format!("{}: {e}", path.display()))?;
        let built = Command::new("clang")
            .current_dir(&self.folder)
            .args(["-w", "-O0", "-fno-pie", "-c", "observer.c", "footpath_world.c"])
            .output()
            .map_err(|e| format!("clang cannot be started: {e}"))?;
        let said = String::from_utf8_lossy(&built.stderr);
        if built.status.success() { Ok(()) } else { Err(format!("the observer does not compile: {said}")) }
    }

    /// What is seen of each test, if the source has this text: `None` if they cannot be built, or there are none.
    fn observe(&self, text: &str) -> Result<Option<Vec<String>>, String> {
        let program = format!("test_{}", self.name);
        let Ok(tests) = std::fs::read_to_string(self.folder.join(format!("{program}.c"))) else {
            return Ok(None);
        };
        let explain = |e: std::io::Error| format!("{}: {e}", self.folder.display());
        let mutant = self.folder.join("mutant_of_the_source.c");
        std::fs::write(&mutant, text).map_err(explain)?;
        let source = self.source.file_name().unwrap_or_default().to_string_lossy();
        let includes = |line: &str| {
            line.starts_with("#include") && line.trim_end_matches(['"', '>']).ends_with(&*source)
        };
        let mut changed = "void footpath_observe(const volatile void *, __SIZE_TYPE__);\n".to_owned();
        for line in tests.lines() {
            changed.push_str(if includes(line) { "#include \"mutant_of_the_source.c\"" } else { line });
            changed.push('\n');
            // Addresses of results are no result.
            if line.contains(" footpath_result = ") && !line.contains('*') {
                changed.push_str("footpath_observe(&footpath_result, sizeof footpath_result);\n");
            }
        }
        std::fs::write(self.folder.join("observed.c"), changed).map_err(explain)?;
        let stubs = format!("{program}_stubs.c");
        let stubs = self.folder.join(&stubs).exists().then_some(stubs);
        let beside = self.source.parent().unwrap_or(Path::new("."));
        let built = Command::new("clang")
            .current_dir(&self.folder)
            .args(["-w", "-O0", "-DFOOTPATH", "-idirafter", ".", "-no-pie", "-iquote"])
            .arg(beside)
            .args(["-o", "observed", "observed.c", "observer.o", "footpath_world.o"])
            .args(stubs)
            .args(["-Wl,@footpath_replaced.txt", "-Wl,--wrap=free", "-lm"])
            .output()
            .map_err(|e| format!("clang cannot be started: {e}"))?;
        if !built.status.success() {
            return Ok(None);
        }
        // Addresses are the same in each run.
        let ran = Command::new("setarch").args(["-R", "./observed"]).current_dir(&self.folder).output();
        let ran = ran.map_err(|e| format!("setarch cannot be started: {e}"))?;
        let said = String::from_utf8_lossy(&ran.stdout);
        let is_ours = |line: &&str| ["passed ", "failed ", "open "].iter().any(|word| line.starts_with(word));
        let seen: Vec<String> = said.lines().filter(is_ours).map(str::to_owned).collect();
        if seen.is_empty() { Err(format!("{program}: nothing is seen of its tests")) } else { Ok(Some(seen)) }
    }
}

/// As many as are wanted, from the whole file.
fn chosen(all: Vec<Mutant>, count: usize) -> Vec<Mutant> {
    let total = all.len();
    if total <= count {
        return all;
    }
    (0..count).map(|i| all[i * total / count].clone()).collect()
}

/// A token of C: where it begins and ends.
type Token = (usize, usize);

/// The tokens of a text without comments and preprocessor lines.
fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let rest = &text[at..];
        let is_at_start = || text[..at].trim_end_matches([' ', '\t']).ends_with('\n') || at == 0;
        let until = |end: &str| rest.find(end).map_or(rest.len(), |i| i + end.len());
        let length = match bytes[at] {
            c if c.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'/' if rest.starts_with("/*") => {
                at += 2 + rest[2..].find("*/").map_or(rest.len() - 2, |i| i + 2);
                continue;
            }
            b'/' if rest.starts_with("//") => {
                at += until("\n");
                continue;
            }
            b'#' if is_at_start() => {
                let mut end = until("\n");
                while rest[..end].trim_end_matches('\n').ends_with('\\') && end < rest.len() {
                    end += rest[end..].find('\n').map_or(rest.len() - end, |i| i + 1);
                }
                at += end;
                continue;
            }
            quote @ (b'"' | b'\'') => {
                let mut end = 1;
                while end < rest.len() && rest.as_bytes()[end] != quote {
                    end += if rest.as_bytes()[end] == b'\\' { 2 } else { 1 };
                }
                (end + 1).min(rest.len())
            }
            c if c.is_ascii_alphanumeric() || c == b'_' => {
                rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '.').unwrap_or(rest.len())
            }
            _ => {
                let three = ["<<=", ">>=", "..."];
                let two = ["->", "*=", "/=", "%=", "&=", "|=", "^="];
                let operator = OPERATORS.iter().map(|(operator, _)| *operator).filter(|o| o.len() == 2);
                let of = |list: &[&str]| list.iter().any(|o| rest.starts_with(o));
                let is_two = of(&two) || operator.clone().any(|o| rest.starts_with(o));
                match (of(&three), is_two) {
                    (true, _) => 3,
                    (_, true) => 2,
                    _ => rest.chars().next().map_or(1, char::len_utf8),
                }
            }
        };
        found.push((at, at + length));
        at += length;
    }
    found
}

/// All changes of the bodies of functions.
fn mutants(text: &str) -> Vec<Mutant> {
    let tokens = tokens(text);
    let word = |i: usize| tokens.get(i).map_or("", |&(from, end)| &text[from..end]);
    let is_name = |i: usize| word(i).starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let (mut found, mut depth, mut parentheses) = (Vec::new(), 0u32, 0u32);
    let (mut is_function, mut is_named) = (false, false);
    for i in 0..tokens.len() {
        match word(i) {
            "{" => {
                if depth == 0 {
                    is_function = i > 0 && word(i - 1) == ")" && std::mem::take(&mut is_named);
                }
                depth += 1;
            }
            "}" => depth = depth.saturating_sub(1),
            "(" => {
                is_named |= depth == 0 && parentheses == 0 && i > 0 && is_name(i - 1);
                parentheses += 1;
            }
            ")" => parentheses = parentheses.saturating_sub(1),
            _ => {}
        }
        if !is_function || depth == 0 {
            continue;
        }
        let (from, end) = tokens[i];
        let mut add = |from, end, by: String| found.push(Mutant { from, end, by });
        let ends_value = |word: &str| word.ends_with(|c: char| c.is_ascii_digit() || ")]".contains(c));
        let is_binary = i > 0 && word(i - 1) != "return" && (is_name(i - 1) || ends_value(word(i - 1)));
        if let Some((_, by)) = OPERATORS.iter().find(|(operator, _)| *operator == word(i))
            && (is_binary || matches!(word(i), "++" | "--"))
        {
            add(from, end, (*by).to_owned());
        }
        if let Ok(number) = word(i).parse::<u64>() {
            add(from, end, (number + 1).to_string());
        }
        let begins = i > 0 && parentheses == 0 && matches!(word(i - 1), ";" | "{" | "}" | ")" | "else");
        let last = (i..tokens.len()).find(|&k| matches!(word(k), ";" | "{" | "}"));
        if let Some(last) = last.filter(|&k| begins && word(k) == ";" && k > i) {
            let assigns =
                (i..last).any(|k| word(k).ends_with('=') && !matches!(word(k), "==" | "!=" | "<=" | ">="));
            let is_call = is_name(i)
                && word(i + 1) == "("
                && !matches!(word(i), "if" | "while" | "for" | "switch" | "return");
            let is_declaration = is_name(i) && (is_name(i + 1) || word(i + 1) == "*");
            let steps = (i..last).any(|k| matches!(word(k), "++" | "--"));
            let is_control =
                matches!(word(i), "if" | "while" | "for" | "switch" | "return" | "do" | "else" | "case");
            if (assigns || is_call || steps) && !is_declaration && !is_control {
                add(from, tokens[last].0, String::new());
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(text: &str) -> Vec<String> {
        mutants(text).iter().map(|m| [&text[..m.from], "[", &m.by, "]", &text[m.end..]].concat()).collect()
    }

    #[test]
    fn operators_numbers_and_statements_are_changed_inside_functions() {
        let text = "int a = 1;\nint f(int *p) { /* 1 + 2 */ *p = 3; return *p < a; }\n";
        let all = changed(text);
        assert_eq!(
            all,
            [
                "int a = 1;\nint f(int *p) { /* 1 + 2 */ []; return *p < a; }\n",
                "int a = 1;\nint f(int *p) { /* 1 + 2 */ *p = [4]; return *p < a; }\n",
                "int a = 1;\nint f(int *p) { /* 1 + 2 */ *p = 3; return *p [<=] a; }\n",
            ]
        );
    }

    #[test]
    fn texts_and_directives_are_left_alone() {
        assert!(changed("#define A(x) { x + 1; }\nchar *f(void) { return \"a + 1\"; }\n").is_empty());
    }

    #[test]
    fn a_few_are_taken_from_everywhere() {
        let one = |from| Mutant { from, end: from, by: String::new() };
        let some = chosen((0..10).map(one).collect(), 3);
        assert_eq!(some.iter().map(|m| m.from).collect::<Vec<_>>(), [0, 3, 6]);
        assert_eq!(chosen((0..2).map(one).collect(), 3).len(), 2);
    }
}
