//! Sampling of external functions: functions without a source are executed for their results (*sampled*), if the user
//! asks for that.
//!
//! 1. Candidates are functions that the files call, that have neither a body nor a model, and whose parameters and
//!    result are numbers; of these, those that can be linked, and that return the same result twice for the inputs
//!    that are tried first.
//! 2. The program for the search for tests applies them (`footpath_frontend::c`), and runs ask for their values
//!    (`footpath_concolic`). Tests call the real functions, so there are no stubs for them.
//! 3. The program for proofs is lowered as always: there they may return anything.
//!
//! **Direction of error.** Covered is decided by the compiled test, which calls the real function. Nothing else is
//! claimed on the strength of a sample: a search that asked for one never claims that it has seen every path.

use std::collections::BTreeSet;
use std::path::Path;

use footpath_concolic::{Natives, Sample};
use footpath_frontend::c::source::library_models;
use footpath_frontend::c::{Lowered, Number, StubType};
use footpath_replay::{Compiler, Failure, Limits, Native, Sampler};
use footpath_term::{FuncId, Op, Value};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use crate::result::SampledCall;

/// The functions that are to be sampled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// All that can be.
    All,
    /// Those of these names.
    Named(BTreeSet<String>),
}

/// A function that was sampled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sampled {
    /// Its name.
    pub function: String,
    /// The number of samples.
    pub samples: usize,
}

/// The largest number of samples of a function in a query.
const PAIRS: usize = 256;
/// Inputs that are tried first are drawn, besides the plain ones.
const DRAWN: usize = 40;

/// The sampled functions, with the process that runs them.
pub(crate) struct Library {
    sampler: Sampler,
    /// For each uninterpreted function, the sampled one that it stands for.
    numbers: FxHashMap<FuncId, usize>,
}

impl Library {
    /// Builds the process that runs the functions that are wanted. `None` if none of them can be run; notes say why.
    pub(crate) fn open(
        wanted: &Wanted,
        lowered: &Lowered,
        compiler: &Compiler,
        folder: &Path,
        notes: &mut Vec<String>,
    ) -> Option<Library> {
        let mut candidates = candidates(wanted, lowered, notes);
        candidates.retain(|native| {
            let fits = native.is_callable();
            if !fits {
                notes.push(format!("`{}` is not sampled: it has too many parameters", native.name));
            }
            fits
        });
        let mut sampler = start(compiler, folder, candidates, notes)?;
        let stable: Vec<Native> = sampler
            .functions()
            .iter()
            .enumerate()
            .filter(|(i, native)| match try_out(&sampler, *i, native) {
                Ok(()) => true,
                Err(why) => {
                    notes.push(format!("`{}` is not sampled: {why}", native.name));
                    false
                }
            })
            .map(|(_, native)| native.clone())
            .collect();
        if stable.is_empty() {
            return None;
        }
        if stable.len() < sampler.functions().len() {
            // Its program is about to be written anew.
            drop(sampler);
            sampler = start(compiler, folder, stable, notes)?;
            for (i, native) in sampler.functions().iter().enumerate() {
                let _ = try_out(&sampler, i, native);
            }
        }
        Some(Library { sampler, numbers: FxHashMap::default() })
    }

    /// The names of the functions.
    pub(crate) fn names(&self) -> BTreeSet<String> {
        self.sampler.functions().iter().map(|f| f.name.clone()).collect()
    }

    /// Records which uninterpreted functions of a program stand for the sampled ones.
    pub(crate) fn link(&mut self, lowered: &Lowered) {
        for sampled in &lowered.sampled {
            let number = self.sampler.functions().iter().position(|f| f.name == sampled.name);
            self.numbers.extend(number.map(|n| (sampled.function, n)));
        }
    }

    /// The functions that a program applies, with the numbers of their samples.
    pub(crate) fn sampled(&self) -> Vec<Sampled> {
        let mut used: Vec<usize> = self.numbers.values().copied().collect();
        used.sort_unstable();
        let of = |i: usize| Sampled {
            function: self.sampler.functions()[i].name.clone(),
            samples: self.sampler.known(i),
        };
        used.into_iter().map(of).collect()
    }

    /// A call in a run, as text; `None` for operators that are no sampled function.
    pub(crate) fn call_text(&self, op: &Op, args: &[Value], result: &Value) -> Option<SampledCall> {
        let Op::Apply(function) = op else { return None };
        let native = &self.sampler.functions()[*self.numbers.get(function)?];
        let args = args.iter().zip(&native.numbers.params).map(|(v, &ty)| number_text(ty, v));
        Some(SampledCall {
            function: native.name.clone(),
            args: args.collect::<Option<_>>()?,
            result: number_text(native.numbers.result, result)?,
        })
    }
}

impl Natives for Library {
    fn has(&self, function: FuncId) -> bool {
        self.numbers.contains_key(&function)
    }

    fn call(&self, function: FuncId, args: &[Value]) -> Result<Value, String> {
        let unknown = || "an external function is passed an argument that is not a number".to_owned();
        let &number = self.numbers.get(&function).ok_or_else(unknown)?;
        let native = &self.sampler.functions()[number];
        let bits: Option<Vec<u64>> = args.iter().map(bits).collect();
        let result = self.sampler.call(number, &bits.ok_or_else(unknown)?);
        let result = result.map_err(|why| format!("`{}` was run, but {why}", native.name))?;
        Ok(value(native.numbers.result, result))
    }

    fn samples(&self, function: FuncId) -> Vec<Sample> {
        let Some(&number) = self.numbers.get(&function) else { return Vec::new() };
        let numbers = &self.sampler.functions()[number].numbers;
        let sample = |(args, result): (Vec<u64>, u64)| Sample {
            args: args.into_iter().zip(&numbers.params).map(|(bits, &ty)| value(ty, bits)).collect(),
            result: value(numbers.result, result),
        };
        self.sampler.pairs(number, PAIRS).into_iter().map(sample).collect()
    }

    fn count(&self) -> usize {
        (0..self.sampler.functions().len()).map(|i| self.sampler.known(i)).sum()
    }
}

/// The candidates for sampling. Notes say which of the named functions cannot be sampled.
fn candidates(wanted: &Wanted, lowered: &Lowered, notes: &mut Vec<String>) -> Vec<Native> {
    let is_wanted = |name: &str| match wanted {
        Wanted::All => !name.starts_with("__") && !library_models::INPUTS.contains(&name),
        Wanted::Named(names) => names.contains(name),
    };
    let fits = |stub: &&footpath_frontend::c::Stub| is_wanted(&stub.name) && stub.writes.is_empty();
    let native = |stub: &footpath_frontend::c::Stub| {
        stub.numbers.clone().map(|numbers| Native { name: stub.name.clone(), numbers })
    };
    let mut found: Vec<Native> = Vec::new();
    for native in lowered.stubs.iter().filter(fits).filter_map(native) {
        if !found.iter().any(|f| f.name == native.name) {
            found.push(native);
        }
    }
    if let Wanted::Named(names) = wanted {
        for name in names.iter().filter(|&n| !found.iter().any(|f| f.name == *n)) {
            notes.push(format!(
                "`{name}` is not sampled: it is not an external function whose parameters and result are numbers"
            ));
        }
    }
    found
}

/// Starts the process that runs the functions, without those that cannot be linked.
fn start(
    compiler: &Compiler,
    folder: &Path,
    functions: Vec<Native>,
    notes: &mut Vec<String>,
) -> Option<Sampler> {
    let begin = |functions: Vec<Native>| Sampler::start(compiler, folder, functions, Limits::default());
    if functions.is_empty() {
        return None;
    }
    if let Ok(sampler) = begin(functions.clone()) {
        return Some(sampler);
    }
    // Where nothing at all can be built it is not for want of a library.
    if let Err(why) = begin(Vec::new()) {
        notes.push(format!("external functions are not sampled: {why}"));
        return None;
    }
    let (linked, missing): (Vec<Native>, Vec<Native>) =
        functions.into_iter().partition(|f| begin(vec![f.clone()]).is_ok());
    for native in missing {
        notes.push(format!(
            "`{}` is not sampled: no library that the tests are linked with defines it",
            native.name
        ));
    }
    if linked.is_empty() { None } else { begin(linked).ok() }
}

/// Runs a function on simple and random inputs; returns the failure if it is not reliable.
fn try_out(sampler: &Sampler, function: usize, native: &Native) -> Result<(), Failure> {
    let params = &native.numbers.params;
    let mut dice = fastrand::Rng::with_seed(0x5a3d);
    let mut last = Failure::Crashes;
    let mut any = false;
    let rounds = plain().map(Some).chain(std::iter::repeat_n(None, DRAWN));
    for number in rounds {
        let args: Vec<u64> = params
            .iter()
            .map(|&param| match number {
                Some(plain) if params.len() == 1 || dice.bool() => of_number(param, plain),
                _ => drawn(param, &mut dice),
            })
            .collect();
        match sampler.call(function, &args) {
            Ok(_) => any = true,
            Err(why @ (Failure::Differs | Failure::Unconfined)) => return Err(why),
            Err(why) => last = why,
        }
    }
    if any { Ok(()) } else { Err(last) }
}

/// Numbers that programs compare with: small ones, and those where widths end.
fn plain() -> impl Iterator<Item = i64> {
    let ends = (7..64).step_by(8).flat_map(|bits| [(1i64 << bits).wrapping_sub(1), 1i64 << bits]);
    (-2..=64).chain([65, 90, 97, 100, 122, 256, 1000, 1024]).chain(ends)
}

/// A number as bits of a type.
fn of_number(ty: Number, number: i64) -> u64 {
    match ty.ty {
        StubType::Float(32) => u64::from((number as f32).to_bits()),
        StubType::Float(_) => (number as f64).to_bits(),
        StubType::Int(bits @ 0..64) => number as u64 & ((1 << bits) - 1),
        _ => number as u64,
    }
}

fn drawn(ty: Number, dice: &mut fastrand::Rng) -> u64 {
    let small = dice.i64(-1000..=1000);
    match ty.ty {
        StubType::Float(_) if dice.bool() => of_number(ty, small),
        StubType::Float(32) => u64::from((dice.f32() * 20.0 - 10.0).to_bits()),
        StubType::Float(_) => (dice.f64() * 20.0 - 10.0).to_bits(),
        _ if dice.bool() => of_number(ty, small),
        _ => of_number(ty, dice.i64(..) >> dice.u32(..63)),
    }
}

fn bits(value: &Value) -> Option<u64> {
    match value {
        Value::BitVec { bits, .. } => bits.to_u64(),
        Value::Bool(b) => Some(u64::from(*b)),
        _ => None,
    }
}

/// A number as C. Whether wide integers have a sign is not known; they are shown as if they had one.
fn number_text(ty: Number, value: &Value) -> Option<String> {
    let bits = bits(value)?;
    Some(match ty.ty {
        StubType::Float(32) => format!("{:?}f", f32::from_bits(bits as u32)),
        StubType::Float(_) => format!("{:?}", f64::from_bits(bits)),
        StubType::Int(8) if ty.signed => (bits as i8).to_string(),
        StubType::Int(16) if ty.signed => (bits as i16).to_string(),
        StubType::Int(32) => (bits as i32).to_string(),
        StubType::Int(64) => (bits as i64).to_string(),
        _ => bits.to_string(),
    })
}

fn value(ty: Number, bits: u64) -> Value {
    match ty.ty {
        StubType::Int(1) => Value::Bool(bits != 0),
        StubType::Int(width) | StubType::Float(width) => Value::BitVec { width, bits: BigUint::from(bits) },
        StubType::Void | StubType::Pointer => Value::Bool(false),
    }
}
