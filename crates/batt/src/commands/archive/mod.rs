//! `batt archive`: what is kept, and whether it is whole.

mod check;
mod list;

use std::fs::File;
use std::io::{BufReader, Write};
use std::path::Path;

use batt::evolve::archive::{Archive, ArchiveError, ExportError};
use batt::evolve::judge::Judges;
use batt::lang::{Program, text};

use super::load_tasks;
use crate::cli::{ArchiveAction, ArchiveArgs, ArchivePlace, ExportArgs, ImportArgs};
use crate::cli::{PruneArgs, StatsArgs};
use crate::context::{Context, Verdict};
use crate::failure::{self, Failure};
use crate::output::{self, Outputs};
use crate::tell::tell;

/// The option that names an export.
const OUTPUT: &str = "--output";

/// Does what is asked with an archive.
pub fn run(args: &ArchiveArgs, context: &mut Context) -> anyhow::Result<Verdict> {
    match &args.action {
        ArchiveAction::Ls(args) => list::ls(args, context),
        ArchiveAction::Show(args) => list::show(args, context),
        ArchiveAction::Export(args) => export(args, context),
        ArchiveAction::Import(args) => import(args, context),
        ArchiveAction::Prune(args) => prune(args, context),
        ArchiveAction::Stats(args) => stats(args, context),
        ArchiveAction::Check(args) => check::check(args, context),
    }
}

/// Opens an archive that must be there, and changes nothing of it. That it is not whole is told.
pub fn open(place: &ArchivePlace) -> anyhow::Result<Archive> {
    let archive = Archive::open_to_read(&place.archive).map_err(failure::archive)?;
    if let Some(lost) = archive.lost() {
        tell!("warning: the archive is not whole: {lost}");
    }
    Ok(archive)
}

fn export(args: &ExportArgs, context: &mut Context) -> anyhow::Result<Verdict> {
    let path = args.output.as_deref().unwrap_or(Path::new("-"));
    Outputs::default().file(OUTPUT, Some(path)).reads_archive(&args.place).check()?;
    let mut archive = open(&args.place)?;
    let mut file = output::begin(OUTPUT, path, context)?;
    if args.python {
        let written = |error| output::failed(OUTPUT, path, &error);
        file.write_all(functions(&mut archive, args.best)?.as_bytes()).map_err(written)?;
        file.finish().map_err(written)?;
        return Ok(Verdict::Good);
    }
    archive.export(&mut file).map_err(|error| match error {
        ExportError::Archive(error) => failure::archive(error),
        ExportError::Write(error) => output::failed(OUTPUT, path, &error),
    })?;
    file.finish().map_err(|error| output::failed(OUTPUT, path, &error))?;
    Ok(Verdict::Good)
}

/// The programs that are right on all demos, as functions that the task names.
fn functions(archive: &mut Archive, best: u32) -> anyhow::Result<String> {
    let mut out = String::new();
    for (task, _) in archive.tasks().map_err(failure::archive)? {
        let kept = archive.best(&task, best).map_err(failure::archive)?;
        let right = kept.iter().filter(|kept| kept.exact as usize == kept.samples.len());
        for (at, kept) in right.enumerate() {
            let canonical = kept.canonical().map_err(failure::archive)?;
            let more = if at == 0 { String::new() } else { format!("__{}", at + 1) };
            let name = format!("solve_{task}{more}");
            let program = Program { name, task: Some(task.clone()), ..canonical.program().clone() };
            let gap = if out.is_empty() { "" } else { "\n\n" };
            out.push_str(gap);
            out.push_str(&text::print(&program));
        }
    }
    Ok(out)
}

fn import(args: &ImportArgs, context: &mut Context) -> anyhow::Result<Verdict> {
    let judges =
        if args.trust { None } else { Some(Judges::new(load_tasks(&args.tasks)?.1.tasks())) };
    let mut archive = Archive::open(&args.place.archive).map_err(failure::archive)?;
    for path in &args.files {
        let name = path.display().to_string();
        let file = File::open(path).map_err(|error| {
            Failure::error(format!("{name}: {error}"), "an export is needed, not an archive")
        })?;
        let imported = archive.import(&name, &mut BufReader::new(file), judges.as_ref());
        let stored = imported.map_err(|error| match &error {
            ArchiveError::Import { why, .. } if why.contains("not among the tasks") => {
                let hint = "--tasks names the data they come from; --trust does not run anything";
                Failure::error(error.to_string(), hint)
            }
            _ => failure::archive(error),
        })?;
        let (programs, results) = (stored.programs, stored.results);
        writeln!(context, "{name}: {programs} new programs, {results} new results")?;
    }
    Ok(Verdict::Good)
}

fn prune(args: &PruneArgs, context: &mut Context) -> anyhow::Result<Verdict> {
    let mut archive = Archive::open_existing(&args.place.archive).map_err(failure::archive)?;
    let pruned = archive.prune(args.keep).map_err(failure::archive)?;
    let stats = archive.stats().map_err(failure::archive)?;
    writeln!(context, "{pruned} results removed, {} left", stats.results)?;
    Ok(Verdict::Good)
}

fn stats(args: &StatsArgs, context: &mut Context) -> anyhow::Result<Verdict> {
    let mut archive = open(&args.place)?;
    let stats = archive.stats().map_err(failure::archive)?;
    let runs = archive.runs().map_err(failure::archive)?;
    if args.json {
        let mut all = serde_json::to_value(&stats)?;
        all["schema"] = 1.into();
        all["run_list"] = serde_json::to_value(&runs)?;
        serde_json::to_writer_pretty(&mut *context, &all)?;
        writeln!(context)?;
        return Ok(Verdict::Good);
    }
    let (database, mib) = (stats.database, stats.bytes as f64 / f64::from(1 << 20));
    writeln!(context, "database    {database}, {mib:.1} MiB")?;
    writeln!(context, "tasks       {}, {} with all demos solved", stats.tasks, stats.solved)?;
    writeln!(context, "programs    {}", stats.programs)?;
    writeln!(context, "results     {}, {} behaviours", stats.results, stats.behaviours)?;
    for (at, run) in runs.iter().enumerate() {
        let head = if at == 0 { "runs" } else { "" };
        let (id, seed, generation) = (&run.id, run.seed, run.generation);
        writeln!(context, "{head:<11} {id}  seed {seed}, {generation} generations")?;
    }
    for (at, (operator, count)) in stats.operators.iter().enumerate() {
        let head = if at == 0 { "operators" } else { "" };
        writeln!(context, "{head:<11} {operator:<24} {count:>8}")?;
    }
    Ok(Verdict::Good)
}
