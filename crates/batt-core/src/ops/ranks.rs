//! Picking by rank.

use crate::arena::Cx;
use crate::gather::flat;
use crate::keys;
use crate::lanes::Lanes;
use crate::order::{compare, equal};
use crate::seq::{len, nth};
use crate::val::{Fault, Tag, Val};

/// The item at a rank.
#[inline(always)]
fn at_rank<V: Lanes>(cx: Cx, container: Val, rank: Val) -> Val {
    let Some(n) = len(container) else { return Val::error(Fault::Type) };
    match keys::place(n, rank) {
        Ok(at) => nth::<V>(cx, container, at),
        Err(bad) => bad,
    }
}

#[inline(always)]
fn ranked_int<V: Lanes>(cx: Cx, ints: Val, rank: Val) -> Result<Val, Val> {
    let (unit, n) = flat::<V>(cx, ints)?;
    let mut k = 0;
    while k < n {
        if !cx.val(unit, k).is(Tag::Int) {
            return Err(Val::error(Fault::Type));
        }
        k += 1;
    }
    let places = keys::descending::<V>(cx, n, |k| cx.val(unit, k))?;
    Ok(cx.val(unit, cx.val(places, keys::place(n, rank)?).x()))
}

/// The distinct items of an array in canonical order, each with how often it occurs: an array of
/// places and counts, and how many there are.
#[inline(always)]
pub(super) fn counts<V: Lanes>(cx: Cx, unit: u32, n: u32) -> Option<(u32, u32)> {
    let places = keys::sort(cx, n, |a, b| compare::<V>(cx, cx.val(unit, a), cx.val(unit, b)))?;
    let (mut distinct, mut k) = (0, 0);
    // The counts take the places' room: there are never more of them than places read.
    while k < n {
        let start = cx.val(places, k).x();
        let mut end = k + 1;
        while end < n && equal::<V>(cx, cx.val(unit, start), cx.val(unit, cx.val(places, end).x()))?
        {
            end += 1;
        }
        cx.put(places, distinct, Val::pair(start as i32, (end - k) as i32));
        distinct += 1;
        k = end;
    }
    Some((places, distinct))
}

#[inline(always)]
fn common_rank<V: Lanes>(cx: Cx, container: Val, rank: Val) -> Result<Val, Val> {
    let (unit, n) = flat::<V>(cx, container)?;
    let (counted, distinct) = counts::<V>(cx, unit, n).ok_or(Val::BACK)?;
    let count = |k: u32| cx.val(counted, k).x();
    let places = keys::sort(cx, distinct, |a, b| Some(count(a).cmp(&count(b)))).ok_or(Val::BACK)?;
    let at = cx.val(places, keys::place(distinct, rank)?).x();
    Ok(cx.val(unit, cx.val(counted, at).b()))
}

/// The item of a tuple at a rank; negative ranks count from the end.
#[inline(always)]
pub fn get_nth_t<V: Lanes>(cx: Cx, container: Val, rank: Val) -> Val {
    if container.is_tuple() { at_rank::<V>(cx, container, rank) } else { Val::error(Fault::Type) }
}

/// The item of a container at a rank; negative ranks count from the end.
#[inline(always)]
pub fn get_nth_f<V: Lanes>(cx: Cx, container: Val, rank: Val) -> Val {
    at_rank::<V>(cx, container, rank)
}

/// The int at a rank, largest first.
#[inline(always)]
pub fn get_rank<V: Lanes>(cx: Cx, ints: Val, rank: Val) -> Val {
    let scratch = cx.taken();
    let picked = ranked_int::<V>(cx, ints, rank);
    // An int holds on to nothing.
    cx.release(scratch);
    match picked {
        Ok(v) | Err(v) => v,
    }
}

/// The distinct item at a rank by how often it occurs, rarest first.
#[inline(always)]
pub fn get_common_rank<V: Lanes>(cx: Cx, container: Val, rank: Val) -> Val {
    match common_rank::<V>(cx, container, rank) {
        Ok(v) | Err(v) => v,
    }
}
