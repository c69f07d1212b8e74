//! Arguments of `batt evolve`.

use std::path::PathBuf;

use clap::Args;

use super::keep::ArchivePlace;
use super::{MemoryArgs, TaskArgs};

/// Arguments of `batt evolve`.
#[derive(Debug, Args)]
#[command(after_help = "\
Programs are bred for every task: children of those that are there, and what works on other tasks.
Demos decide; what is known of tests is only reported. The same seed and the same number of
generations give the same archive for any number of threads and on every engine, also when the run
was interrupted and resumed.

Programs grow while they are bred, so fewer of them are evaluated in each second as time goes on.
What is shown says how many now and on average, and how many rows: an expression on a sample or on
an item is one.

Examples:
  batt evolve --minutes 1                        from the built-in programs, on the built-in tasks
  batt evolve --scratch --minutes 5 --plot p.svg from random programs only
  batt evolve solvers.py --tasks arc1:eval --minutes 600 --archive eval.db
  batt evolve solvers.py --tasks arc1:eval --minutes 600 --archive eval.db --resume
  batt evolve --from solved.db --minutes 5       go on from what `batt solve` nearly had
  batt submit --archive eval.db --tasks arc1:eval

A task is solved once the archive has a program of this run that solves its demos: what the
interpreter does not confirm is not kept, does not count, and is reported by reason.

Exit codes: 0 if the demos of every task are solved, 1 if not, 2 on an error; 130, 143 or 129 if
Ctrl-C, SIGTERM or SIGHUP ended it (everything up to then is in the archive; --resume goes on).")]
pub struct EvolveArgs {
    /// Files of programs to start from, or folders of *.py; the built-in programs if none are given
    pub programs: Vec<PathBuf>,
    /// Where the tasks come from.
    #[command(flatten)]
    pub tasks: TaskArgs,
    /// Start from random programs only
    #[arg(long, conflicts_with = "programs")]
    pub scratch: bool,
    /// How many random programs to start with, besides the others
    #[arg(long, value_name = "N", default_value_t = 32)]
    pub random: u32,
    /// Start from the best programs of another archive, too, such as what `batt solve --archive` found
    #[arg(long, value_name = "URL")]
    pub from: Option<String>,
    /// Stop after so many minutes; the generation that is under way then is not kept
    #[arg(long, value_name = "MINUTES", value_parser = minutes)]
    pub minutes: Option<f64>,
    /// Stop after so many generations, those before an interruption included
    #[arg(long, value_name = "N")]
    pub generations: Option<u32>,
    /// Stop once the demos of every task are solved
    #[arg(long)]
    pub until_solved: bool,
    /// How many programs stay, per task and island; each generation has eight times as many children
    #[arg(long, value_name = "N", default_value_t = 128, value_parser = clap::value_parser!(u32).range(4..=100_000))]
    pub population: u32,
    /// How many islands breed for every task, each on its own but for visits
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub islands: u32,
    /// How many programs the archive keeps per task
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..))]
    pub keep: u32,
    /// What all chance follows from
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub seed: u64,
    /// Where to evaluate: auto, reference, cpu, cuda, cuda:0,1 or cuda:all. The results are the same
    #[arg(long, alias = "engine", default_value = "auto", value_name = "DEVICE")]
    pub device: String,
    /// How much of a GPU's free memory to use.
    #[command(flatten)]
    pub memory: MemoryArgs,
    /// Which archive.
    #[command(flatten)]
    pub place: ArchivePlace,
    /// Go on where the run with this seed, these tasks and these programs stopped
    #[arg(long)]
    pub resume: bool,
    /// How many threads to use; all cores if not given. The results are the same
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Write a line of JSON for every generation, as it ends; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub metrics: Option<PathBuf>,
    /// Draw how the run went; `-` is standard output
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,
    /// Commit every so many seconds at most; 0 commits every generation. The results are the same
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0, value_parser = super::seconds, hide = true)]
    pub checkpoint_seconds: f64,
}

fn minutes(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(n) if n.is_finite() && (0.0..=1e9).contains(&n) => Ok(n),
        _ => Err("a number of minutes is needed, such as 10".to_string()),
    }
}
