//! Grids of which one colour hides something, filled in from what repeats: a tile, or a mirrored half.

use super::grids::read::{full_grid, held, int};
use crate::arena::Cx;
use crate::grid::{Grid, Planes, mapped};
use crate::lanes::{Lanes, low_bits};
use crate::mask::{Bounds, place, rectangle};
use crate::val::{Fault, Val};

/// Some cells and their colours; colours elsewhere mean nothing.
#[derive(Clone, Copy)]
struct Cells<V> {
    at: V,
    colors: Planes<V>,
}

/// Along what rows or columns are moved or mirrored.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Along {
    Rows,
    Columns,
}

impl Along {
    /// How many lines a grid has.
    #[inline(always)]
    fn lines<V>(self, g: &Grid<V>) -> u32 {
        if self == Along::Rows { g.height } else { g.width }
    }

    /// Bits moved to higher lines, or to lower ones.
    #[inline(always)]
    fn moved<V: Lanes>(self, m: V, by: i32) -> V {
        if self == Along::Rows { place(m, by, 0) } else { place(m, 0, by) }
    }

    /// Line k of a window as line 31 - k.
    #[inline(always)]
    fn flipped<V: Lanes>(self, m: V) -> V {
        if self == Along::Rows { m.flip(32) } else { m.reverse() }
    }

    /// Line k as line `sum - k`.
    #[inline(always)]
    fn mirrored<V: Lanes>(self, m: V, sum: u32) -> V {
        self.moved(self.flipped(m), sum as i32 - 31)
    }

    /// The lines below a number.
    #[inline(always)]
    fn below<V: Lanes>(self, n: u32) -> V {
        if self == Along::Rows { V::below(n) } else { V::splat(low_bits(n)) }
    }
}

impl<V: Lanes> Cells<V> {
    /// Those of a grid that do not have a colour.
    #[inline(always)]
    fn not_hidden(g: &Grid<V>, hidden: i32) -> Cells<V> {
        let cells = g.cells();
        Cells { at: cells & !g.planes.eq(hidden as u32, cells), colors: g.planes }
    }

    /// Every cell together with those a multiple of `step` lines on, where they agree; `None` where two
    /// do not.
    #[inline(always)]
    fn folded(self, along: Along, step: u32) -> Option<Cells<V>> {
        let (mut all, mut by) = (self, step as i32);
        while by < 32 {
            let there = along.moved(all.at, -by);
            let colors = mapped!(all.colors, |p: V| along.moved(p, -by));
            if (there & all.at & colors.differ(all.colors)).any() {
                return None;
            }
            all.colors = all.colors.painted(there & !all.at, colors);
            all.at = all.at | there;
            by *= 2;
        }
        Some(all)
    }

    /// Those within some bits.
    #[inline(always)]
    fn within(self, m: V) -> Cells<V> {
        Cells { at: self.at & m, colors: mapped!(self.colors, |p: V| p & m) }
    }

    /// All of them again every `step` lines on.
    #[inline(always)]
    fn repeated(self, along: Along, step: u32) -> Cells<V> {
        let (mut all, mut by) = (self, step as i32);
        while by < 32 {
            let more = Cells {
                at: along.moved(all.at, by),
                colors: mapped!(all.colors, |p: V| along.moved(p, by)),
            };
            all = filled(all, more);
            by *= 2;
        }
        all
    }

    /// The steps after which lines agree, as bits from 1 on, of those below a number.
    #[inline(always)]
    fn steps(self, along: Along, lines: u32) -> u64 {
        let (mut steps, mut by) = (0, 1);
        while by <= lines {
            let there = along.moved(self.at, -(by as i32));
            let colors = mapped!(self.colors, |p: V| along.moved(p, -(by as i32)));
            let wrong = there & self.at & colors.differ(self.colors);
            steps |= u64::from(!wrong.any()) << (by & 63);
            by += 1;
        }
        steps
    }
}

/// A grid with one colour filled in from the smallest tile that repeats.
#[inline(always)]
pub fn tiled<V: Lanes>(cx: Cx, grid: Val, hidden: Val) -> Val {
    let (g, _) = held!(full_grid::<V>(cx, grid));
    let known = Cells::not_hidden(&g, held!(int(hidden)));
    // A tile's rows agree with those below them, whatever its columns are, so most sizes are out at once.
    let downs = known.steps(Along::Rows, g.height);
    let acrosses = known.steps(Along::Columns, g.width);
    let mut sum = 2;
    while sum <= g.height + g.width {
        let mut p = if sum > g.width { sum - g.width } else { 1 };
        while p < sum && p <= g.height {
            let q = sum - p;
            if 2 * p * q <= g.height * g.width
                && downs >> (p & 63) & acrosses >> (q & 63) & 1 != 0
                && let Some(bands) = known.folded(Along::Rows, p)
                && let Some(folded) = bands.folded(Along::Columns, q)
            {
                let size = Bounds { top: 0, left: 0, bottom: p as i32 - 1, right: q as i32 - 1 };
                let tile = folded.within(rectangle(size));
                let all = tile.repeated(Along::Rows, p).repeated(Along::Columns, q);
                let gaps = g.cells() & !known.at & all.at;
                return Grid::make(cx, g.planes.painted(gaps, all.colors), g.height, g.width);
            }
            p += 1;
        }
        sum += 1;
    }
    Val::error(Fault::Value)
}

/// A grid with one colour filled in by its mirror symmetry.
#[inline(always)]
pub fn mended<V: Lanes>(cx: Cx, grid: Val, hidden: Val) -> Val {
    let (g, _) = held!(full_grid::<V>(cx, grid));
    let known = Cells::not_hidden(&g, held!(int(hidden)));
    let (across, down) = (axis(&g, known, Along::Columns), axis(&g, known, Along::Rows));
    if across.is_none() && down.is_none() {
        return Val::error(Fault::Value);
    }
    // Nothing is filled in outside of the grid.
    let mut all = Cells { at: known.at | !g.cells(), colors: known.colors };
    let beside = across.map(|sum| mirrored(known, Along::Columns, sum));
    if let Some(beside) = beside {
        all = filled(all, beside);
    }
    if let Some(sum) = down {
        all = filled(all, mirrored(known, Along::Rows, sum));
        if let Some(beside) = beside {
            all = filled(all, mirrored(beside, Along::Rows, sum));
        }
    }
    Grid::make(cx, all.colors, g.height, g.width)
}

/// Cells, and others where there are none yet.
#[inline(always)]
fn filled<V: Lanes>(all: Cells<V>, with: Cells<V>) -> Cells<V> {
    let gaps = with.at & !all.at;
    Cells { at: all.at | gaps, colors: all.colors.painted(gaps, with.colors) }
}

/// Line k of some cells as line `sum - k`.
#[inline(always)]
fn mirrored<V: Lanes>(cells: Cells<V>, along: Along, sum: u32) -> Cells<V> {
    Cells {
        at: along.mirrored(cells.at, sum),
        colors: mapped!(cells.colors, |p: V| along.mirrored(p, sum)),
    }
}

/// The axis about which most cells mirror each other and none contradict, as the sum of the numbers of two
/// lines that do; the one nearest to the middle on a tie, `None` where a quarter of the cells does not.
#[inline(always)]
fn axis<V: Lanes>(g: &Grid<V>, known: Cells<V>, along: Along) -> Option<u32> {
    let lines = along.lines(g);
    if lines < 2 {
        return None;
    }
    let middle = lines - 1;
    let there = along.flipped(known.at);
    let colors = mapped!(known.colors, |p: V| along.flipped(p));
    let (mut best, mut found, mut try_) = (0, None, 0);
    // The middle, then one before it, one after it, two before it and so on.
    while try_ <= 2 * ((lines - 2) / 2) {
        let off = try_.div_ceil(2);
        let sum = if try_ & 1 == 1 { middle - off } else { middle + off };
        let by = sum as i32 - 31;
        let both = known.at & along.moved(there, by);
        let moved = mapped!(colors, |p: V| along.moved(p, by));
        if !(both & moved.differ(known.colors)).any() {
            // Both cells of a pair see each other; the first one counts, and a line on the axis does not.
            let count = (both & along.below(sum.div_ceil(2))).count();
            if count > best {
                (best, found) = (count, Some(sum));
            }
        }
        try_ += 1;
    }
    if 8 * best >= g.height * g.width { found } else { None }
}
