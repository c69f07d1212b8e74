//! The items of a container, shared out among lanes.

use crate::arena::Cx;
use crate::lanes::Lanes;
use crate::patch::{mono, planes};
use crate::seq::item;
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
        Tag::Tuple | Tag::Set => V::each(count.min(v.x()), |k| put(k, cx.val(v.a(), k))),
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
