//! Arrays of cells or locations seen from a grid. Most of a long one lies outside of it.

use crate::arena::{Cx, ROWS};
use crate::gather::Read;
use crate::grid::{Grid, Planes};
use crate::lanes::Lanes;
use crate::val::{Tag, Val};
use crate::wide::lowest_bits;

/// The colours of a grid with an array of cells drawn over it; with a background given, on such cells
/// only. `None` where the array holds anything else, or a colour past 15.
#[inline(always)]
pub(super) fn drawn<V: Lanes>(
    cx: Cx,
    g: &Grid<V>,
    cells: Val,
    background: Option<u32>,
) -> Option<Planes<V>> {
    let (unit, n) = (cells.a(), cells.x());
    if V::APART {
        at_once(cx, g, n, |k| cx.val(unit, k), background)
    } else if n >= MANY && background.is_none() {
        on_bytes(g, n, |k| cx.val(unit, k))
    } else {
        in_turn(g, n, |k| cx.val(unit, k), background)
    }
}

/// From so many cells on it takes less time to write a byte for each.
const MANY: u32 = 256;

/// A byte for every place of a window, with no branch on where cells lie: where one was drawn, 16 and its
/// colour.
#[inline(always)]
fn on_bytes<V: Lanes>(g: &Grid<V>, n: u32, get: impl Read) -> Option<Planes<V>> {
    // What lies outside of the grid is written after the window.
    let (mut places, outside) = ([[0u8; 32]; 64], 32 * 32);
    let (mut strange, mut k) = (0, 0);
    while k < n {
        let v = get(k);
        k += 1;
        let inside = (v.b() < g.height) & (v.x() < g.width);
        let at = if inside { v.b() << 5 | v.x() & 31 } else { outside };
        strange |= u32::from(!v.is(Tag::Cell)) | if inside { v.a() >> 4 } else { 0 };
        places.as_flattened_mut()[at as usize & 2047] = 16 | v.a() as u8;
    }
    let mut rows = [[0u32; 32]; 5];
    for (i, places) in places.iter().enumerate().take(32) {
        for (eighth, bytes) in places.as_chunks::<8>().0.iter().enumerate() {
            let bytes = u64::from_le_bytes(*bytes);
            for (plane, rows) in rows.iter_mut().enumerate() {
                rows[i & 31] |= u32::from(lowest_bits(bytes >> plane)) << (8 * eighth);
            }
        }
    }
    let plane = |bit: usize| V::made(|row| rows[bit % 5][row as usize & 31]);
    let colors = Planes([plane(0), plane(1), plane(2), plane(3)]);
    (strange == 0).then(|| g.planes.painted(plane(4), colors))
}

/// One after the other, in rows that lie side by side.
#[inline(always)]
fn in_turn<V: Lanes>(
    g: &Grid<V>,
    n: u32,
    get: impl Read,
    background: Option<u32>,
) -> Option<Planes<V>> {
    let mut rows = [[0u32; 4]; 32];
    for (bit, plane) in g.planes.0.into_iter().enumerate() {
        plane.each_row(|row, word| rows[row as usize & 31][bit & 3] = word);
    }
    let mut put = |i: u32, bits: u32, color: u32| {
        let row = &mut rows[i as usize & 31];
        let unlike =
            |plane: usize, color: u32| row[plane & 3] ^ (color >> plane & 1).wrapping_neg();
        let bits = match background {
            Some(b) => bits & !(unlike(0, b) | unlike(1, b) | unlike(2, b) | unlike(3, b)),
            None => bits,
        };
        for (plane, word) in row.iter_mut().enumerate() {
            *word = *word & !bits | (color >> plane & 1).wrapping_neg() & bits;
        }
    };
    // Most come colour by colour and row by row; those of one colour in one row are drawn together.
    let (mut strange, mut k) = (0, 0);
    let (mut color, mut i, mut bits) = (0, 0, 0);
    while k < n {
        let v = get(k);
        k += 1;
        strange |= u32::from(!v.is(Tag::Cell));
        if v.b() >= g.height || v.x() >= g.width {
            continue;
        }
        if v.b() != i || v.a() != color {
            put(i, bits, color);
            (color, i, bits) = (v.a(), v.b(), 0);
            strange |= color >> 4;
        }
        bits |= 1 << (v.x() & 31);
    }
    put(i, bits, color);
    let plane = |bit: usize| V::made(|row| rows[row as usize & 31][bit & 3]);
    (strange == 0).then(|| Planes([plane(0), plane(1), plane(2), plane(3)]))
}

/// All of them at once: for every place the number and the colour of the cell that wins.
#[inline(always)]
fn at_once<V: Lanes>(
    cx: Cx,
    g: &Grid<V>,
    n: u32,
    get: impl Read,
    background: Option<u32>,
) -> Option<Planes<V>> {
    let scratch = cx.taken();
    let places = cx.take(32)?;
    let mut row = 0;
    while row < 32 {
        cx.store(places + row * ROWS, V::splat(0));
        row += 1;
    }
    V::meet();
    let mut strange = 0;
    V::read_each(n, get, |k, v| {
        let (i, j, color) = (v.b(), v.x(), v.a());
        strange |= u32::from(!v.is(Tag::Cell));
        if i < g.height && j < g.width {
            strange |= u32::from(color > 15);
            // The last one wins, or the first one that is not background.
            let order = if background.is_none() { k + 1 } else { n - k };
            if background != Some(color) {
                cx.raise_word(places, i * 32 + j, order << 4 | color & 15);
            }
        }
    });
    if V::joined(strange) != 0 {
        cx.release(scratch);
        return None;
    }
    // Columns first: so lanes read what lies side by side.
    let (mut m, mut colors, mut i) = (V::splat(0), Planes::splat(0), 0);
    while i < g.height {
        let winners: V = cx.load(places + i * ROWS);
        let bits = |v: V| V::put(i, v.ballot());
        m = m | bits(winners);
        colors =
            Planes([0, 1, 2, 3].map(|bit| colors.0[bit & 3] | bits(winners & V::splat(1 << bit))));
        i += 1;
    }
    cx.release(scratch);
    if let Some(background) = background {
        m = g.planes.eq(background, m);
    }
    Some(g.planes.painted(m, colors))
}

/// The places of an array of locations or cells within the grid's window; `None` where it holds
/// anything else, or both.
#[inline(always)]
pub(super) fn covered<V: Lanes>(cx: Cx, cells: Val) -> Option<V> {
    let (unit, n) = (cells.a(), cells.x());
    let tag = cx.val(unit, 0).tag();
    if n == 0 || !matches!(tag, Tag::Pair | Tag::Cell) {
        return None;
    }
    let mut strange = 0;
    if !V::APART {
        let mut rows = [0u32; 32];
        V::read_each(
            n,
            |k| cx.val(unit, k),
            |_, v| {
                strange |= u32::from(!v.is(tag));
                if v.b() < 32 && v.x() < 32 {
                    rows[v.b() as usize & 31] |= 1 << (v.x() & 31);
                }
            },
        );
        return (strange == 0).then(|| V::made(|row| rows[row as usize & 31]));
    }
    let scratch = cx.taken();
    let rows = cx.take(1)?;
    cx.store(rows, V::splat(0));
    V::meet();
    V::read_each(
        n,
        |k| cx.val(unit, k),
        |_, v| {
            strange |= u32::from(!v.is(tag));
            if v.b() < 32 && v.x() < 32 {
                cx.or_word(rows, v.b(), 1 << (v.x() & 31));
            }
        },
    );
    let m = cx.load(rows);
    V::meet();
    cx.release(scratch);
    (V::joined(strange) == 0).then_some(m)
}
