//! Building sets and tuples from values that can be read by number.
//!
//! Whoever has the values (a column, an array, two containers) passes a function that reads the
//! k-th one, so nothing is copied where bits can hold the result.

mod far;
pub(crate) mod places;
pub(crate) mod rows;
mod scan;
mod spill;
mod spread;
mod tiles;
mod union;

pub use spill::spill;
use spill::spill_into;
pub use spread::{stamped, stamped_far, stamped_widely};
pub use union::{concat, concat_bytes, seen, union, union_two, unite};

use crate::arena::Cx;
use crate::grid::{Grid, Planes};
use crate::lanes::Lanes;
use crate::lanes::boost::boosted;
use crate::mask::{self, Bounds};
use crate::patch;
use crate::seq::{List, len, two, write_items};
use crate::val::{Tag, Val};
use crate::wide::Wide;
use rows::Unlike;

/// Reads the k-th of some values.
pub trait Read: Fn(u32) -> Val + Copy {}
impl<R: Fn(u32) -> Val + Copy> Read for R {}

/// Collects bits that come one by one, most often row by row.
pub struct Bits<V> {
    rows: V,
    row: u32,
    word: u32,
}

impl<V: Lanes> Bits<V> {
    /// No bits.
    #[inline(always)]
    pub fn new() -> Bits<V> {
        Bits { rows: V::splat(0), row: 0, word: 0 }
    }

    /// Adds a bit of the window.
    #[inline(always)]
    pub fn add(&mut self, row: u32, column: u32) {
        self.add_all(row, 1 << (column & 31));
    }

    /// Adds bits of one row of the window.
    #[inline(always)]
    pub fn add_all(&mut self, row: u32, bits: u32) {
        if row != self.row {
            self.rows.mark(self.row, self.word);
            self.row = row;
            self.word = 0;
        }
        self.word |= bits;
    }

    /// All bits.
    #[inline(always)]
    pub fn rows(&self) -> V {
        self.rows | V::put(self.row, self.word)
    }
}

impl<V: Lanes> Default for Bits<V> {
    fn default() -> Self {
        Bits::new()
    }
}

/// Row and column of a location or a cell.
#[inline(always)]
fn place(v: Val) -> (i32, i32) {
    (v.b() as i32, v.x() as i32)
}

/// The box around some locations or cells; there is at least one.
#[inline(always)]
pub(crate) fn bounds<V: Lanes>(n: u32, get: impl Read) -> Bounds {
    let (i, j) = place(get(0));
    let mut all = Bounds::of(i, j);
    V::each(n, |k| {
        let (i, j) = place(get(k));
        all = all.join(Bounds::of(i, j));
    });
    Bounds {
        top: V::least(all.top),
        bottom: V::most(all.bottom),
        left: V::least(all.left),
        right: V::most(all.right),
    }
}

/// The origin of a window that holds some locations or cells, at least one; `None` where none does, which
/// most often a few of them tell.
#[inline(always)]
fn window(n: u32, get: impl Read) -> Option<(i32, i32)> {
    let (i, j) = place(get(0));
    let (mut all, mut k) = (Bounds::of(i, j), 0);
    while k < n {
        let end = n.min(k + 16);
        while k < end {
            let (i, j) = place(get(k));
            all = all.join(Bounds::of(i, j));
            k += 1;
        }
        if all.height() > 32 || all.width() > 32 {
            return None;
        }
    }
    all.window()
}

/// The set of some values, in any order, repeats allowed. The first bad one decides.
#[inline(always)]
pub fn set<V: Lanes>(cx: Cx, n: u32, get: impl Read) -> Val {
    if n == 0 {
        return Val::EMPTY_SET;
    }
    if V::APART {
        let seen = scan::scan::<V>(n, get);
        if let Some(k) = seen.bad {
            return get(k);
        }
        let plain = if seen.same { scan::set::<V::Out>(cx, n, get, seen) } else { None };
        // No closure: what it calls would be compiled apart.
        return match plain {
            Some(v) => v,
            None => any_set::<V::Out>(cx, n, get, false),
        };
    }
    let tag = get(0).tag();
    let mut other = 0;
    let bad = V::find(n, |k| {
        let v = get(k);
        other |= u32::from(!v.is(tag));
        v.is_bad()
    });
    if let Some(k) = bad {
        return get(k);
    }
    let same = V::joined(other) == 0;
    let bits = match tag {
        _ if !same => None,
        Tag::Int => colors::<V>(n, get),
        Tag::Pair => locations::<V>(cx, n, get),
        Tag::Cell => cells::<V>(cx, n, get),
        _ => None,
    };
    match bits {
        Some(v) => v,
        None => any_set::<V::Out>(cx, n, get, same),
    }
}

/// As [`set`], for an array. Many kernels have this, so it is compiled once for them.
#[cfg_attr(target_arch = "nvptx64", inline(never))]
#[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
pub fn set_of_array<V: Lanes>(cx: Cx, unit: u32, n: u32) -> Val {
    if !V::APART
        && n > 0
        && let Some(elements) = patches(n, |k| cx.val(unit, k))
    {
        return List::of_sets(unit, n, elements).set_by_order::<V::Out>(cx);
    }
    set::<V>(cx, n, |k| cx.val(unit, k))
}

/// The set of some ints; `None` where one is past 31.
#[inline(always)]
pub(crate) fn colors<V: Lanes>(n: u32, get: impl Read) -> Option<Val> {
    let mut bits = 0;
    let past = V::find(n, |k| {
        let color = get(k).x();
        bits |= 1 << (color & 31);
        color > 31
    });
    if past.is_some() { None } else { Some(Val::colors(V::joined(bits))) }
}

/// The set of some locations; `None` where no window holds them.
#[inline(always)]
pub(crate) fn locations<V: Lanes>(cx: Cx, n: u32, get: impl Read) -> Option<Val> {
    if V::APART {
        return scan::held::<V::Out>(cx, n, get, scan::scan::<V>(n, get), false);
    }
    let (oi, oj) = window(n, get)?;
    let m = V::gathered(n, |k| {
        let (i, j) = place(get(k));
        Some(((i - oi) as u32, (j - oj) as u32))
    });
    Some(mask::make(cx, m, (oi, oj)))
}

/// The set of some cells; `None` where no window holds them, or one place has two colours.
#[inline(always)]
pub(crate) fn cells<V: Lanes>(cx: Cx, n: u32, get: impl Read) -> Option<Val> {
    if V::APART {
        let seen = scan::scan::<V>(n, get);
        return if seen.palette.1 { None } else { scan::held::<V::Out>(cx, n, get, seen, true) };
    }
    let (oi, oj) = window(n, get)?;
    let (m, planes, all) = one_by_one::<V>(n, get, (oi, oj))?;
    Some(if all.is_power_of_two() {
        patch::make_mono(cx, m, all.trailing_zeros(), (oi, oj))
    } else {
        patch::make(cx, m, planes, (oi, oj))
    })
}

/// The bits, colours and palette of some cells in a window; `None` where one place has two colours.
type Cells<V> = Option<(V, Planes<V>, u32)>;

#[inline(always)]
fn one_by_one<V: Lanes>(n: u32, get: impl Read, (oi, oj): (i32, i32)) -> Cells<V> {
    let (mut m, mut planes, mut all, mut k) = (V::splat(0), Planes::splat(0), 0_u32, 0);
    while k < n {
        let v = get(k);
        let (i, j) = place(v);
        let (row, column, color) = ((i - oi) as u32, (j - oj) as u32, v.a());
        let bit = 1 << (column & 31);
        // Two colours at one place, or a colour past 15, are no object's bits.
        if color > 15 || (m.get(row) & bit != 0 && planes.at(row, column) != color) {
            return None;
        }
        all |= 1 << (color & 15);
        m.mark(row, bit);
        planes.mark(row, bit, color);
        k += 1;
    }
    Some((m, planes, all))
}

/// How often each colour from 0 to 31 occurs; `None` where there is another one.
#[inline(always)]
pub fn counts<V: Lanes>(cx: Cx, n: u32, color: impl Fn(u32) -> u32) -> Option<[u32; 32]> {
    let (mut all, mut past) = ([0; 32], 0);
    if !V::APART {
        V::read_each(n, color, |_, color| {
            past |= color >> 5;
            all[color as usize & 31] += 1;
        });
        return (past == 0).then_some(all);
    }
    let scratch = cx.taken();
    let unit = cx.take(1)?;
    cx.store(unit, V::splat(0));
    V::meet();
    V::read_each(n, color, |_, color| {
        past |= color >> 5;
        cx.add_word(unit, color & 31, 1);
    });
    let mut k = 0;
    while k < 32 {
        all[k as usize & 31] = cx.word(unit, k);
        k += 1;
    }
    V::meet();
    cx.release(scratch);
    (V::joined(past) == 0).then_some(all)
}

/// A set of values that are all locations or all cells; `None` where they are not, or lie too far
/// apart, or where a colour is past 15. None of them is bad.
#[inline(never)]
pub fn set_of_places<V: Lanes>(cx: Cx, n: u32, get: impl Read) -> Option<Val> {
    if n == 0 {
        return None;
    }
    let tag = get(0).tag();
    if !matches!(tag, Tag::Pair | Tag::Cell) {
        return None;
    }
    let mut k = 1;
    while k < n {
        if !get(k).is(tag) {
            return None;
        }
        k += 1;
    }
    let bits = if tag == Tag::Pair { locations::<V>(cx, n, get) } else { cells::<V>(cx, n, get) };
    match bits {
        Some(v) => Some(v),
        None => spread::sorted::<V::Out>(cx, n, get),
    }
}

/// A set that bits cannot hold.
#[inline(never)]
fn any_set<V: Lanes>(cx: Cx, n: u32, get: impl Read, same: bool) -> Val {
    if same
        && matches!(get(0).tag(), Tag::Pair | Tag::Cell)
        && let Some(v) = spread::sorted::<V::Out>(cx, n, get)
    {
        return v;
    }
    if let (false, true, Tag::Int) = (V::APART, same, get(0).tag())
        && let Some(v) = small_ints(cx, n, get)
    {
        return v;
    }
    if !V::APART
        && same
        && let Some(elements) = patches(n, get)
    {
        let Some(unit) = cx.take_vals(n) else { return Val::BACK };
        V::each(n, |k| cx.put(unit, k, get(k)));
        return List::of_sets(unit, n, elements).set_by_order::<V::Out>(cx);
    }
    // Many bodies give nothing; one of those is enough.
    if V::APART {
        let nothing = V::find(n, |k| get(k).is_empty_set());
        let kept = |k: u32| nothing == Some(k) || !get(k).is_empty_set();
        let mut count = 0;
        V::each(n, |k| count += u32::from(kept(k)));
        let Some(unit) = cx.take_vals(V::added(count)) else { return Val::BACK };
        V::meet();
        let len = V::pick(n, kept, |at, k| cx.put_own(unit, at, get(k)));
        V::meet();
        return List::over::<V>(cx, unit, len).set_by_order::<V::Out>(cx);
    }
    let Some(mut list) = List::new(cx, n) else { return Val::BACK };
    let (mut nothing, mut k) = (false, 0);
    while k < n {
        let v = get(k);
        if !(nothing && v.is_empty_set()) {
            list.push(cx, v);
        }
        nothing |= v.is_empty_set();
        k += 1;
    }
    list.set_by_order::<V::Out>(cx)
}

/// How many elements some values have together, at least one, where all are masks or all are objects.
#[inline(always)]
fn patches(n: u32, get: impl Read) -> Option<u32> {
    let (tag, mut elements, mut k) = (get(0).tag(), 0u32, 0);
    if !matches!(tag, Tag::Mask | Tag::Object) {
        return None;
    }
    while k < n {
        let v = get(k);
        if !v.is(tag) {
            return None;
        }
        elements = elements.saturating_add(v.extra());
        k += 1;
    }
    Some(elements)
}

/// A set of ints as an array; `None` where one is not below 1024, or where there is no room.
#[inline(always)]
fn small_ints(cx: Cx, n: u32, get: impl Read) -> Option<Val> {
    let (mut words, mut past, mut k) = ([0u32; 32], 0, 0);
    while k < n {
        let int = get(k).x();
        past |= int >> 10;
        words[int as usize >> 5 & 31] |= 1 << (int & 31);
        k += 1;
    }
    if past != 0 {
        return None;
    }
    let unit = cx.take_vals(words.iter().map(|word| word.count_ones()).sum())?;
    let mut at = 0;
    for (high, mut word) in words.into_iter().enumerate() {
        while word != 0 {
            let int = high as i32 * 32 + word.trailing_zeros() as i32;
            cx.put(unit, at, Val::int(int));
            word &= word - 1;
            at += 1;
        }
    }
    Some(List::plain(unit, at).array())
}

/// The tuple of some values. The first bad one decides.
#[inline(always)]
pub fn tuple<V: Lanes>(cx: Cx, n: u32, get: impl Read) -> Val {
    if n == 2 {
        let (a, b) = (get(0), get(1));
        if a.is_bad() || b.is_bad() {
            return if a.is_bad() { a } else { b };
        }
        let v = two(cx, a, b);
        return tidy_tuple::<V>(cx, v, false);
    }
    let Some(list) = List::copied::<V>(cx, n, get) else { return Val::BACK };
    tidy_tuple::<V>(cx, list.tuple(cx), false)
}

/// A tuple of equal rows of small ints as a grid, any other value as it is. Rows of two ints look
/// like locations, so the caller says whether they are rows.
#[inline(always)]
pub fn tidy_tuple<V: Lanes>(cx: Cx, v: Val, pairs_are_rows: bool) -> Val {
    if !v.is(Tag::Tuple) || v.x() == 0 {
        return v;
    }
    let first = cx.val(v.a(), 0);
    let row = match first.tag() {
        Tag::Pair => pairs_are_rows,
        Tag::Tuple => first.x() > 0 && cx.val(first.a(), 0).is(Tag::Int),
        _ => false,
    };
    if row { grid::<V::Out>(cx, v).unwrap_or(v) } else { v }
}

/// The grid that a tuple of rows is.
#[inline(never)]
fn grid<V: Lanes>(cx: Cx, v: Val) -> Option<Val> {
    boosted!(of_rows::<V>(cx: Cx, v: Val) -> Option<Val>)
}

#[inline(always)]
fn of_rows<V: Lanes>(cx: Cx, v: Val) -> Option<Val> {
    let width = len(cx.val(v.a(), 0))?;
    if v.x() > 32 || width > 32 {
        return Wide::of::<V::Out>(cx, v).map(|g| g.to_val::<V::Out>(cx));
    }
    match rows::planes::<V>(cx, v, width) {
        Ok(planes) => Some(Grid::make(cx, planes, v.x(), width)),
        Err(Unlike::Colors) => Wide::of::<V::Out>(cx, v).map(|g| g.to_val::<V::Out>(cx)),
        Err(Unlike::Rows) => None,
    }
}

/// The items of a container as an array: the unit it starts at, and how many there are. `Err` for
/// what is no container, or where the arena is full.
#[inline(always)]
pub fn flat<V: Lanes>(cx: Cx, v: Val) -> Result<(u32, u32), Val> {
    if matches!(v.tag(), Tag::Tuple | Tag::Set) {
        return Ok((v.a(), v.x()));
    }
    flattened::<V>(cx, v)
}

/// As [`flat`], for what is no array. Many kernels have this, so it is compiled once for them.
#[cfg_attr(target_arch = "nvptx64", inline(never))]
#[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
fn flattened<V: Lanes>(cx: Cx, v: Val) -> Result<(u32, u32), Val> {
    let Some(n) = len(v) else { return Err(Val::error(crate::Fault::Type)) };
    let Some(unit) = cx.take_vals(n) else { return Err(Val::BACK) };
    if V::APART {
        spill_into::<V>(cx, v, n, unit, 0);
        V::meet();
        return match V::find(n, |k| cx.val(unit, k).is_bad()) {
            Some(k) => Err(cx.val(unit, k)),
            None => Ok((unit, n)),
        };
    }
    match write_items::<V>(cx, v, unit, 0) {
        Some(n) => Ok((unit, n)),
        None => Err(Val::BACK),
    }
}
