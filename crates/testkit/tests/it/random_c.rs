//! All commands over random C functions. `FOOTPATH_CASES` says how many programs, `FOOTPATH_SEED` which is the first;
//! `cargo xtask random-c` runs many.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use footpath_testkit::check_random_c;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
#[expect(clippy::print_stdout, reason = "how much was compared is what a long run is for")]
fn no_claim_about_a_random_function_contradicts_a_run() {
    let first = number("FOOTPATH_SEED", 1);
    let seeds: Vec<u64> = (first..first + number("FOOTPATH_CASES", 2)).collect();
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("random_c");
    let total = Mutex::new((0, 0, 0));
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let check = |seed: &u64| {
        let folder = scratch.join(seed.to_string());
        match check_random_c(*seed, &folder) {
            Ok(compared) => {
                let _ = std::fs::remove_dir_all(&folder);
                let mut total = total.lock().expect("no check panics");
                total.0 += compared.truths;
                total.1 += compared.found_out;
                total.2 += compared.conditions;
                None
            }
            Err(why) => Some(why),
        }
    };
    let found = footpath_parallel::in_parallel(&seeds, jobs, &AtomicBool::new(false), &check);
    let complaints: Vec<String> = found.into_iter().flatten().flatten().collect();
    let (truths, found_out, conditions) = total.into_inner().expect("no check panics");
    println!("{truths} truths, found out {found_out} times; {conditions} conditions");
    assert!(complaints.is_empty(), "{} of {}:\n{}", complaints.len(), seeds.len(), complaints.join("\n"));
    // Else nothing was compared.
    assert!(truths > 0 && found_out > 0 && conditions > 0);
}
