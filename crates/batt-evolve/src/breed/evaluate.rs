//! A generation's candidates as one battery: each expression is evaluated once, whoever shares it.

use batt_lang::card::{Card, Options};
use batt_run::engine::mark::{FULL, Mark, digest_of_all};
use batt_run::engine::{Phase, Sample, Setup, Stoppable};
use batt_run::reference::eval::{self, Inputs, Policy};

use super::TaskContext;
use crate::pool::{Gene, Genome, Pool};
use batt_run::stop::Stop;

/// What programs gave: by sample, then by program.
pub type Marks = Vec<Vec<Mark>>;

/// What a program is worth to breeding, on the demos of its task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// By demo, how many cells match, of 1000. A program that reads S is judged by what it gives
    /// without the demo's own pair in S; a demo is exact only if it is so with that pair too.
    pub cells: Box<[u16]>,
    /// A digest of all that it gave.
    pub behaviour: u64,
}

impl Outcome {
    /// The outcome of marks by demo; `whole` are those of a program that reads S, with all of S.
    pub fn of(bred: &[Mark], whole: Option<&[Mark]>) -> Outcome {
        let digests = bred.iter().map(|mark| mark.digest);
        let Some(whole) = whole else {
            let cells = bred.iter().map(|mark| mark.cells).collect();
            return Outcome { cells, behaviour: digest_of_all(digests) };
        };
        let cells = bred.iter().zip(whole).map(|(bred, whole)| match bred.cells {
            FULL => whole.cells,
            cells => cells,
        });
        // Whoever gives the same either way does what a program does that gives it without S.
        let same = bred.iter().zip(whole).all(|(bred, whole)| bred.digest == whole.digest);
        let more = if same { &[] } else { whole };
        let behaviour = digest_of_all(digests.chain(more.iter().map(|mark| mark.digest)));
        Outcome { cells: cells.collect(), behaviour }
    }

    /// Whether all demos are exact.
    pub fn solves(&self) -> bool {
        self.cells.iter().all(|cells| *cells == FULL)
    }

    /// Tells solutions apart by what they give on tests; whether that is right is not asked.
    pub fn see_tests(&mut self, tests: impl Iterator<Item = Mark>) {
        let digests = std::iter::once(self.behaviour).chain(tests.map(|mark| mark.digest));
        self.behaviour = digest_of_all(digests);
    }
}

/// Runs programs on the demos; those that read S on each demo without its own pair, and where that
/// gives an exact demo, with it as well.
pub fn on_demos(
    on: Stoppable,
    task: &TaskContext,
    pool: &mut Pool,
    roots: &[Gene],
) -> (Vec<Outcome>, u64) {
    let (readers, others): (Vec<usize>, Vec<usize>) =
        (0..roots.len()).partition(|at| pool.reads_pairs(roots[*at]));
    let mut outcomes = vec![Outcome::default(); roots.len()];
    let mut handed_back = 0;
    let mut run = |samples: &[Sample], places: &[usize]| {
        let group: Vec<Gene> = places.iter().map(|at| roots[*at]).collect();
        let (given, handed) = marks(on, task, samples, pool, &group);
        handed_back += handed;
        given
    };
    let given = run(&task.demos, &others);
    for (column, at) in others.iter().enumerate() {
        outcomes[*at] = Outcome::of(&of_program(&given, column), None);
    }
    let given = run(&task.apart, &readers);
    let bred: Vec<Vec<Mark>> = (0..readers.len()).map(|at| of_program(&given, at)).collect();
    let exact = |at: &usize| bred[*at].iter().any(|mark| mark.cells == FULL);
    let (exact, rest): (Vec<usize>, Vec<usize>) = (0..readers.len()).partition(exact);
    for at in rest {
        outcomes[readers[at]] = Outcome::of(&bred[at], None);
    }
    let places: Vec<usize> = exact.iter().map(|at| readers[*at]).collect();
    let given = run(&task.demos, &places);
    for (column, at) in exact.into_iter().enumerate() {
        let whole = of_program(&given, column);
        outcomes[readers[at]] = Outcome::of(&bred[at], Some(&whole));
    }
    (outcomes, handed_back)
}

/// The marks of one program, by sample.
fn of_program(marks: &Marks, program: usize) -> Vec<Mark> {
    marks.iter().map(|row| row[program]).collect()
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
    let value = eval::run_until(&program, &inputs, Policy::Strict, stop).and_then(Result::ok);
    Mark::of_out(value.as_ref(), sample.expected.as_ref())
}
