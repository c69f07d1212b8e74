//! What looks at S, the demo pairs.

use super::mir_rot_t;
use crate::arena::Cx;
use crate::gather::flat;
use crate::lanes::Lanes;
use crate::order::equal;
use crate::seq::{List, item, len};
use crate::val::{Fault, Val};

/// The demo pairs as an array: the unit it starts at, and how many there are.
#[inline(always)]
fn pairs<V: Lanes>(cx: Cx, s: Val) -> Result<(u32, u32), Val> {
    if !s.is_tuple() {
        return Err(Val::error(Fault::Type));
    }
    let (unit, n) = flat::<V>(cx, s)?;
    let mut k = 0;
    while k < n {
        let pair = cx.val(unit, k);
        if !pair.is_tuple() || len(pair) != Some(2) {
            return Err(Val::error(Fault::Type));
        }
        k += 1;
    }
    Ok((unit, n))
}

#[inline(always)]
fn changed<V: Lanes>(cx: Cx, s: Val) -> Result<Val, Val> {
    let (unit, n) = pairs::<V>(cx, s)?;
    let mut list = List::new(cx, n).ok_or(Val::BACK)?;
    let mut k = 0;
    while k < n {
        let pair = cx.val(unit, k);
        let (input, output) = (item::<V>(cx, pair, 0), item::<V>(cx, pair, 1));
        if !equal::<V>(cx, input, output).ok_or(Val::BACK)? {
            list.push(cx, pair);
        }
        k += 1;
    }
    Ok(list.tuple(cx))
}

#[inline(always)]
fn orientation<V: Lanes>(cx: Cx, s: Val) -> Result<Val, Val> {
    let (unit, n) = pairs::<V>(cx, s)?;
    let mut orientation = 0;
    while orientation < 8 {
        let mut k = 0;
        while k < n {
            let pair = cx.val(unit, k);
            let (input, output) = (item::<V>(cx, pair, 0), item::<V>(cx, pair, 1));
            let turned = mir_rot_t::<V>(cx, input, Val::int(orientation));
            if turned.is_bad() {
                return Err(turned);
            }
            if !equal::<V>(cx, turned, output).ok_or(Val::BACK)? {
                break;
            }
            k += 1;
        }
        if k == n {
            return Ok(Val::int(orientation));
        }
        orientation += 1;
    }
    Err(Val::error(Fault::Value))
}

/// The demo pairs whose input differs from their output.
#[inline(always)]
pub fn dedupe_pair_tuple<V: Lanes>(cx: Cx, s: Val) -> Val {
    match changed::<V>(cx, s) {
        Ok(v) | Err(v) => v,
    }
}

/// The first orientation that maps every demo input to its output.
#[inline(always)]
pub fn a_mr<V: Lanes>(cx: Cx, s: Val) -> Val {
    match orientation::<V>(cx, s) {
        Ok(v) | Err(v) => v,
    }
}
