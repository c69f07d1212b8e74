//! Columns of sets of locations.

#![allow(unsafe_code)]

use batt_core::patch::Patch;
use batt_core::{Array, Cx, Tag, Val, mask};

use crate::kernels::Task;

/// What sets of locations share with others (`keep`), or do not share; false if there is anything else,
/// which is to be computed otherwise.
#[inline(always)]
pub fn shared(task: Task<'_>, out: &mut Vec<Val>, keep: bool) -> bool {
    let [a, b] = task.operands else { return false };
    for row in 0..task.rows {
        if !(a.get(row).is(Tag::Mask) & b.get(row).is(Tag::Mask)) {
            return false;
        }
    }
    out.clear();
    out.reserve(task.rows);
    for (row, val) in out.spare_capacity_mut().iter_mut().take(task.rows).enumerate() {
        val.write(share(task.cx, a.get(row), b.get(row), keep).began_at(task.slot));
    }
    // SAFETY: there is room for so many rows, and each was written.
    unsafe { out.set_len(task.rows) };
    true
}

/// In the window of the first: what lies outside of it does not matter.
#[inline(always)]
fn share(cx: Cx, a: Val, b: Val, keep: bool) -> Val {
    let own: Array = cx.load(a.a());
    let other = Patch { mask: cx.load::<Array>(b.a()), origin: b.origin() }.seen_from(a.origin());
    mask::make(cx, own & if keep { other } else { !other }, a.origin())
}
