//! Sorting where lanes are threads: each of them numbers and merges its share.
//!
//! Numbers never contradict the order, and values of the same number are compared by one thread,
//! which is told how only for what bits of one colour hold. Other values are sorted elsewhere.

mod numbers;

use core::cmp::Ordering;

use crate::arena::{Cx, VALS};
use crate::gather::Read;
use crate::lanes::Lanes;
use crate::sort::{entry, number_of};
use crate::val::{Tag, Val};
use numbers::{alike, cell, compare, items_of, patch, plain};

/// What all of some values are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Ints, locations or cells near the grid: equal numbers are equal values.
    Plain,
    /// Patches of one kind, as bits of one colour or as arrays, and the empty set.
    Patches,
    /// Cells near the grid of which some have no colour: equal numbers are equal values.
    Cells,
}

/// How two entries compare: by number and, where those are equal, by `tie`.
#[inline(always)]
fn by_number(x: Val, y: Val, tie: impl Fn(u32, u32) -> Ordering) -> Ordering {
    match number_of(x).cmp(&number_of(y)) {
        Ordering::Equal => tie(x.x(), y.x()),
        other => other,
    }
}

/// Two runs of entries that lie side by side: where they start, where the second does, where they end.
type Runs = (u32, u32, u32);

/// Writes a part of two runs as one, from a place on up to another; those that are equal in their old
/// order. Where the part begins in the two runs is found by halving.
#[inline(always)]
fn merge(
    cx: Cx,
    (from, to): (u32, u32),
    (start, middle, stop): Runs,
    (mut at, upto): (u32, u32),
    order: impl Fn(Val, Val) -> Ordering,
) {
    let before = at - start;
    let mut low = before.saturating_sub(stop - middle);
    let mut high = before.min(middle - start);
    while low < high {
        let half = u32::midpoint(low, high);
        let (x, y) = (cx.val(from, start + half), cx.val(from, middle + before - 1 - half));
        if order(x, y) == Ordering::Greater {
            high = half;
        } else {
            low = half + 1;
        }
    }
    let (mut a, mut b) = (start + low, middle + before - low);
    // Past its end a run is read at its last entry, which then does not count.
    let (last_a, last_b) = (middle.saturating_sub(1), stop.saturating_sub(1));
    let (mut x, mut y) = (cx.val(from, a.min(last_a)), cx.val(from, b.min(last_b)));
    while at < upto {
        let left = b >= stop || (a < middle && order(x, y) != Ordering::Greater);
        cx.put_own(to, at, if left { x } else { y });
        a += u32::from(left);
        b += u32::from(!left);
        // Without a branch: threads that part here would not meet again before the end.
        let next = cx.val(from, if left { a.min(last_a) } else { b.min(last_b) });
        (x, y) = if left { (next, y) } else { (x, next) };
        at += 1;
    }
}

/// The part of n places that a sharer writes.
#[inline(always)]
fn part<V: Lanes>(n: u32) -> (u32, u32) {
    let share = n.div_ceil(V::SHARERS);
    ((share * V::sharer()).min(n), (share * (V::sharer() + 1)).min(n))
}

/// The places 0 to n by number and, where numbers are equal, by `tie`; those that are equal in their
/// old order. An array of entries in the arena; `None` where it is full.
///
/// A merge sort from the bottom up. Every sharer writes a part of each level.
#[inline(always)]
pub fn arranged<V: Lanes>(
    cx: Cx,
    n: u32,
    number: impl Fn(u32) -> u64,
    tie: impl Fn(u32, u32) -> Ordering + Copy,
) -> Option<u32> {
    let (mut from, mut to) = (cx.take_vals(n)?, cx.take_vals(n)?);
    V::meet();
    V::each(n, |k| cx.put_own(from, k, entry(number(k), k)));
    V::meet();
    let order = |x: Val, y: Val| by_number(x, y, tie);
    let sunk =
        V::find(n, |k| k > 0 && order(cx.val(from, k - 1), cx.val(from, k)) == Ordering::Greater);
    let (first, end) = part::<V>(n);
    let mut run = if sunk.is_some() { 1 } else { n };
    while run < n {
        let mut at = first;
        while at < end {
            let start = at & !(2 * run - 1);
            let (middle, stop) = ((start + run).min(n), (start + 2 * run).min(n));
            merge(cx, (from, to), (start, middle, stop), (at, stop.min(end)), order);
            at = stop.min(end);
        }
        V::meet();
        core::mem::swap(&mut from, &mut to);
        run *= 2;
    }
    Some(from)
}

/// The values of an array that are not equal to another one, in their order: where they start and how
/// many they are. `None` where this cannot be told here, or the arena is full.
#[inline(always)]
pub fn without<V: Lanes>(cx: Cx, (unit, n): (u32, u32), v: Val) -> Option<(u32, u32)> {
    if V::find(n, |k| alike(cx, cx.val(unit, k), v).is_none()).is_some() {
        return None;
    }
    let out = cx.take_vals(n)?;
    let other = |k: u32| alike(cx, cx.val(unit, k), v) == Some(false);
    let len = V::pick(n, other, |at, k| cx.put_own(out, at, cx.val(unit, k)));
    V::meet();
    Some((out, len))
}

/// Whether an array has values, and all are ints, locations or cells near the grid.
#[inline(always)]
pub fn are_plain<V: Lanes>(cx: Cx, unit: u32, n: u32) -> bool {
    if n == 0 {
        return false;
    }
    let first = cx.val(unit, 0).tag();
    V::all(n, |k| cx.val(unit, k).is(first) & plain(cx.val(unit, k)).is_some())
}

/// Whether an ascending array of such values holds one more of them.
#[inline(always)]
pub fn holds(cx: Cx, unit: u32, n: u32, v: Val) -> bool {
    let (mut low, mut high, number) = (0, n, plain(v));
    while low < high {
        let half = u32::midpoint(low, high);
        if plain(cx.val(unit, half)) < number {
            low = half + 1;
        } else {
            high = half;
        }
    }
    low < n && plain(cx.val(unit, low)) == number
}

/// The values of an array that an ascending one holds (`keep`), or does not hold, in their order: where
/// they start and how many they are. `None` where this cannot be told here, or the arena is full.
#[inline(never)]
pub fn kept<V: Lanes>(
    cx: Cx,
    (unit, n): (u32, u32),
    set: (u32, u32),
    keep: bool,
) -> Option<(u32, u32)> {
    let all = |k: u32| if k < n { cx.val(unit, k) } else { cx.val(set.0, k - n) };
    let kind = kind::<V>(cx, n + set.1, all)?;
    let held = |v: Val| {
        let (mut low, mut high, wanted) = (0, set.1, number(cx, kind, v));
        while low < high {
            let half = u32::midpoint(low, high);
            let here = cx.val(set.0, half);
            let order = match number(cx, kind, here).cmp(&wanted) {
                Ordering::Equal => tie(cx, kind, here, v),
                other => other,
            };
            match order {
                Ordering::Equal => return true,
                Ordering::Less => low = half + 1,
                Ordering::Greater => high = half,
            }
        }
        false
    };
    let out = cx.take_vals(n)?;
    V::meet();
    let stays = |k: u32| held(cx.val(unit, k)) == keep;
    let len = V::pick(n, stays, |at, k| cx.put_own(out, at, cx.val(unit, k)));
    V::meet();
    Some((out, len))
}

/// What some values are; `None` for what is sorted elsewhere.
#[inline(always)]
fn kind<V: Lanes>(cx: Cx, n: u32, get: impl Read) -> Option<Kind> {
    let first = get(V::find(n, |k| !get(k).is_empty_set())?);
    let items = items_of(cx, first);
    if items.is_some() {
        let is_patch = |v: Val| v.is_empty_set() || items_of(cx, v) == items;
        return V::all(n, |k| is_patch(get(k))).then_some(Kind::Patches);
    }
    let is_plain = |v: Val| v.is(first.tag()) && plain(v).is_some();
    if first.is(Tag::Tuple) || first.is(Tag::Cell) {
        return V::all(n, |k| cell(cx, get(k)).is_some()).then_some(Kind::Cells);
    }
    V::all(n, |k| is_plain(get(k))).then_some(Kind::Plain)
}

/// The number of a value of a kind.
#[inline(always)]
fn number(cx: Cx, kind: Kind, v: Val) -> u64 {
    match kind {
        Kind::Plain => plain(v).unwrap_or(0),
        Kind::Patches => patch(cx, v),
        Kind::Cells => cell(cx, v).unwrap_or(0),
    }
}

/// How two values of a kind compare whose numbers are equal.
#[inline(always)]
fn tie(cx: Cx, kind: Kind, a: Val, b: Val) -> Ordering {
    match kind {
        Kind::Plain | Kind::Cells => Ordering::Equal,
        Kind::Patches => compare(cx, a, b),
    }
}

/// Writes the values of entries in order to another array, without repeats; how many there are.
#[inline(always)]
fn without_repeats<V: Lanes>(
    cx: Cx,
    kind: Kind,
    (sorted, n): (u32, u32),
    get: impl Read,
    out: u32,
) -> u32 {
    let value = |k: u32| get(cx.val(sorted, k).x());
    let first = |k: u32| {
        k == 0
            || number_of(cx.val(sorted, k)) != number_of(cx.val(sorted, k - 1))
            || tie(cx, kind, value(k - 1), value(k)) != Ordering::Equal
    };
    let len = V::pick(n, first, |at, k| cx.put_own(out, at, value(k)));
    V::meet();
    len
}

/// As [`crate::sort::sorted`], where this can be done here.
#[inline(never)]
pub fn sorted<V: Lanes>(cx: Cx, unit: u32, n: u32) -> Option<(u32, u32)> {
    let get = |k: u32| cx.val(unit, k);
    let kind = kind::<V>(cx, n, get)?;
    let out = cx.take_vals(n)?;
    let scratch = cx.taken();
    let sorted =
        arranged::<V>(cx, n, |k| number(cx, kind, get(k)), |a, b| tie(cx, kind, get(a), get(b)))?;
    let len = without_repeats::<V>(cx, kind, (sorted, n), get, out);
    // Repeats leave room at the end.
    cx.release(scratch.min(out + len.div_ceil(VALS)));
    Some((out, len))
}

/// The values of two ascending arrays as one, without repeats: where it starts and how long it is.
/// `None` where this cannot be done here, or the arena is full.
#[inline(never)]
pub fn merged<V: Lanes>(cx: Cx, a: (u32, u32), b: (u32, u32)) -> Option<(u32, u32)> {
    let n = a.1 + b.1;
    let get = |k: u32| if k < a.1 { cx.val(a.0, k) } else { cx.val(b.0, k - a.1) };
    let kind = kind::<V>(cx, n, get)?;
    let out = cx.take_vals(n)?;
    let scratch = cx.taken();
    let (from, to) = (cx.take_vals(n)?, cx.take_vals(n)?);
    V::meet();
    V::each(n, |k| cx.put_own(from, k, entry(number(cx, kind, get(k)), k)));
    V::meet();
    let order = |x: Val, y: Val| by_number(x, y, |p, q| tie(cx, kind, get(p), get(q)));
    let (first, end) = part::<V>(n);
    merge(cx, (from, to), (0, a.1, n), (first, end), order);
    V::meet();
    let len = without_repeats::<V>(cx, kind, (to, n), get, out);
    // Repeats leave room at the end.
    cx.release(scratch.min(out + len.div_ceil(VALS)));
    Some((out, len))
}
