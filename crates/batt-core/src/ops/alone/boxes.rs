//! What can be told from the rows and columns that a patch touches, or from the size of a grid.

use crate::arena::Cx;
use crate::mask::Bounds;
use crate::val::{Tag, Val};

/// What is asked of the bounding box of a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Side {
    Height,
    Width,
    Shape,
    Portrait,
    Square,
    Vline,
    Hline,
    Ulcorner,
    Urcorner,
    Llcorner,
    Lrcorner,
    Uppermost,
    Lowermost,
    Leftmost,
    Rightmost,
    Center,
}

impl Side {
    /// The primitive of a name.
    pub const fn of(name: &str) -> Option<Side> {
        Some(match name.as_bytes() {
            b"height" => Side::Height,
            b"width" => Side::Width,
            b"shape" => Side::Shape,
            b"portrait" => Side::Portrait,
            b"square" => Side::Square,
            b"vline" => Side::Vline,
            b"hline" => Side::Hline,
            b"ulcorner" => Side::Ulcorner,
            b"urcorner" => Side::Urcorner,
            b"llcorner" => Side::Llcorner,
            b"lrcorner" => Side::Lrcorner,
            b"uppermost" => Side::Uppermost,
            b"lowermost" => Side::Lowermost,
            b"leftmost" => Side::Leftmost,
            b"rightmost" => Side::Rightmost,
            b"center" => Side::Center,
            _ => return None,
        })
    }

    /// What it gives for a grid or for bits; `None` for anything else.
    #[inline(always)]
    pub fn call(self, cx: Cx, piece: Val) -> Option<Val> {
        if piece.is(Tag::Grid) {
            let (h, w) = piece.dims();
            return self.of_size(i64::from(h), i64::from(w), true);
        }
        let b = Touched::of(cx, piece)?.bounds();
        let (h, w, count) = (b.height(), b.width(), i64::from(piece.extra()));
        Some(match self {
            Side::Vline => Val::bool(h == count && w == 1),
            Side::Hline => Val::bool(w == count && h == 1),
            Side::Ulcorner => Val::pair(b.top, b.left),
            Side::Urcorner => Val::pair(b.top, b.right),
            Side::Llcorner => Val::pair(b.bottom, b.left),
            Side::Lrcorner => Val::pair(b.bottom, b.right),
            Side::Uppermost => Val::int(b.top),
            Side::Lowermost => Val::int(b.bottom),
            Side::Leftmost => Val::int(b.left),
            Side::Rightmost => Val::int(b.right),
            Side::Center => Val::narrow_pair(i64::from(b.top) + h / 2, i64::from(b.left) + w / 2),
            _ => return self.of_size(h, w, h * w == count),
        })
    }

    /// What depends on height and width, and on whether all of the box is filled.
    #[inline(always)]
    fn of_size(self, h: i64, w: i64, full: bool) -> Option<Val> {
        Some(match self {
            Side::Height => Val::narrow(h),
            Side::Width => Val::narrow(w),
            Side::Shape => Val::narrow_pair(h, w),
            Side::Portrait => Val::bool(h > w),
            Side::Square => Val::bool(h == w && full),
            _ => return None,
        })
    }
}

/// The rows and the columns of its window that a patch touches.
#[derive(Clone, Copy)]
pub struct Touched {
    rows: u32,
    columns: u32,
    origin: (i32, i32),
}

impl Touched {
    /// Those of a mask or an object; `None` for anything else.
    #[inline(always)]
    pub fn of(cx: Cx, patch: Val) -> Option<Touched> {
        if !matches!(patch.tag(), Tag::Mask | Tag::Object) {
            return None;
        }
        let (mut rows, mut columns, mut k) = (0, 0, 0);
        // Four rows at a time, and all of them, so that no read waits for another.
        while k < 8 {
            let [a, b, c, d] = cx.val(patch.a(), k).words();
            let touched = |row: u32| u32::from(row != 0);
            let four = touched(a) | touched(b) << 1 | touched(c) << 2 | touched(d) << 3;
            rows |= four << (4 * k);
            columns |= a | b | c | d;
            k += 1;
        }
        Some(Touched { rows, columns, origin: patch.origin() })
    }

    /// The bounding box; a patch of bits is never empty.
    #[inline(always)]
    pub fn bounds(self) -> Bounds {
        let first = |lines: u32| (lines.trailing_zeros() & 31) as i32;
        let last = |lines: u32| 31 - (lines.leading_zeros() & 31) as i32;
        let ((i, j), rows, columns) = (self.origin, self.rows, self.columns);
        let (top, bottom) = (i + first(rows), i + last(rows));
        Bounds { top, left: j + first(columns), bottom, right: j + last(columns) }
    }

    /// Whether another patch touches one of the same rows, or of the same columns.
    #[inline(always)]
    pub fn meets(self, other: Touched, by_columns: bool) -> bool {
        let lines = |t: Touched| {
            if by_columns { (t.columns, t.origin.1) } else { (t.rows, t.origin.0) }
        };
        let ((x, from), (y, to)) = (lines(self), lines(other));
        let apart = from.abs_diff(to);
        let (low, high) = if from <= to { (x, y) } else { (y, x) };
        apart < 32 && u64::from(low) & u64::from(high) << apart != 0
    }
}
