//! Lines from many places in one direction.

use crate::arena::Cx;
use crate::close;
use crate::gather;
use crate::lanes::Lanes;
use crate::lanes::boost::boosted;
use crate::ops::shoot;
use crate::patch::Patch;
use crate::seq::len;
use crate::val::{Fault, Tag, Val};

use super::seen::{is_step, shots_seen};
use super::{Bodies, stamped};

/// As many places take longer one by one than the line's.
const MANY: u32 = 24;

/// As [`shots`], where the result will only be drawn on a grid: what lies beside it may be left out. Null
/// stands for no grid.
#[inline(always)]
pub fn shots_onto<V: Lanes>(cx: Cx, direction: Val, places: Val, grid: Val, body: u32) -> Val {
    if grid.is(Tag::Grid)
        && places.is_set()
        && let Some(lines) = seen_there::<V::Out>(cx, direction, places)
    {
        return lines;
    }
    shots::<V>(cx, direction, places, body)
}

#[inline(never)]
fn seen_there<V: Lanes>(cx: Cx, direction: Val, places: Val) -> Option<Val> {
    boosted!(shots_seen::<V>(cx: Cx, direction: Val, places: Val) -> Option<Val>)
}

/// `mapply` of `shoot`: the lines from every item of a container in a direction. Errors of a body begin at
/// its slot.
#[inline(always)]
pub fn shots<V: Lanes>(cx: Cx, direction: Val, places: Val, body: u32) -> Val {
    let Some(n) = len(places) else { return Val::error(Fault::Type) };
    if n > 0 && direction.is_bad() {
        return direction;
    }
    let known = places.is(Tag::Mask) || (!V::APART && places.is(Tag::Set) && n > MANY);
    let short = if known && direction.as_pair().is_some_and(is_step) {
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
    // Lines begin at locations only.
    if places.is(Tag::Set) && !cx.val(places.a(), 0).is(Tag::Pair) {
        return None;
    }
    if !V::APART && n > MANY && line.is(Tag::Set) {
        return gather::stamped_far::<V::Out>(cx, places, line);
    }
    stamped(cx, line, places, Patch::<V>::load(cx, places)?, Val::NULL)
}

#[inline(never)]
fn one_by_one<V: Lanes>(cx: Cx, direction: Val, places: Val, body: u32) -> Val {
    match Bodies::run::<V>(cx, places, body, |from| shoot::<V>(cx, from, direction)) {
        Ok(all) => close::merge::<V>(cx, places.is_set(), all.n, |k| all.result(cx, k)),
        Err(bad) => bad,
    }
}
