//! Declarations in C syntax: the types of the source as C writes them.

use std::collections::BTreeSet;
use std::fmt::Write;

use footpath_frontend::c::OWN_TAG;
use footpath_frontend::c::source::c_types::{CField, CType, CTypeId, CTypes};

/// `name` declared with a type, as in `int (*name)[3]`; without a name, the type itself. Qualifiers are left out at
/// the outermost level, so that the variable can be assigned.
pub fn declaration(types: &CTypes, ty: CTypeId, name: &str) -> String {
    declare(types, strip(types, ty), name.to_owned(), 0)
}

fn strip(types: &CTypes, mut ty: CTypeId) -> CTypeId {
    while let CType::Qualified { of, .. } = types.get(ty) {
        ty = *of;
    }
    ty
}

fn declare(types: &CTypes, ty: CTypeId, inner: String, depth: u32) -> String {
    if depth > 32 {
        return join("void", &inner);
    }
    match types.get(ty) {
        CType::Void | CType::Unknown => join("void", &inner),
        CType::Int { name, .. } | CType::Float { name, .. } | CType::Typedef { name, .. } => {
            join(name, &inner)
        }
        CType::Bool => join("_Bool", &inner),
        CType::Record { tag, is_union, fields, .. } => {
            let word = if *is_union { "union" } else { "struct" };
            match tag.as_deref() {
                // The compiler's own; no source can name it.
                Some("__va_list_tag") => join("__typeof__(**(__builtin_va_list *)0)", &inner),
                Some(tag) => join(&format!("{word} {tag}"), &inner),
                None => join(&format!("{word} {{ {}}}", members(types, fields, depth + 1)), &inner),
            }
        }
        CType::Enum { tag, .. } => match tag {
            Some(tag) => join(&format!("enum {tag}"), &inner),
            None => join("int", &inner),
        },
        CType::Qualified { qualifier, of } => {
            let whole = declare(types, *of, inner, depth + 1);
            // On a pointer the qualifier would have to follow the star; values do not need it.
            match types.get(*of) {
                CType::Pointer(_) | CType::Array { .. } | CType::Function { .. } => whole,
                _ if qualifier.is_empty() => whole,
                _ => format!("{qualifier} {whole}"),
            }
        }
        CType::Pointer(to) => {
            let needs_parentheses = matches!(types.get(*to), CType::Array { .. } | CType::Function { .. });
            let star = if needs_parentheses { format!("(*{inner})") } else { format!("*{inner}") };
            declare(types, *to, star, depth + 1)
        }
        CType::Array { element, count } => {
            let count = count.map_or(String::new(), |n| n.to_string());
            declare(types, *element, format!("{inner}[{count}]"), depth + 1)
        }
        CType::Function { ret, params, varargs } => {
            let mut list: Vec<String> =
                params.iter().map(|&p| declare(types, p, String::new(), depth + 1)).collect();
            if *varargs {
                list.push("...".to_owned());
            }
            let list = if list.is_empty() { "void".to_owned() } else { list.join(", ") };
            declare(types, *ret, format!("{inner}({list})"), depth + 1)
        }
    }
}

/// The members of a structure that the test declares. What pointers in it lead to need not have a name here.
fn members(types: &CTypes, fields: &[CField], depth: u32) -> String {
    let member = |field: &CField| {
        let (mut ty, mut name) = (field.ty, field.name.clone());
        while let CType::Array { element, count } = types.resolved(ty) {
            ty = *element;
            name.push_str(&format!("[{}]", count.map_or(String::new(), |n| n.to_string())));
        }
        match types.resolved(ty) {
            CType::Pointer(_) => format!("void *{name}; "),
            _ => format!("{}; ", declare(types, field.ty, field.name.clone(), depth)),
        }
    };
    fields.iter().map(member).collect()
}

/// The structures that tests declare themselves among some types, and what these consist of, each once.
pub(crate) fn own_structures(types: &CTypes, of: impl Iterator<Item = CTypeId>) -> String {
    let (mut seen, mut out) = (BTreeSet::new(), String::new());
    of.for_each(|ty| own_structure(types, ty, &mut seen, &mut out));
    out
}

fn own_structure(types: &CTypes, ty: CTypeId, seen: &mut BTreeSet<String>, out: &mut String) {
    match types.resolved(ty) {
        CType::Array { element, .. } => own_structure(types, *element, seen, out),
        CType::Record { tag, is_union, fields, .. } => {
            let own = tag.as_ref().filter(|tag| tag.starts_with(OWN_TAG));
            if own.is_some_and(|tag| !seen.insert(tag.clone())) || tag.is_some() && own.is_none() {
                return;
            }
            for field in fields {
                own_structure(types, field.ty, seen, out);
            }
            if let Some(tag) = own {
                let word = if *is_union { "union" } else { "struct" };
                let _ = writeln!(out, "{word} {tag} {{ {}}};", members(types, fields, 0));
            }
        }
        _ => {}
    }
}

fn join(ty: &str, inner: &str) -> String {
    if inner.is_empty() { ty.to_owned() } else { format!("{ty} {inner}") }
}
