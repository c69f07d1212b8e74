//! Lines as far as a window shows them, where they will only be drawn on a grid.
//!
//! What lies beside a grid is not drawn, and most of a line that goes on for 42 steps lies there. Lines that
//! begin near a grid have no more places together than a value may hold, however many there are, so no limit
//! is passed that all of their places would pass.

use crate::arena::Cx;
use crate::gather::flat;
use crate::lanes::Lanes;
use crate::mask::{self, place};
use crate::ops::{connect, shoot};
use crate::patch::Patch;
use crate::seq::len;
use crate::val::{Tag, Val};

/// How many steps a line goes.
const STEPS: i32 = 42;

/// Whether a line that begins there ends within 244 rows or columns.
#[inline(always)]
fn near(n: i32) -> bool {
    (-64..96).contains(&n)
}

/// `shoot`, of which only what a grid shows will be drawn, as a set of locations. Handed back where the line
/// may be one that lies further away.
#[inline(always)]
pub fn shot_onto<V: Lanes>(cx: Cx, start: Val, direction: Val, grid: Val) -> Val {
    if !grid.is(Tag::Grid) {
        return shoot::<V>(cx, start, direction);
    }
    let (Some((i, j)), Some(by)) = (start.as_pair(), direction.as_pair()) else {
        let line = shoot::<V>(cx, start, direction);
        return if line.is(Tag::Error) { line } else { Val::BACK };
    };
    if !near(i) || !near(j) || !is_step(by) {
        return Val::BACK;
    }
    match shown((i, j), by) {
        Some((from, to)) => {
            let at = |k: i32| Val::pair(i + k * by.0, j + k * by.1);
            connect::<V>(cx, at(from), at(to))
        }
        None => Val::EMPTY_SET,
    }
}

/// Whether a direction is a step to a neighbour, or none.
#[inline(always)]
pub(super) fn is_step((i, j): (i32, i32)) -> bool {
    (-1..=1).contains(&i) && (-1..=1).contains(&j)
}

/// The first and the last step at which a line is in the window of a grid, if there are any.
#[inline(always)]
fn shown((i, j): (i32, i32), (di, dj): (i32, i32)) -> Option<(i32, i32)> {
    let side = |n: i32, d: i32| match d {
        0 if (0..32).contains(&n) => (0, STEPS),
        0 => (1, 0),
        1 => (-n, 31 - n),
        _ => (n - 31, n),
    };
    let ((a, b), (c, d)) = (side(i, di), side(j, dj));
    let (from, to) = (a.max(c).max(0), b.min(d).min(STEPS));
    // Without a step there is one place, however often.
    let to = if (di, dj) == (0, 0) { to.min(0) } else { to };
    (from <= to).then_some((from, to))
}

/// The lines from all locations of a set in a direction, as far as a grid shows them; `None` where something
/// is no location, or a line ends in the window. Handed back where one may lie further away.
#[inline(always)]
pub(super) fn shots_seen<V: Lanes>(cx: Cx, direction: Val, places: Val) -> Option<Val> {
    let by = direction.as_pair().filter(|_| len(places) > Some(0))?;
    if !is_step(by) {
        return Some(Val::BACK);
    }
    let inside = Patch::<V>::load(cx, places).filter(|p| {
        let b = p.bounds();
        places.is(Tag::Mask) && b.top >= 0 && b.left >= 0 && b.bottom < 32 && b.right < 32
    });
    let mut all = match inside {
        Some(p) => p.seen_from((0, 0)),
        None => match begun::<V>(cx, by, places)? {
            Ok(bits) => bits,
            Err(far) => return Some(far),
        },
    };
    // What is there is doubled: every line goes on as far as the window does.
    let mut step = 1;
    while step < 32 {
        all = all | place(all, step * by.0, step * by.1);
        step *= 2;
    }
    Some(mask::make(cx, all, (0, 0)))
}

/// Where the lines from some locations enter the window, with all that is in it of those that end there.
#[inline(always)]
fn begun<V: Lanes>(cx: Cx, by: (i32, i32), places: Val) -> Option<Result<V, Val>> {
    let (unit, n) = flat::<V>(cx, places).ok()?;
    let (mut all, mut k) = (V::splat(0), 0);
    while k < n {
        let (i, j) = cx.val(unit, k).as_pair()?;
        if !near(i) || !near(j) {
            return Some(Err(Val::BACK));
        }
        if let Some((from, to)) = shown((i, j), by) {
            let at = |k: i32| (i + k * by.0, j + k * by.1);
            let (row, column) = at(to + 1);
            let ends = to == STEPS && (0..32).contains(&row) && (0..32).contains(&column);
            if ends {
                // All that follows would be drawn, too.
                return None;
            }
            let (row, column) = at(from);
            all.mark(row as u32, 1 << (column & 31));
        }
        k += 1;
    }
    Some(Ok(all))
}
