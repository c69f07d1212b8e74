//! One chunk of samples: inputs up, steps, results down.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use batt_core::columns::{Answer, MOST_LISTED, Memory, Operand, Scores};
use batt_core::{Tag, Val};
use batt_cuda::{Arriving, Device, Failure, Staged, bytes_mut};
use batt_lang::Value;
use batt_lang::graph::FrameId;
use batt_lang::program::Input;

use super::arena::Arena;
use super::plan::Plan;
use super::session::{By, EXPORTED, FEW, Rows, Session, UNIT_BYTES, VALUE_BYTES};
use super::steps::Runner;
use super::{PerSample, Ready, hold};
use crate::engine::{Phase, Sample, SlotCount};

/// What came of a chunk, as it came from the device.
pub struct Brought<'d> {
    pub samples: usize,
    /// A word for every sample, root by root, once they have arrived.
    pub words: Vec<u32>,
    coming: Option<Box<dyn Arriving + 'd>>,
    /// The values of every root, where they were asked for.
    pub values: Vec<(Arena, Vec<Val>)>,
    pub slots: Vec<SlotCount>,
    pub per_sample: PerSample,
}

impl Brought<'_> {
    /// Nothing, for so many samples: all is handed back.
    pub fn nothing(samples: usize) -> Self {
        let per_sample = PerSample { units: 0.0, bytes: 0.0 };
        let (words, values, slots) = (Vec::new(), Vec::new(), Vec::new());
        Brought { samples, words, coming: None, values, slots, per_sample }
    }

    /// Waits for what is on its way. The device need not be held meanwhile.
    pub fn arrive(&mut self) -> Result<(), Failure> {
        match self.coming.take() {
            Some(coming) => coming.take(bytes_mut(&mut self.words)),
            None => Ok(()),
        }
    }
}

/// The inputs of some samples as they go up.
pub struct Inputs<'d> {
    arena: Arena,
    /// The units they take, once they are ready to be sent.
    staged: Mutex<Option<Arc<dyn Staged + 'd>>>,
    /// The first unit that they take.
    first: u32,
    s: Vec<Val>,
    i: Vec<Val>,
    c: Vec<Val>,
    expected: Vec<Val>,
    /// For each sample, the row of its task.
    tasks: Vec<u32>,
}

impl<'d> Inputs<'d> {
    /// The units, ready to be sent; the first device that needs them readies them for all.
    pub fn staged(&self, device: &'d dyn Device) -> Result<Arc<dyn Staged + 'd>, Failure> {
        let mut staged = self.staged.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(ready) = &*staged {
            return Ok(Arc::clone(ready));
        }
        let ready: Arc<dyn Staged + 'd> =
            Arc::from(device.stage(self.arena.bytes(self.first, self.arena.taken()))?);
        *staged = Some(Arc::clone(&ready));
        Ok(ready)
    }
}

impl Ready<'_> {
    /// Runs a chunk. [`Failure::OutOfMemory`] says that it is too large.
    pub(super) fn chunk<'d>(
        &self,
        session: &mut Session<'d>,
        plan: &Plan,
        inputs: &Inputs<'_>,
        staged: &dyn Staged,
    ) -> Result<Brought<'d>, Failure> {
        let battery = self.setup.battery;
        session.reset(battery.slot_count(), battery.frames().len())?;
        session.frames[FrameId::CONSTANT.index()].len = 1;
        let values: Vec<Val> = self.constants.values.iter().map(|(_, val)| *val).collect();
        let at = session.put(&values)?;
        for (k, (slot, _)) in self.constants.values.iter().enumerate() {
            session.columns[slot.index()] = Some(at + k as u64 * VALUE_BYTES);
        }
        session.fill_arena(0, self.constants.arena.bytes(0, self.constants.arena.taken()))?;
        self.upload(session, inputs, staged)?;
        let defaults = &self.constants.defaults;
        for steps in &plan.steps {
            let noted = self.setup.timed.then(|| session.device.kernel_time());
            Runner { session, battery, stop: self.setup.stop, plan, defaults, noted }.run(steps)?;
        }
        let scores = self.setup.only_scores();
        let (words_at, values) = answers(session, plan, inputs, scores)?;
        let taken = session.taken()?;
        let samples = inputs.tasks.len();
        // What warps have left does not grow with the samples; it is half of what they took last, or so.
        let used = taken.saturating_sub(session.left_over() / 2).max(taken / 4);
        // Samples differ, so the next ones are given more room than these took.
        let per_sample = PerSample {
            units: f64::from(used) / samples as f64 * 1.25 + 1.0,
            bytes: session.pool.peak() as f64 / samples as f64 * 1.25 + 256.0,
        };
        let slots = std::mem::take(&mut session.slots);
        // Everything else has been waited for; this is done while the device goes on.
        let words = vec![0u32; samples * plan.roots.len()];
        let size = size_of_val(words.as_slice());
        session.work.down += size as u64;
        let coming = Some(session.device.fetch(words_at, size)?);
        Ok(Brought { samples, words, coming, values, slots, per_sample })
    }

    /// The inputs of a chunk, in the units after the constants'.
    pub(super) fn inputs<'d>(&self, samples: &[Sample]) -> Inputs<'d> {
        let battery = self.setup.battery;
        let first = self.constants.arena.taken().next_multiple_of(4);
        let mut arena = Arena::new(first + samples.len() as u32 * 32 + 64, first);
        let mut rows_of = vec![None; self.setup.tasks.len()];
        let (mut s, mut tasks) = (Vec::new(), Vec::with_capacity(samples.len()));
        for sample in samples {
            let known = rows_of.get_mut(sample.task);
            let row = known.map_or(0, |row| {
                *row.get_or_insert_with(|| {
                    let wanted = battery.input(Input::S).is_some();
                    let value = self.setup.tasks.get(sample.task).filter(|_| wanted);
                    s.push(hold(&mut arena, value));
                    s.len() as u32 - 1
                })
            });
            tasks.push(row);
        }
        let mut column = |input: Input, of: fn(&Sample) -> Option<&Value>| {
            if battery.input(input).is_none() {
                return Vec::new();
            }
            samples.iter().map(|sample| hold(&mut arena, of(sample))).collect()
        };
        let i = column(Input::I, |sample| Some(&sample.input));
        let c = column(Input::C, |sample| sample.compared.as_ref());
        let expected = if self.setup.verdicts && self.setup.phase == Phase::Outputs {
            samples.iter().map(|sample| hold(&mut arena, sample.expected.as_ref())).collect()
        } else {
            Vec::new()
        };
        Inputs { arena, staged: Mutex::default(), first, s, i, c, expected, tasks }
    }

    fn upload(
        &self,
        session: &mut Session<'_>,
        inputs: &Inputs<'_>,
        staged: &dyn Staged,
    ) -> Result<(), Failure> {
        let battery = self.setup.battery;
        session.send_to_arena(inputs.first, staged)?;
        let columns = [(Input::S, &inputs.s), (Input::I, &inputs.i), (Input::C, &inputs.c)];
        for (input, values) in columns {
            if let Some(slot) = battery.input(input) {
                session.columns[slot.index()] = Some(session.put(values)?);
            }
        }
        session.frames[FrameId::TASK.index()].len = inputs.s.len() as u32;
        let tasks = session.put(&inputs.tasks)?;
        session.frames[FrameId::SAMPLE.index()] =
            Rows { len: inputs.tasks.len() as u32, up: vec![Some(tasks)], ..Rows::default() };
        Ok(())
    }
}

/// Where the results' words are and, where some sample does not say what it expects, their values.
type Answers = (u64, Vec<(Arena, Vec<Val>)>);

fn answers(
    session: &mut Session<'_>,
    plan: &Plan,
    inputs: &Inputs,
    scores: bool,
) -> Result<Answers, Failure> {
    let rows = inputs.tasks.len() as u32;
    let expected = match inputs.expected.as_slice() {
        [] => Operand::default(),
        values => Operand { column: session.put(values)?, stride: 1, ..Operand::default() },
    };
    let open = |val: &Val| val.is(Tag::Back);
    let asked = inputs.expected.is_empty() || inputs.expected.iter().any(open);
    let words = session.take(rows * plan.roots.len() as u32, 4)?;
    let mut values = Vec::new();
    if scores {
        // Those that are alone, and the others, several at a time.
        let mut first = 0;
        for same in plan.alone.chunk_by(|a, b| a == b) {
            for some in same.chunks(MOST_LISTED) {
                bring_scores(session, plan, first..first + some.len(), words)?;
                first += some.len();
            }
        }
        return Ok((words, values));
    }
    // Verdicts of several, or the values of one.
    let some = if asked { 1 } else { MOST_LISTED };
    for (k, roots) in plan.roots.chunks(some).enumerate() {
        let mut answer = Answer {
            memory: session.memory(),
            expected,
            words: words + u64::from(rows) * 4 * (k * some) as u64,
            rows,
            count: roots.len() as u32,
            ..Answer::default()
        };
        for (to, root) in answer.list.iter_mut().zip(roots) {
            *to = session.operand(*root, FrameId::SAMPLE)?;
        }
        if asked {
            values.push(bring_out(session, answer)?);
        } else {
            let all = rows * answer.count;
            session.launch(session.kernels.answer, all, By::Either(FEW), &answer)?;
        }
    }
    Ok((words, values))
}

/// Brings the scores of some roots out, which all are alone, or none is.
fn bring_scores(
    session: &mut Session<'_>,
    plan: &Plan,
    places: Range<usize>,
    words: u64,
) -> Result<(), Failure> {
    let rows = session.rows(FrameId::SAMPLE);
    let mut scores = Scores {
        memory: session.memory(),
        words: words + u64::from(rows) * 4 * places.start as u64,
        rows,
        count: places.len() as u32,
        alone: u32::from(plan.alone.get(places.start) == Some(&true)),
        ..Scores::default()
    };
    for (to, root) in scores.list.iter_mut().zip(&plan.roots[places]) {
        *to = session.operand(*root, FrameId::SAMPLE)?;
    }
    session.launch(session.kernels.scores, rows * scores.count, By::Thread, &scores)
}

/// Brings the values of a root out, with as much room as they need.
fn bring_out(session: &mut Session<'_>, mut answer: Answer) -> Result<(Arena, Vec<Val>), Failure> {
    let rows = answer.rows;
    answer.values = session.take(rows, VALUE_BYTES)?;
    let mut units = rows.saturating_mul(32).saturating_add(1024);
    let taken = loop {
        let base = session.take(units, UNIT_BYTES)?;
        session.device.clear(session.count_at(EXPORTED), 4)?;
        let (taken, grain) = (session.count_at(EXPORTED), session.grain(rows));
        answer.exports = Memory { base, taken, units, grain, ..Memory::default() };
        session.launch(session.kernels.answer, rows, By::Warp, &answer)?;
        let mut taken = [0u32];
        session.download(session.count_at(EXPORTED), &mut taken)?;
        if taken[0] <= units {
            break taken[0];
        }
        session.give(Some(base));
        units = units.checked_mul(4).ok_or(Failure::OutOfMemory)?;
    };
    let mut arena = Arena::new(0, 0);
    let bytes = arena.bytes_mut(taken);
    session.work.down += bytes.len() as u64;
    session.device.download(answer.exports.base, bytes)?;
    let mut values = vec![Val::BACK; rows as usize];
    session.download(answer.values, &mut values)?;
    session.give(Some(answer.exports.base));
    session.give(Some(answer.values));
    Ok((arena, values))
}
