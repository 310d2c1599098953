//! The procedure of a harness: it assumes what inputs look like, sets up memory, and calls the function.

use std::collections::BTreeMap;
use std::sync::Arc;

use footpath_ir::source::Span;
use footpath_ir::{
    Block, BlockId, Body, Origin, Place, ProcId, Procedure, Statement, StatementKind, Terminator,
    TerminatorKind, Variable,
};
use footpath_term::{Op, TermId};

use super::super::LoweredFunction;
use super::super::facts::link::{GlobalRef, Target};
use super::super::source::c_types::CTypeId;
use super::{Builder, Harness, InputArguments, InputParam, LONGER, Limit, Room, Setting, callback_name};

impl Builder<'_, '_, '_> {
    /// The statements before the function is called; arrays have `room`. Memory is zeroed first if
    /// initial values leave zeros out.
    pub(super) fn set_up(
        &mut self,
        streams: &[(GlobalRef, u32)],
        initial: &[GlobalRef],
        room: Room,
    ) -> Vec<Statement> {
        let mut statements = Vec::new();
        self.start(room, &mut statements);
        if self.sparse {
            self.zero_memory(&mut statements);
        }
        self.give_streams(streams, &mut statements);
        for &g in initial {
            self.initialise(g, &mut statements);
        }
        statements
    }

    /// The initial values of `$size` and `$alive` for all variables.
    fn variables(&mut self) -> (TermId, TermId) {
        let sizes_sort = self.cx.terms.symbol(self.cx.size).sort;
        let lives_sort = self.cx.terms.symbol(self.cx.alive).sort;
        let (zero, no, yes) = (self.cx.offset(0), self.cx.terms.bool(false), self.cx.terms.bool(true));
        let mut sizes = self.cx.terms.mk(Op::ConstMap, [zero], sizes_sort);
        let mut lives = self.cx.terms.mk(Op::ConstMap, [no], lives_sort);
        let globals: Vec<(u32, Target)> = self.cx.objects.iter().map(|(t, n)| (*n, *t)).collect();
        for (number, target) in globals {
            let object = self.cx.object(number);
            if let Target::Global(g) = target {
                let bytes = self.cx.global_size(g);
                let bytes = self.cx.offset(bytes as i64);
                sizes = self.cx.app(Op::Store, &[sizes, object, bytes]);
                lives = self.cx.app(Op::Store, &[lives, object, yes]);
            }
        }
        self.cx.shared.variables = Some((sizes, lives));
        (sizes, lives)
    }

    /// Sets sizes, lifetimes and the number of the next object.
    fn start(&mut self, room: Room, statements: &mut Vec<Statement>) {
        for Limit { count, most, widest } in self.limits.clone() {
            let most = match room {
                Room::Usual => most,
                Room::Longer => most.saturating_mul(LONGER),
                Room::Longest => widest,
            };
            let limit = self.cx.offset(i64::from(most));
            let high = self.cx.app(Op::BvUle, &[count, limit]);
            statements.push(Statement::new(StatementKind::Assume(high), self.span));
        }
        let (apart, acyclic) = match room {
            Room::Usual => (&self.apart[..], &self.acyclic[..]),
            Room::Longer => (&[][..], &self.acyclic[..]),
            Room::Longest => (&[][..], &[][..]),
        };
        for &assumption in self.assumptions.iter().chain(apart).chain(acyclic) {
            statements.push(Statement::new(StatementKind::Assume(assumption), self.span));
        }
        let (size, alive, next) = (self.cx.size, self.cx.alive, self.cx.next);
        let (mut sizes, mut lives) = match self.cx.shared.variables {
            Some(known) => known,
            None => self.variables(),
        };
        let yes = self.cx.terms.bool(true);
        for (object, bytes) in self.sizes.clone() {
            sizes = self.cx.app(Op::Store, &[sizes, object, bytes]);
            lives = self.cx.app(Op::Store, &[lives, object, yes]);
        }
        let first = self.cx.object(self.next);
        let mut pairs = vec![(size, sizes), (alive, lives), (next, first)];
        pairs.extend(self.cx.none_ended());
        pairs.extend(self.cx.none_unwritten(first));
        statements.push(Statement::new(StatementKind::Assign(pairs), self.span));
        if let Some(none) = self.cx.none_automatic() {
            statements.push(Statement::new(StatementKind::Assign(vec![none]), self.span));
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of the result, put together in one place")]
    pub(super) fn finish(
        mut self,
        entry: &LoweredFunction,
        (params, arguments): (Vec<InputParam>, Option<InputArguments>),
        settings: Vec<Setting>,
        (ret, written): (CTypeId, Option<u32>),
        args: &[TermId],
        statements: Vec<Statement>,
        (any_memory, longer, longest): (Option<ProcId>, Option<ProcId>, Option<ProcId>),
        procedures: &mut Vec<Procedure>,
    ) -> Harness {
        let procedure = self.calling(entry, "harness", args, statements, procedures);
        let names = self.names();
        let (objects, links, tables) = (self.objects, self.links, self.tables);
        let (frozen, bounded, is_cut) = (self.frozen, self.bounded, self.is_cut);
        let (is_acyclic, has_longer_lists) = (!self.acyclic.is_empty(), self.has_longer_lists);
        let is_command_line = self.cx.options.harness.whole_program && !params.is_empty();
        Harness {
            procedure,
            longer,
            longest,
            may_alias: self.may_alias,
            params,
            arguments,
            objects,
            links,
            settings,
            tables,
            ret,
            written,
            bounded,
            is_cut,
            is_acyclic,
            has_longer_lists,
            frozen,
            is_command_line,
            any_memory,
            names,
            first_made: self.next,
        }
    }

    /// The names of functions and variables that tests in this module can use, by the numbers of their objects.
    pub(super) fn names(&mut self) -> Arc<BTreeMap<u32, String>> {
        if let Some(known) = self.cx.shared.names.get(&self.module) {
            return Arc::clone(known);
        }
        let linked = self.cx.linked;
        let can_name = self.cx.objects.iter().filter(|(target, _)| self.can_name(**target));
        let named = can_name.map(|(target, &number)| {
            let name = match target {
                Target::Function(f) => linked.function_name(*f),
                Target::Global(g) => linked.global_name(*g),
            };
            (number, name.to_owned())
        });
        let callbacks = self.cx.callbacks.values().enumerate().map(|(i, c)| (c.number, callback_name(i)));
        let names: Arc<BTreeMap<u32, String>> = Arc::new(named.chain(callbacks).collect());
        self.cx.shared.names.insert(self.module, Arc::clone(&names));
        names
    }

    /// A procedure that calls the function after some statements.
    pub(super) fn calling(
        &mut self,
        entry: &LoweredFunction,
        kind: &str,
        args: &[TermId],
        mut statements: Vec<Statement>,
        procedures: &mut Vec<Procedure>,
    ) -> ProcId {
        let span = self.span;
        let results: Vec<Variable> = procedures[entry.procedure.index()]
            .results
            .clone()
            .iter()
            .map(|r| {
                let sort = self.cx.terms.symbol(r.symbol).sort;
                Variable::new(self.cx.terms.fresh_symbol("result", sort), span)
            })
            .collect();
        let call = StatementKind::Call {
            callee: entry.procedure,
            args: args.iter().copied().map(Some).collect(),
            results: results.iter().map(|r| Some(r.symbol)).collect(),
        };
        let enters = self.cx.enters(entry.procedure);
        statements.extend(enters.map(|pair| Statement::new(StatementKind::Assign(vec![pair]), span)));
        statements.push(Statement::new(call, span));
        let name = self.cx.unique_name(&format!("{kind}${}", entry.name));
        let procedure = ProcId(procedures.len() as u32);
        procedures.push(of_one_block(procedure, name, &self.params, &results, statements, span));
        procedure
    }
}

/// A procedure of one block.
fn of_one_block(
    id: ProcId,
    name: Arc<str>,
    params: &[Variable],
    results: &[Variable],
    statements: Vec<Statement>,
    span: Span,
) -> Procedure {
    let block = Block {
        name: "call".into(),
        statements,
        terminator: Terminator { kind: TerminatorKind::Return, span },
        span,
        origin: Origin { procedure: id, body: 0, place: Place::Segment { block: BlockId(0), first: 0 } },
    };
    // Formals of the procedure are those of its only body.
    let body = Body {
        params: params.to_vec(),
        results: results.to_vec(),
        locals: Vec::new(),
        blocks: vec![block],
        span,
        attributes: Vec::new(),
    };
    Procedure {
        name,
        type_params: Vec::new(),
        params: params.to_vec(),
        results: results.to_vec(),
        requires: Vec::new(),
        ensures: Vec::new(),
        modifies: Vec::new(),
        bodies: vec![body],
        span,
        attributes: Vec::new(),
    }
}
