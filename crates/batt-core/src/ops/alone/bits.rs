//! What one thread tells of the bits of patches and grids. It reads four rows at a time, and all of them, so
//! that no read waits for another.

use super::boxes::Touched;
use crate::arena::{Cx, ROWS};
use crate::lanes::low_bits;
use crate::patch::mono;
use crate::val::{Tag, Val};

/// Whether two patches are both masks, or both objects of one colour, and with the same one.
#[inline(always)]
fn are_simple(a: Val, b: Val) -> bool {
    (a.is(Tag::Mask) & b.is(Tag::Mask)) || mono(a).is_some_and(|color| mono(b) == Some(color))
}

/// Whether two patches of a kind are equal; `None` where that takes more.
#[inline(always)]
pub fn equal(cx: Cx, a: Val, b: Val) -> Option<bool> {
    if a.extra() != b.extra() {
        return Some(false);
    }
    if let (Some(x), Some(y)) = (mono(a), mono(b))
        && x != y
    {
        return Some(false);
    }
    if a.x() == b.x() {
        let (mut unlike, mut k) = (0, 0);
        while k < 8 {
            let (p, q) = (cx.val(a.a(), k).words(), cx.val(b.a(), k).words());
            unlike |= (p[0] ^ q[0]) | (p[1] ^ q[1]) | (p[2] ^ q[2]) | (p[3] ^ q[3]);
            k += 1;
        }
        return if unlike != 0 { Some(false) } else { are_simple(a, b).then_some(true) };
    }
    let (p, q) = (Touched::of(cx, a)?.bounds(), Touched::of(cx, b)?.bounds());
    let same = p.top == q.top && p.left == q.left && p.bottom == q.bottom && p.right == q.right;
    if same { None } else { Some(false) }
}

/// Whether two grids are equal.
#[inline(always)]
pub fn equal_grids(cx: Cx, a: Val, b: Val) -> bool {
    let (mut unlike, mut k) = (u32::from(a.x() != b.x()), 0);
    // Most that differ do so in their first rows.
    while unlike == 0 && 4 * k < a.dims().0 {
        let mut plane = 0;
        while plane < 4 {
            let rows = |v: Val| cx.val(v.a() + plane * ROWS, k).words();
            let (p, q) = (rows(a), rows(b));
            unlike |= (p[0] ^ q[0]) | (p[1] ^ q[1]) | (p[2] ^ q[2]) | (p[3] ^ q[3]);
            plane += 1;
        }
        k += 1;
    }
    unlike == 0
}

/// How many cells two patches share; `None` where that takes more.
#[inline(always)]
pub fn shared(cx: Cx, a: Val, b: Val) -> Option<u32> {
    let (none_a, none_b) = (a.is_empty_set(), b.is_empty_set());
    let is_patch = |v: Val| v.is(Tag::Mask) | v.is(Tag::Object);
    if (none_a & (none_b | is_patch(b))) | (none_b & is_patch(a)) {
        return Some(0);
    }
    if !are_simple(a, b) {
        return None;
    }
    let ((ai, aj), (bi, bj)) = (a.origin(), b.origin());
    let (down, right) = (ai - bi, aj - bj);
    if (down.unsigned_abs() > 31) | (right.unsigned_abs() > 31) {
        return Some(0);
    }
    let (mut count, mut k) = (0, 0);
    while k < 8 {
        let (four, mut at) = (cx.val(a.a(), k).words(), 0);
        while at < 4 {
            let row = (4 * k + at as u32).wrapping_add_signed(down);
            let inside = u32::from(row > 31).wrapping_sub(1);
            // One of the two shifts is by nothing.
            let theirs = cx.word(b.a(), row & 31) & inside;
            let theirs = theirs >> right.max(0) << (-right).max(0);
            count += (four[at & 3] & theirs).count_ones();
            at += 1;
        }
        k += 1;
    }
    Some(count)
}

/// How many cells of a grid or an object have a colour; `None` where that takes more.
#[inline(always)]
pub fn of_color(cx: Cx, element: Val, color: i32) -> Option<u32> {
    if let Some(only) = mono(element) {
        return Some(if color == only as i32 { element.extra() } else { 0 });
    }
    let is_grid = element.is(Tag::Grid);
    if !is_grid & !element.is(Tag::Object) {
        return None;
    }
    if !(0..16).contains(&color) {
        return Some(0);
    }
    let planes = if is_grid { element.a() } else { element.b() };
    let (height, width) = element.dims();
    let (mut count, mut k) = (0, 0);
    while k < 8 {
        let mut four = [0; 4];
        if is_grid {
            let mut at = 0;
            while at < 4 {
                four[at & 3] = if 4 * k + (at as u32) < height { low_bits(width) } else { 0 };
                at += 1;
            }
        } else {
            four = cx.val(element.a(), k).words();
        }
        let mut plane = 0;
        while plane < 4 {
            let words = cx.val(planes + plane * ROWS, k).words();
            let other = (color as u32 >> plane & 1).wrapping_sub(1);
            let mut at = 0;
            while at < 4 {
                four[at & 3] &= words[at & 3] ^ other;
                at += 1;
            }
            plane += 1;
        }
        let [p, q, r, s] = four.map(u32::count_ones);
        count += p + q + r + s;
        k += 1;
    }
    Some(count)
}
