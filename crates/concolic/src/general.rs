//! Evaluation of terms other than bit-vector operators, concretely and symbolically: unbounded numbers, functions,
//! quantifiers, nested maps.
//!
//! Values come from plain recursion; large terms and binders are evaluated by the evaluator of the term crate.
//! Connectives and `if` are lazy, since a part may have no value where the whole has one.
//!
//! The symbolic value of a term is the term with its variables replaced by their symbolic values. Parts that do not
//! depend on inputs become literals, and an `if` whose condition does not depend on inputs becomes the arm that was
//! taken. An operator that its arguments do not determine (a function without a definition, division by zero) always
//! depends on inputs, as the function itself is one. Example: with `x` symbolic and `n == 3`, the symbolic value of
//! `if n > 0 then x + n else 0` is `x + 3`.
//!
//! **Direction of error.** None; the semantics is that of `footpath_ir::interp`, with which every test is compared.

use footpath_ir::interp::{canonical, polymorphic_access};
use footpath_term::{
    Args, Env, EvalError, FuncId, FuncKind, Op, Sort, SortId, Substitution, SymbolId, TermId, Terms, Value,
    evaluate, evaluate_op,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::external_calls::PER_RUN;
use super::machine::{FunctionFrame, Machine, find};
use super::memory::At;
use super::value::{Class, Symbolic, Word, bits_of};

/// How many definitions may be open at once.
const FUNCTION_DEPTH: usize = 10_000;

impl Machine<'_, '_> {
    /// The value of a term in the current frame.
    pub(super) fn eval(&mut self, term: TermId) -> Result<Value, EvalError> {
        if self.terms.is_large(term) {
            return self.eval_by_machine(term);
        }
        let t = self.terms.term(term);
        let op = &t.op;
        match op {
            Op::Literal(value) => Ok(value.clone()),
            Op::Var(symbol) => {
                let symbol = *symbol;
                self.symbol_value(symbol)
            }
            Op::Bind(_) => self.eval_by_machine(term),
            Op::Ite => {
                let args = t.args.clone();
                let condition = self.eval_bool(args[0])?;
                self.eval(args[if condition { 1 } else { 2 }])
            }
            Op::And | Op::Or => {
                let (args, absorbing) = (t.args.clone(), *op == Op::Or);
                self.connective(&args, absorbing)
            }
            Op::Implies => {
                let args = t.args.clone();
                match self.eval_bool(args[0]) {
                    Ok(false) => Ok(Value::Bool(true)),
                    Ok(true) => self.eval(args[1]),
                    Err(why) => match self.eval_bool(args[1]) {
                        Ok(true) => Ok(Value::Bool(true)),
                        _ => Err(why),
                    },
                }
            }
            Op::Not => {
                let arg = t.args[0];
                Ok(Value::Bool(!self.eval_bool(arg)?))
            }
            _ => self.eval_operator(term),
        }
    }

    fn eval_operator(&mut self, term: TermId) -> Result<Value, EvalError> {
        let t = self.terms.term(term);
        let (op, terms, sort) = (t.op.clone(), t.args.clone(), t.sort);
        if let (Op::Select, [map, index @ ..]) = (&op, &terms[..])
            && let Some(value) = self.cell(*map, index)?
        {
            return Ok(value);
        }
        let mut args = Vec::with_capacity(terms.len());
        for &a in &terms {
            args.push(self.eval(a)?);
        }
        if let (Op::Select | Op::Store, Some(Value::Map(map))) = (&op, args.first())
            && !matches!(self.terms.sort_of(map.sort), Sort::Map { params: 0, .. })
        {
            let sorts: Vec<SortId> = terms[1..].iter().map(|&t| self.terms.sort(t)).collect();
            return polymorphic_access(self.terms, &op, map, &args[1..], &sorts);
        }
        match evaluate_op(self.terms, &op, &args, sort) {
            Some(value) => Ok(value),
            None => self.ask_undetermined(&op, &args, sort),
        }
    }

    /// An element of a variable that is a memory, which is not to be copied for one read.
    fn cell(&mut self, map: TermId, index: &[TermId]) -> Result<Option<Value>, EvalError> {
        let Op::Var(symbol) = self.terms.term(map).op else { return Ok(None) };
        let Some(slot) = find(self, symbol) else { return Ok(None) };
        let Class::Memory(shape) = slot.class else { return Ok(None) };
        let Some((last, first)) = index.split_last() else { return Ok(None) };
        let mut words = [None, None];
        for (word, term) in words.iter_mut().zip(first.first().into_iter().chain([last])) {
            let Some(bits) = bits_of(&self.eval(*term)?) else { return Ok(None) };
            *word = Some(Word::concrete(bits));
        }
        let at = match words {
            [Some(object), Some(index)] => At { object: Some(object), index },
            [Some(index), None] => At { object: None, index },
            _ => return Ok(None),
        };
        let word = self.read(slot.reg, at);
        let word = word.map_err(|_| EvalError::Unsupported("a map without a value".to_owned()))?;
        Ok(Some(shape.element.value(word.bits)))
    }

    /// By the evaluator of the term crate, which remembers what it knows and enumerates binders.
    fn eval_by_machine(&mut self, term: TermId) -> Result<Value, EvalError> {
        let mut symbols = Symbols::default();
        for symbol in self.terms.free_symbols(&[term]) {
            // One that has no value may not be needed.
            if let Ok(value) = self.symbol_value(symbol) {
                symbols.values.insert(symbol, value);
            }
        }
        // The evaluator reads the arena, so what it asks for is found out after it gave up, and it starts again.
        loop {
            symbols.missing = None;
            let result = evaluate(self.terms, term, &mut symbols);
            let Some(key) = symbols.missing.take().filter(|_| result.is_err()) else { return result };
            let value = self.ask_undetermined(&key.0, &key.1, key.2)?;
            symbols.known.insert(key, value);
        }
    }

    fn eval_bool(&mut self, term: TermId) -> Result<bool, EvalError> {
        let value = self.eval(term)?;
        value.as_bool().ok_or_else(|| EvalError::Unsupported(format!("{value} is no truth value")))
    }

    fn connective(&mut self, args: &[TermId], absorbing: bool) -> Result<Value, EvalError> {
        let mut error = None;
        for &a in args {
            match self.eval_bool(a) {
                Ok(b) if b == absorbing => return Ok(Value::Bool(absorbing)),
                Ok(_) => {}
                Err(why) => error = error.or(Some(why)),
            }
        }
        error.map_or(Ok(Value::Bool(!absorbing)), Err)
    }

    fn symbol_value(&mut self, symbol: SymbolId) -> Result<Value, EvalError> {
        if let Some(FunctionFrame { position, args }) = self.functions.last() {
            let params = &self.setup.interpreter.program().functions[*position].params;
            if let Some(i) = params.iter().position(|&p| p == symbol) {
                return Ok(args[i].clone());
            }
        }
        match find(self, symbol) {
            Some(slot) => Ok(self.fetch(slot)?.0),
            None => Err(EvalError::Unbound(symbol)),
        }
    }

    fn ask_undetermined(&mut self, op: &Op, args: &[Value], sort: SortId) -> Result<Value, EvalError> {
        if let Op::Apply(f) = op
            && let Some(&position) = self.setup.definitions.get(f)
        {
            return self.call_function(position, args);
        }
        // In a callee it is another type at each call.
        let types = self.frames.last().map(|f| f.types.clone()).unwrap_or_default();
        let sort = self.terms.substitute_sort(sort, &types);
        if self.terms.has_type_vars(sort) && self.frames.len() > 1 {
            return Err(EvalError::Unsupported("a value of a type that only the caller knows".to_owned()));
        }
        let key = (op.clone(), args.to_vec(), sort);
        if let Some(value) = self.known.get(&key) {
            return Ok(value.clone());
        }
        let value = match (op, self.setup.natives) {
            (Op::Apply(f), Some(natives)) if natives.has(*f) => {
                if self.script.functions.len() >= PER_RUN {
                    let why = format!("more than {PER_RUN} results of external functions in one run");
                    return Err(EvalError::Unsupported(why));
                }
                natives.call(*f, args).map_err(EvalError::Unsupported)?
            }
            _ => self.source.undetermined(self.setup.interpreter, self.terms, op, args, sort)?,
        };
        let value = canonical(self.terms, value);
        self.script.functions.insert(key.clone(), value.clone());
        self.known.insert(key, value.clone());
        Ok(value)
    }

    fn call_function(&mut self, position: usize, args: &[Value]) -> Result<Value, EvalError> {
        let body = self.setup.interpreter.program().functions[position].body;
        let Some(body) = body.filter(|_| self.functions.len() < FUNCTION_DEPTH) else {
            return Err(EvalError::Unsupported(
                "a definition that is nested too deeply in itself".to_owned(),
            ));
        };
        self.functions.push(FunctionFrame { position, args: args.to_vec() });
        let value = self.eval(body);
        self.functions.pop();
        value
    }

    // ---- symbolic values ----

    /// The term over inputs that a term equals, if it depends on any.
    pub(super) fn symbolic(&mut self, term: TermId) -> Result<Option<TermId>, EvalError> {
        if !self.setup.symbolic {
            return Ok(None);
        }
        let polymorphic = self.frames.last().is_some_and(|f| !f.types.is_empty());
        if polymorphic || matches!(self.terms.term(term).op, Op::Bind(_)) {
            return self.substituted(term, false);
        }
        let mut known = FxHashMap::default();
        self.symbolic_of_term(term, &mut known)
    }

    fn symbolic_of_term(
        &mut self,
        term: TermId,
        known: &mut FxHashMap<TermId, Option<TermId>>,
    ) -> Result<Option<TermId>, EvalError> {
        let t = self.terms.term(term);
        match &t.op {
            Op::Literal(_) => return Ok(None),
            Op::Var(symbol) => {
                let symbol = *symbol;
                let slot = find(self, symbol).ok_or(EvalError::Unbound(symbol))?;
                return self.symbolic_of_slot(slot);
            }
            _ => {}
        }
        if let Some(&symbolic) = known.get(&term) {
            return Ok(symbolic);
        }
        let symbolic = self.symbolic_of_operator(term, known)?;
        let symbolic = symbolic.filter(|&t| self.terms.literal(t).is_none());
        known.insert(term, symbolic);
        Ok(symbolic)
    }

    fn symbolic_of_operator(
        &mut self,
        term: TermId,
        known: &mut FxHashMap<TermId, Option<TermId>>,
    ) -> Result<Option<TermId>, EvalError> {
        let t = self.terms.term(term);
        let (op, args, sort) = (t.op.clone(), t.args.clone(), t.sort);
        match &op {
            Op::Bind(_) => return self.substituted(term, false),
            Op::Ite => {
                if self.symbolic_of_term(args[0], known)?.is_none()
                    && let Ok(condition) = self.eval_bool(args[0])
                {
                    return self.symbolic_of_term(args[if condition { 1 } else { 2 }], known);
                }
            }
            Op::Select if args.len() >= 2 => {
                if let Some(symbolic) = self.symbolic_of_cell(args[0], &args[1..], known)? {
                    return Ok(symbolic.term());
                }
            }
            _ => {}
        }
        let mut symbolic_values: Vec<Option<TermId>> = Vec::with_capacity(args.len());
        for &a in &args {
            symbolic_values.push(self.symbolic_of_term(a, known)?);
        }
        if symbolic_values.iter().all(Option::is_none) && !self.is_open(&op, &args, sort) {
            return Ok(None);
        }
        let mut new = Args::new();
        for (&a, symbolic) in args.iter().zip(symbolic_values) {
            new.push(match symbolic {
                Some(t) => t,
                None => self.constant(a)?,
            });
        }
        Ok(Some(self.terms.app_sorted(op, new, sort)))
    }

    /// The symbolic value of an element of a variable that is a memory; nothing if the map is none.
    fn symbolic_of_cell(
        &mut self,
        map: TermId,
        index: &[TermId],
        known: &mut FxHashMap<TermId, Option<TermId>>,
    ) -> Result<Option<Symbolic>, EvalError> {
        let Op::Var(symbol) = self.terms.term(map).op else { return Ok(None) };
        let Some(slot) = find(self, symbol) else { return Ok(None) };
        if !matches!(slot.class, Class::Memory(_)) {
            return Ok(None);
        }
        let mut words = Vec::with_capacity(2);
        for &term in index {
            let Some(bits) = bits_of(&self.eval(term)?) else { return Ok(None) };
            let symbolic = Symbolic::of(self.symbolic_of_term(term, known)?);
            let word = self.with_known(Word { bits, symbolic });
            words.push(self.pinned(word));
        }
        let at = match words[..] {
            [object, index] => At { object: Some(object), index },
            [index] => At { object: None, index },
            _ => return Ok(None),
        };
        let word = self.read(slot.reg, at);
        Ok(word.ok().map(|w| w.symbolic))
    }

    /// The term of a part that does not depend on inputs.
    fn constant(&mut self, term: TermId) -> Result<TermId, EvalError> {
        match self.eval(term) {
            Ok(value) => Ok(self.terms.value(&value)),
            // It has no value by itself, and need not have one if the whole does.
            Err(why) => self.substituted(term, true)?.ok_or(why),
        }
    }

    /// Whether an operator on constants is not determined by them.
    fn is_open(&mut self, op: &Op, args: &[TermId], sort: SortId) -> bool {
        match op {
            Op::Subtype => true,
            Op::Apply(f) => match self.terms.function(*f).kind {
                FuncKind::Uninterpreted => !self.setup.closed.contains(f),
                FuncKind::Builtin(_) => true,
                FuncKind::Constructor | FuncKind::Tester { .. } => false,
                FuncKind::Selector { .. } => self.is_undetermined(op, args, sort),
            },
            Op::IntDiv | Op::Mod | Op::RealDiv | Op::Pow => self.is_undetermined(op, args, sort),
            _ => false,
        }
    }

    fn is_undetermined(&mut self, op: &Op, args: &[TermId], sort: SortId) -> bool {
        let mut values = Vec::with_capacity(args.len());
        for &a in args {
            match self.eval(a) {
                Ok(value) => values.push(value),
                Err(_) => return true,
            }
        }
        evaluate_op(self.terms, op, &values, sort).is_none()
    }

    /// The term with the symbolic values or values of its variables in their place. Nothing if none of them depends
    /// on inputs, unless it is wanted `always`.
    fn substituted(&mut self, term: TermId, always: bool) -> Result<Option<TermId>, EvalError> {
        let mut map = Substitution::default();
        let mut depends = always || mentions_functions(self.terms, self.setup.closed, term);
        for symbol in self.terms.free_symbols(&[term]) {
            let slot = find(self, symbol).ok_or(EvalError::Unbound(symbol))?;
            let with = match self.symbolic_of_slot(slot)? {
                Some(symbolic) => {
                    depends = true;
                    symbolic
                }
                None => {
                    let value = self.fetch(slot)?.0;
                    self.terms.value(&value)
                }
            };
            map.insert(symbol, with);
        }
        if !depends {
            return Ok(None);
        }
        let types = self.frames.last().map(|f| f.types.clone()).unwrap_or_default();
        Ok(Some(self.terms.substitute_all(&[term], &map, &types)[0]))
    }
}

/// Whether a term has functions whose values are inputs.
fn mentions_functions(terms: &Terms, closed: &FxHashSet<FuncId>, term: TermId) -> bool {
    terms.post_order(&[term]).into_iter().any(|t| match terms.term(t).op {
        Op::Apply(f) => {
            matches!(terms.function(f).kind, FuncKind::Uninterpreted | FuncKind::Builtin(_))
                && !closed.contains(&f)
        }
        Op::Subtype | Op::IntDiv | Op::Mod | Op::RealDiv | Op::Pow => true,
        _ => false,
    })
}

/// An operator on values that do not determine it.
type Undetermined = (Op, Vec<Value>, SortId);

/// The values that the evaluator is given, and those that it lacked.
#[derive(Default)]
struct Symbols {
    values: FxHashMap<SymbolId, Value>,
    known: FxHashMap<Undetermined, Value>,
    missing: Option<Undetermined>,
}

impl Env for Symbols {
    fn symbol(&mut self, _: &Terms, symbol: SymbolId) -> Result<Value, EvalError> {
        self.values.get(&symbol).cloned().ok_or(EvalError::Unbound(symbol))
    }

    fn undetermined(&mut self, _: &Terms, op: &Op, args: &[Value], sort: SortId) -> Result<Value, EvalError> {
        let key = (op.clone(), args.to_vec(), sort);
        if let Some(value) = self.known.get(&key) {
            return Ok(value.clone());
        }
        self.missing.get_or_insert(key);
        Err(EvalError::Unsupported("a value that was not asked for yet".to_owned()))
    }

    fn binder(&mut self, _: &Terms, _: TermId, _: &[(SymbolId, Value)]) -> Result<Value, EvalError> {
        Err(EvalError::Unsupported("a quantifier over an unbounded range".to_owned()))
    }
}
