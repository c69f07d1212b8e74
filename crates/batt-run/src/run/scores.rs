//! The second pass: every differ on the input and on every program's output, with C known.

use std::sync::{Mutex, PoisonError};

use batt_core::seq::MAX_SCORE;
use batt_lang::{Program, Value};
use serde::Serialize;

use super::coordinator::{Batch, Unit};
use super::outcome::SampleId;
use super::outputs::Judge;
use super::plan::Plan;
use super::records::{Lines, Place, score_line};
use crate::engine::Cell;
use crate::reference::eval::{self, Inputs};
use crate::stop::Stopped;

/// What a differ says.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// 0 to 1000.
    pub score: i32,
    /// Whatever the differ adds.
    pub detail: Value,
}

impl Score {
    /// The score that a differ's value is: a pair (score, detail). Anything else is none.
    pub fn of(value: &Value) -> Option<Score> {
        let items = value.elements_of().filter(|_| value.is_tuple())?;
        let [score, detail] = &*items else { return None };
        let score = score.as_int()?.clamp(0, MAX_SCORE);
        Some(Score { score, detail: detail.clone() })
    }
}

/// A sum of scores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// The sum.
    pub sum: u64,
    /// Of how many.
    pub count: u64,
}

impl Sum {
    fn add(&mut self, score: Option<&Score>) {
        if let Some(score) = score {
            self.sum += score.score as u64;
            self.count += 1;
        }
    }

    /// Both together.
    #[must_use]
    pub fn with(self, other: Sum) -> Sum {
        Sum { sum: self.sum + other.sum, count: self.count + other.count }
    }

    /// The mean, if there is any score.
    pub fn mean(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }
}

/// One differ's scores on a program-task pair. Demos decide; tests are only reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DifferSums {
    /// On demos.
    pub demos: Sum,
    /// On tests.
    pub tests: Sum,
}

/// What came of the scores so far.
#[derive(Debug, Default)]
pub struct Scored {
    /// How many differs there are.
    pub differs: usize,
    /// By pair of the plan, then by differ.
    pub pairs: Vec<DifferSums>,
    /// By task, then by differ: the input itself.
    pub inputs: Vec<DifferSums>,
    /// Samples that were to be scored.
    pub wanted: usize,
    /// Samples that were.
    pub samples: usize,
    /// Scores that the engine handed back.
    pub fallback: usize,
    /// Scores that were computed.
    pub scores: usize,
    /// Rows that the engine evaluated.
    pub rows: u64,
    /// The most bytes that one worker held at a time.
    pub worker_bytes: u64,
}

impl Scored {
    /// Nothing yet.
    pub fn new(plan: &Plan, tasks: usize, differs: usize) -> Scored {
        Scored {
            differs,
            pairs: vec![DifferSums::default(); plan.pairs.len() * differs],
            inputs: vec![DifferSums::default(); tasks * differs],
            ..Scored::default()
        }
    }

    /// The scores of a pair, by differ.
    pub fn pair(&self, pair: usize) -> &[DifferSums] {
        &self.pairs[pair * self.differs..(pair + 1) * self.differs]
    }

    /// The scores of a task's inputs, by differ.
    pub fn input(&self, task: usize) -> &[DifferSums] {
        &self.inputs[task * self.differs..(task + 1) * self.differs]
    }
}

/// When to score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Diff {
    /// Samples on which some program was right.
    #[default]
    Matched,
    /// All samples with a known output.
    Always,
}

/// Reads scores off cells.
pub struct Scorer<'a> {
    /// What the outputs are judged by; its units are those of this pass.
    pub judge: &'a Judge<'a>,
    /// The differs.
    pub differs: &'a [Program],
}

impl Scorer<'_> {
    /// Adds a batch of scores to what is there, and writes its records. Samples of which a score was
    /// stopped are left out.
    pub fn add(&self, batch: Batch, scored: &Mutex<Scored>, lines: Option<&Lines>) {
        let units = &self.judge.units[batch.units.clone()];
        let mut text = String::new();
        let mut handed_back = 0;
        let mut scores: Vec<Vec<Option<Score>>> = Vec::with_capacity(units.len());
        let mut whole = Vec::with_capacity(units.len());
        for (unit, row) in units.iter().zip(batch.rows) {
            let back = row.iter().filter(|cell| **cell == Cell::HandBack).count();
            let row = row.into_iter().enumerate();
            let scored = row.map(|(at, cell)| self.score(*unit, at, cell));
            let Ok(scored) = scored.collect::<Result<Vec<_>, Stopped>>() else { continue };
            handed_back += back;
            if lines.is_some() {
                for (at, score) in scored.iter().enumerate() {
                    self.write(&mut text, *unit, at, score.as_ref());
                }
            }
            scores.push(scored);
            whole.push(*unit);
        }
        let mut scored = scored.lock().unwrap_or_else(PoisonError::into_inner);
        scored.samples += whole.len();
        scored.scores += scores.iter().map(Vec::len).sum::<usize>();
        scored.rows += batch.counters.rows();
        scored.worker_bytes = scored.worker_bytes.max(batch.counters.worker_bytes);
        scored.fallback += handed_back + batch.counters.again.len();
        for (unit, scores) in whole.into_iter().zip(scores) {
            for (at, score) in scores.iter().enumerate() {
                self.fold(&mut scored, unit, at, score.as_ref());
            }
        }
        drop(scored);
        if let Some(lines) = lines {
            lines.put(batch.number, text);
        }
    }

    /// The program, by its place in the job, and the differ of a score, by its place in the
    /// battery: the input's scores come first, then each program's.
    fn parts(&self, at: usize) -> (Option<usize>, usize) {
        ((at / self.differs.len()).checked_sub(1), at % self.differs.len())
    }

    /// The score that a cell is, if it is one.
    fn score(&self, unit: Unit, at: usize, cell: Cell) -> Result<Option<Score>, Stopped> {
        match cell {
            Cell::Value(value) => Ok(Score::of(&value)),
            Cell::Error(..) | Cell::Verdict(_) => Ok(None),
            Cell::HandBack => self.alone(unit, at),
            Cell::Stopped => Err(Stopped),
        }
    }

    /// A score by the interpreter.
    fn alone(&self, unit: Unit, at: usize) -> Result<Option<Score>, Stopped> {
        let judge = self.judge;
        let (samples, item) = unit.find(judge.jobs, judge.samples);
        let (program, differ) = self.parts(at);
        let output = match program {
            None => item.input.clone(),
            Some(program) => {
                let program = &judge.entries[judge.jobs[unit.job].job.programs[program]].program;
                let inputs = samples.inputs_of(item);
                match eval::run_until(program, &inputs, judge.policy, judge.stop).ok_or(Stopped)? {
                    Ok(output) => output,
                    Err(_) => return Ok(None),
                }
            }
        };
        let inputs = Inputs { s: &samples.s, i: &output, c: item.output.as_ref() };
        let score = eval::run_until(&self.differs[differ], &inputs, judge.policy, judge.stop);
        Ok(score.ok_or(Stopped)?.ok().and_then(|score| Score::of(&score)))
    }

    fn fold(&self, scored: &mut Scored, unit: Unit, at: usize, score: Option<&Score>) {
        let judge = self.judge;
        let job = judge.jobs[unit.job].job;
        let (program, differ) = self.parts(at);
        let sums = match program {
            None => &mut scored.inputs[job.tasks[unit.task] * self.differs.len() + differ],
            Some(program) => {
                let pair = job.pair(program, unit.task);
                &mut scored.pairs[pair * self.differs.len() + differ]
            }
        };
        match unit.find(judge.jobs, judge.samples).1.id {
            SampleId::Demo(_) => sums.demos.add(score),
            SampleId::Test(_) => sums.tests.add(score),
        }
    }

    fn write(&self, text: &mut String, unit: Unit, at: usize, score: Option<&Score>) {
        let judge = self.judge;
        let job = judge.jobs[unit.job].job;
        let (_, item) = unit.find(judge.jobs, judge.samples);
        let place = Place { task: &judge.tasks[job.tasks[unit.task]].id, sample: item.id };
        let (program, differ) = self.parts(at);
        let program = program.map(|at| job.programs[at]);
        let slot = program.map_or(0, |place| place + 1) * self.differs.len() + differ;
        let name = program.map(|place| judge.entries[place].id.as_str());
        score_line(text, place, slot, name, &self.differs[differ].name, score);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_pairs_and_stay_within_bounds() {
        let score = |value: &Value| Score::of(value).map(|s| s.score);
        assert_eq!(score(&Value::Pair(1500, 3)), Some(1000));
        assert_eq!(score(&Value::Pair(-2, 3)), Some(0));
        assert_eq!(score(&Value::Cell(7, 1, 2)), Some(7));
        let set = Value::set(vec![Value::Int(1)]);
        assert_eq!(score(&Value::tuple(vec![Value::Int(9), set.clone()])), Some(9));
        assert_eq!(score(&Value::tuple(vec![set.clone(), Value::Int(9)])), None);
        assert_eq!(score(&Value::set(vec![Value::Int(1), Value::Int(2)])), None);
        assert_eq!(score(&Value::Int(3)), None);
    }
}
