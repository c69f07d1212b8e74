//! Tuples read as grids whose rows may be of any length and hold anything, item by item, as the
//! reference engine reads them.

use super::read::held;
use crate::arena::Cx;
use crate::gather;
use crate::lanes::Lanes;
use crate::order::equal;
use crate::seq::{List, item, len};
use crate::val::{Fault, MAX_ELEMENTS, Tag, Val};

/// How many rows a tuple has, all of which are tuples themselves, of any length.
#[inline(never)]
pub(in crate::ops) fn height(cx: Cx, v: Val) -> Result<u32, Val> {
    let mut k = 0;
    match v.tag() {
        Tag::Grid | Tag::Wide => return Ok(v.dims().0),
        Tag::Tuple => {}
        _ => return Err(Val::error(Fault::Type)),
    }
    while k < v.x() {
        if !cx.val(v.a(), k).is_tuple() {
            return Err(Val::error(Fault::Type));
        }
        k += 1;
    }
    Ok(k)
}

/// Height and width; the first row, which must exist, says how wide it is.
#[inline(always)]
pub(in crate::ops) fn dims(cx: Cx, v: Val) -> Result<(u32, u32), Val> {
    let height = height(cx, v)?;
    if height == 0 {
        return Err(Val::error(Fault::Index));
    }
    let width = if v.is(Tag::Tuple) { len(cx.val(v.a(), 0)) } else { Some(v.dims().1) };
    Ok((height, width.unwrap_or(0)))
}

/// A cell; a row may be too short for it.
#[inline(always)]
pub(in crate::ops) fn at<V: Lanes>(cx: Cx, v: Val, i: u32, j: u32) -> Val {
    let row = item::<V>(cx, v, i);
    match len(row) {
        Some(n) if j < n => item::<V>(cx, row, j),
        Some(_) => Val::error(Fault::Index),
        None => row,
    }
}

/// All cells of rows of any length, one after the other.
#[derive(Clone, Copy)]
pub(super) struct Laid {
    /// For each row where it starts and how long it is.
    starts: u32,
    cells: u32,
}

impl Laid {
    /// The cells of so many rows.
    #[inline(never)]
    pub fn of<V: Lanes>(cx: Cx, grid: Val, height: u32) -> Result<Laid, Val> {
        let starts = cx.take_vals(height).ok_or(Val::BACK)?;
        let (mut total, mut i) = (0, 0);
        while i < height {
            let n = len(item::<V>(cx, grid, i)).unwrap_or(0);
            cx.put(starts, i, Val::pair(total as i32, n as i32));
            total += n;
            i += 1;
        }
        let laid = Laid { starts, cells: cx.take_vals(total).ok_or(Val::BACK)? };
        i = 0;
        while i < height {
            let (row, mut j) = (item::<V>(cx, grid, i), 0);
            while j < laid.width(cx, i) {
                laid.put(cx, i, j, item::<V>(cx, row, j));
                j += 1;
            }
            i += 1;
        }
        Ok(laid)
    }

    /// How long a row is.
    #[inline(always)]
    pub fn width(self, cx: Cx, i: u32) -> u32 {
        cx.val(self.starts, i).x()
    }

    /// A cell; the row must be long enough.
    #[inline(always)]
    pub fn at(self, cx: Cx, i: u32, j: u32) -> Val {
        cx.val(self.cells, cx.val(self.starts, i).b() + j)
    }

    /// Changes a cell.
    #[inline(always)]
    pub fn put(self, cx: Cx, i: u32, j: u32, v: Val) {
        cx.put(self.cells, cx.val(self.starts, i).b() + j, v);
    }
}

/// A tuple of `n` items; the first bad one decides.
#[inline(always)]
pub(super) fn tuple_of(cx: Cx, n: u32, item: impl Fn(u32) -> Val) -> Val {
    if n == 0 {
        return Val::EMPTY_TUPLE;
    }
    if n > MAX_ELEMENTS {
        return Val::error(Fault::Size);
    }
    let Some(mut list) = List::new(cx, n) else { return Val::BACK };
    let mut k = 0;
    while k < n {
        list.push(cx, item(k));
        k += 1;
    }
    list.tuple(cx)
}

/// Rows as a grid, where they are one.
#[inline(always)]
fn tidy<V: Lanes>(cx: Cx, v: Val) -> Val {
    gather::tidy_tuple::<V>(cx, v, true)
}

/// Some of a tuple's items: the first and how many.
#[inline(always)]
fn some<V: Lanes>(cx: Cx, v: Val, (from, n): (u32, u32)) -> Val {
    tuple_of(cx, n, |k| item::<V>(cx, v, from + k))
}

/// Some of a tuple's items, which need not be rows.
#[inline(never)]
pub(super) fn slice<V: Lanes>(cx: Cx, v: Val, range: impl Fn(u32) -> (u32, u32)) -> Val {
    let Some(n) = len(v).filter(|_| v.is_tuple()) else { return Val::error(Fault::Type) };
    tidy::<V>(cx, some::<V>(cx, v, range(n)))
}

/// Some of a tuple's rows, and of each some items; rows that are left out may be anything.
#[inline(never)]
pub(super) fn cut<V: Lanes>(
    cx: Cx,
    v: Val,
    rows: impl Fn(u32) -> (u32, u32),
    columns: impl Fn(u32) -> (u32, u32),
) -> Val {
    let Some(n) = len(v).filter(|_| v.is_tuple()) else { return Val::error(Fault::Type) };
    let (from, n) = rows(n);
    let part = tuple_of(cx, n, |k| {
        let row = item::<V>(cx, v, from + k);
        match len(row) {
            Some(width) if row.is_tuple() => some::<V>(cx, row, columns(width)),
            _ if row.is_bad() => row,
            _ => Val::error(Fault::Type),
        }
    });
    tidy::<V>(cx, part)
}

/// Rows of any length with some of their items changed to others: the first of a pair to the second.
#[inline(never)]
pub(super) fn changed<V: Lanes>(cx: Cx, v: Val, changes: &[(Val, Val)]) -> Val {
    let height = held!(height(cx, v));
    let change = |old: Val| {
        for (from, to) in changes {
            match equal::<V>(cx, old, *from) {
                Some(true) => return *to,
                Some(false) => {}
                None => return Val::BACK,
            }
        }
        old
    };
    let plain = changes.iter().all(|(from, to)| from.is(Tag::Int) && to.is(Tag::Int));
    let all = tuple_of(cx, height, |i| {
        let row = item::<V>(cx, v, i);
        if plain && let Some(row) = changed_ints::<V>(cx, row, changes) {
            return row;
        }
        tuple_of(cx, len(row).unwrap_or(0), |j| change(item::<V>(cx, row, j)))
    });
    tidy::<V>(cx, all)
}

/// As [`changed`], for a row of ints that is an array, and ints for ints; `None` for anything else.
#[inline(always)]
fn changed_ints<V: Lanes>(cx: Cx, row: Val, changes: &[(Val, Val)]) -> Option<Val> {
    let are_ints = || V::all(row.x(), |k| cx.val(row.a(), k).is(Tag::Int));
    if !row.is(Tag::Tuple) || row.x() == 0 || !are_ints() {
        return None;
    }
    let unit = cx.take_vals(row.x())?;
    V::each(row.x(), |k| {
        let mut new = cx.val(row.a(), k);
        let found = changes.iter().find(|(from, _)| *from == new);
        if let Some((_, to)) = found {
            new = *to;
        }
        cx.put_own(unit, k, new);
    });
    Some(List::plain(unit, row.x()).tuple(cx))
}

/// The items of a tuple, which need not be rows, in reverse order.
#[inline(never)]
pub(super) fn reversed<V: Lanes>(cx: Cx, v: Val) -> Val {
    let Some(n) = len(v).filter(|_| v.is_tuple()) else { return Val::error(Fault::Type) };
    tidy::<V>(cx, tuple_of(cx, n, |k| item::<V>(cx, v, n - 1 - k)))
}

/// Rows of any length, each reversed.
#[inline(never)]
pub(super) fn each_reversed<V: Lanes>(cx: Cx, v: Val) -> Val {
    let height = held!(height(cx, v));
    tuple_of(cx, height, |i| {
        let row = item::<V>(cx, v, i);
        let width = len(row).unwrap_or(0);
        tuple_of(cx, width, |j| item::<V>(cx, row, width - 1 - j))
    })
}

/// Rows for columns, as many as the shortest row has.
#[inline(never)]
pub(super) fn transposed<V: Lanes>(cx: Cx, v: Val) -> Val {
    let height = held!(height(cx, v));
    let (mut width, mut i) = (u32::MAX, 0);
    while i < height {
        width = width.min(len(item::<V>(cx, v, i)).unwrap_or(0));
        i += 1;
    }
    let width = if height == 0 { 0 } else { width };
    tidy::<V>(cx, tuple_of(cx, width, |j| tuple_of(cx, height, |i| at::<V>(cx, v, i, j))))
}

/// Rows of any length without those of one item only, nor the columns of one item as far as all rows have
/// them.
#[inline(never)]
pub(super) fn compressed<V: Lanes>(cx: Cx, v: Val) -> Val {
    let height = held!(height(cx, v));
    let laid = held!(Laid::of::<V>(cx, v, height));
    let (mut shared, mut longest, mut i) = (u32::MAX, 0, 0);
    while i < height {
        shared = shared.min(laid.width(cx, i));
        longest = laid.width(cx, i).max(longest);
        i += 1;
    }
    // The places that stay, rows first; past the shared columns all do.
    let Some(kept) = cx.take_vals(height + longest) else { return Val::BACK };
    let (mut rows, mut columns, mut k) = (0, 0, 0);
    while k < height {
        let width = laid.width(cx, k);
        match uniform::<V>(cx, width, |j| laid.at(cx, k, j)) {
            Some(false) => {
                cx.put(kept, rows, Val::int(k as i32));
                rows += 1;
            }
            Some(true) => {}
            None => return Val::BACK,
        }
        k += 1;
    }
    k = 0;
    while k < longest {
        let of_one =
            if k < shared { uniform::<V>(cx, height, |i| laid.at(cx, i, k)) } else { Some(false) };
        match of_one {
            Some(false) => {
                cx.put(kept, height + columns, Val::int(k as i32));
                columns += 1;
            }
            Some(true) => {}
            None => return Val::BACK,
        }
        k += 1;
    }
    let all = tuple_of(cx, rows, |k| {
        let i = cx.val(kept, k).x();
        let mut n = columns;
        while n > 0 && cx.val(kept, height + n - 1).x() >= laid.width(cx, i) {
            n -= 1;
        }
        tuple_of(cx, n, |j| laid.at(cx, i, cx.val(kept, height + j).x()))
    });
    tidy::<V>(cx, all)
}

/// Whether all of some items, at least one, are equal; `None` where that cannot be told here.
#[inline(always)]
fn uniform<V: Lanes>(cx: Cx, n: u32, item: impl Fn(u32) -> Val) -> Option<bool> {
    let mut k = 1;
    while k < n {
        if !equal::<V>(cx, item(0), item(k))? {
            return Some(false);
        }
        k += 1;
    }
    Some(n > 0)
}

/// Rows of any length, each with one of others behind it.
#[inline(never)]
pub(super) fn beside<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    let height = held!(height(cx, a)).min(held!(height(cx, b)));
    let all = tuple_of(cx, height, |i| {
        let (p, q) = (item::<V>(cx, a, i), item::<V>(cx, b, i));
        let (m, n) = (len(p).unwrap_or(0), len(q).unwrap_or(0));
        tuple_of(cx, m + n, |j| if j < m { item::<V>(cx, p, j) } else { item::<V>(cx, q, j - m) })
    });
    tidy::<V>(cx, all)
}

/// The items of two tuples one after the other.
#[inline(never)]
pub(super) fn below<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    let (m, n) = (len(a).unwrap_or(0), len(b).unwrap_or(0));
    let all =
        tuple_of(cx, m + n, |k| if k < m { item::<V>(cx, a, k) } else { item::<V>(cx, b, k - m) });
    tidy::<V>(cx, all)
}

/// The cells where two grids agree, a fallback elsewhere.
#[inline(never)]
pub(super) fn cellwise<V: Lanes>(cx: Cx, a: Val, b: Val, fallback: Val) -> Val {
    let (h, w) = held!(dims(cx, a));
    let other = held!(height(cx, b));
    let all = tuple_of(cx, h, |i| {
        tuple_of(cx, w, |j| {
            let x = at::<V>(cx, a, i, j);
            let y = if i < other { at::<V>(cx, b, i, j) } else { Val::error(Fault::Index) };
            if x.is_bad() || y.is_bad() {
                return if x.is_bad() { x } else { y };
            }
            match equal::<V>(cx, x, y) {
                Some(true) => x,
                Some(false) => fallback,
                None => Val::BACK,
            }
        })
    });
    tidy::<V>(cx, all)
}

/// Every row of a tuple so many times.
#[inline(never)]
pub(super) fn higher<V: Lanes>(cx: Cx, v: Val, n: u32) -> Val {
    let Some(rows) = len(v).filter(|_| v.is_tuple()) else { return Val::error(Fault::Type) };
    if u64::from(rows) * u64::from(n) > u64::from(MAX_ELEMENTS) {
        return Val::error(Fault::Size);
    }
    tidy::<V>(cx, tuple_of(cx, rows * n, |k| item::<V>(cx, v, k / n.max(1))))
}

/// Every item of every row so many times.
#[inline(never)]
pub(super) fn wider<V: Lanes>(cx: Cx, v: Val, n: u32) -> Val {
    let height = held!(height(cx, v));
    let all = tuple_of(cx, height, |i| {
        let row = item::<V>(cx, v, i);
        let cells = u64::from(len(row).unwrap_or(0)) * u64::from(n);
        if cells > u64::from(MAX_ELEMENTS) {
            return Val::error(Fault::Size);
        }
        tuple_of(cx, cells as u32, |k| item::<V>(cx, row, k / n.max(1)))
    });
    tidy::<V>(cx, all)
}

/// Every so many rows and columns; any row may be too short.
#[inline(never)]
pub(super) fn every<V: Lanes>(cx: Cx, v: Val, step: u32) -> Val {
    let (h, w) = held!(dims(cx, v));
    let (step, mut i) = (step.max(1), 0);
    let columns = w.div_ceil(step);
    // Rows that are dropped are read too.
    while i < h {
        let width = len(item::<V>(cx, v, i)).unwrap_or(0);
        if columns > 0 && width <= (columns - 1) * step {
            return Val::error(Fault::Index);
        }
        i += 1;
    }
    let all = tuple_of(cx, h.div_ceil(step), |i| {
        tuple_of(cx, columns, |j| at::<V>(cx, v, i * step, j * step))
    });
    tidy::<V>(cx, all)
}

/// A value in every cell of a grid of a size.
#[inline(never)]
pub(super) fn canvas<V: Lanes>(cx: Cx, value: Val, height: u32, width: u32) -> Val {
    let row = tuple_of(cx, width, |_| value);
    tidy::<V>(cx, tuple_of(cx, height, |_| row))
}
