//! Houdini: the largest inductive subset of some candidates.
//!
//! **Idea.** Of many guessed invariants those are wanted that hold together whenever a loop head is reached. All are assumed; a
//! candidate that is then refuted somewhere is dropped, and since others may have been kept up by it, all that are left are
//! asked about again, until nothing is dropped. What remains is inductive, and as each candidate was dropped for a state that
//! all larger subsets allow as well, it is the largest inductive subset.
//!
//! **Example.** Of `x >= 0`, `x <= 9` and `y == x` at the head of `while (*) { x = x + 1; y = y + 1; }`, entered with
//! `x == y == 0`, the first step refutes `x <= 9` (from 9), the second drops nothing: `x >= 0` and `y == x` are invariants.
//!
//! **Paper.** C. Flanagan, K. R. M. Leino, "Houdini, an annotation assistant for ESC/Java" (FME 2001).
//!
//! **Direction of error.** None by itself: what is left is exactly what the last step did not refute. A step that cannot answer a
//! question has to drop the candidate.

/// Drops candidates until a step drops none.
///
/// `drop_refuted` is given the candidates that are left. It assumes all of them and removes those that are refuted, or that it
/// cannot answer for; it may remove some of them as it goes along and assume what is left for the others. `None` from it
/// means that nothing can be said (time ran out), and is passed on.
pub fn houdini<C>(
    mut candidates: Vec<C>,
    mut drop_refuted: impl FnMut(&mut Vec<C>) -> Option<()>,
) -> Option<Vec<C>> {
    loop {
        let before = candidates.len();
        drop_refuted(&mut candidates)?;
        if candidates.len() == before {
            return Some(candidates);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::houdini;

    /// Candidates `x <= n` for a variable that a loop sets from 0 to 1, 2, …, up to `top` in steps: each is kept up by itself only.
    #[test]
    fn what_is_left_is_inductive_and_as_much_as_can_be() {
        let step = |x: u32, top: u32| (x + 1).min(top);
        for top in 0..6 {
            let left = houdini((0..8).collect(), |bounds: &mut Vec<u32>| {
                let all = bounds.clone();
                let reached: Vec<u32> = (0..8).filter(|x| all.iter().all(|b| x <= b)).collect();
                bounds.retain(|b| reached.iter().all(|x| step(*x, top) <= *b));
                Some(())
            });
            assert_eq!(left, Some((top..8).collect()), "{top}");
        }
    }

    #[test]
    fn a_step_that_gives_up_ends_it() {
        let mut steps = 0;
        let left = houdini(vec![1, 2, 3], |c| {
            steps += 1;
            c.pop();
            (steps < 2).then_some(())
        });
        assert_eq!((left, steps), (None, 2));
    }
}
