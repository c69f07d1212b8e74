//! Frames: sets of rows. A column is one slot's value in every row of its frame.

use rustc_hash::FxHashMap as HashMap;

use super::SlotId;

/// A frame's place among all frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FrameId(pub u32);

impl FrameId {
    /// One row for the whole battery.
    pub const CONSTANT: FrameId = FrameId(0);
    /// One row per task.
    pub const TASK: FrameId = FrameId(1);
    /// One row per sample.
    pub const SAMPLE: FrameId = FrameId(2);

    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a frame has one row for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FrameKind {
    /// The battery.
    Constant,
    /// A task.
    Task,
    /// A sample.
    Sample,
    /// An item of a container, for each row of the parent.
    Each([SlotId; 1]),
    /// A pair of items of two containers at the same place.
    Zip([SlotId; 2]),
    /// A pair of items of two containers, the first varying fastest.
    Product([SlotId; 2]),
    /// A row of the parent, with the current value of a `power`.
    Step,
}

impl FrameKind {
    /// The containers whose items are the rows.
    pub fn containers(&self) -> &[SlotId] {
        match self {
            FrameKind::Each(c) => c,
            FrameKind::Zip(c) | FrameKind::Product(c) => c,
            _ => &[],
        }
    }
}

/// The outermost frame that a frame is nested in: how often its rows are computed anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Root {
    /// Once per battery.
    Constant,
    /// Once per task.
    Task,
    /// Once per sample.
    Sample,
}

/// A set of rows.
#[derive(Clone, Debug)]
pub struct Frame {
    /// What it has one row for.
    pub kind: FrameKind,
    /// The frame it is nested in; the three outermost are their own parents.
    pub parent: FrameId,
    /// How often its rows are computed anew.
    pub root: Root,
    /// How many element frames it is nested in, itself included.
    pub depth: u32,
}

/// All frames.
#[derive(Clone, Debug)]
pub struct Frames {
    frames: Vec<Frame>,
    shared: HashMap<(FrameId, FrameKind), FrameId>,
}

impl Default for Frames {
    fn default() -> Frames {
        let outer = |id, kind, root| Frame { kind, parent: id, root, depth: 0 };
        let frames = vec![
            outer(FrameId::CONSTANT, FrameKind::Constant, Root::Constant),
            outer(FrameId::TASK, FrameKind::Task, Root::Task),
            outer(FrameId::SAMPLE, FrameKind::Sample, Root::Sample),
        ];
        Frames { frames, shared: HashMap::default() }
    }
}

impl Frames {
    /// The frame with this id.
    pub fn get(&self, id: FrameId) -> &Frame {
        &self.frames[id.index()]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether there are none (there always are three).
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// A new frame nested in `parent`.
    pub fn open(&mut self, parent: FrameId, kind: FrameKind) -> FrameId {
        let id = FrameId(self.frames.len() as u32);
        let Frame { root, depth, .. } = *self.get(parent);
        self.frames.push(Frame { kind, parent, root, depth: depth + 1 });
        id
    }

    /// The frame over these containers nested in `parent`, and whether it was there already.
    pub fn share(&mut self, parent: FrameId, kind: FrameKind) -> (FrameId, bool) {
        let key = (parent, kind);
        if let Some(id) = self.shared.get(&key) {
            return (*id, true);
        }
        let id = self.open(parent, key.1.clone());
        self.shared.insert(key, id);
        (id, false)
    }

    /// The deeper of two frames. The frames of one expression's inputs always nest.
    pub fn deeper(&self, a: FrameId, b: FrameId) -> FrameId {
        let rank = |id: FrameId| (self.get(id).root, self.get(id).depth);
        if rank(b) > rank(a) { b } else { a }
    }

    /// The innermost `power` that a frame runs in.
    pub fn step_of(&self, mut id: FrameId) -> Option<FrameId> {
        loop {
            let frame = self.get(id);
            if frame.kind == FrameKind::Step {
                return Some(id);
            }
            if frame.depth == 0 {
                return None;
            }
            id = frame.parent;
        }
    }
}
