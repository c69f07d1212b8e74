//! `batt archive check`.

use std::collections::BTreeMap;
use std::io::Write;

use batt::evolve::archive::Archive;
use batt::evolve::judge::{Judge, Judges};
use batt::run::tasks::{self, NAMED, Task};

use crate::cli::CheckArgs;
use crate::commands::load_tasks;
use crate::context::{Context, Verdict};
use crate::failure::{self, Failure};
use crate::tell::tell;

/// Looks at everything, and says what is wrong.
pub fn check(args: &CheckArgs, context: &mut Context) -> anyhow::Result<Verdict> {
    let named = args.tasks.tasks.is_some() || !args.tasks.only.is_empty();
    if named && !args.rerun {
        let hint = "add --rerun, or leave the tasks out";
        return Err(Failure::error("tasks are only needed with --rerun", hint));
    }
    let mut archive = Archive::open_to_read(&args.place.archive).map_err(failure::archive)?;
    let judges = match (args.rerun, named) {
        (false, _) => None,
        (true, true) => Some(Judges::new(load_tasks(&args.tasks)?.1.tasks())),
        (true, false) => Some(Judges::new(&own_tasks(&mut archive)?)),
    };
    let checked = archive.check(judges.as_ref()).map_err(failure::archive)?;
    let none = args.rerun && checked.rerun == 0 && checked.results > 0;
    // Whoever names tasks says which results are meant.
    let all = !none && (named || checked.skipped == 0);
    let verdict = Verdict::good_if(checked.count == 0 && all);
    if args.json {
        let mut all = serde_json::to_value(&checked)?;
        all["schema"] = 1.into();
        serde_json::to_writer_pretty(&mut *context, &all)?;
        writeln!(context)?;
    } else {
        for problem in &checked.problems {
            writeln!(context, "{problem}")?;
        }
        let more = checked.count - checked.problems.len() as u64;
        if more > 0 {
            writeln!(context, "… and {more} more")?;
        }
        let (programs, results) = (checked.programs, checked.results);
        let anew =
            if args.rerun { format!(", {} made anew", checked.rerun) } else { String::new() };
        let found = match checked.count {
            0 if none => "nothing else is wrong, but nothing was made anew".to_string(),
            0 => "nothing is wrong".to_string(),
            count => format!("{count} problems"),
        };
        writeln!(context, "{programs} programs, {results} results{anew}: {found}")?;
    }
    if checked.skipped > 0 {
        let skipped = checked.skipped;
        if named {
            tell!(
                "warning: {skipped} results of tasks that --tasks does not hold were not made anew"
            );
        } else {
            tell!(
                "warning: {skipped} results were not made anew: no data set here has their tasks"
            );
            tell!("hint: --tasks names a data set; `batt data get` fetches those of ARC");
        }
    }
    Ok(verdict)
}

/// The tasks of an archive, from the data sets that are here. A task is known by the hash of its demos,
/// so it does not matter which data set it was taken from.
fn own_tasks(archive: &mut Archive) -> anyhow::Result<Vec<Task>> {
    let mut wanted: BTreeMap<String, String> =
        archive.tasks().map_err(failure::archive)?.into_iter().collect();
    let mut found = Vec::new();
    for name in ["embedded"].into_iter().chain(NAMED.iter().map(|set| set.name)) {
        if wanted.is_empty() {
            break;
        }
        // One that was not fetched has none of them.
        let Ok(data) = tasks::load(name) else { continue };
        wanted.retain(|id, demos| {
            let task = data.get(id).filter(|task| Judge::new(task).demos() == demos);
            found.extend(task.cloned());
            task.is_none()
        });
    }
    Ok(found)
}
