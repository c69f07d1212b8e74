//! Calls of functions that are only known when they are called. What they give is handed back; what is
//! told here is that a call is an error whatever the function would give.

use crate::arena::Cx;
use crate::function::{ANY, arity};
use crate::lanes::Lanes;
use crate::seq::{item, len};
use crate::val::{Fault, Tag, Val};

const NOT_CALLED: Val = Val::error(Fault::Type);

/// What a function gives for so many arguments.
#[inline(always)]
fn called(function: Val, given: u32) -> Val {
    if !function.is(Tag::Function) {
        return NOT_CALLED;
    }
    match arity(function) {
        // What stands in for a function that could not be made.
        ANY => Val::EMPTY_TUPLE,
        takes if takes != given => NOT_CALLED,
        _ => Val::BACK,
    }
}

/// A call with one argument.
#[inline(always)]
pub fn call1<V: Lanes>(_cx: Cx, function: Val, _a: Val) -> Val {
    called(function, 1)
}

/// A call with two arguments.
#[inline(always)]
pub fn call2<V: Lanes>(_cx: Cx, function: Val, _a: Val, _b: Val) -> Val {
    called(function, 2)
}

/// A call with three arguments.
#[inline(always)]
pub fn call3<V: Lanes>(_cx: Cx, function: Val, _a: Val, _b: Val, _c: Val) -> Val {
    called(function, 3)
}

/// A loop over a container, or over two that may be the same. The last argument is only passed on if it is
/// bad. What a loop over nothing gives depends on its primitive.
#[inline(always)]
pub fn looped<V: Lanes>(_cx: Cx, function: Val, a: Val, b: Val, _extra: Val) -> Val {
    match (len(a), len(b)) {
        (None, _) | (_, None) => NOT_CALLED,
        (Some(1..), Some(1..)) if !function.is(Tag::Function) => NOT_CALLED,
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
        if called(item::<V>(cx, functions, k), 1).is(Tag::Error) {
            return NOT_CALLED;
        }
        k += 1;
    }
    Val::BACK
}
