//! Rows with many items, which would keep one warp busy long after all others are done: closed in
//! pieces, which then become one two by two. Only for results that are sets.

use core::sync::atomic::{AtomicU32, Ordering};

use crate::arena::Cx;
use crate::close;
use crate::closes::is_set;
use crate::columns::{NO_ROOM, Pieces};
use crate::gather::unite as united;
use crate::global::{get, set};
use crate::lanes::Lanes;
use crate::lanes::gpu::{Gpu, lane};
use crate::rows::{Kept, cx_alone, each_by_warp, keep, span};
use crate::val::{Fault, Tag, Val};

/// A piece: its parent row, where its items start and end, how many pieces the row has.
type Piece = [u32; 4];

/// Cuts long rows into pieces, and reserves those with one addition for a warp.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn cut(p: Pieces) {
    let c = &p.close;
    let cx = cx_alone(&c.memory, 0);
    each_by_warp(c.rows.div_ceil(32), |block| {
        let row = block * 32 + lane();
        let (mut start, mut end, mut pieces, mut size) = (0, 0, 0, p.size);
        if row < c.rows {
            [start, end] = span(c.spans, row);
            let long = end < NO_ROOM && end - start > p.long;
            if long && is_set(c.flags, c.container.get(row)) {
                let times = if are_places(cx, &p, start, end) { p.places } else { 1 };
                size *= times;
                if end - start > p.long * times && is_slow(&p, start, end) {
                    pieces = (end - start).div_ceil(size.max(1));
                }
            }
        }
        let (before, all) = Gpu::before(pieces);
        let mut first = 0;
        if lane() == 0 {
            first = (*(p.count as *const AtomicU32)).fetch_add(all, Ordering::Relaxed);
        }
        let first = Gpu(first).get(0) + before;
        if first + pieces > p.room {
            pieces = 0;
        }
        if row < c.rows {
            let number = if pieces > 0 { first + 1 } else { 0 };
            set((c.firsts as *mut u32).add(row as usize), number);
        }
        let mut k = 0;
        while k < pieces {
            let from = start + k * size;
            let piece = [row, from, (from + size).min(end), pieces];
            *(p.list as *mut Piece).add((first + k) as usize) = piece;
            k += 1;
        }
    });
}

/// Whether one warp would take long for the items of a row: where they are asked for, a few must be
/// arrays, or there must be very many.
#[inline(always)]
unsafe fn is_slow(p: &Pieces, start: u32, end: u32) -> bool {
    let is_array = |at: u32| p.close.results.get(at).is(Tag::Set);
    end - start > p.many
        || is_array(start)
        || is_array(u32::midpoint(start, end))
        || is_array(end - 1)
}

/// Whether results are arrays of locations or cells, which one warp puts together fast.
#[inline(always)]
unsafe fn are_places(cx: Cx, p: &Pieces, start: u32, end: u32) -> bool {
    let is_place = |at: u32| {
        let v = p.close.results.get(at);
        !v.is(Tag::Set) || matches!(cx.val(v.a(), 0).tag(), Tag::Pair | Tag::Cell)
    };
    is_place(start) && is_place(u32::midpoint(start, end)) && is_place(end - 1)
}

/// Calls `f` with every piece and its number.
#[inline(always)]
unsafe fn each_piece(p: &Pieces, mut f: impl FnMut(u32, Piece)) {
    let count = (*(p.count as *const u32)).min(p.room);
    each_by_warp(count, |at| f(at, *(p.list as *const Piece).add(at as usize)));
}

/// Closes every piece.
#[inline(always)]
unsafe fn each_closed(p: &Pieces, f: impl Fn(Cx, Piece) -> Val) {
    let cx = Kept::ask(&p.close.memory).cx(&p.close.memory);
    each_piece(p, |at, piece| {
        let mark = cx.taken();
        let v = settled(cx, mark, f(cx, piece));
        set((p.close.closed as *mut Val).add(at as usize), v);
    });
    keep(&p.close.memory, cx);
}

/// The results of every piece as a set.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn close_apply_pieces(p: Pieces) {
    let results = p.close.results;
    each_closed(&p, |cx, [_, start, end, _]| {
        close::apply::<Gpu>(cx, true, end - start, |k| results.get(start + k))
    });
}

/// The items of all results of every piece as a set.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn close_merge_pieces(p: Pieces) {
    let results = p.close.results;
    each_closed(&p, |cx, [_, start, end, _]| {
        close::merge::<Gpu>(cx, true, end - start, |k| results.get(start + k))
    });
}

/// A set that is an array, moved to a mark after which it was made: what was needed on the way is
/// given back. Items that may lie there, too, stay.
#[inline(always)]
fn settled(cx: Cx, mark: u32, v: Val) -> Val {
    if !v.is(Tag::Set) || !cx.knows(mark) || v.a() <= mark {
        return v;
    }
    let elsewhere = |v: Val| {
        matches!(v.tag(), Tag::Int | Tag::Pair | Tag::Cell | Tag::Colors | Tag::Mask | Tag::Object)
    };
    if Gpu::find(v.x(), |k| !elsewhere(cx.val(v.a(), k))).is_some() {
        return v;
    }
    cx.release(mark);
    let Some(unit) = cx.take_vals(v.x()) else { return Val::BACK };
    let mut base = 0;
    while base < v.x() {
        let k = base + lane();
        let item = cx.val(v.a(), k.min(v.x() - 1));
        // It may lie where others still have to read.
        Gpu::meet();
        if k < v.x() {
            cx.put_own(unit, k, item);
        }
        Gpu::meet();
        base += 32;
    }
    Val::new(v.tag(), v.extra(), unit, v.b(), v.x())
}

/// Whether a piece is more than a value may hold, which so is all of the row.
#[inline(always)]
fn is_too_large(v: Val) -> bool {
    v.is(Tag::Error) && v.extra() == Fault::Size as u32 && v.origin_slot().is_none()
}

/// Two pieces as one. The first that is bad decides, as if they had been closed together.
#[inline(always)]
fn joined(cx: Cx, a: Val, b: Val) -> Val {
    match (a.is_bad(), b.is_bad()) {
        (true, true) if is_too_large(a) => b,
        (true, _) => a,
        (_, true) => b,
        _ => united::<Gpu>(cx, a, b),
    }
}

/// Makes one of every two pieces that are `step` apart.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn unite(p: Pieces) {
    let cx = Kept::ask(&p.close.memory).cx(&p.close.memory);
    let closed = p.close.closed as *mut Val;
    each_piece(&p, |at, [row, _, _, pieces]| {
        let first = get((p.close.firsts as *const u32).add(row as usize)) - 1;
        let place = at - first;
        if place & (2 * p.step - 1) == 0 && place + p.step < pieces {
            let (a, b) = (get(closed.add(at as usize)), get(closed.add((at + p.step) as usize)));
            set(closed.add(at as usize), joined(cx, a, b));
        }
    });
    keep(&p.close.memory, cx);
}
