//! Small random C programs without undefined behaviour.
//!
//! Variables of all widths, a structure with bit-fields, an array, a union, pointers to them, functions that call
//! earlier ones, loops with few rounds, switches. Arithmetic is done in unsigned types, or guarded; `main` returns a
//! hash over everything.

use std::fmt::Write;

use footpath_ir::SplitMix64;

/// The text of the program with this seed.
pub fn program(seed: u64) -> String {
    let mut g = Generator {
        random: SplitMix64(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d),
        text: String::new(),
        loops: 0,
    };
    g.text.push_str(PROLOGUE);
    for f in 0..4 {
        g.function(f);
    }
    g.text.push_str("int main(void)\n{\n    unsigned long h = 17;\n");
    for f in 0..4 {
        let (a, b) = (g.literal(), g.literal());
        writeln!(g.text, "    h = h * 31 + (unsigned long)f{f}((int)({a}), (short)({b}), &s);")
            .unwrap_or_default();
    }
    g.text.push_str(EPILOGUE);
    g.text
}

const PROLOGUE: &str = "\
struct part { signed char c; short h; };
struct whole { unsigned a : 5; int b : 11; long l; unsigned char u8; struct part p[3]; unsigned long long q : 45; };
union view { unsigned w; unsigned short h[2]; unsigned char c[4]; };
static struct whole s = {3, -7, 1234567890123L, 200, {{1, 2}, {-3, 4}, {5, -6}}, 77};
static int table[8] = {1, -2, 3, -4, 5, -6, 7, -8};
static union view view = {0x12345678};
static double d = 1.5;
static int divide(int a, int b) { return b == 0 || (a == -2147483647 - 1 && b == -1) ? a : a / b; }

";

const EPILOGUE: &str = "\
    h = h * 31 + s.a; h = h * 31 + (unsigned)s.b; h = h * 31 + (unsigned long)s.l; h = h * 31 + s.u8; h = h * 31 + s.q;
    for (int i = 0; i < 3; i++) h = h * 31 + (unsigned)s.p[i].c + 7 * (unsigned)s.p[i].h;
    for (int i = 0; i < 8; i++) h = h * 31 + (unsigned)table[i];
    h = h * 31 + view.w;
    h = h * 31 + (d > 10.0) + 2 * (d < -1.0);
    return (int)((h ^ (h >> 17) ^ (h >> 40)) & 127);
}
";

struct Generator {
    random: SplitMix64,
    text: String,
    loops: u32,
}

impl Generator {
    /// A number below `n`.
    fn below(&mut self, n: u64) -> u64 {
        self.random.below(n)
    }

    fn pick(&mut self, from: &[&str]) -> String {
        let index = self.below(from.len() as u64) as usize;
        from[index].to_owned()
    }

    fn literal(&mut self) -> String {
        let all = [
            "0",
            "1",
            "-1",
            "7",
            "100",
            "-128",
            "255",
            "32767",
            "-32768",
            "65535",
            "2147483647",
            "0x7fff1234",
            "42",
        ];
        self.pick(&all)
    }

    /// Something that can be read, of an integer type.
    fn place(&mut self) -> String {
        let all = [
            "x",
            "y",
            "t",
            "s.a",
            "s.b",
            "s.l",
            "s.u8",
            "s.q",
            "w->p[x & 1].c",
            "w->p[2].h",
            "w->l",
            "table[y & 7]",
            "table[(unsigned)x % 8]",
            "view.w",
            "view.h[1]",
            "view.c[t & 3]",
            "(*p)",
            "wide",
            "w->p[y % 3 < 0 ? 0 : y % 3].h",
        ];
        self.pick(&all)
    }

    fn expression(&mut self, depth: u32) -> String {
        if depth == 0 {
            return if self.below(3) == 0 { self.literal() } else { self.place() };
        }
        let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.below(14) {
            0 | 1 => format!("(int)((unsigned)({a}) + (unsigned)({b}))"),
            2 => format!("(int)((unsigned)({a}) - (unsigned)({b}))"),
            3 => format!("(int)((unsigned)({a}) * (unsigned)({b}))"),
            4 => format!("(int)(({a}) {} ({b}))", self.pick(&["&", "|", "^"])),
            5 => format!("divide((int)({a}), (int)({b}))"),
            6 => format!("(int)((unsigned)({a}) << (({b}) & 31))"),
            7 => format!("((int)({a}) >> (({b}) & 15))"),
            8 => format!("(({a}) {} ({b}))", self.pick(&["<", "<=", "==", "!=", ">"])),
            9 => format!("(({a}) ? ({b}) : {})", self.literal()),
            10 => format!("(({a}) {} ({b}))", self.pick(&["&&", "||"])),
            11 => {
                let narrow = self.pick(&["signed char", "unsigned char", "short", "unsigned short", "int"]);
                format!("({narrow})({a})")
            }
            12 => format!("(int)((unsigned long long)({a}) * (unsigned)({b}) >> {})", self.below(40)),
            _ => format!("~(int)({a})"),
        }
    }

    fn assignment(&mut self) -> String {
        let target = self.place();
        let target = if matches!(target.as_str(), "x" | "y") { "t".to_owned() } else { target };
        let value = self.expression(2);
        match self.below(6) {
            0 => format!("{target} ^= (int)({value});"),
            1 => format!("d = d * 0.5 + (double)(int)({value}) / 16.0;"),
            2 => format!("if ({target} < 100) {target}++;"),
            3 => format!("p = &table[(unsigned)({value}) % 8];"),
            _ => format!("{target} = {value};"),
        }
    }

    fn statement(&mut self, f: u32, depth: u32, indent: usize) {
        let pad = "    ".repeat(indent);
        let kind = if depth == 0 { 0 } else { self.below(9) };
        match kind {
            1 | 2 => {
                let condition = self.expression(2);
                self.line(&pad, &format!("if ({condition}) {{"));
                self.block(f, depth - 1, indent + 1);
                self.line(&pad, "} else {");
                self.block(f, depth - 1, indent + 1);
                self.line(&pad, "}");
            }
            3 => {
                self.loops += 1;
                let (counter, rounds) = (format!("i{}", self.loops), 1 + self.below(4));
                self.line(&pad, &format!("for (int {counter} = 0; {counter} < {rounds}; {counter}++) {{"));
                self.block(f, depth - 1, indent + 1);
                let condition = self.expression(1);
                let leave = self.pick(&["break", "continue"]);
                self.line(&pad, &format!("    if ({condition}) {leave};"));
                self.line(&pad, &format!("    wide += (unsigned long){counter} * 3;"));
                self.line(&pad, "}");
            }
            4 => {
                let value = self.expression(1);
                self.line(&pad, &format!("switch (({value}) & 3) {{"));
                for case in ["case 0:", "case 1: case 3:", "default:"] {
                    self.line(&pad, case);
                    self.block(f, depth - 1, indent + 1);
                    let end = self.pick(&["    break;", "    ;"]);
                    self.line(&pad, &end);
                }
                self.line(&pad, "}");
            }
            5 if f > 0 => {
                let (callee, a, b) = (self.below(u64::from(f)), self.expression(1), self.expression(1));
                self.line(&pad, &format!("t = (int)f{callee}((int)({a}), (short)({b}), w);"));
            }
            6 => self.line(
                &pad,
                "{ struct part copy = w->p[1]; w->p[0] = copy; w->p[1].c = (signed char)copy.h; }",
            ),
            _ => {
                let assignment = self.assignment();
                self.line(&pad, &assignment);
            }
        }
    }

    fn block(&mut self, f: u32, depth: u32, indent: usize) {
        for _ in 0..1 + self.below(3) {
            self.statement(f, depth, indent);
        }
    }

    fn function(&mut self, f: u32) {
        let ret = self.pick(&["int", "long", "unsigned char", "short", "unsigned"]);
        self.line("", &format!("static {ret} f{f}(int x, short y, struct whole *w)"));
        self.line("", "{");
        self.line("", "    int t = x, *p = &table[3];\n    unsigned long wide = (unsigned long)y;");
        self.block(f, 2, 1);
        self.block(f, 2, 1);
        let value = self.expression(2);
        self.line("", &format!("    return ({ret})({value});\n}}\n"));
    }

    fn line(&mut self, pad: &str, text: &str) {
        self.text.push_str(pad);
        self.text.push_str(text);
        self.text.push('\n');
    }
}
