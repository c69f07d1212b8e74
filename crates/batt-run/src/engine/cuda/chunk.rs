//! One chunk of samples: steps, and results down.

use std::ops::Range;

use batt_core::Val;
use batt_core::columns::{Answer, MOST_LISTED, Memory, Operand, Scores};
use batt_cuda::{Arriving, Failure, bytes_mut};
use batt_lang::graph::FrameId;

use super::arena::Arena;
use super::inputs::{Inputs, Source};
use super::plan::Plan;
use super::session::{By, EXPORTED, FEW, Rows, Session, UNIT_BYTES, VALUE_BYTES};
use super::steps::Runner;
use super::{PerSample, Ready};
use crate::engine::SlotCount;

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

impl Ready<'_> {
    /// Runs some of the samples of inputs. [`Failure::OutOfMemory`] says that they are too many.
    pub(super) fn chunk<'d>(
        &self,
        session: &mut Session<'d>,
        plan: &Plan,
        inputs: &Inputs<'_>,
        source: &Source<'_, '_>,
        samples: Range<usize>,
    ) -> Result<Brought<'d>, Failure> {
        let battery = self.setup.battery;
        let (compared, asked) = inputs.compared();
        session.reset(battery.slot_count(), battery.frames().len())?;
        session.frames[FrameId::CONSTANT.index()].len = 1;
        let count = samples.len();
        let chunk = inputs.begin(session, source, &self.constants, samples)?;
        let samples = count;
        session.frames[FrameId::TASK.index()].len = chunk.tasks;
        session.frames[FrameId::SAMPLE.index()] =
            Rows { len: samples as u32, up: vec![Some(chunk.rows)], ..Rows::default() };
        let defaults = &self.constants.defaults;
        for steps in &plan.steps {
            let noted = self.setup.timed.then(|| session.device.kernel_time());
            Runner { session, battery, stop: self.setup.stop, plan, defaults, noted }.run(steps)?;
        }
        let scores = self.setup.only_scores();
        let expected = compared.then_some(chunk.expected);
        let (words_at, values) = answers(session, plan, expected, !asked, scores)?;
        let taken = session.taken()?;
        // What warps have left does not grow with the samples; it is half of what they took last, or so.
        let used = taken.saturating_sub(session.left_over() / 2).max(taken / 4);
        // All inputs are there, however few of the samples run.
        let used = used.saturating_sub(inputs.units()).max(used / 16);
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
}

/// Where the results' words are and, where they are asked for, their values.
type Answers = (u64, Vec<(Arena, Vec<Val>)>);

fn answers(
    session: &mut Session<'_>,
    plan: &Plan,
    expected: Option<u64>,
    asked: bool,
    scores: bool,
) -> Result<Answers, Failure> {
    let rows = session.rows(FrameId::SAMPLE);
    let expected = expected.map_or_else(Operand::default, |column| Operand {
        column,
        stride: 1,
        ..Operand::default()
    });
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
    // Errors leave theirs as it is, and it is brought, too.
    session.device.clear(answer.values, rows as usize * VALUE_BYTES as usize)?;
    let mut units = rows.saturating_mul(32).saturating_add(1024);
    let taken = loop {
        let base = session.take(units, UNIT_BYTES)?;
        session.device.clear(session.count_at(EXPORTED), 4)?;
        // What a warp takes and does not fill is brought, too.
        session.device.clear(base, units as usize * UNIT_BYTES as usize)?;
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
