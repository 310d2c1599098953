//! Answers to questions about inequalities, kept for when they are asked again.
//!
//! An analysis asks the same of the same facts over and over: a loop's body is gone through until nothing changes, a
//! statement is read for each of its readings, and a body is analysed anew for each set of assumptions. Most questions
//! are such, and elimination is slow.
//!
//! **Direction of error.** As [`Rows::contradict`]: an answer depends on nothing but the question.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use crate::linear::{Linear, Rows};

/// Rows in all questions that are kept, which bounds the memory; at about 100 bytes each.
const MAX_ROWS: usize = 400_000;

/// Answers by the question, which is a part of its key like the rows.
#[derive(Default)]
struct Answers {
    known: FxHashMap<Vec<Linear>, bool>,
    rows: usize,
}

thread_local! {
    static ANSWERS: RefCell<Answers> = RefCell::default();
}

/// Whether no integers satisfy `e ≤ 0` for all `rows` and `question`; `false` if that is not found out.
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
