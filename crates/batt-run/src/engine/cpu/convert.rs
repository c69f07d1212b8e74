//! Between the values of the reference engine and the 16-byte values of the fast one.

use batt_core::gather::tidy_tuple;
use batt_core::grid::{Grid, Planes};
use batt_core::lanes::Lanes;
use batt_core::seq::{Items, List};
use batt_core::val::{Tag, Val};
use batt_core::{Array, Cx};
use batt_lang::Value;

/// A value in the arena; `BACK` if it cannot be held there.
pub fn to_val(cx: Cx, value: &Value) -> Val {
    match value {
        Value::Null => Val::NULL,
        Value::Bool(b) => Val::bool(*b),
        Value::Int(n) => Val::int(*n),
        Value::Pair(i, j) => Val::pair(*i, *j),
        Value::Cell(c, i, j) => Val::cell(*c, *i, *j),
        Value::Function(_) => Val::BACK,
        Value::Tuple(items) => {
            grid(cx, items).unwrap_or_else(|| list(cx, items, |list| tidy(cx, list.tuple(cx))))
        }
        // Items are in canonical order already.
        Value::Set(items) => list(cx, items, |list| list.tidy::<Array>(cx)),
    }
}

fn list(cx: Cx, items: &[Value], finish: impl FnOnce(List) -> Val) -> Val {
    let Some(mut list) = List::new(cx, items.len() as u32) else { return Val::BACK };
    for item in items {
        list.push(cx, to_val(cx, item));
    }
    finish(list)
}

/// A tuple as a grid of bytes, where it is one that planes cannot hold. Two columns may be locations.
fn tidy(cx: Cx, v: Val) -> Val {
    tidy_tuple::<Array>(cx, v, false)
}

/// A grid, where the tuple is one that four planes can hold.
fn grid(cx: Cx, rows: &[Value]) -> Option<Val> {
    if !(1..=32).contains(&rows.len()) {
        return None;
    }
    let mut planes = [[0u32; 32]; 4];
    let mut width = 0;
    for (i, row) in rows.iter().enumerate() {
        let (words, len) = match row {
            Value::Tuple(cells) => (words(cells)?, cells.len()),
            Value::Pair(a, b) => (words(&[Value::Int(*a), Value::Int(*b)])?, 2),
            _ => return None,
        };
        if len == 0 || i > 0 && len != width {
            return None;
        }
        width = len;
        for (plane, word) in planes.iter_mut().zip(words) {
            plane[i] = word;
        }
    }
    Some(Grid::make(cx, Planes(planes.map(Array)), rows.len() as u32, width as u32))
}

/// The bits of a row's colours.
fn words(cells: &[Value]) -> Option<[u32; 4]> {
    if cells.len() > 32 {
        return None;
    }
    let (mut words, (eights, rest)) = ([0; 4], cells.as_chunks::<8>());
    for (cells, shift) in eights.iter().zip([0, 8, 16, 24]) {
        add_bits(cells, shift, &mut words)?;
    }
    add_bits(rest, cells.len() - rest.len(), &mut words)?;
    Some(words)
}

/// Adds the bits of up to eight cells from a column on.
#[inline]
fn add_bits(cells: &[Value], column: usize, words: &mut [u32; 4]) -> Option<()> {
    let (mut bytes, mut any) = (0, 0);
    for cell in cells.iter().rev() {
        let color = match cell {
            Value::Int(color) => *color as u32,
            other => other.as_int().map_or(u32::MAX, |color| color as u32),
        };
        any |= color;
        bytes = bytes << 8 | u64::from(color);
    }
    for (k, word) in words.iter_mut().enumerate() {
        // The k-th bit of every byte, side by side in the highest byte.
        let bits = (bytes >> k & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080);
        *word |= ((bits >> 56) as u32) << (column & 31);
    }
    (any < 16).then_some(())
}

/// The value that an arena's value stands for; `None` for errors and what could not be held.
pub fn to_value(cx: Cx, val: Val) -> Option<Value> {
    Some(match val.tag() {
        Tag::Back | Tag::Error => return None,
        Tag::Null => Value::Null,
        Tag::Int => Value::Int(val.x() as i32),
        Tag::Pair => Value::Pair(val.b() as i32, val.x() as i32),
        Tag::Cell => Value::Cell(val.a() as i32, val.b() as i32, val.x() as i32),
        Tag::Grid => {
            let grid = Grid::<Array>::load(cx, val)?;
            let row = |i: u32| {
                let cells = (0..grid.width).map(|j| Value::Int(grid.planes.at(i, j) as i32));
                Value::tuple(cells.collect())
            };
            Value::tuple((0..grid.height).map(row).collect())
        }
        Tag::Tuple | Tag::Wide => Value::tuple(items::<Array>(cx, val)?),
        Tag::Colors | Tag::Mask | Tag::Object | Tag::Set => Value::set(items::<Array>(cx, val)?),
    })
}

fn items<V: Lanes>(cx: Cx, val: Val) -> Option<Vec<Value>> {
    let mut items = Items::<V>::of(cx, val)?;
    let mut out = Vec::with_capacity(items.len() as usize);
    while let Some(item) = items.next(cx) {
        out.push(to_value(cx, item)?);
    }
    Some(out)
}
