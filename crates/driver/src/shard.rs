//! Shards: one run cut into parts, each for a machine of its own.
//!
//! **Idea.** A function goes to a shard by *rendezvous hashing* (Thaler, Ravishankar: Using Name-Based Mappings to Increase Hit Rates,
//! IEEE/ACM Transactions on Networking, 1998): each shard has a rank for it, which depends on the function's file and name and on the
//! number of the shard, and the highest rank wins. So no machine asks another one, and functions that come or go move no other function.
//! Where a report of an earlier run says what functions cost, these are dealt out first, the dearest first, each to the shard of
//! the highest rank that has room: no more than a tenth above its part of the whole (Mirrokni, Thorup, Zadimoghaddam: Consistent
//! Hashing with Bounded Loads, SODA 2018). Functions that the report does not know go by rank alone, and move none that it knows.
//!
//! Example: of `f`, `g` and `h` that took 8 s, 1 s and 1 s, one of two shards has `f` alone, whatever the ranks of `g` and `h` say.
//!
//! A shard compiles and lowers all files as a whole run does, so that its functions have their callees; of harnesses it has those of its
//! functions only. What its tests show of *other*
//! functions ([`CrossEvidence`]) is not counted by the shard but written down, for its own functions, too: whoever has all shards
//! settles it at once, in a ledger for each function, as a whole run does. So evidence of one shard counts in all, and a test of one shard
//! that passes what another one proved to be unreachable is a contradiction, like any other.
//!
//! A *work unit* is a part whose functions somebody else has chosen, such as a scheduler of a cluster: it names them, and several units may
//! name the same one, for example because there was too little time in the first. Of such a function the result that leaves less open
//! is taken, and what the other ones prove and reach is counted as well ([`combine`]).
//!
//! **Deviation.** Loads are bounded by cost, not by number, and only known functions count.
//!
//! **Direction of error.** A shard by itself says less than a whole run, never more. That all shards were dealt the same hand is for
//! the one who merges to check, by [`Part::split`].

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use footpath_frontend::c::LoweredFunction;
use footpath_ir::Origin;
use footpath_ir::source::SourceMap;
use footpath_summaries::digest;
use footpath_verdict::{Claim, Evidence, GoalId, Method, Premise, Verdict};
use rustc_hash::FxHashMap;

use crate::compile::Compiled;
use crate::objectives::Target;
use crate::result::{Class, FailureClass, FunctionResult};
use crate::strategy::replay::CoverageHits;
use crate::{Options, portability};

/// The largest number of shards.
const MOST: u32 = 10_000;

/// One of the parts of a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Shard {
    /// Which one, from 1.
    pub number: u32,
    /// How many there are.
    pub of: u32,
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    /// Reads `K/N`.
    fn from_str(text: &str) -> Result<Shard, String> {
        let wrong = || format!("`{text}` is no shard; write K/N, for example 2/8 for the second of eight");
        let (number, of) = text.split_once('/').ok_or_else(wrong)?;
        let shard =
            Shard { number: number.parse().map_err(|_| wrong())?, of: of.parse().map_err(|_| wrong())? };
        match shard {
            Shard { of: 0, .. } => Err("there is no shard of none".to_owned()),
            Shard { number: 0, .. } => Err("shards are counted from 1".to_owned()),
            Shard { number, of } if number > of => Err(format!("there is no shard {number} of {of}")),
            Shard { of, .. } if of > MOST => Err(format!("there are {MOST} shards at most")),
            _ => Ok(shard),
        }
    }
}

/// Which function it is: its file, as it is named in the project, and its name.
pub type Identity = (String, String);

/// What functions cost in an earlier run.
pub type Costs = BTreeMap<Identity, Duration>;

/// Functions that a work unit names.
pub type Unit = BTreeSet<Identity>;

/// What a part of a run says beside its functions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Which shard it is; `None` for a work unit.
    pub shard: Option<Shard>,
    /// The positions of the functions that it was to do, among those of all parts.
    pub asked: Vec<usize>,
    /// For each function of its report, its position among those of all parts.
    pub positions: Vec<usize>,
    /// How many functions all parts have together.
    pub functions: usize,
    /// A digest of which function is in which shard; for a work unit, of all functions.
    pub split: String,
    /// What its tests show of functions.
    pub evidence: CrossEvidence,
}

/// Which of the functions in `work` are in the part that options ask for, with what the part is to say of itself; all of them for
/// a whole run.
pub(crate) fn selected(compiled: &Compiled, options: &Options, work: &[usize]) -> (Vec<usize>, Option<Part>) {
    if options.unit.is_none() && options.shard.is_none() {
        return (work.to_vec(), None);
    }
    let functions = &compiled.lowered.functions;
    let identities: Vec<Identity> =
        work.iter().map(|&i| identity(&compiled.sources, &functions[i])).collect();
    let (parts, own) = parts(options, &identities);
    // Units do not know of each other.
    let number = |part: u32| if options.unit.is_some() { 0 } else { part };
    let line = |((file, name), part): (&Identity, &u32)| format!("{file}\0{name}\0{}\n", number(*part));
    let split = digest(identities.iter().zip(&parts).map(line).collect::<String>());
    let asked: Vec<usize> = (0..work.len()).filter(|&position| parts[position] == own).collect();
    let selected = asked.iter().map(|&position| work[position]).collect();
    let shard = options.shard.filter(|_| options.unit.is_none());
    let (positions, evidence) = (Vec::new(), CrossEvidence::default());
    (selected, Some(Part { shard, asked, positions, functions: work.len(), split, evidence }))
}

/// The part that each function is in, and the one that options ask for.
fn parts(options: &Options, identities: &[Identity]) -> (Vec<u32>, u32) {
    match (&options.unit, options.shard) {
        (Some(unit), _) => (identities.iter().map(|one| u32::from(unit.contains(one))).collect(), 1),
        (None, Some(shard)) => (assigned(identities, shard.of, &options.costs), shard.number),
        (None, None) => (vec![1; identities.len()], 1),
    }
}

/// For each of all functions whether it may be [`selected`], as far as that is known before the program is.
pub(crate) fn may_be_selected(
    options: &Options,
    functions: &[LoweredFunction],
    sources: &SourceMap,
    is_wanted: &dyn Fn(&LoweredFunction) -> bool,
) -> Vec<bool> {
    // Which functions are selected by lines is found in the whole program.
    if options.selection.changed.is_some() || options.selection.missed.is_some() {
        return vec![true; functions.len()];
    }
    let wanted: Vec<usize> = (0..functions.len()).filter(|&i| is_wanted(&functions[i])).collect();
    let identities: Vec<Identity> = wanted.iter().map(|&i| identity(sources, &functions[i])).collect();
    let (parts, own) = parts(options, &identities);
    let mut found = vec![false; functions.len()];
    wanted.into_iter().zip(parts).for_each(|(i, part)| found[i] = part == own);
    found
}

/// Which function it is.
pub(crate) fn identity(sources: &SourceMap, function: &LoweredFunction) -> Identity {
    (sources.file(function.span.file).name.clone(), function.name.clone())
}

/// The numbers of the shards of functions.
fn assigned(functions: &[Identity], of: u32, costs: &Costs) -> Vec<u32> {
    // Functions of the same name and file, as in headers, are one.
    let known: BTreeMap<&Identity, Duration> =
        functions.iter().filter_map(|function| Some((function, *costs.get(function)?))).collect();
    let whole: Duration = known.values().sum();
    let most = whole.mul_f64(1.1 / f64::from(of));
    let mut dearest: Vec<(&Identity, Duration)> = known.into_iter().collect();
    dearest.sort_by_key(|(_, cost)| std::cmp::Reverse(*cost));
    let mut loads = vec![Duration::ZERO; of as usize];
    let mut dealt: BTreeMap<&Identity, u32> = BTreeMap::new();
    for (function, cost) in dearest {
        let (rank, mut ranked) = (ranks(function), (1..=of).collect::<Vec<u32>>());
        ranked.sort_by_key(|shard| std::cmp::Reverse(rank(shard)));
        let load = |shard: u32| loads[shard as usize - 1];
        let has_room = |&&shard: &&u32| load(shard) + cost <= most;
        let emptiest = || ranked.iter().min_by_key(|&&shard| load(shard));
        let shard = ranked.iter().find(has_room).or_else(emptiest).copied().unwrap_or(1);
        loads[shard as usize - 1] += cost;
        dealt.insert(function, shard);
    }
    let first = |function| (1..=of).max_by_key(ranks(function)).unwrap_or(1);
    functions.iter().map(|f| dealt.get(f).copied().unwrap_or_else(|| first(f))).collect()
}

/// The ranks that shards have for a function.
fn ranks((file, name): &Identity) -> impl Fn(&u32) -> u64 + use<> {
    let digest = digest(format!("{file}\0{name}"));
    let seed = u64::from_str_radix(&digest[..16], 16).unwrap_or_default();
    // The finalizer of SplitMix64, which is the same on every machine.
    move |&shard| {
        let mut x = seed.wrapping_add(u64::from(shard).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }
}

/// An objective of any function: the position of the function, and that of the objective in it.
pub type Place = (usize, usize);

/// What tests of functions show of all functions of a run.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CrossEvidence {
    /// The objectives that tests passed, and whether a test did in which nothing fails.
    pub passed: BTreeMap<Place, bool>,
    /// The failures that a function causes, whatever its callers pass: by its position, and its name. The first of them counts.
    pub caused: BTreeMap<Place, (usize, String)>,
}

impl CrossEvidence {
    /// What is known of the functions in `work`, by the points that tests passed, and those that tests passed in which nothing
    /// fails; and by the causes of failures.
    pub(crate) fn of(
        (compiled, options, work): (&Compiled, &Options, &[usize]),
        (passed, clean): (&CoverageHits, &CoverageHits),
        causes: &FxHashMap<Origin, (usize, String)>,
    ) -> CrossEvidence {
        let mut found = CrossEvidence::default();
        for (position, &index) in work.iter().enumerate() {
            let function = &compiled.lowered.functions[index];
            let passed = passed.get(&function.name);
            let is_caused = || causes.keys().any(|at| at.procedure == function.procedure);
            if function.degraded.is_some() || (passed.is_none() && !is_caused()) {
                continue;
            }
            let clean = clean.get(&function.name);
            let targets = compiled.targets(function, &options.lowering.checks);
            for (objective, Target { origin, point, .. }) in targets.iter().enumerate() {
                let place = (position, objective);
                if let Some(point) = point.as_ref().filter(|&p| passed.is_some_and(|all| all.contains(p))) {
                    found.passed.insert(place, clean.is_some_and(|all| all.contains(point)));
                }
                if let Some((by, name)) = causes.get(origin) {
                    let by = work.binary_search(by).unwrap_or(usize::MAX);
                    found.caused.insert(place, (by, name.clone()));
                }
            }
        }
        found
    }

    /// Adds that of another shard.
    pub fn add(&mut self, other: CrossEvidence) {
        for (place, is_clean) in other.passed {
            *self.passed.entry(place).or_default() |= is_clean;
        }
        for (place, cause) in other.caused {
            match self.caused.get_mut(&place) {
                Some(known) => *known = cause.min(known.clone()),
                None => drop(self.caused.insert(place, cause)),
            }
        }
    }

    /// Counts it in the results of functions, which are given with their positions.
    pub fn settle<'a>(&self, functions: impl IntoIterator<Item = (usize, &'a mut FunctionResult)>) {
        for (position, result) in functions {
            let of_it = (position, 0)..(position + 1, 0);
            let mut passed = self.passed.range(of_it.clone()).peekable();
            if passed.peek().is_some() {
                let mut ledger = result.ledger();
                for (&(_, objective), &is_clean) in passed {
                    let rests_on = if is_clean { Vec::new() } else { vec![Premise::MemorySafety] };
                    ledger.record(GoalId(objective), Evidence::reached(Method::OtherTest, None, rests_on));
                }
                let objectives = std::mem::take(&mut result.objectives);
                result.take(objectives, &ledger, 0);
            }
            for (&(_, objective), (_, name)) in self.caused.range(of_it) {
                let objective = result.objectives.get_mut(objective);
                if let Some(objective) = objective.filter(|o| o.verdict == Verdict::Covered) {
                    objective.failure = Some(FailureClass::Caused(name.clone()));
                }
            }
        }
    }
}

/// Takes of two results of the same function the one that leaves less open, the first one of equals, and adds what the other one
/// proves and reaches. The other one's tests stay with its report.
///
/// # Errors
/// In what they are not results of the same function.
pub fn combine(one: FunctionResult, other: FunctionResult) -> Result<FunctionResult, String> {
    let goals = |f: &FunctionResult| f.objectives.iter().map(|o| o.id.clone()).collect::<Vec<String>>();
    if one.name != other.name || one.span != other.span {
        return Err(format!("{} stands where {} stands", other.name, one.name));
    }
    if goals(&one) != goals(&other) {
        return Err(format!("{} has other objectives", other.name));
    }
    let open =
        |f: &FunctionResult| f.objectives.iter().filter(|o| matches!(o.verdict, Verdict::Unknown(_))).count();
    let (mut best, rest) = if open(&other) < open(&one) { (other, one) } else { (one, other) };
    let mut ledger = best.ledger();
    for (goal, objective) in rest.objectives.iter().enumerate() {
        for evidence in objective.evidence() {
            match evidence.claim {
                // Its test is none of the best one's. Whether something fails on the way is not kept here, but in `CrossEvidence`.
                Claim::Reached { .. } if best.objectives[goal].verdict != Verdict::Covered => {
                    let run = Evidence::reached(Method::OtherTest, None, vec![Premise::MemorySafety]);
                    ledger.record(GoalId(goal), run);
                }
                Claim::NotReached => ledger.record(GoalId(goal), evidence),
                Claim::Reached { .. } | Claim::Open(_) => {}
            }
        }
    }
    let objectives = std::mem::take(&mut best.objectives);
    best.take(objectives, &ledger, 0);
    best.contradictions.extend(rest.contradictions);
    Ok(best)
}

/// Settles functions of all shards, in their order, with what the shards' tests show of them.
pub fn join(functions: &mut [FunctionResult], positions: &[usize], evidence: &CrossEvidence) {
    evidence.settle(positions.iter().copied().zip(functions.iter_mut()));
    let is_dead = |verdict: &Verdict| *verdict == Verdict::Unreachable;
    for objective in functions.iter_mut().flat_map(|f| &mut f.objectives) {
        if objective.class == Class::Portability && !is_dead(&objective.verdict) {
            objective.class = Class::User;
        }
    }
    portability::classify_copies(functions);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn functions(names: std::ops::Range<u32>) -> Vec<Identity> {
        names.map(|i| (format!("src/{}.c", i % 7), format!("f{i}"))).collect()
    }

    #[test]
    fn shards_are_read_from_text() {
        assert_eq!("2/8".parse(), Ok(Shard { number: 2, of: 8 }));
        for text in ["", "2", "2/", "/3", "0/3", "4/3", "1/0", "a/b", "-1/3", "1/3/5", "1/10001"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }

    #[test]
    fn functions_that_are_added_move_no_other() {
        let (few, many) = (functions(0..200), functions(0..300));
        let few_shards = assigned(&few, 8, &Costs::new());
        assert_eq!(few_shards, assigned(&many, 8, &Costs::new())[..200]);
        for shard in 1..=8 {
            let count = few_shards.iter().filter(|s| **s == shard).count();
            assert!((12..=40).contains(&count), "shard {shard} has {count} of 200");
        }
        let costs: Costs = few.iter().cloned().zip((1..).map(Duration::from_millis)).collect();
        assert_eq!(assigned(&few, 8, &costs), assigned(&many, 8, &costs)[..200]);
    }

    #[test]
    fn known_costs_are_balanced() {
        let all = functions(0..200);
        let costs: Costs =
            all.iter().cloned().zip((1..).map(|i: u64| Duration::from_millis(i * i))).collect();
        let shards = assigned(&all, 4, &costs);
        let whole: Duration = costs.values().sum();
        for shard in 1..=4 {
            let load: Duration =
                all.iter().zip(&shards).filter(|(_, s)| **s == shard).map(|(f, _)| costs[f]).sum();
            assert!(
                load <= whole.mul_f64(1.1 / 4.0) && load >= whole.mul_f64(0.6 / 4.0),
                "{shard}: {load:?}"
            );
        }
        let dear: Costs = all[..3].iter().cloned().zip([8, 1, 1].map(Duration::from_secs)).collect();
        let [f, g, h] = assigned(&all[..3], 2, &dear)[..] else { unreachable!("three functions") };
        assert!(f != g && g == h);
    }

    #[test]
    fn evidence_of_shards_is_joined_whatever_comes_first() {
        let of = |is_clean, by: usize| CrossEvidence {
            passed: [((3, 1), is_clean)].into(),
            caused: [((3, 2), (by, format!("f{by}")))].into(),
        };
        let (mut a, mut b) = (of(true, 5), of(false, 4));
        a.add(of(false, 4));
        b.add(of(true, 5));
        assert_eq!(a, b);
        assert_eq!(a, CrossEvidence { caused: of(true, 4).caused, ..of(true, 5) });
    }
}
