//! What cells see, what patches enclose, and the panels that a grid is divided into.

use super::grids::read::{full_grid, held, int, pair};
use super::patches::{Read, locations};
use crate::arena::Cx;
use crate::grid::mapped;
use crate::lanes::Lanes;
use crate::mask::{self, Bounds, place};
use crate::patch::{self, Patch};
use crate::seq::List;
use crate::val::Val;

/// The colour that each cell sees first in a direction, looking through one colour.
#[inline(always)]
pub fn ray<V: Lanes>(cx: Cx, grid: Val, through: Val, direction: Val) -> Val {
    let (g, _) = held!(full_grid::<V>(cx, grid));
    let through = held!(int(through));
    let (mut i, mut j) = held!(pair(cx, direction));
    if (i == 0 && j == 0) || i.unsigned_abs() > 31 || j.unsigned_abs() > 31 {
        return Val::EMPTY_SET;
    }
    let cells = g.cells();
    let shown = cells & !g.planes.eq(through as u32, cells);
    let mut seen = place(shown, -i, -j) & cells;
    let mut colors = mapped!(g.planes, |p: V| place(p, -i, -j));
    // Who sees nothing within some steps sees what the cell so many steps on sees: twice as far each time.
    while i.unsigned_abs() < 32 && j.unsigned_abs() < 32 {
        let further = place(seen, -i, -j) & cells & !seen;
        colors = colors.painted(further, mapped!(colors, |p: V| place(p, -i, -j)));
        seen = seen | further;
        (i, j) = (2 * i, 2 * j);
    }
    patch::make(cx, seen, colors, (0, 0))
}

/// The free cells that a patch encloses.
#[inline(always)]
pub fn interior<V: Lanes>(cx: Cx, patch: Val) -> Val {
    match enclosed::<V>(cx, patch) {
        Ok(Some((m, origin))) => mask::make(cx, m, origin),
        Ok(None) => Val::EMPTY_SET,
        Err(v) => v,
    }
}

/// How many holes a patch has.
#[inline(always)]
pub fn holes<V: Lanes>(cx: Cx, patch: Val) -> Val {
    let mut left = match enclosed::<V>(cx, patch) {
        Ok(Some((m, _))) => m,
        Ok(None) => V::splat(0),
        Err(v) => return v,
    };
    let mut count = 0;
    while let Some((row, column)) = left.first() {
        left = left & !V::flood(left, row, column, false).0;
        count += 1;
    }
    Val::int(count)
}

/// What a patch encloses and the origin of its window; `None` for an empty patch.
#[inline(always)]
fn enclosed<V: Lanes>(cx: Cx, patch: Val) -> Read<Option<(V, (i32, i32))>> {
    let all = locations::<V>(cx, patch)?;
    if all.is_empty_set() {
        return Ok(None);
    }
    // No window holds what is an array.
    let p = Patch::<V>::load(cx, all).ok_or(Val::BACK)?;
    let b = mask::bounds(p.mask).ok_or(Val::BACK)?;
    let free = mask::rectangle::<V>(b) & !p.mask;
    let inside =
        Bounds { top: b.top + 1, bottom: b.bottom - 1, left: b.left + 1, right: b.right - 1 };
    let edge = free & !mask::rectangle::<V>(inside);
    Ok(Some((free & !connected(free, edge), p.origin)))
}

/// The bits of a mask that are connected by edges with some of them.
#[inline(always)]
fn connected<V: Lanes>(mask: V, seeds: V) -> V {
    let reversed = mask.reverse();
    let mut all = V::fill_runs(mask, reversed, seeds);
    loop {
        let more = (all.down() | all.up()) & mask & !all;
        if !more.any() {
            return all;
        }
        all = all | V::fill_runs(mask, reversed, more);
    }
}

/// The parts of a grid between its full rows and columns of one colour.
#[inline(always)]
pub fn panels<V: Lanes>(cx: Cx, grid: Val, divider: Val) -> Val {
    let (g, unit) = held!(full_grid::<V>(cx, grid));
    let divider = held!(int(divider));
    let cells = g.cells();
    let others = cells & !g.planes.eq(divider as u32, cells);
    let (rows, columns) = (others.ballot(), others.or_all());
    let starts = |bits: u32| (bits & !(bits << 1)).count_ones();
    let count = starts(rows) * starts(columns);
    if count == 0 {
        return Val::EMPTY_TUPLE;
    }
    let Some(mut list) = List::new(cx, count) else { return Val::BACK };
    let mut down = rows;
    while down != 0 {
        let run = lowest_run(down);
        let (top, end) = (run.trailing_zeros(), 32 - run.leading_zeros());
        let band = V::below(end) & !V::below(top);
        let mut across = columns;
        while across != 0 {
            let run = lowest_run(across);
            list.push(cx, patch::make_sharing(cx, band & V::splat(run), unit, (0, 0)));
            across &= !run;
        }
        down &= !run;
    }
    list.tuple(cx)
}

/// The lowest bits of a word that stand side by side.
#[inline(always)]
fn lowest_run(bits: u32) -> u32 {
    bits & !bits.wrapping_add(bits & bits.wrapping_neg())
}
