//! Pretty printer: a program as Boogie text.
//!
//! The text is valid Boogie 2 and reads back as the same form, up to numbering; printing what was read back gives the
//! same text again. To that end:
//!
//! * Names are made unique and legal (`print/names.rs`), parentheses are minimal (`print/expr.rs`).
//! * Operators without syntax become functions that the text declares first.
//! * A procedure whose first body shares its symbols is printed with that body; all other bodies are implementations.
//! * A branch is printed `if (c) { goto A; } else { goto B; }`, which front ends read as a branch.
//! * The kind of an assertion that is not a plain one is the attribute `{:kind "…"}`, its premise `{:verified …}`.
//! * A preference is `assume {:tryfirst …} true`.
//!
//! What Boogie has no syntax for is printed with attributes, in statements that mean the same:
//!
//! * [`TerminatorKind::Fail`] and [`TerminatorKind::Cut`], which only passes create, and a block without successors
//!   are `assert {:fail} false; return;`, `assume {:cut} false; return;` and `assume {:stop} false; return;`. The
//!   front end reads them as such when it is told that it reads the dump of a pass.
//! * `*` as an argument or result of a call is a variable `{:star}`, havocked right before.
//!
//! Not everything can be read back: values of uninterpreted sorts, strings and regular expressions are printed for
//! human readers; attributes of `havoc` are dropped; the `where` of an implementation's parameters is printed at the
//! procedure's.

mod body;
mod builtins;
mod expr;
mod names;
mod stage;

use std::fmt::Write;
use std::sync::Arc;

use footpath_term::{FuncId, FuncKind, Sort, SortId, SymbolId, TermId, Terms, TypeVarId};

use crate::program::{
    Attribute, AttributeArg, Attributes, Body, Constant, Contract, Function, ProcId, Procedure, Program,
    StatementKind, TerminatorKind, TypeDecl, Variable,
};
use builtins::{Builtin, Known};
use expr::Printer;
use names::Names;

pub use stage::{StageBody, print_stage};

/// The whole program as Boogie text.
pub fn print(program: &Program) -> String {
    let (names, builtins) = program_names(program, &program.terms, &program_roots(program));
    let mut printer = Printer::new(&program.terms, names);
    printer.program(program, &builtins);
    printer.out
}

/// One body as an implementation of procedure `id`. Its terms may live in a layer above the program's.
pub fn print_body(program: &Program, terms: &Terms, id: ProcId, body: &Body) -> String {
    let mut roots = program_roots(program);
    body_roots(body, &mut roots);
    let (names, _) = program_names(program, terms, &roots);
    let mut printer = Printer::new(terms, names);
    printer.implementation(program, id, body);
    printer.out
}

/// A term on its own, under the names its symbols have.
pub fn print_expr(terms: &Terms, term: TermId) -> String {
    print_with(terms, Names::default(), term)
}

/// A term on its own; old symbols of the program's globals are printed as `old(g)`, and operators without syntax as the functions that
/// the program declares for them.
pub fn print_expr_in(program: &Program, terms: &Terms, term: TermId) -> String {
    let (names, _) = program_names(program, terms, &[term]);
    print_with(terms, names, term)
}

fn print_with(terms: &Terms, mut names: Names, term: TermId) -> String {
    for symbol in terms.free_symbols(&[term]) {
        let symbol = names.old.get(&symbol).copied().unwrap_or(symbol);
        names.symbol(symbol, &terms.symbol(symbol).name);
    }
    let mut printer = Printer::new(terms, names);
    printer.expr(term);
    printer.out
}

/// Every term that occurs in a program, by its roots, in the order of printing.
pub(crate) fn program_roots(program: &Program) -> Vec<TermId> {
    let mut roots = Vec::new();
    for c in &program.constants {
        attribute_roots(&c.attributes, &mut roots);
    }
    for f in &program.functions {
        attribute_roots(&f.attributes, &mut roots);
        roots.extend(f.body);
    }
    for a in &program.axioms {
        attribute_roots(&a.attributes, &mut roots);
        roots.push(a.condition);
    }
    for g in &program.globals {
        variable_roots(std::slice::from_ref(&g.variable), &mut roots);
    }
    for p in &program.procedures {
        attribute_roots(&p.attributes, &mut roots);
        variable_roots(&p.params, &mut roots);
        variable_roots(&p.results, &mut roots);
        for c in p.requires.iter().chain(&p.ensures) {
            attribute_roots(&c.attributes, &mut roots);
            roots.push(c.condition);
        }
        for body in &p.bodies {
            body_roots(body, &mut roots);
        }
    }
    roots
}

/// Every term that occurs in a body, by its roots.
pub(crate) fn body_roots(body: &Body, roots: &mut Vec<TermId>) {
    attribute_roots(&body.attributes, roots);
    for variables in [&body.params, &body.results, &body.locals] {
        variable_roots(variables, roots);
    }
    for block in &body.blocks {
        for s in &block.statements {
            attribute_roots(&s.attributes, roots);
            statement_roots(&s.kind, roots);
        }
        if let TerminatorKind::Branch { condition, .. } = block.terminator.kind {
            roots.push(condition);
        }
    }
}

/// The terms of a statement, in order.
pub(crate) fn statement_roots(kind: &StatementKind, roots: &mut Vec<TermId>) {
    match kind {
        StatementKind::Assign(pairs) => roots.extend(pairs.iter().map(|&(_, value)| value)),
        StatementKind::Havoc(_) => {}
        StatementKind::Assume(condition) | StatementKind::TryFirst(condition) => roots.push(*condition),
        StatementKind::Assert { condition, premise, .. } => {
            roots.push(*condition);
            roots.extend(premise);
        }
        StatementKind::Call { args, .. } => roots.extend(args.iter().flatten()),
    }
}

fn attribute_roots(attributes: &Attributes, roots: &mut Vec<TermId>) {
    for arg in attributes.iter().flat_map(|a| &a.args) {
        if let AttributeArg::Term(term) = arg {
            roots.push(*term);
        }
    }
}

fn variable_roots(variables: &[Variable], roots: &mut Vec<TermId>) {
    for v in variables {
        attribute_roots(&v.attributes, roots);
        roots.extend(v.where_clause);
    }
}

/// The names of all that a program declares, and the operators it must declare functions for.
fn program_names(program: &Program, terms: &Terms, roots: &[TermId]) -> (Names, Vec<Builtin>) {
    let mut names = Names::default();
    names.old = program.old_symbols();
    for ctor in program.types.iter().map(|t| t.ctor) {
        names.declare_ctor(ctor, &terms.ctor(ctor).name);
    }
    let declared = builtins::declared(program, terms);
    let used = builtins::used(terms, roots);
    let (mut of_program, mut own) = (Vec::new(), Vec::new());
    for builtin in used {
        match builtins::find(terms, &declared, &builtin) {
            Some(function) => of_program.push((builtin, function)),
            None => own.push(builtin),
        }
    }
    for builtin in &own {
        let name = names.claim_callable(&builtins::predicted_name(terms, builtin));
        names.builtins.insert(builtin.clone(), Known { name, leaves_sort_open: false });
    }
    for constructor in program.types.iter().flat_map(|t| &terms.ctor(t.ctor).constructors) {
        let name = names.claim_callable(&terms.function(*constructor).name);
        names.functions.insert(*constructor, name);
    }
    for f in &program.functions {
        if builtins::is_printed(terms, f.id) {
            let name = names.claim_callable(&terms.function(f.id).name);
            names.functions.insert(f.id, name);
        }
    }
    for (builtin, function) in of_program {
        let leaves_sort_open = builtins::leaves_sort_open(terms, function, builtin.1.iter().copied());
        let name = names.functions[&function].clone();
        names.builtins.insert(builtin, Known { name, leaves_sort_open });
    }
    for p in &program.procedures {
        let name = names.claim_callable(&p.name);
        names.procedures.push(name);
    }
    for symbol in
        program.constants.iter().map(|c| c.symbol).chain(program.globals.iter().map(|g| g.variable.symbol))
    {
        names.declare(symbol, &terms.symbol(symbol).name);
    }
    (names, own)
}

impl Printer<'_> {
    fn program(&mut self, program: &Program, builtins: &[Builtin]) {
        self.declarations(program, builtins, "");
        for i in 0..program.procedures.len() as u32 {
            self.gap();
            self.procedure(program, ProcId(i), &program.procedures[i as usize].bodies);
        }
    }

    /// All but the procedures; `further` are declarations of functions.
    fn declarations(&mut self, program: &Program, builtins: &[Builtin], further: &str) {
        for t in &program.types {
            self.type_decl(program, t);
        }
        self.theory_types(program);
        self.gap();
        for c in &program.constants {
            self.constant(c);
        }
        self.gap();
        // Front ends read these as functions like the others, so they stand right before them.
        for builtin in builtins {
            self.builtin(builtin);
        }
        for f in program.functions.iter().filter(|f| builtins::is_printed(self.terms, f.id)) {
            self.function(f);
        }
        self.out.push_str(further);
        self.gap();
        for a in &program.axioms {
            self.out.push_str("axiom ");
            self.attributes(&a.attributes);
            self.expr(a.condition);
            self.out.push_str(";\n");
        }
        self.gap();
        for g in &program.globals {
            self.out.push_str("var ");
            self.attributes(&g.variable.attributes);
            self.variable(&g.variable, true);
            self.out.push_str(";\n");
        }
    }

    /// The types of the theory of strings, which have to be declared by their builtin names where functions use them.
    fn theory_types(&mut self, program: &Program) {
        let terms = self.terms;
        let signatures = program.functions.iter().map(|f| terms.function(f.id));
        let used: Vec<SortId> = signatures.flat_map(|f| f.params.iter().copied().chain([f.result])).collect();
        let types = [(Sort::String, "string", "String"), (Sort::RegEx, "regex", "(RegEx String)")];
        for (sort, name, builtin) in types {
            if used.iter().any(|&s| *terms.sort_of(s) == sort) {
                let _ = writeln!(self.out, "type {{:builtin \"{builtin}\"}} {name};");
            }
        }
    }

    /// An empty line, unless there is one already.
    fn gap(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    fn type_decl(&mut self, program: &Program, decl: &TypeDecl) {
        let terms = self.terms;
        let ctor = terms.ctor(decl.ctor);
        self.out.push_str("type ");
        self.mark(!ctor.constructors.is_empty(), "datatype", &decl.attributes);
        self.attributes(&decl.attributes);
        let name = self.names.ctors[&decl.ctor].clone();
        let _ = write!(self.out, "{name}{};", " _".repeat(ctor.arity as usize));
        self.out.push('\n');
        for &constructor in &ctor.constructors {
            self.constructor(program, constructor);
        }
    }

    /// Writes an attribute without arguments if `wanted` and not among `present`.
    fn mark(&mut self, wanted: bool, name: &str, present: &Attributes) {
        if wanted && !present.iter().any(|a| &*a.name == name) {
            let _ = write!(self.out, "{{:{name}}} ");
        }
    }

    fn constructor(&mut self, program: &Program, id: FuncId) {
        let terms = self.terms;
        let decl = terms.function(id);
        let attributes = program.functions.iter().find(|f| f.id == id).map(|f| &f.attributes);
        self.out.push_str("function ");
        self.mark(true, "constructor", attributes.unwrap_or(&Vec::new()));
        if let Some(attributes) = attributes {
            self.attributes(attributes);
        }
        let mut fields: Vec<Arc<str>> = (0..decl.params.len()).map(|i| format!("field{i}").into()).collect();
        for function in terms.functions() {
            let selector = terms.function(function);
            if let FuncKind::Selector { constructor, field } = selector.kind
                && constructor == id
            {
                fields[field as usize] = names::legal(expr::field_name(&selector.name, &decl.name)).into();
            }
        }
        let mark = self.names.enter();
        let name = self.names.functions[&id].clone();
        let type_params = self.type_params(&decl.type_params);
        let params: Vec<String> =
            fields.iter().zip(&decl.params).map(|(f, &s)| format!("{f}: {}", self.sort_text(s))).collect();
        let result = self.sort_text(decl.result);
        let _ = writeln!(self.out, "{name}{type_params}({}): {result};", params.join(", "));
        self.names.leave(mark);
    }

    /// Declares type parameters; the list in angle brackets, or nothing.
    fn type_params(&mut self, vars: &[TypeVarId]) -> String {
        if vars.is_empty() {
            return String::new();
        }
        let terms = self.terms;
        let names: Vec<_> = vars.iter().map(|&v| self.names.declare_type_var(v, terms.type_var(v))).collect();
        format!("<{}>", names.join(", "))
    }

    fn builtin(&mut self, builtin: &Builtin) {
        let name = self.names.builtins[builtin].name.clone();
        let (attribute, signature) = self.builtin_declaration(builtin);
        let _ = writeln!(self.out, "function {attribute} {name}{signature};");
    }

    /// The text before and after the name in the declaration of a function that represents an operator.
    fn builtin_declaration(&self, (op, params, result): &Builtin) -> (String, String) {
        let params: Vec<_> = params.iter().map(|&s| self.sort_text(s)).collect();
        (builtins::attribute(op), format!("({}): {}", params.join(", "), self.sort_text(*result)))
    }

    fn constant(&mut self, c: &Constant) {
        self.out.push_str("const ");
        self.attributes(&c.attributes);
        self.out.push_str(if c.unique { "unique " } else { "" });
        self.typed_symbol(c.symbol);
        if let Some(extends) = &c.extends {
            self.out.push_str(" extends");
            for (i, &(parent, unique)) in extends.parents.iter().enumerate() {
                let name = self.symbol_name(parent);
                let comma = if i > 0 { "," } else { "" };
                let _ = write!(self.out, "{comma} {}{name}", if unique { "unique " } else { "" });
            }
            self.out.push_str(if extends.complete { " complete" } else { "" });
        }
        self.out.push_str(";\n");
    }

    fn symbol_name(&mut self, symbol: SymbolId) -> Arc<str> {
        let terms = self.terms;
        self.names.symbol(symbol, &terms.symbol(symbol).name)
    }

    fn typed_symbol(&mut self, symbol: SymbolId) {
        let name = self.symbol_name(symbol);
        let sort = self.sort_text(self.terms.symbol(symbol).sort);
        let _ = write!(self.out, "{name}: {sort}");
    }

    fn function(&mut self, f: &Function) {
        let terms = self.terms;
        let decl = terms.function(f.id);
        let mark = self.names.enter();
        let name = self.names.functions[&f.id].clone();
        let named = f.params.len() == decl.params.len()
            && (f.body.is_some() || f.params.iter().any(|&p| !terms.symbol(p).name.is_empty()));
        // Attributes stand first and may mention all that the signature declares.
        let type_params = self.type_params(&decl.type_params);
        let mut params = Vec::new();
        for (i, &sort) in decl.params.iter().enumerate() {
            let param = named.then(|| self.names.declare(f.params[i], &terms.symbol(f.params[i]).name));
            let param = param.map(|name| format!("{name}: ")).unwrap_or_default();
            params.push(format!("{param}{}", self.sort_text(sort)));
        }
        self.out.push_str("function ");
        self.attributes(&f.attributes);
        let _ = write!(self.out, "{name}{type_params}({}", params.join(", "));
        let _ = write!(self.out, "): {}", self.sort_text(decl.result));
        match f.body {
            Some(body) => {
                self.out.push_str(" { ");
                self.expr(body);
                self.out.push_str(" }\n");
            }
            None => self.out.push_str(";\n"),
        }
        self.names.leave(mark);
    }

    fn attributes(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            let _ = write!(self.out, "{{:{}", names::legal(&attribute.name));
            for (i, arg) in attribute.args.iter().enumerate() {
                self.out.push_str(if i > 0 { ", " } else { " " });
                match arg {
                    AttributeArg::Text(text) => self.string(text),
                    AttributeArg::Term(term) => self.expr(*term),
                }
            }
            self.out.push_str("} ");
        }
    }

    /// A string of an attribute. Boogie keeps escapes as they are written, so that is what the form holds.
    fn string(&mut self, text: &str) {
        self.out.push('"');
        let mut previous = ' ';
        for c in text.chars() {
            match c {
                '\n' | '\r' => self.out.push(' '),
                '"' if previous != '\\' => self.out.push_str("\\\""),
                c => self.out.push(c),
            }
            previous = c;
        }
        self.out.push('"');
    }

    fn variable(&mut self, v: &Variable, with_where: bool) {
        self.typed_symbol(v.symbol);
        if let Some(condition) = v.where_clause.filter(|_| with_where) {
            self.out.push_str(" where ");
            self.expr(condition);
        }
    }

    /// Keyword, attributes, name, parameters and results. All that is declared here gets its name before anything is
    /// written: attributes and where-clauses may mention it.
    fn signature(&mut self, keyword: &str, program: &Program, id: ProcId, own: Own<'_>) {
        let terms = self.terms;
        let type_params = self.type_params(&program[id].type_params);
        for v in own.params.iter().chain(own.results) {
            self.names.declare(v.symbol, &terms.symbol(v.symbol).name);
        }
        let _ = write!(self.out, "{keyword} ");
        self.attributes(own.attributes);
        let _ = write!(self.out, "{}{type_params}", self.names.procedures[id.index()]);
        self.variables(own.params, own.with_where);
        if !own.results.is_empty() {
            self.out.push_str(" returns ");
            self.variables(own.results, own.with_where);
        }
    }

    fn variables(&mut self, variables: &[Variable], with_where: bool) {
        self.out.push('(');
        for (i, v) in variables.iter().enumerate() {
            self.out.push_str(if i > 0 { ", " } else { "" });
            self.attributes(&v.attributes);
            self.variable(v, with_where);
        }
        self.out.push(')');
    }

    fn procedure(&mut self, program: &Program, id: ProcId, bodies: &[Body]) {
        let p = &program[id];
        let mark = self.names.enter();
        let own = Own { params: &p.params, results: &p.results, attributes: &p.attributes, with_where: true };
        self.signature("procedure", program, id, own);
        let joined = bodies.first().filter(|b| shares_symbols(p, b));
        self.out.push_str(if joined.is_some() { "\n" } else { ";\n" });
        self.contract("requires", &p.requires);
        if !p.modifies.is_empty() {
            let names: Vec<_> = p.modifies.iter().map(|&g| self.symbol_name(g)).collect();
            let _ = writeln!(self.out, "  modifies {};", names.join(", "));
        }
        self.contract("ensures", &p.ensures);
        if let Some(body) = joined {
            self.code(program, body);
        }
        self.names.leave(mark);
        for body in bodies.iter().skip(usize::from(joined.is_some())) {
            self.gap();
            self.implementation(program, id, body);
        }
    }

    fn contract(&mut self, keyword: &str, clauses: &[Contract]) {
        for c in clauses {
            let _ = write!(self.out, "  {}{keyword} ", if c.free { "free " } else { "" });
            self.attributes(&c.attributes);
            self.expr(c.condition);
            self.out.push_str(";\n");
        }
    }

    fn implementation(&mut self, program: &Program, id: ProcId, body: &Body) {
        let mark = self.names.enter();
        let Body { params, results, attributes, .. } = body;
        self.signature("implementation", program, id, Own { params, results, attributes, with_where: false });
        self.out.push('\n');
        self.code(program, body);
        self.names.leave(mark);
    }
}

/// What differs between the signatures of a procedure and of its implementations.
#[derive(Clone, Copy)]
struct Own<'a> {
    params: &'a [Variable],
    results: &'a [Variable],
    attributes: &'a [Attribute],
    with_where: bool,
}

/// Whether a body can be printed together with its procedure.
fn shares_symbols(p: &Procedure, body: &Body) -> bool {
    let same = |a: &[Variable], b: &[Variable]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.symbol == b.symbol)
    };
    same(&p.params, &body.params)
        && same(&p.results, &body.results)
        && (body.attributes.is_empty() || body.attributes == p.attributes)
}
