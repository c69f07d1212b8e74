//! Sorting where lanes are threads: each of them numbers and merges its share.
//!
//! Numbers never contradict the order, and values of the same number are compared by one thread,
//! which is told how only for what bits of one colour hold. Other values are sorted elsewhere.

use core::cmp::Ordering;

use crate::arena::Cx;
use crate::lanes::{Lanes, low_bits};
use crate::patch::mono;
use crate::val::{Tag, Val};

/// Bits of a row or a column in the number of a cell.
const PLACE: u32 = 30;
/// As above, for a patch.
const START: u32 = 10;
/// Bits of the first row of a patch in its number, and of how far down it goes on.
const REST: u32 = 32 + 6;

/// What all of some values are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Ints, locations or cells near the grid: equal numbers are equal values.
    Plain,
    /// Patches of one kind that have one colour each, and the empty set.
    Patches,
}

/// An int, higher ones later.
#[inline(always)]
fn above(n: u32) -> u32 {
    n ^ 1 << 31
}

/// A number near zero, moved up so that it is not negative.
#[inline(always)]
fn near(n: u32, bits: u32) -> Option<u64> {
    let moved = n.wrapping_add(1 << (bits - 1));
    (moved >> bits == 0).then_some(u64::from(moved))
}

/// The number of an int, a location or a cell; `None` where its bits are too few.
#[inline(always)]
fn plain(v: Val) -> Option<u64> {
    match v.tag() {
        Tag::Int => Some(u64::from(above(v.x()))),
        Tag::Pair => Some(u64::from(above(v.b())) << 32 | u64::from(above(v.x()))),
        Tag::Cell if v.a() < 16 => Some(
            u64::from(v.a()) << (2 * PLACE) | near(v.b(), PLACE)? << PLACE | near(v.x(), PLACE)?,
        ),
        _ => None,
    }
}

/// Whether a patch has one colour, or none.
#[inline(always)]
fn is_simple(v: Val) -> bool {
    v.is(Tag::Mask) || mono(v).is_some()
}

/// The number of a simple patch or the empty set: its colour, its first place, the rest of its first
/// row, and how far down it goes on.
#[inline(always)]
fn patch(cx: Cx, v: Val) -> u64 {
    if !is_simple(v) {
        return 0;
    }
    let next = |from: u32| {
        let mut row = from;
        while row < 31 && cx.word(v.a(), row) == 0 {
            row += 1;
        }
        row
    };
    let row = next(0);
    let word = cx.word(v.a(), row);
    let column = word.trailing_zeros() & 31;
    let (oi, oj) = v.origin();
    // What is further out is left to comparing.
    let start = |n: i32| (n + (1 << (START - 1))).clamp(0, (1 << START) - 1) as u64;
    let far = |n: u64| n == 0 || n == (1 << START) - 1;
    let (i, j) = (start(oi + row as i32), start(oj + column as i32));
    let known = u64::from(mono(v).unwrap_or(0)) << (2 * START + REST) | i << (START + REST);
    if far(i) {
        return known;
    }
    let known = known | j << REST;
    if far(j) {
        return known;
    }
    let mut bits = word >> column;
    let mut below = 0;
    if v.extra() > word.count_ones() {
        below = 1 + next(row + 1) - row;
    } else {
        // As if it had all places that follow, so that it comes before those that go on there.
        bits |= !low_bits(32 - bits.leading_zeros());
    }
    known | u64::from((!bits).reverse_bits()) << 6 | u64::from(below & 63)
}

/// How two simple patches of one kind compare, read by one thread; `None` where they lie too far
/// apart.
#[inline(always)]
fn compare(cx: Cx, a: Val, b: Val) -> Option<Ordering> {
    if a == b {
        return Some(Ordering::Equal);
    }
    match (is_simple(a), is_simple(b)) {
        (false, false) => return Some(Ordering::Equal),
        (false, true) => return Some(Ordering::Less),
        (true, false) => return Some(Ordering::Greater),
        _ => {}
    }
    if mono(a) != mono(b) {
        return Some(mono(a).cmp(&mono(b)));
    }
    let (p, q) = (a.origin(), b.origin());
    let (top, left) = (p.0.min(q.0), p.1.min(q.1));
    let (right, below) = ((p.1 - left, q.1 - left), (p.0.max(q.0) - top + 32) as u32);
    if right.0 > 32 || right.1 > 32 {
        return None;
    }
    let row = |v: Val, from: i32, by: i32, i: u32| {
        let at = i.wrapping_sub((from - top) as u32);
        if at < 32 { u64::from(cx.word(v.a(), at)) << by } else { 0 }
    };
    let mut i = 0;
    while i < below {
        let (x, y) = (row(a, p.0, right.0, i), row(b, q.0, right.1, i));
        if x != y {
            let first = (x ^ y) & (x ^ y).wrapping_neg();
            let has = x & first != 0;
            let (rest, order) = if has { (y, Ordering::Less) } else { (x, Ordering::Greater) };
            // The other one is less where it ends there.
            let mut ends = rest & !(first | (first - 1)) == 0;
            let (other, from) = if has { (b, q.0) } else { (a, p.0) };
            i += 1;
            while ends && i < below {
                ends = row(other, from, 0, i) == 0;
                i += 1;
            }
            return Some(if ends { order.reverse() } else { order });
        }
        i += 1;
    }
    Some(Ordering::Equal)
}

/// A place in an array with its number.
#[inline(always)]
fn entry(number: u64, place: u32) -> Val {
    Val::new(Tag::Int, 0, (number >> 32) as u32, number as u32, place)
}

#[inline(always)]
fn number_of(entry: Val) -> u64 {
    u64::from(entry.a()) << 32 | u64::from(entry.b())
}

/// The places 0 to n by number and, where numbers are equal, by `tie`; those that are equal in their
/// old order. An array of ints in the arena; `None` where it is full or `tie` cannot tell.
///
/// A merge sort from the bottom up. Every sharer writes a part of each level, and finds out by
/// halving where that part begins in the two runs it comes from.
#[inline(always)]
pub fn arranged<V: Lanes>(
    cx: Cx,
    n: u32,
    number: impl Fn(u32) -> u64,
    tie: impl Fn(u32, u32) -> Option<Ordering>,
) -> Option<u32> {
    let (mut from, mut to) = (cx.take_vals(n)?, cx.take_vals(n)?);
    V::meet();
    V::each(n, |k| cx.put_own(from, k, entry(number(k), k)));
    V::meet();
    let mut unknown = false;
    let mut order = |x: Val, y: Val| match number_of(x).cmp(&number_of(y)) {
        Ordering::Equal => tie(x.x(), y.x()).unwrap_or_else(|| {
            unknown = true;
            Ordering::Equal
        }),
        other => other,
    };
    let sunk =
        V::find(n, |k| k > 0 && order(cx.val(from, k - 1), cx.val(from, k)) == Ordering::Greater);
    let share = n.div_ceil(V::SHARERS);
    let (first, end) = ((share * V::sharer()).min(n), (share * (V::sharer() + 1)).min(n));
    let mut run = if sunk.is_some() { 1 } else { n };
    while run < n {
        let mut at = first;
        while at < end {
            let start = at & !(2 * run - 1);
            let (middle, stop) = ((start + run).min(n), (start + 2 * run).min(n));
            let (before, upto) = (at - start, stop.min(end));
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
            while at < upto {
                let left = b >= stop
                    || (a < middle && order(cx.val(from, a), cx.val(from, b)) != Ordering::Greater);
                cx.put_own(to, at, cx.val(from, if left { a } else { b }));
                a += u32::from(left);
                b += u32::from(!left);
                at += 1;
            }
        }
        V::meet();
        core::mem::swap(&mut from, &mut to);
        run *= 2;
    }
    if V::joined(u32::from(unknown)) == 0 { Some(from) } else { None }
}

/// Whether an array has values, and all are ints, locations or cells near the grid.
#[inline(always)]
pub fn are_plain<V: Lanes>(cx: Cx, unit: u32, n: u32) -> bool {
    let first = cx.val(unit, 0).tag();
    let strange = |k: u32| !cx.val(unit, k).is(first) || plain(cx.val(unit, k)).is_none();
    n > 0 && V::find(n, strange).is_none()
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

/// What the values of an array are; `None` for what is sorted elsewhere.
#[inline(always)]
fn kind<V: Lanes>(cx: Cx, unit: u32, n: u32) -> Option<Kind> {
    let first = cx.val(unit, V::find(n, |k| !cx.val(unit, k).is_empty_set())?);
    let is_plain = |v: Val| v.is(first.tag()) && plain(v).is_some();
    let is_patch = |v: Val| v.is_empty_set() || (v.is(first.tag()) && is_simple(v));
    if is_simple(first) {
        V::find(n, |k| !is_patch(cx.val(unit, k))).is_none().then_some(Kind::Patches)
    } else {
        V::find(n, |k| !is_plain(cx.val(unit, k))).is_none().then_some(Kind::Plain)
    }
}

/// As [`crate::sort::sorted`], where this can be done here.
#[inline(never)]
pub fn sorted<V: Lanes>(cx: Cx, unit: u32, n: u32) -> Option<(u32, u32)> {
    let kind = kind::<V>(cx, unit, n)?;
    let out = cx.take_vals(n)?;
    let scratch = cx.taken();
    let number = |k: u32| match kind {
        Kind::Plain => plain(cx.val(unit, k)).unwrap_or(0),
        Kind::Patches => patch(cx, cx.val(unit, k)),
    };
    let tie = |a: u32, b: u32| match kind {
        Kind::Plain => Some(Ordering::Equal),
        Kind::Patches => compare(cx, cx.val(unit, a), cx.val(unit, b)),
    };
    let sorted = arranged::<V>(cx, n, number, tie)?;
    let place = |k: u32| cx.val(sorted, k).x();
    let first = |k: u32| {
        k == 0
            || number_of(cx.val(sorted, k)) != number_of(cx.val(sorted, k - 1))
            || tie(place(k - 1), place(k)) != Some(Ordering::Equal)
    };
    let len = V::pick(n, first, |at, k| cx.put_own(out, at, cx.val(unit, place(k))));
    V::meet();
    cx.release(scratch);
    Some((out, len))
}
