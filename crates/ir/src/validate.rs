//! The validator of the program form, and the rules that it checks.
//!
//! It runs between passes in debug builds and in tests: a violation is a bug of the pass or front end that made the
//! program, never of the user. The rules:
//!
//! 1. Names are unique: procedures have different names, so have the blocks of a body, and no symbol is declared
//!    twice in scopes that overlap.
//! 2. Every term has the sort that its operator gives it, and its arguments are those that the operator takes.
//! 3. A symbol is used only where it is declared: parameters and results in their procedure's contract and their
//!    body, locals in their body, globals anywhere but in axioms and functions, constants anywhere, bound symbols
//!    below their binder.
//! 4. Old symbols occur only in postconditions and bodies.
//! 5. Conditions are boolean: of assumptions, assertions and their premises, preferences, branches, contracts,
//!    where-clauses and axioms; so are assumption variables. A function's body has the sort of its result.
//! 6. A body has a block, targets exist, and no block leads back to the entry.
//! 7. An assignment changes each variable at most once, to a value of its sort; it and `havoc` change locals, results
//!    and globals, never parameters, constants or old symbols.
//! 8. A call has a callee that exists, arguments and results as it declares them (up to its type parameters), and
//!    results go to different variables that rule 7 allows to change.
//! 9. A body changes only those globals that its procedure's `modifies` names, itself or through calls.
//! 10. A body's parameters and results have the sorts of its procedure's.
//! 11. A bound symbol belongs to one binder, and is not declared elsewhere.
//! 12. [`TerminatorKind::Fail`] and [`TerminatorKind::Cut`] occur only after passes ([`Stage::Pass`]).
//!
//! Not checked: whether type variables are in scope, and whether axioms are consistent.
//!
//! **Direction of error.** A program without violations may still break what is not checked.

mod terms;

use std::fmt;

use footpath_term::{Op, Sort, SortId, SymbolId, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::program::{
    Block, BlockId, Body, ProcId, Procedure, Program, StatementKind, TerminatorKind, Variable,
};
use crate::source::Span;

/// The origin of a program: a front end or a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// A front end.
    FrontEnd,
    /// A pass: failures and cuts are blocks.
    Pass,
}

/// A rule that does not hold somewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The number of the rule in the list at the head of this file.
    pub rule: u8,
    /// What is wrong, with the names of what is involved.
    pub message: String,
    /// The place, as far as it is known.
    pub span: Option<Span>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rule {}: {}", self.rule, self.message)
    }
}

/// All violations in a program as a front end makes it.
pub fn validate(program: &Program) -> Vec<Violation> {
    validate_at(program, Stage::FrontEnd)
}

/// All violations in a program.
pub fn validate_at(program: &Program, stage: Stage) -> Vec<Violation> {
    let mut v = Validator::new(program, &program.terms, stage);
    v.declarations();
    for id in program.ids() {
        v.contract(id);
        for body in &program[id].bodies {
            v.body(id, body);
        }
    }
    v.found
}

/// All violations in one body of procedure `id`; `terms` is the program's arena or a layer above it.
pub fn validate_body(
    program: &Program,
    terms: &Terms,
    id: ProcId,
    body: &Body,
    stage: Stage,
) -> Vec<Violation> {
    let mut v = Validator::new(program, terms, stage);
    v.context = format!("in {}: ", program[id].name);
    v.body(id, body);
    v.found
}

/// The kind of a symbol in the current scope.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Constant,
    Global,
    Old,
    Parameter,
    /// Result or local.
    Local,
}

struct Validator<'a> {
    program: &'a Program,
    terms: &'a Terms,
    stage: Stage,
    /// What is declared at the top: constants, globals, old symbols.
    top: FxHashMap<SymbolId, Role>,
    /// Terms whose sorts were checked.
    checked: FxHashSet<TermId>,
    /// For each bound symbol, a binder that binds it.
    binders: FxHashMap<SymbolId, TermId>,
    context: String,
    found: Vec<Violation>,
}

type Scope = FxHashMap<SymbolId, Role>;

impl<'a> Validator<'a> {
    fn new(program: &'a Program, terms: &'a Terms, stage: Stage) -> Validator<'a> {
        let mut top = Scope::default();
        top.extend(program.constants.iter().map(|c| (c.symbol, Role::Constant)));
        for g in &program.globals {
            top.insert(g.variable.symbol, Role::Global);
            top.insert(g.old, Role::Old);
        }
        Validator {
            program,
            terms,
            stage,
            top,
            checked: FxHashSet::default(),
            binders: FxHashMap::default(),
            context: String::new(),
            found: Vec::new(),
        }
    }

    fn violation(&mut self, rule: u8, span: Span, message: impl fmt::Display) {
        let message = format!("{}{message}", self.context);
        self.found.push(Violation { rule, message, span: Some(span) });
    }

    fn name(&self, symbol: SymbolId) -> &'a str {
        &self.terms.symbol(symbol).name
    }

    fn declarations(&mut self) {
        let program = self.program;
        let expected = program.constants.len() + 2 * program.globals.len();
        if self.top.len() != expected {
            let span = program.constants.first().map(|c| c.span);
            let span = span.or(program.globals.first().map(|g| g.variable.span));
            self.found.push(Violation {
                rule: 1,
                message: "a constant or global is declared twice".into(),
                span,
            });
        }
        let mut names = FxHashSet::default();
        for p in &program.procedures {
            if !names.insert(&p.name) {
                self.violation(1, p.span, format_args!("a second procedure {}", p.name));
            }
        }
        let constants: Scope = self.with_role(Role::Constant);
        for f in &program.functions {
            let decl = self.terms.function(f.id);
            if f.params.len() != decl.params.len() {
                self.violation(1, f.span, format_args!("{} has parameters without symbols", decl.name));
            }
            if let Some(body) = f.body {
                let mut scope = constants.clone();
                scope.extend(f.params.iter().map(|&p| (p, Role::Parameter)));
                self.term(body, &scope, f.span);
                if self.terms.sort(body) != decl.result {
                    self.violation(5, f.span, format_args!("the body of {} has the wrong sort", decl.name));
                }
            }
        }
        for a in &program.axioms {
            self.condition(a.condition, &constants, a.span);
        }
        let scope = self.without_old();
        for g in &program.globals {
            self.variable(&g.variable, &scope);
            if self.terms.symbol(g.old).sort != g.variable.sort(self.terms) {
                let name = self.name(g.variable.symbol);
                self.violation(2, g.variable.span, format_args!("old({name}) has another sort"));
            }
        }
    }

    fn with_role(&self, role: Role) -> Scope {
        self.top.iter().filter(|&(_, &r)| r == role).map(|(&s, &r)| (s, r)).collect()
    }

    fn without_old(&self) -> Scope {
        self.top.iter().filter(|&(_, &r)| r != Role::Old).map(|(&s, &r)| (s, r)).collect()
    }

    fn declare(&mut self, scope: &mut Scope, variables: &[Variable], role: Role) {
        for v in variables {
            if scope.insert(v.symbol, role).is_some() {
                let name = self.name(v.symbol);
                self.violation(1, v.span, format_args!("the symbol {name} is declared twice"));
            }
        }
    }

    fn variable(&mut self, v: &Variable, scope: &Scope) {
        if let Some(condition) = v.where_clause {
            self.condition(condition, scope, v.span);
        }
        if v.is_assumption() && v.sort(self.terms) != SortId::BOOL {
            let name = self.name(v.symbol);
            self.violation(5, v.span, format_args!("the assumption variable {name} is not boolean"));
        }
    }

    fn contract(&mut self, id: ProcId) {
        let p = &self.program[id];
        self.context = format!("in {}: ", p.name);
        let mut scope = self.without_old();
        self.declare(&mut scope, &p.params, Role::Parameter);
        for c in &p.requires {
            self.condition(c.condition, &scope, c.span);
        }
        self.declare(&mut scope, &p.results, Role::Local);
        for v in p.params.iter().chain(&p.results) {
            self.variable(v, &scope);
        }
        scope.extend(self.with_role(Role::Old));
        for c in &p.ensures {
            self.condition(c.condition, &scope, c.span);
        }
        for &g in &p.modifies {
            if self.top.get(&g) != Some(&Role::Global) {
                let name = self.name(g);
                self.violation(9, p.span, format_args!("modifies {name}, which is no global"));
            }
        }
    }

    fn body(&mut self, id: ProcId, body: &Body) {
        let p = &self.program[id];
        self.signature(p, body);
        let mut scope = self.top.clone();
        self.declare(&mut scope, &body.params, Role::Parameter);
        self.declare(&mut scope, &body.results, Role::Local);
        self.declare(&mut scope, &body.locals, Role::Local);
        for v in body.params.iter().chain(&body.results).chain(&body.locals) {
            self.variable(v, &scope);
        }
        if body.blocks.is_empty() {
            self.violation(6, body.span, "a body without blocks");
        }
        let mut labels = FxHashSet::default();
        for (i, block) in body.blocks.iter().enumerate() {
            if !labels.insert(&block.name) {
                self.violation(1, block.span, format_args!("a second block {}", block.name));
            }
            self.block(p, body, BlockId(i as u32), block, &scope);
        }
    }

    fn signature(&mut self, p: &Procedure, body: &Body) {
        for (declared, own) in [(&p.params, &body.params), (&p.results, &body.results)] {
            let sorts = |vs: &[Variable]| vs.iter().map(|v| v.sort(self.terms)).collect::<Vec<SortId>>();
            if sorts(declared) != sorts(own) {
                self.violation(10, body.span, "the body's signature differs from the procedure's");
            }
        }
    }

    fn block(&mut self, p: &Procedure, body: &Body, id: BlockId, block: &Block, scope: &Scope) {
        for s in &block.statements {
            match &s.kind {
                StatementKind::Assign(pairs) => {
                    for &(x, value) in pairs {
                        self.term(value, scope, s.span);
                        if self.terms.symbol(x).sort != self.terms.sort(value) {
                            let name = self.name(x);
                            self.violation(7, s.span, format_args!("{name} gets a value of another sort"));
                        }
                    }
                    self.changed(p, pairs.iter().map(|&(x, _)| x), scope, s.span, 7);
                }
                StatementKind::Havoc(symbols) => {
                    for &x in symbols {
                        self.changed(p, [x], scope, s.span, 7);
                    }
                }
                StatementKind::Assume(condition) | StatementKind::TryFirst(condition) => {
                    self.condition(*condition, scope, s.span);
                }
                StatementKind::Assert { condition, premise, .. } => {
                    self.condition(*condition, scope, s.span);
                    if let Some(premise) = premise {
                        self.condition(*premise, scope, s.span);
                    }
                }
                StatementKind::Call { callee, args, results } => {
                    self.call(p, *callee, args, results, scope, s.span);
                }
            }
        }
        let span = block.terminator.span;
        match block.terminator.kind {
            TerminatorKind::Branch { condition, .. } => self.condition(condition, scope, span),
            TerminatorKind::Fail | TerminatorKind::Cut if self.stage == Stage::FrontEnd => {
                self.violation(12, span, format_args!("{} ends in what only passes make", block.name));
            }
            _ => {}
        }
        for target in block.terminator.successors() {
            if target.index() >= body.blocks.len() {
                self.violation(6, span, format_args!("{id} leads to {target}, which does not exist"));
            } else if target == Body::ENTRY {
                self.violation(6, span, format_args!("{id} leads back to the entry"));
            }
        }
    }

    /// Checks that a statement may change these variables.
    fn changed(
        &mut self,
        p: &Procedure,
        symbols: impl IntoIterator<Item = SymbolId>,
        scope: &Scope,
        span: Span,
        rule: u8,
    ) {
        let mut seen = FxHashSet::default();
        for x in symbols {
            let name = self.name(x);
            if !seen.insert(x) {
                self.violation(rule, span, format_args!("{name} is changed twice at once"));
            }
            match scope.get(&x) {
                Some(Role::Local) => {}
                Some(Role::Global) if p.modifies.contains(&x) => {}
                Some(Role::Global) => {
                    self.violation(9, span, format_args!("{name} is changed, but not in modifies"));
                }
                Some(_) => self.violation(rule, span, format_args!("{name} must not change")),
                None => self.violation(3, span, format_args!("{name} is not declared here")),
            }
        }
    }

    fn call(
        &mut self,
        p: &Procedure,
        callee: ProcId,
        args: &[Option<TermId>],
        results: &[Option<SymbolId>],
        scope: &Scope,
        span: Span,
    ) {
        for &arg in args.iter().flatten() {
            self.term(arg, scope, span);
        }
        self.changed(p, results.iter().flatten().copied(), scope, span, 8);
        let Some(q) = self.program.procedures.get(callee.index()) else {
            return self.violation(8, span, "a call of a procedure that does not exist");
        };
        if args.len() != q.params.len() || results.len() != q.results.len() {
            return self.violation(
                8,
                span,
                format_args!("a call of {} with another number of things", q.name),
            );
        }
        let terms = self.terms;
        let mut types = FxHashMap::default();
        let actual_args = args.iter().map(|a| a.map(|a| terms.sort(a)));
        let actual_results = results.iter().map(|r| r.map(|r| terms.symbol(r).sort));
        for (formal, actual) in q.params.iter().chain(&q.results).zip(actual_args.chain(actual_results)) {
            if let Some(actual) = actual
                && !terms.match_sort(formal.sort(terms), actual, &mut types)
            {
                let name = self.name(formal.symbol);
                self.violation(8, span, format_args!("{name} of {} has another sort", q.name));
            }
        }
        for &g in &q.modifies {
            if !p.modifies.contains(&g) {
                let name = self.name(g);
                self.violation(
                    9,
                    span,
                    format_args!("{} changes {name}, the caller's modifies does not", q.name),
                );
            }
        }
    }

    fn condition(&mut self, term: TermId, scope: &Scope, span: Span) {
        self.term(term, scope, span);
        if self.terms.sort(term) != SortId::BOOL {
            self.violation(5, span, "a condition that is not boolean");
        }
    }

    fn term(&mut self, root: TermId, scope: &Scope, span: Span) {
        self.symbols(root, scope, span);
        let terms = self.terms;
        // What was checked once is well-sorted below as well.
        let mut stack = vec![root];
        while let Some(t) = stack.pop() {
            if !self.checked.insert(t) {
                continue;
            }
            let term = terms.term(t);
            stack.extend(term.args.iter().copied());
            if let Err(why) = terms::check(terms, term) {
                self.violation(2, span, format_args!("{}: {why}", terms::short(terms, t)));
            }
            if let Op::Bind(binder) = &term.op {
                for &v in &binder.vars {
                    let first = *self.binders.entry(v).or_insert(t);
                    if terms.term(first).op != term.op || self.top.contains_key(&v) || scope.contains_key(&v)
                    {
                        let name = self.name(v);
                        self.violation(
                            11,
                            span,
                            format_args!("{name} is bound twice, or bound and declared"),
                        );
                    }
                }
            }
        }
    }

    /// Rules 3 and 4: walks the term from binder to binder, so that it knows what is bound.
    fn symbols(&mut self, root: TermId, scope: &Scope, span: Span) {
        let terms = self.terms;
        let mut regions: Vec<(TermId, Vec<SymbolId>)> = vec![(root, Vec::new())];
        let mut visited = FxHashSet::default();
        while let Some((root, bound)) = regions.pop() {
            let mut seen = FxHashSet::default();
            let mut stack = if bound.is_empty() { vec![root] } else { terms.term(root).args.to_vec() };
            while let Some(t) = stack.pop() {
                if !seen.insert(t) {
                    continue;
                }
                let term = terms.term(t);
                match &term.op {
                    Op::Var(s) if bound.contains(s) || scope.contains_key(s) => {}
                    Op::Var(s) => {
                        let name = self.name(*s);
                        let old = self.top.get(s) == Some(&Role::Old);
                        let (rule, what) = if old { (4, "as old") } else { (3, "but not declared") };
                        self.violation(rule, span, format_args!("{name} is used here {what}"));
                    }
                    Op::Bind(b) if !b.vars.is_empty() => {
                        if visited.insert((t, bound.clone())) {
                            let inner = bound.iter().chain(&b.vars).copied().collect();
                            regions.push((t, inner));
                        }
                    }
                    _ => stack.extend(term.args.iter().copied()),
                }
            }
        }
    }
}

/// Whether `actual` is `pattern` with the parameters of the map binder `depth` levels out replaced as `parameter`
/// allows.
fn instance(
    terms: &Terms,
    pattern: SortId,
    actual: SortId,
    depth: u32,
    parameter: &mut dyn FnMut(u32, SortId) -> bool,
) -> bool {
    match (terms.sort_of(pattern), terms.sort_of(actual)) {
        (Sort::Bound { depth: d, index }, _) if *d == depth => parameter(*index, actual),
        (Sort::Ctor(c, ps), Sort::Ctor(d, actuals)) => {
            c == d && ps.iter().zip(actuals).all(|(&p, &a)| instance(terms, p, a, depth, parameter))
        }
        (Sort::Map { params: m, domain: pd, range: pr }, Sort::Map { params: n, domain: ad, range: ar }) => {
            let inner = depth + u32::from(*m > 0);
            m == n
                && pd.len() == ad.len()
                && pd.iter().zip(ad).all(|(&p, &a)| instance(terms, p, a, inner, parameter))
                && instance(terms, *pr, *ar, inner, parameter)
        }
        _ => pattern == actual,
    }
}
