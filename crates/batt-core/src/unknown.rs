//! Calls of functions that are only known when they are called. What they give is handed back; what is
//! told here is that a call is an error whatever the function would give.

use crate::arena::Cx;
use crate::function::{ANY, Maker, arity, code};
use crate::lanes::Lanes;
use crate::seq::{item, len};
use crate::val::{Fault, Tag, Val};

const NOT_CALLED: Val = Val::error(Fault::Type);

/// What a function gives for so many arguments.
#[inline(always)]
fn called(cx: Cx, function: Val, given: u32) -> Val {
    match fails(cx, function, given) {
        true => NOT_CALLED,
        // What stands in for a function that could not be made.
        false if arity(function) == ANY => Val::EMPTY_TUPLE,
        false => Val::BACK,
    }
}

/// Whether calling something is an error whatever it is given: it is no function, it takes another number of
/// arguments, or that is so of a part that it would call.
fn fails(cx: Cx, function: Val, given: u32) -> bool {
    if !function.is(Tag::Function) {
        return true;
    }
    let takes = arity(function);
    if takes != ANY && takes != given {
        return true;
    }
    if function.x() == 0 {
        return false;
    }
    let part = |k: u32, given: u32| fails(cx, cx.val(function.a(), k), given);
    match code(function) {
        FORK => part(1, 1) || part(2, 1) || part(0, 2),
        CHAIN => part(2, 1) || part(1, 1) || part(0, 1),
        COMPOSE => part(1, 1) || part(0, 1),
        RBIND | LBIND => part(0, given + 1),
        _ => part(0, 1),
    }
}

const COMPOSE: u32 = Maker::Compose as u32;
const CHAIN: u32 = Maker::Chain as u32;
const RBIND: u32 = Maker::Rbind as u32;
const LBIND: u32 = Maker::Lbind as u32;
const FORK: u32 = Maker::Fork as u32;

/// A call with one argument.
#[inline(always)]
pub fn call1<V: Lanes>(cx: Cx, function: Val, _a: Val) -> Val {
    called(cx, function, 1)
}

/// A call with two arguments.
#[inline(always)]
pub fn call2<V: Lanes>(cx: Cx, function: Val, _a: Val, _b: Val) -> Val {
    called(cx, function, 2)
}

/// A call with three arguments.
#[inline(always)]
pub fn call3<V: Lanes>(cx: Cx, function: Val, _a: Val, _b: Val, _c: Val) -> Val {
    called(cx, function, 3)
}

/// A loop over a container. The last argument is only passed on if it is bad. What a loop over nothing gives
/// depends on its primitive.
#[inline(always)]
pub fn looped<V: Lanes>(cx: Cx, function: Val, over: Val, _extra: Val) -> Val {
    match len(over) {
        None => NOT_CALLED,
        Some(1..) if fails(cx, function, 1) => NOT_CALLED,
        _ => Val::BACK,
    }
}

/// As [`looped`], where the loop picks something: over nothing it is an error.
#[inline(always)]
pub fn picked<V: Lanes>(cx: Cx, function: Val, over: Val, _extra: Val) -> Val {
    match len(over) {
        None | Some(0) => NOT_CALLED,
        Some(_) if fails(cx, function, 1) => NOT_CALLED,
        Some(_) => Val::BACK,
    }
}

/// A loop over two containers.
#[inline(always)]
pub fn paired<V: Lanes>(cx: Cx, function: Val, a: Val, b: Val) -> Val {
    match (len(a), len(b)) {
        (None, _) | (_, None) => NOT_CALLED,
        (Some(1..), Some(1..)) if fails(cx, function, 2) => NOT_CALLED,
        _ => Val::BACK,
    }
}

/// Every function of a container is called with a value.
#[inline(always)]
pub fn rapplied<V: Lanes>(cx: Cx, functions: Val, _value: Val) -> Val {
    let n = match (len(functions), functions.tag()) {
        (Some(n), Tag::Tuple | Tag::Set) => n,
        (Some(0), _) => 0,
        // Other containers hold no functions.
        _ => return NOT_CALLED,
    };
    let mut k = 0;
    while k < n {
        if fails(cx, item::<V>(cx, functions, k), 1) {
            return NOT_CALLED;
        }
        k += 1;
    }
    Val::BACK
}
