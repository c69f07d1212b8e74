//! The lines between all bits of two masks.
//!
//! For each mask there is a word for every row, column and diagonal, so what lines up with a bit is
//! found without looking for it.

use crate::arena::{Cx, ROWS};
use crate::lanes::boost::boosted;
use crate::lanes::{Lanes, low_bits};
use crate::mask::Bounds;
use crate::patch::Patch;
use crate::seq::List;
use crate::val::{Fault, MAX_ELEMENTS, Tag, Val, pack_origin};

/// Where the words of columns and diagonals begin, and how many units the words of a mask take.
const COLUMNS: u32 = 32;
const FALLING: u32 = 64;
const RISING: u32 = 128;
const UNITS: u32 = 6 * ROWS;

/// The directions in canonical order: to the right, and down to the left, straight and to the right.
const DIRECTIONS: u32 = 4;

/// The words of two masks in one window.
#[derive(Clone, Copy)]
struct Words {
    cx: Cx,
    unit: u32,
}

/// What lines up with a place: the words of every direction and, within them, the ends of lines with
/// how many pairs they make.
#[derive(Clone, Copy)]
struct Reach {
    /// Whether the place is a line by itself.
    alone: bool,
    /// By direction which bits are the ends of lines: columns or, downwards, rows.
    ends: [u32; 4],
    pairs: u32,
}

impl Words {
    #[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
    fn new<V: Lanes>(cx: Cx, a: V, b: V) -> Option<Words> {
        let unit = cx.take(2 * UNITS / ROWS)?;
        for (at, m) in [(unit, a), (unit + UNITS, b)] {
            cx.store(at, m);
            cx.store(at + ROWS, m.transpose());
            let mut k = 2;
            while k < UNITS / ROWS {
                cx.store(at + k * ROWS, V::splat(0));
                k += 1;
            }
            V::meet();
            m.each_row(|i, bits| {
                let mut left = bits;
                while left != 0 {
                    let j = left.trailing_zeros();
                    left &= left - 1;
                    cx.or_word(at, FALLING + 31 + j - i, 1 << (i & 31));
                    cx.or_word(at, RISING + i + j, 1 << (i & 31));
                }
            });
        }
        V::meet();
        Some(Words { cx, unit })
    }

    /// The words of both masks.
    #[inline(always)]
    fn both(self, k: u32) -> (u32, u32) {
        (self.cx.word(self.unit, k), self.cx.word(self.unit + UNITS, k))
    }

    /// Calls `see` with the columns of a row that have a bit, or with all where every lane has its own.
    #[inline(always)]
    fn each_place<V: Lanes>(self, i: u32, mut see: impl FnMut(u32)) {
        if V::APART {
            see(V::sharer());
            V::meet();
            return;
        }
        let (a, b) = self.both(i);
        let mut left = a | b;
        while left != 0 {
            see(left.trailing_zeros());
            left &= left - 1;
        }
    }

    /// What lines up with a place, further right or further down.
    #[inline(always)]
    fn from(self, i: u32, j: u32) -> Reach {
        let (in_a, in_b) = self.both(i);
        // All bits where this one is in the set, none where it is not.
        let (of_a, of_b) = (0u32.wrapping_sub(in_a >> j & 1), 0u32.wrapping_sub(in_b >> j & 1));
        let alone = of_a & of_b != 0;
        let (mut ends, mut pairs) = ([0; 4], u32::from(alone));
        if of_a | of_b == 0 {
            return Reach { alone, ends, pairs };
        }
        let mut see = |direction: usize, word: u32, after: u32| {
            let (a, b) = self.both(word);
            let (x, y) = (a & of_b & !low_bits(after + 1), b & of_a & !low_bits(after + 1));
            ends[direction & 3] = x | y;
            pairs += x.count_ones() + y.count_ones();
        };
        see(0, i, j);
        see(1, RISING + i + j, i);
        see(2, COLUMNS + j, i);
        see(3, FALLING + 31 + j - i, i);
        Reach { alone, ends, pairs }
    }
}

impl Reach {
    /// How many lines there are.
    #[inline(always)]
    fn lines(self) -> u32 {
        let [a, b, c, d] = self.ends.map(u32::count_ones);
        u32::from(self.alone) + a + b + c + d
    }

    /// How many places those have together.
    #[inline(always)]
    fn places(self, i: u32, j: u32) -> u32 {
        let far = |word: u32, from: u32| sum(word) - word.count_ones() * from + word.count_ones();
        let [a, b, c, d] = self.ends;
        u32::from(self.alone) + far(a, j) + far(b, i) + far(c, i) + far(d, i)
    }
}

/// The sum of the numbers of all bits.
#[inline(always)]
fn sum(word: u32) -> u32 {
    let part = |bits: u32, k: u32| (word & bits).count_ones() << k;
    part(0xaaaa_aaaa, 0)
        + part(0xcccc_cccc, 1)
        + part(0xf0f0_f0f0, 2)
        + part(0xff00_ff00, 3)
        + part(0xffff_0000, 4)
}

/// The lines between all bits of two masks as a set, in canonical order: by where they begin, then by
/// where they go, shorter ones first. Two ends make one line, and pairs that do not line up all make the
/// empty one. `None` where no window holds both, or where there is no room.
#[inline(never)]
pub(super) fn between<V: Lanes>(cx: Cx, a: Patch<V>, b: Patch<V>, pairs: u32) -> Option<Val> {
    boosted!(joining::<V>(cx: Cx, a: Patch<V>, b: Patch<V>, pairs: u32) -> Option<Val>)
}

#[inline(always)]
fn joining<V: Lanes>(cx: Cx, a: Patch<V>, b: Patch<V>, pairs: u32) -> Option<Val> {
    let bounds = a.bounds().join(b.bounds());
    let origin = bounds.window()?;
    pack_origin(bounds.bottom, bounds.right)?;
    let (a, b) = (a.seen_from(origin), b.seen_from(origin));
    let (words, rows) = (Words::new(cx, a, b)?, (a | b).ballot());
    let (mut lines, mut lined_up, mut places) = (0, 0, 0);
    let mut left = rows;
    while left != 0 {
        let i = left.trailing_zeros();
        left &= left - 1;
        words.each_place::<V>(i, |j| {
            let ends = words.from(i, j);
            lines += ends.lines();
            lined_up += ends.pairs;
            places += ends.places(i, j);
        });
    }
    let nothing = u32::from(V::added(lined_up) < pairs);
    let (lines, places) = (V::added(lines), V::added(places) + nothing);
    if places > MAX_ELEMENTS {
        return Some(Val::error(Fault::Size));
    }
    let (out, masks) = (cx.take_vals(lines + nothing)?, cx.take(lines)?);
    V::meet();
    // Nothing is two words of zeros, which is four rows without bits.
    V::each(lines * 2 * ROWS, |k| cx.put_own(masks, k, Val::BACK));
    V::each(nothing, |k| cx.put_own(out, k, Val::EMPTY_SET));
    V::meet();
    let (mut at, mut left) = (0, rows);
    while left != 0 {
        let i = left.trailing_zeros();
        left &= left - 1;
        // Where lanes are threads, each has a place of the row.
        words.each_place::<V>(i, |j| {
            let ends = words.from(i, j);
            let (before, all) = V::before(ends.lines());
            let line = Line { cx, out: (out, nothing), masks, origin, from: (i, j) };
            line.put_all(ends, at + before);
            at += all;
        });
    }
    V::meet();
    Some(List::of_sets(out, lines + nothing, places).array())
}

/// The lines from a place, of which each is written where it belongs.
#[derive(Clone, Copy)]
struct Line {
    cx: Cx,
    /// The array of lines, and which item is the first.
    out: (u32, u32),
    masks: u32,
    origin: (i32, i32),
    from: (u32, u32),
}

impl Line {
    #[inline(always)]
    fn put_all(self, ends: Reach, first: u32) {
        let mut at = first;
        if ends.alone {
            self.put(at, 0, 1);
            at += 1;
        }
        let (i, j) = self.from;
        let mut direction = 0;
        while direction < DIRECTIONS {
            let mut left = ends.ends[direction as usize & 3];
            while left != 0 {
                let to = left.trailing_zeros();
                left &= left - 1;
                self.put(at, direction, 1 + to - if direction == 0 { j } else { i });
                at += 1;
            }
            direction += 1;
        }
    }

    /// Writes the line of so many places in a direction. Its mask is in the window that [`Bounds::window`]
    /// gives, as that of every other patch.
    #[inline(always)]
    fn put(self, at: u32, direction: u32, places: u32) {
        let far = places as i32 - 1;
        let (i, j) = (self.origin.0 + self.from.0 as i32, self.origin.1 + self.from.1 as i32);
        let (down, across) = match direction {
            0 => (0, 1),
            1 => (1, -1),
            2 => (1, 0),
            _ => (1, 1),
        };
        let bounds = Bounds::of(i, j).join(Bounds::of(i + down * far, j + across * far));
        let (oi, oj) = bounds.window().unwrap_or((bounds.top, bounds.left));
        let unit = self.masks + at * ROWS;
        let (mut row, mut column, mut k) = ((i - oi) as u32, (j - oj) as u32, 0);
        if direction == 0 {
            self.cx.put_own_word(unit, row, low_bits(places) << (column & 31));
        } else {
            while k < places {
                self.cx.put_own_word(unit, row & 31, 1 << (column & 31));
                row += 1;
                column = column.wrapping_add_signed(across);
                k += 1;
            }
        }
        let origin = pack_origin(oi, oj).unwrap_or(0);
        let line = Val::new(Tag::Mask, places, unit, 0, origin);
        self.cx.put_own(self.out.0, self.out.1 + at, line);
    }
}
