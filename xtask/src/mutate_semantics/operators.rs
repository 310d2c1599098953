//! Mutation operators for Rust: which places of a file can be changed, and into what, so that both compile.
//!
//! | what is there | what a mutant has |
//! |---|---|
//! | an operator of the program form, as in `app(Op::BvUlt, …)` | the one it is most easily confused with, `Op::BvSlt` |
//! | `<` `<=` `>` `>=` `==` `!=` `&&` `\|\|` | the neighbouring one |
//! | `.min(x)`, `.max(x)`, `.any(…)`, `.all(…)` | the other one |
//! | a statement that is a call, such as `self.check(…);` | nothing |
//!
//! Both forms stand beside each other, each in an arm of its own: `(if is_mutant(7) { a <= b } else { a < b })`. An
//! expression that binds (`let` in a condition) is left alone, and so are constants, which cannot ask.
//!
//! **Direction of error.** A change may be *equivalent*: no input tells the two forms apart. Whether one is, only a reader can
//! say.

use std::ops::Range;
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Stmt};

/// What stands for an operator of the program form.
const OPERATORS: &[(&str, &str)] = &[
    ("BvUlt", "BvSlt"),
    ("BvSlt", "BvUlt"),
    ("BvUle", "BvUlt"),
    ("BvSle", "BvSlt"),
    ("BvAdd", "BvSub"),
    ("BvSub", "BvAdd"),
    ("BvMul", "BvAdd"),
    ("BvUdiv", "BvSdiv"),
    ("BvSdiv", "BvUdiv"),
    ("BvUrem", "BvSrem"),
    ("BvSrem", "BvUrem"),
    ("BvLshr", "BvAshr"),
    ("BvAshr", "BvLshr"),
    ("BvShl", "BvLshr"),
    ("BvAnd", "BvOr"),
    ("BvOr", "BvAnd"),
    ("BvXor", "BvOr"),
    ("SignExtend", "ZeroExtend"),
    ("ZeroExtend", "SignExtend"),
    ("And", "Or"),
    ("Or", "And"),
    ("Implies", "Eq"),
    ("Add", "Sub"),
    ("Sub", "Add"),
    ("Lt", "Le"),
    ("Le", "Lt"),
    ("Gt", "Ge"),
    ("Ge", "Gt"),
];

const METHODS: &[(&str, &str)] = &[("min", "max"), ("max", "min"), ("any", "all"), ("all", "any")];

/// A place that can be changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// The bytes of the expression or statement.
    pub bytes: Range<usize>,
    /// What a mutant has there; nothing for a statement that is left out.
    pub by: Option<String>,
}

impl Site {
    /// The text with both forms, of which the mutant of this number has the second.
    pub fn with_both(&self, text: &str, number: usize) -> String {
        let original = &text[self.bytes.clone()];
        let asked = format!("footpath_term::is_mutant({number})");
        match &self.by {
            Some(by) => format!("(if {asked} {{ {by} }} else {{ {original} }})"),
            None => format!("if !{asked} {{ {original} }}"),
        }
    }

    /// What is changed, for people: on one line, and not too much of it.
    pub fn describe(&self, text: &str) -> String {
        let short = |text: &str| {
            let words: Vec<&str> = text.split_whitespace().collect();
            let line = words.join(" ");
            match line.char_indices().nth(60) {
                Some((end, _)) => format!("{}…", &line[..end]),
                None => line,
            }
        };
        let original = short(&text[self.bytes.clone()]);
        match &self.by {
            Some(by) => format!("`{original}` becomes `{}`", short(by)),
            None => format!("`{original}` is left out"),
        }
    }
}

/// All places of a file, or why it cannot be read.
pub fn sites(text: &str) -> Result<Vec<Site>, String> {
    let file = syn::parse_file(text).map_err(|error| error.to_string())?;
    let mut found = Finder { text, sites: Vec::new() };
    found.visit_file(&file);
    found.sites.sort_by_key(|site| (site.bytes.start, site.bytes.end));
    Ok(found.sites)
}

struct Finder<'a> {
    text: &'a str,
    sites: Vec<Site>,
}

impl Finder<'_> {
    /// The whole, with one part of it replaced.
    fn replace(&mut self, whole: Range<usize>, part: Range<usize>, by: &str) {
        let by = [&self.text[whole.start..part.start], by, &self.text[part.end..whole.end]].concat();
        self.sites.push(Site { bytes: whole, by: Some(by) });
    }
}

/// Whether a condition binds variables.
fn binds(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(both) => binds(&both.left) || binds(&both.right),
        _ => false,
    }
}

fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|a| a.path().is_ident("cfg") || a.path().is_ident("test"))
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}

    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}

    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}

    /// Paths in patterns look like expressions.
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if item.sig.constness.is_none() && !is_for_tests(&item.attrs) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if item.sig.constness.is_none() {
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_stmt(&mut self, stmt: &'ast Stmt) {
        if let Stmt::Expr(expr, Some(_)) = stmt {
            let call = match expr {
                Expr::Try(tried) => &*tried.expr,
                expr => expr,
            };
            if matches!(call, Expr::MethodCall(_) | Expr::Call(_)) {
                self.sites.push(Site { bytes: stmt.span().byte_range(), by: None });
            }
        }
        visit::visit_stmt(self, stmt);
    }

    fn visit_expr_binary(&mut self, both: &'ast syn::ExprBinary) {
        let by = match both.op {
            BinOp::Lt(_) => "<=",
            BinOp::Le(_) => "<",
            BinOp::Gt(_) => ">=",
            BinOp::Ge(_) => ">",
            BinOp::Eq(_) => "!=",
            BinOp::Ne(_) => "==",
            BinOp::And(_) => "||",
            BinOp::Or(_) => "&&",
            _ => "",
        };
        if !by.is_empty() && !binds(&both.left) && !binds(&both.right) {
            self.replace(both.span().byte_range(), both.op.span().byte_range(), by);
        }
        visit::visit_expr_binary(self, both);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let name = call.method.to_string();
        let other = METHODS.iter().find(|(this, _)| *this == name);
        if let (Some((_, other)), 1) = (other, call.args.len()) {
            self.replace(call.span().byte_range(), call.method.span().byte_range(), other);
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        let segments: Vec<String> = path.path.segments.iter().map(|s| s.ident.to_string()).collect();
        if let [of, name] = &segments[..]
            && of == "Op"
            && let Some((_, other)) = OPERATORS.iter().find(|(this, _)| this == name)
        {
            self.sites.push(Site { bytes: path.span().byte_range(), by: Some(format!("Op::{other}")) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(text: &str) -> Vec<String> {
        sites(text).unwrap().iter().map(|site| site.describe(text)).collect()
    }

    #[test]
    fn operators_comparisons_and_calls_can_be_changed() {
        let text = "fn f() { if a < b && let Some(x) = y { self.check(Op::BvUlt, n.min(3))?; } }";
        assert_eq!(
            described(text),
            [
                "`a < b` becomes `a <= b`",
                "`self.check(Op::BvUlt, n.min(3))?;` is left out",
                "`Op::BvUlt` becomes `Op::BvSlt`",
                "`n.min(3)` becomes `n.max(3)`",
            ]
        );
        assert!(sites("fn f( {").is_err());
    }

    #[test]
    fn constants_patterns_and_tests_are_left_alone() {
        let text = "const A: bool = 1 < 2;\nconst fn f() -> bool { 1 < 2 }\n#[cfg(test)]\nmod tests { fn f() { g(); } }\n\
                    fn g(op: Op) -> u8 { match op { Op::BvUlt => 1, _ => 2 } }";
        assert_eq!(described(text), [""; 0]);
    }

    #[test]
    fn both_forms_stand_in_the_text() {
        let text = "fn f() { g(a < b); }";
        let found = sites(text).unwrap();
        assert_eq!(found[1].with_both(text, 7), "(if footpath_term::is_mutant(7) { a <= b } else { a < b })");
        assert_eq!(found[0].with_both(text, 8), "if !footpath_term::is_mutant(8) { g(a < b); }");
    }
}
