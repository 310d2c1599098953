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

use crate::result::{FunctionResult, ObjectiveKind};
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
struct Known {
    function: String,
    /// How many blocks have code on it.
    blocks: usize,
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
    let mut known: BTreeMap<(FileId, u32), Known> = BTreeMap::new();
    for function in work.iter().map(|&i| &functions[i]) {
        for at in selected.missed_lines(function) {
            known.entry(at).or_insert_with(|| Known {
                function: function.name.clone(),
                blocks: 0,
                covered: false,
                proved: 0,
                by: Vec::new(),
                assumes_memory_safety: false,
                open: None,
            });
        }
    }
    // Code of any function counts, whether it was analysed or not.
    for at in functions.iter().flat_map(|f| selected.missed_lines(f)) {
        if let Some(line) = known.get_mut(&at) {
            line.blocks += 1;
        }
    }
    for objective in results.iter().flat_map(|f| &f.objectives).filter(|o| o.kind == ObjectiveKind::Block) {
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
    let lines: Vec<MissedLine> =
        known.into_iter().map(|((file, line), known)| known.settled(file, line)).collect();
    let of_work = |file: FileId| work.iter().any(|&i| functions[i].span.file == file);
    let has_code = |at: (FileId, u32)| functions.iter().any(|f| f.lines.values().any(|l| l.contains(&at)));
    let without_code = selected.all_missed(sources).filter(|at| of_work(at.0) && !has_code(*at)).count();
    MissedLines { report: report.to_owned(), lines, files: selected.reported().clone(), without_code }
}

impl Known {
    fn settled(self, file: FileId, line: u32) -> MissedLine {
        let fate = match self.open {
            _ if self.covered => LineFate::Covered,
            None if self.blocks > 0 && self.proved == self.blocks => {
                LineFate::Impossible { by: self.by, assumes_memory_safety: self.assumes_memory_safety }
            }
            open => LineFate::Open(open.unwrap_or_else(|| Verdict::Unknown(Code::NotAnalysed.into()))),
        };
        MissedLine { file, line, function: self.function, fate }
    }
}
