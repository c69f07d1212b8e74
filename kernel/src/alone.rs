//! Closing loops of a few bodies, each by a thread alone.

use crate::closes::Loop;
use crate::seq::truth;
use crate::val::{Fault, Tag, Val};

/// Two ints as a pair, an int and a pair as a cell.
#[inline(always)]
pub fn pair(l: &Loop) -> Option<Val> {
    if l.n != 2 || l.is_set() {
        return None;
    }
    let (a, b) = (l.result(0), l.result(1));
    match (a.as_int(), b.tag()) {
        (Some(a), Tag::Int) => Some(Val::pair(a, b.x() as i32)),
        (Some(a), Tag::Pair) => Some(Val::cell(a, b.b() as i32, b.x() as i32)),
        _ => None,
    }
}

/// The first item whose condition is true or bad.
#[inline(always)]
pub fn extract(l: &Loop) -> Option<Val> {
    let mut k = 0;
    while k < l.n {
        let holds = l.result(k);
        if holds.is_bad() || truth(holds) {
            return Some(if holds.is_bad() { holds } else { l.item(k) });
        }
        k += 1;
    }
    Some(Val::error(Fault::StopIteration))
}

/// The first item with an extreme key, or that key, where all keys are ints; or the first bad one.
#[inline(always)]
pub fn extremum(l: &Loop) -> Option<Val> {
    let (side, mut best, mut key, mut ints, mut k) = (l.side(), 0, 0, true, 0);
    while k < l.n {
        let here = l.result(k);
        if here.is_bad() {
            return Some(here);
        }
        ints &= here.is(Tag::Int);
        if k == 0 || (here.x() as i32).cmp(&key) == side {
            (best, key) = (k, here.x() as i32);
        }
        k += 1;
    }
    let found = if l.n == 0 { l.extra() } else { l.picked(best) };
    ints.then_some(found)
}
