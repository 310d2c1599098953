//! A cache of entailment queries: whether linear inequalities contradict each other, by the inequalities.
//!
//! An analysis asks the same question about the same facts many times: the body of a loop is executed until nothing
//! changes, a statement is evaluated once for each reading of its terms (signed, unsigned), and a body is analysed
//! again for each set of assumptions. Elimination is slow, and most questions are repetitions.
//!
//! **Direction of error.** That of [`Rows::contradict`]: an answer depends on nothing but the question, which is the
//! key.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use crate::linear::{Linear, Rows};

/// The limit on rows in all cached questions, which bounds the memory; a row takes about 100 bytes.
const MAX_ROWS: usize = 400_000;

/// The cached answers; the last row of a key is the question itself.
#[derive(Default)]
struct Answers {
    known: FxHashMap<Vec<Linear>, bool>,
    rows: usize,
}

thread_local! {
    static ANSWERS: RefCell<Answers> = RefCell::default();
}

/// Whether no integers satisfy `e ≤ 0` for all `rows` and `question`; `false` if that was not found out.
pub fn contradict(rows: Vec<Linear>, question: Linear) -> bool {
    let mut key = rows;
    key.push(question);
    ANSWERS.with_borrow_mut(|answers| {
        if let Some(known) = answers.known.get(&key) {
            return *known;
        }
        let answer = eliminate(&key);
        if answers.rows + key.len() > MAX_ROWS {
            *answers = Answers::default();
        }
        answers.rows += key.len();
        answers.known.insert(key, answer);
        answer
    })
}

/// Decides whether rows, the last of which is the question, contradict each other.
fn eliminate(all: &[Linear]) -> bool {
    let Some((question, rows)) = all.split_last() else { return false };
    let mut set = Rows::default();
    for row in rows {
        set.add(row.clone());
    }
    set.add_with_cuts(question.clone());
    set.contradict()
}
