//! Connected objects of grids that planes cannot hold, cell by cell.

use super::connected::Mode;
use crate::arena::Cx;
use crate::gather;
use crate::lanes::Lanes;
use crate::ops::grids::read::held;
use crate::ops::grids::wide::Wide;
use crate::ops::mostcolor;
use crate::seq::List;
use crate::val::{Tag, Val};

/// The steps to the neighbours of a cell, straight ones first.
const STEPS: [(i32, i32); 8] =
    [(-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)];

/// The connected objects of a grid, as a set.
#[inline(never)]
pub(super) fn find<V: Lanes>(cx: Cx, grid: Val, mode: Mode) -> Val {
    let g = held!(Wide::of(cx, grid));
    let background = if mode.without_bg { mostcolor::<V>(cx, grid) } else { Val::NULL };
    if background.is_bad() {
        return background;
    }
    let n = g.height * g.width;
    // A cell that was seen is null; the cells of all objects lie in a row in the order they are met.
    let (Some(left), Some(met), Some(mut list)) =
        (cx.take_vals(n), cx.take_vals(n), List::new(cx, n))
    else {
        return Val::BACK;
    };
    let mut k = 0;
    while k < n {
        let (i, j) = g.place(k);
        let color = g.at::<V>(cx, i, j);
        cx.put(left, k, if color == background { Val::NULL } else { color });
        k += 1;
    }
    let (mut end, mut start) = (0, 0);
    while start < n {
        let begin = end;
        let color = cx.val(left, start);
        let mut meet = |at: u32| {
            let here = cx.val(left, at);
            if here.is(Tag::Int) && (!mode.univalued || here == color) {
                let (i, j) = g.place(at);
                cx.put(met, end, Val::cell(here.x() as i32, i as i32, j as i32));
                cx.put(left, at, Val::NULL);
                end += 1;
            }
            end
        };
        let mut at = begin;
        // The first cell is null after the first time, so that only the count is asked for then.
        while at < meet(start) {
            let cell = cx.val(met, at);
            let mut step = 0;
            while step < if mode.diagonal { 8 } else { 4 } {
                let (di, dj) = STEPS[step & 7];
                let (i, j) = (cell.b() as i32 + di, cell.x() as i32 + dj);
                if (0..g.height as i32).contains(&i) && (0..g.width as i32).contains(&j) {
                    meet(i as u32 * g.width + j as u32);
                }
                step += 1;
            }
            at += 1;
        }
        if end > begin {
            list.push(cx, gather::set::<V>(cx, end - begin, |k| cx.val(met, begin + k)));
        }
        start += 1;
    }
    list.set::<V>(cx)
}
