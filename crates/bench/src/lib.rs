//! The experiments of the papers: generated programs, measurements, tables and plots.
//!
//! | idea | file |
//! |---|---|
//! | random programs | `generate.rs` |
//! | the experiment of RVC, section 7 | `rvc.rs` |
//! | strategies of dynamic symbolic execution | `explore.rs` |
//! | the counts of FC | `failures.rs` |
//! | the experiment of PV, section 4.2 | `guide.rs` |
//! | the experiment of APC, section 9 | `reach.rs` |
//! | what the simplifier makes of conditions of paths | `simplify.rs` |
//! | what calls cost, inlined and summarised | `summaries.rs` |
//! | clusters that cannot be had here, simulated | `scale.rs` |
//! | other tools on the same C functions | `tools.rs` |
//! | plots | `svg.rs` |
//! | tables that programs read | `csv.rs` |
//! | files that are complete or not there | `output.rs` |
//!
//! **Invariants:** nothing here prints; progress is reported as events. No engine knows of these programs: they
//! are measured through the interface that everybody uses.

pub mod csv;
pub mod explore;
pub mod failures;
pub mod generate;
pub mod guide;
pub mod output;
pub mod reach;
pub mod rvc;
pub mod scale;
pub mod simplify;
pub mod summaries;
pub mod svg;
pub mod tools;
