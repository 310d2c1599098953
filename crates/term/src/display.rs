//! Terms and sorts as text, for messages and tests.

use std::fmt;

use crate::{Op, Sort, SortId, TermId, Terms};

impl Terms {
    /// A term as an S-expression, for messages and tests.
    pub fn display(&self, id: TermId) -> impl fmt::Display + '_ {
        Display { terms: self, id }
    }

    /// A sort in Boogie's notation, for messages.
    pub fn display_sort(&self, id: SortId) -> impl fmt::Display + '_ {
        DisplaySort { terms: self, id }
    }
}

impl fmt::Debug for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Terms({} terms)", self.len())
    }
}

struct Display<'a> {
    terms: &'a Terms,
    id: TermId,
}

impl fmt::Display for Display<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let term = self.terms.term(self.id);
        let head: String = match &term.op {
            Op::Literal(v) => return write!(f, "{v}"),
            Op::Var(s) => return f.write_str(&self.terms.symbol(*s).name),
            Op::Apply(g) => self.terms.function(*g).name.to_string(),
            Op::Bind(b) => {
                let names: Vec<&str> = b.vars.iter().map(|&v| &*self.terms.symbol(v).name).collect();
                format!("{:?} ({})", b.kind, names.join(" ")).to_lowercase()
            }
            Op::Neg => "-".to_owned(),
            op => op.smt_name().map_or_else(|| format!("{op:?}"), str::to_owned),
        };
        if term.args.is_empty() {
            return f.write_str(&head);
        }
        write!(f, "({head}")?;
        for &a in &term.args {
            write!(f, " {}", self.terms.display(a))?;
        }
        f.write_str(")")
    }
}

struct DisplaySort<'a> {
    terms: &'a Terms,
    id: SortId,
}

impl fmt::Display for DisplaySort<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.terms.sort_of(self.id) {
            Sort::Bool => f.write_str("bool"),
            Sort::Int => f.write_str("int"),
            Sort::Real => f.write_str("real"),
            Sort::BitVec(w) => write!(f, "bv{w}"),
            Sort::Float { exponent, significand } => write!(f, "float{significand}e{exponent}"),
            Sort::RoundingMode => f.write_str("rmode"),
            Sort::String => f.write_str("string"),
            Sort::RegEx => f.write_str("regex"),
            Sort::Ctor(c, args) => {
                f.write_str(&self.terms.ctor(*c).name)?;
                for &a in args {
                    let atom = match self.terms.sort_of(a) {
                        Sort::Ctor(_, inner) => inner.is_empty(),
                        Sort::Map { .. } => false,
                        _ => true,
                    };
                    let inner = self.terms.display_sort(a);
                    if atom { write!(f, " {inner}")? } else { write!(f, " ({inner})")? }
                }
                Ok(())
            }
            Sort::Map { params, domain, range } => {
                if *params > 0 {
                    // De Bruijn indices count from the inside, so names are given by position alone; a map
                    // within a map shows its parameters primed by depth.
                    let names: Vec<String> = (0..*params).map(|i| bound_name(0, i)).collect();
                    write!(f, "<{}>", names.join(", "))?;
                }
                f.write_str("[")?;
                for (i, &d) in domain.iter().enumerate() {
                    let comma = if i > 0 { ", " } else { "" };
                    write!(f, "{comma}{}", self.terms.display_sort(d))?;
                }
                write!(f, "]{}", self.terms.display_sort(*range))
            }
            Sort::Var(v) => f.write_str(self.terms.type_var(*v)),
            Sort::Bound { depth, index } => f.write_str(&bound_name(*depth, *index)),
        }
    }
}

fn bound_name(depth: u32, index: u32) -> String {
    format!("t{index}{}", "'".repeat(depth as usize))
}
