//! Grids: four bit planes, one for each bit of a colour.

use crate::arena::{Cx, ROWS};
use crate::lanes::{Lanes, low_bits};
use crate::val::{Tag, Val};

/// A grid, or the colours of an object: bit k of a cell's colour is in plane k.
#[derive(Clone, Copy, Debug)]
pub struct Planes<V>(pub [V; 4]);

/// As [`Planes::map`], with what is done written out in its place: a large function that is called four
/// times is not compiled inside its caller, for the instructions that there are.
macro_rules! mapped {
    ($planes:expr, |$plane:ident: $lanes:ty| $change:expr) => {{
        let planes: $crate::grid::Planes<$lanes> = $planes;
        if <$lanes>::COMPACT {
            planes.map(|$plane| $change)
        } else {
            let mut out = planes.0;
            for plane in &mut out {
                let $plane = *plane;
                *plane = $change;
            }
            $crate::grid::Planes(out)
        }
    }};
}
pub(crate) use mapped;

/// As [`Planes::zip`], written out for the same reason.
macro_rules! zipped {
    ($planes:expr, $others:expr, |$plane:ident: $lanes:ty, $other:ident| $change:expr) => {{
        let planes: $crate::grid::Planes<$lanes> = $planes;
        let others: $crate::grid::Planes<$lanes> = $others;
        if <$lanes>::COMPACT {
            planes.zip(others, |$plane, $other| $change)
        } else {
            let mut out = planes.0;
            for (plane, other) in out.iter_mut().zip(&others.0) {
                let ($plane, $other) = (*plane, *other);
                *plane = $change;
            }
            $crate::grid::Planes(out)
        }
    }};
}
pub(crate) use zipped;

/// As [`Grid::make`], for a size that can be held, with each plane made after the one before it was written.
/// Written out for the same reason.
macro_rules! made_each {
    ($cx:expr, $height:expr, $width:expr, |$k:ident| $plane:expr) => {{
        let cx: $crate::arena::Cx = $cx;
        let Some(unit) = cx.take(4) else { return $crate::val::Val::BACK };
        let mut k = 0;
        while k < 4 {
            let $k = k;
            cx.store(unit + k * $crate::arena::ROWS, $plane);
            k += 1;
        }
        $crate::val::Val::new($crate::val::Tag::Grid, 0, unit, 0, $height | $width << 8)
    }};
}
pub(crate) use made_each;

/// What a method says of the cells of each colour in some lanes, by the lowest three bits of the colours.
/// Written out for the same reason as [`mapped`].
macro_rules! eight {
    ($planes:expr, $lanes:expr, $of:ident) => {{
        let ([a, b, c, _], m) = ($planes.0, $lanes);
        let (low, high) = (m & !c, m & c);
        let (p, q, r, s) = (low & !b, low & b, high & !b, high & b);
        [
            (p & !a).$of(),
            (p & a).$of(),
            (q & !a).$of(),
            (q & a).$of(),
            (r & !a).$of(),
            (r & a).$of(),
            (s & !a).$of(),
            (s & a).$of(),
        ]
    }};
}

impl<V: Lanes> Planes<V> {
    /// What was made by something that is compiled apart.
    #[inline(always)]
    pub fn from_out(planes: Planes<V::Out>) -> Planes<V> {
        let [a, b, c, d] = planes.0;
        Planes([V::from_out(a), V::from_out(b), V::from_out(c), V::from_out(d)])
    }

    /// What is given to something that is compiled apart.
    #[inline(always)]
    pub fn to_out(self) -> Planes<V::Out> {
        let [a, b, c, d] = self.0;
        Planes([a.to_out(), b.to_out(), c.to_out(), d.to_out()])
    }

    /// The same colour everywhere.
    #[inline(always)]
    pub fn splat(color: u32) -> Planes<V> {
        let bit = |k: u32| V::splat(0u32.wrapping_sub(color >> k & 1));
        Planes([bit(0), bit(1), bit(2), bit(3)])
    }

    /// The same done to every plane.
    #[inline(always)]
    pub fn map(self, f: impl Fn(V) -> V) -> Planes<V> {
        let [a, b, c, d] = self.0;
        Planes([f(a), f(b), f(c), f(d)])
    }

    /// Both planes at a time.
    #[inline(always)]
    pub fn zip(self, other: Planes<V>, f: impl Fn(V, V) -> V) -> Planes<V> {
        let ([a, b, c, d], [e, g, h, i]) = (self.0, other.0);
        Planes([f(a, e), f(b, g), f(c, h), f(d, i)])
    }

    /// The cells of `m` that have a colour.
    #[inline(always)]
    pub fn eq(self, color: u32, m: V) -> V {
        let [a, b, c, d] = self.0;
        let side = |plane: V, k: u32| plane ^ V::splat((color >> k & 1).wrapping_sub(1));
        if color > 15 {
            return V::splat(0);
        }
        m & side(a, 0) & side(b, 1) & side(c, 2) & side(d, 3)
    }

    /// The cells where two colourings differ.
    #[inline(always)]
    pub fn differ(self, other: Planes<V>) -> V {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        (a ^ e) | (b ^ f) | (c ^ g) | (d ^ h)
    }

    /// The colour of a cell.
    #[inline(always)]
    pub fn at(self, row: u32, column: u32) -> u32 {
        let [a, b, c, d] = self.0;
        let bit = |plane: V| plane.get(row) >> (column & 31) & 1;
        bit(a) | bit(b) << 1 | bit(c) << 2 | bit(d) << 3
    }

    /// These colours, and another colouring where `m` says.
    #[inline(always)]
    pub fn painted(self, m: V, over: Planes<V>) -> Planes<V> {
        // Written out for the same reason as [`mapped`].
        let ([a, b, c, d], [e, f, g, h]) = (self.0, over.0);
        let rest = !m;
        Planes([
            (a & rest) | (e & m),
            (b & rest) | (f & m),
            (c & rest) | (g & m),
            (d & rest) | (h & m),
        ])
    }

    /// Adds a colour at some places of a row that have none yet.
    #[inline(always)]
    pub fn mark(&mut self, row: u32, bits: u32, color: u32) {
        let [a, b, c, d] = &mut self.0;
        let side = |k: u32| bits & 0u32.wrapping_sub(color >> k & 1);
        a.mark(row, side(0));
        b.mark(row, side(1));
        c.mark(row, side(2));
        d.mark(row, side(3));
    }

    /// The smallest or the largest colour in `m`, which is not empty, and where it is.
    #[inline(always)]
    pub fn extreme(self, m: V, largest: bool) -> (u32, V) {
        // Bit by bit from the highest, keeping the cells that are still in question.
        let [a, b, c, d] = self.0;
        let (m, high) = narrow(m, d, largest);
        let (m, half) = narrow(m, c, largest);
        let (m, low) = narrow(m, b, largest);
        let (m, last) = narrow(m, a, largest);
        (high << 3 | half << 2 | low << 1 | last, m)
    }

    /// How often each colour occurs in `m`.
    #[inline(always)]
    pub fn counts(self, m: V) -> [u32; 16] {
        if V::COMPACT {
            return self.counts_apart(m);
        }
        let [.., high] = self.0;
        let (low, high) = (m & !high, m & high);
        // Colours from 8 on are rare; most grids have none.
        let more = if high.any() { eight!(self, high, count) } else { [0; 8] };
        let ([a, b, c, d, e, f, g, h], [i, j, k, l, n, o, p, q]) = (eight!(self, low, count), more);
        [a, b, c, d, e, f, g, h, i, j, k, l, n, o, p, q]
    }

    /// As [`Planes::counts`], colour by colour, which is less to compile.
    #[inline(always)]
    fn counts_apart(self, m: V) -> [u32; 16] {
        let [_, _, _, high] = self.0;
        // Numbers that are known when this is compiled keep the counts in registers.
        let count = |c: u32| self.eq(c, m).count();
        let eight = |c| [c, c + 1, c + 2, c + 3, c + 4, c + 5, c + 6, c + 7].map(count);
        let (low, high) = (eight(0), if (high & m).any() { eight(8) } else { [0; 8] });
        let ([a, b, c, d, e, f, g, h], [i, j, k, l, n, o, p, q]) = (low, high);
        [a, b, c, d, e, f, g, h, i, j, k, l, n, o, p, q]
    }

    /// The colours that occur in `m`, as bits.
    #[inline(always)]
    pub fn palette(self, m: V) -> u32 {
        if V::COMPACT {
            return self.palette_apart(m);
        }
        let [.., high] = self.0;
        let (low, high) = (m & !high, m & high);
        let more = if high.any() { bits(eight!(self, high, any)) } else { 0 };
        bits(eight!(self, low, any)) | more << 8
    }

    /// As [`Planes::palette`], colour by colour, which is less to compile.
    #[inline(always)]
    fn palette_apart(self, m: V) -> u32 {
        let [_, _, _, high] = self.0;
        let many = (high & m).any();
        if V::APART {
            // Every lane finds those of its row; they are put together once.
            let mut bits = eight_bits(eight!(self, m & !high, filled), 0);
            if many {
                bits = bits | eight_bits(eight!(self, m & high, filled), 8);
            }
            return bits.or_all();
        }
        let colors = if many { 16 } else { 8 };
        let (mut bits, mut c) = (0, 0);
        while c < colors {
            bits |= u32::from(self.eq(c, m).any()) << c;
            c += 1;
        }
        bits
    }
}

/// For each of eight whose rows are filled or empty a bit of each row, from one on.
#[inline(always)]
fn eight_bits<V: Lanes>([a, b, c, d, e, f, g, h]: [V; 8], from: u32) -> V {
    let bit = |one: V, k: u32| one & V::splat(1 << (from + k));
    bit(a, 0) | bit(b, 1) | bit(c, 2) | bit(d, 3) | bit(e, 4) | bit(f, 5) | bit(g, 6) | bit(h, 7)
}

/// Which of eight hold, as bits.
#[inline(always)]
fn bits([a, b, c, d, e, f, g, h]: [bool; 8]) -> u32 {
    let bit = |one: bool, k: u32| u32::from(one) << k;
    bit(a, 0) | bit(b, 1) | bit(c, 2) | bit(d, 3) | bit(e, 4) | bit(f, 5) | bit(g, 6) | bit(h, 7)
}

/// The cells of `m` whose bit in a plane is the larger one that occurs, or the smaller one, and the bit.
#[inline(always)]
fn narrow<V: Lanes>(m: V, plane: V, larger: bool) -> (V, u32) {
    let (ones, zeros) = (m & plane, m & !plane);
    let one = if larger { ones.any() } else { !zeros.any() };
    (if one { ones } else { zeros }, u32::from(one))
}

/// The commonest colour, the smallest on a tie; `None` if there is none.
#[inline(always)]
pub fn most(counts: &[u32; 16]) -> Option<u32> {
    let (mut best, mut color) = (0, None);
    let mut c = 0;
    while c < 16 {
        if counts[c] > best {
            best = counts[c];
            color = Some(c as u32);
        }
        c += 1;
    }
    color
}

/// The rarest colour that occurs, the smallest on a tie; `None` if there is none.
#[inline(always)]
pub fn least(counts: &[u32; 16]) -> Option<u32> {
    let (mut best, mut color) = (u32::MAX, None);
    let mut c = 0;
    while c < 16 {
        if counts[c] > 0 && counts[c] < best {
            best = counts[c];
            color = Some(c as u32);
        }
        c += 1;
    }
    color
}

/// A grid: its colours and its size. Bits outside the size are zero.
#[derive(Clone, Copy, Debug)]
pub struct Grid<V> {
    /// The colours.
    pub planes: Planes<V>,
    /// Rows, 1 to 32.
    pub height: u32,
    /// Columns, 1 to 32.
    pub width: u32,
}

impl<V: Lanes> Grid<V> {
    /// The grid that a value is, in its own form. Other tuples may be grids too: see [`Grid::of`].
    #[inline(always)]
    pub fn load(cx: Cx, v: Val) -> Option<Grid<V>> {
        if !v.is(Tag::Grid) {
            return None;
        }
        let unit = v.a();
        let planes = Planes([
            cx.load(unit),
            cx.load(unit + ROWS),
            cx.load(unit + 2 * ROWS),
            cx.load(unit + 3 * ROWS),
        ]);
        let (height, width) = v.dims();
        Some(Grid { planes, height, width })
    }

    /// What is given to something that is compiled apart.
    #[inline(always)]
    pub fn to_out(self) -> Grid<V::Out> {
        Grid { planes: self.planes.to_out(), height: self.height, width: self.width }
    }

    /// All its cells.
    #[inline(always)]
    pub fn cells(&self) -> V {
        V::below(self.height) & V::splat(low_bits(self.width))
    }

    /// The background: the commonest colour, the smallest on a tie.
    #[inline(always)]
    pub fn background(&self) -> u32 {
        let cells = self.cells();
        let (mut best, mut color) = (0, 0);
        let (mut left, mut c) = (self.height * self.width, 0);
        // Most grids are decided by their first colours: no later one can occur more often.
        while best < left && c < 16 {
            let count = self.planes.eq(c, cells).count();
            if count > best {
                (best, color) = (count, c);
            }
            left -= count;
            c += 1;
        }
        color
    }

    /// A grid as a value. Sizes past 32 and none at all cannot be held in this form.
    #[inline(always)]
    pub fn make(cx: Cx, planes: Planes<V>, height: u32, width: u32) -> Val {
        if !(1..=32).contains(&height) || !(1..=32).contains(&width) {
            return Val::BACK;
        }
        let Some(unit) = cx.take(4) else { return Val::BACK };
        let [a, b, c, d] = planes.0;
        cx.store(unit, a);
        cx.store(unit + ROWS, b);
        cx.store(unit + 2 * ROWS, c);
        cx.store(unit + 3 * ROWS, d);
        Val::new(Tag::Grid, 0, unit, 0, height | width << 8)
    }

    /// The grid as a value.
    #[inline(always)]
    pub fn to_val(self, cx: Cx) -> Val {
        Grid::make(cx, self.planes, self.height, self.width)
    }
}
