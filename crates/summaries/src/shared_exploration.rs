//! Exploration shared between threads: each procedure is explored for the first time by one explorer only.
//!
//! **Idea.** Each explorer has a separate arena and solver, so that procedures that do not depend on each other are
//! explored in parallel. After one explorer has explored a procedure for the first time, the others reconstruct the
//! summary from its decisions, without a solver. The first explorer that needs a procedure claims it; the others wait
//! for its decisions. An explorer with a claim waits for no other, so there is no deadlock. What callers demand
//! beyond that is explored by the explorer that they use.
//!
//! **Direction of error.** None: decisions that do not fit the summary that is being reconstructed are not used.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustc_hash::FxHashMap;

use crate::call_graph::Chain;
use crate::tree::Decision;

/// The interval for checking whether the current work should end.
const NAP: Duration = Duration::from_millis(50);

/// The decisions of first explorations, by chain of calls.
#[derive(Default)]
pub(crate) struct FirstExplorations {
    /// `None` while an explorer is working on it.
    known: Mutex<FxHashMap<Chain, Option<Vec<Decision>>>>,
    published: Condvar,
}

impl FirstExplorations {
    fn lock(&self) -> MutexGuard<'_, FxHashMap<Chain, Option<Vec<Decision>>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The decisions of another explorer, after waiting for them; `None` if the caller has to explore the chain
    /// itself, or if there is no time to wait.
    pub(crate) fn claim(&self, chain: &Chain, is_over: &dyn Fn() -> bool) -> Option<Vec<Decision>> {
        let mut known = self.lock();
        loop {
            match known.get(chain) {
                Some(Some(decisions)) => return Some(decisions.clone()),
                Some(None) if is_over() => return None,
                Some(None) => {
                    let woken = self.published.wait_timeout(known, NAP);
                    known = woken.unwrap_or_else(PoisonError::into_inner).0;
                }
                None => {
                    known.insert(chain.clone(), None);
                    return None;
                }
            }
        }
    }

    /// Publishes decisions; `None` if the exploration failed, so that another explorer may claim the chain.
    pub(crate) fn publish(&self, chain: Chain, decisions: Option<Vec<Decision>>) {
        let mut known = self.lock();
        match decisions {
            Some(decisions) => {
                known.insert(chain, Some(decisions));
            }
            None => {
                known.remove(&chain);
            }
        }
        self.published.notify_all();
    }
}
