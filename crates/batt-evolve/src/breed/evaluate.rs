//! A generation's candidates as one battery: each expression is evaluated once, whoever shares it.

use batt_lang::card::{Card, Options};
use batt_run::engine::mark::Mark;
use batt_run::engine::{Phase, Sample, Setup, Stoppable};
use batt_run::reference::eval::{self, Inputs, Policy};

use super::TaskContext;
use crate::pool::{Gene, Genome, Pool};
use batt_run::stop::Stop;

/// What programs gave: by sample, then by program.
pub type Marks = Vec<Vec<Mark>>;

/// Runs programs on the demos; those that read S on each demo without its own pair.
pub fn on_demos(
    on: Stoppable,
    task: &TaskContext,
    pool: &mut Pool,
    roots: &[Gene],
) -> (Marks, u64) {
    let (readers, others): (Vec<usize>, Vec<usize>) =
        (0..roots.len()).partition(|at| pool.reads_pairs(roots[*at]));
    let mut all = vec![vec![Mark::ERROR; roots.len()]; task.demos.len()];
    let mut handed_back = 0;
    for (places, samples) in [(readers, &task.apart), (others, &task.demos)] {
        let group: Vec<Gene> = places.iter().map(|at| roots[*at]).collect();
        let (given, handed) = marks(on, task, samples, pool, &group);
        handed_back += handed;
        for (row, given) in all.iter_mut().zip(given) {
            for (at, mark) in places.iter().zip(given) {
                row[*at] = mark;
            }
        }
    }
    (all, handed_back)
}

/// Runs programs on samples of a task; what that gives once it is said to stop means nothing. Gives how their outputs resemble what is expected, and how
/// many the engine handed back.
pub fn marks(
    on: Stoppable,
    task: &TaskContext,
    samples: &[Sample],
    pool: &mut Pool,
    roots: &[Gene],
) -> (Marks, u64) {
    if roots.is_empty() || samples.is_empty() {
        return (vec![Vec::new(); samples.len()], 0);
    }
    let (body, places) = pool.body(roots);
    let mut card = Card::new(Options::default());
    card.add_outputs(&body, &places);
    let battery = card.deal();
    let loaded = on.engine.load(Setup {
        battery: &battery,
        phase: Phase::Outputs,
        tasks: &task.pairs,
        timed: false,
        verdicts: false,
        stop: on.stop,
    });
    let mut handed_back = 0;
    let rows = loaded.marks(samples).0.into_iter().zip(samples);
    let marks = rows.map(|(row, sample)| {
        let row = row.into_iter().zip(roots);
        row.map(|(mark, root)| {
            mark.unwrap_or_else(|| {
                handed_back += 1;
                alone(on.stop, task, sample, pool, *root)
            })
        })
        .collect()
    });
    (marks.collect(), handed_back)
}

/// One program on one sample, by the interpreter.
fn alone(stop: &Stop, task: &TaskContext, sample: &Sample, pool: &mut Pool, root: Gene) -> Mark {
    let program = Genome::of(pool, root).program();
    let inputs = Inputs { s: &task.pairs[sample.task], i: &sample.input, c: None };
    match eval::run_until(&program, &inputs, Policy::Strict, stop) {
        Some(Ok(value)) => Mark::of(&value, sample.expected.as_ref()),
        Some(Err(_)) | None => Mark::ERROR,
    }
}

/// One number for what a program gave on all samples.
pub fn behaviour(marks: &Marks, program: usize) -> u64 {
    marks.iter().fold(0x0062_6174_7465_7279, |hash: u64, row| {
        let digest = row.get(program).map_or(0, |mark| mark.digest);
        (hash.rotate_left(17) ^ digest).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    })
}
