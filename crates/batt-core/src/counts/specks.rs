//! Objects of one cell, without looking for objects.

use crate::arena::Cx;
use crate::gather;
use crate::grid::Grid;
use crate::lanes::Lanes;
use crate::ops::{merge, mostcolor, objects, sizefilter};
use crate::patch;
use crate::seq::truth;
use crate::val::{MAX_ELEMENTS, Val};
use crate::wide::Wide;

/// No colour that a byte is.
const NOTHING: i32 = i32::MIN;

/// The cells of the objects of a grid that are one cell: as many as
/// `sizefilter(objects(grid, univalued, diagonal, without_bg), 1)` has objects.
#[inline(always)]
pub fn specks<V: Lanes>(cx: Cx, grid: Val, univalued: Val, diagonal: Val, without_bg: Val) -> Val {
    let modes = [truth(univalued), truth(diagonal), truth(without_bg)];
    match Grid::<V>::load(cx, grid) {
        Some(g) => patch::make_sharing(cx, alone(&g, modes), grid.a(), (0, 0)),
        None => among_many::<V::Out>(cx, grid, modes),
    }
}

/// The cells that are joined to none of their neighbours.
#[inline(always)]
fn alone<V: Lanes>(g: &Grid<V>, [univalued, diagonal, without_bg]: [bool; 3]) -> V {
    let mut left = g.cells();
    if without_bg {
        left = left & !g.planes.eq(g.background(), left);
    }
    // What a cell is joined to lies in one direction of two that are opposite.
    let joined = |to: fn(V) -> V, from: fn(V) -> V| {
        let mut both = left & to(left);
        if univalued {
            both = both & !g.planes.differ(g.planes.map(to));
        }
        both | from(both)
    };
    let mut taken = joined(|m| m.shl(1), |m| m.shr(1)) | joined(V::down, V::up);
    if diagonal {
        taken = taken
            | joined(|m| m.down().shl(1), |m| m.up().shr(1))
            | joined(|m| m.down().shr(1), |m| m.up().shl(1));
    }
    left & !taken
}

/// The same in grids that planes do not hold.
#[inline(never)]
fn among_many<V: Lanes>(cx: Cx, grid: Val, modes: [bool; 3]) -> Val {
    if let Some(g) = Wide::load(grid)
        && g.height * g.width <= MAX_ELEMENTS
    {
        return in_bytes::<V>(cx, grid, &g, modes);
    }
    let [univalued, diagonal, without_bg] = modes.map(Val::bool);
    let found = objects::<V>(cx, grid, univalued, diagonal, without_bg);
    if found.is_bad() {
        return found;
    }
    let single = sizefilter::<V>(cx, found, Val::int(1));
    if single.is_bad() { single } else { merge::<V>(cx, single) }
}

/// The commonest colour, the smallest on a tie.
#[inline(always)]
fn background<V: Lanes>(cx: Cx, grid: Val, g: &Wide) -> Val {
    if V::APART {
        return match g.commonest::<V>(cx) {
            Some(color) => Val::int(color as i32),
            None => mostcolor::<V>(cx, grid),
        };
    }
    let (all, past) = g.tally::<V>(cx);
    if past {
        return mostcolor::<V>(cx, grid);
    }
    let mut best = 0;
    V::each(32, |c| best = best.max((all.own(c) << 5 | (31 - c)) as i32));
    Val::int(31 - (V::most(best) & 31))
}

/// The same, every cell for itself.
#[inline(always)]
fn in_bytes<V: Lanes>(cx: Cx, grid: Val, g: &Wide, modes: [bool; 3]) -> Val {
    let [univalued, diagonal, without_bg] = modes;
    let background = if without_bg { background::<V>(cx, grid, g) } else { Val::NULL };
    if background.is_bad() {
        return background;
    }
    let (background, width) = (background.as_int().unwrap_or(NOTHING), g.width.max(1));
    let color = |i: u32, j: u32| i32::from(g.at(cx, i, j) as i8);
    // What joins cells: their colour, or that they are there; nothing outside of the grid.
    let bond = |i: u32, j: u32| {
        let inside = i < g.height && j < width;
        let here = if inside { color(i, j) } else { NOTHING };
        let is_there = here != NOTHING && here != background;
        let bond = if univalued { here } else { 0 };
        if is_there { bond } else { NOTHING }
    };
    // The row of a column, with what lies to its left and right.
    let near = |i: u32, j: u32| [bond(i, j.wrapping_sub(1)), bond(i, j), bond(i, j + 1)];
    let is_alone = |above: [i32; 3], here: [i32; 3], below: [i32; 3]| {
        let own = here[1];
        let like = |other: i32| other == own;
        let straight = like(here[0]) | like(here[2]) | like(above[1]) | like(below[1]);
        let corners = like(above[0]) | like(above[2]) | like(below[0]) | like(below[2]);
        own != NOTHING && !straight && !(diagonal & corners)
    };
    // Mostly there is none, so they are counted first: every column from its top to its bottom.
    let mut found = 0;
    V::each(width, |j| {
        let (mut above, mut here, mut i) = ([NOTHING; 3], near(0, j), 0);
        while i < g.height {
            let below = near(i + 1, j);
            found += u32::from(is_alone(above, here, below));
            (above, here) = (here, below);
            i += 1;
        }
    });
    let found = V::added(found);
    if found == 0 {
        return Val::EMPTY_SET;
    }
    let Some(list) = cx.take_vals(found) else { return Val::BACK };
    let holds = |k: u32| {
        let (i, j) = (k / width, k % width);
        is_alone(near(i.wrapping_sub(1), j), near(i, j), near(i + 1, j))
    };
    V::pick(g.height * width, holds, |at, k| {
        let (i, j) = (k / width, k % width);
        cx.put_own(list, at, Val::cell(color(i, j), i as i32, j as i32));
    });
    V::meet();
    gather::set::<V>(cx, found, |k| cx.val(list, k))
}
