//! The connected objects of a large grid, run by run: cells beside each other that belong together are
//! looked at as one, and joined to the runs above that they touch.

use super::connected::Mode;
use crate::arena::{Cx, ROWS, UNIT};
use crate::gather;
use crate::lanes::{Lanes, low_bits};
use crate::mask::Bounds;
use crate::seq::List;
use crate::val::{MONO, Tag, Val, pack_origin};
use crate::wide::{Wide, color};

/// What is known of a run, a word each. The first run of an object knows what all of them are.
#[derive(Clone, Copy)]
enum Field {
    /// Its row, and its first column above that.
    Start,
    /// The column after its last one.
    End,
    /// An earlier run of its object, or itself.
    Parent,
    /// The next run of its object, or none.
    Next,
    /// The last run of the object.
    Last,
    /// How many cells the object has.
    Cells,
    /// The first and the last column of the object.
    Sides,
    /// The colours of the object as bits, with [`PAST`] for all others.
    Palette,
}

/// Stands for colours that are not from 0 to 15.
const PAST: u32 = 1 << 31;
const NONE: u32 = u32::MAX;

/// The runs of a grid.
#[derive(Clone, Copy)]
struct Runs {
    cx: Cx,
    grid: Wide,
    mode: Mode,
    background: Option<u8>,
    unit: u32,
}

impl Runs {
    #[inline(always)]
    fn get(self, run: u32, field: Field) -> u32 {
        self.cx.word(self.unit, run * UNIT as u32 + field as u32)
    }

    #[inline(always)]
    fn set(self, run: u32, field: Field, word: u32) {
        self.cx.put_own_word(self.unit, run * UNIT as u32 + field as u32, word);
    }

    /// Row, first column, and the column after the last one.
    #[inline(always)]
    fn span(self, run: u32) -> (u32, u32, u32) {
        let start = self.get(run, Field::Start);
        (start & 0xffff, start >> 16, self.get(run, Field::End))
    }

    /// The colour of a run's first cell.
    #[inline(always)]
    fn color(self, run: u32) -> u8 {
        let (i, j, _) = self.span(run);
        self.grid.at(self.cx, i, j)
    }

    /// The first run that a run leads to.
    #[inline(always)]
    fn root(self, run: u32) -> u32 {
        let (mut at, mut next) = (run, self.get(run, Field::Parent));
        while next != at {
            at = next;
            next = self.get(at, Field::Parent);
        }
        at
    }

    #[inline(always)]
    fn unite(self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.set(a.max(b), Field::Parent, a.min(b));
    }

    /// Whether a cell is in no object.
    #[inline(always)]
    fn left_out(self, byte: u8) -> bool {
        self.background == Some(byte)
    }

    /// Whether two cells beside each other, of which the first is in an object, are in the same.
    #[inline(always)]
    fn goes_on(self, first: u8, next: u8) -> bool {
        if self.mode.univalued { first == next } else { !self.left_out(next) }
    }

    /// At least as many as there are runs.
    #[inline(always)]
    fn most(grid: &Wide, cx: Cx) -> u32 {
        let (mut runs, mut k) = (grid.height, 1);
        while k < grid.height * grid.width {
            runs += u32::from(grid.nth(cx, k) != grid.nth(cx, k - 1));
            k += 1;
        }
        runs
    }

    /// Adds the runs of a row, whose number the first of them gets; the number after the last one.
    #[inline(always)]
    fn add_row(self, i: u32, from: u32) -> u32 {
        let (mut run, mut j) = (from, 0);
        while j < self.grid.width {
            let (start, first) = (j, self.grid.at(self.cx, i, j));
            j += 1;
            if self.left_out(first) {
                continue;
            }
            while j < self.grid.width && self.goes_on(first, self.grid.at(self.cx, i, j)) {
                j += 1;
            }
            self.set(run, Field::Start, i | start << 16);
            self.set(run, Field::End, j);
            self.set(run, Field::Parent, run);
            run += 1;
        }
        run
    }

    /// Joins the runs of a row to those of the row above.
    #[inline(always)]
    fn join_up(self, above: u32, from: u32, to: u32) {
        let beyond = u32::from(self.mode.diagonal);
        let (mut first, mut run) = (above, from);
        while run < to {
            let (_, start, end) = self.span(run);
            while first < from && self.span(first).2 + beyond <= start {
                first += 1;
            }
            let mut other = first;
            while other < from && self.span(other).1 < end + beyond {
                if !self.mode.univalued || self.color(other) == self.color(run) {
                    self.unite(other, run);
                }
                other += 1;
            }
            run += 1;
        }
    }

    /// Finds all runs and joins them; how many there are.
    #[inline(always)]
    fn join(self) -> u32 {
        let (mut above, mut from, mut i) = (0, 0, 0);
        while i < self.grid.height {
            let to = self.add_row(i, from);
            self.join_up(above, from, to);
            (above, from, i) = (from, to, i + 1);
        }
        from
    }

    /// The colours of a run as bits.
    #[inline(always)]
    fn palette(self, run: u32) -> u32 {
        let (i, mut j, end) = self.span(run);
        let mut colors = 0;
        while j < end {
            let color = self.grid.at(self.cx, i, j);
            colors |= if color < 16 { 1 << color } else { PAST };
            j = if self.mode.univalued { end } else { j + 1 };
        }
        colors
    }

    /// Strings the runs of every object together, in order; how many objects there are.
    #[inline(always)]
    fn string(self, n: u32) -> u32 {
        let (mut objects, mut run) = (0, 0);
        while run < n {
            // Those before lead to their first run at once.
            let root = self.get(self.get(run, Field::Parent), Field::Parent);
            self.set(run, Field::Parent, root);
            self.set(run, Field::Next, NONE);
            let ((_, start, end), palette) = (self.span(run), self.palette(run));
            if root == run {
                objects += 1;
                self.set(run, Field::Last, run);
                self.set(run, Field::Cells, end - start);
                self.set(run, Field::Sides, start | (end - 1) << 16);
                self.set(run, Field::Palette, palette);
            } else {
                let sides = self.get(root, Field::Sides);
                let (left, right) = ((sides & 0xffff).min(start), (sides >> 16).max(end - 1));
                self.set(self.get(root, Field::Last), Field::Next, run);
                self.set(root, Field::Last, run);
                self.set(root, Field::Cells, self.get(root, Field::Cells) + end - start);
                self.set(root, Field::Sides, left | right << 16);
                self.set(root, Field::Palette, self.get(root, Field::Palette) | palette);
            }
            run += 1;
        }
        objects
    }

    /// Calls `see` with the row and the columns of every run of an object.
    #[inline(always)]
    fn each(self, root: u32, mut see: impl FnMut(u32, u32, u32)) {
        let mut run = root;
        while run != NONE {
            let (i, start, end) = self.span(run);
            see(i, start, end);
            run = self.get(run, Field::Next);
        }
    }

    /// An object as a value; `None` where there is no room.
    #[inline(always)]
    fn object<V: Lanes>(self, root: u32) -> Option<Val> {
        let (sides, palette) = (self.get(root, Field::Sides), self.get(root, Field::Palette));
        let all = Bounds {
            top: self.span(root).0 as i32,
            bottom: self.span(self.get(root, Field::Last)).0 as i32,
            left: (sides & 0xffff) as i32,
            right: (sides >> 16) as i32,
        };
        match all.window() {
            Some(origin) if palette & PAST == 0 => self.bits::<V>(root, palette, origin),
            _ => self.array::<V>(root, palette),
        }
    }

    /// An object that a window holds.
    #[inline(always)]
    fn bits<V: Lanes>(self, root: u32, palette: u32, (oi, oj): (i32, i32)) -> Option<Val> {
        let (cx, one) = (self.cx, palette.is_power_of_two());
        let unit = cx.take(if one { 1 } else { 5 })?;
        let mut k = 0;
        while k < if one { 1 } else { 5 } {
            cx.store(unit + k * ROWS, V::splat(0));
            k += 1;
        }
        self.each(root, |i, start, end| {
            let row = i - oi as u32;
            let bits = low_bits(end - start) << ((start - oj as u32) & 31);
            cx.mark::<V>(unit, row, bits);
            let mut j = start;
            while !one && j < end {
                let (color, bit) = (self.grid.at(cx, i, j), 1 << ((j - oj as u32) & 31));
                let mut plane = 0;
                while plane < 4 {
                    let bit = if color >> plane & 1 == 0 { 0 } else { bit };
                    cx.mark::<V>(unit + (1 + plane) * ROWS, row, bit);
                    plane += 1;
                }
                j += 1;
            }
        });
        let colors = if one { MONO | palette.trailing_zeros() } else { unit + ROWS };
        let cells = self.get(root, Field::Cells);
        Some(Val::new(Tag::Object, cells, unit, colors, pack_origin(oi, oj)?))
    }

    /// An object that none does: cells of one colour come in order.
    #[inline(always)]
    fn array<V: Lanes>(self, root: u32, palette: u32) -> Option<Val> {
        let (cx, n) = (self.cx, self.get(root, Field::Cells));
        let (unit, mut at) = (cx.take_vals(n)?, 0);
        let mut put = |i: u32, j: u32| {
            let color = color(self.grid.at(cx, i, j)).x();
            cx.put(unit, at, Val::cell(color as i32, i as i32, j as i32));
            at += 1;
        };
        self.each(root, |i, start, end| {
            let mut j = start;
            while j < end {
                put(i, j);
                j += 1;
            }
        });
        if self.mode.univalued || palette.is_power_of_two() && palette & PAST == 0 {
            return Some(List::plain(unit, n).array());
        }
        Some(gather::set::<V>(cx, n, |k| cx.val(unit, k)))
    }
}

/// The connected objects of a grid, as a set; `None` where there is no room.
#[inline(always)]
pub(super) fn joined<V: Lanes>(
    cx: Cx,
    grid: &Wide,
    mode: Mode,
    background: Option<u8>,
) -> Option<Val> {
    let unit = cx.take_bytes(Runs::most(grid, cx).saturating_mul(4 * UNIT as u32))?;
    let runs = Runs { cx, grid: *grid, mode, background, unit };
    let n = runs.join();
    let (mut objects, mut run) = (List::new(cx, runs.string(n))?, 0);
    while run < n {
        if runs.get(run, Field::Parent) == run {
            objects.push(cx, runs.object::<V>(run)?);
        }
        run += 1;
    }
    Some(objects.set::<V>(cx))
}
