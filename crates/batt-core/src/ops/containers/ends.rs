//! The first and the last item of a container that has any.

use crate::arena::Cx;
use crate::lanes::Lanes;
use crate::patch::{mono, planes};
use crate::seq::item;
use crate::val::{Tag, Val};

/// A location within the window of a patch.
#[inline(always)]
fn absolute(v: Val, place: Option<(u32, u32)>) -> (i32, i32) {
    let (oi, oj) = v.origin();
    let (i, j) = place.unwrap_or((0, 0));
    (oi + i as i32, oj + j as i32)
}

/// The cells of an object that have its smallest or its largest colour, and that colour.
#[inline(always)]
fn of_extreme_color<V: Lanes>(cx: Cx, v: Val, largest: bool) -> (u32, V) {
    let m: V = cx.load(v.a());
    if let Some(color) = mono(v) {
        return (color, m);
    }
    // Bit by bit from the highest, keeping the cells that are still in question.
    let [a, b, c, d] = planes::<V>(cx, v).0;
    let (mut m, mut color) = (m, 0);
    let mut narrow = |plane: V, k: u32| {
        let (ones, zeros) = (m & plane, m & !plane);
        let one = if largest { ones.any() } else { !zeros.any() };
        m = if one { ones } else { zeros };
        color |= u32::from(one) << k;
    };
    narrow(d, 3);
    narrow(c, 2);
    narrow(b, 1);
    narrow(a, 0);
    (color, m)
}

/// The first item.
#[inline(always)]
pub fn first<V: Lanes>(cx: Cx, v: Val) -> Val {
    match v.tag() {
        Tag::Colors => Val::int((v.x().trailing_zeros() & 31) as i32),
        Tag::Mask => {
            let (i, j) = absolute(v, cx.load::<V>(v.a()).first());
            Val::pair(i, j)
        }
        Tag::Object => {
            let (color, m) = of_extreme_color::<V>(cx, v, false);
            let (i, j) = absolute(v, m.first());
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
            let (i, j) = absolute(v, cx.load::<V>(v.a()).last());
            Val::pair(i, j)
        }
        Tag::Object => {
            let (color, m) = of_extreme_color::<V>(cx, v, true);
            let (i, j) = absolute(v, m.last());
            Val::cell(color as i32, i, j)
        }
        _ => item::<V>(cx, v, n - 1),
    }
}
