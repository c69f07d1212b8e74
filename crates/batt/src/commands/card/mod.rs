//! `batt card`: deals programs into a battery, shows it, changes it, writes it.

mod explain;
mod hand;
mod report;

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use batt::lang::battery::file;
use batt::lang::card::{Card, Merge, Options};
use batt::lang::text;

use super::policy_for;
use crate::cli::{CardArgs, Form};
use crate::context::{Context, Verdict};
use crate::output::{self, Outputs};
use hand::Hand;

/// The options that name outputs.
const OUTPUT: &str = "--output";
const SVG: &str = "--svg";
const DOT: &str = "--dot";

/// Deals, and shows what was asked for.
pub fn run(args: &CardArgs, context: &mut Context) -> anyhow::Result<Verdict> {
    let to_stdout = outputs(args).check()?;
    let hand = hand::take(args, context)?;
    let started = Instant::now();
    let card = deal(args, &hand);
    let battery = card.deal();
    let seconds = started.elapsed().as_secs_f64();
    let report = report::Report::new(&hand, &card, &battery, args.explain);
    if args.json {
        serde_json::to_writer_pretty(&mut *context, &report)?;
        writeln!(context)?;
    } else if !to_stdout {
        report.print(args, seconds, context)?;
        if args.explain {
            explain::print(&battery, context)?;
        }
        if args.dis {
            writeln!(context, "\n{}", battery.disassemble().trim_end())?;
        }
    }
    if let Some(path) = &args.output {
        let merged = merge(&hand).finish();
        let text = match args.to {
            Form::Batt => file::write(&merged),
            Form::Python => text::print_batched(&merged),
        };
        output::write(OUTPUT, path, text.as_bytes(), context)?;
    }
    if let Some(path) = &args.svg {
        output::write(SVG, path, battery.to_svg().as_bytes(), context)?;
    }
    if let Some(path) = &args.dot {
        output::write(DOT, path, battery.to_dot().as_bytes(), context)?;
    }
    Ok(Verdict::good_if(hand.problems == 0))
}

/// What is written, and what is read.
fn outputs(args: &CardArgs) -> Outputs {
    let differs: Vec<PathBuf> =
        args.differs.iter().filter(|what| *what != "builtin").map(PathBuf::from).collect();
    Outputs::default()
        .file(OUTPUT, args.output.as_deref())
        .file(SVG, args.svg.as_deref())
        .file(DOT, args.dot.as_deref())
        .report("--json", args.json)
        .report("--stats", args.stats)
        .report("--explain", args.explain)
        .report("--dis", args.dis)
        .reads_programs(&args.programs)
        .reads_programs(args.from.as_slice())
        .reads_programs(&differs)
}

fn deal(args: &CardArgs, hand: &Hand) -> Card {
    let mut card =
        Card::new(Options { policy: policy_for(args.on_error, hand.tries), fuse: !args.no_fuse });
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
