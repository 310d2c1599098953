//! The parser for top-level declarations.

use super::*;

/// Words that start a declaration of Boogie 3, and are identifiers elsewhere.
pub(super) const CONTEXTUAL_STARTS: &[&str] =
    &["datatype", "pure", "hideable", "revealed", "action", "left", "right", "both", "atomic"];

/// Whether a list of variables may carry `where` clauses; if not, what the variables are called.
#[derive(Clone, Copy)]
pub(super) enum Where {
    Allowed,
    Forbidden(&'static str),
}

impl Parser<'_> {
    pub(super) fn declaration(&mut self) -> Parsed<()> {
        let start = self.at;
        match self.kind() {
            TokenKind::Fixed("type") => self.types(),
            TokenKind::Fixed("const") => self.constants(),
            TokenKind::Fixed("function") => self.function(),
            TokenKind::Fixed("axiom") => self.axiom(),
            TokenKind::Fixed("var") => {
                self.advance();
                let attributes = self.attributes()?;
                let vars = self.typed_idents_without_attributes(Where::Allowed)?;
                self.expect(";")?;
                self.declare(start, DeclKind::Var(vars), attributes)
            }
            TokenKind::Fixed("procedure") => self.procedure(false),
            TokenKind::Fixed("implementation") => self.implementation(),
            TokenKind::Fixed("yield") => {
                let construct =
                    if self.at_after(1, "invariant") { "yield invariant" } else { "yield procedure" };
                Err(self.concurrency(self.span(), construct))
            }
            TokenKind::Fixed("async") => Err(self.concurrency(self.span(), "async action")),
            TokenKind::Ident => match self.token_text(self.at) {
                "datatype" => self.datatype(),
                "hideable" if self.at_after(1, "axiom") => {
                    self.advance();
                    self.axiom()
                }
                "revealed" if self.at_after(1, "function") => {
                    self.advance();
                    self.function()
                }
                "pure" if self.at_after(1, "procedure") => {
                    self.advance();
                    self.procedure(true)
                }
                "pure" | "action" => Err(self.concurrency(self.span(), "action")),
                word @ ("left" | "right" | "both" | "atomic") => {
                    Err(self.concurrency(self.span(), &format!("{word} action")))
                }
                _ => Err(self.expected("a declaration")),
            },
            _ => Err(self.expected("a declaration")),
        }
    }

    fn declare(&mut self, start: usize, kind: DeclKind, attributes: Vec<Attribute>) -> Parsed<()> {
        let span = self.span_from(start);
        self.program.decls.push(Decl { kind, attributes, span });
        Ok(())
    }

    fn types(&mut self) -> Parsed<()> {
        let start = self.at;
        self.expect("type")?;
        let attributes = self.attributes()?;
        let types = self.comma_separated(|p| {
            let name = p.ident()?;
            let mut params = Vec::new();
            while p.kind() == TokenKind::Ident {
                params.push(p.ident()?);
            }
            let synonym = if p.accept("=") { Some(p.ty()?) } else { None };
            Ok(TypeDecl { name, params, synonym })
        })?;
        self.expect(";")?;
        for ty in types {
            self.declare(start, DeclKind::Type(ty), attributes.clone())?;
        }
        Ok(())
    }

    fn datatype(&mut self) -> Parsed<()> {
        let start = self.at;
        self.advance();
        let attributes = self.attributes()?;
        let name = self.ident()?;
        let params = self.type_params()?;
        self.expect("{")?;
        let constructors = self.comma_separated(|p| {
            let name = p.ident()?;
            let fields = p.parameters(Where::Forbidden("fields of a datatype"))?;
            Ok(Constructor { name, fields })
        })?;
        self.expect("}")?;
        self.declare(start, DeclKind::Datatype(DatatypeDecl { name, params, constructors }), attributes)
    }

    fn constants(&mut self) -> Parsed<()> {
        let start = self.at;
        self.expect("const")?;
        let attributes = self.attributes()?;
        let unique = self.accept("unique");
        let names = self.idents()?;
        self.expect(":")?;
        let ty = self.ty()?;
        let extends = self.extends()?;
        if self.at_word("uses") {
            self.uses()?;
        } else {
            self.expect(";")?;
        }
        self.declare(start, DeclKind::Const(ConstDecl { unique, names, ty, extends }), attributes)
    }

    fn extends(&mut self) -> Parsed<Option<Extends>> {
        if !self.accept("extends") {
            return Ok(None);
        }
        let mut parents = Vec::new();
        if self.at("unique") || self.kind() == TokenKind::Ident {
            parents = self.comma_separated(|p| Ok((p.accept("unique"), p.ident()?)))?;
        }
        let complete = self.accept("complete");
        Ok(Some(Extends { parents, complete }))
    }

    /// `uses { axioms }`: the axioms count like any others.
    fn uses(&mut self) -> Parsed<()> {
        self.advance();
        self.expect("{")?;
        while !self.accept("}") {
            self.accept_word("hideable");
            self.axiom()?;
        }
        Ok(())
    }

    fn axiom(&mut self) -> Parsed<()> {
        let start = self.at;
        self.expect("axiom")?;
        let attributes = self.attributes()?;
        let e = self.expression()?;
        self.expect(";")?;
        self.declare(start, DeclKind::Axiom(e), attributes)
    }

    fn function(&mut self) -> Parsed<()> {
        let start = self.at;
        self.expect("function")?;
        let attributes = self.attributes()?;
        let name = self.ident()?;
        let type_params = self.type_params()?;
        self.expect("(")?;
        let mut params = self.list_until(")", Self::function_param)?;
        let result = if self.accept("returns") {
            self.expect("(")?;
            let result = self.function_param()?;
            self.expect(")")?;
            result
        } else {
            self.expect(":")?;
            let ty = self.ty()?;
            self.nameless(ty, Vec::new())
        };
        self.share_types(&mut params)?;
        let mut body = None;
        if self.accept("{") {
            body = Some(self.expression()?);
            self.expect("}")?;
            if self.at_word("uses") && self.at_after(1, "{") {
                self.uses()?;
            }
        } else if self.at_word("uses") {
            self.uses()?;
        } else {
            self.expect(";")?;
        }
        let function = FunctionDecl { name, type_params, params, result, body };
        self.declare(start, DeclKind::Function(function), attributes)
    }

    fn nameless(&mut self, ty: Type, attributes: Vec<Attribute>) -> TypedIdent {
        let name = Ident { name: self.name(""), span: ty.span };
        TypedIdent { name, ty, condition: None, attributes }
    }

    /// `x: T`, or only `T`.
    fn function_param(&mut self) -> Parsed<TypedIdent> {
        let attributes = self.attributes()?;
        let ty = self.ty()?;
        if !self.accept(":") {
            return Ok(self.nameless(ty, attributes));
        }
        match ty.kind {
            TypeKind::Named(name, args) if args.is_empty() => {
                Ok(TypedIdent { name, ty: self.ty()?, condition: None, attributes })
            }
            _ => Err(self.error(ty.span, "expected an identifier before `:`")),
        }
    }

    /// If any parameter has a name, one without stands for a name whose type is that of the next: `x, y: int`.
    fn share_types(&mut self, params: &mut [TypedIdent]) -> Parsed<()> {
        if params.iter().all(|p| p.name.name.is_empty()) {
            return Ok(());
        }
        let mut next: Option<Type> = None;
        for param in params.iter_mut().rev() {
            if param.name.name.is_empty() {
                let Some(ty) = next.clone() else {
                    return Err(self.error(param.ty.span, "the type of the last parameter is missing"));
                };
                match &param.ty.kind {
                    TypeKind::Named(name, args) if args.is_empty() => param.name = name.clone(),
                    _ => return Err(self.error(param.ty.span, "expected the name of a parameter")),
                }
                param.ty = ty;
            } else {
                next = Some(param.ty.clone());
            }
        }
        Ok(())
    }

    fn procedure(&mut self, pure: bool) -> Parsed<()> {
        let start = self.at;
        self.expect("procedure")?;
        let (attributes, mut procedure) = self.signature(Where::Allowed)?;
        procedure.pure = pure;
        let has_body = !self.accept(";");
        while let Some(spec) = self.spec()? {
            procedure.specs.push(spec);
        }
        if has_body {
            procedure.body = Some(self.body()?);
        }
        self.declare(start, DeclKind::Procedure(procedure), attributes)
    }

    fn implementation(&mut self) -> Parsed<()> {
        let start = self.at;
        self.expect("implementation")?;
        let (attributes, mut procedure) =
            self.signature(Where::Forbidden("the parameters of an implementation"))?;
        procedure.body = Some(self.body()?);
        self.declare(start, DeclKind::Implementation(procedure), attributes)
    }

    fn signature(&mut self, conditions: Where) -> Parsed<(Vec<Attribute>, ProcedureDecl)> {
        let attributes = self.attributes()?;
        let name = self.ident()?;
        let type_params = self.type_params()?;
        let ins = self.parameters(conditions)?;
        let outs = if self.accept("returns") { self.parameters(conditions)? } else { Vec::new() };
        let specs = Vec::new();
        Ok((attributes, ProcedureDecl { name, type_params, ins, outs, specs, body: None, pure: false }))
    }

    fn spec(&mut self) -> Parsed<Option<Spec>> {
        let start = self.at;
        if self.accept("modifies") {
            let names = if self.at(";") { Vec::new() } else { self.idents()? };
            self.expect(";")?;
            return Ok(Some(Spec::Modifies(names)));
        }
        let free = self.accept("free");
        let requires = match self.kind() {
            TokenKind::Fixed("requires") => true,
            TokenKind::Fixed("ensures") => false,
            TokenKind::Ident => match self.token_text(self.at) {
                word @ ("refines" | "preserves" | "asserts" | "creates") => {
                    return Err(self.concurrency(self.span(), word));
                }
                _ => return Ok(None),
            },
            _ if free => return Err(self.expected("`requires` or `ensures`")),
            _ => return Ok(None),
        };
        self.advance();
        let attributes = self.attributes()?;
        if self.at("call") {
            return Err(self.concurrency(self.span(), "call in a contract"));
        }
        let expr = self.expression()?;
        self.expect(";")?;
        let condition = Condition { free, expr, attributes, span: self.span_from(start) };
        Ok(Some(if requires { Spec::Requires(condition) } else { Spec::Ensures(condition) }))
    }

    fn body(&mut self) -> Parsed<Body> {
        self.expect("{")?;
        let locals = self.locals()?;
        Ok(Body { locals, block: self.block_rest()? })
    }

    pub(super) fn locals(&mut self) -> Parsed<Vec<TypedIdent>> {
        let mut locals = Vec::new();
        while self.accept("var") {
            let attributes = self.attributes()?;
            for local in self.typed_idents_without_attributes(Where::Allowed)? {
                locals.push(TypedIdent { attributes: attributes.clone(), ..local });
            }
            self.expect(";")?;
        }
        Ok(locals)
    }

    // ---- Variables.

    /// `(x, y: T, z: U)`.
    fn parameters(&mut self, conditions: Where) -> Parsed<Vec<TypedIdent>> {
        self.expect("(")?;
        let params = if self.at(")") { Vec::new() } else { self.typed_idents(conditions)? };
        self.expect(")")?;
        Ok(params)
    }

    /// `{:attr} x, y: T where e, z: U`.
    pub(super) fn typed_idents(&mut self, conditions: Where) -> Parsed<Vec<TypedIdent>> {
        let groups = self.comma_separated(|p| {
            let attributes = p.attributes()?;
            p.typed_ident_group(&attributes, conditions)
        })?;
        Ok(groups.into_iter().flatten().collect())
    }

    fn typed_idents_without_attributes(&mut self, conditions: Where) -> Parsed<Vec<TypedIdent>> {
        let groups = self.comma_separated(|p| p.typed_ident_group(&[], conditions))?;
        Ok(groups.into_iter().flatten().collect())
    }

    fn typed_ident_group(&mut self, attributes: &[Attribute], conditions: Where) -> Parsed<Vec<TypedIdent>> {
        let names = self.idents()?;
        self.expect(":")?;
        let ty = self.ty()?;
        let mut condition = None;
        if self.at("where") {
            if let Where::Forbidden(what) = conditions {
                return Err(self.error(self.span(), format!("a where clause is not allowed on {what}")));
            }
            self.advance();
            condition = Some(self.expression()?);
        }
        let typed = |name| TypedIdent { name, ty: ty.clone(), condition, attributes: attributes.to_vec() };
        Ok(names.into_iter().map(typed).collect())
    }
}
