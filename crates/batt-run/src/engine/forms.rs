//! Loops whose result is found without running their bodies ([`batt_core::forms`]): which they are,
//! and what need not be computed because of them.

use std::collections::HashMap;

use batt_lang::Prim;
use batt_lang::battery::{Battery, Pass};
use batt_lang::graph::{Def, FrameId, FrameKind, Loop, SlotId};
use batt_lang::ops::{Guard, Op};

/// What a loop computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A patch moved by every item.
    Stamps {
        /// The patch, which is the same for all items.
        patch: SlotId,
    },
    /// The lines between all items of two containers.
    Lines,
}

/// The loops of a pass that have a form.
pub struct Forms {
    by_slot: HashMap<SlotId, Form>,
    /// By slot: whether nothing but such a loop would read it.
    idle: Vec<bool>,
    /// By frame: whether all its loops are such loops, so that nothing reads its rows.
    bare: Vec<bool>,
}

impl Forms {
    /// Looks at every loop of a pass.
    pub fn new(battery: &Battery, pass: &Pass) -> Forms {
        let frames = battery.frames();
        let needed = || (0..battery.slot_count() as u32).map(SlotId).filter(|s| pass.needs(*s));
        let mut uses = vec![0u32; battery.slot_count()];
        for slot in needed() {
            battery.def(slot).for_each_arg(frames, |arg| uses[arg.index()] += 1);
        }
        let mut forms = Forms {
            by_slot: HashMap::new(),
            idle: vec![false; battery.slot_count()],
            bare: vec![true; frames.len()],
        };
        for slot in needed() {
            let Def::Close { prim, run, .. } = battery.def(slot) else { continue };
            let form = form(battery, *prim, run).filter(|_| uses[run.body.index()] == 1);
            match form {
                Some(form) => {
                    forms.by_slot.insert(slot, form);
                    forms.idle[run.body.index()] = true;
                }
                None => forms.bare[run.frame.index()] = false,
            }
        }
        for slot in needed() {
            if !forms.is_idle(slot) && !matches!(battery.def(slot), Def::Element { .. }) {
                forms.bare[battery.slot(slot).frame.index()] = false;
            }
        }
        for id in (0..frames.len() as u32).map(FrameId) {
            let frame = frames.get(id);
            forms.bare[frame.parent.index()] = false;
            frame.base.into_iter().for_each(|base| forms.bare[base.index()] = false);
        }
        forms
    }

    /// The form of a loop, if it has one.
    pub fn of(&self, slot: SlotId) -> Option<Form> {
        self.by_slot.get(&slot).copied()
    }

    /// Whether a slot is never read: it is the body of a loop that has a form.
    pub fn is_idle(&self, slot: SlotId) -> bool {
        self.idle[slot.index()]
    }

    /// Whether only the number of a frame's rows matters.
    pub fn is_bare(&self, frame: FrameId) -> bool {
        self.bare[frame.index()]
    }
}

/// Slots that are read by loops that have a form, later than anything else would read them.
pub struct Late {
    /// How many such loops will still read a slot,
    readers: HashMap<SlotId, usize>,
    /// and the slots that are to be dropped then.
    dropped: Vec<SlotId>,
}

impl Late {
    /// Before anything is read.
    pub fn new(forms: &Forms) -> Late {
        let mut readers = HashMap::new();
        for form in forms.by_slot.values() {
            if let Form::Stamps { patch } = form {
                *readers.entry(*patch).or_default() += 1;
            }
        }
        Late { readers, dropped: Vec::new() }
    }

    /// A slot is to be dropped: it, if no loop will read it.
    pub fn dropped(&mut self, slot: SlotId) -> Option<SlotId> {
        if self.readers.contains_key(&slot) {
            self.dropped.push(slot);
            return None;
        }
        Some(slot)
    }

    /// A loop of a form was closed: the slot that it was the last to read, if that is to be dropped.
    pub fn read(&mut self, form: Option<Form>) -> Option<SlotId> {
        let Some(Form::Stamps { patch }) = form else { return None };
        let left = self.readers.get_mut(&patch)?;
        *left -= 1;
        if *left > 0 {
            return None;
        }
        self.readers.remove(&patch);
        let at = self.dropped.iter().position(|slot| *slot == patch)?;
        Some(self.dropped.swap_remove(at))
    }
}

fn form(battery: &Battery, prim: Prim, run: &Loop) -> Option<Form> {
    let frame = battery.frames().get(run.frame);
    let Def::Call { prim: called, args } = battery.def(run.body) else { return None };
    let here = battery.slot(run.body).frame == run.frame && frame.base.is_none();
    if !here || called.guard != Guard::None {
        return None;
    }
    let item = |which: u8| battery.element(run.frame, which);
    match (prim.op, &frame.kind, called.op, &args[..]) {
        (Op::Mapply, FrameKind::Each(_), Op::Shift, [patch, by]) => {
            let outside = battery.slot(*patch).frame != run.frame;
            (outside && Some(*by) == item(0)).then_some(Form::Stamps { patch: *patch })
        }
        (Op::Prapply, FrameKind::Product(_), Op::Connect, [a, b]) => {
            let both = [Some(*a), Some(*b)];
            let items = both == [item(0), item(1)] || both == [item(1), item(0)];
            items.then_some(Form::Lines)
        }
        _ => None,
    }
}
