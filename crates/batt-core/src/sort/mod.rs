//! Values in canonical order.
//!
//! Sets of patches are sorted most often, and comparing two patches reads all their rows. So every
//! value gets numbers that never contradict the order (for a patch its colour, its first location,
//! the rest of its first row, where it goes on, and how), and only values with the same numbers are
//! compared, unless those are all there is to them.

mod number;

use core::cmp::Ordering;

use crate::apart;
use crate::arena::Cx;
use crate::lanes::Lanes;
use crate::order::compare;
use crate::val::{Tag, Val};
use number::{EXACT, Key, Shape, key, shape};

/// What the numbers are made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Nothing: all are compared.
    Any,
    /// Ints, locations, cells.
    Plain,
    /// Patches of one kind as bits, and the empty set.
    Patches,
    /// Patches of one kind, of which some are arrays, and the empty set.
    Arrays,
    /// Tuples that begin with patches of one kind.
    Firsts,
}

/// The patch in a value whose order comes first.
#[inline(always)]
fn leading(cx: Cx, v: Val, kind: Kind) -> Val {
    if kind == Kind::Firsts && v.is(Tag::Tuple) && v.x() > 0 { cx.val(v.a(), 0) } else { v }
}

/// What a value is as a patch: an array of locations or cells is like a mask or an object.
#[inline(always)]
fn form<V: Lanes>(cx: Cx, v: Val) -> Tag {
    if V::APART || !v.is(Tag::Set) || v.x() == 0 {
        return v.tag();
    }
    let tag = cx.val(v.a(), 0).tag();
    let (mut strange, mut k) = (false, 0);
    while k < v.x() {
        strange |= !cx.val(v.a(), k).is(tag);
        k += 1;
    }
    match tag {
        Tag::Pair if !strange => Tag::Mask,
        Tag::Cell if !strange => Tag::Object,
        _ => Tag::Set,
    }
}

fn kind<V: Lanes>(cx: Cx, unit: u32, n: u32) -> Kind {
    // The empty set comes first among sets; it may stand between patches.
    let mut k = 0;
    while k + 1 < n && cx.val(unit, k).is_empty_set() {
        k += 1;
    }
    let first = cx.val(unit, k);
    let kind = match form::<V>(cx, first) {
        Tag::Int | Tag::Pair | Tag::Cell => Kind::Plain,
        Tag::Mask | Tag::Object => Kind::Patches,
        Tag::Tuple => Kind::Firsts,
        _ => return Kind::Any,
    };
    let tag = form::<V>(cx, leading(cx, first, kind));
    let mut same = kind == Kind::Patches || k == 0;
    same &= kind != Kind::Firsts || matches!(tag, Tag::Mask | Tag::Object);
    let mut arrays = false;
    while k < n && same {
        let v = cx.val(unit, k);
        let like = kind == Kind::Patches || v.is(first.tag());
        let leads = leading(cx, v, kind);
        arrays |= leads.is(Tag::Set);
        same = (like && (leads.is(tag) || form::<V>(cx, leads) == tag))
            || (kind == Kind::Patches && v.is_empty_set());
        k += 1;
    }
    match kind {
        _ if !same => Kind::Any,
        Kind::Patches if arrays => Kind::Arrays,
        // Ties would not tell arrays from bits.
        Kind::Firsts if arrays => Kind::Any,
        kind => kind,
    }
}

/// Whether two patches are the same rows and colours, in the same place or in another.
#[inline(always)]
fn same_rows(a: Val, b: Val) -> bool {
    a.is(b.tag()) && a.a() == b.a() && a.b() == b.b()
}

/// A place in an array with its number.
#[inline(always)]
pub(crate) fn entry(number: u64, place: u32) -> Val {
    Val::new(Tag::Int, 0, (number >> 32) as u32, number as u32, place)
}

/// The number of an entry.
#[inline(always)]
pub(crate) fn number_of(entry: Val) -> u64 {
    u64::from(entry.a()) << 32 | u64::from(entry.b())
}

/// A place in an array with its key.
#[inline(always)]
fn ticket(key: Key, place: u32) -> Val {
    Val::from_words(u64::from(key.tie) << 32 | u64::from(place), key.number)
}

/// The key of a ticket.
#[inline(always)]
fn key_of(ticket: Val) -> Key {
    let (lo, hi) = ticket.two_words();
    Key { number: hi, tie: (lo >> 32) as u32 }
}

/// The place of a ticket.
#[inline(always)]
fn place_of(ticket: Val) -> u32 {
    ticket.two_words().0 as u32
}

/// How the values of two tickets compare.
#[inline(always)]
fn tickets<V: Lanes>(cx: Cx, unit: u32, a: Val, b: Val) -> Option<Ordering> {
    match key_of(a).cmp(&key_of(b)) {
        Ordering::Equal => same_key::<V>(cx, unit, a, b),
        other => Some(other),
    }
}

/// As [`tickets`], for two with the same key.
#[inline(always)]
fn same_key<V: Lanes>(cx: Cx, unit: u32, a: Val, b: Val) -> Option<Ordering> {
    if key_of(a).tie & EXACT != 0 {
        return Some(Ordering::Equal);
    }
    compare::<V>(cx, cx.val(unit, place_of(a)), cx.val(unit, place_of(b)))
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
    let kind = if n > 1 { kind::<V>(cx, unit, n) } else { Kind::Any };
    // Where the values cease to ascend, if they do.
    let (mut ascending, mut k) = (0, 0);
    // The same patch often comes in many places.
    let mut last: Option<(Val, Shape)> = None;
    while k < n {
        let v = leading(cx, cx.val(unit, k), kind);
        let mut key = match kind {
            Kind::Any => Key { number: 0, tie: 0 },
            Kind::Plain => key::<V>(cx, v),
            _ if !matches!(v.tag(), Tag::Mask | Tag::Object) => key::<V>(cx, v),
            _ => {
                let shape = match last {
                    Some((last, shape)) if same_rows(last, v) => shape,
                    _ => shape::<V>(cx, v),
                };
                last = Some((v, shape));
                shape.at(v.origin())
            }
        };
        match kind {
            Kind::Arrays => key.tie = 0,
            // There is more to a tuple than its first item.
            Kind::Firsts => key.tie &= !EXACT,
            _ => {}
        }
        let here = ticket(key, k);
        cx.put(from, k, here);
        if ascending == k
            && (k == 0 || tickets::<V>(cx, unit, cx.val(from, k - 1), here)? == Ordering::Less)
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
        cx.put(out, k, cx.val(unit, place_of(cx.val(from, k))));
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
            || tickets::<V>(cx, unit, cx.val(from, k - 1), cx.val(from, k))? != Ordering::Less;
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
        let (first, second) = (key_of(x), key_of(y));
        if first == second {
            let order = same_key::<V>(cx, unit, x, y)?;
            cx.put(to, k, if order == Ordering::Greater { y } else { x });
            a += u32::from(order != Ordering::Greater);
            b += u32::from(order != Ordering::Less);
        } else {
            // Which comes first cannot be foretold, so nothing branches on it.
            let greater = second < first;
            cx.put(to, k, if greater { y } else { x });
            a += u32::from(!greater);
            b += u32::from(greater);
        }
        k += 1;
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
