//! Diagnostics: errors, warnings and notes about an input, each with a place in it.
//!
//! Front ends and passes return diagnostics beside their result and never print. `report` renders them.

use std::borrow::Cow;

use crate::source::Span;

/// The severity of a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Worth knowing; nothing was lost.
    Note,
    /// The result is usable, but may not be what the user meant.
    Warning,
    /// The part of the input that the span covers could not be used.
    Error,
}

/// A message at a place in the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How much it matters.
    pub severity: Severity,
    /// A stable short name, such as `boogie::undeclared`; documented in the book.
    pub code: Cow<'static, str>,
    /// One sentence without a full stop.
    pub message: String,
    /// Where; `None` only for what concerns a whole run.
    pub span: Option<Span>,
    /// Further places, each with a remark.
    pub labels: Vec<(Span, String)>,
    /// What the user can do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, Some(span), message)
    }

    /// A warning at `span`.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, Some(span), message)
    }

    /// A diagnostic of any severity.
    pub fn new(
        severity: Severity,
        code: &'static str,
        span: Option<Span>,
        message: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic {
            severity,
            code: code.into(),
            message: message.into(),
            span,
            labels: Vec::new(),
            help: None,
        }
    }

    /// Adds a remark at another place.
    #[must_use]
    pub fn with_label(mut self, span: Span, remark: impl Into<String>) -> Diagnostic {
        self.labels.push((span, remark.into()));
        self
    }

    /// Adds a hint at what to do.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Whether something could not be used.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
