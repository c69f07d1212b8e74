//! Arguments of the commands around archives and submissions.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{EngineName, TaskArgs};

/// Which archive.
#[derive(Debug, Args)]
pub struct ArchivePlace {
    /// The archive: a file, `sqlite:PATH`, or `postgres://user@host/database`
    #[arg(
        long,
        value_name = "URL",
        env = "BATT_ARCHIVE",
        hide_env_values = true,
        default_value = "batt.db"
    )]
    pub archive: String,
}

/// Arguments of `batt archive`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  batt archive ls                            the best program of every task in batt.db
  batt archive ls --task 007bbfb7            all programs of a task, the best first
  batt archive show 3fa9                     a program by the start of its hash
  batt archive export -o mine.jsonl          everything, as lines of JSON in one order
  batt archive import theirs.jsonl --tasks arc1
  batt archive check --rerun --tasks arc1 --archive postgres://me@host/batt")]
pub struct ArchiveArgs {
    /// What to do with the archive.
    #[command(subcommand)]
    pub action: ArchiveAction,
}

/// What to do with an archive.
#[derive(Debug, Subcommand)]
pub enum ArchiveAction {
    /// List tasks with their best programs, or the programs of some tasks
    Ls(LsArgs),
    /// Show programs with their scores and where they come from
    Show(ArchiveShowArgs),
    /// Write everything as lines of JSON, in one order
    Export(ExportArgs),
    /// Add what exports hold; every result is made anew first
    Import(ImportArgs),
    /// Keep only the best programs of every task
    Prune(PruneArgs),
    /// Count what is there
    Stats(StatsArgs),
    /// Check the database, every hash and every score
    Check(CheckArgs),
}

/// Arguments of `batt archive ls`.
#[derive(Debug, Args)]
pub struct LsArgs {
    /// Which archive.
    #[command(flatten)]
    pub place: ArchivePlace,
    /// List the programs of these tasks
    #[arg(long = "task", value_name = "ID")]
    pub tasks: Vec<String>,
    /// How many programs to list per task
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub limit: u32,
    /// Print lines of JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `batt archive show`.
#[derive(Debug, Args)]
pub struct ArchiveShowArgs {
    /// Programs, by their hash or the start of it
    #[arg(required = true, value_name = "HASH")]
    pub programs: Vec<String>,
    /// Which archive.
    #[command(flatten)]
    pub place: ArchivePlace,
    /// Print lines of JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `batt archive export`.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// Which archive.
    #[command(flatten)]
    pub place: ArchivePlace,
    /// The file to write; standard output if not given, or `-`
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write the programs that are right on all demos of a task as functions `solve_<task>`, which
    /// `batt run` reads
    #[arg(long)]
    pub python: bool,
    /// With --python: how many programs of a task, the best first
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..), requires = "python")]
    pub best: u32,
}

/// Arguments of `batt archive import`.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// Exports
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Which archive.
    #[command(flatten)]
    pub place: ArchivePlace,
    /// Where the tasks come from.
    #[command(flatten)]
    pub tasks: TaskArgs,
    /// Take results as they are, without running the programs
    #[arg(long, conflicts_with_all = ["tasks", "only"])]
    pub trust: bool,
}

/// Arguments of `batt archive prune`.
#[derive(Debug, Args)]
pub struct PruneArgs {
    /// Which archive.
    #[command(flatten)]
    pub place: ArchivePlace,
    /// How many programs to keep per task, by exact demos, score, cost and hash
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub keep: u32,
}

/// Arguments of `batt archive stats`.
#[derive(Debug, Args)]
pub struct StatsArgs {
    /// Which archive.
    #[command(flatten)]
    pub place: ArchivePlace,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `batt archive check`.
#[derive(Debug, Args)]
#[command(after_help = "\
Looks at what the database finds, the seal of every row, what was promised and is not there, every
hash and every score. Without --tasks, --rerun takes the archive's tasks from the built-in ones and
the data sets that were fetched, each by the hash of its demos.

Exit codes: 0 if nothing is wrong, 1 if something is or not all was made anew, 2 on an error.")]
pub struct CheckArgs {
    /// Which archive.
    #[command(flatten)]
    pub place: ArchivePlace,
    /// Make every result anew with the reference interpreter, and compare
    #[arg(long)]
    pub rerun: bool,
    /// Where the tasks come from.
    #[command(flatten)]
    pub tasks: TaskArgs,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `batt submit`.
#[derive(Debug, Args)]
#[command(after_help = "\
Attempts are the first distinct grids that the best programs of a task give for a test input;
programs are ranked by what they do on the demos alone. Where they give too few, the input itself
follows, then a black grid of 2 x 2.

Programs of files run on the task that they name, or on every task if they name none.

Examples:
  batt submit --tasks arc1:eval                         from the archive batt.db
  batt submit --archive runs.db --tasks arc-agi_test_challenges.json
  batt submit --programs solvers.py --tasks arc1:train -o out.json
  batt score submission.json --tasks arc1:eval")]
pub struct SubmitArgs {
    /// Which archive.
    #[command(flatten)]
    pub place: ArchivePlace,
    /// Take programs from these files or folders of *.py instead of an archive
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub programs: Vec<PathBuf>,
    /// Where the tasks come from.
    #[command(flatten)]
    pub tasks: TaskArgs,
    /// The file to write; `-` is standard output
    #[arg(short, long, value_name = "FILE", default_value = "submission.json")]
    pub output: PathBuf,
    /// How many attempts per test; ARC Prize takes two
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=3))]
    pub attempts: u8,
    /// How many programs of a task to run, the best first
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub best: u32,
    /// What evaluates the programs
    #[arg(long, value_enum, default_value_t = EngineName::Auto, value_name = "ENGINE")]
    pub engine: EngineName,
    /// How many threads to use; all cores if not given. The submission is the same
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Print what was written as JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `batt score`.
#[derive(Debug, Args)]
#[command(after_help = "\
A submission is JSON as ARC Prize takes it, {task: [{\"attempt_1\": grid, \"attempt_2\": grid}]},
with attempt_3 if you like, or the CSV of 2019 and 2020 (output_id,output). An output is right
at top-2 if one of its first two attempts is; a task if all its outputs are.

Examples:
  batt score submission.json --tasks arc1:eval
  batt score submission.csv --solutions arc-agi_evaluation_solutions.json
  batt score submission.json --tasks arc1:eval --all")]
pub struct ScoreArgs {
    /// The submission
    pub submission: PathBuf,
    /// Where the tasks come from.
    #[command(flatten)]
    pub tasks: TaskArgs,
    /// Take the solutions from this file of outputs by task
    #[arg(long, value_name = "FILE", conflicts_with_all = ["tasks", "only"])]
    pub solutions: Option<PathBuf>,
    /// List every task
    #[arg(long)]
    pub all: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
