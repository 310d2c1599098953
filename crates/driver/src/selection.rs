//! Selection: the functions and objectives that are about given lines, of a coverage report or of a change.
//!
//! **Idea.** Change impact analysis and test generation from a coverage report ask the same of a program: which functions have code
//! on some lines. Lines that *changed* select functions whole, and those that call them, directly or not, as their results may
//! depend on the change. Lines that tests *missed* select functions and, within them, the objectives on these lines: nothing else is
//! searched for or proved. A block is on the lines on which it has code (`line_table.rs` of the front end), a branch and a
//! check on the line on which they begin.
//!
//! Who made the report or the change may have named files differently, as in another folder or on another machine. A file is the one
//! that it is really the same as; failing that, the one whose name agrees with it in most components from the end
//! (`/build/lib/list.c` and `lib/list.c` in two). If there are several, none is taken, and the user is told.
//!
//! Example: of `int f(int n) {` / `if (n > 3)` / `return 1;` / `return 0; }`, the missed line 3 selects one block, and no branch.
//!
//! **Direction of error.** What depends on a change outside of functions (macros, types, variables) is not selected, which is said;
//! nor are callers through pointers that the front end does not resolve. What is selected is analysed as if there was no selection, so
//! no claim depends on it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use footpath_frontend::c::LoweredFunction;
use footpath_ir::source::{FileId, SourceMap};
use footpath_ir::{AssertKind, ProcId, Program};

use crate::objectives::{Target, targets};
use crate::result::ObjectiveKind;
use crate::strategy::call_graph::callers;
use crate::{CompileError, Options};

/// A set of lines of a file, counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LineSet {
    /// First and last lines of ranges, in order, which neither overlap nor touch.
    ranges: Vec<(u32, u32)>,
}

impl LineSet {
    /// All lines of any file.
    pub fn all() -> LineSet {
        LineSet { ranges: vec![(1, u32::MAX)] }
    }

    /// The lines of these ranges, given by their first and last lines.
    pub fn of(ranges: impl IntoIterator<Item = (u32, u32)>) -> LineSet {
        let mut all: Vec<(u32, u32)> = ranges.into_iter().filter(|(first, last)| first <= last).collect();
        all.sort_unstable();
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for (first, last) in all {
            match ranges.last_mut() {
                Some((_, end)) if first <= end.saturating_add(1) => *end = last.max(*end),
                _ => ranges.push((first, last)),
            }
        }
        LineSet { ranges }
    }

    /// Whether a line is in the set.
    pub fn contains(&self, line: u32) -> bool {
        self.meets(line, line)
    }

    /// Whether any line of a range is in the set.
    pub fn meets(&self, first: u32, last: u32) -> bool {
        let next = self.ranges.partition_point(|(_, end)| *end < first);
        self.ranges.get(next).is_some_and(|(start, _)| *start <= last)
    }

    /// Whether no line is in the set.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// The lines up to `last`.
    fn up_to(&self, last: u32) -> impl Iterator<Item = u32> + '_ {
        self.ranges.iter().flat_map(move |&(first, end)| first..=end.min(last))
    }
}

/// Lines of files.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SourceLines {
    /// Where they are from, for messages.
    pub from: String,
    /// The lines of each file, by the name that it has there.
    pub files: BTreeMap<PathBuf, LineSet>,
}

/// What is analysed; everything if nothing is given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Selection {
    /// Lines that changed: only functions on them are analysed, and their callers.
    pub changed: Option<SourceLines>,
    /// Lines that tests missed: only what is on them is analysed.
    pub missed: Option<SourceLines>,
}

/// The lines of a selection in the program's own files.
type Lines = BTreeMap<FileId, LineSet>;

/// A selection, found in a program.
#[derive(Default)]
pub(crate) struct Selected {
    /// The functions on lines that changed, and their callers.
    changed: Option<BTreeSet<ProcId>>,
    missed: Option<Lines>,
    /// The names of files in the report of missed lines.
    reported: BTreeMap<FileId, PathBuf>,
}

impl Selected {
    /// Finds a selection in a program, and says in `notes` what it leaves out.
    ///
    /// # Errors
    /// If no file of the program is in the report of missed lines.
    pub(crate) fn of(
        options: &Options,
        (program, functions, sources): (&Program, &[&LoweredFunction], &SourceMap),
        notes: &mut Vec<String>,
    ) -> Result<Selected, CompileError> {
        let mut selected = Selected::default();
        let with_code: BTreeSet<FileId> = functions.iter().flat_map(|f| files_of(f)).collect();
        let with_code: Vec<(FileId, &str)> =
            with_code.into_iter().map(|file| (file, sources.file(file).name.as_str())).collect();
        if let Some(missed) = &options.selection.missed {
            let said = notes.len();
            let found = matched(missed, &with_code, notes);
            if found.is_empty() && !with_code.is_empty() {
                if let Some(ambiguous) = notes.drain(said..).next() {
                    return Err(CompileError::File(missed.from.clone(), ambiguous));
                }
                let some: Vec<String> =
                    missed.files.keys().take(3).map(|path| path.display().to_string()).collect();
                let some =
                    if some.is_empty() { String::new() } else { format!(" ({} …)", some.join(", ")) };
                let why = format!("none of the files in this report{some} is among the sources");
                return Err(CompileError::File(missed.from.clone(), why));
            }
            let absent = with_code.iter().filter(|(file, _)| !found.contains_key(file));
            notes.extend(absent.map(|(_, name)| {
                format!("{name} is not in {}, so nothing in it is looked for", missed.from)
            }));
            selected.missed = Some(lines_of(missed, &found));
            selected.reported = found;
        }
        if let Some(changed) = &options.selection.changed {
            let lines = lines_of(changed, &matched(changed, &with_code, notes));
            let own = functions.iter().filter(|f| is_on(f, &lines, sources)).map(|f| f.procedure).collect();
            notes.extend(outside(&lines, functions, sources));
            selected.changed = Some(with_callers(program, own));
        }
        Ok(selected)
    }

    /// Whether a function is analysed.
    pub(crate) fn has(&self, function: &LoweredFunction) -> bool {
        let has_changed = self.changed.as_ref().is_none_or(|changed| changed.contains(&function.procedure));
        has_changed && self.missed.as_ref().is_none_or(|_| self.missed_lines(function).next().is_some())
    }

    /// Whether objectives are selected besides functions.
    pub(crate) fn selects_objectives(&self) -> bool {
        self.missed.is_some()
    }

    /// The missed lines on which a function has code, some of them more than once.
    pub(crate) fn missed_lines(
        &self,
        function: &LoweredFunction,
    ) -> impl Iterator<Item = (FileId, u32)> + '_ + use<'_> {
        let all: Vec<(FileId, u32)> = function.lines.values().flatten().copied().collect();
        all.into_iter().filter(|&(file, line)| self.is_missed(file, line))
    }

    /// The names of the program's files in the report of missed lines.
    pub(crate) fn reported(&self) -> &BTreeMap<FileId, PathBuf> {
        &self.reported
    }

    /// Whether a line is one of those that tests missed.
    pub(crate) fn is_missed(&self, file: FileId, line: u32) -> bool {
        self.missed.as_ref().and_then(|lines| lines.get(&file)).is_some_and(|set| set.contains(line))
    }

    /// All missed lines of files of the program.
    pub(crate) fn all_missed<'s>(
        &'s self,
        sources: &'s SourceMap,
    ) -> impl Iterator<Item = (FileId, u32)> + 's {
        let files = self.missed.iter().flatten();
        files
            .flat_map(|(&file, set)| set.up_to(sources.file(file).line_count()).map(move |line| (file, line)))
    }

    /// The selected objectives of a function; of its checks those of the kinds `checks`.
    pub(crate) fn targets(
        &self,
        (program, sources): (&Program, &SourceMap),
        function: &LoweredFunction,
        checks: &BTreeSet<AssertKind>,
    ) -> Vec<Target> {
        let mut all = targets(program, function, checks);
        if self.missed.is_some() {
            all.retain(|target| {
                let objective = &target.objective;
                match objective.kind {
                    ObjectiveKind::Block => {
                        objective.lines.iter().any(|&(file, line)| self.is_missed(file, line))
                    }
                    _ => self.is_missed(objective.span.file, sources.range(objective.span).0.line),
                }
            });
        }
        all
    }
}

fn files_of(function: &LoweredFunction) -> BTreeSet<FileId> {
    function.lines.values().flatten().map(|(file, _)| *file).collect()
}

/// The first and the last line of a function in the file in which its name stands.
fn extent(function: &LoweredFunction, sources: &SourceMap) -> (u32, u32) {
    let first = sources.range(function.span).0.line;
    let lines = function.lines.values().flatten().filter(|(file, _)| *file == function.span.file);
    (first, lines.map(|(_, line)| *line).max().unwrap_or(first).max(first))
}

/// Whether a function is on any of these lines.
fn is_on(function: &LoweredFunction, lines: &Lines, sources: &SourceMap) -> bool {
    let (first, last) = extent(function, sources);
    let has = |file: FileId, first, last| lines.get(&file).is_some_and(|set| set.meets(first, last));
    has(function.span.file, first, last)
        || function.lines.values().flatten().any(|&(file, line)| has(file, line, line))
}

/// A note if lines changed that are in no function.
fn outside(lines: &Lines, functions: &[&LoweredFunction], sources: &SourceMap) -> Option<String> {
    let mut count = 0_usize;
    for (&file, set) in lines {
        let inside = functions.iter().filter(|f| f.span.file == file).map(|f| extent(f, sources));
        let inside = LineSet::of(inside);
        let source = sources.file(file);
        let is_code = |line: u32| !source.line(line).trim().is_empty() && !inside.contains(line);
        count += set.up_to(source.line_count()).filter(|&line| is_code(line)).count();
    }
    let (lines, are) = if count == 1 { ("line", "is") } else { ("lines", "are") };
    (count > 0).then(|| {
        format!("{count} changed {lines} {are} outside of functions; functions that depend on them are not selected for that")
    })
}

/// Procedures and all that call them, directly or not.
fn with_callers(program: &Program, of: BTreeSet<ProcId>) -> BTreeSet<ProcId> {
    let callers = callers(program);
    let mut open: Vec<ProcId> = of.iter().copied().collect();
    let mut found = of;
    while let Some(procedure) = open.pop() {
        for &caller in callers.get(&procedure).into_iter().flatten() {
            if found.insert(caller) {
                open.push(caller);
            }
        }
    }
    found
}

/// The lines of files, given by the names that they have.
fn lines_of(lines: &SourceLines, names: &BTreeMap<FileId, PathBuf>) -> Lines {
    names.iter().filter_map(|(&file, name)| Some((file, lines.files.get(name)?.clone()))).collect()
}

/// The names of the program's files there.
fn matched(
    lines: &SourceLines,
    files: &[(FileId, &str)],
    notes: &mut Vec<String>,
) -> BTreeMap<FileId, PathBuf> {
    let named: Vec<&Path> = lines.files.keys().map(PathBuf::as_path).collect();
    let sources: Vec<PathBuf> = files.iter().map(|(_, name)| real(Path::new(name))).collect();
    let mut found = BTreeMap::new();
    for ((file, name), by) in files.iter().zip(matches(&sources, &named)) {
        match by {
            Match::None => {}
            Match::One(number) => {
                found.insert(*file, named[number].to_owned());
            }
            Match::Ambiguous(several) => {
                let several: Vec<String> =
                    several.iter().take(3).map(|&n| named[n].display().to_string()).collect();
                notes.push(format!(
                    "{name} may be more than one of the files in {}, or one of several ({}), so nothing in it is selected",
                    lines.from,
                    several.join(", ")
                ));
            }
        }
    }
    found
}

/// Which of the named files a source is.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Match {
    None,
    One(usize),
    /// It is not clear which one, or which source that one is.
    Ambiguous(Vec<usize>),
}

/// For each source, given with its real path, the file of this name.
fn matches(sources: &[PathBuf], named: &[&Path]) -> Vec<Match> {
    let mut by_name: BTreeMap<&std::ffi::OsStr, Vec<usize>> = BTreeMap::new();
    for (number, path) in named.iter().enumerate() {
        by_name.entry(path.file_name().unwrap_or_default()).or_default().push(number);
    }
    // For each source the best files with the number of components that agree; one that is really the same is better than any.
    let best = |source: &PathBuf| -> (usize, Vec<usize>) {
        let candidates = by_name.get(source.file_name().unwrap_or_default());
        let (mut most, mut which) = (0, Vec::new());
        for &number in candidates.into_iter().flatten() {
            let agree = match real(named[number]) == *source {
                true => usize::MAX,
                false => agreement(source, named[number]),
            };
            if agree > most {
                (most, which) = (agree, vec![number]);
            } else if agree == most {
                which.push(number);
            }
        }
        (most, which)
    };
    let all: Vec<(usize, Vec<usize>)> = sources.iter().map(best).collect();
    let claim = |i: usize| match &all[i] {
        (_, which) if which.is_empty() => Match::None,
        (usize::MAX, which) => Match::One(which[0]),
        (most, which) => {
            let rivals = all.iter().enumerate().filter(|(j, (_, other))| *j != i && *other == *which);
            let strongest = rivals.map(|(_, (agree, _))| *agree).max().unwrap_or(0);
            match which.as_slice() {
                // Another source fits better.
                [_] if strongest > *most => Match::None,
                [only] if strongest < *most => Match::One(*only),
                _ => Match::Ambiguous(which.clone()),
            }
        }
    };
    (0..sources.len()).map(claim).collect()
}

/// In how many components from the end two paths agree.
fn agreement(a: &Path, b: &Path) -> usize {
    a.components().rev().zip(b.components().rev()).take_while(|(a, b)| a == b).count()
}

/// The real path of a file, or the absolute one if it is not there.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_sets_join_ranges_that_overlap_or_touch() {
        let set = LineSet::of([(7, 9), (1, 2), (3, 3), (8, 12), (20, 10)]);
        assert_eq!(set.ranges, [(1, 3), (7, 12)]);
        let inside: Vec<u32> = (0..15).filter(|&line| set.contains(line)).collect();
        assert_eq!(inside, [1, 2, 3, 7, 8, 9, 10, 11, 12]);
        assert!(set.meets(4, 7) && !set.meets(4, 6) && !set.meets(13, u32::MAX));
        assert!(
            LineSet::all().contains(u32::MAX) && !LineSet::all().contains(0) && LineSet::of([]).is_empty()
        );
        assert_eq!(set.up_to(8).collect::<Vec<u32>>(), [1, 2, 3, 7, 8]);
    }

    fn matches_of(sources: &[&str], named: &[&str]) -> Vec<Match> {
        let sources: Vec<PathBuf> = sources.iter().map(PathBuf::from).collect();
        matches(&sources, &named.iter().map(Path::new).collect::<Vec<&Path>>())
    }

    #[test]
    fn files_are_recognised_by_the_ends_of_their_names() {
        let sources = ["/no/home/p/lib/list.c", "/no/home/p/test/list.c", "/no/home/p/main.c"];
        let named = ["/build/p/lib/list.c", "/build/p/test/list.c", "src/other.c"];
        assert_eq!(matches_of(&sources, &named), [Match::One(0), Match::One(1), Match::None]);
        // The better one wins where a file is there for one source only.
        assert_eq!(matches_of(&sources, &["lib/list.c"]), [Match::One(0), Match::None, Match::None]);
    }

    #[test]
    fn files_that_may_be_several_are_none() {
        let ambiguous = Match::Ambiguous(vec![0, 1]);
        assert_eq!(matches_of(&["/no/p/list.c"], &["/x/list.c", "/y/list.c"]), [ambiguous]);
        let both = matches_of(&["/no/a/list.c", "/no/b/list.c"], &["list.c"]);
        assert_eq!(both, [Match::Ambiguous(vec![0]), Match::Ambiguous(vec![0])]);
        assert_eq!(matches_of(&["/no/p/list.c"], &["/no/p/list.c", "/x/p/list.c"]), [Match::One(0)]);
    }
}
