//! The connected objects of a large grid, with its cells shared out among lanes.
//!
//! Every cell has a parent: itself, or one of the same object that comes earlier. The first cell of
//! an object is the one that is its own.

use super::connected::Mode;
use crate::arena::Cx;
use crate::gather;
use crate::lanes::Lanes;
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
    parents: u32,
}

impl Cells {
    #[inline(always)]
    fn parent(self, k: u32) -> u32 {
        self.cx.word(self.parents, k)
    }

    /// The first cell that a cell leads to.
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
        let there = self.parent(a) != NONE && self.parent(b) != NONE;
        let alike = !self.mode.univalued || self.grid.nth(self.cx, a) == self.grid.nth(self.cx, b);
        there && alike
    }

    /// Makes a row's runs of joined cells lead to their first one.
    #[inline(always)]
    fn join_row(self, row: u32) {
        let (start, mut k) = (row * self.grid.width, 1);
        while k < self.grid.width {
            let at = start + k;
            if self.joined(at - 1, at) {
                self.cx.put_own_word(self.parents, at, self.parent(at - 1));
            }
            k += 1;
        }
    }

    /// Joins a cell to those above it that touch it; whether it was not yet. Others may join at the
    /// same time, and undo it: so all try until nothing is left to do.
    #[inline(always)]
    fn join_up(self, k: u32) -> bool {
        let width = self.grid.width.max(1);
        let (column, mut side, mut any) = (k % width, 0, false);
        if k < width || self.parent(k) == NONE {
            return false;
        }
        while side < 3 {
            // To the left, straight up, to the right.
            let inside = match side {
                0 => column > 0,
                1 => true,
                _ => column + 1 < width,
            };
            let above = (k + side).wrapping_sub(width + 1);
            if inside && (side == 1 || self.mode.diagonal) && self.joined(above, k) {
                let (a, b) = (self.root(above), self.root(k));
                if a != b {
                    self.cx.put_own_word(self.parents, a.max(b), a.min(b));
                    any = true;
                }
            }
            side += 1;
        }
        any
    }

    /// Joins all cells.
    #[inline(always)]
    fn join<V: Lanes>(self, background: Option<u8>) {
        let n = self.grid.height * self.grid.width;
        V::meet();
        V::each(n, |k| {
            let left_out = background == Some(self.grid.nth(self.cx, k));
            self.cx.put_own_word(self.parents, k, if left_out { NONE } else { k });
        });
        V::meet();
        V::each(self.grid.height, |row| self.join_row(row));
        V::meet();
        loop {
            let mut any = 0;
            V::each(n, |k| any |= u32::from(self.join_up(k)));
            V::meet();
            if V::joined(any) == 0 {
                break;
            }
        }
        V::each(n, |k| {
            if self.parent(k) != NONE {
                self.cx.put_own_word(self.parents, k, self.root(k));
            }
        });
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
    let cells = Cells { cx, grid, mode, parents };
    cells.join::<V>(background);
    // By first cell the number of its object; by object its size, where its cells start, and where the
    // next one of them goes.
    let [numbers, sizes, starts, nexts] =
        [take_words(cx, n)?, take_words(cx, n)?, take_words(cx, n)?, take_words(cx, n)?];
    let is_first = |k: u32| cells.parent(k) == k;
    let count = V::pick(n, is_first, |at, k| {
        cx.put_own_word(numbers, k, at);
        cx.put_own_word(sizes, at, 0);
    });
    V::meet();
    let object = |k: u32| cx.word(numbers, cells.parent(k));
    V::each(n, |k| {
        if cells.parent(k) != NONE {
            cx.add_word(sizes, object(k), 1);
        }
    });
    V::meet();
    let all = summed::<V>(cx, sizes, count, |k, before| {
        cx.put_own_word(starts, k, before);
        cx.put_own_word(nexts, k, before);
    });
    let list = cx.take_vals(all)?;
    V::meet();
    V::each(n, |k| {
        if cells.parent(k) != NONE {
            let at = cx.add_word(nexts, object(k), 1);
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
