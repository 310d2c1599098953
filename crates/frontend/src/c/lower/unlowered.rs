//! Functions that cannot be lowered, as proofs see them: they may do anything.
//!
//! A function with an instruction that is not supported (`setjmp`, an unknown intrinsic, `asm goto`) has no body in the program
//! form. A call of a procedure without a body changes nothing, so a proof would rest on code that nobody read. In the
//! program for proofs such a function has a body of one block instead: it sets all memory and all variables to arbitrary values,
//! may have ended the life of any object that an external function could free, and returns anything.
//!
//! Example: of `static void parse(int *out) { if (!setjmp(env)) *out = 1; }` it is not proved that `parse(&got)` leaves `got`
//! as it was.
//!
//! Of a function that cannot even be read (LLVM's text has a form that the parser does not know) the static analyses know
//! nothing either: which addresses it takes, what it stores where. Then nothing is proved of the whole program.
//!
//! **Direction of error.** Towards what the function does not do. That it ends the program or never returns is not seen, which
//! takes nothing away: what lies behind the call may be reached.

use footpath_ir::{
    Block, BlockId, Body, Origin, Place, Procedure, Statement, StatementKind, Terminator, TerminatorKind,
};

use crate::c::LoweredFunction;
use crate::llvm::ast as llvm;

use super::context::Context;

/// Takes the bodies of all functions away in a program for proofs, if the body of some function could not be read.
pub(crate) fn give_up_unread(cx: &Context, functions: &mut [LoweredFunction], procedures: &mut [Procedure]) {
    let is_unread =
        |f: &LoweredFunction| matches!(cx.linked.function(f.function).body, llvm::Body::Unreadable(_));
    let Some(unread) = functions.iter().find(|f| is_unread(f)).map(|f| f.name.clone()) else { return };
    if !cx.options.conservative_externals {
        return;
    }
    for function in functions {
        procedures[function.procedure.index()].bodies.clear();
        function.degraded.get_or_insert_with(|| format!("a program in which `{unread}` cannot be read"));
    }
}

/// Gives each function that could not be lowered a body that may do anything, in a program for proofs. The memory that there
/// is comes into it when all bodies are lowered, see [`forget_memory`](super::access_checks::forget_memory).
pub(crate) fn arbitrary_bodies(
    cx: &mut Context,
    functions: &[LoweredFunction],
    procedures: &mut [Procedure],
) {
    if !cx.options.conservative_externals {
        return;
    }
    for function in functions.iter().filter(|f| f.degraded.is_some()) {
        let number = function.procedure;
        let procedure = &mut procedures[number.index()];
        let mut arbitrary: Vec<_> = procedure.results.iter().map(|r| r.symbol).collect();
        arbitrary.extend(cx.ended);
        arbitrary.extend(cx.rounding);
        let span = procedure.span;
        let place = Place::Segment { block: BlockId(0), first: 0 };
        let block = Block {
            name: "anything".into(),
            statements: vec![Statement::new(StatementKind::Havoc(arbitrary), span)],
            terminator: Terminator { kind: TerminatorKind::Return, span },
            span,
            origin: Origin { procedure: number, body: 0, place },
        };
        procedure.bodies.push(Body {
            params: procedure.params.clone(),
            results: procedure.results.clone(),
            locals: Vec::new(),
            blocks: vec![block],
            span,
            attributes: Vec::new(),
        });
        cx.out_of_bounds_blocks.push((number, BlockId(0)));
    }
}
