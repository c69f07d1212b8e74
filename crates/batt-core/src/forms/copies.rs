//! A patch in many places, each copy for itself.

use crate::arena::Cx;
use crate::close;
use crate::lanes::Lanes;
use crate::ops::shift;
use crate::patch::{self, Patch};
use crate::seq::{List, len};
use crate::val::{Fault, MAX_ELEMENTS, Tag, Val};

use super::Bodies;

/// `apply` of `shift`: a patch moved by every item of a container. Errors of a body begin at its slot.
#[inline(always)]
pub fn copies<V: Lanes>(cx: Cx, patch: Val, places: Val, body: u32) -> Val {
    let Some(n) = len(places) else { return Val::error(Fault::Type) };
    if n > 0 && patch.is_bad() {
        return patch;
    }
    let bits = places.is(Tag::Mask) && matches!(patch.tag(), Tag::Mask | Tag::Object);
    if bits && n * patch.extra() > MAX_ELEMENTS {
        return Val::error(Fault::Size);
    }
    let short = if bits { in_order::<V>(cx, patch, places, n) } else { None };
    match short {
        Some(v) => v,
        None => one_by_one::<V>(cx, patch, places, body),
    }
}

/// Copies come in the order of their places. `None` where one lies too far away, or there is no room.
#[inline(always)]
fn in_order<V: Lanes>(cx: Cx, patch: Val, places: Val, n: u32) -> Option<Val> {
    let around = Patch::<V>::load(cx, places)?.bounds();
    let at = |i: i32, j: i32| patch::moved(patch, i64::from(i), i64::from(j));
    if at(around.top, around.left).is_bad() || at(around.bottom, around.right).is_bad() {
        return None;
    }
    let (out, (oi, oj)) = (cx.take_vals(n)?, places.origin());
    V::meet();
    V::unfold(
        32,
        |row| cx.word(places.a(), row),
        |k, row, column| cx.put_own(out, k, at(oi + row as i32, oj + column as i32)),
    );
    V::meet();
    Some(List::of_sets(out, n, n * patch.extra()).array())
}

#[inline(never)]
fn one_by_one<V: Lanes>(cx: Cx, patch: Val, places: Val, body: u32) -> Val {
    match Bodies::run::<V>(cx, places, body, |by| shift::<V>(cx, patch, by)) {
        Ok(all) => close::apply::<V>(cx, places.is_set(), all.n, |k| all.result(cx, k)),
        Err(bad) => bad,
    }
}
