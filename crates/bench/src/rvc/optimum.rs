//! The fewest tests that suffice.
//!
//! A complete path cover knows every set of objectives that a test can cover. So the smallest statement
//! cover is the smallest choice among these sets, a set cover. It is found by deepening: is there a cover by
//! `k` sets, for `k` from a lower bound up to what is known to suffice? A cover by `k` must contain one of the sets
//! that hold the objective with the fewest sets, which bounds the branching; it fails where the sets that
//! may still be taken are too small for what is open.
//!
//! **Direction of error.** None; where the search ends at its limit, the result is an interval.

use footpath_cover::set_cover;

/// The number of tests in a smallest cover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Optimum {
    /// It is proved that fewer do not suffice.
    pub at_least: usize,
    /// So many suffice.
    pub at_most: usize,
}

impl Optimum {
    /// Whether it is known exactly.
    pub fn is_exact(self) -> bool {
        self.at_least == self.at_most
    }
}

/// Above this number of different sets, the engine's reduction is not asked for a first cover, as its
/// dominance test is quadratic.
const MAX_SETS_TO_REDUCE: usize = 400;
/// Nodes of the search for each size.
const MAX_NODES: u32 = 20_000;

/// The size of a smallest choice of sets that covers what all of them cover.
pub fn smallest_cover(covers: &[Vec<usize>]) -> Optimum {
    let goals = covers.iter().flatten().max().map_or(0, |m| m + 1);
    let mut sets: Vec<Vec<u64>> = covers.iter().map(|c| bits(goals, c)).collect();
    sets.sort_unstable();
    sets.dedup();
    let all = sets.iter().fold(bits(goals, &[]), |all, s| all.iter().zip(s).map(|(a, b)| a | b).collect());
    let at_most =
        if sets.len() <= MAX_SETS_TO_REDUCE { set_cover(covers).len() } else { greedy(&sets, &all) };
    for k in exclusive(&sets, &all)..at_most {
        let mut nodes = MAX_NODES;
        match coverable(&sets, &all, k, &mut nodes) {
            Some(true) => return Optimum { at_least: k, at_most: k },
            Some(false) => {}
            None => return Optimum { at_least: k, at_most },
        }
    }
    Optimum { at_least: at_most, at_most }
}

fn bits(goals: usize, members: &[usize]) -> Vec<u64> {
    let mut words = vec![0; goals.div_ceil(64)];
    for &m in members {
        words[m / 64] |= 1 << (m % 64);
    }
    words
}

fn members(set: &[u64]) -> impl Iterator<Item = usize> + '_ {
    (0..set.len() * 64).filter(|&m| has(set, m))
}

fn has(set: &[u64], m: usize) -> bool {
    set[m / 64] >> (m % 64) & 1 == 1
}

fn common(a: &[u64], b: &[u64]) -> usize {
    a.iter().zip(b).map(|(a, b)| (a & b).count_ones() as usize).sum()
}

fn count(a: &[u64]) -> usize {
    common(a, a)
}

fn without(a: &[u64], b: &[u64]) -> Vec<u64> {
    a.iter().zip(b).map(|(a, b)| a & !b).collect()
}

/// The size of a cover that takes what covers most.
fn greedy(sets: &[Vec<u64>], all: &[u64]) -> usize {
    let mut open = all.to_vec();
    let mut taken = 0;
    while let Some(best) = sets.iter().max_by_key(|s| common(s, &open)).filter(|s| common(s, &open) > 0) {
        open = without(&open, best);
        taken += 1;
    }
    taken
}

/// A lower bound: so many objectives of which no set holds two.
fn exclusive(sets: &[Vec<u64>], all: &[u64]) -> usize {
    let mut together: Vec<Vec<u64>> = vec![bits(all.len() * 64, &[]); all.len() * 64];
    for set in sets {
        for m in members(set) {
            for (t, s) in together[m].iter_mut().zip(set) {
                *t |= s;
            }
        }
    }
    // Those that go with few others first; each member once as the first.
    let mut order: Vec<usize> = members(all).collect();
    order.sort_by_key(|&m| count(&together[m]));
    (0..order.len())
        .map(|first| {
            let mut chosen = 0;
            let mut free = all.to_vec();
            for &m in order[first..=first].iter().chain(&order) {
                if has(&free, m) {
                    chosen += 1;
                    free = without(&free, &together[m]);
                }
            }
            chosen
        })
        .max()
        .unwrap_or(0)
}

/// Whether `k` sets cover what is open; `None` if `nodes` steps were not enough to say.
fn coverable(sets: &[Vec<u64>], open: &[u64], k: usize, nodes: &mut u32) -> Option<bool> {
    if count(open) == 0 {
        return Some(true);
    }
    *nodes = nodes.checked_sub(1)?;
    let mut sizes = vec![0usize; open.len() * 64];
    let mut largest = 0;
    for set in sets {
        let meet: Vec<u64> = set.iter().zip(open).map(|(a, b)| a & b).collect();
        largest = largest.max(count(&meet));
        for m in members(&meet) {
            sizes[m] += 1;
        }
    }
    if largest * k < count(open) {
        return Some(false);
    }
    let rarest = members(open).min_by_key(|&m| sizes[m])?;
    let mut candidates: Vec<&Vec<u64>> = sets.iter().filter(|s| has(s, rarest)).collect();
    candidates.sort_by_key(|s| std::cmp::Reverse(common(s, open)));
    for set in candidates {
        if coverable(sets, &without(open, set), k - 1, nodes)? {
            return Some(true);
        }
    }
    Some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(covers: &[&[usize]], expected: usize) {
        let covers: Vec<Vec<usize>> = covers.iter().map(|c| c.to_vec()).collect();
        assert_eq!(smallest_cover(&covers), Optimum { at_least: expected, at_most: expected });
    }

    #[test]
    fn smallest_covers_of_small_systems() {
        check(&[], 0);
        check(&[&[]], 0);
        check(&[&[0, 1, 2], &[3, 4, 5], &[1, 2, 3, 4]], 2);
        check(&[&[0, 1], &[1, 2], &[0, 2]], 2);
        check(&[&[0], &[1], &[2], &[0, 1]], 2);
    }

    #[test]
    fn it_agrees_with_trying_all_choices() {
        let mut rng = fastrand::Rng::with_seed(7);
        for _ in 0..300 {
            let sets: Vec<u32> =
                (0..rng.usize(1..9)).map(|_| rng.u32(0..1 << 10) & rng.u32(0..1 << 10)).collect();
            let all = sets.iter().fold(0, |a, s| a | s);
            let union = |mask: u32| {
                sets.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1).fold(0, |a, (_, s)| a | s)
            };
            let fewest = (0..1u32 << sets.len())
                .filter(|&mask| union(mask) == all)
                .map(u32::count_ones)
                .min()
                .expect("all of them cover all");
            let covers: Vec<Vec<usize>> =
                sets.iter().map(|s| (0..10).filter(|m| s >> m & 1 == 1).collect()).collect();
            let found = smallest_cover(&covers);
            assert!(
                found.is_exact() && found.at_least == fewest as usize,
                "{covers:?}: {found:?}, not {fewest}"
            );
        }
    }

    #[test]
    fn a_search_without_steps_left_says_nothing() {
        let sets: Vec<Vec<u64>> = vec![vec![0b011], vec![0b110], vec![0b101]];
        assert_eq!(coverable(&sets, &[0b111], 2, &mut 0), None);
        assert_eq!(coverable(&sets, &[0b111], 2, &mut 10), Some(true));
    }
}
