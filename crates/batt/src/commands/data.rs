//! `batt data`: the public data sets.

use std::io::Write;

use batt::run::tasks::{self, GetError, NAMED};
use serde_json::json;

use crate::cli::{DataAction, DataArgs};
use crate::context::{Context, Verdict};
use crate::failure::{self, Failure};
use crate::tell::tell;

/// Gets or lists data sets.
pub fn run(args: &DataArgs, context: &mut Context) -> anyhow::Result<Verdict> {
    match args.action {
        DataAction::Get => get(context),
        DataAction::List { json } => list(json, context),
        DataAction::Path => {
            let folder = tasks::cache_folder().map_err(failure::data)?;
            writeln!(context, "{}", folder.display())?;
            Ok(Verdict::Good)
        }
    }
}

fn get(context: &mut Context) -> anyhow::Result<Verdict> {
    tell!("getting ARC's data sets with pip; this takes a few seconds");
    let got = tasks::get().map_err(|error: GetError| match error.hint() {
        Some(hint) => Failure::error(error.to_string(), hint),
        None => error.into(),
    })?;
    match &got.command {
        Some(command) => writeln!(context, "ran      {command}")?,
        None => writeln!(context, "nothing to download: the data sets are there already")?,
    }
    writeln!(context, "kept in  {}", got.folder.display())?;
    for set in &got.sets {
        let (name, tasks, examples) = (set.name, set.tasks, set.examples);
        writeln!(
            context,
            "  {name:<12} {tasks:>5} tasks {examples:>6} examples  {:<24} {}",
            set.version,
            short(&set.hash.to_string())
        )?;
    }
    writeln!(context, "use one with `--tasks arc1`, or a part of it with `--tasks arc1:train`")?;
    Ok(Verdict::Good)
}

fn list(json: bool, context: &mut Context) -> anyhow::Result<Verdict> {
    let names = ["embedded"].into_iter().chain(NAMED.iter().map(|set| set.name));
    let mut rows = Vec::new();
    for name in names {
        let about = NAMED.iter().find(|set| set.name == name).map(|set| set.version);
        let row = match tasks::load(name) {
            Ok(set) => json!({
                "name": name,
                "there": true,
                "version": set.version,
                "tasks": set.tasks().len(),
                "examples": set.examples(),
                "hash": set.hash.to_string(),
            }),
            Err(error) => json!({
                "name": name, "there": false, "version": about, "why": error.to_string(),
            }),
        };
        rows.push(row);
    }
    if json {
        serde_json::to_writer_pretty(&mut *context, &json!({ "schema": 1, "data": rows }))?;
        writeln!(context)?;
        return Ok(Verdict::Good);
    }
    let mut absent = false;
    for row in &rows {
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_string();
        let (name, version) = (text("name"), text("version"));
        if row["there"] == true {
            // As numbers: JSON values do not pad.
            let (tasks, examples) = (row["tasks"].as_u64(), row["examples"].as_u64());
            let (tasks, examples) = (tasks.unwrap_or(0), examples.unwrap_or(0));
            let hash = short(&text("hash")).to_string();
            let numbers = format!("{tasks:>5} tasks {examples:>6} examples");
            writeln!(context, "{name:<12} {numbers}  {version:<24} {hash}")?;
        } else {
            absent = true;
            writeln!(context, "{name:<12} {:<26}  {version}", "not here yet")?;
        }
    }
    if absent {
        writeln!(context, "\n`batt data get` fetches what is not here, with your own pip")?;
    }
    Ok(Verdict::Good)
}

/// The start of a hash, enough to tell data sets apart.
fn short(hash: &str) -> &str {
    hash.get(..16).unwrap_or(hash)
}
