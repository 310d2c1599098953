//! Random C functions over few inputs, with a mark on every block.
//!
//! Conditions compare few variables with few constants, so that many contradict each other or what was assigned before.
//! No access is out of bounds and no division is by zero, since a native run would end there; overflow is allowed.

use std::fmt::Write;

/// A random program.
pub struct Program {
    /// Its text. Where `NATIVE` is defined it has a `main` that calls the functions with all inputs of a small domain
    /// and prints the numbers of the marks that were passed.
    pub text: String,
    /// The line of each mark, from 1.
    pub marks: Vec<u32>,
}

/// The program with this seed.
pub fn program(seed: u64) -> Program {
    let mut g = Generator {
        state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491,
        text: String::new(),
        marks: Vec::new(),
        loops: 0,
        pointers: false,
    };
    g.text.push_str(PROLOGUE);
    g.function("int f0(signed char a, unsigned char b)", false);
    g.function("int f1(signed char a, unsigned char b)", false);
    g.function("int f2(signed char *p, signed char *q, signed char a)", true);
    g.text.push_str(EPILOGUE);
    Program { text: g.text, marks: g.marks }
}

const PROLOGUE: &str = "\
#ifdef NATIVE
#include <stdio.h>
static unsigned char seen[4096];
#define MARK(n) (seen[n] = 1)
#else
#define MARK(n) ((void)0)
#endif
struct pair { signed char c; unsigned short h; int n; };
static int table[4] = {3, -1, 8, 0};
static int clamp(int n) { return n > 20 ? 20 : n < -5 ? -5 : n; }
static int twice(int n) { if (n & 1) return 2 * n + 1; return 2 * n; }
";

const EPILOGUE: &str = "\
#ifdef NATIVE
int main(void)
{
    static const signed char some[] = {-128, -3, -1, 0, 1, 2, 7, 40, 127};
    signed char one[4], two[4];
    for (int a = -128; a < 128; a++)
        for (int b = 0; b < 256; b++) {
            f0(a, b);
            f1(a, b);
        }
    for (int i = 0; i < 9 * 9 * 9; i++)
        for (int way = 0; way < 12; way++) {
            for (int k = 0; k < 4; k++) {
                one[k] = some[(i + k) % 9];
                two[k] = some[(i / 9 + 2 * k) % 9];
            }
            signed char *p = way == 0 ? 0 : way < 6 ? one + (way & 1) : two;
            signed char *q = way == 1 ? 0 : way < 4 ? one : way < 8 ? two + (way & 1) : one + (way & 1);
            f2(p, q, some[i / 81]);
        }
    for (unsigned n = 0; n < sizeof seen; n++)
        if (seen[n])
            printf(\"%u\\n\", n);
    return 0;
}
#endif
";

struct Generator {
    state: u64,
    text: String,
    marks: Vec<u32>,
    loops: u32,
    /// Whether the function's parameters are pointers `p` and `q`, each to at least three numbers, or null.
    pointers: bool,
}

impl Generator {
    /// A number below `n`, by splitmix64.
    fn below(&mut self, n: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.below(from.len() as u64) as usize]
    }

    fn line(&mut self, depth: usize, text: &str) {
        writeln!(self.text, "{:1$}{text}", "", 4 * depth).expect("a string grows");
    }

    fn function(&mut self, head: &str, pointers: bool) {
        self.pointers = pointers;
        self.line(0, head);
        self.line(0, "{");
        self.line(1, "int x = 1, y = 0, r = 0;");
        self.line(1, "struct pair s = {1, 2, 3};");
        self.line(1, "unsigned u = 5;");
        self.statements(1, 5);
        self.line(1, "return r + x;");
        self.line(0, "}");
    }

    fn statements(&mut self, depth: usize, count: u64) {
        self.mark(depth);
        for _ in 0..1 + self.below(count) {
            self.statement(depth);
        }
    }

    fn mark(&mut self, depth: usize) {
        let line = self.text.lines().count() as u32 + 1;
        let text = format!("r += {}; MARK({});", self.below(9) + 1, self.marks.len());
        self.line(depth, &text);
        self.marks.push(line);
    }

    fn statement(&mut self, depth: usize) {
        let deep = depth >= 4;
        match self.below(if deep { 5 } else { 12 }) {
            0..=3 => self.assignment(depth),
            4 => {
                let condition = self.condition();
                self.line(depth, &format!("if ({condition})"));
                let value = self.expression(1);
                self.line(depth + 1, &format!("return {value};"));
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
            _ => {
                self.loops += 1;
                let (i, rounds) = (self.loops, 1 + self.below(3));
                self.line(depth, &format!("for (int i{i} = 0; i{i} < {rounds}; i{i}++) {{"));
                self.statements(depth + 1, 2);
                self.line(depth, "}");
                self.mark(depth);
            }
        }
    }

    fn assignment(&mut self, depth: usize) {
        let value = self.expression(2);
        let text = match self.below(if self.pointers { 9 } else { 7 }) {
            0 => format!("x = {value};"),
            1 => format!("y = {value};"),
            2 => format!("s.c = {value};"),
            3 => format!("s.n = {value};"),
            4 => format!("s.h = {value};"),
            5 => format!("u = {value};"),
            6 => format!("table[({value}) & 3] = x;"),
            7 => format!("if (p) p[1] = {value};"),
            _ => format!("if (q) q[0] = {value};"),
        };
        self.line(depth, &text);
    }

    fn condition(&mut self) -> String {
        if self.pointers && self.below(3) == 0 {
            return self
                .pick(&[
                    "p == q",
                    "p < q",
                    "p >= q",
                    "!p",
                    "q && p == q + 1",
                    "p && q && q - p == 2",
                    "p && q && *p != *q",
                    "p && q && &p[1] == q",
                    "q && q[1] == 7",
                    "p && p[0] > p[2]",
                ])
                .to_owned();
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
            let others = ["x", "y", "s.c", "s.n", "s.h", "(int)u", "table[y & 3]", "a", "a"];
            return match self.below(5) {
                0 => self.pick(&["0", "1", "-1", "2", "3", "7", "20", "100", "255"]).to_owned(),
                _ if self.pointers => self.pick(&others).to_owned(),
                1 | 2 => "b".to_owned(),
                _ => self.pick(&others).to_owned(),
            };
        }
        let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.below(12) {
            0 | 1 => format!("({a} + {b})"),
            2 => format!("({a} - {b})"),
            3 => format!("({a} * {b})"),
            4 => format!("({a} & {b})"),
            5 => format!("({a} | {b})"),
            6 => format!("({a} ^ {b})"),
            7 => format!("(({a}) % 16 / 3)"),
            8 => format!("({a} < {b})"),
            9 => format!("(({a}) > 2 ? {b} : 4)"),
            10 => format!("clamp({a})"),
            _ => format!("twice(clamp({a}))"),
        }
    }
}
