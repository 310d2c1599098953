//! The greybox fuzzer on small functions. It needs a clang.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use footpath_frontend::c::{self, Lowered};
use footpath_frontend::llvm;
use footpath_ir::interp::{Interpreter, Script};
use footpath_ir::source::{SourceFile, SourceMap};
use footpath_replay::{
    Compiler, FuzzError, FuzzOptions, Fuzzed, Fuzzer, Limits, Target, Unit, replaced_functions,
};
use footpath_term::Value;

/// Fuzzes the function `f` of a file, in a folder of its own.
fn fuzzed(name: &str, text: &str, options: FuzzOptions<'_>) -> Fuzzed {
    let [found] = fuzzed_together(name, text, ["f"], options);
    found.expect("it can be fuzzed")
}

/// Fuzzes functions of a file by one program, in a folder of its own.
fn fuzzed_together<const N: usize>(
    name: &str,
    text: &str,
    functions: [&str; N],
    options: FuzzOptions<'_>,
) -> [Result<Fuzzed, FuzzError>; N] {
    let folder: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("greybox_fuzzing").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let source = folder.join("tested.c");
    std::fs::write(&source, text).expect("a file can be written");
    let compiler = Compiler {
        program: "clang".to_owned(),
        flags: Vec::new(),
        folder: folder.clone(),
        headers: folder.clone(),
        keeps_names: false,
    };
    let lowered = lowered(&compiler, &source);
    let targets = functions.map(|name| {
        let function = lowered.functions.iter().find(|function| function.name == name).expect("it is there");
        Target { function: &function.name, harness: function.harness.as_ref().expect("a harness") }
    });
    let unit = Unit {
        lowered: &lowered,
        source: &source.display().to_string(),
        missing: &|name| {
            ["__footpath_", "footpath_callback_", "next_text"].iter().any(|own| name.starts_with(own))
        },
        library: None,
        replaced: &replaced_functions(&|_| false),
    };
    let fuzzer = Fuzzer::build(&compiler, (&folder, "tested"), unit, &targets).expect("it can be built");
    let interpreter = Interpreter::new(&lowered.program);
    targets.map(|target| {
        let subject = (target, &Script::default());
        fuzzer.run(&compiler, &folder, (&lowered, &interpreter), subject, options)
    })
}

fn lowered(compiler: &Compiler, source: &Path) -> Lowered {
    let made = source.with_extension("ll");
    let content = compiler.to_llvm(source, &made, true).expect("it compiles");
    let mut sources = SourceMap::new();
    let id = sources.add(SourceFile::new(made.display().to_string(), content));
    let (module, problems) = llvm::read(id, &sources);
    assert!(problems.is_empty(), "{problems:?}");
    c::lower(&[module], sources, &c::Options::default(), &|_| true).0
}

fn options(stop: &AtomicBool, runs: u64) -> FuzzOptions<'_> {
    let limits = Limits { time: Duration::from_secs(60), ..Limits::default() };
    FuzzOptions { seed: 7, runs, patience: 10_000_000, limits, stop }
}

/// Whether an input has a number.
fn has(script: &Script, number: u64) -> bool {
    script.entries.values().any(|value| value.as_u64() == Some(number))
}

static GOING: AtomicBool = AtomicBool::new(false);

#[test]
fn operands_of_comparisons_are_copied_and_distances_made_smaller() {
    let text = "#include <string.h>\n\
        int f(const unsigned char *s, unsigned n, long long m)\n{\n\
            if (!s || n != 305419896u)\n        return 0;\n\
            if (m * m - 6 * m != 40)\n        return 1;\n\
            return memcmp(s, \"key\", 3) == 0 ? 2 : 3;\n}\n";
    let found = fuzzed("magic", text, options(&GOING, 60_000));
    // A random number is this one in one run of four thousand millions.
    assert!(found.scripts.iter().any(|s| has(s, 305_419_896)), "{} runs", found.runs);
    let is_root = |s: &Script| has(s, 10) || has(s, 4_u64.wrapping_neg());
    assert!(found.scripts.iter().any(|s| has(s, 305_419_896) && is_root(s)), "{} runs", found.runs);
}

#[test]
fn words_among_the_constants_are_put_into_text() {
    // No comparison is of more than a letter.
    let text = "struct word { int kind; char text[12]; };\n\
        static const struct word words[] = {{1, \"gamma\"}, {2, \"epsilon\"}, {3, \"omicron\"}};\n\
        static unsigned steps;\n\
        static int has(const char *s, const char *word)\n{\n\
            for (; *s; s++) {\n        unsigned k = 0, same = 1;\n\
                for (; word[k] && s[k]; k++)\n            same &= s[k] == word[k];\n\
                if (same && !word[k])\n            return 1;\n    }\n    return 0;\n}\n\
        int f(const char *s, unsigned n)\n{\n\
            int found = 0;\n    for (int i = 0; s && i < 3; i++)\n        found += has(s, words[i].text);\n\
            if (found == 3 && has(s, \"sigma\") && n == 305419896u)\n        return 1;\n    return 0;\n}\n";
    let long = FuzzOptions { patience: 1_000_000_000, ..options(&GOING, 100_000) };
    let found = fuzzed("dictionary", text, long);
    // Only where all words stand is this number compared with anything.
    assert!(found.scripts.iter().any(|s| has(s, 305_419_896)), "{} runs", found.runs);
}

#[test]
fn what_other_inputs_reach_needs_no_input_of_its_own() {
    let numbers = [1_001_001, 2_002_002, 3_003_003, 4_004_004, 5_005_005];
    let cases =
        numbers.map(|number| format!("        if (all[i] == {number}u)\n            n++;\n")).concat();
    let text = format!(
        "int f(unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, unsigned g, unsigned h)\n{{\n\
             int n = 0;\n    unsigned all[] = {{a, b, c, d, e, g, h}};\n\
             for (int i = 0; i < 7; i++) {{\n{cases}    }}\n    return n;\n}}\n"
    );
    let found = fuzzed("minimised", &text, options(&GOING, 60_000));
    for number in numbers {
        assert!(found.scripts.iter().any(|s| has(s, number)), "{number} after {} runs", found.runs);
    }
    // The first input has none of them. It was new, and reaches nothing that others do not.
    assert!(found.scripts.len() <= numbers.len(), "{} inputs are more than are needed", found.scripts.len());
}

#[test]
fn variables_begin_as_they_are_in_the_program() {
    let text = "#include <stdlib.h>\n\
        static struct { void *(*make)(size_t); } hooks = {malloc};\n\
        void set(void *(*make)(size_t))\n{\n    hooks.make = make;\n}\n\
        static int unit = 2;\n\
        void set_unit(void)\n{\n    unit = 3;\n}\n\
        int f(int n)\n{\n    int sum = 0;\n    for (int i = 0; i < n % 8; i++)\n        sum += unit;\n\
            char *room = hooks.make(1000);\n    if (!room)\n        return -1;\n    room[999] = 1;\n\
            if (sum == 6 && room[999] == 1)\n        return 0;\n    return 1;\n}\n";
    let found = fuzzed("initial_values", text, options(&GOING, 20_000));
    // Behind the call, where no other function than the first one leads.
    assert!(found.scripts.len() > 1, "{} scripts after {} runs", found.scripts.len(), found.runs);
    for script in &found.scripts {
        let is_unit = |value: &Value| matches!(value.as_u64(), Some(2 | 3));
        assert!(script.entries.values().any(is_unit), "{script:?}");
    }
}

#[test]
fn what_the_world_answers_is_an_input_and_no_crash_of_the_fuzzer() {
    // The models of the library ask this function, also where the fuzzer itself calls a function that has one.
    let text = "int __footpath_any_int(void);\nvolatile int seen;\n\
        int f(unsigned n)\n{\n\
            if (n != 305419896u)\n        return 0;\n\
            if (__footpath_any_int() == 271828182)\n        seen = 1;\n    return 1;\n}\n";
    let found = fuzzed("world", text, options(&GOING, 60_000));
    let behind_the_first = found.scripts.iter().filter(|s| has(s, 305_419_896)).count();
    assert!(
        behind_the_first >= 2,
        "both arms of the second condition, not {behind_the_first}; {} runs",
        found.runs
    );
}

#[test]
fn what_external_functions_write_into_locals_is_an_input() {
    let text = "int next_text(char *to);\nint f(int n)\n{\n    char line[100];\n\
            if (n != 7 || next_text(line) < 0)\n        return 0;\n\
            return line[0] == 'k' && line[1] == 'e' && line[2] == 'y' && line[3] == 0;\n}\n";
    let found = fuzzed("written", text, options(&GOING, 60_000));
    let is_text = |s: &&Script| {
        let has = |value: &Value| matches!(value, Value::BitVec { width: 512, bits } if bits.to_bytes_le().starts_with(b"key"));
        s.havocs.iter().any(has)
    };
    assert!(found.scripts.iter().any(|s| is_text(&s)), "{} runs", found.runs);
}

#[test]
fn a_seed_finds_the_same_each_time() {
    let text = "int f(const char *s, int n, double x)\n{\n\
            int sum = 0;\n    while (s && *s)\n        sum = sum * 3 + *s++;\n\
            if (sum % 91 == n)\n        return 1;\n    if (x > 2.5 && x < 2.75)\n        return 2;\n\
            return sum > 4000 ? 3 : 0;\n}\n";
    let [first, second] = ["once", "again"].map(|name| fuzzed(name, text, options(&GOING, 30_000)));
    assert!(first.scripts.len() > 3, "{}", first.scripts.len());
    assert_eq!((first.runs, first.scripts), (second.runs, second.scripts));
    let other = FuzzOptions { seed: 8, ..options(&GOING, 30_000) };
    assert_ne!(fuzzed("other", text, other).scripts.len(), 0);
}

#[test]
fn runs_that_crash_hang_or_write_everywhere_cost_only_themselves() {
    let text = "char table[16];\n\
        static int down(int n)\n{\n    volatile char room[1000];\n\
            room[0] = n;\n    return n ? down(n + 1) + room[0] : 0;\n}\n\
        int f(int how, unsigned n)\n{\n\
            if (how == 1)\n        __builtin_trap();\n\
            if (how == 2)\n        for (;;)\n            table[0]++;\n\
            if (how == 3)\n        for (volatile char *p = table;; p++)\n            *p = 1;\n\
            if (how == 4)\n        for (volatile char *p = table;; p--)\n            *p = 1;\n\
            if (how == 5)\n        for (volatile char *p = (char *)&how;; p++)\n            *p = 1;\n\
            if (how == 6)\n        down(6);\n\
            if (how == 77 && n == 305419896u)\n        return 2;\n\
            return 1;\n}\n";
    for seed in 1..=4 {
        let found = fuzzed("spoiling", text, FuzzOptions { seed, ..options(&GOING, 40_000) });
        for how in 1..=6 {
            assert!(found.scripts.iter().any(|s| has(s, how)), "{how} with seed {seed}");
        }
        let is_found = found.scripts.iter().any(|s| has(s, 77) && has(s, 305_419_896));
        assert!(is_found, "{} runs with seed {seed}", found.runs);
    }
}

#[test]
fn a_run_that_waits_is_ended_and_so_is_the_process() {
    let text = "unsigned sleep(unsigned);\nint f(int n)\n{\n    if (n < 1000000)\n        sleep(1000);\n    return n;\n}\n";
    let started = Instant::now();
    let limits = Limits { time: Duration::from_secs(2), ..Limits::default() };
    let found = fuzzed("waiting", text, FuzzOptions { limits, ..options(&GOING, 1_000_000) });
    assert!(found.runs > 1, "{}", found.runs);
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
    let stop = AtomicBool::new(true);
    let stopped = fuzzed("stopped", text, options(&stop, 1_000_000));
    assert!(stopped.runs < 100, "{}", stopped.runs);
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
}

#[test]
fn pointers_that_are_compared_are_in_one_object() {
    let text = "int f(unsigned char **p, const unsigned char *end)\n{\n\
            if (end - *p < 4)\n        return 0;\n\
            unsigned n = (*p)[0] << 24 | (*p)[1] << 16 | (*p)[2] << 8 | (*p)[3];\n\
            *p += 4;\n    return n == 305419896u ? 2 : 1;\n}\n";
    let found = fuzzed("end", text, options(&GOING, 60_000));
    let interpreted = found.scripts.iter().map(|s| format!("{s:?}"));
    assert!(found.scripts.len() > 2, "{:?}", interpreted.collect::<Vec<_>>());
}

#[test]
fn functions_of_a_file_are_fuzzed_by_one_program() {
    let text = "static int seen;\n\
        int f(unsigned n)\n{\n    seen++;\n    return n == 305419896u ? 2 : seen;\n}\n\
        int g(const char *s)\n{\n    return s && s[0] == 'k' && s[1] == 'e' && seen == 0 ? 2 : 1;\n}\n\
        int h(int x)\n{\n    return x;\n}\n";
    let found = fuzzed_together("together", text, ["f", "g", "h"], options(&GOING, 60_000));
    let [of_f, of_g, of_h] = found.map(|found| found.expect("it can be fuzzed"));
    assert!(of_f.scripts.iter().any(|s| has(s, 305_419_896)), "{} runs", of_f.runs);
    assert!(of_g.scripts.len() > 3, "each condition both ways; {} runs", of_g.runs);
    // It ends when all that the function itself may reach is reached.
    assert!(of_h.runs < 10 && of_g.runs < 60_000, "{} and {} runs", of_h.runs, of_g.runs);
}

#[test]
fn a_file_with_many_variables_is_fuzzed_function_by_function() {
    let text = "#define WITH_TABLE(f) static char table_##f[12000]; int f(unsigned n) { \\\n\
        if (n == 305419896u)\\\n            return 2;\\\n        return table_##f[n % 1000]++; }\n\
        WITH_TABLE(f) WITH_TABLE(g) WITH_TABLE(h) WITH_TABLE(i) WITH_TABLE(j) WITH_TABLE(k)\n";
    let all = ["f", "g", "h", "i", "j", "k"];
    let together = fuzzed_together("many_variables", text, all, options(&GOING, 60_000));
    assert!(together.iter().all(|found| matches!(found, Err(FuzzError::TooManyVariables))), "{together:?}");
    let alone = fuzzed("few_variables", text, options(&GOING, 60_000));
    assert!(alone.scripts.iter().any(|s| has(s, 305_419_896)), "{} runs", alone.runs);
}
