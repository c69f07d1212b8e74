//! Closing loops, for each instruction set.

#![allow(unsafe_code)]

use batt_core::{Array, Cx, Fault, Val, close};
use batt_lang::Op;

use crate::kernels::{Operand, Set};

/// A loop to close for one row of its parent.
#[derive(Clone, Copy)]
pub struct Closing<'a> {
    /// The arena.
    pub cx: Cx,
    /// The higher-order primitive.
    pub op: Op,
    /// The container.
    pub container: Val,
    /// The first row of the loop, and how many there are.
    pub start: u32,
    /// How many rows.
    pub len: u32,
    /// The rank, or the value for an empty container.
    pub extra: Val,
    /// The items: a column that the rows index, or one that the places in the loop do.
    pub items: Operand<'a>,
    /// Whether the items are indexed by place.
    pub items_by_place: bool,
    /// What the bodies gave.
    pub results: Operand<'a>,
}

/// Closes a loop.
pub type Closer = unsafe fn(Closing<'_>) -> Val;

/// The closer for an instruction set. It may be called on a machine that has it.
pub fn closer(set: Set) -> Closer {
    match set {
        #[cfg(target_arch = "x86_64")]
        Set::Avx2 | Set::Avx512 => avx2,
        _ => portable,
    }
}

fn portable(closing: Closing<'_>) -> Val {
    dispatch(closing)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn avx2(closing: Closing<'_>) -> Val {
    dispatch(closing)
}

/// What the higher-order primitive makes of its results.
#[inline(always)]
fn dispatch(c: Closing<'_>) -> Val {
    let Closing { cx, op, container, start, len: n, extra, .. } = c;
    let result = |k: u32| c.results.get((start + k) as usize);
    let item = |k: u32| c.items.get(if c.items_by_place { k } else { start + k } as usize);
    let set = container.is_set();
    match op {
        Op::Apply => close::apply::<Array>(cx, set, n, result),
        Op::Mapply => close::merge::<Array>(cx, set, n, result),
        Op::Papply => close::apply::<Array>(cx, false, n, result),
        Op::Mpapply => close::merge::<Array>(cx, false, n, result),
        Op::Prapply => close::apply::<Array>(cx, true, n, result),
        Op::Sfilter => close::filter::<Array>(cx, container, n, item, result),
        Op::Mfilter => close::filter_merge::<Array>(cx, set, n, item, result),
        Op::Extract => close::extract::<Array>(n, item, result),
        Op::Order => close::order::<Array>(cx, n, item, result),
        Op::Argmax => close::argmax::<Array>(cx, n, item, result),
        Op::Argmin => close::argmin::<Array>(cx, n, item, result),
        Op::Valmax => close::valmax::<Array>(cx, n, result, extra),
        Op::Valmin => close::valmin::<Array>(cx, n, result, extra),
        Op::GetNthByKeyT if set => Val::error(Fault::Type),
        Op::GetNthByKeyF if !set => Val::error(Fault::Type),
        Op::GetNthByKeyT | Op::GetNthByKeyF => {
            close::nth_by_key::<Array>(cx, n, item, result, extra)
        }
        Op::GetArgRank => close::arg_rank::<Array>(cx, n, item, result, extra),
        Op::GetValRank => close::val_rank::<Array>(cx, n, result, extra),
        _ => Val::BACK,
    }
}
