//! Patches elsewhere, and without their colours.

use crate::arena::Cx;
use crate::gather::flat;
use crate::lanes::Lanes;
use crate::patch;
use crate::seq::{List, len};
use crate::val::{Fault, Tag, Val};

use super::view::{Read, View, bounds, given, locations, pair_of, view};

/// The locations of a patch.
#[inline(always)]
pub fn toindices<V: Lanes>(cx: Cx, patch: Val) -> Val {
    match patch.tag() {
        Tag::Mask | Tag::Object => given(locations::<V>(cx, patch)),
        _ => given(indices_of_list::<V>(cx, patch)),
    }
}

#[inline(never)]
fn indices_of_list<V: Lanes>(cx: Cx, patch: Val) -> Read<Val> {
    match view::<V>(cx, patch)? {
        View::Empty => Ok(Val::EMPTY_SET),
        // A tuple of locations stays the tuple that it is.
        View::Places(places) if !places.cells => Ok(patch),
        _ => locations::<V>(cx, patch),
    }
}

/// A patch moved by a pair.
#[inline(always)]
pub fn shift<V: Lanes>(cx: Cx, patch: Val, directions: Val) -> Val {
    match len(patch) {
        None => return Val::error(Fault::Type),
        Some(0) => return patch,
        _ => {}
    }
    match pair_of(cx, directions) {
        Ok((i, j)) => moved::<V>(cx, patch, i, j),
        Err(v) => v,
    }
}

/// A patch moved so that its bounding box starts at the origin.
#[inline(always)]
pub fn normalize<V: Lanes>(cx: Cx, patch: Val) -> Val {
    match bounds::<V>(cx, patch) {
        Err(v) => v,
        Ok(None) => patch,
        Ok(Some(b)) => moved::<V>(cx, patch, -i64::from(b.top), -i64::from(b.left)),
    }
}

/// A patch moved; a tuple becomes a set.
#[inline(always)]
fn moved<V: Lanes>(cx: Cx, patch: Val, i: i64, j: i64) -> Val {
    if matches!(patch.tag(), Tag::Mask | Tag::Object) {
        let there = patch::moved(patch, i, j);
        if !there.is_bad() {
            return there;
        }
    }
    given(moved_list::<V>(cx, patch, i, j))
}

#[inline(never)]
fn moved_list<V: Lanes>(cx: Cx, patch: Val, i: i64, j: i64) -> Read<Val> {
    let to = |v: Val| {
        let at = Val::narrow_pair(i64::from(v.b() as i32) + i, i64::from(v.x() as i32) + j);
        if v.is(Tag::Cell) && !at.is_bad() {
            Val::cell(v.a() as i32, at.b() as i32, at.x() as i32)
        } else {
            at
        }
    };
    let list = match view::<V>(cx, patch)? {
        View::Empty => return Ok(patch),
        View::Places(places) => places.map::<V>(cx, to)?,
        // Too far away for a window.
        View::Bits(_) => {
            let (unit, n) = flat::<V>(cx, patch)?;
            List::copied::<V>(cx, n, |k| to(cx.val(unit, k))).ok_or(Val::BACK)?
        }
    };
    // A set stays in order.
    Ok(if patch.is_set() { list.tidy::<V>(cx) } else { list.set::<V>(cx) })
}
