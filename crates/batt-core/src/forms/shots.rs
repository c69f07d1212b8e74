//! Lines from many places in one direction.

use crate::arena::Cx;
use crate::close;
use crate::gather::{self, flat};
use crate::lanes::Lanes;
use crate::ops::shoot;
use crate::patch::Patch;
use crate::seq::len;
use crate::val::{Fault, Tag, Val};

use super::{FEW, stamped};

/// As many places take longer one by one than the line's.
const MANY: u32 = 24;

/// `mapply` of `shoot`: the lines from every item of a container in a direction. Errors of a body begin at
/// its slot.
#[inline(always)]
pub fn shots<V: Lanes>(cx: Cx, direction: Val, places: Val, body: u32) -> Val {
    let Some(n) = len(places) else { return Val::error(Fault::Type) };
    if n > 0 && direction.is_bad() {
        return direction;
    }
    let straight = |(i, j): (i32, i32)| (-1..=1).contains(&i) && (-1..=1).contains(&j);
    let short = if places.is(Tag::Mask) && direction.as_pair().is_some_and(straight) {
        all_at_once::<V>(cx, direction, places, n)
    } else {
        None
    };
    match short {
        Some(v) => v,
        None => one_by_one::<V>(cx, direction, places, body),
    }
}

/// All lines are the same one in other places.
#[inline(always)]
fn all_at_once<V: Lanes>(cx: Cx, direction: Val, places: Val, n: u32) -> Option<Val> {
    let line = shoot::<V>(cx, Val::pair(0, 0), direction);
    if line.is_bad() {
        return None;
    }
    if !V::APART && n > MANY && line.is(Tag::Set) {
        return gather::stamped_widely::<V>(cx, places, line);
    }
    stamped(cx, line, Patch::<V>::load(cx, places)?)
}

#[inline(never)]
fn one_by_one<V: Lanes>(cx: Cx, direction: Val, places: Val, body: u32) -> Val {
    let (unit, n) = match flat::<V>(cx, places) {
        Ok(items) => items,
        Err(bad) => return bad,
    };
    if V::APART && n > FEW {
        return Val::BACK;
    }
    let Some(results) = cx.take_vals(n) else { return Val::BACK };
    let mut k = 0;
    while k < n {
        let v = shoot::<V>(cx, cx.val(unit, k), direction);
        if v.is_bad() {
            return v.began_at(body);
        }
        cx.put(results, k, v);
        k += 1;
    }
    close::merge::<V>(cx, places.is_set(), n, |k| cx.val(results, k))
}
