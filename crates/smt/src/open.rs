//! Opening a solver by its name on the command line: `z3`, or `cmd:` and a program.

use std::fmt;
use std::fmt::Write;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::OnceLock;
use std::time::Duration;

use crate::cross_check::CrossChecked;
use crate::log::Logged;
use crate::smtlib::Process;
use crate::solver::Solver;
use crate::z3::Z3;

/// The command line of a process that is Z3, if Z3 is not asked in this one.
static APART: OnceLock<Vec<String>> = OnceLock::new();

/// From now on, each Z3 that [`open`] opens is a process of its own, started by a program and its arguments: one whose standard input is
/// given to an [`Interpreter`](crate::Interpreter). A crash of Z3 is then the end of one check, [`Unknown::Failed`](crate::Unknown), instead
/// of this process's. It takes longer, and preferences are not known.
pub fn run_z3_apart(command: Vec<String>) {
    // Whoever calls first decides.
    let _ = APART.set(command);
}

/// The solver that the user chose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SolverSpec {
    /// Z3 in this process: `z3`. See [`run_z3_apart`].
    Z3,
    /// A program that reads SMT-LIB 2: `cmd:cvc5 --incremental`.
    Command(String),
}

impl SolverSpec {
    /// Reads `z3` or `cmd:PROGRAM ARGUMENTS`.
    ///
    /// # Errors
    /// If it is neither.
    pub fn parse(text: &str) -> Result<SolverSpec, OpenError> {
        let text = text.trim();
        match text.strip_prefix("cmd:") {
            Some(command) if !command.trim().is_empty() => Ok(SolverSpec::Command(command.trim().to_owned())),
            None if text == "z3" => Ok(SolverSpec::Z3),
            _ => Err(OpenError(format!("no such solver: {text:?}; write z3, or cmd: and a command line"))),
        }
    }
}

impl FromStr for SolverSpec {
    type Err = OpenError;

    fn from_str(text: &str) -> Result<SolverSpec, OpenError> {
        SolverSpec::parse(text)
    }
}

/// The form that [`SolverSpec::parse`] reads.
impl fmt::Display for SolverSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolverSpec::Z3 => f.write_str("z3"),
            SolverSpec::Command(command) => write!(f, "cmd:{command}"),
        }
    }
}

/// The use of a solver, for which it is configured.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Profile {
    /// Models and proofs.
    #[default]
    Decide,
    /// Proofs only. Quantified formulas are instantiated where their triggers occur (E-matching), as in program
    /// verifiers, and no model of them is searched for: a formula that is not refuted in this way is soon unknown.
    Refute,
    /// A model or a proof of one hard formula. Decisions try false first, which is less work where most of a formula
    /// is about branches that are not taken.
    Hard,
    /// Models and proofs of many conditions on bit-vectors only, which are all given to a SAT solver at once.
    Bits,
}

/// How to open a solver.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// The use of the solver. SMT-LIB 2 programs are not told; they have their own settings.
    pub profile: Profile,
    /// The time limit of each check.
    pub timeout: Option<Duration>,
    /// A seed for the solver's random choices; verdicts must not depend on it.
    pub seed: Option<u32>,
    /// A limit in megabytes for all Z3 instances of the process together.
    pub memory: Option<u32>,
    /// A directory to which every query is written.
    pub dump: Option<PathBuf>,
    /// A second solver for cross-checking.
    pub cross_check: Option<SolverSpec>,
}

/// The reason why a solver could not be opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenError(pub String);

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for OpenError {}

/// Opens a solver.
///
/// # Errors If it cannot be found, has the wrong version, or does not answer.
pub fn open(spec: &SolverSpec, options: &Options) -> Result<Box<dyn Solver>, OpenError> {
    let mut solver = open_one(spec, options)?;
    if let Some(second) = &options.cross_check {
        solver = Box::new(CrossChecked::new(solver, open_one(second, options)?));
    }
    if let Some(directory) = &options.dump {
        let logged = Logged::new(solver, directory.clone());
        solver = Box::new(logged.map_err(|e| OpenError(format!("{}: {e}", directory.display())))?);
    }
    solver.set_timeout(options.timeout);
    Ok(solver)
}

fn open_one(spec: &SolverSpec, options: &Options) -> Result<Box<dyn Solver>, OpenError> {
    match (spec, APART.get()) {
        (SolverSpec::Z3, Some(command)) => {
            let process = Process::z3(command, &settings(options));
            Ok(Box::new(process.map_err(|e| OpenError(format!("Z3 in a process of its own: {e}")))?))
        }
        (SolverSpec::Z3, None) => {
            if let Some(megabytes) = options.memory {
                Z3::set_memory_limit(megabytes);
            }
            Ok(Box::new(Z3::with_profile(options.seed, options.profile).map_err(OpenError)?))
        }
        (SolverSpec::Command(command), _) => {
            let process = Process::new(command);
            Ok(Box::new(process.map_err(|e| OpenError(format!("the solver {command}: {e}")))?))
        }
    }
}

/// What [`Z3::with_profile`] sets, as commands.
fn settings(options: &Options) -> String {
    let mut settings = String::new();
    if let Some(seed) = options.seed {
        let _ = writeln!(settings, "(set-option :smt.random_seed {seed})");
    }
    settings.push_str(match options.profile {
        Profile::Refute => "(set-option :auto_config false)\n(set-option :smt.mbqi false)\n",
        Profile::Hard => "(set-option :smt.phase_selection 0)\n",
        Profile::Decide | Profile::Bits => "",
    });
    settings
}
