//! Messages drawn on the source, by the renderer of rustc (`annotate-snippets`).

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use footpath_ir::source::{FileId, SourceMap, Span};

use crate::text::Style;

/// How a message looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tone {
    /// Red.
    Error,
    /// Yellow.
    Warning,
    /// Green.
    Note,
}

/// A message with marks on the source.
pub struct Message<'a> {
    /// How it looks.
    pub tone: Tone,
    /// The word in front, such as `infeasible`.
    pub name: &'a str,
    /// The stable code in brackets, if there is one.
    pub code: Option<&'a str>,
    /// The message itself.
    pub title: String,
    /// The marked ranges.
    pub marks: Vec<Mark>,
    /// What the user can do.
    pub help: Option<&'a str>,
}

/// A marked range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The range.
    pub span: Span,
    /// Whether the message is about this range; other ranges are there to explain.
    pub primary: bool,
    /// The remark beside it; may be empty.
    pub label: String,
}

/// Draws a message; ends in a line break.
pub fn draw(sources: &SourceMap, style: &Style, message: &Message<'_>) -> String {
    let level = match message.tone {
        Tone::Error => Level::ERROR,
        Tone::Warning => Level::WARNING,
        Tone::Note => Level::NOTE,
    };
    let mut title = level.with_name(message.name).primary_title(message.title.as_str());
    if let Some(code) = message.code {
        title = title.id(code);
    }
    let mut group = Group::with_title(title);
    for file in files_in_order(&message.marks) {
        group = group.element(draw_file(sources, file, &message.marks));
    }
    if let Some(help) = message.help {
        group = group.element(Level::HELP.message(help));
    }
    let renderer = if style.color { Renderer::styled() } else { Renderer::plain() };
    let mut text = renderer.term_width(style.width).render(&[group]);
    text.push('\n');
    text
}

/// The files with marks, that of the first primary mark in front.
fn files_in_order(marks: &[Mark]) -> Vec<FileId> {
    let mut files: Vec<FileId> = Vec::new();
    let (primary, secondary): (Vec<&Mark>, Vec<&Mark>) = marks.iter().partition(|m| m.primary);
    for mark in primary.into_iter().chain(secondary) {
        if !files.contains(&mark.span.file) {
            files.push(mark.span.file);
        }
    }
    files
}

fn draw_file<'a>(
    sources: &'a SourceMap,
    file: FileId,
    marks: &'a [Mark],
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let source = sources.file(file);
    let text = &*source.text;
    let here: Vec<(&Mark, Range<usize>)> =
        marks.iter().filter(|m| m.span.file == file).map(|m| (m, range(text, m.span))).collect();
    // Only the lines between the first and the last mark are given to the renderer, which looks at all it
    // gets: a message in the middle of a file of megabytes must not cost megabytes.
    let first = here.iter().map(|(_, r)| r.start).min().unwrap_or(0);
    let last = here.iter().map(|(_, r)| r.end).max().unwrap_or(0);
    let start = text[..first].rfind('\n').map_or(0, |i| i + 1);
    let end = text[last..].find('\n').map_or(text.len(), |i| last + i);
    let mut snippet = Snippet::source(&text[start..end])
        .path(source.name.as_str())
        .line_start(source.position(start as u32).line as usize);
    for (mark, range) in here {
        let kind = if mark.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        let annotation = kind.span(range.start - start..range.end - start);
        snippet = snippet.annotation(if mark.label.is_empty() {
            annotation
        } else {
            annotation.label(mark.label.as_str())
        });
    }
    snippet
}

/// The range of bytes of a span, made to fit the text and to lie on character boundaries. White space at the
/// end is left out, since a mark that ends in the next line is drawn as one of two lines.
fn range(text: &str, span: Span) -> Range<usize> {
    let floor = |offset: u32| {
        let mut i = (offset as usize).min(text.len());
        while !text.is_char_boundary(i) {
            i -= 1;
        }
        i
    };
    let (start, end) = (floor(span.start), floor(span.end));
    start..start + text[start..end.max(start)].trim_end().len()
}
