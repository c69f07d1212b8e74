//! Opening element frames: a row for every item, those of one parent in a row.

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::arena::Cx;
use crate::columns::{
    Above, BUT, LOST, MAX_BODIES, MOST_AROUND, NO_ROOM, NOT_ITSELF, Open, PART, PRODUCT, TOO_MANY,
    ZIP,
};
use crate::gather::{flat, spill};
use crate::global::{get, set};
use crate::lanes::Lanes;
use crate::lanes::gpu::{Gpu, lane};
use crate::order::equal;
use crate::rows::{Kept, MANY, each_by_thread, each_by_warp, keep, span, warps};
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
        // All of them, so that none is found by number; see `List`.
        while at < MOST_AROUND {
            if there && (at as u32) < open.frames {
                many = many.saturating_mul(around(&open, at, row));
            }
            at += 1;
        }
        // Where there will be too many rows over all of a nest, none are opened.
        let lost = (many > u64::from(MAX_BODIES)) & (open.kinds & NOT_ITSELF != 0);
        let too_many = many > u64::from(MAX_BODIES) || count > u64::from(MAX_BODIES);
        // What would surely be handed back is not begun.
        let heavy = count > u64::from(open.most);
        let mut base = 0;
        if there && open.room != 0 {
            base = base_end(&open, row);
        }
        // Rows that are reserved are filled: others would be found by indices that mean nothing.
        let mine = if too_many | heavy | (base >= NO_ROOM) { 0 } else { count as u32 };
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
                () if lost => LOST,
                () if too_many => TOO_MANY,
                () if heavy => NO_ROOM,
                () if open.room == 0 => mine,
                () if end > u64::from(open.room) => NO_ROOM,
                () => match base {
                    LOST => LOST,
                    NO_ROOM.. => NO_ROOM,
                    _ => end as u32,
                },
            };
            let start = if open.room == 0 { 0 } else { start as u32 };
            *spans.add(row as usize) = [start, end];
        }
    });
}

/// How many rows a frame around this one has.
#[inline(always)]
unsafe fn around(open: &Open, at: usize, row: u32) -> u64 {
    let length = |k: usize| u64::from(len(open.around[k].get(row)).unwrap_or(0));
    let (a, b) = (length(2 * at), length(2 * at + 1));
    match open.kinds >> (2 * at) & 3 {
        ZIP => a.min(b),
        PRODUCT => a * b,
        BUT => a.saturating_sub(1),
        _ => a,
    }
}

/// Where the rows of the base start and end that a row of the parent has again.
#[inline(always)]
unsafe fn base_span(open: &Open, row: u32) -> [u32; 2] {
    let outer = get((open.outer as *const u32).add(row as usize));
    span(open.base, outer)
}

/// Where they end; 0 without a base.
#[inline(always)]
unsafe fn base_end(open: &Open, row: u32) -> u32 {
    if open.base == 0 { 0 } else { base_span(open, row)[1] }
}

/// Fills the rows that were reserved: their parents and their items.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn open_fill(open: Open) {
    let cx = Kept::ask(&open.memory).cx(&open.memory);
    let simple = (open.base != 0) | ((open.containers == 1) & (open.product == 0));
    if simple & (open.rows / MANY >= warps()) {
        each_by_warp(open.rows.div_ceil(32), |block| fill_together(cx, &open, block));
    } else {
        each_by_warp(open.rows, |row| fill(cx, &open, row));
    }
    keep(&open.memory, cx);
}

/// Fills the rows of one parent.
#[inline(always)]
unsafe fn fill(cx: Cx, open: &Open, row: u32) {
    let parents = open.parents as *mut u32;
    let [first, second] = [open.items[0] as *mut Val, open.items[1] as *mut Val];
    let [start, end] = span(open.spans, row);
    if (end >= NO_ROOM) | (end == start) {
        return;
    }
    let count = end - start;
    let mut k = lane();
    while k < count {
        set(parents.add((start + k) as usize), row);
        k += 32;
    }
    // What follows may be called from one place only, by all lanes.
    Gpu::meet();
    if open.kinds & PART != 0 {
        let before = cx.taken();
        if !part(cx, open, row, (start, count)) {
            // Nobody asks for these rows, but they are computed.
            let from = base_span(open, row)[0];
            Gpu::each(count, |k| set((open.again as *mut u32).add((start + k) as usize), from));
            if lane() == 0 {
                *(open.spans as *mut [u32; 2]).add(row as usize) = [start, NO_ROOM];
            }
        }
        cx.release(before);
        return;
    }
    if open.base != 0 {
        let from = base_span(open, row)[0];
        let mut k = lane();
        while k < count {
            set((open.again as *mut u32).add((start + k) as usize), from + k);
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
        spill::<Gpu>(cx, a, count, |k, v| set(first.add((start + k) as usize), v));
    }
    if !second.is_null() {
        spill::<Gpu>(cx, b, count, |k, v| set(second.add((start + k) as usize), v));
    }
}

/// Fills the rows of 32 parents, a row for each lane at a time: most parents have few. Those whose items
/// are no array follow one by one.
#[inline(always)]
unsafe fn fill_together(cx: Cx, open: &Open, block: u32) {
    let row = block * 32 + lane();
    let (mut start, mut count, mut from, mut items, mut whole) = (0, 0, 0, Val::NULL, Val::NULL);
    let is_part = open.kinds & PART != 0;
    if row < open.rows {
        let [begins, ends] = span(open.spans, row);
        if (ends < NO_ROOM) & (ends != begins) {
            (start, count) = (begins, ends - begins);
            if open.base != 0 {
                from = base_span(open, row)[0];
            }
            if is_part {
                whole = open.over[1].get(row);
            }
            if is_part | (open.base == 0) {
                items = open.over[0].get(row);
            }
        }
    }
    let array = matches!(items.tag(), Tag::Null | Tag::Pair | Tag::Tuple | Tag::Set)
        && matches!(whole.tag(), Tag::Null | Tag::Tuple | Tag::Set)
        && !(is_part & items.is(Tag::Pair));
    let (before, all) = Gpu::before(if array { count } else { 0 });
    // Parents that are to be done alone.
    let mut left = 0;
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
        let (from, count) = (Gpu(from).get(owner), Gpu(count).get(owner));
        let [tag, a, b, x] = items.words().map(|word| Gpu(word).get(owner));
        let (unit, most) = (Gpu(whole.a()).get(owner), Gpu(whole.x()).get(owner));
        if at < all {
            set((open.parents as *mut u32).add(to), block * 32 + owner);
            if is_part {
                match place(cx, cx.val(a, k), (unit, most), (k, count)) {
                    Some(place) => set((open.again as *mut u32).add(to), from + place),
                    None => left |= 1 << owner,
                }
            } else if open.base != 0 {
                set((open.again as *mut u32).add(to), from + k);
            } else if open.items[0] != 0 {
                let item = match tag & 0xff == Tag::Pair as u32 {
                    true => Val::int(if k == 0 { b } else { x } as i32),
                    false => cx.val(a, k),
                };
                set((open.items[0] as *mut Val).add(to), item);
            }
        }
        done += 32;
    }
    let mut left = Gpu::joined(left) | Gpu(u32::from(!array)).ballot();
    while left != 0 {
        fill(cx, open, block * 32 + left.trailing_zeros());
        left &= left - 1;
    }
}

/// Where the k-th of `count` items of a part is in the whole: both are in the same order, so it is at its
/// own place or as many places further on as the whole has more items.
#[inline(always)]
unsafe fn place(
    cx: Cx,
    item: Val,
    (whole, most): (u32, u32),
    (k, count): (u32, u32),
) -> Option<u32> {
    let (mut at, end) = (k, most.saturating_sub(count) + k);
    while at < end && cx.val(whole, at) != item {
        at += 1;
    }
    if at < most && cx.val(whole, at) == item { Some(at) } else { None }
}

/// Finds the base's rows of the items of a part. `false` if one is not there.
#[inline(always)]
unsafe fn part(cx: Cx, open: &Open, row: u32, (start, count): (u32, u32)) -> bool {
    let from = base_span(open, row)[0];
    let (a, b) = (flat::<Gpu>(cx, open.over[0].get(row)), flat::<Gpu>(cx, open.over[1].get(row)));
    let (Ok((part, _)), Ok((whole, most))) = (a, b) else { return false };
    let mut unlike = 0;
    Gpu::each(count, |k| match place(cx, cx.val(part, k), (whole, most), (k, count)) {
        Some(at) => set((open.again as *mut u32).add((start + k) as usize), from + at),
        None => unlike = 1,
    });
    if Gpu::joined(unlike) == 0 {
        return true;
    }
    // An item that was written twice: all lanes look for one item after the other.
    let (mut k, mut at) = (0, 0);
    while k < count {
        let item = cx.val(part, k);
        while at < most && equal::<Gpu>(cx, item, cx.val(whole, at)) != Some(true) {
            at += 1;
        }
        if at == most {
            return false;
        }
        if lane() == 0 {
            set((open.again as *mut u32).add((start + k) as usize), from + at);
        }
        (k, at) = (k + 1, at + 1);
    }
    true
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
            let item = x.map_or(Val::BACK, |(unit, _)| cx.val(unit, k % width));
            set(first.add(at), item);
        }
        if !second.is_null() {
            let item = y.map_or(Val::BACK, |(unit, _)| cx.val(unit, k / width));
            set(second.add(at), item);
        }
        k += 32;
    }
}

/// For each row its ancestor further out.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn above(a: Above) {
    let (parents, above, out) = (a.parents as *const u32, a.above as *const u32, a.out as *mut u32);
    each_by_thread(a.rows, |row| {
        set(out.add(row as usize), get(above.add(get(parents.add(row as usize)) as usize)));
    });
}
