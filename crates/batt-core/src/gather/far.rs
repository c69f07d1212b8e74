//! Patches that lie far apart: only the windows that they touch are kept, found by a hash.

use super::{Read, place};
use crate::arena::{Cx, ROWS};
use crate::lanes::Lanes;
use crate::mask;
use crate::patch::{mono, planes};
use crate::seq::{List, len};
use crate::sort;
use crate::val::{Fault, MAX_ELEMENTS, Tag, Val};

/// The most windows that are kept.
const MOST: u32 = 1 << 14;

/// Windows by colour and place.
struct Windows {
    /// Twice as many entries as there may be windows: a window's colour and place, its number
    /// beside the tag, or null.
    table: u32,
    mask: u32,
    /// The rows of the windows.
    rows: u32,
    room: u32,
    count: u32,
    cells: bool,
}

impl Windows {
    fn new(cx: Cx, room: u32, cells: bool) -> Option<Windows> {
        let entries = (2 * room).next_power_of_two();
        let (table, rows) = (cx.take_vals(entries)?, cx.take(room)?);
        let mut k = 0;
        while k < entries {
            cx.put(table, k, Val::NULL);
            k += 1;
        }
        Some(Windows { table, mask: entries - 1, rows, room, count: 0, cells })
    }

    /// The unit of a window's rows; `None` where there are more windows than were counted.
    #[inline(always)]
    fn at<V: Lanes>(&mut self, cx: Cx, color: u32, i: i32, j: i32) -> Option<u32> {
        let mixed = (i as u32).wrapping_mul(0x9e37_79b1) ^ (j as u32).wrapping_mul(0x85eb_ca77);
        let mut k = (mixed ^ mixed >> 15).wrapping_add(color) & self.mask;
        loop {
            let entry = cx.val(self.table, k);
            if entry.is(Tag::Null) {
                break;
            }
            if (entry.a(), entry.b(), entry.x()) == (color, i as u32, j as u32) {
                return Some(self.rows + entry.extra() * ROWS);
            }
            k = (k + 1) & self.mask;
        }
        if self.count == self.room {
            return None;
        }
        let unit = self.rows + self.count * ROWS;
        cx.store(unit, V::splat(0));
        cx.put(self.table, k, Val::new(Tag::Cell, self.count, color, i as u32, j as u32));
        self.count += 1;
        Some(unit)
    }

    /// Adds the bits of a window at an origin.
    #[inline(always)]
    fn add_all<V: Lanes>(&mut self, cx: Cx, color: u32, m: V, origin: (i32, i32)) -> Option<()> {
        let (top, left) = (origin.0 >> 5, origin.1 >> 5);
        let mut k = 0;
        while k < 4 {
            let (i, j) = (top + (k >> 1), left + (k & 1));
            let part = mask::place(m, origin.0 - (i << 5), origin.1 - (j << 5));
            if part.any() {
                let unit = self.at::<V>(cx, color, i, j)?;
                cx.store(unit, cx.load::<V>(unit) | part);
            }
            k += 1;
        }
        Some(())
    }

    /// Adds a patch in any form.
    #[inline(always)]
    fn add<V: Lanes>(&mut self, cx: Cx, v: Val) -> Option<()> {
        if v.is(Tag::Set) {
            let mut k = 0;
            while k < v.x() {
                let item = cx.val(v.a(), k);
                let (i, j) = place(item);
                let unit = self.at::<V>(cx, item.a(), i >> 5, j >> 5)?;
                cx.mark::<V>(unit, (i & 31) as u32, 1 << (j & 31));
                k += 1;
            }
            return Some(());
        }
        let m: V = cx.load(v.a());
        if v.is(Tag::Mask) || mono(v).is_some() {
            return self.add_all(cx, mono(v).unwrap_or(0), m, v.origin());
        }
        let colors = planes::<V>(cx, v);
        let mut palette = colors.palette(m);
        while palette != 0 {
            let color = palette.trailing_zeros();
            palette &= palette - 1;
            self.add_all(cx, color, colors.eq(color, m), v.origin())?;
        }
        Some(())
    }

    /// All places as a set: by colour, row and column of the windows, row by row within those of
    /// one row.
    #[inline(always)]
    fn listed<V: Lanes>(&self, cx: Cx, mut list: List) -> Option<Val> {
        let used = cx.take_vals(self.count)?;
        let (mut n, mut k) = (0, 0);
        while k <= self.mask {
            let entry = cx.val(self.table, k);
            if !entry.is(Tag::Null) {
                cx.put(used, n, entry);
                n += 1;
            }
            k += 1;
        }
        let (sorted, n) = sort::sorted::<V::Out>(cx, used, n)?;
        let window = |k: u32| cx.val(sorted, k);
        let mut start = 0;
        while start < n {
            let first = window(start);
            let mut end = start + 1;
            while end < n && (window(end).a(), window(end).b()) == (first.a(), first.b()) {
                end += 1;
            }
            let mut row = 0;
            while row < 32 {
                k = start;
                while k < end {
                    let mut bits = cx.row::<V>(self.rows + window(k).extra() * ROWS, row);
                    let i = ((first.b() as i32) << 5) + row as i32;
                    while bits != 0 {
                        let j = ((window(k).x() as i32) << 5) + bits.trailing_zeros() as i32;
                        bits &= bits - 1;
                        let at = Val::pair(i, j);
                        let cell = Val::cell(first.a() as i32, i, j);
                        list.push(cx, if self.cells { cell } else { at });
                    }
                    k += 1;
                }
                row += 1;
            }
            start = end;
        }
        Some(list.array())
    }
}

/// The items of some patches as one set, which no window holds. They are known to be of one kind and
/// of colours up to 15. `None` where there are too many windows, or no room.
#[inline(never)]
pub fn union<V: Lanes>(cx: Cx, n: u32, get: impl Read, cells: bool) -> Option<Val> {
    let (mut total, mut windows, mut k) = (0u32, 0u32, 0);
    while k < n {
        let v = get(k);
        total = total.saturating_add(len(v)?);
        windows = windows.saturating_add(match v.tag() {
            Tag::Colors => 0,
            Tag::Set => v.x(),
            Tag::Object if mono(v).is_none() => 4 * v.extra().min(16),
            _ => 4,
        });
        k += 1;
    }
    if windows > MOST {
        return None;
    }
    let list = List::new(cx, total.min(MAX_ELEMENTS))?;
    let scratch = cx.taken();
    let mut all = Windows::new(cx, windows, cells)?;
    k = 0;
    while k < n {
        let v = get(k);
        if !v.is(Tag::Colors) {
            all.add::<V>(cx, v)?;
        }
        k += 1;
    }
    let (mut count, mut k) = (0, 0);
    while k < all.count {
        count += cx.load::<V>(all.rows + k * ROWS).count();
        k += 1;
    }
    if count > MAX_ELEMENTS {
        return Some(Val::error(Fault::Size));
    }
    let set = all.listed::<V>(cx, list)?;
    cx.release(scratch);
    Some(set)
}
