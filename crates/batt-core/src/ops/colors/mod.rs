//! Colours.

mod tally;

use crate::arena::Cx;
use crate::gather::{self, flat};
use crate::grid::{self, Grid, Planes};
use crate::lanes::Lanes;
use crate::order::equal;
use crate::patch::{self, mono, planes};
use crate::seq::{Items, List, item, len, nth, two};
use crate::val::{Fault, MONO, Tag, Val};
use crate::wide::Wide;

use self::tally::Tally;
use super::containers::{toset, totuple};
use super::patches::{Read, View, fault, given, locations, view};

/// How often each colour occurs, where all are from 0 to 31. A [`Tally`] counts others.
type Counts = [u32; 32];

/// The cells of a grid or an object with their colours.
#[inline(always)]
fn colored<V: Lanes>(cx: Cx, element: Val) -> Option<(V, Planes<V>)> {
    match element.tag() {
        Tag::Grid => Grid::<V>::load(cx, element).map(|grid| (grid.cells(), grid.planes)),
        Tag::Object => Some((cx.load(element.a()), planes::<V>(cx, element))),
        _ => None,
    }
}

/// How often each colour occurs in a grid or an object of several colours that is held as planes.
#[inline(always)]
fn few_counts<V: Lanes>(cx: Cx, element: Val) -> Option<[u32; 16]> {
    if mono(element).is_some() {
        return None;
    }
    colored::<V>(cx, element).map(|(m, colors)| colors.counts(m))
}

/// How often each colour occurs in a grid (a tuple) or an object (a set).
#[inline(always)]
fn counts<V: Lanes>(cx: Cx, element: Val) -> Read<Counts> {
    let mut all = [0; 32];
    if let Some(color) = mono(element) {
        all[color as usize & 31] = element.extra();
    } else if let Some((m, colors)) = colored::<V>(cx, element) {
        let few = colors.counts(m);
        let mut c = 0;
        while c < 16 {
            all[c] = few[c];
            c += 1;
        }
    } else {
        return counts_of_items::<V::Out>(cx, element);
    }
    Ok(all)
}

/// The first of every two items of a set, and all items of the items of a tuple, are colours.
#[inline(never)]
fn counts_of_items<V: Lanes>(cx: Cx, element: Val) -> Read<Counts> {
    if let Some(g) = Wide::load(element) {
        return g.counts::<V>(cx).ok_or(Val::BACK);
    }
    if element.is(Tag::Set) && cx.val(element.a(), 0).is(Tag::Cell) {
        let color = |v: Val| if v.is(Tag::Cell) { v.a() } else { u32::MAX };
        let get = |k: u32| color(cx.val(element.a(), k));
        return gather::counts::<V>(cx, element.x(), get).ok_or(Val::BACK);
    }
    let mut all = [0; 32];
    let mut items = Items::<V>::of(cx, element).ok_or(Val::error(Fault::Type))?;
    while let Some(v) = items.next(cx) {
        let within = len(v).ok_or(Val::error(Fault::Type))?;
        if element.is_set() {
            if within != 2 {
                return fault(Fault::Value);
            }
            count(&mut all, nth::<V>(cx, v, 0))?;
            continue;
        }
        let mut colors = Items::<V>::of(cx, v).ok_or(Val::BACK)?;
        while let Some(color) = colors.next(cx) {
            count(&mut all, color)?;
        }
    }
    Ok(all)
}

#[inline(always)]
fn count(all: &mut Counts, color: Val) -> Read<()> {
    match color.as_int() {
        Some(n) if (0..32).contains(&n) => {
            all[n as usize & 31] += 1;
            Ok(())
        }
        _ => Err(Val::BACK),
    }
}

/// The colours that occur, as bits.
#[inline(always)]
pub(crate) fn occurring<V: Lanes>(cx: Cx, element: Val) -> Read<u32> {
    if let Some(color) = mono(element) {
        return Ok(1 << (color & 31));
    }
    if let Some((m, colors)) = colored::<V>(cx, element) {
        return Ok(colors.palette(m));
    }
    let all = counts_of_items::<V::Out>(cx, element)?;
    let (mut bits, mut c) = (0, 0);
    while c < 32 {
        bits |= u32::from(all[c] > 0) << c;
        c += 1;
    }
    Ok(bits)
}

/// The commonest colour; the smallest on a tie.
#[inline(always)]
fn commonest(all: &Counts) -> Option<u32> {
    let (mut best, mut color, mut c) = (0, None, 0);
    while c < 32 {
        if all[c] > best {
            (best, color) = (all[c], Some(c as u32));
        }
        c += 1;
    }
    color
}

/// The rarest colour that occurs; the smallest on a tie.
#[inline(always)]
fn rarest(all: &Counts) -> Option<u32> {
    let (mut best, mut color, mut c) = (u32::MAX, None, 0);
    while c < 32 {
        if all[c] > 0 && all[c] < best {
            (best, color) = (all[c], Some(c as u32));
        }
        c += 1;
    }
    color
}

/// A colour that was looked for as a value.
#[inline(always)]
fn found(color: Option<u32>, missing: Fault) -> Read<Val> {
    color.map(|c| Val::int(c as i32)).ok_or(Val::error(missing))
}

/// The commonest colour; the smallest on a tie.
#[inline(always)]
pub fn mostcolor<V: Lanes>(cx: Cx, element: Val) -> Val {
    if let Some(all) = few_counts::<V>(cx, element) {
        return given(found(grid::most(&all), Fault::Value));
    }
    match counts::<V>(cx, element) {
        Err(v) if v.is(Tag::Back) => {
            given(Tally::of::<V::Out>(cx, element).and_then(|tally| tally.extreme(cx, true)))
        }
        all => given(all.and_then(|all| found(commonest(&all), Fault::Value))),
    }
}

/// The rarest colour that occurs; the smallest on a tie.
#[inline(always)]
pub fn leastcolor<V: Lanes>(cx: Cx, element: Val) -> Val {
    if let Some(all) = few_counts::<V>(cx, element) {
        return given(found(grid::least(&all), Fault::Value));
    }
    match counts::<V>(cx, element) {
        Err(v) if v.is(Tag::Back) => {
            given(Tally::of::<V::Out>(cx, element).and_then(|tally| tally.extreme(cx, false)))
        }
        all => given(all.and_then(|all| found(rarest(&all), Fault::Value))),
    }
}

/// How many cells have a colour.
#[inline(always)]
pub fn colorcount<V: Lanes>(cx: Cx, element: Val, value: Val) -> Val {
    let color = value.as_int().filter(|n| (0..32).contains(n));
    if let Some((m, colors)) = colored::<V>(cx, element) {
        return Val::int(color.map_or(0, |c| colors.eq(c as u32, m).count() as i32));
    }
    given(counted::<V::Out>(cx, element, value))
}

#[inline(never)]
fn counted<V: Lanes>(cx: Cx, element: Val, value: Val) -> Read<Val> {
    if let Some(g) = Wide::load(element) {
        return Ok(Val::int(g.count::<V>(cx, value) as i32));
    }
    let tally = Tally::of::<V::Out>(cx, element)?;
    let at = tally.find::<V>(cx, value)?;
    Ok(Val::int(at.map_or(0, |at| tally.count(cx, at))))
}

/// The objects whose first cell has a colour.
#[inline(always)]
pub fn colorfilter<V: Lanes>(cx: Cx, objs: Val, value: Val) -> Val {
    given(filtered::<V>(cx, objs, value))
}

#[inline(always)]
fn filtered<V: Lanes>(cx: Cx, objs: Val, value: Val) -> Read<Val> {
    if let Some(all) = filtered_mono::<V>(cx, objs, value) {
        return Ok(all);
    }
    let mut items = Items::<V>::of(cx, objs).ok_or(Val::error(Fault::Type))?;
    let mut list = List::new(cx, items.len()).ok_or(Val::BACK)?;
    while let Some(obj) = items.next(cx) {
        let first = color::<V>(cx, obj);
        if first.is_bad() {
            return Err(first);
        }
        if equal::<V>(cx, first, value).ok_or(Val::BACK)? {
            list.push(cx, obj);
        }
    }
    // What is left of a set is in order.
    Ok(if objs.is_set() { list.tidy::<V>(cx) } else { list.set::<V::Out>(cx) })
}

/// As [`filtered`], of a set of objects that have one colour each, with no branch on which; `None` for
/// anything else.
#[inline(always)]
fn filtered_mono<V: Lanes>(cx: Cx, objs: Val, value: Val) -> Option<Val> {
    let (color, n) = (value.as_int()?, objs.x());
    if !objs.is(Tag::Set) {
        return None;
    }
    if V::APART {
        let obj = |k: u32| cx.val(objs.a(), k);
        if !V::all(n, |k| mono(obj(k)).is_some()) {
            return None;
        }
        return List::picked::<V>(cx, n, |k| mono(obj(k)) == Some(color as u32), obj)
            .map(|list| list.tidy::<V>(cx));
    }
    let before = cx.taken();
    let unit = cx.take_vals(n)?;
    let (mut strange, mut k) = (false, 0);
    let (mut len, mut elements) = (0, 0);
    while k < n {
        let obj = cx.val(objs.a(), k);
        strange |= !obj.is(Tag::Object) | (obj.b() & MONO == 0);
        let stays = u32::from(obj.b() & !MONO == color as u32);
        cx.put(unit, len, obj);
        len += stays;
        elements += stays * obj.extra();
        k += 1;
    }
    if strange {
        cx.release(before);
        return None;
    }
    Some(if len == 0 { Val::EMPTY_SET } else { List::of_sets(unit, len, elements).array() })
}

/// A patch as an object of one colour.
#[inline(always)]
pub fn recolor<V: Lanes>(cx: Cx, value: Val, patch: Val) -> Val {
    let color = value.as_int().filter(|n| (0..16).contains(n));
    match (patch.tag(), color) {
        (Tag::Mask | Tag::Object, Some(color)) => patch::recolored(patch, color as u32),
        _ if patch.is_empty_set() => Val::EMPTY_SET,
        _ => given(recolored_list::<V::Out>(cx, value, patch)),
    }
}

#[inline(never)]
fn recolored_list<V: Lanes>(cx: Cx, value: Val, patch: Val) -> Read<Val> {
    if let (false, true, Some(color)) = (V::APART, patch.is(Tag::Set), value.as_int())
        && let Some(cells) = recolored_array(cx, color, patch)
    {
        return Ok(cells.tidy::<V>(cx));
    }
    if matches!(view::<V>(cx, patch)?, View::Empty) {
        return Ok(Val::EMPTY_SET);
    }
    let held = locations::<V>(cx, patch)?;
    if let (Tag::Mask, Some(color @ 0..16)) = (held.tag(), value.as_int()) {
        return Ok(patch::recolored(held, color as u32));
    }
    let (unit, n) = flat::<V>(cx, held)?;
    // Locations ascend, and so do cells of one colour.
    if let Some(color) = value.as_int() {
        let cell = |k: u32| {
            let at = cx.val(unit, k);
            Val::cell(color, at.b() as i32, at.x() as i32)
        };
        return Ok(List::copied::<V>(cx, n, cell).ok_or(Val::BACK)?.tidy::<V>(cx));
    }
    let mut at = Items::<V>::of(cx, held).ok_or(Val::BACK)?;
    let mut list = List::new(cx, at.len()).ok_or(Val::BACK)?;
    while let Some(at) = at.next(cx) {
        list.push(cx, two(cx, value, at));
    }
    Ok(list.tidy::<V>(cx))
}

/// An array of locations, or of cells of one colour, in a colour: they stay in order. `None` where it
/// holds anything else.
#[inline(always)]
fn recolored_array(cx: Cx, color: i32, set: Val) -> Option<List> {
    let (n, first, before) = (set.x(), cx.val(set.a(), 0), cx.taken());
    if !matches!(first.tag(), Tag::Pair | Tag::Cell) {
        return None;
    }
    let (unit, mut strange, mut k) = (cx.take_vals(n)?, false, 0);
    while k < n {
        let v = cx.val(set.a(), k);
        strange |= !v.is(first.tag()) | (v.a() != first.a());
        cx.put(unit, k, Val::cell(color, v.b() as i32, v.x() as i32));
        k += 1;
    }
    if strange {
        cx.release(before);
        return None;
    }
    Some(List::plain(unit, n))
}

/// The colours that occur, as a set.
#[inline(always)]
pub fn palette<V: Lanes>(cx: Cx, element: Val) -> Val {
    match occurring::<V>(cx, element) {
        Err(v) if v.is(Tag::Back) => {
            given(Tally::of::<V::Out>(cx, element).map(|tally| tally.colors))
        }
        bits => given(bits.map(Val::colors)),
    }
}

/// How many colours occur.
#[inline(always)]
pub fn numcolors<V: Lanes>(cx: Cx, element: Val) -> Val {
    match palette::<V>(cx, element) {
        v if v.is_bad() => v,
        colors => Val::int(len(colors).unwrap_or(0) as i32),
    }
}

/// The colour of an object's first cell.
#[inline(always)]
pub fn color<V: Lanes>(cx: Cx, obj: Val) -> Val {
    if let Some(color) = mono(obj) {
        return Val::int(color as i32);
    }
    match obj.tag() {
        Tag::Object => Val::int(smallest::<V>(cx.load(obj.a()), planes(cx, obj)) as i32),
        // The first item of a location is its row.
        Tag::Mask => {
            Val::int(obj.origin().0 + (cx.load::<V>(obj.a()).ballot().trailing_zeros() & 31) as i32)
        }
        Tag::Tuple | Tag::Set if obj.x() > 0 && cx.val(obj.a(), 0).is(Tag::Cell) => {
            Val::int(cx.val(obj.a(), 0).a() as i32)
        }
        _ => color_of_first::<V::Out>(cx, obj),
    }
}

/// The smallest colour in `m`, which is not empty: bit by bit from the highest.
#[inline(always)]
fn smallest<V: Lanes>(m: V, colors: Planes<V>) -> u32 {
    let [a, b, c, d] = colors.0;
    let low = |m: V, plane: V| {
        let without = m & !plane;
        if without.any() { (without, 0) } else { (m, 1) }
    };
    let (m, eight) = low(m, d);
    let (m, four) = low(m, c);
    let (m, two) = low(m, b);
    let (_, one) = low(m, a);
    eight << 3 | four << 2 | two << 1 | one
}

#[inline(never)]
fn color_of_first<V: Lanes>(cx: Cx, obj: Val) -> Val {
    match len(obj) {
        None => return Val::error(Fault::Type),
        Some(0) => return Val::error(Fault::StopIteration),
        _ => {}
    }
    let first = nth::<V>(cx, obj, 0);
    if first.is(Tag::Back) || !first.is_tuple() {
        return if first.is(Tag::Back) { first } else { Val::error(Fault::Type) };
    }
    match len(first) {
        Some(0) => Val::error(Fault::Index),
        _ => item::<V>(cx, first, 0),
    }
}

/// The colours that occur as a tuple, ascending.
#[inline(always)]
fn all_ascending<V: Lanes>(cx: Cx, element: Val) -> Val {
    match occurring::<V>(cx, element) {
        Err(v) if v.is(Tag::Back) => odd_ascending::<V::Out>(cx, element),
        bits => given(bits.and_then(|colors| ascending(cx, colors))),
    }
}

#[inline(never)]
fn odd_ascending<V: Lanes>(cx: Cx, element: Val) -> Val {
    match Tally::of::<V>(cx, element) {
        Ok(tally) => totuple::<V>(cx, tally.colors),
        Err(bad) => bad,
    }
}

/// Colours as a tuple, ascending.
#[inline(always)]
fn ascending(cx: Cx, colors: u32) -> Read<Val> {
    if colors == 0 {
        return Ok(Val::EMPTY_TUPLE);
    }
    let mut list = List::new(cx, colors.count_ones()).ok_or(Val::BACK)?;
    let mut left = colors;
    while left != 0 {
        list.push(cx, Val::int(left.trailing_zeros() as i32));
        left &= left - 1;
    }
    Ok(list.tuple(cx))
}

/// A container as a tuple.
#[inline(always)]
fn tuple_of<V: Lanes>(cx: Cx, v: Val) -> Val {
    if v.is_tuple() { v } else { other_as::<V>(cx, v, false) }
}

/// A container as a set.
#[inline(always)]
pub(super) fn set_of<V: Lanes>(cx: Cx, v: Val) -> Val {
    if v.is_set() { v } else { other_as::<V>(cx, v, true) }
}

/// A container of the other type, which is rare: out of line in kernels.
#[cfg_attr(target_arch = "nvptx64", inline(never))]
#[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
fn other_as<V: Lanes>(cx: Cx, v: Val, set: bool) -> Val {
    if set { toset::<V::Out>(cx, v) } else { totuple::<V::Out>(cx, v) }
}

/// The colours of a grid as a tuple, ascending.
#[inline(always)]
pub fn p_g<V: Lanes>(cx: Cx, grid: Val) -> Val {
    match tuple_of::<V>(cx, grid) {
        bad if bad.is_bad() => bad,
        rows => all_ascending::<V>(cx, rows),
    }
}

/// The colours of an object as a tuple, ascending.
#[inline(always)]
pub fn p_o<V: Lanes>(cx: Cx, obj: Val) -> Val {
    match set_of::<V>(cx, obj) {
        bad if bad.is_bad() => bad,
        cells => all_ascending::<V>(cx, cells),
    }
}

/// The colours of an object as a set.
#[inline(always)]
pub fn p_f<V: Lanes>(cx: Cx, obj: Val) -> Val {
    match set_of::<V>(cx, obj) {
        bad if bad.is_bad() => bad,
        cells => palette::<V>(cx, cells),
    }
}

/// The colour at a rank, of whatever kind.
#[inline(always)]
fn any_ranked<V: Lanes>(cx: Cx, element: Val, rank: Val) -> Val {
    match ranked::<V>(cx, element, rank) {
        Err(v) if v.is(Tag::Back) => {
            given(Tally::of::<V::Out>(cx, element).and_then(|tally| tally.ranked(cx, rank)))
        }
        color => given(color),
    }
}

/// The colour at a rank, commonest first; negative ranks count from the end.
#[inline(always)]
fn ranked<V: Lanes>(cx: Cx, element: Val, rank: Val) -> Read<Val> {
    let mut all = counts::<V>(cx, element)?;
    let Some(rank) = rank.as_int() else { return fault(Fault::Type) };
    let (mut different, mut c) = (0, 0);
    while c < 32 {
        different += i64::from(all[c] > 0);
        c += 1;
    }
    let mut left = i64::from(rank) + if rank < 0 { different } else { 0 };
    if left < 0 || left >= different {
        return fault(Fault::Index);
    }
    while left > 0 {
        let Some(c) = commonest(&all) else { break };
        all[c as usize & 31] = 0;
        left -= 1;
    }
    found(commonest(&all), Fault::Index)
}

/// The colour of a grid at a rank, commonest first.
#[inline(always)]
pub fn get_color_rank_t<V: Lanes>(cx: Cx, grid: Val, rank: Val) -> Val {
    match tuple_of::<V>(cx, grid) {
        bad if bad.is_bad() => bad,
        rows => any_ranked::<V>(cx, rows, rank),
    }
}

/// The colour of an object at a rank, commonest first.
#[inline(always)]
pub fn get_color_rank_f<V: Lanes>(cx: Cx, obj: Val, rank: Val) -> Val {
    match set_of::<V>(cx, obj) {
        bad if bad.is_bad() => bad,
        cells => any_ranked::<V>(cx, cells, rank),
    }
}
