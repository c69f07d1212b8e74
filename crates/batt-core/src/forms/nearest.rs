//! The item of a patch that lies nearest to a place.

use crate::arena::Cx;
use crate::close;
use crate::lanes::{Lanes, low_bits};
use crate::ops::{initset, manhattan, single};
use crate::patch::{Patch, mono, planes};
use crate::seq::len;
use crate::val::{Fault, Tag, Val};

use super::Bodies;

/// `argmin` by `manhattan` between a patch and `initset`: the first item of those that lie nearest to the
/// patch. Errors of a body begin at its slot.
#[inline(always)]
pub fn nearest<V: Lanes>(cx: Cx, from: Val, items: Val, body: u32) -> Val {
    match len(items) {
        None => return Val::error(Fault::Type),
        Some(0) => return Val::error(Fault::Value),
        Some(_) if from.is_bad() => return from,
        Some(_) => {}
    }
    let at = single::<V>(cx, from).zip(Patch::<V>::load(cx, items));
    match at {
        Some(((i, j), patch)) => nearest_bit(cx, (i as i32, j as i32), items, patch),
        None => nearest_singly::<V::Out>(cx, from, items, body),
    }
}

/// How far the nearest bit of a row that has one is from a column.
#[inline(always)]
fn across(bits: u32, column: i32) -> i32 {
    let (left, right) = (bits & low_bits((column + 1).max(0) as u32), bits >> column.clamp(0, 31));
    let before = if left == 0 { i32::MAX } else { column - 31 + left.leading_zeros() as i32 };
    // Past the window, no bit lies further right than the column.
    let after = if column > 31 || right == 0 {
        i32::MAX
    } else {
        right.trailing_zeros() as i32 - column.min(0)
    };
    before.min(after)
}

/// The bits of a row that are so far from a column.
#[inline(always)]
fn apart(bits: u32, column: i32, by: i32) -> u32 {
    let bit = |at: i32| if (0..32).contains(&at) { 1 << at } else { 0 };
    if by < 0 { 0 } else { bits & (bit(column - by) | bit(column + by)) }
}

#[inline(always)]
fn nearest_bit<V: Lanes>(cx: Cx, (i, j): (i32, i32), items: Val, patch: Patch<V>) -> Val {
    let (oi, oj) = patch.origin;
    let (row, column) = (i - oi, j - oj);
    let down = |k: u32| (k as i32 - row).abs();
    let mut least = i32::MAX;
    patch.mask.each_row(|k, bits| {
        if bits != 0 && down(k) < least {
            least = least.min(down(k) + across(bits, column));
        }
    });
    let least = V::least(least);
    let near = if V::APART {
        patch.mask & V::made(|k| apart(u32::MAX, column, least - down(k)))
    } else {
        let (mut near, mut k) = (V::splat(0), (row - least).clamp(0, 32) as u32);
        while (k as i32) < (row + least + 1).min(32) {
            near.mark(k, apart(patch.mask.get(k), column, least - down(k)));
            k += 1;
        }
        near
    };
    let (color, near) = match (items.is(Tag::Mask), mono(items)) {
        (true, _) => (0, near),
        (_, Some(color)) => (color, near),
        _ => planes::<V>(cx, items).extreme(near, false),
    };
    let Some((row, column)) = near.first() else { return Val::BACK };
    let (i, j) = (oi + row as i32, oj + column as i32);
    if items.is(Tag::Mask) { Val::pair(i, j) } else { Val::cell(color as i32, i, j) }
}

#[inline(never)]
fn nearest_singly<V: Lanes>(cx: Cx, from: Val, items: Val, body: u32) -> Val {
    let distance = |item: Val| {
        let before = cx.taken();
        let item = initset::<V>(cx, item);
        let key = if item.is_bad() { item } else { manhattan::<V>(cx, from, item) };
        cx.release(before);
        key
    };
    match Bodies::run::<V>(cx, items, body, distance) {
        Ok(all) => close::argmin::<V>(cx, all.n, |k| all.item(cx, k), |k| all.result(cx, k)),
        Err(bad) => bad,
    }
}
