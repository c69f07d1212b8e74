//! Everything that several containers hold, as a set or as a tuple.

use core::cmp::Ordering;

use super::spill::strung;
use super::{Read, flat, places, set, set_of_array, spread, tidy_tuple};
use crate::apart;
use crate::arena::Cx;
use crate::grid::{Grid, Planes, mapped, zipped};
use crate::lanes::Lanes;
use crate::mask;
use crate::order::compare;
use crate::patch::{self, Patch, mono, planes};
use crate::seq::{Items, List, len, write_items};
use crate::val::{Fault, MAX_ELEMENTS, Tag, Val};
use crate::wide::Wide;

/// The items of some containers as one set. The first that is bad or no container decides.
#[inline(always)]
pub fn union<V: Lanes>(cx: Cx, n: u32, get: impl Read) -> Val {
    let Some(mut k) = V::find(n, |k| len(get(k)) != Some(0)) else { return Val::EMPTY_SET };
    let first = get(k);
    if first.is_bad() {
        return first;
    }
    if len(first).is_none() {
        return Val::error(Fault::Type);
    }
    k += 1;
    if k == n && first.is_set() {
        return first;
    }
    let held = match first.tag() {
        Tag::Colors => union_colors::<V>(first, k, n, get),
        Tag::Mask => union_masks::<V>(cx, first, k, n, get),
        Tag::Object => union_objects::<V>(cx, first, k, n, get),
        _ => None,
    };
    // No closure: what it calls would be compiled apart.
    let held = match held {
        None if matches!(first.tag(), Tag::Mask | Tag::Object | Tag::Set) => {
            spread::union::<V::Out>(cx, n, get)
        }
        held => held,
    };
    match held {
        Some(v) => v,
        None => union_any::<V::Out>(cx, n, get),
    }
}

#[inline(always)]
fn union_colors<V: Lanes>(first: Val, from: u32, n: u32, get: impl Read) -> Option<Val> {
    let mut bits = first.x();
    let other = V::find(n - from, |k| {
        let v = get(from + k);
        bits |= v.x();
        !v.is(Tag::Colors)
    });
    if other.is_some() { None } else { Some(Val::colors(V::joined(bits))) }
}

/// The origin of a window that holds a patch and those from a number on, or nothing in place of some; `None`
/// where no window does, or one is no patch of bits.
#[inline(always)]
fn window<V: Lanes>(
    cx: Cx,
    patch: &Patch<V>,
    from: u32,
    n: u32,
    get: impl Read,
) -> Option<(i32, i32)> {
    let (mut all, mut k) = (patch.bounds(), from);
    while k < n {
        let v = get(k);
        k += 1;
        if !v.is_empty_set() {
            all = all.join(Patch::<V>::load(cx, v)?.bounds());
            // Most often a few tell.
            if all.height() > 32 || all.width() > 32 {
                return None;
            }
        }
    }
    all.window()
}

/// The bits of patches from a number on, or of nothing, all seen from the same origin.
#[inline(always)]
fn stacked<V: Lanes>(cx: Cx, from: u32, n: u32, get: impl Read) -> V {
    let load = |k: u32| {
        let v = if k < n { get(k) } else { Val::EMPTY_SET };
        if v.is_empty_set() { V::splat(0) } else { cx.load::<V>(v.a()) }
    };
    let (mut all, mut k) = (V::splat(0), from);
    while k < n {
        all = all | load(k) | load(k + 1) | load(k + 2) | load(k + 3);
        k += 4;
    }
    all
}

/// Adds the bits of a patch to others whose window holds them.
#[inline(always)]
fn add<V: Lanes>(all: &mut Patch<V>, p: Patch<V>) {
    if p.origin == all.origin {
        all.mask = all.mask | p.mask;
    } else {
        all.mask = all.mask | p.seen_from(all.origin);
    }
}

/// Adds the cells of an object to others whose window holds them, as `m` there; false where a place would have
/// two colours, which are no object's bits.
#[inline(always)]
fn add_colors<V: Lanes>(
    cx: Cx,
    all: &mut Patch<V>,
    colors: &mut Planes<V>,
    m: V,
    object: Val,
) -> bool {
    let twice = all.mask & m;
    if twice.any() && (colors.differ(seen::<V>(cx, object, all.origin)) & twice).any() {
        return false;
    }
    *colors = match mono(object) {
        Some(color) => colors.painted(m, Planes::splat(color)),
        None => colors.painted(m, seen::<V>(cx, object, all.origin)),
    };
    all.mask = all.mask | m;
    true
}

#[inline(always)]
fn union_masks<V: Lanes>(cx: Cx, first: Val, from: u32, n: u32, get: impl Read) -> Option<Val> {
    let mut all = Patch::<V>::load(cx, first)?;
    let (mut k, mut settled) = (from, false);
    if V::APART {
        // Waiting for one patch after the other takes long.
        let like = |v: Val| v.is(Tag::Mask) && v.x() == first.x();
        if V::find(n - from, |k| !like(get(from + k)) && !get(from + k).is_empty_set()).is_none() {
            return Some(mask::make(cx, all.mask | stacked::<V>(cx, from, n, get), all.origin));
        }
    }
    while k < n {
        let v = get(k);
        if v.is_empty_set() {
            k += 1;
            continue;
        }
        if !v.is(Tag::Mask) {
            return None;
        }
        let p = Patch::<V>::load(cx, v)?;
        // Those of one grid lie in one window; others find one for all of them, once.
        if p.origin != all.origin && !settled {
            let origin = window(cx, &all, k, n, get)?;
            all = Patch { mask: all.seen_from(origin), origin };
            settled = true;
        }
        add(&mut all, p);
        k += 1;
    }
    Some(mask::make(cx, all.mask, all.origin))
}

#[inline(always)]
fn union_objects<V: Lanes>(cx: Cx, first: Val, from: u32, n: u32, get: impl Read) -> Option<Val> {
    let mut all = Patch::<V>::load(cx, first)?;
    let (mut k, mut settled) = (from, false);
    // As long as all have one colour, only the bits count.
    if let Some(color) = mono(first) {
        if V::APART {
            let like = |v: Val| mono(v) == Some(color) && v.x() == first.x();
            if V::find(n - k, |at| !like(get(k + at)) && !get(k + at).is_empty_set()).is_none() {
                all.mask = all.mask | stacked::<V>(cx, k, n, get);
                k = n;
            }
        }
        while k < n {
            let v = get(k);
            if v.is_empty_set() {
                k += 1;
                continue;
            }
            if mono(v) != Some(color) {
                break;
            }
            let p = Patch::<V>::load(cx, v)?;
            if p.origin != all.origin && !settled {
                let origin = window(cx, &all, k, n, get)?;
                all = Patch { mask: all.seen_from(origin), origin };
                settled = true;
            }
            add(&mut all, p);
            k += 1;
        }
        if k == n {
            return Some(patch::make_mono(cx, all.mask, color, all.origin));
        }
    }
    // The first object's colours lie in its own window, which may have been left by now.
    let mut colors = seen::<V>(cx, first, all.origin);
    while k < n {
        let v = get(k);
        if v.is_empty_set() {
            k += 1;
            continue;
        }
        if !v.is(Tag::Object) {
            return None;
        }
        let p = Patch::<V>::load(cx, v)?;
        if p.origin != all.origin && !settled {
            let origin = window(cx, &all, k, n, get)?;
            let (di, dj) = (all.origin.0 - origin.0, all.origin.1 - origin.1);
            colors = mapped!(colors, |x: V| mask::place(x, di, dj));
            all = Patch { mask: all.seen_from(origin), origin };
            settled = true;
        }
        let added = if p.origin == all.origin {
            add_colors(cx, &mut all, &mut colors, p.mask, v)
        } else {
            let m = p.seen_from(all.origin);
            add_colors(cx, &mut all, &mut colors, m, v)
        };
        if !added {
            return None;
        }
        k += 1;
    }
    Some(patch::make(cx, all.mask, colors, all.origin))
}

/// An object's colours as they lie in the window of another origin.
#[inline(always)]
pub fn seen<V: Lanes>(cx: Cx, object: Val, origin: (i32, i32)) -> Planes<V> {
    let colors = planes::<V>(cx, object);
    let from = object.origin();
    if from == origin || mono(object).is_some() {
        return colors;
    }
    mapped!(colors, |x: V| mask::place(x, from.0 - origin.0, from.1 - origin.1))
}

/// How many items some containers hold together; the first that is bad or no container decides.
#[inline(always)]
fn total<V: Lanes>(n: u32, get: impl Read) -> Result<u32, Val> {
    let mut total = 0u32;
    let none = V::find(n, |k| {
        let len = len(get(k));
        total = total.saturating_add(len.unwrap_or(0));
        len.is_none()
    });
    match none.map(get) {
        None => Ok(V::added(total)),
        Some(v) if v.is_bad() => Err(v),
        Some(_) => Err(Val::error(Fault::Type)),
    }
}

#[inline(never)]
fn union_any<V: Lanes>(cx: Cx, n: u32, get: impl Read) -> Val {
    let total = match total::<V>(n, get) {
        Ok(total) => total,
        Err(bad) => return bad,
    };
    // Repeats do not count in the end, so more than fits may come.
    if total > 16 * MAX_ELEMENTS {
        return Val::BACK;
    }
    if !V::APART && surely_too_large::<V>(cx, n, get) {
        return Val::error(Fault::Size);
    }
    let Some(unit) = cx.take_vals(total) else { return Val::BACK };
    let strung =
        if V::APART { strung::<V>(cx, n, get, unit) } else { written::<V>(cx, n, get, unit) };
    if !strung {
        return Val::BACK;
    }
    set_of_array::<V>(cx, unit, total)
}

/// The most sets that are looked at before they are put together.
const FEW_SETS: usize = 256;

/// Whether some sets hold more than a value may, together, without a look at all of it: each holds copies of
/// one patch, and only patches of the same size can be equal.
#[inline(never)]
fn surely_too_large<V: Lanes>(cx: Cx, n: u32, get: impl Read) -> bool {
    let (mut all, mut k) = (0u64, 0);
    while k < n {
        let v = get(k);
        all += u64::from(if v.is(Tag::Set) { v.b() } else { 0 });
        k += 1;
    }
    if all <= u64::from(MAX_ELEMENTS) || n as usize > FEW_SETS {
        return false;
    }
    // By set: the sides of its patches, and how many cells they have together.
    let mut seen = [(0i64, 0i64, 0u32); FEW_SETS];
    let (mut least, mut k) = (0u64, 0);
    while k < n {
        let v = get(k);
        if v.is_empty_set() {
            k += 1;
            continue;
        }
        let Some((height, width)) = copies::<V>(cx, v) else { return false };
        let (before, _) = seen.split_at((k as usize).min(FEW_SETS));
        let like = before.iter().filter(|(h, w, _)| (*h, *w) == (height, width));
        // Of those that may be equal, the largest set counts.
        let most = like.map(|(_, _, cells)| *cells).max().unwrap_or(0);
        least += u64::from(v.b().saturating_sub(most));
        if let Some(here) = seen.get_mut(k as usize) {
            *here = (height, width, v.b());
        }
        k += 1;
    }
    least > u64::from(MAX_ELEMENTS)
}

/// Height and width of the patches of a set, where all are the same one in other places.
#[inline(always)]
fn copies<V: Lanes>(cx: Cx, set: Val) -> Option<(i64, i64)> {
    if !set.is(Tag::Set) {
        return None;
    }
    let first = cx.val(set.a(), 0);
    let (mut same, mut k) = (true, 1);
    while k < set.x() {
        let v = cx.val(set.a(), k);
        same &= v.tag() == first.tag() && v.a() == first.a() && v.b() == first.b();
        k += 1;
    }
    let bounds = Patch::<V>::load(cx, first)?.bounds();
    same.then_some((bounds.height(), bounds.width()))
}

/// Writes the items of all containers one after the other; false where there was no room.
#[inline(always)]
fn written<V: Lanes>(cx: Cx, n: u32, get: impl Read, unit: u32) -> bool {
    let (mut at, mut k) = (0, 0);
    while k < n {
        match write_items::<V>(cx, get(k), unit, at) {
            Some(next) => at = next,
            None => return false,
        }
        k += 1;
    }
    true
}

/// The items of two sets as one set, where both were put together here and may be long.
#[inline(always)]
pub fn unite<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    if !a.is(Tag::Set) || !b.is(Tag::Set) {
        return union::<V>(cx, 2, |k| if k == 0 { a } else { b });
    }
    if is_place(cx.val(a.a(), 0)) {
        return union_two::<V::Out>(cx, a, b);
    }
    match apart::merged::<V::Out>(cx, (a.a(), a.x()), (b.a(), b.x())) {
        Some((unit, n)) => List::over::<V>(cx, unit, n).array(),
        None => union_two::<V::Out>(cx, a, b),
    }
}

/// Whether a value is a location or a cell.
#[inline(always)]
fn is_place(v: Val) -> bool {
    matches!(v.tag(), Tag::Pair | Tag::Cell)
}

/// The items of two sets as one set, in one walk over both.
#[inline(never)]
pub fn union_two<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    if V::APART
        && let (Ok((x, m)), Ok((y, n))) = (flat::<V>(cx, a), flat::<V>(cx, b))
        && m > 0
        && n > 0
        && is_place(cx.val(x, 0))
        && is_place(cx.val(y, 0))
    {
        return set::<V>(cx, m + n, |k| if k < m { cx.val(x, k) } else { cx.val(y, k - m) });
    }
    if !V::APART
        && let Some(both) = places::united::<V>(cx, a, b)
    {
        return both;
    }
    let (Some(mut x), Some(mut y)) = (Items::<V>::of(cx, a), Items::<V>::of(cx, b)) else {
        return Val::error(Fault::Type);
    };
    let Some(mut list) = List::new(cx, x.len().saturating_add(y.len())) else { return Val::BACK };
    let (mut left, mut right) = (x.next(cx), y.next(cx));
    loop {
        let (v, order) = match (left, right) {
            (None, None) => return list.tidy::<V>(cx),
            (Some(v), None) => (v, Ordering::Less),
            (None, Some(v)) => (v, Ordering::Greater),
            (Some(v), Some(w)) => match compare::<V>(cx, v, w) {
                Some(Ordering::Greater) => (w, Ordering::Greater),
                Some(order) => (v, order),
                None => return Val::BACK,
            },
        };
        list.push(cx, v);
        if order != Ordering::Greater {
            left = x.next(cx);
        }
        if order != Ordering::Less {
            right = y.next(cx);
        }
    }
}

/// The items of some containers one after the other, as a tuple. The first that is bad or no
/// container decides.
#[inline(always)]
pub fn concat<V: Lanes>(cx: Cx, n: u32, get: impl Read) -> Val {
    if n > 0
        && get(0).is(Tag::Grid)
        && let Some(grid) = concat_grids::<V>(cx, n, get)
    {
        return grid;
    }
    if n > 0
        && matches!(get(0).tag(), Tag::Grid | Tag::Wide)
        && let Some(grid) = concat_bytes::<V::Out>(cx, n, get)
    {
        return grid;
    }
    let total = match total::<V>(n, get) {
        Ok(total) if total > MAX_ELEMENTS => return Val::error(Fault::Size),
        Ok(total) => total,
        Err(bad) => return bad,
    };
    let Some(unit) = cx.take_vals(total) else { return Val::BACK };
    if !strung::<V>(cx, n, get, unit) {
        return Val::BACK;
    }
    let rows = V::find(n, |k| matches!(get(k).tag(), Tag::Grid | Tag::Wide)).is_some();
    tidy_tuple::<V>(cx, List::over::<V>(cx, unit, total).tuple(cx), rows)
}

/// Grids below each other, as bytes; `None` where they are no grid together.
#[inline(never)]
pub fn concat_bytes<V: Lanes>(cx: Cx, n: u32, get: impl Read) -> Option<Val> {
    let (mut height, mut k) = (0, 0);
    while k < n {
        let v = get(k);
        if !matches!(v.tag(), Tag::Grid | Tag::Wide) || v.dims().1 != get(0).dims().1 {
            return None;
        }
        height += v.dims().0;
        k += 1;
    }
    let to = match Wide::new(cx, height, get(0).dims().1) {
        Ok(to) => to,
        Err(bad) => return Some(bad),
    };
    let mut at = 0;
    k = 0;
    while k < n {
        let from = Wide::of::<V::Out>(cx, get(k))?;
        to.copy(cx, (at, 0), &from, (0, 0), from.height * from.width);
        at += from.height;
        k += 1;
    }
    Some(to.to_val::<V::Out>(cx))
}

/// Grids below each other; `None` where they are no grid together.
#[inline(always)]
fn concat_grids<V: Lanes>(cx: Cx, n: u32, get: impl Read) -> Option<Val> {
    let mut all = Grid::<V>::load(cx, get(0))?;
    let mut k = 1;
    while k < n {
        let grid = Grid::<V>::load(cx, get(k))?;
        if grid.width != all.width || all.height + grid.height > 32 {
            return None;
        }
        let at = all.height as i32;
        all.planes = zipped!(all.planes, grid.planes, |a: V, b| a | b.rows(at));
        all.height += grid.height;
        k += 1;
    }
    Some(all.to_val(cx))
}
