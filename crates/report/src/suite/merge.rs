//! Reports of shards or of work units, merged: what one run would have said.
//!
//! Each function is in one shard, so its results are taken as they are and put in the order of all functions; then what the tests of
//! all shards show of it is counted ([`footpath_driver::shard::join`]), as at the end of a whole run. Notes that several shards have are told once.
//! The time is that of the slowest shard.
//!
//! Example: shard 1 tests `outer`, which calls `inner`; shard 2 finds no test for a block of `inner` that a test of `outer` passes.
//! The block is open in the report of shard 2, and covered in the merged one.
//!
//! Work units may overlap, as one that had too little time is followed by another one. Of the results of one function the one that leaves
//! less open is taken, and the claims of the others are counted in its ledger.
//!
//! **Direction of error.** That of the parts. Shards are refused unless each of them is there once and all of them split the
//! same functions in the same way, and units unless each function was given to one of them; that their options agree is for the caller
//! to check, who can read command lines.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use footpath_driver::{CrossEvidence, FunctionResult, Part, Run, Shard, recalled_note, shard};
use footpath_ir::source::SourceMap;

use super::read::Loaded;

/// Why reports cannot be merged: the number of the report that does not fit, from 0, and a sentence about it.
pub type Misfit = (usize, String);

/// What parts of a run found together.
pub struct Merged {
    /// What was found.
    pub run: Run,
    /// Whether the user ended one of them early.
    pub interrupted: bool,
    /// The time of the slowest one.
    pub elapsed: Duration,
}

/// Merges reports; `names` are theirs in messages.
///
/// # Errors
/// The first report that does not fit the others.
pub fn merge(reports: Vec<Loaded>, names: &[String], sources: SourceMap) -> Result<Merged, Misfit> {
    let parts = fitting(&reports, names)?;
    let all = parts.first().map_or(0, |part| part.functions);
    let mut evidence = CrossEvidence::default();
    let mut functions: BTreeMap<usize, (usize, FunctionResult)> = BTreeMap::new();
    let mut notes: Vec<String> = Vec::new();
    let (mut interrupted, mut elapsed, mut whole) = (false, Duration::ZERO, None);
    for ((number, loaded), part) in reports.into_iter().enumerate().zip(parts) {
        let mut run = loaded.run;
        let counted = recalled_note(&run.functions);
        for (position, function) in part.positions.into_iter().zip(std::mem::take(&mut run.functions)) {
            if position >= all {
                return Err((
                    number,
                    format!("{} is said to be function {position} of {all}", function.name),
                ));
            }
            let function = match functions.remove(&position) {
                Some((other, known)) if part.shard.is_some() => {
                    let (one, other) = (&function.name, &names[other]);
                    return Err((number, format!("{one} stands where {} stands in {other}", known.name)));
                }
                Some((other, known)) => shard::combine(known, function)
                    .map_err(|why| (number, format!("{why} in {}", names[other])))?,
                None => function,
            };
            functions.insert(position, (number, function));
        }
        evidence.add(part.evidence);
        // Those of the store are counted anew.
        let said = |note: &String| notes.contains(note) || counted.as_ref() == Some(note);
        let new: Vec<String> = run.notes.iter().filter(|note| !said(note)).cloned().collect();
        notes.extend(new);
        interrupted |= loaded.interrupted;
        elapsed = elapsed.max(loaded.elapsed);
        whole = whole.or(Some(run));
    }
    // All shards read all files.
    let Some(mut run) = whole else { return Err((0, "there is no report".to_owned())) };
    let positions: Vec<usize> = functions.keys().copied().collect();
    let mut functions: Vec<FunctionResult> = functions.into_values().map(|(_, function)| function).collect();
    shard::join(&mut functions, &positions, &evidence);
    if let Some(missed) = &mut run.missed {
        missed.settle(&functions);
    }
    notes.extend(recalled_note(&functions));
    let known = functions.iter().map(|f| f.name.clone()).collect();
    let run = Run { functions, known, notes, sources, part: None, ..run };
    Ok(Merged { run, interrupted, elapsed })
}

/// What the parts say of themselves, if they are of one run and make up all of it.
fn fitting(reports: &[Loaded], names: &[String]) -> Result<Vec<Part>, Misfit> {
    let mut parts: Vec<Part> = Vec::new();
    let mut given: BTreeMap<u32, usize> = BTreeMap::new();
    for (number, report) in reports.iter().enumerate() {
        let Some(part) = report.run.part.clone() else {
            return Err((number, "this is the report of a whole run, not of a shard".to_owned()));
        };
        let functions = part.functions;
        let is_some = |shard: Shard| shard.number > 0 && shard.number <= shard.of;
        let asked: BTreeSet<usize> = part.asked.iter().copied().collect();
        let is_asked = |position: &usize| asked.contains(position);
        if !part.shard.is_none_or(is_some)
            || part.positions.len() != report.run.functions.len()
            || !part.positions.iter().all(is_asked)
        {
            return Err((number, format!("this report contradicts itself about being {}", said(part.shard))));
        }
        let (first, name) = (parts.first().unwrap_or(&part), &names[0]);
        if first.shard.map(|shard| shard.of) != part.shard.map(|shard| shard.of) {
            let of = first
                .shard
                .map_or_else(|| "a work unit".to_owned(), |shard| format!("one of {} shards", shard.of));
            return Err((number, format!("this is {}, but {name} is {of}", said(part.shard))));
        }
        if let Some(shard) = part.shard
            && let Some(other) = given.insert(shard.number, number)
        {
            return Err((number, format!("this is shard {shard}, and so is {}", names[other])));
        }
        if report.run.listed != reports[0].run.listed || first.functions != functions {
            let what = if part.shard.is_some() { "shard" } else { "work unit" };
            let why = format!("this {what} is of other sources than {name}: the files with functions differ");
            return Err((number, why));
        }
        if first.split != part.split {
            let why = match part.shard {
                Some(_) => format!(
                    "the functions were split in another way than in {name}: shards need the same sources and the same --balance-by"
                ),
                None => format!("this work unit is of other functions than {name}"),
            };
            return Err((number, why));
        }
        parts.push(part);
    }
    let Some(of) = parts.first().and_then(|part| part.shard).map(|shard| shard.of) else {
        return all_asked(&parts).map(|()| parts);
    };
    let missing: Vec<String> =
        (1..=of).filter(|n| !given.contains_key(n)).take(10).map(|n| format!("{n}/{of}")).collect();
    if !missing.is_empty() {
        let (shards, are) = if missing.len() == 1 { ("shard", "is") } else { ("shards", "are") };
        let why =
            format!("this is one of {of} shards, of which {shards} {} {are} missing", missing.join(", "));
        return Err((0, why));
    }
    Ok(parts)
}

fn said(shard: Option<Shard>) -> String {
    shard.map_or_else(|| "a work unit".to_owned(), |shard| format!("shard {shard}"))
}

/// Whether each function was given to a work unit.
fn all_asked(units: &[Part]) -> Result<(), Misfit> {
    let all = units.first().map_or(0, |unit| unit.functions);
    let asked: BTreeSet<usize> = units.iter().flat_map(|unit| &unit.asked).copied().collect();
    let missing = (0..all).filter(|position| !asked.contains(position)).count();
    let is_all = missing == 0;
    is_all.then_some(()).ok_or_else(|| {
        (0, format!("this is a work unit of a run over {all} functions, of which {missing} are in no report"))
    })
}
