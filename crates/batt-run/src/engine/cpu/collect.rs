//! Giving memory back: what no column holds any more.
//!
//! Primitives only ever take memory. When a worker has taken much since the last time, everything
//! that its columns still hold is copied to a second arena, in the order in which the columns name
//! it, and the two change places. Values that share rows, planes or items go on sharing them.

use batt_core::arena::{ROWS, UNIT};
use batt_core::val::MONO;
use batt_core::{Array, Cx, Tag, Val};
use batt_lang::graph::SlotId;

use super::columns::Columns;
use super::memory::Memory;
use super::moved::Moved;

/// An object's or a grid's planes.
const PLANES: u32 = 4;

/// Units that may be taken before it is worth looking for what can go: 8 MiB,
const ENOUGH: u32 = 8 << 15;
/// and where little is held, because a program has just ended: 2 MiB.
const SOME: u32 = 2 << 15;

/// Units that a piece of a loop may take before it is worth looking for what can go: 4 MiB.
const MUCH: u32 = 4 << 15;

/// The two arenas of a worker.
#[derive(Default)]
pub struct Space {
    /// The worker whose constants are in it, by its number.
    pub owner: u64,
    now: Memory,
    next: Memory,
    moved: Vec<Moved>,
    /// The number of the last collection.
    collection: u64,
    /// Units below this are constants: they stay where they are.
    keep: u32,
    /// Units below this were in use when it was last looked: most of them still are.
    old: u32,
    /// How many units may be old before they are looked at again.
    until_old: u32,
    /// How many units may be taken before the next collection.
    until: u32,
    /// How often everything was moved.
    moves: u32,
}

/// A time, by what was taken until then.
#[derive(Clone, Copy)]
pub struct Mark {
    taken: u32,
    moves: u32,
}

impl Space {
    /// Two arenas of `units` units each.
    pub fn new(units: u32) -> Space {
        let (now, next) = (Memory::new(units), Memory::new(units));
        Space { now, next, until: ENOUGH, ..Space::default() }
    }

    /// A handle on the arena in use.
    #[inline]
    pub fn cx(&mut self) -> Cx {
        self.now.cx()
    }

    /// Forgets everything, and moves nothing until the constants are there.
    pub fn clear(&mut self) {
        self.until = u32::MAX;
        self.now.note();
        self.cx().release(0);
    }

    /// Forgets everything but the first `keep` units, which are constants.
    pub fn reset(&mut self, keep: u32) {
        self.keep = keep;
        self.grow_old(keep);
        self.now.note();
        self.cx().release(keep);
    }

    /// The most bytes that both arenas and the list of what moved have held.
    pub fn bytes(&self) -> usize {
        let moved = self.moved.capacity() * size_of::<Moved>();
        self.now.bytes() + self.next.bytes() + moved
    }

    /// Makes room to note where everything from a unit on goes.
    fn forget_moves(&mut self, keep: u32) {
        let units = (self.now.taken() - keep) as usize;
        if self.collection == Moved::LAST {
            self.moved.fill(Moved::default());
            self.collection = 0;
        }
        self.collection += 1;
        if self.moved.len() < units {
            self.moved.reserve_exact(units - self.moved.len());
            self.moved.resize(units, Moved::default());
        }
        self.now.note();
    }

    /// Whether something found no room since this was last asked.
    pub fn ran_out(&mut self) -> bool {
        self.now.ran_out() | self.next.ran_out()
    }

    /// Whether enough was taken to look for what can go.
    pub fn is_full(&self) -> bool {
        self.now.taken() > self.until
    }

    /// Whether enough was taken to look for what can go while little is held.
    pub fn is_used(&self) -> bool {
        self.now.taken().saturating_sub(self.old) > SOME
    }

    /// Now.
    pub fn mark(&self) -> Mark {
        Mark { taken: self.now.taken(), moves: self.moves }
    }

    /// Whether enough was taken since then to look for what can go.
    pub fn much_since(&self, mark: Mark) -> bool {
        self.moves == mark.moves && self.now.taken() - mark.taken > MUCH
    }

    /// Of what was taken since then keeps what some slots hold from a row on, and forgets the rest.
    pub fn collect_since(
        &mut self,
        mark: Mark,
        columns: &mut Columns,
        slots: &[SlotId],
        row: usize,
    ) {
        self.compact(mark.taken, |mover| {
            for slot in slots {
                mover.column(columns.get_mut(*slot).get_mut(row..).unwrap_or_default());
            }
        });
    }

    /// Keeps what the columns hold and forgets the rest: of what is young, or of everything where
    /// much has grown old since the last time.
    pub fn collect(&mut self, columns: &mut Columns) {
        self.moves += 1;
        let whole = self.old > self.until_old;
        let from = if whole { self.keep } else { self.old };
        self.compact(from, |mover| {
            if whole {
                columns.iter_mut().for_each(|column| mover.column(column));
            } else {
                // What was there the last time holds nothing young.
                columns.for_each_new(|column| mover.column(column));
            }
        });
        columns.all_seen();
        let live = self.now.taken();
        if whole {
            self.grow_old(live);
            return;
        }
        self.old = live;
        self.until = live + self.until_next(live);
        if self.old > self.until_old {
            // Not the next time: a step that takes much would find no room.
            self.collect(columns);
        }
    }

    /// Everything up to here is old.
    fn grow_old(&mut self, live: u32) {
        self.old = live;
        self.until_old = live + live.max(ENOUGH).min((self.now.units() - live) / 2);
        self.until = live + self.until_next(live);
    }

    /// How much may be taken until the next look: where little is left, half of it, for what is full
    /// before it is looked at stays full.
    fn until_next(&self, live: u32) -> u32 {
        ENOUGH.min((self.now.units() - live) / 2)
    }

    /// Forgets everything from a unit on but what `keep` moves. Nothing older moves: a value never
    /// holds a younger one.
    fn compact(&mut self, unit: u32, keep: impl FnOnce(&mut Mover<'_>)) {
        self.forget_moves(unit);
        let (from, to) = (self.now.cx(), self.next.cx());
        to.release(0);
        to.skip(unit);
        let collection = self.collection;
        keep(&mut Mover { from, to, keep: unit, collection, moved: &mut self.moved });
        from.release(unit);
        from.copy_from(to, unit);
        self.next.note();
    }
}

struct Mover<'a> {
    from: Cx,
    to: Cx,
    keep: u32,
    collection: u64,
    moved: &'a mut [Moved],
}

impl Mover<'_> {
    /// Copies `n` times 32 rows.
    fn rows(&mut self, unit: u32, n: u32) -> Option<u32> {
        let new = self.to.take(n)?;
        for k in 0..n {
            self.to.store(new + k * ROWS, self.from.load::<Array>(unit + k * ROWS));
        }
        Some(new)
    }

    /// Copies an array of values.
    fn vals(&mut self, unit: u32, len: u32) -> Option<u32> {
        let new = self.to.take_vals(len)?;
        for k in 0..len {
            self.to.put(new, k, self.from.val(unit, k));
        }
        Some(new)
    }

    /// Where something is now, of which `n` parts are asked for, and whether it was copied just now.
    fn place(
        &mut self,
        unit: u32,
        n: u32,
        copy: impl FnOnce(&mut Self, u32, u32) -> Option<u32>,
    ) -> Option<(u32, bool)> {
        if unit < self.keep {
            return Some((unit, false));
        }
        let at = (unit - self.keep) as usize;
        // A shorter array may share the beginning of a longer one.
        match self.moved.get(at)?.of(self.collection) {
            Some((new, copied)) if copied >= n => return Some((new, false)),
            _ => {}
        }
        let new = copy(self, unit, n)?;
        self.moved[at] = Moved::new(new, n, self.collection);
        Some((new, true))
    }

    /// Moves what a column holds.
    fn column(&mut self, column: &mut [Val]) {
        for val in column {
            *val = self.val(*val);
        }
    }

    /// A value in the new arena; handed back should there be no room, which only arrays that share
    /// parts of each other could cause.
    fn val(&mut self, v: Val) -> Val {
        self.moved(v).unwrap_or(Val::BACK)
    }

    fn moved(&mut self, v: Val) -> Option<Val> {
        Some(match v.tag() {
            Tag::Mask => {
                let (rows, _) = self.place(v.a(), 1, Self::rows)?;
                Val::new(Tag::Mask, v.extra(), rows, v.b(), v.x())
            }
            Tag::Object => {
                let (rows, _) = self.place(v.a(), 1, Self::rows)?;
                let colors = if v.b() & MONO == 0 {
                    self.place(v.b(), PLANES, Self::rows)?.0
                } else {
                    v.b()
                };
                Val::new(Tag::Object, v.extra(), rows, colors, v.x())
            }
            Tag::Grid => {
                let (planes, _) = self.place(v.a(), PLANES, Self::rows)?;
                Val::new(Tag::Grid, v.extra(), planes, v.b(), v.x())
            }
            Tag::Wide => {
                let (height, width) = v.dims();
                let parts = (height * width).div_ceil(ROWS * UNIT as u32 * 4);
                let (bytes, _) = self.place(v.a(), parts, Self::rows)?;
                Val::new(Tag::Wide, v.extra(), bytes, v.b(), v.x())
            }
            Tag::Tuple | Tag::Set | Tag::Function if v.x() > 0 => {
                let (unit, fresh) = self.place(v.a(), v.x(), Self::vals)?;
                if fresh {
                    for k in 0..v.x() {
                        let item = self.moved(self.to.val(unit, k))?;
                        self.to.put(unit, k, item);
                    }
                }
                Val::new(v.tag(), v.extra(), unit, v.b(), v.x())
            }
            _ => v,
        })
    }
}
