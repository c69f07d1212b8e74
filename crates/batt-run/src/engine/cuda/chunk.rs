//! One chunk of samples: inputs up, steps, results down.

use batt_core::columns::{Answer, BACK, FAILED, Memory, Operand, RIGHT, SLOT_SHIFT, VALUE, WRONG};
use batt_core::seq::elements;
use batt_core::{Tag, Val};
use batt_cuda::Failure;
use batt_lang::Value;
use batt_lang::graph::{FrameId, SlotId};
use batt_lang::program::Input;

use super::arena::Arena;
use super::plan::Plan;
use super::session::{EXPORTED, Rows, Session, UNIT_BYTES, VALUE_BYTES};
use super::steps::Runner;
use super::{PerSample, Ready, hold};
use crate::engine::cpu::{fault_of, to_value};
use crate::engine::{Cell, Counters, Row, Sample, SlotCount};

/// What came of a chunk, as it came from the device.
pub struct Brought {
    samples: usize,
    /// A word for every sample, root by root.
    words: Vec<u32>,
    /// The values of every root, where they were asked for.
    values: Vec<(Arena, Vec<Val>)>,
    slots: Vec<SlotCount>,
    pub per_sample: PerSample,
}

impl Brought {
    /// Nothing, for so many samples: all is handed back.
    pub fn nothing(samples: usize) -> Brought {
        let per_sample = PerSample { units: 0.0, bytes: 0.0 };
        Brought { samples, words: Vec::new(), values: Vec::new(), slots: Vec::new(), per_sample }
    }
}

/// A chunk's inputs as they go up.
pub struct Inputs {
    arena: Arena,
    /// The first unit that they take.
    first: u32,
    s: Vec<Val>,
    i: Vec<Val>,
    c: Vec<Val>,
    expected: Vec<Val>,
    /// For each sample, the row of its task.
    tasks: Vec<u32>,
}

impl Ready<'_> {
    /// Runs a chunk. [`Failure::OutOfMemory`] says that it is too large.
    pub(super) fn chunk(
        &self,
        session: &mut Session<'_>,
        plan: &Plan,
        inputs: &Inputs,
    ) -> Result<Brought, Failure> {
        let battery = self.setup.battery;
        session.reset(battery.slot_count(), battery.frames().len())?;
        session.frames[FrameId::CONSTANT.index()].len = 1;
        let values: Vec<Val> = self.constants.values.iter().map(|(_, val)| *val).collect();
        let at = session.put(&values)?;
        for (k, (slot, _)) in self.constants.values.iter().enumerate() {
            session.columns[slot.index()] = Some(at + k as u64 * VALUE_BYTES);
        }
        session.fill_arena(0, self.constants.arena.bytes(0, self.constants.arena.taken()))?;
        self.upload(session, inputs)?;
        let defaults = &self.constants.defaults;
        for steps in &plan.steps {
            Runner { session, plan, defaults, timed: self.setup.timed }.run(steps)?;
        }
        let (words, values) = answers(session, plan, inputs)?;
        let taken = session.taken()?;
        let samples = inputs.tasks.len();
        // Samples differ, so the next ones are given more room than these took.
        let per_sample = PerSample {
            units: f64::from(taken) / samples as f64 * 1.25 + 1.0,
            bytes: session.pool.peak() as f64 / samples as f64 * 1.25 + 256.0,
        };
        let slots = std::mem::take(&mut session.slots);
        Ok(Brought { samples, words, values, slots, per_sample })
    }

    /// The inputs of a chunk, in the units after the constants'.
    pub(super) fn inputs(&self, samples: &[Sample]) -> Inputs {
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
        let expected = if self.setup.verdicts {
            samples.iter().map(|sample| hold(&mut arena, sample.expected.as_ref())).collect()
        } else {
            Vec::new()
        };
        Inputs { arena, first, s, i, c, expected, tasks }
    }

    fn upload(&self, session: &mut Session<'_>, inputs: &Inputs) -> Result<(), Failure> {
        let battery = self.setup.battery;
        let taken = inputs.arena.taken();
        session.fill_arena(inputs.first, inputs.arena.bytes(inputs.first, taken))?;
        let columns = [(Input::S, &inputs.s), (Input::I, &inputs.i), (Input::C, &inputs.c)];
        for (input, values) in columns {
            if let Some(slot) = battery.input(input) {
                session.columns[slot.index()] = Some(session.put(values)?);
            }
        }
        session.frames[FrameId::TASK.index()].len = inputs.s.len() as u32;
        let tasks = session.put(&inputs.tasks)?;
        session.frames[FrameId::SAMPLE.index()] =
            Rows { len: inputs.tasks.len() as u32, up: vec![Some(tasks)], spans: None };
        Ok(())
    }

    /// What came of a chunk, by sample.
    pub(super) fn assemble(
        &self,
        mut chunk: Brought,
        rows: &mut Vec<Row>,
        counters: &mut Counters,
    ) {
        let mut counted = Counters { slots: chunk.slots, ..Counters::default() };
        counted.device.rows = counted.rows();
        counted.slots.resize(self.setup.battery.slot_count(), SlotCount::default());
        for at in 0..chunk.samples {
            let mut row = Vec::with_capacity(self.roots.len());
            for (k, root) in self.roots.iter().enumerate() {
                let word = chunk.words.get(k * chunk.samples + at).copied().unwrap_or(BACK);
                let values = chunk.values.get_mut(k).filter(|_| word == VALUE);
                let value = values.and_then(|(arena, values)| value_of(arena, values[at]));
                row.push(cell(word, value, *root, &mut counted));
            }
            rows.push(row);
        }
        counters.add(&counted);
    }
}

/// The results' words and, where some sample does not say what it expects, their values.
type Answers = (Vec<u32>, Vec<(Arena, Vec<Val>)>);

fn answers(session: &mut Session<'_>, plan: &Plan, inputs: &Inputs) -> Result<Answers, Failure> {
    let rows = inputs.tasks.len() as u32;
    let expected = match inputs.expected.as_slice() {
        [] => Operand::default(),
        values => Operand { column: session.put(values)?, stride: 1, ..Operand::default() },
    };
    let open = |val: &Val| val.is(Tag::Back);
    let asked = inputs.expected.is_empty() || inputs.expected.iter().any(open);
    let words = session.take(rows * plan.roots.len() as u32, 4)?;
    let mut values = Vec::new();
    for (k, root) in plan.roots.iter().enumerate() {
        let answer = Answer {
            memory: session.memory(rows),
            results: session.operand(*root, FrameId::SAMPLE)?,
            expected,
            words: words + u64::from(rows) * 4 * k as u64,
            rows,
            ..Answer::default()
        };
        if asked {
            values.push(bring_out(session, answer)?);
        } else {
            session.launch(session.kernels.answer, rows, true, &answer)?;
        }
    }
    let mut all = vec![0u32; rows as usize * plan.roots.len()];
    session.download(words, &mut all)?;
    Ok((all, values))
}

/// The value that a brought-out one stands for. Rows of wide grids are built beside it.
fn value_of(arena: &mut Arena, val: Val) -> Option<Value> {
    let before = arena.taken();
    arena.reserve(elements(val).saturating_mul(2).saturating_add(64));
    let value = to_value(arena.cx(), val);
    arena.cx().release(before);
    value
}

/// What a word says of a row.
fn cell(word: u32, value: Option<Value>, root: SlotId, counters: &mut Counters) -> Cell {
    let slot = (word >> SLOT_SHIFT).checked_sub(1).unwrap_or(root.0);
    match (word & 15, value) {
        (RIGHT, _) => Cell::Verdict(true),
        (WRONG, _) => Cell::Verdict(false),
        (FAILED, _) => Cell::Error(fault_of(word >> 4 & 15), SlotId(slot)),
        (VALUE, Some(value)) => Cell::Value(value),
        (kind, _) => {
            let at = if kind == BACK { slot } else { root.0 };
            if let Some(count) = counters.slots.get_mut(at as usize) {
                count.handed_back += 1;
            }
            Cell::HandBack
        }
    }
}

/// Brings the values of a root out, with as much room as they need.
fn bring_out(session: &mut Session<'_>, mut answer: Answer) -> Result<(Arena, Vec<Val>), Failure> {
    let rows = answer.rows;
    answer.values = session.take(rows, VALUE_BYTES)?;
    let mut units = rows.saturating_mul(32).saturating_add(1024);
    let taken = loop {
        let base = session.take(units, UNIT_BYTES)?;
        session.device.clear(session.count_at(EXPORTED), 4)?;
        let grain = answer.memory.grain;
        answer.exports = Memory { base, taken: session.count_at(EXPORTED), units, grain };
        session.launch(session.kernels.answer, rows, true, &answer)?;
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
