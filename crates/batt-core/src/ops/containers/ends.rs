//! The first and the last item of a container that has any.

use crate::arena::Cx;
use crate::lanes::Lanes;
use crate::patch::{mono, planes};
use crate::seq::item;
use crate::val::{Tag, Val};

/// A location within the window of a patch.
#[inline(always)]
fn absolute(v: Val, (i, j): (u32, u32)) -> (i32, i32) {
    let (oi, oj) = v.origin();
    (oi + i as i32, oj + j as i32)
}

/// The first item.
#[inline(always)]
pub fn first<V: Lanes>(cx: Cx, v: Val) -> Val {
    match v.tag() {
        Tag::Colors => Val::int((v.x().trailing_zeros() & 31) as i32),
        Tag::Mask => {
            let (i, j) = absolute(v, cx.first::<V>(v.a()));
            Val::pair(i, j)
        }
        Tag::Object => {
            let (color, at) = if let Some(color) = mono(v) {
                (color, cx.first::<V>(v.a()))
            } else {
                let (color, m) = planes::<V>(cx, v).extreme(cx.load(v.a()), false);
                (color, m.first().unwrap_or((0, 0)))
            };
            let (i, j) = absolute(v, at);
            Val::cell(color as i32, i, j)
        }
        _ => item::<V>(cx, v, 0),
    }
}

/// The last of `n` items.
#[inline(always)]
pub fn last<V: Lanes>(cx: Cx, v: Val, n: u32) -> Val {
    match v.tag() {
        Tag::Colors => Val::int(31 - (v.x().leading_zeros() & 31) as i32),
        Tag::Mask => {
            let (i, j) = absolute(v, cx.last::<V>(v.a()));
            Val::pair(i, j)
        }
        Tag::Object => {
            let (color, at) = if let Some(color) = mono(v) {
                (color, cx.last::<V>(v.a()))
            } else {
                let (color, m) = planes::<V>(cx, v).extreme(cx.load(v.a()), true);
                (color, m.last().unwrap_or((0, 0)))
            };
            let (i, j) = absolute(v, at);
            Val::cell(color as i32, i, j)
        }
        _ => item::<V>(cx, v, n - 1),
    }
}
