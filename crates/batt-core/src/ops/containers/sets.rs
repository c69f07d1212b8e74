//! What is in a set and what is not.

use core::cmp::Ordering;

use crate::apart;
use crate::arena::{Cx, VALS};
use crate::gather::{self, flat, tidy_tuple};
use crate::lanes::Lanes;
use crate::mask;
use crate::ops::numbers::normal;
use crate::order::{compare, equal};
use crate::patch::{self, Patch};
use crate::seq::{Items, List, depth, elements, len, pair_of};
use crate::val::{Fault, MAX_ELEMENTS, Tag, Val};

/// The items of a container as a set.
#[inline(always)]
pub fn as_set<V: Lanes>(cx: Cx, v: Val) -> Val {
    if v.is_set() {
        return v;
    }
    match flat::<V>(cx, v) {
        Ok((unit, n)) => gather::set_of_array::<V>(cx, unit, n),
        Err(bad) => bad,
    }
}

/// Whether a container holds a value.
#[inline(always)]
pub fn holds<V: Lanes>(cx: Cx, container: Val, value: Val) -> Result<bool, Val> {
    match container.tag() {
        Tag::Colors => {
            Ok(value.is(Tag::Int) && value.x() < 32 && container.x() >> (value.x() & 31) & 1 != 0)
        }
        Tag::Mask => {
            let value = normal(cx, value);
            let Some((i, j)) = window_place(container, value) else { return Ok(false) };
            Ok(value.is(Tag::Pair) && bit::<V>(cx, container, i, j))
        }
        Tag::Object => {
            let value = normal(cx, value);
            let Some((i, j)) = window_place(container, value) else { return Ok(false) };
            if !value.is(Tag::Cell) || !bit::<V>(cx, container, i, j) {
                return Ok(false);
            }
            Ok(match patch::mono(container) {
                Some(color) => color == value.a(),
                None => {
                    value.a() < 16
                        && patch::row_of_color::<V>(cx, container, i, value.a()) >> (j & 31) & 1
                            != 0
                }
            })
        }
        Tag::Set => search::<V>(cx, container, value),
        _ => linear::<V::Out>(cx, container, value),
    }
}

/// Where a location or a cell lies in a patch's window.
#[inline(always)]
fn window_place(patch: Val, value: Val) -> Option<(u32, u32)> {
    let (oi, oj) = patch.origin();
    let (i, j) =
        (i64::from(value.b() as i32) - i64::from(oi), i64::from(value.x() as i32) - i64::from(oj));
    ((0..32).contains(&i) && (0..32).contains(&j)).then_some((i as u32, j as u32))
}

#[inline(always)]
fn bit<V: Lanes>(cx: Cx, patch: Val, i: u32, j: u32) -> bool {
    cx.row::<V>(patch.a(), i) >> (j & 31) & 1 != 0
}

/// Binary search in a set that is an array.
#[inline(always)]
fn search<V: Lanes>(cx: Cx, set: Val, value: Val) -> Result<bool, Val> {
    place_in::<V>(cx, set, value).map(|at| at.is_some())
}

/// Where a set that is an array holds a value.
#[inline(always)]
fn place_in<V: Lanes>(cx: Cx, set: Val, value: Val) -> Result<Option<u32>, Val> {
    let (mut low, mut high) = (0, set.x());
    while low < high {
        let middle = u32::midpoint(low, high);
        match compare::<V>(cx, cx.val(set.a(), middle), value).ok_or(Val::BACK)? {
            Ordering::Less => low = middle + 1,
            Ordering::Equal => return Ok(Some(middle)),
            Ordering::Greater => high = middle,
        }
    }
    Ok(None)
}

#[inline(never)]
fn linear<V: Lanes>(cx: Cx, container: Val, value: Val) -> Result<bool, Val> {
    if let (false, Tag::Tuple, Tag::Int) = (V::APART, container.tag(), value.tag()) {
        // An int is equal to itself only, so all items can be looked at together.
        let (mut held, mut k) = (false, 0);
        while k < container.x() {
            held |= cx.val(container.a(), k) == value;
            k += 1;
        }
        return Ok(held);
    }
    let mut items = Items::<V>::of(cx, container).ok_or(Val::error(Fault::Type))?;
    while let Some(item) = items.next(cx) {
        if equal::<V>(cx, item, value).ok_or(Val::BACK)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What a set shares with another (`keep`), or does not share.
#[inline(always)]
pub fn shared<V: Lanes>(cx: Cx, a: Val, b: Val, keep: bool) -> Val {
    let nothing = if keep { Val::EMPTY_SET } else { a };
    match (a.tag(), b.tag()) {
        (Tag::Colors, Tag::Colors) => Val::colors(a.x() & if keep { b.x() } else { !b.x() }),
        (Tag::Mask, Tag::Mask) | (Tag::Object, Tag::Object) => {
            shared_bits::<V>(cx, a, b, keep).unwrap_or(Val::BACK)
        }
        (Tag::Set, _) | (_, Tag::Set) => walk::<V::Out>(cx, a, b, keep),
        // Ints, locations and cells are never equal to each other.
        _ => nothing,
    }
}

/// A patch, and what another one of its kind shares with it, in its window: what lies outside of that does
/// not matter.
#[inline(always)]
pub fn common_bits<V: Lanes>(cx: Cx, a: Val, b: Val) -> Option<(Patch<V>, V)> {
    let (p, q) = (Patch::<V>::load(cx, a)?, Patch::<V>::load(cx, b)?);
    let mut both = p.mask & q.seen_from(p.origin);
    if a.is(Tag::Object) {
        let theirs = gather::seen::<V>(cx, b, p.origin);
        both = both & !patch::planes::<V>(cx, a).differ(theirs);
    }
    Some((p, both))
}

#[inline(always)]
fn shared_bits<V: Lanes>(cx: Cx, a: Val, b: Val, keep: bool) -> Option<Val> {
    let (p, both) = common_bits::<V>(cx, a, b)?;
    let m = if keep { both } else { p.mask & !both };
    Some(if a.is(Tag::Mask) {
        mask::make(cx, m, p.origin)
    } else {
        patch::make_sharing(cx, m, a.b(), p.origin)
    })
}

/// One walk over both sets.
#[inline(never)]
fn walk<V: Lanes>(cx: Cx, a: Val, b: Val, keep: bool) -> Val {
    if V::APART
        && let Some(found) = looked_up::<V>(cx, a, b, keep)
    {
        return found;
    }
    if !V::APART
        && let Some(found) = gather::places::shared::<V>(cx, a, b, keep)
    {
        return found;
    }
    let (Some(mut x), Some(mut y)) = (Items::<V>::of(cx, a), Items::<V>::of(cx, b)) else {
        return Val::error(Fault::Type);
    };
    let Some(mut list) = List::new(cx, x.len()) else { return Val::BACK };
    let mut right = y.next(cx);
    while let Some(v) = x.next(cx) {
        let held = loop {
            let Some(w) = right else { break false };
            match compare::<V>(cx, w, v) {
                Some(Ordering::Less) => right = y.next(cx),
                Some(order) => break order == Ordering::Equal,
                None => return Val::BACK,
            }
        };
        if held == keep {
            list.push(cx, v);
        }
    }
    list.tidy::<V>(cx)
}

/// As [`walk`], every item by itself; `None` where items are not all ints, locations, cells or patches.
#[inline(always)]
fn looked_up<V: Lanes>(cx: Cx, a: Val, b: Val, keep: bool) -> Option<Val> {
    let ((x, m), (y, n)) = (flat::<V>(cx, a).ok()?, flat::<V>(cx, b).ok()?);
    if !apart::are_plain::<V>(cx, x, m) || !apart::are_plain::<V>(cx, y, n) {
        let (unit, len) = apart::kept::<V::Out>(cx, (x, m), (y, n), keep)?;
        return Some(List::over::<V>(cx, unit, len).tidy::<V>(cx));
    }
    let same = cx.val(x, 0).tag() == cx.val(y, 0).tag();
    let out = cx.take_vals(m)?;
    V::meet();
    let stays = |k: u32| (same && apart::holds(cx, y, n, cx.val(x, k))) == keep;
    let len = V::pick(m, stays, |at, k| cx.put_own(out, at, cx.val(x, k)));
    V::meet();
    Some(List::plain(out, len).tidy::<V>(cx))
}

/// A set that is an array without a value; `None` where order cannot be told here, or where there is no
/// room.
#[inline(never)]
pub fn without_one<V: Lanes>(cx: Cx, set: Val, value: Val) -> Option<Val> {
    let (unit, n) = (set.a(), set.x());
    // Most often it is one of the items, not only equal to one.
    let at = match V::find(n, |k| cx.val(unit, k) == value) {
        Some(at) => at,
        None => match place_in::<V>(cx, set, value).ok()? {
            Some(at) => at,
            None => return Some(set),
        },
    };
    let out = cx.take_vals(n)?;
    let mut k = 0;
    while k + 1 < n {
        cx.put(out, k, cx.val(unit, k + u32::from(k >= at)));
        k += 1;
    }
    Some(List::over::<V>(cx, out, n - 1).tidy::<V>(cx))
}

/// The items of a tuple that a set does not hold, order and repeats kept.
#[inline(always)]
pub fn without<V: Lanes>(cx: Cx, tuple: Val, set: Val) -> Val {
    let Some(mut items) = Items::<V>::of(cx, tuple) else { return Val::error(Fault::Type) };
    let Some(mut list) = List::new(cx, items.len()) else { return Val::BACK };
    while let Some(item) = items.next(cx) {
        match holds::<V>(cx, set, item) {
            Ok(true) => {}
            Ok(false) => list.push(cx, item),
            Err(bad) => return bad,
        }
    }
    tidy_tuple::<V>(cx, list.tuple(cx), tuple.is(Tag::Grid))
}

/// All pairs of the items of two sets, which come in order.
#[inline(never)]
pub fn product<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    let (m, n) = (len(a).unwrap_or(0), len(b).unwrap_or(0));
    if u64::from(m) * u64::from(n) > u64::from(MAX_ELEMENTS) {
        return Val::error(Fault::Size);
    }
    let (Ok((x, m)), Ok((y, n))) = (flat::<V>(cx, a), flat::<V>(cx, b)) else { return Val::BACK };
    if !V::APART && are_places(cx, x, m) && are_places(cx, y, n) {
        return pairs_of_places(cx, (x, m), (y, n)).unwrap_or(Val::BACK);
    }
    side_by_side::<V>(cx, (x, m), (y, n))
}

/// Whether an array holds locations or cells, and nothing else.
#[inline(always)]
fn are_places(cx: Cx, unit: u32, n: u32) -> bool {
    let (mut other, mut k) = (n == 0, 0);
    while k < n {
        other |= !matches!(cx.val(unit, k).tag(), Tag::Pair | Tag::Cell);
        k += 1;
    }
    !other
}

/// As [`side_by_side`], of locations or cells: all pairs are alike but for what they hold.
#[inline(always)]
fn pairs_of_places(cx: Cx, (x, m): (u32, u32), (y, n): (u32, u32)) -> Option<Val> {
    let (units, out) = (cx.take_vals(m * n * VALS)?, cx.take_vals(m * n)?);
    let (mut i, mut at) = (0, 0);
    while i < m {
        let (a, mut j) = (cx.val(x, i), 0);
        while j < n {
            cx.put(units + at, 0, a);
            cx.put(units + at, 1, cx.val(y, j));
            cx.put(out, at, Val::new(Tag::Tuple, 1, units + at, VALS, VALS));
            at += 1;
            j += 1;
        }
        i += 1;
    }
    Some(List::of_sets(out, m * n, m * n * VALS).array())
}

/// As [`product`], of arrays: every pair has a unit of its own.
#[inline(always)]
fn side_by_side<V: Lanes>(cx: Cx, (x, m): (u32, u32), (y, n): (u32, u32)) -> Val {
    let Some(units) = cx.take_vals(m * n * VALS) else { return Val::BACK };
    V::meet();
    let pair = |k: u32| {
        let (a, b) = (cx.val(x, k / n.max(1)), cx.val(y, k % n.max(1)));
        cx.put_own(units + k, 0, a);
        cx.put_own(units + k, 1, b);
        let all = elements(a).max(1).saturating_add(elements(b).max(1));
        pair_of(cx, a, b, units + k, all, depth(a).max(depth(b)))
    };
    let Some(list) = List::copied::<V>(cx, m * n, pair) else { return Val::BACK };
    list.tidy::<V>(cx)
}
