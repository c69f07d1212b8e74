//! Sets of locations: 32 rows of bits and an origin.

use crate::arena::Cx;
use crate::lanes::{Lanes, low_bits};
use crate::val::{Tag, Val, pack_origin};

/// A bounding box, edges included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// First row.
    pub top: i32,
    /// Last row.
    pub bottom: i32,
    /// First column.
    pub left: i32,
    /// Last column.
    pub right: i32,
}

impl Bounds {
    /// The box of one location.
    #[inline(always)]
    pub const fn of(i: i32, j: i32) -> Bounds {
        Bounds { top: i, bottom: i, left: j, right: j }
    }

    /// The box around both.
    #[inline(always)]
    pub fn join(self, other: Bounds) -> Bounds {
        Bounds {
            top: self.top.min(other.top),
            bottom: self.bottom.max(other.bottom),
            left: self.left.min(other.left),
            right: self.right.max(other.right),
        }
    }

    /// The box moved.
    #[inline(always)]
    pub fn moved(self, i: i32, j: i32) -> Bounds {
        Bounds {
            top: self.top + i,
            bottom: self.bottom + i,
            left: self.left + j,
            right: self.right + j,
        }
    }

    /// Rows; cannot overflow for boxes of values that are held.
    #[inline(always)]
    pub fn height(self) -> i64 {
        i64::from(self.bottom) - i64::from(self.top) + 1
    }

    /// Columns.
    #[inline(always)]
    pub fn width(self) -> i64 {
        i64::from(self.right) - i64::from(self.left) + 1
    }

    /// Locations of a box that a window holds.
    #[inline(always)]
    pub fn area(self) -> u32 {
        (self.height() * self.width()) as u32
    }

    /// The origin of a window that holds the box: the grid's own window where that does, so that
    /// patches of one grid align, else the box's corner. `None` where no window does.
    #[inline(always)]
    pub fn window(self) -> Option<(i32, i32)> {
        if self.top >= 0 && self.left >= 0 && self.bottom < 32 && self.right < 32 {
            Some((0, 0))
        } else if self.height() <= 32 && self.width() <= 32 {
            pack_origin(self.top, self.left)?;
            Some((self.top, self.left))
        } else {
            None
        }
    }
}

/// The bounding box of some bits, within their window.
#[inline(always)]
pub fn bounds<V: Lanes>(m: V) -> Option<Bounds> {
    let (rows, columns) = (m.ballot(), m.or_all());
    if rows == 0 {
        return None;
    }
    Some(Bounds {
        top: rows.trailing_zeros() as i32,
        bottom: 31 - rows.leading_zeros() as i32,
        left: columns.trailing_zeros() as i32,
        right: 31 - columns.leading_zeros() as i32,
    })
}

/// Bits moved within the window; what leaves it is lost.
#[inline(always)]
pub fn place<V: Lanes>(m: V, di: i32, dj: i32) -> V {
    let m = m.rows(di);
    if dj >= 0 { m.shl(dj as u32) } else { m.shr(dj.unsigned_abs()) }
}

/// A filled rectangle within the window; the box must lie in it, and is empty where it ends before it begins.
#[inline(always)]
pub fn rectangle<V: Lanes>(b: Bounds) -> V {
    let columns = low_bits((b.right + 1) as u32) & !low_bits(b.left as u32);
    V::below((b.bottom + 1) as u32) & !V::below(b.top as u32) & V::splat(columns)
}

/// A set of locations from bits and their origin.
#[inline(always)]
pub fn make<V: Lanes>(cx: Cx, m: V, origin: (i32, i32)) -> Val {
    make_counted(cx, m, m.count(), origin)
}

/// As [`make`], where it is known how many bits there are.
#[inline(always)]
pub fn make_counted<V: Lanes>(cx: Cx, m: V, count: u32, origin: (i32, i32)) -> Val {
    if count == 0 {
        return Val::EMPTY_SET;
    }
    match (cx.take(1), pack_origin(origin.0, origin.1)) {
        (Some(unit), Some(origin)) => {
            cx.store(unit, m);
            Val::new(Tag::Mask, count, unit, 0, origin)
        }
        _ => Val::BACK,
    }
}

/// A filled rectangle as a set of locations; `BACK` where no window holds it.
#[inline(always)]
pub fn make_rectangle<V: Lanes>(cx: Cx, b: Bounds) -> Val {
    match b.window() {
        Some((oi, oj)) => make_counted(cx, rectangle::<V>(b.moved(-oi, -oj)), b.area(), (oi, oj)),
        None => Val::BACK,
    }
}

/// The outline of a rectangle as a set of locations.
#[inline(always)]
pub fn make_outline<V: Lanes>(cx: Cx, b: Bounds) -> Val {
    let Some((oi, oj)) = b.window() else { return Val::BACK };
    let inside = b.moved(-oi, -oj);
    let full: V = rectangle(inside);
    if inside.height() < 3 || inside.width() < 3 {
        return make_counted(cx, full, b.area(), (oi, oj));
    }
    let hollow = Bounds {
        top: inside.top + 1,
        bottom: inside.bottom - 1,
        left: inside.left + 1,
        right: inside.right - 1,
    };
    make_counted(cx, full & !rectangle::<V>(hollow), b.area() - hollow.area(), (oi, oj))
}
