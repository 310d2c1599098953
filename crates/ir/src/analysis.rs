//! Analyses of graphs: the control-flow graph of a body, and the call graph of a program.
//!
//! | analysis | file |
//! |---|---|
//! | dominators and post-dominators of loop-free bodies | `analysis/dominators.rs` |
//! | weak topological orders: the nesting of loops of any body | `analysis/wto.rs` |
//! | the call graph: callees, recursion, strongly connected components | `analysis/call_graph.rs` |
//!
//! **Invariant:** nothing here reads a statement's terms. What depends on values is abstract interpretation.

pub mod call_graph;
pub mod dominators;
pub mod wto;

use crate::source::{FileId, Span};
use crate::{Block, BlockId, Body, Origin, Place, ProcId, Terminator, TerminatorKind};

/// A body without statements whose block `i` leads to `successors[i]`, or returns where there are none. Tests of
/// analyses are made of it.
pub fn skeleton(successors: &[&[u32]]) -> Body {
    let span = Span { file: FileId(0), start: 0, end: 0 };
    let blocks = successors.iter().enumerate().map(|(i, to)| {
        let kind = match to {
            [] => TerminatorKind::Return,
            to => TerminatorKind::Goto(to.iter().map(|&b| BlockId(b)).collect()),
        };
        let place = Place::Segment { block: BlockId(i as u32), first: 0 };
        let origin = Origin { procedure: ProcId(0), body: 0, place };
        let terminator = Terminator { kind, span };
        Block { name: format!("b{i}").into(), statements: Vec::new(), terminator, span, origin }
    });
    Body {
        params: Vec::new(),
        results: Vec::new(),
        locals: Vec::new(),
        blocks: blocks.collect(),
        span,
        attributes: Vec::new(),
    }
}
