//! Arrays of locations or cells in canonical order: one walk over two of them, without a look at what
//! each item is.

use super::{cells, flat, locations};
use crate::arena::Cx;
use crate::grid::Planes;
use crate::lanes::Lanes;
use crate::mask;
use crate::patch::{self, mono, planes};
use crate::seq::List;
use crate::val::{Tag, Val};

/// A number by which locations are in order.
#[inline(always)]
fn number(v: Val) -> u64 {
    v.two_words().1.rotate_left(32) ^ (1 << 63 | 1 << 31)
}

/// A number by which cells are in order.
#[inline(always)]
fn cell_number(v: Val) -> u128 {
    u128::from(v.a() ^ 1 << 31) << 64 | u128::from(number(v))
}

/// The kind of an array's items, as far as the first one says, where it is a location or a cell.
#[inline(always)]
fn kind(cx: Cx, unit: u32, n: u32) -> Option<Tag> {
    let tag = if n > 0 { cx.val(unit, 0).tag() } else { Tag::Null };
    matches!(tag, Tag::Pair | Tag::Cell).then_some(tag)
}

/// Walks over two arrays in order, whose items are of one kind. `keep` says what stays: what only the
/// first holds, what both hold, what only the second holds. `None` where an item is of another kind, or
/// where there is no room.
#[inline(always)]
fn walked(cx: Cx, (x, m): (u32, u32), (y, n): (u32, u32), keep: [bool; 3]) -> Option<(u32, u32)> {
    let kind = kind(cx, x, m)?;
    if self::kind(cx, y, n) != Some(kind) {
        return None;
    }
    if kind == Tag::Pair {
        walked_by(cx, (x, m), (y, n), keep, kind, number)
    } else {
        walked_by(cx, (x, m), (y, n), keep, kind, cell_number)
    }
}

#[inline(always)]
fn walked_by<N: Ord>(
    cx: Cx,
    (x, m): (u32, u32),
    (y, n): (u32, u32),
    keep: [bool; 3],
    kind: Tag,
    number: impl Fn(Val) -> N,
) -> Option<(u32, u32)> {
    let before = cx.taken();
    let out = cx.take_vals(if keep[2] { m.saturating_add(n) } else { m })?;
    let [first, both, second] = keep.map(u32::from);
    let (mut i, mut j, mut at, mut strange) = (0, 0, 0, false);
    // No branch depends on which comes first: that could not be foretold.
    while i < m && j < n {
        let (v, w) = (cx.val(x, i), cx.val(y, j));
        strange |= !v.is(kind) | !w.is(kind);
        let (a, b) = (number(v), number(w));
        let (less, more) = (u32::from(a < b), u32::from(b < a));
        cx.put(out, at, if b < a { w } else { v });
        at += (less & first) | (more & second) | (!(less | more) & both & 1);
        i += 1 - more;
        j += 1 - less;
    }
    let mut copy = |unit: u32, from: u32, to: u32, kept: bool| {
        let mut k = from;
        while k < to {
            let v = cx.val(unit, k);
            strange |= !v.is(kind);
            if kept {
                cx.put(out, at, v);
                at += 1;
            }
            k += 1;
        }
    };
    copy(x, i, m, keep[0]);
    copy(y, j, n, keep[2]);
    if strange {
        cx.release(before);
        return None;
    }
    Some((out, at))
}

/// An array in order, of locations only or of cells only, as a set.
#[inline(always)]
fn tidy<V: Lanes>(cx: Cx, (unit, n): (u32, u32)) -> Val {
    let get = |k: u32| cx.val(unit, k);
    let bits = match kind(cx, unit, n) {
        None => return Val::EMPTY_SET,
        Some(Tag::Pair) => locations::<V>(cx, n, get),
        Some(_) => cells::<V>(cx, n, get),
    };
    bits.unwrap_or_else(|| List::plain(unit, n).array())
}

/// The items of two sets of locations or of cells as one set; `None` where they hold anything else.
#[inline(always)]
pub(super) fn united<V: Lanes>(cx: Cx, a: Val, b: Val) -> Option<Val> {
    let (x, y) = (flat::<V>(cx, a).ok()?, flat::<V>(cx, b).ok()?);
    let found = walked(cx, x, y, [true; 3])?;
    Some(tidy::<V>(cx, found))
}

/// What a set of locations or of cells shares with another (`keep`), or does not share; `None` where
/// they hold anything else. At least one is an array.
#[inline(always)]
pub fn shared<V: Lanes>(cx: Cx, a: Val, b: Val, keep: bool) -> Option<Val> {
    match (a.tag(), b.tag()) {
        (Tag::Set, Tag::Set) => {
            let found = walked(cx, (a.a(), a.x()), (b.a(), b.x()), [!keep, keep, false])?;
            Some(tidy::<V>(cx, found))
        }
        (Tag::Set, Tag::Mask | Tag::Object) => held_by_bits::<V>(cx, a, b, keep),
        (Tag::Mask | Tag::Object, Tag::Set) => held_by_array::<V>(cx, a, b, keep),
        _ => None,
    }
}

/// A mask or an object, asked for what it holds.
struct Bits<V> {
    rows: V,
    origin: (i32, i32),
    colors: Option<Planes<V>>,
    /// The one colour; of locations, what their field for it holds.
    color: u32,
}

impl<V: Lanes> Bits<V> {
    /// The bits of a patch; `None` where it holds another kind.
    #[inline(always)]
    fn of(cx: Cx, v: Val, kind: Tag) -> Option<Bits<V>> {
        if (kind == Tag::Cell) != v.is(Tag::Object) {
            return None;
        }
        let many = v.is(Tag::Object) && mono(v).is_none();
        let colors = if many { Some(planes::<V>(cx, v)) } else { None };
        let color = mono(v).unwrap_or(0);
        Some(Bits { rows: cx.load(v.a()), origin: v.origin(), colors, color })
    }

    /// The row and the column of an item within the window, where it is held.
    #[inline(always)]
    fn find(&self, v: Val) -> Option<(u32, u32)> {
        let (oi, oj) = self.origin;
        let (i, j) = (v.b().wrapping_sub(oi as u32), v.x().wrapping_sub(oj as u32));
        if i > 31 || j > 31 || self.rows.get(i) >> j & 1 == 0 {
            return None;
        }
        let color = self.colors.as_ref().map_or(self.color, |colors| colors.at(i, j));
        (color == v.a()).then_some((i, j))
    }
}

/// The items of an array that a mask or an object holds, or does not hold.
#[inline(always)]
fn held_by_bits<V: Lanes>(cx: Cx, array: Val, bits: Val, keep: bool) -> Option<Val> {
    let (unit, n, kind) = (array.a(), array.x(), kind(cx, array.a(), array.x())?);
    let bits = Bits::<V>::of(cx, bits, kind)?;
    let (before, out) = (cx.taken(), cx.take_vals(n)?);
    let (mut at, mut k, mut strange) = (0, 0, false);
    while k < n {
        let v = cx.val(unit, k);
        strange |= !v.is(kind);
        cx.put(out, at, v);
        at += u32::from(bits.find(v).is_some() == keep);
        k += 1;
    }
    if strange {
        cx.release(before);
        return None;
    }
    Some(tidy::<V>(cx, (out, at)))
}

/// The bits of a mask or an object that an array holds, or does not hold.
#[inline(always)]
fn held_by_array<V: Lanes>(cx: Cx, patch: Val, array: Val, keep: bool) -> Option<Val> {
    let (unit, n, kind) = (array.a(), array.x(), kind(cx, array.a(), array.x())?);
    let bits = Bits::<V>::of(cx, patch, kind)?;
    let (mut held, mut k, mut strange) = ([0u32; 32], 0, false);
    while k < n {
        let v = cx.val(unit, k);
        strange |= !v.is(kind);
        if let Some((i, j)) = bits.find(v) {
            held[i as usize & 31] |= 1 << (j & 31);
        }
        k += 1;
    }
    if strange {
        return None;
    }
    let both = V::made(|row| held[row as usize & 31]);
    let m = if keep { both } else { bits.rows & !both };
    Some(if patch.is(Tag::Mask) {
        mask::make(cx, m, bits.origin)
    } else {
        patch::make_sharing(cx, m, patch.b(), bits.origin)
    })
}
