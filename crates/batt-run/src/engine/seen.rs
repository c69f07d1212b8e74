//! Where the rows of a frame find the rows of a column.

use batt_lang::graph::SlotId;

/// A slot as one frame sees it.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// The slot.
    pub slot: SlotId,
    /// How its rows are found.
    pub via: Via,
}

/// How a frame's rows find a column's rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Via {
    /// There is only one row.
    One,
    /// The same frame.
    Same,
    /// A frame that this one sees, by its place among those, from 1. On a CPU they are
    /// [`Frames::seen_from`]; on a device the parents, then the task, then the bases.
    ///
    /// [`Frames::seen_from`]: batt_lang::graph::Frames::seen_from
    Up(u8),
}
