//! The connected objects of a large grid, with its cells shared out among lanes.
//!
//! Every cell has a parent: itself, or one of the same object that comes later. The last cell of an
//! object is the one that is its own.

use super::connected::Mode;
use crate::arena::Cx;
use crate::gather;
use crate::lanes::{Lanes, low_bits};
use crate::seq::List;
use crate::val::Val;
use crate::wide::{Wide, color};

/// The parent of a cell that is in no object.
const NONE: u32 = u32::MAX;

/// The cells of a grid with their parents.
#[derive(Clone, Copy)]
struct Cells {
    cx: Cx,
    grid: Wide,
    mode: Mode,
    background: Option<u8>,
    parents: u32,
}

impl Cells {
    #[inline(always)]
    fn parent(self, k: u32) -> u32 {
        self.cx.word(self.parents, k)
    }

    /// The last cell that a cell leads to.
    #[inline(always)]
    fn root(self, k: u32) -> u32 {
        let (mut at, mut next) = (k, self.parent(k));
        while next != at {
            at = next;
            next = self.parent(at);
        }
        at
    }

    /// Whether two cells that touch are of one object.
    #[inline(always)]
    fn joined(self, a: u32, b: u32) -> bool {
        let (a, b) = (self.grid.nth(self.cx, a), self.grid.nth(self.cx, b));
        let there = self.background != Some(a) && self.background != Some(b);
        there && (!self.mode.univalued || a == b)
    }

    /// Makes the objects of two cells one. Others may do the same meanwhile: who comes second finds what
    /// the first one did, and joins to that.
    #[inline(always)]
    fn unite(self, a: u32, b: u32) {
        let (mut a, mut b) = (self.root(a), self.root(b));
        while a != b {
            let (low, high) = (a.min(b), a.max(b));
            let before = self.cx.raise_word(self.parents, low, high);
            if before == low {
                return;
            }
            (a, b) = (self.root(before), self.root(high));
        }
    }

    /// Makes runs of joined cells lead to their last one, within each share of cells.
    #[inline(always)]
    fn join_runs<V: Lanes>(self, n: u32) {
        let (width, mut base) = (self.grid.width.max(1), 0);
        while base < n {
            let k = base + V::sharer();
            let mut next = false;
            if k + 1 < n && (k + 1) % width != 0 {
                next = self.joined(k, k + 1);
            }
            let runs = V::made(|_| u32::from(next)).ballot() & low_bits(V::SHARERS - 1);
            if k < n {
                let left_out = self.background == Some(self.grid.nth(self.cx, k));
                let last = k + (runs >> V::sharer()).trailing_ones();
                self.cx.put_own_word(self.parents, k, if left_out { NONE } else { last });
            }
            base += V::SHARERS;
        }
        V::meet();
    }

    /// Joins a cell to the one before it where a share of cells begins, and to those above that touch it,
    /// unless its neighbours do.
    #[inline(always)]
    fn join_up(self, k: u32, share: u32) {
        let width = self.grid.width.max(1);
        let column = k % width;
        let left = column > 0 && self.joined(k - 1, k);
        if left && k.is_multiple_of(share) {
            self.unite(k - 1, k);
        }
        if k < width {
            return;
        }
        let above = k - width;
        if self.joined(above, k) {
            if !left || !self.joined(above - 1, above) {
                self.unite(above, k);
            }
        } else if self.mode.diagonal {
            if column > 0 && !left && self.joined(above - 1, k) {
                self.unite(above - 1, k);
            }
            if column + 1 < width && !self.joined(k, k + 1) && self.joined(above + 1, k) {
                self.unite(above + 1, k);
            }
        }
    }

    /// Joins all cells; then every one leads to the last of its object.
    #[inline(always)]
    fn join<V: Lanes>(self) {
        let n = self.grid.height * self.grid.width;
        V::meet();
        self.join_runs::<V>(n);
        V::each(n, |k| self.join_up(k, V::SHARERS));
        V::meet();
        // From the last one on, so that every way is short: what comes later knows its last cell already.
        V::read_each(
            n,
            |k| self.parent(n - 1 - k),
            |k, parent| {
                if parent != NONE {
                    self.cx.put_own_word(self.parents, n - 1 - k, self.root(parent));
                }
            },
        );
        V::meet();
    }
}

/// Words in a row of the arena.
#[inline(always)]
fn take_words(cx: Cx, n: u32) -> Option<u32> {
    cx.take_bytes(n.saturating_mul(4))
}

/// The connected objects of a grid, as a set.
#[inline(never)]
pub(super) fn joined<V: Lanes>(cx: Cx, grid: &Wide, mode: Mode, background: Option<u8>) -> Val {
    found::<V>(cx, *grid, mode, background).unwrap_or(Val::BACK)
}

#[inline(always)]
fn found<V: Lanes>(cx: Cx, grid: Wide, mode: Mode, background: Option<u8>) -> Option<Val> {
    let n = grid.height * grid.width;
    let parents = take_words(cx, n)?;
    let cells = Cells { cx, grid, mode, background, parents };
    cells.join::<V>();
    // By last cell the number of its object; by object its size, where its cells start, and where the
    // next one of them goes.
    let [numbers, sizes, starts, nexts] =
        [take_words(cx, n)?, take_words(cx, n)?, take_words(cx, n)?, take_words(cx, n)?];
    let is_last = |k: u32| cells.parent(k) == k;
    let count = V::pick(n, is_last, |at, k| {
        cx.put_own_word(numbers, k, at);
        cx.put_own_word(sizes, at, 0);
    });
    V::meet();
    // Which object a cell is in, if it is in one.
    let object = |k: u32| {
        let parent = cells.parent(k);
        if parent == NONE { NONE } else { cx.word(numbers, parent) }
    };
    V::read_each(n, object, |_, object| {
        if object != NONE {
            cx.add_word(sizes, object, 1);
        }
    });
    V::meet();
    let all = summed::<V>(cx, sizes, count, |k, before| {
        cx.put_own_word(starts, k, before);
        cx.put_own_word(nexts, k, before);
    });
    let list = cx.take_vals(all)?;
    V::meet();
    V::read_each(n, object, |k, object| {
        if object != NONE {
            let at = cx.add_word(nexts, object, 1);
            let width = grid.width.max(1);
            let (i, j) = ((k / width) as i32, (k % width) as i32);
            cx.put_own(list, at, Val::cell(color(grid.nth(cx, k)).x() as i32, i, j));
        }
    });
    V::meet();
    let (mut objects, mut k) = (List::new(cx, count)?, 0);
    while k < count {
        let (start, size) = (cx.word(starts, k), cx.word(sizes, k));
        objects.push(cx, gather::set::<V>(cx, size, |at| cx.val(list, start + at)));
        k += 1;
    }
    Some(objects.set::<V>(cx))
}

/// Calls `put` with the number of each of some words and what those before it are together; what all
/// are.
#[inline(always)]
fn summed<V: Lanes>(cx: Cx, words: u32, n: u32, put: impl Fn(u32, u32)) -> u32 {
    let (mut total, mut base) = (0, 0);
    while base < n {
        let k = base + V::sharer();
        let mut word = 0;
        if k < n {
            word = cx.word(words, k);
        }
        let (before, all) = V::before(word);
        if k < n {
            put(k, total + before);
        }
        total += all;
        base += V::SHARERS;
    }
    V::meet();
    total
}
