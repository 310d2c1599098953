//! Type resolution: the syntax of a type becomes a sort.

use footpath_ir::source::Span;
use footpath_term::{Sort, SortId, TypeVarId};

use super::ast::{self, Ident, TypeKind};
use super::checker::*;
use super::parse::MAX_NESTING;

/// How many parts a type may have. Real ones have a dozen; sorts are walked as trees in many places.
const MAX_TYPE_SIZE: u64 = 10_000;

impl Checker<'_> {
    /// Makes type parameters visible.
    pub fn enter_type_params(&mut self, params: &[Ident]) -> Checked<Vec<TypeVarId>> {
        self.check_type_params(params)?;
        let mut vars = Vec::new();
        for param in params {
            let var = self.out.terms.fresh_type_var(param.name.clone());
            self.type_scope.push((param.name.clone(), var));
            vars.push(var);
        }
        Ok(vars)
    }

    /// Checks that type parameters have distinct names that stand for nothing else.
    pub fn check_type_params(&mut self, params: &[Ident]) -> Checked<()> {
        for (i, param) in params.iter().enumerate() {
            let taken = self.type_scope.iter().any(|(name, _)| *name == param.name);
            if taken || params[..i].iter().any(|p| p.name == param.name) {
                return Err(self.duplicate(param, "type variable", None));
            }
            if self.types.get(&param.name).is_some_and(|e| e.span.is_some()) {
                let message = format!("the name `{}` is taken by a type", param.name);
                return Err(self.error(param.span, "boogie::duplicate", message));
            }
        }
        Ok(())
    }

    /// Checks that every type parameter occurs in `sorts` or `more`.
    pub fn check_occurrence(
        &mut self,
        names: &[Ident],
        params: &[TypeVarId],
        sorts: &[SortId],
        more: Option<SortId>,
        place: &str,
    ) -> Checked<()> {
        let mut found = Vec::new();
        for &sort in sorts.iter().chain(&more) {
            self.type_variables_of(sort, &mut found);
        }
        for (name, param) in names.iter().zip(params) {
            if !found.contains(param) {
                let message = format!("the type variable `{}` must occur in the {place}", name.name);
                return Err(self.error(name.span, "boogie::type-variable", message));
            }
        }
        Ok(())
    }

    /// Adds the type variables of a sort, in the order of their first occurrence.
    pub fn type_variables_of(&self, sort: SortId, found: &mut Vec<TypeVarId>) {
        match self.out.terms.sort_of(sort) {
            Sort::Var(v) if !found.contains(v) => found.push(*v),
            Sort::Ctor(_, args) => args.iter().for_each(|&a| self.type_variables_of(a, found)),
            Sort::Map { domain, range, .. } => {
                domain.iter().chain([range]).for_each(|&s| self.type_variables_of(s, found));
            }
            _ => {}
        }
    }

    /// The sort a type denotes.
    pub fn sort(&mut self, ty: &ast::Type) -> Checked<SortId> {
        match &ty.kind {
            TypeKind::Bool => Ok(SortId::BOOL),
            TypeKind::Int => Ok(SortId::INT),
            TypeKind::Real => Ok(SortId::REAL),
            TypeKind::Named(name, args) => self.named_sort(name, args),
            TypeKind::Map(params, domain, range) => {
                let mark = self.type_scope.len();
                let mut vars = self.enter_type_params(params)?;
                let domain = domain.iter().map(|t| self.sort(t)).collect::<Checked<Vec<_>>>()?;
                let range = self.sort(range)?;
                self.type_scope.truncate(mark);
                self.check_occurrence(params, &vars, &domain, Some(range), "map arguments")?;
                // Parameters are numbered as they occur, so that the order of their declaration does not matter.
                let mut order = Vec::new();
                for &sort in domain.iter().chain([&range]) {
                    self.type_variables_of(sort, &mut order);
                }
                vars.sort_by_key(|v| order.iter().position(|w| w == v));
                Ok(self.out.terms.abstract_map_sort(&vars, &domain, range))
            }
        }
    }

    fn named_sort(&mut self, name: &Ident, args: &[ast::Type]) -> Checked<SortId> {
        let builtin = if let Some(width) = bit_vector_width(&name.name) {
            let Some(width) = width else {
                return Err(self.type_error(name.span, "the width of this bit-vector is too large"));
            };
            Some(self.out.terms.bit_vec_sort(width))
        } else if let Some((significand, exponent)) = float_sizes(&name.name) {
            Some(self.out.terms.mk_sort(Sort::Float { exponent, significand }))
        } else if &*name.name == "rmode" {
            Some(self.out.terms.mk_sort(Sort::RoundingMode))
        } else {
            let variable = self.type_scope.iter().rev().find(|(n, _)| *n == name.name).map(|(_, v)| *v);
            variable.map(|v| self.out.terms.mk_sort(Sort::Var(v)))
        };
        if let Some(sort) = builtin {
            if !args.is_empty() {
                let message = format!("the type `{}` takes no arguments", name.name);
                return Err(self.type_error(name.span, message));
            }
            return Ok(sort);
        }
        let span = name.span;
        let Some(entry) = self.types.get(&name.name) else {
            let message = format!("undeclared type `{}`", name.name);
            return Err(self.error(name.span, "boogie::undeclared", message));
        };
        let decl = entry.decl;
        self.refers_to(decl, name.span);
        let named = self.types[&name.name].item.clone();
        let args_if = |c: &mut Self, arity: usize| {
            if args.len() != arity {
                let (name, given) = (&name.name, args.len());
                let message = format!("the type `{name}` takes {arity} argument(s), but is given {given}");
                return Err(c.type_error(span, message));
            }
            args.iter().map(|t| c.sort(t)).collect::<Checked<Vec<_>>>()
        };
        if let Some(NamedType::Constructor(ctor, arity)) = named {
            let args = args_if(self, arity)?;
            return Ok(self.out.terms.mk_sort(Sort::Ctor(ctor, args)));
        }
        let (params, body) = self.expand(name)?;
        let args = args_if(self, params.len())?;
        let substitution = params.into_iter().zip(args).collect();
        let sort = self.out.terms.substitute_sort(body, &substitution);
        self.check_size(sort, span)?;
        Ok(sort)
    }

    /// Refuses types that synonyms have blown up: `type T1 = C T0 T0; type T2 = C T1 T1;` and so on.
    fn check_size(&mut self, sort: SortId, span: Span) -> Checked<()> {
        if self.size(sort) <= MAX_TYPE_SIZE {
            return Ok(());
        }
        Err(self.error(span, "boogie::nesting", "this type is too large after its synonyms are expanded"))
    }

    /// How many parts a type has, written out.
    fn size(&mut self, sort: SortId) -> u64 {
        if let Some(&size) = self.sizes.get(&sort) {
            return size;
        }
        let parts = match self.out.terms.sort_of(sort) {
            Sort::Ctor(_, args) => args.clone(),
            Sort::Map { domain, range, .. } => domain.iter().copied().chain([*range]).collect(),
            _ => Vec::new(),
        };
        let size = parts.into_iter().fold(1_u64, |sum, part| sum.saturating_add(self.size(part)));
        self.sizes.insert(sort, size);
        size
    }

    /// The parameters of a type synonym and what it stands for, found out when first needed.
    pub fn expand(&mut self, name: &Ident) -> Checked<(Vec<TypeVarId>, SortId)> {
        let Some(entry) = self.types.get_mut(&name.name) else { return Err(Failed) };
        let decl = entry.decl;
        match entry.item.clone() {
            Some(NamedType::Expanded(params, body)) => Ok((params, body)),
            Some(NamedType::Synonym(d)) => {
                entry.item = Some(NamedType::InProgress);
                self.expanding += 1;
                let expansion = self.within(decl, State::None, |c| {
                    if c.expanding > MAX_NESTING {
                        let message = "type synonyms are nested too deeply";
                        return Err(c.error(d.name.span, "boogie::nesting", message));
                    }
                    let params = c.enter_type_params(&d.params)?;
                    let Some(body) = &d.synonym else { return Err(Failed) };
                    let sort = c.sort(body)?;
                    c.check_size(sort, d.name.span)?;
                    Ok((params, sort))
                });
                self.expanding -= 1;
                if let Some(entry) = self.types.get_mut(&name.name) {
                    entry.item = expansion.as_ref().ok().map(|(p, b)| NamedType::Expanded(p.clone(), *b));
                }
                self.broken[decl] |= expansion.is_err();
                expansion
            }
            Some(NamedType::InProgress) => {
                let message = format!("the type synonym `{}` stands for itself", name.name);
                Err(self.error(name.span, "boogie::type-cycle", message))
            }
            Some(NamedType::Constructor(..)) | None => Err(self.goes_down_with(decl, name.span)),
        }
    }
}

/// The width of the bit-vector type `bv8` and the like; `Some(None)` if the number is too large.
#[allow(clippy::option_option)]
fn bit_vector_width(name: &str) -> Option<Option<u32>> {
    let digits =
        name.strip_prefix("bv").filter(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()))?;
    Some(digits.parse::<u32>().ok().filter(|&w| w <= i32::MAX as u32))
}

/// Whether `name` denotes a bit-vector type.
pub(super) fn is_bit_vector_name(name: &str) -> bool {
    bit_vector_width(name).is_some()
}

/// The significand's and the exponent's width of the type `float24e8` and the like.
fn float_sizes(name: &str) -> Option<(u32, u32)> {
    let (significand, exponent) = name.strip_prefix("float")?.split_once('e')?;
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        digits.then(|| text.parse().ok()).flatten()
    };
    Some((number(significand)?, number(exponent)?))
}
