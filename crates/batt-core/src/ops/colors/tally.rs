//! Colours of any kind, counted: tuples of cells read as grids, colours past 31, null.

use core::cmp::Ordering;

use crate::arena::Cx;
use crate::keys;
use crate::lanes::Lanes;
use crate::order::compare;
use crate::seq::{Items, List, len, nth};
use crate::val::{Fault, Tag, Val};

use super::super::patches::{Read, fault, good};

/// The colours of a grid or an object in order, and how often each occurs.
#[derive(Clone, Copy)]
pub(super) struct Tally {
    /// All of them as a set.
    pub colors: Val,
    values: u32,
    counts: u32,
    /// How many there are.
    pub len: u32,
}

impl Tally {
    /// Counts the first of every two items of a set, and all items of the items of a tuple.
    #[inline(never)]
    pub fn of<V: Lanes>(cx: Cx, element: Val) -> Read<Tally> {
        let seen = all_colors::<V>(cx, element)?;
        // Sorting uses the memory of the list that it sorts.
        let colors = good(all_colors::<V>(cx, element)?.set::<V>(cx))?;
        let mut items = Items::<V>::of(cx, colors).ok_or(Val::BACK)?;
        let len = items.len();
        let values = cx.take_vals(len).ok_or(Val::BACK)?;
        let counts = cx.take_vals(len).ok_or(Val::BACK)?;
        let mut k = 0;
        while let Some(v) = items.next(cx) {
            cx.put(values, k, v);
            cx.put(counts, k, Val::int(0));
            k += 1;
        }
        let tally = Tally { colors, values, counts, len };
        k = 0;
        while k < seen.len() {
            let at = tally.find::<V>(cx, seen.get(cx, k))?.ok_or(Val::BACK)?;
            cx.put(counts, at, Val::int(tally.count(cx, at) + 1));
            k += 1;
        }
        Ok(tally)
    }

    /// The place of a colour, if it occurs.
    pub fn find<V: Lanes>(self, cx: Cx, color: Val) -> Read<Option<u32>> {
        let (mut low, mut high) = (0, self.len);
        while low < high {
            let middle = low + (high - low) / 2;
            match compare::<V>(cx, self.color(cx, middle), color).ok_or(Val::BACK)? {
                Ordering::Equal => return Ok(Some(middle)),
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
            }
        }
        Ok(None)
    }

    /// A colour by its place.
    pub fn color(self, cx: Cx, k: u32) -> Val {
        cx.val(self.values, k)
    }

    /// How often the colour at a place occurs.
    pub fn count(self, cx: Cx, k: u32) -> i32 {
        cx.val(self.counts, k).x() as i32
    }

    /// The colour at a rank, commonest first; negative ranks count from the end.
    #[inline(never)]
    pub fn ranked(self, cx: Cx, rank: Val) -> Read<Val> {
        let at = keys::place(self.len, rank)?;
        let rarer = |a: u32, b: u32| Some(self.count(cx, b).cmp(&self.count(cx, a)));
        let places = keys::sort(cx, self.len, rarer).ok_or(Val::BACK)?;
        Ok(self.color(cx, cx.val(places, at).x()))
    }

    /// The first commonest colour, or the first rarest.
    #[inline(never)]
    pub fn extreme(self, cx: Cx, most: bool) -> Read<Val> {
        if self.len == 0 {
            return fault(Fault::Value);
        }
        let (mut best, mut k) = (0, 1);
        while k < self.len {
            let (count, other) = (self.count(cx, k), self.count(cx, best));
            if if most { count > other } else { count < other } {
                best = k;
            }
            k += 1;
        }
        Ok(self.color(cx, best))
    }
}

/// Every colour as often as it occurs.
fn all_colors<V: Lanes>(cx: Cx, element: Val) -> Read<List> {
    let mut count = 0_u32;
    let mut items = Items::<V>::of(cx, element).ok_or(Val::error(Fault::Type))?;
    while let Some(v) = items.next(cx) {
        let within = len(v).ok_or(Val::error(Fault::Type))?;
        if element.is_set() && within != 2 {
            return fault(Fault::Value);
        }
        count = count.saturating_add(within);
    }
    let mut list = List::new(cx, count).ok_or(Val::BACK)?;
    let mut items = Items::<V>::of(cx, element).ok_or(Val::BACK)?;
    while let Some(v) = items.next(cx) {
        if element.is_set() {
            let color = if v.is(Tag::Cell) { Val::int(v.a() as i32) } else { nth::<V>(cx, v, 0) };
            list.push(cx, color);
            continue;
        }
        let mut colors = Items::<V>::of(cx, v).ok_or(Val::BACK)?;
        while let Some(color) = colors.next(cx) {
            list.push(cx, color);
        }
    }
    Ok(list)
}
