//! After how many steps an object repeats.

use crate::arena::Cx;
use crate::grid::{Planes, mapped};
use crate::lanes::Lanes;
use crate::mask::{self, place};
use crate::patch::planes;
use crate::seq::elements;
use crate::val::{Fault, Tag, Val};

use super::moving::normalize;
use super::view::{Read, View, bounds, fault, given, view};

/// The most cells of an object that is looked at.
const MOST_CELLS: u32 = 4_096;

/// The smallest horizontal shift that maps an object onto itself.
#[inline(always)]
pub fn hperiod<V: Lanes>(cx: Cx, obj: Val) -> Val {
    given(period::<V>(cx, obj, false))
}

/// The smallest vertical shift that maps an object onto itself.
#[inline(always)]
pub fn vperiod<V: Lanes>(cx: Cx, obj: Val) -> Val {
    given(period::<V>(cx, obj, true))
}

#[inline(always)]
fn period<V: Lanes>(cx: Cx, obj: Val, vertical: bool) -> Read<Val> {
    if elements(obj) > MOST_CELLS {
        return fault(Fault::Size);
    }
    let Some(b) = bounds::<V>(cx, obj)? else { return Ok(Val::int(0)) };
    if b.height().max(b.width()) > i64::from(i32::MAX) + 1 {
        // Its cells have no place once its corner is at the origin.
        return fault(Fault::Overflow);
    }
    let size = if vertical { b.height() } else { b.width() };
    if size <= 1 {
        return Ok(Val::narrow(size));
    }
    let (m, colors) = match view::<V>(cx, obj)? {
        View::Bits(p) if obj.is(Tag::Object) => (p.mask, planes::<V>(cx, obj)),
        View::Places(places) if places.cells => {
            let (m, colors) = cells_as_bits::<V::Out>(cx, obj)?;
            (V::from_out(m), Planes::from_out(colors))
        }
        // Locations have no colours to compare.
        _ => return fault(Fault::Type),
    };
    let Some(b) = mask::bounds(m) else { return Err(Val::BACK) };
    let m = place(m, -b.top, -b.left);
    let colors = mapped!(colors, |plane: V| place(plane, -b.top, -b.left));
    let mut n = 1;
    while n < size as i32 {
        // What is shifted out in front need not land.
        let landed = back(m, n, vertical);
        let moved = mapped!(colors, |plane: V| back(plane, n, vertical));
        let wrong = (landed & !m) | (landed & moved.differ(colors));
        if !wrong.any() {
            break;
        }
        n += 1;
    }
    Ok(Val::int(n))
}

/// Bits moved up or to the left.
#[inline(always)]
fn back<V: Lanes>(bits: V, n: i32, vertical: bool) -> V {
    if vertical { bits.rows(-n) } else { bits.shr(n as u32) }
}

/// A tuple of cells, or cells far away, as bits where a window holds them.
#[inline(never)]
fn cells_as_bits<V: Lanes>(cx: Cx, obj: Val) -> Read<(V, Planes<V>)> {
    let near = normalize::<V>(cx, obj);
    match view::<V>(cx, near)? {
        View::Bits(p) if near.is(Tag::Object) => Ok((p.mask, planes::<V>(cx, near))),
        _ => Err(Val::BACK),
    }
}
