//! Kernels for what is found in a shorter way than it is written.

use crate::calls::{column, column_alone};
use crate::columns::Calls;
use crate::counts;
use crate::forms;
use crate::lanes::gpu::Gpu;
use crate::ops::alone::Alone;
use crate::rows::parameter;
use crate::unknown;

/// The cells that are objects alone.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn specks(calls: Calls) {
    let at = parameter!(specks);
    column(&calls.memory, at, |cx, [grid, univalued, diagonal, without_bg]| {
        counts::specks::<Gpu>(cx, grid, univalued, diagonal, without_bg)
    });
}

/// The colours of a grid.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn colors(calls: Calls) {
    let at = parameter!(colors);
    column_alone(&calls.memory, at, Alone::Colors, |cx, [grid]| counts::colors::<Gpu>(cx, grid));
}

/// How many items sets share.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn count_shared(calls: Calls) {
    let (at, alone) = (parameter!(count_shared), Alone::Counted { keep: true });
    column_alone(&calls.memory, at, alone, |cx, [a, b]| counts::shared::<Gpu>(cx, a, b));
}

/// How many items of sets others do not have.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn count_apart(calls: Calls) {
    let (at, alone) = (parameter!(count_apart), Alone::Counted { keep: false });
    column_alone(&calls.memory, at, alone, |cx, [a, b]| counts::apart::<Gpu>(cx, a, b));
}

/// How many cells grids have in common.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn count_alike(calls: Calls) {
    let at = parameter!(count_alike);
    column_alone(&calls.memory, at, Alone::Alike, |cx, [a, b]| counts::alike::<Gpu>(cx, a, b));
}

/// How many pairs sets make.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn count_pairs(calls: Calls) {
    let at = parameter!(count_pairs);
    column(&calls.memory, at, |cx, [a, b]| counts::pairs::<Gpu>(cx, a, b));
}

/// Lines, as far as grids show them.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn shot(calls: Calls) {
    let at = parameter!(shot);
    column(&calls.memory, at, |cx, [start, direction, grid]| {
        forms::shot_onto::<Gpu>(cx, start, direction, grid)
    });
}

/// The larger ones of grids' cells everywhere.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn larger(calls: Calls) {
    let at = parameter!(larger);
    column(&calls.memory, at, |cx, [a, b]| forms::larger::<Gpu>(cx, a, b));
}

/// How many cells grids have.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn count_cells(calls: Calls) {
    let at = parameter!(count_cells);
    column_alone(&calls.memory, at, Alone::Area, |cx, [grid]| counts::area::<Gpu>(cx, grid));
}

/// Calls of unknown functions with one argument.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn call1(calls: Calls) {
    let at = parameter!(call1);
    column(&calls.memory, at, |cx, [f, a]| unknown::call1::<Gpu>(cx, f, a));
}

/// Calls of unknown functions with two arguments.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn call2(calls: Calls) {
    let at = parameter!(call2);
    column(&calls.memory, at, |cx, [f, a, b]| unknown::call2::<Gpu>(cx, f, a, b));
}

/// Calls of unknown functions with three arguments.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn call3(calls: Calls) {
    let at = parameter!(call3);
    column(&calls.memory, at, |cx, [f, a, b, c]| unknown::call3::<Gpu>(cx, f, a, b, c));
}

/// Loops that call unknown functions.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn looped(calls: Calls) {
    let at = parameter!(looped);
    column(&calls.memory, at, |cx, [f, over, extra]| {
        unknown::looped::<Gpu>(cx, f, over, extra)
    });
}

/// Loops that call unknown functions to pick something.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn picked(calls: Calls) {
    let at = parameter!(picked);
    column(&calls.memory, at, |cx, [f, over, extra]| {
        unknown::picked::<Gpu>(cx, f, over, extra)
    });
}

/// Loops over two containers that call unknown functions.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn paired(calls: Calls) {
    let at = parameter!(paired);
    column(&calls.memory, at, |cx, [f, a, b]| unknown::paired::<Gpu>(cx, f, a, b));
}

/// Calls of each of some unknown functions.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn rapplied(calls: Calls) {
    let at = parameter!(rapplied);
    column(&calls.memory, at, |cx, [functions, value]| {
        unknown::rapplied::<Gpu>(cx, functions, value)
    });
}
