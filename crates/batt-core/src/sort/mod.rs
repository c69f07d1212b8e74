//! Values in canonical order.
//!
//! Sets of patches are sorted most often, and comparing two patches reads all their rows. So every
//! value gets numbers that never contradict the order (for a patch its colour, its first location,
//! the rest of its first row, where it goes on, and how), and only values with the same numbers are
//! compared, unless those are all there is to them.

mod desk;
mod number;

use crate::apart;
use crate::arena::Cx;
use crate::lanes::Lanes;
use crate::lanes::boost::widened;
use crate::val::{Tag, Val};
use desk::Desk;

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

#[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
fn kind<V: Lanes>(cx: Cx, unit: u32, n: u32) -> Kind {
    // Most often all are of one kind that needs no further look.
    let tag = cx.val(unit, 0).tag();
    if matches!(tag, Tag::Mask | Tag::Object) && V::all(n, |k| cx.val(unit, k).is(tag)) {
        return Kind::Patches;
    }
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
/// A merge sort from the bottom up, so that no order of the values is slow: by keys first, then among
/// those with the same key by comparing.
#[inline(never)]
pub fn sorted<V: Lanes>(cx: Cx, unit: u32, n: u32) -> Option<(u32, u32)> {
    if V::APART
        && n > 1
        && !few_are_long::<V>(cx, unit, n)
        && let Some(sorted) = apart::sorted::<V::Out>(cx, unit, n)
    {
        return Some(sorted);
    }
    if n < 2 {
        return Some((unit, n));
    }
    widened!(by_tickets::<V>(cx: Cx, unit: u32, n: u32) -> Option<(u32, u32)>)
}

#[inline(always)]
fn by_tickets<V: Lanes>(cx: Cx, unit: u32, n: u32) -> Option<(u32, u32)> {
    let before = cx.taken();
    let out = cx.take_vals(n)?;
    let scratch = cx.taken();
    let mut desk = Desk::new(cx, unit, n)?;
    let (count, ascending) = desk.fill::<V>(cx, n)?;
    if ascending {
        cx.release(before);
        return Some((unit, n));
    }
    desk.merge_keys(cx, count)?;
    let len = desk.write::<V>(cx, n, out)?;
    cx.release(scratch);
    Some((out, len))
}
