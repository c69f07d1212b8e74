//! Where an object occurs in a grid.

use super::wide;
use crate::arena::Cx;
use crate::grid::{Grid, Planes, mapped};
use crate::lanes::{Lanes, low_bits};
use crate::mask::{self, place};
use crate::ops::grids::read::full_grid;
use crate::patch::{self, Patch};
use crate::seq::patch_bounds;
use crate::val::{Fault, Tag, Val};

/// The locations where an object occurs in a grid.
#[inline(always)]
pub fn occurrences<V: Lanes>(cx: Cx, grid: Val, obj: Val) -> Val {
    let g = match full_grid::<V>(cx, grid) {
        Ok((g, _)) => g,
        Err(v) if v.is(Tag::Back) => return in_any::<V::Out>(cx, grid, obj),
        Err(v) => return v,
    };
    if !obj.is(Tag::Object) {
        return unusual::<V::Out>(cx, &g.to_out(), obj);
    }
    let Some(p) = Patch::<V>::load(cx, obj) else { return Val::BACK };
    let Some(b) = mask::bounds(p.mask) else { return Val::BACK };
    let (h, w) = (b.height() as u32, b.width() as u32);
    if h > g.height || w > g.width {
        return Val::EMPTY_SET;
    }
    let m = place(p.mask, -b.top, -b.left);
    let colors = mapped!(patch::planes::<V>(cx, obj), |x: V| place(x, -b.top, -b.left));
    let all = V::below(g.height - h + 1) & V::splat(low_bits(g.width - w + 1));
    mask::make(cx, matches(&g, m, colors, obj.extra(), all), (0, 0))
}

/// The places among `all` where the object fits: its rows colour by colour, until so few places are left
/// that they are compared whole.
#[inline(always)]
fn matches<V: Lanes>(g: &Grid<V>, m: V, colors: Planes<V>, count: u32, all: V) -> V {
    let (mut found, mut rest, mut cells) = (all, m, count);
    while rest.any() {
        let (color, of_color) = colors.extreme(rest, false);
        rest = rest & !of_color;
        let like = g.planes.eq(color, g.cells());
        let mut rows = of_color.ballot();
        while rows != 0 {
            let i = rows.trailing_zeros();
            let word = of_color.get(i);
            // Rows below each other are often the same.
            let mut height = 1;
            while i + height < 32 && of_color.get(i + height) == word {
                height += 1;
            }
            rows &= !(low_bits(height) << i);
            let mut fits = row_fits(like, word);
            let mut have = 1;
            while have < height {
                let step = have.min(height - have);
                fits = fits & fits.rows(-(step as i32));
                have += step;
            }
            found = found & fits.rows(-(i as i32));
            cells -= height * word.count_ones();
            let left = found.count();
            if left == 0 {
                return found;
            }
            if left < cells / FEW {
                return compared(g, m, colors, found);
            }
        }
    }
    found
}

/// Comparing an object at one place takes as long as so many of its cells at all places.
const FEW: u32 = 4;

/// The places where a row of an object fits among cells of its colour: run by run, each of which is
/// doubled until the rest is shorter.
#[inline(always)]
fn row_fits<V: Lanes>(like: V, row: u32) -> V {
    let (mut fits, mut word) = (V::splat(u32::MAX), row);
    while word != 0 {
        let start = word.trailing_zeros();
        let length = (word >> start).trailing_ones();
        word &= !(low_bits(length) << start);
        let (mut run, mut have) = (like, 1);
        while have < length {
            let step = have.min(length - have);
            run = run & run.shr(step);
            have += step;
        }
        fits = fits & run.shr(start);
    }
    fits
}

/// The places where every cell of the object fits.
#[inline(always)]
fn compared<V: Lanes>(g: &Grid<V>, m: V, colors: Planes<V>, places: V) -> V {
    let (mut found, mut rows) = (places, places.ballot());
    while rows != 0 {
        let row = rows.trailing_zeros();
        rows &= rows - 1;
        let (mut word, i) = (places.get(row), row as i32);
        while word != 0 {
            let column = word.trailing_zeros();
            word &= word - 1;
            let j = column as i32;
            let differ = g.planes.differ(mapped!(colors, |x: V| place(x, i, j)));
            if (differ & place(m, i, j)).any() {
                found = found & !V::put(row, 1 << column);
            }
        }
    }
    found
}

/// Occurrences in a grid that planes cannot hold.
#[inline(never)]
fn in_any<V: Lanes>(cx: Cx, grid: Val, obj: Val) -> Val {
    match (patch_bounds::<V>(cx, obj), obj.tag()) {
        (Some(b), Tag::Object | Tag::Set) if obj.is(Tag::Object) || cells_only(cx, obj) => {
            if b.height() > 1 << 16 || b.width() > 1 << 16 {
                return Val::BACK;
            }
            let size = (b.height() as u32, b.width() as u32);
            wide::occurrences::<V::Out>(cx, grid, obj, size, (b.top, b.left))
        }
        _ => Val::BACK,
    }
}

/// Objects that are no bits.
#[inline(never)]
fn unusual<V: Lanes>(cx: Cx, g: &Grid<V>, obj: Val) -> Val {
    match obj.tag() {
        // No cells fit everywhere, and once more than there are rows and columns.
        Tag::Colors | Tag::Tuple if obj.x() == 0 => {
            if g.height == 32 || g.width == 32 {
                return Val::BACK;
            }
            mask::make(cx, V::below(g.height + 1) & V::splat(low_bits(g.width + 1)), (0, 0))
        }
        Tag::Set => match patch_bounds::<V>(cx, obj) {
            Some(b) if cells_only(cx, obj) => {
                let near = b.height() < 1 << 30 && b.width() < 1 << 30;
                let large = b.height() > i64::from(g.height) || b.width() > i64::from(g.width);
                if near && large { Val::EMPTY_SET } else { Val::BACK }
            }
            _ => Val::BACK,
        },
        Tag::Tuple | Tag::Grid | Tag::Wide => Val::BACK,
        _ => Val::error(Fault::Type),
    }
}

fn cells_only(cx: Cx, set: Val) -> bool {
    let mut k = 0;
    while k < set.x() {
        if !cx.val(set.a(), k).is(Tag::Cell) {
            return false;
        }
        k += 1;
    }
    true
}
