//! Evaluation of terms during a run.
//!
//! Most conditions and right-hand sides have a handful of nodes; those are evaluated by plain recursion, without
//! caching results. Large terms, and binders, are left to the evaluator of `footpath-term`, which calls back for
//! symbols and functions. Both are lazy in `if`, `&&`, `||` and `==>`, so that recursive definitions terminate. Both
//! give a connective its value if one side decides it, even if the other side cannot be evaluated.
//!
//! **Direction of error.** None: what cannot be evaluated is an error and never a guess.

use std::sync::Arc;

use footpath_term::{
    Env, EvalError, MapValue, Op, Sort, SortId, SymbolId, TermId, Terms, TypeSubstitution, Value,
};
use footpath_term::{LambdaValue, element, evaluate, evaluate_op, store};
use smallvec::SmallVec;

use super::binder::has_type_vars;
use super::machine::{FunctionFrame, Machine};
use super::oracle::{Ask, Reason};

/// Stack that must be left before a function's body is evaluated, and how much is added otherwise.
pub(super) const RED_ZONE: usize = 512 * 1024;
pub(super) const GROWTH: usize = 4 * 1024 * 1024;

impl Machine<'_, '_> {
    /// The value of a term in the current frame.
    pub(super) fn eval(&mut self, term: TermId) -> Result<Value, EvalError> {
        let terms = self.interpreter.terms;
        let t = terms.term(term);
        if t.op == Op::Store && matches!(terms.sort_of(t.sort), Sort::Map { params: 0, .. }) {
            return self.written(term);
        }
        if terms.is_large(term) {
            return evaluate(terms, term, self);
        }
        match &t.op {
            Op::Literal(value) => Ok(value.clone()),
            Op::Var(symbol) => self.symbol_value(*symbol),
            Op::Bind(_) => evaluate(terms, term, self),
            Op::Ite => {
                let condition = self.eval_bool(t.args[0])?;
                self.eval(t.args[if condition { 1 } else { 2 }])
            }
            Op::And => self.connective(&t.args, false),
            Op::Or => self.connective(&t.args, true),
            Op::Implies => match self.eval_bool(t.args[0]) {
                Ok(false) => Ok(Value::Bool(true)),
                Ok(true) => self.eval(t.args[1]),
                Err(why) => match self.eval_bool(t.args[1]) {
                    Ok(true) => Ok(Value::Bool(true)),
                    _ => Err(why),
                },
            },
            Op::Not => Ok(Value::Bool(!self.eval_bool(t.args[0])?)),
            op => {
                let mut args = Vec::with_capacity(t.args.len());
                for &a in &t.args {
                    args.push(self.eval(a)?);
                }
                if let (Op::Select | Op::Store, Some(Value::Map(map))) = (op, args.first())
                    && !matches!(terms.sort_of(map.sort), Sort::Map { params: 0, .. })
                {
                    let sorts: Option<Vec<SortId>> =
                        t.args[1..].iter().map(|&index| self.known_sort(terms.sort(index))).collect();
                    return polymorphic_access(
                        terms,
                        op,
                        map,
                        &args[1..],
                        &sorts.ok_or_else(of_unknown_type)?,
                    );
                }
                if let (Op::Select, [Value::Lambda(map), index @ ..]) = (op, &args[..]) {
                    return self.element(terms, map, index);
                }
                match evaluate_op(terms, op, &args, self.sort_here(t.sort)) {
                    Some(value) => Ok(value),
                    None => self.undetermined(terms, op, &args, t.sort),
                }
            }
        }
    }

    /// The value of a map behind a chain of writes. All of them go into one copy of the map that the chain begins with.
    fn written(&mut self, mut term: TermId) -> Result<Value, EvalError> {
        let terms = self.interpreter.terms;
        let mut writes: SmallVec<[TermId; 8]> = SmallVec::new();
        while terms.term(term).op == Op::Store {
            writes.push(term);
            term = terms.term(term).args[0];
        }
        let mut map = self.eval(term)?;
        for write in writes.into_iter().rev() {
            let mut index = Vec::new();
            for &part in &terms.term(write).args[1..] {
                index.push(self.eval(part)?);
            }
            let Some(value) = index.pop() else { continue };
            map = match map {
                Value::Map(map) => Value::Map(store(terms, map, index, value)),
                map => {
                    let args: Vec<Value> = [vec![map], index, vec![value]].concat();
                    match evaluate_op(terms, &Op::Store, &args, self.sort_here(terms.term(write).sort)) {
                        Some(map) => map,
                        None => self.undetermined(terms, &Op::Store, &args, terms.term(write).sort)?,
                    }
                }
            };
        }
        Ok(map)
    }

    /// A sort with the type arguments of the current procedure and function put in; `None` if they are not known. The
    /// type parameters of the first procedure are uninterpreted sorts.
    pub(super) fn known_sort(&self, sort: SortId) -> Option<SortId> {
        let terms = self.interpreter.terms;
        match (self.functions.last(), self.frames.last()) {
            (Some(function), _) => terms.find_instance(sort, &function.types),
            (None, Some(frame)) if self.frames.len() > 1 => terms.find_instance(sort, &frame.types),
            (None, _) => Some(sort),
        }
    }

    /// A sort with the type arguments put in, or as it is written if they are not known.
    pub(super) fn sort_here(&self, sort: SortId) -> SortId {
        self.known_sort(sort).unwrap_or(sort)
    }

    /// The truth value of a condition.
    pub(super) fn eval_bool(&mut self, term: TermId) -> Result<bool, EvalError> {
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

    /// The value of a symbol; the oracle is asked for one that has none yet.
    pub(super) fn symbol_value(&mut self, symbol: SymbolId) -> Result<Value, EvalError> {
        let interpreter = self.interpreter;
        if let Some(FunctionFrame { position, args, .. }) = self.functions.last() {
            let params = &interpreter.program.functions[*position].params;
            if let Some(i) = params.iter().position(|&p| p == symbol) {
                return Ok(args[i].clone());
            }
        }
        if let Some(frame) = self.frames.last()
            && let Some(value) = frame.values.get(&symbol)
        {
            return Ok(value.clone());
        }
        if let Some(value) = self.globals.get(&symbol) {
            return Ok(value.clone());
        }
        let unknown = self.frames.last().and_then(|frame| frame.unknown.get(&symbol));
        if let Some(why) = unknown.or_else(|| self.unknown_globals.get(&symbol)) {
            return Err(why.clone());
        }
        let sort = self.sort_here(interpreter.terms.symbol(symbol).sort);
        if interpreter.globals.contains(&symbol) {
            let at = self.here();
            let ask = Ask { interpreter, symbol, sort, reason: Reason::Global, at, activation: 0 };
            let value = canonical(interpreter.terms, self.oracle.entry(&ask)?);
            self.globals.insert(symbol, value.clone());
            return Ok(value);
        }
        let Some(frame) = self.frames.last() else { return Err(EvalError::Unbound(symbol)) };
        if let Some(value) = frame.old.get(&symbol) {
            return Ok(value.clone());
        }
        let Some(body) = frame.body else { return Err(EvalError::Unbound(symbol)) };
        if let Some(&own) = interpreter.aliases[&(frame.procedure, body)].get(&symbol) {
            return self.symbol_value(own);
        }
        let body = &interpreter.program[frame.procedure].bodies[body as usize];
        let reason = if body.params.iter().any(|p| p.symbol == symbol) {
            Reason::Parameter
        } else if body.locals.iter().chain(&body.results).any(|v| v.symbol == symbol) {
            Reason::Local
        } else {
            return Err(EvalError::Unbound(symbol));
        };
        let activation = frame.activation;
        let ask = Ask { interpreter, symbol, sort, reason, at: self.here(), activation };
        let value = canonical(interpreter.terms, self.oracle.entry(&ask)?);
        if let Some(frame) = self.frames.last_mut() {
            frame.values.insert(symbol, value.clone());
        }
        Ok(value)
    }

    /// The value of a function's body.
    fn call_function(&mut self, position: usize, args: &[Value], sort: SortId) -> Result<Value, EvalError> {
        let terms = self.interpreter.terms;
        let function = &self.interpreter.program.functions[position];
        let Some(body) = function.body else {
            return Err(EvalError::Unsupported("a function without a body".to_owned()));
        };
        if self.functions.len() >= self.limits.function_depth {
            let name = &self.interpreter.terms.function(function.id).name;
            return Err(EvalError::Unsupported(format!(
                "the definition of {name} is nested too deeply in itself"
            )));
        }
        let mut types = TypeSubstitution::default();
        if let Some(sort) = self.known_sort(sort) {
            terms.match_sort(terms.function(function.id).result, sort, &mut types);
        }
        self.functions.push(FunctionFrame { position, args: args.to_vec(), types });
        let value = stacker::maybe_grow(RED_ZONE, GROWTH, || self.eval(body));
        self.functions.pop();
        value
    }
}

pub(super) fn of_unknown_type() -> EvalError {
    EvalError::Unsupported("a value of a type that only the caller knows".to_owned())
}

impl Env for Machine<'_, '_> {
    fn symbol(&mut self, _: &Terms, symbol: SymbolId) -> Result<Value, EvalError> {
        self.symbol_value(symbol)
    }

    fn enumerated(&mut self, instances: usize) {
        self.steps += instances as u64;
    }

    fn undetermined(&mut self, _: &Terms, op: &Op, args: &[Value], sort: SortId) -> Result<Value, EvalError> {
        if let Op::Apply(f) = op
            && let Some(&position) = self.interpreter.functions.get(f)
        {
            return self.call_function(position, args, sort);
        }
        if args.iter().any(Value::has_lambda) {
            let why = "whether maps by formulas are equal cannot be seen from their values";
            return Err(EvalError::Unsupported(why.to_owned()));
        }
        let sort = self.known_sort(sort).ok_or_else(of_unknown_type)?;
        let key = (op.clone(), args.to_vec(), sort);
        if let Some(value) = self.known.get(&key) {
            return Ok(value.clone());
        }
        let value = self.oracle.undetermined(self.interpreter, op, args, sort)?;
        let value = canonical(self.interpreter.terms, value);
        self.known.insert(key, value.clone());
        Ok(value)
    }

    fn binder(
        &mut self,
        terms: &Terms,
        term: TermId,
        bound: &[(SymbolId, Value)],
    ) -> Result<Value, EvalError> {
        let mut values = bound.to_vec();
        for symbol in terms.free_symbols(&[term]) {
            if !bound.iter().any(|(s, _)| *s == symbol) {
                values.push((symbol, self.symbol_value(symbol)?));
            }
        }
        self.binder_with(terms, term, &values)
    }

    fn element(&mut self, terms: &Terms, map: &LambdaValue, index: &[Value]) -> Result<Value, EvalError> {
        // What the type parameters are is known where the map was made only.
        if self.frames.len() > 1 && has_type_vars(terms, map.term) {
            return Err(of_unknown_type());
        }
        stacker::maybe_grow(RED_ZONE, GROWTH, || element(terms, map, index, self))
    }
}

/// The canonical form of a value of an oracle, in which equal values have equal descriptions: a map over few indices
/// may be described in several ways, and storing into it chooses one.
pub fn canonical(terms: &Terms, value: Value) -> Value {
    let Value::Map(map) = &value else { return value };
    let finite = |s: &SortId| matches!(terms.sort_of(*s), Sort::Bool | Sort::BitVec(0..=16));
    let Sort::Map { params: 0, domain, .. } = terms.sort_of(map.sort) else { return value };
    if map.entries.is_empty() || !domain.iter().all(finite) {
        return value;
    }
    let constant = Value::Map(Arc::new(MapValue::constant(map.sort, map.default.clone())));
    let stores = map.entries.iter().try_fold(constant, |map_so_far, (index, element)| {
        let mut args = vec![map_so_far];
        args.extend(index.iter().cloned());
        args.push(element.clone());
        evaluate_op(terms, &Op::Store, &args, map.sort)
    });
    stores.unwrap_or(value)
}

/// Reads or writes a map with type parameters; which instance it is follows from the sorts of the indices, which
/// stand first in `sorts`.
///
/// # Errors
/// If the map does not know the instance.
pub fn polymorphic_access(
    terms: &Terms,
    op: &Op,
    map: &MapValue,
    args: &[Value],
    sorts: &[SortId],
) -> Result<Value, EvalError> {
    let count = if *op == Op::Store { args.len() - 1 } else { args.len() };
    let unknown = || EvalError::Unsupported("an unknown instance of a polymorphic map".to_owned());
    let instance = terms.map_instance(map.sort, &sorts[..count]).ok_or_else(unknown)?;
    if *op == Op::Select {
        return map.get_at(&instance, args).cloned().ok_or_else(unknown);
    }
    let mut changed = map.clone();
    changed.set_at(&instance, args[..count].to_vec(), args[count].clone());
    Ok(Value::Map(Arc::new(changed)))
}
