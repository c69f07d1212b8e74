//! Bringing results out: whether they are right, or the values themselves.

use crate::arena::{Cx, VALS};
use crate::columns::{Answer, BACK, FAILED, RIGHT, SLOT_SHIFT, VALUE, WRONG};
use crate::lanes::gpu::Gpu;
use crate::order::equal;
use crate::rows::{chunk, cx, each_by_warp};
use crate::val::{MAX_HELD_DEPTH, MONO, Tag, Val};

/// Copies units between arenas.
#[inline(always)]
fn copy(from: Cx, to: Cx, unit: u32, target: u32, count: u32) {
    let mut k = 0;
    while k < count {
        to.store(target + k, from.load::<Gpu>(unit + k));
        k += 1;
    }
}

/// A value in another arena; the items of an array still lie in the old one. `BACK` where it is full.
#[inline(always)]
fn shallow(from: Cx, to: Cx, v: Val) -> Val {
    let units = match v.tag() {
        Tag::Mask => 1,
        Tag::Object => if v.b() & MONO != 0 { 1 } else { 5 },
        Tag::Grid => 4,
        Tag::Tuple | Tag::Set => v.x().div_ceil(VALS),
        _ => return v,
    };
    let Some(unit) = to.take(units) else { return Val::BACK };
    match v.tag() {
        Tag::Object if v.b() & MONO == 0 => {
            copy(from, to, v.a(), unit, 1);
            copy(from, to, v.b(), unit + 1, 4);
            Val::new(v.tag(), v.extra(), unit, unit + 1, v.x())
        }
        _ => {
            copy(from, to, v.a(), unit, units);
            Val::new(v.tag(), v.extra(), unit, v.b(), v.x())
        }
    }
}

/// A value with everything it holds in another arena.
#[inline(always)]
fn export(from: Cx, to: Cx, v: Val) -> Val {
    // A power of two, so that a place in the array is a matter of bits.
    const DEEP: usize = MAX_HELD_DEPTH as usize;
    let is_array = |v: Val| v.is(Tag::Tuple) | v.is(Tag::Set);
    let whole = shallow(from, to, v);
    if !is_array(whole) {
        return whole;
    }
    // The arrays that are being walked: the first unit of each, its length, and the next item.
    let mut walked = [(0u32, 0u32, 0u32); DEEP];
    let mut depth = 0;
    walked[0] = (whole.a(), whole.x(), 0);
    loop {
        let (unit, len, k) = walked[depth & (DEEP - 1)];
        if k == len {
            if depth == 0 {
                return whole;
            }
            depth -= 1;
            continue;
        }
        walked[depth & (DEEP - 1)].2 = k + 1;
        // Units were copied lane by lane; their values are read by all lanes.
        crate::lanes::gpu::together();
        let item = shallow(from, to, to.val(unit, k));
        if item.is_bad() {
            return Val::BACK;
        }
        to.put(unit, k, item);
        if is_array(item) {
            if depth + 1 >= DEEP {
                return Val::BACK;
            }
            depth += 1;
            walked[depth & (DEEP - 1)] = (item.a(), item.x(), 0);
        }
    }
}

/// A word for each row, and its value where that is asked for.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn answer(a: Answer) {
    let mut mine = chunk(&a.memory, true);
    let mut theirs = chunk(&a.exports, true);
    let (from, to) = (cx(&a.memory, &mut mine), cx(&a.exports, &mut theirs));
    each_by_warp(a.rows, |row| {
        let v = a.results.get(row);
        let expected = if a.expected.column == 0 { Val::BACK } else { a.expected.get(row) };
        let values = a.values as *mut Val;
        let back = |slot: u32| BACK | slot << SLOT_SHIFT;
        let word = if v.is(Tag::Back) {
            back(v.b())
        } else if v.is(Tag::Error) {
            FAILED | v.extra() << 4 | v.b() << SLOT_SHIFT
        } else if !expected.is(Tag::Back) {
            match equal::<Gpu>(from, v, expected) {
                Some(true) => RIGHT,
                Some(false) => WRONG,
                None => back(0),
            }
        } else if values.is_null() {
            back(0)
        } else {
            let out = export(from, to, v);
            *values.add(row as usize) = out;
            if out.is_bad() { back(0) } else { VALUE }
        };
        *(a.words as *mut u32).add(row as usize) = word;
    });
}
