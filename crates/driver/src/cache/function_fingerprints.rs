//! Fingerprints of functions: a digest of each function's text, and one of all that stands outside of functions.
//!
//! **Idea.** What a function and its tests do follows from the text of the functions that it may call, and from what is declared
//! around them. So the preprocessed text of a file is taken apart at its braces: each definition of a function is digested
//! alone, everything else together. Comments are gone by then, and places do not count but as order: tokens on one line stay on
//! one line. On which lines of the source these stand is kept beside, since results name lines.
//!
//! ```c
//! int limit = 3;                          // with what stands outside
//! int f(int x) { return g(x) + limit; }   // alone: f is searched again, and whoever calls f
//! ```
//!
//! A project may lie in another folder each time. `__FILE__` names that folder, and stays as it is, but for what a false `assert` prints.
//!
//! **Paper.** As the hashes of declarations in Go's and rustc's incremental builds; for C the unit of ccache is the whole text.
//!
//! **Direction of error.** Towards searching again. A definition whose name is not found out with certainty, with old-style
//! parameters or attributes for instance, belongs to what stands outside. What is nobody's function does, too (`FileFingerprints::outside`).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use footpath_summaries::digest;

/// The C library's function that a false `assert` calls. It says in which file that was, and ends the program.
pub(crate) const FAILED_ASSERTION: &str = "__assert_fail";

/// The text of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FunctionText {
    /// A digest of its tokens.
    pub(crate) digest: String,
    /// The file that it stands in, as the preprocessor names it.
    pub(crate) file: String,
    /// The lines on which it has tokens, from 1, in order.
    pub(crate) lines: Vec<u32>,
}

/// A preprocessed file, taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FileFingerprints {
    /// The functions, by name; of one name there are several only where a file is no C.
    functions: BTreeMap<String, Vec<FunctionText>>,
    /// What stands outside of them.
    rest: String,
}

impl FileFingerprints {
    /// Takes a text of the preprocessor apart, which has marks of lines and may have definitions of macros. `folder` is that of the
    /// project.
    pub(crate) fn of(preprocessed: &str, folder: &Path) -> FileFingerprints {
        let mut reader = Reader { folder: format!("\"{}/", folder.display()), ..Reader::default() };
        // What this becomes is not yet in the text.
        if preprocessed.contains("__builtin_FILE") {
            let _ = writeln!(reader.rest, "{}", folder.display());
        }
        reader.read(preprocessed);
        FileFingerprints { functions: reader.functions, rest: reader.rest }
    }

    /// The function of a name, if there is exactly one.
    pub(crate) fn function(&self, name: &str) -> Option<&FunctionText> {
        match self.functions.get(name).map(Vec::as_slice) {
            Some([one]) => Some(one),
            _ => None,
        }
    }

    /// A digest of what stands outside of functions, and of definitions that are none of these functions.
    pub(crate) fn outside(&self, known: &BTreeSet<&str>) -> String {
        let is_known = |name: &str| known.contains(name) && self.function(name).is_some();
        let unknown = self.functions.iter().filter(|(name, _)| !is_known(name)).flat_map(|(_, all)| all);
        let mut all = digest(&self.rest);
        unknown.for_each(|text| all.push_str(&text.digest));
        digest(all)
    }
}

/// Reads declarations, one after the other.
#[derive(Default)]
struct Reader {
    functions: BTreeMap<String, Vec<FunctionText>>,
    rest: String,
    /// The file and the line that are read.
    file: String,
    line: u32,
    /// The declaration so far.
    text: String,
    lines: Vec<u32>,
    /// Open braces and parentheses.
    braces: u32,
    parentheses: u32,
    /// The last token, and what stands before the first parenthesis if it may be the declared name.
    last: String,
    name: Option<String>,
    /// How a literal begins that names a file of the project.
    folder: String,
    /// The open parentheses outside of a failing assertion, in one.
    assertion: Option<u32>,
    /// Whether its braces are those of a function's body.
    is_function: bool,
    /// Whether they are of one behind declarations of old-style parameters, which are taken for declarations of their own.
    is_old_style: bool,
}

impl Reader {
    fn read(&mut self, text: &str) {
        self.line = 1;
        for line in text.lines() {
            match line.strip_prefix('#') {
                Some(mark) => self.directive(line, mark),
                None => {
                    self.tokens(line);
                    self.line += 1;
                }
            }
        }
        self.end_outside();
    }

    /// A mark of a place, or a definition of a macro.
    fn directive(&mut self, line: &str, mark: &str) {
        let mut words = mark.trim_start().splitn(2, ' ');
        match words.next().map(str::parse::<u32>) {
            Some(Ok(number)) => {
                let file = words.next().and_then(|rest| rest.split('"').nth(1));
                self.file = file.unwrap_or_default().to_owned();
                self.line = number;
            }
            _ => {
                let _ = writeln!(self.rest, "{line}");
                self.line += 1;
            }
        }
    }

    fn tokens(&mut self, line: &str) {
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let length = match first {
                '"' | '\'' => literal(rest, first),
                c if is_of_word(c) => rest.find(|c| !is_of_word(c)).unwrap_or(rest.len()),
                c => c.len_utf8(),
            };
            let (token, behind) = rest.split_at(length);
            self.token(token);
            rest = behind.trim_start();
        }
    }

    fn token(&mut self, token: &str) {
        match self.lines.last() {
            Some(&line) if line == self.line => self.text.push(' '),
            Some(_) => {
                self.text.push('\n');
                self.lines.push(self.line);
            }
            None => self.lines.push(self.line),
        }
        match token.strip_prefix(&*self.folder).filter(|_| self.assertion.is_some()) {
            Some(rest) => {
                self.text.push('"');
                self.text.push_str(rest);
            }
            None => self.text.push_str(token),
        }
        let is_outside = self.braces == 0 && self.parentheses == 0;
        match token {
            "(" => {
                if is_outside && self.name.is_none() && self.last.chars().all(is_of_word) {
                    self.name = Some(self.last.clone());
                }
                if self.last == FAILED_ASSERTION {
                    self.assertion.get_or_insert(self.parentheses);
                }
                self.parentheses += 1;
            }
            ")" => {
                self.parentheses = self.parentheses.saturating_sub(1);
                self.assertion = self.assertion.filter(|&around| self.parentheses > around);
            }
            "{" => {
                if is_outside {
                    self.is_function = self.last == ")" && self.name.is_some();
                    self.is_old_style = self.text == "{";
                }
                self.braces += 1;
            }
            "}" => {
                self.braces = self.braces.saturating_sub(1);
                if self.braces == 0 && (self.is_function || self.is_old_style) {
                    if self.is_function {
                        self.end_function();
                    } else {
                        self.end_outside();
                    }
                    return;
                }
            }
            ";" if is_outside => {
                self.end_outside();
                return;
            }
            _ => {}
        }
        self.last.clear();
        self.last.push_str(token);
    }

    fn end_function(&mut self) {
        // Code that runs before `main` is part of every test.
        let is_plain = !self.text.contains("__attribute") && !self.text.contains("asm");
        match self.name.take().filter(|_| is_plain) {
            Some(name) => {
                let function = FunctionText {
                    digest: digest(&self.text),
                    file: self.file.clone(),
                    lines: std::mem::take(&mut self.lines),
                };
                self.functions.entry(name).or_default().push(function);
                self.begin();
            }
            None => self.end_outside(),
        }
    }

    fn end_outside(&mut self) {
        // Here lines are of no use.
        let text = self.text.replace('\n', " ");
        let _ = writeln!(self.rest, "{text}");
        self.begin();
    }

    fn begin(&mut self) {
        self.text.clear();
        self.lines.clear();
        self.last.clear();
        (self.name, self.parentheses, self.braces) = (None, 0, 0);
        (self.is_function, self.is_old_style, self.assertion) = (false, false, None);
    }
}

fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$' || !c.is_ascii()
}

/// The length of a literal at the beginning of a line, with its quotes.
fn literal(text: &str, quote: char) -> usize {
    let mut is_escaped = true;
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# 1 \"a.c\"\n#define N 3\nint limit = 3;\nstruct s { int x; };\n\
                        int f(int x) {\n    return \"}\"[x] + limit;\n}\nstatic int (*g(void))(int) { return 0; }\n\
                        int old(a) int a; { return a; }\nint h(struct s *s)\n{ if (s) { return s->x; } return 0; }\n";

    fn of(text: &str) -> FileFingerprints {
        FileFingerprints::of(text, Path::new("/home/project"))
    }

    fn known() -> BTreeSet<&'static str> {
        BTreeSet::from(["f", "g", "old", "h"])
    }

    #[test]
    fn functions_are_apart_from_what_stands_around_them() {
        let unit = of(TEXT);
        assert_eq!(unit.function("f").unwrap().lines, [4, 5, 6]);
        assert_eq!(unit.function("h").unwrap().file, "a.c");
        assert!(unit.function("g").is_none() && unit.function("old").is_none(), "their names are uncertain");
        let changed = |from: &str, to: &str| of(&TEXT.replace(from, to));
        let other = changed("return s->x", "return s->x + 1");
        assert_eq!(other.function("f"), unit.function("f"));
        assert_eq!(other.outside(&known()), unit.outside(&known()));
        assert_ne!(other.function("h"), unit.function("h"));
        assert_eq!(changed("return a", "return 1").function("h"), unit.function("h"));
        for (from, to) in [
            ("limit = 3", "limit = 4"),
            ("N 3", "N 4"),
            ("return a", "return 1"),
            ("{ return 0", "{ return 1"),
        ] {
            assert_ne!(changed(from, to).outside(&known()), unit.outside(&known()), "{from}");
        }
    }

    #[test]
    fn comments_move_lines_only() {
        let moved = of(&TEXT.replace("{\n    return", "{\n\n\n   return").replace("\nint h", "\n\nint h"));
        let unit = of(TEXT);
        assert_eq!(moved.function("f").unwrap().digest, unit.function("f").unwrap().digest);
        assert_eq!(moved.function("f").unwrap().lines, [4, 7, 8]);
        assert_eq!(moved.outside(&known()), unit.outside(&known()));
    }

    #[test]
    fn what_is_nobodys_function_belongs_to_the_rest() {
        let unit = of(TEXT);
        let other = of(&TEXT.replace("s->x", "s->x + 1"));
        assert_ne!(unit.outside(&BTreeSet::from(["f"])), other.outside(&BTreeSet::from(["f"])));
        let before =
            "int a(void) { return 1; }\n__attribute__((constructor)) static void b(void) { x = 1; }\n";
        let after = before.replace("x = 1", "x = 2");
        let known = BTreeSet::from(["a", "b"]);
        assert_ne!(of(before).outside(&known), of(&after).outside(&known), "it runs in each test");
    }
}
