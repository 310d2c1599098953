//! The backbone tree of a target in the source's terms, to be looked at.
//!
//! **Idea.** A vertex is a block at which something is decided, or a loop is entered; blocks that only pass values on are left out.
//! A loop has the paths through it, each with the name of its counter, and the variables of which no closed form is known.
//!
//! Example: for `while (i < n) i++; if (i == 5) target;` the tree has the loop, with one path under `i < n`, and behind it the vertex
//! of the branch, under `i == 5`.
//!
//! **Paper.** "Abstracting Path Conditions" (Strejček, Trtík, ISSTA 2012), Section 2, which draws its trees by hand.
//!
//! **Direction of error.** It claims nothing. At most [`MAX_VERTICES`] are shown, and the rest is counted.

use footpath_ir::source::Span;
use footpath_ir::{BlockId, Body};
use footpath_term::{TermId, Terms};

use crate::summary::{Step, Summary, Tree};

/// The largest number of vertices that are shown.
const MAX_VERTICES: usize = 400;
/// A longer condition, in operators, is not shown.
const LONGEST: u64 = 60;

/// A vertex of the tree.
#[derive(Clone, Debug)]
pub struct Vertex {
    /// The range of the block in the source.
    pub span: Span,
    /// The loop that is entered here, before the block is executed.
    pub around: Option<Loop>,
    /// The conditions under which a run comes here from the vertex before and goes on; `None` for one that is too long.
    pub conditions: Vec<Option<String>>,
    /// What comes next on the ways to the target; nothing at the target.
    pub next: Vec<Vertex>,
    /// How many vertices behind it are not shown.
    pub left_out: usize,
}

/// A loop that is entered.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The paths through it: the counter of how often each is taken, and its vertices.
    pub paths: Vec<(String, Vec<Vertex>)>,
    /// The variables of which no closed form is known.
    pub carried: Vec<String>,
    /// Whether nothing is known of the iterations.
    pub opaque: bool,
}

/// Says conditions.
pub(crate) type Says<'a> = &'a dyn Fn(&Terms, TermId) -> String;

/// The tree as vertices.
pub(crate) fn vertices(terms: &Terms, body: &Body, tree: &Tree, say: Says<'_>) -> Vec<Vertex> {
    let mut drawing = Drawing { terms, body, say, left: MAX_VERTICES };
    drawing.behind(std::slice::from_ref(tree)).0
}

struct Drawing<'a> {
    terms: &'a Terms,
    body: &'a Body,
    say: Says<'a>,
    left: usize,
}

impl Drawing<'_> {
    /// The first vertices on these ways, and how many are not shown.
    fn behind(&mut self, ways: &[Tree]) -> (Vec<Vertex>, usize) {
        let (mut shown, mut left_out) = (Vec::new(), 0);
        for way in ways {
            let mut at = way;
            // Nothing happens there that is of interest.
            while let ([next], true) = (&at.next[..], is_plain(&at.step)) {
                at = next;
            }
            if self.left == 0 {
                left_out += 1;
                continue;
            }
            self.left -= 1;
            let mut vertex = self.vertex(&at.step);
            (vertex.next, vertex.left_out) = self.behind(&at.next);
            shown.push(vertex);
        }
        (shown, left_out)
    }

    fn vertex(&mut self, step: &Step) -> Vertex {
        let mut conditions = Vec::new();
        for &c in step.conditions.iter().filter(|c| self.terms.as_bool(**c) != Some(true)) {
            let said = (self.terms.tree_size(c) <= LONGEST).then(|| (self.say)(self.terms, c));
            // What holds of every machine integer says nothing in the source's terms.
            conditions.extend((said.as_deref() != Some("true")).then_some(said));
        }
        let around = step.around.as_ref().map(|summary| self.around(summary));
        Vertex { span: self.span(step.block), around, conditions, next: Vec::new(), left_out: 0 }
    }

    fn around(&mut self, summary: &Summary) -> Loop {
        let name = |symbol| self.terms.symbol(symbol).name.to_string();
        let counters: Vec<String> = summary.counters.iter().map(|&c| name(c)).collect();
        let carried = summary.carried.iter().map(|c| name(c.start)).collect();
        let mut paths = Vec::new();
        for (round, counter) in summary.rounds.iter().zip(counters) {
            let steps: Vec<Vertex> =
                round.steps.iter().filter(|step| !is_plain(step)).map(|step| self.vertex(step)).collect();
            paths.push((counter, steps));
        }
        Loop { paths, carried, opaque: summary.opaque }
    }

    fn span(&self, block: BlockId) -> Span {
        self.body[block].span
    }
}

fn is_plain(step: &Step) -> bool {
    step.around.is_none() && step.conditions.is_empty()
}
