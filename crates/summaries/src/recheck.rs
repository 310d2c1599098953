//! Spot checks of a store: a share of the procedures is analysed anew, whatever is stored about them.
//!
//! **Idea.** Proofs in a store are believed, and who has its key may have written anything. So a run can be told to do the work
//! again for a share of the procedures and to compare: a stored proof against a run that now reaches the place. Which
//! procedures these are follows from their names alone, so that all that is stored about one, in files of several kinds, is left
//! unused together, and that two runs with the same share check the same.
//!
//! **Example.** `Recheck::percent(100)` selects everything, and the default nothing.
//!
//! **Direction of error.** A wrong proof of what is not selected is believed.

use sha2::{Digest, Sha256};

/// A share of the procedures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Recheck(u8);

impl Recheck {
    /// So many of a hundred; more are all.
    pub fn percent(share: u8) -> Recheck {
        Recheck(share.min(100))
    }

    /// Whether a procedure of this name is analysed anew.
    pub fn selects(self, name: &str) -> bool {
        let digest = Sha256::digest(name);
        // The remainder is even enough for spot checks.
        u32::from_le_bytes([digest[0], digest[1], digest[2], digest[3]]) % 100 < u32::from(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_selected_and_a_greater_one_contains_it() {
        let names: Vec<String> = (0..1000).map(|i| format!("f{i}")).collect();
        let selected = |share: u8| -> Vec<&String> {
            names.iter().filter(|name| Recheck::percent(share).selects(name)).collect()
        };
        assert!(selected(0).is_empty() && selected(100).len() == 1000 && selected(200).len() == 1000);
        let (few, many) = (selected(10), selected(30));
        assert!((60..140).contains(&few.len()) && (240..360).contains(&many.len()));
        assert!(few.iter().all(|name| many.contains(name)));
    }
}
