//! Numbers that never contradict the canonical order, so that few values are compared.

use crate::arena::Cx;
use crate::lanes::{Lanes, low_bits};
use crate::patch::{mono, planes};
use crate::val::{Tag, Val};

/// Numbers that are smaller only for values that come earlier, among those of one kind: the second one
/// counts where the first ones are equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub number: u64,
    /// What follows, and whether both numbers are all there is to the value.
    pub tie: u32,
}

/// Nothing but these numbers makes a value, so that those with the same numbers are equal.
pub(super) const EXACT: u32 = 1;

/// The key of a value. Among patches that are arrays, ties mean nothing.
#[inline(always)]
pub(super) fn key<V: Lanes>(cx: Cx, v: Val) -> Key {
    let above = |n: u32| n ^ 1 << 31;
    let (number, tie) = match v.tag() {
        Tag::Int => (u64::from(above(v.x())), EXACT),
        Tag::Pair => (u64::from(above(v.b())) << 32 | u64::from(above(v.x())), EXACT),
        Tag::Cell => (cell_number(v), 0),
        Tag::Mask | Tag::Object => return shape::<V>(cx, v).at(v.origin()),
        Tag::Set if v.x() > 0 => (array_number(cx, v), 0),
        _ => (0, 0),
    };
    Key { number, tie }
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
pub(super) struct Shape {
    color: u32,
    row: u32,
    column: u32,
    rest: u64,
    tie: u32,
}

impl Shape {
    /// The key of the patch in a window.
    #[inline(always)]
    pub fn at(self, (oi, oj): (i32, i32)) -> Key {
        let (i, j) = (place(oi + self.row as i32), place(oj + self.column as i32));
        let start =
            u64::from(self.color) << 60 | i << (PLACE + PREFIX + NEXT) | j << (PREFIX + NEXT);
        match far(i, j) {
            None => Key { number: start | self.rest, tie: self.tie },
            Some(known) => Key { number: start >> known << known, tie: 0 },
        }
    }
}

/// The shape of a mask or an object.
#[inline(always)]
pub(super) fn shape<V: Lanes>(cx: Cx, patch: Val) -> Shape {
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
    let (next, tie) = if bits >> PREFIX != 0 {
        (BEYOND, 0)
    } else if later != 0 {
        let below = later.trailing_zeros() & 31;
        let right = (m.get(below).trailing_zeros() & 31) + 32 - column;
        let tie = if V::APART { 0 } else { tie(m, (row, column), more) };
        ((1 + below - row) << 6 | right, tie)
    } else if more {
        (OTHER, 0)
    } else {
        // The number does not tell how many places there are at the end of the row.
        (0, (32 - bits.leading_zeros()) << 1 | EXACT)
    };
    Shape { color, row, column, rest: rest(bits, next), tie }
}

/// What follows the second row's first place. Lines and rectangles go on as they began: every row is the
/// one above it, moved by as much as the second one is, one column at most. How many such rows there are,
/// and what comes then, tells nearly all patches apart that begin alike.
///
/// Among patches that begin alike, those that end after k rows come first; then those whose next row comes
/// before the one that was to be expected, or is the first part of it; then those that have that row. If
/// it goes on after that, it comes between those that end there and those that do not. Last are those
/// whose next place is further on.
#[inline(always)]
fn tie<V: Lanes>(m: V, (row, column): (u32, u32), more: bool) -> u32 {
    // Columns from that of the first place on, which is the 32nd.
    let seen = |k: u32| (u64::from(m.get(k & 31)) << 32) >> column;
    let first = seen(row);
    let second = if row < 31 { seen(row + 1) } else { 0 };
    let aside = second.trailing_zeros() as i32 - 32;
    if second == 0 || !(-1..=1).contains(&aside) {
        return 0;
    }
    let (mut expected, mut k, mut next) = (first, 0, first);
    while next == expected && next != 0 {
        k += 1;
        expected = match aside {
            0 => first,
            1 => expected << 1,
            _ => expected >> 1,
        };
        next = if row + k < 32 { seen(row + k) } else { 0 };
    }
    let further = LAST - k;
    let order = if next == 0 {
        if more || (m & !V::below(row + k)).any() { further } else { return (4 * k) << 1 | EXACT }
    } else {
        let differ = next ^ expected;
        let bit = differ & differ.wrapping_neg();
        let beyond = |bits: u64| bits & !(bit | (bit - 1)) != 0;
        match next & bit != 0 {
            true if beyond(expected) => 4 * k + 2,
            true => 4 * (k + 1) + 1,
            false if beyond(next) || more || (m & !V::below(row + k + 1)).any() => further,
            false => 4 * k + 2,
        }
    };
    order << 1
}

/// More than the order of any patch that goes on as was to be expected.
const LAST: u32 = 1 << 10;

/// Where a patch goes on after the bits of its first row that a number holds: in that row, or in another
/// colour. Nowhere, which is 0, comes first; in between are a row further down and a column.
const BEYOND: u32 = 1 << 6;
const OTHER: u32 = 33 << 6;

/// The number of a patch: its colour and first location, the bits from there on, and where it goes on.
#[inline(always)]
fn from_start(start: u64, bits: u32, next: u32) -> u64 {
    let (i, j) = (start >> (PLACE + PREFIX + NEXT) & FAR, start >> (PREFIX + NEXT) & FAR);
    match far(i, j) {
        None => start | rest(bits, next),
        Some(known) => start >> known << known,
    }
}

/// How many bits mean nothing where a place is too far out for the bits there are: what follows is left to
/// comparing.
#[inline(always)]
fn far(i: u64, j: u64) -> Option<u32> {
    let is_far = |n: u64| n == 0 || n == FAR;
    if is_far(i) {
        Some(PLACE + PREFIX + NEXT)
    } else if is_far(j) {
        Some(PREFIX + NEXT)
    } else {
        None
    }
}

/// The bits of a patch's number after its first location.
#[inline(always)]
fn rest(bits: u32, next: u32) -> u64 {
    // What goes on nowhere is as if it had all places that follow, so that it comes before those that go
    // on there.
    let rest = if next == 0 { !low_bits(32 - bits.leading_zeros()) } else { 0 };
    let prefix = (!(bits | rest)).reverse_bits() >> (32 - PREFIX);
    u64::from(prefix) << NEXT | u64::from(next)
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
