//! Sets of which only the size is asked for need not be made as they are: any set with as many items
//! will do, if items that are equal in two of them stay equal.
//!
//! So [`specks`] are cells and not objects of one cell, the colours of a grid are bits and no tuple, and
//! cells that two grids have in common are counted where they lie.

mod specks;

use crate::arena::Cx;
use crate::grid::Grid;
use crate::lanes::Lanes;
use crate::ops::{asobject, common_bits, difference, intersection, occurring, product, size};
use crate::seq::elements;
use crate::val::{Fault, MAX_ELEMENTS, Tag, Val};
use crate::wide::Wide;
pub use specks::specks;

/// The colours of a grid, where `p_g` would give them.
#[inline(always)]
pub fn colors<V: Lanes>(cx: Cx, grid: Val) -> Val {
    if !grid.is_tuple() {
        return Val::error(Fault::Type);
    }
    if let Some(g) = Wide::load(grid)
        && let Some(bits) = g.palette::<V::Out>(cx)
    {
        return Val::colors(bits);
    }
    match occurring::<V>(cx, grid) {
        Ok(bits) => Val::colors(bits),
        Err(bad) => bad,
    }
}

/// How many items two sets share.
#[inline(always)]
pub fn shared<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    if let Some(count) = of_values(a, b, true) {
        return count;
    }
    match of_bits::<V>(cx, a, b, true) {
        Some(count) => count,
        None => sized::<V>(cx, intersection::<V>(cx, a, b)),
    }
}

/// How many items of a set another one does not have.
#[inline(always)]
pub fn apart<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    if let Some(count) = of_values(a, b, false) {
        return count;
    }
    match of_bits::<V>(cx, a, b, false) {
        Some(count) => count,
        None => sized::<V>(cx, difference::<V>(cx, a, b)),
    }
}

/// How many cells two grids have in common.
#[inline(always)]
pub fn alike<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    if let (Some(p), Some(q)) = (Grid::<V>::load(cx, a), Grid::<V>::load(cx, b)) {
        let same = p.cells() & q.cells() & !p.planes.differ(q.planes);
        return Val::int(same.count() as i32);
    }
    if let Some(count) = alike_in_bytes::<V::Out>(cx, a, b) {
        return Val::int(count as i32);
    }
    let (a, b) = (asobject::<V>(cx, a), asobject::<V>(cx, b));
    if a.is_bad() || b.is_bad() {
        return if a.is_bad() { a } else { b };
    }
    shared::<V>(cx, a, b)
}

/// How many cells a grid has.
#[inline(always)]
pub fn area<V: Lanes>(cx: Cx, grid: Val) -> Val {
    match area_of_value(grid) {
        Some(area) => area,
        None => sized::<V::Out>(cx, asobject::<V::Out>(cx, grid)),
    }
}

/// How many pairs the items of two sets make; an error where their product is one.
#[inline(always)]
pub fn pairs<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    let (Some((m, x)), Some((n, y))) = (measured(cx, a), measured(cx, b)) else {
        return sized::<V>(cx, product::<V>(cx, a, b));
    };
    let most = u64::from(MAX_ELEMENTS);
    let [m, n, x, y] = [m, n, x, y].map(u64::from);
    if m * n > most || m * y + n * x > most {
        return Val::error(Fault::Size);
    }
    Val::int((m * n) as i32)
}

/// How many items a set has and how many elements those hold, where a pair with one of them holds it
/// whole: two ints, or an int and a location, would be one element.
#[inline(never)]
fn measured(cx: Cx, set: Val) -> Option<(u32, u32)> {
    match set.tag() {
        Tag::Mask | Tag::Object => Some((set.extra(), set.extra())),
        _ if set.is_empty_set() => Some((0, 0)),
        Tag::Set => {
            let (mut k, mut sum) = (0, 0u32);
            while k < set.x() {
                let item = cx.val(set.a(), k);
                if item.is(Tag::Int) {
                    return None;
                }
                sum = sum.saturating_add(elements(item).max(1));
                k += 1;
            }
            Some((set.x(), sum))
        }
        _ => None,
    }
}

/// As [`shared`] and [`apart`], where both sets are whole in their values.
#[inline(always)]
pub fn of_values(a: Val, b: Val, keep: bool) -> Option<Val> {
    let bits = a.x() & if keep { b.x() } else { !b.x() };
    (a.is(Tag::Colors) & b.is(Tag::Colors)).then_some(Val::int(bits.count_ones() as i32))
}

/// As [`area`], where the value tells.
#[inline(always)]
pub fn area_of_value(grid: Val) -> Option<Val> {
    let (height, width) = grid.dims();
    // More would be too large as a set.
    let told = grid.is(Tag::Grid) || grid.is(Tag::Wide) && height * width <= MAX_ELEMENTS;
    told.then_some(Val::int((height * width) as i32))
}

/// As [`shared`] and [`apart`], for patches of a kind that are masks.
#[inline(always)]
fn of_bits<V: Lanes>(cx: Cx, a: Val, b: Val, keep: bool) -> Option<Val> {
    if a.tag() != b.tag() {
        return None;
    }
    let (own, both) = common_bits::<V>(cx, a, b)?;
    Some(Val::int(if keep { both } else { own.mask & !both }.count() as i32))
}

#[inline(always)]
fn sized<V: Lanes>(cx: Cx, set: Val) -> Val {
    if set.is_bad() { set } else { size::<V>(cx, set) }
}

/// As [`alike`], of grids of which one is bytes, or both.
#[inline(never)]
fn alike_in_bytes<V: Lanes>(cx: Cx, a: Val, b: Val) -> Option<u32> {
    let (wide, other) = if a.is(Tag::Wide) { (a, b) } else { (b, a) };
    let g = Wide::load(wide).filter(|g| g.height * g.width <= MAX_ELEMENTS)?;
    let mut same = 0;
    if let Some(p) = Grid::<V>::load(cx, other) {
        let [a, b, c, d] = p.planes.0;
        let width = p.width.min(g.width);
        V::each(p.height.min(g.height), |i| {
            let (words, mut j) = ([a.own(i), b.own(i), c.own(i), d.own(i)], 0);
            while j < width {
                let [a, b, c, d] = words.map(|word| word >> j & 1);
                same += u32::from(u32::from(g.at(cx, i, j)) == a | b << 1 | c << 2 | d << 3);
                j += 1;
            }
        });
    } else {
        let p = Wide::load(other).filter(|p| p.height * p.width <= MAX_ELEMENTS)?;
        let height = p.height.min(g.height);
        V::each(p.width.min(g.width), |j| {
            let mut i = 0;
            while i < height {
                same += u32::from(p.at(cx, i, j) == g.at(cx, i, j));
                i += 1;
            }
        });
    }
    Some(V::added(same))
}
