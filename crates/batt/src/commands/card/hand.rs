//! What is dealt: programs and differs, read, chosen and changed.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use batt::lang::battery::file;
use batt::lang::card::dice::Dice;
use batt::lang::card::mutate::{Changes, mutate};
use batt::lang::program::{Definition, Generated, Program};
use batt::lang::text;
use batt::run::programs;
use batt::run::run::library::{Bad, Library};

use crate::cli::CardArgs;
use crate::commands::{read_any, tell_notes, tell_policy, tell_problems};
use crate::context::Context;
use crate::failure::{self, Failure};
use crate::tell::tell;

/// A program that is dealt.
pub struct Dealt {
    pub program: Program,
    pub mutated: bool,
}

/// A score that is dealt; `of` counts the outputs of [`Hand::whole`] first.
pub struct Scored {
    pub differ: Program,
    pub of: Option<usize>,
}

/// What is dealt.
#[derive(Default)]
pub struct Hand {
    /// A generated function, dealt as it is.
    pub whole: Option<Generated>,
    pub programs: Vec<Dealt>,
    pub scores: Vec<Scored>,
    /// Lines of unfrozen programs and differs, and how many changed.
    pub changes: Changes,
    /// How many functions could not be read.
    pub problems: usize,
    /// Whether the text wraps lines in `try:`.
    pub tries: bool,
}

/// Reads, chooses and changes what is to be dealt.
pub fn take(args: &CardArgs, context: &Context) -> anyhow::Result<Hand> {
    let mut hand = match &args.from {
        Some(path) => from_generated(args, path, context)?,
        None => from_programs(args, context)?,
    };
    tell_policy(args.on_error, hand.tries);
    if args.mutate > 0.0 {
        change(args, &mut hand);
    }
    add_differs(args, context, &mut hand)?;
    if args.from.is_none() && args.programs.is_empty() {
        tell!("note: the built-in programs are dealt; name files of programs to deal others");
    }
    Ok(hand)
}

fn from_programs(args: &CardArgs, context: &Context) -> anyhow::Result<Hand> {
    let mut library = read_any(&args.programs, context)?;
    let tries = library.tries();
    let names = library.entries.iter().map(|e| (e.id.as_str(), e.task.as_deref()));
    let kept = choose(args, &names.collect::<Vec<_>>())?;
    keep(&mut library.entries, &kept);
    let programs = library.entries.into_iter().map(|entry| {
        // A bare `solve` is known by its file's name.
        let program = Program { name: entry.id, task: entry.task, ..entry.program };
        Dealt { program, mutated: false }
    });
    let problems = library.problems.len();
    Ok(Hand { programs: programs.collect(), problems, tries, ..Hand::default() })
}

fn from_generated(args: &CardArgs, path: &Path, context: &Context) -> anyhow::Result<Hand> {
    let Read { mut generated, problems, tries } = read_generated(path, context)?;
    let names = generated.names();
    let names: Vec<_> = names.iter().map(|(name, task)| (name.as_str(), task.as_deref())).collect();
    let kept = choose(args, &names)?;
    keep(&mut generated.outputs, &kept);
    let there = |record: &str| generated.outputs.iter().any(|o| o.task == record);
    generated.scores.retain(|s| s.task.as_deref().is_none_or(there));
    if args.mutate == 0.0 {
        return Ok(Hand { whole: Some(generated), problems, tries, ..Hand::default() });
    }
    let marks: Vec<bool> = generated.outputs.iter().map(|o| o.mutated).collect();
    let programs = generated.programs().into_iter().zip(marks);
    let programs = programs.map(|(program, mutated)| Dealt { program, mutated }).collect();
    let places: HashMap<&str, usize> =
        generated.outputs.iter().enumerate().rev().map(|(at, o)| (o.task.as_str(), at)).collect();
    let scores = generated.scores.iter().zip(generated.differs()).map(|(s, differ)| {
        let of = s.task.as_deref().and_then(|task| places.get(task).copied());
        let message = format!("the differ `{}` cannot be taken from what it scores", s.differ);
        let hint = "it also reads the input itself; deal it without --mutate";
        differ.map(|differ| Scored { differ, of }).ok_or_else(|| Failure::error(message, hint))
    });
    let scores = scores.collect::<Result<_, _>>()?;
    Ok(Hand { programs, scores, problems, tries, ..Hand::default() })
}

/// A generated function as it was read.
struct Read {
    generated: Generated,
    /// How many of its outputs could not be read.
    problems: usize,
    tries: bool,
}

/// A battery file, or another text with one generated function.
fn read_generated(path: &Path, context: &Context) -> anyhow::Result<Read> {
    let at = path.display();
    let bytes = fs::read(path).map_err(|error| {
        Failure::error(format!("{at}: {error}"), "--from takes a battery file or generated code")
    })?;
    let source = String::from_utf8_lossy(&bytes);
    if file::is_battery(&bytes) {
        let read = file::read(&bytes);
        return read
            .map(|generated| Read { generated, problems: 0, tries: false })
            .map_err(|error| Failure::error(format!("{at}: {error}"), error.hint()));
    }
    let module = text::parse_bytes(&bytes);
    let file = at.to_string();
    let notes = module.notes.iter().map(|n| format!("{file}:{}: {}", n.line, n.message));
    tell_notes(&notes.collect::<Vec<_>>(), context);
    let problems: Vec<Bad> = module
        .problems
        .iter()
        .map(|problem| Bad {
            file: file.clone(),
            rendered: problem.render(&file, &source, context.errors_in_color()),
            problem: problem.clone(),
        })
        .collect();
    let count = problems.len();
    match <[Definition; 1]>::try_from(module.definitions) {
        Ok([Definition::Generated(generated)]) if !generated.outputs.is_empty() => {
            tell_problems(&problems, context);
            Ok(Read { generated, problems: count, tries: module.tries })
        }
        _ if count > 0 => Err(first_problem(&problems[0].rendered)),
        _ => Err(Failure::error(
            format!("{at}: there is not one generated function in it"),
            "programs of other forms are given without --from",
        )),
    }
}

/// A problem as an error: it says itself that it is one.
fn first_problem(rendered: &str) -> anyhow::Error {
    let message = rendered.strip_prefix("error: ").unwrap_or(rendered);
    Failure::error(message, "nothing was dealt")
}

/// The places of the programs that are asked for.
fn choose(args: &CardArgs, names: &[(&str, Option<&str>)]) -> anyhow::Result<Vec<usize>> {
    let is = |at: &usize, asked: &str| names[*at].0 == asked || names[*at].1 == Some(asked);
    let mut places: Vec<usize> = (0..names.len()).collect();
    if !args.tasks.is_empty() {
        if let Some(missing) = args.tasks.iter().find(|t| !places.iter().any(|at| is(at, t))) {
            let hint = "--task takes the tasks that programs name, or programs' own names";
            return Err(Failure::error(format!("there is no program for `{missing}`"), hint));
        }
        places.retain(|at| args.tasks.iter().any(|task| is(at, task)));
    }
    if places.is_empty() {
        return Err(Failure::error(
            "there is no program to deal",
            "`batt run --help` shows the forms",
        ));
    }
    if let Some(count) = args.count {
        if count > places.len() {
            tell!("warning: there are only {} programs; all are dealt", places.len());
        }
        let chosen = Dice::new(args.seed, 0).choose(count, places.len());
        places = chosen.into_iter().map(|at| places[at]).collect();
    }
    Ok(places)
}

fn keep<T>(all: &mut Vec<T>, places: &[usize]) {
    let mut at = 0;
    all.retain(|_| {
        at += 1;
        places.binary_search(&(at - 1)).is_ok()
    });
}

/// Changes programs and the differs that came with them. Every program has its own stream of
/// chances, and all uses of one differ the same.
fn change(args: &CardArgs, hand: &mut Hand) {
    if !args.freeze_programs {
        for (stream, dealt) in (1..).step_by(2).zip(&mut hand.programs) {
            let (program, count) =
                mutate(&dealt.program, args.mutate, &mut Dice::new(args.seed, stream));
            dealt.program = program;
            dealt.mutated |= count.changed > 0;
            add(&mut hand.changes, count);
        }
    }
    let mut streams: HashMap<String, u64> = HashMap::new();
    for score in &mut hand.scores {
        let next = streams.len() as u64;
        let stream = *streams.entry(score.differ.name.clone()).or_insert(next);
        change_differ(args, &mut score.differ, stream, &mut hand.changes);
    }
}

/// Changes a differ; its name then says so.
fn change_differ(args: &CardArgs, differ: &mut Program, stream: u64, changes: &mut Changes) {
    if args.mutate == 0.0 || args.freeze_differs {
        return;
    }
    let (changed, count) = mutate(differ, args.mutate, &mut Dice::new(args.seed, 2 + 2 * stream));
    let marked = differ.name.ends_with(MARK) || count.changed == 0;
    *differ = changed;
    if !marked {
        differ.name += MARK;
    }
    add(changes, count);
}

/// Ends the name of a differ that was changed.
const MARK: &str = "#mutated";

fn add(sum: &mut Changes, more: Changes) {
    sum.lines += more.lines;
    sum.changed += more.changed;
}

/// Every differ scores the input itself and every output.
fn add_differs(args: &CardArgs, context: &Context, hand: &mut Hand) -> anyhow::Result<()> {
    let mut library = Library::default();
    for what in &args.differs {
        if what == "builtin" {
            for (file, text) in programs::differs() {
                library.add_differs(file, text.as_bytes(), false);
            }
        } else {
            let read = Library::read_differs(&[what], context.errors_in_color());
            let read = read.map_err(failure::library)?;
            library.entries.extend(read.entries);
            library.problems.extend(read.problems);
        }
    }
    tell_problems(&library.problems, context);
    hand.problems += library.problems.len();
    let outputs = hand.whole.as_ref().map_or(0, |g| g.outputs.len()) + hand.programs.len();
    // Past the streams of the differs that came with a generated function.
    let before = hand.scores.len() as u64;
    for (stream, entry) in (before..).zip(library.entries) {
        let mut differ = Program { name: entry.id, ..entry.program };
        change_differ(args, &mut differ, stream, &mut hand.changes);
        for of in std::iter::once(None).chain((0..outputs).map(Some)) {
            hand.scores.push(Scored { differ: differ.clone(), of });
        }
    }
    Ok(())
}
