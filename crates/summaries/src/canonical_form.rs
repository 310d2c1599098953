//! A canonical form of programs: a text that is equal for equal programs, for keys of caches.
//!
//! **Idea.** The text has no places in the source; symbols are identified by name and order of occurrence, and terms
//! are written as graphs. So moving a procedure to other lines does not change its text, and changing a constant in
//! it does.
//!
//! Procedures share many terms over variables of the program only: the initial values of globals, for example, occur
//! in every harness. Such a term is written as its digest, which is computed once.
//!
//! **Direction of error.** If two different programs had the same text, a cache would return the result of the other
//! one. So all that changes what a program does must be in the text.

use std::fmt::{self, Write as _};

use footpath_ir::{Body, Contract, ProcId, Program, StatementKind, TerminatorKind, Variable};
use footpath_term::{FuncId, FuncKind, Op, SortId, SymbolId, TermId, Terms};
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};

/// The canonical forms of a program's parts.
pub(crate) struct NormalForm<'a> {
    program: &'a Program,
    known: &'a mut Known,
}

/// What the forms of a program's parts share, as far as it is known.
#[derive(Default)]
pub(crate) struct Known {
    /// Unique names of the variables and constants of the program; none before the first form.
    globals: Option<FxHashMap<SymbolId, String>>,
    /// The digests of terms over these symbols only; `None` for terms with other symbols.
    closed: FxHashMap<TermId, Option<u128>>,
    sorts: FxHashMap<SortId, String>,
    /// The last list of variables that was digested, and its digest, as most procedures have the same list.
    modifies: (Vec<SymbolId>, u128),
}

/// See [`Known::globals`].
fn globals(program: &Program) -> FxHashMap<SymbolId, String> {
    let terms: &Terms = &program.terms;
    let symbols = program.globals.iter().map(|g| g.variable.symbol);
    // Static variables of several files may have one name.
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    let mut globals = FxHashMap::default();
    for symbol in symbols.chain(program.constants.iter().map(|c| c.symbol)) {
        let declared = terms.symbol(symbol);
        let count = counts.entry(&declared.name).or_insert(0);
        let sort = terms.display_sort(declared.sort);
        globals.insert(symbol, format!("{count}'{}:{sort} ", declared.name));
        *count += 1;
    }
    globals
}

impl<'a> NormalForm<'a> {
    /// The forms of a program, with what is known of it.
    pub(crate) fn new(program: &'a Program, known: &'a mut Known) -> NormalForm<'a> {
        known.globals.get_or_insert_with(|| globals(program));
        NormalForm { program, known }
    }

    /// The name of a variable or constant of the program.
    fn global(&self, symbol: SymbolId) -> Option<&String> {
        self.known.globals.as_ref()?.get(&symbol)
    }

    /// The declarations of the program other than procedures.
    pub(crate) fn declarations(&mut self) -> String {
        let program = self.program;
        let terms: &Terms = &program.terms;
        let mut w = Writer::new(self);
        for t in &program.types {
            let _ = write!(w.text, "{:?};", terms.ctor(t.ctor));
        }
        for f in &program.functions {
            let _ = write!(w.text, "{:?};", terms.function(f.id));
            w.term_if(f.body);
        }
        for c in &program.constants {
            w.symbol(c.symbol);
            let _ =
                write!(w.text, "{} {:?};", c.unique, c.extends.as_ref().map(|e| (&e.parents, e.complete)));
        }
        for g in &program.globals {
            w.variable(&g.variable);
        }
        for a in &program.axioms {
            w.term(a.condition);
        }
        w.text
    }

    /// The canonical form of a procedure.
    pub(crate) fn procedure(&mut self, id: ProcId) -> String {
        let program = self.program;
        let p = &program[id];
        if self.known.modifies.0 != p.modifies {
            let mut w = Writer::new(self);
            p.modifies.iter().for_each(|&m| w.symbol(m));
            self.known.modifies = (p.modifies.clone(), digest(&w.text));
        }
        let modifies = self.known.modifies.1;
        let mut w = Writer::new(self);
        let _ = write!(w.text, "procedure {} {};{modifies:x};", p.name, p.type_params.len());
        for v in p.params.iter().chain(&p.results) {
            w.variable(v);
        }
        for c in p.requires.iter().chain(&p.ensures) {
            w.contract(c);
        }
        for body in &p.bodies {
            w.body(program, body);
        }
        w.text
    }

    fn sort(&mut self, sort: SortId) -> &str {
        let terms = &self.program.terms;
        self.known.sorts.entry(sort).or_insert_with(|| terms.display_sort(sort).to_string())
    }

    /// The digest of a term, if it is over variables and constants of the program only.
    fn closed(&mut self, root: TermId) -> Option<u128> {
        if let Some(&known) = self.known.closed.get(&root) {
            return known;
        }
        let terms: &Terms = &self.program.terms;
        let mut stack = vec![(root, false)];
        while let Some((t, expanded)) = stack.pop() {
            if self.known.closed.contains_key(&t) {
                continue;
            }
            if !expanded {
                stack.push((t, true));
                stack.extend(terms.term(t).args.iter().map(|&a| (a, false)));
                continue;
            }
            let found = self.closed_text(t).map(|text| digest(&text));
            self.known.closed.insert(t, found);
        }
        self.known.closed[&root]
    }

    /// The text to be digested for a term whose arguments have digests.
    fn closed_text(&mut self, t: TermId) -> Option<String> {
        let terms: &Terms = &self.program.terms;
        let term = terms.term(t);
        let mut text = match &term.op {
            Op::Var(s) => self.global(*s)?.clone(),
            Op::Bind(_) => return None,
            op => operator(terms, op),
        };
        for a in &term.args {
            let _ = write!(text, " {:x}", self.known.closed[a]?);
        }
        let _ = write!(text, ":{}", self.sort(term.sort));
        Some(text)
    }
}

/// The text of an operator that is neither a variable nor a binder.
fn operator(terms: &Terms, op: &Op) -> String {
    let function = |f: FuncId| match &terms.function(f).kind {
        // Their names are numbered.
        FuncKind::Builtin(text) => format!("builtin {text}"),
        _ => terms.function(f).name.to_string(),
    };
    match op {
        Op::Apply(f) => function(*f),
        Op::Literal(value) => value.to_string(),
        op => format!("{op:?}"),
    }
}

fn digest(text: &str) -> u128 {
    let all = Sha256::digest(text.as_bytes());
    all.iter().take(16).fold(0, |number, &byte| number << 8 | u128::from(byte))
}

/// The abbreviation of a term that was written before.
#[derive(Clone, Copy)]
enum Name {
    Number(usize),
    Closed(u128),
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Name::Number(number) => write!(f, "{number}"),
            Name::Closed(digest) => write!(f, "{digest:x}'"),
        }
    }
}

/// The writer of the form of one part.
struct Writer<'f, 'a> {
    form: &'f mut NormalForm<'a>,
    text: String,
    symbols: FxHashMap<SymbolId, usize>,
    known: FxHashMap<TermId, Name>,
    numbers: usize,
}

impl<'f, 'a> Writer<'f, 'a> {
    fn new(form: &'f mut NormalForm<'a>) -> Writer<'f, 'a> {
        let (symbols, known) = (FxHashMap::default(), FxHashMap::default());
        Writer { form, text: String::new(), symbols, known, numbers: 0 }
    }

    fn symbol(&mut self, s: SymbolId) {
        if let Some(global) = self.form.global(s) {
            self.text.push_str(global);
            return;
        }
        let next = self.symbols.len();
        let number = *self.symbols.entry(s).or_insert(next);
        let declared = self.form.program.terms.symbol(s);
        let _ = write!(self.text, "{}#{number}:{} ", declared.name, self.form.sort(declared.sort));
    }

    fn variable(&mut self, v: &Variable) {
        self.symbol(v.symbol);
        self.text.push_str(if v.is_assumption() { "a" } else { "v" });
        self.term_if(v.where_clause);
    }

    fn contract(&mut self, c: &Contract) {
        self.text.push_str(if c.free { "free " } else { "checked " });
        self.term(c.condition);
    }

    fn term_if(&mut self, t: Option<TermId>) {
        match t {
            Some(t) => self.term(t),
            None => self.text.push('-'),
        }
    }

    fn term(&mut self, root: TermId) {
        let program = self.form.program;
        let terms: &Terms = &program.terms;
        let mut stack = vec![(root, false)];
        while let Some((t, expanded)) = stack.pop() {
            if self.known.contains_key(&t) {
                continue;
            }
            if let Some(digest) = self.form.closed(t) {
                self.known.insert(t, Name::Closed(digest));
                continue;
            }
            let term = terms.term(t);
            if !expanded {
                stack.push((t, true));
                stack.extend(term.args.iter().rev().map(|&a| (a, false)));
                continue;
            }
            match &term.op {
                Op::Var(s) => self.symbol(*s),
                Op::Bind(b) => {
                    let _ = write!(self.text, "{:?}", b.kind);
                    b.vars.iter().for_each(|&v| self.symbol(v));
                }
                op => self.text.push_str(&operator(terms, op)),
            }
            for a in &term.args {
                let _ = write!(self.text, " {}", self.known[a]);
            }
            let _ = write!(self.text, ":{};", self.form.sort(term.sort));
            self.known.insert(t, Name::Number(self.numbers));
            self.numbers += 1;
        }
        let _ = write!(self.text, "={};", self.known[&root]);
    }

    fn body(&mut self, program: &Program, body: &Body) {
        for v in body.params.iter().chain(&body.results).chain(&body.locals) {
            self.variable(v);
        }
        for block in &body.blocks {
            self.text.push_str("\nblock ");
            for statement in &block.statements {
                self.statement(program, &statement.kind);
            }
            match &block.terminator.kind {
                TerminatorKind::Branch { condition, then_to, else_to } => {
                    self.term(*condition);
                    let _ = write!(self.text, "branch {then_to} {else_to}");
                }
                other => {
                    let _ = write!(self.text, "{other:?}");
                }
            }
        }
    }

    fn statement(&mut self, program: &Program, kind: &StatementKind) {
        match kind {
            StatementKind::Assign(pairs) => {
                self.text.push_str("assign ");
                for (s, t) in pairs {
                    self.symbol(*s);
                    self.term(*t);
                }
            }
            StatementKind::Havoc(symbols) => {
                self.text.push_str("havoc ");
                symbols.iter().for_each(|s| self.symbol(*s));
            }
            StatementKind::Assume(c) => {
                self.text.push_str("assume ");
                self.term(*c);
            }
            StatementKind::Assert { condition, kind, premise } => {
                let _ = write!(self.text, "assert {kind} ");
                self.term(*condition);
                self.term_if(*premise);
            }
            // It does nothing.
            StatementKind::TryFirst(_) => {}
            StatementKind::Call { callee, args, results } => {
                let _ = write!(self.text, "call {} ", program[*callee].name);
                for a in args {
                    self.term_if(*a);
                }
                for r in results {
                    match r {
                        Some(r) => self.symbol(*r),
                        None => self.text.push('*'),
                    }
                }
            }
        }
        self.text.push(';');
    }
}
