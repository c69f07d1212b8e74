//! Grids that planes cannot hold, past 32 on a side or with other colours: a byte for every cell.

mod eight;

use core::cmp::Ordering;

use crate::arena::Cx;
use crate::gather;
use crate::grid::{Grid, Planes};
use crate::lanes::Lanes;
use crate::seq::{List, grid_elements, item, len};
use crate::val::{Fault, MAX_ELEMENTS, Tag, Val};
use eight::{HIGH, IN_BYTES, transposed};
pub use eight::{equal_bytes, lowest_bits};

/// A grid as bytes, row by row.
#[derive(Clone, Copy, Debug)]
pub struct Wide {
    unit: u32,
    /// Rows, at least one.
    pub height: u32,
    /// Columns, at least one.
    pub width: u32,
}

/// The byte that a colour is.
#[inline(always)]
pub fn byte(color: Val) -> Option<u8> {
    let n = color.as_int()?;
    (-128..128).contains(&n).then_some(n as u8)
}

/// The colour that a byte is.
#[inline(always)]
pub fn color(byte: u8) -> Val {
    Val::int(i32::from(byte as i8))
}

impl Wide {
    /// Room for a grid; the error that it is too large, or a hand-back where there is no room.
    #[inline(always)]
    pub fn new(cx: Cx, height: u32, width: u32) -> Result<Wide, Val> {
        if grid_elements(height, width) > u64::from(MAX_ELEMENTS) {
            return Err(Val::error(Fault::Size));
        }
        if height == 0 || width == 0 || height > 0xffff || width > 0xffff {
            return Err(Val::BACK);
        }
        let unit = cx.take_bytes(height * width).ok_or(Val::BACK)?;
        Ok(Wide { unit, height, width })
    }

    /// The grid that a value is, in its own form.
    #[inline(always)]
    pub fn load(v: Val) -> Option<Wide> {
        let (height, width) = v.dims();
        v.is(Tag::Wide).then_some(Wide { unit: v.a(), height, width })
    }

    /// The grid that a value is in any form; `None` where bytes cannot hold it.
    #[inline(never)]
    pub fn of<V: Lanes>(cx: Cx, v: Val) -> Option<Wide> {
        match v.tag() {
            Tag::Wide => Wide::load(v),
            Tag::Grid => Wide::of_planes(cx, &Grid::<V>::load(cx, v)?),
            Tag::Tuple if v.x() > 0 => {
                let width = len(cx.val(v.a(), 0))?;
                let mut i = 0;
                while i < v.x() {
                    let row = cx.val(v.a(), i);
                    if !matches!(row.tag(), Tag::Tuple | Tag::Pair) || len(row) != Some(width) {
                        return None;
                    }
                    i += 1;
                }
                let wide = Wide::new(cx, v.x(), width).ok()?;
                wide.fill_rows::<V>(cx, |i, j| byte(item::<V>(cx, cx.val(v.a(), i), j)))
            }
            _ => None,
        }
    }

    /// A grid of planes as bytes; `None` where there is no room.
    #[inline(never)]
    pub fn of_planes<V: Lanes>(cx: Cx, grid: &Grid<V>) -> Option<Wide> {
        let wide = Wide::new(cx, grid.height, grid.width).ok()?;
        if V::APART {
            // Every lane has a row of the planes.
            let [a, b, c, d] = grid.planes.0;
            V::meet();
            V::each(grid.height, |i| {
                let (mut words, mut j) = ([a.own(i), b.own(i), c.own(i), d.own(i)], 0);
                while j < grid.width {
                    let [a, b, c, d] = words.map(|word| word & 1);
                    let color = a | b << 1 | c << 2 | d << 3;
                    cx.put_own_byte(wide.unit, i * grid.width + j, color as u8);
                    words = words.map(|word| word >> 1);
                    j += 1;
                }
            });
            V::meet();
            return Some(wide);
        }
        wide.draw(cx, &grid.planes);
        Some(wide)
    }

    /// Sets all cells to the colours of planes, eight at a time.
    #[inline(always)]
    fn draw<V: Lanes>(self, cx: Cx, planes: &Planes<V>) {
        let ([a, b, c, d], mut i) = (planes.0, 0);
        while i < self.height {
            let (rows, mut j) = ([a.get(i), b.get(i), c.get(i), d.get(i)], 0);
            while j < self.width {
                let [a, b, c, d] = rows.map(|row| IN_BYTES[(row >> j & 0xff) as usize]);
                self.put_eight(cx, i, j, a | b << 1 | c << 2 | d << 3);
                j += 8;
            }
            i += 1;
        }
    }

    /// Sets a cell and those after it, up to eight; past the end of its row they are set to anything, so
    /// rows are set in their order.
    #[inline(always)]
    fn put_eight(self, cx: Cx, i: u32, j: u32, bytes: u64) {
        let (at, end) = (i * self.width + j, self.height * self.width);
        if at + 8 <= end {
            return cx.put_eight_bytes(self.unit, at, bytes);
        }
        let (mut k, mut left) = (at, bytes);
        while k < end {
            cx.put_byte(self.unit, k, left as u8);
            left >>= 8;
            k += 1;
        }
    }

    /// The bytes of a cell and those after it in its row, up to eight, the first one lowest.
    #[inline(always)]
    pub fn eight(&self, cx: Cx, i: u32, j: u32) -> u64 {
        let (at, end) = (i * self.width + j, self.height * self.width);
        let within = (self.width - j).min(8);
        if at + 8 <= end {
            return cx.eight_bytes(self.unit, at) & u64::MAX >> ((8 - within) * 8);
        }
        let (mut bytes, mut k) = (0, within);
        while k > 0 {
            k -= 1;
            bytes = bytes << 8 | u64::from(cx.byte(self.unit, at + k));
        }
        bytes
    }

    #[inline(always)]
    fn fill_rows<V: Lanes>(self, cx: Cx, cell: impl Fn(u32, u32) -> Option<u8>) -> Option<Wide> {
        if V::APART {
            V::meet();
            let none = V::find(self.height * self.width, |k| {
                let cell = cell(k / self.width.max(1), k % self.width.max(1));
                cx.put_own_byte(self.unit, k, cell.unwrap_or(0));
                cell.is_none()
            });
            V::meet();
            return if none.is_none() { Some(self) } else { None };
        }
        let mut i = 0;
        while i < self.height {
            let mut j = 0;
            while j < self.width {
                self.put(cx, i, j, cell(i, j)?);
                j += 1;
            }
            i += 1;
        }
        Some(self)
    }

    /// A grid of a size whose cells are given one by one.
    #[inline(always)]
    pub fn make<V: Lanes>(cx: Cx, height: u32, width: u32, cell: impl Fn(u32, u32) -> u8) -> Val {
        match Wide::new(cx, height, width) {
            Ok(wide) => {
                wide.fill_rows::<V>(cx, |i, j| Some(cell(i, j)));
                wide.to_val::<V::Out>(cx)
            }
            Err(bad) => bad,
        }
    }

    /// A copy to be changed; `None` where there is no room.
    #[inline(always)]
    pub fn copied(self, cx: Cx) -> Option<Wide> {
        let copy = Wide::new(cx, self.height, self.width).ok()?;
        cx.copy_bytes((copy.unit, 0), (self.unit, 0), self.height * self.width);
        Some(copy)
    }

    /// The byte of a cell.
    #[inline(always)]
    pub fn at(&self, cx: Cx, i: u32, j: u32) -> u8 {
        cx.byte(self.unit, i * self.width + j)
    }

    /// The byte of the k-th cell, row by row.
    #[inline(always)]
    pub fn nth(&self, cx: Cx, k: u32) -> u8 {
        cx.byte(self.unit, k)
    }

    /// Sets the byte of a cell.
    #[inline(always)]
    pub fn put(&self, cx: Cx, i: u32, j: u32, byte: u8) {
        cx.put_byte(self.unit, i * self.width + j, byte);
    }

    /// Sets the byte of a cell, as one of several that share cells out.
    #[inline(always)]
    pub fn put_own(&self, cx: Cx, i: u32, j: u32, byte: u8) {
        cx.put_own_byte(self.unit, i * self.width + j, byte);
    }

    /// Sets `n` cells of a row to neighbours of another grid's; rows and first columns.
    #[inline(always)]
    pub fn copy(&self, cx: Cx, to: (u32, u32), from: &Wide, at: (u32, u32), n: u32) {
        let (to, at) = (to.0 * self.width + to.1, at.0 * from.width + at.1);
        cx.copy_bytes((self.unit, to), (from.unit, at), n);
    }

    /// Columns for rows, in blocks of eight by eight: the rows of each from the last one upwards or not,
    /// the columns from the last one on or not.
    #[inline(never)]
    pub fn aside(&self, cx: Cx, upwards: bool, leftwards: bool) -> Result<Wide, Val> {
        let to = Wide::new(cx, self.width, self.height)?;
        if self.height == 1 || self.width == 1 {
            let reversed = if self.width == 1 { upwards } else { leftwards };
            to.take_line(cx, self, reversed);
            return Ok(to);
        }
        let eight_from = |row: u32, column: u32| {
            if row >= self.height {
                return 0;
            }
            let row = if upwards { self.height - 1 - row } else { row };
            if !leftwards {
                return self.eight(cx, row, column);
            }
            // The eight that end at a column counted from the right, and begin where there are so many.
            let end = self.width - column;
            let short = 8 - end.min(8);
            (self.eight(cx, row, end + short - 8) << (short * 8)).swap_bytes()
        };
        let mut i = 0;
        while i < to.height {
            // What is set past the end of a row is set again with the first block of the next one.
            let mut j = to.width.div_ceil(8) * 8;
            while j > 0 {
                j -= 8;
                let mut block = [0; 8];
                for (row, bytes) in block.iter_mut().enumerate() {
                    *bytes = eight_from(j + row as u32, i);
                }
                for (row, bytes) in transposed(block).into_iter().enumerate() {
                    if i + (row as u32) < to.height {
                        to.put_eight(cx, i + row as u32, j, bytes);
                    }
                }
            }
            i += 8;
        }
        Ok(to)
    }

    /// Sets all cells to those of another grid with as many, in its order or from its last one on.
    #[inline(always)]
    fn take_line(self, cx: Cx, from: &Wide, reversed: bool) {
        let (n, mut k) = (self.height * self.width, 0);
        if !reversed {
            return cx.copy_bytes((self.unit, 0), (from.unit, 0), n);
        }
        while k + 8 <= n {
            let bytes = cx.eight_bytes(from.unit, n - 8 - k).swap_bytes();
            cx.put_eight_bytes(self.unit, k, bytes);
            k += 8;
        }
        while k < n {
            cx.put_byte(self.unit, k, from.nth(cx, n - 1 - k));
            k += 1;
        }
    }

    /// A row as a tuple.
    #[inline(never)]
    pub fn row<V: Lanes>(&self, cx: Cx, i: u32) -> Val {
        let cell = |j: u32| color(self.at(cx, i, j));
        if !V::APART {
            let Some(unit) = cx.take_vals(self.width) else { return Val::BACK };
            V::each(self.width, |j| cx.put(unit, j, cell(j)));
            return List::plain(unit, self.width).tuple(cx);
        }
        List::copied::<V>(cx, self.width, cell).map_or(Val::BACK, |list| list.tuple(cx))
    }

    /// The grid as a value: planes where they hold it.
    #[inline(never)]
    pub fn to_val<V: Lanes>(self, cx: Cx) -> Val {
        if self.height <= 32
            && self.width <= 32
            && let Some(planes) = self.planes::<V>(cx)
        {
            return Grid::make(cx, planes, self.height, self.width);
        }
        Val::new(Tag::Wide, 0, self.unit, 0, self.height | self.width << 16)
    }

    #[inline(always)]
    fn planes<V: Lanes>(&self, cx: Cx) -> Option<Planes<V>> {
        if V::APART {
            if V::find(self.height * self.width, |k| self.nth(cx, k) > 15).is_some() {
                return None;
            }
            let plane = |bit: u32| {
                V::made(|i| {
                    let (mut word, mut j) = (0, 0);
                    while i < self.height && j < self.width {
                        word |= (u32::from(self.at(cx, i, j)) >> bit & 1) << (j & 31);
                        j += 1;
                    }
                    word
                })
            };
            return Some(Planes([plane(0), plane(1), plane(2), plane(3)]));
        }
        let ([mut a, mut b, mut c, mut d], mut i) = ([V::splat(0); 4], 0);
        while i < self.height {
            let (mut words, mut j) = ([0u32; 4], 0);
            while j < self.width {
                let bytes = self.eight(cx, i, j);
                if bytes & HIGH != 0 {
                    return None;
                }
                for (bit, word) in words.iter_mut().enumerate() {
                    *word |= u32::from(lowest_bits(bytes >> bit)) << (j & 31);
                }
                j += 8;
            }
            a.mark(i, words[0]);
            b.mark(i, words[1]);
            c.mark(i, words[2]);
            d.mark(i, words[3]);
            i += 1;
        }
        Some(Planes([a, b, c, d]))
    }

    /// Whether a row is of one colour.
    #[inline(always)]
    pub fn is_uniform_row(&self, cx: Cx, i: u32) -> bool {
        let mut j = 1;
        while j < self.width && self.at(cx, i, j) == self.at(cx, i, 0) {
            j += 1;
        }
        j >= self.width
    }

    /// Whether a column is of one colour.
    #[inline(always)]
    pub fn is_uniform_column(&self, cx: Cx, j: u32) -> bool {
        let mut i = 1;
        while i < self.height && self.at(cx, i, j) == self.at(cx, 0, j) {
            i += 1;
        }
        i >= self.height
    }

    /// How often each byte occurs among the colours from 0 to 31; `None` where another occurs.
    #[inline(never)]
    pub fn counts<V: Lanes>(&self, cx: Cx) -> Option<[u32; 32]> {
        gather::counts::<V>(cx, self.height * self.width, |k| u32::from(self.nth(cx, k)))
    }

    /// How often each colour from 0 to 31 occurs, lane by lane; and whether another one does.
    #[inline(never)]
    pub fn tally<V: Lanes>(&self, cx: Cx) -> (V, bool) {
        V::tally(self.height * self.width, |k| u32::from(self.nth(cx, k)))
    }

    /// The colours that occur, as bits; `None` where one is not from 0 to 31.
    #[inline(never)]
    pub fn palette<V: Lanes>(&self, cx: Cx) -> Option<u32> {
        let cells = self.height * self.width;
        let (mut bits, mut past) = (0, 0);
        // Four cells at a time.
        V::read_each(
            cells / 4,
            |k| cx.word(self.unit, k),
            |_, four| {
                let bit = |k: u32| 1 << (four >> (8 * k) & 31);
                past |= four & 0xe0e0_e0e0;
                bits |= bit(0) | bit(1) | bit(2) | bit(3);
            },
        );
        V::each(cells % 4, |k| {
            let color = u32::from(self.nth(cx, cells - 1 - k));
            past |= color >> 5;
            bits |= 1 << (color & 31);
        });
        if V::joined(past) == 0 { Some(V::joined(bits)) } else { None }
    }

    /// How many cells have a colour.
    #[inline(never)]
    pub fn count<V: Lanes>(&self, cx: Cx, color: Val) -> u32 {
        byte(color).map_or(0, |byte| self.count_byte::<V>(cx, byte))
    }

    #[inline(always)]
    fn count_byte<V: Lanes>(&self, cx: Cx, byte: u8) -> u32 {
        let (cells, all) = (self.height * self.width, u32::from(byte) * 0x0101_0101);
        let mut count = 0;
        // Four cells at a time: those that are like it leave a byte of zeros.
        V::read_each(
            cells / 4,
            |k| cx.word(self.unit, k),
            |_, four| {
                let unlike = four ^ all;
                let carried = (unlike & 0x7f7f_7f7f) + 0x7f7f_7f7f;
                count += (!(unlike | carried) & 0x8080_8080).count_ones();
            },
        );
        V::each(cells % 4, |k| count += u32::from(self.nth(cx, cells - 1 - k) == byte));
        V::added(count)
    }

    /// The commonest colour, the smallest on a tie; `None` where one is not from 0 to 31. For few colours.
    #[inline(always)]
    pub fn commonest<V: Lanes>(&self, cx: Cx) -> Option<u32> {
        let (mut left, mut best, mut most) = (self.palette::<V>(cx)?, 0, 0);
        while left != 0 {
            let color = left.trailing_zeros();
            left &= left - 1;
            let count = self.count_byte::<V>(cx, color as u8);
            if count > most {
                (best, most) = (color, count);
            }
        }
        Some(best)
    }

    /// How two of them compare as tuples of rows.
    #[inline(never)]
    pub fn compare(&self, cx: Cx, other: &Wide) -> Ordering {
        let rows = if self.width == other.width { self.height.min(other.height) } else { 1 };
        let (mut i, width) = (0, self.width.min(other.width));
        while i < rows {
            let mut j = 0;
            while j < width {
                let (a, b) = (self.at(cx, i, j) as i8, other.at(cx, i, j) as i8);
                if a != b {
                    return a.cmp(&b);
                }
                j += 1;
            }
            i += 1;
        }
        self.width.cmp(&other.width).then(self.height.cmp(&other.height))
    }
}
