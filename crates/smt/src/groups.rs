//! Strongly connected components of datatypes: which datatypes must be declared together, and in which order.
//!
//! Solvers restrict datatypes that are declared together: none may be the index of a map in a field of another. So
//! only datatypes that depend on each other are declared together, and each group comes after those that it depends
//! on. For example `List` whose fields have `Tree`, and `Tree` whose fields have `List`, are one group; a datatype
//! with a field of `List` comes after them.

/// The strongly connected components of a graph; each comes after those that it reaches. `needs` are the edges.
pub(crate) fn groups(needs: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let reached: Vec<Vec<bool>> = (0..needs.len()).map(|node| reached(needs, node)).collect();
    // What a node reaches is reached by nodes that reach it, so those reach more, or as much and the node as well.
    let mut nodes: Vec<usize> = (0..needs.len()).collect();
    nodes.sort_by_key(|&node| reached[node].iter().filter(|r| **r).count());
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for node in nodes {
        match groups.iter_mut().find(|group| reached[group[0]][node] && reached[node][group[0]]) {
            Some(group) => group.push(node),
            None => groups.push(vec![node]),
        }
    }
    groups
}

/// For each node whether it can be reached from `from`, which counts as reached.
fn reached(needs: &[Vec<usize>], from: usize) -> Vec<bool> {
    let mut reached = vec![false; needs.len()];
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut reached[node], true) {
            open.extend(&needs[node]);
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_needed_comes_first() {
        // 0 and 3 need each other; they need 1, which needs itself and 2.
        let needs = [vec![1, 3], vec![1, 2], vec![], vec![0]];
        assert_eq!(groups(&needs), [vec![2], vec![1], vec![0, 3]]);
        assert_eq!(groups(&[]), Vec::<Vec<usize>>::new());
    }
}
