//! Test suites: the tests of all functions in a C source go into one file, which includes the source once.
//!
//! **Idea.** While functions are analysed, their tests are built in batches (`batches.rs`). When all are done, what ran is
//! written for the user, by the same emitter: a file for each source, with the tests of its functions one after the other.
//! Names of tests are unique there, and the compiler is asked whether it accepts the file. If it does not, each function gets
//! a file of its own: its tests were built before, so what stands in the way is that two functions' tests do not fit together,
//! as when both declare one variable of another file with different types.
//!
//! Example: `ring.c` with `ring_put` and `ring_get` becomes `test_ring.c`; the second test of `ring_get` is number 7 there, and
//! `test_ring ring_get 2` runs it.
//!
//! **Direction of error.** None: a test does the same in each file, as it runs in a process of its own, and what is covered was
//! counted before.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

use footpath_frontend::c::{Harness, LoweredFunction};
use footpath_replay::{Case, FunctionTests, compiles, plain_name, test_text};
use rustc_hash::FxHashMap;

use crate::context::Context;
use crate::result::FunctionResult;
use crate::strategy::native_execution::{save, source_name, suite};
use crate::strategy::seeds::fuzz_target;
use crate::workers::in_parallel;

/// The tests of functions, by the functions' numbers.
pub(crate) type Cases = FxHashMap<usize, Vec<Case>>;

/// The functions of a source that have tests: where their results are, what they are, and the tests.
struct Tested<'a> {
    position: usize,
    function: &'a LoweredFunction,
    harness: &'a Harness,
    cases: Vec<Case>,
}

/// Writes the tests of functions, and says in their results where these are.
pub(crate) fn write(context: &Context, functions: &mut [(usize, FunctionResult)], mut cases: Cases) {
    let mut by_source: BTreeMap<u32, Vec<Tested>> = BTreeMap::new();
    for (position, (index, _)) in functions.iter().enumerate() {
        let function = &context.compiled.lowered.functions[*index];
        if let (Some(cases), Ok(harness)) = (cases.remove(index), &function.harness)
            && !cases.is_empty()
        {
            let tested = Tested { position, function, harness, cases };
            by_source.entry(function.function.module).or_default().push(tested);
        }
    }
    for (&module, tested) in &mut by_source {
        name_apart(tested, context.compiled.words(module));
    }
    if context.options.emits_corpora {
        for one in by_source.values().flatten() {
            let result = &mut functions[one.position].1;
            let tests = (one.harness, &one.cases[..]);
            result.fuzz = Some(fuzz_target(context, one.function, tests, &mut result.notes));
        }
    }
    let groups: Vec<(u32, Vec<Tested>)> = by_source.into_iter().collect();
    let numbers: Vec<usize> = (0..groups.len()).collect();
    // Also what was found when a run is stopped is written.
    let go_on = AtomicBool::new(false);
    let fit =
        in_parallel(&numbers, context.options.jobs, &go_on, &|i| fits(context, groups[i].0, &groups[i].1));
    let mut used = BTreeSet::new();
    for ((module, tested), (_, fits)) in groups.iter().zip(fit) {
        let source = source_name(context.compiled, *module);
        if fits {
            save_suite(context, *module, &free_name(&source, &mut used), tested, functions);
            continue;
        }
        for one in tested {
            let name = free_name(&format!("{source}_{}", one.function.name), &mut used);
            save_suite(context, *module, &name, std::slice::from_ref(one), functions);
        }
    }
}

/// Gives tests other names that have the same as one of another function.
fn name_apart(tested: &mut [Tested], taken: &BTreeSet<String>) {
    let mut used: BTreeSet<String> = BTreeSet::new();
    for case in tested.iter_mut().flat_map(|tested| &mut tested.cases) {
        while !used.insert(case.name.clone()) || taken.contains(&case.name) {
            case.name.push('_');
        }
    }
}

fn tests_of<'a>(tested: &'a [Tested]) -> Vec<FunctionTests<'a>> {
    let tests =
        |t: &'a Tested| FunctionTests { function: &t.function.name, harness: t.harness, cases: &t.cases };
    tested.iter().map(tests).collect()
}

/// Whether the tests of these functions can be in one file.
fn fits(context: &Context, module: u32, tested: &[Tested]) -> bool {
    let file = suite(context, module, &tests_of(tested));
    let folder = context.options.out.join("work");
    tested.len() < 2 || compiles(&context.compiled.compilers[module as usize], &folder, &file).is_ok()
}

/// A name for a suite that none of the files of others has.
fn free_name(wanted: &str, used: &mut BTreeSet<String>) -> String {
    let mut name = plain_name(&format!("test_{wanted}"));
    let files = |name: &str| ["", "_stubs", "_runner"].map(|ending| format!("{name}{ending}"));
    while files(&name).iter().any(|file| used.contains(file)) {
        name.push('_');
    }
    used.extend(files(&name));
    name
}

/// Writes the tests of functions into one file. What cannot be written is said in their results.
fn save_suite(
    context: &Context,
    module: u32,
    name: &str,
    tested: &[Tested],
    functions: &mut [(usize, FunctionResult)],
) {
    let file = suite(context, module, &tests_of(tested));
    let saved = save(context, name, &file);
    let mut number = 0;
    for Tested { position, cases, .. } in tested {
        let result = &mut functions[*position].1;
        match &saved {
            Ok(path) => result.file = Some(path.clone()),
            Err(why) => result.notes.push(why.clone()),
        }
        for (i, test) in result.tests.iter_mut().enumerate() {
            test.inputs = test_text(&file.tests, number + i + 1).unwrap_or_default();
        }
        number += cases.len();
    }
}
