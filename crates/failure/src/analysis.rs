//! From the program to the answer: callees first, then the procedure itself, then the condition over its inputs.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use footpath_ir::{ProcId, Program};
use footpath_simplify::Dnf;
use footpath_term::{Op, SymbolId};
use footpath_transform::Standins;
use footpath_transform::prepare::Role;
use rustc_hash::FxHashSet;

use crate::hoist::Hoist;
use crate::options::{Calls, Options};
use crate::partition::{Goal, cut};
use crate::result::{Analysis, Error, Exactness};
use crate::tools::Tools;
use crate::{Classes, callees, witness};

/// See [`crate::analyse`].
pub(crate) fn analyse(
    program: &Program,
    root: (ProcId, u32),
    options: &Options,
    classes: Classes<'_>,
    stop: &AtomicBool,
) -> Result<Analysis, Error> {
    let started = Instant::now();
    let tools = Tools::new(program, options, stop)?;
    let (mut tools, standins, callees) = match options.calls {
        Calls::Inlined => (tools, Standins::default(), Vec::new()),
        Calls::Instantiated => callees::summarise(tools, root, classes)?,
    };
    let cut = cut(&mut tools, root, Role::Root, Goal::Fails, classes, &standins);
    let mut hoist = Hoist::new(tools, cut);
    hoist.solve(None)?;
    let mut analysis = finish(hoist, root);
    analysis.callees = callees;
    if options.tests {
        witness::add(program, root, options, classes, &mut analysis)?;
    }
    analysis.time = started.elapsed();
    Ok(analysis)
}

fn finish(mut hoist: Hoist<'_>, (procedure, body): (ProcId, u32)) -> Analysis {
    let params = hoist.tools.program[procedure].bodies[body as usize].params.iter();
    let inputs: FxHashSet<SymbolId> = params.map(|v| v.symbol).collect();
    let entry = hoist.at_entry(&inputs);
    let premise = hoist.premise(&inputs);
    let (exactness, loops) = (hoist.exactness(), hoist.loops());
    let Hoist { tools, points, rounds, notes, .. } = hoist;
    let Tools { mut terms, mut simplifier, .. } = tools;
    let context = premise.term(&mut terms);
    simplifier.assume(vec![context]);
    let condition = simplifier.simplify(&mut terms, &entry);
    let condition = simplifier.in_words(&mut terms, &condition);
    let passes = (exactness == Exactness::Exact).then(|| {
        let whole = condition.term(&mut terms);
        let not = terms.app(Op::Not, [whole]);
        let raw = Dnf::of(&mut terms, not);
        let short = simplifier.simplify(&mut terms, &raw);
        simplifier.in_words(&mut terms, &short)
    });
    Analysis {
        terms,
        condition,
        passes,
        premise,
        exactness,
        loops,
        segments: points.len(),
        rounds,
        callees: Vec::new(),
        tests: Vec::new(),
        checked: 0,
        queries: simplifier.queries,
        time: Duration::ZERO,
        notes,
    }
}
