//! Opening element frames: a row for every item, those of one parent in a row.

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::arena::Cx;
use crate::columns::{
    Above, MAX_BODIES, MOST_AROUND, NO_ROOM, NOT_ITSELF, Open, PRODUCT, TOO_MANY, ZIP,
};
use crate::gather::{flat, spill};
use crate::lanes::Lanes;
use crate::lanes::gpu::{Gpu, lane};
use crate::rows::{MANY, chunk, cx, each_by_thread, each_by_warp, warps};
use crate::seq::len;
use crate::val::{Tag, Val};

/// Counts the rows of every parent and reserves them, one addition for a warp. Nothing is scanned, so
/// parents come in any order; each has its rows together.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn open_count(open: Open) {
    let spans = open.spans as *mut [u32; 2];
    each_by_warp(open.rows.div_ceil(32), |block| {
        let row = block * 32 + lane();
        let there = row < open.rows;
        let mut count = 0u64;
        if there {
            count = u64::from(len(open.over[0].get(row)).unwrap_or(0));
            if open.containers == 2 {
                let other = u64::from(len(open.over[1].get(row)).unwrap_or(0));
                count = if open.product != 0 { count * other } else { count.min(other) };
            }
        }
        let mut many = if open.kinds & NOT_ITSELF == 0 { count } else { 1 };
        let mut at = 0;
        while there && at < open.frames.min(MOST_AROUND as u32) {
            many = many.saturating_mul(around(&open, at, row));
            at += 1;
        }
        // Where there will be too many rows over all of a nest, none are opened.
        let too_many = many > u64::from(MAX_BODIES) || count > u64::from(MAX_BODIES);
        let mine = if too_many { 0 } else { count as u32 };
        let (before, all) = Gpu::before(mine);
        let lengths = Gpu(mine).or_all();
        let mut start = 0;
        if lane() == 0 {
            let count = open.count as *const AtomicU64;
            start = (*count).fetch_add(u64::from(all), Ordering::Relaxed);
            (*count.add(1).cast::<AtomicU32>()).fetch_or(lengths, Ordering::Relaxed);
        }
        let start =
            u64::from(Gpu(start as u32).get(0)) | u64::from(Gpu((start >> 32) as u32).get(0)) << 32;
        let start = start + u64::from(before);
        if there {
            let end = start + u64::from(mine);
            let end = match () {
                () if too_many => TOO_MANY,
                () if open.room == 0 => mine,
                () if end > u64::from(open.room) => NO_ROOM,
                () if open.base != 0 && base_span(&open, row)[1] >= NO_ROOM => NO_ROOM,
                () => end as u32,
            };
            let start = if open.room == 0 { 0 } else { start as u32 };
            *spans.add(row as usize) = [start, end];
        }
    });
}

/// How many rows a frame around this one has.
#[inline(always)]
unsafe fn around(open: &Open, at: u32, row: u32) -> u64 {
    let length = |k: u32| {
        let operand = open.around.as_ptr().add(k as usize);
        u64::from(len((*operand).get(row)).unwrap_or(0))
    };
    let (a, b) = (length(2 * at), length(2 * at + 1));
    match open.kinds >> (2 * at) & 3 {
        ZIP => a.min(b),
        PRODUCT => a * b,
        _ => a,
    }
}

/// Where the rows of the base start and end that a row of the parent has again.
#[inline(always)]
unsafe fn base_span(open: &Open, row: u32) -> [u32; 2] {
    let outer = *(open.outer as *const u32).add(row as usize);
    *(open.base as *const [u32; 2]).add(outer as usize)
}

/// Fills the rows that were reserved: their parents and their items.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn open_fill(open: Open) {
    let mut chunk = chunk(&open.memory, true);
    let cx = cx(&open.memory, &mut chunk);
    let simple = (open.base != 0) | ((open.containers == 1) & (open.product == 0));
    if simple & (open.rows / MANY >= warps()) {
        each_by_warp(open.rows.div_ceil(32), |block| fill_together(cx, &open, block));
    } else {
        each_by_warp(open.rows, |row| fill(cx, &open, row));
    }
}

/// Fills the rows of one parent.
#[inline(always)]
unsafe fn fill(cx: Cx, open: &Open, row: u32) {
    let parents = open.parents as *mut u32;
    let [first, second] = [open.items[0] as *mut Val, open.items[1] as *mut Val];
    let [start, end] = *(open.spans as *const [u32; 2]).add(row as usize);
    if (end >= NO_ROOM) | (end == start) {
        return;
    }
    let count = end - start;
    let mut k = lane();
    while k < count {
        *parents.add((start + k) as usize) = row;
        k += 32;
    }
    if open.base != 0 {
        let from = base_span(open, row)[0];
        let mut k = lane();
        while k < count {
            *(open.again as *mut u32).add((start + k) as usize) = from + k;
            k += 32;
        }
        return;
    }
    let (a, b) = (open.over[0].get(row), open.over[1].get(row));
    if open.product != 0 {
        product(cx, a, b, (start, count), (first, second));
        return;
    }
    if !first.is_null() {
        spill::<Gpu>(cx, a, count, |k, v| *first.add((start + k) as usize) = v);
    }
    if !second.is_null() {
        spill::<Gpu>(cx, b, count, |k, v| *second.add((start + k) as usize) = v);
    }
}

/// Fills the rows of 32 parents, a row for each lane at a time: most parents have few. Those whose items
/// are no array follow one by one.
#[inline(always)]
unsafe fn fill_together(cx: Cx, open: &Open, block: u32) {
    let row = block * 32 + lane();
    let (mut start, mut count, mut from, mut items) = (0, 0, 0, Val::NULL);
    if row < open.rows {
        let [begins, ends] = *(open.spans as *const [u32; 2]).add(row as usize);
        if (ends < NO_ROOM) & (ends != begins) {
            (start, count) = (begins, ends - begins);
            if open.base != 0 {
                from = base_span(open, row)[0];
            } else {
                items = open.over[0].get(row);
            }
        }
    }
    let array = matches!(items.tag(), Tag::Null | Tag::Pair | Tag::Tuple | Tag::Set);
    let (before, all) = Gpu::before(if array { count } else { 0 });
    let mut done = 0;
    while done < all {
        let at = done + lane();
        // The last parent whose rows begin here or before.
        let (mut owner, mut step) = (0, 16);
        while step != 0 {
            if Gpu(before).get(owner + step) <= at {
                owner += step;
            }
            step /= 2;
        }
        let k = at.wrapping_sub(Gpu(before).get(owner));
        let to = Gpu(start).get(owner).wrapping_add(k) as usize;
        let from = Gpu(from).get(owner);
        let [tag, a, b, x] = items.words().map(|word| Gpu(word).get(owner));
        if at < all {
            *(open.parents as *mut u32).add(to) = block * 32 + owner;
            if open.base != 0 {
                *(open.again as *mut u32).add(to) = from + k;
            } else if open.items[0] != 0 {
                let item = match tag & 0xff == Tag::Pair as u32 {
                    true => Val::int(if k == 0 { b } else { x } as i32),
                    false => cx.val(a, k),
                };
                *(open.items[0] as *mut Val).add(to) = item;
            }
        }
        done += 32;
    }
    let mut left = Gpu(u32::from(!array)).ballot();
    while left != 0 {
        fill(cx, open, block * 32 + left.trailing_zeros());
        left &= left - 1;
    }
}

/// All pairs of items, the first varying fastest.
#[inline(always)]
unsafe fn product(
    cx: Cx,
    a: Val,
    b: Val,
    (start, count): (u32, u32),
    (first, second): (*mut Val, *mut Val),
) {
    let (x, y) = (flat::<Gpu>(cx, a), flat::<Gpu>(cx, b));
    let width = len(a).unwrap_or(1).max(1);
    let mut k = lane();
    while k < count {
        let at = (start + k) as usize;
        if !first.is_null() {
            *first.add(at) = x.map_or(Val::BACK, |(unit, _)| cx.val(unit, k % width));
        }
        if !second.is_null() {
            *second.add(at) = y.map_or(Val::BACK, |(unit, _)| cx.val(unit, k / width));
        }
        k += 32;
    }
}

/// For each row its ancestor further out.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn above(a: Above) {
    let (parents, above, out) = (a.parents as *const u32, a.above as *const u32, a.out as *mut u32);
    each_by_thread(a.rows, |row| {
        *out.add(row as usize) = *above.add(*parents.add(row as usize) as usize);
    });
}
