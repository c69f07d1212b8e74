//! `batt card`: deals programs into a battery, shows it, changes it, writes it.

mod explain;
mod hand;
mod report;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use batt::lang::battery::file;
use batt::lang::card::{Card, Merge, Options};

use super::policy;
use crate::cli::CardArgs;
use crate::context::{Context, Verdict};
use crate::failure::Failure;
use hand::Hand;

/// Deals, and shows what was asked for.
pub fn run(args: &CardArgs, context: &mut Context) -> anyhow::Result<Verdict> {
    let hand = hand::take(args, context)?;
    let started = Instant::now();
    let card = deal(args, &hand);
    let battery = card.deal();
    let seconds = started.elapsed().as_secs_f64();
    let report = report::Report::new(&hand, &card, &battery, args.explain);
    if args.json {
        serde_json::to_writer_pretty(&mut *context, &report)?;
        writeln!(context)?;
    } else {
        report.print(args, seconds, context)?;
        if args.explain {
            explain::print(&battery, context)?;
        }
        if args.dis {
            writeln!(context, "\n{}", battery.disassemble().trim_end())?;
        }
    }
    if let Some(path) = &args.output {
        write(path, &file::write(&merge(&hand).finish()))?;
    }
    if let Some(path) = &args.svg {
        write(path, &battery.to_svg())?;
    }
    if let Some(path) = &args.dot {
        write(path, &battery.to_dot())?;
    }
    Ok(Verdict::good_if(hand.problems == 0))
}

fn deal(args: &CardArgs, hand: &Hand) -> Card {
    let mut card = Card::new(Options { policy: policy(args.on_error), fuse: !args.no_fuse });
    if let Some(generated) = &hand.whole {
        card.add_generated(generated);
    }
    let mut ids: Vec<_> = card.programs().collect();
    for dealt in &hand.programs {
        let id = card.add(&dealt.program);
        if dealt.mutated {
            card.mark_mutated(id);
        }
        ids.push(id);
    }
    for score in &hand.scores {
        card.add_score(&score.differ, score.of.map(|at| ids[at]));
    }
    card
}

/// The same programs and differs as text.
fn merge(hand: &Hand) -> Merge {
    let mut merge = Merge::default();
    if let Some(generated) = &hand.whole {
        merge.add_generated(generated);
    }
    for dealt in &hand.programs {
        merge.add(&dealt.program, dealt.mutated);
    }
    for score in &hand.scores {
        merge.add_score(&score.differ, score.of);
    }
    merge
}

/// Writes a file whole or not at all.
fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let failed = |error: std::io::Error| {
        Failure::error(
            format!("{}: cannot be written: {error}", path.display()),
            "the folder must be there and may be written to",
        )
    };
    // Beside its place, so that it can be moved there in one step.
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    readable(&file);
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// A temporary file is for its owner only; what a command writes is not.
fn readable(file: &tempfile::NamedTempFile) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Where that is refused the file is still there for its owner.
        let _ = file.as_file().set_permissions(fs::Permissions::from_mode(0o644));
    }
    #[cfg(not(unix))]
    let _ = file;
}
