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
    while k < n && same {
        let v = cx.val(unit, k);
        let like = kind == Kind::Patches || v.is(first.tag());
        same = (like && form::<V>(cx, leading(cx, v, kind)) == tag)
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
        Tag::Set if v.x() > 0 => array_number(cx, v),
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

/// What of a patch's number does not depend on its place, with the row and the column in its window that
/// it starts at.
#[derive(Clone, Copy)]
struct Shape {
    color: u32,
    row: u32,
    column: u32,
    bits: u32,
    next: u32,
}

#[inline(always)]
fn patch_number<V: Lanes>(cx: Cx, patch: Val) -> u64 {
    shape::<V>(cx, patch).at(patch.origin())
}

impl Shape {
    /// The number of the patch in a window.
    #[inline(always)]
    fn at(self, (oi, oj): (i32, i32)) -> u64 {
        let (i, j) = (place(oi + self.row as i32), place(oj + self.column as i32));
        let start =
            u64::from(self.color) << 60 | i << (PLACE + PREFIX + NEXT) | j << (PREFIX + NEXT);
        from_start(start, self.bits, self.next)
    }
}

#[inline(always)]
fn shape<V: Lanes>(cx: Cx, patch: Val) -> Shape {
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
    let bits = word >> column;
    let later = rows & rows.wrapping_sub(1);
    let next = if bits >> PREFIX != 0 {
        BEYOND
    } else if later != 0 {
        let below = later.trailing_zeros() & 31;
        let right = (m.get(below).trailing_zeros() & 31) + 32 - column;
        (1 + below - row) << 6 | right
    } else if more {
        OTHER
    } else {
        0
    };
    Shape { color, row, column, bits, next }
}

/// Where a patch goes on after the bits of its first row that a number holds: in that row, or in another
/// colour. Nowhere, which is 0, comes first; in between are a row further down and a column.
const BEYOND: u32 = 1 << 6;
const OTHER: u32 = 33 << 6;

/// The number of a patch: its colour and first location, the bits from there on, and where it goes on.
#[inline(always)]
fn from_start(start: u64, bits: u32, next: u32) -> u64 {
    let (i, j) = (start >> (PLACE + PREFIX + NEXT) & FAR, start >> (PREFIX + NEXT) & FAR);
    // Too far out for the bits there are: what follows is left to comparing.
    if i == 0 || i == FAR || j == 0 || j == FAR {
        let known = if i == 0 || i == FAR { PLACE + PREFIX + NEXT } else { PREFIX + NEXT };
        return start >> known << known;
    }
    // What goes on nowhere is as if it had all places that follow, so that it comes before those that go
    // on there.
    let rest = if next == 0 { !low_bits(32 - bits.leading_zeros()) } else { 0 };
    let prefix = (!(bits | rest)).reverse_bits() >> (32 - PREFIX);
    start | u64::from(prefix) << NEXT | u64::from(next)
}

/// The number of a patch that is an array.
#[inline(always)]
fn array_number(cx: Cx, set: Val) -> u64 {
    let (item, first) = (|k: u32| cx.val(set.a(), k), cx.val(set.a(), 0));
    let (color, i, j) = (first.a() as i32, first.b() as i32, first.x() as i32);
    if !(0..16).contains(&color) {
        return if color < 0 { 0 } else { u64::MAX };
    }
    let start =
        (color as u64) << 60 | place(i) << (PLACE + PREFIX + NEXT) | place(j) << (PREFIX + NEXT);
    let across = |v: Val| i64::from(v.x() as i32) - i64::from(j);
    let in_color = |k: u32| k < set.x() && item(k).a() == first.a();
    let (mut bits, mut k) = (0, 0);
    while in_color(k) && item(k).b() == first.b() {
        if across(item(k)) >= i64::from(PREFIX) {
            return from_start(start, bits, BEYOND);
        }
        bits |= 1 << across(item(k));
        k += 1;
    }
    let next = if in_color(k) {
        let below = i64::from(item(k).b() as i32) - i64::from(i);
        let right = (across(item(k)) + 32).clamp(0, 63) as u32;
        // What lies further out than a window is told from that by comparing.
        if below > 31 { 32 << 6 | 63 } else { (1 + below as u32) << 6 | right }
    } else if k < set.x() {
        OTHER
    } else {
        0
    };
    from_start(start, bits, next)
}

/// A row or a column, moved up so that those just outside a grid are not below zero; 0 and [`FAR`]
/// stand for everything further out.
#[inline(always)]
fn place(n: i32) -> u64 {
    n.saturating_add(1 << (PLACE - 1)).clamp(0, FAR as i32) as u64
}

/// Whether two patches are the same rows and colours, in the same place or in another.
#[inline(always)]
fn same_rows(a: Val, b: Val) -> bool {
    a.is(b.tag()) && a.a() == b.a() && a.b() == b.b()
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
    let kind = if n > 1 { kind::<V>(cx, unit, n) } else { Kind::Any };
    // Where the values cease to ascend, if they do.
    let (mut ascending, mut k) = (0, 0);
    // The same patch often comes in many places.
    let mut last: Option<(Val, Shape)> = None;
    while k < n {
        let v = leading(cx, cx.val(unit, k), kind);
        let number = match kind {
            Kind::Any => 0,
            Kind::Plain => number::<V>(cx, v),
            _ if !matches!(v.tag(), Tag::Mask | Tag::Object) => number::<V>(cx, v),
            _ => {
                let shape = match last {
                    Some((last, shape)) if same_rows(last, v) => shape,
                    _ => shape::<V>(cx, v),
                };
                last = Some((v, shape));
                shape.at(v.origin())
            }
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
        let (first, second) = (number_of(x), number_of(y));
        if first == second {
            let order = entries::<V>(cx, unit, x, y)?;
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
