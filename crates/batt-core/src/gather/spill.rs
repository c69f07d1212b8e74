//! The items of a container, shared out among lanes.

use super::Read;
use crate::arena::Cx;
use crate::lanes::Lanes;
use crate::patch::{mono, planes};
use crate::seq::{item, len, write_items};
use crate::val::{Tag, Val};

/// Calls `put` with the number of an item and the item, for the first `count` items of a container.
/// Rows of grids are built in the arena; one that found no room is bad.
#[inline(always)]
pub fn spill<V: Lanes>(cx: Cx, v: Val, count: u32, put: impl Fn(u32, Val)) {
    let put = |k: u32, item: Val| {
        if k < count {
            put(k, item);
        }
    };
    V::meet();
    match v.tag() {
        Tag::Tuple | Tag::Set => {
            V::read_each(count.min(v.x()), |k| cx.val(v.a(), k), put);
        }
        Tag::Colors => {
            V::unfold(1, |_| v.x(), |at, _, color| put(at, Val::int(color as i32)));
        }
        Tag::Pair => V::each(2, |k| put(k, Val::int(if k == 0 { v.b() } else { v.x() } as i32))),
        Tag::Cell => V::each(2, |k| {
            let place = Val::pair(v.b() as i32, v.x() as i32);
            put(k, if k == 0 { Val::int(v.a() as i32) } else { place });
        }),
        Tag::Mask => {
            places::<V>(cx.load(v.a()), 0, v, Val::pair, put);
        }
        Tag::Object => {
            let m: V = cx.load(v.a());
            if let Some(color) = mono(v) {
                places(m, 0, v, |i, j| Val::cell(color as i32, i, j), put);
                return;
            }
            // Cells come colour by colour.
            let colors = planes::<V>(cx, v);
            let (mut left, mut from) = (colors.palette(m), 0);
            while left != 0 {
                let color = left.trailing_zeros();
                left &= left - 1;
                let cell = |i, j| Val::cell(color as i32, i, j);
                from += places(colors.eq(color, m), from, v, cell, put);
            }
        }
        Tag::Grid | Tag::Wide => {
            let mut k = 0;
            while k < count {
                let row = item::<V>(cx, v, k);
                V::each(1, |_| put(k, row));
                k += 1;
            }
        }
        _ => {}
    }
}

/// As [`spill`], into an array from a place on. Many kernels have this, so it is compiled once for them.
#[cfg_attr(target_arch = "nvptx64", inline(never))]
#[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
pub(super) fn spill_into<V: Lanes>(cx: Cx, v: Val, count: u32, unit: u32, from: u32) {
    spill::<V>(cx, v, count, |place, item| cx.put_own(unit, from + place, item));
}

/// The places of a patch row by row, from a number on. Gives how many there are.
#[inline(always)]
fn places<V: Lanes>(
    m: V,
    from: u32,
    v: Val,
    make: impl Fn(i32, i32) -> Val,
    put: impl Fn(u32, Val),
) -> u32 {
    let (oi, oj) = v.origin();
    let row = |own: u32| m.own(own);
    V::unfold(32, row, |at, i, j| put(from + at, make(oi + i as i32, oj + j as i32)))
}

/// The items of some containers one after the other, in an array; `false` where there is no room.
#[inline(always)]
pub(super) fn strung<V: Lanes>(cx: Cx, n: u32, get: impl Read, unit: u32) -> bool {
    let (mut at, mut k) = (0, 0);
    while V::APART && k < n {
        // Small ones are walked side by side, by a lane each.
        let (mine, small) = shares::<V>(n, k, get);
        let (before, all) = V::before(len(mine).unwrap_or(0));
        if small {
            walked(cx, mine, |place, item| cx.put_own(unit, at + before + place, item));
            at += all;
            k += V::SHARERS;
            continue;
        }
        let end = n.min(k + V::SHARERS);
        while k < end {
            let (v, from) = (get(k), at);
            let count = len(v).unwrap_or(0);
            spill_into::<V>(cx, v, count, unit, from);
            at += count;
            k += 1;
        }
    }
    while k < n {
        let Some(next) = write_items::<V>(cx, get(k), unit, at) else { return false };
        at = next;
        k += 1;
    }
    if !V::APART {
        return true;
    }
    V::meet();
    // Only rows of grids are made here.
    let none = V::all(n, |k| !matches!(get(k).tag(), Tag::Grid | Tag::Wide));
    none || V::all(at, |k| !cx.val(unit, k).is_bad())
}

/// The container of this sharer among those from `k` on, and whether they are small enough that each
/// may walk its own.
#[inline(always)]
fn shares<V: Lanes>(n: u32, k: u32, get: impl Read) -> (Val, bool) {
    const SMALL: u32 = 96;
    let at = k + V::sharer();
    let mine = if at < n { get(at) } else { Val::EMPTY_SET };
    let plain = match mine.tag() {
        Tag::Grid | Tag::Wide => false,
        Tag::Object => mono(mine).is_some(),
        _ => true,
    };
    let large = !plain || len(mine).unwrap_or(0) > SMALL;
    (mine, V::joined(u32::from(large)) == 0)
}

/// Walks the items of an array, reading a few ahead.
#[inline(always)]
fn copied(cx: Cx, v: Val, put: impl Fn(u32, Val)) {
    let (item, mut k) = (|k: u32| cx.val(v.a(), k), 0);
    while k + 3 < v.x() {
        let [a, b, c, d] = [item(k), item(k + 1), item(k + 2), item(k + 3)];
        put(k, a);
        put(k + 1, b);
        put(k + 2, c);
        put(k + 3, d);
        k += 4;
    }
    while k < v.x() {
        put(k, item(k));
        k += 1;
    }
}

/// Walks the items of a container that is no grid and whose colours, if any, are one.
#[inline(always)]
fn walked(cx: Cx, v: Val, put: impl Fn(u32, Val)) {
    if matches!(v.tag(), Tag::Tuple | Tag::Set) {
        copied(cx, v, put);
        return;
    }
    let (mut row, mut bits, mut k) = (0, if v.is(Tag::Colors) { v.x() } else { 0 }, 0);
    let ((oi, oj), count) = (v.origin(), len(v).unwrap_or(0));
    while k < count {
        let item = match v.tag() {
            Tag::Mask | Tag::Object => {
                while bits == 0 && row < 32 {
                    bits = cx.word(v.a(), row);
                    row += 1;
                }
                let (i, j) = (oi + row as i32 - 1, oj + bits.trailing_zeros() as i32);
                mono(v).map_or(Val::pair(i, j), |color| Val::cell(color as i32, i, j))
            }
            Tag::Colors => Val::int(bits.trailing_zeros() as i32),
            Tag::Pair => Val::int(if k == 0 { v.b() } else { v.x() } as i32),
            Tag::Cell if k == 0 => Val::int(v.a() as i32),
            Tag::Cell => Val::pair(v.b() as i32, v.x() as i32),
            _ => Val::BACK,
        };
        bits &= bits.wrapping_sub(1);
        put(k, item);
        k += 1;
    }
}
