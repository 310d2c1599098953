//! Random C functions, in two views with the same lines: one for Footpath, plain C, and one that observes itself.
//!
//! The parts that only observe are written between marks of this module: where a block begins, where a loop goes on,
//! and how many elements there are where no compiler knows. [`Program::plain`] drops them, [`Program::observed`] turns
//! them into the macros of `oracle.h`:
//!
//! ```text
//! plain:      x = p[n];
//! observed:   R; x = p[IN(n, p, LENGTH_p)];
//! ```
//!
//! Functions take integers of all widths, floating-point numbers, structures (one of more than 64 bytes) and unions by value, pointers to an array
//! with its length, to nodes that may be the same, and texts. Most conditions compare little with constants, so that
//! many contradict each other; most operations stay defined, so that runs get far.

use std::fmt::Write;

use footpath_ir::SplitMix64;

const BEGINS: char = '\u{1}';
const INDEX: char = '\u{2}';
const OF: char = '\u{3}';
const END: char = '\u{4}';
const ENTERS: char = '\u{5}';
const GOES_ON: char = '\u{6}';
const STARTS: char = '\u{7}';

/// How many functions a program has: several share what a command, a compiler and the observing view take for a file.
const FUNCTIONS: u32 = 4;

/// A random program.
pub struct Program {
    marked: String,
    /// Its functions: the name, and which of [`SIGNATURES`] it has.
    functions: Vec<(String, usize)>,
}

/// What functions take.
struct Signature {
    parameters: &'static str,
    /// Integers that can be read, in the marked text.
    integers: &'static [&'static str],
    /// What can be assigned to.
    places: &'static [&'static str],
    /// Conditions of its own.
    conditions: &'static [&'static str],
    /// The call in the observed view, with random arguments.
    call: &'static str,
}

const SIGNATURES: &[Signature] = &[
    Signature {
        parameters: "signed char a, unsigned char b",
        integers: &["a", "b"],
        places: &["a", "b"],
        conditions: &["a < 0 && b > 127", "a == -128", "(a ^ b) == 255"],
        call: "(signed char)number(), (unsigned char)number()",
    },
    Signature {
        parameters: "int a, unsigned b, long c",
        integers: &["a", "a", "(int)b", "(int)c", "(short)c"],
        places: &["a"],
        conditions: &["c > 5000000000L", "b > 3000000000u", "c == a", "b * 2u < b", "a < (long)b"],
        call: "(int)number(), (unsigned)number(), (long)number() * (chance(3) ? 3000000001L : 1)",
    },
    Signature {
        parameters: "unsigned short a, int b, _Bool c, unsigned long long d",
        integers: &["a", "b", "c", "(int)(d & 1023)", "(int)(d >> 60)"],
        places: &["a", "b"],
        conditions: &["c", "!c && a > 40000", "d == 0xffffffffffffffffull", "(d >> 63) && a", "d % 7 == 3"],
        call: "(unsigned short)number(), (int)number(), chance(2), (unsigned long long)number() << (chance(2) ? 40 : 0)",
    },
    Signature {
        parameters: "const int *p, int n, int a",
        integers: &["p[\u{2}0\u{3}p, LENGTH_p\u{4}]", "p[\u{2}1\u{3}p, LENGTH_p\u{4}]", "n", "a"],
        places: &["a"],
        conditions: &["!p", "p && n > 0", "p && n > 2 && p[\u{2}2\u{3}p, LENGTH_p\u{4}] == a", "n < 0"],
        call: "array(&LENGTH_p), chance(4) ? (int)number() : (int)LENGTH_p, (int)number()",
    },
    Signature {
        parameters: "struct node *p, struct node *q, int a",
        integers: &["p->c", "p->n", "q->h", "q->n", "a", "a"],
        places: &["p->n", "q->c", "p->h", "a"],
        conditions: &[
            "!p",
            "p == q",
            "p && q && p != q",
            "q && q->next == p",
            "p && p->next && p->next->n == 3",
        ],
        call: "node(), node(), (int)number()",
    },
    Signature {
        parameters: "struct pair p, union view v, short a",
        integers: &["p.c", "p.h", "p.n", "v.s", "v.c[1]", "p.f", "a"],
        places: &["p.c", "p.f", "v.c[0]", "v.s", "a"],
        conditions: &["p.c > p.h", "v.c[0] == 7", "v.u > 70000u", "p.f < -2"],
        call: "(struct pair){(signed char)number(), (unsigned short)number(), (int)number(), (int)number()}, \
               (union view){(unsigned)number()}, (short)number()",
    },
    Signature {
        parameters: "struct wide w, int a",
        integers: &["w.text[1]", "w.text[a & 63]", "w.n", "a"],
        places: &["w.text[0]", "w.text[7]", "w.n", "a"],
        conditions: &["w.text[7] == 9", "w.n > w.text[0]", "w.text[a & 15] > 3", "w.n < 0"],
        call: "(struct wide){{(unsigned char)number(), (unsigned char)number(), 3, 4, 5, 6, 7, (unsigned char)number()}, \
               (int)number()}, (int)number()",
    },
    Signature {
        parameters: "const char *p, int a",
        integers: &["p[\u{2}0\u{3}p, LENGTH_p\u{4}]", "(int)strlen(TEXT(p))", "a"],
        places: &["a"],
        conditions: &[
            "!p",
            "p && p[\u{2}0\u{3}p, LENGTH_p\u{4}] == 'a'",
            "p && strcmp(p, \"ab\") == 0",
            "p && strlen(p) > 2",
        ],
        call: "text(&LENGTH_p), (int)number()",
    },
    Signature {
        parameters: "double d, float e, int a",
        integers: &["a", "(d < e)", "(e == 2.5f)"],
        places: &["a"],
        conditions: &["d > 0.5", "d != d", "e * 2 < e", "d + a == 7.0", "e >= (float)a", "d * d < 2.0"],
        call: "real(), (float)real(), (int)number()",
    },
];

/// In front of the functions of both views, one line in each for the header that differs.
const PROLOGUE: &str = "\
#include <stdlib.h>
#include <string.h>
struct pair { signed char c; unsigned short h; int n; int f : 5; };
struct node { signed char c; unsigned short h; int n; struct node *next; };
union view { unsigned u; short s; unsigned char c[4]; };
struct wide { unsigned char text[90]; int n; };
static int table[4] = {3, -1, 8, 0};
static const unsigned char steps[6] = {1, 1, 2, 3, 5, 8};
int state = 2;
static int clamp(int n) { return n > 20 ? 20 : n < -5 ? -5 : n; }
static int twice(int n) { if (n & 1) return 2 * n + 1; return 2 * n; }
static int deep(int n) { \u{6}if (n <= 0) return 1; return (n & 3) + deep(n - 2); }
";

impl Program {
    /// The program with this seed.
    pub fn new(seed: u64) -> Program {
        let mut g = Generator {
            random: SplitMix64(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491),
            text: String::from(PROLOGUE),
            loops: 0,
            signature: &SIGNATURES[0],
        };
        let mut functions = Vec::new();
        for f in 0..FUNCTIONS {
            let signature = g.below(SIGNATURES.len() as u64) as usize;
            functions.push((format!("f{f}"), signature));
            g.function(f, &SIGNATURES[signature]);
        }
        Program { marked: g.text, functions }
    }

    /// The names of its functions.
    pub fn functions(&self) -> impl Iterator<Item = &str> {
        self.functions.iter().map(|(name, _)| name.as_str())
    }

    /// The program as it is analysed.
    pub fn plain(&self) -> String {
        let mut text = String::from("#include <stddef.h>\n");
        let mut is_length = false;
        for c in self.marked.chars() {
            match c {
                OF => is_length = true,
                END => is_length = false,
                BEGINS | INDEX | ENTERS | GOES_ON | STARTS => {}
                c if !is_length => text.push(c),
                _ => {}
            }
        }
        text.replace("TEXT(p)", "p")
    }

    /// The program that runs its functions on random inputs, and prints what it observes. What `conditions.h` defines is
    /// judged beside.
    pub fn observed(&self) -> String {
        let mut text = String::from("#include \"oracle.h\"\n");
        let mut names = self.functions();
        for c in self.marked.chars() {
            match c {
                BEGINS => text.push_str("R; "),
                INDEX => text.push_str("IN("),
                OF => text.push_str(", "),
                END => text.push(')'),
                ENTERS => {
                    let _ = write!(text, " ENTER(COND_{});", names.next().unwrap_or_default());
                }
                GOES_ON => text.push_str("GOES_ON; "),
                STARTS => text.push_str("STARTS; "),
                c => text.push(c),
            }
        }
        text.push_str("#include \"inputs.h\"\n");
        text.push_str(
            "static void reset(void) { int t[4] = {3, -1, 8, 0}; memcpy(table, t, sizeof t); state = 2; }\n",
        );
        text.push_str("int main(void)\n{\n    for (long i = 0; i < RUNS; i++) {\n");
        for (number, (name, signature)) in self.functions.iter().enumerate() {
            let call = SIGNATURES[*signature].call;
            let _ = writeln!(text, "        RUN({number}, {name}({call}));");
        }
        text.push_str("    }\n    return print();\n}\n");
        text
    }
}

struct Generator {
    random: SplitMix64,
    text: String,
    loops: u32,
    signature: &'static Signature,
}

impl Generator {
    /// A number below `n`.
    fn below(&mut self, n: u64) -> u64 {
        self.random.below(n)
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.below(from.len() as u64) as usize]
    }

    fn line(&mut self, depth: usize, text: &str) {
        writeln!(self.text, "{:1$}{text}", "", 4 * depth).expect("a string grows");
    }

    fn function(&mut self, number: u32, signature: &'static Signature) {
        self.signature = signature;
        self.line(0, &format!("int f{number}({})", signature.parameters));
        self.line(0, &format!("{{{ENTERS}"));
        self.line(1, "int x = 1, y = 0, r = 0;");
        self.line(1, "struct pair s = {1, 2, 3, 4};");
        self.line(1, "unsigned u = 5;");
        self.statements(1, 4);
        self.line(1, &format!("{BEGINS}return r + (x & 7);"));
        self.line(0, "}");
    }

    fn statements(&mut self, depth: usize, count: u64) {
        self.mark(depth);
        for _ in 0..1 + self.below(count) {
            self.statement(depth);
        }
    }

    /// A statement that nothing can keep from running.
    fn mark(&mut self, depth: usize) {
        let text = format!("{BEGINS}r = (r + {}) & 1023;", self.below(9) + 1);
        self.line(depth, &text);
    }

    fn statement(&mut self, depth: usize) {
        let deep = depth >= 3;
        match self.below(if deep { 5 } else { 14 }) {
            0..=3 => self.assignment(depth),
            4 => {
                let condition = self.condition();
                self.line(depth, &format!("if ({condition}) {{"));
                let value = self.expression(1);
                // A value may have code of its own, of which some is never executed.
                self.mark(depth + 1);
                self.line(depth + 1, &format!("return {value};"));
                self.line(depth, "}");
            }
            5..=8 => {
                let condition = self.condition();
                self.line(depth, &format!("if ({condition}) {{"));
                self.statements(depth + 1, 3);
                if self.below(2) == 0 {
                    self.line(depth, "} else {");
                    self.statements(depth + 1, 3);
                }
                self.line(depth, "}");
                self.mark(depth);
            }
            9 => {
                let value = self.expression(1);
                self.line(depth, &format!("switch (({value}) & 3) {{"));
                for case in 0..2 + self.below(3) {
                    self.line(depth, &format!("case {case}:"));
                    self.statements(depth + 1, 2);
                    if self.below(3) > 0 {
                        self.line(depth + 1, "break;");
                    }
                }
                self.line(depth, "}");
                self.mark(depth);
            }
            10 => self.allocation(depth),
            _ => self.repetition(depth),
        }
    }

    fn repetition(&mut self, depth: usize) {
        self.loops += 1;
        let i = self.loops;
        let rounds = self.below(4).to_string();
        let value = self.expression(0);
        let head = match self.below(4) {
            0 => format!("for (int i{i} = 0; i{i} < {rounds}; i{i}++) {{"),
            1 => format!("for (int i{i} = 0; i{i} < (({value}) & 3); i{i}++) {{"),
            2 => format!(
                "for (unsigned i{i} = ({value}) & 7; i{i} > {rounds}u; i{i} -= 2) {{ if (i{i} > 7) break;"
            ),
            _ => format!("while (u > {rounds}u) {{ u -= 1 + (u > 40) * (u / 2);"),
        };
        self.line(depth, &format!("{STARTS}{head}{GOES_ON}"));
        self.statements(depth + 1, 2);
        if self.below(3) == 0 {
            let condition = self.condition();
            let jump = self.pick(&["break", "continue"]);
            self.line(depth + 1, &format!("if ({condition}) {jump};"));
        }
        self.line(depth, "}");
        self.mark(depth);
    }

    fn allocation(&mut self, depth: usize) {
        self.loops += 1;
        let m = format!("m{}", self.loops);
        let (value, index) = (self.expression(1), self.expression(0));
        let how = self.pick(&["malloc(4 * sizeof(int))", "calloc(4, sizeof(int))"]);
        self.line(depth, &format!("int *{m} = {how};"));
        self.line(depth, &format!("if ({m}) {{"));
        self.line(depth + 1, &format!("memset({m}, 0, 4 * sizeof(int));"));
        let mask = self.pick(&["& 3", "& 3", "& 3", "& 7"]);
        self.line(depth + 1, &format!("{m}[{INDEX}({index}) {mask}{OF}{m}, 4{END}] = {value};"));
        self.line(depth + 1, &format!("x = {m}[{}] & 255;", self.random.0 % 4));
        self.line(depth + 1, &format!("free({m});"));
        self.line(depth, "}");
        self.mark(depth);
    }

    fn assignment(&mut self, depth: usize) {
        let value = self.expression(2);
        let text = match self.below(12) {
            0 => format!("x = {value};"),
            1 => format!("y = {value};"),
            2 => format!("s.c = {value};"),
            3 => format!("s.n = {value};"),
            4 => format!("s.h = {value};"),
            5 => format!("s.f = {value};"),
            6 => format!("u = (unsigned)({value});"),
            7 => format!("table[({value}) & 3] = x;"),
            8 => format!("state = {value};"),
            9 => format!("table[{value}] = y;"),
            _ => {
                let place = self.pick(self.signature.places);
                format!("{place} = {value};")
            }
        };
        self.line(depth, &text);
    }

    fn condition(&mut self) -> String {
        if self.below(3) == 0 {
            return format!("({})", self.pick(self.signature.conditions));
        }
        let left = self.expression(1);
        let right = match self.below(3) {
            0 => self.expression(0),
            _ => self.pick(&["-3", "0", "1", "2", "5", "7", "40", "100", "127", "200"]).to_owned(),
        };
        let compare = self.pick(&["==", "!=", "<", ">", "<=", ">="]);
        let simple = format!("{left} {compare} {right}");
        match self.below(6) {
            0 => format!("{simple} && {}", self.condition()),
            1 => format!("!({simple}) || {}", self.condition()),
            _ => simple,
        }
    }

    fn expression(&mut self, depth: u32) -> String {
        if depth == 0 || self.below(3) == 0 {
            let own = self.signature.integers;
            return match self.below(5) {
                0 => self.pick(&["0", "1", "-1", "2", "3", "7", "20", "100", "255"]).to_owned(),
                1 => self
                    .pick(&[
                        "x",
                        "y",
                        "s.c",
                        "s.n",
                        "s.h",
                        "s.f",
                        "(int)u",
                        "table[y & 3]",
                        "state",
                        "steps[x & 3]",
                    ])
                    .to_owned(),
                _ => self.pick(own).to_owned(),
            };
        }
        let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.below(19) {
            0 => format!("({a} + {b})"),
            1 => format!("({a} - {b})"),
            2 => format!("({a} * {b})"),
            3 => format!("(int)((unsigned)({a}) + (unsigned)({b}))"),
            4 => format!("(int)((unsigned)({a}) * (unsigned)({b}))"),
            5 => format!("({a} & {b})"),
            6 => format!("({a} | {b})"),
            7 => format!("({a} ^ {b})"),
            8 => format!("(({a}) % 16 / 3)"),
            9 => format!("({a} < {b})"),
            10 => format!("(({a}) > 2 ? {b} : 4)"),
            11 => format!("clamp({a})"),
            12 => format!("twice(clamp({a}))"),
            13 => {
                let kind = self.pick(&["signed char", "unsigned char", "short", "unsigned short"]);
                format!("({kind})({a})")
            }
            14 => format!("(int)((unsigned)({a}) << (({b}) & 31))"),
            15 => format!("(({a}) >> (({b}) & 15))"),
            16 => format!("deep(({a}) & 3)"),
            17 => format!("(({a}) / ({b}))"),
            _ => format!("(({a}) % (({b}) | 1))"),
        }
    }
}
