//! What is compared: one table.

use footpath_cover::{Algorithm, CoverOptions, Criterion, Encoding};

/// An algorithm with all that goes with it.
#[derive(Debug)]
pub struct Configuration {
    /// The name on the command line and in files.
    pub name: &'static str,
    /// What it is, in a few words, for tables.
    pub title: &'static str,
    /// What the paper measured for it.
    pub paper: Option<PaperRow>,
    /// Whether it runs when nothing is said.
    pub by_default: bool,
    criterion: Criterion,
    algorithm: Algorithm,
    encoding: Encoding,
    random_runs: Option<u32>,
}

/// A row of Table 1 of the paper.
#[derive(Clone, Copy, Debug)]
pub struct PaperRow {
    /// Questions for all 80 programs.
    pub queries: u64,
    /// Seconds in the theorem prover.
    pub seconds: f64,
}

const fn paper(queries: u64, seconds: f64) -> Option<PaperRow> {
    Some(PaperRow { queries, seconds })
}

/// All configurations, in the order of the tables. The baselines of the paper and its own algorithms use its
/// encoding; `random_runs` is the engine's default where it is `None`.
pub const CONFIGURATIONS: &[Configuration] = &[
    Configuration {
        name: "path-paper",
        title: "path cover, blocking clauses, paper's encoding",
        paper: paper(69_777, 13.12),
        by_default: true,
        criterion: Criterion::Path,
        algorithm: Algorithm::Path,
        encoding: Encoding::Paper,
        random_runs: Some(0),
    },
    Configuration {
        name: "path-merged",
        title: "path cover, blocking clauses, merged encoding",
        paper: None,
        by_default: false,
        criterion: Criterion::Path,
        algorithm: Algorithm::Path,
        encoding: Encoding::Merged,
        random_runs: Some(0),
    },
    Configuration {
        name: "path-dfs",
        title: "path cover, depth-first search",
        paper: None,
        by_default: true,
        criterion: Criterion::Path,
        algorithm: Algorithm::Auto,
        encoding: Encoding::Merged,
        random_runs: Some(0),
    },
    Configuration {
        name: "statement-paper",
        title: "statement cover, paper's encoding",
        paper: paper(854, 11.81),
        by_default: true,
        criterion: Criterion::Statement,
        algorithm: Algorithm::Statement,
        encoding: Encoding::Paper,
        random_runs: Some(0),
    },
    Configuration {
        name: "statement-merged",
        title: "statement cover, merged encoding",
        paper: None,
        by_default: true,
        criterion: Criterion::Statement,
        algorithm: Algorithm::Statement,
        encoding: Encoding::Merged,
        random_runs: Some(0),
    },
    Configuration {
        name: "statement-guided",
        title: "statement cover, default without concrete runs",
        paper: None,
        by_default: true,
        criterion: Criterion::Statement,
        algorithm: Algorithm::Auto,
        encoding: Encoding::Merged,
        random_runs: Some(0),
    },
    Configuration {
        name: "statement-auto",
        title: "statement cover, default",
        paper: None,
        by_default: true,
        criterion: Criterion::Statement,
        algorithm: Algorithm::Auto,
        encoding: Encoding::Merged,
        random_runs: None,
    },
    Configuration {
        name: "worst-case",
        title: "worst-case optimal, paper's encoding",
        paper: paper(1_760, 145.45),
        by_default: true,
        criterion: Criterion::Statement,
        algorithm: Algorithm::WorstCase,
        encoding: Encoding::Paper,
        random_runs: Some(0),
    },
    Configuration {
        name: "worst-case-merged",
        title: "worst-case optimal, merged encoding",
        paper: None,
        by_default: false,
        criterion: Criterion::Statement,
        algorithm: Algorithm::WorstCase,
        encoding: Encoding::Merged,
        random_runs: Some(0),
    },
    Configuration {
        name: "query-optimal",
        title: "query optimal, paper's encoding",
        paper: paper(512, 615.51),
        by_default: true,
        criterion: Criterion::Statement,
        algorithm: Algorithm::QueryOptimal,
        encoding: Encoding::Paper,
        random_runs: Some(0),
    },
    Configuration {
        name: "query-optimal-merged",
        title: "query optimal, merged encoding",
        paper: None,
        by_default: false,
        criterion: Criterion::Statement,
        algorithm: Algorithm::QueryOptimal,
        encoding: Encoding::Merged,
        random_runs: Some(0),
    },
];

impl Configuration {
    /// The engine's options for it; the time limit for a program is the caller's.
    pub fn options(&self) -> CoverOptions {
        let default = CoverOptions::default();
        // The published algorithms know no limit for one question: it may take all the time there is.
        let query_timeout = default.query_timeout.filter(|_| self.algorithm == Algorithm::Auto);
        CoverOptions {
            query_timeout,
            criterion: self.criterion,
            algorithm: self.algorithm,
            encoding: self.encoding,
            random_runs: self.random_runs.unwrap_or(default.random_runs),
            explain: false,
            jobs: 1,
            ..default
        }
    }

    /// Whether it finds every path.
    pub fn is_path_cover(&self) -> bool {
        self.criterion == Criterion::Path
    }

    /// Whether it is an algorithm of the paper or one of those it compares them with, in whichever encoding.
    pub fn is_published(&self) -> bool {
        self.algorithm != Algorithm::Auto
    }

    /// Whether it is one of the older methods that the paper compares its own with.
    pub fn is_baseline(&self) -> bool {
        matches!(self.algorithm, Algorithm::WorstCase | Algorithm::QueryOptimal)
    }
}

/// The configurations of a list of names separated by commas. `default`, `paper` and `all` stand for several.
pub fn select(list: &str) -> Result<Vec<&'static Configuration>, String> {
    let mut wanted = [false; CONFIGURATIONS.len()];
    for name in list.split(',').map(str::trim) {
        let mut found = false;
        for (is_wanted, c) in wanted.iter_mut().zip(CONFIGURATIONS) {
            let matches = match name {
                "all" => true,
                "default" => c.by_default,
                "paper" => c.paper.is_some(),
                _ => c.name == name,
            };
            *is_wanted |= matches;
            found |= matches;
        }
        if !found {
            let names: Vec<&str> = CONFIGURATIONS.iter().map(|c| c.name).collect();
            return Err(format!(
                "there is no algorithm `{name}`; there are {}, and default, paper, all",
                names.join(", ")
            ));
        }
    }
    Ok(CONFIGURATIONS.iter().zip(wanted).filter(|&(_, w)| w).map(|(c, _)| c).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_select_in_the_order_of_the_table() {
        let names = |list| select(list).map(|c| c.iter().map(|c| c.name).collect::<Vec<_>>());
        assert_eq!(names("paper"), Ok(vec!["path-paper", "statement-paper", "worst-case", "query-optimal"]));
        assert_eq!(names("worst-case, path-dfs,path-dfs"), Ok(vec!["path-dfs", "worst-case"]));
        assert_eq!(names("all").map(|n| n.len()), Ok(CONFIGURATIONS.len()));
        assert!(names("fastest").is_err_and(|e| e.contains("`fastest`") && e.contains("path-dfs")));
        assert!(names("").is_err());
    }

    #[test]
    fn names_are_unique() {
        for (i, c) in CONFIGURATIONS.iter().enumerate() {
            assert!(CONFIGURATIONS[..i].iter().all(|d| d.name != c.name && d.title != c.title), "{}", c.name);
        }
    }
}
