//! What a higher-order primitive makes of the results of its bodies.
//!
//! The results of one loop are read by number, in the order of the items. The first result that is
//! bad, where it matters, is the result of the loop.

use core::cmp::Ordering;

use crate::arena::Cx;
use crate::gather::{self, Read};
use crate::grid::{Grid, Planes};
use crate::keys;
use crate::lanes::Lanes;
use crate::mask;
use crate::patch;
use crate::seq::{List, truth};
use crate::val::{Fault, Tag, Val};

/// The value, or what stood in its way.
#[inline(always)]
fn flatten(v: Result<Val, Val>) -> Val {
    match v {
        Ok(v) | Err(v) => v,
    }
}

/// `apply`, `rapply`, `papply`, `prapply`: the results as a set or a tuple.
#[inline(always)]
pub fn apply<V: Lanes>(cx: Cx, is_set: bool, n: u32, results: impl Read) -> Val {
    if is_set { gather::set::<V>(cx, n, results) } else { gather::tuple::<V>(cx, n, results) }
}

/// `mapply`, `mpapply`: the items of all results as a set or a tuple.
#[inline(always)]
pub fn merge<V: Lanes>(cx: Cx, is_set: bool, n: u32, results: impl Read) -> Val {
    if is_set { gather::union::<V>(cx, n, results) } else { gather::concat::<V>(cx, n, results) }
}

/// `extract`: the first item whose condition holds; decided by the first condition that is true or
/// bad.
#[inline(always)]
pub fn extract<V: Lanes>(n: u32, items: impl Read, conditions: impl Read) -> Val {
    let decides = |k: u32| {
        let holds = conditions(k);
        holds.is_bad() || truth(holds)
    };
    match V::find(n, decides) {
        None => Val::error(Fault::StopIteration),
        Some(k) if conditions(k).is_bad() => conditions(k),
        Some(k) => items(k),
    }
}

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

/// `order`: the items by ascending key, ties in their old order.
#[inline(always)]
pub fn order<V: Lanes>(cx: Cx, n: u32, items: impl Read, results: impl Read) -> Val {
    let Some(unit) = cx.take_vals(n) else { return Val::BACK };
    let scratch = cx.taken();
    let places = match keys::ascending::<V>(cx, n, results) {
        Ok(places) => places,
        Err(bad) => return bad,
    };
    V::meet();
    V::each(n, |k| cx.put_own(unit, k, items(cx.val(places, k).x())));
    V::meet();
    cx.release(scratch);
    gather::tidy_tuple::<V>(cx, List::over::<V>(cx, unit, n).tuple(cx), false)
}

/// The first of some values (items or keys) whose key is extreme; `empty` where there is none.
#[inline(always)]
pub fn extremum<V: Lanes>(
    cx: Cx,
    n: u32,
    from: impl Read,
    keys: impl Read,
    side: Ordering,
    empty: Val,
) -> Val {
    pick(keys::extremum::<V>(cx, n, keys, side), from, empty)
}

/// `argmax`: the first item with the largest key.
#[inline(always)]
pub fn argmax<V: Lanes>(cx: Cx, n: u32, items: impl Read, results: impl Read) -> Val {
    pick(keys::extremum::<V>(cx, n, results, Ordering::Greater), items, NOTHING)
}

/// `argmin`: the first item with the smallest key.
#[inline(always)]
pub fn argmin<V: Lanes>(cx: Cx, n: u32, items: impl Read, results: impl Read) -> Val {
    pick(keys::extremum::<V>(cx, n, results, Ordering::Less), items, NOTHING)
}

/// `valmax`: the largest key; `empty` where there is none.
#[inline(always)]
pub fn valmax<V: Lanes>(cx: Cx, n: u32, results: impl Read, empty: Val) -> Val {
    pick(keys::extremum::<V>(cx, n, results, Ordering::Greater), results, empty)
}

/// `valmin`: the smallest key; `empty` where there is none.
#[inline(always)]
pub fn valmin<V: Lanes>(cx: Cx, n: u32, results: impl Read, empty: Val) -> Val {
    pick(keys::extremum::<V>(cx, n, results, Ordering::Less), results, empty)
}

const NOTHING: Val = Val::error(Fault::Value);

#[inline(always)]
fn pick(place: Result<Option<u32>, Val>, from: impl Read, empty: Val) -> Val {
    match place {
        Ok(Some(at)) => from(at),
        Ok(None) => empty,
        Err(bad) => bad,
    }
}

/// `get_nth_by_key_t`, `get_nth_by_key_f`: the item at a rank, smallest key first.
#[inline(always)]
pub fn nth_by_key<V: Lanes>(
    cx: Cx,
    n: u32,
    items: impl Read,
    results: impl Read,
    rank: Val,
) -> Val {
    let scratch = cx.taken();
    ranked(cx, scratch, n, keys::ascending::<V>(cx, n, results), items, rank)
}

/// `get_arg_rank`: the item at a rank, largest key first.
#[inline(always)]
pub fn arg_rank<V: Lanes>(cx: Cx, n: u32, items: impl Read, results: impl Read, rank: Val) -> Val {
    let scratch = cx.taken();
    ranked(cx, scratch, n, keys::descending::<V>(cx, n, results), items, rank)
}

/// `get_val_rank`: the key at a rank, smallest first.
#[inline(always)]
pub fn val_rank<V: Lanes>(cx: Cx, n: u32, results: impl Read, rank: Val) -> Val {
    let scratch = cx.taken();
    ranked(cx, scratch, n, keys::ascending::<V>(cx, n, results), results, rank)
}

#[inline(always)]
fn ranked(
    cx: Cx,
    scratch: u32,
    n: u32,
    places: Result<u32, Val>,
    from: impl Read,
    rank: Val,
) -> Val {
    let picked = places.and_then(|places| Ok(cx.val(places, keys::place(n, rank)?).x()));
    cx.release(scratch);
    flatten(picked.map(from))
}
