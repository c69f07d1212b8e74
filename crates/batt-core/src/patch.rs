//! Patches: sets of locations or cells, in the forms that hold them as bits.

use crate::arena::{Cx, ROWS};
use crate::grid::Planes;
use crate::lanes::Lanes;
use crate::mask::{self, Bounds};
use crate::val::{MONO, Tag, Val, pack_origin};

/// The bits of a mask or an object, with the origin of their window.
#[derive(Clone, Copy, Debug)]
pub struct Patch<V> {
    /// The locations, within the window.
    pub mask: V,
    /// The window's first row and column.
    pub origin: (i32, i32),
}

impl<V: Lanes> Patch<V> {
    /// The bits of a mask or an object.
    #[inline(always)]
    pub fn load(cx: Cx, v: Val) -> Option<Patch<V>> {
        matches!(v.tag(), Tag::Mask | Tag::Object)
            .then(|| Patch { mask: cx.load(v.a()), origin: v.origin() })
    }

    /// The bounding box, in absolute coordinates. Masks and objects are never empty.
    #[inline(always)]
    pub fn bounds(&self) -> Bounds {
        match mask::bounds(self.mask) {
            Some(b) => b.moved(self.origin.0, self.origin.1),
            None => Bounds::of(0, 0),
        }
    }

    /// The bits as they lie in the window of another origin; what lies outside is lost.
    #[inline(always)]
    pub fn seen_from(&self, origin: (i32, i32)) -> V {
        mask::place(self.mask, self.origin.0 - origin.0, self.origin.1 - origin.1)
    }
}

/// The colours of an object, within its window; outside its mask they mean nothing.
#[inline(always)]
pub fn planes<V: Lanes>(cx: Cx, object: Val) -> Planes<V> {
    let b = object.b();
    if b & MONO != 0 {
        Planes::splat(b & 15)
    } else {
        Planes([cx.load(b), cx.load(b + ROWS), cx.load(b + 2 * ROWS), cx.load(b + 3 * ROWS)])
    }
}

/// Where a row of an object that has planes shows a colour.
#[inline(always)]
pub fn row_of_color<V: Lanes>(cx: Cx, object: Val, row: u32, color: u32) -> u32 {
    let side = |k: u32| cx.row::<V>(object.b() + k * ROWS, row) ^ (color >> k & 1).wrapping_sub(1);
    side(0) & side(1) & side(2) & side(3)
}

/// The one colour of an object, if it is kept as such.
#[inline(always)]
pub fn mono(object: Val) -> Option<u32> {
    (object.is(Tag::Object) && object.b() & MONO != 0).then(|| object.b() & 15)
}

/// An object of one colour over bits that are in the arena already.
#[inline(always)]
pub fn recolored(patch: Val, color: u32) -> Val {
    Val::new(Tag::Object, patch.extra(), patch.a(), MONO | color & 15, patch.x())
}

/// The locations of a patch, over its bits.
#[inline(always)]
pub fn locations(patch: Val) -> Val {
    Val::new(Tag::Mask, patch.extra(), patch.a(), 0, patch.x())
}

/// The same patch elsewhere; `BACK` too far away.
#[inline(always)]
pub fn moved(patch: Val, i: i64, j: i64) -> Val {
    let (oi, oj) = patch.origin();
    let (i, j) = (i64::from(oi) + i, i64::from(oj) + j);
    let near = |n: i64| i64::from(n as i16) == n;
    if !near(i) || !near(j) {
        return Val::BACK;
    }
    match pack_origin(i as i32, j as i32) {
        Some(origin) => Val::new(patch.tag(), patch.extra(), patch.a(), patch.b(), origin),
        None => Val::BACK,
    }
}

/// An object from bits and colours within one window.
#[inline(always)]
pub fn make<V: Lanes>(cx: Cx, m: V, colors: Planes<V>, origin: (i32, i32)) -> Val {
    let count = m.count();
    if count == 0 {
        return Val::EMPTY_SET;
    }
    match (cx.take(5), pack_origin(origin.0, origin.1)) {
        (Some(unit), Some(origin)) => {
            cx.store(unit, m);
            let [a, b, c, d] = colors.0;
            cx.store(unit + ROWS, a);
            cx.store(unit + 2 * ROWS, b);
            cx.store(unit + 3 * ROWS, c);
            cx.store(unit + 4 * ROWS, d);
            Val::new(Tag::Object, count, unit, unit + ROWS, origin)
        }
        _ => Val::BACK,
    }
}

/// An object of one colour from bits.
#[inline(always)]
pub fn make_mono<V: Lanes>(cx: Cx, m: V, color: u32, origin: (i32, i32)) -> Val {
    let v = mask::make(cx, m, origin);
    if v.is(Tag::Mask) { recolored(v, color) } else { v }
}

/// An object from bits whose colours are in the arena already: the planes of the grid or object
/// that it came from, in the same window.
#[inline(always)]
pub fn make_sharing<V: Lanes>(cx: Cx, m: V, planes_unit: u32, origin: (i32, i32)) -> Val {
    let v = mask::make(cx, m, origin);
    if v.is(Tag::Mask) { Val::new(Tag::Object, v.extra(), v.a(), planes_unit, v.x()) } else { v }
}
