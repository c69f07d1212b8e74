//! The steps of a plan: which kernel computes what from which columns.

use batt_core::columns::{BY_PLACE, FORM};
use batt_cuda::Kernel;
use batt_lang::graph::{FrameId, SlotId};

use super::pieces::ByPieces;
use super::session::By;
use crate::engine::effects::{Again, Effect, Effects};
use crate::engine::seen::{Seen, Via};

/// One step.
pub enum Step {
    /// Opens element frames.
    Opens(Vec<OpenStep>),
    /// One primitive over columns.
    Calls(Vec<CallStep>),
    /// One of two results: condition, then, other and guards.
    Choose { out: SlotId, frame: FrameId, list: Vec<Seen>, guards: u32 },
    /// Results as a container: items, guards and nested loops.
    Collect { out: SlotId, frame: FrameId, set: bool, list: Vec<Seen>, counts: [u32; 3] },
    /// A default for errors.
    OrElse { out: SlotId, frame: FrameId, value: Seen },
    /// An error in every row, or what cannot be held.
    Fill { out: SlotId, frame: FrameId, fails: bool },
    /// Closes an element frame.
    Close(CloseStep),
    /// `power`.
    Repeat(RepeatStep),
    /// The column is not read any more.
    Drop(SlotId),
    /// The frame is not read any more.
    Leave(FrameId),
}

impl Step {
    /// The slot whose time a step's time is; opening a frame is its items' time.
    pub fn slot(&self) -> Option<SlotId> {
        match self {
            Step::Opens(opens) => opens.first()?.elements[0],
            Step::Calls(calls) => Some(calls.first()?.out),
            Step::Choose { out, .. }
            | Step::Collect { out, .. }
            | Step::OrElse { out, .. }
            | Step::Fill { out, .. } => Some(*out),
            Step::Close(close) => Some(close.out),
            Step::Repeat(repeat) => Some(repeat.out),
            Step::Drop(_) | Step::Leave(_) => None,
        }
    }
}

/// A primitive over a column.
pub struct CallStep {
    /// The result.
    pub out: SlotId,
    /// The frame of the column.
    pub frame: FrameId,
    /// The kernel.
    pub kernel: Kernel,
    /// Who computes its rows.
    pub by: By,
    /// The arguments.
    pub args: Vec<Seen>,
    /// What the suffix asks of some of them,
    pub suffix: u32,
    /// and of which, as bits.
    pub suffixed: u32,
}

/// Opens a frame.
pub struct OpenStep {
    /// The frame.
    pub frame: FrameId,
    /// The frame it is nested in.
    pub parent: FrameId,
    /// Whether its rows are all pairs of items.
    pub product: bool,
    /// The containers, as the parent sees them.
    pub over: Vec<Seen>,
    /// The slots of the items; none where a base has them.
    pub elements: [Option<SlotId>; 2],
    /// The frame whose rows it has again.
    pub base: Option<Base>,
    /// That frame's container, where it has only the rows of a part of its items.
    pub whole: Option<Seen>,
    /// The frames around it, if the sizes of all are known before the outermost opens: what they
    /// are, and their containers as the parent sees them.
    pub around: Vec<(u32, [Seen; 2])>,
    /// Whether its own rows are to be counted with theirs.
    pub counts: bool,
    /// Whether only the number of its rows matters.
    pub bare: bool,
    /// A row of the parent with more rows than this is handed back.
    pub most: u32,
}

/// A frame whose rows another one has again.
#[derive(Clone, Copy)]
pub struct Base {
    /// The frame.
    pub frame: FrameId,
    /// The frame that it is nested in,
    pub outside: FrameId,
    /// and where the other's parent finds that, from 1.
    pub level: u8,
}

/// Closes a frame.
pub struct CloseStep {
    /// The result.
    pub out: SlotId,
    /// The kernel.
    pub kernel: Kernel,
    /// Who closes its rows.
    pub by: By,
    /// How long rows are closed, where that is done in pieces.
    pub pieces: Option<ByPieces>,
    /// The frame that is closed, and its parent.
    pub frame: FrameId,
    /// The parent.
    pub parent: FrameId,
    /// What the suffix asks of the container.
    pub suffix: u32,
    /// As in [`batt_core::columns::Close`].
    pub flags: u32,
    /// The container, as the parent sees it.
    pub container: Seen,
    /// The rank, or the value for an empty container.
    pub extra: Option<Seen>,
    /// The grid on which alone a form's result is drawn, as the parent sees it.
    pub onto: Option<Seen>,
    /// A row with more results is handed back.
    pub most: u32,
    /// At most what one of its own bodies takes, and one of a loop inside it, where that can be too much.
    pub costs: [u32; 2],
    /// The body, as the frame sees it.
    pub body: Seen,
    /// The items.
    pub element: Option<SlotId>,
    /// Guards and containers as the parent sees them, nested loops as the frame does.
    pub list: Vec<Seen>,
    /// How many of each.
    pub counts: [u32; 3],
}

/// Runs a block again and again.
pub struct RepeatStep {
    /// The result.
    pub out: SlotId,
    /// The frame of the current value, and its parent.
    pub frame: FrameId,
    /// The parent.
    pub parent: FrameId,
    /// How many times, what the first run is given, guards: as the parent sees them.
    pub list: Vec<Seen>,
    /// The slot of the current value.
    pub current: Option<SlotId>,
    /// The body's result, as the frame sees it.
    pub body: Seen,
    /// The loops that a body runs, as the frame sees them.
    pub nested: Vec<Seen>,
    /// What runs more bodies than this is handed back.
    pub most: u32,
    /// The block.
    pub block: Vec<Step>,
}

impl Effects for Step {
    fn effects<'s>(&'s self, see: &mut impl FnMut(&'s Step, Effect)) {
        let mut see_own = |effect| see(self, effect);
        match self {
            Step::Opens(opens) => {
                // Their rows are counted together.
                for open in opens {
                    open.reads(&mut see_own);
                }
                for open in opens {
                    open.opens(&mut see_own);
                }
            }
            Step::Calls(calls) => {
                // They run side by side.
                for call in calls {
                    rows(call.frame, &call.args, &mut see_own);
                }
                for call in calls {
                    see_own(Effect::Fills(call.out));
                }
            }
            Step::Choose { out, frame, list, .. } => {
                rows(*frame, list, &mut see_own);
                see_own(Effect::Fills(*out));
            }
            Step::Collect { out, frame, list, counts, .. } => {
                let (values, loops) = list.split_at((counts[0] + counts[1]) as usize);
                rows(*frame, values, &mut see_own);
                for seen in loops {
                    see_own(Effect::Counts(*seen, *frame));
                }
                see_own(Effect::Fills(*out));
            }
            Step::OrElse { out, frame, value } => {
                rows(*frame, &[*value], &mut see_own);
                see_own(Effect::Fills(*out));
            }
            Step::Fill { out, frame, .. } => {
                rows(*frame, &[], &mut see_own);
                see_own(Effect::Fills(*out));
            }
            Step::Close(close) => close.effects(&mut see_own),
            Step::Repeat(repeat) => {
                rows(repeat.parent, &repeat.list, &mut see_own);
                see_own(Effect::Begins(Again::Rounds(repeat.frame, repeat.parent)));
                repeat.current.into_iter().for_each(|slot| see_own(Effect::Fills(slot)));
                for step in &repeat.block {
                    step.effects(see);
                }
                let frame = repeat.frame;
                rows(frame, &[repeat.body], &mut |effect| see(self, effect));
                for seen in &repeat.nested {
                    see(self, Effect::Counts(*seen, frame));
                }
                see(self, Effect::Ends);
                see(self, Effect::Fills(repeat.out));
            }
            Step::Drop(slot) => see_own(Effect::Drops(*slot)),
            Step::Leave(frame) => see_own(Effect::Leaves(*frame)),
        }
    }

    fn label(&self) -> String {
        let what = match self {
            Step::Opens(_) => "the opening of frames",
            Step::Calls(_) => "calls",
            Step::Choose { .. } => "a choice",
            Step::Collect { .. } => "a collection",
            Step::OrElse { .. } => "a default",
            Step::Fill { .. } => "a constant",
            Step::Close(_) => "the closing of a frame",
            Step::Repeat(_) => "power",
            Step::Drop(slot) => return format!("the drop of t{}", slot.0),
            Step::Leave(frame) => return format!("the end of frame {}", frame.0),
        };
        let mut slots = Vec::new();
        self.fills(|slot| slots.push(format!("t{}", slot.0)));
        format!("{what} ({})", slots.join(", "))
    }
}

/// A step walks over the rows of a frame, which see some columns.
fn rows(frame: FrameId, list: &[Seen], see: &mut impl FnMut(Effect)) {
    see(Effect::Rows(frame));
    for seen in list {
        see(Effect::Reads(*seen, frame));
    }
}

impl OpenStep {
    fn reads(&self, see: &mut impl FnMut(Effect)) {
        rows(self.parent, &self.over, see);
        if let Some(seen) = &self.whole {
            see(Effect::Reads(*seen, self.parent));
        }
        if let Some(base) = self.base {
            see(Effect::Rows(base.frame));
            let place = usize::from(base.level).wrapping_sub(1);
            see(Effect::Finds { from: self.parent, place, other: base.outside });
        }
        let around = self.around.iter().flat_map(|(_, both)| both);
        around.for_each(|seen| see(Effect::Hint(seen.slot)));
    }

    fn opens(&self, see: &mut impl FnMut(Effect)) {
        let base = self.base.map(|base| base.frame);
        see(Effect::Opens { frame: self.frame, parent: self.parent, base, bare: self.bare });
        self.elements.into_iter().flatten().for_each(|slot| see(Effect::Fills(slot)));
    }
}

impl CloseStep {
    fn effects(&self, see: &mut impl FnMut(Effect)) {
        let form = self.flags & FORM != 0;
        let [guards, over, _] = self.counts;
        let (outside, inside) = self.list.split_at((guards + over) as usize);
        see(Effect::Rows(self.frame));
        rows(self.parent, outside, see);
        let others = self.extra.iter().chain(&self.onto).chain([&self.container]);
        others.for_each(|seen| see(Effect::Reads(*seen, self.parent)));
        if !form {
            see(Effect::Reads(self.body, self.frame));
        }
        for seen in inside {
            see(Effect::Counts(*seen, self.frame));
        }
        if let Some(slot) = self.element {
            let picks = self.flags & (FORM | BY_PLACE) == 0;
            let own = Seen { slot, via: Via::Same };
            see(if picks { Effect::Reads(own, self.frame) } else { Effect::Hint(slot) });
        }
        see(Effect::Fills(self.out));
    }
}

/// Calls `see` with every frame that a step looks at or opens.
pub fn frames_of(step: &Step, see: &mut impl FnMut(FrameId)) {
    step.effects(&mut |_, effect| match effect {
        Effect::Rows(frame) | Effect::Reads(_, frame) | Effect::Counts(_, frame) => see(frame),
        Effect::Opens { frame, parent, base, .. } => {
            see(frame);
            see(parent);
            base.into_iter().for_each(&mut *see);
        }
        Effect::Begins(Again::Rounds(frame, parent)) => {
            see(frame);
            see(parent);
        }
        _ => {}
    });
}
