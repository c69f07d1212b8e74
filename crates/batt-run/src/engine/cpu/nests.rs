//! Loops within loops: which frames an outermost frame holds, how many rows they will have, and
//! whether all bodies run to the end.

use std::sync::Arc;

use batt_lang::battery::Battery;
use batt_lang::graph::{Def, FrameId, FrameKind, SlotId};
use batt_lang::ops::Op;

/// A frame nested in an outermost frame.
#[derive(Clone)]
pub struct Inner {
    pub frame: FrameId,
    /// The containers of the frame and of those around it, if all are known before the outermost
    /// loop begins.
    pub sizes: Option<Vec<Size>>,
    /// The outermost loops that run bodies in the frame, as far as their bodies can be counted before
    /// they begin; none if one of them may leave bodies out.
    pub around: Option<Vec<Arc<Count>>>,
}

/// At least how many bodies a loop runs, by what is known before it begins.
#[derive(Debug)]
pub struct Count {
    /// How many bodies of its own.
    pub size: Size,
    /// The loops that each of them runs.
    pub nested: Vec<Arc<Count>>,
}

impl Count {
    /// The longest chain of loops within each other; of several the one with the fewest parts, whose
    /// sizes are not known as well.
    fn chain(&self) -> Vec<Size> {
        let whole = |size: &&Size| !matches!(size, Size::But(_));
        let nested = self.nested.iter().map(|one| one.chain());
        let nested = nested.max_by_key(|chain| (chain.len(), chain.iter().filter(whole).count()));
        [self.size].into_iter().chain(nested.unwrap_or_default()).collect()
    }

    /// How many, given how many rows a frame has.
    pub fn bodies(&self, rows: &impl Fn(Size) -> u64) -> u64 {
        let nested: u64 = self.nested.iter().map(|one| one.bodies(rows)).sum();
        rows(self.size).saturating_mul(nested.saturating_add(1))
    }
}

/// What the number of a frame's rows follows from.
#[derive(Clone, Copy, Debug)]
pub enum Size {
    /// The items of a container.
    Each(SlotId),
    /// At least the items of a container but one.
    But(SlotId),
    /// The pairs at the same place.
    Zip(SlotId, SlotId),
    /// All pairs.
    Product(SlotId, SlotId),
}

/// What is known of every outermost loop.
pub struct Nests {
    /// The frames nested in each outermost frame.
    inner: Vec<Vec<Inner>>,
    /// Loops of which every body runs to its end or fails everything around it, by slot.
    whole: Vec<bool>,
}

impl Nests {
    pub fn new(battery: &Battery) -> Nests {
        let frames = battery.frames();
        let mut inner = vec![Vec::new(); frames.len()];
        let whole = whole(battery);
        let mut around = around(battery, &whole);
        for id in (0..frames.len() as u32).map(FrameId).filter(|id| frames.get(*id).depth > 1) {
            let outer = outermost(battery, id);
            let around = around[id.index()].take();
            inner[outer.index()].push(Inner { frame: id, sizes: sizes(battery, id), around });
        }
        Nests { inner, whole }
    }

    /// The frames nested in a frame, if it is an outermost one.
    pub fn inner(&self, frame: FrameId) -> Vec<Inner> {
        self.inner[frame.index()].clone()
    }

    /// Loops within each other of which an outermost one surely runs that many bodies, if a frame's
    /// rows are of its bodies only: where the product of their sizes is past the limit, the rows are
    /// for nothing. The longest such chain is the most telling one.
    pub fn chain(&self, battery: &Battery, frame: FrameId) -> Vec<Size> {
        match self.of(battery, frame).and_then(|inner| inner.around).as_deref() {
            Some([only]) => only.chain(),
            _ => Vec::new(),
        }
    }

    /// What is known of a nested frame.
    pub fn of(&self, battery: &Battery, frame: FrameId) -> Option<Inner> {
        let inner = &self.inner[outermost(battery, frame).index()];
        inner.iter().find(|inner| inner.frame == frame).cloned()
    }

    /// Whether every body that a loop runs, in loops inside it too, runs to its end or fails
    /// everything around it. Then too many rows are too many bodies.
    pub fn is_whole(&self, slot: SlotId) -> bool {
        self.whole[slot.index()]
    }
}

/// Finds the loops that [`Nests::is_whole`] means.
fn whole(battery: &Battery) -> Vec<bool> {
    let count = battery.slot_count();
    let in_loop = |slot: SlotId| battery.frames().get(battery.slot(slot).frame).depth > 0;
    // Bodies may be left out below, or a failure may go unnoticed.
    let partial = |slot: SlotId| match battery.def(slot) {
        Def::Close { prim, .. } => prim.op == Op::Extract,
        Def::Select { .. } | Def::OrElse { .. } | Def::Repeat { .. } => true,
        _ => false,
    };
    // What a loop runs, and what runs it.
    let (mut within, mut around) = (vec![false; count], vec![false; count]);
    for slot in (0..count as u32).map(SlotId) {
        let mut any = partial(slot);
        for_each_arg(battery, slot, |arg| any |= in_loop(arg) && within[arg.index()]);
        within[slot.index()] = any;
    }
    for slot in (0..count as u32).rev().map(SlotId) {
        if partial(slot) || (in_loop(slot) && around[slot.index()]) {
            for_each_arg(battery, slot, |arg| around[arg.index()] = true);
        }
        // The base's bodies run for all items, those of a loop over a part of them do not.
        if let Def::Close { run, .. } = battery.def(slot)
            && battery.frames().get(run.frame).part
        {
            around[run.body.index()] = true;
            run.nested.iter().for_each(|loops| around[loops.index()] = true);
        }
    }
    within.iter().zip(around).map(|(within, around)| !within && !around).collect()
}

fn for_each_arg(battery: &Battery, slot: SlotId, see: impl FnMut(SlotId)) {
    battery.def(slot).for_each_arg(battery.frames(), see);
}

/// By frame, the outermost loops that run bodies there.
fn around(battery: &Battery, whole: &[bool]) -> Vec<Option<Vec<Arc<Count>>>> {
    let frames = battery.frames();
    let mut around: Vec<Option<Vec<Arc<Count>>>> = vec![Some(Vec::new()); frames.len()];
    if (0..frames.len() as u32).all(|id| frames.get(FrameId(id)).depth < 2) {
        return around;
    }
    for slot in (0..battery.slot_count() as u32).map(SlotId) {
        let Def::Close { run, .. } = battery.def(slot) else { continue };
        if run.nested.is_empty() || frames.get(battery.slot(slot).frame).depth > 0 {
            continue;
        }
        let count = if whole[slot.index()] { count(battery, slot) } else { None };
        let mut inside = vec![slot];
        let mut next = 0;
        while let Some(at) = inside.get(next).copied() {
            next += 1;
            let (Def::Close { run, .. } | Def::Repeat { run, .. }) = battery.def(at) else {
                continue;
            };
            let based = std::iter::successors(Some(run.frame), |id| frames.get(*id).base);
            for id in based {
                let list = &mut around[id.index()];
                match (&count, list.as_mut()) {
                    // A loop may run bodies there in more than one of its inner loops.
                    (Some(count), Some(list))
                        if list.last().is_some_and(|last| Arc::ptr_eq(last, count)) => {}
                    (Some(count), Some(list)) => list.push(Arc::clone(count)),
                    _ => *list = None,
                }
            }
            inside.extend(
                run.nested.iter().filter(|one| !inside.contains(one)).copied().collect::<Vec<_>>(),
            );
        }
    }
    around
}

/// How many bodies something runs that only counts them: a `power` that was written out.
pub fn fixed(battery: &Battery, slot: SlotId) -> Option<u64> {
    let Def::Collect { items, nested, .. } = battery.def(slot) else { return None };
    let known = battery.slot(slot).frame == FrameId::CONSTANT;
    let inner = nested.iter().map(|one| fixed(battery, *one)).sum::<Option<u64>>()?;
    known.then_some(items.len() as u64 + inner)
}

/// At least how many bodies a loop runs, if anything is known of that.
fn count(battery: &Battery, slot: SlotId) -> Option<Arc<Count>> {
    let Def::Close { run, .. } = battery.def(slot) else { return None };
    let size = size(battery, run.frame)?;
    let nested = run.nested.iter().filter_map(|one| count(battery, *one)).collect();
    Some(Arc::new(Count { size, nested }))
}

/// What the number of a frame's rows follows from for each row of its parent, if that is known from
/// the start.
fn size(battery: &Battery, frame: FrameId) -> Option<Size> {
    let frames = battery.frames();
    let here = frames.get(frame);
    let known = |slot: &SlotId| {
        let home = frames.get(battery.slot(*slot).frame);
        home.depth == 0 && home.root == here.root
    };
    if let Some(whole) = frames.whole(frame).filter(known) {
        return Some(Size::But(whole));
    }
    if !here.kind.containers().iter().all(known) {
        return None;
    }
    Some(match here.kind {
        FrameKind::Each([a]) => Size::Each(a),
        FrameKind::Zip([a, b]) => Size::Zip(a, b),
        FrameKind::Product([a, b]) => Size::Product(a, b),
        _ => return None,
    })
}

/// What the number of a frame's rows follows from, if at least how many there are is known from the start.
pub fn sizes(battery: &Battery, frame: FrameId) -> Option<Vec<Size>> {
    let frames = battery.frames();
    let (mut at, mut sizes) = (frame, Vec::new());
    while frames.get(at).depth > 0 {
        sizes.push(size(battery, at)?);
        at = frames.get(at).parent;
    }
    Some(sizes)
}

/// The outermost element frame around a frame; itself where there is none.
fn outermost(battery: &Battery, frame: FrameId) -> FrameId {
    let frames = battery.frames();
    let mut at = frame;
    while frames.get(at).depth > 1 {
        at = frames.get(at).parent;
    }
    at
}
