//! All commands over random C functions. `FOOTPATH_CASES` says how many programs, `FOOTPATH_SEED` which is the first, and
//! `FOOTPATH_MINUTES` when to begin no further one; `cargo xtask random-c` runs many.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use footpath_testkit::{Compared, check_random_c};

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

#[test]
#[expect(clippy::print_stdout, reason = "how much was compared is what a long run is for")]
fn no_claim_about_a_random_function_contradicts_a_run() {
    let first = number("FOOTPATH_SEED").unwrap_or(1);
    let seeds: Vec<u64> = (first..first.saturating_add(number("FOOTPATH_CASES").unwrap_or(1))).collect();
    let end = number("FOOTPATH_MINUTES").map(|minutes| Instant::now() + Duration::from_secs(60 * minutes));
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("random_c");
    let total = Mutex::new((Compared::default(), 0));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = number("FOOTPATH_JOBS").and_then(|jobs| usize::try_from(jobs).ok()).unwrap_or(cores);
    let stop = AtomicBool::new(false);
    let check = |seed: &u64| {
        let folder = scratch.join(seed.to_string());
        let checked = check_random_c(*seed, &folder);
        let mut total = total.lock().expect("no check panics");
        let complaint = match checked {
            Ok(compared) => {
                let _ = std::fs::remove_dir_all(&folder);
                total.0.add(compared);
                None
            }
            Err(why) => {
                total.1 += 1;
                println!("seed {seed}: {why}");
                Some(why)
            }
        };
        // A long run may be ended at any time: what it has compared stands above.
        let (compared, wrong) = &*total;
        println!("to seed {seed}: {compared}; {wrong} programs with a contradiction");
        stop.fetch_or(end.is_some_and(|end| Instant::now() > end), Ordering::Relaxed);
        complaint
    };
    let found = footpath_parallel::in_parallel(&seeds, jobs, &stop, &check);
    let complaints: Vec<String> = found.into_iter().flatten().flatten().collect();
    let (compared, _) = total.into_inner().expect("no check panics");
    assert!(complaints.is_empty(), "{} of {}:\n{}", complaints.len(), seeds.len(), complaints.join("\n"));
    // Else nothing was compared.
    assert!(compared.truths > 0 && compared.found_out > 0 && compared.conditions > 0);
}
