//! What the tests of solvers share.

#![allow(dead_code)]

use std::path::{Path, PathBuf};

use footpath_smt::{Process, Solver, Z3};
use footpath_term::{
    Binder, BinderKind, FuncDecl, FuncId, FuncKind, Op, Sort, SortId, SymbolId, TermId, Terms,
};

/// The program `z3` that comes with the library we link.
pub fn z3_program() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.deps/z3/bin/z3")
}

fn on_path(program: &str) -> bool {
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|d| d.join(program).is_file()))
}

/// A way to open a solver, and whether it knows only what the standard has.
pub struct Backend {
    pub command: Option<String>,
    pub standard: bool,
}

impl Backend {
    pub fn open(&self) -> Box<dyn Solver> {
        match &self.command {
            None => Box::new(Z3::new(None).unwrap()),
            Some(command) => Box::new(Process::new(command).unwrap()),
        }
    }
}

/// Every solver there is on this machine; Z3 in process and `.deps/z3/bin/z3` are always there.
pub fn backends() -> Vec<Backend> {
    let program = z3_program();
    let mut list = vec![
        Backend { command: None, standard: false },
        Backend { command: Some(format!("'{}' -in", program.display())), standard: false },
    ];
    if on_path("z3") {
        list.push(Backend { command: Some("z3 -in".to_owned()), standard: false });
    }
    if on_path("cvc5") {
        list.push(Backend { command: Some("cvc5 --incremental".to_owned()), standard: true });
    }
    list
}

/// Short names for building terms.
pub trait Build {
    fn t(&mut self, op: Op, args: &[TermId]) -> TermId;
    fn uninterpreted(&mut self, name: &str) -> SortId;
    fn func(&mut self, name: &str, params: &[SortId], result: SortId) -> FuncId;
    fn builtin(&mut self, text: &str, params: &[SortId], result: SortId) -> FuncId;
    fn forall(&mut self, vars: &[SymbolId], body: TermId, triggers: &[Vec<TermId>]) -> TermId;
    fn lambda(&mut self, vars: &[SymbolId], body: TermId) -> TermId;
}

impl Build for Terms {
    fn t(&mut self, op: Op, args: &[TermId]) -> TermId {
        self.raw(op, args.iter().copied())
    }

    fn uninterpreted(&mut self, name: &str) -> SortId {
        let ctor = self.declare_ctor(name, 0);
        self.mk_sort(Sort::Ctor(ctor, vec![]))
    }

    fn func(&mut self, name: &str, params: &[SortId], result: SortId) -> FuncId {
        self.declare_function(FuncDecl {
            name: name.into(),
            type_params: vec![],
            params: params.to_vec(),
            result,
            kind: FuncKind::Uninterpreted,
        })
    }

    fn builtin(&mut self, text: &str, params: &[SortId], result: SortId) -> FuncId {
        self.declare_function(FuncDecl {
            name: text.into(),
            type_params: vec![],
            params: params.to_vec(),
            result,
            kind: FuncKind::Builtin(text.into()),
        })
    }

    fn forall(&mut self, vars: &[SymbolId], body: TermId, triggers: &[Vec<TermId>]) -> TermId {
        self.bind(binder(BinderKind::Forall, vars), body, triggers, &[])
    }

    fn lambda(&mut self, vars: &[SymbolId], body: TermId) -> TermId {
        self.bind(binder(BinderKind::Lambda, vars), body, &[], &[])
    }
}

pub fn binder(kind: BinderKind, vars: &[SymbolId]) -> Binder {
    Binder { kind, type_vars: vec![], vars: vars.to_vec(), triggers: vec![], nopats: 0, weight: None }
}

/// A problem that takes Z3 much longer than any test: `x³ + y³ + z³ = 42`.
pub fn hard(terms: &mut Terms) -> TermId {
    let mut cube = |name: &str| {
        let x = terms.fresh_var(name, SortId::INT);
        terms.t(Op::Mul, &[x, x, x])
    };
    let cubes = [cube("x"), cube("y"), cube("z")];
    let sum = terms.t(Op::Add, &cubes);
    let n = terms.int(42);
    terms.t(Op::Eq, &[sum, n])
}

/// Another one: two factors of a 62-bit product of primes, as bit-vectors.
pub fn hard_bits(terms: &mut Terms) -> TermId {
    let sort = terms.bit_vec_sort(64);
    let (x, y) = (terms.fresh_var("x", sort), terms.fresh_var("y", sort));
    let product = terms.t(Op::BvMul, &[x, y]);
    let n = terms.bit_vec(64, 2_147_483_629_i64 * 2_147_483_587_i64);
    let one = terms.bit_vec(64, 1);
    let limit = terms.bit_vec(64, 1_i64 << 32);
    let parts = [
        terms.t(Op::Eq, &[product, n]),
        terms.t(Op::BvUlt, &[one, x]),
        terms.t(Op::BvUlt, &[x, limit]),
        terms.t(Op::BvUlt, &[one, y]),
        terms.t(Op::BvUlt, &[y, limit]),
    ];
    terms.t(Op::And, &parts)
}
