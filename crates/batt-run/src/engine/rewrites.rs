//! How the slots of a pass are computed where that is not as they are written, and what need not be
//! computed because of that.
//!
//! Fused loops ([`Forms`]) and peephole rewrites ([`Shortcuts`]) each read other slots than what they stand
//! for. What is left to compute follows from both together: a body that only a fused loop would have run is
//! not read, and neither is what only that body reads; but what the loop reads instead of it is.

use batt_lang::battery::{Battery, Pass};
use batt_lang::graph::{Def, FrameId, FrameKind, SlotId};
use rustc_hash::FxHashMap;

use super::check::Refused;
use super::drawn::Drawn;
use super::forms::{self, Form, Forms};
use super::shortcuts::{Short, Shortcuts};

/// How a slot is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How<'a> {
    /// It is an error wherever it is computed.
    Fails,
    /// It is not computed, but handed back.
    Refused,
    /// A shorter expression gives it.
    Short(&'a Short),
    /// A loop whose bodies do not run.
    Form(Form),
    /// As it is written.
    Plain,
}

/// The rewrites of a pass.
pub struct Rewrites {
    forms: Forms,
    shortcuts: Shortcuts,
    refused: Refused,
    /// By slot: whether something that is computed reads it.
    live: Vec<bool>,
    /// By frame: whether something that is computed needs its rows, or their number.
    open: Vec<bool>,
    /// By frame: whether only the number of its rows matters.
    bare: Vec<bool>,
}

impl Rewrites {
    /// Looks at every slot of a pass; `two` says whether a fused loop may read two values beside the
    /// containers.
    pub fn new(
        battery: &Battery,
        pass: &Pass,
        drawn: &Drawn,
        two: bool,
        refused: &Refused,
    ) -> Rewrites {
        let (forms, shortcuts) =
            (Forms::new(battery, pass, drawn, two), Shortcuts::new(battery, pass, drawn));
        let (slots, frames) = (battery.slot_count(), battery.frames().len());
        let mut rewrites = Rewrites {
            forms,
            shortcuts,
            refused: refused.clone(),
            live: vec![false; slots],
            open: vec![false; frames],
            bare: vec![true; frames],
        };
        let mut walk = Walk {
            battery,
            live: vec![false; slots],
            open: vec![Opened::Not; frames],
            next: Vec::new(),
        };
        pass.roots().iter().for_each(|root| walk.slot(*root));
        while let Some(slot) = walk.next.pop() {
            rewrites.read(&mut walk, slot);
        }
        rewrites.live = walk.live;
        rewrites.open = walk.open.iter().map(|open| *open != Opened::Not).collect();
        rewrites.find_bare(battery);
        rewrites
    }

    /// Tells a walk what computing a slot reads.
    fn read(&self, walk: &mut Walk<'_>, slot: SlotId) {
        let battery = walk.battery;
        let def = battery.def(slot);
        walk.frame(battery.slot(slot).frame);
        let mut left_out = [None; 2];
        match self.how(slot) {
            How::Fails | How::Refused => return,
            How::Short(short) => return short.reads.iter().for_each(|slot| walk.slot(*slot)),
            How::Form(form) => {
                form.reads().for_each(|slot| walk.slot(slot));
                left_out = form.left_out(battery, slot);
            }
            How::Plain => {}
        }
        def.for_each_arg(battery.frames(), |arg| {
            if !left_out.contains(&Some(arg)) {
                walk.slot(arg);
            }
        });
        if let Def::Close { run, .. } | Def::Repeat { run, .. } = def {
            match self.how(slot) {
                // Its frame is opened over the two sets, if nothing else asks for their pairs.
                How::Form(Form::PairLines { .. }) => walk.pairs(run.frame),
                _ => walk.frame(run.frame),
            }
        }
    }

    /// Finds the frames of which only the number of rows matters.
    fn find_bare(&mut self, battery: &Battery) {
        let frames = battery.frames();
        let slots = (0..battery.slot_count() as u32).map(SlotId);
        let live: Vec<SlotId> = slots.filter(|slot| self.live[slot.index()]).collect();
        for slot in live {
            match battery.def(slot) {
                Def::Element { .. } => continue,
                Def::Close { run, .. } if self.how(slot) == How::Plain => {
                    self.bare[run.frame.index()] = false;
                }
                _ => {}
            }
            self.bare[battery.slot(slot).frame.index()] = false;
        }
        // A base comes before what has its rows again.
        for id in (0..frames.len() as u32).rev().map(FrameId) {
            let frame = frames.get(id);
            if !self.open[id.index()] {
                continue;
            }
            self.bare[frame.parent.index()] = false;
            if let Some(base) = frame.base.filter(|_| !self.bare[id.index()]) {
                self.bare[base.index()] = false;
            }
        }
    }

    /// How a slot is computed.
    pub fn how(&self, slot: SlotId) -> How<'_> {
        if self.refused.has(slot) {
            return How::Refused;
        }
        if self.shortcuts.fails(slot) {
            return How::Fails;
        }
        match (self.shortcuts.of(slot), self.forms.of(slot)) {
            (Some(short), _) => How::Short(short),
            (None, Some(form)) => How::Form(form),
            (None, None) => How::Plain,
        }
    }

    /// The form of a loop that is closed, if it has one.
    pub fn form(&self, slot: SlotId) -> Option<Form> {
        self.forms.of(slot)
    }

    /// The grid on which alone a fused loop's result is drawn, as the loop's own frame sees it.
    pub fn drawn_on(&self, slot: SlotId) -> Option<SlotId> {
        self.forms.drawn_on(slot)
    }

    /// Whether the results of a loop are only looked at one by one and merged.
    pub fn is_heap(&self, slot: SlotId) -> bool {
        self.shortcuts.is_heap(slot)
    }

    /// Whether nothing that is computed reads a slot.
    pub fn is_idle(&self, slot: SlotId) -> bool {
        !self.live[slot.index()]
    }

    /// Whether a frame need not be opened.
    pub fn is_gone(&self, frame: FrameId) -> bool {
        !self.open[frame.index()]
    }

    /// Whether only the number of a frame's rows matters.
    pub fn is_bare(&self, frame: FrameId) -> bool {
        self.bare[frame.index()]
    }

    /// The two sets whose pairs a frame is opened over, where those pairs are not computed.
    pub fn pairs(&self, battery: &Battery, frame: FrameId) -> Option<[SlotId; 2]> {
        let FrameKind::Each([pairs]) = battery.frames().get(frame).kind else { return None };
        forms::pairs_of(battery, pairs).filter(|_| self.is_idle(pairs))
    }

    /// What a slot reads that is not written there.
    fn other_reads(&self, slot: SlotId) -> Vec<SlotId> {
        match self.how(slot) {
            How::Short(short) => short.reads.clone(),
            How::Form(form) => form.reads().collect(),
            How::Fails | How::Refused | How::Plain => Vec::new(),
        }
    }
}

/// How a frame is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opened {
    Not,
    /// Over two sets, and not over their pairs.
    Pairs,
    Whole,
}

/// What was found to be read so far.
struct Walk<'a> {
    battery: &'a Battery,
    live: Vec<bool>,
    open: Vec<Opened>,
    /// Slots that are read, and of which it is not known yet what they read.
    next: Vec<SlotId>,
}

impl Walk<'_> {
    fn slot(&mut self, slot: SlotId) {
        if !std::mem::replace(&mut self.live[slot.index()], true) {
            self.next.push(slot);
        }
    }

    /// A frame is opened: so are those that its rows belong to, and its containers are read.
    fn frame(&mut self, id: FrameId) {
        let frames = self.battery.frames();
        let frame = frames.get(id);
        if frame.depth == 0 || self.open[id.index()] == Opened::Whole {
            return;
        }
        self.open[id.index()] = Opened::Whole;
        frame.kind.containers().iter().for_each(|slot| self.slot(*slot));
        frames.whole(id).into_iter().for_each(|slot| self.slot(slot));
        self.frame(frame.parent);
        frame.base.into_iter().for_each(|base| self.frame(base));
    }

    /// The same for an outermost frame over the pairs of two sets, which something else reads.
    fn pairs(&mut self, id: FrameId) {
        if self.open[id.index()] == Opened::Not {
            self.open[id.index()] = Opened::Pairs;
        }
    }
}

/// Slots that are read later than what is written would read them: by fused loops and by rewrites.
pub struct Late {
    /// How often a slot will still be read,
    readers: FxHashMap<SlotId, usize>,
    /// and the slots that are to be dropped then.
    dropped: Vec<SlotId>,
}

impl Late {
    /// Before anything is read.
    pub fn new(rewrites: &Rewrites) -> Late {
        let mut readers = FxHashMap::default();
        let live = rewrites.live.iter().enumerate().filter(|(_, live)| **live);
        for slot in live.flat_map(|(at, _)| rewrites.other_reads(SlotId(at as u32))) {
            *readers.entry(slot).or_default() += 1;
        }
        Late { readers, dropped: Vec::new() }
    }

    /// A slot is to be dropped: it, if nothing will read it.
    pub fn dropped(&mut self, slot: SlotId) -> Option<SlotId> {
        if self.readers.contains_key(&slot) {
            self.dropped.push(slot);
            return None;
        }
        Some(slot)
    }

    /// A slot was computed: the slots that it was the last to read, of those that are to be dropped.
    pub fn computed(&mut self, rewrites: &Rewrites, slot: SlotId) -> Vec<SlotId> {
        let read = rewrites.other_reads(slot).into_iter();
        read.filter_map(|slot| self.last_read(slot)).collect()
    }

    fn last_read(&mut self, slot: SlotId) -> Option<SlotId> {
        let left = self.readers.get_mut(&slot)?;
        *left -= 1;
        if *left > 0 {
            return None;
        }
        self.readers.remove(&slot);
        let at = self.dropped.iter().position(|other| *other == slot)?;
        Some(self.dropped.swap_remove(at))
    }
}

#[cfg(test)]
mod tests {
    use batt_lang::card::Options;
    use batt_lang::ops::Op;

    use super::*;
    use crate::engine::cpu::plan::tests::dealt;

    fn rewrites(battery: &Battery) -> Rewrites {
        let pass = battery.outputs();
        Rewrites::new(battery, pass, &Drawn::new(battery, pass), true, &Refused::default())
    }

    #[test]
    fn pairs_that_are_only_joined_are_not_computed() {
        let source = "def solve_a(I):\n    x1 = ofcolor(I, ONE)\n    x2 = product(x1, x1)\n    \
                      x3 = fork(connect, first, last)\n    O = apply(x3, x2)\n    return O\n";
        let battery = dealt(source, Options::default());
        let found = rewrites(&battery);
        let idle = (0..battery.slot_count() as u32).map(SlotId).any(|slot| {
            let product =
                matches!(battery.def(slot), Def::Call { prim, .. } if prim.op == Op::Product);
            product && battery.outputs().needs(slot) && found.is_idle(slot)
        });
        assert!(idle);
        // Whoever asks for the pairs themselves gets them.
        let asked = format!(
            "{source}\ndef solve_b(I):\n    x1 = ofcolor(I, ONE)\n    O = product(x1, x1)\n    return O\n"
        );
        let battery = dealt(&asked, Options::default());
        let found = rewrites(&battery);
        assert!(battery.programs().iter().all(|program| !found.is_idle(program.output)));
    }

    #[test]
    fn what_a_fused_loop_reads_is_computed_where_its_body_is_a_sure_error() {
        // The direction is an error, so the body is one; the loop looks at the direction alone.
        let source = "def solve_a(I):\n    x1 = compose(first, lbind(greater, height(I)))\n    \
                      x2 = fork(shoot, identity, compose(toivec, x1))\n    x3 = ofcolor(I, ONE)\n    \
                      O = mapply(x2, x3)\n    return O\n";
        let battery = dealt(source, Options::default());
        let found = rewrites(&battery);
        let output = battery.programs()[0].output;
        let How::Form(form @ Form::Shots { .. }) = found.how(output) else {
            panic!("{:?}", found.how(output));
        };
        assert!(form.reads().all(|slot| !found.is_idle(slot)));
    }
}
