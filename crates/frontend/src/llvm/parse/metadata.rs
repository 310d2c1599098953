//! The parser for metadata: nodes of any kind are parsed alike, as lists of fields.

use super::super::ast::*;
use super::super::lex::TokenKind;
use super::{Parsed, Parser, number};

impl Parser<'_> {
    /// An entity that starts with `!`: a node with a number, or a list with a name.
    pub(super) fn metadata_entity(&mut self) -> Parsed<()> {
        let text = self.token_text();
        let start = self.tok.start;
        if self.tok.kind != TokenKind::Metadata {
            return Err(self.expected("the name of metadata"));
        }
        self.advance();
        self.expect(b'=')?;
        if let Ok(number) = text[1..].parse() {
            // Old LLVM wrote the type of a node.
            self.accept_word("metadata");
            let mut node = self.node(start)?;
            node.number = Some(number);
            self.module.metadata.add(node);
            return Ok(());
        }
        let name = self.intern(&text[1..]);
        if self.tok.kind != TokenKind::Bang {
            return Err(self.expected("`!{`"));
        }
        self.advance();
        self.expect(b'{')?;
        let mut list = Vec::new();
        while !self.is(b'}') {
            list.push(self.node_use()?);
            if !self.accept(b',') {
                break;
            }
        }
        self.expect(b'}')?;
        self.module.metadata.named.push((name, list));
        Ok(())
    }

    /// A node written in place.
    fn node(&mut self, start: u32) -> Parsed<Node> {
        self.nested(|p| {
            let distinct = p.accept_word("distinct");
            let (kind, fields) = match p.tok.kind {
                TokenKind::Bang => {
                    p.advance();
                    (NodeKind::Tuple, p.fields(b'{', b'}')?)
                }
                TokenKind::Metadata if p.byte_after() == b'(' => {
                    let name = p.module.names.add(&p.token_text()[1..]);
                    p.advance();
                    (NodeKind::Specialised(name), p.fields(b'(', b')')?)
                }
                _ => return Err(p.expected("a metadata node")),
            };
            Ok(Node { kind, distinct, fields, number: None, start })
        })
    }

    /// The number of a node, or a node written in place.
    pub(super) fn node_use(&mut self) -> Parsed<NodeId> {
        if self.tok.kind == TokenKind::Metadata
            && let Ok(number) = self.token_text()[1..].parse()
        {
            self.advance();
            return Ok(self.module.metadata.mention(number));
        }
        let start = self.tok.start;
        let is_expression = self.tok.kind == TokenKind::Metadata && self.token_text() == "!DIExpression";
        let node = self.node(start)?;
        if !is_expression || !node.fields.is_empty() {
            return Ok(self.module.metadata.add(node));
        }
        Ok(match self.empty_expression {
            Some(known) => known,
            None => *self.empty_expression.insert(self.module.metadata.add(node)),
        })
    }

    fn fields(&mut self, open: u8, close: u8) -> Parsed<Vec<Field>> {
        self.expect(open)?;
        let mut fields = Vec::new();
        while !self.is(close) {
            fields.push(self.field()?);
            if !self.accept(b',') {
                break;
            }
        }
        self.expect(close)?;
        Ok(fields)
    }

    fn field(&mut self) -> Parsed<Field> {
        let mut name = None;
        let colon = self.text.as_bytes().get(self.tok.end as usize) == Some(&b':');
        if colon && self.tok.kind == TokenKind::Word {
            name = Some(self.module.names.add(self.token_text()));
            self.advance();
            self.advance();
        }
        Ok(Field { name, value: self.md_value()? })
    }

    /// A field of a node, or metadata as an operand of an instruction or debug record.
    pub(super) fn md_value(&mut self) -> Parsed<MdValue> {
        match self.tok.kind {
            TokenKind::Metadata => Ok(MdValue::Node(self.node_use()?)),
            TokenKind::Bang if self.byte_after() == b'"' => {
                self.advance();
                Ok(MdValue::String(self.string()?))
            }
            TokenKind::Bang => Ok(MdValue::Node(self.node_use()?)),
            TokenKind::String => Ok(MdValue::String(self.string()?)),
            TokenKind::Int => {
                let text = self.token_text();
                self.advance();
                match number::integer(text) {
                    Some(ConstKind::Int(value)) => self.int_or_flags(value),
                    Some(ConstKind::BigInt(value)) => Ok(MdValue::BigInt(value)),
                    _ => Err(self.error("this number cannot be read")),
                }
            }
            TokenKind::Symbol(b'{' | b'(') if !self.at_struct_type() => self.nested(|p| {
                let (open, close) = if p.is(b'{') { (b'{', b'}') } else { (b'(', b')') };
                let fields = p.fields(open, close)?;
                Ok(MdValue::List(fields.into_iter().map(|field| field.value).collect()))
            }),
            TokenKind::Word if self.is_word("distinct") => Ok(MdValue::Node(self.node_use()?)),
            TokenKind::Word if !self.at_type() => self.md_word(),
            _ => Ok(MdValue::Value(self.operand()?)),
        }
    }

    /// Whether the brace here starts the type of a structure, of which a constant or a value of the function follows,
    /// instead of a list.
    fn at_struct_type(&self) -> bool {
        let mut lexer = self.lexer;
        let token = lexer.next_token();
        let word = &self.text[token.start as usize..token.end as usize];
        let starts_int = word.strip_prefix('i').is_some_and(|bits| bits.parse::<u32>().is_ok());
        let starts_float =
            matches!(word, "half" | "bfloat" | "float" | "double" | "x86_fp80" | "fp128" | "ppc_fp128");
        let starts_other =
            word == "ptr" || matches!(token.kind, TokenKind::Local | TokenKind::Symbol(b'[' | b'<' | b'{'));
        self.is(b'{') && (starts_int || starts_float || starts_other)
    }

    fn int_or_flags(&mut self, value: i64) -> Parsed<MdValue> {
        if !self.is(b'|') {
            return Ok(MdValue::Int(value));
        }
        self.advance();
        self.md_word()
    }

    fn md_word(&mut self) -> Parsed<MdValue> {
        let word = self.token_text();
        let known = match word {
            "null" => Some(MdValue::Null),
            "true" => Some(MdValue::Bool(true)),
            "false" => Some(MdValue::Bool(false)),
            _ => None,
        };
        let name = self.module.names.add(word);
        self.advance();
        if let Some(value) = known {
            return Ok(value);
        }
        if self.is(b'(') {
            // An unknown kind of value; its parts are kept.
            return self.md_value();
        }
        if !self.is(b'|') {
            return Ok(MdValue::Word(name));
        }
        let mut words = vec![name];
        while self.accept(b'|') {
            if self.tok.kind == TokenKind::Word {
                let word = self.token_text();
                words.push(self.module.names.add(word));
            } else if self.tok.kind != TokenKind::Int {
                return Err(self.expected("a flag"));
            }
            self.advance();
        }
        Ok(MdValue::Flags(words.into()))
    }

    /// Attachments: `!dbg !12 !tbaa !13`, each with a comma before it behind an instruction.
    pub(super) fn attachments(&mut self, commas: bool) -> Parsed<(Option<NodeId>, Vec<Attachment>)> {
        let mut dbg = None;
        let mut others = Vec::new();
        loop {
            if commas {
                if !self.is(b',') || self.byte_after() != b'!' {
                    return Ok((dbg, others));
                }
                self.advance();
            }
            if self.tok.kind != TokenKind::Metadata {
                return Ok((dbg, others));
            }
            let written = self.token_text();
            self.advance();
            let node = self.node_use()?;
            if written == "!dbg" {
                dbg = Some(node);
            } else {
                let name = self.intern(&written[1..]);
                others.push((name, node));
            }
        }
    }
}
