//! Patches elsewhere, and without their colours.

use crate::arena::Cx;
use crate::gather::flat;
use crate::lanes::Lanes;
use crate::lanes::boost::widened;
use crate::patch;
use crate::seq::{List, item, len, two};
use crate::val::{Fault, Tag, Val};

use super::view::{Read, View, bounds, given, good, locations, pair_of, view};

/// The locations of a patch.
#[inline(always)]
pub fn toindices<V: Lanes>(cx: Cx, patch: Val) -> Val {
    match patch.tag() {
        Tag::Mask | Tag::Object => given(locations::<V>(cx, patch)),
        _ => given(indices_of_list::<V::Out>(cx, patch)),
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
    given(moved_list::<V::Out>(cx, patch, i, j))
}

/// A set of locations or cells that is an array, moved: it stays in order, and one that no window
/// holds is held by none elsewhere. `None` where it holds anything else or leaves the ints.
#[inline(never)]
fn moved_array<V: Lanes>(cx: Cx, set: Val, i: i64, j: i64) -> Option<Val> {
    let tag = cx.val(set.a(), 0).tag();
    if !matches!(tag, Tag::Pair | Tag::Cell) {
        return None;
    }
    let (di, dj) = (i as i32, j as i32);
    if (i64::from(di), i64::from(dj)) != (i, j) {
        return None;
    }
    let near = |n: i32| n.unsigned_abs() < FAR;
    if !near(di) || !near(dj) {
        return None;
    }
    widened!(copied_to::<V>(cx: Cx, set: Val, tag: Tag, di: i32, dj: i32) -> Option<Val>)
}

/// What is less far away on both sides cannot leave the ints by moving.
const FAR: u32 = 1 << 29;

/// An array of one kind of items, moved. `None` where one is of another kind or far away.
#[inline(always)]
#[allow(
    clippy::extra_unused_type_parameters,
    reason = "jobs are called with the lanes they work with"
)]
fn copied_to<V: Lanes>(cx: Cx, set: Val, tag: Tag, di: i32, dj: i32) -> Option<Val> {
    let unit = cx.take_vals(set.x())?;
    let (head, by) = ([tag as u32, 0, 0, 0], [0, 0, di as u32, dj as u32]);
    let (mut strange, mut far, mut k) = ([0; 4], [0; 4], 0);
    // Four words at a time, the same done to all of them, with no branch on what they are.
    while k < set.x() {
        let words = cx.val(set.a(), k).words();
        let (mut moved, mut word) = (words, 0);
        while word < 4 {
            strange[word] |= words[word] ^ head[word];
            far[word] |= words[word].wrapping_add(FAR);
            moved[word] = words[word].wrapping_add(by[word]);
            word += 1;
        }
        cx.put(unit, k, Val::from_four_words(moved));
        k += 1;
    }
    let ([strange, ..], [_, _, i, j]) = (strange, far);
    let fits = strange == 0 && (i | j) < 2 * FAR;
    fits.then(|| Val::new(Tag::Set, set.extra(), unit, set.b(), set.x()))
}

/// Cells of which some have a colour that is no int, moved.
#[inline(never)]
fn moved_odd<V: Lanes>(cx: Cx, patch: Val, i: i64, j: i64) -> Val {
    let Some(mut list) = List::new(cx, patch.x()) else { return Val::BACK };
    let mut k = 0;
    while k < patch.x() {
        let v = cx.val(patch.a(), k);
        let is_cell = v.is(Tag::Cell) || (v.is(Tag::Tuple) && v.x() == 2);
        let Some((at, color)) = is_cell.then(|| (item::<V>(cx, v, 1), item::<V>(cx, v, 0))) else {
            return Val::BACK;
        };
        let Some((row, column)) = at.as_pair() else { return Val::BACK };
        let to = Val::narrow_pair(i64::from(row) + i, i64::from(column) + j);
        list.push(cx, if to.is_bad() { to } else { two(cx, color, to) });
        k += 1;
    }
    if patch.is_set() { list.tidy::<V>(cx) } else { list.set::<V::Out>(cx) }
}

#[inline(never)]
fn moved_list<V: Lanes>(cx: Cx, patch: Val, i: i64, j: i64) -> Read<Val> {
    if !V::APART
        && patch.is(Tag::Set)
        && let Some(there) = moved_array::<V>(cx, patch, i, j)
    {
        return Ok(there);
    }
    let to = |v: Val| {
        let at = Val::narrow_pair(i64::from(v.b() as i32) + i, i64::from(v.x() as i32) + j);
        if v.is(Tag::Cell) && !at.is_bad() {
            Val::cell(v.a() as i32, at.b() as i32, at.x() as i32)
        } else {
            at
        }
    };
    let list = match view::<V>(cx, patch) {
        Err(v) if v.is(Tag::Back) && matches!(patch.tag(), Tag::Set | Tag::Tuple) => {
            return good(moved_odd::<V::Out>(cx, patch, i, j));
        }
        Err(v) => return Err(v),
        Ok(View::Empty) => return Ok(patch),
        Ok(View::Places(places)) => places.map::<V>(cx, to)?,
        // Too far away for a window.
        Ok(View::Bits(_)) => {
            let (unit, n) = flat::<V>(cx, patch)?;
            List::copied::<V>(cx, n, |k| to(cx.val(unit, k))).ok_or(Val::BACK)?
        }
    };
    // A set stays in order.
    Ok(if patch.is_set() { list.tidy::<V>(cx) } else { list.set::<V::Out>(cx) })
}
