//! Sets of many plain values where lanes are threads: one look at all of them says what they are, one
//! more draws them.

use super::{Read, place, tiles};
use crate::arena::{Cx, ROWS};
use crate::grid::Planes;
use crate::lanes::{Lanes, low_bits};
use crate::mask::{self, Bounds};
use crate::patch;
use crate::val::{Tag, Val};

/// With so few values, telling everybody of each is faster than drawing in memory.
const FEW: u32 = 64;

/// What some values are.
#[derive(Clone, Copy)]
pub(super) struct Scan {
    /// The first bad one.
    pub bad: Option<u32>,
    /// Whether all have the tag of the first.
    pub same: bool,
    /// Bits for the ints from 0 to 31, and whether all are such.
    ints: (u32, bool),
    /// The box around all locations or cells.
    pub bounds: Bounds,
    /// Bits for the colours of cells, and whether one is past 15.
    pub palette: (u32, bool),
}

/// Looks at some values, at least one.
#[inline(always)]
pub(super) fn scan<V: Lanes>(n: u32, get: impl Read) -> Scan {
    let first = get(0);
    let (i, j) = place(first);
    let (mut bad, mut other, mut bounds) = (n, 0, Bounds::of(i, j));
    let (mut ints, mut large, mut palette, mut past) = (0, 0, 0, 0);
    V::read_each(n, get, |k, v| {
        if v.is_bad() {
            bad = bad.min(k);
        }
        other |= u32::from(!v.is(first.tag()));
        let (i, j) = place(v);
        bounds = bounds.join(Bounds::of(i, j));
        ints |= 1 << (v.x() & 31);
        large |= u32::from(v.x() > 31);
        // A location's field for the colour is zero.
        palette |= 1 << (v.a() & 15);
        past |= u32::from(v.a() > 15);
    });
    let bad = V::least(bad as i32) as u32;
    let flags = V::joined(other | large << 1 | past << 2);
    Scan {
        bad: (bad < n).then_some(bad),
        same: flags & 1 == 0,
        ints: (V::joined(ints), flags & 2 == 0),
        bounds: Bounds {
            top: V::least(bounds.top),
            bottom: V::most(bounds.bottom),
            left: V::least(bounds.left),
            right: V::most(bounds.right),
        },
        palette: (V::joined(palette), flags & 4 != 0),
    }
}

/// The set of some values of one plain kind; `None` for anything else, where they lie too far apart or
/// a colour is past 15, or where there is no room.
#[inline(never)]
pub(super) fn set<V: Lanes>(cx: Cx, n: u32, get: impl Read, seen: Scan) -> Option<Val> {
    match get(0).tag() {
        Tag::Int if seen.ints.1 => Some(Val::colors(seen.ints.0)),
        Tag::Pair => held::<V::Out>(cx, n, get, seen, false)
            .or_else(|| tiles::sorted::<V::Out>(cx, n, get, (seen.bounds, 1, false))),
        Tag::Cell if !seen.palette.1 => held::<V::Out>(cx, n, get, seen, true)
            .or_else(|| tiles::sorted::<V::Out>(cx, n, get, (seen.bounds, seen.palette.0, true))),
        _ => None,
    }
}

/// Locations or cells as bits; `None` where no window holds them, or one place has two colours.
#[inline(never)]
pub(super) fn held<V: Lanes>(
    cx: Cx,
    n: u32,
    get: impl Read,
    seen: Scan,
    cells: bool,
) -> Option<Val> {
    let origin = seen.bounds.window()?;
    let palette = if cells { seen.palette.0 } else { 1 };
    let (m, planes): (V, _) = if n <= FEW {
        told(n, get, origin, palette, cells)?
    } else {
        drawn(cx, n, get, origin, palette)?
    };
    Some(if !cells {
        mask::make(cx, m, origin)
    } else if palette.is_power_of_two() {
        patch::make_mono(cx, m, palette.trailing_zeros(), origin)
    } else {
        patch::make(cx, m, planes, origin)
    })
}

/// Colour by colour, everybody hears of all places.
#[inline(always)]
fn told<V: Lanes>(
    n: u32,
    get: impl Read,
    (oi, oj): (i32, i32),
    palette: u32,
    cells: bool,
) -> Option<(V, Planes<V>)> {
    let (mut m, mut planes, mut left) = (V::splat(0), Planes::splat(0), palette);
    while left != 0 {
        let color = left.trailing_zeros();
        left &= left - 1;
        let bits = V::gathered(n, |k| {
            let v = get(k);
            let (i, j) = place(v);
            (!cells || v.a() == color).then_some(((i - oi) as u32, (j - oj) as u32))
        });
        if (m & bits).any() {
            return None;
        }
        m = m | bits;
        planes = planes.painted(bits, Planes::splat(color));
    }
    Some((m, planes))
}

/// In memory, a window for every colour.
#[inline(always)]
fn drawn<V: Lanes>(
    cx: Cx,
    n: u32,
    get: impl Read,
    (oi, oj): (i32, i32),
    palette: u32,
) -> Option<(V, Planes<V>)> {
    let (scratch, layers) = (cx.taken(), palette.count_ones());
    let unit = cx.take(layers)?;
    let mut k = 0;
    while k < layers {
        cx.store(unit + k * ROWS, V::splat(0));
        k += 1;
    }
    V::meet();
    V::read_each(n, get, |_, v| {
        let (i, j) = place(v);
        let layer = if layers == 1 { 0 } else { (palette & low_bits(v.a())).count_ones() };
        cx.or_word(unit + layer * ROWS, (i - oi) as u32 & 31, 1 << ((j - oj) & 31));
    });
    let (mut m, mut planes, mut twice) = (V::splat(0), Planes::splat(0), V::splat(0));
    let (mut left, mut at) = (palette, unit);
    while left != 0 {
        let bits: V = cx.load(at);
        twice = twice | (m & bits);
        m = m | bits;
        planes = planes.painted(bits, Planes::splat(left.trailing_zeros()));
        left &= left - 1;
        at += ROWS;
    }
    V::meet();
    cx.release(scratch);
    if twice.any() { None } else { Some((m, planes)) }
}
