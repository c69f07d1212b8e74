//! What lies in and around the bounding box of a patch.

use crate::arena::Cx;
use crate::lanes::Lanes;
use crate::mask;
use crate::seq::{Items, List, len};
use crate::val::{Fault, Tag, Val};

use super::build::{edge, filled, narrow_box};
use super::view::{Read, View, array, bounds, fault, given, good, locations, some_bounds, view};

/// All locations of the bounding box.
#[inline(always)]
pub fn backdrop<V: Lanes>(cx: Cx, patch: Val) -> Val {
    match view::<V>(cx, patch) {
        Err(v) => v,
        Ok(View::Empty) => Val::EMPTY_SET,
        Ok(View::Bits(p)) => match mask::bounds(p.mask) {
            Some(b) => mask::make_counted(cx, mask::rectangle::<V>(b), b.area(), p.origin),
            None => Val::BACK,
        },
        Ok(View::Places(places)) => filled::<V>(cx, places.bounds::<V>(cx)),
    }
}

/// The locations of the bounding box that the patch leaves free.
#[inline(always)]
pub fn delta<V: Lanes>(cx: Cx, patch: Val) -> Val {
    match view::<V>(cx, patch) {
        Err(v) => v,
        Ok(View::Empty) => Val::EMPTY_SET,
        Ok(View::Bits(p)) => match mask::bounds(p.mask) {
            Some(b) => {
                let free = mask::rectangle::<V>(b) & !p.mask;
                // Only masks and objects tell how many locations they have.
                let known = matches!(patch.tag(), Tag::Mask | Tag::Object);
                let count = if known { b.area() - patch.extra() } else { free.count() };
                mask::make_counted(cx, free, count, p.origin)
            }
            None => Val::BACK,
        },
        // Python subtracts a tuple from a set here.
        Ok(View::Places(places)) if patch.is_tuple() && !places.cells => Val::error(Fault::Type),
        Ok(View::Places(_)) => given(delta_of_list::<V::Out>(cx, patch)),
    }
}

/// Walks the box and the locations at once; both ascend.
#[inline(never)]
fn delta_of_list<V: Lanes>(cx: Cx, patch: Val) -> Read<Val> {
    let b = some_bounds::<V>(cx, patch)?;
    if !V::APART
        && let (Some((oi, oj)), View::Places(places)) = (b.window(), view::<V>(cx, patch)?)
    {
        let taken = V::gathered(places.len, |k| {
            let (i, j) = places.at(cx, k);
            Some(((i - oi) as u32, (j - oj) as u32))
        });
        let free = mask::rectangle::<V>(b.moved(-oi, -oj)) & !taken;
        return Ok(mask::make(cx, free, (oi, oj)));
    }
    let all = good(filled::<V>(cx, b))?;
    let taken = array::<V>(cx, locations::<V>(cx, patch)?)?;
    let mut list = List::new(cx, len(all).unwrap_or(0)).ok_or(Val::BACK)?;
    let mut items = Items::<V>::of(cx, all).ok_or(Val::BACK)?;
    let mut k = 0;
    while let Some(v) = items.next(cx) {
        if k < taken.len && taken.val(cx, k) == v {
            k += 1;
        } else {
            list.push(cx, v);
        }
    }
    Ok(list.tidy::<V>(cx))
}

/// The outline so many steps outside the bounding box, or inside it.
#[inline(always)]
fn outline<V: Lanes>(cx: Cx, patch: Val, out: i64) -> Read<Val> {
    let Some(b) = bounds::<V>(cx, patch)? else {
        return if out == 0 { Ok(patch) } else { fault(Fault::Value) };
    };
    let (top, bottom) = (i64::from(b.top) - out, i64::from(b.bottom) + out);
    let (left, right) = (i64::from(b.left) - out, i64::from(b.right) + out);
    Ok(edge::<V>(cx, narrow_box(top, left, bottom, right)?))
}

/// The outline one step inside the bounding box.
#[inline(always)]
pub fn inbox<V: Lanes>(cx: Cx, patch: Val) -> Val {
    given(outline::<V>(cx, patch, -1))
}

/// The outline one step outside the bounding box.
#[inline(always)]
pub fn outbox<V: Lanes>(cx: Cx, patch: Val) -> Val {
    given(outline::<V>(cx, patch, 1))
}

/// The outline of the bounding box.
#[inline(always)]
pub fn r#box<V: Lanes>(cx: Cx, patch: Val) -> Val {
    given(outline::<V>(cx, patch, 0))
}
