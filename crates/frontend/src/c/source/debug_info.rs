//! Debug information: the source range of an instruction, and the names that variables have in the source.
//!
//! LLVM records a line and a column, and only where something begins; the range ends with the word or operator there.
//! If a source file cannot be read there are no ranges in it, and its code has the range of its function's first line
//! in the `.ll` text.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use footpath_ir::source::{FileId, SourceFile, SourceMap, Span};

use crate::llvm::ast::{Function, Module, NodeId};
use crate::llvm::main_file;

use super::source_access::SourceAccess;

/// Operators of more than one character, the longest first.
const OPERATORS: [&str; 22] = [
    "<<=", ">>=", "...", "&&", "||", "==", "!=", "<=", ">=", "->", "++", "--", "<<", ">>", "+=", "-=", "*=",
    "/=", "%=", "&=", "|=", "^=",
];

/// Which condition is meant by the place of a branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    /// The one on the left of an operator.
    Left,
    /// The one on its right.
    Right,
    /// The last one.
    Last,
}

/// Ranges in the source for what the debug information says.
pub struct DebugInfo {
    sources: SourceMap,
    files: FxHashMap<PathBuf, Option<FileId>>,
    spans: FxHashMap<(u32, NodeId), Option<Span>>,
    access: SourceAccess,
}

impl DebugInfo {
    /// Source files are read as they are needed, if `access` permits it, and put into `sources`.
    pub fn new(sources: SourceMap, access: SourceAccess) -> DebugInfo {
        DebugInfo { sources, files: FxHashMap::default(), spans: FxHashMap::default(), access }
    }

    /// The files that were read so far.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// All files that were read.
    pub fn into_sources(self) -> SourceMap {
        self.sources
    }

    /// The range of a `DILocation`.
    pub fn span(&mut self, m: u32, module: &Module, location: Option<NodeId>) -> Option<Span> {
        let location = location?;
        if let Some(&known) = self.spans.get(&(m, location)) {
            return known;
        }
        let span = self.find(module, location);
        self.spans.insert((m, location), span);
        span
    }

    /// The range of what begins at a line and column of the file that a range is in.
    pub fn beside(&self, span: Span, line: u32, column: u32) -> Span {
        self.at(span.file, line, column)
    }

    /// The range of what begins at a line and column of a file that debug information has named.
    pub(crate) fn place(&self, path: &Path, line: u32, column: u32) -> Option<Span> {
        let file = self.files.get(path).copied().flatten()?;
        Some(self.at(file, line, column))
    }

    fn find(&mut self, module: &Module, location: NodeId) -> Option<Span> {
        let node = module.node(location).with(&module.names);
        let line = u32::try_from(node.u64("line")?).ok().filter(|&line| line > 0)?;
        let column = node.u64("column").unwrap_or(0);
        let file = self.file_of_scope(module, node.node("scope")?)?;
        Some(self.at(file, line, column as u32))
    }

    /// The range of a function's name.
    pub fn function_span(&mut self, m: u32, module: &Module, function: &Function) -> Span {
        let _ = m;
        let found = function.dbg.and_then(|subprogram| {
            let node = module.node(subprogram).with(&module.names);
            let line = u32::try_from(node.u64("line")?).ok().filter(|&line| line > 0)?;
            let file = self.file_of_scope(module, subprogram)?;
            let name = node.string("name")?;
            let text = self.sources.file(file).line(line);
            let is_word = |at: &usize| {
                let is_part = |c: char| c.is_alphanumeric() || c == '_';
                !text[..*at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part)
            };
            let found = text.match_indices(name).map(|(at, _)| at).find(is_word);
            let column = found.map_or(0, |at| text[..at].chars().count() + 1);
            Some(self.at(file, line, column as u32))
        });
        found.unwrap_or(function.span)
    }

    /// The 1-based line where a range begins.
    pub fn line(&self, span: Span) -> u32 {
        self.sources.range(span).0.line
    }

    /// What stands in a range.
    pub(crate) fn text(&self, span: Span) -> &str {
        self.sources.text(span)
    }

    fn file_of_scope(&mut self, module: &Module, scope: NodeId) -> Option<FileId> {
        let mut scope = scope;
        for _ in 0..200 {
            let node = module.node(scope).with(&module.names);
            if node.kind() == "DIFile" {
                return self.file(module, scope);
            }
            match node.node("file") {
                Some(file) => return self.file(module, file),
                None => scope = node.node("scope")?,
            }
        }
        None
    }

    fn file(&mut self, module: &Module, file: NodeId) -> Option<FileId> {
        let node = module.node(file).with(&module.names);
        let (name, folder) = (node.string("filename")?, node.string("directory").unwrap_or(""));
        let path = Path::new(folder).join(name);
        if let Some(&known) = self.files.get(&path) {
            return known;
        }
        // Sources that were generated name their own as it was called from where that was done, mostly beside them.
        let beside = || Some(main_file(module)?.parent()?.join(Path::new(name).file_name()?));
        let found = if path.is_file() { None } else { beside().filter(|path| path.is_file()) };
        let place = found.unwrap_or_else(|| path.clone());
        let read = self.access.read(&place);
        // The compiler splits paths as it likes: what is shown is relative to here, or absolute.
        let here = std::env::current_dir().unwrap_or_default();
        let shown = place.strip_prefix(here).unwrap_or(&place).display().to_string();
        let id = read.map(|text| self.sources.add(SourceFile::new(shown, text)));
        self.files.insert(path, id);
        id
    }

    /// The range of the condition of a branch whose debug location is `span`. It places the branch on the left side
    /// of `&&` and `||` at the operator, though it is about what stands before that, and the branch on the last
    /// operand where the first one begins. Behind the last one that is left of an expression there may be others that the
    /// compiler folded; where the condition is `computed` tells.
    pub(crate) fn condition(&self, span: Span, computed: Option<Span>) -> Span {
        let line = self.sources.range(span).0.line;
        let source = self.sources.file(span.file);
        let text = source.line(line);
        let base = offset_in(&source.text, text);
        let Some((before, after)) =
            (span.start as usize).checked_sub(base).and_then(|at| text.split_at_checked(at))
        else {
            return span;
        };
        let operand = match self.sources.text(span) {
            "&&" | "||" => left_operand(before.trim_end()),
            _ => self.computed_operand(span, after, last_operand(after), computed),
        };
        if operand.is_empty() {
            return span;
        }
        let start = operand.as_ptr() as usize - source.text.as_ptr() as usize;
        Span::new(span.file, start, start + operand.len())
    }

    /// The whole condition that is evaluated at a place: what is on the left of `&&` or `||` there, or on the right; or the last
    /// condition of the expression that begins there; or what a comparison, a negation or a name there is a part of.
    pub(crate) fn condition_at(&self, span: Span, side: Side, computed: Option<Span>) -> Span {
        let source = self.sources.file(span.file);
        let (start, end) = (span.start as usize, span.end as usize);
        let (Some(before), Some(behind)) = (source.text.get(..start), source.text.get(end..)) else {
            return span;
        };
        let from = |text: &str| offset_in(&source.text, text);
        let (first, last) = match self.sources.text(span) {
            "&&" | "||" if side != Side::Right => {
                (from(left_operand(before.trim_end())), before.trim_end().len())
            }
            "&&" | "||" => {
                let operand = right_operand(behind, true);
                (from(operand), from(operand) + operand.len())
            }
            _ if side == Side::Last => {
                let whole = right_operand(source.text.get(start..).unwrap_or_default(), false);
                (start, from(whole) + whole.len())
            }
            _ => {
                let left = left_operand(before);
                let first = if left.trim().is_empty() { start } else { from(left) };
                (first, end + right_operand(behind, true).len() + (behind.len() - behind.trim_start().len()))
            }
        };
        let whole = source.text.get(first..last).unwrap_or_default();
        let operand = match side {
            Side::Last => self.computed_operand(span, whole, last_condition(whole), computed),
            // Operands before it that the compiler folded have no branch, and the decision begins with them.
            Side::Left if computed.is_some_and(|at| at.file == span.file && at.start as usize >= last) => {
                let rest = right_operand(source.text.get(start..).unwrap_or_default(), false);
                let at = computed.map_or(0, |at| at.start as usize - start);
                if rest.is_char_boundary(at) && at < rest.len() {
                    operand_around(rest, at)
                } else {
                    last_condition(whole)
                }
            }
            _ => last_condition(whole),
        };
        let first = from(operand);
        if operand.is_empty() { span } else { Span::new(span.file, first, first + operand.len()) }
    }

    /// The last operand of an expression in the file of `span`, or the one before it in which a condition is computed. A macro is
    /// computed where its call is, which is no operand of its own.
    fn computed_operand<'t>(
        &self,
        span: Span,
        whole: &'t str,
        last: &'t str,
        computed: Option<Span>,
    ) -> &'t str {
        let text = &self.sources.file(span.file).text;
        let base = offset_in(text, whole);
        let at = computed.filter(|at| at.file == span.file).map(|at| at.start as usize);
        let before_last = at.filter(|at| *at >= base && *at < offset_in(text, last));
        match before_last.map(|at| at - base) {
            Some(at) if !last.is_empty() && whole.is_char_boundary(at) => operand_around(whole, at),
            _ => last,
        }
    }

    /// Whether a condition is under an odd number of `!`: the compiler removes them and exchanges the arms instead.
    pub(crate) fn is_negated(&self, condition: Span) -> bool {
        let source = self.sources.file(condition.file);
        let text = source.text.get(condition.start as usize..).unwrap_or("");
        negations(text) % 2 == 1
    }

    /// Where the first word of a condition begins, and the word: behind negations and parentheses.
    pub(crate) fn first_word(&self, condition: Span) -> (u32, &str) {
        let source = self.sources.file(condition.file);
        let text = source.text.get(condition.start as usize..).unwrap_or("");
        let text = text.trim_start_matches(|c: char| c == '!' || c == '(' || c.is_whitespace());
        let start = offset_in(&source.text, text);
        let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
        (start as u32, &text[..end])
    }

    /// The word or operator at a place; the whole line, without its indentation, if no column is known.
    fn at(&self, file: FileId, line: u32, column: u32) -> Span {
        let source = self.sources.file(file);
        let text = source.line(line);
        let base = offset_in(&source.text, text);
        if column == 0 || text.is_empty() {
            let trimmed = text.trim();
            let start = base + (text.len() - text.trim_start().len());
            return Span::new(file, start, start + trimmed.len());
        }
        // Columns count bytes.
        let mut at = (column as usize - 1).min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let rest = &text[at..];
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let length = match rest.chars().next() {
            Some('"' | '\'') => literal_length(rest),
            Some(c) if word(c) => rest.find(|c| !word(c)).unwrap_or(rest.len()),
            Some(c) => OPERATORS.iter().find(|o| rest.starts_with(**o)).map_or(c.len_utf8(), |o| o.len()),
            None => 0,
        };
        Span::new(file, base + at, base + at + length)
    }
}

/// The last operand of the `&&`s and `||`s of a condition that a text begins with; nothing if there are none, or the
/// condition goes on behind the text.
fn last_operand(text: &str) -> &str {
    let Some(mut rest) = end_of_condition(text).map(|end| text[..end].trim()) else { return "" };
    let mut is_split = false;
    loop {
        let mut depth = 0;
        let mut split = None;
        for (at, c) in outside_literals(rest) {
            match c {
                '(' | '[' => depth += 1,
                ')' | ']' => depth -= 1,
                '&' | '|' if depth == 0 && rest[at + 1..].starts_with(c) => split = Some(at + 2),
                _ => {}
            }
        }
        match split {
            Some(at) => rest = rest[at..].trim_start(),
            None if is_split
                && rest.starts_with('(')
                && end_of_condition(&rest[1..]) == Some(rest.len() - 2) =>
            {
                rest = rest[1..rest.len() - 1].trim();
            }
            None => return if is_split { rest } else { "" },
        }
        is_split = true;
    }
}

/// How many `!` a text begins with, those of an operand in parentheses that is nothing else included.
fn negations(text: &str) -> usize {
    let Some(operand) = text.trim_start().strip_prefix('!').filter(|rest| !rest.starts_with('=')) else {
        return 0;
    };
    let inner = operand.trim_start();
    let Some(inside) = inner.strip_prefix('(') else { return 1 + negations(inner) };
    let inside = end_of_condition(inside).map_or("", |end| inside[..end].trim());
    let rest = inside.trim_start_matches(['!', ' ']);
    let is_one_word = rest.chars().all(|c| c.is_alphanumeric() || c == '_');
    let is_closed =
        rest.strip_prefix('(').is_some_and(|r| end_of_condition(r) == Some(r.len().saturating_sub(1)));
    1 + if is_one_word || is_closed { negations(inside) } else { 0 }
}

/// The characters of a text that are in no literal of a string or character, with their places.
fn outside_literals(text: &str) -> impl Iterator<Item = (usize, char)> {
    let (mut quote, mut is_escaped) = (None, false);
    text.char_indices().filter(move |&(_, c)| {
        match (quote, c) {
            _ if is_escaped => is_escaped = false,
            (Some(_), '\\') => is_escaped = true,
            (Some(open), _) if c == open => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (Some(_), _) => {}
            (None, _) => return true,
        }
        false
    })
}

/// The length of the literal of a string or character that a text begins with; the whole text if it is not closed.
fn literal_length(text: &str) -> usize {
    let mut is_escaped = false;
    let closing = text.char_indices().skip(1).find(|&(_, c)| {
        let is_closing = !is_escaped && text.starts_with(c);
        is_escaped = !is_escaped && c == '\\';
        is_closing
    });
    closing.map_or(text.len(), |(at, _)| at + 1)
}

/// Where the parenthesis or statement around a text is closed, or what `?` asks for ends.
fn end_of_condition(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in outside_literals(text) {
        match c {
            '(' | '[' => depth += 1,
            ')' | ';' | '?' if depth == 0 => return Some(at),
            ')' | ']' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// What stands at the end of a text as the left side of `&&` or `||`: back to what is not closed, or binds less.
fn left_operand(text: &str) -> &str {
    let mut depth = 0;
    let mut start = 0;
    let mut is_literal = false;
    for (at, c) in text.char_indices().rev() {
        match c {
            '"' if !text[..at].ends_with('\\') => is_literal = !is_literal,
            _ if is_literal => {}
            ')' | ']' => depth += 1,
            '(' | '[' if depth == 0 => {
                start = at + 1;
                break;
            }
            '(' | '[' => depth -= 1,
            '{' | '}' | ';' | ',' | '?' | ':' if depth == 0 => {
                start = at + 1;
                break;
            }
            '&' | '|' if depth == 0 && text[..at].ends_with(c) => {
                start = at + 1;
                break;
            }
            '=' if depth == 0
                && !text[..at].ends_with(['=', '!', '<', '>'])
                && !text[at + 1..].starts_with('=') =>
            {
                start = at + 1;
                break;
            }
            _ => {}
        }
    }
    let operand = text[start..].trim_start();
    operand.strip_prefix("return ").unwrap_or(operand)
}

/// A text without the comments that it begins with.
fn behind_comments(text: &str) -> &str {
    let text = text.trim_start();
    let rest = match text.get(..2) {
        Some("//") => text.split_once('\n').map(|(_, rest)| rest),
        Some("/*") => text.split_once("*/").map(|(_, rest)| rest),
        _ => None,
    };
    rest.map_or(text, behind_comments)
}

/// The last condition of a Boolean expression: the whole, if no `&&` or `||` is in it outside of calls and the like.
fn last_condition(text: &str) -> &str {
    let text = behind_comments(text).trim();
    if let Some(at) = last_operator(text) {
        return last_condition(&text[at..]);
    }
    let operand = text.trim_start_matches(|c: char| c == '!' || c.is_whitespace());
    let inside = operand.strip_prefix('(').and_then(|inside| inside.strip_suffix(')'));
    // Negations and parentheses around a single condition belong to it.
    match inside.filter(|inside| end_of_condition(inside).is_none()).map(last_condition) {
        Some(last) if last.len() < inside.map_or(0, |inside| inside.trim().len()) => last,
        _ => text,
    }
}

/// Where the right side of the last `&&` or `||` begins that is in no parentheses.
fn last_operator(text: &str) -> Option<usize> {
    let mut depth = 0;
    let mut split = None;
    for (at, c) in outside_literals(text) {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '&' | '|' if depth == 0 && text[at + 1..].starts_with(c) => split = Some(at + 2),
            _ => {}
        }
    }
    split
}

/// What stands at the beginning of a text as the right side of `&&` or `||`: up to what is not opened, or binds less; with
/// further operands of these if it `stops` nowhere else.
fn right_operand(text: &str, stops: bool) -> &str {
    let text = text.trim_start();
    let mut depth = 0;
    for (at, c) in outside_literals(text) {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' | ';' | ',' | '?' | ':' if depth == 0 => return text[..at].trim_end(),
            ')' | ']' | '}' => depth -= 1,
            '&' | '|' if stops && depth == 0 && text[at + 1..].starts_with(c) => {
                return text[..at].trim_end();
            }
            _ => {}
        }
    }
    text.trim_end()
}

/// The operand of `&&` and `||` that goes on at a byte of a text.
fn operand_around(text: &str, at: usize) -> &str {
    left_operand(&text[..at + right_operand(&text[at..], true).len()])
}

/// Where a part of a text begins; its end for what is no part, as for a line that a `#line` directive or a change of the file
/// puts behind the last one.
fn offset_in(text: &str, part: &str) -> usize {
    let offset = (part.as_ptr() as usize).checked_sub(text.as_ptr() as usize);
    offset.filter(|offset| *offset <= text.len()).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn left_sides_end_where_something_binds_less() {
        for (text, operand) in [
            ("if (a", "a"),
            ("if (n > 9 && f(x, y)[1]", "f(x, y)[1]"),
            ("    x = a == b", "a == b"),
            ("return p", "p"),
            ("    (a || b)", "(a || b)"),
            ("if (b && \"one; (two\"", "\"one; (two\""),
        ] {
            assert_eq!(left_operand(text), operand, "{text}");
        }
    }

    #[test]
    fn whole_expressions_go_on_over_lines() {
        let whole = right_operand("a &&\n    (b || c)) return", false);
        assert_eq!(whole, "a &&\n    (b || c)");
        assert_eq!(last_condition(whole), "c");
    }

    #[test]
    fn the_last_condition_is_behind_the_last_operator() {
        for (text, last) in [
            ("a", "a"),
            ("(a > 1 || b)", "b"),
            ("!(c && d)", "d"),
            ("a && !(b || (c && !d))", "!d"),
            ("!(x > 7)", "!(x > 7)"),
            ("f(a && b)", "f(a && b)"),
            ("(a)(b || c)", "(a)(b || c)"),
            ("// one; two\n /* three */ a", "a"),
        ] {
            assert_eq!(last_condition(text), last, "{text}");
        }
    }

    #[test]
    fn right_sides_end_where_something_binds_less() {
        for (text, operand) in [
            (" b) x", "b"),
            ("\n  f(x, y)[1] == ')' || c", "f(x, y)[1] == ')'"),
            (" (a || b) && c", "(a || b)"),
            (" !c ? 1 : 2", "!c"),
            (" p[\"\\\";\"[0]];", "p[\"\\\";\"[0]]"),
        ] {
            assert_eq!(right_operand(text, true), operand, "{text}");
        }
    }

    #[test]
    fn operands_are_those_around_a_place() {
        for (text, operand) in [
            ("q > 3 && (p < 7 || 0)", "p < 7"),
            ("a || f(x < y) && 1", "f(x < y)"),
            ("x[a < 2] || 0", "x[a < 2]"),
            ("a && !(b < c) && 1", "b < c"),
        ] {
            let at = text.find(['<', 'f', 'x']).unwrap();
            assert_eq!(operand_around(text, at), operand, "{text}");
        }
    }

    #[test]
    fn negations_of_a_whole_condition_are_counted() {
        for (text, count) in [
            ("!x) {", 1),
            ("!!x) {", 2),
            ("!(a == b)) {", 1),
            ("! ( !x )) {", 2),
            ("!(!(a < b))) {", 2),
            ("!(!a || b)) {", 1),
            ("x != y", 0),
            ("(!x)", 0),
        ] {
            assert_eq!(negations(text), count, "{text}");
        }
    }

    #[test]
    fn last_sides_are_those_of_the_inmost_operators() {
        for (text, operand) in [
            ("a && b)", "b"),
            ("a || (b && c < d)) return;", "c < d"),
            ("(a || b) && f(x && y)) {", "f(x && y)"),
            ("(a && b) || (c)) {", "c"),
            ("a == b) {", ""),
            ("a &&", ""),
            ("a && b; i++)", "b"),
            ("a && b < c ? &d : &e;", "b < c"),
            ("a > ')' && \"b && c\") {", "\"b && c\""),
        ] {
            assert_eq!(last_operand(text), operand, "{text}");
        }
    }
}
