//! What became of the lines that a coverage report calls missed.
//!
//! **Idea.** A line is executed as soon as one of the blocks with code on it is, so it is *covered* if a compiled test passed one of
//! them; *impossible* if each of them, in every function that has code there, is proved to be unreachable without any bound; and
//! *open* otherwise. Lines without code (braces, comments, code that this build leaves out, which other coverage tools count
//! all the same) are counted by themselves.
//!
//! Example: in `if (n > 9 && n < 5) return -1;` on one line, one test that gets to the `if` covers the line.
//!
//! **Direction of error.** A compiler of another kind may see code of a block on other lines: what is said is about the code that
//! clang made. Covered and impossible are as sure as the verdicts of the blocks are; a line of a function that was not analysed is open.

use std::collections::BTreeMap;
use std::path::PathBuf;

use footpath_frontend::c::LoweredFunction;
use footpath_ir::source::{FileId, SourceMap};
use footpath_verdict::{Code, Method, Verdict};

use crate::result::{FunctionResult, Objective, ObjectiveKind};
use crate::selection::Selected;

/// The lines that a coverage report calls missed, in the functions that were analysed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MissedLines {
    /// The coverage report, as the user named it.
    pub report: String,
    /// Those with code.
    pub lines: Vec<MissedLine>,
    /// The names that the program's files have in the report.
    pub files: BTreeMap<FileId, PathBuf>,
    /// How many other ones there are in the files of these functions: none of the program's functions has code there.
    pub without_code: usize,
}

/// A line that a coverage report calls missed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MissedLine {
    /// Its file.
    pub file: FileId,
    /// Its number, from 1.
    pub line: u32,
    /// The function with code on it, the first of them if there are several.
    pub function: String,
    /// How many blocks have code on it, in all functions of the program.
    pub blocks: usize,
    /// What became of it.
    pub fate: LineFate,
}

/// What became of a line that a coverage report calls missed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LineFate {
    /// A compiled test executes it.
    Covered,
    /// No input executes it.
    Impossible {
        /// The methods that proved that, of all blocks on it.
        by: Vec<Method>,
        /// Whether this rests on memory safety.
        assumes_memory_safety: bool,
    },
    /// Neither is known. The verdict of a block on it that is not known to be unreachable.
    Open(Verdict),
}

/// What is known of a line.
#[derive(Default)]
struct Known {
    covered: bool,
    proved: usize,
    by: Vec<Method>,
    assumes_memory_safety: bool,
    /// The first verdict that leaves it open.
    open: Option<Verdict>,
}

/// What became of the missed lines of the functions in `work`, which are numbers of `functions`.
pub(crate) fn missed_lines(
    selected: &Selected,
    (functions, work): (&[LoweredFunction], &[usize]),
    sources: &SourceMap,
    results: &[FunctionResult],
    report: &str,
) -> MissedLines {
    let mut lines: BTreeMap<(FileId, u32), MissedLine> = BTreeMap::new();
    for function in work.iter().map(|&i| &functions[i]) {
        for (file, line) in selected.missed_lines(function) {
            let fate = LineFate::Open(Verdict::Unknown(Code::NotAnalysed.into()));
            let function = || function.name.clone();
            let missed = || MissedLine { file, line, function: function(), blocks: 0, fate };
            lines.entry((file, line)).or_insert_with(missed);
        }
    }
    // Code of any function counts, whether it was analysed or not.
    for at in functions.iter().flat_map(|f| selected.missed_lines(f)) {
        if let Some(line) = lines.get_mut(&at) {
            line.blocks += 1;
        }
    }
    let of_work = |file: FileId| work.iter().any(|&i| functions[i].span.file == file);
    let has_code = |at: (FileId, u32)| functions.iter().any(|f| f.lines.values().any(|l| l.contains(&at)));
    let without_code = selected.all_missed(sources).filter(|at| of_work(at.0) && !has_code(*at)).count();
    let (report, lines, files) =
        (report.to_owned(), lines.into_values().collect(), selected.reported().clone());
    let mut missed = MissedLines { report, lines, files, without_code };
    missed.settle(results);
    missed
}

impl MissedLines {
    /// Says what became of each line, by the verdicts of the blocks on it.
    pub fn settle(&mut self, results: &[FunctionResult]) {
        let mut known: BTreeMap<(FileId, u32), Known> =
            self.lines.iter().map(|line| ((line.file, line.line), Known::default())).collect();
        let is_block = |o: &&Objective| o.kind == ObjectiveKind::Block;
        for objective in results.iter().flat_map(|f| &f.objectives).filter(is_block) {
            for at in &objective.lines {
                let Some(line) = known.get_mut(at) else { continue };
                match &objective.verdict {
                    Verdict::Covered => line.covered = true,
                    Verdict::Unreachable => {
                        line.proved += 1;
                        line.by.extend(objective.settled_by.filter(|by| !line.by.contains(by)));
                        line.assumes_memory_safety |= objective.assumes_memory_safety;
                    }
                    other => {
                        line.open.get_or_insert_with(|| other.clone());
                    }
                }
            }
        }
        for line in &mut self.lines {
            let known = known.remove(&(line.file, line.line)).unwrap_or_default();
            line.fate = known.settled(line.blocks);
        }
    }
}

impl Known {
    fn settled(self, blocks: usize) -> LineFate {
        match self.open {
            _ if self.covered => LineFate::Covered,
            None if blocks > 0 && self.proved == blocks => {
                LineFate::Impossible { by: self.by, assumes_memory_safety: self.assumes_memory_safety }
            }
            open => LineFate::Open(open.unwrap_or_else(|| Verdict::Unknown(Code::NotAnalysed.into()))),
        }
    }
}
