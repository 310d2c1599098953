//! Random testing: the concrete phase, in which runs without symbolic values are made on random inputs before the
//! first solver query.
//!
//! They cover what is easy. A run that shows something new is repeated with symbolic values, and later inputs are
//! mutations of its inputs.

use std::time::Instant;

use footpath_ir::interp::{RandomOracle, Script};
use footpath_virtual_time::Deadline;

use super::Search;
use crate::input_mutation::{Dice, Drawn};
use crate::machine::RunResult;
use crate::options::Strategy;
use crate::report::ExploreError;

/// Concrete runs without anything new after which that phase ends.
const PATIENCE: u32 = 200;
/// Statements and jumps of the concrete phase, all runs together.
const CONCRETE_STEPS: u64 = 20_000_000;
/// Its share of the time: where values are no words, steps are slow.
const CONCRETE_SHARE: f64 = 0.1;
/// How many inputs that covered something are kept to be changed.
const POOL: usize = 64;

impl Search<'_> {
    /// Makes a run without symbolic values, whose hits of bounds are not counted, as they say nothing about the paths
    /// of the exploration.
    pub(super) fn without_symbolic_values(&mut self, run: impl FnOnce(&mut Self) -> RunResult) -> RunResult {
        let hits = self.hits.clone();
        let started = Instant::now();
        let result = run(self);
        self.statistics.concrete_time += started.elapsed();
        self.statistics.concrete_runs += 1;
        self.statistics.concrete_steps += result.steps;
        self.statistics.steps += result.steps;
        self.hits = hits;
        result
    }

    /// Whether search-based testing is used: as a part of the concrete phase, or by the fitness strategy.
    pub(super) fn descends(&self) -> bool {
        !self.constrained && (self.options.random_runs > 0 || self.options.strategy == Strategy::Fitness)
    }

    /// Whether distances are measured.
    pub(super) fn uses_distances(&self) -> bool {
        self.descends() || matches!(self.options.strategy, Strategy::Fitness | Strategy::Mix)
    }

    /// Runs on drawn inputs.
    pub(super) fn concrete(&mut self) -> Result<(), ExploreError> {
        let mut oracle = RandomOracle::of(self.setup.interpreter, self.options.seed);
        let mut dice = Dice::new(self.options.seed);
        let given = self.options.start != Script::default();
        let mut pool: Vec<Script> = Vec::from_iter(given.then(|| self.options.start.clone()));
        let (mut idle, mut steps) = (0, 0);
        let end = self.options.bounds.time.map(|time| Deadline::after(time.mul_f64(CONCRETE_SHARE)));
        for i in 0..self.options.random_runs {
            let late = end.is_some_and(Deadline::is_over);
            if late || idle >= PATIENCE || steps >= CONCRETE_STEPS || self.is_done() || self.is_over() {
                break;
            }
            let base = if given || i % 2 == 1 { pool.get(dice.below(pool.len())).cloned() } else { None };
            let mut source = Drawn::new(&mut oracle, &mut dice, base.as_ref());
            let result = self.without_symbolic_values(|search| search.execute(&mut source, false));
            oracle.take_script();
            steps += result.steps;
            idle += 1;
            if self.is_news(&result) {
                idle = 0;
                if pool.len() < POOL {
                    pool.push(result.script.clone());
                }
                self.run_script(&result.script)?;
            }
        }
        Ok(())
    }
}
