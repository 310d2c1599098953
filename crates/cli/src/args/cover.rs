//! What the flags of `footpath cover` ask for.

use footpath_cover as cover;
use footpath_transform::Bounds;

use super::{Algorithm, CoverArgs, Criterion, Deny, DenyTest, Encoding, TestArgs};

impl CoverArgs {
    /// How far loops and calls are followed.
    pub fn bounds(&self) -> Bounds {
        Bounds { unwind: self.unwind, recursion: self.recursion, max_blocks: self.max_blocks }
    }

    /// The engine's options.
    pub fn options(&self) -> cover::CoverOptions {
        let defaults = cover::CoverOptions::default();
        cover::CoverOptions {
            criterion: match self.criterion {
                Criterion::Statement => cover::Criterion::Statement,
                Criterion::Path => cover::Criterion::Path,
            },
            algorithm: match self.algorithm {
                Algorithm::Auto => cover::Algorithm::Auto,
                Algorithm::Statement => cover::Algorithm::Statement,
                Algorithm::Path => cover::Algorithm::Path,
                Algorithm::WorstCase => cover::Algorithm::WorstCase,
                Algorithm::QueryOptimal => cover::Algorithm::QueryOptimal,
                Algorithm::States => cover::Algorithm::States,
                Algorithm::Alone => cover::Algorithm::Alone,
            },
            encoding: match self.encoding {
                Encoding::Merged => cover::Encoding::Merged,
                Encoding::Paper => cover::Encoding::Paper,
            },
            unwind: self.unwind,
            recursion: self.recursion,
            timeout: self.timeout.0,
            query_timeout: self.query_timeout.0,
            random_runs: self.random_runs,
            seed: self.seed,
            solver: self.solver.clone(),
            cross_check: self.cross_check.clone(),
            dump_smt: self.dump_smt.clone(),
            jobs: self.jobs.map_or(defaults.jobs, usize::from),
            max_blocks: self.max_blocks,
            max_tests: self.max_tests,
            ..defaults
        }
    }

    /// Which flag does not go with C files, if one is given.
    pub fn refused_for_c(&self) -> Option<&'static str> {
        let refused = [
            (self.criterion != Criterion::Statement, "--criterion path"),
            (self.algorithm != Algorithm::Auto, "--algorithm"),
            (self.encoding != Encoding::Merged, "--encoding paper"),
            (self.solver != "z3", "--solver"),
            (self.cross_check.is_some(), "--cross-check"),
            (self.dump_smt.is_some(), "--dump-smt"),
            (self.dump_stage.is_some(), "--dump-stage"),
        ];
        refused.into_iter().find_map(|(given, name)| given.then_some(name))
    }

    /// The flags of `footpath test` that C files are compiled and tested with. What `cover` has no flag for is as it is
    /// there by default.
    pub fn test_args(&self) -> TestArgs {
        let defaults = TestArgs::for_files(self.files.clone());
        let denied = |deny: &Deny| match deny {
            Deny::Infeasible => Some(DenyTest::Infeasible),
            // Of a function of C that is not said: code counts as covered if a run executes it, however that ends.
            Deny::Doomed => None,
            Deny::Unknown => Some(DenyTest::Unknown),
        };
        TestArgs {
            function: self.procedure.clone(),
            timeout: self.timeout,
            jobs: self.jobs,
            unwind: self.unwind,
            calls: self.calls.clone(),
            c: self.c.clone(),
            seed: self.seed,
            format: self.format,
            output: self.output.clone().unwrap_or_else(|| defaults.output.clone()),
            deny: self.deny.iter().filter_map(denied).collect(),
            color: self.color,
            cflags: self.cflags.clone(),
            ..defaults
        }
    }
}
