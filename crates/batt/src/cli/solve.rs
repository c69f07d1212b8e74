//! Arguments of `batt solve`.

#![allow(clippy::doc_markdown, reason = "the comments here are what --help prints")]

use std::path::PathBuf;

use clap::Args;

use super::{DeviceArgs, TaskArgs};

/// Arguments of `batt solve`.
#[derive(Debug, Args)]
#[command(after_help = "\
Rules are learnt from the demos alone: which cells become which colour, by features that are
expressions of the DSL, on the input and on grids made from it. A rule is trusted by how often it is
learnt again, and right, with a demo left out. Every attempt is the output of an ordinary program,
run by the reference interpreter; --programs writes these programs.

The same tasks give the same answers on any number of threads and any device.

Examples:
  batt solve                                            the built-in tasks
  batt solve --tasks arc1:train -o submission.json --programs found.py
  batt solve --tasks arc1 --task 00d62c1b --explain
  batt score submission.json --tasks arc1:train
  batt evolve found.py --tasks arc1:train               go on from what was found

Exit codes: 0 if every test has an attempt by a program, 1 if not, 2 on an error; 130, 143 or 129 if
a signal ended it early, what was found is written then, too.")]
pub struct SolveArgs {
    /// Where the tasks come from.
    #[command(flatten)]
    pub tasks: TaskArgs,
    /// The submission to write; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write the programs that make the attempts; `-` is standard output
    #[arg(long, value_name = "FILE.py")]
    pub programs: Option<PathBuf>,
    /// How many attempts per test; ARC Prize takes two
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=3))]
    pub attempts: u8,
    /// Draw each task's attempts, with the programs that make them and how they were found
    #[arg(long, conflicts_with = "json")]
    pub explain: bool,
    /// Where to evaluate.
    #[command(flatten)]
    pub device: DeviceArgs,
    /// How many threads to use; all cores if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Begin no more tasks after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_seconds: Option<u64>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
