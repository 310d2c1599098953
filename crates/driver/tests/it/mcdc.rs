//! MC/DC against an oracle that knows nothing of compilers: random decisions over small numbers, evaluated on the tree of the
//! expression for all inputs, with every pair of them looked at. It needs a clang.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use footpath_driver::{Criterion, Options, Verdict, run};

/// What inputs are tried. Comparisons are with numbers from 0 to 3 and of variables, so these show all there is to see.
const INPUTS: std::ops::Range<i32> = -2..7;

#[derive(Clone)]
enum Expression {
    Greater(usize, i32),
    Less(usize, usize),
    Not(Box<Expression>),
    And(Box<Expression>, Box<Expression>),
    Or(Box<Expression>, Box<Expression>),
}

use Expression::{And, Greater, Less, Not, Or};

const NAMES: [&str; 3] = ["a", "b", "c"];

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn expression(&mut self, depth: u32) -> Expression {
        if depth == 0 {
            let variable = self.below(3) as usize;
            return match self.below(3) {
                0 => Less(variable, (variable + 1 + self.below(2) as usize) % 3),
                _ => Greater(variable, self.below(4) as i32),
            };
        }
        let one = Box::new(self.expression(depth - 1));
        match self.below(5) {
            0 => Not(one),
            1 | 2 => And(one, Box::new(self.expression(depth - 1))),
            _ => Or(one, Box::new(self.expression(depth - 1))),
        }
    }
}

/// An evaluation: the outcome, the conditions with their values, and which of these decide.
#[derive(Clone, Default)]
struct Seen {
    outcome: bool,
    values: Vec<(usize, bool)>,
    deciding: BTreeSet<usize>,
}

impl Expression {
    fn text(&self) -> String {
        match self {
            Greater(a, k) => format!("{} > {k}", NAMES[*a]),
            Less(a, b) => format!("{} < {}", NAMES[*a], NAMES[*b]),
            Not(e) => format!("!({})", e.text()),
            And(a, b) => format!("({}) && ({})", a.text(), b.text()),
            Or(a, b) => format!("({}) || ({})", a.text(), b.text()),
        }
    }

    fn conditions(&self) -> usize {
        match self {
            Greater(..) | Less(..) => 1,
            Not(e) => e.conditions(),
            And(a, b) | Or(a, b) => a.conditions() + b.conditions(),
        }
    }

    /// Evaluates it as C does; the first condition has this number.
    fn see(&self, inputs: [i32; 3], first: usize) -> Seen {
        match self {
            Greater(a, k) => Expression::leaf(inputs[*a] > *k, first),
            Less(a, b) => Expression::leaf(inputs[*a] < inputs[*b], first),
            Not(e) => {
                let seen = e.see(inputs, first);
                Seen { outcome: !seen.outcome, ..seen }
            }
            And(a, b) => Expression::both(a, b, inputs, first, true),
            Or(a, b) => Expression::both(a, b, inputs, first, false),
        }
    }

    fn leaf(outcome: bool, number: usize) -> Seen {
        Seen { outcome, values: vec![(number, outcome)], deciding: BTreeSet::from([number]) }
    }

    /// `neutral` is the value of one side that leaves the outcome to the other.
    fn both(a: &Expression, b: &Expression, inputs: [i32; 3], first: usize, neutral: bool) -> Seen {
        let left = a.see(inputs, first);
        if left.outcome != neutral {
            return left;
        }
        let mut right = b.see(inputs, first + a.conditions());
        if right.outcome == neutral {
            right.deciding.extend(&left.deciding);
        }
        right.values.extend(&left.values);
        right
    }

    /// For each condition, whether there are two inputs that show that it decides alone.
    fn independent(&self) -> Vec<bool> {
        let all = INPUTS.flat_map(|a| INPUTS.flat_map(move |b| INPUTS.map(move |c| [a, b, c])));
        let mut seen: BTreeSet<(usize, bool, bool)> = BTreeSet::new();
        for inputs in all {
            let Seen { outcome, values, deciding } = self.see(inputs, 0);
            let decided = values.into_iter().filter(|(number, _)| deciding.contains(number));
            seen.extend(decided.map(|(number, value)| (number, value, outcome)));
        }
        let is_shown = |number| {
            [false, true]
                .iter()
                .any(|&o| seen.contains(&(number, true, o)) && seen.contains(&(number, false, !o)))
        };
        (0..self.conditions()).map(is_shown).collect()
    }
}

#[test]
fn conditions_decide_alone_as_all_pairs_of_inputs_say() {
    let mut random = Random(44);
    let mut expressions: Vec<Expression> = Vec::new();
    while expressions.len() < 18 {
        let depth = 1 + random.below(3) as u32;
        let found = random.expression(depth);
        if (2..=6).contains(&found.conditions()) {
            expressions.push(found);
        }
    }
    let mut source = String::new();
    for (i, expression) in expressions.iter().enumerate() {
        let text = expression.text();
        let body = match i % 3 {
            0 => format!("if ({text}) return 1; return 0;"),
            1 => format!("return {text};"),
            _ => format!("int n = 0; while (n < 1 && ({text})) n++; return n ? 2 : 3;"),
        };
        let _ = writeln!(source, "int f{i}(int a, int b, int c)\n{{\n    {body}\n}}");
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mcdc");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let file = folder.join("decisions.c");
    std::fs::write(&file, &source).expect("a file can be written");
    let options = Options {
        files: vec![file],
        criterion: Criterion::Mcdc,
        timeout: Duration::from_secs(60),
        out: folder.join("out"),
        ..Options::default()
    };
    let found = run(&options, &AtomicBool::new(false), &|_| {}).expect("it compiles");
    let (mut complaints, mut shown, mut excluded) = (String::new(), 0, 0);
    for (i, (function, expression)) in found.functions.iter().zip(&expressions).enumerate() {
        let decision = function.decisions.iter().max_by_key(|d| d.conditions.len()).expect("a decision");
        let mut conditions = &decision.conditions[..];
        let mut expected = expression.independent();
        if i % 3 == 2 {
            // The condition before it lets it be reached, and is shown to decide wherever it can be true.
            conditions = &conditions[1..];
        }
        if conditions.len() != expected.len() {
            let _ = writeln!(complaints, "f{i}: {} conditions of {}", conditions.len(), expected.len());
            expected.clear();
        }
        for (condition, expected) in conditions.iter().zip(expected) {
            let verdict = &condition.objectives[0].verdict;
            *if expected { &mut shown } else { &mut excluded } += 1;
            let wanted = if expected { Verdict::Covered } else { Verdict::Unreachable };
            if *verdict != wanted {
                let text = found.sources.text(condition.span);
                let _ = writeln!(complaints, "f{i}: `{text}` is {verdict:?} in {}", expression.text());
            }
        }
    }
    assert!(complaints.is_empty(), "{complaints}\n{source}");
    assert!(shown > 20 && excluded > 5, "{shown} conditions decide, {excluded} do not");
}
