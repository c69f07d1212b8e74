//! The canonical total order, equality, and the order of keys.

use core::cmp::Ordering;

use crate::arena::Cx;
use crate::gather::seen;
use crate::grid::{Grid, Planes};
use crate::lanes::boost::widened;
use crate::lanes::{Lanes, low_bits};
use crate::mask::Bounds;
use crate::patch::{Patch, mono};
use crate::seq::{Items, item, len};
use crate::val::{Tag, Val};
use crate::wide::Wide;

/// null, ints, tuples, sets, functions.
#[inline(always)]
fn rank(v: Val) -> u32 {
    match v.tag() {
        Tag::Null => 0,
        Tag::Int => 1,
        _ if v.is_tuple() => 2,
        Tag::Function => 4,
        _ => 3,
    }
}

/// How two values compare in canonical order; `None` where it cannot be told here.
#[inline(always)]
pub fn compare<V: Lanes>(cx: Cx, a: Val, b: Val) -> Option<Ordering> {
    match (a.tag(), b.tag()) {
        (Tag::Mask, Tag::Mask) => compare_masks::<V::Out>(cx, a, b),
        (Tag::Object, Tag::Object) => compare_objects::<V::Out>(cx, a, b),
        _ => compare_plain(a, b).or_else(|| compare_large::<V::Out>(cx, a, b)),
    }
}

/// As [`compare`], for two ints, locations, cells or sets of colours; `None` for anything else.
#[inline(always)]
pub fn compare_plain(a: Val, b: Val) -> Option<Ordering> {
    match (a.tag(), b.tag()) {
        (Tag::Int, Tag::Int) => Some((a.x() as i32).cmp(&(b.x() as i32))),
        (Tag::Pair, Tag::Pair) => {
            Some((a.b() as i32, a.x() as i32).cmp(&(b.b() as i32, b.x() as i32)))
        }
        (Tag::Cell, Tag::Cell) => Some((a.a() as i32, a.b() as i32, a.x() as i32).cmp(&(
            b.a() as i32,
            b.b() as i32,
            b.x() as i32,
        ))),
        (Tag::Colors, Tag::Colors) => Some(compare_bits(a.x(), b.x())),
        _ => None,
    }
}

/// Whether two values are equal; `None` where it cannot be told here.
#[inline(always)]
pub fn equal<V: Lanes>(cx: Cx, a: Val, b: Val) -> Option<bool> {
    if a == b {
        return Some(true);
    }
    match (a.tag(), b.tag()) {
        (Tag::Mask, Tag::Mask) | (Tag::Object, Tag::Object) => {
            if a.extra() != b.extra() {
                return Some(false);
            }
            compare::<V>(cx, a, b).map(|o| o == Ordering::Equal)
        }
        (Tag::Grid, Tag::Grid) => {
            let (p, q) = (Grid::<V>::load(cx, a)?, Grid::<V>::load(cx, b)?);
            Some(a.x() == b.x() && !p.planes.differ(q.planes).any())
        }
        _ if are_unlike(a, b) => Some(false),
        _ => compare::<V>(cx, a, b).map(|o| o == Ordering::Equal),
    }
}

/// Whether two values cannot be equal because they are tuples of different lengths, or grids of different
/// sizes.
#[inline(always)]
fn are_unlike(a: Val, b: Val) -> bool {
    let is_grid = |v: Val| v.is(Tag::Grid) | v.is(Tag::Wide);
    let length = |v: Val| match v.tag() {
        Tag::Grid | Tag::Wide => v.dims().0,
        Tag::Tuple => v.x(),
        _ => 2,
    };
    if is_grid(a) & is_grid(b) {
        a.dims() != b.dims()
    } else {
        a.is_tuple() & b.is_tuple() & (length(a) != length(b))
    }
}

/// As [`compare`], for anything but patches and what is plain.
#[inline(never)]
fn compare_large<V: Lanes>(cx: Cx, a: Val, b: Val) -> Option<Ordering> {
    if a.is_bad() || b.is_bad() {
        return None;
    }
    if a == b {
        return Some(Ordering::Equal);
    }
    match rank(a).cmp(&rank(b)) {
        Ordering::Equal => {}
        other => return Some(other),
    }
    match (a.tag(), b.tag()) {
        (Tag::Null, _) => Some(Ordering::Equal),
        // Their order is that of their text.
        (Tag::Function, _) => None,
        (Tag::Grid, Tag::Grid) => compare_grids::<V>(cx, a, b),
        (Tag::Wide, Tag::Wide) => Some(Wide::load(a)?.compare(cx, &Wide::load(b)?)),
        _ if a.is_tuple() => compare_tuples::<V>(cx, a, b),
        _ => compare_sets::<V>(cx, a, b),
    }
}

/// Ascending sequences of bit numbers: at the lowest difference, the one that has it is less,
/// unless the other ends there.
#[inline(always)]
fn compare_bits(a: u32, b: u32) -> Ordering {
    let differ = a ^ b;
    if differ == 0 {
        return Ordering::Equal;
    }
    let bit = differ & differ.wrapping_neg();
    let (has, other, order) =
        if a & bit != 0 { (a, b, Ordering::Less) } else { (b, a, Ordering::Greater) };
    let _ = has;
    if other & !(bit | (bit - 1)) == 0 { order.reverse() } else { order }
}

/// Two patches' bits in one window that holds both; `None` where none does.
#[inline(always)]
pub fn aligned<V: Lanes>(a: Patch<V>, b: Patch<V>) -> Option<(V, V, (i32, i32))> {
    if a.origin == b.origin {
        return Some((a.mask, b.mask, a.origin));
    }
    let both: Bounds = a.bounds().join(b.bounds());
    let origin = both.window()?;
    Some((a.seen_from(origin), b.seen_from(origin), origin))
}

/// As [`compare_bits`], row by row.
#[inline(always)]
fn compare_rows<V: Lanes>(a: V, b: V) -> Ordering {
    let Some((row, column)) = (a ^ b).first() else { return Ordering::Equal };
    let has = a.get(row) >> column & 1 != 0;
    let other = if has { b } else { a };
    let order = if has { Ordering::Less } else { Ordering::Greater };
    if other.any_after(row, column) { order } else { order.reverse() }
}

/// As [`compare_rows`], for the rows at two units.
#[inline(always)]
fn compare_stored<V: Lanes>(cx: Cx, a: u32, b: u32) -> Ordering {
    if a == b {
        return Ordering::Equal;
    }
    let Some((row, x, y)) = cx.first_unlike::<V>(a, b) else { return Ordering::Equal };
    let column = (x ^ y).trailing_zeros() & 31;
    let has = x >> column & 1 != 0;
    let other = if has { b } else { a };
    let order = if has { Ordering::Less } else { Ordering::Greater };
    if cx.load::<V>(other).any_after(row, column) { order } else { order.reverse() }
}

/// Two patches' bits, row by row from the first on: most differ early. `None` where their windows lie too
/// far apart.
#[inline(always)]
fn compare_near<V: Lanes>(cx: Cx, a: Val, b: Val) -> Option<Ordering> {
    let ((ai, aj), (bi, bj)) = (a.origin(), b.origin());
    if ai.abs_diff(bi) > 31 || aj.abs_diff(bj) > 31 {
        return None;
    }
    // The rows of both as they lie side by side.
    let left = aj.min(bj);
    let row = |v: Val, (oi, oj): (i32, i32), i: i32| {
        let row = (i - oi) as u32;
        if row < 32 { u64::from(cx.row::<V>(v.a(), row)) << (oj - left) } else { 0 }
    };
    let (mut i, end) = (ai.min(bi), ai.max(bi) + 32);
    while i < end {
        let (x, y) = (row(a, (ai, aj), i), row(b, (bi, bj), i));
        if x != y {
            let differ = x ^ y;
            let bit = differ & differ.wrapping_neg();
            let order = if x & bit != 0 { Ordering::Less } else { Ordering::Greater };
            let (other, at, rest) = if x & bit != 0 { (b, (bi, bj), y) } else { (a, (ai, aj), x) };
            let mut more = rest & !(bit | (bit - 1)) != 0;
            while !more && i < end {
                i += 1;
                more = row(other, at, i) != 0;
            }
            return Some(if more { order } else { order.reverse() });
        }
        i += 1;
    }
    Some(Ordering::Equal)
}

#[inline(never)]
fn compare_masks<V: Lanes>(cx: Cx, a: Val, b: Val) -> Option<Ordering> {
    if a.x() == b.x() {
        return Some(compare_stored::<V>(cx, a.a(), b.a()));
    }
    if !V::APART
        && let Some(order) = compare_near::<V>(cx, a, b)
    {
        return Some(order);
    }
    let (p, q) = (Patch::<V>::load(cx, a)?, Patch::<V>::load(cx, b)?);
    match aligned(p, q) {
        Some((m, n, _)) => Some(compare_rows(m, n)),
        None => compare_sets::<V>(cx, a, b),
    }
}

#[inline(never)]
fn compare_objects<V: Lanes>(cx: Cx, a: Val, b: Val) -> Option<Ordering> {
    if a == b {
        return Some(Ordering::Equal);
    }
    if let (Some(x), Some(y)) = (mono(a), mono(b)) {
        return if x == y { compare_masks::<V::Out>(cx, a, b) } else { Some(x.cmp(&y)) };
    }
    widened!(compare_colored::<V>(cx: Cx, a: Val, b: Val) -> Option<Ordering>)
}

#[inline(always)]
fn compare_colored<V: Lanes>(cx: Cx, a: Val, b: Val) -> Option<Ordering> {
    let (p, q) = (Patch::<V>::load(cx, a)?, Patch::<V>::load(cx, b)?);
    let Some((m, n, origin)) = aligned(p, q) else { return compare_sets::<V::Out>(cx, a, b) };
    let (c, d) = (seen::<V>(cx, a, origin), seen::<V>(cx, b, origin));
    // The smallest colour of a cell that only one has decides.
    let unlike = (m ^ n) | (c.differ(d) & m & n);
    if !unlike.any() {
        return Some(Ordering::Equal);
    }
    let color = least(c, m & unlike).min(least(d, n & unlike));
    let (x, y) = (c.eq(color, m), d.eq(color, n));
    let (row, column) = (x ^ y).first()?;
    let has = x.get(row) >> column & 1 != 0;
    let (other, others, rest) = if has { (y, d, n) } else { (x, c, m) };
    let order = if has { Ordering::Less } else { Ordering::Greater };
    // The other may go on in this colour or in a later one.
    let goes_on = other.any_after(row, column) || others.palette(rest) & !low_bits(color + 1) != 0;
    Some(if goes_on { order } else { order.reverse() })
}

/// The smallest colour in `m`, and the largest that there is where `m` is empty.
#[inline(always)]
fn least<V: Lanes>(colors: Planes<V>, m: V) -> u32 {
    if m.any() { colors.extreme(m, false).0 } else { 15 }
}

fn compare_grids<V: Lanes>(cx: Cx, a: Val, b: Val) -> Option<Ordering> {
    let (p, q) = (Grid::<V>::load(cx, a)?, Grid::<V>::load(cx, b)?);
    let rows = if p.width == q.width { p.height.min(q.height) } else { 1 };
    let seen = V::below(rows) & V::splat(low_bits(p.width.min(q.width)));
    Some(match (p.planes.differ(q.planes) & seen).first() {
        Some((row, column)) => p.planes.at(row, column).cmp(&q.planes.at(row, column)),
        None if p.width != q.width => p.width.cmp(&q.width),
        None => p.height.cmp(&q.height),
    })
}

fn compare_tuples<V: Lanes>(cx: Cx, a: Val, b: Val) -> Option<Ordering> {
    let (m, n) = (len(a)?, len(b)?);
    let mut k = 0;
    while k < m.min(n) {
        let (x, y) = (item::<V>(cx, a, k), item::<V>(cx, b, k));
        match compare::<V>(cx, x, y)? {
            Ordering::Equal => k += 1,
            other => return Some(other),
        }
    }
    Some(m.cmp(&n))
}

/// Two sets that are arrays: items that are the same are passed over by all lanes.
fn compare_arrays<V: Lanes>(cx: Cx, a: Val, b: Val) -> Option<Ordering> {
    let (both, mut k) = (a.x().min(b.x()), 0);
    loop {
        let unlike = |at: u32| cx.val(a.a(), k + at) != cx.val(b.a(), k + at);
        let Some(at) = V::find(both - k, unlike) else { return Some(a.x().cmp(&b.x())) };
        k += at;
        match compare::<V>(cx, cx.val(a.a(), k), cx.val(b.a(), k))? {
            Ordering::Equal => k += 1,
            other => return Some(other),
        }
    }
}

fn compare_sets<V: Lanes>(cx: Cx, a: Val, b: Val) -> Option<Ordering> {
    if a.is(Tag::Set) && b.is(Tag::Set) {
        return compare_arrays::<V>(cx, a, b);
    }
    let (mut x, mut y) = (Items::<V>::of(cx, a)?, Items::<V>::of(cx, b)?);
    loop {
        match (x.next(cx), y.next(cx)) {
            (Some(p), Some(q)) => match compare::<V>(cx, p, q)? {
                Ordering::Equal => {}
                other => return Some(other),
            },
            (None, None) => return Some(Ordering::Equal),
            (None, _) => return Some(Ordering::Less),
            _ => return Some(Ordering::Greater),
        }
    }
}
