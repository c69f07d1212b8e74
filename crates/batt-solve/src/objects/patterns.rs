//! Patterns: what the demos show around all items of a kind, or around those of one colour, at the same place
//! beside each.

use batt_lang::program::NodeId;
use batt_lang::{Op, Value};
use rustc_hash::FxHashMap as HashMap;

use super::items::Items;
use super::layers::{Easel, Shapes};
use crate::store::Store;

/// Where a pattern is held.
const ANCHORS: [Op; 5] = [Op::Center, Op::Ulcorner, Op::Urcorner, Op::Llcorner, Op::Lrcorner];

/// A pattern reaches so far from where it is held.
const REACH: i32 = 14;
/// A pattern has so many cells at most.
const MAX_CELLS: usize = 120;

/// Cells beside an item: row and column from its anchor, and the colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    group: Option<u8>,
    anchor: usize,
    cells: Vec<(i32, i32, u8)>,
}

impl Pattern {
    /// The patterns that the demos show, and that they show also without any one of them.
    pub fn all(items: &Items, easel: &Easel) -> Vec<Pattern> {
        let mut patterns: Vec<Pattern> = Vec::new();
        if items.demos < 2 {
            return patterns;
        }
        for group in std::iter::once(None).chain((1..10).map(Some)) {
            for anchor in 0..ANCHORS.len() {
                let Some(pattern) = Pattern::learn(items, easel, (group, anchor), None) else {
                    continue;
                };
                let known = patterns.iter().any(|known| known.cells == pattern.cells);
                let holds = |demo| pattern.holds(items, easel, demo);
                if !known && (0..items.demos).all(holds) {
                    patterns.push(pattern);
                }
            }
        }
        patterns
    }

    /// Learns what is beside all items of a colour, or all items, of the demos but one.
    fn learn(
        items: &Items,
        easel: &Easel,
        (group, anchor): (Option<u8>, usize),
        but: Option<usize>,
    ) -> Option<Pattern> {
        let demos = (0..items.demos).filter(|demo| Some(*demo) != but);
        let own = |item: &usize| group.is_none_or(|color| items.cells[*item][0].2 == color);
        let group_items: Vec<usize> =
            demos.flat_map(|demo| items.spans[demo].clone()).filter(own).collect();
        if group_items.is_empty() || group_items.len() == 1 && but.is_none() {
            return None;
        }
        let cells = shared(items, easel, &group_items, anchor);
        let fits = !cells.is_empty() && cells.len() <= MAX_CELLS;
        fits.then_some(Pattern { group, anchor, cells })
    }

    /// Whether what the other demos show is the same as far as one demo can tell.
    fn holds(&self, items: &Items, easel: &Easel, demo: usize) -> bool {
        let others = Pattern::learn(items, easel, (self.group, self.anchor), Some(demo));
        let Some(others) = others else { return false };
        let own = |item: &usize| self.group.is_none_or(|color| items.cells[*item][0].2 == color);
        items.spans[demo].clone().filter(own).all(|item| {
            let at = anchor_of(&items.cells[item], self.anchor);
            let within = |pattern: &Pattern| {
                let inside = |(i, j, _): &&(i32, i32, u8)| {
                    easel.base[demo].place(at.0 + i, at.1 + j).is_some()
                };
                pattern.cells.iter().filter(inside).copied().collect::<Vec<_>>()
            };
            within(self) == within(&others)
        })
    }

    /// What the pattern is for every item.
    pub fn shapes(&self, items: &Items, easel: &Easel) -> Shapes {
        let mut places = vec![Vec::new(); items.words * 64];
        for (span, canvas) in items.spans.iter().zip(&easel.base) {
            for item in span.clone() {
                let (row, column) = anchor_of(&items.cells[item], self.anchor);
                let place = |(i, j, color): &(i32, i32, u8)| {
                    canvas.place(row + i, column + j).map(|place| (place, Some(*color)))
                };
                places[item] = self.cells.iter().filter_map(place).collect();
            }
        }
        Shapes { places, colored: true }
    }

    /// The pattern as a function of an item.
    pub fn write(&self, store: &mut Store) -> NodeId {
        let cell = |(i, j, color): &(i32, i32, u8)| Value::Cell(i32::from(*color), *i, *j);
        let cells = store.value(Value::tuple(self.cells.iter().map(cell).collect()));
        let shift = store.prim(Op::Shift);
        let moved = store.call(Op::Lbind, &[shift, cells]);
        let anchor = store.prim(ANCHORS[self.anchor]);
        store.call(Op::Compose, &[moved, anchor])
    }
}

/// What changes at the same places beside all items of a group; cells outside of a grid do not speak.
fn shared(items: &Items, easel: &Easel, group: &[usize], anchor: usize) -> Vec<(i32, i32, u8)> {
    // By place: the colour, and whether something else was seen there.
    let mut seen: HashMap<(i32, i32), (u8, bool)> = HashMap::default();
    let mut anchors = Vec::new();
    for (grid, span) in items.spans[..items.demos].iter().enumerate() {
        let (base, wanted) = (&easel.base[grid], &easel.wanted[grid]);
        for item in group.iter().filter(|item| span.contains(item)) {
            let (row, column) = anchor_of(&items.cells[*item], anchor);
            anchors.push((grid, row, column));
            for (at, (was, is)) in base.cells.iter().zip(&wanted.cells).enumerate() {
                let (i, j) = ((at / base.width) as i32 - row, (at % base.width) as i32 - column);
                if was != is && i.abs() <= REACH && j.abs() <= REACH {
                    let entry = seen.entry((i, j)).or_insert((*is, false));
                    entry.1 |= entry.0 != *is;
                }
            }
        }
    }
    let holds = |&((i, j), (color, differs)): &((i32, i32), (u8, bool))| {
        let here = |&(grid, row, column): &(usize, i32, i32)| {
            let wanted: &super::layers::Canvas = &easel.wanted[grid];
            let place = wanted.place(row + i, column + j);
            place.is_none_or(|place| wanted.cells[usize::from(place)] == color)
        };
        !differs && anchors.iter().all(here)
    };
    let mut cells: Vec<(i32, i32, u8)> =
        seen.into_iter().filter(holds).map(|((i, j), (color, _))| (i, j, color)).collect();
    cells.sort_unstable();
    cells
}

/// Where a pattern is held beside an item.
fn anchor_of(cells: &[(i32, i32, u8)], anchor: usize) -> (i32, i32) {
    let rows = || cells.iter().map(|(row, _, _)| *row);
    let columns = || cells.iter().map(|(_, column, _)| *column);
    let (top, bottom) = (rows().min().unwrap_or(0), rows().max().unwrap_or(0));
    let (left, right) = (columns().min().unwrap_or(0), columns().max().unwrap_or(0));
    match ANCHORS[anchor] {
        Op::Ulcorner => (top, left),
        Op::Urcorner => (top, right),
        Op::Llcorner => (bottom, left),
        Op::Lrcorner => (bottom, right),
        _ => (top + (bottom - top + 1) / 2, left + (right - left + 1) / 2),
    }
}
