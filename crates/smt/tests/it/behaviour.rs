//! Levels, assumptions, cores, limits, interrupts, depth, and what layers around solvers do.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use super::common::{Build, backends, hard, hard_bits, z3_program};
use footpath_smt::{
    Answer, CrossChecked, Logged, Options, Process, Profile, Solver, SolverSpec, Unknown, Unsupported, Z3,
    open,
};
use footpath_term::{Binder, BinderKind, Op, Sort, SortId, TermId, Terms, Value};

/// A directory of its own, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("footpath-smt-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    /// A solver that is a shell script.
    fn script(&self, name: &str, body: &str) -> String {
        let path = self.0.join(name);
        fs::write(&path, format!("#!/bin/sh\n{body}")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        format!("'{}'", path.display())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Answers as the solver would, echoing markers, but for checks, which get `answer`.
fn fake(answer: &str) -> String {
    format!(
        "while read -r line; do case \"$line\" in\n\
         *'(echo '*) text=${{line#*'(echo '}}; echo \"${{text%)}}\";;\n\
         *'(check-sat'*) {answer};;\n\
         esac; done\n"
    )
}

fn at_most(terms: &mut Terms, x: TermId, n: i64) -> TermId {
    let n = terms.int(n);
    terms.t(Op::Le, &[x, n])
}

#[test]
fn popping_takes_assertions_back() {
    for backend in backends() {
        let mut terms = Terms::new();
        let mut solver = backend.open();
        let x = terms.fresh_var("x", SortId::INT);
        let (below5, above5) = (at_most(&mut terms, x, 5), {
            let five = terms.int(5);
            terms.t(Op::Lt, &[five, x])
        });
        solver.assert(&terms, below5).unwrap();
        solver.push();
        solver.push();
        solver.assert(&terms, above5).unwrap();
        assert_eq!(solver.check(&terms, &[]), Answer::Unsat, "{}", solver.name());
        solver.pop(1);
        assert_eq!(solver.check(&terms, &[]), Answer::Sat, "{}", solver.name());
        solver.assert(&terms, above5).unwrap();
        assert_eq!(solver.check(&terms, &[]), Answer::Unsat, "{}", solver.name());
        solver.pop(1);
        assert_eq!(solver.check(&terms, &[]), Answer::Sat, "{}", solver.name());
        let statistics = solver.statistics();
        assert_eq!((statistics.queries, statistics.sat, statistics.unsat), (4, 2, 2));
        assert_eq!(statistics.asserted, 3);
    }
}

#[test]
fn elements_still_differ_after_the_level_that_named_them_is_gone() {
    for backend in backends() {
        let mut terms = Terms::new();
        let mut solver = backend.open();
        let sort = terms.uninterpreted("ref");
        let element = |terms: &mut Terms, number| terms.value(&Value::Element { sort, number });
        let (a, b, x) = (element(&mut terms, 0), element(&mut terms, 1), terms.fresh_var("x", sort));
        let (xa, xb) = (terms.t(Op::Eq, &[x, a]), terms.t(Op::Eq, &[x, b]));
        solver.push();
        solver.assert(&terms, xa).unwrap();
        solver.assert(&terms, xb).unwrap();
        assert_eq!(solver.check(&terms, &[]), Answer::Unsat);
        solver.pop(1);
        solver.assert(&terms, xa).unwrap();
        assert_eq!(solver.check(&terms, &[]), Answer::Sat);
        solver.assert(&terms, xb).unwrap();
        assert_eq!(solver.check(&terms, &[]), Answer::Unsat, "{}", solver.name());
    }
}

#[test]
fn the_values_of_elements_are_their_numbers() {
    for backend in backends() {
        let mut terms = Terms::new();
        let mut solver = backend.open();
        let sort = terms.uninterpreted("ref");
        let f = terms.func("f", &[sort], SortId::INT);
        let seven = terms.value(&Value::Element { sort, number: 7 });
        let (x, y, z) = (terms.fresh_var("x", sort), terms.fresh_var("y", sort), terms.fresh_var("z", sort));
        let equal = terms.t(Op::Eq, &[x, seven]);
        let differ = terms.t(Op::Distinct, &[x, y, z]);
        let (fy, fz) = (terms.t(Op::Apply(f), &[y]), terms.t(Op::Apply(f), &[z]));
        let order = terms.t(Op::Lt, &[fy, fz]);
        for t in [equal, differ, order] {
            solver.assert(&terms, t).unwrap();
        }
        assert_eq!(solver.check(&terms, &[]), Answer::Sat);
        assert_eq!(solver.value(&terms, x), Some(Value::Element { sort, number: 7 }), "{}", solver.name());
        let (vy, vz) = (solver.value(&terms, y).unwrap(), solver.value(&terms, z).unwrap());
        assert_ne!(vy, vz);
        assert_eq!(solver.value(&terms, y), Some(vy.clone()));
        assert!(![&vy, &vz].contains(&&Value::Element { sort, number: 7 }));
    }
}

#[test]
fn functions_can_be_asked_at_values_of_the_model() {
    for backend in backends() {
        let mut terms = Terms::new();
        let mut solver = backend.open();
        let sort = terms.uninterpreted("ref");
        let f = terms.func("f", &[sort, SortId::INT], SortId::INT);
        let (y, z) = (terms.fresh_var("y", sort), terms.fresh_var("z", sort));
        let one = terms.int(1);
        let (fy, fz) = (terms.t(Op::Apply(f), &[y, one]), terms.t(Op::Apply(f), &[z, one]));
        let order = terms.t(Op::Lt, &[fy, fz]);
        solver.assert(&terms, order).unwrap();
        assert_eq!(solver.check(&terms, &[]), Answer::Sat);
        let mut at_value = |t: TermId| {
            let element = solver.value(&terms, t).unwrap();
            let element = terms.value(&element);
            let application = terms.t(Op::Apply(f), &[element, one]);
            // Twice: the second time the element is no news to the translator.
            let first = solver.value(&terms, application);
            assert_eq!(first, solver.value(&terms, application));
            first.unwrap()
        };
        assert!(at_value(y) < at_value(z));
        let (five, zero) = (terms.int(5), terms.int(0));
        let quotient = terms.t(Op::IntDiv, &[five, zero]);
        assert!(matches!(solver.value(&terms, quotient), Some(Value::Int(_))));
    }
}

#[test]
fn cores_are_few_assumptions_that_suffice() {
    for backend in backends() {
        let mut terms = Terms::new();
        let mut solver = backend.open();
        let x = terms.fresh_var("x", SortId::INT);
        // Symbols, negated symbols and arbitrary terms, most of them beside the point.
        let mut assumptions = Vec::new();
        for i in 0..6 {
            let p = terms.fresh_var(format!("p{i}"), SortId::BOOL);
            let limit = at_most(&mut terms, x, 10 + i);
            let means = terms.t(Op::Implies, &[p, limit]);
            solver.assert(&terms, means).unwrap();
            assumptions.push(p);
        }
        let q = terms.fresh_var("q", SortId::BOOL);
        let not_q = terms.t(Op::Not, &[q]);
        let limit = at_most(&mut terms, x, 3);
        let either = terms.t(Op::Or, &[q, limit]);
        solver.assert(&terms, either).unwrap();
        let three = terms.int(3);
        let above = terms.t(Op::Lt, &[three, x]);
        assumptions.extend([not_q, above]);
        assert_eq!(solver.check(&terms, &assumptions), Answer::Unsat, "{}", solver.name());
        let core = solver.core();
        assert!(core.iter().all(|t| assumptions.contains(t)), "{}", solver.name());
        assert!(core.contains(&not_q) && core.contains(&above), "{}", solver.name());
        assert_eq!(solver.check(&terms, &core), Answer::Unsat, "{}", solver.name());
        let without: Vec<TermId> = assumptions.iter().copied().filter(|&t| t != above).collect();
        assert_eq!(solver.check(&terms, &without), Answer::Sat, "{}", solver.name());
        assert!(solver.core().is_empty());
    }
}

#[test]
fn an_assumption_that_is_false_is_a_core() {
    for backend in backends() {
        let mut terms = Terms::new();
        let mut solver = backend.open();
        let no = terms.bool(false);
        assert_eq!(solver.check(&terms, &[no]), Answer::Unsat);
        assert_eq!(solver.core(), vec![no], "{}", solver.name());
        assert_eq!(solver.check(&terms, &[]), Answer::Sat);
    }
}

#[test]
fn a_time_limit_is_an_answer() {
    let problems: [fn(&mut Terms) -> TermId; 2] = [hard, hard_bits];
    for build in problems {
        for backend in backends() {
            let mut terms = Terms::new();
            let mut solver = backend.open();
            let problem = build(&mut terms);
            let p = terms.fresh_var("p", SortId::BOOL);
            let guarded = terms.t(Op::Implies, &[p, problem]);
            solver.assert(&terms, guarded).unwrap();
            solver.set_timeout(Some(Duration::from_millis(150)));
            assert_eq!(solver.check(&terms, &[p]), Answer::Unknown(Unknown::Timeout), "{}", solver.name());
            // And it goes on from there.
            solver.set_timeout(None);
            let not_p = terms.t(Op::Not, &[p]);
            assert_eq!(solver.check(&terms, &[not_p]), Answer::Sat, "{}", solver.name());
            assert_eq!(solver.truths(&terms, &[p]), vec![Some(false)], "{}", solver.name());
        }
    }
}

#[test]
fn a_limit_of_work_is_an_answer_that_no_clock_decides() {
    for backend in backends() {
        let mut terms = Terms::new();
        let mut solver = backend.open();
        if !solver.set_work_limit(Some(1_000_000)) {
            continue;
        }
        let problem = hard_bits(&mut terms);
        let p = terms.fresh_var("p", SortId::BOOL);
        let guarded = terms.t(Op::Implies, &[p, problem]);
        solver.assert(&terms, guarded).unwrap();
        assert_eq!(solver.check(&terms, &[p]), Answer::Unknown(Unknown::Timeout), "{}", solver.name());
        // The limit is that of each check, not of all together.
        let not_p = terms.t(Op::Not, &[p]);
        for _ in 0..3 {
            assert_eq!(solver.check(&terms, &[not_p]), Answer::Sat, "{}", solver.name());
        }
        assert!(solver.set_work_limit(None));
        assert_eq!(solver.check(&terms, &[not_p]), Answer::Sat, "{}", solver.name());
    }
    assert!(Z3::new(None).unwrap().set_work_limit(Some(1)), "the default solver counts its work");
}

#[test]
fn an_interrupt_stops_a_running_check_and_sticks() {
    let problems: [fn(&mut Terms) -> TermId; 2] = [hard, hard_bits];
    for build in problems {
        for backend in backends() {
            let mut terms = Terms::new();
            let mut solver = backend.open();
            let p = terms.fresh_var("p", SortId::BOOL);
            let problem = build(&mut terms);
            let guarded = terms.t(Op::Implies, &[p, problem]);
            solver.assert(&terms, guarded).unwrap();
            let interrupter = solver.interrupter();
            let other = interrupter.clone();
            let thread = thread::spawn(move || {
                thread::sleep(Duration::from_millis(150));
                other.interrupt();
            });
            let interrupted = Answer::Unknown(Unknown::Interrupted);
            assert_eq!(solver.check(&terms, &[p]), interrupted, "{}", solver.name());
            thread.join().unwrap();
            assert_eq!(solver.check(&terms, &[]), interrupted, "{}", solver.name());
            interrupter.clear();
            let not_p = terms.t(Op::Not, &[p]);
            assert_eq!(solver.check(&terms, &[not_p]), Answer::Sat, "{}", solver.name());
        }
    }
}

#[test]
fn preprocessing_is_interrupted_too() {
    // Making circuits of thousands of divisions takes long before any search.
    let mut terms = Terms::new();
    let mut solver = Z3::new(None).unwrap();
    let sort = terms.bit_vec_sort(64);
    for _ in 0..1000 {
        let (x, y) = (terms.fresh_var("x", sort), terms.fresh_var("y", sort));
        let (xy, yx) = (terms.t(Op::BvUdiv, &[x, y]), terms.t(Op::BvMul, &[y, x]));
        let differ = terms.t(Op::Distinct, &[xy, yx]);
        solver.assert(&terms, differ).unwrap();
    }
    solver.set_timeout(Some(Duration::from_millis(100)));
    assert_eq!(solver.check(&terms, &[]), Answer::Unknown(Unknown::Timeout));
}

#[test]
fn interrupts_at_any_moment_do_not_change_later_answers() {
    let mut terms = Terms::new();
    let mut solver = Z3::new(None).unwrap();
    let interrupter = solver.interrupter();
    // Pigeons: n + 1 numbers between 1 and n differ from each other, or not.
    let xs: Vec<TermId> = (0..8).map(|i| terms.fresh_var(format!("x{i}"), SortId::INT)).collect();
    let zero = terms.int(0);
    for &x in &xs {
        let above = terms.t(Op::Lt, &[zero, x]);
        solver.assert(&terms, above).unwrap();
    }
    let p = terms.fresh_var("p", SortId::BOOL);
    let differ = terms.t(Op::Distinct, &xs);
    solver.assert(&terms, differ).unwrap();
    for &x in &xs {
        let below = at_most(&mut terms, x, 7);
        let guarded = terms.t(Op::Or, &[p, below]);
        solver.assert(&terms, guarded).unwrap();
    }
    let not_p = terms.t(Op::Not, &[p]);
    for round in 0..30 {
        let other = interrupter.clone();
        let thread = thread::spawn(move || {
            thread::sleep(Duration::from_micros(300 * round));
            other.interrupt();
        });
        let answer = solver.check(&terms, &[not_p]);
        assert!(matches!(answer, Answer::Unsat | Answer::Unknown(Unknown::Interrupted)), "{answer}");
        thread.join().unwrap();
        interrupter.clear();
        assert_eq!(solver.check(&terms, &[p]), Answer::Sat);
    }
    assert_eq!(solver.check(&terms, &[not_p]), Answer::Unsat);
}

#[test]
fn two_hundred_thousand_levels_of_nesting_are_fine() {
    // Older versions of Z3 and cvc5 take minutes for it.
    for backend in backends().into_iter().take(2) {
        let mut terms = Terms::new();
        let mut solver = backend.open();
        let p = terms.fresh_var("p", SortId::BOOL);
        let (one, mut t) = (terms.fresh_var("one", SortId::INT), terms.fresh_var("x", SortId::INT));
        for i in 0..200_000 {
            let leaf = terms.int(i);
            t = terms.t(Op::Ite, &[p, one, t]);
            if i % 2 == 0 {
                t = terms.t(Op::Ite, &[p, t, leaf]);
            }
        }
        let five = terms.int(5);
        let equal = terms.t(Op::Eq, &[t, five]);
        solver.assert(&terms, equal).unwrap();
        solver.assert(&terms, p).unwrap();
        assert_eq!(solver.check(&terms, &[]), Answer::Sat, "{}", solver.name());
        assert_eq!(solver.value(&terms, one), Some(Value::int(5)), "{}", solver.name());
        assert_eq!(solver.value(&terms, t), Some(Value::int(5)), "{}", solver.name());
    }
}

#[test]
fn preferred_booleans_become_true_where_they_can() {
    let mut terms = Terms::new();
    let mut solver = Z3::new(None).unwrap();
    let ps: Vec<TermId> = (0..20).map(|i| terms.fresh_var(format!("p{i}"), SortId::BOOL)).collect();
    // No two neighbours are true together.
    for pair in ps.windows(2) {
        let both = terms.t(Op::And, pair);
        let not_both = terms.t(Op::Not, &[both]);
        solver.assert(&terms, not_both).unwrap();
    }
    let trues = |solver: &mut Z3, terms: &Terms| {
        assert_eq!(solver.check(terms, &[]), Answer::Sat);
        let truths = solver.truths(terms, &ps);
        (0..20).filter(|&i| truths[i] == Some(true)).collect::<Vec<_>>()
    };
    let even: Vec<TermId> = ps.iter().copied().step_by(2).collect();
    let odd: Vec<TermId> = ps.iter().copied().skip(1).step_by(2).collect();
    assert!(solver.prefer(&terms, &even));
    assert_eq!(trues(&mut solver, &terms), (0..20).step_by(2).collect::<Vec<_>>());
    assert!(solver.prefer(&terms, &odd));
    assert_eq!(trues(&mut solver, &terms), (1..20).step_by(2).collect::<Vec<_>>());
    // At another level, where one of them is impossible, and back again.
    solver.push();
    let no = terms.t(Op::Not, &[ps[3]]);
    solver.assert(&terms, no).unwrap();
    let some = trues(&mut solver, &terms);
    assert_eq!(some.iter().filter(|i| *i % 2 == 1).count(), 9, "{some:?}");
    // Terms that are no symbols can be wanted as well.
    let three = terms.t(Op::And, &[ps[2], ps[12]]);
    assert!(solver.prefer(&terms, &[three]));
    let some = trues(&mut solver, &terms);
    assert!(some.contains(&2) && some.contains(&12), "{some:?}");
    solver.pop(1);
    assert!(solver.prefer(&terms, &odd));
    assert_eq!(trues(&mut solver, &terms), (1..20).step_by(2).collect::<Vec<_>>());
    assert!(solver.prefer(&terms, &[]));
    assert_eq!(solver.check(&terms, &[]), Answer::Sat);
    let core_wanted = [ps[4], ps[5]];
    assert!(solver.prefer(&terms, &core_wanted));
    assert_eq!(solver.check(&terms, &core_wanted), Answer::Unsat);
    let mut core = solver.core();
    core.sort();
    assert_eq!(core, core_wanted);
}

#[test]
fn dumped_queries_give_the_same_answers_again() {
    let scratch = Scratch::new("dump");
    let options = Options { dump: Some(scratch.0.clone()), ..Options::default() };
    let mut solver = open(&SolverSpec::Z3, &options).unwrap();
    let mut terms = Terms::new();
    let sort = terms.uninterpreted("a type");
    let map = terms.map_sort(vec![sort, SortId::INT], SortId::INT);
    let m = terms.fresh_var("m|n", map);
    let (e, f) =
        (terms.value(&Value::Element { sort, number: 0 }), terms.value(&Value::Element { sort, number: 1 }));
    let (one, two) = (terms.int(1), terms.int(2));
    let stored = terms.t(Op::Store, &[m, e, one, two]);
    let (at_e, at_f) = (terms.t(Op::Select, &[stored, e, one]), terms.t(Op::Select, &[stored, f, one]));
    let below = terms.t(Op::Lt, &[at_f, at_e]);
    let wrong = terms.t(Op::Lt, &[at_e, one]);
    let mut expected = Vec::new();
    let mut check = |solver: &mut Box<dyn Solver>, terms: &Terms, assumptions: &[TermId]| {
        expected.push(match solver.check(terms, assumptions) {
            Answer::Sat => "sat",
            Answer::Unsat => "unsat",
            Answer::Unknown(why) => panic!("{why}"),
        });
    };
    solver.assert(&terms, below).unwrap();
    check(&mut solver, &terms, &[]);
    check(&mut solver, &terms, &[wrong]);
    solver.push();
    solver.assert(&terms, wrong).unwrap();
    check(&mut solver, &terms, &[below]);
    solver.pop(1);
    check(&mut solver, &terms, &[below]);
    assert_eq!(expected, ["sat", "unsat", "unsat", "sat"]);
    let mut files: Vec<PathBuf> = fs::read_dir(&scratch.0).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    assert_eq!(files.len(), expected.len());
    for (file, expected) in files.iter().zip(&expected) {
        let output = Command::new(z3_program()).arg(file).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), *expected, "{}", file.display());
        assert!(fs::read_to_string(file).unwrap().contains(&format!("(set-info :status {expected})")));
    }
}

#[test]
fn what_cannot_be_written_does_not_change_answers() {
    let scratch = Scratch::new("unwritable");
    let inner = scratch.0.join("inner");
    let mut solver = Logged::new(Z3::new(None).unwrap(), &inner).unwrap();
    fs::remove_dir_all(&inner).unwrap();
    let terms = Terms::new();
    assert_eq!(solver.check(&terms, &[]), Answer::Sat);
    assert!(solver.problem().is_some());
}

#[test]
fn solvers_that_disagree_are_reported() {
    let scratch = Scratch::new("disagree");
    let liar = scratch.script("liar", &fake("echo unsat"));
    let mut solver = CrossChecked::new(Z3::new(None).unwrap(), Process::new(&liar).unwrap());
    let mut terms = Terms::new();
    let p = terms.fresh_var("p", SortId::BOOL);
    solver.assert(&terms, p).unwrap();
    let answer = solver.check(&terms, &[]);
    assert!(matches!(&answer, Answer::Unknown(Unknown::Failed(how)) if how.contains("disagree")), "{answer}");
    let not_p = terms.t(Op::Not, &[p]);
    assert_eq!(solver.check(&terms, &[not_p]), Answer::Unsat);
    let [one] = solver.disagreements() else { panic!("one disagreement") };
    assert_eq!((one.query, &one.primary, &one.secondary), (1, &Answer::Sat, &Answer::Unsat));
}

#[test]
fn solvers_that_agree_answer_as_one() {
    let program = format!("cmd:'{}' -in", z3_program().display());
    let options = Options {
        timeout: Some(Duration::from_secs(20)),
        cross_check: Some(SolverSpec::parse(&program).unwrap()),
        ..Options::default()
    };
    let mut solver = open(&SolverSpec::parse("z3").unwrap(), &options).unwrap();
    let mut terms = Terms::new();
    let x = terms.fresh_var("x", SortId::INT);
    let (low, high) = (at_most(&mut terms, x, 4), {
        let five = terms.int(5);
        terms.t(Op::Le, &[five, x])
    });
    solver.assert(&terms, low).unwrap();
    assert_eq!(solver.check(&terms, &[]), Answer::Sat);
    assert!(solver.value(&terms, x).is_some());
    assert_eq!(solver.check(&terms, &[high]), Answer::Unsat);
    assert_eq!(solver.core(), vec![high]);
}

#[test]
fn broken_solvers_fail_and_say_how() {
    let scratch = Scratch::new("broken");
    let mut terms = Terms::new();
    let p = terms.fresh_var("p", SortId::BOOL);
    let cases = [
        ("dies", "echo ouch >&2; exit 3", "ouch"),
        ("garbage", "echo sat '))))'", "parenthesis"),
        ("nonsense", "echo maybe", "maybe"),
        ("twice", "echo sat; echo unsat", "sat unsat"),
        ("error", "echo '(error \"no logic\")'", "no logic"),
        ("endless", "yes sat", "does not end"),
        ("half", "printf '(sat'; exit 0", "ended"),
        ("deaf", "echo sat; exec sleep 100", "then nothing"),
    ];
    for (name, answer, expected) in cases {
        let command = scratch.script(name, &fake(answer));
        let mut solver = Process::new(&command).unwrap();
        solver.assert(&terms, p).unwrap();
        // It is started again each time.
        for _ in 0..2 {
            let answer = solver.check(&terms, &[]);
            let Answer::Unknown(Unknown::Failed(how)) = &answer else { panic!("{name}: {answer}") };
            assert!(how.contains(expected), "{name}: {how}");
        }
        assert_eq!(solver.value(&terms, p), None);
        assert!(solver.core().is_empty());
    }
}

#[test]
fn a_solver_that_says_nothing_runs_into_the_time_limit() {
    let scratch = Scratch::new("silent");
    let command = scratch.script("silent", &fake("exec sleep 100"));
    let mut solver = Process::new(&command).unwrap();
    let terms = Terms::new();
    solver.set_timeout(Some(Duration::from_millis(100)));
    let start = Instant::now();
    assert_eq!(solver.check(&terms, &[]), Answer::Unknown(Unknown::Timeout));
    assert!(start.elapsed() < Duration::from_secs(60));
}

#[test]
fn a_process_that_was_killed_gets_everything_again() {
    let scratch = Scratch::new("restart");
    // Ends after every third check.
    let program = z3_program();
    let body = format!("exec '{}' -in", program.display());
    let command = scratch.script("z3-restarting", &body);
    let mut solver = Process::new(&command).unwrap();
    let mut terms = Terms::new();
    let p = terms.fresh_var("p", SortId::BOOL);
    let problem = hard(&mut terms);
    let guarded = terms.t(Op::Implies, &[p, problem]);
    solver.assert(&terms, guarded).unwrap();
    let x = terms.fresh_var("x", SortId::INT);
    for level in 0..3 {
        solver.push();
        let limit = at_most(&mut terms, x, level);
        solver.assert(&terms, limit).unwrap();
        solver.set_timeout(Some(Duration::from_millis(50)));
        assert_eq!(solver.check(&terms, &[p]), Answer::Unknown(Unknown::Timeout));
        solver.set_timeout(None);
        let zero = terms.int(0);
        let positive = terms.t(Op::Lt, &[zero, x]);
        assert_eq!(solver.check(&terms, &[positive]), Answer::Unsat);
    }
    solver.pop(3);
    let zero = terms.int(0);
    let positive = terms.t(Op::Lt, &[zero, x]);
    assert_eq!(solver.check(&terms, &[positive]), Answer::Sat);
}

#[test]
fn what_a_solver_cannot_express_is_refused_by_name() {
    for backend in backends() {
        let mut terms = Terms::new();
        let mut solver = backend.open();
        let a = terms.fresh_type_var("alpha");
        let a_sort = terms.mk_sort(Sort::Var(a));
        let x = terms.fresh_var("x", a_sort);
        let equal = terms.t(Op::Eq, &[x, x]);
        let Err(Unsupported(what)) = solver.assert(&terms, equal) else { panic!("a type variable") };
        assert!(what.contains("alpha"), "{what}");
        let map = terms.abstract_map_sort(&[a], &[a_sort], a_sort);
        let m = terms.fresh_var("m", map);
        let equal = terms.t(Op::Eq, &[m, m]);
        assert!(solver.assert(&terms, equal).is_err());
        let binder = Binder {
            kind: BinderKind::Forall,
            type_vars: vec![a],
            vars: vec![],
            triggers: vec![],
            nopats: 0,
            weight: None,
        };
        let yes = terms.bool(true);
        let all = terms.bind(binder, yes, &[], &[]);
        assert!(solver.assert(&terms, all).is_err());
        let unknown = terms.builtin("fp.nonsense", &[SortId::INT], SortId::BOOL);
        let one = terms.int(1);
        let nonsense = terms.t(Op::Apply(unknown), &[one]);
        let answer = solver.check(&terms, &[nonsense]);
        assert!(matches!(answer, Answer::Unknown(Unknown::Unsupported(_) | Unknown::Failed(_))), "{answer}");
    }
}

#[test]
fn incomplete_theories_are_not_failures() {
    for backend in backends() {
        let mut terms = Terms::new();
        let mut solver = backend.open();
        let f = terms.func("f", &[SortId::INT, SortId::INT], SortId::INT);
        let (x, y) = (terms.fresh_symbol("x", SortId::INT), terms.fresh_symbol("y", SortId::INT));
        let (xt, yt) = (terms.var(x), terms.var(y));
        let (fxy, fyx) = (terms.t(Op::Apply(f), &[xt, yt]), terms.t(Op::Apply(f), &[yt, xt]));
        let product = terms.t(Op::Mul, &[fxy, fxy, fyx]);
        let sum = terms.t(Op::Add, &[xt, product]);
        let body = terms.t(Op::Lt, &[sum, fyx]);
        let all = terms.forall(&[x, y], body, &[vec![fxy]]);
        solver.assert(&terms, all).unwrap();
        solver.set_timeout(Some(Duration::from_secs(2)));
        let answer = solver.check(&terms, &[]);
        assert!(
            matches!(answer, Answer::Unsat | Answer::Unknown(Unknown::Incomplete(_) | Unknown::Timeout)),
            "{}: {answer}",
            solver.name()
        );
    }
}

#[test]
fn a_refuter_proves_by_triggers_and_gives_up_at_once() {
    let mut terms = Terms::new();
    let mut solver = Z3::with_profile(None, Profile::Refute).unwrap();
    let f = terms.func("f", &[SortId::INT], SortId::INT);
    let x = terms.fresh_symbol("x", SortId::INT);
    let xt = terms.var(x);
    let fx = terms.t(Op::Apply(f), &[xt]);
    let ffx = terms.t(Op::Apply(f), &[fx]);
    // No finite table is a model of this.
    let growing = terms.t(Op::Lt, &[ffx, fx]);
    let all = terms.forall(&[x], growing, &[vec![ffx]]);
    solver.assert(&terms, all).unwrap();
    let c = terms.fresh_var("c", SortId::INT);
    let fc = terms.t(Op::Apply(f), &[c]);
    let ffc = terms.t(Op::Apply(f), &[fc]);
    let contrary = terms.t(Op::Le, &[fc, ffc]);
    assert_eq!(solver.check(&terms, &[contrary]), Answer::Unsat);
    assert!(!solver.candidate());
    let seven = terms.int(7);
    let possible = terms.t(Op::Eq, &[fc, seven]);
    let answer = solver.check(&terms, &[possible]);
    assert!(matches!(answer, Answer::Unknown(Unknown::Incomplete(_))), "{answer}");
    assert_eq!(solver.value(&terms, fc), None, "a candidate is not read by accident");
    assert!(solver.candidate());
    assert_eq!(solver.value(&terms, fc), Some(Value::int(7)));
}

#[test]
fn strict_bounds_in_quantifiers_have_models() {
    for op in [Op::Gt, Op::Ge] {
        let mut terms = Terms::new();
        let mut solver = Z3::new(None).unwrap();
        let f = terms.func("f", &[SortId::INT], SortId::INT);
        let x = terms.fresh_symbol("x", SortId::INT);
        let xt = terms.var(x);
        let fx = terms.t(Op::Apply(f), &[xt]);
        let above = terms.mk(op, [fx, xt], SortId::BOOL);
        let all = terms.forall(&[x], above, &[vec![fx]]);
        solver.assert(&terms, all).unwrap();
        let c = terms.fresh_var("c", SortId::INT);
        let fc = terms.t(Op::Apply(f), &[c]);
        let possible = terms.t(Op::Lt, &[c, fc]);
        assert_eq!(solver.check(&terms, &[possible]), Answer::Sat);
    }
}

#[test]
fn specs_are_read_as_they_are_written() {
    for text in ["z3", "cmd:cvc5 --incremental"] {
        assert_eq!(SolverSpec::parse(text).unwrap().to_string(), text);
    }
    for text in ["", "cmd:", "z4", "Z3 "] {
        assert!(SolverSpec::parse(text).is_err(), "{text}");
    }
    let missing = SolverSpec::parse("cmd:/no/such/program").unwrap();
    let Err(e) = open(&missing, &Options::default()) else { panic!("no such program") };
    assert!(e.to_string().contains("/no/such/program"));
}

#[test]
fn answers_are_said_in_words() {
    let words = Answer::Unknown(Unknown::Incomplete("incomplete quantifiers".to_owned())).to_string();
    assert_eq!(words, "unknown: the solver could not decide it (incomplete quantifiers)");
    assert_eq!(Answer::Unsat.to_string(), "unsatisfiable");
    assert!(Z3::new(Some(7)).unwrap().name().starts_with("Z3 5.4."));
}
