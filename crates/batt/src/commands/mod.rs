//! One file per command, and what several of them need.

mod card;
mod completions;
mod conform;
mod data;
mod demo;
mod ops;
mod run;
mod show;
mod table;

use batt::run::reference::eval::Policy;
use batt::run::run::library::Library;
use batt::run::tasks::{self, Dataset};

use crate::cli::{Command, EngineName, OnError, TaskArgs};
use crate::context::{Context, Verdict};
use crate::failure::{self, Failure};

/// Does what the command line asks.
pub fn run(command: &Command, context: &mut Context) -> anyhow::Result<Verdict> {
    match command {
        Command::Run(args) => run::run(args, context),
        Command::Card(args) => card::run(args, context),
        Command::Show(args) => show::run(args, context),
        Command::Ops(args) => ops::run(args, context),
        Command::Conform(args) => conform::run(args, context),
        Command::Data(args) => data::run(args, context),
        Command::Completions(args) => completions::run(args, context),
    }
}

/// The engine's name, if there is such an engine.
fn choose_engine(name: EngineName) -> anyhow::Result<&'static str> {
    let absent = match name {
        EngineName::Auto | EngineName::Reference => return Ok("reference"),
        EngineName::Cpu => "cpu",
        EngineName::Cuda => "cuda",
    };
    Err(Failure::new(
        format!("the {absent} engine is not built yet"),
        "--engine reference runs everything, more slowly",
    ))
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
    let part = if args.only.is_empty() {
        whole.clone()
    } else {
        whole.select(&args.only.join(",")).map_err(failure::data)?
    };
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
