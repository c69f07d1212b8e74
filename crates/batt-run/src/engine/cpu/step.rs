//! The steps of a plan, and where each finds its arguments.

use batt_cpu::{Form, Kernel};
use batt_lang::Prim;
use batt_lang::graph::{FrameId, SlotId};

use super::chain::ChainStep;
use super::nests::Inner;
use crate::engine::effects::{Again, Effect, Effects};
use crate::engine::seen::{Seen, Via};

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
}

impl Effects for Step {
    fn effects<'s>(&'s self, see: &mut impl FnMut(&'s Step, Effect)) {
        let mut all = |list: &[Seen], frame: FrameId| {
            for seen in list {
                see(self, Effect::Reads(*seen, frame));
            }
        };
        match self {
            Step::Open(open) => open.effects(&mut |effect| see(self, effect)),
            Step::Call(call) => {
                call.effects(&mut |effect| see(self, effect));
                call.dropped().for_each(|slot| see(self, Effect::Drops(slot)));
            }
            Step::Select(select) => {
                all(&[select.condition, select.then, select.other], select.frame);
                all(&select.guards, select.frame);
                see(self, Effect::Fills(select.out));
            }
            Step::Collect(collect) => {
                all(&collect.items, collect.frame);
                all(&collect.guards, collect.frame);
                collect
                    .nested
                    .iter()
                    .for_each(|one| see(self, Effect::Counts(*one, collect.frame)));
                see(self, Effect::Fills(collect.out));
            }
            Step::OrElse { out, frame, value } => {
                all(&[*value], *frame);
                see(self, Effect::Fills(*out));
            }
            Step::HandBack { out, frame } | Step::Fail { out, frame } => {
                see(self, Effect::Rows(*frame));
                see(self, Effect::Fills(*out));
            }
            Step::Close(close) => close.effects(&mut |effect| see(self, effect)),
            Step::Repeat(repeat) => {
                all(&[repeat.start, repeat.times], repeat.parent);
                all(&repeat.guards, repeat.parent);
                see(self, Effect::Begins(Again::Rounds(repeat.frame, repeat.parent)));
                repeat.current.into_iter().for_each(|slot| see(self, Effect::Fills(slot)));
                for step in &repeat.block {
                    step.effects(see);
                }
                see(self, Effect::Reads(repeat.body, repeat.frame));
                let counts = |seen: &Seen| Effect::Counts(*seen, repeat.frame);
                for seen in &repeat.nested {
                    see(self, counts(seen));
                }
                see(self, Effect::Ends);
                see(self, Effect::Fills(repeat.out));
            }
            Step::Drop(slot) => see(self, Effect::Drops(*slot)),
            Step::Region(region) => {
                see(self, Effect::Begins(Again::Pieces(region.open.frame)));
                region.open.effects(&mut |effect| see(self, effect));
                for step in &region.body {
                    step.effects(see);
                }
                see(self, Effect::Ends);
            }
            Step::Chain(chain) => {
                let calls = || chain.links.iter().map(|link| &link.call);
                calls().for_each(|call| call.effects(&mut |effect| see(self, effect)));
                // Each has all of its rows only when the last one has.
                calls().flat_map(CallStep::dropped).for_each(|s| see(self, Effect::Drops(s)));
            }
        }
    }

    fn label(&self) -> String {
        let what = match self {
            Step::Open(open) => return open.label(),
            Step::Region(region) => return format!("the loop of {}", region.open.label()),
            Step::Drop(slot) => return format!("the drop of t{}", slot.0),
            Step::Chain(chain) => return format!("a chain of calls in frame {}", chain.frame.0),
            Step::Close(close) => close.prim.info().name,
            Step::Repeat(_) => "power",
            Step::Call(_) => "a call",
            Step::Select(_) => "a choice",
            Step::Collect(_) => "a collection",
            Step::OrElse { .. } => "a default",
            Step::HandBack { .. } | Step::Fail { .. } => "a constant",
        };
        format!("{what} (t{})", self.slot().map_or(0, |slot| slot.0))
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
}

impl CallStep {
    /// The arguments.
    #[inline]
    pub fn args(&self) -> &[Seen] {
        self.args.get(..usize::from(self.len)).unwrap_or(&self.args)
    }

    fn effects(&self, see: &mut impl FnMut(Effect)) {
        see(Effect::Rows(self.frame));
        self.args().iter().for_each(|seen| see(Effect::Reads(*seen, self.frame)));
        see(Effect::Fills(self.out));
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
    fn effects(&self, see: &mut impl FnMut(Effect)) {
        let (frame, parent) = (self.frame, self.parent);
        for seen in &self.over {
            see(Effect::Reads(*seen, parent));
        }
        if let Some(base) = &self.base {
            if let Some(seen) = &base.whole {
                see(Effect::Reads(*seen, parent));
            }
            see(Effect::Finds { from: parent, place: base.outer, other: base.outside });
            // A base's items stand for its rows.
            self.elements.into_iter().flatten().for_each(|slot| see(Effect::Hint(slot)));
        }
        let base = self.base.as_ref().map(|base| base.frame);
        see(Effect::Opens { frame, parent, base, bare: self.bare });
        self.filled().for_each(|slot| see(Effect::Fills(slot)));
    }

    /// Calls `see` with every slot that is read.
    pub fn for_each_read(&self, see: &mut impl FnMut(SlotId)) {
        self.effects(&mut |effect| match effect {
            Effect::Reads(seen, _) => see(seen.slot),
            Effect::Hint(slot) => see(slot),
            _ => {}
        });
    }

    fn label(&self) -> String {
        format!("the opening of frame {}", self.frame.0)
    }

    /// The columns that opening the frame fills.
    pub fn filled(&self) -> impl Iterator<Item = SlotId> + use<> {
        let own = self.base.is_none();
        self.elements.into_iter().flatten().filter(move |_| own)
    }
}

/// A frame whose rows another one has again.
#[derive(Clone, Copy)]
pub struct Base {
    /// The frame.
    pub frame: FrameId,
    /// Which of the frames that the other's parent sees is this one's parent,
    pub outer: usize,
    /// and which frame that is.
    pub outside: FrameId,
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
    /// The base, where two of its keys tell the result.
    pub least: Option<Base>,
}

impl CloseStep {
    fn effects(&self, see: &mut impl FnMut(Effect)) {
        let (frame, parent) = (self.frame, self.parent);
        see(Effect::Rows(frame));
        let outside = self.over.iter().chain(&self.guards).chain(&self.extra).chain(&self.onto);
        let outside = outside.chain(self.form.iter().map(|(_, from)| from));
        let outside = outside.chain([&self.container]);
        outside.for_each(|seen| see(Effect::Reads(*seen, parent)));
        let mut inside = |seen: Seen, effect: fn(Seen, FrameId) -> Effect| match &self.least {
            // Where two keys tell the result, all rows of the base are looked at.
            Some(least) => see(effect(Seen { via: Via::Same, ..seen }, least.frame)),
            None => see(effect(seen, frame)),
        };
        if self.form.is_none() {
            inside(self.body, Effect::Reads);
        }
        for seen in &self.nested {
            inside(*seen, Effect::Counts);
        }
        if let Some(Base { outer, outside, .. }) = self.least {
            see(Effect::Finds { from: parent, place: outer, other: outside });
        }
        match self.element {
            Some(seen) if self.form.is_none() => see(Effect::Reads(seen, frame)),
            Some(seen) => see(Effect::Hint(seen.slot)),
            None => {}
        }
        see(Effect::Fills(self.out));
    }
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
