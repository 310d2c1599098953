//! No verdict on C is contradicted by a run.
//!
//! Random C functions, which index arrays, divide, shift, follow pointers and allocate, rightly and wrongly, are verified with
//! nothing assumed and with everything, and then called as tests are: on random inputs and on those that a
//! concolic search finds. Every run is classified by the oracle, which evaluates premises on the run itself; a check
//! that fails although its premise holds is a contradiction. Functions over arrays with their lengths are a family of their
//! own, for two machines, and so are those that follow pointers in memory around calls that make and free objects, and those
//! that walk through texts. Needs a clang.
//!
//! `FOOTPATH_PROGRAMS` says how many files of functions there are, `FOOTPATH_SEED` asks for a single one.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::support::{lowered_for, verified};
use fastrand::Rng;
use footpath_concolic as concolic;
use footpath_concolic::{Bounds, Keep};
use footpath_frontend::c;
use footpath_ir::interp::{Limits, RandomOracle, Script, run};
use footpath_ir::{ProcId, Program};
use footpath_verify::{AssumptionKind, Options, RunClass, RunOracle, Verdict};

const HEAD: &str = "\
#include <stdlib.h>
#include <assert.h>
int table[6];
struct cell { int value; struct cell *next; };
static int helper(int *t, int m)
{
    int s = 0;
    for (int i = 0; i < m; i++)
        s ^= t[i];
    return s;
}
";

struct Writer {
    rng: Rng,
    text: String,
}

impl Writer {
    fn file(seed: u64, functions: u32) -> String {
        let mut w = Writer { rng: Rng::with_seed(seed), text: HEAD.to_owned() };
        for number in 0..functions {
            let _ = writeln!(
                w.text,
                "int f{number}(int n, unsigned k, int *p, char c, struct cell *l, double x)\n{{\n\
                 int a[6] = {{ 0 }}, i = 0, j = 0, s = 0, found = 0; int *q = 0; double d = 1;"
            );
            w.block(2);
            w.text.push_str("return s + found;\n}\n");
        }
        w.text
    }

    fn pick(&mut self, items: &[&'static str]) -> &'static str {
        items[self.rng.usize(..items.len())]
    }

    fn block(&mut self, depth: u32) {
        for _ in 0..self.rng.u32(1..=3) {
            let line = self.statement(depth);
            let _ = writeln!(self.text, "{line}");
        }
    }

    fn index(&mut self) -> &'static str {
        self.pick(&[
            "i", "j", "n", "c", "k", "3", "i - 1", "k % 6", "n & 3", "i + 1", "5 - i", "n % 6", "s & 7",
        ])
    }

    fn number(&mut self) -> &'static str {
        self.pick(&["n", "s", "c", "i", "1", "7", "(int)k", "a[2]", "table[1]", "found"])
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.number(), self.number());
        match self.rng.u8(..6) {
            0 => "p".to_owned(),
            1 => "found".to_owned(),
            2 => "k < 6".to_owned(),
            3 => "n >= 0 && n < 6".to_owned(),
            _ => format!("{a} {} {b}", self.pick(&["<", "<=", "==", "!=", ">"])),
        }
    }

    fn statement(&mut self, depth: u32) -> String {
        let (index, number, other) = (self.index(), self.number(), self.number());
        match self.rng.u8(..if depth > 0 { 21 } else { 14 }) {
            0 | 1 => format!("a[{index}] = {number};"),
            2 | 3 => format!("s ^= a[{index}];"),
            4 => format!("table[{index}] = {number};"),
            5 => format!("s = {number} {} {other};", self.pick(&["+", "-", "*"])),
            6 => format!(
                "s = {number} {} {};",
                self.pick(&["/", "%"]),
                self.pick(&["n", "2", "(n & 3) + 1", "c"])
            ),
            7 => format!("s = 1 << {};", self.pick(&["(k & 7)", "n", "c", "k"])),
            8 => format!("if (p) s ^= *p; else {};", self.pick(&["s = 1", "s ^= p[1]", "s = *p"])),
            9 => format!("*p = {number};"),
            10 => format!("if (l) s ^= l->value; {}", self.pick(&["", "if (l->next) s ^= l->next->value;"])),
            11 => {
                let condition = self.condition();
                format!("assert({condition} || {});", self.pick(&["s < 100", "i <= 6", "n", "0"]))
            }
            12 => format!(
                "s ^= helper({}, {});",
                self.pick(&["a", "table", "p"]),
                self.pick(&["6", "5", "7", "n"])
            ),
            13 if self.rng.bool() => self
                .pick(&[
                    "d = x * 0.5;",
                    "d = d + 0.1;",
                    "d = (double)n / 4;",
                    "if (d >= 0 && d < 6) s ^= a[(int)d];",
                    "if (d >= 0 && d <= 6) s ^= a[(int)d];",
                    "if (x > d) d = x;",
                    "assert(d <= 1e6 || x > 3);",
                    "if (x >= -2 && x <= 3) assert(x * x <= 9);",
                    "if (x >= -2 && x <= 3) assert((float)x != 3);",
                    "for (d = 0; d < 1; d += 0.25) s ^= a[(int)(4 * d)];",
                ])
                .to_owned(),
            13 => format!("found = {};", self.pick(&["0", "1", "n > 3", "k == 2"])),
            14 | 15 => {
                let bound = self.pick(&["6", "5", "7", "n", "c", "(int)(k % 7)", "6 && a[i] == 0"]);
                let step = self.pick(&["i++", "i++", "i += 2"]);
                self.nested(depth, &format!("for (i = 0; i < {bound}; {step}) {{"), "}")
            }
            16 => self.nested(depth, "for (j = 5; j >= 0; j--) {", "}"),
            17 => {
                let count = self.pick(&["k", "4", "k % 8"]);
                let head = format!("q = malloc({count} * sizeof *q); if (q) {{ q[{index}] = {number};");
                self.nested(depth, &head, "free(q); }")
            }
            18 => self.nested(depth, "while (n > 0) {", "n = n / 2; }"),
            _ => {
                let condition = self.condition();
                let head = format!("if ({condition}) {{");
                let opened = self.nested(depth, &head, "} else {");
                self.nested(depth, &opened, "}")
            }
        }
    }

    /// Statements between two lines.
    fn nested(&mut self, depth: u32, head: &str, end: &str) -> String {
        let before = std::mem::take(&mut self.text);
        self.block(depth - 1);
        let inner = std::mem::replace(&mut self.text, before);
        format!("{head}\n{inner}{end}")
    }
}

/// Inputs that a short search finds.
fn searched(program: &Program, root: ProcId, seed: u64) -> Vec<Script> {
    // No bound on time: what is tested must not depend on what else the machine does.
    let bounds = Bounds { runs: 30, nodes: 2_000, steps: 3_000, ..Bounds::default() };
    let options = concolic::Options { bounds, seed, keep: Keep::All, ..concolic::Options::default() };
    let found = concolic::explore(program, root, 0, &options, &AtomicBool::new(false), &|_| {});
    found.map(|f| f.tests.into_iter().map(|t| t.script).collect()).unwrap_or_default()
}

#[derive(Default, Debug)]
struct Count {
    verified: usize,
    under: usize,
    /// Assumptions of premises, that an array is as long as it is said to be.
    lengths: usize,
    /// That a pointer in memory leads to what it is taken for.
    pointers: usize,
    /// That a text ends.
    strings: usize,
    /// That a call leaves alive what is used behind it.
    kept: usize,
    open: usize,
    runs: usize,
    failing: usize,
    successful: usize,
    redundant: usize,
}

/// Functions in a file.
const FUNCTIONS: u32 = 8;

fn check_file(name: &str, text: &str, flags: &[&str], seed: u64, count: &mut Count) {
    let lowered = lowered_for(&format!("{name}-{seed}"), text, flags, &c::Options::default());
    let solver = seed.is_multiple_of(4).then_some(Duration::from_secs(2));
    let options = |assume| Options {
        assume,
        solver,
        runs: 15,
        time: Some(Duration::from_secs(60)),
        ..Options::default()
    };
    let sound = verified(&lowered, &options(BTreeSet::new()));
    let all = verified(&lowered, &options(AssumptionKind::ALL.iter().copied().collect()));
    for check in all.bodies.iter().flat_map(|b| &b.checks) {
        *match check.verdict {
            Verdict::Verified => &mut count.verified,
            Verdict::VerifiedUnder(_) => &mut count.under,
            _ => &mut count.open,
        } += 1;
    }
    let assumed = |kind| {
        let all = all.bodies.iter().flat_map(|b| &b.assumptions);
        all.filter(|a| a.site.kind == kind).count()
    };
    count.lengths += assumed(AssumptionKind::ParameterLengths);
    count.pointers += assumed(AssumptionKind::ValidPointers);
    count.kept += assumed(AssumptionKind::CalleesKeep);
    count.strings += assumed(AssumptionKind::TerminatedStrings);
    let oracles = [RunOracle::new(&sound), RunOracle::new(&all)];
    let interpreters = oracles.each_ref().map(RunOracle::interpreter);
    let program = &lowered.program;
    let limits = Limits { steps: 5_000, ..Limits::default() };
    let mut random = RandomOracle::new(program, seed);
    for function in &lowered.functions {
        let Ok(harness) = &function.harness else { continue };
        let root = harness.procedure;
        let mut scripts: Vec<Script> = (0..5)
            .map(|_| {
                run(program, root, 0, &mut random, &limits);
                random.take_script()
            })
            .collect();
        scripts.extend(searched(program, root, seed));
        for script in &scripts {
            let mut failing = None;
            for (oracle, interpreter) in oracles.iter().zip(&interpreters) {
                let limits = Limits { steps: 20_000, ..limits };
                let class = oracle.classify(interpreter, (root, 0), script, &limits, &[]).class;
                assert_ne!(
                    class,
                    RunClass::Contradiction,
                    "seed {seed}, {}: a check fails although its premise holds\n{text}\n{script:?}",
                    function.name
                );
                // Whether a run fails does not depend on what was proved.
                let fails = class == RunClass::Failing;
                assert_eq!(*failing.get_or_insert(fails), fails, "seed {seed}, {}\n{text}", function.name);
                count.failing += usize::from(fails);
                count.successful += usize::from(class == RunClass::Successful);
                count.redundant += usize::from(class == RunClass::Redundant);
                count.runs += 1;
            }
        }
    }
}

/// The seeds to be tried.
fn seeds(default: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().map(|n| n.parse::<u64>().expect("a number"));
    match number("FOOTPATH_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("FOOTPATH_PROGRAMS").unwrap_or(default),
    }
}

#[test]
fn no_verified_check_of_a_c_function_fails() {
    let seeds = seeds(2);
    let many = seeds.end - seeds.start >= 2;
    let mut count = Count::default();
    for seed in seeds {
        check_file("sound", &Writer::file(seed, FUNCTIONS), &[], seed, &mut count);
    }
    let Count { verified, under, open, failing, redundant, .. } = count;
    assert!(
        !many || (verified > 20 && under > 5 && open > 10 && failing > 15 && redundant > 2),
        "too little happens: {count:?}"
    );
}

/// Functions that go over arrays whose lengths they are told, to the end, not so far, or too far. The tests that are made
/// for them have arrays of a few elements and any number as the length.
fn arrays(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let mut text = "struct point { short x, y, z; };\n".to_owned();
    for number in 0..FUNCTIONS {
        let mut pick = |items: &[&'static str]| items[rng.usize(..items.len())];
        let element = pick(&["char", "short", "int", "long", "struct point", "struct point"]);
        let part = if element == "struct point" { ".z" } else { "" };
        let length = pick(&["int", "int", "unsigned", "long", "__SIZE_TYPE__", "short", "unsigned char"]);
        let params =
            pick(&["E *a, const int *b, T n", "E *a, T n, const int *b, short m", "E *a, double v, T n"]);
        let mut body = String::new();
        for _ in 0..2 {
            let (beyond, start) = (pick(&["", "", "", " - 1", " + 1"]), pick(&["0", "0", "1"]));
            let at = format!("a[i{beyond}]{part}");
            let line = match pick(&["up", "to", "down", "last", "half", "at", "search", "ends", "far"]) {
                "up" => format!("for (T i = {start}; i < n; i++) s ^= {at};"),
                "to" => format!("for (T i = {start}; i <= n; i++) s ^= {at};"),
                "down" => format!("for (T i = n; i > 0; i--) s ^= a[i - 1{beyond}]{part};"),
                "last" => format!("if (n > 0) a[n - 1{beyond}]{part} = s;"),
                "half" => format!("if (n > 1) s ^= a[n / 2{beyond}]{part};"),
                "at" => format!("{{ T i = n / 3; if (i >= 0 && i < n) s ^= {at}; }}"),
                "search" => format!(
                    "for (T l = 0, h = n; l < h;) {{ T i = l + (h - l) / 2; if ({at} < s) l = i + 1; else h = i; }}"
                ),
                "ends" => format!("for (T i = 0, j = n - 1; i < j; i++, j--) s ^= a[j]{part} ^ {at};"),
                _ => format!("if (n > 0) s ^= a[n * {start} + 3]{part};"),
            };
            body += &format!("{line}\n");
        }
        if params.contains("*b") {
            let bound = if params.contains("m") { "m" } else { "n" };
            body += &format!("for (int i = 0; i < {bound}; i++) s ^= b[i];\n");
        }
        let function = format!("int f{number}({params})\n{{\nint s = 0;\n{body}return s;\n}}\n");
        text += &function.replace("T ", &format!("{length} ")).replace("E *", &format!("{element} *"));
    }
    text
}

#[test]
fn no_check_fails_where_arrays_are_as_long_as_they_are_said_to_be() {
    let seeds = seeds(2);
    let many = seeds.end - seeds.start >= 2;
    let mut count = Count::default();
    for seed in seeds {
        let flags: &[&str] = if seed % 2 == 1 { &["-m32"] } else { &[] };
        check_file("arrays", &arrays(seed), flags, seed, &mut count);
    }
    let Count { under, lengths, open, failing, successful, redundant, .. } = count;
    assert!(
        !many || (under > 15 && lengths > 8 && open > 10 && failing > 20 && successful > 5 && redundant > 5),
        "too little happens: {count:?}"
    );
}

const MEMORY: &str = "\
#include <stdlib.h>
struct cell { int value; int more; struct cell *next; };
struct holder { struct cell *c; int *p; int n; struct holder *up; };
static struct cell *kept;
static int *buffer;
int grow(struct holder *h, int n)
{
    if (n > 3)
        grow(h, n - 4);
    h->p = malloc(8);
    return h->p != 0;
}
int shrink(struct holder *h, int n)
{
    if (n > 3)
        return shrink(h, n - 4);
    free(buffer);
    buffer = n ? malloc(sizeof(int)) : 0;
    return n;
}
void drop(struct holder *h, int n)
{
    if (n > 3)
        drop(h, n - 4);
    int *own = malloc(4);
    if (n == 2 && own)
        free(h->p);
    free(own);
}
void change(struct holder *h, int n)
{
    if (n > 3)
        change(h, n - 4);
    else
        h->c = kept;
}
";

/// Functions that follow pointers in structures and in variables, and call procedures that call themselves, so that the
/// verifier knows their contracts only.
fn memory(seed: u64) -> String {
    const LINES: &[&str] = &[
        "s ^= h->c->value;",
        "h->c->more = n;",
        "if (h->c) s ^= h->c->next->more;",
        "if (h->c && h->c->next) s ^= h->c->next->value;",
        "s ^= *h->p;",
        "h->p[1] = n;",
        "if (h->p) *h->p = k;",
        "s ^= grow(h, n & 7);",
        "if (grow(h, n & 7)) h->p[k & 1] = 3;",
        "s ^= shrink(h, n & 7);",
        "drop(h, n & 7);",
        "change(h, n & 7);",
        "kept = h->c;",
        "if (kept) s ^= kept->value;",
        "s ^= kept->more;",
        "buffer = malloc(8); if (buffer) buffer[1] = n;",
        "if (buffer) s ^= *buffer;",
        "buffer[0] = 1;",
        "h = h->up;",
        "if (h->up) { h = h->up; h->n = s; }",
        "h->up->n = s;",
        "for (struct cell *l = h->c; l; l = l->next) s ^= l->value;",
        "d = h->c; if (d) d->value = k;",
        "d = h->c; s ^= d->more;",
        "if (d) s ^= d->value;",
        "if (h->n > 2) h->n = h->up->n;",
    ];
    let mut rng = Rng::with_seed(seed);
    let mut text = MEMORY.to_owned();
    for number in 0..FUNCTIONS {
        let mut body = String::new();
        for _ in 0..rng.u32(3..=6) {
            let line = LINES[rng.usize(..LINES.len())];
            match rng.u8(..4) {
                0 => {
                    let _ = writeln!(body, "if (n > {}) {{ {line} }}", rng.i32(..5));
                }
                1 => {
                    let _ = writeln!(body, "while (n-- > 0) {{ {line} }}");
                }
                _ => {
                    let _ = writeln!(body, "{line}");
                }
            }
        }
        let _ = writeln!(
            text,
            "int f{number}(struct holder *h, int n, unsigned k)\n{{\nint s = 0; struct cell *d = 0;\n{body}return s;\n}}"
        );
    }
    text
}

#[test]
fn no_check_fails_where_pointers_in_memory_are_what_they_are_taken_for() {
    let seeds = seeds(3);
    let many = seeds.end - seeds.start >= 3;
    let mut count = Count::default();
    for seed in seeds {
        check_file("memory", &memory(seed), &[], seed, &mut count);
    }
    let Count { under, pointers, kept, open, failing, successful, redundant, .. } = count;
    assert!(
        !many
            || (under > 60 && pointers > 20 && kept > 3 && open > 10 && failing > 20)
                && successful > 5
                && redundant > 2,
        "too little happens: {count:?}"
    );
}

const TEXTS: &str = "\
struct named { int n; char *name; char own[4]; };
static char kept[6];
static const char *names[2];
static unsigned long length(const char *s)
{
    unsigned long n = 0;
    while (s[n])
        n++;
    return n;
}
static int same(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}
";

/// Functions that walk through texts that they are passed or find in memory, and write into them; some go too far.
fn texts(seed: u64) -> String {
    const LINES: &[&str] = &[
        "while (*s) s++;",
        "for (i = 0; s[i]; i++) k ^= s[i];",
        "for (i = 0; t[i + 1]; i++) k++;",
        "while (*s && *s != c) s++;",
        "while (*s != c) s++;",
        "for (i = 0; s[i] == t[i]; i++) if (!s[i]) break;",
        "do s++; while (*s);",
        "if (*s) do s++; while (*s);",
        "while (*s++) k++;",
        "k += length(s);",
        "s += length(s);",
        "k += same(s, t);",
        "k += same(t, \"ab\");",
        "s[n & 3] = c;",
        "*t = c;",
        "if (*s) *s = 0;",
        "while ((*t = *s)) { s++; t++; }",
        "for (; *h->name; h->name++) k++;",
        "if (h->name) k += length(h->name);",
        "h->name = s;",
        "h->own[3] = 0; k += length(h->own);",
        "k += length(h->own);",
        "kept[n & 7] = c;",
        "k += length(kept);",
        "names[n & 1] = t;",
        "if (names[0]) k += length(names[0]);",
        "t = h->name;",
        "for (char *e = s + length(s); e > s; e--) k ^= e[-1];",
    ];
    let mut rng = Rng::with_seed(seed);
    let mut text = TEXTS.to_owned();
    for number in 0..FUNCTIONS {
        let mut body = String::new();
        for _ in 0..rng.u32(2..=4) {
            let line = LINES[rng.usize(..LINES.len())];
            let _ = match rng.u8(..4) {
                0 => writeln!(body, "if (n > {}) {{ {line} }}", rng.i32(..3)),
                _ => writeln!(body, "{line}"),
            };
        }
        let _ = writeln!(
            text,
            "int f{number}(char *s, char *t, struct named *h, int n, char c)\n{{\nint i = 0; unsigned k = 0;\n{body}return k + i;\n}}"
        );
    }
    text
}

#[test]
fn no_check_fails_where_texts_end() {
    let seeds = seeds(3);
    let many = seeds.end - seeds.start >= 3;
    let mut count = Count::default();
    for seed in seeds {
        check_file("texts", &texts(seed), &[], seed, &mut count);
    }
    let Count { under, strings, open, failing, successful, redundant, .. } = count;
    assert!(
        !many || (under > 60 && strings > 20 && open > 10 && failing > 20 && successful > 5 && redundant > 2),
        "too little happens: {count:?}"
    );
}
