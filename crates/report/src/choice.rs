//! The choices of a run, in words.

use footpath_cover::{Choice, ProcedureCover};
use footpath_ir::Program;
use footpath_ir::interp::Reason;
use footpath_ir::source::SourceMap;

use crate::values::Values;

/// A choice in a few words; values in at most about `limit` characters.
///
/// A `goto` is named by its target, an `if (*)` or `while (*)` by its place, as their targets have names that nobody
/// wrote.
pub fn words(sources: &SourceMap, values: &Values<'_>, choice: &Choice, limit: usize) -> String {
    match choice {
        Choice::Value { variable, reason, value } => {
            let value = values.short(value, limit);
            match reason {
                Reason::Havoc => format!("havoc {variable} = {value}"),
                Reason::Argument => format!("argument {variable} = {value}"),
                Reason::CallResult | Reason::CallGlobal => format!("{variable} = {value} after the call"),
                Reason::Global | Reason::Parameter | Reason::Local => format!("{variable} = {value}"),
            }
        }
        Choice::Way { span, target, number } => {
            let (statement, place) = (sources.text(*span), sources.range(*span).0);
            match (keyword(statement), number) {
                ("if", 0) => format!("if at {place} taken"),
                ("if", _) => format!("if at {place} not taken"),
                ("while", 0) => format!("while at {place} continues"),
                ("while", _) => format!("while at {place} ends"),
                _ => format!("goto {target}"),
            }
        }
    }
}

fn keyword(text: &str) -> &str {
    text.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default()
}

/// The name of the procedure of a cover; if it has several implementations, also which one it is, from 1.
pub fn name(program: &Program, cover: &ProcedureCover) -> String {
    let procedure = &program[cover.procedure];
    match procedure.bodies.len() {
        0 | 1 => procedure.name.to_string(),
        _ => format!("{} (implementation {})", procedure.name, cover.body + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use footpath_ir::source::{FileId, SourceFile, Span};
    use footpath_term::{Terms, Value};

    #[test]
    fn ways_are_named_by_what_the_source_says() {
        let text = "if (*) { }\nwhile (*) { }\ngoto A, B;";
        let mut sources = SourceMap::new();
        sources.add(SourceFile::new("a.bpl", text));
        let terms = Terms::new().into();
        let values = Values::new(&terms);
        let way = |from: &str, number| {
            let start = text.find(from).expect("it is there");
            let span = Span::new(FileId(0), start, start + from.len());
            words(&sources, &values, &Choice::Way { span, target: "B".to_owned(), number }, 40)
        };
        assert_eq!(way("if (*)", 0), "if at 1:1 taken");
        assert_eq!(way("if (*)", 1), "if at 1:1 not taken");
        assert_eq!(way("while (*)", 0), "while at 2:1 continues");
        assert_eq!(way("while (*)", 1), "while at 2:1 ends");
        assert_eq!(way("goto A, B;", 1), "goto B");
    }

    #[test]
    fn values_are_named_by_their_variable() {
        let (sources, terms) = (SourceMap::new(), Terms::new().into());
        let value = |reason| {
            let choice = Choice::Value { variable: "k".to_owned(), reason, value: Value::int(7) };
            words(&sources, &Values::new(&terms), &choice, 40)
        };
        assert_eq!(value(Reason::Havoc), "havoc k = 7");
        assert_eq!(value(Reason::Argument), "argument k = 7");
        assert_eq!(value(Reason::CallResult), "k = 7 after the call");
    }
}
