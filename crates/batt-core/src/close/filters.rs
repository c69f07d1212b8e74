//! What stays of a container by the results of its bodies.

use super::merge;
use crate::arena::Cx;
use crate::gather::{self, Read};
use crate::grid::{Grid, Planes};
use crate::lanes::Lanes;
use crate::mask;
use crate::patch;
use crate::seq::{List, truth};
use crate::val::{Fault, Tag, Val};

/// The first condition that is bad; `None` if none is.
#[inline(always)]
fn first_bad<V: Lanes>(n: u32, conditions: impl Read) -> Option<Val> {
    V::find(n, |k| conditions(k).is_bad()).map(conditions)
}

/// `sfilter`: the items of `container` whose condition holds, in a container like it.
#[inline(always)]
pub fn filter<V: Lanes>(
    cx: Cx,
    container: Val,
    n: u32,
    items: impl Read,
    conditions: impl Read,
) -> Val {
    if !V::APART {
        let rest = match container.tag() {
            Tag::Tuple | Tag::Set => filter_array::<V>(cx, container, n, conditions),
            _ => filter_bits::<V>(cx, container, n, conditions),
        };
        if let Some(rest) = rest {
            return rest;
        }
    }
    if let Some(bad) = first_bad::<V>(n, conditions) {
        return bad;
    }
    match container.tag() {
        Tag::Colors => filter_colors::<V>(n, items, conditions),
        Tag::Mask | Tag::Object => filter_patch::<V>(cx, container, n, items, conditions),
        Tag::Grid => filter_rows::<V>(cx, container, n, conditions),
        Tag::Pair | Tag::Cell | Tag::Tuple | Tag::Set | Tag::Wide => {
            let Some(list) = holding::<V>(cx, n, items, conditions) else { return Val::BACK };
            if container.is_set() {
                list.tidy::<V>(cx)
            } else {
                gather::tidy_tuple::<V>(cx, list.tuple(cx), container.is(Tag::Wide))
            }
        }
        _ => Val::error(Fault::Type),
    }
}

/// The items whose condition holds, in their order.
#[inline(always)]
fn holding<V: Lanes>(cx: Cx, n: u32, items: impl Read, conditions: impl Read) -> Option<List> {
    let unit = cx.take_vals(n)?;
    V::meet();
    let holds = |k: u32| truth(conditions(k));
    let len = V::pick(n, holds, |at, k| cx.put_own(unit, at, items(k)));
    V::meet();
    if V::find(len, |k| cx.val(unit, k).is_bad()).is_some() {
        return None;
    }
    Some(List::over::<V>(cx, unit, len))
}

#[inline(always)]
fn filter_colors<V: Lanes>(n: u32, items: impl Read, conditions: impl Read) -> Val {
    let mut bits = 0;
    V::each(n, |k| {
        if truth(conditions(k)) {
            bits |= 1 << (items(k).x() & 31);
        }
    });
    Val::colors(V::joined(bits))
}

/// The items of an array that stay. `None` where a condition is no int.
#[inline(always)]
fn filter_array<V: Lanes>(cx: Cx, array: Val, n: u32, conditions: impl Read) -> Option<Val> {
    if array.x() != n {
        return None;
    }
    let (before, unit) = (cx.taken(), cx.take_vals(n)?);
    let (mut plain, mut len, mut k) = (true, 0, 0);
    // Each item is written, and the next one in its place unless it stays: no branch is foretold wrongly.
    while k < n {
        let holds = conditions(k);
        plain &= holds.is(Tag::Int);
        cx.put(unit, len, cx.val(array.a(), k));
        len += u32::from(holds.x() != 0);
        k += 1;
    }
    if !plain {
        cx.release(before);
        return None;
    }
    // Ints, locations and cells are one element each.
    let list = if array.extra() == 1 && array.b() == n {
        List::plain(unit, len)
    } else {
        List::over::<V>(cx, unit, len)
    };
    Some(if array.is(Tag::Set) {
        list.tidy::<V>(cx)
    } else {
        gather::tidy_tuple::<V>(cx, list.tuple(cx), false)
    })
}

/// The bits of a mask, or of an object of one colour, that stay: its items are its bits in their order.
/// `None` for anything else, or where a condition is no int.
#[inline(always)]
fn filter_bits<V: Lanes>(cx: Cx, patch: Val, n: u32, conditions: impl Read) -> Option<Val> {
    if !(patch.is(Tag::Mask) || patch::mono(patch).is_some()) || patch.extra() != n {
        return None;
    }
    let (before, unit) = (cx.taken(), cx.take(1)?);
    // One bit for each item first: loops as long as a row has bits would be foretold wrongly.
    let (mut holds, mut plain, mut count, mut k) = ([0u32; 64], true, 0, 0);
    while k < n {
        let (mut word, at, end) = (0, k as usize >> 5 & 31, n.min(k + 32));
        while k < end {
            let condition = conditions(k);
            plain &= condition.is(Tag::Int);
            word |= u32::from(condition.x() != 0) << (k & 31);
            k += 1;
        }
        holds[at] = word;
    }
    if !plain {
        cx.release(before);
        return None;
    }
    let all = cx.load::<V>(patch.a());
    let (mut rows, mut at) = (all.ballot(), 0);
    cx.store(unit, V::splat(0));
    while rows != 0 {
        let (row, word) = (rows.trailing_zeros(), |k: u32| u64::from(holds[k as usize & 63]));
        let two = word(at >> 5) | word((at >> 5) + 1) << 32;
        let (bits, here) = (all.get(row), (two >> (at & 31)) as u32);
        let stays = V::dealt(here, bits);
        at += bits.count_ones();
        count += stays.count_ones();
        cx.put_own_word(unit, row, stays);
        rows &= rows - 1;
    }
    if count == 0 {
        cx.release(before);
        return Some(Val::EMPTY_SET);
    }
    Some(Val::new(patch.tag(), count, unit, patch.b(), patch.x()))
}

/// The bits that stay; the colours of an object stay where they are.
#[inline(always)]
fn filter_patch<V: Lanes>(
    cx: Cx,
    container: Val,
    n: u32,
    items: impl Read,
    conditions: impl Read,
) -> Val {
    let (oi, oj) = container.origin();
    let bits = V::gathered(n, |k| {
        let v = items(k);
        let place = ((v.b() as i32 - oi) as u32, (v.x() as i32 - oj) as u32);
        truth(conditions(k)).then_some(place)
    });
    if container.is(Tag::Mask) {
        mask::make(cx, bits, (oi, oj))
    } else {
        patch::make_sharing(cx, bits, container.b(), (oi, oj))
    }
}

/// The rows of a grid that stay.
#[inline(always)]
fn filter_rows<V: Lanes>(cx: Cx, container: Val, n: u32, conditions: impl Read) -> Val {
    let Some(grid) = Grid::<V>::load(cx, container) else { return Val::BACK };
    let (mut planes, mut height, mut k) = (Planes([V::splat(0); 4]), 0, 0);
    while k < n.min(grid.height) {
        if truth(conditions(k)) {
            planes = planes.zip(grid.planes, |to, from| to | V::put(height, from.get(k)));
            height += 1;
        }
        k += 1;
    }
    if height == 0 { Val::EMPTY_TUPLE } else { Grid::make(cx, planes, height, grid.width) }
}

/// `mfilter`: the items of the items whose condition holds.
#[inline(always)]
pub fn filter_merge<V: Lanes>(
    cx: Cx,
    is_set: bool,
    n: u32,
    items: impl Read,
    conditions: impl Read,
) -> Val {
    if let Some(bad) = first_bad::<V>(n, conditions) {
        return bad;
    }
    let Some(list) = holding::<V>(cx, n, items, conditions) else { return Val::BACK };
    merge::<V>(cx, is_set, list.len(), |k| list.get(cx, k))
}
