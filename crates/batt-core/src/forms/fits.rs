//! The places where a patch lies within another one.

use crate::arena::Cx;
use crate::close;
use crate::counts::apart;
use crate::lanes::Lanes;
use crate::mask;
use crate::ops::shift;
use crate::patch::Patch;
use crate::val::{Tag, Val};

use super::Bodies;

/// `sfilter` by how much of a moved patch lies outside of another set, which must be nothing. Errors of a
/// body begin at its slot.
#[inline(always)]
pub fn fits<V: Lanes>(cx: Cx, patch: Val, within: Val, places: Val, body: u32) -> Val {
    let masks = [patch, within, places].iter().all(|v| v.is(Tag::Mask));
    let found = if masks { all_at_once::<V>(cx, patch, within, places) } else { None };
    match found {
        Some(v) => v,
        None => one_by_one::<V::Out>(cx, patch, within, places, body),
    }
}

/// A place is left if, for every bit of the patch, the other set has the bit that lies there from it.
#[inline(always)]
fn all_at_once<V: Lanes>(cx: Cx, patch: Val, within: Val, places: Val) -> Option<Val> {
    let own = Patch::<V>::load(cx, patch)?;
    let (all, from) = (Patch::<V>::load(cx, within)?, Patch::<V>::load(cx, places)?);
    let by = |own: i32, all: i32, from: i32| all - own - from;
    let di = by(own.origin.0, all.origin.0, from.origin.0);
    let dj = by(own.origin.1, all.origin.1, from.origin.1);
    let (mut left, mut rows) = (from.mask, own.mask.ballot());
    while rows != 0 {
        let row = rows.trailing_zeros();
        rows &= rows - 1;
        let mut word = own.mask.get(row);
        while word != 0 {
            let column = word.trailing_zeros() as i32;
            word &= word - 1;
            left = left & mask::place(all.mask, di - row as i32, dj - column);
        }
        if !left.any() {
            break;
        }
    }
    Some(mask::make(cx, left, from.origin))
}

#[inline(never)]
fn one_by_one<V: Lanes>(cx: Cx, patch: Val, within: Val, places: Val, body: u32) -> Val {
    let outside = |by: Val| {
        if patch.is_bad() {
            return patch;
        }
        let there = shift::<V>(cx, patch, by);
        let count = match [there, within].iter().find(|v| v.is_bad()) {
            Some(bad) => *bad,
            None => apart::<V>(cx, there, within),
        };
        count.as_int().map_or(count, |count| Val::bool(count == 0))
    };
    match Bodies::run::<V>(cx, places, body, outside) {
        Ok(all) => {
            close::filter::<V>(cx, places, all.n, |k| all.item(cx, k), |k| all.result(cx, k))
        }
        Err(bad) => bad,
    }
}
