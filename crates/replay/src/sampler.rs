//! Sampling of external functions in a sandbox: functions without a source are executed to see what they return.
//!
//! **Idea.** A small program is linked with the functions, and asked call by call. It makes each call in a process of
//! its own, which has no files and is killed when it asks the system for anything but memory (`sampler.c`). So a
//! function that is run on unforeseen arguments does no harm, and one that ends its process ends only that. Each call
//! is made twice, the second time after a call with other arguments, to see whether the result depends on the
//! arguments alone.
//!
//! Example: `isqrt(144)` is called, then `isqrt` with other arguments, then `isqrt(144)` again; the sample is 12 if
//! both calls returned it.
//!
//! **Direction of error.** A result may depend on what the two calls have in common: the addresses of the process, or
//! what other functions have left behind. A test that relies on such a result takes another path than it promises,
//! which its run shows. Linux only.

use std::fmt::{self, Write as _};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use footpath_frontend::c::{Number, Numbers, StubType};
use footpath_jail::{Jail, Profile, wait};
use rustc_hash::FxHashMap;

use crate::execution::{Compiler, Limits, NativeError, run, write};
use crate::flags::search_flags;

/// Arguments that a call can have.
const ARGUMENTS: usize = 8;
/// Calls that are made, all functions together.
const CALLS: usize = 50_000;

/// An external function that can be sampled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Native {
    /// Its name.
    pub name: String,
    /// Its signature.
    pub numbers: Numbers,
}

impl Native {
    /// Whether it has no more arguments than can be passed.
    pub fn is_callable(&self) -> bool {
        self.numbers.params.len() <= ARGUMENTS
    }
}

/// Why a call has no reliable result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Failure {
    /// It returned another result when it was called again.
    Differs,
    /// It crashed, or ended the process.
    Crashes,
    /// It asked the system for more than memory.
    Forbidden,
    /// It took too long.
    TooLong,
    /// The system cannot confine processes, so nothing is called.
    Unconfined,
    /// There were too many calls already, or the program that makes them is gone.
    Ended,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Failure::Differs => "it returns another result when it is called again",
            Failure::Crashes => "it crashes or ends the process",
            Failure::Forbidden => "it makes system calls other than for memory",
            Failure::TooLong => "it takes too long",
            Failure::Unconfined => "this system cannot confine it",
            Failure::Ended => "it was called too often, or the process that calls it is gone",
        })
    }
}

/// See the module.
pub struct Sampler {
    functions: Vec<Native>,
    inner: Mutex<Inner>,
}

struct Inner {
    child: Child,
    requests: ChildStdin,
    answers: ChildStdout,
    /// The known results of each function.
    known: Vec<FxHashMap<Vec<u64>, Result<u64, Failure>>>,
    /// The pairs, in the order they were found.
    pairs: Vec<Vec<(Vec<u64>, u64)>>,
    calls: usize,
}

impl Sampler {
    /// Builds and starts the program in `folder`.
    ///
    /// # Errors
    /// If it cannot be compiled or linked, for example because one of the functions is in no library.
    pub fn start(
        compiler: &Compiler,
        folder: &Path,
        functions: Vec<Native>,
        limits: Limits,
    ) -> Result<Sampler, NativeError> {
        let program = build(compiler, folder, &functions)?;
        let failed = |e: String| NativeError::Start(program.display().to_string(), e);
        let jail = Jail {
            memory: Some(limits.memory),
            seconds: u64::MAX,
            file_size: 0,
            readable: compiler.library_folders(),
            ..Jail::new(Profile::Sampler)
        };
        let mut command = jail.command(&program, false).map_err(|why| failed(why.to_string()))?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|e| failed(e.to_string()))?;
        let (Some(requests), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed("it has no pipes".to_owned()));
        };
        let count = functions.len();
        let (known, pairs) = (vec![FxHashMap::default(); count], vec![Vec::new(); count]);
        let inner = Mutex::new(Inner { child, requests, answers, known, pairs, calls: 0 });
        Ok(Sampler { functions, inner })
    }

    /// The functions, by number.
    pub fn functions(&self) -> &[Native] {
        &self.functions
    }

    /// The result of function number `function` for some arguments, all of them as bits.
    ///
    /// # Errors
    /// If it has no reliable result.
    pub fn call(&self, function: usize, args: &[u64]) -> Result<u64, Failure> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = inner.known[function].get(args) {
            return *known;
        }
        if inner.calls >= CALLS || args.len() > ARGUMENTS {
            return Err(Failure::Ended);
        }
        inner.calls += 1;
        let result = inner.ask(function, args);
        inner.known[function].insert(args.to_vec(), result);
        if let Ok(result) = result {
            inner.pairs[function].push((args.to_vec(), result));
        }
        result
    }

    /// Some samples of a function: at most `most` pairs of arguments and result. Different results take turns, so
    /// that rare ones are included; of each, the earliest and the latest pairs come first.
    pub fn pairs(&self, function: usize, most: usize) -> Vec<(Vec<u64>, u64)> {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let mut of_result: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
        let all = &inner.pairs[function];
        for (i, (_, result)) in all.iter().enumerate() {
            of_result.entry(*result).or_default().push(i);
        }
        let mut ranked: Vec<(usize, usize)> = Vec::with_capacity(all.len());
        for same in of_result.values() {
            let rank = |(k, &i): (usize, &usize)| ((2 * k).min(2 * (same.len() - 1 - k) + 1), i);
            ranked.extend(same.iter().enumerate().map(rank));
        }
        ranked.sort_unstable();
        ranked.into_iter().take(most).map(|(_, i)| all[i].clone()).collect()
    }

    /// The number of known results of a function.
    pub fn known(&self, function: usize) -> usize {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).pairs[function].len()
    }
}

impl Inner {
    fn ask(&mut self, function: usize, args: &[u64]) -> Result<u64, Failure> {
        let mut words = [0u64; 2 + 2 * ARGUMENTS];
        words[0] = function as u64;
        words[1..=args.len()].copy_from_slice(args);
        if let Some((earlier, _)) = self.pairs[function].last() {
            words[1 + ARGUMENTS] = 1;
            words[2 + ARGUMENTS..][..earlier.len()].copy_from_slice(earlier);
        }
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_ne_bytes()).collect();
        let mut answer = [0u8; 16];
        let done = self
            .requests
            .write_all(&bytes)
            .and_then(|()| self.requests.flush())
            .and_then(|()| self.answers.read_exact(&mut answer));
        if done.is_err() {
            self.calls = CALLS;
            return Err(Failure::Ended);
        }
        let word = |at: usize| answer[at..at + 8].iter().rev().fold(0u64, |n, &b| n << 8 | u64::from(b));
        match word(0) {
            0 => Ok(word(8)),
            1 => Err(Failure::Differs),
            3 => Err(Failure::Forbidden),
            4 => Err(Failure::TooLong),
            5 => Err(Failure::Unconfined),
            _ => Err(Failure::Crashes),
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        wait(&mut self.child, Duration::ZERO);
    }
}

fn build(compiler: &Compiler, folder: &Path, functions: &[Native]) -> Result<PathBuf, NativeError> {
    let (driver, calls) = (folder.join("footpath_sampler.c"), folder.join("footpath_sampled.c"));
    let program = folder.join("footpath_sampler.program");
    write(&driver, include_str!("sampler.c"))?;
    write(&calls, &calls_text(functions))?;
    let mut link = compiler.for_other_sources().command();
    link.args(["-w", "-O0", "-fno-builtin", "-std=gnu11"])
        .args([&driver, &calls])
        .args(["-Wl,-z,now"])
        .args(compiler.libraries())
        .args(search_flags(&compiler.flags))
        .args(["-lm", "-o"])
        .arg(&program);
    run(&link)?;
    Ok(program)
}

/// A file that declares the functions, without headers that might declare them otherwise, and calls them.
fn calls_text(functions: &[Native]) -> String {
    let mut out = String::from("typedef unsigned long long word;\n");
    let mut cases = String::new();
    for (i, Native { name, numbers }) in functions.iter().enumerate() {
        let params: Vec<String> = numbers.params.iter().map(|&p| type_name(p)).collect();
        let result = type_name(numbers.result);
        let _ = writeln!(out, "extern {result} {name}({});", params.join(", "));
        let _ = writeln!(cases, "    case {i}: {{");
        for (k, (param, ty)) in params.iter().zip(&numbers.params).enumerate() {
            let bits = bits_name(*ty);
            let _ = writeln!(
                cases,
                "        {bits} b{k} = ({bits})a[{k}];\n        {param} p{k};\n        __builtin_memcpy(&p{k}, &b{k}, sizeof p{k});"
            );
        }
        let args: Vec<String> = (0..params.len()).map(|k| format!("p{k}")).collect();
        let bits = bits_name(numbers.result);
        let _ = writeln!(
            cases,
            "        {result} r = {name}({});\n        {bits} bits = 0;\n        __builtin_memcpy(&bits, &r, sizeof r);\n        return bits;\n    }}",
            args.join(", ")
        );
    }
    let _ = write!(
        out,
        "\nword footpath_call(word function, const word *a)\n{{\n    switch (function) {{\n{cases}    }}\n    return 0;\n}}\n"
    );
    out
}

/// The type of a number, as the function's declaration has it.
fn type_name(number: Number) -> String {
    let name = match number.ty {
        StubType::Int(1) => return "_Bool".to_owned(),
        StubType::Float(32) => return "float".to_owned(),
        StubType::Float(_) => return "double".to_owned(),
        StubType::Int(8) => "char",
        StubType::Int(16) => "short",
        StubType::Int(32) => "int",
        _ => "long long",
    };
    format!("{} {name}", if number.signed { "signed" } else { "unsigned" })
}

/// The unsigned type with as many bits.
fn bits_name(number: Number) -> &'static str {
    match number.ty {
        StubType::Int(1 | 8) => "unsigned char",
        StubType::Int(16) => "unsigned short",
        StubType::Int(32) | StubType::Float(32) => "unsigned int",
        _ => "word",
    }
}
