//! Containers.

use crate::arena::Cx;
use crate::lanes::Lanes;
use crate::val::Val;

/// Whether a container holds a value.
#[inline(always)]
pub fn contained<V: Lanes>(_cx: Cx, _value: Val, _container: Val) -> Val {
    Val::BACK
}

/// Everything of both containers, in a container like the first.
#[inline(always)]
pub fn combine<V: Lanes>(_cx: Cx, _a: Val, _b: Val) -> Val {
    Val::BACK
}

/// What two sets share.
#[inline(always)]
pub fn intersection<V: Lanes>(_cx: Cx, _a: Val, _b: Val) -> Val {
    Val::BACK
}

/// What the first container holds and the second does not.
#[inline(always)]
pub fn difference<V: Lanes>(_cx: Cx, _a: Val, _b: Val) -> Val {
    Val::BACK
}

/// A tuple without its repeated items.
#[inline(always)]
pub fn dedupe<V: Lanes>(_cx: Cx, _tup: Val) -> Val {
    Val::BACK
}

/// A tuple that holds one item a number of times.
#[inline(always)]
pub fn repeat<V: Lanes>(_cx: Cx, _item: Val, _num: Val) -> Val {
    Val::BACK
}

/// How many items a container holds; for a grid, its rows.
#[inline(always)]
pub fn size<V: Lanes>(_cx: Cx, _container: Val) -> Val {
    Val::BACK
}

/// The items of all inner containers together, in a container like the outer one.
#[inline(always)]
pub fn merge<V: Lanes>(_cx: Cx, _containers: Val) -> Val {
    Val::BACK
}

/// The largest int; 0 for an empty container.
#[inline(always)]
pub fn maximum<V: Lanes>(_cx: Cx, _container: Val) -> Val {
    Val::BACK
}

/// The smallest int; 0 for an empty container.
#[inline(always)]
pub fn minimum<V: Lanes>(_cx: Cx, _container: Val) -> Val {
    Val::BACK
}

/// The item that occurs most often in a tuple; the smallest on a tie.
#[inline(always)]
pub fn mostcommon<V: Lanes>(_cx: Cx, _container: Val) -> Val {
    Val::BACK
}

/// The item that occurs least often in a tuple; the smallest on a tie.
#[inline(always)]
pub fn leastcommon<V: Lanes>(_cx: Cx, _container: Val) -> Val {
    Val::BACK
}

/// The set of one value.
#[inline(always)]
pub fn initset<V: Lanes>(_cx: Cx, _value: Val) -> Val {
    Val::BACK
}

/// The items as a tuple; a set gives them in canonical order.
#[inline(always)]
pub fn totuple<V: Lanes>(_cx: Cx, _container: Val) -> Val {
    Val::BACK
}

/// The first item.
#[inline(always)]
pub fn first<V: Lanes>(_cx: Cx, _container: Val) -> Val {
    Val::BACK
}

/// The last item.
#[inline(always)]
pub fn last<V: Lanes>(_cx: Cx, _container: Val) -> Val {
    Val::BACK
}

/// A set with one more value.
#[inline(always)]
pub fn insert<V: Lanes>(_cx: Cx, _value: Val, _container: Val) -> Val {
    Val::BACK
}

/// A container without any item equal to a value.
#[inline(always)]
pub fn remove<V: Lanes>(_cx: Cx, _value: Val, _container: Val) -> Val {
    Val::BACK
}

/// The first item that differs from a value.
#[inline(always)]
pub fn other<V: Lanes>(_cx: Cx, _container: Val, _value: Val) -> Val {
    Val::BACK
}

/// The ints from start up to, not including, stop.
#[inline(always)]
pub fn interval<V: Lanes>(_cx: Cx, _start: Val, _stop: Val, _step: Val) -> Val {
    Val::BACK
}

/// All pairs of one item of each container, as a set.
#[inline(always)]
pub fn product<V: Lanes>(_cx: Cx, _a: Val, _b: Val) -> Val {
    Val::BACK
}

/// Two tuples zipped, as long as the shorter one.
#[inline(always)]
pub fn pair<V: Lanes>(_cx: Cx, _a: Val, _b: Val) -> Val {
    Val::BACK
}

/// The items that hold a number of items, as a set.
#[inline(always)]
pub fn sizefilter<V: Lanes>(_cx: Cx, _container: Val, _n: Val) -> Val {
    Val::BACK
}

/// The second item.
#[inline(always)]
pub fn second<V: Lanes>(_cx: Cx, _container: Val) -> Val {
    Val::BACK
}

/// The items of one tuple that another does not hold, order and repeats kept.
#[inline(always)]
pub fn difference_tuple<V: Lanes>(_cx: Cx, _a: Val, _b: Val) -> Val {
    Val::BACK
}
