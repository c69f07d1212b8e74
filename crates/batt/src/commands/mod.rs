//! One file per command, and what several of them need.

mod archive;
mod bench;
mod card;
mod completions;
mod conform;
mod data;
mod demo;
mod devices;
mod evolve;
mod notes;
mod ops;
mod profile;
mod progress;
mod run;
mod score;
mod selftest;
mod show;
mod solve;
mod submit;
mod table;
mod verify;

use std::path::PathBuf;

use batt::run::engine::{self, Engine, NoEngine};
use batt::run::reference::eval::Policy;
use batt::run::run::library::{Bad, Library};
use batt::run::tasks::{self, Dataset};

use crate::cli::{Command, DeviceArgs, EngineName, MemoryArgs, OnError, TaskArgs};
use crate::context::{Context, Verdict};
use crate::failure::{self, Failure};
use crate::tell::{Messages, tell};

/// Does what the command line asks.
pub fn run(command: &Command, context: &mut Context) -> anyhow::Result<Verdict> {
    match command {
        Command::Run(args) => run::run(args, context),
        Command::Card(args) => card::run(args, context),
        Command::Show(args) => show::run(args, context),
        Command::Ops(args) => ops::run(args, context),
        Command::Conform(args) => conform::run(args, context),
        Command::Devices(args) => devices::run(args, context),
        Command::Selftest(args) => selftest::run(args, context),
        Command::Verify(args) => verify::run(args, context),
        Command::Profile(args) => profile::run(args, context),
        Command::Bench(args) => bench::run(args, context),
        Command::Evolve(args) => evolve::run(args, context),
        Command::Solve(args) => solve::run(args, context),
        Command::Archive(args) => archive::run(args, context),
        Command::Submit(args) => submit::run(args, context),
        Command::Score(args) => score::run(args, context),
        Command::Data(args) => data::run(args, context),
        Command::Completions(args) => completions::run(args, context),
    }
}

/// The engine of this name, if there is one.
fn choose_engine(name: EngineName) -> anyhow::Result<Box<dyn Engine>> {
    engine::engine(engine_name(name)).map_err(|error| {
        Failure::error(error.to_string(), "--engine reference runs everything, more slowly")
    })
}

fn engine_name(name: EngineName) -> &'static str {
    match name {
        EngineName::Auto => "auto",
        EngineName::Reference => "reference",
        EngineName::Cpu => "cpu",
        EngineName::Cuda => "cuda",
    }
}

/// The engine of a device's name: auto, cpu, cuda, cuda:0,1, cuda:all.
fn on_device(name: &str, memory: MemoryArgs) -> anyhow::Result<Box<dyn Engine>> {
    engine::open_with(name, memory.gpu_memory, !memory.no_cpu).map_err(|error| no_engine(&error))
}

/// The same where all that a device can do is left to it: it is what is looked at.
fn device_alone(name: &str, memory: MemoryArgs) -> anyhow::Result<Box<dyn Engine>> {
    on_device(name, MemoryArgs { no_cpu: true, ..memory })
}

fn no_engine(error: &NoEngine) -> anyhow::Error {
    let hint = match error {
        NoEngine::NoDevice(_) => "`batt devices` lists what there is",
        NoEngine::Unknown(_) => "auto, cpu, cuda, cuda:0,1 and cuda:all are devices",
    };
    Failure::error(error.to_string(), hint)
}

/// The engine that is asked for by its own name or by its device's. Where there is no such device
/// the CPU does the work, and that is said.
fn engine_or_cpu(name: EngineName, on: &DeviceArgs) -> anyhow::Result<Box<dyn Engine>> {
    device_or_cpu(on.device.as_deref().unwrap_or(engine_name(name)), on.memory)
}

/// As [`engine_or_cpu`], by the device's name.
fn device_or_cpu(name: &str, memory: MemoryArgs) -> anyhow::Result<Box<dyn Engine>> {
    match engine::open_with(name, memory.gpu_memory, !memory.no_cpu) {
        Ok(engine) => Ok(engine),
        Err(error @ NoEngine::NoDevice(_)) => {
            tell!("warning: {error}; the CPU does the work");
            on_device("cpu", memory)
        }
        Err(error) => Err(no_engine(&error)),
    }
}

/// What errors do: as it is asked for, else as the programs' text has it.
fn policy_for(on_error: Option<OnError>, tries: bool) -> Policy {
    policy(on_error.unwrap_or(if tries { OnError::Safe } else { OnError::Strict }))
}

/// Says that the text decided what errors do.
fn tell_policy(on_error: Option<OnError>, tries: bool) {
    if tries && on_error.is_none() {
        tell!(
            "note: by its text (`try:`, safe_dsl) a failed call becomes a default, as with --on-error \
             safe; `--on-error strict` keeps errors"
        );
    }
}

fn policy(on_error: OnError) -> Policy {
    match on_error {
        OnError::Strict => Policy::Strict,
        OnError::Safe => Policy::Safe,
    }
}

/// The data set that is named, and the part of it that is asked for.
fn load_tasks(args: &TaskArgs) -> anyhow::Result<(Dataset, Dataset)> {
    let whole = match &args.tasks {
        Some(what) => tasks::load(what).map_err(failure::data)?,
        None => tasks::embedded(),
    };
    for left_out in &whole.left_out {
        tell!("warning: left out: {left_out}");
    }
    let mut part = if args.only.is_empty() {
        whole.clone()
    } else {
        whole.select(&args.only.join(",")).map_err(failure::data)?
    };
    if let Some(count) = args.first_tasks {
        part = part.first(count as usize);
    }
    Ok((whole, part))
}

/// The programs that are part of the binary.
fn embedded_programs() -> Library {
    let mut library = Library::default();
    for (file, text) in batt::run::programs::embedded() {
        library.add(file, text.as_bytes(), false);
    }
    library
}

/// Tells what could not be read.
fn tell_problems(problems: &[Bad], context: &Context) {
    let mut messages = Messages::new(["problem", "problems"], context.verbose);
    for bad in problems {
        messages.tell(format_args!("{}\n", bad.rendered));
    }
}

/// Tells what is no problem and should be known.
fn tell_notes(notes: &[String], context: &Context) {
    let mut messages = Messages::new(["note", "notes"], context.verbose);
    for note in notes {
        messages.tell(format_args!("note: {note}"));
    }
}

/// The programs of files, or the built-in ones, if any could be read; what could not is told.
fn read_any(paths: &[PathBuf], context: &Context) -> anyhow::Result<Library> {
    let library = if paths.is_empty() {
        embedded_programs()
    } else {
        Library::read(paths, context.errors_in_color()).map_err(failure::library)?
    };
    tell_problems(&library.problems, context);
    tell_notes(&library.notes, context);
    Ok(library)
}

/// As [`read_any`]; that there is none is an error.
fn read_library(paths: &[PathBuf], context: &Context) -> anyhow::Result<Library> {
    let library = read_any(paths, context)?;
    if library.entries.is_empty() {
        let hint = "`batt run --help` shows the forms a program may have";
        return Err(Failure::error("no program could be read", hint));
    }
    Ok(library)
}
