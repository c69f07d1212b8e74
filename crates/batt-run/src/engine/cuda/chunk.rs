//! One chunk of samples: inputs up, steps, results down.

use batt_core::columns::{
    Answer, BACK, FAILED, Memory, Operand, RIGHT, SLOT_SHIFT, VALUE, WRONG,
};
use batt_core::Val;
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
use crate::engine::{Cell, Counters, DeviceWork, Row, Sample};

/// What came of a chunk.
pub struct Done {
    pub rows: Vec<Row>,
    pub counters: Counters,
    pub per_sample: PerSample,
}

/// A chunk's inputs as they go up.
struct Inputs {
    arena: Arena,
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
        samples: &[Sample],
    ) -> Result<Done, Failure> {
        let battery = self.setup.battery;
        session.reset(battery.slot_count(), battery.frames().len())?;
        let constants = self.constants.arena.taken();
        session.fill_arena(0, self.constants.arena.bytes(0, constants))?;
        for frame in [FrameId::CONSTANT, FrameId::TASK, FrameId::SAMPLE] {
            session.frames[frame.index()] = Rows { len: 1, ..Rows::default() };
        }
        let values: Vec<Val> = self.constants.values.iter().map(|(_, val)| *val).collect();
        let at = session.put(&values)?;
        for (k, (slot, _)) in self.constants.values.iter().enumerate() {
            session.columns[slot.index()] = Some(at + k as u64 * VALUE_BYTES);
        }
        let defaults = &self.constants.defaults;
        Runner { session, plan, defaults }.run(&plan.steps[0])?;
        let inputs = self.inputs(session.taken()?, samples);
        self.upload(session, &inputs)?;
        Runner { session, plan, defaults }.run(&plan.steps[1])?;
        Runner { session, plan, defaults }.run(&plan.steps[2])?;
        let (rows, mut counters) = self.answers(session, plan, &inputs, samples)?;
        let taken = session.taken()?;
        counters.slots = std::mem::take(&mut session.slots).into_iter().zip(counters.slots).map(
            |(mut rows, back)| {
                rows.handed_back = back.handed_back;
                rows
            },
        ).collect();
        let n = samples.len() as f64;
        // Samples differ, so the next ones are given more room than these took.
        let per_sample = PerSample {
            units: f64::from(taken) / n * 1.25 + 1.0,
            bytes: session.pool.peak() as f64 / n * 1.25 + 256.0,
        };
        counters.device = DeviceWork {
            rows: counters.slots.iter().map(|slot| slot.rows).sum(),
            ..DeviceWork::default()
        };
        Ok(Done { rows, counters, per_sample })
    }

    /// The inputs of a chunk, in units from `first` on.
    fn inputs(&self, first: u32, samples: &[Sample]) -> Inputs {
        let battery = self.setup.battery;
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
        let mut column = |input: Input, of: &dyn Fn(&Sample) -> Option<Value>| {
            if battery.input(input).is_none() {
                return Vec::new();
            }
            samples.iter().map(|sample| hold(&mut arena, of(sample).as_ref())).collect()
        };
        let i = column(Input::I, &|sample| Some(sample.input.clone()));
        let c = column(Input::C, &|sample| sample.compared.clone());
        let expected = if self.setup.verdicts {
            samples.iter().map(|sample| hold(&mut arena, sample.expected.as_ref())).collect()
        } else {
            Vec::new()
        };
        Inputs { arena, s, i, c, expected, tasks }
    }

    fn upload(&self, session: &mut Session<'_>, inputs: &Inputs) -> Result<(), Failure> {
        let battery = self.setup.battery;
        let first = session.taken()?;
        session.fill_arena(first, inputs.arena.bytes(first, inputs.arena.taken()))?;
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

    fn answers(
        &self,
        session: &mut Session<'_>,
        plan: &Plan,
        inputs: &Inputs,
        samples: &[Sample],
    ) -> Result<(Vec<Row>, Counters), Failure> {
        let rows = samples.len() as u32;
        let expected = match inputs.expected.as_slice() {
            [] => Operand::default(),
            values => Operand { column: session.put(values)?, stride: 1, ..Operand::default() },
        };
        // Where every sample says what it expects, no values are brought out.
        let values = inputs.expected.is_empty()
            || inputs.expected.iter().any(|val| val.is(batt_core::Tag::Back));
        let words = session.take(rows * plan.roots.len() as u32, 4)?;
        let mut cells: Vec<Row> = samples.iter().map(|_| Vec::with_capacity(plan.roots.len())).collect();
        let mut counters = Counters::default();
        counters.slots.resize(self.setup.battery.slot_count(), crate::engine::SlotCount::default());
        let mut answers = Vec::new();
        for (k, root) in plan.roots.iter().enumerate() {
            let answer = Answer {
                memory: session.memory(rows),
                results: session.operand(*root, FrameId::SAMPLE)?,
                expected,
                words: words + u64::from(rows) * 4 * k as u64,
                rows,
                ..Answer::default()
            };
            if values {
                answers.push(bring_out(session, answer)?);
            } else {
                session.launch(session.kernels.answer, rows, true, &answer)?;
            }
        }
        let mut all = vec![0u32; rows as usize * plan.roots.len()];
        session.download(words, &mut all)?;
        for (k, root) in plan.roots.iter().enumerate() {
            let words = &all[k * rows as usize..][..rows as usize];
            let mut brought = answers.get_mut(k);
            for (at, (word, row)) in words.iter().zip(&mut cells).enumerate() {
                let brought = brought.as_mut().filter(|_| *word == VALUE);
                let value = brought.and_then(|(arena, values)| to_value(arena.cx(), values[at]));
                row.push(cell(*word, value, root.slot, &mut counters));
            }
        }
        Ok((cells, counters))
    }
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
