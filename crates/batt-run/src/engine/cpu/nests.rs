//! Loops within loops: which frames an outermost frame holds, how many rows they will have, and
//! whether all bodies run to the end.

use batt_lang::battery::Battery;
use batt_lang::graph::{Def, FrameId, FrameKind, SlotId};
use batt_lang::ops::Op;

/// A frame nested in an outermost frame.
#[derive(Clone)]
pub struct Inner {
    pub frame: FrameId,
    /// The containers of the frame and of those around it, if all are known before the outermost
    /// loop begins.
    pub sizes: Option<Vec<Size>>,
}

/// What the number of a frame's rows follows from.
#[derive(Clone, Copy)]
pub enum Size {
    /// The items of a container.
    Each(SlotId),
    /// The pairs at the same place.
    Zip(SlotId, SlotId),
    /// All pairs.
    Product(SlotId, SlotId),
}

/// What is known of every outermost loop.
pub struct Nests {
    /// The frames nested in each outermost frame.
    inner: Vec<Vec<Inner>>,
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
                nests.inner[outer.index()].push(Inner { frame: id, sizes: sizes(battery, id) });
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
    pub fn inner(&self, frame: FrameId) -> Vec<Inner> {
        self.inner[frame.index()].clone()
    }

    /// Whether every body of the nest that a frame is in runs, or fails the whole nest.
    pub fn run_to_the_end(&self, battery: &Battery, frame: FrameId) -> bool {
        !self.partial[outermost(battery, frame).index()]
    }
}

/// What the number of a frame's rows follows from, if that is known from the start.
fn sizes(battery: &Battery, frame: FrameId) -> Option<Vec<Size>> {
    let frames = battery.frames();
    let (mut at, mut sizes) = (frame, Vec::new());
    while frames.get(at).depth > 0 {
        let here = frames.get(at);
        let known = |slot: &SlotId| {
            let home = frames.get(battery.slot(*slot).frame);
            home.depth == 0 && home.root == here.root
        };
        if !here.kind.containers().iter().all(known) {
            return None;
        }
        sizes.push(match here.kind {
            FrameKind::Each([a]) => Size::Each(a),
            FrameKind::Zip([a, b]) => Size::Zip(a, b),
            FrameKind::Product([a, b]) => Size::Product(a, b),
            _ => return None,
        });
        at = here.parent;
    }
    Some(sizes)
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
