//! How two patches lie to each other.

use core::cmp::Ordering;

use crate::arena::Cx;
use crate::lanes::Lanes;
use crate::mask::{Bounds, place};
use crate::order::aligned;
use crate::patch::Patch;
use crate::seq::{Items, List};
use crate::val::{Fault, Tag, Val};

use super::moving::toindices;
use super::sides::middle;
use super::view::{Places, Read, View, array, bounds, fault, given, good, locations, view};

/// The most pairs of locations that are looked at for the nearest; the reference engine has a way that does
/// not grow with their number.
const MOST_LOOKS: u32 = 1 << 20;

/// The most steps that `gravitate` tries.
const STEPS: i64 = 42;

/// Whether two patches have a row in common.
#[inline(always)]
pub fn hmatching<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    given(matching::<V>(cx, a, b, false).map(Val::bool))
}

/// Whether two patches have a column in common.
#[inline(always)]
pub fn vmatching<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    given(matching::<V>(cx, a, b, true).map(Val::bool))
}

/// Whether two patches share a row, or a column.
#[inline(always)]
fn matching<V: Lanes>(cx: Cx, a: Val, b: Val, columns: bool) -> Read<bool> {
    let (Some(p), Some(q)) = (Patch::<V>::load(cx, a), Patch::<V>::load(cx, b)) else {
        return matching_lists::<V::Out>(cx, a, b, columns);
    };
    let line = |p: &Patch<V>| {
        if columns { (p.mask.or_all(), p.origin.1) } else { (p.mask.ballot(), p.origin.0) }
    };
    let ((x, from), (y, to)) = (line(&p), line(&q));
    Ok(share_bit(x, from, y, to))
}

#[inline(never)]
fn matching_lists<V: Lanes>(cx: Cx, a: Val, b: Val, columns: bool) -> Read<bool> {
    let (a, b) = (numbers::<V>(cx, a, columns)?, numbers::<V>(cx, b, columns)?);
    let mut x = Items::<V>::of(cx, a).ok_or(Val::BACK)?;
    let mut y = Items::<V>::of(cx, b).ok_or(Val::BACK)?;
    let (mut p, mut q) = (x.next(cx), y.next(cx));
    while let (Some(m), Some(n)) = (p, q) {
        let (m, n) = (m.x() as i32, n.x() as i32);
        match m.cmp(&n) {
            Ordering::Equal => return Ok(true),
            Ordering::Less => p = x.next(cx),
            Ordering::Greater => q = y.next(cx),
        }
    }
    Ok(false)
}

/// The numbers of the rows, or columns, that a patch touches, as a set.
fn numbers<V: Lanes>(cx: Cx, patch: Val, columns: bool) -> Read<Val> {
    let number = |v: Val| Val::int(if columns { v.x() } else { v.b() } as i32);
    let list = match view::<V>(cx, patch)? {
        View::Empty => return Ok(Val::EMPTY_SET),
        View::Places(places) => places.map::<V>(cx, number)?,
        View::Bits(p) => {
            let mut list = List::new(cx, 32).ok_or(Val::BACK)?;
            let (mut bits, from) =
                if columns { (p.mask.or_all(), p.origin.1) } else { (p.mask.ballot(), p.origin.0) };
            while bits != 0 {
                list.push(cx, Val::int(from + bits.trailing_zeros() as i32));
                bits &= bits - 1;
            }
            list
        }
    };
    good(list.set::<V::Out>(cx))
}

/// The locations of two patches, neither of them empty.
#[inline(always)]
fn both<V: Lanes>(cx: Cx, a: Val, b: Val) -> Read<(Val, Val)> {
    let (a, b) = (locations::<V>(cx, a)?, locations::<V>(cx, b)?);
    if a.is_empty_set() || b.is_empty_set() {
        return fault(Fault::Value);
    }
    Ok((a, b))
}

/// The smallest number of straight steps from one patch to another.
#[inline(always)]
pub fn manhattan<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    if let Some(((i, j), (k, l))) = single::<V>(cx, a).zip(single::<V>(cx, b)) {
        return Val::int(((i - k).abs() + (j - l).abs()) as i32);
    }
    let distance = both::<V>(cx, a, b).and_then(|(a, b)| {
        let (p, q) = (Patch::<V>::load(cx, a), Patch::<V>::load(cx, b));
        match p.zip(q).and_then(|(p, q)| distance(p, q)) {
            Some(n) => Ok(n),
            None => distance_of_lists::<V::Out>(cx, a, b),
        }
    });
    given(distance.map(Val::narrow))
}

/// The place of a patch that has only one.
#[inline(always)]
pub(crate) fn single<V: Lanes>(cx: Cx, patch: Val) -> Option<(i64, i64)> {
    if !matches!(patch.tag(), Tag::Mask | Tag::Object) || patch.extra() != 1 {
        return None;
    }
    // Nearly always the window begins there.
    let bits = cx.word(patch.a(), 0);
    let at = if bits == 0 { cx.first::<V>(patch.a()) } else { (0, bits.trailing_zeros() & 31) };
    let ((row, column), (oi, oj)) = (at, patch.origin());
    Some((i64::from(oi) + i64::from(row), i64::from(oj) + i64::from(column)))
}

/// How far apart two patches are; `None` where no window holds both.
#[inline(always)]
fn distance<V: Lanes>(a: Patch<V>, b: Patch<V>) -> Option<i64> {
    let (p, q) = (a.bounds(), b.bounds());
    let gap = |x: i32, y: i32| (x - y).max(0);
    let down = gap(p.top, q.bottom).max(gap(q.top, p.bottom));
    let across = gap(p.left, q.right).max(gap(q.left, p.right));
    let least = down + across;
    if least > 0 && if down > 0 { face(&a, p, &b, q, across > 0) } else { flank(&a, p, &b, q) } {
        return Some(i64::from(least));
    }
    let (mut m, n, _) = aligned(a, b)?;
    if (m & n).any() {
        return Some(0);
    }
    // Nothing can meet before the boxes do, so up to there steps may be long. A step of at most
    // half of what was grown (rounded up) leaves no holes, also at the edge of the window.
    let mut grown = 0;
    while grown < least - 1 {
        let step = ((grown + 1) / 2).max(1).min(least - 1 - grown);
        m = spread(m, step);
        grown += step;
    }
    // No two places in a window are further apart.
    while grown < 62 {
        m = spread(m, 1);
        grown += 1;
        if (m & n).any() {
            break;
        }
    }
    Some(i64::from(grown))
}

/// Whether two patches, of which one lies above the other, are as near to each other as their boxes are:
/// their nearest rows share a column, or begin and end in the nearest corners.
#[inline(always)]
fn face<V: Lanes>(a: &Patch<V>, p: Bounds, b: &Patch<V>, q: Bounds, aside: bool) -> bool {
    let (i, k) = if p.bottom < q.top { (p.bottom, q.top) } else { (p.top, q.bottom) };
    let x = a.mask.get((i - a.origin.0) as u32 & 31);
    let y = b.mask.get((k - b.origin.0) as u32 & 31);
    let bit = |word: u32, j: i32| word >> (j & 31) & 1 != 0;
    if aside {
        let (j, l) = if p.right < q.left { (p.right, q.left) } else { (p.left, q.right) };
        return bit(x, j - a.origin.1) & bit(y, l - b.origin.1);
    }
    share_bit(x, a.origin.1, y, b.origin.1)
}

/// As [`face`], for two of which one lies beside the other: whether their nearest columns share a row.
#[inline(always)]
fn flank<V: Lanes>(a: &Patch<V>, p: Bounds, b: &Patch<V>, q: Bounds) -> bool {
    let (j, l) = if p.right < q.left { (p.right, q.left) } else { (p.left, q.right) };
    let column =
        |of: &Patch<V>, j: i32| (of.mask & V::splat(1 << ((j - of.origin.1) & 31))).ballot();
    share_bit(column(a, j), a.origin.0, column(b, l), b.origin.0)
}

/// Whether two words, whose first bits are at two places, have a bit at the same place.
#[inline(always)]
fn share_bit(x: u32, from: i32, y: u32, to: i32) -> bool {
    let apart = from.abs_diff(to);
    let (low, high) = if from <= to { (x, y) } else { (y, x) };
    apart < 32 && u64::from(low) & u64::from(high) << apart != 0
}

/// Bits and the same bits moved in the four straight directions.
#[inline(always)]
fn spread<V: Lanes>(m: V, step: i32) -> V {
    let (along, back) = (m.shl(step as u32), m.shr(step as u32));
    if step == 1 {
        m | along | back | m.up() | m.down()
    } else {
        m | along | back | m.rows(step) | m.rows(-step)
    }
}

/// From every location of one outwards in the other, until the rows alone are too far away.
#[inline(never)]
fn distance_of_lists<V: Lanes>(cx: Cx, a: Val, b: Val) -> Read<i64> {
    let (a, b) = (array::<V>(cx, a)?, array::<V>(cx, b)?);
    let mut best = i64::MAX;
    let (mut k, mut looks) = (0, 0);
    while k < a.len {
        let from = a.at(cx, k);
        let middle = first_from(cx, b, (from.0, i32::MIN));
        let mut n = middle;
        while n < b.len && nearer(from, b.at(cx, n), &mut best) {
            n += 1;
        }
        looks += n - middle;
        n = middle;
        while n > 0 && nearer(from, b.at(cx, n - 1), &mut best) {
            n -= 1;
        }
        looks += middle - n;
        if looks > MOST_LOOKS {
            return Err(Val::BACK);
        }
        k += 1;
    }
    Ok(best)
}

/// Notes a distance if it is smaller; false where the rows alone are too far away.
#[inline(always)]
fn nearer(a: (i32, i32), b: (i32, i32), best: &mut i64) -> bool {
    let (rows, columns) = (i64::from(a.0.abs_diff(b.0)), i64::from(a.1.abs_diff(b.1)));
    if rows >= *best {
        return false;
    }
    *best = (*best).min(rows + columns);
    true
}

/// The number of the first location at or after one.
fn first_from(cx: Cx, all: Places, at: (i32, i32)) -> u32 {
    let (mut low, mut high) = (0, all.len);
    while low < high {
        let middle = low + (high - low) / 2;
        if all.at(cx, middle) < at {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// Whether two patches lie one straight step apart.
#[inline(always)]
pub fn adjacent<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    given(touching::<V>(cx, a, b).map(Val::bool))
}

#[inline(always)]
fn touching<V: Lanes>(cx: Cx, a: Val, b: Val) -> Read<bool> {
    if let Some(((i, j), (k, l))) = single::<V>(cx, a).zip(single::<V>(cx, b)) {
        return Ok((i - k).abs() + (j - l).abs() == 1);
    }
    let (p, q) = (Patch::<V>::load(cx, a), Patch::<V>::load(cx, b));
    if let Some(anchor) = q.and_then(Anchor::of) {
        return match p {
            Some(p) => Ok(anchor.touches(p, 0, 0)),
            None => anchor.to_out().touches_list(cx, a),
        };
    }
    if let Some(anchor) = p.and_then(Anchor::of) {
        return match q {
            Some(q) => Ok(anchor.touches(q, 0, 0)),
            None => anchor.to_out().touches_list(cx, b),
        };
    }
    let (a, b) = both::<V>(cx, a, b)?;
    touching_lists::<V::Out>(cx, a, b)
}

/// From the smaller patch's side: each of its locations is looked for in the larger one.
#[inline(never)]
fn touching_lists<V: Lanes>(cx: Cx, a: Val, b: Val) -> Read<bool> {
    let (a, b) = (array::<V>(cx, a)?, array::<V>(cx, b)?);
    let (few, many) = if a.len <= b.len { (a, b) } else { (b, a) };
    Ok(list_touches(cx, few, many, (0, 0)))
}

/// A patch in a window with room for what lies next to it.
struct Anchor<V> {
    mask: V,
    around: V,
    origin: (i32, i32),
}

impl<V: Lanes> Anchor<V> {
    /// `None` where the window is too small.
    #[inline(always)]
    fn of(patch: Patch<V>) -> Option<Anchor<V>> {
        let b = patch.bounds();
        if b.height() > 30 || b.width() > 30 {
            return None;
        }
        let origin = (b.top - 1, b.left - 1);
        let mask = patch.seen_from(origin);
        Some(Anchor { mask, around: spread(mask, 1), origin })
    }

    /// What is given to something that is compiled apart.
    #[inline(always)]
    fn to_out(&self) -> Anchor<V::Out> {
        Anchor { mask: self.mask.to_out(), around: self.around.to_out(), origin: self.origin }
    }

    /// Whether a patch, moved, lies exactly one step away. What of it lies outside the window is
    /// further away than that.
    #[inline(always)]
    fn touches(&self, patch: Patch<V>, i: i32, j: i32) -> bool {
        let (oi, oj) = (patch.origin.0 - self.origin.0 + i, patch.origin.1 - self.origin.1 + j);
        self.meets(place(patch.mask, oi, oj))
    }

    /// As [`Anchor::touches`], for what no window holds; a place may come more than once.
    #[inline(never)]
    fn touches_list(&self, cx: Cx, list: Val) -> Read<bool> {
        let View::Places(places) = view::<V>(cx, list)? else { return fault(Fault::Value) };
        let bits = V::gathered(places.len, |k| {
            let (i, j) = places.at(cx, k);
            let (row, column) = (i.wrapping_sub(self.origin.0), j.wrapping_sub(self.origin.1));
            let inside = (0..32).contains(&row) && (0..32).contains(&column);
            inside.then_some((row as u32, column as u32))
        });
        Ok(self.meets(bits))
    }

    /// Whether bits of the window lie exactly one step away.
    #[inline(always)]
    fn meets(&self, m: V) -> bool {
        (m & self.around).any() && !(m & self.mask).any()
    }
}

/// The step that moves one patch until it lies next to another.
#[inline(always)]
pub fn gravitate<V: Lanes>(cx: Cx, source: Val, destination: Val) -> Val {
    given(fall::<V>(cx, source, destination))
}

#[inline(always)]
fn fall<V: Lanes>(cx: Cx, source: Val, destination: Val) -> Read<Val> {
    let ((si, sj), (di, dj)) = (middle::<V>(cx, source)?, middle::<V>(cx, destination)?);
    let towards = |from: i64, to: i64| if from < to { 1 } else { -1 };
    let (i, j) = if matching::<V>(cx, source, destination, true)? {
        (towards(si, di), 0)
    } else {
        (0, towards(sj, dj))
    };
    let (a, b) = both::<V>(cx, source, destination)?;
    let steps = match Patch::<V>::load(cx, a).zip(Patch::<V>::load(cx, b)) {
        Some((p, q)) => match Anchor::of(q) {
            Some(anchor) => steps_to(p, &anchor, (i, j), meeting(p.bounds(), q.bounds(), (i, j))),
            None => steps_to_list::<V::Out>(cx, a, b, (i, j))?,
        },
        None => steps_to_list::<V::Out>(cx, a, b, (i, j))?,
    };
    Ok(Val::narrow_pair(steps * i, steps * j))
}

/// Between which steps a box that moves is at most one step away from another: from the first to
/// before the second.
#[inline(always)]
fn meeting(a: Bounds, b: Bounds, (i, j): (i64, i64)) -> (i64, i64) {
    let (low, high, first, last) = if i != 0 {
        (a.top, a.bottom, b.top, b.bottom)
    } else {
        (a.left, a.right, b.left, b.right)
    };
    let wide = |n: i32| i64::from(n);
    let (from, to) = if i + j > 0 {
        (wide(first) - 1 - wide(high), wide(last) + 1 - wide(low))
    } else {
        (wide(low) - wide(last) - 1, wide(high) - wide(first) + 1)
    };
    (from.max(0), (to + 1).min(STEPS))
}

/// How many steps until the patch touches, the most if it never does.
#[inline(always)]
fn steps_to<V: Lanes>(a: Patch<V>, to: &Anchor<V>, (i, j): (i64, i64), meet: (i64, i64)) -> i64 {
    let (mut n, end) = meet;
    while n < end {
        if to.touches(a, (n * i) as i32, (n * j) as i32) {
            return n;
        }
        n += 1;
    }
    STEPS
}

#[inline(never)]
fn steps_to_list<V: Lanes>(cx: Cx, a: Val, b: Val, (i, j): (i64, i64)) -> Read<i64> {
    let edges = bounds::<V>(cx, a)?.zip(bounds::<V>(cx, b)?);
    let (mut n, end) = edges.map_or((0, STEPS), |(p, q)| meeting(p, q, (i, j)));
    let (a, b) = (array::<V>(cx, a)?, array::<V>(cx, b)?);
    while n < end {
        if list_touches(cx, a, b, (n * i, n * j)) {
            return Ok(n);
        }
        n += 1;
    }
    Ok(STEPS)
}

/// Whether locations, moved, share none with others and lie next to one of them.
fn list_touches(cx: Cx, a: Places, b: Places, (di, dj): (i64, i64)) -> bool {
    let holds = |i: i64, j: i64| {
        let (at, fits) =
            ((i as i32, j as i32), (i64::from(i as i32), i64::from(j as i32)) == (i, j));
        let k = first_from(cx, b, at);
        fits && k < b.len && b.at(cx, k) == at
    };
    let (mut near, mut k) = (false, 0);
    while k < a.len {
        let (i, j) = a.at(cx, k);
        let (i, j) = (i64::from(i) + di, i64::from(j) + dj);
        if holds(i, j) {
            return false;
        }
        near = near || holds(i - 1, j) || holds(i + 1, j) || holds(i, j - 1) || holds(i, j + 1);
        k += 1;
    }
    near
}

/// The direction from the middle of one patch to that of another.
#[inline(always)]
pub fn position<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    given(direction::<V>(cx, a, b))
}

#[inline(always)]
fn direction<V: Lanes>(cx: Cx, a: Val, b: Val) -> Read<Val> {
    let (ai, aj) = middle_of_locations::<V>(cx, a)?;
    let (bi, bj) = middle_of_locations::<V>(cx, b)?;
    // In one row the columns decide alone, and equal columns count as leftwards.
    if ai == bi {
        return Ok(Val::pair(0, if aj < bj { 1 } else { -1 }));
    }
    Ok(Val::pair((bi - ai).signum() as i32, (bj - aj).signum() as i32))
}

/// The middle of the locations of a patch: a tuple of cells becomes a set first.
#[inline(always)]
fn middle_of_locations<V: Lanes>(cx: Cx, patch: Val) -> Read<(i64, i64)> {
    match patch.tag() {
        Tag::Mask | Tag::Object => middle::<V>(cx, patch),
        _ => middle::<V>(cx, good(toindices::<V>(cx, patch))?),
    }
}
