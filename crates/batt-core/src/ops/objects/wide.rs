//! What is found in grids that planes cannot hold, cell by cell.

use super::connected::Mode;
use super::labels;
use super::runs;
use crate::arena::Cx;
use crate::gather;
use crate::lanes::Lanes;
use crate::lanes::boost::widened;
use crate::ops::grids::read::held;
use crate::ops::grids::rows;
use crate::ops::mostcolor;
use crate::order::equal;
use crate::seq::{Items, List, item, len, two};
use crate::val::{Fault, MAX_ELEMENTS, Tag, Val};
use crate::wide::{Wide, byte, color, equal_bytes};

/// The steps to the neighbours of a cell, straight ones first.
const STEPS: [(i32, i32); 8] =
    [(-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)];

/// A cell that belongs to no object yet, or to none at all.
const FREE: u32 = u32::MAX;
const NONE: u32 = u32::MAX - 1;

/// The connected objects of a grid, as a set.
#[inline(never)]
pub(super) fn find<V: Lanes>(cx: Cx, grid: Val, mode: Mode) -> Val {
    let background = if mode.without_bg { mostcolor::<V>(cx, grid) } else { Val::NULL };
    if background.is_bad() {
        return background;
    }
    let (h, w) = held!(rows::dims(cx, grid));
    if let Some(g) = Wide::of::<V::Out>(cx, grid) {
        let background = byte(background);
        if V::APART {
            return labels::joined::<V::Out>(cx, &g, mode, background);
        }
        return widened!(found::<V>(cx: Cx, g: Wide, mode: Mode, background: Option<u8>) -> Val);
    }
    // Rows of anything, of which each must be as long as the first.
    let Some(cells) = cx.take_vals(h.saturating_mul(w).min(MAX_ELEMENTS)) else { return Val::BACK };
    let mut i = 0;
    while i < h {
        let row = item::<V>(cx, grid, i);
        if len(row) < Some(w) {
            return Val::error(Fault::Index);
        }
        let mut j = 0;
        while j < w {
            cx.put(cells, i * w + j, item::<V>(cx, row, j));
            j += 1;
        }
        i += 1;
    }
    joined::<V>(
        cx,
        (h, w),
        mode,
        |k| equal::<V>(cx, cx.val(cells, k), background) == Some(true),
        |a, b| equal::<V>(cx, cx.val(cells, a), cx.val(cells, b)) == Some(true),
        |k| cx.val(cells, k),
    )
}

#[inline(always)]
fn found<V: Lanes>(cx: Cx, g: Wide, mode: Mode, background: Option<u8>) -> Val {
    runs::joined::<V>(cx, &g, mode, background).unwrap_or(Val::BACK)
}

/// Joins cells to objects: what is left out, which two are alike, and the colour of each.
#[inline(always)]
fn joined<V: Lanes>(
    cx: Cx,
    (h, w): (u32, u32),
    mode: Mode,
    left_out: impl Fn(u32) -> bool,
    alike: impl Fn(u32, u32) -> bool,
    color: impl Fn(u32) -> Val,
) -> Val {
    let (n, w) = (h * w, w.max(1));
    // For each cell its object and the next cell to look at; for each object its size.
    let (Some(labels), Some(open), Some(sizes)) =
        (cx.take_vals(n), cx.take_vals(n), cx.take_vals(n))
    else {
        return Val::BACK;
    };
    let mut k = 0;
    while k < n {
        cx.put(labels, k, Val::int(if left_out(k) { NONE } else { FREE } as i32));
        k += 1;
    }
    let (mut found, mut start, mut all) = (0, 0, 0);
    while start < n {
        if cx.val(labels, start).x() != FREE {
            start += 1;
            continue;
        }
        let (mut done, mut end) = (0, 1);
        cx.put(labels, start, Val::int(found as i32));
        cx.put(open, 0, Val::int(start as i32));
        while done < end {
            let at = cx.val(open, done).x();
            let (i, j) = ((at / w) as i32, (at % w) as i32);
            let mut step = 0;
            while step < if mode.diagonal { 8 } else { 4 } {
                let (di, dj) = STEPS[step & 7];
                let (i, j) = ((i + di) as u32, (j + dj) as u32);
                let next = i.wrapping_mul(w).wrapping_add(j);
                if i < h
                    && j < w
                    && cx.val(labels, next).x() == FREE
                    && (!mode.univalued || alike(start, next))
                {
                    cx.put(labels, next, Val::int(found as i32));
                    cx.put(open, end, Val::int(next as i32));
                    end += 1;
                }
                step += 1;
            }
            done += 1;
        }
        // Where its cells begin among all cells in the order of objects, and how many there are.
        cx.put(sizes, found, Val::pair(all as i32, 0));
        all += end;
        found += 1;
        start += 1;
    }
    let (Some(cells), Some(mut list)) = (cx.take_vals(all), List::new(cx, found)) else {
        return Val::BACK;
    };
    k = 0;
    while k < n {
        let label = cx.val(labels, k).x();
        if label < found {
            let size = cx.val(sizes, label);
            let at = Val::pair((k / w) as i32, (k % w) as i32);
            cx.put(cells, size.b() + size.x(), two(cx, color(k), at));
            cx.put(sizes, label, Val::pair(size.b() as i32, size.x() as i32 + 1));
        }
        k += 1;
    }
    k = 0;
    while k < found {
        let size = cx.val(sizes, k);
        list.push(cx, gather::set::<V>(cx, size.x(), |k| cx.val(cells, size.b() + k)));
        k += 1;
    }
    list.set::<V::Out>(cx)
}

/// Every cell of rows of any length: its colour and its place.
#[inline(always)]
fn each<V: Lanes>(cx: Cx, grid: Val, mut see: impl FnMut(Val, Val)) -> Result<(), Val> {
    let (height, mut i) = (rows::height(cx, grid)?, 0);
    let bytes = Wide::of::<V::Out>(cx, grid);
    while i < height {
        let row = if bytes.is_some() { Val::NULL } else { item::<V>(cx, grid, i) };
        let width = bytes.map_or(len(row).unwrap_or(0), |g| g.width);
        let mut j = 0;
        while j < width {
            let cell = bytes.map_or_else(|| item::<V>(cx, row, j), |g| color(g.at(cx, i, j)));
            see(cell, Val::pair(i as i32, j as i32));
            j += 1;
        }
        i += 1;
    }
    Ok(())
}

/// The locations that have a colour.
#[inline(never)]
pub(super) fn ofcolor<V: Lanes>(cx: Cx, grid: Val, value: Val) -> Val {
    if let (Some(g), true) = (Wide::load(grid), value.is(Tag::Int)) {
        return match byte(value) {
            Some(color) => widened!(of_byte::<V>(cx: Cx, g: Wide, color: u8) -> Val),
            None => Val::EMPTY_SET,
        };
    }
    let (mut count, mut told) = (0, true);
    let counted = each::<V>(cx, grid, |cell, _| {
        count += u32::from(equal::<V>(cx, cell, value).unwrap_or_else(|| {
            told = false;
            true
        }));
    });
    held!(counted);
    let Some(mut list) = List::new(cx, count).filter(|_| told) else { return Val::BACK };
    let listed = each::<V>(cx, grid, |cell, at| {
        if equal::<V>(cx, cell, value) == Some(true) {
            list.push(cx, at);
        }
    });
    held!(listed);
    list.tidy::<V>(cx)
}

/// The locations that have a byte.
#[inline(always)]
fn of_byte<V: Lanes>(cx: Cx, g: Wide, color: u8) -> Val {
    if V::APART {
        return of_byte_apart::<V>(cx, &g, color);
    }
    let (mut count, mut k) = (0, 0);
    while k < g.height * g.width {
        count += u32::from(g.nth(cx, k) == color);
        k += 1;
    }
    let Some(unit) = cx.take_vals(count) else { return Val::BACK };
    let (mut i, mut at) = (0, 0);
    while i < g.height {
        let mut j = 0;
        while j < g.width {
            let mut found = equal_bytes(g.eight(cx, i, j), color);
            while found != 0 {
                let column = j + found.trailing_zeros() / 8;
                found &= found - 1;
                // What follows the end of a row reads as zeros.
                if column < g.width {
                    cx.put(unit, at, Val::pair(i as i32, column as i32));
                    at += 1;
                }
            }
            j += 8;
        }
        i += 1;
    }
    List::plain(unit, at).tidy::<V>(cx)
}

/// The same with every lane looking at its own cells.
#[inline(always)]
fn of_byte_apart<V: Lanes>(cx: Cx, g: &Wide, color: u8) -> Val {
    let (n, width) = (g.height * g.width, g.width.max(1));
    let mut count = 0;
    V::each(n, |k| count += u32::from(g.nth(cx, k) == color));
    let Some(unit) = cx.take_vals(V::added(count)) else { return Val::BACK };
    V::meet();
    let place = |k: u32| Val::pair((k / width) as i32, (k % width) as i32);
    let len = V::pick(n, |k| g.nth(cx, k) == color, |at, k| cx.put_own(unit, at, place(k)));
    V::meet();
    List::plain(unit, len).tidy::<V>(cx)
}

/// All cells as one object.
#[inline(never)]
pub(super) fn asobject<V: Lanes>(cx: Cx, grid: Val) -> Val {
    if let (true, Some(g)) = (V::APART, Wide::load(grid)) {
        return gather::set::<V>(cx, g.height * g.width, |k| {
            let width = g.width.max(1);
            Val::cell(color(g.nth(cx, k)).x() as i32, (k / width) as i32, (k % width) as i32)
        });
    }
    if let Some(g) = Wide::load(grid)
        && let Some(object) = all_cells::<V>(cx, &g)
    {
        return object;
    }
    let mut count = 0;
    held!(each::<V>(cx, grid, |_, _| count += 1));
    let Some(mut list) = List::new(cx, count) else { return Val::BACK };
    held!(each::<V>(cx, grid, |cell, at| list.push(cx, two(cx, cell, at))));
    gather::set::<V>(cx, list.len(), |k| list.get(cx, k))
}

/// All cells of a grid that no window holds, colour by colour; `None` where one does, where a colour is
/// past 31, or where there is no room.
#[inline(always)]
fn all_cells<V: Lanes>(cx: Cx, g: &Wide) -> Option<Val> {
    if g.height <= 32 && g.width <= 32 {
        return None;
    }
    let counts = g.counts::<V>(cx)?;
    let unit = cx.take_vals(g.height * g.width)?;
    // Where the next cell of each colour goes.
    let (mut next, mut before) = ([0; 32], 0);
    for (next, count) in next.iter_mut().zip(counts) {
        *next = before;
        before += count;
    }
    let mut i = 0;
    while i < g.height {
        let mut j = 0;
        while j < g.width {
            let color = g.at(cx, i, j);
            let next = &mut next[color as usize & 31];
            cx.put(unit, *next, Val::cell(i32::from(color), i as i32, j as i32));
            *next += 1;
            j += 1;
        }
        i += 1;
    }
    Some(List::plain(unit, before).array())
}

/// The cells of some locations, a set.
#[inline(never)]
pub(super) fn toobject<V: Lanes>(cx: Cx, locations: Val, grid: Val) -> Val {
    let (h, w) = held!(rows::dims(cx, grid));
    let bytes = Wide::of::<V::Out>(cx, grid);
    let Some(mut items) = Items::<V>::of(cx, locations) else { return Val::error(Fault::Type) };
    let Some(mut list) = List::new(cx, items.len()) else { return Val::BACK };
    while let Some(at) = items.next(cx) {
        let (i, j) = (at.b(), at.x());
        if !at.is(Tag::Pair) {
            return Val::BACK;
        }
        if i < h && j < w {
            let cell =
                bytes.map_or_else(|| rows::at::<V>(cx, grid, i, j), |g| color(g.at(cx, i, j)));
            list.push(cx, if cell.is_bad() { cell } else { two(cx, cell, at) });
        }
    }
    if list.bad().is_bad() {
        return list.bad();
    }
    gather::set::<V>(cx, list.len(), |k| list.get(cx, k))
}

/// An object for every colour; without the commonest where that is asked for.
#[inline(never)]
pub(super) fn by_color<V: Lanes>(cx: Cx, grid: Val, without_bg: bool) -> Val {
    let background = if without_bg { mostcolor::<V>(cx, grid) } else { Val::NULL };
    held!(rows::height(cx, grid));
    let Some(g) = Wide::of::<V::Out>(cx, grid).filter(|_| !background.is_bad()) else {
        return if background.is_bad() { background } else { Val::BACK };
    };
    let Some(mut parts) = List::new(cx, 256) else { return Val::BACK };
    let mut c = -128;
    while c < 128 {
        let value = Val::int(c);
        let count = g.count::<V>(cx, value);
        if count > 0 && value != background {
            let Some(mut list) = List::new(cx, count) else { return Val::BACK };
            let seen = each::<V>(cx, grid, |cell, at| {
                if cell == value {
                    list.push(cx, two(cx, cell, at));
                }
            });
            held!(seen);
            parts.push(cx, list.tidy::<V>(cx));
        }
        c += 1;
    }
    parts.set::<V>(cx)
}

/// The rows and columns of one colour, as objects.
#[inline(never)]
pub(super) fn frontiers<V: Lanes>(cx: Cx, grid: Val) -> Val {
    held!(rows::dims(cx, grid));
    let Some(g) = Wide::of::<V::Out>(cx, grid) else { return Val::BACK };
    let Some(mut lines) = List::new(cx, g.height + g.width) else { return Val::BACK };
    let cell = |i: u32, j: u32| two(cx, color(g.at(cx, i, j)), Val::pair(i as i32, j as i32));
    let mut i = 0;
    while i < g.height {
        if g.is_uniform_row(cx, i) {
            lines.push(cx, gather::set::<V>(cx, g.width, |j| cell(i, j)));
        }
        i += 1;
    }
    let mut j = 0;
    while j < g.width {
        if g.is_uniform_column(cx, j) {
            lines.push(cx, gather::set::<V>(cx, g.height, |i| cell(i, j)));
        }
        j += 1;
    }
    lines.set::<V>(cx)
}

/// The places where an object, whose cells are given as a set, occurs.
#[inline(never)]
pub(super) fn occurrences<V: Lanes>(
    cx: Cx,
    grid: Val,
    cells: Val,
    (h, w): (u32, u32),
    corner: (i32, i32),
) -> Val {
    held!(rows::dims(cx, grid));
    let (Some(g), Ok((unit, n))) = (Wide::of::<V::Out>(cx, grid), gather::flat::<V>(cx, cells))
    else {
        return Val::BACK;
    };
    if h > g.height || w > g.width {
        return Val::EMPTY_SET;
    }
    let (down, across) = (g.height - h + 1, (g.width - w + 1).max(1));
    let Some(mut list) = List::new(cx, down * across) else { return Val::BACK };
    let mut at = 0;
    while at < down * across {
        let (i, j) = (at / across, at % across);
        let mut k = 0;
        while k < n {
            let cell = cx.val(unit, k);
            let (a, b) = ((cell.b() as i32 - corner.0) as u32, (cell.x() as i32 - corner.1) as u32);
            if color(g.at(cx, i + a, j + b)).x() != cell.a() {
                break;
            }
            k += 1;
        }
        if k == n {
            list.push(cx, Val::pair(i as i32, j as i32));
        }
        at += 1;
    }
    list.tidy::<V>(cx)
}
