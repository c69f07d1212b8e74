//! A value read as a patch: what is a location, what is a cell, what is neither.

use crate::arena::Cx;
use crate::gather;
use crate::lanes::Lanes;
use crate::mask::Bounds;
use crate::patch::{self, Patch};
use crate::seq::{List, item, len as len_of, nth};
use crate::val::{Fault, Tag, Val};

/// What was read, or the error or hand-back that the primitive gives instead.
pub(in crate::ops) type Read<T> = Result<T, Val>;

/// A patch in one of the forms it may come in.
pub(in crate::ops) enum View<V> {
    /// Nothing: the empty set or the empty tuple.
    Empty,
    /// A mask or an object.
    Bits(Patch<V>),
    /// A tuple of locations or cells, or a set that no window holds.
    Places(Places),
}

/// An array of locations, or of cells, in the order of the container.
#[derive(Clone, Copy)]
pub(in crate::ops) struct Places {
    unit: u32,
    /// How many there are, at least one.
    pub len: u32,
    /// Whether they have colours.
    pub cells: bool,
}

impl Places {
    /// The k-th location or cell.
    #[inline(always)]
    pub fn val(self, cx: Cx, k: u32) -> Val {
        cx.val(self.unit, k)
    }

    /// Where the k-th is: pairs and cells keep that in the same fields.
    #[inline(always)]
    pub fn at(self, cx: Cx, k: u32) -> (i32, i32) {
        let v = self.val(cx, k);
        (v.b() as i32, v.x() as i32)
    }

    /// The bounding box.
    #[inline(never)]
    pub fn bounds<V: Lanes>(self, cx: Cx) -> Bounds {
        gather::bounds::<V>(self.len, |k| self.val(cx, k))
    }

    /// A list with something made of each.
    #[inline(always)]
    pub fn map<V: Lanes>(self, cx: Cx, make: impl Fn(Val) -> Val) -> Read<List> {
        List::copied::<V>(cx, self.len, |k| make(self.val(cx, k))).ok_or(Val::BACK)
    }
}

/// An error as something read.
#[inline(always)]
pub(in crate::ops) fn fault<T>(fault: Fault) -> Read<T> {
    Err(Val::error(fault))
}

/// The value, or what it stands for where it is bad.
#[inline(always)]
pub(in crate::ops) fn good(v: Val) -> Read<Val> {
    if v.is_bad() { Err(v) } else { Ok(v) }
}

/// What a primitive gives: a value or what it stopped at.
#[inline(always)]
pub(in crate::ops) fn given(read: Read<Val>) -> Val {
    match read {
        Ok(v) | Err(v) => v,
    }
}

/// A value as a patch.
#[inline(always)]
pub(in crate::ops) fn view<V: Lanes>(cx: Cx, v: Val) -> Read<View<V>> {
    if let Some(patch) = Patch::load(cx, v) {
        return Ok(View::Bits(patch));
    }
    match v.tag() {
        Tag::Colors | Tag::Tuple if v.x() == 0 => Ok(View::Empty),
        Tag::Tuple | Tag::Set => places::<V>(cx, v.a(), v.x()).map(View::Places),
        Tag::Grid | Tag::Wide => rows_as_places::<V::Out>(cx, v).map(View::Places),
        // Ints, and containers that begin with one.
        _ => fault(Fault::Type),
    }
}

/// An array read as a patch. Its first item decides whether it holds locations or cells.
#[inline(never)]
fn places<V: Lanes>(cx: Cx, unit: u32, len: u32) -> Read<Places> {
    let first = cx.val(unit, 0);
    let cells = match first.tag() {
        Tag::Pair => false,
        Tag::Cell => true,
        _ => return Err(odd(cx, first)),
    };
    if !V::all(len, |k| cx.val(unit, k).is(first.tag()))
        && let Some(k) = V::find(len, |k| !cx.val(unit, k).is(first.tag()))
    {
        return Err(strange::<V>(cx, cx.val(unit, k), cells));
    }
    Ok(Places { unit, len, cells })
}

/// What a patch of locations, or of cells, gives that holds something else: it might be a pair in another
/// form, or a cell with a colour that is no int.
#[inline(never)]
fn strange<V: Lanes>(cx: Cx, v: Val, cells: bool) -> Val {
    let odd = match v.tag() {
        Tag::Pair | Tag::Cell => false,
        _ if len_of(v) != Some(2) => false,
        _ if cells => pair_of(cx, nth::<V>(cx, v, 1)).is_ok(),
        _ => pair_of(cx, v).is_ok(),
    };
    if odd { Val::BACK } else { Val::error(Fault::Type) }
}

/// What a patch gives that begins with something else. Two items, the second a pair, are a cell
/// with a colour that is no int; everything else is none.
#[inline(always)]
fn odd(cx: Cx, first: Val) -> Val {
    let cell = match first.tag() {
        Tag::Grid | Tag::Wide => first.dims() == (2, 2),
        Tag::Tuple if first.x() == 2 => {
            // Pairs might come in other forms.
            pair_of(cx, cx.val(first.a(), 1)).is_ok() || pair_of(cx, first).is_ok()
        }
        _ => false,
    };
    if cell { Val::BACK } else { Val::error(Fault::Type) }
}

/// A grid of two columns is a tuple of locations as well; others are none.
#[inline(never)]
fn rows_as_places<V: Lanes>(cx: Cx, v: Val) -> Read<Places> {
    let (height, width) = v.dims();
    if width != 2 {
        return fault(if width < 2 { Fault::Index } else { Fault::Value });
    }
    let unit = cx.take_vals(height).ok_or(Val::BACK)?;
    let mut k = 0;
    while k < height {
        cx.put(unit, k, item::<V>(cx, v, k));
        k += 1;
    }
    Ok(Places { unit, len: height, cells: false })
}

/// The bounding box of a patch; `None` for an empty one.
#[inline(always)]
pub(in crate::ops) fn bounds<V: Lanes>(cx: Cx, v: Val) -> Read<Option<Bounds>> {
    Ok(match view::<V>(cx, v)? {
        View::Empty => None,
        View::Bits(patch) => Some(patch.bounds()),
        View::Places(places) => Some(places.bounds::<V>(cx)),
    })
}

/// The bounding box of a patch that must not be empty.
#[inline(always)]
pub(in crate::ops) fn some_bounds<V: Lanes>(cx: Cx, v: Val) -> Read<Bounds> {
    bounds::<V>(cx, v)?.ok_or(Val::error(Fault::Value))
}

/// The locations of a patch as a set: a mask, an ascending array of pairs, or the empty set.
#[inline(always)]
pub(in crate::ops) fn locations<V: Lanes>(cx: Cx, v: Val) -> Read<Val> {
    match v.tag() {
        Tag::Mask => Ok(v),
        Tag::Object => Ok(patch::locations(v)),
        _ => listed_locations::<V>(cx, v),
    }
}

#[inline(never)]
fn listed_locations<V: Lanes>(cx: Cx, v: Val) -> Read<Val> {
    match view::<V>(cx, v)? {
        View::Places(places) if v.is(Tag::Set) && !places.cells => Ok(v),
        View::Places(places) => {
            good(places.map::<V>(cx, |v| Val::pair(v.b() as i32, v.x() as i32))?.set::<V>(cx))
        }
        _ => Ok(Val::EMPTY_SET),
    }
}

/// A set of locations as an ascending array.
#[inline(never)]
pub(in crate::ops) fn array<V: Lanes>(cx: Cx, locations: Val) -> Read<Places> {
    if locations.is(Tag::Set) {
        return Ok(Places { unit: locations.a(), len: locations.x(), cells: false });
    }
    let (unit, len) = gather::flat::<V>(cx, locations).map_err(|_| Val::BACK)?;
    Ok(Places { unit, len, cells: false })
}

/// The two ints of a pair.
#[inline(always)]
pub(in crate::ops) fn pair_of(cx: Cx, v: Val) -> Read<(i64, i64)> {
    if let Some((i, j)) = v.as_pair() {
        return Ok((i64::from(i), i64::from(j)));
    }
    if v.is(Tag::Tuple)
        && v.x() == 2
        && let (Some(i), Some(j)) = (cx.val(v.a(), 0).as_int(), cx.val(v.a(), 1).as_int())
    {
        return Ok((i64::from(i), i64::from(j)));
    }
    fault(Fault::Type)
}

/// How many rows a tuple has, and how many columns: `None` if its first item is no row.
#[inline(always)]
pub(in crate::ops) fn tuple_extent(cx: Cx, v: Val) -> (i64, Option<i64>) {
    match v.tag() {
        Tag::Grid | Tag::Wide => (i64::from(v.dims().0), Some(i64::from(v.dims().1))),
        Tag::Tuple if v.x() == 0 => (0, Some(0)),
        Tag::Tuple => (i64::from(v.x()), len_of(cx.val(v.a(), 0)).map(i64::from)),
        // Pairs and cells begin with an int.
        _ => (2, None),
    }
}

/// How many rows and columns a piece has. A tuple counts as a grid, whatever it holds.
#[inline(always)]
pub(in crate::ops) fn extent<V: Lanes>(cx: Cx, v: Val) -> Read<(i64, i64)> {
    if v.is_tuple() {
        let (height, width) = tuple_extent(cx, v);
        return width.map(|width| (height, width)).ok_or(Val::error(Fault::Type));
    }
    Ok(bounds::<V>(cx, v)?.map_or((0, 0), |b| (b.height(), b.width())))
}
