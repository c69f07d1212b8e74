//! Listing the items of containers, for each instruction set.

#![allow(unsafe_code)]

use std::mem::MaybeUninit;

use batt_core::arena::ROWS;
use batt_core::columns::NO_ROOM;
use batt_core::lanes::Lanes;
use batt_core::patch::{mono, planes};
use batt_core::seq::{Items, List};
use batt_core::{Array, Cx, Tag, Val};

use crate::kernels::{Operand, Set};

/// Adds the first items of a container to a column, so many of them; there are as many.
pub type Lister = unsafe fn(Cx, Val, usize, &mut Vec<Val>);

/// The containers of a loop, each with as many items as it has rows.
#[derive(Clone, Copy)]
pub struct Opening<'a> {
    /// The arena.
    pub cx: Cx,
    /// The container, by row of the parent.
    pub container: Operand<'a>,
    /// The first row of the parent.
    pub first: usize,
    /// For each row of the parent where its rows start and end; a mark stands for the end where it has
    /// none.
    pub spans: &'a [(u32, u32)],
}

/// Adds the items of all rows to an empty column.
pub type Opener = unsafe fn(Opening<'_>, &mut Vec<Val>);

/// The opener for an instruction set. It may be called on a machine that has it.
pub fn opener(set: Set) -> Opener {
    match set {
        #[cfg(target_arch = "x86_64")]
        Set::Avx2 | Set::Avx512 => open_avx2,
        _ => open_portable,
    }
}

fn open_portable(opening: Opening<'_>, column: &mut Vec<Val>) {
    open::<Array>(opening, column);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn open_avx2(opening: Opening<'_>, column: &mut Vec<Val>) {
    open::<Array>(opening, column);
}

#[inline(always)]
fn open<V: Lanes>(o: Opening<'_>, column: &mut Vec<Val>) {
    column.clear();
    let last = o.spans.iter().rev().find(|span| span.1 < NO_ROOM);
    column.reserve(last.map_or(0, |span| span.1 as usize));
    let (room, mut filled) = (column.spare_capacity_mut(), 0);
    for (at, (start, end)) in o.spans.iter().enumerate() {
        // A span begins where the last one ended.
        let span = *start as usize..*end as usize;
        if *end >= NO_ROOM || span.start != filled {
            continue;
        }
        let Some(room) = room.get_mut(span) else { continue };
        let written = list::<V>(o.cx, o.container.get(o.first + at), room);
        for left in room.iter_mut().skip(written) {
            left.write(Val::BACK);
        }
        filled += room.len();
    }
    // SAFETY: there is room for so many, and each of them was written.
    unsafe { column.set_len(filled) };
}

/// The lister for an instruction set. It may be called on a machine that has it.
pub fn lister(set: Set) -> Lister {
    match set {
        #[cfg(target_arch = "x86_64")]
        Set::Avx2 | Set::Avx512 => avx2,
        _ => portable,
    }
}

fn portable(cx: Cx, container: Val, count: usize, column: &mut Vec<Val>) {
    add::<Array>(cx, container, count, column);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn avx2(cx: Cx, container: Val, count: usize, column: &mut Vec<Val>) {
    add::<Array>(cx, container, count, column);
}

#[inline(always)]
fn add<V: Lanes>(cx: Cx, container: Val, count: usize, column: &mut Vec<Val>) {
    column.reserve(count);
    let Some(room) = column.spare_capacity_mut().get_mut(..count) else { return };
    let written = list::<V>(cx, container, room);
    // SAFETY: there is room for so many more, and the first `written` of them were written.
    unsafe { column.set_len(column.len() + written) };
}

/// Writes the first items of a container; gives how many that were.
#[inline(always)]
fn list<V: Lanes>(cx: Cx, container: Val, room: &mut [MaybeUninit<Val>]) -> usize {
    match container.tag() {
        Tag::Tuple | Tag::Set => array(cx, container, room),
        Tag::Mask => bits::<V>(cx.load(container.a()), container.origin(), room, 0, Val::pair),
        Tag::Object => cells::<V>(cx, container, room),
        Tag::Pair => both(container, room),
        Tag::Colors => colors(container, room),
        Tag::Grid => rows(cx, container, room),
        _ => others::<V>(cx, container, room),
    }
}

#[inline(always)]
fn array(cx: Cx, v: Val, room: &mut [MaybeUninit<Val>]) -> usize {
    for (k, item) in (0..v.x()).zip(&mut *room) {
        item.write(cx.val(v.a(), k));
    }
    room.len().min(v.x() as usize)
}

#[inline(always)]
fn both(v: Val, room: &mut [MaybeUninit<Val>]) -> usize {
    let ints = [v.b(), v.x()].map(|n| Val::int(n as i32));
    for (item, int) in room.iter_mut().zip(ints) {
        item.write(int);
    }
    room.len().min(2)
}

#[inline(always)]
fn colors(v: Val, room: &mut [MaybeUninit<Val>]) -> usize {
    let mut bits = v.x();
    for item in &mut *room {
        item.write(Val::int(bits.trailing_zeros() as i32));
        bits &= bits.wrapping_sub(1);
    }
    room.len().min(v.x().count_ones() as usize)
}

/// Writes the places of some bits from the k-th item on, row by row; gives how many there are then.
#[inline(always)]
fn bits<V: Lanes>(
    bits: V,
    (oi, oj): (i32, i32),
    room: &mut [MaybeUninit<Val>],
    mut k: usize,
    at: impl Fn(i32, i32) -> Val,
) -> usize {
    let mut lines = bits.ballot();
    while lines != 0 {
        let row = lines.trailing_zeros();
        lines &= lines - 1;
        let mut word = bits.get(row);
        while word != 0 {
            let Some(item) = room.get_mut(k) else { return k };
            item.write(at(oi + row as i32, oj + word.trailing_zeros() as i32));
            word &= word - 1;
            k += 1;
        }
    }
    k
}

/// Writes the cells of an object, colour by colour.
#[inline(always)]
fn cells<V: Lanes>(cx: Cx, object: Val, room: &mut [MaybeUninit<Val>]) -> usize {
    let (all, origin): (V, _) = (cx.load(object.a()), object.origin());
    if let Some(color) = mono(object) {
        return bits(all, origin, room, 0, |i, j| Val::cell(color as i32, i, j));
    }
    let colors = planes::<V>(cx, object);
    let (mut palette, mut k) = (colors.palette(all), 0);
    while palette != 0 {
        let color = palette.trailing_zeros();
        palette &= palette - 1;
        k = bits(colors.eq(color, all), origin, room, k, |i, j| Val::cell(color as i32, i, j));
    }
    k
}

/// Writes the rows of a grid as tuples.
#[inline(always)]
fn rows(cx: Cx, grid: Val, room: &mut [MaybeUninit<Val>]) -> usize {
    let (height, width) = grid.dims();
    for (i, item) in (0..height).zip(&mut *room) {
        item.write(row(cx, [0, 1, 2, 3].map(|k| cx.word(grid.a() + k * ROWS, i)), width));
    }
    room.len().min(height as usize)
}

/// A row of a grid, given its word of each plane.
#[inline(always)]
fn row(cx: Cx, words: [u32; 4], width: u32) -> Val {
    if width == 2 {
        let bytes = eight(words, 0);
        return Val::pair((bytes & 15) as i32, (bytes >> 8 & 15) as i32);
    }
    let Some(unit) = cx.take_vals(width) else { return Val::BACK };
    let mut j = 0;
    while j < width {
        let (mut bytes, end) = (eight(words, j), width.min(j + 8));
        while j < end {
            cx.put(unit, j, Val::int((bytes & 15) as i32));
            bytes >>= 8;
            j += 1;
        }
    }
    List::plain(unit, width).tuple(cx)
}

/// The colours of eight cells of a row from a column on, a byte each.
#[inline(always)]
fn eight(words: [u32; 4], from: u32) -> u64 {
    let mut bytes = 0;
    for (k, word) in words.into_iter().enumerate() {
        // A copy of the eight bits in every byte; of each byte its own bit is kept.
        let copies = u64::from(word >> (from & 31) & 0xff) * 0x0101_0101_0101_0101;
        let own = copies & 0x8040_2010_0804_0201;
        let ones = ((own + 0x7f7f_7f7f_7f7f_7f7f) | own) >> 7 & 0x0101_0101_0101_0101;
        bytes |= ones << k;
    }
    bytes
}

#[inline(always)]
fn others<V: Lanes>(cx: Cx, v: Val, room: &mut [MaybeUninit<Val>]) -> usize {
    let Some(mut items) = Items::<V>::of(cx, v) else { return 0 };
    for item in &mut *room {
        item.write(items.next(cx).unwrap_or(Val::BACK));
    }
    room.len()
}
