//! Targets: from a user's words to a block.
//!
//! A target is the start of a block. A statement in the middle of one is made the start of a block of its own, in a
//! copy of the program; the interpreter then reports whether a run reaches it.

use std::cmp::Reverse;

use footpath_ir::source::{SourceMap, Span};
use footpath_ir::{
    Block, BlockId, Body, Origin, Place, ProcId, Program, Statement, Terminator, TerminatorKind,
};

/// The start of a block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Spot {
    /// The procedure.
    pub procedure: ProcId,
    /// Which of its bodies.
    pub body: u32,
    /// The block.
    pub block: BlockId,
}

/// A statement, or what ends a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Found {
    spot: Spot,
    /// The number of the statement; one past the last for what ends the block.
    statement: usize,
    span: Span,
}

/// A program in which the target is the start of a block.
#[derive(Clone, Debug)]
pub struct Target {
    /// The program.
    pub program: Program,
    /// The target.
    pub spot: Spot,
    /// The block of the original program that it is in.
    pub inside: BlockId,
    /// Its range in the source.
    pub span: Span,
}

/// Finds the target that `text` names: `FILE:LINE`, `FILE:LINE:COLUMN`, a label, or a procedure. Labels are looked for in
/// `preferred` first.
///
/// # Errors
/// If there is no such place; the error says what was looked for.
pub fn find(
    program: &Program,
    sources: &SourceMap,
    text: &str,
    preferred: Option<ProcId>,
) -> Result<Target, String> {
    if let Some((file, line, column)) = place(text) {
        let found = at_line(program, sources, (file, line, column))?;
        return Ok(target_at(program, found));
    }
    let procedures = || program.ids();
    let others = procedures().filter(|p| Some(*p) != preferred);
    for procedure in preferred.into_iter().chain(others) {
        for (number, body) in program[procedure].bodies.iter().enumerate() {
            if let Some(block) = body.block_ids().find(|&b| &*body[b].name == text) {
                let spot = Spot { procedure, body: number as u32, block };
                return Ok(whole(program, spot));
            }
        }
    }
    if let Some(procedure) = program.procedure_named(text).filter(|&p| !program[p].bodies.is_empty()) {
        return Ok(whole(program, Spot { procedure, body: 0, block: Body::ENTRY }));
    }
    Err(format!(
        "`{text}` is neither a label nor a procedure with a body, nor a place such as FILE:LINE or FILE:LINE:COLUMN"
    ))
}

/// `FILE:LINE` or `FILE:LINE:COLUMN`, taken apart.
pub fn place(text: &str) -> Option<(&str, u32, Option<u32>)> {
    let (before, last) = text.rsplit_once(':')?;
    let last = last.parse().ok()?;
    let line = before.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
    Some(line.map_or((before, last, None), |(file, line)| (file, line, Some(last))))
}

/// Whether a target's file is one that was read under a name: its path from here or from anywhere, or the end of that.
pub fn is_named(name: &str, file: &str) -> bool {
    let here = std::env::current_dir().ok();
    let here = here.as_ref().and_then(|here| here.to_str()).map(|here| format!("{here}/"));
    let from_here = |path: &str| {
        let path = here.as_ref().and_then(|here| path.strip_prefix(here)).unwrap_or(path);
        path.trim_start_matches("./").to_owned()
    };
    let (name, file) = (from_here(name), from_here(file));
    name == file || name.ends_with(&format!("/{file}"))
}

fn whole(program: &Program, spot: Spot) -> Target {
    let span = program[spot.procedure].bodies[spot.body as usize][spot.block].span;
    Target { program: program.clone(), spot, inside: spot.block, span }
}

/// The statements for which `is_wanted`, each as a target of its own, in their order in the program.
pub fn find_statements(program: &Program, is_wanted: &dyn Fn(ProcId, &Statement) -> bool) -> Vec<Target> {
    let mut found = Vec::new();
    for (p, procedure) in program.procedures.iter().enumerate() {
        let id = ProcId(p as u32);
        for (number, body) in procedure.bodies.iter().enumerate() {
            for block in body.block_ids() {
                let spot = Spot { procedure: id, body: number as u32, block };
                for (statement, s) in
                    body[block].statements.iter().enumerate().filter(|(_, s)| is_wanted(id, s))
                {
                    found.push(target_at(program, Found { spot, statement, span: s.span }));
                }
            }
        }
    }
    found
}

/// The first thing that starts on a line; with a column, the last one that starts at that column or before it. A statement comes
/// before the block that begins with it, whose range may begin where only registers are computed, and that before a procedure.
fn at_line(
    program: &Program,
    sources: &SourceMap,
    (file, line, column): (&str, u32, Option<u32>),
) -> Result<Found, String> {
    let Some((id, _)) = sources.files().find(|(_, f)| is_named(&f.name, file)) else {
        return Err(format!("no file {file} was read"));
    };
    let here = |span: Span| {
        let start = sources.range(span).0;
        span.file == id && start.line == line && column.is_none_or(|column| start.column <= column)
    };
    let (mut statements, mut blocks, mut procedures) = (Vec::new(), Vec::new(), Vec::new());
    for id in program.ids() {
        for (number, body) in program[id].bodies.iter().enumerate() {
            let at = |block, statement, span| {
                let spot = Spot { procedure: id, body: number as u32, block };
                here(span).then_some(Found { spot, statement, span })
            };
            procedures.extend(at(Body::ENTRY, 0, program[id].span));
            for block in body.block_ids() {
                blocks.extend(at(block, 0, body[block].span));
                let spans = body[block].statements.iter().map(|s| s.span);
                let spans = spans.chain([body[block].terminator.span]).enumerate();
                statements.extend(spans.filter_map(|(statement, span)| at(block, statement, span)));
            }
        }
    }
    let best = if column.is_some() {
        let all = statements.into_iter().chain(blocks).chain(procedures);
        all.min_by_key(|found| Reverse(found.span.start))
    } else {
        let of_kinds = [statements, blocks, procedures].into_iter();
        of_kinds.filter_map(|all| all.into_iter().min_by_key(|found| found.span.start)).next()
    };
    let column = column.map_or_else(String::new, |column| format!(" at column {column} or before it"));
    best.ok_or_else(|| format!("no statement starts on line {line} of {file}{column}"))
}

fn target_at(program: &Program, found: Found) -> Target {
    let mut program = program.clone();
    let spot = found.spot;
    if found.statement == 0 {
        return Target { program, spot, inside: spot.block, span: found.span };
    }
    let body = &mut program[spot.procedure].bodies[spot.body as usize];
    let new = BlockId(body.blocks.len() as u32);
    let old = &mut body.blocks[spot.block.index()];
    let statements = old.statements.split_off(found.statement);
    let goto = Terminator { kind: TerminatorKind::Goto(vec![new]), span: found.span.at_start() };
    let terminator = std::mem::replace(&mut old.terminator, goto);
    let place = Place::Segment { block: new, first: 0 };
    let origin = Origin { place, ..old.origin };
    let mut name = format!("{}.target", old.name);
    while body.blocks.iter().any(|b| *b.name == *name) {
        name.push('\'');
    }
    body.blocks.push(Block { name: name.into(), statements, terminator, span: found.span, origin });
    Target { program, spot: Spot { block: new, ..spot }, inside: spot.block, span: found.span }
}
