//! Construction of Z3 sorts, declarations and expressions; the part of the safe wrapper that builds.
//!
//! Z3 checks sorts and numbers of arguments and refuses what does not fit: nothing here can make an ill-formed
//! expression, only an error.

use super::*;

impl Context {
    pub(super) fn symbol(&mut self, name: &str) -> Result<Z3_symbol> {
        let name = c_string(name);
        // SAFETY: a C string that outlives the call, which copies it.
        unsafe { Z3_mk_string_symbol(self.raw, name.as_ptr()) }.ok_or_else(|| self.error())
    }

    pub(in crate::z3) fn basic_sort(&mut self, which: &footpath_term::Sort) -> Result<Sort> {
        use footpath_term::Sort as S;
        // SAFETY: constructors of sorts of a live context.
        let sort = unsafe {
            match which {
                S::Bool => Z3_mk_bool_sort(self.raw),
                S::Int => Z3_mk_int_sort(self.raw),
                S::Real => Z3_mk_real_sort(self.raw),
                S::BitVec(w) => Z3_mk_bv_sort(self.raw, *w),
                S::Float { exponent, significand } => Z3_mk_fpa_sort(self.raw, *exponent, *significand),
                S::RoundingMode => Z3_mk_fpa_rounding_mode_sort(self.raw),
                S::String => Z3_mk_string_sort(self.raw),
                S::RegEx => {
                    let string =
                        Z3_mk_string_sort(self.raw).ok_or_else(|| Error("no sort of strings".to_owned()))?;
                    Z3_mk_re_sort(self.raw, string)
                }
                _ => return Err(Error("this sort is not a basic one".to_owned())),
            }
        };
        self.keep_sort(sort)
    }

    pub(in crate::z3) fn uninterpreted_sort(&mut self, name: &str) -> Result<Sort> {
        let name = self.symbol(name)?;
        // SAFETY: a symbol of this context.
        let sort = unsafe { Z3_mk_uninterpreted_sort(self.raw, name) };
        self.keep_sort(sort)
    }

    pub(in crate::z3) fn array_sort(&mut self, domain: &[Sort], range: Sort) -> Result<Sort> {
        let raw: Vec<Z3_sort> = domain.iter().map(|&s| self.sort(s)).collect();
        // SAFETY: `raw` holds `raw.len()` live sorts.
        let sort =
            unsafe { Z3_mk_array_sort_n(self.raw, raw.len() as c_uint, raw.as_ptr(), self.sort(range)) };
        self.keep_sort(sort)
    }

    /// The sort of a datatype that [`Context::datatypes`] will declare.
    pub(in crate::z3) fn forward_sort(&mut self, name: &str) -> Result<Sort> {
        let name = self.symbol(name)?;
        // SAFETY: a symbol of this context; no parameters.
        let sort = unsafe { Z3_mk_datatype_sort(self.raw, name, 0, std::ptr::null()) };
        self.keep_sort(sort)
    }

    /// Declares datatypes that may refer to each other by [`Context::forward_sort`].
    pub(in crate::z3) fn datatypes(
        &mut self,
        specs: &[(String, Vec<ConstructorSpec>)],
    ) -> Result<Vec<(Sort, Vec<Constructor>)>> {
        let mut names = Vec::new();
        let mut lists = Vec::new();
        let mut constructors: Vec<Vec<Z3_constructor>> = Vec::new();
        for (name, spec) in specs {
            names.push(self.symbol(name)?);
            let mut made = Vec::new();
            for c in spec {
                let (name, tester) = (self.symbol(&c.name)?, self.symbol(&format!("is-{}", c.name))?);
                let fields = c.fields.iter().map(|(f, _)| self.symbol(f)).collect::<Result<Vec<_>>>()?;
                let sorts: Vec<Option<Z3_sort>> = c.fields.iter().map(|&(_, s)| Some(self.sort(s))).collect();
                let mut refs: Vec<c_uint> = vec![0; fields.len()];
                // SAFETY: three arrays of `fields.len()` items that outlive the call.
                let made_one = unsafe {
                    Z3_mk_constructor(
                        self.raw,
                        name,
                        tester,
                        fields.len() as c_uint,
                        fields.as_ptr(),
                        sorts.as_ptr(),
                        refs.as_mut_ptr(),
                    )
                };
                made.push(made_one.ok_or_else(|| self.error())?);
            }
            // SAFETY: `made` holds `made.len()` live constructors.
            let list = unsafe { Z3_mk_constructor_list(self.raw, made.len() as c_uint, made.as_ptr()) };
            lists.push(list.ok_or_else(|| self.error())?);
            constructors.push(made);
        }
        let placeholder = self.basic_sort(&footpath_term::Sort::Bool)?;
        let mut sorts = vec![self.sort(placeholder); specs.len()];
        // SAFETY: three arrays of `specs.len()` items; `sorts` is only written.
        unsafe {
            Z3_mk_datatypes(
                self.raw,
                specs.len() as c_uint,
                names.as_ptr(),
                sorts.as_mut_ptr(),
                lists.as_mut_ptr(),
            );
        }
        self.done()?;
        let mut result = Vec::new();
        for ((sort, list), (_, spec)) in sorts.into_iter().zip(&constructors).zip(specs) {
            let sort = self.keep_sort(Some(sort))?;
            let mut made = Vec::new();
            for (&constructor, spec) in list.iter().zip(spec) {
                let mut make: Option<Z3_func_decl> = None;
                let mut test: Option<Z3_func_decl> = None;
                let mut fields: Vec<Option<Z3_func_decl>> = vec![None; spec.fields.len()];
                // SAFETY: `Option` of a non-null pointer has the layout of a pointer; the places are valid, and
                // `fields` has as many as the constructor has fields.
                unsafe {
                    Z3_query_constructor(
                        self.raw,
                        constructor,
                        fields.len() as c_uint,
                        (&raw mut make).cast(),
                        (&raw mut test).cast(),
                        fields.as_mut_ptr().cast(),
                    );
                }
                self.done()?;
                made.push(Constructor {
                    make: self.keep_decl(make)?,
                    test: self.keep_decl(test)?,
                    fields: fields.into_iter().map(|f| self.keep_decl(f)).collect::<Result<_>>()?,
                });
            }
            result.push((sort, made));
        }
        for (list, constructors) in lists.into_iter().zip(constructors) {
            // SAFETY: each was made above and is not used again.
            unsafe {
                Z3_del_constructor_list(self.raw, list);
                for c in constructors {
                    Z3_del_constructor(self.raw, c);
                }
            }
        }
        Ok(result)
    }

    // ---- expressions ----

    pub(in crate::z3) fn constant(&mut self, name: &str, sort: Sort) -> Result<Ast> {
        let name = self.symbol(name)?;
        // SAFETY: symbol and sort of this context.
        let ast = unsafe { Z3_mk_const(self.raw, name, self.sort(sort)) };
        self.keep(ast)
    }

    pub(in crate::z3) fn function(&mut self, name: &str, params: &[Sort], result: Sort) -> Result<Decl> {
        let name = self.symbol(name)?;
        let raw: Vec<Z3_sort> = params.iter().map(|&s| self.sort(s)).collect();
        // SAFETY: `raw` holds `raw.len()` live sorts.
        let decl =
            unsafe { Z3_mk_func_decl(self.raw, name, raw.len() as c_uint, raw.as_ptr(), self.sort(result)) };
        self.keep_decl(decl)
    }

    pub(in crate::z3) fn apply(&mut self, decl: Decl, args: &[Ast]) -> Result<Ast> {
        let raw = self.asts(args);
        // SAFETY: `raw` holds `raw.len()` live expressions; Z3 checks number and sorts.
        let ast = unsafe { Z3_mk_app(self.raw, self.decl(decl), raw.len() as c_uint, raw.as_ptr()) };
        self.keep(ast)
    }

    pub(in crate::z3) fn boolean(&mut self, b: bool) -> Result<Ast> {
        // SAFETY: the context is alive.
        let ast = unsafe { if b { Z3_mk_true(self.raw) } else { Z3_mk_false(self.raw) } };
        self.keep(ast)
    }

    pub(in crate::z3) fn numeral(&mut self, text: &str, sort: Sort) -> Result<Ast> {
        let text = c_string(text);
        // SAFETY: a C string and a sort of this context.
        let ast = unsafe { Z3_mk_numeral(self.raw, text.as_ptr(), self.sort(sort)) };
        self.keep(ast)
    }

    pub(in crate::z3) fn string(&mut self, text: &str) -> Result<Ast> {
        let chars: Vec<c_uint> = text.chars().map(c_uint::from).collect();
        // SAFETY: `chars` holds `chars.len()` numbers.
        let ast = unsafe { Z3_mk_u32string(self.raw, chars.len() as c_uint, chars.as_ptr()) };
        self.keep(ast)
    }

    /// The floating-point number with the bits of a bit-vector.
    pub(in crate::z3) fn float_of_bits(&mut self, bits: Ast, sort: Sort) -> Result<Ast> {
        // SAFETY: expression and sort of this context.
        let ast = unsafe { Z3_mk_fpa_to_fp_bv(self.raw, self.ast(bits), self.sort(sort)) };
        let ast = self.keep(ast)?;
        self.simplify(ast)
    }

    /// Rounding mode number `mode`, in the order of [`footpath_term::RoundingMode`].
    pub(in crate::z3) fn rounding_mode(&mut self, mode: footpath_term::RoundingMode) -> Result<Ast> {
        use footpath_term::RoundingMode as R;
        // SAFETY: the context is alive.
        let ast = unsafe {
            match mode {
                R::NearestEven => Z3_mk_fpa_round_nearest_ties_to_even(self.raw),
                R::NearestAway => Z3_mk_fpa_round_nearest_ties_to_away(self.raw),
                R::TowardPositive => Z3_mk_fpa_round_toward_positive(self.raw),
                R::TowardNegative => Z3_mk_fpa_round_toward_negative(self.raw),
                R::TowardZero => Z3_mk_fpa_round_toward_zero(self.raw),
            }
        };
        self.keep(ast)
    }

    pub(in crate::z3) fn simplify(&mut self, a: Ast) -> Result<Ast> {
        // SAFETY: an expression of this context.
        let ast = unsafe { Z3_simplify(self.raw, self.ast(a)) };
        self.keep(ast)
    }

    /// An operator without binders, on arguments that fit it. Bit-vectors have at least one bit here.
    pub(in crate::z3) fn operator(&mut self, op: &Op, args: &[Ast]) -> Result<Ast> {
        let c = self.raw;
        let raw = self.asts(args);
        let n = raw.len() as c_uint;
        let p = raw.as_ptr();
        let a = |i: usize| raw[i];
        if matches!((op, args.len()), (_, 0)) {
            return Err(Error("an operator needs arguments".to_owned()));
        }
        // SAFETY: all arguments are live expressions of this context, `p` points to `n` of them, and Z3 checks
        // the sorts. Indexing checks the number of arguments.
        let ast = unsafe {
            match op {
                Op::Not => Z3_mk_not(c, a(0)),
                Op::And => Z3_mk_and(c, n, p),
                Op::Or => Z3_mk_or(c, n, p),
                Op::Implies => Z3_mk_implies(c, a(0), a(1)),
                Op::Eq => Z3_mk_eq(c, a(0), a(1)),
                Op::Distinct => Z3_mk_distinct(c, n, p),
                Op::Ite => Z3_mk_ite(c, a(0), a(1), a(2)),
                Op::Neg => Z3_mk_unary_minus(c, a(0)),
                Op::Add => Z3_mk_add(c, n, p),
                Op::Sub => Z3_mk_sub(c, n, p),
                Op::Mul => Z3_mk_mul(c, n, p),
                Op::IntDiv | Op::RealDiv => Z3_mk_div(c, a(0), a(1)),
                Op::Mod => Z3_mk_mod(c, a(0), a(1)),
                Op::Pow => Z3_mk_power(c, a(0), a(1)),
                Op::Le => Z3_mk_le(c, a(0), a(1)),
                Op::Lt => Z3_mk_lt(c, a(0), a(1)),
                Op::Ge => Z3_mk_ge(c, a(0), a(1)),
                Op::Gt => Z3_mk_gt(c, a(0), a(1)),
                Op::ToReal => Z3_mk_int2real(c, a(0)),
                Op::ToInt => Z3_mk_real2int(c, a(0)),
                Op::BvNot => Z3_mk_bvnot(c, a(0)),
                Op::BvNeg => Z3_mk_bvneg(c, a(0)),
                Op::BvAnd => Z3_mk_bvand(c, a(0), a(1)),
                Op::BvOr => Z3_mk_bvor(c, a(0), a(1)),
                Op::BvXor => Z3_mk_bvxor(c, a(0), a(1)),
                Op::BvAdd => Z3_mk_bvadd(c, a(0), a(1)),
                Op::BvSub => Z3_mk_bvsub(c, a(0), a(1)),
                Op::BvMul => Z3_mk_bvmul(c, a(0), a(1)),
                Op::BvUdiv => Z3_mk_bvudiv(c, a(0), a(1)),
                Op::BvUrem => Z3_mk_bvurem(c, a(0), a(1)),
                Op::BvSdiv => Z3_mk_bvsdiv(c, a(0), a(1)),
                Op::BvSrem => Z3_mk_bvsrem(c, a(0), a(1)),
                Op::BvSmod => Z3_mk_bvsmod(c, a(0), a(1)),
                Op::BvShl => Z3_mk_bvshl(c, a(0), a(1)),
                Op::BvLshr => Z3_mk_bvlshr(c, a(0), a(1)),
                Op::BvAshr => Z3_mk_bvashr(c, a(0), a(1)),
                Op::BvUlt => Z3_mk_bvult(c, a(0), a(1)),
                Op::BvUle => Z3_mk_bvule(c, a(0), a(1)),
                Op::BvSlt => Z3_mk_bvslt(c, a(0), a(1)),
                Op::BvSle => Z3_mk_bvsle(c, a(0), a(1)),
                Op::Concat => Z3_mk_concat(c, a(0), a(1)),
                Op::Extract(high, low) => Z3_mk_extract(c, *high, *low, a(0)),
                Op::ZeroExtend(by) => Z3_mk_zero_ext(c, *by, a(0)),
                Op::SignExtend(by) => Z3_mk_sign_ext(c, *by, a(0)),
                Op::RotateLeft(by) => Z3_mk_rotate_left(c, *by, a(0)),
                Op::RotateRight(by) => Z3_mk_rotate_right(c, *by, a(0)),
                Op::BvToInt => Z3_mk_bv2int(c, a(0), false),
                Op::IntToBv(width) => Z3_mk_int2bv(c, *width, a(0)),
                Op::Select => Z3_mk_select_n(c, a(0), n - 1, p.add(1)),
                Op::Store => Z3_mk_store_n(c, a(0), n - 2, p.add(1), a(n as usize - 1)),
                Op::Literal(_) | Op::Var(_) | Op::Apply(_) | Op::Bind(_) | Op::ConstMap | Op::Subtype => {
                    return Err(Error("this is not a plain operator".to_owned()));
                }
            }
        };
        self.keep(ast)
    }

    /// The array over one index that has the same element everywhere.
    pub(in crate::z3) fn constant_array(&mut self, domain: Sort, element: Ast) -> Result<Ast> {
        // SAFETY: sort and expression of this context.
        let ast = unsafe { Z3_mk_const_array(self.raw, self.sort(domain), self.ast(element)) };
        self.keep(ast)
    }

    /// A quantifier over constants, which it binds.
    pub(in crate::z3) fn quantifier(
        &mut self,
        forall: bool,
        weight: u32,
        bound: &[Ast],
        patterns: &[Vec<Ast>],
        no_patterns: &[Ast],
        body: Ast,
    ) -> Result<Ast> {
        // An empty name is no symbol.
        let name = self.symbol("q")?;
        let bound = self.apps(bound)?;
        let no_patterns = self.asts(no_patterns);
        let mut raw_patterns: Vec<Z3_pattern> = Vec::new();
        let mut kept = Vec::new();
        for p in patterns {
            let terms = self.asts(p);
            // SAFETY: `terms` holds `terms.len()` live expressions. The pattern is held by the table as an
            // expression until the quantifier holds it.
            unsafe {
                let pattern = Z3_mk_pattern(self.raw, terms.len() as c_uint, terms.as_ptr());
                let pattern = pattern.ok_or_else(|| self.error())?;
                let ast = Z3_pattern_to_ast(self.raw, pattern);
                kept.push(self.keep(ast)?);
                raw_patterns.push(pattern);
            }
        }
        // SAFETY: all arrays have the given lengths and live contents.
        let ast = unsafe {
            if no_patterns.is_empty() {
                Z3_mk_quantifier_const(
                    self.raw,
                    forall,
                    weight,
                    bound.len() as c_uint,
                    bound.as_ptr(),
                    raw_patterns.len() as c_uint,
                    raw_patterns.as_ptr(),
                    self.ast(body),
                )
            } else {
                Z3_mk_quantifier_const_ex(
                    self.raw,
                    forall,
                    weight,
                    name,
                    name,
                    bound.len() as c_uint,
                    bound.as_ptr(),
                    raw_patterns.len() as c_uint,
                    raw_patterns.as_ptr(),
                    no_patterns.len() as c_uint,
                    no_patterns.as_ptr(),
                    self.ast(body),
                )
            }
        };
        self.keep(ast)
    }

    /// An array by a lambda over constants, which it binds.
    pub(in crate::z3) fn lambda(&mut self, bound: &[Ast], body: Ast) -> Result<Ast> {
        let bound = self.apps(bound)?;
        // SAFETY: `bound` holds `bound.len()` live applications.
        let ast =
            unsafe { Z3_mk_lambda_const(self.raw, bound.len() as c_uint, bound.as_ptr(), self.ast(body)) };
        self.keep(ast)
    }

    fn apps(&self, list: &[Ast]) -> Result<Vec<Z3_app>> {
        list.iter()
            .map(|&a| {
                // SAFETY: an expression of this context, which is a constant and so an application.
                unsafe { Z3_to_app(self.raw, self.ast(a)) }.ok_or_else(|| self.error())
            })
            .collect()
    }

    /// The assertions of a text in SMT-LIB 2, in which sorts and functions of this context have names.
    pub(in crate::z3) fn parse(
        &mut self,
        text: &str,
        sorts: &[(String, Sort)],
        decls: &[(String, Decl)],
    ) -> Result<Vec<Ast>> {
        let text = c_string(text);
        let sort_names = sorts.iter().map(|(n, _)| self.symbol(n)).collect::<Result<Vec<_>>>()?;
        let sorts: Vec<Z3_sort> = sorts.iter().map(|&(_, s)| self.sort(s)).collect();
        let decl_names = decls.iter().map(|(n, _)| self.symbol(n)).collect::<Result<Vec<_>>>()?;
        let decls: Vec<Z3_func_decl> = decls.iter().map(|&(_, d)| self.decl(d)).collect();
        // SAFETY: the arrays have the given lengths and live contents.
        let vector = unsafe {
            Z3_parse_smtlib2_string(
                self.raw,
                text.as_ptr(),
                sorts.len() as c_uint,
                sort_names.as_ptr(),
                sorts.as_ptr(),
                decls.len() as c_uint,
                decl_names.as_ptr(),
                decls.as_ptr(),
            )
        };
        let Some(vector) = vector else { return Err(self.error()) };
        self.done()?;
        self.vector(vector)
    }

    pub(super) fn vector(&mut self, vector: Z3_ast_vector) -> Result<Vec<Ast>> {
        // SAFETY: the vector was just returned; it lives from `inc_ref` to `dec_ref`, and the table holds its
        // items by then.
        unsafe {
            Z3_ast_vector_inc_ref(self.raw, vector);
            let n = Z3_ast_vector_size(self.raw, vector);
            let items = (0..n)
                .map(|i| {
                    let item = Z3_ast_vector_get(self.raw, vector, i);
                    self.keep(item)
                })
                .collect();
            Z3_ast_vector_dec_ref(self.raw, vector);
            items
        }
    }

    pub(in crate::z3) fn substitute(&mut self, a: Ast, from: &[Ast], to: &[Ast]) -> Result<Ast> {
        assert_eq!(from.len(), to.len());
        let (from, to) = (self.asts(from), self.asts(to));
        // SAFETY: two arrays of the same, given length with live contents.
        let ast =
            unsafe { Z3_substitute(self.raw, self.ast(a), from.len() as c_uint, from.as_ptr(), to.as_ptr()) };
        self.keep(ast)
    }
}
