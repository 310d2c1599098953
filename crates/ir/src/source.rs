//! The source map: places in the user's files as spans, and their lines and columns.
//!
//! Every statement, block and diagnostic of Footpath carries a [`Span`]: a byte range in one file of the
//! [`SourceMap`]. Lines and columns are computed only when something is shown to a person, so the passes copy eight
//! or twelve bytes and never strings.

use std::fmt;
use std::sync::Arc;

/// The id of a file of a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FileId(pub u32);

/// A half-open range of bytes in one file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Span {
    /// The file the range lies in.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset one past the last byte; equal to `start` for an empty range.
    pub end: u32,
}

impl Span {
    /// The range `start..end` of `file`.
    pub fn new(file: FileId, start: usize, end: usize) -> Span {
        Span { file, start: start as u32, end: end.max(start) as u32 }
    }

    /// The smallest range that holds both; `self` if they lie in different files.
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The empty range at the start of `self`.
    pub fn at_start(self) -> Span {
        Span { end: self.start, ..self }
    }
}

/// One file as it was read.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The name as the user gave it, for messages.
    pub name: String,
    /// The whole text.
    pub text: Arc<str>,
    line_starts: Vec<u32>,
}

impl SourceFile {
    /// A file called `name` with the contents `text`.
    pub fn new(name: impl Into<String>, text: impl Into<Arc<str>>) -> SourceFile {
        let text: Arc<str> = text.into();
        let newlines = text.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| i as u32 + 1);
        let line_starts = std::iter::once(0).chain(newlines).collect();
        SourceFile { name: name.into(), text, line_starts }
    }

    /// The position of the byte at `offset`; offsets past the end give the end.
    pub fn position(&self, offset: u32) -> Position {
        let offset = offset.min(self.text.len() as u32);
        let line = self.line_starts.partition_point(|&start| start <= offset) - 1;
        let start = self.line_starts[line] as usize;
        let mut end = offset as usize;
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let column = self.text[start..end].chars().count() as u32 + 1;
        Position { line: line as u32 + 1, column }
    }

    /// The offset of the byte at a position, the inverse of [`SourceFile::position`]; a column past the end of its line is that of
    /// the end.
    pub fn offset(&self, at: Position) -> u32 {
        let index = at.line.saturating_sub(1) as usize;
        let Some(&start) = self.line_starts.get(index) else { return self.text.len() as u32 };
        let end = self.line_starts.get(index + 1).map_or(self.text.len(), |&next| next as usize);
        let line = &self.text[start as usize..end];
        let inside = line.char_indices().nth(at.column.saturating_sub(1) as usize).map(|(i, _)| i);
        start + inside.unwrap_or(line.len()) as u32
    }

    /// The text of the line with the 1-based number `line`, without its line break; empty past the end.
    pub fn line(&self, line: u32) -> &str {
        let index = line.saturating_sub(1) as usize;
        let Some(&start) = self.line_starts.get(index) else { return "" };
        let end = self.line_starts.get(index + 1).map_or(self.text.len(), |&e| e as usize);
        self.text[start as usize..end].trim_end_matches(['\n', '\r'])
    }

    /// How many lines the file has; a last line without a line break counts.
    pub fn line_count(&self) -> u32 {
        self.line_starts.len() as u32
    }
}

/// A place as a person counts it: both numbers start at 1, columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Position {
    /// 1-based line.
    pub line: u32,
    /// 1-based column, in characters.
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// All files of one run.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// A map without files.
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Adds a file and returns its id for spans.
    pub fn add(&mut self, file: SourceFile) -> FileId {
        self.files.push(file);
        FileId(self.files.len() as u32 - 1)
    }

    /// The file a span lies in.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// All files, in the order they were added.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(i, f)| (FileId(i as u32), f))
    }

    /// First and last position of a span (the last one is that of its final byte's successor).
    pub fn range(&self, span: Span) -> (Position, Position) {
        let file = self.file(span.file);
        (file.position(span.start), file.position(span.end))
    }

    /// The text a span covers; empty if the span does not fit the file.
    pub fn text(&self, span: Span) -> &str {
        self.file(span.file).text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// `file:line:column`, for one-line messages.
    pub fn describe(&self, span: Span) -> String {
        let file = self.file(span.file);
        format!("{}:{}", file.name, file.position(span.start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters_from_one() {
        let file = SourceFile::new("a.bpl", "ab\ncäd\n");
        assert_eq!(file.position(0).to_string(), "1:1");
        assert_eq!(file.position(2).to_string(), "1:3");
        assert_eq!(file.position(3).to_string(), "2:1");
        assert_eq!(file.position(6).to_string(), "2:3");
        assert_eq!(file.position(999).to_string(), "3:1");
        let offsets = [0, 1, 2, 3, 4, 6, 7, 8];
        assert_eq!(offsets.map(|offset| file.offset(file.position(offset))), offsets);
        assert_eq!(file.offset(Position { line: 9, column: 1 }), 8);
        assert_eq!(file.line(2), "cäd");
        assert_eq!(file.line(9), "");
    }
}
