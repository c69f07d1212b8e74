//! What the steps of a plan do to columns and frames. Both engines' steps say it the same way, so what
//! orders steps and what checks plans is written once.

use batt_lang::graph::{FrameId, SlotId};

use super::seen::Seen;

/// What a step does, in the order in which it does it.
#[derive(Clone, Copy, Debug)]
pub enum Effect {
    /// The rows of a frame are walked over, or its spans looked at.
    Rows(FrameId),
    /// A column is read as the rows of a frame see it.
    Reads(Seen, FrameId),
    /// How many bodies a slot's loop ran is read likewise.
    Counts(Seen, FrameId),
    /// A column is looked at if it is there; what drops it comes after that.
    Hint(SlotId),
    /// The rows of a frame find those of another one at a place among the frames that they see.
    Finds {
        /// The frame.
        from: FrameId,
        /// The place, from 0.
        place: usize,
        /// The frame that is found.
        other: FrameId,
    },
    /// A frame is opened.
    Opens {
        /// The frame.
        frame: FrameId,
        /// The frame it is nested in.
        parent: FrameId,
        /// The frame whose rows it has again.
        base: Option<FrameId>,
        /// Whether only the number of its rows is known then.
        bare: bool,
    },
    /// A column is filled.
    Fills(SlotId),
    /// A column is not read any more.
    Drops(SlotId),
    /// A frame is not read any more.
    Leaves(FrameId),
    /// What follows happens again and again.
    Begins(Again),
    /// That ends.
    Ends,
}

/// Why something happens again and again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// For every round of a `power`, whose frame is opened anew each time.
    Rounds(FrameId, FrameId),
    /// For some rows of the parent at a time. What closes the frame adds to its columns.
    Pieces(FrameId),
}

/// A step that says what it does.
pub trait Effects: Sized {
    /// Calls `see` with everything that the step and those inside it do, and with the step that does it.
    fn effects<'s>(&'s self, see: &mut impl FnMut(&'s Self, Effect));

    /// The step in a few words.
    fn label(&self) -> String;

    /// Calls `see` with every slot of which the step reads the column or the counts.
    fn reads(&self, mut see: impl FnMut(SlotId)) {
        self.effects(&mut |_, effect| match effect {
            Effect::Reads(seen, _) | Effect::Counts(seen, _) => see(seen.slot),
            Effect::Hint(slot) => see(slot),
            _ => {}
        });
    }

    /// Calls `see` with every slot whose column the step fills.
    fn fills(&self, mut see: impl FnMut(SlotId)) {
        self.effects(&mut |_, effect| {
            if let Effect::Fills(slot) = effect {
                see(slot);
            }
        });
    }
}
