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
    /// The frame whose rows it has again, for each row of the parent: one over the same containers,
    /// further out. Its items and all that depends on nothing else are computed there.
    pub base: Option<FrameId>,
    /// Whether it has only some of its base's rows: those of the items that its own container, a part
    /// of the base's, holds too. No slot lives in such a frame. What its loops' bodies compute, they
    /// compute in the base, and whatever is read from the frame is read through the base.
    pub part: bool,
    /// How often its rows are computed anew.
    pub root: Root,
    /// How many element frames it is nested in, itself included.
    pub depth: u32,
}

impl Frame {
    /// Deeper frames have higher ranks.
    fn rank(&self) -> (Root, u32) {
        (self.root, self.depth)
    }
}

/// All frames.
#[derive(Clone, Debug)]
pub struct Frames {
    all: Vec<Frame>,
    /// Frames by parent and kind, and which of several such frames it is.
    shared: HashMap<(FrameId, FrameKind, u32), FrameId>,
    /// Frames by parent, base and kind.
    again: HashMap<(FrameId, FrameId, FrameKind), FrameId>,
}

impl Default for Frames {
    fn default() -> Frames {
        let outer =
            |id, kind, root| Frame { kind, parent: id, base: None, part: false, root, depth: 0 };
        let all = vec![
            outer(FrameId::CONSTANT, FrameKind::Constant, Root::Constant),
            outer(FrameId::TASK, FrameKind::Task, Root::Task),
            outer(FrameId::SAMPLE, FrameKind::Sample, Root::Sample),
        ];
        Frames { all, shared: HashMap::default(), again: HashMap::default() }
    }
}

impl Frames {
    /// The frame with this id.
    pub fn get(&self, id: FrameId) -> &Frame {
        &self.all[id.index()]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are none (there always are three).
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// A new frame nested in `parent`.
    pub fn open(&mut self, parent: FrameId, kind: FrameKind) -> FrameId {
        self.push(parent, kind, None)
    }

    fn push(&mut self, parent: FrameId, kind: FrameKind, base: Option<FrameId>) -> FrameId {
        let id = FrameId(self.all.len() as u32);
        let Frame { root, depth, .. } = *self.get(parent);
        self.all.push(Frame { kind, parent, base, part: false, root, depth: depth + 1 });
        id
    }

    /// The frame over these containers nested in `parent`, and whether it was there already.
    pub fn share(&mut self, parent: FrameId, kind: FrameKind) -> (FrameId, bool) {
        self.share_one(parent, kind, 0)
    }

    fn share_one(&mut self, parent: FrameId, kind: FrameKind, copy: u32) -> (FrameId, bool) {
        let key = (parent, kind, copy);
        if let Some(id) = self.shared.get(&key) {
            return (*id, true);
        }
        let id = self.open(parent, key.1.clone());
        self.shared.insert(key, id);
        (id, false)
    }

    /// The frame over these containers nested in `parent` that has the rows of a frame nested in
    /// `outer` again, and whether it was there already. The other frame's items must not be those
    /// of a loop that this one is in, so it is one that `parent` does not see.
    pub fn share_again(
        &mut self,
        parent: FrameId,
        outer: FrameId,
        kind: &FrameKind,
    ) -> (FrameId, bool) {
        let mut copy = 0;
        let base = loop {
            let (base, _) = self.share_one(outer, kind.clone(), copy);
            if !self.sees(parent, base) {
                break base;
            }
            copy += 1;
        };
        self.share_based(parent, base, kind.clone())
    }

    fn share_based(&mut self, parent: FrameId, base: FrameId, kind: FrameKind) -> (FrameId, bool) {
        let key = (parent, base, kind);
        if let Some(id) = self.again.get(&key) {
            return (*id, true);
        }
        let id = self.push(parent, key.2.clone(), Some(base));
        self.again.insert(key, id);
        (id, false)
    }

    /// The frame nested in `parent` over a part of what `base` is over ([`Frame::part`]). The parent
    /// must see what the base is nested in.
    pub fn share_part(&mut self, parent: FrameId, base: FrameId, part: SlotId) -> FrameId {
        let (id, _) = self.share_based(parent, base, FrameKind::Each([part]));
        self.all[id.index()].part = true;
        id
    }

    /// The frame that holds the items of a loop over a frame.
    pub fn items(&self, id: FrameId) -> FrameId {
        self.get(id).base.map_or(id, |base| self.items(base))
    }

    /// Whether each row of a frame has one row of another that it belongs to.
    pub fn sees(&self, from: FrameId, to: FrameId) -> bool {
        if from == to {
            return true;
        }
        let (here, there) = (self.get(from), self.get(to));
        if there.depth == 0 {
            return there.root <= here.root;
        }
        here.rank() > there.rank()
            && (here.base.is_some_and(|base| self.sees(base, to)) || self.sees(here.parent, to))
    }

    /// The one of some frames that sees all of them, if there is one.
    pub fn innermost(&self, frames: impl Iterator<Item = FrameId> + Clone) -> Option<FrameId> {
        let deepest = frames.clone().fold(FrameId::CONSTANT, |a, b| self.deeper(a, b));
        let mut all = frames;
        all.all(|other| self.sees(deepest, other)).then_some(deepest)
    }

    /// The deeper of two frames.
    pub fn deeper(&self, a: FrameId, b: FrameId) -> FrameId {
        if self.get(b).rank() > self.get(a).rank() { b } else { a }
    }

    /// The frames that a frame's rows belong to, apart from those of other roots: the parent, what
    /// the parent sees, and the base. The chain of parents comes first.
    pub fn seen_from(&self, id: FrameId) -> Vec<FrameId> {
        let frame = self.get(id);
        if frame.depth == 0 {
            return Vec::new();
        }
        let mut seen = vec![frame.parent];
        seen.extend(self.seen_from(frame.parent));
        seen.extend(frame.base);
        seen
    }

    /// Which of [`Frames::seen_from`] another frame is. A part reads through its base, which may be a
    /// frame that its parent sees too, for other rows.
    pub fn place(&self, from: FrameId, to: FrameId) -> Option<usize> {
        let seen = self.seen_from(from);
        if self.get(from).part {
            return seen.iter().rposition(|one| *one == to);
        }
        seen.iter().position(|one| *one == to)
    }

    /// The container that the parent of a part sees whole.
    pub fn whole(&self, id: FrameId) -> Option<SlotId> {
        let frame = self.get(id);
        let base = frame.base.filter(|_| frame.part)?;
        self.get(base).kind.containers().first().copied()
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
