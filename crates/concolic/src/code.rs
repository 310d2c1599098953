//! Register code: the representation into which programs are compiled for concolic execution.
//!
//! **Idea.** Each body is compiled, when a run first reaches it, into a list of instructions over three register
//! files: words, memories and general values. The variables of a frame come first in its part of each file, then
//! temporaries, including those for literals. Conditions and right-hand sides that consist of operators on words
//! become instructions, in which common subterms are computed once; other terms stay terms and are evaluated as such
//! ([`Ins::General`]). Assignments to a memory are done in place.
//!
//! Blocks and branch sites are numbered before anything is compiled, so that their numbers are the same whatever runs
//! do.

use std::cell::OnceCell;
use std::rc::Rc;

use footpath_ir::{AssertKind, BlockId, Origin, Place, ProcId};
use footpath_term::{SortId, SymbolId, TermId, Terms};
use rustc_hash::FxHashMap;

use super::bitvector_ops::{Binary, Unary};
use super::branch_distance::Far;
use super::compile::{compile, globals};
use super::memory::Shape;
use super::prepared::{Prepared, Reachable};
use super::state_merging::Diamond;
use super::value::{Class, Kind, Word};

/// A register: in the current frame, or with [`GLOBAL`] set among those of the program.
pub(super) type Reg = u32;

/// Marks registers of the program: globals and constants.
pub(super) const GLOBAL: u32 = 1 << 31;

/// Instead of a register: there is none.
pub(super) const NONE: Reg = u32::MAX;

/// Instead of a register for an object: the index itself names one.
pub(super) const ITSELF: Reg = u32::MAX - 1;

/// Instead of a number of a place: the place of the call.
pub(super) const CALLER: u32 = u32::MAX;

/// A variable's register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Slot {
    pub(super) class: Class,
    pub(super) reg: Reg,
    /// The variable; none for a temporary.
    pub(super) symbol: Option<SymbolId>,
    pub(super) sort: SortId,
}

/// A right-hand side that is no operator on words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct GeneralTerm {
    /// What is evaluated.
    pub(super) term: TermId,
    /// Where the result goes.
    pub(super) to: Slot,
    /// Its variables, if the symbolic value depends on nothing but theirs: there are few, no memory and no binder.
    pub(super) variables: Option<Vec<Slot>>,
    /// Whether its symbolic value may be a term though no variable depends on inputs.
    pub(super) open: bool,
}

/// An instruction.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ins {
    /// A block is entered; so many steps are in it.
    Enter {
        block: u32,
        steps: u32,
    },
    /// A goal is reached.
    Reach {
        goal: u32,
    },
    Move {
        to: Reg,
        from: Reg,
    },
    Unary {
        op: Unary,
        kind: Kind,
        to: Reg,
        a: Reg,
    },
    Binary {
        op: Binary,
        kind: Kind,
        to: Reg,
        a: Reg,
        b: Reg,
    },
    /// `a` in front of `b`, which has `low` bits.
    Concat {
        high: Kind,
        low: Kind,
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Ite {
        kind: Kind,
        to: Reg,
        condition: Reg,
        a: Reg,
        b: Reg,
    },
    Read {
        to: Reg,
        memory: Reg,
        /// The first of two indices; else [`NONE`] or [`ITSELF`].
        object: Reg,
        at: Reg,
    },
    /// All elements become the same; the shape's number in [`Unit::shapes`].
    Fill {
        memory: Reg,
        shape: u32,
        value: Reg,
    },
    Write {
        memory: Reg,
        object: Reg,
        at: Reg,
        value: Reg,
    },
    CopyMemory {
        to: Reg,
        from: Reg,
    },
    /// Evaluates a term; number in [`Unit::terms`].
    General {
        number: u32,
        at: u32,
    },
    /// Moves a general register.
    MoveGeneral {
        to: Reg,
        from: Reg,
    },
    Havoc {
        number: u32,
        at: u32,
    },
    /// What is computed up to the next [`Ins::Assume`] is this term, over initial values only, if that of the root
    /// runs.
    Given {
        term: TermId,
    },
    Assume {
        condition: Reg,
        at: u32,
    },
    /// Fails at place number `fails`; with [`CALLER`] at clause number `clause` of the call.
    Assert {
        condition: Reg,
        kind: AssertKind,
        site: u32,
        fails: u32,
        clause: u32,
    },
    /// Runs in which the condition holds come first.
    Prefer {
        condition: Reg,
    },
    /// A check is met; its premise, if it was proved under one.
    Unverified {
        premise: Option<Reg>,
    },
    /// The failure of a check that does not stop the program.
    Marked,
    /// The head of a loop; number in [`Unit::loops`].
    Lap {
        number: u32,
    },
    Jump {
        to: u32,
    },
    Branch {
        condition: Reg,
        site: u32,
        then_to: u32,
        else_to: u32,
    },
    /// A free choice; number in [`Unit::choices`].
    Choose {
        number: u32,
    },
    Call {
        number: u32,
    },
    /// The first procedure ends here; others go on.
    RootReturn,
    /// Copies results and goes back to the caller.
    Return {
        at: u32,
    },
    /// Copies a global to its old symbol.
    KeepOld {
        old: u32,
    },
    /// Arbitrary results and globals of a procedure without a body.
    Contract,
    Fail {
        at: u32,
    },
    Blocked {
        at: u32,
    },
}

/// A free choice.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) site: u32,
    pub(super) targets: Vec<u32>,
}

/// An argument of a call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Argument {
    Word(Reg),
    Memory(Reg),
    /// A term, evaluated as such.
    General(TermId),
    /// `*`.
    Arbitrary,
}

/// A call.
#[derive(Clone, Debug)]
pub(super) struct CallSite {
    /// The positions of the callee's pieces, by body.
    pub(super) pieces: Vec<usize>,
    pub(super) args: Vec<Argument>,
    /// The sorts of the arguments.
    pub(super) arg_sorts: Vec<SortId>,
    pub(super) results: Vec<Option<Slot>>,
    /// The statement.
    pub(super) at: Origin,
    /// The block, for the distance to goals.
    pub(super) site: u32,
}

/// A place where control depends on a value.
#[derive(Clone, Debug)]
pub(super) struct Site {
    /// The blocks that each arm leads to; `None` for a failure.
    pub(super) arms: Vec<Option<u32>>,
    /// The goals on the edges to the blocks, by arm, if any.
    pub(super) edges: Vec<(u32, u32)>,
    /// The goal of the first arm's failure.
    pub(super) failure: Option<u32>,
    /// The form of the condition for its branch distance, if it has one.
    pub(super) far: Option<Far>,
    /// The arms, if they can be merged.
    pub(super) diamond: Option<Diamond>,
}

/// A body, or the contract of a procedure without one, compiled.
#[derive(Clone, Debug, Default)]
pub(super) struct Unit {
    pub(super) procedure: u32,
    pub(super) body: Option<u32>,
    pub(super) ins: Vec<Ins>,
    /// Where calls enter.
    pub(super) entry: u32,
    /// Where a run enters that starts here.
    pub(super) root_entry: u32,
    /// Registers of each file: variables, and all.
    pub(super) words: (u32, u32),
    pub(super) memories: (u32, u32),
    pub(super) generals: (u32, u32),
    /// The words of a new frame: literals, and the rest without a value.
    pub(super) fresh: Vec<Word>,
    pub(super) params: Vec<Slot>,
    pub(super) results: Vec<Slot>,
    /// By symbol, old ones and the procedure's own names included.
    pub(super) variables: FxHashMap<SymbolId, Slot>,
    /// The variable behind each register that variables have.
    pub(super) word_owners: Vec<Slot>,
    pub(super) memory_owners: Vec<Slot>,
    /// Old symbols with their globals.
    pub(super) olds: Vec<(Slot, Slot)>,
    /// Whether the procedure has type parameters.
    pub(super) polymorphic: bool,
    /// The number of the first of the sites.
    pub(super) first_site: u32,
    pub(super) sites: Vec<Site>,
    /// Sorts of maps that are filled.
    pub(super) shapes: Vec<(SortId, Shape)>,
    pub(super) terms: Vec<GeneralTerm>,
    pub(super) havocs: Vec<Vec<Slot>>,
    pub(super) choices: Vec<Choice>,
    /// For each loop the numbers of those inside it, if iterations are counted.
    pub(super) loops: Vec<Vec<u32>>,
    pub(super) calls: Vec<CallSite>,
    /// Places that runs can end at.
    pub(super) places: Vec<Origin>,
}

impl Unit {
    /// A site of this unit.
    pub(super) fn site(&self, number: u32) -> &Site {
        &self.sites[(number - self.first_site) as usize]
    }
}

/// Registers of the program: constants and globals, which have no value at first.
#[derive(Debug, Default)]
pub(super) struct Globals {
    pub(super) variables: FxHashMap<SymbolId, Slot>,
    pub(super) words: u32,
    pub(super) memories: u32,
    pub(super) generals: u32,
    pub(super) word_owners: Vec<Slot>,
    pub(super) memory_owners: Vec<Slot>,
}

/// A body, or the contract of a procedure without one, that runs can reach.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) procedure: ProcId,
    pub(super) body: Option<u32>,
    /// The number of the first of its sites.
    pub(super) first_site: u32,
    /// The number of the first of its blocks.
    pub(super) first_block: u32,
    /// Compiled when a run first reaches it.
    unit: OnceCell<Box<Unit>>,
}

/// The code that runs from the root can reach.
pub(super) struct Code<'a> {
    pub(super) prepared: &'a Prepared<'a>,
    /// The goals, by place.
    goals: Rc<FxHashMap<Origin, u32>>,
    pub(super) globals: Globals,
    /// The root is the first.
    pub(super) pieces: Vec<Piece>,
    /// The positions of bodies among them; a contract counts as body 0.
    positions: FxHashMap<(ProcId, u32), usize>,
    /// Whether anything that runs can reach was proved under a premise.
    pub(super) annotated: bool,
    /// Whether iterations of loops are counted.
    pub(super) counts_iterations: bool,
    /// How many sites there are.
    pub(super) sites: u32,
    /// How many blocks there are.
    pub(super) blocks: u32,
}

impl<'a> Code<'a> {
    /// The code behind `reachable`, of which the first body is the root.
    pub(super) fn new(
        prepared: &'a Prepared<'a>,
        reachable: &Reachable,
        goals: Rc<FxHashMap<Origin, u32>>,
        counts_iterations: bool,
        terms: &Terms,
    ) -> Code<'a> {
        let mut code = Code {
            prepared,
            goals,
            globals: globals(prepared.program(), terms),
            pieces: Vec::new(),
            positions: FxHashMap::default(),
            annotated: reachable.annotated(prepared),
            counts_iterations,
            sites: 0,
            blocks: 0,
        };
        for (procedure, body) in reachable.all() {
            code.positions.insert((procedure, body.unwrap_or_default()), code.pieces.len());
            let (first_site, first_block) = (code.sites, code.blocks);
            code.pieces.push(Piece { procedure, body, first_site, first_block, unit: OnceCell::new() });
            let facts = prepared.facts(procedure, body);
            code.sites += facts.sites;
            code.blocks +=
                body.map_or(0, |b| prepared.program()[procedure].bodies[b as usize].blocks.len() as u32);
        }
        code
    }

    /// The code of a piece, which is compiled if no run reached it before.
    pub(super) fn unit(&self, number: usize, terms: &mut Terms) -> &Unit {
        self.pieces[number].unit.get_or_init(|| Box::new(compile(self, &self.pieces[number], terms)))
    }

    /// The code of a piece that a run has reached.
    pub(super) fn compiled(&self, number: usize) -> &Unit {
        self.pieces[number].unit.get().expect("a run was there")
    }

    /// A site that a run came to.
    pub(super) fn site(&self, number: u32) -> &Site {
        let after = self.pieces.partition_point(|p| p.first_site <= number);
        self.compiled(after - 1).site(number)
    }

    /// The number of the first block of a body.
    pub(super) fn first_block(&self, procedure: ProcId, body: u32) -> Option<u32> {
        let piece = self.position(procedure, body)?;
        Some(self.pieces[piece].first_block)
    }

    /// The place where a block begins.
    pub(super) fn origin(&self, block: u32) -> Option<Origin> {
        // Contracts have no blocks, so of several pieces with the same first block the last one has it.
        let piece = &self.pieces[self.pieces.partition_point(|p| p.first_block <= block).checked_sub(1)?];
        let place = Place::Segment { block: BlockId(block - piece.first_block), first: 0 };
        Some(Origin { procedure: piece.procedure, body: piece.body?, place })
    }

    /// The goal at a place.
    pub(super) fn goal_at(&self, origin: Origin) -> Option<u32> {
        self.goals.get(&origin).copied()
    }

    /// The position of a body among the pieces, or that of a contract.
    pub(super) fn position(&self, procedure: ProcId, body: u32) -> Option<usize> {
        self.positions.get(&(procedure, body)).copied()
    }

    /// How many instructions the root has.
    pub(super) fn root_size(&self) -> usize {
        self.compiled(0).ins.len()
    }
}
