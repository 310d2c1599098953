
// What `cargo xtask mutate-semantics` puts behind the text of this crate, in its copy of the workspace only.

extern crate self as footpath_term;

/// Whether the mutant of this number is the one that this process runs; that it was asked for is written down.
#[doc(hidden)]
pub fn is_mutant(number: usize) -> bool {
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicBool, Ordering};
    static CHOSEN: LazyLock<Option<usize>> =
        LazyLock::new(|| std::env::var("FOOTPATH_MUTANT").ok()?.parse().ok());
    static REACHED: [AtomicBool; 4096] = [const { AtomicBool::new(false) }; 4096];
    let is_first = REACHED.get(number).is_some_and(|reached| {
        !reached.load(Ordering::Relaxed) && !reached.swap(true, Ordering::Relaxed)
    });
    if let (true, Some(file)) = (is_first, std::env::var_os("FOOTPATH_MUTANTS_REACHED")) {
        use std::io::Write as _;
        let file = std::fs::OpenOptions::new().create(true).append(true).open(file);
        // In one write, as several processes append to one file.
        let _ = file.and_then(|mut file| file.write_all(format!("{number}\n").as_bytes()));
    }
    *CHOSEN == Some(number)
}
