//! Flags of `footpath merge`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::{Color, DenyTest, Emit, Format, ShownArgs, TestArgs, heading};

/// Flags of `footpath merge`.
#[derive(Clone, Debug, clap::Args)]
pub struct MergeArgs {
    /// The JSON reports of all shards, or of work units that have each function, in any order
    #[arg(required = true, value_name = "REPORT")]
    pub reports: Vec<PathBuf>,

    /// How results are printed; schema/test.schema.json describes the JSON
    #[arg(long, value_enum, default_value_t, help_heading = heading::OUTPUT)]
    pub format: Format,

    /// Print all there is to say, instead of what fits on a screen
    #[arg(long, help_heading = heading::OUTPUT)]
    pub verbose: bool,

    /// What is written into the folder; nothing by default
    #[arg(long, value_name = "LIST", value_enum, value_delimiter = ',', help_heading = heading::OUTPUT)]
    pub emit: Vec<EmitMerged>,

    /// The folder for reports
    #[arg(short, long, value_name = "DIR", default_value = "footpath-out", help_heading = heading::OUTPUT)]
    pub output: PathBuf,

    /// End with exit code 1 if one of these verdicts is found
    #[arg(long, value_name = "VERDICT", value_enum, value_delimiter = ',', help_heading = heading::OUTPUT)]
    pub deny: Vec<DenyTest>,

    /// Leave out the findings in this file; those on lines that have changed since are shown again
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT)]
    pub baseline: Option<PathBuf>,

    /// Write all findings of the shards into a file for --baseline
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT)]
    pub write_baseline: Option<PathBuf>,

    /// When to use colours
    #[arg(long, value_enum, default_value_t, help_heading = heading::OUTPUT)]
    pub color: Color,
}

/// Kinds of files that are written of merged reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum EmitMerged {
    /// report.json, as `--format json` prints it
    Json,
    /// report.html, a page for a browser
    Html,
    /// report.sarif, for code scanning
    Sarif,
    /// report.md, for a comment on a change
    Markdown,
    /// report.info, for coverage viewers; of runs with --coverage-from that report and what the tests add
    Lcov,
    /// exclusions.txt, the lines that no input executes, with markers for coverage tools; of runs with --coverage-from
    Exclusions,
}

impl MergeArgs {
    /// What is wanted of the results, as `footpath test` takes it.
    pub fn test_args(&self) -> TestArgs {
        let emit = |kind: &EmitMerged| match kind {
            EmitMerged::Json => Emit::Json,
            EmitMerged::Html => Emit::Html,
            EmitMerged::Sarif => Emit::Sarif,
            EmitMerged::Markdown => Emit::Markdown,
            EmitMerged::Lcov => Emit::Lcov,
            EmitMerged::Exclusions => Emit::Exclusions,
        };
        TestArgs {
            format: self.format,
            shown: ShownArgs { verbose: self.verbose, ..ShownArgs::default() },
            emit: self.emit.iter().map(emit).collect(),
            output: self.output.clone(),
            deny: self.deny.clone(),
            baseline: self.baseline.clone(),
            write_baseline: self.write_baseline.clone(),
            color: self.color,
            ..TestArgs::for_files(Vec::new())
        }
    }
}
