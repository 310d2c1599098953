//! What induction says that no run of a harness comes to, no run comes to.
//!
//! Random C functions walk over lists, rightly and wrongly: they turn links round, make nodes and free them, forget to look
//! whether a pointer is null. Every place of theirs is asked about, and then looked for by a concolic search from the same
//! harness. Needs a clang.
//!
//! `FOOTPATH_PROGRAMS` says how many files of functions there are, `FOOTPATH_SEED` asks for a single one.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::support::lowered;
use fastrand::Rng;
use footpath_concolic as concolic;
use footpath_concolic::{Bounds, GoalScope};
use footpath_frontend::c;
use footpath_ir::Origin;
use footpath_verify::never_from_harness;

const HEAD: &str = "\
#include <stdlib.h>
struct node { int value; struct node *next; };
";

/// A statement about the pointers `p`, `q` and `r`, the first of which a loop goes along with.
fn statement(rng: &mut Rng) -> &'static str {
    let statements = [
        "s += p->value & 7;",
        "q = p;",
        "r = q;",
        "q = r ? r->next : p;",
        "if (q) q->value = n;",
        "if (p->value == n) found = q;",
        "if (p->next) { s ^= p->next->value; }",
        "if (q && q->next == p) r = q;",
        "if (p->value > 100) p->next = r;",
        "p->next = q;",
        "if (r) r->next = p;",
        "if (s == 3) q = p->next->next;",
        "if (n == 4) { free(q); q = 0; }",
        "if (n == 5 && !r) { r = malloc(sizeof *r); if (!r) return 0; r->value = n; r->next = 0; }",
        "if (r == p && q == p) s = 1;",
        "if (found && !found->next) s = 2;",
    ];
    statements[rng.usize(..statements.len())]
}

fn file(seed: u64, functions: u32) -> String {
    let mut rng = Rng::with_seed(seed);
    let mut text = HEAD.to_owned();
    for number in 0..functions {
        let mut body = String::new();
        for _ in 0..rng.usize(1..4) {
            body += &format!("        {}\n", statement(&mut rng));
        }
        let (head, step) = match rng.u32(0..4) {
            0 => ("while (p && p->next)", "p = p->next;"),
            1 => ("for (; p && i < 20; i++)", "p = p->next;"),
            2 => ("while (p)", "{ struct node *t = p->next; if (n > 9) p->next = q; p = t; }"),
            _ => ("while (p)", "p = p->next;"),
        };
        text += &format!(
            "int f{number}(struct node *p, struct node *r, int n)\n{{\n    struct node *q = 0, *found = 0;\n    \
             int s = 0, i = 0;\n    {head} {{\n{body}        {step}\n    }}\n    \
             if (q && q->value == 1) s++;\n    return found ? s + i : s;\n}}\n"
        );
    }
    text
}

/// Functions in a file.
const FUNCTIONS: u32 = 2;

/// How many places were excluded, and how many were reached.
fn check_file(seed: u64) -> (usize, usize) {
    let text = file(seed, FUNCTIONS);
    let lowered = lowered(&format!("harness-{seed}"), &text, &c::Options::default());
    let (mut excluded, mut reached) = (0, 0);
    for function in &lowered.functions {
        let Ok(harness) = &function.harness else { continue };
        // No bound on time: where the search comes to must not depend on what else the machine does.
        let bounds = Bounds { runs: 40, nodes: 400, steps: 400, ..Bounds::default() };
        let options = concolic::Options {
            bounds,
            seed,
            goals_in: GoalScope::Procedures(vec![function.procedure]),
            ..concolic::Options::default()
        };
        let never = AtomicBool::new(false);
        let found = concolic::explore(&lowered.program, harness.widest(), 0, &options, &never, &|_| {});
        let goals = found.expect("a search").goals;
        let places: Vec<Origin> = goals.iter().map(|g| g.origin).collect();
        let excludes = never_from_harness(&lowered, function, &places, Duration::from_secs(20));
        excluded += excludes.len();
        for goal in goals.iter().filter(|g| g.visited || g.covered_by.is_some()) {
            reached += 1;
            assert!(
                !excludes.contains(&goal.origin),
                "seed {seed}, {}: a run comes to {} at {:?}\n{text}",
                function.name,
                goal.name,
                goal.origin
            );
        }
    }
    (excluded, reached)
}

#[test]
fn no_run_of_a_harness_comes_to_what_is_excluded() {
    let number = |name: &str| std::env::var(name).ok().map(|n| n.parse::<u64>().expect("a number"));
    let seeds = match number("FOOTPATH_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("FOOTPATH_PROGRAMS").unwrap_or(2),
    };
    let many = seeds.end - seeds.start >= 2;
    let (mut excluded, mut reached) = (0, 0);
    for seed in seeds {
        let of_file = check_file(seed);
        excluded += of_file.0;
        reached += of_file.1;
    }
    assert!(!many || (excluded > 5 && reached > 20), "too little happens: {excluded}, {reached}");
}
