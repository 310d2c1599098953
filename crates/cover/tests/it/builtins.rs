//! Random expressions over all builtins: the interpreter's value is what a solver says of the same expression.
//!
//! Each expression is written twice, as Boogie and as SMT-LIB, so that the solver reads the theories' own names and not what
//! the front end made of them. `assert e == value` is asked about as `e ≠ value` being unsatisfiable. What the theories leave
//! open (division by zero, integers out of range) is left out. `FOOTPATH_EXPRESSIONS` sets how many are tried,
//! `FOOTPATH_SEED` the first one.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use super::common::read;
use fastrand::Rng;
use footpath_ir::interp::{Ask, Interpreter, Limits, Oracle, Outcome};
use footpath_ir::{BlockId, Origin, ProcId};
use footpath_smt::{Answer, Solver, Z3};
use footpath_term::{EvalError, FuncDecl, FuncKind, Op, SortId, Terms, Value};

/// Types, by their names in Boogie.
const SORTS: [&str; 8] = ["bool", "int", "real", "bv1", "bv4", "bv8", "float11e5", "float24e8"];

/// A function or operator: its name in Boogie with `$0` … for arguments, the head in SMT-LIB, its arguments, its result.
/// An empty Boogie name is that of a function declared for the head.
struct Function {
    boogie: &'static str,
    smt: String,
    params: Vec<&'static str>,
    result: &'static str,
    /// Whether the last argument has to be a literal that is not zero.
    divides: bool,
}

fn functions() -> Vec<Function> {
    let mut all = Vec::new();
    let mut add = |boogie, smt: &str, params: &[&'static str], result| {
        let divides = matches!(smt, "div" | "mod" | "rem" | "/");
        all.push(Function { boogie, smt: smt.to_owned(), params: params.to_vec(), result, divides });
    };
    for (boogie, smt) in [
        ("($0 && $1)", "and"),
        ("($0 || $1)", "or"),
        ("($0 ==> $1)", "=>"),
        ("($0 <==> $1)", "="),
        ("", "xor"),
        ("", "implies"),
    ] {
        add(boogie, smt, &["bool", "bool"], "bool");
    }
    add("(!$0)", "not", &["bool"], "bool");
    for sort in SORTS {
        add("(if $0 then $1 else $2)", "ite", &["bool", sort, sort], sort);
        if !sort.starts_with("float") {
            add("($0 == $1)", "=", &[sort, sort], "bool");
            add("($0 != $1)", "distinct", &[sort, sort], "bool");
        }
    }
    for sort in ["int", "real"] {
        for (boogie, smt) in [("($0 + $1)", "+"), ("($0 - $1)", "-"), ("($0 * $1)", "*")] {
            add(boogie, smt, &[sort, sort], sort);
        }
        for (boogie, smt) in
            [("($0 < $1)", "<"), ("($0 <= $1)", "<="), ("($0 > $1)", ">"), ("($0 >= $1)", ">=")]
        {
            add(boogie, smt, &[sort, sort], "bool");
        }
        add("(-$0)", "-", &[sort], sort);
    }
    add("($0 div $1)", "div", &["int", "int"], "int");
    add("($0 mod $1)", "mod", &["int", "int"], "int");
    add("", "rem", &["int", "int"], "int");
    add("", "abs", &["int"], "int");
    add("($0 / $1)", "/", &["real", "real"], "real");
    add("real($0)", "to_real", &["int"], "real");
    add("int($0)", "to_int", &["real"], "int");
    add("", "is_int", &["real"], "bool");
    bits(&mut add);
    floats(&mut add);
    all
}

type Add<'a> = dyn FnMut(&'static str, &str, &[&'static str], &'static str) + 'a;

fn bits(add: &mut Add<'_>) {
    for sort in ["bv1", "bv4", "bv8"] {
        for name in [
            "bvand",
            "bvor",
            "bvxor",
            "bvnand",
            "bvnor",
            "bvxnor",
            "bvadd",
            "bvsub",
            "bvmul",
            "bvudiv",
            "bvurem",
            "bvsdiv",
            "bvsrem",
            "bvsmod",
            "bvshl",
            "bvlshr",
            "bvashr",
            "ext_rotate_left",
            "ext_rotate_right",
        ] {
            add("", name, &[sort, sort], sort);
        }
        for name in ["bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge"] {
            add("", name, &[sort, sort], "bool");
        }
        for name in ["bvuaddo", "bvsaddo", "bvusubo", "bvssubo", "bvumulo", "bvsmulo", "bvsdivo"] {
            add("", name, &[sort, sort], "bool");
        }
        add("", "bvcomp", &[sort, sort], "bv1");
        for name in ["bvnot", "bvneg", "(_ rotate_left 3)", "(_ rotate_right 5)", "(_ repeat 1)"] {
            add("", name, &[sort], sort);
        }
        for name in ["bvredor", "bvredand"] {
            add("", name, &[sort], "bv1");
        }
        add("", "bvnego", &[sort], "bool");
        add("", "bv2nat", &[sort], "int");
        add("", &format!("(_ int2bv {})", &sort[2..]), &["int"], sort);
    }
    add("($0 ++ $1)", "concat", &["bv4", "bv4"], "bv8");
    add("$0[6:2]", "(_ extract 5 2)", &["bv8"], "bv4");
    add("", "(_ repeat 2)", &["bv4"], "bv8");
    add("", "(_ repeat 4)", &["bv1"], "bv4");
    add("", "(_ zero_extend 4)", &["bv4"], "bv8");
    add("", "(_ sign_extend 4)", &["bv4"], "bv8");
    add("", "(_ sign_extend 3)", &["bv1"], "bv4");
}

fn floats(add: &mut Add<'_>) {
    for (sort, format, other) in [("float11e5", "5 11", "float24e8"), ("float24e8", "8 24", "float11e5")] {
        for (boogie, smt) in [
            ("($0 + $1)", "fp.add RNE"),
            ("($0 - $1)", "fp.sub RNE"),
            ("($0 * $1)", "fp.mul RNE"),
            ("($0 / $1)", "fp.div RNE"),
            ("", "fp.add RTZ"),
            ("", "fp.mul RTP"),
            ("", "fp.div RNA"),
            ("", "fp.sub RTN"),
            ("", "fp.min"),
            ("", "fp.max"),
        ] {
            add(boogie, smt, &[sort, sort], sort);
        }
        for (boogie, smt) in [
            ("($0 == $1)", "fp.eq"),
            ("($0 < $1)", "fp.lt"),
            ("($0 <= $1)", "fp.leq"),
            ("($0 > $1)", "fp.gt"),
            ("($0 >= $1)", "fp.geq"),
            ("", "fp.eq"),
            ("", "="),
        ] {
            add(boogie, smt, &[sort, sort], "bool");
        }
        for name in ["fp.abs", "fp.neg", "fp.sqrt RNE", "fp.sqrt RTP", "fp.roundToIntegral RNA"] {
            add("", name, &[sort], sort);
        }
        for name in
            ["fp.isNaN", "fp.isInfinite", "fp.isZero", "fp.isNormal", "fp.isSubnormal", "fp.isNegative"]
        {
            add("", name, &[sort], "bool");
        }
        add("", "fp.fma RNE", &[sort, sort, sort], sort);
        add("", "fp.to_real", &[sort], "real");
        add("", "(_ fp.to_sbv 8) RTZ", &[sort], "bv8");
        add("", "(_ fp.to_ubv 8) RNE", &[sort], "bv8");
        for from in ["real", other] {
            add("", &format!("(_ to_fp {format}) RNE"), &[from], sort);
        }
        add("", &format!("(_ to_fp {format}) RTN"), &["bv8"], sort);
        add("", &format!("(_ to_fp_unsigned {format}) RNE"), &["bv8"], sort);
    }
}

/// An expression in both languages.
struct Expression {
    boogie: String,
    smt: String,
}

struct Generator {
    rng: Rng,
    functions: Vec<Function>,
    /// Those of the expression.
    used: Vec<usize>,
}

impl Generator {
    fn expression(&mut self, sort: &str, depth: u32) -> Expression {
        let fitting: Vec<usize> =
            (0..self.functions.len()).filter(|&i| self.functions[i].result == sort).collect();
        if depth == 0 || (depth < 3 && self.rng.u32(0..4) == 0) {
            return literal(&mut self.rng, sort, false);
        }
        let number = fitting[self.rng.usize(0..fitting.len())];
        self.application(number, depth)
    }

    /// A function of random arguments.
    fn application(&mut self, number: usize, depth: u32) -> Expression {
        self.used.push(number);
        let (params, divides) = (self.functions[number].params.clone(), self.functions[number].divides);
        let mut args = Vec::new();
        for (i, param) in params.iter().enumerate() {
            args.push(if divides && i == 1 {
                literal(&mut self.rng, param, true)
            } else {
                self.expression(param, depth - 1)
            });
        }
        let function = &self.functions[number];
        let mut smt = format!("({}", function.smt);
        let mut boogie =
            if function.boogie.is_empty() { format!("f{number}(") } else { function.boogie.to_owned() };
        for (i, arg) in args.iter().enumerate() {
            let _ = write!(smt, " {}", arg.smt);
            if function.boogie.is_empty() {
                let _ = write!(boogie, "{}{}", if i > 0 { ", " } else { "" }, arg.boogie);
            }
        }
        if function.boogie.is_empty() {
            boogie.push(')');
        } else {
            // From the last, as arguments may have such marks only if they are replaced before.
            for (i, arg) in args.iter().enumerate().rev() {
                boogie = boogie.replace(&format!("${i}"), &arg.boogie);
            }
        }
        Expression { boogie, smt: smt + ")" }
    }
}

fn literal(rng: &mut Rng, sort: &str, not_zero: bool) -> Expression {
    let number = |rng: &mut Rng| loop {
        let n: i64 = if rng.bool() { rng.i64(-9..10) } else { rng.i64(-70_000..70_000) };
        if n != 0 || !not_zero {
            return n;
        }
    };
    let negated = |n: i64, text: String| if n < 0 { format!("(- {text})") } else { text };
    let (boogie, smt) = match sort {
        "bool" => {
            let text = rng.bool().to_string();
            (text.clone(), text)
        }
        "int" => {
            let n = number(rng);
            (format!("({n})"), negated(n, n.unsigned_abs().to_string()))
        }
        "real" => {
            let (n, part) = (number(rng), rng.u32(0..4) * 25);
            let text = format!("{}.{part:02}", n.unsigned_abs());
            (format!("({}{text})", if n < 0 { "-" } else { "" }), negated(n, text))
        }
        "float11e5" | "float24e8" => {
            let half = sort == "float11e5";
            let (width, format) = if half { (16, "5 11") } else { (32, "8 24") };
            let one = if half { 0x3c00 } else { 0x3f80_0000u64 };
            let infinity = if half { 0x7c00 } else { 0x7f80_0000u64 };
            let magnitude = match rng.u32(0..6) {
                0 => rng.u64(0..3),
                1 => infinity - 1 + rng.u64(0..3),
                2 => rng.u64(0..infinity),
                _ => one - 64 + rng.u64(0..4096),
            };
            let bits = magnitude + (u64::from(rng.bool()) << (width - 1));
            (format!("of_bits{width}({bits}bv{width})"), format!("((_ to_fp {format}) (_ bv{bits} {width}))"))
        }
        bits => {
            let width: u32 = bits[2..].parse().expect("a width");
            let n = rng.u64(0..1 << width);
            (format!("{n}bv{width}"), format!("(_ bv{n} {width})"))
        }
    };
    Expression { boogie, smt }
}

/// Chooses nothing: what is asked for is left open.
struct Nothing;

fn open<T>() -> Result<T, EvalError> {
    Err(EvalError::Unsupported("left open".to_owned()))
}

impl Oracle for Nothing {
    fn entry(&mut self, _: &Ask<'_>) -> Result<Value, EvalError> {
        open()
    }

    fn havoc(&mut self, _: &Ask<'_>) -> Result<Value, EvalError> {
        open()
    }

    fn choose(&mut self, _: Origin, _: &[BlockId]) -> Result<usize, EvalError> {
        open()
    }

    fn undetermined(
        &mut self,
        _: &Interpreter<'_>,
        _: &Op,
        _: &[Value],
        _: SortId,
    ) -> Result<Value, EvalError> {
        open()
    }
}

fn declarations(functions: &[Function]) -> String {
    let mut text = "function {:builtin \"(_ to_fp 5 11)\"} of_bits16(bv16): float11e5;\n\
        function {:builtin \"(_ to_fp 8 24)\"} of_bits32(bv32): float24e8;\n"
        .to_owned();
    for (i, f) in functions.iter().enumerate().filter(|(_, f)| f.boogie.is_empty()) {
        let params = f.params.join(", ");
        let _ = writeln!(text, "function {{:builtin \"{}\"}} f{i}({params}): {};", f.smt, f.result);
    }
    text
}

/// Whether the expression can only have this value, as the solver has it.
fn agrees(program: &Arc<Terms>, smt: &str, value: &Value, sort: SortId) -> Answer {
    let mut terms = Terms::layer(Arc::clone(program));
    let decl = FuncDecl {
        name: "e".into(),
        type_params: Vec::new(),
        params: Vec::new(),
        result: sort,
        kind: FuncKind::Builtin(smt.into()),
    };
    let function = terms.declare_function(decl);
    let asked = terms.mk(Op::Apply(function), [], sort);
    let literal = terms.value(value);
    let differ = terms.mk(Op::Distinct, [asked, literal], SortId::BOOL);
    let mut z3 = Z3::new(None).expect("Z3 can be used");
    z3.set_timeout(Some(std::time::Duration::from_secs(5)));
    z3.assert(&terms, differ).unwrap_or_else(|e| panic!("{smt}: {}", e.0));
    z3.check(&terms, &[])
}

#[test]
fn the_interpreter_means_by_builtins_what_the_solver_means() {
    let count = std::env::var("FOOTPATH_EXPRESSIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000);
    let seed = std::env::var("FOOTPATH_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let functions = functions();
    let mut generator = Generator { rng: Rng::with_seed(seed), functions, used: Vec::new() };
    let mut text = declarations(&generator.functions);
    let mut expressions: BTreeMap<String, (Expression, Vec<usize>)> = BTreeMap::new();
    for i in 0..count {
        let number = i % generator.functions.len();
        let sort = generator.functions[number].result;
        let e = generator.application(number, 3);
        let _ = writeln!(text, "procedure p{i}() returns (r: {sort}) {{ r := {}; }}", e.boogie);
        expressions.insert(format!("p{i}"), (e, std::mem::take(&mut generator.used)));
    }
    let program = read(&text);
    let interpreter = Interpreter::new(&program);
    let (mut compared, mut left_open) = (0, 0);
    let mut with_value = vec![false; generator.functions.len()];
    for (number, procedure) in program.procedures.iter().enumerate() {
        let (Expression { boogie, smt }, used) = &expressions[&*procedure.name];
        let run = interpreter.run(ProcId(number as u32), 0, &mut Nothing, &Limits::default());
        assert_eq!(run.outcome, Outcome::Returned, "{boogie}");
        let Some(Some(value)) = run.results.first() else {
            left_open += 1;
            continue;
        };
        let sort = procedure.results[0].sort(&program.terms);
        let answer = agrees(&program.terms, smt, value, sort);
        assert_eq!(answer, Answer::Unsat, "{boogie}\n{smt}\nis not {value}");
        compared += 1;
        used.iter().for_each(|&function| with_value[function] = true);
    }
    assert!(compared > 5 * left_open, "{compared} compared, {left_open} open");
    let without = with_value.iter().zip(&generator.functions).filter(|(has, _)| !**has);
    let without: Vec<_> = without.map(|(_, f)| format!("{} {:?}", f.smt, f.params)).collect();
    assert!(count < 1_000 || without.is_empty(), "never with a value: {without:?}");
}
