//! What some primitives give where it can be told from 16 bytes and a few items: on a GPU one thread
//! does that for a row of its own, and a whole warp does only the rest.

mod bits;
mod boxes;
mod build;
mod colors;

use core::cmp::Ordering;

use crate::arena::Cx;
use crate::counts;
use crate::order::compare_plain;
use crate::patch;
use crate::seq::len;
use crate::val::{Fault, Tag, Val};
use boxes::Side;
pub use boxes::Touched;
pub use build::Build;

/// The most items that are looked at.
const FEW: u32 = 32;

/// A primitive that this is known for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Alone {
    First,
    Last,
    Equality,
    Greater,
    Contained,
    Maximum,
    Minimum,
    Color,
    Recolor,
    Shift,
    Toindices,
    Manhattan,
    Normalize,
    Colorcount,
    Hmatching,
    Vmatching,
    Bordering,
    Connect,
    Palette,
    Numcolors,
    Mostcolor,
    Side(Side),
    /// [`counts::shared`] and [`counts::apart`],
    Counted {
        keep: bool,
    },
    /// [`counts::area`].
    Area,
    /// [`counts::alike`].
    Alike,
    /// [`counts::colors`].
    Colors,
}

impl Alone {
    /// The primitive of a name; `None` if this is not known for it.
    pub const fn of(name: &str) -> Option<Alone> {
        Some(match name.as_bytes() {
            b"first" => Alone::First,
            b"last" => Alone::Last,
            b"equality" => Alone::Equality,
            b"greater" => Alone::Greater,
            b"contained" => Alone::Contained,
            b"maximum" => Alone::Maximum,
            b"minimum" => Alone::Minimum,
            b"color" => Alone::Color,
            b"recolor" => Alone::Recolor,
            b"shift" => Alone::Shift,
            b"toindices" => Alone::Toindices,
            b"manhattan" => Alone::Manhattan,
            b"normalize" => Alone::Normalize,
            b"colorcount" => Alone::Colorcount,
            b"hmatching" => Alone::Hmatching,
            b"vmatching" => Alone::Vmatching,
            b"bordering" => Alone::Bordering,
            b"connect" => Alone::Connect,
            b"palette" => Alone::Palette,
            b"numcolors" => Alone::Numcolors,
            b"mostcolor" => Alone::Mostcolor,
            _ => match Side::of(name) {
                Some(side) => Alone::Side(side),
                None => return None,
            },
        })
    }

    /// What it gives; `None` where that takes more.
    #[inline(always)]
    pub fn call(self, cx: Cx, args: &[Val]) -> Option<Val> {
        let arg = |k: usize| args.get(k).copied().unwrap_or(Val::BACK);
        let (a, b) = (arg(0), arg(1));
        match self {
            Alone::First => end(cx, a, false),
            Alone::Last => end(cx, a, true),
            Alone::Equality => equal(cx, a, b).map(Val::bool),
            Alone::Greater => match (a.as_int(), b.as_int()) {
                (Some(a), Some(b)) => Some(Val::bool(a > b)),
                _ => None,
            },
            Alone::Contained => contained(cx, a, b).map(Val::bool),
            Alone::Maximum => a.as_pair().map(|(i, j)| Val::int(i.max(j))),
            Alone::Minimum => a.as_pair().map(|(i, j)| Val::int(i.min(j))),
            Alone::Color => color(cx, a),
            Alone::Recolor if is_empty(b) => Some(Val::EMPTY_SET),
            Alone::Recolor => match (a.as_int(), b.tag()) {
                (Some(color @ 0..16), Tag::Mask | Tag::Object) => {
                    Some(patch::recolored(b, color as u32))
                }
                _ => None,
            },
            Alone::Shift if is_empty(a) => Some(a),
            Alone::Shift => match (a.tag(), b.as_pair()) {
                (Tag::Mask | Tag::Object, Some((i, j))) => moved(a, i64::from(i), i64::from(j)),
                _ => None,
            },
            Alone::Normalize => {
                let b = Touched::of(cx, a)?.bounds();
                moved(a, -i64::from(b.top), -i64::from(b.left))
            }
            Alone::Colorcount => Some(Val::int(bits::of_color(cx, a, b.as_int()?)? as i32)),
            Alone::Hmatching | Alone::Vmatching => {
                let (p, q) = (Touched::of(cx, a)?, Touched::of(cx, b)?);
                Some(Val::bool(p.meets(q, self == Alone::Vmatching)))
            }
            Alone::Bordering => {
                let (p, (height, width)) = (Touched::of(cx, a)?.bounds(), b.dims());
                let at_end = p.bottom == height as i32 - 1 || p.right == width as i32 - 1;
                let at_edge = p.top == 0 || p.left == 0 || at_end;
                b.is(Tag::Grid).then_some(Val::bool(at_edge))
            }
            Alone::Connect => {
                let ((i, j), (k, l)) = (a.as_pair()?, b.as_pair()?);
                let (down, right) = (i.abs_diff(k), j.abs_diff(l));
                let apart = down != 0 && right != 0 && down != right;
                apart.then_some(Val::EMPTY_SET)
            }
            Alone::Side(side) => side.call(cx, a),
            Alone::Counted { keep } => counted(cx, a, b, keep),
            Alone::Area => counts::area_of_value(a),
            Alone::Alike => Some(Val::int(colors::alike(cx, a, b)? as i32)),
            Alone::Colors if !a.is(Tag::Grid) => None,
            Alone::Palette | Alone::Colors => Some(Val::colors(colors::palette(cx, a)?)),
            Alone::Numcolors => Some(Val::int(colors::palette(cx, a)?.count_ones() as i32)),
            Alone::Mostcolor => Some(Val::int(colors::most(cx, a)? as i32)),
            Alone::Toindices => match a.tag() {
                Tag::Mask => Some(a),
                Tag::Object => Some(patch::locations(a)),
                _ => None,
            },
            Alone::Manhattan => {
                let ((i, j), (k, l)) = (only_place(cx, a)?, only_place(cx, b)?);
                Some(Val::int(i.abs_diff(k).wrapping_add(j.abs_diff(l)) as i32))
            }
        }
    }
}

/// A patch moved by rows and columns.
#[inline(always)]
fn moved(v: Val, i: i64, j: i64) -> Option<Val> {
    let there = patch::moved(v, i, j);
    if there.is_bad() { None } else { Some(there) }
}

/// The first item of a container, or the last.
#[inline(always)]
fn end(cx: Cx, v: Val, last: bool) -> Option<Val> {
    Some(match v.tag() {
        Tag::Pair => Val::int(if last { v.x() } else { v.b() } as i32),
        Tag::Cell if last => Val::pair(v.b() as i32, v.x() as i32),
        Tag::Cell => Val::int(v.a() as i32),
        Tag::Colors | Tag::Tuple if v.x() == 0 => {
            Val::error(if last { Fault::Value } else { Fault::StopIteration })
        }
        Tag::Colors if last => Val::int(31 - (v.x().leading_zeros() & 31) as i32),
        Tag::Colors => Val::int((v.x().trailing_zeros() & 31) as i32),
        Tag::Tuple | Tag::Set => cx.val(v.a(), if last { v.x() - 1 } else { 0 }),
        _ => return None,
    })
}

/// Whether a patch is the empty set or the empty tuple.
#[inline(always)]
fn is_empty(v: Val) -> bool {
    matches!(v.tag(), Tag::Colors | Tag::Tuple) && v.x() == 0
}

/// The colour of the first cell; of a location its row.
#[inline(always)]
fn color(cx: Cx, v: Val) -> Option<Val> {
    if let Some(color) = patch::mono(v) {
        return Some(Val::int(color as i32));
    }
    if is_empty(v) || !matches!(v.tag(), Tag::Tuple | Tag::Set) {
        return None;
    }
    let first = cx.val(v.a(), 0);
    match first.tag() {
        Tag::Cell => Some(Val::int(first.a() as i32)),
        Tag::Pair => Some(Val::int(first.b() as i32)),
        _ => None,
    }
}

/// The place of a patch that has only one.
#[inline(always)]
fn only_place(cx: Cx, patch: Val) -> Option<(i32, i32)> {
    if !matches!(patch.tag(), Tag::Mask | Tag::Object) || patch.extra() != 1 {
        return None;
    }
    let (mut row, mut bits, mut k) = (0, 0, 0);
    // Four rows at a time, and all of them, so that no read waits for another.
    while k < 8 {
        let words = cx.val(patch.a(), k).words();
        let mut at = 0;
        while at < 4 {
            row |= if words[at & 3] == 0 { 0 } else { 4 * k + at as u32 };
            bits |= words[at & 3];
            at += 1;
        }
        k += 1;
    }
    let (oi, oj) = patch.origin();
    Some((oi + row as i32, oj + (bits.trailing_zeros() & 31) as i32))
}

/// How many items two sets share, or how many of the first one the second one does not have.
#[inline(always)]
fn counted(cx: Cx, a: Val, b: Val, keep: bool) -> Option<Val> {
    if let Some(count) = counts::of_values(a, b, keep) {
        return Some(count);
    }
    let shared = bits::shared(cx, a, b)?;
    // The empty set has none, and is no patch.
    let all = if a.is(Tag::Colors) { 0 } else { a.extra() };
    Some(Val::int(if keep { shared } else { all - shared } as i32))
}

/// Whether two values are equal.
#[inline(always)]
fn equal(cx: Cx, a: Val, b: Val) -> Option<bool> {
    if let Some(equal) = equal_values(a, b) {
        return Some(equal);
    }
    let is_patch = |v: Val| v.is(Tag::Mask) | v.is(Tag::Object);
    if a.is(Tag::Grid) & b.is(Tag::Grid) {
        return Some(bits::equal_grids(cx, a, b));
    }
    if is_patch(a) & a.is(b.tag()) { bits::equal(cx, a, b) } else { None }
}

/// Whether two values are equal, where that can be told from them alone.
#[inline(always)]
fn equal_values(a: Val, b: Val) -> Option<bool> {
    if a == b {
        return Some(true);
    }
    match (a.tag(), b.tag()) {
        (Tag::Mask, Tag::Mask) | (Tag::Object, Tag::Object) => {
            if a.extra() == b.extra() {
                None
            } else {
                Some(false)
            }
        }
        _ if are_apart(a, b) => Some(false),
        _ => compare_plain(a, b).map(|order| order == Ordering::Equal),
    }
}

/// Whether two values are of kinds that are never equal: one is null, an int, a tuple or a set and the other
/// is not, or their items are.
#[inline(always)]
fn are_apart(a: Val, b: Val) -> bool {
    let bit = |v: Val| 1u32 << v.tag() as u32;
    let both = bit(a) | bit(b);
    let (sets, patches, tuples) = (
        bits_of(&[Tag::Colors, Tag::Mask, Tag::Object, Tag::Set]),
        bits_of(&[Tag::Colors, Tag::Mask, Tag::Object]),
        bits_of(&[Tag::Pair, Tag::Cell, Tag::Grid, Tag::Tuple, Tag::Wide]),
    );
    let places = bits_of(&[Tag::Pair, Tag::Cell]);
    let single = |kinds: u32| both & kinds != 0 && both & !kinds != 0;
    // Of those that are within a kind, two different ones.
    let within = |kinds: u32| both & !kinds == 0 && !a.is(b.tag());
    single(sets)
        || single(tuples)
        || within(patches)
        || within(places)
        || within(bits_of(&[Tag::Null, Tag::Int]))
}

/// Tags as bits.
const fn bits_of(tags: &[Tag]) -> u32 {
    let (mut bits, mut at) = (0, 0);
    while at < tags.len() {
        bits |= 1 << tags[at] as u32;
        at += 1;
    }
    bits
}

/// Whether a set of bits or a container of few items holds a value.
#[inline(always)]
fn contained(cx: Cx, value: Val, container: Val) -> Option<bool> {
    match (container.tag(), value.tag()) {
        (Tag::Colors, Tag::Int) => {
            return Some(value.x() < 32 && container.x() >> (value.x() & 31) & 1 != 0);
        }
        (Tag::Mask, Tag::Pair) => {
            let (i, j) = container.origin();
            let i = i64::from(value.b() as i32) - i64::from(i);
            let j = i64::from(value.x() as i32) - i64::from(j);
            let inside = (0..32).contains(&i) && (0..32).contains(&j);
            let row = || cx.word(container.a(), i as u32 & 31);
            return Some(inside && row() >> (j as u32 & 31) & 1 != 0);
        }
        _ => {}
    }
    let n = len(container)?;
    if n > FEW || !matches!(container.tag(), Tag::Pair | Tag::Cell | Tag::Tuple | Tag::Set) {
        return None;
    }
    let (mut found, mut k) = (false, 0);
    while k < n {
        let item = match container.tag() {
            Tag::Pair => Val::int(if k == 0 { container.b() } else { container.x() } as i32),
            Tag::Cell if k == 0 => Val::int(container.a() as i32),
            Tag::Cell => Val::pair(container.b() as i32, container.x() as i32),
            _ => cx.val(container.a(), k),
        };
        found |= equal_values(item, value)?;
        k += 1;
    }
    Some(found)
}
