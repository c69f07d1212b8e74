//! Values in canonical order.
//!
//! Sets of patches are sorted most often, and comparing two patches reads all their rows. So every
//! value gets a number that never contradicts the order (for a patch its colour, its first location,
//! the rest of its first row, and where it goes on), and only values with the same number are
//! compared.

use core::cmp::Ordering;

use crate::apart;
use crate::arena::Cx;
use crate::lanes::{Lanes, low_bits};
use crate::order::compare;
use crate::patch::{mono, planes};
use crate::val::{Tag, Val};

/// What the numbers are made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Nothing: all are compared.
    Any,
    /// Ints, locations, cells.
    Plain,
    /// Patches of one kind, and the empty set.
    Patches,
    /// Tuples that begin with patches of one kind.
    Firsts,
}

/// The patch in a value whose order comes first.
#[inline(always)]
fn leading(cx: Cx, v: Val, kind: Kind) -> Val {
    if kind == Kind::Firsts && v.is(Tag::Tuple) && v.x() > 0 { cx.val(v.a(), 0) } else { v }
}

fn kind(cx: Cx, unit: u32, n: u32) -> Kind {
    // The empty set comes first among sets; it may stand between patches.
    let mut k = 0;
    while k + 1 < n && cx.val(unit, k).is_empty_set() {
        k += 1;
    }
    let first = cx.val(unit, k);
    let kind = match first.tag() {
        Tag::Int | Tag::Pair | Tag::Cell => Kind::Plain,
        Tag::Mask | Tag::Object => Kind::Patches,
        Tag::Tuple => Kind::Firsts,
        _ => return Kind::Any,
    };
    let tag = leading(cx, first, kind).tag();
    let mut same = kind == Kind::Patches || k == 0;
    same &= kind != Kind::Firsts || matches!(tag, Tag::Mask | Tag::Object);
    while k < n && same {
        let v = cx.val(unit, k);
        same = (v.is(first.tag()) && leading(cx, v, kind).is(tag))
            || (kind == Kind::Patches && v.is_empty_set());
        k += 1;
    }
    if same { kind } else { Kind::Any }
}

/// A number that is smaller only for values that come earlier, among those of one kind.
#[inline(always)]
fn number<V: Lanes>(cx: Cx, v: Val) -> u64 {
    let above = |n: u32| n ^ 1 << 31;
    match v.tag() {
        Tag::Int => u64::from(above(v.x())),
        Tag::Pair => u64::from(above(v.b())) << 32 | u64::from(above(v.x())),
        Tag::Cell => cell_number(v),
        Tag::Mask | Tag::Object => patch_number::<V>(cx, v),
        _ => 0,
    }
}

/// Bits of a row or a column in a cell's number.
const CELL: u32 = 30;

/// The number of a cell; cells that it cannot tell apart lie very far out.
#[inline(always)]
fn cell_number(v: Val) -> u64 {
    let most = (1_i64 << CELL) - 1;
    let place = |n: u32| (i64::from(n as i32) + (1 << (CELL - 1))).clamp(0, most) as u64;
    let color = v.a() as i32;
    if !(0..15).contains(&color) {
        return if color < 0 { 0 } else { u64::MAX };
    }
    let (i, j) = (place(v.b()), place(v.x()));
    // Past the last row that the bits tell, columns decide nothing.
    let j = if i == 0 || i == most as u64 { 0 } else { j };
    u64::from(color as u32 + 1) << (2 * CELL) | i << CELL | j
}

/// Bits of the first row, from its first column on, that a number holds.
const PREFIX: u32 = 26;
/// Bits of a row or a column in a number.
const PLACE: u32 = 10;
const FAR: u64 = (1 << PLACE) - 1;
/// Bits that say where a patch goes on: rows further down, columns to the right.
const NEXT: u32 = 12;

#[inline(always)]
fn patch_number<V: Lanes>(cx: Cx, patch: Val) -> u64 {
    let all = cx.load::<V>(patch.a());
    let (color, m, more) = match (patch.tag(), mono(patch)) {
        (Tag::Object, None) => {
            let (color, m) = planes::<V>(cx, patch).extreme(all, false);
            (color, m, (all & !m).any())
        }
        (_, color) => (color.unwrap_or(0), all, false),
    };
    let rows = m.ballot();
    let row = rows.trailing_zeros() & 31;
    let word = m.get(row);
    let column = word.trailing_zeros() & 31;
    let (oi, oj) = patch.origin();
    let (i, j) = (place(oi + row as i32), place(oj + column as i32));
    let start = u64::from(color) << 60 | i << (PLACE + PREFIX + NEXT) | j << (PREFIX + NEXT);
    // Too far out for the bits there are: what follows is left to comparing.
    if i == 0 || i == FAR || j == 0 || j == FAR {
        let known = if i == 0 || i == FAR { PLACE + PREFIX + NEXT } else { PREFIX + NEXT };
        return start >> known << known;
    }
    let mut bits = word >> column;
    let later = rows & rows.wrapping_sub(1);
    let beyond = bits >> PREFIX;
    // Where it goes on after those bits: nowhere, which comes first, or a row further down and a
    // column, of which only what fits is kept.
    let next = if beyond != 0 {
        1 << 6
    } else if later != 0 {
        let below = later.trailing_zeros() & 31;
        let right = (m.get(below).trailing_zeros() & 31) + 32 - column;
        (1 + below - row) << 6 | right
    } else if more {
        33 << 6
    } else {
        // As if it had all places that follow, so that it comes before those that go on there.
        bits |= !low_bits(32 - bits.leading_zeros());
        0
    };
    let prefix = (!bits).reverse_bits() >> (32 - PREFIX);
    start | u64::from(prefix) << NEXT | u64::from(next)
}

/// A row or a column, moved up so that those just outside a grid are not below zero; 0 and [`FAR`]
/// stand for everything further out.
#[inline(always)]
fn place(n: i32) -> u64 {
    (n + (1 << (PLACE - 1))).clamp(0, FAR as i32) as u64
}

/// A place in the array with its number.
#[inline(always)]
fn entry(number: u64, place: u32) -> Val {
    Val::new(Tag::Int, 0, (number >> 32) as u32, number as u32, place)
}

#[inline(always)]
fn number_of(entry: Val) -> u64 {
    u64::from(entry.a()) << 32 | u64::from(entry.b())
}

/// How the values of two entries compare.
#[inline(always)]
fn entries<V: Lanes>(cx: Cx, unit: u32, a: Val, b: Val) -> Option<Ordering> {
    match number_of(a).cmp(&number_of(b)) {
        Ordering::Equal => compare::<V>(cx, cx.val(unit, a.x()), cx.val(unit, b.x())),
        other => Some(other),
    }
}

/// Whether there are so few values, and such long arrays among them, that lanes had better compare two
/// of them together than each its own.
#[inline(always)]
fn few_are_long<V: Lanes>(cx: Cx, unit: u32, n: u32) -> bool {
    const FEW: u32 = 32;
    const LONG: u32 = 256;
    let is_long = |v: Val| v.is(Tag::Set) && v.x() > LONG;
    n <= FEW && V::find(n, |k| is_long(cx.val(unit, k))).is_some()
}

/// Puts the `n` values of an array in canonical order without repeats: where they start and how
/// many there are, which is the array itself where it is in order already. `None` where the arena is
/// full or order cannot be told here.
///
/// A merge sort from the bottom up, so that no order of the values is slow; repeats go as soon as
/// they meet.
#[inline(never)]
pub fn sorted<V: Lanes>(cx: Cx, unit: u32, n: u32) -> Option<(u32, u32)> {
    if V::APART
        && n > 1
        && !few_are_long::<V>(cx, unit, n)
        && let Some(sorted) = apart::sorted::<V>(cx, unit, n)
    {
        return Some(sorted);
    }
    let before = cx.taken();
    let out = cx.take_vals(n)?;
    let scratch = cx.taken();
    let mut from = cx.take_vals(n)?;
    let kind = if n > 1 { kind(cx, unit, n) } else { Kind::Any };
    // Where the values cease to ascend, if they do.
    let (mut ascending, mut k) = (0, 0);
    while k < n {
        let number = match kind {
            Kind::Any => 0,
            _ => number::<V>(cx, leading(cx, cx.val(unit, k), kind)),
        };
        let here = entry(number, k);
        cx.put(from, k, here);
        if ascending == k
            && (k == 0 || entries::<V>(cx, unit, cx.val(from, k - 1), here)? == Ordering::Less)
        {
            ascending += 1;
        }
        k += 1;
    }
    if ascending == n {
        cx.release(before);
        return Some((unit, n));
    }
    let (mut to, runs) = (cx.take_vals(n)?, cx.take_vals(n)?);
    let mut count = split::<V>(cx, unit, from, n, ascending, runs)?;
    while count > 1 {
        let mut r = 0;
        while r < count {
            let left = cx.val(runs, r);
            let right = if r + 1 < count { cx.val(runs, r + 1) } else { Val::pair(0, 0) };
            let ends = ((left.b(), left.x()), (right.b(), right.x()));
            let len = merge::<V>(cx, unit, (from, to), ends.0, ends.1)?;
            cx.put(runs, r / 2, run(left.b(), len));
            r += 2;
        }
        core::mem::swap(&mut from, &mut to);
        count = count.div_ceil(2);
    }
    let len = cx.val(runs, 0).x();
    let mut k = 0;
    while k < len {
        cx.put(out, k, cx.val(unit, cx.val(from, k).x()));
        k += 1;
    }
    cx.release(scratch);
    Some((out, len))
}

/// Where a run starts and how long it is.
#[inline(always)]
fn run(start: u32, len: u32) -> Val {
    Val::pair(start as i32, len as i32)
}

/// Finds the runs that ascend already, of which the first is known; how many there are. What is put
/// together from sets has few.
#[inline(always)]
fn split<V: Lanes>(cx: Cx, unit: u32, from: u32, n: u32, first: u32, runs: u32) -> Option<u32> {
    cx.put(runs, 0, run(0, first));
    let (mut count, mut start, mut k) = (1, first, first + 1);
    while k <= n {
        let ends = k == n
            || entries::<V>(cx, unit, cx.val(from, k - 1), cx.val(from, k))? != Ordering::Less;
        if ends {
            cx.put(runs, count, run(start, k - start));
            count += 1;
            start = k;
        }
        k += 1;
    }
    Some(count)
}

/// Merges two runs (where each starts, how long it is) into another array, at the place of the
/// first; how long the result is.
#[inline(always)]
fn merge<V: Lanes>(
    cx: Cx,
    unit: u32,
    (from, to): (u32, u32),
    left: (u32, u32),
    right: (u32, u32),
) -> Option<u32> {
    let (mut a, mut b, mut k) = (left.0, right.0, left.0);
    let (a_end, b_end) = (left.0 + left.1, right.0 + right.1);
    while a < a_end && b < b_end {
        let (x, y) = (cx.val(from, a), cx.val(from, b));
        let order = entries::<V>(cx, unit, x, y)?;
        cx.put(to, k, if order == Ordering::Greater { y } else { x });
        k += 1;
        a += u32::from(order != Ordering::Greater);
        b += u32::from(order != Ordering::Less);
    }
    while a < a_end {
        cx.put(to, k, cx.val(from, a));
        a += 1;
        k += 1;
    }
    while b < b_end {
        cx.put(to, k, cx.val(from, b));
        b += 1;
        k += 1;
    }
    Some(k - left.0)
}
