//! Columns of sets of locations.

#![allow(unsafe_code)]

use core::marker::PhantomData;

use batt_core::lanes::Lanes;
#[cfg(target_arch = "x86_64")]
use batt_core::lanes::avx2::Avx2;
#[cfg(target_arch = "x86_64")]
use batt_core::lanes::avx512::Avx512;
use batt_core::lanes::moves::Moves;
use batt_core::{Array, Cx, Tag, Val, mask};

use crate::kernels::Task;

/// How many locations sets share with others (`keep`), or do not share; false if there is anything else,
/// which is to be computed otherwise.
#[inline(always)]
pub fn portable(task: Task<'_>, out: &mut Vec<Val>, keep: bool) -> bool {
    of_masks::<Array, true>(task, out, keep)
}

/// The same with AVX2.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn avx2(task: Task<'_>, out: &mut Vec<Val>, keep: bool) -> bool {
    of_masks::<Array<Avx2>, true>(task, out, keep)
}

/// The same with AVX-512.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn avx512(task: Task<'_>, out: &mut Vec<Val>, keep: bool) -> bool {
    of_masks::<Avx512, true>(task, out, keep)
}

/// What sets of locations share with others (`keep`), or do not share; false if there is anything else,
/// which is to be computed otherwise.
#[inline(always)]
pub fn shared<V: Seen>(task: Task<'_>, out: &mut Vec<Val>, keep: bool) -> bool {
    of_masks::<V, false>(task, out, keep)
}

/// As [`shared`], or how many they are.
#[inline(always)]
fn of_masks<V: Seen, const COUNT: bool>(task: Task<'_>, out: &mut Vec<Val>, keep: bool) -> bool {
    let [a, b] = task.operands else { return false };
    for row in 0..task.rows {
        if !(a.get(row).is(Tag::Mask) & b.get(row).is(Tag::Mask)) {
            return false;
        }
    }
    out.clear();
    out.reserve(task.rows);
    let mut other = V::around();
    for (row, val) in out.spare_capacity_mut().iter_mut().take(task.rows).enumerate() {
        let a = a.get(row);
        let own: V = task.cx.load(a.a());
        // In the window of the first: what lies outside of it does not matter.
        let other = V::seen_from(&mut other, task.cx, b.get(row), a.origin());
        let bits = own & if keep { other } else { !other };
        val.write(if COUNT {
            Val::int(bits.count() as i32)
        } else {
            mask::make(task.cx, bits, a.origin()).began_at(task.slot)
        });
    }
    // SAFETY: there is room for so many rows, and each was written.
    unsafe { out.set_len(task.rows) };
    true
}

/// Lanes in which sets of locations are seen from other windows.
pub trait Seen: Lanes {
    /// What is kept of a set; rows beside each other most often see the same one.
    type Around;
    /// Nothing.
    fn around() -> Self::Around;
    /// The bits of a set as they lie in the window of an origin; what lies outside is lost.
    fn seen_from(around: &mut Self::Around, cx: Cx, set: Val, origin: (i32, i32)) -> Self;
}

#[cfg(target_arch = "x86_64")]
impl Seen for Avx512 {
    type Around = ();

    #[inline(always)]
    fn around() {}

    #[inline(always)]
    fn seen_from((): &mut (), cx: Cx, set: Val, origin: (i32, i32)) -> Avx512 {
        let (oi, oj) = set.origin();
        mask::place(cx.load(set.a()), oi - origin.0, oj - origin.1)
    }
}

/// A set of locations with nothing above and below.
pub struct Around<M> {
    of: Val,
    rows: [u32; 96],
    moves: PhantomData<M>,
}

impl<M: Moves> Seen for Array<M> {
    type Around = Around<M>;

    #[inline(always)]
    fn around() -> Around<M> {
        Around { of: Val::BACK, rows: [0; 96], moves: PhantomData }
    }

    #[inline(always)]
    fn seen_from(around: &mut Around<M>, cx: Cx, set: Val, origin: (i32, i32)) -> Array<M> {
        if around.of != set {
            around.of = set;
            around.rows[32..64].copy_from_slice(&cx.load::<Array>(set.a()).0);
        }
        let (oi, oj) = set.origin();
        let (down, right) = (oi - origin.0, oj - origin.1);
        let first = (32 - down.clamp(-32, 32)) as usize;
        let rows = around.rows.get(first..).and_then(<[u32]>::first_chunk);
        let bits = Array::new(*rows.unwrap_or(&[0; 32]));
        if right >= 0 { bits.shl(right as u32) } else { bits.shr(right.unsigned_abs()) }
    }
}
