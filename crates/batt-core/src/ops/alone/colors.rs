//! What one thread tells of the colours of grids and objects.

use super::build::rows::{Four, both, cells, four, of_color, planes};
use crate::arena::Cx;
use crate::patch::mono;
use crate::val::{Tag, Val};

/// The cells of a grid or an object that has planes, four rows at a time.
#[derive(Clone, Copy)]
struct Cells {
    of: Val,
    /// Where its planes are.
    planes: u32,
    /// How many times four rows there are.
    strips: u32,
    /// How many cells there are.
    count: u32,
}

impl Cells {
    /// `None` for anything else.
    #[inline(always)]
    fn of(element: Val) -> Option<Cells> {
        let (height, width) = element.dims();
        match element.tag() {
            Tag::Grid => {
                let (strips, count) = (height.div_ceil(4), height * width);
                Some(Cells { of: element, planes: element.a(), strips, count })
            }
            Tag::Object => {
                Some(Cells { of: element, planes: element.b(), strips: 8, count: element.extra() })
            }
            _ => None,
        }
    }

    /// Four rows of them.
    #[inline(always)]
    fn four(self, cx: Cx, k: u32) -> Four {
        if self.of.is(Tag::Grid) { cells(k, self.of.dims()) } else { four(cx, self.of.a(), k) }
    }
}

/// The commonest colour of a grid or an object, the smallest on a tie; `None` where that takes more.
#[inline(always)]
pub fn most(cx: Cx, element: Val) -> Option<u32> {
    if let Some(color) = mono(element) {
        return Some(color);
    }
    let all = Cells::of(element)?;
    let (mut best, mut commonest, mut left, mut color) = (0, 0, all.count, 0);
    // Most are decided by their first colours: no later one can occur more often.
    while best < left && color < 16 {
        let (mut count, mut k) = (0, 0);
        while k < all.strips {
            let found = of_color(planes(cx, all.planes, k), color, all.four(cx, k));
            let [a, b, c, d] = found.map(u32::count_ones);
            count += a + b + c + d;
            k += 1;
        }
        if count > best {
            (best, commonest) = (count, color);
        }
        left -= count;
        color += 1;
    }
    Some(commonest)
}

/// The colours of a grid or an object, as bits; `None` where that takes more, as with a colour past 9.
#[inline(always)]
pub fn palette(cx: Cx, element: Val) -> Option<u32> {
    if let Some(color) = mono(element) {
        return Some(1 << color);
    }
    let all = Cells::of(element)?;
    let (mut found, mut past, mut k) = ([0u32; 10], 0, 0);
    while k < all.strips {
        let ([p, q, r, s], own) = (planes(cx, all.planes, k), all.four(cx, k));
        let mut at = 0;
        while at < 4 {
            let (a, b, c, d) = (p[at & 3], q[at & 3], r[at & 3], s[at & 3]);
            let (under, over) = (own[at & 3] & !d, own[at & 3] & d);
            let (low, high) = (under & !c, under & c);
            found[0] |= low & !b & !a;
            found[1] |= low & !b & a;
            found[2] |= low & b & !a;
            found[3] |= low & b & a;
            found[4] |= high & !b & !a;
            found[5] |= high & !b & a;
            found[6] |= high & b & !a;
            found[7] |= high & b & a;
            found[8] |= over & !a;
            found[9] |= over & a;
            past |= over & (b | c);
            at += 1;
        }
        k += 1;
    }
    let (mut bits, mut color) = (0, 0);
    while color < 10 {
        bits |= u32::from(found[color] != 0) << color;
        color += 1;
    }
    if past == 0 { Some(bits) } else { None }
}

/// How many cells two grids have in common; `None` for anything else.
#[inline(always)]
pub fn alike(cx: Cx, a: Val, b: Val) -> Option<u32> {
    if !a.is(Tag::Grid) | !b.is(Tag::Grid) {
        return None;
    }
    let ((h, w), (height, width)) = (a.dims(), b.dims());
    let (dims, mut count, mut k) = ((h.min(height), w.min(width)), 0, 0);
    while 4 * k < dims.0 {
        let (mut same, mut plane) = (cells(k, dims), 0);
        let (p, q) = (planes(cx, a.a(), k), planes(cx, b.a(), k));
        while plane < 4 {
            let unlike = both(p[plane & 3], q[plane & 3], |x, y| x ^ y);
            same = both(same, unlike, |cells, unlike| cells & !unlike);
            plane += 1;
        }
        let [a, b, c, d] = same.map(u32::count_ones);
        count += a + b + c + d;
        k += 1;
    }
    Some(count)
}
