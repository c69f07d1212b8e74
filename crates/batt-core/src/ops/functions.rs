//! What makes functions. Nothing is run, so arguments that are no functions go unnoticed until the result
//! is called.

use crate::arena::Cx;
use crate::function::{ANY, Maker, arity, made};
use crate::lanes::Lanes;
use crate::val::{Fault, Tag, Val};

/// The most times that `power` runs its function.
const MAX_POWER: i32 = 999;

/// A function that runs one on what another gives.
#[inline(always)]
pub fn compose<V: Lanes>(cx: Cx, outer: Val, inner: Val) -> Val {
    made(cx, Maker::Compose, 1, [outer, inner, Val::NULL], 2)
}

/// A function that runs three, the last one first.
#[inline(always)]
pub fn chain<V: Lanes>(cx: Cx, h: Val, g: Val, f: Val) -> Val {
    made(cx, Maker::Chain, 1, [h, g, f], 3)
}

/// Whether a function gives a target.
#[inline(always)]
pub fn matcher<V: Lanes>(cx: Cx, function: Val, target: Val) -> Val {
    made(cx, Maker::Matcher, 1, [function, target, Val::NULL], 2)
}

/// A function with its last argument bound.
#[inline(always)]
pub fn rbind<V: Lanes>(cx: Cx, function: Val, fixed: Val) -> Val {
    bound(cx, Maker::Rbind, function, fixed)
}

/// A function with its first argument bound.
#[inline(always)]
pub fn lbind<V: Lanes>(cx: Cx, function: Val, fixed: Val) -> Val {
    bound(cx, Maker::Lbind, function, fixed)
}

/// A function with one argument bound. Python's version looks for 2 and 3 arguments and takes every other
/// function for one of 4.
#[inline(always)]
fn bound(cx: Cx, maker: Maker, function: Val, fixed: Val) -> Val {
    if !function.is(Tag::Function) {
        return Val::error(Fault::Attribute);
    }
    let left = match arity(function) {
        2 | ANY => 1,
        3 => 2,
        _ => 3,
    };
    made(cx, maker, left, [function, fixed, Val::NULL], 2)
}

/// A function that runs another so many times.
#[inline(always)]
pub fn power<V: Lanes>(cx: Cx, function: Val, n: Val) -> Val {
    match n.as_int() {
        None => Val::error(Fault::Type),
        Some(..1) => Val::error(Fault::Recursion),
        Some(1) => function,
        Some(n) if n > MAX_POWER => Val::error(Fault::Size),
        Some(_) => made(cx, Maker::Power, 1, [function, n, Val::NULL], 2),
    }
}

/// A function that runs one on what two others give.
#[inline(always)]
pub fn fork<V: Lanes>(cx: Cx, outer: Val, a: Val, b: Val) -> Val {
    made(cx, Maker::Fork, 1, [outer, a, b], 3)
}
