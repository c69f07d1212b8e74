//! Numbers that never contradict the order of values, and comparing by one thread.

use core::cmp::Ordering;

use crate::arena::Cx;
use crate::lanes::low_bits;
use crate::patch::mono;
use crate::val::{Tag, Val};

/// Bits of a row or a column in the number of a cell.
const PLACE: u32 = 30;
/// As above, for a patch.
const START: u32 = 10;
/// Bits of the first row of a patch in its number, and of how far down it goes on.
const REST: u32 = 32 + 6;

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
pub(super) fn plain(v: Val) -> Option<u64> {
    match v.tag() {
        Tag::Int => Some(u64::from(above(v.x()))),
        Tag::Pair => Some(u64::from(above(v.b())) << 32 | u64::from(above(v.x()))),
        Tag::Cell if v.a() < 16 => Some(
            u64::from(v.a()) << (2 * PLACE) | near(v.b(), PLACE)? << PLACE | near(v.x(), PLACE)?,
        ),
        _ => None,
    }
}

/// The number of a cell, or of one whose colour is null, which comes first; `None` for anything else, or
/// where its bits are too few.
#[inline(always)]
pub(super) fn cell(cx: Cx, v: Val) -> Option<u64> {
    const NEAR: u32 = PLACE - 1;
    let (color, at) = match v.tag() {
        Tag::Cell if v.a() < 16 => (1 + v.a(), v),
        Tag::Tuple if v.x() == 2 && cx.val(v.a(), 0).is(Tag::Null) => {
            (0, Some(cx.val(v.a(), 1)).filter(|at| at.is(Tag::Pair))?)
        }
        _ => return None,
    };
    Some(u64::from(color) << (2 * NEAR) | near(at.b(), NEAR)? << NEAR | near(at.x(), NEAR)?)
}

/// Whether a patch is bits of one colour, or of none.
#[inline(always)]
fn is_simple(v: Val) -> bool {
    v.is(Tag::Mask) || mono(v).is_some()
}

/// What the items of a simple patch are, or of one that is an array; `None` for anything else.
#[inline(always)]
pub(super) fn items_of(cx: Cx, v: Val) -> Option<Tag> {
    if is_simple(v) {
        return Some(if v.is(Tag::Mask) { Tag::Pair } else { Tag::Cell });
    }
    if !v.is(Tag::Set) {
        return None;
    }
    let tag = cx.val(v.a(), 0).tag();
    let (mut all, mut k) = (matches!(tag, Tag::Pair | Tag::Cell), 0);
    let fits = |k: u32| {
        let item = cx.val(v.a(), k);
        item.is(tag) & (item.a() < 16)
    };
    // Several are read at the same time.
    while all && k + 3 < v.x() {
        all = fits(k) & fits(k + 1) & fits(k + 2) & fits(k + 3);
        k += 4;
    }
    while all && k < v.x() {
        all = fits(k);
        k += 1;
    }
    all.then_some(tag)
}

/// A row or a column in the number of a patch; what is further out is left to comparing.
#[inline(always)]
fn start(n: i32) -> u64 {
    n.saturating_add(1 << (START - 1)).clamp(0, (1 << START) - 1) as u64
}

/// Whether a row or a column is further out than its number tells.
#[inline(always)]
fn is_far(n: u64) -> bool {
    n == 0 || n == (1 << START) - 1
}

/// The number of a patch that begins with a cell and goes on in that row with bits from there; `below`
/// is `None` where it ends with them.
#[inline(always)]
fn begun(color: u32, i: i32, j: i32, bits: u32, below: Option<u32>) -> u64 {
    let (i, j) = (start(i), start(j));
    let known = u64::from(color) << (2 * START + REST) | i << (START + REST);
    if is_far(i) {
        return known;
    }
    let known = known | j << REST;
    if is_far(j) {
        return known;
    }
    // One that ends is as if it had all places that follow, so that it comes before those that go on.
    let bits = if below.is_some() { bits } else { bits | !low_bits(32 - bits.leading_zeros()) };
    known | u64::from((!bits).reverse_bits()) << 6 | u64::from(below.unwrap_or(0))
}

/// The number of a patch that is an array: as that of one that is bits.
#[inline(always)]
fn listed(cx: Cx, v: Val) -> u64 {
    let first = cx.val(v.a(), 0);
    let (mut bits, mut below, mut k) = (1, None, 1);
    while k < v.x() && below.is_none() {
        let item = cx.val(v.a(), k);
        let right = item.x().wrapping_sub(first.x());
        below = match () {
            () if item.a() != first.a() => Some(63),
            () if item.b() != first.b() => Some(item.b().wrapping_sub(first.b()).min(61) + 1),
            () if right >= 32 => Some(0),
            () => None,
        };
        if below.is_none() {
            bits |= 1 << (right & 31);
        }
        k += 1;
    }
    // A location's field for the colour is zero.
    begun(first.a(), first.b() as i32, first.x() as i32, bits, below)
}

/// Calls `f` with four rows of a patch at a time: the number of the first, and all of them. All are
/// read at once, since a thread waits long for each.
#[inline(always)]
fn by_four(cx: Cx, v: Val, mut f: impl FnMut(u32, [u32; 4])) {
    let mut k = 0;
    while k < 8 {
        f(4 * k, cx.val(v.a(), k).words());
        k += 1;
    }
}

/// A bit for each of four rows that is not empty.
#[inline(always)]
fn used(words: [u32; 4]) -> u32 {
    let bit = |at: usize| u32::from(words[at & 3] != 0) << at;
    bit(0) | bit(1) | bit(2) | bit(3)
}

/// The number of a patch or the empty set: its colour, its first place, the rest of its first row,
/// and how far down it goes on.
#[inline(always)]
pub(super) fn patch(cx: Cx, v: Val) -> u64 {
    if v.is(Tag::Set) {
        return listed(cx, v);
    }
    if !is_simple(v) {
        return 0;
    }
    let mut rows = 0;
    by_four(cx, v, |row, words| rows |= used(words) << row);
    let row = rows.trailing_zeros() & 31;
    let word = cx.word(v.a(), row);
    let column = word.trailing_zeros() & 31;
    let (oi, oj) = v.origin();
    let later = rows & rows.wrapping_sub(1);
    let below = (later != 0).then(|| 1 + later.trailing_zeros() - row);
    begun(mono(v).unwrap_or(0), oi + row as i32, oj + column as i32, word >> column, below)
}

/// Walks the items of a patch, read by one thread.
struct Walk {
    v: Val,
    at: u32,
    row: u32,
    bits: u32,
}

impl Walk {
    #[inline(always)]
    fn of(v: Val) -> Walk {
        Walk { v, at: 0, row: 0, bits: 0 }
    }

    /// Colour, row and column of the next item.
    #[inline(always)]
    fn next(&mut self, cx: Cx) -> Option<(u32, i32, i32)> {
        let array = self.v.is(Tag::Set);
        if self.at >= if array { self.v.x() } else { self.v.extra() } {
            return None;
        }
        self.at += 1;
        if array {
            let item = cx.val(self.v.a(), self.at - 1);
            return Some((item.a(), item.b() as i32, item.x() as i32));
        }
        while self.bits == 0 && self.row < 32 {
            self.bits = cx.word(self.v.a(), self.row);
            self.row += 1;
        }
        let (oi, oj) = self.v.origin();
        let place = (oi + self.row as i32 - 1, oj + self.bits.trailing_zeros() as i32);
        self.bits &= self.bits.wrapping_sub(1);
        Some((mono(self.v).unwrap_or(0), place.0, place.1))
    }
}

/// How two patches compare, item by item.
#[inline(never)]
fn walked(cx: Cx, a: Val, b: Val) -> Ordering {
    let (mut x, mut y) = (Walk::of(a), Walk::of(b));
    loop {
        // Nothing comes before something.
        match (x.next(cx), y.next(cx)) {
            (None, None) => return Ordering::Equal,
            (p, q) if p != q => return p.cmp(&q),
            _ => {}
        }
    }
}

/// How two patches compare that are bits of one colour in the same window.
#[inline(always)]
fn beside(cx: Cx, a: Val, b: Val) -> Ordering {
    let xor = |x: [u32; 4], y: [u32; 4]| [x[0] ^ y[0], x[1] ^ y[1], x[2] ^ y[2], x[3] ^ y[3]];
    // Four rows at a time, the last ones first: so the first that differ are found without a branch.
    let (mut first, mut k) = (8, 8);
    while k > 0 {
        k -= 1;
        let [p, q, r, s] = xor(cx.val(a.a(), k).words(), cx.val(b.a(), k).words());
        first = if p | q | r | s == 0 { first } else { k };
    }
    if first == 8 {
        return Ordering::Equal;
    }
    let unlike = xor(cx.val(a.a(), first).words(), cx.val(b.a(), first).words());
    let row = 4 * first + (used(unlike).trailing_zeros() & 3);
    let (x, y) = (cx.word(a.a(), row), cx.word(b.a(), row));
    let first = (x ^ y) & (x ^ y).wrapping_neg();
    let has = x & first != 0;
    let (rest, other) = if has { (y, b) } else { (x, a) };
    // The other one is less where it ends there.
    let mut ends = rest & !(first | (first - 1)) == 0;
    let mut later = row + 1;
    while ends && later < 32 {
        ends = cx.word(other.a(), later) == 0;
        later += 1;
    }
    if has == ends { Ordering::Greater } else { Ordering::Less }
}

/// Whether two values are equal, read by one thread; `None` where that cannot tell.
#[inline(always)]
pub(super) fn alike(cx: Cx, a: Val, b: Val) -> Option<bool> {
    if matches!(a.tag(), Tag::Int | Tag::Pair | Tag::Cell) && a.is(b.tag()) {
        return Some(a == b);
    }
    if !is_simple(a) || !b.is(a.tag()) || !is_simple(b) {
        return None;
    }
    Some(a.extra() == b.extra() && compare(cx, a, b) == Ordering::Equal)
}

/// How two patches of one kind compare, read by one thread.
#[inline(always)]
pub(super) fn compare(cx: Cx, a: Val, b: Val) -> Ordering {
    if a == b {
        return Ordering::Equal;
    }
    match (a.is_empty_set(), b.is_empty_set()) {
        (true, _) => return Ordering::Less,
        (_, true) => return Ordering::Greater,
        _ => {}
    }
    if !is_simple(a) || !is_simple(b) {
        return walked(cx, a, b);
    }
    if mono(a) != mono(b) {
        return mono(a).cmp(&mono(b));
    }
    if a.x() == b.x() {
        return beside(cx, a, b);
    }
    let (p, q) = (a.origin(), b.origin());
    let (top, left) = (p.0.min(q.0), p.1.min(q.1));
    let (right, below) = ((p.1 - left, q.1 - left), (p.0.max(q.0) - top + 32) as u32);
    if right.0 > 32 || right.1 > 32 || below > 64 {
        return walked(cx, a, b);
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
            return if ends { order.reverse() } else { order };
        }
        i += 1;
    }
    Ordering::Equal
}
