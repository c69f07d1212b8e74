//! Patches that no window of 32×32 holds: sorted with several windows side by side, so that the
//! time grows with their cells only.

use super::{Read, far, place, tiles};
use crate::arena::{Cx, ROWS};
use crate::lanes::Lanes;
use crate::lanes::boost::boosted;
use crate::mask::{self, Bounds};
use crate::patch::{Patch, mono, planes};
use crate::seq::List;
use crate::val::{Fault, MAX_ELEMENTS, Tag, Val};

/// The most windows for each colour; what is spread wider is sorted by comparing.
const MAX_TILES: i64 = 64;

/// Windows that lie below each other, column by column, once for every colour.
#[derive(Clone, Copy)]
struct Tiles {
    unit: u32,
    down: u32,
    across: u32,
    top: i32,
    left: i32,
    /// The colours, as bits.
    palette: u32,
}

impl Tiles {
    #[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
    fn new<V: Lanes>(cx: Cx, all: Bounds, palette: u32) -> Option<Tiles> {
        // One more below, so that a window may begin in any row.
        let (down, across) = ((all.height() + 31) / 32 + 1, (all.width() + 31) / 32);
        if down > MAX_TILES || across > MAX_TILES || down * across > MAX_TILES {
            return None;
        }
        let (down, across) = (down as u32, across as u32);
        let tiles = down * across * palette.count_ones();
        let unit = cx.take(tiles)?;
        let mut k = 0;
        while k < tiles {
            cx.store(unit + k * ROWS, V::splat(0));
            k += 1;
        }
        Some(Tiles { unit, down, across, top: all.top, left: all.left, palette })
    }

    /// The first unit of the windows of a colour.
    #[inline(always)]
    fn of(self, color: u32) -> u32 {
        let before = (self.palette & ((1 << (color & 31)) - 1)).count_ones();
        self.unit + before * self.down * self.across * ROWS
    }

    /// As [`Tiles::of`], for every colour.
    #[inline(always)]
    fn units(self) -> [u32; 16] {
        let (mut units, mut color) = ([0; 16], 0);
        while color < 16 {
            units[color as usize & 15] = self.of(color);
            color += 1;
        }
        units
    }

    /// Adds the bits of a window at an origin; all of them lie within the bounds.
    #[inline(always)]
    fn add_all<V: Lanes>(self, cx: Cx, color: u32, m: V, origin: (i32, i32)) {
        let (i, j) = (origin.0.wrapping_sub(self.top), origin.1.wrapping_sub(self.left));
        let m = mask::place(m, i.min(0), j.min(0));
        let (i, j) = (i.max(0) as u32, j.max(0) as u32);
        let column = self.down * ROWS;
        let unit = self.of(color) + (j >> 5) * column;
        cx.merge(unit, i, m.shl(j & 31));
        if j & 31 != 0 && (j >> 5) + 1 < self.across {
            cx.merge(unit + column, i, m.shr(32 - (j & 31)));
        }
    }

    /// Adds locations or cells within the bounds.
    #[inline(always)]
    fn add_each<V: Lanes>(self, cx: Cx, units: &[u32; 16], n: u32, get: impl Read) {
        let mut k = 0;
        while k < n {
            let v = get(k);
            let (i, j) = place(v);
            let (i, j) = (i.wrapping_sub(self.top) as u32, j.wrapping_sub(self.left) as u32);
            // A location's field for the colour is zero.
            let unit = units[v.a() as usize & 15] + ((j >> 5) * self.down + (i >> 5)) * ROWS;
            cx.mark::<V>(unit, i & 31, 1 << (j & 31));
            k += 1;
        }
    }

    /// How many places there are.
    #[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
    fn count<V: Lanes>(self, cx: Cx) -> u32 {
        let tiles = self.down * self.across * self.palette.count_ones();
        let (mut count, mut k) = (0, 0);
        while k < tiles {
            count += cx.load::<V>(self.unit + k * ROWS).count();
            k += 1;
        }
        count
    }

    /// All places as a set that no window holds, with no more room than it takes: most of what is
    /// added covers the same places. `None` where there is none.
    #[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
    fn set<V: Lanes>(self, cx: Cx, cells: bool) -> Option<Val> {
        let count = self.count::<V>(cx);
        if count > MAX_ELEMENTS {
            return Some(Val::error(Fault::Size));
        }
        Some(self.listed::<V>(cx, cx.take_vals(count)?, cells))
    }

    /// All places as a set, in order, in an array that has room for them.
    #[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
    fn listed<V: Lanes>(self, cx: Cx, unit: u32, cells: bool) -> Val {
        let (mut palette, mut n) = (self.palette, 0);
        // A location has no colour.
        let tag = if cells { Tag::Cell } else { Tag::Pair };
        while palette != 0 {
            let color = palette.trailing_zeros();
            palette &= palette - 1;
            n = self.list::<V>(cx, color, tag, (unit, n));
        }
        List::plain(unit, n).array()
    }

    /// The places of a colour, from the `from`-th item of an array on; how many there are with those
    /// before.
    #[inline(always)]
    fn list<V: Lanes>(self, cx: Cx, color: u32, tag: Tag, (unit, from): (u32, u32)) -> u32 {
        let (first, mut i, mut at) = (self.of(color), 0, from);
        while i < self.down * 32 {
            let (mut row, mut left) = (first + (i >> 5) * ROWS, self.left as u32);
            let mut tile = 0;
            while tile < self.across {
                let mut word = cx.row::<V>(row, i & 31);
                while word != 0 {
                    let j = left.wrapping_add(word.trailing_zeros());
                    let place = Val::new(tag, 0, color, (self.top as u32).wrapping_add(i), j);
                    cx.put(unit, at, place);
                    at += 1;
                    word &= word - 1;
                }
                row += self.down * ROWS;
                left = left.wrapping_add(32);
                tile += 1;
            }
            i += 1;
        }
        at
    }
}

/// What some places have in common: the box around them, their kind, their colours.
#[derive(Clone, Copy)]
struct Extent {
    all: Bounds,
    tag: Tag,
    palette: u32,
}

impl Extent {
    /// Of both; `None` where they are of different kinds.
    #[inline(always)]
    fn join(self, other: Extent) -> Option<Extent> {
        (self.tag == other.tag).then(|| Extent {
            all: self.all.join(other.all),
            tag: self.tag,
            palette: self.palette | other.palette,
        })
    }

    /// Of the same places elsewhere; `None` where those are no ints.
    #[inline(always)]
    fn moved(self, (i, j): (i32, i32)) -> Option<Extent> {
        let Bounds { top, bottom, left, right } = self.all;
        let all = Bounds {
            top: top.checked_add(i)?,
            bottom: bottom.checked_add(i)?,
            left: left.checked_add(j)?,
            right: right.checked_add(j)?,
        };
        Some(Extent { all, ..self })
    }

    /// Of some locations or cells, at least one; `None` where one is neither or of another kind, or
    /// has a colour past 15.
    #[inline(always)]
    fn of_all(n: u32, get: impl Read) -> Option<Extent> {
        let tag = get(0).tag();
        if !matches!(tag, Tag::Pair | Tag::Cell) {
            return None;
        }
        // Four words at once: the kind, the colour, the row, the column. A location's field for the colour
        // is zero.
        let first = get(0).words().map(|word| word as i32);
        let (mut least, mut most, mut palette, mut k) = (first, first, 0u32, 0);
        while k < n {
            let v = get(k);
            for (at, word) in v.words().into_iter().enumerate() {
                least[at & 3] = least[at & 3].min(word as i32);
                most[at & 3] = most[at & 3].max(word as i32);
            }
            palette |= 1 << (v.a() & 31);
            k += 1;
        }
        let all = Bounds { top: least[2], bottom: most[2], left: least[3], right: most[3] };
        let same = least[0] == most[0] && least[1] >= 0 && most[1] < 16;
        same.then_some(Extent { all, tag, palette })
    }

    /// Of a patch in any form.
    #[inline(always)]
    fn of_patch<V: Lanes>(cx: Cx, v: Val) -> Option<Extent> {
        if v.is(Tag::Set) {
            return Extent::of_all(v.x(), |k| cx.val(v.a(), k));
        }
        let p = Patch::<V>::load(cx, v)?;
        let (tag, palette) = match (v.tag(), mono(v)) {
            (Tag::Mask, _) => (Tag::Pair, 1),
            (_, Some(color)) => (Tag::Cell, 1 << color),
            _ => (Tag::Cell, planes::<V>(cx, v).palette(p.mask)),
        };
        Some(Extent { all: p.bounds(), tag, palette })
    }
}

/// The items of some patches of one kind as one set, which no window holds. `None` where one is no
/// patch, or where they lie too far apart.
#[inline(never)]
pub fn union<V: Lanes>(cx: Cx, n: u32, get: impl Read) -> Option<Val> {
    if V::APART {
        return tiles::union::<V::Out>(cx, n, get);
    }
    boosted!(united::<V>(cx: Cx, n: u32, get: R) -> Option<Val>, R: Read)
}

#[inline(always)]
fn united<V: Lanes>(cx: Cx, n: u32, get: impl Read) -> Option<Val> {
    let (mut all, mut k): (Option<Extent>, u32) = (None, 0);
    // The same patch often comes in many places; whether all are one array in many places.
    let mut last: (Val, Option<Extent>) = (Val::NULL, None);
    let mut one_array = true;
    while k < n {
        let v = get(k);
        k += 1;
        if v.is_empty_set() {
            continue;
        }
        let moved = moved_by(cx, last.0, v).and_then(|by| last.1?.moved(by));
        one_array &= v.is(Tag::Set) && (moved.is_some() || last.0.is(Tag::Null));
        let here = match moved {
            Some(here) => here,
            None => Extent::of_patch::<V>(cx, v)?,
        };
        if moved.is_none() {
            last = (v, Some(here));
        }
        all = Some(match all {
            Some(all) => all.join(here)?,
            None => here,
        });
    }
    let all = all?;
    let Some(tiles) = Tiles::new::<V>(cx, all.all, all.palette) else {
        return far::union::<V::Out>(cx, n, get, all.tag == Tag::Cell);
    };
    if one_array && n > 1 {
        add_copies::<V>(cx, n, get, tiles, last.0, last.1?)?;
    } else {
        add_patches::<V>(cx, n, get, tiles);
    }
    tiles.set::<V>(cx, all.tag == Tag::Cell)
}

/// How far a patch lies from another that is the same in another place; `None` if it is not the same.
#[inline(always)]
fn moved_by(cx: Cx, from: Val, to: Val) -> Option<(i32, i32)> {
    if same_rows(from, to) {
        let (from, to) = (from.origin(), to.origin());
        return Some((to.0 - from.0, to.1 - from.1));
    }
    if !from.is(Tag::Set) || !to.is(Tag::Set) || from.x() != to.x() || from.x() == 0 {
        return None;
    }
    let at = |v: Val, k: u32| cx.val(v.a(), k);
    let (a, b) = (place(at(from, 0)), place(at(to, 0)));
    let by = (b.0.checked_sub(a.0)?, b.1.checked_sub(a.1)?);
    let unlike = |k: u32| {
        let (a, b) = (at(from, k), at(to, k));
        let (i, j) = (b.b().wrapping_sub(a.b()), b.x().wrapping_sub(a.x()));
        let (i, j) = (i ^ by.0 as u32, j ^ by.1 as u32);
        i | j | (a.a() ^ b.a()) | (a.words()[0] ^ b.words()[0])
    };
    // Others most often differ in colour, or at the end.
    if unlike(0) | unlike(from.x() - 1) != 0 {
        return None;
    }
    let (mut all, mut k) = (0, 1);
    while k < from.x() {
        all |= unlike(k);
        k += 1;
    }
    (all == 0).then_some(by)
}

/// Adds patches in any form.
#[inline(always)]
fn add_patches<V: Lanes>(cx: Cx, n: u32, get: impl Read, tiles: Tiles) {
    let (units, mut k) = (tiles.units(), 0);
    while k < n {
        let v = get(k);
        k += 1;
        if v.is(Tag::Set) {
            tiles.add_each::<V>(cx, &units, v.x(), |k| cx.val(v.a(), k));
        } else if v.is(Tag::Mask) || mono(v).is_some() {
            tiles.add_all(cx, mono(v).unwrap_or(0), cx.load::<V>(v.a()), v.origin());
        }
    }
    add_colored::<V>(cx, n, get, tiles);
}

/// Adds an array of places and its copies in other places, window by window.
#[inline(always)]
fn add_copies<V: Lanes>(
    cx: Cx,
    n: u32,
    get: impl Read,
    tiles: Tiles,
    array: Val,
    extent: Extent,
) -> Option<()> {
    let first = place(cx.val(array.a(), 0));
    each_window::<V>(cx, array, extent, |color, m, (top, left)| {
        let mut k = 0;
        while k < n {
            let v = get(k);
            k += 1;
            if v.is(Tag::Set) {
                let at = place(cx.val(v.a(), 0));
                let by = (at.0.wrapping_sub(first.0), at.1.wrapping_sub(first.1));
                let to = (top.wrapping_add(by.0), left.wrapping_add(by.1));
                tiles.add_all(cx, color, m, to);
            }
        }
    })
}

/// Calls `see` with the colour, the bits and the origin of every window that a patch touches; `None`
/// where there is no room for them.
#[inline(always)]
fn each_window<V: Lanes>(
    cx: Cx,
    patch: Val,
    extent: Extent,
    mut see: impl FnMut(u32, V, (i32, i32)),
) -> Option<()> {
    let held = Patch::<V>::load(cx, patch);
    let own = if held.is_none() {
        let own = Tiles::new::<V>(cx, extent.all, extent.palette)?;
        own.add_each::<V>(cx, &own.units(), patch.x(), |k| cx.val(patch.a(), k));
        Some(own)
    } else {
        None
    };
    let mut palette = extent.palette;
    while palette != 0 {
        let color = palette.trailing_zeros();
        palette &= palette - 1;
        if let Some(held) = held {
            let plain = patch.is(Tag::Mask) || mono(patch).is_some();
            let m = if plain { held.mask } else { planes::<V>(cx, patch).eq(color, held.mask) };
            see(color, m, held.origin);
        }
        let Some(own) = own else { continue };
        let (mut unit, mut k) = (own.of(color), 0);
        while k < own.across * own.down {
            let m: V = cx.load(unit);
            let (down, across) = ((k % own.down.max(1)) << 5, (k / own.down.max(1)) << 5);
            unit += ROWS;
            k += 1;
            if m.any() {
                let top = own.top.wrapping_add(down as i32);
                see(color, m, (top, own.left.wrapping_add(across as i32)));
            }
        }
    }
    Some(())
}

/// A patch moved by each of some places, as one set, which no window holds. `None` where it is no
/// patch, or where they lie too far apart.
#[inline(never)]
pub fn stamped<V: Lanes>(cx: Cx, patch: Val, places: Patch<V>) -> Option<Val> {
    if V::APART {
        return tiles::stamped(cx, patch, places);
    }
    boosted!(stamped_nearby::<V>(cx: Cx, patch: Val, places: Patch<V>) -> Option<Val>)
}

#[inline(always)]
fn stamped_nearby<V: Lanes>(cx: Cx, patch: Val, places: Patch<V>) -> Option<Val> {
    let own = Extent::of_patch::<V>(cx, patch)?;
    let around = places.bounds();
    let (first, last) = ((around.top, around.left), (around.bottom, around.right));
    let all = own.moved(first)?.join(own.moved(last)?)?;
    let tiles = Tiles::new::<V>(cx, all.all, all.palette)?;
    each_window::<V>(cx, patch, own, |color, m, (top, left)| {
        let fewer = m.count() < places.mask.count();
        let (few, many) = if fewer { (m, places.mask) } else { (places.mask, m) };
        let (top, left) = (top.wrapping_add(places.origin.0), left.wrapping_add(places.origin.1));
        let mut rows = few.ballot();
        while rows != 0 {
            let row = rows.trailing_zeros();
            rows &= rows - 1;
            let mut word = few.get(row);
            while word != 0 {
                let column = word.trailing_zeros();
                word &= word - 1;
                let to = (top.wrapping_add(row as i32), left.wrapping_add(column as i32));
                tiles.add_all(cx, color, many, to);
            }
        }
    })?;
    tiles.set::<V>(cx, all.tag == Tag::Cell)
}

/// As [`stamped`], for an array of places.
#[inline(never)]
pub fn stamped_widely<V: Lanes>(cx: Cx, patch: Val, places: Val) -> Option<Val> {
    let set = stamped_far::<V::Out>(cx, patch, places)?;
    // One window may hold them all the same.
    Some(if set.is(Tag::Set) { List::plain(set.a(), set.x()).tidy::<V>(cx) } else { set })
}

/// As [`stamped`], for an array of places that no window holds.
#[inline(never)]
pub fn stamped_far<V: Lanes>(cx: Cx, patch: Val, places: Val) -> Option<Val> {
    boosted!(stamped_everywhere::<V>(cx: Cx, patch: Val, places: Val) -> Option<Val>)
}

#[inline(always)]
fn stamped_everywhere<V: Lanes>(cx: Cx, patch: Val, places: Val) -> Option<Val> {
    let own = Extent::of_patch::<V>(cx, patch)?;
    let around = Extent::of_patch::<V>(cx, places).filter(|around| around.tag == Tag::Pair)?.all;
    let (first, last) = ((around.top, around.left), (around.bottom, around.right));
    let all = own.moved(first)?.join(own.moved(last)?)?;
    let tiles = Tiles::new::<V>(cx, all.all, all.palette)?;
    each_window::<V>(cx, patch, own, |color, m, (top, left)| {
        let mut k = 0;
        while k < places.x() {
            let (i, j) = place(cx.val(places.a(), k));
            tiles.add_all(cx, color, m, (top.wrapping_add(i), left.wrapping_add(j)));
            k += 1;
        }
    })?;
    tiles.set::<V>(cx, all.tag == Tag::Cell)
}

/// Whether two patches are the same bits, in the same place or in another.
#[inline(always)]
fn same_rows(a: Val, b: Val) -> bool {
    matches!(a.tag(), Tag::Mask | Tag::Object) && a.is(b.tag()) && a.a() == b.a() && a.b() == b.b()
}

/// Adds the objects of more than one colour, colour by colour.
#[inline(always)]
fn add_colored<V: Lanes>(cx: Cx, n: u32, get: impl Read, tiles: Tiles) {
    let many = |v: Val| v.is(Tag::Object) && mono(v).is_none();
    let mut palette = tiles.palette;
    while palette != 0 {
        let color = palette.trailing_zeros();
        palette &= palette - 1;
        let (mut last, mut m, mut k) = (Val::NULL, V::splat(0), 0);
        while k < n {
            let v = get(k);
            k += 1;
            if !many(v) {
                continue;
            }
            if !same_rows(v, last) {
                (last, m) = (v, planes::<V>(cx, v).eq(color, cx.load(v.a())));
            }
            tiles.add_all(cx, color, m, v.origin());
        }
    }
}

/// The set of some values that are all locations or all cells, which no window holds. `None` where
/// they lie too far apart or a colour is past 15.
#[inline(never)]
pub fn sorted<V: Lanes>(cx: Cx, n: u32, get: impl Read) -> Option<Val> {
    boosted!(drawn::<V>(cx: Cx, n: u32, get: R) -> Option<Val>, R: Read)
}

#[inline(always)]
fn drawn<V: Lanes>(cx: Cx, n: u32, get: impl Read) -> Option<Val> {
    let all = Extent::of_all(n, get)?;
    let list = cx.take_vals(n)?;
    let scratch = cx.taken();
    let tiles = Tiles::new::<V>(cx, all.all, all.palette)?;
    tiles.add_each::<V>(cx, &tiles.units(), n, get);
    let set = tiles.listed::<V>(cx, list, all.tag == Tag::Cell);
    cx.release(scratch);
    Some(set)
}
