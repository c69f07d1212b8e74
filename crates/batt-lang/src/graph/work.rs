//! Work: at most how many element operations the bodies of loops take, before anything runs.
//!
//! The interpreter counts exactly what [`crate::limits::MAX_WORK`] means, call by call. A battery does not
//! run what was written call by call: loops are fused, hoisted and shared. So what one body takes at most
//! is noted while its function is expanded, call by call as well, and an engine that knows how many bodies
//! ran multiplies. Where that could be too much, the interpreter decides.

use super::{Def, FrameId, FrameKind, Frames, Graph, Slot, SlotId};
use crate::limits::{MAX_BODIES, MAX_ELEMENTS, MAX_WORK};
use crate::ops::size::{self, Size};
use crate::ops::{Op, Role};
use crate::program::Input;

/// Values of at most so many elements are counted as so many.
const SMALL: u32 = 16;
/// What makes values of at most so many elements is not looked at.
const NEAR: u32 = 1_024;
/// How far it is looked for what a value is made of.
const MAX_STEPS: u32 = 12;

/// What may take so many times the budget is not begun: it would be for nothing, and fill memory. Loops share
/// their rows, so where one is only a little too dear, they are there for the others.
pub const FAR: u32 = 16;

/// At most how many element operations one body takes, loops inside it apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// So many,
    pub each: u64,
    /// and for every element of these so many more.
    pub of: Vec<(SlotId, u64)>,
    /// What all bodies together take for the items that they are given.
    pub items: Vec<Items>,
}

/// The items of a container, of which each body is given one: all bodies together are given no more than the
/// container holds, however many they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Items {
    /// The container.
    pub container: SlotId,
    /// So many operations for each element of an item.
    pub factor: u64,
    /// At most how many elements one item has.
    pub largest: u32,
}

impl Items {
    /// At most how much so many bodies take for them, given how many elements the container has.
    pub fn most(&self, bodies: u64, elements: u64) -> u64 {
        // An empty item counts one where a container's elements are counted, too.
        let all = bodies.saturating_mul(u64::from(self.largest)).min(elements);
        self.factor.saturating_mul(all)
    }
}

impl Work {
    /// Adds operations.
    pub fn add(&mut self, many: u64) {
        self.each = self.each.saturating_add(many);
    }

    /// Adds so many operations for every element of a slot's value.
    pub fn read(&mut self, graph: &Graph, slot: SlotId, factor: u64) {
        let most = graph.slot(slot).size.elements();
        if most <= SMALL {
            self.add(factor * u64::from(most));
        } else {
            self.more(slot, factor);
        }
    }

    fn more(&mut self, slot: SlotId, factor: u64) {
        match self.of.iter_mut().find(|(one, _)| *one == slot) {
            Some((_, sum)) => *sum = sum.saturating_add(factor),
            None => self.of.push((slot, factor)),
        }
    }

    /// The work of a body that may be this one or the other.
    pub fn or(&mut self, other: &Work) {
        self.each = self.each.max(other.each);
        for (slot, factor) in &other.of {
            match self.of.iter_mut().find(|(one, _)| one == slot) {
                Some((_, sum)) => *sum = (*sum).max(*factor),
                None => self.of.push((*slot, *factor)),
            }
        }
    }

    /// At most how much so many bodies take, given how many elements slots have.
    pub fn most(&self, bodies: u64, elements: impl Fn(SlotId) -> u64) -> u64 {
        let of = self.of.iter().map(|(slot, factor)| factor.saturating_mul(elements(*slot)));
        let all = of.fold(self.each, u64::saturating_add).saturating_mul(bodies);
        let items = self.items.iter().map(|items| items.most(bodies, elements(items.container)));
        items.fold(all, u64::saturating_add)
    }
}

/// How many bodies an outermost loop ran.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bodies {
    /// Its own.
    pub own: u64,
    /// Those of the loops inside it.
    pub inner: u64,
}

impl Bodies {
    /// How many that is together.
    pub fn all(self) -> u64 {
        self.own + self.inner
    }
}

/// What is known of an outermost loop and those inside it.
#[derive(Clone, Debug)]
pub struct Nest {
    /// At most how much each of its own bodies takes, by slots that the loop reads itself.
    pub own: Work,
    /// At most how much each body of a loop inside it takes.
    pub inner: Work,
    /// So many bodies in all are within the budget, whatever the values are.
    pub allowed: u32,
    /// The frames in which it runs bodies, and which of them its own bodies run in.
    pub frames: Vec<(FrameId, bool)>,
}

impl Nest {
    /// At most how much so many bodies take, given how many elements slots have.
    pub fn most(&self, bodies: Bodies, elements: impl Fn(SlotId) -> u64) -> u64 {
        let own = self.own.most(bodies.own, &elements);
        own.saturating_add(self.inner.most(bodies.inner, &elements))
    }

    /// Whether so many bodies surely stay within the budget, given how many elements slots have.
    pub fn within(&self, bodies: Bodies, elements: impl Fn(SlotId) -> u64) -> bool {
        bodies.all() <= u64::from(self.allowed) || self.most(bodies, elements) <= MAX_WORK
    }

    /// Whether there is anything to look at: fewer bodies than there may be can be too much.
    pub fn is_heavy(&self) -> bool {
        self.allowed < MAX_BODIES
    }
}

/// The size of what an expression gives.
pub(super) fn size_of(def: &Def, frames: &Frames, slots: &[Slot]) -> Size {
    let size = |slot: SlotId| slots[slot.index()].size;
    let known = |slot: SlotId| match &slots[slot.index()].def {
        Def::Value(value) => value.as_int(),
        _ => None,
    };
    match def {
        Def::Input(Input::I) => Size::GRID,
        Def::Value(value) => Size::of(value),
        Def::Element { frame, which } => {
            let containers = frames.get(*frame).kind.containers();
            containers.get(usize::from(*which)).map_or(Size::ANY, |slot| size(*slot).one())
        }
        Def::Call { prim, args } if prim.info().role == Role::Pure => {
            if let (Op::Canvas, [_, dims]) = (prim.op, &args[..])
                && let Def::Value(value) = &slots[dims.index()].def
                && let Some((h, w)) = value.as_pair()
            {
                let all = h.unsigned_abs().saturating_mul(w.unsigned_abs());
                let value = size(args[0]);
                let all = all.saturating_mul(value.all);
                let row = w.unsigned_abs().saturating_mul(value.all);
                let side = h.unsigned_abs().max(w.unsigned_abs()).max(value.side);
                return Size { side, ..Size::new(all, row, value.far) };
            }
            size::result(prim.op, |at| size(args[at]), |at| known(args[at]))
        }
        Def::Call { prim, .. } if prim.info().role == Role::Makes && prim.op != Op::Power => {
            Size::new(1, 1, 1)
        }
        Def::Collect { items, .. } => items.iter().fold(Size::new(1, 1, 0), |all, item| {
            let item = size(*item);
            Size::new(
                all.all.saturating_add(item.all),
                all.item.max(item.all),
                all.far.max(item.far),
            )
        }),
        Def::Select { then, other, .. } => size(*then).or(size(*other)),
        Def::OrElse { value, default } => size(*value).or(Size::of(default)),
        Def::Close { prim, container, extra, run } => {
            let (container, body) = (size(*container), size(run.body));
            match prim.op {
                Op::Sfilter | Op::Mfilter | Op::Order => container,
                Op::Extract
                | Op::Argmax
                | Op::Argmin
                | Op::GetNthByKeyT
                | Op::GetNthByKeyF
                | Op::GetArgRank => container.one(),
                Op::Valmax | Op::Valmin => extra.map_or(body, |extra| body.or(size(extra))),
                Op::GetValRank => body,
                Op::Apply | Op::Papply | Op::Prapply => body.times(rows(frames, run.frame, size)),
                Op::Mapply | Op::Mpapply => {
                    let all = body.times(rows(frames, run.frame, size));
                    Size { item: body.item, ..all }
                }
                _ => Size::ANY,
            }
        }
        Def::Fail(_) => Size::new(1, 1, 1),
        _ => Size::ANY,
    }
}

/// At most how many rows a frame has for a row of its parent.
fn rows(frames: &Frames, frame: FrameId, size: impl Fn(SlotId) -> Size) -> u32 {
    let items = |slot: &SlotId| size(*slot).all;
    match &frames.get(frame).kind {
        FrameKind::Each([a]) => items(a),
        FrameKind::Zip([a, b]) => items(a).min(items(b)),
        FrameKind::Product([a, b]) => items(a).saturating_mul(items(b)),
        _ => 1,
    }
}

/// What finds the nests of a graph.
pub(crate) struct Finder<'a> {
    pub slots: &'a [Slot],
    pub frames: &'a Frames,
    /// What one body of each loop takes.
    pub works: &'a dyn Fn(SlotId) -> Option<&'a Work>,
}

impl Finder<'_> {
    /// What is known of a loop, if it is one and an outermost one.
    pub fn nest(&self, slot: SlotId) -> Option<Nest> {
        let here = &self.slots[slot.index()];
        if self.frames.get(here.frame).depth > 0 {
            return None;
        }
        let mut reads = Vec::new();
        match &here.def {
            Def::Close { container, extra, run, .. } => {
                reads.push(*container);
                reads.extend(extra);
                reads.extend_from_slice(&run.guards);
                reads.extend_from_slice(self.frames.get(run.frame).kind.containers());
            }
            Def::Repeat { run, .. } => reads.extend_from_slice(&run.guards),
            Def::Collect { guards, items, .. } => {
                // Nothing runs where nothing is counted.
                if items.is_empty() {
                    return None;
                }
                reads.extend_from_slice(guards);
            }
            _ => return None,
        }
        let (mut own, mut inner, mut frames) = (Work::default(), Work::default(), Vec::new());
        let mut inside = vec![slot];
        let mut next = 0;
        while let Some(at) = inside.get(next).copied() {
            next += 1;
            let def = &self.slots[at.index()].def;
            let work = if at == slot { &mut own } else { &mut inner };
            let nested = match def {
                Def::Close { run, .. } | Def::Repeat { run, .. } => {
                    let based =
                        std::iter::successors(Some(run.frame), |id| self.frames.get(*id).base);
                    frames.extend(based.map(|frame| (frame, at == slot)));
                    &run.nested
                }
                Def::Collect { nested, .. } => nested,
                // A function that is only known at run time: what it takes is counted in bodies.
                _ => {
                    work.each = work.each.max(MAX_WORK / u64::from(MAX_BODIES));
                    continue;
                }
            };
            match (self.works)(at) {
                Some(known) => work.or(known),
                // Nothing but a count of bodies.
                None if matches!(def, Def::Collect { .. }) => {}
                None => work.add(u64::from(MAX_ELEMENTS)),
            }
            for one in nested {
                if !inside.contains(one) {
                    inside.push(*one);
                }
            }
        }
        let frame = match &here.def {
            Def::Close { run, .. } => Some(run.frame),
            _ => None,
        };
        let own = self.resolved(&own, &reads, frame);
        let inner = self.resolved(&inner, &reads, None);
        let elements = |slot: SlotId| u64::from(self.slots[slot.index()].size.elements());
        let dearer = own.most(1, elements).max(inner.most(1, elements)).max(1);
        let allowed = (MAX_WORK / dearer).min(u64::from(MAX_BODIES)) as u32;
        frames.sort_unstable();
        frames.dedup();
        Some(Nest { own, inner, allowed, frames })
    }

    /// The same work by slots that the loop itself reads. `own` is the frame whose items bodies are given once
    /// each.
    fn resolved(&self, work: &Work, reads: &[SlotId], own: Option<FrameId>) -> Work {
        let mut resolver =
            Resolver { finder: self, reads, own, all: Work { each: work.each, ..Work::default() } };
        for (slot, factor) in &work.of {
            resolver.resolve(*slot, *factor, MAX_STEPS);
        }
        resolver.all
    }
}

/// What finds out what the slots of a loop's bodies are made of.
struct Resolver<'f, 'a> {
    finder: &'f Finder<'a>,
    reads: &'f [SlotId],
    own: Option<FrameId>,
    all: Work,
}

impl Resolver<'_, '_> {
    fn resolve(&mut self, slot: SlotId, factor: u64, steps: u32) {
        let here = &self.finder.slots[slot.index()];
        let most = here.size.elements();
        if let Some(container) = self.looked_at_once(&here.def) {
            self.all.items.push(Items { container, factor, largest: most });
            return;
        }
        if most <= NEAR || steps == 0 {
            self.all.add(factor.saturating_mul(u64::from(most)));
            return;
        }
        if self.reads.contains(&slot) {
            self.all.more(slot, factor);
            return;
        }
        match &here.def {
            Def::Element { frame, which } => {
                let containers = self.finder.frames.get(*frame).kind.containers();
                match containers.get(usize::from(*which)) {
                    // An item holds no more than its container.
                    Some(container) => self.resolve_as(most, &[*container], factor, steps),
                    None => self.all.add(factor.saturating_mul(u64::from(most))),
                }
            }
            Def::Call { prim, args } => match size::spread(prim.op) {
                Some(spread) => {
                    let spread = factor.saturating_mul(u64::from(spread));
                    self.all.add(factor.saturating_mul(size::APART));
                    self.resolve_as(most, args, spread, steps);
                }
                None => self.all.add(factor.saturating_mul(u64::from(most))),
            },
            Def::Close { prim, container, .. }
                if matches!(
                    prim.op,
                    Op::Sfilter | Op::Mfilter | Op::Order | Op::Argmax | Op::Argmin | Op::Extract
                ) =>
            {
                self.all.add(factor.saturating_mul(size::APART));
                self.resolve_as(most, &[*container], factor, steps);
            }
            _ => self.all.add(factor.saturating_mul(u64::from(most))),
        }
    }

    /// What holds at most so much whatever it is made of, and no more than these.
    fn resolve_as(&mut self, most: u32, parts: &[SlotId], factor: u64, steps: u32) {
        let before = self.all.clone();
        for part in parts {
            self.resolve(*part, factor, steps - 1);
        }
        // Nothing that depends on a value was found: what is known without is nearer.
        let known = self.all.of == before.of && self.all.items == before.items;
        if known && self.all.each - before.each > factor.saturating_mul(u64::from(most)) {
            self.all = before;
            self.all.add(factor.saturating_mul(u64::from(most)));
        }
    }

    /// The container of which this is the item that each body is given.
    fn looked_at_once(&self, def: &Def) -> Option<SlotId> {
        let Def::Element { frame, which } = def else { return None };
        let kind = &self.finder.frames.get(*frame).kind;
        let once = matches!(kind, FrameKind::Each(_) | FrameKind::Zip(_));
        let container = kind.containers().get(usize::from(*which))?;
        let seen = once && self.own == Some(*frame) && self.reads.contains(container);
        seen.then_some(*container)
    }
}
