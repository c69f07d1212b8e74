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
const SMALL: u32 = 1_024;
/// How far it is looked for what a value is made of.
const MAX_STEPS: u32 = 12;
/// An int in a value for each of its elements, at most: those of a cell.
const INTS: u64 = 3;

/// At most how many element operations one body takes, loops inside it apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// So many,
    pub each: u64,
    /// and for every element of these so many more.
    pub of: Vec<(SlotId, u64)>,
}

impl Work {
    /// Adds operations.
    pub fn add(&mut self, many: u64) {
        self.each = self.each.saturating_add(many);
    }

    /// Adds an operation for every element of a slot's value.
    pub fn read(&mut self, graph: &Graph, slot: SlotId) {
        let most = graph.slot(slot).size.elements();
        if most <= SMALL {
            self.add(u64::from(most));
        } else {
            self.more(slot, 1);
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

    /// At most how much that is, given how many elements slots have.
    pub fn most(&self, elements: impl Fn(SlotId) -> u64) -> u64 {
        let of = self.of.iter().map(|(slot, factor)| factor.saturating_mul(elements(*slot)));
        of.fold(self.each, u64::saturating_add)
    }
}

/// What is known of an outermost loop and those inside it.
#[derive(Clone, Debug)]
pub struct Nest {
    /// At most how much each body takes, by slots that the loop reads itself.
    pub work: Work,
    /// So many bodies in all are within the budget, whatever the values are.
    pub allowed: u32,
    /// The frames in which it runs bodies.
    pub frames: Vec<FrameId>,
}

impl Nest {
    /// Whether so many bodies surely stay within the budget, given how many elements slots have.
    pub fn within(&self, bodies: u64, elements: impl Fn(SlotId) -> u64) -> bool {
        bodies <= u64::from(self.allowed)
            || bodies.saturating_mul(self.work.most(elements)) <= MAX_WORK
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
                return Size::new(all, w.unsigned_abs().saturating_mul(value.all), value.far);
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
        let (mut work, mut frames) = (Work::default(), Vec::new());
        let mut inside = vec![slot];
        let mut next = 0;
        while let Some(at) = inside.get(next).copied() {
            next += 1;
            let def = &self.slots[at.index()].def;
            let nested = match def {
                Def::Close { run, .. } | Def::Repeat { run, .. } => {
                    let based =
                        std::iter::successors(Some(run.frame), |id| self.frames.get(*id).base);
                    frames.extend(based);
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
                Some(own) => work.or(own),
                // Nothing but a count of bodies.
                None if matches!(def, Def::Collect { .. }) => {}
                None => work.or(&Work { each: u64::from(MAX_ELEMENTS), of: Vec::new() }),
            }
            for one in nested {
                if !inside.contains(one) {
                    inside.push(*one);
                }
            }
        }
        let work = self.resolved(&work, &reads);
        let elements = |slot: SlotId| u64::from(self.slots[slot.index()].size.elements());
        let most = work.most(elements).max(1);
        let allowed = (MAX_WORK / most).min(u64::from(u32::MAX)) as u32;
        frames.sort_unstable();
        frames.dedup();
        Some(Nest { work, allowed, frames })
    }

    /// The same work by slots that the loop itself reads.
    fn resolved(&self, work: &Work, reads: &[SlotId]) -> Work {
        let mut all = Work { each: work.each, of: Vec::new() };
        for (slot, factor) in &work.of {
            self.resolve(&mut all, reads, *slot, *factor, MAX_STEPS);
        }
        all
    }

    fn resolve(&self, all: &mut Work, reads: &[SlotId], slot: SlotId, factor: u64, steps: u32) {
        if reads.contains(&slot) {
            all.more(slot, factor);
            return;
        }
        let here = &self.slots[slot.index()];
        let parts: Option<(Vec<SlotId>, u64)> = match &here.def {
            _ if steps == 0 || here.size.elements() <= SMALL => None,
            // An item holds no more than its container.
            Def::Element { frame, which } => {
                let containers = self.frames.get(*frame).kind.containers();
                containers.get(usize::from(*which)).map(|slot| (vec![*slot], 1))
            }
            Def::Call { prim, args } => {
                size::spread(prim.op).map(|spread| (args.to_vec(), INTS * u64::from(spread)))
            }
            Def::Close { prim, container, .. }
                if matches!(
                    prim.op,
                    Op::Sfilter | Op::Mfilter | Op::Order | Op::Argmax | Op::Argmin | Op::Extract
                ) =>
            {
                Some((vec![*container], INTS))
            }
            _ => None,
        };
        match parts {
            Some((parts, spread)) => {
                for part in parts {
                    self.resolve(all, reads, part, factor.saturating_mul(spread), steps - 1);
                }
            }
            None => all.add(factor.saturating_mul(u64::from(here.size.elements()))),
        }
    }
}
