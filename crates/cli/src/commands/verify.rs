//! `footpath verify`: what holds, and what it rests on.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use footpath_driver::{Options as Lowering, claims};
use footpath_frontend::c;
use footpath_ir::diagnostic::Diagnostic;
use footpath_ir::source::SourceMap;
use footpath_ir::{ProcId, Program, print};
use footpath_report::results;
use footpath_report::text::Style;
use footpath_report::verification::{self, Totals, VerifyRun};
use footpath_report::witness;
use footpath_verify::{Entry, Guide, Verification, instrument_everywhere, proposals, verify, witnessed};

use super::names::there_is;
use super::{choose, is_denied, show_diagnostics, warn_of_contradiction};
use crate::args::{DenyVerify, Format, VerifyArgs};
use crate::compile_commands::Sources;
use crate::language::{self, Language};
use crate::output::write_named_file;
use crate::progress::VerifyProgress;
use crate::{Exit, World, input};

/// What was read, and what was found out about it.
struct Done {
    sources: SourceMap,
    diagnostics: Vec<Diagnostic>,
    found: Verification,
    exit: Exit,
}

/// Reads, verifies, reports.
pub fn run(args: &VerifyArgs, command_line: &[String], world: &mut World<'_>) -> Result<Exit> {
    let start = Instant::now();
    let done = match language::of(&args.files)? {
        Language::C => c_files(args, world)?,
        Language::Boogie => boogie_files(args, world)?,
    };
    let Some(done) = done else { return Ok(Exit::BadInput) };
    let interrupted = world.stop.load(Ordering::SeqCst);
    let allowed: Vec<_> = args.allowed().into_iter().collect();
    let run = VerifyRun {
        command: command_line,
        sources: &done.sources,
        diagnostics: &done.diagnostics,
        found: &done.found,
        allowed: &allowed,
        elapsed: start.elapsed(),
        interrupted,
    };
    match args.format {
        Format::Text => {
            let color = choose(args.color, world.terminal.out_color);
            let style = Style { color, width: world.terminal.width, full: args.verbose };
            write!(world.out, "{}", verification::text(&run, &style))?;
        }
        Format::Json => write!(world.out, "{}", verification::json(&run))?,
    }
    let annotated = || print(&guided(&done.found, args.guide.guide()));
    save(args.output.as_deref(), annotated)?;
    save(args.sarif.as_deref(), || verification::sarif::log(&run))?;
    save(args.html.as_deref(), || verification::html::page(&run))?;
    let exit = if is_denied(&args.deny, &deniable(Totals::of(&done.found)), world)? {
        Exit::Denied
    } else {
        Exit::Done
    };
    let ended = if interrupted { Exit::Interrupted } else { Exit::Done };
    Ok(exit.max(done.exit).max(ended))
}

/// Writes a file, if one is asked for.
fn save(path: Option<&Path>, text: impl FnOnce() -> String) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    write_named_file(path, &text())
}

/// The annotated program, guided in every body that was verified.
fn guided(found: &Verification, guide: Guide) -> Program {
    let bodies: Vec<(ProcId, u32)> = found.bodies.iter().map(|body| (body.procedure, body.body)).collect();
    instrument_everywhere(&found.annotated, &bodies, &found.premises, guide)
}

/// What is verified, under the assumptions that are made by default, of procedures of a Boogie program and of what they
/// call.
pub fn verified(
    program: &Program,
    procedures: &[ProcId],
    stop: &AtomicBool,
    done: &(dyn Fn(ProcId) + Sync),
) -> Verification {
    let solver = Some(Duration::from_secs(1));
    let jobs = crate::args::usual_jobs();
    let options = footpath_verify::Options { solver, jobs, ..footpath_verify::Options::default() };
    verify(program, &program.reachable(procedures), &|_, _| Entry::default(), &options, stop, done)
}

fn boogie_files(args: &VerifyArgs, world: &mut World<'_>) -> Result<Option<Done>> {
    let mut input = input::read(&args.files, false);
    warn_of_contradiction(&mut input, "z3");
    show_diagnostics(&input.sources, &input.diagnostics, args.color, world)?;
    let exit = if input.has_errors() { Exit::BadInput } else { Exit::Done };
    // An `assume` that says which runs a search gives up is no fact.
    let Some(program) = &input.program.as_ref().map(claims::unguided) else { return Ok(None) };
    let with_body = program.ids().filter(|p| !program[*p].bodies.is_empty());
    let Some(procedures) = selected(args, program, with_body.collect(), world)? else { return Ok(None) };
    let Some(options) = with_results(args, program, &procedures, &input.sources, world)? else {
        return Ok(None);
    };
    let found = watched(program, &procedures, &|_, _| Entry::default(), &options, world);
    Ok(Some(Done { sources: input.sources, diagnostics: input.diagnostics, found, exit }))
}

fn c_files(args: &VerifyArgs, world: &mut World<'_>) -> Result<Option<Done>> {
    let sources = Sources::of(&args.files, &args.compiler)?;
    let work = crate::work_folder::WorkFolder::new()?;
    // An external function may do anything to what it can reach.
    let lowering = c::Options { conservative_externals: true, ..c::Options::default() };
    let options = sources.with(Lowering {
        timeout: Duration::ZERO,
        out: work.path().to_owned(),
        lowering,
        unwind: 0,
        ..Lowering::default()
    });
    let files = match footpath_driver::lower(&options) {
        Ok(files) => files,
        Err(why) => {
            writeln!(world.err, "error: {why}")?;
            return Ok(None);
        }
    };
    show_diagnostics(&files.sources, &files.diagnostics, args.color, world)?;
    for note in &files.notes {
        writeln!(world.err, "note: {}", note.trim_end())?;
    }
    let exit = if files.left_out > 0 { Exit::BadInput } else { Exit::Done };
    let program = &files.lowered.program;
    let Some(procedures) = selected(args, program, files.wanted.clone(), world)? else { return Ok(None) };
    let known = footpath_verify::c_entry::Known::of(&files.lowered);
    let entry = |terms: &mut footpath_term::Terms, p| known.entry(terms, p);
    let Some(options) = with_results(args, program, &procedures, &files.sources, world)? else {
        return Ok(None);
    };
    let found = watched(program, &procedures, &entry, &options, world);
    Ok(Some(Done { sources: files.sources, diagnostics: files.diagnostics, found, exit }))
}

/// Verifies, with progress on a terminal, until the user ends it.
fn watched(
    program: &Program,
    procedures: &[ProcId],
    entry: &dyn Fn(&mut footpath_term::Terms, ProcId) -> Entry,
    options: &footpath_verify::Options,
    world: &World<'_>,
) -> Verification {
    let bodies = procedures.iter().map(|p| program[*p].bodies.len()).sum();
    let progress = VerifyProgress::new(bodies, world.terminal.err_is_terminal);
    let found = verify(program, procedures, entry, options, world.stop, &|p| progress.on(&program[p].name));
    progress.finish();
    found
}

/// Options of the verification, with what other tools say; `None`, and a message, if that cannot be read.
fn with_results(
    args: &VerifyArgs,
    program: &Program,
    procedures: &[ProcId],
    sources: &SourceMap,
    world: &mut World<'_>,
) -> Result<Option<footpath_verify::Options>> {
    let texts: Vec<&str> = sources.files().map(|(_, f)| &*f.text).collect();
    let (mut runs, mut witnesses, mut remarks) = (Vec::new(), Vec::new(), Vec::new());
    for file in &args.results {
        let text = std::fs::read_to_string(file).map_err(|e| e.to_string());
        let read = text.and_then(|text| {
            if witness::is_witness(&text) {
                let (more, said) = witness::parse(&text, &texts)?;
                witnesses.extend(more);
                Ok(said)
            } else {
                let (more, said) = results::parse(&text)?;
                runs.extend(more);
                Ok(said)
            }
        });
        match read {
            Ok(said) => remarks.extend(said.into_iter().map(|s| format!("{}: {s}", file.display()))),
            Err(why) => {
                writeln!(world.err, "error: {}: {why}", file.display())?;
                return Ok(None);
            }
        }
    }
    let (mut claims, said) = footpath_verify::claims(program, procedures, sources, &runs);
    remarks.extend(said);
    let mut proposed = Vec::new();
    for witness in witnesses {
        claims.extend(witnessed(program, procedures, &witness.tool, &witness.kinds));
        proposed.extend(witness.invariants);
    }
    let (proposals, nowhere) = proposals(program, procedures, sources, &proposed);
    if nowhere > 0 {
        remarks
            .push(format!("of {} invariants, {nowhere} belong to no loop that is verified", proposed.len()));
    }
    for remark in &remarks {
        writeln!(world.err, "note: {remark}")?;
    }
    Ok(Some(footpath_verify::Options { claims, proposals, ..args.options() }))
}

/// Those of the procedures that are asked for; `None`, and a message, if one is not there.
fn selected(
    args: &VerifyArgs,
    program: &Program,
    all: Vec<ProcId>,
    world: &mut World<'_>,
) -> Result<Option<Vec<ProcId>>> {
    if args.function.is_empty() {
        return Ok(Some(all));
    }
    let mut chosen = Vec::new();
    for name in &args.function {
        let found = all.iter().copied().find(|p| *program[*p].name == **name);
        let Some(found) = found else {
            let known: Vec<&str> = all.iter().map(|p| &*program[*p].name).collect();
            writeln!(
                world.err,
                "error: there is no function `{name}` with a body; {}",
                there_is(name, &known)
            )?;
            return Ok(None);
        };
        if !chosen.contains(&found) {
            chosen.push(found);
        }
    }
    Ok(Some(chosen))
}

/// What can be denied, and how often it was found.
fn deniable(totals: Totals) -> [(DenyVerify, usize, &'static str); 3] {
    [
        (DenyVerify::Failing, totals.failing, "failing"),
        (DenyVerify::Unverified, totals.unverified - totals.claimed, "unverified"),
        (DenyVerify::Assumed, totals.verified_under, "verified under assumptions"),
    ]
}
