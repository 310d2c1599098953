//! First explorations that several explorers share.
//!
//! Explorers have an arena and a solver of their own, so that procedures that do not depend on each other are explored at
//! the same time. What one has explored for the first time, the others make again by its decisions, without a solver. Who
//! is first claims the procedure; the others wait for its decisions. Who has claimed waits for nobody, so all get on.
//! What callers ask for beyond that grows in the explorer that they use.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustc_hash::FxHashMap;

use crate::call_graph::Chain;
use crate::tree::Decision;

/// How long to sleep before looking whether the work in hand should end.
const NAP: Duration = Duration::from_millis(50);

/// See the module.
#[derive(Default)]
pub(crate) struct FirstExplorations {
    /// `None` while somebody is at it.
    known: Mutex<FxHashMap<Chain, Option<Vec<Decision>>>>,
    published: Condvar,
}

impl FirstExplorations {
    fn lock(&self) -> MutexGuard<'_, FxHashMap<Chain, Option<Vec<Decision>>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What somebody has decided, for which this waits; `None` if it falls to the caller, or if there is no time to wait.
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

    /// Says what was decided; `None` if that came to nothing.
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
