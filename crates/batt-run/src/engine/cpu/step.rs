//! The steps of a plan, and where each finds its arguments.

use batt_cpu::{Form, Kernel};
use batt_lang::Prim;
use batt_lang::graph::{FrameId, SlotId};
use batt_lang::ops::Guard;

use super::chain::ChainStep;
use super::nests::Inner;
use crate::engine::seen::Seen;

/// One step.
pub enum Step {
    /// Opens an element frame.
    Open(Box<OpenStep>),
    /// A primitive over a column.
    Call(CallStep),
    /// What cannot be held: functions at run time.
    HandBack { out: SlotId, frame: FrameId },
    /// The chosen one of two results.
    Select(Box<SelectStep>),
    /// Results as a container.
    Collect(Box<CollectStep>),
    /// A default for errors; the value's constant, or none if it cannot be held.
    OrElse { out: SlotId, frame: FrameId, value: Seen },
    /// An error found while compiling.
    Fail { out: SlotId, frame: FrameId },
    /// Closes an element frame.
    Close(Box<CloseStep>),
    /// `power`.
    Repeat(Box<RepeatStep>),
    /// The column is not read any more.
    Drop(SlotId),
    /// A loop that runs a few rows of its parent at a time.
    Region(Box<Region>),
    /// Calls that take turns, a few rows at a time.
    Chain(Box<ChainStep>),
}

// A block runs through all steps of a battery, so a step is a line of the cache; rare ones are boxed.
const _: () = assert!(size_of::<Step>() <= 64);

impl Step {
    /// The slot whose time a step's time is; opening a frame is its items' time.
    pub fn slot(&self) -> Option<SlotId> {
        match self {
            Step::Open(open) if open.base.is_none() => open.elements[0],
            Step::HandBack { out, .. } | Step::OrElse { out, .. } | Step::Fail { out, .. } => {
                Some(*out)
            }
            Step::Call(call) => Some(call.out),
            Step::Select(select) => Some(select.out),
            Step::Collect(collect) => Some(collect.out),
            Step::Close(close) => Some(close.out),
            Step::Repeat(repeat) => Some(repeat.out),
            Step::Open(_) | Step::Drop(_) | Step::Region(_) | Step::Chain(_) => None,
        }
    }

    /// Calls `see` with every slot that the step reads.
    pub fn for_each_read(&self, see: &mut dyn FnMut(SlotId)) {
        let all = |list: &[Seen], see: &mut dyn FnMut(SlotId)| {
            for seen in list {
                see(seen.slot);
            }
        };
        match self {
            Step::Open(open) => open.for_each_read(see),
            Step::Call(call) => all(call.args(), see),
            Step::Select(select) => {
                all(&[select.condition, select.then, select.other], see);
                all(&select.guards, see);
            }
            Step::Collect(collect) => {
                all(&collect.items, see);
                all(&collect.guards, see);
                all(&collect.nested, see);
            }
            Step::OrElse { value, .. } => see(value.slot),
            Step::Close(close) => {
                all(&[close.container, close.body], see);
                all(&close.over, see);
                all(close.extra.as_slice(), see);
                all(&close.guards, see);
                all(&close.nested, see);
                all(close.element.as_slice(), see);
                close.form.iter().for_each(|(_, seen)| see(seen.slot));
                all(close.onto.as_slice(), see);
            }
            Step::Repeat(repeat) => {
                all(&[repeat.start, repeat.times, repeat.body], see);
                all(&repeat.guards, see);
                all(&repeat.nested, see);
                repeat.block.iter().for_each(|step| step.for_each_read(see));
            }
            Step::Region(region) => {
                region.open.for_each_read(see);
                region.body.iter().for_each(|step| step.for_each_read(see));
            }
            Step::Chain(chain) => chain.links.iter().for_each(|one| all(one.call.args(), see)),
            Step::HandBack { .. } | Step::Fail { .. } | Step::Drop(_) => {}
        }
    }

    /// Calls `see` with every slot that the step writes.
    pub fn for_each_write(&self, see: &mut dyn FnMut(SlotId)) {
        match self {
            Step::Open(open) => open.filled().for_each(see),
            Step::Region(region) => {
                region.open.filled().for_each(&mut *see);
                region.body.iter().for_each(|step| step.for_each_write(see));
            }
            Step::Repeat(repeat) => {
                see(repeat.out);
                repeat.current.into_iter().for_each(&mut *see);
                repeat.block.iter().for_each(|step| step.for_each_write(see));
            }
            Step::Chain(chain) => chain.links.iter().for_each(|link| see(link.call.out)),
            Step::Drop(_) => {}
            step => step.slot().into_iter().for_each(see),
        }
    }
}

/// A primitive over a column.
pub struct CallStep {
    /// The primitive.
    pub kernel: Kernel,
    /// The result.
    pub out: SlotId,
    /// Whose rows the column has.
    pub frame: FrameId,
    /// The arguments: so many of these.
    pub args: [Seen; 4],
    pub len: u8,
    /// Which arguments' columns are not read any more, as bits.
    pub last: u8,
    /// What the suffix asks for,
    pub guard: Guard,
    /// of which arguments, as bits.
    pub guarded: u8,
}

impl CallStep {
    /// The arguments.
    #[inline]
    pub fn args(&self) -> &[Seen] {
        self.args.get(..usize::from(self.len)).unwrap_or(&self.args)
    }

    /// The arguments whose columns are not read any more.
    pub fn dropped(&self) -> impl Iterator<Item = SlotId> {
        let args = self.args().iter().enumerate();
        args.filter(|(at, _)| self.last >> at & 1 != 0).map(|(_, seen)| seen.slot)
    }
}

/// The chosen one of two results.
pub struct SelectStep {
    /// The result.
    pub out: SlotId,
    /// Whose rows the column has.
    pub frame: FrameId,
    /// What decides.
    pub condition: Seen,
    /// The result where that is true,
    pub then: Seen,
    /// and where it is not.
    pub other: Seen,
    /// What the functions captured.
    pub guards: Vec<Seen>,
}

/// Results as a container.
pub struct CollectStep {
    /// The result.
    pub out: SlotId,
    /// Whose rows the column has.
    pub frame: FrameId,
    /// Whether it is a set.
    pub set: bool,
    /// The items.
    pub items: Vec<Seen>,
    /// What the functions captured.
    pub guards: Vec<Seen>,
    /// The loops that they run.
    pub nested: Vec<Seen>,
}

/// A loop, from the opening of its frame to its last closing.
pub struct Region {
    /// Opens the frame.
    pub open: OpenStep,
    /// The bodies and the closings.
    pub body: Vec<Step>,
    /// What the closings give.
    pub results: Vec<SlotId>,
    /// Every other slot that is computed inside.
    pub inside: Vec<SlotId>,
}

/// Opens a frame.
pub struct OpenStep {
    /// The frame.
    pub frame: FrameId,
    /// The frame it is nested in.
    pub parent: FrameId,
    /// Whether its rows are all pairs of items, not pairs at the same place.
    pub product: bool,
    /// The containers, as the parent sees them.
    pub over: Vec<Seen>,
    /// The slots of the items; those of its base where there is one.
    pub elements: [Option<SlotId>; 2],
    /// The frame whose rows it has again, or some of them.
    pub base: Option<Base>,
    /// Whether only the number of its rows matters.
    pub bare: bool,
    /// Whether also which item of the base's container it has not.
    pub gaps: bool,
    /// Which of the frames that the parent sees is the sample's.
    pub sample: Option<usize>,
    /// The frames nested in an outermost frame.
    pub inner: Vec<Inner>,
    /// What is known of the frame itself, if it is such a one.
    pub own: Option<Inner>,
}

impl OpenStep {
    /// Calls `see` with every slot that is read; a base's items stand for its rows.
    pub fn for_each_read(&self, see: &mut dyn FnMut(SlotId)) {
        self.over.iter().for_each(|seen| see(seen.slot));
        if let Some(base) = &self.base {
            base.whole.iter().for_each(|seen| see(seen.slot));
            self.elements.into_iter().flatten().for_each(see);
        }
    }

    /// The columns that opening the frame fills.
    pub fn filled(&self) -> impl Iterator<Item = SlotId> + use<> {
        let own = self.base.is_none();
        self.elements.into_iter().flatten().filter(move |_| own)
    }
}

/// A frame whose rows another one has again.
pub struct Base {
    /// The frame.
    pub frame: FrameId,
    /// Which of the frames that the other's parent sees is this one's parent.
    pub outer: usize,
    /// Its container, where the other frame has only the rows of a part of its items.
    pub whole: Option<Seen>,
}

/// Closes a frame.
pub struct CloseStep {
    /// The result.
    pub out: SlotId,
    /// The higher-order primitive.
    pub prim: Prim,
    /// The frame that is closed, and its parent.
    pub frame: FrameId,
    /// The parent.
    pub parent: FrameId,
    /// Whether too many rows are surely too many bodies: every body of the nest runs to its end.
    pub exact: bool,
    /// The container, its companions, the rank, what the function captured: as the parent sees them.
    pub container: Seen,
    /// All containers of the frame.
    pub over: Vec<Seen>,
    /// The rank, or the value for an empty container.
    pub extra: Option<Seen>,
    /// What the function captured.
    pub guards: Vec<Seen>,
    /// The body and the items, as the frame sees them.
    pub body: Seen,
    /// The items of the first container; none where they are to be taken from it.
    pub element: Option<Seen>,
    /// The loops that a body runs,
    pub nested: Vec<Seen>,
    /// and how many bodies more it counts each time.
    pub fixed: u64,
    /// How the result is found without the bodies, and from what, as the parent sees it.
    pub form: Option<(Form, Seen)>,
    /// The grid on which alone a form's result is drawn, as the parent sees it.
    pub onto: Option<Seen>,
    /// Whether the result is only looked at item by item and merged.
    pub heap: bool,
    /// More bodies than these are handed back.
    pub most: u32,
    /// The base and which of the frames that the parent sees its parent is, where two of its keys tell the
    /// result.
    pub least: Option<(FrameId, usize)>,
}

/// Runs a block again and again.
pub struct RepeatStep {
    /// The result.
    pub out: SlotId,
    /// The frame of the current value, and its parent.
    pub frame: FrameId,
    /// The parent.
    pub parent: FrameId,
    /// What the first run is given.
    pub start: Seen,
    /// How many times.
    pub times: Seen,
    /// What the function captured.
    pub guards: Vec<Seen>,
    /// The slot of the current value.
    pub current: Option<SlotId>,
    /// The body's result, as the frame sees it.
    pub body: Seen,
    /// The loops that a body runs.
    pub nested: Vec<Seen>,
    /// The frames nested in an outermost frame.
    pub inner: Vec<Inner>,
    /// The block.
    pub block: Vec<Step>,
}
