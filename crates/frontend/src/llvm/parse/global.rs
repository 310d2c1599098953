//! The parser for entities of a module: target, types, globals, aliases. Functions and metadata have files of their
//! own.

use super::super::ast::*;
use super::super::layout::DataLayout;
use super::super::lex::TokenKind;
use super::{Parsed, Parser};

/// Words that start an entity.
pub(super) fn starts_entity(word: &str) -> bool {
    matches!(
        word,
        "define"
            | "declare"
            | "attributes"
            | "module"
            | "target"
            | "source_filename"
            | "uselistorder"
            | "uselistorder_bb"
            | "deplibs"
    )
}

/// The words before `global`, `alias` or a function's type that concern the symbol.
#[derive(Default)]
pub(super) struct Prefix {
    pub(super) linkage: Linkage,
    thread_local: bool,
    unnamed_addr: bool,
    externally_initialized: bool,
    addrspace: u32,
}

impl Parser<'_> {
    /// The entity at the next token.
    pub(super) fn entity(&mut self) -> Parsed<()> {
        match self.tok.kind {
            TokenKind::Metadata => self.metadata_entity(),
            TokenKind::Global => self.global_entity(),
            TokenKind::Local => self.type_entity(),
            TokenKind::Comdat => {
                // What the linker does with a group of symbols does not matter within a module.
                self.skip_line();
                Ok(())
            }
            TokenKind::Caret => self.summary_entity(),
            TokenKind::Word => match self.token_text() {
                "define" | "declare" => self.function(),
                "attributes" => self.attribute_group(),
                "source_filename" => {
                    self.advance();
                    self.expect(b'=')?;
                    self.module.source_filename = Some(self.string()?);
                    Ok(())
                }
                "target" => self.target(),
                "module" => {
                    self.advance();
                    self.expect_word("asm")?;
                    let line = self.string()?;
                    self.module.asm.push(line);
                    Ok(())
                }
                "uselistorder" | "uselistorder_bb" | "deplibs" => {
                    self.skip_line();
                    Ok(())
                }
                _ => Err(self.expected("the start of a definition")),
            },
            _ => Err(self.expected("the start of a definition")),
        }
    }

    fn skip_line(&mut self) {
        loop {
            self.advance();
            if !self.same_line() {
                return;
            }
        }
    }

    /// `^0 = …`, of the summary for link-time optimisation.
    fn summary_entity(&mut self) -> Parsed<()> {
        self.advance();
        self.expect(b'=')?;
        self.advance();
        self.expect(b':')?;
        if self.is(b'(') {
            return self.skip_balanced();
        }
        self.advance();
        Ok(())
    }

    fn target(&mut self) -> Parsed<()> {
        self.advance();
        let what = self.word();
        self.advance();
        self.expect(b'=')?;
        let value = self.string()?;
        match what {
            "triple" => self.module.triple = Some(value),
            "datalayout" => self.module.data_layout = DataLayout::parse(self.module.names.text(value)),
            _ => {}
        }
        Ok(())
    }

    /// `%name = type …`.
    fn type_entity(&mut self) -> Parsed<()> {
        let name = self.sigil_name(TokenKind::Local, "a type")?;
        self.expect(b'=')?;
        self.expect_word("type")?;
        let body = if self.accept_word("opaque") { None } else { Some(self.ty()?) };
        self.module.types.define(name, body);
        Ok(())
    }

    /// `comdat` or `comdat($name)`.
    pub(super) fn comdat_use(&mut self) -> Parsed<()> {
        self.expect_word("comdat")?;
        if self.is(b'(') {
            self.skip_balanced()?;
        }
        Ok(())
    }

    // ---- Globals.

    /// Words before the kind or type of a symbol, in any order.
    pub(super) fn symbol_prefix(&mut self) -> Parsed<Prefix> {
        let mut prefix = Prefix::default();
        loop {
            let linkage = linkage(self.word());
            if let Some(linkage) = linkage {
                prefix.linkage = linkage;
                self.advance();
                continue;
            }
            match self.word() {
                "dso_local" | "dso_preemptable" | "default" | "hidden" | "protected" | "dllimport"
                | "dllexport" => self.advance(),
                "unnamed_addr" | "local_unnamed_addr" => {
                    prefix.unnamed_addr = true;
                    self.advance();
                }
                "externally_initialized" => {
                    prefix.externally_initialized = true;
                    self.advance();
                }
                "thread_local" => {
                    prefix.thread_local = true;
                    self.advance();
                    if self.is(b'(') {
                        self.skip_balanced()?;
                    }
                }
                "addrspace" => {
                    self.advance();
                    prefix.addrspace = self.number_in_parens()?;
                }
                _ => return Ok(prefix),
            }
        }
    }

    /// `fastcc`, `cc 10` and the like; the convention of C is nothing.
    pub(super) fn calling_convention(&mut self) -> Parsed<Option<Name>> {
        let word = self.word();
        if word == "cc" {
            let start = self.tok.start as usize;
            self.advance();
            self.number::<u32>()?;
            let text = &self.text[start..self.prev_end as usize];
            return Ok(Some(self.module.names.add(text)));
        }
        let prefixes = ["amdgpu_", "spir_", "ptx_", "aarch64_"];
        if !word.ends_with("cc") && !prefixes.iter().any(|prefix| word.starts_with(prefix)) {
            return Ok(None);
        }
        let name = self.module.names.add(word);
        self.advance();
        Ok((word != "ccc").then_some(name))
    }

    /// `@name = …`.
    fn global_entity(&mut self) -> Parsed<()> {
        let start = self.tok.start;
        let name = self.global_name()?;
        self.expect(b'=')?;
        let prefix = self.symbol_prefix()?;
        let is_constant = match self.word() {
            "global" => false,
            "constant" => true,
            "alias" => return self.alias(name, prefix.linkage, false, start),
            "ifunc" => return self.alias(name, prefix.linkage, true, start),
            _ => return Err(self.expected("`global` or `constant`")),
        };
        self.advance();
        let ty = self.ty()?;
        let has_init = !self.is(b',') && self.same_line() && self.tok.kind != TokenKind::Metadata;
        let init = if has_init { Some(self.constant(ty)?) } else { None };
        let mut global = Global {
            name,
            linkage: prefix.linkage,
            is_constant,
            thread_local: prefix.thread_local,
            unnamed_addr: prefix.unnamed_addr,
            externally_initialized: prefix.externally_initialized,
            addrspace: prefix.addrspace,
            ty,
            init,
            section: None,
            align: 0,
            attachments: Vec::new(),
            span: self.span_from(start),
        };
        self.global_tail(&mut global)?;
        global.span = self.span_from(start);
        let index = self.module.globals.len();
        self.define_symbol(name, Symbol::Global(index), start)?;
        self.module.globals.push(global);
        Ok(())
    }

    fn global_tail(&mut self, global: &mut Global) -> Parsed<()> {
        while self.is(b',') && self.same_line() {
            self.advance();
            match self.word() {
                "section" => {
                    self.advance();
                    global.section = Some(self.string()?);
                }
                "align" => {
                    self.advance();
                    global.align = self.number()?;
                }
                "comdat" => self.comdat_use()?,
                "" if self.tok.kind == TokenKind::Metadata => {
                    let name = self.token_text();
                    let name = self.intern(&name[1..]);
                    self.advance();
                    let node = self.node_use()?;
                    global.attachments.push((name, node));
                }
                // `partition "…"`, `code_model "…"`, `sanitize_address_dyninit` and what may come.
                "" => return Err(self.expected("an attribute of a global")),
                _ => {
                    self.advance();
                    if self.tok.kind == TokenKind::String {
                        self.advance();
                    } else if self.is(b'(') {
                        self.skip_balanced()?;
                    }
                }
            }
        }
        // Attributes of globals stand at the end.
        while self.same_line()
            && matches!(self.tok.kind, TokenKind::Hash | TokenKind::String | TokenKind::Word)
        {
            self.attribute()?;
        }
        Ok(())
    }

    fn alias(&mut self, name: Name, linkage: Linkage, is_ifunc: bool, start: u32) -> Parsed<()> {
        self.advance();
        let ty = self.ty()?;
        self.expect(b',')?;
        let target = self.alias_target()?;
        while self.is(b',') && self.same_line() {
            self.advance();
            self.expect_word("partition")?;
            self.string()?;
        }
        let index = self.module.aliases.len();
        let span = self.span_from(start);
        self.define_symbol(name, Symbol::Alias(index), start)?;
        self.module.aliases.push(Alias { name, linkage, is_ifunc, ty, target, span });
        Ok(())
    }

    /// A constant with its type; constant expressions may leave it out.
    fn alias_target(&mut self) -> Parsed<ConstId> {
        if self.at_type() {
            return self.typed_constant();
        }
        self.constant(TypeId::PTR)
    }

    fn define_symbol(&mut self, name: Name, symbol: Symbol, start: u32) -> Parsed<()> {
        if self.module.symbols.contains_key(&name) {
            let message = format!("`@{}` is defined twice", self.module.text(name));
            return Err(self.error_at(start, self.prev_end, message));
        }
        self.module.symbols.insert(name, symbol);
        Ok(())
    }
}

fn linkage(word: &str) -> Option<Linkage> {
    Some(match word {
        "private" => Linkage::Private,
        "internal" => Linkage::Internal,
        "available_externally" => Linkage::AvailableExternally,
        "linkonce" => Linkage::Linkonce,
        "linkonce_odr" => Linkage::LinkonceOdr,
        "weak" => Linkage::Weak,
        "weak_odr" => Linkage::WeakOdr,
        "common" => Linkage::Common,
        "appending" => Linkage::Appending,
        "extern_weak" => Linkage::ExternWeak,
        "external" => Linkage::External,
        _ => return None,
    })
}
