//! Arguments of `batt solve`.

#![allow(clippy::doc_markdown, reason = "the comments here are what --help prints")]

use std::path::PathBuf;

use batt::run::engine::cuda::Room;
use batt::solve::Part;
use batt::solve::part::DEFAULT_BUDGET;
use clap::Args;

use super::{MemoryArgs, TaskArgs};

/// What is asked for where tasks are solved, and not where costs are learnt.
const OF_SOLVING: [&str; 10] = [
    "tasks", "only", "parts", "output", "programs", "library", "explain", "costs", "archive",
    "json",
];

/// Arguments of `batt solve`.
#[derive(Debug, Args)]
#[command(after_help = "\
Three parts look for programs that are right on all demos:
  cells        rules that say what each cell becomes: trees over features that are expressions of
               the DSL, on the input and on views, grids made from it (halves, crops, tilings)
  objects      rules that say which objects move, turn, grow, are copied or completed, and which
               lines and patterns are drawn for them; or which of them is the output
  enumeration  expressions built bottom-up over the primitives, the cheapest first, each value once;
               outputs are also assembled from them, as layers over a grid or cell by cell
What tests should give is never looked at, except to count what was right in the end.

A program is trusted by how often its like is learnt again, and right, with a demo left out. Every
attempt is the output of an ordinary program, run by the reference interpreter; --programs writes
these programs, and --explain shows them step by step.

The same tasks, seed and budget give the same answers on any number of threads, on any device, and
after an interruption with --resume.

Examples:
  batt solve                                            the built-in tasks
  batt solve --tasks arc1:train -o submission.json --programs found.py
  batt solve --tasks arc1 --task 00d62c1b --explain     what was tried, and the program step by step
  batt solve --tasks arc1:train --parts objects         one part alone
  batt solve --tasks arc1:eval --budget 4000000         a tenth of the usual budget
  batt score submission.json --tasks arc1:train
  batt solve --tasks arc1:train --archive a.db          keep programs as they are found
  batt solve --tasks arc1:train --archive a.db --resume go on after an interruption
  batt solve --tasks arc1:train --library short.py      a library of short programs, which grows
  batt solve --learn-costs costs.txt --learn-from short.py
  batt solve --tasks arc1:eval --costs costs.txt        enumerate by what the library uses
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
    /// Add short programs that are right on all known tests to this file, a library for --learn-costs
    #[arg(long, value_name = "FILE.py")]
    pub library: Option<PathBuf>,
    /// How many attempts per test; ARC Prize takes two
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=3))]
    pub attempts: u8,
    /// Draw what was tried for each task, how its attempts were found, and their programs step by step;
    /// with an ID, for this task alone
    #[arg(long, value_name = "ID", num_args = 0..=1, default_missing_value = "", conflicts_with = "json")]
    pub explain: Option<String>,
    /// Which parts look for answers: cells, objects, enumeration; all if not given
    #[arg(long, value_name = "PART", value_delimiter = ',')]
    pub parts: Vec<Part>,
    /// How many row evaluations a task may take at most; a part ends at the same place every time
    #[arg(long, value_name = "ROWS", default_value_t = DEFAULT_BUDGET, value_parser = clap::value_parser!(u64).range(1..))]
    pub budget: u64,
    /// How much memory all tasks under way may take together, such as 2GiB; where it is little, fewer are
    /// under way at a time. 512MiB for each thread if not given
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory: Option<usize>,
    /// What decides between attempts that are worth the same
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub seed: u64,
    /// What the operations of the enumeration cost: a table that --learn-costs wrote
    #[arg(long, value_name = "FILE")]
    pub costs: Option<PathBuf>,
    /// Solve nothing: learn what the operations of the enumeration cost from programs, and write the table,
    /// which is text; costs.txt if not given, `-` is standard output
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "costs.txt",
        conflicts_with_all = OF_SOLVING)]
    pub learn_costs: Option<PathBuf>,
    /// Programs to learn costs from: files, or folders of *.py; the built-in ones if not given
    #[arg(long, value_name = "FILE.py", requires = "learn_costs", conflicts_with_all = OF_SOLVING)]
    pub learn_from: Vec<PathBuf>,
    /// Keep what is found in this archive: a file, `sqlite:PATH`, or `postgres://user@host/database`
    #[arg(long, value_name = "URL")]
    pub archive: Option<String>,
    /// Go on where the run with these tasks and options stopped
    #[arg(long, requires = "archive")]
    pub resume: bool,
    /// Where views and features of grids are evaluated: cpu, auto, cuda, cuda:0,1, cuda:all, or emulator,
    /// which runs the kernels of a GPU on this CPU, slowly. Rules are always learnt, and expressions
    /// enumerated, by the cores of the CPU
    #[arg(long, value_name = "DEVICE", default_value = "cpu")]
    pub device: String,
    /// How much of a GPU's free memory to use.
    #[command(flatten)]
    pub gpu: MemoryArgs,
    /// How many threads to use; all cores if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Begin no more tasks after so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_seconds: Option<u64>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Commit every so many seconds at most; 0 commits every task. The results are the same
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0, value_parser = super::seconds, hide = true)]
    pub checkpoint_seconds: f64,
}

fn bytes(text: &str) -> Result<usize, String> {
    match text.parse::<Room>() {
        Ok(Room::Bytes(bytes)) => Ok(bytes),
        Ok(Room::Share(_)) => Err("bytes such as 2GiB are needed".to_string()),
        Err(error) => Err(error.to_string()),
    }
}
