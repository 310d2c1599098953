//! Test suite reduction by set cover: few tests that cover as much.
//!
//! **Idea.** A search finds tests one after the other, and later ones often make earlier ones redundant. The smallest
//! sufficient set is found by branch and bound with the usual reductions (a goal that only one test covers forces
//! that test; a test that covers a subset of another's goals is dropped; a goal whose tests include all tests of
//! another goal is dropped). Where that would take too many steps, the greedy choice is used, from which every
//! redundant test is removed.
//!
//! **Example.** Of tests that cover `{1, 2}`, `{2, 3}` and `{1, 2, 3}` only the third one is kept.
//!
//! **Direction of error.** The result always covers what the input covers; it may not be the smallest.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The limit on machine words of sets that the search may compare before the best choice so far is used.
const MAX_WORDS: u64 = 100_000_000;

/// Chooses tests, given what each covers, so that together they cover all that any covers. Returns their
/// numbers in order.
pub fn set_cover(covers: &[Vec<usize>]) -> Vec<usize> {
    let goals = covers.iter().flatten().max().map_or(0, |m| m + 1);
    let sets: Vec<Bits> = covers.iter().map(|c| Bits::of(goals, c)).collect();
    let all = sets.iter().fold(Bits::of(goals, &[]), |a, b| a.union(b));
    let mut best = greedy(&sets, &all);
    let mut words = MAX_WORDS;
    let alive: Vec<usize> = (0..sets.len()).collect();
    search(&sets, &alive, &all, &mut Vec::new(), &mut best, &mut words);
    best.sort_unstable();
    best
}

/// The greedy choice: repeatedly the test that covers most of the open goals. What a test adds only shrinks, so only
/// those are counted again that may be the next.
fn greedy(sets: &[Bits], all: &Bits) -> Vec<usize> {
    let mut open = all.clone();
    let mut chosen = Vec::new();
    let mut queue: BinaryHeap<(usize, Reverse<usize>)> =
        sets.iter().enumerate().map(|(i, set)| (set.count(), Reverse(i))).collect();
    while !open.is_empty() {
        let Some((_, Reverse(i))) = queue.pop() else { break };
        let now = (sets[i].common(&open), Reverse(i));
        if queue.peek().is_some_and(|next| *next > now) {
            queue.push(now);
            continue;
        }
        open = open.without(&sets[i]);
        chosen.push(i);
    }
    // Later choices may have made an earlier one needless.
    let mut times = vec![0u32; all.0.len() * 64];
    for g in chosen.iter().flat_map(|&i| sets[i].iter()) {
        times[g] += 1;
    }
    chosen.retain(|&i| {
        let needed = sets[i].iter().any(|g| times[g] == 1);
        if !needed {
            sets[i].iter().for_each(|g| times[g] -= 1);
        }
        needed
    });
    chosen
}

fn search(
    sets: &[Bits],
    alive: &[usize],
    open: &Bits,
    chosen: &mut Vec<usize>,
    best: &mut Vec<usize>,
    words: &mut u64,
) {
    if open.is_empty() {
        if chosen.len() < best.len() {
            best.clone_from(chosen);
        }
        return;
    }
    let price = alive.len() * alive.len() * open.0.len();
    let Some(left) = words.checked_sub(price as u64) else {
        *words = 0;
        return;
    };
    *words = left;
    // Drop tests that add nothing to another one; large ones come first, so that a test has only those before
    // it to be compared with.
    let mut meets: Vec<(usize, Bits)> = alive.iter().map(|&i| (i, sets[i].meet(open))).collect();
    meets.sort_by_key(|(_, meet)| Reverse(meet.count()));
    let mut useful: Vec<(usize, Bits)> = Vec::new();
    for (i, mine) in meets {
        if !mine.is_empty() && !useful.iter().any(|(_, theirs)| mine.without(theirs).is_empty()) {
            useful.push((i, mine));
        }
    }
    // At least so many more are needed.
    if chosen.len() + at_least(&useful, open) >= best.len() {
        return;
    }
    let useful: Vec<usize> = useful.into_iter().map(|(i, _)| i).collect();
    // Branch on the goal with the fewest tests.
    let goal = open
        .iter()
        .min_by_key(|&g| useful.iter().filter(|&&i| sets[i].has(g)).count())
        .expect("something is open");
    let mut candidates: Vec<usize> = useful.iter().copied().filter(|&i| sets[i].has(goal)).collect();
    candidates.sort_by_key(|&i| Reverse(sets[i].common(open)));
    for i in candidates {
        chosen.push(i);
        search(sets, &useful, &open.without(&sets[i]), chosen, best, words);
        chosen.pop();
    }
}

/// A lower bound on the number of tests that the open goals need: the number of goals of which no test covers two,
/// and the number of open goals divided by the size of the largest test.
fn at_least(tests: &[(usize, Bits)], open: &Bits) -> usize {
    let largest = tests.iter().map(|(_, meet)| meet.count()).max().unwrap_or(0);
    if largest == 0 {
        return usize::MAX / 2;
    }
    let mut goals: Vec<(usize, usize)> =
        open.iter().map(|g| (tests.iter().filter(|(_, meet)| meet.has(g)).count(), g)).collect();
    goals.sort_unstable();
    let mut free = open.clone();
    let mut apart = 0;
    for (_, g) in goals {
        if free.has(g) {
            apart += 1;
            for (_, meet) in tests.iter().filter(|(_, meet)| meet.has(g)) {
                free = free.without(meet);
            }
        }
    }
    apart.max(open.count().div_ceil(largest))
}

/// A set of small numbers.
#[derive(Clone, PartialEq, Eq)]
struct Bits(Vec<u64>);

impl Bits {
    fn of(size: usize, members: &[usize]) -> Bits {
        let mut words = vec![0; size.div_ceil(64)];
        for &m in members {
            words[m / 64] |= 1 << (m % 64);
        }
        Bits(words)
    }

    fn zip(&self, other: &Bits, f: impl Fn(u64, u64) -> u64) -> Bits {
        Bits(self.0.iter().zip(&other.0).map(|(&a, &b)| f(a, b)).collect())
    }

    fn union(&self, other: &Bits) -> Bits {
        self.zip(other, |a, b| a | b)
    }

    fn meet(&self, other: &Bits) -> Bits {
        self.zip(other, |a, b| a & b)
    }

    fn without(&self, other: &Bits) -> Bits {
        self.zip(other, |a, b| a & !b)
    }

    fn common(&self, other: &Bits) -> usize {
        self.0.iter().zip(&other.0).map(|(a, b)| (a & b).count_ones() as usize).sum()
    }

    fn count(&self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|&w| w == 0)
    }

    fn has(&self, member: usize) -> bool {
        self.0[member / 64] >> (member % 64) & 1 == 1
    }

    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.0.len() * 64).filter(|&m| self.has(m))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_greedy_trap_is_avoided() {
        // Greedy takes the middle set first and needs three; two are enough.
        let covers = vec![vec![0, 1, 2], vec![3, 4, 5], vec![1, 2, 3, 4]];
        assert_eq!(set_cover(&covers), vec![0, 1]);
    }

    #[test]
    fn nothing_to_cover_needs_no_test() {
        assert_eq!(set_cover(&[]), Vec::<usize>::new());
        assert_eq!(set_cover(&[vec![], vec![]]), Vec::<usize>::new());
    }

    /// The size of the smallest cover, by trying all subsets.
    fn brute_force(covers: &[Vec<usize>]) -> usize {
        let union = |mask: u32| {
            let chosen = (0..covers.len()).filter(|&i| mask >> i & 1 == 1);
            chosen.flat_map(|i| covers[i].iter()).fold(0u32, |a, &g| a | 1 << g)
        };
        let all = union((1 << covers.len()) - 1);
        (0..1u32 << covers.len()).filter(|&m| union(m) == all).map(u32::count_ones).min().unwrap_or(0)
            as usize
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]
        #[test]
        fn the_result_covers_all_and_is_smallest(
            covers in prop::collection::vec(prop::collection::vec(0usize..12, 0..6), 0..9),
        ) {
            let chosen = set_cover(&covers);
            let mut all: Vec<usize> = covers.concat();
            let mut got: Vec<usize> = chosen.iter().flat_map(|&i| covers[i].clone()).collect();
            for v in [&mut all, &mut got] {
                v.sort_unstable();
                v.dedup();
            }
            prop_assert_eq!(all, got);
            prop_assert_eq!(chosen.len(), brute_force(&covers));
        }
    }
}
