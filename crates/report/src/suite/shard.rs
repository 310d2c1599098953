//! What a shard says of itself in JSON, written and read.

use std::collections::BTreeMap;

use footpath_driver::{CrossEvidence, Part};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A part of a run: a shard or a work unit. What its tests show of functions counts in no verdict of this report, only in those of the merged one.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Shard {
    /// Which shard, from 1; null for a work unit.
    pub number: Option<u32>,
    /// How many shards there are; null for a work unit.
    pub of: Option<u32>,
    /// How many functions all parts have together.
    pub functions: usize,
    /// The positions of the functions that it was to do among those, from 0.
    pub asked: Vec<usize>,
    /// The position of each function of this report among those, from 0.
    pub positions: Vec<usize>,
    /// A digest of which function is in which shard; for a work unit, of all functions.
    pub split: String,
    /// What its tests passed.
    pub passed: Vec<Passed>,
    /// The failures that functions cause, whatever their callers pass.
    pub caused: Vec<Caused>,
}

/// What tests passed in a function.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Passed {
    /// The position of the function.
    pub function: usize,
    /// The positions of the objectives in it that tests passed in which nothing fails.
    pub clean: Vec<usize>,
    /// Those of the others.
    pub failing: Vec<usize>,
}

/// A failure that another function causes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct Caused {
    /// The position of the function that fails.
    pub function: usize,
    /// The position of the objective in it.
    pub objective: usize,
    /// The position of the function that causes it.
    pub by: usize,
    /// Its name.
    pub name: String,
}

impl Shard {
    /// What a shard says of itself.
    pub(crate) fn of(part: &Part) -> Shard {
        let mut passed: BTreeMap<usize, Passed> = BTreeMap::new();
        for (&(function, objective), &is_clean) in &part.evidence.passed {
            let nothing = || Passed { function, clean: Vec::new(), failing: Vec::new() };
            let passed = passed.entry(function).or_insert_with(nothing);
            if is_clean { &mut passed.clean } else { &mut passed.failing }.push(objective);
        }
        let caused = part.evidence.caused.iter().map(|(&(function, objective), (by, name))| Caused {
            function,
            objective,
            by: *by,
            name: name.clone(),
        });
        Shard {
            number: part.shard.map(|shard| shard.number),
            of: part.shard.map(|shard| shard.of),
            functions: part.functions,
            asked: part.asked.clone(),
            positions: part.positions.clone(),
            split: part.split.clone(),
            passed: passed.into_values().collect(),
            caused: caused.collect(),
        }
    }

    /// What a shard says of itself, read back.
    pub(crate) fn part(&self) -> Part {
        let mut evidence = CrossEvidence::default();
        for Passed { function, clean, failing } in &self.passed {
            evidence.passed.extend(clean.iter().map(|&objective| ((*function, objective), true)));
            evidence.passed.extend(failing.iter().map(|&objective| ((*function, objective), false)));
        }
        for Caused { function, objective, by, name } in &self.caused {
            evidence.caused.insert((*function, *objective), (*by, name.clone()));
        }
        Part {
            shard: self.number.zip(self.of).map(|(number, of)| footpath_driver::Shard { number, of }),
            asked: self.asked.clone(),
            positions: self.positions.clone(),
            functions: self.functions,
            split: self.split.clone(),
            evidence,
        }
    }
}
