//! As `spread`, with the work shared out among lanes: colour by colour, so that few windows are used
//! at a time.

use super::scan::scan;
use super::{Read, flat, place};
use crate::arena::{Cx, ROWS};
use crate::lanes::{Lanes, low_bits};
use crate::mask::Bounds;
use crate::ops::alone::Touched;
use crate::patch::{Patch, mono, planes};
use crate::seq::List;
use crate::val::{Fault, MAX_ELEMENTS, Tag, Val};

/// The most windows; what is spread wider is sorted by comparing, for which lanes wait much longer.
const MAX_TILES: i64 = 1 << 14;

/// The most windows that are used at a time for several colours.
const FEW_TILES: u32 = 512;

/// Windows that lie side by side in the arena.
#[derive(Clone, Copy)]
struct Tiles {
    unit: u32,
    down: u32,
    across: u32,
    top: i32,
    left: i32,
}

impl Tiles {
    fn new(cx: Cx, all: Bounds) -> Option<Tiles> {
        Tiles::layers(cx, all, 1).map(|(tiles, _)| tiles)
    }

    /// The same several times, one after the other, where those are few; how many times it is.
    fn layers(cx: Cx, all: Bounds, wanted: u32) -> Option<(Tiles, u32)> {
        let (down, across) = ((all.height() + 31) / 32, (all.width() + 31) / 32);
        if down > MAX_TILES || across > MAX_TILES || down * across > MAX_TILES {
            return None;
        }
        let (down, across) = (down as u32, across as u32);
        let few = down * across <= FEW_TILES / wanted.max(1);
        let layers = if few { wanted.max(1) } else { 1 };
        let unit = cx.take(down * across * layers)?;
        Some((Tiles { unit, down, across, top: all.top, left: all.left }, layers))
    }

    fn clear<V: Lanes>(self, cx: Cx) {
        V::meet();
        // Two words of zeros are four rows without bits.
        V::each(self.down * self.across * 2 * ROWS, |k| cx.put_own(self.unit, k, Val::BACK));
        V::meet();
    }

    /// Adds bits of a row, which begin at a column that may lie a little outside.
    #[inline(always)]
    fn add_row(self, cx: Cx, i: i32, j: i32, bits: u32) {
        if bits == 0 || i < 0 || i >= self.down as i32 * 32 {
            return;
        }
        let unit = self.unit + (i as u32 >> 5) * self.across * ROWS;
        let (tile, both) = (j >> 5, u64::from(bits) << (j & 31));
        for (tile, bits) in [(tile, both as u32), (tile + 1, (both >> 32) as u32)] {
            if bits != 0 && tile >= 0 && tile < self.across as i32 {
                cx.or_word(unit + tile as u32 * ROWS, i as u32 & 31, bits);
            }
        }
    }

    /// Adds the bits of a window at an origin.
    #[inline(always)]
    fn add_all<V: Lanes>(self, cx: Cx, m: V, origin: (i32, i32)) {
        let (i, j) = (origin.0.wrapping_sub(self.top), origin.1.wrapping_sub(self.left));
        m.each_row(|row, bits| self.add_row(cx, i + row as i32, j, bits));
    }

    #[inline(always)]
    fn add(self, cx: Cx, i: i32, j: i32) {
        let (i, j) = (i.wrapping_sub(self.top) as u32, j.wrapping_sub(self.left) as u32);
        let unit = self.unit + ((i >> 5) * self.across + (j >> 5)) * ROWS;
        cx.or_word(unit, i & 31, 1 << (j & 31));
    }

    /// How many places there are.
    #[inline(always)]
    fn count<V: Lanes>(self, cx: Cx) -> u32 {
        let mut count = 0;
        V::meet();
        V::each(self.down * 32 * self.across, |k| {
            count += cx.word(self.unit + (k >> 5) * ROWS, k & 31).count_ones();
        });
        V::added(count)
    }

    /// Lists all places in order, from the `from`-th item of an array on; how many there are.
    #[inline(always)]
    fn list<V: Lanes>(
        self,
        cx: Cx,
        (unit, from): (u32, u32),
        make: impl Fn(i32, i32) -> Val,
    ) -> u32 {
        V::meet();
        let word = |k: u32| {
            let (i, tile) = (k / self.across.max(1), k % self.across.max(1));
            cx.word(self.unit + ((i >> 5) * self.across + tile) * ROWS, i & 31)
        };
        let found = V::unfold(self.down * 32 * self.across, word, |at, k, bit| {
            let (i, tile) = (k / self.across.max(1), k % self.across.max(1));
            let j = tile * 32 + bit;
            cx.put_own(unit, from + at, make(self.top + i as i32, self.left + j as i32));
        });
        V::meet();
        found
    }
}

/// Cells per patch from which on whole windows are faster than single cells.
const MANY: u32 = 12;

/// Some patches of one kind: the box around them, what they are, cells in all, and colours.
struct Measured {
    all: Option<Bounds>,
    tag: Tag,
    total: u32,
    palette: u32,
}

/// Measures patches one after the other; `None` where they are not of one kind.
#[inline(always)]
fn measured<V: Lanes>(cx: Cx, n: u32, get: impl Read) -> Option<Measured> {
    let (mut all, mut tag, mut total, mut palette, mut k): (Option<Bounds>, _, u32, u32, u32) =
        (None, Tag::Colors, 0, 0, 0);
    while k < n {
        let v = get(k);
        k += 1;
        if v.is_empty_set() {
            continue;
        }
        if !matches!(v.tag(), Tag::Mask | Tag::Object) || (all.is_some() && !v.is(tag)) {
            return None;
        }
        tag = v.tag();
        let p = Patch::<V>::load(cx, v)?;
        all = Some(all.map_or(p.bounds(), |b| b.join(p.bounds())));
        total = total.saturating_add(v.extra());
        palette |= match (tag, mono(v)) {
            (Tag::Mask, _) => 1,
            (_, Some(color)) => 1 << color,
            _ => planes::<V>(cx, v).palette(p.mask),
        };
    }
    Some(Measured { all, tag, total, palette })
}

/// The same, each patch by one sharer; `None` where there is none, or one has several colours, too.
#[inline(always)]
fn measured_apart<V: Lanes>(cx: Cx, n: u32, get: impl Read) -> Option<Measured> {
    let (mut around, mut total, mut palette, mut kinds) = (NOWHERE, 0u32, 0, 0);
    V::each(n, |k| {
        let v = get(k);
        let is_mask = v.is(Tag::Mask);
        if !v.is_empty_set() {
            match (is_mask || mono(v).is_some()).then(|| Touched::of(cx, v)).flatten() {
                Some(touched) => {
                    around = around.join(touched.bounds());
                    total = total.saturating_add(v.extra());
                    palette |= 1 << mono(v).unwrap_or(0);
                    kinds |= if is_mask { 1 } else { 2 };
                }
                None => kinds |= 4,
            }
        }
    });
    let tag = match V::joined(kinds) {
        1 => Tag::Mask,
        2 => Tag::Object,
        _ => return None,
    };
    let all = Bounds {
        top: V::least(around.top),
        bottom: V::most(around.bottom),
        left: V::least(around.left),
        right: V::most(around.right),
    };
    let (total, palette) = (V::added(total), V::joined(palette));
    Some(Measured { all: Some(all), tag, total, palette })
}

/// A box around nothing.
const NOWHERE: Bounds = Bounds { top: i32::MAX, bottom: i32::MIN, left: i32::MAX, right: i32::MIN };

/// The items of some patches of one kind as one set. `None` where a patch is kept in another form,
/// where they lie too far apart, or where most are too small for this to pay.
#[inline(never)]
pub fn union<V: Lanes>(cx: Cx, n: u32, get: impl Read) -> Option<Val> {
    let Measured { all, tag, total, mut palette } = match measured_apart::<V>(cx, n, get) {
        Some(found) => found,
        None => measured::<V>(cx, n, get)?,
    };
    // With more, `union_any` would give up.
    if total / MANY < n && total <= 16 * MAX_ELEMENTS {
        return None;
    }
    let out = cx.take_vals(total.min(MAX_ELEMENTS))?;
    let scratch = cx.taken();
    let tiles = Tiles::new(cx, all?)?;
    let mut len = 0;
    while palette != 0 {
        let color = palette.trailing_zeros();
        palette &= palette - 1;
        tiles.clear::<V>(cx);
        let mut k = 0;
        while k < n {
            let v = get(k);
            k += 1;
            let Some(p) = Patch::<V>::load(cx, v) else { continue };
            let m = match (tag, mono(v)) {
                (Tag::Mask, _) => p.mask,
                (_, Some(mono)) if mono == color => p.mask,
                (_, Some(_)) => continue,
                _ => planes::<V>(cx, v).eq(color, p.mask),
            };
            tiles.add_all(cx, m, p.origin);
        }
        if len + tiles.count::<V>(cx) > MAX_ELEMENTS {
            cx.release(scratch);
            return Some(Val::error(Fault::Size));
        }
        len += if tag == Tag::Object {
            tiles.list::<V>(cx, (out, len), |i, j| Val::cell(color as i32, i, j))
        } else {
            tiles.list::<V>(cx, (out, len), Val::pair)
        };
    }
    cx.release(scratch);
    Some(List::plain(out, len).array())
}

/// The set of some values that are all locations or all cells, which no window holds. Told are the box
/// around them, their colours and whether they are cells. `None` where they lie too far apart.
#[inline(never)]
pub fn sorted<V: Lanes>(
    cx: Cx,
    n: u32,
    get: impl Read,
    (all, colors, is_cells): (Bounds, u32, bool),
) -> Option<Val> {
    let out = cx.take_vals(n)?;
    let scratch = cx.taken();
    // All values are read once for every colour, or once for all where that takes few windows.
    let (tiles, layers) = Tiles::layers(cx, all, colors.count_ones())?;
    let together = layers > 1;
    let layer = |color: u32| {
        let before = if together { (colors & low_bits(color)).count_ones() } else { 0 };
        Tiles { unit: tiles.unit + before * tiles.down * tiles.across * ROWS, ..tiles }
    };
    let add = |color: Option<u32>| {
        V::read_each(n, get, |_, v| {
            if !is_cells || color.is_none_or(|color| v.a() == color) {
                let (i, j) = place(v);
                layer(v.a()).add(cx, i, j);
            }
        });
    };
    let (mut left, mut len) = (colors, 0);
    if together {
        while left != 0 {
            layer(left.trailing_zeros()).clear::<V>(cx);
            left &= left - 1;
        }
        add(None);
        left = colors;
    }
    while left != 0 {
        let color = left.trailing_zeros();
        left &= left - 1;
        let tiles = layer(color);
        if !together {
            tiles.clear::<V>(cx);
            add(Some(color));
        }
        len += if is_cells {
            tiles.list::<V>(cx, (out, len), |i, j| Val::cell(color as i32, i, j))
        } else {
            tiles.list::<V>(cx, (out, len), Val::pair)
        };
    }
    cx.release(scratch);
    Some(List::plain(out, len).array())
}

/// A patch moved by each of some places, as one set. `None` where it is no patch, or where too many
/// windows would be needed.
#[inline(never)]
pub fn stamped<V: Lanes>(cx: Cx, patch: Val, places: Patch<V>) -> Option<Val> {
    let (unit, n) = flat::<V>(cx, patch).ok().filter(|(_, n)| *n > 0)?;
    let item = |k: u32| cx.val(unit, k);
    let tag = item(0).tag();
    let of_kind = matches!(tag, Tag::Pair | Tag::Cell);
    if !of_kind || V::find(n, |k| !item(k).is(tag)).is_some() {
        return None;
    }
    let seen = scan::<V>(n, item);
    if tag == Tag::Cell && seen.palette.1 {
        return None;
    }
    let colors = if tag == Tag::Cell { seen.palette.0 } else { 1 };
    let (own, around) = (seen.bounds, places.bounds());
    let all = Bounds {
        top: own.top.checked_add(around.top)?,
        bottom: own.bottom.checked_add(around.bottom)?,
        left: own.left.checked_add(around.left)?,
        right: own.right.checked_add(around.right)?,
    };
    let (tiles, layers) = Tiles::layers(cx, all, colors.count_ones())?;
    if layers < colors.count_ones() {
        return None;
    }
    let layer = |color: u32| {
        let before = (colors & low_bits(color)).count_ones();
        Tiles { unit: tiles.unit + before * tiles.down * tiles.across * ROWS, ..tiles }
    };
    let whole = Tiles { down: tiles.down * layers, ..tiles };
    whole.clear::<V>(cx);
    if n <= places.mask.count() * n.div_ceil(V::SHARERS) {
        // All places at once, moved by each item.
        let mut k = 0;
        while k < n {
            let (v, (i, j)) = (item(k), place(item(k)));
            let origin = (places.origin.0.wrapping_add(i), places.origin.1.wrapping_add(j));
            layer(v.a()).add_all(cx, places.mask, origin);
            k += 1;
        }
    } else {
        let mut rows = places.mask.ballot();
        while rows != 0 {
            let row = rows.trailing_zeros();
            rows &= rows - 1;
            let mut word = places.mask.get(row);
            while word != 0 {
                let column = word.trailing_zeros();
                word &= word - 1;
                let by = (places.origin.0 + row as i32, places.origin.1 + column as i32);
                V::each(n, |k| {
                    let (v, (i, j)) = (item(k), place(item(k)));
                    layer(v.a()).add(cx, i + by.0, j + by.1);
                });
            }
        }
    }
    let count = whole.count::<V>(cx);
    if count > MAX_ELEMENTS {
        return Some(Val::error(Fault::Size));
    }
    let out = cx.take_vals(count)?;
    let (mut left, mut len) = (colors, 0);
    while left != 0 {
        let color = left.trailing_zeros();
        left &= left - 1;
        len += if tag == Tag::Cell {
            layer(color).list::<V>(cx, (out, len), |i, j| Val::cell(color as i32, i, j))
        } else {
            layer(color).list::<V>(cx, (out, len), Val::pair)
        };
    }
    Some(List::plain(out, len).tidy::<V>(cx))
}
