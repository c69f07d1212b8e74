//! How values are read as grids and patches: what is a row, a cell, a location, a bounding box.

use std::ops::RangeInclusive;

use batt_lang::value::Elements;
use batt_lang::{Fault, FaultKind, Value};

use super::{Out, items, narrow, room};

/// A row and a column.
pub type Loc = (i32, i32);

/// The items of a tuple; a set is no tuple.
pub fn tuple_items(value: &Value) -> Result<Elements<'_>, Fault> {
    if value.is_tuple() { items(value) } else { Err(Fault::wrong_kind("a tuple is needed")) }
}

/// An index past the end.
pub fn no_item() -> Fault {
    Fault::new(FaultKind::IndexError, "there is no such item")
}

/// Any tuple of tuples, read as rows of cells. Rows may differ in length.
pub struct Grid<'a> {
    pub rows: Vec<Elements<'a>>,
}

impl<'a> Grid<'a> {
    pub fn of(value: &'a Value) -> Result<Grid<'a>, Fault> {
        // The rows are borrowed from `value`, so it is matched here and not through `Elements`.
        match value {
            Value::Tuple(rows) => {
                let rows = rows.iter().map(tuple_items).collect::<Result<_, Fault>>()?;
                Ok(Grid { rows })
            }
            _ => Err(Fault::wrong_kind("a grid is needed")),
        }
    }

    pub fn height(&self) -> usize {
        self.rows.len()
    }

    /// The length of the first row, which must exist.
    pub fn width(&self) -> Result<usize, Fault> {
        self.rows.first().map(|row| row.len()).ok_or(no_item())
    }

    /// The rows as far as the first one reaches, which must exist; a row may be too short for that.
    pub fn rectangle(&self) -> Result<Vec<&[Value]>, Fault> {
        let w = self.width()?;
        self.rows.iter().map(|row| row.get(..w).ok_or(no_item())).collect()
    }

    /// A cell; a row may be too short for it.
    pub fn at(&self, i: usize, j: usize) -> Result<&Value, Fault> {
        self.rows.get(i).and_then(|row| row.get(j)).ok_or(no_item())
    }

    /// Every cell with its location, row by row.
    pub fn cells(&self) -> impl Iterator<Item = (&Value, Loc)> {
        self.rows.iter().enumerate().flat_map(|(i, row)| {
            row.iter().enumerate().map(move |(j, v)| (v, (i as i32, j as i32)))
        })
    }

    /// A copy of the rows, to work on.
    pub fn to_rows(&self) -> Vec<Vec<Value>> {
        self.rows.iter().map(|row| row.to_vec()).collect()
    }
}

/// The grid that rows make.
pub fn grid_from(rows: Vec<Vec<Value>>) -> Value {
    Value::tuple(rows.into_iter().map(Value::tuple).collect())
}

/// Row and column of a location that lies within a height and a width.
pub fn inside((i, j): Loc, height: usize, width: usize) -> Option<(usize, usize)> {
    let (i, j) = (usize::try_from(i).ok()?, usize::try_from(j).ok()?);
    (i < height && j < width).then_some((i, j))
}

/// A patch, by its kind. The first element alone decides which it is.
pub enum Patch {
    /// Locations, in the order of the container.
    Locations(Vec<Loc>),
    /// Coloured cells, in the order of the container.
    Cells(Vec<(Value, Loc)>),
}

impl Patch {
    pub fn of(value: &Value) -> Result<Patch, Fault> {
        let elements = items(value)?;
        match elements.first() {
            Some(first) if second_is_tuple(first)? => Ok(Patch::Cells(cells_of(value)?)),
            _ => Ok(Patch::Locations(elements.iter().map(location).collect::<Result<_, _>>()?)),
        }
    }

    /// The same patch with every location moved, as a set.
    pub fn moved(&self, to: impl Fn(i64, i64) -> (i64, i64)) -> Out {
        let to = |&(i, j): &Loc| {
            let (i, j) = to(i64::from(i), i64::from(j));
            Ok((narrow(i)?, narrow(j)?))
        };
        let moved: Result<Vec<Value>, Fault> = match self {
            Patch::Locations(all) => {
                all.iter().map(|at| to(at).map(|(i, j)| Value::Pair(i, j))).collect()
            }
            Patch::Cells(all) => all.iter().map(|(v, at)| Ok(cell(v, to(at)?))).collect(),
        };
        Ok(Value::set(moved?))
    }
}

fn second_is_tuple(item: &Value) -> Result<bool, Fault> {
    Ok(tuple_items(item)?.get(1).ok_or(no_item())?.is_tuple())
}

/// The locations of a patch: in order and once each for cells, as they stand for locations.
pub fn indices_of(value: &Value) -> Result<Vec<Loc>, Fault> {
    Ok(match Patch::of(value)? {
        Patch::Locations(all) => all,
        Patch::Cells(all) => {
            let mut all: Vec<Loc> = all.into_iter().map(|(_, at)| at).collect();
            all.sort_unstable();
            all.dedup();
            all
        }
    })
}

/// The cells of an object.
pub fn cells_of(value: &Value) -> Result<Vec<(Value, Loc)>, Fault> {
    let read = |item: &Value| {
        let [colour, at] = two(item)?;
        Ok((colour, location(&at)?))
    };
    items(value)?.iter().map(read).collect()
}

/// The two items that an item unpacks to.
pub fn two(item: &Value) -> Result<[Value; 2], Fault> {
    match &items(item)?[..] {
        [a, b] => Ok([a.clone(), b.clone()]),
        _ => Err(Fault::new(FaultKind::ValueError, "two items are needed")),
    }
}

fn location(item: &Value) -> Result<Loc, Fault> {
    match item {
        Value::Pair(i, j) => Ok((*i, *j)),
        _ => two(item).and(Err(Fault::wrong_kind("a location is needed"))),
    }
}

/// A cell of an object; its colour may be null.
pub fn cell(colour: &Value, (i, j): Loc) -> Value {
    match colour.as_int() {
        Some(c) => Value::Cell(c, i, j),
        None => Value::tuple(vec![colour.clone(), Value::Pair(i, j)]),
    }
}

/// The rows and columns that a patch spans, in 64 bits so that sums and differences fit.
#[derive(Clone, Copy)]
pub struct Bounds {
    pub top: i64,
    pub left: i64,
    pub bottom: i64,
    pub right: i64,
}

impl Bounds {
    /// None for no locations.
    pub fn of(locations: &[Loc]) -> Option<Bounds> {
        let rows = || locations.iter().map(|at| i64::from(at.0));
        let columns = || locations.iter().map(|at| i64::from(at.1));
        Some(Bounds {
            top: rows().min()?,
            left: columns().min()?,
            bottom: rows().max()?,
            right: columns().max()?,
        })
    }

    /// The bounds of a patch that must not be empty.
    pub fn of_patch(patch: &Value) -> Result<Bounds, Fault> {
        Bounds::of(&indices_of(patch)?).ok_or(Fault::empty("the patch is empty"))
    }

    pub fn rows(self) -> RangeInclusive<i64> {
        self.top..=self.bottom
    }

    pub fn columns(self) -> RangeInclusive<i64> {
        self.left..=self.right
    }

    pub fn height(self) -> i64 {
        self.bottom - self.top + 1
    }

    pub fn width(self) -> i64 {
        self.right - self.left + 1
    }
}

/// A location computed in 64 bits.
pub fn pair(i: i64, j: i64) -> Out {
    Ok(Value::Pair(narrow(i)?, narrow(j)?))
}

/// A set of so many locations computed in 64 bits.
pub fn indices(count: i64, locations: impl Iterator<Item = (i64, i64)>) -> Out {
    room(count)?;
    Ok(Value::set(locations.map(|(i, j)| pair(i, j)).collect::<Result<_, _>>()?))
}
