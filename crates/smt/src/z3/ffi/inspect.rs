//! Inspection of Z3 models and expressions; the part of the safe wrapper that reads.
//!
//! A model lives until the next check or change of levels. What is read from it is held by the table.

use super::*;

impl Context {
    pub(super) fn drop_model(&mut self) {
        if let Some(model) = self.model.take() {
            // SAFETY: this reference was counted in `model`.
            unsafe { Z3_model_dec_ref(self.raw, model) };
        }
    }

    fn model(&mut self) -> Result<Z3_model> {
        if let Some(model) = self.model {
            return Ok(model);
        }
        // SAFETY: a live solver; the reference is given back in `drop_model`.
        unsafe {
            let Some(model) = Z3_solver_get_model(self.raw, self.solver) else { return Err(self.error()) };
            Z3_model_inc_ref(self.raw, model);
            self.model = Some(model);
            Ok(model)
        }
    }

    /// Whether the last check left a model, or a candidate for one when it gave up.
    pub(in crate::z3) fn has_model(&mut self) -> bool {
        self.model().is_ok()
    }

    /// The value of an expression in the model of the last check, completed.
    pub(in crate::z3) fn eval(&mut self, a: Ast) -> Result<Ast> {
        let model = self.model()?;
        let mut value: Option<Z3_ast> = None;
        // SAFETY: `Option` of a non-null pointer has the layout of a pointer, which is all that is written.
        let fine = unsafe { Z3_model_eval(self.raw, model, self.ast(a), true, (&raw mut value).cast()) };
        if !fine {
            return Err(self.error());
        }
        self.keep(value)
    }

    /// The truth value of an expression in the model, without keeping anything.
    pub(in crate::z3) fn eval_truth(&mut self, a: Ast) -> Option<bool> {
        let model = self.model().ok()?;
        let mut value: Option<Z3_ast> = None;
        // SAFETY: as in `eval`; the context keeps the last result alive until the next call makes another one.
        unsafe {
            if !Z3_model_eval(self.raw, model, self.ast(a), true, (&raw mut value).cast()) {
                return None;
            }
            match Z3_get_bool_value(self.raw, value?) {
                Z3_L_TRUE => Some(true),
                Z3_L_FALSE => Some(false),
                _ => None,
            }
        }
    }

    /// The interpretation of a function in the model.
    pub(in crate::z3) fn interpretation(&mut self, f: Decl) -> Result<Interpretation> {
        let model = self.model()?;
        // SAFETY: the interpretation and each entry live from `inc_ref` to `dec_ref`, and the table holds what
        // is read from them.
        unsafe {
            let found = Z3_model_get_func_interp(self.raw, model, self.decl(f));
            let Some(found) = found else { return Err(self.error()) };
            Z3_func_interp_inc_ref(self.raw, found);
            let read = self.read_interpretation(found);
            Z3_func_interp_dec_ref(self.raw, found);
            read
        }
    }

    /// # Safety
    /// `found` is alive.
    unsafe fn read_interpretation(&mut self, found: Z3_func_interp) -> Result<Interpretation> {
        let mut entries = Vec::new();
        // SAFETY: the caller's promise, and indices below the numbers that Z3 gives.
        unsafe {
            for i in 0..Z3_func_interp_get_num_entries(self.raw, found) {
                let entry = Z3_func_interp_get_entry(self.raw, found, i);
                let Some(entry) = entry else { return Err(self.error()) };
                Z3_func_entry_inc_ref(self.raw, entry);
                let args = (0..Z3_func_entry_get_num_args(self.raw, entry))
                    .map(|j| {
                        let arg = Z3_func_entry_get_arg(self.raw, entry, j);
                        self.keep(arg)
                    })
                    .collect::<Result<Vec<_>>>();
                let value = Z3_func_entry_get_value(self.raw, entry);
                let value = self.keep(value);
                Z3_func_entry_dec_ref(self.raw, entry);
                entries.push((args?, value?));
            }
            let otherwise = Z3_func_interp_get_else(self.raw, found);
            let otherwise = otherwise.map(|e| self.keep(Some(e))).transpose()?;
            Ok(Interpretation { entries, otherwise })
        }
    }

    // ---- looking at expressions ----

    pub(in crate::z3) fn sort_of(&mut self, a: Ast) -> Result<Sort> {
        // SAFETY: an expression of this context.
        let sort = unsafe { Z3_get_sort(self.raw, self.ast(a)) };
        self.keep_sort(sort)
    }

    pub(in crate::z3) fn sort_kind(&self, s: Sort) -> u32 {
        // SAFETY: a sort of this context.
        unsafe { sort_kind_number(self.raw, self.sort(s)) }
    }

    pub(in crate::z3) fn bv_width(&self, s: Sort) -> u32 {
        // SAFETY: a sort of this context; 0 and an error for other sorts.
        unsafe { Z3_get_bv_sort_size(self.raw, self.sort(s)) }
    }

    pub(in crate::z3) fn float_format(&self, s: Sort) -> (u32, u32) {
        // SAFETY: a sort of this context; 0 and an error for other sorts.
        unsafe { (Z3_fpa_get_ebits(self.raw, self.sort(s)), Z3_fpa_get_sbits(self.raw, self.sort(s))) }
    }

    pub(in crate::z3) fn view(&mut self, a: Ast) -> Result<View> {
        let raw = self.ast(a);
        // SAFETY: an expression of this context, taken for an application or quantifier only where it is one.
        unsafe {
            Ok(match ast_kind_number(self.raw, raw) {
                // Rounding modes count as numerals too.
                0 | 1 => {
                    let Some(app) = Z3_to_app(self.raw, raw) else { return Err(self.error()) };
                    let decl = Z3_get_app_decl(self.raw, app);
                    let decl = self.keep_decl(decl)?;
                    let args = (0..Z3_get_app_num_args(self.raw, app))
                        .map(|i| {
                            let arg = Z3_get_app_arg(self.raw, app, i);
                            self.keep(arg)
                        })
                        .collect::<Result<_>>()?;
                    View::App { decl, kind: decl_kind_number(self.raw, self.decl(decl)), args }
                }
                2 => View::Bound(Z3_get_index_value(self.raw, raw)),
                3 if Z3_is_lambda(self.raw, raw) => {
                    let vars = Z3_get_quantifier_num_bound(self.raw, raw);
                    let body = Z3_get_quantifier_body(self.raw, raw);
                    View::Lambda { vars, body: self.keep(body)? }
                }
                _ => View::Quantifier,
            })
        }
    }

    /// The declaration at the head of an application.
    pub(in crate::z3) fn head(&mut self, a: Ast) -> Result<Decl> {
        match self.view(a)? {
            View::App { decl, .. } => Ok(decl),
            _ => Err(Error("not an application".to_owned())),
        }
    }

    pub(in crate::z3) fn as_array_function(&mut self, a: Ast) -> Result<Decl> {
        // SAFETY: an expression of this context; null and an error for others than as-array.
        let decl = unsafe { Z3_get_as_array_func_decl(self.raw, self.ast(a)) };
        self.keep_decl(decl)
    }

    /// The digits of a number.
    pub(in crate::z3) fn numeral_text(&self, a: Ast) -> Option<String> {
        // SAFETY: an expression of this context; the text is copied before the next call.
        unsafe {
            if !Z3_is_numeral_ast(self.raw, self.ast(a)) || Z3_is_algebraic_number(self.raw, self.ast(a)) {
                return None;
            }
            let text = Z3_get_numeral_string(self.raw, self.ast(a));
            (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy().into_owned())
        }
    }

    pub(in crate::z3) fn string_text(&self, a: Ast) -> Option<String> {
        // SAFETY: an expression of this context; `chars` has as many places as are written.
        unsafe {
            if !Z3_is_string(self.raw, self.ast(a)) {
                return None;
            }
            let n = Z3_get_string_length(self.raw, self.ast(a));
            let mut chars: Vec<c_uint> = vec![0; n as usize];
            Z3_get_string_contents(self.raw, self.ast(a), n, chars.as_mut_ptr());
            chars.into_iter().map(char::from_u32).collect()
        }
    }

    /// The bits of a floating-point value, as a bit-vector; `None` for not-a-number.
    pub(in crate::z3) fn float_bits(&mut self, a: Ast) -> Result<Option<Ast>> {
        // SAFETY: an expression of this context.
        unsafe {
            if Z3_fpa_is_numeral_nan(self.raw, self.ast(a)) {
                return Ok(None);
            }
            let bits = Z3_mk_fpa_to_ieee_bv(self.raw, self.ast(a));
            let bits = self.keep(bits)?;
            self.simplify(bits).map(Some)
        }
    }
}
