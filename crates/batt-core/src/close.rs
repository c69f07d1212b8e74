//! What a higher-order primitive makes of the results of its bodies.
//!
//! The results of one loop are read by number, in the order of the items. The first result that is
//! bad, where it matters, is the result of the loop.

// Kernels compile this file as a module of their own.
#[path = "close/filters.rs"]
mod filters;

use core::cmp::Ordering;

use crate::arena::Cx;
use crate::gather::{self, Read};
use crate::keys;
use crate::lanes::Lanes;
use crate::seq::{List, truth};
use crate::val::{Fault, MAX_ELEMENTS, Tag, Val};
pub use filters::{filter, filter_merge};

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

/// As [`apply`], where the results are only looked at one by one and merged: they may come in any order and
/// more than once, as long as they would not be too large that way.
#[inline(always)]
pub fn heap<V: Lanes>(cx: Cx, n: u32, results: impl Read) -> Val {
    let is_patch = |k: u32| {
        let v = results(k);
        v.is(Tag::Mask) | v.is(Tag::Object) | v.is_empty_set()
    };
    if n == 0 || !V::all(n, is_patch) {
        return gather::set::<V>(cx, n, results);
    }
    let Some(unit) = cx.take_vals(n) else { return Val::BACK };
    // The empty set is the commonest by far, and need not come more than once.
    let empty = V::find(n, |k| results(k).is_empty_set()).unwrap_or(n);
    V::meet();
    let stays = |k: u32| k == empty || !results(k).is_empty_set();
    let len = V::pick(n, stays, |at, k| cx.put_own(unit, at, results(k)));
    V::meet();
    let mut elements = 0u32;
    V::each(len, |k| elements = elements.saturating_add(cx.val(unit, k).extra().max(1)));
    let elements = V::added(elements);
    if elements > MAX_ELEMENTS {
        return gather::set::<V>(cx, n, results);
    }
    Val::new(Tag::Set, 2, unit, elements, len)
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
