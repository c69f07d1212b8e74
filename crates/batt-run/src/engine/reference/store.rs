//! Columns and the rows of frames.

use batt_lang::graph::{FrameId, SlotId};

use crate::engine::Cell;

/// What is read where nothing was written: a battery that is run as it was dealt never does.
const NOTHING: Cell = Cell::HandBack;

/// The rows of an element frame.
#[derive(Debug, Default)]
pub struct Rows {
    /// For each row, its parent's row.
    pub parent: Vec<u32>,
    /// For each parent row, where its rows start and end; `None` where there are too many.
    pub spans: Vec<Option<(u32, u32)>>,
}

/// The columns and frames of one battery, one task or one sample.
#[derive(Debug, Default)]
pub struct Store {
    columns: Vec<Vec<Cell>>,
    bodies: Vec<Vec<u64>>,
    frames: Vec<Rows>,
}

impl Store {
    pub fn new(slots: usize, frames: usize) -> Store {
        let mut store = Store::default();
        store.columns.resize_with(slots, Vec::new);
        store.bodies.resize_with(slots, Vec::new);
        store.frames.resize_with(frames, Rows::default);
        store
    }

    pub fn set(&mut self, slot: SlotId, column: Vec<Cell>) {
        self.columns[slot.index()] = column;
    }

    pub fn clear(&mut self, slot: SlotId) {
        self.columns[slot.index()] = Vec::new();
    }

    pub fn cell(&self, slot: SlotId, row: usize) -> &Cell {
        self.columns[slot.index()].get(row).unwrap_or(&NOTHING)
    }

    pub fn set_bodies(&mut self, slot: SlotId, bodies: Vec<u64>) {
        self.bodies[slot.index()] = bodies;
    }

    pub fn bodies(&self, slot: SlotId, row: usize) -> u64 {
        self.bodies[slot.index()].get(row).copied().unwrap_or(0)
    }

    pub fn set_rows(&mut self, frame: FrameId, rows: Rows) {
        self.frames[frame.index()] = rows;
    }

    pub fn rows(&self, frame: FrameId) -> usize {
        self.frames[frame.index()].parent.len()
    }

    pub fn parent_row(&self, frame: FrameId, row: usize) -> usize {
        self.frames[frame.index()].parent.get(row).map_or(0, |p| *p as usize)
    }

    pub fn span(&self, frame: FrameId, parent_row: usize) -> Option<(usize, usize)> {
        let span = self.frames[frame.index()].spans.get(parent_row).copied().flatten()?;
        Some((span.0 as usize, span.1 as usize))
    }
}
