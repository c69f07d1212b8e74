//! The first pass: every program's output on every sample, judged as it comes.

use std::collections::{BTreeSet, HashSet};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use batt_lang::Value;
use batt_lang::battery::Battery;

use super::coordinator::{Batch, Dealt, Unit};
use super::library::Entry;
use super::outcome::{FirstError, Item, Outcome, SampleId, Samples};
use super::plan::Plan;
use super::records::{Lines, Place, output_line};
use crate::engine::{Cell, Counters};
use crate::reference::eval::{self, Policy, Trouble};
use crate::stop::Stop;
use crate::tasks::Task;

/// How many hand-backs are listed.
const LISTED: usize = 100;

/// What the outputs are judged by.
pub struct Judge<'a> {
    /// The programs.
    pub entries: &'a [Entry],
    /// The tasks.
    pub tasks: &'a [Task],
    /// Their samples.
    pub samples: &'a [Samples],
    /// The batteries.
    pub jobs: &'a [Dealt<'a>],
    /// The units of the pass.
    pub units: &'a [Unit],
    /// What an error does.
    pub policy: Policy,
    /// Says when to end.
    pub stop: &'a Stop,
}

/// A program-sample pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Handed {
    /// The program's place.
    pub program: usize,
    /// The task's place.
    pub task: usize,
    /// The sample.
    pub sample: SampleId,
}

/// What came of the outputs so far.
#[derive(Debug)]
pub struct Judged {
    /// By pair of the plan.
    pub outcomes: Vec<Outcome>,
    /// By unit: whether some program's output was right.
    pub matched: Vec<bool>,
    /// By job, how many samples were run.
    pub ran: Vec<usize>,
    /// By job, what the engine counted.
    pub counters: Vec<Counters>,
    /// How many pairs the engine handed back.
    pub fallback: usize,
    /// The first of them.
    pub handed: BTreeSet<Handed>,
    /// Thread time on demos and on tests.
    pub times: [Duration; 2],
    /// How many batches were run.
    pub batches: usize,
}

impl Judged {
    /// Nothing yet.
    pub fn new(plan: &Plan, units: usize) -> Judged {
        Judged {
            outcomes: vec![Outcome::default(); plan.pairs.len()],
            matched: vec![false; units],
            ran: vec![0; plan.jobs.len()],
            counters: vec![Counters::default(); plan.jobs.len()],
            fallback: 0,
            handed: BTreeSet::new(),
            times: [Duration::ZERO; 2],
            batches: 0,
        }
    }
}

/// What one cell came to.
struct Mark {
    solved: bool,
    error: Option<FirstError>,
    handed_back: bool,
}

impl Judge<'_> {
    /// Judges a batch: compares, writes its records and adds it to what is there. The outputs
    /// themselves are not kept. What was stopped before it was known is left out.
    pub fn add(&self, batch: Batch, judged: &Mutex<Judged>, lines: Option<&Lines>) {
        let units = &self.units[batch.units.clone()];
        let Some(job) = units.first().map(|unit| unit.job) else { return };
        let mut text = String::new();
        let mut marks: Vec<Option<Mark>> = Vec::new();
        let again: HashSet<(usize, usize)> = batch.counters.again.iter().copied().collect();
        for (n, (unit, row)) in units.iter().zip(batch.rows).enumerate() {
            for (at, cell) in row.into_iter().enumerate() {
                let Some((mut mark, value)) = self.mark(*unit, at, cell) else {
                    marks.push(None);
                    continue;
                };
                mark.handed_back |= again.contains(&(n, at));
                if lines.is_some() {
                    self.write(&mut text, *unit, at, &mark, value.as_ref());
                }
                marks.push(Some(mark));
            }
        }
        let mut judged = judged.lock().unwrap_or_else(PoisonError::into_inner);
        let programs = self.jobs[job].job.programs.len();
        // A batch for a device has millions of them: none is moved for another.
        let mut marks = marks.into_iter();
        for (n, unit) in units.iter().enumerate() {
            let of_unit = marks.by_ref().take(programs);
            self.fold(&mut judged, batch.units.start + n, *unit, of_unit);
        }
        judged.batches += 1;
        judged.ran[job] += units.len();
        judged.counters[job].add(&batch.counters);
        for unit in units {
            let test = matches!(self.find(*unit).1.id, SampleId::Test(_));
            judged.times[usize::from(test)] += batch.time / units.len() as u32;
        }
        drop(judged);
        if let Some(lines) = lines {
            lines.put(batch.number, text);
        }
    }

    fn find(&self, unit: Unit) -> (&Samples, &Item) {
        unit.find(self.jobs, self.samples)
    }

    fn mark(&self, unit: Unit, at: usize, cell: Cell) -> Option<(Mark, Option<Value>)> {
        let Dealt { job, battery, .. } = &self.jobs[unit.job];
        let (samples, item) = self.find(unit);
        let program = &self.entries[job.programs[at]].program;
        let handed_back = cell == Cell::HandBack;
        let result = match cell {
            Cell::Verdict(solved) => {
                return Some((Mark { solved, error: None, handed_back }, None));
            }
            Cell::Value(value) => Ok(value),
            Cell::Error(fault, slot) => {
                let line = line_of(battery, at, slot).unwrap_or(program.line);
                let sample = item.id;
                Err(FirstError { kind: fault.kind, what: fault.what, line, sample })
            }
            Cell::Stopped => return None,
            Cell::HandBack => {
                eval::run_until(program, &samples.inputs_of(item), self.policy, self.stop)?
                    .map_err(|trouble: Trouble| FirstError::new(trouble, item.id))
            }
        };
        let (value, error) = match result {
            Ok(value) => (Some(value), None),
            Err(error) => (None, Some(error)),
        };
        let solved = item.output.is_some() && value == item.output;
        Some((Mark { solved, error, handed_back }, value))
    }

    fn fold(
        &self,
        judged: &mut Judged,
        place: usize,
        unit: Unit,
        marks: impl Iterator<Item = Option<Mark>>,
    ) {
        let job = self.jobs[unit.job].job;
        let (_, item) = self.find(unit);
        for (at, mark) in marks.enumerate() {
            let Some(mark) = mark else { continue };
            if mark.handed_back {
                judged.fallback += 1;
                judged.handed.insert(Handed {
                    program: job.programs[at],
                    task: job.tasks[unit.task],
                    sample: item.id,
                });
                if judged.handed.len() > LISTED {
                    judged.handed.pop_last();
                }
            }
            judged.matched[place] |= mark.solved;
            if item.output.is_some() {
                judged.outcomes[job.pair(at, unit.task)].count(item.id, mark.solved, mark.error);
            }
        }
    }

    fn write(&self, text: &mut String, unit: Unit, at: usize, mark: &Mark, value: Option<&Value>) {
        let Dealt { job, battery, .. } = &self.jobs[unit.job];
        let (_, item) = self.find(unit);
        let place = Place { task: &self.tasks[job.tasks[unit.task]].id, sample: item.id };
        let program = &self.entries[job.programs[at]].id;
        let right = item.output.is_some().then_some(mark.solved);
        let mutated = battery.programs()[at].mutated;
        output_line(text, place, job.programs[at], mutated, program, value, right);
    }
}

/// The line that an error began on, where the program has the slot on a line.
fn line_of(battery: &Battery, program: usize, slot: batt_lang::graph::SlotId) -> Option<u32> {
    battery.programs().get(program)?.line_of(slot)
}
