//! Patches that no window of 32×32 holds: sorted with several windows side by side, so that the
//! time grows with their cells only.

use super::{Read, bounds, palette, place};
use crate::arena::{Cx, ROWS};
use crate::lanes::Lanes;
use crate::mask::{self, Bounds};
use crate::patch::{Patch, mono, planes};
use crate::seq::List;
use crate::val::{MAX_ELEMENTS, Tag, Val};

/// The most windows; what is spread wider is sorted by comparing.
const MAX_TILES: i64 = 64;

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
        let (down, across) = ((all.height() + 31) / 32, (all.width() + 31) / 32);
        if down > MAX_TILES || across > MAX_TILES || down * across > MAX_TILES {
            return None;
        }
        let (down, across) = (down as u32, across as u32);
        let unit = cx.take(down * across)?;
        Some(Tiles { unit, down, across, top: all.top, left: all.left })
    }

    fn clear<V: Lanes>(self, cx: Cx) {
        let mut k = 0;
        while k < self.down * self.across {
            cx.store(self.unit + k * ROWS, V::splat(0));
            k += 1;
        }
    }

    /// Adds the bits of a window at an origin.
    fn add_all<V: Lanes>(self, cx: Cx, m: V, origin: (i32, i32)) {
        let (i, j) = (origin.0.wrapping_sub(self.top), origin.1.wrapping_sub(self.left));
        let (first, second) = (i >> 5, j >> 5);
        let mut down = first;
        while down < first + 2 {
            let mut across = second;
            while across < second + 2 {
                let part = mask::place(m, i - (down << 5), j - (across << 5));
                let held = (0..self.down as i32).contains(&down)
                    && (0..self.across as i32).contains(&across);
                if held && part.any() {
                    let unit = self.unit + (down as u32 * self.across + across as u32) * ROWS;
                    cx.store(unit, cx.load::<V>(unit) | part);
                }
                across += 1;
            }
            down += 1;
        }
    }

    fn add<V: Lanes>(self, cx: Cx, i: i32, j: i32) {
        let (i, j) = (i.wrapping_sub(self.top) as u32, j.wrapping_sub(self.left) as u32);
        let unit = self.unit + ((i >> 5) * self.across + (j >> 5)) * ROWS;
        let rows = cx.load::<V>(unit) | V::put(i & 31, 1 << (j & 31));
        cx.store(unit, rows);
    }

    /// Lists all places in order.
    fn list<V: Lanes>(self, cx: Cx, list: &mut List, make: impl Fn(i32, i32) -> Val) {
        let mut i = 0;
        while i < self.down * 32 {
            let mut tile = 0;
            while tile < self.across {
                let mut word =
                    cx.load::<V>(self.unit + ((i >> 5) * self.across + tile) * ROWS).get(i & 31);
                while word != 0 {
                    let j = tile * 32 + word.trailing_zeros();
                    list.push(cx, make(self.top + i as i32, self.left + j as i32));
                    word &= word - 1;
                }
                tile += 1;
            }
            i += 1;
        }
    }
}

/// Cells per patch from which on whole windows are faster than single cells.
const MANY: u32 = 12;

/// The items of some patches of one kind as one set. `None` where a patch is kept in another form,
/// where they lie too far apart, or where most are too small for this to pay.
#[inline(never)]
pub fn union<V: Lanes>(cx: Cx, n: u32, get: impl Read) -> Option<Val> {
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
    if total / MANY < n || total > 16 * MAX_ELEMENTS {
        return None;
    }
    let mut list = List::new(cx, total)?;
    let scratch = cx.taken();
    let tiles = Tiles::new(cx, all?)?;
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
        if tag == Tag::Object {
            tiles.list::<V>(cx, &mut list, |i, j| Val::cell(color as i32, i, j));
        } else {
            tiles.list::<V>(cx, &mut list, Val::pair);
        }
    }
    cx.release(scratch);
    Some(list.tidy::<V>(cx))
}

/// The set of some values that are all locations or all cells. `None` where they lie too far apart
/// or a colour is past 15.
pub fn sorted<V: Lanes>(cx: Cx, n: u32, get: impl Read) -> Option<Val> {
    let is_cells = get(0).is(Tag::Cell);
    let mut left = if is_cells { palette(n, get)? } else { 1 };
    let mut list = List::new(cx, n)?;
    let scratch = cx.taken();
    let tiles = Tiles::new(cx, bounds(n, get))?;
    while left != 0 {
        let color = left.trailing_zeros();
        left &= left - 1;
        tiles.clear::<V>(cx);
        let mut k = 0;
        while k < n {
            let v = get(k);
            if !is_cells || v.a() == color {
                let (i, j) = place(v);
                tiles.add::<V>(cx, i, j);
            }
            k += 1;
        }
        if is_cells {
            tiles.list::<V>(cx, &mut list, |i, j| Val::cell(color as i32, i, j));
        } else {
            tiles.list::<V>(cx, &mut list, Val::pair);
        }
    }
    cx.release(scratch);
    Some(list.tidy::<V>(cx))
}
