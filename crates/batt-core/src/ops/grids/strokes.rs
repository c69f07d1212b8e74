//! Patches drawn on bytes in turn, without a look at each item's form.

use crate::arena::Cx;
use crate::lanes::Lanes;
use crate::patch::{mono, planes};
use crate::val::{Tag, Val};
use crate::wide::{Wide, byte};

/// Draws a patch: in a colour, or in its own colours where none is given; with a background given, on
/// such cells only. `false`, and some of it done, where it is kept in another form or a colour is no byte.
#[inline(always)]
pub(super) fn drawn<V: Lanes>(
    cx: Cx,
    g: &Wide,
    patch: Val,
    color: Option<u8>,
    background: Option<u8>,
) -> bool {
    let put = |i: u32, j: u32, color: u8| {
        if i < g.height && j < g.width && background.is_none_or(|b| b == g.at(cx, i, j)) {
            g.put(cx, i, j, color);
        }
    };
    match (patch.tag(), color) {
        (Tag::Set, color) => draw_array(cx, patch, color, put),
        (Tag::Mask, Some(color)) => draw_bits::<V>(cx, patch, |_, _| color, put),
        (Tag::Object, color) => {
            if let Some(color) = color.or(mono(patch).map(|color| color as u8)) {
                return draw_bits::<V>(cx, patch, |_, _| color, put);
            }
            let colors = planes::<V>(cx, patch);
            draw_bits::<V>(cx, patch, |i, j| colors.at(i, j) as u8, put)
        }
        _ => false,
    }
}

/// Calls `put` with every item of an array; `false` where one is of another kind than the first.
#[inline(always)]
fn draw_array(cx: Cx, set: Val, color: Option<u8>, put: impl Fn(u32, u32, u8)) -> bool {
    let (unit, n, kind) = (set.a(), set.x(), cx.val(set.a(), 0).tag());
    if !matches!((kind, color), (Tag::Cell, _) | (Tag::Pair, Some(_))) {
        return false;
    }
    let (mut strange, mut k) = (false, 0);
    while k < n {
        let v = cx.val(unit, k);
        strange |= !v.is(kind);
        strange |= color.is_none() && byte(Val::int(v.a() as i32)).is_none();
        put(v.b(), v.x(), color.unwrap_or(v.a() as u8));
        k += 1;
    }
    !strange
}

/// Calls `put` with every bit of a mask or an object. Each place comes once, so their order is free.
#[inline(always)]
fn draw_bits<V: Lanes>(
    cx: Cx,
    patch: Val,
    color: impl Fn(u32, u32) -> u8,
    put: impl Fn(u32, u32, u8),
) -> bool {
    let (rows, (oi, oj)) = (cx.load::<V>(patch.a()), patch.origin());
    let mut left = rows.ballot();
    while left != 0 {
        let row = left.trailing_zeros();
        left &= left - 1;
        let mut word = rows.get(row);
        while word != 0 {
            let column = word.trailing_zeros();
            word &= word - 1;
            let (i, j) = (oi + row as i32, oj + column as i32);
            put(i as u32, j as u32, color(row, column));
        }
    }
    true
}
