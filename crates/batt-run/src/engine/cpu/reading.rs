//! What is read of an answer while it is in the arena.

use batt_core::order::equal;
use batt_core::seq::{bounded, score};
use batt_core::{Array, Tag, Val};
use batt_lang::Value;
use batt_lang::graph::SlotId;

use super::convert::{to_val, to_value};
use super::fault_of;
use super::worker::Worker;
use crate::engine::mark::{Bits, Mark};
use crate::engine::{Cell, Sample, Setup};

/// What is asked of every answer of a sample.
pub trait Reading<'s> {
    type Read: Clone;

    /// What is read of an answer that is handed back.
    const BACK: Self::Read;

    /// What is read of an answer that is not there, because it was said to stop.
    const STOPPED: Self::Read;

    /// Before the answers of a sample are there.
    fn new(worker: &mut Worker, setup: &Setup<'_>, sample: &'s Sample) -> Self;

    /// Reads an answer: that of a root, and whether it is a score, not a pair of a score and its detail.
    fn read(&self, worker: &mut Worker, val: Val, root: SlotId, alone: bool) -> Self::Read;
}

/// Its value, or no more than whether it is what the sample expects, or its score.
pub struct Cells<'s> {
    /// What is expected, where only that is asked for.
    expected: Option<&'s Value>,
    /// Most outputs are grids, which are compared with the expected one as planes: where those are kept.
    place: Option<usize>,
    scores: bool,
}

impl<'s> Reading<'s> for Cells<'s> {
    type Read = Cell;

    const BACK: Cell = Cell::HandBack;
    const STOPPED: Cell = Cell::Stopped;

    fn new(worker: &mut Worker, setup: &Setup<'_>, sample: &'s Sample) -> Cells<'s> {
        let scores = setup.only_scores();
        let expected = sample.expected.as_ref().filter(|_| setup.verdicts && !scores);
        let place = expected.and_then(|value| worker.kept.place(value));
        Cells { expected, place, scores }
    }

    fn read(&self, worker: &mut Worker, val: Val, root: SlotId, alone: bool) -> Cell {
        let cx = worker.cx();
        match val.tag() {
            Tag::Back => {
                worker.handed_back.push(SlotId(val.origin_slot().unwrap_or(root.0)));
                Cell::HandBack
            }
            Tag::Error => {
                Cell::Error(fault_of(val.extra()), SlotId(val.origin_slot().unwrap_or(root.0)))
            }
            _ if self.scores && alone => Cell::score(bounded(val)),
            _ if self.scores => Cell::score(score(cx, val)),
            _ => {
                let Some(expected) = self.expected else {
                    return to_value(cx, val).map_or(Cell::HandBack, Cell::Value);
                };
                let grid = self.place.and_then(|place| worker.kept.again(place, expected));
                if let Some(same) = grid.and_then(|grid| grid.is(cx, val)) {
                    return Cell::Verdict(same);
                }
                let taken = cx.taken();
                let wanted = match grid {
                    Some(grid) => grid.val(cx),
                    None => to_val(cx, expected),
                };
                let same = equal::<Array>(cx, val, wanted);
                cx.release(taken);
                same.map_or(Cell::HandBack, Cell::Verdict)
            }
        }
    }
}

/// How it resembles what the sample expects.
pub struct Marks<'s> {
    expected: Option<&'s Value>,
    target: Option<Bits>,
}

impl<'s> Reading<'s> for Marks<'s> {
    type Read = Option<Mark>;

    const BACK: Option<Mark> = None;
    const STOPPED: Option<Mark> = None;

    fn new(_: &mut Worker, _: &Setup<'_>, sample: &'s Sample) -> Marks<'s> {
        let expected = sample.expected.as_ref();
        Marks { expected, target: expected.and_then(Bits::of) }
    }

    fn read(&self, worker: &mut Worker, val: Val, _: SlotId, _: bool) -> Option<Mark> {
        Mark::of_val(worker.cx(), val, self.target.as_ref(), self.expected)
    }
}
