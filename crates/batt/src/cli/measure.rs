//! The commands that check and measure: `verify`, `profile`, `bench`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand, ValueEnum};

use super::{DeviceArgs, EngineName, MemoryArgs, OnError, TaskArgs};

/// Arguments of `batt verify`.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("sides").required(true), after_help = "\
Every output, how engines mark it, and every score that the built-in differs give it, is compared. On
a difference the program and the grids are made as small as they get while they still differ, and
written as a conformance case that `batt conform` reads.

With --evolved the programs are bred, on random seeds for random tasks of the data set: one run from
random programs only, the next one from PROGRAMS too, and so on. Every candidate of every generation
is compared, in the battery that breeding deals it into, not only what stays.

Examples:
  batt verify --merged-against-alone
  batt verify solvers.py --tasks arc1:train --merged-against-alone --on-error safe
  batt verify --random 200 --seed 7 --engines reference,cpu
  batt verify --evolved 1000000 --no-scores --engines reference,cpu
  batt verify solvers.py --tasks arc1:train --evolved 100000 --seed 3 --engines cpu,cuda

Exit codes: 0 if nothing differs, 1 if something does, 2 on an error.")]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of the command")]
pub struct VerifyArgs {
    /// Files of programs, or folders of *.py; the built-in programs if none are given
    pub programs: Vec<PathBuf>,
    /// Where the tasks come from.
    #[command(flatten)]
    pub tasks: TaskArgs,
    /// All programs as one battery, against each program by itself
    #[arg(long, group = "sides")]
    pub merged_against_alone: bool,
    /// One battery on two engines: reference, cpu, cuda, emulator
    #[arg(long, group = "sides", value_name = "A,B", value_delimiter = ',', num_args = 1)]
    pub engines: Vec<String>,
    /// How much of a GPU's free memory to use.
    #[command(flatten)]
    pub memory: MemoryArgs,
    /// The battery with the fusing rules, against the battery without them
    #[arg(long, group = "sides")]
    pub fused_against_unfused: bool,
    /// What an error inside a program does
    #[arg(long, value_enum, default_value_t = OnError::Strict, value_name = "POLICY")]
    pub on_error: OnError,
    /// Compare every program on every task, not only on the one it names
    #[arg(long)]
    pub cross: bool,
    /// Also so many random programs, on every task; without PROGRAMS only these, and without
    /// --tasks on random tasks
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub random: usize,
    /// Breed programs until so many answers are compared: of every candidate, on the task it was bred for
    #[arg(long, value_name = "ANSWERS", conflicts_with_all = ["random", "cross"], value_parser = clap::value_parser!(u64).range(1..))]
    pub evolved: Option<u64>,
    /// The seed of what is random
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub seed: u64,
    /// Compare outputs only
    #[arg(long)]
    pub no_scores: bool,
    /// Where a difference is written; `-` is standard output
    #[arg(long, value_name = "FILE", default_value = "verify-failure.jsonl")]
    pub write: PathBuf,
    /// How many threads to use; all cores if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `batt profile`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  batt profile
  batt profile solvers.py --tasks arc1:train --first 100 --top 30
  batt profile solvers.py --tasks arc1:train --first 2000 --device cuda
  batt profile --svg profile.svg")]
pub struct ProfileArgs {
    /// Files of programs, or folders of *.py; the built-in programs if none are given
    pub programs: Vec<PathBuf>,
    /// Where the tasks come from.
    #[command(flatten)]
    pub tasks: TaskArgs,
    /// What evaluates the battery
    #[arg(long, value_enum, default_value_t = EngineName::Auto, value_name = "ENGINE", conflicts_with = "device")]
    pub engine: EngineName,
    /// Where to evaluate.
    #[command(flatten)]
    pub on: DeviceArgs,
    /// How many primitives and how many slots to list
    #[arg(long, value_name = "N", default_value_t = 15)]
    pub top: usize,
    /// Score every output with the built-in differs as well
    #[arg(long)]
    pub differs: bool,
    /// Run on the first so many samples
    #[arg(long, value_name = "K", default_value_t = 200)]
    pub first: usize,
    /// Write a flame-style picture: frames, primitives, slots; `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `batt bench`.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// What to measure.
    #[command(subcommand)]
    pub what: BenchWhat,
}

/// What to measure.
#[derive(Debug, Subcommand)]
pub enum BenchWhat {
    /// Alone, as a battery on one thread, as a battery on all cores, by engine
    Feasibility(BenchWork),
    /// How cost grows with samples, expressions and batches, and the slowest rows
    Scaling(BenchScaling),
    /// Unfused, fused and alone; and what compiling costs
    Card(BenchWork),
    /// Every program on every sample, as one battery: what a pair costs
    Cross(BenchCross),
    /// What a pair costs by number of samples, end to end, on a device or on all cores
    Throughput(BenchThroughput),
    /// How often `--device auto` picks the faster side, over sizes of batteries and batches
    Auto(BenchAuto),
    /// How many new programs evolution makes and evaluates per second and core, archive included
    Evolve(BenchEvolve),
    /// How many candidates the enumeration of `batt solve` tries per second and core
    Enumerate(BenchEnumerate),
    /// How many tasks `batt solve` answers in how much CPU time, by part and budget
    Solve(BenchSolve),
    /// Break every program with random changes; how many does evolution repair?
    Repair(BenchRepair),
    /// The public Python DSL against ours, over the same programs and examples
    Python(BenchPython),
}

/// What is run while it is measured.
#[derive(Debug, Args)]
pub struct BenchWork {
    /// Files of programs, or folders of *.py; the built-in programs if none are given
    pub programs: Vec<PathBuf>,
    /// Where the tasks come from.
    #[command(flatten)]
    pub tasks: TaskArgs,
    /// What evaluates the battery
    #[arg(long, value_enum, default_value_t = EngineName::Auto, value_name = "ENGINE")]
    pub engine: EngineName,
    /// Run on the first so many samples
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub samples: usize,
    /// Take the median of so many times
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub repeats: u16,
    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Programs, and the tasks that all of them run on.
#[derive(Debug, Args)]
pub struct BenchSubject {
    /// Files of programs, or folders of *.py; the built-in programs if none are given
    pub programs: Vec<PathBuf>,
    /// Where the tasks come from.
    #[command(flatten)]
    pub tasks: TaskArgs,
    /// Leave out the programs of these tasks
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub without: Vec<String>,
}

/// What grows while it is measured.
#[derive(Debug, Args)]
#[command(after_help = "\
Samples and expressions: all the work is done for every size, cut into fewer and larger parts, so that
heavy programs weigh the same in each; CPU time of the engine on one thread. Rows: one sample at a time
with a clock at every step; a step fills one column, and its time bounds the time of each of its rows.
Batches: elapsed time on all cores by number of samples, of tasks and by batch size.

Examples:
  batt bench scaling
  batt bench scaling solvers.py --tasks arc1:train --without a64e4611 --samples 200 --plots plots
  batt bench scaling --only rows --top 30")]
pub struct BenchScaling {
    /// What is measured.
    #[command(flatten)]
    pub subject: BenchSubject,
    /// What evaluates the battery
    #[arg(long, value_enum, default_value_t = EngineName::Auto, value_name = "ENGINE")]
    pub engine: EngineName,
    /// Run on the first so many samples; all if not given
    #[arg(long, value_name = "N")]
    pub samples: Option<usize>,
    /// Measure only some of it
    #[arg(long = "only", value_enum, value_name = "PART", value_delimiter = ',')]
    pub parts: Vec<ScalingPart>,
    /// How many of the slowest steps and rows to list
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub top: usize,
    /// Write pictures of the growth (SVG) into this folder
    #[arg(long, value_name = "DIR")]
    pub plots: Option<PathBuf>,
    /// Take the median of so many times; of slow rows the shortest
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub repeats: u16,
    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// What `batt bench scaling` measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ScalingPart {
    /// Time against samples
    Samples,
    /// Time against distinct expressions
    Expressions,
    /// The slowest steps and rows
    Rows,
    /// By samples, tasks and batch size, on all cores
    Batches,
}

impl ScalingPart {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            ScalingPart::Samples => "samples",
            ScalingPart::Expressions => "expressions",
            ScalingPart::Rows => "rows",
            ScalingPart::Batches => "batches",
        }
    }
}

/// What is run on every sample.
#[derive(Debug, Args)]
#[command(after_help = "\
CPU time of one thread for a pair of a program and a sample: the engine's, and the interpreter's for
what the engine handed back. Then the engine's elapsed time on one thread and on all cores.

Example:
  batt bench cross solvers.py --tasks arc1:train --without a64e4611")]
pub struct BenchCross {
    /// What is measured.
    #[command(flatten)]
    pub subject: BenchSubject,
    /// What evaluates the battery
    #[arg(long, value_enum, default_value_t = EngineName::Auto, value_name = "ENGINE", conflicts_with = "device")]
    pub engine: EngineName,
    /// Where to evaluate.
    #[command(flatten)]
    pub on: DeviceArgs,
    /// Run on the first so many samples; all if not given
    #[arg(long, value_name = "N")]
    pub samples: Option<usize>,
    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// What is bred while it is measured.
#[derive(Debug, Args)]
#[command(after_help = "\
Every task is bred for by itself, on one thread, from random programs (and those that are given), into
an archive of its own. A program counts once: what was met before is not evaluated. Seconds are those
of CPU time.

Example:
  batt bench evolve --generations 50")]
pub struct BenchEvolve {
    /// Files of programs to start from, besides random ones
    pub programs: Vec<PathBuf>,
    /// Where the tasks come from.
    #[command(flatten)]
    pub tasks: TaskArgs,
    /// What evaluates the programs
    #[arg(long, value_enum, default_value_t = EngineName::Auto, value_name = "ENGINE")]
    pub engine: EngineName,
    /// How many generations of 1,024 children to breed for each task
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub generations: u32,
    /// The seed of what is random
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub seed: u64,
    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// What is enumerated while it is measured.
#[derive(Debug, Args)]
#[command(after_help = "\
Every task is enumerated by itself, on one thread of the CPU, from its inputs and the constants that its
demos speak of. A candidate is one operation applied to known values on all demos and tests of a task; it
has a row for each of them, or for each item of a loop. Values that are known already are dropped, which
is in the time. Seconds are those of CPU time.

Examples:
  batt bench enumerate
  batt bench enumerate --tasks arc1:train --rows 1000000")]
pub struct BenchEnumerate {
    /// Where the tasks come from.
    #[command(flatten)]
    pub tasks: TaskArgs,
    /// How many rows to evaluate for each task
    #[arg(long, value_name = "N", default_value_t = 4_000_000)]
    pub rows: u64,
    /// How many MiB the values of a task may take; what is dear has no room then
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pub memory: u32,
    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// What is solved while it is measured.
#[derive(Debug, Args)]
#[command(after_help = "\
Tasks whose tests are known are solved by each part alone, and by all, within each budget; what is right is
counted afterwards. By part: whose attempt is the right one. Seconds are those of CPU time, for all tasks.

Examples:
  batt bench solve
  batt bench solve --tasks arc1:train --budgets 4000000,40000000,400000000 --plot solve.svg")]
pub struct BenchSolve {
    /// Where the tasks come from.
    #[command(flatten)]
    pub tasks: TaskArgs,
    /// Budgets of all parts together, in row evaluations for a task
    #[arg(long, value_name = "ROWS", value_delimiter = ',', default_value = "4000000,40000000", value_parser = clap::value_parser!(u64).range(1..))]
    pub budgets: Vec<u64>,
    /// Budgets of each part alone
    #[arg(long, value_name = "ROWS", value_delimiter = ',', default_value = "40000000", value_parser = clap::value_parser!(u64).range(1..))]
    pub alone: Vec<u64>,
    /// Draw the curves of tasks against CPU time (SVG)
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,
    /// How many threads to use; all cores if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// What is broken and repaired.
#[derive(Debug, Args)]
#[command(after_help = "\
One to three random changes (a constant, a primitive, a variable, a line more or less) break each
program, so that it does not solve the demos of its task any more. Then evolution starts from what is
left, with the input as it is and a few random programs beside it.

Examples:
  batt bench repair
  batt bench repair --task tent --seconds 10 --seed 3")]
pub struct BenchRepair {
    /// Files of programs, or folders of *.py; the built-in programs if none are given
    pub programs: Vec<PathBuf>,
    /// Where the tasks come from.
    #[command(flatten)]
    pub tasks: TaskArgs,
    /// What evaluates the programs
    #[arg(long, value_enum, default_value_t = EngineName::Auto, value_name = "ENGINE")]
    pub engine: EngineName,
    /// How long to try, for each program
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = super::seconds)]
    pub seconds: f64,
    /// How many threads to use
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// The seed of what is random
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub seed: u64,
    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// What is run with Python and with batt.
#[derive(Debug, Args)]
#[command(after_help = "\
Every program of DIR/solvers.py runs on the examples of the task it names: in Python, with the
functions of DIR/dsl.py, and here, as a battery of its own. CPU time of one thread, evaluation only;
reading and compiling are reported apart. Python runs once, batt as often as --repeats says after a
run that does not count.

Example:
  batt bench python --arc-dsl arc-dsl --tasks arc1:train")]
pub struct BenchPython {
    /// The folder that holds dsl.py and solvers.py
    #[arg(long, value_name = "DIR")]
    pub arc_dsl: PathBuf,
    /// Where the tasks come from.
    #[command(flatten)]
    pub tasks: TaskArgs,
    /// The Python to run it with
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    pub python: PathBuf,
    /// What evaluates the batteries
    #[arg(long, value_enum, default_value_t = EngineName::Auto, value_name = "ENGINE")]
    pub engine: EngineName,
    /// Take the median of so many times
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub repeats: u16,
    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Which sizes are tried on both sides.
#[derive(Debug, Args)]
#[command(after_help = "\
Every battery runs on every number of samples, on all cores and on the device, and `auto` says which
side it would take: from the calibration that `batt devices` shows, with the device open.

Examples:
  batt bench auto
  batt bench auto solvers.py --tasks arc1 --batteries 50,399 --samples 100,1000,10000 --json")]
pub struct BenchAuto {
    /// What is measured.
    #[command(flatten)]
    pub subject: BenchSubject,
    /// Sizes of batteries, in programs; where there are too few, the same are added with two colours of the input exchanged
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "5,20,80,320", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub batteries: Vec<u32>,
    /// Numbers of samples
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "10,30,100,300,1000,3000,10000", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub samples: Vec<u32>,
    /// Take the median of so many times, after one that does not count; short work runs more often
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub repeats: u16,
    /// Use the emulator as the device
    #[arg(long, hide = true)]
    pub emulator: bool,
    /// How much of a GPU's free memory to use.
    #[command(flatten)]
    pub memory: MemoryArgs,
    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// What is run on more and more samples.
#[derive(Debug, Args)]
#[command(after_help = "\
Every program runs on every sample as one battery, and what is handed back runs on the interpreter.
Where a data set has too few samples it is repeated with colours exchanged.

Example:
  batt bench throughput solvers.py --tasks arc1 --without a64e4611 --device cuda --samples 2000,20000
  batt bench throughput solvers.py --tasks arc1 --first 50 --differs --device cuda --samples 100000")]
pub struct BenchThroughput {
    /// What is measured.
    #[command(flatten)]
    pub subject: BenchSubject,
    /// Where to evaluate, one after the other: cpu, cuda, cuda:all
    #[arg(long, value_name = "DEVICE", default_value = "cpu")]
    pub device: Vec<String>,
    /// How much of a GPU's free memory to use.
    #[command(flatten)]
    pub memory: MemoryArgs,
    /// How many samples
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "2000")]
    pub samples: Vec<usize>,
    /// Only the first so many programs
    #[arg(long, value_name = "N")]
    pub first: Option<usize>,
    /// Score every output with the built-in differs as well
    #[arg(long)]
    pub differs: bool,
    /// Take the median of so many times, after one that does not count
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub repeats: u16,
    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `batt devices`.
#[derive(Debug, Args)]
#[command(after_help = "\
Opens every GPU, says how long its kernels took to compile or to load, and shows the measurement that
`--device auto` chooses by. It is made when a GPU is first worth it, and kept in the cache folder.

Examples:
  batt devices
  batt devices --calibrate")]
pub struct DevicesArgs {
    /// Measure the CPU and the GPUs anew
    #[arg(long)]
    pub calibrate: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `batt selftest`.
#[derive(Debug, Args)]
#[command(after_help = "\
Runs the conformance records, records of your own, and random programs on the device, and compares
every answer with the CPU's.

Examples:
  batt selftest --device cuda
  batt selftest --device cuda:all --random 100000 --seed 7 --records golden/

Exit codes: 0 if everything agrees, 1 if something differs or was not run there, 2 on an error.")]
pub struct SelftestArgs {
    /// What to test: cpu, cuda, cuda:0,1, cuda:all or emulator
    #[arg(long, value_name = "DEVICE", default_value = "cuda")]
    pub device: String,
    /// How much of a GPU's free memory to use.
    #[command(flatten)]
    pub memory: MemoryArgs,
    /// More records: files or folders of .jsonl and .jsonl.gz
    #[arg(long, value_name = "PATH")]
    pub records: Vec<PathBuf>,
    /// How many random programs; each runs on every sample of ten random tasks
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    pub random: usize,
    /// The seed of what is random
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    pub seed: u64,
    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,
}
