//! The parser for attributes and attribute groups. Unknown ones are kept like known ones.

use super::super::ast::*;
use super::super::lex::TokenKind;
use super::{Parsed, Parser};

/// Which list of attributes is read; they end differently.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Before the type of a result.
    Result,
    /// Between the type of a parameter or argument and its name or value.
    Argument,
    /// After the arguments of a call: to the end of the line.
    Call,
    /// Between the braces of a group.
    Group,
}

impl Parser<'_> {
    /// The attributes at the next token, as many as there are.
    pub(super) fn attributes(&mut self, place: Place) -> Parsed<AttrsId> {
        if !self.at_attribute(place) {
            return Ok(AttrsId::NONE);
        }
        let mut list = Vec::new();
        while self.at_attribute(place) {
            list.push(self.attribute()?);
        }
        Ok(self.module.attrs.add(&list))
    }

    fn at_attribute(&self, place: Place) -> bool {
        let word = match self.tok.kind {
            TokenKind::Word => self.token_text(),
            TokenKind::String => return place != Place::Call || self.same_line(),
            TokenKind::Hash => return place == Place::Call && self.same_line(),
            _ => return false,
        };
        match place {
            Place::Result => !self.at_type(),
            Place::Argument => !is_value_word(word),
            Place::Call => word != "to" && self.same_line(),
            Place::Group => true,
        }
    }

    /// One attribute.
    pub(super) fn attribute(&mut self) -> Parsed<Attr> {
        let text = self.token_text();
        match self.tok.kind {
            TokenKind::Hash => {
                let group =
                    text[1..].parse().map_err(|_| self.expected("the number of an attribute group"))?;
                let name = self.module.names.add(&text[1..]);
                self.advance();
                Ok(Attr { name, value: AttrValue::Group(group) })
            }
            TokenKind::String => {
                let name = self.string()?;
                let value =
                    if self.accept(b'=') { AttrValue::String(self.string()?) } else { AttrValue::None };
                Ok(Attr { name, value })
            }
            TokenKind::Word => {
                let name = self.module.names.add(text);
                self.advance();
                Ok(Attr { name, value: self.attribute_value(text)? })
            }
            _ => Err(self.expected("an attribute")),
        }
    }

    fn attribute_value(&mut self, name: &str) -> Parsed<AttrValue> {
        let takes_number = matches!(name, "align" | "alignstack");
        if self.is(b'=') {
            self.advance();
            return Ok(AttrValue::Int(self.number()?));
        }
        if takes_number && self.tok.kind == TokenKind::Int {
            return Ok(AttrValue::Int(self.number()?));
        }
        if !self.is(b'(') {
            return Ok(AttrValue::None);
        }
        let takes_type =
            matches!(name, "byval" | "sret" | "byref" | "inalloca" | "preallocated" | "elementtype");
        if takes_type {
            self.advance();
            let ty = self.ty()?;
            self.expect(b')')?;
            return Ok(AttrValue::Type(ty));
        }
        let start = self.tok.end as usize;
        self.skip_balanced()?;
        let inner = &self.text[start..(self.prev_end as usize - 1).max(start)];
        Ok(match inner.parse() {
            Ok(number) => AttrValue::Int(number),
            Err(_) => AttrValue::Text(self.module.names.add(inner)),
        })
    }

    /// `attributes #0 = { … }`.
    pub(super) fn attribute_group(&mut self) -> Parsed<()> {
        self.expect_word("attributes")?;
        if self.tok.kind != TokenKind::Hash {
            return Err(self.expected("the number of an attribute group"));
        }
        let number = self.token_text()[1..].parse().map_err(|_| self.expected("a number"))?;
        self.advance();
        self.expect(b'=')?;
        self.expect(b'{')?;
        let list = self.attributes(Place::Group)?;
        self.expect(b'}')?;
        self.module.attribute_groups.insert(number, list);
        Ok(())
    }
}

/// Whether a word starts a value; any other word before a value is an attribute.
fn is_value_word(word: &str) -> bool {
    let plain = matches!(
        word,
        "true"
            | "false"
            | "null"
            | "none"
            | "undef"
            | "poison"
            | "zeroinitializer"
            | "splat"
            | "blockaddress"
            | "dso_local_equivalent"
            | "no_cfi"
            | "ptrauth"
            | "asm"
            | "getelementptr"
            | "icmp"
            | "fcmp"
            | "select"
            | "fneg"
            | "extractelement"
            | "insertelement"
            | "shufflevector"
            | "extractvalue"
            | "insertvalue"
    );
    let hexadecimal = ["u0x", "s0x", "f0x", "+", "-"].iter().any(|prefix| word.starts_with(prefix));
    plain || hexadecimal || CastOp::from_word(word).is_some() || BinaryOp::from_word(word).is_some()
}
