//! The program graph: every distinct expression once, in single-assignment form.
//!
//! A [`Slot`] is one expression; its arguments are other slots, made before it, so the order of ids
//! is an order of evaluation. A slot lives in a [`Frame`]: the outermost set of rows that holds its
//! inputs. Functions do not appear at run time where they are known: [`function`] holds them as
//! static terms, and `card` expands their bodies into slots of element frames.

pub mod frame;
pub mod function;
pub mod shape;
pub mod work;

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap as HashMap};

pub use frame::{Frame, FrameId, FrameKind, Frames, Root};
pub use function::{FnArg, FnId, FnTerm, Functions};
pub use shape::Shape;
pub use work::{Bodies, Items, Nest, Work};

use crate::fault::Fault;
use crate::ops::Prim;
use crate::ops::size::Size;
use crate::program::Input;
use crate::value::Value;

/// A slot's place in the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SlotId(pub u32);

impl SlotId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The parts of a loop that [`Def::Close`] and [`Def::Repeat`] have in common.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Loop {
    /// The frame that the body runs in.
    pub frame: FrameId,
    /// What the body gives for each row of that frame.
    pub body: SlotId,
    /// What the function was built from. An error among them is the loop's error even where no
    /// body runs.
    pub guards: Box<[SlotId]>,
    /// The loops that one run of the body runs in turn, each as often as it is run: their bodies
    /// count towards this loop's limit.
    pub nested: Box<[SlotId]>,
}

/// What a slot computes from its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Def {
    /// S, I or C.
    Input(Input),
    /// A constant.
    Value(Value),
    /// An item of the container that a frame is opened over; the second one of two containers.
    Element {
        /// The element frame.
        frame: FrameId,
        /// 0, or 1 for the second container of a zip or a product.
        which: u8,
    },
    /// A primitive. Where it is given functions, they are values made at run time.
    Call {
        /// The primitive.
        prim: Prim,
        /// Its arguments.
        args: Box<[SlotId]>,
    },
    /// A function that is only known at run time.
    Invoke {
        /// The function.
        function: SlotId,
        /// Its arguments.
        args: Box<[SlotId]>,
    },
    /// A container of results that were computed one by one (`rapply` of known functions).
    Collect {
        /// A set, or a tuple.
        set: bool,
        /// The results.
        items: Box<[SlotId]>,
        /// As in [`Loop::guards`].
        guards: Box<[SlotId]>,
        /// As in [`Loop::nested`].
        nested: Box<[SlotId]>,
    },
    /// What the first of two known functions gave, or the second, as a condition says. The one that
    /// is not chosen has not run: its error does not matter.
    Select {
        /// The condition.
        condition: SlotId,
        /// Taken when it is true.
        then: SlotId,
        /// Taken when it is false.
        other: SlotId,
        /// As in [`Loop::guards`].
        guards: Box<[SlotId]>,
    },
    /// Closes an element frame: a higher-order primitive over what its body gave for each item.
    Close {
        /// The higher-order primitive.
        prim: Prim,
        /// The container that the result is like, or that items are taken from.
        container: SlotId,
        /// The rank of `get_…`, or what `valmax` and `valmin` give for an empty container.
        extra: Option<SlotId>,
        /// The loop.
        run: Loop,
    },
    /// `power`: the body run a number of times on its own result.
    Repeat {
        /// What the first run is given.
        start: SlotId,
        /// How many times.
        times: SlotId,
        /// The loop; its frame holds the current value.
        run: Loop,
    },
    /// The value, or a default where it is an error: a written call under the safe policy.
    OrElse {
        /// The value.
        value: SlotId,
        /// Stands in for an error.
        default: Value,
    },
    /// An error that was found while compiling.
    Fail(FaultKey),
}

/// A fault as a key: faults carry static text only, so the pair identifies it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultKey(pub Fault);

impl From<Fault> for FaultKey {
    fn from(fault: Fault) -> FaultKey {
        FaultKey(fault)
    }
}

impl std::hash::Hash for FaultKey {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.kind.hash(state);
        self.0.what.hash(state);
    }
}

impl Def {
    /// Calls `see` with every slot that this one reads directly.
    pub fn for_each_arg(&self, frames: &Frames, mut see: impl FnMut(SlotId)) {
        let mut each = |slots: &[SlotId]| slots.iter().copied().for_each(&mut see);
        match self {
            Def::Input(_) | Def::Value(_) | Def::Fail(_) => {}
            Def::Element { frame, .. } => each(frames.get(*frame).kind.containers()),
            Def::Call { args, .. } => each(args),
            Def::Invoke { function, args } => {
                each(&[*function]);
                each(args);
            }
            Def::Collect { items, guards, nested, .. } => {
                each(items);
                each(guards);
                each(nested);
            }
            Def::Select { condition, then, other, guards } => {
                each(&[*condition, *then, *other]);
                each(guards);
            }
            Def::Close { container, extra, run, .. } => {
                each(&[*container, run.body]);
                each(extra.as_slice());
                each(&run.guards);
                each(&run.nested);
                each(frames.get(run.frame).kind.containers());
            }
            Def::Repeat { start, times, run } => {
                each(&[*start, *times, run.body]);
                each(&run.guards);
                each(&run.nested);
            }
            Def::OrElse { value, .. } => each(&[*value]),
        }
    }
}

/// An expression: what it computes, where it lives, and what is known of it.
#[derive(Clone, Debug)]
pub struct Slot {
    /// What it computes.
    pub def: Def,
    /// The frame it lives in.
    pub frame: FrameId,
    /// What its values can be.
    pub shape: Shape,
    /// At most how much they hold.
    pub size: Size,
}

/// All slots, each distinct expression once.
#[derive(Clone, Debug)]
pub struct Graph {
    slots: Vec<Slot>,
    /// The slots of [`Graph::slots`] by what they compute, but for those in `met`. A search deals thousands
    /// of expressions every millisecond; a key would be one more copy of each.
    ids: HashTable<SlotId>,
    /// Slots whose inputs meet only in the loop that is being expanded, by that loop's frame.
    met: HashMap<(FrameId, Def), SlotId>,
    /// At most how much the current value of a `power` holds, by its frame, where that is known.
    pub states: HashMap<FrameId, Size>,
    /// The frames that slots live in.
    pub frames: Frames,
    /// The frame of the body that is being expanded; it sees all that the body reads.
    pub here: FrameId,
}

impl Default for Graph {
    fn default() -> Graph {
        Graph {
            slots: Vec::new(),
            ids: HashTable::new(),
            met: HashMap::default(),
            states: HashMap::default(),
            frames: Frames::default(),
            here: FrameId::SAMPLE,
        }
    }
}

impl Graph {
    /// The slot with this id.
    pub fn slot(&self, id: SlotId) -> &Slot {
        &self.slots[id.index()]
    }

    /// Every slot, in an order of evaluation.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// The slot of an expression, made if it is new. It lives where its innermost input does; where
    /// none of its inputs' frames sees all the others, in the body that is being expanded.
    pub fn intern(&mut self, def: Def) -> SlotId {
        let hash = FxBuildHasher.hash_one(&def);
        if let Some(id) = self.ids.find(hash, |id| self.slots[id.index()].def == def) {
            return *id;
        }
        if let Some(frame) = self.home(&def) {
            let id = self.push(def, frame);
            let slots = &self.slots;
            self.ids.insert_unique(hash, id, |id| FxBuildHasher.hash_one(&slots[id.index()].def));
            return id;
        }
        let key = (self.here, def);
        if let Some(id) = self.met.get(&key) {
            return *id;
        }
        let id = self.push(key.1.clone(), self.here);
        self.met.insert(key, id);
        id
    }

    fn push(&mut self, def: Def, frame: FrameId) -> SlotId {
        let shape = Shape::of(&def, |id| self.slots[id.index()].shape);
        let state = match &def {
            Def::Element { frame, .. } => self.states.get(frame).copied(),
            Def::Repeat { run, .. } => self.states.get(&run.frame).copied(),
            _ => None,
        };
        let size = state.unwrap_or_else(|| work::size_of(&def, &self.frames, &self.slots));
        let id = SlotId(self.slots.len() as u32);
        self.slots.push(Slot { def, frame, shape, size });
        id
    }

    /// The frame of a slot.
    pub fn frame_of(&self, id: SlotId) -> FrameId {
        self.slots[id.index()].frame
    }

    /// The constant that a slot is, if it is one.
    pub fn constant(&self, id: SlotId) -> Option<&Value> {
        match &self.slots[id.index()].def {
            Def::Value(value) => Some(value),
            _ => None,
        }
    }

    /// The innermost frame of some slots: one of theirs that sees all of them, else that of the body
    /// that is being expanded.
    pub fn join<'a>(&self, slots: impl Iterator<Item = &'a SlotId> + Clone) -> FrameId {
        let frames = slots.map(|slot| self.frame_of(*slot));
        self.frames.innermost(frames).unwrap_or(self.here)
    }

    /// Where an expression lives, if that follows from its inputs. A loop lives outside the frame
    /// that it closes.
    fn home(&self, def: &Def) -> Option<FrameId> {
        match def {
            Def::Input(Input::S) => Some(FrameId::TASK),
            Def::Input(_) => Some(FrameId::SAMPLE),
            Def::Element { frame, .. } => Some(*frame),
            Def::Close { run, .. } | Def::Repeat { run, .. } => {
                Some(self.frames.get(run.frame).parent)
            }
            _ => {
                let mut home = FrameId::CONSTANT;
                def.for_each_arg(&self.frames, |arg| {
                    home = self.frames.deeper(home, self.frame_of(arg));
                });
                let mut meet = true;
                def.for_each_arg(&self.frames, |arg| {
                    meet &= self.frames.sees(home, self.frame_of(arg));
                });
                meet.then_some(home)
            }
        }
    }
}
