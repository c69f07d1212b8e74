//! Containers: walking any of them, and building new ones.

use crate::arena::{Cx, ROWS};
use crate::function;
use crate::gather;
use crate::lanes::Lanes;
use crate::mask::Bounds;
use crate::patch::{self, Patch};
use crate::sort;
use crate::val::{Fault, MAX_ELEMENTS, MAX_HELD_DEPTH, MONO, Tag, Val, pack_origin};
use crate::wide::Wide;

/// How many items a container holds; `None` for anything else.
#[inline(always)]
pub fn len(v: Val) -> Option<u32> {
    match v.tag() {
        Tag::Pair | Tag::Cell => Some(2),
        Tag::Colors => Some(v.x().count_ones()),
        Tag::Mask | Tag::Object => Some(v.extra()),
        Tag::Grid | Tag::Wide => Some(v.dims().0),
        Tag::Tuple | Tag::Set => Some(v.x()),
        _ => None,
    }
}

/// How many cells or elements a value holds in all, as the limits count them.
#[inline(always)]
pub fn elements(v: Val) -> u32 {
    match v.tag() {
        Tag::Colors => v.x().count_ones(),
        Tag::Mask | Tag::Object => v.extra(),
        Tag::Grid | Tag::Wide => grid_elements(v.dims().0, v.dims().1) as u32,
        Tag::Tuple | Tag::Set => v.b(),
        _ => 1,
    }
}

/// How many elements a grid holds in all: a row of two is a pair, which is one.
#[inline(always)]
pub fn grid_elements(height: u32, width: u32) -> u64 {
    u64::from(height) * if width == 2 { 1 } else { u64::from(width.max(1)) }
}

/// How deep containers and functions nest in a value; pairs and cells count as items.
#[inline(always)]
pub fn depth(v: Val) -> u32 {
    match v.tag() {
        Tag::Colors | Tag::Mask | Tag::Object => 1,
        Tag::Grid | Tag::Wide => 2,
        Tag::Tuple | Tag::Set => v.extra(),
        Tag::Function => function::depth(v),
        _ => 0,
    }
}

/// Python's truth.
#[inline(always)]
pub fn truth(v: Val) -> bool {
    if v.is(Tag::Int) {
        return v.x() != 0;
    }
    match v.tag() {
        Tag::Null => false,
        _ => len(v) != Some(0),
    }
}

/// Walks the items of any container in order.
pub struct Items<V> {
    v: Val,
    at: u32,
    len: u32,
    /// For bits: what is left of the current row, which rows and which colours are left.
    row: u32,
    bits: u32,
    rows: u32,
    colors: u32,
    mask: V,
}

impl<V: Lanes> Items<V> {
    /// The items of a container; `None` for anything else.
    #[inline(always)]
    pub fn of(cx: Cx, v: Val) -> Option<Items<V>> {
        let len = len(v)?;
        let mask = V::splat(0);
        let mut items = Items { v, at: 0, len, row: 0, bits: 0, rows: 0, colors: 0, mask };
        match v.tag() {
            Tag::Colors => items.bits = v.x(),
            Tag::Mask | Tag::Object => {
                items.mask = cx.load(v.a());
                items.colors = match (v.tag(), patch::mono(v)) {
                    (Tag::Object, None) => patch::planes::<V>(cx, v).palette(items.mask),
                    (_, color) => 1 << color.unwrap_or(0),
                };
                items.rows = items.mask.ballot();
            }
            _ => {}
        }
        Some(items)
    }

    /// How many items there are in all.
    #[inline(always)]
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The next item; `BACK` where the arena is full.
    #[inline(always)]
    pub fn next(&mut self, cx: Cx) -> Option<Val> {
        if self.at >= self.len {
            return None;
        }
        self.at += 1;
        Some(match self.v.tag() {
            Tag::Tuple | Tag::Set => cx.val(self.v.a(), self.at - 1),
            Tag::Colors => {
                let n = self.bits.trailing_zeros();
                self.bits &= self.bits.wrapping_sub(1);
                Val::int(n as i32)
            }
            Tag::Mask => {
                let (i, j) = self.next_bit(cx);
                Val::pair(i, j)
            }
            Tag::Object => {
                let (i, j) = self.next_bit(cx);
                Val::cell(self.colors.trailing_zeros() as i32, i, j)
            }
            _ => item::<V>(cx, self.v, self.at - 1),
        })
    }

    /// Takes the next bit, row by row and colour by colour.
    #[inline(always)]
    fn next_bit(&mut self, cx: Cx) -> (i32, i32) {
        while self.bits == 0 {
            if self.rows == 0 {
                // Cells come colour by colour.
                self.colors &= self.colors.wrapping_sub(1);
                if self.colors == 0 {
                    break;
                }
                self.rows = self.mask.ballot();
            }
            self.row = self.rows.trailing_zeros() & 31;
            self.rows &= self.rows.wrapping_sub(1);
            self.bits = self.row_bits(cx);
        }
        let column = self.bits.trailing_zeros();
        self.bits &= self.bits.wrapping_sub(1);
        let (oi, oj) = self.v.origin();
        (oi + self.row as i32, oj + column as i32)
    }

    /// The bits of the current row and colour.
    #[inline(always)]
    fn row_bits(&self, cx: Cx) -> u32 {
        let bits = cx.row_of(self.v.a(), self.mask, self.row);
        if self.v.is(Tag::Mask) || self.v.b() & MONO != 0 {
            return bits;
        }
        patch::row_of_color::<V>(cx, self.v, self.row, self.colors.trailing_zeros()) & bits
    }
}

/// Writes the items of a container from the k-th value of an array on; how many there are with
/// those before. `None` for what is no container, or where the arena is full.
#[inline(always)]
pub fn write_items<V: Lanes>(cx: Cx, v: Val, unit: u32, k: u32) -> Option<u32> {
    let mut at = k;
    if matches!(v.tag(), Tag::Tuple | Tag::Set) {
        while at < k + v.x() {
            cx.put(unit, at, cx.val(v.a(), at - k));
            at += 1;
        }
        return Some(at);
    }
    if matches!(v.tag(), Tag::Mask | Tag::Object) {
        return Some(write_bits::<V>(cx, v, unit, k));
    }
    let mut items = Items::<V>::of(cx, v)?;
    while let Some(item) = items.next(cx) {
        if item.is_bad() {
            return None;
        }
        cx.put(unit, at, item);
        at += 1;
    }
    Some(at)
}

/// As [`write_items`], for a mask or an object.
#[inline(always)]
fn write_bits<V: Lanes>(cx: Cx, v: Val, unit: u32, k: u32) -> u32 {
    let m: V = cx.load(v.a());
    let (lines, planes) = (m.ballot(), v.is(Tag::Object) && v.b() & MONO == 0);
    let mut colors = match (planes, patch::mono(v)) {
        (true, _) => patch::planes::<V>(cx, v).palette(m),
        (_, color) => 1 << color.unwrap_or(0),
    };
    let ((oi, oj), mut at) = (v.origin(), k);
    // A location has no colour.
    let tag = if v.is(Tag::Mask) { Tag::Pair } else { Tag::Cell };
    while colors != 0 {
        let color = colors.trailing_zeros();
        colors &= colors - 1;
        let mut rows = lines;
        while rows != 0 {
            let row = rows.trailing_zeros();
            rows &= rows - 1;
            let mut bits = cx.row_of(v.a(), m, row);
            if planes {
                bits &= patch::row_of_color::<V>(cx, v, row, color);
            }
            let i = oi + row as i32;
            while bits != 0 {
                let j = oj + bits.trailing_zeros() as i32;
                bits &= bits - 1;
                cx.put(unit, at, Val::new(tag, 0, color, i as u32, j as u32));
                at += 1;
            }
        }
    }
    at
}

/// The k-th item of a tuple, or of a set kept as an array; k must be below its length. A row of a
/// grid is built in the arena.
#[inline(always)]
pub fn item<V: Lanes>(cx: Cx, v: Val, k: u32) -> Val {
    match v.tag() {
        Tag::Pair => Val::int(if k == 0 { v.b() } else { v.x() } as i32),
        Tag::Cell => {
            if k == 0 {
                Val::int(v.a() as i32)
            } else {
                Val::pair(v.b() as i32, v.x() as i32)
            }
        }
        Tag::Tuple | Tag::Set => cx.val(v.a(), k),
        Tag::Grid => row::<V>(cx, v, k),
        Tag::Wide => Wide::load(v).map_or(Val::BACK, |g| g.row::<V>(cx, k)),
        _ => Val::BACK,
    }
}

/// A row of a grid as a tuple. Very many kernels have this, so it is compiled once for them.
#[cfg_attr(target_arch = "nvptx64", inline(never))]
#[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
fn row<V: Lanes>(cx: Cx, v: Val, k: u32) -> Val {
    let (_, width) = v.dims();
    let Some(unit) = cx.take_vals(width) else { return Val::BACK };
    let plane = |n: u32| cx.row::<V>(v.a() + n * ROWS, k);
    let (a, b, c, d) = (plane(0), plane(1), plane(2), plane(3));
    V::meet();
    V::each(width, |j| {
        let bit = |word: u32| word >> j & 1;
        let color = bit(a) | bit(b) << 1 | bit(c) << 2 | bit(d) << 3;
        cx.put_own(unit, j, Val::int(color as i32));
    });
    List::plain(unit, width).tuple(cx)
}

/// The k-th item of any container; k must be below its length.
#[inline(always)]
pub fn nth<V: Lanes>(cx: Cx, v: Val, k: u32) -> Val {
    match v.tag() {
        Tag::Colors | Tag::Mask | Tag::Object => {
            let Some(mut items) = Items::<V>::of(cx, v) else { return Val::BACK };
            let mut left = k;
            while left > 0 {
                items.next(cx);
                left -= 1;
            }
            items.next(cx).unwrap_or(Val::BACK)
        }
        _ => item::<V>(cx, v, k),
    }
}

/// The highest score.
pub const MAX_SCORE: i32 = 1000;

/// What a differ's result says, which is a pair (score, detail); `None` for anything else.
#[inline(always)]
pub fn score(cx: Cx, v: Val) -> Option<i32> {
    let first = match v.tag() {
        Tag::Pair => Val::int(v.b() as i32),
        Tag::Cell => Val::int(v.a() as i32),
        Tag::Tuple if v.x() == 2 => cx.val(v.a(), 0),
        _ => return None,
    };
    bounded(first)
}

/// The score that an int is.
#[inline(always)]
pub fn bounded(score: Val) -> Option<i32> {
    score.as_int().map(|score| score.clamp(0, MAX_SCORE))
}

/// An array of values that is being filled.
#[derive(Clone, Copy)]
pub struct List {
    unit: u32,
    room: u32,
    len: u32,
    elements: u32,
    depth: u32,
    /// An item that is bad spoils the whole.
    bad: Val,
}

impl List {
    /// Room for `room` values; `None` where the arena is full.
    #[inline(always)]
    pub fn new(cx: Cx, room: u32) -> Option<List> {
        let unit = cx.take_vals(room)?;
        Some(List { unit, room, len: 0, elements: 0, depth: 0, bad: Val::NULL })
    }

    /// Values that are read by number, in their order.
    #[inline(always)]
    pub fn copied<V: Lanes>(cx: Cx, n: u32, get: impl Fn(u32) -> Val) -> Option<List> {
        let unit = cx.take_vals(n)?;
        let (mut all, mut deepest, mut bad) = (0u32, 0, n);
        V::meet();
        V::read_each(n, get, |k, v| {
            cx.put_own(unit, k, v);
            all = all.saturating_add(elements(v).max(1));
            deepest = depth(v).max(deepest);
            if v.is_bad() {
                bad = bad.min(k);
            }
        });
        V::meet();
        let bad = V::least(bad as i32) as u32;
        let bad = if bad < n { cx.val(unit, bad) } else { Val::NULL };
        let (elements, depth) = (V::added(all), V::most(deepest as i32) as u32);
        Some(List { unit, room: n, len: n, elements, depth, bad })
    }

    /// Those of some values that stay, in their order; none of them is bad.
    #[inline(always)]
    pub fn picked<V: Lanes>(
        cx: Cx,
        n: u32,
        stays: impl Fn(u32) -> bool,
        get: impl Fn(u32) -> Val,
    ) -> Option<List> {
        let unit = cx.take_vals(n)?;
        V::meet();
        let len = V::pick(n, stays, |at, k| cx.put_own(unit, at, get(k)));
        V::meet();
        Some(List::over::<V>(cx, unit, len))
    }

    /// The values of an array, none of which is bad.
    #[inline(always)]
    pub fn over<V: Lanes>(cx: Cx, unit: u32, n: u32) -> List {
        let (mut all, mut deepest) = (0u32, 0);
        V::read_each(
            n,
            |k| cx.val(unit, k),
            |_, v| {
                all = all.saturating_add(elements(v).max(1));
                deepest = depth(v).max(deepest);
            },
        );
        let (elements, depth) = (V::added(all), V::most(deepest as i32) as u32);
        List { unit, room: n, len: n, elements, depth, bad: Val::NULL }
    }

    /// An array of ints, locations or cells.
    #[inline(always)]
    pub fn plain(unit: u32, n: u32) -> List {
        List { unit, room: n, len: n, elements: n, depth: 0, bad: Val::NULL }
    }

    /// An array of sets of ints, locations or cells, with so many elements together.
    #[inline(always)]
    pub fn of_sets(unit: u32, n: u32, elements: u32) -> List {
        List { unit, room: n, len: n, elements, depth: 1, bad: Val::NULL }
    }

    /// An array of which it is known how many elements it holds in all, and how deep they nest; none is bad.
    #[inline(always)]
    pub fn held(unit: u32, n: u32, elements: u32, depth: u32) -> List {
        List { unit, room: n, len: n, elements, depth, bad: Val::NULL }
    }

    /// How many values there are.
    #[inline(always)]
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The k-th value.
    #[inline(always)]
    pub fn get(&self, cx: Cx, k: u32) -> Val {
        cx.val(self.unit, k)
    }

    /// What spoilt the list, if anything did.
    #[inline(always)]
    pub fn bad(&self) -> Val {
        self.bad
    }

    /// Adds a value. One that is bad, or one too many, spoils the list.
    #[inline(always)]
    pub fn push(&mut self, cx: Cx, v: Val) {
        if v.is_bad() || self.len >= self.room {
            if !self.bad.is_bad() {
                self.bad = if v.is_bad() { v } else { Val::BACK };
            }
            return;
        }
        cx.put(self.unit, self.len, v);
        self.len += 1;
        self.elements = self.elements.saturating_add(elements(v).max(1));
        self.depth = self.depth.max(depth(v));
    }

    /// The values as a tuple. Two ints become a pair, an int and a pair a cell.
    #[inline(always)]
    pub fn tuple(&self, cx: Cx) -> Val {
        if self.bad.is_bad() {
            return self.bad;
        }
        if self.len == 2 {
            return pair_of(
                cx,
                self.get(cx, 0),
                self.get(cx, 1),
                self.unit,
                self.elements,
                self.depth,
            );
        }
        self.finish(Tag::Tuple)
    }

    /// The values as a set: sorted, without repeats, as bits where bits can hold it.
    #[inline(never)]
    pub fn set<V: Lanes>(&self, cx: Cx) -> Val {
        if self.bad.is_bad() {
            return self.bad;
        }
        if V::APART {
            return gather::set::<V>(cx, self.len, |k| self.get(cx, k));
        }
        match gather::set_of_places::<V::Out>(cx, self.len, |k| self.get(cx, k)) {
            Some(v) => v,
            None => self.set_by_order::<V::Out>(cx),
        }
    }

    /// As [`List::set`], by comparing.
    #[inline(never)]
    pub fn set_by_order<V: Lanes>(&self, cx: Cx) -> Val {
        if self.bad.is_bad() {
            return self.bad;
        }
        let Some(sorted) = self.sorted::<V::Out>(cx) else { return Val::BACK };
        sorted.tidy::<V>(cx)
    }

    /// The values, which are in canonical order without repeats, as a set.
    #[inline(always)]
    pub fn tidy<V: Lanes>(&self, cx: Cx) -> Val {
        if self.bad.is_bad() {
            return self.bad;
        }
        if self.len == 0 {
            return Val::EMPTY_SET;
        }
        // What bits cannot hold is not handed on: a call costs more than this.
        if !matches!(self.get(cx, 0).tag(), Tag::Int | Tag::Pair | Tag::Cell) {
            return self.finish(Tag::Set);
        }
        as_bits::<V::Out>(cx, self.unit, self.len).unwrap_or_else(|| self.finish(Tag::Set))
    }

    /// The values, which are in canonical order without repeats and which bits cannot hold, as a set.
    #[inline(always)]
    pub fn array(&self) -> Val {
        if self.bad.is_bad() { self.bad } else { self.finish(Tag::Set) }
    }

    #[inline(always)]
    fn finish(&self, tag: Tag) -> Val {
        if self.elements > MAX_ELEMENTS {
            return Val::error(Fault::Size);
        }
        if self.depth >= MAX_HELD_DEPTH {
            return Val::BACK;
        }
        Val::new(tag, self.depth + 1, self.unit, self.elements, self.len)
    }

    /// The values in canonical order without repeats, in a new list. `None` where the arena is full.
    #[inline(never)]
    fn sorted<V: Lanes>(&self, cx: Cx) -> Option<List> {
        let (unit, len) = sort::sorted::<V::Out>(cx, self.unit, self.len)?;
        if len == self.len {
            return Some(List { unit, ..*self });
        }
        Some(List::over::<V>(cx, unit, len))
    }
}

/// Values in canonical order without repeats as a set of bits; `None` where bits cannot hold it.
#[inline(never)]
fn as_bits<V: Lanes>(cx: Cx, unit: u32, len: u32) -> Option<Val> {
    let get = |k: u32| cx.val(unit, k);
    let tag = get(0).tag();
    if !V::all(len, |k| get(k).is(tag)) {
        return None;
    }
    match tag {
        Tag::Int => gather::colors::<V>(len, get),
        Tag::Pair => gather::locations::<V>(cx, len, get),
        Tag::Cell => gather::cells::<V>(cx, len, get),
        _ => None,
    }
}

/// A tuple of two in its normal form; `unit` holds both in a row.
#[inline(always)]
pub(crate) fn pair_of(_cx: Cx, a: Val, b: Val, unit: u32, elements: u32, depth: u32) -> Val {
    match (a.as_int(), b.as_int(), b.as_pair()) {
        (Some(a), Some(b), _) => Val::pair(a, b),
        (Some(a), _, Some((i, j))) => Val::cell(a, i, j),
        _ if elements > MAX_ELEMENTS => Val::error(Fault::Size),
        _ if depth >= MAX_HELD_DEPTH => Val::BACK,
        _ => Val::new(Tag::Tuple, depth + 1, unit, elements, 2),
    }
}

/// A tuple of two values.
#[inline(always)]
pub fn two(cx: Cx, a: Val, b: Val) -> Val {
    match (a.as_int(), b.as_int(), b.as_pair()) {
        (Some(a), Some(b), _) => Val::pair(a, b),
        (Some(a), _, Some((i, j))) => Val::cell(a, i, j),
        (_, _, Some(_)) if a.is(Tag::Pair) => {
            let Some(unit) = cx.take_vals(2) else { return Val::BACK };
            cx.put(unit, 0, a);
            cx.put(unit, 1, b);
            pair_of(cx, a, b, unit, elements(a) + elements(b), depth(a).max(depth(b)))
        }
        _ => {
            let Some(mut list) = List::new(cx, 2) else { return Val::BACK };
            list.push(cx, a);
            list.push(cx, b);
            list.tuple(cx)
        }
    }
}

/// A set of one value.
#[inline(always)]
pub fn one<V: Lanes>(cx: Cx, v: Val) -> Val {
    if let Some(held) = one_bit::<V>(cx, v) {
        return held;
    }
    let Some(mut list) = List::new(cx, 1) else { return Val::BACK };
    list.push(cx, v);
    list.tidy::<V>(cx)
}

/// A set of one int, location or cell, as a bit.
#[inline(always)]
fn one_bit<V: Lanes>(cx: Cx, v: Val) -> Option<Val> {
    match v.tag() {
        Tag::Int if v.x() < 32 => return Some(Val::colors(1 << (v.x() & 31))),
        Tag::Pair => {}
        Tag::Cell if v.a() < 16 => {}
        _ => return None,
    }
    let (i, j) = (v.b() as i32, v.x() as i32);
    let (oi, oj) = Bounds::of(i, j).window()?;
    let origin = pack_origin(oi, oj)?;
    let unit = cx.take(1)?;
    cx.store(unit, V::put((i - oi) as u32, 1 << ((j - oj) & 31)));
    let set = Val::new(Tag::Mask, 1, unit, 0, origin);
    Some(if v.is(Tag::Cell) { patch::recolored(set, v.a()) } else { set })
}

/// The bounding box of a patch in any set form; `None` for the empty set and for what is no patch.
#[inline(always)]
pub fn patch_bounds<V: Lanes>(cx: Cx, v: Val) -> Option<Bounds> {
    if let Some(p) = Patch::<V>::load(cx, v) {
        return Some(p.bounds());
    }
    if !v.is(Tag::Set) {
        return None;
    }
    let strange = |k: u32| !matches!(cx.val(v.a(), k).tag(), Tag::Pair | Tag::Cell);
    if v.x() == 0 || V::find(v.x(), strange).is_some() {
        return None;
    }
    Some(gather::bounds::<V>(v.x(), |k| cx.val(v.a(), k)))
}
