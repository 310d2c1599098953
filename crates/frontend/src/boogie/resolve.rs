//! Name resolution: the names that the declarations of a program declare, and what they refer to.
//!
//! Checking takes several passes over the declarations, because Boogie lets every declaration refer to every other.
//! First all names are entered ([`Checker::enter_names`]), then the headings are resolved: types of variables,
//! constants, functions and procedures ([`Checker::resolve_headings`]); last come the parts that contain expressions
//! (`typecheck.rs`). Types, variables together with constants, and functions together with procedures are three name
//! spaces.

use footpath_ir::source::Span;
use footpath_term::{FuncDecl, FuncId, FuncKind, Sort, SortCtorId, SortId};
use rustc_hash::FxHashMap;

use super::ast::{self, DeclKind, Ident, Name};
use super::builtin::{self, builtin_name};
use super::checker::*;
use super::sorts::is_bit_vector_name;
use super::typed::*;

/// What the two kinds of names are called in messages.
const VARIABLE: &str = "variable";
const FUNCTION: &str = "function or procedure";

impl<'a> Checker<'a> {
    // ---- Round one: names.

    /// Enters the names of all declarations.
    pub fn enter_names(&mut self) {
        for (id, decl) in self.source.decls.iter().enumerate() {
            self.current = id;
            self.ignored[id] |= has_attribute(&decl.attributes, "ignore");
            match &decl.kind {
                DeclKind::Type(d) => {
                    if is_bit_vector_name(&d.name.name) {
                        let message = format!("the type name `{}` is reserved for bit-vectors", d.name.name);
                        self.error(d.name.span, "boogie::duplicate", message);
                    }
                    let named = match (&d.synonym, builtin_name(&decl.attributes).map(|name| &**name)) {
                        (Some(_), _) => NamedType::Synonym(d),
                        (None, Some("String")) => self.builtin_type(Sort::String),
                        (None, Some("(RegEx String)")) => self.builtin_type(Sort::RegEx),
                        (None, _) => self.new_type(&d.name, d.params.len()),
                    };
                    self.enter(|c| &mut c.types, &d.name, Some(named), "type");
                }
                DeclKind::Datatype(d) => {
                    let named = self.new_type(&d.name, d.params.len());
                    self.enter(|c| &mut c.types, &d.name, Some(named), "type");
                    for constructor in &d.constructors {
                        self.enter(|c| &mut c.callables, &constructor.name, None, FUNCTION);
                    }
                }
                DeclKind::Const(d) => {
                    for name in &d.names {
                        self.enter(|c| &mut c.globals, name, None, VARIABLE);
                    }
                }
                DeclKind::Var(vars) => {
                    for var in vars {
                        self.enter(|c| &mut c.globals, &var.name, None, VARIABLE);
                    }
                }
                DeclKind::Function(d) => {
                    self.enter(|c| &mut c.callables, &d.name, None, FUNCTION);
                    if has_attribute(&decl.attributes, "constructor") {
                        for name in companions(d) {
                            self.enter(|c| &mut c.callables, &name, None, FUNCTION);
                        }
                    }
                }
                DeclKind::Procedure(d) => self.enter(|c| &mut c.callables, &d.name, None, FUNCTION),
                DeclKind::Axiom(_) | DeclKind::Implementation(_) => {}
                DeclKind::Broken(names) => {
                    self.broken[id] = true;
                    for name in names {
                        placeholder(&mut self.types, name, id);
                        placeholder(&mut self.globals, name, id);
                        placeholder(&mut self.callables, name, id);
                    }
                }
            }
        }
    }

    /// A type that solvers know: `type {:builtin "String"} string;`.
    fn builtin_type(&mut self, sort: Sort) -> NamedType<'a> {
        NamedType::Expanded(Vec::new(), self.out.terms.mk_sort(sort))
    }

    fn new_type(&mut self, name: &Ident, arity: usize) -> NamedType<'a> {
        NamedType::Constructor(self.out.terms.declare_ctor(name.name.clone(), arity as u32), arity)
    }

    fn new_type_decl(&mut self, ctor: SortCtorId, span: Span) {
        self.type_decls.push((self.current, TypeDecl { ctor, attributes: Vec::new(), span }));
    }

    /// Enters a name of the current declaration into a table.
    fn enter<T>(
        &mut self,
        table: fn(&mut Self) -> &mut FxHashMap<Name, Entry<T>>,
        name: &Ident,
        item: Option<T>,
        what: &str,
    ) {
        let new = Entry { decl: self.current, span: Some(name.span), item };
        let Some((old, first)) = table(self).get(&name.name).map(|e| (e.decl, e.span)) else {
            table(self).insert(name.name.clone(), new);
            return;
        };
        // Of two declarations of a name, one that is marked `extern` gives way.
        let external = |decl: DeclId| has_attribute(&self.source.decls[decl].attributes, "extern");
        if first.is_none() {
            table(self).insert(name.name.clone(), new);
        } else if external(self.current) {
            self.ignored[self.current] = true;
        } else if external(old) {
            self.ignored[old] = true;
            table(self).insert(name.name.clone(), new);
        } else {
            self.duplicate(name, what, first);
        }
    }

    // ---- Round two: headings.

    /// Resolves the types of everything that has a name.
    pub fn resolve_headings(&mut self) {
        for (id, decl) in self.source.decls.iter().enumerate() {
            if self.is_relevant(id) {
                // A heading with an error leaves the entry of its name without an item.
                let _ = self.within(id, State::None, |c| c.heading(decl));
            }
        }
        self.check_well_founded();
    }

    fn heading(&mut self, decl: &'a ast::Decl) -> Checked<()> {
        match &decl.kind {
            DeclKind::Type(d) => match self.types[&d.name.name].item {
                Some(NamedType::Constructor(ctor, _)) => self.new_type_decl(ctor, d.name.span),
                _ => {
                    self.expand(&d.name)?;
                }
            },
            DeclKind::Datatype(d) => self.datatype(d)?,
            DeclKind::Const(d) => {
                let sort = self.sort(&d.ty)?;
                for name in &d.names {
                    let var = self.new_var(name, VarKind::Constant, sort);
                    self.set_global(name, var);
                    let constant = Constant { var, unique: d.unique, extends: None };
                    self.constants.push((self.current, constant));
                }
            }
            DeclKind::Var(vars) => {
                for var in vars {
                    let sort = self.sort(&var.ty)?;
                    let id = self.new_var(&var.name, VarKind::Global, sort);
                    self.set_global(&var.name, id);
                }
            }
            DeclKind::Function(d) => self.function_heading(d, &decl.attributes)?,
            DeclKind::Procedure(d) => self.procedure_heading(d, decl.span)?,
            DeclKind::Axiom(_) | DeclKind::Implementation(_) | DeclKind::Broken(_) => {}
        }
        Ok(())
    }

    /// A new variable without condition and attributes.
    pub fn new_var(&mut self, name: &Ident, kind: VarKind, sort: SortId) -> VarId {
        let (name, span) = (name.name.clone(), name.span);
        self.out.vars.push(Var { name, kind, sort, condition: None, attributes: Vec::new(), span });
        VarId(self.out.vars.len() as u32 - 1)
    }

    fn set_global(&mut self, name: &Ident, var: VarId) {
        let current = self.current;
        if let Some(entry) = self.globals.get_mut(&name.name).filter(|e| e.decl == current) {
            entry.item = Some(var);
        }
    }

    fn set_callable(&mut self, name: &Name, callable: Callable) {
        let current = self.current;
        if let Some(entry) = self.callables.get_mut(name).filter(|e| e.decl == current) {
            entry.item = Some(callable);
        }
    }

    fn function_heading(&mut self, d: &'a ast::FunctionDecl, attributes: &[ast::Attribute]) -> Checked<()> {
        let type_params = self.enter_type_params(&d.type_params)?;
        let params = self.variables(&d.params, VarKind::In)?;
        let result = self.sort(&d.result.ty)?;
        if !d.result.name.name.is_empty() {
            // The name of the result is checked, but nothing can refer to it.
            let var = self.new_var(&d.result.name, VarKind::Out, result);
            self.bring_into_scope(&d.result.name, var)?;
        }
        let sorts: Vec<SortId> = params.iter().map(|&v| self.out.var(v).sort).collect();
        self.check_occurrence(&d.type_params, &type_params, &sorts, Some(result), "function arguments")?;
        let constructor = has_attribute(attributes, "constructor");
        let kind = match builtin_name(attributes) {
            _ if constructor => FuncKind::Constructor,
            Some(name) if !self.is_operation(name, &sorts, result) => FuncKind::Builtin(name.clone()),
            _ => FuncKind::Uninterpreted,
        };
        let decl = FuncDecl { name: d.name.name.clone(), type_params, params: sorts, result, kind };
        let id = self.new_function(decl, params, d.name.span);
        if constructor {
            let datatype = match self.out.terms.sort_of(result) {
                Sort::Ctor(datatype, _) => *datatype,
                _ => return Err(self.type_error(d.result.ty.span, "a constructor makes a datatype")),
            };
            if !self.is_old_style_datatype(datatype) {
                return Err(self.type_error(d.result.ty.span, "a constructor makes a datatype"));
            }
            let type_name = self.out.terms.ctor(datatype).name.clone();
            if let Some(entry) = self.types.get(&type_name) {
                // A datatype that lacks a constructor would be another one.
                let owner = entry.decl;
                self.also_breaks(owner, d.name.span);
            }
            let names = companions(d);
            if let Some(nameless) = d.params.iter().find(|p| p.name.name.is_empty()) {
                return Err(self.type_error(nameless.ty.span, "a field of a constructor needs a name"));
            }
            let fields: Vec<&Ident> = d.params.iter().map(|p| &p.name).collect();
            self.constructor(datatype, id, &fields, &names);
        }
        Ok(())
    }

    /// Whether Footpath itself knows the operation that a function stands for.
    fn is_operation(&self, name: &str, params: &[SortId], result: SortId) -> bool {
        let terms = &self.out.terms;
        builtin::operator(terms, name, params, result).is_some()
            || builtin::Derived::find(terms, name, params, result).is_some()
            || builtin::has_map_definition(terms, name, params, result)
    }

    /// Whether the type was declared with `{:datatype}`.
    fn is_old_style_datatype(&self, ctor: SortCtorId) -> bool {
        let name = &self.out.terms.ctor(ctor).name;
        let entry = self.types.get(name);
        entry.is_some_and(|e| has_attribute(&self.source.decls[e.decl].attributes, "datatype"))
    }

    fn new_function(&mut self, decl: FuncDecl, params: Vec<VarId>, span: Span) -> FuncId {
        let name = decl.name.clone();
        let id = self.out.terms.declare_function(decl);
        let function = Function { id, params, body: None, attributes: Vec::new(), span };
        self.functions.push((self.current, function));
        self.set_callable(&name, Callable::Function(id));
        id
    }

    fn datatype(&mut self, d: &'a ast::DatatypeDecl) -> Checked<()> {
        let Some(NamedType::Constructor(ctor, _)) = self.types[&d.name.name].item else {
            return Err(Failed);
        };
        self.new_type_decl(ctor, d.name.span);
        for constructor in &d.constructors {
            let mark = self.type_scope.len();
            let type_params = self.enter_type_params(&d.params)?;
            let arguments = type_params.iter().map(|&v| self.out.terms.mk_sort(Sort::Var(v))).collect();
            let result = self.out.terms.mk_sort(Sort::Ctor(ctor, arguments));
            let scope = self.scope.len();
            let params = self.variables(&constructor.fields, VarKind::In)?;
            self.scope.truncate(scope);
            self.type_scope.truncate(mark);
            let sorts = params.iter().map(|&v| self.out.var(v).sort).collect();
            let name = constructor.name.name.clone();
            let decl = FuncDecl { name, type_params, params: sorts, result, kind: FuncKind::Constructor };
            let id = self.new_function(decl, params, constructor.name.span);
            let fields: Vec<&Ident> = constructor.fields.iter().map(|f| &f.name).collect();
            self.check_shared_fields(ctor, id, &fields)?;
            let names: Vec<Ident> = std::iter::once("is")
                .chain(fields.iter().map(|f| &*f.name))
                .map(|prefix| companion(prefix, &constructor.name))
                .collect();
            self.constructor(ctor, id, &fields, &names);
        }
        Ok(())
    }

    /// Declares what belongs to a constructor: its tester and its selectors, called `names` in that order.
    fn constructor(&mut self, datatype: SortCtorId, id: FuncId, fields: &[&Ident], names: &[Ident]) {
        let mut constructors = self.out.terms.ctor(datatype).constructors.clone();
        constructors.push(id);
        self.out.terms.set_constructors(datatype, constructors);
        let decl = self.out.terms.function(id).clone();
        let companion_decl = |name: &Ident, result: SortId, kind: FuncKind| FuncDecl {
            name: name.name.clone(),
            type_params: decl.type_params.clone(),
            params: vec![decl.result],
            result,
            kind,
        };
        let argument = Ident { name: "".into(), span: names[0].span };
        let tester = companion_decl(&names[0], SortId::BOOL, FuncKind::Tester { constructor: id });
        let param = self.new_var(&argument, VarKind::In, decl.result);
        let tester = self.new_function(tester, vec![param], names[0].span);
        let mut selectors = Vec::new();
        for (index, (field, name)) in fields.iter().zip(&names[1..]).enumerate() {
            let kind = FuncKind::Selector { constructor: id, field: index as u32 };
            let selector = companion_decl(name, decl.params[index], kind);
            let param = self.new_var(&argument, VarKind::In, decl.result);
            selectors.push(self.new_function(selector, vec![param], name.span));
            let field_entry = Field { datatype, constructor: id, index };
            self.fields.entry(field.name.clone()).or_default().push(field_entry);
        }
        self.constructors.insert(id, ConstructorInfo { tester, selectors });
    }

    fn procedure_heading(&mut self, d: &'a ast::ProcedureDecl, span: Span) -> Checked<()> {
        let type_params = self.enter_type_params(&d.type_params)?;
        let ins = self.variables(&d.ins, VarKind::In)?;
        let outs = self.variables(&d.outs, VarKind::Out)?;
        let sorts: Vec<SortId> = ins.iter().chain(&outs).map(|&v| self.out.var(v).sort).collect();
        self.check_occurrence(&d.type_params, &type_params, &sorts, None, "procedure arguments")?;
        let position = self.procedures.len();
        let procedure = Procedure {
            id: ProcId(position as u32),
            name: d.name.clone(),
            type_params,
            ins,
            outs,
            requires: Vec::new(),
            ensures: Vec::new(),
            modifies: Vec::new(),
            bodies: Vec::new(),
            pure: d.pure,
            attributes: Vec::new(),
            span,
        };
        self.procedures.push((self.current, procedure));
        self.set_callable(&d.name.name, Callable::Procedure(position));
        Ok(())
    }

    /// Resolves the `modifies` clauses, which calls anywhere depend on.
    pub fn resolve_modifies(&mut self) {
        for (id, decl) in self.source.decls.iter().enumerate() {
            let DeclKind::Procedure(d) = &decl.kind else { continue };
            let Some(Callable::Procedure(position)) = self.own_callable(&d.name.name, id) else { continue };
            let names = d.specs.iter().filter_map(|spec| match spec {
                ast::Spec::Modifies(names) => Some(names),
                _ => None,
            });
            for name in names.flatten() {
                if d.pure {
                    let message = "a pure procedure changes no globals, so it has no modifies clause";
                    self.within(id, State::None, |c| c.error(name.span, "boogie::pure", message));
                    continue;
                }
                if let Ok(var) = self.within(id, State::One, |c| c.modified_global(name)) {
                    let modifies = &mut self.procedures[position].1.modifies;
                    if !modifies.contains(&var) {
                        modifies.push(var);
                    }
                }
            }
        }
    }

    fn modified_global(&mut self, name: &Ident) -> Checked<VarId> {
        let var = self.lookup_global(&name.name, name.span)?;
        if self.out.var(var).kind == VarKind::Constant {
            let message = format!("the modifies clause contains the constant `{}`", name.name);
            return Err(self.error(name.span, "boogie::modifies", message));
        }
        Ok(var)
    }

    /// What the name of a function or procedure stands for, if `decl` is its declaration.
    pub fn own_callable(&self, name: &Name, decl: DeclId) -> Option<Callable> {
        self.callables.get(name).filter(|e| e.decl == decl)?.item
    }

    /// The constant or global variable called `name`.
    pub fn lookup_global(&mut self, name: &Name, span: Span) -> Checked<VarId> {
        let Some(entry) = self.globals.get(name) else {
            return Err(self.error(span, "boogie::undeclared", format!("undeclared identifier `{name}`")));
        };
        let (decl, item) = (entry.decl, entry.item);
        self.refers_to(decl, span);
        item.ok_or_else(|| self.goes_down_with(decl, span))
    }

    /// New variables with their sorts, all brought into scope; a nameless one is in no scope.
    pub fn variables(&mut self, idents: &'a [ast::TypedIdent], kind: VarKind) -> Checked<Vec<VarId>> {
        let mut vars = Vec::new();
        for ident in idents {
            let sort = self.sort(&ident.ty)?;
            let var = self.new_var(&ident.name, kind, sort);
            if !ident.name.name.is_empty() {
                self.bring_into_scope(&ident.name, var)?;
            }
            vars.push(var);
        }
        Ok(vars)
    }

    /// Makes a local name visible. Local names may hide global ones, but not each other.
    pub fn bring_into_scope(&mut self, name: &Ident, var: VarId) -> Checked<()> {
        if let Some(first) = self.scope.get(&name.name) {
            let first = self.out.var(first).span;
            return Err(self.duplicate(name, VARIABLE, Some(first)));
        }
        self.scope.push(&name.name, var);
        Ok(())
    }
}

/// Enters the name of a declaration that could not be read, unless the name is taken.
fn placeholder<T>(table: &mut FxHashMap<Name, Entry<T>>, name: &Name, decl: DeclId) {
    table.entry(name.clone()).or_insert(Entry { decl, span: None, item: None });
}

/// The name `prefix#constructor`.
fn companion(prefix: &str, constructor: &Ident) -> Ident {
    Ident { name: format!("{prefix}#{}", constructor.name).into(), span: constructor.span }
}

/// The names that come with a `{:constructor}` function: its tester's, then its selectors'.
fn companions(d: &ast::FunctionDecl) -> Vec<Ident> {
    let prefixes = std::iter::once("is").chain(d.params.iter().map(|p| &*p.name.name));
    prefixes.map(|prefix| companion(prefix, &d.name)).collect()
}
