//! Comparing keys: stricter than the canonical order, which is for sets.
//!
//! Ints compare with ints, tuples with tuples item by item, sets with sets by cardinality. Inside
//! tuples equal items are passed over, and a set never decides.

use core::cmp::Ordering;

use crate::apart;
use crate::arena::Cx;
use crate::gather::Read;
use crate::lanes::Lanes;
use crate::order::{self, equal};
use crate::seq::{elements, item, len};
use crate::val::{Fault, Tag, Val};

/// The most cells or elements that the keys of one call hold in all.
const MAX_KEYS: u32 = 1_048_576;
const NO_ORDER: Val = Val::error(Fault::Type);

/// How two keys compare; `Err` an error, or what cannot be told here.
#[inline(always)]
pub fn compare<V: Lanes>(cx: Cx, a: Val, b: Val) -> Result<Ordering, Val> {
    match (a.as_int(), b.as_int()) {
        (Some(a), Some(b)) => Ok(a.cmp(&b)),
        _ if a.is_set() && b.is_set() => Ok(len(a).cmp(&len(b))),
        _ if a.is_tuple() && b.is_tuple() => compare_tuples::<V::Out>(cx, a, b),
        _ => Err(NO_ORDER),
    }
}

#[inline(never)]
fn compare_tuples<V: Lanes>(cx: Cx, a: Val, b: Val) -> Result<Ordering, Val> {
    let (mut a, mut b) = (a, b);
    // Goes down into the first items that differ, level by level.
    loop {
        if a.is(b.tag()) && matches!(a.tag(), Tag::Pair | Tag::Cell | Tag::Grid) {
            return order::compare::<V>(cx, a, b).ok_or(Val::BACK);
        }
        let (Some(m), Some(n)) = (len(a), len(b)) else { return Err(Val::BACK) };
        let mut k = 0;
        let (x, y) = loop {
            if k == m.min(n) {
                return Ok(m.cmp(&n));
            }
            let (x, y) = (item::<V>(cx, a, k), item::<V>(cx, b, k));
            match equal::<V>(cx, x, y) {
                Some(true) => k += 1,
                Some(false) => break (x, y),
                None => return Err(Val::BACK),
            }
        };
        if let (Some(x), Some(y)) = (x.as_int(), y.as_int()) {
            return Ok(x.cmp(&y));
        }
        if !x.is_tuple() || !y.is_tuple() {
            return Err(NO_ORDER);
        }
        (a, b) = (x, y);
    }
}

/// What some keys are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Ints,
    Sets,
    /// Tuples of which any two compare, as the canonical order has them.
    Plain,
    Other,
}

/// What the keys are; `Err` if one is bad, or they are too large.
#[inline(always)]
fn kind<V: Lanes>(n: u32, get: impl Read) -> Result<Kind, Val> {
    let (mut other, mut size) = (0, 0u32);
    let bad = V::find(n, |k| {
        let v = get(k);
        size = size.saturating_add(elements(v));
        other |= u32::from(!v.is(Tag::Int)) | u32::from(!v.is_set()) << 1;
        other |= u32::from(!v.is(get(0).tag())) << 2;
        v.is_bad()
    });
    if V::added(size) > MAX_KEYS {
        return Err(first_trouble(n, get));
    }
    if let Some(k) = bad {
        return Err(get(k));
    }
    let other = V::joined(other);
    Ok(match () {
        () if other & 1 == 0 => Kind::Ints,
        () if other & 2 == 0 => Kind::Sets,
        () if other & 4 == 0 && matches!(get(0).tag(), Tag::Pair | Tag::Cell | Tag::Grid) => {
            Kind::Plain
        }
        () => Kind::Other,
    })
}

/// The first key that is bad, or with which they are too large.
#[inline(never)]
fn first_trouble(n: u32, get: impl Read) -> Val {
    let (mut size, mut k) = (0u32, 0);
    while k < n && !get(k).is_bad() {
        size = size.saturating_add(elements(get(k)));
        if size > MAX_KEYS {
            break;
        }
        k += 1;
    }
    if k < n && get(k).is_bad() { get(k) } else { Val::error(Fault::Size) }
}

/// The kind of keys of which any two compare.
#[inline(always)]
fn checked<V: Lanes>(cx: Cx, n: u32, get: impl Read) -> Result<Kind, Val> {
    let kind = kind::<V>(n, get)?;
    if kind == Kind::Other {
        check::<V::Out>(cx, n, get)?;
    }
    Ok(kind)
}

/// Refuses keys of which some two do not compare. In canonical order, keys that share a beginning
/// are neighbours, so where any two do not compare, some two neighbours do not.
#[inline(never)]
fn check<V: Lanes>(cx: Cx, n: u32, get: impl Read) -> Result<(), Val> {
    let scratch = cx.taken();
    let places = sort(cx, n, |a, b| order::compare::<V>(cx, get(a), get(b))).ok_or(Val::BACK)?;
    let mut k = 1;
    while k < n {
        let (a, b) = (cx.val(places, k - 1).x(), cx.val(places, k).x());
        compare::<V>(cx, get(a), get(b))?;
        k += 1;
    }
    cx.release(scratch);
    Ok(())
}

/// How two keys compare that were checked together.
#[inline(always)]
fn compare_checked<V: Lanes>(cx: Cx, kind: Kind, a: Val, b: Val) -> Option<Ordering> {
    match kind {
        Kind::Ints => Some((a.x() as i32).cmp(&(b.x() as i32))),
        Kind::Sets => Some(len(a).cmp(&len(b))),
        _ => order::compare::<V>(cx, a, b),
    }
}

/// The place of the first largest (`Greater`) or smallest (`Less`) key; `None` if there are none.
#[inline(always)]
pub fn extremum<V: Lanes>(
    cx: Cx,
    n: u32,
    get: impl Read,
    side: Ordering,
) -> Result<Option<u32>, Val> {
    if n == 0 {
        return Ok(None);
    }
    // Where lanes are apart, each looks at keys of its own below.
    if !V::APART
        && let Some(best) = extreme_int(n, get, side)
    {
        return Ok(Some(best));
    }
    let kind = checked::<V>(cx, n, get)?;
    if V::APART && matches!(kind, Kind::Ints | Kind::Sets) {
        let key = |k: u32| {
            let v = get(k);
            if kind == Kind::Ints { v.x() as i32 } else { len(v).unwrap_or(0) as i32 }
        };
        let mut best = key(0);
        V::each(n, |k| best = if key(k).cmp(&best) == side { key(k) } else { best });
        let best = if side == Ordering::Less { V::least(best) } else { V::most(best) };
        return Ok(V::find(n, |k| key(k) == best));
    }
    let (mut best, mut k) = (0, 1);
    while k < n {
        if compare_checked::<V>(cx, kind, get(k), get(best)).ok_or(Val::BACK)? == side {
            best = k;
        }
        k += 1;
    }
    Ok(Some(best))
}

/// As [`extremum`], where all keys are ints.
#[inline(always)]
fn extreme_int(n: u32, get: impl Read, side: Ordering) -> Option<u32> {
    let flip = if side == Ordering::Greater { -1 } else { 0 };
    let (mut best, mut least, mut k) = (0, i32::MAX, 0);
    while k < n {
        let v = get(k);
        if !v.is(Tag::Int) {
            return None;
        }
        // All bits turned around, ints ascend the other way.
        let key = v.x() as i32 ^ flip;
        if k == 0 || key < least {
            (best, least) = (k, key);
        }
        k += 1;
    }
    Some(best)
}

/// The places of the keys in ascending order, ties in their old order, as an array of ints.
#[inline(always)]
pub fn ascending<V: Lanes>(cx: Cx, n: u32, get: impl Read) -> Result<u32, Val> {
    places::<V>(cx, n, get, false)
}

/// The places of the keys in descending order, ties in their old order, as an array of ints.
#[inline(always)]
pub fn descending<V: Lanes>(cx: Cx, n: u32, get: impl Read) -> Result<u32, Val> {
    places::<V>(cx, n, get, true)
}

#[inline(always)]
fn places<V: Lanes>(cx: Cx, n: u32, get: impl Read, down: bool) -> Result<u32, Val> {
    let kind = checked::<V>(cx, n, get)?;
    let pairs = kind == Kind::Plain && get(0).is(Tag::Pair);
    if V::APART && n <= V::SHARERS && matches!(kind, Kind::Ints | Kind::Sets) {
        let number = |k: u32| {
            let v = get(k);
            let number = if kind == Kind::Ints { v.x() ^ 1 << 31 } else { len(v).unwrap_or(0) };
            if down { !number } else { number }
        };
        return ranked::<V>(cx, n, number).ok_or(Val::BACK);
    }
    if V::APART && (pairs || matches!(kind, Kind::Ints | Kind::Sets)) {
        let above = |n: u32| u64::from(n ^ 1 << 31);
        let number = |k: u32| {
            let v = get(k);
            let number = match kind {
                Kind::Ints => above(v.x()),
                Kind::Sets => u64::from(len(v).unwrap_or(0)),
                _ => above(v.b()) << 32 | above(v.x()),
            };
            if down { !number } else { number }
        };
        return apart::arranged::<V>(cx, n, number, |_, _| Ordering::Equal).ok_or(Val::BACK);
    }
    #[cfg(not(target_arch = "nvptx64"))]
    if n <= FEW && matches!(kind, Kind::Ints | Kind::Sets) {
        return few_places(cx, n, |k| {
            let v = get(k);
            let key = if kind == Kind::Ints { v.x() ^ 1 << 31 } else { len(v).unwrap_or(0) };
            if down { !key } else { key }
        })
        .ok_or(Val::BACK);
    }
    let compare = |a: u32, b: u32| {
        let (a, b) = if down { (b, a) } else { (a, b) };
        compare_checked::<V>(cx, kind, get(a), get(b))
    };
    sort(cx, n, compare).ok_or(Val::BACK)
}

/// The places of as many numbers as there are lanes in ascending order, ties in their old order, as an array
/// of ints: every lane counts what comes before its own.
#[inline(always)]
fn ranked<V: Lanes>(cx: Cx, n: u32, number: impl Fn(u32) -> u32) -> Option<u32> {
    let unit = cx.take_vals(n)?;
    let numbers = V::made(|k| if k < n { number(k) } else { 0 });
    let (mut before, mut other) = (V::splat(0), 0);
    while other < n {
        let theirs = numbers.get(other);
        before = before.add(V::made(|k| {
            let own = numbers.own(k);
            u32::from(theirs < own || (theirs == own && other < k))
        }));
        other += 1;
    }
    V::meet();
    V::each(n, |k| cx.put_own(unit, before.own(k), Val::int(k as i32)));
    V::meet();
    Some(unit)
}

/// As many keys as are sorted at once.
#[cfg(not(target_arch = "nvptx64"))]
const FEW: u32 = 64;

/// The places of at most [`FEW`] keys in ascending order, ties in their old order, as an array of ints.
#[cfg(not(target_arch = "nvptx64"))]
#[inline(always)]
fn few_places(cx: Cx, n: u32, key: impl Fn(u32) -> u32) -> Option<u32> {
    let unit = cx.take_vals(n)?;
    let mut all = [0; FEW as usize];
    let all = all.get_mut(..n as usize)?;
    for (k, entry) in all.iter_mut().enumerate() {
        *entry = u64::from(key(k as u32)) << 32 | k as u64;
    }
    all.sort_unstable();
    for (k, entry) in all.iter().enumerate() {
        cx.put(unit, k as u32, Val::int(*entry as u32 as i32));
    }
    Some(unit)
}

/// The places 0 to n in the order of `compare`, ties in their old order, as an array of ints in the
/// arena. `None` where it is full or two do not compare.
#[inline(always)]
pub fn sort(cx: Cx, n: u32, compare: impl Fn(u32, u32) -> Option<Ordering> + Copy) -> Option<u32> {
    let mut from = cx.take_vals(n)?;
    let (mut ordered, mut k) = (true, 0);
    while k < n {
        cx.put(from, k, Val::int(k as i32));
        ordered = ordered && (k == 0 || compare(k - 1, k)? != Ordering::Greater);
        k += 1;
    }
    if ordered {
        return Some(from);
    }
    let mut to = cx.take_vals(n)?;
    let mut run = 1;
    while run < n {
        let mut start = 0;
        while start < n {
            let (middle, end) = ((start + run).min(n), (start + 2 * run).min(n));
            let (mut a, mut b, mut k) = (start, middle, start);
            while k < end {
                let left = b >= end
                    || (a < middle
                        && compare(cx.val(from, a).x(), cx.val(from, b).x())? != Ordering::Greater);
                let at = if left { &mut a } else { &mut b };
                cx.put(to, k, cx.val(from, *at));
                *at += 1;
                k += 1;
            }
            start += 2 * run;
        }
        core::mem::swap(&mut from, &mut to);
        run *= 2;
    }
    Some(from)
}

/// The place that a rank means among `n` items: from 0, negative from the end.
#[inline(always)]
pub fn place(n: u32, rank: Val) -> Result<u32, Val> {
    let rank = i64::from(rank.as_int().ok_or(Val::error(Fault::Type))?);
    let at = if rank < 0 { i64::from(n) + rank } else { rank };
    if (0..i64::from(n)).contains(&at) { Ok(at as u32) } else { Err(Val::error(Fault::Index)) }
}
