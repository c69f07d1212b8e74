//! Columns of sets of locations.

#![allow(unsafe_code)]

use batt_core::lanes::Lanes;
#[cfg(target_arch = "x86_64")]
use batt_core::lanes::avx2::Avx2;
use batt_core::{Array, Cx, Tag, Val, mask};

use crate::kernels::Task;

/// How many locations sets share with others (`keep`), or do not share; false if there is anything else,
/// which is to be computed otherwise.
#[inline(always)]
pub fn portable(task: Task<'_>, out: &mut Vec<Val>, keep: bool) -> bool {
    of_masks(task, out, |_, _, bits| Val::int(bits.count() as i32), keep)
}

/// The same with AVX2.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub fn avx2(task: Task<'_>, out: &mut Vec<Val>, keep: bool) -> bool {
    of_masks(task, out, |_, _, bits| Val::int(Array::<Avx2>::new(bits.0).count() as i32), keep)
}

/// What sets of locations share with others (`keep`), or do not share; false if there is anything else,
/// which is to be computed otherwise.
#[inline(always)]
pub fn shared(task: Task<'_>, out: &mut Vec<Val>, keep: bool) -> bool {
    of_masks(task, out, |cx, origin, bits| mask::make(cx, bits, origin), keep)
}

/// As [`shared`], where `f` says what is made of the bits and the origin of their window.
#[inline(always)]
fn of_masks(
    task: Task<'_>,
    out: &mut Vec<Val>,
    f: impl Fn(Cx, (i32, i32), Array) -> Val,
    keep: bool,
) -> bool {
    let [a, b] = task.operands else { return false };
    for row in 0..task.rows {
        if !(a.get(row).is(Tag::Mask) & b.get(row).is(Tag::Mask)) {
            return false;
        }
    }
    out.clear();
    out.reserve(task.rows);
    let mut other = Around { of: Val::BACK, rows: [0; 96] };
    for (row, val) in out.spare_capacity_mut().iter_mut().take(task.rows).enumerate() {
        let a = a.get(row);
        let own: Array = task.cx.load(a.a());
        // In the window of the first: what lies outside of it does not matter.
        let other = other.seen_from(task.cx, b.get(row), a.origin());
        let bits = own & if keep { other } else { !other };
        val.write(f(task.cx, a.origin(), bits).began_at(task.slot));
    }
    // SAFETY: there is room for so many rows, and each was written.
    unsafe { out.set_len(task.rows) };
    true
}

/// A set of locations with nothing above and below; rows beside each other most often see the same one.
struct Around {
    of: Val,
    rows: [u32; 96],
}

impl Around {
    /// The bits of a set as they lie in the window of an origin; what lies outside is lost.
    #[inline(always)]
    fn seen_from(&mut self, cx: Cx, set: Val, origin: (i32, i32)) -> Array {
        if self.of != set {
            self.of = set;
            self.rows[32..64].copy_from_slice(&cx.load::<Array>(set.a()).0);
        }
        let (oi, oj) = set.origin();
        let (down, right) = (oi - origin.0, oj - origin.1);
        let first = (32 - down.clamp(-32, 32)) as usize;
        let rows = self.rows.get(first..).and_then(<[u32]>::first_chunk);
        let bits = Array::new(*rows.unwrap_or(&[0; 32]));
        if right >= 0 { bits.shl(right as u32) } else { bits.shr(right.unsigned_abs()) }
    }
}
