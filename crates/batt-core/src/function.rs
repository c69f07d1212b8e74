//! Functions as values.
//!
//! Functions that are known before anything runs are loops by then, so what is left is carried about, dropped,
//! or given to what wants no function. For that it is enough to know that it is one, what it was made of and
//! how many arguments it takes. Whoever calls one is handed back ([`crate::unknown`]).

use crate::arena::Cx;
use crate::seq;
use crate::val::{Fault, MAX_HELD_DEPTH, Tag, Val};

/// The most primitives that one function may be built from.
const MAX_WEIGHT: u32 = 65_536;

/// Bits of the depth, of the arity, and of what it is.
const DEPTH: u32 = 8;
const ARITY: u32 = 4;

/// The arity of a function that takes any number of arguments.
pub const ANY: u32 = (1 << ARITY) - 1;

/// What makes functions of values: a function's code, where it has parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Maker {
    Compose = 0,
    Chain,
    Matcher,
    Rbind,
    Lbind,
    Power,
    Fork,
}

/// A primitive, by a code that only whoever gives it understands.
#[inline(always)]
pub const fn primitive(code: u32, arity: u32) -> Val {
    Val::new(Tag::Function, (arity & ANY) << DEPTH | code << (DEPTH + ARITY), 0, 1, 0)
}

/// Its code, or its maker's.
#[inline(always)]
pub const fn code(f: Val) -> u32 {
    f.extra() >> (DEPTH + ARITY)
}

/// How many arguments it takes, or [`ANY`].
#[inline(always)]
pub const fn arity(f: Val) -> u32 {
    f.extra() >> DEPTH & ANY
}

/// How deep functions and containers nest in it.
#[inline(always)]
pub const fn depth(f: Val) -> u32 {
    f.extra() & ((1 << DEPTH) - 1)
}

/// What a maker makes of some parts.
#[cfg_attr(target_arch = "nvptx64", inline(never))]
pub fn made(cx: Cx, maker: Maker, arity: u32, parts: [Val; 3], n: u32) -> Val {
    let Some(unit) = cx.take_vals(n) else { return Val::BACK };
    let (mut weight, mut depth, mut k) = (0u32, 0, 0);
    while k < n {
        let part = match k {
            0 => parts[0],
            1 => parts[1],
            _ => parts[2],
        };
        cx.put(unit, k, part);
        weight = weight.saturating_add(weight_of(cx, part));
        depth = seq::depth(part).max(depth);
        k += 1;
    }
    if weight > MAX_WEIGHT {
        return Val::error(Fault::Size);
    }
    if depth >= MAX_HELD_DEPTH {
        return Val::BACK;
    }
    let extra = (depth + 1) | (arity & ANY) << DEPTH | (maker as u32) << (DEPTH + ARITY);
    Val::new(Tag::Function, extra, unit, weight.max(1), n)
}

/// How many primitives the functions in a value are built from.
fn weight_of(cx: Cx, v: Val) -> u32 {
    match v.tag() {
        Tag::Function => v.b(),
        Tag::Tuple | Tag::Set => {
            let (mut sum, mut k) = (0u32, 0);
            while k < v.x() {
                let item = cx.val(v.a(), k);
                if matches!(item.tag(), Tag::Function | Tag::Tuple | Tag::Set) {
                    sum = sum.saturating_add(weight_of(cx, item));
                }
                k += 1;
            }
            sum
        }
        _ => 0,
    }
}
