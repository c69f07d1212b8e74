//! Containers.

mod ends;
mod sets;

use core::cmp::Ordering;

use super::numbers::ascell;
use super::ranks::counts;
use crate::apart;
use crate::arena::Cx;
use crate::gather::{self, concat, flat, set, tidy_tuple, union, union_two};
use crate::grid::{self, Grid, mapped};
use crate::keys;
use crate::lanes::{Lanes, low_bits};
use crate::mask;
use crate::order::{compare, equal};
use crate::seq::{Items, List, elements, len, nth, one, two, write_items};
use crate::val::{Fault, MAX_ELEMENTS, Tag, Val};
pub(crate) use sets::common_bits;
use sets::{as_set, holds};

/// A grid's rows that come for the first time.
#[inline(always)]
fn distinct_rows<V: Lanes>(cx: Cx, grid: Grid<V>) -> Val {
    let Grid { mut planes, height, width } = grid;
    let (mut repeats, mut k) = (0, 0);
    while k < height {
        if repeats >> k & 1 == 0 {
            let row = mapped!(planes, |plane: V| plane.everywhere(k));
            let others = planes.differ(row).ballot();
            repeats |= !others & low_bits(height) & !low_bits(k + 1);
        }
        k += 1;
    }
    // What is below a row that goes moves up; the lowest goes first, so that the others stay in place.
    let mut left = repeats;
    while left != 0 {
        let row = 31 - left.leading_zeros();
        let above = V::below(row);
        planes = mapped!(planes, |plane: V| plane & above | plane.up() & !above);
        left &= low_bits(row);
    }
    Grid::make(cx, planes, height - repeats.count_ones(), width)
}

/// As many items of a tuple are compared with all before them.
const FEW: u32 = 128;

/// A tuple's items that come for the first time.
#[inline(always)]
fn distinct<V: Lanes>(cx: Cx, tup: Val) -> Val {
    if let Some(grid) = Grid::<V>::load(cx, tup) {
        return distinct_rows(cx, grid);
    }
    let (unit, n) = match flat::<V>(cx, tup) {
        Ok(array) => array,
        Err(bad) => return bad,
    };
    if V::APART && apart::are_plain::<V>(cx, unit, n) && n <= FEW {
        let first = |k: u32| {
            let (v, mut before) = (cx.val(unit, k), 0);
            while before < k && cx.val(unit, before) != v {
                before += 1;
            }
            before == k
        };
        return match List::picked::<V>(cx, n, first, |k| cx.val(unit, k)) {
            Some(list) => tidy_tuple::<V>(cx, list.tuple(cx), tup.is(Tag::Grid)),
            None => Val::BACK,
        };
    }
    let Some(mut list) = List::new(cx, n) else { return Val::BACK };
    let scratch = cx.taken();
    // The sort is stable, so the first of equal items leads them.
    let sorted = keys::sort(cx, n, |a, b| compare::<V>(cx, cx.val(unit, a), cx.val(unit, b)));
    let (Some(sorted), Some(kept)) = (sorted, cx.take_vals(n)) else { return Val::BACK };
    let (mut leader, mut k) = (0, 0);
    while k < n {
        let at = cx.val(sorted, k).x();
        let repeats = k > 0
            && match equal::<V>(cx, cx.val(unit, leader), cx.val(unit, at)) {
                Some(equal) => equal,
                None => return Val::BACK,
            };
        if !repeats {
            leader = at;
        }
        cx.put(kept, at, Val::bool(!repeats));
        k += 1;
    }
    k = 0;
    while k < n {
        if cx.val(kept, k).x() != 0 {
            list.push(cx, cx.val(unit, k));
        }
        k += 1;
    }
    cx.release(scratch);
    tidy_tuple::<V>(cx, list.tuple(cx), tup.is(Tag::Grid))
}

/// The extreme item of a container of keys; 0 if it is empty.
#[inline(always)]
fn extreme<V: Lanes>(cx: Cx, container: Val, side: Ordering) -> Val {
    if let Some((a, b)) = container.as_pair() {
        return Val::int(if side == Ordering::Greater { a.max(b) } else { a.min(b) });
    }
    match (container.tag(), len(container)) {
        (_, None) => Val::error(Fault::Type),
        (_, Some(0)) => Val::int(0),
        // Their canonical order is that of keys.
        (Tag::Colors | Tag::Mask | Tag::Object, Some(n)) => match side {
            Ordering::Greater => ends::last::<V>(cx, container, n),
            _ => ends::first::<V>(cx, container),
        },
        _ => match flat::<V>(cx, container) {
            Ok((unit, n)) => match keys::extremum::<V>(cx, n, |k| cx.val(unit, k), side) {
                Ok(Some(at)) => cx.val(unit, at),
                Ok(None) => Val::int(0),
                Err(bad) => bad,
            },
            Err(bad) => bad,
        },
    }
}

/// The item of a tuple whose count is extreme, the first in canonical order on a tie.
#[inline(always)]
fn common<V: Lanes>(cx: Cx, container: Val, side: Ordering) -> Val {
    match len(container) {
        None => return Val::error(Fault::Type),
        _ if container.is_set() => return Val::error(Fault::Attribute),
        Some(0) => return Val::error(Fault::Value),
        Some(_) => {}
    }
    let (unit, n) = match flat::<V>(cx, container) {
        Ok(array) => array,
        Err(bad) => return bad,
    };
    if let Some(v) = common_color::<V>(cx, unit, n, side) {
        return v;
    }
    let Some((counted, distinct)) = counts::<V>(cx, unit, n) else { return Val::BACK };
    let (mut best, mut k) = (0, 1);
    while k < distinct {
        if cx.val(counted, k).x().cmp(&cx.val(counted, best).x()) == side {
            best = k;
        }
        k += 1;
    }
    cx.val(unit, cx.val(counted, best).b())
}

/// As [`common`], where all items are ints from 0 to 15.
#[inline(always)]
fn common_color<V: Lanes>(cx: Cx, unit: u32, n: u32, side: Ordering) -> Option<Val> {
    let color = |v: Val| if v.is(Tag::Int) && v.x() < 16 { v.x() } else { u32::MAX };
    let all = gather::counts::<V>(cx, n, |k| color(cx.val(unit, k)))?;
    let counts = *all.first_chunk()?;
    let color = if side == Ordering::Greater { grid::most(&counts) } else { grid::least(&counts) };
    color.map(|c| Val::int(c as i32))
}

/// Whether a container holds a value.
#[inline(always)]
pub fn contained<V: Lanes>(cx: Cx, value: Val, container: Val) -> Val {
    match holds::<V>(cx, container, value) {
        Ok(held) => Val::bool(held),
        Err(bad) => bad,
    }
}

/// Everything of both containers, in a container like the first.
#[cfg_attr(target_arch = "nvptx64", inline(never))]
#[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
pub fn combine<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    let get = |k: u32| if k == 0 { a } else { b };
    if !a.is_set() {
        return if len(a).is_some() { concat::<V>(cx, 2, get) } else { Val::error(Fault::Type) };
    }
    if b.is_empty_set() {
        a
    } else if b.is_set() && (a.is(Tag::Set) || b.is(Tag::Set)) {
        union_two::<V::Out>(cx, a, b)
    } else {
        union::<V>(cx, 2, get)
    }
}

/// What two sets share.
#[inline(always)]
pub fn intersection<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    if !a.is_set() || !b.is_set() {
        return match (a.as_int(), b.as_int()) {
            (Some(a), Some(b)) => Val::int(a & b),
            _ => Val::error(Fault::Type),
        };
    }
    sets::shared::<V>(cx, a, b, true)
}

/// What the first container holds and the second does not.
#[inline(always)]
pub fn difference<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    if len(a).is_none() || len(b).is_none() {
        return Val::error(Fault::Type);
    }
    let b = as_set::<V>(cx, b);
    if b.is_bad() {
        b
    } else if a.is_set() {
        sets::shared::<V>(cx, a, b, false)
    } else {
        sets::without::<V>(cx, a, b)
    }
}

/// A tuple without its repeated items.
#[inline(always)]
pub fn dedupe<V: Lanes>(cx: Cx, tup: Val) -> Val {
    match len(tup) {
        None => Val::error(Fault::Type),
        Some(0) => Val::EMPTY_TUPLE,
        _ if tup.is_set() => Val::error(Fault::Attribute),
        _ => distinct::<V>(cx, tup),
    }
}

/// A tuple that holds one item a number of times.
#[inline(always)]
pub fn repeat<V: Lanes>(cx: Cx, item: Val, num: Val) -> Val {
    let Some(times) = num.as_int() else { return Val::error(Fault::Type) };
    let times = times.max(0) as u32;
    if u64::from(times) * u64::from(elements(item).max(1)) > u64::from(MAX_ELEMENTS) {
        return Val::error(Fault::Size);
    }
    let Some(mut list) = List::new(cx, times) else { return Val::BACK };
    let mut k = 0;
    while k < times {
        list.push(cx, item);
        k += 1;
    }
    tidy_tuple::<V>(cx, list.tuple(cx), true)
}

/// How many items a container holds; for a grid, its rows.
#[inline(always)]
pub fn size<V: Lanes>(_cx: Cx, container: Val) -> Val {
    match len(container) {
        Some(n) => Val::int(n as i32),
        None => Val::error(Fault::Type),
    }
}

/// The items of all inner containers together, in a container like the outer one.
#[inline(always)]
pub fn merge<V: Lanes>(cx: Cx, containers: Val) -> Val {
    match containers.tag() {
        Tag::Colors if containers.x() == 0 => containers,
        // Ints are no containers.
        Tag::Colors | Tag::Pair | Tag::Cell => Val::error(Fault::Type),
        _ => match flat::<V>(cx, containers) {
            Err(bad) => bad,
            Ok((unit, n)) if containers.is_set() => union::<V>(cx, n, |k| cx.val(unit, k)),
            Ok((unit, n)) => concat::<V>(cx, n, |k| cx.val(unit, k)),
        },
    }
}

/// The largest int; 0 for an empty container.
#[inline(always)]
pub fn maximum<V: Lanes>(cx: Cx, container: Val) -> Val {
    extreme::<V>(cx, container, Ordering::Greater)
}

/// The smallest int; 0 for an empty container.
#[inline(always)]
pub fn minimum<V: Lanes>(cx: Cx, container: Val) -> Val {
    extreme::<V>(cx, container, Ordering::Less)
}

/// The item that occurs most often in a tuple; the smallest on a tie.
#[inline(always)]
pub fn mostcommon<V: Lanes>(cx: Cx, container: Val) -> Val {
    common::<V>(cx, container, Ordering::Greater)
}

/// The item that occurs least often in a tuple; the smallest on a tie.
#[inline(always)]
pub fn leastcommon<V: Lanes>(cx: Cx, container: Val) -> Val {
    common::<V>(cx, container, Ordering::Less)
}

/// The set of one value.
#[inline(always)]
pub fn initset<V: Lanes>(cx: Cx, value: Val) -> Val {
    one::<V>(cx, value)
}

/// The items as a tuple; a set gives them in canonical order.
#[inline(always)]
pub fn totuple<V: Lanes>(cx: Cx, container: Val) -> Val {
    match container.tag() {
        // The same array; two items may be a pair or a cell.
        Tag::Set if container.x() == 2 => {
            two(cx, cx.val(container.a(), 0), cx.val(container.a(), 1))
        }
        Tag::Set => {
            let (depth, elements) = (container.extra(), container.b());
            Val::new(Tag::Tuple, depth, container.a(), elements, container.x())
        }
        _ if container.is_tuple() => container,
        Tag::Mask | Tag::Object => {
            let n = container.extra();
            if V::APART {
                let array = flat::<V>(cx, container);
                return array.map_or(Val::BACK, |(unit, n)| Val::new(Tag::Tuple, 1, unit, n, n));
            }
            let Some(unit) = cx.take_vals(n) else { return Val::BACK };
            write_items::<V>(cx, container, unit, 0);
            Val::new(Tag::Tuple, 1, unit, n, n)
        }
        _ => {
            let Some(mut items) = Items::<V>::of(cx, container) else {
                return Val::error(Fault::Type);
            };
            let Some(mut list) = List::new(cx, items.len()) else { return Val::BACK };
            while let Some(item) = items.next(cx) {
                list.push(cx, item);
            }
            list.tuple(cx)
        }
    }
}

/// The items as a set.
#[inline(always)]
pub fn toset<V: Lanes>(cx: Cx, container: Val) -> Val {
    if len(container).is_none() { Val::error(Fault::Type) } else { as_set::<V>(cx, container) }
}

/// The first item.
#[inline(always)]
pub fn first<V: Lanes>(cx: Cx, container: Val) -> Val {
    if let Some((first, _)) = container.as_pair() {
        return Val::int(first);
    }
    match len(container) {
        None => Val::error(Fault::Type),
        Some(0) => Val::error(Fault::StopIteration),
        Some(_) => ends::first::<V>(cx, container),
    }
}

/// The last item.
#[inline(always)]
pub fn last<V: Lanes>(cx: Cx, container: Val) -> Val {
    if let Some((_, last)) = container.as_pair() {
        return Val::int(last);
    }
    match len(container) {
        None => Val::error(Fault::Type),
        Some(0) => Val::error(Fault::Value),
        Some(n) => ends::last::<V>(cx, container, n),
    }
}

/// A set with one more value.
#[inline(always)]
pub fn insert<V: Lanes>(cx: Cx, value: Val, container: Val) -> Val {
    if !container.is_set() {
        return Val::error(Fault::Attribute);
    }
    let set = one::<V>(cx, value);
    if set.is_bad() { set } else { combine::<V>(cx, container, set) }
}

/// A container without any item equal to a value.
#[inline(always)]
pub fn remove<V: Lanes>(cx: Cx, value: Val, container: Val) -> Val {
    if V::APART
        && container.is(Tag::Set)
        && let Some((unit, n)) = apart::without::<V>(cx, (container.a(), container.x()), value)
    {
        return List::over::<V>(cx, unit, n).tidy::<V>(cx);
    }
    if !V::APART
        && container.is(Tag::Set)
        && let Some(rest) = sets::without_one::<V::Out>(cx, container, value)
    {
        return rest;
    }
    if container.is_set() {
        let set = one::<V>(cx, value);
        return if set.is_bad() { set } else { sets::shared::<V>(cx, container, set, false) };
    }
    if V::APART
        && container.is(Tag::Tuple)
        && let Some((unit, n)) = apart::without::<V>(cx, (container.a(), container.x()), value)
    {
        return tidy_tuple::<V>(cx, List::over::<V>(cx, unit, n).tuple(cx), false);
    }
    let Some(mut items) = Items::<V>::of(cx, container) else { return Val::error(Fault::Type) };
    let Some(mut list) = List::new(cx, items.len()) else { return Val::BACK };
    while let Some(item) = items.next(cx) {
        match equal::<V>(cx, item, value) {
            Some(true) => {}
            Some(false) => list.push(cx, item),
            None => return Val::BACK,
        }
    }
    tidy_tuple::<V>(cx, list.tuple(cx), container.is(Tag::Grid))
}

/// The first item that differs from a value.
#[inline(always)]
pub fn other<V: Lanes>(cx: Cx, container: Val, value: Val) -> Val {
    let Some(mut items) = Items::<V>::of(cx, container) else { return Val::error(Fault::Type) };
    while let Some(item) = items.next(cx) {
        match equal::<V>(cx, item, value) {
            Some(true) => {}
            Some(false) => return item,
            None => return Val::BACK,
        }
    }
    Val::error(Fault::StopIteration)
}

/// The ints from start up to, not including, stop.
#[inline(always)]
pub fn interval<V: Lanes>(cx: Cx, start: Val, stop: Val, step: Val) -> Val {
    let (Some(start), Some(stop), Some(step)) = (start.as_int(), stop.as_int(), step.as_int())
    else {
        return Val::error(Fault::Type);
    };
    let (start, step) = (i64::from(start), i64::from(step));
    if step == 0 {
        return Val::error(Fault::Value);
    }
    let distance = i64::from(stop) - start;
    // Steps that start before `stop`: the distance over the step, rounded up.
    let count = if (distance > 0) == (step > 0) {
        (distance.abs() + step.abs() - 1) / step.abs()
    } else {
        0
    };
    if count > i64::from(MAX_ELEMENTS) {
        return Val::error(Fault::Size);
    }
    let Some(mut list) = List::new(cx, count as u32) else { return Val::BACK };
    let mut k = 0;
    while k < count {
        list.push(cx, Val::narrow(start + k * step));
        k += 1;
    }
    list.tuple(cx)
}

/// All pairs of one item of each container, as a set.
#[inline(always)]
pub fn product<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    if len(a).is_none() || len(b).is_none() {
        return Val::error(Fault::Type);
    }
    let (a, b) = (as_set::<V>(cx, a), as_set::<V>(cx, b));
    if a.is_bad() || b.is_bad() {
        return Val::BACK;
    }
    if a.is(Tag::Colors) && b.is(Tag::Colors) {
        let rows = V::splat(a.x()).transpose();
        return mask::make(cx, rows & V::splat(b.x()), (0, 0));
    }
    sets::product::<V::Out>(cx, a, b)
}

/// Two tuples zipped, as long as the shorter one.
#[inline(always)]
pub fn pair<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    if let Some(v) = pair_ints(cx, a, b) {
        return v;
    }
    let (Some(mut x), Some(mut y)) = (Items::<V>::of(cx, a), Items::<V>::of(cx, b)) else {
        return Val::error(Fault::Type);
    };
    let Some(mut list) = List::new(cx, x.len().min(y.len())) else { return Val::BACK };
    while let (Some(i), Some(j)) = (x.next(cx), y.next(cx)) {
        if i.is_bad() || j.is_bad() {
            return Val::BACK;
        }
        list.push(cx, two(cx, i, j));
    }
    list.tuple(cx)
}

/// Two tuples of ints zipped; `None` where they are anything else, or there is no room.
#[inline(always)]
fn pair_ints(cx: Cx, a: Val, b: Val) -> Option<Val> {
    let n = a.x().min(b.x());
    if !a.is(Tag::Tuple) || !b.is(Tag::Tuple) || n == 0 || !cx.val(a.a(), 0).is(Tag::Int) {
        return None;
    }
    let before = cx.taken();
    let unit = cx.take_vals(n)?;
    let (mut ints, mut k) = (true, 0);
    while k < n {
        let (i, j) = (cx.val(a.a(), k), cx.val(b.a(), k));
        ints &= i.is(Tag::Int) && j.is(Tag::Int);
        cx.put(unit, k, Val::pair(i.x() as i32, j.x() as i32));
        k += 1;
    }
    if !ints {
        cx.release(before);
        return None;
    }
    Some(Val::new(Tag::Tuple, 1, unit, n, n))
}

/// Cells from a tuple of locations and a tuple of colours.
#[inline(always)]
pub fn celltuple<V: Lanes>(cx: Cx, locations: Val, colors: Val) -> Val {
    let (Some(mut x), Some(mut y)) = (Items::<V>::of(cx, locations), Items::<V>::of(cx, colors))
    else {
        return Val::error(Fault::Type);
    };
    let Some(mut list) = List::new(cx, x.len().min(y.len())) else { return Val::BACK };
    while let (Some(at), Some(color)) = (x.next(cx), y.next(cx)) {
        let cell = ascell::<V>(cx, at, color);
        if at.is_bad() || color.is_bad() {
            return Val::BACK;
        }
        if cell.is_bad() {
            return cell;
        }
        list.push(cx, cell);
    }
    list.tuple(cx)
}

/// The items that hold a number of items, as a set.
#[inline(always)]
pub fn sizefilter<V: Lanes>(cx: Cx, container: Val, n: Val) -> Val {
    if V::APART && container.is(Tag::Set) {
        let item = |k: u32| cx.val(container.a(), k);
        if !V::all(container.x(), |k| len(item(k)).is_some()) {
            return Val::error(Fault::Type);
        }
        let stays = |k: u32| len(item(k)).map(|size| size as i32) == n.as_int();
        let list = List::picked::<V>(cx, container.x(), stays, item);
        return list.map_or(Val::BACK, |list| list.tidy::<V>(cx));
    }
    let Some(mut items) = Items::<V>::of(cx, container) else { return Val::error(Fault::Type) };
    let Some(mut list) = List::new(cx, items.len()) else { return Val::BACK };
    while let Some(item) = items.next(cx) {
        if item.is_bad() {
            return item;
        }
        match len(item) {
            None => return Val::error(Fault::Type),
            Some(size) if n.as_int() == Some(size as i32) => list.push(cx, item),
            Some(_) => {}
        }
    }
    if container.is_set() {
        list.tidy::<V>(cx)
    } else {
        set::<V>(cx, list.len(), |k| list.get(cx, k))
    }
}

/// The second item.
#[inline(always)]
pub fn second<V: Lanes>(cx: Cx, container: Val) -> Val {
    match len(container) {
        None => Val::error(Fault::Type),
        Some(0 | 1) => Val::error(Fault::Index),
        Some(_) => nth::<V>(cx, container, 1),
    }
}

/// The items of one container that another does not hold, as `difference`.
#[inline(always)]
pub fn difference_tuple<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    difference::<V>(cx, a, b)
}
