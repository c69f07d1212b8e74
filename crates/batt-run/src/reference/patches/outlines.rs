//! What lies in and around the bounding box of a patch.

use batt_lang::{Fault, Value};

use super::super::shapes::{Bounds, Patch, indices, indices_of};
use super::super::{Out, items};

pub fn backdrop(patch: &Value) -> Out {
    let Some(bounds) = Bounds::of(&indices_of(patch)?) else { return Ok(Value::empty_set()) };
    filled(bounds)
}

/// Every location of a bounding box.
fn filled(bounds: Bounds) -> Out {
    let count = bounds.height().saturating_mul(bounds.width());
    indices(count, bounds.rows().flat_map(|i| bounds.columns().map(move |j| (i, j))))
}

pub fn delta(patch: &Value) -> Out {
    let taken = indices_of(patch)?;
    let Some(bounds) = Bounds::of(&taken) else { return Ok(Value::empty_set()) };
    if patch.is_tuple() && matches!(Patch::of(patch)?, Patch::Locations(_)) {
        return Err(Fault::wrong_kind("a set is needed"));
    }
    // A set of locations is sorted, and so are the locations of an object.
    let free = |v: &&Value| v.as_pair().is_none_or(|at| taken.binary_search(&at).is_err());
    let all = filled(bounds)?;
    Ok(Value::set(items(&all)?.iter().filter(free).cloned().collect()))
}

/// The edge of a bounding box whose sides may be given in either order.
fn edge(bounds: Bounds) -> Out {
    let (top, bottom) = (bounds.top.min(bounds.bottom), bounds.top.max(bounds.bottom));
    let (left, right) = (bounds.left.min(bounds.right), bounds.left.max(bounds.right));
    let rows = [top, bottom].into_iter().flat_map(|i| (left..=right).map(move |j| (i, j)));
    let columns = [left, right].into_iter().flat_map(|j| (top..=bottom).map(move |i| (i, j)));
    // The count may only err downwards, so rows and columns that fall together count once.
    let (h, w) = (bottom - top + 1, right - left + 1);
    indices(h + w - 1, rows.chain(columns))
}

pub fn inbox(patch: &Value) -> Out {
    let b = Bounds::of_patch(patch)?;
    edge(Bounds { top: b.top + 1, left: b.left + 1, bottom: b.bottom - 1, right: b.right - 1 })
}

pub fn outbox(patch: &Value) -> Out {
    let b = Bounds::of_patch(patch)?;
    edge(Bounds { top: b.top - 1, left: b.left - 1, bottom: b.bottom + 1, right: b.right + 1 })
}

pub fn r#box(patch: &Value) -> Out {
    match Bounds::of(&indices_of(patch)?) {
        None => Ok(patch.clone()),
        Some(bounds) => edge(bounds),
    }
}
