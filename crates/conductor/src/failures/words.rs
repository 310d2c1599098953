//! What C calls the things that conditions speak of.
//!
//! * A parameter has its name; whether a pointer is null is `p == NULL`.
//! * The contents of an object that a parameter points to at entry are `*p`, `p[i]`, `p->member`; those of further objects
//!   are named by the way that leads to them.
//! * How many elements the array behind a pointer has is `length(p)`.
//! * Promotions to `int` are not written, as C has them by itself, other extensions are casts; where a number is taken for an unsigned one that
//!   the source does not declare so, a cast says it.

use footpath_frontend::c::ctype::{CType, CTypeId};
use footpath_frontend::c::{Harness, HarnessOptions, InputObject, Lowered};
use footpath_ir::interp::{Interpreter, Script, default_value};
use footpath_simplify::{Dialect, Dnf, Printed};
use footpath_term::{Op, SymbolId, TermId, Terms, Value};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

/// See the module.
pub(super) struct Words<'a> {
    lowered: &'a Lowered,
    harness: &'a Harness,
    /// Parameters that are numbers, and counts of elements.
    names: FxHashMap<SymbolId, (String, Option<CTypeId>)>,
    /// Parameters that say whether a pointer is null.
    nulls: FxHashMap<SymbolId, String>,
    /// Objects by number.
    objects: FxHashMap<u64, (String, &'a InputObject)>,
}

impl<'a> Words<'a> {
    pub(super) fn new(lowered: &'a Lowered, harness: &'a Harness) -> Words<'a> {
        let mut words = Words {
            lowered,
            harness,
            names: FxHashMap::default(),
            nulls: FxHashMap::default(),
            objects: FxHashMap::default(),
        };
        let is_pointer = |ty| matches!(lowered.types.resolved(ty), CType::Pointer(_) | CType::Array { .. });
        for param in &harness.params {
            if is_pointer(param.ty)
                && lowered.program.terms.symbol(param.symbol).sort == footpath_term::SortId::BOOL
            {
                words.nulls.insert(param.symbol, param.name.clone());
            } else {
                words.names.insert(param.symbol, (param.name.clone(), Some(param.ty)));
            }
        }
        for object in &harness.objects {
            let name = as_c(&object.name);
            if let Some(count) = object.count {
                words.names.insert(count, (format!("length({name})"), None));
            }
            words.objects.insert(u64::from(object.number), (name, object));
        }
        words
    }

    /// What the harness takes for granted.
    pub(super) fn premise(&self, options: &HarnessOptions) -> String {
        let mut parts = vec!["pointers are null or point to objects of their own".to_owned()];
        if self.harness.objects.iter().any(|o| o.count.is_some()) {
            parts.push(format!("arrays have 1 to {} elements", options.array_length));
        }
        parts.join(", ")
    }

    /// The inputs of a test, as far as they are numbers, whether pointers are null, and lengths.
    pub(super) fn inputs(
        &self,
        interpreter: &Interpreter<'_>,
        terms: &Terms,
        condition: &Dnf,
        script: &Script,
    ) -> Vec<(String, String)> {
        let program = &self.lowered.program;
        let mut inputs = Vec::new();
        let body = &program[self.harness.procedure].bodies[0];
        for symbol in body.params.iter().map(|v| v.symbol) {
            let given = script.entries.get(&(0, symbol)).cloned();
            let Some(value) =
                given.or_else(|| default_value(interpreter, program.terms.symbol(symbol).sort).ok())
            else {
                continue;
            };
            if let Some(name) = self.nulls.get(&symbol) {
                let text = if value == Value::Bool(true) { "NULL" } else { "not NULL" };
                inputs.push((name.clone(), text.to_owned()));
            } else if let Some((name, ty)) = self.names.get(&symbol) {
                let unsigned = ty.is_none_or(|ty| self.unsigned(ty));
                inputs.push((name.clone(), number(&value, unsigned)));
            }
        }
        let literals: Vec<TermId> = condition.cubes.iter().flatten().copied().collect();
        for t in terms.post_order(&literals) {
            let term = terms.term(t);
            let (Op::Select, [map, number_of, offset]) = (&term.op, term.args.as_slice()) else { continue };
            let (Op::Var(memory), Some(number_of), Some(offset)) =
                (&terms.term(*map).op, terms.literal(*number_of), terms.literal(*offset))
            else {
                continue;
            };
            let index = [number_of.clone(), offset.clone()];
            let (Some((name, object)), Some(Value::Map(map)), Some(offset)) = (
                number_of.as_u64().and_then(|n| self.objects.get(&n)),
                script.entries.get(&(0, *memory)),
                offset.as_u64(),
            ) else {
                continue;
            };
            let grain = object.memory.map_or(1, |(_, grain)| grain);
            let place = self.place(name, object, offset, grain);
            inputs.push((place, number(map.get(&index), self.is_unsigned(terms, t) == Some(true))));
        }
        inputs
    }

    fn unsigned(&self, ty: CTypeId) -> bool {
        match self.lowered.types.resolved(ty) {
            CType::Int { signed, .. } => !signed,
            CType::Bool | CType::Pointer(_) => true,
            _ => false,
        }
    }

    /// The place at a byte of an object.
    fn place(&self, name: &str, object: &InputObject, offset: u64, grain: u64) -> String {
        let types = &self.lowered.types;
        let size = types.size(object.element, 8).max(1);
        let (index, rest) = (offset / size, offset % size);
        let single = object.count.is_none();
        match types.resolved(object.element) {
            CType::Record { fields, .. } => {
                let field = fields.iter().rev().find(|f| f.bit_field.is_none() && f.offset_bits / 8 <= rest);
                let start = field.map_or(0, |f| f.offset_bits / 8);
                let member = field.map_or_else(|| format!("[{rest}]"), |f| f.name.clone());
                let inner = if rest > start { format!(" byte {}", rest - start) } else { String::new() };
                if single || index == 0 {
                    format!("{name}->{member}{inner}")
                } else {
                    format!("{name}[{index}].{member}{inner}")
                }
            }
            _ if single && offset == 0 => format!("*{name}"),
            _ if rest == 0 || grain == size => format!("{name}[{index}]"),
            _ => format!("{name}[{index}] byte {rest}"),
        }
    }
}

fn cast(ty: &str, part: Printed) -> Printed {
    let text = if part.level < 10 { format!("({})", part.text) } else { part.text };
    Printed::new(format!("({ty}){text}"), 10)
}

/// The way to an object as C writes it: `s.next` of a pointer `s` is `s->next`.
fn as_c(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars() {
        match c {
            '.' if !text.ends_with(']') => text.push_str("->"),
            c => text.push(c),
        }
    }
    text
}

fn number(value: &Value, unsigned: bool) -> String {
    match value {
        Value::BitVec { width, bits } if !unsigned => Value::signed(*width, bits).to_string(),
        Value::BitVec { bits, .. } => bits.to_string(),
        value => value.to_string(),
    }
}

impl Dialect for Words<'_> {
    fn term(&self, terms: &Terms, t: TermId, inner: &dyn Fn(TermId) -> Printed) -> Option<Printed> {
        let term = terms.term(t);
        match &term.op {
            Op::Var(s) => {
                if let Some(name) = self.nulls.get(s) {
                    return Some(Printed::new(format!("{name} == NULL"), 4));
                }
                self.names.get(s).map(|(name, _)| Printed::atom(name.clone()))
            }
            Op::Not => match terms.term(term.args[0]).op {
                Op::Var(s) => self.nulls.get(&s).map(|name| Printed::new(format!("{name} != NULL"), 4)),
                _ => None,
            },
            // To `int` C promotes by itself.
            Op::SignExtend(_) | Op::ZeroExtend(_) if terms.width(term.sort) == Some(32) => {
                Some(inner(term.args[0]))
            }
            Op::SignExtend(_) => Some(cast("long", inner(term.args[0]))),
            Op::ZeroExtend(_) if self.is_unsigned(terms, term.args[0]) == Some(false) => {
                Some(cast("unsigned long", cast("unsigned", inner(term.args[0]))))
            }
            Op::ZeroExtend(_) => Some(cast("unsigned long", inner(term.args[0]))),
            Op::Select if term.args.len() == 3 => {
                let number = terms.literal(term.args[1])?.as_u64()?;
                let (name, object) = self.objects.get(&number)?;
                let (_, grain) = object.memory?;
                match terms.literal(term.args[2]).and_then(Value::as_u64) {
                    Some(offset) => Some(Printed::atom(self.place(name, object, offset, grain))),
                    None => {
                        let size = self.lowered.types.size(object.element, 8).max(1);
                        let index = scaled(terms, term.args[2], size)?;
                        let index = match terms.term(index).op {
                            Op::SignExtend(_) => terms.term(index).args[0],
                            _ => index,
                        };
                        Some(Printed::atom(format!("{name}[{}]", inner(index).text)))
                    }
                }
            }
            _ => None,
        }
    }

    /// The limits have names. The least numbers need them: `-2147483648` is a `long` in C.
    fn number(&self, n: &BigInt, bits: u32, unsigned: bool) -> Option<&'static str> {
        let limits = match (bits, unsigned) {
            (32, false) => [("INT_MIN", i128::from(i32::MIN)), ("INT_MAX", i128::from(i32::MAX))],
            (32, true) => [("INT_MAX", i128::from(i32::MAX)), ("UINT_MAX", i128::from(u32::MAX))],
            (64, false) => [("LONG_MIN", i128::from(i64::MIN)), ("LONG_MAX", i128::from(i64::MAX))],
            (64, true) => [("LONG_MAX", i128::from(i64::MAX)), ("ULONG_MAX", i128::from(u64::MAX))],
            _ => return None,
        };
        let n = n.to_i128()?;
        limits.into_iter().find(|(_, limit)| *limit == n).map(|(name, _)| name)
    }

    fn is_unsigned(&self, terms: &Terms, t: TermId) -> Option<bool> {
        match terms.term(t).op {
            Op::Var(s) => {
                let (_, ty) = self.names.get(&s)?;
                Some(ty.is_none_or(|ty| self.unsigned(ty)))
            }
            Op::Select => {
                let number = terms.literal(*terms.term(t).args.get(1)?)?.as_u64()?;
                let (_, object) = self.objects.get(&number)?;
                Some(self.unsigned(object.element))
            }
            Op::ZeroExtend(_) => Some(true),
            _ => None,
        }
    }
}

/// The index behind an offset that is a multiple of a size.
fn scaled(terms: &Terms, offset: TermId, size: u64) -> Option<TermId> {
    if size == 1 {
        return Some(offset);
    }
    let term = terms.term(offset);
    let value = |t: TermId| terms.literal(t).and_then(Value::as_u64).and_then(|n| n.to_u64());
    match term.op {
        Op::BvMul if term.args.len() == 2 && value(term.args[0]) == Some(size) => Some(term.args[1]),
        Op::BvMul if term.args.len() == 2 && value(term.args[1]) == Some(size) => Some(term.args[0]),
        Op::BvShl if value(term.args[1]).is_some_and(|n| n < 63 && 1 << n == size) => Some(term.args[0]),
        _ => None,
    }
}
