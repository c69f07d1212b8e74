//! Tuples of rows as planes.

use crate::arena::Cx;
use crate::grid::Planes;
use crate::lanes::Lanes;
use crate::seq::{item, len};
use crate::val::{Tag, Val};

/// Why rows are no planes.
pub enum Unlike {
    /// One is no row of the width.
    Rows,
    /// A cell is no colour that planes hold.
    Colors,
}

/// The planes of a tuple of at most 32 rows, all of a width of at most 32.
#[inline(always)]
pub fn planes<V: Lanes>(cx: Cx, v: Val, width: u32) -> Result<Planes<V>, Unlike> {
    let is_row = |i: u32| {
        let row = cx.val(v.a(), i);
        matches!(row.tag(), Tag::Pair | Tag::Tuple) && len(row) == Some(width)
    };
    if V::APART {
        if !V::all(v.x(), is_row) {
            return Err(Unlike::Rows);
        }
        // Every lane reads a row of its own.
        let (mut own, mut strange) = ([0; 4], false);
        V::each(v.x(), |i| match bits::<V>(cx, cx.val(v.a(), i), width) {
            Some(bits) => own = bits,
            None => strange = true,
        });
        if V::joined(u32::from(strange)) != 0 {
            return Err(Unlike::Colors);
        }
        return Ok(Planes(own.map(|plane| V::made(|_| plane))));
    }
    let (mut planes, mut i) = (Planes([V::splat(0); 4]), 0);
    while i < v.x() {
        if !is_row(i) {
            return Err(Unlike::Rows);
        }
        let [a, b, c, d] = bits::<V>(cx, cx.val(v.a(), i), width).ok_or(Unlike::Colors)?;
        let row = Planes([V::put(i, a), V::put(i, b), V::put(i, c), V::put(i, d)]);
        planes = planes.zip(row, |x, y| x | y);
        i += 1;
    }
    Ok(planes)
}

/// A row as bits of each plane; `None` where planes cannot hold it.
#[inline(always)]
fn bits<V: Lanes>(cx: Cx, row: Val, width: u32) -> Option<[u32; 4]> {
    let (mut words, mut j) = ([0; 4], 0);
    while j < width {
        let color = match row.tag() {
            Tag::Pair => item::<V>(cx, row, j),
            _ => cx.val(row.a(), j),
        };
        if !color.is(Tag::Int) || color.x() > 15 {
            return None;
        }
        let [a, b, c, d] = words;
        let bit = |k: u32| (color.x() >> k & 1) << (j & 31);
        words = [a | bit(0), b | bit(1), c | bit(2), d | bit(3)];
        j += 1;
    }
    Some(words)
}
