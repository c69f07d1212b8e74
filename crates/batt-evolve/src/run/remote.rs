//! A generation that is bred elsewhere: what is sent to workers, and what they give back.
//!
//! A worker that has a unit as the generation began needs the outline alone; one that has not is sent the
//! unit as a checkpoint holds it. What comes back is what came of the generation and what it changed of the
//! unit, so that there is always a whole state here, whatever happens to workers.

use std::time::Duration;

use batt_lang::canonical::{Canonical, ProgramHash};
use rayon::prelude::*;

use super::Evolution;
use crate::archive::{Found, Origin, TestFound};
use crate::breed::unit::change::Change;
use crate::breed::{Refused, Step, TaskContext, Unit};
use crate::bytes::{In, Out};
use crate::judge::{Judged, SampleScore, Tested};
use crate::operators::rates::{Count, Counts};

/// What came of a generation so far, by unit; it is read once all of it is there, on all threads.
#[derive(Debug, Default)]
pub(super) struct Arrived {
    units: Vec<Option<Vec<u8>>>,
    rows: u64,
}

impl Evolution<'_> {
    /// How many units there are; each is known by its place.
    pub fn count(&self) -> usize {
        self.units.len()
    }

    /// The generation that comes next.
    pub fn next(&self) -> u32 {
        self.next
    }

    /// How long every unit's last generation took.
    pub fn took(&self) -> &[Duration] {
        &self.took
    }

    /// What workers must know of the next generation: all but the units themselves.
    pub fn outline(&self) -> Vec<u8> {
        let mut out = Out::default();
        out.number(u64::from(self.next));
        let solved = self.solved();
        out.count(solved.len());
        for solved in solved {
            out.number(u64::from(solved));
        }
        let elites = self.elites();
        out.count(elites.len());
        for elite in elites {
            out.count(elite.len());
            for genome in elite {
                genome.write(&mut out);
            }
        }
        out.0
    }

    /// A unit as it is before the next generation, for a worker that has not got it.
    pub fn unit(&self, at: usize) -> Option<Vec<u8>> {
        let mut out = Out::default();
        self.units.get(at)?.write(&mut out);
        Some(out.0)
    }

    /// Takes what a worker gave, and gives the places of its units. What came before is left as it is, and
    /// what is of another generation is left out; `None` if it cannot be read.
    pub fn take(&mut self, given: &[u8]) -> Option<Vec<usize>> {
        let mut bytes = In(given);
        let (generation, rows) = (bytes.number()?, bytes.number()?);
        let mut all = Vec::new();
        for _ in 0..bytes.count()? {
            let at = bytes.count().filter(|at| *at < self.units.len())?;
            all.push((at, bytes.bytes()?));
        }
        if !bytes.0.is_empty() {
            return None;
        }
        if generation != u64::from(self.next) {
            return Some(Vec::new());
        }
        self.arrived.units.resize_with(self.units.len(), || None);
        self.arrived.rows += rows;
        let places = all.iter().map(|(at, _)| *at).collect();
        for (at, given) in all {
            self.arrived.units[at].get_or_insert_with(|| given.to_vec());
        }
        Some(places)
    }

    /// Ends the generation if all units are there. `None` where one of them cannot follow what changed:
    /// then a worker had another unit than this, and the run goes on from its last commit.
    pub fn finish(&mut self) -> Option<bool> {
        let arrived = &self.arrived.units;
        if arrived.len() < self.units.len() || arrived.iter().any(Option::is_none) {
            return Some(false);
        }
        let Arrived { units, rows } = std::mem::take(&mut self.arrived);
        let work: Vec<(&mut Unit, Vec<u8>)> =
            self.units.iter_mut().zip(units.into_iter().flatten()).collect();
        let tasks = &self.tasks;
        let steps: Option<Vec<(Step, Duration)>> = self.threads.install(|| {
            let follow = |(unit, given): (&mut Unit, Vec<u8>)| {
                let mut bytes = In(&given);
                let took = Duration::from_nanos(bytes.number()?);
                let step = read_step(&mut bytes, &tasks[unit.task], unit.island)?;
                unit.follow(Change::read(&mut bytes)?)?;
                bytes.0.is_empty().then_some((step, took))
            };
            work.into_par_iter().map(follow).collect()
        });
        let steps = steps?.into_iter().enumerate();
        self.engine.add(rows);
        self.close(steps.map(|(at, (step, took))| (at, step, took)).collect(), false);
        // These stay where they were found; how many there were is among the totals.
        self.disagreements.clear();
        Some(true)
    }
}

/// Writes what came of a unit's generation.
pub(super) fn write_given(at: usize, unit: &Unit, step: &Step, took: Duration, out: &mut Out) {
    let mut own = Out::default();
    own.number(took.as_nanos() as u64);
    write_step(step, &mut own);
    unit.write_change(&mut own);
    out.count(at);
    out.bytes(&own.0);
}

fn write_step(step: &Step, out: &mut Out) {
    for c in &step.counts {
        out.numbers([c.proposed, c.well_typed, c.new_graph, c.new_behaviour, c.improving]);
    }
    out.numbers([step.proposals, step.well_typed, step.candidates, step.new_behaviour]);
    out.numbers([step.improving, step.handed_back]);
    step.refused.write(out);
    out.count(step.found.len());
    for found in &step.found {
        out.bytes(found.program.text().as_bytes());
        out.count(found.judged.samples.len());
        for sample in &found.judged.samples {
            let SampleScore { exact, cells, differ } = *sample;
            out.numbers([u64::from(exact), u64::from(cells), u64::from(differ)]);
        }
        out.bytes(found.judged.behaviour.as_bytes());
        out.number(found.judged.cost);
        out.bytes(found.origin.operator.as_bytes());
        out.count(found.origin.parents.len());
        found.origin.parents.iter().for_each(|parent| out.bytes(parent.bytes()));
    }
    out.count(step.tests.len());
    for test in &step.tests {
        out.bytes(test.program.bytes());
        out.count(test.tested.tests.len());
        test.tested.tests.iter().for_each(|right| out.number(right.map_or(2, u64::from)));
    }
}

fn read_step(bytes: &mut In, task: &TaskContext, island: u32) -> Option<Step> {
    let mut counts = Counts::default();
    for count in &mut counts {
        *count = Count {
            proposed: bytes.number()?,
            well_typed: bytes.number()?,
            new_graph: bytes.number()?,
            new_behaviour: bytes.number()?,
            improving: bytes.number()?,
        };
    }
    let mut step = Step {
        counts,
        proposals: bytes.number()?,
        well_typed: bytes.number()?,
        candidates: bytes.number()?,
        new_behaviour: bytes.number()?,
        improving: bytes.number()?,
        handed_back: bytes.number()?,
        refused: Refused::read(bytes)?,
        ..Step::default()
    };
    for _ in 0..bytes.count()? {
        step.found.push(read_found(bytes, task, island)?);
    }
    for _ in 0..bytes.count()? {
        let program = read_hash(bytes)?;
        let right = |bytes: &mut In| {
            Some(match bytes.number()? {
                0 => Some(false),
                1 => Some(true),
                _ => None,
            })
        };
        let tests: Option<Vec<Option<bool>>> = (0..bytes.count()?).map(|_| right(bytes)).collect();
        let tested = Tested { tests: tests? };
        step.tests.push(TestFound { program, task: task.id.clone(), tested });
    }
    Some(step)
}

fn read_found(bytes: &mut In, task: &TaskContext, island: u32) -> Option<Found> {
    let program = Canonical::read(std::str::from_utf8(bytes.bytes()?).ok()?)?;
    let sample = |bytes: &mut In| {
        Some(SampleScore {
            exact: bytes.number()? == 1,
            cells: u32::try_from(bytes.number()?).ok()?,
            differ: u32::try_from(bytes.number()?).ok()?,
        })
    };
    let samples: Option<Vec<SampleScore>> = (0..bytes.count()?).map(|_| sample(bytes)).collect();
    let behaviour = read_text(bytes)?;
    let judged = Judged { samples: samples?, behaviour, cost: bytes.number()? };
    let operator = read_text(bytes)?;
    let parents: Option<Vec<ProgramHash>> = (0..bytes.count()?).map(|_| read_hash(bytes)).collect();
    let origin = Origin { operator, parents: parents?, island };
    let demos = task.judge.demos().to_string();
    Some(Found { program, task: task.id.clone(), demos, judged, origin })
}

fn read_text(bytes: &mut In) -> Option<String> {
    String::from_utf8(bytes.bytes()?.to_vec()).ok()
}

fn read_hash(bytes: &mut In) -> Option<ProgramHash> {
    let hash = blake3::Hash::from_bytes(bytes.bytes()?.try_into().ok()?);
    ProgramHash::read(&hash.to_hex())
}
