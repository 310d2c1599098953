//! The parser for calls, with their attributes and bundles, and for debug records, which were calls in older
//! versions.

use super::super::ast::*;
use super::super::lex::TokenKind;
use super::attr::Place;
use super::operation::is_fast_math;
use super::{Parsed, Parser};

impl Parser<'_> {
    /// What follows the word `call`, `invoke` or `callbr`.
    fn call_body(&mut self, tail: Tail) -> Parsed<Call> {
        let mut flags = Flags::NONE;
        while is_fast_math(self.word()) {
            flags = Flags::FAST;
            self.advance();
        }
        let calling_convention = self.calling_convention()?;
        // An address space stands among them and looks like one.
        let ret_attrs = self.attributes(Place::Result)?;
        let written = self.ty()?;
        let (ret, function_type) = match self.module.types.kind(written) {
            TypeKind::Function { ret, .. } => (*ret, Some(written)),
            _ => (written, None),
        };
        let callee = self.callee()?;
        let args = self.arguments()?;
        let attrs = self.attributes(Place::Call)?;
        let bundles = self.bundles()?;
        Ok(Call {
            tail,
            flags,
            calling_convention,
            ret_attrs,
            ret,
            function_type,
            callee,
            args: args.into(),
            attrs,
            bundles: bundles.into(),
        })
    }

    fn callee(&mut self) -> Parsed<Callee> {
        if self.tok.kind == TokenKind::Global {
            return Ok(Callee::Named(self.global_name()?));
        }
        if self.accept_word("asm") {
            return Ok(Callee::Asm(self.inline_asm()?));
        }
        Ok(Callee::Value(self.value(TypeId::PTR)?))
    }

    fn arguments(&mut self) -> Parsed<Vec<(Operand, AttrsId)>> {
        self.expect(b'(')?;
        let mut args = Vec::new();
        while !self.is(b')') {
            if self.tok.kind == TokenKind::Dots {
                // Behind the arguments of a `musttail` call of a variadic function.
                self.advance();
                break;
            }
            let ty = self.ty()?;
            // Metadata has no attributes, but a value there may start with the word of a type.
            let is_metadata = ty == TypeId::METADATA;
            let attrs = if is_metadata { AttrsId::NONE } else { self.attributes(Place::Argument)? };
            let value = self.value(ty)?;
            args.push((Operand { ty, value }, attrs));
            if !self.accept(b',') {
                break;
            }
        }
        self.expect(b')')?;
        Ok(args)
    }

    fn bundles(&mut self) -> Parsed<Vec<Bundle>> {
        let mut bundles = Vec::new();
        if !self.is(b'[') || !self.same_line() {
            return Ok(bundles);
        }
        self.advance();
        while !self.is(b']') {
            let tag = self.string()?;
            self.expect(b'(')?;
            let mut args = Vec::new();
            while !self.is(b')') {
                args.push(self.operand()?);
                if !self.accept(b',') {
                    break;
                }
            }
            self.expect(b')')?;
            bundles.push(Bundle { tag, args: args.into() });
            if !self.accept(b',') {
                break;
            }
        }
        self.expect(b']')?;
        Ok(bundles)
    }

    /// What follows `call`, or the words before it.
    pub(super) fn call(&mut self, tail: Tail) -> Parsed<InstKind> {
        let call = self.call_body(tail)?;
        if let Callee::Named(name) = call.callee
            && let Some(record) = self.debug_call(name, &call)
        {
            return Ok(InstKind::Debug(Box::new(record)));
        }
        Ok(InstKind::Call(Box::new(call)))
    }

    pub(super) fn invoke(&mut self) -> Parsed<InstKind> {
        let call = self.call_body(Tail::None)?;
        self.expect_word("to")?;
        let normal = self.label()?;
        self.expect_word("unwind")?;
        let unwind = self.label()?;
        Ok(InstKind::Invoke(Box::new(Invoke { call, normal, unwind })))
    }

    pub(super) fn callbr(&mut self) -> Parsed<InstKind> {
        let call = self.call_body(Tail::None)?;
        self.expect_word("to")?;
        let fallthrough = self.label()?;
        let indirect = self.label_list()?;
        Ok(InstKind::CallBr { call: Box::new(call), fallthrough, indirect })
    }

    // ---- Debug records.

    fn debug_call(&self, callee: Name, call: &Call) -> Option<DebugRecord> {
        let kind = debug_kind(self.module.text(callee).strip_prefix("llvm.dbg.")?);
        if kind == DebugKind::Other {
            return None;
        }
        let md = |index: usize| match call.args.get(index)?.0.value {
            Value::Const(id) => match &self.module.constants.get(id).kind {
                ConstKind::Metadata(value) => Some(value.as_ref()),
                _ => None,
            },
            Value::Local(_) => None,
        };
        let node = |index| md(index).and_then(MdValue::as_node);
        if kind == DebugKind::Label {
            return Some(DebugRecord { kind, value: DebugValue::None, variable: node(0), expression: None });
        }
        // Old LLVM put an offset between value and variable of `llvm.dbg.value`.
        let value = self.debug_value(md(0)?);
        Some(DebugRecord { kind, value, variable: node(1), expression: node(2) })
    }

    /// What a debug record is about. A node here is empty (`!{}`), or the arguments of a `DIArgList`.
    fn debug_value(&self, value: &MdValue) -> DebugValue {
        match value {
            MdValue::Value(operand) => DebugValue::Operand(*operand),
            MdValue::Node(id) => {
                let values = self.module.metadata.node(*id).fields.iter();
                let values: Box<[Operand]> = values.filter_map(|field| field.value.as_value()).collect();
                if values.is_empty() { DebugValue::None } else { DebugValue::List(values) }
            }
            _ => DebugValue::None,
        }
    }

    /// `#dbg_value(…)`; the location is its last argument.
    pub(super) fn debug_record(&mut self) -> Parsed<(InstKind, Option<NodeId>)> {
        let Some(word) = self.token_text().strip_prefix("#dbg_") else {
            return Err(self.expected("an instruction"));
        };
        let kind = debug_kind(word);
        self.advance();
        self.expect(b'(')?;
        let mut args = Vec::new();
        while !self.is(b')') {
            args.push(self.md_value()?);
            if !self.accept(b',') {
                break;
            }
        }
        self.expect(b')')?;
        let node = |index: usize| args.get(index).and_then(MdValue::as_node);
        let dbg = args.last().and_then(MdValue::as_node);
        let record = if kind == DebugKind::Label {
            DebugRecord { kind, value: DebugValue::None, variable: node(0), expression: None }
        } else {
            let value = args.first().map_or(DebugValue::None, |value| self.debug_value(value));
            DebugRecord { kind, value, variable: node(1), expression: node(2) }
        };
        Ok((InstKind::Debug(Box::new(record)), dbg))
    }
}

fn debug_kind(word: &str) -> DebugKind {
    match word {
        "declare" => DebugKind::Declare,
        "value" => DebugKind::Value,
        "assign" => DebugKind::Assign,
        "label" => DebugKind::Label,
        _ => DebugKind::Other,
    }
}
