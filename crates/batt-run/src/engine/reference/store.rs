//! Columns and the rows of frames.

use std::sync::Arc;

use batt_lang::battery::Battery;
use batt_lang::graph::{FrameId, Root, SlotId};

use crate::engine::Cell;

/// What is read where nothing was written: a battery that is run as it was dealt never does.
const NOTHING: Cell = Cell::HandBack;

/// The rows of an element frame.
#[derive(Debug, Default)]
pub struct Rows {
    /// For each row, its parent's row.
    pub parent: Vec<u32>,
    /// For each row, the base's row, where there is one.
    pub base: Vec<u32>,
    /// For each parent row, where its rows start and end; `None` where there are too many.
    pub spans: Vec<Option<(u32, u32)>>,
    /// Whether what its bodies give may be more than is held at a time.
    pub heavy: bool,
}

/// Where each slot's column is among those of its root, so that what is kept for every task has
/// room for the slots that live there only.
#[derive(Debug)]
pub struct Layout {
    places: Vec<u32>,
    sizes: [usize; 3],
    frames: usize,
    /// By frame, the outermost loops that run bodies there, by their places among the battery's, and whether
    /// those are their own.
    nests: Vec<Vec<(u32, bool)>>,
}

impl Layout {
    pub fn of(battery: &Battery) -> Layout {
        let mut sizes = [0; 3];
        let places = (0..battery.slot_count() as u32).map(|at| {
            let frame = battery.slot(SlotId(at)).frame;
            let size = &mut sizes[battery.frames().get(frame).root as usize];
            *size += 1;
            *size as u32 - 1
        });
        let places = places.collect();
        let frames = battery.frames().len();
        let mut nests = vec![Vec::new(); frames];
        for (at, (_, nest)) in (0..).zip(battery.nests()) {
            nest.frames.iter().for_each(|(frame, own)| nests[frame.index()].push((at, *own)));
        }
        Layout { places, sizes, frames, nests }
    }
}

/// The columns and frames of one battery, one task or one sample.
#[derive(Debug)]
pub struct Store {
    layout: Arc<Layout>,
    columns: Vec<Vec<Cell>>,
    bodies: Vec<Vec<u64>>,
    frames: Vec<Rows>,
}

impl Store {
    pub fn new(layout: &Arc<Layout>, root: Root) -> Store {
        let (slots, frames) = (layout.sizes[root as usize], layout.frames);
        let mut store = Store {
            layout: Arc::clone(layout),
            columns: Vec::new(),
            bodies: Vec::new(),
            frames: Vec::new(),
        };
        store.columns.resize_with(slots, Vec::new);
        store.bodies.resize_with(slots, Vec::new);
        store.frames.resize_with(frames, Rows::default);
        store
    }

    /// The outermost loops that run bodies in a frame.
    pub fn nests(&self, frame: FrameId) -> &[(u32, bool)] {
        &self.layout.nests[frame.index()]
    }

    pub fn is_heavy(&self, frame: FrameId) -> bool {
        self.frames[frame.index()].heavy
    }

    fn place(&self, slot: SlotId) -> usize {
        self.layout.places[slot.index()] as usize
    }

    pub fn set(&mut self, slot: SlotId, column: Vec<Cell>) {
        let place = self.place(slot);
        self.columns[place] = column;
    }

    pub fn clear(&mut self, slot: SlotId) {
        let place = self.place(slot);
        self.columns[place] = Vec::new();
    }

    pub fn cell(&self, slot: SlotId, row: usize) -> &Cell {
        self.columns[self.place(slot)].get(row).unwrap_or(&NOTHING)
    }

    pub fn set_bodies(&mut self, slot: SlotId, bodies: Vec<u64>) {
        let place = self.place(slot);
        self.bodies[place] = bodies;
    }

    pub fn bodies(&self, slot: SlotId, row: usize) -> u64 {
        self.bodies[self.place(slot)].get(row).copied().unwrap_or(0)
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

    pub fn base_row(&self, frame: FrameId, row: usize) -> usize {
        self.frames[frame.index()].base.get(row).map_or(0, |p| *p as usize)
    }

    pub fn span(&self, frame: FrameId, parent_row: usize) -> Option<(usize, usize)> {
        let span = self.frames[frame.index()].spans.get(parent_row).copied().flatten()?;
        Some((span.0 as usize, span.1 as usize))
    }
}
