//! Values in canonical order.
//!
//! Sets of patches are sorted most often, and comparing two patches reads all their rows. So every
//! patch gets a number that never contradicts the order (its colour, its first location, the rest of
//! its first row), and only patches with the same number are compared.

use core::cmp::Ordering;

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
    /// Patches of one kind.
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
    let first = cx.val(unit, 0);
    let kind = match first.tag() {
        Tag::Mask | Tag::Object => Kind::Patches,
        Tag::Tuple => Kind::Firsts,
        _ => return Kind::Any,
    };
    let tag = leading(cx, first, kind).tag();
    let mut same = matches!(tag, Tag::Mask | Tag::Object);
    let mut k = 1;
    while k < n && same {
        let v = cx.val(unit, k);
        same = v.is(first.tag()) && leading(cx, v, kind).is(tag);
        k += 1;
    }
    if same { kind } else { Kind::Any }
}

/// A number that is smaller only for patches that come earlier, among those of one kind.
#[inline(always)]
fn number<V: Lanes>(cx: Cx, patch: Val) -> u64 {
    let all = cx.load::<V>(patch.a());
    let (color, m, more) = match (patch.tag(), mono(patch)) {
        (Tag::Object, None) => {
            let colors = planes::<V>(cx, patch);
            let color = colors.palette(all).trailing_zeros();
            let m = colors.eq(color, all);
            (color, m, (all & !m).any())
        }
        (_, color) => (color.unwrap_or(0), all, false),
    };
    let rows = m.ballot();
    let row = rows.trailing_zeros() & 31;
    let word = m.get(row);
    let column = word.trailing_zeros() & 31;
    let mut bits = word >> column;
    // A patch that ends comes before those that go on, as if it had all places that follow.
    if !more && rows & rows.wrapping_sub(1) == 0 {
        bits |= !low_bits(32 - bits.leading_zeros());
    }
    let (oi, oj) = patch.origin();
    let place = |n: i32| (n + (1 << 15)) as u64;
    u64::from(color) << 60
        | place(oi + row as i32) << 43
        | place(oj + column as i32) << 26
        | u64::from(!bits.reverse_bits() >> 6)
}

/// A place in the array with its number.
#[inline(always)]
fn entry(number: u64, place: u32) -> Val {
    Val::new(Tag::Int, 0, (number >> 32) as u32, number as u32, place)
}

/// How the values of two entries compare.
#[inline(always)]
fn entries<V: Lanes>(cx: Cx, unit: u32, a: Val, b: Val) -> Option<Ordering> {
    match (a.a(), a.b()).cmp(&(b.a(), b.b())) {
        Ordering::Equal => compare::<V>(cx, cx.val(unit, a.x()), cx.val(unit, b.x())),
        other => Some(other),
    }
}

/// Puts the `n` values of an array in canonical order without repeats, into a new array: where it
/// starts and how many there are. `None` where the arena is full or order cannot be told here.
///
/// A merge sort from the bottom up, so that no order of the values is slow.
#[inline(never)]
pub fn sorted<V: Lanes>(cx: Cx, unit: u32, n: u32) -> Option<(u32, u32)> {
    let out = cx.take_vals(n)?;
    let scratch = cx.taken();
    let (mut from, mut to) = (cx.take_vals(n)?, cx.take_vals(n)?);
    let kind = if n > 1 { kind(cx, unit, n) } else { Kind::Any };
    let mut k = 0;
    while k < n {
        let number = match kind {
            Kind::Any => 0,
            _ => number::<V>(cx, leading(cx, cx.val(unit, k), kind)),
        };
        cx.put(from, k, entry(number, k));
        k += 1;
    }
    let mut run = 1;
    while run < n {
        let mut start = 0;
        while start < n {
            let middle = (start + run).min(n);
            let end = (middle + run).min(n);
            merge::<V>(cx, unit, (from, to), (start, middle, end))?;
            start = end;
        }
        core::mem::swap(&mut from, &mut to);
        run *= 2;
    }
    let (mut len, mut k) = (0, 0);
    while k < n {
        let here = cx.val(from, k);
        let repeats =
            k > 0 && entries::<V>(cx, unit, cx.val(from, k - 1), here)? == Ordering::Equal;
        if !repeats {
            cx.put(out, len, cx.val(unit, here.x()));
            len += 1;
        }
        k += 1;
    }
    cx.release(scratch);
    Some((out, len))
}

/// Merges two runs that follow each other into another array.
#[inline(always)]
fn merge<V: Lanes>(
    cx: Cx,
    unit: u32,
    (from, to): (u32, u32),
    (start, middle, end): (u32, u32, u32),
) -> Option<()> {
    let (mut a, mut b, mut k) = (start, middle, start);
    // Runs that are in order already are only copied.
    let in_order = middle >= end
        || entries::<V>(cx, unit, cx.val(from, middle - 1), cx.val(from, middle))?
            != Ordering::Greater;
    while k < end {
        let left = in_order && a < middle
            || b >= end
            || (a < middle
                && entries::<V>(cx, unit, cx.val(from, a), cx.val(from, b))? != Ordering::Greater);
        let v = cx.val(from, if left { a } else { b });
        if left {
            a += 1;
        } else {
            b += 1;
        }
        cx.put(to, k, v);
        k += 1;
    }
    Some(())
}
