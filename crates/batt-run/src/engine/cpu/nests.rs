//! Loops within loops: which frames an outermost frame holds, and whether all bodies run to the end.

use batt_lang::battery::Battery;
use batt_lang::graph::{Def, FrameId, FrameKind, SlotId};
use batt_lang::ops::Op;

/// What is known of every outermost loop.
pub struct Nests {
    /// The frames nested in each outermost frame.
    inner: Vec<Vec<FrameId>>,
    /// Outermost frames where some bodies may not run, or a failed body may go unnoticed.
    partial: Vec<bool>,
}

impl Nests {
    pub fn new(battery: &Battery) -> Nests {
        let frames = battery.frames();
        let mut nests =
            Nests { inner: vec![Vec::new(); frames.len()], partial: vec![false; frames.len()] };
        for id in (0..frames.len() as u32).map(FrameId) {
            let outer = outermost(battery, id);
            if frames.get(id).depth > 1 {
                nests.inner[outer.index()].push(id);
            }
            nests.partial[outer.index()] |= frames.get(id).kind == FrameKind::Step;
        }
        for slot in (0..battery.slot_count() as u32).map(|at| battery.slot(SlotId(at))) {
            let frame = match &slot.def {
                Def::Close { prim, run, .. } if prim.op == Op::Extract => run.frame,
                Def::Select { .. } | Def::OrElse { .. } => slot.frame,
                _ => continue,
            };
            nests.partial[outermost(battery, frame).index()] = true;
        }
        nests
    }

    /// The frames nested in a frame, if it is an outermost one.
    pub fn inner(&self, frame: FrameId) -> Vec<FrameId> {
        self.inner[frame.index()].clone()
    }

    /// Whether every body of the nest that a frame is in runs, or fails the whole nest.
    pub fn run_to_the_end(&self, battery: &Battery, frame: FrameId) -> bool {
        !self.partial[outermost(battery, frame).index()]
    }
}

/// The outermost element frame around a frame; itself where there is none.
fn outermost(battery: &Battery, frame: FrameId) -> FrameId {
    let frames = battery.frames();
    let mut at = frame;
    while frames.get(at).depth > 1 {
        at = frames.get(at).parent;
    }
    at
}
