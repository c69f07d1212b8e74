//! Whether a plan can be run: everything that a step reads has been computed and not been dropped yet, and
//! every frame that it looks at is open.
//!
//! Planning leaves out what nothing reads, moves steps and drops columns early, each for a reason of its
//! own; where two of those reasons do not agree, a step reads what is not there. Engines cannot find that
//! out by running: a missing column is a value that is handed back, or a wrong count.

use batt_lang::battery::Battery;
use batt_lang::graph::{Def, FrameId, SlotId};
use thiserror::Error;

use super::effects::{Again, Effect, Effects};
use super::seen::{Seen, Via};

/// A plan that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{step} {what}")]
pub struct Inconsistent {
    /// The step, in a few words.
    pub step: String,
    /// The slots that the step computes; where it opens frames, those that are computed from their rows.
    pub slots: Vec<SlotId>,
    /// What is wrong with it.
    pub what: Wrong,
}

/// What is wrong with a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Wrong {
    /// It reads what is not there yet, or never.
    #[error("reads t{}, which is not computed", .0.0)]
    Missing(SlotId),
    /// It reads what is not there any more.
    #[error("reads t{}, which was dropped", .0.0)]
    Dropped(SlotId),
    /// It reads what a loop gives before the loop ends.
    #[error("reads t{} before the loop that gives it ends", .0.0)]
    Partial(SlotId),
    /// It fills a column that is there.
    #[error("computes t{} once more", .0.0)]
    Twice(SlotId),
    /// It drops what the next round or piece reads again, or what is gone.
    #[error("drops t{}, which is not its own", .0.0)]
    NotItsOwn(SlotId),
    /// It reads a count of bodies that nobody counts.
    #[error("reads how many bodies t{} ran, which is not counted", .0.0)]
    NotCounted(SlotId),
    /// Rows cannot find the rows of a column.
    #[error("reads t{} where frame {} does not find it", .0.0, .1.0)]
    NotFound(SlotId, FrameId),
    /// Rows cannot find the rows of another frame.
    #[error("looks for frame {} where frame {} does not find it", .1.0, .0.0)]
    NoPlace(FrameId, FrameId),
    /// A frame is not open.
    #[error("needs frame {}, which is not open", .0.0)]
    NotOpen(FrameId),
    /// Only the number of a frame's rows is known.
    #[error("needs the rows of frame {}, of which there is only the number", .0.0)]
    Bare(FrameId),
    /// A frame is opened that is open.
    #[error("opens frame {} once more", .0.0)]
    OpenTwice(FrameId),
}

/// The slots that need a step.
pub fn needing(battery: &Battery, step: &impl Effects) -> Vec<SlotId> {
    let mut slots = Vec::new();
    step.effects(&mut |_, effect| match effect {
        Effect::Fills(slot) if !matches!(battery.def(slot), Def::Element { .. }) => {
            slots.push(slot);
        }
        Effect::Opens { frame, .. } => {
            slots.extend((0..battery.slot_count() as u32).map(SlotId).filter(|slot| {
                let (Def::Close { run, .. } | Def::Repeat { run, .. }) = battery.def(*slot) else {
                    return false;
                };
                battery.frames().sees(run.frame, frame)
            }));
        }
        _ => {}
    });
    slots
}

/// Slots that a plan does not compute: they are handed back, and so is what needs them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refused(Vec<SlotId>);

impl Refused {
    /// Whether a slot is one.
    pub fn has(&self, slot: SlotId) -> bool {
        self.0.contains(&slot)
    }

    /// Adds slots; whether some were none before.
    pub fn add(&mut self, slots: &[SlotId]) -> bool {
        let before = self.0.len();
        for slot in slots {
            if !self.has(*slot) {
                self.0.push(*slot);
            }
        }
        self.0.len() > before
    }
}

/// After so many inconsistencies nothing of a plan is trusted.
const MOST_REFUSED: usize = 16;

/// A plan that can be run: what an inconsistent one is inconsistent about is refused, and planned anew.
pub fn settled<P, E>(
    roots: &[SlotId],
    refused: &mut Refused,
    mut make: impl FnMut(&Refused) -> Result<P, E>,
    check: impl Fn(&P) -> Result<(), Inconsistent>,
) -> Result<(P, Vec<Inconsistent>), E> {
    let mut found = Vec::new();
    loop {
        let plan = make(refused)?;
        let Err(wrong) = check(&plan) else { return Ok((plan, found)) };
        let new = found.len() < MOST_REFUSED && refused.add(&wrong.slots);
        found.push(wrong);
        // What computes nothing but results that are handed back reads nothing.
        if !new && !refused.add(roots) {
            return Ok((plan, found));
        }
    }
}

/// How an engine's rows find columns of other frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One task at a time: what is not of samples has one row.
    Cpu,
    /// Samples of all tasks together, which find their task.
    Device,
}

/// What is known of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Absent,
    /// It was filled in so many loops.
    There(usize),
    /// A loop has filled some of its rows.
    Partial,
    Dropped,
}

/// What is known of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Open {
    Not,
    Bare,
    Rows,
}

/// A loop that is being checked.
struct Loop {
    again: Again,
    filled: Vec<SlotId>,
    opened: Vec<FrameId>,
}

/// Checks the steps of a plan one after the other.
pub struct Check<'a> {
    battery: &'a Battery,
    layout: Layout,
    above: &'a [u64],
    counted: &'a [bool],
    columns: Vec<Column>,
    frames: Vec<Open>,
    /// By frame, the frames that its rows find.
    found: Vec<Option<Vec<FrameId>>>,
    loops: Vec<Loop>,
}

impl<'a> Check<'a> {
    /// Before the first step. By frame, `above` has the frames that its rows know, as bits; `counted` are the
    /// slots whose bodies are counted.
    pub fn new(
        battery: &'a Battery,
        layout: Layout,
        above: &'a [u64],
        counted: &'a [bool],
    ) -> Check<'a> {
        let given = |slot: u32| match battery.def(SlotId(slot)) {
            Def::Input(_) | Def::Value(_) => Column::There(0),
            _ => Column::Absent,
        };
        let frames = battery.frames();
        let outer = |id: u32| match frames.get(FrameId(id)).depth {
            0 => Open::Rows,
            _ => Open::Not,
        };
        Check {
            battery,
            layout,
            above,
            counted,
            columns: (0..battery.slot_count() as u32).map(given).collect(),
            frames: (0..frames.len() as u32).map(outer).collect(),
            found: vec![None; frames.len()],
            loops: Vec::new(),
        }
    }

    /// Checks some steps.
    pub fn steps<S: Effects>(&mut self, steps: &[S]) -> Result<(), Inconsistent> {
        for step in steps {
            let mut wrong = None;
            step.effects(&mut |step, effect| {
                if wrong.is_none()
                    && let Err(what) = self.effect(effect)
                {
                    let slots = needing(self.battery, step);
                    wrong = Some(Inconsistent { step: step.label(), slots, what });
                }
            });
            if let Some(wrong) = wrong {
                return Err(wrong);
            }
        }
        Ok(())
    }

    /// Checks that a result is there.
    pub fn result(&mut self, seen: Seen) -> Result<(), Inconsistent> {
        let read = self.read(seen, FrameId::SAMPLE);
        read.map_err(|what| Inconsistent {
            step: "the report".to_string(),
            slots: vec![seen.slot],
            what,
        })
    }

    /// A result that was read is dropped.
    pub fn result_dropped(&mut self, slot: SlotId) -> Result<(), Inconsistent> {
        let dropped = self.drop(slot);
        dropped.map_err(|what| Inconsistent {
            step: "the report".to_string(),
            slots: vec![slot],
            what,
        })
    }

    fn effect(&mut self, effect: Effect) -> Result<(), Wrong> {
        match effect {
            Effect::Rows(frame) => self.is_open(frame),
            Effect::Reads(seen, frame) => self.read(seen, frame),
            Effect::Counts(seen, frame) => {
                self.read(seen, frame)?;
                let counted = self.counted[seen.slot.index()];
                if counted { Ok(()) } else { Err(Wrong::NotCounted(seen.slot)) }
            }
            Effect::Hint(_) => Ok(()),
            Effect::Finds { from, place, other } => self.finds(from, place, other),
            Effect::Opens { frame, parent, base, bare } => self.open(frame, parent, base, bare),
            Effect::Fills(slot) => self.fill(slot),
            Effect::Drops(slot) => self.drop(slot),
            Effect::Leaves(frame) => {
                self.is_open(frame)?;
                self.frames[frame.index()] = Open::Not;
                Ok(())
            }
            Effect::Begins(again) => {
                self.loops.push(Loop { again, filled: Vec::new(), opened: Vec::new() });
                match again {
                    Again::Rounds(frame, parent) => self.open(frame, parent, None, false),
                    Again::Pieces(_) => Ok(()),
                }
            }
            Effect::Ends => {
                self.end();
                Ok(())
            }
        }
    }

    /// A loop ends: of what it filled only its results are there as a whole.
    fn end(&mut self) {
        let Some(ended) = self.loops.pop() else { return };
        for slot in ended.filled {
            if self.columns[slot.index()] == Column::Partial {
                self.columns[slot.index()] = Column::There(self.loops.len());
                if let Some(around) = self.loops.last_mut() {
                    around.filled.push(slot);
                }
            } else {
                self.columns[slot.index()] = Column::Dropped;
            }
        }
        for frame in ended.opened {
            self.frames[frame.index()] = Open::Not;
        }
    }

    fn is_open(&self, frame: FrameId) -> Result<(), Wrong> {
        if self.frames[frame.index()] == Open::Not { Err(Wrong::NotOpen(frame)) } else { Ok(()) }
    }

    fn has_rows(&self, frame: FrameId) -> Result<(), Wrong> {
        match self.frames[frame.index()] {
            Open::Not => Err(Wrong::NotOpen(frame)),
            Open::Bare => Err(Wrong::Bare(frame)),
            Open::Rows => Ok(()),
        }
    }

    fn read(&mut self, seen: Seen, frame: FrameId) -> Result<(), Wrong> {
        let slot = seen.slot;
        match self.columns[slot.index()] {
            Column::Absent => return Err(Wrong::Missing(slot)),
            Column::Dropped => return Err(Wrong::Dropped(slot)),
            Column::Partial => return Err(Wrong::Partial(slot)),
            Column::There(_) => {}
        }
        self.has_rows(frame)?;
        let home = self.battery.slot(slot).frame;
        let found = match seen.via {
            Via::Same => home == frame,
            Via::One => match self.layout {
                Layout::Cpu => home == FrameId::CONSTANT || home == FrameId::TASK,
                Layout::Device => home == FrameId::CONSTANT,
            },
            Via::Up(place) => {
                let place = usize::from(place).wrapping_sub(1);
                self.finds(frame, place, home).is_ok()
            }
        };
        if found { Ok(()) } else { Err(Wrong::NotFound(slot, frame)) }
    }

    /// Whether a frame's rows find those of another one at a place, and know them.
    fn finds(&mut self, from: FrameId, place: usize, other: FrameId) -> Result<(), Wrong> {
        let at = self.found(from).get(place) == Some(&other);
        let known = self.above[from.index()].checked_shr(place as u32).is_some_and(|b| b & 1 != 0);
        if at && known { Ok(()) } else { Err(Wrong::NoPlace(from, other)) }
    }

    /// The frames that a frame's rows find, by their places.
    fn found(&mut self, frame: FrameId) -> &[FrameId] {
        let (frames, layout) = (self.battery.frames(), self.layout);
        self.found[frame.index()].get_or_insert_with(|| {
            let mut found = frames.seen_from(frame);
            if layout == Layout::Device {
                // The task comes between the parents and the bases.
                found.insert(frames.get(frame).depth as usize, FrameId::TASK);
            }
            found
        })
    }

    fn open(
        &mut self,
        frame: FrameId,
        parent: FrameId,
        base: Option<FrameId>,
        bare: bool,
    ) -> Result<(), Wrong> {
        self.has_rows(parent)?;
        match base {
            Some(base) if bare => self.is_open(base)?,
            Some(base) => self.has_rows(base)?,
            None => {}
        }
        if self.frames[frame.index()] != Open::Not {
            return Err(Wrong::OpenTwice(frame));
        }
        self.knows(frame, parent, base)?;
        self.frames[frame.index()] = if bare { Open::Bare } else { Open::Rows };
        if let Some(inside) = self.loops.last_mut() {
            inside.opened.push(frame);
        }
        Ok(())
    }

    /// Whether a frame's rows can find what they are to know: the parent, the base, and through the parent
    /// what that one knows.
    fn knows(
        &mut self,
        frame: FrameId,
        parent: FrameId,
        base: Option<FrameId>,
    ) -> Result<(), Wrong> {
        let found = self.found(frame).to_vec();
        let (asked, through) = (self.above[frame.index()], self.above[parent.index()]);
        for (place, other) in found.iter().enumerate().skip(1) {
            let own = base == Some(*other) && place + 1 == found.len();
            if asked >> place & 1 != 0 && !own && through >> (place - 1) & 1 == 0 {
                return Err(Wrong::NoPlace(frame, *other));
            }
        }
        Ok(())
    }

    fn fill(&mut self, slot: SlotId) -> Result<(), Wrong> {
        if self.columns[slot.index()] != Column::Absent {
            return Err(Wrong::Twice(slot));
        }
        let home = self.battery.slot(slot).frame;
        self.has_rows(home)?;
        let frames = self.battery.frames();
        self.columns[slot.index()] = match self.loops.last().map(|inside| inside.again) {
            Some(Again::Pieces(frame)) if frames.get(frame).parent == home => Column::Partial,
            _ => Column::There(self.loops.len()),
        };
        if let Some(inside) = self.loops.last_mut() {
            inside.filled.push(slot);
        }
        Ok(())
    }

    fn drop(&mut self, slot: SlotId) -> Result<(), Wrong> {
        match self.columns[slot.index()] {
            // What was not computed need not be kept either.
            Column::Absent => Ok(()),
            Column::There(loops) if loops == self.loops.len() => {
                self.columns[slot.index()] = Column::Dropped;
                Ok(())
            }
            _ => Err(Wrong::NotItsOwn(slot)),
        }
    }
}

#[cfg(test)]
mod tests;
