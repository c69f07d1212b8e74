//! Between the values of the reference engine and the 16-byte values of the fast one.

use batt_core::gather::tidy_tuple;
use batt_core::grid::Grid;
use batt_core::lanes::Lanes;
use batt_core::seq::{Items, List};
use batt_core::val::{Tag, Val};
use batt_core::{Array, Cx};
use batt_lang::Value;

use super::functions;
use super::packed::{self, Packed};

/// A value in the arena; `BACK` if it cannot be held there.
pub fn to_val(cx: Cx, value: &Value) -> Val {
    match value {
        Value::Null => Val::NULL,
        Value::Bool(b) => Val::bool(*b),
        Value::Int(n) => Val::int(*n),
        Value::Pair(i, j) => Val::pair(*i, *j),
        Value::Cell(c, i, j) => Val::cell(*c, *i, *j),
        Value::Function(f) => functions::to_val(cx, f),
        Value::Tuple(items) => match Packed::of_items(items) {
            Some(grid) => grid.val(cx),
            None => list(cx, items, |list| tidy(cx, list.tuple(cx))),
        },
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
            let (height, width) = (grid.height as usize, grid.width as usize);
            Value::of_cells(width, packed::colors(grid.planes, height, width).into())?
        }
        Tag::Function => functions::to_value(cx, val)?,
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
