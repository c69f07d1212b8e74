//! The steps of a plan: which kernel computes what from which columns.

use batt_cuda::Kernel;
use batt_lang::graph::{FrameId, SlotId};

use super::pieces::ByPieces;
use super::session::By;
use crate::engine::seen::Seen;

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
    /// The frame whose rows it has again, and where the parent finds that one's parent.
    pub base: Option<(FrameId, u8)>,
    /// That frame's container, where it has only the rows of a part of its items.
    pub whole: Option<Seen>,
    /// The frames around it, if the sizes of all are known before the outermost opens: what they
    /// are, and their containers as the parent sees them.
    pub around: Vec<(u32, [Seen; 2])>,
    /// Whether its own rows are to be counted with theirs.
    pub counts: bool,
    /// Whether only the number of its rows matters.
    pub bare: bool,
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
    /// The block.
    pub block: Vec<Step>,
}

/// The frames that a step reads or fills.
pub fn frames_of(step: &Step, see: &mut impl FnMut(FrameId)) {
    match step {
        Step::Opens(opens) => {
            for open in opens {
                see(open.frame);
                see(open.parent);
                open.base.into_iter().for_each(|(base, _)| see(base));
            }
        }
        Step::Calls(calls) => calls.iter().for_each(|call| see(call.frame)),
        Step::Choose { frame, .. }
        | Step::Collect { frame, .. }
        | Step::OrElse { frame, .. }
        | Step::Fill { frame, .. } => see(*frame),
        Step::Close(close) => {
            see(close.frame);
            see(close.parent);
        }
        Step::Repeat(repeat) => {
            see(repeat.frame);
            see(repeat.parent);
            for step in &repeat.block {
                frames_of(step, see);
            }
        }
        Step::Drop(_) | Step::Leave(_) => {}
    }
}
