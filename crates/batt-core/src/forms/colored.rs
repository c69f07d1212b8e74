//! The cells of an object that have certain colours, the locations of certain rows.

use crate::arena::Cx;
use crate::close;
use crate::lanes::Lanes;
use crate::mask;
use crate::ops::{contained, equality, first};
use crate::patch::{self, mono, planes};
use crate::seq::{len, truth};
use crate::val::{Fault, Tag, Val};

use super::Bodies;

/// `sfilter` by `equality` of `first` and a value: the items that begin with it. Errors of a body begin at
/// its slot.
#[inline(always)]
pub fn of_color<V: Lanes>(cx: Cx, color: Val, items: Val, body: u32) -> Val {
    filtered::<V>(cx, color, items, body, false)
}

/// `sfilter` by `contained` of `first` in a container: the items that begin with one of its items. Errors
/// of a body begin at its slot.
#[inline(always)]
pub fn of_colors<V: Lanes>(cx: Cx, colors: Val, items: Val, body: u32) -> Val {
    filtered::<V>(cx, colors, items, body, true)
}

/// Whether a value is another one, or one of another one's.
#[inline(always)]
fn holds<V: Lanes>(cx: Cx, v: Val, given: Val, many: bool) -> Val {
    if many { contained::<V>(cx, v, given) } else { equality::<V>(cx, v, given) }
}

#[cfg_attr(target_arch = "nvptx64", inline(never))]
#[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
fn filtered<V: Lanes>(cx: Cx, given: Val, items: Val, body: u32, many: bool) -> Val {
    match len(items) {
        None => return Val::error(Fault::Type),
        Some(n) if n > 0 && given.is_bad() => return given,
        Some(_) => {}
    }
    if items.is(Tag::Object)
        && mono(items).is_none()
        && let Some(colors) = wanted(cx, given, many)
    {
        return of_wanted::<V>(cx, items, colors);
    }
    // The rows of locations, or the colours of cells.
    let palette = match items.tag() {
        Tag::Mask => cx.load::<V>(items.a()).ballot(),
        Tag::Object => match mono(items) {
            Some(color) => 1 << color,
            None => planes::<V>(cx, items).palette(cx.load(items.a())),
        },
        Tag::Set => palette_of_array::<V>(cx, items),
        _ => 0,
    };
    if palette == 0 {
        return one_by_one::<V>(cx, given, items, body, many);
    }
    let from = if items.is(Tag::Mask) { items.origin().0 } else { 0 };
    // Which of them stay.
    let (mut kept, mut left) = (0u32, palette);
    while left != 0 {
        let at = left.trailing_zeros();
        left &= left - 1;
        let v = holds::<V>(cx, Val::int(from + at as i32), given, many);
        if v.is_bad() {
            return v.began_at(body);
        }
        kept |= u32::from(truth(v)) << at;
    }
    if kept == palette {
        return items;
    }
    if kept == 0 {
        return Val::EMPTY_SET;
    }
    if items.is(Tag::Set) {
        let item = |k: u32| cx.val(items.a(), k);
        let stays = |k: u32| Val::bool(kept >> (item(k).a() & 31) & 1 != 0);
        return close::filter::<V>(cx, items, items.x(), item, stays);
    }
    let (all, mut bits) = (cx.load::<V>(items.a()), V::splat(0));
    if items.is(Tag::Mask) {
        let rows = V::made(|row| 0u32.wrapping_sub(kept >> (row & 31) & 1));
        return mask::make(cx, all & rows, items.origin());
    }
    let colors = planes::<V>(cx, items);
    while kept != 0 {
        bits = bits | colors.eq(kept.trailing_zeros(), all);
        kept &= kept - 1;
    }
    patch::make_sharing(cx, bits, items.b(), items.origin())
}

/// The colours from 0 to 15 that are asked for, as bits; `None` where that is not told quickly.
#[inline(always)]
fn wanted(cx: Cx, given: Val, many: bool) -> Option<u32> {
    let bit = |v: Val| if v.is(Tag::Int) && v.x() < 16 { 1 << (v.x() & 15) } else { 0 };
    match given.tag() {
        Tag::Int if !many => Some(bit(given)),
        Tag::Colors if many => Some(given.x() & 0xffff),
        Tag::Pair if many => {
            Some(bit(Val::int(given.b() as i32)) | bit(Val::int(given.x() as i32)))
        }
        Tag::Tuple if many && given.x() <= 16 => {
            let (mut bits, mut k) = (0, 0);
            while k < given.x() {
                bits |= bit(cx.val(given.a(), k));
                k += 1;
            }
            Some(bits)
        }
        _ => None,
    }
}

/// The cells of an object that has planes whose colour is asked for.
#[inline(always)]
fn of_wanted<V: Lanes>(cx: Cx, object: Val, colors: u32) -> Val {
    let (planes, all) = (planes::<V>(cx, object), cx.load::<V>(object.a()));
    let (mut bits, mut left) = (V::splat(0), colors);
    while left != 0 {
        bits = bits | planes.eq(left.trailing_zeros(), all);
        left &= left - 1;
    }
    match bits.count() {
        count if count == object.extra() => object,
        _ => patch::make_sharing(cx, bits, object.b(), object.origin()),
    }
}

/// The colours of an array of cells; 0 where it is none, or where one is past 31.
#[inline(always)]
fn palette_of_array<V: Lanes>(cx: Cx, items: Val) -> u32 {
    let (mut palette, mut strange) = (0, 0);
    V::each(items.x(), |k| {
        let v = cx.val(items.a(), k);
        palette |= 1 << (v.a() & 31);
        strange |= u32::from(!v.is(Tag::Cell) | (v.a() > 31));
    });
    if V::joined(strange) == 0 { V::joined(palette) } else { 0 }
}

#[inline(never)]
fn one_by_one<V: Lanes>(cx: Cx, given: Val, items: Val, body: u32, many: bool) -> Val {
    let condition = |item: Val| {
        let start = first::<V>(cx, item);
        if start.is_bad() { start } else { holds::<V>(cx, start, given, many) }
    };
    match Bodies::run::<V>(cx, items, body, condition) {
        Ok(all) => close::filter::<V>(cx, items, all.n, |k| all.item(cx, k), |k| all.result(cx, k)),
        Err(bad) => bad,
    }
}
