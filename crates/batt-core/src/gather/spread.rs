//! Patches that no window of 32×32 holds: sorted with several windows side by side, so that the
//! time grows with their cells only.

use super::{Read, bounds, palette, place};
use crate::arena::{Cx, ROWS};
use crate::lanes::Lanes;
use crate::mask::Bounds;
use crate::seq::List;
use crate::val::{Tag, Val};

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
