//! Rows of patches and grids, four at a time: that is what one thread reads and writes at once.

use crate::arena::{Cx, ROWS};
use crate::lanes::low_bits;
use crate::mask::Bounds;
use crate::val::{Tag, Val, pack_origin};

/// Four rows.
pub type Four = [u32; 4];

/// How many times four rows there are.
const STRIPS: u32 = 8;

/// No bits.
pub const NONE: Four = [0; 4];

/// Four of the rows that start at a unit.
#[inline(always)]
pub fn four(cx: Cx, unit: u32, k: u32) -> Four {
    cx.val(unit, k).words()
}

/// What is made of the numbers of four rows.
#[inline(always)]
pub fn by_row(k: u32, row: impl Fn(u32) -> u32) -> Four {
    let first = 4 * k;
    [row(first), row(first + 1), row(first + 2), row(first + 3)]
}

/// What is made of two times four rows.
#[inline(always)]
pub fn both([a, b, c, d]: Four, [e, f, g, h]: Four, join: impl Fn(u32, u32) -> u32) -> Four {
    [join(a, e), join(b, f), join(c, g), join(d, h)]
}

/// The rows of the cells of a grid of a size.
#[inline(always)]
pub fn cells(k: u32, (height, width): (u32, u32)) -> Four {
    let columns = low_bits(width);
    by_row(k, |row| if row < height { columns } else { 0 })
}

/// The rows of a filled rectangle within the window.
#[inline(always)]
pub fn rectangle(k: u32, b: Bounds) -> Four {
    let columns = low_bits(b.right as u32 + 1) & !low_bits(b.left as u32);
    by_row(k, |row| if (b.top..=b.bottom).contains(&(row as i32)) { columns } else { 0 })
}

/// Rows that start at a unit, as they lie in another window.
#[derive(Clone, Copy)]
pub struct Seen {
    unit: u32,
    down: i32,
    left: u32,
    right: u32,
    /// Whether nothing of them lies there.
    outside: bool,
}

impl Seen {
    /// Rows of a window, seen from another.
    #[inline(always)]
    pub fn from(unit: u32, own: (i32, i32), other: (i32, i32)) -> Seen {
        let (down, right) = (own.0 - other.0, own.1 - other.1);
        let outside = (down.unsigned_abs() > 31) | (right.unsigned_abs() > 31);
        let (left, right) = ((-right).clamp(0, 31) as u32, right.clamp(0, 31) as u32);
        Seen { unit, down, left, right, outside }
    }

    /// The rows of a patch in the window of grids.
    #[inline(always)]
    pub fn on_grid(patch: Val) -> Seen {
        Seen::from(patch.a(), patch.origin(), (0, 0))
    }

    /// Other rows that lie in the same window as these.
    #[inline(always)]
    pub fn with(self, unit: u32) -> Seen {
        Seen { unit, ..self }
    }

    /// Four of the rows.
    #[inline(always)]
    pub fn four(self, cx: Cx, k: u32) -> Four {
        if self.outside {
            return NONE;
        }
        let found = if self.down == 0 {
            four(cx, self.unit, k)
        } else {
            by_row(k, |row| {
                let row = row.wrapping_add_signed(-self.down);
                if row < 32 { cx.word(self.unit, row) } else { 0 }
            })
        };
        // One of the two shifts is by nothing.
        found.map(|row| row >> self.left << self.right)
    }
}

/// A set of locations whose rows are written to a unit; its origin can be held.
#[inline(always)]
pub fn mask(cx: Cx, unit: u32, origin: (i32, i32), rows: impl Fn(u32) -> Four) -> Val {
    let (mut count, mut k) = (0, 0);
    while k < STRIPS {
        let four = rows(k);
        cx.put_own(unit, k, Val::from_four_words(four));
        let [a, b, c, d] = four.map(u32::count_ones);
        count += a + b + c + d;
        k += 1;
    }
    match pack_origin(origin.0, origin.1) {
        Some(origin) if count > 0 => Val::new(Tag::Mask, count, unit, 0, origin),
        Some(_) => Val::EMPTY_SET,
        None => Val::BACK,
    }
}

/// A set of locations as cells of colours that lie elsewhere: a unit of planes, or one colour.
#[inline(always)]
pub fn colored(mask: Val, colors: u32) -> Val {
    if mask.is(Tag::Mask) {
        Val::new(Tag::Object, mask.extra(), mask.a(), colors, mask.x())
    } else {
        mask
    }
}

/// Four rows of each plane.
pub type Planes = [Four; 4];

/// Four rows of each of the planes that start at a unit.
#[inline(always)]
pub fn planes(cx: Cx, unit: u32, k: u32) -> Planes {
    [0, 1, 2, 3].map(|plane| four(cx, unit + plane * ROWS, k))
}

/// What is made of each plane, given its number.
#[inline(always)]
pub fn each([a, b, c, d]: Planes, change: impl Fn(u32, Four) -> Four) -> Planes {
    [change(0, a), change(1, b), change(2, c), change(3, d)]
}

/// The cells that have a colour below 16, of some.
#[inline(always)]
pub fn of_color(planes: Planes, color: u32, cells: Four) -> Four {
    let [a, b, c, d] = each(planes, |k, rows| {
        let other = (color >> k & 1).wrapping_sub(1);
        rows.map(|row| row ^ other)
    });
    both(both(both(cells, a, |x, y| x & y), b, |x, y| x & y), both(c, d, |x, y| x & y), |x, y| {
        x & y
    })
}

/// Colours with one colour where some bits say.
#[inline(always)]
pub fn painted(under: Planes, bits: Four, color: u32) -> Planes {
    each(under, |k, rows| {
        let on = 0u32.wrapping_sub(color >> k & 1);
        both(rows, bits, |row, bits| (row & !bits) | (bits & on))
    })
}

/// A grid whose rows are written to a unit. Rows past its last one are empty.
#[inline(always)]
pub fn grid(cx: Cx, unit: u32, (h, w): (u32, u32), mut rows: impl FnMut(u32) -> Planes) -> Val {
    let mut k = 0;
    while k < STRIPS {
        let [a, b, c, d] = if 4 * k < h { rows(k) } else { [NONE; 4] };
        cx.put_own(unit, k, Val::from_four_words(a));
        cx.put_own(unit + ROWS, k, Val::from_four_words(b));
        cx.put_own(unit + 2 * ROWS, k, Val::from_four_words(c));
        cx.put_own(unit + 3 * ROWS, k, Val::from_four_words(d));
        k += 1;
    }
    Val::new(Tag::Grid, 0, unit, 0, h | w << 8)
}
